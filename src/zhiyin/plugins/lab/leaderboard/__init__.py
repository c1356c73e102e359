"""Runs and published rows in one table a benchmark: what can be compared, and nothing else.

Ranks are among runs that were asked alike: the same items, with the same version of trials and
scoring, by the same rule of reading answers, with the same examples (see `analysis.beside`). What a
run was set to otherwise stands beside its name. What cannot be compared has a row without a rank,
or is left out, and the reason is said.

The tables as one page that opens from disk, as JSON and as CSV.
"""

from __future__ import annotations

import csv
import os
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import msgspec
from markupsafe import Markup
from msgspec import structs

from zhiyin import __version__
from zhiyin.analysis.beside import flat_settings
from zhiyin.contract.options import common_settings
from zhiyin.contract.registry import blaming, known
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.naming import briefs, marked, own_name
from zhiyin.errors import InputError, did_you_mean, reworded
from zhiyin.files import Place, Places, as_paths, whole_or_nothing, write_atomically
from zhiyin.models.playback import SoundPolicy
from zhiyin.plugins.lab.gate import ALWAYS
from zhiyin.plugins.lab.leaderboard.board import (
    Board,
    board_of,
    differences,
    unranked_board,
    with_unranked,
    within,
)
from zhiyin.plugins.lab.leaderboard.tables import (
    Links,
    Marks,
    best_of,
    claims_of,
    figures_table,
    marks_on,
    protocol_table,
    published_table,
    ranking_table,
    ranks,
    unranked_table,
)
from zhiyin.record import Sampling
from zhiyin.report.chapters import PageVoice
from zhiyin.report.dots import of_part
from zhiyin.report.front import with_signs
from zhiyin.report.media import Progress, silent
from zhiyin.report.paper_columns import has_figure, in_rows
from zhiyin.report.paper_runs import PaperRun, as_compared, gather
from zhiyin.report.run_set import collect
from zhiyin.runs.measures import ACCURACY
from zhiyin.runs.rows import rows_of
from zhiyin.shown.charts import definitions
from zhiyin.shown.dots import picture
from zhiyin.shown.pages import PAGE, Others, files_of, in_page, render, write_pages
from zhiyin.text import csv_row
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Remark, Warning


def build(
    places: Places, ignore: Sequence[str] = (), *, apart: bool = True, progress: Progress = silent
) -> list[Board]:
    """The tables of all runs in or below some folders.

    Parameters
    ----------
    places : Path, or sequence of Path
    ignore : sequence of str
        Settings that may differ among runs that are ranked, such as ``options.shots``; the table
        names them.
    apart : bool
        Take runs that were not asked alike, and rank each kind by itself; else they are refused.
    progress : callable
        Is given the number of runs read and of all, as it goes on.

    Raises
    ------
    InputError
        When there is no run; when runs of one benchmark were not asked alike and `apart` is False
        (the line names the settings, the values and the runs); when `ignore` names one of
        `ALWAYS`, or what is no setting of any run.
    """
    root = root_of(places)
    for name in ignore:
        if name in ALWAYS:
            raise InputError(said("board-ignore", name=name))
    boards: list[Board] = []
    folders, unread = _readable(as_paths(places), progress)
    gathered = gather(folders, lambda run: True)
    _check_ignored(ignore, [run for every in gathered.values() for run in every])
    for benchmark, every in gathered.items():
        with blaming(kind := known(every[0].manifest)):
            opened = kind.opening(every)
        every = as_compared(every)
        runs = [run for run in every if has_figure(run)]
        others = [run for run in every if run not in runs]
        if not runs:
            board = unranked_board(root, benchmark, others)
            boards.append(structs.replace(board, opened=opened))
            continue
        models = briefs([run.manifest.model for run in runs])
        names = [
            marked(own_name(run.manifest, name), run.manifest)
            for run, name in zip(runs, models, strict=True)
        ]
        beside = in_rows(benchmark, runs, names, ignore=ignore)
        if (
            len(beside) > len({one.judge for one in beside}) or len(beside[0].alike) > 1
        ) and not apart:
            raise InputError(_refusal(root, benchmark, runs, ignore))
        own = [structs.replace(board_of(root, one), paper=kind.paper) for one in beside]
        asked = {group for run in runs for group in run.asked_in}
        apart_from = [run for run in others if not asked.issuperset(run.asked_in)]
        own[0] = structs.replace(own[0], opened=opened)
        own[0] = with_unranked(root, own[0], [run for run in others if run not in apart_from])
        boards += own
        if apart_from:
            boards.append(unranked_board(root, benchmark, apart_from, runs))
    if not any(board.rows for board in boards):
        altered = next((run for own in gathered.values() for run in own if run.every.judged), None)
        if altered is None:
            raise InputError(said("board-none-judged", root=root))
        raise InputError(said("board-own-way", root=root, within=within(root, altered.folder)))
    boards[0] = structs.replace(boards[0], notes=[*boards[0].notes, *unread])
    progress(len(folders), len(folders))
    return boards


