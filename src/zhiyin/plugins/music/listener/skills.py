"""Skills of hearing in one or two short recordings, each named by a question's options.

A skill is known by the words of the options alone. It hears the recordings and gives a word; the
option that begins with that word, or holds it, is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from zhiyin.plugins.music.listener import differences
from zhiyin.plugins.music.listener.chords import hear_modulation, hear_triad, same_progression
from zhiyin.plugins.music.listener.differences import (
    Hear,
    brass_or_reed,
    first_bar,
    late,
    loudest,
    pace,
)
from zhiyin.plugins.music.listener.instruments import hear_source
from zhiyin.plugins.music.listener.melody import hear_melody, hear_shape, same_melody
from zhiyin.plugins.music.listener.spectrum import Answer
from zhiyin.plugins.music.listener.strokes import (
    hear_meter,
    hear_strokes,
    more_syncopated,
    same_drums,
    spelled,
)
from zhiyin.sound import Sound
from zhiyin.trial import Option


@dataclass(frozen=True)
class Skill:
    """One thing that can be heard.

    Attributes
    ----------
    words : tuple of str
        Patterns, one for each option, in whatever order: all must match a different option.
    answers : tuple of str
        What `hear` calls each of them, in the order of `words`.
    sounds : int
        How many recordings it takes.
    hear : callable
        From the recordings to the answer.
    """

    words: tuple[str, ...]
    answers: tuple[str, ...]
    sounds: int
    hear: Hear

    def placed(self, options: Sequence[Option]) -> dict[str, Option] | None:
        """Each answer with its option; None where the options are not this skill's."""
        by_answer: dict[str, Option] = {}
        for word, answer in zip(self.words, self.answers, strict=True):
            fits = [o for o in options if re.search(word, o.text.lower())]
            if len(fits) == 1:
                by_answer[answer] = fits[0]
        return by_answer if len(by_answer) == len(options) == len({*by_answer.values()}) else None


@dataclass(frozen=True)
class Spelling(Skill):
    """One whose options are rows of signs: an answer is the row that was heard."""

    def placed(self, options: Sequence[Option]) -> dict[str, Option] | None:
        """Each row of signs with its option."""
        return spelled(options)


def skill_for(options: Sequence[Option]) -> Skill | None:
    """The skill that the options ask for; None for any other question."""
    if len(options) < 2:
        return None
    return next((skill for skill in SKILLS if skill.placed(options) is not None), None)


def yes_no(value: bool | None) -> str | None:
    """The first word of an answer to a yes-or-no question; None for no answer."""
    return None if value is None else "yes" if value else "no"


def _transposed(a: Sound, b: Sound) -> Answer:
    match = same_melody(hear_melody(a), hear_melody(b))
    return yes_no(match.same), match.why


def _same_notes(a: Sound, b: Sound) -> Answer:
    match = same_melody(hear_melody(a), hear_melody(b))
    return yes_no(match.same and match.shift == 0), match.why


def _pair(what: str) -> tuple[str, str]:
    return rf"^yes\b.*\b{what}", rf"^no\b.*\b{what}"


def _eighths(what: str) -> tuple[str, str]:
    return rf"^the third note {what}", rf"^the sixth note {what}"


_YES_NO = ("yes", "no")


def _which(claim: str, hear: Hear) -> Skill:
    """Make a skill that picks one of a recording's two sounds, by what both options claim."""
    words = tuple(rf"^(?=.*{claim})(?=.*\b{place}\b)" for place in ("first", "second"))
    return Skill(words, ("1", "2"), 1, hear)


def _whether(yes: str, no: str, hear: Hear) -> Skill:
    """Make a skill that tells whether a recording has something."""
    return Skill((rf"^yes\b.*{yes}", rf"^no\b.*{no}"), _YES_NO, 1, hear)


_MORE, _HAS = differences.which_has_more, differences.has_it
_COMPARED = (
    _which("tone is higher", _MORE(differences.pitch)),
    _which("pitch rises", _MORE(differences.rise)),
    _which("row is faster", _MORE(differences.tempo)),
    _which("beat is out of time", _MORE(differences.unevenness)),
    _which("tone is louder", _MORE(differences.loudness)),
    _which("partial is out of tune", _MORE(differences.mistuning)),
    _which("has a gap", _MORE(differences.hole)),
    _which("has a chord", _MORE(differences.tonality)),
    _which("is the same melody", differences.same_again),
    _whether("tone is higher", "same pitch", _HAS(differences.pitch, 0.5, above_first=True)),
    _whether("pitch rises", "pitch falls", _HAS(differences.rise, 0.0)),
    _whether("row is faster", "same tempo", _HAS(differences.tempo, 0.2, above_first=True)),
    _whether("beat is out of time", "regular", _HAS(differences.unevenness, 0.8)),
    _whether("tone is louder", "equally loud", _HAS(differences.loudness, 0.05, above_first=True)),
    _whether("partial is out of tune", "harmonic", _HAS(differences.mistuning, 2.0)),
    _whether("has a gap", "no gap", _HAS(differences.hole, 8.0)),
    _whether("has a chord", "no chord", _HAS(differences.tonality, 11.5)),
    _whether("melody is the same", "is changed", differences.same_again),
)
"""Comparisons of two sounds, and faults of one, in a single recording."""
SKILLS = (
    Skill(_pair("drum"), _YES_NO, 2, same_drums),
    Skill(_pair("chord progression"), _YES_NO, 2, same_progression),
    Skill(_pair("exact melody"), _YES_NO, 2, _same_notes),
    Skill(_pair("same melody"), _YES_NO, 2, _transposed),
    Skill((r"^yes\b.*\bmodulat", r"^no\b.*\bkey\b"), _YES_NO, 1, hear_modulation),
    Skill(
        tuple(rf"excerpt {n} .{{0,60}}?\bmore syncopated" for n in (1, 2)),
        ("1", "2"), 2, more_syncopated,
    ),
    Skill((r"groups of 3", r"groups of 4", r"groups of 5"), ("3", "4", "5"), 1, hear_meter),
    Skill(
        (r"^piano$", r"^guitar$", r"^bass$", r"^drums?$"),
        ("piano", "guitar", "bass", "drums"), 1, hear_source,
    ),
    Skill(
        (r"^arch\b", r"^inverted arch\b", r"^ascending\b", r"^descending\b"),
        ("arch", "inverted arch", "ascending", "descending"), 1, hear_shape,
    ),
    Skill((r"^major$", r"^minor$"), ("major", "minor"), 1, hear_triad),
    Skill(_eighths(r"is the loudest"), ("third", "sixth"), 1, loudest),
    Skill(_eighths(r"comes late"), ("third", "sixth"), 1, late),
    Skill((r"^the bar that rises$", r"^the bar that falls$"), ("rises", "falls"), 1, first_bar),
    Skill((r"\bgoes faster\b", r"\bgoes slower\b"), ("faster", "slower"), 2, pace),
    Skill((r"^trumpet$", r"^clarinet$"), ("trumpet", "clarinet"), 1, brass_or_reed),
    *_COMPARED,
    Spelling((), (), 1, hear_strokes),
)  # fmt: skip
