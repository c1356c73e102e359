"""Sequences in the engine: in order, side by side, stopped by a failure, taken up from the log."""

import asyncio
import itertools
import random

import msgspec
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import sequences as small
from engine import Scripted, manifest, standalone
from said_help import texts
from servers import ChatServer
from zhiyin import run as zhiyin_run
from zhiyin.analysis.coverage import coverage_of
from zhiyin.analysis.summary import summarise
from zhiyin.engine.folder import RECORDS, PlannedSequences, read_records
from zhiyin.engine.log import RunFolder
from zhiyin.engine.runner import Limits, Runner
from zhiyin.engine.sequences import Past, Walk, asks_the_same
from zhiyin.errors import InputError, ModelError
from zhiyin.record import Exchange, Record, Reply, Sampling, Turn, Verdict
from zhiyin.sequence import Sequence, Stepwise, conversation
from zhiyin.session.selection import Selection
from zhiyin.strategies import Confirm
from zhiyin.trial import Audio, Image, Message, Trial, say


class Tree(Sequence):
    """Goes by what was answered: each answer leads to another question, some to the end."""

    def __init__(self, name, most=8):
        self.id, self.at_most, self.calls = name, most, 0

    def next(self, done):
        self.calls += 1
        path = "".join(record.verdict.answer for record in done)
        if len(done) == self.at_most or (len(done) > 2 and path.endswith("aa")):
            return None
        return Trial(f"{self.id}/{len(done) + 1}", (say("user", f"{self.id} {path}"),), path)


def score(trial, exchange):
    text = exchange.final.text
    return Verdict("correct" if text == "a" else "wrong", text)


def says(name, before=0):
    """An answer that depends on the trial alone."""
    return random.Random(f"answer {name}").choice("abc")


async def ask(folder, model, sequences, plain=(), **limits):
    limits = {"concurrency": 4, "retries": 0, "timeout_s": 5.0} | limits
    most = [s.at_most for s in sequences]
    least = sum(s.at_least for s in sequences)
    planned = manifest(least + len(plain))
    planned.sequences = PlannedSequences(len(sequences), least, None if None in most else sum(most))
    with RunFolder(folder, planned) as log:
        runner = Runner(model, lambda _: standalone, score, log, Sampling(), Limits(**limits))
        outcome = await runner.run(plain, len(log.answered), sequences)
        log.retire_superseded()
    return outcome


def run(*args, **kwargs):
    return asyncio.run(ask(*args, **kwargs))


def by_sequence(folder):
    """The records of each sequence, in the order of the log, without what differs by the clock."""
    found = {}
    for record in read_records(folder):
        found.setdefault(record.trial.sequence, []).append(record)
    return found


def trees(n=5, **settings):
    return [Tree(f"tree{i}", **settings) for i in range(n)]


def test_a_sequence_is_asked_in_order_and_named_in_its_trials(tmp_path):
    run(tmp_path, Scripted(says), trees())
    found = by_sequence(tmp_path)
    assert len(found) == 5
    for name, records in found.items():
        assert [r.trial.step for r in records] == list(range(1, len(records) + 1))
        assert {r.trial.cluster for r in records} == {name}
        assert [r.last for r in records] == [False] * (len(records) - 1) + [True]
        said = ["".join(r.verdict.answer for r in records[:n]) for n in range(len(records))]
        assert [r.trial.stem for r in records] == said


def test_a_cluster_that_the_trial_names_is_kept():
    class Named(Sequence):
        id = "s"

        def next(self, done):
            return None if done else Trial("s/1", (), cluster="song")

    walk = Walk(Named())
    walk.first()
    assert walk.trial.cluster == "song"


def test_next_is_called_once_for_each_record(tmp_path):
    every = trees()
    run(tmp_path, Scripted(says), every)
    lengths = {name: len(records) for name, records in by_sequence(tmp_path).items()}
    assert {s.id: s.calls for s in every} == {name: n + 1 for name, n in lengths.items()}


