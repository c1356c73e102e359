"""Selection of the tracks to ask about: enough is said of them, and they can be heard.

Evidence in the waveform that a recording is music: steady pitches or a recurring beat.

Speech glides, noise has no pitch, and neither recurs evenly. What has neither steady pitch nor
beat is no music; what has one of them may be music, or a siren that stands still.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import msgspec
import numpy as np

from zhiyin.errors import InputError
from zhiyin.flags import COUNT, WHOLE, Flag
from zhiyin.parsing import read_beside
from zhiyin.plugins.making.forge import Fallen, ForgeTrack, chance_of, sieve
from zhiyin.plugins.making.forge.checks import speaks
from zhiyin.plugins.making.forge.sources import words_in
from zhiyin.plugins.music.listener.pieces import AUDIBLE, FRAMES, PERIODS_S, Hearing
from zhiyin.sound import Sound, audio_part, read_sound
from zhiyin.words import said

_POOR = re.compile(
    r"\b(?:low|poor|poorer|bad|inferior|terrible)[ -](?:\w+[ -])?(?:quality|fidelity)\b"
    r"|\b(?:quality|fidelity)\s++(?:is|was)\s++(?:low|poor|bad|inferior)\b"
    r"|\b(?:muffled|muddled|distorted)[ -](?:sound|audio|recording)\b|\blo-?res\b",
    re.IGNORECASE,
)
"""Labels that say that a recording is poor."""
_POOR_CELL = frozenset({"low", "poor", "bad", "0", "no"})
_NO_MUSIC = re.compile(
    r"\b(?:no|isn't|is not|not any|without(?: any)?) (?:actual |real )?music\b(?! (?:theory|video))"
    r"|\bnon-?musical\b|\b(?:only|just|nothing but) (?:speech|talking|noises?|silence)\b"
    r"|没有音乐|不是音乐|并非音乐",
    re.IGNORECASE,
)
"""What says of a recording that it holds no music."""
_FREE = re.compile(
    r"\b(?:sing(?:s|ing|er)?|sung|vocals?|vocalist|choir|chorus|chant\w*|rap\w*|drum\w*|percussi\w*"
    r"|beat-?box\w*|drones?|ambient|noise music|free jazz|experimental)\b|唱|歌|鼓|打击乐",
    re.IGNORECASE,
)
"""Music that may have neither steady pitch nor beat, so that the ear alone decides nothing."""
GENRES = read_beside(__file__, "genres.toml", dict[str, str])
"""Genres, and the words of captions and labels that name them."""


class Selecting(msgspec.Struct, frozen=True):
    """Settings for selecting tracks.

    Attributes
    ----------
    captions : int
        How many captions a track must have ...
    words : int
        ... unless one of its captions has as many words; a Chinese character counts for half.
    longest : int
        Characters of all its captions from which on a track falls: nothing is cut.
    per_style : int
        The most tracks of one genre, as stated or as labels and captions name it; 0 for no bound.
    sound : bool
        Whether a recording is needed.
    seed : int
        Of what is drawn.
    """

    captions: Annotated[int, Flag("that it needs", name="captions-each"), COUNT] = 2
    words: Annotated[int, Flag("or one caption of N"), COUNT] = 30
    longest: Annotated[int, Flag("characters"), COUNT] = 6000
    per_style: Annotated[
        int, Flag("tracks of a genre at most; 0 for no bound", name="per-genre"), WHOLE
    ] = 0
    sound: Annotated[bool, Flag("keep tracks without a recording too")] = True
    seed: Annotated[int, Flag("of all that is drawn")] = 0


def select(tracks: Sequence[ForgeTrack], how: Selecting) -> tuple[list[ForgeTrack], list[Fallen]]:
    """The tracks that pass, in the order given, and the others with the reason for each.

    Recordings are decoded as far as their header and end. Of one recording under several names
    the first stays.

    Raises
    ------
    InputError
        Nothing passes for want of recordings alone, which the user can mend in one go.
    """
    heard: dict[str, str] = {}
    checks = [
        lambda t: Fallen(t.id, "outside", t.outside) if t.outside else None,
        lambda t: None if t.captions else Fallen(t.id, "no-caption", "its captions are empty"),
        lambda t: _too_long(t, how),
        lambda t: _too_little(t, how),
        lambda t: _speaks(t),
        _poor,
        _not_music,
        *([lambda t: _unheard(t, heard), _unmusical] if how.sound else []),
    ]
    kept, fallen = sieve(tracks, checks)
    reasons = {one.why for one in fallen}
    if not kept and reasons == {"no-recording"}:
        raise InputError(said("forge-no-recording", tracks=len(tracks)))
    return _balance(kept, fallen, how) if how.per_style else (kept, fallen)


def _too_long(track: ForgeTrack, how: Selecting) -> Fallen | None:
    size = sum(map(len, track.captions))
    detail = f"{size:,} characters, more than {how.longest:,}"
    return Fallen(track.id, "too-long", detail) if size > how.longest else None


def _too_little(track: ForgeTrack, how: Selecting) -> Fallen | None:
    most = max(map(words_in, track.captions))
    if len(track.captions) >= how.captions or most >= how.words:
        return None
    detail = f"captions: {len(track.captions)}, the longest of {most:g} words"
    return Fallen(track.id, "too-little", detail)


def _speaks(track: ForgeTrack) -> Fallen | None:
    for text in (*track.captions, *track.labels):
        if passage := speaks(text):
            return Fallen(track.id, "speaks-to-the-model", repr(passage))
    return None


def _poor(track: ForgeTrack) -> Fallen | None:
    if track.quality.strip().lower() in _POOR_CELL:
        return Fallen(track.id, "poor-recording", f"quality {track.quality!r}")
    poor = next((label for label in track.labels if _POOR.search(label)), None)
    return Fallen(track.id, "poor-recording", f"label {poor!r}") if poor else None


def _unheard(track: ForgeTrack, heard: dict[str, str]) -> Fallen | None:
    if not track.recording:
        return Fallen(track.id, "no-recording", "no file of its name was found")
    try:
        sha256 = audio_part(track.recording).sha256
    except InputError as error:
        return Fallen(track.id, "unreadable-recording", str(error))
    twin = heard.setdefault(sha256, track.id)
    name = Path(track.recording).name
    return None if twin == track.id else Fallen(track.id, "same-recording", f"{name} is {twin}'s")


def _not_music(track: ForgeTrack) -> Fallen | None:
    """Reject a track if a caption says that there is no music."""
    for text in (*track.captions, *track.labels):
        if match := _NO_MUSIC.search(text):
            return Fallen(track.id, "not-music", f"a caption says {match[0]!r}")
    return None


def _unmusical(track: ForgeTrack) -> Fallen | None:
    """Reject a track in which the listener hears no pitch and beat, unless captions expect it."""
    heard = hear_music(read_sound(track.recording))
    if heard is None or heard.is_music:
        return None
    if (heard.steady or heard.beat) and any(map(_FREE.search, (*track.captions, *track.labels))):
        return None
    detail = (
        f"steady pitch in {heard.steady:.0%} of it, likeness from beat to beat {heard.beat:.2f}"
    )
    return Fallen(track.id, "not-music", f"by ear: {detail}")


def genre_of(track: ForgeTrack) -> str:
    """Its genre: what is stated, else the one that labels and captions name most often; or ""."""
    if track.style:
        return track.style.casefold()
    text = " ; ".join((*track.labels, *track.captions)).casefold()
    named = {
        genre: len(places)
        for genre, words in GENRES.items()
        if (places := re.findall(rf"(?<![\w-])(?:{words})(?![\w-])", text))
    }
    return max(named, key=lambda genre: named[genre], default="")


def _balance(
    kept: list[ForgeTrack], fallen: list[Fallen], how: Selecting
) -> tuple[list[ForgeTrack], list[Fallen]]:
    """Draw at most so many tracks of a genre, by seed and id; those without one all stay."""
    by_style: dict[str, list[ForgeTrack]] = {}
    for track in kept:
        by_style.setdefault(genre_of(track), []).append(track)
    drawn: set[str] = set()
    for style, tracks in by_style.items():
        order = sorted(tracks, key=lambda t: chance_of(how.seed, "style", t.id))
        drawn |= {t.id for t in (order[: how.per_style] if style else order)}
    more = [
        Fallen(t.id, "genre-is-full", f"{genre_of(t)}: {how.per_style} others were drawn")
        for t in kept
        if t.id not in drawn
    ]
    return [t for t in kept if t.id in drawn], [*fallen, *more]


SHORTEST_S, LONGEST_S = 4.0, 60.0
"""What is shorter cannot be told; of what is longer the middle is heard."""
STEADY, BEAT = 0.27, 0.22
"""Share of frames with a steady pitch, and likeness from beat to beat, from which on it may be
music. Set so that music is not taken for something else: all of 105 recordings of pieces, scales
and drum patterns pass by one or the other, and so do three of eight sequences of spoken words."""
_STANDS_OUT = 10.0
"""How far the strongest place of a spectrum stands out from its median where there is a pitch."""
_HELD = 4
"""Long frames in a row (0.3 s) at one pitch."""
_LOUD = 0.05


@dataclass(frozen=True)
class MusicEvidence:
    """Share of steady pitches, and likeness from beat to beat; both 0 in silence."""

    steady: float
    beat: float

    @property
    def is_music(self) -> bool:
        """True if it may be music."""
        return self.steady >= STEADY or self.beat >= BEAT


def hear_music(sound: Sound) -> MusicEvidence | None:
    """Measure how far a recording is music; None where it is too short to tell.

    Parameters
    ----------
    sound : Sound
    """
    if sound.seconds < SHORTEST_S:
        return None
    if sound.seconds > LONGEST_S:
        begin = int((sound.seconds - LONGEST_S) / 2 * sound.rate)
        part = sound.samples[begin : begin + int(LONGEST_S * sound.rate)]
        sound = Sound(part, sound.rate)
    hearing = Hearing(sound)
    if hearing.samples is None:
        return MusicEvidence(0.0, 0.0)
    return MusicEvidence(_steady(hearing), _recurrence(hearing))


def _steady(hearing: Hearing) -> float:
    """Share of the loud enough frames in which one pitch stands out and stays."""
    level = hearing.long
    top = level.max(axis=1)
    loud = top > _LOUD * top.max()
    place = level.argmax(axis=1)
    clear = top > _STANDS_OUT * np.median(level, axis=1)
    same = (np.abs(np.diff(place)) <= 1) & clear[1:] & clear[:-1]
    held = np.zeros(len(place), dtype=bool)
    for frame in range(len(place) - _HELD + 1):
        if same[frame : frame + _HELD - 1].all():
            held[frame : frame + _HELD] = True
    return float((held & loud).sum() / max(1, loud.sum()))


def _recurrence(hearing: Hearing) -> float:
    """The best mean autocorrelation of onsets over four multiples of a beat, at most 1."""
    onset = np.convolve(hearing.onset, np.hanning(7) / 3.0, mode="same")
    if not onset.any() or hearing.short.max() <= AUDIBLE:
        return 0.0
    spectrum = np.abs(np.fft.rfft(onset - onset.mean(), 2 * len(onset))) ** 2
    correlation = np.fft.irfft(spectrum)[: len(onset)]
    shares = correlation / max(correlation[0], 1e-12)
    shares *= len(onset) / np.arange(len(onset), 0, -1)
    lags = np.arange(len(shares))
    combs = [np.interp(p * FRAMES * np.arange(1, 5), lags, shares).mean() for p in PERIODS_S]
    return float(min(1.0, max(combs)))
