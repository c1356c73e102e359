"""Serving a page from the command line."""

from __future__ import annotations

import sys
from collections.abc import Callable, Coroutine
from typing import Any

from zhiyin.errors import InputError

LOOPBACK = ("127.0.0.1", "localhost", "::1")


def serve_page(
    serve: Callable[[Callable[[str], None]], Coroutine[Any, Any, None]],
    port: int,
    line: str,
    opens: bool,
) -> None:
    """Serve a page until interrupted; `line` says where it is, `opens` shows it in a browser."""
    import asyncio

    if not 0 <= port <= 65535:
        raise InputError(f"--port {port} is no port: give 0 (any free one) to 65535")

    def ready(address: str) -> None:
        sys.stderr.write(line.replace("{address}", address) + "\n")
        sys.stderr.flush()
        if opens:
            import webbrowser

            webbrowser.open(address)

    try:
        asyncio.run(serve(ready))
    except KeyboardInterrupt:
        sys.stderr.write("ended\n")
