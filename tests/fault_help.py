"""Faults made on purpose: full disks, folders that may not be written, clocks, servers."""

from __future__ import annotations

import contextlib
import datetime
import encodings.utf_16_le  # noqa: F401 - whoever may not read Python's files looks for it once
import os
import random
import resource
import socket
import socketserver
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.cli import main

NOBODY = 65534


@contextlib.contextmanager
def no_room(size: int) -> Iterator[None]:
    """No file of this process may grow beyond `size` bytes: writing fails as on a full disk."""
    soft, hard = resource.getrlimit(resource.RLIMIT_FSIZE)
    compiled, sys.dont_write_bytecode = sys.dont_write_bytecode, True  # it would be cut off
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, hard))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, (soft, hard))
        sys.dont_write_bytecode = compiled


@contextlib.contextmanager
def only_reading(folder: Path) -> Iterator[None]:
    """Nothing in a folder may be changed, by root neither, who acts as somebody else."""
    inside = [folder, *folder.rglob("*")]
    before = [(path, path.stat().st_mode) for path in inside]
    for path in inside:
        path.chmod(0o555 if path.is_dir() else 0o444)
    root = os.geteuid() == 0
    if root:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        if root:
            os.seteuid(0)
        for path, mode in before:
            path.chmod(mode)


@contextlib.contextmanager
def open_to_all() -> Iterator[Path]:
    """A folder that anybody may look into, as pytest's own are not."""
    with tempfile.TemporaryDirectory(prefix="zhiyin-faults-") as name:
        Path(name).chmod(0o755)
        yield Path(name)


def jumping(monkeypatch: Any, seed: int = 1, most_s: float = 90_000.0) -> list[float]:
    """From now on the clock on the wall jumps back and forth each time that it is looked at.

    Returns the jumps in seconds, as they come.
    """
    real, draw, jumps = time.time, random.Random(seed), []

    def now() -> float:
        jumps.append(draw.uniform(-most_s, most_s))
        return real() + jumps[-1]

    class Jumping(datetime.datetime):
        @classmethod
        def now(cls, tz: Any = None) -> Any:
            return datetime.datetime.fromtimestamp(now(), tz)

    monkeypatch.setattr(time, "time", now)
    for name, module in list(sys.modules.items()):
        if name.startswith("zhiyin.") and getattr(module, "datetime", None) is datetime.datetime:
            monkeypatch.setattr(module, "datetime", Jumping)
    return jumps


# Servers ----------------------------------------------------------------------------------------

_BODY = msgspec.json.encode(
    {"choices": [{"message": {"role": "assistant", "content": "A"}, "finish_reason": "stop"}]}
)


def _head(status: str = "200 OK", *lines: str, size: int | None = None) -> bytes:
    given = [f"HTTP/1.1 {status}", "Content-Type: application/json", *lines]
    if size is not None:
        given.append(f"Content-Length: {size}")
    return ("\r\n".join(given) + "\r\n\r\n").encode()


ANSWERS: dict[str, list[bytes | float]] = {
    "a byte a second": [_head(size=len(_BODY)), *[part for byte in _BODY for part in
                        (bytes([byte]), 1.0)]],
    "headers a byte a second": [part for byte in _head(size=9) for part in (bytes([byte]), 1.0)],
    "never answers": [3600.0],
    "never closes": [_head(), _BODY[:20], 3600.0],
    "less than it says": [_head(size=len(_BODY) + 9), _BODY],
    "redirects in a circle": [_head("302 Found", "Location: /v1/chat/completions", size=0)],
    "a page": [_head(size=13), b"<html></html>"],
    "100 MB": [_head(size=100_000_000), *[b" " * 1_000_000] * 100],
    "no UTF-8": [_head(size=len(_BODY)), _BODY.replace(b'"A"', b'"\xff"')],
    "no HTTP": [b"220 mail.example ESMTP\r\n" * 9],
    "nothing": [],
    "null": [_head(size=4), b"null"],
    "wait a million years": [_head("429 Too Many Requests", "Retry-After: 31536000000000", size=0)],
    "wait until the year 9999": [
        _head("503 Busy", "Retry-After: Fri, 31 Dec 9999 23:59:59 GMT", size=0)
    ],
    "wait less than nothing": [_head("429 Too Many Requests", "Retry-After: -1e308", size=0)],
}  # fmt: skip
"""What a bad server sends, piece by piece; a number is seconds in which it sends nothing."""


class BadServer:
    """A server, for as long as the block lasts, that treats every request badly, in one way."""

    def __init__(self, way: str) -> None:
        pieces, over = ANSWERS[way], threading.Event()

        class Handler(socketserver.BaseRequestHandler):
            def handle(self) -> None:
                request: socket.socket = self.request
                with contextlib.suppress(OSError):
                    request.recv(65536)
                    for piece in pieces:
                        if isinstance(piece, float):
                            if over.wait(piece):
                                return
                        else:
                            request.sendall(piece)

        class Server(socketserver.ThreadingTCPServer):
            daemon_threads, allow_reuse_address, block_on_close = True, True, False

        self._server, self._over = Server(("127.0.0.1", 0), Handler), over
        self.spec = f"http://127.0.0.1:{self._server.server_address[1]}/v1#m"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def __enter__(self) -> BadServer:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()


def slow_judge(messages: list[dict[str, Any]]) -> str:
    """A judge that takes a moment: it says the same of the same text."""
    from types import SimpleNamespace

    from judge_help import judge_answer

    time.sleep(0.02)
    return judge_answer(SimpleNamespace(body={"messages": messages}))


def logs(folder: Path) -> dict[str, dict[str, Any]]:
    """All records below a folder by log and id, times aside."""
    found = {}
    for log in sorted(folder.rglob("records.jsonl")):
        lines = [msgspec.json.decode(line) for line in log.read_bytes().splitlines()]
        for record in lines:
            record.pop("attempts", None)
            for turn in record.get("exchange", {}).get("turns", ()):
                turn["reply"].pop("latency_s", None)
        assert len({record["id"] for record in lines}) == len(lines)
        found[str(log.relative_to(folder))] = {record["id"]: record for record in lines}
    return found


def carried_out(words: list[Any], capsys: Any, statuses: tuple[int, ...] = (0,)) -> tuple[int, str]:
    """A command: its exit status, and what it said, which is no traceback."""
    status = main([str(word) for word in words])
    said = capsys.readouterr()
    assert status in statuses, said.err
    assert "Traceback" not in said.err + said.out
    if status == 2:
        assert said.err.startswith("zhiyin: ")
        assert said.err.count("\n") == 1, said.err
    return status, said.err + said.out
