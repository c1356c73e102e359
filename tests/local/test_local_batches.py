"""Which requests a local model is asked together, without any model."""

import asyncio
import threading
import time

import pytest

from zhiyin.errors import InputError, ModelError
from zhiyin.plugins.local.batches import Batcher, BatchSize, BatchWork, Measured
from zhiyin.plugins.local.checkpoint import read_spec
from zhiyin.plugins.local.hf import OPTIONS


class Echo(BatchWork[str]):
    """Says each word backwards. `most`: cells that memory holds."""

    def __init__(self, most: float = float("inf"), key=None, gate: threading.Event | None = None):
        self.most, self.key, self.gate = most, key, gate
        self.batches: list[list[str]] = []
        self.tried: list[int] = []

    def measure(self, asked: str) -> Measured:
        if asked == "unmeasurable":
            raise ModelError("it has no length")
        return Measured(self.key(asked) if self.key else None, len(asked), 2, asked)

    def prepare(self, batch):
        if "unpreparable" in batch:
            raise ValueError("no such\nsound")
        return list(batch)

    def run(self, batch, prepared):
        if self.gate:
            self.gate.wait(10)
        cells = len(batch) * (max(map(len, batch)) + 2)
        self.tried.append(cells)
        if cells > self.most:
            raise MemoryError(f"{cells} are too much")
        if "poison" in batch:
            raise RuntimeError("it kills the batch")
        self.batches.append(list(batch))
        return [ModelError("silent") if w == "silent" else w[::-1] for w in prepared]

    def too_much(self, error):
        return isinstance(error, MemoryError)


def ask(work: BatchWork[str], words: list[str], rows: int = 4) -> tuple[list[object], Batcher[str]]:
    async def all_at_once():
        batcher = Batcher(work, rows)
        try:
            asked = (batcher.ask(word) for word in words)
            return await asyncio.gather(*asked, return_exceptions=True), batcher
        finally:
            await batcher.close()

    return asyncio.run(all_at_once())


def test_every_request_gets_its_own_result():
    words = [f"{n:0{n % 7 + 3}d}" for n in range(100)]
    found, batcher = ask(Echo(), words)
    assert found == [word[::-1] for word in words]
    assert batcher.done == 100


def test_neighbours_in_length_are_asked_together_and_the_oldest_among_them():
    gate = threading.Event()
    work = Echo(gate=gate)
    lengths = [9, 3, 8, 2, 9, 3, 8, 2, 5, 5]
    words = [str(n) * length for n, length in enumerate(lengths)]

    async def go():
        batcher = Batcher(work, 2)
        waiting = [asyncio.create_task(batcher.ask(word)) for word in words]
        await asyncio.sleep(0.1)  # all have come while the first batch is held up
        gate.set()
        await asyncio.gather(*waiting)
        await batcher.close()

    asyncio.run(go())
    # The first batch may have begun with what was there; from then on all were known.
    spread = [abs(len(batch[0]) - len(batch[-1])) for batch in work.batches[2:]]
    assert max(spread) <= 1, work.batches
    first = [min(words.index(w) for w in batch) for batch in work.batches[2:]]
    assert first == sorted(first), "the oldest that waits is always in the next batch"


def test_requests_of_other_kinds_are_asked_apart():
    work = Echo(key=lambda word: word[0])
    ask(work, [letter * 3 for letter in "abababab"])
    assert all(len({word[0] for word in batch}) == 1 for batch in work.batches)
    assert max(map(len, work.batches)) > 1


@pytest.mark.slow
def test_what_is_too_much_is_asked_in_halves_and_nothing_is_lost():
    work = Echo(most=20)
    words = [f"{n:08d}" for n in range(40)]  # ten cells each: two go together
    found, batcher = ask(work, words, rows=16)
    assert found == [word[::-1] for word in words]
    assert max(map(len, work.batches)) == 2
    assert batcher.budget.failures >= 1
    late = work.tried[len(work.tried) // 2 :]
    assert sum(cells > 20 for cells in late) <= 1, "it goes on trying what is too much"


def test_one_request_that_is_too_much_alone_is_its_own_error():
    found, _ = ask(Echo(most=20), ["x" * 50, "abc", "def"])
    assert isinstance(found[0], ModelError)
    assert "too much" in str(found[0])
    assert found[1:] == ["cba", "fed"]


@pytest.mark.parametrize("bad", ["unmeasurable", "unpreparable", "poison", "silent"])
def test_a_request_that_fails_fails_alone(bad):
    found, _ = ask(Echo(), ["abc", bad, "de", "f"], rows=8)
    assert [found[0], *found[2:]] == ["cba", "ed", "f"]
    assert isinstance(found[1], ModelError)
    assert "\n" not in str(found[1])


def test_a_budget_grows_again_but_never_to_what_failed():
    budget = BatchSize(64)
    budget.shrink(1000)
    assert not budget.fits(10, 60)
    for _ in range(200):
        budget.grow(int(budget.cells))
    assert budget.fits(10, 80)
    assert not budget.fits(10, 100)
    assert budget.fits(1, 10**9), "one row is always tried"


def test_who_gives_up_waiting_holds_nobody_up():
    gate = threading.Event()
    work = Echo(gate=gate)

    async def go():
        batcher = Batcher(work, 2)
        given_up = [asyncio.create_task(batcher.ask("lost")) for _ in range(6)]
        await asyncio.sleep(0.05)
        for task in given_up:
            task.cancel()
        kept = asyncio.create_task(batcher.ask("kept"))
        await asyncio.sleep(0)
        gate.set()
        found = await asyncio.wait_for(kept, 10)
        await batcher.close()
        return found

    assert asyncio.run(go()) == "tpek"
    assert sum(batch.count("lost") for batch in work.batches) <= 4


def test_threads_end_when_the_batcher_is_closed():
    before = threading.active_count()
    ask(Echo(), ["abc"])
    end = time.monotonic() + 10
    while threading.active_count() > before and time.monotonic() < end:
        time.sleep(0.01)
    assert threading.active_count() <= before


@pytest.mark.parametrize(
    ("rest", "hint"),
    [
        ("", "write hf:PATH_OR_ID"),
        ("./nowhere", "there is no such folder"),
        ("a/b/c", "there is no such folder"),
        ("org/model,dtype", "write NAME=VALUE"),
        ("org/model,dtpye=float32", "did you mean dtype?"),
        ("org/model,dtype=int3", "write one of auto, float32"),
        ("org/model,batch=0", "whole number above 0"),
        ("org/model,batch=many", "whole number above 0"),
    ],
)
def test_a_wrong_spec_says_how_to_write_it(rest, hint):
    with pytest.raises(InputError) as caught:
        read_spec("hf", rest, OPTIONS)
    assert hint in str(caught.value)


def test_the_name_holds_what_answers_depend_on_and_nothing_else():
    spec = read_spec("hf", "org/model,device=cuda:1,dtype=float32,batch=8,revision=abc", OPTIONS)
    assert spec.name == "hf:org/model,dtype=float32,revision=abc"
    assert spec.place == "org/model"
