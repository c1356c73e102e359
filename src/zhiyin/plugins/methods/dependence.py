"""Dependence of a figure on how items are asked: other words, orders, languages, and again.

Consistency across wordings, the components of variance, and accuracy by wording and by where the
right option stands; of one run, or of several of one benchmark: in other languages, or by other
servers and sessions.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path

import msgspec
import numpy as np

from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.engine.folder import read_manifest
from zhiyin.errors import InputError
from zhiyin.plugins.methods.choice import pair_agreement
from zhiyin.plugins.methods.components import Components, components
from zhiyin.plugins.methods.wordings import OWN, WORDS
from zhiyin.runs.pairing import check_benchmark, check_different
from zhiyin.runs.rows import Rows, rows_of
from zhiyin.runs.ways import Ways
from zhiyin.statistics.intervals import Floats, Interval, averaged_within, interval
from zhiyin.statistics.paired import paired_difference
from zhiyin.words import Text, said

WORDING, ORDER, LANGUAGE, SERVER = "words", "order", "language", "server"
FACTORS = (WORDING, ORDER, LANGUAGE, SERVER)
POSITION = "position"
"""Where the right option stands: by this, and not by what else an order is, levels are shown."""
_SHOWN = 0.0005
"""A variance below it is shown as 0.000, and a standard error above it as more than 0 points."""
_RIGHT = "right"


class WordingConsistency(msgspec.Struct, frozen=True):
    """Consistency of answers to an item in its own words and in others.

    Attributes
    ----------
    items : int
        Items that were judged in several wordings, in one order each time.
    wordings : float
        In how many, on average, their own among them.
    own, every : Interval
        Accuracy in their own words, and over all wordings.
    same : Interval
        Share of items of which the same was answered in all wordings. No answer is like no other.
    right : Interval
        Share of items that are right in all wordings.
    pairs : Interval
        Share of pairs of wordings in which the same was answered.
    again : Interval or None
        The same of pairs of samples in one wording and order; None where nothing was asked again.
    chance, chance_same, chance_right : float or None
        What guessing evenly gives; None for free answers. Of `pairs` it is `chance`.
    """

    items: int
    wordings: float
    own: Interval
    every: Interval
    same: Interval
    right: Interval
    pairs: Interval
    again: Interval | None
    chance: float | None
    chance_same: float | None
    chance_right: float | None


class LevelAccuracy(msgspec.Struct, frozen=True):
    """Accuracy at one level of what was varied.

    Attributes
    ----------
    factor, level : str
        `WORDING`, `POSITION`, `LANGUAGE` or `SERVER`; a wording, a letter, a language, a run.
    accuracy : Interval
    difference : tuple of float or None
        From the mean of an item's other levels, with its 95 % interval, over items that have
        several; None where there are not two.
    """

    factor: str
    level: str
    accuracy: Interval
    difference: tuple[float, float, float] | None


class Dependence(msgspec.Struct, frozen=True):
    """Dependence of the figure of a run, or of several, on how items are asked.

    Attributes
    ----------
    consistency : WordingConsistency or None
        None where items were asked in one wording each.
    components : Components or None
        None where no three clusters of items were asked in every way that others were.
    levels : tuple of LevelAccuracy
    """

    consistency: WordingConsistency | None
    components: Components | None
    levels: tuple[LevelAccuracy, ...]


class _Answers:
    """Judged answers, in columns.

    An item that is asked about several things (in sound and in MIDI) counts as several.
    """

    def __init__(self) -> None:
        self.items: list[tuple[str, str]] = []
        self.clusters: list[str] = []
        self.right: list[float] = []
        self.answers: list[str | None] = []
        self.options: list[int] = []
        self.levels: dict[str, list[str]] = {name: [] for name in (*FACTORS, POSITION)}
        self._orders: list[tuple[str, ...]] = []
        self._offered: list[int] = []

    def add(self, rows: Rows, language: str = "", server: str = "", seed: str = "") -> None:
        """Add the judged answers of a run that were asked in its main way, but for the words.

        Of a run without any, such as one without sound, all: as its figure of the whole is.
        """
        others = Ways(way for way in rows.ways if way.changes != WORDS.changes)
        main = rows.judged.which(lambda kind: others.is_main(kind.tags))
        main = main or rows.judged
        self._offered += main.table.question[main.numbers].tolist()
        for row in main:
            tags, gold = row.tags, row.gold or ""
            wording = str(tags.get(WORDS.name, OWN))
            bare = [part for part in row.condition.split("/") if part != f"{WORDS.name}={wording}"]
            self.items.append((row.item, "/".join(bare)))
            self.clusters.append(row.cluster or row.item)
            self.right.append(row.right)
            self.answers.append(row.answer if row.answered else None)
            self.options.append(row.alternatives)
            rotation, repeat = (str(tags.get(name, "")) for name in ("rotation", "repeat"))
            base = row.id.removesuffix(f"/{WORDS.name}={wording}")
            self._orders.append((rotation, gold, repeat, seed, base))
            levels = {WORDING: wording, LANGUAGE: language, SERVER: server, POSITION: gold}
            for name, level in levels.items():
                self.levels[name].append(level)

    def __len__(self) -> int:
        return len(self.right)

    def name_orders(self) -> None:
        """Say of each answer in which order its options stood, once all are added.

        Rotations are orders; repeats, and runs of another seed, where they show other orders; and
        where a question is shown with several sets of options, each of these.
        """
        parts = [0, 1, *(place for place in (2, 3) if self._shuffles(place))]
        parts += [4] if self._offers_several(parts) else []
        self.levels[ORDER] = ["/".join(own[part] for part in parts) for own in self._orders]

    def _shuffles(self, place: int) -> bool:
        """Tell whether the right option of a question moves from one repeat or seed to another."""
        seen: dict[tuple[object, ...], str] = {}
        for item, own in zip(self.items, self._orders, strict=True):
            rest = (own[0], *(own[part] for part in (2, 3) if part != place))
            if seen.setdefault((item, *rest), own[1]) != own[1]:
                return True
        return False

    def _offers_several(self, parts: Sequence[int]) -> bool:
        """Tell whether what would be one question in one order is asked with other options."""
        seen: dict[tuple[object, ...], int] = {}
        for place, own in enumerate(self._orders):
            levels = (self.levels[name][place] for name in (WORDING, LANGUAGE))
            key = (self.items[place], *levels, *(own[part] for part in parts))
            if seen.setdefault(key, self._offered[place]) != self._offered[place]:
                return True
        return False


def dependence_of(folders: Sequence[Path]) -> Dependence:
    """Compute what the figure of runs depends on.

    Parameters
    ----------
    folders : sequence of Path
        Runs of one model on one benchmark. Those that differ in language are its languages, others
        its servers and sessions.

    Raises
    ------
    InputError
        They are of several benchmarks, or one is given twice, or nothing was judged.
    """
    check_different(folders)
    manifests = [read_manifest(folder) for folder in folders]
    check_benchmark(folders, manifests)
    answers, times = _Answers(), defaultdict[tuple[str, ...], int](int)
    for folder, manifest in zip(folders, manifests, strict=True):
        language, seed = (str(manifest.options.get(name) or "") for name in ("language", "seed"))
        server = manifest.spec or manifest.model
        times[language, server, seed] += 1
        number = times[language, server, seed]
        server += f" ({number})" if number > 1 else ""
        answers.add(rows_of(folder), language, server, seed)
    if not len(answers):
        raise InputError(said("bias-none-judged", folders=folders[0]))
    return _dependence(answers)


def dependence_in(rows: Rows) -> Dependence | None:
    """Compute the dependence of a run asked in several wordings; None for any other."""
    if rows.ways.that_change("words") is None:
        return None
    answers = _Answers()
    answers.add(rows)
    return _dependence(answers) if len(answers) else None


def _dependence(answers: _Answers) -> Dependence:
    answers.name_orders()
    factors = {name: answers.levels[name] for name in FACTORS}
    try:
        split = components(
            answers.right, answers.items, factors, answers.clusters, frozenset({LANGUAGE, SERVER})
        )
    except InputError:
        split = None
    levels = tuple(
        level
        for factor in (WORDING, POSITION, LANGUAGE, SERVER)
        for level in _levels(answers, factor)
    )
    return Dependence(_consistency(answers), split, levels)


def _consistency(answers: _Answers) -> WordingConsistency | None:
    """Compute consistency over groups of answers that differ only in wording, but for samples."""
    cells: dict[tuple[object, ...], dict[str, list[int]]] = defaultdict(lambda: defaultdict(list))
    for place, item in enumerate(answers.items):
        rest = (answers.levels[name][place] for name in (ORDER, LANGUAGE, SERVER))
        cells[item, *rest][answers.levels[WORDING][place]].append(place)
    # samples of one wording stand beside samples of another in the order of the log
    groups = [
        [own[number] for own in cell.values()]
        for cell in cells.values()
        if len(cell) > 1 and OWN in cell
        for number in range(min(map(len, cell.values())))
    ]
    if len({answers.items[group[0]] for group in groups}) < 2:
        return None
    chosen = [[_content(answers, place) for place in group] for group in groups]
    right = [[answers.right[place] for place in group] for group in groups]
    asked = [answers.levels[WORDING][place] for group in groups for place in group]
    options = np.array([answers.options[group[0]] for group in groups], dtype=float)
    size = np.array([len(group) for group in groups], dtype=float)
    choices = bool(options.min() > 1)

    def over_items(values: Iterable[float]) -> Interval:
        return _over_items(answers, [group[0] for group in groups], values)

    chance = [_mean(1 / options), _mean(options ** (1 - size)), _mean(options**-size)]
    even, same, every = chance if choices else (None, None, None)
    flat = np.concatenate(right)
    return WordingConsistency(
        items=len({answers.items[group[0]] for group in groups}),
        wordings=_mean(size),
        own=over_items(flat[np.array(asked) == OWN].tolist()),
        every=over_items(map(_mean, right)),
        same=over_items(float(None not in own and len(set(own)) == 1) for own in chosen),
        right=over_items(float(all(own)) for own in right),
        pairs=over_items(map(pair_agreement, chosen)),
        again=_again(answers, cells),
        chance=even,
        chance_same=same,
        chance_right=every,
    )


def _mean(values: Sequence[float] | Floats) -> float:
    return float(np.mean(values))


def _content(answers: _Answers, place: int) -> str | None:
    """Return what was answered, whatever its words; None for no readable answer."""
    return _RIGHT if answers.right[place] else answers.answers[place]


def _over_items(answers: _Answers, first: Sequence[int], values: Iterable[float]) -> Interval:
    """The mean of values of answers, averaged within their items, over clusters."""
    items = [answers.items[place] for place in first]
    clusters = dict(zip(items, (answers.clusters[place] for place in first), strict=True))
    return interval(averaged_within(list(values), items), list(clusters.values()))


def _again(
    answers: _Answers, cells: Mapping[tuple[object, ...], Mapping[str, Sequence[int]]]
) -> Interval | None:
    """Share of pairs of samples of one question in which the same was answered."""
    several = [own for cell in cells.values() for own in cell.values() if len(own) > 1]
    if len({answers.items[own[0]] for own in several}) < 2:
        return None
    shares = [pair_agreement([_content(answers, place) for place in own]) for own in several]
    return _over_items(answers, [own[0] for own in several], shares)


def _levels(answers: _Answers, factor: str) -> Iterator[LevelAccuracy]:
    """Accuracy at each level of a factor; nothing where there is only one."""
    own = answers.levels[factor]
    names = sorted({name for name in own if name}, key=_place)
    if len(names) < 2:
        return
    kept = [place for place, name in enumerate(own) if name]
    apart = _apart(answers, kept, factor, names)
    for name in names:
        here = [place for place in kept if own[place] == name]
        accuracy = _over_items(answers, here, [answers.right[place] for place in here])
        yield LevelAccuracy(factor, name, accuracy, apart.get(name))


def _apart(
    answers: _Answers, kept: Sequence[int], factor: str, names: Sequence[str]
) -> dict[str, tuple[float, float, float]]:
    """Return each level's difference from the mean of an item's other levels, all else alike.

    Answers are compared that differ in this factor alone, so that one that was asked in fewer ways
    of another kind stands beside the same ways.
    """
    rest = [name for name in FACTORS if name != (ORDER if factor == POSITION else factor)]
    cells: dict[tuple[object, ...], dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for place in kept:
        key = (answers.items[place], answers.clusters[place])
        cell = cells[(*key, *(answers.levels[name][place] for name in rest))]
        cell[answers.levels[factor][place]].append(answers.right[place])
    found = {}
    for name in names:
        pairs: dict[tuple[object, object], list[tuple[float, float]]] = defaultdict(list)
        for (item, cluster, *_), cell in cells.items():
            others = [_mean(right) for level, right in cell.items() if level != name]
            if name in cell and others:
                pairs[item, cluster].append((_mean(cell[name]), _mean(others)))
        clusters = [cluster for _, cluster in pairs]
        if len(set(clusters)) > 1:
            own, other = np.array([np.mean(both, axis=0) for both in pairs.values()]).T
            apart = paired_difference(own, other, clusters)
            found[name] = (apart.mean, apart.low, apart.high)
    return found


def _place(name: str) -> tuple[bool, int, str]:
    """Return a sort key for a level: a question's own words first, numbers as numbers."""
    return (name != OWN, int(name) if name.isdecimal() else 0, name)