def test_a_stepwise_sequence_gives_what_its_next_gives(tmp_path):
    moved = []

    class Counted(small.Stair):
        def moved(self, state, record):
            moved.append(record.id)
            return super().moved(state, record)

    async def go():
        benchmark = small.Staircase(small.StairSettings())
        model = Scripted(lambda id_, _: f"Answer: {says(id_).upper()}")
        with RunFolder(tmp_path, manifest()) as log:
            runner = Runner(
                model, lambda _: standalone, benchmark.score, log, Sampling(), Limits(2)
            )
            await runner.run((), 0, [Counted(n, 6) for n in range(3)])

    asyncio.run(go())
    for name, records in by_sequence(tmp_path).items():
        sequence = small.Stair(int(name.removeprefix("stair")), 6)
        for n, record in enumerate(records):
            assert sequence.next(records[:n]).stem == record.trial.stem
        assert sequence.next(records) is None
    every = [record.id for record in read_records(tmp_path)]
    assert sorted(moved) == sorted(every)  # once for each record, however long the sequence


def test_sequences_go_side_by_side_within_the_limit(tmp_path):
    busy, most = set(), []

    async def slow(name):
        chat = name.partition("/")[0]
        assert chat not in busy  # one trial of a sequence at a time
        busy.add(chat)
        most.append(len(busy))
        for _ in range(3):
            await asyncio.sleep(0)
        busy.discard(chat)
        return says(name)

    run(tmp_path, Scripted(lambda id_, _: slow(id_)), trees(9), concurrency=3)
    assert max(most) == 3


def test_plain_trials_go_beside_them(tmp_path):
    plain = [Trial(f"plain/{n}", (say("user", str(n)),)) for n in range(7)]
    outcome = run(tmp_path, Scripted(says), trees(2), plain)
    found = by_sequence(tmp_path)
    assert len(found[""]) == 7
    assert outcome.asked == sum(map(len, found.values()))
    assert {r.trial.step for r in found[""]} == {0}
    assert all(r.trial.cluster is None and not r.last for r in found[""])


def test_a_failed_trial_stops_its_sequence_and_is_asked_again(tmp_path):
    run(tmp_path / "whole", Scripted(says), trees())
    whole = by_sequence(tmp_path / "whole")
    fails = {whole["tree1"][2].id, whole["tree3"][0].id}
    broken = Scripted(lambda id_, _: ModelError("gone") if id_ in fails else says(id_))
    out = tmp_path / "stopped"
    outcome = run(out, broken, trees())
    assert outcome.count.error == 2
    found = by_sequence(out)
    assert len(found["tree1"]) == 3
    assert len(found["tree3"]) == 1
    assert found["tree0"] == whole["tree0"]
    told = summarise(out)
    assert not told.complete
    assert told.sequences.stopped == {"tree1": 3, "tree3": 1}
    assert told.sequences.ended == 3
    (line,) = [w for w in texts(told.warnings) if "stopped at a failed trial" in w]
    assert "2 of 5 sequences" in line
    assert "tree1 at trial 3, tree3 at trial 1" in line
    assert "unfinished: 2 of 5 sequences not at their end" in texts(told.warnings)
    assert not coverage_of(out).done
    healed = Scripted(says)
    run(out, healed, trees())
    assert by_sequence(out) == whole
    assert fails <= set(healed.calls)
    assert not set(healed.calls) & {r.id for r in found["tree0"]}
    assert summarise(out).complete
    assert coverage_of(out).done
    assert len((out / "failures.jsonl").read_bytes().splitlines()) == 2


def test_a_second_session_asks_nothing_of_what_has_ended(tmp_path):
    run(tmp_path, Scripted(says), trees())
    again, every = Scripted(says), trees()
    assert run(tmp_path, again, every).asked == 0
    assert not again.calls
    assert not any(s.calls for s in every)  # nor is it walked through again


