"""The results of a suite as files: report, leaderboard, report cards, and its page."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec

from zhiyin import __version__
from zhiyin.analysis.cost import bill_of, judges_of
from zhiyin.contract.settings import run_command
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import MARK, failed_canaries, marked, told_of
from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON, Place, read_regular, write_atomically
from zhiyin.plugins.lab.leaderboard import build, write_leaderboard
from zhiyin.plugins.lab.suite.cards import (
    Cards,
    all_cards,
    card_table,
    skill_findings,
    unasked,
    unplaced,
)
from zhiyin.plugins.lab.suite.file import published_in
from zhiyin.plugins.lab.suite.folder import OVER, RUNS, SuiteState, answered, named_runs
from zhiyin.plugins.lab.suite.matrix import (
    SuiteFinding,
    benchmark_pictures,
    run_title,
    skill_pictures,
)
from zhiyin.plugins.lab.suite.status import status_of
from zhiyin.report.media import Progress, silent
from zhiyin.report.paper_table import (
    SUFFIXES,
    PaperFormat,
    PublishedBeside,
    paper_table,
    render_table,
)
from zhiyin.report.printed import MOST
from zhiyin.report.writing import report as write_report
from zhiyin.shown.charts import definitions, symbol
from zhiyin.shown.dots import DotPicture, picture
from zhiyin.shown.pages import PAGE, Others, files_of, in_page, render, write_pages
from zhiyin.shown.paper import as_markdown
from zhiyin.shown.table import Table
from zhiyin.words import Said, Text, said
from zhiyin.words.reasons import as_said, is_spent, reason

CARD, REPORT, LEADERBOARD = "card.json", "report", "leaderboard"
RESULTS = "results.json"
_MOST = 6
"""So many unfinished runs are named."""


class SuiteCost(msgspec.Struct, frozen=True):
    """Calls and tokens of a run or of several, and dollars where all have a price."""

    calls: int
    tokens: int
    usd: float | None

    @classmethod
    def together(cls, costs: Sequence[SuiteCost]) -> SuiteCost | None:
        """Add up costs; None of none."""
        money = [one.usd for one in costs]
        usd = sum(map(float, filter(None, money))) if None not in money else None
        calls, tokens = sum(one.calls for one in costs), sum(one.tokens for one in costs)
        return cls(calls, tokens, usd) if costs else None


class Written(msgspec.Struct, frozen=True):
    """Files that were written, and notes on what could not be.

    Attributes
    ----------
    page, card : str
        The suite's page, and its report cards as JSON.
    report, leaderboard : str
        Empty where they were not wanted or could not be made.
    cards : list of Cards
    notes : list of str
    cost : SuiteCost or None
        Of all runs together; None where nobody counted anything.
    """

    page: str
    card: str
    report: str
    leaderboard: str
    cards: list[Cards]
    notes: list[str]
    cost: SuiteCost | None = None


class WrittenFrom(msgspec.Struct, frozen=True):
    """Sources of a suite's written results: equal where nothing new is to be written."""

    version: str
    report: bool
    figures: bool
    runs: dict[str, tuple[str, str, list[int]]]
    files: list[str]
    languages: list[str]
    gate: str = ""


class ResultsFile(msgspec.Struct, frozen=True):
    """The file that says what was written, and from what."""

    source: WrittenFrom
    written: Written


