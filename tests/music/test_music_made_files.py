"""Folders that are whole or absent."""

import pytest

from zhiyin.errors import InputError
from zhiyin.files import UNFINISHED
from zhiyin.plugins.music.made_files import made_once, whole_folder


def test_a_folder_is_made_once(tmp_path):
    made = []

    def make(folder):
        made.append(folder)
        folder.mkdir()
        for name in "xy":
            (folder / name).write_text(str(len(made)))

    def read(folder):
        paths = [folder / name for name in "xy"]
        return [p.read_text() for p in paths] if all(p.exists() for p in paths) else None

    folder = tmp_path / "cache" / "one"
    assert made_once(folder, read, make) == made_once(folder, read, make) == ["1", "1"]
    (folder / "y").unlink()
    (folder / "kept").write_text("mine")
    assert made_once(folder, read, make) == ["2", "2"]
    assert len(made) == 2
    assert sorted(p.name for p in folder.iterdir()) == ["kept", "x", "y"]
    with pytest.raises(InputError, match="cannot be read; try again"):
        made_once(tmp_path / "two", lambda _: None, make)


def test_a_whole_folder_is_there_or_nothing_is(tmp_path):
    with whole_folder(tmp_path / "a" / "b") as folder:
        (folder / "x").write_text("1")
        assert not (tmp_path / "a" / "b").exists()
        assert folder.name.startswith(UNFINISHED)
    assert (tmp_path / "a" / "b" / "x").read_text() == "1"
    with pytest.raises(ZeroDivisionError), whole_folder(tmp_path / "c"):
        raise ZeroDivisionError
    assert [path.name for path in tmp_path.iterdir()] == ["a"]
