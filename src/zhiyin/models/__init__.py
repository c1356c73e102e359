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
``shared_pace``   where several runs share it: the `cost.rates.Pace` that all their calls go through
``bind``          a method: given all trials of a run before the first is asked
================  =========================================================================
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import NamedTuple

import msgspec

from zhiyin import plugins
from zhiyin.errors import InputError, did_you_mean
from zhiyin.models.baselines import BASELINES, Baseline
from zhiyin.models.playback import AS_IT_IS, SoundPolicy
from zhiyin.models.providers import PROVIDERS, class_at, open_provider
from zhiyin.record import Model

MODELS = {
    **{provider.form: provider.summary for provider in PROVIDERS.values()},
    "http://HOST[:PORT]/v1#MODEL": "any server that speaks OpenAI's chat completions (or https://)",
    "pool:URL,URL#MODEL": "one model behind several such servers (or pool:FILE#MODEL)",
    "hf:PATH_OR_ID": "a checkpoint on this machine, by transformers: text, or text and sound",
    "python:MODULE:FUNCTION": "a function of yours, plain or async (or python:FILE.py:FUNCTION)",
    "python:FILE.py:CLASS": "a model of yours, as a class or an instance",
    "subprocess:COMMAND": "a program that answers over pipes, a JSON object a line",
    "vllm:PATH_OR_ID": "a checkpoint on this machine, by vLLM",
    "replay:FILE.jsonl": "answers produced elsewhere, matched by trial id; or a run of Zhiyin's",
    "listener": "the reference listener: classical signal processing",
    "lexical": "the embedded judge, by word lists (lexical:EMBEDDER: and by meaning)",
    **BASELINES,
}
"""How each kind of model is written on the command line, and what it is."""


