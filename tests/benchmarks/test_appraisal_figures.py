"""What appraisal runs are worth, everywhere the same: leaderboard, compare, hub, report, show."""

import json
import re
from pathlib import Path

import msgspec
import pytest

from columns_help import figures_in
from judge_help import REVIEW, aspect_of, choice, dump, five_statements, four_claims, judge, points
from servers import ChatServer
from zhiyin import cli
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.log import RunFolder
from zhiyin.numerals import percent
from zhiyin.plugins.benchmarks.appraisal.results import totals
from zhiyin.plugins.judges import rubric
from zhiyin.plugins.lab.export import write_hub
from zhiyin.plugins.lab.leaderboard import as_page, build
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.report.paper_columns import columns_of, runs_beside
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import rows_of
from zhiyin.session.rescore import rescore
from zhiyin.trial import Trial, say
from zhiyin.words import say as in_words

pytestmark = pytest.mark.slow

SONGS = 24


def write_run(folder, model, right, good, version="2", songs=range(SONGS)):
    """A run of songs, a question and a review each, of which `right` and `good` are so."""
    options = {"extract": "robust", "language": "zh"}
    config = {"benchmark": "appraisal", "benchmark_version": version, "model": model, "limit": None}
    config |= {"options": options, "data": "d" * 64, "sampling": {}}
    manifest = Manifest("appraisal", model, config, options, 2 * len(songs))
    with RunFolder(folder, manifest) as log:
        for song in songs:
            record = choice(f"qa/{song}", "A", "correct")
            record.trial = msgspec.structs.replace(record.trial, cluster=f"song-{song}")
            if song >= right:
                record.verdict = Verdict("wrong", "B", "B")
            log.append(record)
        for song in songs:
            trial = Trial(
                f"appraisal/song-{song}",
                (say("user", "Write."),),
                "Write.",
                target=dump({"year": 2000 + song}),
                groups=("appraisal",),
                cluster=f"song-{song}",
                tags={"song": f"song-{song}"},
            )
            text = f"{'GOOD' if song < good else 'POOR'} {song}. {REVIEW}"
            verdict = Verdict("ungraded", None, scores={"written": 1.0})
            if version == "1":
                verdict = Verdict("correct", None, why="written")
            log.append(Record(trial.id, verdict, trial, Exchange((Turn(Reply(text)),))))
    return folder


def answer(call):
    """Good reviews get twelve points and right claims, poor ones four and wrong ones."""
    said = call.body["messages"][0]["content"]
    good, aspect = "GOOD" in said, aspect_of(call)
    if aspect == "completeness":
        names = list(rubric.OURS.points)
        return dump(points(dict.fromkeys(names[12 if good else 4 :], 0)))
    if aspect == "novelty":
        return dump({**five_statements(), "novelty_score": 4 if good else 1})
    claims = four_claims()["claims"]
    return dump({"claims": claims if good else claims[2:3]})


@pytest.fixture
def runs(tmp_path):
    root = tmp_path / "runs"
    return [
        write_run(root / name, name, right, good)
        for name, right, good in (("strong", 18, 24), ("middling", 10, 12), ("feeble", 0, 0))
    ]


@pytest.fixture
def judged(runs):
    with ChatServer(answer) as server:
        for run in runs:
            judge(run, server.spec)
        yield runs


def test_a_written_review_is_no_right_answer(runs):
    counts = figures_in(runs[2])
    assert counts.metrics().accuracy == 0
    assert counts.metrics().n == SONGS
    assert counts.everything.ungraded == SONGS
    assert list(counts.groups()) == ["all", "qa"]


def test_the_leaderboard_ranks_by_the_total_and_judges_are_no_contestants(judged):
    root = judged[0].parent
    (board,) = build(root)
    assert [row.name for row in board.rows] == ["strong", "middling", "feeble"]
    assert [row.letters for row in board.rows] == ["a", "b", "c"]
    assert board.columns == ["total", "questions", "completeness", "precision", "novelty"]
    assert (board.items, board.unit) == (SONGS, "songs")
    strong, _, feeble = board.rows
    assert feeble.cells["questions"].value == 0
    assert strong.cells["completeness"].value == 12 / 16
    assert strong.cells["precision"].value == 3 / 4
    expected = 0.3 * 18 / 24 + 0.4 * 12 / 16 + 0.2 * 3 / 4 + 0.1 * 9 / 10
    assert strong.cells["total"].value == pytest.approx(expected)
    for row in board.rows:
        for cell in row.cells.values():
            assert cell.low <= cell.value <= cell.high
            assert cell.low < cell.high
    page = as_page([board])
    assert "3 finished runs on the 24 songs that every model answered" in page
    assert "judged by" in str(board.title)


