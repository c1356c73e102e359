"""Runs of one benchmark side by side: which may be held against each other, and how rows tell.

Runs are comparable where they were asked the same items in the same way. That is decided here, from
the items, for every table that ranks runs; what else they were set to differently stands in words
beside them.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import cache
from itertools import combinations
from pathlib import Path
from typing import Any, NamedTuple, Protocol

import numpy as np

from zhiyin.analysis.compare import sample_of
from zhiyin.analysis.coverage import Coverage
from zhiyin.analysis.pairs import Places, RunSample, TestedRuns, compare_pairs, on_shared
from zhiyin.analysis.run import RULES, contenders
from zhiyin.contract.options import setting_words
from zhiyin.contract.registry import known
from zhiyin.contract.resolved import (
    COMMITMENT,
    UNSET,
    limit_units,
    published_config,
    resolved,
    resolved_beside,
    setting_in_words,
    usual,
)
from zhiyin.contract.session_parts import known_conditions
from zhiyin.engine.folder import Manifest
from zhiyin.engine.naming import people_in
from zhiyin.engine.scoring import ALL
from zhiyin.flags import fields_of
from zhiyin.runs.columns import cells_of
from zhiyin.runs.measures import Estimate, Ints, Measure
from zhiyin.runs.rows import Rows, read_table
from zhiyin.runs.ways import ways_of
from zhiyin.statistics.intervals import how_many
from zhiyin.statistics.paired import rank
from zhiyin.words import Said, Text, said

_WHOLE = 0.95
"""Two sets of items of which less is shared are not the same."""
_ITEMS = frozenset(("data", "model_data", "limit", "sample", "shard", COMMITMENT, "options.seed",
                    "options.data", "options.imported", "options.rule"))  # fmt: skip
"""Settings that choose items, which the items tell, and the rule by which the program that wrote an
imported log had read it: what counts here is ``options.extract``."""
_OF_MODELS = ("sampling.", "sound.")
"""How settings of the one who is asked begin: they are told, and may be compared."""


@cache
def _other_ways() -> frozenset[str]:
    """Settings of ways of asking of which only the main one is compared."""
    names = {name for kind in known_conditions() for name in kind.Settings.__struct_fields__}
    return frozenset(f"options.{name}" for name in {"repeats", "rotations", "partial", *names})


class ReadRun(Protocol):
    """A run, as far as it is told apart from others."""

    @property
    def folder(self) -> Path:
        """Folder of the run."""

    @property
    def manifest(self) -> Manifest:
        """Settings of the run."""

    @property
    def coverage(self) -> Coverage:
        """Coverage of what was asked."""


class _AskedItems(NamedTuple):
    """Cells that a run settled in its main way, or at all without one, and cell by question."""

    cells: Ints
    pairs: Ints
    cell_of: Ints
    done: bool
    fixed: str
    people: bool

    @classmethod
    def of(cls, run: ReadRun) -> _AskedItems:
        table = read_table(run.folder, questions=True)
        rows = Rows(table, table.rows).unvaried
        rows = next((some for some in (rows.settled.main, rows.settled, rows) if len(some)), rows)
        cells = cells_of(rows.items, table.way[rows.numbers])
        pairs = cells_of(cells, table.question[rows.numbers])
        pairs, first = np.unique(pairs, return_index=True)
        data = run.manifest.config.get("data") if run.manifest.sequences else None
        asked = np.unique(cells), pairs, cells[first], run.coverage.done
        return cls(*asked, str(data or ""), people_in(run.manifest) > 0)

    def same_as(self, other: _AskedItems) -> bool:
        """Tell whether two were asked the same (sequences that go by answers: the same data).

        People beside a model are asked a part of its items: with practice aside, or a few each.
        """
        if self.fixed and self.fixed == other.fixed:
            return True
        shared = np.intersect1d(self.cells, other.cells)
        sizes = len(self.cells), len(other.cells)
        most = max(sizes) if self.done and other.done else min(sizes)
        most = most if self.people == other.people else 0
        if not len(shared) or len(shared) < _WHOLE * most:
            return False
        return self.meets(other) == len(shared)

    def meets(self, other: _AskedItems) -> int:
        """Count the cells that ask the same in both."""
        return len(np.unique(self.cell_of[np.isin(self.pairs, other.pairs)]))


def asked_alike(runs: Sequence[ReadRun], ignore: Collection[str] = ()) -> list[list[int]]:
    """Runs of one benchmark that may be tested against each other, by their numbers.

    They were asked the same items, whatever their settings call these, with the same examples, by
    the same rules and so on: only who was asked, and how that one generates, may differ.

    Parameters
    ----------
    runs : sequence of ReadRun
    ignore : collection of str
        Settings that do not count, such as ``options.shots``.

    Returns
    -------
    list of list of int
        In the order of the first of each.
    """
    every = _settings_beside(runs)
    groups: dict[str, list[tuple[int, list[int]]]] = {}
    bare = [{**one, "planned": run.manifest.planned} for one, run in zip(every, runs, strict=True)]
    alike: dict[str, int] = {}
    asked: dict[int, _AskedItems] = {}
    models_first = sorted(range(len(runs)), key=lambda n: people_in(runs[n].manifest) > 0)
    for number in models_first:
        run = runs[number]
        kept = {n: v for n, v in every[number].items() if n not in ignore}
        way = {n: v for n, v in kept.items() if not _of_items(n, run.manifest)}
        groups_here = groups.setdefault(str(sorted(way.items(), key=str)), [])
        first = alike.setdefault(str(sorted(bare[number].items(), key=str)), number)
        place = next((own for _, own in groups_here if first in own), None)
        if place is None and groups_here:
            for n in (number, *(first for first, _ in groups_here)):
                asked[n] = asked.get(n) or _AskedItems.of(runs[n])
            place = next((own for first, own in groups_here
                          if asked[first].same_as(asked[number])), None)  # fmt: skip
        if place is None:
            groups_here.append((number, [number]))
        else:
            place.append(number)
    return sorted(sorted(own) for each in groups.values() for _, own in each)


def only_setting(one: ReadRun, other: ReadRun) -> str:
    """Name the one setting of asking in which two runs of a model differ; or ""."""
    if one.manifest.model != other.manifest.model:
        return ""
    first, second = settings_of(one.manifest), settings_of(other.manifest)
    names = [
        name for name in first.keys() | second.keys()
        if first.get(name) != second.get(name) and not _of_items(name, one.manifest)
    ]  # fmt: skip
    return names[0] if len(names) == 1 and len(asked_alike([one, other], names)) == 1 else ""


def on_shared_items(runs: Sequence[ReadRun], alike: Sequence[Sequence[int]]) -> list[list[int]]:
    """Join groups of `asked_alike` that share any items, by their numbers: one table each."""
    tables: list[list[int]] = []
    asked = [_AskedItems.of(runs[own[0]]) for own in alike] if len(alike) > 1 else []
    for number in range(len(alike)):
        met = [
            own for own in tables
            if any(asked[number].meets(asked[n]) or (asked[n].fixed and asked[n].fixed ==
                   asked[number].fixed) for n in own)
        ]  # fmt: skip
        tables = [own for own in tables if own not in met]
        tables.append(sorted([number, *(n for own in met for n in own)]))
    return sorted(tables)


def _of_items(name: str, manifest: Manifest) -> bool:
    """Tell whether a setting says nothing that the items do not, or is the model's own."""
    if name in _ITEMS | _other_ways() or name.startswith(_OF_MODELS):
        return True
    own = name.removeprefix("options.")
    if own != name and any(way.name == own and way.plain for way in ways_of(manifest)):
        return True
    flags = {field.name: field.flag for field in fields_of(known(manifest).Settings)}
    return own in flags and (flags[own].chooses or flags[own].told == "only {}")


