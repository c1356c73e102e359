"""A folder of runs as a lab book: list, notes, progress, comparison, history; served here alone.

Labels, tags and notes on a run and on its single replies: lines that are only ever added.
"""

from __future__ import annotations

import fcntl
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.errors import InputError, reworded, system_words
from zhiyin.files import NOT_JSON, read_regular
from zhiyin.words import said

NOTES = "notes.jsonl"
MOST_LETTERS = 10_000
Kind = Literal["label", "tag", "untag", "note", "strike"]


class NoteLine(msgspec.Struct, frozen=True, omit_defaults=True):
    """One line of the file.

    Attributes
    ----------
    kind : {"label", "tag", "untag", "note", "strike"}
        "strike" takes back the note that was made at the time which `text` names.
    text : str
    trial : str
        Of a reply; empty for the run.
    at : str
        When, in UTC.
    """

    kind: Kind
    text: str
    trial: str = ""
    at: str = ""


class Remarks(msgspec.Struct):
    """Final state of a run's or a reply's remarks after all lines: `notes` are (when, text)."""

    label: str = ""
    tags: list[str] = []
    notes: list[tuple[str, str]] = []


class Notebook:
    """The labels, tags and notes of one run.

    Parameters
    ----------
    folder : Path
        Of the run.

    Attributes
    ----------
    run : Remarks
    replies : dict of str to Remarks
        By trial.
    damaged : int
        Lines that could not be read; they stay in the file.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / NOTES
        self.run, self.replies, self.damaged = Remarks(), dict[str, Remarks](), 0
        try:
            lines = read_regular(self.path).split(b"\n")
        except FileNotFoundError:
            return
        except OSError as error:
            raise InputError(
                said("error-cannot-read", path=self.path, why=system_words(error))
            ) from None
        for line in filter(None, lines):
            try:
                self._take(msgspec.json.decode(line, type=NoteLine))
            except NOT_JSON:
                self.damaged += 1

    def of(self, trial: str = "") -> Remarks:
        """The remarks on a reply, or on the run."""
        return self.replies.get(trial, Remarks()) if trial else self.run

    def add(self, kind: Kind, text: str, trial: str = "") -> None:
        """Write a line; it is on the disk when this returns.

        Two writers do not disturb each other: a line is added under a lock, in one piece, after a
        line that somebody's death left torn.

        Raises
        ------
        InputError
            Nothing to write, too much of it, or the file cannot be written.
        """
        text = text.strip() if kind == "note" else " ".join(text.split())
        if not text and kind != "label":
            raise InputError(said("labbook-empty", kind=kind))
        if len(text) > MOST_LETTERS:
            raise InputError(said("labbook-long", kind=kind, text=len(text), most=MOST_LETTERS))
        line = NoteLine(kind, text, trial, datetime.now(UTC).isoformat(timespec="milliseconds"))
        with (
            reworded(said("error-not-written", path=self.path, why="")),
            self.path.open("ab+") as file,
        ):
            fcntl.flock(file, fcntl.LOCK_EX)
            size = file.seek(0, os.SEEK_END)
            torn = b""
            if size:
                file.seek(size - 1)
                torn = b"" if file.read(1) == b"\n" else b"\n"
            file.write(torn + msgspec.json.encode(line) + b"\n")
            file.flush()
            os.fsync(file.fileno())
        self._take(line)

    def _take(self, line: NoteLine) -> None:
        remarks = self.replies.setdefault(line.trial, Remarks()) if line.trial else self.run
        if line.kind == "label":
            remarks.label = line.text
        elif line.kind == "tag" and line.text not in remarks.tags:
            remarks.tags.append(line.text)
        elif line.kind == "untag":
            remarks.tags = [tag for tag in remarks.tags if tag != line.text]
        elif line.kind == "note":
            remarks.notes.append((line.at, line.text))
        elif line.kind == "strike":
            remarks.notes = [note for note in remarks.notes if note[0] != line.text]