@pytest.mark.slow
@settings(suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_any_interleaving_gives_the_same_sequences(tmp_path_factory, data):
    """Delays, failures, sessions that end anywhere, and any number of workers change no path."""
    folder = tmp_path_factory.mktemp("run")
    count = data.draw(st.integers(1, 6), "sequences")
    run(folder / "whole", Scripted(says), trees(count), concurrency=1)
    whole = by_sequence(folder / "whole")
    delays = data.draw(st.lists(st.integers(0, 4), min_size=1, max_size=20), "delays")
    for session in range(data.draw(st.integers(0, 3), "disturbed sessions")):
        turn, bad = itertools.cycle(delays), data.draw(st.floats(0, 0.6), "failures")
        drawn = random.Random(data.draw(st.integers(0, 99), "seed"))

        async def answer(name, turn=turn, bad=bad, drawn=drawn):
            for _ in range(next(turn)):
                await asyncio.sleep(0)
            if drawn.random() < bad:
                raise ModelError(f"failed {drawn.random()}")
            return says(name)

        workers = data.draw(st.integers(1, 5), "workers")
        out = folder / "run"
        run(out, Scripted(lambda id_, _: answer(id_)), trees(count), concurrency=workers)
        log = out / RECORDS
        lines = log.read_bytes()
        # A share, since the length depends on the machine: draws must not.
        cut = data.draw(st.floats(0, 1), f"cut {session}")
        log.write_bytes(
            lines[: round(cut * len(lines))]
        )  # as a kill leaves it: any beginning, torn lines too
    run(folder / "run", Scripted(says), trees(count), concurrency=3)
    assert by_sequence(folder / "run") == whole


def test_a_chat_is_told_what_it_was_told_before(tmp_path):
    model = small.Remembering()
    settings_ = small.ChatSettings(data=str(tmp_path), chats=3, rounds=4)
    found = zhiyin_run(small.Chat(settings_), model, out=tmp_path / "run")
    assert found.complete
    for records in by_sequence(tmp_path / "run").values():
        last = records[-1]
        history = last.trial.messages
        sounds = [p for m in history for p in m.parts if isinstance(p, Audio)]
        assert len(sounds) == 4
        said = [m.text for m in history if m.role == "assistant"]
        assert said == [r.exchange.final.text for r in records[:-1]]
        assert said == [f"heard {n + 1}, {n} said" for n in range(3)]


def test_a_chat_server_is_sent_the_sounds_and_replies_of_before(tmp_path, monkeypatch):
    sent = []

    def reply(call):
        sent.append(call.body["messages"])
        return f"reply {len(call.body['messages'])}"

    with ChatServer(reply) as server:
        monkeypatch.setenv("OPENAI_API_KEY", "not-a-real-key")
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        chat = small.Chat(small.ChatSettings(data=str(tmp_path), chats=1, rounds=3))
        assert zhiyin_run(chat, "openai:any", out=tmp_path / "run", canary=False).complete
    last = sent[-1]
    assert [m["role"] for m in last] == ["system", *("user", "assistant") * 2, "user"]
    assert [m["content"] for m in last if m["role"] == "assistant"] == ["reply 2", "reply 4"]
    sounds = [
        part["input_audio"]["data"]
        for message in last
        for part in message["content"]
        if isinstance(part, dict) and part["type"] == "input_audio"
    ]
    assert len(set(sounds)) == len(sounds) == 3
    assert sent[1] == last[:4]  # what was sent before is the beginning of what is sent now


def test_a_conversation_holds_what_a_strategy_said_beyond_the_trial(tmp_path):
    trial = small.Stair(0, 3).next(())
    replies = iter(["no idea", "Answer: B"])

    async def answer(messages, sampling=None):
        return Reply(next(replies))

    from zhiyin.contract.policies import open_policy

    exchange = asyncio.run(Confirm(standalone, open_policy("robust"))(trial, answer))
    held = conversation(Record(trial.id, Verdict("wrong", None), trial, exchange))
    assert [m.role for m in held] == ["user", "assistant", "user", "assistant"]
    assert [m.text for m in held][1] == "no idea"
    assert held[-1].text == "Answer: B"


def test_what_a_sequence_is_given_is_what_the_log_gives_back(tmp_path):
    seen = []

    class Looks(Sequence):
        id, at_most = "looks", 3

        def next(self, done):
            seen.append(done)
            return None if len(done) == 3 else Trial(f"looks/{len(done)}", (say("user", "x"),))

    reply = Reply("a\ud800b", detail={"tuple": (1, 2), 3: object()}, logprobs={"A": float("-inf")})
    run(tmp_path, Scripted(lambda id_, _: msgspec.structs.replace(reply)), [Looks()])
    assert list(seen[-1])[:2] == list(read_records(tmp_path))[:2]
    assert seen[-1][0].exchange.final.detail["tuple"] == [1, 2]
    again = Looks()
    assert run(tmp_path, Scripted(says), [again]).asked == 0


def test_lines_that_were_lost_in_the_middle_are_asked_again_or_told(tmp_path):
    run(tmp_path, Scripted(says), [Tree("tree0")], concurrency=1)
    log = tmp_path / RECORDS
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:1] + lines[2:-1]))
    with pytest.raises(InputError, match=r"tree0.*would not ask"):
        run(tmp_path, Scripted(says), [Tree("tree0")])


