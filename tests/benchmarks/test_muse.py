"""MUSE's ten tasks on made-up recordings: the design, chats that remember, orders, reading."""

import json
import random
import signal
import time
from collections import Counter
from itertools import pairwise

import pytest

import warm
from muse_help import SEEDS, in_order, write_recordings
from zhiyin import cli
from zhiyin.contract.registry import open_benchmark
from zhiyin.engine.folder import read_records
from zhiyin.plugins.benchmarks.muse.benchmark import READY, UNDERSTOOD
from zhiyin.plugins.benchmarks.muse.stimuli import examples, items, listed
from zhiyin.plugins.benchmarks.muse.tasks import GROUPS, MODES, POLICIES, TASKS
from zhiyin.record import Exchange, Reply, Turn
from zhiyin.trial import Audio, Trial, say

RUNNER, AF3, PUBLISHED, AF3_TABLE = POLICIES


@pytest.fixture(scope="module")
def data(tmp_path_factory):
    return write_recordings(tmp_path_factory.mktemp("muse"))


@pytest.fixture
def zhiyin(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))

    def run(*words, status=0):
        assert cli.main([str(word) for word in words]) == status
        out, err = capsys.readouterr()
        return out if status == 0 else err

    return run


def sounds(messages):
    return [p for m in messages for p in m.parts if isinstance(p, Audio)]


def test_the_design_is_the_published_one():
    trials = [item for item in items() if not item.shown]
    assert (len(trials), len(items()) - len(trials)) == (200, 33)
    for task in TASKS.values():
        for group in GROUPS:
            ten = listed(task.name, group)
            assert len(ten) == 10
            assert all(len(item.recordings) == task.sounds for item in ten)
            assert all(item.answer in "ABCD"[: len(task.answers)] for item in ten)
    keys = Counter(item.answer for item in trials if item.task == "meter_identification")
    assert keys == {"A": 8, "B": 8, "C": 4}
    shown = [item.place for item in examples("syncopation", "B", "cot")]
    assert shown == ["ex5", "ex6"]


def test_the_orders_are_those_of_pythons_shuffle():
    for seed in SEEDS:
        places = [f"A{n:02d}" for n in range(1, 11)]
        random.seed(seed)
        random.shuffle(places)
        assert [item.place for item in in_order("oddballs", "A", seed)] == places


@pytest.mark.parametrize("mode", MODES)
def test_a_chat_holds_examples_a_question_and_ten_trials(data, mode):
    benchmark = open_benchmark("muse", {"data": str(data), "task": "contourID", "mode": mode})
    chats = list(benchmark.sequences())
    assert [chat.id for chat in chats] == [f"contourID/{mode}/{g}/{n}" for g in "AB" for n in SEEDS]
    ready = chats[0].next(())
    assert ready.messages[0].role == "system"
    assert len(sounds(ready.messages)) == 4
    assert "understand" in ready.messages[-1].text
    roles = [message.role for message in ready.messages]
    assert all(a != b for a, b in pairwise(roles))  # by turns
    assert roles.count("assistant") == (4 if mode == "cot" else 0)
    for answer in TASKS["contourID"].answers:
        assert answer in ready.messages[0].text


def test_no_words_of_a_trial_name_a_recording_or_the_answer(data):
    for mode in MODES:
        for chat in open_benchmark("muse", {"data": str(data), "mode": mode}).sequences():
            words = "\n".join(message.text for message in chat.next(()).messages)
            assert not any(name in words for item in items() for name in item.names)
            assert ".wav" not in words
    fresh = open_benchmark("muse", {"data": str(data), "chat": "fresh", "order": "1"})
    asked = {}
    for trial in fresh.trials():
        last = trial.messages[-1].parts[-1].text
        asked.setdefault((trial.tags["task"], trial.tags["mode"]), set()).add(last)
    assert {len(words) for words in asked.values()} == {1}  # the same words, whatever the answer
    assert len(asked) == 20


MODEL = """
import hashlib
from pathlib import Path


def answer(messages):
    heard, said = [], []
    for message in messages:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        sounds = [part["path"] for part in parts if part["type"] == "audio"]
        heard += [hashlib.sha256(Path(path).read_bytes()).hexdigest() for path in sounds]
        words = [part["text"] for part in parts if part["type"] == "text"]
        said += words if message["role"] == "assistant" else []
    if "Do you understand" in words[-1]:
        return "Yes, I understand."
    told = hashlib.sha256(repr((heard, said)).encode()).hexdigest()
    return f"{len(heard)} sounds {len(said)} replies {told}"
"""


