"""Runs and published rows in one table a benchmark: what can be compared, and nothing else.

A table holds runs of one protocol: the same data and prompts, the same version of trials and
scoring, the same rule of reading answers, the same settings. Runs that differ stand in tables of
their own, or are refused. What cannot be compared has a row without a rank, or is left out, and
the reason is said.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path

import msgspec
from msgspec import structs

from zhiyin.analysis.compare import compare
from zhiyin.analysis.extent import lacking_of, limit_units
from zhiyin.analysis.gate import ALWAYS
from zhiyin.analysis.question_set import set_of_runs
from zhiyin.analysis.registered import registered_remark
from zhiyin.analysis.run_kind import kind_of_run
from zhiyin.contract.flags import CommonOptions, setting_words
from zhiyin.contract.registry import known
from zhiyin.contract.settings import published_config
from zhiyin.engine.log import MANIFEST, read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError, did_you_mean
from zhiyin.files import Place
from zhiyin.models.playback import SoundPolicy
from zhiyin.record import Sampling
from zhiyin.report.figures import PaperRun, gather
from zhiyin.report.figures.scores import headline, reference_of
from zhiyin.report.leaderboard.board import (
    Board,
    BoardRow,
    Cell,
    Columns,
    FlatSettings,
    cost_of,
    in_parts,
    interleaved,
    notes_of,
    origins,
    parts_boards,
    published_rows,
    unjudged_board,
    with_unjudged,
    within,
)
from zhiyin.report.leaderboard.titles import flat_settings, titles
from zhiyin.report.notation import Progress, silent
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import ACCURACY, IFR, figure_name, measure_named
from zhiyin.runs.pairing import OtherPathError, differing
from zhiyin.runs.rows import rows_of
from zhiyin.words import Said, Text, said
from zhiyin.words.findings import Remark, Warning

_MOST_GROUPS = 14


def collect(root: Place) -> list[Path]:
    """The run folders in `root`, at any depth, by name. Raises `InputError` for none.

    What lies in the folder of another run, such as its judgements, is a part of that run.
    """
    root = Path(root)
    if not root.is_dir():
        raise InputError(f"{root}: no such folder; give the folder that holds the runs")
    near = root.glob(f"*/{MANIFEST}")  # follows links, which rglob does not
    every = {path.parent for path in (*near, *root.rglob(MANIFEST))}
    folders = sorted(folder for folder in every if not every.intersection(folder.parents))
    if not folders:
        raise InputError(f"{root}: no run in it; give the folder that holds the runs")
    return folders


def build(
    root: Place, ignore: Sequence[str] = (), *, apart: bool = True, progress: Progress = silent
) -> list[Board]:
    """The tables of all runs below `root`.

    Parameters
    ----------
    root : Path
    ignore : sequence of str
        Settings that may differ within a table, such as ``sampling.max_tokens``; the table
        names them.
    apart : bool
        Make a table for each protocol; else runs of several are refused.
    progress : callable
        Is given the number of runs read and of all, as it goes on.

    Raises
    ------
    InputError
        When there is no run; when runs of one benchmark differ in their protocol and `apart` is
        False (the line names the settings, the values and the runs); when `ignore` names one
        of `ALWAYS`, or what is no setting of any run.
    """
    root = Path(root)
    for name in ignore:
        if name in ALWAYS:
            raise InputError(f"--ignore {name}: runs that differ in it cannot be in one table")
    boards: list[Board] = []
    altered: list[PaperRun] = []
    folders, unread = _readable(root, progress)
    gathered = gather(folders, lambda run: True)
    _check_ignored(ignore, [run for every in gathered.values() for run in every])
    for benchmark, every in gathered.items():
        runs = [run for run in every if run.plain or in_parts(run)]
        aside = [run for run in every if run not in runs and run.judged]
        unjudged = [run for run in every if run not in runs and run not in aside]
        altered += aside
        if not runs:
            board = unjudged_board(root, benchmark, unjudged)
            boards += [_with_altered(each, aside) for each in board]
            continue
        protocols: dict[bytes, list[PaperRun]] = {}
        for run in runs:
            protocols.setdefault(_protocol_key(run, ignore), []).append(run)
        if len(protocols) > 1 and not apart:
            raise InputError(_refusal(root, benchmark, runs, ignore))
        differ = list(_differences(runs, ignore)) if len(protocols) > 1 else []
        groups = list(protocols.values())
        first = len(boards)
        in_words = setting_words(known(runs[0].manifest).Settings)
        boards_of = [_flat(members[0]) for members in groups]
        units = limit_units(runs[0].manifest)
        asked = set_of_runs([(run.manifest, run.rows) for run in runs])
        names = titles(asked, boards_of, differ, in_words, units=units)
        for title, members in zip(names, groups, strict=True):
            if in_parts(members[0]):
                settings = _flat(members[0]), _differences(members)
                boards += parts_boards(root, title, members, *settings)
            else:
                boards.append(_board(root, benchmark, title, members, aside))
        boards[first] = with_unjudged(root, boards[first], unjudged)
        paper = known(runs[0].manifest).paper
        boards[first:] = [structs.replace(board, paper=paper) for board in boards[first:]]
    if not boards and altered:
        raise InputError(
            f"{root}: no run in it was judged in the benchmark's own way, with the true sound and "
            f"all distractors ({within(root, altered[0].folder)} was not): finish it, or add one"
        )
    if not boards:
        raise InputError(f"{root}: no run in it has a judged trial")
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
            "options": (CommonOptions, kind.Settings),
            "sampling": (Sampling,),
            "sound": (SoundPolicy,),
        }
        for part, structs_of in parts.items():
            names = (name for struct in structs_of for name in struct.__struct_fields__)
            every |= dict.fromkeys(f"{part}.{name}" for name in names)
    for name in ignore:
        if name not in every:
            alike = [each for each in every if each.rpartition(".")[2] == name]
            hint = (
                f"did you mean {alike[0]}?"
                if alike
                else did_you_mean(name, sorted({*every} - {*ALWAYS}))
            )
            raise InputError(f"--ignore {name}: no run has such a setting: {hint}")


def _readable(root: Path, progress: Progress) -> tuple[list[Path], list[Warning]]:
    """The runs that can be read, and what is said of the others. Raises `InputError` for none."""
    folders: list[Path] = []
    unread: list[Warning] = []
    every = collect(root)
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
        raise InputError(f"{root}: no run in it can be read: {unread[0].text}")
    return folders, unread


def _with_altered(board: Board, aside: Sequence[PaperRun]) -> Board:
    """A table with a line on each run that was asked with altered sound only."""
    notes = [Remark(what=said("boards-altered", who=run.label)) for run in aside]
    return structs.replace(board, notes=[*board.notes, *notes])


def _flat(run: PaperRun) -> FlatSettings:
    return flat_settings(run.manifest.config)


def _protocol_key(run: PaperRun, ignore: Sequence[str]) -> bytes:
    settings = {name: value for name, value in _flat(run).items() if name not in ignore}
    return msgspec.json.encode(settings, order="sorted")


def _differences(runs: Sequence[PaperRun], ignore: Sequence[str] = ()) -> dict[str, FlatSettings]:
    labels = [run.label for run in runs]
    settings = differing(labels, [published_config(run.manifest.config) for run in runs])
    return {name: values for name, values in settings.items() if name not in ignore}


def _refusal(root: Path, benchmark: str, runs: Sequence[PaperRun], ignore: Sequence[str]) -> str:
    folders = {run.label: within(root, run.folder) for run in runs}
    parts = []
    for name, values in _differences(runs, ignore).items():
        by_value: dict[str, list[str]] = {}
        for label, value in values.items():
            by_value.setdefault(_short(value), []).append(folders[label])
        clauses = [
            f"{value} in {members[0]}"
            + (f" and {len(members) - 1} more" if len(members) > 1 else "")
            for value, members in by_value.items()
        ]
        parts.append(f"{name}: {', '.join(clauses)}")
    return (
        f"runs of {benchmark} are not of one protocol ({'; '.join(parts)}): move some out of "
        f"{root}, leave --no-apart out for a table each, or --ignore SETTING where it does not "
        "matter"
    )


def _short(value: object) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 24 else f"{text[:10]}…"


def _board(
    root: Path, benchmark: str, title: Text, runs: list[PaperRun], aside: Sequence[PaperRun]
) -> Board:
    labels = known(runs[0].manifest).titles
    named = [(_column(*figure, labels), figure) for figure in _figures(benchmark, runs)]
    figures = {str(heading): figure for heading, figure in named}
    headings = {str(heading): heading for heading, _ in named}
    finished = [run for run in runs if _missing(run) == 0]
    letters, items = _letters(finished)
    order = sorted(runs, key=partial(_place, finished, list(letters)))
    rows = [_run_row(root, run, figures, letters.get(run.label, "")) for run in order]
    reference = reference_of(runs)
    published = published_rows(figures, runs)
    between, apart, why = interleaved(rows, published, headings, runs[0].manifest)
    return Board(
        benchmark,
        title,
        list(figures),
        between,
        items,
        _flat(runs[0]),
        _differences(runs),
        reference.source if reference and published else "",
        list(_notes(benchmark, runs, aside, finished, letters, items)),
        aside=apart,
        why_aside=why,
        headings=_shown_once(named, runs),
    )


def _notes(
    benchmark: str,
    runs: Sequence[PaperRun],
    aside: Sequence[PaperRun],
    finished: Sequence[PaperRun],
    letters: dict[str, str],
    items: int,
) -> Iterator[Warning]:
    """What the reader must know of all rows: by what runs are ranked, on what, or why not."""
    figure, groups = headline(benchmark, runs)
    if figure != "accuracy" and len(runs) > 1:
        labels = known(runs[0].manifest).titles
        figures = [_column(figure, group, labels) for group in groups]
        yield Remark(what=said("boards-ranked-by", figures=figures))
    for run in aside:
        yield Remark(what=said("boards-altered", who=run.label))
    yield from origins(runs)
    if registered := registered_remark([run.folder for run in runs]):
        yield Remark(what=registered)
    if len(finished) > 1 and not letters:
        yield Remark(what=said("boards-not-ranked"))
    if letters and any(estimate(run.plain).items != items for run in finished):
        yield Remark(what=said("boards-ranked-on", n=items))


def _figures(benchmark: str, runs: Sequence[PaperRun]) -> list[tuple[str, str]]:
    """Figure and group of each column: accuracy on all, the paper's own, the top level."""
    figure, groups = headline(benchmark, runs)
    top = [name for name in runs[0].groups if "/" not in name][: _MOST_GROUPS + 1]
    wanted: list[tuple[str, str]] = [("accuracy", ALL), *((figure, g) for g in groups)]
    wanted += [("accuracy", group) for group in top]
    return list(dict.fromkeys(wanted))


