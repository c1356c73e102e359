"""A real browser for the tests: headless Chromium, driven through the DevTools protocol."""

from __future__ import annotations

import asyncio
import base64
import contextlib
import functools
import itertools
import json
import re
import shutil
import subprocess
import tempfile
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import aiohttp

FLAGS = (
    "--headless=new", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run",
    "--disable-background-networking", "--disable-component-update", "--disable-sync",
    "--disable-dev-shm-usage", "--autoplay-policy=no-user-gesture-required",
    "--remote-debugging-port=0",
)  # fmt: skip
# What the browser answers where the page that was asked is gone.
_LEFT = ("Inspected target navigated or closed", "Execution context was destroyed",
         "Cannot find context", "Cannot find default execution context")  # fmt: skip
_LISTENING = re.compile(rb"DevTools listening on (ws://\S+)")


def find_chromium() -> str | None:
    """The browser's program, or None where there is none."""
    names = ("chromium", "chromium-browser", "google-chrome", "chrome")
    return next((path for path in map(shutil.which, names) if path), None)


class Page:
    """One page. `errors` holds whatever its console calls an error, and exceptions."""

    def __init__(self, socket: aiohttp.ClientWebSocketResponse) -> None:
        self._socket, self._numbers = socket, itertools.count(1)
        self._waiting: dict[int, asyncio.Future[dict[str, Any]]] = {}
        self._events: dict[str, asyncio.Event] = {}
        self._session: str | None = None
        self._reader = asyncio.create_task(self._read())
        self.errors: list[str] = []
        self.requests: list[str] = []

    async def _read(self) -> None:
        async for message in self._socket:
            got = json.loads(message.data)
            waiting = self._waiting.pop(got.get("id", 0), None)
            if waiting is not None and not waiting.done():
                waiting.set_result(got)
            elif "method" in got:
                self._notice(got["method"], got.get("params", {}))

    def _notice(self, method: str, params: dict[str, Any]) -> None:
        if method == "Runtime.exceptionThrown":
            details = params["exceptionDetails"]
            self.errors.append(details.get("exception", {}).get("description") or details["text"])
        elif method == "Runtime.consoleAPICalled" and params["type"] in ("error", "assert"):
            self.errors.append(str([arg.get("value") for arg in params["args"]]))
        elif method == "Log.entryAdded" and params["entry"]["level"] == "error":
            self.errors.append(f"{params['entry']['text']} {params['entry'].get('url', '')}")
        elif method == "Network.requestWillBeSent":
            self.requests.append(params["request"]["url"])
        if method in self._events:
            self._events[method].set()

    async def call(self, method: str, **params: Any) -> dict[str, Any]:
        """One command of the protocol. Raises `RuntimeError` with the browser's words."""
        number = next(self._numbers)
        self._waiting[number] = asyncio.get_running_loop().create_future()
        order: dict[str, Any] = {"id": number, "method": method, "params": params}
        if self._session:
            order["sessionId"] = self._session
        await self._socket.send_json(order)
        answer = await asyncio.wait_for(self._waiting[number], 60)
        if "error" in answer:
            raise RuntimeError(f"{method}: {answer['error']['message']}")
        result: dict[str, Any] = answer["result"]
        return result

    async def attach(self, profile: str) -> None:
        """Make a page of its own in a profile and listen to it."""
        made = await self.call("Target.createTarget", url="about:blank", browserContextId=profile)
        target = made["targetId"]
        session = await self.call("Target.attachToTarget", targetId=target, flatten=True)
        self._session = session["sessionId"]
        for domain in ("Page", "Runtime", "Log", "Network"):
            await self.call(f"{domain}.enable")

    async def leave(self, profile: str) -> None:
        """Close all pages of a profile, and forget it."""
        self._session = None
        await self.call("Target.disposeBrowserContext", browserContextId=profile)

    async def open(self, url: str) -> None:
        """Go to an address, afresh even if only its fragment is new, and wait for the load."""
        for address in ("about:blank", url):
            loaded = self._events["Page.loadEventFired"] = asyncio.Event()
            await self.call("Page.navigate", url=address)
            await asyncio.wait_for(loaded.wait(), 60)

    async def run(self, script: str) -> Any:
        """The value of an expression, awaited. Raises `RuntimeError` where it throws."""
        answer = await self.call(
            "Runtime.evaluate", expression=script, awaitPromise=True, returnByValue=True,
            userGesture=True,
        )  # fmt: skip
        if "exceptionDetails" in answer:
            details = answer["exceptionDetails"]
            raise RuntimeError(details.get("exception", {}).get("description") or details["text"])
        return answer["result"].get("value")

    async def wait_for(self, condition: str, seconds: float = 15) -> Any:
        """Wait until an expression is true, also over a page that gives way to the next."""
        until = asyncio.get_running_loop().time() + seconds
        while not (value := await self._asked(condition)):
            if asyncio.get_running_loop().time() > until:
                raise AssertionError(f"not within {seconds} s: {condition}; errors: {self.errors}")
            await asyncio.sleep(0.05)
        return value

    async def _asked(self, condition: str) -> Any:
        """A condition's value, and None where the page was left while it was asked."""
        try:
            return await self.run(condition)
        except RuntimeError as error:
            if not any(words in str(error) for words in _LEFT):
                raise
            return None

    async def press(self, key: str) -> None:
        """One key, as a user presses it."""
        for kind in ("keyDown", "keyUp"):
            await self.call("Input.dispatchKeyEvent", type=kind, key=key, code=key)

    async def look(self, width: int, height: int, *, dark: bool = False) -> None:
        """Set the window's size and the colour scheme."""
        await self.call(
            "Emulation.setDeviceMetricsOverride", width=width, height=height,
            deviceScaleFactor=1, mobile=width < 600,
        )  # fmt: skip
        scheme = {"name": "prefers-color-scheme", "value": "dark" if dark else "light"}
        await self.call("Emulation.setEmulatedMedia", features=[scheme])

    async def screenshot(self, path: Path) -> None:
        """Save what is seen as PNG: for `docs/images`."""
        shot = await self.call("Page.captureScreenshot", format="png")
        path.write_bytes(base64.b64decode(shot["data"]))


