"""Benchmarks of choices about recordings: what they all need, so that a folder holds its own alone.

A subclass reads its data into `ClipQuestion`s. Here they become trials: an order of the options by
seed, the recording or what is played in its place, prompts, checks, and what is missing. Of data
into whose file replies are written, a subclass of `Matched` says what an entry holds beside
question, choices and answer, where the entries stand, and which question and reply each is.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections import deque
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Annotated, Any, ClassVar, Literal, TypeVar

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.clips import (
    LETTERS,
    ClipQuestion,
    FaultSink,
    common_flaws,
    fault_in,
    refuse,
    twins,
)
from zhiyin.contract.conditions import LISTENING_WAYS, OFFERED, SOUND
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.contract.flags import read_settings
from zhiyin.contract.protocols import OURS
from zhiyin.contract.published import write_run
from zhiyin.contract.recordings import PLAYED, Played, Shelf, recording_flaws
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.prompts import LAYOUT, Prompts, lay_out
from zhiyin.record import Reply
from zhiyin.runs.ways import Way
from zhiyin.trial import Audio, Message, Option, Part, Tag, Text, Trial, say
from zhiyin.words import Said, said

PLACES = {"question": ("question", "options"), "option": ("letter?", "text"), "options": LAYOUT}
"""The prompts and what each must hold."""
_AHEAD, _THREADS = 8, 2


class Settings(msgspec.Struct, frozen=True):
    """What may be set of every benchmark of choices about recordings."""

    audio: Annotated[
        tuple[Played, ...], Flag(f"what is played: {', '.join(PLAYED)}", "A,...", once=True)
    ] = ("true",)
    data: Annotated[str | None, Flag("folder of the questions and recordings", place=True)] = None
    partial: Annotated[bool, Flag("whether recordings may be missing", place=True)] = False
    seed: Annotated[int, Flag("of the order of the options")] = 0
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
    protocol: Annotated[str, Flag("whose way of asking")] = OURS.name
    extract: Annotated[str, Flag("how replies are read")] = "robust"


class OrderedSettings(Settings, frozen=True):
    """The same, of data whose options stand in an order of their own."""

    order: Annotated[
        Literal["shuffled", "published"], Flag("of the options: drawn by --seed, or as published")
    ] = "shuffled"


class Variant(msgspec.Struct, frozen=True):
    """One way in which a question is asked: which choices are offered, and what sets it apart.

    `kind` says which set of wrong answers is meant; "all" is the benchmark's main one, and any
    other is counted apart. `name` distinguishes askings of the same kind.
    """

    choices: tuple[str, ...]
    right: int
    kind: str = "all"
    name: str = ""
    tags: dict[str, Tag] = {}


S = TypeVar("S", bound=Settings)


class Listening(Benchmark[S]):
    """Choices about recordings; a subclass gives `file`, `home` and `read`."""

    file: ClassVar[str]
    """The file of the questions in the folder of the data."""
    home: ClassVar[str]
    """Where the data are had from."""
    without_sound = "--audio none"
    ways: ClassVar[tuple[Way, ...] | None] = LISTENING_WAYS

    @classmethod
    @abstractmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
        """The questions of a file; what cannot be asked is given to `on_fault` and left out."""

    def variants(self, question: ClipQuestion) -> Iterator[Variant]:
        """The ways in which a question is asked: by default one, with all its choices."""
        yield Variant(question.choices, question.right)

    # Trials

    def trials(self) -> Iterator[Trial]:
        """Every question under every condition."""
        for question, audio, sound in self._with_sound():
            for variant in self.variants(question):
                yield self.trial(question, variant, audio, sound)

    def __len__(self) -> int:
        return len(self.settings.audio) * sum(
            1 for question in self.questions for _ in self.variants(question)
        )

    def trial(
        self, question: ClipQuestion, variant: Variant, audio: str, sound: Audio | None
    ) -> Trial:
        """The trial of a question; equal choices are one option under several letters."""
        order = self._order(question, variant)
        options = tuple(
            Option(
                letter,
                variant.choices[which].strip(),
                LETTERS[_first(variant.choices, which)],
            )
            for letter, which in zip(LETTERS, order, strict=False)
        )
        condition = _condition(audio, variant.kind)
        prefix = "/".join(
            part
            for part, several in (
                (f"{SOUND.name}={audio}", len(self.settings.audio) > 1 or audio != "true"),
                (f"{OFFERED.name}={variant.kind}", self.kinds > 1),
            )
            if several
        )
        groups = question.groups
        if prefix:
            groups = (prefix, *(f"{prefix}/{group}" for group in groups))
        text = self._asking.fill("question", question=question.text, options=self._listed(options))
        parts: tuple[Part, ...] = (Text(text),) if sound is None else (sound, Text(text))
        return Trial(
            id="/".join(filter(None, (question.id, condition, variant.name))),
            messages=(Message("user", parts),),
            stem=question.text,
            options=options,
            target=LETTERS[_first(variant.choices, variant.right)],
            groups=groups,
            cluster=question.cluster or question.recording,
            tags={
                **question.tags,
                **variant.tags,
                SOUND.name: audio,
                OFFERED.name: variant.kind,
            },
            item=question.id,
            condition=condition,
        )

    @property
    def kinds(self) -> int:
        """How many kinds of variants a run of these settings holds."""
        return 1

    def _order(self, question: ClipQuestion, variant: Variant) -> list[int]:
        places = list(range(len(variant.choices)))
        if getattr(self.settings, "order", "shuffled") == "published":
            return places
        return shuffled(places, f"{self.settings.seed}/{question.id}/{variant.kind}/{variant.name}")

    def _listed(self, options: Iterable[Option]) -> str:
        lines = [self._asking.fill("option", letter=o.letter, text=o.text) for o in options]
        return lay_out(self._asking.templates["options"], lines).fill({})

    def _with_sound(self) -> Iterator[tuple[ClipQuestion, str, Audio | None]]:
        """Each question with what is played for it, prepared a few steps ahead."""
        waiting: deque[tuple[ClipQuestion, str, Future[Audio | None]]] = deque()
        pool = ThreadPoolExecutor(_THREADS, self.name)
        try:
            for question in self.questions:
                for audio in self.settings.audio:
                    waiting.append((question, audio, pool.submit(self._play, question, audio)))
                    if len(waiting) >= _AHEAD:
                        asked, what, sound = waiting.popleft()
                        yield asked, what, sound.result()
            for asked, what, sound in waiting:
                yield asked, what, sound.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def _play(self, question: ClipQuestion, audio: Played) -> Audio | None:
        if self.shelf is None:
            return None
        return self.shelf.play(question.recording, audio, self.settings.seed)

    @classmethod
    def import_predictions(
        cls,
        files: Sequence[Path],
        predictions: Iterable[tuple[ClipQuestion, int, Reply | None]],
        out: Path | None,
        extract: str,
        model: str,
    ) -> Path:
        """A run of published replies: questions with the repeat (from 1) and what was replied.

        None for no reply: the question is in no figure, as published, and the run is not whole.
        """
        given = {"extract": extract, "audio": "none", "order": "published"}
        settings: Any = read_settings(cls.Settings, given)
        benchmark = cls(settings)
        answers, lacking = [], 0
        for question, repeat, reply in predictions:
            if reply is None:
                lacking += 1
                continue
            variant = next(benchmark.variants(question))
            trial = benchmark.trial(question, variant, "true", None)
            answers.append(
                (
                    msgspec.structs.replace(
                        trial,
                        id=f"{trial.id}/r{repeat}",
                        messages=(say("user", question.text),),
                        groups=question.groups,
                        tags={**trial.tags, "repeat": repeat},
                    ),
                    reply,
                )
            )
        if not answers:
            raise InputError(f"{files[0]}: holds no replies; name the key that holds them")
        remarks = [f"{lacking} questions have no reply and are in no figure"] if lacking else []
        return write_run(
            cls, answers, benchmark.score, files, out, extract, model, remarks, lacking
        )

    # Data

    @cached_property
    def path(self) -> Path:
        """The file of the questions."""
        return self.find(self.settings.data)

    @classmethod
    def find(cls, data: str | None) -> Path:
        """The file of the questions in a folder. Raises `InputError` where there is none."""
        if not data:
            raise InputError(f"{cls.name} needs --data, a folder with {cls.file} (from {cls.home})")
        path = Path(data) / cls.file
        if not path.is_file():
            raise InputError(f"{path}: no such file; get it from {cls.home}, or correct --data")
        return path

    @cached_property
    def all_questions(self) -> list[ClipQuestion]:
        """The questions of the file that these settings ask for."""
        return [q for q in self.read(self.path, refuse) if self.wanted(q)]

    def wanted(self, question: ClipQuestion) -> bool:
        """Whether the settings ask for a question."""
        return True

    @cached_property
    def shelf(self) -> Shelf | None:
        """The recordings; None where nothing is played, so that none are needed."""
        if self.settings.audio == ("none",):
            return None
        shelf = Shelf(self.path.parent, (q.recording for q in self.all_questions))
        shelf.require(partial=self.settings.partial)
        return shelf

    @cached_property
    def questions(self) -> list[ClipQuestion]:
        """The questions that can be asked: all, or those whose recordings are here."""
        if not self.all_questions:
            raise InputError(f"{self.path}: holds no question that is asked for; correct the flags")
        if self.shelf is None:
            return self.all_questions
        return [q for q in self.all_questions if q.recording in self.shelf.recordings]

    @cached_property
    def _asking(self) -> Prompts:
        named = self.settings.protocol
        return Prompts(
            type(self).__module__.rpartition(".")[0],
            PLACES,
            folder=self.settings.prompts,
            pack=None if named == OURS.name else named,
        )

    def fingerprint(self) -> str:
        """SHA-256 over questions, prompts and recordings; not over the recordings' names."""
        total = hashlib.sha256(self._asking.as_bytes())
        for question in self.questions:
            total.update(msgspec.json.encode(msgspec.structs.replace(question, recording="")))
            for variant in self.variants(question):
                total.update(msgspec.json.encode(variant))
        if self.shelf is not None:
            with ThreadPoolExecutor(_THREADS) as pool:
                names = dict.fromkeys(question.recording for question in self.questions)
                for sound in pool.map(self.shelf.whole, names):
                    total.update(sound.sha256.encode())
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """What is missing, and what the first line of the table is over."""
        remarks: list[str | Said] = []
        if left_out := len(self.all_questions) - len(self.questions):
            whole = len(self.all_questions)
            remarks.append(
                said("examples-missing", n=left_out, of=whole, unit="questions", what="recordings")
            )
        if len(self.settings.audio) > 1 or self.kinds > 1:
            remarks.append(said("all-is-main"))
        return remarks

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of questions and recordings; decodes every file."""
        flaws: list[Flaw] = []
        path = cls.find(options.get("data"))
        questions = cls.read(path, flaws.append)
        flaws += cls.flaws(path, questions)
        shelf = Shelf(path.parent, (question.recording for question in questions))
        if not options.get("partial"):
            flaws += [Flaw("missing", "", name, "no recording was found") for name in shelf.missing]
        flaws += recording_flaws(shelf.recordings)
        notes = [
            f"{len(questions):,} questions",
            f"{len(shelf.recordings):,} of {len(shelf.recordings) + len(shelf.missing):,} "
            "recordings",
        ]
        if (expected := cls.expected()) is not None and not options.get("partial"):
            there, named = len(questions), expected.counts["all"]
            if there != named:
                flaws.append(
                    Flaw("incomplete", path.name, "", f"{there:,} of {named:,} published questions")
                )
        return CheckResult(len(questions), flaws, notes)

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[ClipQuestion]) -> Iterator[Flaw]:
        """What is wrong with questions that can be asked all the same."""
        for question in questions:
            yield from common_flaws(path, question)


def shuffled(places: list[int], seed: str) -> list[int]:
    """The places in an order that the seed decides, each order about as likely as any other."""
    return sorted(places, key=lambda p: blake2b(f"{seed}/{p}".encode(), digest_size=8).digest())


def _first(choices: Sequence[str], which: int) -> int:
    """The first place of a choice: what stands twice is one choice."""
    return [choice.strip() for choice in choices].index(choices[which].strip())


def _condition(audio: str, kind: str) -> str:
    return LISTENING_WAYS.of({SOUND.name: audio, OFFERED.name: kind})


class Matched(Listening[S]):
    """Choices about recordings, read from a file that replies are written into."""

    named: ClassVar[tuple[str, ...]]
    """The texts that an entry must hold beside question and answer; the first is its id."""

    @classmethod
    @abstractmethod
    def entries(cls, path: Path) -> Iterable[tuple[str, str, Any]]:
        """Each entry of a file, where it stands ("line 3"), and what is to be mended there."""

    @classmethod
    @abstractmethod
    def asked(cls, entry: dict[str, Any]) -> ClipQuestion:
        """The question of an entry without a fault."""

    @classmethod
    @abstractmethod
    def reply(cls, path: Path, name: str, entry: dict[str, Any]) -> Reply | None:
        """What a model replied; None for nothing. `name` is the id, for `InputError`."""

    @classmethod
    def fault(cls, entry: dict[str, Any]) -> tuple[str, str] | None:
        """What else is wrong with an entry: the kind of the flaw, and what is wrong."""
        return None

    @classmethod
    def place(cls, question: ClipQuestion) -> Any:
        """What questions are sorted by; of equal ones the first in the file comes first."""
        return 0

    @classmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[ClipQuestion]:
        """The questions of a file, in their order."""
        questions = [asked for asked, _ in cls.read_entries(path, on_fault)]
        if not questions:
            raise InputError(f"{path}: holds no question that can be asked; get it from {cls.home}")
        return sorted(questions, key=cls.place)

    @classmethod
    def read_entries(
        cls, path: Path, on_fault: FaultSink
    ) -> Iterator[tuple[ClipQuestion, dict[str, Any]]]:
        """The questions of a file with their entries; faulty ones go to `on_fault`."""
        seen: set[str] = set()
        for where, what, entry in cls.entries(path):
            fault = fault_in(entry, cls.named) or cls.fault(entry)
            name = "" if fault else entry[cls.named[0]]
            if name in seen:
                fault = "repeated-id", f"the id {name} stands twice"
            if fault:
                on_fault(Flaw(fault[0], str(path), where, f"{fault[1]}: mend the {what}"))
                continue
            seen.add(name)
            yield cls.asked(entry), entry

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[ClipQuestion]) -> Iterator[Flaw]:
        """What is wrong with questions that can be asked all the same."""
        for question in questions:
            yield from common_flaws(path, question)
            yield from twins(path, question)

    @classmethod
    def import_answers(
        cls, files: Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path:
        """A run of files with replies in them, one for each repeat."""
        predictions = [
            (asked, repeat, cls.reply(path, asked.id, entry))
            for repeat, path in enumerate(files, 1)
            for asked, entry in cls.read_entries(path, refuse)
        ]
        return cls.import_predictions(files, predictions, out, extract, model)
