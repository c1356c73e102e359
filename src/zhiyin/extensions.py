"""Additions to the core that are found by name, from Zhiyin's own plug-ins and from others.

Nothing is imported before its use. A package declares what it adds in its ``pyproject.toml``, and
so does Zhiyin for the folders in ``zhiyin/plugins``::

    [project.entry-points."zhiyin.benchmarks"]
    intervals = "my_package.intervals:Intervals"

===========================  =====================================================================
``zhiyin.benchmarks``        a class, `zhiyin.contract.Benchmark`
``zhiyin.inner_benchmarks``  the same, run by commands of Zhiyin's alone
``zhiyin.models``            a function or class (docs/models.md), or a `ModelKind`
``zhiyin.providers``         the path of a file such as ``zhiyin/models/providers.json``
``zhiyin.judges``            as a model
``zhiyin.aspects``           the path of a file that declares an aspect (docs/judges.md)
``zhiyin.policies``          a `zhiyin.reader.Policy` called as the entry point is; or a function
                             that makes the one called ``NAME:WHATEVER`` of what follows the colon
``zhiyin.conditions``        a class, a `Condition` of all trials (`zhiyin.contract.conditions`)
``zhiyin.sessions``          a class, a `SessionPart` of runs (`zhiyin.contract.session_parts`)
``zhiyin.scorers``           a `Scorer` of free answers (`zhiyin.benchmarks.questions.scoring`)
``zhiyin.makers``            a `Maker` of a small set of data, by the name of its benchmark
``zhiyin.commands``          a dict of `Command` by name
``zhiyin.command_cases``     a function: a case of a command of the core's, under "COMMAND.NAME",
                             see `zhiyin.cli.functions.carry_out`
``zhiyin.places``            a function: which runs a folder of some kind holds,
                             see `zhiyin.report.run_set`
``zhiyin.api``               what ``zhiyin.NAME`` is in Python
``zhiyin.sections``          a class, a `RunPart` (`zhiyin.analysis.parts`): warnings, tables and
                             facts of runs; findings and tables of a report's page
``zhiyin.columns``           a `zhiyin.analysis.parts.RunColumn` of ``zhiyin table --add NAME``
``zhiyin.engravings``        a `zhiyin.report.media.Engravings`: pictures of words of trials
``zhiyin.beside``            a `zhiyin.report.processes.Beside`: what is written beside a report
===========================  =====================================================================

A plug-in that cannot be loaded is one line, and hides no other.
"""

from __future__ import annotations

import contextlib
import importlib.util
import sys
from functools import cache
from importlib import import_module
from importlib.metadata import PackageNotFoundError
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Protocol, cast

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from importlib.metadata import EntryPoint, EntryPoints


BENCHMARKS = "zhiyin.benchmarks"
INNER = "zhiyin.inner_benchmarks"
MODELS = "zhiyin.models"
PROVIDERS = "zhiyin.providers"
POLICIES = "zhiyin.policies"
CONDITIONS = "zhiyin.conditions"
SESSIONS = "zhiyin.sessions"
SCORERS = "zhiyin.scorers"
MAKERS = "zhiyin.makers"
JUDGES = "zhiyin.judges"
ASPECTS = "zhiyin.aspects"
COMMANDS = "zhiyin.commands"
CASES = "zhiyin.command_cases"
PLACES = "zhiyin.places"
API = "zhiyin.api"
SECTIONS = "zhiyin.sections"
COLUMNS = "zhiyin.columns"
ENGRAVINGS = "zhiyin.engravings"
BESIDE = "zhiyin.beside"
_OURS = "zhiyin"
_LONGEST = 300


class Plugin(NamedTuple):
    """One entry point.

    Attributes
    ----------
    name : str
        The word by which users call it.
    group : str
        What it is: "zhiyin.benchmarks" and the like.
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
    """Every plug-in of other packages by its name. Of several with one name, the first found."""
    by_name: dict[str, Plugin] = {}
    for plugin in _every(group):
        by_name.setdefault(plugin.name, plugin)
    return dict(sorted(by_name.items()))


@cache
def ours(group: str) -> dict[str, EntryPoint]:
    """Return Zhiyin's own entry points, by name, but for folders of plug-ins that are not there."""
    return {
        point.name: point
        for point in _own_points()
        if point.group == group and _is_there(".".join(point.module.split(".")[:3]))
    }


@cache
def _own_points() -> tuple[EntryPoint, ...]:
    from importlib.metadata import distribution

    try:
        return tuple(distribution(_OURS).entry_points)
    except PackageNotFoundError:
        return ()


@cache
def _is_there(package: str) -> bool:
    try:
        return importlib.util.find_spec(package) is not None
    except ModuleNotFoundError:
        return False