def _shown_once(
    named: Sequence[tuple[Said, tuple[str, str]]], runs: Sequence[PaperRun]
) -> dict[str, Said]:
    """The columns that a page shows, and their heads: what holds the same trials stands once.

    A group and its only subgroup stand under the shorter name, in the column for which something is
    published; a group that has the paper's figure needs no accuracy beside it.
    """
    labels = known(runs[0].manifest).titles
    reference = reference_of(runs)
    published = {group for row in (reference.rows if reference else {}).values() for group in row}
    alike: dict[tuple[bytes, ...], dict[str, list[tuple[str, str]]]] = {}
    for heading, (figure, group) in named:
        trials = tuple(run.groups[group].numbers.tobytes() for run in runs if group in run.groups)
        own = alike.setdefault(trials, {})
        if figure in own or not own or figure != "accuracy":
            own.setdefault(figure, []).append((str(heading), group))
    shown: dict[str, Said] = {}
    for own in alike.values():
        for figure, columns in own.items():
            column = next((name for name, group in columns if group in published), columns[0][0])
            groups = [group for _, group in columns]
            called = min(groups, key=lambda one: (one != ALL, one.count("/"), len(one)))
            shown[column] = _column(figure, called, labels)
    return shown


def _column(figure: str, group: str, titles: Mapping[str, Text]) -> Said:
    words = titles.get(group) or group.replace("_", " ")
    return said("board-column", figure=figure_name(figure), group=words)


