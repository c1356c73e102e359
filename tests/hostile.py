"""Texts that are made to be slow to read, and all patterns of the package to try them on."""

import ast
import importlib
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from re import _constants as sre  # type: ignore[attr-defined]
from re import _parser as parser  # type: ignore[attr-defined]
from time import thread_time
from typing import NamedTuple

import zhiyin

ROOT = Path(zhiyin.__file__).parent
_WAYS = ("compile", "search", "match", "fullmatch", "finditer", "findall", "split", "sub", "subn")
_ALL = ("search", "match", "fullmatch", "finditer")


class Use(NamedTuple):
    """A pattern of the package: where it stands, and the methods that are called on it."""

    where: str
    pattern: re.Pattern[str]
    ways: tuple[str, ...]


class Unlisted(NamedTuple):
    """A pattern that is made while the program runs: its module and the words of its source."""

    module: str
    source: str


def modules(exempt: tuple[str, ...] = ()) -> Iterator[tuple[str, str, ast.Module]]:
    """Name, source and tree of every module that names `re`, but for exempt packages."""
    for path in sorted(ROOT.rglob("*.py")):
        parts = ("zhiyin", *path.relative_to(ROOT).with_suffix("").parts)
        name = ".".join(parts).removesuffix(".__init__")
        if not any(name == e or name.startswith(f"{e}.") for e in exempt):
            source = path.read_text("utf-8")
            if re.search(r"\bre\.", source):
                yield name, source, ast.parse(source)


def uses(exempt: tuple[str, ...] = ()) -> tuple[list[Use], list[Unlisted]]:
    """Every pattern that the package compiles, and those that only exist while it runs."""
    found, unlisted = [], []
    for name, source, tree in modules(exempt):
        kept = {
            id(node.value): target.id
            for node in tree.body
            if isinstance(node, ast.Assign)
            for target in node.targets
            if isinstance(target, ast.Name)
        }
        for call in ast.walk(tree):
            if not _is_pattern(call):
                continue
            way = call.func.attr
            where = f"{name}:{call.lineno}"
            if id(call) in kept:
                constant = kept[id(call)]
                pattern = getattr(importlib.import_module(name), constant)
                found.append(Use(where, pattern, _ways(constant, source)))
                continue
            try:
                words = ast.literal_eval(call.args[0])
            except ValueError:
                unlisted.append(Unlisted(name, ast.unparse(call.args[0])))
                continue
            ways = _ALL if way == "compile" else (_plain(way),)
            found.append(Use(where, re.compile(words, _flags(call, way)), ways))
    return found, unlisted


def _is_pattern(node: ast.AST) -> bool:
    return (
        isinstance(node, ast.Call)
        and isinstance(node.func, ast.Attribute)
        and isinstance(node.func.value, ast.Name)
        and node.func.value.id == "re"
        and node.func.attr in _WAYS
    )


def _flags(call: ast.Call, way: str) -> int:
    """The flags of a call: named, or in their place."""
    place = {"compile": 1, "sub": 4, "subn": 4, "split": 3}.get(way, 2)
    given = next((k.value for k in call.keywords if k.arg == "flags"), None)
    if given is None and len(call.args) > place:
        given = call.args[place]
    if given is None:
        return 0
    return int(eval(compile(ast.Expression(given), "flags", "eval"), {"re": re}))


def _ways(constant: str, source: str) -> tuple[str, ...]:
    """How the module calls a pattern of its own; in every way where that cannot be seen."""
    named = re.findall(rf"\b{constant}\.({'|'.join(_WAYS)})\b", source)
    return tuple(dict.fromkeys(map(_plain, named))) or _ALL


def _plain(way: str) -> str:
    """The methods that look everywhere in a text are one."""
    return "finditer" if way in ("findall", "sub", "subn", "split") else way


def run(pattern: re.Pattern[str], way: str, text: str) -> None:
    """Look for a pattern, everywhere if that is the way."""
    found = getattr(pattern, way)(text)
    if way == "finditer":
        for _ in found:
            pass


