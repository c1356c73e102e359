"""From what a judge wrote to a JSON object, and from its values to numbers and words."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_THOUGHT = re.compile(r"<think(?:ing)?>.*?</think(?:ing)?>", re.DOTALL | re.IGNORECASE)
_DECODER = json.JSONDecoder(strict=False)
_FENCE = re.compile(r"```[\w-]*[ \t]*\n?(.*?)```", re.DOTALL)
_NUMBER = re.compile(
    r"\s*(-?\d+(?:\.\d+)?)\s*(?:分|points?|pts?)?\s*"
    r"(?:(?:/|／|out of|of)\s*(\d+(?:\.\d+)?))?\s*(?:分|points?)?\s*",
    re.IGNORECASE,
)
_WIDE = str.maketrans("０１２３４５６７８９．－／", "0123456789.-/")
_SIGNS = dict(zip("｛｝［］【】：，、", "{}[][]:,,", strict=True))
_QUOTES = {'"': '"', "“": "”", "”": "”", "＂": "＂"}
_YES = frozenset({"true", "yes", "y", "1", "是", "对", "相关", "music", "有"})
_NO = frozenset({"false", "no", "n", "0", "否", "不是", "无关", "不相关", "无"})


class Unreadable(Exception):  # noqa: N818 - it is a finding about a reply
    """A judge's reply is no judgement. The message names the fault, for the re-ask."""


def read_object(text: str, expected: Iterable[str]) -> dict[str, Any]:
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
    Unreadable
    """
    names = set(expected)
    text = _THOUGHT.sub("", text.lstrip("\ufeff"))
    found, end = None, 0
    for whole, after in _objects_in(text):
        inside = (o for o in (whole, *whole.values()) if isinstance(o, dict) and names & o.keys())
        meant = next(inside, None)
        if meant is not None:
            found, end = meant, after
    if found is not None:
        if _open_braces(text[end:]):
            raise Unreadable("the JSON was cut off before its end")
        return found
    cut = False
    for candidate in _candidates(text):
        plain = _plain_punctuation(candidate)
        if _open_braces(plain):
            cut = True
            continue
        mended = _mended(plain)
        if isinstance(mended, list) and len(mended) == 1:
            mended = mended[0]
        if isinstance(mended, dict) and names & mended.keys():
            return mended
    if cut:
        raise Unreadable("the JSON was cut off before its end")
    if "{" not in text and "｛" not in text:
        raise Unreadable("there was no JSON object in the reply")
    raise Unreadable(f"the JSON object had none of the fields {', '.join(sorted(names))}")


def _open_braces(text: str) -> bool:
    """Whether something was opened and not closed."""
    return text.count("{") > text.count("}") or text.count("[") > text.count("]")


def _objects_in(text: str) -> Iterator[tuple[dict[str, Any], int]]:
    """Every object in a text that is good JSON and in no other such, and where it ends.

    The last one is what a judge means: drafts, examples and forms stand before it. Where
    another was begun after it and is not whole, the judge was cut off.
    """
    place = text.find("{")
    while place >= 0:
        try:
            found, end = _DECODER.raw_decode(text, place)
            yield found, end
        except (ValueError, RecursionError):
            end = place + 1
        place = text.find("{", end)


def _candidates(text: str) -> Iterator[str]:
    """Where an object to be mended may be: in the last fence, or between the outermost braces."""
    yield from (match.strip() for match in reversed(_FENCE.findall(text)))
    opened = min((i for i in (text.find("{"), text.find("｛")) if i >= 0), default=-1)
    if opened >= 0:
        closed = max(text.rfind("}"), text.rfind("｝"))
        rest = text[opened:].partition("```")[0]
        whole = text[opened : closed + 1] if closed > opened else rest
        # What stands behind the last brace belongs to the object where braces are still open.
        yield rest if _open_braces(_plain_punctuation(whole)) else whole


def _mended(text: str) -> Any:
    import json_repair

    try:
        return json_repair.loads(text)
    except (ValueError, RecursionError):
        return None


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
    """Whether what follows a quote is structure, so that the quote ends a string."""
    rest = text[after : after + 40].lstrip()
    return not rest or rest[0] in ",:}]，：｝］】、"


def number(value: Any, most: float, name: str) -> float:
    """A score from 0 to `most`.

    "3", "3 分" and "3/4" (with the right maximum) are read; so is "0/10", for nothing out of
    anything is 0. Any other maximum is no score on this scale.

    Raises
    ------
    Unreadable
        It is missing, no number, out of range, or out of another maximum.
    """
    if isinstance(value, bool) or value is None or isinstance(value, list | dict):
        shown = "missing" if value is None else json.dumps(value, ensure_ascii=False)[:40]
        raise Unreadable(f'"{name}" was {shown} and not a number from 0 to {most:g}')
    if isinstance(value, str):
        match = _NUMBER.fullmatch(value.translate(_WIDE))
        if match is None:
            raise Unreadable(f'"{name}" was "{value[:40]}" and not a number from 0 to {most:g}')
        score = float(match[1])
        if match[2] is not None and score and float(match[2]) != most:
            raise Unreadable(f'"{name}" was "{value[:40]}" and not out of {most:g}')
    else:
        score = float(value)
    if not 0 <= score <= most:
        raise Unreadable(f'"{name}" was {score:g} and not from 0 to {most:g}')
    return score


def optional_number(value: Any, most: float) -> float | None:
    """As `number`, or None where there is no score."""
    try:
        return number(value, most, "")
    except Unreadable:
        return None


def yes_no(value: Any, name: str) -> bool:
    """A yes or a no, in either language. Raises `Unreadable` for anything else."""
    if isinstance(value, bool):
        return value
    word = str(value).strip().lower()
    if word in _YES:
        return True
    if word in _NO:
        return False
    shown = "missing" if value is None else f'"{word[:40]}"'
    raise Unreadable(f'"{name}" was {shown} and neither true nor false')


def word_of(value: Any, words: Mapping[str, tuple[str, ...]], name: str) -> str:
    """The key of `words` that a value is, or is a synonym of, whatever its case.

    Raises
    ------
    Unreadable
        The value is missing or another word.
    """
    said = re.sub(r"[\s_-]+", "_", str(value).strip().strip("'\"“”").lower())
    for word, synonyms in words.items():
        if said == word or said in synonyms:
            return word
    shown = "missing" if value is None else f'"{str(value)[:40]}"'
    raise Unreadable(f'"{name}" was {shown} and none of {", ".join(words)}')


def objects(value: Any, name: str) -> list[dict[str, Any]]:
    """A list of objects. Raises `Unreadable` for anything else."""
    if value is None:
        raise Unreadable(f'the list "{name}" was missing')
    if not isinstance(value, list) or not all(isinstance(item, dict) for item in value):
        raise Unreadable(f'"{name}" was not a list of objects')
    return value


def words(value: Any) -> str:
    """A text, or nothing where there is none."""
    return value.strip() if isinstance(value, str) else ""


def quoted_in(quote: str, text: str) -> bool:
    """Whether a quotation stands in a text, punctuation, spaces and case aside.

    Parts around an ellipsis must all be there. An empty quotation is not.
    """
    parts = [bare(part) for part in re.split(r"\.{3,}|…+", quote)]
    whole = bare(text)
    return any(parts) and all(part in whole for part in parts)


def bare(text: str) -> str:
    """The letters and digits of a text, in lower case and one width."""
    import unicodedata

    return "".join(c for c in unicodedata.normalize("NFKC", text).lower() if c.isalnum())
