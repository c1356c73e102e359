"""The batches that were handed in, kept in the run folder, so that none is handed in twice.

``RUN/batches.jsonl`` has two lines for a batch: one before it is handed in, with the ids of its
requests, and one with the name that the provider gave it. After a kill between the two the batch
is looked up at the provider by the first line.
"""

from __future__ import annotations

import os
import time
from pathlib import Path

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import NOT_JSON

BATCHES = "batches.jsonl"


class Line(msgspec.Struct, omit_defaults=True):
    """A line of the journal.

    Attributes
    ----------
    token : str
        Our own name of the batch; the provider keeps it where it can.
    at : float
        Seconds since 1970.
    ids : list of str
        Of the requests, in the line before a batch is handed in.
    batch : str
        The provider's name of the batch, in the line after.
    lost : bool
        The provider has no such batch: it was never handed in.
    """

    token: str
    at: float
    ids: list[str] = []
    batch: str = ""
    lost: bool = False


class Submitted(msgspec.Struct):
    """A batch that was handed in, or was about to be; `earlier`: by another session."""

    token: str
    at: float
    ids: list[str]
    batch: str = ""
    earlier: bool = False


class Journal:
    """The batches of a run.

    Parameters
    ----------
    folder : Path
        Of the run.

    Attributes
    ----------
    batches : dict of str to Submitted
        By our own name, those that were never handed in left out.

    Raises
    ------
    InputError
        Where the file is damaged, or cannot be written.
    """

    def __init__(self, folder: Path) -> None:
        self.path = folder / BATCHES
        self.batches: dict[str, Submitted] = {}
        whole = b""
        if self.path.exists():
            data = self.path.read_bytes()
            whole = data[: data.rfind(b"\n") + 1]  # a torn last line was never acted upon
            if len(whole) < len(data):
                os.truncate(self.path, len(whole))
        for number, text in enumerate(whole.splitlines(), 1):
            try:
                line = msgspec.json.decode(text, type=Line)
            except NOT_JSON as error:
                raise InputError(
                    f"{self.path}, line {number}: no line of the journal ({error}); delete it, and "
                    "its requests are handed in again"
                ) from None
            if line.lost:
                self.batches.pop(line.token, None)
            elif line.batch and line.token in self.batches:
                self.batches[line.token].batch = line.batch
            elif line.ids:
                self.batches[line.token] = Submitted(line.token, line.at, line.ids, earlier=True)

    def begin(self, ids: list[str]) -> Submitted:
        """Write down that requests are about to be handed in."""
        token = f"zhiyin-{os.urandom(12).hex()}"
        submitted = self.batches[token] = Submitted(token, time.time(), ids)
        self._write(Line(token, submitted.at, ids))
        return submitted

    def made(self, submitted: Submitted, batch: str) -> None:
        """Write down what the provider calls a batch."""
        submitted.batch = batch
        self._write(Line(submitted.token, time.time(), batch=batch))

    def lost(self, submitted: Submitted) -> None:
        """Write down that a batch was never handed in."""
        self.batches.pop(submitted.token, None)
        self._write(Line(submitted.token, time.time(), lost=True))

    def _write(self, line: Line) -> None:
        try:
            with self.path.open("ab") as file:
                file.write(msgspec.json.encode(line) + b"\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise InputError(
                f"{self.path}: cannot be written ({error.strerror}): nothing is handed in that "
                "could be handed in twice"
            ) from None
