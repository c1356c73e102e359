"""One contract for all providers: each against a server that speaks its wire format in full.

Every request is checked against the schema that the provider publishes (`provider_schemas`).
"""

from __future__ import annotations

import asyncio
import base64
import contextlib
import importlib.util
import json
import re
import socket
import threading
import traceback
from dataclasses import dataclass, replace
from typing import Any

import pytest
from test_pictures import draw

import provider_schemas as schemas
from golden_help import Golden
from provider_servers import (
    AnthropicWire,
    Asked,
    DashScopeWire,
    GeminiWire,
    MistralWire,
    ProviderServer,
    ResponsesWire,
    Say,
    Wire,
)
from questions_help import jsonl, refused, tone
from zhiyin.cli import main
from zhiyin.cost.estimate import counter_of
from zhiyin.errors import (
    FatalError,
    InputError,
    ModelError,
    RefusedError,
    TransientError,
    UnsupportedError,
    adding,
)
from zhiyin.models import open_model
from zhiyin.models.replies import EmptyReply
from zhiyin.picture import image_part
from zhiyin.plugins.local.batch_apis import batch_api_of
from zhiyin.record import Sampling
from zhiyin.sound import audio_part
from zhiyin.trial import Message, Text, Trial, say

pytestmark = pytest.mark.slow

KEY = "sk-secret-0123456789abcdef"
SECRET = "E-flat minor"


@dataclass
class Case:
    """A provider: how it is opened, where it is told to look, and what it speaks."""

    spec: str
    wire: type[Wire]
    schema: dict[str, Any] | None
    keys: dict[str, str]
    address: tuple[str, str]
    package: str = ""
    sound_formats: bool = True

    @property
    def hears(self) -> bool:
        return (self.schema is not None and "input_audio" in json.dumps(self.schema)) or (
            self.wire is GeminiWire
        )  # fmt: skip


CASES = {
    "openai": Case(
        "openai:m", Wire, schemas.OPENAI, {"OPENAI_API_KEY": KEY}, ("OPENAI_BASE_URL", "/v1"),
    ),
    "openai-responses": Case(
        "openai-responses:m", ResponsesWire, schemas.RESPONSES, {"OPENAI_API_KEY": KEY},
        ("OPENAI_BASE_URL", "/v1"),
    ),
    "mistral": Case(
        "mistral:m", MistralWire, schemas.MISTRAL, {"MISTRAL_API_KEY": KEY},
        ("MISTRAL_BASE_URL", "/v1"), sound_formats=False,
    ),
    "dashscope": Case(
        "dashscope:m", DashScopeWire, schemas.DASHSCOPE, {"DASHSCOPE_API_KEY": KEY},
        ("DASHSCOPE_BASE_URL", "/compatible-mode/v1"),
    ),
    "gemini": Case(
        "gemini:gemini-3-pro", GeminiWire, schemas.GEMINI, {"GEMINI_API_KEY": KEY},
        ("GOOGLE_GEMINI_BASE_URL", ""),
    ),
    "anthropic": Case(
        "anthropic:claude-sonnet-4-5", AnthropicWire, schemas.ANTHROPIC,
        {"ANTHROPIC_API_KEY": KEY}, ("ANTHROPIC_BASE_URL", ""),
    ),
    "inspect": Case(
        "inspect:anthropic/claude-sonnet-4-5", AnthropicWire, None, {"ANTHROPIC_API_KEY": KEY},
        ("ANTHROPIC_BASE_URL", ""), "inspect_ai",
    ),
    "litellm": Case(
        "litellm:openai/gpt-4o", Wire, schemas.OPENAI, {"OPENAI_API_KEY": KEY},
        ("OPENAI_BASE_URL", "/v1"), "litellm",
    ),
}  # fmt: skip
ALL = sorted(CASES)
OURS = [name for name in ALL if name not in ("inspect", "litellm")]
"""Those of which nothing but Zhiyin writes the requests."""