@pytest.mark.slow
def test_a_model_is_told_exactly_what_was_said_before(data, zhiyin, tmp_path):
    (tmp_path / "memory.py").write_text(MODEL, "utf-8")
    flags = ["--data", data, "--task", "syncopation", "--mode", "sysinst", "--order", "1"]
    zhiyin("run", "muse", *flags, "-m", "python:memory.py:answer", "--out", "run", "--quiet")
    records = [r for r in read_records(tmp_path / "run") if r.trial.sequence.endswith("/A/1")]
    assert [record.trial.step for record in records] == list(range(1, 12))
    for before, record in pairwise(records):
        told = record.trial.messages
        assert told[: len(before.trial.messages)] == before.trial.messages
        assert told[-2].text == before.exchange.final.text  # word for word
        step = record.trial.step
        count = f"{2 + 2 * (step - 1)} sounds {step - 1} replies"
        assert record.exchange.final.text.startswith(count)
    shown = zhiyin("show", "run", "--groups", "all")
    assert "What the conversation held" in shown
    assert records[0].verdict.state == "ungraded"
    assert records[0].verdict.scores == {"understood": 1.0}
    result = json.loads(zhiyin("show", "run", "--json"))
    states = (result if isinstance(result, dict) else result[0])["groups"]["all"]
    assert states["n"] == 20


def test_only_the_last_trials_stay_where_that_is_asked(data):
    flags = {"data": str(data), "task": "meter_identification", "mode": "cot", "keep": 2}
    chat = next(iter(open_benchmark("muse", flags).sequences()))
    from zhiyin.record import Exchange, Record, Reply, Turn, Verdict

    done, told = [], []
    for number in range(11):
        trial = chat.next(done)
        told.append(len(sounds(trial.messages)))
        exchange = Exchange((Turn(Reply(f"reply {number}")),))
        done.append(Record(trial.id, Verdict("wrong", None), trial, exchange))
    assert chat.next(done) is None
    assert told == [3, 4, 5, *[6] * 8]
    words = [m.text for m in done[-1].trial.messages if m.role == "assistant"][-3:]
    assert words == ["reply 0", "reply 8", "reply 9"]


