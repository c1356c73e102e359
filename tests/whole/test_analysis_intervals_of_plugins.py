"""One interval for a figure of a run, one best of several, wherever they are printed."""

import json

import msgspec
import pytest
from test_analysis_intervals import answers

from findings_help import answered, choice, write_run
from runs_help import rows_by_figure
from said_help import texts
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.bias_command import COMPREHENSION, FEMALE, figures_of
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.plugins.methods.health import health
from zhiyin.plugins.paper.tables import make_tables
from zhiyin.report import measures
from zhiyin.report.overview import overview
from zhiyin.report.paper_runs import gather
from zhiyin.report.run_set import RunSet
from zhiyin.runs.estimates import chance_of
from zhiyin.runs.rows import rows_of as trials_of
from zhiyin.words import say

pytestmark = pytest.mark.slow


def test_f1_of_clustered_answers_is_wider_than_of_answers_alone(tmp_path):
    """ZIQI under four rotations: an item's four answers are one draw."""
    trials = []
    for number in range(80):
        for rotation in range(4):
            trial = choice(
                f"q{number}/rotation={rotation}",
                groups=(COMPREHENSION, FEMALE),
                tags={"rotation": rotation},
            )
            trials.append(msgspec.structs.replace(trial, item=f"q{number}"))
    run = write_run(tmp_path / "run", "ziqi", "m", answers(trials, 5, steady=1))
    figure = figures_of(trials_of(run))[FEMALE]
    assert figure.items == 80
    assert figure.high - figure.low > 0.15  # 320 answers alone: 0.10
    assert main(["stats", "bias", str(run), "--published", "--json"]) == 0


def test_a_group_named_twice_or_all_counts_once_everywhere(tmp_path):
    trials = [choice(f"q{n}", groups=("g", "g", "all"), gold="AB"[n % 2]) for n in range(10)]
    runs = [
        write_run(tmp_path / "r" / name, "toy", name, [answered(t, letter) for t in trials])
        for name, letter in (("a", "A"), ("b", "B"))
    ]
    groups = summarise(runs[0]).groups
    assert {name: g.n for name, g in groups.items()} == {"all": 10, "g": 10}
    assert {row.group: row.items for row in compare(runs).pairs[0].groups} == {"all": 10, "g": 10}
    sheet = measures.MeasureSheet(RunSet(runs), "toy")
    assert {name: len(members) for name, members in sheet.groups.items()} == {"all": 10, "g": 10}
    assert len(gather(runs)["toy"][0].groups["all"]) == 10
    assert [g.behaviour.judged for g in health(runs[0]).groups] == [10, 10]
    scores = next(t for t in make_tables(runs) if t.name == "toy-scores")
    assert {row.cells[2] for row in scores.rows} == {10}


def altered(root, name, *audio):
    from findings_help import mucho_trials, student

    trials = mucho_trials(12, audio=audio)
    return write_run(root / name, "muchomusic", name, map(student(name, 0.6), trials))


def test_a_run_of_altered_sound_only_stands_aside(tmp_path, capsys):
    altered(tmp_path / "runs", "noisy", "noise", "silence")
    out = tmp_path / "out"
    assert main(["leaderboard", str(tmp_path / "runs"), "-o", str(out)]) == 2
    message = capsys.readouterr().err
    assert "true sound" in message
    assert message.count("\n") == 1
    altered(tmp_path / "runs", "plain", "true")
    assert main(["leaderboard", str(tmp_path / "runs"), "-o", str(out), "--json"]) == 0
    (board,) = json.loads(capsys.readouterr().out)["boards"]
    assert [row["name"] for row in board["rows"] if row["kind"] == "run"] == ["plain"]
    assert any("noisy was judged with altered sound" in note["text"] for note in board["notes"])


def test_figures_of_a_run_of_altered_sound_only_are_drawn_or_left_out(tmp_path):
    runs = [altered(tmp_path, "noisy", "noise")]
    for figure, _ in rows_by_figure(runs, tmp_path / "alone").values():
        assert figure.title.endswith("(audio=noise)")
    both = [*runs, altered(tmp_path, "plain", "true")]
    _, rows = rows_by_figure(both, tmp_path / "both")["muchomusic-overview"]
    assert {row.get("run") or row["row"] for row in rows} == {"plain"}
    assert main(["report", *map(str, runs), "-o", str(tmp_path / "page")]) == 0


def mixed(tmp_path):
    """Two options asked once and never right, ten asked nine times and right two times in five."""
    records = []
    for number in range(60):
        pair = choice(f"two{number}", gold="A", letters="AB")
        records.append(answered(msgspec.structs.replace(pair, item=pair.id), "B"))
        for repeat in range(1, 10):
            tags = {"repeat": repeat}
            trial = choice(f"ten{number}/r{repeat}", gold="A", letters="ABCDEFGHIJ", tags=tags)
            right = number % 5 < 2
            trial = msgspec.structs.replace(trial, item=f"ten{number}")
            records.append(answered(trial, "A" if right else "B"))
    return write_run(tmp_path / "mixed", "toy", "mixed", records)


