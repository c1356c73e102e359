"""A budget holds over all sessions, however they end: what is begun is written down first."""

import itertools
import json
import random
import signal
import time

import pytest
from aiohttp import web

import warm
from paying import PayServer, write_prices
from questions_help import many
from servers import ChatServer, completion
from zhiyin.cli import main
from zhiyin.cost.budget import Budget, BudgetAccount
from zhiyin.cost.ledger import remember_runs
from zhiyin.engine.asking import Amount, Journal, read_calls
from zhiyin.engine.folder import read_records

pytestmark = pytest.mark.slow


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return many(tmp_path_factory.mktemp("ziqi") / "q.jsonl", 3300)


def command(data, spec, out, *more):
    run = ["run", "questions", "--data", data, "-m", spec, "--out", out, "--quiet", "--no-canary"]
    return [str(word) for word in (*run, *more)]


LONG = "The answer is B, " + "as one can hear " * 6
WORDY = ("A", "A", LONG)


def wordy(text):
    return WORDY[2 - len(text) % 3]


def remembered(folder):
    account = BudgetAccount(Budget())
    remember_runs(account, folder)
    return account


KILLS = [2, pytest.param(20, marks=pytest.mark.trust)]


@pytest.mark.parametrize("kills", KILLS)
def test_a_budget_of_calls_holds_under_kills(data, tmp_path, kills):
    with ChatServer("A", latency_s=0.05) as server:
        run = command(data, server.spec, tmp_path / "run", "--concurrency", 16)
        killed, draw = 0, random.Random(3)
        for _ in range(kills):
            process = warm.Started([*run, "--budget", "100calls"])
            wanted = server.calls + draw.randrange(1, max(2, 100 // kills))
            while process.poll() is None and server.calls < min(wanted, 100):
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        assert killed >= 2
        for _ in range(2):
            warm.run([*run, "--budget", "100calls"])
        assert server.calls <= 100
        assert server.calls >= 100 - 16 * killed  # written down, and killed before it was sent
        assert remembered(tmp_path / "run").calls == 100


@pytest.mark.parametrize("kills", KILLS)
def test_a_budget_of_dollars_holds_under_kills(data, tmp_path, kills):
    with PayServer(wordy, latency_s=0.05) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = command(data, server.spec, tmp_path / "run", "--concurrency", 16)
        limit = 0.016 * kills
        run += ["--budget", f"{limit}usd"]
        killed = 0
        for _ in range(kills):
            process, before = warm.Started(run), server.calls
            while process.poll() is None and server.calls < before + 4:
                time.sleep(0.001)
            process.send_signal(signal.SIGKILL)
            killed += process.wait() == -signal.SIGKILL
        assert killed == kills
        warm.run(run)
        dearest = 3 * server.usd / server.calls
        assert server.usd <= limit + 16 * dearest  # what was under way once
        assert server.usd > 0
        spent, calls = remembered(tmp_path / "run").usd, server.calls
        assert spent >= limit
        warm.run(run)
        assert server.calls == calls


@pytest.mark.parametrize("first", ["A", LONG, "B" * 300])
def test_many_connections_pass_a_small_budget_by_what_is_under_way(data, tmp_path, first):
    """By one call where the dearest came first; by all under way where a cheap one did."""
    replies = itertools.chain([first], itertools.cycle(["B" * 300] if first[0] == "B" else WORDY))
    with PayServer(lambda text: next(replies), latency_s=0.05) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = command(data, server.spec, tmp_path / "run", "--concurrency", 64)
        assert main([*run, "--budget", "0.01usd"]) == 1
        under_way = server.most_at_once if first == "A" else 1
        assert server.usd <= 0.01 + under_way * 3 * server.usd / server.calls
        assert server.usd > 0.008
        assert remembered(tmp_path / "run").usd == pytest.approx(server.usd)


def test_what_failed_and_what_was_empty_is_not_forgotten(data, tmp_path):
    """Replies without words are paid for, and leave nothing but the journal."""
    usage = {"prompt_tokens": 800, "completion_tokens": 200, "total_tokens": 1000}

    def empty(call):
        return {**completion(""), "usage": usage}

    with ChatServer(empty) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = command(data, server.spec, tmp_path / "run", "--concurrency", 4, "--retries", 99)
        one = (800 * 2 + 200 * 8) / 1e6
        for _ in range(4):
            assert main([*run, "--budget", "0.04usd"]) == 1
            assert server.calls * one <= 0.04 + one
        assert server.calls * one > 0.03
        assert remembered(tmp_path / "run").usd == pytest.approx(server.calls * one)
        told = [record.error for record in read_records(tmp_path / "run")]
        why = "the budget was spent before the question was answered, and its last try had failed: "
        assert told == [f"{why}the model replied with no text at all"] * len(told)
        assert told


def test_a_run_without_a_budget_keeps_no_journal_and_one_that_has_it_goes_on(data, tmp_path):
    with PayServer() as server:
        write_prices(tmp_path / "prices", server.spec)
        run = command(data, server.spec, tmp_path / "run")
        assert main([*run, "--limit", "5"]) == 0
        assert not (tmp_path / "run" / "calls.jsonl").exists()
        assert main([*run, "--limit", "9", "--budget", "1usd"]) == 0
        assert main([*run, "--limit", "12"]) == 0
        first, *lines = read_calls(tmp_path / "run")
        assert first.before.calls == 5
        assert sum(line.expected is not None for line in lines) == 7
        account = remembered(tmp_path / "run")
        assert account.calls == server.calls == 12
        assert account.usd == pytest.approx(server.usd)


def test_merged_shards_know_what_each_of_them_spent(data, tmp_path):
    with PayServer() as server:
        write_prices(tmp_path / "prices", server.spec)
        parts = [str(tmp_path / f"part{number}") for number in (1, 2)]
        for number, part in enumerate(parts, 1):
            run = command(data, server.spec, part, "--limit", "10", "--shard", f"{number}/2")
            assert main([*run, "--budget", "1usd"]) == 0
        assert main(["merge", *parts, "--out", str(tmp_path / "whole")]) == 0
        account = remembered(tmp_path / "whole")
        assert account.calls == server.calls == 10
        assert account.usd == pytest.approx(server.usd)
        numbers = [line.call for line in read_calls(tmp_path / "whole") if line.expected]
        assert len(set(numbers)) == 10


def test_a_torn_line_of_the_journal_is_no_call(tmp_path):
    journal = Journal(tmp_path)
    assert journal.begin(Amount(10, 100, 0.5)) == 1
    journal.end(1, Amount(12, 3, 0.1))
    journal.close()
    with (tmp_path / "calls.jsonl").open("ab") as file:
        file.write(b'{"call":2,"expec')
    journal = Journal(tmp_path)
    assert journal.begin(Amount(10, 100)) == 2
    journal.close()
    assert [line.call for line in read_calls(tmp_path)] == [1, 1, 2]


# Usage that cannot be.


@pytest.mark.sample(3)
@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"prompt_tokens": -(10**6), "completion_tokens": 3, "total_tokens": 14},
        {"prompt_tokens": 11, "completion_tokens": -(10**6)},
        {"prompt_tokens": 10**12, "completion_tokens": 10**12},
        {"completion_tokens": 40},
        {"prompt_tokens": 40},
        {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
        {"prompt_tokens": "40", "completion_tokens": "3"},
        {"prompt_tokens": 40.5, "completion_tokens": 3.5},
        {"prompt_tokens": float("nan"), "completion_tokens": float("nan")},
        {"prompt_tokens": 50, "completion_tokens": 3,
         "prompt_tokens_details": {"cached_tokens": 10**7}},
        {"prompt_tokens": 50, "completion_tokens": 3,
         "prompt_tokens_details": {"audio_tokens": -(10**7)}},
    ],
)  # fmt: skip
def test_a_budget_goes_by_words_where_counts_cannot_be(data, tmp_path, usage):
    def answer(call):
        body = json.dumps({**completion("The answer is A."), "usage": usage})
        return web.Response(text=body, content_type="application/json")

    with ChatServer(answer) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = command(data, server.spec, tmp_path / "run", "--concurrency", 8)
        if "NaN" in json.dumps(usage):  # no JSON: nobody knows what it cost
            run += ["--retries", "0"]
        assert main([*run, "--budget", "2ktokens"]) == 1
        assert 8 < server.calls < 160
        assert 2000 <= remembered(tmp_path / "run").tokens < 2400
        assert main(["show", str(tmp_path / "run")]) == 0