def _missing(run: PaperRun) -> int:
    if run.manifest.sequences:
        return run.extent.reach.missing(run.manifest)
    return max(0, run.manifest.planned - len(run.every.judged))


def _place(
    finished: Sequence[PaperRun], ranked: Sequence[str], run: PaperRun
) -> tuple[bool, int, float]:
    """Where a run stands: ranked ones in their order, others by their own figure."""
    place = ranked.index(run.label) if run.label in ranked else len(ranked)
    return run not in finished, place, -(estimate(run.plain).value or 0.0)


def _letters(runs: Sequence[PaperRun]) -> tuple[dict[str, str], int]:
    """Significance groups of finished runs, by label, best first; the items they rest upon."""
    if not runs:
        return {}, 0
    if len(runs) == 1:
        return {runs[0].label: "a"}, estimate(runs[0].plain).items
    try:
        comparison = compare([run.folder for run in runs], only_whole=True, main=True)
    except OtherPathError:  # each run has its own questions: none can be told from another
        return {}, 0
    names = {one.label: run.label for one, run in zip(comparison.runs, runs, strict=True)}
    return {names[row.label]: row.letters for row in comparison.ranking}, comparison.items


def _run_row(root: Path, run: PaperRun, figures: Columns, letters: str) -> BoardRow:
    cells = {}
    for column, (figure, group) in figures.items():
        if group in run.groups:
            own = estimate(run.groups[group], measure_named(figure, known(run.manifest).measures))
            if own.ends is not None:
                cells[column] = Cell(*own.ends)
    whole, ifr = (estimate(run.plain, measure) for measure in (ACCURACY, IFR))
    lacking = None
    if run.manifest.sequences:
        lacking = lacking_of(run.extent.reach, run.manifest)
    usd, tokens = cost_of(run, whole.items)
    return BoardRow(
        run.label,
        "run",
        cells,
        letters,
        whole.items,
        whole.clusters,
        ifr.value,
        tuple(notes_of(run, _missing(run), lacking)),
        within(root, run.folder),
        usd,
        tokens,
        role=kind_of_run(run.manifest),
    )
