"""The columns of a paper's table: which runs stand in one, and by which figure."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path

import msgspec

from zhiyin.analysis.compare_parts import scorings
from zhiyin.analysis.question_set import set_of_runs
from zhiyin.contract.flags import setting_words
from zhiyin.contract.registry import known
from zhiyin.contract.settings import published_config
from zhiyin.engine.naming import briefs
from zhiyin.engine.scoring import ALL
from zhiyin.errors import InputError
from zhiyin.report.figures import PaperRun, gather
from zhiyin.report.figures.scores import headline
from zhiyin.report.leaderboard.titles import titles
from zhiyin.report.notation import Progress
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import ACCURACY, Measure, figure_name, key_of, measure_named
from zhiyin.runs.pairing import differing
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.parts import TOTAL, Scored, part_interval
from zhiyin.words import Said, Text, said

DEGREES = "by degrees"
"""The figure that a benchmark declares for trials that are neither right nor wrong."""


class AskedAlike(msgspec.Struct, frozen=True, dict=True):
    """Runs of a benchmark that stand in one column, or in one for each of some groups.

    Attributes
    ----------
    title : Text
    benchmark : str
    runs : dict of str to PaperRun
        By the row that they stand in.
    judge : tuple of str or None
        Of scores in parts: who scored, and how.
    way : str
        The altered way in which alone all of them were asked ("audio=none"); else "".
    """

    title: Text
    benchmark: str
    runs: dict[str, PaperRun]
    judge: tuple[str, str] | None = None
    way: str = ""

    @property
    def main(self) -> str:
        """The group of its first column, by which it is named."""
        return next(iter(columns_of(self, groups=False))).group

    @cached_property
    def of_one_extent(self) -> bool:
        """Whether nothing that is said of the runs' extents explains unlike numbers of items."""
        extents = [run.extent for run in self.runs.values()]
        return len({(str(one.caution), one.done) for one in extents}) == 1

    @cached_property
    def settings(self) -> dict[str, dict[str, object]]:
        """In what the runs were set to differently: setting -> row -> value."""
        configs = [published_config(run.manifest.config) for run in self.runs.values()]
        return differing(list(self.runs), configs)


class PaperColumn(msgspec.Struct, frozen=True, dict=True):
    """One column: a figure of a group, of runs that were asked alike."""

    of: AskedAlike
    figure: str
    group: str

    @property
    def title(self) -> Said:
        """What heads it."""
        names = known(next(iter(self.of.runs.values())).manifest).titles
        every = self.group in (ALL, TOTAL) or _is_all(self.group, self.of.runs.values())
        return said(
            "table-column", title=self.of.title, figure=self.figure_title,
            group=None if every else names.get(self.group) or self.group,
        )  # fmt: skip

    @property
    def measure(self) -> Measure:
        """The measure, as its benchmark declares it."""
        kind = known(next(iter(self.of.runs.values())).manifest)
        return measure_named(self.figure, kind.measures)

    @property
    def low_is_best(self) -> bool:
        """Whether the figure counts errors."""
        return self.measure.lower_is_better

    @property
    def figure_title(self) -> str | None:
        """The figure, where it is none that goes without saying."""
        if self.figure == DEGREES:
            run = next(iter(self.of.runs.values()))
            return next((m.name for m in known(run.manifest).by_degrees(run.rows)), None)
        plain = self.figure == "accuracy" or self.of.judge is not None
        return None if plain else figure_name(self.figure)

    @cached_property
    def intervals(self) -> dict[str, Interval]:
        """The figure by row, where a run has it."""
        found: dict[str, Interval] = {}
        for row, run in self.of.runs.items():
            if self.figure == DEGREES:
                interval = figure_by_degrees(run)
            elif self.of.judge is not None:
                one = scored_by(run, self.of.judge)
                interval = part_interval(one.parts, self.group) if one and one.total else None
            elif self.group in run.groups and len(run.groups[self.group]):
                interval = estimate(run.groups[self.group], self.measure).interval
            else:
                interval = None
            if interval is not None:
                found[row] = interval
        return found


def runs_alike(
    folders: Sequence[Path], names: Mapping[Path, str], progress: Progress
) -> tuple[list[AskedAlike], list[PaperRun]]:
    """The runs by what they were asked; and those without a judged trial.

    `progress` is told of each run before it is read.
    """
    found: list[AskedAlike] = []
    silent: list[PaperRun] = []
    gathered = gather(folders, lambda run: True)
    every = [run for runs in gathered.values() for run in runs]
    models = dict(
        zip((run.folder for run in every), briefs([run.manifest.model for run in every]),
            strict=True)
    )  # fmt: skip
    read = count()
    for benchmark, runs in gathered.items():
        named: dict[tuple[str, str], list[PaperRun]] = {}
        for run in runs:
            progress(next(read), len(every))
            run = run.as_asked()
            if run.plain or scorings(run.folder) or figure_by_degrees(run):
                named.setdefault((names.get(run.folder, ""), run.way), []).append(run)
            else:
                silent.append(run)
        for (name, way), members in named.items():
            own = {run.folder: run.manifest.label or models[run.folder] for run in members}
            asked = set_of_runs([(run.manifest, run.rows) for run in members], name)
            for title, part in _split(asked, members, own):
                called = asked if name else title
                called = said("table-way", title=called, way=way) if way else called
                found += [
                    msgspec.structs.replace(one, way=way)
                    for one in _by_judge(called, benchmark, _by_row(part, own))
                ]
    return found, silent