def test_a_bill_is_never_negative(data, tmp_path, capsys):
    usage = {"prompt_tokens": -(10**6), "completion_tokens": 3}
    with ChatServer(lambda call: {**completion("A"), "usage": usage}) as server:
        write_prices(tmp_path / "prices", server.spec)
        assert main([*command(data, server.spec, tmp_path / "run"), "--limit", "2"]) == 0
        capsys.readouterr()
        assert main(["show", str(tmp_path / "run"), "--json"]) == 0
        cost = json.loads(capsys.readouterr().out)["cost"]
        assert (cost["input"], cost["output"], cost["uncounted"]) == (0, 6, 2)
        assert cost["usd"] > 0
        assert "the server did not count the tokens of 2 calls" in " ".join(cost["lines"])


# Calls within a pool.


def dear_prices(root, *specs):
    root.mkdir(parents=True, exist_ok=True)
    rows = [
        f'["{spec}"]\ninput = 10\noutput = 100\ndate = 2026-11-20\nsource = "mine"\n'
        for spec in specs
    ]
    (root / "prices.toml").write_text("".join(rows))


def test_calls_that_were_cut_off_count_as_dearly_as_the_dearest_that_is_known(data, tmp_path):
    """Twenty calls that nobody saw the end of counted as 0.01 usd each, and one costs 1 usd."""
    with PayServer(lambda text: "so it is " * 3000, latency_s=0.3) as server:
        dear_prices(tmp_path / "prices", server.spec)
        run = command(data, server.spec, tmp_path / "run", "--budget", "3usd")
        for kill in range(4):
            process = warm.Started(run)
            while process.poll() is None and server.calls <= kill:
                time.sleep(0.005)
            process.kill()
            process.wait()
        begun = server.calls
        assert begun >= 4
        main([*run, "--concurrency", "4"])
        assert server.calls <= begun + 1