def test_a_line_that_is_there_twice_changes_nothing(tmp_path):
    run(tmp_path, Scripted(says), trees(2), concurrency=1)
    whole = by_sequence(tmp_path)
    log = tmp_path / RECORDS
    lines = log.read_bytes().splitlines(keepends=True)
    log.write_bytes(b"".join(lines[:2] + lines[:-1]))
    run(tmp_path, Scripted(says), trees(2))
    found = by_sequence(tmp_path)
    assert {name: sorted(r, key=lambda r: r.trial.step) for name, r in found.items()} == whole
    assert summarise(tmp_path).sequences.ended == 2


class Drifting(Sequence):
    """Not pure: it asks something else each time."""

    at_most = 4

    def __init__(self, name="drifts"):
        self.id = name

    def next(self, done):
        if len(done) == 4:
            return None
        return Trial(f"{self.id}/{len(done)}", (say("user", str(random.random())),))


def test_a_sequence_that_is_not_pure_is_told_before_anything_is_asked(tmp_path):
    model = Scripted(lambda id_, _: ModelError("gone") if id_ == "drifts/2" else "a")
    run(tmp_path, model, [Drifting()])
    before = (tmp_path / RECORDS).read_bytes()
    again = Scripted(says)
    with pytest.raises(InputError, match=r"'drifts' would not ask trial 'drifts/0'.*not pure"):
        run(tmp_path, again, [*trees(), Drifting()])
    assert not again.calls
    assert (tmp_path / RECORDS).read_bytes() == before


class Faulty(Tree):
    """Cannot go on after two answers, until somebody mends it."""

    def __init__(self, name, mended=False, what=None):
        super().__init__(name)
        self.mended, self.what = mended, what

    def next(self, done):
        if len(done) == 2 and not self.mended:
            return 1 / 0 if self.what is None else self.what
        return super().next(done)


def test_a_fault_in_next_stops_its_sequence_and_keeps_what_was_answered(tmp_path):
    every = [*trees(2), Faulty("faulty")]
    outcome = run(tmp_path, Scripted(says), every)
    (fault,) = outcome.faults
    assert fault.startswith("sequence 'faulty' after 2 trials cannot go on: ZeroDivisionError")
    assert "test_sequences.py:" in fault
    assert outcome.stopped is None
    assert len(by_sequence(tmp_path)["faulty"]) == 2
    assert summarise(tmp_path).sequences.ended == 2
    run(tmp_path, Scripted(says), [*trees(2), Faulty("faulty", mended=True)])
    assert summarise(tmp_path).complete


def test_a_sequence_that_ends_where_it_failed_before_is_known_as_ended(tmp_path):
    class Ends(Faulty):
        def next(self, done):
            return None if len(done) == 2 and self.mended else super().next(done)

    run(tmp_path, Scripted(says), [Ends("s")])
    assert not summarise(tmp_path).complete
    assert run(tmp_path, Scripted(says), [Ends("s", mended=True)]).asked == 0
    assert summarise(tmp_path).complete
    assert [r.trial.step for r in read_records(tmp_path)] == [1, 2]


def test_many_faults_stop_the_run(tmp_path):
    every = [Faulty(f"faulty{n}") for n in range(20)]
    outcome = run(tmp_path, Scripted(says), every, concurrency=1)
    assert outcome.stopped.startswith("3 sequences cannot go on; the last: sequence 'faulty2'")
    assert outcome.asked == 6


def test_what_is_no_trial_is_told(tmp_path):
    (fault,) = run(tmp_path, Scripted(says), [Faulty("s", what="a text")]).faults
    assert "next gave str, and not a Trial or None" in fault


@pytest.mark.parametrize(
    ("least", "most", "told"),
    [(1, 2, "goes on, and declares at most 2"), (9, 9, "ends there, and declares exactly 9")],
)
def test_a_sequence_keeps_to_the_length_it_declares(tmp_path, least, most, told):
    class Three(Sequence):
        id, at_least, at_most = "three", least, most

        def next(self, done):
            return None if len(done) == 3 else Trial(f"three/{len(done)}", ())

    (fault,) = run(tmp_path, Scripted(says), [Three()]).faults
    assert told in fault
    assert summarise(tmp_path).sequences.ended == 0


