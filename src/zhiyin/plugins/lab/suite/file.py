"""The file of a suite: benchmarks by models by conditions, with defaults and overrides.

What is under ``flags`` is what ``zhiyin run`` takes, without the dashes before. Each run of a suite
is the run that this command makes.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Mapping, Sequence
from importlib import resources
from pathlib import Path
from shlex import quote
from typing import Annotated, Any, Literal

import msgspec

from zhiyin.contract.published_table import figures
from zhiyin.contract.settings import RunSettings, run_fields
from zhiyin.cost.budget import Budget, read_budget
from zhiyin.engine.naming import brief
from zhiyin.errors import InputError, did_you_mean, system_words
from zhiyin.files import stem_of
from zhiyin.flags import flagged
from zhiyin.models.endpoint import written
from zhiyin.parsing import read_toml_text
from zhiyin.plugins.lab.suite import KeyPath, key_in_words, line_of, lines_of
from zhiyin.words import Text, said

SUFFIX = ".toml"
Value = bool | int | float | str | list[bool | int | float | str]
Flags = dict[str, Value]
_SWITCHED_ON = frozenset(
    field.word for field in flagged(RunSettings) if field.is_switch and field.default is True
)


class SuiteTable(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A table of the file."""


class SuiteModel(SuiteTable, frozen=True):
    """A model that answers.

    Attributes
    ----------
    model : str
        As after ``-m``.
    name : str
        What tables call it; by default its brief name.
    slots : int or None
        Calls under way at once, all its runs together; None for what suits the model.
    runs : int
        Of its runs under way at once: the next one takes the slots that one at its end leaves.
    rpm, tpm : float or None
        Requests and tokens a minute, all its runs together.
    flags : dict
    """

    model: str
    name: str = ""
    slots: Annotated[int, msgspec.Meta(ge=1, le=100_000)] | None = None
    runs: Annotated[int, msgspec.Meta(ge=1, le=1000)] = 2
    rpm: Annotated[float, msgspec.Meta(gt=0)] | None = None
    tpm: Annotated[float, msgspec.Meta(gt=0)] | None = None
    flags: Flags = {}


class SuiteBenchmark(SuiteTable, frozen=True):
    """A benchmark, as after ``zhiyin run``; `optional`: go on where its data are not here.

    `published` are sets of the table of published figures whose rows belong beside it: ``SET``, or
    ``SET/SPLIT``.
    """

    benchmark: str
    name: str = ""
    optional: bool = False
    published: list[str] = []
    flags: Flags = {}


class SuiteCondition(SuiteTable, frozen=True):
    """A way of asking; `benchmarks` names those that are asked so, all where it is left out."""

    name: str
    benchmarks: list[str] | None = None
    flags: Flags = {}


class SuiteOverride(SuiteTable, frozen=True):
    """Other flags for some runs, or none of them; what is left out is any."""

    model: str | None = None
    benchmark: str | None = None
    condition: str | None = None
    skip: bool = False
    flags: Flags = {}


class SuitePublished(SuiteTable, frozen=True):
    """A published row for the suite's table.

    Attributes
    ----------
    name : str
    source : str
        Where its figures are published.
    figures : dict of str to float
        In per cent, by the names of the file's benchmarks.
    kind : {"model", "human", "chance"}
    """

    name: str
    source: str
    figures: dict[str, Annotated[float, msgspec.Meta(ge=0, le=100)]]
    kind: Literal["model", "human", "chance"] = "model"


class SuiteContents(SuiteTable, frozen=True):
    """All of a file; `budget` is that of all runs together, as after ``--budget``."""

    benchmarks: Annotated[list[SuiteBenchmark], msgspec.Meta(min_length=1)]
    name: str = ""
    about: str = ""
    budget: str = ""
    models: list[SuiteModel] = []
    conditions: list[SuiteCondition] = []
    overrides: list[SuiteOverride] = []
    published: list[SuitePublished] = []
    defaults: Flags = {}