def test_two_deployments_at_one_address_have_prices_of_their_own(data, tmp_path, capsys):
    with PayServer() as server:
        address, _, model = server.spec.partition("#")
        beta = f"{address}?deployment=beta#{model}"
        (tmp_path / "prices").mkdir()
        (tmp_path / "prices" / "prices.toml").write_text(
            f'["{server.spec}"]\ninput = 1\noutput = 1\ndate = 2026-11-20\nsource = "mine"\n'
            f'["{beta}"]\ninput = 1000\noutput = 1000\ndate = 2026-11-20\nsource = "mine"\n'
        )
        for spec, name in ((server.spec, "plain"), (beta, "beta")):
            main([*command(data, spec, tmp_path / name), "--limit", "3"])
        capsys.readouterr()
        usd = []
        for name in ("plain", "beta"):
            main(["show", str(tmp_path / name), "--json"])
            usd.append(json.loads(capsys.readouterr().out)["cost"]["usd"])
        assert usd[1] == pytest.approx(1000 * usd[0])
        main(["prices"])
        assert "deployment=beta" not in capsys.readouterr().out


def test_all_that_was_paid_for_is_in_the_cost_of_the_run(data, tmp_path, capsys):
    """Replies without words are asked again: what was served is what `show` says, with a budget or
    without, and what a later session remembers."""
    usage = {"prompt_tokens": 30, "completion_tokens": 8, "total_tokens": 38}
    seen = set()

    def answer(call):
        asked = json.dumps(call.body["messages"])
        first, _ = asked not in seen, seen.add(asked)
        return {**completion("" if first and len(seen) % 3 == 0 else "Answer: A"), "usage": usage}

    for name, more in (("plain", []), ("budget", ["--budget", "45calls"])):
        seen.clear()
        with ChatServer(answer) as server:
            run = command(data, server.spec, tmp_path / name, "--limit", 60, "--cache", "off")
            main([*run, *more])
            capsys.readouterr()
            assert main(["show", str(tmp_path / name), "--json"]) == 0
            cost = json.loads(capsys.readouterr().out)["cost"]
            assert cost["calls"] == server.calls == (45 if more else 80)
            assert cost["input"] == 30 * server.calls
            assert cost["output"] == 8 * server.calls
            assert remembered(tmp_path / name).calls == server.calls
            (tmp_path / name / "calls.jsonl").unlink(missing_ok=True)
            again = remembered(tmp_path / name)
            assert (again.calls, again.tokens) == (server.calls, 38 * server.calls)


# Which failed calls are calls.


def told_cost(folder, capsys):
    capsys.readouterr()
    assert main(["show", str(folder), "--json"]) == 0
    return json.loads(capsys.readouterr().out)["cost"]


@pytest.mark.parametrize("more", [[], ["--budget", "30calls"]])
def test_a_call_that_reached_nobody_is_none(data, tmp_path, capsys, more):
    """A server that is gone for a while used up a budget of calls, and the run never ended."""

    died = []

    def answer(call):
        if server.calls >= 5 and not died:
            died.append(server.stop())
        return "A"

    server = ChatServer(answer, latency_s=0.02)
    run = command(data, "spec", tmp_path / "run", "--limit", 24, "--concurrency", 4)
    with server:
        run[run.index("spec")] = server.spec
        assert main([*run, "--retries", "1", *more]) == 1
        errors = [record.error for record in read_records(tmp_path / "run") if record.error]
    assert len(errors) >= 12  # each tried twice: more tries than the budget has calls
    assert any("connection refused (2 tries)" in error for error in errors)
    assert server.calls <= told_cost(tmp_path / "run", capsys)["calls"] <= server.calls + 4
    before = remembered(tmp_path / "run").calls
    assert server.calls <= before <= server.calls + 4  # those on their way when it died
    done = server.calls
    with server:
        assert main([*run, *more]) == 0
    assert remembered(tmp_path / "run").calls == before + server.calls - done


@pytest.mark.parametrize("status", [401, 408, 429, 500, 503, "late"])
def test_a_call_that_was_refused_is_one_and_costs_nothing(data, tmp_path, capsys, status):
    """Of a call without a reply in time nobody knows: it counts as what was expected of it."""

    def answer(call):
        if server.calls <= 3:
            return "A"
        if status == "late":
            time.sleep(0.5)
            return "A"
        return web.json_response({"error": {"message": "not now"}}, status=status)

    with ChatServer(answer) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = command(data, server.spec, tmp_path / "run", "--limit", 5, "--concurrency", 1)
        run += ["--retries", "0", "--timeout", "0.3", "--budget", "1usd"]
        assert main(run) == 1
        account = remembered(tmp_path / "run")
        assert account.calls == server.calls == told_cost(tmp_path / "run", capsys)["calls"] == 5

        assert account.tokens > 3 * 14 if status == "late" else account.tokens == 3 * 14
