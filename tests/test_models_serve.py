"""A model of this machine behind an address, and several copies that watch over each other."""

import asyncio
import base64
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import msgspec
import pytest

from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.models import open_model
from zhiyin.models.dialects import CHAT
from zhiyin.record import Reply, Sampling
from zhiyin.serving.replicas import command_of, free_ports, gpus
from zhiyin.serving.server import completion, read_request
from zhiyin.trial import Trial, say
from ziqi_layout import write_ziqi

pytestmark = pytest.mark.slow

ECHO = """
import os, time
def answer(prompt):
    time.sleep(0.02)
    return f"The answer is A. ({os.getpid()})"
"""


@pytest.fixture
def echo(tmp_path):
    file = tmp_path / "echo.py"
    file.write_text(ECHO)
    return f"python:{file}:answer"


def serve(*words, **options):
    command = [sys.executable, "-m", "zhiyin", "serve", *map(str, words)]
    return subprocess.Popen(
        command, stdin=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **options
    )


@pytest.fixture
def server(echo):
    """Its address."""
    with serve(echo, "--port", 0, "--until-eof") as process:
        line = process.stderr.readline()
        yield f"{re.search(r'http://[^ :]+:[0-9]+/v1', line)[0]}#{echo}"
        process.stdin.close()
        assert process.wait(20) == 0


def posted(address, data, **headers):
    import urllib.request

    return urllib.request.Request(address, data, {"Content-Type": "application/json"} | headers)


def test_no_page_of_another_site_and_no_endless_body_asks_the_model(server):
    import urllib.error
    import urllib.request

    address = f"{server.partition('#')[0]}/chat/completions"
    body = msgspec.json.encode({"messages": [{"role": "user", "content": "?"}]})
    of_a_page = [
        ({"Origin": "https://elsewhere.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Sec-Fetch-Site": "same-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),  # what a form may send without being asked
    ]
    for headers, status in of_a_page:
        with pytest.raises(urllib.error.HTTPError) as found:
            urllib.request.urlopen(posted(address, body, **headers), timeout=20)
        assert found.value.code == status
        assert "message" in msgspec.json.decode(found.value.read())["error"]
    large = b'{"messages":[{"role":"user","content":"' + b"a" * 90_000_000 + b'"}]}'
    with pytest.raises(urllib.error.HTTPError) as found:
        urllib.request.urlopen(posted(address, large), timeout=60)
    assert found.value.code == 413
    assert "64 MiB" in msgspec.json.decode(found.value.read())["error"]["message"]
    assert urllib.request.urlopen(posted(address, body), timeout=20).status == 200


def test_one_server_answers_the_chat_client(server):
    async def go():
        model = open_model(server, timeout=20.0)
        await model.check()
        reply = await model.generate((say("user", "?"),), Sampling(), Trial("t", ()))
        await model.close()
        return reply

    assert asyncio.run(go()).text.startswith("The answer is A.")


def test_what_it_does_not_give_is_refused_in_one_line(server):
    import urllib.error
    import urllib.request

    address = f"{server.partition('#')[0]}/chat/completions"
    words = [{"role": "user", "content": "?"}]
    sound = [{"type": "input_audio", "input_audio": {"data": "%%", "format": "wav"}}]
    noise = base64.b64encode(b"no sound at all").decode()
    bad = [
        (b"{", "no request"),
        (b"[]", "no request"),
        ({"messages": []}, "at least one"),
        ({"messages": words, "stream": True}, "stream is not supported"),
        ({"messages": words, "n": 3}, "n is not supported"),
        ({"messages": words, "logprobs": True}, "logprobs is not supported"),
        ({"messages": words, "model": "another"}, "is served here"),
        ({"messages": words, "max_tokens": -5}, "max_tokens: -5: give a number from 1"),
        ({"messages": words, "max_tokens": 10**400}, "to 2147483647"),
        ({"messages": words, "max_completion_tokens": 0}, "max_completion_tokens: 0: give"),
        ({"messages": words, "temperature": -1}, "temperature: -1: give a number from 0"),
        ({"messages": words, "top_p": 1.5}, "top_p: 1.5: give a number from 0 to 1"),
        ({"messages": [{"role": "user", "content": sound}]}, "not base64"),
        (
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [{"type": "input_audio", "input_audio": {"data": noise}}],
                    }
                ]
            },
            "",
        ),
        (
            {
                "messages": [
                    {
                        "role": "user",
                        "content": [
                            {"type": "image_url", "image_url": {"url": "file:///etc/passwd"}}
                        ],
                    }
                ]
            },
            "give the picture itself",
        ),
    ]
    for body, expected in bad:
        data = body if isinstance(body, bytes) else msgspec.json.encode(body)
        with pytest.raises(urllib.error.HTTPError) as found:
            urllib.request.urlopen(posted(address, data), timeout=20)
        told = msgspec.json.decode(found.value.read())["error"]["message"]
        assert found.value.code == 400
        assert expected in told
        assert "\n" not in told
        assert "zhiyin-request-" not in told


