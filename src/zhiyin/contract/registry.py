"""Benchmarks by name: ours, those of installed packages, those in a file, and missing ones.

Nothing is imported before it is asked for. A benchmark of another package is declared as an entry
point of the group ``zhiyin.benchmarks``, ``name = "module:Class"``; one in a file is named
``FILE.py:Class`` on the command line. A run keeps what its benchmark declares, and is read by it
where the benchmark is missing.

A run is read as data. Its manifest says which file its benchmark came from, and a manifest may be
anybody's: only files that the user names are opened (``--benchmark FILE.py:Class``).
"""

from __future__ import annotations

import contextlib
import hashlib
import re
import sys
import traceback
from collections.abc import Iterable, Iterator, Mapping
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

import msgspec

from zhiyin import extensions as plugins
from zhiyin.contract.arguments import OWN
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.stand_in import (
    Declaration,
    Origin,
    StandIn,
    declaration_of,
    overrides,
    read_declaration,
    stand_in,
)
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError, did_you_mean
from zhiyin.extensions import Command
from zhiyin.runs.ways import Ways
from zhiyin.words import add_words, said
from zhiyin.words.findings import BenchmarkChanged, BenchmarkVersion, Warning

if TYPE_CHECKING:
    from importlib.metadata import EntryPoint


BenchmarkClass = type[Benchmark[Any]]
_NAME = re.compile(r"[a-z0-9][a-z0-9_.-]*")
_origins: dict[BenchmarkClass, Origin] = {}
"""Where each class that was opened in this process came from."""
_given: dict[str, BenchmarkClass] = {}
"""Classes that were given as objects or files in this process, by their names."""
_named: dict[str, BenchmarkClass] = {}
"""Classes by which runs are to be read, wherever they were made: see `read_runs_by`."""


@cache
def places() -> dict[str, str]:
    """Every benchmark that is installed: its name and where its class stands."""
    outside = plugins.installed(plugins.BENCHMARKS)
    installed = {name: plugin.place for name, plugin in outside.items()}
    return dict(sorted({**installed, **ours()}.items()))


@cache
def ours() -> dict[str, str]:
    """Return the benchmarks that come with Zhiyin: name to ``module:Class``."""
    return {name: point.value for name, point in _own_points().items()}


def _own_points() -> Mapping[str, EntryPoint]:
    return {**plugins.ours(plugins.BENCHMARKS), **plugins.ours(plugins.INNER)}


def find(name: str) -> BenchmarkClass:
    """The class of the benchmark called `name`, or of one in a file, ``FILE.py:Class``.

    Raises
    ------
    InputError
        There is no such benchmark, or its module cannot be imported.
    """
    if is_file(name):
        return _of_file(name)
    known = ours() if name in ours() else places()
    if name in _given and name not in known:
        return _given[name]
    if name not in known and name.startswith(f"{OWN}-"):
        name = OWN  # the name of a run on a file of the user's
    if name not in known:
        if name.endswith(".py"):
            raise InputError(said("error-which-class", name=name))
        if "/" in name or Path(name).is_dir():
            raise InputError(said("error-no-questions", name=name, there=Path(name).is_dir()))
        hint = did_you_mean(name, {*known, *_given})
        raise InputError(said("error-benchmark", name=repr(name), hint=hint))
    return _of_ours(name) if name in ours() else _of_package(name)


def _of_ours(name: str) -> BenchmarkClass:
    kind: BenchmarkClass = _own_points()[name].load()
    _origins[kind] = Origin("zhiyin", ours()[name])
    return kind


def _of_package(name: str) -> BenchmarkClass:
    plugin = plugins.installed(plugins.BENCHMARKS)[name]
    kind = _checked(plugins.load(plugin), f"benchmark {name!r} of {plugin.source}")
    if kind.name != name:
        raise InputError(
            said("declares-two-names", name=repr(name), source=plugin.source, kind=repr(kind.name))
        )
    _origins[kind] = Origin("package", plugin.place, plugin.distribution, plugin.version)
    return kind


def given(benchmark: str | BenchmarkClass | Benchmark[Any]) -> BenchmarkClass:
    """The class of what a user gives: a name, ``FILE.py:Class``, a class, or a benchmark.

    Raises
    ------
    InputError
        It is none, or its class does not say what it must.
    """
    if isinstance(benchmark, str):
        return find(benchmark)
    kind = benchmark if isinstance(benchmark, type) else type(benchmark)
    if kind not in _origins:
        place = f"{kind.__module__}:{kind.__qualname__}"
        for name, where in places().items():
            if where == place:  # it, or a class that its `from_options` made of it
                find(name)
                return kind
        checked = _checked(kind, place)
        _origins[checked] = Origin("object", place)
        _given[checked.name] = checked
    elif kind.name in _given:  # of two classes of one name the one that was given last is meant
        _given[kind.name] = kind
    return kind