def test_a_run_that_the_judge_did_not_see_is_shown_and_not_ranked(judged):
    root = judged[0].parent
    write_run(root / "fresh", "fresh", 16, 24)
    (board,) = build(root)
    fresh = next(row for row in board.rows if row.name == "fresh")
    assert fresh.letters == ""
    assert set(fresh.cells) == {"questions"}
    assert fresh.note.startswith("not judged by")


def test_without_a_judge_there_are_questions_alone(runs):
    (board,) = build(runs[0].parent)
    assert str(board.title) == "appraisal, not judged"
    assert board.columns == ["questions"]
    assert [row.cells["questions"].value for row in board.rows] == [0.75, 10 / 24, 0]


def test_each_part_is_tested_whatever_a_review_claims_and_whoever_was_not_judged(judged):
    """A part's mark goes by its own test: also where one run claims less, or was not judged."""
    fresh = write_run(judged[0].parent / "fresh", "fresh", 1, 24)
    (table,), _ = runs_beside([*judged, fresh], {}, lambda n, of: None)
    ahead = {column.measure.name: column.ahead for column in columns_of(table, groups=True)}
    assert ahead.pop("questions") == [{"strong"}]
    assert "fresh" in table.rows
    assert set(ahead) == {"total", "completeness", "precision", "novelty"}
    assert all(own == [{"strong"}] for own in ahead.values())
    precision = next(c for c in columns_of(table, groups=True) if c.measure.name == "precision")
    claims = [precision.estimates[row].items for row in ("strong", "feeble")]
    assert claims[1] < 0.95 * claims[0]


def test_two_judges_are_two_tables(judged):
    for run in judged:
        judge(run, "lexical")
    boards = build(judged[0].parent)
    assert len(boards) == 2
    assert sum("judged by lexical" in str(board.title) for board in boards) == 1


