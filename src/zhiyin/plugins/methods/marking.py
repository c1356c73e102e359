"""The page on which the replies of an audit are marked: one file, served on this machine."""

from __future__ import annotations

from typing import Any

import msgspec
from aiohttp import web

from zhiyin.files import NOT_JSON
from zhiyin.plugins.methods.audit.drawing import Audit
from zhiyin.plugins.methods.audit.marks import NONE, PERSON, UNSURE, Mark
from zhiyin.plugins.methods.audit.result import result_of
from zhiyin.plugins.methods.serving import (
    guard,
    keep_language,
    language_of,
    no_icon,
    strict_headers,
)
from zhiyin.shown.pages import in_page, others, render
from zhiyin.words import LANGUAGES, said, say
from zhiyin.words.reasons import reason


class MarkingPage:
    """Server of the marking page.

    A reply's verdict leaves the server only when it is asked for, so that whether a mark was
    made blind is known here and not believed.

    Parameters
    ----------
    audit : Audit
    by : str
        Who marks.
    host : str
        The address that is listened on.
    """

    def __init__(self, audit: Audit, by: str = PERSON, host: str = "127.0.0.1") -> None:
        self.audit, self.by, self._host = audit, by, host
        self._seen: set[str] = set(audit.book.marked_by(by))
        self._pages, self._policy = _pages()

    def application(self) -> web.Application:
        """The web application."""
        app = web.Application(middlewares=[guard(self._host, strict_headers(self._policy))])
        app.router.add_get("/", self._serve_page)
        app.router.add_get("/favicon.ico", no_icon)
        app.router.add_get("/data/replies.json", self._replies)
        app.router.add_get(r"/data/verdict-{number:\d{1,9}}.json", self._verdict)
        app.router.add_post("/data/mark", self._mark)
        return app

    async def _serve_page(self, request: web.Request) -> web.Response:
        language = language_of(request)
        answer = web.Response(text=self._pages[language], content_type="text/html")
        keep_language(request, answer)
        return answer

    async def _replies(self, request: web.Request) -> web.Response:
        marks = self.audit.book.marked_by(self.by)
        replies = []
        for number, drawn in enumerate(self.audit.draw.replies):
            shown = self.audit.shown[drawn.id]
            replies.append(
                {
                    "number": number,
                    "question": shown.question,
                    "options": [[option.letter, option.text] for option in shown.options],
                    "texts": shown.texts,
                    "cut": shown.cut,
                    "mark": marks[drawn.id].mark if drawn.id in marks else None,
                }
            )
        return _json({"by": self.by, "replies": replies, "result": self._result()})

    async def _verdict(self, request: web.Request) -> web.Response:
        number = int(request.match_info["number"])
        if number >= len(self.audit.draw.replies):
            raise web.HTTPNotFound
        trial = self.audit.draw.replies[number].id
        self._seen.add(trial)
        return _json(self._read(trial, language_of(request)))

    async def _mark(self, request: web.Request) -> web.Response:
        try:
            asked = msgspec.json.decode(await request.read(), type=_MarkRequest)
        except NOT_JSON as error:
            raise web.HTTPBadRequest(text=f"no mark: {error}\n") from None
        if not 0 <= asked.number < len(self.audit.draw.replies):
            raise web.HTTPNotFound(text=f"no reply {asked.number}\n")
        drawn = self.audit.draw.replies[asked.number]
        letters = [option.letter for option in self.audit.shown[drawn.id].options]
        if asked.mark not in (*letters, NONE, UNSURE):
            raise web.HTTPBadRequest(text=f"{asked.mark!r} is no option of this reply\n")
        blind = drawn.id not in self._seen
        self.audit.book.add([Mark(drawn.id, drawn.reply, asked.mark, self.by, blind)])
        self._seen.add(drawn.id)
        return _json(
            {"verdict": self._read(drawn.id, language_of(request)), "result": self._result()}
        )

    def _read(self, trial: str, language: str) -> dict[str, Any]:
        """Return what the reader made of a reply; not whether that is right."""
        verdict = self.audit.population.readings[trial].record.verdict
        confirmed = bool(verdict.tags.get("confirmed"))
        return {
            "letter": verdict.letter,
            "why": say(reason(verdict.why), language),
            "confidence": say(
                said("marking-confidence", level=verdict.confidence.replace(" ", "-") or None),
                language,
            ),
            "span": verdict.span,
            "text": len(self.audit.shown[trial].texts) - 1 if confirmed else 0,
        }

    def _result(self) -> list[str]:
        """The result in words, once all are marked."""
        result = result_of(self.audit.population, self.audit.book, self.by)
        return result.sentences if result and result.complete else []


class _MarkRequest(msgspec.Struct):
    number: int
    mark: str


def _json(value: Any) -> web.Response:
    return web.Response(body=msgspec.json.encode(value), content_type="application/json")


def _pages() -> tuple[dict[str, str], str]:
    """The page by language, script and style in it, and the policy that lets only these run."""
    look = in_page(
        styles=("report/report.css", "zhiyin.plugins.methods/marking.css"),
        scripts=("report/base.js", "zhiyin.plugins.methods/marking.js"),
        rules="connect-src 'self'",
    )
    addresses = {language: f"?lang={language}" for language in LANGUAGES}
    pages = {
        one: render(
            "zhiyin.plugins.methods/marking.html", one, look=look, others=others(addresses, one)
        )
        for one in LANGUAGES
    }
    return pages, look.policy
