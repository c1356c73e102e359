"""Tables of a judge's scores of a run, for `zhiyin show`."""

from __future__ import annotations

from pathlib import Path

from zhiyin.contract.declared import Kind, Section, heads
from zhiyin.errors import InputError
from zhiyin.plugins.judges.combine import QUESTIONS, Combined, Component, combine
from zhiyin.plugins.judges.grades import read_grades
from zhiyin.plugins.judges.judging import is_graded
from zhiyin.plugins.judges.lexical import NOT_COMPARABLE
from zhiyin.plugins.judges.report import listening_sentence, open_claims
from zhiyin.words import Text, said

Row = list[Text | float | int | None]
COLUMNS: list[Text] = ["%", *heads("value", "low-95", "high-95", "n", "missing")]
KINDS: tuple[Kind, ...] = ("text", "share", "share", "share", "count", "count")


def judged_sections(folder: Path) -> list[Section]:
    """The scores of a judge run by song; empty where the run judged cannot be read."""
    if not is_graded(folder):
        return []
    try:
        grades = read_grades(folder)
        combined = combine(grades, folder.parent)
    except InputError:
        return []
    rows: list[Row] = [
        [s.song, s.completeness, s.precision, s.novelty, *s.added.values(), s.total, s.errors]
        for s in combined.songs
    ]
    names = ("song", *grades.scales, "total", "missing")
    most = {name: high for name, (_, high) in grades.scales.items()}
    columns = [
        said("judged-head", name=head, most=most[name] if most.get(name, 1) > 1 else None)
        for name, head in zip(names, heads(*names), strict=True)
    ]
    return [Section(said("judged-songs"), columns, rows, combined.notes)]


def judge_section(combined: Combined, title: str) -> Section:
    """A row for each component, and one for the total; `title` is that of the judge."""
    components = combined.components
    rows = [_row("questions" if n == QUESTIONS else n, p) for n, p in components.items()]
    missing = sum(part.errors for part in combined.components.values())
    ends = combined.interval
    low, high, songs = (ends.low, ends.high, ends.n) if ends else (None, None, None)
    rows.append([said("head", name="total"), combined.total, low, high, songs, missing])
    notes: list[Text] = list(combined.notes)
    if missing and combined.low is not None and combined.high is not None:
        notes.append(said("judged-bounds", low=combined.low, high=combined.high))
    said_of = (listening_sentence(combined), open_claims(combined))
    notes += [sentence for sentence in said_of if sentence]
    if combined.judge.partition(":")[0] == "lexical":
        notes.append(NOT_COMPARABLE)
    by = None if combined.protocol == "ours" else combined.protocol
    return Section(said("judged-title", who=title, by=by), COLUMNS, rows, notes, kinds=KINDS)


def _row(name: str, part: Component) -> Row:
    ends = part.interval
    low, high = (ends.low, ends.high) if ends else (None, None)
    return [said("head", name=name), part.value, low, high, part.n, part.errors]
