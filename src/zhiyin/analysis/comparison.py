"""Results of a comparison of runs and their tables: in a terminal, on a page, in Python."""

from __future__ import annotations

import itertools
import math
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Literal

import msgspec

from zhiyin.analysis.run import RULES, RunKind, answerers, contenders, in_order, kind_of_model
from zhiyin.contract.registry import known
from zhiyin.engine.folder import read_manifest
from zhiyin.engine.scoring import ALL
from zhiyin.idioms import grouped
from zhiyin.numerals import p_value
from zhiyin.runs.figures import GroupTree, group_name, way_in_words
from zhiyin.runs.measures import EXPLORATORY, SHARE
from zhiyin.runs.ways import Ways, ways_in
from zhiyin.shown.table import Cell, Column, Kind, Row, Table, kinds_of, written
from zhiyin.statistics.intervals import Interval
from zhiyin.statistics.paired import Discordance, Flips
from zhiyin.trial import one_line
from zhiyin.words import Named, Said, Text, said
from zhiyin.words.findings import Warning

_MOST_SENTENCES = 6
_SHORT = 7
"""Letters of a run's name that heads a column; of longer names the table's title tells the letter
that stands for it, so that a table of groups fits into 80 columns."""


class GroupDifference(msgspec.Struct, frozen=True, omit_defaults=True):
    """Two runs on one group of items.

    Attributes
    ----------
    group : str
    family : str
        Within which `p_adjusted` is corrected; "exploratory" where none was declared.
    items, clusters : int
    first, second : float
        Mean scores.
    difference, low, high, se : float
        First minus second, its cluster-robust interval and standard error.
    test : {"mcnemar", "sign-flip", "crossed"}
        Which test `p` is of: McNemar's where all items are independent and right or wrong, the
        sign-flip test over whole clusters otherwise; "crossed" where several people answered.
    p, p_adjusted : float
        By Holm within a family, by Benjamini and Hochberg among the exploratory ones.
    resolved : bool
        Whether ``p_adjusted`` is below alpha.
    detectable : float
        Smallest true difference that the test would find with 80 % power at alpha, uncorrected;
        infinite (null in JSON) where so few items, or clusters, can show none.
    mcnemar : Discordance or None
        None where some score is neither 0 nor 1.
    sign_flip : Flips or None
        None where it is not the test, and was not wanted beside it.
    same_as : str
        The group that holds the very same trials, of which this is told; "" for none.
    """

    group: str
    family: str
    items: int
    clusters: int
    first: float
    second: float
    difference: float
    low: float
    high: float
    se: float
    test: str
    p: float
    p_adjusted: float
    resolved: bool
    detectable: float
    mcnemar: Discordance | None
    sign_flip: Flips | None
    same_as: str = ""

    def findable(self, scale: str = SHARE) -> float | None:
        """`detectable`; None where no difference on this scale is so large.

        A difference of shares is at most 1, of rates that exceed 1 at most the larger of them.
        """
        most = max(1.0, abs(self.first), abs(self.second)) if scale == SHARE else math.inf
        return self.detectable if self.detectable <= most and self.detectable < math.inf else None

    def turned(self) -> GroupDifference:
        """The second minus the first."""
        return msgspec.structs.replace(
            self, first=self.second, second=self.first, difference=0.0 - self.difference,
            low=0.0 - self.high, high=0.0 - self.low,
        )  # fmt: skip

    @property
    def declared(self) -> bool:
        """True if its test was declared beforehand, as that of the whole always is."""
        return self.family not in (ALL, EXPLORATORY)

    @property
    def told(self) -> bool:
        """True if it is told of also in short: of the whole, or declared."""
        return self.declared or self.group == ALL


Side = Literal["above", "open", "below"]
"""Where a model is shown to be, beside a baseline."""


