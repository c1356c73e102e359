"""The benchmark object: an adaptive test from the bank, and where its taker stands."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.benchmarks.rhythm_ability.bank import FILE, HOME, Bank, Rhythm, Shelf, read_bank
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.declared import CheckResult, Section
from zhiyin.engine.folder import Manifest
from zhiyin.engine.scoring import judge_choice
from zhiyin.files import cache_folder, write_cached
from zhiyin.flags import Flag
from zhiyin.music.hearing.sounds import BASS, CLAP, play_strokes
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Record, Verdict
from zhiyin.runs.rows import Rows
from zhiyin.sequence import Sequence as TrialSequence
from zhiyin.sequence import Stepwise
from zhiyin.sound import audio_part
from zhiyin.statistics.ability import Answers
from zhiyin.trial import Message, Option, Text, Trial
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.contract.declared import Drawn, FigureRun

LEAST = 10
"""Items that a test asks at least."""
_PLACES = {"question": ("options",)}


class RhythmAbilitySettings(msgspec.Struct, frozen=True):
    """How long the test is, and from where its items are."""

    items: Annotated[
        int, Flag("items in the test", chooses=True), msgspec.Meta(ge=LEAST, le=700)
    ] = 40
    data: Annotated[str | None, Flag(f"folder with {FILE}", "DIR", place=True)] = None
    seed: Annotated[int, Flag("of the options' order, and among items of equal difficulty")] = 0
    prompts: Annotated[
        str | None, Flag("prompt files in place of the benchmark's own", "DIR", place=True)
    ] = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"


class State(msgspec.Struct):
    """What a test has heard so far."""

    answers: Answers
    heard: set[str]


class Test(Stepwise[State]):
    """One adaptive test: the item nearest to the likeliest ability, until there are enough.

    A reply without an answer tells nothing of the ability, and counts as asked. A test of which
    none of the first `LEAST` replies is read ends there.
    """

    at_least = LEAST

    def __init__(self, shelf: Shelf, prompts: Prompts, settings: RhythmAbilitySettings) -> None:
        self.id = self.item = f"test-{settings.seed}"  # other orders have other answers
        self.at_most = self._most = settings.items
        self._shelf, self._prompts, self._seed = shelf, prompts, settings.seed

    def begin(self) -> State:
        """Before the first item."""
        return State(Answers(), set())

    def moved(self, state: State, record: Record) -> State:
        """The state after one more reply."""
        name = str(record.trial.item)
        state.heard.add(name)
        if record.verdict.answer is not None:
            right = record.verdict.answer == record.trial.target
            state.answers.add(self._shelf.by_id[name].item, right)
        return state

    def ask(self, state: State) -> Trial | None:
        """The next item; None at the end."""
        asked = len(state.heard)
        if asked >= self._most or (asked >= LEAST and not state.answers.count):
            return None
        theta = state.answers.modal()
        rhythm = self._shelf.nearest(theta, state.heard, f"{self._seed}/{asked}")
        return None if rhythm is None else self._trial(rhythm, asked + 1)

    def _trial(self, rhythm: Rhythm, number: int) -> Trial:
        patterns = (rhythm.pattern, *rhythm.lures)
        order = sorted(
            range(len(patterns)),
            key=lambda n: hashlib.sha256(
                f"{self._seed}/{rhythm.id}/{patterns[n]}".encode()
            ).digest(),
        )
        options = tuple(
            Option(letter, " ".join(written(patterns[n])), str(n))
            for letter, n in zip("ABCD", order, strict=True)
        )
        option_lines = "\n".join(f"{option.letter}. {option.text}" for option in options)
        contents = play_strokes(written(rhythm.pattern))
        path = cache_folder("hearing") / f"{hashlib.sha256(contents).hexdigest()}.wav"
        if not path.is_file():
            write_cached(path, contents)
        question = self._prompts.fill("question", options=option_lines)
        a, b, c, d = msgspec.structs.astuple(rhythm.item)
        return Trial(
            id=f"{self.id}/{number}",
            messages=(Message("user", (audio_part(path), Text(question))),),
            stem="Which line shows the rhythm?",
            options=options,
            target="0",
            groups=(f"{len(rhythm.pattern)} strokes",),
            tags={"a": a, "b": b, "c": c, "d": d, "strokes": len(rhythm.pattern)},
            item=rhythm.id,
        )


def written(pattern: str) -> str:
    """A pattern of 0 and 1 with signs: the bank does not say which is which, so this is ours."""
    return pattern.replace("1", CLAP).replace("0", BASS)


class RhythmAbility(Benchmark[RhythmAbilitySettings]):
    """An adaptive test of rhythm from a bank that is calibrated on people."""

    name = "rhythm-ability"
    version = "2"  # begins with the item that the published test begins with
    summary = said("rhythm-summary")
    description = "benchmark.toml"
    Settings = RhythmAbilitySettings
    draws_ungraded = True

    def __init__(self, settings: RhythmAbilitySettings) -> None:
        super().__init__(settings)
        self._prompts = Prompts(
            "zhiyin.benchmarks.rhythm_ability", _PLACES, folder=settings.prompts
        )

    @cached_property
    def bank(self) -> Bank:
        """The items."""
        return read_bank(self.settings.data)

    def sequences(self) -> Iterator[TrialSequence]:
        """The test."""
        yield Test(Shelf(self.bank), self._prompts, self.settings)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The answer. An adaptive test seeks items that its taker finds half hard, so that a share
        of right ones would tell nothing: none is counted.
        """
        verdict = judge_choice(trial, exchange, self.policy)
        read = float(verdict.answer is not None)
        return msgspec.structs.replace(verdict, state="ungraded", scores={"answered": read})

    def fingerprint(self) -> str:
        """SHA-256 over the bank, the prompt and the sound of one item."""
        digest = hashlib.sha256(self._prompts.as_bytes())
        digest.update(self.bank.sha256.encode())
        digest.update(play_strokes(f"{CLAP}{BASS}"))
        return digest.hexdigest()

    def remarks(self) -> list[Said]:
        """What differs from the published test."""
        return [said("rhythm-differs")]

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Look through a bank. Raises `InputError` for the first fault, which stops a test."""
        bank = read_bank(options.get("data"))
        return CheckResult(len(bank.items), [], [f"from {HOME}"])

    @classmethod
    def details(cls, rows: Rows, manifest: Manifest) -> list[Section]:
        """The ability, and where it stands among people."""
        from zhiyin.benchmarks.rhythm_ability.results import sections

        return sections(rows)

    @classmethod
    def figures(cls, runs: Sequence[FigureRun]) -> Iterable[Drawn]:
        """Abilities on the scale of people."""
        from zhiyin.benchmarks.rhythm_ability.results import draw_scale

        drawn = draw_scale(runs)
        return [] if drawn is None else [drawn]

    @classmethod
    def hearing(cls, runs: Sequence[FigureRun]) -> Iterable[Drawn]:
        """The ability on the scale of people."""
        return cls.figures(runs)