def test_copies_share_a_run_and_a_killed_one_comes_back(echo, tmp_path):
    data, out = write_ziqi(tmp_path / "ziqi", 12), tmp_path / "run"
    run = ["run", "ziqi", "--data", data, "--out", out, "--concurrency", 4, "--quiet"]
    words = [echo, "--replicas", 2, "--port", 0, "--addresses", tmp_path / "servers.txt"]
    with serve(*words, "--", *run, "--cache", "off") as process:
        log = out / "records.jsonl"
        killed = None
        while process.poll() is None and killed is None:
            lines = log.read_bytes().splitlines() if log.exists() else []
            if len(lines) >= 20:
                text = msgspec.json.decode(lines[0])["exchange"]["turns"][0]["reply"]["text"]
                killed = int(re.search(r"\((\d+)\)", text)[1])
                os.kill(killed, signal.SIGKILL)
            time.sleep(0.02)
        _, told = process.communicate(timeout=120)
    assert process.returncode == 0, told
    assert killed
    records = [msgspec.json.decode(line) for line in log.read_bytes().splitlines()]
    run_file = msgspec.json.decode((out / "run.json").read_bytes())
    ids = [record["id"] for record in records]
    assert len(ids) == len(set(ids)) == run_file["planned"]
    assert all(not record.get("error") for record in records)
    pids = {record["exchange"]["turns"][0]["reply"]["text"] for record in records}
    assert len(pids) >= 2
    assert "2 servers of" in told
    assert not (tmp_path / "servers.txt").exists()
    assert run_file["model"] == f"pool:{tmp_path / 'servers.txt'}#{echo}"
    _gone({int(re.search(r"\((\d+)\)", text)[1]) for text in pids})


def test_servers_end_with_the_one_that_started_them(echo, tmp_path):
    file = tmp_path / "servers.txt"
    with serve(echo, "--replicas", 2, "--port", 0, "--addresses", file) as process:
        while not file.exists():
            assert process.poll() is None
            time.sleep(0.05)
        children = _children(process.pid)
        assert len(children) == 2
        process.kill()
        process.wait()
    _gone(children)


def test_a_server_that_cannot_start_says_why(tmp_path, capsys):
    missing = tmp_path / "nowhere.py"
    words = ["serve", f"python:{missing}:answer", "--replicas", "2", "--port", "0"]
    assert main([*words, "--addresses", str(tmp_path / "servers.txt")]) == 2
    told = capsys.readouterr().err
    assert "ended with status 2 before it was ready" in told
    assert "nowhere.py" in told


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        (["random"], "cannot be served"),
        (["openai:gpt-4o"], "cannot be served"),
        (["hf:x", "--", "run", "ziqi", "-m", "random"], "leave out -m"),
        (["hf:x", "--replicas", "0"], "replicas"),
    ],
)
def test_bad_words_are_one_line(words, expected, capsys):
    assert main(["serve", *words]) == 2
    told = capsys.readouterr().err.strip()
    assert expected in told
    assert "\n" not in told


def test_vllm_is_served_by_its_own_server(tmp_path, monkeypatch):
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(InputError, match="vllm is not installed"):
        command_of("vllm:Qwen/Qwen2-Audio-7B-Instruct", 8000)
    program = tmp_path / "vllm"
    program.write_text("#!/bin/sh\n")
    program.chmod(0o755)
    command = command_of("vllm:Qwen/Qwen2-Audio-7B-Instruct", 8000)
    assert command[:3] == [str(program), "serve", "Qwen/Qwen2-Audio-7B-Instruct"]
    assert command[-2:] == ["--generation-config", "vllm"]


def test_gpus_are_those_that_may_be_seen(monkeypatch):
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "2, 5")
    assert gpus() == ["2", "5"]
    monkeypatch.setenv("CUDA_VISIBLE_DEVICES", "-1")
    assert gpus() == []


def test_ports_are_free_and_differ():
    first = free_ports(3, 0)
    assert len(set(first)) == 3
    assert free_ports(2, first[0])[0] >= first[0]


def test_a_request_says_how_to_sample():
    body = {
        "messages": [{"role": "user", "content": "?"}],
        "temperature": 0.5,
        "max_completion_tokens": 7,
        "top_k": 3,
        "seed": 4,
    }
    assert read_request(msgspec.json.encode(body)).sampling == Sampling(0.5, 7, None, 3, 4)


def test_seconds_heard_are_on_the_wire():
    sent = Reply("A", usage={"prompt_tokens": 3}, detail={"audio_heard": [30.0, 1.5]})
    read = CHAT.read(msgspec.json.encode(completion(sent, "m")), str)
    assert (read.text, read.usage) == ("A", {"prompt_tokens": 3})
    assert read.detail["audio_heard"] == [30.0, 1.5]
    assert read.detail["audio_seconds_heard"] == 31.5


@pytest.mark.trust
def test_seconds_heard_come_through_a_server(tmp_path):
    pytest.importorskip("torch")
    from local_help import checkpoints, clips

    spec = f"hf:{checkpoints('qwen2_audio')}"

    async def go(address):
        model = open_model(f"{address}#{spec}", timeout=120.0)
        reply = await model.generate(
            (say("user", "What is played?", clips(40.0)),),
            Sampling(max_tokens=4),
            Trial("t", ()),
        )
        await model.close()
        return reply

    with serve(spec, "--port", 0, "--until-eof") as process:
        line = ""
        while "answers at" not in line:
            line = process.stderr.readline()
            assert line, "the server ended"
        reply = asyncio.run(go(re.search(r"http://[^ :]+:[0-9]+/v1", line)[0]))
        process.stdin.close()
    assert reply.detail["audio_seconds"] == pytest.approx(40.0)
    assert reply.detail["audio_seconds_heard"] == pytest.approx(30.0)


def _children(pid):
    listed = subprocess.run(
        ["ps", "-o", "pid=", "--ppid", str(pid)], capture_output=True, text=True
    )
    return {int(one) for one in listed.stdout.split()}


def _gone(pids):
    """Wait until none of the processes lives."""
    for _ in range(200):
        alive = [pid for pid in pids if _lives(pid)]
        if not alive:
            return
        time.sleep(0.1)
    raise AssertionError(f"still there: {alive}")


def _lives(pid):
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
    except OSError:
        return False
    return state != "Z"
