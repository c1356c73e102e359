"""Dimensions in which two sounds can differ, by how much, and what people hear of it.

Of each dimension there is a plain sound and one that has the difference. Whatever else could tell
them apart is the same in both or drawn at random: length, level, place, pitch.

Tones, sequences of tones and noises, at an exact level and without clicks; rows of strokes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import cache
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.files import cache_folder, write_cached
from zhiyin.parsing import read_beside
from zhiyin.plugins.music.psychometric import Ladder, Method
from zhiyin.plugins.music.render import wav_bytes
from zhiyin.plugins.music.render.builtin import drum
from zhiyin.plugins.music.theory import SCALES
from zhiyin.sound import audio_part
from zhiyin.trial import Audio

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Samples = NDArray[np.float64]


VOICE = (1.0, 0.6, 0.4, 0.25, 0.15, 0.1)
"""Partials of the tones that carry a pitch."""
_PIP = (1.0, 0.3)
_ROVE_DB = 2.0
"""Each sound is softer or louder by up to this, where loudness is not what is asked about."""
NOTE_S = 0.2


class SoundPair(msgspec.Struct, frozen=True):
    """A plain sound, one with the difference, and what is played before them, if anything.

    `before` is played before either of two; `standard` before one alone. `facts` go into the
    log.
    """

    plain: Samples
    target: Samples
    before: Samples | None = None
    standard: Samples | None = None
    facts: dict[str, float] = {}


class People(msgspec.Struct, frozen=True):
    """The difference that people just hear: its range, the people, and where it is published."""

    low: float
    high: float
    who: str
    source: str


class Dimension(msgspec.Struct, frozen=True):
    """One thing in which sounds can differ.

    Attributes
    ----------
    name, title, unit : str
    ladder : Ladder
    asked, first, second : str
        The question about two sounds, and what the two answers claim.
    single, yes, no : str
        The question about one, and its answers.
    people : People or None
        None where no figure is sure.
    """

    name: str
    title: str
    unit: str
    ladder: Ladder
    asked: str
    first: str
    second: str
    single: str
    yes: str
    no: str
    people: People | None = None

    @property
    def make(self) -> Callable[[np.random.Generator, float], SoundPair]:
        """The function that makes a `SoundPair` from a random stream and a level."""
        return _MAKERS[self.name]


def _base(draw: np.random.Generator, low: float = 220.0, octaves: float = 1.5) -> float:
    return float(low * 2 ** draw.uniform(0, octaves))


def _roved(draw: np.random.Generator, sound: Samples) -> Samples:
    return levelled(sound, draw.uniform(-_ROVE_DB, _ROVE_DB))


def _pitch(draw: np.random.Generator, cents: float) -> SoundPair:
    base = _base(draw)
    low, high = (base * 2 ** (sign * cents / 2400) for sign in (-1, 1))
    plain, target = (_roved(draw, tone(f, 0.4, VOICE)) for f in (low, high))
    return SoundPair(plain, target, standard=plain, facts={"hertz": base})


def _direction(draw: np.random.Generator, cents: float) -> SoundPair:
    sounds = []
    for sign in (-1, 1):
        base = _base(draw)
        ends = (base * 2 ** (-sign * cents / 2400), base * 2 ** (sign * cents / 2400))
        row = at_times(0.65, [(0.35 * i, tone(f, 0.3, VOICE)) for i, f in enumerate(ends)])
        sounds.append(_roved(draw, row))
    return SoundPair(sounds[0], sounds[1])


def _tempo(draw: np.random.Generator, percent: float) -> SoundPair:
    step, hertz = draw.uniform(0.36, 0.44), _base(draw, 500, 1)
    pip, ratio = tone(hertz, 0.05, _PIP), (1 + percent / 100) ** 0.5
    rows = [
        at_times(3.4, [(i * each, pip) for i in range(7)]) for each in (step * ratio, step / ratio)
    ]
    plain, target = (_roved(draw, row) for row in rows)
    return SoundPair(plain, target, standard=plain, facts={"step_s": step})


def _onset(draw: np.random.Generator, ms: float) -> SoundPair:
    step, hertz = 0.4, _base(draw, 500, 1)
    pip, late = tone(hertz, 0.05, _PIP), int(draw.integers(2, 5))
    shift = float(draw.choice((-1, 1))) * ms / 1000
    # Not on the window's own grid, so that no tone has a place of its own.
    lead = draw.uniform(0.2, 0.3)
    rows = [
        at_times(2.7, [(lead + i * step + by * (i == late), pip) for i in range(6)])
        for by in (0.0, shift)
    ]
    plain, target = (_roved(draw, row) for row in rows)
    return SoundPair(plain, target, facts={"tone": late + 1.0, "late_ms": 1000 * shift})


def _loudness(draw: np.random.Generator, decibels: float) -> SoundPair:
    sound, at = tone(_base(draw), 0.4, VOICE), draw.uniform(-4, 4)
    plain, target = (levelled(sound, at + sign * decibels / 2) for sign in (-1, 1))
    return SoundPair(plain, target, standard=plain, facts={"roved_db": at})


def _mistuned(draw: np.random.Generator, cents: float) -> SoundPair:
    number, sign = int(draw.integers(2, 7)), float(draw.choice((-1, 1)))
    sounds = []
    for shifts in ({}, {number: sign * cents}):
        base = _base(draw, 170, 0.5)
        # A partial that is off runs through all phases: with fixed ones, the peak would tell it.
        phases = draw.uniform(0, 2 * np.pi, 12)
        sounds.append(_roved(draw, tone(base, 0.41, (1.0,) * 12, shifts, phases)))
    return SoundPair(sounds[0], sounds[1], facts={"partial": float(number), "cents": sign * cents})


def _gap(draw: np.random.Generator, ms: float) -> SoundPair:
    plain, target = noise(draw, 0.5), noise(draw, 0.5)
    wide = length(ms / 1000)
    first = length(draw.uniform(0.2, 0.3)) - wide // 2
    edge = min(length(0.0005), wide // 2)
    fall = 0.5 + 0.5 * np.cos(np.pi * (np.arange(edge) + 0.5) / max(edge, 1))
    hole = np.zeros(wide)
    hole[:edge], hole[wide - edge :] = fall, fall[::-1]
    target[first : first + wide] *= hole
    return SoundPair(_roved(draw, plain), _roved(draw, target), facts={"gap_s": first / RATE})


def _chord(draw: np.random.Generator, snr_db: float) -> SoundPair:
    plain, masker = noise(draw, 0.6), noise(draw, 0.6)
    root, third = _base(draw, 260, 0.8), int(draw.choice((3, 4)))
    notes = [tone(root * 2 ** (step / 12), 0.6, VOICE) for step in (0, third, 7)]
    chord = np.sum(notes, axis=0)
    ratio = np.sqrt(np.mean(masker**2) / np.mean(chord**2)) * 10 ** (snr_db / 20)
    return SoundPair(
        _roved(draw, plain), _roved(draw, masker + ratio * chord), facts={"root": root}
    )


def _melody(draw: np.random.Generator, notes: float) -> SoundPair:
    count = round(notes)
    steps = _tune(draw, count)
    changed = list(steps)
    place = int(draw.integers(0, count))
    near = {steps[i] for i in (place - 1, place, place + 1) if 0 <= i < count}
    others = [s for s in range(steps[place] - 2, steps[place] + 3) if s not in near]
    changed[place] = int(draw.choice(others))
    base = _base(draw, 262, 0.5)
    rows = [_sung(base, each) for each in (steps, steps, changed)]
    before, target, plain = (_roved(draw, row) for row in rows)
    return SoundPair(plain, target, before=before, facts={"place": place + 1.0})


def _tune(draw: np.random.Generator, count: int) -> list[int]:
    """Steps of a major scale, none repeated at once, within an octave and a half."""
    steps = [int(draw.integers(0, 8))]
    while len(steps) < count:
        step = steps[-1] + int(draw.choice((-3, -2, -1, -1, 1, 1, 2, 3)))
        if 0 <= step <= 10:
            steps.append(step)
    return steps


def _sung(base: float, steps: list[int]) -> Samples:
    semitones = [12 * (s // 7) + SCALES["major"][s % 7] for s in steps]
    row = [(NOTE_S * i, tone(base * 2 ** (n / 12), 0.17, VOICE)) for i, n in enumerate(semitones)]
    return at_times(NOTE_S * len(steps), row)


_MAKERS: dict[str, Callable[[np.random.Generator, float], SoundPair]] = {
    "pitch": _pitch,
    "direction": _direction,
    "tempo": _tempo,
    "onset": _onset,
    "loudness": _loudness,
    "mistuning": _mistuned,
    "gap": _gap,
    "chord-in-noise": _chord,
    "melody-memory": _melody,
}
DIMENSIONS = read_beside(__file__, "hearing.toml", dict[str, tuple[Dimension, ...]])["dimension"]
"""In the order of tables."""
BY_NAME = {each.name: each for each in DIMENSIONS}


EDGE_S, BETWEEN_S = 0.25, 0.8
"""Silence at both ends, and between two sounds."""


def play(
    dimension: Dimension, method: Method, level: float, later: bool, draw: np.random.Generator
) -> tuple[bytes, dict[str, float]]:
    """A trial as a WAV file, 16 bits, one channel, and what was drawn for it.

    Parameters
    ----------
    dimension : Dimension
    method : {"two-interval", "yes-no"}
    level : float
    later : bool
        Whether the second sound has the difference; with one sound, whether it has.
    draw : numpy.random.Generator
    """
    pair = dimension.make(draw, level)
    if method == "two-interval":
        sounds = [pair.plain, pair.target] if later else [pair.target, pair.plain]
        sounds = [sound for sound in (pair.before, *sounds) if sound is not None]
    else:
        one = pair.target if later else pair.plain
        sound_before = pair.before if pair.before is not None else pair.standard
        sounds = [one] if sound_before is None else [sound_before, one]
    edge, between = np.zeros(length(EDGE_S)), np.zeros(length(BETWEEN_S))
    parts = [edge]
    for number, sound in enumerate(sounds):
        parts += [between] * bool(number) + [sound]
    samples = np.concatenate([*parts, edge])
    # The noise of the last bit hides rounding, which would tell a faint sound's silence from it.
    samples = samples + draw.uniform(-0.5, 0.5, len(samples)) / 32767
    return wav_bytes(np.clip(samples, -1, 1).astype(np.float32), RATE), pair.facts


RATE = 24_000
"""Samples per second of all of them."""
LEVEL_DB = -26.0
"""RMS of a sound against full scale, before it is roved."""
RAMP_S = 0.01


def length(seconds: float) -> int:
    """Seconds as samples."""
    return round(seconds * RATE)


def tone(
    hertz: float,
    seconds: float,
    strengths: Sequence[float],
    shifts: dict[int, float] | None = None,
    phases: Sequence[float] | NDArray[np.float64] = (),
) -> NDArray[np.float64]:
    """Partials above a fundamental, with rounded ends.

    Parameters
    ----------
    hertz, seconds : float
    strengths : sequence of float
        Amplitude of each partial, the first one first.
    shifts : dict of int to float, optional
        Cents by which a partial, counted from 1, is off the harmonic.
    phases : sequence of float, optional
        Where each partial begins, in radians; by default such that the peak is low (Schroeder
        1970).
    """
    t = np.arange(length(seconds)) / RATE
    sound = np.zeros(len(t))
    for number, strength in enumerate(strengths, 1):
        at = hertz * number * 2 ** ((shifts or {}).get(number, 0.0) / 1200)
        if at < 0.45 * RATE:
            phase = phases[number - 1] if len(phases) else -np.pi * number * number / 12
            sound += strength * np.sin(2 * np.pi * at * t + phase)
    return rounded(sound)


def rounded(sound: NDArray[np.float64], seconds: float = RAMP_S) -> NDArray[np.float64]:
    """Both ends raised and lowered along half a cosine."""
    count = min(length(seconds), len(sound) // 2)
    ramp = 0.5 - 0.5 * np.cos(np.pi * (np.arange(count) + 0.5) / count)
    sound = sound.copy()
    sound[:count] *= ramp
    sound[-count:] *= ramp[::-1]
    return sound


def noise(draw: np.random.Generator, seconds: float) -> NDArray[np.float64]:
    """White noise with rounded ends."""
    return rounded(draw.standard_normal(length(seconds)))


def at_times(
    seconds: float, sounds: Sequence[tuple[float, NDArray[np.float64]]]
) -> NDArray[np.float64]:
    """Sounds at their times, in seconds, in a stretch of silence."""
    row = np.zeros(length(seconds))
    for start, sound in sounds:
        first = round(start * RATE)
        row[first : first + len(sound)] += sound[: len(row) - first]
    return row


def levelled(sound: NDArray[np.float64], decibels: float = 0.0) -> NDArray[np.float64]:
    """The sound with an RMS of `LEVEL_DB` + `decibels`, over all of its length."""
    now = float(np.sqrt(np.mean(sound**2)))
    return sound * (10 ** ((LEVEL_DB + decibels) / 20) / now)


def cached_sound(contents: bytes) -> Audio:
    """A WAV file in the cache, written once. Raises `InputError` where it cannot be written."""
    name = hashlib.sha256(contents).hexdigest()
    path = cache_folder("hearing") / name[:2] / f"{name}.wav"
    if not path.is_file():
        write_cached(path, contents)
    return audio_part(path)


CLICKS, BEAT_S, STROKE_S = 4, 0.5, 0.25
"""Clicks before and after, their distance, and that of the strokes: two to a beat."""
LEAD_S = 0.25
CLAP, BASS = "x", "o"


def play_strokes(pattern: str) -> bytes:
    """Clicks, strokes and clicks as a WAV file, 16 bits, one channel.

    Parameters
    ----------
    pattern : str
        Of "x" for a clap and "o" for a bass drum.
    """
    rhythm = LEAD_S + CLICKS * BEAT_S
    after = rhythm + len(pattern) * STROKE_S
    # A pattern of odd length would leave the clicks off the beat; the bank has none.
    clicks = [start + n * BEAT_S for start in (LEAD_S, after) for n in range(CLICKS)]
    sounds = [(time, _click()) for time in clicks]
    sounds += [
        (rhythm + n * STROKE_S, _clap() if sign == CLAP else _bass())
        for n, sign in enumerate(pattern)
    ]
    samples = at_times(after + CLICKS * BEAT_S + LEAD_S, sounds)
    return wav_bytes((0.8 * samples / np.abs(samples).max()).astype(np.float32), RATE)


@cache
def _click() -> NDArray[np.float64]:
    return 0.35 * tone(1500.0, 0.03, (1.0,))


@cache
def _bass() -> NDArray[np.float64]:
    whole = drum(36, 0, RATE).astype(float)[: round(0.24 * RATE)]
    return rounded(np.append(np.zeros(1), whole), 0.002)


@cache
def _clap() -> NDArray[np.float64]:
    """Noise around 1.5 kHz in four bursts that run into each other, then a short tail."""
    t = np.arange(round(0.15 * RATE)) / RATE
    envelope = 0.7 * np.exp(-np.maximum(t - 0.03, 0) / 0.03) * (t >= 0.03)
    for start in (0.0, 0.01, 0.02):
        envelope += np.exp(-np.maximum(t - start, 0) / 0.004) * (t >= start)
    source = np.random.Generator(np.random.PCG64(39)).standard_normal(len(t))
    spectrum = np.fft.rfft(source)
    at = np.fft.rfftfreq(len(t), 1 / RATE)
    band = np.exp(-0.5 * (np.log2(np.maximum(at, 1.0) / 1500.0) / 0.6) ** 2)
    sound = np.fft.irfft(spectrum * band, len(t)) * envelope
    return rounded(sound / np.abs(sound).max(), 0.001)
