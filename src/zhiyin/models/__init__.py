"""Models: one file for each way of reaching one, opened by a spec such as "openai:gpt-4o".

A model has a `name`, a `concurrency`, `generate` and `close` (`zhiyin.record.Model`), and may
have more, which a run uses where it is there:

================  =========================================================================
``capabilities``  a `Capabilities`: what it can take, checked before the first trial
``instant``       True where `generate` never waits: calls need no time limit
``timed``         False where calls are given no time limit: they have one of their own, or none
``check()``       a coroutine, before the first trial: `InputError` when no server can be reached
``describe()``    a dict for the run's manifest: what was reached, and what was sent
``report()``      lines for the user when the run is over
``identity()``    a dict of what makes it the model that it is: its replies may be kept
``on_headers``    set by a run: called with the headers of each response, for limits of rates
``fingerprint``   a method: SHA-256 of the answers that the model holds, part of what a run is
``canary``        whether a run with sound or pictures begins with a few questions that any ear or
                  eye can answer: True unless it takes none, False never, None where it says that
                  it hears or sees
``tells_sending`` True where it says of each call when it is sent: see `zhiyin.record.InHand`
``shared_pace``   where several runs share it: the `cost.rates.Pace` that all their calls go through
``bind``          a method: given all trials of a run before the first is asked
================  =========================================================================

Providers
---------
The facts are those of the providers' own pages, as of November 2026. What no page says is left
unknown; a model whose name fits no family has what its provider's models have in common. All of it
stands in ``providers.json``: a provider that speaks in a form of `dialects` is an entry there.

From Claude 4.7 on Anthropic refuses all settings but the length of a reply. What a provider of
Inspect AI's does with a setting that its models do not take differs.

Log-probabilities are those of the first token of a reply. The APIs of Anthropic and Mistral have
none; DashScope gives them for some models of words alone, and Inspect AI and LiteLLM pass on what
their providers call by many names: these are not asked. A model that always thinks (OpenAI's o
series, Gemini 2.5 Pro and 3) is not asked either: its answer comes after its thoughts. Of others,
GPT-5 and Gemini 2.5 Flash among them, it is not known, and they are asked.

=============  =====================================================================================
OpenAI         platform.openai.com/docs/models; guides "Audio and speech", "Images", "Reasoning"
Gemini         ai.google.dev/gemini-api/docs: "Audio", "Image understanding", "Thinking", "Files"
Anthropic      platform.claude.com/docs: "Vision", "Extended thinking", "Adaptive thinking"
Mistral        docs.mistral.ai: "Audio and transcription", "Vision", "Reasoning"
DashScope      help.aliyun.com/en/model-studio: "Qwen-Omni", "Visual understanding"
=============  =====================================================================================
"""

from __future__ import annotations

import importlib
import importlib.util
import re
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin import extensions as plugins
from zhiyin.errors import InputError, did_you_mean, missing_package
from zhiyin.extensions import ModelKind
from zhiyin.models.baselines import BASELINES, Baseline
from zhiyin.models.capabilities import Capabilities
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.record import Model
from zhiyin.words import Text, said


class Provider(msgspec.Struct, frozen=True, kw_only=True):
    """One provider.

    Attributes
    ----------
    form, summary : str
        How its models are written, and what they are, for ``zhiyin list``.
    speaks : str
        ``module:class`` of a `Dialect`, or of a `PackageModel`.
    keys, addresses : tuple of str
        Environment variables, the first that is set counts.
    address : str
        Where no variable names another; a key is needed for it.
    can : Capabilities
        Of all its models.
    families : tuple of (str, dict)
        Regular expressions for the beginning of a model's name, and what is different then; the
        first that fits counts.
    extra, package : str
        The extra of ``pip install``, and the package that has to be there; empty for none.
    """

    form: str
    summary: str
    speaks: str
    can: Capabilities
    keys: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    address: str = ""
    families: tuple[tuple[str, dict[str, object]], ...] = ()
    extra: str = ""
    package: str = ""

    def capabilities(self, model: str) -> Capabilities:
        """Return what a model can take, by its name."""
        name = model.rpartition("/")[2].lower()
        for pattern, different in self.families:
            if re.match(pattern, name):
                return msgspec.convert(msgspec.to_builtins(self.can) | different, Capabilities)
        return self.can


def _read(place: Path) -> dict[str, Provider]:
    return msgspec.json.decode(place.read_bytes(), type=dict[str, Provider])


PROVIDERS = _read(Path(__file__).with_name("providers.json"))
"""Zhiyin's own, by the word before the colon; `provider_of` knows those of other packages, too."""
for _point in plugins.ours(plugins.PROVIDERS).values():
    PROVIDERS |= _read(_point.load())

