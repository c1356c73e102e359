"""What a server may take of this machine, and what is sure before the first paid call."""

import asyncio
import gzip
import json
import os
import resource
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest
from aiohttp import web

from servers import ChatServer, completion
from zhiyin import cli
from zhiyin.errors import ModelError, NoSoundError
from zhiyin.models import open_model
from zhiyin.models.refusals import Complaint, failure
from zhiyin.record import Sampling
from zhiyin.trial import Trial, say

HERE = Path(__file__).parent.parent
SMALL = HERE / "data" / "ziqi_small"
ASK = (say("user", "Which?"),)


def asked(spec, check=False):
    """One reply of a model."""

    async def go():
        model = open_model(spec, timeout=30)
        try:
            if check:
                await model.check()
            return await model.generate(ASK, Sampling(), Trial("t", ASK))
        finally:
            await model.close()

    return asyncio.run(go())


ENDLESS = """
    import asyncio, gzip, resource, sys, threading
    from aiohttp import web
    from test_models_limits import asked

    async def endless(request):
        response = web.StreamResponse(headers={"Content-Type": "application/json"})
        await response.prepare(request)
        try:
            while True:
                await response.write(b" " * 2**20)
        except (ConnectionError, asyncio.CancelledError):
            pass
        return response

    packed = gzip.compress(b" " * 2**28)  # 256 MB in a quarter of one

    async def bomb(request):
        return web.Response(body=packed, headers={"Content-Encoding": "gzip"})

    async def serve(started):
        app = web.Application()
        app.router.add_route("*", "/endless/{any:.*}", endless)
        app.router.add_route("*", "/bomb/{any:.*}", bomb)
        runner = web.AppRunner(app, shutdown_timeout=0.1)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", int(sys.argv[2])).start()
        print(runner.addresses[0][1], flush=True)
        await asyncio.sleep(60)

    asyncio.run(serve(None))
"""


@pytest.fixture(scope="module")
def flood():
    """The address of a server, in a process of its own, whose replies do not end."""
    process = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(ENDLESS), "serve", "0"],
        cwd=Path(__file__).parent, env=os.environ | {"PYTHONPATH": str(HERE)},
        stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    port = process.stdout.readline().strip()
    yield f"http://127.0.0.1:{port}"
    process.kill()
    process.wait()


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["endless", "bomb"])
def test_a_reply_without_end_does_not_fill_the_memory(flood, kind):
    script = f"""
        import resource
        from test_models_limits import asked
        from zhiyin.errors import ModelError
        before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
        try:
            asked("{flood}/{kind}/v1#m", check=True)
        except ModelError as error:
            print(error)
        print((resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) // 1024)
    """
    done = subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script)],
        cwd=Path(__file__).parent, env=os.environ | {"PYTHONPATH": str(HERE)},
        capture_output=True, text=True, timeout=60, check=True,
    )  # fmt: skip
    told, more_mb = done.stdout.splitlines()
    assert "longer than 32 MB" in told
    assert int(more_mb) < 150


@pytest.mark.parametrize("coding", ["gzip", "deflate", "identity", None])
def test_packed_replies_are_read(coding):
    import zlib

    body = json.dumps(completion("A")).encode()
    packed = {"gzip": gzip.compress, "deflate": zlib.compress}.get(coding, bytes)(body)
    headers = {"Content-Encoding": coding} if coding else {}

    def answer(call):
        assert call.headers["Accept-Encoding"] == "gzip"
        return web.Response(body=packed, headers=headers, content_type="application/json")

    with ChatServer(answer) as server:
        assert asked(server.spec).text == "A"


def test_a_reply_that_cannot_be_unpacked_is_tried_again():
    def answer(call):
        return web.Response(body=b"no gzip", headers={"Content-Encoding": "gzip"})

    with ChatServer(answer) as server, pytest.raises(ModelError, match="cannot be unpacked"):
        asked(server.spec)


