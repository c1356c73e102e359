"""The researcher's application: on a port of its own, for this machine unless told otherwise."""

from __future__ import annotations

import secrets
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web

from zhiyin.errors import InputError
from zhiyin.files import json_lines
from zhiyin.plugins.studies.beside import PeopleBesideModels, beside, beside_facts
from zhiyin.plugins.studies.design import StudyTexts
from zhiyin.plugins.studies.guard import (
    STYLES,
    Handler,
    Limit,
    address_of,
    application,
    data_of,
    form_of,
    from_elsewhere,
    html,
    page_of,
    same,
    see_other,
)
from zhiyin.plugins.studies.preview import StudyPreview
from zhiyin.plugins.studies.research_tables import (
    agreement_table,
    background_table,
    items_table,
    people_claim,
    people_table,
    persons_table,
)
from zhiyin.plugins.studies.results import codebook_of, figures, rows
from zhiyin.plugins.studies.sheet import sheet_of
from zhiyin.plugins.studies.store import StudyStore
from zhiyin.plugins.studies.telling import omissions
from zhiyin.shown.pages import linked, render

_COOKIE = "researcher"
_LONGEST_TEXT = 20_000


_DOWNLOADS: dict[str, tuple[str, Callable[[StudyStore], bytes]]] = {
    "/figures.json": ("application/json", lambda store: msgspec.json.encode(figures(store))),
    "/answers.jsonl": ("application/x-ndjson", lambda store: json_lines(rows(store))),
    "/answers.csv": ("text/csv", lambda store: sheet_of(store, list(rows(store))).encode()),
    "/codebook.json": (
        "application/json",
        lambda store: msgspec.json.format(msgspec.json.encode(codebook_of(store))),
    ),
}
"""What can be downloaded: of which kind, and how it is made."""