class RunPair(msgspec.Struct, frozen=True):
    """Two runs, the first minus the second, in every group: the headline's first, the whole."""

    first: str
    second: str
    groups: list[GroupDifference]

    @property
    def distinct(self) -> list[GroupDifference]:
        """Each group once: of those that hold the very same items the first."""
        first, *others = self.groups
        return [first, *(row for row in others if not row.same_as and row.group != first.same_as)]


class RankedRun(msgspec.Struct, frozen=True):
    """A run in the ranking. Runs that share a letter do not differ significantly.

    One that is not `finished`, where others are, has no letters and stands last. `always` and
    `always_but` as of `GroupFigures`.
    """

    label: str
    score: Interval
    letters: str
    finished: bool = True
    kind: RunKind = "model"
    always: str = ""
    always_but: int = 0


class ComparedRun(msgspec.Struct, frozen=True):
    """One of the runs.

    `items` are those with a score, from `trials` (more where items are asked several times);
    `left_out` of these trials are not in the comparison because another run lacks their item, or
    was not asked it under that condition.
    """

    label: str
    run: str
    model: str
    trials: int
    items: int
    left_out: int


class Comparison(msgspec.Struct, frozen=True):
    """Everything that a comparison found.

    Attributes
    ----------
    benchmark : str
    measure : str
        "accuracy", or the name of a score.
    alpha : float
    items : int
        Items that every finished run judged, asked in the way that counts (not with silence or
        noise).
    runs : list of ComparedRun
        In the order given.
    settings : dict
        What the runs were set to differently: setting -> label -> value.
    warnings : list of Warning
        What limits the comparison.
    pairs : list of RunPair
    ranking : list of RankedRun
        Best first.
    unit : str
        What `items` counts: "items", or "songs" where scores are made of parts.
    own_set : bool
        Whether the questions are Zhiyin's own in the form of a published set.
    people : int
        How many of the runs hold answers of people.
    lower_is_better : bool
        Whether the lower of two values is the better.
    scale : str
        The unit of the measure; "share" is of 1.
    declared : bool
        Whether the benchmark declares the measure; else its direction is not known.
    group : str
        That of the ranking and of each pair's first row: the headline's where all have it.
    alike : list of str
        The unusual settings that all runs share: no label has them.
    baseline : str or None
        The best blind one beside models; `against_baseline` has where each of them is.
    """

    benchmark: str
    measure: str
    alpha: float
    items: int
    runs: list[ComparedRun]
    settings: dict[str, dict[str, object]]
    warnings: list[Warning]
    pairs: list[RunPair]
    ranking: list[RankedRun]
    unit: str = "items"
    own_set: bool = False
    people: int = 0
    lower_is_better: bool = False
    scale: str = SHARE
    declared: bool = True
    group: str = ALL
    alike: list[str] = []
    baseline: str | None = None
    against_baseline: dict[str, Side] = {}

    @property
    def by_judge(self) -> bool:
        """True if it is of the grades of a judge."""
        return self.unit == "songs"

    def better_first(self) -> Comparison:
        """The same as people read it: of each pair the better run, on everything, minus the other.

        In JSON the first that was given stands first.
        """
        sign = -1 if self.lower_is_better else 1
        pairs = [
            pair if sign * pair.groups[0].difference >= 0
            else RunPair(pair.second, pair.first, [row.turned() for row in pair.groups])
            for pair in self.pairs
        ]  # fmt: skip
        return msgspec.structs.replace(self, pairs=pairs)

    def better(self, pair: RunPair, row: GroupDifference) -> str | None:
        """Return the run of a pair shown to be better in a group; None where the test is open."""
        if not row.resolved:
            return None
        return pair.first if (row.difference > 0) != self.lower_is_better else pair.second

    def named(self, *pairs: RunPair) -> Said:
        """Its benchmark, in the one altered way in which all that some pairs share was asked."""
        named = said("of-which-set", benchmark=self.benchmark, own=self.own_set)
        way, *more = {self._only_way(pair) for pair in pairs}
        alone = way and not more
        return said("table-way", title=named, way=way_in_words(way)) if alone else named

    @property
    def title(self) -> Said:
        """Title: what was compared, and on how much."""
        return said(
            "compare-title", benchmark=self.named(*self.pairs), measure=self.measure,
            alike=self.alike, title=self.part, items=self.items, unit=self.unit,
            low=self.lower_is_better,
            scale="share" if self.scale == self.measure else self.scale, declared=self.declared,
            who=answerers(len(self.runs), self.people) if self.ranking else None,
            runs=len(self.runs), finished=not all(one.finished for one in self.ranking),
        )  # fmt: skip

    @property
    def part(self) -> Text | None:
        """The group of the ranking in words; None for the whole."""
        titles = known(read_manifest(self.runs[0].run)).titles
        return None if self.group == ALL else titles.get(self.group) or group_name(self.group)

    @property
    def kinds(self) -> tuple[Kind, Kind]:
        """Kinds of columns for values and for differences."""
        return kinds_of(self.scale)

    def key(self, *, whole: bool) -> Said:
        """Explain the columns, the signs and what is corrected: in short, or whole."""
        first, second = self.sides
        by_pair = len(self.pairs) > 1 and not whole  # a line for each, none for exploratory groups
        each = [([row for row in pair.distinct[1:] if row.told or not by_pair],
                 self.for_scale(pair)) for pair in self.pairs]  # fmt: skip
        rows = [row for own, _ in each for row in own]
        heads = [pair.groups[0] for pair in self.pairs]
        marked = {row.family == self.group for row in (*(() if by_pair else heads), *rows)
                  if row.declared}  # fmt: skip
        tested = [row for row in (*heads, *rows) if row.low < row.high]  # others have no interval
        tests = {row.test for row in tested}
        flips = "all" if tests == {"sign-flip"} else "some" if "sign-flip" in tests else "exact"
        flips = "people" if "crossed" in tests else flips
        corrected = corrected_for(each, self.part) if tests else None
        if whole:
            return said(
                "compare-key", first=first, second=second, corrected=corrected, scale=self.scale
            )
        return said(
            "compare-key-short", first=first, second=second, scale=self.scale,
            flips=flips if tests else "none",
            declared="both" if len(marked) > 1 else "head" if True in marked else bool(marked),
            small=any(row.findable(self.scale) is None for row in tested), corrected=corrected,
        )  # fmt: skip

    def sentences(self) -> list[Said]:
        """The difference of each pair as a paper's text has it, and how many more there are.

        Of models that were asked alike, before baselines, which stand for chance; of the two best
        where there are none. Of accuracy alone, and none of people, whose test is another one.
        """
        if self.measure != "accuracy" or self.unit != "items" or self.people or not self.ranking:
            return []
        order = sorted(self.ranking, key=lambda one: (not one.finished, one.kind in RULES))
        able = [one.label for one in order if one.finished and one.kind not in RULES]
        alike = self._alike(able)
        wanted = [{*pair} for own in alike for pair in itertools.combinations(own, 2)]
        told = {one.label for one in self.ranking if not one.always}  # else how often it is right
        by_runs = {frozenset((p.first, p.second)): p for p in self.better_first().pairs}
        pairs = [
            by_runs[key] for each in wanted or [{one.label for one in order[:2]}]
            if (key := frozenset(each & told)) in by_runs
        ]  # fmt: skip
        pairs = [pair for pair in pairs if pair.groups[0].low != pair.groups[0].high]
        more = len(pairs) - _MOST_SENTENCES
        left = [said("compare-more", n=more)] if more > 0 else []
        sides = self.against_baseline.items()
        gaps = [(Named(label), side, self._behind(label)) for label, side in sides]
        beside = [beside_baseline(Named(self.baseline), gaps, self.scale)] if self.baseline else []
        rules = [said("lead", clauses=[one]) for one in beside]
        return [*map(self._sentence, pairs[:_MOST_SENTENCES]), *left, *rules]

    def _behind(self, label: str) -> tuple[float, float, float]:
        """By how much the baseline is better than a run, with its interval."""
        row = next(
            pair.groups[0] if pair.first == self.baseline else pair.groups[0].turned()
            for pair in self.pairs if {pair.first, pair.second} == {self.baseline, label}
        )  # fmt: skip
        row = row.turned() if self.lower_is_better else row
        return row.difference, row.low, row.high

    def held_against_baseline(self) -> Comparison:
        """The same with its models held against the best blind baseline, where there are both."""
        models = {run.label: run.model for run in self.runs}
        done = [one for one in self.ranking if one.finished]
        rules = [one.label for one in done if kind_of_model(models[one.label]) == "baseline"]
        able = {one.label for one in done if one.kind not in RULES}
        sides: dict[str, Side] = {}
        for pair in self.pairs:
            both = {pair.first, pair.second}
            if rules and rules[0] in both and (label := min(both - {rules[0]})) in able:
                better = self.better(pair, pair.groups[0])
                sides[label] = "open" if better is None else "above" if better == label else "below"
        best = rules[0] if sides else None
        return msgspec.structs.replace(self, baseline=best, against_baseline=sides)

    def _alike(self, labels: Sequence[str]) -> list[list[str]]:
        """Runs that were asked alike, in the order given."""
        from zhiyin.analysis.beside import asked_alike
        from zhiyin.analysis.run import OpenRun

        places = {run.label: Path(run.run) for run in self.runs}
        groups = asked_alike([OpenRun(places[label]) for label in labels]) if labels else []
        return [[labels[n] for n in own] for own in groups]

    def _sentence(self, pair: RunPair) -> Said:
        """The difference of two runs on everything."""
        whole, apart = pair.groups[0], self.for_scale(pair)
        together = sum(self.for_scale(other) == apart for other in self.pairs)
        return said(
            "compare-sentence", who=pair.first, other=pair.second,
            value=whole.first, second=whole.second,
            mean=whole.difference, low=whole.low, high=whole.high, p=whole.p_adjusted,
            flips=whole.test == "sign-flip", pairs=together, resolved=whole.resolved,
            n=whole.items, title=self.named(pair), part=self.part,
        )  # fmt: skip

    def for_scale(self, pair: RunPair) -> bool:
        """Tell whether a pair is corrected apart, as one of it is no model that is ranked."""
        done = [one for one in self.ranking if one.finished]
        kinds = contenders({one.kind for one in done})
        return not {pair.first, pair.second} <= {one.label for one in done if one.kind in kinds}

    def _only_way(self, pair: RunPair) -> str:
        """The altered way in which all that a pair shares was asked; "" where none was."""
        ways = ways_in(Path(self.runs[0].run))
        same = (row.group for row in pair.groups if row.family == ALL)  # holds all of it
        return next(filter(ways.is_altered, same), "")

    @property
    def sides(self) -> tuple[str, str]:
        """Headings of the columns of a pair's two runs: short names, or A and B."""
        if len(self.pairs) == 1:
            names = self.pairs[0].first, self.pairs[0].second
            if max(map(len, names)) <= _SHORT:
                return names
        return "A", "B"

    def tables(self, *, whole: bool = False, plainly: bool = False) -> list[Table]:
        """The ranking of more than two runs, and the differences.

        Of one pair its groups; of several the whole of each with the groups whose tests were
        declared, or with `whole` all groups of each.
        Groups are called by their titles, else as they are logged; for a page `plainly` in words.
        """
        tables = [self._ranking_table()] if len(self.runs) > 2 and self.ranking else []
        titles: Mapping[str, Text] = known(read_manifest(self.runs[0].run)).titles
        if len(self.pairs) > 1 and not whole:
            return [*tables, self._pairs_table(titles)]
        if plainly:
            tree = GroupTree([row.group for pair in self.pairs for row in pair.groups], titles)
            titles = {name: tree.in_words(name) for name in tree}
        return [*tables, *(self._groups_table(pair, titles) for pair in self.pairs)]

    def _ranking_table(self) -> Table:
        scale = None if self.scale == self.measure else self.scale
        columns = (
            Column(said("compare-run")),
            Column(said("compare-score", measure=self.measure, scale=scale), self.kinds[0]),
            Column(said("compare-interval"), self.kinds[0]), Column(said("compare-letters")),
        )  # fmt: skip
        rows = tuple(
            Row((
                run.label, run.score.mean,
                said("short-always", letter=run.always, others=run.always_but)
                if run.always else (run.score.low, run.score.high),
                run.letters if run.finished else said("compare-no-rank"),
            ), 0, -n, "" if run.finished else "soft")
            for n, run in enumerate(self.ranking)
        )  # fmt: skip
        many = len(self.pairs) < math.comb(len(self.runs), 2)
        note = said("compare-same-letter", alpha=self.alpha, many=many)
        return Table("ranking", said("compare-ranking"), columns, rows, (note,))

    def _pairs_table(self, titles: Mapping[str, Text]) -> Table:
        """The first row of each pair, those of the best runs first; the whole, declared groups."""
        places = {run.label: place for place, run in enumerate(self.ranking)}
        last = len(places)  # where nothing is shared by all there is no ranking
        pairs = sorted(self.pairs, key=lambda pair: sorted(
            places.get(n, last) for n in (pair.first, pair.second)))  # fmt: skip
        rows = []
        for n, pair in enumerate(pairs):
            named = f"{pair.first} − {pair.second}"
            rows.append(Row((named, *self._cells(pair, pair.groups[0])), 0, -n))
            tree = GroupTree([row.group for row in pair.groups], titles)
            rows += [Row((_named(tree.in_words(row.group), row), *self._cells(pair, row)), 1, -n)
                     for row in pair.distinct[1:] if row.told]  # fmt: skip
        columns = self._columns(said("compare-pair", part=self.part))
        return Table("pairs", "", columns, tuple(rows))

    def _groups_table(self, pair: RunPair, titles: Mapping[str, Text]) -> Table:
        """The groups of a pair."""
        tree = GroupTree([row.group for row in pair.groups], titles)
        ways = ways_in(Path(self.runs[0].run))
        sounds = Ways(way for way in ways if way.changes == "sound")
        unheard = set() if self._only_way(pair) else {
            row.group for row in pair.groups if any(map(sounds.is_altered, row.group.split("/")))
        }  # fmt: skip
        kind = known(read_manifest(self.runs[0].run))
        by_name = {row.group: row for row in pair.distinct}
        kept = GroupTree(by_name, titles)
        ordered = in_order(by_name, kind) if self.group != ALL else by_name
        rows = [
            Row((_named(tree.title(name), row),
                 *self._cells(pair, row, tested=name not in unheard)),
                kept.level(name), kept.weight(name, row.items))
            for name, row in ((name, by_name[name]) for name in ordered)
        ]  # fmt: skip
        title = said("compare-sides", a=self.sides[0], first=pair.first, second=pair.second)
        notes = (said("compare-unheard"),) if unheard else ()
        return Table("groups", title, self._columns(said("compare-group")), tuple(rows), notes)

    def _columns(self, about: Said) -> tuple[Column, ...]:
        (first, second), (value, gap) = self.sides, self.kinds
        return (
            Column(about), Column(said("compare-unit", unit=self.unit), "count"),
            Column(first, value), Column(second, value), Column(said("compare-difference"), gap),
            Column(said("compare-interval"), gap), Column("p", "p"),
            Column("MDE", value), Column(said("compare-better")),
        )  # fmt: skip

    def _cells(
        self, pair: RunPair, row: GroupDifference, *, tested: bool = True
    ) -> tuple[Cell, ...]:
        better = self.better(pair, row)
        verdict = "?" if better is None else self.sides[better != pair.first]
        verdict = verdict if tested else "-"  # what is right without the sound is no merit
        figures = (row.items, row.first, row.second, row.difference)
        if row.low == row.high:  # the same replies twice
            return (*figures, None, None, None, verdict)
        p = p_value(row.p_adjusted) + {"sign-flip": "*", "crossed": "‡"}.get(row.test, "")
        return (*figures, (row.low, row.high), p, row.findable(self.scale), verdict)

    def __repr__(self) -> str:
        """Write on one line how much was compared, and the first difference."""
        about = [self.measure, f"{self.items:,} {self.unit}"]
        if len(self.pairs) == 1:
            (pair,) = self.better_first().pairs
            whole = pair.groups[0]
            ends = whole.difference, whole.low, whole.high
            told = written(ends, Column("", self.kinds[1]))
            about.append(f"{pair.first} − {pair.second} {told}")
        else:
            about.append(f"{len(self.runs)} runs")
        return one_line("Comparison", self.benchmark, "", *about)

    def _repr_html_(self) -> str:
        """The tables, and what limits the comparison, for a notebook."""
        from zhiyin.shown.pages import in_notebook, paragraphs

        shown = self.better_first()
        about = paragraphs("compared", [self.title]), paragraphs("key", [shown.key(whole=False)])
        tables = map(in_notebook, shown.tables())
        return "".join([about[0], *tables, about[1], paragraphs("warning", self.warnings)])


