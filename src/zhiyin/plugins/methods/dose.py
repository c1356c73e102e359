"""The doses of a run: its items at each of them, and the tables of what more sound adds."""

from __future__ import annotations

from collections import defaultdict

import msgspec
import numpy as np

from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.plugins.methods.dose_model import DoseCurve, distinct, knowledge
from zhiyin.plugins.methods.doses import HEARD_S, WHOLE, dose_place
from zhiyin.runs.rows import Rows, TrialRow
from zhiyin.runs.sums import averaged
from zhiyin.runs.ways import NO_SOUND, Way, Ways
from zhiyin.statistics.intervals import Ends, Interval, cluster_index
from zhiyin.words import Text, said


class DosePoint(msgspec.Struct, frozen=True):
    """One dose of a run.

    Attributes
    ----------
    name : str
        As it was ordered: ``25%``.
    seconds : float
        Heard on average.
    accuracy : Interval
    needing_more : Ends or None
        The share of items that need more than this; None at the largest dose.
    """

    name: str
    seconds: float
    accuracy: Interval
    needing_more: Ends | None


class RunDoses(msgspec.Struct, frozen=True):
    """Results of a run's doses.

    Attributes
    ----------
    points : tuple of DosePoint
        By the seconds that were heard.
    items, clusters, left_out : int
        Items that were judged at every dose, their clusters, and items that were not.
    chance : float or None
        Of guessing evenly, where all items have options.
    kept : Ends or None
        The share of the accuracy that is left without sound; None where this was not asked.
    half : Ends or None
        Seconds at which half of what sound adds is reached; None where sound adds nothing
        significant, or where 0 or the whole was not asked.
    bracket : tuple of str
        The doses asked between which the interval of `half` lies; "" for each without it.
    lost : tuple of str
        Doses of which no trial was judged.
    """

    points: tuple[DosePoint, ...]
    items: int
    clusters: int
    left_out: int
    chance: float | None
    kept: Ends | None
    half: Ends | None
    bracket: tuple[str, str]
    lost: tuple[str, ...] = ()

    @property
    def ends(self) -> bool:
        """True if both no sound and all of it were asked."""
        names = {point.name for point in self.points}
        return {NO_SOUND, WHOLE} <= names


class _DosedCell(msgspec.Struct):
    """An item in one condition at its doses: right, readable and how many, by dose."""

    item: str
    cluster: str
    options: int
    sums: dict[str, list[float]] = {}


def doses_of(rows: Rows) -> RunDoses | None:
    """The doses of a run, of items asked otherwise in its main way; None for fewer than two.

    Repeats and rotations are averaged within their dose, then what was asked about one item in
    several conditions, as in all figures.
    """
    way = rows.ways.that_change("dose")
    if way is None:
        return None
    others = Ways(each for each in rows.ways if each != way)
    dosed = rows.judged.which(
        lambda kind: way.name in kind.tags and not others.of({**kind.tags, way.name: way.plain})
    )
    cells, seconds = _gathered(dosed, way)
    names = sorted(seconds, key=lambda name: (np.mean(seconds[name]), dose_place(name)))
    whole = [cell for cell in cells if len(cell.sums) == len(names)]
    if len(names) < 2 or not whole:
        return None
    every = len({cell.item for cell in cells})
    found = _doses(names, [float(np.mean(seconds[n])) for n in names], whole, every)
    asked = rows.which(lambda kind: way.name in kind.tags)
    doses = {
        str(asked.table.kinds[kind].tags[way.name])
        for kind in set(asked.table.kind[asked.numbers].tolist())
    }
    lost = tuple(sorted(doses - seconds.keys(), key=dose_place))
    return msgspec.structs.replace(found, lost=lost)


def _gathered(rows: Rows, way: Way) -> tuple[list[_DosedCell], dict[str, list[float]]]:
    """Items by their conditions but for the dose; and what was heard at each dose, in seconds."""
    cells: dict[tuple[str, str], _DosedCell] = {}
    seconds: dict[str, list[float]] = defaultdict(list)
    for row in rows:
        tags = row.tags
        dose = str(tags[way.name])
        cell = cells.setdefault(
            (row.item, _bare(row, f"{way.name}={dose}")),
            _DosedCell(row.item, row.cluster or row.item, row.options),
        )
        sums = cell.sums.setdefault(dose, [0.0, 0.0, 0.0])
        for place, value in enumerate((row.right, float(row.answered), 1.0)):
            sums[place] += value
        seconds[dose].append(float(tags.get(HEARD_S) or 0.0))  # type: ignore[arg-type]
    return list(cells.values()), seconds


