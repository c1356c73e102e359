"""Batch interfaces to submit, poll and collect: OpenAI, Anthropic, Gemini.

OpenAI      "Batch API": a file of requests, ``/batches``, files of results and of errors
Anthropic   "Message Batches": ``/v1/messages/batches``, results at ``results_url``
Gemini      "Batch API": ``models/MODEL:batchGenerateContent`` with inlined requests, an operation
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any, ClassVar, NamedTuple

import msgspec

from zhiyin.errors import FatalError, ModelError
from zhiyin.models.claude import STATUSES
from zhiyin.models.dialects import Dialect
from zhiyin.models.endpoint import Endpoint
from zhiyin.models.refusals import failure
from zhiyin.parsing import decoded
from zhiyin.words import said

_SECONDS = 600.0
_SLACK_S = 900.0
"""How far the provider's clock may be from ours."""


_NO_BATCHES = "the server's answer is none of its provider's batches: leave out --batch"


def _id(answer: Mapping[str, Any]) -> str:
    """Return a provider's id of a file or a batch. Raises `FatalError` where it gives none."""
    if not isinstance(answer.get("id"), str):
        raise FatalError(_NO_BATCHES)
    return str(answer["id"])


class BatchPart(NamedTuple):
    """A result: a status as of HTTP, and the body of the response; 0 where it has expired."""

    status: int
    body: bytes


EXPIRED = BatchPart(0, b"")


class BatchApi:
    """A provider's interface of batches.

    Parameters
    ----------
    endpoint : Endpoint
    dialect : Dialect
        In which its models are asked.

    Attributes
    ----------
    most, size : int
        Requests, and bytes of them, in one batch.
    """

    most: ClassVar[int]
    size: ClassVar[int]

    def __init__(self, endpoint: Endpoint, dialect: Dialect) -> None:
        self._http = _BatchClient(endpoint, dialect)
        self._path, self._model = dialect.path, endpoint.model

    async def submit(self, token: str, requests: Mapping[str, bytes]) -> str:
        """Hand requests in; what the provider calls the batch."""
        raise NotImplementedError

    async def find(self, token: str, count: int, at: float, known: set[str]) -> str | None:
        """The batch that was handed in under our name, if there is one."""
        raise NotImplementedError

    async def results(self, batch: str) -> dict[str, BatchPart] | None:
        """Results by id; None as long as it is worked on."""
        raise NotImplementedError

    async def close(self) -> None:
        """Close all connections."""
        await self._http.close()


class _BatchClient:
    """Calls of a provider, with its key. No redirect is followed."""

    def __init__(self, endpoint: Endpoint, dialect: Dialect) -> None:
        from zhiyin.models.http import HttpClient  # which takes a while to load

        self.endpoint, self.dialect = endpoint, dialect
        self._client = HttpClient(endpoint, _SECONDS, most=_LARGEST)

    async def call(self, method: str, url: str, data: Any = None) -> bytes:
        """The body of a successful response. Raises `ModelError` of the kind that fits."""
        from aiohttp import FormData

        if not url.startswith(("http://", "https://")):
            url = self.dialect.place(self.endpoint, url)
        elif not self.endpoint.owns(url):
            raise FatalError("the server names results at another address than its own")
        if data is not None and not isinstance(data, FormData):
            data = msgspec.json.encode(data)
        headers = self.dialect.headers(self.endpoint)
        status, received, body = await self._client.send(method, url, headers, data)
        if 300 <= status < 400:
            raise FatalError(f"{self.endpoint.base} redirects ({status})")
        if status in (404, 405) and method == "POST":  # most servers of one's own take none
            raise FatalError(said("log-no-batches", where=self.endpoint.base, status=status))
        if status != 200:
            raise failure(*self.dialect.refusal(status, received, body), self.endpoint.scrub)
        return body

    async def json(self, method: str, url: str, data: Any = None) -> Any:
        """The same, decoded."""
        return decoded(await self.call(method, url, data), Any, "JSON")  # type: ignore[arg-type]

    async def close(self) -> None:
        """Close all connections."""
        await self._client.close()

    async def lines(self, url: str) -> list[Any]:
        """The results in a file, a JSON a line."""
        body = await self.call("GET", url)
        lines = body.splitlines()
        return [decoded(line, Any, "JSON") for line in lines if line.strip()]  # type: ignore[arg-type]