class Setting(NamedTuple):
    """What the user chose for a model, whatever its kind.

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
        One of the forms in `MODELS`.
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
    if not timeout > 0:
        raise InputError(f"timeout {timeout}: give a number of seconds above 0")
    if concurrency is not None and concurrency < 1:
        raise InputError(f"concurrency {concurrency}: give a whole number of at least 1")
    sound = msgspec.structs.replace(sound, join=None)  # done by `joining`, which opens it
    setting = Setting(timeout, seed, concurrency, sound)
    if spec.startswith(("http://", "https://")):
        return _open_url(spec, setting)
    kind, colon, rest = spec.partition(":")
    opener = _PREFIXED.get(kind) if colon else None
    if kind in _LOCAL and msgspec.structs.replace(sound, limit=None) != AS_IT_IS:
        raise InputError(
            f"model {kind!r} is given sound at the rate that it hears: leave out --audio-format, "
            "--audio-rate and --audio-mono"
        )
    sent = {*PROVIDERS, *_LOCAL, "pool"}
    if sound != AS_IT_IS and kind in {*_PREFIXED, *BASELINES, "listener"} - sent:
        raise InputError(
            f"model {kind!r} is sent no sound over the net: leave out --audio-format, "
            "--audio-rate, --audio-mono and --audio-limit"
        )
    if opener is not None:
        return opener(rest, setting)
    if spec in BASELINES:
        return Baseline(spec, seed)
    if spec == "listener":
        return _open_listener()
    if spec == "lexical":
        return _open_lexical("", setting)
    if plugged := plugged_in(kind):
        return _open_plugin(plugged, spec, rest, setting)
    raise InputError(_unknown(spec))


def is_heavy(spec: str) -> bool:
    """Whether a model fills the memory of this machine: two of them do not go side by side."""
    return spec.partition(":")[0] in _HEAVY


def is_instant(spec: str) -> bool:
    """Whether a model answers at once: no server is called, and nothing is spent."""
    return spec.partition(":")[0] in {"replay", "lexical", *BASELINES}


def is_here(spec: str) -> bool:
    """Whether a model answers on this machine, so that it costs no money."""
    return is_heavy(spec) or is_instant(spec) or spec == "listener"


def is_served(spec: str) -> bool:
    """Whether a model is asked at an address, where every call may be charged."""
    return spec.partition(":")[0] in {"http", "https", "pool", *PROVIDERS}


def plugged_in(name: str) -> plugins.Plugin | None:
    """The model or judge that another package calls `name`; None for none. Imports nothing."""
    if name in _PREFIXED or name in BASELINES or name in _ALONE:
        return None
    models, judges = map(plugins.installed, (plugins.MODELS, plugins.JUDGES))
    return models.get(name) or judges.get(name)


def _open_plugin(plugin: plugins.Plugin, spec: str, rest: str, setting: Setting) -> Model:
    from zhiyin.models.custom import open_own

    return open_own(plugins.load(plugin), spec, setting._asdict(), rest, plugin)


def _unknown(spec: str) -> str:
    """Why a spec names no model, without repeating what may hold a secret."""
    kind, colon, _ = spec.partition(":")
    for form in MODELS:
        if form.startswith(f"{spec}:"):
            return f"model {spec!r} is not complete: write {form}"
    if colon and kind in {"listener", *BASELINES}:
        return f"model {kind!r} takes nothing after it: write {kind}"
    if kind.endswith(".py"):
        return f"unknown model {kind!r}: a function in it is written python:{kind}:FUNCTION"
    words = {
        *BASELINES,
        "listener",
        "lexical",
        *(f"{prefix}:..." for prefix in _PREFIXED),
        *plugins.installed(plugins.MODELS),
        *plugins.installed(plugins.JUDGES),
        "http://...",
    }
    hint = did_you_mean(f"{kind}:..." if colon else kind, words)
    if kind and not colon and hint.startswith("known"):  # it looks like none of ours
        hint = f"did you mean openai:{kind}? {hint}"
    return f"unknown model {kind!r}: {hint}"


def _open_url(spec: str, setting: Setting) -> Model:
    from zhiyin.models.chat import open_url

    return open_url(spec, setting)


def _open_function(rest: str, setting: Setting) -> Model:
    from zhiyin.models.custom import is_model, open_own
    from zhiyin.models.function import FunctionModel, as_function, load_object

    if is_model(target := load_object(rest)):
        return open_own(target, f"python:{rest}", setting._asdict())
    function = as_function(target, rest)
    return FunctionModel(rest, setting.timeout, setting.concurrency, function=function)


def _open_hf(rest: str, setting: Setting) -> Model:
    from zhiyin.models.local.hf import HfModel

    return HfModel(rest, setting)


def _open_vllm(rest: str, setting: Setting) -> Model:
    from zhiyin.models.local.vllm_offline import VllmModel

    return VllmModel(rest, setting)


def _open_pipe(rest: str, setting: Setting) -> Model:
    from zhiyin.models.local.pipe import PipeModel

    return PipeModel(rest, setting)


def _open_pool(rest: str, setting: Setting) -> Model:
    from zhiyin.models.pool import open_pool

    return open_pool(rest, setting)


def _open_replay(rest: str, setting: Setting) -> Model:
    from zhiyin.models.replay import ReplayModel

    return ReplayModel(rest)


def _open_listener() -> Model:
    listener: Model = class_at("zhiyin.listener.model:Listener")()
    return listener


def _open_lexical(embedder: str, setting: Setting) -> Model:
    judge: Model = class_at("zhiyin.judges.lexical:open_lexical")(embedder)
    return judge


_HEAVY = frozenset({"hf", "vllm"})
_LOCAL = frozenset({"hf", "subprocess", "vllm"})
"""Kinds that run on this machine and decode sound themselves."""
_ALONE = ("listener", "lexical")
_PREFIXED: dict[str, Callable[[str, Setting], Model]] = {
    **{kind: partial(open_provider, kind) for kind in PROVIDERS},
    "hf": _open_hf,
    "lexical": _open_lexical,
    "pool": _open_pool,
    "python": _open_function,
    "replay": _open_replay,
    "subprocess": _open_pipe,
    "vllm": _open_vllm,
}