def dependence_sections(found: Dependence | None) -> list[Section]:
    """The tables of what a figure depends on; none for a run asked in one wording."""
    if found is None:
        return []
    sections = [] if found.consistency is None else [_consistency_section(found.consistency)]
    if found.components is not None:
        sections.append(_components_section(found.components))
    if found.levels:
        sections.append(_levels_section(found.levels))
    return sections


def _consistency_section(found: WordingConsistency) -> Section:
    rows: list[list[Cell]] = [
        [said("words-own"), found.own.ends, found.chance],
        [said("words-every"), found.every.ends, found.chance],
        [said("words-right"), found.right.ends, found.chance_right],
        [said("words-same"), found.same.ends, found.chance_same],
        [said("words-pairs"), found.pairs.ends, found.chance],
    ]
    if found.again is not None:
        rows.append([said("words-again"), found.again.ends, found.chance])
    kinds: list[Kind] = ["text", "share", "share"]
    notes = [said("words-note", n=found.items, wordings=found.wordings)]
    columns = heads("in-words", "share-of-items", "by-guessing")
    return Section(said("words-title"), columns, rows, notes, leads=True, kinds=kinds)


def _components_section(found: Components) -> Section:
    rows: list[list[Cell]] = []
    for part in found.parts:
        name = said(
            "depends-part", name=part.name, levels=part.levels, sampling=part.with_sampling,
            varied=part.variance is not None,
        )  # fmt: skip
        if part.variance is None or part.low is None or part.high is None:
            rows.append([name, said("depends-not-varied"), None, None, None])
            continue
        shown = (part.variance, part.low, part.high)
        rows.append([name, shown, part.share, part.se_once, part.se])
    columns = heads("depends-on", "variance", "share-of-it", "se-once", "se-design")
    kinds: list[Kind] = ["text", "number", "share", "share", "share"]
    return Section(
        said("depends-title"), columns, rows, _notes(found), leads=True, kinds=kinds
    )  # fmt: skip


