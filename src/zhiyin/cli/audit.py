"""`zhiyin audit RUN`: how often the replies of a run are misread."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.numerals import counted
from zhiyin.shown.table import Kind, table_of

if TYPE_CHECKING:
    from zhiyin.analysis.audit.drawing import Audit
    from zhiyin.session import Result

HELP = "Draw replies of a run, have them marked, and say how often they were misread."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import add_part

    add = parser.add_argument
    parser.epilog = (
        "Replies are drawn by chance within kinds (declared, inferred, by text alone, no answer, "
        "...). Without --judge, --marks, --sheet or --json a page is served on which they are "
        "marked; marks are kept in RUN/audit.jsonl, and the same command goes on from there."
    )
    add("run", metavar="RUN", help="a folder that `zhiyin run` wrote")
    add("--n", type=int, metavar="N", help="replies to draw; default 100, or those drawn before")
    add("--seed", type=int, metavar="S", help="of the draw; default 0")
    add(
        "--allocation",
        choices=("neyman", "proportional"),
        help="more from kinds that are expected to be misread (neyman, the default), or as many "
        "as each holds",
    )
    add("--by", metavar="NAME", help="who marks; default: person")
    add("--judge", metavar="MODEL", help="let this model mark, e.g. openai:gpt-4o")
    add("--marks", metavar="FILE", help="take marks: a sheet filled in, or another audit.jsonl")
    add("--sheet", metavar="FILE", help="write what is still to be marked as JSON lines")
    add("--json", action="store_true", help="print one JSON object and nothing else")
    add("--port", type=int, default=0, metavar="N", help="of the page; default: any free one")
    add("--open", action="store_true", help="open the page in your browser")
    add_part(parser, Limits(0), concurrency="calls of the judge at once")
    add("--quiet", action="store_true", help="no progress")


def execute(args: argparse.Namespace) -> int:
    """Draw, have marked, print; the exit status is 1 where a judge left replies unmarked."""
    from zhiyin.analysis.audit.drawing import Wish, open_audit
    from zhiyin.analysis.audit.marks import JUDGE, PERSON
    from zhiyin.models.endpoint import written

    if args.judge and args.by:
        raise InputError("--by is for people: a judge marks under its own name; leave it out")
    if args.by and args.by.startswith(JUDGE):
        raise InputError(f"--by {args.by}: names that begin with {JUDGE} are those of models")
    if not 0 <= args.port <= 65535:
        raise InputError(f"--port {args.port} is no port: give 0 (any free one) to 65535")
    audit = open_audit(Path(args.run), Wish(args.n, args.seed, args.allocation))
    by = f"{JUDGE}{written(args.judge)}" if args.judge else args.by or PERSON
    judging = None
    if args.marks:
        _take(args, audit, by)
    if args.sheet:
        _write(args, audit, by)
    if args.judge:
        judging = _judge(args, audit)
    elif not (args.marks or args.sheet or args.json):
        _serve(args, audit, by)
    _print(args, audit, by if args.judge or args.by else None)
    if judging is None:
        return 0
    if judging.outcome.interrupted:
        return 130

    unmarked = len(audit.draw.replies) - len(audit.book.marked_by(by))
    if unmarked > 0:
        why = judging.ended[1] or "its replies hold no mark that can be read"
        replies = counted(unmarked, "reply", "replies")
        sys.stderr.write(f"{written(args.judge)} left {replies} unmarked: {why}\n")
    return int(unmarked > 0)


def _take(args: argparse.Namespace, audit: Audit, by: str) -> None:
    from zhiyin.analysis.audit.drawing import take_marks

    taken = take_marks(audit, Path(args.marks), by)
    draw = " and their draw" if taken.draw else ""
    others = f"; {taken.others} are of replies that are not drawn here" if taken.others else ""
    sys.stderr.write(f"took {taken.marks} marks{draw} from {args.marks}{others}\n")


def _write(args: argparse.Namespace, audit: Audit, by: str) -> None:
    from zhiyin.analysis.audit.drawing import write_sheet

    number = write_sheet(audit, by, Path(args.sheet))
    who = f"--by {args.by} " if args.by else ""
    sys.stderr.write(
        f'wrote {number} replies to {args.sheet}: put a letter, "none" or "unsure" in each "mark", '
        f"then `zhiyin audit {args.run} {who}--marks {args.sheet}`\n"
    )


def _judge(args: argparse.Namespace, audit: Audit) -> Result:
    import asyncio

    from zhiyin import session
    from zhiyin.engine.runner import Limits
    from zhiyin.flags import read_part
    from zhiyin.judges.marking import judge_audit
    from zhiyin.session.progress import Progress

    watch = session.silent if args.quiet or args.json else Progress
    limits = read_part(Limits(0), vars(args))
    return asyncio.run(judge_audit(audit, args.judge, limits, watch))


def _serve(args: argparse.Namespace, audit: Audit, by: str) -> None:
    """Serve the page until interrupted."""
    import asyncio

    from zhiyin.report.local import listen
    from zhiyin.report.marking import Marking

    def ready(address: str) -> None:
        sys.stderr.write(
            f"open {address} and mark {len(audit.draw.replies)} replies (Ctrl-C ends; every mark "
            "is kept at once)\n"
        )
        sys.stderr.flush()
        if args.open:
            import webbrowser

            webbrowser.open(address)

    try:
        asyncio.run(listen(Marking(audit, by).application(), "127.0.0.1", args.port, ready))
    except KeyboardInterrupt:
        sys.stderr.write("ended\n")


def _print(args: argparse.Namespace, audit: Audit, by: str | None) -> None:
    from zhiyin.analysis.audit.result import result_of

    result = result_of(audit.population, audit.book, by)
    if args.json:
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
