"""Findings of a gate as a table, and as files of continuous integration: JUnit XML, Markdown.

Skills, and groups that were named, held against those of earlier runs.

A fall in one skill is lost in the figure of a whole run, the more so in that of a suite. Findings
of a kind share alpha among them, and those of whole runs have theirs for themselves.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence, Set
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

from zhiyin.analysis.compare import two_runs
from zhiyin.analysis.pairs import RunSample, declared_families, shared_items
from zhiyin.contract.declared import SKILLS, Skill
from zhiyin.contract.registry import known
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, reworded
from zhiyin.files import Place, write_atomically
from zhiyin.plugins.lab.gate import AbsentRun, GateFinding, gate_end, models_of, told_otherwise
from zhiyin.plugins.lab.gate_fall import MANY, fall_of, held, shared_level
from zhiyin.plugins.methods.skills import Card, paired_on, read_card, sense_of, skill_name
from zhiyin.runs.figures import GroupTree
from zhiyin.runs.measures import ACCURACY, EXPLORATORY, SHARE, Measure
from zhiyin.shown.charts import Series
from zhiyin.shown.dots import Dot, DotPicture, DotRow
from zhiyin.shown.paper import as_markdown
from zhiyin.shown.table import NONE, Cell, Column, Kind, Row, Table, kinds_of, written
from zhiyin.statistics.intervals import how_many
from zhiyin.text import printable
from zhiyin.words import Said, Text, said, spoken

KINDS = (".xml", ".md")


def check_summary(file: Path) -> None:
    """Raise `InputError` unless a file can be written, and its suffix says what goes into it."""
    if file.suffix not in KINDS:
        raise InputError(said("gate-summary-ends", file=file))
    there = file if file.exists() else file.parent
    why = "folder" if file.is_dir() else "none" if not file.parent.is_dir() else "closed"
    if why != "closed" or not os.access(there, os.W_OK):
        raise InputError(said("gate-summary-folder", file=file, why=why, folder=file.parent))


def write_summary(found: Sequence[GateFinding] | str, file: Place) -> None:
    """Write what a gate found, or why it found nothing, by the file's suffix: see `check_summary`.

    Parameters
    ----------
    found : sequence of GateFinding or str
    file : path

    Raises
    ------
    InputError
        The suffix is neither, or the file cannot be written.
    """
    path = Path(file)
    check_summary(path)
    if path.suffix == ".xml":
        text = as_junit(found)
    elif isinstance(found, str):
        text = f"**{said('gate-no-verdict', why=None)}**\n\n{printable(found)}\n"
    else:
        text = as_markdown(gate_table(found))
    with reworded(f"--summary {path}: ", "; name another file"):
        write_atomically(path, text.encode())


def gate_table(
    findings: Sequence[GateFinding], *, gated: bool = True, nights: Sequence[Path] = ()
) -> Table:
    """Tabulate the findings: what closes the gate first, what passes last.

    Not `gated`: what got worse and better, without a verdict on the whole. `nights`: the suites, of
    which the first is "before".
    """
    order = sorted(findings, key=lambda one: _RANKS.index(_word(one)))
    kinds = Counter((one.of, one.level) for one in findings if one.low is not None)
    share = all(one.unit == SHARE for one in findings)
    value, gap = kinds_of(SHARE if share else "")
    columns = (
        Column(said("gate-asked")), Column(said("gate-verdict")),
        Column(said("gate-old", share=share), value), Column(said("gate-new", share=share), value),
        Column(said("gate-difference"), gap), Column(said("gate-interval"), gap),
        Column(said("gate-level")), Column(said("gate-items"), "count"),
    )  # fmt: skip
    rows = tuple(
        Row(
            (
                one.name,
                said("gate-state", state=_word(one), gated=gated),
                *_in_unit(one, share=share),
                None if one.low is None else f"{100 * one.level:.4g} %", one.items,
            ),
            weight=float(not one.passes), mark="" if one.passes else "strong",
        )
        for one in order
    )  # fmt: skip
    key = [
        said("gate-note", of=of, level=f"{100 * level:.4g}", n=n, share=share,
             together=f"{100 * (1 - n * (1 - level)):.4g}")
        for (of, level), n in kinds.items()
    ]  # fmt: skip
    told = [
        one
        for one in order
        if one.state not in ("kept", "open", "worse")
        or (isinstance(one.why, Said) and one.why.name not in _SAID_ONCE)
    ]
    beside: list[tuple[Text, Text]] = [(one.name, _not_said_yet(one.why)) for one in told]
    beside += [(one.name, one.otherwise) for one in order if one.otherwise]
    beside += [(one.name, said("gate-guessing")) for one in order if one.guessing]
    notes: list[Text] = []
    for text in {str(text): text for _, text in beside}.values():
        who = [name for name, own in beside if str(own) == str(text)]
        notes.append(said("check-of", who=who, text=text))
    notes += [one.see for one in order if one.see]
    if gated:
        notes += _verdicts(order)
    counts = Counter(one.state for one in findings)
    better = sum(one.better for one in findings)
    title = said(
        "gate-changes", of=len(findings) - counts["unheld"], worse=counts["worse"], better=better,
        rest=counts["open"] + counts["kept"] - better, unheld=counts["unheld"],
        undone=counts["missing"] + counts["failed"] + counts["other"],
    ) if not gated else said(
        "gate-title", end=gate_end(findings), of=len(findings) - counts["unheld"],
        other=counts["other"], failed=counts["failed"], unheld=counts["unheld"],
        closing=sum(one.closes for one in findings),
    )  # fmt: skip
    if nights:
        first, *later = (folder.name for folder in nights)
        key.insert(0, said("gate-nights", first=first, later=later))
    return Table("gate", title, columns, rows, (*notes, *key))


_RANKS = ("worse", "missing", "other", "failed", "unheld", "better", "open", "kept", "alike")
_SAID_ONCE = ("gate-worse", "gate-open", "gate-kept")
"""What one sentence says of all findings: see `_verdicts`."""


def _word(one: GateFinding) -> str:
    return "better" if one.better else "alike" if one.alike else one.state


def _not_said_yet(why: Text) -> Text:
    """Of a verdict that one sentence explains for all, what stands beside it."""
    if isinstance(why, Said) and why.name == "gate-beside":
        verdict = why.facts["why"]
        if isinstance(verdict, Said) and verdict.name in _SAID_ONCE:
            return said("check-each", each=why.facts["told"])
    return why


def _verdicts(findings: Sequence[GateFinding]) -> Iterator[Said]:
    """Say what worse and not shown mean, and which falls would be shown of what is not."""
    for unit in dict.fromkeys(one.unit for one in findings if one.low is not None):
        own = [one for one in findings if one.unit == unit and one.low is not None]
        falls = [
            said("gate-takes", name=one.name, fall=one.detectable, unit=unit)
            for one in own if one.state == "open" and one.of != "group"
        ]  # fmt: skip
        allowed = own[0].allowed
        yield said("gate-means", allowed=allowed or None, unit=unit, each=falls or None)


def gate_picture(findings: Sequence[GateFinding]) -> DotPicture | None:
    """The differences with their intervals, of shares; None where there are none."""
    held = [one for one in findings if one.low is not None and one.unit == SHARE]
    held.sort(key=lambda one: _RANKS.index(_word(one)))
    rows = tuple(
        DotRow(
            one.name, rule=-one.allowed, key=str(one.name),
            dots=(Dot(one.difference, one.low, one.high, clear=one.closes or one.better),),
        )
        for one in held
    )  # fmt: skip
    signs = tuple(
        Series("s0") if one.closes or one.better else Series("unsure", hollow=True) for one in held
    )
    if not held:
        return None
    notes = (said("gate-lines", points=held[0].allowed or None),)
    title = said("gate-difference")
    return DotPicture(said("gate-asked"), title, "points", (), rows, signs, notes=notes)


def _in_unit(one: GateFinding, *, share: bool) -> tuple[Cell, ...]:
    """The figures of a finding: as they are, or each in its own unit where units differ."""
    ends = None if one.low is None or one.high is None else (one.low, one.high)
    cells: tuple[Cell, ...] = (one.old_score, one.new_score, one.difference, ends)
    if share:
        return cells
    value, gap = kinds_of(one.unit)
    unit = "%" if one.unit == SHARE else one.unit
    kinds: tuple[Kind, ...] = (value, value, gap, gap)
    told = (
        written(cell, Column("", kind), spoken()) for cell, kind in zip(cells, kinds, strict=True)
    )
    return tuple(f"{text} {unit}".strip() if text != NONE else text for text in told)


def as_junit(found: Sequence[GateFinding] | str) -> str:
    """Write the findings as JUnit XML: a test case each.

    A failure where the gate is closed; an error where there is no verdict, since a run is not
    complete, cannot be compared, or nothing came to be compared at all; else what is not held
    is skipped.
    """
    findings = () if isinstance(found, str) else found
    held = any(one.state != "unheld" for one in findings)
    kinds = [
        "failure" if one.closes else "skipped" if held and one.state == "unheld"
        else None if held and one.passes else "error"
        for one in findings
    ]  # fmt: skip
    counts = {
        "tests": str(len(findings) or 1),
        "failures": str(kinds.count("failure")),
        "errors": str(kinds.count("error") or int(not findings)),
        "skipped": str(kinds.count("skipped")),
    }
    root = ElementTree.Element("testsuites", {"name": "zhiyin", **counts})
    suite = ElementTree.SubElement(root, "testsuite", {"name": "zhiyin", **counts})
    if isinstance(found, str):
        case = ElementTree.SubElement(suite, "testcase", _case("gate"))
        said_so = {"message": printable(found), "type": "none"}
        ElementTree.SubElement(case, "error", said_so).text = said_so["message"]
    for one, kind in zip(findings, kinds, strict=True):
        named = _case(f"{one.name}: {one.measure}", one.seconds)
        case = ElementTree.SubElement(suite, "testcase", named)
        why = printable(str(one.why))
        if kind:
            failure = ElementTree.SubElement(case, kind, {"message": why, "type": one.state})
            failure.text = _figures(one)
        lines = (why, _figures(one), *(printable(str(each)) for each in (one.otherwise, one.see)))
        ElementTree.SubElement(case, "system-out").text = "\n".join(filter(None, lines))
    ElementTree.indent(root)
    return f'<?xml version="1.0" encoding="UTF-8"?>\n{ElementTree.tostring(root, "unicode")}\n'


def _case(name: str, seconds: float = 0) -> dict[str, str]:
    return {"classname": "zhiyin.gate", "name": printable(name), "time": f"{seconds:.3g}"}


def _figures(one: GateFinding) -> str:
    """The figures of a finding on a line."""
    if one.difference is None or one.low is None or one.high is None:
        return ""
    value, gap = (Column("", kind) for kind in kinds_of(one.unit))
    unit, points = ("%", "points") if one.unit == SHARE else (one.unit, one.unit)
    ends = written((one.low, one.high), gap)
    return printable(
        f"{one.old} {written(one.old_score, value)} {unit}, "
        f"{one.new} {written(one.new_score, value)} {unit}: "
        f"difference {written(one.difference, gap)} {points} ({100 * one.level:.4g} % interval "
        f"{ends}) on {one.items:,} items"
    )


Pairs = Mapping[str, tuple[Path, Path | AbsentRun]]


def parts_held(
    pairs: Pairs, findings: Sequence[GateFinding], points: float = 0.0, *,
    families: Sequence[str] = (), together: Mapping[str, str] | None = None,
    measure: str | None = None, alpha: float = 0.05,
) -> list[GateFinding]:  # fmt: skip
    """The skills that runs show, or the groups that were named, held against earlier runs.

    Parameters
    ----------
    pairs : mapping of str to (Path, Path or AbsentRun)
        As in `gate.gate`.
    findings : sequence of GateFinding
        What that found: of runs that cannot be compared, or were not asked anew, nothing is held,
        and of those with the same replies nothing by itself.
    points, measure, alpha
        As there.
    families : sequence of str
        Patterns of groups that must not fall, in place of skills; see
        `families.declared_families`.
    together : mapping of str to str
        By the names of pairs, whose skills are shown together: one name for the runs of a model.

    Raises
    ------
    InputError
        A pattern is that of no group.
    """
    passed = ("other", "unheld")
    out = {one.name for one in findings if one.state in passed}
    alike = {str(one.name) for one in findings if one.low is None is not one.difference}
    there = {
        name: (old, new)
        for name, (old, new) in pairs.items()
        if isinstance(new, Path) and name not in out
    }
    whole = {one.name: one.items for one in findings if one.measure == ACCURACY.name}
    if families:
        return [*_groups(there, families, alike, points, measure, alpha)]
    return [] if measure else [*_skills(there, whole, together or {}, alike, points, alpha)]


def _skills(
    pairs: Mapping[str, tuple[Path, Path]], whole: Mapping[Text, int],
    together: Mapping[str, str], alike: Set[str], points: float, alpha: float,
) -> Iterator[GateFinding]:  # fmt: skip
    cards: dict[str, tuple[Card, Card]] = {}
    models: dict[str, tuple[Path, Path]] = {}
    wanted: list[tuple[str, Skill, bool]] = []
    for who in dict.fromkeys(together.get(name, name) for name in pairs):
        names = [name for name in pairs if together.get(name, name) == who]
        own = [pairs[name] for name in names]
        models[who] = own[0]
        called = [read_manifest(old).benchmark for old, _ in own]
        old, new = (
            read_card(who, [(name, each[n]) for name, each in zip(called, own, strict=True)])
            for n in (0, 1)
        )
        cards[who] = old, new
        # A skill that all items of one run show, and no other, is held as that run.
        of_run = {benchmark: whole.get(name, 0) if called.count(benchmark) == 1 else 0
                  for name, benchmark in zip(names, called, strict=True)}  # fmt: skip
        differ = {name for key, name in zip(names, called, strict=True) if key not in alike}
        for skill in SKILLS:
            items = old.scores[skill].keys() & new.scores[skill].keys()
            shown_in = {benchmark for benchmark, _ in items}
            if len(shown_in) > 1 or len(items) not in (0, *map(of_run.get, shown_in)):
                wanted.append((who, skill, differ.isdisjoint(shown_in)))
    both = [paired_on(*cards[who], skill) for who, skill, _ in wanted]
    level, least = shared_level([one.clusters for one in both if one], alpha, points / 100)
    for who, skill, same in wanted:
        old, new = cards[who]
        found = paired_on(new, old, skill, level)
        assert found is not None
        ends = found.mean, found.low, found.high
        facts = held(ends, found.clusters, found.second, level, points)
        sense = sense_of([*old.scores[skill].values(), *new.scores[skill].values()])
        named = skill_name(skill, sense)
        before, now = (one.label or one.model for one in map(read_manifest, models[who]))
        yield GateFinding(
            name=said("gate-of", name=who, why=named) if who else named, old=before, new=now,
            items=found.n, asked=found.n, old_score=found.second, new_score=found.first,
            **facts | _settled(found.clusters, least, same=same), of="skill",
            otherwise=told_otherwise(models_of(*models[who])),
        )  # fmt: skip


def _settled(clusters: int, least: int, *, same: bool) -> dict[str, Any]:
    """What is known of a part without its interval: of the same replies, or too small to be held.

    Nothing for others.
    """
    if clusters >= least and not same:
        return {}
    few = clusters < least
    why = said("gate-few", n=clusters, least=least) if few else said("gate-alike")
    facts = {"state": "unheld" if few else "kept", "why": why}
    return facts | {"low": None, "high": None, "detectable": None}


def _groups(
    pairs: Mapping[str, tuple[Path, Path]], families: Sequence[str], alike: Set[str],
    points: float, measure: str | None, alpha: float,
) -> Iterator[GateFinding]:  # fmt: skip
    sides = {name: two_runs(new, old, measure) for name, (old, new) in pairs.items()}
    trees = {
        name: GroupTree(each[0].frame.groups(), known(read_manifest(pairs[name][0])).titles)
        for name, each in sides.items()
    }
    every = dict.fromkeys(group for one, _, _ in sides.values() for group in one.frame.groups())
    member = declared_families(dict.fromkeys(every, EXPLORATORY), families)
    parts: list[tuple[str, str, RunSample, RunSample, Measure]] = [
        (name, group, *each)
        for name, each in sides.items()
        for group in each[0].frame.groups()
        if group != ALL and member[group] != EXPLORATORY
    ]
    clusters = [
        how_many(shared_items(one, two, wanted, group).clusters) if wanted.unit == SHARE else MANY
        for _, group, one, two, wanted in parts
    ]
    level, least = shared_level(clusters, alpha, points / 100)
    for n, (name, group, one, two, wanted) in zip(clusters, parts, strict=True):
        if facts := fall_of(one, two, wanted, points, level, group):
            yield GateFinding(
                name=said("gate-of", name=name, why=trees[name].in_words(group)), old=two.name,
                new=one.name, measure=wanted.name, **facts | _settled(n, least, same=name in alike),
                of="group",
            )  # fmt: skip
