"""Runs against each other: `zhiyin compare`."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from zhiyin.cli.flags import read_by
from zhiyin.cli.output import open_console, print_json_each
from zhiyin.words import Text, said

if TYPE_CHECKING:
    from zhiyin.analysis.comparison import Comparison


def compare(
    runs: tuple[Path, ...],
    *,
    family: tuple[str, ...] = (),
    score: str | None = None,
    alpha: float = 0.05,
    seed: int = 0,
    groups: Literal["top", "all"] = "top",
    all_: bool = False,
    benchmark_file: str | None = None,
    json: bool = False,
) -> int:
    """Compare runs item by item: differences with intervals and tests, and a ranking.

    Parameters
    ----------
    family : GROUP[,GROUP]
        groups whose tests were declared beforehand, such as 'theory/*' (Holm's correction over
        them; may be repeated). Other groups are exploratory
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
    """
    from zhiyin.analysis.compare import compare_all

    read_by(benchmark_file, runs)
    comparisons = compare_all(
        runs, measure=score, families=family, alpha=alpha, seed=seed, both=json
    )
    if json:
        print_json_each(comparisons, "judges")
    else:
        for one in comparisons:
            print_comparison(one.better_first(), whole=all_ or groups == "all")
    return 0


_WARNINGS = 4


def print_comparison(comparison: Comparison, *, whole: bool) -> None:
    """Print differences and a ranking; not `whole`: in short."""
    console = open_console(markup=False)
    more = "" if whole else "--groups all"
    with console.paged():
        console.say(comparison.title, 0)
        for setting, values in comparison.settings.items():
            if setting == "model_data":  # what a model is made of is no setting of what was asked
                continue
            each = [said("of-run", who=name, what=_short(value)) for name, value in values.items()]
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


def _short(value: Any) -> Text:
    if value is None:
        return said("cli-unset")
    text = str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"
