"""A pool of servers: what fails at one is answered by another, and who is ill is not asked."""

import asyncio
import contextlib
import time

import msgspec
import pytest
from aiohttp import web

from paying import MODEL as PAID
from paying import PayServer
from said_help import texts
from servers import MODEL, ChatServer
from zhiyin.analysis.summary import summarise
from zhiyin.cli import main
from zhiyin.errors import FatalError, HaltError, InputError, RefusedError, TransientError
from zhiyin.models import open_model
from zhiyin.plugins.local import pool as pool_module
from zhiyin.plugins.local.pool import Pool
from zhiyin.record import Sampling
from zhiyin.trial import Trial, say
from ziqi_layout import write_ziqi

pytestmark = pytest.mark.slow

TRIAL = Trial("t", (say("user", "?"),))


@contextlib.contextmanager
def pool_of(*servers, timeout=5.0, concurrency=8):
    with contextlib.ExitStack() as stack:
        for server in servers:
            stack.enter_context(server)
        yield open_model(spec_of(*servers), timeout=timeout, concurrency=concurrency)


def spec_of(*servers):
    return f"pool:{','.join(server.url for server in servers)}#{MODEL}"


def told(pool: Pool):
    return pool.describe()["members"]


async def ask(pool, n, at_once=8):
    """The replies to n questions, or the errors."""
    gate = asyncio.Semaphore(at_once)

    async def one(i):
        async with gate:
            return await pool.generate((say("user", f"question {i}"),), Sampling(), TRIAL)

    try:
        return await asyncio.gather(*(one(i) for i in range(n)), return_exceptions=True)
    finally:
        await pool.close()


def test_the_one_with_the_fewest_calls_is_asked():
    fast, slow = ChatServer("A", latency_s=0.005), ChatServer("A", latency_s=0.05)
    with pool_of(fast, slow, concurrency=4) as pool:
        replies = asyncio.run(ask(pool, 100, 4))
    assert [reply.text for reply in replies] == ["A"] * 100
    assert fast.calls + slow.calls == 100
    assert slow.calls < 45 < fast.calls
    assert [one["asked"] for one in told(pool)] == [fast.calls, slow.calls]
    assert {reply.detail["server"] for reply in replies} == {fast.url, slow.url}


def test_who_fails_three_times_is_not_asked_until_well(monkeypatch):
    ill = [True]

    def answer(call):
        return web.Response(status=500, text="no") if ill[0] else "B"

    sick, well = ChatServer(answer), ChatServer("A", latency_s=0.01)

    async def both(pool):
        first = await asyncio.gather(*(one(pool, i) for i in range(40)))
        asked = sick.calls
        # Looks at its list of models do not count as asking; it is still ill on its first trial.
        await asyncio.sleep(1.6)
        second = [await one(pool, i) for i in range(10)]
        again = sick.calls - asked
        ill[0] = False
        await asyncio.sleep(2.6)
        third = [await one(pool, i) for i in range(10)]
        state = [member.state for member in pool.members]
        await pool.close()
        return first, second, third, asked, again, state

    def one(pool, i):
        return pool.generate((say("user", f"question {i}"),), Sampling(), TRIAL)

    with pool_of(sick, well) as pool:
        first, second, third, asked, again, state = asyncio.run(both(pool))
    assert {reply.text for reply in first} == {reply.text for reply in second} == {"A"}
    assert asked < 40 / 2 + 3  # those that were under way when it was found ill, and no more
    assert again == 1  # on trial: one call, and out again
    assert "B" in {reply.text for reply in third}
    assert state == ["in", "in"]
    assert told(pool)[0]["left_out"] == 2
    assert any("left out 2 times" in line for line in pool.report())


def test_a_silent_server_holds_nothing_up():
    silent = ChatServer("A", fail=1.0, kinds=["hang"])
    others = [ChatServer("A", latency_s=0.01) for _ in range(2)]
    with pool_of(silent, *others, timeout=60.0) as pool:
        begun = time.monotonic()
        replies = asyncio.run(ask(pool, 300))
        took = time.monotonic() - begun
    assert [reply.text for reply in replies] == ["A"] * 300
    assert took < 30.0  # not the sixty seconds of a call's limit
    first = told(pool)[0]
    assert first["answered"] == 0
    assert first["left_out"] >= 1
    assert first["asked"] <= 8
    assert "no reply for" in first["why_out"]
    assert pool.describe()["asked_twice"] == first["asked"]


