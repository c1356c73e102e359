"""The table of published figures, with dates: what may stand beside a run, and what is known of it.

`published.csv` beside this module has a row for each figure; a newer table, which ``zhiyin data
fetch published`` brings, lies in the folder of fetched data and goes before it. A benchmark names
its sets of the table in its description, and may have a table of its own beside it.

The columns are those of `PublishedFigure`. ``settings`` are parts between semicolons. A part
``name=value`` is a flag of the benchmark (``shots=5``), or ``items``, what of the set was asked
(``items=114``): figures of other settings cannot be compared. Any other part is told as it is.
"""

from __future__ import annotations

import math
import os
import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.contract.published import data_home
from zhiyin.contract.tables import read_rows
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.numerals import counted
from zhiyin.words import Text, naming, said
from zhiyin.words.reasons import as_said

OWN = "the set's authors"
"""Who measured a published figure: those who made the set."""
READER, ITEMS = "extract", "items"
"""Settings of a published row: the rule that read its replies; how much of the set was asked."""


class RowFacts(msgspec.Struct, frozen=True):
    """What is known of a published row.

    Attributes
    ----------
    date, source, settings, by : str
        As in `published_table.PublishedFigure`.
    other : str
        The set that it is of, where the benchmark asks another part of it.
    """

    date: str = ""
    source: str = ""
    settings: str = ""
    by: str = ""
    other: str = ""

    @property
    def told(self) -> Text | None:
        """Its settings, to be shown; None where none are known."""
        parts = [
            said("published-why", flag=name, value=value)
            if equals
            else as_said("published-part", name)
            for one in self.settings.split(";")
            for name, equals, value in (one.strip().partition("="),)
            if name
        ]
        return said("causes", each=parts) if parts else None

    @property
    def asked(self) -> dict[str, str]:
        """The flags among its settings."""
        pairs = (part.split("=", 1) for part in self.settings.split(";") if "=" in part)
        return {name.strip(): value.strip() for name, value in pairs}

    def differing(self, options: Mapping[str, Any]) -> tuple[str, str]:
        """Name the setting, and what it is here, that forbids comparing it with a run; or ""."""
        if self.other:
            return "set", self.other
        if ITEMS in self.asked:  # whatever a run was set to
            return ITEMS, self.asked[ITEMS]
        for name, value in self.asked.items():
            if name in options and str(options[name]) != value:
                return name, value
        return "", ""


Rows = dict[str, dict[str, dict[str, float]]]


