"""The benchmark object: from two files of questions to trials, with worked examples before them.

Reads MusicTheoryBench: one file of Parquet, or of JSON lines, for each of its two splits.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.conditions import SHOTS
from zhiyin.contract.declared import NOTHING, CheckResult, Flaw
from zhiyin.contract.options import OwnPrompts
from zhiyin.contract.protocols import OURS
from zhiyin.contract.question_table import RowCells
from zhiyin.contract.tables import read_table
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.listening import PLACES, shuffled
from zhiyin.plugins.music.clips import (
    LETTERS,
    ClipQuestion,
    FaultSink,
    common_flaws,
    find_table,
    is_left_out,
    refuse,
)
from zhiyin.prompts import Prompts, lay_out, named_as
from zhiyin.reader.plain import fold
from zhiyin.trial import Message, Option, Trial, say
from zhiyin.words import Said, said

Split = Literal["test", "dev"]
_POINTER = "Use the example below to answer the question that follows."
"""A sentence of the data that points to the score; the released program leaves it out."""
_COLUMNS = ("id", "stem", "options", "subject", "answer", "abc_score")


def find_split(data: str | None, split: Split, owner: str, home: str) -> Path:
    """The file of a split, in a folder or in ``data`` below it; of test, one that is named.

    Raises
    ------
    InputError
        Nothing is named, or there is no such file, or several.
    """
    named = Path(data) if data else None
    place = str(named.parent) if named and split == "dev" and named.is_file() else data
    patterns = (f"data/{split}-*.parquet", f"{split}-*.parquet", f"{split}.jsonl")
    return find_table(place, patterns, owner, home)


def read_split(path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
    """The questions of a file; what cannot be asked is given to `on_fault` and left out.

    Raises
    ------
    InputError
        The file cannot be read, or lacks a column.
    """
    table = read_table(path)
    if missing := [name for name in _COLUMNS if name not in table.columns]:
        raise InputError(f"{path}: no column {missing[0]}; is it the published file?")
    questions: dict[str, ClipQuestion] = {}
    for broken in table.broken:
        on_fault(Flaw("broken-row", str(path), f"row {broken.line}", broken.problem))
    for row in table.rows:
        fault = _fault(row.cells)
        name = "" if fault else str(row.cells.get("id")).strip()
        if name in questions and _subject(row.cells) not in questions[name].groups:
            name = f"{_subject(row.cells)}-{name}"  # each subject may have its own numbers
        if name in questions:
            fault = "repeated-id", said("flaw-twice", id=name)
        if is_left_out(path, f"row {row.line}", "row", fault, on_fault):
            continue
        questions[name] = _question(name, row.cells)
    return list(questions.values())


def _fault(cells: RowCells) -> tuple[str, Said] | None:
    """Find why a row cannot be asked: the kind of the flaw, and what is wrong."""
    for name in ("id", "stem", "subject", "answer"):
        if not str(cells.get(name) if cells.get(name) is not None else "").strip():
            return "blank-field", said("flaw-none", field=name)
    letters = _letters(cells)
    if not 2 <= len(letters) <= len(LETTERS):
        return "bad-choices", said("flaw-choices", n=len(letters), most=len(LETTERS))
    if str(cells.get("answer")).strip() not in letters:
        return "bad-answer", said("flaw-no-choice", answer=repr(cells.get("answer")))
    return None


def _letters(cells: RowCells) -> list[str]:
    """The letters of the options that say something."""
    options = cells.get("options")
    if not isinstance(options, dict):
        return []
    return [letter for letter in LETTERS if str(options.get(letter) or "").strip()]


def _subject(cells: RowCells) -> str:
    return str(cells.get("subject")).strip().lower()


def _question(name: str, cells: RowCells) -> ClipQuestion:
    letters = _letters(cells)
    stem, score = str(cells.get("stem")).strip(), str(cells.get("abc_score") or "").strip("\n")
    if score.strip():
        stem = f"{stem.replace(_POINTER, '').strip()}\n{score}"
    # Questions about one score hang together.
    digest = blake2b(score.encode(), digest_size=8).hexdigest()
    return ClipQuestion(
        id=name,
        recording="",
        text=stem,
        choices=tuple(str(cells.get("options")[letter]).strip() for letter in letters),
        right=letters.index(str(cells.get("answer")).strip()),
        groups=(_subject(cells),),
        cluster=f"score-{digest}" if score.strip() else name,
        tags={"score": bool(score.strip())},
    )


def flaws_of(
    path: Path, questions: Sequence[ClipQuestion], examples: Sequence[ClipQuestion]
) -> Iterator[Flaw]:
    """Yield the flaws of questions that can be asked all the same."""
    shown = {fold(example.text): example.id for example in examples}
    first: dict[str, ClipQuestion] = {}
    for question in questions:
        yield from common_flaws(path, question)
        words = fold(question.text)
        if words in shown:
            detail = said("mtb-example", id=shown[words])
            yield Flaw("example-in-test", path.name, question.id, detail)
        twin = first.setdefault(words, question)
        if twin is not question and {*twin.choices} == {*question.choices}:
            answers = [each.choices[each.right] for each in (twin, question)]
            same = answers[0] == answers[1]
            kind = "repeated-question" if same else "conflicting-answers"
            yield Flaw(kind, path.name, question.id, said("mtb-twin", id=twin.id, same=same))


_MOST_SHOTS = 5


class MusicTheorySettings(msgspec.Struct, frozen=True):
    """Settings of a run of MusicTheoryBench. `data` is read only when a trial is asked for."""

    subject: Annotated[
        tuple[Literal["knowledge", "reasoning"], ...],
        Flag("only these subjects (default: both)", "SUBJECT,...", once=True, told="only {}"),
    ] = ()
    data: Annotated[str | None, Flag("the test split, or the folder of both", place=True)] = None
    shots: Annotated[int, Flag("examples"), msgspec.Meta(ge=0, le=_MOST_SHOTS)] = 0
    shuffle: Annotated[
        bool, Flag("shuffle each question's options by --seed (default: the published order)")
    ] = False
    seed: Annotated[int, Flag("of the order of the options")] = 0
    prompts: OwnPrompts = None
    protocol: Annotated[str, Flag("whose way of asking")] = OURS.name
    extract: Annotated[str, Flag("how replies are read")] = "robust"


class MusicTheoryBench(Benchmark[MusicTheorySettings]):
    """367 choices on music: knowledge, and reasoning about scores in ABC notation.

    Parameters
    ----------
    settings : MusicTheorySettings
    """

    name = "musictheorybench"
    summary = said("mtb-summary")
    description = "benchmark.toml"
    ways = (SHOTS,)
    Settings = MusicTheorySettings

    def trials(self) -> Iterator[Trial]:
        """Every question of the test split, in the order of the file."""
        return map(self._trial, self.questions)

    def __len__(self) -> int:
        return len(self.questions)

    @cached_property
    def questions(self) -> list[ClipQuestion]:
        """The questions that are asked."""
        path = find_split(self.settings.data, "test", self.name, self.home)
        wanted = self.settings.subject
        asked = [q for q in read_split(path, refuse) if not wanted or q.groups[0] in wanted]
        if not asked:
            raise InputError(f"{path}: holds no question that is asked for; correct --subject")
        return asked

    @cached_property
    def examples(self) -> list[ClipQuestion]:
        """The worked examples: the first of the dev split."""
        shots = self.settings.shots
        if not shots:
            return []
        path = find_split(self.settings.data, "dev", self.name, self.home)
        found = read_split(path, refuse)
        if len(found) < shots:
            raise InputError(f"{path}: holds {len(found)} questions; --shots {shots} needs {shots}")
        return found[:shots]

    @cached_property
    def _asking(self) -> Prompts:
        named = self.settings.protocol
        return Prompts(
            type(self).__module__.rpartition(".")[0],
            PLACES | {"answer": ("letter",)},
            folder=self.settings.prompts,
            pack=None if named == OURS.name else named,
        )

    def _trial(self, question: ClipQuestion) -> Trial:
        options = self._options(question)
        return Trial(
            id=question.id, messages=(*self._shown, say("user", self._text(question, options))),
            stem=question.text, options=options, target=LETTERS[question.right],
            groups=question.groups, cluster=question.cluster,
            tags={**question.tags, SHOTS.name: self.settings.shots}, item=question.id,
        )  # fmt: skip

    @cached_property
    def _shown(self) -> tuple[Message, ...]:
        """The worked examples as turns."""
        turns = []
        for example in self.examples:
            options = self._options(example)
            keyed = next(o for o in options if o.key == LETTERS[example.right])
            right = named_as(keyed.letter, keyed.text)
            turns.append(say("user", self._text(example, options)))
            turns.append(say("assistant", self._asking.fill("answer", letter=right)))
        return tuple(turns)

    def _text(self, question: ClipQuestion, options: Sequence[Option]) -> str:
        lines = [self._asking.fill("option", letter=o.letter, text=o.text) for o in options]
        listed = lay_out(self._asking.templates["options"], lines).fill({})
        return self._asking.fill("question", question=question.text, options=listed)

    def _options(self, question: ClipQuestion) -> tuple[Option, ...]:
        places = list(range(len(question.choices)))
        if self.settings.shuffle:
            places = shuffled(places, f"{self.settings.seed}/{question.id}")
        return tuple(
            Option(letter, question.choices[place], LETTERS[place])
            for letter, place in zip(LETTERS, places, strict=False)
        )

    def fingerprint(self) -> str:
        """SHA-256 over prompts, examples and questions with the order of their options."""
        total = hashlib.sha256(self._asking.as_bytes())
        for question in (*self.examples, *self.questions):
            total.update(msgspec.json.encode((question, self._options(question))))
        return total.hexdigest()

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of both splits."""
        flaws: list[Flaw] = []
        data = options.get("data")
        splits: tuple[Split, ...] = ("test", "dev")
        paths = [find_split(data, split, cls.name, cls.home) for split in splits]
        test, dev = (read_split(path, flaws.append) for path in paths)
        flaws += [*flaws_of(paths[0], test, dev), *flaws_of(paths[1], dev, [])]
        notes: list[Said] = []
        for group, whole in (cls.expected() or NOTHING).counts.items():
            here = sum(group in ("all", *question.groups) for question in test)
            notes.append(said("mtb-count", group=group, n=here, of=whole))
            if here != whole and not options.get("partial"):
                detail = said("mtb-count", group=group, n=here, of=whole)
                flaws.append(Flaw("incomplete", paths[0].name, "", detail))
        return CheckResult(len(test) + len(dev), flaws, notes)
