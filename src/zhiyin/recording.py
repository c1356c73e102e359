"""Files of sound as they are: read whole, told when they are cut off, decoded within bounds."""

from __future__ import annotations

import io
import os
import stat
import struct
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from numpy.typing import NDArray
    from soundfile import SoundFile

MOST_BYTES = 2**31
"""Bytes of the largest file that is read."""
MOST_FRAMES = 2**28
"""Samples of one channel that are decoded at most: 1 h 41 min at 44.1 kHz."""
END_S = 0.5
"""Seconds before the end that its header claims in which a recording must hold something."""
_BLOCK = 2**16
_STREAMED = 0x7FFF0000
"""Sizes from here on stand in WAV files that were written to a pipe: not known."""


def read_regular(path: str | Path) -> bytes:
    """The bytes of a file.

    Raises
    ------
    OSError
        It cannot be read, is no plain file (a device, a pipe, a folder), is larger than 2 GB, or
        has a name that no file can have.
    """
    # Not to wait for a pipe's other end; of a plain file this changes nothing.
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
    try:
        handle = os.open(path, flags)
    except ValueError:  # somebody else's data may name anything
        raise OSError(0, "its name holds a zero byte") from None
    with os.fdopen(handle, "rb") as file:
        state = os.fstat(handle)
        if not stat.S_ISREG(state.st_mode):
            raise OSError(0, "it is no plain file")
        if state.st_size > MOST_BYTES:
            raise OSError(0, f"it has {state.st_size / 1e9:.1f} GB, more than is read at once")
        return file.read()


class Bytes(io.BytesIO):
    """A recording's bytes, for libsndfile, which seeks before their beginning where they are
    damaged: an error there would be printed and not raised.
    """

    def seek(self, offset: int, whence: int = io.SEEK_SET, /) -> int:
        """Go to a place, or to the beginning for one that lies before it."""
        if whence == io.SEEK_SET:
            return super().seek(max(offset, 0))
        return super().seek(offset, whence)


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


def fault_of(source: SoundFile, data: bytes) -> str | None:
    """Why a file is not whole, or None where it is as far as can be told without decoding it all.

    Parameters
    ----------
    source : SoundFile
        The opened file. Where it stands afterwards is not said.
    data : bytes
        Its bytes.
    """
    if source.frames == 0:
        return None
    if (missing := _missing_bytes(data)) > 0:
        return f"it breaks off: {missing} of the bytes that its header names are not there"
    if data[:4] == b"OggS" and not data[data.rfind(b"OggS") + 5 :][:1] >= b"\x04":
        return "it breaks off: its last page does not end the stream"
    if not _has_an_end(source):
        claimed = source.frames / source.samplerate
        return f"it breaks off before the {claimed:.1f} s that its header claims"
    return None


def _missing_bytes(data: bytes) -> int:
    """How many bytes of its sound a RIFF/WAVE file lacks, by the sizes in it."""
    if data[:4] != b"RIFF" or data[8:12] != b"WAVE":
        return 0
    place = 12
    while place + 8 <= len(data):
        name, size = struct.unpack_from("<4sI", data, place)
        if name == b"data":
            return 0 if size >= _STREAMED else max(0, size - (len(data) - place - 8))
        place += 8 + size + size % 2
    return 0


def _has_an_end(source: SoundFile) -> bool:
    """Whether there is any sound in the last half second that the header claims."""
    import soundfile

    try:
        source.seek(max(0, source.frames - round(END_S * source.samplerate)))
        return len(source.read(_BLOCK, dtype="int16", always_2d=True)) > 0
    except soundfile.SoundFileError:
        return False
