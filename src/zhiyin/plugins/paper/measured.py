"""A run's measured figures, in the form of every export: the headline first."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from zhiyin.contract.registry import known
from zhiyin.engine.log import Manifest
from zhiyin.engine.scoring import ALL
from zhiyin.record import SCORE
from zhiyin.report.paper_runs import PaperRun, headlines
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.measures import ACCURACY, SHARE, USUAL, Estimate, Ints, Measure, measure_named
from zhiyin.runs.rows import rows_of
from zhiyin.session import short_name


def measured(folder: Path, manifest: Manifest) -> list[Estimate]:
    """Every declared measure of a run that has a value.

    The headline comes first, then the share of right answers, or the headline where that is none,
    of each group; then each other declared measure, and each score that nobody declares, of the
    whole; at last scores that are made of parts.

    Returns
    -------
    list of Estimate
        With their groups; of a total made of parts with the judge in the measure.
    """
    run = PaperRun("", 0, folder, manifest)
    frame, declared = Frame(rows_of(folder)), known(manifest).measures
    leads = headlines([run])
    by_group = ACCURACY if any(leads[0].of == each.of for each in USUAL) else leads[0]
    names = frame.several[0].table.score_names
    wanted = [
        *((measure, measure.group) for measure in leads),
        *((by_group, group) for group in frame.groups(tree=False)),
        *((measure, measure.group) for measure in declared),
        *((measure_named(f"{SCORE}{name}", declared), ALL) for name in names),
    ]
    found = [
        own for own in known(manifest).by_degrees(run.rows.settled) if own.interval is not None
    ]
    for measure, group in dict.fromkeys(wanted):
        if not any((one.measure.name, one.group) == (measure.name, group) for one in found):
            own = estimate(frame, measure, places_of(frame, group), test=True)
            found += [replace(own, group=group)] if own.value is not None else []
    return [*found, *_of_parts(frame, manifest)]


def places_of(frame: Frame, group: str) -> Ints:
    """The trials of a group as logged, or of one without the names of ways in the main way."""
    own = frame.places(group)
    return own if len(own) or group == ALL else frame.places(group, "")


def _of_parts(frame: Frame, manifest: Manifest) -> Iterator[Estimate]:
    """The total and the parts of a run, under each judge."""
    for place, total in enumerate(known(manifest).totals(frame.several[0].folder)):
        for measure in (total, *total.parts):
            own = estimate(frame, measure)
            if own.value is None or (place and not measure.by and measure is not total):
                continue
            name = "score" if measure.by else "accuracy"
            named = replace(measure, name=name, group=measure.name)
            yield replace(own, measure=named, group=measure.name)


def name_of(one: Estimate, every: Sequence[Estimate]) -> str:
    """Name a figure: its group, and its judge if others of a run have another."""
    judges = {other.measure.by for other in every} - {""}
    many = one.measure.by and len(judges) > 1
    return f"{one.group}_{short_name(one.measure.by)}" if many else one.group


def unit_of(measure: Measure) -> str:
    """The unit of what goes out in words."""
    return "proportion" if measure.unit == SHARE else measure.unit or "not declared"