def _bare(row: TrialRow, way: str) -> str:
    return "/".join(part for part in row.condition.split("/") if part != way)


def _doses(names: list[str], seconds: list[float], whole: list[_DosedCell], of: int) -> RunDoses:
    sums = np.array([[cell.sums[name] for name in names] for cell in whole])
    right, answered = sums[:, :, 0] / sums[:, :, 2], sums[:, :, 1] / sums[:, :, 2]
    options = np.array([cell.options for cell in whole])
    known = knowledge(right, answered, options[:, None])
    of_item = {cell.item: cell.cluster for cell in whole}
    home = cluster_index([cell.item for cell in whole], len(whole))
    right, known = (averaged(home, values) for values in (right, known))
    clusters = list(of_item.values())
    curve = DoseCurve(seconds, right, known, clusters)
    needing = [*curve.needing_more(), None]
    points = tuple(
        DosePoint(*each) for each in zip(names, seconds, curve.accuracy(), needing, strict=True)
    )
    ends = {NO_SOUND, WHOLE} <= set(names)
    apart = distinct(seconds)
    half = None
    if ends and len(apart) > 1:
        rising = DoseCurve(curve.seconds[apart], right[:, apart], known[:, apart], clusters)
        half = rising.half()
    return RunDoses(
        points=points,
        items=len(clusters),
        clusters=curve.cluster_count,
        left_out=of - len(clusters),
        chance=float(averaged(home, 1 / options).mean()) if options.min() > 1 else None,
        kept=curve.kept_without() if ends else None,
        half=half,
        bracket=_bracket(points, half),
    )


def _bracket(points: tuple[DosePoint, ...], half: Ends | None) -> tuple[str, str]:
    """The largest dose asked below an interval, and the smallest above it."""
    if half is None:
        return "", ""
    below = [point.name for point in points if point.seconds <= half.low]
    above = [point.name for point in points if point.seconds >= half.high]
    return (below[-1] if below else points[0].name), (above[0] if above else points[-1].name)


def dose_sections(rows: Rows) -> list[Section]:
    """Accuracy over dose, and what needs more of the sound; nothing for a run without doses."""
    doses = doses_of(rows)
    if doses is None:
        return []
    table: list[list[Cell]] = [
        [
            dose_in_words(point.name),
            point.seconds,
            (point.accuracy.mean, point.accuracy.low, point.accuracy.high),
            _cell(point.needing_more),
        ]
        for point in doses.points
    ]
    columns = heads("heard", "seconds-heard", "accuracy-share", "need-more")
    kinds: list[Kind] = ["text", "number", "share", "share"]
    return [Section(said("dose-title"), columns, table, _notes(doses), leads=True, kinds=kinds)]


def _named(dose: str) -> str:
    """A dose as the message ``dose-name`` takes it."""
    return {NO_SOUND: "nothing", WHOLE: "whole"}.get(dose, dose)


def _cell(one: Ends | None) -> Cell:
    return None if one is None else (one.value, one.low, one.high)


def _notes(doses: RunDoses) -> list[Text]:
    notes: list[Text] = []
    if doses.ends:
        notes.append(_half_note(doses))
        if doses.kept is not None:
            whole = next(one.accuracy.mean for one in doses.points if one.name == WHOLE)
            guess = None if doses.chance is None or not whole else doses.chance / whole
            notes.append(said("dose-kept", guess=guess, **_facts(doses.kept)))
    elif not {NO_SOUND, WHOLE} & set(doses.lost):
        notes.append(said("dose-ends"))
    notes += [said("dose-lost", dose=_named(name)) for name in doses.lost]
    largest = _named(doses.points[-1].name)
    notes.append(said("dose-note", n=doses.items, clusters=doses.clusters, dose=largest))
    if doses.left_out:
        notes.append(said("dose-left-out", n=doses.left_out))
    return notes


def _half_note(doses: RunDoses) -> Text:
    if doses.half is not None:
        first, last = doses.bracket
        between = {"first": dose_in_words(first), "last": dose_in_words(last)}
        return said("dose-half", **between, **_facts(doses.half))
    adds = next(point.needing_more for point in doses.points if point.name == NO_SOUND)
    return said("dose-nothing", harms=adds is not None and adds.high < 0)


def dose_in_words(dose: str) -> Text:
    """A dose as sentences and tables name it."""
    return said("dose-name", dose=_named(dose))


def _facts(one: Ends) -> dict[str, float]:
    return {"value": one.value, "low": one.low, "high": one.high}
