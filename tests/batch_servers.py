"""Servers of batches as OpenAI, Anthropic and Gemini have them, which keep a bill by request.

Every request is checked against what the provider's reference asks for.
"""

import asyncio
import json
import random
import re
import time
from collections import Counter
from datetime import UTC, datetime

from aiohttp import web

from local_server import LocalServer

USAGE = {"prompt_tokens": 20, "completion_tokens": 5, "total_tokens": 25}


class BatchServer(LocalServer):
    """What all three have in common, for as long as the ``with`` block lasts.

    Attributes
    ----------
    held : bool
        While it is True no batch ends.
    stall : bool
        While it is True a batch that is handed in is taken, and nobody is told.
    paid : Counter
        How often each request was answered, by its body.
    """

    model = "m"

    def __init__(self, answer=lambda text: "A"):
        self.answer, self.held, self.stall = answer, False, False
        self.paid, self.expire, self.refuse = Counter(), set(), None
        self.batches, self.polls = {}, 0
        self._files = {}

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}"

    async def take(self, requests, **facts):
        """A batch that was handed in: requests by id. Tells its name, sooner or later."""
        assert requests
        assert all(re.fullmatch(r"[a-zA-Z0-9_-]{1,64}", name) for name in requests)
        name = f"batch_{len(self.batches) + 1}"
        self.batches[name] = {"requests": requests, "at": time.time(), **facts}
        while self.stall:
            await asyncio.sleep(0.01)
        return name

    def results(self, name):
        """Results by id in any order: ``("ok", text)``, ``("expired",)`` or ``("no", error)``."""
        batch = self.batches[name]
        if "results" not in batch:
            batch["results"] = {}
            for custom, body in batch["requests"].items():
                written = json.dumps(body, sort_keys=True)
                if self.refuse and (error := self.refuse(body)):
                    batch["results"][custom] = ("no", error)
                elif written in self.expire:
                    self.expire.discard(written)
                    batch["results"][custom] = ("expired",)
                else:
                    self.paid[written] += 1
                    batch["results"][custom] = ("ok", self.answer(self.text(body)))
        shuffled = list(batch["results"].items())
        random.Random(len(shuffled)).shuffle(shuffled)
        return shuffled


class OpenAI(BatchServer):
    variables = ("OPENAI_API_KEY", "OPENAI_BASE_URL")
    spec = "openai:m"

    @property
    def base(self):
        return f"{self.url}/v1"

    def routes(self):
        return [
            web.get("/v1/models", self._models),
            web.post("/v1/files", self._upload),
            web.post("/v1/batches", self._create),
            web.get("/v1/batches", self._list),
            web.get("/v1/batches/{name}", self._look),
            web.get("/v1/files/{name}/content", self._content),
        ]

    def text(self, body):
        return body["messages"][-1]["content"]

    async def _models(self, request):
        return web.json_response({"object": "list", "data": []})

    async def _upload(self, request):
        assert request.headers["Authorization"] == "Bearer secret-key"
        form = await request.post()
        assert form["purpose"] == "batch"
        assert form["file"].filename == "batch.jsonl"
        name = f"file-{len(self._files)}"
        self._files[name] = form["file"].file.read()
        return web.json_response({"id": name, "object": "file", "purpose": "batch"})

    async def _create(self, request):
        body = await request.json()
        assert set(body) <= {"input_file_id", "endpoint", "completion_window", "metadata"}
        assert body["completion_window"] == "24h"
        assert all(len(k) <= 64 and len(v) <= 512 for k, v in body["metadata"].items())
        requests = {}
        for line in self._files[body["input_file_id"]].splitlines():
            one = json.loads(line)
            assert set(one) == {"custom_id", "method", "url", "body"}
            assert (one["method"], one["url"]) == ("POST", body["endpoint"])
            assert one["custom_id"] not in requests
            requests[one["custom_id"]] = one["body"]
        name = await self.take(requests, metadata=body["metadata"])
        return web.json_response(self._told(name))

    def _told(self, name):
        batch = self.batches[name]
        ended = not self.held
        told = {
            "id": name,
            "object": "batch",
            "status": "completed" if ended else "in_progress",
            "created_at": int(batch["at"]),
            "metadata": batch["metadata"],
        }
        return told | (
            {"output_file_id": f"out-{name}", "error_file_id": f"err-{name}"} if ended else {}
        )

    async def _list(self, request):
        found = [self._told(name) for name in reversed(self.batches)]
        return web.json_response({"object": "list", "data": found, "has_more": False})

    async def _look(self, request):
        self.polls += 1
        return web.json_response(self._told(request.match_info["name"]))

    async def _content(self, request):
        kind, _, name = request.match_info["name"].partition("-")
        lines = []
        for custom, (state, *said) in self.results(name):
            response = error = None
            if state == "expired":
                error = {"code": "batch_expired", "message": "This request could not be executed."}
            elif state == "no":
                response = {"status_code": 400, "request_id": "r", "body": {"error": said[0]}}
            else:
                message = {"role": "assistant", "content": said[0]}
                choice = {"index": 0, "message": message, "finish_reason": "stop"}
                body = {"id": "c", "model": "m-1", "choices": [choice], "usage": USAGE}
                response = {"status_code": 200, "request_id": "r", "body": body}
            if (kind == "out") == (state == "ok"):
                lines.append({"id": "b", "custom_id": custom, "response": response, "error": error})
        return web.Response(text="".join(json.dumps(line) + "\n" for line in lines))


