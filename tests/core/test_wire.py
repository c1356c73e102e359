"""Whatever a server writes: read as it is meant, called no more than needed, always counted."""

from __future__ import annotations

import gzip
import json

import msgspec
import pytest
from aiohttp import web

from servers import ChatServer, completion
from zhiyin.cli import main
from zhiyin.engine.log import read_records
from zhiyin.errors import FatalError, LostError, ModelError, RefusedError, TransientError
from zhiyin.models.claude import Claude
from zhiyin.models.dialects import CHAT, DashScope, Mistral, Responses
from zhiyin.models.gemini import Gemini
from zhiyin.models.refusals import FilteredReply, failure, read_complaint
from zhiyin.parsing import decoded

CHATS = (CHAT, Mistral(), DashScope())
OPENAI = completion("Answer: B")
RESPONSES = {
    "model": "m",
    "status": "completed",
    "output": [{"type": "message", "content": [{"type": "output_text", "text": "Answer: B"}]}],
    "usage": {"input_tokens": 11, "output_tokens": 3},
}
GEMINI = {
    "candidates": [{"content": {"parts": [{"text": "Answer: B"}]}, "finishReason": "STOP"}],
    "usageMetadata": {"promptTokenCount": 11, "candidatesTokenCount": 3, "totalTokenCount": 14},
}
CLAUDE = {
    "model": "m",
    "content": [{"type": "text", "text": "Answer: B"}],
    "stop_reason": "end_turn",
    "usage": {"input_tokens": 11, "output_tokens": 3},
}
SAID = [
    *((dialect, OPENAI) for dialect in CHATS),
    (Responses(), RESPONSES),
    (Gemini(), GEMINI),
    (Claude(), CLAUDE),
]


def ill(body: dict, way: str) -> bytes:
    """A body as other writers write it."""
    text = json.dumps(body)
    match way:
        case "infinity":
            text = json.dumps({"timings": [float("inf"), float("nan"), -float("inf")], **body})
        case "out of range":
            text = text[:-1] + ', "x": 1e999}'
        case "byte order mark":
            text = "\ufeff" + text
        case "twice":
            text += text
        case "trailing":
            text += "\n\x00garbage"
        case "kept alive":
            text = ": PROCESSING\n\n: PROCESSING\n\n" + text
        case "duplicated":
            text = '{"id": 1, "id": 2, ' + text[1:]
        case "raw line break":
            text = text.replace("Answer: B", "Answer:\nB")
        case "no figures":
            text = text.replace("11", "NaN").replace(": 3", ": null")
        case "utf-16":
            return text.encode("utf-16")
        case "half an emoji":
            text = text.replace("Answer: B", r"\ud83d Answer: B")
    return text.encode()


WAYS = (
    "infinity", "out of range", "byte order mark", "twice", "trailing", "kept alive", "duplicated",
    "raw line break", "no figures", "utf-16", "half an emoji",
)  # fmt: skip


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(("dialect", "body"), SAID, ids=lambda each: getattr(each, "kind", ""))
def test_json_of_any_writer_is_read(dialect, body, way) -> None:
    reply = dialect.read(ill(body, way), str)
    assert " ".join(reply.text.split()) in ("Answer: B", "\ufffd Answer: B"), reply
    assert ("\ufffd" in reply.text) == way.startswith("half")
    assert reply.finish == "stop"
    if way == "no figures":
        assert reply.usage.get("prompt_tokens", 0) in (0, 14)
    else:
        assert reply.usage["prompt_tokens"] == 11
        assert reply.usage["completion_tokens"] == 3


def test_a_figure_of_another_kind_costs_no_reply() -> None:
    body = {**OPENAI, "usage": [1], "model": 7}
    body["choices"] = [{**OPENAI["choices"][0], "logprobs": ["x"], "finish_reason": 3}]
    reply = CHAT.read(msgspec.json.encode(body), str)
    assert (reply.text, reply.usage, reply.logprobs) == ("Answer: B", {}, {})
    odd = {**CLAUDE, "usage": "none", "model": None}
    assert Claude().read(msgspec.json.encode(odd), str).text == "Answer: B"
    odd = {**GEMINI, "usageMetadata": 3, "modelVersion": 2}
    assert Gemini().read(msgspec.json.encode(odd), str).text == "Answer: B"
    odd = {**RESPONSES, "usage": 3, "model": 2}
    assert Responses().read(msgspec.json.encode(odd), str).text == "Answer: B"


