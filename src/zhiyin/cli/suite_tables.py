"""What `zhiyin suite` prints: the plan before, and the results after."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.display import open_console, print_json
from zhiyin.cli.screen import Screen, cut_rows, nothing, sentences, table_of
from zhiyin.numerals import percent
from zhiyin.suite.watching import duration

if TYPE_CHECKING:
    from rich.table import Table

    from zhiyin.analysis.skill_orders import Order
    from zhiyin.analysis.skills import Figure, Line, Part
    from zhiyin.cli.screen import Part as ScreenPart
    from zhiyin.cost.budget import Purse
    from zhiyin.suite.file import Suite
    from zhiyin.suite.folder import SuiteFolder, SuiteState
    from zhiyin.suite.planning import Plan, Planned, Total
    from zhiyin.suite.results import Cards, Written, WrittenCard


def print_plan(suite: Suite, plan: Plan, folder: SuiteFolder, *, as_json: bool, dry: bool) -> None:
    """Print what a suite would ask: on standard output when dry, else on standard error."""
    if as_json:
        print_json(_as_json(suite, plan, folder))
        return
    console = open_console()
    console.stderr = not dry
    screen = Screen(console)
    screen.add(lambda own: own.say(f"suite {suite.name}, {suite.sha256[:8]}: {folder.folder}", 0))
    changes = list(_changes(suite, plan, folder))
    screen.add(*sentences(changes, (6, 3, 1), rest="more changes: --json has all"), rank=1)
    screen.add(*cut_rows(_empty, [[row.cell.name, *_cells(plan, row)] for row in plan.rows]))
    problems: dict[tuple[str, str], list[str]] = {}
    for row in plan.rows:
        if row.problem:
            word = "cannot begin" if row in plan.problems else "left out"
            problems.setdefault((word, row.problem), []).append(row.cell.name)
    lines = [f"{word}: {_several(names)}: {why}" for (word, why), names in problems.items()]
    screen.add(*sentences(lines, (4, 2, 1), rest="more of these: --json has all"), rank=-1)
    screen.add(*sentences(list(_total(plan)), ()))
    screen.show()


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


def _empty() -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0))
    table.add_column("run", overflow="fold")
    for column in ("trials", "to ask", "calls", "clips", "usd", "time"):
        table.add_column(column, justify="right")
    return table


def _cells(plan: Plan, row: Planned) -> list[str]:
    estimate = row.estimate
    if row.done:
        return ["done", *[""] * 5]
    if estimate is None:
        return ["-"] * 6
    return [
        *(f"{n:,}" for n in (estimate.planned, estimate.asked, row.calls, estimate.clips)),
        _usd(estimate.usd),
        _time(plan.seconds(row)),
    ]


def _total(plan: Plan) -> Iterator[str]:
    total = plan.total
    text = f"{total.runs:,} {'run' if total.runs == 1 else 'runs'}"
    text += f", {total.done:,} done already" if total.done else ""
    text += f"; {total.asked:,} trials to ask in {total.calls:,} calls, {total.clips:,} clips"
    yield text
    most = "" if not total.usd_at_most else f", at most {_usd(total.usd_at_most)}"
    price = "?, as the price of a model is not known" if total.usd is None else _usd(total.usd)
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
    screen = Screen(open_console())
    if results is not None:
        for cards in results.cards:
            _add_cards(screen, cards, several=len(results.cards) > 1)
        every = {
            name: what
            for cards in results.cards
            for c in cards.cards
            for name, what in c.get.items()
        }
        missing = [f"missing: {name}: {what}" for name, what in every.items()]
        rest = "more are missing: the page names them"
        screen.add(*sentences(missing, (4, 2, 1), rest=rest), rank=1.4)
    done = sum(run.state == "done" for run in state.runs)
    head = f"suite {state.name}: {done} of {len(state.runs)} runs done, in {folder}"
    screen.add(lambda console: console.say(head, 0))
    if spent:
        screen.add(lambda console: console.say(f"spent: {spent}"))
    words = {"failed": "failed", "stopped": "stopped", "missing": "left out"}
    ended: dict[tuple[str, str], list[str]] = {}
    for run in state.runs:
        if run.state in words:
            ended.setdefault((words[run.state], run.told), []).append(run.name)
    lines = [f"{word}: {_several(names)}: {why}" for (word, why), names in ended.items()]
    screen.add(*sentences(lines, (4, 2, 1), rest="more of these: --json has all"), rank=1.5)
    if waiting := sum(run.state == "planned" for run in state.runs):
        waiting_line = f"not begun: {waiting} runs; the same command goes on from here"
        screen.add(lambda console: console.say(waiting_line))
    if results is not None:
        page = f"open {results.page}"
        screen.add(*sentences(results.notes, (2, 1, 0), label="note", rest="more notes"), rank=0)
        screen.add(lambda console: console.say(page))
    screen.show()
    sys.stdout.flush()


def _add_cards(screen: Screen, cards: Cards, *, several: bool) -> None:
    """The report cards of one condition, and which model for which skill.

    Where there is no room the parts of the skills give way, then the cards but for the first: the
    page holds them all.
    """
    condition = f", {cards.condition}" if several and cards.condition else ""
    notes: dict[str, None] = {}
    for number, card in enumerate(cards.cards):
        screen.add(*_card(card, condition), rank=(2 - number / 100, 4 - number / 100))
        notes |= dict.fromkeys(_notes(card.lines))
    screen.add(*sentences(list(notes), (0,)), rank=1)
    if cards.orders:
        screen.add(lambda console: console.say(f"which model for which skill{condition}", 0))
        lines = [line for order in cards.orders for line in _order(order)]
        counts = [2 * skills for skills in (4, 2, 1) if 2 * skills < len(lines)]
        screen.add(*sentences(lines, counts, rest="more lines: see the page"), rank=2.2)
        screen.add(
            lambda console: console.say(
                "on the items that all models judged; who shares a letter is not told apart "
                f"(paired, by cluster; Holm over {cards.orders[0].tests} tests)"
            ),
            nothing,
            rank=2.3,
        )


def _card(card: WrittenCard, condition: str) -> list[ScreenPart]:
    """A card with the parts of each skill, then with the skills alone."""
    from rich.table import Table

    def made(parts: bool) -> Table:
        table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), title_justify="left")
        table.title = f"report card, {_escape(card.model)}{_escape(condition)}, %"
        table.add_column("skill, and its parts" if parts else "skill", overflow="fold")
        for column in ("items", "right", "95 % int.", "floor", "people"):
            table.add_column(column, justify="right", no_wrap=True)
        for line in filter(_asked, card.lines):
            rows = _line_rows(line)
            for row in rows if parts else rows[:1]:
                table.add_row(*row)
        return table

    short = f"report card, {card.model}{condition}: on the page"
    tables = table_of(lambda rows: made(rows is None), [None, 0])
    return [*tables, lambda console: console.say(short, 0)]


def _order(order: Order) -> Iterator[str]:
    ranked = "; ".join(f"{row.name} {percent(row.value)} {row.letters}" for row in order.ranked)
    items = "1 item" if order.items == 1 else f"{order.items:,} items"
    yield f"{order.title} ({items} of all): {ranked}"
    yield f"  {order.sentence}"


def _asked(line: Line) -> bool:
    """Whether a skill has a row: something was asked of it, or should have been."""
    return bool(line.parts or line.missing)


def _line_rows(line: Line) -> list[list[str]]:
    floor = _share(line.floor) if line.items else ""
    whole = [line.title, f"{line.items:,}", *_figure(line.figure), floor, ""]
    missing = [[f"  {_escape(name)}", "missing", "", "", "", ""] for name in line.missing]
    return [whole, *(_part_row(part) for part in line.parts), *missing]


def _part_row(part: Part) -> list[str]:
    name = f"  {_escape(part.benchmark)}"
    if part.scored:
        name += f": {_escape(part.scored)}"
    people = ""
    if part.people:
        low, high = min(p.value for p in part.people), max(p.value for p in part.people)
        people = percent(low) if low == high else f"{percent(low)}-{percent(high)}"
        people += "" if all(p.same for p in part.people) else "*"
    if not part.items:
        return [f"{name} (by degrees)", f"{part.degrees:,}", "-", "", "", ""]
    return [name, f"{part.items:,}", *_figure(part.figure), _share(part.floor), people]


def _notes(lines: list[Line]) -> list[str]:
    parts = [part for line in lines for part in line.parts]
    unasked = sum(not _asked(line) for line in lines)
    notes = [f"nothing was asked of {unasked} more skills: the page names them"] if unasked else []
    if any(part.people and not all(p.same for p in part.people) for part in parts):
        notes.append("* published for the whole of the data, of which this run asked a part")
    if any(p.figure == "precision" for part in parts for p in part.people):
        notes.append("people: precision, which is what is published of them")
    if any(not part.items and part.degrees for part in parts):
        notes.append("by degrees: neither right nor wrong; `zhiyin show` has that run's tables")
    return notes


def _figure(figure: Figure | None) -> list[str]:
    if figure is None:
        return ["-", ""]
    return [percent(figure.value), f"{percent(figure.low)}-{percent(figure.high)}"]


def _share(value: float | None) -> str:
    return "-" if value is None else percent(value)


def _usd(value: float | None) -> str:
    return "?" if value is None else f"{value:,.2f}" if value >= 1 else f"{value:.3g}"


def _time(seconds: float | None) -> str:
    return "?" if seconds is None else duration(seconds) if seconds else ""


def _escape(text: str) -> str:
    from rich.markup import escape

    return escape(text)
