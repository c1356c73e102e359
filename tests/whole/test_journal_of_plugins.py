"""A budget holds over all sessions, however they end: what is begun is written down first."""

import asyncio
import json

import pytest
import test_journal
from test_journal import command, dear_prices, remembered

from paying import PayServer, write_prices
from servers import MODEL, ChatServer
from zhiyin.cli import main
from zhiyin.cost.budget import Budget
from zhiyin.cost.ledger import Ledger
from zhiyin.cost.request_queue import Spending, open_request_queue
from zhiyin.engine.asking import Call, Journal, OtherAsker
from zhiyin.engine.folder import read_records
from zhiyin.engine.runner import Limits
from zhiyin.models import open_model
from zhiyin.models.playback import SoundPolicy
from zhiyin.record import Sampling
from zhiyin.trial import Message, Text, Trial

pytestmark = pytest.mark.slow


_own_folders = test_journal._own_folders
data = test_journal.data


@pytest.mark.parametrize("pool", [False, True])
def test_what_never_left_this_machine_is_no_call(tmp_path, pool):
    """Thirty were begun, and eight have a connection: what a kill leaves, and an interruption."""

    async def ask(server) -> tuple[int, int, int]:
        spec = f"pool:{server.url}#{MODEL}" if pool else server.spec
        model = open_model(spec, concurrency=8)
        queue = open_request_queue(model, Spending(budget=Budget(calls=30)), SoundPolicy())
        queue.ledger.journal = journal = Journal(tmp_path)
        asker = OtherAsker(model, Sampling(), Limits(), queue)
        trials = [Trial(f"t/{n}", (Message("user", (Text(f"{n}?"),)),), "") for n in range(30)]
        calls = [asyncio.ensure_future(Call(asker, one).ask(one.messages)) for one in trials]
        while server.calls < 8:
            await asyncio.sleep(0.005)
        killed = Ledger(Budget(), None)
        killed.remember(None, tmp_path)
        for call in calls:
            call.cancel()
        await asyncio.gather(*calls, return_exceptions=True)
        journal.close()
        later = Ledger(Budget(), None)
        later.remember(None, tmp_path)
        await model.close()
        return killed.started, queue.ledger.started, later.started

    with ChatServer("A", fail=1.0, kinds=["hang"]) as server:
        assert asyncio.run(ask(server)) == (8, 8, 8)
        assert server.calls == 8


def test_what_a_pool_asks_elsewhere_is_counted(data, tmp_path):
    with ChatServer("A", fail=1.0, kinds=["500"]) as ill, ChatServer("A") as well:
        pool = f"pool:{ill.url},{well.url}#{MODEL}"
        run = command(data, pool, tmp_path / "run", "--concurrency", 4)
        assert main([*run, "--budget", "40calls"]) == 1
        assert ill.calls + well.calls == 40
        assert ill.calls > 0
        assert sum(record.attempts for record in read_records(tmp_path / "run")) == 40
        assert main([*run, "--budget", "40calls"]) == 1
        assert ill.calls + well.calls == 40


def test_what_a_pool_asks_twice_is_counted(data, tmp_path, monkeypatch):
    monkeypatch.setattr("zhiyin.cost.ledger._PATIENCE_S", 0.5)  # the first one may go to the silent
    with ChatServer("A", fail=1.0, kinds=["hang"]) as silent, ChatServer("A") as well:
        write_prices(tmp_path / "prices", pool := f"pool:{silent.url},{well.url}#{MODEL}")
        run = command(data, pool, tmp_path / "run", "--concurrency", 4, "--limit", "20")
        assert main([*run, "--budget", "1kcalls,1usd"]) == 0
        account = remembered(tmp_path / "run")
        assert silent.calls > 0
        assert account.calls == silent.calls + well.calls > 20
        # What the silent one was asked may have to be paid for.
        one = (11 * 2 + 3 * 8) / 1e6
        assert account.usd >= account.calls * one * 0.999


# A judge within the trials.


def test_a_judge_within_the_trials_is_asked_as_everybody_is(tmp_path):
    """Many at once, a judge that fails at first: retries, one budget, and never half a pair."""
    rows = [{"id": n, "question": f"{n}?", "scorer": "judge", "rubric": "So."} for n in range(60)]
    (tmp_path / "own.jsonl").write_text("\n".join(map(json.dumps, rows)) + "\n")
    verdict = '{"reason": "so it is", "verdict": "right"}'
    with (
        ChatServer("It has voices.", latency_s=0.01) as asked,
        ChatServer(lambda call: verdict, fail=0.3, kinds=["500"], latency_s=0.01) as judge,
    ):
        run = ["run", "questions", "--data", str(tmp_path / "own.jsonl"), "-m", asked.spec]
        run += ["--judge", judge.spec, "--out", str(tmp_path / "run"), "--quiet", "--no-canary"]
        run += ["--concurrency", "16", "--retries", "9"]
        for _ in range(2):
            assert main([*run, "--budget", "41calls"]) == 1
            assert 39 <= asked.calls + judge.calls <= 41
            assert remembered(tmp_path / "run").calls == asked.calls + judge.calls
        records = list(read_records(tmp_path / "run"))
        assert 10 < len(records) == asked.calls
        assert main([*run, "--budget", "1kcalls"]) == 0
        assert {record.verdict.state for record in read_records(tmp_path / "run")} == {"correct"}
        # With no retries a judge that fails is an error at once: the run's word holds for it.
        calls = judge.calls
        judge.fail = 1.0
        run[run.index("9")] = "0"
        run[run.index(str(tmp_path / "run"))] = str(tmp_path / "other")
        assert main([*run, "--limit", "5", "--cache", "off"]) == 1
        assert judge.calls == calls + 5


def test_nobody_knows_what_the_first_judgement_costs(tmp_path):
    """64 judgements of 0.4 usd were begun at once, and 18 usd spent of 1."""
    rows = [{"id": n, "question": f"{n}?", "scorer": "judge", "rubric": "So."} for n in range(80)]
    (tmp_path / "free.jsonl").write_text("\n".join(map(json.dumps, rows)))
    said = '{"verdict": "right", "reason": "' + "so it is " * 1300 + '"}'
    with (
        PayServer(lambda text: "A third.", latency_s=0.01) as server,
        PayServer(lambda text: said, latency_s=0.05) as judge,
    ):
        dear_prices(tmp_path / "prices", server.spec, judge.spec)
        run = ["run", str(tmp_path / "free.jsonl"), "-m", server.spec, "--judge", judge.spec]
        run += ["--budget", "1usd", "--concurrency", "64", "--out", str(tmp_path / "run")]
        main([*run, "--quiet", "--no-canary"])
        one = 100e-6 * judge.used["output"] / judge.calls
        assert one > 0.2
        assert 2 <= judge.calls <= 1 / one + 1.5
