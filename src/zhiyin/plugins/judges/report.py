"""The report on a judged run: one object for JSON, and its lines for a terminal."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from importlib import resources
from pathlib import Path
from typing import Any

import msgspec
from msgspec.structs import replace

from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import brief
from zhiyin.numerals import gap, p_words, percent
from zhiyin.plugins.judges.aspects import part_named
from zhiyin.plugins.judges.cases import reviewed
from zhiyin.plugins.judges.combine import COMPONENTS, WEIGHTS, Combined, Component, combine
from zhiyin.plugins.judges.confidence import (
    Confidence,
    PartConfidence,
    by_part,
    calibrated,
    confidence_lines,
    of_choices,
    part_lines,
)
from zhiyin.plugins.judges.grades import Grades, read_all
from zhiyin.plugins.judges.published import (
    NoveltyDetails,
    PrecisionDetails,
    novelty_details,
    precision_details,
)
from zhiyin.plugins.judges.reliability import Human, PeoplesGrades, Reliability, assess
from zhiyin.plugins.judges.rules import OURS, rules_of
from zhiyin.runs.rows import rows_of
from zhiyin.shown.table import Column, written
from zhiyin.statistics.intervals import Interval
from zhiyin.words import Said, Text, localized, said, spoken

_BANDS = (
    (0.9, ("内容完整，各评价维度均有展开", "complete: every dimension is developed")),
    (0.7, ("内容较完整，主要评价维度大多涉及", "fairly complete: most of the main dimensions")),
    (0.5, ("内容一般，部分评价维度缺失", "middling: some dimensions are missing")),
    (0.0, ("内容不完整，多数评价维度没有涉及", "incomplete: most dimensions are missing")),
)
"""From which completeness on which sentence holds, in Chinese and English."""


class JudgeReport(msgspec.Struct, frozen=True):
    """All figures of a judged run.

    Attributes
    ----------
    run, candidate : str
        The folder of the run, and the model that was judged.
    judges : list of Combined
        The result under each judge.
    folders : list of str
        The judge runs, in the same order.
    reliability : Reliability
    confidence : Confidence or None
        Of the option questions.
    precision : list of PrecisionDetails
    novelty : list of NoveltyDetails
        Claims and statements counted over all songs, for each judge.
    notes : list of list of str
        Remarks of each judge run.
    assessments : list of str
        The completeness under each judge, in a sentence.
    confidences : list of list of PartConfidence
        Of each part and of the whole, under each judge.
    """

    run: str
    candidate: str
    judges: list[Combined]
    folders: list[str]
    reliability: Reliability
    confidence: Confidence | None
    precision: list[PrecisionDetails]
    novelty: list[NoveltyDetails]
    notes: list[list[str]]
    assessments: list[str] = []
    confidences: list[list[PartConfidence]] = []

    def in_english(self) -> JudgeReport:
        """The same with its notes and warnings in English, for files."""
        judges = [replace(one, notes=[*map(str, one.notes)]) for one in self.judges]
        warnings: list[Text] = [*map(str, self.reliability.warnings)]
        return replace(
            self, judges=judges, reliability=replace(self.reliability, warnings=warnings)
        )


def build(
    run: Path,
    folders: list[Path],
    weights: tuple[float, ...] = WEIGHTS,
    people: PeoplesGrades | None = None,
) -> JudgeReport:
    """The report on a run under one judge or several.

    Parameters
    ----------
    run : Path
    folders : list of Path
        The judge runs, at least one.
    weights : tuple of float, length 4
    people : PeoplesGrades, optional
        See `people.read_people`.

    Raises
    ------
    InputError
        A folder is no run.
    """
    judged = read_all(folders, run)
    candidate = read_manifest(run).model
    judges = [combine(grades, run, weights) for grades in judged]
    choices = of_choices(rows_of(run).which(lambda kind: kind.options > 0).records())
    replies = {record.id: record.exchange.final for record in reviewed(run)}
    languages = [read_manifest(folder).options.get("language") or "zh" for folder in folders]
    return JudgeReport(
        run=str(run),
        candidate=candidate,
        judges=judges,
        folders=[str(folder) for folder in folders],
        reliability=assess(judged, candidate, people),
        confidence=calibrated(choices),
        precision=[precision_details(grades) for grades in judged],
        novelty=[novelty_details(grades) for grades in judged],
        notes=[_notes_on(grades) for grades in judged],
        assessments=[
            assessment_of(one.components["completeness"].value, language)
            for one, language in zip(judges, languages, strict=True)
        ],
        confidences=[by_part(choices, replies, grades, weights) for grades in judged],
    )


def _notes_on(grades: Grades) -> list[str]:
    notes = list(grades.remarks)
    if grades.judge.partition(":")[0] == "lexical":
        from zhiyin.plugins.judges.lexical import LexicalJudge, agreement_lines

        notes += agreement_lines(LexicalJudge())
    return list(dict.fromkeys(notes))


def lines(report: JudgeReport) -> Iterator[str]:
    """The report as text, a judge after the other."""
    for place, combined in enumerate(report.judges):
        yield from judge_lines(
            combined,
            report.precision[place],
            report.novelty[place],
            report.notes[place],
            report.assessments[place],
        )
    yield from confidence_lines(report.confidence)
    for combined, confidences in zip(report.judges, report.confidences, strict=True):
        yield from part_lines(confidences, combined.judge)
    if found := reliability_words(report.reliability):
        yield localized(said("judged-reliability"))
    yield from map(_indented, found)


def brief_lines(report: JudgeReport) -> Iterator[str]:
    """The figures of each judge, a line each; warnings and notes are not among them."""
    for combined in report.judges:
        by = None if combined.protocol == "ours" else combined.protocol
        yield localized(said("judged-brief", judge=combined.judge, by=by))
        total = f"{_brief(combined.total)}{_ends(combined.interval)}{_bounds(combined, _brief)}"
        yield f"  {localized(said('judged-brief-total', figure=total))}"
        for name, part in combined.components.items():
            figure = None if part.value is None else f"{_brief(part.value)}{_ends(part.interval)}"
            facts: dict[str, Any] = {"name": name, "figure": figure, "why": part.why, "n": part.n}
            facts |= {"missing": part.errors, "weight": combined.weights.get(name)}
            yield f"  {localized(said('judged-brief-part', **facts))}"
            if figure and name == "precision" and (left := open_claims(combined)):
                yield f"    {localized(left)}"


def _brief(value: float | None) -> str:
    return _none() if value is None else f"{percent(value)} %"


def judge_lines(
    combined: Combined,
    precise: PrecisionDetails,
    novel: NoveltyDetails,
    notes: list[str],
    assessment: str = "",
) -> Iterator[str]:
    """The result under one judge, with the headings and lines of ReactionEval's "Example Output".

    Beyond them: the judge, intervals, what is missing, each song, weights and notes. The layout is
    that of ``templates/report.en.txt``.
    """
    filters: dict[str, Callable[..., str]] = {
        "bounds": _bounds,
        "interval": _ends,
        "kind": lambda kind: localized(said("judged-kind", kind=kind.removeprefix("has_"))),
        "marks": _marks,
        "named": lambda name: localized(part_named(name)),
        "number": partial(_figure, decimals=2),
        "percent": _percent,
        "share": _share,
        "why": lambda why: localized(said("judged-why", why=why)),
    }
    listened = listening_sentence(combined)
    yield from (
        fill_text(
            "zhiyin.plugins.judges",
            f"report.{spoken()}.txt",
            filters,
            result=combined,
            precise=precise,
            novel=novel,
            notes=[*map(localized, combined.notes), *map(localized, notes)],
            assessment=assessment,
            most=rules_of(combined.protocol).most,
            added=[name for name in combined.components if name not in COMPONENTS],
            listened=localized(listened) if listened else "",
        )
        .rstrip("\n")
        .split("\n")
    )


def assessment_of(completeness: float | None, language: str) -> str:
    """A completeness in [0, 1] in a sentence: in Chinese, or in English for any other language."""
    if completeness is None:
        return ""
    chinese, english = next(words for least, words in _BANDS if completeness >= least)
    return chinese if language == "zh" else english


def listening_sentence(combined: Combined) -> Said | None:
    """Say how many recordings were measured, and what claims that decided; None for none."""
    songs = sum(bool(song.heard) for song in combined.songs)
    if not songs or combined.components["precision"].why == "not run":
        return None
    judged = [f for song in combined.songs for f in song.found.get("precision", ())]
    right, wrong = (
        int(sum(f.get("scores", {}).get(f"heard_{name}", 0.0) for f in judged))
        for name in ("supported", "contradicted")
    )
    decided = right + wrong
    return said("judged-heard", n=songs, of=len(combined.songs), decided=decided, right=right)


def open_claims(combined: Combined) -> Said | None:
    """Say how many claims the evidence leaves open, which are in no figure; None for none."""
    judged = [f for song in combined.songs for f in song.found.get("precision", ())]
    n = int(sum(f.get("scores", {}).get("not_in_details", 0.0) for f in judged))
    return said("judged-open", n=n) if n and combined.protocol == OURS.name else None


def _indented(line: Said) -> str:
    return f"   {'   ' * (line.name in _BELOW)}{localized(line)}"


_BELOW = ("judged-measure", "judged-powered")
"""Messages that go with the line above them."""


def reliability_words(reliability: Reliability) -> list[Said]:
    """Describe how far the judges can be relied on, a line each, and warnings."""
    warnings = (said("judged-warning", what=warning) for warning in reliability.warnings)
    return [*_reliability(reliability), *warnings]


def _reliability(reliability: Reliability) -> Iterator[Said]:
    for s in reliability.spread:
        sizes = {
            "draws": s.draws,
            "n": s.texts,
            "sd": _figure(s.sd),
            "widest": _figure(s.widest, decimals=2),
        }
        yield said("judged-spread", judge=brief(s.judge), aspect=part_named(s.aspect), **sizes)
    for a in reliability.agreement:
        names = [brief(judge) for judge in a.judges]
        yield said("judged-agreement", judges=names, aspect=part_named(a.aspect), n=a.alpha.units)
        yield _measure("alpha", a.alpha.alpha, a.alpha)
        if a.icc is not None:
            fewer = None if a.icc.units == a.alpha.units else a.icc.units
            yield _measure("icc", a.icc.icc, a.icc, fewer)
        if a.kappa is not None:
            yield _measure("kappa", a.kappa.kappa, a.kappa)
    yield from _people(reliability)
    for size in reliability.length:
        if size.rank.rho is None:
            continue
        p = "" if size.rank.p is None else f"; {p_words(size.rank.p)}"
        rank = f"{_figure(size.rank.rho, size.rank)}{p}"
        aspect, n = part_named(size.aspect), size.rank.n
        yield said("judged-length", judge=brief(size.judge), aspect=aspect, rank=rank, n=n)


def _measure(kind: str, value: float | None, estimate: Any, texts: int | None = None) -> Said:
    return said("judged-measure", kind=kind, figure=_figure(value, estimate), texts=texts)


def people_lines(reliability: Reliability) -> Iterator[str]:
    """Each judge against people, aspect by aspect."""
    yield from map(_indented, _people(reliability))


def _people(reliability: Reliability) -> Iterator[Said]:
    for h in reliability.human:
        yield from _against_people(h)
    scales = dict.fromkeys(h.scale for h in reliability.human if h.scale is not None)
    for low, high in scales:
        yield said("judged-scales", low=low, high=high)


def _against_people(h: Human) -> Iterator[Said]:
    """A judge against people: what holds on any scale, and the rest where they share one."""
    yield said(
        "judged-people", judge=brief(h.judge), people=h.people, aspect=part_named(h.aspect),
        alpha=None if h.alpha is None else _figure(h.alpha.alpha, h.alpha),
        rank=_figure(h.rank.rho, h.rank), bias=None if h.bias is None else gap(h.bias, 2),
        n=h.texts,
    )  # fmt: skip
    if h.powered:
        yield said(
            "judged-powered",
            figure=_figure(h.powered.mean, h.powered, 2),
            judge=_figure(h.powered.judge_mean, decimals=2) if h.scale is None else None,
            people=_figure(h.powered.human_mean, decimals=2),
        )


def _marks(value: float | None, most: float) -> str:
    """Marks out of the most that there are."""
    return "-" if value is None else f"{_figure(value, decimals=2)}/{most:g}"


def _none() -> str:
    return localized(said("judged-none"))


_PERCENT = {"en": "%", "zh": " %"}


def _percent(value: float | None) -> str:
    return _none() if value is None else f"{percent(value, 2)}{_PERCENT[spoken()]}"


def _ends(interval: Interval | None) -> str:
    """The 95 % interval behind a figure."""
    shares = Column("", "share")
    return (
        "" if interval is None else f" ({written((interval.low, interval.high), shares, spoken())})"
    )


def _bounds(part: Component | Combined, share: Callable[[float | None], str] = _percent) -> str:
    """Bounds of a figure with all that is missing, if they differ; else ""."""
    low, high = part.low, part.high
    if low is None or high is None or high - low < 1e-12:
        return ""
    return localized(said("judged-between", low=share(low), high=share(high)))


def _figure(value: float | None, estimate: Any = None, decimals: int = 3) -> str:
    """A figure with the interval of its estimate, where it has one."""
    column = Column("", "number", decimals)
    if value is None or estimate is None or estimate.low is None:
        return written(value, column, spoken())
    return written((value, estimate.low, estimate.high), column, spoken())


def _share(value: float | None) -> str:
    """Format a share as the published report does: "0.7500 (75.00%)"."""
    return _none() if value is None else f"{value:.4f} ({_percent(value)})"


def fill_text(
    package: str, name: str, filters: Mapping[str, Callable[..., str]], **facts: Any
) -> str:
    """A text for people (a report, a datasheet) from a template of Jinja.

    Parameters
    ----------
    package, name : str
        The file ``templates/NAME`` of a package.
    filters : mapping
        How figures become letters in it.
    **facts
        What it names; a name that is not among them is an error.
    """
    import jinja2

    words = (resources.files(package) / "templates" / name).read_text("utf-8")
    environment = jinja2.Environment(
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        undefined=jinja2.StrictUndefined,
        autoescape=False,  # it is no page
    )
    environment.filters.update(filters)
    return environment.from_string(words).render(**facts)
