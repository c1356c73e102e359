"""Reads ABC-Eval's CSV files: one for each task, with columns of two names and lists unescaped."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.contract.clips import FaultSink, is_left_out
from zhiyin.contract.tables import read_columns
from zhiyin.errors import InputError
from zhiyin.parsing import read_literal
from zhiyin.plugins.music.notated.bars import same_text
from zhiyin.words import Said, said

Answer = Literal["choice", "order", "count"]
_OFFERED = 4
_FIELDS = ("title", "choices", "target", "target_index", "task_description")
_INPUTS = ("score", "input")
"""The column of the score has the second name in three of the files."""
_CLIP = re.compile(r"Q\d_(.+)_\d+\.abc")
"""A clip of a recording, among the scores by emotion."""
METADATA = {"key signature": "key", "time signature": "metre", "unit note length": "unit"}
"""What is asked of a score's header, by the words of the question."""


class ScoreTask(msgspec.Struct, frozen=True):
    """One of the ten tasks: its file, how it is answered, and how many rows are published.

    `labels` says that its answers are classes, of which a macro-F1 is the mean.
    """

    stem: str
    answer: Answer = "choice"
    rows: int | None = None
    labels: bool = False

    @property
    def file(self) -> str:
        """The name of its file."""
        return f"{self.stem}.csv"


TASKS = {
    "bar_count_estimation": ScoreTask("Bar_Count_Estimation", "count"),
    "error_detection": ScoreTask("Error_Detection"),
    "metadata_qa": ScoreTask("Metadata_QA", rows=60),
    "metadata_prediction": ScoreTask("Metadata_Prediction", rows=60),
    "next_bar_prediction": ScoreTask("Next_Bar_Prediction", rows=119),
    "bar_sequencing": ScoreTask("Bar_Sequencing", "order", rows=119),
    "music_captioning": ScoreTask("Music_Captioning", rows=60),
    "emotion_recognition": ScoreTask("Emotion_Recognition", labels=True),
    "genre_recognition": ScoreTask("Genre_Recognition", labels=True),
    "composer_recognition": ScoreTask("Composer_Recognition", labels=True),
}
"""The ten tasks by the names of their groups. Rows: counted in the files at commit fbb5aeb."""


class ScoreItem(msgspec.Struct, frozen=True):
    """One row of a file.

    Attributes
    ----------
    id : str
        The task and the number of the row, from 1.
    title : str
        As published; it may hold the answer, and is never sent.
    choices : tuple of str
        As published; none where a number is asked for.
    key : str
        The published answer: a place among the choices from 0, an order of their places as
        digits, or a number.
    target, errors : str
        The further answer of a row with choices, and the errors that were put in; "" for none.
    """

    id: str
    task: str
    title: str
    score: str
    question: str
    choices: tuple[str, ...]
    key: str
    target: str = ""
    errors: str = ""

    @property
    def tune(self) -> str:
        """The tune, whatever file it is in, by which trials are clustered."""
        clip = _CLIP.fullmatch(self.title)
        return clip[1] if clip else " ".join(self.title.replace("\\", "").split())

    @property
    def asks(self) -> str:
        """The subject of a question on a header: key, metre or unit; "" in other tasks."""
        if not self.task.startswith("metadata"):
            return ""
        return next((name for words, name in METADATA.items() if words in self.question), "")

    @property
    def groups(self) -> tuple[str, ...]:
        """The task, and within it what is asked of a header."""
        return (self.task, f"{self.task}/{self.asks}") if self.asks else (self.task,)

    @property
    def alike(self) -> tuple[int, ...]:
        """The index, for each choice, of the first one that is written the same."""
        texts = [same_text(choice) for choice in self.choices]
        return tuple(map(texts.index, texts))


def split_choices(text: str, expected: int) -> tuple[str, ...]:
    """The choices in a cell: a list of Python whose quotes are not always escaped.

    Cut at ``', '`` between the outermost brackets, since bars hold single quotes and ends of lines;
    read as Python where that does not give as many as expected, as of numbers.
    """
    text = text.strip()
    cut = tuple(text[2:-2].split("', '")) if re.fullmatch(r"\['.*'\]", text, re.DOTALL) else ()
    if len(cut) == expected:
        return cut
    try:
        listed = read_literal(text)
    except ValueError:
        return cut
    return tuple(map(str, listed)) if isinstance(listed, list | tuple) else cut


