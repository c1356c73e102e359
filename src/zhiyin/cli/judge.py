"""`zhiyin judge RUN -m JUDGE`: grade reviews or reasoning of a run, or name its failures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.flags import add_groups
from zhiyin.cli.output import open_console, print_json, print_json_each
from zhiyin.errors import InputError

if TYPE_CHECKING:
    from zhiyin.judges.reliability import PeoplesGrades
    from zhiyin.judges.report import JudgeReport

_LINES, _NOTES = 16, 4
"""So many lines on named failures and notes are printed without --groups all."""
HELP = (
    "Have reviews or reasoning of a run judged, or its failures named; asks only what is missing."
)


def prepare(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the flags, with the values of the protocol that is named."""
    from zhiyin.contract import protocols
    from zhiyin.judges.benchmark import Judging

    configure(parser)
    protocols.add_flags(parser, Judging)
    protocols.preset(parser, Judging, arguments)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags that do not depend on a protocol."""
    from zhiyin.cost.request_queue import Spending
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import add_part
    from zhiyin.judges.benchmark import JudgeSettings

    add = parser.add_argument
    add("run", metavar="RUN", help="a folder that `zhiyin run` wrote")
    add(
        "-m",
        "--model",
        action="append",
        metavar="JUDGE",
        help="who judges; several times for several judges; lexical needs no key "
        "(default: openai:deepseek-v3 at OPENAI_BASE_URL)",
    )
    add_part(parser, JudgeSettings, run="")
    add("--weights", metavar="W", help="of qa/completeness/precision/novelty; default 30/40/20/10")
    grades = "human grades: a CSV file (song,completeness,...), or the export of a study"
    add("--human", metavar="FILE", help=grades)
    add_part(parser, Limits(0), concurrency="judgements under way at once")
    add_part(parser.add_argument_group("what it costs (docs/cost.md)"), Spending())
    add_groups(parser, "top: in short (default); all: songs, statements, agreement, every note")
    add("--json", action="store_true", help="print one JSON object and nothing else")
    add("--quiet", action="store_true", help="no progress")


def execute(args: argparse.Namespace) -> int:
    """Judge, print, return the exit status: 1 where judgements are missing."""
    from zhiyin.judges.aspects import ALONE, read_aspects
    from zhiyin.judges.combine import read_weights

    (alone, *_) = (*(a for a in read_aspects(args.aspects) if a in ALONE), "")
    weights = read_weights(args.weights)
    people = _people(args, alone)  # before anything is asked and paid for
    folders, interrupted = _judge(args, alone)
    if interrupted:
        return 130
    if alone == "failures":
        return _print_failures(args, folders)
    if alone == "reasoning":
        return _print_reasoning(args, folders)
    return _print_grades(args, folders, weights, people)


def _people(args: argparse.Namespace, alone: str) -> PeoplesGrades | None:
    """The human grades, where a file of them is given."""
    from zhiyin.judges.cases import reviews
    from zhiyin.judges.reliability import read_people
    from zhiyin.judges.rules import rules_of

    if args.human is None:
        return None
    if alone == "failures":
        raise InputError("--human: nobody grades the names of failures; leave it out")
    if alone:
        raise InputError("--human: grades of people are of reviews; leave it out")
    return read_people(Path(args.human), reviews(Path(args.run)), rules_of(args.protocol).most)


def _judge(args: argparse.Namespace, alone: str) -> tuple[list[Path], bool]:
    """Ask every judge. Returns their folders, and whether the user interrupted."""
    import asyncio

    from zhiyin import session
    from zhiyin.cost.request_queue import Spending
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import read_part
    from zhiyin.judges.benchmark import JudgeSettings
    from zhiyin.judges.judging import (
        Request,
        check_judge,
        default_judge,
        folder_of,
        judge_run,
        warn_stopped,
    )
    from zhiyin.session.progress import Progress

    names = JudgeSettings.__struct_fields__
    options = {n: value for n, value in vars(args).items() if n in names and value is not None}
    limits = read_part(Limits(0), vars(args))
    spending = read_part(Spending(), vars(args))
    watch = session.silent if args.quiet or args.json else Progress
    folders = []
    judges = list(dict.fromkeys(args.model or [default_judge()]))
    for judge in judges[1:]:  # the first is checked by its own run
        asyncio.run(check_judge(judge))
    for judge in judges:
        request = Request(args.run, judge, options, limits, spending=spending)
        if alone == "failures" and (judge == "lexical" or _all_ruled(args.run)):
            continue  # the first pass is all there is to do
        if alone == "reasoning" and judge != "lexical" and _all_wrong(args.run):
            continue  # wrong answers need no judge
        result = asyncio.run(judge_run(request, watch))
        folders.append(folder_of(request))
        if result.outcome.interrupted:
            return folders, True
        warn_stopped(result)
    return folders, False


def _all_ruled(run: str) -> bool:
    from zhiyin.judges.cases import wrong_choices

    return all(case.rule for case in wrong_choices(Path(run)))


def _all_wrong(run: str) -> bool:
    from zhiyin.judges.cases import reasoned

    return not any(case.right for case in reasoned(Path(run)))


def _print_reasoning(args: argparse.Namespace, folders: list[Path]) -> int:
    from zhiyin.judges.grades import read_grades
    from zhiyin.judges.reasoning import all_wrong, graded, reasoning_lines

    run = Path(args.run)
    results = [graded(run, read_grades(folder, run)) for folder in folders]
    results = results or [all_wrong(run, args.draws or 1)]
    if args.json:
        print_json_each(results, "judges")
    else:
        console = open_console(markup=False)
        for one in results:
            for line in reasoning_lines(one):
                console.say_indented(line)
    return 1 if any(one.missing for one in results) else 0


def _print_grades(
    args: argparse.Namespace,
    folders: list[Path],
    weights: tuple[float, ...],
    people: PeoplesGrades | None,
) -> int:
    from zhiyin.judges.report import build

    report = build(Path(args.run), folders, weights, people)
    if args.json:
        print_json(report.in_english())
    else:
        _print_report(report, whole=args.groups == "all")
    missing = any(part.errors for judged in report.judges for part in judged.components.values())
    return 1 if missing else 0


def _print_report(report: JudgeReport, *, whole: bool) -> None:
    """Each judge's figures, warnings and notes, or all that is known."""
    from zhiyin.judges.report import brief_lines, lines, people_lines

    console = open_console(markup=False)
    if whole:
        with console.paged():
            for line in lines(report):
                console.say_indented(line)
        return
    for line in brief_lines(report):
        console.say_indented(line)
    for line in people_lines(report.reliability):
        console.say_indented(line.removeprefix(" "))
    console.say_all([*map(str, report.reliability.warnings)], label="warning", style="yellow")
    notes = [str(note) for one in report.judges for note in one.notes]
    notes = list(dict.fromkeys([*notes, *(note for one in report.notes for note in one)]))
    console.say_all(notes, label="note", most=_NOTES, more="--groups all")
    console.say("songs, statements, agreement, every note: --groups all")


def _print_failures(args: argparse.Namespace, folders: list[Path]) -> int:
    from zhiyin.judges.grades import failure_lines, named_by_judge, named_by_rule

    run = Path(args.run)
    results = [named_by_judge(run, folder) for folder in folders] or [named_by_rule(run)]
    if args.json:
        print_json_each(results, "judges")
    else:
        console = open_console(markup=False)
        most = None if args.groups == "all" else _LINES
        with console.paged():
            for one in results:
                console.say_all(list(failure_lines(one)), 0, most=most, more="--groups all")
    return 1 if any(one.missing for one in results if one.judge) else 0
