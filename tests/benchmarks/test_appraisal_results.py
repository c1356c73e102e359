"""Results that the published program saved: the answers as a run, the figures made again."""

import json

import pytest

from results_help import questions, rows, saved
from said_help import texts
from zhiyin import cli
from zhiyin.engine.folder import read_manifest, read_records


def test_its_answers_become_a_run(tmp_path, capsys):
    path = saved(tmp_path / "comprehensive_demo_results.json", rows(questions(), 11), 11)
    out = str(tmp_path / "run")
    assert cli.main(["import", "appraisal", str(path), "--out", out, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    group = told["groups"]["qa"]
    assert (group["n"], group["accuracy"]) == (36, pytest.approx(11 / 36))
    assert any("overall 32.78 %" in r for r in texts(told["remarks"]))


def test_its_figures_are_made_again(tmp_path, capsys):
    path = saved(tmp_path / "comprehensive_demo_results.json", rows(questions(), 11), 11)
    assert cli.main(["reproduce", "appraisal:results", "--replies", str(path), "--json"]) == 0
    found = {row["what"]: row for row in json.loads(capsys.readouterr().out)["rows"]}
    assert found["total"]["rule"] == pytest.approx(0.32778, abs=5e-6)
    for row in found.values():
        assert row["rule"] == pytest.approx(row["published"])
    assert found["qa"]["replies"] == 36
    assert cli.main(["reproduce"]) == 0
    assert "appraisal:results" in capsys.readouterr().out


def test_whatever_that_program_writes_is_read(tmp_path):
    """Failed questions, confidences, Python's NaN, no text, one question twice, a list alone."""
    answers = rows(questions(4), 4)
    answers[0] |= {"predicted_answer": None, "is_correct": False, "confidence": float("nan")}
    answers[1]["confidence"] = 0.8
    failed = {"question_id": 4, "audio_path": "x", "question": "?", "error": "boom",
              "is_correct": False, "response_time": 0}  # fmt: skip
    content = {
        "summary": {"accuracy": 0.75, "total_questions": 4, "average_confidence": float("nan")},
        "detailed_results": [*answers, failed, answers[1]],
    }
    path = tmp_path / "results.json"
    path.write_text(json.dumps(content), "utf-8")
    assert cli.main(["import", "appraisal", str(path), "--out", str(tmp_path / "run")]) == 0
    records = list(read_records(tmp_path / "run"))
    assert [record.verdict.state for record in records] == ["no_answer", *["correct"] * 3]
    assert [record.exchange.final.detail.get("confidence") for record in records] == [
        None, 0.8, None, None,
    ]  # fmt: skip
    manifest = read_manifest(tmp_path / "run")
    assert manifest.planned == 5
    assert any("1 questions failed there (the first: boom)" in r for r in texts(manifest.remarks))
    assert any("1 questions that stand there again" in r for r in texts(manifest.remarks))


@pytest.mark.parametrize(
    ("text", "told"),
    [("{", "no JSON"), ("[]", "not as save_results"), ('{"summary": {}}', "not as save_results")],
)
def test_another_file_is_one_line(tmp_path, capsys, text, told):
    path = tmp_path / "results.json"
    path.write_text(text, "utf-8")
    assert cli.main(["import", "appraisal", str(path)]) == 2
    assert told in capsys.readouterr().err


def test_the_published_questions_are_known_again(shared, tmp_path, capsys):
    lines = (shared / "appraisal" / "option_qa.jsonl").read_text("utf-8").splitlines()
    answers = rows([json.loads(line) for line in lines], 11)
    path = saved(tmp_path / "comprehensive_demo_results.json", answers, 11)
    out = tmp_path / "run"
    assert cli.main(["import", "appraisal", str(path), "--out", str(out), "--json"]) == 0
    assert len(list(read_records(out))) == 36
