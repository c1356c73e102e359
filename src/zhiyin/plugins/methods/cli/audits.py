"""Commands on trust in the reading of replies: `zhiyin reading` and `audit`."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

from zhiyin.cli.flags import COSTS
from zhiyin.cli.output import open_console, print_json
from zhiyin.cost.request_queue import Spending
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError
from zhiyin.numerals import counted
from zhiyin.shown.table import Cell, Column, Kind, Row, Table, table_of
from zhiyin.text import quoted
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.audit.drawing import Audit
    from zhiyin.plugins.methods.audit.marks import Marked, Misread, PolicyScore
    from zhiyin.reader import Policy
    from zhiyin.session import Result


_SHOWN = 160


def reading(
    files: tuple[Path, ...],
    *,
    policy: tuple[str, ...] = ("robust",),
    errors: bool = False,
    json: bool = False,
) -> int:
    """Measure how a policy reads marked replies: right, misses, false guesses, wrong answers.

    Parameters
    ----------
    files : FILE
        marked replies, JSON lines
    policy : P
        which policy; several times or with commas to compare
    errors
        list what is read otherwise than marked, a line each

    Notes
    -----
    A line of FILE: {"text": the reply, "options": [texts], "expect": a letter or null}, and where
    there is something to say "set", "kind", "lang" (figures are given by these) and "cluster"
    (replies that belong together).
    """
    from zhiyin.contract.policies import open_policy
    from zhiyin.plugins.methods.audit.marks import read_marked, score

    named = [word.strip() for part in policy for word in part.split(",")]
    policies = [open_policy(name) for name in dict.fromkeys(word for word in named if word)]
    marked = read_marked(files)
    scores, misread = [], []
    for one in policies:
        own_score, own_misread = score(one, marked)
        scores.append(own_score)
        misread += own_misread
    if json:
        print_json(_as_json(policies, scores, marked, misread if errors else None))
        return 0
    _print_scores(policies, scores, marked)
    if errors:
        _print_errors(misread)
    return 0


def _as_json(
    policies: list[Policy],
    scores: list[PolicyScore],
    marked: list[Marked],
    errors: list[Misread] | None,
) -> dict[str, Any]:
    from msgspec.structs import asdict

    from zhiyin.plugins.methods.audit.marks import disagreement, groups_of

    payload: dict[str, Any] = {
        "policies": [
            {
                "policy": policy.label,
                "all": own.figures(),
                "groups": [
                    {"by": name, "group": value, **asdict(own.part(places).figures())}
                    for name, value, places in groups_of(marked)
                ],
            }
            for policy, own in zip(policies, scores, strict=True)
        ],
        "differences": [
            {
                "first": policies[0].label,
                "second": policy.label,
                **asdict(disagreement(scores[0], other)),
            }
            for policy, other in zip(policies[1:], scores[1:], strict=True)
        ],
    }
    return payload if errors is None else payload | {"errors": errors}


def _print_scores(policies: list[Policy], scores: list[PolicyScore], marked: list[Marked]) -> None:
    single = len(policies) == 1
    table = _single(policies[0], scores[0], marked) if single else _side_by_side(
        policies, scores, marked
    )  # fmt: skip
    lines: list[str | Said] = [
        _in_words(policy.label, one) for policy, one in zip(policies, scores, strict=True)
    ]
    for policy, other in zip(policies[1:], scores[1:], strict=True):
        lines.append(_compared(policies[0], scores[0], policy, other))
    lines.append(
        "Intervals are Wilson's, 95 %, as if no two replies were of one make; a field "
        '"cluster" tells which are.'
        if all(one.cluster is None for one in marked)
        else "Intervals are Wilson's, 95 %, with the effective number of replies by cluster."
    )
    console = open_console()
    with console.paged():
        console.print_table(table)
        console.say_all(lines)


def _rows(marked: list[Marked], cells: Callable[[list[int]], tuple[Cell, ...]]) -> list[Row]:
    """All, then every group under its heading; `cells` are those of some places."""
    from zhiyin.plugins.methods.audit.marks import groups_of

    rows = [Row(("all", *cells(list(range(len(marked))))))]
    heading = ""
    for name, value, places in groups_of(marked):
        if name != heading:
            rows.append(Row((f"by {name}", *[""] * (len(rows[0].cells) - 1)), mark="soft"))
            heading = name
        rows.append(Row((value, *cells(places)), 1))
    return rows


def _single(policy: Policy, own: PolicyScore, marked: list[Marked]) -> Table:
    def cells(places: list[int]) -> tuple[Cell, ...]:
        part = own.part(places).figures()
        counts = (part.misses, part.false_guesses, part.wrong)
        return (part.n, part.right_share, part.right_ci95, *counts)

    columns: dict[str, Kind] = {
        "": "text", "n": "count", "right, %": "share", "95 % int.": "share", "misses": "count",
        "false": "count", "wrong": "count",
    }  # fmt: skip
    return table_of("reading", columns, _rows(marked, cells), f"read by {policy.label}")


def _side_by_side(policies: list[Policy], scores: list[PolicyScore], marked: list[Marked]) -> Table:
    def cells(places: list[int]) -> tuple[Cell, ...]:
        parts = [own.part(places).figures() for own in scores]
        return (len(places), *((p.right_share, *(p.right_ci95 or (0.0, 1.0))) for p in parts))

    columns = [Column(""), Column("n", "count")]
    columns += [Column(policy.label, "share") for policy in policies]
    return table_of("reading", columns, _rows(marked, cells), "read right, %")


def _in_words(label: str, own: PolicyScore) -> Said:
    """The counts of a policy with what each is a share of."""
    figures = own.figures()
    parts = [said("cli-read-right", policy=label, right=figures.right, n=figures.n)]
    holds, without = figures.with_answer, figures.without_answer
    for how, n, of, ends in (
        ("misses", figures.misses, holds, figures.misses_ci95),
        ("wrong", figures.wrong, holds, figures.wrong_ci95),
        ("false_guesses", figures.false_guesses, without, figures.false_guesses_ci95),
    ):
        if ends is not None:
            low, high = ends
            parts.append(said("cli-read-not", how=how, n=n, of=of, low=low, high=high))
    return said("cli-read", parts=parts)


def _compared(first: Policy, one: PolicyScore, second: Policy, other: PolicyScore) -> Said:
    from zhiyin.plugins.methods.audit.marks import disagreement

    found = disagreement(one, other)
    return said(
        "cli-read-differ", first=first.label, second=second.label, p=found.p,
        only_first=found.only_first, only_second=found.only_second,
    )  # fmt: skip


def _print_errors(errors: list[Misread]) -> None:
    for one in errors:
        reply = " ".join(one.text.split())
        reply = reply if len(reply) <= _SHOWN else f"{reply[: _SHOWN - 1]}…"
        sys.stdout.write(
            f"{one.where}: {one.policy}: {one.outcome}: read {one.letter or 'none'}, marked "
            f"{one.expect or 'none'}: {one.why} | {reply}\n"
        )


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
    from zhiyin.cli.serving import LOOPBACK, serve_page
    from zhiyin.plugins.methods.marking import MarkingPage
    from zhiyin.report.local import listen

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