def missing(package: str) -> bool:
    if package == "inspect_ai" and importlib.util.find_spec("anthropic") is None:
        return True
    return bool(package) and importlib.util.find_spec(package) is None


# Each of the two takes four seconds to import: one process of tests does.
LARGE = pytest.mark.xdist_group("inspect")


@pytest.fixture(params=[*OURS, *(pytest.param(n, marks=LARGE) for n in ALL if n not in OURS)])
def case(request, monkeypatch, tmp_path) -> Case:
    return prepared(CASES[request.param], monkeypatch, tmp_path)


def prepared(case: Case, monkeypatch, tmp_path) -> Case:
    if missing(case.package):
        pytest.skip(f"{case.package} is not installed")
    for other in CASES.values():
        for name in (*other.keys, other.address[0]):
            monkeypatch.delenv(name, raising=False)
    for name in ("GOOGLE_API_KEY", "ANTHROPIC_AUTH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("no_proxy", "127.0.0.1")
    for name, value in case.keys.items():
        monkeypatch.setenv(name, value)
    return case


@pytest.fixture
def serve(monkeypatch):
    """A server of a case's, to which the environment points."""

    @contextlib.contextmanager
    def serving(case: Case, answer=None):
        with ProviderServer(case.wire(), answer) as server:
            monkeypatch.setenv(case.address[0], server.url + case.address[1])
            yield server

    return serving


def ask(case: Case, *messages: Message, sampling=None, timeout=20.0, times=1, at_once=1):
    messages = messages or (say("user", "Which clef?"),)
    sampling = sampling or Sampling()

    async def asking():
        model = open_model(case.spec, timeout=timeout, concurrency=max(8, at_once))
        try:
            for _ in range(times):
                trial = Trial("t-secret-id", messages, target="B")
                replies = await asyncio.gather(
                    *(model.generate(messages, sampling, trial) for _ in range(at_once))
                )
            return replies[-1], model.report(), model.describe()
        finally:
            await model.close()

    return asyncio.run(asking())


def failing(case: Case, **options) -> ModelError:
    """The exception of a call; the key is nowhere in it, nor in what lies behind it."""
    with pytest.raises(ModelError) as caught:
        ask(case, **options)
    assert KEY not in "".join(traceback.format_exception(caught.value))
    assert "\n" not in str(caught.value)
    return caught.value


def checked(case: Case, asked: Asked) -> Any:
    """The body of a request, which follows the published schema and holds nothing of ours."""
    if case.schema is not None:
        schemas.validate(asked.body, case.schema)
    whole = asked.raw.decode() + asked.path
    for word in ("t-secret-id", SECRET, "flat", KEY, "zhiyin"):
        assert word not in whole
    return asked.body


def test_words_and_who_says_them(case, serve) -> None:
    messages = (
        say("system", "Be brief."),
        Message("user", (Text("One."), Text("Two."))),
        say("assistant", "Three?"),
        say("user", "四"),
    )
    with serve(case, Say("答案：B")) as server:
        reply, _, described = ask(case, *messages)
    (asked,) = server.asked
    said = server.wire.said(checked(case, asked))
    joined = [(role, "\n\n".join(part[1] for part in parts)) for role, parts in said]
    assert joined == [(message.role, message.text) for message in messages]
    assert KEY in str(asked.headers)
    assert (reply.text, reply.finish) == ("答案：B", "stop")
    sent, got = reply.usage["prompt_tokens"], reply.usage["completion_tokens"]
    assert (sent, got) == (11, 3 if case.wire is GeminiWire else 10)
    assert reply.latency_s > 0
    assert reply.detail["model"] == "m-2026"
    assert KEY not in str(described)


def test_a_picture_arrives_bit_for_bit_and_without_its_name(case, serve, tmp_path) -> None:
    path = draw(tmp_path / f"{SECRET}.png")
    with serve(case) as server:
        reply, *_ = ask(case, say("user", "Which key?", image_part(path)))
    (role, parts) = server.wire.said(checked(case, server.asked[0]))[-1]
    assert (role, parts[0]) == ("user", ("text", "Which key?"))
    assert (base64.b64decode(parts[1][1]), parts[1][2]) == (path.read_bytes(), "image/png")
    assert reply.detail["image_sha256"] == [image_part(path).sha256]


def test_worked_examples_with_sound_keep_their_order(case, serve, tmp_path) -> None:
    if not case.hears:
        with serve(case) as server:
            sound = audio_part(tone(tmp_path / "a.wav"))
            with pytest.raises(UnsupportedError):
                ask(case, say("user", "Listen.", sound))
            assert not server.asked
        return
    first, second = (tone(tmp_path / f"{SECRET}{n}.wav", 300 + n) for n in range(2))
    messages = (
        say("user", "This one?", audio_part(first)),
        say("assistant", "A"),
        say("user", "And this?", audio_part(second)),
    )
    with serve(case) as server:
        reply, *_ = ask(case, *messages)
    said = server.wire.said(checked(case, server.asked[0]))
    assert [role for role, _ in said] == ["user", "assistant", "user"]
    heard = [parts[1] for _, parts in said if len(parts) > 1]
    assert [base64.b64decode(part[1]) for part in heard] == [
        first.read_bytes(),
        second.read_bytes(),
    ]
    if case.sound_formats:
        assert {part[2] for part in heard} == {"wav"}
    assert reply.detail["audio_format"] == ["wav"] * 2


def test_thinking_is_kept_apart_and_counted(case, serve) -> None:
    with serve(case, Say("Answer: B", thinking="It is C, no, B.")):
        reply, *_ = ask(case)
    assert reply.text == "Answer: B"
    assert reply.detail["reasoning"] == "It is C, no, B."
    assert reply.usage["completion_tokens_details.reasoning_tokens"] == 7
    assert reply.usage["completion_tokens"] == 10


def test_a_reply_cut_within_its_thinking_is_truncated_and_no_answer(case, serve) -> None:
    with serve(case, Say("", thinking="Perhaps B, or", finish="length")):
        reply, *_ = ask(case)
    assert (reply.text, reply.finish) == ("", "length")
    assert reply.detail["reasoning"] == "Perhaps B, or"


def test_a_reply_that_is_cut_keeps_its_words(case, serve) -> None:
    with serve(case, Say("Let me", finish="length")):
        reply, *_ = ask(case)
    assert (reply.text, reply.finish) == ("Let me", "length")


@pytest.mark.parametrize("finish", ["refusal", "block"])
def test_a_refusal_and_a_block_are_refused(case, serve, finish) -> None:
    with serve(case, Say("I cannot." if finish == "refusal" else "", finish=finish)):
        reply, *_ = ask(case)
    assert reply.finish == "refusal"


@pytest.mark.sample(7)
@pytest.mark.parametrize("status", [408, 429, 500, 503, 529])
def test_what_may_pass_may_be_tried_again(case, serve, status) -> None:
    say = Say(status=status, message="Come back later", headers={"Retry-After": "3"})
    with serve(case, say) as server:
        error = failing(case)
        assert len(server.asked) == 1  # nobody but the runner tries again
    assert isinstance(error, TransientError)
    assert "Come back later" in str(error)
    assert error.retry_after == 3.0


@pytest.mark.parametrize(
    "answer",
    [Say(raw=b""), Say(cut=True), Say(raw=b"<html>Bad gateway</html>")],
    ids=["empty", "cut", "html"],
)
def test_a_success_that_is_no_reply_is_no_answer(case, serve, answer) -> None:
    with serve(case, answer):
        error = failing(case)
    assert isinstance(error, TransientError)
    assert not isinstance(error, EmptyReply)


@pytest.mark.parametrize("case", OURS, indirect=True)
def test_where_no_model_answers_nothing_is_tried_again(case, serve) -> None:
    """A page of a portal stops the run at once; a JSON that is no reply is no passing trouble."""
    with serve(case, Say(raw=b"<html><title>Sign in</title></html>")):
        assert isinstance(failing(case), FatalError)
    if case.wire not in (AnthropicWire, GeminiWire):
        with serve(case, Say(raw=b"{}")):
            assert isinstance(failing(case), RefusedError)


def test_no_words_at_all_are_an_empty_reply(case, serve) -> None:
    with serve(case, Say("")):
        assert isinstance(failing(case), EmptyReply)


def test_a_stream_that_stalls_is_given_up(case, serve) -> None:
    with serve(case, Say("Answer: B", stall_s=8)):
        error = failing(case, timeout=1.0)
    assert isinstance(error, TransientError)
    assert "no reply within 1 s" in str(error)


def test_a_slow_stream_arrives_whole(case, serve) -> None:
    with serve(case, Say("Answer: B", stall_s=0.3)):
        reply, *_ = ask(case)
    assert reply.text == "Answer: B"


def test_a_wrong_key_ends_the_run_in_one_line(case, serve) -> None:
    status = 400 if case.wire is GeminiWire else 401
    told = f"API key not valid: {KEY}. Please pass a valid API key."
    with serve(case, Say(status=status, message=told)):
        error = failing(case)
    assert isinstance(error, FatalError)
    assert "the key was refused" in str(error)


def test_an_unknown_model_ends_the_run(case, serve) -> None:
    with serve(case, Say(status=404, message="The model does not exist", code="not_found")):
        error = failing(case)
    assert isinstance(error, FatalError)
    assert "no such model" in str(error)


def test_a_bad_request_is_an_error_of_its_trial(case, serve) -> None:
    with serve(case, Say(status=400, message="The prompt is too odd")) as server:
        error = failing(case)
        assert len(server.asked) == 1
    assert type(error).__name__ == "RefusedError"
    assert "The prompt is too odd" in str(error)


def test_a_redirect_is_not_followed(case, serve) -> None:
    with ProviderServer(case.wire()) as thief:
        where = f"{thief.url}/v1/chat/completions"
        with serve(case, Say(raw=b"", status=307, headers={"Location": where})):
            error = failing(case)
        assert thief.asked == thief.others == []
    assert isinstance(error, FatalError)
    assert "redirects (307)" in str(error)


def test_nobody_there_is_one_line(case, serve, monkeypatch) -> None:
    with serve(case) as server:
        pass
    monkeypatch.setenv(case.address[0], f"http://127.0.0.1:{server.port}{case.address[1]}")
    error = failing(case)
    assert isinstance(error, TransientError)


WORDS = {
    "openai": "Unsupported parameter: '{}' is not supported with this model.",
    "gemini": 'Invalid JSON payload received. Unknown name "{}" is not supported',
}


@pytest.mark.parametrize("name", WORDS)
def test_many_that_are_refused_at_once_learn_the_same(name, serve, monkeypatch, tmp_path) -> None:
    case = prepared(CASES[name], monkeypatch, tmp_path)
    own = {"gemini": ("topP", "topK")}.get(name, ("top_p", "seed"))

    def answer(asked: Asked) -> Say:
        for word in own:
            if f'"{word}"' in asked.raw.decode():
                return Say(status=400, message=WORDS[name].format(word))
        return Say()

    with serve(case, answer) as server:
        reply, _, described = ask(case, sampling=Sampling(0.0, None, 0.9, 5, 3), at_once=30)
        assert 30 < len(server.asked) <= 90
    assert reply.text == "Answer: B"
    assert len(described["left_out"]) == 2


@pytest.mark.parametrize(
    "spec",
    ["openai:o3", "openai-responses:o4-mini", "gemini:gemini-2.5-pro", "gemini:gemini-3-pro",
     "anthropic:claude-sonnet-4-5", "mistral:voxtral-small", "dashscope:qwen-omni-turbo"],
)  # fmt: skip
def test_who_has_no_first_token_to_ask_for_is_refused_before_the_run(
    spec, serve, monkeypatch, tmp_path, capsys
) -> None:
    kind = spec.partition(":")[0]
    case = replace(prepared(CASES[kind], monkeypatch, tmp_path), spec=spec)
    row = {"id": "q", "question": "Which?", "options": ["do", "re"], "answer": "do"}
    path = jsonl(tmp_path / "q.jsonl", row)
    with serve(case) as server:
        order = ["run", str(path), "-m", spec, "--score", "loglikelihood", "--quiet"]
        assert main([*order, "--out", str(tmp_path / "run")]) == 2
        assert not server.asked
    assert "gives no log-probabilities" in capsys.readouterr().err


@pytest.mark.parametrize("name", OURS)
def test_every_golden_request_follows_the_published_schema(name) -> None:
    """What each model is sent in all settings, see `test_golden_requests`."""
    lines, found = Golden("requests").lines.items(), 0
    budgets = name in ("dashscope", "gemini", "anthropic")  # others take levels of thinking alone
    for case in (line for case, line in lines if case.startswith(f"{name}:")):
        for call, done in zip(case["in"]["calls"], case["out"]["calls"], strict=True):
            if budgets or not isinstance(call["sampling"].get("thinking"), int):
                for sent in done["sent"]:
                    if sent["to"].startswith("POST"):
                        body = json.loads(
                            re.sub(r"A\.wav|B\.png", "AAAA", json.dumps(sent["body"]))
                        )
                        body.pop("top_k", None)  # OpenAI itself has none, servers like it do
                        schemas.validate(body, CASES[name].schema)
                        found += 1
    assert found > 20


def test_many_at_once(case, serve) -> None:
    with serve(case) as server:
        reply, *_ = ask(case, at_once=40)
    assert len(server.asked) == 40
    assert reply.text == "Answer: B"


@pytest.mark.parametrize("name", OURS)
def test_a_key_that_is_refused_is_told_before_the_first_trial(
    name, serve, monkeypatch, tmp_path
) -> None:
    case = prepared(CASES[name], monkeypatch, tmp_path)

    class Closed(case.wire):
        def is_question(self, asked: Asked) -> bool:
            return True

    told = "API key not valid. Please pass a valid API key."
    status = 400 if case.wire is GeminiWire else 401
    with ProviderServer(Closed(), Say(status=status, message=told)) as server:
        monkeypatch.setenv(case.address[0], server.url + case.address[1])
        model = open_model(case.spec, timeout=5)

        async def check() -> None:
            try:
                await model.check()
            finally:
                await model.close()

        with pytest.raises(InputError, match="refuses the key in") as caught:
            asyncio.run(check())
        assert told in str(caught.value)
    assert KEY not in "".join(traceback.format_exception(caught.value))


@pytest.mark.parametrize("name", OURS)
def test_the_providers_own_address_wants_a_key(name, monkeypatch, tmp_path) -> None:
    case = prepared(CASES[name], monkeypatch, tmp_path)
    for key in case.keys:
        monkeypatch.delenv(key)
    with pytest.raises(InputError, match="needs a key: set the environment variable"):
        open_model(case.spec, timeout=1)


@pytest.mark.parametrize("name", ["inspect", "litellm"])
def test_a_package_that_is_missing_is_named_with_its_extra(name, monkeypatch) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda *_: None)
    with pytest.raises(InputError, match=re.escape(adding(name))):
        open_model(CASES[name].spec, timeout=1)


