"""A server of chat completions that says the same at once: ``python bench/instant.py``.

What it takes for a request is taken from whoever asks on the same processors, so it does no more
than it must: it finds where a request ends and writes an answer that was made before. It prints
its port and serves until its standard input is closed.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import re
import sys

MODEL = "scripted"
_END = b"\r\n\r\n"
_LENGTH = re.compile(rb"\r\ncontent-length:[ \t]*(\d+)", re.IGNORECASE)


def _response(body: object) -> bytes:
    data = json.dumps(body).encode()
    head = f"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: {len(data)}"
    return head.encode() + _END + data


def completion(answer: str) -> bytes:
    """The response to every request for a completion."""
    message = {"role": "assistant", "content": answer}
    return _response(
        {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "model": f"{MODEL}-2026",
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 11, "completion_tokens": 3, "total_tokens": 14},
        }
    )


MODELS = _response({"object": "list", "data": [{"id": MODEL, "object": "model"}]})
NO_LENGTH = b"HTTP/1.1 411 Length Required\r\nContent-Length: 0\r\nConnection: close" + _END


class Connection(asyncio.Protocol):
    """One connection; a request is over when as many bytes have come as it said."""

    def __init__(self, answer: bytes) -> None:
        self.answer, self.held = answer, b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def data_received(self, data: bytes) -> None:
        self.held += data
        while (head := self.held.find(_END)) >= 0:
            post = self.held.startswith(b"POST")
            length = _LENGTH.search(self.held, 0, head)
            if post and length is None:
                self.transport.write(NO_LENGTH)
                self.transport.close()
                return
            end = head + len(_END) + (int(length[1]) if length else 0)
            if len(self.held) < end:
                return
            self.held = self.held[end:]
            self.transport.write(self.answer if post else MODELS)


async def serve(port: int, answer: str) -> None:
    """Answer until standard input is closed."""
    response = completion(answer)
    loop = asyncio.get_running_loop()
    server = await loop.create_server(lambda: Connection(response), "127.0.0.1", port, backlog=1024)
    print(server.sockets[0].getsockname()[1], flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--port", type=int, default=0, help="0 for any that is free")
    parser.add_argument("--answer", default="A", help="what to reply to everything")
    chosen = parser.parse_args()
    asyncio.run(serve(chosen.port, chosen.answer))


if __name__ == "__main__":
    main()
