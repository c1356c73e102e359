"""The participants' application: pages, answers and media. The researcher's pages are another."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from typing import Any

import msgspec
from aiohttp import web

from zhiyin.files import NOT_JSON
from zhiyin.plugins.studies import media, people
from zhiyin.plugins.studies.assigning import open_place
from zhiyin.plugins.studies.guard import (
    Form,
    Handler,
    Limit,
    PageError,
    address_of,
    application,
    data_of,
    form_of,
    from_elsewhere,
    html,
    same,
    see_other,
)
from zhiyin.plugins.studies.pages import Pages, check_sound, medium, tones
from zhiyin.plugins.studies.questionnaire import read_background
from zhiyin.plugins.studies.store import StudyStore

OUTSIDE = ("PROLIFIC_PID", "STUDY_ID", "SESSION_ID")
"""Parameters with which a platform sends people."""
_decode = msgspec.json.Decoder(people.SentAnswer).decode


class Site:
    """The handlers of one study.

    Parameters
    ----------
    store : StudyStore
    secure : bool
        Whether people come by https: cookies are sent by nothing else then.
    proxied : bool
        Whether a proxy of ours stands before it, whose ``X-Forwarded-For`` is believed.
    limits : bool
        Whether requests are limited by address.
    """

    def __init__(
        self, store: StudyStore, *, secure: bool = False, proxied: bool = False, limits: bool = True
    ) -> None:
        self.store, self.secure, self.proxied = store, secure, proxied
        self._pages, self._of = Pages(store), store.declared
        self._cookie = "__Host-study" if secure else "study"
        # A class or a laboratory comes from one address; "link" counts links that are none.
        a_minute = {"begin": 600, "link": 30, "answer": 6000, "page": 6000}
        self._limits = {name: Limit(n) for name, n in a_minute.items()} if limits else {}

    @property
    def pages(self) -> Pages:
        """The pages of the study as it stands: before the start it can be edited."""
        if self._of is not self.store.declared:
            self._pages, self._of = Pages(self.store), self.store.declared
        return self._pages

    def application(self) -> web.Application:
        """The application, guarded."""
        routes: list[tuple[str, str, Handler]] = [
            ("/", "GET", self.start), ("/consent", "POST", self._posted(self.consent)),
            ("/go", "GET", self.go), ("/step/{step}", "POST", self._posted(self.step)),
            ("/answer", "POST", self.answer), ("/s/{token}", "GET", self.link),
            ("/withdraw", "GET", self.ask_withdraw),
            ("/withdraw", "POST", self._posted(self.withdraw)),
            ("/media/{name}", "GET", self.medium), ("/check/{name}", "GET", self.check_sound),
            ("/healthz", "GET", lambda _: web.Response(text="ok\n")),
        ]  # fmt: skip
        return application(routes, self._fault)

    def _posted(self, handler: Callable[[web.Request, Form], web.Response]) -> Handler:
        """A handler of a form, with a thread of its own."""

        async def handle(request: web.Request) -> web.Response:
            return await asyncio.to_thread(handler, request, await form_of(request, 500))

        return handle

    def start(self, request: web.Request) -> web.Response:
        """Information and consent."""
        self._limit(request, "page")
        known = {name: request.query.get(name, "")[:128] for name in OUTSIDE}
        language = self._language(request)
        if self.store.closed and not any(known.values()):
            here = people.by_session(self.store, request.cookies.get(self._cookie, ""))
            return see_other("/go") if here else html(self.pages.end(language, "closed"))
        token = request.cookies.get("begin", "")
        if len(token) != 43:
            token = secrets.token_urlsafe(32)
        page = self.pages.start(language, known, self.store.sign("begin", token))
        answer = html(page)
        self._set(answer, "begin", token)
        return answer

    def consent(self, request: web.Request, form: Form) -> web.Response:
        """Begin if every statement is agreed to; else keep nothing but a count."""
        self._limit(request, "begin")
        token = request.cookies.get("begin", "")
        if (
            from_elsewhere(request)
            or not token
            or not same(str(form.get("form", "")), self.store.sign("begin", token))
        ):
            raise PageError("error_stale", 403)
        language = self._language(request, str(form.get("language", "")))
        statements = len(self.store.study.texts[language].consent)
        agreed = all(form.get(f"consent-{n}") == "yes" for n in range(statements))
        if form.get("answer") != "agree":
            self.store.count("no_consent")
            return html(self.pages.end(language, "no_consent"))
        if str(form.get("texts", "")) != self.store.texts_stamp:
            raise PageError("error_stale", 409)  # edited since it was read
        if not agreed:
            raise PageError("consent_all")
        known = [str(form.get(name, ""))[:128] for name in OUTSIDE]
        # Pressed twice, the button begins once: the same browser with the same form is one visit.
        visit = known[2] or f"browser {token}"
        try:
            person, link = people.begin(self.store, language, known[0] or visit, visit)
        except people.TwiceError:
            raise PageError("error_twice", 409) from None
        except people.ClosedError:
            return html(self.pages.end(language, "closed"))
        # The browser makes the whole address of it: what a request calls this host may be forged.
        answer = html(self.pages.link(language, f"/s/{link}"))
        self._set(answer, self._cookie, people.open_session(self.store, person))
        answer.del_cookie("begin")
        return answer

    def link(self, request: web.Request) -> web.Response:
        """A personal link opens a new session of its person."""
        self._limit(request, "page")
        person = people.by_link(self.store, request.match_info["token"])
        if person is None:
            self._limit(request, "link")  # wrong ones alone: a class opens its links at one time
            raise PageError("error_link", 404)
        answer = see_other("/go")
        self._set(answer, self._cookie, people.open_session(self.store, person))
        return answer

    def go(self, request: web.Request) -> web.Response:
        """The page where a person is."""
        self._limit(request, "page")
        return html(self._page(request))

    def step(self, request: web.Request, form: Form) -> web.Response:
        """Store what a person sent in a step before the questions."""
        self._limit(request, "answer")
        row = self._sender(request, str(form.get("form", "")))
        step = request.match_info["step"]
        if step == row.step and (ended := self._take(row, step, form)):
            answer: web.Response = html(self.pages.end(row.language, ended))
            answer.del_cookie(self._cookie, secure=self.secure)
            return answer
        return see_other("/go")

    async def answer(self, request: web.Request) -> web.Response:
        """An answer: on the disk when this says so."""
        self._limit(request, "answer")
        return await asyncio.to_thread(self._save, request, await request.read())

    def _save(self, request: web.Request, body: bytes) -> web.Response:
        row = self._sender(request, request.headers.get("x-form", ""))
        try:
            sent = _decode(body)
            state = people.save(self.store, row.id, sent)
        except NOT_JSON:
            raise PageError("error_form") from None
        except (people.AnswerError, UnicodeEncodeError) as fault:
            words = str(fault) if isinstance(fault, people.AnswerError) else "error_form"
            return _json({"state": "refused", "why": self.pages.word(row, words)}, 422)
        told = people.practised(self.store, row.id, sent.place)
        practice = {"practice": msgspec.to_builtins(told)} if told else {}
        return _json({"state": state, **practice})

    def ask_withdraw(self, request: web.Request) -> web.Response:
        """Ask whether to withdraw."""
        return html(self.pages.withdraw(self._person(request), self._form_key(request)))

    def withdraw(self, request: web.Request, form: Form) -> web.Response:
        """Delete all of a person."""
        row = self._sender(request, str(form.get("form", "")))
        people.withdraw(self.store, row.id)
        answer = html(self.pages.end(row.language, "withdrawn"))
        answer.del_cookie(self._cookie, secure=self.secure)
        return answer

    def medium(self, request: web.Request) -> web.Response:
        """A sound or picture of the item that a person has before them, and of no other."""
        row, name = self._person(request), request.match_info["name"]
        with self.store.read() as connection:
            place = open_place(connection, row.id)
        found = place and medium(self.store, place, self.store.items[place.item], name)
        if not found:
            raise PageError("error_stale", 404)
        return data_of(*found)

    def check_sound(self, request: web.Request) -> web.Response:
        """A sound of the checks of the person who asks."""
        row = self._person(request)
        data = check_sound(self.store, row.pseudonym, request.match_info["name"])
        if data is None:
            raise PageError("error_stale", 404)
        return data_of(data, "audio/flac")

    def _page(self, request: web.Request) -> str:
        row, form = self._person(request), self._form_key(request)
        language = self._language(request)
        if language != row.language:
            with self.store.write() as connection:
                people.change(connection, row.id, language=language)
            row = self._person(request)
        if row.step == "items":
            place, done, ended = people.current(self.store, row.id)
            if place is not None:
                return self.pages.question(row, place, done, form)
            return self.pages.end(row.language, ended, form="" if ended == "full" else form)
        if row.step == "end":
            return self.pages.end(row.language, row.outcome, form=form)
        return self.pages.step(row, form)

    def _take(self, row: Any, step: str, form: Form) -> str:
        """Take what was sent of a step. Returns the end that it leads to, or ""."""
        store = self.store
        if step == "about":
            try:
                answers = read_background(store.study, self.pages.scale, form)
            except ValueError:
                raise PageError("error_form") from None
            return people.keep_about(store, row, answers)
        if step == "volume":
            if form.get("heard") != "1":
                raise PageError("listen_first")
            people.keep_check(store, row, step, {"volume": True}, on=True)
        elif step == "headphones":
            self._take_headphones(row, form)
        elif step == "comprehension":
            return self._take_comprehension(row, form)
        return ""

    def _take_headphones(self, row: Any, form: Form) -> None:
        kind = self.store.study.checks.headphones
        right = [place for _, place in tones(self.store, row.pseudonym)]
        choices = [str(form.get(f"tone-{number}", "")) for number in range(len(right))]
        if any(one not in ("0", "1", "2") for one in choices):
            raise PageError("error_form")
        hits = sum(int(one) == place for one, place in zip(choices, right, strict=True))
        results = {"headphones": kind, "headphones_hits": hits,
                 "headphones_passed": hits >= media.ENOUGH[kind]}  # fmt: skip
        people.keep_check(self.store, row, "headphones", results, on=True)

    def _take_comprehension(self, row: Any, form: Form) -> str:
        checks = self.store.study.checks
        choices = [str(form.get(f"understood-{n}", "")) for n in range(len(checks.comprehension))]
        if not all(one.isascii() and one.isdigit() for one in choices):
            raise PageError("error_form")
        right = all(
            one == str(q.right - 1) for one, q in zip(choices, checks.comprehension, strict=True)
        )
        tries = row.checks.get("tries", 0) + 1
        if form.get("try") != str(tries):  # the same try, sent again
            return ""
        people.keep_check(
            self.store, row, "comprehension", {"tries": tries, "understood": right}, on=right
        )
        if not right and tries >= checks.tries:
            with self.store.write() as connection:
                people.finish(self.store, connection, row.id, "screened_out")
        return ""

    def _person(self, request: web.Request) -> Any:
        """The person whose session it is."""
        row = people.by_session(self.store, request.cookies.get(self._cookie, ""))
        if row is None:
            raise PageError("error_session", 403)
        return row

    def _sender(self, request: web.Request, sent: str) -> Any:
        """The person who sent a form of this session, and of no other site."""
        row = self._person(request)
        if from_elsewhere(request) or not same(sent, self._form_key(request)):
            raise PageError("error_stale", 403)
        return row

    def _form_key(self, request: web.Request) -> str:
        """Return the secret that a form of this session carries, which no other site can know."""
        return self.store.sign("form", request.cookies.get(self._cookie, ""))

    def _limit(self, request: web.Request, what: str) -> None:
        limit = self._limits.get(what)
        if limit and not limit.allows(address_of(request, proxied=self.proxied)):
            raise PageError("error_many", 429)

    def _language(self, request: web.Request, wanted: str = "") -> str:
        """The language of a page, of what its form keeps, and of its person from then on.

        What is asked for (`wanted`, or in the address) comes before what the person reads, and
        that before what the browser prefers.
        """
        languages = self.store.study.languages
        person = people.by_session(self.store, request.cookies.get(self._cookie, ""))
        for one in (wanted, request.query.get("language", ""), person and person.language):
            if one in languages:
                return str(one)
        for part in request.headers.get("accept-language", "").split(","):
            name = part.split(";")[0].strip().lower()
            for language in languages:
                if name == language.lower() or name.split("-")[0] == language.lower():
                    return language
        return languages[0]

    def _set(self, answer: web.Response, name: str, value: str) -> None:
        answer.set_cookie(
            name, value, httponly=True, samesite="lax", secure=self.secure, path="/",
            max_age=30 * 24 * 3600 if name == self._cookie else None,
        )  # fmt: skip

    def _fault(self, request: web.Request, problem: PageError | web.HTTPException) -> web.Response:
        words = "error_form" if problem.status in (400, 415) else "error_title"
        words = getattr(problem, "words", words)
        language = self._language(request)
        if request.path == "/answer":
            why = self.pages.in_language(language).get(words, words)
            return _json({"state": "refused", "why": why}, problem.status)
        return html(self.pages.fault(language, words), problem.status)


def _json(facts: Any, status: int = 200) -> web.Response:
    return data_of(msgspec.json.encode(facts), "application/json", status)
