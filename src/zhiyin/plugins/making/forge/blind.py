"""Perceptual index: how much the text alone tells a model that hears nothing.

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
from hashlib import blake2b
from pathlib import Path
from statistics import fmean
from typing import Annotated, Any

import msgspec

from zhiyin.contract.benchmark import Benchmark
from zhiyin.errors import FatalError, InputError, RefusedError, reworded
from zhiyin.files import write_atomically
from zhiyin.flags import COUNT, Flag
from zhiyin.numerals import p_words
from zhiyin.plugins.making.forge import Asker, Asking, ForgeItem, ask_items, chance_of, lines_of
from zhiyin.record import Ask, Exchange, Likelihood, Record, State, Turn, Verdict
from zhiyin.session import Watch, silent
from zhiyin.statistics.distributions import upper_tail
from zhiyin.statistics.intervals import interval
from zhiyin.strategies.likelihood import NOTED
from zhiyin.trial import Option, Trial, say
from zhiyin.words import said

ROUNDS = 4
"""How often a group of options is shown in another order, as in the paper."""
LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class Probing(msgspec.Struct, frozen=True):
    """Settings for showing options; each field carries its command-line flag."""

    rounds: Annotated[int, Flag("orders of a fold"), COUNT] = ROUNDS
    whole: Annotated[bool, Flag("all options at once, in every rotation")] = False


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


class Blind(Asking):
    """Questions about recordings, without the recordings."""

    name = "forge-blind"
    version = "1"
    summary = "questions asked without their recordings (use `zhiyin forge`)"
    paper = "Zang et al. 2025, arXiv:2504.00369"
    licence = "prompts: as Zhiyin; questions: their own"
    kind = Probe
    _gives_none = False
    """Whether the model has said that it gives no log-probabilities."""

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

    async def _conduct(self, trial: Trial, ask: Ask) -> Exchange:
        """Ask for the letters' log-probabilities; for a letter, where there are none."""
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
            return Benchmark.score(self, trial, exchange)
        letter = max(trial.options, key=lambda o: noted["letter"].get(o.letter, -math.inf)).letter
        key = next(option.key for option in trial.options if option.letter == letter)
        state: State = "correct" if key == trial.target else "wrong"
        return Verdict(
            state, key, letter, "the most probable letter", f"{self.name}@{self.version}"
        )


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
    """Make folds that each leave out one wrong answer, shown `rounds` times in a drawn order.

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


class BlindAnswers(msgspec.Struct):
    """Answers of a model that hears nothing to a set of probes.

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


def index_of(answers: BlindAnswers, probes: Iterable[Probe]) -> dict[str, float]:
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


BANDS = (0.25, 0.5, 0.75)
ALPHA = 0.05
_TIE = 1e-9


class BlindResult(msgspec.Struct, frozen=True):
    """Result of a model that hears nothing on a set of questions.

    Attributes
    ----------
    model : str
    accuracy : float
        Mean probability of the right option (of a choice: 1 or 0), each item counting once.
    low, high : float
        95 % interval, by cluster.
    chance : float
        Of the options shown, the mean over items.
    folds : dict of str to float
        Accuracy with each fold's options.
    items, failed, by_choice : int
        Items in the figures; calls that failed; askings known by their choice alone.
    index : float
        Mean perceptual index: 1 - `accuracy`.
    below : dict of str to int
        Items whose index is below 0.25, 0.5 and 0.75.
    ranked, least, most : int
        Items whose options the model weighs against each other by log-probabilities; those of
        them in which the right answer is its least likely option, and its most likely one.
    by_luck : float
        In how many of `ranked` each of the two is expected where the text says nothing.
    least_p, most_p : float
        The probability of as many or more by luck.
    """

    model: str
    accuracy: float
    low: float
    high: float
    chance: float
    folds: dict[str, float]
    items: int
    failed: int
    by_choice: int
    index: float
    below: dict[str, int]
    ranked: int = 0
    least: int = 0
    most: int = 0
    by_luck: float = 0.0
    least_p: float = 1.0
    most_p: float = 1.0

    def told_by_rank(self) -> list[str]:
        """A line where the right answer is too often the least or the most likely option."""
        ends = (("least", self.least, self.least_p), ("most", self.most, self.most_p))
        return [
            f"warning: by {self.model}, the right answer is the {which} likely option in {count} "
            f"of {self.ranked} questions, by luck in {self.by_luck:.1f} ({p_words(p)}): whoever "
            "goes by that needs no sound"
            for which, count, p in ends
            if p < ALPHA / 2  # two are tried
        ]


