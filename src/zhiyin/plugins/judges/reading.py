"""Parsing of a judge's text to a JSON object, and of its values to numbers, words, a judgement.

Objects are found in one pass, however deep they are nested: a decoder that is tried at every brace
takes quadratic time on braces that are never closed. Here it is tried once: where it fails, what
was open is given up, what was closed before the fault is kept, and the search goes on from there.
JSON with faults is mended by json-repair within bounds: its time grows with the square at least of
some texts, and a reply must not stop the program.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from functools import lru_cache, reduce
from typing import Any, SupportsIndex, TypeVar

from zhiyin.reasoning import apart
from zhiyin.record import Exchange, Reply, Turn
from zhiyin.text import one_width
from zhiyin.trial import Message, say
from zhiyin.words import Text, said

_FENCED = re.compile(r"\A[\w-]*+[ \t]*+\n?")
_NUMBER = re.compile(
    r"\s*+(-?\d++(?:\.\d++)?)\s*+(?:分|points?|pts?)?\s*+"
    r"(?:(?:/|／|out of|of)\s*+(\d++(?:\.\d++)?))?\s*+(?:分|points?)?\s*+",
    re.IGNORECASE,
)
_LONGEST_NUMBER = 40
_LARGEST = 1e300
_WIDE = str.maketrans("０１２３４５６７８９．－／", "0123456789.-/")
_SIGNS = dict(zip("｛｝［］【】：，、", "{}[][]:,,", strict=True))
_QUOTES = {'"': '"', "“": "”", "”": "”", "＂": "＂"}
_YES = frozenset({"true", "yes", "y", "1", "是", "对", "相关", "music", "有"})
_NO = frozenset({"false", "no", "n", "0", "否", "不是", "无关", "不相关", "无"})


Fields = dict[str, Any]
"""A JSON object as a judge wrote it."""
Schema = Fields
"""A JSON schema, as structured outputs want it: all fields are required, and no others allowed."""
TEXT: Schema = {"type": "string"}
NUMBER: Schema = {"type": "number"}
YES_NO: Schema = {"type": "boolean"}


def choice(words: Iterable[str]) -> Schema:
    """The schema of one of some words."""
    return {"type": "string", "enum": list(words)}


def list_schema(entry: Schema) -> Schema:
    """The schema of a list."""
    return {"type": "array", "items": entry}


def record_schema(**fields: Schema) -> Schema:
    """The schema of an object with these fields."""
    required = list(fields)
    return {
        "type": "object",
        "properties": fields,
        "required": required,
        "additionalProperties": False,
    }


A = TypeVar("A")
T = TypeVar("T")


class UnreadableJudgement(Exception):  # noqa: N818 - it is a finding about a reply
    """A judge's reply is no judgement. Its message names the fault, for the re-ask."""


def read_all(read: Callable[[A], T], values: Iterable[A], *faults: Text) -> list[T]:
    """Read each of some values. Raises `UnreadableJudgement` once, for all that is wrong.

    `faults` are those that are known already.
    """
    found, wrong = [], [*faults]
    for value in values:
        try:
            found.append(read(value))
        except UnreadableJudgement as fault:
            wrong.append(fault.args[0])
    if wrong:
        raise UnreadableJudgement(
            reduce(lambda a, b: said("log-judge-also", first=a, second=b), wrong)
        )
    return found


def read_object(text: str, expected: Iterable[str]) -> Fields:
    """The JSON object in a judge's reply: prose, fences and reasoning around it are left out.

    What is not JSON is mended: full-width punctuation, quotes, commas, comments (json-repair).
    A reply whose braces are not all closed was cut off, and is not completed by guessing.

    Parameters
    ----------
    text : str
        The reply.
    expected : iterable of str
        Names of which the object must have at least one.

    Raises
    ------
    UnreadableJudgement
    """
    names = set(expected)
    text = text.lstrip("\ufeff")
    text = apart(text)[0] or text
    chosen, end = None, 0
    # The last one is what a judge means: drafts, examples and forms stand before it. Where
    # another was begun after it and is not whole, the judge was cut off.
    for whole, after in objects_in(text):
        inside = (o for o in (whole, *whole.values()) if isinstance(o, dict) and names & o.keys())
        meant = next(inside, None)
        if meant is not None:
            chosen, end = meant, after
    if chosen is not None:
        if _open_braces(text[end:]):
            raise UnreadableJudgement(said("log-judge-cut"))
        return chosen
    cut, patience = False, Patience()
    try:
        for candidate in _candidates(text):
            patience.spend(len(candidate))
            plain = _plain_punctuation(candidate)
            if _open_braces(plain):
                cut = True
                continue
            made = mended(plain, patience)
            if isinstance(made, list) and len(made) == 1:
                made = made[0]
            if isinstance(made, dict) and names & made.keys():
                return made
    except Tangled:
        raise UnreadableJudgement(said("log-judge-tangled")) from None
    if cut:
        raise UnreadableJudgement(said("log-judge-cut"))
    if "{" not in text and "｛" not in text:
        raise UnreadableJudgement(said("log-judge-no-json"))
    raise UnreadableJudgement(said("log-judge-no-field", fields=sorted(names)))


