"""Models of the user's own: a class or an instance in a Python file, or a plug-in of a package.

What is needed is ``async generate(messages, sampling, trial)``, which returns the reply as a str or
a `Reply`. All else of `zhiyin.models` is used where it is there. What fails before a run is an
`InputError`; what fails after it must not cost the run.
"""

from __future__ import annotations

import asyncio
import contextlib
import inspect
import logging
from collections.abc import Callable, Iterator, Mapping
from time import perf_counter
from typing import Any

import msgspec

from zhiyin import extensions as plugins
from zhiyin.errors import InputError, ModelError
from zhiyin.models import Setting
from zhiyin.models.function import FunctionModel, code_of, load_object
from zhiyin.models.playback import AS_IT_IS
from zhiyin.record import Model, Reply, Sampling
from zhiyin.trial import Messages, Trial
from zhiyin.words import said

_log = logging.getLogger("zhiyin")
_ATTRIBUTES = ("instant", "timed", "capabilities", "canary")
_OPTIONAL = (*_ATTRIBUTES, "bind", "fingerprint", "identity")
"""What is there only where the user's model has it: that it is there says something."""
_ABSENT = object()


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
            raise InputError(said("model-none", spec=spec, given=type(model).__name__))
        self._model, self.name = model, spec
        own = self._own("name")
        self.name = own if isinstance(own, str) and own else spec
        most = self._own("concurrency", 1)
        if not isinstance(most, int) or most < 1:
            raise InputError(said("model-own-concurrency", spec=spec, most=repr(most)))
        self.concurrency = concurrency or most
        self.plugin = plugin
        self._file = code_of(type(model))

    def __getattr__(self, name: str) -> Any:
        """Return an optional member (see `zhiyin.models`) that the model has."""
        if name in _OPTIONAL and (own := self._own(name, _ABSENT)) is not _ABSENT:
            return own if name in _ATTRIBUTES else self._checked(name, own)
        raise AttributeError(name)

    @property
    def on_headers(self) -> Any:
        """The hook for the headers of each response, if the user's model has one."""
        return self._model.on_headers

    @on_headers.setter
    def on_headers(self, listener: Any) -> None:
        self._model.on_headers = listener

    def _own(self, name: str, default: Any = None) -> Any:
        """An attribute of the user's. A property may raise, and is blamed by name."""
        with self._blaming(name):
            return getattr(self._model, name, default)

    def _checked(self, name: str, method: Callable[..., Any]) -> Callable[..., Any]:
        """A method of the user's, whose faults are one line before the run."""

        def called(*arguments: Any) -> Any:
            with self._blaming(name):
                result = method(*arguments)
            if name == "fingerprint" and not isinstance(result, str):
                self._refuse(name, result, "a str, the SHA-256 of the data that it answers from")
            if name == "identity" and not (result is None or _is_plain_dict(result)):
                self._refuse(name, result, "a dict of texts and numbers, or None")
            return result

        return called

    def _refuse(self, name: str, result: Any, wanted: str) -> None:
        raise InputError(said(
            "model-returned", model=self.name, name=name, given=type(result).__name__,
            wanted=wanted,
        ))  # fmt: skip

    @contextlib.contextmanager
    def _blaming(self, name: str) -> Iterator[None]:
        try:
            yield
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            why = plugins.error_line(error)
            raise InputError(said("model-raised", model=self.name, name=name, why=why)) from error

    async def check(self) -> None:
        """Make sure that it can be asked, where it knows how. Raises `InputError`."""
        with self._blaming("check"):
            done = check() if (check := getattr(self._model, "check", None)) else None
            if inspect.isawaitable(done):
                await done

    async def generate(self, messages: Messages, sampling: Sampling, trial: Trial) -> Reply:
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

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of it: its own description, and where it comes from."""
        kind = type(self._model)
        description: dict[str, object] = {
            "kind": "model",
            "class": f"{kind.__module__}:{kind.__qualname__}",
            **self._file,
        }
        try:
            own: Mapping[str, Any] = getattr(self._model, "describe", dict)() or {}
            description |= own
        except (Exception, SystemExit) as error:  # asked after the run too, which it must not cost
            description["describe"] = f"raised {plugins.error_line(error)}"
        if self.plugin:
            description["from"] = self.plugin.source
        return description

    def report(self) -> list[str]:
        """Its own lines for the user when the run is over; of a fault, a line that says so."""
        try:
            lines: Any = getattr(self._model, "report", list)() or []
            return [lines] if isinstance(lines, str) else [str(line) for line in lines]
        except (Exception, SystemExit) as error:
            return [f"{self.name}: its `report` raised {plugins.error_line(error)}"]

    async def close(self) -> None:
        """Let go of what it holds, where it knows how. A fault is told: the run is over."""
        try:
            close = getattr(self._model, "close", None)
            done = close() if close else None
            if inspect.isawaitable(done):
                await done
        except (Exception, SystemExit) as error:
            line = plugins.error_line(error)
            _log.warning("%s: its `close` raised %s; the run is not touched", self.name, line)


def _is_plain_dict(value: Any) -> bool:
    """Tell whether `value` is a dict that JSON can hold."""
    try:
        msgspec.json.encode(value)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return False
    return isinstance(value, dict)


def open_own(
    value: Any, spec: str, setting: Setting, rest: str = "", plugin: plugins.Plugin | None = None
) -> Model:
    """The model that a class, an instance, or a function that makes one stands for.

    Parameters
    ----------
    value : Any
        A class or a function is called with those of `setting`, and with `rest` as ``spec``, that
        it names as parameters.
    spec : str
        How the user named it.
    setting : Setting
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
            raise InputError(said("model-no-class", spec=spec, given=type(value).__name__))
        asked = _arguments(value, spec, setting._asdict() | {"spec": rest})
        if rest and "spec" not in asked:
            raise InputError(said("model-nothing-after", spec=repr(spec), rest=repr(rest)))
        if setting.sound != AS_IT_IS and "sound" not in asked:
            raise InputError(said("model-sound-set", spec=repr(spec)))
        try:
            value = value(**asked)
        except InputError:
            raise
        except (Exception, SystemExit) as error:
            why = plugins.error_line(error)
            raise InputError(said("model-unmade", spec=spec, why=why)) from error
    return OwnModel(value, spec, setting.concurrency, plugin)


def open_python(rest: str, setting: Setting) -> Model:
    """The function, class or instance of ``python:REST``. Raises `InputError`."""
    target = load_object(rest)
    if hasattr(target, "generate"):  # a model, or a class of models
        return open_own(target, f"python:{rest}", setting)
    if not callable(target) or isinstance(target, type):
        name = rest.rpartition(":")[2]
        raise InputError(said(
            "model-no-function", spec=rest, name=repr(name),
            type=None if isinstance(target, type) else type(target).__name__,
        ))  # fmt: skip
    return FunctionModel(rest, target, setting.timeout, setting.concurrency)


def _arguments(maker: Any, spec: str, given: dict[str, object]) -> dict[str, object]:
    """Return those of `given` that a class or function has parameters for."""
    try:
        parameters = inspect.signature(maker).parameters.values()
    except (TypeError, ValueError):
        return {}
    passed = {p.name: p for p in parameters if p.kind not in (p.VAR_POSITIONAL, p.VAR_KEYWORD)}
    needed = [n for n, p in passed.items() if p.default is p.empty and n not in given]
    if needed:
        raise InputError(said("model-needs", spec=spec, needed=needed, given=given))
    return {name: given[name] for name in passed if name in given}
