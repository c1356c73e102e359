"""Brings a reply into plain words: one width, no reasoning block, no markup."""

from __future__ import annotations

import re

_CLOSERS = {"】": "]", "〕": "]", "」": '"', "』": '"', "》": '"', "］": "]", "｝": "}", "〗": "]"}
_OPENERS = {"【": "[", "〔": "[", "「": '"', "『": '"', "《": '"', "［": "[", "｛": "{", "〖": "["}
_ALIKE = {
    **_CLOSERS,
    **_OPENERS,
    "。": ".",
    "｡": ".",
    "“": '"',
    "”": '"',
    "„": '"',
    "‘": "'",
    "’": "'",
    "–": "-",
    "—": "-",
    "−": "-",
    "‑": "-",
    "\u00a0": " ",
    "\u202f": " ",
    "\u3000": " ",
    "\u2028": "\n",
    "\u2029": "\n",
    "\x00": " ",
    "İ": "I",  # the only character whose lower case is longer than itself
}
_INVISIBLE = (
    "\u00ad\u200b\u200c\u200d\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2060"
    "\u2066\u2067\u2068\u2069\ufeff\ufe0f"
)
_TABLE: dict[int, str | None] = {
    **{code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F)},
    **{0x24B6 + i: chr(65 + i) for i in range(26)},  # circled letters
    **{0x1F150 + i: chr(65 + i) for i in range(26)},  # white on a black disc
    **{0x1F170 + i: chr(65 + i) for i in range(26)},  # white on a black square
    **{0x1D400 + i: chr(65 + i) for i in range(26)},  # mathematical bold
    **{0x1D5D4 + i: chr(65 + i) for i in range(26)},  # mathematical bold, no serifs
    **{ord(mark): plain for mark, plain in _ALIKE.items()},
    **dict.fromkeys(map(ord, _INVISIBLE)),
}

_REASONING = re.compile(
    r"[<\[◁](/?)(?:think(?:ing)?|thoughts?|reason(?:ing)?|analysis|scratchpad|reflection)[>\]▷]",
    re.IGNORECASE,
)
_CHANNEL = "<|channel|>final<|message|>"
_TOKEN = re.compile(r"<\|[^|<>\n]{1,40}\|>|</?s>|<(?:eos|bos|pad)>|\[/?INST\]")
_TAG = re.compile(r"</?(?:b|strong|i|em|u|p|br|code|span|div|h[1-6]|mark)\s?/?>", re.IGNORECASE)
_LATEX = re.compile(r"\\(?:text|mathrm|mathbf|textbf|mathsf|textsf|textit|bf|rm)\b\s?")
_STRUCK = re.compile(r"~~[^~\n]{0,400}~~")
_SPACES = re.compile(r"[ \t\r\f\v]{2,}|[\t\r\f\v]")


def one_width(text: str) -> str:
    """`text` with full-width, circled and bold letters, quotes and dashes in their ASCII form.

    Invisible characters (zero-width, direction marks) are dropped; the case is kept.
    """
    return text if text.isascii() and "\0" not in text else text.translate(_TABLE)


def without_reasoning(text: str) -> str:
    """`text` without its blocks of reasoning.

    A block that is never closed hides the rest of the reply. A closing tag that was never
    opened ends reasoning that began with the reply (chat templates often open the block
    themselves). Only what a model says outside the blocks is its answer.
    """
    if _CHANNEL in text:
        text = text.rpartition(_CHANNEL)[2]
    kept: list[str] = []
    start, inside, blocks = 0, False, 0
    for tag in _REASONING.finditer(text):
        closing = bool(tag[1])
        if not inside:
            if not closing:
                kept.append(text[start : tag.start()])
                inside = True
            elif blocks == 0:
                kept.clear()
            else:
                kept.append(text[start : tag.start()])
            start = tag.end()
        elif closing:
            inside, blocks, start = False, blocks + 1, tag.end()
    if start == 0 and not inside:
        return text
    if not inside:
        kept.append(text[start:])
    return "\n".join(kept)


def without_markup(text: str) -> str:
    """`text` without emphasis, HTML styling, LaTeX font commands and special tokens."""
    if "<" in text or "[" in text:
        text = _TAG.sub("", _TOKEN.sub("", text))
    if "\\" in text:
        text = _LATEX.sub("", text).replace("\\n", "\n").replace('\\"', '"')
    if "~~" in text:
        text = _STRUCK.sub("", text)
    for mark in ("*", "`"):
        if mark in text:
            text = text.replace(mark, "")
    if "__" in text:
        text = text.replace("__", "")
    if "  " in text or not text.isprintable():
        text = _SPACES.sub(" ", text)
    return text


def plain(text: str) -> str:
    """`text` as the robust policy reads it. Linear in its length."""
    text = one_width(text)
    if "<" in text or "[" in text or "◁" in text:
        text = without_reasoning(text)
    return without_markup(text).strip()


def fold(text: str) -> str:
    """`text` in the form in which two texts are compared: lower case, single spaces."""
    return " ".join(text.lower().split())
