"""Result of an audit: how often replies are misread, and the accuracy that people would read.

The page on which the replies of an audit are marked: one file, served on this machine.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
from aiohttp import web
from msgspec.structs import replace

from zhiyin.files import NOT_JSON
from zhiyin.plugins.methods.audit import Stratum, corrected_accuracy, stratified_rate
from zhiyin.plugins.methods.audit.drawing import Audit, Population, fits, read_population
from zhiyin.plugins.methods.audit.marks import (
    AUDIT,
    JUDGE,
    NONE,
    PERSON,
    UNSURE,
    Book,
    Draw,
    Mark,
    outcome_of,
)
from zhiyin.plugins.methods.serving import (
    guard,
    keep_language,
    language_of,
    no_icon,
    strict_headers,
)
from zhiyin.shown.pages import in_page, others, render
from zhiyin.words import LANGUAGES, Said, naming, said, say
from zhiyin.words.reasons import reason

MarkedReplies = dict[str, tuple[str, str | None, Mark]]
"""For each marked reply: stratum, the letter that the reader read, the mark."""


def audited(folder: Path) -> AuditFound | None:
    """The result of a run's audit, None where nothing was marked. See `result_of`."""
    if not (folder / AUDIT).is_file():
        return None
    return result_of(read_population(folder), Book(folder))


def result_of(population: Population, book: Book, by: str | None = None) -> AuditFound | None:
    """Compute the result of one marker's marks on a run; None where there are no marks.

    Parameters
    ----------
    population : Population
    book : Book
    by : str, optional
        Whose marks; by default those of a person who marked all, then of a judge who did, then
        of the person who marked most.
    """
    draw, markers = book.draw, book.markers
    if draw is None or not markers:
        return None
    who = by or markers[0]
    marks = book.marked_by(who)
    if not marks:
        return None
    stale = not fits(draw, population)
    found = AuditFound(
        by=who,
        policies=population.policies,
        population=len(population.readings),
        drawn=len(draw.replies),
        marked=len(marks),
        stale=stale,
        complete=not stale and len(marks) == len(draw.replies),
    )
    if not stale:
        read: MarkedReplies = {
            one.id: (one.stratum, population.readings[one.id].letter, marks[one.id])
            for one in draw.replies
            if one.id in marks
        }
        found = replace(found, **_counts(read), strata=_strata(draw, read))
        if found.complete and found.unsure != len(marks):
            accuracy = _accuracy(draw, read, population)
            found = replace(found, **_rate(draw, read), accuracy=accuracy)
    return replace(found, sentences=list(map(naming, found.told())))


def _letter(mark: Mark) -> str | None:
    return None if mark.mark == NONE else mark.mark


def _misread(letter: str | None, mark: Mark) -> bool:
    return mark.mark != UNSURE and letter != _letter(mark)


def _counts(read: MarkedReplies) -> dict[str, int]:
    sure = [(letter, mark) for _, letter, mark in read.values() if mark.mark != UNSURE]
    outcomes = [outcome_of(_letter(mark), letter) for letter, mark in sure]
    return {
        "unsure": len(read) - len(sure),
        "in_sight": sum(not mark.blind for _, _, mark in read.values()),
        "misread": sum(outcome != "right" for outcome in outcomes),
        "missed": outcomes.count("miss"),
        "false_guesses": outcomes.count("false guess"),
        "wrong": outcomes.count("wrong"),
    }


def _strata(draw: Draw, read: MarkedReplies) -> list[StratumFound]:
    rows = []
    for name, size in draw.sizes.items():
        own = [(letter, mark) for stratum, letter, mark in read.values() if stratum == name]
        rows.append(
            StratumFound(
                stratum=name,
                size=size,
                drawn=sum(one.stratum == name for one in draw.replies),
                marked=len(own),
                unsure=sum(mark.mark == UNSURE for _, mark in own),
                misread=sum(_misread(letter, mark) for letter, mark in own),
            )
        )
    return rows


Change = Callable[[str, "str | None", Mark], int]
"""From trial, letter read and mark to 1, 0 or -1."""


def _cells(draw: Draw, read: MarkedReplies, change: Change, unsure: Change | None) -> list[Stratum]:
    """The strata for an estimate; unsure marks by a rule of their own, or left out."""
    cells = []
    for name, size in draw.sizes.items():
        changes = []
        for trial, (stratum, letter, mark) in read.items():
            if stratum == name:
                rule = unsure if mark.mark == UNSURE else change
                if rule:
                    changes.append(rule(trial, letter, mark))
        if changes:
            cells.append(Stratum(size, len(changes), changes.count(1), changes.count(-1)))
    return cells


def _rate(draw: Draw, read: MarkedReplies) -> dict[str, Any]:
    def hit(trial: str, letter: str | None, mark: Mark) -> int:
        return int(_misread(letter, mark))

    point = stratified_rate(_cells(draw, read, hit, None))
    low = stratified_rate(_cells(draw, read, hit, lambda *_: 0))
    high = stratified_rate(_cells(draw, read, hit, lambda *_: 1))
    return {
        "rate": point.rate,
        "ci95": (min(point.rate, low.low), max(point.rate, high.high)),
        "method": point.method,
    }


