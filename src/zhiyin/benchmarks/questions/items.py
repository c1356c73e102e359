"""Questions made from the rows of a table: checked, each with its place in the file."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from hashlib import blake2b
from pathlib import Path
from typing import Any, Literal, ParamSpec, TypeVar

import msgspec
from msgspec.structs import replace

from zhiyin.benchmarks.questions import cells
from zhiyin.benchmarks.questions.scoring import Scorer, open_scorer
from zhiyin.benchmarks.questions.settings import QuestionSettings
from zhiyin.contract.conditions import KINDS, RIGHT
from zhiyin.contract.parquet import unpacked
from zhiyin.contract.question_table import (
    DELIMITERS,
    Fault,
    MediaFile,
    QuestionTable,
    TableRow,
    text_of,
    texts_in,
)
from zhiyin.errors import InputError, system_words
from zhiyin.text import ADVICE, fold
from zhiyin.trial import Tag
from zhiyin.words import Said, said

P = ParamSpec("P")
T = TypeVar("T")
Kind = Literal["choice", "several", "free"]
FEWEST, MOST = 2, 26
_RESERVED = frozenset(
    {
        *("line", "kind", "scorer", "accept", "rubric", "repeat", "rotation", "item", "audio"),
        *("image", "dataset"),
    }
)
_LONGEST_FACT = 120


class OwnQuestion(msgspec.Struct, frozen=True, gc=False):
    """One question of the user's.

    Attributes
    ----------
    id : str
        The file's, or a hash of what is asked: leaving rows out renames no other.
    line : int
        Where it stands in the file.
    text : str
    kind : {"choice", "several", "free"}
    options : tuple of str
        2 to 26 in the order of the file; none for a free answer.
    keys : tuple of str
        The letters, in the order of the file, of the right options.
    accept : tuple of str
        Of a free answer: each that is right, or the entries of one set.
    scorer, rubric : str
        Of a free answer.
    sounds, pictures : tuple of MediaFile
    groups : tuple of str
        Most general first.
    cluster : str
        "" for none.
    example : bool
        To be shown before others, never scored.
    facts : dict
        The columns that mean nothing to us.
    kinds : tuple of str
        Of each option: `RIGHT`, or which kind of wrong answer it is; none where nothing says so.
    """

    id: str
    line: int
    text: str
    kind: Kind
    options: tuple[str, ...] = ()
    keys: tuple[str, ...] = ()
    accept: tuple[str, ...] = ()
    scorer: str = ""
    rubric: str = ""
    sounds: tuple[MediaFile, ...] = ()
    pictures: tuple[MediaFile, ...] = ()
    groups: tuple[str, ...] = ()
    cluster: str = ""
    example: bool = False
    facts: dict[str, Tag] = {}
    kinds: tuple[str, ...] = ()

    @property
    def asked(self) -> tuple[object, ...]:
        """What is asked, whatever its id and answer: two that share it are one question."""
        files = tuple(str(place.path) for place in (*self.sounds, *self.pictures))
        return fold(self.text), files, *sorted(map(fold, self.options))


_OF_SETS = (*DELIMITERS, ",", "，", "、")
"""What parts the entries of a set that is the right answer, the first that is there."""
_NO_FACTS: dict[str, Tag] = {}
"""What questions share that have none; nobody writes there."""


class _Draft(msgspec.Struct, gc=False):
    """A row on its way: what is known before the file's form of answers is."""

    row: TableRow
    text: str
    options: cells.Options | None
    reading: dict[cells.Form, tuple[str, ...]]