_HTTP = ModelKind(
    "zhiyin.models.chat:open_url",
    {
        "http://HOST[:PORT]/v1#MODEL": "any server that speaks OpenAI's chat completions (or https://)"
    },
    "sent",
    "served",
)
_KINDS = {
    "http": _HTTP,
    "https": _HTTP,
    "python": ModelKind(
        "zhiyin.models.custom:open_python",
        {
            "python:MODULE:FUNCTION": (
                "a function of yours, plain or async (or python:FILE.py:FUNCTION)"
            ),
            "python:FILE.py:CLASS": "a model of yours, as a class or an instance",
        },
    ),
    "replay": ModelKind(
        "zhiyin.models.replay:ReplayModel",
        {
            "replay:FILE.jsonl": (
                "answers produced elsewhere, matched by trial id; or a run of Zhiyin's"
            )
        },
        place="instant",
    ),
}
"""The core's own kinds, by the word before the colon; `PROVIDERS` and `BASELINES` beside them."""


@cache
def kinds() -> dict[str, ModelKind]:
    """Every kind that comes with Zhiyin but providers and baselines."""
    return {**_KINDS, **{n: point.load() for n, point in plugins.ours(plugins.MODELS).items()}}


@cache
def _added_providers() -> tuple[dict[str, Provider], dict[str, str]]:
    """Collect the providers of other packages, and by name why any of them cannot be used."""
    found: dict[str, Provider] = {}
    faults: dict[str, str] = {}
    for plugin in plugins.installed(plugins.PROVIDERS).values():
        try:
            own = _read(Path(plugins.load(plugin)))
        except InputError as error:
            faults[plugin.name] = str(error)
        except (OSError, TypeError, msgspec.DecodeError) as error:
            faults[plugin.name] = (
                f"{plugin.group}: {plugin.name!r} of {plugin.source}: {plugin.place} is no file of "
                f"providers ({plugins.error_line(error)}): mend or uninstall it"
            )
        else:
            taken = own.keys() & {*PROVIDERS, *BASELINES, *kinds(), *found}
            found.update({name: one for name, one in own.items() if name not in taken})
            for name in sorted(taken):
                faults[name] = (
                    f"{plugin.group}: {name!r} of {plugin.source} has a name that is taken: "
                    "rename it"
                )
    return found, faults


def provider_of(kind: str) -> Provider | None:
    """The provider that a word before the colon names; None for none."""
    if kind in {*PROVIDERS, *BASELINES, *kinds()}:
        return PROVIDERS.get(kind)
    return _added_providers()[0].get(kind)


def faults_of_providers() -> list[str]:
    """List a line for each provider of another package that cannot be used."""
    return [*_added_providers()[1].values()]


def forms() -> dict[str, str]:
    """Return how each kind of model is written on the command line, with its description."""
    every = (PROVIDERS | _added_providers()[0]).values()
    written = {provider.form: provider.summary for provider in every}
    for kind in kinds().values():
        written |= kind.forms
    return {**written, **BASELINES}


class Setting(NamedTuple):
    """The user's settings for a model, whatever its kind.

    Attributes
    ----------
    timeout : float
        Seconds until a call is given up.
    seed : int
        Of whatever is drawn at random on our side.
    concurrency : int or None
        How many calls at once; None for what suits the model.
    sound : SoundPolicy
        How sound is sent.
    """

    timeout: float = 600.0
    seed: int = 0
    concurrency: int | None = None
    sound: SoundPolicy = AS_IT_IS


def open_model(
    spec: str,
    *,
    timeout: float = 600.0,
    seed: int = 0,
    concurrency: int | None = None,
    sound: SoundPolicy = AS_IT_IS,
) -> Model:
    """The model that `spec` names; nothing is sent to anybody yet.

    Parameters
    ----------
    spec : str
        One of `forms`.
    timeout : float
        Seconds until a call is given up, above 0. A plain Python function cannot be stopped and
        takes what it needs.
    seed : int
        Of the baselines' draws.
    concurrency : int or None
        How many calls at once, at least 1; None for what suits the model.
    sound : SoundPolicy
        How sound is sent. Only a model behind a server takes another than the usual.

    Raises
    ------
    InputError
        When the spec names nothing, or what it names cannot be opened.
    """
    if literal := re.search(r"\$\{\w+\}", spec):
        raise InputError(said("model-unset", spec=spec, literal=literal[0]))
    if not timeout > 0:
        raise InputError(said("model-timeout", timeout=str(timeout)))
    if concurrency is not None and concurrency < 1:
        raise InputError(said("model-concurrency", concurrency=str(concurrency)))
    sound = msgspec.structs.replace(sound, join=None)  # done by `joining`, which opens it
    setting = Setting(timeout, seed, concurrency, sound)
    kind, colon, rest = spec.partition(":")
    own = kinds().get(kind)
    if own and own.sound == "read" and msgspec.structs.replace(sound, limit=None) != AS_IT_IS:
        raise InputError(said("model-hears", kind=repr(kind)))
    if sound != AS_IT_IS and (kind in BASELINES or (own and not own.sound)):
        raise InputError(said("model-unsent", kind=repr(kind)))
    if spec in BASELINES:
        return Baseline(spec, seed)
    model: Model
    provider = provider_of(kind)
    if provider and colon:
        model = _open_provider(kind, provider, rest, setting)
    elif own and (own.longer if colon else own.alone):
        whole = kind in ("http", "https")
        model = class_at(own.opens)(spec if whole else rest, setting)
    elif plugged := plugged_in(kind):
        from zhiyin.models.custom import open_own

        model = open_own(plugins.load(plugged), spec, setting, rest, plugged)
    else:
        raise InputError(_unknown(spec))
    return model


