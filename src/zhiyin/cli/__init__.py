"""The command line: commands in files of what belongs together, imported when one is called.

A command is a function of its name, whose signature and docstring are its flags and their help
(see `flags`). Where flags depend on other arguments a function ``prepare_NAME`` adds them, and
``rewrite_NAME`` gives what was typed another form before. A command of several actions has a file
of its own, whose ``ACTIONS`` names their functions.
Benchmarks add commands of their own, see `benchmark_commands`.
Exit status: 0 done, 1 done with failed trials, 2 bad input, 3 worse than allowed, 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import difflib
import io
import os
import signal
import sys
import textwrap
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, NoReturn, cast

from zhiyin import __version__
from zhiyin.cli import benchmark_commands, output
from zhiyin.errors import InputError, did_you_mean, kind_of, system_words
from zhiyin.extensions import Command, added_commands, commands
from zhiyin.text import printable
from zhiyin.words import Said, said, say, say_error, spoken

GROUPS = ("examine", "read results", "people", "make", "data", "trust")
"""What commands are for, in the order of the overview."""
COMMANDS = {
    name: Command(text, f"zhiyin.cli.{file}", group=group, prints=True, usual=usual, reads=reads)
    for name, group, text, file, usual, reads in (
        ("run", "examine", "a model on a benchmark: the main job", "run", True, False),
        ("list", "examine", "what there is: benchmarks, models, policies", "list", False, True),
        (
            "merge",
            "examine",
            "one run of the shards that machines asked",
            "made_runs",
            False,
            False,
        ),
        ("show", "read results", "results of runs, beside published ones", "show", True, True),
        (
            "compare",
            "read results",
            "who is better at what, and how sure?",
            "comparison",
            True,
            True,
        ),
        ("report", "read results", "a page that opens from disk", "pages", True, True),
        ("table", "read results", "the table of a paper, in LaTeX and more", "pages", False, True),
        ("rescore", "read results", "a run by another policy", "made_runs", False, False),
        ("extract", "read results", "read answers out of free text", "extract", False, False),
        ("cache", "data", "replies that were paid for and are kept", "cost", False, False),
        ("prices", "data", "what models cost: show, import LiteLLM's", "cost", False, False),
    )
}
"""The core's own; plug-ins add theirs (`extensions.commands`)."""
_SIGNING = "sign RUN/SHA256SUMS with minisign or sigstore (docs/verify.md)"
_GONE = {
    "leaderboard --key": _SIGNING,
    "repeat": "give the run's command --cache off and another --out, then `zhiyin compare` the two",
    "serve": "start `vllm serve` or `transformers serve`, then -m http://HOST:PORT/v1#MODEL",
    "sign": _SIGNING,
    "verify --key": _SIGNING,
    "verify --prove": f"for all records at once, {_SIGNING}",
    "verify --root": f"for all records at once, {_SIGNING}",
    "verify --seal": "giving the run's command again writes its SHA256SUMS",
}
"""Commands and flags of earlier versions, and what does that now."""
HELP_ALL = "--help-all"
_SCREEN = 80
_LONGEST = 300
_INTERRUPTED = 130


