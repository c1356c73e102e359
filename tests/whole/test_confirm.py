"""`--confirm`: the letter alone is asked for where no rule can read the reply."""

import asyncio
import json
import zlib

import pytest

from servers import ChatServer
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.contract.policies import open_policy
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import ModelError
from zhiyin.plugins.benchmarks.perception.scoring import judge_logiclm
from zhiyin.record import STATES, Exchange, Reply, Turn
from zhiyin.session.rescore import rescore
from zhiyin.strategies import CONFIRM, Confirm, standalone
from zhiyin.trial import Option, Trial, say
from ziqi_layout import write_ziqi

ROBUST = open_policy("robust")
OPTIONS = tuple(
    Option(c, t, c) for c, t in zip("ABCD", ("Piano", "Violin", "Drums", "Flute"), strict=True)
)
TRIAL = Trial("t/1", (say("user", "Which instrument?"),), "Which instrument?", OPTIONS, "B")
UNREAD = "Both the piano and the violin are possible."


def conduct(*replies, trial=TRIAL, inner=standalone, language=None):
    """The exchange of a trial, and what was sent in each call."""
    sent, waiting = [], list(replies)

    async def ask(messages, sampling=None):
        sent.append((tuple(messages), sampling))
        reply = waiting.pop(0)
        if isinstance(reply, Exception):
            raise reply
        return reply if isinstance(reply, Reply) else Reply(reply)

    exchange = asyncio.run(Confirm(inner, ROBUST, language)(trial, ask))
    return exchange, sent


def test_a_reply_that_can_be_read_is_not_asked_about():
    exchange, sent = conduct("The answer is B.")
    assert len(sent) == len(exchange.turns) == 1


def test_the_letter_alone_is_asked_for_in_the_same_conversation():
    exchange, sent = conduct(UNREAD, "B")
    second = sent[1][0]
    assert second[:1] == TRIAL.messages
    assert [message.role for message in second] == ["user", "assistant", "user"]
    assert second[1].text == UNREAD
    assert "A, B, C, D" in second[2].text
    assert [turn.purpose for turn in exchange.turns] == ["answer", CONFIRM]
    assert exchange.turns[1].sent == second[1:]
    verdict = judge_choice(TRIAL, exchange, ROBUST)
    assert (verdict.state, verdict.letter, verdict.tags) == ("correct", "B", {"confirmed": True})
    assert verdict.why.startswith("asked once more")


@pytest.mark.parametrize("again", ["I cannot answer that.", "A or B", "", ModelError("down")])
def test_a_second_reply_that_says_nothing_keeps_the_first(again):
    exchange, _ = conduct(UNREAD, again)
    alone = judge_choice(TRIAL, Exchange((Turn(Reply(UNREAD)),)), ROBUST)
    assert judge_choice(TRIAL, exchange, ROBUST) == alone
    assert exchange.turns[0].reply.text == UNREAD
    failed = isinstance(again, Exception)
    assert exchange.notes == ({CONFIRM: "down"} if failed else {})
    assert len(exchange.turns) == (1 if failed else 2)


def test_a_fault_of_an_adapter_does_not_lose_the_first_reply():
    exchange, _ = conduct(UNREAD, ValueError("boom"))
    assert exchange.final.text == UNREAD
    assert exchange.notes == {CONFIRM: "boom"}


def test_who_declines_is_not_pressed():
    for reply in ("I'm sorry, but I cannot help with that.", Reply("no", finish="refusal")):
        exchange, sent = conduct(reply)
        assert len(sent) == len(exchange.turns) == 1


def test_a_cut_reply_and_an_empty_one_are_asked_about():
    for reply in (Reply("Let me see, the first", finish="length"), Reply("")):
        exchange, sent = conduct(reply, "D")
        assert sent[1][0][1].text.strip()  # no server takes an empty message
        assert judge_choice(TRIAL, exchange, ROBUST).letter == "D"


