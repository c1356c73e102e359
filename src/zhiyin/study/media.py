"""Sound, pictures and notation of a study: copied under random names, equally loud, engraved."""

from __future__ import annotations

import base64
import io
import json
import secrets
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.errors import InputError, missing_package
from zhiyin.files import write_atomically
from zhiyin.picture import format_of
from zhiyin.recording import Bytes, read_regular
from zhiyin.report.notation import Press, find_tunes
from zhiyin.study.items import Medium
from zhiyin.trial import Audio, Image, Trial

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

LOUDNESS = -23.0
"""To which every sound is brought, in LUFS (EBU R 128)."""
_PEAK = 0.97
_SHORTEST_S = 0.4
"""Below the length of one block of ITU-R BS.1770 there is no integrated loudness."""
_ANCHOR_HZ = 3500.0
"""Cut-off of the low anchor (ITU-R BS.1534-3, section 5.1)."""
_LONGEST_TUNE_S = 120.0
_LEAST_FILLED = 64

TYPES = {
    "flac": "audio/flac", "png": "image/png", "jpeg": "image/jpeg", "webp": "image/webp",
    "gif": "image/gif", "svg": "image/svg+xml",
}  # fmt: skip


class Library:
    """The media folder of a study that is being made.

    Parameters
    ----------
    folder : Path
        Exists. Files get random names, which tell neither order nor contents.
    matched : bool
        Whether every sound is brought to `LOUDNESS`.
    """

    def __init__(self, folder: Path, *, matched: bool = True) -> None:
        self._folder, self._matched = folder, matched
        self._press = Press()
        self.remarks: list[str] = []

    def of_trial(self, trial: Trial) -> list[Medium]:
        """All sounds, pictures and tunes of what a trial asks last."""
        media = []
        parts = trial.messages[-1].parts if trial.messages else ()
        for part in parts:
            if isinstance(part, Audio):
                media.append(self.sound(part))
            elif isinstance(part, Image):
                media.append(self.picture(part))
        return media + self._tunes(trial)

    def sound(self, part: Audio, slot: str = "", *, anchor: bool = False) -> Medium:
        """A sound, cut to what is asked about. Raises `InputError` where it is not what it was."""
        import soundfile

        data = _read_unchanged(part)
        start = part.start or 0.0
        try:
            with soundfile.SoundFile(Bytes(data)) as file:
                rate = file.samplerate
                file.seek(min(round(start * rate), file.frames))
                stop = -1 if part.end is None else round((part.end - start) * rate)
                samples = file.read(stop, dtype="float64", always_2d=True)
        except soundfile.SoundFileError:
            raise InputError(f"{part.path}: not audio that can be decoded") from None
        if not len(samples):
            raise InputError(f"{part.path}: holds no sound in the part that is asked about")
        if anchor:
            samples = _low_passed(samples, rate)
        if self._matched:
            samples = self._level(samples, rate, part.path)
        return Medium("sound", self._write(flac(samples, rate), "flac"), len(samples) / rate,
                      slot=slot)  # fmt: skip

    def as_large(self, media: Sequence[Medium]) -> None:
        """Give the sounds of one page one size: the anchor's would be smaller, others' alike."""
        paths = [self._folder / medium.file for medium in media if medium.kind == "sound"]
        contents = [path.read_bytes() for path in paths]
        size = max(map(len, contents)) + _LEAST_FILLED
        for path, data in zip(paths, contents, strict=True):
            write_atomically(path, filled(data, size))

    def picture(self, part: Image) -> Medium:
        """A picture, without what a camera or a program wrote beside it."""
        import PIL.Image

        data = _read_unchanged(part)
        form = format_of(data)
        if form not in TYPES:
            raise InputError(f"{part.path}: no picture that browsers show; give PNG or JPEG")
        out = io.BytesIO()
        with PIL.Image.open(io.BytesIO(data)) as opened:
            opened.convert("RGBA" if opened.mode in ("P", "LA", "RGBA") else "RGB").save(out, "PNG")
        return Medium("picture", self._write(out.getvalue(), "png"))

    def close(self) -> None:
        """End the engraver."""
        self._press.close()

    def _tunes(self, trial: Trial) -> list[Medium]:
        media = []
        for tune in find_tunes(trial):
            label = "" if tune.label == "tune" else tune.label
            svg = self._press.engrave(tune)
            if svg is None:
                self.remarks.append(f"{trial.id}: a tune cannot be engraved; its text is shown")
                continue
            media.append(Medium("tune", self._write(svg.encode(), "svg"), label=label))
            samples = played(tune.format, tune.text)
            if samples is not None:
                file = self._write(flac(samples[0].reshape(-1, 1), samples[1]), "flac")
                seconds = len(samples[0]) / samples[1]
                media.append(Medium("tune_sound", file, seconds, label=label))
        return media

    def _level(self, samples: NDArray[np.float64], rate: int, name: str) -> NDArray[np.float64]:
        """The same sound at `LOUDNESS`, or as near as its peaks let it."""
        import numpy as np

        try:
            import pyloudnorm
        except ImportError:
            raise missing_package("pyloudnorm", "study") from None
        if len(samples) < _SHORTEST_S * rate:
            self.remarks.append(f"{name}: too short to measure its loudness; left as it is")
            return samples
        loudness = pyloudnorm.Meter(rate).integrated_loudness(samples)
        if not np.isfinite(loudness):
            self.remarks.append(f"{name}: silent; left as it is")
            return samples
        gain = 10 ** ((LOUDNESS - loudness) / 20)
        most = _PEAK / float(np.abs(samples).max())
        if gain > most:
            excess = 20 * np.log10(gain / most)
            self.remarks.append(f"{name}: {excess:.1f} dB below the others, or it would be cut off")
        level: NDArray[np.float64] = samples * min(gain, most)
        return level

    def _write(self, data: bytes, suffix: str) -> str:
        name = f"{secrets.token_hex(16)}.{suffix}"
        write_atomically(self._folder / name, data)
        return name


