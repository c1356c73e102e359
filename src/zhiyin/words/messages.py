"""Messages in Fluent's syntax, parsed when they are first said, and put into words.

Functions that messages may call
--------------------------------
``SHARE($x)``
    A share of 1 as per cent with its sign, with ``decimals: 0`` to that many.
``EXACT($x)``
    A share in per cent without the sign: "0" and "100" for none and all of it.
``POINTS($x, $decimals)``
    A difference of shares in percentage points, to one decimal where none are given.
``APART($x, $unit, $y)``
    A difference in the unit of its measure, of shares in points: "5.0 points", "305 cents".
``AMOUNT($x, $unit, $y)``
    A value in it, of shares in per cent: "62.3 %", "6.7 cents"; with the decimals that suit it and
    another, such as those of an interval's ends.
``SIGNED($x)``
    A difference of shares in points with its sign, plus included.
``FINE($x)``
    A share in points with a decimal; what is less than a point with two digits.
``NUMBER($x, $decimals)``
    A number with so many decimals.
``WHOLE($x)``
    A number without decimals.
``WORD($x)``
    A whole number up to twelve as a word, a larger one in digits; in Chinese in digits.
``MONEY($x)``
    A price: "0.0123 usd".
``SHELL($x)``
    A word of a command, as a shell takes it.
``TIME($x)``
    Seconds in the units that matter: "12 s", "2 h 10 min".
``P($x)``
    A p-value: "p = 0.012".
``NAMES($x)``
    A list with commas; with semicolons where a name has commas itself.
``AND($x)``
    A list with "and" before its last.
``OR($x)``
    The same with "or".
``FEW($x)``
    That with "and", with no more than three names, and how many others there are.
``CLAUSES($x)``
    A list with semicolons.
``EACH($x)``
    A list of whole sentences, one after the other, each with a full stop.
``SENTENCE($x)``
    The same with a full stop; words of ours, but no name, begin with a capital.

Choices
-------
A number chooses "one" in English where it is 1, a list where it has one member; ``none``, ``true``
and ``false`` choose by their names. Another message may be said within one (``{ other-name }``),
with the same facts.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import cache, reduce
from importlib import resources
from pathlib import Path
from typing import TYPE_CHECKING, Any

from fluent.syntax import FluentParser, ast

from zhiyin.errors import InputError, reworded
from zhiyin.numerals import (
    NUMBER_WORDS,
    TIME_UNITS,
    duration,
    fitting,
    money,
    number,
    p_words,
    percent,
    points,
)
from zhiyin.text import printable, quoted
from zhiyin.words import LANGUAGES, NAME_BEGINS, NAME_ENDS, Named, Said, Text, say

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_ENTRY = re.compile(r"^(?=[a-z][\w-]* =)", re.MULTILINE)
_ATTRIBUTE = re.compile(r"([a-z][\w-]*) =")
FILE = "words.{}.ftl"
"""Of a benchmark's messages, by language."""
_FEW = 3
_GROUP = re.compile(rf"(?:^|(?<=[.!?] ))({NAME_BEGINS}?)this group of ")
"""The name of people, which is words of ours, where a sentence begins: see `naming.own_name`."""
_ENDS = tuple(".!?:;。！？：；…")
_BRACKETS = re.compile(r"[（(][^（）()]{0,200}[)）]")
"""Of more names the rest is counted (two more at least: "1 others" is none)."""


