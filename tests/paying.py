"""A server that counts tokens and keeps a bill, as providers do: what runs cost is held against it.

Its tokenizer is a rule of its own, which the program does not know.
"""

import asyncio
import base64
import io
import json
import math
import re
from collections import Counter

import soundfile
from aiohttp import web

from local_server import LocalServer

MODEL = "paid"
PRICES = {"input": 2.0, "cached": 0.5, "audio": 40.0, "output": 8.0}
PER_SECOND = 32
PER_PICTURE = 300
_PIECES = re.compile(r"[\u3000-\u9fff\uff00-\uffef]|[A-Za-z]{1,6}|\d{1,3}|[^\w\s]|\n+")


def tokens(text):
    return len(_PIECES.findall(text))


class PayServer(LocalServer):
    """For as long as the ``with`` block lasts. `counts`: whether it counts for nothing, too."""

    def __init__(self, answer=lambda text: "A", *, counts=True, latency_s=0.0, headers=None):
        self.answer, self.counts, self.latency_s = answer, counts, latency_s
        self.headers = headers or (lambda: {})
        self.calls, self.counted, self.most_at_once, self._now = 0, 0, 0, 0
        self.used = Counter()
        self.usd = 0.0
        self.times = []

    @property
    def spec(self):
        return f"http://127.0.0.1:{self.port}/v1#{MODEL}"

    def routes(self):
        return [
            web.post("/v1/chat/completions", self._complete),
            web.get("/v1/models", self._models),
            web.post("/tokenize", self._tokenize),
        ]

    async def _models(self, request):
        return web.json_response({"object": "list", "data": []})

    async def _tokenize(self, request):
        if not self.counts:
            raise web.HTTPNotFound
        self.counted += 1
        body = await request.json()
        return web.json_response({"count": self.words(body["messages"])})

    async def _complete(self, request):
        self.calls += 1
        self.times.append(asyncio.get_running_loop().time())
        self._now += 1
        self.most_at_once = max(self.most_at_once, self._now)
        try:
            body = await request.json()
            if self.latency_s:
                await asyncio.sleep(self.latency_s)
            return web.json_response(self.complete(body), headers=self.headers())
        finally:
            self._now -= 1

    def complete(self, body, share=1.0):
        """The completion for a request, written onto the bill."""
        text = self.answer(_text(body["messages"]))
        sound = self.sound(body["messages"])
        sent, came = self.words(body["messages"]) + sound, tokens(text)
        sent += PER_PICTURE * _pictures(body["messages"])
        self.used.update(input=sent, output=came, sound=sound)
        price = PRICES
        usd = (sent - sound) * price["input"] + sound * price["audio"] + came * price["output"]
        self.usd += usd / 1e6 * share
        usage = {
            "prompt_tokens": sent,
            "completion_tokens": came,
            "total_tokens": sent + came,
            "prompt_tokens_details": {"audio_tokens": sound, "cached_tokens": 0},
        }
        message = {"role": "assistant", "content": text}
        return {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": MODEL,
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": usage,
        }

    def words(self, messages):
        return sum(7 + tokens(_text([message])) for message in messages)

    def sound(self, messages):
        return sum(math.ceil(PER_SECOND * seconds(data)) for data in _sounds(messages))


def seconds(data):
    with soundfile.SoundFile(io.BytesIO(data)) as file:
        return file.frames / file.samplerate


def _text(messages):
    found = []
    for message in messages:
        content = message["content"]
        parts = [{"type": "text", "text": content}] if isinstance(content, str) else content
        found += [part["text"] for part in parts if part["type"] == "text"]
    return "\n\n".join(found)


def _pictures(messages):
    contents = (m["content"] for m in messages if not isinstance(m["content"], str))
    return sum(part["type"] == "image_url" for parts in contents for part in parts)


def _sounds(messages):
    for message in messages:
        if not isinstance(message["content"], str):
            for part in message["content"]:
                if part["type"] == "input_audio":
                    yield base64.b64decode(part["input_audio"]["data"])


def write_prices(folder, spec, **more):
    """The user's own table with this server's prices."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [f"[{json.dumps(spec)}]", "date = 2026-11-20", 'source = "the server of the test"']
    lines += [f"{name} = {value}" for name, value in {**PRICES, **more}.items()]
    (folder / "prices.toml").write_text("\n".join(lines) + "\n")
