"""The gate: runs or suites held against earlier ones, by `compare` and `suite`."""

from __future__ import annotations

import argparse
import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import msgspec

from zhiyin.cli.functions import read_by
from zhiyin.cli.output import open_console, print_json
from zhiyin.cli.pages import print_comparison
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.words import Said, Text, said
from zhiyin.words.reasons import reason

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from zhiyin.plugins.lab.gate import AbsentRun, GateFinding
    from zhiyin.plugins.lab.suite.baseline import FittedBaseline
    from zhiyin.plugins.lab.suite.folder import SuiteFolder, SuiteState
    from zhiyin.plugins.lab.suite.planning import PlannedRun

    HeldPairs = tuple[dict[str, tuple[Path, Path | AbsentRun]], dict[str, str], dict[str, Text]]

ALLOWED = Flag(alone=0.0, within=msgspec.Meta(ge=0, le=100))
GATE_STATUS = {"open": 0, "failed": 1, "other": 2, "closed": 3}
"""The exit status by what the findings of a gate come to."""

_FEWEST = 0.1
"""Of fewer points than this a share is meant: no run has so many items that it would matter."""


def compare(
    given: argparse.Namespace, *, fail_if_worse: Annotated[float | None, ALLOWED] = None,
    summary: tuple[Path, ...] = (),
) -> int | None:  # fmt: skip
    """Say of suites which benchmarks and skills got worse and better since the first.

    Parameters
    ----------
    fail_if_worse : POINTS
        exit with status 3 where a later run is shown to be worse than the first by more than so
        many points (default 0): where the whole interval of the difference lies below, or where
        trials that the first has verdicts on were not asked; 1 where it is not complete, 2 where
        they cannot be compared; several share --alpha (docs/how-to/ci.md). Of the groups that
        --family names none may fall, in place of skills. Goes after the runs
    summary : FILE
        write what --fail-if-worse found for a page of continuous integration: JUnit XML (.xml) or
        Markdown (.md); several
    """
    from zhiyin.analysis.compare import compare_all
    from zhiyin.contract.resolved import run_names
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.lab.suite.baseline import unsound
    from zhiyin.plugins.lab.suite.folder import is_suite

    runs, gated = given.runs, fail_if_worse is not None
    suites = len(given.places) > 1 and all(map(is_suite, given.places))
    if summary and not gated:
        raise InputError(said("gate-summary"))
    if not (gated or suites):
        return None
    if len(given.places) == 1:
        raise InputError(said("gate-two", folder=str(given.places[0])))
    if not given.score:
        check_points(fail_if_worse)
    check_summaries(summary)
    points = fail_if_worse or 0.0
    with summary_of_faults(summary):
        if not suites and (why := unsound(runs[0])):
            raise InputError(said("base-refused", baseline=str(runs[0]), each=[why]))
        read_by(given.benchmark_file, runs)
        if suites:
            pairs, together, unheld = nights_held(*given.places, gated=gated)
        else:
            old, *others = runs
            names = run_names(runs, [read_manifest(run) for run in runs])[1:]
            pairs = {name: (old, run) for name, run in zip(names, others, strict=True)}
            together, unheld = None, {}
        findings = hold(
            pairs, points, summary, families=given.family, together=together,
            measure=given.score, alpha=given.alpha, unheld=unheld,
        )  # fmt: skip
        told = gate_payload(findings)
        if suites:
            if given.json:
                print_json(told if gated else {"changes": told["gate"]})
            return close_gate(findings, json=given.json, gated=gated, nights=given.places)
        comparisons = []
        if all(one.state != "other" for one in findings):
            # Later runs stand before the first: each difference is now minus before.
            comparisons = compare_all(
                (*runs[1:], runs[0]), measure=given.score, families=given.family,
                alpha=given.alpha, seed=given.seed, both=given.json,
            )  # fmt: skip
    if given.json:
        print_json({**told, "judges": comparisons})
    else:
        for one in comparisons:
            print_comparison(one, whole=given.all_ or given.groups == "all", declared=given.family)
    return close_gate(findings, json=given.json)


