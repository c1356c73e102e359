"""One run, one verdict: what it shows by itself is said beside what a page's correction leaves."""

import re

import msgspec
import pytest
import test_own_verdicts
from test_own_verdicts import NBSP, run_of

from findings_help import answered, choice, failed, mucho_trials, student, write_run
from zhiyin.analysis.compare import compare
from zhiyin.engine.folder import MANIFEST, Manifest
from zhiyin.errors import InputError
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.plugins.lab.leaderboard.tables import figures_table
from zhiyin.report.front import rendered
from zhiyin.report.methods import methods_paragraph
from zhiyin.report.overview import overview
from zhiyin.report.paper_table import paper_table, render_table
from zhiyin.report.run_set import RunSet

runs = test_own_verdicts.runs


def changed(folder, **facts):
    """A run with other facts in its manifest."""
    path = folder / MANIFEST
    manifest = msgspec.json.decode(path.read_bytes(), type=Manifest)
    for name, value in facts.items():
        setattr(manifest, name, value)
    path.write_bytes(msgspec.json.encode(manifest))
    return folder


def test_runs_in_altered_conditions_alone_are_judged_and_not_silent(tmp_path):
    noise, plain = (
        write_run(tmp_path / "runs" / name, "tracks", name, map(student(name, 0.6), trials))
        for name, trials in (
            ("deaf", mucho_trials(8, audio=("noise", "swap"))),
            ("able", mucho_trials(8)),
        )
    )
    text = render_table(paper_table([noise, plain], across="benchmarks"), "md")
    assert "tracks: deaf judged in altered conditions only: left out." in text
    with pytest.raises(InputError, match="no trial asked in the same way"):
        compare([noise, plain])
    with pytest.raises(InputError, match="in its benchmark's main way"):
        paper_table([noise])


def test_the_papers_table_says_of_how_many_and_what_could_not_be_read(runs, tmp_path):
    mute = [
        answered(choice(f"q{n}", gold="ABCD"[n % 4]), None if n < 30 else "AAAAAAB"[n % 7])
        for n in range(60)
    ]
    silent = [failed(choice(f"q{n}", groups=("knowledge",))) for n in range(5)]
    folders = [
        runs["near"],
        write_run(tmp_path / "mute", "tracks", "mute", mute),
        write_run(tmp_path / "dead", "tracks", "dead", silent),
        write_run(tmp_path / "gone", "tracks", "gone", silent),
    ]
    table = paper_table(folders, across="benchmarks")
    text = render_table(table, "md").replace(NBSP, " ")
    assert "**Scores of 2 models on Tracks, in %**" in text
    assert "Tracks (n = 60)" in text
    assert "50.0 % of its replies hold no readable answer and count as wrong" in text
    assert text.count("left out") == 1
    assert "tracks: no judged trial of dead and gone: left out." in text
    tex = render_table(table, "latex")
    assert r"\label{tab:tracks}" in tex
    assert "(*)" not in tex
    assert "Bold:" in tex
    assert "Bold (*):" in "".join(map(str, table.notes))  # as a terminal has it
    chinese = render_table(table, "md", "zh").replace(NBSP, " ")
    assert "50.0 % 读不出答案" in chinese
    assert "Tracks（n = 60）" in chinese


def test_methods_say_in_words_who_was_set_aside_and_what_a_mark_means(tmp_path):
    people = changed(
        run_of(tmp_path, "crowd", 30),
        model="people: all",
        decoding={
            "kind": "people", "people": 17, "took_part": 21, "set_aside": 4,
            "set_aside_by": {"attention_wrong": 3, "median_seconds": 2},
            "attention_questions": 2, "practice_questions": 1,
        },
    )  # fmt: skip
    text = methods_paragraph([people])
    assert (
        "17 people answered (4 of the 21 who took part were set aside, by rules set before: "
        "attention questions answered wrong (3), too fast (2)); answers to 2 attention questions "
        "are in no figure; 1 question was for practice, and in no figure; each of them counts"
    ) in text
    assert "参加者 21 人，剔除 4 人" in methods_paragraph([people], "zh")
    failing = {"sound": {"state": "failed", "right": 2, "asked": 8, "needed": 6, "warning": "deaf"}}
    deaf = changed(run_of(tmp_path, "guess", 30), canary=failing)
    text = methods_paragraph([deaf])
    assert "✗" not in text
    assert (
        "was not passed, so that hearing or seeing is not shown: by guess for sound (2 of 8" in text
    )
    assert "@" not in text
    assert re.search(r"read from replies by Zhiyin’s rule robust, version \d+ \(set out in", text)


@pytest.mark.slow
def test_a_page_of_two_benchmarks_has_one_colour_and_one_name_a_model(tmp_path):
    folders = [
        run_of(tmp_path / benchmark, name, 30, benchmark=benchmark)
        for benchmark, names in (("tracks", "abcde"), ("ziqi", "edcba"))
        for name in names
    ]
    about = overview(RunSet(folders))
    colours = {}
    for run in about.runs:
        colours.setdefault(run.label, set()).add(run.series)
    assert all(len(own) == 1 for own in colours.values())
    assert len(set.union(*colours.values())) == len(colours) == 5
    assert rendered(about, "en").title == "a, b, c and 2 others · Zhiyin"


def test_a_leaderboard_shows_what_holds_the_same_trials_once(tmp_path):
    for name, right in (("one", 30), ("two", 40)):
        records = [
            answered(choice(f"q{n}", groups=("only", "only/inner")), "A" if n < right else "B")
            for n in range(60)
        ]
        write_run(tmp_path / name, "tracks", name, records)
    (board,) = build(tmp_path)
    assert board.columns == ["accuracy, all"]
    assert figures_table(board) is None