class Anthropic(BatchServer):
    variables = ("ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL")
    spec = "anthropic:claude-3-5-haiku"

    @property
    def base(self):
        return self.url

    def routes(self):
        return [
            web.get("/v1/models/{model}", self._models),
            web.post("/v1/messages/batches", self._create),
            web.get("/v1/messages/batches", self._list),
            web.get("/v1/messages/batches/{name}", self._look),
            web.get("/v1/messages/batches/{name}/results", self._results),
        ]

    def text(self, body):
        return body["messages"][-1]["content"]

    async def _models(self, request):
        return web.json_response(
            {"id": "m", "type": "model", "display_name": "m", "created_at": "2026-01-01T00:00:00Z"}
        )

    async def _create(self, request):
        assert request.headers["x-api-key"] == "secret-key"
        assert request.headers["anthropic-version"] == "2023-06-01"
        requests = {}
        for one in (await request.json())["requests"]:
            assert set(one) == {"custom_id", "params"}
            assert {"model", "max_tokens", "messages"} <= set(one["params"])
            assert not {"extra_body", "extra_headers"} & set(one["params"])
            assert one["custom_id"] not in requests
            requests[one["custom_id"]] = one["params"]
        return web.json_response(self._told(await self.take(requests)))

    def _told(self, name):
        batch = self.batches[name]
        count = len(batch["requests"])
        ended = not self.held
        made = datetime.fromtimestamp(batch["at"], UTC).isoformat().replace("+00:00", "Z")
        return {
            "id": name,
            "type": "message_batch",
            "processing_status": "ended" if ended else "in_progress",
            "request_counts": {"processing": 0 if ended else count, "succeeded": count * ended},
            "created_at": made,
            "results_url": f"{self.url}/v1/messages/batches/{name}/results" if ended else None,
        }

    async def _list(self, request):
        found = [self._told(name) for name in reversed(self.batches)]
        return web.json_response({"data": found, "has_more": False})

    async def _look(self, request):
        self.polls += 1
        return web.json_response(self._told(request.match_info["name"]))

    async def _results(self, request):
        lines = []
        for custom, (state, *said) in self.results(request.match_info["name"]):
            if state == "expired":
                result = {"type": "expired"}
            elif state == "no":
                error = {"type": "invalid_request_error", "message": said[0]["message"]}
                result = {"type": "errored", "error": {"type": "error", "error": error}}
            else:
                message = {
                    "id": "msg", "type": "message", "role": "assistant", "model": "claude",
                    "content": [{"type": "text", "text": said[0]}],
                    "stop_reason": "end_turn", "stop_sequence": None,
                    "usage": {"input_tokens": 20, "output_tokens": 5},
                }  # fmt: skip
                result = {"type": "succeeded", "message": message}
            lines.append({"custom_id": custom, "result": result})
        return web.Response(text="".join(json.dumps(line) + "\n" for line in lines))


class Gemini(BatchServer):
    variables = ("GEMINI_API_KEY", "GOOGLE_GEMINI_BASE_URL")
    spec = "gemini:gemini-2.5-flash"

    @property
    def base(self):
        return self.url

    def routes(self):
        return [
            web.get("/{version}/models/{model}", self._models),
            web.post("/v1beta/models/{call}", self._create),
            web.get("/v1beta/batches", self._list),
            web.get("/v1beta/batches/{name}", self._look),
        ]

    def text(self, body):
        return body["contents"][-1]["parts"][0]["text"]

    async def _models(self, request):
        return web.json_response({"name": "models/gemini-2.5-flash"})

    async def _create(self, request):
        assert request.headers["x-goog-api-key"] == "secret-key"
        assert request.match_info["call"] == "gemini-2.5-flash:batchGenerateContent"
        batch = (await request.json())["batch"]
        assert set(batch) == {"model", "displayName", "inputConfig"}
        requests = {}
        for one in batch["inputConfig"]["requests"]["requests"]:
            assert set(one) == {"request", "metadata"}
            assert set(one["request"]) <= {"contents", "generationConfig", "systemInstruction"}
            assert not any("_" in name for name in one["request"]["generationConfig"])
            requests[one["metadata"]["key"]] = one["request"]
        return web.json_response(self._told(await self.take(requests, name=batch["displayName"])))

    def _told(self, name, whole=False):
        batch = self.batches[name]
        state = "BATCH_STATE_RUNNING" if self.held else "BATCH_STATE_SUCCEEDED"
        told = {
            "name": f"batches/{name}",
            "metadata": {"displayName": batch["name"], "state": state},
            "done": not self.held,
        }
        if whole and not self.held:
            inlined = [self._item(custom, *said) for custom, said in self.results(name)]
            told["response"] = {"inlinedResponses": {"inlinedResponses": inlined}}
        return told

    def _item(self, custom, state, *said):
        metadata = {"key": custom}
        if state == "expired":
            return {"metadata": metadata, "error": {"code": 1, "message": "cancelled"}}
        if state == "no":
            return {"metadata": metadata, "error": {"code": 3, **said[0]}}
        content = {"role": "model", "parts": [{"text": said[0]}]}
        response = {
            "candidates": [{"content": content, "finishReason": "STOP", "index": 0}],
            "usageMetadata": {
                "promptTokenCount": 20, "candidatesTokenCount": 5, "totalTokenCount": 25,
            },
            "modelVersion": "gemini-2.5-flash-001",
        }  # fmt: skip
        return {"metadata": metadata, "response": response}

    async def _list(self, request):
        return web.json_response({"operations": [self._told(name) for name in self.batches]})

    async def _look(self, request):
        self.polls += 1
        return web.json_response(self._told(request.match_info["name"], whole=True))


SERVERS = (OpenAI, Anthropic, Gemini)
