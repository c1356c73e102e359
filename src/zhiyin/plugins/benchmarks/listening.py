"""Benchmarks of choices about recordings: what they all need, so that a folder holds its own alone.

A subclass reads its data into questions. Here they become trials: an order of the options
by seed, the recording or what is played in its place, prompts, checks, and what is missing.
"""

from __future__ import annotations

import hashlib
from abc import abstractmethod
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from functools import cached_property
from hashlib import blake2b
from itertools import product
from pathlib import Path
from typing import Annotated, Any, ClassVar, Generic, Literal, TypeVar

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.conditions import LISTENING_WAYS, OFFERED, SOUND
from zhiyin.contract.declared import CheckResult, Flaw
from zhiyin.contract.options import OwnPrompts, read_settings
from zhiyin.contract.protocols import OURS
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.recordings import PLAYED, Played, RecordingSet, recording_flaws
from zhiyin.plugins.methods.imported import repeated, write_run
from zhiyin.plugins.music.clips import LETTERS, ClipQuestion, FaultSink, common_flaws, refuse
from zhiyin.prompts import LAYOUT, Prompts, lay_out
from zhiyin.record import Reply
from zhiyin.runs.ways import Way
from zhiyin.trial import Audio, Message, Option, Part, Tag, Text, Trial, say
from zhiyin.words import Said, said
from zhiyin.words import Text as Words

PLACES = {"question": ("question", "options"), "option": ("letter?", "text"), "options": LAYOUT}
"""The prompts and what each must hold."""
_AHEAD, _THREADS = 8, 2


class ListeningSettings(msgspec.Struct, frozen=True):
    """Settings of every benchmark of choices about recordings."""

    audio: Annotated[
        tuple[Played, ...], Flag(f"what is played: {', '.join(PLAYED)}", "A,...", once=True)
    ] = ("true",)
    data: Annotated[str | None, Flag("folder of the questions and recordings", place=True)] = None
    partial: Annotated[bool, Flag("whether recordings may be missing", place=True)] = False
    seed: Annotated[int, Flag("of the order of the options")] = 0
    prompts: OwnPrompts = None
    protocol: Annotated[str, Flag("whose way of asking")] = OURS.name
    extract: Annotated[str, Flag("how replies are read")] = "robust"


class OrderedSettings(ListeningSettings, frozen=True):
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


S = TypeVar("S", bound=ListeningSettings)
Q = TypeVar("Q", bound=ClipQuestion)


