"""Structs by which a benchmark declares itself.

Headline and published rows, tables and figures, flaws and extent of published data, and skills
that trials show.
"""

from __future__ import annotations

import base64
import sys
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any, Literal, Protocol, get_args

import msgspec

from zhiyin.contract.published_table import Reference as Reference
from zhiyin.contract.question_table import Fault
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError, did_you_mean
from zhiyin.record import SCORE
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import (
    SHARE,
    USUAL,
    Estimate,
    Measure,
    measure_named,
    measure_title,
    score,
)
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import DotPicture, DotRow
from zhiyin.shown.table import Column, Link, Row, Table
from zhiyin.shown.table import Kind as Kind
from zhiyin.trial import one_line
from zhiyin.words import Said, Text, said

_HASH_BYTES = 4
_SENTENCE = 24  # letters: a text with more is no figure

Cell = Text | float | int | None | tuple[float, float] | tuple[float, float, float]
"""Of a table that a benchmark makes."""
Metric = Literal["accuracy", "precision", "f1", "score"]


class Headline(msgspec.Struct, frozen=True):
    """The figure by which a run is named first, of a benchmark that declares no measures.

    Attributes
    ----------
    group : str
        The group that it is taken from; "all" for everything.
    metric : str
        "accuracy", "precision", "f1", or "score": the mean of the score called `score`, which is
        from 0 to 1. Published rows give it under the score's own name.
    score : str
        Name of the score where `metric` is "score".
    """

    group: str = "all"
    metric: Metric = "accuracy"
    score: str = ""

    @property
    def figure(self) -> str:
        """The metric, of a score with its name: ``score:NAME``."""
        return f"{SCORE}{self.score}" if self.metric == "score" else self.metric

    def measures(self) -> tuple[Measure, ...]:
        """The figure before the usual ones."""
        if self.metric == "score":
            first = score(self.score, group=self.group, over="judged")
        else:
            first = msgspec.structs.replace(measure_named(self.metric), group=self.group)
        return (first, *(measure for measure in USUAL if measure.name != first.name))


class DeclaredMeasure(msgspec.Struct, frozen=True, omit_defaults=True):
    """A measure as a run keeps it: see `Measure`; `usual` for one that every benchmark has."""

    name: str
    unit: str = SHARE
    lower_is_better: bool = False
    range: tuple[float | None, float | None] = (0.0, 1.0)
    group: str = "all"
    usual: bool = False

    @classmethod
    def of(cls, measure: Measure) -> DeclaredMeasure:
        """Return the declaration of a measure."""
        usual = any(measure.of == each.of for each in USUAL)
        kept = {name: getattr(measure, name) for name in cls.__struct_fields__[:-1]}
        return cls(**kept, usual=usual)

    def measure(self) -> Measure:
        """The measure of a run whose benchmark is not here: a usual one, or the mean of a score."""
        if self.usual:
            return msgspec.structs.replace(measure_named(self.name), group=self.group)
        kept = msgspec.structs.asdict(self)
        return score(kept.pop("name"), **{n: v for n, v in kept.items() if n != "usual"})