def _check_ignored(ignore: Sequence[str], runs: Sequence[PaperRun]) -> None:
    """Refuse what no run has as a setting: it would be passed over in silence."""
    if not ignore:
        return
    every: dict[str, None] = {}
    for run in runs:
        kind = known(run.manifest)
        every |= dict.fromkeys(flat_settings(run.manifest.config, whole=True))
        parts: dict[str, tuple[type[msgspec.Struct], ...]] = {
            "options": (*common_settings(), kind.Settings),
            "sampling": (Sampling,),
            "sound": (SoundPolicy,),
        }
        for part, structs_of in parts.items():
            names = (name for struct in structs_of for name in struct.__struct_fields__)
            every |= dict.fromkeys(f"{part}.{name}" for name in names)
    for name in ignore:
        if name not in every:
            alike = [each for each in every if each.rpartition(".")[2] == name]
            near = did_you_mean(name, sorted({*every} - {*ALWAYS}))
            hint = f"did you mean {alike[0]}?" if alike else near
            raise InputError(said("board-no-setting", name=name, hint=hint))


def root_of(places: Places) -> Path:
    """The folder that holds all of some: it itself, where it is one."""
    first, *others = as_paths(places)
    if not others:
        return first
    every = [place.absolute() for place in (first, *others)]
    root = Path(os.path.commonpath(every))
    return root.relative_to(Path.cwd()) if root.is_relative_to(Path.cwd()) else root


def _readable(places: Sequence[Path], progress: Progress) -> tuple[list[Path], list[Warning]]:
    """The runs that can be read, and what is said of the others. Raises `InputError` for none."""
    folders: list[Path] = []
    unread: list[Warning] = []
    every = [*{one.resolve(): one for place in places for one in collect(place)}.values()]
    for done, folder in enumerate(every):
        progress(done, len(every))
        try:
            known(read_manifest(folder))
            rows_of(folder)
            folders.append(folder)
        except InputError as error:
            if len(every) == 1:
                raise
            unread.append(Remark(what=said("boards-unread", why=str(error))))
    if not folders:
        raise InputError(said("board-unread", places=places[0], text=unread[0].text))
    return folders, unread


def _refusal(root: Path, benchmark: str, runs: Sequence[PaperRun], ignore: Sequence[str]) -> str:
    folders = [within(root, run.folder) for run in runs]
    parts = []
    for name, values in differences(folders, runs, ignore).items():
        by_value: dict[str, list[str]] = {}
        for folder, value in values.items():
            by_value.setdefault(_short(value), []).append(folder)
        clauses = [
            f"{value} in {members[0]}"
            + (f" and {len(members) - 1} more" if len(members) > 1 else "")
            for value, members in by_value.items()
        ]
        parts.append(f"{name}: {', '.join(clauses)}")
    return (
        f"runs of {benchmark} were not asked alike ({'; '.join(parts)}): move some out of {root}, "
        "leave --no-apart out to rank each kind by itself, or --ignore SETTING where it does not "
        "matter"
    )


def _short(value: object) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 24 else f"{text[:10]}…"


_REPORTS = "reports"


def write_leaderboard(
    boards: Sequence[Board], out: Place, *, reports_of: Place | None = None,
    languages: Sequence[str] = ("en",),
) -> list[Path]:  # fmt: skip
    """Write ``index.html``, ``leaderboard.json`` and ``leaderboard.csv`` into the folder `out`.

    Parameters
    ----------
    boards : sequence of Board
    out : Path
    reports_of : Path, optional
        The folder that was collected: a report on the runs of each table is written too, into
        ``reports``, and each row leads to it.
    languages : sequence of {"en", "zh"}
        Of the page and its reports.

    Returns
    -------
    list of Path

    Raises
    ------
    InputError
        When the folder cannot be written.
    """
    out = Path(out)
    page, data, table = (out / name for name in (PAGE, "leaderboard.json", "leaderboard.csv"))
    with reworded(said("error-not-written-to", path=out, why="")):
        out.mkdir(parents=True, exist_ok=True)
        root = None if reports_of is None else Path(reports_of)
        reports = {} if root is None else _write_reports(boards, out, root, languages)
        names = files_of(Path(PAGE), languages)

        def whole(language: str, others: Others) -> str:
            links = {run: f"{of}/{names[language]}{to}" for run, (of, to) in reports.items()}
            return as_page(boards, links, language, others)

        pages = write_pages(page, languages, whole)
        encoded = msgspec.json.encode([board.as_data() for board in boards])
        write_atomically(data, msgspec.json.format(encoded, indent=1) + b"\n")
        with whole_or_nothing(table) as half, half.open("w", encoding="utf-8", newline="") as file:
            _write_csv(boards, csv.writer(file))
    return [*pages, data, table]