def results_of(
    folder: Path, state: SuiteState, *, report: bool = True, figures: bool = True,
    languages: Sequence[str] = ("en",), gate: Table | None = None,
    changes: DotPicture | None = None, progress: Progress = silent,
) -> Written:  # fmt: skip
    """Write the report, leaderboard, report cards and page of the runs that are there.

    Where nothing is new the files that are there stay.

    Parameters
    ----------
    folder : Path
        The suite's.
    state : SuiteState
    report : bool
        Whether the report and the leaderboard of all runs are written too: they take longest.
    figures : bool
        Whether the report has figures and tables for a paper; see `zhiyin.report.writing.report`.
    languages : sequence of {"en", "zh"}
        Of the pages.
    gate : Table, optional
        The verdict on the runs, held against those of an earlier suite: it opens the page.
    changes : DotPicture, optional
        Its differences.
    progress : callable
        Is given the number of runs read for a table and of all, as it goes on.

    Raises
    ------
    InputError
        When a file cannot be written.
    """
    source = WrittenFrom(
        __version__, report, figures,
        {run.name: (run.state, run.told, _sizes(folder / RUNS / run.name)) for run in state.runs},
        [each.sha256 for each in state.files],
        [*languages], as_markdown(gate) if gate else "",
    )  # fmt: skip
    if (before := _results_in(folder)) is not None:
        there = (before.written.page, before.written.report, before.written.leaderboard)
        if before.source == source and all(Path(place).is_file() for place in there if place):
            return before.written
    runs = [*answered(folder, state)]
    manifests = [read_manifest(run) for run in runs]
    notes: list[Text] = [*canaries_in(folder, state)]
    deaf = {run.name for run, one in zip(runs, manifests, strict=True) if failed_canaries(one)}
    written: dict[str, str] = {REPORT: "", LEADERBOARD: ""}
    if report and runs:
        for name in written:
            try:
                if name == REPORT:
                    write_report(*runs, out=folder / REPORT, figures=figures, languages=languages)
                else:
                    boards = build(folder / RUNS, progress=progress)
                    write_leaderboard(boards, folder / LEADERBOARD, languages=languages)
                written[name] = str(folder / name / "index.html")
            except InputError as error:
                notes.append(f"no {name}: {error}")
    costs = {run.name: cost for run in runs if (cost := _cost(run))}
    cards = all_cards(folder, state)
    table = suite_table(folder, state, progress)
    with reworded(said("error-not-written-to", path=folder, why="")):
        files = write_table(table, folder) if table else []
        content = msgspec.json.format(msgspec.json.encode(cards), indent=1) + b"\n"
        write_atomically(folder / CARD, content)
        page = write_page(
            folder,
            state,
            cards,
            written,
            notes,
            deaf,
            table,
            files,
            languages,
            gate,
            changes,
            costs,
        )
    results = Written(
        str(page), str(folder / CARD), written[REPORT], written[LEADERBOARD], cards,
        [*map(str, notes)], SuiteCost.together([*costs.values()]),
    )  # fmt: skip
    with reworded(said("error-not-written-to", path=folder, why="")):
        content = msgspec.json.encode(ResultsFile(source, results))
        write_atomically(folder / RESULTS, content)
    return results


def _results_in(folder: Path) -> ResultsFile | None:
    """What was written last; None where nothing was, or it cannot be read."""
    with contextlib.suppress(OSError, *NOT_JSON):
        return msgspec.json.decode(read_regular(folder / RESULTS), type=ResultsFile)
    return None


def written_in(folder: Path, state: SuiteState) -> Written | None:
    """The results that were written last, with the report cards of the runs as they are now."""
    if (before := _results_in(folder)) is None:
        return None
    return msgspec.structs.replace(before.written, cards=all_cards(folder, state))


def _sizes(run: Path) -> list[int]:
    """Size and time of the files of a run, from which all of it is told."""
    sizes = []
    with contextlib.suppress(OSError):
        for file in sorted(run.glob("*.json*")):
            stat = file.stat()
            sizes += [stat.st_size, stat.st_mtime_ns]
    return sizes


def canaries_in(folder: Path, state: SuiteState) -> list[Text]:
    """Say of which runs of a suite the canary failed, a line each model."""
    there = answered(folder, state)
    manifests = [*map(read_manifest, there)]
    each = zip(there.values(), manifests, strict=True)
    names = [run_title(run, marked(run.model, one)) for run, one in each]
    return told_of(names, manifests)


def _cost(run: Path) -> SuiteCost | None:
    """The cost of a run and of its judges; None where nobody counted anything."""
    bill = bill_of(run, 0)
    own = [SuiteCost(bill.calls, bill.input + bill.output, bill.usd)] if bill else []
    judges = [SuiteCost(one.calls or 0, one.tokens or 0, one.usd) for one in judges_of(run)]
    return SuiteCost.together([*own, *judges])


def published_rows_of(folder: Path, state: SuiteState) -> list[PublishedBeside]:
    """The published rows that a suite's file names."""
    try:
        text = (folder / state.now.file).read_text("utf-8", "replace")
    except OSError:
        return []
    return [
        PublishedBeside(
            row.name, row.kind, row.source, {n: round(x / 100, 6) for n, x in row.figures.items()}
        )
        for row in published_in(text)
    ]


def suite_table(folder: Path, state: SuiteState, progress: Progress = silent) -> Table | None:
    """The paper's table of a suite's runs; None where none of them has a figure."""
    names = named_runs(folder, state)
    try:
        asked = {*names.values()}
        beside = [row for row in published_rows_of(folder, state) if asked & row.figures.keys()]
        beside = sorted(beside, key=lambda row: -len(asked & row.figures.keys()))[:MOST]
        return (
            paper_table(
                [*names], across="benchmarks", names=names, beside=beside, progress=progress
            )
            if names
            else None
        )
    except InputError:
        return None


_SOURCES: dict[str, PaperFormat] = {"LaTeX": "latex", "Markdown": "md"}
"""In which forms the paper's table can be copied from the page."""


