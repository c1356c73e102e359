"""A benchmark's file is edited after a run: the change is there, or one line says why not."""

import os
from pathlib import Path

import pytest

import zhiyin as zy
from zhiyin.cli import main
from zhiyin.contract import registry

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
SCORES = """
    def score(self, trial, exchange):
        return Verdict("correct", trial.target, None, "all are right")
"""


@pytest.fixture
def desk(tmp_path, monkeypatch):
    """A folder with a benchmark in a file, and a run of it."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
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


def test_nothing_is_said_where_nothing_has_changed(desk, shown):
    told = shown()
    assert "Of each kind" in told
    assert "Easy ones" in told
    assert "note:" not in told


def test_tables_titles_and_headline_follow_the_file(desk, shown):
    edit(desk, ("Easy ones", "Plain ones"), ("Of each kind", "By kind"), ('"easy", 4', '"easy", 9'))
    told = shown()
    assert "Plain ones" in told
    assert "By kind" in told
    assert "easy 9" in told
    assert FIGURES in told
    assert told.count(f"{desk}:Mine has changed since this run") == 1
    assert "rescore" not in told  # a choice is read as all are
    edit(desk, ('Headline("easy"', 'Headline("hard"'))
    assert main(["report", "run", "-o", "page.html", "--no-audio"]) == 0
    page = Path("page.html").read_text()
    assert "By kind" in page
    assert "has changed since this run" in page


def test_a_change_is_seen_from_another_folder(desk, shown, tmp_path, monkeypatch):
    edit(desk, ("Of each kind", "By kind"))
    (tmp_path / "other").mkdir()
    monkeypatch.chdir(tmp_path / "other")
    assert "By kind" in shown(run="../run")


def test_another_way_of_scoring_names_rescore(desk, shown, capsys):
    desk.write_text(desk.read_text() + SCORES)
    told = shown()
    assert FIGURES in told  # the verdicts are those of then
    assert "`zhiyin rescore RUN --extract POLICY` scores the replies again" in told
    assert main(["rescore", "run", "--extract", "robust", "--out", "again"]) == 0
    assert "all are right" in Path("again/records.jsonl").read_text()
    capsys.readouterr()
    assert "has changed since" not in shown(run="again")


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        ("def (", "SyntaxError: invalid syntax"),
        ("raise KeyError('x')", "KeyError: 'x'"),
        ("import nothing_of_that_name", "No module named 'nothing_of_that_name'"),
    ],
)
def test_a_file_that_cannot_be_opened_now(desk, shown, fault, said):
    desk.write_text(f"{desk.read_text()}\n{fault}\n")
    told = shown()
    assert f"cannot be opened: {desk}: " in told
    assert said in told
    assert f"{LEFT_OUT}; fix the file, and show the run again" in told
    assert FIGURES in told
    assert "Easy ones" in told  # as the run kept it
    assert "Traceback" not in told


def test_a_file_that_cannot_score_now(desk, capsys):
    desk.write_text(desk.read_text() + SCORES)
    assert main(["run", "sub/my.py:Mine", "-m", "first", "--out", "own", "--quiet"]) == 0
    desk.write_text(f"{desk.read_text()}\nraise KeyError('x')\n")
    capsys.readouterr()
    assert main(["rescore", "own", "--extract", "robust"]) == 2
    said = capsys.readouterr().err.strip()
    assert said.startswith("zhiyin: benchmark 'mine': ")
    assert said.endswith("KeyError: 'x': its replies cannot be scored without it")
    assert "\n" not in said


def test_a_file_that_was_moved_is_named(desk, shown, tmp_path):
    edit(desk, ("Of each kind", "By kind"))
    moved = desk.rename(tmp_path / "moved.py")
    told = shown()
    assert f"is no longer at {desk}: {LEFT_OUT}" in told
    assert "name the file: `zhiyin show --benchmark FILE.py:CLASS RUN`" in told
    assert FIGURES in told
    told = shown("--benchmark", f"{moved}:Mine")
    assert "By kind" in told
    assert main(["report", "run", "--benchmark", "moved.py:Mine", "-o", "page.html"]) == 0
    assert "By kind" in Path("page.html").read_text()
    assert main(["rescore", "run", "--benchmark", "moved.py:Mine", "--extract", "robust"]) == 0


def test_a_project_that_was_moved_is_found_from_its_folder(desk, shown, tmp_path, monkeypatch):
    place = tmp_path / "elsewhere"
    place.mkdir()
    for name in ("sub", "run"):
        (tmp_path / name).rename(place / name)
    monkeypatch.chdir(place)
    told = shown()
    assert "Of each kind" in told
    assert "note:" not in told


def test_a_class_that_was_renamed_is_found_by_its_benchmarks_name(desk, shown):
    edit(desk, ("class Mine", "class Yours"), ("Of each kind", "By kind"))
    told = shown()
    assert "By kind" in told
    assert f"{desk}:Yours has changed since this run" in told


def test_a_benchmark_of_another_name_is_another_one(desk, shown, capsys):
    edit(desk, ('name = "mine"', 'name = "yours"'))
    told = shown()
    assert f"is no longer in its file: {desk}: no class in it is called 'mine'" in told
    assert f"{LEFT_OUT}; give its class that name again" in told
    told = shown("--benchmark", "sub/my.py:Mine", status=2)
    assert "its class is called 'yours', and the runs are of mine" in told
    assert "write FILE.py:CLASS" in shown("--benchmark", "mine", status=2)
    assert "no file nowhere.py" in shown("--benchmark", "nowhere.py:Mine", status=2)


def test_a_file_that_was_never_opened_here_is_not_run(desk, shown, tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "of another user"))
    monkeypatch.setattr(registry, "_loaded", {})
    edit(desk, ("Of each kind", "By kind"))
    desk.write_text(f"{desk.read_text()}\nopen('ran', 'w').close()\n")
    told = shown()
    assert f"is in a file that you have not opened here ({desk}:Mine)" in told
    assert f"look at it with `zhiyin list {desk}:Mine`, which opens it" in told
    assert not Path("ran").exists()
    assert main(["list", f"{desk}:Mine"]) == 0
    assert "By kind" in shown()


@pytest.mark.skipif(os.geteuid() != 0, reason="only root may give a file away")
def test_a_place_that_now_holds_somebody_elses_file_is_not_run(desk, shown):
    edit(desk, ("Of each kind", "By kind"))
    os.chown(desk, 12345, -1)
    assert "that you have not opened here" in shown()


def test_in_python_a_file_is_read_again_when_it_has_changed(desk):
    assert registry.known(zy.load("run").manifest).titles == {"easy": "Easy ones"}
    edit(desk, ("Easy ones", "Plain ones"))
    assert registry.known(zy.load("run").manifest).titles == {"easy": "Plain ones"}
