"""A server on this machine in a thread of its own: what all servers of tests have in common."""

from __future__ import annotations

import asyncio
import contextlib
import threading
from collections.abc import Iterable
from typing import Self

from aiohttp import web


class LocalServer:
    """It serves its routes for as long as the ``with`` block lasts."""

    port = 0

    def routes(self) -> Iterable[web.AbstractRouteDef]:
        raise NotImplementedError

    def __enter__(self) -> Self:
        self._ready = threading.Event()
        self._thread = threading.Thread(target=lambda: asyncio.run(self._serve()), daemon=True)
        self._thread.start()
        if not self._ready.wait(10) or not self.port:
            raise RuntimeError("the server did not start")
        return self

    def __exit__(self, *exception: object) -> None:
        self.stop()
        self._thread.join(10)

    def stop(self) -> None:
        """Let the server die; it may be called by its own answer, and more than once."""
        with contextlib.suppress(RuntimeError):  # its loop is closed: it is dead already
            self._loop.call_soon_threadsafe(self._stop.set)

    async def _serve(self) -> None:
        self._loop, self._stop = asyncio.get_running_loop(), asyncio.Event()
        app = web.Application(client_max_size=2**28)
        app.add_routes(self.routes())
        runner = web.AppRunner(app, access_log=None, shutdown_timeout=0.05)
        await runner.setup()
        await web.TCPSite(runner, "127.0.0.1", self.port, backlog=1024).start()
        self.port = runner.addresses[0][1]
        self._ready.set()
        await self._stop.wait()
        await runner.cleanup()
