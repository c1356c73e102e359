"""ABC as people write it: what music21 must be told of it, and what it would misread."""

from __future__ import annotations

import re

from zhiyin.errors import InputError

_KEY_LINE = re.compile(r"^K:([^%\n]*)", re.MULTILINE)
_TUNE = re.compile(r"^X:", re.MULTILINE)
_INLINE = re.compile(r"\[K:([^\[\]%\n]*)\]")
_TONIC = re.compile(r"([A-G][#b]?) ?([A-Za-z]{0,3})")
_OWN = re.compile(r" exp\b| [_^=][A-Ga-g]")
_ALTERED = re.compile(r"[_^=][A-Ga-g]")
_TIED_CHORD = re.compile(r"\][\d/]*-")
_RULE = "propagate-accidentals"


def for_music21(text: str) -> list[str]:
    """The text as music21 is to read it; two texts where both must come to the same piece.

    Without a version music21 lets an accidental hold for one note. It holds to the end of its
    bar, but programs do not agree in which octaves: the tune is read in both ways.

    Raises
    ------
    InputError
        Several tunes, a change of key, a key with accidentals of its own, or a chord that is
        tied: music21 leaves these out.
    """
    if (count := len(_TUNE.findall(text))) > 1:
        raise InputError(f"holds {count} tunes: give each a file of its own")
    if _TIED_CHORD.search(text):
        raise InputError("ties a chord, which music21 loses in ABC: save it as MusicXML")
    named = [
        " ".join(key_text.split()) for key_text in _KEY_LINE.findall(text) + _INLINE.findall(text)
    ]
    if len({_tonic_and_mode(name) for name in named}) > 1:
        raise InputError(
            f"its key changes ({', then '.join(named[:2])}): cut the piece before that"
        )
    if named and _OWN.search(named[0]):
        raise InputError(f"the key {named[0]!r} has accidentals of its own: save it as MusicXML")
    if _RULE in text:
        return [f"%abc-2.1\n{text}"]
    ways = ("octave", "pitch") if _ALTERED.search(text) else ("octave",)
    return [f"%abc-2.1\n%%{_RULE} {way}\n{text}" for way in ways]


def _tonic_and_mode(name: str) -> tuple[str, ...]:
    """What two keys have in common that are one: ``A minor clef=bass`` and ``Am``."""
    match = _TONIC.match(name)
    if match is None:
        return (name,)
    mode = match[2].lower()
    return match[1], {"": "maj", "cle": "maj", "m": "min"}.get(mode, mode)
