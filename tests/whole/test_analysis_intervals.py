"""One interval for a figure of a run, one best of several, wherever they are printed."""

import json
import zipfile

import msgspec
import numpy as np
import pytest

from columns_help import interval_of, rows_of_answers
from findings_help import answered, choice, failed, write_run
from runs_help import rows_by_figure
from said_help import texts
from zhiyin.analysis.compare import compare
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi.bias import COMPREHENSION, FEMALE, figures_of
from zhiyin.plugins.lab.export import write_hub
from zhiyin.plugins.lab.export.inspect_log import write_inspect
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.plugins.methods.health import health
from zhiyin.plugins.paper.tables import make_tables
from zhiyin.report import measures
from zhiyin.report.overview import overview
from zhiyin.report.paper_runs import gather
from zhiyin.report.run_set import RunSet
from zhiyin.runs.estimates import chance_of
from zhiyin.runs.rows import rows_of as trials_of
from zhiyin.statistics.intervals import interval
from zhiyin.words import say

pytestmark = pytest.mark.slow


def asked(items=40, repeats=3, clustered=True):
    """Items in tracks of two, but for a quarter that stand alone; every item asked repeatedly."""
    trials = []
    for number in range(items):
        alone = not clustered or number % 4 == 3
        for repeat in range(1, repeats + 1):
            trial = choice(
                f"q{number}/r{repeat}",
                groups=("g", "g/even" if number % 2 else "g/odd"),
                cluster=None if alone else f"track{number // 2}",
                gold="ABCD"[number % 4],
                tags={"repeat": repeat},
            )
            trials.append(msgspec.structs.replace(trial, item=f"q{number}"))
    return trials


def answers(trials, seed, steady=0.7, gift=0.6):
    """Right by the item, mostly: repeats of an item hang together."""
    rng = np.random.default_rng(seed)
    level = {item: rng.random() < gift for item in dict.fromkeys(t.item for t in trials)}
    for trial in trials:
        right = level[trial.item] if rng.random() < steady else rng.random() < gift
        wrong = "ABCD"[("ABCD".index(trial.target) + 1) % 4]
        letter = trial.target if right else wrong if rng.random() < 0.7 else None
        yield answered(trial, letter)


@pytest.fixture
def runs(tmp_path):
    root = tmp_path / "runs"
    return [
        write_run(root / name, "toy", name, answers(asked(), seed))
        for seed, name in enumerate(("one", "two"))
    ]


