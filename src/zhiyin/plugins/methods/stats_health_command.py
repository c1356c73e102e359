"""`zhiyin stats health RUN...`: is a multiple-choice score sound?"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from zhiyin.cli.output import open_console, print_json_each
from zhiyin.cli.tables import titles_of
from zhiyin.runs.figures import GroupTree
from zhiyin.shown.table import Cell, Kind, Row, Table, table_of
from zhiyin.words import Said, Text, said

if TYPE_CHECKING:
    from zhiyin.plugins.methods.health import BlindScore, GroupHealth, Health
    from zhiyin.shown.terminal import Terminal
    from zhiyin.statistics.choice import LetterBias

Titles = Mapping[str, Text]
"""What some of the groups of a table, or all of its runs, are called."""


def health(
    runs: tuple[Path, ...],
    *,
    blind: tuple[Path, ...] = (),
    group: tuple[str, ...] = (),
    groups: Literal["top", "all"] = "top",
    json: bool = False,
) -> int:
    """Check whether a multiple-choice score is sound.

    Letters chosen against the key, accuracy corrected for chance, evasions and one-letter guesses,
    consistency over rotations, and what is left of the score without the items that blind runs
    solve.

    Parameters
    ----------
    blind : RUN
        a run on the same trials without the music (a baseline, text only); may be repeated
    group : GROUP
        look at this group too; default: those of the top level
    """
    from zhiyin.plugins.methods.health import health as health_of

    reports = [health_of(run, blind, group) for run in runs]
    if json:
        print_json_each(reports, "runs")
        return 0
    console = open_console(markup=False)
    if len(reports) > 1 and groups != "all":
        _print_several(console, reports)
        return 0
    with console.paged():
        for one in reports:
            _print(console, one, "" if groups == "all" else _ALL)
    return 0


_ALL = "--groups all"
_LINES = 4


def _print(console: Terminal, report: Health, more: str) -> None:
    everything = report.groups[0]
    counts = {"failed": report.errors, "free": report.free, "altered": report.altered}
    left = [said("health-left", n=n, what=what) for what, n in counts.items() if n]
    name = f"{report.benchmark}  {report.model}  {report.run}"
    trials = said("health-trials", n=everything.behaviour.judged, of=report.trials, left=left)
    console.print()
    console.say(name, 0, style="bold")
    console.say(trials, 0)
    titles = titles_of(report.run)
    console.print_table(_groups_table(report.groups, titles), more)
    console.print_table(_behaviour_table(report.groups, titles), more)
    console.print_table(_letters_table(everything.letters))
    blind = _blind(report.blind) if report.blind else ()
    lines = [*_findings(everything), *_rotated(report), *blind]
    console.say_all(lines, most=_LINES if more else None, more=more)
    if more:
        console.say(said("health-more", what="words", flag=more))
    else:
        from zhiyin.statistics.choice import LEAST_KEYS

        console.print()
        console.say(said("health-legend", least=LEAST_KEYS), 0)


def _print_several(console: Terminal, reports: list[Health]) -> None:
    """Several runs: a row for each, and its findings in words."""
    import msgspec

    from zhiyin.contract.resolved import run_names
    from zhiyin.engine.folder import read_manifest

    folders = [Path(one.run) for one in reports]
    names = run_names(folders, [read_manifest(folder) for folder in folders])
    wholes = [
        msgspec.structs.replace(one.groups[0], group=name)
        for one, name in zip(reports, names, strict=True)
    ]
    trials = [
        said("health-judged", run=name, n=whole.behaviour.judged, of=one.trials)
        for one, whole, name in zip(reports, wholes, names, strict=True)
        if whole.behaviour.judged != one.trials
    ]
    console.print()
    console.say_all(trials, label="trials judged", most=_LINES, more=_ALL)
    called = {name: name for name in names}
    console.print_table(_groups_table(wholes, called, "run, %"), _ALL)
    console.print_table(_behaviour_table(wholes, called), _ALL)
    lines = [
        said("health-of", run=name, finding=line)
        for one, whole, name in zip(reports, wholes, names, strict=True)
        for line in (
            *_findings(whole)[:1],
            *_rotated(one),
            *(_blind(one.blind) if one.blind else ()),
        )
    ]
    console.say_all(lines, most=max(_LINES, len(reports)), more=_ALL)
    console.say(said("health-more", what="letters", flag=_ALL))


def _rotated(report: Health) -> list[Said]:
    r = report.rotations
    if not r:
        return []
    return [
        said(
            "cli-rotations", items=r.items, asked=r.asked, accuracy=r.accuracy.mean,
            all_right=r.all_right.mean, agreement=r.agreement.mean,
        )
    ]  # fmt: skip


def _rows(
    groups: list[GroupHealth], cells: Callable[[GroupHealth], tuple[Cell, ...]], titles: Titles
) -> list[Row]:
    """A row a group, set in below those that it is within."""
    tree = GroupTree([group.group for group in groups], titles)
    return [
        Row(
            (tree.title(group.group), *cells(group)),
            tree.level(group.group),
            tree.weight(group.group, group.behaviour.judged),
        )
        for group in groups
    ]


def _groups_table(groups: list[GroupHealth], titles: Titles, name: str = "group, %") -> Table:
    columns: dict[str, Kind] = {
        name: "text", "n": "count", "acc.": "share", "95 % int.": "share", "corrected": "share",
        "constant": "share", "RStd": "share", "(chance)": "share",
    }  # fmt: skip

    def cells(group: GroupHealth) -> tuple[Cell, ...]:
        figure, constant, letters = group.accuracy, group.constant, group.letters
        return (
            group.behaviour.judged, figure.mean, (figure.low, figure.high),
            group.corrected.corrected,
            said("cli-constant", accuracy=constant.accuracy, letter=constant.letter),
            letters.rstd, letters.rstd_by_chance,
        )  # fmt: skip

    return table_of("health", columns, _rows(groups, cells, titles), "scores and chance")


def _behaviour_table(groups: list[GroupHealth], titles: Titles) -> Table:
    heads = ("readable", "right of these", "evasive", "refused", "cut off", "bare")

    def cells(group: GroupHealth) -> tuple[Cell, ...]:
        behaviour, n = group.behaviour, group.behaviour.judged
        counts = (behaviour.evasions, behaviour.refusals, behaviour.truncated, behaviour.bare)
        return (behaviour.answered / n, group.given_answer, *(count / n for count in counts))

    columns: dict[str, Kind] = {"replies, %": "text", **dict.fromkeys(heads, "share")}
    return table_of("replies", columns, _rows(groups, cells, titles), "how it replies")


def _letters_table(bias: LetterBias) -> Table:
    asked = bias.answered + bias.unanswered
    columns: dict[str, Kind] = {
        "letter": "text", "chosen": "count", "% of answers": "share", "right by the key": "count",
        "% of trials": "share", "recall, %": "share",
    }  # fmt: skip
    rows = []
    for row in bias.letters:
        chosen = row.chosen / bias.answered if bias.answered else None
        rows.append((row.letter, row.chosen, chosen, row.gold, row.gold / asked, row.recall))
    return table_of("letters", columns, rows, "letters")


def _findings(whole: GroupHealth) -> list[Said]:
    """The tests in words, a line each."""
    bias, behaviour = whole.letters, whole.behaviour
    tests = {"key": bias.chosen_against_key, "wrong": bias.marginal, "recall": bias.recalls}
    lines = [
        said(
            "cli-letters", test=name, df=test.df, statistic=test.statistic, p=test.p,
            enough=test.enough,
        )
        for name, test in tests.items()
        if test
    ]  # fmt: skip
    if behaviour.bare:
        letter, times = next(iter(behaviour.bare_letters.items()))
        lines.append(
            said("cli-bare", n=behaviour.bare, letter=letter, share=times / behaviour.bare)
        )
    if silent := behaviour.judged - behaviour.answered:
        lines.append(
            said(
                "cli-unanswered", n=silent, evasions=behaviour.evasions,
                refusals=behaviour.refusals, truncated=behaviour.truncated, other=behaviour.other,
            )
        )  # fmt: skip
    return lines


def _blind(blind: BlindScore) -> Iterator[Said]:
    """Say, a line each, what is left without what blind runs solve."""
    for other in blind.against:
        gain = other.gain
        yield said(
            "cli-against-blind", model=other.model, blind=gain.second, gain=gain.mean,
            low=gain.low, high=gain.high,
        )  # fmt: skip
    for row in blind.unsolved:
        rest = row.rest
        yield said(
            "cli-unsolved", solved=row.solved, items=blind.items, by=row.by,
            left=rest and rest.n, share=rest and rest.mean, low=rest and rest.low,
            high=rest and rest.high,
        )  # fmt: skip
