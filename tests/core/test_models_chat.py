"""The chat model against a real server: what is sent, what is read, and every way to fail."""

import asyncio
import contextlib
import socket
import time
import traceback
from collections.abc import Mapping
from email.utils import formatdate
from typing import Any

import msgspec
import pytest
from aiohttp import web
from hypothesis import example, given
from hypothesis import strategies as st

from servers import Call, ChatServer
from zhiyin.errors import FatalError, InputError, ModelError, TransientError
from zhiyin.models import open_model
from zhiyin.models.dialects import CHAT, DashScope, Responses
from zhiyin.models.refusals import retry_after
from zhiyin.models.replies import EmptyReply
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Trial, say

KEY = "sk-secret-0123456789"
TRIAL = Trial("t-1", (say("user", "Which clef?"),))
GREEDY = Sampling()


@pytest.fixture(autouse=True)
def _environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("OPENAI_BASE_URL", raising=False)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.setenv("ZHIYIN_API_KEY", KEY)


def ask(spec: str, sampling=GREEDY, trial=TRIAL, timeout: float = 5.0, times: int = 1) -> Reply:
    """The reply to the last of some calls."""

    async def several() -> Reply:
        model = open_model(spec, timeout=timeout)
        try:
            for _ in range(times):
                reply = await model.generate(trial.messages, sampling, trial)
            return reply
        finally:
            await model.close()

    return asyncio.run(several())


def answering(body: Any, status: int = 200, headers: Mapping[str, str] | None = None):
    """An answer function that always gives this response."""
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)

    def answer(call: Call) -> web.Response:
        return web.Response(body=data, status=status, headers=headers)

    return answer


def failing(body: Any, status: int = 200, headers: Mapping[str, str] | None = None, **options):
    """The exception that such a response leads to; the key is nowhere in it."""
    server = ChatServer(answering(body, status, headers))
    with server, pytest.raises(ModelError) as caught:
        ask(server.spec, **options)
    told = "".join(traceback.format_exception(caught.value))
    assert KEY not in told
    assert "\n" not in str(caught.value)
    return caught.value


def test_a_long_complaint_is_cut_and_a_key_at_the_cut_does_not_show() -> None:
    error = failing({"error": {"message": "x" * 290 + KEY + "y" * 5000}}, 422)
    assert len(str(error)) < 340
    assert "sk-" not in str(error)


@pytest.mark.parametrize(
    ("kind", "expected", "retry"),
    [
        ("429", TransientError, 0.0),
        ("429-wait", TransientError, 0.05),
        ("500", TransientError, None),
        ("dropped", TransientError, None),
        ("invalid", TransientError, None),
        ("hang", TransientError, None),
        ("empty", EmptyReply, None),
    ],
)
def test_every_failure_of_the_scripted_server(kind, expected, retry) -> None:
    with ChatServer("A", fail=1.0, kinds=[kind]) as server:
        with pytest.raises(expected) as caught:
            ask(server.spec, timeout=0.3)
        assert server.failed == {kind: 1}
    assert caught.value.retry_after == retry


def test_nobody_listens() -> None:
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        spec = f"http://127.0.0.1:{closed.getsockname()[1]}/v1#m"

        async def check() -> None:
            model = open_model(spec, timeout=5)
            try:
                await model.check()
            finally:
                await model.close()

        with pytest.raises(InputError, match=r"connection refused; is the server running\?"):
            asyncio.run(check())
        with pytest.raises(TransientError, match="connection refused"):
            ask(spec)


@pytest.mark.parametrize("status", [301, 302, 307, 308])
def test_a_redirect_is_not_followed_and_the_key_stays(status: int) -> None:
    with ChatServer(lambda call: "A") as thief:
        location = f"http://user:{KEY}@127.0.0.1:{thief.port}/v1/chat/completions?k={KEY}"
        error = failing(b"", status, {"Location": location})
        assert isinstance(error, FatalError)
        assert f"127.0.0.1:{thief.port}" in str(error)
        assert thief.calls == 0


def test_the_key_is_nowhere_to_be_seen(monkeypatch: pytest.MonkeyPatch) -> None:
    model = open_model("https://models.example/v1?token=hidden-token#m", timeout=1)
    shown = f"{model!r} {model.name} {model.describe()} {model.endpoint!r}"  # type: ignore[attr-defined]
    assert KEY not in shown
    assert "hidden-token" not in shown
    assert "ZHIYIN_API_KEY" in shown
    monkeypatch.setenv("ZHIYIN_API_KEY", f"{KEY}\nX-Injected: 1")
    with pytest.raises(InputError, match="ZHIYIN_API_KEY") as caught:
        open_model("http://localhost/v1#m", timeout=1)
    assert KEY not in str(caught.value)


