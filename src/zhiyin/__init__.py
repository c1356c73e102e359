"""Zhiyin (知音): finds out whether a language model understands music.

From Python: ``import zhiyin as zy``, then `run`, `load`, `compare`, `judge`, `report`, `listen`,
`rescore` and `stats`; ``docs/python.md`` shows all of them. Nothing is imported before it is used.
"""

TYPE_CHECKING = False  # not from `typing`, which would cost most of the time of this import
if TYPE_CHECKING:
    from zhiyin.analysis.comparison import Comparison
    from zhiyin.api.running import arun, rescore, run
    from zhiyin.api.runs import Rescored, Run, compare, load
    from zhiyin.contract.benchmark import Benchmark
    from zhiyin.contract.declared import Headline, Reference, Section
    from zhiyin.contract.registry import register
    from zhiyin.errors import InputError, ModelError, TransientError
    from zhiyin.flags import Flag
    from zhiyin.models import open_model
    from zhiyin.models.capabilities import Capabilities
    from zhiyin.models.playback import SoundPolicy
    from zhiyin.plugins.judges.api import Failed, Judged, failures, judge
    from zhiyin.plugins.methods import api as stats
    from zhiyin.plugins.music.api import Heard, listen
    from zhiyin.record import Exchange, Model, Record, Reply, Sampling, Turn, Verdict
    from zhiyin.report.writing import Report, report
    from zhiyin.sequence import Sequence, Stepwise, conversation
    from zhiyin.trial import Audio, Image, Message, Option, Text, Trial, say

__version__ = "0.1.0"

__all__ = [
    "Audio",
    "Benchmark",
    "Capabilities",
    "Comparison",
    "Exchange",
    "Failed",
    "Flag",
    "Headline",
    "Heard",
    "Image",
    "InputError",
    "Judged",
    "Message",
    "Model",
    "ModelError",
    "Option",
    "Record",
    "Reference",
    "Reply",
    "Report",
    "Rescored",
    "Run",
    "Sampling",
    "Section",
    "Sequence",
    "SoundPolicy",
    "Stepwise",
    "Text",
    "TransientError",
    "Trial",
    "Turn",
    "Verdict",
    "__version__",
    "arun",
    "compare",
    "conversation",
    "failures",
    "judge",
    "listen",
    "load",
    "open_model",
    "register",
    "report",
    "rescore",
    "run",
    "say",
    "stats",
]

_NAMES = {
    "zhiyin.analysis.comparison": ("Comparison",),
    "zhiyin.plugins.judges.api": ("Failed", "Judged", "failures", "judge"),
    "zhiyin.plugins.music.api": ("Heard", "listen"),
    "zhiyin.report.writing": ("Report",),
    "zhiyin.api.running": ("arun", "rescore", "run"),
    "zhiyin.api.runs": ("Rescored", "Run", "compare", "load"),
    "zhiyin.contract.benchmark": ("Benchmark",),
    "zhiyin.contract.declared": ("Headline", "Reference", "Section"),
    "zhiyin.flags": ("Flag",),
    "zhiyin.contract.registry": ("register",),
    "zhiyin.errors": ("InputError", "ModelError", "TransientError"),
    "zhiyin.models": ("open_model",),
    "zhiyin.models.capabilities": ("Capabilities",),
    "zhiyin.models.playback": ("SoundPolicy",),
    "zhiyin.record": ("Exchange", "Model", "Record", "Reply", "Sampling", "Turn", "Verdict"),
    "zhiyin.sequence": ("Sequence", "Stepwise", "conversation"),
    "zhiyin.trial": ("Audio", "Image", "Message", "Option", "Text", "Trial", "say"),
}
_MODULES = {"report": "zhiyin.report", "stats": "zhiyin.plugins.methods.api"}
"""`report` is a room of the package that can be called as well."""


def __getattr__(name: str) -> object:
    """Return a public object, imported when it is first asked for."""
    import importlib

    if name in _MODULES:
        public: object = importlib.import_module(_MODULES[name])
    else:
        place = next((module for module, names in _NAMES.items() if name in names), None)
        if place is None:
            raise AttributeError(f"module 'zhiyin' has no attribute {name!r}")
        public = getattr(importlib.import_module(place), name)
    globals()[name] = public
    return public


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