def origin_of(kind: BenchmarkClass) -> Origin:
    """Return the origin of a class opened by this process, or made of one by `from_options`."""
    origin = next((_origins[base] for base in kind.__mro__ if base in _origins), None)
    return origin or Origin("object", f"{kind.__module__}:{kind.__qualname__}")


def declared(kind: BenchmarkClass, ways: Ways | None = None) -> dict[str, Any]:
    """Return what a run's manifest keeps of the class. Raises `InputError` where it is faulty.

    Parameters
    ----------
    kind : type of Benchmark
    ways : Ways, optional
        Those of the run, where they are more than the class declares.
    """
    kept = declaration_of(kind, origin_of(kind))
    return kept if ways is None else {**kept, "ways": msgspec.to_builtins(list(ways))}


def is_followed(run: Manifest) -> bool:
    """Tell whether a judge follows when this run is whole."""
    kind = known(run)
    return bool(kind.judge_of(run.options)) and overrides(kind, "after")


def known(run: str | Manifest) -> BenchmarkClass:
    """The class of a benchmark that is named, or that a run is of.

    Where it is missing, a `StandIn` made from what the run kept. So it is in a file, but for one
    that this process has been given: reading a run that somebody sent runs no code.
    """
    name = run if isinstance(run, str) else run.benchmark
    kept = None if isinstance(run, str) else read_declaration(run.declared)
    if name in _named:
        return _named[name]
    if name in _given and (kept is None or _is_that(_given[name], kept)):
        return _given[name]
    if is_file(name) and Path(name.rpartition(":")[0]).resolve() not in _loaded:
        return stand_in(name, kept)
    try:
        if kept is None or kept.origin.kind not in ("object", "file"):
            kind = find(name)
            if kept is None or origin_of(kind).distribution == kept.origin.distribution:
                return kind
    except InputError:
        pass
    origin = kept.origin.kind if kept else "zhiyin"
    return stand_in(name, kept, origin if origin in ("package", "object", "file") else "unknown")


def read_runs_by(spec: str, runs: Iterable[Manifest]) -> None:
    """Read runs by the class in a file, wherever it was when they were made.

    Parameters
    ----------
    spec : str
        ``FILE.py:Class``
    runs : iterable of Manifest

    Raises
    ------
    InputError
        It cannot be opened, or none of the runs is of a benchmark of its name.
    """
    if not is_file(spec):
        raise InputError(said("declares-form", spec=spec))
    kind = _of_file(spec)
    names = sorted({run.benchmark for run in runs})
    if kind.name not in names:
        raise InputError(said("declares-other-name", spec=spec, kind=repr(kind.name), names=names))
    _named[kind.name] = kind


def _is_that(kind: BenchmarkClass, kept: Declaration) -> bool:
    """Tell whether a class that was given is a run's own; of one in a file, wherever it lies."""
    origin = origin_of(kind)
    places = (origin.kind, origin.place), (kept.origin.kind, kept.origin.place)
    return kept.origin.kind == "file" or places[0] == places[1]


def is_missing(kind: BenchmarkClass) -> bool:
    """Tell whether a class only stands for one that is missing here."""
    return issubclass(kind, StandIn)


def lacking(manifest: Manifest) -> list[Warning]:
    """Warn of what a run cannot show for want of its benchmark, or where that has changed since."""
    kind, kept = known(manifest), read_declaration(manifest.declared)
    if issubclass(kind, StandIn):
        return kind.lacking()
    if kept is not None and kept.origin != origin_of(kind):
        now = origin_of(kind)
        if now.kind == "file" and now.sha256 != kept.origin.sha256:
            return [BenchmarkChanged(place=now.place, scores=overrides(kind, "score"))]
        if now.version != kept.origin.version:
            return [BenchmarkVersion(then=kept.origin.in_words, now=now.in_words)]
    return []


K = TypeVar("K", bound=Benchmark[Any])


def register(kind: type[K]) -> type[K]:
    """Make a benchmark class known by its name in this process: a decorator, or a call.

    Runs of it are then summed up, scored again and reported with all that it declares. The last
    class of a name counts, so that a notebook's cell can be run again.

    Parameters
    ----------
    kind : type of Benchmark

    Returns
    -------
    type of Benchmark
        `kind` itself.

    Raises
    ------
    InputError
        It is no benchmark class, has no name, or has the name of one that is installed.
    """
    _checked(kind, getattr(kind, "__name__", repr(kind)))
    if kind.name in places() and find(kind.name) is not kind:
        raise InputError(said("declares-taken", kind=kind.__name__, name=repr(kind.name)))
    if kind.name not in places():
        _origins[kind] = Origin("object", f"{kind.__module__}:{kind.__qualname__}")
        _given[kind.name] = kind
    return kind


class BenchmarkError(InputError):
    """The code of a benchmark from outside has failed."""


