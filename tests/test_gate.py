"""The gate: a run held against an earlier one, its exit status, and the files that it writes."""

import json
import re
import shutil
from xml.etree import ElementTree

import numpy as np
import pytest

from suites_help import suite
from zhiyin.analysis.compare_parts import compare_all
from zhiyin.analysis.gate import gate
from zhiyin.cli import main
from zhiyin.runs.pairing import scores_of
from zhiyin.statistics.paired import paired_difference


@pytest.fixture(scope="module")
def made(tmp_path_factory):
    folder = tmp_path_factory.mktemp("gate")
    text = suite(models=["Good", "Poor"], benchmarks=["Ears", "Books"], conditions=["plain"],
                 items=60)  # fmt: skip
    (folder / "small.toml").write_text(text)
    words = ["suite", str(folder / "small.toml"), "--out", str(folder / "s"), "--no-report"]
    assert main([*words, "--quiet"]) == 0
    return folder / "s"


@pytest.fixture(scope="module")
def good(made):
    return made / "runs" / "ears--plain--good"


@pytest.fixture(scope="module")
def poor(made):
    return made / "runs" / "ears--plain--poor"


def compared(*words):
    return main(["compare", *map(str, words)])


def test_what_is_shown_to_be_worse_closes_the_gate(good, poor, capsys):
    assert compared(good, poor, "--fail-if-worse") == 3
    assert "The gate is closed: 1 of 1 failed" in capsys.readouterr().out
    assert compared(poor, good, "--fail-if-worse") == 0
    assert compared(good, poor) == 0


def test_the_upper_end_decides_to_the_point(good, poor):
    """It fails where the upper end of new minus old lies below minus the points, and not there."""
    scores = scores_of([poor, good])
    found = paired_difference(*scores.values, scores.clusters)
    end = -100 * found.high
    assert compared(good, poor, "--fail-if-worse", f"{end - 0.01:.6f}") == 3
    assert compared(good, poor, "--fail-if-worse", f"{end + 0.01:.6f}") == 0
    (finding,) = gate({"ears": (good, poor)}, end - 0.01)
    assert (finding.difference, finding.low, finding.high) == (found.mean, found.low, found.high)


def test_several_runs_share_the_error(made, good, poor):
    (alone,) = gate({"a": (good, poor)})
    first, *_ = gate({"a": (good, poor), "b": (good, poor), "c": (good, poor)})
    scores = scores_of([poor, good])
    wide = paired_difference(*scores.values, scores.clusters, 1 - 0.05 / 3)
    assert (first.low, first.high) == (wide.low, wide.high)
    assert first.low < alone.low < alone.high < first.high


def test_judges_of_one_pair_share_the_error_too(good, poor, monkeypatch):
    """Each judge has an interval of its own, and a job is red for any of them."""
    monkeypatch.setattr(
        "zhiyin.analysis.gate.compare_all", lambda runs, measure: compare_all(runs) * 2
    )
    scores = scores_of([poor, good])
    wide = paired_difference(*scores.values, scores.clusters, 1 - 0.05 / 2)
    findings = gate({"a": (good, poor)})
    assert [(one.low, one.high) for one in findings] == [(wide.low, wide.high)] * 2


def test_a_smaller_part_is_compared_on_what_both_judged(good, poor, tmp_path, capsys):
    """Trials that were not to be asked are no lack."""
    new = tmp_path / "new"
    shutil.copytree(good, new)
    manifest = json.loads((new / "run.json").read_text())
    manifest["config"]["limit"] = manifest["planned"] = 20
    (new / "run.json").write_text(json.dumps(manifest))
    lines = (new / "records.jsonl").read_text().splitlines(True)
    (new / "records.jsonl").write_text("".join(lines[:20]))
    (finding,) = gate({"ears": (good, new)})
    assert (finding.state, finding.items) == ("kept", 20)


def test_nights_without_a_change_fail_rarely_and_a_drop_is_found():
    """Both kinds of error of the rule, on right and wrong answers with the truth known."""
    draw = np.random.default_rng(5)
    nights, items, chance = 600, 300, 0.7

    def closed(drop):
        fails = 0
        for _ in range(nights):
            ease = draw.normal(size=items)
            old, new = (
                (ease + draw.normal(size=items) < np.quantile(ease, p)).astype(float)
                for p in (chance, chance - drop)
            )
            fails += paired_difference(new, old, None).high < 0
        return fails / nights

    assert closed(0) < 0.025 + 3 * np.sqrt(0.025 * 0.975 / nights)
    assert closed(0.15) > 0.8


