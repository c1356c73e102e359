"""What a run costs: estimated before, bounded while it goes, and told afterwards."""

import json
import random
import re

import msgspec
import pytest

from conftest import REPOSITORY
from paying import PayServer, write_prices
from questions_help import many
from servers import ChatServer, completion
from zhiyin.analysis.summary import summarise
from zhiyin.cost.estimate import Estimator, sound_rate, tokens_in
from zhiyin.cost.prices import Price, Usage, begin_own, counted, from_litellm, price_of, read_prices
from zhiyin.engine.folder import read_records
from zhiyin.errors import InputError

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))


@pytest.fixture
def data(tmp_path):
    return many(tmp_path / "q.jsonl", 132)


def zhiyin(*words):
    from zhiyin.cli import main

    return main([str(word) for word in words])


def told(capsys, *words):
    capsys.readouterr()
    status = zhiyin(*words, "--json")
    return status, json.loads(capsys.readouterr().out)


def wordy(text):
    """A reply whose length depends on the question, with an answer in it."""
    draw = random.Random(text)
    return "word " * draw.randint(3, 40) + f"答案：{draw.choice('ABCD')}"


# Estimates.


@pytest.mark.parametrize("counts", [True, False])
def test_the_estimate_is_near_the_bill_for_text(data, tmp_path, capsys, counts):
    with PayServer(wordy, counts=counts) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = ("run", data, "-m", server.spec, "--out", tmp_path / "run")
        zhiyin(*run, "--limit", 40, "--quiet")
        before, calls = server.usd, server.calls
        status, found = told(capsys, *run, "--dry-run")
        assert (status, server.calls) == (0, calls), "a dry run asks nothing"
        assert found["answered"] == 40
        zhiyin(*run, "--quiet")
        assert server.calls - calls == found["asked"] > 80
        bill = server.usd - before
        assert found["usd"] == pytest.approx(bill, rel=0.05)
        sent = found["input"]
        all_sent = json.loads(show(capsys, tmp_path / "run"))["cost"]["input"]
        assert sent + pilot_input(tmp_path / "run", 40) == pytest.approx(
            all_sent, rel=1e-9 if counts else 0.05
        )
        assert ("counted by the server" in found["input_from"]) == counts


def show(capsys, folder):
    capsys.readouterr()
    zhiyin("show", folder, "--json")
    return capsys.readouterr().out


def pilot_input(folder, count):
    records = list(read_records(folder))[:count]
    return sum(record.exchange.final.usage["prompt_tokens"] for record in records)


def test_without_any_reply_the_estimate_says_what_it_assumes(data, tmp_path, capsys):
    with PayServer(wordy, counts=False) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = ("run", data, "-m", server.spec)
        _, found = told(capsys, *run, "--dry-run", "--max-tokens", 50)
        assert found["input_from"] == "an estimate by the script of the words"
        assert found["output_from"].startswith("assumed: 50 a reply")
        assert found["usd"] == found["usd_at_most"]
        zhiyin(*run, "--dry-run")
        shown = capsys.readouterr().out
        assert "assumed" in shown
        assert "nothing was asked" in shown
        assert server.calls == 0


def test_what_the_cache_holds_costs_nothing(data, tmp_path, capsys):
    with PayServer(wordy) as server:
        write_prices(tmp_path / "prices", server.spec)
        anew = ("run", data, "-m", server.spec)
        run = (*anew, "--cache", 7)
        zhiyin(*run, "--limit", 30, "--quiet", "--out", tmp_path / "one")
        _, found = told(capsys, *run, "--dry-run", "--out", tmp_path / "two")
        assert (found["answered"], found["cached"]) == (0, 30)
        assert found["asked"] == found["planned"] - 30
        _, found = told(capsys, *run, "--dry-run", "--limit", 30, "--out", tmp_path / "two")
        assert (found["asked"], found["usd"]) == (0, 0.0)
        _, found = told(capsys, *anew, "--dry-run", "--out", tmp_path / "two")
        assert found["cached"] == 0


def test_a_model_on_this_machine_costs_nothing(data, capsys):
    _, found = told(capsys, "run", data, "-m", "first", "--dry-run")
    assert (found["usd"], found["asked"]) == (0.0, found["planned"])


def test_words_are_estimated_by_their_script():
    english = "Which of the following intervals is the most consonant one of them all?"
    chinese = "下列哪一个音程是其中最协和的一个音程呢"
    assert 12 <= tokens_in(english) <= 22
    assert 10 <= tokens_in(chinese) <= 22
    assert tokens_in("") == 0