def test_chance_is_averaged_as_accuracy_is_wherever_it_is_printed(tmp_path):
    """Over trials guessing gets 14 %, over items 30 %: and 20 % of the items are right."""
    run = mixed(tmp_path)
    warnings = [text for text in texts(summarise(run).warnings) if "chance" in text]
    assert [text.partition(":")[0] for text in warnings] == [
        "accuracy 20.0\u00a0% is below chance (30\u00a0%)"
    ]
    book = RunSet([run])
    figures = measures.MeasureSheet(book, "toy").figures[0]["all"]
    assert (figures.chance, figures.guess) == (pytest.approx(0.3), "worse")
    (reported,) = overview(book).runs
    assert [text for text in texts(reported.warnings) if "chance" in text] == warnings
    assert health(run).groups[0].corrected.chance == figures.chance
    assert chance_of(trials_of(run)) == figures.chance


NBSP = "\u00a0"


def right_on(trials, wanted):
    return [
        answered(trial, trial.target if wanted(n) else "ABCD"["ABCD".index(trial.target) - 1])
        for n, trial in enumerate(trials)
    ]


@pytest.fixture(params=["mmar", "muchomusic"])
def rivals(request, tmp_path):
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
def test_the_finding_ranks_only_what_was_asked_alike(rivals, names):
    """As every table does; who asks `compare` for it sees what they share."""
    (board,) = overview(RunSet([rivals / name for name in names])).benchmarks
    said, lead = say(board.told[0]).replace(NBSP, " "), board.lead
    assert compare([rivals / name for name in names]).ranking[0].label == "part"
    assert [len(part.standings) for part in lead.parts] == [len(names) - 1, 1]
    assert len(names) == 2 or lead.shared == 240
    assert "whole answers" in said
    assert "part answers 70.0 %" in said
    assert "better than part" not in said
    assert "not asked alike" in " ".join(map(say, (board.told[0], *board.told[1])))


def test_a_run_of_a_quarter_of_the_items_is_ranked_by_itself(rivals):
    """Also where `limit` is passed over: the items tell."""
    with pytest.raises(InputError, match="limit"):
        build(rivals, apart=False)
    for ignore in ((), ["limit"]):
        (board,) = build(rivals, ignore)
        told = "part, 60 items" if ignore else "part, first 60 trials"
        assert [row.name for row in board.rows] == ["whole", "other", told]
        assert [row.letters for row in board.rows] == ["a", "b", "a"]
        assert [row.way for row in board.rows] == [0, 0, 1]
        assert not [note for note in board.notes if "ranked on" in note.text]


@pytest.mark.parametrize("name", ["mmar", "muchomusic"])
def test_a_leaderboard_ranks_on_the_items_that_its_letters_are_of(tmp_path, capsys, name):
    """`whole` is ahead by the ten items that `part` was not asked, and behind on the others."""
    asked = [choice(f"q{i}", groups=("music",), gold="ABCD"[i % 4]) for i in range(240)]
    for run, records, limit in (
        ("whole", right_on(asked, lambda n: n < 112 or n >= 230), None),
        ("part", right_on(asked[:230], lambda n: n < 115), 230),
        ("other", right_on(asked, lambda n: n % 5 == 0), None),
    ):
        write_run(tmp_path / run, name, run, records, limit=limit)
    (board,) = build(tmp_path, apart=False)
    own = [next(iter(row.cells.values())).value for row in board.rows]
    assert [row.model for row in board.rows] == ["part", "whole", "other"]
    assert own[1] > own[0]
    assert [row.letters for row in board.rows] == ["a", "a", "b"]
    (note,) = [note for note in board.notes if "230 items" in note.text]
    told = note.text.replace(" of music", "")
    assert told.startswith("Runs are ranked on the 230 items that all of them share;")
    assert main(["leaderboard", str(tmp_path), "-o", str(tmp_path / "board")]) == 0
    shown = " ".join(capsys.readouterr().out.split()).replace(" of music", "")
    assert "ranked on the 230 items that every model answered" in shown
    assert "each figure over all items of its run" in shown


def test_a_leaderboard_of_runs_on_the_same_items_needs_no_such_note(rivals):
    (rivals / "part" / "records.jsonl").unlink()
    (rivals / "part" / "run.json").unlink()
    (board,) = build(rivals)
    assert [row.name for row in board.rows] == ["whole", "other"]
    assert [row.letters for row in board.rows] == ["a", "b"]
    assert not [note for note in board.notes if "ranked on" in note.text]