def _open_braces(text: str) -> bool:
    """Tell whether a brace or bracket was opened and not closed."""
    return text.count("{") > text.count("}") or text.count("[") > text.count("]")


def _candidates(text: str) -> Iterator[str]:
    """Yield places of an object to be repaired: the last fence, or between the outermost braces."""
    for part in reversed(text.split("```")[1:-1:2]):
        if "{" in part or "｛" in part:
            yield _FENCED.sub("", part, count=1).strip()
    opened = min((i for i in (text.find("{"), text.find("｛")) if i >= 0), default=-1)
    if opened >= 0:
        closed = max(text.rfind("}"), text.rfind("｝"))
        rest = text[opened:].partition("```")[0]
        whole = text[opened : closed + 1] if closed > opened else rest
        # What stands behind the last brace belongs to the object where braces are still open.
        yield rest if _open_braces(_plain_punctuation(whole)) else whole


def _plain_punctuation(text: str) -> str:
    """Full-width punctuation outside of strings as ASCII; curly quotes around strings as well."""
    written: list[str] = []
    closing = ""
    escaped = False
    for place, sign in enumerate(text):
        if not closing:
            closing = _QUOTES.get(sign, "")
            written.append('"' if closing else _SIGNS.get(sign, sign))
        elif escaped:
            escaped = False
            written.append(sign)
        elif sign == "\\":
            escaped = True
            written.append(sign)
        elif sign == closing and (closing == '"' or _ends_string(text, place + 1)):
            closing = ""
            written.append('"')
        else:
            written.append('\\"' if sign == '"' else sign)
    return "".join(written)


def _ends_string(text: str, after: int) -> bool:
    """Tell whether what follows a quote is structure, so that the quote ends a string."""
    rest = text[after : after + 40].lstrip()
    return not rest or rest[0] in ",:}]，：｝］】、"


def number(value: Any, most: float, name: str) -> float:
    """A score from 0 to `most`.

    "3", "3 分" and "3/4" (with the right maximum) are read; so is "0/10", for nothing out of
    anything is 0. Any other maximum is no score on this scale.

    Raises
    ------
    UnreadableJudgement
        It is missing, no number, out of range, or out of another maximum.
    """
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        raise _no_number(name, _shown(value), most)
    if isinstance(value, str):
        short = value.strip()[:_LONGEST_NUMBER]
        match = _NUMBER.fullmatch(short.translate(_WIDE)) if short == value.strip() else None
        if match is None:
            raise _no_number(name, _shown(value), most)
        score = float(match[1])
        if match[2] is not None and score and float(match[2]) != most:
            raise UnreadableJudgement(
                said("log-judge-out-of", field=name, shown=_shown(value), most=most)
            )
    else:
        score = math.inf if abs(value) > _LARGEST else float(value)
    return within(score, (0, most), name)


def _no_number(name: str, shown: Text, most: float) -> UnreadableJudgement:
    return UnreadableJudgement(said("log-judge-no-number", field=name, shown=shown, most=most))


def within(score: float, scale: tuple[float, float], name: str) -> float:
    """A score on a scale. Raises `UnreadableJudgement` for any other."""
    low, high = scale
    if not low <= score <= high:
        raise UnreadableJudgement(
            said("log-judge-range", field=name, score=score, low=low, high=high)
        )
    return score


def optional_number(value: Any, most: float) -> float | None:
    """Read a score as `number` does; None if there is none."""
    try:
        return number(value, most, "")
    except UnreadableJudgement:
        return None


def yes_no(value: Any, name: str) -> bool:
    """A yes or a no, in either language. Raises `UnreadableJudgement` for anything else."""
    if isinstance(value, bool):
        return value
    word = _word(value).lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    raise UnreadableJudgement(said("log-judge-yes-no", field=name, shown=_shown(value)))


