"""The judgements of a judge run beside what was planned: which are there, failed, or missing.

Of failures: their names, by rule and by judges, with the words that show each.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.engine.folder import read_manifest
from zhiyin.plugins.judges import aspects
from zhiyin.plugins.judges.aspects import OURS as OURS_DECLARED
from zhiyin.plugins.judges.aspects import Aspect, open_dossier, part_named
from zhiyin.plugins.judges.benchmark import Judging, judgeable, read_settings
from zhiyin.plugins.judges.cases import JudgedCase, unwritten, wrong_choices
from zhiyin.plugins.judges.reading import UnreadableJudgement
from zhiyin.plugins.judges.rubric import Judgement
from zhiyin.plugins.judges.rules import OURS, Rules
from zhiyin.record import Record
from zhiyin.runs.rows import records_of
from zhiyin.words import Text, localized, naming, said
from zhiyin.words.findings import told
from zhiyin.words.reasons import reason


class Grade(msgspec.Struct, frozen=True):
    """One planned judgement.

    `judgement` is None where there is none; `error` then says why.
    """

    aspect: str
    draw: int
    case: str
    judgement: Judgement | None
    error: str = ""


def scales_of(rules: Rules, added: Sequence[Aspect]) -> dict[str, tuple[float, float]]:
    """The scales of the graded aspects, in their order: ours by some rules, then others."""
    return {a: (0.0, most) for a, most in rules.most.items()} | {a.name: a.scale for a in added}


class Grades(msgspec.Struct, frozen=True):
    """The judgements of a run by one judge.

    Attributes
    ----------
    folder : Path
        Of the judge run.
    judge : str
        The judge's name.
    draws : int
        Judgements of each text.
    aspects : tuple of str
        What was to be judged.
    cases : list of JudgedCase
        What was judged.
    grades : list of Grade
        One for every planned judgement.
    remarks : list of str
        The remarks in the manifest of the judge run.
    rules : Rules
        By which it is scored.
    unwritten : list of JudgedCase
        Reviews that were asked for and not written, of which no judge is asked.
    settings : tuple of Said or str
        What tells it from another judging of the run by the same judge; see `read_all`.
    added : tuple of Aspect
        The aspects in it that are not Zhiyin's own.
    """

    folder: Path
    judge: str
    draws: int
    aspects: tuple[str, ...]
    cases: list[JudgedCase]
    grades: list[Grade]
    remarks: list[str]
    rules: Rules = OURS
    unwritten: list[JudgedCase] = []
    settings: tuple[Text, ...] = ()
    added: tuple[Aspect, ...] = ()

    @property
    def scales(self) -> dict[str, tuple[float, float]]:
        """The lowest and the highest score of each aspect."""
        return scales_of(self.rules, self.added)

    def share(self, aspect: str, score: float) -> float:
        """A score as a share of its scale, in [0, 1]."""
        low, high = self.scales[aspect]
        return (score - low) / (high - low)

    @property
    def title(self) -> str:
        """The judge's name, with its settings where it judged the run in several ways."""
        apart = naming(said("boards-set-apart", name=self.judge, by=self.settings))
        return apart if self.settings else self.judge

    def of(self, aspect: str) -> dict[str, list[Grade]]:
        """The planned judgements of an aspect by case, in order of draw."""
        by_case: dict[str, list[Grade]] = {}
        for grade in self.grades:
            if grade.aspect == aspect:
                by_case.setdefault(grade.case, []).append(grade)
        return by_case

    @property
    def errors(self) -> list[Grade]:
        """The planned judgements that are not there."""
        return [grade for grade in self.grades if grade.judgement is None]

    def with_unwritten(self) -> Grades:
        """The same with grades of what was not written: nothing is in it, and it claims nothing.

        Where every judgement of an aspect is missing, none are added to it: its figure would be
        one of unwritten reviews alone.
        """
        nothing = {
            aspect: Judgement(
                {"supported": 0.0, "checked": 0.0}
                if aspect == "precision" and self.rules.pooled
                else {"score": self.scales[aspect][0], "checked": 0.0}
            )
            for aspect in self.aspects
        }
        graded = {grade.aspect for grade in self.grades if grade.judgement}
        lost = {grade.aspect for grade in self.grades} - graded
        declared = OURS_DECLARED | {one.name: one for one in self.added}
        added = [
            Grade(aspect, draw, case.id, nothing[aspect])
            for aspect in self.aspects
            if aspect not in lost
            for draw in range(1, self.draws + 1)
            for case in self.unwritten
            if judgeable(declared[aspect], case)
        ]
        return msgspec.structs.replace(
            self, cases=[*self.cases, *self.unwritten], grades=[*self.grades, *added], unwritten=[]
        )


