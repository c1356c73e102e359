"""Commands as functions: flags from a signature and its docstring; flags that several have.

A command is a function. Its positional parameters are its arguments, those behind ``*`` its flags,
and a struct of settings among them is a part whose fields are flags. Kinds, bounds and defaults
stand in the signature; what help says of a flag, its metavar and its short form in the docstring::

    def export(runs: tuple[Path, ...], *, out: Path, partial: bool = False) -> int:
        \"\"\"Write runs for other tools.

Parameters
----------
        out : -o PATH
            the file to write
        partial
            take a part of a benchmark
        \"\"\"

What is called ``runs`` is given runs: in the place of a folder that holds some, such as a suite's,
these. What is called ``places``, and cases under this name, are given what was typed.

A parameter of the kind `argparse.Namespace` has all that was parsed: for a command whose flags
depend on what is typed before them, which a function ``prepare_NAME(parser, arguments)`` adds.

A plug-in may add a case of a command, such as flags that have it do something else, or folders that
it knows nothing of (``zhiyin.command_cases``). A case is a function, too: its flags are added to
those of the command, its docstring goes on from that of the command, and a parameter of the kind
`argparse.Namespace` has the command's values. It returns the exit status, or None where the command
is to be carried out as ever.

Commands that plug-ins add, and those of one benchmark (`of_benchmark`), have their flags here too.
"""

from __future__ import annotations

import argparse
import inspect
import os
import sys
import time
import types
import typing
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, get_args, get_origin

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError, did_you_mean

if TYPE_CHECKING:
    import msgspec

    from zhiyin.extensions import Command
    from zhiyin.flags import Field


_LONGEST_S = 60.0
_ENDS = {0: "done", 1: "failures", 2: "refused", 3: "worse", 130: "interrupted"}
"""How work ended, by exit status."""
Facts = dict[str, str]
T = typing.TypeVar("T")


_SHARED = {
    "runs": ("RUN", "folders that `zhiyin run` or `zhiyin suite` wrote, or that hold runs"),
    "run": ("RUN", "a folder that `zhiyin run` wrote"),
    "places": ("RUN", "folders that `zhiyin run` or `zhiyin suite` wrote, or that hold runs"),
    "json": ("", "print one JSON object and nothing else"),
    "quiet": ("", "no progress"),
    "study": ("DIR", "the study's folder"),
    "out": ("PATH", "where to write"),
    "database": ("URL", "PostgreSQL, in place of SQLite; or $ZHIYIN_STUDY_DATABASE"),
    "prompts": ("DIR", "prompts, examples and taxonomy that replace ours by name"),
    "columns": ("MEANING=NAME", "of the set"),
    "groups": ("", "top: in short; all: every group, table and note"),
    "benchmark_file": ("FILE.py:CLASS", "read the runs by it, where it lies now"),
}
"""Metavar and help of what several commands have, where a docstring says nothing of it."""
_HIDDEN, _SEVERAL = "hidden", " ..."
ONE_OF = "one of"
"""The title of a part of which one flag is to be given."""
COSTS = "what it costs (docs/cost.md)"
"""The title of `Spending`."""


class Parameter(typing.NamedTuple):
    """A parameter of a command: a field, or a part of the settings with other helps of its own."""

    name: str
    field: Field
    positional: bool
    part: msgspec.Struct | None
    helps: Mapping[str, str]


def parameters_of(function: Callable[..., Any]) -> Iterator[Parameter]:
    """The parameters of a command, described by its docstring."""
    import msgspec

    from zhiyin.flags import Field, Flag, described, kind_of

    words = described(function)[1]
    hints = typing.get_type_hints(function, include_extras=True)
    for name, parameter in inspect.signature(function).parameters.items():
        if hints[name] is argparse.Namespace:
            continue
        slot, text = words.get(name) or _SHARED.get(name) or ("", "")
        also = tuple(word for word in slot.split() if word.startswith("-"))
        metavar = " ".join(word for word in slot.split() if word not in also)
        required = parameter.default is parameter.empty
        default = msgspec.NODEFAULT if required else parameter.default
        kind, extras = kind_of(hints[name])
        title = next((extra for extra in extras if isinstance(extra, str)), "")
        helps = next((extra for extra in extras if isinstance(extra, dict)), {})
        called = "benchmark" if name == "benchmark_file" else name.rstrip("_")
        flag = next((extra for extra in extras if isinstance(extra, Flag)), Flag())
        flag = msgspec.structs.replace(flag, help=text, metavar=metavar, also=also)
        if metavar == _HIDDEN:
            flag = Flag(argparse.SUPPRESS)
        yield Parameter(
            name,
            Field(called, kind, flag, default, title),
            parameter.kind is not parameter.KEYWORD_ONLY,
            default if isinstance(default, msgspec.Struct) else None,
            helps,
        )