def test_compare_is_paired_by_song(judged, capsys, monkeypatch):
    names = [str(run) for run in judged]
    assert cli.main(["compare", *names[:2], "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert (found["items"], found["unit"]) == (SONGS, "songs")
    assert found["measure"].startswith("total, judged by")
    rows = {row["group"]: row for row in found["pairs"][0]["groups"]}
    assert list(rows) == ["total", "questions", "completeness", "precision", "novelty"]
    assert rows["questions"]["difference"] == pytest.approx(8 / 24)
    assert rows["completeness"]["difference"] == pytest.approx(8 / 16 / 2)
    assert all(row["low"] <= row["difference"] <= row["high"] for row in rows.values())
    assert rows["total"]["resolved"]
    assert [row["letters"] for row in found["ranking"]] == ["a", "b"]
    board = build(judged[0].parent)[0]
    assert board.rows[0].cells["total"].value == pytest.approx(found["ranking"][0]["score"]["mean"])
    monkeypatch.setenv("COLUMNS", "80")
    assert cli.main(["compare", *names[:2]]) == 0
    told = capsys.readouterr().out
    assert "\ncompleteness " in told  # no name is cut or folded at 80 columns
    assert "on 24 songs" in told


def test_a_total_that_is_without_a_part_of_the_others_is_said_to_be_another(runs, capsys):
    """Who claims nothing has no precision: beside such a run the total is another than alone."""

    def mute(call):
        if aspect_of(call) == "precision" and "POOR" in call.body["messages"][0]["content"]:
            return dump({"claims": []})
        return answer(call)

    with ChatServer(mute) as server:
        for run in runs:
            judge(run, server.spec)
    strong, middling, feeble = map(str, runs)

    def told(*args):
        assert cli.main([*args]) == 0
        return " ".join(capsys.readouterr().out.split())

    alone = estimate(rows_of(runs[0]), totals(runs[0])[0]).value
    said = told("compare", strong, feeble)
    assert "both without precision, which feeble has not" in said
    assert f"strong: {percent(alone)}\u00a0% in the" not in said
    assert re.search(rf"which feeble has not; {percent(alone)}.% by itself", said)
    assert "feeble: " not in said.partition("both without")[2].partition("A: ")[0]
    assert "both without" not in told("compare", strong, middling)
    page = Path(feeble).parent.parent / "page.html"
    told("report", strong, feeble, "-o", str(page), "--lang", "en")
    assert "both without precision, which one of them lacks" in page.read_text("utf-8")


def test_each_pair_is_on_the_songs_that_it_shares_and_the_ranking_on_those_of_all(tmp_path, capsys):
    """Whoever has other songs takes none from a pair that shares more of them."""
    asked = {"a": range(20), "b": range(5, 24), "c": range(12)}
    for name, songs in asked.items():
        run = write_run(tmp_path / name, name, 8 + len(name), 15, songs=songs)
        judge(run, "lexical")
    names = [str(tmp_path / name) for name in asked]
    assert cli.main(["compare", *names, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert {(p["first"], p["second"]): p["groups"][0]["items"] for p in found["pairs"]} == {
        ("a", "b"): 15,
        ("a", "c"): 12,
        ("b", "c"): 7,
    }
    assert found["items"] == 7
    assert {one["score"]["n"] for one in found["ranking"]} == {7}
    assert [run["trials"] for run in found["runs"]] == [20, 19, 12]


def test_a_run_whose_judge_failed_in_part_has_a_total_and_no_rank(tmp_path, capsys):
    """What is missing might turn it round: it stands apart, as a run that is not finished."""
    runs = [write_run(tmp_path / name, name, right, 24) for name, right in (("a", 18), ("b", 4))]

    def flaky(call):
        return "no idea" if "GOOD 3" in call.body["messages"][0]["content"] else answer(call)

    with ChatServer(answer) as server:
        judge(runs[0], server.spec)
        server.answer = flaky
        judge(runs[1], server.spec)
    (board,) = build(tmp_path)
    letters = {row.name: row.letters for row in board.rows}
    assert all("total" in row.cells for row in board.rows)
    assert letters == {"a": "a", "b": ""}
    assert cli.main(["compare", *map(str, runs), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert [(one["label"], one["finished"]) for one in found["ranking"]] == [
        ("a", True),
        ("b", False),
    ]


def test_compare_without_a_judge_is_of_questions(runs, capsys):
    assert cli.main(["compare", *map(str, runs[:2]), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["items"] == SONGS
    assert found["pairs"][0]["groups"][0]["first"] == 0.75


def test_a_judge_that_failed_every_time_gives_no_total(runs, capsys):
    with ChatServer("no idea") as server:
        folder = judge(runs[0], server.spec)
        judge(runs[1], server.spec)
    (board,) = build(runs[0].parent)
    assert not any("total" in row.cells for row in board.rows)
    assert not any(row.letters for row in board.rows)
    assert "no total: all of it failed for completeness" in board.rows[0].note
    assert cli.main(["show", str(runs[0]), "--json"]) == 0
    table = json.loads(capsys.readouterr().out)["details"][1]
    assert table["rows"][-1][:4] == ["total", None, None, None]
    assert read_manifest(folder).benchmark == "judge"


def test_one_judge_by_two_protocols_heads_two_tables(runs):
    with ChatServer("no idea") as server:
        judge(runs[0], server.spec)
        cli.main(["judge", str(runs[0]), "-m", server.spec, "--protocol", "reaction-released"])
    titles = [[in_words(board.title, language) for board in build(runs[0].parent)] for language in
              ("en", "zh")]  # fmt: skip
    for every, marked in zip(
        titles, (" (reaction-released)", "（reaction-released）"), strict=True
    ):
        assert len({*every}) == 2
        assert sum(marked in title for title in every) == 1


def test_the_hub_gets_no_accuracy_of_reviews(judged, tmp_path):
    done = write_hub(judged[0], tmp_path / "hub", partial=True)
    results, card = (path.read_text() for path in done.files)
    tasks = [x.split('"')[1] for x in results.splitlines() if "task_id" in x]
    parts = ("total", "questions", "completeness", "precision", "novelty")
    assert tasks == [f"appraisal_{name}" for name in parts]
    values = [float(x.split(": ")[1]) for x in results.splitlines() if "value:" in x]
    assert values[1:3] == [0.75, 0.75]
    assert card.count('type: "accuracy"') == 1
    assert card.count("judged by") == 4


def test_the_report_begins_with_the_judgements(judged, tmp_path):
    from zhiyin.report.overview import overview
    from zhiyin.report.run_set import RunSet

    (found,) = overview(RunSet(judged)).benchmarks
    said = [str(finding.words) for finding in found.findings]
    assert said[0].startswith("strong, judged by")
    assert "has a total of 76.5" in said[0]
    assert "completeness 75.0" in said[0]
    compared = next(text for text in said if "strong is better than middling" in text)
    assert "of the total on 24 songs" in compared
    assert found.figures[2]["all"].accuracy == 0


def test_the_report_says_what_is_not_judged(runs):
    from zhiyin.report.overview import overview
    from zhiyin.report.run_set import RunSet

    (found,) = overview(RunSet(runs[:1])).benchmarks
    assert any("its reviews are not judged" in str(f.words) for f in found.findings)


def test_a_log_of_the_first_version_is_mended_by_rescore(tmp_path, capsys):
    run = write_run(tmp_path / "old", "old", 0, 12, version="1")
    assert cli.main(["show", str(run), "--json"]) == 0
    notes = json.loads(capsys.readouterr().out)["details"][0]["notes"]
    assert "zhiyin rescore" in notes[0]
    judge(run, "lexical")  # its reviews are reviews all the same
    (board,) = build(tmp_path)
    assert board.rows[0].cells["questions"].value == 0
    mended = rescore(run, "robust", tmp_path / "new")
    assert mended.states["ungraded"] == SONGS
    assert mended.groups["all"].n == SONGS
