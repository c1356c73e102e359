"""The faults that `bench/mutants.py` makes: which there are, and that each is a program."""

import sys

import pytest

from conftest import REPOSITORY

sys.path.append(str(REPOSITORY / "scripts"))

from mutation import changed, changes

pytestmark = pytest.mark.slow

SOURCE = '''
"""Words of a docstring."""
LIMIT = 3

def least(values: list[int]) -> int | None:
    """The smallest above a limit."""
    if not values:
        raise ValueError("no values were given at all")
    values.sort()
    return min((v for v in values if v > LIMIT and v - 1), default=None)
'''


def run(number):
    space = {}
    exec(compile(changed(SOURCE, number), "least.py", "exec"), space)
    return space["least"]


def test_faults_are_small_and_words_for_people_are_left_alone():
    found = {(change.before, change.after) for change in changes(SOURCE)}
    assert found == {
        ("3", "4"), ("not values", "values"), ("values.sort()", "pass"),
        ("v > LIMIT", "v >= LIMIT"), ("v > LIMIT", "v <= LIMIT"),
        ("v > LIMIT and v - 1", "v > LIMIT or v - 1"),
        ("v - 1", "v + 1"), ("1", "2"),
    }  # fmt: skip


def test_a_fault_is_in_the_program_and_nowhere_else():
    known = [(change.before, change.after) for change in changes(SOURCE)]
    assert run(known.index(("3", "4")))([3, 4, 5]) == 5
    assert run(known.index(("v > LIMIT", "v >= LIMIT")))([3, 4, 5]) == 3
    assert run(known.index(("v - 1", "v + 1")))([3, 4, 5]) == 4