def read_grades(folder: Path, run: Path | None = None) -> Grades:
    """The grades in a judge run's folder.

    Parameters
    ----------
    folder : Path
        The judge run, within the run it judges.
    run : Path, optional
        The run judged, where it is not the folder's parent.

    Raises
    ------
    InputError
        A folder is no run.
    """
    manifest = read_manifest(folder)
    judging = Judging(read_settings({**manifest.options, "run": str(run or folder.parent)}))
    records = {record.id: record for record in records_of(folder)}
    alone = {"failures", "reasoning"} & set(judging.settings.aspects)
    return Grades(
        folder=folder, judge=manifest.model, draws=judging.settings.draws,
        aspects=judging.settings.aspects, cases=judging.cases,
        grades=list(_grades(judging, records)),
        remarks=[naming(one) for one in told(manifest.remarks)], rules=judging.settings.rules,
        unwritten=[] if alone else unwritten(run or folder.parent), added=judging.settings.declared,
    )  # fmt: skip


def read_all(folders: Sequence[Path], run: Path) -> list[Grades]:
    """The grades of several judge runs; those of one judge name the settings in which they differ.

    Parameters
    ----------
    folders : sequence of Path
    run : Path
        The run judged.

    Raises
    ------
    InputError
        A folder is no run.
    """
    manifests = [read_manifest(folder) for folder in folders]
    alike: dict[str, list[dict[str, Any]]] = {}
    for manifest in manifests:
        alike.setdefault(manifest.model, []).append(_choices(manifest.options))
    judged = []
    for folder, manifest in zip(folders, manifests, strict=True):
        settings: list[Text] = []
        if len(others := alike[manifest.model]) > 1:
            own = _choices(manifest.options)
            settings = _apart(own, others)
            if others.count(own) > 1:  # of texts that have changed
                settings.append(folder.name.rpartition("-")[2])
        judged.append(msgspec.structs.replace(read_grades(folder, run), settings=(*settings,)))
    return judged


def _choices(options: dict[str, Any]) -> dict[str, Any]:
    """The options that a judging is known by: `aspects` names those that `declared` says all of."""
    return {**options, "run": "", "declared": None}


def _apart(own: dict[str, Any], others: list[dict[str, Any]]) -> list[Text]:
    """The settings of a judging that are not those of all others, as its flags are called."""
    words: list[Text] = []
    for name, value in own.items():
        if all(other.get(name) == value for other in others) or value in (None, False):
            continue
        shown = None if value is True else str(value)
        facts = {"flag": name.replace("_", "-"), "name": name.replace("_", " "), "value": shown}
        each = [part_named(one) for one in (shown or "").split(",")]
        words.append(said("judge-setting", each=each, **facts))
    return words


def _grades(judging: Judging, records: dict[str, Record]) -> Iterator[Grade]:
    for aspect, draw, case in judging.planned():
        record = records.get(judging.trial_id(aspect, draw, case))
        if record is None:
            yield Grade(aspect, draw, case.id, None, str(said("log-not-asked-yet")))
        elif record.verdict.state == "error":
            yield Grade(aspect, draw, case.id, None, record.error or record.verdict.why)
        else:
            yield Grade(aspect, draw, case.id, *_read(record))


