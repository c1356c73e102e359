"""The pages of one run, of one of its replies, of two runs, and of a suite over time."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.summary import Summary
from zhiyin.engine.folder import read_parts, read_records
from zhiyin.labbook.html import Content, Markup, el, link, table
from zhiyin.labbook.notes import Notebook
from zhiyin.labbook.pages import (
    done_of,
    left_of,
    page,
    remarks_block,
    seconds_of,
    share_of,
    tags_of,
)
from zhiyin.labbook.shelf import Run
from zhiyin.labbook.words import t, translated
from zhiyin.numerals import p_words, percent
from zhiyin.runs.figures import GroupFigures

REPLIES = 50
_SNIPPET = 160


class _Reply(msgspec.Struct):
    text: str = ""


class _Turn(msgspec.Struct):
    reply: _Reply


class _Exchange(msgspec.Struct):
    turns: tuple[_Turn, ...] = ()


class _Verdict(msgspec.Struct):
    state: str
    letter: str | None = None


class _Record(msgspec.Struct):
    id: str
    verdict: _Verdict
    exchange: _Exchange = msgspec.field(default_factory=_Exchange)
    error: str | None = None

    @property
    def reply(self) -> str:
        """The last reply, or why there is none."""
        turns = self.exchange.turns
        text = self.error or (turns[-1].reply.text if turns else "")
        return " ".join(text[: 4 * _SNIPPET].split())[:_SNIPPET]


def run_page(
    run: Run, folder: Path, summary: Summary | None, asked: dict[str, str], token: str
) -> str:
    """A run: its figures, its progress, what failed, what it cost, its notes and replies."""
    facts = run.facts
    head: list[Content] = [
        el("p", run.benchmark, " · ", run.model, " · ", el("span", run.place, class_="soft")),
        el("p", t("{n} % right of {judged} judged; {state}", n=share_of(run),
                  judged=facts.n if facts else "…", state=t(run.status))),
        el("p", link(f"/run/{run.key}/report", t("Report and trials")), " ",
           t("(sound, notation, charts)")),
    ]  # fmt: skip
    if run.problem:
        head.append(el("p", translated(run.problem), class_="warning"))
    if run.going:
        head.append(_progress(run))
    warnings = [
        el("p", translated(warning), class_="warning")
        for warning in (summary.warnings if summary else ())
    ]
    errors = facts.causes if facts else []
    causes = (
        table(
            ["times", "cause"],
            [[n, translated(cause)] for cause, n in errors],
            t("What failed"),
            {0},
        )
        if errors
        else None
    )
    groups = _groups(summary.groups if summary else {})
    notebook = Notebook(folder)
    return page(
        run.called,
        *head,
        warnings,
        remarks_block(notebook.run, {"run": run.key}, token, labelled=True),
        el("h2", t("Cost and latency")),
        _spent(run),
        causes,
        groups,
        _replies(run, folder, notebook, asked) if not run.problem else None,
        again=10 if run.going else None,
    )


def _progress(run: Run) -> Markup:
    whole = run.total or run.planned
    facts = run.facts
    spent = (
        "" if facts is None or facts.usd is None else t(", {usd} usd spent", usd=f"{facts.usd:.2f}")
    )
    return el(
        "p",
        el("progress", max=max(whole, 1), value=min(run.done, whole), aria_label=t("progress")),
        " ",
        t(
            "{done} trials, {left}{spent}, {errors} failed",
            done=done_of(run),
            left=left_of(run),
            spent=spent,
            errors=run.errors,
        ),
    )


def _spent(run: Run) -> Markup:
    facts = run.facts
    if facts is None:
        return el("p", t("not counted yet"))
    money = t("price not known") if facts.usd is None else t("{usd} usd", usd=f"{facts.usd:.4f}")
    sentence = "{money}; {tokens} tokens; {elapsed} s in sessions that ended"
    if facts.median_s is not None:
        sentence = (
            "{money}; {tokens} tokens; a reply takes {median} s (median), nine in ten at most "
            "{slow} s; {elapsed} s in sessions that ended"
        )
    return el(
        "p",
        t(
            sentence,
            money=money,
            tokens=f"{facts.tokens:,}",
            median=seconds_of(facts.median_s),
            slow=seconds_of(facts.slow_s),
            elapsed=f"{run.elapsed_s:,.0f}",
        ),
    )


def _groups(groups: dict[str, GroupFigures]) -> Markup | None:
    if not groups or not groups["all"].n:
        return None
    rows: list[list[Content]] = []
    for name, figures in groups.items():
        low, high = figures.ci95 or (None, None)
        ends = "-" if low is None else f"{percent(low)}–{percent(high)}"
        rows.append([t(name), figures.n, percent(figures.accuracy), ends,
                     percent(figures.ifr)])  # fmt: skip
    inner = table(["group", "judged", "right, %", "95 % int.", "IFR, %"], rows, t("Groups"),
                  {1, 2, 3, 4})  # fmt: skip
    return el(
        "details",
        el("summary", t("{n} groups" if len(rows) != 1 else "1 group", n=len(rows))),
        inner,
    )


def _replies(run: Run, folder: Path, notebook: Notebook, asked: dict[str, str]) -> Markup:
    words, state = asked.get("q", "").lower().split(), asked.get("state", "")
    marked = asked.get("marked", "")
    matches = [
        record
        for record in read_parts(folder, _Record)
        if state in ("", record.verdict.state)
        and (not marked or record.id in notebook.replies)
        and (not words or all(word in f"{record.id} {record.reply}".lower() for word in words))
    ]
    first = max(0, int(asked.get("from", "0") or 0))
    rows: list[list[Content]] = [
        [
            link(f"/run/{run.key}/reply", record.id, id=record.id),
            t(record.verdict.state),
            record.verdict.letter or "-",
            el("bdi", record.reply),
            tags_of(notebook.of(record.id)),
        ]
        for record in matches[first : first + REPLIES]
    ]
    states = ["", *sorted(run.facts.states if run.facts else ())]
    options = (el("option", t(s or "all"), value=s, selected=s == state) for s in states)
    search = el(
        "form",
        el("label", t("Search replies"), el("input", type="search", name="q",
                                         value=asked.get("q", ""))),
        el("label", t("State"), el("select", *options, name="state")),
        el("label", t("With notes only"), el("input", type="checkbox", name="marked", value="1",
                                          checked=bool(marked))),
        el("button", t("Find")),
        class_="bar", method="get", action=f"/run/{run.key}", role="search",
    )  # fmt: skip
    kept = {k: asked[k] for k in ("q", "state", "marked") if asked.get(k)}
    more: list[Content] = []
    if first:
        more.append(
            link(f"/run/{run.key}", t("earlier"), **{**kept, "from": max(0, first - REPLIES)})
        )
    if first + REPLIES < len(matches):
        more += [" ", link(f"/run/{run.key}", t("further"), **{**kept, "from": first + REPLIES})]
    head = ["trial", "state", "read as", "reply", "tags"]
    shown = (
        t(
            "{first}–{last} of {all}",
            first=first + 1,
            last=min(first + REPLIES, len(matches)),
            all=len(matches),
        )
        if matches
        else t("none")
    )
    return el("section", el("h2", t("Replies")), search, table(head, rows, shown, set()),
              el("p", more))  # fmt: skip


def reply_page(run: Run, folder: Path, trial: str, token: str) -> str | None:
    """One reply with its question; None where the run has no such trial."""
    record = next((r for r in read_records(folder) if r.id == trial), None)
    if record is None:
        return None
    asked = record.trial
    options = [el("li", f"{option.letter}. {option.text}") for option in asked.options]
    turns: list[Content] = []
    for turn in record.exchange.turns:
        turns += [
            el("h2", t(turn.purpose or "Reply")),
            el("pre", turn.reply.text or t("(nothing)")),
        ]
    return page(
        t("{trial}: {state}", trial=trial, state=t(record.verdict.state)),
        el("p", link(f"/run/{run.key}", run.called), " · ",
           link(f"/run/{run.key}/report", t("in the report, with sound and notation"))),
        el("p", t("read as {letter} ({why}); right: {right}", letter=record.verdict.letter or "-",
                  why=translated(record.verdict.why), right=asked.target or "-")),
        el("p", record.error, class_="warning") if record.error else None,
        el("h2", t("Question")),
        el("pre", asked.stem),
        el("ul", options) if options else None,
        turns,
        remarks_block(Notebook(folder).of(trial), {"run": run.key, "trial": trial}, token,
                      labelled=False),
    )  # fmt: skip


def compare_page(runs: Sequence[Run], comparison: Any, problem: str) -> str:
    """Two runs or more on the questions that all judged."""
    names = t(" and ").join(run.called for run in runs)
    keys = "&".join(f"run={run.key}" for run in runs)
    body: list[Content] = [
        el("p", el("a", t("Side by side in the report"), href=f"/report?{keys}"),
           " ", t("(every trial, differences marked)")),
        table(
            ["run", "right, %", "judged", "failed", "usd", "reply, s"],
            [[link(f"/run/{r.key}", r.called), share_of(r), r.facts.n if r.facts else "…", r.errors,
              "-" if r.facts is None or r.facts.usd is None else f"{r.facts.usd:.2f}",
              seconds_of(r.facts.median_s if r.facts else None)] for r in runs],
            t("Each by itself"), {1, 2, 3, 4, 5},
        ),
    ]  # fmt: skip
    if problem:
        body.append(el("p", translated(problem), class_="warning"))
        return page(t("{names} compared", names=names), *body)
    for warning in comparison.warnings:
        body.append(el("p", translated(warning), class_="warning"))
    for pair in comparison.pairs:
        rows: list[list[Content]] = [
            [t(row.group), row.items, percent(row.first), percent(row.second),
             f"{100 * row.difference:+.1f}", _ends(row.low, row.high),
             p_words(row.p_adjusted) if row.p_adjusted is not None else "-",
             t(("first" if row.difference > 0 else "second") if row.resolved else "not resolved")]
            for row in pair.groups
        ]  # fmt: skip
        head = ["group", comparison.unit, "first, %", "second, %", "difference", "95 % int.", "p",
                "better"]  # fmt: skip
        caption = t(
            "First: {first}; second: {second}. In points; p is corrected.",
            first=pair.first,
            second=pair.second,
        )
        body.append(table(head, rows, caption, {1, 2, 3, 4, 5, 6}))
    return page(t("{names} compared", names=names), *body)


def _ends(low: float, high: float) -> str:
    return t("{low} to {high}", low=f"{100 * low:+.1f}", high=f"{100 * high:+.1f}")


def history_page(runs: Sequence[Run]) -> str:
    """Each suite (a benchmark on the same data) over time."""
    suites: dict[tuple[str, str], list[Run]] = {}
    for run in runs:
        if run.facts and run.facts.accuracy is not None and run.started:
            suites.setdefault((run.benchmark, run.data), []).append(run)
    body: list[Content] = []
    for (benchmark, data), members in sorted(suites.items()):
        members = sorted(members, key=lambda run: run.started)
        rows: list[list[Content]] = [
            [link(f"/run/{r.key}", r.called), r.started[:16].replace("T", " "), share_of(r),
             r.facts.n if r.facts else None, t(r.status),
             "-" if r.facts is None or r.facts.usd is None else f"{r.facts.usd:.2f}",
             seconds_of(r.facts.median_s if r.facts else None)]
            for r in members
        ]  # fmt: skip
        body += [
            el("h2", benchmark, " ",
               el("small", data and t("data {hash}", hash=data[:8]), class_="soft")),
            _chart(members) if len(members) > 1 else None,
            table(["run", "started", "right, %", "judged", "state", "usd", "reply, s"], rows,
                  t("{n} runs, earliest first" if len(members) > 1 else "1 run", n=len(members)),
                  {2, 3, 5, 6}),
        ]  # fmt: skip
    note = t(
        "Runs of one benchmark on the same data. Their settings may differ: tick two to compare."
    )
    return page(
        t("History"), el("p", note, class_="soft"), *(body or [el("p", t("no figures yet"))])
    )


def _chart(runs: Sequence[Run]) -> Markup:
    """Accuracy over time with 95 % intervals, as SVG; the table beside it has the numbers."""
    times = [datetime.fromisoformat(run.started).timestamp() for run in runs]
    span = max(times) - min(times) or 1.0

    def x(at: float) -> str:
        return f"{50 + 530 * (at - min(times)) / span:.1f}"

    def y(share: float) -> str:
        return f"{170 - 150 * share:.1f}"

    parts: list[Content] = []
    for share in (0.0, 0.5, 1.0):
        line = el("line", x1=40, x2=590, y1=y(share), y2=y(share), class_="axis")
        parts += [line, el("text", f"{100 * share:.0f} %", x=0, y=y(share))]
    for run, at in zip(runs, times, strict=True):
        facts = run.facts
        if facts is None or facts.accuracy is None:
            continue
        label = f"{run.called}: {share_of(run)} %"
        ends: Content = None
        if facts.low is not None and facts.high is not None:
            low, high = y(facts.low), y(facts.high)
            ends = el("line", x1=x(at), x2=x(at), y1=low, y2=high, class_="whisker")
        circle = el("circle", cx=x(at), cy=y(facts.accuracy), r=4, class_="mark")
        parts.append(el("g", el("title", label), ends, circle))
    first, last = runs[0].started[:10], runs[-1].started[:10]
    parts += [el("text", first, x=50, y=192),
              el("text", last, x=580, y=192, text_anchor="end")]  # fmt: skip
    title = t("Share of right answers over time, with 95 % intervals")
    return el("svg", el("title", title), *parts, viewBox="0 0 600 200", role="img")


def trouble_page(title: str, message: str) -> str:
    """What went wrong, and the way back."""
    return page(
        t(title),
        el("p", translated(t(message)), class_="warning"),
        el("p", link("/", t("All runs"))),
    )
