"""Sampled instruments from a sound font, through tinysoundfont."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from importlib.metadata import version
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from zhiyin.errors import InputError, reworded
from zhiyin.plugins.music.render import RATE, check_request

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from zhiyin.plugins.music.midi import Note

DRUM_BANK = 128
_DRAIN = 4096
"""Samples rendered at a time after a sound until the synthesiser is silent again."""


class _Action(NamedTuple):
    """A key pressed or released at a sample index; releases sort before presses."""

    at: int
    press: bool
    note: Note


def _actions(notes: Sequence[Note], length: int, rate: int) -> list[_Action]:
    """Everything that happens before sample `length`, in order."""
    actions = []
    for note in notes:
        on = round(note.start * rate)
        off = max(on + 1, round(note.end * rate))
        actions += [_Action(on, True, note), _Action(off, False, note)]
    actions.sort(key=lambda a: (a.at, a.press, a.note.channel, a.note.pitch))
    return [action for action in actions if action.at < length]


def _read_font(font: Path) -> tuple[bytes, str]:
    """The bytes of a sound font, and its name with the beginning of its hash."""
    with reworded(f"cannot read the sound font {font}: "):
        data = font.read_bytes()
    return data, f"{font.name} sha256:{hashlib.sha256(data).hexdigest()[:12]}"


class TinySoundFontRenderer:
    """Renders with tinysoundfont.

    One synthesiser is kept for each sample rate. A voice left sounding by the sound before
    would change the order in which floats are added, so after every sound the synthesiser is
    stopped and run on until it gives exact zeros; then the next one is bit-identical to what a
    fresh synthesiser gives (tested), without the 8 ms of loading the font again.
    """

    name = "tinysoundfont"

    def __init__(self, font: Path) -> None:
        try:
            import tinysoundfont
        except ImportError as error:
            raise InputError(
                "tinysoundfont is not installed: pip install --no-deps tinysoundfont"
            ) from error
        self._module = tinysoundfont
        self._font, font_label = _read_font(font)
        self._synths: dict[int, tuple[Any, int]] = {}
        self.label = f"tinysoundfont {version('tinysoundfont')} + {font_label}"
        try:
            self._open(RATE)
        except Exception as error:  # the library has no error class of its own for this
            raise InputError(f"{font} is not a sound font that tinysoundfont reads") from error

    def _open(self, rate: int) -> tuple[Any, int]:
        if rate not in self._synths:
            synth = self._module.Synth(samplerate=rate)
            self._synths[rate] = (synth, synth.sfload(self._font))
        return self._synths[rate]

    def kits(self) -> tuple[int, ...]:
        synth, font = self._open(RATE)
        return tuple(
            program for program in range(128) if synth.sfpreset_name(font, DRUM_BANK, program)
        )

    def render(
        self, notes: Sequence[Note], seconds: float, rate: int = RATE
    ) -> NDArray[np.float32]:
        """See `Renderer.render`."""
        length = check_request(notes, seconds, rate)
        synth, font = self._open(rate)
        frames = np.zeros((length, 2), dtype=np.float32)
        target = memoryview(frames.data).cast("B")
        actions = _actions(notes, length, rate)
        programs: dict[int, int] = {}
        # A last time without an action: what comes after the last key.
        edges = [0, *(action.at for action in actions), length]
        for (start, stop), action in zip(pairwise(edges), [*actions, None], strict=True):
            if stop > start:
                synth.generate_simple(stop - start, target[8 * start : 8 * stop])
            if action is not None:
                self._act(synth, font, action, programs)
        self._silence(synth)
        mono: NDArray[np.float32] = (frames[:, 0] + frames[:, 1]) * np.float32(0.5)
        return mono

    def _act(self, synth: Any, font: int, action: _Action, programs: dict[int, int]) -> None:
        note = action.note
        if not action.press:
            synth.noteoff(note.channel, note.pitch)
            return
        if programs.get(note.channel) != note.program:
            bank = DRUM_BANK if note.is_drum else 0
            if not synth.sfpreset_name(font, bank, note.program):
                self._silence(synth)
                raise InputError(
                    f"the sound font has no preset {note.program} in bank {bank}: "
                    "choose another instrument or sound font"
                )
            synth.program_select(note.channel, font, bank, note.program, note.is_drum)
            programs[note.channel] = note.program
        synth.noteon(note.channel, note.pitch, note.velocity)

    @staticmethod
    def _silence(synth: Any) -> None:
        synth.sounds_off()
        while np.frombuffer(synth.generate_simple(_DRAIN), dtype=np.float32).any():
            pass