def probes_of(items: Sequence[ForgeItem], how: Probing) -> list[Probe]:
    """Make the probes: each leave-one-out fold so often, or every rotation of all the options."""
    probes: list[Probe] = []
    for one in items:
        if how.whole or len(one.options) < 3:
            probes += rotations(one.id, one.question, one.options, one.track)
        else:
            probes += leave_one_out(one.id, one.question, one.options, one.track, how.rounds)
    return probes


def ask_blind(
    probes: Sequence[Probe], asker: Asker, folder: Path, watch: Watch = silent
) -> BlindAnswers:
    """Put probes before a model. Raises `InputError` where `folder` cannot be written."""
    with reworded(said("error-unwritten", path=folder, why="")):
        folder.mkdir(parents=True, exist_ok=True)
        write_atomically(folder / "probes.jsonl", lines_of(probes))
    options = {"items": str(folder / "probes.jsonl"), "prompts": asker.prompts}
    answers = BlindAnswers({}, {})
    for name, record in ask_items(Blind, options, asker, folder, watch)[1].items():
        if record.verdict.state == "error":
            answers.failed += 1
            continue
        shares, by_choice = shares_of(record)
        answers.by_choice += by_choice
        right = next(o.letter for o in record.trial.options if o.key == record.trial.target)
        answers.right[name] = shares[right]
        answers.options[name] = {o.text: shares[o.letter] for o in record.trial.options}
    return answers


def measure(
    items: Sequence[ForgeItem], probes: Sequence[Probe], answers: BlindAnswers, model: str
) -> tuple[BlindResult, dict[str, float]]:
    """The figures of a model, and the perceptual index of each item.

    Raises
    ------
    InputError
        Every call failed.
    """
    index = index_of(answers, probes)
    known = [item for item in items if item.id in index]
    if not known:
        raise InputError(said("forge-failed", model=model, failed=answers.failed))
    folds: dict[str, list[float]] = {}
    shown: dict[str, list[float]] = {}
    for probe in probes:
        if probe.item in index:
            folds.setdefault(probe.fold, []).append(answers.right[probe.id])
            shown.setdefault(probe.item, []).append(1 / len(probe.options))
    estimate = interval([1 - index[item.id] for item in known], [item.track for item in known])
    chance = sum(sum(shares) / len(shares) for shares in shown.values()) / len(shown)
    figures = BlindResult(
        model, estimate.mean, estimate.low, estimate.high, chance,
        {fold: sum(values) / len(values) for fold, values in folds.items()}, len(known),
        answers.failed, answers.by_choice, 1 - estimate.mean,
        {f"{band:g}": sum(value < band - 1e-9 for value in index.values()) for band in BANDS},
        **_ranks(known, probes, answers),
    )  # fmt: skip
    return figures, index


def _ranks(
    items: Sequence[ForgeItem], probes: Sequence[Probe], answers: BlindAnswers
) -> dict[str, Any]:
    """Rank the right answers among the options, by the mean difference when both are shown.

    Only where every option is weighed: of choices, and of equal weights, nothing is known.
    """
    if answers.by_choice:
        return {}
    leads: dict[str, dict[str, list[float]]] = {}
    for probe in probes:
        shares = answers.options.get(probe.id, {})
        for text in probe.options if shares else ():
            lead = shares[text] - answers.right[probe.id]
            leads.setdefault(probe.item, {}).setdefault(text, []).append(lead)
    least = most = 0
    shares_of_luck = []
    for item in items:
        means = [
            fmean(leads[item.id][d.text]) for d in item.distractors if d.text in leads[item.id]
        ]
        if not means or any(abs(mean) < _TIE for mean in means):
            continue
        least += min(means) > 0
        most += max(means) < 0
        shares_of_luck.append(1 / (1 + len(means)))
    return {
        "ranked": len(shares_of_luck),
        "least": least,
        "most": most,
        "by_luck": sum(shares_of_luck),
        "least_p": upper_tail(shares_of_luck, least),
        "most_p": upper_tail(shares_of_luck, most),
    }
