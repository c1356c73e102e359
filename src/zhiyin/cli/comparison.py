"""Runs against each other: `zhiyin compare`."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec

from zhiyin.cli.flags import read_by
from zhiyin.cli.output import open_console, print_json, print_json_each
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.words import said

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from zhiyin.analysis.comparison import Comparison
    from zhiyin.plugins.lab.gate import AbsentRun, GateFinding
    from zhiyin.plugins.lab.suite.folder import SuiteState

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