def test_two_trials_of_one_id_are_told(tmp_path):
    class Same(Sequence):
        id = "same"

        def next(self, done):
            return Trial("same/1", ())

    with pytest.raises(InputError, match="two trials share the id 'same/1'"):
        run(tmp_path, Scripted(says), [Same()])
    plain = [Trial("tree0/1", (say("user", "x"),))]
    with pytest.raises(InputError, match="two trials share the id 'tree0/1'"):
        run(tmp_path / "beside", Scripted(says), [Tree("tree0")], plain, concurrency=1)
    with pytest.raises(InputError, match="two trials share the id 'tree0/1'"):  # resumed, too
        run(tmp_path / "beside", Scripted(says), [Tree("tree0")], plain, concurrency=1)


def test_the_log_is_indexed_and_not_held(tmp_path):
    run(tmp_path, Scripted(says), trees(3), [Trial("plain", ())])
    past = Past(tmp_path / RECORDS)
    assert past.ended == {"tree0", "tree1", "tree2"}
    assert len(past.ids) == sum(1 for _ in read_records(tmp_path)) - 1
    found = past.records("tree1")
    assert list(found.values()) == by_sequence(tmp_path)["tree1"]
    assert past.records("tree9") == {}


def test_files_may_lie_elsewhere_by_now_but_not_be_others():
    def asked(folder, sha256="aa"):
        parts = Audio(f"{folder}/a.wav", sha256), Image(f"{folder}/a.png", "bb", 3, 2)
        return Trial("t", (Message("user", parts),))

    assert asks_the_same(asked("here"), asked("there"))
    assert not asks_the_same(asked("here"), asked("there", "cc"))
    assert not asks_the_same(asked("here"), msgspec.structs.replace(asked("here"), target="A"))


class Ill:
    name, version = "ill", "1"

    def __init__(self, *sequences):
        self.given = sequences

    def sequences(self):
        return self.given

    def trials(self):
        return ()

    def __len__(self):
        return 0


def named(name, **attributes):
    return type("S", (Sequence,), {"id": name, "next": lambda self, done: None, **attributes})()


@pytest.mark.parametrize(
    ("given", "told"),
    [
        (["text"], "gave str: derive its class from zhiyin.Sequence"),
        ([named("")], "needs an id"),
        ([named(3)], "needs an id"),
        ([named("a"), named("a")], "two sequences share the id 'a'"),
        ([named("a", at_least=3, at_most=2)], "at_least 3 and at_most 2"),
        ([named("a", at_least=0)], "at_least 0"),
    ],
)
def test_faulty_sequences_are_told_before_anything_is_asked(given, told):
    with pytest.raises(InputError, match=told):
        Selection(Ill(*given))


def test_a_sequence_without_a_first_trial_is_told():
    with pytest.raises(InputError, match="sequence 'a' asks nothing"):
        list(Selection(Ill(named("a"))).known())


def test_a_limit_counts_whole_sequences_and_a_sample_draws_them():
    benchmark = small.Staircase(small.StairSettings(stairs=4, plain=6))
    first = Selection(benchmark, limit=3)
    assert [s.id for s in first.sequences] == ["stair0", "stair1", "stair2"]
    assert list(first) == []
    assert len(first) == 0
    assert (first.planned, first.planned_sequences.at_most) == (9, 180)
    more = Selection(benchmark, limit=6)
    assert len(more.sequences) == 4
    assert len(list(more)) == len(more) == 2
    assert Selection(benchmark, limit=10).part() == {"limit": None}
    drawn = Selection(benchmark, sample=5, seed=3)
    assert len(drawn.sequences) + len(drawn) == 5
    larger = Selection(benchmark, sample=7, seed=3)
    assert {s.id for s in drawn.sequences} <= {s.id for s in larger.sequences}


def test_repeats_of_a_sequence_are_one_item():
    class Repeated(small.Chat):
        def sequences(self):
            for number in range(4):
                for repeat in range(2):
                    yield named(f"c{number}/r{repeat + 1}", item=f"c{number}")

    assert len(Selection(Repeated(small.ChatSettings()), sample=2).sequences) == 4


def test_stepwise_asks_for_its_three_methods():
    empty = Stepwise()
    for call in (empty.begin, lambda: empty.moved(None, None), lambda: empty.ask(None)):
        with pytest.raises(NotImplementedError):
            call()
    with pytest.raises(NotImplementedError):
        Sequence().next(())


def test_an_exchange_without_turns_is_the_trial_alone():
    trial = Trial("t", (say("user", "x"),))
    assert conversation(Record("t", Verdict("error", None), trial, Exchange())) == trial.messages
    told = Exchange((Turn(Reply("y")),))
    assert conversation(Record("t", Verdict("wrong", None), trial, told))[-1].text == "y"
