"""The questions of muchomusic.csv: what each row asks, under which groups, and its flaws."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

import msgspec

from zhiyin.contract.declared import Flaw
from zhiyin.contract.question_table import Fault
from zhiyin.contract.tables import read_rows, refuse
from zhiyin.errors import InputError
from zhiyin.parsing import read_beside, read_literal
from zhiyin.plugins.music.clips import ClipQuestion, refuse_twins
from zhiyin.words import Said, said

FILE = "muchomusic.csv"
OPTIONS = ("correct_answer", "distractor_1_answer", "distractor_2_answer", "distractor_3_answer")
"""The columns of the options in the order of their keys A, B, C, D."""
COLUMNS = (
    "question",
    *OPTIONS,
    "dataset",
    "dataset_identifier",
    "genre",
    "music_knowledge",
    "music_reasoning",
)
_LONGEST_LIST = 10_000
DIMENSIONS = read_beside(__file__, "dimensions.toml", dict[str, tuple[str, ...]])
KNOWLEDGE, REASONING = DIMENSIONS["knowledge"], DIMENSIONS["reasoning"]
"""Section 3.1, in the paper's order and words."""
_WORDS = {"lyrics": "interpretation of lyrics", "dynamics and expression": "performance"}
"""The data has one label more than the paper: dynamics and expression, which the published code
draws under performance. We count a question with either once under performance, and keep each
label's own group below it."""


class TrackQuestion(ClipQuestion, frozen=True, kw_only=True):
    """One row: a question about a track, `recording`, which is named ``sdd/415600``.

    Attributes
    ----------
    dataset : str
        ``sdd`` or ``musiccaps``; any other name for data of your own.
    track : str
        The identifier without ``.json``: ``415600``, ``YTID_0``.
    number : int
        Which question of its track it is in the file, from 1.
    genre : str or None
    knowledge, reasoning : tuple of str
        Labels as in the data.
    line : int
        The line of the file on which the row begins, from 1.
    """

    dataset: str
    track: str
    number: int
    genre: str | None
    knowledge: tuple[str, ...]
    reasoning: tuple[str, ...]
    line: int


def encoded(question: TrackQuestion) -> bytes:
    """Encode a question for the data's fingerprint; without the line that it stands on."""
    content = {
        "dataset": question.dataset,
        "track": question.track,
        "number": question.number,
        "text": question.text,
        "options": question.choices,
        "genre": question.genre,
        "knowledge": question.knowledge,
        "reasoning": question.reasoning,
        "line": 0,
    }
    return msgspec.json.encode(content)


def read_questions(path: Path, on_fault: Callable[[Fault], None] = refuse) -> list[TrackQuestion]:
    """The questions of a file.

    Parameters
    ----------
    path : Path
        UTF-8, with or without a byte order mark; the columns of `COLUMNS` in any order, and
        any others.
    on_fault : callable
        Called for each row that cannot be asked (wrong number of fields, blank question or
        option, bad identifier, a list that is not one of strings, an identifier that another
        data set has), which is then left out. `refuse` raises.

    Raises
    ------
    InputError
        The file cannot be read, is not UTF-8, lacks a column or holds no question.
    """
    _, rows = read_rows(path)
    header = [name.strip() for name in next(rows, (1, []))[1]]
    if absent := [name for name in COLUMNS if name not in header]:
        raise InputError(said("mucho-no-column", path=path, absent=absent[0], file=FILE))
    refuse_twins(path, header, COLUMNS)
    questions: list[TrackQuestion] = []
    counts: dict[str, int] = {}
    owners: dict[str, TrackQuestion] = {}
    for line, row in rows:
        try:
            question = _question(line, header, row)
        except _UnfitError as unfit:
            kind, problem, remedy = unfit.args
            on_fault(Fault(kind, path, line, _named(header, row), problem, remedy))
            continue
        place = question.recording
        owner = owners.setdefault(question.track, question)
        if owner.dataset != question.dataset:
            problem = f"{question.track} is in {owner.dataset} too, on line {owner.line}"
            remedy = "correct dataset or dataset_identifier on one of the two"
            on_fault(Fault("id-in-two-data-sets", path, line, place, problem, remedy))
            continue
        number = counts[place] = counts.get(place, 0) + 1
        item = f"{place}/{number}"
        tags = {"item": item, **question.tags}
        questions.append(msgspec.structs.replace(question, id=item, number=number, tags=tags))
    if not questions:
        raise InputError(said("mucho-none", path=path))
    return questions


def read_labels(text: str) -> tuple[str, ...]:
    """The labels of a list literal such as ``['melody', 'harmony']``; blank is no label.

    Nothing is evaluated: `read_literal` reads literals only, and a list of strings is the
    only literal that is taken.

    Raises
    ------
    ValueError
        For anything else.
    """
    if text.strip() in ("", "nan"):
        return ()
    if len(text) > _LONGEST_LIST:
        raise ValueError("too long for a list of labels")
    try:
        value = read_literal(text.strip())
    except ValueError:
        raise ValueError("not a list of strings") from None
    if not isinstance(value, list) or not all(isinstance(label, str) for label in value):
        raise ValueError("not a list of strings")
    return tuple(dict.fromkeys(label.strip() for label in value if label.strip()))


