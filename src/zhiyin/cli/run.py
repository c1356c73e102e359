"""Asking: `zhiyin run`, the main job; `trials` for elsewhere; `parity` of two engines."""

from __future__ import annotations

import argparse
import asyncio
import itertools
import re
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import msgspec

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.plugins.lab.cli.tracking import Keep, kept_in, report_beside, spans
from zhiyin.shown.table import Cell, Column, Row, Table
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.cli import Parser
    from zhiyin.contract.settings import RunSettings
    from zhiyin.plugins.lab.parity import Parity
    from zhiyin.session import Estimate, Result


def rewrite_run(arguments: Sequence[str]) -> list[str]:
    """`FILE` in the place of a name is `questions --data FILE`; a recipe is its flags."""
    from zhiyin.contract.arguments import file_as_data, with_recipe

    return file_as_data(with_recipe(arguments))


def rewrite_exam(arguments: Sequence[str]) -> list[str]:
    """`exam BENCHMARK` is `run adaptive --of BENCHMARK`; a file is the data of its questions."""
    if not any(word.startswith(("-m", "--mod", "-h", "--h")) for word in arguments):
        raise InputError(
            "no model: zhiyin exam BENCHMARK --bank FILE -m MODEL, with --n 100 or --se 0.3 "
            "(the bank is a file of `zhiyin stats items RUN... --bank FILE`)"
        )
    from zhiyin.contract.arguments import file_as_data

    of = ["--of"] if arguments and not arguments[0].startswith("-") else []
    return ["adaptive", *of, *(file_as_data(arguments) if of else arguments)]


def prepare_exam(parser: Parser, arguments: Sequence[str]) -> None:
    """Those of `run`."""
    prepare_run(parser, arguments)
    parser.help_at = parser.prog


def exam(args: argparse.Namespace) -> int:
    """Examine a model on few questions of a benchmark, those that tell most, one after another."""
    return run(args)


