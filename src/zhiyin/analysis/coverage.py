"""Coverage of a published data set that a run was asked, which decides what may stand beside it.

Each benchmark that has published data declares what they hold (`Published`). What a run was
asked is counted from its log (`Coverage`), so that it does not matter how a part came about: by a
limit, a flag, a file that is cut short, questions that were changed, or a run that is not done.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache, cached_property
from typing import Any

import msgspec
import numpy as np
from numpy.typing import NDArray

from zhiyin.analysis.question_set import fingerprint_answer, fingerprint_words
from zhiyin.contract.declared import Published
from zhiyin.contract.options import ChosenOtherwise, chosen_otherwise
from zhiyin.contract.resolved import limit_units
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.engine.naming import people_in
from zhiyin.engine.scoring import ALL
from zhiyin.files import Place
from zhiyin.flags import fields_of
from zhiyin.record import STATES
from zhiyin.runs.columns import ALONE, WordedTrial
from zhiyin.runs.figures import LogProgress
from zhiyin.runs.rows import read_table
from zhiyin.runs.table import RunTable
from zhiyin.runs.ways import ways_of
from zhiyin.trial import Trial
from zhiyin.words import Said, said
from zhiyin.words.findings import Part, Remark, StoppedByPlan, told

_MOST_NAMED = 4


def expected_of(benchmark: str | Manifest) -> Published | None:
    """What the published data of a benchmark, named or that of a run, hold; None without any."""
    from zhiyin.contract.registry import known

    return known(benchmark).expected()


Asked = WordedTrial | Trial
"""A trial of a log, or one that stands in none, by its words."""


class Facts(msgspec.Struct, frozen=True, gc=False):
    """Facts of a trial with published recordings that a coverage counts.

    `names`: the groups it is counted under; None for what is no item of its own. `published`:
    whether it is one of the published items.
    """

    cluster: str | None
    condition: str
    names: frozenset[str] | None
    published: bool


class Coverage:
    """The part of the published data that a run was asked.

    Parameters
    ----------
    manifest : Manifest
    expected : Published, optional
        By default what the benchmark declares.

    Attributes
    ----------
    ways : Ways
        Those of the run.
    judged : int
        Trials that have been judged.
    plain : int
        Those asked in the benchmark's main way; repeats and rotations included.
    asked : Counter
        Published items by group: each once, however often it was asked.
    progress : LogProgress
        How far the run has come, failed trials of sequences included.
    others : Counter
        Items that are not of the published data, by group; changed questions are among them.
    """

    def __init__(self, manifest: Manifest, expected: Published | None = None) -> None:
        self.manifest = manifest
        self.ways = ways_of(manifest)
        self.expected = expected or expected_of(manifest)
        self.judged = self.plain = 0
        self.progress = LogProgress()
        self.asked: Counter[str] = Counter()
        self.others: Counter[str] = Counter()
        self._sums: Counter[str] = Counter()
        self._by_cluster = self.expected is not None and self.expected.clusters is not None
        self._clusters: set[str | int] = set()
        self._conditions: set[str] = set()
        self._repeats: tuple[int, list[str]] = (-1, [])
        self._part: dict[frozenset[str], str | None] = {}

    @property
    def hears(self) -> bool:
        """True if the hashes of what was played tell which items are the published ones."""
        return self.expected is not None and bool(self.expected.recordings)

    def facts_of(self, trial: Any) -> Facts:
        """Return the facts of a trial whose item is known by what was played in it.

        That is in its last message: what was played before it are examples.
        """
        assert self.expected is not None
        assert self.expected.recordings
        condition, names, published = self.ways.of(trial.tags), None, False
        first = trial.tags.get("repeat", 1) == 1 and trial.tags.get("rotation", 0) == 0
        if not condition and first:
            names = _counted_under(tuple(map(self.ways.bare, trial.groups)))
            known = self.expected.recordings.get(str(trial.tags.get("recording")))
            messages = getattr(trial, "messages", ())  # where nothing is heard a row has none
            last = messages[-1].parts if messages else ()
            heard = [sha256 for part in last if (sha256 := getattr(part, "sha256", ""))]
            pairs = zip(known or (), heard, strict=False)
            published = known is not None and all(k in (None, h) for k, h in pairs)
        return Facts(trial.cluster, condition, names, published)

    def _take(self, facts: Facts) -> None:
        """Count what was asked of the published data."""
        if facts.condition:
            self._conditions.add(facts.condition)
            return
        self.plain += 1
        if facts.names is None:
            return
        counted = self.asked if facts.published else self.others
        for name in facts.names:
            counted[name] += 1
        if facts.published and facts.cluster is not None and self._by_cluster:
            self._clusters.add(facts.cluster)

    def count(self, table: RunTable) -> None:
        """Count the rows of a table that count, whose `facts` are those of `facts_of`."""
        rows = table.rows
        kinds, failed = table.kinds, table.state[rows] == STATES.index("error")
        walks = table.sequence[rows] != 0
        self.progress.count(table)
        # of a sequence that a trial opens which asks nothing, such as "do you understand?"
        counted = np.array([bool(kind.groups) or kind.target for kind in kinds], dtype=bool)
        silent = walks & (table.state[rows] == STATES.index("ungraded"))
        judged = rows[~failed & ~(silent & ~counted[table.kind[rows]])] if kinds else rows
        self.judged += len(judged)
        if self.expected is None:
            times = np.bincount(table.kind[judged], minlength=len(kinds)).tolist()
            for kind, many in zip(kinds, times, strict=True):
                if many and kind.way:
                    self._conditions.add(kind.way)
                self.plain += many * kind.main
            return
        if self.hears:
            for facts in map(table.facts.__getitem__, table.fact[judged].tolist()):
                self._take(facts)
            return
        self._count_words(table, judged)

    def _count_words(self, table: RunTable, judged: NDArray[np.intp]) -> None:
        """Count what was asked of published questions, which are known by their words."""
        assert self.expected is not None
        words = np.array(table.facts, dtype=np.int64)[table.fact[judged]]
        kind, clusters = table.kind[judged], table.cluster[judged]
        order = np.argsort(kind, kind="stable")
        numbers, starts = np.unique(kind[order], return_index=True)
        places = np.split(order, starts[1:]) if len(order) else []
        for number, here in zip(numbers.tolist(), places, strict=True):
            own = table.kinds[number]
            if own.way:
                self._conditions.add(own.way)
                continue
            many = len(here)
            self.plain += many
            if not own.first:
                continue
            names = _counted_under(own.bare)
            part, known_words = self._looked_up(names)
            known = np.full(many, part is not None)
            if known_words is not None:
                mine = words[here].tolist()
                known = np.array([each in known_words for each in mine])
                self._sums[part or ""] += sum(mine)
            asked = int(np.count_nonzero(known))
            for name in names:
                self.asked[name] += asked
                self.others[name] += many - asked
            if self._by_cluster:
                self._clusters.update(set(clusters[here][known].tolist()) - {ALONE})

    def _looked_up(self, names: frozenset[str]) -> tuple[str | None, Counter[int] | None]:
        """Return the published part, and its words, in which trials of some groups are looked up.

        None where they are none of its own, and no words where any are.
        """
        expected = self.expected
        assert expected is not None
        # The first of the published parts that is among a trial's groups
        if names not in self._part:
            self._part[names] = next((name for name in expected.parts if name in names), None)
        part = self._part[names]
        if part is None and expected.parts:
            return None, None
        part = part if part in expected.contents else ALL
        return part, expected.fingerprints(part)

    def words_of(self, trial: Asked) -> int:
        """A number for the words by which a published question is known."""
        if self.expected is not None and self.expected.by_answer:
            right = next((o.text for o in trial.options if o.key == trial.target), "")
            return fingerprint_answer(trial.stem, right)
        if trial.options:
            options = [(option.key, option.text) for option in trial.options]
            return fingerprint_words(trial.stem, options, trial.target)
        return fingerprint_words(trial.cluster or "", (), None)

    @property
    def done(self) -> bool:
        """True if every planned trial has been judged, and every sequence is at its end."""
        return self.progress.whole(self.manifest)

    def whole(self, group: str) -> bool:
        """Tell whether the figures of a group are over all its published items and nothing else."""
        name = self.ways.bare(group) or ALL
        if not self.done or self.ways.is_altered(group):
            return False
        if self.expected is None:
            return self.all_asked
        if name in self.expected.counts:
            return self._complete(name)
        return not self.others[ALL] and self._everything

    def _complete(self, name: str) -> bool:
        assert self.expected is not None
        right = self.asked[name] == self.expected.counts[name] and not self.others[name]
        return right and not any(self._concerns(part, name) for part in self._repeating)

    def _concerns(self, part: str, name: str) -> bool:
        """Tell whether a group is, or may hold, questions of a part."""
        assert self.expected is not None
        return (
            part == ALL
            or name.partition("/")[0] == part.partition("/")[0]
            or not any(
                name == other or name.startswith(f"{other}/") for other in self.expected.parts
            )
        )

    @property
    def _repeating(self) -> list[str]:
        """Parts with as many published questions as there should be, but some in others' place."""
        if self._repeats[0] == self.judged:  # every group asks; only a further trial changes it
            return self._repeats[1]
        assert self.expected is not None
        expected = self.expected
        repeating: list[str] = []
        for part in expected.contents:
            known = expected.fingerprints(part)
            if known is not None and self.asked[part] == known.total() and not self.others[part]:
                total = sum(number * times for number, times in known.items())
                repeating += [part] if self._sums[part] != total else []
        self._repeats = (self.judged, repeating)
        return repeating

    @property
    def _everything(self) -> bool:
        assert self.expected is not None
        return all(map(self._complete, self.expected.counts)) and (
            self.expected.clusters in (None, len(self._clusters))
        )

    @property
    def on_other_items(self) -> bool:
        """True if a run with published counterparts was asked none of them."""
        return bool(self.plain and self.others[ALL] and not self.asked[ALL])

    @property
    def _cut(self) -> bool:
        config = self.manifest.config
        limit = config.get("limit")
        units = self.manifest.units + self.unfit
        return bool(config.get("sample")) or (limit is not None and units >= limit)

    @property
    def part(self) -> Said | None:
        """The reason why a run is not the whole of the published data; None if it is.

        Trials that are still to be asked are not spoken of: they are no choice of the user's.
        """
        expected = self.expected
        narrowed = self._flags(expected) if expected else self.chosen
        if self.judged and not self.plain:
            alone = said("extent-alone", ways=sorted(self._conditions))
            sample, of = self.manifest.config.get("sample"), expected and expected.counts.get(ALL)
            if expected and of and sample and sample < of and self.done:
                facts = {"n": sample, "of": of, "unit": expected.unit, "short": []}
                narrowed = [*narrowed, said("extent-counted", **facts)]
            return _together([alone, *self.limit, *narrowed])
        if expected is None:
            return _together([*self.limit, *narrowed])
        if self._nothing_lacks and self.done:
            return None
        reasons = [*self.limit, *narrowed]
        if self.on_other_items:
            reasons += self.chosen
            reasons.append(said("extent-others", unit=expected.unit, n=self.others[ALL]))
        elif self.done:
            reasons += self._counted(expected)
        return _together(reasons)

    @property
    def only_way(self) -> str:
        """The one altered way, such as "audio=none", of a run that was asked in no other; or ""."""
        alone = self.judged and not self.plain and len(self._conditions) == 1
        return next(iter(self._conditions)) if alone else ""

    @cached_property
    def chosen(self) -> list[Said]:
        """Settings by which less, or something else, was asked than by default."""
        return list(map(setting_told, chosen_otherwise(self._settings, self._options)))

    @property
    def _settings(self) -> type[msgspec.Struct]:
        from zhiyin.contract.registry import known

        return known(self.manifest).Settings

    @property
    def _options(self) -> dict[str, Any]:
        return {**(self.manifest.config.get("options") or {}), **self.manifest.options}

    @property
    def unknown(self) -> bool:
        """True if nobody says what the whole is: of people, of an imported log, of a paper."""
        manifest = self.manifest
        if self.expected is not None or manifest.sequences is not None:
            return False
        from zhiyin.contract.registry import known

        published = known(manifest).paper.partition(":")[0] not in ("", "none")
        return published or bool(manifest.options.get("imported") or people_in(manifest))

    @property
    def all_asked(self) -> bool:
        """True if nothing was left out of what the benchmark asks by default."""
        return not self.limit and not self.chosen

    @property
    def set_otherwise(self) -> bool:
        """True if `chosen` is what keeps a run from being the whole: nothing is published."""
        return self.expected is None and bool(self.chosen)

    @property
    def unfit(self) -> int:
        """Number of trials chosen and not asked, since they do not apply to the model."""
        return unfit_of(self.manifest)

    @property
    def limit(self) -> list[Said]:
        """A limit, a sample, a shard, a stop or what was left out; empty where there is none."""
        sample, limit = self.manifest.config.get("sample"), self.manifest.config.get("limit")
        if sample:  # a run that was stopped by its plan holds fewer
            sample = min(sample, self.manifest.planned + self.unfit)
        units = limit_units(self.manifest)
        items = "sequences" if units == "sequences" else "items"
        words = []
        first = limit if limit and self._cut else None
        if first or sample:
            facts = {"limit": first, "units": units, "sample": sample or None, "items": items}
            words.append(said("extent-drawn", **facts))
            if n := self.unfit:
                words.append(said("extent-unfit", n=n, of=n + self.manifest.planned))
        stops = [one for one in told(self.manifest.remarks) if isinstance(one, StoppedByPlan)]
        if stops and stops[-1].n < stops[-1].of:  # it ended by its plan before all was asked
            words.append(said("extent-stopped", n=stops[-1].n, of=stops[-1].of))
        if self.manifest.shard is not None:
            words.append(said("extent-shard", shard=str(self.manifest.shard)))
        if self.expected is None and self.manifest.options.get("partial"):
            words.append(said("extent-partial"))
        return words

    @property
    def _nothing_lacks(self) -> bool:
        """True if every published group that was asked for is there in full."""
        assert self.expected is not None
        if self.expected.parts:
            return self._everything and not self.others[ALL]
        asked = [name for name in self.expected.counts if self.asked[name]]
        return bool(asked) and all(map(self._complete, asked)) and not self.others[ALL]

    def _flags(self, expected: Published) -> Iterable[Said]:
        """The flags that left something out."""
        usual = {field.name: field.default for field in fields_of(self._settings)}
        for name, words in expected.narrowed.items():
            if (value := self._options.get(name)) and value != usual.get(name):
                listed = [value] if isinstance(value, str | int) else value
                names = ", ".join(w.strip() for part in listed for w in str(part).split(","))
                flag = None if words else name
                facts = {"names": names, "value": names, "words": words.format(names)}
                yield said("extent-flag", flag=flag, **facts)

    def _counted(self, expected: Published) -> Iterable[Said]:
        """Say how many of how many were asked, and where."""
        names = expected.parts or [n for n in expected.counts if self.asked[n] or self.others[n]]
        if not names:
            yield said("extent-none", unit=expected.unit)
            return
        lacking = [name for name in names if not self._complete(name)]
        there = sum(self.asked[name] for name in names)
        total = sum(expected.counts[name] for name in names)
        if there < total or not lacking:
            short = [n for n in lacking if 0 < self.asked[n] < expected.counts[n]]
            named: list[Said] = []
            if len(short) <= _MOST_NAMED and len(names) > 1:
                called, of = self._short_names(names), expected.counts
                named = [
                    said("extent-short", name=called[n], n=self.asked[n], of=of[n]) for n in short
                ]
            yield said("extent-counted", n=there, of=total, unit=expected.unit, short=named)
        elif expected.clusters not in (None, len(self._clusters)):
            yield said("extent-recordings", n=len(self._clusters), of=expected.clusters)
        if self._repeating:
            yield said("extent-repeating", groups=self._repeating)
        if others := self.others[ALL]:
            where = [self._short_names(names)[name] for name in names if self.others[name]]
            groups = where if len(where) <= _MOST_NAMED else []
            yield said("extent-other-than", n=others, groups=groups)

    def _short_names(self, names: Sequence[str]) -> dict[str, Said]:
        """Groups as sentences name them: a cell by its task where that has no other cell."""
        from zhiyin.contract.registry import known

        titles = known(self.manifest).titles
        plain = {name: name.removeprefix("source/").replace("_", " ") for name in names}
        roots = Counter(short.partition("/")[0] for short in plain.values())
        short = {name: text.partition("/")[0] for name, text in plain.items()}
        return {
            name: said(
                "extent-group", title=titles.get(name),
                plain=short[name] if roots[short[name]] == 1 else text,
            )
            for name, text in plain.items()
        }  # fmt: skip

    @property
    def caution(self) -> Part | None:
        """The warning beside the figures of a run that holds a part; None for the whole."""
        if not self.part:
            return None
        if self.expected is None:
            return Part(why=self.part, beside="settings" if self.set_otherwise else "whole")
        return Part(why=self.part, beside="others" if self.on_other_items else "published")

    @property
    def apart(self) -> Said | None:
        """The reason why no published figure stands beside the whole run; None where one may."""
        lacking = lacking_of(self.progress, self.manifest)
        late = [said("extent-unfinished", what=lacking)] if lacking else []
        return _together([*(self.part.facts["reasons"] if self.part else ()), *late])


