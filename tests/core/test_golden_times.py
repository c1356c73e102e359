"""What hangs on the clock, by a clock of the test's own: waits, silence, and lines of progress."""

import asyncio
import io
import re

import pytest

from engine import Scripted, examine
from zhiyin.cost.budget import Budget, Pace
from zhiyin.cost.ledger import Ledger
from zhiyin.cost.prices import Price
from zhiyin.engine.scoring import Count
from zhiyin.engine.stopping import Silence, say_silence
from zhiyin.errors import FatalError, TransientError
from zhiyin.session.progress import Progress

REAL_SLEEP = asyncio.sleep


@pytest.fixture
def clock(monkeypatch):
    """Time that goes on by sleeping alone; the waits are kept."""

    class Clock:
        now, slept = 1000.0, []

    async def sleep(seconds, *_):
        clock.slept.append(seconds)
        clock.now += seconds
        await REAL_SLEEP(0)

    clock = Clock()
    clock.slept = []
    monkeypatch.setattr("time.monotonic", lambda: clock.now)
    monkeypatch.setattr("asyncio.sleep", sleep)
    return clock


@pytest.mark.parametrize(
    ("asks", "waits"),
    [
        (None, [0.5, 1, 2, 4, 8, 16, 30, 30]),
        (0.0, [0.1] * 8),
        (2.5, [2.6] * 8),
        (-1.0, [0.1] * 8),
        (600.0, [600.1] * 8),
        (601.0, [600.1] * 8),
    ],
)
@pytest.mark.parametrize("end", [max, min])
def test_each_further_call_waits_twice_as_long(clock, monkeypatch, tmp_path, asks, waits, end):
    """Or as long as the server asks for; the waits of many are spread, by half or a tenth."""
    monkeypatch.setattr("zhiyin.engine.asking._FIRST_WAIT_S", 0.5)
    monkeypatch.setattr("random.uniform", end)
    model = Scripted(lambda trial, before: "A" if before == 8 else TransientError("busy", asks))
    outcome = asyncio.run(examine(tmp_path, model, 1, retries=8, timeout_s=1e9))
    assert outcome.count.correct == 1
    lowest = [wait / 2 if asks is None else wait - 0.1 for wait in waits]
    wanted = waits if end is max else lowest
    slept = [s for s in clock.slept if s != 5.0]  # the silence of the model is looked at, too
    assert [s for s in slept if s] == pytest.approx([s for s in wanted if s])


def test_a_silence_is_told_every_minute_while_calls_are_under_way(clock):
    lines = []

    async def watched(limit, calls, seconds):
        silence = Silence()
        for _ in range(calls):
            silence.begin()
        watching = asyncio.create_task(silence.watch(limit))
        until = clock.now + seconds
        while clock.now < until:
            await REAL_SLEEP(0)
        watching.cancel()
        return silence

    token = say_silence.set(lambda line: lines.append((clock.now, line)))
    try:
        asyncio.run(watched(120.0, 2, 151))
        assert set(clock.slept) == {5.0}
        told = "waiting for 2 calls, each for up to 2 min (timeout); gives up after 4 min without"
        assert lines == [
            (1000.0 + after, f"no reply for {words}: {told} any reply")
            for after, words in ((30, "30 s"), (90, "2 min"), (150, "2 min"))
        ]
        lines.clear()
        asyncio.run(watched(None, 1, 31))
        assert [line for _, line in lines] == ["no reply for 30 s: waiting for 1 call"]
        lines.clear()
        asyncio.run(watched(120.0, 0, 100))
        assert lines == []
    finally:
        say_silence.reset(token)


@pytest.mark.parametrize("heard", [False, True])
@pytest.mark.parametrize("trials", [1, 2, 3])
@pytest.mark.parametrize("seconds", [197.9, 198.0, 300.0])
def test_a_run_gives_up_where_nobody_answers_for_twice_the_limit(clock, heard, trials, seconds):
    """Where something was answered before, it takes three trials that nobody answers."""
    silence = Silence()
    if heard:
        silence.begin()
        silence.end()
        silence.hear()
        assert silence.seconds == 0
    for number in range(trials):
        silence.begin()
        silence.end()
        silence.lose(f"t{number}")
    silence.lose("t0")
    clock.now += seconds
    assert silence.seconds == pytest.approx(seconds)
    if seconds < 198 or (heard and trials < 3):
        silence.refuse(100.0)
    else:
        with pytest.raises(FatalError, match=r"within 3 min: .* \(timeout\) of 2 min\?"):
            silence.refuse(100.0)
    silence.hear()
    silence.refuse(100.0)