def check_points(points: float | None) -> None:
    """Raise `InputError` where a share seems to be meant, of which a gate takes hundredths."""
    if points and points < _FEWEST:
        raise InputError(said("gate-points", points=f"{points:g}", meant=f"{100 * points:g}"))


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
    except BrokenPipeError:  # of who reads the terminal: what was found stands
        raise
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
    measure: str | None = None, alpha: float = 0.05, unheld: Mapping[str, Text] = {},
    since: str = "",
) -> list[GateFinding]:  # fmt: skip
    """Apply the gate to pairs of runs, and write its findings into files where some are named."""
    from zhiyin.plugins.lab.gate import gate
    from zhiyin.plugins.lab.gate_summary import parts_held, write_summary

    findings = gate(pairs, points, measure=measure, alpha=alpha, unheld=unheld, since=since)
    findings += parts_held(
        pairs, findings, points, families=families, together=together, measure=measure, alpha=alpha
    )
    for file in files:
        write_summary(findings, file)
    return findings


def suite_pairs(
    baseline: Path, folder: Path, state: SuiteState | None = None,
    configs: Mapping[str, Mapping[str, Any]] | None = None, *, gated: bool = True,
) -> HeldPairs:  # fmt: skip
    """The runs of two suites that belong together, which of them show a model's skills, and which
    are not held.

    `configs`: the settings as they were planned, by default as asked. A run that nobody answered,
    or that is gone, is an `AbsentRun` with the reason. `gated`: raise `InputError` where a run has
    no sound partner, as `FittedBaseline.refuse` does; else it is not held, and only that.
    """
    from zhiyin.contract.resolved import resolved
    from zhiyin.engine.folder import read_manifest, without_parts
    from zhiyin.plugins.lab.gate import AbsentRun
    from zhiyin.plugins.lab.suite.baseline import fit_baseline
    from zhiyin.plugins.lab.suite.folder import LEFT_OUT, OVER, answered, read_state

    before, now = read_state(baseline), state or read_state(folder)
    here = {place.name: place for place in answered(folder, now)}
    if configs is None:
        configs = {n: without_parts(resolved(read_manifest(own))) for n, own in here.items()}
    left = {run.name: reason(run.told) for run in now.runs if run.state in LEFT_OUT}
    fitted = fit_baseline(baseline, now.runs, configs, left)
    if gated:
        fitted.refuse(baseline)
    told = {
        run.name: AbsentRun(run.told, run.state not in OVER, run.state == "planned")
        for run in now.runs
    }
    pairs: dict[str, tuple[Path, Path | AbsentRun]] = {
        key: (old, here.get(name) or told.get(name) or AbsentRun())
        for key, (old, name) in fitted.pairs.items()
    }
    several = len({run.condition for run in before.runs}) > 1
    alone = all(len({run.model for run in each.runs}) == 1 for each in (before, now))
    runs = {run.name: run for run in before.runs}
    asked = {name: runs[old.name] for name, (old, _) in pairs.items()}
    together = {
        name: ", ".join((*([] if alone else [run.model]), *([run.condition] if several else [])))
        for name, run in asked.items()
    }
    held = {name for _, name in fitted.pairs.values()}
    faults = {name: why for name, why in fitted.faults.items() if name not in held}
    return pairs, together, fitted.unheld | faults


def nights_held(first: Path, *later: Path, gated: bool = False) -> HeldPairs:
    """The runs of later suites with those of the first: see `suite_pairs`.

    With several each name has the folder of its suite.
    """
    every: HeldPairs = {}, {}, {}
    for folder in later:
        apart = f" ({folder.name})" if len(later) > 1 else ""
        pairs, together, unheld = suite_pairs(first, folder, gated=gated)
        every[0].update({f"{name}{apart}": own for name, own in pairs.items()})
        for name, own in together.items():
            every[1][f"{name}{apart}"] = f"{own}{apart}" if own or not apart else folder.name
        every[2].update({f"{name}{apart}": why for name, why in unheld.items()})
    return every


