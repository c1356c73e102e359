"""The flags of the suite, which pytest has where the suite is named and nowhere else."""

from __future__ import annotations

import pytest

SUITE = "zhiyin.contract_suite"
FLAGS = {
    "--benchmark": "the benchmark that is tried: NAME, FILE.py:CLASS, or a file of your questions",
    "--model": "the model that is tried, as `zhiyin run -m` takes it",
    "--option": "KEY=VALUE, a flag of the benchmark as `zhiyin run` takes it; KEY for a switch",
}


def pytest_load_initial_conftests(args: list[str], parser: pytest.Parser) -> None:
    """Add the flags. In the tests of others these words are free."""
    if any(SUITE in word.replace("/", ".") for word in args):
        group = parser.getgroup("zhiyin", "Zhiyin's contract suite")
        for flag, text in FLAGS.items():
            group.addoption(flag, help=text, action="append", default=[])
