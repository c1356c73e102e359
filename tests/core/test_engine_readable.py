"""Whatever a model returns: what is logged can be read again, and the run goes on."""

import math

import numpy as np
import pytest

from columns_help import figures_in
from engine import Scripted, examine, manifest, trials
from zhiyin.engine.folder import read_records
from zhiyin.engine.log import RunFolder
from zhiyin.record import Exchange, Record, Reply, Turn, Verdict
from zhiyin.trial import Trial, say


class Word(str):
    __slots__ = ()


class Mute:
    def __repr__(self):
        raise RuntimeError("no words")


def nested(depth):
    value = {}
    for _ in range(depth):
        value = {"in": value}
    return value


def looped():
    value = {"name": "loop"}
    value["again"] = value["too"] = value
    return value


ODD = {
    "finish of another make": Reply("A", "eos"),
    "no finish": Reply("A", None),
    "cut elsewhere": Reply("A", "max_tokens"),
    "impossible letter": Reply("A", logprobs={"A": -0.1, "B": -math.inf}),
    "no number": Reply("A", logprobs={"A": -0.1, "B": math.nan, "C": "low"}),
    "half a token": Reply("A", usage={"t": 1.5, "u": 2.0, "v": 3}),
    "numpy's numbers": Reply(
        "A", usage={"t": np.int64(4)}, latency_s=np.float64(0.5), logprobs={"A": np.float32(-1)}
    ),
    "usage of another form": Reply("A", usage=[1, 2]),
    "endless": Reply("A", latency_s=math.inf),
    "no time": Reply("A", latency_s="soon"),
    "lone surrogate": Reply("A\ud800"),
    "surrogate in detail": Reply("A", detail={"\udc00": "\ud83d"}),
    "kind of str": Reply(Word("A"), Word("stop")),
    "object": Reply("A", detail={"response": object()}),
    "object without repr": Reply("A", detail={"response": Mute()}),
    "very deep": Reply("A", detail=nested(100_000)),
    "looped": Reply("A", detail=looped()),
    "array": Reply("A", detail={"logits": np.arange(3)}),
    "nothing but an array": Reply("A", detail=np.arange(3)),
    "keys of another kind": Reply("A", detail={(1, 2): {3, 4}}),
    "large number": Reply("A", detail={"n": 10**5000}),
    "detail of another form": Reply("A", detail="none"),
    "nothing at all": Reply("A", usage=None, logprobs=None, detail=None),
}


@pytest.mark.parametrize("name", ODD)
def test_what_has_a_meaning_is_mended_and_read_again(tmp_path, name):
    import asyncio

    model = Scripted(lambda id, _: ODD[name] if id == "t/1" else "A")
    outcome = asyncio.run(examine(tmp_path, model, 3))
    assert outcome.asked == 3
    records = {record.id: record for record in read_records(tmp_path)}
    reply = records["t/1"].exchange.final
    assert reply.text.startswith("A")
    assert reply.finish == ("length" if name == "cut elsewhere" else "stop")
    assert figures_in(tmp_path).counts["all"].states()["error"] == 0
    assert asyncio.run(examine(tmp_path, Scripted(lambda *_: "A"), 3)).asked == 0


def test_numbers_keep_their_meaning(tmp_path):
    from zhiyin.engine.readable import readable

    assert readable(ODD["impossible letter"]).logprobs == {"A": -0.1, "B": -9999.0}
    assert math.exp(-9999.0) == 0
    mended = readable(ODD["half a token"])
    assert mended.usage == {"u": 2, "v": 3}
    assert "usage was {'t': 1.5" in mended.detail["mended"][0]
    assert readable(ODD["numpy's numbers"]).usage == {"t": 4}
    assert readable(ODD["no number"]).logprobs == {"A": -0.1}
    assert readable(Reply("\ud83d\ude00", "eos")).text == "\U0001f600"  # a pair is a character


def test_a_sound_reply_is_left_alone():
    from zhiyin.engine.readable import readable

    for reply in (
        Reply("A"),
        Reply("甲", "length", {"t": 1}, 0.5, {"A": -1.0}, {"model": "m", "raw": [1, None]}),
    ):
        before = repr(reply)
        assert readable(reply) is reply
        assert repr(reply) == before


@pytest.mark.parametrize("answer", [None, b"A", Reply(None), Reply(b"A"), 7, {"text": "A"}])
def test_what_is_no_reply_is_an_error_of_its_trial(tmp_path, answer):
    import asyncio

    class Odd:
        name, concurrency = "odd", 1

        async def generate(self, messages, sampling, trial):
            return answer if trial.id == "t/1" else Reply("A")

    outcome = asyncio.run(examine(tmp_path, Odd(), 3))
    assert outcome.count.correct == 2
    failed = [record for record in read_records(tmp_path) if record.error]
    assert [record.id for record in failed] == ["t/1"]
    assert " not a " in failed[0].error


ODD_RECORDS = {
    "surrogate in the question": lambda t: Record(
        "x", Verdict("correct", "A"), Trial("x", (say("user", "\ud800?"),), "\ud800?")
    ),
    "object in a tag": lambda t: Record(
        "x", Verdict("wrong", "B"), Trial("x", t.messages, tags={"o": object()})
    ),
    "number for a target": lambda t: Record(
        "x", Verdict("wrong", "B"), Trial("x", t.messages, target=5)
    ),
    "unknown state": lambda t: Record("x", Verdict("right", "A"), t),
    "notes of a strategy": lambda t: Record(
        "x", Verdict("wrong", "B"), t, Exchange((Turn(Reply("B")),), {"seen": nested(100_000)})
    ),
    "infinite score": lambda t: Record("x", Verdict("wrong", "B", scores={"s": math.inf}), t),
}


@pytest.mark.parametrize("name", ODD_RECORDS)
def test_records_that_json_cannot_hold_are_mended_or_errors(tmp_path, name):
    (trial,) = trials(1)
    with RunFolder(tmp_path, manifest(1)) as log:
        written = log.append(ODD_RECORDS[name](trial))
    (record,) = read_records(tmp_path)
    assert record == written
    assert record.id == "x"
    if name in ("unknown state", "number for a target", "infinite score"):
        assert record.verdict.state == "error"
        assert "cannot be written as JSON" in record.error
    else:
        assert record.verdict.state in ("correct", "wrong")


def test_a_reply_is_kept_when_its_record_cannot_be(tmp_path):
    (trial,) = trials(1)
    exchange = Exchange((Turn(Reply("paid for")),), {"a": 1})
    with RunFolder(tmp_path, manifest(1)) as log:
        log.append(Record("x", Verdict("right", "A"), trial, exchange))
    (record,) = read_records(tmp_path)
    assert record.exchange.final.text == "paid for"
    assert record.trial == trial
    assert not record.exchange.broken  # whole, so that it can be scored again