@pytest.mark.parametrize(
    "address",
    [
        "http://ex..ample/v1#m",
        "http://.example/v1#m",
        f"http://{'a' * 70}.example/v1#m",
        "http://exa mple/v1#m",
        "http://[::1/v1#m",
        "http://[1.2.3.4]/v1#m",
        "http://host:99999/v1#m",
        "http://host:x/v1#m",
        "http://:80/v1#m",
        "http:///v1#m",
        "http://a@b/v1#m",
        "http://%zz/v1#m",
        "http://ho\udcffst/v1#m",
        "http://\u2488/v1#m",
        "https://#m",
    ],
)
def test_bad_addresses_are_one_line(capsys, tmp_path, address):
    run = ["run", "ziqi", "--data", str(SMALL), "--partial", "-m", address, "--timeout", "5"]
    assert cli.main([*run, "--out", str(tmp_path / "run"), "--retries", "0", "--quiet"]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert err.startswith("zhiyin: ")


def test_a_bad_proxy_is_one_line(capsys, tmp_path, monkeypatch):
    monkeypatch.setenv("http_proxy", "http://ex..ample:1")
    run = ["run", "ziqi", "--data", str(SMALL), "--partial", "-m", "http://somewhere.invalid/v1#m"]
    assert cli.main([*run, "--out", str(tmp_path / "run"), "--quiet"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def limited(most, *flags):
    """`zhiyin run` in a shell that allows `most` open files."""
    script = f"""
        import resource, sys
        resource.setrlimit(resource.RLIMIT_NOFILE, ({most}))
        from zhiyin.cli import main
        sys.exit(main(sys.argv[1:]))
    """
    command = ["run", "ziqi", "--data", SMALL, "--partial", "--quiet", *flags]
    return subprocess.run(
        [sys.executable, "-c", textwrap.dedent(script), *map(str, command)],
        capture_output=True, text=True, timeout=100,
    )  # fmt: skip


@pytest.mark.slow
def test_more_connections_than_files_are_refused_before_the_first_call(tmp_path):
    with ChatServer("A") as server:
        flags = ["-m", server.spec, "--concurrency", "2000", "--out", tmp_path / "run"]
        done = limited("1024, 1024", *flags)
        assert server.calls == 0
    assert done.returncode == 2
    assert done.stderr.count("\n") == 1
    assert "take at most 924, or raise `ulimit -n`" in done.stderr


@pytest.mark.slow
def test_a_limit_that_may_be_raised_is_raised(tmp_path):
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < 2100:
        pytest.skip("this machine allows too few open files")
    with ChatServer("A") as server:
        flags = ["-m", server.spec, "--concurrency", "2000", "--out", tmp_path / "run"]
        done = limited(f"1024, {hard}", *flags)
    assert done.returncode == 0, done.stderr


SILENT = (
    "Invalid content type. input_audio is not supported by this model.",
    "Invalid value: 'input_audio'. Supported values are: 'text' and 'image_url'.",
    "Content blocks are expected to be either text or image_url type.",
    "messages[0].content[1]: unknown variant `input_audio`, expected `text`",
    "At most 0 audio(s) may be provided in one prompt.",
    "m is not a multimodal model",
    "No endpoints found that support input audio",
    "audio input is not supported - hint: you may need to provide the mmproj",
    "This model does not support audio input.",
    "This model does not support audio or image input",
    "this model does not support audio input (ref: 1b2c)",
    "azure-openai error: This model does not support input_audio content.",
    "Audio input modality is not enabled for models/gemma-3-1b-it",
    "messages.0.content.1: Input tag 'input_audio' found using 'type' does not match any of the "
    "expected tags: 'document', 'image', 'text'",
    "Audio content is not supported for this model",
    "<400> InternalError.Algo.InvalidParameter: The provided messages input is invalid. The error "
    "info is [Unexpected item type in content.]",
    "messages[0].content must be a string",
    "The model only supports text input.",
)
HEARING = (
    "The audio format m4a is not supported",
    "audio input is too long: at most 30 s",
    "This model does not support audio longer than 30 s",
    "This model does not support audio inputs longer than 30 s",
    "This model does not support image input",
    "audio in ogg is not supported",
    "audio is not supported in this format",
    "Invalid value: 'm4a' for input_audio.format",
    "context too long",
)


@pytest.mark.parametrize("told", SILENT)
@pytest.mark.parametrize("status", [400, 404, 422, 500])
def test_who_takes_no_sound_is_known_by_what_the_server_says(told, status):
    error = failure(status, {}, Complaint(told), str, {"sound"})
    assert isinstance(error, NoSoundError)
    assert not isinstance(failure(status, {}, Complaint(told), str), NoSoundError)


@pytest.mark.parametrize("told", HEARING)
def test_a_sound_that_is_not_taken_is_another_matter(told):
    assert not isinstance(failure(400, {}, Complaint(told), str, {"sound"}), NoSoundError)


class Locked(ChatServer):
    """Whose list of models and completions are closed to everybody."""

    async def _models(self, request):
        return web.json_response({"error": {"message": "Incorrect API key"}}, status=401)
