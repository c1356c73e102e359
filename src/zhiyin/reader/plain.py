r"""Brings a reply into plain words, and remembers where each word stood.

What counts of a reply is cut out first (an end token ends it, reasoning is set apart), then
letters and punctuation get one width and markup goes. Everything is linear in the length of the
reply, and only its beginning and its end are read where it is very long.

LaTeX and Unicode notation become plain signs: F\sharp is F#, ¾ is 3/4, V⁷ is V7. That comes before
anything is read, in replies and options alike: a sign that is passed over makes another note of a
note, and another chord of a chord.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from collections import deque
from collections.abc import Callable
from typing import NamedTuple

from zhiyin.reasoning import CHANNEL, HIDDEN_CHANNEL, parts

HEAD, TAIL = 4_000, 12_000
"""Characters read from the beginning and from the end of what counts of a reply."""

GAP = "\n…\n"
"""Stands for the middle of a very long reply, which is not read."""

_ALIKE = {
    "【": "[", "〔": "[", "［": "[", "〖": "[", "】": "]", "〕": "]", "］": "]", "〗": "]",
    "「": '"', "『": '"', "《": '"', "」": '"', "』": '"', "》": '"', "“": '"', "”": '"', "„": '"',
    "«": '"', "»": '"', "‘": "'", "’": "'", "｛": "{", "｝": "}",
    "–": "-", "—": ":", "―": ":", "−": "-", "‑": "-", "\u00a0": " ", "\u202f": " ", "\u3000": " ",
    "\u2028": "\n", "\u2029": "\n", "\x00": " ",
    "İ": "I",  # the only character whose lower case is longer than itself
}  # fmt: skip
_TRADITIONAL = (
    "選項擇應該對錯確為題這還個們誤後來從無認覺說與沒準則斷傾據實"
    "際並當聽應難過條間問請樂調號節級終論結維語樣現種"
)
_SIMPLIFIED = (
    "选项择应该对错确为题这还个们误后来从无认觉说与没准则断倾据实"
    "际并当听应难过条间问请乐调号节级终论结维语样现种"
)
"""Characters of the cues and of musical terms, in both ways of writing."""

_TABLE: dict[int, str] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{
        first + i: chr(65 + i)
        for first in (0x24B6, 0x1F130, 0x1F150, 0x1F170, 0x1D400, 0x1D434, 0x1D468, 0x1D5D4)
        for i in range(26)
    },  # circled, squared and mathematical letters
    **{0x24D0 + i: chr(97 + i) for i in range(26)},
    **{0x2460 + i: chr(49 + i) for i in range(9)},
    **{ord(mark): plain for mark, plain in _ALIKE.items()},
    **dict(zip(map(ord, _TRADITIONAL), _SIMPLIFIED, strict=True)),
}
_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060"
    "\u2066\u2067\u2068\u2069\ufeff\ufe0f\u20e3"
)

_END = re.compile(
    r"<\|(?:im_end|eot_id|end|endoftext|end_of_text|return|eom_id|eos|assistant_end)\|>"
    r"|</s>|<end_of_turn>|<eos>|<｜end▁of▁sentence｜>|<\|im_start\|>\s?user|<start_of_turn>\s?user"
)
_END_MARKS = ("<|", "</s>", "<end_of_turn>", "<eos>", "<｜end", "<start_of_turn>")
_LEAD = re.compile(
    r"(?:\s|<\|(?:im_start|start_header_id|begin_of_text|start|channel)\|>|<s>|<bos>"
    r"|<start_of_turn>|<\|(?:message|end_header_id)\|>|(?:assistant|model|final)(?=\s|<\|))*"
)
_FONT = r"(?:text|mathrm|mathbf|textbf|mathsf|textsf|textit|mathit|bm|bf|rm|bold|large|Large)"
_MARKUP = re.compile(
    r"(?P<space>\s{2,}|[\t\r\f\v])|(?P<stop>[。｡])|(?P<newline>\\n)|(?P<quote>\\\")"
    rf"|[{_INVISIBLE}]+|\*+|__+"
    r"|`+(?:json|text|markdown|plaintext)?|~~[^~\n]{0,200}~~"
    r"|<(?P<gone>del|strike|s)>[^<\n]{0,200}</(?:del|strike|s)>"
    r"|</?(?:b|strong|i|em|u|p|br|code|span|div|mark|center|h[1-6])\s?/?>"
    r"|<\|[^|<>\n]{1,40}\|>|</?s>|<(?:eos|bos|pad)>|\[/?INST\]"
    rf"|(?:\\? )?\\{_FONT}\{{\s*(?P<word>or|and|或|和)\s*\}}(?:\\? )?"
    r"|(?P<or> ?\\(?:lor|vee)\b ?)"
    rf"|\\{_FONT}\b\s?|\\[()\[\],;!]|\\(?=[& ])|\\q?quad\b",
    re.IGNORECASE,
)
_SUSPECT = re.compile(rf"[*`_<\[\\~。｡{_INVISIBLE}\t\r\f\v]|\s\s")


class Plain(NamedTuple):
    """A reply in plain words.

    Attributes
    ----------
    text : str
        The words, in one width, without markup; runs of blanks are one blank.
    lower : str
        The same in lower case and without accents, of the same length.
    places : tuple of (int, int)
        Where pieces of `text` began in the reply: (index in `text`, index in the reply).
    source : str
        What counts of the reply, markup and all: for JSON, which markup is part of.
    offset : int
        Where `source` begins in the reply.
    """

    text: str
    lower: str
    places: tuple[tuple[int, int], ...]
    source: str
    offset: int

    def span(self, start: int, end: int) -> tuple[int, int]:
        """The place in the reply of what stands from `start` to `end` in `text`."""
        if end <= start:
            return (self._at(start), self._at(start))
        return self._at(start), self._at(end - 1) + 1

    def upto(self, end: int) -> Plain:
        """The same, cut off at `end` in `text`."""
        stop = max(self.span(end, end)[0] - self.offset, 0)
        return self._replace(
            text=self.text[:end], lower=self.lower[:end], source=self.source[:stop]
        )

    def place(self, start: int, end: int) -> tuple[int, int]:
        """Return the place of a stretch of the reply in `text`, as nearly as the pieces allow."""
        first = last = 0
        for at, stood in self.places:
            if stood <= start:
                first = at + start - stood
            if stood <= end:
                last = at + end - stood
        length = len(self.text)
        return min(first, length), min(max(last, first), length)

    def _at(self, index: int) -> int:
        here = bisect_right(self.places, (index, 1 << 60)) - 1
        begun, stood = self.places[max(here, 0)]
        return stood + index - begun


def why_empty(text: str) -> str:
    """Say why nothing can be read in a reply without plain words."""
    return "nothing said outside the reasoning" if text.strip() else "empty reply"


def fold(text: str) -> str:
    """`text` in the form in which two texts are compared: lower case, single spaces."""
    return " ".join(text.lower().split())


def last_match(pattern: re.Pattern[str], text: str) -> re.Match[str] | None:
    """Find the last match of `pattern` in `text`; None if there is none."""
    last = deque(pattern.finditer(text), maxlen=1)
    return last[0] if last else None


def in_plain_words(text: str) -> str:
    """An option's text, or a field's, as `plain` brings replies into words; its case is kept."""
    return " ".join(without_markup(written_out(one_width(text))[0]).split())


def one_width(text: str) -> str:
    """`text` with full-width, circled and bold letters, quotes and dashes in their ASCII form."""
    return text if text.isascii() and "\0" not in text else text.translate(_TABLE)


def without_markup(text: str) -> str:
    """`text` without emphasis, HTML styling, LaTeX font commands and special tokens."""
    text = text.replace("。", ".").replace("｡", ".")
    return replaced(text, _MARKUP, _replacement)[0] if _SUSPECT.search(text) else text


def plain(text: str) -> Plain:
    """`text` as the reader reads it. Linear in its length.

    Parameters
    ----------
    text : str
        A reply, as the model gave it.
    """
    start, end = counted(text)
    if end - start > HEAD + TAIL:
        kept = text[start : start + HEAD] + GAP + text[end - TAIL : end]
        breaks = [(0, start), (HEAD + len(GAP), end - TAIL)]
    else:
        kept, breaks = text[start:end], [(0, start)]
    inner, _ = parts(kept)
    if len(inner) != 1 or inner[0] != (0, len(kept)):
        breaks = _through(breaks, [(a, b - a) for a, b in inner], joint=1)
        kept = "\n".join(kept[a:b] for a, b in inner)
    words, places = written_out(one_width(kept))
    breaks = compose(places, breaks) if len(places) > 1 else breaks
    if _SUSPECT.search(words):
        words, places = replaced(words, _MARKUP, _replacement)
        breaks = compose(places, breaks)
    left = len(words) - len(words.lstrip())
    words = words.strip()
    if left:
        breaks = [(max(at - left, 0), stood + max(left - at, 0)) for at, stood in breaks]
        breaks = [b for i, b in enumerate(breaks) if i + 1 == len(breaks) or breaks[i + 1][0] > 0]
    return Plain(words, bare(words.lower()), tuple(breaks), kept, start)


def counted(text: str) -> tuple[int, int]:
    """Return the start and end of the part that counts: the last channel, up to the end token."""
    start = text.rfind(CHANNEL)
    start = start + len(CHANNEL) if start >= 0 else 0
    if start == 0:
        hidden = HIDDEN_CHANNEL.search(text) if "<|channel|>" in text else None
        if hidden:
            return 0, hidden.start()
        closer = text.rfind("</think>", 0, len(text)) if len(text) > HEAD + TAIL else -1
        start = closer + len("</think>") if closer >= 0 else 0
    if "<" not in text:
        return start, len(text)
    lead = _LEAD.match(text, start)
    begun = lead.end() if lead else start
    if not any(map(text.__contains__, _END_MARKS)):
        return begun, len(text)
    shut = _shut(text, begun)
    for end in _END.finditer(text, begun):
        if end.start() >= shut and text[begun : end.start()].strip():
            return begun, end.start()
    return begun, len(text)


def _shut(text: str, start: int) -> int:
    """Find the close of the last block of reasoning: an end token inside one ends nothing."""
    last = max(
        text.rfind(mark, start)
        for mark in ("</think", "</reason", "</thought", "</analysis", "[/THINK")
    )
    opened = text.find("<", start, last) if last >= 0 else -1
    return last if opened >= 0 else start


def _replacement(markup: re.Match[str]) -> str:
    kind = markup.lastgroup
    if kind is None or kind == "gone":
        return ""
    if kind == "space":
        breaks = markup[0].count("\n")
        return "\n\n" if breaks > 1 else "\n" if breaks else " "
    if kind == "word":
        return f" {markup['word']} "
    return {"newline": "\n", "stop": ". ", "or": " or "}.get(kind, '"')


def _through(breaks: Places, parts: list[tuple[int, int]], joint: int) -> Places:
    """`breaks` after only `parts` (start, length) are kept, `joint` characters between them."""
    placed, length = [], 0
    for start, size in parts:
        placed.append((length, start))
        length += size + joint
    return compose(placed or [(0, 0)], breaks)


Places = list[tuple[int, int]]
"""Where pieces of a changed text began: (index after, index before)."""

_SUPER = "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻"
_SUB = "₀₁₂₃₄₅₆₇₈₉"
_DIGITS = dict(zip(map(ord, _SUPER + _SUB), "0123456789+-0123456789", strict=True))
_ONE_SIGN: dict[int, str] = {
    **{
        code: letter
        for code in range(0x1D400, 0x1D800)
        if len(letter := unicodedata.normalize("NFKC", chr(code))) == 1
    },  # mathematical letters and digits
    **{0x249C + i: chr(65 + i) for i in range(26)},  # small letters in brackets
    **dict(zip(map(ord, "♯♭⁄∕º।؟،\u2007\u2008\u2009\u200a"), "#b//°.?,    ", strict=True)),
}
_FONTS = (
    r"(?:text(?:bf|it|rm|sf|tt|sc|normal)?|math(?:rm|bf|sf|it|tt|cal|frak|bb)|mbox|emph|underline"
    r"|operatorname|boldsymbol|pmb|bm)"
)
_WRITTEN = re.compile(
    rf"\\{_FONTS}\s?\{{(?P<inner>[^{{}}\\]{{0,80}})\}}|(?P<dollar>\$+)"
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
_NOTATED = re.compile(r"[\\$^_⁰¹²³⁴-⁻₀-₉¼-¾⅐-⅞♮𝄪𝄫\u0300-\u036f]|\{,\}")
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
        if not _NOTATED.search(text):
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
    sign = found.translate(_DIGITS) if fixed is None or kind == "inner" else fixed
    return unicodedata.normalize("NFC", sign)


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
