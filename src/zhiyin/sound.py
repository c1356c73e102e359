"""Reading sound: from a file of any common format to mono samples, and to an audio part.

Files are read whole, told when they are cut off, and decoded within bounds.
"""

from __future__ import annotations

import hashlib
import io
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.errors import InputError, system_words
from zhiyin.files import read_regular
from zhiyin.trial import Audio
from zhiyin.words import Said, said

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray
    from soundfile import SoundFile


MOST_FRAMES = 2**28
"""Samples of one channel that are decoded at most: 1 h 41 min at 44.1 kHz."""
END_S = 0.5
"""Seconds before the end that its header claims in which a recording must hold something."""
_BLOCK = 2**16
_STREAMED = 10**9
"""Sizes from here on stand in WAV files that were written to a pipe: not known."""
_CHUNKS = (b"fmt ", b"data", b"LIST", b"fact", b"bext", b"cue ", b"smpl", b"JUNK", b"id3 ", b"PEAK")


class Bytes(io.BytesIO):
    """A recording's bytes, for libsndfile, which seeks before their beginning where they are
    damaged: an error there would be printed and not raised.
    """

    def __repr__(self) -> str:
        """Name it as errors of libsndfile are to."""
        return "the recording"

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a place, or to the beginning for one that lies before it."""
        if whence == io.SEEK_SET:
            return super().seek(max(offset, 0))
        return super().seek(offset, whence)


def mended(data: bytes) -> bytes:
    """A WAV file that a decoder reads to its end; any other file as it is.

    Written to a pipe its sizes are 0 or huge, and some programs put the format behind the sound, or
    leave out the byte after a part of odd length. Then it is written anew: the format, and the
    sound.
    """
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return data
    parts: dict[bytes, bytes] = {}
    place, odd = 12, False
    while place + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, place)
        begin, left = place + 8, len(data) - place - 8
        if name == b"data" and (
            size >= _STREAMED or (size == 0 and left and data[begin : begin + 4] not in _CHUNKS)
        ):
            size, odd = left, True
        odd |= name == b"data" and b"fmt " not in parts
        parts.setdefault(name, data[begin : begin + size])
        place = begin + size
        if size % 2 and data[place : place + 4] in _CHUNKS:
            odd = True
        else:
            place += size % 2
    if not odd or b"fmt " not in parts or b"data" not in parts:
        return data
    kept = b"".join(
        name + struct.pack("<I", len(parts[name])) + parts[name] for name in (b"fmt ", b"data")
    )
    return b"RIFF" + struct.pack("<I", 4 + len(kept)) + b"WAVE" + kept


def decoder(data: bytes) -> SoundFile:
    """Open a decoder for a recording. Raises as soundfile does."""
    import soundfile

    return soundfile.SoundFile(Bytes(mended(data)))


def blocks(
    source: SoundFile, frames: int | None = None, dtype: str = "float32"
) -> Iterator[NDArray[Any]]:
    """The samples from where the source stands, block by block, shape (n, channels).

    What a header claims costs nothing here: memory is taken for what is there.

    Parameters
    ----------
    source : SoundFile
    frames : int, optional
        How many samples of each channel; None for all.
    dtype : {"float32", "int16"}

    Raises
    ------
    ValueError
        There are more than `MOST_FRAMES`.
    """
    left = MOST_FRAMES + 1 if frames is None else frames
    read = 0
    while left > 0 and len(block := source.read(min(left, _BLOCK), dtype=dtype, always_2d=True)):
        read, left = read + len(block), left - len(block)
        if read > MOST_FRAMES:
            raise ValueError(f"more than {MOST_FRAMES} samples")
        yield block


def fault_of(source: SoundFile, data: bytes) -> Said | None:
    """Explain why a file is not whole; None if it is, as far as a partial decoding can tell.

    Parameters
    ----------
    source : SoundFile
        The opened file. Where it stands afterwards is not said.
    data : bytes
        Its bytes.
    """
    if source.frames == 0:
        return None
    if (missing := _missing_bytes(mended(data))) > 0:
        return said("sound-bytes-missing", n=missing)
    if data[:4] == b"OggS" and not data[data.rfind(b"OggS") + 5 :][:1] >= b"\x04":
        return said("sound-no-last-page")
    if not _has_an_end(source):
        claimed = source.frames / source.samplerate
        return said("sound-shorter", claimed=f"{claimed:.1f}")
    return None


def _missing_bytes(data: bytes) -> int:
    """Count the bytes of its sound that a RIFF/WAVE file lacks, by the sizes in it."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return 0
    place = 12
    while place + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, place)
        if name == b"data":
            return max(0, int(size) - (len(data) - place - 8))
        place += 8 + size + size % 2
    return 0