class Listening(Benchmark[S], Generic[S, Q]):
    """Choices about recordings; a subclass gives `file`, `home` and `read`."""

    file: ClassVar[str]
    """The file of the questions in the folder of the data."""
    places_in_prompts: ClassVar[Mapping[str, Sequence[str]]] = PLACES
    """The prompts and what each must hold."""
    shuffles = True
    pack: ClassVar[str | None] = None
    """A pack of prompts in its folder, where the usual ones there are another benchmark's."""
    without_sound = "--audio none"
    ways: ClassVar[tuple[Way, ...] | None] = LISTENING_WAYS
    plain = {"audio": "none", "order": "published", "repeats": 1, "passes": "all-five"}

    @classmethod
    @abstractmethod
    def read(cls, path: Path, on_fault: FaultSink) -> list[Q]:
        """The questions of a file; what cannot be asked is given to `on_fault` and left out."""

    def variants(self, question: Q) -> Iterator[Variant]:
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

    def trial(self, question: Q, variant: Variant, audio: str, sound: Audio | None) -> Trial:
        """The trial of a question in one variant, with what is played for it."""
        options = self.options(question, variant)
        condition = LISTENING_WAYS.of({SOUND.name: audio, OFFERED.name: variant.kind})
        prefix = self.prefix(audio, variant.kind)
        groups = question.groups
        if prefix:
            groups = (prefix, *(f"{prefix}/{group}" for group in groups))
        return Trial(
            id="/".join(filter(None, (question.id, condition, variant.name))),
            messages=self.messages(question, variant, options, audio, sound), stem=question.text,
            options=options, target=self.target(question, variant), groups=groups,
            cluster=question.cluster or question.recording,
            tags=self.tags(question, variant, audio, sound), item=question.id, condition=condition,
        )  # fmt: skip

    def target(self, question: Q, variant: Variant) -> str | None:
        """The key of the right choice: its letter in the order of the data."""
        return LETTERS[_first(variant.choices, variant.right)]

    def options(self, question: Q, variant: Variant) -> tuple[Option, ...]:
        """The choices as they are offered; equal ones are one option under several letters."""
        choices = variant.choices
        return tuple(
            Option(letter, choices[which].strip(), LETTERS[_first(choices, which)])
            for letter, which in zip(LETTERS, self._order(question, variant), strict=False)
        )

    def messages(
        self,
        question: Q,
        variant: Variant,
        options: Sequence[Option],
        audio: str,
        sound: Audio | None,
    ) -> tuple[Message, ...]:
        """Build what is sent: by default the sound and the question, in one message."""
        text = self._asking.fill("question", question=question.text, options=self._listed(options))
        parts: tuple[Part, ...] = (Text(text),) if sound is None else (sound, Text(text))
        return (Message("user", parts),)

    def tags(
        self, question: Q, variant: Variant, audio: str, sound: Audio | None
    ) -> dict[str, Tag]:
        """Facts about a trial, never sent."""
        return {**question.tags, **variant.tags, SOUND.name: audio, OFFERED.name: variant.kind}

    def prefix(self, audio: str, kind: str) -> str:
        """Prefix of a condition's groups; "" for a run's only condition."""
        several = (len(self.settings.audio) > 1 or audio != "true", self.kinds > 1)
        parts = (f"{SOUND.name}={audio}", f"{OFFERED.name}={kind}")
        return "/".join(part for part, needed in zip(parts, several, strict=True) if needed)

    @property
    def kinds(self) -> int:
        """Number of kinds of variants in a run of these settings."""
        return 1

    @property
    def mixed(self) -> bool:
        """True if further conditions are run besides the main one."""
        return len(self.settings.audio) > 1 or self.kinds > 1

    def _order(self, question: Q, variant: Variant) -> list[int]:
        places = list(range(len(variant.choices)))
        if getattr(self.settings, "order", "shuffled") == "published":
            return places
        return shuffled(places, f"{self.settings.seed}/{question.id}/{variant.kind}/{variant.name}")

    def _listed(self, options: Iterable[Option]) -> str:
        lines = [self._asking.fill("option", letter=o.letter, text=o.text) for o in options]
        return lay_out(self._asking.templates["options"], lines).fill({})

    def _with_sound(self) -> Iterator[tuple[Q, str, Audio | None]]:
        """Each question with what is played for it, prepared a few steps ahead."""
        waiting: deque[tuple[Q, str, Future[Audio | None]]] = deque()
        pool = ThreadPoolExecutor(_THREADS, self.name)
        try:
            for question, audio in self.steps():
                waiting.append((question, audio, pool.submit(self.play, question, audio)))
                if len(waiting) >= _AHEAD:
                    question, audio, sound = waiting.popleft()
                    yield question, audio, sound.result()
            for question, audio, sound in waiting:
                yield question, audio, sound.result()
        finally:
            pool.shutdown(cancel_futures=True)

    def steps(self) -> Iterator[tuple[Q, str]]:
        """Questions and what is played for each, in the order of the trials."""
        return product(self.questions, self.settings.audio)

    def play(self, question: Q, audio: str) -> Audio | None:
        """Get what is played for a question; None for nothing. May be called by several threads."""
        if self.recordings is None:
            return None
        return self.recordings.play(question.recording, audio, self.settings.seed)

    def asked_elsewhere(self) -> Iterator[Trial]:
        """Each question as `plain_trial`: whoever asked it played its recording."""
        return map(self.plain_trial, self.questions)

    def plain_trial(self, question: Q) -> Trial:
        """The trial of a question that somebody else asked, with its recording and all choices."""
        trial = self.trial(question, next(self.variants(question)), "true", None)
        words = (say("user", question.text),)
        return msgspec.structs.replace(trial, messages=words, groups=question.groups)

    @classmethod
    def import_predictions(
        cls,
        files: Sequence[Path],
        predictions: Iterable[tuple[Q, int, Reply | None]],
        out: Path | None,
        extract: str,
        model: str,
    ) -> Path:
        """A run of published replies: questions with the repeat (from 1) and what was replied.

        None for no reply: the question is in no figure, as published, and the run is not whole.
        """
        settings: Any = read_settings(cls.Settings, {"extract": extract, **cls.plain})
        benchmark = cls(settings)
        answers, lacking = [], 0
        for question, repeat, reply in predictions:
            if reply is None:
                lacking += 1
                continue
            answers.append((repeated(benchmark.plain_trial(question), repeat), reply))
        if not answers:
            raise InputError(said("replies-not-held", files=files[0]))
        remarks = [said("without-reply", n=lacking)] if lacking else []
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
            facts = {"file": cls.file, "home": cls.home}
            raise InputError(said("log-needs-data", name=cls.name, **facts))
        path = Path(data) / cls.file
        if not path.is_file():
            raise InputError(said("questions-no-file", path=path, home=cls.home))
        return path

    @cached_property
    def all_questions(self) -> list[Q]:
        """The questions of the file that these settings ask for."""
        return [q for q in self.read(self.path, refuse) if self.wanted(q)]

    def wanted(self, question: Q) -> bool:
        """Tell whether the settings ask for a question."""
        return True

    @cached_property
    def recordings(self) -> RecordingSet | None:
        """The recordings; None where nothing is played, so that none are needed."""
        if self.settings.audio == ("none",):
            return None
        recordings = self.open_recordings(self.path.parent, self.all_questions)
        recordings.require(partial=self.settings.partial, instead=said("recordings-instead"))
        return recordings

    @classmethod
    def open_recordings(cls, folder: Path, questions: Sequence[Q]) -> RecordingSet:
        """The recordings of questions, as far as they are in the folder of the data."""
        return RecordingSet(folder, (clip for one in questions for clip in one.clips))

    @cached_property
    def questions(self) -> list[Q]:
        """The questions that can be asked: all, or those whose recordings are here."""
        if not self.all_questions:
            raise InputError(said("questions-none-asked", path=self.path))
        if self.recordings is None:
            return self.all_questions
        found = self.recordings.found
        return [q for q in self.all_questions if found.keys() >= set(q.clips)]

    @cached_property
    def _asking(self) -> Prompts:
        named = self.settings.protocol
        return Prompts(
            type(self).__module__.rpartition(".")[0],
            self.places_in_prompts,
            folder=self.settings.prompts,
            pack=self.pack if named == OURS.name else named,
        )

    def fingerprint(self) -> str:
        """SHA-256 over questions, prompts and recordings; not over the recordings' names."""
        total = hashlib.sha256(self._asking.as_bytes())
        for question in self.questions:
            total.update(msgspec.json.encode(msgspec.structs.replace(question, recording="")))
            for variant in self.variants(question):
                total.update(msgspec.json.encode(variant))
        if self.recordings is not None:
            with ThreadPoolExecutor(_THREADS) as pool:
                names = dict.fromkeys(clip for one in self.questions for clip in one.clips)
                for sound in pool.map(self.recordings.whole, names):
                    total.update(sound.sha256.encode())
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Report flaws, what is missing, and which questions the table's first line covers."""
        remarks: list[str | Said] = [*self.flaws_told(self.questions)]
        if left_out := len(self.all_questions) - len(self.questions):
            whole = len(self.all_questions)
            remarks.append(
                said("examples-missing", n=left_out, of=whole, unit="questions", what="recordings")
            )
        if self.mixed:
            remarks.append(said("all-is-main"))
        return remarks

    def remarks_on(self, asked: Callable[[], Iterable[Trial]]) -> list[str | Said]:
        """The same, with the flaws of those questions alone that are asked."""
        items = {trial.item for trial in asked()}
        told = self.flaws_told([one for one in self.questions if one.id in items])
        flaws = {one.name for one in self.flaws_told(self.questions)}
        return [*told, *(one for one in self.remarks() if getattr(one, "name", "") not in flaws)]

    def flaws_told(self, questions: Sequence[Q]) -> Iterator[Said]:
        """Count the flaws of questions by kind; blanks at the ends are not sent."""
        count = Counter(flaw.kind for flaw in self.flaws(self.path, questions))
        kinds = [said("data-flaw", n=n, kind=kind) for kind, n in count.items() if kind != "blanks"]
        if kinds:
            yield said("data-flaws", name=self.name, kinds=kinds)

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of questions and recordings; decodes every file."""
        flaws: list[Flaw] = []
        path = cls.find(options.get("data"))
        questions = cls.read(path, flaws.append)
        flaws += cls.flaws(path, questions)
        recordings = cls.open_recordings(path.parent, questions)
        if not options.get("partial"):
            flaws += recordings.absent()
        flaws += recording_flaws(recordings.found)
        lacking, notes = cls.against_published(questions, recordings)
        if not options.get("partial"):
            flaws += [Flaw("incomplete", path.name, part, detail) for part, detail in lacking]
        return CheckResult(len(questions), flaws, notes)

    @classmethod
    def against_published(
        cls, questions: Sequence[Q], recordings: RecordingSet
    ) -> tuple[Sequence[tuple[str, Words]], Sequence[Words]]:
        """List what is missing of the published data, by its part; and notes on what is there."""
        found, missing = len(recordings.found), len(recordings.missing)
        notes: list[Words] = [said("data-questions", n=len(questions))]
        notes.append(said("data-recordings", n=found, of=found + missing))
        expected = cls.expected()
        if expected is None or len(questions) == expected.counts["all"]:
            return [], notes
        coverage = said(
            "flaw-coverage", n=len(questions), of=expected.counts["all"], whole=False, others=0
        )
        return [("", coverage)], notes

    @classmethod
    def flaws(cls, path: Path, questions: Sequence[Q]) -> Iterator[Flaw]:
        """Yield the flaws of questions that can be asked all the same."""
        for question in questions:
            yield from common_flaws(path, question)


def shuffled(places: list[int], seed: str) -> list[int]:
    """The places in an order that the seed decides, each order about as likely as any other."""
    return sorted(places, key=lambda p: blake2b(f"{seed}/{p}".encode(), digest_size=8).digest())


def _first(choices: Sequence[str], which: int) -> int:
    """The first place of a choice: what stands twice is one choice."""
    return [choice.strip() for choice in choices].index(choices[which].strip())