class Reader:
    """Reads the questions of a table.

    Parameters
    ----------
    table : QuestionTable
    columns : QuestionColumns
    settings : QuestionSettings
    note : callable
        Called with a `Fault` for every row that cannot be asked.
    """

    def __init__(
        self,
        table: QuestionTable,
        columns: cells.QuestionColumns,
        settings: QuestionSettings,
        note: Callable[[Fault], None],
    ) -> None:
        self.table, self.columns, self.settings = table, columns, settings
        self._note = note
        self._named_by = {meaning: columns.all(meaning) for meaning in cells.NAMES}
        self._ids: dict[str, int] = {}
        self._first: dict[str, int] = {}  # the line in which a row first has an id
        self._alike: dict[tuple[str, ...], tuple[str, ...]] = {}
        self._root = Path(settings.audio_root) if settings.audio_root else table.path.parent
        self._rubric = read_rubric(settings.rubric)
        if settings.scorer:  # of a file without free answers no row would say so
            open_scorer(settings.scorer)

    def questions(self) -> list[OwnQuestion]:
        """Every row that can be asked, in the order of the file.

        Raises
        ------
        InputError
            The form of the answers cannot be known.
        """
        for fault in self.table.broken:
            self._note(fault)
        drafts = [
            draft for row in self.table.rows if (draft := self._usable(row, self._draft, row))
        ]
        form = self._form([draft for draft in drafts if draft.options is not None])
        questions = (self._usable(draft.row, self._question, draft, form) for draft in drafts)
        return [question for question in questions if question is not None]

    def _usable(
        self, row: TableRow, make: Callable[P, T], *args: P.args, **no: P.kwargs
    ) -> T | None:
        """Make something of a row; None where it has a fault, which is noted."""
        try:
            return make(*args, **no)
        except _Unusable as error:
            kind, problem, remedy = error.args
            self._note(Fault(kind, self.table.path, row.line, self._named(row), problem, remedy))
            return None

    def _cell(self, row: TableRow, meaning: str) -> Any:
        names = self._named_by[meaning]
        return row.cells.get(names[0]) if names else None

    def _draft(self, row: TableRow) -> _Draft:
        self._first.setdefault(self._named(row), row.line)
        text = self._text(row)
        if not text:
            raise _Unusable("no-question", said("row-no-question"), said("row-write-it"))
        options = self._options(row)
        if isinstance(options, Said):
            unclear = options.name == "row-options-unclear"
            raise _Unusable("bad-options", options, said("row-mend-options", unclear=unclear))
        answer, delimiter = self._cell(row, "answer"), self.settings.delimiter
        reading = cells.readings(answer, options, delimiter) if options else {}
        return _Draft(row, text, options, reading)

    def _once(self, names: tuple[str, ...]) -> tuple[str, ...]:
        """The same names for all questions that have them: in a long file that is memory saved."""
        return self._alike.setdefault(names, names)

    def _named(self, row: TableRow) -> str:
        return text_of(self._cell(row, "id"))

    def _options(self, row: TableRow) -> cells.Options | Said | None:
        """The options of a row; None for a free answer; a message for what is wrong with them."""
        names = self._named_by["options"]
        if not names:
            return None
        if self.columns.lettered:
            texts = [text_of(row.cells.get(name)) for name in names]
            filled = [text for text in texts if text]
            if not filled:
                return None
            if texts[: len(filled)] != filled:
                gap = names[texts.index("")]
                return said("row-gap", option=repr(gap))
            options: cells.Options | Said | None = cells.own_letters_off(filled)
        else:
            options = cells.options_of(row.cells.get(names[0]), self.settings.delimiter)
        if not isinstance(options, cells.Options):
            return options
        if not FEWEST <= len(options.texts) <= MOST:
            return said("row-many-options", n=str(len(options.texts)), least=FEWEST, most=MOST)
        if not all(options.texts):
            return said("row-empty-option", option=options.labels[options.texts.index("")])
        return options

    def _text(self, row: TableRow) -> str:
        """Join the question's columns that say something, one below the other."""
        texts = [text_of(row.cells.get(name)) for name in self._named_by["question"]]
        return "\n\n".join(filter(None, texts))

    def _form(self, drafts: Sequence[_Draft]) -> cells.Form | None:
        """The form of all answers, as the user says or as the file shows."""
        if self.settings.answers != "auto":
            return self.settings.answers
        form, unclear = cells.choose_form([draft.reading for draft in drafts])
        if unclear is not None:
            draft = drafts[unclear]
            answer = text_of(self._cell(draft.row, "answer"))
            first, second, *_ = sorted(draft.reading)
            at = self.table.at(draft.row.line)
            raise InputError(
                said("questions-unclear", at=at, answer=repr(answer), first=first, second=second)
            )
        return form

    def _question(self, draft: _Draft, form: cells.Form | None) -> OwnQuestion:
        row, given = draft.row, self._named(draft.row)
        example = cells.yes(self._cell(row, "example"))
        if example is None:
            problem = said("row-yes-no", text=repr(text_of(self._cell(row, "example"))))
            raise _Unusable("bad-example", problem, said("row-write-yes"))
        question = OwnQuestion(
            id=given, line=row.line, text=draft.text, kind="free",
            sounds=tuple(self._files(row, "audio", "bad-sound", "sound")),
            pictures=tuple(self._files(row, "image", "bad-picture", "pictures")),
            groups=self._groups(row), cluster=text_of(self._cell(row, "cluster")),
            example=example, facts=self._facts(row),
        )  # fmt: skip
        if draft.options is None:
            question = self._free(question, row)
        else:
            question = self._choice(question, row, draft.options, draft.reading, form)
        name = given or _hashed(question)
        times = self._ids[name] = self._ids.get(name, 0) + 1
        if given and self._first[given] != row.line:
            problem = said("row-id-again", id=repr(name))
            raise _Unusable("repeated-id", problem, said("row-own-id"))
        return replace(question, id=f"{name}-{times}" if times > 1 else name)

    def _files(self, row: TableRow, meaning: str, fault: str, called: str) -> list[MediaFile]:
        """The recordings or pictures of a row: those of the columns that mean so."""
        places = []
        for name in self._named_by[meaning]:
            value = row.cells.get(name)
            cells_of = [unpacked(one) for one in (value if isinstance(value, list) else [value])]
            places += [each for each in cells_of if isinstance(each, MediaFile)]
            paths = [each for each in cells_of if not isinstance(each, MediaFile)]
            if None in paths and value is not None:
                remedy = said("row-give-path", column=meaning)
                raise _Unusable(fault, said("row-no-medium"), remedy)
            for written in texts_in(
                paths[0] if len(paths) == 1 else paths, self.settings.delimiter
            ):
                place = cells.place_of(written, self._root, anywhere=bool(self.settings.audio_root))
                if not isinstance(place, MediaFile):
                    remedy = said("row-mend-path", column=meaning, kind=called)
                    problem = said("row-file", file=repr(written), what=place)
                    raise _Unusable(fault, problem, remedy)
                places.append(place)
        return places

    def _groups(self, row: TableRow) -> tuple[str, ...]:
        """The groups of a row: "a/b" counts under a and under a/b."""
        paths: tuple[str, ...] = ()
        for name in self._named_by["group"]:
            paths += texts_in(row.cells.get(name), self.settings.delimiter)
        groups = _with_those_above(paths)
        if "all" in groups:
            raise _Unusable("bad-group", said("row-group-all"), said("row-all-are"))
        return self._once(groups)

    def _facts(self, row: TableRow) -> dict[str, Tag]:
        facts: dict[str, Tag] = {}
        for name in self.columns.others:
            value = row.cells.get(name)
            plain = value is None or isinstance(value, str | int | float | bool)
            short = not isinstance(value, str) or len(value) <= _LONGEST_FACT
            if plain and short and value not in (None, "") and name not in _RESERVED:
                facts[name] = value
        return facts or _NO_FACTS

    def _choice(
        self,
        question: OwnQuestion,
        row: TableRow,
        options: cells.Options,
        reading: dict[cells.Form, tuple[str, ...]],
        form: cells.Form | None,
    ) -> OwnQuestion:
        """The question with its options and which of them are right."""
        scorer = text_of(self._cell(row, "scorer"))
        if scorer and scorer not in ("choice", "several"):
            problem = said("row-options-scorer", scorer=repr(scorer))
            raise _Unusable("bad-scorer", problem, said("row-leave-one"))
        keys = cells.resolve(self._cell(row, "answer"), reading, form, options)
        if isinstance(keys, cells.Unread):
            if not self.columns.one("answer"):
                names = [repr(name) for name in self.table.columns]
                problem = said("row-no-answer-column", names=names)
                raise _Unusable("bad-answer", problem, said("row-call-it-answer"))
            raise _Unusable("bad-answer", keys.problem, keys.remedy)
        several = len(keys) > 1 or self.settings.several or scorer == "several"
        ordered = tuple(sorted(keys))
        return replace(
            question,
            kind="several" if several else "choice",
            options=options.texts,
            keys=self._once(ordered),
            kinds=self._kinds(row, ordered, len(options.texts)),
        )

    def _kinds(self, row: TableRow, keys: Sequence[str], count: int) -> tuple[str, ...]:
        """Read the kind of wrong answer of each option; none where the cell is empty."""
        kinds = texts_in(self._cell(row, "kinds"), self.settings.delimiter)
        if not kinds:
            return ()
        wanted = [(RIGHT,) if key in keys else KINDS for key in cells.letters(count)]
        if len(kinds) != count:
            problem = f"{len(kinds)} kinds of {count} options"
        elif wrong := next((k for k, w in zip(kinds, wanted, strict=True) if k not in w), None):
            problem = f"{wrong!r} as the kind of an option that is none such"
        else:
            return tuple(kinds)
        remedy = f"write {RIGHT} for the right option and {', '.join(KINDS)} for the others"
        raise _Unusable("bad-kinds", problem, remedy)

    def _free(self, question: OwnQuestion, row: TableRow) -> OwnQuestion:
        """The question with what is right as a free answer, and by which scorer."""
        spec = text_of(self._cell(row, "scorer")) or self.settings.scorer or ""
        if not spec:
            if not (column := self._unnamed_options):
                raise _Unusable("no-scorer", said("row-no-scorer"), said("row-say-scorer"))
            told = said("row-no-options-column", names=[*map(repr, self.table.columns)])
            raise _Unusable("no-scorer", told, said("row-say-options", column=f"options={column}"))
        try:
            scorer, bound = open_scorer(spec)
        except InputError as error:
            raise _Unusable("bad-scorer", error, said("row-mend-scorer")) from None
        accept = self._accepted(row, scorer)
        rubric = text_of(self._cell(row, "rubric")) or self._rubric
        if scorer.judge:
            if not rubric:
                raise _Unusable("no-rubric", said("row-no-rubric"), said("row-say-rubric"))
        elif not accept:
            raise _Unusable("bad-answer", said("row-no-answer"), said("row-write-right"))
        elif problem := scorer.check(accept, bound):
            what, too_slow, _ = problem.partition(f": {ADVICE}")
            remedy = ADVICE if too_slow else f"scorer {spec}: {scorer.summary}"
            raise _Unusable("bad-answer", what, remedy)
        return replace(
            question,
            accept=accept,
            scorer=scorer.name + (f":{bound}" if bound else ""),
            rubric=rubric if scorer.judge else "",
        )

    @functools.cached_property
    def _unnamed_options(self) -> str | None:
        """The column that seems to hold options, where none is called so; by most of its rows."""
        if self._named_by["options"]:
            return None
        rows = self.table.rows
        for name in self.columns.others:
            read = (cells.options_of(row.cells.get(name), self.settings.delimiter) for row in rows)
            if sum(isinstance(one, cells.Options) for one in read) * 2 > len(rows):
                return name
        return None

    def _accepted(self, row: TableRow, scorer: Scorer) -> tuple[str, ...]:
        """The right answers in a cell: parted by | or in a list; a set's entries by , or ; too."""
        value = self._cell(row, "answer")
        if isinstance(value, list | tuple):
            return texts_in(value)
        delimiter = self.settings.delimiter
        if scorer.whole:
            text = text_of(value)
            signs = delimiter or next((sign for sign in _OF_SETS if sign in text), "|")
            return texts_in(value, signs)
        if scorer.name == "regex" or scorer.judge:
            return texts_in([value])
        return texts_in(value, delimiter or "|")