def test_a_password_in_an_address_is_refused_and_not_repeated(monkeypatch) -> None:
    for spec in ("http://me:pass-word@localhost/v1#m", "openai:m"):
        monkeypatch.setenv("OPENAI_BASE_URL", "https://me:pass-word@localhost/v1")
        with pytest.raises(InputError) as caught:
            open_model(spec, timeout=1)
        assert "pass-word" not in str(caught.value)


def test_openai_itself_needs_a_key(monkeypatch: pytest.MonkeyPatch) -> None:
    for spec in ("openai:gpt-4o", "https://api.openai.com/v1#gpt-4o"):
        monkeypatch.setenv("ZHIYIN_API_KEY", "" if spec.startswith("https") else KEY)
        with pytest.raises(InputError, match="OPENAI_API_KEY"):
            open_model(spec, timeout=1)


def test_a_local_server_needs_none_and_gets_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ZHIYIN_API_KEY")
    with ChatServer(lambda call: "A") as server:
        monkeypatch.setenv("OPENAI_BASE_URL", server.url + "/")
        ask("openai:org/model")
        ask(f"{server.url}/chat/completions#org/model")
        assert [call.body["model"] for call in server.seen] == ["org/model"] * 2
        assert all("Authorization" not in call.headers for call in server.seen)


@pytest.mark.parametrize(
    ("proxy", "said"),
    [
        ("http://who:secret@127.0.0.1:1", "by the proxy 127.0.0.1:1 of HTTP_PROXY: .*NO_PROXY"),
        ("nonsense", "by the proxy nonsense of HTTP_PROXY: cannot be asked"),
    ],
)
def test_a_proxy_that_fails_is_named(monkeypatch, proxy, said) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    monkeypatch.setenv("http_proxy", proxy)

    async def check() -> None:
        model = open_model("http://models.invalid/v1#m")
        try:
            await model.check()
        finally:
            await model.close()

    with pytest.raises(InputError, match=said) as told:
        asyncio.run(check())
    assert "secret" not in str(told.value)


def test_a_proxy_is_used_for_others_and_not_for_this_machine(monkeypatch) -> None:
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with ChatServer() as proxy:
        monkeypatch.setenv("http_proxy", f"http://127.0.0.1:{proxy.port}")
        with pytest.raises(ModelError):  # the proxy is no proxy, but it was asked
            ask("http://models.example/elsewhere#m")
        monkeypatch.setenv("http_proxy", "http://127.0.0.1:1")
        assert ask(proxy.spec).text == "A"


NOW = 1_700_000_000.0


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"Retry-After": "3"}, 3.0),
        ({"retry-after": "0"}, 0.0),
        ({"Retry-After": "1.5"}, 1.5),
        ({"Retry-After": formatdate(NOW + 90, usegmt=True)}, 90.0),
        ({"Retry-After": formatdate(NOW - 90, usegmt=True)}, 0.0),
        ({"Retry-After-Ms": "250", "Retry-After": "9"}, 0.25),
        ({"Retry-After-Ms": "soon", "Retry-After": "9"}, 9.0),
        ({"Retry-After": "-1"}, None),
        ({"Retry-After": "nan"}, None),
        ({"Retry-After": "1e999"}, None),
        ({"Retry-After": "later"}, None),
    ],
)
def test_how_long_to_wait(headers, seconds) -> None:
    assert retry_after(headers, NOW) == seconds


@given(st.text())
def test_no_header_breaks_the_wait(text: str) -> None:
    wait = retry_after({"Retry-After": text}, time.time())
    assert wait is None or 0 <= wait < float("inf")


_NAMES = [
    *("choices", "message", "content", "error", "usage", "code", "model", "delta", "output"),
    *("summary", "text", "status", "incomplete_details"),
]


@given(
    st.binary()
    | st.recursive(
        st.none() | st.booleans() | st.integers(-(2**60), 2**60) | st.text(max_size=8),
        lambda inner: (
            st.lists(inner, max_size=3)
            | st.dictionaries(st.sampled_from(_NAMES), inner, max_size=4)
        ),
    ).map(msgspec.json.encode)
)
@example(body=b'{"error": {"message": "x", "code": "' + b"9" * 5000 + b'"}}')
@example(body=b'{"output": [{"type": "message", "content": 5}]}')
@example(body=b'{"choices": [5]}')
def test_whatever_a_server_sends_is_a_reply_or_a_model_error(body: bytes) -> None:
    for dialect, sent in ((CHAT, body), (Responses(), body), (DashScope(), b"data:" + body)):
        with contextlib.suppress(ModelError):
            assert isinstance(dialect.read(sent, str), Reply)
