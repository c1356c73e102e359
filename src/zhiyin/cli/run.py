"""`zhiyin run BENCHMARK -m MODEL`: the main job."""

from __future__ import annotations

import argparse
import asyncio
import shlex
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.values import (
    or_default,
    positive,
    seconds,
    share,
    silence,
    temperature,
    thinking,
    whole,
)

if TYPE_CHECKING:
    from zhiyin.analysis.summary import Summary
    from zhiyin.cli import Parser
    from zhiyin.models.playback import SoundPolicy
    from zhiyin.session import Order, Result

HELP = "Examine a model on a benchmark. Running the same command again asks only what is missing."


def rewrite(arguments: Sequence[str]) -> list[str]:
    """`FILE` in the place of a name is `questions --data FILE`; a recipe is its flags."""
    from zhiyin.contract.own import file_as_data, with_recipe

    return file_as_data(with_recipe(arguments))


def prepare(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the common flags, and those of the benchmark and the protocol that are named."""
    from zhiyin.contract import protocols
    from zhiyin.contract.registry import find, is_file, places

    configure(parser)
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
        parser.epilog = (
            f"Benchmarks: {', '.join(sorted(places()))}, or FILE.py:CLASS; each has further flags."
        )
        return
    package = find(named)
    parser.help_at = f"{parser.prog} {named}"
    group = parser.add_argument_group(f"{named}: {package.summary}")
    package.add_options(group)
    protocols.add_flags(group, package)
    protocols.preset(parser, package, arguments)
    parser.set_defaults(benchmark_flags=[action.dest for action in group._group_actions])


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags that every benchmark has."""
    from zhiyin.cli.clusters import add_cluster
    from zhiyin.cli.notifying import add_notify
    from zhiyin.cli.spending import add_limits, add_spending

    parser.add_argument(
        "benchmark",
        help="which benchmark (`zhiyin list` names them), or a file of your own questions",
    )
    add = parser.add_argument
    add("-m", "--model", required=True, help="who answers, e.g. openai:gpt-4o, listener, random")
    add("--recipe", metavar="FILE", help="flags for a file of questions, kept in a file of TOML")
    add("--data", metavar="DIR", help="the folder of the benchmark's data")
    add("--out", metavar="RUN_DIR", help="the run folder; by default runs/BENCHMARK-MODEL-HASH")
    add("--label", default="", metavar="NAME", help="what tables and sentences call this run")
    _add_part(parser)
    add("--seed", type=int, default=0, help="for everything random; default 0")
    add("--private-seed", metavar="FILE", help="a seed of `zhiyin seed`, in the place of --seed")
    add("--shots", metavar="K", help="worked examples before each question")
    add("--extract", metavar="POLICY", help="how answers are read from replies; default robust")
    add(
        "--confirm",
        action="store_true",
        help="ask once more, for the letter alone, where a reply cannot be read",
    )
    add(
        "--score",
        choices=("loglikelihood",),
        default="",
        help="also ask for the log-probability of each option, and choose by it, beside the reply",
    )
    add("--partial", action="store_true", help="run the part of a published data set that is here")
    add_limits(parser, "trials under way")
    _add_sampling(parser)
    add_sound(parser)
    add(
        "--no-canary",
        action="store_true",
        help="do not begin with eight questions that show whether the model hears (or sees)",
    )
    add_spending(parser).add_argument(
        "--dry-run",
        action="store_true",
        help="say what would be asked and what it would cost, and ask nothing",
    )
    add_notify(parser)
    add_cluster(parser)
    add("--json", action="store_true", help="print one JSON object and nothing else")
    add("--quiet", action="store_true", help="no progress")


def _add_part(parser: argparse.ArgumentParser) -> None:
    """Add the flags that ask for a part of the benchmark."""
    part = parser.add_mutually_exclusive_group()
    part.add_argument(
        "--limit",
        type=whole,
        metavar="N",
        help="ask only the first N trials, or N whole sequences",
    )
    part.add_argument(
        "--sample",
        type=positive,
        metavar="N",
        help="ask only N items drawn at random (--seed), each group in proportion",
    )
    parser.add_argument(
        "--shard",
        metavar="I/N",
        help="ask only this share of N, for machines side by side; then `zhiyin merge`",
    )


def _add_sampling(parser: argparse.ArgumentParser) -> None:
    """Add the flags of sampling."""
    add = parser.add_argument
    add(
        "--temperature",
        type=temperature,
        default=0.0,
        metavar="T",
        help="default 0; here and below 'default' leaves it to the model",
    )
    add("--max-tokens", type=or_default(positive), metavar="N", help="of a reply; default: its own")
    add("--top-p", type=or_default(share), metavar="P", help="default: the model's own")
    add("--top-k", type=or_default(positive), metavar="K", help="default: the model's own")
    add(
        "--sampling-seed",
        type=or_default(int),
        metavar="N",
        help="sent to the model; default: none is sent",
    )
    add(
        "--thinking",
        type=thinking,
        metavar="HOW",
        help="off, low, medium, high or a number of tokens; default: the model's own",
    )


def add_sound(parser: argparse.ArgumentParser) -> None:
    """Add the flags of how sound is sent to a model behind a server."""
    add = parser.add_argument_group("sound, as it is sent to a model").add_argument
    add(
        "--audio-format",
        choices=("wav", "mp3", "flac", "as-is"),
        help="of every clip; default: whole WAV and MP3 files as they are, all else as WAV",
    )
    add("--audio-rate", type=positive, metavar="HZ", help="resample; default: the file's own")
    add("--audio-mono", action="store_true", help="mix the channels down to one")
    add(
        "--audio-limit",
        type=seconds,
        metavar="S",
        help="how much sound the model takes; a longer clip is an error, and not cut unseen",
    )
    add(
        "--join-clips",
        type=silence,
        nargs="?",
        const=1.0,
        metavar="S",
        help="several clips of a prompt as one, with S seconds of silence between them (1)",
    )


def sound_of(args: argparse.Namespace) -> SoundPolicy:
    """How the flags want sound to be sent."""
    from zhiyin.models.playback import SoundPolicy

    return SoundPolicy(
        args.audio_format, args.audio_rate, args.audio_mono, args.audio_limit, args.join_clips
    )


def order_of(args: argparse.Namespace) -> Order:
    """What the flags ask for."""
    from zhiyin import session
    from zhiyin.cli.clusters import cluster_of
    from zhiyin.cli.spending import limits_of, spending_of
    from zhiyin.errors import InputError
    from zhiyin.record import Sampling
    from zhiyin.session.secret_seed import read_seed
    from zhiyin.session.sharding import read_shard

    options: dict[str, Any] = {
        name: getattr(args, name)
        for name in ("data", "seed", "shots", "extract", "partial", *args.benchmark_flags)
    }
    commitment = ""
    if args.private_seed:
        secret = read_seed(Path(args.private_seed))
        if args.seed:
            raise InputError("--seed and --private-seed do not go together: leave out one of them")
        options["seed"], commitment = secret.seed, secret.commitment
    if args.confirm:  # left out where it is not asked for: earlier runs did not know it
        options["confirm"] = True
    return session.Order(
        benchmark=args.benchmark,
        model=args.model,
        options=options,
        sampling=Sampling(
            temperature=args.temperature,
            max_tokens=args.max_tokens,
            top_p=args.top_p,
            top_k=args.top_k,
            seed=args.sampling_seed,
            thinking=args.thinking,
        ),
        limit=args.limit,
        out=args.out,
        limits=limits_of(args),
        label=" ".join(args.label.split()),
        sound=sound_of(args),
        sample=args.sample,
        score=args.score,
        canary=not args.no_canary,
        spending=spending_of(args),
        shard=read_shard(args.shard) if args.shard else None,
        cluster=None if args.dry_run else cluster_of(args),
        commitment=commitment,
    )


def execute(args: argparse.Namespace) -> int:
    """Run, print the results, return the exit status."""
    from zhiyin import session
    from zhiyin.cli.notifying import notified

    order = order_of(args)
    if args.dry_run:
        from zhiyin.cli.estimate import print_estimate

        print_estimate(asyncio.run(session.estimate(order)), as_json=args.json)
        return 0
    return notified(args.notify, "run", lambda facts: _carry_out(args, order, facts))


def _carry_out(args: argparse.Namespace, order: Order, facts: dict[str, str]) -> int:
    from zhiyin import session
    from zhiyin.cli.display import open_console, print_summary
    from zhiyin.session.progress import Progress, quietly

    watch = quietly if args.quiet or args.json else Progress
    result = asyncio.run(session.carry_out(order, watch))
    if not (result.outcome.asked or result.outcome.stopped):
        _say_of_when(result.folder)
    show = f"zhiyin show {shlex.quote(str(result.folder))}"
    more = f"`{show} --groups all`"
    print_summary([result.summary], as_json=args.json, beside=False, more=more, taken=2)
    if not args.json:
        open_console().say(f"`{show}` {_what_show_adds(result.summary)}")
    facts.update(_facts(result))
    if result.after and not args.json:
        ended, why = result.after.ended
        if ended != "done":
            open_console().say(f"judging {ended}: {why}")
    if result.interrupted:
        return 130
    return 0 if result.ended[0] == "done" else 1


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
    share = "" if whole.accuracy is None else f", {100 * whole.accuracy:.1f} % right"
    usd = summary.cost.usd if summary.cost else None
    return {
        "DIR": str(result.folder),
        "NAME": summary.name,
        "BENCHMARK": summary.benchmark,
        "TRIALS": str(summary.trials),
        "PLANNED": str(summary.planned),
        "ERRORS": str(summary.states["error"]),
        "USD": "" if usd is None else f"{usd:.6g}",
        "MESSAGE": f"{summary.benchmark}, {summary.name}: {summary.how_far}{share}"
        + (f"; {result.outcome.stopped}" if result.outcome.stopped else ""),
    }


def _what_show_adds(summary: Summary) -> str:
    """What `zhiyin show` adds: published rows, where they can be compared with the run."""
    return "sets this beside published results" if summary.published else "prints this again"
