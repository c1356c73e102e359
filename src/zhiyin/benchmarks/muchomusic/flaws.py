"""What is wrong with the data: flaws of questions, and of the recordings, every one decoded."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from pathlib import Path

from zhiyin.benchmarks.muchomusic.data import Question, find_questions, read_questions
from zhiyin.benchmarks.muchomusic.dimensions import is_known
from zhiyin.benchmarks.muchomusic.library import find_recordings
from zhiyin.contract.declared import NOTHING, CheckResult, Flaw
from zhiyin.contract.recordings import recording_flaws
from zhiyin.contract.sheets import Fault


def check_folder(data: str | None, partial: bool = False) -> CheckResult:
    """Every flaw of the questions and recordings in the folder `data`.

    With `partial`, a missing recording is none.

    Raises
    ------
    InputError
        There is no such folder, or the questions cannot be read at all.
    """
    path = find_questions(data)
    flaws: list[Flaw] = []

    def note(fault: Fault) -> None:
        flaws.append(Flaw(fault.kind, path.name, fault.id, f"line {fault.line}: {fault.problem}"))

    questions = read_questions(path, note)
    flaws += find_flaws(path, questions)
    recordings = find_recordings(path.parent, questions)
    places = dict.fromkeys(question.place for question in questions)
    if not partial:
        absent = (place for place in places if place not in recordings)
        flaws += [Flaw("missing", "", place, "no recording was found") for place in absent]
    flaws += recording_flaws(recordings)
    lacking, counted = _against_published(questions, len(places))
    flaws += [
        Flaw("incomplete", path.name, part, detail) for part, detail in lacking if not partial
    ]
    tracks = Counter(place.partition("/")[0] for place in recordings)
    notes = [f"{len(questions)} questions on {len(places)} tracks"]
    notes += [f"{count} recordings of {dataset}" for dataset, count in tracks.items()]
    notes += counted
    return CheckResult(len(questions), flaws, notes)


def _against_published(
    questions: Sequence[Question], tracks: int
) -> tuple[list[tuple[str, str]], list[str]]:
    """Which data sets have another number of questions than published; and how many there are.

    A folder with neither of the published data sets is a set of its own.
    """
    from zhiyin.benchmarks.muchomusic.benchmark import MuChoMusic

    published = MuChoMusic.expected() or NOTHING
    counts = Counter(f"source/{question.dataset}" for question in questions)
    if not any(counts[part] for part in published.parts):
        return [], ["none of the published data sets is here: this is a set of its own"]
    lacking, notes = [], []
    for part in published.parts:
        name = part.removeprefix("source/")
        coverage = f"{counts[part]:,} of {published.counts[part]:,}"
        notes.append(f"{coverage} published questions of {name}, by their number")
        if counts[part] != published.counts[part]:
            lacking.append((name, f"{coverage} published questions"))
    if not lacking and tracks != published.clusters:
        lacking.append(("", f"{tracks:,} of {published.clusters:,} published tracks"))
    return lacking, notes


def find_flaws(path: Path, questions: Sequence[Question]) -> list[Flaw]:
    """What is wrong with questions that can be asked all the same."""
    flaws: list[Flaw] = []
    asked: dict[tuple[str, ...], Question] = {}
    genres: dict[str, Question] = {}
    for question in questions:
        flaws += (
            Flaw(kind, path.name, question.id, f"line {question.line}: {detail}")
            for kind, detail in _own_flaws(question)
        )
        key = (question.place, _folded(question.text), *sorted(map(_folded, question.options)))
        if (twin := asked.setdefault(key, question)) is not question:
            detail = f"line {question.line}: repeats {twin.id}"
            flaws.append(Flaw("repeated-question", path.name, question.id, detail))
        first = genres.setdefault(question.place, question)
        if first.genre != question.genre:
            detail = (
                f"line {question.line}: genre {question.genre}, but {first.genre} in {first.id}"
            )
            flaws.append(Flaw("conflicting-genre", path.name, question.id, detail))
    return flaws


def _own_flaws(question: Question) -> Iterator[tuple[str, str]]:
    texts = [_folded(text) for text in question.options]
    if texts[0] in texts[1:]:
        yield "target-among-distractors", f"{question.options[0]!r} is also a distractor"
    if len(set(texts[1:])) < len(texts) - 1:
        yield "repeated-option", "two distractors are the same"
    for category in ("knowledge", "reasoning"):
        for label in getattr(question, category):
            if not is_known(category, label):
                yield "unknown-dimension", f"{label!r} is no dimension of {category}"
    if not question.knowledge and not question.reasoning:
        yield "no-dimension", "neither knowledge nor reasoning"


def _folded(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")
