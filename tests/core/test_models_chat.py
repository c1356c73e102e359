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

from servers import MODEL, Call, ChatServer, completion
from zhiyin.errors import FatalError, InputError, ModelError, RefusedError, TransientError
from zhiyin.models import open_model
from zhiyin.models.dialects import CHAT, DashScope, Responses
from zhiyin.models.refusals import Complaint, retry_after, wants_completion_limit
from zhiyin.models.replies import EmptyReply
from zhiyin.record import Reply, Sampling
from zhiyin.trial import Message, Text, Trial, say

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


def test_what_is_sent() -> None:
    messages = (
        say("system", "Be brief."),
        Message("user", (Text("One."), Text("Two."))),
        say("assistant", "Three?"),
        say("user", "四"),
    )
    with ChatServer(lambda call: call.text) as server:
        reply = ask(server.spec, Sampling(0.5, 7, 0.9, None, 3), Trial("t", messages))
        call = server.seen[-1]
    assert call.body == {
        "model": MODEL,
        "messages": [
            {"role": "system", "content": "Be brief."},
            {"role": "user", "content": "One.\n\nTwo."},
            {"role": "assistant", "content": "Three?"},
            {"role": "user", "content": "四"},
        ],
        "temperature": 0.5,
        "max_tokens": 7,
        "top_p": 0.9,
        "seed": 3,
    }
    assert call.headers["Authorization"] == f"Bearer {KEY}"
    assert call.headers["Content-Type"] == "application/json"
    assert reply.text == "四"
    assert reply.usage == {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14}
    assert reply.detail == {"model": f"{MODEL}-2026"}
    assert reply.latency_s is not None
    assert 0 < reply.latency_s < 5


def test_settings_that_are_none_are_not_sent() -> None:
    with ChatServer(lambda call: "A") as server:
        ask(server.spec, Sampling(temperature=None))
        assert set(server.seen[-1].body) == {"model", "messages"}


@pytest.mark.parametrize(
    ("body", "text", "finish", "detail"),
    [
        (completion("B"), "B", "stop", {}),
        (completion("B", None), "B", "stop", {}),
        (
            completion([{"type": "text", "text": "B"}, {"type": "text", "text": "!"}]),
            "B!",
            "stop",
            {},
        ),
        (completion("Let me", "length"), "Let me", "length", {}),
        (completion(None, "length"), "", "length", {}),
        (completion(None, refusal="I cannot."), "I cannot.", "refusal", {}),
        (completion("", "content_filter"), "", "refusal", {}),
        (completion("B", reasoning_content="Hm."), "B", "stop", {"reasoning": "Hm."}),
        (completion("B", reasoning="Hm."), "B", "stop", {"reasoning": "Hm."}),
    ],
)
def test_what_is_read(body, text, finish, detail) -> None:
    reply = CHAT.read(msgspec.json.encode(body), str)
    assert (reply.text, reply.finish) == (text, finish)
    assert reply.detail == {"model": f"{MODEL}-2026"} | detail


def test_counts_of_a_breakdown_are_kept_under_both_names() -> None:
    body = completion("A")
    body["usage"] = {"prompt_tokens": 5, "prompt_tokens_details": {"audio_tokens": 4, "x": 0}}
    reply = CHAT.read(msgspec.json.encode(body), str)
    assert reply.usage == {"prompt_tokens": 5, "prompt_tokens_details.audio_tokens": 4}


@pytest.mark.parametrize("status", [408, 409, 425, 429, 500, 502, 503, 504, 529])
def test_a_status_that_may_pass(status: int) -> None:
    error = failing({"error": {"message": "busy"}}, status, {"Retry-After": "7"})
    assert isinstance(error, TransientError)
    assert error.retry_after == 7
    assert str(status) in str(error)
    assert "busy" in str(error)


@pytest.mark.parametrize("status", [401, 402, 403, 404])
def test_a_status_that_never_passes(status: int) -> None:
    error = failing({"error": {"message": f"bad key {KEY}"}}, status)
    assert isinstance(error, FatalError)
    assert "[hidden]" in str(error)