def is_spec(spec: str) -> bool:
    """Tell whether `open_model` would look for such a model; nothing is opened."""
    return bool(_place(spec) or plugged_in(spec.partition(":")[0]))


def is_heavy(spec: str) -> bool:
    """Tell whether a model fills the memory of this machine: two of them do not go side by side."""
    return _place(spec) == "memory"


def is_instant(spec: str) -> bool:
    """Tell whether a model answers at once: no server is called, and nothing is spent."""
    return _place(spec) == "instant"


def is_here(spec: str) -> bool:
    """Tell whether a model answers on this machine, so that it costs no money."""
    return _place(spec) in ("here", "memory", "instant")


def is_served(spec: str) -> bool:
    """Tell whether a model is asked at an address, where every call may be charged."""
    return _place(spec) == "served"


def _place(spec: str) -> str:
    kind = spec.partition(":")[0]
    if provider_of(kind):
        return "served"
    if kind in BASELINES:
        return "instant"
    return kinds()[kind].place if kind in kinds() else ""


def plugged_in(name: str) -> plugins.Plugin | None:
    """The model or judge that another package calls `name`; None for none. Imports nothing."""
    if name in {*BASELINES, *kinds()} or provider_of(name):
        return None
    models, judges = map(plugins.installed, (plugins.MODELS, plugins.JUDGES))
    return models.get(name) or judges.get(name)


def class_at(place: str) -> Any:
    """Return the object at ``module:name``: imported only when it is asked for."""
    module, _, name = place.partition(":")
    return getattr(importlib.import_module(module), name)


def _open_provider(kind: str, provider: Provider, model: str, setting: Setting) -> Model:
    """A model of a provider. Raises `InputError` where it cannot be asked."""
    from zhiyin.models.chat import ChatModel
    from zhiyin.models.dialects import Dialect
    from zhiyin.models.endpoint import Endpoint, provider_endpoint

    if provider.package and not importlib.util.find_spec(provider.package):
        raise missing_package(provider.package.replace("_", "-"), provider.extra)
    try:
        speaks = class_at(provider.speaks)
    except (ImportError, AttributeError) as error:
        raise InputError(
            said("model-speaks", kind=kind, speaks=provider.speaks, why=plugins.error_line(error))
        ) from None
    if issubclass(speaks, Dialect):
        endpoint = provider_endpoint(kind, provider, model)
        opened, dialect = ChatModel, speaks()
    else:
        if not model.strip("/ "):
            raise InputError(said("error-no-model-named", form=f"{kind}:PROVIDER/MODEL"))
        endpoint = Endpoint(f"{kind}:{model}", "", model)
        opened, dialect = speaks, speaks.speaks
    made: Model = opened(endpoint, setting, dialect, provider.capabilities(model))
    return made


_ADDRESS = re.compile(r"(?:localhost|[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}):\d{1,5}(?:$|[/#])")
"""An address without http before it: a host with a port."""


def _unknown(spec: str) -> Text:
    """Explain why a spec names no model, without repeating what may hold a secret."""
    kind, colon, _ = spec.partition(":")
    if fault := _added_providers()[1].get(kind):
        return fault
    for form in forms():
        if form.startswith(f"{spec}:"):
            return said("error-incomplete", name=repr(spec), form=form)
    if colon and (kind in BASELINES or (kind in kinds() and not kinds()[kind].longer)):
        return said("error-nothing-after", name=repr(kind), form=kind)
    if _ADDRESS.match(spec):
        from zhiyin.models.endpoint import bare

        return said("error-begins-http", name=repr(kind), form=f"http://{bare(spec)}")
    if kind.endswith(".py"):
        return said("error-function-in", name=repr(kind), form=f"python:{kind}:FUNCTION")
    words = {
        *BASELINES,
        *(name for name, own in kinds().items() if own.alone),
        *(f"{name}:..." for name in PROVIDERS | _added_providers()[0]),
        *(f"{n}:..." for n, own in kinds().items() if own.longer and n not in ("http", "https")),
        *plugins.installed(plugins.MODELS),
        *plugins.installed(plugins.JUDGES),
        "http://...",
    }
    hint = did_you_mean(f"{kind}:..." if colon else kind, words)
    openai = kind if kind and not colon and not hint.facts["close"] else None  # like none of ours
    return said("error-model", name=repr(kind), openai=openai, hint=hint)