class Section(msgspec.Struct, frozen=True):
    """A table that a benchmark adds to a run's results.

    Cells are text, numbers or None, an interval `(low, high)`, or a figure with its interval,
    `(value, low, high)`: never a figure in letters. `kinds` says what each column holds (see
    `zhiyin.shown.table`): "share" and "points" are of 1 and written in per cent. Without it, and
    in columns of the kind "number", figures stand as they are.

    Text is a `str`, shown as it is in every language, or a message (`zhiyin.words.said`).

    `leads`: it is what the run is made for, and stands above the shares of right answers, where a
    run is told in short too.

    `finding` says in one clause what it found: the headline of a run that is not marked right or
    wrong.
    """

    title: Text
    columns: Sequence[Text]
    rows: Sequence[Sequence[Cell]]
    notes: Sequence[Text] = ()
    leads: bool = False
    kinds: Sequence[Kind] = ()
    finding: Text | msgspec.UnsetType = msgspec.UNSET

    def __post_init__(self) -> None:
        """Raise `InputError` for what is no table: it is made from facts, and cannot be drawn."""
        if fault := self._fault():
            raise InputError(said("table-fault", title=repr(str(self.title)), fault=fault))

    def _fault(self) -> Said | None:
        """Return, on one line, why it cannot be drawn; None for no fault."""
        wide = len(self.columns)
        if self.kinds and len(self.kinds) != wide:
            return said("table-kinds", kinds=len(self.kinds), wide=wide)
        if strange := [each for each in self.kinds if each not in get_args(Kind)]:
            hint = did_you_mean(strange[0], get_args(Kind))
            return said("table-kind", kind=repr(strange[0]), hint=hint)
        for place, row in enumerate(self.rows, 1):
            if len(row) != wide:
                return said("table-cells", row=str(place), cells=len(row), wide=wide)
            for cell in row:
                if not _is_cell(cell):
                    return said("table-cell", row=str(place), type=type(cell).__name__)
        return None

    def in_english(self) -> Section:
        """The same with its words in English, for files."""
        return Section(
            str(self.title),
            [*map(str, self.columns)],
            [[str(c) if isinstance(c, Said) else c for c in row] for row in self.rows],
            [*map(str, self.notes)],
            self.leads,
            self.kinds,
            msgspec.UNSET if self.finding is msgspec.UNSET else str(self.finding),
        )

    def table(self, name: str = "") -> Table:
        """Return a table of facts; without `kinds`, the first column and sentences are words."""
        kinds = self.kinds or [self._guessed(place) for place in range(len(self.columns))]
        columns = tuple(map(Column, self.columns, kinds))
        rows = tuple(Row(tuple(row), weight=-place) for place, row in enumerate(self.rows))
        return Table(name, self.title, columns, rows, tuple(self.notes), self.leads)

    def _guessed(self, place: int) -> Kind:
        texts = (row[place] for row in self.rows if isinstance(row[place], str | Said))
        return "text" if not place or any(len(str(t)) > _SENTENCE for t in texts) else "number"


def _is_cell(cell: Any) -> bool:
    """Tell whether a renderer can write it."""
    if isinstance(cell, tuple):
        return len(cell) in (2, 3) and all(isinstance(each, int | float) for each in cell)
    return cell is None or isinstance(cell, str | int | float | Said | Link)


def heads(*names: str) -> list[Said]:
    """Headings of columns: common ones by the names that the message ``head`` has for them."""
    return [said("head", name=name) for name in names]


def measures_section(rows: Rows, measures: Sequence[Measure]) -> list[Section]:
    """Tabulate measures of a run, shares in per cent; no section where none has a value."""
    frame, lines = Frame(rows), list[list[Cell]]()
    for measure in measures:
        own = estimate(frame, measure, frame.places(measure.group))
        if own.value is not None:
            scale = 100 if measure.unit == SHARE else 1
            value, low, high = (scale * each for each in own.ends or (own.value,) * 3)
            cell: Cell = (value, low, high) if own.ends else value
            lines.append([measure_title(measure), own.items, cell])
    columns = heads("measure", "items", "value")
    kinds: list[Kind] = ["text", "count", "number"]
    return [Section(said("measured"), columns, lines, leads=True, kinds=kinds)] if lines else []


CONTRASTED: tuple[Kind, ...] = ("text", "count", "share", "share", "points", "p")
"""What the columns of contrasts hold: their names, items, both sides, what differs, p."""


def contrast_row(name: Text, one: Estimate, *, adjusted: bool = False) -> list[Cell]:
    """A contrast as a row of a table, with its own p or the one that is corrected."""
    assert one.pair is not None
    p = one.pair.p_adjusted if adjusted else one.p
    return [name, one.items, one.pair.first, one.pair.second, one.ends, p]


Ending = Literal["done", "failed", "stopped"]


class FollowUp(Protocol):
    """Result of a run that follows another, such as a judge's."""

    @property
    def name(self) -> str:
        """Name of the run."""

    @property
    def ended(self) -> tuple[Ending, str]:
        """Status of the run, with the reason if it stopped."""

    @property
    def interrupted(self) -> bool:
        """True if the user ended it."""


