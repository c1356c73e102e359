"""`zhiyin stats health RUN...`: is a multiple-choice score sound?"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from zhiyin.cli.screen import Screen, nothing, sentences, table_of, titled_table
from zhiyin.cli.sharing import add_groups
from zhiyin.numerals import p_value, percent

if TYPE_CHECKING:
    from rich.table import Table

    from zhiyin.analysis.health import Blind, GroupHealth, Health
    from zhiyin.statistics.choice import ChiSquare, LetterBias

_ABOUT = (
    "Multiple-choice health: letters chosen against the key, accuracy corrected for chance, "
    "evasions and one-letter guesses, consistency over rotations, and what is left of the score "
    "without the items that blind runs solve."
)


def configure(analyses: Any) -> None:
    """Add the analysis and its flags."""
    parser: argparse.ArgumentParser = analyses.add_parser(
        "health", help="is a multiple-choice score sound?", description=_ABOUT
    )
    parser.add_argument("runs", nargs="+", metavar="RUN", help="a folder that `zhiyin run` wrote")
    parser.add_argument(
        "--blind",
        action="append",
        default=[],
        metavar="RUN",
        help="a run on the same trials without the music (a baseline, text only); may be repeated",
    )
    parser.add_argument(
        "--group",
        action="append",
        default=[],
        metavar="GROUP",
        help="look at this group too; default: those of the top level",
    )
    add_groups(parser)
    parser.add_argument("--json", action="store_true", help="print one JSON object")


def execute(args: argparse.Namespace) -> int:
    """Print the analysis, and return the exit status."""
    from zhiyin.analysis.health import health
    from zhiyin.cli.display import print_json_each
    from zhiyin.shown.terminal import Terminal

    blind = [Path(run) for run in args.blind]
    reports = [health(Path(run), blind, args.group) for run in args.runs]
    if args.json:
        print_json_each(reports, "runs")
        return 0
    if len(reports) > 1 and args.groups != "all":
        _print_several(Screen(Terminal(markup=False)), reports)
        return 0
    for one in reports:
        _print(Screen(Terminal(markup=False)), one, whole=args.groups == "all")
    return 0


_LEGEND = (
    "no answer counts as wrong in acc.; corrected: 0 is guessing, 1 is all right; constant: the "
    "best accuracy of one letter for all; RStd: standard deviation of the recalls of the letters, "
    "in points, with what chance alone would give; bare: a letter and nothing else; tests: by "
    "item, the answers that one got in repeats or rotations weigh 1 together"
)


def _print(screen: Screen, report: Health, *, whole: bool) -> None:
    everything = report.groups[0]
    left = [f"{report.errors} failed"] if report.errors else []
    left += [f"{report.free} without options"] if report.free else []
    left += [f"{report.altered} under other conditions"] if report.altered else []
    name = f"{report.benchmark}  {report.model}  {report.run}"
    trials = f"{everything.behaviour.judged} multiple-choice trials of {report.trials}" + (
        f" ({', '.join(left)})" if left else ""
    )
    screen.add(lambda console: console.print())
    screen.add(lambda console: console.say(name, 0, style="bold"))
    screen.add(lambda console: console.say(trials, 0))
    groups = report.groups
    rows = (None, 8, 4, 3, 1)
    forms = table_of(lambda most: _groups_table(groups, most, screen.width), rows)
    screen.add(*forms, rank=(1, 2, 5, 6))
    forms = table_of(lambda most: _behaviour_table(groups, most, screen.width), (*rows[:3], 1))
    screen.add(*forms, rank=(0, 0.5, 2))
    forms = table_of(lambda _: _letters_table(everything.letters), (None,))
    screen.add(*forms, nothing, rank=8)
    lines = [
        *_findings(everything),
        *_rotated(report),
        *(_blind(report.blind) if report.blind else ()),
    ]
    screen.add(*sentences(lines, (4, 3, 2, 1), rest="more findings"), rank=(3, 4, 7, 9))
    screen.add(
        lambda console: console.say(f"\n{_LEGEND}", 0),
        lambda console: console.say(
            "every group, every finding, what the words mean: --groups all"
        ),
        rank=-1,
    )
    screen.show(whole=whole)


def _print_several(screen: Screen, reports: list[Health]) -> None:
    """Several runs on one screen: a row for each, and its findings in words."""
    import msgspec

    from zhiyin.analysis.pairing import labels
    from zhiyin.engine.folder import read_manifest

    folders = [Path(one.run) for one in reports]
    names = labels(folders, [read_manifest(folder) for folder in folders])
    wholes = [
        msgspec.structs.replace(one.groups[0], group=name)
        for one, name in zip(reports, names, strict=True)
    ]
    trials = [
        f"{name}: {whole.behaviour.judged} of {one.trials}"
        for one, whole, name in zip(reports, wholes, names, strict=True)
        if whole.behaviour.judged != one.trials
    ]
    screen.add(lambda console: console.print())
    counts = (8, 6, 4, 3, 1)
    judged_on = sentences(
        trials, (4, 2), label="trials judged: ", rest="more runs not judged on all"
    )
    screen.add(*judged_on, rank=1)
    rows = (None, *counts)
    forms = table_of(lambda most: _groups_table(wholes, most, screen.width, "run, %"), rows)
    screen.add(*forms, rank=(6, 7, 8, 9, 10))
    forms = table_of(lambda most: _behaviour_table(wholes, most, screen.width), rows)
    screen.add(*forms, rank=(2, 3, 4, 5, 6.5))
    lines = [
        f"{name}: {line}"
        for one, whole, name in zip(reports, wholes, names, strict=True)
        for line in (
            *_findings(whole)[:1],
            *_rotated(one),
            *(_blind(one.blind) if one.blind else ()),
        )
    ]
    screen.add(*sentences(lines, (4, 3, 2, 1), rest="more findings"), rank=(0, 1, 1.5, 2.5))
    screen.add(lambda console: console.say("letters, groups, all findings: --groups all"))
    screen.show()


def _rotated(report: Health) -> list[str]:
    r = report.rotations
    if not r:
        return []
    return [
        f"rotations: {r.items} items asked {r.asked} times; mean accuracy "
        f"{percent(r.accuracy.mean)} %, right under every rotation {percent(r.all_right.mean)} "
        f"%, same content chosen in {percent(r.agreement.mean)} % of pairs"
    ]


def _groups_table(
    groups: list[GroupHealth], most: int | None, width: int, name: str = "group, %"
) -> Table:
    columns = (name, "n", "acc.", "95 % int.", "corrected", "constant", "RStd", "(chance)")
    rows = [
        [
            group.group,
            str(group.behaviour.judged),
            percent(group.accuracy.mean),
            f"{percent(group.accuracy.low)}–{percent(group.accuracy.high)}",
            percent(group.corrected.corrected),
            f"{percent(group.constant.accuracy)} {group.constant.letter}",
            percent(group.letters.rstd),
            percent(group.letters.rstd_by_chance),
        ]
        for group in groups
    ]
    return titled_table("scores and chance", columns, rows, most, width)


def _behaviour_table(groups: list[GroupHealth], most: int | None, width: int) -> Table:
    columns = ("replies, %", "readable", "right of these", "evasive", "refused", "cut off", "bare")
    rows = []
    for group in groups:
        behaviour, n = group.behaviour, group.behaviour.judged
        counts = (behaviour.evasions, behaviour.refusals, behaviour.truncated, behaviour.bare)
        shares = [percent(count / n) for count in counts]
        right = percent(group.given_answer)
        rows.append([group.group, percent(behaviour.answered / n), right, *shares])
    return titled_table("how it replies", columns, rows, most, width)


def _letters_table(bias: LetterBias) -> Table:
    asked = bias.answered + bias.unanswered
    rows = []
    for row in bias.letters:
        chosen = row.chosen / bias.answered if bias.answered else None
        cells = [row.letter, str(row.chosen), percent(chosen), str(row.gold)]
        rows.append([*cells, percent(row.gold / asked), percent(row.recall)])
    columns = ("letter", "chosen", "% of answers", "right by the key", "% of trials", "recall, %")
    return titled_table("letters", columns, rows)


def _findings(whole: GroupHealth) -> list[str]:
    """The tests in words, a line each."""
    bias, behaviour = whole.letters, whole.behaviour
    lines = [
        f"{what}: {_chi(test)}"
        for what, test in (
            ("letters chosen against the key", bias.chosen_against_key),
            ("the same among wrong answers (Stuart and Maxwell)", bias.marginal),
            ("recall differs by letter", bias.recalls),
        )
        if test
    ]
    if behaviour.bare:
        letter, times = next(iter(behaviour.bare_letters.items()))
        lines.append(
            f"{behaviour.bare} replies are a letter and nothing else; {letter} in "
            f"{100 * times / behaviour.bare:.0f} % of them"
        )
    silent = behaviour.judged - behaviour.answered
    if silent:
        lines.append(
            f"{silent} without an answer: {behaviour.evasions} evasions, "
            f"{behaviour.refusals} refusals, {behaviour.truncated} cut off, "
            f"{behaviour.other} others"
        )
    return lines


def _chi(test: ChiSquare) -> str:
    caution = "" if test.enough else " (some expected count is below 5: do not rely on it)"
    return f"chi-square({test.df}) = {test.statistic:.1f}, p {p_value(test.p)}{caution}"


def _blind(blind: Blind) -> Iterator[str]:
    """What is left without what blind runs solve, a line each."""
    for other in blind.against:
        gain = other.gain
        yield (
            f"against {other.model} (blind): {100 * gain.second:.1f} %, gain "
            f"{100 * gain.mean:+.1f} points ({100 * gain.low:+.1f} to {100 * gain.high:+.1f})"
        )
    for row in blind.unsolved:
        rest = "nothing is left"
        if row.rest is not None:
            ends = f"{percent(row.rest.low)}–{percent(row.rest.high)}"
            rest = f"{percent(row.rest.mean)} % ({ends}) on the other {row.rest.n}"
        runs = "blind run" if row.by == 1 else "blind runs"
        yield f"{row.solved} of {blind.items} items are solved by at least {row.by} {runs}: {rest}"
