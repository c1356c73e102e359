"""Verdicts on exchanges where one of some options is right; verdicts counted by state."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import msgspec

from zhiyin.record import STATES, Exchange, Reply, State, Verdict
from zhiyin.strategies import CONFIRM
from zhiyin.trial import Trial

if TYPE_CHECKING:
    from zhiyin.reader import Policy
    from zhiyin.reader.policy import Reading


def read_choice(trial: Trial, exchange: Exchange, policy: Policy) -> tuple[Reading, Reply, bool]:
    """Read the model's choice.

    Returns
    -------
    Reading
        Of the last reply. Where the letter alone was asked for after it (`strategies`),
        of the reply before, and only where that holds no answer, of the last one.
    Reply
        The one that was read; the first of the two where neither holds an answer.
    bool
        Whether the second question settled it.
    """
    turns = exchange.turns
    if len(turns) < 2 or turns[-1].purpose != CONFIRM:
        return policy.extract(exchange.final.text, trial.options), exchange.final, False
    first, second = turns[-2].reply, turns[-1].reply
    reading = policy.extract(first.text, trial.options)
    if reading.letter is None:
        again = policy.extract(second.text, trial.options)
        if again.letter is not None:
            return again, second, True
    return reading, first, False


def judge_choice(trial: Trial, exchange: Exchange, policy: Policy) -> Verdict:
    """Score the reply of `exchange` that `read_choice` reads as a choice among the options.

    A reply without an answer is `truncated` when its length limit cut it, `refused` when the
    model declined, `no_answer` otherwise. An answer that was given before the cut counts. A
    letter that no option has, which some published rules count as answered, is `wrong`. The
    tag ``confirmed`` tells an answer that was given only when the letter alone was asked for.
    """
    reading, reply, confirmed = read_choice(trial, exchange, policy)
    if reading.letter is not None:
        keys = {o.letter: o.key for o in trial.options}
        letters, right = (reading.letter, *reading.alike), right_letters(trial, policy)
        letter = next((x for x in letters if x in right), reading.letter)
        key = keys.get(letter)
        state: State = "correct" if letter in right else "wrong"
        return Verdict(
            state, key, letter,
            f"asked once more: {reading.why}" if confirmed else reading.why, policy.label,
            tags={"confirmed": True} if confirmed else {},
            confidence=reading.confidence, span=reading.span,
        )  # fmt: skip
    return unread(reply, reading.why, policy.label)


def right_letters(trial: Trial, policy: Policy) -> tuple[str, ...]:
    """The letters that a rule takes for right: of options with one text the first alone, or all."""
    letters = tuple(o.letter for o in trial.options if o.key == trial.target)
    if policy.caseless:
        texts = {o.text.strip().lower() for o in trial.options if o.letter in letters}
        letters = tuple(o.letter for o in trial.options if o.text.strip().lower() in texts)
    return letters[:1] if policy.by_letter else letters


def unread(reply: Reply, why: str, label: str) -> Verdict:
    """Return the verdict on a reply without an answer: cut off, declined, or none."""
    from zhiyin.reader import is_refusal  # which takes a while to load, and figures do without it

    state: State = "no_answer"
    if reply.finish == "length":
        state = "truncated"
    elif reply.finish == "refusal" or is_refusal(reply.text):
        state = "refused"
    return Verdict(state, None, None, why, label)


ALL = "all"


class Count(msgspec.Struct):
    """Number of a group's trials that ended in each state."""

    correct: int = 0
    wrong: int = 0
    no_answer: int = 0
    refused: int = 0
    truncated: int = 0
    error: int = 0
    ungraded: int = 0

    def add(self, state: State, times: int = 1) -> None:
        """Count one trial, or take it back with `times` = -1."""
        setattr(self, state, getattr(self, state) + times)

    @property
    def answered(self) -> int:
        """Trials from whose reply an answer could be read."""
        return self.correct + self.wrong

    @property
    def judged(self) -> int:
        """Trials that count in shares of right answers: all but errors and ungraded ones."""
        return self.answered + self.no_answer + self.refused + self.truncated

    @property
    def settled(self) -> int:
        """Trials that need not be asked again: all but errors."""
        return self.judged + self.ungraded

    def states(self) -> dict[str, int]:
        """Trials by state, in the order of `STATES`."""
        return {state: getattr(self, state) for state in STATES}


def counted_under(groups: Iterable[str]) -> tuple[str, ...]:
    """The names that a trial is counted under: "all", and each of its groups once."""
    return tuple(dict.fromkeys((ALL, *groups)))


def nested(names: list[str]) -> list[str]:
    """Names such as "a" and "a/b" in the order of a tree, siblings as they came."""
    rank = {name: number for number, name in enumerate(names)}

    def path(name: str) -> tuple[int, ...]:
        parts = name.split("/")
        prefixes = ("/".join(parts[: end + 1]) for end in range(len(parts)))
        return tuple(rank[prefix] for prefix in prefixes if prefix in rank)

    return sorted(names, key=path)