class Flaw(msgspec.Struct, frozen=True):
    """One fault of published data: where it is and what is wrong."""

    kind: str
    file: str
    id: str
    detail: Text

    def in_english(self) -> Flaw:
        """The same with its words in English, for files."""
        return Flaw(self.kind, self.file, self.id, str(self.detail))


def named_flaw(kind: str) -> Text:
    """Name a kind of flaw in the language of the reader; one that is not ours as it is."""
    return said("flaw-kind", kind=kind.replace(" ", "-"))


class CheckResult(msgspec.Struct, frozen=True):
    """Result of `zhiyin data check`: items that can be asked, flaws, rows that cannot be asked.

    `faults` says the first of the flaws again: rows that a run refuses, with their cures.
    """

    items: int
    flaws: list[Flaw]
    notes: Sequence[Text] = ()
    faults: Sequence[Fault] = ()
    unit: str = "line"

    @property
    def refused(self) -> int:
        """Rows that cannot be asked: one may have two faults."""
        return len({fault.line for fault in self.faults})


class Published(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Extent of a published data set. A benchmark keeps it as JSON in its own folder.

    Attributes
    ----------
    source : str
        Which copy was counted.
    unit : str
        What is counted, in the plural: "questions".
    counts : dict of str to int
        How many there are in each group of a run.
    parts : tuple of str
        The groups that the whole consists of. Empty where every group stands for itself.
    contents : dict of str to str
        By part, `fingerprint_words` of each question, sorted, 4 bytes each, as base64; of a
        trial with a free answer that of its cluster (a song). What is not among them is none of
        the published ones. "all": of questions of which we do not know which part they are of.
    by_answer : bool
        Whether they are `fingerprint_answer`: the wrong answers are not known, or vary.
    recordings : dict of str to list
        The published items by their recordings, as the tag ``recording`` of a trial names them
        ("M1_EbMaj_90 + M1_GMaj_90"): SHA-256 of each, None for one that we have not seen.
    clusters : int or None
        How many recordings the items are about.
    narrowed : dict of str to str
        Flags that leave something out, and in which words: ``{"category": "only {}"}``. Without
        words the message ``extent-flag`` has them.
    not_known : Text
        What of the published data is not known here, so that it is not looked at, in words.
    """

    source: str
    unit: str
    counts: dict[str, int]
    parts: tuple[str, ...] = ()
    contents: dict[str, str] = {}
    recordings: dict[str, list[str | None]] = {}
    clusters: int | None = None
    narrowed: dict[str, str] = {}
    by_answer: bool = False
    not_known: Text = ""

    @property
    def on_trust(self) -> Text:
        """Words for what is taken as the published data without proof; empty for nothing."""
        pairs = {part for name, known in self.recordings.items() for part in _named(name, known)}
        unseen = sum(sha256 is None for _, sha256 in pairs)
        words: list[Text] = [said("by-name", n=unseen, of=len(pairs))] if unseen else []
        words += [self.not_known] if self.not_known else []
        return said("on-trust", what=words) if words else ""

    def fingerprints(self, part: str) -> Counter[int] | None:
        """Count each fingerprint in a part; None where they are not known."""
        packed = self.contents.get(part)
        return None if packed is None else _unpacked(packed)


def _named(name: str, known: Iterable[str | None]) -> Iterable[tuple[str, str | None]]:
    """The recordings of an item by name, with their hashes."""
    return zip(name.split(" + "), known, strict=False)


def read_published(path: Path) -> Published:
    """The declaration in a benchmark's folder."""
    return msgspec.json.decode(path.read_bytes(), type=Published)


NOTHING = Published("", "items", {})
"""The declaration of a benchmark that declares none."""
PUBLISHED = "published_counts.json"
"""The declaration's file, beside the module of the benchmark's class."""


def published_beside(module: str, name: str = PUBLISHED) -> Published | None:
    """The declaration beside a module; None where there is none, or the module has no file."""
    file = getattr(sys.modules.get(module), "__file__", None)
    path = Path(file).with_name(name) if file else None
    return read_published(path) if path is not None and path.is_file() else None


def pack(fingerprints: Iterable[int]) -> str:
    """Fingerprints as `Published.contents` holds them."""
    numbers = sorted(fingerprints)
    return base64.b64encode(b"".join(n.to_bytes(_HASH_BYTES, "big") for n in numbers)).decode()


@cache
def _unpacked(packed: str) -> Counter[int]:
    raw = base64.b64decode(packed)
    return Counter(
        int.from_bytes(raw[at : at + _HASH_BYTES], "big") for at in range(0, len(raw), _HASH_BYTES)
    )


class Sample(msgspec.Struct, frozen=True):
    """A sound to be played on a page: what it belongs to, what it is of it, and its WAV file.

    `at` is where it stands in the row of what it belongs to, from 0 to 1, at the mark of `run`.
    """

    of: Text
    what: Text
    name: str
    wav: bytes
    at: float = 0.0
    run: str = ""


class PagePart(msgspec.Struct):
    """A picture as a page shows it, and what belongs to it.

    Attributes
    ----------
    picture : DotPicture
        Its notes are what a reader has to know of it.
    findings : list of Text
        What it shows, in sentences: a page opens on them.
    samples : list of Sample
    played : Text
        What these play, where they can be played.
    """

    picture: DotPicture
    findings: Sequence[Text] = ()
    samples: list[Sample] = []
    played: Text = ""


class Drawn(msgspec.Struct):
    """A figure before it is written.

    Attributes
    ----------
    name : str
        Letters, digits and "-": the stem of its files is the benchmark's name, "-", and this.
    title, caption : Text
        The caption says what is shown, the n, and what intervals are. A message of the benchmark's
        (`zhiyin.words.said`) is put on the page in its reader's language; a string as it is.
    canvas : matplotlib.figure.Figure
    columns : list of str
    rows : list of list
        The data behind the figure, as a table.
    page : PagePart or None
        The same for a page, in the letters and the language of its reader; without it a page shows
        the figure itself.
    """

    name: str
    title: Text
    caption: Text
    canvas: Any
    columns: list[str]
    rows: list[list[Cell]]
    page: PagePart | None = None


class FigureRun:
    """One run as figures see it.

    Attributes
    ----------
    label : str
        Short, and different from that of every other run.
    series : Series
        Its mark in every figure: that of the page.
    folder : Path
    manifest : Manifest
    """

    def __init__(self, label: str, series: Series, folder: Path, manifest: Manifest) -> None:
        self.label, self.series, self.folder, self.manifest = label, series, folder, manifest

    def __repr__(self) -> str:
        """Write name and benchmark on one line."""
        return one_line("FigureRun", self.label, "", self.manifest.benchmark)

    @cached_property
    def every(self) -> Rows:
        """All trials that count, in the order of the log."""
        return rows_of(self.folder)

    @cached_property
    def rows(self) -> Rows:
        """Rows of the benchmark's own questions: heard whole, and in its own words."""
        return self.every.unvaried

    @cached_property
    def judged(self) -> Rows:
        """Judged trials, in the order of the log; those that failed are in no figure."""
        return self.rows.judged

    @cached_property
    def plain(self) -> Rows:
        """Rows asked in the benchmark's main way."""
        return self.judged.main

    @cached_property
    def groups(self) -> dict[str, Rows]:
        """Plain trials by group, without the names of conditions; "all" first."""
        return self.plain.by_group(conditions=False)


def picture_of(
    runs: Iterable[FigureRun],
    head: str,
    title: Text,
    rows: Sequence[DotRow],
    *notes: Text,
    unit: str = "",
) -> DotPicture:
    """A picture with a mark for each run in a row; `head` is a heading of columns."""
    names = tuple((run.series, run.label) for run in runs)
    return DotPicture(said("head", name=head), title, unit, names, tuple(rows), notes=notes)


Skill = Literal[
    "knowledge", "theory", "reading", "pitch", "rhythm", "harmony", "timbre", "form", "mood",
    "reasoning", "writing",
]  # fmt: skip
SKILLS: tuple[Skill, ...] = get_args(Skill)
HEARD: frozenset[Skill] = frozenset(("pitch", "rhythm", "harmony", "timbre", "form", "mood"))
"""Those that are shown by listening."""
