"""The reading policy and its results. Holds no rule of its own."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from importlib import import_module
from typing import Any, Literal, NamedTuple

import msgspec

from zhiyin.parsing import read_beside
from zhiyin.trial import Option

Confidence = Literal["", "declared", "inferred", "by text alone"]
Unread = Literal["wrong", "guess", "default", "left out", "open"]


class Reading(msgspec.Struct, frozen=True, omit_defaults=True):
    """The answer found in a reply.

    Attributes
    ----------
    letter : str or None
        The letter of the chosen option as shown, or None where no answer was given.
    why : str
        A short line: how the answer was found, or why there is none.
    span : tuple of int or None
        Where in the reply the words stand that the answer rests on, as (start, end).
    confidence : str
        "declared": said to be the answer. "inferred": what the words leave, such as the only
        option not excluded. "by text alone": the only option named at all. "" for no answer,
        and for policies that do not say.
    alike : tuple of str
        Further letters that the rule cannot distinguish from `letter`: if any is right, so is
        the answer.
    guesses : tuple of str
        Where its source draws an answer at random for a reply that it cannot read: the letters
        drawn from, each as likely as any other. `letter` is None then: nothing was read.
    """

    letter: str | None
    why: str
    span: tuple[int, int] | None = None
    confidence: Confidence = ""
    alike: tuple[str, ...] = ()
    guesses: tuple[str, ...] = ()


class Value(NamedTuple):
    """The value read from a reply.

    Attributes
    ----------
    value : object or None
        The answer; None where there is none.
    why : str
        How it was found, or why there is none.
    span : tuple of int or None
        Where in the reply the words stand that it rests on.
    confidence : str
        "declared", "inferred" or "by text alone" (see `Reading`); "" for no answer.
    """

    value: Any
    why: str
    span: tuple[int, int] | None = None
    confidence: Confidence = ""


Rule = Callable[[str, Sequence[Option]], Reading]


class Policy(msgspec.Struct, frozen=True):
    """A named, versioned way of reading an answer out of a reply.

    Attributes
    ----------
    name : str
        The word on the command line.
    version : int
        Raised whenever any reply would be read differently.
    summary : str
        One line for listings.
    extract : callable
        ``(text, options) -> Reading``. Pure. `options` are in the order shown.
    source : str
        Whose rule it is: repository, commit and file, or the paper; "" for ours.
    unread : {"wrong", "guess", "default", "left out"}
        What its source makes of a reply that it cannot read: counts it wrong, draws an answer,
        takes a fixed one, or leaves it out of the denominator; "open": it needs a model that is
        not here.
    by_letter : bool
        Whether its source compares letters: of two options with one text the first alone is right.
    caseless : bool
        Whether two options that differ in case alone have one text for it.
    fits : callable or None
        Whether it can read questions with such options; None: any.
    """

    name: str
    version: int
    summary: str
    extract: Rule
    source: str = ""
    unread: Unread = "wrong"
    by_letter: bool = False
    caseless: bool = False
    fits: Callable[[Sequence[Option]], bool] | None = None

    @property
    def label(self) -> str:
        """Name and version, such as ``robust@6``: what a verdict remembers."""
        return f"{self.name}@{self.version}"


def policies_beside(module: str, name: str, rules: Mapping[str, Rule]) -> tuple[Policy, ...]:
    """Policies whose facts stand in a table beside a module, and whose rules are its functions."""
    facts = read_beside(module, name, dict[str, dict[str, Any]])
    return tuple(Policy(name, extract=rules[name], **of) for name, of in facts.items())


Form = Literal["yes_no", "number", "notes", "letters", "words"]
"""What an answer that is no option can be: a function of `zhiyin.reader.forms`."""


def form(name: Form) -> Callable[..., Value]:
    """Return the reader of answers in a form. Its patterns load on first use, in 1/6 second."""

    def read(*given: Any) -> Value:
        value: Value = getattr(import_module("zhiyin.reader.forms"), name)(*given)
        return value

    return read
