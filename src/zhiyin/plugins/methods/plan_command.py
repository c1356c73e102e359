"""`zhiyin plan`: how many items a difference needs; a plan registered.

`zhiyin exam`: few questions, those that tell most.
"""

from __future__ import annotations

import argparse
import asyncio
import math
import shlex
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.cli.functions import ONE_OF
from zhiyin.cli.output import open_console, print_json
from zhiyin.cli.run import order_of, prepare_run, rewrite_run, run
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.words import Said, said

if TYPE_CHECKING:
    from zhiyin.cli.parser import Parser
    from zhiyin.plugins.methods.planning import ComparisonPlan, PairApart


class PlanGoal(msgspec.Struct, frozen=True):
    """The goal of a plan: one of the three.

    Attributes
    ----------
    difference : POINTS
        the smallest one worth finding
    items : N
        what can so many items find?
    register : PLAN.toml
        hypotheses and how they are to be tested, to be kept with date and hash before any run
    """

    difference: Annotated[float | None, Flag(within=msgspec.Meta(gt=0, le=100))] = None
    items: Annotated[int | None, Flag()] = None
    register: Annotated[str | None, Flag()] = None


class PlanGuess(msgspec.Struct, frozen=True):
    """Guesses in place of two earlier runs: `accuracy` in per cent, `noise` as a variance.

    Attributes
    ----------
    accuracy : PERCENT
        mean expected of the two
    correlation : R
        of the two scores over items; 0 is the worst case, and two far apart leave less than 1
    cluster_size : M
        items a track
    icc : R
        likeness within a track
    noise : V
        variance of a model's score on one item, 0 to 0.25; 0 at temperature 0
    repeats : K
        how often each item is asked
    """

    accuracy: Annotated[float, Flag()] = 50
    correlation: Annotated[float, Flag()] = 0.5
    cluster_size: Annotated[float, Flag()] = 1
    icc: Annotated[float, Flag()] = 0.1
    noise: Annotated[float, Flag(within=msgspec.Meta(ge=0, le=0.25))] = 0
    repeats: Annotated[int, Flag()] = 1


class PlanRuns(msgspec.Struct, frozen=True):
    """Facts of two earlier runs: the items and clusters that both hold."""

    runs: list[str]
    items: int
    clusters: int


class PlanTest(msgspec.Struct, frozen=True):
    """Settings for the test of the difference.

    Attributes
    ----------
    power : P
        to find it
    alpha : P
        of the test
    """

    power: Annotated[float, Flag()] = 0.8
    alpha: Annotated[float, Flag()] = 0.05


def plan(
    runs: tuple[Path, ...] = (),
    *,
    goal: Annotated[PlanGoal, ONE_OF] = PlanGoal(),
    guess: Annotated[PlanGuess, "without earlier runs"] = PlanGuess(),
    test: PlanTest = PlanTest(),
    out: Path | None = None,
    json: bool = False,
) -> int:
    """Find how many items a wanted difference needs, or what a number of items can find.

    With --register: register a plan before the run (docs/how-to/plan.md).

    Parameters
    ----------
    runs : RUN
        two earlier runs, to take the variance of a difference and the clusters from
    out : FILE
        with --register: the file to write; by default PLAN.plan.json beside it
    """
    if goal.register:
        return _register(goal.register, out, runs, as_json=json)
    if runs and len(runs) != 2:
        given = "1 run" if len(runs) == 1 else f"{len(runs)} runs"
        raise InputError(said("plan-runs", given=given))
    made = _from_runs([*runs], goal, test) if runs else _from_guess(guess, goal, test)
    if json:
        print_json(dict(zip(("plan", "margin", "basis"), made, strict=True)))
    else:
        _print_plan(*made)
    return 0


def _register(place: str, out: Path | None, runs: tuple[Path, ...], *, as_json: bool) -> int:
    """Register a plan, and say how its runs are made."""
    from zhiyin.cli.parser import Parser
    from zhiyin.plugins.methods.plan import read_plan
    from zhiyin.plugins.methods.planned import register, registered_name, write_registered

    if runs:
        raise InputError(said("plan-register-runs"))
    written = read_plan(Path(place))
    file = out or registered_name(Path(place))
    orders, commands = {}, []
    for model in written.models:
        words = rewrite_run(written.words(model))
        parser = Parser(prog=f"{place}: zhiyin run", allow_abbrev=False)
        prepare_run(parser, words)
        orders[model] = order_of(parser.parse_args(words))
        commands.append(shlex.join(["zhiyin", "run", *written.words(model), "--plan", str(file)]))
    doubts: list[Said] = []
    made = asyncio.run(register(written, orders, doubts.append))
    write_registered(made, file)
    if as_json:
        print_json(
            {"file": str(file), "sha256": made.sha256, "at": made.at, "items": made.items,
             "data": made.data, "commands": commands, "notes": [str(one) for one in doubts]}
        )  # fmt: skip
        return 0
    console = open_console(markup=False)
    console.say(said("plan-registered", file=str(file), at=made.at[:10], items=made.items), 0)
    console.say(said("plan-hash", sha=made.sha256), 0)
    console.say_all(doubts, 2)
    for command in commands:
        console.say(command, 2)
    return 0


