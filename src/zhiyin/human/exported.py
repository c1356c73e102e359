"""Reading what `zhiyin study export` writes: answers, trials and codebook beside each other."""

from __future__ import annotations

import hashlib
from pathlib import Path

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON
from zhiyin.human.answers import FIELDS, Answer, Keep, Person, Role, Study, once
from zhiyin.human.judging import JUDGED
from zhiyin.trial import Trial

FORMAT = 1


class Row(msgspec.Struct):
    """As much of a line of the export as is used here. Further columns are left alone."""

    format: int
    kind: str
    participant: str
    trial: str
    role: Role = "plain"
    form: str = "one"
    keys: tuple[str, ...] = ()
    said: str = ""
    text: str = ""
    order: tuple[str, ...] = ()
    expected: tuple[str, ...] = ()
    item: str = ""
    grades: dict[str, int] = {}
    active_s: float | None = None
    education: str | None = None
    music_major: str | None = None
    music_background: str | None = None
    headphones_passed: bool | None = None
    outcome: str | None = ""
    excluded: list[str] = []


class _Declared(msgspec.Struct, frozen=True):
    keep: Keep = Keep()


class _Asked(msgspec.Struct, frozen=True):
    scales: dict[str, tuple[float, float]] = {}
    quoted: dict[str, str] = {}


class _Codebook(msgspec.Struct, frozen=True):
    study: _Declared = _Declared()
    items: dict[str, _Asked] = {}


def looks_exported(path: Path) -> bool:
    """Whether a file has the file of trials beside it that an export has."""
    return path.suffix == ".jsonl" and path.with_suffix(".trials.jsonl").is_file()


def read_export(path: Path) -> Study:
    """The answers of an export.

    Raises
    ------
    InputError
        A line that is not of the export's layout, another version of it, answers of several kinds,
        or a trial that is not in the file of trials.
    """
    trials = _trials(path.with_suffix(".trials.jsonl"))
    people: dict[str, Person] = {}
    given: list[Answer] = []
    kinds: set[str] = set()
    data = _bytes(path)
    for number, line in enumerate(data.splitlines(), 1):
        row = _row(line, f"{path}, line {number}")
        kinds.add(row.kind)
        if row.participant not in people:
            background = {name: getattr(row, name) for name in FIELDS}
            people[row.participant] = Person(
                row.participant, {k: v for k, v in background.items() if v is not None},
                row.outcome or "", row.headphones_passed, list(row.excluded),
            )  # fmt: skip
        if row.role != "attention" and row.trial not in trials:
            raise InputError(
                f"{path}, line {number}, column trial: {row.trial!r} is not in "
                f"{path.with_suffix('.trials.jsonl').name}: export the study again"
            )
        # Of one trial several texts may be judged: the study's items keep them apart.
        name = row.item if row.kind in JUDGED else row.trial
        given.append(
            Answer(
                row.participant, name, row.keys, row.text, row.said, row.order, row.active_s,
                row.role, row.expected, f"line {number}", row.form, row.grades,
            )
        )  # fmt: skip
    if not given:
        raise InputError(f"{path}: holds no answers yet: export the study once people took part")
    if len(kinds) > 1 or not kinds <= {"exam", "validate", *JUDGED}:
        raise InputError(
            f"{path}: holds answers of the kind {', '.join(sorted(kinds))}: give the export of one "
            "study"
        )
    answers, later = once(given)
    notes = [f"{later} repeated answers: the first of each is taken"] if later else []
    digest = hashlib.sha256(data).hexdigest()
    book = _codebook(path)
    scales = {name: item.scales for name, item in book.items.items()}
    texts = {name: item.quoted for name, item in book.items.items()}
    return Study(
        kinds.pop(), people, answers, trials, book.study.keep, digest, notes, scales, texts
    )


def _bytes(path: Path) -> bytes:
    try:
        return path.read_bytes()
    except OSError as error:
        raise InputError(f"{path}: cannot be read ({error.strerror})") from None


def _row(line: bytes, where: str) -> Row:
    try:
        row = msgspec.json.decode(line, type=Row)
    except NOT_JSON as error:
        raise InputError(f"{where}: no answer of an export ({error})") from None
    if row.format != FORMAT:
        raise InputError(
            f"{where}, column format: layout {row.format}, and this version reads {FORMAT}: export "
            "the study with the same version of zhiyin"
        )
    return row


def _trials(path: Path) -> dict[str, Trial]:
    trials: dict[str, Trial] = {}
    for number, line in enumerate(_bytes(path).splitlines(), 1):
        try:
            trial = msgspec.json.decode(line, type=Trial)
        except NOT_JSON as error:
            raise InputError(f"{path}, line {number}: no trial ({error})") from None
        trials[trial.id] = trial
    return trials


def _codebook(path: Path) -> _Codebook:
    """What the study file declared; without a codebook the usual rule, and scales are not known."""
    book = path.with_suffix(".codebook.json")
    if not book.is_file():
        return _Codebook()
    try:
        return msgspec.json.decode(_bytes(book), type=_Codebook)
    except NOT_JSON as error:
        raise InputError(f"{book}: no codebook of a study ({error})") from None
