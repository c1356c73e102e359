"""Log-probabilities of the options, beside the reply: ``--score loglikelihood``.

After a trial's conversation the model is asked for the log-probability of each option as the first
thing that it would say to the trial's messages: of the letter, and of the words where the model
gives them (a checkpoint does, a chat server gives those of a first token alone). The same is asked
once in each language without any question, for how likely the model says so anyway. All of it is
kept in the exchange's `notes` under "loglikelihood"; the reply stands as it is.

From these numbers follow five choices, each the option with the highest score:

=============  ====================================================================
letter         log P(letter | question)
letter-prior   log P(letter | question) - log P(letter | no question)
text           log P(words | question), the sum over the words' tokens
text-length    the same by byte of the words in UTF-8
text-prior     log P(words | question) - log P(words | no question)
=============  ====================================================================

Subtracting what a model says anyway is the domain-conditional pointwise mutual information of
Holtzman et al. 2021 ("Surface form competition", section 3); for letters it is a correction of
their bias (Zhao et al. 2021, "Calibrate before use", who divide by such probabilities). Dividing by
the length is what the LM Evaluation Harness calls acc_norm; it counts characters, which are bytes
in plain English.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Any

from zhiyin.errors import ModelError
from zhiyin.record import Ask, Exchange, Likelihood, Strategy, Verdict
from zhiyin.strategies import language_of, prompts, signature_of
from zhiyin.trial import Message, Option, Trial, say

NOTED = "loglikelihood"
"""What the numbers are called in an exchange's notes, and the flag's value."""
VERSION = 1
WAYS = ("letter", "letter-prior", "text", "text-length", "text-prior")
SCORE = "loglikelihood."
"""How the names of scores in a verdict begin; then follows the way."""

_ROUNDING = 0.01
"""How far above 0 a log-probability may come out where a model computes in few bits."""

Numbers = Mapping[str, float]


class WithLikelihoods:
    """A strategy that also asks for the options' log-probabilities.

    Where the model gives none, the reply stands, and the notes say why.

    Parameters
    ----------
    inner : Strategy
        Who conducts the trial.
    priors : dict
        What is known of continuations without a question, by the language in which there was none,
        then by their words, None for those that the model did not give; shared by all trials.
    """

    def __init__(self, inner: Strategy, priors: dict[str, dict[str, float | None]]) -> None:
        self.inner, self._priors = inner, priors

    async def __call__(self, trial: Trial, ask: Ask) -> Exchange:
        """Conduct the trial, then ask for log-probabilities where it has options."""
        exchange = await self.inner(trial, ask)
        if not trial.options or exchange.broken:
            return exchange
        try:
            numbers: Any = await self._numbers(trial, ask)
        except Exception as error:  # the reply is paid for: it stands, whatever happened
            numbers = str(error) or type(error).__name__
        return Exchange(exchange.turns, {**exchange.notes, NOTED: numbers}, exchange.broken)

    async def _numbers(self, trial: Trial, ask: Ask) -> dict[str, dict[str, float]]:
        letters = tuple(option.letter for option in trial.options)
        words = tuple(option.text for option in trial.options)
        wanted = tuple(dict.fromkeys((*letters, *words)))
        given = await _given(trial.messages, wanted, ask)
        if not given:
            raise ModelError("the model gave the log-probability of none of the options")
        language = language_of(trial)
        own = self._priors.setdefault(language, {})
        if unknown := tuple(w for w in wanted if w in given and w not in own):
            blank = say("user", prompts()[f"prior.{language}"].strip())
            prior = await _given((blank,), unknown, ask)
            own |= {continuation: prior.get(continuation) for continuation in unknown}
        priors = {
            continuation: p for continuation in wanted if (p := own.get(continuation)) is not None
        }
        numbers_by_kind = {
            "letter": _by_letter(trial.options, letters, given),
            "text": _by_letter(trial.options, words, given),
            "letter_prior": _by_letter(trial.options, letters, priors),
            "text_prior": _by_letter(trial.options, words, priors),
        }
        return {name: numbers for name, numbers in numbers_by_kind.items() if numbers}


async def _given(
    messages: tuple[Message, ...], continuations: tuple[str, ...], ask: Ask
) -> dict[str, float]:
    """Ask the model. Raises `ModelError` for what is no log-probability, such as a loss."""
    numbers = (await ask(messages, Likelihood(continuations=continuations))).logprobs
    worst = max(numbers.values(), default=0.0)
    if worst > _ROUNDING:
        raise ModelError(
            f"the model gave a log-probability of {worst:g}, and none is above 0: of a loss, "
            "return the negative"
        )
    return numbers


def _by_letter(
    options: tuple[Option, ...], continuations: tuple[str, ...], numbers: Numbers
) -> dict[str, float]:
    """Numbers of continuations, by the letter of the option that each stands for."""
    pairs = zip(options, continuations, strict=True)
    return {option.letter: numbers[words] for option, words in pairs if words in numbers}


def scoring(strategy: Callable[[Trial], Strategy]) -> Callable[[Trial], Strategy]:
    """A benchmark's strategies, each with the options' log-probabilities."""
    priors: dict[str, dict[str, float | None]] = {}
    return lambda trial: WithLikelihoods(strategy(trial), priors)


def signature() -> str:
    """Version and wording of what is asked without a question, for a run's settings."""
    return signature_of(NOTED, VERSION, "prior")


