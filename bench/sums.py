"""What the sums of a run cost: one pass over the log, against writing and against counting it.

``python bench/sums.py [RECORDS]``
"""

from __future__ import annotations

import sys
import tempfile
import time
from pathlib import Path
from unittest import mock

from zhiyin.engine.folder import RECORDS
from zhiyin.engine.log import Manifest, RunFolder
from zhiyin.engine.sums import seal
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.runs.figures import figures
from zhiyin.runs.table import RunTable
from zhiyin.session.verifying import verify
from zhiyin.trial import Option, Trial, say


def record(number: int) -> Record:
    """A record of the usual length."""
    options = tuple(Option(letter, "a word or two", letter) for letter in "ABCD")
    asked = say("user", "Which of these is right? " * 30)
    trial = Trial(f"t/{number}", (asked,), "Which?", options, "A", groups=("x", "x/y"))
    return Record(trial.id, Verdict("correct", "A"), trial, Exchange((Turn(Reply("Answer: A")),)))


def timed(work) -> float:
    """Seconds that something takes."""
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def main() -> None:
    """Write a run, sum it, verify it."""
    count = int(sys.argv[1]) if len(sys.argv) > 1 else 100_000
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place, "run")

        def write() -> None:
            with RunFolder(folder, Manifest("toy", "model", {}, {}, count)) as log:
                for number in range(count):
                    log.append(record(number))

        with mock.patch("zhiyin.engine.log.seal_quietly"):
            writing = timed(write)
        size = (folder / RECORDS).stat().st_size / 1e6
        sealing = timed(lambda: seal(folder))
        counting = timed(lambda: figures(RunTable(folder)))
        verifying = timed(lambda: verify(folder))
        print(f"{count:,} records, {size:,.0f} MB")
        print(f"writing the log  {writing:6.2f} s")
        print(f"summing it       {sealing:6.2f} s, {sealing / writing:.3f} of writing it")
        print(f"counting it      {counting:6.2f} s")
        print(f"verifying it     {verifying:6.2f} s, {verifying / counting:.2f} of counting it")


if __name__ == "__main__":
    main()