@cache
def _declared() -> EntryPoints:
    """Return the entry points of all packages; each file that declares some is read once."""
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
        if distribution[0] != _OURS:
            plugins.append(Plugin(point.name, group, point.value, *distribution, point))
    return tuple(plugins)


def one(group: str, name: str) -> Any:
    """Load an entry point. Raises `InputError` if it cannot be loaded."""
    point = ours(group).get(name)
    return point.load() if point else load(installed(group)[name])


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
    """Load a plug-in's object. Raises `InputError`, in one line, if it cannot be loaded."""
    try:
        return plugin.point.load()
    except (Exception, SystemExit) as error:
        from zhiyin.words import said

        raise InputError(said(
            "plugin-unloaded", group=plugin.group, plugin=repr(plugin.name), source=plugin.source,
            place=plugin.place, why=error_line(error),
        )) from None  # fmt: skip


@cache
def every(group: str, of: str = "") -> dict[str, Any]:
    """Load a group's objects by name, ours first; `of` chooses names by how they begin.

    What another package brings and cannot be loaded is left out: ``zhiyin list`` tells of it.
    """
    found = {n: point.load() for n, point in sorted(ours(group).items()) if n.startswith(of)}
    for name, plugin in installed(group).items():
        if name.startswith(of) and name not in found:
            with contextlib.suppress(InputError):
                found[name] = load(plugin)
    return found


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


class ModelKind(NamedTuple):
    """A kind of model that comes with Zhiyin, known before it is opened.

    Attributes
    ----------
    opens : str
        ``module:callable``, given what follows the name and the colon, and a `Setting`.
    forms : dict of str to str
        How it is written on the command line, and what it is.
    sound : {"sent", "read", ""}
        How sound reaches it: over the net, in whatever form the user says; read here, at the rate
        that it hears; or as it lies.
    place : {"served", "here", "memory", "instant", ""}
        Where it answers: at an address, where each call may be charged; on this machine, filling
        its memory, or at once; "" where only its code knows.
    """

    opens: str
    forms: dict[str, str]
    sound: Literal["sent", "read", ""] = ""
    place: Literal["served", "here", "memory", "instant", ""] = ""

    @property
    def alone(self) -> bool:
        """Tell whether its name is all that has to be written."""
        return any(":" not in form for form in self.forms)

    @property
    def longer(self) -> bool:
        """Tell whether something may follow its name."""
        return any(":" in form for form in self.forms)


class Maker(NamedTuple):
    """The function behind ``zhiyin data make BENCHMARK``, where the benchmark makes nothing.

    Attributes
    ----------
    settings : type of msgspec.Struct
        Its flags.
    make : callable
        From their values, by name, to a line on what was written.
    """

    settings: Any
    make: Callable[[Mapping[str, Any]], str]


class Work(Protocol):
    """The work of a command: a module, a class or an object with these two functions.

    `execute` does the work, and returns what ``--json`` prints; `show` makes of that what is
    printed otherwise: text, or a list of `zhiyin.contract.Section`. Both may raise `InputError`.
    Flags follow from the signature and the docstring of `execute`: what stands before ``*`` are
    arguments, what stands behind it flags. A command of several actions names them in ``ACTIONS``,
    each a function in the place of `execute`.
    """

    execute: Callable[..., Any]

    def show(self, result: Any) -> Any:
        """Return what is printed of the result of `execute`."""


class Command(NamedTuple):
    """A command that a plug-in or a benchmark adds.

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
    prints : bool
        Whether it is a function of the command's name in the module (or ``ACTIONS`` of it) that
        prints for itself and returns the exit status.
    usual : bool
        Whether it has a line in the short overview.
    reads : bool
        Whether its linear algebra is small: threads on every core would wait for each other.
    gone : mapping of str to str
        Flags of earlier versions, and what does that now.
    elsewhere : str
        Where else what its flags do not say is said, for a flag that it does not have.
    """

    help: str
    work: Any
    under: str = ""
    group: str = "read results"
    prints: bool = False
    usual: bool = False
    reads: bool = False
    gone: Mapping[str, str] = {}
    elsewhere: str = ""

    def load(self) -> Work:
        """Return the command's work, imported on first use."""
        work: Work = import_module(self.work) if isinstance(self.work, str) else self.work
        return work


def faults_of(group: str) -> list[str]:
    """A line for each plug-in of other packages that cannot be loaded."""
    faults = []
    for plugin in installed(group).values():
        try:
            load(plugin)
        except InputError as error:
            faults.append(str(error))
    return faults


@cache
def commands() -> dict[str, Command]:
    """Every command that Zhiyin's own plug-ins add, by name."""
    tables = [point.load() for _, point in sorted(ours(COMMANDS).items())]
    return {name: command for table in tables for name, command in table.items()}


@cache
def added_commands() -> dict[str, Command]:
    """Every command that is added, by name, by whatever package."""
    return {name: one for table in every(COMMANDS).values() for name, one in table.items()}
