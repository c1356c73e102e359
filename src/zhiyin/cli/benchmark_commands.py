"""Commands that benchmarks add to the command line."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from zhiyin import plugins
from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from zhiyin.plugins import Command


def commands(under: str = "") -> dict[str, Command]:
    """Commands of Zhiyin's own benchmarks, by name; `under` a command of Zhiyin's.

    Only the empty packages of benchmarks are imported: ``zhiyin --help`` asks for this.
    """
    declared: dict[str, Command] = plugins.of_benchmarks("COMMANDS")
    return {name: command for name, command in declared.items() if command.under == under}


def add_under(actions: Any, under: str) -> None:
    """Add the commands that are parts of one of Zhiyin's, with their flags."""
    for name, command in commands(under).items():
        parser = actions.add_parser(name, help=command.help, allow_abbrev=False)
        configure(parser, command)
        parser.set_defaults(added=command)


def configure(parser: argparse.ArgumentParser, command: Command) -> None:
    """Add the flags of a command."""
    parser.description = command.help
    command.load().configure(parser)
    for each in _innermost(parser):
        each.add_argument("--json", action="store_true", help="print one JSON object")
        if "--groups" not in each._option_string_actions:
            text = "top: in short (default); all: every group, table and note"
            each.add_argument("--groups", choices=("top", "all"), default="top", help=text)


def _innermost(parser: argparse.ArgumentParser) -> list[argparse.ArgumentParser]:
    """The parsers of a command's own subcommands, or its own where it has none."""
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            return [inner for each in action.choices.values() for inner in _innermost(each)]
    return [parser]


def carry_out(command: Command, args: argparse.Namespace) -> int:
    """Carry out a command and print its result. Returns the exit status."""
    work = command.load()
    result = work.execute(args)
    if args.json:
        print_json(result)
        return 0
    _print(work.show(result), whole=getattr(args, "groups", "all") == "all")
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
    from zhiyin.cli import Parser
    from zhiyin.contract.registry import blaming, find, is_file, places

    name, *rest = arguments
    if not is_file(name) and name not in places():
        return None
    kind = find(name)
    known = kind.commands
    if not rest or rest[0] not in known:
        examine = f"`zhiyin run {name}` examines a model on it"
        if rest and known:
            hint = did_you_mean(rest[0], known)
            raise InputError(f"{name} has no command {rest[0]!r}: {hint}; {examine}")
        there = f"commands of its own: {', '.join(known)}" if known else "no commands of its own"
        raise InputError(f"{name} is a benchmark with {there}; {examine}")
    command = known[rest[0]]
    parser = Parser(prog=f"zhiyin {name} {rest[0]}", allow_abbrev=False)
    with blaming(kind):
        configure(parser, command)
        args = parser.parse_args(rest[1:])
        return carry_out(command, args)
