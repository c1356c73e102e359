"""The built-in synthesiser: no sound font, no library, plain numpy.

Struck, blown and bowed sounds are sums of decaying partials; plucked ones are Karplus and
Strong's string. Drums are swept sines for skins, filtered noise for wires and metal.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.errors import InputError
from zhiyin.plugins.music.render import RATE, check_request
from zhiyin.words import said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from zhiyin.plugins.music.midi import Note


VERSION = 2
"""Raised whenever a sound changes."""


class Timbre(msgspec.Struct, frozen=True):
    """The sound of a family of instruments.

    Attributes
    ----------
    strengths : tuple of float
        Amplitudes of the partials, the fundamental first.
    attack_s, release_s : float
        Rise time, and time constant of the fall after the key is released, in seconds.
    decay_s : float
        Time constant of the fundamental of middle C while the key is held; 0 for ever.
    damping : float
        How much faster each higher partial decays, per partial.
    stretch : float
        Inharmonicity B at middle C: partial k lies at k f sqrt(1 + B k^2) (Fletcher,
        JASA 36, 203, 1964).
    plucked : bool
        A Karplus-Strong string instead of partials.
    mellow : int
        How often the pluck is smoothed: 0 for a hard plectrum, 6 for a fingertip.
    """

    strengths: tuple[float, ...] = ()
    attack_s: float = 0.003
    release_s: float = 0.06
    decay_s: float = 0.0
    damping: float = 0.0
    stretch: float = 0.0
    plucked: bool = False
    mellow: int = 0


_falling = tuple(round(0.72**k, 4) for k in range(16))
PIANO = Timbre(_falling, 0.003, 0.08, 1.8, 0.25, 3.5e-4)
MALLET = Timbre((1.0, 0.05, 0.02, 0.25), 0.002, 0.15, 0.7, 0.9)
ORGAN = Timbre((1.0, 0.6, 0.35, 0.3, 0.08, 0.12, 0.02, 0.12), 0.012, 0.04)
NYLON = Timbre(release_s=0.05, plucked=True, mellow=6)
STEEL = Timbre(release_s=0.05, plucked=True, mellow=1)
ELECTRIC = Timbre(release_s=0.04, plucked=True, mellow=3)
BASS = Timbre((1.0, 0.7, 0.4, 0.2, 0.1, 0.05), 0.005, 0.05, 1.2, 0.4)
STRINGS = Timbre(tuple(round(1 / (k + 1) ** 1.2, 4) for k in range(14)), 0.06, 0.09)
BRASS = Timbre((0.8, 1.0, 0.8, 0.6, 0.42, 0.3, 0.2, 0.13, 0.08), 0.03, 0.05)
REED = Timbre((1.0, 0.08, 0.6, 0.06, 0.35, 0.05, 0.2, 0.03, 0.1), 0.025, 0.05)
FLUTE = Timbre((1.0, 0.35, 0.12, 0.05, 0.02), 0.04, 0.05)
LEAD = Timbre(tuple(round(1 / (k + 1), 4) for k in range(12)), 0.008, 0.04)

_FAMILIES = (
    *(PIANO, MALLET, ORGAN, ELECTRIC, BASS, STRINGS, STRINGS, BRASS),
    *(REED, FLUTE, LEAD, STRINGS, None, STEEL, None, None),
)
"""By General MIDI family of eight programs; None: effects and percussion, which it lacks."""
_PROGRAMS = {24: NYLON, 25: STEEL}
"""Programs that differ from their family."""


class BuiltinRenderer:
    """Renders without anything to install. Tones are kept, so that repeated notes cost little."""

    name = "builtin"

    def __init__(self) -> None:
        self.label = f"builtin {VERSION} (numpy {np.__version__})"

    def kits(self) -> tuple[int, ...]:
        return tuple(KITS)

    def render(
        self, notes: Sequence[Note], seconds: float, rate: int = RATE
    ) -> NDArray[np.float32]:
        """See `Renderer.render`."""
        length = check_request(notes, seconds, rate)
        mix = np.zeros(length, dtype=np.float32)
        for note in sorted(notes):
            start = round(note.start * rate)
            if start >= length:
                continue
            duration = min(round(note.duration * rate), length - start)
            sound = _drum(note, rate) if note.is_drum else _tone(note, duration, rate)
            stop = min(length, start + len(sound))
            # Loudness grows about with the square of velocity (Dannenberg, ICMC 2006).
            gain = np.float32(0.25 * (note.velocity / 127) ** 2)
            mix[start:stop] += gain * sound[: stop - start]
        return mix


def _drum(note: Note, rate: int) -> NDArray[np.float32]:
    if note.program not in KITS:
        raise InputError(f"the built-in synthesiser has no kit {note.program}: known {list(KITS)}")
    return drum(note.pitch, note.program, rate)


def _tone(note: Note, duration: int, rate: int) -> NDArray[np.float32]:
    """One note, `duration` samples long, with its release."""
    timbre = _PROGRAMS.get(note.program, _FAMILIES[note.program // 8])
    if timbre is None:
        raise InputError(said("render-no-program", program=note.program))
    tail = round(5 * timbre.release_s * rate)
    size = 1 << max(15, (duration + tail - 1).bit_length())
    make = _string if timbre.plucked else _partials
    whole: NDArray[np.float32] = make(timbre, note.pitch, rate, size)
    sound = whole[: duration + tail].copy()
    fall = np.exp(-np.arange(tail, dtype=np.float32) / np.float32(timbre.release_s * rate))
    sound[duration:] *= fall
    return sound


@lru_cache(maxsize=256)
def _partials(timbre: Timbre, pitch: int, rate: int, size: int) -> NDArray[np.float32]:
    """A sum of decaying partials, `size` samples, a power of two.

    Time is split into blocks, t = T + u, and cos(w t) exp(-d t) into a product of what depends
    on the block and what depends on the place within it: the tone is one product of two
    matrices, much faster than calling sin for every sample and partial. The product is
    einsum's and not ``@``, whose last bits depend on how many threads linear algebra has.
    """
    fundamental = 440.0 * 2 ** ((pitch - 69) / 12)
    k = np.arange(1, len(timbre.strengths) + 1, dtype=np.float64)
    register = 2 ** ((pitch - 60) / 12)
    stretch = timbre.stretch * register**1.5
    # Divided by the first partial's own stretch, so that the pitch stays in tune.
    frequency = fundamental * k * np.sqrt((1 + stretch * k**2) / (1 + stretch))
    fits = frequency < 0.45 * rate
    strength = np.asarray(timbre.strengths)[fits]
    strength /= np.sqrt((strength**2).sum())
    decay = np.zeros(len(strength))
    if timbre.decay_s:
        decay = (1 + timbre.damping * (k[fits] - 1)) * register**0.6 / timbre.decay_s
    rates = (2j * np.pi * frequency[fits] - decay) / rate
    within = 1 << (size.bit_length() // 2)
    outer = np.exp(np.outer(np.arange(size // within) * within, rates)) * strength
    inner = np.exp(np.outer(rates, np.arange(within)))
    # Im(outer * inner) is a sum of sines: every partial starts at zero, without a click.
    sound: NDArray[np.float32] = np.einsum(
        "bk,ku->bu",
        np.hstack([outer.real, outer.imag]).astype(np.float32),
        np.vstack([inner.imag, inner.real]).astype(np.float32),
    ).reshape(-1)
    attack = round(timbre.attack_s * rate)
    sound[:attack] *= np.linspace(0, 1, attack, dtype=np.float32)
    sound.flags.writeable = False
    return sound


@lru_cache(maxsize=256)
def _string(timbre: Timbre, pitch: int, rate: int, size: int) -> NDArray[np.float32]:
    """A plucked string (Karplus and Strong, Computer Music Journal 7(2), 1983), `size` samples.

    The loop of p samples with its two-point average has the period p + 1/2, which is hardly
    ever the one wanted: the string is played at the nearest period and read at the speed that
    puts it in tune.
    """
    wanted = rate / (440.0 * 2 ** ((pitch - 69) / 12))
    # A loop of fewer samples would be a poor string: high ones are made lower and read faster.
    period = max(40, round(wanted))
    speed = (period + 0.5) / wanted
    count = int(size * speed / period) + 3
    noise = np.random.Generator(np.random.PCG64(pitch)).uniform(-1, 1, period)
    pluck = noise - noise.mean()
    # Plucked a fifth of the way along: the comb that leaves out every fifth partial.
    pluck = pluck - np.roll(pluck, max(1, period // 5))
    for _ in range(timbre.mellow):
        pluck = 0.5 * (pluck + np.roll(pluck, 1))
    loss = 0.001 ** (period / rate / speed / 4.0)
    rounds = np.empty((count, period))
    rounds[0] = pluck / np.abs(pluck).max()
    for turn in range(1, count):
        before = rounds[turn - 1]
        last = rounds[turn - 2, -1] if turn > 1 else 0.0
        rounds[turn, 1:] = 0.5 * loss * (before[1:] + before[:-1])
        rounds[turn, 0] = 0.5 * loss * (before[0] + last)
    loop = rounds.reshape(-1)
    read = np.interp(np.arange(size) * speed, np.arange(len(loop)), loop)
    sound: NDArray[np.float32] = read.astype(np.float32)
    sound.flags.writeable = False
    return sound


class Kit(msgspec.Struct, frozen=True):
    """The differences between one drum kit and another.

    Attributes
    ----------
    kick_hz, kick_s : float
        Pitch that the kick settles on, and time constant of its decay.
    snare_hz, snare_s : float
        Pitch of the snare's skin, and time constant of its wires.
    wires : float
        Share of noise in the snare, 0 to 1.
    hat_s : float
        Time constant of the closed hi-hat.
    """

    kick_hz: float
    kick_s: float
    snare_hz: float
    snare_s: float
    wires: float
    hat_s: float


KITS: dict[int, Kit] = {
    0: Kit(52, 0.10, 190, 0.065, 0.6, 0.022),
    8: Kit(47, 0.14, 175, 0.085, 0.6, 0.026),
    16: Kit(56, 0.13, 165, 0.075, 0.62, 0.024),
    24: Kit(60, 0.08, 220, 0.055, 0.5, 0.018),
    25: Kit(45, 0.28, 205, 0.06, 0.55, 0.016),
    32: Kit(64, 0.08, 215, 0.055, 0.55, 0.028),
    40: Kit(58, 0.09, 200, 0.065, 0.7, 0.030),
}
"""By General MIDI program: standard, room, power, electronic, TR-808, jazz and brush."""

_TOMS = {41: 80.0, 43: 95.0, 45: 110.0, 47: 130.0, 48: 150.0, 50: 175.0}
_METALS = {42: 1.0, 44: 0.7, 46: 9.0, 49: 28.0, 51: 14.0, 57: 30.0, 59: 16.0}
_KICKS = (35, 36)
_SNARES = (38, 40)


@lru_cache(maxsize=128)
def drum(pitch: int, program: int, rate: int) -> NDArray[np.float32]:
    """One stroke of General MIDI drum `pitch` in a kit of `KITS`, shape (n,), peak 1.

    Raises
    ------
    InputError
        A drum that the synthesiser lacks.
    """
    kit = KITS[program]
    if pitch in _KICKS:
        sound = _kick(kit, rate)
    elif pitch in _SNARES:
        sound = _snare(kit, rate, 1.0 if pitch == 38 else 1.2)
    elif pitch in _TOMS:
        sound = _sweep(_TOMS[pitch], 0.6, 0.05, 0.18, rate)
    elif pitch in _METALS:
        sound = 0.45 * _metal(kit.hat_s * _METALS[pitch], rate)
    else:
        known = sorted((*_KICKS, *_SNARES, *_TOMS, *_METALS))
        raise InputError(f"the built-in synthesiser has no drum {pitch}: known {known}")
    stroke: NDArray[np.float32] = sound.astype(np.float32)
    stroke.flags.writeable = False
    return stroke


def _clock(decay_s: float, rate: int) -> NDArray[np.float64]:
    """Sample times over seven time constants, in seconds."""
    return np.arange(round(7 * decay_s * rate)) / rate


def _noise(count: int, seed: int) -> NDArray[np.float64]:
    return np.random.Generator(np.random.PCG64(seed)).uniform(-1, 1, count)


def _sweep(
    hertz: float, depth: float, sweep_s: float, decay_s: float, rate: int
) -> NDArray[np.float64]:
    """A decaying sine that falls from (1 + depth) times `hertz` to `hertz`."""
    t = _clock(decay_s, rate)
    phase = 2 * np.pi * hertz * (t + depth * sweep_s * (1 - np.exp(-t / sweep_s)))
    swept: NDArray[np.float64] = np.sin(phase) * np.exp(-t / decay_s)
    return swept


def _kick(kit: Kit, rate: int) -> NDArray[np.float64]:
    sound = _sweep(kit.kick_hz, 2.5, 0.018, kit.kick_s, rate)
    click = np.convolve(_noise(round(0.012 * rate), 1), np.hanning(16), mode="same") * 0.12
    click *= np.linspace(1, 0, len(click)) ** 2
    sound[: len(click)] += click
    loud: NDArray[np.float64] = 1.4 * sound / np.abs(sound).max()
    return loud


def _snare(kit: Kit, rate: int, tuning: float) -> NDArray[np.float64]:
    t = _clock(kit.snare_s, rate)
    skin = np.sin(2 * np.pi * kit.snare_hz * tuning * t)
    skin += 0.6 * np.sin(2 * np.pi * kit.snare_hz * 1.59 * tuning * t)  # a drumhead's next mode
    # Rattle from the skin's pitch up to about 6 kHz: above, it would pass for a hi-hat.
    wires = np.convolve(_noise(len(t), 2), np.hanning(10)[1:-1], mode="same")
    wires *= np.minimum(1.0, t / 0.001) / np.abs(wires).max()
    sound = kit.wires * wires * np.exp(-t / kit.snare_s)
    sound += (1 - kit.wires) * skin * np.exp(-t / (0.6 * kit.snare_s))
    loud: NDArray[np.float64] = 2.6 * sound / np.abs(sound).max()
    return loud


def _metal(decay_s: float, rate: int) -> NDArray[np.float64]:
    """Noise differentiated once: most of its energy lies above 6 kHz, little below 2 kHz."""
    t = _clock(decay_s, rate)
    sound = np.diff(_noise(len(t) + 1, 3), n=1) * np.exp(-t / decay_s)
    loud: NDArray[np.float64] = sound / np.abs(sound).max()
    return loud