def _plan(
    goal: PlanGoal,
    test: PlanTest,
    pair: Callable[[float], PairApart],
    effect: float,
    cluster_size: float,
    *,
    binary: bool,
    **noise: Any,
) -> ComparisonPlan:
    """The plan, where `pair` tells how two models answer that are so far apart."""
    from zhiyin.plugins.methods.planning import (
        by_its_test,
        detectable_difference,
        items_needed,
        smallest_found,
    )

    common = {"design_effect": effect, "power": test.power, "alpha": test.alpha, **noise}
    items = goal.items

    def found(apart: float) -> ComparisonPlan:
        two = pair(apart)
        discordant = two.discordant if binary else None
        tested = partial(by_its_test, cluster_size=cluster_size, discordant=discordant)
        if items is None:
            return tested(items_needed(apart, two.variance, **common), apart)
        return tested(detectable_difference(items, two.variance, **common))

    if items is not None:
        return smallest_found(found)
    assert goal.difference is not None
    return found(goal.difference / 100)


def _from_runs(
    runs: list[Path], goal: PlanGoal, test: PlanTest
) -> tuple[ComparisonPlan, float, PlanRuns | PlanGuess]:
    """The plan, half the width of a single score's interval, and what both are based on."""
    import numpy as np

    from zhiyin.analysis.compare import two_runs
    from zhiyin.analysis.pairs import shared_items
    from zhiyin.plugins.methods.planning import PairApart, margin
    from zhiyin.statistics.intervals import interval
    from zhiyin.statistics.paired import paired_difference

    both = shared_items(*two_runs(runs[0], runs[1]))
    first, second, clusters = both.first[:, 0], both.second[:, 0], both.clusters
    difference = paired_difference(first, second, clusters)
    variance = float((first - second).var(ddof=1)) if difference.n > 1 else 0.0
    if variance == 0:
        raise InputError(said("plan-same", runs=runs[0], runsb=runs[1]))
    effect = difference.n * difference.se**2 / variance
    size = difference.n / difference.clusters
    binary = bool(np.isin([first, second], (0, 1)).all())
    two = PairApart(variance, float((first != second).mean()), math.nan)
    plan = _plan(goal, test, lambda _: two, effect, size, binary=binary)
    basis = PlanRuns([*map(str, runs)], difference.n, difference.clusters)
    # The clusters of one model's scores weigh otherwise than those of the differences.
    score = interval(first, clusters)
    plain = score.mean * (1 - score.mean)
    alone = score.n * score.se**2 / plain if score.se > 0 else score.n / score.clusters
    return plan, margin(plan.n, score.mean, alone), basis


def _from_guess(
    guess: PlanGuess, goal: PlanGoal, test: PlanTest
) -> tuple[ComparisonPlan, float, PlanRuns | PlanGuess]:
    from zhiyin.plugins.methods.planning import design_effect, margin, pair_apart

    accuracy = guess.accuracy / 100
    effect = design_effect(guess.cluster_size, guess.icc)
    pair = partial(pair_apart, accuracy, correlation=guess.correlation)
    noise = {
        **dict.fromkeys(("noise_a", "noise_b"), guess.noise),
        **dict.fromkeys(("repeats_a", "repeats_b"), guess.repeats),
    }
    binary = guess.noise == 0 and guess.repeats == 1
    plan = _plan(goal, test, pair, effect, guess.cluster_size, binary=binary, **noise)
    apart = plan.detectable if goal.difference is None else goal.difference / 100
    if apart <= 1:
        guess = msgspec.structs.replace(guess, correlation=round(pair(apart).correlation, 9))
    return plan, margin(plan.n, accuracy, effect), guess


def _print_plan(plan: ComparisonPlan, margin: float, basis: PlanRuns | PlanGuess) -> None:
    console = open_console(markup=False)
    console.say(
        said(
            "cli-plan", items=plan.n, power=100 * plan.power, alpha=plan.alpha,
            detectable=plan.detectable if plan.detectable <= 1 else None,
        ),
        0,
    )  # fmt: skip
    console.say(said("cli-plan-margin", margin=margin), 0)
    told = msgspec.structs.asdict(basis).items()
    facts = [
        said("cli-plan-guess", name=name, plain=name.replace("_", " "), value=_words(value))
        for name, value in told
    ]
    console.say(
        said("cli-plan-basis", variance=plan.variance, effect=plan.design_effect, facts=facts), 0
    )


def _words(value: Any) -> str:
    return " and ".join(value) if isinstance(value, list) else str(value)


def rewrite_exam(arguments: Sequence[str]) -> list[str]:
    """`exam BENCHMARK` is `run adaptive --of BENCHMARK`; a file is the data of its questions."""
    if not any(word.startswith(("-m", "--mod", "-h", "--h")) for word in arguments):
        raise InputError(said("exam-no-model"))
    from zhiyin.contract.arguments import file_as_data

    of = ["--of"] if arguments and not arguments[0].startswith("-") else []
    return ["adaptive", *of, *(file_as_data(arguments) if of else arguments)]


def prepare_exam(parser: Parser, arguments: Sequence[str]) -> None:
    """Add the flags of `run`."""
    prepare_run(parser, arguments)
    parser.help_at = parser.prog


def exam(args: argparse.Namespace) -> int:
    """Examine a model on few questions of a benchmark, those that tell most, one after another."""
    return run(args)
