"""The server of `zhiyin view DIR`: on this machine alone, unless the user asks for more.

No path is taken: a run is named by a key made of its place, a reply by its trial's id, which is
compared and never opened. What changes notes needs a token that only our own pages hold.
"""

from __future__ import annotations

import asyncio
import hmac
import secrets
from collections.abc import Callable
from pathlib import Path
from typing import cast
from urllib.parse import urlencode

from aiohttp import web

from zhiyin.analysis.compare import compare_all
from zhiyin.analysis.comparison import Comparison
from zhiyin.analysis.summary import summarise
from zhiyin.errors import InputError
from zhiyin.plugins.lab.labbook import MOST_LETTERS, Kind, Notebook, pages
from zhiyin.plugins.lab.labbook.pages import Visit
from zhiyin.plugins.lab.labbook.run_list import ListedRun, RunList
from zhiyin.plugins.lab.viewer import Viewer
from zhiyin.plugins.methods import serving
from zhiyin.shown.pages import STYLE, asset
from zhiyin.words import Text, said

POLICY = (
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src data:; "
    "base-uri 'none'; form-action 'self'"
)
# Without a referrer a browser sends our own forms from nowhere ("Origin: null").
HEADERS = serving.strict_headers(POLICY) | {"Referrer-Policy": "same-origin"}
LOOPBACK = ("127.0.0.1", "localhost", "::1")
_ASSETS = {
    STYLE: (STYLE, "text/css"),
    "again.js": ("zhiyin.plugins.lab.labbook/again.js", "text/javascript"),
}
_KINDS = ("label", "tag", "untag", "note", "strike")
_COOKIE = "zhiyin-labbook"
_MOST_VIEWERS = 8
_MOST_COMPARED = 10


