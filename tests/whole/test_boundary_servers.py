"""Servers that fail or repeat keys: honest trials, no score made of a fault, no key told."""

import asyncio
import json
import os
import re
from pathlib import Path

import pytest
from aiohttp import web

import sequences  # noqa: F401 - before root acts as somebody who may not read Python's own files
import zhiyin
from fault_help import ANSWERS, BadServer, carried_out, logs
from judge_help import REVIEW, make_run
from servers import FAILURES, ChatServer
from zhiyin import cli
from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from zhiyin.errors import ModelError
from zhiyin.models import Setting
from zhiyin.models.chat import ChatModel, url_endpoint
from zhiyin.record import Sampling
from zhiyin.trial import Trial, say

pytestmark = pytest.mark.slow

SMALL = Path(__file__).parent.parent / "data" / "ziqi_small"


def run(server, out, capsys, *flags):
    command = [
        "run", "ziqi", "--data", str(SMALL), "--partial", "-m", server.spec, "--out", str(out),
        "--timeout", "0.5", "--concurrency", "8", "--json", *flags,
    ]  # fmt: skip
    status = main(command)
    return status, json.loads(capsys.readouterr().out)


def test_every_trial_is_answered_or_honestly_marked(tmp_path, capsys):
    with ChatServer(lambda call: "答案：B", fail=0.2, seed=5) as server:
        status, summary = run(server, tmp_path, capsys)
    assert len(server.failed) >= 4
    states = summary["states"]
    assert status == (1 if states["error"] else 0)
    assert sum(states.values()) == summary["trials"] == summary["planned"]
    assert states["refused"] == 0
    for record in read_records(tmp_path):
        if record.verdict.state in ("correct", "wrong"):
            assert record.verdict.answer == "B"
        elif record.verdict.state == "error":
            assert record.error
        else:
            assert record.verdict.state in ("truncated", "no_answer")


@pytest.mark.parametrize("kind", [k for k in FAILURES if k not in ("empty", "length")])
def test_what_fails_for_good_is_an_error_and_alone_asked_again(tmp_path, capsys, kind):
    """Without retries a fifth of the trials fail; a second run asks those and no others."""
    with ChatServer(lambda call: "答案：B", fail=0.2, kinds=(kind,), seed=1) as server:
        status, first = run(server, tmp_path, capsys, "--retries", "0")
        failed = first["states"]["error"]
        assert status == 1
        assert failed == sum(server.failed.values()) > 0
        assert first["groups"]["all"]["n"] == first["trials"] - failed
        server.fail, server.calls = 0.0, 0
        status, second = run(server, tmp_path, capsys, "--retries", "0")
    assert status == 0
    assert server.calls == failed
    assert second["states"]["error"] == 0
    assert second["complete"]
    lines = (tmp_path / "records.jsonl").read_bytes().splitlines()
    assert len(lines) == len({json.loads(line)["id"] for line in lines}) == second["trials"]
    assert (tmp_path / "failures.jsonl").read_bytes().count(b"\n") == failed


HERE = Path(__file__).parent.parent


# Bad servers ------------------------------------------------------------------------------------
@pytest.fixture
def _short_waits(monkeypatch):
    monkeypatch.setattr("zhiyin.engine.asking._LONGEST_RETRY_AFTER_S", 0.05)
    monkeypatch.setattr("zhiyin.cost.budget._LONGEST_S", 0.05)
    monkeypatch.setattr("zhiyin.models.chat._CHECK_SECONDS", 0.1)


@pytest.mark.usefixtures("_short_waits")
@pytest.mark.parametrize("way", ANSWERS)
def test_a_bad_server_is_an_error_of_its_trials(way, tmp_path, capsys):
    """Of a model and of a judge: nobody waits for ever, and a score is never made of it."""
    make_run(tmp_path / "out", [REVIEW])
    limits = ["--timeout", "0.3", "--retries", "1"]
    with BadServer(way) as server:
        asked = ["run", "ziqi", "--data", SMALL, "--partial", "--limit", "2", "-m", server.spec]
        carried_out([*asked, "--out", tmp_path / "r", "--json", *limits], capsys, (1, 2))
        judged = ["judge", tmp_path / "out", "-m", server.spec, "--aspects", "completeness"]
        carried_out([*judged, *limits, "--quiet"], capsys, (1, 2))
    for log in (tmp_path / "r", *(tmp_path / "out").glob("judged-*")):
        for record in logs(log).get("records.jsonl", {}).values():
            assert record["verdict"] == {"state": "error", "answer": None}, record
            assert record["error"]
            assert len(record["error"]) < 1000