def unfit_of(manifest: Manifest) -> int:
    """Count the trials of a run that do not apply to its model, and were left out."""
    for one in told(manifest.remarks):
        what = one.what if isinstance(one, Remark) else None
        if isinstance(what, Said) and what.name == "not-applying":
            return int(what.facts["n"])
    return 0


def _together(reasons: Sequence[Said]) -> Said | None:
    return said("extent-part", reasons=reasons) if reasons else None


def setting_told(one: ChosenOtherwise) -> Said:
    """A setting that is not the default, beside it: "--n 4 instead of 8"."""
    usual = one.usual if one.all_of is None else "all"
    return said("extent-chosen", name=one.name, value=one.value, usual=usual, of=one.all_of)


def lacking_of(progress: LogProgress, manifest: Manifest) -> Said | None:
    """Count what was not asked yet, or failed, and sequences without an end; None for nothing."""
    parts = []
    if manifest.sequences and (n := progress.open(manifest)):
        parts.append(said("lacking-sequences", n=n, of=manifest.sequences.count))
    of, missing = progress.plain_planned(manifest), progress.plain_missing(manifest)
    failed = min(missing, progress.plain_failed)
    if n := missing - failed:
        parts.append(said("lacking-not-asked", n=n, of=of))
    if failed:
        parts.append(said("lacking-failed", n=failed, of=of))
    return said("lacking", parts=parts) if parts else None


@cache
def _counted_under(groups: tuple[str, ...]) -> frozenset[str]:
    """The groups that a trial counts under, of those without the ways before their names."""
    return frozenset({ALL, *filter(None, groups)})


def coverage_of(folder: Place, manifest: Manifest | None = None) -> Coverage:
    """Count what a run was asked. Reads its log once, line by line.

    Raises
    ------
    InputError
        When the folder is not a run, or its log is damaged.
    """
    coverage = Coverage(manifest or read_manifest(folder))
    coverage.count(table_for(coverage, folder))
    return coverage


def table_for(coverage: Coverage, folder: Place, *, questions: bool = False) -> RunTable:
    """The table of a run with what a coverage counts of its trials; see `read_table`."""
    if coverage.expected is None:
        return read_table(folder, questions=questions)
    if coverage.hears:
        return read_table(folder, coverage.facts_of, questions=questions)
    of = "answers" if coverage.expected.by_answer else "words"
    return read_table(folder, coverage.words_of, of, questions=questions)