def describe(parser: argparse.ArgumentParser, documented: object) -> None:
    """Describe a command in its parser's help, by the docstring of its function or file."""
    from zhiyin.flags import described

    about, _, notes = described(documented)
    parser.description, parser.epilog = " ".join(about.split()), notes or None


def add_parameters(parser: argparse.ArgumentParser, function: Callable[..., Any]) -> None:
    """Add the arguments and flags of a command that is a function, and what it is for."""
    describe(parser, function)
    _add_flags(parser, function)


def _add_flags(parser: argparse.ArgumentParser, function: Callable[..., Any]) -> None:
    from zhiyin.flags import add_flag, add_part

    for _, field, positional, part, helps in parameters_of(function):
        if part is not None:
            group: argparse._ActionsContainer = parser
            if field.title:
                group = (
                    parser.add_mutually_exclusive_group(required=True)
                    if field.title == ONE_OF
                    else parser.add_argument_group(field.title)
                )
            add_part(group, part, **helps)
        elif positional:
            _add_argument(parser, field)
        elif field.kind is bool and field.default is None:
            way = argparse.BooleanOptionalAction
            parser.add_argument(field.written, action=way, help=field.flag.help)
        elif field.flag.metavar.endswith(_SEVERAL):
            metavar = field.flag.metavar.removesuffix(_SEVERAL)
            parser.add_argument(
                field.written, nargs="+", action="extend", metavar=metavar, help=field.flag.help
            )
        else:
            add_flag(parser, field)


def _add_argument(parser: argparse.ArgumentParser, field: Field) -> None:
    import msgspec

    several, required = get_origin(field.kind) is tuple, field.default is msgspec.NODEFAULT
    more: dict[str, Any] = {"help": field.flag.help.replace("%", "%%")}
    if get_origin(field.kind) is Literal:
        more["choices"] = get_args(field.kind)
    if several or not required:
        more["nargs"] = ("+" if required else "*") if several else "?"
    parser.add_argument(field.parameter, metavar=field.flag.metavar or None, **more)


def add_command(
    parser: argparse.ArgumentParser,
    file: types.ModuleType,
    name: str,
    arguments: Sequence[str],
    of: str = "",
) -> None:
    """Add what a command takes: flags of its function, and those that ``prepare_NAME`` adds.

    Parameters
    ----------
    parser : argparse.ArgumentParser
    file : module
        Where the function stands, under the command's name or that with a "_".
    name : str
    arguments : sequence of str
        What was typed behind the name.
    of : str
        The command whose action it is: `zhiyin study show` has no cases of `zhiyin show`.
    """
    from zhiyin.extensions import CASES, every
    from zhiyin.flags import described

    function = _function(file, name)
    add_parameters(parser, function)
    cases = [*every(CASES, f"{of} {name}.".lstrip()).values()]
    for case in cases:
        _add_flags(parser, case)
        about = described(case)[0]
        parser.description = f"{parser.description} {' '.join(about.split())}"
    if prepare := getattr(file, f"prepare_{name}", None):
        prepare(parser, arguments)
    parser.set_defaults(_work=function, _cases=cases)


def add_actions(
    parser: argparse.ArgumentParser, file: types.ModuleType, name: str, arguments: Sequence[str]
) -> None:
    """Add the actions of a command, ``ACTIONS`` of its file, and those that benchmarks add."""
    describe(parser, file)
    actions = parser.add_subparsers(dest="_action", required=True, metavar="ACTION")
    for action in file.ACTIONS:
        summary = (inspect.getdoc(_function(file, action)) or "").partition("\n")[0]
        one = actions.add_parser(action, help=summary, allow_abbrev=False)
        add_command(one, file, action, arguments[1:] if arguments[:1] == [action] else (), name)
    add_under(actions, name)


def _function(file: types.ModuleType, name: str) -> Callable[..., int]:
    function: Callable[..., int] = getattr(file, name, None) or getattr(file, f"{name}_")
    return function


def carry_out(args: argparse.Namespace) -> int:
    """Carry out the command that was parsed. Raises `InputError` for what a flag does not take."""
    if "added" in args:
        return carry_out_added(args.added, args)
    values = _values(args._work, args)
    typed = values.get("runs") or ()
    values |= _with_runs(typed)
    for case in args._cases:
        own = _values(case, args, argparse.Namespace(**{"places": typed, **values}))
        if (status := case(**own)) is not None:
            return int(status)
    return int(args._work(**values))


