"""Models of the user's own: a class or an instance in a Python file, or a plug-in of a package.

What is needed is ``async generate(messages, sampling, trial)``, which returns the reply as a str or
a `Reply`. All else of `zhiyin.models` is used where it is there.
"""

from __future__ import annotations

import asyncio
import inspect
from collections.abc import Mapping, Sequence
from time import perf_counter
from typing import Any

from zhiyin import plugins
from zhiyin.errors import InputError, ModelError
from zhiyin.models.playback import AS_IT_IS
from zhiyin.record import Model, Reply, Sampling
from zhiyin.trial import Message, Trial

_OPTIONAL = (
    *("check", "describe", "report", "fingerprint", "instant", "timed", "capabilities", "canary"),
    *("bind", "identity"),
)


class OwnModel:
    """A model of the user's, with defaults for what it leaves out and its faults in one line.

    Parameters
    ----------
    model : Any
        An instance with ``async generate(messages, sampling, trial)``.
    spec : str
        How the user named it. It is the model's name where it has none of its own.
    concurrency : int, optional
        Calls at once; by default what the model says, or 1.
    plugin : Plugin, optional
        What it comes from.
    """

    def __init__(
        self,
        model: Any,
        spec: str,
        concurrency: int | None = None,
        plugin: plugins.Plugin | None = None,
    ) -> None:
        if not inspect.iscoroutinefunction(getattr(model, "generate", None)):
            raise InputError(
                f"{spec}: {type(model).__name__} is no model: write its method "
                "`async def generate(self, messages, sampling, trial)`"
            )
        own = getattr(model, "name", None)
        self.name = own if isinstance(own, str) and own else spec
        most = getattr(model, "concurrency", 1)
        if not isinstance(most, int) or most < 1:
            raise InputError(f"{spec}: its concurrency is {most!r}: give a whole number above 0")
        self.concurrency = concurrency or most
        self.plugin = plugin
        self._model = model

    def __getattr__(self, name: str) -> Any:
        """What a model may have beside (see `zhiyin.models`), where it has it."""
        if name in _OPTIONAL:
            return getattr(self._model, name)
        raise AttributeError(name)

    async def generate(
        self, messages: Sequence[Message], sampling: Sampling, trial: Trial
    ) -> Reply:
        """Ask it. Raises `ModelError` when it raises, or returns what is no reply."""
        begun = perf_counter()
        try:
            answer = await self._model.generate(messages, sampling, trial)
        except (ModelError, asyncio.CancelledError):
            raise
        except (Exception, SystemExit) as error:
            raise ModelError(f"{self.name} raised {plugins.error_line(error)}") from error
        if isinstance(answer, str):
            return Reply(answer, latency_s=perf_counter() - begun)
        if not isinstance(answer, Reply):
            raise ModelError(
                f"{self.name} returned {type(answer).__name__}: return a str or a Reply"
            )
        return answer

    def describe(self) -> dict[str, Any]:
        """What a run's manifest says of it: its own description, and where it comes from."""
        own: dict[str, Any] = getattr(self._model, "describe", dict)()
        kind = type(self._model)
        description = {"kind": "model", "class": f"{kind.__module__}:{kind.__qualname__}", **own}
        if self.plugin:
            description["from"] = self.plugin.source
        return description

    async def close(self) -> None:
        """Let go of what it holds, where it knows how."""
        close = getattr(self._model, "close", None)
        done = close() if close else None
        if inspect.isawaitable(done):
            await done


def is_model(value: Any) -> bool:
    """Whether what a spec names is a model or a class of models, and not a function."""
    return hasattr(value, "generate")


def open_own(
    value: Any,
    spec: str,
    setting: Mapping[str, Any],
    rest: str = "",
    plugin: plugins.Plugin | None = None,
) -> Model:
    """The model that a class, an instance, or a function that makes one stands for.

    Parameters
    ----------
    value : Any
        A class or a function is called with those of `setting`, and with `rest` as ``spec``, that
        it names as parameters.
    spec : str
        How the user named it.
    setting : mapping
        ``timeout``, ``seed``, ``concurrency`` and ``sound``, see `zhiyin.models.Setting`.
    rest : str
        What follows the name and a colon.
    plugin : Plugin, optional
        What it comes from.

    Raises
    ------
    InputError
        It cannot be made, or is no model.
    """
    if not hasattr(value, "generate") or isinstance(value, type):
        if not callable(value):
            raise InputError(f"{spec}: {type(value).__name__} is no model, nor a class of models")
        asked = _arguments(value, spec, {**setting, "spec": rest})
        if rest and "spec" not in asked:
            raise InputError(f"model {spec!r}: takes nothing after its name: leave {rest!r} out")
        if setting.get("sound", AS_IT_IS) != AS_IT_IS and "sound" not in asked:
            raise InputError(
                f"model {spec!r} cannot be told how sound is sent: leave out --audio-format, "
                "--audio-rate, --audio-mono and --audio-limit"
            )
        try:
            value = value(**asked)
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            raise InputError(f"{spec}: cannot be made: {plugins.error_line(error)}") from error
    return OwnModel(value, spec, setting.get("concurrency"), plugin)


def _arguments(maker: Any, spec: str, given: dict[str, Any]) -> dict[str, Any]:
    """Those of `given` that a class or function has parameters for."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return {}
    passed = {p.name: p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    needed = [n for n, p in passed.items() if p.default is p.empty and n not in given]
    if needed:
        raise InputError(
            f"{spec}: cannot be made: give {', '.join(needed)} a default; it may ask for "
            f"{', '.join(given)}"
        )
    return {name: given[name] for name in passed if name in given}
