"""Judges spend from the budget of the run that they judge, and their failures are the run's."""

import json
import shutil
from types import SimpleNamespace

import pytest

import zhiyin as zy
from judge_help import judge_answer
from paying import MODEL, PayServer, write_prices
from zhiyin.analysis.cost import Bill, judges_of
from zhiyin.cli import main
from zhiyin.cost.budget import Budget, BudgetAccount
from zhiyin.cost.ledger import remember_runs
from zhiyin.engine.folder import read_manifest
from zhiyin.runs.rows import read_table

pytestmark = pytest.mark.slow

REVIEWER = "python:zhiyin.plugins.benchmarks.appraisal.reviewer:review"
APPRAISAL = ["--source", "generated", "--n", "2", "--seed", "1", "--language", "en"]


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))


@pytest.fixture
def judge(tmp_path):
    def answer(text):
        return judge_answer(SimpleNamespace(body={"messages": [{"content": text}]}))

    with PayServer(answer) as server:
        write_prices(tmp_path / "prices", server.spec)
        yield server


def shown(capsys):
    return " ".join(capsys.readouterr().out.split())


def shown_cost(capsys, folder):
    assert main(["show", str(folder), "--json"]) == 0
    return json.loads(capsys.readouterr().out)["cost"]


def suite(folder, judge, budget, *more):
    lines = [
        'name = "judged"',
        f'budget = "{budget}"',
        "[[models]]",
        f'model = "{REVIEWER}"',
        "[[benchmarks]]",
        'benchmark = "appraisal"',
        "[benchmarks.flags]",
        'source = "generated"',
        "n = 2",
        'language = "en"',
        f'judge = "{judge.spec}"',
    ]
    file = folder / "judged.toml"
    file.write_text("\n".join(lines) + "\n")
    return main(["suite", str(file), "--out", str(folder / "s"), "--no-report", "--quiet", *more])


def test_judges_spend_from_the_budget_of_a_suite(tmp_path, judge, capsys):
    assert suite(tmp_path, judge, "9calls") == 1
    told = shown(capsys)
    assert "spent: 9 of 9 calls" in told
    assert "which judges it: the suite's budget of 9 calls is spent" in told
    first = judge.calls
    assert 0 < first < 9  # the model was asked as well: its calls count, too
    # What judges have spent is read from their logs: no more is paid than is left.
    assert suite(tmp_path, judge, "10calls", "--changed") == 1
    assert judge.calls == first + 1
    capsys.readouterr()
    assert suite(tmp_path, judge, "1kcalls,1Mtokens", "--changed") == 0
    assert f"{8 + judge.calls} of 1,000 calls" in shown(capsys)


def appraise(folder, judge, *more):
    command = ["run", "appraisal", *APPRAISAL, "-m", REVIEWER, "--judge", judge.spec]
    return main([*command, "--out", str(folder / "run"), "--quiet", *more])


def test_a_budget_holds_for_the_judge_that_follows_the_run(tmp_path, judge, capsys):
    assert appraise(tmp_path, judge, "--budget", "9calls") == 1
    assert "judging stopped: the budget of 9 calls is spent (9 calls)" in shown(capsys)
    first = judge.calls
    assert first == 1
    assert appraise(tmp_path, judge, "--budget", "10calls") == 1
    assert judge.calls == first + 1
    capsys.readouterr()
    assert appraise(tmp_path, judge, "--budget", "1kcalls") == 0
    assert "judging" not in shown(capsys)


def test_a_judge_that_fails_is_no_success(tmp_path, judge, capsys):
    judge.answer = lambda text: "I would rather not."
    assert appraise(tmp_path, judge) == 1
    assert "judging failed: 6 trials failed" in shown(capsys)


def test_what_a_judge_cost_is_told_beside_the_run(tmp_path, judge, capsys):
    assert appraise(tmp_path, judge) == 0
    capsys.readouterr()
    cost = shown_cost(capsys, tmp_path / "run")
    (paid,) = cost["judges"]
    assert paid["judge"] == MODEL
    assert paid["calls"] == judge.calls > 1
    assert paid["usd"] == pytest.approx(judge.usd)
    assert paid["tokens"] == sum(judge.used[name] for name in ("input", "output"))
    assert cost["usd"] is None  # the reviewer is a function
    (line,) = cost["lines"]
    assert line.startswith(f"judge {MODEL}: ")
    assert f" usd for {judge.calls} calls; {paid['tokens']:,} tokens" in line
    assert main(["show", str(tmp_path / "run")]) == 0
    assert f"usd for {judge.calls} calls" in shown(capsys)
    (manifest,) = (tmp_path / "run").glob("judged-*/run.json")
    again = tmp_path / "run" / "again"  # another run that somebody put there is no judge
    shutil.copytree(manifest.parent, again)
    other = json.loads((again / "run.json").read_text("utf-8"))
    del other["options"]["run"]
    (again / "run.json").write_text(json.dumps(other), "utf-8")
    assert [one.judge for one in judges_of(tmp_path / "run")] == [MODEL]
    manifest.write_text("{")
    told = Bill(read_manifest(tmp_path / "run"), read_table(tmp_path / "run")).as_summary(
        0, judges_of(tmp_path / "run")
    )
    (line,) = told.lines
    assert line.startswith(f"judge {manifest.parent.name}: what it cost is not known: ")


