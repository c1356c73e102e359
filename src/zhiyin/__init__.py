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

__version__ = "0.1.0"

_NAMES = {
    "zhiyin.analysis.comparison": ("Comparison",),
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


def __getattr__(name: str) -> object:
    """Return what is public, imported when it is first asked for; a plug-in may bring it."""
    import importlib

    if name == "__all__":
        return _public()
    place = next((module for module, names in _NAMES.items() if name in names), None)
    if name == "report":  # a room of the package that can be called as well
        public: object = importlib.import_module("zhiyin.report")
    elif place is not None:
        public = getattr(importlib.import_module(place), name)
    else:
        public = _brought(name)
    globals()[name] = public
    return public


def _brought(name: str) -> object:
    """Load a plug-in's object by name. Raises `AttributeError` where none brings it."""
    from importlib.util import find_spec

    if not (name.startswith("_") or find_spec(f"zhiyin.{name}")):
        from zhiyin.extensions import API, installed, load, ours

        if own := ours(API).get(name):
            return own.load()
        if other := installed(API).get(name):
            return load(other)
    raise AttributeError(f"module 'zhiyin' has no attribute {name!r}")


def _public() -> list[str]:
    """All that is public, of plug-ins, too."""
    from zhiyin.extensions import API, installed, ours

    own = (name for names in _NAMES.values() for name in names)
    return sorted({*own, "__version__", "report", *ours(API), *installed(API)})


def __dir__() -> list[str]:
    return sorted({*globals(), *_public()})