class Parser(argparse.ArgumentParser):
    """An argument parser whose errors are one line, and that knows which flag was meant.

    A flag is taken once.

    Attributes
    ----------
    help_at : str
        The command whose help a message names; by default the command itself.
    """

    help_at = ""
    _words: Sequence[str] = ()
    _taken: Sequence[argparse.Action] = ()

    def __init__(self, *args: Any, **settings: Any) -> None:
        super().__init__(*args, **settings)
        for name in (None, "store"):
            self.register("action", name, _Once)

    def refuse(self, what: Said | str) -> NoReturn:
        """Raise `InputError` with a message, and where help is."""
        at = f"{self.help_at or self.prog} --help"
        raise InputError(said("error-see", what=what, help=at))

    def error(self, message: str) -> NoReturn:
        """Refuse what argparse does when all is read: what was required and is not there."""
        self._refuse_unknown(word for word in self._words if word.startswith("--"))
        lacking = [a for a in self._actions if a.required and a not in self._taken]
        groups = (g._group_actions for g in self._mutually_exclusive_groups if g.required)
        if lacking:
            self.refuse(said("error-required", names=", ".join(map(_name_of, lacking))))
        for group in groups:
            if not any(action in self._taken for action in group):
                self.refuse(said("error-one-of", names=" ".join(map(_name_of, group))))
        self.refuse(_short(message))

    def parse_known_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, and note which arguments were there."""
        self._taken = []
        return super().parse_known_args(args, namespace)

    def _parse_known_args(self, *args: Any) -> Any:
        try:
            return super()._parse_known_args(*args)  # type: ignore[misc]
        except argparse.ArgumentError as error:
            name = error.argument_name
            action = next((a for a in self._actions if _name_of(a) == name), None)
            if action is None:  # of Python 3.12 on: one that is required is not there
                self.error(error.message)
            given = (w.partition("=")[2] for w in self._words if "=" in w)
            if action.nargs == 0:
                self.refuse(said("error-takes-none", flag=name, value=repr(next(given, ""))))
            self.refuse(_short(str(error)))

    def _match_argument(self, action: argparse.Action, arg_strings_pattern: str) -> int:
        try:
            return int(super()._match_argument(action, arg_strings_pattern))  # type: ignore[misc]
        except argparse.ArgumentError:
            few = {None: "one", "?": "most", "+": "least"}.get(cast("Any", action.nargs))
            self.refuse(said("error-wants", flag=_name_of(action), few=few or str(action.nargs)))

    def _get_values(self, action: argparse.Action, arg_strings: list[str]) -> Any:
        for group in self._mutually_exclusive_groups:
            if action in group._group_actions:
                for other in {*group._group_actions} & {*self._taken} - {action}:
                    names = {"flag": _name_of(action), "other": _name_of(other)}
                    self.refuse(said("error-not-with", **names))
        self._taken = [*self._taken, action]
        return super()._get_values(action, arg_strings)  # type: ignore[misc]

    def parse_args(self, args: Any = None, namespace: Any = None) -> Any:
        """Parse as argparse does, but name the nearest known flag for an unknown one."""
        self._words = args or []
        parsed, unknown = self.parse_known_args(args, namespace)
        parser = self._innermost()
        parser._refuse_unknown(word for word in unknown if word.startswith("-"))
        if unknown and not parser._take_later(parsed, unknown):
            parser._refuse_unknown(word for word in self._words if word.startswith("--"))
            parser.refuse(said("error-argument", words=_short(" ".join(unknown))))
        return parsed

    def _take_later(self, parsed: argparse.Namespace, words: Sequence[str]) -> bool:
        """Add what stands behind a flag to the list before it, which argparse has closed."""
        for action in self._get_positional_actions():
            if action.nargs in ("+", "*"):
                more = [self._get_value(action, word) for word in words]
                setattr(parsed, action.dest, [*getattr(parsed, action.dest), *more])
                return True
        return False

    def _check_value(self, action: argparse.Action, value: Any) -> None:
        """Check as argparse does, but name the nearest choice."""
        if action.choices is not None and value not in action.choices:
            hint = did_you_mean(str(value), map(str, action.choices))
            shown = _short(repr(value))
            self.refuse(said("error-choice", name=_name_of(action), value=shown, hint=hint))

    def _refuse_unknown(self, words: Iterable[str]) -> None:
        """Raise `InputError` for a flag that does not exist."""
        for word in words:
            flag = word.partition("=")[0]
            if flag in self._option_string_actions or flag == "--":
                continue
            if gone := _GONE.get(f"{self.prog} {flag}".removeprefix("zhiyin ")):
                raise InputError(said("error-gone", what=flag, now=gone))
            known = [name for name in self._option_string_actions if name.startswith("--")]
            close = difflib.get_close_matches(flag, known, n=2, cutoff=0.6)
            self.refuse(said("error-flag", flag=flag[:_LONGEST], close=close or None))

    def _innermost(self) -> Parser:
        """The parser of the subcommand that is named, if there is one."""
        for action in self._actions:
            if isinstance(action, argparse._SubParsersAction):
                chosen = next((word for word in self._words if word in action.choices), None)
                if chosen is not None:
                    return cast("Parser", action.choices[chosen])
        return self


class _Once(argparse._StoreAction):
    """Stores a value; a second one is refused, where argparse would forget the first."""

    def __call__(
        self,
        parser: argparse.ArgumentParser,
        namespace: argparse.Namespace,
        values: Any,
        option_string: str | None = None,
    ) -> None:
        given = vars(namespace).setdefault(_GIVEN, set())
        if option_string and self.dest in given:
            cast("Parser", parser).refuse(said("error-twice", flag=_name_of(self)))
        given.add(self.dest)
        super().__call__(parser, namespace, values, option_string)


_GIVEN = "_given"


def _name_of(action: argparse.Action) -> str:
    return str(argparse._get_action_name(action))


def _short(text: str) -> str:
    """A text that repeats what was given, cut where that is long."""
    return text if len(text) <= _LONGEST else f"{text[: _LONGEST - 1]}…"


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
            raise InputError(said("error-no-utf8"))
        status = _dispatch(arguments, whole=argv is None)
        if status == _INTERRUPTED:
            _ignore_interrupts(argv)
        output.flush()
        return status
    except InputError as error:
        return _refuse(error, arguments, kind_of(error))
    except KeyboardInterrupt as error:
        _ignore_interrupts(argv)
        return _refuse(said("error-interrupted"), arguments, kind_of(error), _INTERRUPTED)
    except MemoryError as error:
        return _refuse(said("error-memory"), arguments, kind_of(error))
    except BrokenPipeError:
        # The reader of our output has left; point stdout elsewhere so that exit stays silent.
        _discard_output()
        return 0
    except OSError as error:  # a full disk, a folder that may not be written, too many open files
        where = os.fspath(error.filename) if error.filename else None
        why = said("error-system", where=where, why=system_words(error))
        with contextlib.suppress(OSError):
            return _refuse(why, arguments, kind_of(error))
        _discard_output()
        return 2


def _refuse(why: Said | InputError, arguments: Sequence[str], kind: str, status: int = 2) -> int:
    """Say on one line why nothing came of a command; with --json, in English, as an object too."""
    print(f"zhiyin: {_line(say_error(why))}", file=sys.stderr)
    if output.wants_json(arguments):
        output.print_json({"error": _line(str(why)), "kind": kind})
        output.flush()
    return status


def _line(text: str) -> str:
    return printable(" ".join(w if len(w) < 2 * _LONGEST else f"{w[:80]}…" for w in text.split()))


def _open_streams() -> None:
    """Replace missing standard streams, and make them take every character.

    Where one was closed, the next file that is opened would get its number, and what is printed.
    Characters that a terminal does not know are printed by their numbers.
    """
    while (descriptor := os.open(os.devnull, os.O_RDWR)) < 3:
        os.set_inheritable(descriptor, True)
    os.close(descriptor)
    sys.stdout = sys.stdout or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    sys.stderr = sys.stderr or Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper) and not stream.encoding.lower().startswith("utf"):
            stream.reconfigure(errors="backslashreplace")


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
        output.note(said("cli-human"), said("cli-note"))
        arguments = ["study", "show", *arguments[1:]]
    name = arguments[0]
    if name in _GONE:
        raise InputError(said("error-gone", what=f"`zhiyin {name}`", now=_GONE[name]))
    command = COMMANDS.get(name) or commands().get(name) or added_commands().get(name)
    if command is None or command.under:
        status = benchmark_commands.of_benchmark(arguments)
        if status is None:
            known = [each for each, own in every_command().items() if not own.under]
            hint = did_you_mean(name, known)
            raise InputError(said("error-command", name=repr(name), hint=hint))
        return status
    if command.reads and whole:
        os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
    parser = Parser(prog=f"zhiyin {name}", allow_abbrev=False)
    words = arguments[1:]
    if not command.prints:
        benchmark_commands.configure(parser, command)
        return benchmark_commands.carry_out(command, parser.parse_args(words))
    file: Any = command.load()
    if rewrite := getattr(file, f"rewrite_{name}", None):
        words = rewrite(words)  # a file of questions for a benchmark's name
    from zhiyin.cli.flags import add_actions, add_command, carry_out

    add = add_actions if hasattr(file, "ACTIONS") else add_command
    add(parser, file, name, words)
    return carry_out(parser.parse_args(words))


def every_command() -> dict[str, Command]:
    """The core's commands, and those that plug-ins add."""
    return {**added_commands(), **commands(), **COMMANDS}


def _overview(*, whole: bool) -> str:
    """Describe all there is, in a screen of 24 lines by 80 columns; or with a line a command."""
    every = {name: command for name, command in every_command().items() if not command.under}
    order = [*COMMANDS, *every]
    groups = {
        title: {
            name: _spoken(said("overview-command", name=name, help=every[name].help))
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
            also = _spoken(said("overview-also", names=others))
            rows += textwrap.wrap(also, _SCREEN - first)
        title = _spoken(said("overview-group", group=title))
        if whole:
            lines += [title, *(f"  {row}" for row in rows)]
        else:
            wide = sum(2 if sign > "\u2e80" else 1 for sign in title)
            heads = [title + " " * (first - wide), *[" " * first] * (len(rows) - 1)]
            lines += [f"{head}{row}" for head, row in zip(heads, rows, strict=True)]
    opening, ending = said("overview-usage"), said("overview-flags", flag=HELP_ALL)
    return "\n".join([_spoken(opening), "", *lines, "", _spoken(ending)])


def _spoken(text: Said) -> str:
    return say(text, spoken())
