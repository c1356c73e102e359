"""The pages of the lab book: HTML from what is on the shelf, no request in sight."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from urllib.parse import parse_qsl, urlencode

from zhiyin.labbook.html import Content, Markup, el, hidden, join, link, table
from zhiyin.labbook.notes import Remarks
from zhiyin.labbook.shelf import Run
from zhiyin.labbook.words import LANGUAGES, language, query, t, translated
from zhiyin.numerals import percent
from zhiyin.session.progress import in_words

PER_PAGE = 100
_OURS = ("lang", "token")
"""In an address, what is no part of what is asked for."""
_SORTS: dict[str, tuple[str, Callable[[Run], Any]]] = {
    "name": ("run", lambda run: run.called.lower()),
    "started": ("started", lambda run: run.started),
    "benchmark": ("benchmark", lambda run: run.benchmark),
    "status": ("state", lambda run: run.status),
    "accuracy": ("right, %", lambda run: _of(run, "accuracy")),
    "n": ("judged", lambda run: _of(run, "n")),
    "errors": ("failed", lambda run: run.errors),
    "usd": ("usd", lambda run: _of(run, "usd")),
    "latency": ("reply, s", lambda run: _of(run, "median_s")),
}
_FIRST_HIGH = ("started", "accuracy", "n", "errors", "usd", "latency")
"""Sorted from the top when first asked for."""


def _of(run: Run, name: str) -> float:
    value = getattr(run.facts, name) if run.facts else None
    return -1.0 if value is None else float(value)


def page(title: str, *body: Content, again: float | None = None) -> str:
    """A whole page; with `again` it is asked for anew after so many seconds."""
    script = None
    if again is not None:
        script = el("script", src="/assets/again.js", data_seconds=str(again), defer=False)
    head = el(
        "head",
        el("meta", charset="utf-8"),
        el("meta", name="viewport", content="width=device-width, initial-scale=1"),
        el("title", f"{title} · 知音"),
        el("link", rel="stylesheet", href="/assets/style.css"),
    )
    top = el(
        "header",
        el("a", t("To the contents"), href="#main", class_="skip"),
        el("strong", "知音 ", t("lab book")),
        el(
            "nav",
            link("/", t("Runs")),
            " · ",
            link("/history", t("History")),
            " · ",
            _other_language(),
            aria_label=t("Pages"),
        ),
    )
    main = el("main", el("h1", title), *body, script, id="main")
    return "<!doctype html>\n" + el(
        "html", head, el("body", top, main), lang="zh-Hans" if language.get() == "zh" else "en"
    )


def _other_language() -> Markup:
    """The way to the same page in the other language."""
    other = next(name for name in LANGUAGES if name != language.get())
    kept = [(name, value) for name, value in parse_qsl(query.get()) if name not in _OURS]
    return el("a", LANGUAGES[other], href=f"?{urlencode([*kept, ('lang', other)])}", lang=other)


def runs_page(runs: Sequence[Run], asked: dict[str, str]) -> str:
    """The list: searched, sorted, and a page of it."""
    shown = chosen(runs, asked)
    first = max(0, int(asked.get("from", "0") or 0))
    rows = [_row(run) for run in shown[first : first + PER_PAGE]]
    benchmarks = sorted({run.benchmark for run in runs if run.benchmark})
    search = el(
        "form",
        el("label", t("Search"), el("input", type="search", name="q", value=asked.get("q", ""),
                                 placeholder=t("name, model, tag, note"))),
        el("label", t("Benchmark"), _choice("benchmark", ["", *benchmarks], asked)),
        el("label", t("State"), _choice("state", ["", *sorted({r.status for r in runs})], asked)),
        el("button", t("Find")),
        class_="bar", method="get", action="/", role="search",
    )  # fmt: skip
    heads = [*(_sorter(name, asked) for name in _SORTS), "compare"]
    part = len(shown) < len(runs)
    every = "{n} runs" if len(runs) != 1 else "1 run"
    counted = t("{n} of {all} runs" if part else every, n=len(shown), all=len(runs))
    listed = el(
        "form",
        table(heads, rows, counted, {4, 5, 6, 7, 8}),
        el("p", el("button", t("Compare the ticked ones"))),
        method="get",
        action="/compare",
    )
    waiting = any(run.status == "counting" for run in runs)
    going = any(run.going for run in runs)
    around = _around(len(shown), first, asked)
    again = 1 if waiting else 10 if going else None
    return page(t("Runs"), search, listed, around, again=again)


def chosen(runs: Sequence[Run], asked: dict[str, str]) -> list[Run]:
    """The runs that are asked for, in the order that is asked for."""
    words = asked.get("q", "").lower().split()
    matches = [
        run
        for run in runs
        if asked.get("benchmark", "") in ("", run.benchmark)
        and asked.get("state", "") in ("", run.status)
        and all(word in _words_of(run) for word in words)
    ]
    name = asked.get("sort", "started")
    key = _SORTS.get(name, _SORTS["started"])[1]
    down = asked.get("order", "down" if name in _FIRST_HIGH or name not in _SORTS else "up")
    return sorted(matches, key=key, reverse=down == "down")


def _words_of(run: Run) -> str:
    notes = (text for _, text in run.remarks.notes)
    texts = (run.called, run.name, run.place, run.model, run.benchmark, *run.remarks.tags, *notes)
    return " ".join(texts).lower()


def _sorter(name: str, asked: dict[str, str]) -> Markup:
    kept = {key: asked[key] for key in ("q", "benchmark", "state") if asked.get(key)}
    now = asked.get("sort", "started") == name
    default = "down" if name in _FIRST_HIGH else "up"
    order = asked.get("order", default) if now else ""
    turned = {"down": "up", "up": "down"}.get(order, default)
    mark = {"down": " ▾", "up": " ▴"}.get(order, "")
    return el("a", t(_SORTS[name][0]) + mark,
              href=f"/?{urlencode({**kept, 'sort': name, 'order': turned})}")  # fmt: skip


def _choice(name: str, values: Sequence[str], asked: dict[str, str]) -> Markup:
    options = (
        el(
            "option",
            t(value or "all") if name == "state" or not value else value,
            value=value,
            selected=asked.get(name, "") == value,
        )
        for value in values
    )
    return el("select", *options, name=name)


def _around(count: int, first: int, asked: dict[str, str]) -> Markup | None:
    if count <= PER_PAGE:
        return None
    kept = {key: value for key, value in asked.items() if key != "from" and value}
    steps = [
        link("/", f"{at + 1}–{min(at + PER_PAGE, count)}", **{**kept, "from": str(at)})
        if at != first else el("span", f"{at + 1}–{min(at + PER_PAGE, count)}", aria_current="page")
        for at in range(0, count, PER_PAGE)
    ]  # fmt: skip
    return el("nav", join(Markup(f"{step} ") for step in steps), aria_label=t("Further runs"))


def _row(run: Run) -> list[Content]:
    facts = run.facts
    box = el("input", type="checkbox", name="run", value=run.key,
             aria_label=t("compare {run}", run=run.called))  # fmt: skip
    place = run.place if run.called != run.place else ""
    name = el("div", link(f"/run/{run.key}", run.called), el("br"), tags_of(run.remarks),
              el("small", place, class_="soft"))  # fmt: skip
    state: list[Content] = [t(run.status)]
    if run.going:
        state.append([f": {done_of(run)}, ", left_of(run)])
    if run.problem:
        state.append(f": {translated(run.problem)[:160]}")
    if facts and facts.earlier:
        kept = t("{n} of {all} replies of an earlier run", n=facts.earlier, all=facts.replies)
        state.append(f", {kept}")
    return [
        name,
        run.started[:16].replace("T", " "),
        run.benchmark,
        el("span", state, class_="bad" if run.status in ("failed", "unread") else None),
        share_of(run),
        facts.n if facts else "…",
        el("span", run.errors, class_="bad" if run.errors else None),
        "-" if facts is None or facts.usd is None else f"{facts.usd:.2f}",
        seconds_of(facts.median_s if facts else None),
        box,
    ]


def share_of(run: Run) -> str:
    """The share of right answers with its interval."""
    facts = run.facts
    if facts is None or facts.accuracy is None:
        return "-" if facts else "…"
    return f"{percent(facts.accuracy)} ({percent(facts.low)}–{percent(facts.high)})"


def seconds_of(value: float | None) -> str:
    """A latency."""
    return "-" if value is None else f"{value:.2f}"


def done_of(run: Run) -> str:
    """How far a run has come."""
    whole = run.total or run.planned
    return t("{done} of {all}", done=f"{run.done:,}", all=f"{whole:,}")


def left_of(run: Run) -> str:
    """The rate of a run that is under way, and the time that is left at that rate."""
    rate = run.rate
    if not rate:
        return t("rate not known yet")
    rest = max(0, (run.total or run.planned) - run.done)
    per_time = f"{rate:,.1f}/s" if rate >= 1 else f"{60 * rate:,.1f}/min"
    return t("{rate}, {time} left", rate=per_time, time=in_words(rest / rate))


def tags_of(remarks: Remarks) -> Markup:
    """Tags to look at."""
    return join(el("span", tag, class_="tag") for tag in remarks.tags)


def remarks_block(remarks: Remarks, where: dict[str, str], token: str, *, labelled: bool) -> Markup:
    """Label, tags and notes with the forms that change them."""

    def form(kind: str, *inner: Content, text: str | None = None) -> Markup:
        fields = {**where, "kind": kind, "token": token, **({"text": text} if text else {})}
        bar = "bar" if text is None else None
        return el("form", hidden(fields), *inner, method="post", action="/notes", class_=bar)

    tags = [
        el("span", tag, form(
            "untag", el("button", "×", aria_label=t("remove tag {tag}", tag=tag)), text=tag
        ), class_="tag")
        for tag in remarks.tags
    ]  # fmt: skip
    notes = [
        el("div", el("small", at[:16].replace("T", " "), class_="soft"), el("br"), text,
           form("strike", el("button", t("strike")), text=at), class_="note")
        for at, text in remarks.notes
    ]  # fmt: skip
    label = form(
        "label",
        el("label", t("Label"), el("input", name="text", value=remarks.label, maxlength=200)),
        el("button", t("Call it so")),
    )
    return el(
        "section",
        el("h2", t("Notes")),
        label if labelled else None,
        el("div", tags),
        form("tag", el("label", t("Tag"), el("input", name="text", maxlength=80, required=True)),
             el("button", t("Add tag"))),
        notes,
        form("note", el("label", t("Note"), el("textarea", name="text", required=True)),
             el("button", t("Write it down"))),
    )  # fmt: skip
