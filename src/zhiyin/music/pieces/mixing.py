"""From a piece to its sound: each player rendered alone, brought to its place in the balance."""

from __future__ import annotations

from itertools import pairwise
from typing import TYPE_CHECKING

from zhiyin.errors import InputError
from zhiyin.music.pieces.composing import CHANNELS, loudness
from zhiyin.music.render import RATE, Renderer, normalised

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from zhiyin.music.pieces.piece import Piece

BALANCE_DB = {"tune": 0.0, "second": 0.0, "chords": -8.0, "bass": -4.0, "drums": -7.0}
"""Level of each player while playing, against the tune's."""
_FRAME_S = 0.05
_AUDIBLE = 0.1
"""A frame counts as playing from this share of the loudest frame's level."""


def render_piece(piece: Piece, renderer: Renderer) -> NDArray[np.float32]:
    """The sound of a piece.

    Instruments of a sound font differ in loudness by 20 dB, so that velocities alone would bury
    the tune: each player is rendered alone and brought to `BALANCE_DB`. Then the sections are
    brought to the loudness that the plan gives them, whatever patterns are played in them.

    Returns
    -------
    ndarray of float32, shape (n,)
        At `RATE`, the largest sample at `render.PEAK`.

    Raises
    ------
    InputError
        An instrument that the renderer lacks, or that it plays without a sound.
    """
    import numpy as np

    mix = np.zeros(round(piece.seconds * RATE), dtype=np.float32)
    for role, channel in CHANNELS.items():
        notes = [note for note in piece.score.notes if note.channel == channel]
        if not notes:
            continue
        samples = renderer.render(notes, piece.seconds, RATE)
        level = playing_level(samples)
        if level < 1e-6:
            raise InputError(f"the renderer gives silence for {role}: choose another sound font")
        mix += np.float32(10 ** (BALANCE_DB[role] / 20) / level) * samples
    return normalised(mix * _fader(piece, mix))


def _fader(piece: Piece, mix: NDArray[np.float32]) -> NDArray[np.float32]:
    """The gain at each sample, shape (n,), that gives every section its planned loudness."""
    import numpy as np

    sections = [section for section in piece.sections if section.letter != "I"]
    end = sections[-1].end
    gains = []
    for index, section in enumerate(sections):
        part = mix[round(section.start * RATE) : round(section.end * RATE)]
        times = np.linspace(section.start, section.end, 9) / end
        planned = np.mean([loudness(piece.plan, float(done), index) ** 2 for done in times])
        measured = np.mean(np.square(part, dtype=np.float64))
        gains.append(float(np.sqrt(planned / max(float(measured), 1e-12))))
    # From one gain to the next within a twentieth of a second, about the section's first note.
    places = [s.start + side * _FRAME_S / 2 for s in sections[1:] for side in (-1, 1)]
    heights = [gain for pair in pairwise(gains) for gain in pair]
    clock = np.arange(len(mix)) / RATE
    curve: NDArray[np.float32] = np.interp(clock, [0.0, *places], [gains[0], *heights]).astype(
        np.float32
    )
    return curve


def playing_level(samples: NDArray[np.float32]) -> float:
    """Root mean square over the 50 ms frames in which something plays; 0 for silence."""
    import numpy as np

    size = round(_FRAME_S * RATE)
    frames = samples[: len(samples) // size * size].reshape(-1, size)
    power = np.square(frames, dtype=np.float64).mean(axis=1)
    playing = power[power > _AUDIBLE**2 * power.max(initial=0.0)]
    return float(np.sqrt(playing.mean())) if len(playing) else 0.0