def prepare_run(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the common flags, and those of the benchmark and the protocol that are named."""
    from zhiyin.contract import protocols
    from zhiyin.contract.registry import find, is_file, places

    configure(parser)
    _shorten_help(parser, arguments)
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


def _shorten_help(parser: Parser, arguments: Sequence[str]) -> None:
    """Have help name the usual flags, and say how to see the others."""
    from zhiyin.cli import HELP_ALL

    whole = HELP_ALL in arguments
    others = [action for action in parser._actions if action.dest not in _USUAL]
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
    """What the flags ask for. Raises `InputError` for a value that a flag does not take."""
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
    from zhiyin.cli.flags import notified

    order = order_of(args)
    if args.dry_run:
        order = msgspec.structs.replace(order, cluster=None)
        _print_estimate(asyncio.run(session.estimate(order)), as_json=args.json)
        return 0
    keep = kept_in(args.track)
    return notified(args.notify, "run", lambda facts: _carry_out(args, order, facts, keep))


def _carry_out(
    args: argparse.Namespace, order: RunSettings, facts: dict[str, str], keep: Keep | None
) -> int:
    from zhiyin import session
    from zhiyin.cli.show import print_summary
    from zhiyin.engine.silence import say_silence
    from zhiyin.session.progress import Lines, Progress, quietly

    watch = quietly if args.quiet or args.json else Progress
    if watch is Progress:  # what goes before it, the canary, may wait, too
        say_silence.set(lambda line: Lines(stderr=True).print(line, soft_wrap=True))
    with spans(args.otel, f"run {args.benchmark}", benchmark=args.benchmark, model=args.model):
        result = asyncio.run(session.carry_out(order, watch))
    if not (result.outcome.asked or result.outcome.stopped):
        _say_of_when(result.folder)
    show = f"zhiyin show {shlex.quote(str(result.folder))}"
    print_summary([result.summary], as_json=args.json, beside=False)
    if not args.json:
        compares = result.summary.published  # with published rows
        adds = "sets this beside published results" if compares else "prints this again"
        open_console().say(f"`{show}` {adds}")
    facts.update(_facts(result))
    if keep:
        keep([result.folder], report_beside(result.folder), "")
    if result.after and not args.json:
        ended, why = result.after.ended
        if ended != "done":
            open_console().say(f"judging {ended}: {why}")
    if result.interrupted:
        return 130
    return 0 if result.ended[0] == "done" else 1


def _print_estimate(estimate: Estimate, *, as_json: bool) -> None:
    """Print what a run would ask and cost, as a table or as one JSON object."""
    if as_json:
        print_json(estimate)
        return
    console = open_console()
    console.print(
        f"\n[bold]{estimate.benchmark}[/]  {estimate.model}: nothing was asked", soft_wrap=True
    )
    rows: list[tuple[Cell, ...]] = [
        ("in the run folder", estimate.answered, "trials"),
        ("in the cache", estimate.cached, "trials, which cost nothing"),
        ("to ask", estimate.asked, "trials"),
    ]
    if estimate.canary:
        rows.append(("before them", estimate.canary, "short questions, the canary"))
    if estimate.input_from:
        rows.append(("sent", estimate.input, f"tokens, {estimate.input_from}"))
        if estimate.seconds:
            sound = f"s of sound, {estimate.sound:,.0f} of these tokens"
            rows.append(("", f"{estimate.seconds:,.1f}", sound))
        rows.append(("coming back", estimate.output, f"tokens, {estimate.output_from}"))
    cost = "?" if estimate.usd is None else f"{estimate.usd:,.4g}"
    most = "" if estimate.usd_at_most is None else f", at most {estimate.usd_at_most:,.4g}"
    rows.append(("cost", cost, f"usd{most} ({estimate.price})"))
    columns = (Column(""), Column("", "count"), Column(""))
    console.print_table(Table("estimate", "", columns, tuple(map(Row, rows))))
    for remark in estimate.remarks:
        console.print(f"  note: {remark}", soft_wrap=True, markup=False)


def _say_of_when(folder: Path) -> None:
    """Say of when the replies are, where this session has asked nothing."""
    from zhiyin.engine.log import read_manifest

    days = [one.started[:10] for one in read_manifest(folder).sessions if one.asked]
    if days:
        when = " – ".join(dict.fromkeys((min(days), max(days))))
        sys.stderr.write(f"nothing was asked: the replies are of {when}; another --out asks anew\n")


def _facts(result: Result) -> dict[str, str]:
    """What `--notify` passes on about a run."""
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


def rewrite_trials(arguments: Sequence[str]) -> list[str]:
    """`FILE` in the place of a benchmark's name is `questions --data FILE`."""
    from zhiyin.contract.arguments import file_as_data

    return file_as_data(arguments)


def prepare_trials(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of `zhiyin run` for what is asked and how replies are sampled."""
    from zhiyin.cli.flags import prepare_as_run
    from zhiyin.contract.flags import CommonOptions
    from zhiyin.flags import flagged
    from zhiyin.record import Sampling

    asked = {field.parameter for part in (CommonOptions, Sampling) for field in flagged(part)}
    kept = asked | {"benchmark", "limit", "sample", "out"}
    prepare_as_run(parser, arguments, kept, "nobody is asked here")
    for action in parser._actions:
        if action.dest == "out":
            action.metavar, action.help = "DIR", "the folder to write to"
    parser.add_argument(
        "--layout",
        choices=("chat", "list", "evalscope", "vlmevalkit", "lmms-eval", "openai-batch"),
        default="chat",
        help="chat: a JSON line a question; list: one JSON list of prompt, answers and audio_path; "
        "or the files of another harness, which hold the right answers (docs/how-to/elsewhere.md)",
    )


def trials(args: argparse.Namespace) -> int:
    """Write out what a run would ask, its sounds and pictures, and nothing that tells the answers.

    `zhiyin run BENCHMARK -m replay:FILE` makes a run of what comes back. Layouts of other harnesses
    hold the right answers, since these score.
    """
    from zhiyin import session
    from zhiyin.contract.settings import command_of
    from zhiyin.text import printable

    if not args.out:
        raise InputError("--out is missing: name the folder to write to")
    folder = Path(args.out)
    order = msgspec.structs.replace(
        order_of(args), model=f"replay:{folder / 'answers.jsonl'}", out=None
    )
    run = command_of(order)
    written = asyncio.run(session.write_trials(order, folder, args.layout, run))
    if args.json:
        payload = {"folder": str(folder), "file": str(written.file), "trials": written.trials}
        more = {"use": written.use, "holds_key": written.holds_key}
        print_json({**payload, "media": written.media, "run": run, **more})
        return 0
    files = f" and {written.media} files of sound or pictures" if written.media else ""
    plural = "s" if written.trials != 1 else ""
    print(f"wrote {written.trials} question{plural}{files} to {folder}")
    if written.holds_key:
        print("  warning: these files hold the right answers: no model may see them")
    if written.use:
        print(f"  in {folder}:")
        for line in written.use.splitlines():
            print(f"  {printable(line)}")
        print("  what it writes, left in that folder, becomes a run:")
        print(f"  {printable(_import_line(args.benchmark, order.options.get('data')))}")
        return 0
    print(f"  answers come back as JSON lines of id and text, in {folder / 'answers.jsonl'}, then:")
    print(f"  {printable(run)}")
    return 0


def _import_line(benchmark: str, data: str | None) -> str:
    """The command that makes a run of what another harness wrote."""
    from zhiyin.contract.arguments import OWN

    own = benchmark == OWN and data is not None
    more = ["--data", data] if data and not own else []
    words = ["zhiyin", "import", data if data and own else benchmark, "FILE", "--from", "auto"]
    return shlex.join([*words, *more])


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
        raise InputError("two models are compared: write zhiyin parity SPEC SPEC --n 50")
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
    from zhiyin.cli.flags import positive, prepare_as_run

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
        raise InputError("two models are compared: write zhiyin parity SPEC SPEC --n 50")
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
    console.say(f"`zhiyin compare {result.runs[0]} {result.runs[1]}` says who is better at what")


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
