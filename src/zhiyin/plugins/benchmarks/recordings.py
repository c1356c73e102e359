"""Recordings of a benchmark: where they are, what is wrong with them, and what is played."""

from __future__ import annotations

import hashlib
import threading
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path, PurePosixPath
from typing import Literal, get_args

import msgspec

from zhiyin.benchmarks.questions.flaws import SILENT, cancels
from zhiyin.contract.control_sounds import noise_like, silence_like
from zhiyin.contract.declared import Flaw
from zhiyin.errors import InputError
from zhiyin.files import inside, one_form, read_regular
from zhiyin.sound import audio_part, blocks, decoder, fault_of
from zhiyin.trial import Audio
from zhiyin.words import Text, said

Played = Literal["true", "none", "silence", "noise"]
PLAYED: tuple[Played, ...] = get_args(Played)
"""What may be played: the recording itself, nothing, digital silence, white noise."""
ENDINGS = frozenset(
    (".wav", ".flac", ".mp3", ".ogg", ".oga", ".opus", ".aif", ".aiff", ".au", ".caf")
)
"""Of files that are read as recordings."""
SHORT_S = 0.5
"""By how many seconds a recording may fall short of what is declared."""
_THREADS, _SHOWN = 2, 3


class Recording(msgspec.Struct, frozen=True):
    """A track's recording and where it is.

    Attributes
    ----------
    name : str
        How messages call it: a path, or a row of a Parquet file.
    open : callable
        Gives the path of the file; what is packed is unpacked first.
    declared : float or None
        How long it should last, in seconds; None where nothing says so.
    """

    name: str
    open: Callable[[], Path]
    declared: float | None = None


class RecordingSet:
    """The recordings that a set of questions names, and what is played in their place.

    A recording is looked for where the data say; then under the same name with any other ending of
    sound in that folder, in ``audio/``, and in the folder of the data itself. Only headers are
    decoded, but for noise, whose level is the recording's. Several threads may ask at once.

    Parameters
    ----------
    root : Path
        Folder of the data.
    wanted : iterable of str
        The recordings as the data name them, paths below `root`.
    found : mapping of str to Recording, optional
        Those that are here, where the data lay them out in a way of their own.

    Attributes
    ----------
    found : dict of str to Recording
        Those that are here, in the order of the data.
    missing : list of str
        The others.

    Raises
    ------
    InputError
        A name leaves the folder, or two files could be meant by one.
    """

    def __init__(
        self, root: Path, wanted: Iterable[str], found: Mapping[str, Recording] | None = None
    ) -> None:
        self.root = root
        names = list(dict.fromkeys(wanted))
        here = _find_recordings(root, names) if found is None else found
        self.found = {name: here[name] for name in names if name in here}
        self.missing = [name for name in names if name not in here]
        self._locks: defaultdict[str, threading.Lock] = defaultdict(threading.Lock)
        self._whole: dict[str, Audio] = {}
        self._made: dict[str, Audio] = {}

    def require(self, *, partial: bool, instead: Text = "") -> None:
        """Raise `InputError` where recordings are missing and `partial` does not allow it.

        `instead` says how to ask where there are none at all.
        """
        if self.missing and not (partial and self.found):
            total = len(self.missing) + len(self.found)
            raise InputError(said(
                "recordings-missing", root=self.root, missing=str(len(self.missing)),
                of=str(total), shown=self.missing[:_SHOWN], more=len(self.missing) > _SHOWN,
                partial=bool(self.found), instead=(not self.found and instead) or None,
            ))  # fmt: skip

    def absent(self) -> list[Flaw]:
        """List what is missing, as flaws of the data."""
        return [Flaw("missing", "", name, said("flaw-missing")) for name in self.missing]

    def whole(self, name: str) -> Audio:
        """A whole recording. Raises `InputError` where it cannot be read."""
        with self._locks[name]:
            if name not in self._whole:
                self._whole[name] = audio_part(self.found[name].open())
            return self._whole[name]

    def play(
        self,
        name: str,
        what: str,
        seed: int = 0,
        start: float | None = None,
        end: float | None = None,
    ) -> Audio | None:
        """Return the sound to play for a question about a recording; None for nothing.

        Parameters
        ----------
        name : str
            As the data name it.
        what : {"true", "none", "silence", "noise"}
        seed : int
            Of the noise.
        start, end : float or None
            The part that the question is about, in seconds; None for the whole.

        Raises
        ------
        InputError
            The recording cannot be read, noise cannot be made, or it ends before `start`.
        """
        if what == "none":
            return None
        part = self._part(name, start, end)
        if what == "true":
            return part
        key = f"{name} {what} {seed} {start} {end}"
        with self._locks[key]:
            if key not in self._made:
                silent = what == "silence"
                self._made[key] = silence_like(part) if silent else noise_like(part, str(seed))
            return self._made[key]

    def _part(self, name: str, start: float | None, end: float | None) -> Audio:
        whole = self.whole(name)
        if start is not None and start >= whole.seconds:
            raise InputError(said(
                "recordings-ends", path=whole.path, seconds=f"{whole.seconds:.1f}",
                start=f"{start:g}",
            ))  # fmt: skip
        end = None if end is None or end >= whole.seconds else end
        return msgspec.structs.replace(whole, start=start, end=end)