class ResearchSite:
    """Live progress, people beside models, a preview, the texts, and downloads of a study.

    Parameters
    ----------
    store : StudyStore
    token : str
        What the researcher is asked for, once a browser; "" to have one made.
    models : sequence of Path
        Runs on the same exam, beside which people stand.
    """

    def __init__(self, store: StudyStore, token: str = "", models: Sequence[Path] = ()) -> None:
        self.store, self.token = store, token or secrets.token_urlsafe(24)
        self.models = models
        self.preview = StudyPreview(store)
        self._wrong = Limit(20)

    def application(self) -> web.Application:
        """The application, guarded."""
        own: dict[str, Handler] = {
            "/": self.page, "/beside": self.beside, "/texts": self.texts,
            r"/preview/{number:\d{1,9}}": self.previewed, "/media/{name}": self.medium,
            "/check/{name}": self.check_sound, **dict.fromkeys(_DOWNLOADS, self.download),
        }  # fmt: skip
        routes: list[tuple[str, str, Handler]] = [(path, "GET", one) for path, one in own.items()]
        posts: dict[str, Handler] = {"/enter": self.enter, "/texts": self.edit}
        return application(routes + [(path, "POST", one) for path, one in posts.items()])

    def page(self, request: web.Request) -> web.Response:
        """Show everything on one page, or the question for the token."""
        if not self._is_allowed(request):
            return html(self._enter(request))
        summary, kind = figures(self.store), self.store.study.kind
        pages = {name: self.preview.number_of(name) for name in self.store.items}
        compared, _ = self._compared()
        tables = {"people": people_table(summary), "background": background_table(summary),
                  "agreement": agreement_table(summary),
                  "persons": persons_table(summary) if summary.persons else None,
                  "items": items_table(summary, kind, pages, compared.by_item if compared else {}),
                  }  # fmt: skip
        omitted = list(omissions(self.store.study, self.store.items.values()))
        return self._answer(request, "research", excluded=summary.set_aside,
                            claim=people_claim(summary), under_way=len(summary.under_way),
                            omitted=omitted, pages=self.preview.pages, models=self.models,
                            version=self.store.version, **tables)  # fmt: skip

    def beside(self, request: web.Request) -> web.Response:
        """People beside models, as a figure."""
        if not self._is_allowed(request):
            return html(self._enter(request))
        compared, why = self._compared()
        return self._answer(request, "beside", why=why, folder=self.store.folder,
                            **beside_facts(compared))  # fmt: skip

    def previewed(self, request: web.Request) -> web.Response:
        """A page of the study as people see it."""
        if not self._is_allowed(request):
            return html(self._enter(request))
        languages, number = self.store.study.languages, int(request.match_info["number"])
        wanted = request.query.get("language", "") or _language_of(request)
        language = wanted if wanted in languages else languages[0]
        number = min(max(1, number), self.preview.pages)
        return html(self.preview.page(number, language))

    def medium(self, request: web.Request) -> web.Response:
        """A sound or picture of the preview."""
        found = None
        if self._is_allowed(request):
            found = self.preview.sound(request.match_info["name"])
        return data_of(*found) if found else web.Response(status=404)

    def check_sound(self, request: web.Request) -> web.Response:
        """A sound of the checks before the questions."""
        data = None
        if self._is_allowed(request):
            data = self.preview.check_sound(request.match_info["name"])
        return data_of(data, "audio/flac") if data else web.Response(status=404)

    def texts(self, request: web.Request) -> web.Response:
        """The texts that people read, to be edited, and every version of them."""
        if not self._is_allowed(request):
            return html(self._enter(request))
        return self._texts(request, self.store.study.texts)

    async def edit(self, request: web.Request) -> web.Response:
        """Take edited texts."""
        if not self._is_allowed(request):
            return html(self._enter(request), 403)
        form = await form_of(request, 200)
        given = {name: str(value).replace("\0", "").replace("\r", "").strip()
                 for name, value in form.items()}  # fmt: skip
        if from_elsewhere(request) or not same(given.get("form", ""), self._form_key()):
            return web.Response(text="this form is out of date: load the page again\n", status=403)
        texts = {name: _read_texts(name, given) for name in self.store.study.languages}
        if any(len(value) > _LONGEST_TEXT for value in given.values()):
            return self._texts(request, texts, f"a text is longer than {_LONGEST_TEXT:,} letters")
        try:
            self.store.edit_texts(texts)
        except InputError as fault:
            return self._texts(request, texts, str(fault))
        return see_other("/texts")

    async def enter(self, request: web.Request) -> web.Response:
        """Take the token, once; the cookie holds a keyed hash of it."""
        address = address_of(request, proxied=False)
        if self._wrong.spent(address):
            return web.Response(text="too many tries: wait a minute\n", status=429)
        form = await form_of(request, 5)
        if not same(str(form.get("token", "")).strip(), self.token):
            self._wrong.allows(address)
            return html(self._enter(request, wrong=True), 403)
        answer = see_other("/")
        answer.set_cookie(
            _COOKIE, self.store.sign("researcher", self.token), httponly=True, samesite="strict"
        )
        return answer

    def download(self, request: web.Request) -> web.Response:
        """The figures, the answers as `zhiyin study export` writes them, or the codebook."""
        if not self._is_allowed(request):
            return web.Response(text="the token is missing\n", status=403)
        path = request.path
        kind, make = _DOWNLOADS[path]
        data = make(self.store)
        headers = {"Content-Disposition": f'attachment; filename="{path[1:]}"'}
        shown = path == "/figures.json"
        return web.Response(
            body=data, content_type=kind, charset="utf-8", headers={} if shown else headers
        )

    def _is_allowed(self, request: web.Request) -> bool:
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

    def _enter(self, request: web.Request, *, wrong: bool = False) -> str:
        return render(page_of("enter"), _language_of(request), study=self.store.study,
                      look=linked(*STYLES), wrong=wrong)  # fmt: skip

    def _texts(
        self, request: web.Request, texts: Mapping[str, StudyTexts], fault: str = ""
    ) -> web.Response:
        versions = [(one.version, _day(one.made), one.people) for one in self.store.text_versions()]
        return self._answer(request, "texts", 422 if fault else 200, texts=texts, fault=fault,
                            versions=versions, form=self._form_key(),
                            people=figures(self.store).people["begun"])  # fmt: skip

    def _answer(
        self, request: web.Request, name: str, status: int = 200, /, **facts: Any
    ) -> web.Response:
        first, own = STYLES
        sheets = (first, "/static/report.css", own) if name == "beside" else STYLES
        look = linked(*sheets, "/static/research.js")
        page = render(page_of(name), _language_of(request), study=self.store.study,
                      look=look, **facts)  # fmt: skip
        return html(page, status)

    def _compared(self) -> tuple[PeopleBesideModels | None, str]:
        """People beside the models that were named, or why not."""
        if not self.models or self.store.study.kind != "exam":
            return None, ""
        try:
            return beside(self.store, self.models), ""
        except InputError as fault:
            return None, str(fault)

    def _form_key(self) -> str:
        return self.store.sign("research-form", self.token)


def _read_texts(language: str, given: Mapping[str, str]) -> StudyTexts:
    """The texts of a language as a form has them; a statement of consent is a line."""

    def text(name: str) -> str:
        return given.get(f"{language}-{name}", "")

    consent = [line.strip() for line in text("consent").splitlines() if line.strip()]
    return StudyTexts(
        title=" ".join(text("title").split()), information=text("information"), consent=consent,
        instructions=text("instructions"), contact=text("contact"), debriefing=text("debriefing"),
    )  # fmt: skip


def _day(made: float) -> str:
    """An instant as it is written in UTC; "" for none."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(made)) if made else ""


def _language_of(request: web.Request) -> str:
    """Language that the researcher's browser prefers."""
    return "zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en"