GENERAL = (
    *(" ", "\n", "\t", "\r\n", "\u3000", " \n", "(", "[", "{", "<", "[{", '{"a":', "[[", ")", "}"),
    *('"', "“", "'", "`", "```", "a", "A", "B", "é", "音", "的", "1", "12", ".", "..", "…", ","),
    *("，", ":", "-", "_", "=", "/", "#", "*", "a ", "A. ", "1. ", "a\n", "\\", "**", "<think>"),
    *("a b", "ab,", "not ", "no "),
)
"""What a text is filled with, whatever the pattern."""


def shapes(pattern: re.Pattern[str], seed: int = 0) -> list[tuple[str, str, str]]:
    """Begin, filling and end of texts that a pattern may be slow on.

    The fillings are those of `GENERAL`, whole matches, beginnings of matches, and what stands
    under each repeat of the pattern, after what leads up to it.
    """
    dice = random.Random(seed)
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE | re.UNICODE)
    whole = [_example(tree, dice) for _ in range(6)]
    fillings = dict.fromkeys(GENERAL)
    for match in whole:
        fillings |= dict.fromkeys(match[:cut] for cut in {1, 2, len(match) // 2, len(match)} if cut)
        fillings |= dict.fromkeys([match[:-1]] if len(match) > 1 else [])
    found = [("", filling, end) for filling in fillings if filling for end in ("", "\0")]
    for before, body in _repeats(tree, dice):
        found += [(before, body, end) for end in ("", "\0", "!")]
        found += [("", before + body, "\0"), ("", before + 3 * body, "\0")]
        found += [(before, filling, "\0") for filling in (" ", "\n", "a", "1", "音", "[", "_")]
    return list(dict.fromkeys(shape for shape in found if shape[1]))


def repeats(pattern: re.Pattern[str]) -> bool:
    """Whether a pattern repeats anything more than three times.

    What does not looks at so many signs from each place and no more: it takes linear time, unless
    it tries very many ways at one place, which a short text shows.
    """
    tree = parser.parse(pattern.pattern, pattern.flags & ~re.UNICODE | re.UNICODE)
    return any(True for _ in _repeats(tree, random.Random(0)))


def text_of(shape: tuple[str, str, str], size: int) -> str:
    """A text of a shape, of about `size` bytes."""
    begin, filling, end = shape
    return begin + filling * max(1, size // len(filling.encode("utf-8", "surrogatepass"))) + end


def _repeats(tree, dice: random.Random, before: str = "") -> Iterator[tuple[str, str]]:
    """What stands under each repeat of a pattern, and an example of what leads up to it."""
    for operator, given in tree:
        if operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            _, high, body = given
            if high > 3:
                for _ in range(3):
                    yield before, _example(body, dice)
            yield from _repeats(body, dice, before)
        elif operator is sre.SUBPATTERN:
            yield from _repeats(given[-1], dice, before)
        elif operator is sre.BRANCH:
            for branch in given[1]:
                yield from _repeats(branch, dice, before)
        elif operator in (sre.ASSERT, sre.ASSERT_NOT):
            yield from _repeats(given[1], dice, before)
        elif operator is sre.ATOMIC_GROUP:
            yield from _repeats(given, dice, before)
        before += _example([(operator, given)], dice)


def _example(tree, dice: random.Random) -> str:
    """A text that a pattern matches, look-around and back-references aside."""
    written = []
    for operator, given in tree:
        if operator is sre.LITERAL:
            written.append(chr(given))
        elif operator is sre.NOT_LITERAL:
            written.append("a" if given != ord("a") else "b")
        elif operator is sre.ANY:
            written.append(dice.choice("a \n1音"))
        elif operator is sre.IN:
            written.append(_member(given, dice))
        elif operator is sre.BRANCH:
            written.append(_example(dice.choice(given[1]), dice))
        elif operator is sre.SUBPATTERN:
            written.append(_example(given[-1], dice))
        elif operator is sre.ATOMIC_GROUP:
            written.append(_example(given, dice))
        elif operator in (sre.MAX_REPEAT, sre.MIN_REPEAT, sre.POSSESSIVE_REPEAT):
            low, high, body = given
            times = dice.randint(low, min(int(high), low + 2))
            written += [_example(body, dice) for _ in range(times)]
    return "".join(written)


_CATEGORIES = {
    sre.CATEGORY_SPACE: " \n\t\u3000",
    sre.CATEGORY_DIGIT: "0129",
    sre.CATEGORY_WORD: "aA1_音",
    sre.CATEGORY_NOT_SPACE: "a1[音.",
    sre.CATEGORY_NOT_DIGIT: "a [音\n",
    sre.CATEGORY_NOT_WORD: " [.\n*",
}


def _member(members, dice: random.Random) -> str:
    """A character of a class."""
    if members[0][0] is sre.NEGATE:
        allowed = re.compile(_class(members))
        return dice.choice([c for c in "a A1 [.\n音*-," if allowed.match(c)] or ["é"])
    operator, given = dice.choice(members)
    if operator is sre.LITERAL:
        return chr(given)
    if operator is sre.RANGE:
        return chr(dice.randint(*given))
    return dice.choice(_CATEGORIES[given])


_CLASSES = {
    sre.CATEGORY_SPACE: r"\s",
    sre.CATEGORY_DIGIT: r"\d",
    sre.CATEGORY_WORD: r"\w",
    sre.CATEGORY_NOT_SPACE: r"\S",
    sre.CATEGORY_NOT_DIGIT: r"\D",
    sre.CATEGORY_NOT_WORD: r"\W",
}


def _class(members) -> str:
    """A class of characters as a pattern again."""
    written = []
    for operator, given in members:
        if operator is sre.NEGATE:
            written.append("^")
        elif operator is sre.LITERAL:
            written.append(re.escape(chr(given)))
        elif operator is sre.RANGE:
            written.append(f"{re.escape(chr(given[0]))}-{re.escape(chr(given[1]))}")
        else:
            written.append(_CLASSES[given])
    return f"[{''.join(written)}]"


def took(work: Callable[[str], object], text: str) -> float:
    """Seconds of the processor that some work takes, whoever else has the machine."""
    begun = thread_time()
    work(text)
    return thread_time() - begun


_SIZES = ((100, 999), (1_000, 60), (10_000, 8), (100_000, 2), (1_000_000, 0))
"""Bytes of the texts that are tried, and how many of the slowest go on from there."""
_ENOUGH = 3
"""Shapes after which the search ends."""
_STEEP = 2.0
"""How many times more than in proportion a text of eight times the size may take."""
_FAR = 10
"""How many times the limit is too much on any machine, however evenly the time grows."""


def slow(
    work: Callable[[str], object],
    shapes: list[tuple[str, str, str]],
    most: float = 1.0,
    least: float = 0.05,
    longest: int = 1_000_000,
) -> list[str]:
    """The shapes on which reading takes more than time in proportion to the text.

    All are tried on short texts, the slowest on longer ones, and the slowest of those at 1 MB,
    where `most` is the time in seconds that is looked into; smaller texts have their share of
    it, and `least`. A slow machine takes that long too, so what took longer is compared with
    the same shape at an eighth of its size: a shape is slow when its time grows out of
    proportion, or is far over the limit. Texts above `longest` bytes are not tried.
    """
    left, found = list(shapes), []
    for size, kept in _SIZES:
        if size > longest:
            break
        limit = max(least, most * size / 1_000_000)
        times = []
        for shape in left:
            seconds = took(work, text_of(shape, size))
            if seconds > limit:
                seconds, steep = _again(work, shape, size)
                if seconds > _FAR * limit or (seconds > limit and steep):
                    found.append(f"{seconds:.2f} s on {size} bytes of {shape!r}")
                    if len(found) == _ENOUGH:
                        return found
            times.append((seconds, shape))
        if found:
            break
        left = [shape for _, shape in sorted(times, key=lambda t: -t[0])[:kept]]
    return found


def _again(
    work: Callable[[str], object], shape: tuple[str, str, str], size: int
) -> tuple[float, bool]:
    """The best time of two, and whether an eighth of the text takes far less than an eighth."""
    whole, part = text_of(shape, size), text_of(shape, size // 8)
    seconds = min(took(work, whole) for _ in range(2))
    return seconds, seconds > _STEEP * 8 * min(took(work, part) for _ in range(3))
