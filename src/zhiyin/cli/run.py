"""Asking: `zhiyin run`, the main job."""

from __future__ import annotations

import argparse
import asyncio
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from zhiyin.cli.output import note, open_console, print_json
from zhiyin.shown.table import Cell, Column, Row, Table
from zhiyin.words import said, say
from zhiyin.words.reasons import reason

if TYPE_CHECKING:
    from zhiyin.cli.parser import Parser
    from zhiyin.contract.settings import RunSettings
    from zhiyin.session import CostEstimate, Result


def rewrite_run(arguments: Sequence[str]) -> list[str]:
    """`FILE` in the place of a name is `questions --data FILE`; a recipe is its flags."""
    from zhiyin.contract.arguments import file_as_data, with_recipe

    return file_as_data(with_recipe(arguments))


def prepare_run(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the common flags, and those of the benchmark and the protocol that are named."""
    from zhiyin.contract import protocols
    from zhiyin.contract.registry import find, is_file, places

    own = [*parser._actions]  # of a command that asks for more than a run
    configure(parser)
    _shorten_help(parser, arguments, own)
    parser.set_defaults(benchmark_flags=[])
    switches = {name for a in parser._actions if a.nargs == 0 for name in a.option_strings}
    words = [
        word
        for before, word in zip(["", *arguments], arguments, strict=False)
        if not word.startswith("-") and (not before.startswith("-") or before in switches)
    ]
    # An unknown word is looked up too: the registry's error names the nearest ones.
    known = (word for word in words if word in places() or is_file(word))
    named = next(known, words[0] if words else None)
    if named is None:
        benchmarks = ", ".join(name for name in sorted(places()) if name not in _INNER)
        parser.epilog = f"Benchmarks, each with further flags: {benchmarks}, or FILE.py:CLASS."
        return
    package = find(named)
    parser.help_at = f"{parser.prog} {named}"
    group = parser.add_argument_group(f"{named}: {package.summary}")
    package.add_options(group)
    protocols.add_flags(group, package)
    protocols.preset(parser, package, arguments)
    parser.set_defaults(benchmark_flags=[action.dest for action in group._group_actions])


_USUAL = {
    *("benchmark", "help", "model", "data", "out", "limit", "sample", "shots", "seed"),
    *("budget", "dry_run", "json"),
}
"""The common flags that help names unless it is asked for all of them."""
_INNER = {"audit", "judge", "forge-blind", "forge-label", "forge-paraphrase", "forge-propose",
          "forge-same", "forge-write"}  # fmt: skip
"""Benchmarks that other commands run."""


def _shorten_help(parser: Parser, arguments: Sequence[str], own: Sequence[argparse.Action]) -> None:
    """Show the usual flags in help, and how to see the others."""
    from zhiyin.cli import HELP_ALL

    whole = HELP_ALL in arguments
    others = [one for one in parser._actions if one.dest not in _USUAL and one not in own]
    text = "show this help" if whole else "show the less usual flags, too"
    parser.add_argument(HELP_ALL, dest="help", action="help", help=text)
    for action in [] if whole else others:
        action.help = argparse.SUPPRESS


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags that every benchmark has."""
    from zhiyin.contract.settings import add_run_flags

    parser.add_argument(
        "benchmark",
        help="which benchmark (`zhiyin list` names them), or a file of your own questions",
    )
    add_run_flags(parser)


def order_of(args: argparse.Namespace) -> RunSettings:
    """Read the order from flags. Raises `InputError` for a value that a flag does not take."""
    from zhiyin.contract.protocols import open_protocol
    from zhiyin.contract.registry import find
    from zhiyin.contract.settings import options_of, read_run

    given = vars(args)
    options = options_of(given, args.benchmark_flags)
    protocol = open_protocol(find(args.benchmark), options.get("protocol"))
    return read_run(args.benchmark, args.model, options, given, protocol.usual())


def run(args: argparse.Namespace) -> int:
    """Examine a model on a benchmark. Running the same command again asks only what is missing."""
    from zhiyin import session
    from zhiyin.cli.functions import notified

    order = order_of(args)
    if args.dry_run:
        _print_estimate(asyncio.run(session.estimate(order)), as_json=args.json)
        return 0
    return notified(args.notify, "run", lambda facts: _carry_out(args, order, facts))


def _carry_out(args: argparse.Namespace, order: RunSettings, facts: dict[str, str]) -> int:
    from zhiyin import session
    from zhiyin.cli.show import print_summary
    from zhiyin.engine.stopping import say_silence
    from zhiyin.session.progress import Lines, Progress, quietly

    watch = quietly if args.quiet or args.json else Progress
    if watch is Progress:  # what goes before it, the canary, may wait, too
        say_silence.set(lambda line: Lines(stderr=True).print(line, soft_wrap=True))
    result = asyncio.run(session.carry_out(order, watch))
    if not (result.outcome.asked or result.outcome.stopped):
        _say_of_when(result.folder)
    show = f"zhiyin show {shlex.quote(str(result.folder))}"
    print_summary([result.summary], as_json=args.json, beside=False)
    if not args.json:
        compares = bool(result.summary.published)  # with published rows
        open_console().say(said("cli-again", show=show, compares=compares))
    facts.update(_facts(result))
    if result.after and not args.json:
        ended, why = result.after.ended
        if ended != "done":
            open_console().say(said("cli-judging", ended=ended, why=reason(why)))
    if result.interrupted:
        return 130
    return 0 if result.ended[0] == "done" else 1


def _print_estimate(estimate: CostEstimate, *, as_json: bool) -> None:
    """Print what a run would ask and cost, as a table or as one JSON object."""
    if as_json:
        print_json(estimate)
        return
    console = open_console()
    nothing = say(said("dry-nothing", model=estimate.model), console.language)
    console.print(f"\n[bold]{estimate.benchmark}[/]  {nothing}", soft_wrap=True)
    rows: list[tuple[Cell, ...]] = [
        (said("dry-in-folder"), estimate.answered, said("dry-trials")),
        (said("dry-in-cache"), estimate.cached, said("dry-free")),
        (said("dry-to-ask"), estimate.asked, said("dry-trials")),
    ]
    if estimate.canary:
        rows.append((said("dry-before"), estimate.canary, said("dry-canary")))
    if estimate.input_from:
        how = reason(estimate.input_from)
        rows.append((said("dry-sent"), estimate.input, said("dry-tokens", how=how)))
        if estimate.seconds:
            sound = said("dry-sound", tokens=f"{estimate.sound:,.0f}")
            rows.append(("", f"{estimate.seconds:,.1f}", sound))
        how = reason(estimate.output_from)
        rows.append((said("dry-back"), estimate.output, said("dry-tokens", how=how)))
    cost = "?" if estimate.usd is None else f"{estimate.usd:,.4g}"
    most = None if estimate.usd_at_most is None else f"{estimate.usd_at_most:,.4g}"
    price = said("dry-usd", most=most, price=reason(estimate.price))
    rows.append((said("dry-cost"), cost, price))
    columns = (Column(""), Column("", "count"), Column(""))
    console.print_table(Table("estimate", "", columns, tuple(map(Row, rows))))
    for remark in estimate.remarks:
        console.say(reason(remark), 2, said("cli-note"))


def _say_of_when(folder: Path) -> None:
    """Say of when the replies are, where this session has asked nothing."""
    from zhiyin.engine.folder import read_manifest

    days = [one.started[:10] for one in read_manifest(folder).sessions if one.asked]
    if days:
        when = " – ".join(dict.fromkeys((min(days), max(days))))
        note(said("cli-replies-of", when=when))


def _facts(result: Result) -> dict[str, str]:
    """Collect what `--notify` passes on about a run."""
    summary, whole = result.summary, result.summary.groups["all"]
    right = said("cli-accuracy", accuracy=whole.accuracy)
    usd = summary.cost.usd if summary.cost else None
    return {
        "DIR": str(result.folder),
        "NAME": summary.name,
        "BENCHMARK": summary.benchmark,
        "TRIALS": str(summary.trials),
        "PLANNED": str(summary.planned),
        "ERRORS": str(summary.states["error"]),
        "USD": "" if usd is None else f"{usd:.6g}",
        "MESSAGE": f"{summary.benchmark}, {summary.name}: {summary.how_far}{right}"
        + (f"; {result.outcome.stopped}" if result.outcome.stopped else ""),
    }
