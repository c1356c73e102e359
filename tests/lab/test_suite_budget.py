"""A suite's budget: one sum for all its runs, whichever model they ask."""

import json

import pytest

from page_tree import read
from paying import PRICES, PayServer, write_prices
from suites_help import HERE, logs
from zhiyin.cli import main

IN_FLIGHT = 8  # two models, two runs of each, two slots


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))


@pytest.fixture
def servers(tmp_path):
    with PayServer(latency_s=0.002) as one, PayServer(latency_s=0.002) as two:
        write_prices(tmp_path / "prices", one.spec)
        table = tmp_path / "prices" / "prices.toml"
        dear = {name: 10 * price for name, price in PRICES.items()}
        lines = [f"[{json.dumps(two.spec)}]", *(f"{n} = {p}" for n, p in dear.items())]
        table.write_text(table.read_text() + "\n".join(lines) + "\n")
        yield one, two


def spent(servers):
    one, two = servers
    return one.usd + 10 * two.usd


def write(folder, servers, head="", models=""):
    lines = ['name = "bounded"', head]
    for name, server in zip(("cheap", "dear"), servers, strict=True):
        lines += [f'[[models]]\nmodel = "{server.spec}"\nname = "{name}"\nslots = 2']
    lines += [models]
    for name in ("Ears", "Books"):
        lines += [
            f'[[benchmarks]]\nbenchmark = "{HERE}:{name}"\nname = "{name.lower()}"',
            "flags = { items = 10 }",
        ]
    (folder / "bounded.toml").write_text("\n".join(lines) + "\n")
    return folder / "bounded.toml"


def suite(file, folder, *more):
    return main(["suite", str(file), "--out", str(folder), "--no-report", "--quiet", *more])


def calls(servers):
    return sum(server.calls for server in servers)


def shown(capsys):
    return " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_all_runs_share_one_budget_and_go_on_with_a_larger(tmp_path, servers, capsys):
    file, out = write(tmp_path, servers, 'budget = "20calls"'), tmp_path / "s"
    assert suite(file, out) == 1
    assert calls(servers) == 20
    said = shown(capsys)
    assert "the suite's budget of 20 calls is spent (20 calls)" in said
    assert "spent: 20 of 20 calls" in said
    # It stopped without an error, in runs of both models: the sum is one.
    records = [record for log in logs(out).values() for record in log]
    assert not any(record.get("error") for record in records)
    assert len(records) == 20
    assert all(server.calls for server in servers)
    # The plan says what is spent, and whether the rest will do; the command line goes before.
    plan = ["suite", str(file), "--out", str(out), "--dry-run"]
    assert main([*plan, "--budget", "30calls"]) == 0
    assert "budget: 20 of 30 calls spent: too little for all" in shown(capsys)
    # What was spent is read from the logs; nothing is paid twice.
    assert suite(file, out, "--budget", "1kcalls,1Mtokens") == 0
    assert calls(servers) == 40 == sum(map(len, logs(out).values()))
    # Terminal, JSON and page say what all of it cost, each model at its price.
    assert "all runs: 40 answered calls, " in shown(capsys)
    assert suite(file, out, "--budget", "1kcalls,1Mtokens", "--json") == 0
    paid = json.loads(capsys.readouterr().out)["told"]["cost"]
    assert (paid["calls"], paid["usd"]) == (40, pytest.approx(spent(servers)))
    page = read(out / "index.html")
    assert any("all runs: 40 answered calls, " in one.text for one in page.all("p", "note"))
    assert "cost" in page.all("table")[-1].all("tr")[0].text
    state = json.loads((out / "suite.json").read_text())
    assert state["files"][-1]["given"] == ["--budget 1kcalls,1Mtokens"]
    # Another suite asks anew, also within the hour: what is served may be another model.
    assert suite(file, tmp_path / "again", "--budget", "1calls") == 1
    assert calls(servers) == 41
    # What was put aside has cost what it did.
    file.write_text(file.read_text().replace("items = 10", "items = 11"))
    assert suite(file, out, "--budget", "40calls", "--changed") == 1
    assert calls(servers) == 41


@pytest.mark.slow
def test_dollars_are_added_up_at_the_price_of_each_model(tmp_path, servers, capsys):
    file = write(tmp_path, servers, 'budget = "0.004usd"')
    assert suite(file, tmp_path / "s") == 1
    assert 0 <= spent(servers) - 0.004 <= IN_FLIGHT * 0.001
    assert f"spent: {spent(servers):.6g} of 0.004 usd" in shown(capsys)


@pytest.mark.slow
def test_dollars_want_every_price_before_the_first_call(tmp_path, servers, capsys):
    with PayServer() as third:
        more = f'[[models]]\nmodel = "{third.spec}"\nname = "third"'
        # What answers on this machine costs nothing.
        more += '\n[[models]]\nmodel = "random"'
        file = write(tmp_path, servers, 'budget = "1usd"', more)
        for words in ((), ("--dry-run",)):
            assert suite(file, tmp_path / "s", *words) == 2
        told = capsys.readouterr()
        assert f"the price of {third.spec} is not known" in " ".join(told.err.split())
        assert f"{file}:11: models[3]" in told.err
        assert not third.calls + calls(servers)


@pytest.mark.parametrize("text", ["5eur", "", "1usd,2usd"])
def test_a_budget_that_is_none_is_told_with_its_line(tmp_path, servers, capsys, text):
    file = write(tmp_path, servers, f'budget = "{text or "5"}"')
    assert suite(file, tmp_path / "s") == 2
    assert f"{file}:2: budget: " in capsys.readouterr().err
    assert suite(file, tmp_path / "s", "--budget", text) == 2
    assert "--budget" in capsys.readouterr().err


@pytest.mark.slow
def test_a_plan_counts_no_calls_of_what_answers_by_itself(tmp_path, servers, capsys):
    models = '[[models]]\nmodel = "first"\nname = "first"'
    file = write(tmp_path, servers, models=models)
    plan = ["suite", str(file), "--out", str(tmp_path / "s"), "--dry-run"]
    assert main([*plan, "--budget", "40calls"]) == 0
    text = shown(capsys)
    assert "60 trials to ask in 40 calls" in text
    assert "too little for all" not in text
    assert main([*plan, "--budget", "39calls"]) == 0
    assert "too little for all" in shown(capsys)
