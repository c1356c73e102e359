"""Clips that had to be made, kept on the disk, so that they need not be decoded again."""

from __future__ import annotations

import contextlib
import hashlib
import os
import threading
import time
from pathlib import Path

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON, UNFINISHED, cache_folder, cache_room, write_cached
from zhiyin.models.playback import Clip, SoundPolicy, load_clip, read_checked, recipe, refuse_longer
from zhiyin.trial import Audio

_DEFAULT_GB = 4.0
_ABANDONED_S = 3600.0

_Stamp = tuple[int, int, int, str]


def cache_bytes() -> int:
    """How much may be kept on the disk: ``$ZHIYIN_CACHE_GB``, or 4 GB. See `cache_room`."""
    return cache_room("ZHIYIN_CACHE_GB", _DEFAULT_GB)


class ClipCache:
    """Clips by what they are made of, in the folder ``clips`` of Zhiyin's cache.

    Several threads and processes may use the folder at once. An entry is whole or not there; a
    damaged one is made again; those not used for longest go first. Files that are sent as they
    are take no room here.

    Parameters
    ----------
    policy : SoundPolicy
    room : int, optional
        Bytes to keep; 0 keeps nothing. By default `cache_bytes`.

    Attributes
    ----------
    trouble : str
        Why nothing more is kept, where the folder cannot be written; else empty.
    """

    def __init__(self, policy: SoundPolicy, room: int | None = None) -> None:
        self._policy = policy
        self._room = cache_bytes() if room is None else room
        self._unchanged: dict[str, _Stamp] = {}
        self._lock = threading.Lock()
        self._written: int | None = None  # since the folder was last looked through
        self.trouble = ""

    def load(self, audio: Audio) -> Clip:
        """The clip for a sound, from the folder or newly made. Raises as `load_clip` does."""
        path = self._path(audio)
        clip = self._read(path) if self._room else None
        if clip is None:
            clip = load_clip(audio, self._policy)
            if clip.sent.sha256 != audio.sha256:
                self._keep(path, clip)
            return clip
        self._check_unchanged(audio)
        refuse_longer(audio, clip.seconds, self._policy)
        return clip

    def remarks(self) -> list[str]:
        """What the user should know: a line where clips could not be kept on the disk."""
        return [f"clips were not kept for the next run: {self.trouble}"] if self.trouble else []

    def _path(self, audio: Audio) -> Path:
        name = hashlib.blake2b(recipe(audio, self._policy).encode(), digest_size=20).hexdigest()
        return cache_folder("clips") / name

    def _read(self, path: Path) -> Clip | None:
        """An entry, or None where there is none that is sound."""
        try:
            clip = msgspec.msgpack.decode(path.read_bytes(), type=Clip)
        except (OSError, *NOT_JSON):
            return None
        if hashlib.sha256(clip.data).hexdigest() != clip.sent.sha256:
            return None
        with contextlib.suppress(OSError):
            os.utime(path)  # access times are not kept on most disks
        return clip

    def _check_unchanged(self, audio: Audio) -> None:
        """Read the recording to see that it is the trial's; once, as long as it is not touched."""
        stamp = None
        with contextlib.suppress(OSError):
            status = Path(audio.path).stat()
            stamp = (status.st_ino, status.st_size, status.st_mtime_ns, audio.sha256)
        if stamp is None or self._unchanged.get(audio.path) != stamp:
            read_checked(audio)
            if stamp is not None:
                self._unchanged[audio.path] = stamp

    def _keep(self, path: Path, clip: Clip) -> None:
        """Write an entry; a folder that cannot be written costs time and nothing else."""
        entry = msgspec.msgpack.encode(clip)
        if self.trouble or len(entry) > self._room // 2:
            return
        try:
            write_cached(path, entry)
        except InputError as error:
            self.trouble = str(error)
            return
        with self._lock:
            if self._written is not None:
                self._written += len(entry)
            if self._written is None or self._written > self._room // 20:
                self._written = 0
                _trim(path.parent, self._room - self._room // 20)


def _trim(folder: Path, room: int) -> None:
    """Delete the entries not used for longest until the rest fits, and what a crash left."""
    entries, now = [], time.time()
    with contextlib.suppress(OSError), os.scandir(folder) as scan:
        for entry in scan:
            with contextlib.suppress(OSError):
                stat = entry.stat()
                if not entry.name.startswith(UNFINISHED):
                    entries.append((stat.st_mtime_ns, stat.st_size, entry.path))
                elif now - stat.st_mtime > _ABANDONED_S:
                    Path(entry.path).unlink(missing_ok=True)
    total = sum(size for _, size, _ in entries)
    for _, size, path in sorted(entries):
        if total <= room:
            break
        with contextlib.suppress(OSError):
            Path(path).unlink(missing_ok=True)
            total -= size
