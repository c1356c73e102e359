"""How much the text alone gives away: questions put before a model that hears nothing.

The perceptual index of a question is 1 minus the probability that a text-only model gives the
right answer without the recording (Zang et al. 2025, "Are you really listening?", section on
perceptual awareness): the probabilities of the letters of the options, normalised over the
options, and averaged over several ways of showing them. At 1 - 1/k, for k options, the text does
not help. Where a model gives no log-probabilities, its choice stands for them: 1 for the option
chosen, 0 for the others.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from pathlib import Path
from typing import Any, ClassVar

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.errors import FatalError, InputError, RefusedError
from zhiyin.forge.asking import Settings, open_prompts
from zhiyin.forge.items import chance_of
from zhiyin.forge.stages import read_lines
from zhiyin.prompts import Prompts
from zhiyin.record import Ask, Exchange, Likelihood, Record, State, Strategy, Turn, Verdict
from zhiyin.runs.rows import records_of
from zhiyin.strategies.likelihood import NOTED
from zhiyin.trial import Option, Trial, say

ROUNDS = 4
"""How often a group of options is shown in another order, as in the paper."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Probe(msgspec.Struct, frozen=True):
    """A question with some options in some order, for a model that hears nothing.

    Attributes
    ----------
    id, item : str
    fold : str
        Which options these are: "whole", "without-1", ...
    question : str
    options : tuple of str
    right : int
        The place of the right one, from 0.
    cluster : str
    """

    id: str
    item: str
    fold: str
    question: str
    options: tuple[str, ...]
    right: int
    cluster: str = ""


class Blind(Benchmark[Settings]):
    """Questions about recordings, without the recordings."""

    name = "forge-blind"
    version = "1"
    summary = "questions asked without their recordings (use `zhiyin forge`)"
    paper = "Zang et al. 2025, arXiv:2504.00369"
    licence = "prompts: as Zhiyin; questions: their own"
    Settings: ClassVar[type[msgspec.Struct]] = Settings
    _gives_none = False
    """Whether the model has said that it gives no log-probabilities."""

    @cached_property
    def prompts(self) -> Prompts:
        """The prompts in use."""
        return open_prompts(self.settings.prompts)

    @cached_property
    def probes(self) -> list[Probe]:
        """What is asked."""
        if not self.settings.items:
            raise InputError(f"{self.name} is a part of `zhiyin forge`: run that")
        return read_lines(Path(self.settings.items), Probe)

    def trial(self, probe: Probe) -> Trial:
        """The trial of a probe. Its id holds a hash of what is asked."""
        letters = LETTERS[: len(probe.options)]
        options = tuple(
            Option(letter, text, "right" if place == probe.right else f"wrong-{letter}")
            for place, (letter, text) in enumerate(zip(letters, probe.options, strict=True))
        )
        shown = "\n".join(
            self.prompts.fill("option", letter=o.letter, text=o.text) for o in options
        )
        words = self.prompts.fill("blind", question=probe.question, options=shown)
        digest = blake2b(words.encode(), digest_size=6).hexdigest()
        return Trial(
            f"{probe.id}#{digest}",
            (say("user", words),),
            probe.question,
            options,
            "right",
            (probe.fold,),
            probe.cluster or None,
            {"about": probe.id, "repeat": probe.id},
            item=probe.item,
        )

    def trials(self) -> Iterator[Trial]:
        """A trial for each probe."""
        return map(self.trial, self.probes)

    def __len__(self) -> int:
        return len(self.probes)

    def strategy(self, trial: Trial) -> Strategy:
        """Ask for the letters' log-probabilities; for a letter, where there are none."""
        return self._conduct

    async def _conduct(self, trial: Trial, ask: Ask) -> Exchange:
        if not self._gives_none:
            letters = tuple(option.letter for option in trial.options)
            try:
                reply = await ask(trial.messages, Likelihood(continuations=letters))
            except FatalError:
                raise
            except RefusedError:
                self._gives_none = True
            else:
                noted = {NOTED: {"letter": reply.logprobs}} if reply.logprobs else {}
                return Exchange((Turn(reply),), noted)
        return Exchange((Turn(await ask(trial.messages)),))

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The most probable letter; where only a reply is known, the one that it names."""
        noted = exchange.notes.get(NOTED)
        if not noted:
            return super().score(trial, exchange)
        letter = max(trial.options, key=lambda o: noted["letter"].get(o.letter, -math.inf)).letter
        key = next(option.key for option in trial.options if option.letter == letter)
        state: State = "correct" if key == trial.target else "wrong"
        return Verdict(
            state, key, letter, "the most probable letter", f"{self.name}@{self.version}"
        )

    def fingerprint(self) -> str:
        """SHA-256 over the prompts. What is asked is in the trials' ids."""
        return self.prompts.fingerprint()


