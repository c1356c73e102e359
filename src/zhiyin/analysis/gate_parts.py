"""Skills, and groups that were named, held against those of earlier runs.

A fall in one skill is lost in the figure of a whole run, the more so in that of a suite. Findings
of a kind share alpha among them, and those of whole runs have theirs for themselves.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from zhiyin.analysis.compare import two_runs
from zhiyin.analysis.families import declared_families
from zhiyin.analysis.gate import AbsentRun, GateFinding, verdict_of
from zhiyin.analysis.pairs import RunSample, shared_items
from zhiyin.analysis.skills import Card, paired_on, read_card
from zhiyin.contract.declared import SKILLS, Skill, title_of
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.runs.differences import settled
from zhiyin.runs.measures import EXPLORATORY, SHARE, Measure

Pairs = Mapping[str, tuple[Path, Path | AbsentRun]]


def parts_held(
    pairs: Pairs,
    findings: Sequence[GateFinding],
    points: float = 0.0,
    *,
    families: Sequence[str] = (),
    together: Mapping[str, str] | None = None,
    measure: str | None = None,
    alpha: float = 0.05,
) -> list[GateFinding]:
    """The skills that runs show, and the groups that were named, held against earlier runs.

    Parameters
    ----------
    pairs : mapping of str to (Path, Path or AbsentRun)
        As in `gate.gate`.
    findings : sequence of GateFinding
        What that found: of runs that cannot be compared, or were not asked anew, nothing is held.
    points, measure, alpha
        As there.
    families : sequence of str
        Patterns of groups that must not fall; see `families.declared_families`.
    together : mapping of str to str
        By the names of pairs, whose skills are shown together: one name for the runs of a model.

    Raises
    ------
    InputError
        A pattern is that of no group.
    """
    out = {one.name for one in findings if one.state == "other" or one.low == one.high == 0}
    there = {
        name: (old, new)
        for name, (old, new) in pairs.items()
        if isinstance(new, Path) and name not in out
    }
    return [
        *(_skills(there, together or {}, points / 100, alpha) if measure is None else ()),
        *_groups(there, families, points, measure, alpha),
    ]


def _skills(
    pairs: Mapping[str, tuple[Path, Path]], together: Mapping[str, str], allowed: float,
    alpha: float,
) -> Iterator[GateFinding]:  # fmt: skip
    cards: dict[str, tuple[Card, Card]] = {}
    for who in dict.fromkeys(together.get(name, name) for name in pairs):
        own = [each for name, each in pairs.items() if together.get(name, name) == who]
        called = [read_manifest(old).benchmark for old, _ in own]
        old, new = (
            read_card(who, [(name, each[n]) for name, each in zip(called, own, strict=True)])
            for n in (0, 1)
        )
        cards[who] = old, new
    wanted = [(who, skill) for who, (old, new) in cards.items() for skill in _told(old, new)]
    level = 1 - alpha / max(1, len(wanted))
    for who, skill in wanted:
        old, new = cards[who]
        found = paired_on(new, old, skill, level)
        assert found is not None
        ends = found.mean, found.low, found.high
        state, why = verdict_of(ends, allowed, SHARE)
        yield GateFinding(
            f"{who}: {title_of(skill)}", old.name, new.name, "accuracy", found.n, 0, found.n,
            found.second, found.first, *ends, level, allowed, None, state, why,
            of="skill",
        )  # fmt: skip


def _told(old: Card, new: Card) -> list[Skill]:
    """The skills that say something that the runs' own figures do not: of one run more than one."""
    shown = [skill for skill in SKILLS if old.scores[skill].keys() & new.scores[skill].keys()]
    runs = {part.benchmark for line in old.lines for part in line.parts}
    return shown if len(shown) > 1 or len(runs) > 1 else []


def _groups(
    pairs: Mapping[str, tuple[Path, Path]], families: Sequence[str], points: float,
    measure: str | None, alpha: float,
) -> Iterator[GateFinding]:  # fmt: skip
    if not families:
        return
    sides = {name: two_runs(new, old, measure) for name, (old, new) in pairs.items()}
    every = dict.fromkeys(group for one, _, _ in sides.values() for group in one.frame.groups())
    member = declared_families(dict.fromkeys(every, EXPLORATORY), families, ALL)
    held: list[tuple[str, str, RunSample, RunSample, Measure]] = [
        (name, group, *each)
        for name, each in sides.items()
        for group in each[0].frame.groups()
        if group != ALL and member[group] != EXPLORATORY
    ]
    level = 1 - alpha / max(1, len(held))
    for name, group, one, two, wanted in held:
        both = shared_items(one, two, wanted, group)
        found = settled((one.name, two.name), wanted, both, 0, level=level)
        if found is None or found.ends is None or found.pair is None:
            continue
        mean, low, high = found.ends
        ends = (-mean, -high, -low) if wanted.lower_is_better else (mean, low, high)
        allowed = points / 100 if wanted.unit == SHARE else points
        state, why = verdict_of(ends, allowed, wanted.unit)
        yield GateFinding(
            f"{name}: {group}", two.name, one.name, wanted.name, found.items, 0, found.items,
            found.pair.second, found.pair.first, *ends, level, allowed, None, state, why,
            wanted.unit, "group",
        )  # fmt: skip
