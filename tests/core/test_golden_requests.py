"""The requests that each provider is sent, and what is made of its replies, byte for byte.

See `golden_help`, which says how a change is accepted.
"""

import asyncio
import base64
import json
import os
import re
from functools import partial
from pathlib import Path

import msgspec
import pytest
from aiohttp import web

import provider_servers
from golden_help import Golden
from questions_help import tone
from zhiyin.errors import InputError, ModelError
from zhiyin.models import open_model
from zhiyin.models.claude import Claude
from zhiyin.models.dialects import CHAT, DashScope, Mistral, Responses
from zhiyin.models.gemini import Gemini
from zhiyin.models.playback import SoundPolicy
from zhiyin.models.refusals import failure
from zhiyin.picture import image_part
from zhiyin.record import Likelihood, Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Message, Text, Trial

REQUESTS, REPLIES = Golden("requests"), Golden("replies")
DIALECTS = {
    "chat": CHAT, "mistral": Mistral(), "dashscope": DashScope(), "responses": Responses(),
    "gemini": Gemini(), "claude": Claude(),
}  # fmt: skip
PICTURE = base64.b64decode(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
)
ADDRESSES = {
    "OPENAI_BASE_URL": "/v1", "MISTRAL_BASE_URL": "/v1", "ANTHROPIC_BASE_URL": "",
    "DASHSCOPE_COMPATIBLE_BASE_URL": "/compatible-mode/v1", "GOOGLE_GEMINI_BASE_URL": "",
}  # fmt: skip
KEY = "sk-secret-0123456789abcdef"
USUAL = {
    "user-agent": "zhiyin", "accept": "application/json", "accept-encoding": "gzip",
    "content-type": "application/json",
}  # fmt: skip
TOLD = re.compile("authorization|x-api-key|x-goog-.*|anthropic-version|content-length")
"""Headers that matter beside the usual ones, of which those that differ are held."""


@pytest.fixture(scope="module")
def media(tmp_path_factory):
    folder = tmp_path_factory.mktemp("media")
    (folder / "B.png").write_bytes(PICTURE)
    sound = audio_part(tone(folder / "A.wav", seconds=0.005))
    return {"sound": sound, "picture": image_part(folder / "B.png")}


@pytest.fixture
def surroundings(monkeypatch):
    for name in [n for n in os.environ if re.search("_API_KEY$|_BASE_URL$|_AUTH_TOKEN$", n)]:
        monkeypatch.delenv(name)
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    monkeypatch.setattr("zhiyin.models.gemini._POLL_S", 0.001)
    return monkeypatch


def conversation(lines, media):
    """Messages of lines such as ["user", "words", "sound"]."""
    return tuple(
        Message(role, tuple(media.get(part) or Text(part) for part in parts))
        for role, *parts in lines
    )


def told(request):
    named = {name.lower(): value for name, value in request.headers.items()}
    headers = {n: v for n, v in named.items() if TOLD.fullmatch(n)}
    headers |= {n: named.get(n) for n, usual in USUAL.items() if named.get(n) != usual}
    try:
        body = json.loads(request.raw) if request.raw else None
    except ValueError:
        body = base64.b64encode(request.raw).decode()
    return {"to": f"{request.method} {request.path}", "headers": headers, "body": body}


async def outcome(answering):
    """A reply with all its fields, or the error in its place."""
    try:
        return fields(await answering() if asyncio.iscoroutinefunction(answering) else answering())
    except (ModelError, InputError) as error:
        found = {"error": type(error).__name__, "says": str(error)}
        wait, reply = getattr(error, "retry_after", None), getattr(error, "reply", None)
        return found | {"wait": wait, "reply": reply and fields(reply)}


def fields(reply):
    if reply is None:
        return None
    found = msgspec.to_builtins(reply)
    assert (found.pop("latency_s", 0.0) or 0.0) >= 0
    return found


async def asked(server, given, media):
    """All that a model is sent in some calls, and all that it says of itself then."""
    sound = SoundPolicy(**given.get("sound", {}))
    spec = given["model"].replace("SERVER", server.url)
    model = open_model(spec, sound=sound, **given.get("open", {}))
    found = {"at once": model.concurrency, "first": model.describe(), "calls": []}
    try:
        if given.get("check"):
            found["check"] = await outcome(model.check)
        for call in given["calls"]:
            messages = conversation(call["messages"], media)
            kind = Likelihood if "continuations" in call["sampling"] else Sampling
            sampling = msgspec.convert(call["sampling"], kind)
            trial = Trial("secret-id", messages, "stem")
            got = await outcome(partial(model.generate, messages, sampling, trial))
            found["calls"].append({"sent": [told(one) for one in server.take()], "got": got})
        found["last"] = model.describe()
        found["identity"], found["report"] = model.identity(), list(map(str, model.report()))
        found["name"], found["deployment"] = model.name, model.deployment
    finally:
        await model.close()
    found["after"] = [told(one) for one in server.take()]
    return found


class Server(provider_servers.ProviderServer):
    """Says one thing after another, the last again and again; keeps all that it is sent."""

    def __init__(self, wire, says):
        left = [provider_servers.Say(**one) for one in says]
        super().__init__(wire, lambda _: left.pop(0) if left[1:] else left[0])
        self.every = []

    def take(self):
        taken, self.every = self.every, []
        return taken

    async def _handle(self, request):
        line = request.method, request.path_qs, dict(request.headers), await request.read()
        self.every.append(provider_servers.Asked(*line))
        return await super()._handle(request)


@pytest.mark.slow
@pytest.mark.parametrize("case", REQUESTS.cases)
def test_what_is_sent_and_made_of_what_comes_back(case, media, surroundings):
    given = REQUESTS.given(case)
    for name, value in given.get("environment", {}).items():
        surroundings.setenv(name, value)
    if "largest" in given:
        surroundings.setattr(Gemini, "request_bytes", given["largest"])
    wire = getattr(provider_servers, given.get("wire", "Wire"))()
    with Server(
        wire, given.get("says", [{"thinking": "so", "likely": {"A": -1.5, " A": -2}}])
    ) as server:
        server.file_state = given.get("state", "ACTIVE")
        if "models" in given:
            listed = {"data": [{"id": f"m{n}"} for n in range(given["models"])]}
            server.wire.look = lambda *_: web.json_response(listed)
        for name, path in ADDRESSES.items():
            if name not in given.get("environment", {}):
                surroundings.setenv(name, server.url + path)
        text = json.dumps(asyncio.run(asked(server, given, media)))
    for pattern, name in ((r"127\.0\.0\.1:\d+", "HERE"), (r"hidden-[0-9a-f]{16}", "hidden-HASH")):
        text = re.sub(pattern, name, text)
    for part in media.values():
        data = base64.b64encode(Path(part.path).read_bytes()).decode()
        text = text.replace(data, Path(part.path).name).replace(part.sha256, Path(part.path).name)
    REQUESTS.same(case, json.loads(text))


@pytest.mark.parametrize("some", REPLIES.parts)
def test_what_is_read_of_a_response(some):
    for case in some:
        given = {"status": 200, "headers": {}, "sent": (), "dialect": "chat"} | REPLIES.given(case)
        REPLIES.same(case, asyncio.run(outcome(partial(answer_of, **given))))


def answer_of(status, headers, sent, dialect, body):
    """What a dialect makes of a response: a reply, or its refusal."""
    own, body = DIALECTS[dialect], (body if isinstance(body, str) else json.dumps(body)).encode()
    if status == 200:
        return own.read(body, str.upper, sent)
    raise failure(*own.refusal(status, headers, body), str.upper, sent)