def test_a_free_answer_is_never_asked_about():
    free = Trial("song/1", (say("user", "Write a review."),), "Write a review.")
    exchange, sent = conduct("What a song.", trial=free)
    assert len(sent) == len(exchange.turns) == 1


def test_the_language_is_that_of_the_question():
    chinese = Trial("t/2", (say("user", "哪种乐器？"),), "哪种乐器？", OPTIONS, "B")
    assert "字母" in conduct(UNREAD, "B", trial=chinese)[1][1][0][2].text
    assert "letter" in conduct(UNREAD, "B", trial=chinese, language="en")[1][1][0][2].text


def test_the_sampling_of_the_last_call_is_kept():
    from zhiyin.record import Sampling

    warm = Sampling(temperature=1.0)

    async def inner(trial, ask):
        return Exchange((Turn(await ask(trial.messages, warm)),))

    assert [sampling for _, sampling in conduct(UNREAD, "B", inner=inner)[1]] == [warm, warm]


def dialogue(final):
    """LogicLM as it talks: a transcription, and a final question in the first conversation."""

    async def inner(trial, ask):
        first = await ask(trial.messages)
        turns = [Turn(first, None, "transcribe")]
        if final:
            messages = (*trial.messages, say("assistant", first.text), say("user", "And now?"))
            turns.append(Turn(await ask(messages), messages[-2:], "final"))
        notes = {
            "executable": final, "repairs": 0, "solver": "B" if final else None,
            "transcription": [[1]] if final else None,
            "faults": [] if final else [{"kind": "parse", "message": "no line"}],
        }  # fmt: skip
        return Exchange(tuple(turns), notes)

    return inner


def test_it_goes_on_from_the_last_question_of_a_longer_conversation():
    exchange, sent = conduct("chord(clip1, [60])", UNREAD, "C", inner=dialogue(True))
    assert [m.text for m in sent[2][0][:4]] == [
        "Which instrument?", "chord(clip1, [60])", "And now?", UNREAD,
    ]  # fmt: skip
    assert exchange.turns[2].sent == sent[2][0][1:]
    verdict = judge_logiclm(TRIAL, exchange, ROBUST)
    assert (verdict.answer, verdict.tags["own_answer"], verdict.tags["agrees"]) == ("B", "C", False)
    without = Exchange(exchange.turns[:2], exchange.notes)
    assert judge_logiclm(TRIAL, without, ROBUST).tags["own_answer"] is None


def test_where_no_question_was_put_none_is_put_now():
    exchange, sent = conduct("no idea", inner=dialogue(False))
    assert len(sent) == 1
    assert judge_logiclm(TRIAL, exchange, ROBUST).state == "no_answer"


def test_another_policy_reads_both_replies_anew(tmp_path):
    exchange, _ = conduct(UNREAD, "B")
    verdict = judge_choice(TRIAL, exchange, open_policy("first-letter"))
    assert verdict.letter == "B"  # "Both": that rule finds its letter in the first reply
    assert "confirmed" not in verdict.tags


def reply(call):
    if "只回复一个字母" in call.text:
        return "C" if call.body["messages"][1]["content"].startswith("很难说") else "还是不知道"
    return ("答案：B", "很难说", "都有可能")[zlib.crc32(call.text.encode()) % 3]


def run(folder, data, server, *more):
    return main(
        ["run", "ziqi", "--data", str(data), "-m", server.spec, "--out", str(folder), "--quiet",
         *more]
    )  # fmt: skip