def test_the_same_replies_are_kept(good, tmp_path):
    shutil.copytree(good, tmp_path / "again")
    (finding,) = gate({"ears": (good, tmp_path / "again")})
    assert (finding.state, finding.low, finding.high) == ("kept", 0, 0)


def test_a_run_that_lacks_verdicts_does_not_pass(good, tmp_path, capsys):
    """What failed is in no figure: without this rule a model that breaks down would pass."""
    new = tmp_path / "new"
    shutil.copytree(good, new)
    lines = (new / "records.jsonl").read_text().splitlines(True)
    (new / "records.jsonl").write_text("".join(lines[:-5]))
    assert compared(good, new, "--fail-if-worse", "50") == 3
    said = " ".join(capsys.readouterr().out.split())
    assert "5 of 60 trials without a verdict" in said
    # What the earlier run lacked too is no reason.
    assert compared(new, good, "--fail-if-worse") == 0


def test_other_readers_and_other_data_are_refused(good, tmp_path, capsys):
    new = tmp_path / "new"
    shutil.copytree(good, new)
    manifest = json.loads((new / "run.json").read_text())
    manifest["config"]["options"]["extract"] = "first-letter"
    (new / "run.json").write_text(json.dumps(manifest))
    assert compared(good, new, "--fail-if-worse") == 2
    assert "options.extract differ" in capsys.readouterr().err


def test_the_summary_is_junit_and_markdown(good, poor, tmp_path):
    xml, text = tmp_path / "gate.xml", tmp_path / "gate.md"
    assert compared(good, poor, "--fail-if-worse", "--summary", xml) == 3
    root = ElementTree.parse(xml).getroot()
    assert (root.tag, root.get("tests"), root.get("failures")) == ("testsuites", "1", "1")
    (case,) = root.iter("testcase")
    assert case.get("classname")
    assert case.get("name")
    (failure,) = case.iter("failure")
    assert failure.get("type") == "worse"
    assert "95 % interval" in failure.text
    assert compared(good, poor, "--fail-if-worse", "--summary", text) == 3
    lines = [line for line in text.read_text().splitlines() if line.startswith("|")]
    assert len(lines) == 3
    assert len({line.count("|") for line in lines}) == 1
    assert compared(good, poor, "--fail-if-worse", "--summary", tmp_path / "x.html") == 2
    assert compared(good, poor, "--summary", text) == 2


def test_json_has_the_findings(good, poor, capsys):
    assert compared(good, poor, "--fail-if-worse", "1", "--json") == 3
    told = json.loads(capsys.readouterr().out)
    assert told["gate"][0]["state"] == "worse"
    assert told["judges"][0]["benchmark"] == "ears"


def test_a_suite_is_held_against_an_earlier_one(made, tmp_path, capsys):
    file, now = made.parent / "small.toml", tmp_path / "now"
    words = ["suite", str(file), "--no-report", "--quiet", "--out", str(now)]
    assert main([*words, "--baseline", str(made)]) == 0
    assert "none of 4 is shown to be worse" in capsys.readouterr().out
    # The earlier one was better in one run, and had another that is gone.
    before = tmp_path / "before"
    shutil.copytree(made, before)
    runs = before / "runs"
    shutil.rmtree(runs / "ears--plain--poor")
    shutil.copytree(runs / "ears--plain--good", runs / "ears--plain--poor")
    xml = tmp_path / "gate.xml"
    assert main([*words, "--baseline", str(before), "--summary", str(xml)]) == 3
    root = ElementTree.parse(xml).getroot()
    failed = [
        case.get("name") for case in root.iter("testcase") if case.find("failure") is not None
    ]
    assert [re.match("[^:]*", name)[0] for name in failed] == ["ears--plain--poor"]
    shutil.rmtree(now / "runs" / "books--plain--good")
    findings = gate({"books": (made / "runs" / "books--plain--good", None)})
    assert findings[0].state == "lacking"


def test_faults_are_told_before_anything_is_asked(made, tmp_path, capsys):
    words = ["suite", str(made.parent / "small.toml"), "--out", str(tmp_path / "x")]
    assert main([*words, "--baseline", str(tmp_path / "none")]) == 2
    assert main([*words, "--fail-if-worse", "1"]) == 2
    assert "add --baseline" in capsys.readouterr().err
    assert main([*words, "--baseline", str(made), "--summary", "x.txt"]) == 2
    assert not (tmp_path / "x").exists()