SECRET = "a%2Fb+c%3Dd%20e-f0123456789"


SPELLINGS = (
    "a%2Fb+c%3Dd%20e-f0123456789", "a/b+c=d e-f0123456789", "a/b c=d e-f0123456789",
    "a%2fb+c%3dd%20e-f0123456789", "a/b%20c=d%20e-f0123456789", "a%2Fb%20c%3Dd%20e-f0123456789",
    "a/b+c%3Dd+e-f0123456789",
)  # fmt: skip


@pytest.mark.parametrize("spelling", SPELLINGS)
def test_no_spelling_of_a_secret_is_told(spelling):
    endpoint = url_endpoint(f"http://host/v1?code={SECRET}&api-version=2024-06-01#m")
    told = endpoint.scrub(f"GET /v1?code={spelling} and {spelling} in 2024-06-01 failed")
    assert "f0123456789" not in told
    assert "2024-06-01" in told


def refused(body, status=400, query=f"?code={SECRET}"):
    """What the program says of a server's refusal."""
    with ChatServer(lambda call: web.Response(text=body, status=status)) as server:
        base, _, name = server.spec.partition("#")
        model = ChatModel(url_endpoint(f"{base}{query}#{name}"), Setting(5.0))

        async def ask():
            try:
                await model.generate((say("user", "x"),), Sampling(), Trial("t", (), ""))
            finally:
                await model.close()

        with pytest.raises(ModelError) as found:
            asyncio.run(ask())
    return str(found.value)


def test_a_servers_message_holds_neither_secrets_nor_escapes():
    message = "bad code a/b+c=d e-f0123456789 \x1b[2J\x1b]0;title\x07 \x9b31m \u202etxt"
    told = refused(json.dumps({"error": {"message": message}}))
    assert "f0123456789" not in told
    assert not set("\x1b\x07\x9b\u202e") & set(told)
    assert r"\x1b[2J" in told


# Keys -------------------------------------------------------------------------------------------
KEY = "sk-zhiyin0test1key2never3shown4"


def arguments_of_all():
    """What every process of this machine shows of how it was begun."""
    shown = b""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            shown += path.read_bytes()
        except OSError:
            continue
    return shown


def test_a_key_is_in_no_file_no_output_and_no_list_of_processes(tmp_path, monkeypatch, capsys):
    """A run that fails here and there, its judgement, report, export and bundle of figures."""
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    shown = []

    def answer(call):
        shown.append(arguments_of_all())
        assert call.headers["Authorization"] == f"Bearer {KEY}"
        if len(shown) % 3 == 0:  # a server that repeats what it was sent
            from aiohttp import web

            return web.Response(status=400, text=json.dumps({"error": {"message": f"no {KEY}"}}))
        return "Answer: B"

    out = tmp_path / "run"
    with ChatServer(answer) as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url)
        words = ["run", "ziqi", "--data", SMALL, "--partial", "--limit", "9", "--out", out,
                 "--retries", "0", "-m", f"openai:{KEY[:2]}-model"]  # fmt: skip
        status = cli.main([str(word) for word in words])
        assert status == 1
        assert cli.main([str(word) for word in words]) in (0, 1)
        for command in (
            ["show", out, "--json"], ["status", out], ["verify", out],
            ["report", out, "-o", tmp_path / "report.html"], ["rescore", out],
            ["export", out, "--csv", tmp_path / "out.csv"],
        ):  # fmt: skip
            cli.main([str(word) for word in command])
    said = capsys.readouterr()
    assert len(shown) > 9
    assert not any(KEY.encode() in each for each in shown)
    assert KEY not in said.out + said.err
    places = [tmp_path, Path(os.environ["ZHIYIN_CACHE"]), Path(os.environ["ZHIYIN_DATA"])]
    files = [path for place in places for path in place.rglob("*") if path.is_file()]
    assert len(files) >= 5
    assert [path for path in files if KEY.encode() in path.read_bytes()] == []


def test_the_package_holds_no_key():
    assert not re.search(
        rb"sk-[A-Za-z0-9]{20}|AKIA[0-9A-Z]{16}",
        b"".join(path.read_bytes() for path in Path(zhiyin.__file__).parent.rglob("*.py")),
    )
