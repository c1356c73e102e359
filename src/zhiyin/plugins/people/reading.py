"""Reading of a study from a table and its column map, or from an export; every cell is checked."""

from __future__ import annotations

import contextlib
import hashlib
from collections import Counter
from collections.abc import Collection, Mapping
from pathlib import Path
from types import MappingProxyType

import msgspec

from zhiyin.errors import InputError, did_you_mean, nearest
from zhiyin.files import read_bytes, read_json, read_lines
from zhiyin.parsing import read_json_text
from zhiyin.plugins.people import (
    FIELDS,
    JUDGED,
    ROLES,
    Keep,
    Person,
    PersonAnswer,
    Role,
    StudyAnswers,
    once,
)
from zhiyin.plugins.people.tables import AnswerRow, ColumnMap, as_text, people_rows, table_rows
from zhiyin.text import number_in
from zhiyin.trial import Trial
from zhiyin.words import Text, naming, said

_YES, _NO = ("true", "yes", "1"), ("false", "no", "0")


def read_table(
    path: Path, column_map: ColumnMap, beside: Path, trials: Mapping[str, Trial],
    told: Mapping[str, Collection[str]] = MappingProxyType({}),
) -> StudyAnswers:  # fmt: skip
    """The answers in somebody's table.

    Parameters
    ----------
    path : Path
        A file; of Potato also its folder of output.
    column_map : ColumnMap
    beside : Path
        The folder of the map, in which its table of people lies.
    trials : mapping of str to Trial
        The exam, by id. The last part of one will do where no other ends in it.
    told : mapping
        What people read in the place of an option's text, in other languages.

    Raises
    ------
    InputError
        One line with file, row and column for the first cell that cannot be meant.
    """
    rows, notes = table_rows(path, column_map.layout, column_map.columns.answer)
    if not rows:
        raise InputError(said("people-no-rows", path=path))
    reader = _Reader(path, column_map, trials, notes, told)
    return reader.read(rows, people_rows(column_map, beside))


