"""The engine: every trial once, failures marked, limits kept."""

import asyncio
import os
import signal
import time

import pytest

from engine import Scripted, examine, manifest, score, standalone, trials
from zhiyin.engine.folder import read_records
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner
from zhiyin.errors import FatalError, InputError, ModelError, TransientError
from zhiyin.record import Reply, Sampling


def run(*args, **kwargs):
    return asyncio.run(examine(*args, **kwargs))


def test_every_trial_is_asked_once_and_logged_in_order(tmp_path):
    model = Scripted(lambda id, _: "A")
    outcome = run(tmp_path, model, 50)
    assert outcome.asked == outcome.count.correct == 50
    assert [r.id for r in read_records(tmp_path)] == [f"t/{i}" for i in range(50)]
    assert set(model.calls.values()) == {1}


def test_nothing_is_asked_of_a_finished_run(tmp_path):
    run(tmp_path, Scripted(lambda id, _: "A"), 20)
    again = Scripted(lambda id, _: "B")
    assert run(tmp_path, again, 20).asked == 0
    assert not again.calls


def test_what_passes_is_tried_again(tmp_path):
    model = Scripted(lambda id, before: TransientError("busy") if before < 2 else "A")
    assert run(tmp_path, model, 5).count.correct == 5
    assert {r.attempts for r in read_records(tmp_path)} == {3}


def test_what_does_not_pass_is_an_error_and_asked_again_next_time(tmp_path):
    broken = {"t/1", "t/3"}
    fails = Scripted(lambda id, _: TransientError("busy") if id in broken else "A")
    outcome = run(tmp_path, fails, 5)
    assert outcome.count.states()["error"] == 2
    assert outcome.count.judged == 3
    assert all(r.error == "busy (3 tries)" for r in read_records(tmp_path) if r.id in broken)
    healed = Scripted(lambda id, _: "A")
    assert run(tmp_path, healed, 5).asked == 2
    assert set(healed.calls) == broken
    assert sorted(r.id for r in read_records(tmp_path)) == [f"t/{i}" for i in range(5)]


def test_what_cannot_pass_is_not_tried_again(tmp_path):
    model = Scripted(lambda id, _: ModelError("bad request"))
    run(tmp_path, model, 3)
    assert set(model.calls.values()) == {1}


def test_a_fault_in_an_adapter_is_an_error_of_its_trial(tmp_path):
    model = Scripted(lambda id, _: KeyError("choices") if id == "t/1" else "A")
    assert run(tmp_path, model, 3).count.states()["error"] == 1
    (failed,) = (r for r in read_records(tmp_path) if r.error)
    assert failed.error == "KeyError: 'choices'"


def test_an_empty_reply_is_tried_again_and_then_believed(tmp_path):
    class Empty(TransientError):
        reply = Reply("")

    run(tmp_path, Scripted(lambda id, _: Empty("nothing said")), 1)
    (record,) = read_records(tmp_path)
    assert record.verdict.state == "wrong"  # the toy scorer compares texts
    assert record.attempts == 3


def test_many_empty_replies_in_a_row_are_not_asked_for_again(tmp_path, monkeypatch):
    monkeypatch.setattr("zhiyin.engine.asking._wait", lambda *_: 0.0)

    class Empty(TransientError):
        reply = Reply("")

    model = Scripted(lambda id, _: "A" if id == "t/40" else Empty("nothing said"))
    run(tmp_path, model, 60, concurrency=1)
    tries = [model.calls[f"t/{n}"] for n in range(60)]
    assert tries == [3] * 20 + [1] * 21 + [3] * 19


def test_a_hang_is_cut_short(tmp_path):
    model = Scripted(lambda id, before: asyncio.sleep(60) if before == 0 else "A")
    begun = time.perf_counter()
    assert run(tmp_path, model, 3, timeout_s=0.05).count.correct == 3
    assert time.perf_counter() - begun < 50  # less than it hangs


def test_retry_after_is_honoured(tmp_path):
    model = Scripted(lambda id, before: TransientError("slow down", 0.4) if before == 0 else "A")
    begun = time.perf_counter()
    run(tmp_path, model, 1)
    assert time.perf_counter() - begun >= 0.4


def test_no_more_than_the_wanted_trials_are_under_way(tmp_path):
    under_way, most = 0, 0

    async def answer():
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await asyncio.sleep(0.001)
        under_way -= 1
        return "A"

    run(tmp_path, Scripted(lambda id, _: answer()), 60, concurrency=7)
    assert most == 7


@pytest.mark.slow
def test_trials_are_made_only_as_they_are_asked(tmp_path):
    made = 0

    def source():
        nonlocal made
        for trial in trials(10_000):
            made += 1
            yield trial

    async def answer():
        assert made <= answered + 4
        await asyncio.sleep(0)
        return "A"

    answered = 0

    def count(trial, exchange):
        nonlocal answered
        answered += 1
        return score(trial, exchange)

    async def go():
        with RunFolder(tmp_path, manifest()) as log:
            model = Scripted(lambda id, _: answer())
            runner = Runner(model, lambda _: standalone, count, log, Sampling(), Limits(4))
            return await runner.run(source())

    assert asyncio.run(go()).count.correct == 10_000


def test_a_fault_that_no_call_survives_stops_the_run(tmp_path):
    model = Scripted(lambda id, _: FatalError("wrong key: set OPENAI_API_KEY"))
    with pytest.raises(InputError, match="OPENAI_API_KEY"):
        run(tmp_path, model, 50)


def test_a_server_that_is_gone_stops_the_run(tmp_path):
    model = Scripted(lambda id, _: "A" if int(id[2:]) < 10 else ModelError("refused"))
    outcome = run(tmp_path, model, 5000, give_up_after=20)
    assert "20 trials in a row failed" in outcome.stopped
    assert outcome.asked < 40


def test_a_scorer_that_fails_keeps_the_reply(tmp_path):
    async def go():
        with RunFolder(tmp_path, manifest()) as log:
            model = Scripted(lambda id, _: "A")
            runner = Runner(
                model, lambda _: standalone, lambda t, e: 1 / 0, log, Sampling(), Limits(1)
            )
            return await runner.run(trials(1))

    asyncio.run(go())
    (record,) = read_records(tmp_path)
    assert record.verdict.state == "error"
    assert record.exchange.final.text == "A"
    assert "ZeroDivisionError" in record.error


def test_two_trials_with_one_id_are_refused(tmp_path):
    async def go():
        with RunFolder(tmp_path, manifest()) as log:
            model = Scripted(lambda id, _: "A")
            runner = Runner(model, lambda _: standalone, score, log, Sampling(), Limits(1))
            await runner.run([*trials(3), *trials(1)])

    with pytest.raises(InputError, match="'t/0'"):
        asyncio.run(go())
    assert len(list(read_records(tmp_path))) == 3


def test_ctrl_c_ends_cleanly(tmp_path):
    async def answer(id):
        if id == "t/30":
            os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.002)
        return "A"

    outcome = run(tmp_path, Scripted(lambda id, _: answer(id)), 1000)
    assert outcome.interrupted
    logged = [r.id for r in read_records(tmp_path)]
    assert 30 <= len(logged) < 60
    rest = run(tmp_path, Scripted(lambda id, _: "A"), 1000)
    assert rest.asked == 1000 - len(logged)