def _read(record: Record) -> tuple[Judgement | None, str]:
    """The judgement in a record, read from the reply: the log keeps the words, not the parts."""
    try:
        return aspects.read(open_dossier(record.trial.stem), record.exchange.final.text), ""
    except UnreadableJudgement as fault:  # judged by an earlier version of the rules
        return None, str(said("log-judge-error", why=str(fault)))


class NamedFailure(msgspec.Struct, frozen=True):
    """One failed choice and its name.

    `by` is "rule" or the judge; `mode` is None where there is no judgement, and `agreeing`
    the share of draws that gave the name.
    """

    case: str
    mode: str | None
    by: str
    quote: str = ""
    reason: str = ""
    agreeing: float = 1.0


class Failures(msgspec.Struct, frozen=True):
    """The failures of a run: every one named, and how many there are of each name."""

    run: str
    judge: str | None
    failures: list[NamedFailure]
    counts: dict[str, int]
    missing: int
    notes: list[str]


def named_by_rule(run: Path) -> Failures:
    """The first pass alone, which needs no judge."""
    return _failures(run, None, [_by_rule(case) for case in wrong_choices(run)], [])


def named_by_judge(run: Path, folder: Path) -> Failures:
    """The first pass, and a judge's names for the rest."""
    grades = read_grades(folder, run)
    draws = grades.of("failures")
    named = [
        _by_rule(case) if case.rule else _by_judge(case, draws, grades) for case in grades.cases
    ]
    return _failures(run, grades.judge, named, grades.remarks)


def _by_rule(case: JudgedCase) -> NamedFailure:
    if case.rule is None:
        return NamedFailure(case.id, None, "rule", reason=str(said("log-judge-no-rule")))
    return NamedFailure(case.id, case.rule.mode, "rule", case.rule.quote)


def _by_judge(case: JudgedCase, draws: dict[str, list[Grade]], grades: Grades) -> NamedFailure:
    """The name that most draws gave; of equals the one that came first."""
    details = [g.judgement.detail for g in draws.get(case.id, []) if g.judgement]
    if not details:
        error = next((g.error for g in draws.get(case.id, [])), str(said("log-not-asked-yet")))
        return NamedFailure(case.id, None, grades.judge, reason=error)
    mode, times = Counter(d.mode for d in details).most_common(1)[0]
    shown = next(d for d in details if d.mode == mode)
    return NamedFailure(
        case.id, mode, grades.judge, shown.quote, shown.reason, times / len(details)
    )


def _failures(
    run: Path, judge: str | None, named: list[NamedFailure], notes: list[str]
) -> Failures:
    counts = Counter(f"{n.mode}" for n in named if n.mode)
    missing = sum(n.mode is None for n in named)
    return Failures(str(run), judge, named, dict(counts.most_common()), missing, notes)


def failure_lines(failures: Failures) -> Iterator[str]:
    """Each name with its share and a few of the quotations that show it."""
    total = len(failures.failures)
    yield localized(said("judged-failures", run=failures.run, judge=failures.judge, n=total))
    for mode, n in failures.counts.items():
        yield f"   {localized(said('judged-mode', mode=mode, n=n, share=n / total))}"
        for one in [n for n in failures.failures if n.mode == mode and n.quote][:3]:
            quote, why = " ".join(one.quote.split())[:160], one.reason or None
            shown = said("judged-failure-shown", case=one.case, by=one.by, quote=quote, reason=why)
            yield f"      {localized(shown)}"
    if failures.missing:
        first = next(n for n in failures.failures if n.mode is None)
        told_why = reason(first.reason)
        n = failures.missing
        unnamed = said("judged-failures-unnamed", n=n, first=first.case, reason=told_why)
        yield f"   {localized(unnamed)}"
    yield from (f"   {localized(said('judged-note', what=note))}" for note in failures.notes)
