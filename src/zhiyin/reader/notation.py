r"""Plain signs for LaTeX and Unicode notation: F\sharp as F#, ¾ as 3/4, V⁷ as V7.

It comes before anything is read, in replies and options alike: a sign that is passed over makes
another note of a note, and another chord of a chord.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections.abc import Callable

Places = list[tuple[int, int]]
"""Where pieces of a changed text began: (index after, index before)."""

_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_SUB = "₀₁₂₃₄₅₆₇₈₉"
_DIGITS = dict(zip(map(ord, _SUPER + _SUB), "0123456789+-0123456789", strict=True))
_ONE_SIGN: dict[int, str] = {
    **{
        code: plain
        for code in range(0x1D400, 0x1D800)
        if len(plain := unicodedata.normalize("NFKC", chr(code))) == 1
    },  # mathematical letters and digits
    **{0x249C + i: chr(65 + i) for i in range(26)},  # small letters in brackets
    **dict(zip(map(ord, "♯♭⁄∕º।؟،\u2007\u2008\u2009\u200a"), "#b//°.?,    ", strict=True)),
}
_FONT = (
    r"(?:text(?:bf|it|rm|sf|tt|sc|normal)?|math(?:rm|bf|sf|it|tt|cal|frak|bb)|mbox|emph|underline"
    r"|operatorname|boldsymbol|pmb|bm)"
)
_WRITTEN = re.compile(
    rf"\\{_FONT}\s?\{{(?P<inner>[^{{}}\\]{{0,80}})\}}|(?P<dollar>\$+)"
    r"|(?:(?<=[A-Ga-g])\s)?\^?(?P<brace>\{)?\s?\\(?P<sign>sharp|flat|natural|#)(?![A-Za-z])(?(brace)\})"
    r"|\\[dtc]?frac\s?(?:\{\s?(?P<over>[^{}\\]{1,12})\}\s?\{\s?(?P<under>[^{}\\]{1,12})\}"
    r"|(?P<over1>\d)\s?(?P<under1>\d))"
    rf"|(?P<high>[{_SUPER}]+)(?:\s?[/⁄]\s?(?P<low>[{_SUB}]+))?|(?P<lower>[{_SUB}]+)"
    r"|\^\{?(?P<n>\d{1,3})\}?\s?/\s?_\{?(?P<m>\d{1,3})\}?"
    r"|(?P<vulgar>[¼-¾⅐-⅞])"
    r"|(?P<degree>\^?\{?\s?\\(?:circ|degree)(?![A-Za-z])\}?)"
    r"|(?<=[A-Za-z#°])\^(?:\{(?P<raised>[\w#+°-]{1,6})\}|(?P<power>\d{1,2})(?![\d/]))"
    r"|(?<=[\d)])\^\{(?P<exponent>[^{}\\]{1,8})\}"
    r"|(?<=[A-Ga-g#])_(?:\{(?P<octave>-?\d)\}|(?P<octave1>\d)(?!\d))"
    r"|\\(?P<escaped>[%_])|(?<=\d)(?P<thousands>\\,|\{,\})(?=\d{3})"
    r"|\\(?P<arrow>(?:long)?rightarrow|to)(?![A-Za-z])\s?|\\(?P<times>times|cdot)(?![A-Za-z])"
    r"|\\[vcHku'^~=.]\{(?P<accented>[A-Za-z])\}|(?P<natural>♮)|(?P<double>[𝄪𝄫])"
    r"|(?P<marked>[A-Za-z][\u0300-\u036f]{1,3})"
)
_SUSPECT = re.compile(r"[\\$^_⁰¹²³⁴-⁻₀-₉¼-¾⅐-⅞♮𝄪𝄫\u0300-\u036f]|\{,\}")
_ABOVE = {"under": "over", "under1": "over1", "m": "n", "low": "high"}
"""Of a fraction: what stands above, by what stands below."""
_FIXED = {
    "sharp": "#", "flat": "b", "natural": "", "dollar": "", "degree": "°", "arrow": "→",
    "times": "×", "𝄪": "##", "𝄫": "bb", "{,}": ",", "\\,": " ",
}  # fmt: skip


def written_out(text: str) -> tuple[str, Places]:
    """`text` without LaTeX and signs that stand for others, and where its pieces were.

    Two passes, since a note may stand in a font, and its sign in a bracket of its own.
    """
    text = text if text.isascii() else text.translate(_ONE_SIGN)
    places: Places = [(0, 0)]
    for _ in range(2):
        if not _SUSPECT.search(text):
            break
        text, found = replaced(text, _WRITTEN, _plainly)
        places = compose(found, places)
    return text, places


def _plainly(match: re.Match[str]) -> str:
    kind = match.lastgroup or ""
    found = match[kind] if kind else ""
    before = match.string[max(0, match.start() - 1) : match.start()]
    if kind in _ABOVE:
        return f"{match[_ABOVE[kind]].strip()}/{found.strip()}".translate(_DIGITS)
    if kind == "vulgar":
        apart = " " if before.isdecimal() else ""
        return apart + unicodedata.normalize("NFKC", found).replace("⁄", "/")
    if kind == "high":
        return ("^" if before in tuple("0123456789)") else "") + found.translate(_DIGITS)
    if kind == "exponent":
        return f"^{found}" if len(found) == 1 else f"^({found.strip('()')})"
    fixed = _FIXED.get(found, _FIXED.get(kind))
    plain = found.translate(_DIGITS) if fixed is None or kind == "inner" else fixed
    return unicodedata.normalize("NFC", plain)


def replaced(
    text: str, pattern: re.Pattern[str], replacement: Callable[[re.Match[str]], str]
) -> tuple[str, Places]:
    """`text` with every match replaced, and where its pieces began."""
    pieces: list[str] = []
    places: Places = []
    at, length = 0, 0
    for match in pattern.finditer(text):
        if match.start() > at:
            places.append((length, at))
            pieces.append(text[at : match.start()])
            length += match.start() - at
        new, kind = replacement(match), match.lastgroup
        stood = match.start(kind) if kind and match[kind] == new else match.start()
        if new:
            places.append((length, stood))
            pieces.append(new)
            length += len(new)
        if len(new) > match.end() - stood:  # no span ends behind the reply
            places.append((length - 1, match.end() - 1))
        at = match.end()
    places.append((length, at))
    pieces.append(text[at:])
    return "".join(pieces), places


def compose(inner: Places, outer: Places) -> Places:
    """Two maps of places in one: from the last text to the text before the first change."""
    starts = [at for at, _ in outer]
    composed: Places = []
    for number, (at, stood) in enumerate(inner):
        end = inner[number + 1][0] if number + 1 < len(inner) else None
        here = max(bisect_right(starts, stood) - 1, 0)
        composed.append((at, outer[here][1] + stood - outer[here][0]))
        for later in range(here + 1, len(outer)):
            begun, origin = outer[later]
            moved = at + begun - stood
            if end is not None and moved >= end:
                break
            composed.append((moved, origin))
    return composed


def bare(lower: str) -> str:
    """Lower-case words with the accents of Latin letters left out; as many characters."""
    return lower if lower.isascii() else lower.translate(_BARE)


def _base(code: int) -> str:
    first = unicodedata.normalize("NFD", chr(code))[0]
    return first if first.isascii() and first.isalpha() else chr(code)


_BARE = {code: _base(code) for code in (*range(0xC0, 0x250), *range(0x1E00, 0x1F00))}
_BARE |= dict(zip(map(ord, "đłıħ"), "dlih", strict=True))