def _hashed(question: OwnQuestion) -> str:
    """An id from what is asked, and not from where it stands."""
    files = [place.name for place in (*question.sounds, *question.pictures)]
    what = [question.text, question.options, files]
    return "q" + blake2b(msgspec.json.encode(what), digest_size=4).hexdigest()


@functools.lru_cache(maxsize=4096)
def _with_those_above(paths: tuple[str, ...]) -> tuple[str, ...]:
    """Groups, each below all that it lies in."""
    groups: dict[str, None] = {}
    for path in paths:
        parts = [part.strip() for part in path.split("/") if part.strip()]
        groups.update(dict.fromkeys("/".join(parts[: n + 1]) for n in range(len(parts))))
    return tuple(groups)


class _Unusable(Exception):  # noqa: N818 - it is a finding about a row
    """A row that cannot be asked: the kind of fault, what is wrong, and how to mend it."""


def read_rubric(given: str | None) -> str:
    """A rubric: the words given, or those of the file that they name.

    Raises
    ------
    InputError
        It names a text file that is not there or cannot be read.
    """
    if not given:
        return ""
    path = Path(given)
    if "\n" not in given and path.suffix in (".txt", ".md"):
        try:
            return path.read_text("utf-8-sig").strip()
        except (OSError, UnicodeDecodeError) as error:
            of_system = isinstance(error, OSError)
            why = system_words(error) if of_system else said("questions-no-utf8")
            raise InputError(said("questions-rubric", given=given, why=why)) from None
    return given.strip()
