"""The command that has a run's replies marked by people or a model: `zhiyin audit`."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from zhiyin.cli.functions import COSTS
from zhiyin.cli.output import open_console, print_json
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.numerals import counted
from zhiyin.shown.table import Kind, table_of
from zhiyin.text import quoted

if TYPE_CHECKING:
    from zhiyin.plugins.methods.audit.drawing import Audit
    from zhiyin.session import Result


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
    Without --judge, --marks, --sheet or --json a page is served on which they are marked; marks are
    kept in RUN/audit.jsonl, and the same command goes on from there.
    """
    from zhiyin.models.endpoint import written
    from zhiyin.plugins.methods.audit.drawing import DrawWish, open_audit
    from zhiyin.plugins.methods.audit.marks import JUDGE, PERSON

    if judge and by:
        raise InputError("--by is for people: a judge marks under its own name; leave it out")
    if by and by.startswith(JUDGE):
        raise InputError(f"--by {by}: names that begin with {JUDGE} are those of models")
    drawn = open_audit(run, DrawWish(n, seed, allocation))
    marker = f"{JUDGE}{written(judge)}" if judge else by or PERSON
    judging = None
    if marks:
        _take(drawn, marks, marker)
    if sheet:
        _write(drawn, sheet, marker, by)
    if judge:
        judging = _judge(drawn, judge, limits, spending, quiet or json)
    elif not (marks or sheet or json):
        _mark(drawn, marker, port, open_)
    _print_audit(drawn, marker if judge or by else None, json)
    if judging is None:
        return 0
    if judging.outcome.interrupted:
        return 130

    unmarked = len(drawn.draw.replies) - len(drawn.book.marked_by(marker))
    if unmarked > 0:
        why = judging.ended[1] or "its replies hold no mark that can be read"
        replies = counted(unmarked, "reply", "replies")
        sys.stderr.write(f"{written(judge)} left {replies} unmarked: {why}\n")
    return int(unmarked > 0)


def _take(audit: Audit, marks: Path, by: str) -> None:
    from zhiyin.plugins.methods.audit.drawing import take_marks

    taken = take_marks(audit, marks, by)
    draw = " and their draw" if taken.draw else ""
    others = f"; {taken.others} are of replies that are not drawn here" if taken.others else ""
    sys.stderr.write(f"took {taken.marks} marks{draw} from {marks}{others}\n")


def _write(audit: Audit, sheet: Path, by: str, named: str | None) -> None:
    from zhiyin.plugins.methods.audit.drawing import write_sheet

    number = write_sheet(audit, by, sheet)
    who = f"--by {quoted(named)} " if named else ""
    sys.stderr.write(
        f'wrote {number} replies to {sheet}: put a letter, "none" or "unsure" in each "mark", '
        f"then `zhiyin audit {quoted(audit.folder)} {who}--marks {quoted(sheet)}`\n"
    )


def _judge(audit: Audit, model: str, limits: Limits, spending: Spending, quiet: bool) -> Result:
    from zhiyin import session
    from zhiyin.plugins.judges.judging import judge_audit
    from zhiyin.session.progress import Progress

    watch = session.silent if quiet else Progress
    return asyncio.run(judge_audit(audit, model, limits, spending, watch))


def _mark(audit: Audit, by: str, port: int, opens: bool) -> None:
    """Serve the page until interrupted."""
    from zhiyin.plugins.methods.marking import MarkingPage
    from zhiyin.plugins.methods.serving import LOOPBACK, listen, serve_page

    page = MarkingPage(audit, by).application()
    line = (
        f"open {{address}} and mark {len(audit.draw.replies)} replies (Ctrl-C ends; every mark is "
        "kept at once)"
    )
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
        console.say(f"{drawn:,} of {many:,} replies are drawn, and none is marked yet", 0)
        return

    if result.strata is not None:
        columns: dict[str, Kind] = {"what the reader said": "text"}
        columns |= dict.fromkeys(("replies", *_COLUMNS[1:]), "count")
        rows = [(one.stratum, *(getattr(one, key) for key in _COLUMNS)) for one in result.strata]
        console.print_table(table_of("marked", columns, rows, "marked"))
    for line in result.sentences:
        console.say(line)
    if audit.population.others:
        console.say(
            f"{audit.population.others:,} further trials were not read by rule as a choice and "
            "are not audited"
        )


_COLUMNS = ("size", "drawn", "marked", "unsure", "misread")
