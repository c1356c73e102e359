"""Trials that go in order: what is asked next rests upon what came of the ones before.

A stateful chat is a sequence, and so is an adaptive staircase, or an exam that ends early. A plain
trial is the sequence of one. Sequences go side by side; within each, trials go one after another.
"""

from __future__ import annotations

from collections import abc
from functools import reduce
from typing import Generic, TypeVar

from zhiyin.record import Record
from zhiyin.trial import Message, Trial, say


class Sequence:
    """Trials that go in order. Derive a class from it and give `id` and `next`.

    The engine marks each trial with the sequence and its place (`Trial.sequence`, `Trial.step`),
    and makes the sequence its cluster unless the trial names another: trials of one sequence
    hang together.

    Attributes
    ----------
    id : str
        Stable and unique within a run.
    item : str
        What is asked about. Repeats of a sequence share it, and ``--sample`` draws items whole.
        Empty: nothing else is asked about the same.
    groups : tuple of str
        By which ``--sample`` draws in proportion. The trials name their own groups for tables.
    at_least, at_most : int and int or None
        Bounds of its length, in trials; equal where the length is known beforehand. None where
        there is no upper bound. A sequence that breaks them is stopped.
    """

    id: str
    item: str = ""
    groups: tuple[str, ...] = ()
    at_least: int = 1
    at_most: int | None = None

    def next(self, done: abc.Sequence[Record]) -> Trial | None:
        """The trial after those in `done`; None when the sequence has come to its end.

        Pure: the same records give the same trial, with the same id. A run that was broken off
        goes on by calling this for the records in its log. There is at least one trial. Called
        once for each record, between calls of the model: it should take milliseconds.

        Parameters
        ----------
        done : sequence of Record
            The sequence's records so far, in order, as the log gives them back. None is an error:
            a trial that fails stops its sequence until the next session.
        """
        raise NotImplementedError


S = TypeVar("S")


class Stepwise(Sequence, Generic[S]):
    """A sequence that keeps a state, which each record moves on: a posterior, a pool of items.

    `next` follows from the three methods, and the engine calls them once for each record, so that
    a long sequence costs no more by the trial than a short one. All three are pure in what they
    return; `moved` may change the state it is given, and return it.
    """

    def begin(self) -> S:
        """A new state, before the first trial."""
        raise NotImplementedError

    def moved(self, state: S, record: Record) -> S:
        """The state after one more record."""
        raise NotImplementedError

    def ask(self, state: S) -> Trial | None:
        """The trial that a state asks for; None at the end."""
        raise NotImplementedError

    def next(self, done: abc.Sequence[Record]) -> Trial | None:
        """The trial after those in `done`; None at the end."""
        return self.ask(reduce(self.moved, done, self.begin()))


def conversation(record: Record) -> tuple[Message, ...]:
    """The whole conversation of a trial, its sounds included: what a chat that goes on begins with.

    Parameters
    ----------
    record : Record
        Of a trial whose turns were one conversation.

    Returns
    -------
    tuple of Message
        The trial's own messages, what was sent after them, and the last reply as it was logged.
    """
    messages = record.trial.messages
    if record.exchange.turns:
        last = record.exchange.turns[-1]
        messages = (*messages, *(last.sent or ()), say("assistant", last.reply.text))
    return messages
