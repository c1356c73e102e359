"""The researcher's application: on a port of its own, for this machine unless told otherwise."""

from __future__ import annotations

import asyncio
import contextlib
import re
import secrets
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import msgspec
from aiohttp import web

from zhiyin.errors import InputError
from zhiyin.files import json_lines
from zhiyin.plugins.people import COUNTED, value_in_words
from zhiyin.plugins.people.rules import BY_HAND
from zhiyin.plugins.studies import research_tables as told
from zhiyin.plugins.studies.beside import PeopleBesideModels, beside, beside_facts
from zhiyin.plugins.studies.design import ItemRoles, StudyDesign
from zhiyin.plugins.studies.form import form_tables
from zhiyin.plugins.studies.guard import (
    LOOPBACK,
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
from zhiyin.plugins.studies.languages import read_language, words_for, words_of
from zhiyin.plugins.studies.pages import check_sound
from zhiyin.plugins.studies.people import set_aside
from zhiyin.plugins.studies.preview import NOBODY, StudyPreview
from zhiyin.plugins.studies.results import StudyFigures, codebook_of, figures, judgements_in, rows
from zhiyin.plugins.studies.roles import numbers_of
from zhiyin.plugins.studies.settings import (
    FaultyStudyError,
    StudyFault,
    misfits,
    read_form,
    roles_of,
    settings_of,
    study_of,
    without,
)
from zhiyin.plugins.studies.sheet import scripts, sheet_archive, sheet_of
from zhiyin.plugins.studies.store import CLOSED, StudyStore
from zhiyin.plugins.studies.telling import default_texts, omissions
from zhiyin.shown.pages import linked, render
from zhiyin.words import Said, said

_COOKIE = "researcher"
_LONGEST_TEXT = 20_000
_CONTROLS = re.compile(r"[\x00-\x08\x0b-\x1f\x7f]")
"""Letters that no text has; a carriage return before a new line is one."""


_DOWNLOADS: dict[str, tuple[str, Callable[[StudyStore], bytes]]] = {
    "/figures.json": ("application/json", lambda store: msgspec.json.encode(figures(store))),
    "/answers.jsonl": ("application/x-ndjson", lambda store: json_lines(rows(store))),
    "/answers.csv": ("text/csv", lambda store: sheet_of(store, list(rows(store))).encode()),
    "/answers.zip": ("application/zip", sheet_archive),
    "/answers.py": ("text/plain", lambda store: scripts()[".py"]),
    "/answers.R": ("text/plain", lambda store: scripts()[".R"]),
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
    people : str
        The address where people take part; "" where it is not known.
    """

    def __init__(self, store: StudyStore, token: str = "", models: Sequence[Path] = (),
                 people: str = "") -> None:  # fmt: skip
        self.store, self.token = store, token or secrets.token_urlsafe(24)
        self.models, self.people = models, people
        self._wrong = Limit(20)

    @property
    def preview(self) -> StudyPreview:
        """The study as it stands, as people see it."""
        return StudyPreview(self.store)

    def application(self) -> web.Application:
        """The application, guarded."""
        own: dict[str, Handler] = {
            "/": self.page, "/beside": self.beside, "/design": self.design,
            r"/preview/{number:\d{1,9}}": self.previewed, "/media/{name}": self.medium,
            "/check/{name}": self.check_sound, **dict.fromkeys(_DOWNLOADS, self.download),
        }  # fmt: skip
        routes: list[tuple[str, str, Handler]] = [(path, "GET", one) for path, one in own.items()]
        posts: dict[str, Handler] = {"/enter": self.enter, "/design": self.edit, "/run": self.run}
        return application(routes + [(path, "POST", one) for path, one in posts.items()])

    def page(self, request: web.Request) -> web.Response:
        """Show everything on one page, or the question for the token."""
        if not self._is_allowed(request):
            return html(self._enter(request))
        summary, kind = figures(self.store), self.store.study.kind
        preview = self.preview
        pages = {name: preview.number_of(name) for name in self.store.items}
        by_item = compared.by_item if (compared := self._compared()[0]) else {}
        judged = judgements_in(self.store)
        tables = {"people": told.people_table(summary, self.store.study.given_up_hours),
                  "background": told.background_table(summary),
                  "agreement": told.agreement_table(summary),
                  "persons": told.persons_table(summary) if summary.persons else None,
                  "items": told.items_table(summary, kind, pages, by_item),
                  "judged": judged and told.judged_table(judged)}  # fmt: skip
        out = {who: told.rules_in_words(why) for who, why in summary.set_aside.items()}
        return self._answer(request, "research", excluded=out, claim=told.people_claim(summary),
                            rules=told.declared_in_words(summary.rules),
                            claims=[told.languages_claim(summary), told.enough_claim(summary)],
                            under_way=len(summary.under_way), form=self._form_key(),
                            closed=self.store.closed, by_hand=summary.by_hand,
                            aside=[who for who, why in summary.excluded.items() if BY_HAND in why],
                            everybody=[one.person for one in summary.persons],
                            omitted=self._omitted(summary), pages=preview.pages, models=self.models,
                            version=self.store.version, **tables)  # fmt: skip

    def beside(self, request: web.Request) -> web.Response:
        """People beside models, as a figure."""
        if not self._is_allowed(request):
            return html(self._enter(request))
        study = self.store.study
        fields = [*study.fields, *(["language"] if len(study.languages) > 1 else [])]
        by = request.query.get("by", "") if request.query.get("by") in fields else ""
        compared, why = self._compared(by)
        splits = [(field, value_in_words(field)) for field in fields]
        return self._answer(request, "beside", why=why, folder=self.store.folder, by=by,
                            splits=[("", said("study-together")), *splits],
                            **beside_facts(compared))  # fmt: skip

    def previewed(self, request: web.Request) -> web.Response:
        """A page of the study as people see it."""
        if not self._is_allowed(request):
            return html(self._enter(request))
        languages, number = self.store.study.languages, int(request.match_info["number"])
        wanted = request.query.get("language", "") or _language_of(request)
        language = wanted if wanted in languages else languages[0]
        preview = self.preview
        return html(preview.page(min(max(1, number), preview.pages), language))

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
            data = check_sound(self.store, NOBODY, request.match_info["name"])
        return data_of(data, "audio/flac") if data else web.Response(status=404)

    def design(self, request: web.Request) -> web.Response:
        """The form of everything that a study file holds, and every version of its texts."""
        if not self._is_allowed(request):
            return html(self._enter(request))
        return self._design(request, *self._values())

    async def edit(self, request: web.Request) -> web.Response:
        """Take an edited study; once somebody has taken part, its texts alone."""
        if not self._is_allowed(request):
            return html(self._enter(request), 403)
        form = await form_of(request, 2000)
        given = {name: _CONTROLS.sub("", str(value)).strip() for name, value in form.items()}
        if from_elsewhere(request) or not same(given.get("form", ""), self._form_key()):
            return web.Response(text="this form is out of date: load the page again\n", status=403)
        return await asyncio.to_thread(self._save, request, given)

    async def run(self, request: web.Request) -> web.Response:
        """Close the study or open it again; set a person aside by hand, or let them count again."""
        given = {name: _CONTROLS.sub(" ", str(value)).strip()[:500]
                 for name, value in (await form_of(request, 5)).items()}  # fmt: skip
        if (
            not self._is_allowed(request) or from_elsewhere(request)
            or not same(given.get("form", ""), self._form_key())
        ):  # fmt: skip
            return web.Response(text="this form is out of date: load the page again\n", status=403)
        if person := given.get("person"):
            await asyncio.to_thread(set_aside, self.store, person, given.get("reason", ""))
        elif "close" in given:
            with self.store.write() as connection:
                self.store.note(connection, CLOSED, given["close"] and str(time.time()))
        return see_other("/")

    def _save(self, request: web.Request, given: Mapping[str, str]) -> web.Response:
        store = self.store
        begun, study = store.begun, store.study
        values, roles = self._values()
        typed, wanted = read_form(given, study)
        if begun:
            values["texts"] = typed["texts"]
        else:
            values, roles = self._with_new_languages(typed, given), wanted
        try:
            if begun and "languages" in given:  # the form was whole when it was opened
                raise FaultyStudyError([StudyFault("", said("study-fixed-now"))])
            if given.get("stamp") != store.stamp:
                raise FaultyStudyError([StudyFault("", said("study-other-saved"))])
            long = [name for name, value in given.items() if len(value) > _LONGEST_TEXT]
            wrong = [StudyFault(name, said("study-too-long", n=_LONGEST_TEXT)) for name in long]
            wrong += [*misfits(roles_of(roles)), *misfits(settings_of(values))]
            wrong += () if begun else [*self._further(values, roles, wrong)]
            if wrong:
                raise FaultyStudyError(wrong)
            if begun:
                store.edit_texts(study_of(values).texts)
            else:
                store.edit(study_of(values), msgspec.convert(roles, ItemRoles))
        except FaultyStudyError as fault:
            return self._design(request, values, roles, fault.faults)
        return see_other("/preview/1" if given.get("then") == "preview" else "/design?saved=1")

    def _further(
        self, values: dict[str, Any], roles: Any, wrong: Sequence[StudyFault]
    ) -> Iterator[StudyFault]:
        """Check the rest of a form in which some values cannot be meant."""
        before, of_before = self._values()
        with contextlib.suppress(FaultyStudyError, msgspec.ValidationError):
            study = msgspec.convert(without(values, wrong, before), StudyDesign)
            numbers = without({"items": roles}, wrong, {"items": of_before})["items"]
            seen = {one.path for one in wrong}
            for one in self.store.faults(study, msgspec.convert(numbers, ItemRoles)):
                if one.path not in seen:
                    yield one
                seen.add(one.path)

    def _with_new_languages(
        self, typed: dict[str, Any], given: Mapping[str, str]
    ) -> dict[str, Any]:
        """Give a language that is new the texts that a new study has in it."""
        items, kind = self.store.items.values(), self.store.study.kind
        for language in typed["languages"]:
            if f"texts.{language}.title" not in given:
                words = words_of(language)
                with contextlib.suppress(InputError):  # said beside the field
                    words = read_language(language, self.store.folder)
                texts = default_texts(language, words, kind, items)
                typed["texts"][language] = msgspec.to_builtins(texts)
        return typed

    async def enter(self, request: web.Request) -> web.Response:
        """Take the token, once; the cookie holds a keyed hash of it."""
        address = address_of(request, proxied=False)
        if self._wrong.spent(address):
            return web.Response(text="too many tries: wait a minute\n", status=429)
        form = await form_of(request, 5)
        if not same(str(form.get("token", "")).strip(), self.token):
            self._wrong.allows(address)
            return html(self._enter(request, wrong=True), 403)
        answer = see_other("/" if self.store.begun else "/design")
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
            body=data, content_type=kind, charset=None if kind == "application/zip" else "utf-8",
            headers={} if shown else headers,
        )  # fmt: skip

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

    def _values(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """Return the settings as they are, and the numbers of items by role."""
        items = self.store.items.values()
        return msgspec.to_builtins(self.store.study), msgspec.to_builtins(numbers_of(items))

    def _design(
        self, request: web.Request, values: Mapping[str, Any], roles: Mapping[str, Any],
        faults: Sequence[StudyFault] = (),
    ) -> web.Response:  # fmt: skip
        store = self.store
        tables = form_tables(values, roles, faults, begun=bool(store.begun))
        placed = {row.setting.path for table in tables for row in table.rows}
        versions = [(one.version, _day(one.made), one.people) for one in store.text_versions()]
        return self._answer(request, "design", 422 if faults else 200, tables=tables,
                            faults=len(faults), versions=versions, stamp=store.stamp,
                            general=[one.why for one in faults if one.path not in placed],
                            form=self._form_key(), saved="saved" in request.query,
                            practice=len(store.of_role["practice"]),
                            rest=sum(len(store.of_role[role]) for role in COUNTED),
                            names={one: words["language_itself"] for one, words in
                                   words_for(store.study, store.folder).items()},
                            omitted=[] if faults else self._omitted(figures(store)))  # fmt: skip

    def _answer(
        self, request: web.Request, name: str, status: int = 200, /, **facts: Any
    ) -> web.Response:
        first, own = STYLES
        sheets = (first, "/static/report.css", own) if name == "beside" else STYLES
        # Figures alone are fetched again: a form would be gone while somebody writes in it.
        look = linked(*sheets, *(["/static/research.js"] if name == "research" else []))
        page = render(
            page_of(name), _language_of(request), study=self.store.study, look=look,
            begun=self.store.begun, people_at=self.people,
            alone=urlsplit(self.people).hostname in LOOPBACK, **facts,
        )  # fmt: skip
        return html(page, status)

    def _omitted(self, summary: StudyFigures) -> list[Said]:
        """List what people would miss, and what the researcher would, before the study begins."""
        found = list(omissions(self.store))
        if summary.progress.wanted is None and not summary.people["begun"]:
            found.append(said("study-none-wanted"))
        return found

    def _compared(self, by: str = "") -> tuple[PeopleBesideModels | None, str]:
        """People beside the models that were named, or why not."""
        if not self.models or self.store.study.kind != "exam":
            return None, ""
        try:
            return beside(self.store, self.models, by), ""
        except InputError as fault:
            return None, str(fault)

    def _form_key(self) -> str:
        return self.store.sign("research-form", self.token)


def _day(made: float) -> str:
    """An instant as it is written in UTC; "" for none."""
    return time.strftime("%Y-%m-%d %H:%M UTC", time.gmtime(made)) if made else ""


def _language_of(request: web.Request) -> str:
    """Language that the researcher's browser prefers."""
    return "zh" if request.headers.get("accept-language", "").lower().startswith("zh") else "en"