def recording_at(path: Path, declared: float | None = None) -> Recording:
    """The recording that a file is."""
    return Recording(str(path), lambda: path, declared)


def _find_recordings(root: Path, names: Sequence[str]) -> dict[str, Recording]:
    """The recordings that are here, by the names of the data."""
    stems = Counter(one_form(PurePosixPath(name).stem) for name in names)
    folders: dict[Path, dict[str, Path]] = {}
    found: dict[str, Recording] = {}
    for name in names:
        path, stem = inside(root, name), one_form(PurePosixPath(name).stem)
        if path.is_file() and path.suffix.lower() in ENDINGS:
            found[name] = recording_at(path)
            continue
        # Two recordings of one name in two folders: a file in another folder could be either.
        others = (root / "audio", root) if stems[stem] == 1 else ()
        for folder in dict.fromkeys((path.parent, *others)):
            if folder not in folders:
                folders[folder] = files_by_stem(folder)
            if stem in folders[folder]:
                found[name] = recording_at(folders[folder][stem])
                break
        else:
            if path.is_file():
                found[name] = recording_at(path)
    return found


def files_by_stem(
    folder: Path, *, endings: frozenset[str] | None = ENDINGS, without: str = ""
) -> dict[str, Path]:
    """The files in a folder by their names without the ending.

    Parameters
    ----------
    folder : Path
    endings : frozenset of str or None
        Which files count, in small letters with the dot; None for all.
    without : str
        What may stand before the ending and is no part of the name.

    Raises
    ------
    InputError
        Two files could be meant by one name.
    """
    by_stem: dict[str, Path] = {}
    for path in sorted(folder.iterdir()) if folder.is_dir() else []:
        if path.name.startswith(".") or not path.is_file():
            continue
        if endings is not None and path.suffix.lower() not in endings:
            continue
        stem = one_form(path.stem.removesuffix(without))
        if stem in by_stem:
            raise InputError(said("recordings-two", path=path, name=by_stem[stem].name, stem=stem))
        by_stem[stem] = path
    return by_stem


class Decoded(msgspec.Struct, frozen=True):
    """Result of decoding a recording.

    `seconds` decoded and `header_s` as the header says; `peak` of all samples; `sha256` of the
    decoded samples; `error` where nothing could be decoded; `fault` where it is not whole;
    `cancels` where its channels leave nothing when they are mixed.
    """

    seconds: float = 0.0
    header_s: float = 0.0
    peak: float = 0.0
    sha256: str = ""
    error: str = ""
    fault: str = ""
    cancels: bool = False


def recording_flaws(recordings: Mapping[str, Recording]) -> Iterator[Flaw]:
    """Yield the flaws of the recordings, in the order of the data."""
    first_places: dict[str, str] = {}
    with ThreadPoolExecutor(_THREADS) as pool:
        results = pool.map(_decode, recordings.values())
        for (place, recording), decoded in zip(recordings.items(), results, strict=True):
            for kind, detail in _decoded_flaws(recording, decoded):
                yield Flaw(kind, recording.name, place, detail)
            if decoded.error or decoded.peak < SILENT:
                continue
            if (twin := first_places.setdefault(decoded.sha256, place)) != place:
                yield Flaw("duplicate", recording.name, place, said("flaw-sounds-like", twin=twin))


def _decoded_flaws(recording: Recording, decoded: Decoded) -> Iterator[tuple[str, Text]]:
    if decoded.error:
        yield "unreadable", decoded.error
        return
    seconds = f"{decoded.seconds:.1f}"
    if decoded.peak < SILENT:
        yield "silent", said("flaw-silent", seconds=seconds)
    if decoded.cancels:
        yield "cancels-in-mono", said("flaw-cancels")
    declared = decoded.header_s if recording.declared is None else recording.declared
    if decoded.seconds < declared - SHORT_S:
        says = "header" if recording.declared is None else "data"
        yield "short", said("flaw-short", seconds=seconds, says=says, declared=f"{declared:.1f}")
    elif decoded.fault:
        yield "broken-off", said("flaw-broken-off", fault=decoded.fault, seconds=seconds)


def _decode(recording: Recording) -> Decoded:
    """Decode a recording block by block, so that its length costs no memory."""
    import numpy as np
    import soundfile

    digest = hashlib.sha256()
    peak, mono, frames = 0.0, 0.0, 0
    try:
        data = read_regular(recording.open())
        with decoder(data) as source:
            rate, header = source.samplerate, source.frames
            fault = str(fault_of(source, data) or "")
            source.seek(0)
            digest.update(f"{rate} {source.channels}".encode())
            for block in blocks(source):
                if not np.isfinite(block).all():
                    return Decoded(error="holds samples that are no numbers")
                digest.update(block.tobytes())
                peak = max(peak, float(np.abs(block).max()))
                mono = max(mono, float(np.abs(block.mean(axis=1)).max()))
                frames += len(block)
    except (OSError, soundfile.SoundFileError, TypeError, ValueError, InputError) as error:
        return Decoded(error=f"cannot be decoded ({' '.join(str(error).split())})")
    if not frames:
        return Decoded(error="holds no samples")
    return Decoded(
        frames / rate, header / rate, peak, digest.hexdigest(), fault=fault or "",
        cancels=cancels(mono, peak),
    )  # fmt: skip
