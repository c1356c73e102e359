"""The server of `zhiyin view`: the report's own page on runs that may still go on.

Whoever asks is looked at first (`zhiyin.plugins.methods.serving`). No path is taken: recordings and
pictures are given by the SHA-256 that a record names, and tunes by the hash of their text.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Sequence
from pathlib import Path

import msgspec
from aiohttp import web

from zhiyin.errors import adding
from zhiyin.files import cache_folder
from zhiyin.plugins.methods import serving
from zhiyin.report import media
from zhiyin.report.front import page, rendered
from zhiyin.report.media import open_engravings
from zhiyin.report.outputs import SCRIPTS, STYLE, asset, linked_look
from zhiyin.report.overview import overview
from zhiyin.report.page_data import TrialDetails, describe, index, media_of, page_data
from zhiyin.report.run_set import RunSet
from zhiyin.shown.pages import others
from zhiyin.words import LANGUAGES, Text, said

CHUNK = 50
"""Trials in one answer."""

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src data:; "
    "media-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'"
)
HEADERS = serving.strict_headers(POLICY)
_TYPES = {".js": "text/javascript", ".css": "text/css"}
_DATA = re.compile(r"report|trials|state|trials-(\d{1,9})")


class Viewer:
    """Data that the server answers from: runs that are kept up to date.

    Parameters
    ----------
    runs : sequence of Path
        Run folders, finished or not.
    host : str
        The address that is listened on.

    Raises
    ------
    InputError
        When a folder is not a run.
    """

    def __init__(self, runs: Sequence[Path], host: str = "127.0.0.1") -> None:
        self.run_set = RunSet(runs)
        self._listed = self.run_set.cases
        self.tunes = open_engravings(cache_folder("notation"))
        self.version = 0
        self._host = host
        self._lock = asyncio.Lock()
        self._sounds: dict[str, media.SoundEntry] = {}
        self._kept: dict[str, bytes] = {}

    def application(self) -> web.Application:
        """The web application."""
        app = web.Application(middlewares=[serving.guard(self._host, HEADERS)])
        app.router.add_get("/", self._page)
        app.router.add_get("/favicon.ico", serving.no_icon)
        app.router.add_get("/assets/{name}", self._asset)
        app.router.add_get("/data/{name}.json", self._data)
        app.router.add_get("/audio/{sha256}", self._audio)
        app.router.add_get("/pictures/{sha256}", self._picture)
        app.router.add_get("/notation/{name}.svg", self._notation)
        return app

    async def _page(self, request: web.Request) -> web.Response:
        async with self._lock:
            html = await asyncio.to_thread(
                self._answer, f"page-{serving.language_of(request)}", None
            )
        answer = web.Response(body=html, content_type="text/html", charset="utf-8")
        serving.keep_language(request, answer)
        return answer

    async def _asset(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in (*SCRIPTS, STYLE):
            raise web.HTTPNotFound
        return web.Response(text=asset(name), content_type=_TYPES[Path(name).suffix])

    async def _data(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        match = _DATA.fullmatch(name)
        if not match:
            raise web.HTTPNotFound
        async with self._lock:
            body = await asyncio.to_thread(self._answer, name, match[1])
        return web.Response(body=body, content_type="application/json")

    def _answer(self, name: str, first: str | None) -> bytes:
        if name == "state" and self.run_set.catch_up():
            self._listed = self.run_set.cases
            self.version += 1
            self._kept.clear()
        if name == "state":
            return msgspec.json.encode({"version": self.version})
        if first is not None:
            return msgspec.json.encode(self._portion(int(first)))
        if name not in self._kept:
            if name == "trials":
                listed = index(self.run_set, list(range(0, len(self._listed), CHUNK)))
                self._kept[name] = msgspec.json.encode(listed)
            else:
                self._keep_report()
        return self._kept[name]

    def _keep_report(self) -> None:
        """The page, and what its scripts know, as the runs are now."""
        notes: list[Text] = []
        if not self.tunes.available:
            notes.append(said("without-notation", add=adding("notation")))
        about = overview(self.run_set)
        addresses = {language: f"?lang={language}" for language in LANGUAGES}
        for language in LANGUAGES:
            made = rendered(about, language, live=True)
            links = others(addresses, language)
            html = page(made, notes, linked_look(""), others=links)
            self._kept[f"page-{language}"] = html.encode()
        data = page_data(self.run_set, LANGUAGES)
        data.version = self.version
        self._kept["report"] = msgspec.json.encode(data)

    def _portion(self, first: int) -> list[TrialDetails]:
        portion = [
            describe(case, records, self.tunes)
            for case, records in self.run_set.records(first, first + CHUNK)
        ]
        for detail in portion:
            heard, shown = media_of([detail])
            sounds = {sha256: self._sound(sha256) for sha256 in sorted(heard)}
            detail.sounds = {sha256: entry for sha256, entry in sounds.items() if entry}
            detail.pictures = {
                sha256: media.PictureEntry.of(f"pictures/{sha256}", picture)
                for sha256, picture in media.open_pictures(self.run_set.pictures, shown)
            }
        return portion

    def _sound(self, sha256: str) -> media.SoundEntry | None:
        if sha256 not in self._sounds:
            recording = media.open_recording(self.run_set.sounds[sha256], cache_folder("waveforms"))
            if recording is None:
                return None
            self._sounds[sha256] = media.SoundEntry.of(f"audio/{sha256}", recording)
        return self._sounds[sha256]

    async def _audio(self, request: web.Request) -> web.Response:
        sound = self.run_set.sounds.get(request.match_info["sha256"])
        if sound is None:
            raise web.HTTPNotFound
        recording = await asyncio.to_thread(media.open_recording, sound, cache_folder("waveforms"))
        if recording is None:
            raise web.HTTPNotFound
        return _part(request, recording)

    async def _picture(self, request: web.Request) -> web.Response:
        picture = self.run_set.pictures.get(request.match_info["sha256"])
        if picture is None:
            raise web.HTTPNotFound
        shown = await asyncio.to_thread(media.open_picture, picture)
        if shown is None:
            raise web.HTTPNotFound
        return web.Response(body=shown.data, content_type=shown.mime)

    async def _notation(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in self.tunes.tunes:
            raise web.HTTPNotFound
        svg = await asyncio.to_thread(self.tunes.engraving, name)
        if svg is None:
            raise web.HTTPNotFound
        return web.Response(body=svg, content_type="image/svg+xml")


def _part(request: web.Request, recording: media.PlayableRecording) -> web.Response:
    """The recording, or the range of it that the browser asks for in order to seek."""
    data, headers = recording.data, {"Accept-Ranges": "bytes"}
    try:
        wanted = request.http_range
    except ValueError:
        raise web.HTTPRequestRangeNotSatisfiable from None
    if wanted.start is None and wanted.stop is None:
        return web.Response(body=data, content_type=recording.mime, headers=headers)
    start, stop, _ = wanted.indices(len(data))
    if start >= stop:
        raise web.HTTPRequestRangeNotSatisfiable
    headers["Content-Range"] = f"bytes {start}-{stop - 1}/{len(data)}"
    body = data[start:stop]
    return web.Response(status=206, body=body, content_type=recording.mime, headers=headers)


async def serve(runs: Sequence[Path], host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until cancelled.

    Parameters
    ----------
    runs : sequence of Path
        Run folders.
    host : str
        Address to listen on.
    port : int
        0 for any that is free.
    ready : callable
        Is called once with the address to open.

    Raises
    ------
    InputError
        When a folder is not a run, or the address cannot be listened on.
    """
    await serving.listen(Viewer(runs, host).application(), host, port, ready)
