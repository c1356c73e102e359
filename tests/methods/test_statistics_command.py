"""`zhiyin stats glmm`: on tables, on runs, and on what it cannot read."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import msgspec
import pytest

from simulated_answers import perfect, simulate
from zhiyin import cli
from zhiyin.engine.folder import Manifest
from zhiyin.plugins.methods.table import Observations, fit_glmm
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Trial

# --- bad input ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "no rows"),
        ("correct,modality,stimulus\n", "no rows"),
        ("correct,modality,stimulus\n1,a\n", "line 2: 2 values under 3"),
        ("correct,correct,stimulus\n1,1,a\n", "2 columns correct"),
        ("right,modality,stimulus\n1,a,s\n", "no column 'correct'"),
        ("correct,modality,stimulus\n1,a,s\n2,b,t\n", "line 3: column 'correct' holds '2'"),
        ("correct,modality,stimulus\n1,a,s\n1,b,t\n", "is 1 in all 2 rows"),
        ("correct,modality,stimulus\n1,a,s\n0,a,t\n", "always 'a'"),
        ("correct,modality,stimulus\n1,a,s\n0,b,s\n", "one group only"),
        ("correct,modality,stimulus\n,a,s\n0,,s\n", "no row has values"),
    ],
)
def test_bad_tables_are_refused_in_one_line(tmp_path, capsys, text, message):
    path = tmp_path / "answers.csv"
    path.write_text(text)
    formula = "correct ~ modality + (1 | stimulus)"
    assert cli.main(["stats", "glmm", "--csv", str(path), "--formula", formula]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert error.count("\n") == 1


@pytest.mark.parametrize("arguments", [[], ["run", "--csv", "x.csv"], ["--csv", "nowhere.csv"]])
def test_bad_arguments_are_refused(capsys, arguments):
    assert cli.main(["stats", "glmm", *arguments]) == 2
    assert capsys.readouterr().err.startswith("zhiyin: ")


# --- the command -------------------------------------------------------------------------------


def write_csv(path: Path, answers: Observations) -> Path:
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file)
        writer.writerow(answers.columns)
        writer.writerows(zip(*answers.columns.values(), strict=True))
    return path


@pytest.mark.slow
def test_csv_as_json_is_one_object(tmp_path, capsys):
    answers = simulate(10)
    path = write_csv(tmp_path / "answers.csv", answers)
    assert cli.main(["stats", "glmm", "--csv", str(path), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    expected = fit_glmm(answers)
    assert found["coefficients"][0]["estimate"] == pytest.approx(expected.coefficients[0].estimate)
    assert {"random_sd", "log_likelihood", "type3", "emmeans", "contrasts", "warnings"} <= set(
        found
    )


@pytest.mark.slow
@pytest.mark.parametrize("make", [simulate, perfect])
def test_csv_as_text(tmp_path, capsys, make):
    path = write_csv(tmp_path / "answers.csv", make(11))
    assert cli.main(["stats", "glmm", "--csv", str(path), "--groups", "all"]) == 0
    text = capsys.readouterr().out
    assert "modelm1:modalityMIDI" in text
    assert "type III" in text
    assert ("warning" in text) is (make is perfect)


def write_run(folder: Path, model: str, answers: Observations, task: str) -> Path:
    folder.mkdir(exist_ok=True)
    manifest = Manifest("perception", model, {}, {}, len(answers.lines))
    (folder / "run.json").write_bytes(msgspec.json.encode(manifest))
    with (folder / "records.jsonl").open("ab") as file:
        columns = answers.columns
        for row, who in enumerate(columns["model"]):
            if who != model:
                continue
            trial = Trial(
                f"{task}-{row}",
                (),
                cluster=columns["stimulus"][row],
                tags={"task": task, "modality": columns["modality"][row]},
            )
            state = "correct" if columns["correct"][row] == "1" else ("wrong", "refused")[row % 2]
            file.write(msgspec.json.encode(Record(trial.id, Verdict(state, None), trial)) + b"\n")
        for name, state, reply in (
            ("cut", "truncated", Reply("I think", "length")),
            ("empty", "no_answer", Reply(" \n")),
            ("failed", "error", None),
        ):
            trial = Trial(f"{task}-{model}-{name}", (), tags={"task": task})
            exchange = Exchange((Turn(reply),) if reply else ())
            record = Record(trial.id, Verdict(state, None), trial, exchange)
            file.write(msgspec.json.encode(record) + b"\n")
    return folder


@pytest.mark.slow
def test_runs_are_fitted_task_by_task(tmp_path, capsys):
    chords, beats = simulate(12), simulate(13)
    runs = []
    for model in ("m0", "m1", "m2"):
        folder = write_run(tmp_path / model, model, chords, "chords")
        runs.append(str(write_run(folder, model, beats, "beats")))
    assert cli.main(["stats", "glmm", *runs, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert list(found["tasks"]) == ["beats", "chords"]
    for task, answers in {"chords": chords, "beats": beats}.items():
        mine, expected = found["tasks"][task], fit_glmm(answers)
        assert mine["log_likelihood"] == pytest.approx(expected.log_likelihood, abs=1e-9)
        assert found["left_out"][task] == {"token_limited": 6, "error": 3}


def test_one_run_drops_the_model_from_the_formula(tmp_path, capsys):
    run = write_run(tmp_path / "run", "m1", simulate(14), "chords")
    assert cli.main(["stats", "glmm", str(run), "--json"]) == 0
    found = json.loads(capsys.readouterr().out)["tasks"]["chords"]
    assert found["formula"] == "correct ~ modality + (1 | stimulus)"
    assert cli.main(["stats", "glmm", str(run)]) == 0
    assert "left out: 2 cut off or empty, 1 failed" in capsys.readouterr().out


def test_a_task_that_cannot_be_fitted_does_not_hide_the_others(tmp_path, capsys):
    answers = simulate(15)
    easy = simulate(15)
    easy.columns["correct"] = ["1"] * len(easy.lines)
    run = write_run(tmp_path / "run", "m1", answers, "chords")
    write_run(run, "m1", easy, "easy")
    assert cli.main(["stats", "glmm", str(run), "--json"]) == 1
    tasks = json.loads(capsys.readouterr().out)["tasks"]
    assert "in all" in tasks["easy"]["error"]
    assert tasks["chords"]["coefficients"]
