"""Other spellings of an option's text: of chords, notes, metres, and of words that are joined.

Each is a name by which a reply may call the option, where no other option has it.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from zhiyin.numerals import NUMBER_WORDS
from zhiyin.reader.cues import lexicon, listed

_KINDS = map(listed, lexicon("music")["qualities"].strip().splitlines())
_SAME = {name: names for names in _KINDS for name in names}
"""Ways of writing one kind of chord, by each of them."""

_CHORD = re.compile(
    rf"([A-G][#b]?)[: ]?({'|'.join(sorted(map(re.escape, _SAME), key=len, reverse=True))})"
)
_NOTE = re.compile(r"([a-g])(?P<sign>[ -]?flat|b|[ -]?sharp|#)?(?=[ -]|$)", re.IGNORECASE)
_METRE = re.compile(r"(\d{1,2})/(\d{1,2})")
_SECTIONS = re.compile(r"[A-E]{3,8}")
_AND = re.compile(r"(?<=\w)\s?(?:&|\band\b|'n'?|\bn'?(?=\s))\s?(?=\w)", re.IGNORECASE)
_JOINTS = re.compile(r"[\s'-]+")
_CASE_TELLS = re.compile(r"(?:[A-G][#b]?)?[mM](?=[\d/ (]|$|add|maj|b5)")
_LEAST_JOINED = 5


def spellings(text: str) -> Iterator[str]:
    """Yield other spellings of a text. Those of chords keep their case.

    Parameters
    ----------
    text : str
        An option's text in plain words.
    """
    chord = _CHORD.fullmatch(text)
    if chord:
        for quality in _SAME[chord[2]]:
            joints = ("", ":", " ") if quality[0].isalpha() else ("", ":")  # C-7 is no C7
            yield from (chord[1] + joint + quality for joint in joints)
    lower = text.lower()
    note = _NOTE.match(text)
    if note and note["sign"]:
        flat = note["sign"].lower() in ("b", "flat", " flat", "-flat")
        for sign in ("b", " flat", "-flat") if flat else ("#", " sharp", "-sharp"):
            yield lower[0] + sign + lower[note.end() :]
    elif note and len(text) == 1:
        yield f"{lower} natural"
    metre = _METRE.fullmatch(text)
    if metre:
        yield from (joint.join(metre.groups()) for joint in (" / ", ":"))
        if max(counts := tuple(map(int, metre.groups()))) < len(NUMBER_WORDS):
            yield from (joint.join(NUMBER_WORDS[n] for n in counts) for joint in ("-", " "))
    if _SECTIONS.fullmatch(text):
        yield from (joint.join(lower) for joint in ("-", " ", ", "))
    if lower.endswith("°"):
        yield from (lower[:-1] + word for word in (" degrees", " degree"))
    if _AND.search(lower):
        yield from (_AND.sub(joint, lower) for joint in (" and ", " & ", "&", " 'n' ", " n "))
    joined = _JOINTS.sub("", lower)
    if joined != lower and len(joined) >= _LEAST_JOINED and joined.isalpha():
        yield joined


def case_tells(text: str) -> bool:
    """Tell whether another case would be another thing whatever the options are: M3 and m3."""
    return bool(_CASE_TELLS.match(text))
