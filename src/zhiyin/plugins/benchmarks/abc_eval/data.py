"""Reads ABC-Eval's CSV files: one for each task, with columns of two names and lists unescaped.

Flaws of ABC-Eval's rows: every claim of a key that its own score can prove or refute.

key-refuted
    The score, or the row itself, gives another answer than the key: another field in the header,
    bars of another length, another number of bars or of errors, another label in the title.
key-doubtful
    The header agrees with the key, and the tune says something else later that is a choice too.
several-right
    A wrong choice is right as well: it is written as the right one is, or fits all bars as well.
several-orders
    Bars that are the same make further orders right; ``score`` accepts each of them.
same-notes
    A wrong choice, or another order, differs from the right one in chord names, repeat signs or the
    names of parts alone.
relative-key
    The relative key, with the same signature, is among the choices.
repeated-option
    Two wrong choices are the same, so that chance is not one in four.
no-bar
    An element of the list holds no note: a field that was cut out as if it were a bar.
given-order
    The list is already in its order.
answer-in-question
    The score that is shown says the answer.
bars-differ
    The bars that a row's target names are not those that its list of errors names.
error-not-there
    What an error of the list put in does not stand in the score.
two-keys
    `target` and `target_index` name different choices.
incomplete
    A file has another number of rows than were published.
missing-file, blank-field, bad-choices, bad-answer
    Nothing can be asked.
"""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import permutations
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.errors import InputError
from zhiyin.parsing import read_literal
from zhiyin.plugins.music import notated
from zhiyin.plugins.music.clips import FaultSink, is_left_out, read_columns
from zhiyin.words import Said, Text, said

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
        texts = [notated.same_text(choice) for choice in self.choices]
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
        raise InputError(said("log-needs-data", name="abc-eval", file=_named(), home=home))
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


_FIELD_OF = {"key": "K", "metre": "M", "unit": "L"}
_ENTRY = re.compile(r", (?=[a-z][a-z_≥\d]{2,60}+:)")
_PLACE = re.compile(r"_in_(?:measure|key)_(\d+):")
_PUT_IN = re.compile(r"→([^\s(]+)")
_SKEWED = 0.6
"""From which share on an answer is named that is right by itself."""
Found = Iterator[tuple[str, Said]]


def check_files(files: Mapping[str, Path], partial: bool) -> CheckResult:
    """Every flaw of some files, by the names of their tasks."""
    flaws: list[Flaw] = []
    items: dict[str, list[ScoreItem]] = {}
    for task, kind in TASKS.items():
        if task in files:
            items[task] = read_items(files[task], task, flaws.append)
        elif not partial:
            flaws.append(Flaw("missing-file", kind.file, "", said("abc-eval-absent")))
    for task, own in items.items():
        file, rows = TASKS[task].file, TASKS[task].rows
        if rows is not None and len(own) != rows:
            detail = said("abc-eval-rows", n=len(own), of=rows)
            flaws.append(Flaw("incomplete", file, "", detail))
        for item in own:
            for flaw, detail in _flaws_of(item):
                named = said("abc-eval-of", title=item.title, detail=detail)
                flaws.append(Flaw(flaw, file, item.id, named))
    return CheckResult(sum(map(len, items.values())), flaws, list(_notes(items)))


def _flaws_of(item: ScoreItem) -> Found:
    if item.task == "bar_sequencing":
        yield from _of_order(item)
    elif item.task == "bar_count_estimation":
        count = len(notated.bars_of(item.score))
        if str(count) != item.key:
            yield "key-refuted", said("abc-eval-bars", n=count, key=item.key)
    else:
        yield from _of_choices(item)
        if item.task == "error_detection":
            yield from _of_errors(item)
        elif item.task == "metadata_qa":
            yield from _of_header(item)
        elif item.task == "metadata_prediction":
            yield from _of_lengths(item)
        elif TASKS[item.task].labels:
            yield from _of_label(item)


def _of_order(item: ScoreItem) -> Found:
    alike = "".join(map(str, item.alike))
    orders = right_orders(item.key, alike)
    if len(orders) > 1:
        yield "several-orders", said("abc-eval-orders", key=item.key, others=orders[1:])
    sounds = [notated.played(bar) for bar in item.choices]
    by_ear = "".join(str(sounds.index(sound)) for sound in sounds)
    if len(right_orders(item.key, by_ear)) > len(orders):
        n = len(right_orders(item.key, by_ear)) - len(orders)
        yield "same-notes", said("abc-eval-by-ear", n=n)
    for place, bar in enumerate(item.choices):
        if not notated.bars_of(bar):
            yield "no-bar", said("abc-eval-no-bar", place=place, bar=bar.strip())
    if item.key == "".join(sorted(item.key)):
        yield "given-order", said("abc-eval-given-order", key=item.key)


