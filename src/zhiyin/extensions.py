"""What is found by name: what other packages add to Zhiyin, our benchmarks, and their commands.

Nothing is imported before its use.

A package declares benchmarks, models, judges and policies in its ``pyproject.toml``::

    [project.entry-points."zhiyin.benchmarks"]
    intervals = "my_package.intervals:Intervals"

A plug-in that cannot be loaded is one line, and hides no other.

Commands that a benchmark adds to the command line are declared so that nothing is imported. One of
Zhiyin's own lists them as ``COMMANDS`` of its package, where ``zhiyin --help`` finds them, and as
`commands` of its class. One from outside has the class alone; its commands are given as ``zhiyin
NAME COMMAND`` or ``zhiyin FILE.py:CLASS COMMAND``.
"""

from __future__ import annotations

import importlib.util
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from pkgutil import iter_modules
from types import ModuleType
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable
    from importlib.metadata import EntryPoint, EntryPoints


BENCHMARKS, MODELS, POLICIES, JUDGES = (
    "zhiyin.benchmarks",
    "zhiyin.models",
    "zhiyin.policies",
    "zhiyin.judges",
)
_LONGEST = 300


class Plugin(NamedTuple):
    """One entry point.

    Attributes
    ----------
    name : str
        The word by which users call it.
    group : str
        One of `BENCHMARKS`, `MODELS`, `POLICIES` and `JUDGES`.
    place : str
        Where it stands: ``module:name``.
    distribution, version : str
        The package that declares it; "" where it does not say.
    point : EntryPoint
    """

    name: str
    group: str
    place: str
    distribution: str
    version: str
    point: EntryPoint

    @property
    def source(self) -> str:
        """The package, as a line names it."""
        return f"{self.distribution} {self.version}".strip() or self.place


@cache
def installed(group: str) -> dict[str, Plugin]:
    """Every plug-in of a group by its name. Of several with one name, the first that is found."""
    by_name: dict[str, Plugin] = {}
    for plugin in _every(group):
        by_name.setdefault(plugin.name, plugin)
    return dict(sorted(by_name.items()))


@cache
def _declared() -> EntryPoints:
    """What all packages declare: each has a file that is read for it, and it is read once."""
    from importlib.metadata import entry_points

    return cast("EntryPoints", entry_points())  # before Python 3.12 a dict that selects, too


@cache
def _every(group: str) -> tuple[Plugin, ...]:
    plugins = []
    for point in _declared().select(group=group):
        try:
            owner = point.dist
            distribution = (owner.name or "", owner.version or "") if owner else ("", "")
        except Exception:  # metadata that cannot be read: the plug-in may work all the same
            distribution = ("", "")
        plugins.append(Plugin(point.name, group, point.value, *distribution, point))
    return tuple(plugins)


def of_benchmarks(what: str) -> dict[str, Any]:
    """What the folders of our own benchmarks declare under a name, all together."""
    declarations: dict[str, Any] = {}
    for module in iter_modules(import_module(BENCHMARKS).__path__, f"{BENCHMARKS}."):
        declarations |= getattr(import_module(module.name), what, {})
    return declarations


def hidden(group: str, taken: frozenset[str] = frozenset()) -> list[str]:
    """A line for each plug-in that its name hides: one of ours in `taken`, or another's."""
    lines = []
    for plugin in _every(group):
        first = installed(group)[plugin.name]
        if plugin.name in taken:
            other = "one of Zhiyin's own"
        elif first.point != plugin.point:
            other = f"that of {first.source}"
        else:
            continue
        lines.append(
            f"{group}: {plugin.name!r} of {plugin.source} has the name of {other}, which is "
            "taken: rename it"
        )
    return lines


def load(plugin: Plugin) -> Any:
    """What a plug-in stands for. Raises `InputError`, in one line, when it cannot be loaded."""
    try:
        return plugin.point.load()
    except (Exception, SystemExit) as error:
        raise InputError(
            f"{plugin.group}: {plugin.name!r} of {plugin.source} cannot be loaded from "
            f"{plugin.place} ({error_line(error)}): mend or uninstall it"
        ) from None


def import_file(path: Path, name: str) -> ModuleType:
    """A module from a file of Python, known by `name`. Raises whatever the file raises."""
    spec = importlib.util.spec_from_file_location(name, path)
    if spec is None or spec.loader is None:
        raise ImportError("not a Python file")
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module  # dataclasses and pickle look their module up
    try:
        spec.loader.exec_module(module)
    except BaseException:
        del sys.modules[name]
        raise
    return module


def error_line(error: BaseException) -> str:
    """An exception's type and message, on one line of some length."""
    message = " ".join(str(error).split())[:_LONGEST]
    return f"{type(error).__name__}: {message}" if message else type(error).__name__


class Work(Protocol):
    """What a command does: a module, a class or an object with these two functions.

    `execute` does the work, and returns what ``--json`` prints; `show` makes of that what is
    printed otherwise: text, or a list of `zhiyin.contract.Section`. Both may raise `InputError`.
    Flags follow from the signature and the docstring of `execute`: what stands before ``*`` are
    arguments, what stands behind it flags. A command of several actions names them in ``ACTIONS``,
    each a function in the place of `execute`.
    """

    execute: Callable[..., Any]

    def show(self, result: Any) -> Any:
        """What is printed of what `execute` returned."""


class Command(NamedTuple):
    """A command of a benchmark.

    Attributes
    ----------
    help : str
        One line.
    work : Work or str
        What it does, or the module that does, which is imported when the command is given.
    under : str
        The command of Zhiyin's that it is a part of, such as "stats"; "" for none.
    group : str
        Where ``zhiyin --help`` lists it.
    """

    help: str
    work: Any
    under: str = ""
    group: str = "read results"

    def load(self) -> Work:
        """What it does."""
        work: Work = import_module(self.work) if isinstance(self.work, str) else self.work
        return work