@contextlib.contextmanager
def blaming(kind: type[Benchmark[Any]]) -> Iterator[None]:
    """Report a fault in the code of a benchmark from outside in one line, with its place."""
    try:
        yield
    except (InputError, OSError):
        raise
    except Exception as error:
        frames = traceback.extract_tb(error.__traceback__)
        files = _files(kind)
        # A method that takes other arguments fails where it is called, before its own first line.
        theirs = isinstance(error, TypeError) and f"{kind.__name__}." in str(error)
        theirs = theirs or any(each.filename in files for each in frames)
        if origin_of(kind).kind == "zhiyin" or not theirs:
            raise
        last = frames[-1]
        raise BenchmarkError(said(
            "declares-raises", kind=repr(kind.name), file=Path(last.filename).name,
            line=str(last.lineno), function=last.name, why=plugins.error_line(error),
        )) from error  # fmt: skip


@contextlib.contextmanager
def with_data(kind: type[Benchmark[Any]], options: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Options with the fetched data where they name none; an error on missing ones says whence."""
    data = options.get("data") or kind.fetched(options)
    try:
        yield {**options, "data": data} if data else {**options}
    except InputError as error:
        if options.get("data") or "--data" not in str(error) or not kind.sources():
            raise
        raise InputError(said("log-fetch", why=error, name=kind.name)) from None


def _files(kind: BenchmarkClass) -> set[str]:
    """The files that the code of a class from outside stands in; in a notebook, each cell."""
    ours = str(Path(__file__).parent.parent)
    functions = [each for base in kind.__mro__ for each in vars(base).values()]
    codes = (getattr(getattr(each, "__func__", each), "__code__", None) for each in functions)
    return {c.co_filename for c in codes if c and not c.co_filename.startswith(ours)}


def is_file(name: str) -> bool:
    """Tell whether `name` names a class in a Python file."""
    return name.rpartition(":")[0].endswith(".py")


def open_benchmark(run: str | Manifest, options: Mapping[str, Any]) -> Benchmark[Any]:
    """The benchmark that is named, or that a run is of, set up with `options` (flags, no dashes).

    Raises
    ------
    InputError
        There is none, it is missing and needed, or `options` are faulty.
    """
    kind = find(run) if isinstance(run, str) else known(run)
    if issubclass(kind, StandIn) and kind.kept is None:
        kind = find(kind.name)  # says what is near
    return kind.from_options(options)


def _of_file(spec: str) -> BenchmarkClass:
    place, _, attribute = spec.rpartition(":")
    path = Path(place).expanduser()
    if not path.is_file():
        raise InputError(said("declares-no-file", spec=spec, place=place))
    path = path.resolve()
    module, digest = _load(path)
    member = getattr(module, attribute, None)
    if member is None:
        there = [
            name
            for name, value in vars(module).items()
            if isinstance(value, type) and issubclass(value, Benchmark) and value is not Benchmark
        ]
        hint = did_you_mean(attribute, there) if there else said("declares-no-benchmark")
        raise InputError(
            said("declares-has-no", spec=spec, path=path.name, attribute=repr(attribute), hint=hint)
        )
    checked = _checked(member, spec)
    _origins[checked] = Origin("file", f"{path}:{attribute}", sha256=digest)
    _given[checked.name] = checked
    return checked


_loaded: dict[Path, tuple[Any, str]] = {}
"""Files that this process has opened, with the SHA-256 of what was in them then."""


def _load(path: Path) -> tuple[Any, str]:
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    if path in _loaded and _loaded[path][1] == digest:
        return _loaded[path]
    name = f"zhiyin_file_{hashlib.sha256(str(path).encode()).hexdigest()[:12]}"
    sys.path.insert(0, str(path.parent))
    try:
        module = plugins.import_file(path, name)
    except (Exception, SystemExit) as error:
        raise InputError(said("error-at", where=path, why=plugins.error_line(error))) from None
    finally:
        sys.path.remove(str(path.parent))
    _loaded[path] = module, digest
    return _loaded[path]


def _checked(candidate: Any, place: str) -> BenchmarkClass:
    if not (isinstance(candidate, type) and issubclass(candidate, Benchmark)):
        raise InputError(said("declares-no-class", place=place))
    name = getattr(candidate, "name", None)
    if not isinstance(name, str) or not _NAME.fullmatch(name):
        raise InputError(said("declares-small-letters", place=place))
    if name in ours():
        raise InputError(said("declares-ours", place=place, name=repr(name)))
    own = candidate.commands
    if not isinstance(own, Mapping) or not all(isinstance(c, Command) for c in own.values()):
        raise InputError(said("declares-commands", place=place))
    if candidate.trials is Benchmark.trials and candidate.sequences is Benchmark.sequences:
        raise InputError(said("declares-no-trials", place=place))
    if file := getattr(sys.modules.get(candidate.__module__), "__file__", None):
        add_words(Path(file).parent)
    return candidate