def word_of(value: Any, words: Mapping[str, tuple[str, ...]], name: str) -> str:
    """The key of `words` that a value is, or is a synonym of, whatever its case.

    Raises
    ------
    UnreadableJudgement
        The value is missing or another word.
    """
    given = re.sub(r"[\s_-]++", "_", _word(value).strip("'\"“”").lower())
    for word, synonyms in words.items():
        if given == word or given in synonyms:
            return word
    raise UnreadableJudgement(
        said("log-judge-no-word", field=name, shown=_shown(value), words=[*words])
    )


def _word(value: Any) -> str:
    """A single value as a word; nothing for a list or an object, however deep it is."""
    return str(value).strip()[:_LONGEST_NUMBER] if isinstance(value, str | int | float) else ""


def _shown(value: Any) -> Text:
    """A value that is not what was asked for, for a message."""
    if value is None:
        return said("log-judge-missing")
    if isinstance(value, list):
        return said("log-judge-list", n=len(value))
    if isinstance(value, dict):
        return said("log-judge-object", n=len(value))
    if isinstance(value, bool):
        return str(value).lower()
    return said("log-judge-value", value=_word(value))


def objects(value: Any, name: str) -> list[Fields]:
    """A list of objects. Raises `UnreadableJudgement` for anything else."""
    if value is None:
        raise UnreadableJudgement(said("log-judge-no-list", field=name))
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise UnreadableJudgement(said("log-judge-not-list", field=name))
    return value


def words(value: Any) -> str:
    """A text, or nothing where there is none.

    Half a character, of which JSON can have an escape, cannot be written: � stands for it.
    """
    if not isinstance(value, str):
        return ""
    return value.strip().encode("utf-8", "surrogatepass").decode("utf-8", "replace")


def quoted_in(quote: str, text: str) -> bool:
    """Tell whether a quotation stands in a text, punctuation, spaces and case aside.

    Parts around an ellipsis must all be there. An empty quotation is not.
    """
    parts = [bare(part) for part in re.split(r"\.{3,}+|…++", quote)]
    whole = _bare_whole(text)
    return any(parts) and all(part in whole for part in parts)


def bare(text: str) -> str:
    """The letters and digits of a text, in lower case and one width."""
    return "".join(filter(str.isalnum, one_width(text).lower()))


_bare_whole = lru_cache(maxsize=8)(bare)
"""A reply quotes one text many times."""


LOOKS = 200_000
"""How many characters json-repair may look at for one reply, repeats counted: well under a second.
Ordinary faults take about 5 looks a character."""


class Tangled(Exception):  # noqa: N818 - it is a finding about a text
    """Error: the repair of a text would take too long."""


class Patience:
    """A budget of looks at a text."""

    left = LOOKS

    def spend(self, looks: int) -> None:
        """Take some away. Raises `Tangled` where there are no more."""
        self.left -= looks
        if self.left < 0:
            raise Tangled


class _Watched(str):
    """A text that counts how often it is looked at, and what is cut from it likewise."""

    __slots__ = ("patience",)
    patience: Patience

    def __getitem__(self, key: SupportsIndex | slice) -> str:
        part = str.__getitem__(self, key)
        self.patience.spend(1 + len(part))
        return watched(part, self.patience) if isinstance(key, slice) else part

    def __iter__(self) -> Iterator[str]:
        self.patience.spend(len(self))
        return str.__iter__(self)

    def __add__(self, other: str) -> str:
        self.patience.spend(len(self))
        return watched(str.__add__(self, other), self.patience)

    def __radd__(self, other: str) -> str:
        return watched(other, self.patience) + str(self)


def watched(text: str, patience: Patience) -> str:
    """`text`, every look at which costs patience."""
    counting = _Watched(text)
    counting.patience = patience
    return counting


def mended(text: str, patience: Patience) -> Any:
    """Repair a faulty JSON text and decode it; None if json-repair makes nothing of it.

    Raises
    ------
    Tangled
        The patience is at its end.
    """
    import json_repair

    try:
        return json_repair.loads(watched(text, patience))
    except Tangled:
        raise
    except Exception:  # it meets some faults with an AssertionError, some with a RecursionError
        return None