def _has_an_end(source: SoundFile) -> bool:
    """Tell whether there is any sound in the last half second that the header claims."""
    import soundfile

    try:
        source.seek(max(0, source.frames - round(END_S * source.samplerate)))
        return len(source.read(_BLOCK, dtype="int16", always_2d=True)) > 0
    except soundfile.SoundFileError:
        return False


MEND = said("sound-mend")


@dataclass(frozen=True)
class Sound:
    """Sound in memory.

    Attributes
    ----------
    samples : ndarray of float32, shape (n,)
        One channel; full scale is -1 to 1.
    rate : int
        Samples per second (Hz).
    """

    samples: NDArray[np.float32]
    rate: int

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return len(self.samples) / self.rate


def read_sound(source: str | Path | bytes) -> Sound:
    """Decode a whole recording and mix its channels down to one.

    The container is told by its contents, not by the file's name: MP3 data in a file that is
    named .wav is read as well.

    Parameters
    ----------
    source : str, Path or bytes
        The file's place, or the bytes of a file.

    Returns
    -------
    Sound
        The mean of all channels, at the file's own rate.

    Raises
    ------
    InputError
        Where there is no such file, it is not audio, it holds no samples, or a sample is not
        a finite number.
    """
    import numpy as np
    import soundfile

    name = "audio data" if isinstance(source, bytes) else str(source)
    try:
        data = source if isinstance(source, bytes) else read_regular(source)
        with decoder(data) as file:
            rate = file.samplerate
            parts = [_mixed(part) for part in blocks(file)]
    except OSError as problem:
        raise InputError(said("sound-unread", name=name, what=system_words(problem))) from None
    except (soundfile.SoundFileError, TypeError, ValueError):
        raise InputError(said("sound-undecoded", name=name, mend=MEND)) from None
    if not parts:
        raise InputError(said("sound-empty", name=name, mend=MEND))
    mono = np.concatenate(parts)
    if not np.isfinite(mono).all():
        place = int(np.argmin(np.isfinite(mono))) / rate
        raise InputError(said("sound-nan", name=name, place=f"{place:.3f}"))
    return Sound(mono, int(rate))


def _mixed(part: NDArray[np.float32]) -> NDArray[np.float32]:
    """The mean of all channels, shape (n,): of one, that channel."""
    return part[:, 0] if part.shape[1] == 1 else part.mean(axis=1)


def audio_part(path: str | Path) -> Audio:
    """The audio part of a message for a file: its place, hash and duration.

    Only header and end are decoded, so that thousands of files can be named quickly.

    Raises
    ------
    InputError
        Where there is no such file, it is not audio, it holds no samples, or less than its
        header claims.
    """
    import soundfile

    try:
        data = read_regular(path)
        with decoder(data) as file:
            frames, rate = file.frames, file.samplerate
            fault = fault_of(file, data)
    except OSError as problem:
        raise InputError(said("sound-unread", name=path, what=system_words(problem))) from None
    except (soundfile.SoundFileError, TypeError, ValueError):
        raise InputError(said("sound-undecoded", name=path, mend=MEND)) from None
    if frames == 0:
        raise InputError(said("sound-empty", name=path, mend=MEND))
    if fault:
        raise InputError(said("sound-broken", name=path, fault=fault))
    # Absolute: a log is read from other folders than the one where the run began.
    place = str(Path(path).absolute())
    return Audio(place, hashlib.sha256(data).hexdigest(), frames / rate)


def resample(sound: Sound, rate: int) -> Sound:
    """The same sound at another rate, band-limited (polyphase filter).

    Parameters
    ----------
    sound : Sound
    rate : int
        The wanted rate in Hz, above 0.

    Raises
    ------
    InputError
        Where `rate` is not above 0.
    """
    if rate <= 0:
        raise InputError(said("sound-rate", rate=str(rate)))
    if rate == sound.rate:
        return sound
    import numpy as np
    from scipy.signal import resample_poly

    ratio = Fraction(rate, sound.rate)
    samples = resample_poly(sound.samples, ratio.numerator, ratio.denominator)
    return Sound(samples.astype(np.float32), rate)
