"""Runs against each other: `zhiyin compare`, and how many items a difference needs: `plan`."""

from __future__ import annotations

import contextlib
import math
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from zhiyin.cli.flags import ONE_OF, read_by
from zhiyin.cli.output import open_console, print_json, print_json_each
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.words import said

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from zhiyin.analysis.comparison import Comparison
    from zhiyin.plugins.lab.gate import AbsentRun, GateFinding
    from zhiyin.plugins.lab.suite.folder import SuiteState
    from zhiyin.statistics.planning import ComparisonPlan, PairApart
    from zhiyin.words import Said

ALLOWED = Flag(alone=0.0, within=msgspec.Meta(ge=0, le=100))


def compare(
    runs: tuple[Path, ...],
    *,
    family: tuple[str, ...] = (),
    score: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    groups: Literal["top", "all"] = "top",
    all_: bool = False,
    fail_if_worse: Annotated[float | None, ALLOWED] = None,
    summary: tuple[Path, ...] = (),
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Compare runs item by item: differences with intervals and tests, and a ranking.

    Of two suites it says which benchmarks and skills got worse and better.

    Parameters
    ----------
    family : GROUP[,GROUP]
        groups whose tests were declared beforehand, such as 'theory/*' (Holm's correction over
        them; may be repeated). Other groups are exploratory. With --fail-if-worse none of these
        groups may fall, in place of skills
    score : NAME
        a named score in place of accuracy
    alpha : P
        level of significance
    seed
        of the sign-flip test
    groups
        top: in short; all: every group of every pair, and the legend
    all_
        the same as --groups all
    fail_if_worse : POINTS
        exit with status 3 where a later run is shown to be worse than the first by more than so
        many points (default 0): where the whole interval of the difference lies below, or where
        trials that the first has verdicts on were not asked; 1 where it is not complete, 2 where
        they cannot be compared; several share --alpha (docs/how-to/ci.md). Goes after the runs
    summary : FILE
        write what --fail-if-worse found for a page of continuous integration: JUnit XML (.xml) or
        Markdown (.md); several
    """
    from zhiyin.analysis.compare import compare_all
    from zhiyin.contract.resolved import run_names
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.lab.suite.folder import is_suite

    if summary and fail_if_worse is None:
        raise InputError("--summary goes with --fail-if-worse: it says what that found")
    check_summaries(summary)
    read_by(benchmark_file, runs)
    gated = fail_if_worse is not None
    with summary_of_faults(summary):
        if len(runs) == 2 and all(map(is_suite, runs)):
            pairs, together = suite_pairs(*runs)
            changes = hold(
                pairs, fail_if_worse or 0.0, summary, families=family, together=together,
                measure=score, alpha=alpha,
            )  # fmt: skip
            if json:
                print_json({"gate" if gated else "changes": [f.in_english() for f in changes]})
            return close_gate(changes, json=json, gated=gated)
        findings = None
        if fail_if_worse is not None:
            old, *others = runs
            names = run_names(runs, [read_manifest(run) for run in runs])[1:]
            pairs = {name: (old, run) for name, run in zip(names, others, strict=True)}
            findings = hold(
                pairs, fail_if_worse, summary, families=family, measure=score, alpha=alpha
            )
        # Held against the first, later runs stand before it: each difference has one sign.
        ordered = (*runs[1:], runs[0]) if gated else runs
        comparisons = []
        if findings is None or all(one.state != "other" for one in findings):
            comparisons = compare_all(
                ordered, measure=score, families=family, alpha=alpha, seed=seed, both=json
            )
    if json and findings is not None:
        print_json({"gate": [one.in_english() for one in findings], "judges": comparisons})
    elif json:
        print_json_each(comparisons, "judges")
    else:
        for one in comparisons:
            # Below a gate each difference has its sign, which is now minus before.
            shown = one if gated else one.better_first()
            _print_comparison(shown, all_ or groups == "all")
    return close_gate(findings, json=json)


def check_summaries(files: Sequence[Path]) -> None:
    """Raise `InputError` where what a gate finds cannot be written into a file."""
    from zhiyin.plugins.lab.gate_summary import check_summary

    for file in files:
        check_summary(file)


@contextlib.contextmanager
def summary_of_faults(files: Sequence[Path]) -> Iterator[None]:
    """Write what ends a command into the files, in the place of what a gate would have found."""
    try:
        yield
    except (InputError, OSError, MemoryError, KeyboardInterrupt) as error:
        write_fault(str(error) or "interrupted", files)
        raise


def write_fault(why: str, files: Sequence[Path]) -> None:
    """Write into files why nothing was compared, as far as they can be written."""
    from zhiyin.plugins.lab.gate_summary import write_summary

    for file in files:
        with contextlib.suppress(InputError):
            write_summary(" ".join(why.split()), file)


def hold(
    pairs: Mapping[str, tuple[Path, Path | AbsentRun]], points: float, files: Sequence[Path],
    *, families: Sequence[str] = (), together: Mapping[str, str] | None = None,
    measure: str | None = None, alpha: float = 0.05,
) -> list[GateFinding]:  # fmt: skip
    """What the gate finds in pairs of runs, written into files where some are named."""
    from zhiyin.plugins.lab.gate import gate
    from zhiyin.plugins.lab.gate_parts import parts_held

    findings = gate(pairs, points, measure=measure, alpha=alpha)
    findings += parts_held(
        pairs, findings, points, families=families, together=together, measure=measure, alpha=alpha
    )
    if files:
        from zhiyin.plugins.lab.gate_summary import write_summary

        for file in files:
            write_summary(findings, file)
    return findings


def suite_pairs(
    baseline: Path, folder: Path, state: SuiteState | None = None
) -> tuple[dict[str, tuple[Path, Path | AbsentRun]], dict[str, str]]:
    """The runs of two suites that belong together, and which of them show a model's skills."""
    from zhiyin.plugins.lab.suite.folder import read_state
    from zhiyin.plugins.lab.suite.results import baseline_pairs

    before, now = read_state(baseline), state or read_state(folder)
    several = len({run.condition for run in before.runs}) > 1
    pairs = baseline_pairs(baseline, folder, now, models=state is None)
    runs = {run.name: run for run in before.runs}
    asked = {name: runs[old.name] for name, (old, _) in pairs.items()}
    together = {
        name: ", ".join((run.model if name == run.name else now.runs[0].model,
                         *([run.condition] if several else [])))
        for name, run in asked.items()
    }  # fmt: skip
    return pairs, together


def close_gate(
    findings: Sequence[GateFinding] | None, *, json: bool = False, gated: bool = True
) -> int:
    """Print what the gate found; the exit status (docs/how-to/ci.md), 0 where none is `gated`."""
    from zhiyin.plugins.lab.gate import gate_end, gate_table

    if findings is None:
        return 0
    if not json:
        console = open_console(markup=False)
        console.print()
        console.print_table(gate_table(findings, gated=gated), "--json")
    return GATE_STATUS[gate_end(findings)] if gated else 0


GATE_STATUS = {"open": 0, "failed": 1, "other": 2, "closed": 3}
"""The exit status by what the findings of a gate come to."""
_WARNINGS = 4


def _print_comparison(comparison: Comparison, whole: bool) -> None:
    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        console.say(comparison.title, 0)
        for setting, values in comparison.settings.items():
            if setting == "model_data":  # what a model is made of is no setting of what was asked
                continue
            each = "; ".join(f"{name}: {_short(value)}" for name, value in values.items())
            console.say(said("cli-differs", setting=setting, each=each))
        stops = sum(one.severity == "stop" for one in comparison.warnings)
        console.say_all(
            comparison.warnings, 2, said("cli-warning"), "yellow",
            None if whole else max(stops, _WARNINGS), more,
        )  # fmt: skip
        for table in comparison.tables(whole=whole):
            if not table.title:
                console.print()
            console.print_table(table, more)
        if whole:
            console.print()
        if sentence := comparison.sentence():
            console.say(sentence, 0)
        console.say(comparison.key(whole=whole), 0)
        if not whole:
            console.say_command(said("cli-every-group"), more, 0, style="")


def _short(value: Any) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"


class PlanGoal(msgspec.Struct, frozen=True):
    """What is planned for: one of the three.

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
    """What two earlier runs would tell: `accuracy` in per cent, `noise` as a variance.

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
    """What two earlier runs tell: the items and clusters that both hold."""

    runs: list[str]
    items: int
    clusters: int


class PlanTest(msgspec.Struct, frozen=True):
    """How the difference is to be tested.

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
    runs: tuple[str, ...] = (),
    *,
    goal: Annotated[PlanGoal, ONE_OF] = PlanGoal(),
    guess: Annotated[PlanGuess, "without earlier runs"] = PlanGuess(),
    test: PlanTest = PlanTest(),
    out: Path | None = None,
    json: bool = False,
) -> int:
    """How many items a wanted difference needs, or what a number of items can find.

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
        raise InputError(f"{given} given: give two to plan from, or none")
    made = _from_runs([*runs], goal, test) if runs else _from_guess(guess, goal, test)
    if json:
        print_json(dict(zip(("plan", "margin", "basis"), made, strict=True)))
    else:
        _print_plan(*made)
    return 0


def _register(place: str, out: Path | None, runs: tuple[str, ...], *, as_json: bool) -> int:
    """Register a plan, and say how its runs are made."""
    import asyncio
    import shlex

    from zhiyin.cli import Parser
    from zhiyin.cli.run import order_of, prepare_run, rewrite_run
    from zhiyin.plugins.methods.plan import read_plan
    from zhiyin.plugins.methods.planned import register, registered_name, write_registered

    if runs:
        raise InputError("--register takes no runs: a plan is there before them")
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
    from zhiyin.statistics.planning import (
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
    runs: list[str], goal: PlanGoal, test: PlanTest
) -> tuple[ComparisonPlan, float, PlanRuns | PlanGuess]:
    """The plan, half the width of a single score's interval, and what both are based on."""
    import numpy as np

    from zhiyin.analysis.compare import two_runs
    from zhiyin.analysis.pairs import shared_items
    from zhiyin.statistics.intervals import interval
    from zhiyin.statistics.paired import paired_difference
    from zhiyin.statistics.planning import PairApart, margin

    both = shared_items(*two_runs(Path(runs[0]), Path(runs[1])))
    first, second, clusters = both.first[:, 0], both.second[:, 0], both.clusters
    difference = paired_difference(first, second, clusters)
    variance = float((first - second).var(ddof=1)) if difference.n > 1 else 0.0
    if variance == 0:
        raise InputError(
            f"{runs[0]} and {runs[1]} differ on no item: they tell nothing of the "
            "variance; give other runs, or none"
        )
    effect = difference.n * difference.se**2 / variance
    size = difference.n / difference.clusters
    binary = bool(np.isin([first, second], (0, 1)).all())
    two = PairApart(variance, float((first != second).mean()), math.nan)
    plan = _plan(goal, test, lambda _: two, effect, size, binary=binary)
    basis = PlanRuns(runs, difference.n, difference.clusters)
    # The clusters of one model's scores weigh otherwise than those of the differences.
    score = interval(first, clusters)
    plain = score.mean * (1 - score.mean)
    alone = score.n * score.se**2 / plain if score.se > 0 else score.n / score.clusters
    return plan, margin(plan.n, score.mean, alone), basis


def _from_guess(
    guess: PlanGuess, goal: PlanGoal, test: PlanTest
) -> tuple[ComparisonPlan, float, PlanRuns | PlanGuess]:
    from zhiyin.statistics.planning import design_effect, margin, pair_apart

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
    facts = [f"{name.replace('_', ' ')} {_words(value)}" for name, value in told]
    console.say(
        said("cli-plan-basis", variance=plan.variance, effect=plan.design_effect, facts=facts), 0
    )


def _words(value: Any) -> str:
    return " and ".join(value) if isinstance(value, list) else str(value)
