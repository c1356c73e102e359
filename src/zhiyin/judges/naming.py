"""The names given to failures: by rule and by judges, with the words that show each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import msgspec

from zhiyin.judges.cases import Case, wrong_choices
from zhiyin.judges.grades import Grade, Grades, read_grades


class Named(msgspec.Struct, frozen=True):
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
    failures: list[Named]
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


def _by_rule(case: Case) -> Named:
    if case.rule is None:
        return Named(case.id, None, "rule", reason="no rule names it: ask a judge")
    return Named(case.id, case.rule.mode, "rule", case.rule.quote)


def _by_judge(case: Case, draws: dict[str, list[Grade]], grades: Grades) -> Named:
    """The name that most draws gave; of equals the one that came first."""
    details = [g.judgement.detail for g in draws.get(case.id, []) if g.judgement]
    if not details:
        error = next((g.error for g in draws.get(case.id, [])), "not asked")
        return Named(case.id, None, grades.judge, reason=error)
    mode, times = Counter(d["mode"] for d in details).most_common(1)[0]
    shown = next(d for d in details if d["mode"] == mode)
    return Named(case.id, mode, grades.judge, shown["quote"], shown["reason"], times / len(details))


def _failures(run: Path, judge: str | None, named: list[Named], notes: list[str]) -> Failures:
    counts = Counter(f"{n.mode}" for n in named if n.mode)
    missing = sum(n.mode is None for n in named)
    return Failures(str(run), judge, named, dict(counts.most_common()), missing, notes)


def failure_lines(failures: Failures, most: int = 3) -> Iterator[str]:
    """Each name with its share and a few of the quotations that show it."""
    total = len(failures.failures)
    yield f"FAILURES of {failures.run}, named by {failures.judge or 'rule alone'}: {total} choices"
    for mode, count in failures.counts.items():
        yield f"   {mode}: {count} ({100 * count / total:.1f}%)"
        shown = [n for n in failures.failures if n.mode == mode and n.quote]
        for name in shown[:most]:
            reason = f" ({name.reason})" if name.reason else ""
            yield f'      {name.case}, by {name.by}: "{" ".join(name.quote.split())[:160]}"{reason}'
    if failures.missing:
        first = next(n for n in failures.failures if n.mode is None)
        yield f"   without a name: {failures.missing} (the first, {first.case}: {first.reason})"
    for note in failures.notes:
        yield f"   note: {note}"
