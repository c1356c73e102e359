"""The results of a suite as files: report, leaderboard, report cards, and its page."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import msgspec

from zhiyin.analysis.skill_orders import Order, orders
from zhiyin.analysis.skills import Card, Line, read_card
from zhiyin.contract.registry import known
from zhiyin.engine.folder import MANIFEST, RECORDS, read_manifest
from zhiyin.engine.naming import failed_canaries, marked, told_of
from zhiyin.errors import InputError
from zhiyin.files import write_atomically
from zhiyin.report.leaderboard import build
from zhiyin.report.leaderboard.page import write_leaderboard
from zhiyin.report.writing import write_folder
from zhiyin.suite.folder import RUNS, RunState, SuiteState
from zhiyin.suite.page import write_page

CARD, PAGE, REPORT, LEADERBOARD = "card.json", "index.html", "report", "leaderboard"


class WrittenCard(msgspec.Struct, frozen=True):
    """A report card as it is written."""

    model: str
    lines: list[Line]
    get: dict[str, str]


class Cards(msgspec.Struct, frozen=True):
    """The report cards of one condition, and which model for which skill."""

    condition: str
    cards: list[WrittenCard]
    orders: list[Order]


class Written(msgspec.Struct, frozen=True):
    """What was written, and what could not be.

    Attributes
    ----------
    page, card : str
        The suite's page, and its report cards as JSON.
    report, leaderboard : str
        Empty where they were not wanted or could not be made.
    cards : list of Cards
    notes : list of str
    """

    page: str
    card: str
    report: str
    leaderboard: str
    cards: list[Cards]
    notes: list[str]


def write_results(
    folder: Path, state: SuiteState, *, report: bool = True, figures: bool | None = None
) -> Written:
    """Write the report, the leaderboard, the report cards and the page of the runs that are there.

    Parameters
    ----------
    folder : Path
        The suite's.
    state : SuiteState
    report : bool
        Whether the report and the leaderboard of all runs are written too: they take longest.
    figures : bool, optional
        Whether the report has figures and tables for a paper; see `report.writing.write_folder`.

    Raises
    ------
    InputError
        When a file cannot be written.
    """
    notes: list[str] = []
    runs = [folder / RUNS / run.name for run in state.runs if _has_records(folder, run)]
    manifests = [read_manifest(run) for run in runs]
    notes += map(
        str,
        told_of(
            [marked(run.name, one) for run, one in zip(runs, manifests, strict=True)], manifests
        ),
    )
    deaf = {run.name for run, one in zip(runs, manifests, strict=True) if failed_canaries(one)}
    written: dict[str, str] = {REPORT: "", LEADERBOARD: ""}
    if report and runs:
        for name in written:
            try:
                if name == REPORT:
                    write_folder(runs, folder / REPORT, journal=figures)
                else:
                    write_leaderboard(build(folder / RUNS, apart=True), folder / LEADERBOARD)
                written[name] = str(folder / name / "index.html")
            except InputError as error:
                notes.append(f"no {name}: {error}")
    cards = all_cards(folder, state)
    try:
        content = msgspec.json.format(msgspec.json.encode(cards), indent=1) + b"\n"
        write_atomically(folder / CARD, content)
        page = write_page(folder, state, cards, written, notes, deaf)
    except OSError as error:
        raise InputError(f"cannot write to {folder}: {error.strerror}") from None
    return Written(
        str(page), str(folder / CARD), written[REPORT], written[LEADERBOARD], cards, notes
    )


def _has_records(folder: Path, run: RunState) -> bool:
    place = folder / RUNS / run.name
    try:
        return (place / MANIFEST).is_file() and (place / RECORDS).stat().st_size > 0
    except OSError:
        return False


def all_cards(folder: Path, state: SuiteState) -> list[Cards]:
    """The report cards of a suite: by condition, of each model."""
    by_condition = []
    for condition in dict.fromkeys(run.condition for run in state.runs):
        here = [run for run in state.runs if run.condition == condition]
        cards = [_card(folder, model, here) for model in dict.fromkeys(run.model for run in here)]
        written = [WrittenCard(card.name, card.lines, card.get) for card in cards]
        by_condition.append(Cards(condition, written, orders(cards)))
    return by_condition


def _card(folder: Path, model: str, runs: list[RunState]) -> Card:
    own = [run for run in runs if run.model == model]
    there = [(run.benchmark, folder / RUNS / run.name) for run in own if _has_records(folder, run)]
    missing: list[tuple[str, Any, str]] = []
    for run in own:
        if not _has_records(folder, run):
            try:
                missing.append((run.benchmark, known(run.asked), run.told or "not asked yet"))
            except InputError:  # a file of questions: it names no skills
                continue
    name = max((marked(model, read_manifest(place)) for _, place in there), key=len, default=model)
    return read_card(name, there, missing)
