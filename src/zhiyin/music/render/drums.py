"""The built-in synthesiser's drums: swept sines for skins, filtered noise for wires and metal."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

import msgspec
import numpy as np

from zhiyin.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray


class Kit(msgspec.Struct, frozen=True):
    """How one kit differs from another.

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
