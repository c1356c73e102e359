"""The page of a suite: its file with its hash, what came of each run, and the report cards."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from pathlib import Path
from shlex import join
from typing import TYPE_CHECKING, Any

from zhiyin import __version__
from zhiyin.contract.command import run_command
from zhiyin.engine.naming import MARK
from zhiyin.files import write_atomically
from zhiyin.numerals import percent
from zhiyin.shown.pages import TONGUES, in_page, render_both
from zhiyin.shown.table import Cell, Column, Row, Table
from zhiyin.suite.folder import RUNS, SuiteState
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.analysis.skills import Figure, Line, Part, People
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
        skill_name=skill_name,
        moment=_moment,
    )  # fmt: skip
    path = folder / "index.html"
    write_atomically(path, content.encode("utf-8", "replace"))
    return path


def skill_name(skill: str) -> Said:
    """A skill for people."""
    return said("suite-skill-name", skill=skill)


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
    return {
        "condition": cards.condition if several else "",
        "orders": [(order, [(row, percent(row.value)) for row in order.ranked])
                   for order in cards.orders],
        "cards": [
            (card, _card(card.lines),
             [skill_name(line.skill) for line in card.lines if not (line.parts or line.missing)])
            for card in cards.cards
        ],
    }  # fmt: skip


def _card(lines: Sequence[Line]) -> Table | None:
    rows: list[Row] = []
    for line in lines:
        if not (line.parts or line.missing):
            continue
        title = skill_name(line.skill)
        cells = (title, line.items, *_figure(line.figure), line.floor, "")
        rows.append(Row(cells, mark="strong"))
        rows += [Row(_part(part), level=1) for part in line.parts]
        rows += [Row((name, said("suite-missing"), "", "", "", ""), level=1)
                 for name in line.missing]  # fmt: skip
    columns = (
        Column(said("suite-skill-and-parts")),
        Column(said("suite-items"), "count"),
        Column(said("suite-right"), "share"),
        Column(said("suite-interval"), "share"),
        Column(said("suite-floor"), "share"),
        Column(said("suite-people")),
    )
    kept = [n for n in range(len(columns)) if any(row.cells[n] not in ("", None) for row in rows)]
    return (
        rows
        and Table(
            "card",
            "",
            tuple(columns[n] for n in kept),
            tuple(Row(tuple(row.cells[n] for n in kept), row.level, mark=row.mark) for row in rows),
        )
    ) or None


def _part(part: Part) -> tuple[Cell, ...]:
    if not part.items:
        name = said("suite-part", name=part.benchmark, scored=part.scored or None, by_degrees=True)
        return (name, part.degrees, None, "", "", "")
    name = said("suite-part", name=part.benchmark, scored=part.scored or None, by_degrees=False)
    people = said("suite-people-are", people=[_person(one) for one in part.people])
    return (name, part.items, *_figure(part.figure), part.floor, people if part.people else "")


def _person(one: People) -> object:
    precision = one.figure == "precision"
    return said("suite-person", who=one.who, share=one.value, precision=precision, same=one.same)


def _figure(figure: Figure | None) -> tuple[Cell, Cell]:
    return (None, "") if figure is None else (figure.value, (figure.low, figure.high))


def _moment(text: str) -> str:
    """A time in the log, as people write it: 2026-01-31 09:30 UTC."""
    return text[:16].replace("T", " ") + " UTC" if text.endswith("+00:00") else text
