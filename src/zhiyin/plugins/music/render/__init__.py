"""Rendering of notes: sampled instruments where a sound font and a library are, else built in.

`open_renderer` chooses. Every renderer gives the same samples for the same notes, bit for bit,
on the same machine with the same versions; its `label` names what those are.

Sampled instruments from a sound font, through tinysoundfont.
"""

from __future__ import annotations

import hashlib
import importlib.util
import os
import wave
from collections.abc import Sequence
from importlib.metadata import version
from io import BytesIO
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.words import said

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from zhiyin.plugins.music.midi import Note


RATE = 44100
"""Samples per second of whatever is rendered unless asked otherwise."""
PEAK = 0.8
"""Largest absolute sample of a normalised sound (about -1.9 dBFS)."""
NAMES = ("tinysoundfont", "builtin")
"""The renderers by name, in the order in which "auto" tries them."""
FONT_VARIABLE = "ZHIYIN_SOUNDFONT"
_FONT_FOLDERS = ("/usr/share/sounds/sf2", "/usr/share/soundfonts", "/usr/share/sounds/sf3")


class Renderer(Protocol):
    """Turns notes into sound."""

    name: str
    """One of `NAMES`."""
    label: str
    """Name, version and sound font with the beginning of its SHA-256."""

    def kits(self) -> tuple[int, ...]:
        """The General MIDI drum kits (programs of channel 9) that it has."""
        ...

    def render(
        self, notes: Sequence[Note], seconds: float, rate: int = RATE
    ) -> NDArray[np.float32]:
        """Play notes from silence.

        Parameters
        ----------
        notes : sequence of Note
            What to play; whatever sounds beyond `seconds` is cut.
        seconds : float
            Length of the sound, in seconds; more than 0.
        rate : int
            Samples per second, 8000 to 192000.

        Returns
        -------
        ndarray of float32, shape (n,)
            One channel, not normalised: it may exceed full scale (see `normalised`).

        Raises
        ------
        InputError
            No notes, a value out of range, or an instrument that it does not have.
        """
        ...


def open_renderer(name: str = "auto") -> Renderer:
    """Open a renderer.

    Parameters
    ----------
    name : str
        "tinysoundfont", "builtin", or "auto": the first of these that this machine can open.
        The built-in one always can.

    Raises
    ------
    InputError
        Unknown name, or the library or sound font that was asked for is absent.
    """
    if name == "auto":
        sampled = find_soundfont() and importlib.util.find_spec("tinysoundfont")
        name = "tinysoundfont" if sampled else "builtin"
    if name == "tinysoundfont":
        font = find_soundfont()
        if font is None:
            raise InputError(said("render-no-font", variable=FONT_VARIABLE))
        return TinySoundFontRenderer(font)
    if name == "builtin":
        from zhiyin.plugins.music.render.builtin import BuiltinRenderer

        return BuiltinRenderer()
    raise InputError(f"unknown renderer {name!r}: {did_you_mean(name, ('auto', *NAMES))}")


def find_soundfont() -> Path | None:
    """The sound font to use, or None.

    Looked for in $ZHIYIN_SOUNDFONT, beside the pretty_midi package (whose wheel carries
    TimGM6mb.sf2), then in the system's folders, the first by name.

    Raises
    ------
    InputError
        $ZHIYIN_SOUNDFONT names a file that does not exist.
    """
    chosen = os.environ.get(FONT_VARIABLE)
    if chosen:
        path = Path(chosen)
        if not path.is_file():
            raise InputError(said("render-no-file", variable=FONT_VARIABLE, path=path))
        return path
    spec = importlib.util.find_spec("pretty_midi")  # importing it would cost 0.2 s
    for folder in spec.submodule_search_locations or () if spec else ():
        font = Path(folder) / "TimGM6mb.sf2"
        if font.is_file():
            return font
    for folder in _FONT_FOLDERS:
        fonts = sorted(Path(folder).glob("*.sf[23]"))
        if fonts:
            return fonts[0]
    return None


def check_request(notes: Sequence[Note], seconds: float, rate: int) -> int:
    """Check what is to be rendered. Returns the number of samples."""
    from zhiyin.plugins.music.midi import check_notes

    check_notes(notes)
    if not 8000 <= rate <= 192_000:
        raise InputError(f"sample rate {rate} lies outside 8000-192000 Hz")
    if not 0 < seconds <= 3600:
        raise InputError(f"a sound of {seconds} s cannot be rendered: ask for up to 3600 s")
    return round(seconds * rate)


def normalised(samples: NDArray[np.float32]) -> NDArray[np.float32]:
    """Bring the largest sample to `PEAK` and fade its last 10 ms out, at `RATE`.

    Raises
    ------
    InputError
        The sound is silent.
    """
    peak = float(np.abs(samples).max(initial=0.0))
    if peak < 1e-6:
        raise InputError("the renderer gave silence: choose another sound font or instrument")
    loud = samples * np.float32(PEAK / peak)
    fade = min(round(0.01 * RATE), len(loud))
    if fade:
        loud[-fade:] *= np.linspace(1, 0, fade, dtype=np.float32)
    return loud


def wav_bytes(samples: NDArray[np.float32], rate: int = RATE) -> bytes:
    """Samples in [-1, 1], shape (n,), as a 16-bit mono WAV file, rounded and without dither.

    Made with the standard library: libsndfile waits for the disk after every file, which
    takes as long as the synthesis.
    """
    scaled = np.rint(samples * np.float32(32767.0)).astype("<i2")
    buffer = BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(scaled.tobytes())
    return buffer.getvalue()


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
            raise InputError(said("render-not-installed")) from error
        self._module = tinysoundfont
        with reworded(f"cannot read the sound font {font}: "):
            self._font = font.read_bytes()
        font_label = f"{font.name} sha256:{hashlib.sha256(self._font).hexdigest()[:12]}"
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
        return (frames[:, 0] + frames[:, 1]) * np.float32(0.5)

    def _act(self, synth: Any, font: int, action: _Action, programs: dict[int, int]) -> None:
        note = action.note
        if not action.press:
            synth.noteoff(note.channel, note.pitch)
            return
        if programs.get(note.channel) != note.program:
            bank = DRUM_BANK if note.is_drum else 0
            if not synth.sfpreset_name(font, bank, note.program):
                self._silence(synth)
                raise InputError(said("render-no-preset", program=note.program, bank=bank))
            synth.program_select(note.channel, font, bank, note.program, note.is_drum)
            programs[note.channel] = note.program
        synth.noteon(note.channel, note.pitch, note.velocity)

    @staticmethod
    def _silence(synth: Any) -> None:
        synth.sounds_off()
        while np.frombuffer(synth.generate_simple(_DRAIN), dtype=np.float32).any():
            pass