def test_few_counts_move_only_what_they_tell_of():
    estimator = Estimator()
    row = (0.0, 100.0, 10.0, 2.0, 1.0, 0.0, 0.0)
    for _ in range(5):
        estimator.learn(row, 2 * estimator.tokens(row))
    cjk = (100.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    before, wanted = estimator.tokens(cjk), 2 * estimator.tokens(row)
    estimator.fit()
    assert estimator.tokens(row) == pytest.approx(wanted, rel=0.01)
    assert estimator.tokens(cjk) == pytest.approx(before)


# Prices.


def test_the_table_in_the_docs_is_one(tmp_path):
    page = (REPOSITORY / "docs" / "cost.md").read_text("utf-8")
    (tmp_path / "prices").mkdir()
    shown = re.search(r"```toml\n(.*?)```", page, re.DOTALL)[1]
    (tmp_path / "prices" / "prices.toml").write_text(shown)
    price = price_of("gemini:gemini-2.5-flash", read_prices())
    assert (price.input, price.date) == (0.3, "2026-11-20")
    # The head of the user's own table names every field.
    (tmp_path / "prices" / "prices.toml").unlink()
    head = begin_own().read_text()
    assert all(name in head for name in Price.__struct_fields__)
    assert read_prices() == {}


def test_no_file_of_prices_is_told(tmp_path, capsys):
    (tmp_path / "x.json").write_text("[]")
    for words in (("import",), ("import", tmp_path / "x.json"), ("import", tmp_path / "none")):
        assert zhiyin("prices", *words) == 2
        assert capsys.readouterr().err.count("\n") == 1
    with pytest.raises(InputError):
        from_litellm(tmp_path / "x.json", "2026-01-01")


def test_a_price_counts_each_kind_of_token_once():
    price = Price(input=1, output=10, cached=0.1, audio=5, reasoning=20, minute=6, request=0.5)
    used = Usage(1, 1000, 100, cached_input=300, audio_input=200, reasoning=40, seconds=30)
    wanted = (500 * 1 + 300 * 0.1 + 200 * 5 + 60 * 10 + 40 * 20) / 1e6 + 0.5 * 6 + 0.5
    assert price.of(used) == pytest.approx(wanted)
    half = Price(input=1, output=10, batch=0.5)
    assert half.of(used, batched=True) == pytest.approx(half.of(used) / 2)
    steps = Price(input=1, output=10, above=500, above_input=2, above_output=20)
    assert steps.of(used) == pytest.approx((1000 * 2 + 100 * 20) / 1e6)


# What a run has cost.


def test_show_and_report_say_what_it_cost(data, tmp_path, capsys):
    with PayServer(wordy) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = ("run", data, "-m", server.spec, "--quiet", "--cache", 7)
        zhiyin(*run, "--out", tmp_path / "one")
        summary = json.loads(show(capsys, tmp_path / "one"))
        cost, right = summary["cost"], summary["states"]["correct"]
        assert cost["usd"] == pytest.approx(server.usd)
        assert (cost["calls"], cost["cached"]) == (server.calls, 0)
        assert cost["usd_per_right"] == pytest.approx(server.usd / right)
        assert cost["tokens_per_right"] == pytest.approx(
            (server.used["input"] + server.used["output"]) / right
        )
        # From the cache it costs nothing, and a right answer as much as before.
        zhiyin(*run, "--out", tmp_path / "two")
        again = json.loads(show(capsys, tmp_path / "two"))["cost"]
        assert (again["usd"], again["calls"], again["cached"]) == (0.0, 0, server.calls)
        assert again["usd_per_right"] == pytest.approx(cost["usd_per_right"])
        # The price of then stays, whatever the table says later.
        write_prices(tmp_path / "prices", server.spec, output=9999)
        assert json.loads(show(capsys, tmp_path / "one"))["cost"]["usd"] == cost["usd"]
        zhiyin("show", tmp_path / "two", "--groups", "all")
        shown = capsys.readouterr().out
        assert "from the cache" in shown
        assert "2026-11-20, the server of the test" in shown
        assert zhiyin("report", tmp_path / "one", tmp_path / "two", "--out", tmp_path / "r") == 0
        page = (tmp_path / "r" / "index.html").read_text("utf-8")
        assert "per correct answer: " in page


def test_a_server_that_counts_nothing_is_said_to(data, tmp_path, capsys):
    mute = {name: value for name, value in completion("A").items() if name != "usage"}
    with ChatServer(lambda call: mute) as server:
        zhiyin(
            "run",
            "questions",
            "--data",
            data,
            "-m",
            server.spec,
            "--out",
            tmp_path / "r",
            "--quiet",
        )
    capsys.readouterr()
    zhiyin("show", tmp_path / "r", "--groups", "all")
    shown = " ".join(capsys.readouterr().out.split())
    assert re.search(r"cost: [0-9]+ calls, whose tokens the server did not count", shown)
    cost = json.loads(show(capsys, tmp_path / "r"))["cost"]
    assert cost["usd"] is None
    assert cost["calls"] == cost["uncounted"] > 0


# Budgets.


@pytest.mark.parametrize(
    ("budget", "spent", "limit"),
    [
        ("25calls", lambda server: server.calls, 25),
        ("5ktokens", lambda server: server.used["input"] + server.used["output"], 5000),
        ("0.02usd", lambda server: server.usd, 0.02),
    ],
)
def test_a_budget_is_never_passed_by_more_than_the_replies_in_flight(
    data, tmp_path, capsys, budget, spent, limit
):
    with PayServer(wordy, latency_s=0.01) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = ("run", data, "-m", server.spec, "--out", tmp_path / "run")
        run += ("--quiet", "--concurrency", 4)
        assert zhiyin(*run, "--budget", budget) == 1
        shown = " ".join(capsys.readouterr().out.split())
        assert "is spent" in shown
        assert "larger --budget" in shown
        over = spent(server) - limit
        assert over >= 0
        assert over <= 2 * spent(server) / server.calls  # the last call, and no other
        if "calls" in budget:
            assert over == 0
        records = list(read_records(tmp_path / "run"))
        assert not any(record.error for record in records)
        assert len(records) == server.calls
        # The same command asks nothing more; a larger one goes on, and pays nothing twice.
        calls = server.calls
        assert zhiyin(*run, "--budget", budget) == 1
        assert server.calls == calls
        assert zhiyin(*run) == 0
        whole = list(read_records(tmp_path / "run"))
        assert server.calls == len(whole) == len({record.id for record in whole})


def test_a_budget_in_the_middle_of_a_conversation_keeps_what_was_said(data, tmp_path):
    with PayServer(lambda text: "I would rather not tell.") as server:
        run = ("run", data, "-m", server.spec, "--out", tmp_path / "run")
        run += ("--quiet", "--concurrency", 1, "--confirm", "--limit", 3, "--cache", 1)
        assert zhiyin(*run, "--budget", "3calls") == 1
        records = list(read_records(tmp_path / "run"))
        assert len(records) == 2
        assert "budget" in records[1].error
        assert len(records[1].exchange.turns) == 1
        assert zhiyin(*run) == 0
        assert server.calls == 6, "the first reply of the broken conversation was kept"
        replies = summarise(tmp_path / "run").replies
        assert (replies.n, replies.earlier) == (6, 0), "it is of no other run than this"


def test_of_a_server_that_counts_nothing_tokens_are_estimated(data, tmp_path):
    from servers import ChatServer, completion

    with ChatServer(lambda call: {**completion("A"), "usage": None}) as server:
        run = ("run", data, "-m", server.spec, "--out", tmp_path / "run")
        assert zhiyin(*run, "--quiet", "--budget", "2ktokens", "--concurrency", 1) == 1
        assert 10 < server.calls < 60


def test_clips_give_a_round_rate():
    from zhiyin.cost.estimate import SoundLengths

    assert sound_rate([(SoundLengths((2.02,)), 65), (SoundLengths((3.5, 1.0)), 144)]) == 32
    assert sound_rate([(SoundLengths((10.0,)), 317)]) == pytest.approx(31.7)
    assert sound_rate([]) is None


def test_many_replies_are_added_up_as_each_alone():
    """Columns say what single replies do."""
    from zhiyin.analysis import cost
    from zhiyin.engine.folder import Manifest
    from zhiyin.runs.columns import (
        Lean,
        LeanDetail,
        LeanExchange,
        LeanReply,
        LeanTrial,
        LeanTurn,
        LeanVerdict,
    )
    from zhiyin.runs.table import RunTable

    names = ("prompt_tokens", "input_tokens", "completion_tokens", "output_tokens", "total_tokens",
             "cache_read_input_tokens", "prompt_tokens_details.audio_tokens", "of_nobody",
             "completion_tokens_details.reasoning_tokens")  # fmt: skip
    for seed in range(60):
        draw = random.Random(seed)
        price = Price(*(draw.random() for _ in range(7)), above=50, above_input=draw.random())
        table = RunTable(None)
        shapes = [draw.sample(names, draw.randrange(7)) for _ in range(3)]
        every, paid, right = 0.0, 0.0, Usage()
        for _ in range(draw.randrange(1, 120)):
            usage = {name: draw.randrange(100) for name in draw.choice(shapes)}
            if draw.random() < 0.1:
                usage["total_tokens"] = 2**70
            detail = LeanDetail(draw.random() < 0.3, draw.choice(["", "b"]), draw.random())
            turn = LeanTurn(LeanReply(usage, detail))
            table.add(
                Lean(
                    id=str(len(table)),
                    verdict=LeanVerdict("wrong"),
                    trial=LeanTrial(),
                    exchange=LeanExchange((turn,)),
                )
            )
            used = counted(usage, {"audio_seconds": detail.audio_seconds})
            usd = price.of(used, batched=bool(detail.batch))
            every += usd
            if not detail.cached:
                paid, right = paid + usd, right + used
        manifest = Manifest("b", "m", {}, {}, 1, price=vars_of(price))
        summary = cost.Bill(manifest, table).as_summary(1)
        assert summary.usd == pytest.approx(paid)
        assert summary.usd_per_right == pytest.approx(every)
        assert (summary.input, summary.output) == (right.input, right.output)
        assert (summary.reasoning, summary.uncounted) == (right.reasoning, right.uncounted)


def vars_of(price):
    return msgspec.to_builtins(price)