def settings_of(manifest: Manifest) -> dict[str, object]:
    """The settings of a run by their paths, without the model: what is not set has its default."""
    flat = flat_settings(usual(manifest)) | flat_settings(resolved(manifest))
    return _in_use(flat)


def _settings_beside(runs: Sequence[ReadRun]) -> list[dict[str, object]]:
    manifests = [run.manifest for run in runs]
    return [
        _in_use(flat_settings(usual(manifest)) | flat_settings(own))
        for manifest, own in zip(manifests, resolved_beside(manifests), strict=True)
    ]


def _in_use(settings: Mapping[str, object]) -> dict[str, object]:
    return {name: value for name, value in settings.items() if value not in (*UNSET, 0, "0")}


def flat_settings(config: Mapping[str, Any], *, whole: bool = False) -> dict[str, object]:
    """The settings of a run by their paths, without the model's; those that are None with `whole`.

    Runs that share them were asked the same in the same way.
    """
    flat: dict[str, object] = {}

    def walk(settings: Mapping[str, Any], prefix: str) -> None:
        for name, value in settings.items():
            if isinstance(value, dict):
                walk(value, f"{prefix}{name}.")
            elif whole or value is not None:
                flat[prefix + name] = value

    walk(published_config(config), "")
    flat.pop("model", None)
    return flat


