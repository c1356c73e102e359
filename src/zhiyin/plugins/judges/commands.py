"""`zhiyin judge RUN -m JUDGE`: grade reviews or reasoning of a run, or name its failures.

The command that has a run's replies marked by people or a model: `zhiyin audit`.
"""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from zhiyin.cli.functions import COSTS
from zhiyin.cli.output import note, open_console, print_json, print_json_each
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.flags import add_part
from zhiyin.shown.table import Kind, table_of
from zhiyin.words import localized, naming, said

if TYPE_CHECKING:
    from zhiyin.plugins.judges.judging import JudgeRequest
    from zhiyin.plugins.judges.reliability import PeoplesGrades
    from zhiyin.plugins.judges.report import JudgeReport
    from zhiyin.plugins.methods.audit.drawing import Audit
    from zhiyin.session import Result, Watch


_LINES, _NOTES = 16, 4
"""So many lines on named failures and notes are printed without --groups all."""


def prepare_judge(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the flags of a judge, with the values of the protocol that is named."""
    from zhiyin.contract import protocols
    from zhiyin.plugins.judges.benchmark import JudgeSettings, Judging

    add_part(parser, JudgeSettings, run="")
    protocols.add_flags(parser, Judging)
    protocols.preset(parser, Judging, arguments)


def judge(
    run: Path,
    *,
    model: tuple[str, ...] = (),
    weights: str | None = None,
    human: Path | None = None,
    limits: Annotated[Limits, {"concurrency": "judgements under way at once"}] = Limits(0),
    spending: Annotated[Spending, COSTS] = Spending(),
    groups: Literal["top", "all"] = "top",
    json: bool = False,
    quiet: bool = False,
    args: argparse.Namespace,
) -> int:
    """Have reviews or reasoning of a run judged, or its failures named; asks only what is missing.

    Status 1 where judgements are missing.

    Parameters
    ----------
    model : -m JUDGE
        who judges; several times for several judges; lexical needs no key (default:
        openai:deepseek-v3 at OPENAI_BASE_URL)
    weights : W
        of qa/completeness/precision/novelty; default 30/40/20/10
    human : FILE
        human grades: a CSV file (song,completeness,...), or the export of a study
    groups
        top: in short; all: songs, statements, agreement, every note
    """
    from zhiyin.plugins.judges.aspects import ALONE, read_aspects
    from zhiyin.plugins.judges.benchmark import JudgeSettings
    from zhiyin.plugins.judges.combine import read_weights
    from zhiyin.plugins.judges.grades import scales_of
    from zhiyin.plugins.judges.judging import JudgeRequest, default_judge
    from zhiyin.plugins.judges.report import build
    from zhiyin.plugins.judges.rules import rules_of
    from zhiyin.session import silent
    from zhiyin.session.progress import Progress

    chosen = read_aspects(args.aspects)
    (alone, *_) = (*(one.name for one in chosen if one.name in ALONE), "")
    weighed = read_weights(weights)
    added = [one for one in chosen if one.prompt]
    people = _people(
        human, run, alone, scales_of(rules_of(args.protocol), added)
    )  # before anything is asked and paid for
    names = JudgeSettings.__struct_fields__
    options = {n: value for n, value in vars(args).items() if n in names and value is not None}
    requests = [
        JudgeRequest(str(run), one, options, limits, spending=spending)
        for one in dict.fromkeys(model or (default_judge(),))
    ]
    folders, interrupted = _judge(requests, alone, not model, silent if quiet or json else Progress)
    if interrupted:
        return 130
    if alone == "failures":
        return _print_failures(run, folders, groups == "all", json)
    if alone == "reasoning":
        return _print_reasoning(run, folders, args.draws or 1, json)
    report = build(run, folders, weighed, people)
    if json:
        print_json(report.in_english())
    else:
        _print_report(report, whole=groups == "all")
    missing = any(part.errors for judged in report.judges for part in judged.components.values())
    return 1 if missing else 0


def _people(
    human: Path | None, run: Path, alone: str, scales: dict[str, tuple[float, float]]
) -> PeoplesGrades | None:
    """The human grades, where a file of them is given."""
    from zhiyin.plugins.judges.cases import reviews
    from zhiyin.plugins.judges.reliability import read_people

    if human is None:
        return None
    if alone == "failures":
        raise InputError(said("judge-human-failures"))
    if alone:
        raise InputError(said("judge-human-reviews"))
    return read_people(human, reviews(run), scales)


def _judge(
    requests: list[JudgeRequest], alone: str, unnamed: bool, watch: Watch
) -> tuple[list[Path], bool]:
    """Ask every judge. Returns their folders, and whether the user interrupted."""
    from zhiyin.plugins.judges.cases import reasoned, wrong_choices
    from zhiyin.plugins.judges.judging import (
        check_default,
        check_judge,
        folder_of,
        judge_run,
        warn_stopped,
    )

    folders = []
    for request in requests[1:]:  # the first is checked by its own run
        asyncio.run(check_judge(request.judge))
    for request in requests:
        lexical, run = request.judge == "lexical", Path(request.run)
        if alone == "failures" and (lexical or all(case.rule for case in wrong_choices(run))):
            continue  # the first pass is all there is to do
        if alone == "reasoning" and not lexical and not any(case.right for case in reasoned(run)):
            continue  # wrong answers need no judge
        if unnamed:
            asyncio.run(check_default(request))
        result = asyncio.run(judge_run(request, watch))
        folders.append(folder_of(request))
        if result.outcome.interrupted:
            return folders, True
        warn_stopped(result)
    return folders, False


def _print_reasoning(run: Path, folders: list[Path], draws: int, json: bool) -> int:
    from zhiyin.plugins.judges.choices import all_wrong, graded, reasoning_lines
    from zhiyin.plugins.judges.grades import read_grades

    results = [graded(run, read_grades(folder, run)) for folder in folders]
    results = results or [all_wrong(run, draws)]
    if json:
        print_json_each(results, "judges")
    else:
        console = open_console(markup=False)
        for one in results:
            for line in reasoning_lines(one):
                console.say_indented(line)
    return 1 if any(one.missing for one in results) else 0


def _print_report(report: JudgeReport, *, whole: bool) -> None:
    """Each judge's figures, warnings and notes, or all that is known."""
    from zhiyin.plugins.judges.report import brief_lines, lines, people_lines

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
    console.say_all(report.reliability.warnings, label=said("cli-warning"), style="yellow")
    notes = [naming(note) for one in report.judges for note in one.notes]
    notes = list(dict.fromkeys([*notes, *(note for one in report.notes for note in one)]))
    console.say_all(notes, label=said("cli-note"), most=_NOTES, more="--groups all")
    console.say(said("judged-whole"))


def _print_failures(run: Path, folders: list[Path], whole: bool, json: bool) -> int:
    from zhiyin.plugins.judges.grades import failure_lines, named_by_judge, named_by_rule

    results = [named_by_judge(run, folder) for folder in folders] or [named_by_rule(run)]
    if json:
        print_json_each(results, "judges")
    else:
        console = open_console(markup=False)
        with console.paged():
            for one in results:
                lines, most = list(failure_lines(one)), None if whole else _LINES
                console.say_all(lines, 0, most=most, more="--groups all")
    return 1 if any(one.missing for one in results if one.judge) else 0


def audit(
    run: Path,
    *,
    n: int | None = None,
    seed: int | None = None,
    allocation: Literal["neyman", "proportional"] | None = None,
    by: str | None = None,
    judge: str = "",
    marks: Path | None = None,
    sheet: Path | None = None,
    json: bool = False,
    port: int = 0,
    open_: bool = False,
    limits: Annotated[Limits, {"concurrency": "calls of the judge at once"}] = Limits(0),
    spending: Annotated[Spending, COSTS] = Spending(),
    quiet: bool = False,
) -> int:
    """Draw replies of a run, have them marked, and say how often they were misread.

    Status 1 where a judge left replies unmarked.

    Parameters
    ----------
    n
        replies to draw; default 100, or those drawn before
    seed : S
        of the draw; default 0
    allocation
        more from kinds that are expected to be misread (neyman, the default), or as many as each
        holds
    by : NAME
        who marks; default: person
    judge : MODEL
        let this model mark, e.g. openai:gpt-4o
    marks : FILE
        take marks: a sheet filled in, or another audit.jsonl
    sheet : FILE
        write what is still to be marked as JSON lines
    port
        of the page; default: any free one
    open_
        open the page in your browser

    Notes
    -----
    Replies are drawn by chance within kinds (declared, inferred, by text alone, no answer, ...).
    Without --judge, --marks, --sheet or --json a page is served at a terminal (else with --port),
    on which they are marked; marks are kept in RUN/audit.jsonl, and the same command goes on.
    """
    from zhiyin.models.endpoint import written
    from zhiyin.plugins.methods.audit.drawing import DrawWish, open_audit
    from zhiyin.plugins.methods.audit.marks import JUDGE, PERSON

    if judge and by:
        raise InputError(said("audit-by-judge"))
    if by and by.startswith(JUDGE):
        raise InputError(said("audit-by-name", by=by, judge=JUDGE))
    drawn = open_audit(run, DrawWish(n, seed, allocation))
    marker = f"{JUDGE}{written(judge)}" if judge else by or PERSON
    judging = None
    if marks:
        _take(drawn, marks, marker)
    if sheet:
        _write(drawn, sheet, marker, by)
    if judge:
        judging = _mark_by_judge(drawn, judge, limits, spending, quiet or json)
    elif not (marks or sheet or json):
        if not (port or open_ or sys.stdout.isatty()):  # nobody would see where the page is
            raise InputError(said("audit-no-terminal", run=str(run)))
        _mark(drawn, marker, port, open_)
    _print_audit(drawn, marker if judge or by else None, json)
    if judging is None:
        return 0
    if judging.outcome.interrupted:
        return 130

    unmarked = len(drawn.draw.replies) - len(drawn.book.marked_by(marker))
    if unmarked > 0:
        why = judging.ended[1] or said("audit-unreadable")
        note(said("audit-unmarked", judge=written(judge), n=unmarked, why=why))
    return int(unmarked > 0)


def _take(audit: Audit, marks: Path, by: str) -> None:
    from zhiyin.plugins.methods.audit.drawing import take_marks

    taken = take_marks(audit, marks, by)
    facts = {"n": taken.marks, "draw": bool(taken.draw), "others": taken.others}
    note(said("audit-took", path=marks, **facts))


def _write(audit: Audit, sheet: Path, by: str, named: str | None) -> None:
    from zhiyin.plugins.methods.audit.drawing import write_sheet

    number = write_sheet(audit, by, sheet)
    again = ["zhiyin", "audit", str(audit.folder), *(["--by", named] if named else [])]
    command = shlex.join([*again, "--marks", str(sheet)])
    note(said("audit-wrote", n=number, sheet=sheet, command=command))


def _mark_by_judge(
    audit: Audit, model: str, limits: Limits, spending: Spending, quiet: bool
) -> Result:
    from zhiyin import session
    from zhiyin.plugins.judges.judging import judge_audit
    from zhiyin.session.progress import Progress

    watch = session.silent if quiet else Progress
    return asyncio.run(judge_audit(audit, model, limits, spending, watch))


def _mark(audit: Audit, by: str, port: int, opens: bool) -> None:
    """Serve the page until interrupted."""
    from zhiyin.plugins.methods.audit.result import MarkingPage
    from zhiyin.plugins.methods.serving import LOOPBACK, listen, serve_page

    page = MarkingPage(audit, by).application()
    line = localized(said("audit-open", n=len(audit.draw.replies), address="{address}"))
    serve_page(lambda ready: listen(page, LOOPBACK[0], port, ready), port, line, opens)


def _print_audit(audit: Audit, by: str | None, as_json: bool) -> None:
    from zhiyin.plugins.methods.audit.result import result_of

    result = result_of(audit.population, audit.book, by)
    if as_json:
        draw: dict[str, Any] = {
            "seed": audit.draw.seed,
            "n": audit.draw.n,
            "allocation": audit.draw.allocation,
            "sizes": audit.draw.sizes,
            "probabilities": audit.draw.probabilities,
            "drawn": len(audit.draw.replies),
        }
        print_json({"run": str(audit.folder), "draw": draw, "result": result})
        return
    console = open_console()
    if result is None:
        drawn, many = len(audit.draw.replies), sum(audit.draw.sizes.values())
        console.say(said("audit-drawn", n=drawn, of=many), 0)
        return

    if result.strata is not None:
        columns: dict[str, Kind] = {"what the reader said": "text"}
        columns |= dict.fromkeys(("replies", *_COLUMNS[1:]), "count")
        rows = [(one.stratum, *(getattr(one, key) for key in _COLUMNS)) for one in result.strata]
        console.print_table(table_of("marked", columns, rows, "marked"))
    for line in result.sentences:
        console.say(line)
    if audit.population.others:
        console.say(said("audit-others", others=audit.population.others))


_COLUMNS = ("size", "drawn", "marked", "unsure", "misread")
