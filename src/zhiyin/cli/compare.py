"""`zhiyin compare RUN RUN...`: who is better at what, and how sure is that?"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.brief import top_groups
from zhiyin.cli.display import indented
from zhiyin.cli.screen import Part, Screen, named_table, sentences, table_of
from zhiyin.cli.sharing import add_groups
from zhiyin.cli.tables import print_table
from zhiyin.shown.terminal import shortened, shortened_pair
from zhiyin.numerals import p_value, percent

if TYPE_CHECKING:
    from collections.abc import Mapping

    from rich.table import Table

    from zhiyin.analysis.comparison import Comparison, GroupDifference, Pair
    from zhiyin.shown.terminal import Terminal

HELP = "Compare runs item by item: differences with intervals and tests, and a ranking."


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the flags."""
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument(
        "--family",
        action="append",
        default=[],
        metavar="GROUP[,GROUP]",
        help="groups whose tests were declared beforehand, such as 'theory/*' (Holm's "
        "correction over them; may be repeated). Other groups are exploratory",
    )
    parser.add_argument("--score", metavar="NAME", help="a named score in place of accuracy")
    parser.add_argument(
        "--alpha", type=float, default=0.05, metavar="P", help="level of significance; default 0.05"
    )
    parser.add_argument("--seed", type=int, default=0, metavar="N", help="of the sign-flip test")
    add_groups(parser, "top: one screen (default); all: every group of every pair, and the legend")
    parser.add_argument(
        "--all", action="store_const", const="all", dest="groups", help="the same as --groups all"
    )
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Compare, print, return the exit status."""
    from zhiyin.analysis.compare import compare
    from zhiyin.analysis.compare_parts import compare_parts
    from zhiyin.cli.display import print_json_each, titles_of

    runs = [Path(run) for run in args.runs]
    settings: dict[str, Any] = {"families": args.family, "alpha": args.alpha, "seed": args.seed}
    judged = [] if args.score else compare_parts(runs, **settings)
    comparisons = judged or [compare(runs, measure=args.score, **settings)]
    if args.json:
        print_json_each(comparisons, "judges")
    else:
        for one in comparisons:
            _print(one, args.groups == "all", titles_of(args.runs[0]))
    return 0


_LEGEND = (
    "Scores in %, differences and MDE in points, first minus second. p: exact McNemar test, or (*) "
    "sign-flip test over whole clusters; corrected by Holm over pairs for the whole and within a "
    "declared family (†), by Benjamini and Hochberg over all other groups, which are exploratory. "
    "?: not resolved, which is not equal; MDE is the smallest true difference that would be found "
    "with 80 % power."
)
_AGAINST = " vs "
_SHORTEST = 8
"""Letters of a run's name in the column "better"."""
_BRIEFLY = (
    "In points, first minus second; p corrected; ?: not resolved, which is not equal. Every group "
    "and what the columns mean: --groups all"
)


def _print(comparison: Comparison, whole: bool, titles: Mapping[str, str]) -> None:
    from zhiyin.shown.terminal import Terminal

    screen = Screen(Terminal(markup=False))
    screen.add(lambda console: console.say(_about(comparison), 0))
    differs = [
        f"differs: {setting} "
        f"({'; '.join(f'{name}: {_short(value)}' for name, value in values.items())})"
        for setting, values in comparison.settings.items()
    ]
    screen.add(*sentences(differs, (3, 1), rest="more settings differ"), rank=(2, 4))
    warned = sentences(
        [one.text for one in comparison.warnings],
        (4, 2, 1),
        label="warning",
        style="yellow",
        rest="more warnings",
    )
    screen.add(*warned, rank=(3, 5, 7))
    if len(comparison.runs) > 2:
        counts = (None, 15, 10, 6)
        screen.add(
            *table_of(lambda rows: _ranking_table(comparison, rows), counts), rank=(5.5, 6.5, 9)
        )
        screen.add(
            _line(f"runs that share a letter are not told apart (Holm, {comparison.alpha:g})")
        )
    _add_pairs(screen, comparison, titles, None if whole else screen.width)
    screen.add(_line("\n" + _LEGEND), _line(_BRIEFLY), rank=-1)
    screen.show(whole=whole)


def _line(text: str) -> Part:
    return lambda console: console.say(text, 0)


def _about(comparison: Comparison) -> str:
    unit = comparison.unit.removesuffix("s") if comparison.items == 1 else comparison.unit
    items = f"{comparison.items:,} {unit}"
    measure = comparison.measure + " (0 is best)" * comparison.low_is_best
    return f"{comparison.benchmark}: {measure} on {items} that all judged"


