"""Tables of a judge's scores of a run, for `zhiyin show`."""

from __future__ import annotations

from pathlib import Path

from zhiyin.contract.declared import Section
from zhiyin.errors import InputError
from zhiyin.judges.combine import QUESTIONS, Combined, Component, combine
from zhiyin.judges.grades import read_grades
from zhiyin.judges.judging import is_graded
from zhiyin.judges.lexical import NOT_COMPARABLE
from zhiyin.judges.report import listening_sentence

Row = list[str | float | int | None]
COLUMNS = ["", "value", "95 % low", "95 % high", "n", "missing"]
_SONG_COLUMNS = ["song", "completeness", "precision", "novelty", "total", "missing"]


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
        [s.song, s.completeness, s.precision, s.novelty, s.total, s.errors] for s in combined.songs
    ]
    most = grades.rules.most
    columns = [f"{name} /{most[name]:g}" if most.get(name, 1) > 1 else name
               for name in _SONG_COLUMNS]  # fmt: skip
    return [Section("Scores by song", columns, rows, combined.notes)]


def judge_section(combined: Combined, title: str) -> Section:
    """A row for each component, and one for the total; `title` is that of the judge."""
    rows = [_row("questions" if n == QUESTIONS else n, p) for n, p in combined.components.items()]
    missing = sum(part.errors for part in combined.components.values())
    ends = combined.interval
    low, high, songs = (ends.low, ends.high, ends.n) if ends else (None, None, None)
    rows.append(["total", combined.total, low, high, songs, missing])
    notes = list(combined.notes)
    if missing and combined.low is not None and combined.high is not None:
        notes.append(
            f"were all that is missing the worst or the best: total {100 * combined.low:.1f} % to "
            f"{100 * combined.high:.1f} %"
        )
    if listened := listening_sentence(combined):
        notes.append(listened)
    if combined.judge.partition(":")[0] == "lexical":
        notes.append(NOT_COMPARABLE)
    by = "" if combined.protocol == "ours" else f" by {combined.protocol}"
    return Section(f"Judged by {title}{by}", COLUMNS, rows, notes)


def _row(name: str, part: Component) -> Row:
    ends = part.interval
    low, high = (ends.low, ends.high) if ends else (None, None)
    return [name, part.value, low, high, part.n, part.errors]