class SuiteCell(msgspec.Struct, frozen=True):
    """One run of a suite.

    Attributes
    ----------
    name : str
        Of its folder; stable.
    benchmark, model, condition : str
        As the file calls them; no condition is "".
    asked : str
        The benchmark as ``zhiyin run`` takes it.
    flags : dict of str to Value
    spec : str
        The model as ``zhiyin run -m`` takes it.
    optional : bool
    label : str
    """

    name: str
    benchmark: str
    model: str
    condition: str
    asked: str
    spec: str
    flags: Flags
    optional: bool = False
    label: str = ""

    @property
    def asked_in(self) -> str:
        """Benchmark and condition of the run, whatever the model."""
        return ", ".join(filter(None, (self.benchmark, self.condition)))

    @property
    def written(self) -> SuiteCell:
        """The same as it may be written down: addresses without what is secret in them."""
        flags = {k: written(v) if isinstance(v, str) else v for k, v in self.flags.items()}
        return msgspec.structs.replace(self, spec=written(self.spec), flags=flags)

    @property
    def words(self) -> list[str]:
        """The flags as they stand on a command line."""
        words = []
        for name, value in self.flags.items():
            if name in _SWITCHED_ON:  # `--canary` is no flag, for it is so by itself
                words += [] if value else [f"--no-{name}"]
            elif value is True:
                words.append(f"--{name}")
            elif value is not False:
                listed = value if isinstance(value, list) else [value]
                words.append(f"--{name}={','.join(map(str, listed))}")
        return words


