"""Nothing is paid twice: replies are kept for other runs, whatever happens to the file."""

import asyncio
import json
import os
import random
import signal
import sqlite3
import subprocess
import sys
import textwrap
import time
from functools import partial
from pathlib import Path

import msgspec
import pytest

from questions_help import many
from said_help import texts
from servers import ChatServer
from zhiyin.cost import store
from zhiyin.cost.cache import ReplyCache
from zhiyin.cost.store import Damaged, KeptReply, ReplyStore
from zhiyin.engine.folder import read_records
from zhiyin.record import Reply

pytestmark = pytest.mark.slow


@pytest.fixture
def own_cache(tmp_path, monkeypatch):
    """A cache that no other test has written to."""
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    return tmp_path / "cache" / "replies.sqlite"


@pytest.fixture
def data(tmp_path):
    return many(tmp_path / "q.jsonl", 88)


def zhiyin(*words):
    from zhiyin.cli import main

    return main([str(word) for word in words])


def run(data, out, server, *flags):
    spec = getattr(server, "spec", server)
    flags = flags if "--cache" in flags else ("--cache", "7", *flags)
    return zhiyin("run", "questions", "--data", data, "-m", spec, "--out", out, "--quiet", *flags)


def timeless(folder):
    """The records of a run without times, in the order of their ids."""
    found = []
    for record in read_records(folder):
        for turn in record.exchange.turns:
            turn.reply.latency_s = None
            for name in ("cached", "kept_by", "kept_at"):
                turn.reply.detail.pop(name, None)
        found.append(msgspec.to_builtins(record))
    return sorted(found, key=lambda record: record["id"])


def test_a_second_run_makes_no_call_and_gives_the_same_records(own_cache, data, tmp_path, capsys):
    draw = random.Random(1)
    with ChatServer(lambda call: f"{draw.choice('ABCD')} {draw.random()}") as server:
        assert run(data, tmp_path / "one", server) == 0
        asked = server.calls
        assert asked > 10
        assert run(data, tmp_path / "two", server) == 0
        assert server.calls == asked
    assert timeless(tmp_path / "one") == timeless(tmp_path / "two")
    first, second = (list(read_records(tmp_path / name)) for name in ("one", "two"))
    assert not any("cached" in r.exchange.final.detail for r in first)
    assert all(r.exchange.final.detail["cached"] is True for r in second)


def test_another_setting_or_server_is_another_request(own_cache, data, tmp_path):
    with ChatServer("A") as server, ChatServer("B") as other:
        run(data, tmp_path / "one", server)
        asked = server.calls
        run(data, tmp_path / "two", server, "--max-tokens", "20")
        assert server.calls == 2 * asked
        run(data, tmp_path / "three", server, "--language", "zh")
        assert server.calls == 3 * asked
        run(data, tmp_path / "four", other)
        assert other.calls == asked
        run(data, tmp_path / "five", f"{server.url}#another-model")
        assert server.calls == 4 * asked


def test_a_repeat_is_asked_again_and_each_repeat_is_kept(own_cache, tmp_path):
    (tmp_path / "twice.py").write_text(
        textwrap.dedent("""
        import zhiyin as zy
        from zhiyin.trial import Option, Trial, say

        class Twice(zy.Benchmark):
            name, version, summary = "twice", "1", "each question twice"
            def trials(self):
                options = (Option("A", "do", "A"), Option("B", "re", "B"))
                for repeat in range(3):
                    yield Trial(f"q/{repeat}", (say("user", "Which?"),), "Which?", options, "A",
                                item="q", tags={"repeat": repeat})
        """)
    )
    draw = iter("ABBBBBBBB")
    with ChatServer(lambda call: next(draw)) as server:
        for name in ("one", "two"):
            zhiyin(
                "run", f"{tmp_path}/twice.py:Twice", "-m", server.spec, "--quiet",
                "--cache", 7, "--concurrency", 1, "--out", tmp_path / name,
            )  # fmt: skip
            texts = [r.exchange.final.text for r in read_records(tmp_path / name)]
            assert texts == ["A", "B", "B"]
        assert server.calls == 3