class _Reader:
    """Reads one file."""

    def __init__(
        self, path: Path, column_map: ColumnMap, trials: Mapping[str, Trial], notes: list[Text],
        told: Mapping[str, Collection[str]],
    ) -> None:  # fmt: skip
        self.path, self.map, self.trials, self.notes = path, column_map, trials, notes
        self.told = told
        ends = Counter(name.rpartition("/")[2] for name in trials)
        self.short = {end: name for name in trials if ends[end := name.rpartition("/")[2]] == 1}
        self.people: dict[str, Person] = {}
        self.answers: list[PersonAnswer] = []
        self.missing = self.skipped = 0

    def read(self, rows: list[AnswerRow], about: list[AnswerRow]) -> StudyAnswers:
        """All rows, then what is known of people."""
        if self.map.layout == "wide" and not self.map.items:
            named = dict.fromkeys(name for row in rows for name in row.cells)
            items = {name: name for name in named if name in self.trials or name in self.short}
            if not items:
                raise InputError(
                    said("people-no-trial-column", path=self.path, like=self._like("")[0])
                )
            self.map = msgspec.structs.replace(self.map, items=items)
        self._refuse_missing_columns(rows)
        for row in rows:
            if self.map.layout == "wide":
                person = self._person(row)
                for column, trial in self.map.items.items():
                    self._answer(person, trial, column, row)
            elif name := row.text(self.map.columns.item):
                trial = self.map.items.get(name, name)
                self._answer(self._person(row), trial, self.map.columns.answer, row)
            else:
                self.skipped += 1
        self._add_background(about)
        answers, later = once(self.answers)
        if not answers:
            raise InputError(said("people-no-answers", path=self.path))
        missing = said("people-empty", n=self.missing, missing=self.map.empty == "missing")
        notes = [*self.notes, *[missing] * bool(self.missing)]
        notes += [said("people-no-item", n=self.skipped)] * bool(self.skipped)
        notes += [said("people-again", n=later)] * bool(later)
        digest = hashlib.sha256()
        files = sorted(self.path.rglob("*.jsonl")) if self.path.is_dir() else [self.path]
        for file in files:
            digest.update(file.read_bytes())
        return StudyAnswers(
            self.map.kind, self.people, answers, dict(self.trials), self.map.keep,
            digest.hexdigest(), [*map(naming, notes)],
        )  # fmt: skip

    def _refuse_missing_columns(self, rows: list[AnswerRow]) -> None:
        """Refuse a table that lacks a column of the map."""
        present = {name for row in rows for name in row.cells}
        columns = self.map.columns
        named = {name: getattr(columns, name) for name in columns.__struct_fields__}
        if self.map.layout == "wide":
            named = {k: v for k, v in named.items() if k not in ("item", "answer")}
            named |= {f"items.{name}": name for name in self.map.items}
        for name, column in named.items():
            if column and column not in present:
                raise InputError(said(
                    "people-no-column", path=self.path, column=repr(column), name=name,
                    hint=did_you_mean(column, present),
                ))  # fmt: skip

    def _person(self, row: AnswerRow) -> str:
        columns = self.map.columns
        name = row.text(columns.person)
        if not name:
            raise InputError(said("people-nobody", where=row.at(columns.person)))
        person = self.people.setdefault(name, Person(name, {}))
        for field in FIELDS:
            self._background(person, field, getattr(columns, field), row)
        if columns.outcome:
            person.outcome = self._value("outcome", columns.outcome, row) or person.outcome
        if columns.headphones and (value := self._value("headphones", columns.headphones, row)):
            if value.lower() not in _YES + _NO:
                raise InputError(
                    said("people-yes-no", where=row.at(columns.headphones), value=repr(value))
                )
            person.headphones = value.lower() in _YES
        return name

    def _background(self, person: Person, field: str, column: str, row: AnswerRow) -> None:
        value = self._value(field, column, row) if column else ""
        if not value:
            return
        before = person.background.setdefault(field, value)
        if before != value:
            raise InputError(said(
                "people-two-backgrounds", where=row.at(column), value=repr(value),
                before=repr(before),
            ))  # fmt: skip

    def _value(self, field: str, column: str, row: AnswerRow) -> str:
        """Translate a cell of a field into our own value for it."""
        text = row.text(column)
        return self.map.values.get(field, {}).get(text, text)

    def _add_background(self, about: list[AnswerRow]) -> None:
        table = self.map.people
        for row in about if table else ():
            assert table is not None
            if table.person not in row.cells:
                raise InputError(said(
                    "people-no-column-of", place=row.place, column=repr(table.person),
                    field="person",
                ))  # fmt: skip
            person = self.people.get(row.text(table.person))
            for field in FIELDS if person else ():
                assert person is not None
                column = getattr(table, field)
                if column and column not in row.cells:
                    raise InputError(said(
                        "people-no-column-of", place=row.place, column=repr(column), field=field
                    ))  # fmt: skip
                self._background(person, field, column, row)

    def _answer(self, person: str, name: str, column: str, row: AnswerRow) -> None:
        columns = self.map.columns
        role = (self._value("role", columns.role, row) if columns.role else "") or "plain"
        if role not in ROLES:
            raise InputError(
                said("people-role", where=row.at(columns.role), role=repr(role), roles=ROLES)
            )
        name = name if name in self.trials else self.short.get(name, name)
        trial = self.trials.get(name)
        if trial is None and role not in ("attention", "practice"):
            raise InputError(said(
                "people-no-trial", where=row.at(columns.item or column), name=repr(name),
                like=self._like(name),
            ))  # fmt: skip
        if trial is not None and not trial.options and role != "practice":
            raise InputError(said("people-free", place=row.place, name=name))
        own = self.map.values.get("answer", {})
        parts = [own.get(part, part) for part in _parts(row.cells.get(column), self.map.several)]
        if not parts:
            self.missing += 1
            if self.map.empty == "missing":
                return
        flag = ""
        if len(parts) == 1:
            flag = "cannot_tell" if parts[0] in self.map.cannot_tell else ""
            flag = "odd" if parts[0] in self.map.odd else flag
        keys = tuple(parts) if trial is None else ()
        order = self._order(trial, row) if trial else ()
        if trial is not None and not flag:
            where = row.at(column)
            keys = tuple(self._key(part, trial, order, where) for part in parts)
            several = self.map.kind == "validate" or trial.tags.get("kind") == "several"
            if len(keys) > 1 and not several:
                raise InputError(said("people-many-answers", where=where, keys=len(keys)))
        expected = _parts(row.cells.get(columns.expected), self.map.several)
        self.answers.append(
            PersonAnswer(
                person, name, keys, "", flag, order, self._seconds(row), role,
                tuple(expected) if columns.expected else (), row.place,
            )
        )  # fmt: skip

    def _like(self, name: str) -> list[str]:
        """Ids of trials that are nearest to a name, or the first ones."""
        near = [self.short[end] for end in nearest(name, self.short)]
        return near or [*self.trials][:2]

    def _key(self, answer: str, trial: Trial, order: tuple[str, ...], where: Text) -> str:
        """The key that an answer names. Raises `InputError`."""
        options, form = trial.options, self.map.answers
        if form in ("index-0", "index-1"):
            shown = order or tuple(option.key for option in options)
            place = int(answer) - (form == "index-1") if answer.isdecimal() else -1
            keys = [shown[place]] if 0 <= place < len(shown) else []
        elif form == "letter":
            keys = [option.key for option in options if option.letter == answer.upper()]
        else:
            keys = [one.key for one in options if one.key == answer] if form != "text" else []
            if form != "key" and not keys:
                keys = [one.key for one in options if answer == (text := one.text.strip())
                        or answer in self.told.get(text, ())]  # fmt: skip
        if len(keys) != 1:
            texts = form in (None, "text")
            known = ", ".join(option.text if texts else option.key for option in options)
            raise InputError(said(
                "people-which-option", where=where, answer=repr(answer), several=bool(keys),
                trial=trial.id, form=form, known=known[:120],
            ))  # fmt: skip
        return keys[0]

    def _order(self, trial: Trial, row: AnswerRow) -> tuple[str, ...]:
        column = self.map.columns.order
        parts = _parts(row.cells.get(column), self.map.several or ",") if column else []
        keys = [option.key for option in trial.options]
        if parts and sorted(parts) != sorted(keys):
            raise InputError(said("people-keys", where=row.at(column)))
        return tuple(parts)

    def _seconds(self, row: AnswerRow) -> float | None:
        column = self.map.columns.seconds
        text = row.text(column) if column and self.map.layout != "wide" else ""
        if text in ("", "null", "NA"):
            return None
        seconds = number_in(text.replace(",", ".") if row.comma else text)
        if not 0 <= seconds < 1e9:
            raise InputError(said("people-time", where=row.at(column), text=repr(text)))
        return seconds / 1000 if self.map.milliseconds else seconds


