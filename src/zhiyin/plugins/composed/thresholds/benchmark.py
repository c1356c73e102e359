"""Adaptive runs, their questions and sounds, and the benchmark object that makes them."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from typing import Annotated, Any, ClassVar, Literal

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import TASK
from zhiyin.contract.options import OwnPrompts, read_settings
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.music import psychometric
from zhiyin.plugins.music.hearing import BY_NAME, Dimension, cached_sound, play
from zhiyin.prompts import Prompts
from zhiyin.record import Exchange, Record, Verdict
from zhiyin.sequence import Sequence as TrialSequence
from zhiyin.sequence import Stepwise
from zhiyin.trial import Message, Option, Tag, Text, Trial
from zhiyin.words import Said, said

DimensionName = Literal[
    "pitch", "direction", "tempo", "onset", "loudness", "mistuning", "gap", "chord-in-noise",
    "melody-memory",
]  # fmt: skip
Procedure = Literal["quest", "staircase", "constant"]
LEAST = 10
"""Trials that each adaptive run asks at least."""


class ThresholdSettings(msgspec.Struct, frozen=True):
    """Settings of a run: which differences, by which method, and when to stop."""

    dimension: Annotated[
        tuple[DimensionName, ...],
        Flag("what is to be heard; default all", "D,...", once=True, chooses=True),
    ] = ()
    method: Annotated[
        psychometric.Method,
        Flag("which of two sounds has the difference, or whether one sound has it", chooses=True),
    ] = "two-interval"
    procedure: Annotated[
        Procedure,
        Flag(
            "the next level: that which tells most, a weighted staircase, or all levels in turn",
            chooses=True,
        ),
    ] = "quest"
    tracks: Annotated[
        int, Flag("adaptive runs for each dimension", chooses=True), msgspec.Meta(ge=1, le=100)
    ] = 1
    precision: Annotated[
        float,
        Flag(
            "quest stops where the interval's ends differ by this factor (20 log10 of it in dB)",
            chooses=True,
        ),
        msgspec.Meta(gt=1),
    ] = 3.0
    most: Annotated[
        int,
        Flag("trials of a dimension in one run at most", chooses=True),
        msgspec.Meta(ge=LEAST, le=1000),
    ] = 60
    seed: Annotated[int, Flag("of the sounds"), msgspec.Meta(ge=0)] = 0
    prompts: OwnPrompts = None
    extract: Annotated[str, Flag("how replies are read")] = "robust"

    def __post_init__(self) -> None:
        if self.procedure == "constant" and self.tracks > 1:
            raise InputError(said("thresholds-tracks"))

    @property
    def dimensions(self) -> tuple[DimensionName, ...]:
        """The dimensions that are asked: all where the user named none."""
        return self.dimension or DimensionName.__args__  # type: ignore[attr-defined,no-any-return]


# From a level to a question with its sound, and the sequences that choose the levels.

TURNS = 12
"""Turns of direction after which a staircase ends."""
PLACES = {"question": ("question", "options")}


class ThresholdAsker:
    """Makes the trials: question, sound and facts.

    Parameters
    ----------
    prompts : Prompts
    settings : ThresholdSettings
    """

    def __init__(self, prompts: Prompts, settings: ThresholdSettings) -> None:
        self._prompts, self.settings = prompts, settings

    def name(self, dimension: Dimension) -> str:
        """Name a row of trials: answers to other sounds must not pass for its own."""
        given, plain = self.settings, ThresholdSettings()
        ways = [w for w in (given.method, given.procedure) if w not in (plain.method, "quest")]
        return "-".join((dimension.name, *ways, str(given.seed)))

    def trial(self, dimension: Dimension, row: str, number: int, level: float) -> Trial:
        """The trial of a place in a row of trials; which answer is right is drawn for it alone."""
        settings, name = self.settings, f"{row}/{number}"
        source = hashlib.blake2b(f"{settings.seed}/{settings.method}/{name}".encode())
        draw = np.random.Generator(np.random.PCG64(int.from_bytes(source.digest()[:16], "big")))
        later = bool(draw.integers(0, 2))
        contents, facts = play(dimension, settings.method, level, later, draw)
        if settings.method == "two-interval":
            question, texts = dimension.asked, (dimension.first, dimension.second)
            keys = ("first", "second")
        else:
            question, texts, keys = dimension.single, (dimension.no, dimension.yes), ("no", "yes")
        options = tuple(map(Option, "AB", texts, keys))
        option_lines = "\n".join(f"{option.letter}. {option.text}" for option in options)
        prompt = self._prompts.fill("question", question=question, options=option_lines)
        tags: dict[str, Tag] = {
            "task": dimension.name, "level": level, "method": settings.method,
            "procedure": settings.procedure,
            "ease": round(float(dimension.ladder.place(level)), 6),
            **{key: round(value, 4) for key, value in facts.items()},
        }  # fmt: skip
        name_in_log = self.name(dimension) + row.removeprefix(dimension.name)
        return Trial(
            id=f"{name_in_log}/{number}",
            messages=(Message("user", (cached_sound(contents), Text(prompt))),),
            stem=question,
            options=options,
            target=keys[later],
            groups=(dimension.name,),
            tags=tags,
            item=name_in_log if "/" in row else f"{name_in_log}/{number}",
        )


def as_answer(record: Record) -> psychometric.ThresholdAnswer | None:
    """A record as a trial of the model; None where no answer could be read from it."""
    trial, answer = record.trial, record.verdict.answer
    keys = [option.key for option in trial.options]
    if answer not in keys or trial.target not in keys:
        return None
    level = float(trial.tags["level"] or 0.0)
    return psychometric.ThresholdAnswer(level, trial.target == keys[1], answer == keys[1])


def is_right(answer: psychometric.ThresholdAnswer) -> bool:
    """Tell whether an answer is right."""
    return answer.later == answer.chose_later


_TURNED = 0.001
"""How seldom a guesser may be right so seldom where answers are said to be turned round."""


def turned_round(right: int, answered: int) -> bool:
    """Tell whether clearly fewer answers are right than by guessing between two."""
    from scipy.special import bdtr

    return bool(answered) and float(bdtr(right, answered, 0.5)) < _TURNED


class TrackState(msgspec.Struct):
    """The state of a run: the posterior or the staircase, and what was asked."""

    weights: NDArray[np.float64]
    place: int = 0
    asked: int = 0
    answered: int = 0
    right: int = 0
    turns: int = 0
    heading: int = 0


class Track(Stepwise[TrackState]):
    """One adaptive run of a dimension.

    A reply without an answer leaves the listener as it was, and counts as asked. A run of which
    none of the first `LEAST` replies is read ends there: more of them would tell nothing. Where
    most answers are wrong it goes on until it is clear that they are turned round, or no longer so:
    the listener of the model is deaf at worst.
    """

    def __init__(self, asker: ThresholdAsker, dimension: Dimension, number: int) -> None:
        self._row = f"{dimension.name}/{number}"
        self.id = self.item = f"{asker.name(dimension)}/{number}"
        self.groups = (dimension.name,)
        self.at_least, self.at_most = LEAST, asker.settings.most
        self._asker, self._dimension = asker, dimension

    def moved(self, state: TrackState, record: Record) -> TrackState:
        """The state after one more reply."""
        state.asked += 1
        answer = as_answer(record)
        if answer is not None:
            state.answered += 1
            state.right += is_right(answer)
            self._learn(state, answer)
        return state

    def ask(self, state: TrackState) -> Trial | None:
        """The trial at the level that follows; None at the end."""
        if state.asked >= self._asker.settings.most or (
            state.asked >= LEAST and self._enough(state) and not _in_doubt(state)
        ):
            return None
        level = self._dimension.ladder.levels[self._next(state)]
        return self._asker.trial(self._dimension, self._row, state.asked + 1, level)

    def _learn(self, state: TrackState, answer: psychometric.ThresholdAnswer) -> None:
        raise NotImplementedError

    def _enough(self, state: TrackState) -> bool:
        raise NotImplementedError

    def _next(self, state: TrackState) -> int:
        raise NotImplementedError


def _in_doubt(state: TrackState) -> bool:
    """Tell whether most answers are wrong, and it is open whether they are swapped."""
    return 2 * state.right < state.answered and not turned_round(state.right, state.answered)


class Quest(Track):
    """The level that is expected to tell most of the listener (QUEST+), until enough is known."""

    def begin(self) -> TrackState:
        """All listeners that are thought possible."""
        return TrackState(weights=self._grid.prior)

    @property
    def _grid(self) -> psychometric.ListenerGrid:
        return psychometric.open_grid(self._dimension.ladder, self._asker.settings.method)

    def _learn(self, state: TrackState, answer: psychometric.ThresholdAnswer) -> None:
        state.weights = self._grid.moved(state.weights, answer)

    def _next(self, state: TrackState) -> int:
        return int(self._grid.best(state.weights))

    def _enough(self, state: TrackState) -> bool:
        if not state.answered:
            return True
        margin = state.weights.reshape(self._grid.shape).sum(axis=(1, 2, 3))
        low, high = psychometric.quantiles(self._grid.places, margin[:, None])[:, 0]
        return bool(high - low <= np.log10(self._asker.settings.precision))


class Staircase(Track):
    """One step harder after a right answer and three easier after a wrong one."""

    def begin(self) -> TrackState:
        """Start at the easiest level."""
        ladder = self._dimension.ladder
        last = len(ladder.levels) - 1
        return TrackState(np.zeros(0), last if ladder.harder == "less" else 0)

    def _learn(self, state: TrackState, answer: psychometric.ThresholdAnswer) -> None:
        ladder, before = self._dimension.ladder, state.place
        state.place = psychometric.climb(ladder.levels, before, is_right(answer), ladder.harder)
        heading = int(np.sign(state.place - before))
        state.turns += bool(heading and state.heading and heading != state.heading)
        state.heading = heading or state.heading

    def _next(self, state: TrackState) -> int:
        return state.place

    def _enough(self, state: TrackState) -> bool:
        return not state.answered or state.turns >= TURNS


def in_turn(asker: ThresholdAsker, dimension: Dimension) -> Iterator[Trial]:
    """Plain trials at all levels in turn, each turn in an order of its own."""
    levels = dimension.ladder.levels
    for number in range(asker.settings.most):
        turn, place = divmod(number, len(levels))
        source = hashlib.blake2b(f"{asker.settings.seed}/{dimension.name}/{turn}".encode())
        order = np.random.default_rng(list(source.digest()[:16])).permutation(len(levels))
        level = levels[int(order[place])]
        yield asker.trial(dimension, dimension.name, number + 1, level)


# The benchmark object: from its settings to adaptive runs, and from replies to verdicts.

_PROCEDURES = {"quest": Quest, "staircase": Staircase}


class Thresholds(Benchmark[ThresholdSettings]):
    """The smallest difference that is heard, in nine dimensions.

    Parameters
    ----------
    settings : ThresholdSettings
    """

    name = "thresholds"
    version = "2"  # the prior of the slope begins at 0.35
    summary = said("thresholds-summary")
    description = "benchmark.toml"
    ways = (TASK,)
    Settings = ThresholdSettings
    draws_ungraded = True
    people: ClassVar = tuple(
        (said("thresholds-dimension", name=name, title=one.title), one.people.source)
        for name, one in BY_NAME.items() if one.people
    )  # fmt: skip
    figures = deferred("zhiyin.plugins.composed.thresholds.results:draw_figures")
    """The audiogram, and the psychometric functions."""
    opening = deferred("zhiyin.plugins.composed.thresholds.results:opening")
    hearing = deferred("zhiyin.plugins.composed.thresholds.results:draw_audiogram")
    """The audiogram."""
    details = deferred("zhiyin.plugins.composed.thresholds.results:sections", 1)
    """The threshold in each dimension, and what people hear."""

    @classmethod
    def methods(cls, options: Mapping[str, Any]) -> tuple[Said]:
        """The procedure, as a psychophysicist reports it."""
        own = read_settings(ThresholdSettings, options)
        facts = {name: getattr(own, name) for name in ("method", "procedure", "precision", "most")}
        return (said("thresholds-methods", **facts, turns=TURNS),)

    def __init__(self, settings: ThresholdSettings) -> None:
        super().__init__(settings)
        self._prompts = Prompts(
            "zhiyin.plugins.composed.thresholds", PLACES, folder=settings.prompts
        )
        self._asker = ThresholdAsker(self._prompts, settings)

    def sequences(self) -> Iterator[TrialSequence]:
        """The adaptive runs, dimension by dimension."""
        kind = _PROCEDURES.get(self.settings.procedure)
        if kind is not None:
            for number in range(1, self.settings.tracks + 1):
                for name in self.settings.dimensions:
                    yield kind(self._asker, BY_NAME[name], number)

    def trials(self) -> Iterator[Trial]:
        """Every level in turn, where that is the procedure; else none."""
        if self.settings.procedure == "constant":
            for name in self.settings.dimensions:
                yield from in_turn(self._asker, BY_NAME[name])

    def __len__(self) -> int:
        constant = self.settings.procedure == "constant"
        return len(self.settings.dimensions) * self.settings.most if constant else 0

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The answer. It counts as right or wrong only where levels do not depend on answers.

        An adaptive run seeks the level at which about three in four answers are right,
        for every model, so that a share of right ones would tell nothing.
        """
        verdict = judge_choice(trial, exchange, self.policy)
        if trial.tags.get("procedure") == "constant":
            return verdict
        read = float(verdict.answer is not None)
        return msgspec.structs.replace(verdict, state="ungraded", scores={"answered": read})

    def fingerprint(self) -> str:
        """SHA-256 over prompts, dimensions with their levels, and the first sound of each."""
        digest = hashlib.sha256(self._prompts.as_bytes())
        for name in self.settings.dimensions:
            dimension = BY_NAME[name]
            first = self._asker.trial(dimension, name, 1, dimension.ladder.levels[0])
            sounds = [part.sha256 for part in first.messages[0].parts if hasattr(part, "sha256")]
            words = (name, repr(dimension.ladder.levels), first.stem, *sounds)
            digest.update("\0".join(words).encode())
        return digest.hexdigest()
