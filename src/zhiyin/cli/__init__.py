"""The command line: commands in files of what belongs together, imported when one is called.

A command is a function of its name, whose signature and docstring are its flags and their help
(see `functions`). Where flags depend on other arguments a function ``prepare_NAME`` adds them, and
``rewrite_NAME`` gives what was typed another form before. A command of several actions has a file
of its own, whose ``ACTIONS`` names their functions.
Benchmarks add commands of their own, see `functions.of_benchmark`.
Exit status: 0 done, 1 done with failed trials, 2 bad input, 3 worse than allowed, 130 interrupted.
"""

from __future__ import annotations

import contextlib
import io
import os
import signal
import sys
import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin import __version__
from zhiyin.cli import functions, output
from zhiyin.errors import InputError, did_you_mean, kind_of, system_words
from zhiyin.extensions import Command, added_commands, commands
from zhiyin.text import printable, spoken

if TYPE_CHECKING:
    from zhiyin.words import Said

GROUPS = ("examine", "read results", "people", "make", "data", "trust")
"""What commands are for, in the order of the overview."""
COMMANDS = {
    name: Command(text, f"zhiyin.cli.{file}", group=group, prints=True, usual=usual, reads=reads)
    for name, group, text, file, usual, reads in (
        ("run", "examine", "a model on a benchmark: the main job", "run", True, False),
        ("list", "examine", "what there is: benchmarks, models, policies", "list", False, True),
        ("merge", "examine", "one run of the shards that machines asked", "show", False, False),
        ("show", "read results", "results of runs, beside published ones", "show", True, True),
        ("compare", "read results", "who is better at what, and how sure?", "pages", True, True),
        ("report", "read results", "a page that opens from disk", "pages", True, True),
        ("table", "read results", "the table of a paper, in LaTeX and more", "pages", False, True),
        ("rescore", "read results", "a run by another policy", "show", False, False),
        ("extract", "read results", "read answers out of free text", "extract", False, False),
        ("cache", "data", "replies that were paid for and are kept", "cost", False, False),
        ("prices", "data", "what models cost: show, import LiteLLM's", "cost", False, False),
    )
}
"""The core's own; plug-ins add theirs (`extensions.commands`)."""
HELP_ALL = "--help-all"
_SCREEN = 80
_LONGEST = 300
_INTERRUPTED = 130
_UNREAD = 128 + signal.SIGPIPE


def main(argv: Sequence[str] | None = None) -> int:
    """Run one command. Returns the exit status."""
    # Not `list(...)`: importing the command `list` gives this package an attribute of that name.
    arguments = [*(sys.argv[1:] if argv is None else argv)]
    if argv is None:  # the process is ours
        _open_streams()
        output.keep_apart(arguments)
        with contextlib.suppress(ValueError):  # a job that is told to end is told so like Ctrl-C
            signal.signal(signal.SIGTERM, signal.default_int_handler)
    try:
        if any("\ud800" <= c <= "\udfff" for argument in arguments for c in argument):
            from zhiyin.words import said

            raise InputError(said("error-no-utf8"))
        status = _dispatch(arguments, whole=argv is None)
        if status == _INTERRUPTED:
            _ignore_interrupts(argv)
        output.flush()
        return status
    except (InputError, MemoryError) as error:
        return _refuse(error, arguments)
    except KeyboardInterrupt as error:
        _ignore_interrupts(argv)
        return _refuse(error, arguments, _INTERRUPTED)
    except BrokenPipeError:
        # The reader of our output has left and nothing else is to be done, or who called us has
        # streams of its own; point stdout elsewhere so that exit stays silent.
        _discard_output()
        return _UNREAD
    except OSError as error:  # a full disk, a folder that may not be written, too many open files
        with contextlib.suppress(OSError):
            return _refuse(error, arguments)
        _discard_output()
        return 2


def _refuse(error: BaseException, arguments: Sequence[str], status: int = 2) -> int:
    """Say on one line why nothing came of a command; with --json, in English, as an object too."""
    from zhiyin.words import say_error

    why = _why(error)
    print(f"zhiyin: {_line(say_error(why))}", file=sys.stderr)
    if output.wants_json(arguments):
        output.print_json({"error": _line(str(why)), "kind": kind_of(error)})
        output.flush()
    return status


def _why(error: BaseException) -> Said | InputError:
    from zhiyin.words import said

    if isinstance(error, InputError):
        return error
    if isinstance(error, OSError):
        where = os.fspath(error.filename) if error.filename else None
        return said("error-system", where=where, why=system_words(error))
    lacks_memory = isinstance(error, MemoryError)
    return said("error-memory") if lacks_memory else said("error-interrupted")


def _line(text: str) -> str:
    return printable(" ".join(w if len(w) < 2 * _LONGEST else f"{w[:80]}…" for w in text.split()))


