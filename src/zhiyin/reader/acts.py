"""What a clause does with the options that it names."""

from __future__ import annotations

from typing import Literal, NamedTuple

Kind = Literal[
    "declaring", "rejecting", "hedging", "conditional", "reported", "listing", "discussing",
    "mention",
]  # fmt: skip
"""The kinds of clause. A "mention" is neither said to be the answer nor discussed."""

Place = Literal["", "opens", "own line", "last line", "alone", "sentence"]
"""Where an option stands by itself: an option in such a place is declared by it."""

Yields = Literal["", "draft", "partly"]
"""Of a hedge that gives way to any other option held possible: why it does."""

Named = Literal["", "named", "spoken of"]
"""Of a mention: whether an option is named, or is the subject of a sentence about it."""

FINAL, DECLARED, AFFIRMED, PLACED, WEAK = 5, 4, 3, 2, 1
"""How firmly something is declared: finally, in so many words, by praise, by its place, weakly."""


class Act(NamedTuple):
    """What one clause does with the options that it names.

    Attributes
    ----------
    kind : Kind
    letters : tuple of str
        The options named; `choices.SHARED` for a text of several.
    start, end : int
        Where they stand in the plain text.
    why : str
        The words it was read from, for people.
    firmness : int
        Of a declaration; 0 otherwise.
    corrects : bool
        Whether it corrects what was said before.
    also : bool
        Whether it stands beside what was said before.
    before : str
        The words before it in its clause: declarations with the same words are alike.
    label : bool
        Whether it labels what follows ("B: ...").
    place : Place
        Of a declaration by place.
    concluded : bool
        Whether it follows from what was said ("so it is B").
    plainly : bool
        Of a weak declaration: "it is B".
    share : float or None
        The percentage given to it.
    yields : Yields
    better : bool
        Of praise: it sets the option above those praised before.
    named : Named
    """

    kind: Kind
    letters: tuple[str, ...]
    start: int
    end: int
    why: str = ""
    firmness: int = 0
    corrects: bool = False
    also: bool = False
    before: str = ""
    label: bool = False
    place: Place = ""
    concluded: bool = False
    plainly: bool = False
    share: float | None = None
    yields: Yields = ""
    better: bool = False
    named: Named = ""

    @property
    def declares(self) -> bool:
        """Whether it says, however weakly, that an option is the answer."""
        return self.kind == "declaring"