@pytest.mark.parametrize("said", ["404: Not Found", "404 Not Found", "Not Found"])
def test_the_status_is_said_once(said: str) -> None:
    assert "(404: Not Found)" in str(failing(said.encode(), 404))


def test_an_empty_account_stops_the_run_although_it_is_a_429() -> None:
    body = {"error": {"message": "You exceeded your quota", "code": "insufficient_quota"}}
    assert isinstance(failing(body, 429), FatalError)


@pytest.mark.parametrize(
    ("body", "part"),
    [
        ({"error": {"message": "too\nlong"}}, "too long"),
        ({"error": "plain"}, "plain"),
        ({"message": "flat"}, "flat"),
        ({"detail": [{"loc": ["body"], "msg": "wrong"}]}, "wrong"),
        ([{"error": {"message": "listed"}}], "listed"),
        (b"not json \xff", "not json"),
        (b"", "no reason given"),
    ],
)
def test_what_a_server_says_of_a_bad_request(body, part) -> None:
    error = failing(body, 400)
    assert type(error) is RefusedError
    assert part in str(error)


def test_a_long_complaint_is_cut_and_a_key_at_the_cut_does_not_show() -> None:
    error = failing({"error": {"message": "x" * 290 + KEY + "y" * 5000}}, 422)
    assert len(str(error)) < 340
    assert "sk-" not in str(error)


@pytest.mark.parametrize(
    "body",
    [
        b"<html>busy</html>",
        b"",
        b"\xff\xfe",
        b'data: {"choices": []}\n\n',
        b"[]",
        b'{"choices": []}',
        b'{"choices": [{"message": {"content": 3}}]}',
        b"{}",
        {"error": {"message": "upstream", "code": 503}},
        completion("half", "error"),
    ],
)
def test_a_success_that_is_no_completion_may_pass(body) -> None:
    assert isinstance(failing(body), TransientError)


def test_an_error_inside_a_success_counts_by_its_code() -> None:
    assert isinstance(failing({"error": {"message": "no key", "code": 401}}), FatalError)


@pytest.mark.parametrize("text", ["", None, " \n"])
def test_an_empty_completion_brings_its_reply(text) -> None:
    error = failing(completion(text))
    assert isinstance(error, EmptyReply)
    assert error.reply.finish == "stop"
    assert error.reply.usage["completion_tokens"] == 3
    assert error.reply.latency_s is not None


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


def test_a_reply_cut_by_length_is_a_reply() -> None:
    with ChatServer("A", fail=1.0, kinds=["length"]) as server:
        assert ask(server.spec).finish == "length"


def test_the_failures_of_the_scripted_server_follow_the_seed() -> None:
    async def outcomes(seed: int) -> list[str]:
        with ChatServer("A", fail=0.5, kinds=["500", "empty"], seed=seed) as server:
            model = open_model(server.spec, timeout=5)
            calls = [model.generate((say("user", f"{i}"),), GREEDY, TRIAL) for i in range(40)]
            found = await asyncio.gather(*calls, return_exceptions=True)
            await model.close()
            return [type(each).__name__ for each in found]

    first = asyncio.run(outcomes(1))
    assert first == asyncio.run(outcomes(1)) != asyncio.run(outcomes(2))
    assert 8 < first.count("Reply") < 32


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


def test_somebody_listens() -> None:
    async def check(spec: str) -> None:
        model = open_model(spec, timeout=5)
        await model.check()
        await model.close()

    with ChatServer() as server:
        asyncio.run(check(server.spec))
        asyncio.run(check(f"http://127.0.0.1:{server.port}/elsewhere#m"))  # 404 is somebody too
        assert len(server.checked) == 1
        assert server.calls == 0


def refuses(param: str, message: str):
    """An answer function of a server that takes no `param`."""

    def answer(call: Call):
        if param not in call.body:
            return "A"
        body = {"error": {"message": message, "param": param, "code": "unsupported_parameter"}}
        return web.Response(body=msgspec.json.encode(body), status=400)

    return answer