class Reference(msgspec.Struct, frozen=True):
    """Published results: for each row (a model, a group of people), groups of named figures.

    `rows` maps a row's name to a mapping from group name to figures such as
    ``{"precision": 0.6315, "recall": 0.6293, "f1": 0.6304}``, all in [0, 1]. The group names
    are those of our own runs. `kinds` names what a row is: "model", "human" or "chance".
    `in_details` says that the benchmark's own tables hold these rows for a single run. `ranges`
    are lowest and highest single scores behind a figure, by row, group and figure. `facts` says
    what else is known of a row, `notes` what is to be known of its figures, by group. `aside` are
    rows that cannot be compared with a run, and `apart` why not: the setting, and what it was.
    `newer` is the date of a table that the user fetched, where rows are from it.
    """

    title: str
    source: Text
    rows: Rows
    kinds: dict[str, str] = {}
    in_details: bool = False
    ranges: dict[str, dict[str, dict[str, tuple[float, float]]]] = {}
    facts: dict[str, RowFacts] = {}
    notes: dict[str, dict[str, str]] = {}
    aside: Rows = {}
    apart: dict[str, tuple[str, str]] = {}
    newer: str = ""

    def of(self, name: str) -> RowFacts:
        """What is known of a row; of some only the source that all have."""
        return self.facts.get(name) or RowFacts(source=str(self.source))

    def in_english(self) -> Reference:
        """The same with its source in English, for files."""
        return msgspec.structs.replace(self, source=str(self.source))

    def cited(self, *names: str, group: str = "") -> Text:
        """The sources of rows, and what is to be known of their figures, or those of a group."""
        parts = [one for name in names for one in self.of(name).source.split("; ")]
        noted = [self.notes.get(name, {}) for name in names]
        parts += [note for each in noted for of, note in each.items() if group in ("", of)]
        return said("causes", each=[as_said("published-part", one) for one in dict.fromkeys(parts)])

    @property
    def every(self) -> Rows:
        """All rows, those aside too."""
        return {**self.rows, **self.aside}

    def higher(self, value: float, group: str, figure: str) -> dict[str, float]:
        """The rows aside, of other questions or settings, that lie above a figure."""
        known = ((name, row.get(group, {}).get(figure)) for name, row in self.aside.items())
        return {name: one for name, one in known if one is not None and one > value}

    @property
    def own(self) -> set[str]:
        """The rows that those who made the set published first; all where nobody is named."""
        dates = {name: self.of(name).date for name in self.every if self.of(name).by in ("", OWN)}
        return {name for name, date in dates.items() if date == min(dates.values())}

    def beside(self, *runs: Mapping[str, Any]) -> Reference:
        """The rows that can be compared with one of some runs, by their options; the rest aside.

        People are asked a part of a set alone, and stand beside it all the same.
        """
        rows: Rows = {}
        apart = {}
        for name, row in self.rows.items():
            each = [self.of(name).differing(options) for options in runs]
            why = each[0] if all(one[0] for one in each) else ("", "")
            if why[0] and not (why[0] == ITEMS and self.kinds.get(name) == "human"):
                apart[name] = why
            else:
                rows[name] = row
        aside = {name: self.rows[name] for name in apart}
        return msgspec.structs.replace(self, rows=rows, aside=aside, apart=apart)

    def only(self, groups: Iterable[str]) -> Reference | None:
        """The rows with these groups alone; None where nothing is published for them."""
        kept = set(groups)
        rows = {
            name: chosen
            for name, row in self.rows.items()
            if (chosen := {group: figures for group, figures in row.items() if group in kept})
        }
        return msgspec.structs.replace(self, rows=rows) if rows else None


FILE = "published.csv"
"""The table's name, in this package, beside a description and where a newer one is kept."""
KINDS = ("model", "human", "chance")
_NUMBERS = ("value", "low", "high")
_DATE = re.compile(r"\d{4}(-\d\d){0,2}")
_NEEDED = ("model", "set", "metric", "value", "date", "source")


class PublishedFigure(msgspec.Struct, frozen=True):
    """A published figure.

    Attributes
    ----------
    model : str
    set, metric : str
        As its source calls them; of a set that a benchmark asks, the name of our measure.
    value : float
        In `unit`.
    date : str
        When it was published: a year, a month or a day, as ISO 8601 has them.
    source : str
    kind : {"model", "human", "chance"}
    split : str
        The part of the set: a group of our runs.
    unit : str
        "%" for shares.
    settings : str
        How it was asked and read.
    by : str
        Who measured it: `reference.OWN` for those who made the set.
    note : str
        What is to be known of it.
    low, high : float or None
        Lowest and highest single score behind it, where these are published.
    """

    model: str
    set: str
    metric: str
    value: float
    date: str
    source: str
    kind: str = "model"
    split: str = ALL
    unit: str = "%"
    settings: str = ""
    by: str = ""
    low: float | None = None
    high: float | None = None
    note: str = ""

    @property
    def place(self) -> str:
        """Its set, with the split where that is not all: ``SET/SPLIT``."""
        return self.set if self.split == ALL else f"{self.set}/{self.split}"

    @property
    def key(self) -> tuple[str, ...]:
        """What it is a figure of, and by whom; a newer table's goes before one of the same key."""
        return self.model, self.set, self.split, self.metric, self.settings, self.by


