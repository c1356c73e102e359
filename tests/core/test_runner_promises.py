"""What the engine promises when models, strategies and users do the unexpected."""

import asyncio
import os
import signal
import subprocess
import sys
import textwrap
import time

import pytest

from engine import Scripted, examine, manifest, score, standalone, trials
from zhiyin.contract import Benchmark
from zhiyin.engine.folder import FAILURES, read_manifest, read_records
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner
from zhiyin.errors import FatalError, InputError, ModelError, NoSoundError, RefusedError
from zhiyin.models import open_model
from zhiyin.record import Exchange, Reply, Sampling, Turn
from zhiyin.session.rescore import rescore
from zhiyin.trial import say


def run(*args, **kwargs):
    return asyncio.run(examine(*args, **kwargs))


def conduct(folder, model, strategy, n, **limits):
    """A run of the toy benchmark under a strategy of the test's own."""

    async def go():
        with RunFolder(folder, manifest(n)) as log:
            limits.setdefault("concurrency", 2)
            runner = Runner(model, lambda _: strategy, score, log, Sampling(), Limits(**limits))
            outcome = await runner.run(trials(n), len(log.answered))
            log.retire_superseded()
            return outcome

    return asyncio.run(go())


class Speechless(Exception):
    def __str__(self):
        raise RuntimeError("not even this")


@pytest.mark.parametrize("concurrency", [1, 2])
@pytest.mark.parametrize(
    "raised", [asyncio.CancelledError, asyncio.CancelledError("scope"), SystemExit(3), Speechless]
)
def test_whatever_an_adapter_raises_is_an_error_of_its_trial(tmp_path, raised, concurrency):
    async def answer(number):
        if number in (2, 7):
            raise raised
        return "A"

    model = Scripted(lambda id, _: answer(int(id[2:])))
    outcome = run(tmp_path, model, 50, concurrency=concurrency)
    assert outcome.asked == 50
    assert outcome.count.states()["error"] == 2
    name = raised.__name__ if isinstance(raised, type) else type(raised).__name__
    assert all(name in r.error for r in read_records(tmp_path) if r.error)


async def two_turns(trial, ask):
    first = await ask(trial.messages)
    messages = (*trial.messages, say("assistant", first.text), say("user", "Sure?"))
    second = await ask(messages)
    return Exchange((Turn(first), Turn(second, messages[-2:])))


@pytest.mark.parametrize(
    "fault", [ModelError("gone"), KeyError("choices"), FatalError("no credit")]
)
def test_a_conversation_that_breaks_off_keeps_what_was_paid_for(tmp_path, fault):
    model = Scripted(lambda id, before: fault if before == 1 else f"first of {id}")
    outcome = conduct(tmp_path, model, two_turns, 2)
    assert outcome.count.states()["error"] == 2
    for record in read_records(tmp_path):
        assert record.exchange.broken
        assert [turn.reply.text for turn in record.exchange.turns] == [f"first of {record.id}"]
        assert record.exchange.turns[0].sent is None
        assert record.attempts == 2
    assert conduct(tmp_path, Scripted(lambda id, _: "A"), two_turns, 2).count.correct == 2
    assert (tmp_path / FAILURES).read_text().count("first of t/") == 2


def test_what_was_sent_beyond_the_trial_is_kept_too(tmp_path):
    async def three_turns(trial, ask):
        await two_turns(trial, ask)
        await ask((say("user", "Another matter."),))
        raise ValueError("too much")

    conduct(tmp_path, Scripted(lambda id, _: "A"), three_turns, 1)
    (record,) = read_records(tmp_path)
    sent = [turn.sent and [m.text for m in turn.sent] for turn in record.exchange.turns]
    assert sent == [None, ["A", "Sure?"], ["Another matter."]]


def test_half_a_conversation_is_never_scored(tmp_path, monkeypatch):
    """`rescore` judges replies that a scorer failed on, but no first turn as if it were all."""
    conduct(tmp_path / "run", Scripted(lambda i, b: KeyError("x") if b else "A"), two_turns, 3)

    class Toy(Benchmark):
        name = "toy"

        def trials(self):
            return iter(())

        def score(self, trial, exchange):
            return score(trial, exchange)

    monkeypatch.setattr("zhiyin.session.rescore.open_benchmark", lambda *_: Toy(None))
    whole = read_manifest(tmp_path / "run")
    whole.config["options"] = {}
    with RunFolder(tmp_path / "again", whole) as log:
        for record in read_records(tmp_path / "run"):
            log.append(record)
    summary = rescore(tmp_path / "again", "robust")
    assert summary.states["error"] == 3
    assert summary.groups["all"].n == 0


def test_ctrl_c_while_the_run_stops_by_itself_waits_for_what_is_under_way(tmp_path):
    async def answer(number):
        if number:
            raise ModelError("gone")
        await asyncio.sleep(0.1)
        os.kill(os.getpid(), signal.SIGINT)
        await asyncio.sleep(0.2)
        return "A"

    model = Scripted(lambda id, _: answer(int(id[2:])))
    outcome = run(tmp_path, model, 100, concurrency=6, give_up_after=5)
    assert outcome.interrupted
    assert "5 trials in a row failed" in outcome.stopped
    assert outcome.count.correct == 1  # it was under way, and its reply is kept