_LARGEST = 2**30


def batch_line(name: str, path: str, body: bytes) -> bytes:
    """A request as a line of a batch, which is answered under its name."""
    line = {"custom_id": name, "method": "POST", "url": f"/v1{path}", "body": msgspec.Raw(body)}
    return msgspec.json.encode(line)


class OpenAIBatches(BatchApi):
    """OpenAI's batches, at its own address or another's."""

    most: ClassVar[int] = 50_000
    size: ClassVar[int] = 180 * 2**20

    async def submit(self, token: str, requests: Mapping[str, bytes]) -> str:
        """Upload the requests as a file, and hand it in."""
        from aiohttp import FormData

        lines = [batch_line(name, self._path, body) for name, body in requests.items()]
        form = FormData()
        form.add_field("purpose", "batch")
        form.add_field(
            "file",
            b"\n".join(lines) + b"\n",
            filename="batch.jsonl",
            content_type="application/jsonl",
        )
        file = await self._http.json("POST", "/files", form)
        made = await self._http.json(
            "POST",
            "/batches",
            {
                "input_file_id": _id(file),
                "endpoint": f"/v1{self._path}",
                "completion_window": "24h",
                "metadata": {"zhiyin": token},
            },
        )
        return _id(made)

    async def find(self, token: str, count: int, at: float, known: set[str]) -> str | None:
        """The batch that was handed in under our name, if there is one."""
        after = ""
        while True:
            page = await self._http.json("GET", f"/batches?limit=100{after}")
            for one in page.get("data") or ():
                if (one.get("metadata") or {}).get("zhiyin") == token:
                    return str(one["id"])
                if one.get("created_at", at) < at - _SLACK_S:
                    return None
            if not page.get("has_more") or not page.get("data"):
                return None
            after = f"&after={page['data'][-1]['id']}"

    async def results(self, batch: str) -> dict[str, BatchPart] | None:
        """Results by id; None as long as it is worked on."""
        response = await self._http.json("GET", f"/batches/{batch}")
        if not isinstance(response.get("status"), str):
            raise FatalError(_NO_BATCHES)
        if response["status"] == "failed":
            reason = ((response.get("errors") or {}).get("data") or [{}])[0].get("message")
            raise FatalError(f"the provider takes no such batch: {reason or 'no reason given'}")
        if response["status"] not in ("completed", "expired", "cancelled"):
            return None
        parts: dict[str, BatchPart] = {}
        for name in ("output_file_id", "error_file_id"):
            if file := response.get(name):
                for one in await self._http.lines(f"/files/{file}/content"):
                    parts[one["custom_id"]] = _openai_part(one)
        return parts


def _openai_part(one: dict[str, Any]) -> BatchPart:
    error, response = one.get("error"), one.get("response")
    if response:
        return BatchPart(int(response["status_code"]), msgspec.json.encode(response["body"]))
    if (error or {}).get("code") in ("batch_expired", "batch_cancelled"):
        return EXPIRED
    return BatchPart(500, msgspec.json.encode({"error": error or {"message": "no response"}}))


class AnthropicBatches(BatchApi):
    """Anthropic's message batches. They have no name of ours: they are found by time and number."""

    most: ClassVar[int] = 100_000
    size: ClassVar[int] = 200 * 2**20
    _at = "/v1/messages/batches"

    async def submit(self, token: str, requests: Mapping[str, bytes]) -> str:
        """Hand the requests in."""
        parts = [
            {"custom_id": name, "params": msgspec.Raw(body)} for name, body in requests.items()
        ]
        made = await self._http.json("POST", self._at, {"requests": parts})
        return _id(made)

    async def find(self, token: str, count: int, at: float, known: set[str]) -> str | None:
        """A batch from about then with as many requests, which is not in `known`.

        The ids of its results show later whether it is the right one.
        """
        page = await self._http.json("GET", f"{self._at}?limit=100")
        for one in page.get("data") or ():
            made = datetime.fromisoformat(one["created_at"]).timestamp()
            number = sum((one.get("request_counts") or {}).values())
            near = at - _SLACK_S <= made <= at + _SLACK_S
            if near and number == count and one["id"] not in known:
                return str(one["id"])
        return None

    async def results(self, batch: str) -> dict[str, BatchPart] | None:
        """Results by id; None as long as it is worked on."""
        response = await self._http.json("GET", f"{self._at}/{batch}")
        if not isinstance(response.get("processing_status"), str):
            raise FatalError(_NO_BATCHES)
        if response["processing_status"] != "ended":
            return None
        url = response.get("results_url") or f"{self._at}/{batch}/results"
        lines = await self._http.lines(url)
        return {one["custom_id"]: _anthropic_part(one["result"]) for one in lines}