def test_no_trial_is_answered_with_the_reply_to_another(own_cache, tmp_path):
    (tmp_path / "same.py").write_text(
        textwrap.dedent("""
        import zhiyin as zy
        from zhiyin.trial import Option, Trial, say

        class Same(zy.Benchmark):
            name, version, summary = "same", "1", "one question under many ids"
            def trials(self):
                options = (Option("A", "do", "A"), Option("B", "re", "B"))
                for n in range(20):
                    yield Trial(f"q/{n}", (say("user", "Which?"),), "Which?", options, "A")
        """)
    )
    with ChatServer("A", latency_s=0.05) as server:
        for name in ("one", "two"):
            words = ("run", f"{tmp_path}/same.py:Same", "-m", server.spec, "--cache", 7)
            zhiyin(*words, "--out", tmp_path / name)
            assert server.calls == 20, "whatever is asked twice in a run is asked twice"


def test_the_bytes_of_a_sound_are_part_of_the_request(own_cache, tmp_path):
    import hashlib

    import numpy as np
    import soundfile

    from zhiyin.cost.cache import RequestKeys
    from zhiyin.models.playback import SoundPolicy
    from zhiyin.record import Sampling
    from zhiyin.trial import Audio, say

    def sound(name, value):
        path = tmp_path / name
        soundfile.write(path, np.full((8000, 2), value), 8000)
        return Audio(str(path), hashlib.sha256(path.read_bytes()).hexdigest(), 1.0)

    one, same, other = sound("a.wav", 0.1), sound("b.wav", 0.1), sound("c.wav", 0.2)
    part = msgspec.structs.replace(one, start=0.25, end=0.5)

    async def keys():
        requests = RequestKeys({"model": "m"}, SoundPolicy())
        mono = RequestKeys({"model": "m"}, SoundPolicy(mono=True))
        ask = [(requests, one), (requests, same), (requests, other), (requests, part), (mono, one)]
        return [
            await kind.key([say("user", "What?", audio)], Sampling(), "t", 0) for kind, audio in ask
        ]

    found = asyncio.run(keys())
    assert found[0] == found[1], "a name or a place is no part of a request"
    assert len(set(found)) == 4


def test_a_function_is_not_kept(own_cache, data, tmp_path):
    (tmp_path / "m.py").write_text("def answer(messages):\n    return 'A'\n")
    run(data, tmp_path / "one", f"python:{tmp_path}/m.py:answer")
    assert not own_cache.exists()


# The file itself.


def entry(number, size=100):
    return KeptReply(number.to_bytes(32), Reply(f"{number} " + "x" * size), "m")


def test_what_was_not_used_for_longest_goes_first(tmp_path):
    now = [0.0]
    store = ReplyStore(tmp_path / "r.sqlite", 100_000, clock=lambda: now[0])
    for number in range(1000):
        now[0] += 100
        store.put([entry(number, 1000)])
        store.get([entry(3).key])
    kept = [n for n in range(1000) if store.get([entry(n).key])]
    assert 3 in kept
    assert 40 < len(kept) < 100
    others = [n for n in kept if n != 3]
    assert others == list(range(others[0], 1000))
    assert sum(row.bytes for row in store.by_model()) <= 100_000
    store.close()
    assert (tmp_path / "r.sqlite").stat().st_size < 300_000


def test_pruning_gives_the_space_back(tmp_path):
    store = ReplyStore(tmp_path / "r.sqlite", 10**9)
    store.put(entry(n, 2000) for n in range(2000))
    store.close()
    store = ReplyStore(tmp_path / "r.sqlite", 10**9)
    before = (tmp_path / "r.sqlite").stat().st_size
    assert store.prune(0) == 2000
    store.close()
    assert (tmp_path / "r.sqlite").stat().st_size < before / 10


