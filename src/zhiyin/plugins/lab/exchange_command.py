"""`zhiyin export` and `leaderboard`: runs for others.

`zhiyin trials`: questions written out for a model that runs elsewhere.

`zhiyin import`: a run of answers that a model gave elsewhere.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Sequence
from inspect import signature
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import msgspec

from zhiyin.analysis.summary import summarise
from zhiyin.cli.output import languages_of, note, open_console, print_json
from zhiyin.cli.pages import Course
from zhiyin.cli.run import order_of
from zhiyin.cli.show import print_summary
from zhiyin.contract.arguments import OWN, file_as_data
from zhiyin.contract.options import common_settings
from zhiyin.contract.registry import find
from zhiyin.contract.resolved import COMMITMENT
from zhiyin.errors import InputError
from zhiyin.flags import flagged
from zhiyin.numerals import size
from zhiyin.plugins.methods.as_run import prepare_as_run
from zhiyin.record import Sampling
from zhiyin.text import printable, quoted
from zhiyin.words import localized, said
from zhiyin.words.findings import by_severity

if TYPE_CHECKING:
    from zhiyin.cli.parser import Parser
    from zhiyin.plugins.lab.leaderboard.board import Board


def export(runs: tuple[Path, ...], *, to: str, out: Path, partial: bool = False) -> int:
    """Write runs for other tools: Parquet, CSV, an Inspect log, Every Eval Ever, the hub.

    Parameters
    ----------
    to : FORMAT
        parquet, csv, inspect (.eval), eee, hf or published
    out : -o PATH
        the file to write; a folder for eee and hf
    partial
        for hf: take a part of a benchmark; the files say so
    """
    from zhiyin.plugins.lab.export import export as write_export

    done = write_export(runs, to, out, partial=partial)
    for path in done.files:
        told = said("wrote-size", path=path, size=size(path.stat().st_size))
        note(told)
    for remark in done.notes:
        note(remark, said("cli-note"))
    return 0


def leaderboard(
    runs: tuple[Path, ...],
    *,
    out: Path | None = None,
    apart: bool | None = None,
    ignore: tuple[str, ...] = (),
    reports: bool = False,
    groups: Literal["top", "all"] = "top",
    lang: str = "",
    json: bool = False,
) -> int:
    """Collect runs and published rows into one static page with intervals and a ranking.

    Parameters
    ----------
    out : -o DIR
        write the page into this folder; without it the tables are printed and nothing else
    apart
        a table for each protocol, as without it; --no-apart refuses runs of several
    ignore : SETTING
        let runs differ in this setting, such as sampling.max_tokens; the page says so
    reports
        also write a report of each table, linked from it
    groups
        top: in short; all: every row and note in the terminal too
    lang : en|zh|en,zh
        the page's language, or a page in each, linked; without it that of the terminal
    json
        print the tables as one JSON object
    """
    from zhiyin.plugins.lab.leaderboard import build, root_of, write_leaderboard

    if reports and out is None:
        raise InputError(said("reports-out"))
    languages = languages_of(lang)
    boards = build(runs, ignore, apart=apart is not False, progress=Course("runs"))
    files = [] if out is None else write_leaderboard(
        boards, out, reports_of=root_of(runs) if reports else None, languages=languages
    )  # fmt: skip
    if reports and any(COMMITMENT in board.protocol for board in boards):
        note(said("board-private"), said("cli-warning"))
    if json:
        print_json({"boards": [board.as_data() for board in boards]})
    else:
        print_boards(boards, whole=groups == "all")
    for path in files:
        note(said("cli-wrote", path=path))
    return 0


def print_boards(boards: Sequence[Board], *, whole: bool = False) -> None:
    """Print the tables: the first rows of each, or all with all notes."""
    from zhiyin.plugins.lab.leaderboard.tables import (
        claims_of,
        figures_table,
        ranking_table,
        ranks,
        unranked_table,
    )

    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        for board in boards:
            tables = [ranking_table(board), *board.measured, unranked_table(board)]
            if not (tables[0] or tables[-1]) and board.measured:
                console.print()
                console.say(board.title, indent=0)
            shown = [column.name for column in tables[0].columns] if tables[0] else []
            for table in (*tables, figures_table(board, shown) if whole else None):
                if table:
                    console.print_table(table, more)
            for claim in claims_of(board):
                console.say(claim)
            notes = by_severity(board.notes)
            stops = sum(one.severity == "stop" for one in notes)
            most = None if whole else max(1, stops)
            console.say_all(notes, most=most, more=more)
            if board.aside:
                console.say(said("boards-aside", n=len(board.aside), why=board.why_aside))
        if any(any(ranks(board.rows)) for board in boards):
            console.say(said("board-ranks-are"))


rewrite_trials = file_as_data
"""`FILE` in the place of a benchmark's name is `questions --data FILE`."""


