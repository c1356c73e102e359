"""The blind controls: models that never hear or read, and show what guessing is worth."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence

from zhiyin.errors import InputError, ModelError, did_you_mean
from zhiyin.models.capabilities import ANYTHING
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Messages, Option, Trial
from zhiyin.words import said

NO_OPTIONS = "picks among options, and this trial has none"
"""Why a baseline failed."""

Read = Callable[[str, Sequence[Option]], str | None]
Choose = Callable[["SeededDraw", Trial], Option]


class SeededDraw:
    """A whole number drawn from a seed and a trial's id: the same wherever and whenever asked.

    Parameters
    ----------
    seed : int
        Any whole number; another seed gives draws that have nothing to do with these.
    """

    def __init__(self, seed: int) -> None:
        self._hasher = hashlib.blake2b(f"{seed}:".encode(), digest_size=8)

    def __call__(self, trial_id: str, count: int) -> int:
        """A number in [0, `count`), uniform over trial ids."""
        hasher = self._hasher.copy()
        hasher.update(trial_id.encode())
        return int.from_bytes(hasher.digest(), "little") % count


class Baseline:
    """A model that picks an option by a rule, and replies so that it is read.

    That is with the letter shown; where that is not what is read, as by rules that look for the
    words of an option, in the first form that is.

    Parameters
    ----------
    name : {"random", "first", "longest", "overlap"}
    seed : int
        Of random picks and of ties.

    Attributes
    ----------
    read : callable, optional
        From a reply and the options to the letter that is read in it, or None. The session of a
        run sets it.

    Raises
    ------
    InputError
        When no baseline has that name.
    """

    capabilities = ANYTHING
    canary = False
    concurrency = 1
    instant = True
    """Answers without waiting, so that a run needs no timer for each call."""

    def __init__(self, name: str, seed: int = 0) -> None:
        if name not in BASELINES:
            raise InputError(
                said("model-baseline", name=repr(name), hint=did_you_mean(name, BASELINES))
            )
        self.name = name
        self.seed = seed
        self._draw = SeededDraw(seed)
        self.read: Read | None = None
        self._choose = RULES[name]

    async def generate(self, messages: Messages, sampling: Sampling, trial: Trial) -> Reply:
        """The option picked. Answers at once.

        Raises
        ------
        ModelError
            When the trial has no options to pick from.
        """
        if not trial.options:
            raise ModelError(f"baseline {self.name!r} {NO_OPTIONS}")
        return Reply(self._worded(self._choose(self._draw, trial), trial.options))

    def _worded(self, chosen: Option, options: Sequence[Option]) -> str:
        """An option as a reply that is read as it."""
        letter, text = chosen.letter, chosen.text
        if self.read is None:
            return letter
        forms = (letter, f"[[{letter}]]", text, f"{letter}. {text}")
        return next((form for form in forms if self.read(form, options) == letter), letter)

    def describe(self) -> dict[str, object]:
        """Return what a run's manifest says of this model."""
        return {"kind": "baseline", "rule": self.name, "seed": self.seed}

    async def close(self) -> None:
        """Do nothing: no resource is held open."""


def any_option(draw: SeededDraw, trial: Trial) -> Option:
    """Any option, each as likely as the others."""
    return trial.options[draw(trial.id, len(trial.options))]


def first_option(draw: SeededDraw, trial: Trial) -> Option:
    """The option shown first."""
    return trial.options[0]


def longest_options(stem: str, texts: Sequence[str]) -> list[int]:
    """The numbers of the options with most characters: several where they tie."""
    return _highest([len(text) for text in texts])


def overlapping_options(stem: str, texts: Sequence[str]) -> list[int]:
    """The numbers of the options that share most distinct character bigrams and trigrams with the
    stem: several where they tie.

    Two characters make a word in Chinese, three make a stem of one in English; case and runs
    of white space are ignored.
    """
    asked = grams(stem)
    return _highest([len(asked & grams(text)) for text in texts])


def _highest(scores: Sequence[int]) -> list[int]:
    return [number for number, score in enumerate(scores) if score == max(scores)]


def _drawn(best: Callable[[str, Sequence[str]], list[int]]) -> Choose:
    """A rule that picks the best option; among several, one drawn."""

    def choose(draw: SeededDraw, trial: Trial) -> Option:
        tied = best(trial.stem, [option.text for option in trial.options])
        return trial.options[tied[0] if len(tied) == 1 else tied[draw(trial.id, len(tied))]]

    return choose


def grams(text: str) -> set[str]:
    """Every run of two and of three characters, with a space at either end of the text."""
    padded = f" {' '.join(text.casefold().split())} "
    return {padded[i : i + n] for n in (2, 3) for i in range(len(padded) - n + 1)}


RULES: dict[str, Choose] = {
    "random": any_option,
    "first": first_option,
    "longest": _drawn(longest_options),
    "overlap": _drawn(overlapping_options),
}

BASELINES = {
    "random": "any option, each as likely as the others (seeded)",
    "first": "always the option shown first",
    "longest": "the option with most characters",
    "overlap": "the option that shares most character n-grams with the stem",
}
"""What each baseline does, by name."""