def _with_runs(typed: Any) -> dict[str, tuple[Path, ...]]:
    """The parameter `runs` of a command where folders were named: the runs in them."""
    return {"runs": tuple(runs_of(typed))} if typed and isinstance(typed, tuple) else {}


def runs_of(places: Sequence[Path]) -> Iterator[Path]:
    """Give the runs in some folders; of one that holds none itself, whose command says so."""
    from zhiyin.report.run_set import runs_in

    for place in places:
        try:
            yield from runs_in([place]).runs
        except InputError:
            yield place


def call(function: Callable[..., T], args: argparse.Namespace) -> T:
    """Carry out a command that is a function. Raises `InputError` for what a flag does not take."""
    return function(**_values(function, args))


def _values(
    function: Callable[..., Any], args: argparse.Namespace, whole: argparse.Namespace | None = None
) -> dict[str, Any]:
    """Collect the values for a function's parameters; `whole`: all of it, by default as parsed."""
    from zhiyin.flags import read_part

    given = vars(args)
    hints = typing.get_type_hints(function).items()
    values: dict[str, Any] = {n: whole or args for n, hint in hints if hint is argparse.Namespace}
    for name, field, _, part, _ in parameters_of(function):
        value = given.get(field.parameter)
        if part is not None:
            values[name] = read_part(part, given)
        else:
            values[name] = field.default if value is None else _read(field, value)
    return values


def _read(field: Field, value: Any) -> Any:
    """A value as a parameter takes it: of several each as it stands, places as paths."""
    from zhiyin.flags import read_field

    if get_origin(field.kind) is tuple:
        return tuple(map(get_args(field.kind)[0], value))
    return Path(value) if field.kind is Path else read_field(field, value)


def read_by(benchmark_file: str | None, runs: Sequence[Path]) -> None:
    """Read runs by the benchmark in a file, if one is named."""
    if benchmark_file:
        from zhiyin.contract.registry import read_runs_by
        from zhiyin.engine.folder import read_manifest

        read_runs_by(benchmark_file, [read_manifest(run) for run in runs])


def notified(command: str | None, what: str, work: Callable[[Facts], int]) -> int:
    """Carry out some work, and run the user's command when it is over.

    Parameters
    ----------
    command : str or None
        For the shell; None for none. What it prints goes to standard error. Where it fails, a note
        is printed, and the exit status stays as it is.
    what : str
        "run" or "suite".
    work : callable
        Gives the exit status; fills in what it knows: upper-case names without ``ZHIYIN_``.

    Returns
    -------
    int
        The exit status of the work.
    """
    facts: Facts = {"KIND": what}
    if command is None:
        return work(facts)
    begun = time.monotonic()
    status, message = 2, ""
    try:
        status = work(facts)
        return status
    except KeyboardInterrupt:
        status, message = 130, "interrupted"
        raise
    except BaseException as error:
        message = " ".join(str(error).split()) or type(error).__name__
        raise
    finally:
        facts["EXIT"], facts["STATUS"] = str(status), _ENDS.get(status, "failures")
        facts["ELAPSED_S"] = f"{time.monotonic() - begun:.1f}"
        if message:
            facts["MESSAGE"] = message
        facts.setdefault("MESSAGE", facts["STATUS"])
        _call(command, {f"ZHIYIN_{name}": value for name, value in facts.items()})


def _call(command: str, facts: Mapping[str, str]) -> None:
    import subprocess

    # NUL cannot stand in an environment.
    own = {name: value.replace("\0", "") for name, value in facts.items()}
    try:
        done = subprocess.run(
            command, shell=True, env={**os.environ, **own}, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace",
            timeout=_LONGEST_S, check=False,
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        sys.stderr.write(f"note: --notify: the command took longer than {_LONGEST_S:.0f} s\n")
    except (OSError, ValueError) as error:
        sys.stderr.write(f"note: --notify: the command cannot be run ({error})\n")
    else:
        sys.stderr.write(done.stdout)
        if done.returncode:
            sys.stderr.write(f"note: --notify: the command ended with {done.returncode}\n")


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

    add_parameters(parser, function)
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    text = "top: in short (default); all: every group, table and note"
    parser.add_argument("--groups", choices=("top", "all"), default="top", help=text)
    parser.set_defaults(_work=function)


def carry_out_added(command: Command, args: argparse.Namespace) -> int:
    """Carry out a command and print its result. Returns the exit status."""
    values = _values(args._work, args)
    result = args._work(**{**values, **_with_runs(values.get("runs"))})
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
        return carry_out_added(command, args)
