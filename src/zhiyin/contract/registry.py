"""Benchmarks by name: ours, those of installed packages, and those in a file.

Nothing is imported before it is asked for. A benchmark of another package is declared as an entry
point of the group ``zhiyin.benchmarks``, ``name = "module:Class"``; one in a file is named
``FILE.py:Class`` on the command line.
"""

from __future__ import annotations

import importlib
import importlib.util
import re
import sys
from collections.abc import Mapping
from functools import cache
from hashlib import blake2b
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any, TypeVar

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.own import OWN
from zhiyin.errors import InputError, did_you_mean

GROUP = "zhiyin.benchmarks"
OURS = {
    "appraisal": "zhiyin.benchmarks.appraisal.benchmark:Appraisal",
    "audit": "zhiyin.judges.marking:Marking",
    "judge": "zhiyin.judges.benchmark:Judging",
    "muchomusic": "zhiyin.benchmarks.muchomusic.benchmark:MuChoMusic",
    "perception": "zhiyin.benchmarks.perception.benchmark:Perception",
    OWN: "zhiyin.benchmarks.questions.benchmark:Questions",
    "ziqi": "zhiyin.benchmarks.ziqi.benchmark:Ziqi",
}


_registered: dict[str, type[Benchmark[Any]]] = {}
"""Classes that were handed over in this process."""


class Unknown(Benchmark[Any]):
    """Stands for a benchmark that is not installed here: its runs can be read, not made."""

    name = ""


@cache
def places() -> dict[str, str]:
    """Every benchmark that is installed: its name and where its class stands."""
    found = {point.name: point.value for point in entry_points(group=GROUP)}
    return dict(sorted({**found, **OURS}.items()))


def find(name: str) -> type[Benchmark[Any]]:
    """The class of the benchmark called `name`, or of one in a file, ``FILE.py:Class``.

    Raises
    ------
    InputError
        There is no such benchmark, or its module cannot be imported.
    """
    if is_file(name):
        return _of_file(name)
    if name in _registered:
        return _registered[name]
    known = places()
    if name not in known and name.startswith(f"{OWN}-"):
        name = OWN  # the name of a run on a file of the user's
    if name not in known:
        raise InputError(
            f"unknown benchmark {name!r}: {did_you_mean(name, {*known, *_registered})}"
        )
    module, _, attribute = known[name].partition(":")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise InputError(f"benchmark {name!r}: {known[name]} cannot be opened ({error})") from None
    return _checked(found, name)


def known(name: str) -> type[Benchmark[Any]]:
    """As `find`; `Unknown` where the benchmark is not to be found here."""
    try:
        return find(name)
    except InputError:
        return Unknown


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
    name = getattr(kind, "name", "")
    if not isinstance(name, str) or not re.fullmatch(r"[\w.-]+", name):
        raise InputError(
            f"benchmark class {kind.__name__}: give it a `name` of letters, digits, '_', '.', '-'"
        )
    if name in places() and find(name) is not kind:
        raise InputError(f"benchmark class {kind.__name__}: the name {name!r} is taken")
    if name not in places():
        _registered[name] = kind
    return kind


def is_file(name: str) -> bool:
    """Whether `name` names a class in a Python file."""
    return name.rpartition(":")[0].endswith(".py")


def open_benchmark(name: str, options: Mapping[str, Any]) -> Benchmark[Any]:
    """The benchmark called `name`, set up with `options` (flags without their dashes)."""
    return find(name).from_options(options)


def _of_file(spec: str) -> type[Benchmark[Any]]:
    place, _, attribute = spec.rpartition(":")
    path = Path(place).expanduser()
    if not path.is_file():
        raise InputError(f"{spec}: no file {place}: write FILE.py:Class")
    module = _load(path.resolve())
    found = getattr(module, attribute, None)
    if found is None:
        raise InputError(f"{spec}: {path.name} has no {attribute!r}")
    return _checked(found, spec)


def _load(path: Path) -> Any:
    name = f"zhiyin_file_{blake2b(str(path).encode(), digest_size=6).hexdigest()}"
    if name in sys.modules:
        return sys.modules[name]
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    sys.path.insert(0, str(path.parent))
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        del sys.modules[name]
        raise InputError(f"{path}: {type(error).__name__}: {error}") from None
    finally:
        sys.path.remove(str(path.parent))
    return module


def _checked(found: Any, name: str) -> type[Benchmark[Any]]:
    if isinstance(found, type) and issubclass(found, Benchmark):
        return found
    raise InputError(f"{name}: not a class that derives from zhiyin.contract.Benchmark")