def _parts(cell: object, several: str) -> list[str]:
    """The answers in a cell: of a list its entries, of a text what stands between marks."""
    if isinstance(cell, str) and cell.startswith("[") and cell.endswith("]"):
        with contextlib.suppress(ValueError):  # it may be a text in brackets
            cell = read_json_text(cell)
    if isinstance(cell, list):
        return [text for entry in cell if (text := as_text(entry))]
    text = as_text(cell)
    parts = text.split(several) if several else [text]
    return [part.strip() for part in parts if part.strip() and part.strip() not in ("NA", "null")]


FORMAT = 1


class ExportedAnswer(msgspec.Struct, kw_only=True):
    """A line of the export: the contract with its readers. Further columns are left alone.

    What each column means is in `COLUMNS`.
    """

    format: int
    study: str = ""
    kind: str
    participant: str
    education: str | None = None
    music_major: str | None = None
    music_background: str | None = None
    lessons_years: str | None = None
    instrument: str | None = None
    age: str | None = None
    hearing: str | None = None
    language: str = ""
    scores: dict[str, float] = {}
    statements: dict[str, int] = {}
    texts_consented: int = 0
    texts_shown: int = 0
    headphones: str = "none"
    headphones_hits: int | None = None
    headphones_passed: bool | None = None
    item: str = ""
    trial: str
    trial_item: str = ""
    condition: str = ""
    group: str = ""
    form: str = "one"
    role: Role = "plain"
    position: int | None = 0
    order: list[str] = []
    keys: list[str] = []
    said: str = ""
    grades: dict[str, int] = {}
    text: str = ""
    expected: list[str] = []
    right: bool | None = None
    listens: list[int] = []
    given: float = 0.0
    saved: float = 0.0
    active_s: float | None = None
    after_s: float | None = None
    idle_s: float = 0.0
    outcome: str | None = ""
    excluded: list[str] = []
    by_hand: list[str] = []