def write_page(
    folder: Path, state: SuiteState, cards: Sequence[Cards], written: Mapping[str, str],
    notes: Iterable[Text], deaf: Collection[str] = (), paper: Table | None = None,
    tables: Iterable[Path] = (), languages: Sequence[str] = ("en",), gate: Table | None = None,
    changes: DotPicture | None = None, costs: Mapping[str, SuiteCost] = {},
) -> Path:  # fmt: skip
    """Write the page, which opens from disk and takes nothing from elsewhere.

    Parameters
    ----------
    folder : Path
        The suite's.
    state : SuiteState
    cards : sequence of Cards
    written : mapping
        Report and leaderboard by name; empty where there is none.
    notes : iterable of Text
    deaf : collection of str
        The runs whose model failed its canary.
    paper : Table, optional
        The same as the terminal prints: for a paper.
    tables : iterable of Path
        Its files.
    languages : sequence of {"en", "zh"}
    gate : Table, optional
        The verdict on the runs, held against those of an earlier suite.
    changes : DotPicture, optional
        Its differences.
    costs : mapping of str to SuiteCost
        By run.

    Returns
    -------
    Path

    Raises
    ------
    OSError
        It cannot be written.
    """
    several = len(cards) > 1
    by_benchmark, by_skill, findings = results_at_a_glance(folder, state, cards)
    pictures = [*by_benchmark, *by_skill]
    page = partial(
        render,
        "zhiyin.plugins.lab.suite/suite.html",
        about=as_said("suite-told", state.about), look=in_page(), state=state, version=__version__,
        progress=progress_of(folder, state), reason=reason, findings=findings,
        links=[name for name, place in written.items() if place],
        notes=[(note, MARK in str(note)) for note in notes],
        sections=[
            (card, condition, _untitled(card_table(card, condition)), unasked(card))
            for each in cards
            for condition in [each.condition if several else ""]
            for card in each.cards
        ],
        unplaced=unplaced(state, cards), pictures=pictures, drawn=picture,
        signs={str(name): series for one in pictures for series, name in one.names},
        symbol=symbol, definitions=definitions(), deaf=deaf, gate=gate, changes=changes,
        verdict=_untitled(gate if gate and gate.rows else None),
        costs=costs, cost=SuiteCost.together([*costs.values()]),
        paper=paper, sources=_SOURCES.items() if paper else (), source=render_table,
        tables=[file.name for file in tables],
        runs=[
            (run, run_title(run), f"{RUNS}/{run.name}",
             run_command(run.asked, run.spec, run.cell.words))
            for run in state.runs
        ],
        text=(folder / state.now.file).read_text("utf-8", "replace"),
        moment=_moment,
    )  # fmt: skip

    names = files_of(Path(PAGE), languages)

    def in_one(language: str, others: Others) -> str:
        return page(language, others=others, file=names[language])

    return write_pages(folder / PAGE, languages, in_one)[0]


def results_at_a_glance(
    folder: Path, state: SuiteState, cards: Sequence[Cards]
) -> tuple[list[DotPicture], list[DotPicture], list[SuiteFinding]]:
    """Draw models by benchmarks and by skills; and say who is best at what."""
    pictures, findings = benchmark_pictures(folder, state)
    skills = skill_pictures(cards, state)
    return pictures, skills, [*findings, *skill_findings(cards)]


def progress_of(folder: Path, state: SuiteState) -> list[Said]:
    """Say how many runs and trials are done, as `zhiyin status` counts; and what is missing."""
    status = status_of(folder)
    assert isinstance(status.told, Said)
    # What it cost stands apart, with its calls.
    told = [said("status-summary", **{**status.told.facts, "usd": None})]
    lacking = [
        said("suite-lacks", run=run_title(run), answered=own.answered if own else 0,
             planned=own.planned if own else run.trials or None)
        for run in state.runs if run.state not in OVER
        for own in [status.runs.get(run.name)]
    ]  # fmt: skip
    left = [run for run in state.runs if run.state not in OVER]
    again = "mended" if all(run.refused for run in left) else "same"
    again = "budget" if any(is_spent(run.told) for run in left) else again
    facts = {"each": lacking[:_MOST], "more": max(0, len(lacking) - _MOST), "again": again}
    return told + ([said("suite-unfinished", **facts)] if lacking else [])


def _untitled(table: Table | None) -> Table | None:
    """A table below a heading of the page, which is its title."""
    return table and msgspec.structs.replace(table, title="")


def _moment(text: str) -> str:
    """A time in the log, as people write it: 2026-01-31 09:30 UTC."""
    return text[:16].replace("T", " ") + " UTC" if text.endswith("+00:00") else text


def write_table(table: Table, out: Place) -> list[Path]:
    """Write the table as ``table.tex``, ``table.md`` and ``table.csv`` into a folder."""
    paths = []
    for suffix in ("tex", "md", "csv"):
        paths.append(Path(out) / f"{table.name}.{suffix}")
        write_atomically(paths[-1], render_table(table, SUFFIXES[suffix]).encode())
    return paths
