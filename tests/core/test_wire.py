"""Whatever a server writes: read as it is meant, called no more than needed, always counted."""

from __future__ import annotations

import json

import msgspec
import pytest

from servers import completion
from zhiyin.errors import ModelError
from zhiyin.models.claude import Claude
from zhiyin.models.dialects import CHAT, DashScope, Mistral, Responses
from zhiyin.models.gemini import Gemini
from zhiyin.models.refusals import FilteredReply, failure, read_complaint

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