def test_a_probability_of_nothing_is_missing_and_the_others_stay() -> None:
    top = [{"token": "B", "logprob": -0.1}, {"token": "A", "logprob": float("-inf")}]
    body = completion("B")
    body["choices"][0]["logprobs"] = {"content": [{"top_logprobs": top}]}
    assert CHAT.read(json.dumps(body).encode(), str).logprobs == {"B": -0.1}


def chunk(finish=None, **delta) -> dict:
    return {"model": "m", "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]}


SPOKEN = [chunk(content="Ans"), chunk(content="wer: B"), {**chunk("stop"), "usage": None}]
USED = {"choices": [], "usage": {"prompt_tokens": 11, "completion_tokens": 3}}


def sse(values, end: str = "data: [DONE]\n\n") -> bytes:
    return (": WAIT\n\n" + "".join(f"data: {json.dumps(v)}\n\n" for v in values) + end).encode()


def lines(values) -> bytes:
    return "".join(f"{json.dumps(value)}\n" for value in values).encode()


@pytest.mark.parametrize("dialect", CHATS, ids=lambda each: each.kind)
@pytest.mark.parametrize("written", [sse, lines])
def test_a_stream_that_nobody_asked_for_is_read(dialect, written) -> None:
    reply = dialect.read(written([*SPOKEN, USED]), str)
    assert (reply.text, reply.finish) == ("Answer: B", "stop")
    assert reply.usage == {"prompt_tokens": 11, "completion_tokens": 3}
    parts = [chunk(reasoning="so"), chunk(content=[{"type": "text", "text": "B"}]), chunk("stop")]
    reply = dialect.read(written(parts), str)
    assert (reply.text, reply.detail["reasoning"]) == ("B", "so")


def test_a_stream_is_whole_or_lost() -> None:
    halves = [chunk(content="\ud83c"), chunk(content="\udfbb B"), chunk("stop")]
    assert CHAT.read(sse(halves), str).text == "\N{VIOLIN} B"
    assert CHAT.read(sse(SPOKEN[:2]), str).text == "Answer: B"  # it says that it is done
    for broken in (sse(SPOKEN[:2], end=""), sse(SPOKEN)[:60], lines(SPOKEN[:2])):
        with pytest.raises(LostError):
            CHAT.read(broken, str)
    with pytest.raises(TransientError, match="busy"):
        CHAT.read(sse([{"error": {"message": "busy", "code": 503}}]), str)


def test_streams_of_other_forms_are_read_too() -> None:
    begun = {"type": "response.output_text.delta", "delta": "Ans"}
    ended = {"type": "response.completed", "response": RESPONSES}
    assert Responses().read(sse([begun, ended], end=""), str).text == "Answer: B"
    with pytest.raises(LostError, match="broke off"):
        Responses().read(sse([begun]), str)
    first = {"candidates": [{"content": {"parts": [{"text": "Now. "}]}}]}
    for body in (sse([first, GEMINI], end=""), json.dumps([first, GEMINI]).encode()):
        reply = Gemini().read(body, str)
        assert (reply.text, reply.usage["prompt_tokens"]) == ("Now. Answer: B", 11)


@pytest.mark.parametrize("dialect", [dialect for dialect, _ in SAID], ids=lambda each: each.kind)
def test_what_is_no_reply_is_said_for_what_it_is(dialect) -> None:
    page = b"\n<!DOCTYPE html>\n<html><head><title>Log\n in</title></head>"
    for body, said in (
        (page, r'a web page \("Log in"\): is the address right\?'),
        (b"<html>busy</html>", "a web page: is the address right"),
        (b"", "empty"),
        (b" \n", "empty"),
        (b"not json", "is no "),
    ):
        with pytest.raises(LostError, match=said):
            dialect.read(body, str)
    with pytest.raises(LostError):
        decoded(b"[" * 100_000, list, "list")


def test_a_page_that_comes_with_a_fault_is_named_and_not_quoted() -> None:
    body = b"<html><head><title>502 Bad Gateway</title></head><body><hr>nginx</body></html>"
    assert read_complaint(body).message == 'a web page ("502 Bad Gateway")'


FILTERED = [
    (400, {"error": {"message": "The response was filtered due to the prompt triggering Azure "
           "OpenAI's content management policy.", "code": "content_filter", "status": 400}}),
    (400, {"error": {"message": "no", "code": None, "innererror": {"code":
           "ResponsibleAIPolicyViolation"}}}),
    (400, {"error": {"message": "Invalid prompt: your prompt was flagged as potentially violating "
           "our usage policy.", "code": "invalid_prompt"}}),
    (400, {"error": {"message": "Your request was rejected as a result of our safety system.",
           "type": "invalid_request_error"}}),
    (400, {"type": "error", "error": {"type": "invalid_request_error",
           "message": "Output blocked by content filtering policy"}}),
    (400, [{"error": {"code": 400, "status": "INVALID_ARGUMENT",
           "message": "The response is blocked due to safety reasons"}}]),
    (403, {"message": "Request blocked by the moderation guardrail"}),
    (400, {"code": "DataInspectionFailed", "message": "Input data may contain inappropriate "
           "content.", "request_id": "1"}),
    (400, {"error": {"code": "data_inspection_failed", "message": "x"}}),
    (400, {"error": {"message": "Content Exists Risk", "type": "invalid_request_error"}}),
    (400, {"error": {"message": "The request was rejected because it was considered high risk",
           "type": "content_filter"}}),
    (400, {"error": {"code": "1301", "message": "输入或生成内容可能包含不安全或敏感内容"}}),
    (400, {"error": {"code": "InputTextSensitiveContentDetected", "message": "may contain"}}),
    (451, {"error": {"message": "The content you provided or machine outputted is blocked.",
           "type": "censorship_blocked"}}),
    (403, {"error": {"message": 'Your input was flagged for "violence"', "code": 403}}),
    (403, {"code": "x", "error": "Content violates usage guidelines."}),
]  # fmt: skip
OTHERS = [
    (400, {"error": {"message": "Unsupported parameter: content_filter is not supported"}}),
    (400, {"error": {"message": "messages[0].content: must contain text", "code": "invalid"}}),
    (401, {"error": {"message": "rejected by the safety system", "code": "content_filter"}}),
    (403, {"error": {"message": "Your account was blocked for violating our usage policies"}}),
    (413, {"error": {"message": "request content is too large: rejected"}}),
    (429, {"error": {"message": "content filter is busy: rejected"}}),
]


@pytest.mark.parametrize(("status", "body"), FILTERED)
def test_a_filter_is_the_models_refusal_in_whichever_words(status, body) -> None:
    error = failure(status, {}, read_complaint(msgspec.json.encode(body)), str)
    assert isinstance(error, FilteredReply)
    assert (error.reply.text, error.reply.finish) == ("", "refusal")


@pytest.mark.parametrize(("status", "body"), OTHERS)
def test_other_refusals_stay_what_they_are(status, body) -> None:
    error = failure(status, {}, read_complaint(msgspec.json.encode(body)), str)
    assert isinstance(error, ModelError)
    assert not isinstance(error, FilteredReply)


QUESTIONS = "id,question,A,B,answer\n1,Which is bowed?,piano,violin,B\n"


def asked(server: ChatServer, folder, *flags: str) -> dict:
    """The summary of a run of one question."""
    (folder / "q.csv").write_text(QUESTIONS)
    out = folder / "r"
    main(["run", str(folder / "q.csv"), "-m", server.spec, "--out", str(out), "--json", *flags])
    return out


@pytest.fixture(autouse=True)
def _no_waits(monkeypatch) -> None:
    monkeypatch.setattr("zhiyin.engine.asking._FIRST_WAIT_S", 0.001)


def raw(body: bytes | dict, status: int = 200, **headers: str) -> web.Response:
    data = body if isinstance(body, bytes) else msgspec.json.encode(body)
    return web.Response(body=data, status=status, headers=headers)


def test_a_filtered_prompt_is_refused_and_asked_once(tmp_path, capsys) -> None:
    for number, answer in enumerate(
        (
            lambda call: raw(FILTERED[0][1], 400),
            lambda call: raw(FILTERED[0][1]),  # a status of success around it
            lambda call: raw(sse([FILTERED[0][1]])),
        )
    ):
        folder = tmp_path / str(number)
        folder.mkdir()
        with ChatServer(answer) as server:
            (record,) = read_records(asked(server, folder))
        assert (record.verdict.state, server.calls) == ("refused", 1)
        assert "content management policy" in record.exchange.final.detail["filtered"]


@pytest.mark.parametrize(
    ("message", "place"),
    [
        ({"reasoning_content": "It is bowed: B."}, "reasoning"),
        ({"reasoning": "It is bowed: B."}, "reasoning"),
        ({"tool_calls": [{"function": {"name": "answer", "arguments": '{"a": "B"}'}}]}, "tools"),
        ({"function_call": {"name": "answer", "arguments": "{}"}}, "tools"),
    ],
)
def test_words_elsewhere_are_asked_for_once_more_and_named(
    message, place, tmp_path, capsys
) -> None:
    with ChatServer(lambda call: completion(None, **message)) as server:
        (record,) = read_records(asked(server, tmp_path))
    assert (record.verdict.state, server.calls) == ("no_answer", 2)
    summary = json.loads(capsys.readouterr().out)
    assert summary["cost"]["calls"] == 2
    (told,) = [one for one in summary["warnings"] if one["kind"] == "words-elsewhere"]
    assert told["place"] == place
    assert "the words are in" in told["text"]


def test_words_that_were_spoken_are_read(tmp_path, capsys) -> None:
    spoken = {"audio": {"id": "a", "data": "", "transcript": "Answer: B"}}
    with ChatServer(lambda call: completion(None, **spoken)) as server:
        (record,) = read_records(asked(server, tmp_path))
    assert (record.verdict.state, server.calls) == ("correct", 1)
    assert "audio.transcript" in capsys.readouterr().out


def test_other_forms_name_where_their_words_are() -> None:
    call = {"type": "tool_use", "id": "1", "name": "answer", "input": {}}
    body = {**CLAUDE, "content": [call], "stop_reason": "tool_use"}
    assert Claude().read(msgspec.json.encode(body), str).detail["words_in"] == "tools"
    for candidate in (
        {"content": {"parts": [{"functionCall": {"name": "answer"}}]}, "finishReason": "STOP"},
        {"finishReason": "MALFORMED_FUNCTION_CALL"},
        {"finishReason": "UNEXPECTED_TOOL_CALL"},
    ):
        reply = Gemini().read(msgspec.json.encode({"candidates": [candidate]}), str)
        assert (reply.finish, reply.detail["words_in"]) == ("stop", "tools")
    body = {"output": [{"type": "function_call"}], "status": "completed"}
    assert Responses().read(msgspec.json.encode(body), str).detail["words_in"] == "tools"


def test_what_was_called_is_counted(tmp_path, capsys) -> None:
    with ChatServer(lambda call: raw(b"<html></html>")) as server:
        asked(server, tmp_path, "--retries", "3")
    cost = json.loads(capsys.readouterr().out)["cost"]
    assert (cost["calls"], cost["failed"], server.calls) == (4, 4, 4)
    assert main(["show", str(tmp_path / "r")]) == 0
    assert "cost: 4 calls (4 of them without a reply)" in capsys.readouterr().out
    replies = iter([raw(b""), raw(b""), raw(completion(""))])
    with ChatServer(lambda call: next(replies, None) or completion("B")) as server:
        (tmp_path / "b").mkdir()
        asked(server, tmp_path / "b")
    cost = json.loads(capsys.readouterr().out)["cost"]
    assert (cost["calls"], cost["failed"], cost["input"]) == (4, 2, 22)


def test_what_is_packed_is_unpacked_whatever_the_headers_say(tmp_path, capsys) -> None:
    body = msgspec.json.encode(completion("Answer: B"))
    packed = gzip.compress(body)
    ways = [
        (packed, {"Content-Encoding": "gzip"}),
        (packed, {}),
        (body, {"Content-Encoding": "gzip"}),
        (body, {"Content-Encoding": "identity"}),
    ]
    for number, (data, headers) in enumerate(ways):
        folder = tmp_path / str(number)
        folder.mkdir()
        with ChatServer(lambda call, d=data, h=headers: raw(d, **h)) as server:
            (record,) = read_records(asked(server, folder))
        assert record.verdict.state == "correct", headers


def test_a_key_that_is_refused_is_no_filter() -> None:
    error = failure(403, {}, read_complaint(b'{"error": {"message": "no access"}}'), str)
    assert isinstance(error, FatalError)
    error = failure(422, {}, read_complaint(b'{"detail": [{"msg": "field required"}]}'), str)
    assert isinstance(error, RefusedError)