def gate_planned(
    fitted: FittedBaseline, rows: Sequence[PlannedRun], points: float, folder: SuiteFolder,
    since: str,
) -> tuple[dict[str, Said], list[Said]]:  # fmt: skip
    """What a gate could show of planned runs: the smallest fall of each, by name; and what it will
    not pass, or not hold.

    Two answers to an item are taken to correlate by 0.5, as `zhiyin plan` does: the difference has
    the standard error of the baseline's own figure.
    """
    from zhiyin.analysis.compare import two_runs
    from zhiyin.analysis.coverage import coverage_of
    from zhiyin.analysis.pairs import shared_items
    from zhiyin.contract.resolved import resolved
    from zhiyin.engine.folder import read_manifest
    from zhiyin.plugins.lab.gate import at_guessing, last_asked, otherwise
    from zhiyin.plugins.lab.gate_fall import can_close, held
    from zhiyin.runs.estimates import estimate
    from zhiyin.runs.rows import rows_of
    from zhiyin.statistics.intervals import normal_quantile

    told = [
        said("plan-held", state="unheld", name=name, why=why) for name, why in fitted.unheld.items()
    ]
    pairs = fitted.pairs
    level, seen, planned = 1 - 0.05 / len(pairs), {}, {row.cell.name: row for row in rows}
    guessing: list[str] = []
    for key, (run, name) in pairs.items():
        manifest, row = read_manifest(run), planned.get(name)
        state = why = None
        if row is None:
            state = "alone"
        elif row.config and (why := otherwise(resolved(manifest), row.config)):
            state = "other"
        elif row.done and last_asked(read_manifest(folder.run(name)).sessions, since)[1]:
            state = "stale"
        if row is None or state:
            told.append(said("plan-held", state=state, name=name or key, why=why))
            continue
        sample, _, measure = two_runs(run, run)
        if not can_close(shared_items(sample, sample, measure), measure, level, points / 100):
            told.append(said("plan-held", state="unheld", name=name, why=said("gate-few-right")))
        if at_guessing(run, measure.name):
            guessing.append(name)
        unit, found, fall = measure.unit, estimate(rows_of(run), measure), None
        if found.se is not None and found.clusters and found.value is not None:
            ends = 0.0, -(half := normal_quantile(level) * found.se), half
            fall = held(ends, found.clusters, found.value, level, points, measure)["detectable"]
        seen[name] = said("plan-fall", fall=fall, unit=unit)
        of = coverage_of(run, manifest).judged
        if row.estimate and (n := row.estimate.planned) < of:
            told.append(said("plan-fewer", name=name, n=n, of=of))
    if guessing:
        told.append(said("check-of", who=guessing, text=said("gate-guessing")))
    return seen, told


def gate_payload(findings: Sequence[GateFinding], status: int | None = None) -> dict[str, Any]:
    """The findings for programs, with the verdict on the whole and the exit status."""
    from zhiyin.plugins.lab.gate import gate_end
    from zhiyin.plugins.lab.gate_summary import gate_table

    end = gate_end(findings)
    return {
        "gate": [one.in_english() for one in findings],
        "verdict": {"kind": end, "text": str(gate_table(findings).title)},
        "exit": GATE_STATUS[end] if status is None else status,
    }


def close_gate(
    findings: Sequence[GateFinding], *, json: bool = False, gated: bool = True,
    nights: Sequence[Path] = (),
) -> int:  # fmt: skip
    """Print what the gate found; the exit status (docs/how-to/ci.md), 0 where none is `gated`.

    `nights`: the suites that were held, the first one's is "before".
    """
    from zhiyin.plugins.lab.gate import gate_end
    from zhiyin.plugins.lab.gate_summary import gate_table

    if not json:
        console = open_console(markup=False)
        console.print_table(gate_table(findings, gated=gated, nights=nights), "--json")
    return GATE_STATUS[gate_end(findings)] if gated else 0