@LARGE
@pytest.mark.parametrize("name", ["inspect", "litellm"])
def test_a_provider_that_does_not_exist_is_told_before_the_first_trial(
    name, monkeypatch, tmp_path, capsys
) -> None:
    prepared(CASES[name], monkeypatch, tmp_path)
    row = {"question": "?", "options": ["C", "D"], "answer": "B"}
    path = jsonl(tmp_path / "q.jsonl", row)
    line = refused(capsys, "run", path, "-m", f"{name}:nonsense/x", "--out", tmp_path / "run")
    assert "nonsense" in line
    assert not (tmp_path / "run").exists()


# What is one provider's alone


def claude(name: str, monkeypatch, tmp_path) -> Case:
    case = prepared(CASES["anthropic"], monkeypatch, tmp_path)
    return Case(f"anthropic:{name}", *list(vars(case).values())[1:])


@pytest.mark.parametrize(
    ("name", "sampled"),
    [
        ("claude-3-haiku-20240307", True),
        ("claude-sonnet-4-20250514", True),
        ("claude-opus-4-1", True),
        ("claude-haiku-4-5-20251001", True),
        ("claude-sonnet-4-6", True),
        ("claude-opus-4-7", False),
        ("claude-opus-4-10", False),
        ("claude-sonnet-5", False),
    ],
)
def test_which_claudes_are_sent_a_temperature(serve, monkeypatch, tmp_path, name, sampled) -> None:
    case = claude(name, monkeypatch, tmp_path)
    with serve(case) as server:
        ask(case)
    (asked,) = server.asked
    assert ("temperature" in checked(case, asked)) == sampled
    assert (asked.headers["anthropic-version"] == "2023-06-01") == sampled


