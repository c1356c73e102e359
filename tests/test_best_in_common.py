"""Who is called best is best on the items that runs have in common, wherever that is printed."""

import numpy as np
import pytest

from findings_help import answered, choice, write_run
from zhiyin.analysis.compare import compare
from zhiyin.analysis.compare_parts import contrasts, on_what_all_have
from zhiyin.errors import InputError
from zhiyin.report.leaderboard import build
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.statistics.parts import Parts, Scored

NBSP = "\u00a0"


def right_on(trials, wanted):
    return [
        answered(trial, trial.target if wanted(n) else "ABCD"["ABCD".index(trial.target) - 1])
        for n, trial in enumerate(trials)
    ]


@pytest.fixture(params=["mmar", "muchomusic"])
def runs(request, tmp_path):
    """`whole` does best on all that it was asked, and worst on the quarter that `part` was asked.

    The headline of mmar is the group "music", that of muchomusic is over everything.
    """
    name = request.param
    asked = [choice(f"q{i}", groups=("music",), gold="ABCD"[i % 4]) for i in range(240)]
    for run, records, limit in (
        ("whole", right_on(asked, lambda n: n >= 60 or n % 4 == 1), None),
        ("part", right_on(asked[:60], lambda n: n % 10 < 7), 60),
        ("other", right_on(asked, lambda n: n % 10 < 6), None),
    ):
        write_run(tmp_path / run, name, run, records, limit=limit)
    return tmp_path


@pytest.mark.parametrize("names", [("whole", "part"), ("whole", "other", "part")])
def test_the_finding_names_the_run_that_is_best_on_the_shared_items(runs, names):
    (board,) = overview(RunSet([runs / name for name in names])).benchmarks
    said, lead = board.sentence["en"].replace(NBSP, " "), board.lead
    ranking = compare([runs / name for name in names]).ranking
    assert ranking[0].label == "part"
    assert names[lead.best] == "part"
    assert lead.shared == 60
    assert all(one.mean >= 0 for one in lead.contests)
    assert said.startswith("On the 60 items that ")
    assert "part answers" in said
    assert "70 %" in said
    if len(names) == 2:
        assert "better than whole by 45 points" in said


def test_a_leaderboard_ranks_on_the_items_that_its_letters_are_of(runs):
    with pytest.raises(InputError, match="limit"):
        build(runs)
    (board,) = build(runs, ["limit"])
    own = [row.cells["accuracy, all"].value for row in board.rows]
    assert [row.name for row in board.rows] == ["part", "other", "whole"]
    assert own[2] > own[0]
    assert [row.letters for row in board.rows] == ["a", "b", "c"]
    (note,) = [note for note in board.notes if "60 items" in note.text]
    assert note.text.startswith("Runs are ranked on the 60 items that all of them judged;")


def test_a_leaderboard_of_runs_on_the_same_items_needs_no_such_note(runs):
    (runs / "part" / "records.jsonl").unlink()
    (runs / "part" / "run.json").unlink()
    (board,) = build(runs)
    assert [row.name for row in board.rows] == ["whole", "other"]
    assert [row.letters for row in board.rows] == ["a", "b"]
    assert not [note for note in board.notes if "ranked on" in note.text]


def test_totals_are_compared_on_the_songs_that_all_runs_have():
    """With three runs each pair was compared on its own songs, under the number of the common."""
    rng = np.random.default_rng(2)

    def scored(songs):
        names, size = tuple(f"s{n}" for n in songs), len(songs)
        sums = rng.uniform(0.2, 0.9, (2, size))
        parts = Parts(
            ("one", "two"), (3, 1), names, sums, np.ones((2, size)), np.ones((2, size), dtype=bool)
        )
        return Scored("judge", "how", parts, True, total=True)

    runs = [scored(range(20)), scored(range(5, 25)), scored(range(12))]
    pairs, ranked = contrasts(["a", "b", "c"], on_what_all_have(runs))
    totals = {}
    for name, one in zip("abc", runs, strict=True):
        there = [one.parts.songs.index(f"s{n}") for n in range(5, 12)]
        totals[name] = one.parts.sums[:, there].mean(axis=1) @ (0.75, 0.25)
    assert [row.label for row in ranked] == sorted(totals, key=totals.get, reverse=True)
    for pair in pairs:
        assert pair.groups[0].items == 7
        assert pair.groups[0].first == pytest.approx(totals[pair.first])
        assert pair.groups[0].second == pytest.approx(totals[pair.second])
