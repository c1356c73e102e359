"""The researcher's application: on a port of its own, for this machine unless told otherwise."""

from __future__ import annotations

import secrets
from pathlib import Path
from typing import Any

import jinja2
import msgspec
from fastapi import FastAPI
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response
from starlette.staticfiles import StaticFiles

from zhiyin.study.app import WEB
from zhiyin.study.export import codebook_of, rows
from zhiyin.study.figures import figures
from zhiyin.study.security import Guard, Limit, address_of, same
from zhiyin.study.store import Store

_COOKIE = "researcher"


class Desk:
    """Live progress, exclusions, agreement and downloads of a study.

    Parameters
    ----------
    store : Store
    token : str
        What the researcher is asked for, once a browser; "" to have one made.
    """

    def __init__(self, store: Store, token: str = "") -> None:
        self.store, self.token = store, token or secrets.token_urlsafe(24)
        self._wrong = Limit(20)
        self._templates = jinja2.Environment(
            loader=jinja2.FileSystemLoader(Path(WEB)), autoescape=True,
            undefined=jinja2.StrictUndefined,
        )  # fmt: skip

    def application(self) -> Any:
        """The application, guarded."""
        app = FastAPI(docs_url=None, redoc_url=None, openapi_url=None)
        app.add_route("/", self.page, methods=["GET"])
        app.add_route("/enter", self.enter, methods=["POST"])
        app.add_route("/figures.json", self.json, methods=["GET"])
        app.add_route("/answers.jsonl", self.answers, methods=["GET"])
        app.add_route("/codebook.json", self.codebook, methods=["GET"])
        app.mount("/static", StaticFiles(directory=WEB / "static"))
        return Guard(app)

    async def page(self, request: Request) -> Response:
        """Everything on one page, or the question for the token."""
        if not self._is_allowed(request):
            return HTMLResponse(self._render("enter.html"))
        summary = await run_in_threadpool(figures, self.store)
        return HTMLResponse(self._render("research.html", f=summary))

    async def enter(self, request: Request) -> Response:
        """Take the token, once; the cookie holds a keyed hash of it."""
        address = address_of(request, proxied=False)
        if self._wrong.spent(address):
            return PlainTextResponse("too many tries: wait a minute\n", 429)
        form = await request.form(max_fields=5)
        if not same(str(form.get("token", "")).strip(), self.token):
            self._wrong.allows(address)
            return HTMLResponse(self._render("enter.html", wrong=True), 403)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            _COOKIE, self.store.sign("researcher", self.token), httponly=True, samesite="strict"
        )
        return answer

    async def json(self, request: Request) -> Response:
        """The figures as JSON."""
        if not self._is_allowed(request):
            return PlainTextResponse("the token is missing\n", 403)
        summary = await run_in_threadpool(figures, self.store)
        return Response(msgspec.json.encode(summary), media_type="application/json")

    async def answers(self, request: Request) -> Response:
        """All answers, as `zhiyin study export` writes them."""
        if not self._is_allowed(request):
            return PlainTextResponse("the token is missing\n", 403)
        exported = await run_in_threadpool(lambda: list(rows(self.store)))
        data = b"".join(msgspec.json.encode(row) + b"\n" for row in exported)
        return _file(data, "answers.jsonl", "application/x-ndjson")

    async def codebook(self, request: Request) -> Response:
        """The codebook."""
        if not self._is_allowed(request):
            return PlainTextResponse("the token is missing\n", 403)
        book = await run_in_threadpool(codebook_of, self.store)
        return _file(msgspec.json.format(msgspec.json.encode(book)), "codebook.json",
                     "application/json")  # fmt: skip

    def _is_allowed(self, request: Request) -> bool:
        cookie = request.cookies.get(_COOKIE, "")
        if same(cookie, self.store.sign("researcher", self.token)):
            return True
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        address = address_of(request, proxied=False)
        if not token or self._wrong.spent(address):
            return False
        if same(token, self.token):
            return True
        self._wrong.allows(address)
        return False

    def _render(self, name: str, **facts: Any) -> str:
        facts = {"wrong": False} | facts
        return self._templates.get_template(name).render(study=self.store.study, **facts)


def _file(data: bytes, name: str, kind: str) -> Response:
    return Response(
        data, media_type=kind, headers={"Content-Disposition": f'attachment; filename="{name}"'}
    )
