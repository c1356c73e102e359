"""A plain reviewer that needs no key: it says what the reference listener hears, and no more.

``-m python:zhiyin.plugins.benchmarks.appraisal.reviewer:review``. It hears tempo
and key and how busy the music is; of singers, stories and instruments it says that it cannot tell.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np
    from numpy.typing import NDArray

    from zhiyin.plugins.music.listener.spectrum import SoundEvent

MAJOR = (6.35, 2.23, 3.48, 2.33, 4.38, 4.09, 2.52, 5.19, 2.39, 3.66, 2.29, 2.88)
MINOR = (6.33, 2.68, 3.52, 5.38, 2.60, 3.53, 2.54, 4.75, 3.98, 2.69, 3.34, 3.17)
"""How well each pitch class fits a key, tonic first (Krumhansl 1990, "Cognitive Foundations of
Musical Pitch", table 2.1)."""
SLOWEST, FASTEST, USUAL = 60.0, 180.0, 110.0
THRESHOLD = 0.05
"""Rise of the flux, in octaves per bin, from which something begins."""
SPREAD = 0.6
"""Standard deviation, in octaves, of the tempi one expects around `USUAL`."""


_MODES = {"大调": "major", "小调": "minor"}


class Impression(NamedTuple):
    """The facts heard in a recording.

    Attributes
    ----------
    seconds : float
        Length of the recording.
    tempo : float or None
        Beats per minute; None without a steady beat.
    key : str or None
        For example "Eb major"; None where no pitches were heard.
    rate : float
        Onsets in a second.
    """

    seconds: float
    tempo: float | None
    key: str | None
    rate: float


def review(audio_path: str, question: str, options: list[str]) -> str:
    """Describe a recording; given options, choose one that tempo or mode decides.

    Parameters
    ----------
    audio_path : str
    question : str
        Not understood; the options tell what is asked.
    options : list of str
        Empty for a description.
    """
    impression = listen(audio_path)
    return _choose(impression, options) if options else _describe(impression)


def listen(audio_path: str) -> Impression:
    """The impression of a recording. Raises `InputError` where it cannot be read.

    The last few are kept: several questions about one recording are one listening.
    """
    path = Path(audio_path)
    changed = path.stat().st_mtime_ns if path.is_file() else 0
    return _listen(audio_path, changed)


@lru_cache(maxsize=32)
def _listen(audio_path: str, changed: int) -> Impression:
    from zhiyin.plugins.music.listener.spectrum import events, one_core, prepared
    from zhiyin.sound import read_sound

    sound = read_sound(audio_path)
    with one_core():
        samples = prepared(sound)
        if samples is None:
            return Impression(sound.seconds, None, None, 0.0)
        onset_events = events(samples, THRESHOLD)
        tempo, key = _tempo(samples), _key(onset_events)
    return Impression(sound.seconds, tempo, key, len(onset_events) / max(sound.seconds, 1e-9))


def _tempo(samples: NDArray[np.floating]) -> float | None:
    """The beat whose multiples the onsets repeat at most strongly, usual tempi preferred."""
    import numpy as np

    from zhiyin.plugins.music.listener.spectrum import HOP, RATE, flux

    rise = flux(samples)
    rise = rise - rise.mean()
    size = 2 ** int(np.ceil(np.log2(2 * len(rise))))
    again = np.fft.irfft(np.abs(np.fft.rfft(rise, size)) ** 2)[: len(rise)]
    if again[0] <= 0:
        return None
    again /= again[0]
    frames = RATE / HOP
    tempi = np.arange(SLOWEST, FASTEST, 0.25)
    strength = np.zeros(len(tempi))
    for multiple in (1, 2, 4):
        lag = multiple * 60.0 / tempi * frames
        strength += np.interp(lag, np.arange(len(again)), again, right=0.0)
    prior = np.exp(-0.5 * (np.log2(tempi / USUAL) / SPREAD) ** 2)
    best = int(np.argmax(strength * prior))
    return float(tempi[best]) if strength[best] > 0.3 else None


def _key(events: Sequence[SoundEvent]) -> str | None:
    """The key whose profile the sounding pitch classes fit best."""
    import numpy as np

    from zhiyin.plugins.music.listener.spectrum import LOW
    from zhiyin.plugins.music.theory import Mode, key_at

    profile = np.zeros(12)
    for event in events:
        for place, strength in enumerate(event.sounding):
            profile[(LOW + place) % 12] += strength
    if not profile.any():
        return None
    fits: dict[tuple[int, Mode], float] = {}
    for tonic in range(12):
        turned = np.roll(profile, -tonic)
        fits[tonic, "major"] = float(np.corrcoef(turned, MAJOR)[0, 1])
        fits[tonic, "minor"] = float(np.corrcoef(turned, MINOR)[0, 1])
    return key_at(*max(fits, key=lambda key: fits[key])).name


def _describe(impression: Impression) -> str:
    if impression.tempo is None and impression.key is None:
        return (
            f"I listened for {impression.seconds:.0f} seconds and heard neither a steady beat nor "
            "clear pitches. More I cannot say."
        )
    beat = (
        f"The rhythm is steady, at about {impression.tempo:.0f} bpm."
        if impression.tempo
        else "I found no steady beat."
    )
    key = (
        f"The harmony sounds like {impression.key}."
        if impression.key
        else "I heard no clear pitches."
    )
    busy = (
        "busy" if impression.rate > 4 else "moderately active" if impression.rate > 2 else "sparse"
    )
    return (
        f"This recording lasts {impression.seconds:.0f} seconds. {beat} {key} The texture is "
        f"{busy}, with {impression.rate:.1f} attacks in a second. I go by signal processing alone: "
        "who plays, what it is about and where it comes from I cannot tell."
    )


def _choose(impression: Impression, options: list[str]) -> str:
    words = [_MODES.get(word := option.strip().lower(), word) for option in options]
    mode = impression.key.split()[1] if impression.key else ""
    if set(words) <= {"major", "minor"} and mode in words:
        return f"It sounds like {impression.key}.\nAnswer: {_letter(words.index(mode))}"
    tempo = impression.tempo
    if tempo and all(word.isdecimal() for word in words):
        nearest = min(range(len(words)), key=lambda k: abs(int(words[k]) - tempo))
        return f"I hear about {tempo:.0f} beats a minute.\nAnswer: {_letter(nearest)}"
    return "I cannot tell this by ear."


def _letter(place: int) -> str:
    return chr(ord("A") + place)