def _question(line: int, header: list[str], row: list[str]) -> TrackQuestion:
    """The question of a row, its number still to be counted. Raises `_UnfitError`."""
    if len(row) != len(header):
        problem = f"{len(row)} fields under {len(header)} columns"
        raise _UnfitError("short-row", problem, "mend its commas and quotes")
    cells = dict(zip(header, (cell.strip() for cell in row), strict=True))
    for name in ("question", *OPTIONS):
        if not cells[name]:
            kind = "missing-distractor" if name.startswith("distractor") else "blank-field"
            raise _UnfitError(kind, f"{name} is blank", "fill it, or remove the row")
    dataset, track = cells["dataset"], cells["dataset_identifier"].removesuffix(".json")
    named = re.fullmatch(r"[\w-]+", dataset) and re.fullmatch(r"[\w-][\w.-]*", track)
    if not named or (dataset == "sdd" and not track.isdecimal()):
        problem = f"{dataset!r} and {cells['dataset_identifier']!r} name no track"
        raise _UnfitError("bad-identifier", problem, "write such as sdd and 415600.json")
    labels = []
    for name in ("music_knowledge", "music_reasoning"):
        try:
            labels.append(read_labels(cells[name]))
        except ValueError as error:
            problem = f"{name} is {error}: {cells[name][:40]}"
            raise _UnfitError("bad-list", problem, "write such as ['melody'] or []") from None
    genre = cells["genre"] if cells["genre"] not in ("", "nan") else None
    knowledge, reasoning = labels
    return TrackQuestion(
        id="",
        recording=f"{dataset}/{track}",
        text=cells["question"],
        choices=tuple(cells[name] for name in OPTIONS),
        right=0,
        groups=groups_of(knowledge, reasoning, genre, dataset),
        tags={
            "dataset": dataset,
            "genre": genre,
            "knowledge": ", ".join(knowledge),
            "reasoning": ", ".join(reasoning),
        },
        dataset=dataset,
        track=track,
        number=0,
        genre=genre,
        knowledge=knowledge,
        reasoning=reasoning,
        line=line,
    )


def _named(header: list[str], row: list[str]) -> str:
    """Name the track of a row that cannot be asked, as far as it has the cells."""
    cells = dict(zip(header, row, strict=False))
    named = (cells.get(name, "").strip() for name in ("dataset", "dataset_identifier"))
    return "/".join(filter(None, named))


class _UnfitError(Exception):
    """A row that cannot be asked: kind, problem and remedy of a `Fault`."""


def dimension_of(label: str) -> str:
    """The paper's name of a label in the data; an unknown label goes by its own name."""
    folded = " ".join(label.lower().split())
    return _WORDS.get(folded, folded)


def is_known(category: str, label: str) -> bool:
    """Tell whether the paper has the label's dimension in `category` (knowledge or reasoning)."""
    return dimension_of(label) in DIMENSIONS[category]


def slug(name: str) -> str:
    """`name` in lower case with an underscore for whatever is neither letter nor digit."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_") or "unnamed"


def groups_of(
    knowledge: Sequence[str], reasoning: Sequence[str], genre: str | None, dataset: str
) -> tuple[str, ...]:
    """The names under which a question is counted, from the widest to the narrowest.

    Parameters
    ----------
    knowledge, reasoning : sequence of str
        Labels as in the data; a question may have several of both.
    genre : str or None
    dataset : str

    Returns
    -------
    tuple of str
        ``knowledge``, ``knowledge/melody``, ..., ``genre/hip_hop``, ``source/sdd``.
    """
    groups: dict[str, None] = {}
    for category, labels in (("knowledge", knowledge), ("reasoning", reasoning)):
        for label in labels:
            dimension = dimension_of(label)
            groups[category] = None
            groups[f"{category}/{slug(dimension)}"] = None
            if category == "knowledge" and dimension == "performance":
                groups[f"{category}/performance/{slug(label)}"] = None
    if genre:
        groups[f"genre/{slug(genre)}"] = None
    groups[f"source/{slug(dataset)}"] = None
    return tuple(groups)


def find_flaws(path: Path, questions: Sequence[TrackQuestion]) -> list[Flaw]:
    """List the flaws of questions that can be asked all the same."""
    flaws: list[Flaw] = []
    asked: dict[tuple[str, ...], TrackQuestion] = {}
    genres: dict[str, TrackQuestion] = {}
    for question in questions:
        flaws += (
            Flaw(kind, path.name, question.id, at(question, detail))
            for kind, detail in _own_flaws(question)
        )
        key = (question.recording, _folded(question.text), *sorted(map(_folded, question.choices)))
        if (twin := asked.setdefault(key, question)) is not question:
            detail = at(question, said("muchomusic-repeats", twin=twin.id))
            flaws.append(Flaw("repeated-question", path.name, question.id, detail))
        first = genres.setdefault(question.recording, question)
        if first.genre != question.genre:
            genre = said("muchomusic-genre", own=question.genre, other=first.genre, of=first.id)
            detail = at(question, genre)
            flaws.append(Flaw("conflicting-genre", path.name, question.id, detail))
    return flaws


def at(question: TrackQuestion, detail: Said) -> Said:
    """Put the line on which a question stands before what is wrong."""
    return said("flaw-at", unit="line", line=str(question.line), detail=detail)


def _own_flaws(question: TrackQuestion) -> Iterator[tuple[str, Said]]:
    texts = [_folded(text) for text in question.choices]
    if texts[0] in texts[1:]:
        yield "target-among-distractors", said("muchomusic-also", answer=repr(question.choices[0]))
    if len(set(texts[1:])) < len(texts) - 1:
        yield "repeated-option", said("muchomusic-two-same")
    for category in DIMENSIONS:
        for label in getattr(question, category):
            if not is_known(category, label):
                detail = said("muchomusic-unknown", label=repr(label), category=category)
                yield "unknown-dimension", detail
    if not question.knowledge and not question.reasoning:
        yield "no-dimension", said("muchomusic-neither")


def _folded(text: str) -> str:
    return " ".join(text.lower().split()).rstrip(".")
