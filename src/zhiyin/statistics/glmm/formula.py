"""R's model formulas, as far as a random-intercept model needs them: parsed, never guessed."""

from __future__ import annotations

import re
from typing import NoReturn

import msgspec

from zhiyin.errors import InputError

Term = tuple[str, ...]
"""The variables of a fixed-effect term, in the formula's order; empty for the intercept."""

_TOKEN = re.compile(
    r"\s*(?:(?P<name>`[^`]+`|[^\W\d][\w.]*|\.[\w.]*)|(?P<sign>[~+*:()|])|(?P<number>\d+))"
)


class Formula(msgspec.Struct, frozen=True):
    """A parsed formula ``response ~ terms + (1 | group)``.

    Attributes
    ----------
    text : str
        The formula as it was given.
    response, group : str
        Column names.
    terms : tuple of Term
        The intercept first, then main effects, then interactions of rising order, each in
        the order of appearance: the order in which R lists them.
    columns : dict of str to str
        The column behind each variable; they differ only for ``factor(column)``.
    """

    text: str
    response: str
    group: str
    terms: tuple[Term, ...]
    columns: dict[str, str]

    def label(self, term: Term) -> str:
        """R's name of a term: ``"(Intercept)"``, ``"model"``, ``"model:modality"``."""
        return ":".join(term) or "(Intercept)"


def parse_formula(text: str) -> Formula:
    """Parse a formula.

    Fixed effects may be joined by ``+``, ``*`` (both and their interaction) and ``:`` (the
    interaction alone), grouped by parentheses; ``:`` binds closest, ``+`` least. ``factor(x)``
    treats a column of numbers as categories. Names with unusual characters go between
    backticks. The intercept is always there.

    Raises
    ------
    InputError
        With the position, counted from 1, at which the formula breaks off making sense.
    """
    return _Parser(text).parse()


class _Parser:
    """Recursive descent; sets of terms are lists of frozen sets of variables."""

    def __init__(self, text: str) -> None:
        self.text, self.at = text, 0
        self.tokens: list[tuple[str, str, int]] = []
        position = 0
        while text[position:].strip():
            match = _TOKEN.match(text, position)
            if match is None:
                position += len(text[position:]) - len(text[position:].lstrip())
                self._fail(f"{text[position]!r} is not understood", position)
            kind = str(match.lastgroup)
            self.tokens.append((kind, match[kind].strip("`"), match.start(kind)))
            position = match.end()
        self.tokens.append(("end", "", len(text)))
        self.columns: dict[str, str] = {}
        self.groups: list[str] = []

    def parse(self) -> Formula:
        response = self._name("the response's column name")
        self._expect("~")
        parsed_terms = [frozenset[str]()]
        while True:
            position = self.tokens[self.at][2]
            if self._peek("(", "1", "|"):
                if self.groups:
                    self._fail("a second random effect; give exactly one (1 | group)", position)
                self.groups.append(self._random_intercept())
            else:
                parsed_terms += self._product()
            if not self._take("+"):
                break
        if self.tokens[self.at][0] != "end":
            self._fail("expected +, *, : or the end", self.tokens[self.at][2])
        if not self.groups:
            self._fail("no random effect; add `+ (1 | group)`", len(self.text))
        if response in self.columns.values():
            self._fail(f"the response {response!r} is also on the right", self.tokens[0][2])
        order = list(self.columns)
        unique = sorted(dict.fromkeys(parsed_terms), key=len)
        terms = tuple(tuple(sorted(term, key=order.index)) for term in unique)
        return Formula(self.text, response, self.groups[0], terms, self.columns)

    def _sum(self) -> list[frozenset[str]]:
        terms = self._product()
        while self._take("+"):
            terms += self._product()
        return terms

    def _product(self) -> list[frozenset[str]]:
        left = self._interaction()
        while self._take("*"):
            right = self._interaction()
            left = left + right + [a | b for a in left for b in right]
        return left

    def _interaction(self) -> list[frozenset[str]]:
        left = self._atom()
        while self._take(":"):
            right = self._atom()
            left = [a | b for a in left for b in right]
        return left

    def _atom(self) -> list[frozenset[str]]:
        position = self.tokens[self.at][2]
        if self._peek("(", "1", "|"):
            self._fail("a random effect stands alone, joined by +", position)
        if self._take("("):
            inside = self._sum()
            self._expect(")")
            return inside
        if self._take("1"):
            return [frozenset()]
        name = self._name("a column name, 1 or (")
        label = name
        if name == "factor" and self._take("("):
            name = self._name("a column name")
            self._expect(")")
            label = f"factor({name})"
        self.columns.setdefault(label, name)
        return [frozenset([label])]

    def _random_intercept(self) -> str:
        self.at += 3
        group = self._name("the grouping column's name")
        self._expect(")")
        return group

    def _peek(self, *values: str) -> bool:
        return tuple(token[1] for token in self.tokens[self.at :][: len(values)]) == values

    def _take(self, value: str) -> bool:
        kind, token, _ = self.tokens[self.at]
        taken = token == value and kind in ("sign", "number")
        self.at += taken
        return taken

    def _expect(self, value: str) -> None:
        if not self._take(value):
            self._fail(f"expected {value}", self.tokens[self.at][2])

    def _name(self, what: str) -> str:
        kind, value, position = self.tokens[self.at]
        if kind != "name":
            self._fail(f"expected {what}", position)
        self.at += 1
        return value

    def _fail(self, what: str, position: int) -> NoReturn:
        where = "the end" if position >= len(self.text.rstrip()) else f"position {position + 1}"
        raise InputError(
            f"formula {self.text!r}: {what}, at {where}; "
            "write it like correct ~ model * modality + (1 | stimulus)"
        )