class Catalogue:
    """The messages of one language.

    Parameters
    ----------
    text : str
        Files in Fluent's syntax, one after the other.
    language : {"en", "zh"}
    """

    def __init__(self, text: str, language: str) -> None:
        self.language = language
        self._text: dict[str, str] = {}
        for part in _ENTRY.split(text):
            if named := _ATTRIBUTE.match(part):
                assert named[1] not in self._text, f"{language}: two messages {named[1]}"
                self._text[named[1]] = part
        self._parsed: dict[str, ast.Pattern] = {}

    @property
    def names(self) -> set[str]:
        """Names of all messages."""
        return set(self._text)

    def add(self, other: Catalogue) -> None:
        """Take the messages of another file in."""
        self._text |= other._text

    def pattern(self, name: str) -> ast.Pattern:
        """A message, parsed. Raises `KeyError` where there is none, `ValueError` for a fault."""
        if name not in self._parsed:
            entry = FluentParser(with_spans=False).parse_entry(self._text[name])
            if not isinstance(entry, ast.Message) or entry.value is None:
                raise ValueError(f"{self.language}: message {name} is not in Fluent's syntax")
            self._parsed[name] = entry.value
        return self._parsed[name]

    def say(
        self, name: str, facts: Mapping[str, Any], *, strict: bool = True, names: bool = False
    ) -> str:
        """A message with its facts.

        Parameters
        ----------
        name : str
        facts : mapping
            What it may name: numbers, names, sequences, other findings.
        strict : bool
            Whether a fault in a message among its facts is an error, too.
        names : bool
            Whether the names of runs are marked.
        """
        text = _Saying(self, facts, strict=strict, names=names).pattern(self.pattern(name))
        return _begun(text) if text.endswith(".") else text