def test_a_busy_server_is_left_alone_and_not_held_ill():
    def answer(call):
        return web.Response(status=429, headers={"Retry-After": "1"}, text="slow down")

    busy, free = ChatServer(answer), ChatServer("A")
    with pool_of(busy, free) as pool:
        replies = asyncio.run(ask(pool, 50, 1))
    assert {reply.text for reply in replies} == {"A"}
    assert busy.calls == 1
    assert told(pool)[0]["left_out"] == 0


def test_what_a_model_refuses_is_refused_once():
    def answer(call):
        return web.Response(status=400, text='{"error": {"message": "this prompt is too long"}}')

    first, second = ChatServer(answer), ChatServer(answer)
    with pool_of(first, second) as pool:
        (found,) = asyncio.run(ask(pool, 1))
    assert isinstance(found, RefusedError)
    assert first.calls + second.calls == 1


def test_a_question_that_all_fail_on_is_the_runs_to_try_again():
    servers = [ChatServer("A", fail=1.0, kinds=["500"]) for _ in range(3)]
    with pool_of(*servers) as pool:
        (found,) = asyncio.run(ask(pool, 1))
    assert isinstance(found, TransientError)
    assert [server.calls for server in servers] == [1, 1, 1]
    assert [one["left_out"] for one in told(pool)] == [0, 0, 0]


def test_nobody_left_stops_the_run():
    servers = [ChatServer("A", fail=1.0, kinds=["500"]) for _ in range(2)]
    with pool_of(*servers, timeout=1.0) as pool:
        found = asyncio.run(ask(pool, 12, 4))
    assert isinstance(found[-1], HaltError)
    assert "none of the 2 servers of the pool answers" in str(found[-1])


def test_a_wrong_key_everywhere_stops_and_at_one_does_not():
    def refuse(call):
        return web.Response(status=401, text='{"error": {"message": "wrong key"}}')

    with pool_of(ChatServer(refuse), ChatServer("A")) as pool:
        assert {reply.text for reply in asyncio.run(ask(pool, 8))} == {"A"}
    with pool_of(ChatServer(refuse), ChatServer(refuse)) as pool:
        found = asyncio.run(ask(pool, 3, 1))
    assert all(isinstance(one, FatalError | TransientError) for one in found)
    assert any(isinstance(one, FatalError) for one in found)


def test_who_is_away_at_the_start_may_come_later():
    with ChatServer("A") as gone:
        pass
    with ChatServer("A", latency_s=0.01) as here:
        pool = open_model(f"pool:{gone.url},{here.url}#{MODEL}", timeout=5.0, concurrency=4)

        async def go():
            await pool.check()
            return await ask(pool, 10)

        assert {reply.text for reply in asyncio.run(go())} == {"A"}
        assert told(pool)[0]["asked"] == 0
    pool = open_model(f"pool:{gone.url},{here.url}#{MODEL}", timeout=5.0, concurrency=4)
    with pytest.raises(InputError, match="none of the 2 servers"):
        asyncio.run(pool.check())


def test_servers_join_and_leave_by_the_file(tmp_path):
    file = tmp_path / "servers.txt"
    with ChatServer("A", latency_s=0.01) as first, ChatServer("B", latency_s=0.01) as second:
        file.write_text(f"{first.url}  # the first\n\n")
        pool = open_model(f"pool:{file}#{MODEL}", timeout=5.0, concurrency=4)
        assert pool.name == f"pool:{file}#{MODEL}"

        async def go():
            before = [await one(i) for i in range(5)]
            file.write_text(f"# moved\n{second.url}\n")
            await asyncio.sleep(3 * pool_module._TICK_S)
            after = [await one(i) for i in range(5)]
            await pool.close()
            return before, after

        async def one(i):
            return (await pool.generate((say("user", str(i)),), Sampling(), TRIAL)).text

        assert asyncio.run(go()) == (["A"] * 5, ["B"] * 5)
    assert told(pool)[0]["left"] is True