COUNT = {"correct": 30, "wrong": 10, "no_answer": 5, "error": 2}


class Terminal(io.StringIO):
    def isatty(self):
        return True


def paid_ledger():
    ledger = Ledger(Budget(usd=5.0), Price(request=0.25))
    ledger.account.add(usd=1.25, tokens=4000)
    return ledger


LINES = [
    # of, before, done, seconds, held: what is said
    (200, 0, 47, 10, 0, "47 of 200 trials, 4.7/s, 33 s left, 66.7 % correct, 2 errors"),
    (
        200,
        20,
        47,
        100,
        0,
        "47 of 200 trials, 1.25 usd of 5, 16.2/min, 9 min 27 s left, in this session: "
        "66.7 % correct, 2 errors",
    ),
    (200, 0, 10, 10, 0, "10 of 200 trials, 1.0/s, 3 min 10 s left, 66.7 % correct, 2 errors"),
    (None, 0, 1234, 10, 0, "1,234 trials, 123.4/s, 66.7 % correct, 2 errors"),
    (200, 0, 47, 10, 65, "HELD 1 min 5 s"),
    (200, 0, 47, 10, 2, "HELD 2 s"),
    (200, 0, 47, 10, 1.9, "47 of 200 trials, 4.7/s, 33 s left, 66.7 % correct, 2 errors"),
    (
        200,
        47,
        47,
        10,
        0,
        "47 of 200 trials, 1.25 usd of 5, 0.0/s, in this session: 66.7 % correct, 2 errors",
    ),
]


@pytest.mark.parametrize(("of", "before", "done", "seconds", "held", "line"), LINES)
def test_lines_of_progress(clock, monkeypatch, of, before, done, seconds, held, line):
    out = io.StringIO()
    monkeypatch.setattr("sys.stderr", out)
    with Progress(of, before) as progress:
        pace = Pace(clock=lambda: clock.now)
        progress.follow(paid_ledger(), pace)
        first = out.getvalue()
        clock.now += seconds
        pace.hold(held)
        progress.update(Count(**COUNT), done)
        shown = out.getvalue()[len(first) :]
        clock.now += 9.9
        progress.update(Count(**COUNT), done)  # ten seconds have not passed
        assert out.getvalue() == first + shown
        clock.now += 0.1
        progress.update(Count(**COUNT), done)
        assert out.getvalue() != first + shown
        progress.stopping(5.0)
    assert first == (f"resuming: {before} of {of} trials are there\n" if before else "")
    if line.startswith("HELD"):
        assert line[5:] in shown
        assert "4.7/s" in shown
        assert " left" not in shown
    else:
        assert shown == (f"{line}\n" if before else f"{line}, 1.25 usd of 5\n")
    assert "5 s" in out.getvalue().splitlines()[-1]


WHOLE = "50 of 200 trials, 5.0/s, 30 s left, 66.7 % correct, 2 errors, 1.25 usd of 5"


@pytest.mark.parametrize(
    ("width", "line"),
    [
        (120, f"{'━' * 20} {WHOLE}"),
        (79, WHOLE),
        (70, "50 of 200 trials, 5.0/s, 30 s left, 2 errors, 1.25 usd of 5"),
        (58, "50 of 200 trials, 30 s left, 2 errors, 1.25 usd of 5"),
        (48, "50 of 200 trials, 30 s left, 1.25 usd of 5"),
        (40, "50 of 200 trials, 30 s left"),
        (20, "50 of 200 trials"),
    ],
)  # fmt: skip
def test_a_live_line_keeps_within_its_terminal(clock, monkeypatch, width, line):
    out = Terminal()
    monkeypatch.setattr("sys.stderr", out)
    monkeypatch.setenv("COLUMNS", str(width))
    monkeypatch.setenv("TERM", "xterm")
    progress = Progress(200, 0)
    progress.follow(paid_ledger(), Pace(clock=lambda: clock.now))
    clock.now += 10
    progress.update(Count(**COUNT), 50)
    with progress:
        progress.update(Count(**COUNT), 50)
    shown = re.sub(r"\x1b\[[\d;?]*[A-Za-z]", "", out.getvalue())
    assert line in [one.strip() for one in re.split(r"[\r\n]", shown)]