@LARGE
def test_inspect_sends_claude_no_temperature_and_the_run_says_so(
    serve, monkeypatch, tmp_path
) -> None:
    case = prepared(CASES["inspect"], monkeypatch, tmp_path)
    with serve(case) as server:
        reply, remarks, _ = ask(case)
    assert "temperature" not in server.asked[0].body
    assert reply.detail["left_out"] == ["temperature"]
    assert remarks == ["not sent, for it cannot be set here: temperature"]


PLAIN_MESSAGE = json.dumps(
    {
        "id": "m1",
        "type": "message",
        "role": "assistant",
        "model": "m-2026",
        "content": [{"type": "text", "text": "Answer: B"}],
        "stop_reason": "end_turn",
        "stop_sequence": None,
        "usage": {"input_tokens": 11, "output_tokens": 10},
    }
).encode()


@LARGE
def test_litellm_follows_no_redirect_on_its_other_routes_either(
    serve, monkeypatch, tmp_path
) -> None:
    prepared(CASES["litellm"], monkeypatch, tmp_path)
    case = Case(
        "litellm:anthropic/claude-opus-4-1", AnthropicWire, None, {}, ("ANTHROPIC_BASE_URL", "")
    )
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with ProviderServer(AnthropicWire()) as thief:
        where = f"{thief.url}/v1/messages"
        with serve(case, Say(raw=b"{}", status=307, headers={"Location": where})):
            failing(case)
        assert thief.asked == thief.others == []


