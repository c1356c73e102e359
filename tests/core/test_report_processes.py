"""Work in a second process gives what it would give here."""

import subprocess
import sys

import pytest

# In a process of its own: one that has other threads, as those of the tests do, never forks.
PROGRAM = """
import os
from zhiyin.errors import InputError
from zhiyin.report.processes import in_second_process

os.cpu_count = lambda: 2
held = {"n": 1}

def work():
    held["n"] += 1
    return held["n"]

def wrong():
    raise InputError("no such thing")

def killed():
    if os.getpid() != here:
        os._exit(9)
    return "done here"

here = os.getpid()
assert in_second_process(work, worth=True)() == 2
assert held["n"] == 1
assert in_second_process(work, worth=False)() == 2  # here, where the change stays
assert held["n"] == 2
assert in_second_process(killed, worth=True)() == "done here"
try:
    in_second_process(wrong, worth=True)()
except InputError as error:
    print(error)
"""


@pytest.mark.slow
def test_work_in_a_second_process_is_the_same_work():
    done = subprocess.run([sys.executable, "-c", PROGRAM], capture_output=True, text=True)
    assert (done.stdout, done.returncode) == ("no such thing\n", 0), done.stderr
