"""What all tests share: groups, samples, and the mark of those that need published data."""

import re
import subprocess
import sys

import pytest

from conftest import LONG, REPOSITORY


def test_a_group_is_known_to_those_who_share_out_the_tests(request):
    """pytest-xdist writes it into the name; with pytest 9.2 it silently did not."""
    grouped = getattr(request.config.option, "loadgroup", False)
    assert request.node.nodeid.endswith("@test_conftest") == grouped


def test_what_asks_for_published_data_has_their_mark(request):
    """Directly or by another fixture; and nothing has the mark for another reason."""
    for item in request.session.items:
        asks = "shared" in getattr(item, "fixturenames", ())
        assert (item.get_closest_marker("data") is not None) == asks, item.nodeid


def test_nothing_else_looks_for_published_data():
    """Else a test passes here and fails where nobody has them."""
    places = [*(REPOSITORY / "tests").rglob("*.py"), *(REPOSITORY / "src").rglob("*.py")]
    asks = r"ZHIYIN_SHARED|from published_data|/ \"shared\"|getfixturevalue\(.shared"
    found = {path.name for path in places if re.search(asks, path.read_text("utf-8"))}
    assert found == {"conftest.py", "published_data.py", "test_bench.py", "test_conftest.py"}


@pytest.mark.slow
def test_marks_are_known_without_what_shares_out_the_tests():
    """`bench/mutants.py` leaves pytest-xdist out."""
    words = [sys.executable, "-m", "pytest", "-p", "no:xdist", "--collect-only", __file__]
    done = subprocess.run(words, cwd=REPOSITORY, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout


@pytest.mark.slow
def test_a_test_that_waits_for_ever_ends_and_is_named(tmp_path):
    """By the settings of the project, but for how long it may wait."""
    (tmp_path / "test_own.py").write_text(
        "import threading\n\ndef test_waits():\n    threading.Event().wait()\n"
    )
    words = [sys.executable, "-m", "pytest", "-p", "no:xdist", "-p", "no:cacheprovider"]
    words += ["-c", str(REPOSITORY / "pyproject.toml"), "--rootdir", str(tmp_path)]
    words += ["-o", "faulthandler_timeout=1", str(tmp_path / "test_own.py")]
    done = subprocess.run(words, cwd=tmp_path, capture_output=True, text=True, timeout=120)
    assert done.returncode == 1, done.stdout
    assert re.search(r"test_own.py\W.*in test_waits", done.stderr), done.stderr


@pytest.mark.slow
def test_what_is_named_as_long_is_there():
    for name in LONG:
        file, _, function = name.partition("::")
        (found,) = (REPOSITORY / "tests").rglob(file)
        text = found.read_text("utf-8")
        assert not function or f"def {function}(" in text, name