_DECODER = json.JSONDecoder(strict=False)
_FAULTS = 20
"""How often the decoder may fail: each time it counts the lines up to the fault."""
_BLANK = r"[ \t\n\r]*+"
_STRING = r'"(?:[^"\\]|\\.)*+"'
_NAME = rf"{_BLANK}{_STRING}{_BLANK}:"
_PLAIN = (
    rf"{_BLANK}(?:{_STRING}|true|false|null|NaN|-?(?:Infinity|[0-9]++(?:\.[0-9]++)?"
    r"(?:[eE][-+]?[0-9]++)?))"
)
_FLAT = rf"\{{(?:{_NAME}{_PLAIN}(?:{_BLANK},{_NAME}{_PLAIN})*+)?{_BLANK}\}}"
_BEGIN = re.compile(rf"\{{{_NAME}", re.DOTALL)
"""The beginning of an object that is not empty."""
_VALUE = re.compile(rf"{_BLANK}(?:({_FLAT})|([{{\[])|{_PLAIN})", re.DOTALL)
_MEMBER = re.compile(_NAME, re.DOTALL)
_NEXT = re.compile(rf"{_BLANK}([,\]}}])")
_EMPTY = re.compile(rf"{_BLANK}([\]}}])")
_CLOSING = {"{": "}", "[": "]"}


def objects_in(text: str) -> Iterator[tuple[Fields, int]]:
    """Every object in a text that is good JSON, not empty and in no other such, and its end.

    Objects nested deeper than Python can follow, and those with a number of thousands of
    digits, are left out.
    """
    place, faults = 0, 0
    while (begun := _BEGIN.search(text, place)) is not None:
        if faults < _FAULTS:
            try:
                decoded, place = _DECODER.raw_decode(text, begun.start())
                yield decoded, place
                continue
            except (ValueError, RecursionError):
                faults += 1
        whole, place = _whole_before_fault(text, begun.start())
        for begin, end in whole:
            with suppress(ValueError, RecursionError):
                yield _DECODER.decode(text[begin:end]), end


def _whole_before_fault(text: str, begin: int) -> tuple[list[tuple[int, int]], int]:
    """Begin and end of the whole objects in a broken one, and where to look for the next.

    That is where the last string began, for a string that was never closed swallows what
    follows, up to the next quote.
    """
    opened = [("{", begin, 0)]  # kind, place, and how many whole objects there were before
    whole: list[tuple[int, int]] = []
    place, last, fresh = begin + 1, begin + 1, True
    while opened:
        kind, since, before = opened[-1]
        mark = _EMPTY.match(text, place) if fresh else _NEXT.match(text, place)
        if mark is not None and mark[1] != ",":
            if mark[1] != _CLOSING[kind]:
                break
            opened.pop()
            place, fresh = mark.end(), False
            if kind == "{":
                whole[before:] = [(since, place)]
            continue
        if mark is None and not fresh:
            break
        place = place if mark is None else mark.end()
        if kind == "{":
            name = _MEMBER.match(text, place)
            if name is None:
                break
            last, place = place, name.end()
        value = _VALUE.match(text, place)
        if value is None:
            break
        last, place, fresh = place, value.end(), value[2] is not None
        if value[1] is not None:
            whole.append(value.span(1))
        elif fresh:
            opened.append((value[2], place - 1, len(whole)))
    return whole, max(begin + 1, last if opened else place)


def fault_in(reply: Reply, read: Callable[[str], object]) -> Text | None:
    """Describe the fault that `read` finds in a reply's text; None if it can be used."""
    try:
        read(reply.text)
    except UnreadableJudgement as fault:
        why: Text = fault.args[0]
        return said("log-judge-full", why=why) if reply.finish == "length" else why
    return None


async def ask_until_read(
    ask: Callable[[tuple[Message, ...]], Awaitable[Reply]],
    messages: tuple[Message, ...],
    read: Callable[[str], object],
    again: Callable[[Text], str],
) -> Exchange:
    """Ask; where the reply cannot be used, ask once more, naming the fault.

    Parameters
    ----------
    ask : callable
        From messages to a reply.
    messages : tuple of Message
    read : callable
        Raises `UnreadableJudgement` for a text that cannot be used.
    again : callable
        From a fault to the words that name it.
    """
    first = await ask(messages)
    fault = fault_in(first, read)
    if fault is None:
        return Exchange((Turn(first),))
    more = (*messages, say("assistant", first.text.strip() or "..."), say("user", again(fault)))
    second = await ask(more)
    return Exchange((Turn(first), Turn(second, more, "re-ask")), {"fault": str(fault)})