class _Browser:
    """The browser of all tests of this process, until `close`."""

    def __init__(self) -> None:
        program = find_chromium()
        assert program, "no chromium: the caller skips"
        self._profile = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
        self._told = Path(self._profile.name, "told")
        # Without its parent it would go on for ever, at full speed.
        leash = [shutil.which("setpriv"), "--pdeathsig", "KILL"] if shutil.which("setpriv") else []
        with self._told.open("wb") as told:
            self._process = subprocess.Popen(
                [*leash, program, *FLAGS, f"--user-data-dir={self._profile.name}", "about:blank"],
                stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=told,
            )  # fmt: skip

    async def address(self) -> str:
        """Where it listens."""
        while not (found := _LISTENING.search(self._told.read_bytes())):
            assert self._process.poll() is None, "chromium ended before it listened"
            await asyncio.sleep(0.02)
        return found[1].decode()

    def end(self) -> None:
        self._process.terminate()
        self._process.wait()
        self._profile.cleanup()


_browser = functools.cache(_Browser)


def close() -> None:
    """End the browser, where there is one."""
    if _browser.cache_info().currsize:
        _browser().end()
        _browser.cache_clear()


@contextlib.asynccontextmanager
async def open_page() -> AsyncIterator[Page]:
    """A page with a new, empty profile."""
    async with (
        aiohttp.ClientSession() as session,
        session.ws_connect(await _browser().address(), max_msg_size=0) as socket,
    ):
        page = Page(socket)
        profile = (await page.call("Target.createBrowserContext"))["browserContextId"]
        await page.attach(profile)
        try:
            yield page
        finally:
            await page.leave(profile)