def _anthropic_part(result: dict[str, Any]) -> BatchPart:
    if result["type"] == "succeeded":
        return BatchPart(200, msgspec.json.encode(result["message"]))
    if result["type"] in ("expired", "canceled"):
        return EXPIRED
    error = result.get("error") or {}
    inner = error.get("error") or error
    return BatchPart(
        STATUSES.get(str(inner.get("type")), 500), msgspec.json.encode({"error": inner})
    )


class GeminiBatches(BatchApi):
    """Gemini's batches, with the requests in the call."""

    most: ClassVar[int] = 10_000
    size: ClassVar[int] = 18 * 10**6

    async def submit(self, token: str, requests: Mapping[str, bytes]) -> str:
        """Hand the requests in."""
        inlined = [
            {"request": msgspec.Raw(body), "metadata": {"key": name}}
            for name, body in requests.items()
        ]
        batch = {
            "model": f"models/{self._model}",
            "displayName": token,
            "inputConfig": {"requests": {"requests": inlined}},
        }
        path = "/v1beta/{model}:batchGenerateContent"
        made = await self._http.json("POST", path, {"batch": batch})
        return str(made["name"])

    async def find(self, token: str, count: int, at: float, known: set[str]) -> str | None:
        """The batch that was handed in under our name, if there is one."""
        after = ""
        while True:
            page = await self._http.json("GET", f"/v1beta/batches?pageSize=100{after}")
            for one in page.get("operations") or ():
                if (one.get("metadata") or {}).get("displayName") == token:
                    return str(one["name"])
            if not (further := page.get("nextPageToken")):
                return None
            after = f"&pageToken={further}"

    async def results(self, batch: str) -> dict[str, BatchPart] | None:
        """Results by id; None as long as it is worked on."""
        operation = await self._http.json("GET", f"/v1beta/{batch}")
        state = str((operation.get("metadata") or {}).get("state") or "")
        if not operation.get("done") and not state.endswith(_GEMINI_ENDED):
            return None
        if operation.get("error") and not operation.get("response"):
            reason = operation["error"].get("message") or "no reason given"
            raise FatalError(f"the provider gave the batch up: {reason}")
        inlined = ((operation.get("response") or {}).get("inlinedResponses")) or {}
        if isinstance(inlined, dict):
            inlined = inlined.get("inlinedResponses") or []
        return {
            one["metadata"]["key"]: _gemini_part(one)
            for one in inlined
            if (one.get("metadata") or {}).get("key")
        }


_GEMINI_ENDED = ("_SUCCEEDED", "_FAILED", "_CANCELLED", "_EXPIRED")
_GRPC = {3: 400, 5: 404, 7: 403, 8: 429, 16: 401}


def _gemini_part(one: dict[str, Any]) -> BatchPart:
    if one.get("response"):
        return BatchPart(200, msgspec.json.encode(one["response"]))
    error = one.get("error") or {}
    if error.get("code") in (1, 4):  # cancelled, or too late
        return EXPIRED
    return BatchPart(
        _GRPC.get(int(error.get("code") or 0), 500), msgspec.json.encode({"error": error})
    )


_WIRES: dict[str, type[BatchApi]] = {
    "gemini": GeminiBatches,
    "anthropic": AnthropicBatches,
    **dict.fromkeys(("openai", "http", "https", "openai-responses"), OpenAIBatches),
}


def batch_api_of(model: Any) -> BatchApi:
    """The batches of a model's provider. Raises `ModelError` where it has none."""
    endpoint: Any = getattr(model, "endpoint", None)
    known = isinstance(endpoint, Endpoint) and endpoint.base
    if known and (wire := _WIRES.get(endpoint.name.partition(":")[0])):
        return wire(endpoint, model.dialect)
    raise ModelError(said("error-no-batches-of", name=model.name))
