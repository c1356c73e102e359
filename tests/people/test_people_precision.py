"""People and models beside each other: one footing, under every condition, in every category."""

import json
from types import SimpleNamespace

import msgspec
import pytest

from findings_help import answered as answer
from findings_help import choice, write_run
from people_help import exam, row, write_export
from runs_help import told
from zhiyin.analysis.beside import asked_alike
from zhiyin.analysis.run import OpenRun
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.engine.scoring import ALL
from zhiyin.plugins.people import figures as figures_of
from zhiyin.report.measures import MeasureSheet
from zhiyin.report.run_set import RunSet


def figures(*words):
    return json.loads(told("study", "show", *words, "--json"))["figures"]


def answered(trials, people=4):
    """An export in which the n-th person marks the option that is n places on."""
    return [
        row(f"p{n}", trial.id, [trial.options[(at + n) % len(trial.options)].key],
            order=[option.key for option in trial.options])
        for n in range(people)
        for at, trial in enumerate(trials)
    ]  # fmt: skip


@pytest.mark.slow
def test_a_model_is_found_where_trials_have_a_condition(tmp_path):
    run, noisy = tmp_path / "run", tmp_path / "noisy"
    told("run", "perception", "-m", "first", "--limit", 8, "--out", run, "--quiet")
    records = list(read_records(run))
    trials = [record.trial for record in records]
    assert all(trial.condition for trial in trials)
    path = write_export(tmp_path, trials, answered(trials))
    found = figures(path, "--exam", run, "--model", run)
    right = sum(record.verdict.state == "correct" for record in records)
    given = sum(record.verdict.state in ("correct", "wrong") for record in records)
    assert found["models"][0]["score"]["mean"] == pytest.approx(right / given)
    assert found["models"][0]["lacking"] == 0
    summary = json.loads(told("show", run, "--json"))["groups"]["all"]
    assert found["models"][0]["score"]["mean"] == pytest.approx(summary["precision"])
    for name, questions in found["questions"].items():
        assert questions == sum(name in trial.groups for trial in trials)
    # an item that was asked otherwise is another question
    other = [
        msgspec.structs.replace(
            one, trial=msgspec.structs.replace(one.trial, condition=f"other/{one.trial.condition}")
        )
        for one in records
    ]
    write_run(noisy, "perception", "m", other + records[:2])
    assert figures(path, "--exam", run, "--model", noisy)["models"][0]["lacking"] == 6


def test_precision_is_the_same_however_blanks_are_written(tmp_path):
    lines = ["id,question,A,B,C,D,answer"]
    trials = exam(["melody"], 6)
    lines += [",".join([t.id, t.stem, *(o.text for o in t.options), "B"]) for t in trials]
    (tmp_path / "exam.csv").write_text("\n".join(lines) + "\n")
    told("run", tmp_path / "exam.csv", "-m", "first", "--out", tmp_path / "model", "--quiet")
    source = tmp_path / "answers.csv"
    said = {"a": "BB C B", "b": "B  BBC", "c": "CBCBCB"}
    source.write_text(
        "person,item,answer\n"
        + "".join(f"{p},melody/{n},{key.strip()}\n" for p in said for n, key in enumerate(said[p]))
    )
    (tmp_path / "m.toml").write_text('empty = "no_answer"\n')
    words = (source, "--exam", tmp_path / "model", "--pass", 65)
    missing, blank = figures(*words), figures(*words, "--columns", tmp_path / "m.toml")
    means = [each["rows"][0]["score"]["mean"] for each in (missing, blank)]
    assert means == pytest.approx([(3 / 4 + 3 / 4 + 3 / 6) / 3] * 2)
    assert missing["categories"].keys() == blank["categories"].keys()
    # to pass, what was asked counts
    assert missing["passed"]["all people"]["passed"] == 2
    assert blank["passed"]["all people"]["passed"] == 0
    assert "4 blanks of people: no answer, and in no precision" in blank["notes"]
    page = told("study", "show", *words)
    assert "precision in %" in page


def test_a_model_s_precision_is_over_what_it_answered(tmp_path):
    letters = ["A", None, "B", "A", None, "A"]
    records = [answer(choice(f"q{n}"), letter) for n, letter in enumerate(letters)]
    run = write_run(tmp_path / "run", "toy", "m", records)
    scored = figures_of.PeopleScores({}, {f"q{n}": () for n in range(6)})
    found = figures_of.examined(run, SimpleNamespace(benchmark=SimpleNamespace(name="toy")), scored)
    assert found.score is not None
    assert found.score.mean == pytest.approx(3 / 4)
    assert found.of_all.mean == pytest.approx(3 / 6)
    assert found.precision({"q0", "q1", "q2"}) == pytest.approx(1 / 2)
    assert found.precision({"q1"}) is None
    assert found.chance == pytest.approx(1 / 4)  # of all six
    assert found.scores.keys() == {"q0", "q2", "q3", "q5"}