def find_files(data: str | None, tasks: Sequence[str], home: str) -> dict[str, Path]:
    """The files of the tasks that are in a folder, or in its folder ``csv``.

    Raises
    ------
    InputError
        No folder is named, or it holds none of them.
    """
    if not data:
        raise InputError(f"abc-eval needs --data, a folder with files such as {_named()} ({home})")
    found: dict[str, Path] = {}
    for task, kind in TASKS.items():
        places = (Path(data) / kind.file, Path(data) / "csv" / kind.file)
        if task in tasks and (path := next(filter(Path.is_file, places), None)):
            found[task] = path
    if not found:
        raise InputError(f"{data}: no file such as {_named()}; get them from {home}")
    return found


def _named() -> str:
    return TASKS["bar_sequencing"].file


def read_items(path: Path, task: str, on_fault: FaultSink) -> list[ScoreItem]:
    """The items of a file; what cannot be asked is given to `on_fault` and left out.

    Raises
    ------
    InputError
        The file cannot be read, or lacks a column.
    """
    items = []
    for number, row in enumerate(read_columns(path, _FIELDS), 1):
        cells = {name: "" if row[name].strip() == "null" else row[name] for name in row}
        score = next((cells[name] for name in _INPUTS if cells.get(name, "").strip()), "")
        item = ScoreItem(
            id=f"{task}/{number}",
            task=task,
            title=cells["title"].strip(),
            score=score.strip("\n"),
            question=cells["task_description"].strip(),
            choices=_choices(task, cells),
            key=_key(task, cells),
            target="" if TASKS[task].answer != "choice" else cells["target"].strip(),
            errors=(cells.get("error") or "").strip(),
        )
        fault = next(_faults(item), None)
        if not is_left_out(path, f"row {number}", "row", fault, on_fault):
            items.append(item)
    return items


def _choices(task: str, cells: dict[str, str]) -> tuple[str, ...]:
    answer = TASKS[task].answer
    if answer == "count":
        return ()
    expected = len(cells["target"].strip()) if answer == "order" else _OFFERED
    return split_choices(cells["choices"], expected)


def _key(task: str, cells: dict[str, str]) -> str:
    """The answer as text: an order keeps its leading zero, and a whole number loses its ``.0``."""
    if TASKS[task].answer == "order":
        return cells["target"].strip()
    name = "target_index" if TASKS[task].answer == "choice" else "target"
    return cells[name].strip().removesuffix(".0")


def _faults(item: ScoreItem) -> Iterator[tuple[str, Said]]:
    """Yield the reasons why an item cannot be asked: the kind of the flaw, and what is wrong."""
    answer = TASKS[item.task].answer
    for name in ("title", "score", "question"):
        if not getattr(item, name):
            yield "blank-field", said("flaw-none", field=name)
    if answer == "choice" and len(item.choices) != _OFFERED:
        yield "bad-choices", said("abc-eval-choices", n=len(item.choices), of=_OFFERED)
    if answer == "choice" and item.key not in map(str, range(_OFFERED)):
        yield "bad-answer", said("abc-eval-bad-index", key=repr(item.key))
    places = sorted(item.key)
    if answer == "order" and (
        len(places) < 2 or places != [str(place) for place in range(len(item.choices))]
    ):
        yield "bad-answer", said("abc-eval-bad-order", key=repr(item.key), n=len(item.choices))
    if answer == "count" and not re.fullmatch(r"[1-9]\d*", item.key):
        yield "bad-answer", said("flaw-is-no", field="target", value=repr(item.key), what="number")


def right_orders(key: str, alike: str) -> list[str]:
    """Every order that gives the bars of the published one, which is the first of them.

    Parameters
    ----------
    key : str
        Places from 0, as digits.
    alike : str
        For each place the first that holds the same bar.
    """
    wanted = [alike[int(place)] for place in key]
    if len(set(alike)) == len(alike):
        return [key]
    orders = ("".join(order) for order in permutations(sorted(key)))
    others = [o for o in orders if [alike[int(place)] for place in o] == wanted and o != key]
    return [key, *others]
