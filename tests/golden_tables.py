"""Golden tables: many inputs, each with the whole outcome that it has, in ``tests/golden``.

A table is a file with a line of JSON for each input: what was given, and what came of it. Where a
test takes its inputs from the file, one is added as a line with nothing but what is given: ``[X]``.
``ZHIYIN_GOLDEN=write .venv/bin/pytest -q -n 0 tests/core/test_X.py`` writes the outcomes of today;
``git diff --word-diff tests/golden`` shows what has changed. A change that was not meant is a fault
of the program: commit one that was.
"""

import json
import os
from functools import partial
from itertools import zip_longest
from pathlib import Path

import msgspec
import numpy as np
import pytest

from zhiyin.errors import InputError

GOLDEN = Path(__file__).parent / "golden"
SHOWN = 10
"""Lines of a difference."""


def plain(value):
    """A value as JSON has it, figures to ten digits: the last ones hang on the machine."""
    if isinstance(value, float | np.floating):
        return float(f"{value:.10g}") + 0.0  # no minus before a nought
    if isinstance(value, np.ndarray):
        return plain(value.tolist())
    if isinstance(value, msgspec.Struct):
        return [plain(inner) for inner in msgspec.structs.astuple(value)]
    if isinstance(value, dict):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        inners = sorted(value) if isinstance(value, set | frozenset) else value
        return [plain(inner) for inner in inners]
    return value if value is None or isinstance(value, str | int) else str(value)


def outcome(call, *given, **named):
    """What a call gives, or the name of the error that it raises for what is given."""
    try:
        return plain(call(*given, **named))
    except (InputError, ValueError) as error:
        return type(error).__name__


class Table:
    """A golden table: parametrize a test by `parts`, and hand each of them to `check`.

    Parameters
    ----------
    name : str
        Of the file.
    cases : iterable of (object, callable), or a callable
        What is given, as the file is to say it, and what makes the outcome of it. A callable alone
        gives the outcome of each input that the file holds.
    size : int
        Inputs of a part: each part is a test.
    """

    def __init__(self, name, cases, size=25):
        self.path = GOLDEN / f"{name}.jsonl"
        if callable(cases):
            given = (json.loads(line)[0] for line in self._lines())
            self.cases = [(each, partial(cases, each)) for each in given]
        else:
            self.cases = list(cases)
        starts = range(0, len(self.cases), size)
        self.parts = [pytest.param(slice(n, n + size), id=f"{name}-{n}") for n in starts]

    def _lines(self):
        return self.path.read_text("utf-8").split("\n")[:-1] if self.path.exists() else []

    def check(self, part):
        found = [_line(plain(given), plain(call())) for given, call in self.cases[part]]
        kept = self._lines()
        if os.environ.get("ZHIYIN_GOLDEN") == "write":
            kept[part] = found
            self.path.parent.mkdir(exist_ok=True)
            self.path.write_text("".join(f"{line}\n" for line in kept[: len(self.cases)]), "utf-8")
        apart = [pair for pair in zip_longest(kept[part], found) if pair[0] != pair[1]]
        told = "\n".join(f"- {before}\n+ {now}" for before, now in apart[:SHOWN])
        assert not apart, f"{self.path}: is it meant? ZHIYIN_GOLDEN=write accepts it.\n{told}"


def _line(*values):
    """JSON with signs as they are; half a character, which no file can hold, is escaped."""
    text = json.dumps(values, ensure_ascii=False)
    return text.encode("utf-8", "backslashreplace").decode("utf-8")