def test_a_judge_from_python_has_a_budget(tmp_path, judge, caplog):
    command = ["run", "appraisal", *APPRAISAL, "-m", REVIEWER, "--out", str(tmp_path / "run")]
    assert main([*command, "--quiet"]) == 0
    settings = {"aspects": ["completeness"], "language": "en", "concurrency": 1}
    with pytest.raises(zy.InputError, match="budget pears: write 5usd"):
        zy.judge(tmp_path / "run", judge.spec, budget="pears", **settings)
    assert judge.calls == 0
    part = zy.judge(tmp_path / "run", judge.spec, budget="1calls", **settings)
    assert judge.calls == 1
    assert "1 of 2 judgements are missing and not counted, of " in part._repr_html_()
    assert "judging stopped: the budget of 1 calls is spent (1 calls)" in caplog.text
    whole = zy.judge(tmp_path / "run", judge.spec, budget="1kcalls", **settings)
    assert judge.calls == 2
    assert len(whole.judges[0].songs) == 2


def test_dollars_want_the_price_of_the_judge_before_the_first_call(tmp_path, judge, capsys):
    (tmp_path / "prices" / "prices.toml").unlink()
    with PayServer() as asked:
        write_prices(tmp_path / "prices", asked.spec)
        command = ["run", "appraisal", *APPRAISAL, "-m", asked.spec, "--judge", judge.spec]
        run = ["--out", str(tmp_path / "run"), "--quiet", "--budget", "1usd"]
        assert main([*command, *run]) == 2
        assert f"the price of {judge.spec} is not known" in capsys.readouterr().err
        assert not asked.calls + judge.calls


@pytest.fixture
def questions(tmp_path):
    rows = [
        {"id": n, "question": f"Say something true of a fugue, {n}.", "scorer": "judge",
         "rubric": "It is true."}
        for n in range(12)
    ]  # fmt: skip
    file = tmp_path / "own.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)) + "\n")
    return file


def test_a_judge_within_the_trials_spends_from_the_budget_too(tmp_path, questions, capsys):
    with PayServer(lambda text: "It has voices.") as asked, PayServer() as judge:
        judge.answer = lambda text: '{"reason": "so it is", "verdict": "right"}'
        write_prices(tmp_path / "prices", asked.spec)
        table = tmp_path / "prices" / "prices.toml"
        table.write_text(table.read_text() + table.read_text().replace(asked.spec, judge.spec))
        command = ["run", "questions", "--data", str(questions), "-m", asked.spec]
        command += ["--judge", judge.spec, "--out", str(tmp_path / "run"), "--quiet"]
        command += ["--concurrency", "1", "--no-canary"]
        # A trial is had together with its judge, or it is not begun: eleven are five pairs.
        assert main([*command, "--budget", "11calls"]) == 1
        assert asked.calls == judge.calls == 5
        assert "(10 calls; what comes next takes 2)" in shown(capsys)
        # Earlier calls of the judge are remembered: no more than three are left.
        assert main([*command, "--budget", "14calls"]) == 1
        assert asked.calls + judge.calls == 14
        assert main([*command, "--budget", "1usd"]) == 0
        assert min(asked.calls, judge.calls) >= 12
        # The log knows what both have cost.
        account = BudgetAccount(Budget())
        remember_runs(account, tmp_path / "run")
        assert account.calls == asked.calls + judge.calls
        assert account.usd == pytest.approx(asked.usd + judge.usd)
        # `show` tells both, each in a line of its own.
        capsys.readouterr()
        cost = shown_cost(capsys, tmp_path / "run")
        assert cost["usd"] < asked.usd + 1e-9
        (paid,) = cost["judges"]
        assert paid["judge"] == ""
        assert paid["usd"] < judge.usd + 1e-9
        assert paid["calls"] <= judge.calls
        assert paid["calls"] >= 12
        assert paid["tokens"] > 0
        assert cost["lines"][-1].startswith("judge: ")