class Suite:
    """A suite as its file and the command line describe it.

    Attributes
    ----------
    name : str
    text : str
        The file.
    given : list of str
        The flags of the command line, which go before those of the file.
    budget : Budget
        Of all runs together.
    contents : SuiteContents
    cells : list of SuiteCell
    """

    def __init__(
        self, path: str, text: str, models: Sequence[str], flags: Flags, budget: str | None = None
    ) -> None:
        self.path, self.text = path, text
        self._lines: dict[KeyPath, int] = {}
        self.contents = self._read()
        if models:
            chosen = [SuiteModel(model) for model in models]
            self.contents = msgspec.structs.replace(self.contents, models=chosen)
        self._flags = flags
        self.given = [f"-m {quote(written(model))}" for model in models]
        self.given += [_as_given(name, value) for name, value in flags.items()]
        self.given += [f"--budget {budget}"] if budget is not None else []
        self.text = written(text)
        self.budget = self._budget(budget)
        self.name = self.contents.name or Path(path).stem
        self._origin: dict[tuple[str, str], KeyPath] = {}
        self.cells = list(self._cells())

    @property
    def sha256(self) -> str:
        """SHA-256 of the file."""
        return hashlib.sha256(self.text.encode()).hexdigest()

    def model(self, name: str) -> SuiteModel:
        """The model that is called so."""
        return next(model for model in self.contents.models if _name(model) == name)

    def fault(
        self, cell: SuiteCell, message: Text | InputError, *, of_model: bool = False
    ) -> InputError:
        """An error of a run, with the line of the flag that the message names.

        Where it names none, the line of its benchmark, or of its model.
        """
        for flag in re.findall(r"--([\w-]+)", str(message)):
            if path := self._origin.get((cell.name, flag)):
                return self._error(path, message)
        kind, wanted = ("models", cell.model) if of_model else ("benchmarks", cell.benchmark)
        names = [_name(entry) for entry in getattr(self.contents, kind)]
        path = kind, names.index(wanted)
        if path in self._lines:
            return self._error(path, message)
        return InputError(message.args[0] if isinstance(message, InputError) else message)

    def _error(self, path: KeyPath, message: Text | InputError) -> InputError:
        where = f"{self.path}:{line_of(self._lines, path)}"
        key = key_in_words(path) if path else None
        why = InputError(message) if isinstance(message, str) else message  # English alone
        return InputError(said("suite-at", where=where, key=key, why=why))

    def _read(self) -> SuiteContents:
        try:
            raw = read_toml_text(self.text)
        except ValueError as error:
            problem, _, at = str(error).rpartition(" (at ")
            line = re.search(r"line (\d+)", at)
            number = line[1] if line else len(self.text.splitlines()) or 1
            facts = {"path": self.path, "line": str(number), "why": problem or str(error)}
            raise InputError(said("suite-no-toml", **facts)) from None
        self._lines = lines_of(self.text)
        try:
            contents = msgspec.convert(raw, SuiteContents)
        except msgspec.ValidationError as error:
            raise self._typed(str(error)) from None
        self._check(contents)
        return contents

    def _budget(self, given: str | None) -> Budget:
        """The budget of the command line, else of the file."""
        text = self.contents.budget if given is None else given
        if given is None and not text:
            return Budget()
        try:
            return read_budget(text, "--budget" if given is not None else "a budget of")
        except InputError as error:
            raise (self._error(("budget",), error) if given is None else error) from None

    def _typed(self, message: str) -> InputError:
        """An error for a message of msgspec, with the line of the value."""
        problem, _, where = message.partition(" - at `$")
        path: list[str | int] = []
        for name, number in re.findall(r"\.?([\w-]+|\.\.\.)|\[(\d+|\.\.\.)\]", where.rstrip("`")):
            path.append(int(number) if number.isdigit() else name or "...")
        while path and path[-1] == "...":
            path.pop()
        if unknown := re.search(r"unknown field `(.*)`", problem):
            hint = did_you_mean(unknown[1], _known(path))
            return self._error((*path, unknown[1]), said("suite-unknown", hint=hint))
        if missing := re.search(r"missing required field `(.*)`", problem):
            return self._error(tuple(path), said("suite-key-missing", name=missing[1]))
        return self._error(tuple(path), problem.replace("Expected", "expected", 1).replace("`", ""))

    def _check(self, contents: SuiteContents) -> None:
        """Raise `InputError` for names that are doubled or unknown, and flags that none takes."""
        for kind in ("models", "benchmarks", "conditions"):
            names: set[str] = set()
            for place, entry in enumerate(getattr(contents, kind)):
                if _name(entry) in names:
                    message = f"{_name(entry)!r} stands there twice: give one of them another name"
                    raise self._error((kind, place, "name"), message)
                names.add(_name(entry))
        benchmarks = [_name(asked) for asked in contents.benchmarks]
        for place, condition in enumerate(contents.conditions):
            for name in condition.benchmarks or ():
                self._refuse_unknown(("conditions", place, "benchmarks"), name, benchmarks)
        for place, override in enumerate(contents.overrides):
            known = {
                "benchmark": benchmarks,
                "condition": [condition.name for condition in contents.conditions],
                "model": [_name(model) for model in contents.models],
            }
            for key, names_ in known.items():
                if (name := getattr(override, key)) is not None:
                    self._refuse_unknown(("overrides", place, key), name, names_)
        for place, row in enumerate(contents.published):
            for name in row.figures:
                self._refuse_unknown(("published", place, "figures", name), name, benchmarks)
        reasons = elsewhere()
        for path, flags in _all_flags(contents):
            for name in flags:
                if reason := reasons.get(_dashed(name)):
                    raise self._error((*path, name), f"is no flag for a suite's runs: {reason}")

    def _refuse_unknown(self, path: KeyPath, name: str, known: Sequence[str]) -> None:
        if name not in known:
            hint = did_you_mean(name, known) if known else None
            raise self._error(path, said("suite-none-of", name=repr(name), hint=hint))

    def _cells(self) -> Iterator[SuiteCell]:
        contents, names = self.contents, list[str]()
        conditions = contents.conditions or [SuiteCondition("")]
        for asked in contents.benchmarks:
            for condition in conditions:
                if condition.benchmarks is not None and _name(asked) not in condition.benchmarks:
                    continue
                for model in contents.models:
                    cell = self._cell(asked, condition, model, names)
                    if cell is not None:
                        names.append(cell.name)
                        yield cell

    def _cell(
        self, asked: SuiteBenchmark, condition: SuiteCondition, model: SuiteModel,
        taken: Sequence[str],
    ) -> SuiteCell | None:  # fmt: skip
        contents = self.contents
        key = _name(asked), _name(model), condition.name
        layers: list[tuple[KeyPath, Flags]] = [
            (("defaults",), contents.defaults),
            *_layer("benchmarks", contents.benchmarks, asked),
            *_layer("models", contents.models, model),
            *_layer("conditions", contents.conditions, condition),
        ]
        for place, override in enumerate(contents.overrides):
            wanted = override.benchmark, override.model, override.condition
            if all(want in (None, own) for want, own in zip(wanted, key, strict=True)):
                if override.skip:
                    return None
                layers.append((("overrides", place, "flags"), override.flags))
        several = len(contents.conditions) > 1
        label = f"{key[1]}, {condition.name}" if several else key[1]
        name = "--".join(stem_of(word) for word in (key[0], condition.name, key[1]) if word)
        name = stem_of(name, taken)
        flags: Flags = {}
        for path, layer in layers:
            for flag, value in layer.items():
                flags[_dashed(flag)] = value
                self._origin[name, _dashed(flag)] = (*path, flag)
        flags |= {
            flag.rpartition(" ")[2]: value
            for flag, value in self._flags.items()
            if " " not in flag or flag.startswith((f"{key[0]} ", f"{asked.benchmark} "))
        }
        return SuiteCell(name, key[0], key[1], condition.name, asked.benchmark, model.model, flags,
                    asked.optional, label)  # fmt: skip


def _as_given(name: str, value: Value) -> str:
    """A flag of the command line as it was typed: "NAME data" is ``--data NAME=DIR``."""
    benchmark, _, flag = name.rpartition(" ")
    told = written(str(value))
    return f"--{flag} {quote(f'{benchmark}={told}' if benchmark else told)}"


def _layer(kind: str, entries: Sequence[Any], entry: Any) -> list[tuple[KeyPath, Flags]]:
    return [((kind, n, "flags"), each.flags) for n, each in enumerate(entries) if each is entry]


