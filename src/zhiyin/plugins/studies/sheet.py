"""Answers as one flat table: a row an answer, a column a fact, for R and spreadsheets."""

from __future__ import annotations

import csv
import io
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from zhiyin.errors import reworded
from zhiyin.files import write_atomically
from zhiyin.parsing import read_json_text
from zhiyin.plugins.people import FIELDS
from zhiyin.plugins.people.reading import ExportedAnswer
from zhiyin.plugins.studies.design import StudyItem, StudyTexts
from zhiyin.plugins.studies.results import ExportFiles, rows
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.plugins.studies.telling import in_language
from zhiyin.text import csv_row
from zhiyin.words import said

_BETWEEN = "; "
"""What stands between several values in one cell."""

SHEET_COLUMNS: dict[str, str] = read_json_text(
    (Path(__file__).parent / "columns.json").read_bytes()
)
"""What each column means. Behind them stand a column for each grade (`grade_`) and for each score
of a self-report (`score_`), where the study has any; several values are parted by a semicolon."""


def scripts() -> dict[str, bytes]:
    """The scripts that read the table, by the ends of their names: ".R" and ".py"."""
    files = sorted((Path(__file__).parent / "scripts").glob("answers.*.txt"))
    return {Path(file.stem).suffix: file.read_bytes() for file in files}


def _files(store: StudyStore, answers: Sequence[ExportedAnswer]) -> dict[str, bytes]:
    """The table, what its columns mean, and the scripts, by the ends of their names."""
    table, columns = sheet_of(store, answers).encode(), columns_of_sheet().encode()
    return {".csv": table, ".codebook.csv": columns, **scripts()}


def sheet_archive(store: StudyStore) -> bytes:
    """The table, what its columns mean, and the scripts, as one file."""
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        for end, content in _files(store, list(rows(store))).items():
            archive.writestr(f"answers{end}", content)
    return data.getvalue()


def export_sheet(store: StudyStore, out: Path) -> ExportFiles:
    """Write FILE.csv, what its columns mean (FILE.codebook.csv), and scripts (FILE.R, FILE.py).

    A script that is there is left as it is: somebody may have changed it.

    Raises
    ------
    InputError
        `out` cannot be written.
    """
    answers = list(rows(store))
    files = {out.with_suffix(end): data for end, data in _files(store, answers).items()}
    with reworded(said("error-unwritten", path=out, why="")):
        for path, data in files.items():
            if path.suffix == ".csv" or not path.exists():
                path.parent.mkdir(parents=True, exist_ok=True)
                write_atomically(path, data)
    people = len({one.participant for one in answers})
    _, codebook, *beside = files
    return ExportFiles(out, None, codebook, len(answers), people, tuple(beside))


def sheet_of(store: StudyStore, answers: Sequence[ExportedAnswer]) -> str:
    """Answers as CSV in UTF-8 with a head; true and false as TRUE and FALSE, as R has them."""
    grades = list(dict.fromkeys(key for row in answers for key in row.grades))
    scores = list(dict.fromkeys(key for row in answers for key in row.scores))
    more = [*(f"grade_{name}" for name in grades), *(f"score_{name}" for name in scores)]
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(csv_row([*SHEET_COLUMNS, *more]))
    versions = store.text_versions()
    for row in answers:
        told = versions[row.texts_shown].texts.get(row.language)
        cells = dict(_cells(row, store.items[row.item], told))
        figures = [row.grades.get(name) for name in grades]
        line = [*(cells[name] for name in SHEET_COLUMNS), *figures]
        writer.writerow(csv_row([*line, *(row.scores.get(name) for name in scores)]))
    return out.getvalue()


def columns_of_sheet() -> str:
    """Describe the columns, as CSV."""
    out = io.StringIO(newline="")
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(("column", "meaning"))
    writer.writerows(SHEET_COLUMNS.items())
    writer.writerow(("grade_NAME", "grade on a scale, or of a sound"))
    writer.writerow(("score_NAME", "score of a subscale of the self-report"))
    return out.getvalue()


def _cells(
    row: ExportedAnswer, item: StudyItem, told: StudyTexts | None
) -> Iterator[tuple[str, str | float | None]]:
    texts = {choice.key: choice.text for choice in item.choices}
    shown = {choice.key: choice.texts.get(row.language) or (
                 in_language(told, choice.text) if told else choice.text)
             for choice in item.choices}  # fmt: skip
    letters = {option.key: option.letter for option in item.trial.options}
    places = [str(row.order.index(key) + 1) for key in row.keys if key in row.order]
    yield from ((name, getattr(row, name)) for name in FIELDS)
    yield from (
        ("person", row.participant), ("question", row.item),
        ("trial", row.trial), ("condition", row.condition), ("group", row.group),
        ("recording", item.trial.cluster), ("role", row.role), ("position", row.position),
        ("place_chosen", _joined(places)),
        ("letter", _joined(letters[key] for key in row.keys if key in letters)),
        ("chosen", _joined(texts.get(key, key) for key in row.keys)),
        ("shown", _joined(shown.get(key, key) for key in row.keys)), ("said", row.said),
        ("free_text", row.text),
        ("right_letter", _joined(letters[key] for key in row.expected if key in letters)),
        ("right", _truth(row.right)),
        ("scale_low", min((scale.low for scale in item.scales), default=None)),
        ("scale_high", max((scale.high for scale in item.scales), default=None)),
        ("seconds", row.active_s),
        ("seconds_after_sound", row.after_s), ("seconds_idle", row.idle_s),
        ("times_heard", _joined(map(str, row.listens))),
        ("headphones_passed", _truth(row.headphones_passed)), ("finished", row.outcome),
        ("excluded", _truth(bool(row.excluded))), ("excluded_by", _joined(row.excluded)),
        ("by_hand", _joined(row.by_hand)),
    )  # fmt: skip


def _joined(values: Iterable[str]) -> str:
    return _BETWEEN.join(values)


def _truth(value: bool | None) -> str | None:
    return None if value is None else str(value).upper()