class AskedOtherwise(NamedTuple):
    """Settings of runs that differ from the defaults: those of all, and each run's own."""

    common: list[Said]
    each: list[list[Said]]

    def named(self, names: Sequence[str]) -> list[Text]:
        """The runs' names, each with what stands beside it."""
        return [
            said("boards-row", name=name, settings=own) if own else name
            for name, own in zip(names, self.each, strict=True)
        ]


def asked_otherwise(
    runs: Sequence[ReadRun], groups: Sequence[Sequence[int]], ignore: Collection[str] = ()
) -> AskedOtherwise:
    """Collect the settings that stand beside the names of runs of one benchmark.

    Where no setting tells the groups of `asked_alike` apart, the number of items does.
    """
    every = _settings_beside(runs)
    usually = [_in_use(flat_settings(usual(run.manifest))) for run in runs]
    untold = {*ignore, *_UNTOLD, *LAST_RESORT, *_other_ways()}
    names = sorted({name for one in (*every, *usually) for name in one} - untold)
    told: list[list[Said]] = []
    for run, own, usual_ones in zip(runs, every, usually, strict=True):
        words, units = setting_words(known(run.manifest).Settings), limit_units(run.manifest)
        ways = {f"options.{way.name}" for way in ways_of(run.manifest) if way.plain}
        told.append([
            setting_in_words(name, own.get(name), words, units)
            or said("boards-off", name=name.rpartition(".")[2].replace("_", " "))
            for name in names
            if name not in ways
            and own.get(name) != usual_ones.get(name)
            and (any(o.get(name) != own.get(name) for o in every)
                 or name.startswith(_OF_MODELS) or not _of_items(name, run.manifest))
        ])  # fmt: skip
    common = [] if len(runs) == 1 else [
        words for words in told[0] if all(str(words) in map(str, own) for own in told)
    ]  # fmt: skip
    shared = set(map(str, common))
    each = [[words for words in own if str(words) not in shared] for own in told]
    seen: dict[str, dict[int, None]] = {}
    for number, members in enumerate(groups):
        for place in members:
            seen.setdefault(str([*map(str, each[place])]), {})[number] = None
    for alike in seen.values():
        firsts = {number: runs[groups[number][0]].manifest for number in alike}
        largest = max(firsts.values(), key=lambda one: one.planned)
        for number, manifest in firsts.items():
            for place in groups[number] if manifest is not largest else ():
                each[place].append(_last_resort(manifest, largest))
    return AskedOtherwise(common, each)


def _last_resort(one: Manifest, largest: Manifest) -> Said:
    """Name the difference of two runs that no setting with a meaning shows."""
    if one.planned != largest.planned:
        return said("boards-items", n=one.planned)
    own, other = one.config, largest.config
    name = next((name for name in LAST_RESORT[::-1] if own.get(name) != other.get(name)), "data")
    return setting_in_words(name, own.get(name)) or said("boards-off", name=name)


_UNTOLD = frozenset(("benchmark", "query", "plan", "shard", "options.rule", COMMITMENT))
LAST_RESORT = ("data", "benchmark_version", "model_data")
"""Settings that say nothing to a reader: named only where nothing else tells tables apart."""


