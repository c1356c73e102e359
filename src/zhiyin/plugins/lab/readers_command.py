"""`zhiyin readers RUN|FILE`: the same replies by every published rule, and by ours.

`zhiyin parity`: do two engines answer alike?
"""

from __future__ import annotations

import argparse
import asyncio
import itertools
import re
import shlex
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.cli.run import order_of, prepare_run
from zhiyin.errors import InputError, did_you_mean
from zhiyin.plugins.methods.as_run import prepare_as_run
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.cli.parser import Parser
    from zhiyin.plugins.lab.parity import Parity
    from zhiyin.plugins.methods.readers import ByEveryRule, Nearest, RulePair


def readers(
    replies: Path, *, field: str = "", questions: Path | None = None, between: tuple[str, ...] = (),
    embed: str = "", json: bool = False,
) -> int:  # fmt: skip
    """The same replies by every published rule that fits, and by ours.

    Each rule is named with the repository, commit and file that it is taken from. Rules that guess
    are given in expectation and by 1,000 draws. Nobody is asked.

    Parameters
    ----------
    replies : RUN|FILE
        a run, or replies as any known program writes them, with question, choices and answer
    field : NAME
        which field of an entry holds the reply
    questions : FILE
        the questions, where FILE has ids and replies alone
    between : RULE,RULE
        why these two read some replies differently, with examples
    embed : python:FILE.py:FUNCTION
        for a rule that leaves replies to an embedding: a function from texts to vectors
    """
    from zhiyin.plugins.methods.chapter import readers_sections, span_words
    from zhiyin.plugins.methods.readers import by_every_rule, rules_of_run

    pair = [word for part in between for word in part.split(",") if word]
    if between and len(pair) != 2:
        raise InputError(said("readers-two"))
    nearest = _nearest(embed) if embed else None
    if replies.is_dir():
        if field or questions:
            raise InputError(said("readers-files"))
        found = rules_of_run(replies, nearest=nearest)
    else:
        found = by_every_rule(_of_file(replies, field, questions), nearest=nearest)
    if found is None:
        raise InputError(said("readers-none", replies=replies))
    if json:
        line = span_words({"": found})
        print_json({"result": found, "told": None if line is None else str(line)})
        return 0
    chosen = _pair(found, pair) if pair else None
    console = open_console()
    with console.paged():
        if chosen is not None:
            _print_pair(chosen, console)
            return 0
        for section in readers_sections(found):
            console.print_table(section.table("readers"))
        if line := span_words({"": found}):
            console.say(line, 0)
    return 0


def _of_file(path: Path, field: str, questions: Path | None) -> Any:
    from zhiyin.plugins.lab.imports.joining import REPLY, foreign_entries
    from zhiyin.plugins.methods.replies import records_of

    line = shlex.join(["zhiyin", "readers", str(path)])
    return records_of(foreign_entries(path, field, questions, line), REPLY)


def _pair(found: ByEveryRule, wanted: Sequence[str]) -> RulePair:
    names = [own.name for own in found.figures]
    for name in wanted:
        if name not in names:
            raise InputError(
                said("readers-no-rule", name=repr(name), hint=did_you_mean(name, names))
            )
    one = next((p for p in found.pairs if {p.first, p.second} == set(wanted)), None)
    if one is None:
        raise InputError(said("readers-same", wanted=",".join(wanted)))
    return one


def _print_pair(pair: RulePair, console: Any) -> None:
    console.say(
        said(
            "readers-pair",
            first=pair.first,
            second=pair.second,
            n=pair.n,
            first_gains=pair.first_gains,
            second_gains=pair.second_gains,
        ),
        0,
    )
    for cause in pair.causes:
        console.say(f"{cause.n:,} x {pair.first}: {cause.first}; {pair.second}: {cause.second}", 2)
        for one in cause.examples:
            console.say(f"{one.trial}: {one.first} / {one.second}: {one.reply}", 6)


def _nearest(spec: str) -> Nearest:
    """The place of the option nearest to a reply by an embedding of the user's."""
    import numpy as np

    from zhiyin.models.function import load_object

    kind, _, rest = spec.partition(":")
    if kind != "python" or not rest:
        raise InputError(said("readers-embed", spec=spec))
    function = load_object(rest)
    if not callable(function):
        raise InputError(said("readers-embed-function", spec=spec))

    def nearest(reply: str, texts: Sequence[str]) -> int:
        try:
            vectors = np.asarray(function([reply, *texts]), np.float64)
        except Exception as error:
            raise InputError(said("readers-embed-failed", spec=spec, error=repr(error))) from None
        if vectors.ndim != 2 or len(vectors) != len(texts) + 1 or not np.isfinite(vectors).all():
            raise InputError(said("readers-embed-vectors", spec=spec))
        sizes = np.linalg.norm(vectors, axis=1)
        unit = vectors / np.where(sizes > 0, sizes, 1.0)[:, None]
        return int(np.argmax(unit[1:] @ unit[0]))

    return nearest


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
        raise InputError(said("parity-models"))
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
            raise InputError(said("parity-on"))
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
            raise InputError(said("parity-n", written=written))


def _own_set() -> str:
    """The name of our own small set, known from here on."""
    from zhiyin.contract.registry import given
    from zhiyin.plugins.lab.parity import Intervals

    return given(Intervals).name


def prepare_parity(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of `zhiyin run`, and those of the comparison."""
    needless = {"model", "label", "limit", "sample", "dry_run", "cache", "track", "otel"}
    like = type(parser)(prog=parser.prog, allow_abbrev=False)
    prepare_run(like, arguments)
    flags = {action.dest for action in like._actions} - needless
    prepare_as_run(parser, arguments, flags, "say --n for how much is asked, of both anew")
    parser.usage = "zhiyin parity SPEC SPEC [--n N] [--on BENCHMARK] [flags of zhiyin run]"
    if "--on" not in arguments and _own_set() in arguments:
        parser.help_at = parser.prog
    parser.add_argument("--first", help=argparse.SUPPRESS)
    parser.add_argument("--second", help=argparse.SUPPRESS)
    parser.add_argument("--on", metavar="BENCHMARK", help="whose trials are asked")
    parser.add_argument(_N, dest="drawn", type=positive, default=50, help=argparse.SUPPRESS)


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
        raise InputError(said("parity-models"))
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
    console.say(said("parity-title", specs=specs), 0)
    console.say_all(figure_lines(result))
    for one in result.differences[:_EXAMPLES]:
        letters = [letter or said("parity-unanswered") for letter in one.letters]
        asked = shortened(one.asked, _EXCERPT)
        console.say(said("parity-example", id=one.id, letters=letters, asked=asked))
        for place, reply in enumerate(one.said, 1):
            console.say(f"{place}: {shortened(reply, _EXCERPT)}", 4)
    if (more := len(result.differences) - _EXAMPLES) > 0:
        console.say(said("parity-more", more=more))
    console.say_all(result.warnings, label=said("cli-warning"), style="yellow")
    first, second = result.runs
    console.say(said("parity-compare", one=first, other=second))


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


def positive(text: str) -> int:
    """Read a number from 1 for argparse, as a setting is read, and in the same words."""
    from zhiyin.flags import COUNT, read_value

    try:
        return int(read_value("", Annotated[int, COUNT], text))
    except InputError as error:
        raise argparse.ArgumentTypeError(str(error).strip()) from None