def _accuracy(draw: Draw, read: MarkedReplies, population: Population) -> AuditedAccuracy | None:
    """Accuracy over the replies read by rule, corrected; None where some have no right answer."""
    readings = population.readings
    if any(one.gold is None for one in readings.values()):
        return None

    def by_mark(right: bool | None) -> Change:
        def change(trial: str, letter: str | None, mark: Mark) -> int:
            one = readings[trial]
            truth = _letter(mark) == one.gold if right is None else right
            return int(truth) - int(one.right)

        return change

    as_read, effective = _effective(population)
    point, low, high = (
        corrected_accuracy(
            as_read,
            _cells(draw, read, by_mark(None), None if unsure is None else by_mark(unsure)),
            effective=effective,
        )
        for unsure in (None, False, True)
    )
    ci95 = min(point.low, low.low), max(point.high, high.high)
    return AuditedAccuracy(len(readings), as_read, point.accuracy, ci95)


def _effective(population: Population) -> tuple[float, float]:
    """Accuracy as read, and how many independent replies these are worth."""
    import numpy as np

    from zhiyin.statistics.intervals import effective_n, standard_error

    sums: dict[str, list[float]] = {}
    for one in population.readings.values():
        own = sums.setdefault(one.hangs, [0.0, 0.0])
        own[0] += one.right
        own[1] += 1
    table = np.array(list(sums.values()))
    n, right = int(table[:, 1].sum()), float(table[:, 0].sum())
    if len(table) == n:
        return right / n, float(n)
    if len(table) == 1:
        return right / n, 1.0
    se = standard_error(table[:, 0], table[:, 1])
    return right / n, min(float(n), effective_n(right / n, se, table[:, 1]))


class StratumFound(msgspec.Struct, frozen=True):
    """The replies that one rule of the reader's read: how many there are, and what marks say."""

    stratum: str
    size: int
    drawn: int
    marked: int
    unsure: int
    misread: int


class AuditedAccuracy(msgspec.Struct, frozen=True):
    """The accuracy over the `n` replies read by rule: as they were read, and as people would."""

    n: int
    as_read: float
    corrected: float
    ci95: tuple[float, float]


class AuditFound(msgspec.Struct, frozen=True, kw_only=True, omit_defaults=True):
    """Result of one marker's marks on a run; JSON leaves out what is None.

    Attributes
    ----------
    by : str
    policies : list of str
    population, drawn, marked : int
        Replies read by rule, those of them that were drawn, and that were marked.
    stale : bool
        Whether the run holds other replies than were drawn from; nothing of the following is known
        then.
    complete : bool
        Whether all that were drawn are marked.
    unsure, in_sight, misread : int or None
        Marked as unsure, with the verdict in sight, otherwise than read; a reply marked as unsure
        is in no rate.
    missed, false_guesses, wrong : int or None
        Of the misread ones.
    strata : list of StratumFound or None
    rate : float or None
        The share of all replies that are misread; this and the following where all are marked.
    ci95 : tuple of float or None
        Holds whether replies marked as unsure were read right or not.
    method : str or None
    accuracy : AuditedAccuracy or None
        None where some reply has no right answer, too.
    sentences : list of str
        The same in words.
    """

    by: str
    policies: list[str]
    population: int
    drawn: int
    marked: int
    stale: bool
    complete: bool
    unsure: int | None = None
    in_sight: int | None = None
    misread: int | None = None
    missed: int | None = None
    false_guesses: int | None = None
    wrong: int | None = None
    strata: list[StratumFound] | None = None
    rate: float | None = None
    ci95: tuple[float, float] | None = None
    method: str | None = None
    accuracy: AuditedAccuracy | None = None
    sentences: list[str] = []

    def told(self) -> list[Said]:
        """List its lines for `show` and the report."""
        if self.stale:
            return [said("audit-stale")]
        lines = [said("audit-line", policies=self.policies, found=self.in_short())]
        if one := self.accuracy:
            low, high = one.ci95
            facts = {"as_read": one.as_read, "corrected": one.corrected, "low": low, "high": high}
            lines.append(said("audit-accuracy", n=one.n, **facts))
        if self.complete and self.in_sight:
            lines.append(said("audit-in-sight", n=self.in_sight))
        return lines

    def in_short(self) -> Said:
        """Summarize the result so far."""
        by = self.by.removeprefix(JUDGE) if self.by.startswith(JUDGE) else None
        misread, unsure = self.misread or 0, self.unsure or 0
        if not self.complete:
            facts = {"marked": self.marked, "drawn": self.drawn, "misread": misread}
            return said("audit-under-way", by=by, **facts)
        if self.rate is None or self.ci95 is None:
            return said("audit-unsure", by=by, marked=self.marked)
        sure = self.marked - unsure
        low, high = (None, None) if self.method == "census" and not unsure else self.ci95
        simple = abs(self.rate - misread / sure) < 5e-5
        return said(
            "audit-found",
            by=by,
            misread=misread,
            sure=sure,
            rate=None if simple else self.rate,
            low=low,
            high=high,
            unsure=unsure,
        )


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