class LabBook:
    """Data that the server answers from.

    Parameters
    ----------
    root : Path
        The folder of the runs.
    host : str
        The address that is listened on. Any but this machine's own needs the token in the URL.

    Attributes
    ----------
    token : str
        Guards what changes notes, and, where others can reach the address, every page.
    """

    def __init__(self, root: Path, host: str = LOOPBACK[0]) -> None:
        self.shelf = RunList(root)
        self.token = secrets.token_urlsafe(24)
        self._host = host
        self._lock = asyncio.Lock()
        self._viewers: dict[tuple[str, ...], tuple[web.AppRunner, str]] = {}

    def application(self) -> web.Application:
        """The web application."""

        @web.middleware
        async def guard(request: web.Request, handler: serving.Handler) -> web.StreamResponse:
            return await self._guard(request, handler)

        app = web.Application(middlewares=[guard], client_max_size=8 * MOST_LETTERS)
        app.router.add_get("/", self._runs)
        app.router.add_get("/favicon.ico", serving.no_icon)
        app.router.add_get("/assets/{name}", self._asset)
        app.router.add_get("/history", self._history)
        app.router.add_get("/compare", self._compare)
        app.router.add_get("/report", self._report)
        app.router.add_get("/run/{key}", self._run)
        app.router.add_get("/run/{key}/reply", self._reply)
        app.router.add_get("/run/{key}/report", self._report)
        app.router.add_post("/notes", self._write)
        app.on_cleanup.append(self._close)
        return app

    async def _guard(self, request: web.Request, handler: serving.Handler) -> web.StreamResponse:
        try:
            self._let_in(request)
            answer = await handler(request)
        except web.HTTPException as problem:
            problem.headers.update(HEADERS)
            raise
        except InputError as problem:
            page = pages.trouble_page(said("lab-wrong"), str(problem), self._visit(request))
            answer = _html(page, status=422)
        except ValueError:  # a number in the address that is none
            title, cause = said("lab-no-such-page"), said("lab-damaged-address")
            answer = _html(pages.trouble_page(title, cause, self._visit(request)), 400)
        answer.headers.update(HEADERS)
        serving.keep_language(request, answer)
        if request.query.get("token"):
            answer.set_cookie(_COOKIE, self.token, httponly=True, samesite="Strict")
        return answer

    def _visit(self, request: web.Request) -> Visit:
        return Visit(serving.language_of(request), request.query_string, self.token)

    def _let_in(self, request: web.Request) -> None:
        """Refuse names that only point here, other sites, and strangers without the token."""
        if not serving.is_ours(request.headers.get("Host", ""), self._host):
            raise web.HTTPForbidden(text="this page is for its own machine only\n")
        site = request.headers.get("Sec-Fetch-Site", "none")
        if site not in ("same-origin", "none") and (request.method != "GET" or request.path != "/"):
            raise web.HTTPForbidden(text="another site asks\n")
        if self._host not in LOOPBACK:
            token = request.query.get("token") or request.cookies.get(_COOKIE, "")
            if not hmac.compare_digest(token.encode(), self.token.encode()):
                raise web.HTTPForbidden(text="open the address that `zhiyin view` has printed\n")

    async def _runs(self, request: web.Request) -> web.Response:
        runs = await self._all()
        return _html(pages.runs_page(runs, self._visit(request)))

    async def _history(self, request: web.Request) -> web.Response:
        return _html(pages.history_page(await self._all(), self._visit(request)))

    async def _all(self) -> list[ListedRun]:
        async with self._lock:
            return await asyncio.to_thread(self.shelf.runs)

    async def _one(self, key: str) -> tuple[ListedRun, Path]:
        async with self._lock:
            folder = await asyncio.to_thread(self.shelf.folder, key)
            run = await asyncio.to_thread(self.shelf.run, key)
        if folder is None or run is None:
            raise web.HTTPNotFound(text="no such run\n")
        return run, folder

    async def _run(self, request: web.Request) -> web.Response:
        run, folder = await self._one(request.match_info["key"])

        def made() -> str:
            summary = None
            try:
                summary = summarise(folder)
            except InputError as error:
                run.problem = run.problem or str(error)
            return pages.run_page(run, folder, summary, self._visit(request))

        return _html(await asyncio.to_thread(made))

    async def _reply(self, request: web.Request) -> web.Response:
        run, folder = await self._one(request.match_info["key"])
        trial = request.query.get("id", "")
        record = await asyncio.to_thread(pages.find_reply, folder, trial)
        if record is None:
            raise web.HTTPNotFound(text="no such reply\n")
        visit = self._visit(request)
        return _html(await asyncio.to_thread(pages.reply_page, run, folder, record, visit))

    async def _compare(self, request: web.Request) -> web.Response:
        chosen = [await self._one(key) for key in _keys(request)]
        if not 2 <= len(chosen) <= _MOST_COMPARED:
            message = said("lab-tick-two", most=_MOST_COMPARED)
            page = pages.trouble_page(said("lab-comparing"), message, self._visit(request))
            return _html(page, 422)
        compared: list[Comparison] = []
        problem: Text = ""
        try:
            found = await asyncio.to_thread(compare_all, [folder for _, folder in chosen])
            compared = [one.better_first() for one in found]
        except InputError as error:
            problem = said("lab-not-compared", why=str(error))
        runs = [run for run, _ in chosen]
        if problem and len(names := sorted({run.benchmark for run in runs})) > 1:
            problem = said("lab-several-benchmarks", names=names)
        return _html(pages.compare_page(runs, compared, problem, self._visit(request)))

    async def _report(self, request: web.Request) -> web.Response:
        """The report's own page on some runs, served beside this one when it is first wanted."""
        if self._host not in LOOPBACK:  # the report's page knows no token
            title, message = said("lab-report"), said("lab-report-not-served")
            return _html(pages.trouble_page(title, message, self._visit(request)), 403)
        wanted = [request.match_info["key"]] if "key" in request.match_info else _keys(request)
        keys = tuple(wanted)[:_MOST_COMPARED]
        folders = [(await self._one(key))[1] for key in keys]
        if not folders:
            raise web.HTTPNotFound(text="no run is named\n")
        if keys not in self._viewers:
            while len(self._viewers) >= _MOST_VIEWERS:
                runner, _ = self._viewers.pop(next(iter(self._viewers)))
                await runner.cleanup()
            viewer = await asyncio.to_thread(Viewer, folders, self._host)
            self._viewers[keys] = await serving.started(viewer.application(), self._host)
        raise web.HTTPSeeOther(self._viewers[keys][1])

    async def _write(self, request: web.Request) -> web.Response:
        origin = request.headers.get("Origin")
        form = await request.post()
        sent = {name: str(value) for name, value in form.items()}
        ours = hmac.compare_digest(sent.get("token", "").encode(), self.token.encode())
        elsewhere = origin not in (None, f"http://{request.headers.get('Host', '')}")
        if not ours or elsewhere:
            raise web.HTTPForbidden(text="this form is not of a page of ours; open the page anew\n")
        if sent.get("kind") not in _KINDS:
            raise web.HTTPBadRequest(text="no such kind of note\n")
        run, folder = await self._one(sent.get("run", ""))
        trial, kind = sent.get("trial", ""), cast(Kind, sent["kind"])
        if trial and await asyncio.to_thread(pages.find_reply, folder, trial) is None:
            raise web.HTTPNotFound(text="no such reply\n")
        notebook = await asyncio.to_thread(Notebook, folder)
        await asyncio.to_thread(notebook.add, kind, sent.get("text", ""), trial)
        raise web.HTTPSeeOther(_back(run.key, trial))

    async def _asset(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        if name not in _ASSETS:
            raise web.HTTPNotFound
        place, kind = _ASSETS[name]
        return web.Response(text=asset(place), content_type=kind)

    async def _close(self, app: web.Application) -> None:
        for runner, _ in self._viewers.values():
            await runner.cleanup()


def _html(text: str, status: int = 200) -> web.Response:
    return web.Response(text=text, content_type="text/html", status=status)


def _keys(request: web.Request) -> list[str]:
    return list(dict.fromkeys(request.query.getall("run", [])))


def _back(key: str, trial: str) -> str:
    return f"/run/{key}/reply?{urlencode({'id': trial})}" if trial else f"/run/{key}"


async def serve(root: Path, host: str, port: int, ready: Callable[[str], None]) -> None:
    """Serve until cancelled.

    Parameters
    ----------
    root : Path
        The folder of the runs.
    host : str
        Address to listen on.
    port : int
        0 for any that is free.
    ready : callable
        Is called once with the address to open.

    Raises
    ------
    InputError
        There is no run in the folder, or the address cannot be listened on.
    """
    book = LabBook(root, host)

    def announce(address: str) -> None:
        ready(address if host in LOOPBACK else f"{address}?token={book.token}")

    await serving.listen(book.application(), host, port, announce)
