"""The researcher's application: on a port of its own, for this machine unless told otherwise."""

from __future__ import annotations

import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import HTMLResponse, PlainTextResponse, RedirectResponse, Response

from zhiyin.shown.pages import linked, render
from zhiyin.shown.table import Cell, Column, Row, Table
from zhiyin.study.results import StudyFigures, as_lines, codebook_of, figures, rows
from zhiyin.study.serving import STYLES, Limit, address_of, application, same
from zhiyin.study.store import StudyStore
from zhiyin.words import said

_COOKIE = "researcher"
_STATES = ("begun", "complete", "under_way", "screened_out", "no_consent", "full", "withdrawn")


_DOWNLOADS: dict[str, tuple[str, Callable[[StudyStore], bytes]]] = {
    "/figures.json": ("application/json", lambda store: msgspec.json.encode(figures(store))),
    "/answers.jsonl": ("application/x-ndjson", lambda store: as_lines(rows(store))),
    "/codebook.json": (
        "application/json",
        lambda store: msgspec.json.format(msgspec.json.encode(codebook_of(store))),
    ),
}
"""What can be downloaded: of which kind, and how it is made."""


class ResearchSite:
    """Live progress, exclusions, agreement and downloads of a study.

    Parameters
    ----------
    store : StudyStore
    token : str
        What the researcher is asked for, once a browser; "" to have one made.
    """

    def __init__(self, store: StudyStore, token: str = "") -> None:
        self.store, self.token = store, token or secrets.token_urlsafe(24)
        self._wrong = Limit(20)

    def application(self) -> Any:
        """The application, guarded."""
        downloads = [(path, "GET", self.download) for path in _DOWNLOADS]
        return application([("/", "GET", self.page), ("/enter", "POST", self.enter), *downloads])

    def page(self, request: Request) -> Response:
        """Everything on one page, or the question for the token."""
        if not self._is_allowed(request):
            return HTMLResponse(self._enter(request))
        summary = figures(self.store)
        tables = {"people": _people(summary), "agreement": _agreement(summary),
                  "items": _items(summary, self.store.study.kind == "validate")}  # fmt: skip
        page = render("study/research.html", _language_of(request), study=self.store.study,
                      look=linked(*STYLES, "/static/research.js"),
                      excluded=summary.excluded, **tables)  # fmt: skip
        return HTMLResponse(page)

    async def enter(self, request: Request) -> Response:
        """Take the token, once; the cookie holds a keyed hash of it."""
        address = address_of(request, proxied=False)
        if self._wrong.spent(address):
            return PlainTextResponse("too many tries: wait a minute\n", 429)
        form = await request.form(max_fields=5)
        if not same(str(form.get("token", "")).strip(), self.token):
            self._wrong.allows(address)
            return HTMLResponse(self._enter(request, wrong=True), 403)
        answer = RedirectResponse("/", 303)
        answer.set_cookie(
            _COOKIE, self.store.sign("researcher", self.token), httponly=True, samesite="strict"
        )
        return answer

    def download(self, request: Request) -> Response:
        """The figures, the answers as `zhiyin study export` writes them, or the codebook."""
        if not self._is_allowed(request):
            return PlainTextResponse("the token is missing\n", 403)
        path = request.url.path
        kind, make = _DOWNLOADS[path]
        data = make(self.store)
        headers = {"Content-Disposition": f'attachment; filename="{path[1:]}"'}
        shown = path == "/figures.json"
        return Response(data, media_type=kind, headers={} if shown else headers)

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

    def _enter(self, request: Request, *, wrong: bool = False) -> str:
        return render("study/enter.html", _language_of(request), study=self.store.study,
                      look=linked(*STYLES), wrong=wrong)  # fmt: skip


def _language_of(request: Request) -> str:
    """What the researcher's browser prefers."""
    return "zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en"


def _people(summary: StudyFigures) -> Table:
    """How many people came how far, and who they are."""
    rows = [Row((said("study-state", state=name), str(summary.people[name])))
            for name in _STATES]  # fmt: skip
    for name, values in summary.background.items():
        counts = [f"{value.replace('_', ' ')} {n}" for value, n in values.items()]
        rows.append(Row((name.replace("_", " "), ", ".join(counts))))
    columns = (Column(said("study-of-people")), Column(said("study-number"), "count"))
    return Table("people", said("study-people"), columns, tuple(rows))


def _agreement(summary: StudyFigures) -> Table:
    columns = (
        Column(said("study-measure")), Column("alpha", "number", 2),
        Column(said("study-from"), "number", 2), Column(said("study-to"), "number", 2),
        Column(said("study-units"), "count"), Column(said("study-values"), "count"),
    )  # fmt: skip
    rows = tuple(
        Row((name, one.alpha, one.low, one.high, one.units, one.values))
        for name, one in summary.alphas.items()
    )
    notes = (said("study-alpha-is"),)
    return Table("agreement", said("study-agreement"), columns, rows, notes)


def _items(summary: StudyFigures, validated: bool) -> Table:
    columns = [
        Column(said("study-item")), Column(said("study-group")),
        Column(said("study-n-answers"), "count"), Column(said("study-closed")),
        Column(said("study-median-s"), "number", 1), Column("alpha", "number", 2),
    ]  # fmt: skip
    if validated:
        columns += [Column(said("study-right"), "number", 2),
                    Column(said("study-distractors"), "number", 2),
                    Column(said("study-decision"))]  # fmt: skip
    rows = []
    for one in summary.items:
        cells: list[Cell] = [one.item, one.group, one.answers,
                 said("study-yes") if one.closed else "", one.seconds, one.alpha]  # fmt: skip
        if validated:
            kept = one.kept
            cells += [kept.right, kept.distractors, kept.decision] if kept else ["", "", ""]
        rows.append(Row(tuple(cells)))
    return Table("items", said("study-items"), tuple(columns), tuple(rows))