class _Saying:
    """One message on its way to a sentence."""

    def __init__(
        self,
        words: Catalogue,
        facts: Mapping[str, Any],
        *,
        strict: bool = True,
        names: bool = False,
    ) -> None:
        self._words, self._facts, self._strict, self._mark = words, facts, strict, names

    def pattern(self, pattern: ast.Pattern) -> str:
        return self._joined(
            part.value if isinstance(part, ast.TextElement) else self._part(part.expression)
            for part in pattern.elements
        )

    def _joined(self, parts: Iterable[str]) -> str:
        """Join parts; in Chinese with one blank beside Latin letters, and none between Chinese.

        What a fact says is not known to a message: "在 { $group } 中" may be of either.
        """
        return reduce(_beside, filter(None, parts), "") if self._chinese else "".join(parts)

    def _part(self, expression: Any) -> str:
        if isinstance(expression, ast.SelectExpression):
            return self.pattern(self._chosen(expression).value)
        if isinstance(expression, ast.Placeable):
            return self._part(expression.expression)
        if isinstance(expression, ast.MessageReference):
            return self.pattern(self._words.pattern(expression.id.name))
        return self._written(self._value(expression))

    def _value(self, expression: Any) -> Any:
        if isinstance(expression, ast.VariableReference):
            fact = self._facts[expression.id.name]
            return _without_signs(fact) if self._mark else fact
        if isinstance(expression, ast.FunctionReference):
            given = [self._value(each) for each in expression.arguments.positional]
            named = {n.name.name: self._value(n.value) for n in expression.arguments.named}
            return getattr(self, f"_{expression.id.name.lower()}")(*given, **named)
        if isinstance(expression, ast.NumberLiteral):
            return float(expression.value) if "." in expression.value else int(expression.value)
        return expression.parse()["value"]

    def _chosen(self, choice: ast.SelectExpression) -> ast.Variant:
        value = self._value(choice.selector)
        if isinstance(value, list | tuple):
            value = len(value)
        for key in (_named(value), "one" if value == 1 and self._words.language == "en" else ""):
            for variant in choice.variants:
                own = variant.key
                if key == (own.value if isinstance(own, ast.NumberLiteral) else own.name):
                    return variant
        return next(variant for variant in choice.variants if variant.default)

    def _written(self, value: Any) -> str:
        if isinstance(value, bool) or value is None:
            return str(value).lower()
        if isinstance(value, int):
            return f"{value:,}"
        if isinstance(value, float):
            return f"{value:g}"
        if isinstance(value, dict):  # a message that was kept as JSON
            value = Said(value["name"], value["facts"])
        if isinstance(value, Named) and self._mark:
            named = printable(say(value, self._words.language))
            return f"{NAME_BEGINS}{named}{NAME_ENDS}"
        if isinstance(value, os.PathLike):
            return str(os.fspath(value))
        return say(value, self._words.language, strict=self._strict, names=self._mark)

    def _share(self, share: float | None, decimals: int = 1) -> str:
        return f"{percent(share, decimals)}\u00a0%"

    def _exact(self, share: float) -> str:
        return f"{100 * share:.0f}" if share in (0, 1) else percent(share)

    def _points(self, difference: float, decimals: int = 1) -> str:
        return percent(difference, decimals)

    def _apart(self, difference: float, unit: str, other: float = 0.0) -> str:
        if unit != "share":
            return self._amount(difference, unit, other)
        return f"{self._points(difference)}{' 个百分点' if self._chinese else ' points'}"

    def _amount(self, value: float, unit: str, other: float = 0.0) -> str:
        if unit == "share":
            return self._share(value)
        return f"{number(value, fitting(value, other))} {unit}".strip()

    def _signed(self, difference: float) -> str:
        return points(difference)

    def _fine(self, share: float) -> str:
        return f"{100 * share:.1f}" if share >= 0.01 else f"{100 * share:.2g}"

    def _number(self, value: float, decimals: int) -> str:
        return number(value, decimals)

    def _whole(self, number: float) -> str:
        return f"{number:,.0f}"

    def _word(self, number: int) -> str:
        return str(number) if self._chinese or number > 12 else NUMBER_WORDS[number]

    def _shell(self, word: Any) -> str:
        return quoted(self._written(word))

    def _money(self, usd: float) -> str:
        return money(usd)

    def _time(self, seconds: float) -> str:
        return duration(seconds, TIME_UNITS[self._words.language])

    def _p(self, p: float) -> str:
        return p_words(p)

    def _names(self, names: Iterable[Any]) -> str:
        each = [*map(self._written, names)]
        return self._between(each).join(each)

    def _between(self, names: Sequence[str]) -> str:
        """What parts names: a semicolon where one of several has a comma itself."""
        bare = [_BRACKETS.sub("", name) for name in names]
        commas = len(names) > 1 and any(", " in name or "，" in name for name in bare)
        if self._chinese:
            return "；" if commas else "、"
        return "; " if commas else ", "

    def _and(self, names: Iterable[Any]) -> str:
        return self._last_by("和" if self._chinese else " and ", names)

    def _or(self, names: Iterable[Any]) -> str:
        return self._last_by("或 " if self._chinese else " or ", names)

    def _last_by(self, word: str, names: Iterable[Any]) -> str:
        *several, last = each = [*map(self._written, names)]
        between = self._between(each)
        if between == "; " and len(several) > 1:
            word = f";{word}"
        return self._joined((between.join(several), word, last)) if several else last

    def _few(self, names: Sequence[Any]) -> str:
        more = len(names) - _FEW
        if more < 2:
            return self._and(names)
        others = f"和另外 {more} 个" if self._chinese else f" and {more} others"
        return self._joined((self._names(names[:_FEW]), others))

    def _clauses(self, clauses: Iterable[Any]) -> str:
        return ("；" if self._chinese else "; ").join(map(self._written, clauses))

    def _each(self, sentences: Iterable[Any]) -> str:
        stop, texts = "。" if self._chinese else ".", map(self._written, sentences)
        ended = (text if text.endswith(_ENDS) else f"{text}{stop}" for text in texts if text)
        return _begun(("" if self._chinese else " ").join(ended))

    def _sentence(self, clauses: Sequence[Any]) -> str:
        text = self._clauses(clauses)
        if self._chinese:
            return f"{text}。"
        return _begun(f"{text[0].upper() if self._ours(clauses[0]) else text[0]}{text[1:]}.")

    def _ours(self, text: Text) -> bool:
        """Tell whether words begin with a word of ours, and not with a name or a figure."""
        if isinstance(text, str | Named) or text.name not in self._words.names:
            return False
        inner = _Saying(self._words, text.facts)
        return inner.begins(self._words.pattern(text.name))

    def begins(self, pattern: ast.Pattern) -> bool:
        """Tell whether a pattern begins with a word of its own."""
        first = pattern.elements[0]
        if isinstance(first, ast.TextElement):
            return True
        if isinstance(first.expression, ast.SelectExpression):
            return self.begins(self._chosen(first.expression).value)
        fact = first.expression
        if isinstance(fact, ast.VariableReference) and isinstance(self._value(fact), Said):
            return self._ours(self._value(fact))
        return False

    @property
    def _chinese(self) -> bool:
        return self._words.language == "zh"