def _write_reports(
    boards: Sequence[Board], out: Path, root: Path, languages: Sequence[str]
) -> dict[str, tuple[str, str]]:
    """A report for each table; its folder and the place of each run's trials, by the run's."""
    from zhiyin.report.writing import report

    links = {}
    for number, board in enumerate(boards):
        rows = [row for row in board.rows if row.kind == "run" and row.folder not in links]
        if not rows:
            continue
        place = f"{_REPORTS}/{number + 1}"
        folders = [root if row.folder == root.name else root / row.folder for row in rows]
        report(*folders, out=out / place, figures=False, languages=languages)
        for run, row in enumerate(rows):
            links[row.folder] = place, f"#trials?run={run}"
    return links


def as_page(
    boards: Sequence[Board], links: Links | None = None, language: str = "en", others: Others = ()
) -> str:
    """The whole page: no script or style from elsewhere."""
    marks = marks_on(boards)
    boards = sorted(boards, key=lambda board: not any(ranks(board.rows)))
    signs = {
        str(called.facts["name"] if isinstance(called := row.called, Said) else row.name):
            marks[row.model, row.name]
        for board in boards for row in board.rows if row.kind == "run"
    }  # fmt: skip

    def signed(one: Text) -> Markup:
        return with_signs(PageVoice(language).words(one), signs)

    return render(
        "zhiyin.plugins.lab.leaderboard/leaderboard.html",
        language,
        look=in_page(
            styles=("report/report.css",),
            scripts=("zhiyin.plugins.lab.leaderboard/leaderboard.js",),
        ),
        others=others,
        definitions=definitions(),
        boards=[_entry(board, links or {}, marks, language, n) for n, board in enumerate(boards)],
        top=best_of(boards),
        signed=signed,
        version=__version__,
    )


def _entry(board: Board, links: Links, marks: Marks, language: str, number: int) -> dict[str, Any]:
    """A table of runs as the tables and the drawing that a page shows."""
    tables = [unranked_table(board, page=language, links=links, marks=marks)]
    folded, shown = [figures_table(board), published_table(board)], None
    claims: Sequence[Text] = claims_of(board)
    if board.opened:
        shown = of_part(board.opened, board.title, lambda one: "")
        named = {name: series for (_, name), series in marks.items()}
        names = tuple((named.get(str(who), series), who) for series, who in shown.names)
        shown = msgspec.structs.replace(shown, names=names)
    leading = {board.measures.get(name, ACCURACY).of for name in board.leading}
    if shown and leading <= {ACCURACY.of}:  # which is not what the benchmark measures
        folded, claims = folded[1:], board.opened.findings if board.opened else ()
    else:
        first = ranking_table(board, page=language, links=links, marks=marks)
        tables = [first, *board.measured, *tables]
    return {
        "board": board,
        "picture": shown and picture(shown, language, f"opened-{number}"),
        "tables": [one for one in tables if one],
        "folded": [one for one in folded if one],
        "protocol": protocol_table(board),
        "claims": claims,
    }


def _write_csv(boards: Sequence[Board], writer: Any) -> None:
    columns = ("benchmark", "table", "name", "kind", "groups", "column", "value", "low", "high")
    after = ("items", "answered", "note", "unit", "lower is better", "asked alike")
    writer.writerow([*columns, *after])
    for board in boards:
        for row in (*board.rows, *board.aside):
            for name, cell in row.cells.items():
                figures = [cell.value, cell.low, cell.high, row.items, row.ifr]
                line = [board.benchmark, board.title, row.name, row.kind, row.letters, name]
                of = [cell.measure.unit, cell.measure.lower_is_better, row.way + 1]
                writer.writerow(csv_row([*line, *figures, row.note, *of]))
