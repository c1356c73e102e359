"""The benchmark that the how-to builds, and a desk at which commands are given."""

import os
import re

import warm
from conftest import REPOSITORY

PAGE = REPOSITORY / "docs" / "how-to" / "add-a-benchmark.md"
BLOCK = re.compile(r"^```python\n(.*?)^```", re.MULTILINE | re.DOTALL)


def benchmark_code() -> str:
    """The blocks of Python under the heading "One file", in order."""
    section = PAGE.read_text("utf-8").partition("\n## One file\n")[2].partition("\n## ")[0]
    return "\n".join(BLOCK.findall(section))


class Desk:
    """A folder in which commands are run, each in a process of its own, as users do."""

    def __init__(self, folder, cache, *path):
        self.folder = folder
        self.environment = os.environ | {
            "PYTHONPATH": os.pathsep.join(map(str, (REPOSITORY / "src", *path))),
            "ZHIYIN_CACHE": str(cache),
            "COLUMNS": "80",
        }

    def run(self, *words):
        """What came of a command, whatever it was."""
        return warm.run(words, self.folder, self.environment, timeout=120)

    def __call__(self, *words, status=0):
        done = self.run(*words)
        assert done.returncode == status, done.stdout + done.stderr
        assert "Traceback" not in done.stderr
        if status == 2:
            assert done.stdout == ""
            assert done.stderr.count("\n") == 1
            return done.stderr
        return done.stdout
