"""Rendering of notes: sampled instruments where a sound font and a library are, else built in.

`open_renderer` chooses. Every renderer gives the same samples for the same notes, bit for bit,
on the same machine with the same versions; its `label` names what those are.
"""

from __future__ import annotations

import importlib.util
import os
import wave
from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from zhiyin.errors import InputError, did_you_mean

if TYPE_CHECKING:
    import numpy as np
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
        from zhiyin.plugins.music.render.sampled import TinySoundFontRenderer

        return TinySoundFontRenderer(required_soundfont())
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
            raise InputError(
                f"${FONT_VARIABLE} names {path}, which is no file: correct or unset it"
            )
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


def required_soundfont() -> Path:
    """The sound font to use; `InputError` where there is none."""
    font = find_soundfont()
    if font is None:
        raise InputError(f"no sound font: set ${FONT_VARIABLE} to an .sf2 file or use 'builtin'")
    return font


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
    import numpy as np

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
    import numpy as np

    scaled = np.rint(samples * np.float32(32767.0)).astype("<i2")
    buffer = BytesIO()
    with wave.open(buffer, "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(rate)
        file.writeframes(scaled.tobytes())
    return buffer.getvalue()