@pytest.mark.parametrize(
    ("rest", "message"),
    [
        ("", "names its servers and its model"),
        ("#m", "names its servers and its model"),
        ("http://a/v1,http://b/v1", "names its servers and its model"),
        ("http://a/v1,http://a/v1#m", "named twice"),
        ("http://a/v1,b:80#m", "not an address"),
        ("nowhere.txt#m", "no such file of addresses"),
    ],
)
def test_bad_specs_are_one_line(rest, message):
    with pytest.raises(InputError, match=message) as found:
        open_model(f"pool:{rest}")
    assert "\n" not in str(found.value)


def test_two_deployments_at_one_address_are_two_servers(monkeypatch):
    with ChatServer("A") as server:
        places = [f"{server.url}?deployment={name}" for name in ("blue", "green")]
        pool = open_model(f"pool:{','.join(places)}#{MODEL}", timeout=5.0, concurrency=4)
        replies = asyncio.run(ask(pool, 20, 4))
    assert [reply.text for reply in replies] == ["A"] * 20
    members = told(pool)
    assert len({one["base_url"] for one in members}) == 2
    assert all(one["asked"] for one in members)
    assert "blue" not in str(pool.describe()) + str(pool.name)
    with pytest.raises(InputError, match="named twice"):
        open_model(f"pool:{places[0]},{places[0]}#{MODEL}")


def test_a_file_without_addresses_is_one_line(tmp_path):
    file = tmp_path / "servers.txt"
    file.write_text("# none yet\n")
    with pytest.raises(InputError, match="no address"):
        open_model(f"pool:{file}#m")
    file.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(InputError, match="not text in UTF-8"):
        open_model(f"pool:{file}#m")


def test_a_run_through_a_pool_loses_nothing_and_tells_what_happened(tmp_path, capsys):
    """One hangs, one says 500 for a while, one dies for good, one is well."""
    data = write_ziqi(tmp_path / "ziqi", 3)
    ill_until = [0.0]

    def ill(call):
        ill_until[0] = ill_until[0] or time.monotonic() + 2.0
        return web.Response(status=500, text="no") if time.monotonic() < ill_until[0] else "A"

    with contextlib.ExitStack() as stack:
        silent = stack.enter_context(ChatServer("A", fail=1.0, kinds=["hang"]))
        sick = stack.enter_context(ChatServer(ill, latency_s=0.01))
        well = stack.enter_context(ChatServer("A", latency_s=0.02))
        dying = ChatServer("A", latency_s=0.02)
        dying.answer = lambda call: dying.stop() or "A"
        stack.enter_context(dying)
        out = tmp_path / "run"
        command = ["run", "ziqi", "--data", str(data), "-m", spec_of(silent, sick, well, dying)]
        command += ["--out", str(out), "--concurrency", "8", "--cache", "off", "--json"]
        assert main(command) == 0
    printed = msgspec.json.decode(capsys.readouterr().out)
    lines = (out / "records.jsonl").read_bytes().splitlines()
    records = [msgspec.json.decode(line) for line in lines]
    ids = [record["id"] for record in records]
    assert len(ids) == len(set(ids)) == printed["planned"]
    assert {record["exchange"]["turns"][0]["reply"]["text"] for record in records} == {"A"}
    manifest = msgspec.json.decode((out / "run.json").read_bytes())
    members = manifest["decoding"]["members"]
    assert sum(one["answered"] for one in members) == len(ids)
    assert members[0]["answered"] == 0
    assert any("left out" in line for line in texts(manifest["remarks"]))
    assert main(["status", str(out)]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert "the slowest server http://127.0.0.1:" in told
    assert "s in the middle" in told


def test_a_pool_spends_one_budget(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    data = write_ziqi(tmp_path / "ziqi", 3)
    with PayServer(latency_s=0.01) as one, PayServer(latency_s=0.01) as two:
        spec = f"pool:{','.join(s.spec.partition('#')[0] for s in (one, two))}#{PAID}"
        ask = ["run", "ziqi", "--data", str(data), "-m", spec, "--out", str(tmp_path / "run")]
        ask += ["--concurrency", "4", "--quiet", "--cache", "off"]
        assert main([*ask, "--budget", "9calls"]) == 1
        assert one.calls + two.calls == 9
        assert one.calls
        assert two.calls
        assert "budget" in capsys.readouterr().out
        assert main(ask) == 0
        assert one.calls + two.calls == summarise(tmp_path / "run").planned