COLUMNS: dict[str, str] = read_json_text((Path(__file__).parent / "columns.json").read_bytes())
"""Every column of the export and what it means."""


class _StudyDeclared(msgspec.Struct, frozen=True):
    keep: Keep = Keep()


class _ItemShown(msgspec.Struct, frozen=True):
    scales: dict[str, tuple[float, float]] = {}
    quoted: dict[str, str] = {}
    instruction: bool = False
    examples: int = 0
    slots: dict[str, str] = {}


class _Codebook(msgspec.Struct, frozen=True):
    study: _StudyDeclared = _StudyDeclared()
    translated: dict[str, str] = {}
    items: dict[str, _ItemShown] = {}


def looks_exported(path: Path) -> bool:
    """Tell whether a file has the file of trials beside it that an export has."""
    return path.suffix == ".jsonl" and path.with_suffix(".trials.jsonl").is_file()


def read_export(path: Path) -> StudyAnswers:
    """The answers of an export.

    Raises
    ------
    InputError
        A line that is not of the export's layout, another version of it, answers of several kinds,
        or a trial that is not in the file of trials.
    """
    none = said("people-no-such", what="trial", why="")
    lines = read_lines(path.with_suffix(".trials.jsonl"), Trial, none)
    trials = {trial.id: trial for _, trial in lines}
    people: dict[str, Person] = {}
    given: list[PersonAnswer] = []
    kinds: set[str] = set()
    data, none = read_bytes(path), said("people-no-such", what="answer", why="")
    for where, row in read_lines(path, ExportedAnswer, none, data):
        if row.format != FORMAT:
            raise InputError(said("people-format", where=where, format=row.format, reads=FORMAT))
        kinds.add(row.kind)
        if row.participant not in people:
            background = {name: getattr(row, name) for name in FIELDS}
            people[row.participant] = Person(
                row.participant, {k: v for k, v in background.items() if v},
                row.outcome or "", row.headphones_passed, list(row.excluded),
            )  # fmt: skip
        if row.role != "attention" and row.trial not in trials:
            raise InputError(said(
                "people-no-line", where=where, trial=repr(row.trial),
                name=path.with_suffix(".trials.jsonl").name,
            ))  # fmt: skip
        # Of one trial several texts may be judged: the study's items keep them apart.
        name = row.item if row.kind in JUDGED else row.trial
        given.append(
            PersonAnswer(
                row.participant, name, tuple(row.keys), row.text, row.said, tuple(row.order),
                row.active_s, row.role, tuple(row.expected),
                said("people-line", line=where.facts["line"]), row.form, row.grades, row.after_s,
            )
        )  # fmt: skip
    if not given:
        raise InputError(said("people-none-yet", path=path))
    if len(kinds) > 1 or not kinds <= {"exam", "validate", *JUDGED}:
        raise InputError(said("people-kinds", path=path, kinds=sorted(kinds)))
    answers, later = once(given)
    notes = [naming(said("people-again", n=later))] if later else []
    digest = hashlib.sha256(data).hexdigest()
    book = _codebook(path)
    scales = {name: item.scales for name, item in book.items.items()}
    texts = {name: item.quoted for name, item in book.items.items()}
    return StudyAnswers(
        kinds.pop(), people, answers, trials, book.study.keep, digest, notes, scales, texts,
        any(item.instruction for item in book.items.values()),
        any(item.examples for item in book.items.values()), book.translated,
        {name: key for name, item in book.items.items() for key, role in item.slots.items()
          if role == "reference"},
    )  # fmt: skip


def _codebook(path: Path) -> _Codebook:
    """Read what the study file declared; without a codebook: the usual rule, unknown scales."""
    book = path.with_suffix(".codebook.json")
    if not book.is_file():
        return _Codebook()
    none = said("people-no-such", what="codebook", why="")
    return read_json(read_bytes(book), _Codebook, str(book), none)