def _add_pairs(
    screen: Screen, comparison: Comparison, titles: Mapping[str, str], width: int | None
) -> None:
    """The pairs: of two runs with their groups, of more a line each; names whole without width."""
    if len(comparison.pairs) == 1:
        (pair,) = comparison.pairs
        forms = table_of(
            lambda rows: _pair_table(comparison, pair, titles, rows, width),
            (None, 16, 12, 10, 8, 6, 4, 2),
        )
        screen.add(*forms, rank=(0, 1, 1.5, 2.5, 3.5, 4.5, 6))
        return

    def every(console: Terminal) -> None:
        for pair in comparison.pairs:
            print_table(console, _pair_table(comparison, pair, titles, None, width))

    forms = table_of(lambda rows: _pairs_table(comparison, rows, width), (None, 12, 8, 4))
    screen.add(every, *forms, rank=(-2, 2, 4, 6))


def _pairs_table(comparison: Comparison, rows: int | None, width: int | None) -> Any:
    """The whole of each pair, a line each."""
    places = {run.label: place for place, run in enumerate(comparison.ranking)}
    pairs = sorted(
        comparison.pairs, key=lambda pair: sorted(places[n] for n in (pair.first, pair.second))
    )
    pairs = pairs[:rows]
    return named_table(
        lambda: _empty(comparison, "pair, on everything"),
        [f"{pair.first}{_AGAINST}{pair.second}" for pair in pairs],
        [_cells(comparison, pair, pair.groups[0]) for pair in pairs],
        width,
        len(comparison.pairs) - len(pairs),
        _both,
    )


def _both(names: str, room: int) -> str:
    """Two names in so many cells, each with half of them."""
    first, _, second = names.partition(_AGAINST)
    half = max(5, (room - len(_AGAINST)) // 2)
    return _AGAINST.join(shortened_pair(first, second, half))


def _short(value: Any) -> str:
    text = "unset" if value is None else str(value)
    return text if len(text) <= 40 else f"{text[:12]}…"


def _ranking_table(comparison: Comparison, rows: int | None = None) -> Any:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, title="\nranking", title_justify="left")
    for name, side in (("run", "left"), ("score, %", "right"), ("95 % int.", "right")):
        table.add_column(name, justify=side, overflow="fold")  # type: ignore[arg-type]
    table.add_column("groups")
    for row in comparison.ranking[:rows]:
        ends = f"{percent(row.score.low)}–{percent(row.score.high)}"
        table.add_row(row.label, percent(row.score.mean), ends, row.letters)
    if rows is not None and rows < len(comparison.ranking):
        table.add_row(f"… {len(comparison.ranking) - rows} more")
    return table


def _pair_table(
    comparison: Comparison,
    pair: Pair,
    titles: Mapping[str, str],
    rows: int | None,
    width: int | None,
) -> Any:
    """The groups of a pair, or the top ones."""
    groups = {row.group: row.items for row in pair.groups}
    chosen = set(top_groups(groups, rows))
    shown = [row for row in pair.groups if row.group in chosen]
    names = [_called(row.group, groups, titles) + " †" * _declared(row) for row in shown]
    one, two = pair.first, pair.second
    if width is not None:
        one, two = shortened_pair(one, two, (width - len("first: , second: ")) // 2)
    return named_table(
        lambda: _empty(comparison, "group", f"\nfirst: {one}, second: {two}"),
        names,
        [_cells(comparison, pair, row) for row in shown],
        width,
        len(pair.groups) - len(shown),
    )


def _empty(comparison: Comparison, first: str, title: str | None = None) -> Table:
    from rich.table import Table

    table = Table(box=None, pad_edge=False, padding=(0, 1, 0, 0), title=title)
    table.title_justify = "left"
    table.add_column(first, overflow="fold", min_width=12)
    for name in (comparison.unit, "first", "second", "diff.", "95 % int.", "p", "MDE"):
        table.add_column(name, justify="right", no_wrap=True)
    table.add_column("better")
    return table


def _declared(row: GroupDifference) -> bool:
    from zhiyin.engine.tally import ALL

    return row.family not in (ALL, "exploratory")


def _cells(comparison: Comparison, pair: Pair, row: GroupDifference) -> list[str]:
    verdict = "?"
    if better := comparison.better(pair, row):
        verdict = "first" if better == pair.first else "second"
        if {"first", "second"} & {pair.first, pair.second}:  # a run of that name: which is meant?
            verdict = shortened(better, _SHORTEST)
    return [
        str(row.items),
        percent(row.first),
        percent(row.second),
        f"{100 * row.difference:+.1f}",
        *_uncertain(row),
        verdict,
    ]


def _uncertain(row: GroupDifference) -> list[str]:
    """Interval, p and MDE; of the same replies twice there are none."""
    if row.low == row.high:
        return ["-", "-", "-"]
    return [
        f"{100 * row.low:+.1f} to {100 * row.high:+.1f}",
        p_value(row.p_adjusted) + ("*" if row.test == "sign-flip" else ""),
        f"{100 * row.detectable:.1f}" if row.detectable <= 1 else "-",
    ]


def _called(group: str, groups: Mapping[str, Any], titles: Mapping[str, str]) -> str:
    """What a group is called, set in by its depth."""
    from zhiyin.engine.tally import ALL

    if group == ALL and group not in titles:
        return "everything"
    return indented(group, groups, titles)