def test_a_model_that_answers_nothing_has_no_precision(tmp_path):
    trials = exam(["melody"], 4)
    lines = ["id,question,A,B,C,D,answer"]
    lines += [",".join([t.id, t.stem, *(o.text for o in t.options), "B"]) for t in trials]
    (tmp_path / "exam.csv").write_text("\n".join(lines) + "\n")
    run = tmp_path / "model"
    told("run", tmp_path / "exam.csv", "-m", "first", "--out", run, "--quiet")
    path = write_export(tmp_path, trials, answered(trials))
    silent = [
        msgspec.structs.replace(
            one, verdict=msgspec.structs.replace(one.verdict, state="no_answer", answer=None)
        )
        for one in read_records(run)
    ]
    benchmark = json.loads((run / "run.json").read_text())["benchmark"]
    write_run(tmp_path / "silent", benchmark, "silent", silent)
    words = (path, "--exam", run, "--model", tmp_path / "silent", "--pass", 50)
    found = figures(*words)
    assert found["models"][0]["score"] is None
    assert found["percentiles"]["silent"] == {}
    assert any("silent gave no answer to 4 of 4 questions" in note for note in found["notes"])
    page = told("study", "show", *words)
    assert "not known" in page
    assert "silent scores above" not in page


@pytest.mark.slow
def test_all_rows_of_table_4_are_there(tmp_path, shared):
    """Black African music and film music are parts of other categories in the published files."""
    run = tmp_path / "run"
    told("run", "ziqi", "--data", shared / "ziqi", "-m", "first", "--sample", 600, "--out", run,
         "--quiet")  # fmt: skip
    trials = [record.trial for record in read_records(run)]
    path = write_export(tmp_path, trials, answered(trials))
    words = ("study", "show", path, "--exam", run, "--model", run)
    page, everything = told(*words), told(*words, "--groups", "all")
    assert "black african music" not in page.lower()
    assert "--groups all" in page
    lines = [line.lower() for line in everything.splitlines()]
    heads = {"world ethnic music": "black african music", "popular music": "film score"}
    for head, within in heads.items():
        begin = next(n for n, line in enumerate(lines) if line.startswith(head))
        after = next(n for n, line in enumerate(lines) if line.startswith(f"  {within}"))
        assert begin < after
        assert all(line.startswith("  ") for line in lines[begin + 1 : after])


def test_people_who_answered_a_part_are_compared_on_it(tmp_path):
    """Practice aside they answer fewer items than a model; two models still have to be alike."""
    trials = exam(["melody"], 10)
    lines = ["id,question,A,B,C,D,answer"]
    lines += [",".join([t.id, t.stem, *(o.text for o in t.options), "B"]) for t in trials]
    for name, part in (("exam", lines), ("few", [lines[0], *lines[7:]])):
        (tmp_path / f"{name}.csv").write_text("\n".join(part) + "\n")
    model, few = tmp_path / "model", tmp_path / "few"
    told("run", tmp_path / "exam.csv", "-m", "random", "--out", model, "--quiet")
    told("run", tmp_path / "few.csv", "-m", "first", "--out", few, "--quiet")
    path = write_export(tmp_path, trials[1:], answered(trials[1:]))
    told("study", "show", path, "--exam", model, "--out", tmp_path / "people")
    people = tmp_path / "people" / "all-people"
    for runs in ([people, model], [model, people], [people, model, few], [few, people, model]):
        groups = asked_alike([OpenRun(run) for run in runs])
        found = {frozenset(runs[n].name for n in own) for own in groups}
        own = {frozenset({"model", "all-people"}), frozenset({"few", "all-people"})}
        assert found & own, found
        assert not any({"model", "few"} <= each for each in found)
    sheet = MeasureSheet(RunSet([model, people]), read_manifest(model).benchmark)
    [both] = sheet.compared()
    [pair] = [rows[ALL] for rows in both.pairs.values()]
    [said] = json.loads(told("compare", model, people, "--json"))["pairs"]
    first = said["groups"][0]
    assert (pair.items, both.shared) == (first["items"], 9)
    for runs, unknown in (([model, people], 1), ([model], 0)):
        card = json.loads(told("card", tmp_path / "exam.csv", *runs, "--json"))
        lines = {one["question"]: one for one in card["answers"]}
        assert lines["whole"]["state"] == ("unknown" if unknown else "met")
        assert lines["whole"]["detail"]["facts"] == {"n": 0, "of": len(runs), "unknown": unknown}
        assert lines["registered"]["detail"]["facts"]["of"] == 1  # people follow no plan
    assert abs(pair.difference) == pytest.approx(abs(first["difference"]))