def beside_baseline(
    baseline: Named | None,
    gaps: Sequence[tuple[Named, Side, tuple[float, float, float]]],
    scale: str,
) -> Said:
    """Say of each model whether it is shown to be better, or worse, than the best baseline.

    Parameters
    ----------
    baseline : Named
    gaps : sequence of tuple
        Each model, where it is, and by how much the baseline is better, with its interval.
    scale : str
        The unit of the figure.
    """
    sides = []
    for side, several in grouped((side, (who, gap)) for who, side, gap in gaps).items():
        (_, (mean, *ends)), *more = several
        low, high = sorted(ends if mean >= 0 else (-end for end in ends))
        sides.append(said(
            "lead-rule-side", side=side, who=[who for who, _ in several], scale=scale,
            mean=None if more else abs(mean), ahead=mean < 0, low=low, high=high,
        ))  # fmt: skip
    return said("lead-rule", who=baseline, sides=sides)


def corrected_for(
    each: Sequence[tuple[Sequence[GroupDifference], bool]], part: Text | None
) -> Said | None:
    """Say that intervals stand alone while p is corrected, for how many tests; None for one test.

    Parameters
    ----------
    each : sequence of tuple
        Of each pair what is shown beside the first row, and whether it is there for scale: such
        pairs are corrected by themselves.
    part : Text or None
        The group in which they are ranked, where it is not the whole.
    """

    def sizes(wanted: Callable[[GroupDifference], bool]) -> Counter[bool]:
        return Counter(scale for rows, scale in each for row in rows if wanted(row))

    found = [
        ("groups", 1, None, sizes(lambda row: row.family == EXPLORATORY)),
        ("declared", 1, None, sizes(lambda row: row.declared)),
        ("pairs", 2, part, Counter(scale for _, scale in each)),
        ("pairs", 2, None, sizes(lambda row: row.group == ALL)),
    ]
    tests = [
        said("compare-tests", of=of, n=size.total(), scale=size[True] % size.total(), part=group)
        for of, least, group, size in found if size.total() >= least
    ]  # fmt: skip
    return said("compare-corrected", tests=tests) if tests else None


def _named(title: Text, row: GroupDifference) -> Text:
    return said("compare-declared", group=title) if row.declared else title
