"""Golden files: many inputs, each with the whole outcome that it has, as lines of JSON.

A line of ``tests/golden/NAME.jsonl`` has a name (``case``), what is given (``in``, written by hand)
and what comes of it (``out``, written by the test). A case is added as a line without ``out``.

``ZHIYIN_GOLDEN=write .venv/bin/pytest -q -n 0 tests/core/test_X.py`` writes the outcomes of today;
``git diff --word-diff tests/golden`` shows what would be accepted: read it, line by line, before
you commit it.
"""

import atexit
import json
import os
import re
from pathlib import Path

GOLDEN = Path(__file__).parent / "golden"


def plain(value):
    """A value as JSON has it, figures to ten digits: the last ones hang on the machine."""
    if isinstance(value, float):
        return float(f"{value:.10g}")
    if isinstance(value, dict):
        return {str(name): plain(inner) for name, inner in value.items()}
    if isinstance(value, list | tuple):
        return [plain(inner) for inner in value]
    return value if value is None or isinstance(value, str | int) else str(value)


class Golden:
    """A golden file: parametrize a test by `cases`, and hand each outcome to `same`."""

    def __init__(self, name):
        self.path = GOLDEN / f"{name}.jsonl"
        self.lines = {}
        for line in map(json.loads, self.path.read_text("utf-8").splitlines()):
            assert line["case"] not in self.lines, f"{self.path}: {line['case']} stands twice"
            self.lines[line["case"]] = line

    @property
    def cases(self):
        return list(self.lines)

    def given(self, case):
        return self.lines[case]["in"]

    def same(self, case, found):
        found, line = plain(found), self.lines[case]
        if os.environ.get("ZHIYIN_GOLDEN") == "write":
            line["out"] = found
            atexit.register(self.write)
        assert found == line.get("out")

    def write(self):
        atexit.unregister(self.write)
        text = "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in self.lines.values())
        halves = re.sub("[\ud800-\udfff]", lambda half: f"\\u{ord(half[0]):x}", text)
        self.path.write_text(halves, "utf-8")