def _open_streams() -> None:
    """Replace missing standard streams, and make them take every character.

    Where one was closed, the next file that is opened would get its number, and what is printed.
    Characters that a terminal does not know are printed by their numbers. A reader that leaves ends
    no work (`output.Unhurt`).
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="backslashreplace")
    own = (sys.__stdout__, sys.__stderr__)
    if (sys.stdout, sys.stderr) == own:
        sys.stdout, sys.stderr = (output.unhurt(each.fileno(), each) for each in own if each)


def _ignore_interrupts(argv: Sequence[str] | None) -> None:
    """Ignore further Ctrl-C: while the interpreter ends, it would change the exit status."""
    if argv is None:  # the process is ours
        with contextlib.suppress(ValueError):
            signal.signal(signal.SIGINT, signal.SIG_IGN)


def _discard_output() -> None:
    """Discard what is left in standard output when the program ends."""
    with contextlib.suppress(OSError, ValueError):
        output.discard()


def _dispatch(arguments: list[str], *, whole: bool) -> int:
    """Carry out a command; `whole` where the process is ours."""
    if not arguments or arguments[0] in ("-h", "--help", HELP_ALL):
        print(_overview(whole=arguments[:1] == [HELP_ALL]))
        return 0
    if arguments[0] in ("-V", "--version"):
        print(f"zhiyin {__version__}")
        return 0
    if arguments[0] == "human":
        sys.stderr.write("note: `zhiyin human` is `zhiyin study show`\n")
        arguments = ["study", "show", *arguments[1:]]
    from zhiyin.cli.parser import GONE, Parser
    from zhiyin.words import said

    name = arguments[0]
    if name in GONE:
        raise InputError(said("error-gone", what=f"`zhiyin {name}`", now=GONE[name]))
    command = COMMANDS.get(name) or commands().get(name) or added_commands().get(name)
    if command is None or command.under:
        status = functions.of_benchmark(arguments)
        if status is None:
            if name.startswith("--lang"):
                raise InputError(said("error-no-lang"))
            known = [each for each, own in every_command().items() if not own.under]
            hint = did_you_mean(name, known)
            raise InputError(said("error-command", name=repr(name), hint=hint))
        return status
    if command.reads and whole:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser = Parser(prog=f"zhiyin {name}", allow_abbrev=False)
    words = arguments[1:]
    if not command.prints:
        functions.configure(parser, command)
        return functions.carry_out_added(command, parser.parse_args(words))
    file: Any = command.load()
    if rewrite := getattr(file, f"rewrite_{name}", None):
        words = rewrite(words)  # a file of questions for a benchmark's name
    add = functions.add_actions if hasattr(file, "ACTIONS") else functions.add_command
    add(parser, file, name, words)
    return functions.carry_out(parser.parse_args(words))


def every_command() -> dict[str, Command]:
    """The core's commands, and those that plug-ins add."""
    return {**added_commands(), **commands(), **COMMANDS}


def _overview(*, whole: bool) -> str:
    """Describe all there is, in a screen of 24 lines by 80 columns; or with a line a command."""
    every = {name: command for name, command in every_command().items() if not command.under}
    order = [*COMMANDS, *every]
    groups = {
        title: {
            name: _spoken(name, every[name].help)
            for name in dict.fromkeys(order)
            if every[name].group == title
        }
        for title in GROUPS
    }
    names = [name for name, command in every.items() if whole or command.usual]
    first, width = max(map(len, groups)) + 2, max(map(len, names))
    lines = []
    for title, group in groups.items():
        rows = [f"{name:<{width}}  {text}" for name, text in group.items() if name in names]
        if others := ", ".join(name for name in group if name not in names):
            rows += textwrap.wrap(_spoken("also", "also: ") + others, _SCREEN - first)
        title = _spoken(f"group {title}", title)
        if whole:
            lines += [title, *(f"  {row}" for row in rows)]
        else:
            wide = sum(2 if sign > "\u2e80" else 1 for sign in title)
            heads = [title + " " * (first - wide), *[" " * first] * (len(rows) - 1)]
            lines += [f"{head}{row}" for head, row in zip(heads, rows, strict=True)]
    opening = "usage: zhiyin COMMAND ...     Does a language model understand music?"
    flags = f"Flags: zhiyin COMMAND --help. A line for every command: zhiyin {HELP_ALL}."
    status = "Exit status: 0 done, 1 trials failed, 2 bad input, 3 worse, 130 ended."
    closing = [_spoken("flags", flags), _spoken("exit status", status)]
    return "\n".join([_spoken("opening", opening), "", *lines, "", *closing])


def _spoken(key: str, english: str) -> str:
    """Return words of the overview; English ones without the messages, which take long to read."""
    if spoken() == "en":
        return english
    from zhiyin.words import said, say

    return say(said("overview", key=key, english=english), spoken())