@pytest.mark.slow
def test_a_killed_run_goes_on_to_the_same_log(data, tmp_path):
    slow = MODEL + "\n_inner = answer\n\n\ndef answer(messages):\n"
    slow += "    import time\n\n    time.sleep(0.02)\n    return _inner(messages)\n"
    (tmp_path / "memory.py").write_text(slow, "utf-8")
    base = ["run", "muse", "--data", data, "--concurrency", 1]
    base += ["--task", "chord_quality", "--mode", "cot", "-m", "python:memory.py:answer", "--quiet"]
    warm.run([*base, "--out", "whole"], tmp_path, check=True)
    whole = (tmp_path / "whole" / "records.jsonl").read_bytes()
    process = warm.Started([*base, "--out", "killed"], tmp_path)
    log = tmp_path / "killed" / "records.jsonl"
    while process.poll() is None and not (log.exists() and log.stat().st_size > len(whole) // 3):
        time.sleep(0.002)
    process.send_signal(signal.SIGKILL)
    process.wait()
    kept = [json.loads(line)["id"] for line in log.read_bytes().splitlines()[:-1]]
    assert 11 < len(kept) < 66
    assert len(kept) % 11, "killed between two chats"
    warm.run([*base, "--out", "killed"], tmp_path, check=True)
    assert said(log.read_bytes()) == said(whole)


def said(log):
    return {
        r["id"]: r["exchange"]["turns"][0]["reply"]["text"]
        for r in map(json.loads, log.splitlines())
    }


@pytest.mark.slow
def test_missing_recordings_are_named_and_a_part_can_be_asked(zhiyin, tmp_path):
    part = write_recordings(tmp_path / "part", lambda item: item.task == "instrumentID")
    (part / "stimuli" / "Beat_2_140.wav").unlink()
    told = zhiyin("run", "muse", "--data", part, "-m", "first", "--task", "instrumentID", status=2)
    assert "Beat_2_140.wav" in told
    assert "--partial" in told
    flags = ["--task", "instrumentID", "--partial", "--mode", "cot", "-m", "first"]
    zhiyin("run", "muse", "--data", part, *flags, "--out", "run")
    shown = zhiyin("show", "run", "--groups", "all")
    assert "instrumentID: 19 of 20 published trials" in shown
    kept = [r.trial.item for r in read_records(tmp_path / "run") if "/A/2" in r.trial.sequence]
    whole = [item.id for item in in_order("instrumentID", "A", 2)]
    assert kept[1:] == [place for place in whole if place != "instrumentID-A09"]  # its own order
    told = zhiyin("run", "muse", "--data", part, "-m", "first", "--task", "oddballs", status=2)
    assert "M1_EbMaj_90.wav" in told
    assert "give --data" in zhiyin("run", "muse", "-m", "first", status=2)


def test_data_are_checked(data, zhiyin, tmp_path):
    found = json.loads(zhiyin("data", "check", "muse", "--data", data, "--json"))
    kinds = Counter(flaw["kind"] for flaw in found["flaws"])
    assert kinds["altered"] > 50  # made-up sounds under published names
    assert kinds["doubtful label"] == 2
    assert found["items"] == 233
    assert "no stimuli/" in zhiyin("data", "check", "muse", "--data", tmp_path, status=2)


@pytest.mark.parametrize("task", TASKS.values(), ids=lambda task: task.name)
def test_the_published_rule_reads_every_answer_and_wants_its_form(task):
    for key, answer in zip("ABCD", task.answers, strict=False):
        assert PUBLISHED.extract(f"Some steps.\n{answer}", task.options).letter == key
        assert PUBLISHED.extract(answer.upper().replace(" ", "  "), task.options).letter == key
        # Nothing looks for negation, and the answer that ends last wins.
        other = task.answers[-1 if key == "A" else 0]
        assert PUBLISHED.extract(f"{answer}\nnot\n{other}", task.options).letter != key
        if task.lettered and task.letter_needed:
            assert PUBLISHED.extract(answer.partition(". ")[2], task.options).letter is None
    assert PUBLISHED.extract("I do not know", task.options).letter is None
    bare = task.answers[0].rstrip(".")
    forgiven = task.name not in ("oddballs", "chord_progression_matching")
    assert (PUBLISHED.extract(bare, task.options).letter == "A") == forgiven
    # The runner itself wants the sentence whole; what its table forgives counts there alone.
    if bare != task.answers[0]:
        assert (RUNNER.extract(bare, task.options).letter == "A") == (not task.stop_needed)


def test_the_runners_of_one_model_read_otherwise():
    listed_only = "Compare the profiles of piano, guitar, bass, and drums."
    options = TASKS["instrumentID"].options
    assert PUBLISHED.extract(listed_only, options).letter is None
    assert AF3.extract(listed_only, options).letter == "D"
    yes, no = TASKS["rhythm_matching"].answers
    reply = f"{yes}\nOr should I say {no}"
    assert PUBLISHED.extract(reply, TASKS["rhythm_matching"].options).letter == "B"
    assert AF3.extract(reply, TASKS["rhythm_matching"].options).letter == "A"


@pytest.mark.slow
def test_fresh_items_are_balanced_seeded_and_never_examples(zhiyin, tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    flags = {"source": "generated", "n": 2, "chat": "fresh", "mode": "cot", "seed": 3}
    first, again = (list(open_benchmark("muse", flags).trials()) for _ in range(2))
    assert first == again
    assert len(first) == 20
    for task in TASKS.values():
        mine = [trial for trial in first if trial.tags["task"] == task.name]
        keys = Counter(trial.target for trial in mine)
        assert max(keys.values()) - min(keys.values()) <= 1
        hashes = [s.sha256 for trial in mine for s in sounds(trial.messages[-1:])]
        shown = {s.sha256 for trial in mine for s in sounds(trial.messages[:-1])}
        assert len(set(hashes)) == len(hashes)  # even what is the same is played twice
        assert shown.isdisjoint(hashes)
        assert len(hashes) == 2 * task.sounds
    other = list(open_benchmark("muse", {**flags, "seed": 4, "task": "oddballs"}).trials())
    assert {s.sha256 for t in other for s in sounds(t.messages)}.isdisjoint(
        s.sha256 for t in first for s in sounds(t.messages)
    )


def test_a_knob_goes_before_the_level_and_takes_what_it_can(capsys):
    from zhiyin.errors import InputError
    from zhiyin.plugins.benchmarks.muse.tasks import LEVELS, MuseSettings, set_knobs

    turned_up = MuseSettings(
        source="generated", difficulty="easy", knob=("odd_notes=1", "near=true")
    )
    assert (turned_up.knobs.odd_notes, turned_up.knobs.near) == (1, True)
    assert turned_up.knobs.apart == LEVELS["easy"].apart
    assert set_knobs(LEVELS["hard"], ["noise_db=5"]).noise_db == 5
    for word, told in (
        ("odd=1", "did you mean odd_notes"),
        ("odd_notes=9", "odd_notes is from 1 to 4"),
        ("near=perhaps", "a value that it takes"),
        ("styles", "a value that it takes"),
    ):
        with pytest.raises(InputError, match=told):
            MuseSettings(source="generated", knob=(word,))
    with pytest.raises(InputError, match="--knob is for --source generated"):
        MuseSettings(knob=("near=true",))


def test_the_third_published_way_stands_alone_without_examples():
    from zhiyin.plugins.benchmarks.muse.benchmark import Muse

    sets = Muse.protocols[-1].sets
    assert (sets["chat"], sets["examples"], sets["extract"]) == ("fresh", "none", AF3_TABLE.name)


@pytest.mark.parametrize(
    ("reply", "understood"),
    [
        ("Yes, I understand.", 1.0),
        ("**Yes**", 1.0),
        ("A", 1.0),
        ("A. Yes, I understand.", 1.0),
        ("(A)", 1.0),
        ("No, I don't understand.", 0.0),
        ("As a language model, I cannot listen to audio.", 0.0),
        ("Actually, no.", 0.0),
        ("Yesterday", 0.0),
    ],
)
def test_only_a_yes_says_that_a_task_is_understood(reply, understood):
    trial = Trial("chat/ready", (say("user", "?"),), "?", UNDERSTOOD, tags={"asks": READY})
    exchange = Exchange((Turn(Reply(reply)),))
    verdict = open_benchmark("muse", {"source": "generated"}).score(trial, exchange)
    assert verdict.scores == {"understood": understood}