def choices(options: tuple[Option, ...], noted: Any) -> dict[str, str]:
    """The letter chosen in each of `WAYS`, where its numbers are known and one is the highest.

    A letter that a server did not name among the most probable tokens is less probable than each
    that it named; where the numbers are compared with others, all of them are needed.

    Parameters
    ----------
    options : tuple of Option
    noted : Any
        What an exchange's notes hold under "loglikelihood".
    """
    if not isinstance(noted, Mapping):
        return {}
    letter, text = noted.get("letter") or {}, noted.get("text") or {}
    sizes = {option.letter: len(option.text.encode()) for option in options}
    scores = {
        "letter": letter,
        "letter-prior": _less(letter, noted.get("letter_prior") or {}, options),
        "text": text if len(text) == len(options) else {},
        "text-length": (
            {name: value / max(1, sizes[name]) for name, value in text.items()}
            if len(text) == len(options)
            else {}
        ),
        "text-prior": _less(text, noted.get("text_prior") or {}, options),
    }
    return {way: best for way in WAYS if (best := _highest(scores[way]))}


def _less(numbers: Numbers, priors: Numbers, options: tuple[Option, ...]) -> dict[str, float]:
    if any(o.letter not in numbers or o.letter not in priors for o in options):
        return {}
    return {o.letter: numbers[o.letter] - priors[o.letter] for o in options}


def _highest(scores: Numbers) -> str | None:
    """The letter with the highest score; None where there is none, or several have it."""
    best = max(scores.values(), default=-math.inf)
    best_letters = [letter for letter, score in scores.items() if score == best]
    return best_letters[0] if len(best_letters) == 1 and best > -math.inf else None


def with_choices(
    score: Callable[[Trial, Exchange], Verdict],
) -> Callable[[Trial, Exchange], Verdict]:
    """A benchmark's scoring, whose verdicts also say which of the choices were right (1 or 0)."""

    def scored(trial: Trial, exchange: Exchange) -> Verdict:
        verdict = score(trial, exchange)
        if NOTED not in exchange.notes or trial.target is None:
            return verdict
        keys = {option.letter: option.key for option in trial.options}
        for way, letter in choices(trial.options, exchange.notes[NOTED]).items():
            verdict.scores = {
                **verdict.scores, f"{SCORE}{way}": float(keys[letter] == trial.target)
            }  # fmt: skip
        return verdict

    return scored
