"""A run of a benchmark in a file is read as data, and by the file where that is named."""

import json
from pathlib import Path

import pytest

import zhiyin as zy
from zhiyin.cli import main
from zhiyin.contract import registry
from zhiyin.engine.folder import MANIFEST

MINE = """
from zhiyin.contract import Benchmark, Headline, Section
from zhiyin.record import Verdict
from zhiyin.trial import Message, Option, Text, Trial


class Mine(Benchmark):
    name = "mine"
    titles = {"easy": "Easy ones"}
    headline = Headline("easy", "accuracy")

    def trials(self):
        for n in range(8):
            options = (Option("A", "one", "1"), Option("B", "two", "2"))
            asked = (Message("user", (Text("?"),)),)
            groups = ("easy",) if n < 4 else ("hard",)
            yield Trial(str(n), asked, "?", options, "1", groups=groups)

    @classmethod
    def details(cls, rows, manifest):
        return [Section("Of each kind", ("kind", "n"), [["easy", 4]])]
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a benchmark in a file, and a run of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(registry, "_named", {})
    monkeypatch.setattr(registry, "_loaded", {})
    monkeypatch.setattr(registry, "_given", {})
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "my.py").write_text(MINE)
    assert main(["run", "sub/my.py:Mine", "-m", "first", "--out", "run", "--quiet"]) == 0
    monkeypatch.setattr(registry, "_given", {})  # as in another process
    return tmp_path / "sub" / "my.py"


@pytest.fixture
def shown(desk, capsys, monkeypatch):
    """What `zhiyin show` prints of the run, on one line."""
    monkeypatch.delenv("COLUMNS", raising=False)  # as in a pipe: no sentence is folded
    capsys.readouterr()

    def show(*words, status=0, run="run"):
        assert main(["show", str(run), "--groups", "all", *map(str, words)]) == status
        printed = capsys.readouterr()
        return " ".join((printed.out + printed.err).split())

    return show


def edit(path, *changes):
    """Change words of a file."""
    text = path.read_text()
    for before, after in changes:
        assert before in text
        text = text.replace(before, after)
    path.write_text(text)


FIGURES = "4 4 100.0"
LEFT_OUT = "its own tables and figures are left out, and titles are those that the run kept"


def test_a_run_is_read_as_data_and_the_file_is_opened_where_it_is_named(desk, shown):
    desk.write_text(f"{desk.read_text()}\nopen('ran', 'a').close()\n")
    told = shown()
    assert f"'mine' was in a file ({desk}:Mine), which reading a run does not open" in told
    assert f"{LEFT_OUT}; name the file: `zhiyin show --benchmark {desk}:Mine RUN`" in told
    assert FIGURES in told
    assert "Easy ones" in told  # as the run kept it
    assert "Of each kind" not in told
    assert not Path("ran").exists()
    assert "Of each kind" in shown("--benchmark", f"{desk}:Mine")


def test_nothing_is_said_of_a_file_without_tables_of_its_own(desk, shown):
    desk.write_text(MINE[: MINE.index("    @classmethod")])
    assert main(["run", "sub/my.py:Mine", "-m", "first", "--out", "plain", "--quiet"]) == 0
    registry._given.clear()
    shown()
    told = shown(run="plain")
    assert "Easy ones" in told
    assert "note:" not in told


def test_a_list_of_settings_opens_no_file(desk, shown):
    """Only to say how the command of an unfinished run is written."""
    assert main(["run", "sub/my.py:Mine", "-m", "first", "--out", "part", "--quiet"]) == 0
    path = Path("part") / MANIFEST
    told = json.loads(path.read_text())
    told["planned"], told["options"]["of"] = 99, ["a", "b"]
    path.write_text(json.dumps(told))
    registry._given.clear()
    registry._loaded.clear()
    desk.write_text(f"{desk.read_text()}\nopen('ran', 'a').close()\n")
    assert "--of a,b" in shown(run="part")
    assert not Path("ran").exists()


def test_tables_titles_and_headline_are_those_of_the_file_that_is_named(desk, shown):
    edit(desk, ("Easy ones", "Plain ones"), ("Of each kind", "By kind"), ('"easy", 4', '"easy", 9'))
    told = shown("--benchmark", "sub/my.py:Mine")
    assert "Plain ones" in told
    assert "By kind" in told
    assert "easy 9" in told
    assert FIGURES in told
    assert told.count(f"{desk}:Mine has changed since this run") == 1
    assert "rescore" not in told  # a choice is read as all are
    edit(desk, ('Headline("easy"', 'Headline("hard"'))
    words = ["--benchmark", "sub/my.py:Mine", "-o", "page.html", "--no-audio"]
    assert main(["report", "run", *words]) == 0
    page = Path("page.html").read_text()
    assert "By kind" in page
    assert "has changed since this run" in page


@pytest.mark.slow
def test_a_file_that_was_moved_is_named_where_it_is(desk, shown, tmp_path):
    edit(desk, ("Of each kind", "By kind"))
    moved = desk.rename(tmp_path / "moved.py")
    assert "By kind" in shown("--benchmark", f"{moved}:Mine")
    assert main(["report", "run", "--benchmark", "moved.py:Mine", "-o", "page.html"]) == 0
    assert "By kind" in Path("page.html").read_text()
    assert main(["rescore", "run", "--benchmark", "moved.py:Mine", "--extract", "robust"]) == 0


def test_a_benchmark_of_another_name_is_another_one(desk, shown):
    edit(desk, ('name = "mine"', 'name = "yours"'))
    told = shown("--benchmark", "sub/my.py:Mine", status=2)
    assert "its class is called 'yours', and the runs are of mine" in told
    assert "write FILE.py:CLASS" in shown("--benchmark", "mine", status=2)
    assert "no file nowhere.py" in shown("--benchmark", "nowhere.py:Mine", status=2)
    desk.write_text("raise KeyError('x')")
    assert f"{desk}: KeyError: 'x'" in shown("--benchmark", "sub/my.py:Mine", status=2)


def test_in_python_a_class_that_was_given_reads_the_runs_of_its_name(desk):
    assert registry.is_missing(registry.known(zy.load("run").manifest))
    kind = registry.find("sub/my.py:Mine")
    assert registry.known(zy.load("run").manifest) is kind
    registry._given.clear()
    other = zy.register(type("Other", (kind,), {"name": "mine"}))
    assert registry.known(zy.load("run").manifest) is other