def test_a_changed_byte_is_found(tmp_path):
    store = ReplyStore(tmp_path / "r.sqlite", 10**9)
    store.put([entry(1), entry(2)])
    store.close()
    base = sqlite3.connect(tmp_path / "r.sqlite")
    base.execute(
        "UPDATE replies SET reply = CAST(replace(reply, '1 x', '9 x') AS BLOB) WHERE key = ?",
        (entry(1).key,),
    )
    base.commit()
    base.close()
    store = ReplyStore(tmp_path / "r.sqlite", 10**9)
    assert list(store.get([entry(1).key, entry(2).key])) == [entry(2).key]
    store.close()


def damage_none(path):
    path.write_bytes(b"this is no database at all" * 1000)


def damage_middle(path):
    whole = bytearray(path.read_bytes())
    whole[4096:] = os.urandom(len(whole) - 4096)
    path.write_bytes(whole)
    for name in ("-wal", "-shm"):
        Path(f"{path}{name}").unlink(missing_ok=True)


def damage_cut(path):
    path.write_bytes(path.read_bytes()[:5000])


def remarks(folder):
    """What the user should know of a run."""
    return texts(json.loads((folder / "run.json").read_bytes())["remarks"])


@pytest.mark.parametrize("damage", [damage_none, damage_middle, damage_cut])
def test_a_damaged_file_is_one_line_and_no_lost_run(own_cache, data, tmp_path, damage):
    with ChatServer("A") as server:
        assert run(data, tmp_path / "one", server) == 0
        asked = server.calls
        damage(own_cache)
        assert run(data, tmp_path / "two", server) == 0
        assert server.calls == 2 * asked
        lines = [line for line in remarks(tmp_path / "two") if "replies.sqlite" in line]
        assert len(lines) == 1
        assert "zhiyin cache clear" in lines[0]
        assert zhiyin("cache") in (0, 2)
        assert zhiyin("cache", "clear") == 0
        assert run(data, tmp_path / "three", server) == 0
        assert run(data, tmp_path / "four", server) == 0
        assert server.calls == 3 * asked


