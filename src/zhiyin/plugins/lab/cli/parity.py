"""`zhiyin parity`: do two engines answer alike?"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.text import quoted
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.cli.parser import Parser
    from zhiyin.plugins.lab.parity import Parity
from zhiyin.cli.run import order_of, prepare_run

_EXAMPLES, _EXCERPT = 5, 60


_N = "--items-drawn"


def rewrite_parity(arguments: Sequence[str]) -> list[str]:
    """Two specs and ``--on BENCHMARK`` as flags and a benchmark's name, as `zhiyin run` has them.

    Raises
    ------
    InputError
        There are no two specs at the beginning.
    """
    from zhiyin.contract.arguments import file_as_data, in_two_words, with_recipe

    if {"-h", "--help"} & set(arguments):
        return list(arguments)
    specs = [word for word in arguments[:2] if not word.startswith("-")]
    if len(specs) < 2:
        raise InputError("two models are compared: write `zhiyin parity SPEC SPEC --n 50`")
    rest, on = in_two_words(with_recipe(arguments[2:]), "--on"), ""
    # A benchmark may have an --n of its own.
    _check_number(rest)
    rest = [
        word.replace("--n", _N, 1) if re.fullmatch("--n(=.*)?", word) else word for word in rest
    ]
    if "--on" in rest:
        place = rest.index("--on")
        on = "".join(rest[place + 1 : place + 2])
        if not on or on.startswith("-"):
            raise InputError("--on names no benchmark: write --on BENCHMARK; see `zhiyin list`")
        del rest[place : place + 2]
    return [*file_as_data([on or _own_set()]), "--first", specs[0], "--second", specs[1], *rest]


def _check_number(words: Sequence[str]) -> None:
    """Raise `InputError` where the number behind --n is none."""
    for word, after in itertools.pairwise([*words, ""]):
        flag, equals, number = word.partition("=")
        number = number if equals else after
        whole = number.isascii() and number.isdigit() and number.strip("0")
        if flag == "--n" and not whole:
            written = f"--n {number}".strip()
            raise InputError(f"{written}: write how many items are asked, such as --n 50")


def _own_set() -> str:
    """The name of our own small set, known from here on."""
    from zhiyin.contract.registry import given
    from zhiyin.plugins.lab.parity import Intervals

    return given(Intervals).name


def prepare_parity(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of `zhiyin run`, and those of the comparison."""
    from zhiyin.cli.functions import positive, prepare_as_run

    needless = {"model", "label", "limit", "sample", "dry_run", "cache", "track", "otel"}
    flags = (name for name in _flags(parser, arguments) if name not in needless)
    prepare_as_run(parser, arguments, {*flags}, "say --n for how much is asked, of both anew")
    parser.usage = "zhiyin parity SPEC SPEC [--n N] [--on BENCHMARK] [flags of zhiyin run]"
    if "--on" not in arguments and _own_set() in arguments:
        parser.help_at = parser.prog
    parser.add_argument("--first", help=argparse.SUPPRESS)
    parser.add_argument("--second", help=argparse.SUPPRESS)
    parser.add_argument("--on", metavar="BENCHMARK", help="whose trials are asked")
    parser.add_argument(_N, dest="drawn", type=positive, default=50, help=argparse.SUPPRESS)


def _flags(parser: Parser, arguments: Sequence[str]) -> list[str]:
    """The names of all flags that `zhiyin run` has for these arguments."""
    like = type(parser)(prog=parser.prog, allow_abbrev=False)
    prepare_run(like, arguments)
    return [action.dest for action in like._actions]


def parity(args: argparse.Namespace) -> int:
    """Ask two engines the same questions, and say how often they answer alike.

    --n N items are drawn at random (default 50). `zhiyin parity SPEC SPEC --on BENCHMARK` takes the
    flags of `zhiyin run BENCHMARK`; without --on they are asked for intervals between two notes.
    Status 1 where trials failed.
    """
    from zhiyin import session
    from zhiyin.plugins.lab.parity import parity as compare_engines
    from zhiyin.session.progress import Progress

    if not args.first:
        raise InputError("two models are compared: write `zhiyin parity SPEC SPEC --n 50`")
    args.model, args.label, args.limit, args.sample = args.first, "", None, args.drawn
    first = order_of(args)
    second = msgspec.structs.replace(first, model=args.second)
    watch = session.silent if args.quiet or args.json else Progress
    result = asyncio.run(
        compare_engines(first, second, Path(args.out) if args.out else None, watch)
    )
    if args.json:
        print_json(result)
    else:
        _print_parity(result, (args.first, args.second))
    return 1 if result.left_out else 0


def _print_parity(result: Parity, specs: tuple[str, str]) -> None:
    from zhiyin.shown.terminal import shortened

    console = open_console()
    console.say(f"{specs[0]} and {specs[1]}", 0)
    console.say_all(figure_lines(result))
    for one in result.differences[:_EXAMPLES]:
        letters = " and ".join(letter or "no answer" for letter in one.letters)
        console.say(f"{one.id}: {letters}: {shortened(one.asked, _EXCERPT)}")
        for place, reply in enumerate(one.said, 1):
            console.say(f"{place}: {shortened(reply, _EXCERPT)}", 4)
    if (more := len(result.differences) - _EXAMPLES) > 0:
        console.say(f"{more} more: --json has them")
    console.say_all(result.warnings, label="warning", style="yellow")
    console.say(f"`zhiyin compare {quoted(*result.runs)}` says who is better at what")


def figure_lines(result: Parity) -> list[Said]:
    """The figures, a line each."""
    lines = []
    share, kappa, texts = result.answers, result.kappa, result.texts
    if share is not None:
        lines.append(
            said(
                "cli-same-option", share=share.mean, trials=share.n, low=share.low, high=share.high
            )
        )
    if kappa is not None and kappa.kappa is not None:
        low = kappa.low if kappa.high is not None else None
        lines.append(said("cli-kappa", kappa=kappa.kappa, low=low, high=kappa.high, n=kappa.n))
    lines.append(
        said("cli-same-words", share=texts.mean, n=texts.n, low=texts.low, high=texts.high)
    )
    if result.unread:
        lines.append(said("cli-unread", trials=result.unread))
    if result.left_out:
        lines.append(said("cli-left-out", trials=result.left_out))
    return lines