def _notes(found: Components) -> list[Text]:
    parts = {part.name: part for part in found.parts}
    figure = found.figure
    facts = {"value": figure.mean, "low": figure.low, "high": figure.high}
    notes: list[Text] = [
        said("depends-figure", n=found.items, clusters=found.clusters, **facts),
        said("depends-note"),
    ]
    if any((part.variance or 0.0) < _SHOWN < (part.se or 0.0) for part in found.parts[:1]):
        notes.append(said("depends-se-without-variance"))
    if with_sampling := [part.name for part in found.parts if part.with_sampling]:
        notes.append(said("depends-sampling", name=with_sampling[0]))
    if parts[ORDER].variance is not None:
        notes.append(said("depends-order"))
    if any(parts[name].variance is not None for name in (LANGUAGE, SERVER)):
        notes.append(said("depends-shared"))
    if found.left_out:
        notes.append(said("depends-left-out", n=found.left_out))
    return notes


def _levels_section(levels: Sequence[LevelAccuracy]) -> Section:
    rows: list[list[Cell]] = [
        [
            said("depends-level", factor=one.factor, level=one.level),
            one.accuracy.n,
            one.accuracy.ends,
            one.difference,
        ]
        for one in levels
    ]
    kinds: list[Kind] = ["text", "count", "share", "points"]
    columns = heads("level", "items", "accuracy-share", "from-others")
    return Section(said("levels-title"), columns, rows, [said("levels-note")], kinds=kinds)