def prepare_trials(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of `zhiyin run` for what is asked and how replies are sampled."""
    every: tuple[type[msgspec.Struct], ...] = (*common_settings(), Sampling)
    asked = {field.parameter for part in every for field in flagged(part)}
    kept = asked | {"benchmark", "limit", "sample", "out"}
    prepare_as_run(parser, arguments, kept, "nobody is asked here", "the folder to write to")
    next(action for action in parser._actions if action.dest == "out").required = True
    parser.add_argument(
        "--layout",
        choices=("chat", "list", "evalscope", "vlmevalkit", "lmms-eval", "openai-batch"),
        default="chat",
        help="chat: a JSON line a question; list: one JSON list of prompt, answers and audio_path; "
        "or the files of another harness, which hold the right answers (docs/how-to/elsewhere.md)",
    )


def trials(args: argparse.Namespace) -> int:
    """Write out what a run would ask, its sounds and pictures, and nothing that tells the answers.

    `zhiyin run BENCHMARK -m replay:FILE` makes a run of what comes back. Layouts of other harnesses
    hold the right answers, since these score.
    """
    from zhiyin.contract.settings import command_of
    from zhiyin.plugins.lab.written_out import write_trials

    folder = Path(args.out)
    order = msgspec.structs.replace(
        order_of(args), model=f"replay:{folder / 'answers.jsonl'}", out=None
    )
    run = command_of(order)
    written = asyncio.run(write_trials(order, folder, args.layout, run))
    if args.json:
        payload = {"folder": str(folder), "file": str(written.file), "trials": written.trials}
        more = {"use": written.use, "holds_key": written.holds_key}
        print_json({**payload, "media": written.media, "run": run, **more})
        return 0
    facts = {"n": written.trials, "media": written.media, "folder": folder}
    print(localized(said("trials-wrote", **facts)))
    if written.holds_key:
        print(f"  {localized(said('trials-key'))}")
    if written.use:
        print(f"  {localized(said('trials-in', folder=folder))}")
        for line in written.use.splitlines():
            print(f"  {printable(line)}")
        print(f"  {localized(said('trials-becomes'))}")
        print(f"  {printable(_import_line(args.benchmark, order.options.get('data')))}")
        return 0
    print(f"  {localized(said('trials-answers', file=folder / 'answers.jsonl'))}")
    print(f"  {printable(run)}")
    return 0


def _import_line(benchmark: str, data: str | None) -> str:
    """The command that makes a run of what another harness wrote."""
    own = benchmark == OWN and data is not None
    more = ["--data", data] if data and not own else []
    words = ["zhiyin", "import", data if data and own else benchmark, "FILE", "--from", "auto"]
    return shlex.join([*words, *more])


def import_(
    benchmark: str, files: tuple[Path, ...] = (), *, from_: str = "published",
    data: str | None = None, partial: bool = False, out: Path | None = None, model: str = "",
    extract: str = "robust", field: str = "", questions: Path | None = None, json: bool = False,
) -> int:  # fmt: skip
    """Make a run of answers that a model gave elsewhere, so that any policy can score them.

    Parameters
    ----------
    benchmark
        whose questions were answered: a benchmark, or your file of questions; with --from eee the
        first file
    files : FILE
        files of answers, or a folder of logs
    from_ : FORMAT
        published: the benchmark's own format (default); auto: whatever other program wrote it, or
        its name: eee (Every Eval Ever), lm-eval, lmms-eval, evalscope, inspect, openai-batch,
        audio-flamingo, kimi-audio-evalkit, mimo-audio-eval, audiobench, cot-faithfulness,
        midashenglm, nemo-skills, rows
    data : DIR
        with --from: the folder of the benchmark's questions; default: the fetched one
    partial
        with --from: leave out rows that answer no question, or differ from it
    out : RUN_DIR
        the run folder; by default runs/NAME-FILE-HASH
    model : -m NAME
        whose answers; default: the file's name
    extract : POLICY
        how answers are read; see `zhiyin list`
    field : NAME
        which field of an entry holds the reply, such as model_output; with --from also one within
        others, resps.0.0
    questions : FILE
        the published questions, where the replies have their ids alone
    """
    from zhiyin.plugins.lab.imports import PUBLISHED

    made: Path | Sequence[Path]
    if from_ == "eee":  # its files name their benchmark and keep their verdicts
        from zhiyin.plugins.lab.every_eval_ever import import_eee

        if field or questions or data:
            raise InputError(said("import-eee"))
        made = import_eee([Path(benchmark), *files], out, model)
    elif from_ != PUBLISHED:
        from zhiyin.plugins.lab.imports.importing import ForeignOrder, import_foreign

        if questions:
            raise InputError(said("import-questions"))
        order = ForeignOrder(benchmark, files, from_, data or "", field, partial, extract, model)
        made = import_foreign(order, out)
    else:
        if not files:
            raise InputError(said("import-which-file", benchmark=quoted(benchmark)))
        if data or partial:
            raise InputError(said("import-data"))
        kind = find(benchmark)
        more = {"field": field, "questions": questions}
        given = {name: value for name, value in more.items() if value}
        if given and "field" not in signature(kind.import_answers).parameters:
            raise InputError(said("import-flag", benchmark=benchmark, given=next(iter(given))))
        made = kind.import_answers(files, out, extract, model, **given)
    folders = [made] if isinstance(made, Path) else list(made)
    print_summary([summarise(folder) for folder in folders], as_json=json)
    return 0