def _all_flags(contents: SuiteContents) -> Iterator[tuple[KeyPath, Flags]]:
    yield ("defaults",), contents.defaults
    for kind in ("benchmarks", "models", "conditions", "overrides"):
        for place, entry in enumerate(getattr(contents, kind)):
            yield (kind, place, "flags"), entry.flags


def _known(path: Sequence[str | int]) -> Sequence[str]:
    """The keys that a table may have."""
    kinds: Mapping[str | int, type[SuiteTable]] = {
        "models": SuiteModel,
        "benchmarks": SuiteBenchmark,
        "conditions": SuiteCondition,
        "overrides": SuiteOverride,
        "published": SuitePublished,
    }
    kind = kinds.get(path[0], SuiteContents) if path else SuiteContents
    return kind.__struct_fields__


def _name(entry: Any) -> str:
    """Return the file's name for an entry."""
    if isinstance(entry, SuiteModel):
        return entry.name or brief(entry.model)
    if isinstance(entry, SuiteBenchmark):
        return entry.name or (
            Path(entry.benchmark).stem if "/" in entry.benchmark else entry.benchmark
        )
    return str(entry.name)


def _dashed(flag: str) -> str:
    return flag.removeprefix("--").replace("_", "-")


def named_suites() -> list[str]:
    """The suites that come with Zhiyin."""
    folder = resources.files(__package__) / "named"
    return sorted(
        entry.name.removesuffix(SUFFIX) for entry in folder.iterdir() if entry.name.endswith(SUFFIX)
    )


def read_suite(
    place: str, models: Sequence[str] = (), flags: Flags | None = None, budget: str | None = None
) -> Suite:
    """The suite in a file, or one that comes with Zhiyin.

    Parameters
    ----------
    place : str
        A TOML file, or a name such as ``music-core``.
    models : sequence of str
        Who answers, in the place of the file's models.
    flags : dict, optional
        What goes before every flag of the file; "NAME data" is of one benchmark.
    budget : str, optional
        In the place of the file's.

    Raises
    ------
    InputError
        It is no suite, names no model, or holds an invalid value: with file, line and key.
    """
    path, text = read_text(place)
    suite = Suite(path, text, models, flags or {}, budget)
    if not suite.contents.models:
        raise InputError(said("suite-no-model", path=path))
    if not suite.cells:
        raise InputError(said("suite-no-cell", path=path))
    for name in flags or {}:
        entry = name.partition(" ")[0]
        asked_for = suite.contents.benchmarks
        names = [*map(_name, asked_for), *(asked.benchmark for asked in asked_for)]
        benchmarks = [*dict.fromkeys(names)]
        if " " in name and entry not in benchmarks:
            raise InputError(f"--data {entry}=...: {did_you_mean(entry, benchmarks)}")
    return suite


def published_in(text: str) -> list[SuitePublished]:
    """The published rows that a suite's file has, and those of the sets that it names.

    None where it cannot be read any more.
    """
    try:
        contents = msgspec.convert(read_toml_text(text), SuiteContents)
    except ValueError:
        return []
    names = {place: _name(asked) for asked in contents.benchmarks for place in asked.published}
    rows: dict[tuple[str, Any, str], dict[str, float]] = {}
    for one in sorted(figures(), key=lambda one: one.date, reverse=True):
        if one.place in names and one.unit == "%":
            source = f"{one.source}, {one.date}"
            rows.setdefault((one.model, one.kind, source), {})[names[one.place]] = one.value
    return contents.published + [
        SuitePublished(name, source, row, kind) for (name, kind, source), row in rows.items()
    ]


def read_text(place: str) -> tuple[str, str]:
    """Read a suite's file: its name, and its text; see `read_suite`."""
    if place in named_suites():
        path = f"{place}{SUFFIX}"
        return path, (resources.files(__package__) / "named" / path).read_text("utf-8")
    if not place:
        raise InputError(said("suite-none", known=named_suites()))
    try:
        return place, Path(place).read_text("utf-8")
    except UnicodeDecodeError:
        raise InputError(said("suite-not-utf8", path=place)) from None
    except OSError as error:
        facts = {"path": place, "why": system_words(error), "known": named_suites()}
        raise InputError(said("suite-no-file", **facts)) from None


def elsewhere() -> dict[str, str]:
    """Flags of `zhiyin run` that a suite's tables do not take, and why, by their words."""
    reasons = {"help": "`zhiyin run BENCHMARK --help` tells a benchmark's flags"}
    return reasons | {
        field.written.removeprefix("--"): field.flag.elsewhere
        for field in run_fields()
        if field.flag.elsewhere
    }