def test_ctrl_c_in_the_middle_of_a_conversation_keeps_its_first_turn(tmp_path, monkeypatch):
    monkeypatch.setattr("zhiyin.engine.runner._GRACE_S", 0.05)

    async def answer(before):
        if before:
            os.kill(os.getpid(), signal.SIGINT)
            await asyncio.sleep(60)
        return "paid"

    outcome = conduct(tmp_path, Scripted(lambda _, before: answer(before)), two_turns, 50)
    assert outcome.interrupted
    records = list(read_records(tmp_path))
    assert 1 <= len(records) <= 2
    assert all(r.exchange.final.text == "paid" and "interrupted" in r.error for r in records)


def test_our_handlers_of_signals_are_gone_after_the_run(tmp_path):
    before = [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)]
    run(tmp_path, Scripted(lambda id, _: "A"), 2)
    assert [signal.getsignal(number) for number in (signal.SIGINT, signal.SIGTERM)] == before


@pytest.mark.parametrize("fault", [FatalError("no credit left"), NoSoundError("takes no sound")])
def test_what_no_call_survives_stops_a_run_that_had_begun_well(tmp_path, fault):
    model = Scripted(lambda id, _: "A" if int(id[2:]) < 10 else fault)
    outcome = run(tmp_path, model, 5000)
    assert f"3 trials in a row were refused alike: {fault}" in outcome.stopped
    assert outcome.count.states()["error"] <= 3 + 4
    again = run(tmp_path, Scripted(lambda id, _: fault), 5000)  # what was answered is known
    assert again.asked <= 3 + 4


def test_bad_requests_that_are_alike_stop_a_run_of_which_nothing_was_answered(tmp_path):
    def refuse(id, _):
        return RefusedError(f"the server said 400: model m takes no tools (request 7f{id[2:]})")

    model = Scripted(refuse)
    with pytest.raises(
        InputError, match=r"3 trials in a row were refused alike: .* takes no tools"
    ):
        run(tmp_path, model, 5000)
    assert sum(model.calls.values()) <= 3 + 4
    assert {r.verdict.state for r in read_records(tmp_path)} == {"error"}


@pytest.mark.parametrize(
    "answer",
    [
        lambda n: "A" if n < 2 else RefusedError("400: this item is too long"),  # after a success
        lambda n: RefusedError(f"400: item {'abcdefghijklmnopqrst'[n]} is bad"),  # not alike
        lambda n: ModelError("the function raised ValueError"),  # of no server
        lambda n: "A" if n % 3 == 2 else FatalError("flagged"),  # never three in a row
    ],
)
def test_refusals_that_may_be_due_to_their_trials_stop_nothing(tmp_path, answer):
    model = Scripted(lambda id, _: answer(int(id[2:])))
    with RunFolder(tmp_path, manifest(20)) as log:
        log.answered_before = True  # so that the last case is none of a wrong key
        runner = Runner(
            model, lambda _: standalone, score, log, Sampling(), Limits(1, give_up_after=50)
        )
        if "item" in str(answer(3)) and answer(0) != "A":
            runner._any_reply = False
        outcome = asyncio.run(runner.run(trials(20)))
    assert outcome.asked == 20
    assert outcome.stopped is None


def test_a_wait_is_bounded_after_thousands_of_tries():
    from zhiyin.engine.asking import _wait

    assert _wait(5000, None) <= 30


def write(folder, body):
    (folder / "mine.py").write_text(textwrap.dedent(body))
    return f"python:{folder / 'mine.py'}:answer"


def test_a_plain_function_takes_what_it_needs(tmp_path):
    spec = write(
        tmp_path,
        """
        import time

        def answer(messages):
            time.sleep(0.4 if "Question 0" in messages[-1]["content"] else 0)
            return "A"
        """,
    )
    model = open_model(spec, timeout=0.1)
    outcome = run(tmp_path / "run", model, 5, concurrency=1, timeout_s=0.1, retries=0)
    assert outcome.count.correct == 5


@pytest.mark.slow
def test_a_call_that_is_given_up_blocks_neither_the_next_nor_the_end(tmp_path):
    write(
        tmp_path,
        """
        import asyncio, sys, time
        from zhiyin.models import open_model
        from zhiyin.record import Sampling
        from zhiyin.trial import Trial, say

        def answer(messages):
            time.sleep(60 if "slow" in messages[0]["content"] else 0)
            return "A"

        async def main():
            model = open_model("python:mine:answer")

            def ask(word):
                message = say("user", word)
                return model.generate((message,), Sampling(), Trial("t", (message,)))

            try:
                await asyncio.wait_for(ask("slow"), 0.1)
            except TimeoutError:
                print("given up")
            print((await asyncio.wait_for(ask("quick"), 5)).text)
            await model.close()

        if __name__ == "__main__":
            asyncio.run(main())
        """,
    )
    begun = time.perf_counter()
    done = subprocess.run(
        [sys.executable, "mine.py"], cwd=tmp_path, capture_output=True, text=True, timeout=50
    )
    assert done.stdout.split("\n")[:2] == ["given up", "A"], done.stderr
    assert time.perf_counter() - begun < 30


def test_a_reply_of_two_runs_of_a_function_model_is_in_threads_that_are_used_again(tmp_path):
    spec = write(
        tmp_path,
        """
        import threading

        def answer(messages):
            return str(threading.get_ident())
        """,
    )
    run(tmp_path / "run", open_model(spec), 30, concurrency=1)
    assert len({r.exchange.final.text for r in read_records(tmp_path / "run")}) == 1


def test_replies_are_of_the_type_that_they_should_be(tmp_path):
    outcome = run(tmp_path, Scripted(lambda id, _: Reply(b"A") if id == "t/1" else "A"), 3)
    assert outcome.count.states()["error"] == 1
    assert "bytes" in next(r.error for r in read_records(tmp_path) if r.error)