def rotations(
    item: str, question: str, options: Sequence[str], cluster: str = "", fold: str = "whole"
) -> Iterator[Probe]:
    """Every rotation of the options, the right one given first: it stands once at each place."""
    count = len(options)
    order = sorted(range(count), key=lambda place: chance_of("order", item, fold, place))
    for turn in range(count):
        rotated = order[turn:] + order[:turn]
        shown = tuple(options[place] for place in rotated)
        name = f"{item}/{fold}/{turn + 1}"
        yield Probe(name, item, fold, question, shown, rotated.index(0), cluster)


def leave_one_out(
    item: str, question: str, options: Sequence[str], cluster: str = "", rounds: int = ROUNDS
) -> Iterator[Probe]:
    """Each fold leaves out one wrong answer; each is shown `rounds` times in a drawn order.

    Parameters
    ----------
    options : sequence of str
        The right one first, and two wrong ones at least.
    """
    for left_out in range(1, len(options)):
        kept = [place for place in range(len(options)) if place != left_out]
        for turn in range(1, rounds + 1):
            fold = f"without-{left_out}"
            order = sorted(kept, key=lambda p, f=fold, t=turn: chance_of("loo", item, f, t, p))  # type: ignore[misc]
            shown = tuple(options[place] for place in order)
            yield Probe(
                f"{item}/{fold}/{turn}", item, fold, question, shown, order.index(0), cluster
            )


class Answers(msgspec.Struct):
    """What a model that hears nothing made of a set of probes.

    Attributes
    ----------
    right : dict of str to float
        Probability of the right option, by the probe's id. Calls that failed are not in it.
    options : dict of str to dict
        Probability of each option's text, by the probe's id.
    by_choice : int
        Of how many probes only a choice is known, and no log-probabilities.
    failed : int
        Calls that failed.
    """

    right: dict[str, float]
    options: dict[str, dict[str, float]]
    by_choice: int = 0
    failed: int = 0


def read_answers(folder: Path, blind: Blind) -> Answers:
    """What a run of `Blind` says of the probes that it asks about now."""
    wanted = {trial.id: str(trial.tags["about"]) for trial in blind.trials()}
    answers = Answers({}, {})
    for record in records_of(folder):
        if record.id not in wanted:
            continue
        if record.verdict.state == "error":
            answers.failed += 1
            continue
        shares, by_choice = shares_of(record)
        answers.by_choice += by_choice
        name = wanted[record.id]
        right = next(o.letter for o in record.trial.options if o.key == record.trial.target)
        answers.right[name] = shares[right]
        answers.options[name] = {o.text: shares[o.letter] for o in record.trial.options}
    return answers


def shares_of(record: Record) -> tuple[dict[str, float], bool]:
    """The probability of each letter, and whether it is known by the choice alone.

    A letter that the server did not name among the most probable ones counts as 0.
    """
    letters = [option.letter for option in record.trial.options]
    noted: Any = record.exchange.notes.get(NOTED)
    logged = noted.get("letter") if isinstance(noted, Mapping) else None
    if logged:
        highest = max(logged.values())
        if highest > -math.inf:
            weights = {x: math.exp(logged[x] - highest) if x in logged else 0.0 for x in letters}
            total = sum(weights.values())
            return {letter: weight / total for letter, weight in weights.items()}, False
    return {letter: float(letter == record.verdict.letter) for letter in letters}, True


def index_of(answers: Answers, probes: Iterable[Probe]) -> dict[str, float]:
    """The perceptual index of each item, of the folds' means: 1 minus their mean.

    Items of which a probe failed have none.
    """
    folds: dict[str, dict[str, list[float]]] = {}
    lacking: set[str] = set()
    for probe in probes:
        if probe.id in answers.right:
            folds.setdefault(probe.item, {}).setdefault(probe.fold, []).append(
                answers.right[probe.id]
            )
        else:
            lacking.add(probe.item)
    return {
        item: 1 - math.fsum(math.fsum(v) / len(v) for v in each.values()) / len(each)
        for item, each in folds.items()
        if item not in lacking
    }