@LARGE
def test_litellm_refusing_a_setting_itself_is_learned_from(serve, monkeypatch, tmp_path) -> None:
    prepared(CASES["litellm"], monkeypatch, tmp_path)
    case = Case(
        "litellm:anthropic/claude-opus-4-1", AnthropicWire, None, {}, ("ANTHROPIC_BASE_URL", "")
    )
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    with serve(case, Say(raw=PLAIN_MESSAGE)) as server:
        reply, remarks, _ = ask(case, sampling=Sampling(temperature=None, seed=4), times=2)
    assert reply.text == "Answer: B"
    assert len(server.asked) == 2
    assert all("seed" not in asked.body for asked in server.asked)
    assert reply.detail["left_out"] == ["seed"]
    assert remarks == ["left out, for the server refuses it: seed"]


def test_mistrals_own_package_takes_our_requests(serve, monkeypatch, tmp_path) -> None:
    models = pytest.importorskip("mistralai.client.models")
    case = prepared(CASES["mistral"], monkeypatch, tmp_path)
    media = audio_part(tone(tmp_path / "a.wav")), image_part(draw(tmp_path / "a.png"))
    with serve(case) as server:
        sampling = Sampling(0.5, 9, 0.9, 40, 3, {"type": "object"}, "high")
        ask(case, say("system", "Be brief."), say("user", "So?", *media), sampling=sampling)
    body = server.asked[0].body
    read = models.ChatCompletionRequest.model_validate(body)
    again = json.loads(read.model_dump_json(by_alias=True, exclude_unset=True))
    again.pop("stream", None)
    assert again.keys() == body.keys()
    assert [p["type"] for p in again["messages"][1]["content"]] == [
        "text", "input_audio", "image_url"
    ]  # fmt: skip


