"""The built-in synthesiser: no sound font, no library, plain numpy.

Struck, blown and bowed sounds are sums of decaying partials; plucked ones are Karplus and
Strong's string; drums are in `drums`.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.errors import InputError
from zhiyin.music.render import RATE, check_request
from zhiyin.music.render.drums import KITS, drum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from zhiyin.music.midi import Note

VERSION = 2
"""Raised whenever a sound changes."""


class Timbre(msgspec.Struct, frozen=True):
    """How a family of instruments sounds.

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
        raise InputError(
            f"the built-in synthesiser has no program {note.program}: choose another instrument"
        )
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
