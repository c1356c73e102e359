"""`zhiyin plan`: how many items does a wanted difference need, and what can so many find?"""

from __future__ import annotations

import argparse
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.output import open_console, print_json
from zhiyin.errors import InputError
from zhiyin.words import said

if TYPE_CHECKING:
    from zhiyin.statistics.planning import Plan

HELP = "How many items a wanted difference needs, or what a number of items can find."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument(
        "runs",
        nargs="*",
        metavar="RUN",
        help="two earlier runs, to take the variance of a difference and the clusters from",
    )
    wanted = parser.add_mutually_exclusive_group(required=True)
    wanted.add_argument(
        "--difference", type=float, metavar="POINTS", help="the smallest one worth finding"
    )
    wanted.add_argument("--items", type=int, metavar="N", help="what can so many items find?")
    guess = parser.add_argument_group("without earlier runs")
    guess.add_argument(
        "--accuracy",
        type=float,
        default=50,
        metavar="PERCENT",
        help="mean expected of the two; default 50",
    )
    guess.add_argument(
        "--correlation",
        type=float,
        default=0.5,
        metavar="R",
        help="of the two scores over items; default 0.5, 0 is the worst case",
    )
    guess.add_argument(
        "--cluster-size", type=float, default=1, metavar="M", help="items a track; default 1"
    )
    guess.add_argument(
        "--icc", type=float, default=0.1, metavar="R", help="likeness within a track; default 0.1"
    )
    guess.add_argument(
        "--noise",
        type=float,
        default=0,
        metavar="V",
        help="variance of a model's score on one item, 0 to 0.25; 0 at temperature 0",
    )
    guess.add_argument(
        "--repeats", type=int, default=1, metavar="K", help="how often each item is asked"
    )
    parser.add_argument("--power", type=float, default=0.8, metavar="P", help="default 0.8")
    parser.add_argument("--alpha", type=float, default=0.05, metavar="P", help="default 0.05")
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Plan, print, return the exit status."""
    if args.runs and len(args.runs) != 2:
        given = "1 run" if len(args.runs) == 1 else f"{len(args.runs)} runs"
        raise InputError(f"{given} given: give two to plan from, or none")
    if args.difference is not None and not 0 < args.difference <= 100:
        raise InputError(f"--difference {args.difference:g}: give points above 0, up to 100")
    plan, margin, basis = _from_runs(args) if args.runs else _from_guess(args)
    if args.json:
        print_json({"plan": plan, "margin": margin, "basis": basis})
    else:
        _print(plan, margin, basis)
    return 0


def _plan(
    args: argparse.Namespace,
    variance: float,
    effect: float,
    cluster_size: float,
    *,
    binary: bool,
    **noise: Any,
) -> Plan:
    from zhiyin.statistics.planning import by_its_test, detectable_difference, items_needed

    common = {"design_effect": effect, "power": args.power, "alpha": args.alpha, **noise}
    tested = partial(by_its_test, cluster_size=cluster_size, binary=binary)
    if args.items is not None:
        return tested(detectable_difference(args.items, variance, **common))
    wanted = args.difference / 100
    return tested(items_needed(wanted, variance, **common), wanted)


def _from_runs(args: argparse.Namespace) -> tuple[Plan, float, dict[str, Any]]:
    """The plan, half the width of a single score's interval, and what both are based on."""
    import numpy as np

    from zhiyin.runs.pairing import scores_of
    from zhiyin.statistics.intervals import interval
    from zhiyin.statistics.paired import paired_difference
    from zhiyin.statistics.planning import margin

    scores = scores_of([Path(run) for run in args.runs])
    first, second = scores.values
    difference = paired_difference(first, second, scores.clusters)
    variance = float((first - second).var(ddof=1)) if difference.n > 1 else 0.0
    if variance == 0:
        raise InputError(
            f"{args.runs[0]} and {args.runs[1]} differ on no item: they tell nothing of the "
            "variance; give other runs, or none"
        )
    effect = difference.n * difference.se**2 / variance
    size = difference.n / difference.clusters
    plan = _plan(args, variance, effect, size, binary=bool(np.isin(scores.values, (0, 1)).all()))
    basis = {"runs": args.runs, "items": difference.n, "clusters": difference.clusters}
    # The clusters of one model's scores weigh otherwise than those of the differences.
    score = interval(first, scores.clusters)
    binary = score.mean * (1 - score.mean)
    alone = score.n * score.se**2 / binary if score.se > 0 else score.n / score.clusters
    return plan, margin(plan.n, score.mean, alone), basis


def _from_guess(args: argparse.Namespace) -> tuple[Plan, float, dict[str, Any]]:
    from zhiyin.statistics.planning import design_effect, margin, paired_variance

    accuracy = args.accuracy / 100
    effect = design_effect(args.cluster_size, args.icc)
    between = paired_variance(accuracy, accuracy, args.correlation)
    if not 0 <= args.noise <= 0.25:
        raise InputError(f"--noise {args.noise:g}: the variance of right or wrong is 0 to 0.25")
    noise = {
        **dict.fromkeys(("noise_a", "noise_b"), args.noise),
        **dict.fromkeys(("repeats_a", "repeats_b"), args.repeats),
    }
    binary = args.noise == 0 and args.repeats == 1
    plan = _plan(args, between, effect, args.cluster_size, binary=binary, **noise)
    names = ("accuracy", "correlation", "cluster_size", "icc", "noise", "repeats")
    return plan, margin(plan.n, accuracy, effect), {name: getattr(args, name) for name in names}


def _print(plan: Plan, margin: float, basis: dict[str, Any]) -> None:
    console = open_console(markup=False)
    console.say(
        said(
            "cli-plan", items=plan.n, power=100 * plan.power, alpha=plan.alpha,
            detectable=plan.detectable if plan.detectable <= 1 else None,
        ),
        0,
    )  # fmt: skip
    console.say(said("cli-plan-margin", margin=margin), 0)
    facts = [f"{name.replace('_', ' ')} {_words(value)}" for name, value in basis.items()]
    console.say(
        said("cli-plan-basis", variance=plan.variance, effect=plan.design_effect, facts=facts), 0
    )


def _words(value: Any) -> str:
    return " and ".join(value) if isinstance(value, list) else str(value)