@pytest.mark.parametrize("wire", [Wire, ResponsesWire])
def test_openais_own_package_reads_what_our_server_says(wire) -> None:
    """The server of these tests speaks as OpenAI does, by OpenAI's own types."""
    types = pytest.importorskip("openai.types")
    responses = pytest.importorskip("openai.types.responses")
    for said in (Say(), Say("", thinking="Hm", finish="length"), Say("No.", finish="refusal")):
        (data,) = wire().reply(said)
        kind = responses.Response if wire is ResponsesWire else types.chat.ChatCompletion
        assert isinstance(kind.model_validate_json(data), kind)


class Ear:
    """Takes what a proxy is told before there is any encryption, and hangs up."""

    def __enter__(self) -> Ear:
        self.heard = b""
        self._socket = socket.create_server(("127.0.0.1", 0))
        self.port = self._socket.getsockname()[1]
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._socket.accept()
                with client:
                    self.heard += client.recv(2**16)

    def __exit__(self, *exception: object) -> None:
        self._socket.close()


@pytest.mark.parametrize("name", OURS)
def test_a_proxy_on_the_way_to_an_encrypted_address_is_not_told_the_key(
    name, monkeypatch, tmp_path
) -> None:
    case = prepared(CASES[name], monkeypatch, tmp_path)
    for variable in ("no_proxy", "NO_PROXY"):
        monkeypatch.delenv(variable, raising=False)
    with Ear() as proxy:
        monkeypatch.setenv(case.address[0], "https://models.example" + case.address[1])
        for variable in ("https_proxy", "HTTPS_PROXY"):
            monkeypatch.setenv(variable, f"http://127.0.0.1:{proxy.port}")
        failing(case, timeout=5.0)

        async def beside() -> None:
            model = open_model(case.spec, timeout=5.0)
            with contextlib.suppress(InputError):
                await model.check()
            if counter := counter_of(model):
                async with counter:
                    assert await counter.count((say("user", "Which clef?"),)) is None
            with contextlib.suppress(InputError, ModelError):
                wire = batch_api_of(model)
                try:
                    await wire.results("batch-1")
                finally:
                    await wire.close()
            await model.close()

        asyncio.run(beside())
        assert b"CONNECT models.example:443" in proxy.heard
        assert KEY.encode() not in proxy.heard
        assert b"authorization" not in proxy.heard.lower()


def test_an_older_package_that_litellm_holds_back_is_named(monkeypatch) -> None:
    inspect = pytest.importorskip("inspect_ai.model")

    def refuses(*_, **__):
        raise RuntimeError("OpenAI API requires at least version 3.4.0 of package openai")

    monkeypatch.setattr(inspect, "get_model", refuses)
    found = importlib.util.find_spec
    for there in (True, False):
        spec = (lambda name, *more: name) if there else (lambda name, *more: None)
        monkeypatch.setattr(
            importlib.util, "find_spec",
            lambda name, *more, spec=spec: spec(name) if name == "litellm" else found(name, *more),
        )  # fmt: skip
        model = open_model("inspect:openai/gpt-4o", timeout=5.0)
        with pytest.raises(InputError, match="at least version 3") as caught:
            asyncio.run(model.check())
        assert ("LiteLLM, which is installed here" in str(caught.value)) == there
