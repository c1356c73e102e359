"""The page of a suite: its file with its hash, what came of each run, and the report cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any

import msgspec

from zhiyin import __version__
from zhiyin.contract.settings import run_command
from zhiyin.engine.naming import MARK
from zhiyin.files import write_atomically
from zhiyin.shown.pages import TONGUES, in_page, render_both
from zhiyin.suite.card_tables import card_table, orders_table, skill_name, unasked
from zhiyin.suite.folder import RUNS, SuiteState
from zhiyin.words import Said

if TYPE_CHECKING:
    from zhiyin.shown.table import Table
    from zhiyin.suite.results import Cards


def write_page(
    folder: Path,
    state: SuiteState,
    cards: Sequence[Cards],
    written: Mapping[str, str],
    notes: Iterable[str],
    deaf: Collection[str] = (),
) -> Path:
    """Write the page, which opens from disk and takes nothing from elsewhere.

    Parameters
    ----------
    folder : Path
        The suite's.
    state : SuiteState
    cards : sequence of Cards
    written : mapping
        Report and leaderboard by name; empty where there is none.
    notes : iterable of str
    deaf : collection of str
        The runs whose model failed its canary.

    Returns
    -------
    Path

    Raises
    ------
    OSError
        It cannot be written.
    """
    content = render_both(
        "suite/suite.html",
        state.name,
        in_page(scripts=(TONGUES,)),
        state=state,
        version=__version__,
        done=sum(run.state == "done" for run in state.runs),
        links=[name for name, place in written.items() if place],
        notes=[(note, f"{MARK}: " in note) for note in notes],
        best=[(each.condition if len(cards) > 1 else "", *_best(each)) for each in cards],
        sections=[_section(each, len(cards) > 1) for each in cards],
        unplaced=_unplaced(state, cards),
        deaf=deaf,
        runs=[
            (run, f"{RUNS}/{run.name}",
             run_command(run.asked, run.spec, run.cell.words))
            for run in state.runs
        ],
        text=(folder / state.now.file).read_text("utf-8", "replace"),
        command=join,
        moment=_moment,
    )  # fmt: skip
    path = folder / "index.html"
    write_atomically(path, content.encode("utf-8", "replace"))
    return path


def _best(cards: Cards) -> tuple[list[tuple[str, list[Said]]], list[Said]]:
    """Each model with the skills at which it is best, and those at which nobody is."""
    ahead: dict[str, list[Said]] = {}
    for order in cards.orders:
        ahead.setdefault(order.ahead, []).append(skill_name(order.skill))
    level = ahead.pop("", [])
    return list(ahead.items()), level


def _unplaced(state: SuiteState, cards: Sequence[Cards]) -> list[str]:
    """The benchmarks that were asked and are in no skill."""
    placed = {
        part.benchmark
        for each in cards
        for card in each.cards
        for line in card.lines
        for part in line.parts
    }
    asked = dict.fromkeys(run.benchmark for run in state.runs if run.state == "done")
    return [name for name in asked if name not in placed] if cards else []


def _section(cards: Cards, several: bool) -> dict[str, Any]:
    condition = cards.condition if several else ""
    return {
        "orders": _untitled(orders_table(cards.orders, condition)),
        "condition": condition,
        "cards": [
            (card, _untitled(card_table(card, condition)), unasked(card)) for card in cards.cards
        ],
    }


def _untitled(table: Table | None) -> Table | None:
    """A table below a heading of the page, which is its title."""
    return table and msgspec.structs.replace(table, title="")


def _moment(text: str) -> str:
    """A time in the log, as people write it: 2026-01-31 09:30 UTC."""
    return text[:16].replace("T", " ") + " UTC" if text.endswith("+00:00") else text
