"""Files are whole or absent, and the cache is where the system keeps caches."""

import ast
import re
import threading
import unicodedata
from pathlib import Path

import pytest

from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.files import UNFINISHED, cache_folder, stem_of, write_atomically, write_cached
from zhiyin.plugins.lab.suite.file import read_suite

SOURCE = Path(__file__).parent.parent.parent / "src" / "zhiyin"


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
    may = {"files.py", "engine/log.py", "engine/merging.py", "plugins/making/forge/folder.py"}
    may |= {"plugins/music/made_files.py"}
    may |= {f"plugins/lab/{name}.py" for name in ("suite/folder", "suite/planning", "fetching")}
    may |= {f"plugins/benchmarks/{name}/generated.py" for name in ("muse", "perception")}
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


def test_names_that_a_system_takes_for_one_get_files_of_their_own():
    names = [
        "Qwen", "qwen", "QWEN", "a/b", "a b", "Fauré", "Faure\u0301", "", "...", "士", "ﬁ", "FI",
    ]  # fmt: skip
    taken: list[str] = []
    for name in names:
        taken.append(stem_of(name, taken))
    seen = {
        unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", n).casefold()) for n in taken
    }
    assert len(seen) == len(names)
    assert taken[0] == "Qwen"
    assert taken[3] == "a-b"
    again: list[str] = []
    for name in names:
        again.append(stem_of(name, again))
    assert again == taken


@pytest.mark.slow
def test_runs_of_a_suite_have_folders_of_their_own(tmp_path):
    file = tmp_path / "s.toml"
    models = "".join(
        f'[[models]]\nmodel = "first"\nname = "{name}"\n' for name in ("Qwen", "qwen", "a/b", "a b")
    )
    (tmp_path / "q.csv").write_text("question,A,B,answer\nWhich?,x,y,A\n")
    file.write_text(f'{models}[[benchmarks]]\nbenchmark = "{tmp_path / "q.csv"}"\nname = "q"\n')
    names = [cell.name for cell in read_suite(str(file)).cells]
    assert names[0] == "q--Qwen"
    assert names[2] == "q--a-b"
    assert len({name.casefold() for name in names}) == 4
    assert main(["suite", str(file), "--out", str(tmp_path / "out"), "--no-report", "--quiet"]) == 0
    assert {path.parent.name for path in (tmp_path / "out").rglob("run.json")} == set(names)
