"""A server on this machine that speaks OpenAI's chat completions, and fails as real ones do.

In a test: ``with ChatServer(answer) as server: open_model(server.spec)``. For a bench, in a
process of its own: ``python tests/servers.py --port 0 --latency 0.2``, which prints its port and
serves until its standard input is closed.
"""

from __future__ import annotations

import argparse
import asyncio
import base64
import hashlib
import io
import random
import sys
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
from aiohttp import web

from local_server import LocalServer

FAILURES = ("429", "429-wait", "500", "dropped", "invalid", "hang", "empty", "length")
MODEL = "scripted"


@dataclass
class Call:
    """One request for a completion, as it arrived."""

    body: dict[str, Any]
    headers: Mapping[str, str]

    @property
    def text(self) -> str:
        """The words of the last message."""
        content = self.body["messages"][-1]["content"]
        if isinstance(content, str):
            return content
        return "\n\n".join(part["text"] for part in content if part["type"] == "text")

    @property
    def sounds(self) -> list[bytes]:
        """The sound files of all messages, decoded from base64, in order."""
        return [
            base64.b64decode(part["input_audio"]["data"], validate=True)
            for message in self.body["messages"]
            if not isinstance(message["content"], str)
            for part in message["content"]
            if part["type"] == "input_audio"
        ]

    def waves(self) -> list[tuple[Any, int]]:
        """Every sound as samples (float64, shape (n, channels)) and rate in Hz."""
        import soundfile

        return [soundfile.read(io.BytesIO(data), always_2d=True) for data in self.sounds]


Answer = Callable[[Call], "str | dict[str, Any] | web.Response"]


def completion(text: str | None, finish: str | None = "stop", **message: Any) -> dict[str, Any]:
    """A completion such as OpenAI's, its message with any further fields."""
    return {
        "id": "chatcmpl-1",
        "object": "chat.completion",
        "model": f"{MODEL}-2026",
        "choices": [
            {
                "index": 0,
                "message": {"role": "assistant", "content": text, **message},
                "finish_reason": finish,
            }
        ],
        "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
    }


class ChatServer(LocalServer):
    """The server, in a thread of its own, for as long as the ``with`` block lasts.

    Parameters
    ----------
    answer : str or callable
        What to reply: words, or a function from `Call` to words, a body or a whole response.
    latency_s : float
        Seconds before each answer.
    fail : float
        Probability in [0, 1] that a call fails. Drawn from the seed, the request's body and how
        often that body has come, so that it does not depend on the order of arrival.
    kinds : iterable of str
        The failures to draw from, among `FAILURES`.
    seed : int
    keep : int
        How many calls to keep in `seen`.
    """

    def __init__(
        self,
        answer: str | Answer = "A",
        *,
        latency_s: float = 0.0,
        fail: float = 0.0,
        kinds: Iterable[str] = FAILURES,
        seed: int = 0,
        keep: int = 1000,
    ) -> None:
        self.answer, self.latency_s, self.fail, self.seed = answer, latency_s, fail, seed
        self.kinds = tuple(kinds)
        self.calls = 0
        self.failed: Counter[str] = Counter()
        self.seen: deque[Call] = deque(maxlen=keep)
        self.checked: list[Mapping[str, str]] = []
        self._times: Counter[bytes] = Counter()

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/v1"

    @property
    def spec(self) -> str:
        """The server as a model, for `open_model`."""
        return f"{self.url}#{MODEL}"

    def routes(self) -> list[web.RouteDef]:
        return [
            web.post("/v1/chat/completions", self._complete),
            web.get("/v1/models", self._models),
        ]

    async def _models(self, request: web.Request) -> web.Response:
        self.checked.append(dict(request.headers))
        return _json({"object": "list", "data": [{"id": MODEL, "object": "model"}]})

    async def _complete(self, request: web.Request) -> web.Response:
        body = await request.read()
        self.calls += 1
        if self.latency_s:
            await asyncio.sleep(self.latency_s)
        kind = self._failure(body) if self.fail else None
        if kind is not None:
            self.failed[kind] += 1
            return await self._fail(kind, request)
        if isinstance(self.answer, str):
            return _json(completion(self.answer))
        call = Call(msgspec.json.decode(body), dict(request.headers))
        self.seen.append(call)
        answer = self.answer(call)
        if isinstance(answer, web.Response):
            return answer
        return _json(completion(answer) if isinstance(answer, str) else answer)

    def _failure(self, body: bytes) -> str | None:
        digest = hashlib.sha256(body).digest()
        self._times[digest] += 1
        draw = random.Random(f"{self.seed}:{digest.hex()}:{self._times[digest]}")
        return draw.choice(self.kinds) if draw.random() < self.fail else None

    async def _fail(self, kind: str, request: web.Request) -> web.Response:
        if kind.startswith("429"):
            wait = "0.05" if kind == "429-wait" else "0"
            error = {"error": {"message": "Rate limit reached", "code": "rate_limit_exceeded"}}
            return _json(error, 429, {"Retry-After": wait})
        if kind == "500":
            return _json({"error": {"message": "The server had an error"}}, 500)
        if kind == "dropped":
            if request.transport is not None:
                request.transport.abort()
            return web.Response()
        if kind == "hang":
            await asyncio.sleep(3600)
        if kind == "invalid":
            return web.Response(text="<html><body>Bad gateway</body></html>")
        return _json(completion("" if kind == "empty" else "Let me", kind.replace("empty", "stop")))


def _json(body: Any, status: int = 200, headers: Mapping[str, str] | None = None) -> web.Response:
    return web.Response(
        body=msgspec.json.encode(body),
        status=status,
        headers=headers,
        content_type="application/json",
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 for any that is free")
    parser.add_argument("--latency", type=float, default=0.0, help="seconds before each answer")
    parser.add_argument("--fail", type=float, default=0.0, help="probability that a call fails")
    parser.add_argument("--kinds", nargs="+", choices=FAILURES, default=FAILURES)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--answer", default="A", help="what to reply to everything")
    chosen = parser.parse_args()
    server = ChatServer(
        chosen.answer,
        latency_s=chosen.latency,
        fail=chosen.fail,
        kinds=chosen.kinds,
        seed=chosen.seed,
    )
    server.port = chosen.port
    with server:
        print(server.port, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
