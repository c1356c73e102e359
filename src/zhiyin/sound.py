"""Reading sound: from a file of any common format to mono samples, and to an audio part."""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from zhiyin.errors import InputError
from zhiyin.recording import Bytes, blocks, fault_of, read_regular
from zhiyin.trial import Audio

if TYPE_CHECKING:
    from numpy.typing import NDArray

MEND = "give a WAV, FLAC, OGG or MP3 file"


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
    import soundfile

    name = "audio data" if isinstance(source, bytes) else str(source)
    try:
        data = source if isinstance(source, bytes) else read_regular(source)
        with soundfile.SoundFile(Bytes(data)) as file:
            rate = file.samplerate
            parts = [part.mean(axis=1, dtype=np.float32) for part in blocks(file)]
    except OSError as problem:
        raise InputError(f"{name}: cannot be read ({problem.strerror or problem})") from None
    except (soundfile.SoundFileError, TypeError, ValueError):
        raise InputError(f"{name}: not audio that can be decoded; {MEND}") from None
    if not parts:
        raise InputError(f"{name}: holds no samples; {MEND} that is not empty")
    mono = np.concatenate(parts)
    if not np.isfinite(mono).all():
        place = int(np.argmin(np.isfinite(mono))) / rate
        raise InputError(f"{name}: a sample at {place:.3f} s is not a number; export it again")
    return Sound(mono, int(rate))


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
        with soundfile.SoundFile(Bytes(data)) as file:
            frames, rate = file.frames, file.samplerate
            fault = fault_of(file, data)
    except OSError as problem:
        raise InputError(f"{path}: cannot be read ({problem.strerror or problem})") from None
    except (soundfile.SoundFileError, TypeError, ValueError):
        raise InputError(f"{path}: not audio that can be decoded; {MEND}") from None
    if frames == 0:
        raise InputError(f"{path}: holds no samples; {MEND} that is not empty")
    if fault:
        raise InputError(f"{path}: {fault}; fetch the file again")
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
        raise InputError(f"sample rate {rate} Hz is not above 0: give a rate such as 16000")
    if rate == sound.rate:
        return sound
    from scipy.signal import resample_poly

    ratio = Fraction(rate, sound.rate)
    samples = resample_poly(sound.samples, ratio.numerator, ratio.denominator)
    return Sound(samples.astype(np.float32), rate)