@pytest.mark.slow
def test_a_run_logs_both_turns_and_says_how_many_were_settled(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    write_ziqi(tmp_path / "ziqi", 6)
    with ChatServer(reply) as server:
        assert run(tmp_path / "run", tmp_path / "ziqi", server, "--confirm") == 0
        out = capsys.readouterr().out
        calls = server.calls
        assert run(tmp_path / "plain", tmp_path / "ziqi", server) == 0
        capsys.readouterr()
        assert run(tmp_path / "run", tmp_path / "ziqi", server) == 2  # another run: say which
        assert "confirm" in capsys.readouterr().err
    records = list(read_records(tmp_path / "run"))
    asked = [r for r in records if r.exchange.turns[-1].purpose == CONFIRM]
    settled = [r for r in records if r.verdict.tags.get("confirmed")]
    assert 0 < len(settled) < len(asked)
    assert calls == len(records) + len(asked)
    assert f"{len(asked)} replies, {len(settled)} settled so" in out
    told = summarise(tmp_path / "run").reading.confirm
    answered = sum(r.verdict.state in ("correct", "wrong") for r in records)
    assert told.readable_without == (answered - len(settled)) / len(records)
    manifest = read_manifest(tmp_path / "run")
    assert manifest.config["confirm"].startswith("confirm@1 ")
    assert manifest.options["confirm"] is True
    plain = read_manifest(tmp_path / "plain")
    assert "confirm" not in plain.config | plain.options  # earlier runs go on as they are
    again = rescore(tmp_path / "run", "robust")
    assert again.states == told_states(records)
    main(["show", str(tmp_path / "run"), "--json"])
    shown = json.loads(capsys.readouterr().out)
    assert shown["reading"]["confirm"]["settled"] == len(settled)


@pytest.mark.slow
def test_it_wraps_every_strategy_of_a_grid_and_leaves_reviews_alone(tmp_path, monkeypatch):
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    monkeypatch.chdir(tmp_path)
    grid = ["perception", "--task", "chords", "--n", "4", "--modality", "midi",
            "--strategy", "standalone,cot,logiclm"]  # fmt: skip
    songs = ["appraisal", "--source", "generated", "--n", "1", "--language", "en"]
    with ChatServer("Both of them are possible.") as server:
        for name, words in (("grid", grid), ("songs", songs)):
            flags = ["-m", server.spec, "--out", name, "--quiet", "--confirm"]
            assert main(["run", *words, *flags]) == 0
    for record in read_records(tmp_path / "grid"):
        purposes = [turn.purpose for turn in record.exchange.turns]
        logic = record.trial.tags["strategy"] == "logiclm"
        assert purposes.count(CONFIRM) == (0 if logic else 1)
        assert record.verdict.state == "no_answer"
    reviews = [r for r in read_records(tmp_path / "songs") if not r.trial.options]
    assert reviews
    assert all(len(r.exchange.turns) == 1 for r in reviews)


def test_it_is_a_departure_from_a_published_protocol():
    from zhiyin.contract.protocols import OURS, protocols_of
    from zhiyin.contract.registry import find

    published = [p for p in protocols_of(find("ziqi")).values() if p.sets]
    assert published
    for protocol in published:
        plain = protocol.departures(protocol.usual(), {})
        assert len(protocol.departures({**protocol.usual(), "confirm": True}, {})) == len(plain) + 1
    assert OURS.departures({"confirm": True}, {}) == []


@pytest.mark.slow
def test_a_run_is_given_again_with_both_its_turns(tmp_path, monkeypatch, capsys):
    monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
    write_ziqi(tmp_path / "ziqi", 6)
    with ChatServer(reply) as server:
        assert run(tmp_path / "first", tmp_path / "ziqi", server, "--confirm") == 0
    words = ["run", "ziqi", "--data", str(tmp_path / "ziqi"), "--out", str(tmp_path / "again")]
    assert main([*words, "-m", f"replay:{tmp_path / 'first'}", "--quiet", "--confirm"]) == 0
    first, again = (list(read_records(tmp_path / name)) for name in ("first", "again"))
    assert {r.id: r.verdict for r in first} == {r.id: r.verdict for r in again}


def told_states(records):
    states = dict.fromkeys(STATES, 0)
    for record in records:
        states[record.verdict.state] += 1
    return states