_HAN, _STOP, _LATIN = "[\u3400-\u9fff]", "[，。；：、（）？！《》“”]", "[A-Za-z0-9%]"
_CLOSE = re.compile(f"{_HAN}{_HAN}|.{_STOP}|{_STOP}.")
_APART = re.compile(f"{_HAN}{_LATIN}|{_LATIN}{_HAN}")


def _beside(text: str, part: str) -> str:
    """Set a part of a Chinese sentence beside what stands before it."""
    left, right = text.removesuffix(" "), part.removeprefix(" ")
    if left.endswith("题") and right.startswith("题"):  # of "选择题" are "选择题数"
        return left + right.removeprefix("题")
    meeting = left.rstrip(NAME_ENDS)[-1:] + right.lstrip(NAME_BEGINS)[:1]
    if _CLOSE.fullmatch(meeting):
        return left + right
    return f"{left} {right}" if _APART.fullmatch(meeting) else text + part


def _without_signs(fact: Any) -> Any:
    """A fact, no text of which could be taken for the mark of a name."""
    if isinstance(fact, list | tuple):
        return [_without_signs(one) for one in fact]
    return printable(fact) if isinstance(fact, str) else fact


_KEYWORDS = ("none", "true", "false")


def _named(value: Any) -> str:
    """A fact as a choice names it: "none", "true", "false", or itself with "-" for blanks.

    A text that is one of these three words is a name like others, and chooses nothing.
    """
    if value is None or isinstance(value, bool):
        return str(value).lower()
    return "" if value in _KEYWORDS else str(value).replace(" ", "-")


def _folders(folder: Traversable) -> list[Traversable]:
    """List the folders in a folder that may not be there."""
    return [one for one in folder.iterdir() if one.is_dir()] if folder.is_dir() else []


@cache
def _own_folders() -> tuple[Traversable, ...]:
    """List the folders of Zhiyin that may hold messages beside the core's."""
    package = resources.files("zhiyin")
    own = [*_folders(package / "benchmarks"), *_folders(package / "plugins")]
    return (*own, *(below for folder in own for below in _folders(folder)))


def _begun(text: str) -> str:
    """Sentences with a capital where they begin with the name of people."""
    return _GROUP.sub(r"\1This group of ", text)


@cache
def words_in(language: str) -> Catalogue:
    """All messages of a language."""
    shared = (resources.files("zhiyin") / "words" / language).iterdir()
    name = FILE.format(language)
    files = [*shared, *(place / name for place in _own_folders() if (place / name).is_file())]
    return Catalogue("\n".join(file.read_text("utf-8") for file in files), language)


def add(folder: Path) -> None:
    """The messages in a folder, in both languages; see `zhiyin.words.add_words`."""
    if folder in _added or folder in _own_folders():
        return
    brought = []
    for language in LANGUAGES:
        path = folder / FILE.format(language)
        with reworded(f"{path}: ", ": fix the file", of=(OSError, ValueError, AssertionError)):
            new = Catalogue(path.read_text("utf-8"), language)
            for name in new.names:
                new.pattern(name)
        if twice := sorted(new.names & words_in(language).names):
            raise InputError(f"{path}: there is a message {twice[0]} already: rename this one")
        brought.append(new)
    first, second = brought
    if odd := sorted(first.names ^ second.names):
        raise InputError(f"{folder}: message {odd[0]} is in one language only: write it in both")
    for new in brought:
        words_in(new.language).add(new)
    _added.add(folder)


_added: set[Path] = set()
"""Folders whose messages were added in this process."""