class RunTests:
    """The paired tests of runs that were asked alike, of one measure, as `compare` has them.

    Parameters
    ----------
    names : sequence of str
        All different.
    runs : sequence of ReadRun
    measure : Measure
    groups : bool or collection of str
        Whether groups are tested beside the whole, or which.
    """

    def __init__(
        self, names: Sequence[str], runs: Sequence[ReadRun], measure: Measure,
        groups: bool | Collection[str] = False,
    ) -> None:  # fmt: skip
        self.measure = measure
        self.samples: list[RunSample] = [
            sample_of(name, run.folder, run.manifest, measure)
            for name, run in zip(names, runs, strict=True)
        ]
        self.found: TestedRuns | None = None
        self.able = [*range(len(runs))]
        if len(runs) > 1 and measure.fit is None and measure.declared:
            counts = [len(sample.frame.asked(measure)[0]) for sample in self.samples]
            self.able = [n for n, own in enumerate(counts) if own]
            if len(self.able) > 1:
                self.found = compare_pairs(
                    [self.samples[n] for n in self.able], measure, groups=groups
                )

    def pairs(self, group: str) -> dict[Places, Estimate]:
        """The differences in a group, by the numbers of the runs."""
        rows = self.found.rows if self.found else {}
        ways = self.samples[0].frame.several[0].ways
        pairs: dict[Places, Estimate] = {}
        for (a, b), own in rows.items():
            for one in own:
                if one.group == group or (
                    (ways.bare(one.group) or ALL) == group
                    and not (ways.is_altered(one.group) or one.group == ALL)
                ):
                    pairs.setdefault((self.able[a], self.able[b]), one)
        return pairs

    def shared(self, group: str) -> int:
        """Count the items that all finished runs share."""
        if group == ALL:
            found = self.found
            if found is None or found.group == ALL:
                return found.shared if found else 0
            return how_many(found.common[1])
        done = {n for n, sample in enumerate(self.samples) if sample.whole}
        return min((o.items for pair, o in self.pairs(group).items() if done >= {*pair}), default=0)

    def rivals(self, values: Mapping[int, Estimate]) -> list[int]:
        """The runs that may be best: finished ones of models and people, or else of the listener.

        No baseline is one, nor a run that has no score for much of what others have one for.
        """
        able = contenders([self.samples[n].kind for n in values]) - RULES
        rivals = [n for n in values if self.samples[n].kind in able and self.samples[n].whole]
        return self._with_most(values, rivals)

    def _with_most(self, values: Mapping[int, Estimate], runs: Sequence[int]) -> list[int]:
        """Keep the runs that have a score for nearly as much as any, and people, who answer a part.

        Of scores in parts all are kept, whose claims differ in number from review to review.
        """
        most = max((values[n].items for n in runs), default=0)
        return [n for n in runs if self.measure.weighted or values[n].items >= _WHOLE * most
                or self.samples[n].kind == "people"]  # fmt: skip

    def _level(
        self, values: Mapping[int, Estimate], runs: Sequence[int], group: str
    ) -> Mapping[int, Estimate]:
        """The figures of some runs on what all of them share, where their own are on more."""
        if self.found is None or len({values[n].items for n in runs}) < 2:
            return values
        part = {n: on_shared(self.samples[n], self.measure, group, self.found.common) for n in runs}
        return part if all(one.value is not None for one in part.values()) else values

    def ahead(self, values: Mapping[int, Estimate], group: str = ALL) -> set[int] | None:
        """The best of some runs and those that do not differ from it, where any does.

        Parameters
        ----------
        values : mapping of int to Estimate
            Figures of runs by number.
        group : str

        Returns
        -------
        set of int or None
            Empty where no run is shown to be worse than the best; None where nothing was tested.
        """
        rivals, pairs = self.rivals(values), self.pairs(group)
        within = [pair for pair in pairs if set(pair) <= set(rivals)]
        heads = [n for n in rivals if all(n in pair for pair in within)] or rivals
        if len(rivals) < 2 or not within:
            return None
        sign = 1 if self.measure.lower_is_better else -1
        own = self._level(values, heads, group)
        best = min(heads, key=lambda n: sign * (own[n].value or 0.0))
        behind = set()
        for other in rivals:
            one = pairs.get((min(best, other), max(best, other)))
            if one is None and other != best:
                return None
            if one is not None and one.better == self.samples[best].name:
                behind.add(other)
        return set(rivals) - behind if behind else set()

    def ranking(self, values: Mapping[int, Estimate], group: str = ALL) -> list[tuple[int, str]]:
        """The finished runs, best first, with letters: those that share one do not differ.

        They are ordered on what all of them share.
        """
        if self.found is None:
            alone = [n for n in values if self.samples[n].whole]
            return [(n, "a") for n in alone] if len(self.samples) == 1 or len(alone) == 1 else []
        shared = {n: self.found.figures[p] for p, n in enumerate(self.able)}
        done = [n for n in values if n in shared and self.samples[n].whole]
        pairs = self.pairs(group)
        if not self.found.shared or (len(done) > 1 and not pairs):
            return []  # each was asked its own questions: none can be told from another
        done = self._with_most(values, done)
        if not done:
            return []
        p = np.ones((len(done), len(done)))
        for (i, a), (j, b) in combinations(enumerate(done), 2):
            one = pairs.get((min(a, b), max(a, b)))
            if one is not None and one.pair is not None:
                p[i, j] = p[j, i] = one.pair.p_adjusted
        sign = -1 if self.measure.lower_is_better else 1
        own = shared if group == self.found.group == ALL else self._level(values, done, group)
        ordered = rank([sign * (own[n].value or 0.0) for n in done], p)
        return [(done[row.index], row.letters) for row in ordered.rows]