class PublishedSets(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """The sets of the table that a benchmark asks.

    Attributes
    ----------
    sets : dict of str to str
        Their names, and the group of our runs that each is; "" where its splits are our groups.
    title : str
        What the whole is called; by default the first set.
    apart : tuple of str
        Those of which a benchmark asks another part: their rows stand apart.
    in_details : bool
        As in `Reference`.
    folder : str
        That of the description, which may have a table of its own.
    """

    sets: dict[str, str]
    title: str = ""
    apart: tuple[str, ...] = ()
    in_details: bool = False
    folder: str = ""

    def reference(self) -> Reference | None:
        """The shares of these sets, newest first; None where the table has none."""
        own = [one for one in figures(self.folder) if one.set in self.sets and one.unit == "%"]
        rows: dict[tuple[str, str, RowFacts], list[PublishedFigure]] = {}
        for one in sorted(own, key=lambda one: one.date, reverse=True):
            other = one.set if one.set in self.apart else ""
            facts = RowFacts(one.date, "", one.settings, one.by, other)
            rows.setdefault((one.model, one.kind, facts), []).append(one)
        made = Reference(self.title or next(iter(self.sets)), "", {}, {}, self.in_details)
        for called, ((_, kind, facts), parts) in zip(_called(rows), rows.items(), strict=True):
            source = "; ".join(dict.fromkeys(one.source for one in parts))
            made.kinds[called] = kind
            made.facts[called] = msgspec.structs.replace(facts, source=source)
            for one in parts:
                split = "" if self.sets[one.set] and one.split == ALL else one.split
                group = "/".join(filter(None, (self.sets[one.set], split)))
                cells = made.rows.setdefault(called, {}).setdefault(group, {})
                cells[one.metric] = round(one.value / 100, 6)
                if one.note:
                    made.notes.setdefault(called, {})[group] = one.note
                if one.low is not None and one.high is not None:
                    ends = (round(one.low / 100, 6), round(one.high / 100, 6))
                    made.ranges.setdefault(called, {}).setdefault(group, {})[one.metric] = ends
        newest = max((one.date for one in own if one in fetched()), default="")
        cited = made.cited(*made.facts)
        return msgspec.structs.replace(made, source=cited, newer=newest) if own else None


def _called(rows: Collection[tuple[str, str, RowFacts]]) -> list[str]:
    """The names of rows: the model with flags that differ from row to row ("5 shots").

    Where that is not enough: with who measured it, and so on.
    """
    every = {pair for *_, facts in rows for pair in facts.asked.items()}
    times = Counter(flag for flag, _ in every)
    varied = {flag for flag, n in times.items() if n > 1} - {READER, ITEMS}
    names: list[list[Text]] = [
        [*([said("published-person", name=each) for each in model.split(", ")]
           if kind == "human" else [as_said("published-person", model)]),
         *(said("published-way", flag=f, value=v) for f, v in facts.asked.items() if f in varied)]
        for model, kind, facts in rows
    ]  # fmt: skip
    for more in ("other", "by", "date", "settings"):
        times = Counter(", ".join(map(str, name)) for name in names)
        for name, (*_, facts) in zip(names, rows, strict=True):
            if times[", ".join(map(str, name))] > 1 and (added := getattr(facts, more)):
                name.append(added)
    return [naming(said("published-called", name=name, more=more)) for name, *more in names]


def fetched_place() -> Path:
    """Where the newer table lies that a user fetched; it need not be there."""
    return data_home() / "published" / FILE


def fetched() -> frozenset[PublishedFigure]:
    """The figures of the newer table that a user fetched."""
    return frozenset(_read(fetched_place()))


def figures(folder: str = "") -> list[PublishedFigure]:
    """All published figures: ours, those of a folder, and in their place what was fetched."""
    own = [Path(folder) / FILE] if folder else []
    found: list[PublishedFigure] = []
    for place in (Path(__file__).with_name(FILE), *own, fetched_place()):
        newer = _read(place)
        keys = {one.key for one in newer}
        kept = (one for one in found if keys.isdisjoint((one.key, (*one.key[:-1], ""))))
        found = [*kept, *newer]
    return found


def values(
    name: str, metric: str = "accuracy", settings: str = ""
) -> dict[str, dict[str, PublishedFigure]]:
    """The figures of a set by model and split: of one metric, whose settings begin so."""
    found: dict[str, dict[str, PublishedFigure]] = {}
    for one in figures():
        if (one.set, one.metric) == (name, metric) and one.settings.startswith(settings):
            found.setdefault(one.model, {})[one.split] = one
    return found


def _read(place: Path) -> tuple[PublishedFigure, ...]:
    """The figures of a table that may be missing; read once as long as it stays the same."""
    # `access` is False, too, where the folder is another user's and may not be looked into.
    return _read_once(place, place.stat().st_mtime_ns) if os.access(place, os.R_OK) else ()


@cache
def _read_once(place: Path, _: int) -> tuple[PublishedFigure, ...]:
    return read_figures(place)


class FiguresError(InputError):
    """The faults of a table, a line each; the message has the first."""

    def __init__(self, faults: Sequence[str]) -> None:
        more = len(faults) - 1
        super().__init__(f"{faults[0]} (and {counted(more, 'more fault')})" if more else faults[0])
        self.faults = tuple(faults)


def read_figures(path: Path, called: str = "") -> tuple[PublishedFigure, ...]:
    """The figures of a table in a file, which faults name as `called`.

    Raises
    ------
    InputError
        It cannot be read; `FiguresError`: it lacks a column, or has faulty rows.
    """
    _, lines = read_rows(path)
    called = called or str(path)
    header = next(lines, (1, []))[1]
    known = PublishedFigure.__struct_fields__
    faults = [f"{called}:1: no column {name}: add it" for name in _NEEDED if name not in header]
    faults += [
        f"{called}:1: {what}: the columns are {', '.join(known)}"
        for name in dict.fromkeys(header)
        if (what := f"column {name!r} is none" if name not in known
            else f"two columns {name}" if header.count(name) > 1 else "")
    ]  # fmt: skip
    seen: dict[tuple[str, ...], int] = {}
    found = []
    for line, cells in lines if not faults else ():
        filled = ((name, cell.strip()) for name, cell in zip(header, cells, strict=False))
        row = {name: cell for name, cell in filled if cell}
        problems = [*_problems(row, len(cells) - len(header))]
        if not problems:
            numbers = {name: float(row[name]) for name in _NUMBERS if name in row}
            one = msgspec.convert({**row, **numbers}, PublishedFigure)
            found.append(one)
            if (first := seen.setdefault(one.key, line)) != line:
                problems = [f"stands on line {first} already: keep one of the two"]
        faults += [f"{called}:{line}: {problem}" for problem in problems]
    if not found and not faults:
        faults = [f"{called}: no figures in it: give a row for each"]
    if faults:
        raise FiguresError(faults)
    return tuple(found)


def _problems(row: Mapping[str, str], surplus: int) -> Iterator[str]:
    """Yield what is wrong with a row."""
    if surplus:
        many = "many" if surplus > 0 else "few"
        yield f"{counted(abs(surplus), 'cell')} too {many}: quote what has commas"
        return
    yield from (f"no {name}: fill it in" for name in _NEEDED if name not in row)
    errors = row.get("metric", "").endswith("ER")  # word and character error rates
    for name in _NUMBERS:
        try:
            value = float(row.get(name, 0))
        except ValueError:
            value = math.nan
        if not math.isfinite(value):
            yield f"{name} {row[name]!r} is no number: write it as 61.5"
        elif row.get("unit", "%") == "%" and (value < 0 or (value > 100 and not errors)):
            yield f"{name} {row[name]} is no share in per cent: give another unit, or 0 to 100"
    if row.get("kind", KINDS[0]) not in KINDS:
        yield f"kind {row['kind']!r} is not one of {', '.join(KINDS)}"
    written = row.get("date", "2000")
    try:
        known = _DATE.fullmatch(written) and date.fromisoformat((written + "-01-01")[:10])
    except ValueError:
        known = None
    if not known:
        yield f"date {written!r} is none: write 2026, 2026-05 or 2026-05-01"
