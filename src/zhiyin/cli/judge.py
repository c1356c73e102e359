"""`zhiyin judge RUN -m JUDGE`: grade the reviews of a run, or name its failures."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.run import _positive, _seconds, _share, _temperature, _whole

if TYPE_CHECKING:
    from zhiyin.judges.reliability import Means

HELP = "Have the reviews of a run judged, or its failures named; asks only what is missing."


def prepare(parser: argparse.ArgumentParser, arguments: Sequence[str]) -> None:
    """Add the flags, with the values of the protocol that is named."""
    from zhiyin.contract import protocols
    from zhiyin.judges.benchmark import Judging

    configure(parser)
    protocols.add_flags(parser, Judging)
    protocols.preset(parser, Judging, arguments)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags that do not depend on a protocol."""
    from zhiyin.cli.spending import add_spending
    from zhiyin.judges.benchmark import add_judging

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
    add_judging(parser)
    add("--weights", metavar="W", help="of qa/completeness/precision/novelty; default 30/40/20/10")
    add("--human", metavar="FILE", help="human grades, a CSV file: song,completeness,...")
    add("--concurrency", type=_positive, metavar="N", help="judgements under way at once")
    add("--timeout", type=_seconds, default=300.0, metavar="S", help="for one call; default 300")
    add("--retries", type=_whole, default=5, metavar="N", help="of a failed call; default 5")
    add(
        "--temperature",
        type=_own_temperature,
        default="own",
        metavar="T",
        help="default 0.6, 0.3, 0.4 by aspect; 'default' leaves it to the judge",
    )
    add("--max-tokens", type=_positive, default=4096, metavar="N", help="of a reply; default 4096")
    add("--top-p", type=_share, metavar="P", help="default: the judge's own")
    add_spending(parser)
    add("--json", action="store_true", help="print one JSON object and nothing else")
    add("--quiet", action="store_true", help="no progress")


def _own_temperature(text: str) -> float | str | None:
    return text if text == "own" else _temperature(text)


_own_temperature.__name__ = "temperature"


def execute(args: argparse.Namespace) -> int:
    """Judge, print, return the exit status: 1 where judgements are missing."""
    from zhiyin.judges.aspects import read_aspects
    from zhiyin.judges.combine import read_weights

    failing = "failures" in read_aspects(args.aspects)
    weights = read_weights(args.weights)
    people = _people(args, failing)  # before anything is asked and paid for
    folders, interrupted = _judge(args, failing)
    if interrupted:
        return 130
    return (
        _print_failures(args, folders) if failing else _print_grades(args, folders, weights, people)
    )


def _people(args: argparse.Namespace, failing: bool) -> dict[str, Means] | None:
    """The human grades, where a file of them is given."""
    from zhiyin.errors import InputError
    from zhiyin.judges.cases import reviews
    from zhiyin.judges.reliability import read_human
    from zhiyin.judges.rules import rules_of

    if args.human is None:
        return None
    if failing:
        raise InputError("--human: nobody grades the names of failures; leave it out")
    return read_human(Path(args.human), reviews(Path(args.run)), rules_of(args.protocol).most)


def _judge(args: argparse.Namespace, failing: bool) -> tuple[list[Path], bool]:
    """Ask every judge. Returns their folders, and whether the user interrupted."""
    import asyncio

    from zhiyin import session
    from zhiyin.cli.run import _progress
    from zhiyin.cli.spending import spending_of
    from zhiyin.engine.runner import Limits
    from zhiyin.judges.judging import Request, check_judge, default_judge, folder_of, judge_run

    names = ("aspects", "draws", "language", "prompts", "temperature", "max_tokens", "top_p")
    rules = ("protocol", "released", "no_heard")
    options: dict[str, Any] = {name: getattr(args, name) for name in (*names, *rules)}
    limits = Limits(args.concurrency or 0, args.timeout, args.retries)
    spending = spending_of(args)
    watch = session.silent if args.quiet or args.json else _progress
    folders = []
    judges = list(dict.fromkeys(args.model or [default_judge()]))
    for judge in judges[1:]:  # the first is checked by its own run
        asyncio.run(check_judge(judge))
    for judge in judges:
        request = Request(args.run, judge, options, limits, spending=spending)
        if failing and (judge == "lexical" or _all_ruled(args.run)):
            continue  # the first pass is all there is to do
        result = asyncio.run(judge_run(request, watch))
        folders.append(folder_of(request))
        if result.outcome.interrupted:
            return folders, True
    return folders, False


def _all_ruled(run: str) -> bool:
    from zhiyin.judges.cases import wrong_choices

    return all(case.rule for case in wrong_choices(Path(run)))


def _print_grades(
    args: argparse.Namespace,
    folders: list[Path],
    weights: tuple[float, ...],
    people: dict[str, Means] | None,
) -> int:
    from zhiyin.cli.display import print_json
    from zhiyin.judges.report import build, lines
    from zhiyin.text import printable

    report = build(Path(args.run), folders, weights, people)
    if args.json:
        print_json(report)
    else:
        print(*map(printable, lines(report)), sep="\n")
    missing = any(part.errors for judged in report.judges for part in judged.components.values())
    return 1 if missing else 0


def _print_failures(args: argparse.Namespace, folders: list[Path]) -> int:
    from zhiyin.cli.display import print_json
    from zhiyin.judges.naming import failure_lines, named_by_judge, named_by_rule
    from zhiyin.text import printable

    run = Path(args.run)
    found = [named_by_judge(run, folder) for folder in folders] or [named_by_rule(run)]
    if args.json:
        print_json(found[0] if len(found) == 1 else {"judges": found})
    else:
        for one in found:
            print(*map(printable, failure_lines(one)), sep="\n")
    return 1 if any(one.missing for one in found if one.judge) else 0
