"""Files are whole or absent, and the cache is where the system keeps caches."""

import ast
import re
import threading
from pathlib import Path

import pytest

from zhiyin.errors import InputError
from zhiyin.files import UNFINISHED, cache_folder, write_atomically, write_cached

SOURCE = Path(__file__).parent.parent / "src" / "zhiyin"


def test_the_cache_is_where_the_user_or_the_system_says(monkeypatch, tmp_path):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "mine"))
    assert cache_folder("clips") == tmp_path / "mine" / "clips"
    monkeypatch.delenv("ZHIYIN_CACHE")
    monkeypatch.setattr("sys.platform", "linux")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "xdg"))
    assert cache_folder() == tmp_path / "xdg" / "zhiyin"
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder("clips") == tmp_path / ".cache" / "zhiyin" / "clips"


def test_a_file_that_cannot_be_written_stays_what_it_was(tmp_path, monkeypatch):
    path = tmp_path / "kept"
    write_atomically(path, b"old")
    monkeypatch.setattr("zhiyin.files.os.fsync", _full)
    with pytest.raises(OSError, match="full"):
        write_atomically(path, b"new", synced=True)
    assert path.read_bytes() == b"old"
    assert list(tmp_path.iterdir()) == [path]


def _full(_):
    raise OSError(28, "the disk is full")


def test_many_may_write_one_file(tmp_path):
    path, contents = tmp_path / "kept", [bytes([n]) * 200_000 for n in range(8)]
    threads = [threading.Thread(target=write_atomically, args=(path, c)) for c in contents]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert path.read_bytes() in contents
    assert not list(tmp_path.glob(f"{UNFINISHED}*"))


def test_what_is_written_may_be_read_by_others(tmp_path):
    plain, ours = tmp_path / "plain", tmp_path / "ours"
    plain.write_bytes(b"x")
    write_atomically(ours, b"x")
    assert ours.stat().st_mode == plain.stat().st_mode


def test_a_cache_that_is_a_file_is_one_line(tmp_path):
    (tmp_path / "file").write_bytes(b"")
    with pytest.raises(InputError, match="set ZHIYIN_CACHE to a folder"):
        write_cached(tmp_path / "file" / "x" / "y", b"")


@pytest.mark.slow
def test_nobody_else_says_where_the_cache_is_or_renames_files():
    """Apart from the log, whose own file is appended to, and folders that are moved whole."""
    may = {"files.py", "engine/log.py", "engine/merging.py", "forge/folder.py"}
    may |= {"suite/folder.py", "suite/planning.py", "session/fetching.py"}
    may |= {f"benchmarks/{name}/generated.py" for name in ("muse", "perception")}
    for path in SOURCE.rglob("*.py"):
        name = path.relative_to(SOURCE).as_posix()
        source = path.read_text("utf-8")
        if not re.search(r"ZHIYIN_CACHE|\.(?:replace|rename)\((?![^()]*,)", source):
            continue  # taking them all apart takes seconds
        tree = ast.parse(source)
        words = [n.value for n in ast.walk(tree) if isinstance(n, ast.Constant)]
        if name != "files.py":
            assert "ZHIYIN_CACHE" not in words, name
        moved = [
            node
            for node in ast.walk(tree)
            if isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in ("replace", "rename")
            and len(node.args) == 1
            and not node.keywords
        ]
        assert not moved or name in may, name
