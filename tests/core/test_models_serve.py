"""A checkpoint of this machine behind an address, by a server that is not ours."""

import asyncio
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from zhiyin.cli import main
from zhiyin.errors import InputError
from zhiyin.models import open_model
from zhiyin.record import Sampling
from zhiyin.trial import Trial, say


@pytest.mark.parametrize("words", [[], ["--help"], ["hf:x", "--replicas", "8"]])
def test_serve_is_gone_and_says_what_to_take(words, capsys):
    assert main(["serve", *words]) == 2
    told = capsys.readouterr().err.strip()
    assert "vllm serve" in told
    assert "transformers serve" in told
    assert "\n" not in told


@pytest.mark.slow
def test_transformers_serve_hears_what_a_run_sends():
    for package in ("torch", "transformers", "fastapi", "uvicorn"):
        pytest.importorskip(package)
    from local_help import checkpoints, clips

    program = Path(sys.executable).with_name("transformers")
    if not program.exists():
        pytest.skip("transformers has no command here")
    path = checkpoints("qwen2_audio")
    with socket.socket() as free:
        free.bind(("localhost", 0))
        port = free.getsockname()[1]

    async def ask():
        model = open_model(f"http://localhost:{port}/v1#{path}", timeout=60.0)
        while True:
            try:
                await model.check()
                break
            except InputError:
                assert server.poll() is None, "the server ended"
                await asyncio.sleep(0.2)
        asked = [(say("user", "What is played?", clips(seconds)),) for seconds in (2.0, 4.0)]
        few = Sampling(max_tokens=4)
        replies = [await model.generate(one, few, Trial("t", ())) for one in asked]
        await model.close()
        return replies

    command = [program, "serve", path, "--port", str(port)]
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as server:
        try:
            replies = asyncio.run(asyncio.wait_for(ask(), 240))
        finally:
            server.terminate()
    assert [reply.usage["completion_tokens"] for reply in replies] == [4, 4]
    # 25 tokens a second of sound: all of it arrived.
    assert replies[1].usage["prompt_tokens"] - replies[0].usage["prompt_tokens"] == 50
