"""The first screen: every clause of its sentence against brute force on the raw records."""

import json

import pytest
import test_report_lead
from test_report_claims import answering
from test_report_lead import NBSP, says

from findings_help import choice, write_run
from zhiyin.contract.settings import command_of, settings_of
from zhiyin.report.overview import overview
from zhiyin.report.run_set import RunSet
from zhiyin.words import say

pytestmark = pytest.mark.slow


world = test_report_lead.world
told = test_report_lead.told


def test_a_judge_total_stands_in_front_where_reviews_were_judged(tmp_path, monkeypatch):
    from zhiyin.cli import main

    monkeypatch.chdir(tmp_path)
    who = "python:zhiyin.plugins.benchmarks.appraisal.reviewer:review"
    order = (
        f"run appraisal --source generated --n 2 --seed 1 --language en -m {who} --out r --quiet"
    )
    assert main([*order.split(), "--stimuli", "s"]) == 0
    board = overview(RunSet([tmp_path / "r"]))
    assert any("judge r" in one.remedy.replace(str(tmp_path) + "/", "") for _, one in board.todo)
    assert main(["judge", "r", "-m", "lexical", "--quiet"]) == 0
    found = overview(RunSet([tmp_path / "r"])).benchmarks[0]
    (own,) = found.lead.standings
    assert (found.lead.figure, own.by) == ("total", "lexical")
    said = says(found).replace(NBSP, " ")
    assert (
        said == f"reviewer:review, English reaches {100 * own.value:.1f} % of the total, "
        "judged by lexical."
    )
    assert found.judges[0].lines


def test_what_is_to_be_done_comes_with_a_command_that_does_it(tmp_path, monkeypatch):
    from zhiyin.cli import main
    from zhiyin.engine.folder import read_manifest

    monkeypatch.chdir(tmp_path)
    order = "run perception --task chords --source generated --n 4 --seed 2 --stimuli s -m random"
    assert (
        main(["stimuli", "make", "--task", "chords", "--n", "4", "--seed", "2", "--out", "s"]) == 0
    )
    assert main([*order.split(), "--temperature", "0.5", "--out", "a b", "--quiet"]) == 0
    log = tmp_path / "a b" / "records.jsonl"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:2]))
    board = overview(RunSet([tmp_path / "a b"]))
    ((_, one),) = board.todo
    assert "2 of 4 trials not asked yet" in one.text
    import shlex

    words = shlex.split(one.remedy)
    assert words[:2] == ["zhiyin", "run"]
    assert main([*words[1:], "--quiet"]) == 0
    assert len(log.read_text().splitlines()) == 4
    assert overview(RunSet([tmp_path / "a b"])).todo == []
    assert "--out" not in command_of(settings_of(read_manifest(tmp_path / "a b")))


def test_of_answers_from_elsewhere_it_is_not_said_that_they_are_all(tmp_path):
    asked = [choice(str(n)) for n in range(30)]
    for name, benchmark, options in (
        ("here", "questions", {}),
        ("there", "questions", {"imported": True}),
        ("published", "cmi", {}),
    ):
        folder = tmp_path / name
        write_run(folder, benchmark, name, map(answering(name, 0.6), asked))
        about = json.loads((folder / "run.json").read_text())
        about["options"] = options
        (folder / "run.json").write_text(json.dumps(about))
        (own,) = overview(RunSet([folder])).benchmarks[0].lead.standings
        assert own.elsewhere == (name == "there")
        assert own.coverage == ("whole" if name == "here" else "unknown")


def test_what_is_measured_is_not_called_unjudged_nor_sent_to_a_judge(tmp_path):
    from zhiyin.cli import main

    words = ["run", "thresholds", "--dimension", "gap", "-m", "random", "--quiet"]
    assert main([*words, "--out", str(tmp_path / "run")]) == 0
    about = overview(RunSet([tmp_path / "run"]))
    (board,) = about.benchmarks
    claim = say(board.told[0])
    assert claim == "random reaches no threshold that can be asked in gap in noise."
    assert about.runs[0].planned == about.runs[0].trials  # of adaptive ones nobody knows more
    assert board.sections
    assert about.todo == []
    told = " ".join(str(finding.words) for finding in board.findings)
    assert "nothing yet" not in told
    assert "nobody has judged" not in told