def _of_choices(item: ScoreItem) -> Found:
    alike, key = item.alike, int(item.key)
    same = [place for place, first in enumerate(alike) if first == alike[key] and place != key]
    if same:
        yield "several-right", said("abc-eval-same", key=item.key, others=[*map(str, same)])
    elif len(set(alike)) < len(alike):
        yield "repeated-option", said("flaw-repeated-option")
    if item.task == "next_bar_prediction":
        right = notated.played(item.choices[key])
        ears = [p for p, bar in enumerate(item.choices) if p != key and p not in same]
        if names := [str(p) for p in ears if notated.played(item.choices[p]) == right]:
            yield "same-notes", said("abc-eval-same-notes", key=item.key, others=names)
    if item.task == "music_captioning" and item.tune.lower() in item.score.lower():
        yield "answer-in-question", said("abc-eval-says", what=item.tune)
    if item.target and item.task != "error_detection":
        choice = item.choices[key]
        if " ".join(item.target.split()) != " ".join(choice.split()):
            yield (
                "two-keys",
                said("abc-eval-two-keys", target=repr(item.target), choice=repr(choice)),
            )


def _of_header(item: ScoreItem) -> Found:
    """The score says it: what is asked can be read off."""
    field, key = _FIELD_OF.get(item.asks, ""), item.choices[int(item.key)].strip()
    values = [value for value in notated.stated(item.score, field) if value] if field else []
    if not values:
        return
    if values[0] != key:
        yield "key-refuted", said("abc-eval-header", field=field, says=values[0], key=key)
    elif others := sorted({*values} & {choice.strip() for choice in item.choices} - {key}):
        yield "key-doubtful", said("abc-eval-later", field=field, others=others, key=key)
    yield "answer-in-question", said("abc-eval-says", what=f"{field}:{values[0]}")


def _of_lengths(item: ScoreItem) -> Found:
    """Check metre and unit length against the lengths of the bars; a key is only heard."""
    key = item.choices[int(item.key)].strip()
    choices = dict.fromkeys(choice.strip() for choice in item.choices)
    if item.asks == "key":
        if others := notated.relatives(choices, key):
            yield "relative-key", said("abc-eval-relative", key=key, others=others)
        return
    units = notated.usual_length(item.score)
    if not item.asks or units is None:
        return
    wanted = (notated.metre_length(metre) for metre in notated.stated(item.score, "M"))
    if item.asks == "metre":
        whole = units * (_share(notated.stated(item.score, "L")[0]) or 0)
        fitting = [choice for choice in choices if notated.metre_length(choice) == whole]
    else:
        whole = next(wanted, None) or Fraction(0)
        fitting = [choice for choice in choices if units * (_share(choice) or 0) == whole]
    if fitting and key not in fitting:
        yield "key-refuted", said("abc-eval-lengths", others=fitting, key=key)
    elif len(fitting) > 1:
        others = [choice for choice in fitting if choice != key]
        yield "several-right", said("abc-eval-fits", others=others, key=key)


def _share(text: str) -> Fraction | None:
    return notated.metre_length(text) if "/" in text else None


def _of_label(item: ScoreItem) -> Found:
    """Check the key against the label that the score was filed under, which begins its title."""
    key = item.choices[int(item.key)].strip()
    named = [c.strip() for c in item.choices if item.title.lower().startswith(f"{c.lower()}_")]
    if named and named[0] != key:
        yield "key-refuted", said("abc-eval-label", label=named[0], key=key)


def _of_errors(item: ScoreItem) -> Found:
    """The list of errors that were put in against key, target and score."""
    entries = _ENTRY.split(item.errors) if item.errors else []
    key = item.choices[int(item.key)].strip()
    if entries and str(len(entries)) != key:
        yield "key-refuted", said("abc-eval-errors", n=len(entries), key=key)
    places = sorted({int(place) for e in entries for place in _PLACE.findall(e)})
    if places and item.target and "".join(map(str, places)) != item.target:
        yield "bars-differ", said("abc-eval-places", target=item.target, places=places)
    music = notated.music_of(item.score)
    for entry in entries:
        if not _PLACE.search(entry) or entry.startswith("invalid_duration"):
            continue
        if (put_in := _PUT_IN.search(entry)) and put_in[1] not in music:
            yield "error-not-there", said("abc-eval-not-there", what=put_in[1])


def _notes(items: Mapping[str, Sequence[ScoreItem]]) -> Iterator[Text]:
    """Count the rows, the tunes that several files share, and the answers right by themselves."""
    for task, own in items.items():
        yield said("abc-eval-count", task=said("abc-eval-task", name=task), n=len(own))
    tunes: defaultdict[str, set[str]] = defaultdict(set)
    for task, own in items.items():
        for item in own:
            tunes[item.tune].add(task)
    if shared := sum(len(tasks) > 1 for tasks in tunes.values()):
        yield said("abc-eval-shared", n=shared, of=len(tunes))
    for own in items.values():
        by_group: defaultdict[str, list[str]] = defaultdict(list)
        for item in own:
            if item.asks:
                by_group[item.groups[-1]].append(item.choices[int(item.key)].strip())
        for group, keys in by_group.items():
            answer, times = Counter(keys).most_common(1)[0]
            if times >= _SKEWED * len(keys):
                yield said("abc-eval-skewed", group=group, answer=answer, n=times, of=len(keys))
