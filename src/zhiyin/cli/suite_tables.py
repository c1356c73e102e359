"""What `zhiyin suite` prints: the plan before, and the results after."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import open_console, print_json
from zhiyin.numerals import duration, usd
from zhiyin.shown.table import Cell, Kind, Row, table_of
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.cost.budget import Purse
    from zhiyin.shown.terminal import Terminal
    from zhiyin.suite.file import Suite
    from zhiyin.suite.folder import SuiteFolder, SuiteState
    from zhiyin.suite.planning import Plan, Planned, Total
    from zhiyin.suite.results import Cards, Written


_LINES = 4
"""So many changes and problems are told before a suite begins."""


def print_plan(suite: Suite, plan: Plan, folder: SuiteFolder, *, as_json: bool, dry: bool) -> None:
    """Print what a suite would ask: on standard output when dry, else on standard error."""
    if as_json:
        print_json(_as_json(suite, plan, folder))
        return
    console = open_console()
    console.stderr = not dry
    more = "" if dry else "--dry-run has all"
    most = None if dry else _LINES
    with console.paged() if dry else nullcontext():
        _say_plan(console, suite, plan, folder, most, more)


def _say_plan(
    console: Terminal, suite: Suite, plan: Plan, folder: SuiteFolder, most: int | None, more: str
) -> None:
    console.say(f"suite {suite.name}, {suite.sha256[:8]}: {folder.folder}", 0)
    console.say_all(list(_changes(suite, plan, folder)), most=most, more=more)
    columns: dict[str, Kind] = {
        "run": "text", "trials": "count", "to ask": "count", "calls": "count", "clips": "count",
        "usd": "usd", "time": "seconds",
    }  # fmt: skip
    rows = [Row((row.cell.name, *_cells(plan, row)), weight=not row.done) for row in plan.rows]
    console.print_table(table_of("plan", columns, rows), more)
    problems: dict[tuple[str, str], list[str]] = {}
    for row in plan.rows:
        if row.problem:
            word = "cannot begin" if row in plan.problems else "left out"
            problems.setdefault((word, row.problem), []).append(row.cell.name)
    lines = [f"{word}: {_several(names)}: {why}" for (word, why), names in problems.items()]
    console.say_all(lines, most=most, more=more)
    console.say_all(list(_total(plan)))


def _several(names: list[str]) -> str:
    """The first of some runs, and how many more there are."""
    return names[0] if len(names) == 1 else f"{names[0]} and {len(names) - 1} more"


def _changes(suite: Suite, plan: Plan, folder: SuiteFolder) -> Iterator[str]:
    """The difference to the file that the folder was begun with, and what it means."""
    before = folder.before
    if before is None:
        return
    if before.now.sha256 != suite.sha256:
        yield f"the file has changed since {before.now.since} ({before.now.file})"
    elif before.now.given != suite.given:
        then = ", ".join(before.now.given) or "nothing"
        yield f"the command line said {then} before"
    change, rows = plan.change, {row.cell.name: row for row in plan.rows}
    if before.now.sha256 != suite.sha256 and not change.any:
        yield "no run is another one by that"
    for name in change.added:
        place = rows[name].take
        answers = f"its answers are in {place}" if place else "all of it will be asked"
        yield f"added: {name}: {answers}"
    for name in change.gone:
        yield f"gone: {name}: put aside, in no table, nothing is lost"
    for name, differences in change.changed.items():
        row = rows[name]
        if row.other:
            means = f"another run: its {row.answered:,} answers will not count"
        elif row.take:
            means = f"another run: its answers are in {row.take}"
        else:
            means = "the same run: its answers count"
        yield f"changed: {name}: {'; '.join(differences)}: {means}"


def _cells(plan: Plan, row: Planned) -> tuple[Cell, ...]:
    estimate = row.estimate
    if row.done:
        return ("done", *[""] * 5)
    if estimate is None:
        return (None,) * 6
    counts = (estimate.planned, estimate.asked, row.calls, estimate.clips)
    return (*counts, estimate.usd, plan.seconds(row) or None)


def _total(plan: Plan) -> Iterator[str]:
    total = plan.total
    text = f"{total.runs:,} {'run' if total.runs == 1 else 'runs'}"
    text += f", {total.done:,} done already" if total.done else ""
    text += f"; {total.asked:,} trials to ask in {total.calls:,} calls, {total.clips:,} clips"
    yield text
    most = "" if not total.usd_at_most else f", at most {usd(total.usd_at_most)}"
    price = "?, as the price of a model is not known" if total.usd is None else usd(total.usd)
    yield f"cost: {price}{most} usd" if total.usd is not None else f"cost: {price}"
    if any("judge" in row.cell.flags and not row.done for row in plan.rows):
        yield "what judges ask is not in this estimate"
    if plan.purse:
        yield f"budget: {plan.purse.summary} spent{_beyond(plan.purse, total)}"
    if total.seconds is None:
        yield "time: not known before each model has answered something"
    else:
        yield f"time: {duration(total.seconds)}, as fast as before"


def _beyond(purse: Purse, total: Total) -> str:
    """Whether the rest is estimated to cost more than is left."""
    budget = purse.budget
    most = (budget.usd, purse.usd, total.usd), (budget.calls, purse.calls, total.calls)
    over = any(None not in (a, c) and b + (c or 0) > (a or 0) for a, b, c in most)
    return ": too little for all by this estimate" if over else ""


def _as_json(suite: Suite, plan: Plan, folder: SuiteFolder) -> dict[str, Any]:
    return {
        "suite": suite.name,
        "sha256": suite.sha256,
        "folder": str(folder.folder),
        "total": plan.total,
        **({"budget": plan.purse.summary} if plan.purse else {}),
        "change": plan.change,
        "runs": [
            {
                "name": row.cell.name,
                "benchmark": row.cell.benchmark,
                "model": row.cell.model,
                "condition": row.cell.condition,
                "flags": row.cell.flags,
                "done": row.done,
                "problem": row.problem,
                "other_settings": row.other,
                "seconds": plan.seconds(row),
                "estimate": row.estimate,
            }
            for row in plan.rows
        ],
    }


def print_result(folder: Path, state: SuiteState, results: Written | None, spent: str) -> None:
    """Print what came of a suite: runs that are not done, the budget, and the report cards."""
    console = open_console()
    if results is not None:
        for cards in results.cards:
            _say_cards(console, cards, several=len(results.cards) > 1)
        every = {
            name: what
            for cards in results.cards
            for card in cards.cards
            for name, what in card.get.items()
        }
        console.say_all([f"missing: {name}: {what}" for name, what in every.items()])
    done = sum(run.state == "done" for run in state.runs)
    console.say(f"suite {state.name}: {done} of {len(state.runs)} runs done, in {folder}", 0)
    if spent:
        console.say(f"spent: {spent}")
    words = {"failed": "failed", "stopped": "stopped", "missing": "left out"}
    ended: dict[tuple[str, str], list[str]] = {}
    for run in state.runs:
        if run.state in words:
            ended.setdefault((words[run.state], run.told), []).append(run.name)
    console.say_all([f"{word}: {_several(names)}: {why}" for (word, why), names in ended.items()])
    if waiting := sum(run.state == "planned" for run in state.runs):
        console.say(f"not begun: {waiting} runs; the same command goes on from here")
    if results is not None:
        console.say_all(results.notes, label="note")
        console.say(f"open {results.page}")
    sys.stdout.flush()


def _say_cards(console: Terminal, cards: Cards, *, several: bool) -> None:
    """The report cards of one condition, and which model for which skill."""
    from zhiyin.suite.results import card_table, orders_table, unasked

    condition = cards.condition if several else ""
    for card in cards.cards:
        if table := card_table(card, condition):
            console.print_table(table, "see the page")
        if skills := unasked(card):
            console.say(said("suite-unasked", skills=skills))
    if orders := orders_table(cards.orders, condition):
        console.print_table(orders)
