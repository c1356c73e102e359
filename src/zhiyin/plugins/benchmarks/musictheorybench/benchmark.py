"""The benchmark object: from two files of questions to trials, with worked examples before them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from typing import Annotated, Any, Literal

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.clips import LETTERS, ClipQuestion, refuse
from zhiyin.contract.conditions import SHOTS
from zhiyin.contract.declared import NOTHING, CheckResult, Flaw
from zhiyin.contract.options import OwnPrompts
from zhiyin.contract.protocols import OURS
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.listening import PLACES, shuffled
from zhiyin.plugins.benchmarks.musictheorybench.data import Split, find_split, flaws_of, read_split
from zhiyin.prompts import Prompts, lay_out, named_as
from zhiyin.trial import Message, Option, Trial, say
from zhiyin.words import Said, said

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
            id=question.id,
            messages=(*self._shown, say("user", self._text(question, options))),
            stem=question.text,
            options=options,
            target=LETTERS[question.right],
            groups=question.groups,
            cluster=question.cluster,
            tags={**question.tags, SHOTS.name: self.settings.shots},
            item=question.id,
        )

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
