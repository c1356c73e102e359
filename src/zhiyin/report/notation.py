"""Engraved notation: finds ABC and MIDI in a trial's words and has them drawn as SVG."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.util
import json
import os
import queue
import re
import select
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from importlib.metadata import version
from pathlib import Path

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.report.engraver import PATIENCE_S
from zhiyin.report.mei import write_mei
from zhiyin.trial import Text, Trial
from zhiyin.words import Said, said

Progress = Callable[[int, int], None]
"""Is given how many of how many tunes are engraved."""
_WORKERS = min(4, os.cpu_count() or 1)
_TOLD_EVERY_S = 0.2
_LONGEST = 20_000
"""Characters of the longest tune that is engraved."""

_TUNE = re.compile(r"^X:[^\n]*\n(?:[^\n]+\n?)+", re.MULTILINE)
_HEADER = re.compile(r"^[LMK]:[^\n]*$", re.MULTILINE)
_MIDI = re.compile(r"(?:Identifier: `([^`\n]{1,40})`\s*+)?(BEGIN MIDI\n)")
_MIDI_END = "\nEND MIDI"
_NOTES = re.compile(rb'^<svg data-notes="([^"]*)"')
_NOTED = re.compile(rb'^<svg data-notes="[^"]*" ')
_HEAD = 60_000
_BARS = re.compile(r"[^A-Ga-gz]*+[A-Ga-gz][^|]*+\|")


class Tune(msgspec.Struct, frozen=True):
    """Something to engrave: where it stands in the trial, its format, its text."""

    label: str
    format: str
    text: str

    @property
    def id(self) -> str:
        """A name made of the contents alone."""
        return hashlib.sha256(f"{self.format}\0{self.text}".encode()).hexdigest()[:32]


def find_tunes(trial: Trial) -> list[Tune]:
    """The tunes in what a trial asks: ABC in the stem, its continuations, MIDI in the prompt."""
    tunes = []
    if "X:" in trial.stem and (tune := _TUNE.search(trial.stem[:_LONGEST])):
        tunes.append(Tune("tune", "abc", tune[0]))
        header = "\n".join(("X:1", *_HEADER.findall(tune[0])))
        for option in trial.options:
            if len(option.text) < _LONGEST and _BARS.match(option.text):
                tunes.append(Tune(option.letter, "abc", f"{header}\n{option.text}\n"))
    if trial.messages:
        parts = trial.messages[-1].parts
        words = "\n".join([part.text for part in parts if isinstance(part, Text)])
        for number, (label, block) in enumerate(_midi_blocks(words[: 10 * _LONGEST]), 1):
            with contextlib.suppress(InputError):
                tunes.append(Tune(label or f"MIDI {number}", "mei", write_mei(block)))
    return tunes


def _midi_blocks(words: str) -> Iterator[tuple[str | None, str]]:
    """Each block of MIDI text, with the identifier that stands before it, if any."""
    if _MIDI_END not in words:
        return
    place = 0
    while (begun := _MIDI.search(words, place)) is not None:
        end = words.find(_MIDI_END, begun.end())
        if end < 0:
            return
        place = end + len(_MIDI_END)
        yield begun[1], words[begun.start(2) : place]


def silent(done: int, of: int) -> None:
    """Tell nothing."""


class Library:
    """Tunes named, and their engravings, kept in a cache between reports.

    Parameters
    ----------
    cache : Path
        Folder of the engravings, by tune and version of Verovio. An empty file stands for a
        tune that Verovio cannot read.
    wanted : bool
        Whether tunes are engraved at all.
    progress : callable
        Is told how far `finish` has come.
    """

    def __init__(self, cache: Path, *, wanted: bool = True, progress: Progress = silent) -> None:
        self.wanted, self._progress = wanted, progress
        self.available = importlib.util.find_spec("verovio") is not None
        label = version("verovio") if self.available else "none"
        self._cache = cache / f"verovio-{label}-slim"
        self.tunes: dict[str, Tune] = {}
        self._waiting: queue.SimpleQueue[Tune | None] = queue.SimpleQueue()
        self._workers: list[threading.Thread] = []
        self._lock = threading.Lock()
        self._done = 0
        self._uncached: dict[str, bytes] = {}

    def want(self, tune: Tune) -> str:
        """Name a tune, to be engraved. Returns its id."""
        name = tune.id
        if name not in self.tunes:
            self.tunes[name] = tune
            if self._workers:
                self._waiting.put(tune)
        return name

    def start(self) -> None:
        """Engrave in the background all that is named from now on."""
        if not self.available or not self.wanted:
            return
        self._workers = [threading.Thread(target=self._work) for _ in range(_WORKERS)]
        for worker in self._workers:
            worker.start()

    def finish(self) -> None:
        """Wait until every tune that was named is engraved."""
        for _ in self._workers:
            self._waiting.put(None)
        for worker in self._workers:
            while worker.is_alive():
                worker.join(_TOLD_EVERY_S)
                self._progress(self._done, len(self.tunes))
        self._workers = []

    def stop(self) -> None:
        """Leave what is not engraved yet: the report has failed elsewhere."""
        with contextlib.suppress(queue.Empty):
            while True:
                self._waiting.get_nowait()
        self.finish()

    def _work(self) -> None:
        press = Press()
        try:
            while (tune := self._waiting.get()) is not None:
                self._engrave(tune, press)
                with self._lock:
                    self._done += 1
        finally:
            press.close()

    def engraving(self, name: str) -> bytes | None:
        """The SVG of a tune that was wanted, engraved now if need be; None where it cannot be.

        Raises
        ------
        InputError
            When nobody has wanted such a tune.
        """
        tune = self.tunes.get(name)
        if tune is None:
            raise InputError(f"{name!r} is no tune of these runs: take one that a trial names")
        path = self._path(name)
        if not path.is_file() and self.available:
            with self._lock:
                press = Press()
                try:
                    self._engrave(tune, press)
                finally:
                    press.close()
        return self.kept(name) or None

    def kept(self, name: str) -> bytes | None:
        """The SVG of a tune; b"" where Verovio cannot read it, None where it is not engraved."""
        if not self.wanted:
            return None
        path = self._path(name)
        return path.read_bytes() if path.is_file() else self._uncached.get(name)

    def _engrave(self, tune: Tune, press: Press) -> None:
        path = self._path(tune.id)
        if path.is_file():
            return
        svg = slim(press.engrave(tune) or "").encode()
        try:
            path.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(path, svg)
        except OSError:  # a cache that is full, or that others may write
            self._uncached[tune.id] = svg

    def _path(self, name: str) -> Path:
        return self._cache / f"{name}.svg"


def notes_of(svg: bytes) -> str:
    """The notes that an engraving carries: "onset,length,pitch;…", in ms and MIDI numbers."""
    match = _NOTES.search(svg[:_HEAD])
    return match[1].decode() if match else ""


_GAPS = re.compile(r">\s+<")
_NAMED = re.compile(r'<g id="(?![0-9A-F]{4}-)[^"]*"')
"""Groups but those of the signs, which are drawn by their name."""


def slim(svg: str) -> str:
    """An engraving as it is kept: without blanks and names that nothing refers to."""
    return _NAMED.sub("<g", _GAPS.sub("><", svg))


def engravings(tunes: Library) -> Iterator[tuple[str, bytes, str]]:
    """Of each engraved tune its name, its picture, and what sounds in it; see `notes_of`."""
    for name in tunes.tunes:
        if svg := tunes.kept(name):
            yield name, _NOTED.sub(b"<svg ", svg), notes_of(svg)


def lost_tunes(tunes: Library, engraved: int) -> list[Said]:
    """What to say of tunes that are not engraved."""
    if tunes.wanted and tunes.tunes and not tunes.available:
        return [said("without-notation")]
    if tunes.wanted and (unread := len(tunes.tunes) - engraved):
        return [said("without-tunes", n=unread)]
    return []


class Press:
    """One engraving process (`zhiyin.report.engraver`), started anew when it has died."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None

    def engrave(self, tune: Tune) -> str | None:
        """The SVG of a tune; None where Verovio cannot read it, dies of it or takes too long.

        Where it died, another one tries once more: the first may have been killed by somebody.
        """
        for _ in range(2):
            with contextlib.suppress(OSError, ValueError):
                svg = json.loads(self._ask(tune))
                return svg if isinstance(svg, str) else None
            self.close()
        return None

    def _ask(self, tune: Tune) -> bytes:
        if self._process is None:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "zhiyin.report.engraver"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                start_new_session=True,  # a Ctrl-C is meant for the report, and ends it in order
            )
        order = json.dumps({"format": tune.format, "text": tune.text}).encode() + b"\n"
        return self._talk(self._process, order)

    def _talk(self, process: subprocess.Popen[bytes], order: bytes) -> bytes:
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(order)
        process.stdin.flush()
        pieces: list[bytes] = []
        until = time.monotonic() + PATIENCE_S + 5
        while not pieces or not pieces[-1].endswith(b"\n"):
            ready, _, _ = select.select(
                [process.stdout], [], [], max(0.0, until - time.monotonic())
            )
            piece = os.read(process.stdout.fileno(), 1 << 20) if ready else b""
            if not piece:
                raise OSError("the engraver died, or takes too long")
            pieces.append(piece)
        return b"".join(pieces)

    def close(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.kill()
            self._process.communicate()
            self._process = None
