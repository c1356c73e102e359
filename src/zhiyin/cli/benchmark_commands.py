"""Commands that plug-ins add to the command line, and those of one benchmark."""

from __future__ import annotations

import argparse
import inspect
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from zhiyin.extensions import Command


def add_under(actions: Any, under: str) -> None:
    """Add the commands that are parts of one of Zhiyin's, with their flags."""
    from zhiyin.cli import every_command

    for name, command in every_command().items():
        if command.under != under:
            continue
        parser = actions.add_parser(name, help=command.help, allow_abbrev=False)
        configure(parser, command)
        parser.set_defaults(added=command)


def configure(parser: argparse.ArgumentParser, command: Command) -> None:
    """Add the flags of a command, or of each of its actions."""
    work = command.load()
    actions = getattr(work, "ACTIONS", ())
    if not actions:
        _add(parser, work.execute)
    parser.description = parser.description or command.help
    if actions:
        below = parser.add_subparsers(dest="_action", required=True, metavar="|".join(actions))
        for action in actions:
            function = getattr(work, action)
            summary = (inspect.getdoc(function) or "").partition("\n")[0]
            _add(below.add_parser(action, help=summary, allow_abbrev=False), function)


def _add(parser: argparse.ArgumentParser, function: Callable[..., Any]) -> None:
    from zhiyin.cli.functions import add_parameters

    add_parameters(parser, function)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    text = "top: in short (default); all: every group, table and note"
    parser.add_argument("--groups", choices=("top", "all"), default="top", help=text)
    parser.set_defaults(_work=function)


def carry_out(command: Command, args: argparse.Namespace) -> int:
    """Carry out a command and print its result. Returns the exit status."""
    from zhiyin.cli.functions import call

    result = call(args._work, args)
    if args.json:
        print_json(result)
        return 0
    _print(command.load().show(result), whole=args.groups == "all")
    return 0


def _print(shown: Any, *, whole: bool) -> None:
    if isinstance(shown, str):
        print(shown)
        return
    console = open_console()
    with console.paged():
        for section in shown:
            console.print_table(section.table(), "" if whole else "--groups all")


def of_benchmark(arguments: Sequence[str]) -> int | None:
    """Carry out ``BENCHMARK COMMAND ...``; None where the first word is no benchmark.

    Raises
    ------
    InputError
        The benchmark has no such command, or the command fails.
    """
    from zhiyin.cli.parser import Parser
    from zhiyin.contract.registry import blaming, find, is_file, places
    from zhiyin.words import said

    name, *rest = arguments
    if not is_file(name) and name not in places():
        return None
    kind = find(name)
    known = kind.commands
    if not rest or rest[0] not in known:
        if rest and known:
            facts = {"command": repr(rest[0]), "hint": did_you_mean(rest[0], known)}
            raise InputError(said("error-no-command", name=name, **facts))
        raise InputError(said("error-benchmark-typed", name=name, commands=[*known] or None))
    command = known[rest[0]]
    parser = Parser(prog=f"zhiyin {name} {rest[0]}", allow_abbrev=False)
    with blaming(kind):
        configure(parser, command)
        args = parser.parse_args(rest[1:])
        return carry_out(command, args)