def test_every_output_gives_the_same_interval(runs, tmp_path, capsys):
    """show, report, tables, leaderboard, figures, exports, health and the ranking of compare."""
    found = interval_of(trials_of(runs[0]))
    expected = (found.mean, found.low, found.high)
    assert (found.n, found.clusters) == (40, 30)
    shown = summarise(runs[0]).groups["all"]
    assert (shown.accuracy, *shown.ci95) == expected
    assert (shown.n, shown.items, shown.clusters) == (120, 40, 30)
    assert main(["show", str(runs[0])]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "120 trials on 40 items in 30 clusters" in said
    sheet = measures.MeasureSheet(RunSet(runs), "toy")
    reported = sheet.figures[0]["all"]
    assert (reported.accuracy, *reported.ci95) == expected
    table = next(t for t in make_tables(runs) if t.name == "toy-scores")
    row = next(r.cells for r in table.rows if r.cells[:2] == ("one", "all"))
    assert row[2:8] == (120, 40, 30, *expected)
    (board,) = build(runs[0].parent)
    cell = next(r for r in board.rows if r.name == "one").cells["accuracy, all"]
    assert (cell.value, cell.low, cell.high) == expected
    _, figures = rows_by_figure(runs, tmp_path / "figures")["toy-overview"]
    row = next(row for row in figures if "one" in row.values())
    assert [float(row[name]) for name in ("value", "low", "high")] == pytest.approx(expected)
    assert row["items"] == "40"
    checked = health(runs[0]).groups[0].accuracy
    assert (checked.mean, checked.low, checked.high) == expected
    ranked = next(r for r in compare(runs).ranking if r.label == "one").score
    assert (ranked.mean, ranked.low, ranked.high) == pytest.approx(expected)
    write_hub(runs[0], tmp_path / "hub", partial=True)
    card = (tmp_path / "hub" / "README.md").read_text()
    assert f"low: {found.low:.6f}\n        high: {found.high:.6f}" in card
    write_inspect(runs[0], tmp_path / "log.eval")
    with zipfile.ZipFile(tmp_path / "log.eval") as archive:
        header = json.loads(archive.read("header.json"))
    values = header["results"]["scores"][0]["metrics"]
    assert [values[name]["value"] for name in ("accuracy", "low", "high")] == list(expected)


def test_repeats_that_are_wholly_dependent_tell_no_more_than_one(tmp_path):
    once = write_run(tmp_path / "1", "toy", "m", answers(asked(repeats=1), 3, steady=1))
    thrice = write_run(tmp_path / "3", "toy", "m", answers(asked(repeats=3), 3, steady=1))
    one, three = (interval_of(trials_of(run)) for run in (once, thrice))
    assert (three.mean, three.low, three.high) == (one.mean, one.low, one.high)


@pytest.mark.parametrize("figure", ["accuracy", "f1", "precision", "ifr"])
def test_rotations_that_are_wholly_dependent_do_not_narrow_any_figure(figure):
    def of(rotations):
        items = [item for item in range(60) for _ in range(rotations)]
        answers = ((item, "", None, item % 3 == 0, item % 5 != 1) for item in items)
        return interval_of(rows_of_answers(answers), figure)

    assert (of(4).low, of(4).high) == (of(1).low, of(1).high)


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


def test_f1_where_all_is_answered_is_the_accuracy(tmp_path):
    records = [answered(t, "A") for t in asked(repeats=1)]
    run = write_run(tmp_path / "run", "toy", "m", records)
    f1, right, precise = (interval_of(trials_of(run), m) for m in ("f1", "accuracy", "precision"))
    assert f1 == right == precise


def test_trials_without_a_cluster_stand_alone_beside_clustered_ones(tmp_path):
    trials = [choice(f"q{n}", cluster="t" if n < 2 else None, gold="AB"[n % 2]) for n in range(52)]
    run = write_run(tmp_path / "run", "toy", "m", [answered(t, "A") for t in trials])
    shown = summarise(run).groups["all"]
    assert shown.clusters == 51
    low, high = shown.ci95
    assert 0.3 < low < 0.5 < high < 0.7
    expected = interval([1 - n % 2 for n in range(52)], ["t", "t", *[None] * 50])
    assert [low, high] == [expected.low, expected.high]


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


def test_report_and_compare_are_one_comparison(runs):
    """Repeats are averaged first: 40 items, not 120 trials; the same n, interval and p."""
    book = RunSet(runs)
    sheet = measures.MeasureSheet(book, "toy")
    (rows,) = sheet.pairs.values()
    (known,) = compare(runs).pairs
    assert [row.items for row in rows.values()] == [row.items for row in known.groups]
    assert rows["all"].items == 40
    for row, group in zip(rows.values(), known.groups, strict=True):
        told = (row.difference, row.low, row.high, row.p, row.p_adjusted)
        assert told == (
            *(group.difference, group.low, group.high),
            *(group.p, group.p_adjusted),
        )
    (compared,) = sheet.compared()
    assert compared.shared == 40
    assert [score for _, score in compared.ranking] == [
        row.score.mean for row in compare(runs).ranking
    ]


def test_each_pair_is_compared_on_what_it_shares_in_report_and_command(tmp_path):
    trials = asked(repeats=1)
    runs = [
        write_run(tmp_path / name, "toy", name, answers(trials[: 40 - place], place))
        for place, name in enumerate("abc")
    ]
    pairs = measures.MeasureSheet(RunSet(runs), "toy").pairs
    known = compare(runs)
    assert known.items == 38
    assert [own["all"].items for own in pairs.values()] == [39, 38, 38]
    for own, other in zip(pairs.values(), known.pairs, strict=True):
        assert own["all"].p_adjusted == other.groups[0].p_adjusted


def test_runs_with_nothing_common_to_all_are_compared_in_pairs(tmp_path):
    trials = asked(repeats=1)
    parts = (trials[:20], trials[10:30], trials[20:])
    runs = [
        write_run(tmp_path / name, "toy", name, answers(part, place))
        for place, (name, part) in enumerate(zip("abc", parts, strict=True))
    ]
    sheet = measures.MeasureSheet(RunSet(runs), "toy")
    found = {runs: own["all"].items for runs, own in sheet.pairs.items()}
    assert found == {(0, 1): 10, (1, 2): 10}
    (compared,) = sheet.compared()
    assert (compared.ranking, compared.shared) == ([], 0)


def test_many_runs_are_distinguished_as_the_command_does(tmp_path):
    trials = asked(repeats=1)
    runs = [
        write_run(tmp_path / f"m{n}", "toy", f"m{n}", answers(trials, n, gift=0.3 + 0.08 * n))
        for n in range(8)
    ]
    sheet = measures.MeasureSheet(RunSet(runs), "toy")
    known = {
        (int(p.first[1:]), int(p.second[1:])): p.groups[0].p_adjusted for p in compare(runs).pairs
    }
    assert len(sheet.pairs) == 7  # each with the best alone
    for numbers, own in sheet.pairs.items():
        assert own["all"].p_adjusted == known[numbers]


def test_failed_repeats_do_not_weigh_an_item_less(tmp_path):
    trials = asked(items=2, repeats=3, clustered=False)
    records = [answered(t, t.target) for t in trials[:3]]
    records += [answered(trials[3], None), failed(trials[4]), failed(trials[5])]
    shown = summarise(write_run(tmp_path / "run", "toy", "m", records)).groups["all"]
    assert (shown.n, shown.errors, shown.items) == (4, 2, 2)
    assert shown.accuracy == 0.5


def altered(root, name, *audio):
    from findings_help import mucho_trials, student

    trials = mucho_trials(12, audio=audio)
    return write_run(root / name, "muchomusic", name, map(student(name, 0.6), trials))


def test_a_run_of_altered_sound_only_stands_aside(tmp_path, capsys):
    altered(tmp_path / "runs", "noisy", "noise")
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


def test_one_letter_under_all_rotations_is_not_called_misread(tmp_path):
    """It is right once in four rotations, but for five items that cannot be rotated."""
    records = []
    for number in range(255):
        for turn in range(4 if number < 250 else 1):
            gold = "ABCD"[turn] if number < 250 else "B"
            trial = choice(f"q{number}/o{turn}", gold=gold, tags={"rotation": turn})
            records.append(answered(msgspec.structs.replace(trial, item=f"q{number}"), "A"))
    run = write_run(tmp_path / "first", "toy", "first", records)
    figures = measures.MeasureSheet(RunSet([run]), "toy").figures[0]["all"]
    assert figures.accuracy < 0.2452
    assert figures.guess == "open"  # of any other answers, as many right would tell nothing
    assert not [text for text in texts(summarise(run).warnings) if "chance" in text]


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
    assert note.text.startswith("Runs are ranked on the 230 items that all of them share;")
    assert main(["leaderboard", str(tmp_path), "-o", str(tmp_path / "board")]) == 0
    shown = " ".join(capsys.readouterr().out.split())
    assert "ranked on the 230 items that every model answered" in shown
    assert "each figure over all items of its run" in shown


def test_a_leaderboard_of_runs_on_the_same_items_needs_no_such_note(rivals):
    (rivals / "part" / "records.jsonl").unlink()
    (rivals / "part" / "run.json").unlink()
    (board,) = build(rivals)
    assert [row.name for row in board.rows] == ["whole", "other"]
    assert [row.letters for row in board.rows] == ["a", "b"]
    assert not [note for note in board.notes if "ranked on" in note.text]