def test_a_file_that_another_process_holds_is_not_called_damaged(own_cache, monkeypatch):
    monkeypatch.setattr(store, "_WAIT_S", 0.01)
    kept = ReplyStore(own_cache, 1 << 20)
    other = sqlite3.connect(own_cache, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(Damaged, match="locked by another process") as told:
        kept.put([KeptReply(b"k", Reply("A"), "m")])
    assert "cache clear" not in str(told.value)
    other.execute("ROLLBACK")
    other.close()
    kept.put([KeptReply(b"k", Reply("A"), "m")])
    assert kept.get([b"k"])
    kept.close()


def test_a_folder_that_cannot_be_written_is_one_line(own_cache, data, tmp_path):
    own_cache.parent.write_text("a file stands here")
    with ChatServer("A") as server:
        assert run(data, tmp_path / "one", server) == 0
    assert sum("replies.sqlite" in line for line in remarks(tmp_path / "one")) == 1


WRITER = """
import asyncio, sys
from zhiyin.cost import store
from zhiyin.cost.cache import ReplyCache
from zhiyin.cost.store import KeptReply
from zhiyin.record import Reply
from pathlib import Path

async def main(begin, count):
    cache = ReplyCache(Path(sys.argv[1]), 10**9)
    async def one(n):
        await cache.put(KeptReply(n.to_bytes(32), Reply(f"reply {n} " + "x" * 2000), "m"))
    for first in range(begin, begin + count, 50):
        await asyncio.gather(*map(one, range(first, min(first + 50, begin + count))))
        print(first, flush=True)
    await cache.close()
    assert not cache.trouble, cache.trouble

asyncio.run(main(int(sys.argv[2]), int(sys.argv[3])))
"""


def writer(path, begin, count):
    return subprocess.Popen(
        [sys.executable, "-c", WRITER, str(path), str(begin), str(count)],
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip


def replies_in(path, numbers):
    store = ReplyStore(path, 10**9)
    found = store.get(n.to_bytes(32) for n in numbers)
    store.close()
    return {int.from_bytes(key): entry.reply.text for key, entry in found.items()}


def test_two_runs_may_begin_the_file_at_the_same_moment(tmp_path, monkeypatch):
    """SQLite may refuse one of them at once, without waiting (seen in 1 of 60 races of six)."""
    refusals = 2

    class Refusing(sqlite3.Connection):
        def execute(self, sql, *values):
            nonlocal refusals
            if "WAL" in sql and refusals:
                refusals -= 1
                raise sqlite3.OperationalError("database is locked")
            return super().execute(sql, *values)

    monkeypatch.setattr(sqlite3, "connect", partial(sqlite3.connect, factory=Refusing))
    ReplyStore(tmp_path / "replies.sqlite", 10**6).close()
    assert refusals == 0


def test_two_processes_write_at_once(tmp_path):
    path = tmp_path / "r.sqlite"
    both = [writer(path, 0, 2000), writer(path, 1000, 2000)]
    assert [process.wait(120) for process in both] == [0, 0]
    found = replies_in(path, range(3000))
    assert sorted(found) == list(range(3000))
    assert all(text.startswith(f"reply {n} x") for n, text in found.items())


def test_killed_in_the_middle_of_writing_the_rest_stands(tmp_path):
    path = tmp_path / "r.sqlite"
    draw = random.Random(4)
    for attempt in range(5):
        process = writer(path, attempt * 10_000, 10_000)
        said = int(process.stdout.readline())
        time.sleep(draw.uniform(0, 0.1))
        process.send_signal(signal.SIGKILL)
        for line in process.stdout:
            said = int(line)
        process.wait()
        written = range(attempt * 10_000, said + 50)
        assert len(replies_in(path, written)) == len(written)
    base = sqlite3.connect(path)
    assert base.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_store_says_what_is_wrong(tmp_path):
    (tmp_path / "r.sqlite").write_bytes(b"no database" * 100)
    with pytest.raises(Damaged, match="file is not a database"):
        ReplyStore(tmp_path / "r.sqlite", 1000)


def test_the_cache_is_for_many_at_once(tmp_path):
    async def main():
        cache = ReplyCache(tmp_path / "r.sqlite", 10**9)
        await asyncio.gather(*(cache.put(entry(n)) for n in range(500)))
        found = await asyncio.gather(*(cache.get(entry(n).key) for n in range(501)))
        await cache.close()
        return [entry and entry.reply.text.split()[0] for entry in found]

    assert asyncio.run(main()) == [*map(str, range(500)), None]


def test_a_dry_run_writes_nothing(own_cache, data, tmp_path):
    with ChatServer("A") as server:
        assert run(data, tmp_path / "one", server, "--dry-run") == 0
        assert server.calls == 0
    assert not own_cache.exists()
    assert not (tmp_path / "one").exists()


def test_what_a_judge_said_in_vain_is_not_kept(own_cache, tmp_path):
    (tmp_path / "vain.py").write_text(
        textwrap.dedent("""
        import zhiyin as zy
        from zhiyin.record import Verdict
        from zhiyin.trial import Trial, say

        class Vain(zy.Benchmark):
            name, version, summary = "vain", "1", "grades, where there are any"
            def trials(self):
                for n in range(6):
                    yield Trial(f"q/{n}", (say("user", f"Grade {n}"),), f"Grade {n}")
            def score(self, trial, exchange):
                text = exchange.final.text
                return Verdict("ungraded" if text.isdigit() else "error", text, why="no grade")
        """)
    )
    said = iter(["7", "?", "?", "8", "9", "?", "1", "2", "3"])
    with ChatServer(lambda call: next(said)) as server:
        command = ("run", f"{tmp_path}/vain.py:Vain", "-m", server.spec, "--quiet",
                   "--cache", 7, "--concurrency", 1, "--out", tmp_path / "one")  # fmt: skip
        assert zhiyin(*command) == 1
        assert server.calls == 6
        assert zhiyin(*command) == 0
        assert server.calls == 9