def _by_row(runs: Sequence[PaperRun], rows: Mapping[Path, str]) -> dict[str, PaperRun]:
    found: dict[str, PaperRun] = {}
    for run in runs:
        row = rows[run.folder]
        if row in found:
            raise InputError(
                f"{found[row].folder} and {run.folder} are both {row} on the same questions, asked "
                "the same way: give one of them, or each a name with --label"
            )
        found[row] = run
    return found


def _split(
    benchmark: Text, runs: Sequence[PaperRun], rows: Mapping[Path, str]
) -> list[tuple[Text, list[PaperRun]]]:
    """One column, or where a row has several runs one for each way of asking."""
    configs = [published_config(run.manifest.config) for run in runs]
    keys = [str(run.folder) for run in runs]
    settings: set[str] = set()
    for row in set(rows.values()):
        mine = [n for n, run in enumerate(runs) if rows[run.folder] == row]
        if len(mine) > 1:
            settings |= differing([keys[n] for n in mine], [configs[n] for n in mine]).keys()
    if not settings:
        return [(benchmark, [*runs])]
    told = differing(keys, configs)
    ways: dict[str, list[PaperRun]] = {}
    flat: dict[str, dict[str, object]] = {}
    for key, run in zip(keys, runs, strict=True):
        own = {name: told[name][key] for name in sorted(settings)}
        ways.setdefault(str(own), []).append(run)
        flat[str(own)] = own
    words = setting_words(known(runs[0].manifest).Settings)
    heads = titles(benchmark, [*flat.values()], sorted(settings), words)
    return list(zip(heads, ways.values(), strict=True))


def _by_judge(title: Text, benchmark: str, runs: dict[str, PaperRun]) -> list[AskedAlike]:
    """Runs in one column; of scores in parts one for each judge."""
    scored = {row: scorings(run.folder) for row, run in runs.items()}
    if all(each is None for each in scored.values()):
        return [AskedAlike(title, benchmark, runs)]
    keys = dict.fromkeys((one.by, one.how) for each in scored.values() for one in each or ())
    judges = [key for key in keys if key[0]]
    return [
        AskedAlike(said("table-judged", title=title, judge=key[0]), benchmark, runs, key)
        for key in judges
    ]


def figure_by_degrees(run: PaperRun) -> Interval | None:
    """The figure of a run whose trials are right by degrees, where its benchmark declares one."""
    return next((m.interval for m in known(run.manifest).by_degrees(run.rows)), None)


def scored_by(run: PaperRun, judge: tuple[str, str]) -> Scored | None:
    """A run as one judge scored it in parts; None where that judge did not."""
    every = scorings(run.folder) or []
    return next((one for one in every if (one.by, one.how) == judge), None)


def columns_of(one: AskedAlike, *, groups: bool) -> Iterator[PaperColumn]:
    """The headline of a benchmark, or that of each of its main groups."""
    runs = list(one.runs.values())
    if one.judge is not None:
        first = next((s for run in runs if (s := scored_by(run, one.judge)) is not None), None)
        more = first.parts.names if first and groups else ()
        yield from (PaperColumn(one, "accuracy", name) for name in (TOTAL, *more))
        return
    if not any(len(run.plain) for run in runs):
        yield PaperColumn(one, DEGREES, ALL)
        return
    declared = known(runs[0].manifest).measures[0]
    figure, main = headline(one.benchmark, runs)
    if len(main) > 1 and not groups:
        figure, main = (key_of(declared), [declared.group]) if declared != ACCURACY else (
            "accuracy", [ALL])  # fmt: skip
    wanted = [(figure, group) for group in main]
    if groups:
        top = [g for g in runs[0].groups if "/" not in g and all(g in run.groups for run in runs)]
        wanted = [("accuracy", ALL), *wanted, *(("accuracy", group) for group in top)]
    plain, seen = ("accuracy", ALL) in wanted, set[tuple[str, ...]]()
    for figure, group in dict.fromkeys(wanted):
        again = plain and figure == "accuracy" and group != ALL and _is_all(group, runs)
        own = (figure, *(_trials_of(group, run) for run in runs))
        if not again and (group == ALL or own not in seen):  # a part of one category is said once
            seen.add(own)
            yield PaperColumn(one, figure, group)


def _trials_of(group: str, run: PaperRun) -> str:
    """Which trials of a run are in a group: equal for groups that hold the same ones."""
    rows = run.groups.get(group)
    return "" if rows is None else hashlib.sha256(rows.numbers.tobytes()).hexdigest()


def _is_all(group: str, runs: Iterable[PaperRun]) -> bool:
    """Whether a group holds all that runs were asked."""
    return all(len(run.groups.get(group, ())) == len(run.plain) for run in runs)