def flac(samples: NDArray[np.float64], rate: int) -> bytes:
    """Samples of shape (n, channels) as FLAC of 16 bit, without loss on every browser."""
    import soundfile

    out = io.BytesIO()
    soundfile.write(out, samples, rate, format="FLAC", subtype="PCM_16")
    return out.getvalue()


def filled(data: bytes, size: int) -> bytes:
    """A FLAC file brought to a size by a block of random bytes, which decoders skip.

    The block is of the kind APPLICATION and stands after STREAMINFO (RFC 9639, sections 8.1, 8.4).
    Where more than its length can say is lacking, it stays smaller.
    """
    more = min(size - len(data) - 4, 2**24 - 1)
    info, last = data[4:42], data[4] & 0x80
    header = bytes([2 | last]) + more.to_bytes(3, "big")
    chance = b"zhyn" + secrets.token_bytes(more - 4)
    return data[:4] + bytes([info[0] & 0x7F]) + info[1:] + header + chance + data[42:]


def played(form: str, text: str) -> tuple[NDArray[np.float64], int] | None:
    """A tune as the built-in synthesiser plays it, mono, and its rate; None where it cannot be."""
    from zhiyin.music.midi import read_midi
    from zhiyin.music.render import RATE, open_renderer

    order = json.dumps({"format": form, "text": text})
    try:
        completed = subprocess.run(
            [sys.executable, "-m", "zhiyin.study.notes"],
            input=order, capture_output=True, text=True, timeout=20, check=True,
        )  # fmt: skip
        notes = read_midi(base64.b64decode(json.loads(completed.stdout))).notes
    except (subprocess.SubprocessError, ValueError, TypeError, InputError):
        return None
    if not notes:
        return None
    seconds = min(_LONGEST_TUNE_S, max(note.start + note.duration for note in notes) + 0.5)
    return open_renderer("builtin").render(notes, seconds, RATE).astype("float64"), RATE


def _low_passed(samples: NDArray[np.float64], rate: int) -> NDArray[np.float64]:
    from scipy.signal import butter, sosfiltfilt

    if rate / 2 <= _ANCHOR_HZ:
        raise InputError(f"an anchor needs sound of more than {2 * _ANCHOR_HZ:g} Hz; give one")
    wave: NDArray[np.float64] = sosfiltfilt(
        butter(8, _ANCHOR_HZ, fs=rate, output="sos"), samples, axis=0
    )
    return wave


def _read_unchanged(part: Audio | Image) -> bytes:
    import hashlib

    try:
        data = read_regular(part.path)
    except OSError as error:
        raise InputError(f"{part.path}: cannot be read ({error.strerror or error})") from None
    if hashlib.sha256(data).hexdigest() != part.sha256:
        raise InputError(f"{part.path}: is another file than was asked about; put the old one back")
    return data