def test_the_length_limit_changes_its_name_once_and_for_all() -> None:
    told = "Unsupported parameter: 'max_tokens' is not supported. Use 'max_completion_tokens'."
    with ChatServer(refuses("max_tokens", told)) as server:
        assert ask(server.spec, Sampling(max_tokens=9), times=3).text == "A"
        assert server.calls == 4
        assert server.seen[-1].body["max_completion_tokens"] == 9
        assert "max_tokens" not in server.seen[-1].body


def test_a_limit_that_is_too_large_is_not_asked_again() -> None:
    told = (
        "'max_tokens' or 'max_completion_tokens' is too large: 9000. This model's maximum is 2048"
    )
    with ChatServer(answering({"error": {"message": told}}, 400)) as server:
        with pytest.raises(ModelError, match="too large"):
            ask(server.spec, Sampling(max_tokens=9000))
        assert server.calls == 1
    assert not wants_completion_limit(Complaint(told))


def test_the_limit_changes_its_name_for_a_complaint_without_a_wrapper_too() -> None:
    flat = {
        "object": "error",
        "message": "No.",
        "param": "max_tokens",
        "code": "unsupported_parameter",
    }

    def answer(call: Call):
        return "A" if "max_tokens" not in call.body else answering(flat, 400)(call)

    with ChatServer(answer) as server:
        assert ask(server.spec, Sampling(max_tokens=9)).text == "A"


def test_a_temperature_that_is_not_taken() -> None:
    told = "'temperature' does not support 0.0 with this model. Only the default (1) is supported."
    with ChatServer(refuses("temperature", told)) as server:
        reply = ask(server.spec, times=3)
        assert (reply.text, reply.detail["left_out"]) == ("A", ["temperature"])
        assert server.calls == 4  # refused once, left out from then on
        assert "temperature" not in server.seen[-1].body
        assert ask(server.spec, Sampling(temperature=None)).detail == {"model": f"{MODEL}-2026"}


def test_a_value_that_is_refused_is_not_left_out() -> None:
    told = "temperature must be between 0 and 1"
    with ChatServer(answering({"error": {"message": told, "param": "temperature"}}, 400)) as server:
        with pytest.raises(ModelError, match=told):
            ask(server.spec, Sampling(temperature=1.5))
        assert server.calls == 1


def test_every_setting_that_is_refused_is_left_out_and_told() -> None:
    def answer(call: Call):
        for name in ("top_k", "seed", "reasoning_effort"):
            if name in call.body:
                return answering(
                    {
                        "detail": [
                            {
                                "type": "extra_forbidden",
                                "loc": ["body", name],
                                "msg": "Extra inputs are not permitted",
                            }
                        ]
                    },
                    422,
                )(call)
        return "A"

    async def told(spec: str):
        model = open_model(spec, timeout=5)
        sampling = Sampling(top_k=1, seed=2, top_p=0.5, thinking="low")
        try:
            reply = await model.generate(TRIAL.messages, sampling, TRIAL)
            return reply.detail["left_out"], model.report(), model.describe()["left_out"]
        finally:
            await model.close()

    with ChatServer(answer) as server:
        left_out, lines, described = asyncio.run(told(server.spec))
        assert server.seen[-1].body["top_p"] == 0.5
    assert left_out == ["top_k", "seed", "thinking"]
    assert described == sorted(left_out)
    assert lines == ["left out, for the server refuses it: seed, thinking, top_k"]


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
            | st.dictionaries(
                st.sampled_from(_NAMES),
                inner,
                max_size=4,
            )
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


def test_a_model_that_the_server_does_not_have_is_told_with_those_that_it_has() -> None:
    def refuse(call: Call) -> web.Response:
        return web.json_response({"error": {"message": "no such model"}}, status=404)

    async def asked(address: str) -> None:
        model = open_model(f"{address}#other")
        try:
            await model.check()
            await model.generate(TRIAL.messages, GREEDY, TRIAL)
        finally:
            await model.close()

    with ChatServer(refuse) as server:
        address = server.spec.partition("#")[0]
        with pytest.raises(FatalError, match=rf"has no model 'other' \(404\); it has {MODEL}"):
            asyncio.run(asked(address))
