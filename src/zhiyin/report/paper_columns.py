"""The columns of a paper's table: which runs stand in one, and by which measure."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import count
from pathlib import Path

import msgspec

from zhiyin.analysis.beside import (
    AskedOtherwise,
    RunTests,
    asked_alike,
    asked_otherwise,
    on_shared_items,
)
from zhiyin.analysis.question_set import set_of_runs
from zhiyin.analysis.run import in_order
from zhiyin.contract.registry import known
from zhiyin.engine.naming import briefs, own_name
from zhiyin.engine.scoring import ALL
from zhiyin.numerals import NUMBER_WORDS
from zhiyin.report.media import Progress
from zhiyin.report.paper_runs import PaperRun, gather, has_measure, headlines, paper_name
from zhiyin.runs.figures import group_name, way_in_words
from zhiyin.runs.measures import ACCURACY, SHARE, USUAL, Estimate, Measure, measure_title
from zhiyin.words import Named, Said, Text, said


class PaperRuns(msgspec.Struct, frozen=True, dict=True):
    """Runs of a benchmark whose figures stand in the same columns.

    Attributes
    ----------
    title : Text
    benchmark : str
    runs : dict of str to PaperRun
        By the row that they stand in.
    rows : dict of str to Text
        What the rows are called: each model with what it was set to otherwise than by default.
    alike : list of list of str
        Rows that were asked alike, which alone are tested against each other.
    common : list of Said
        What all were set to otherwise than by default.
    judge : Measure or None
        Of scores in parts the total by who scored.
    way : str
        The altered way in which alone all of them were asked ("audio=none"); else "".
    """

    title: Text
    benchmark: str
    runs: dict[str, PaperRun]
    rows: dict[str, Text]
    alike: list[list[str]]
    common: list[Said]
    judge: Measure | None = None
    way: str = ""

    @property
    def called(self) -> Text:
        """Its title with the name that its paper gives it, where that is its own name in full."""
        return renamed(self.title, self.benchmark, paper_name([*self.runs.values()]))

    @property
    def main(self) -> str:
        """The group of its first column, by which it is named."""
        return next(iter(columns_of(self, groups=False))).group

    @cached_property
    def tests(self) -> dict[tuple[str, bool, int], RunTests]:
        """The tests of each measure, in few groups or in all, within each way of asking."""
        return {}

    def tests_of(self, measure: Measure, group: str, rows: Sequence[str]) -> RunTests:
        """Return the tests that a column needs, made once.

        A group for which the measure is declared has a family of its own, and any other is one of
        all exploratory groups: so `compare` has it.
        """
        every = group not in (ALL, measure.group)
        key = (f"{measure.name} {measure.group}", every, self.alike.index([*rows]))
        if key not in self.tests:
            wanted = every or [measure.group]
            runs = [self.runs[row] for row in rows]
            self.tests[key] = RunTests(rows, runs, measure, wanted)
        return self.tests[key]


def renamed(text: Text, name: str, full: Text) -> Text:
    """A title with another name in the place of one."""
    if not isinstance(text, Said):
        return full if text == name else text
    inner = ("benchmark", "title")
    return Said(text.name, {
        fact: renamed(own, name, full) if fact in inner else own
        for fact, own in text.facts.items()
    })  # fmt: skip


class PaperColumn(msgspec.Struct, frozen=True, dict=True):
    """One column: a measure in a group."""

    of: PaperRuns
    measure: Measure
    group: str

    def title(
        self, *, alone: bool = False, units: bool = False, figures: bool = False,
        called: bool = False,
    ) -> Said:  # fmt: skip
        """Return the column's title; of the columns of one benchmark `alone` without its name.

        With `units`, as where not every column is a share, a share says what it is; with
        `figures`, as where columns have several measures, accuracy, too; `called` as papers do.
        """
        names = known(next(iter(self.of.runs.values())).manifest).titles
        every = self.group == ALL or _is_all(self.group, self.of.runs.values())
        plain = self.of.judge is not None or (
            not (units or figures) and self.measure.of == ACCURACY.of
        )
        percent = not units and self.measure.unit == SHARE
        above, _, part = self.group.partition("/")
        within = "/" in part or not _is_all(above, self.of.runs.values())
        short = self.group if not part or within else part  # of one task alone the part
        group = None if every else names.get(self.group) or group_name(short)
        if self.of.judge not in (None, self.measure):
            group = said("table-part", name=self.measure.name)
        return said(
            "table-column",
            title=None if alone and group else self.of.called if called else self.of.title,
            figure=None if plain else measure_title(self.measure, unit=not percent),
            group=group,
        )

    @property
    def heading(self) -> Said:
        """Heading where the benchmark goes without saying; in English its name in files."""
        if self.of.judge is not None:
            return group_name(self.measure.name)
        names = known(next(iter(self.of.runs.values())).manifest).titles
        words = names.get(self.group) or group_name(self.group)
        return said("board-column", figure=self.measure.name, group=words)

    @cached_property
    def estimates(self) -> dict[str, Estimate]:
        """The figure by row, where a run has it."""
        found = {}
        for row, run in self.of.runs.items():
            if (degrees := by_degrees(run)) and degrees.name == self.measure.name:
                own = msgspec.structs.replace(degrees, measure=self.measure)
            else:
                own = run.estimate(self.measure, self.group)
            if own.value is not None:
                found[row] = own
        return found

    def _values(self, rows: Sequence[str]) -> dict[int, Estimate]:
        return {n: self.estimates[row] for n, row in enumerate(rows) if row in self.estimates}

    @property
    def _asked(self) -> str:
        """Name of the group in tests, with the altered way that it is asked in."""
        altered = self.of.way and self.group != ALL
        return f"{self.of.way}/{self.group}" if altered else self.group

    @cached_property
    def ahead(self) -> list[set[str] | None]:
        """The best rows, and those that do not differ from them, for each way of asking.

        Empty where no row is shown to be worse; None where nothing was tested, though there are
        rows that might have been.
        """
        found: list[set[str] | None] = []
        for rows in self.of.alike:
            tests, values = self.of.tests_of(self.measure, self.group, rows), self._values(rows)
            ahead = tests.ahead(values, self._asked)
            if ahead is None and len(tests.rivals(values)) < 2:
                ahead = set()
            found.append(ahead if ahead is None else {rows[n] for n in ahead})
        return found

    @cached_property
    def ranking(self) -> list[tuple[list[tuple[str, str]], int]]:
        """Finished rows for each way of asking, best first, and the number of items ranked on.

        Each row has letters: rows that share one do not differ.
        """
        found: list[tuple[list[tuple[str, str]], int]] = []
        for rows in self.of.alike:
            if self.of.judge not in (None, self.measure):
                found.append(([], 0))  # whoever is judged is ranked by the total
                continue
            tests, values = self.of.tests_of(self.measure, self.group, rows), self._values(rows)
            ranked = tests.ranking(values, self._asked)
            own = [(rows[n], letters) for n, letters in ranked]
            shared = tests.shared(self._asked) if len(own) > 1 else 0
            found.append((own, shared or max((values[n].items for n, _ in ranked), default=0)))
        return found


def runs_beside(
    folders: Sequence[Path], names: Mapping[Path, str], progress: Progress
) -> tuple[list[PaperRuns], list[PaperRun]]:
    """The runs by benchmark; and those without a figure.

    `progress` is told of each run before it is read.
    """
    found: list[PaperRuns] = []
    silent: list[PaperRun] = []
    gathered = gather(folders, lambda run: True)
    every = [run for runs in gathered.values() for run in runs]
    models = dict(
        zip((run.folder for run in every), briefs([run.manifest.model for run in every]),
            strict=True)
    )  # fmt: skip
    read, asked = count(), []
    for benchmark, runs in gathered.items():
        named: dict[tuple[str, str], list[PaperRun]] = {}
        for run in runs:
            progress(next(read), len(every))
            run = run.as_asked()
            if has_figure(run):
                named.setdefault((names.get(run.folder, ""), run.way), []).append(run)
            else:
                silent.append(run)
        for (name, _), members in named.items():
            own = [own_name(run.manifest, models[run.folder]) for run in members]
            asked.append((benchmark, members, own, name))
    each = [in_rows(*one) for one in asked]
    settings = [{settings_of_row(text) for own in one for text in own.rows.values()}
                for one in each]  # fmt: skip
    # A setting that tells no two runs of a benchmark apart is not the row's, unless others have it.
    moved = all(len(own) == 1 for own in settings) and len(set.union(set(), *settings)) > 1
    for n, (one, beside) in enumerate(zip(asked, each, strict=True)):
        others = set.union(set(), *settings[:n], *settings[n + 1 :])
        own_alone = len(one[1]) == 1 and (
            moved or (bool(others) and others.isdisjoint(settings[n]))
        )
        found += in_rows(*one, alone=True) if own_alone else beside
    return found, silent


def settings_of_row(called: Text) -> str:
    """What a row is called beside its model: its settings in words."""
    return str(called.facts.get("settings", "")) if isinstance(called, Said) else ""


def has_figure(run: PaperRun) -> bool:
    """Tell whether a run has any figure: a measure, a score in parts, one by degrees."""
    declared = (known(run.manifest).measures[0], *known(run.manifest).measures)
    whole = (msgspec.structs.replace(one, group=ALL) for one in declared[1:])
    totals = known(run.manifest).totals(run.folder)
    return (
        any(has_measure([run], one) for own in totals for one in (own, *own.parts))
        or any(has_measure([run], one) for one in (declared[0], *whole))
        or by_degrees(run) is not None
    )


def in_rows(
    benchmark: str, runs: Sequence[PaperRun], names: Sequence[str], title: Text = "",
    ignore: Collection[str] = (), *, alone: bool = False,
) -> list[PaperRuns]:  # fmt: skip
    """Runs of a benchmark in the same columns; of scores in parts in columns for each judge.

    Parameters
    ----------
    benchmark : str
    runs : sequence of PaperRun
        All asked in the main way, or all in one altered way alone.
    names : sequence of str
        What they are called; those that would share a row are called by their labels.
    title : Text
        In the place of the benchmark's name.
    ignore : collection of str
        Settings in which they may differ.
    alone : bool
        Whether settings of a lone run stand in `common`, as those that several share do.
    """
    called, way = set_of_runs([(run.manifest, run.rows) for run in runs], title), runs[0].way
    alike = asked_alike(runs, ignore)
    otherwise = asked_otherwise(runs, alike, ignore)
    if alone:
        otherwise = AskedOtherwise(otherwise.each[0], [[]])
    tables = on_shared_items(runs, alike)
    found: list[PaperRuns] = []
    for table in tables:
        own = [alike[n] for n in table]
        members = [run for each in own for run in each]
        shared = _in_all([otherwise.each[run] for run in members]) if len(tables) > 1 else []
        others = [run for n in {*range(len(alike))} - {*table} for run in alike[n]]
        task = task_of([runs[run] for run in members], [runs[run] for run in others])
        clauses = [task] if task else shared
        head: Text = said("boards-title", benchmark=called, clauses=clauses) if clauses else called
        told = set(map(str, shared))
        labels: list[Text] = []
        for run in sorted(members):
            label = runs[run].manifest.label
            words = [each for each in otherwise.each[run]
                     if str(each) not in told and not _tells(label, each)]  # fmt: skip
            labels.append(said("boards-row", name=Named(names[run]), settings=words) if words
                          else names[run])  # fmt: skip
        texts = [str(label) for label in labels]
        for place, run in enumerate(sorted(members)):
            if texts.count(texts[place]) > 1:
                labels[place] = runs[run].label
        rows = dict(zip(sorted(members), map(str, labels), strict=True))
        found.append(PaperRuns(
            said("table-way", title=head, way=way_in_words(way)) if way else head, benchmark,
            {row: runs[run] for run, row in rows.items()},
            dict(zip(rows.values(), labels, strict=True)),
            [[rows[n] for n in each] for each in own], otherwise.common, way=way,
        ))  # fmt: skip
    return [own for one in found for own in _by_judge(one)]


def _tells(label: str, setting: Said) -> bool:
    """Tell whether a label has a setting in it: "five-shot" and "good, five" have 5 shots."""
    told, wanted, last = (
        [
            str(NUMBER_WORDS.index(word)) if word in NUMBER_WORDS else word.removesuffix("s")
            for word in re.findall(r"\w+", text.lower())
        ]
        for text in (label, str(setting), label.rpartition(", ")[2] if ", " in label else "")
    )
    within = any(told[n : n + len(wanted)] == wanted for n in range(len(told)))
    return within or (bool(last) and {*last} <= {*wanted})


def task_of(runs: Sequence[PaperRun], others: Sequence[PaperRun]) -> Text:
    """The group that holds all that some runs were asked, and nothing of others; "" for none.

    Without others, one that was chosen.
    """
    elsewhere = {group for run in others for group in run.asked_in}
    reasons = [one for run in runs if (part := run.coverage.part) for one in part.facts["reasons"]]
    chosen = {one.facts.get("value") for one in reasons}
    own = [group for group in runs[0].asked_in if group not in elsewhere
           and (others or group in chosen) and _is_all(group, runs)]  # fmt: skip
    group = min(own, key=lambda name: (name.count("/"), len(name)), default="")
    return known(runs[0].manifest).titles.get(group) or (group_name(group) if group else "")


def _in_all(several: Sequence[Sequence[Said]]) -> list[Said]:
    """Return the messages that are in each of some lists."""
    return [one for one in several[0] if all(str(one) in map(str, own) for own in several)]


def _by_judge(one: PaperRuns) -> list[PaperRuns]:
    """Runs in the same columns; of scores in parts in columns for each judge."""
    each = (known(run.manifest).totals(run.folder) for run in one.runs.values())
    totals = list(dict.fromkeys(total for own in each for total in own))
    return [
        msgspec.structs.replace(
            one, judge=total, title=said("table-judged", title=one.title, judge=total.by or None)
        )
        for total in [total for total in totals if total.by] or totals
    ] or [one]


def by_degrees(run: PaperRun) -> Estimate | None:
    """The figure of a run whose trials are right by degrees, where its benchmark declares one."""
    return next(iter(known(run.manifest).by_degrees(run.rows)), None)


def columns_of(one: PaperRuns, *, groups: bool) -> Iterator[PaperColumn]:
    """The headline of a benchmark; with `groups` that of each of its main groups, and then its
    other own measures.
    """
    runs = list(one.runs.values())
    if one.judge is not None:
        more = one.judge.parts if groups else ()
        yield from (PaperColumn(one, measure, ALL) for measure in (one.judge, *more))
        return
    main, declared = headlines(runs), known(runs[0].manifest).measures
    degrees = next(filter(None, map(by_degrees, runs)), None)
    if degrees and not has_measure(runs, declared[0]):
        main = [msgspec.structs.replace(degrees.measure, range=(0.0, None), declared=False)]
    if len(main) > 1 and not groups:
        main = [ACCURACY]
    wanted = [(measure, measure.group) for measure in main]
    if groups and main[0].of == ACCURACY.of == declared[0].of and declared[0].group == ALL:
        wanted.insert(0, (ACCURACY, ALL))
    if groups and main[0].declared:
        names = {g for run in runs for g in run.asked_in if g.count("/") < 2}
        ordered = in_order(names, known(runs[0].manifest))
        top = [group for group in ordered if "/" not in group]
        if all(_is_all(group, runs) for group in top):  # of one task alone its parts
            top = [group for group in ordered if "=" not in group]
        usual = any(main[0].of == each.of for each in USUAL)
        wanted += [(ACCURACY if usual else main[0], group) for group in top]
    if groups:
        usual_ones = set(USUAL) - {ACCURACY}
        own = [m for m in declared if m not in usual_ones and m.fit is None and m not in main]
        wanted += [(m, m.group) for m in own if has_measure(runs, m)]
    plain, seen = (ACCURACY, ALL) in wanted, set[tuple[str, ...]]()
    for of, group in wanted:
        again = plain and of == ACCURACY and group != ALL and _is_all(group, runs)
        key = (of.name, *(_trials_of(group, run) for run in runs))
        if not again and key not in seen:  # a part of one category is said once
            seen.add(key)
            yield PaperColumn(one, of, group)


def _trials_of(group: str, run: PaperRun) -> str:
    """Hash a run's trials in a group: equal for groups that hold the same ones."""
    return hashlib.sha256(run.frame.places(group, run.way).tobytes()).hexdigest()


def _is_all(group: str, runs: Iterable[PaperRun]) -> bool:
    """Tell whether a group holds all that runs were asked."""
    return all(_trials_of(group, run) == _trials_of(ALL, run) for run in runs)
