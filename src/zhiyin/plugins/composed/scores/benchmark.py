"""The benchmark object: from pictures to trials, and from exchanges to verdicts.

Sections of `zhiyin show` for a run: two rules, kinds of error, families, known mistakes.
"""

from __future__ import annotations

import hashlib
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import TASK
from zhiyin.contract.declared import Cell, CheckResult, Flaw, Section, heads
from zhiyin.engine.folder import Manifest
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.picture import image_part
from zhiyin.plugins.composed.scores import data
from zhiyin.plugins.composed.scores.asking import ScoresAsker, ScoresSettings, read_mistakes
from zhiyin.plugins.composed.scores.music import Level
from zhiyin.plugins.composed.scores.pictures import FreshPicture, cached
from zhiyin.plugins.composed.scores.questions import Task
from zhiyin.plugins.composed.scores.scoring import F1, PUBLISHED, judge_notes, score
from zhiyin.plugins.music.clips import refuse
from zhiyin.record import Exchange, Record, Verdict
from zhiyin.runs.measures import USUAL
from zhiyin.runs.measures import score as mean_score
from zhiyin.runs.rows import Rows
from zhiyin.statistics.intervals import interval
from zhiyin.trial import Image, Trial
from zhiyin.words import Said, said
from zhiyin.words.reasons import reason


class MakingScores(msgspec.Struct, frozen=True):
    """Settings of a small set of pictures to make."""

    out: Annotated[str | None, Flag("the folder to make", "DIR", place=True)] = None
    n: Annotated[int, Flag("families of two pictures"), msgspec.Meta(ge=1, le=1000)] = 6
    seed: Annotated[int, Flag("for everything random")] = 0


class Scores(Benchmark[ScoresSettings]):
    """Questions about pictures of scores as a `Benchmark`.

    Pictures are opened when they are first needed, so that a log can be scored again where they
    are not at hand.

    Parameters
    ----------
    settings : Settings
    """

    name = "scores"
    summary = said("scores-summary")
    description = "benchmark.toml"
    ways = (TASK,)
    measures = (
        *USUAL,
        mean_score("edit_distance", unit="edits", lower_is_better=True, range=(0.0, None)),
    )
    Settings = ScoresSettings
    Making = MakingScores
    expected = deferred("zhiyin.plugins.composed.scores.data:holdings")
    """What the published data hold."""
    tables = deferred("zhiyin.plugins.composed.scores.replies:TABLES")
    """The figures of the published splits."""
    make = deferred("zhiyin.plugins.composed.scores.pictures:make_set")
    """Write pictures and questions of our own in the published layout."""
    details = deferred(f"{__name__}:sections")
    """Both rules side by side, kinds of error, families, and what wrong options stand for."""
    import_answers = deferred("zhiyin.plugins.composed.scores.replies:import_results")
    """Runs of published replies, one for each model."""

    @cached_property
    def _asker(self) -> ScoresAsker:
        return ScoresAsker(self.settings)

    def trials(self) -> Iterator[Trial]:
        """Every picture with its question."""
        if self.settings.source == "generated":
            for task, level, folder, items in self._made():
                for item in items:
                    picture = image_part(folder / item.picture)
                    yield self._asker.generated(task, level, item, picture)
            return
        for example, path in self._present:
            yield self._asker.published(example, image_part(path))

    def __len__(self) -> int:
        if self.settings.source == "generated":
            levels = self.settings.difficulty
            return self.settings.n * sum(len(self.settings.tasks(level)) for level in levels)
        return len(self._present)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """A list of notes, a number, or one of some options."""
        return score(trial, exchange, self.policy)

    @classmethod
    def by_rules(cls, record: Record) -> dict[str, Verdict]:
        """A list of notes by the published rule and by ours."""
        trial = record.trial
        if trial.options or trial.tags.get("answer") == "number":
            return {}
        reply = record.exchange.final
        return {rule: judge_notes(trial, reply, rule) for rule in ("robust", PUBLISHED)}

    def fingerprint(self) -> str:
        """SHA-256 over prompts, questions, answers and pictures; not over the pictures' names."""
        total = hashlib.sha256(self._asker.prompts.as_bytes())
        for trial in self.trials():
            parts = [p.sha256 for m in trial.messages for p in m.parts if isinstance(p, Image)]
            total.update(
                msgspec.json.encode((trial.id, trial.stem, trial.options, trial.target, parts))
            )
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Say how many pictures are missing."""
        if self.settings.source == "generated":
            return []
        if missing := len(self._examples) - len(self._present):
            whole = len(self._examples)
            return [said("examples-missing", n=missing, of=whole, unit="examples", what="pictures")]
        return []

    def _made(self) -> Iterator[tuple[Task, Level, Path, list[FreshPicture]]]:
        for level in self.settings.difficulty:
            for task in self.settings.tasks(level):
                knobs = self.settings.knobs(level)
                yield task, level, *cached(task, level, knobs, self.settings.n, self.settings.seed)

    @cached_property
    def _examples(self) -> list[tuple[data.Example, Path]]:
        """The examples that are asked for, each with where its picture should be."""
        splits = data.find_splits(self.settings.data, self.settings.split)
        examples = [
            (example, data.picture_of(path, example))
            for path in splits.values()
            for example in data.read_manifest(path, refuse)
        ]
        by_id: dict[str, data.Example] = {}
        for example, _ in examples:
            if (twin := by_id.setdefault(example.id, example)) is not example:
                raise InputError(said(
                    "scores-twin", data=self.settings.data, example=example.id, split=twin.split,
                    other=example.split,
                ))  # fmt: skip
        if not examples:
            raise InputError(said("scores-none", data=self.settings.data))
        return examples

    @cached_property
    def _present(self) -> list[tuple[data.Example, Path]]:
        """The examples with pictures here. Raises `InputError` if one has none, unless partial."""
        present = [(example, path) for example, path in self._examples if path.is_file()]
        if len(present) < len(self._examples) and (not self.settings.partial or not present):
            example, path = next(pair for pair in self._examples if not pair[1].is_file())
            missing = len(self._examples) - len(present)
            raise InputError(said(
                "scores-away", path=path, example=example.id, missing=str(missing),
                of=str(len(self._examples)), partial=bool(present),
            ))  # fmt: skip
        return present

    # About the benchmark, without data

    @classmethod
    def fetched(cls, options: Mapping[str, Any]) -> str | None:
        """The folder of the fetched pictures, which generated ones do not need."""
        return None if options.get("source") == "generated" else super().fetched(options)

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of manifests and pictures; decodes every picture."""
        flaws: list[Flaw] = []
        notes, items, expected = [], 0, cls.expected().counts
        for split, path in data.find_splits(options.get("data")).items():
            examples = data.read_manifest(path, flaws.append)
            flaws += data.data_flaws(path, examples, bool(options.get("partial")))
            items += len(examples)
            notes.append(said("scores-examples", split=split, n=len(examples)))
            wanted = expected.get(split, len(examples))
            if len(examples) != wanted and not options.get("partial"):
                detail = said("scores-published", n=len(examples), of=wanted)
                flaws.append(Flaw("incomplete", f"{split}/{path.name}", "", detail))
        return CheckResult(items, flaws, notes)


_RULES = (PUBLISHED, "robust")
_KINDS = (
    "exact_match", "wrong_measure", "octave_mistake", "accidental_mistake", "other_mismatch",
    "formatting_failure", "truncated_before_final_answer",
)  # fmt: skip
_MOST = 5


class _BothReadings(msgspec.Struct):
    """One reply with a list of notes, by both rules."""

    record: Record
    by: dict[str, Verdict]

    @property
    def split(self) -> str:
        return self.record.trial.groups[0]


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables of a run; none where nothing has been answered yet."""
    listed: list[_BothReadings] = []
    chosen: list[Record] = []
    for record in rows.settled.records():
        if not record.exchange.turns:
            continue
        if record.trial.tags.get("answer") == "notes":
            final = record.exchange.final
            by = {rule: judge_notes(record.trial, final, rule) for rule in _RULES}
            listed.append(_BothReadings(record, by))
        elif record.trial.tags.get("mistakes"):
            chosen.append(record)
    tables = []
    published = [each for each in listed if each.record.trial.tags.get("source") == "published"]
    if listed:
        tables.append(_rules(listed, manifest.model))
    if published:
        tables += [_kinds(published), *_families(published)]
    if any(record.verdict.state == "wrong" for record in chosen):
        tables.append(_mistakes(chosen))
    return tables


def _rules(listed: Sequence[_BothReadings], model: str) -> Section:
    rows: list[list[Cell]] = []
    printed = data.figures(model)
    is_compared = False
    for split in dict.fromkeys(each.split for each in listed):
        of_split = [each for each in listed if each.split == split]
        is_published = of_split[0].record.trial.tags.get("source") == "published"
        for rule in _RULES:
            verdicts = [(each.record, each.by[rule]) for each in of_split]
            exact = _interval([(r, float(v.state == "correct")) for r, v in verdicts])
            f1 = _interval([(r, v.scores[F1]) for r, v in verdicts])
            edits = [v.scores["edit_distance"] for _, v in verdicts]
            unread = sum(v.state not in ("correct", "wrong") for _, v in verdicts)
            published = printed.get(split) if rule == PUBLISHED and is_published else None
            is_compared = is_compared or published is not None
            rows.append(
                [
                    split, rule, len(of_split), *(100 * x for x in exact), *(100 * x for x in f1),
                    sum(edits) / len(edits), unread,
                    100 * published["accuracy"] if published else None,
                    100 * published[F1] if published else None,
                ]
            )  # fmt: skip
    columns = heads(
        "split" if printed else "group", "rule", "replies", "exact-share", "low", "high",
        "F1-share", "low", "high", "edits", "unread", "exact-published", "f1-published",
    )  # fmt: skip
    if not is_compared:
        columns, rows = columns[:-2], [row[:-2] for row in rows]
    notes = [said("scores-rules-note", rule=PUBLISHED), said("scores-intervals"), *_causes(listed)]
    return Section(said("scores-rules"), columns, rows, notes)


def _interval(values: Sequence[tuple[Record, float]]) -> tuple[float, float, float]:
    """A mean with its interval, by cluster."""
    names = [record.trial.cluster or record.id for record, _ in values]
    return interval([value for _, value in values], names).ends


def _causes(listed: Iterable[_BothReadings]) -> Iterable[Said]:
    """Count how often the rules read different lists, by reason."""
    causes: Counter[tuple[str, str]] = Counter()
    total = 0
    for each in listed:
        total += 1
        theirs, ours = (each.by[rule] for rule in _RULES)
        if theirs.answer != ours.answer:
            causes[theirs.why, ours.why] += 1
    if not causes:
        yield said("scores-same", n=total)
    for (theirs_why, ours_why), times in causes.most_common(_MOST):
        whys = {"theirs": reason(theirs_why), "ours": reason(ours_why)}
        yield said("scores-otherwise", n=times, of=total, rule=PUBLISHED, **whys)


def _kinds(listed: Sequence[_BothReadings]) -> Section:
    rows: list[list[Cell]] = []
    for split in dict.fromkeys(each.split for each in listed):
        for rule in _RULES:
            counts = Counter(
                str(each.by[rule].tags["kind"]) for each in listed if each.split == split
            )
            rows.append([split, rule, *(counts[kind] for kind in _KINDS)])
    columns = heads(
        "split", "rule", "exact", "other-bar", "octave", "accidental", "other-kind", "no-list",
        "cut-off",
    )  # fmt: skip
    return Section(said("scores-kinds"), columns, rows, [said("scores-kinds-note")])


def _families(listed: Sequence[_BothReadings]) -> list[Section]:
    """Pairs that differ in one note: whether a reader who is right at one is so at the other."""
    rows: list[list[Cell]] = []
    for split in dict.fromkeys(each.split for each in listed):
        families: defaultdict[str, list[_BothReadings]] = defaultdict(list)
        for each in listed:
            if each.split == split:
                families[str(each.record.trial.tags.get("family"))].append(each)
        pairs = [members for members in families.values() if len(members) > 1]
        for rule in _RULES if pairs else ():
            right = [sum(m.by[rule].state == "correct" for m in pair) for pair in pairs]
            same = sum(len({m.by[rule].answer for m in pair}) == 1 for pair in pairs)
            whole = sum(n == len(pair) for n, pair in zip(right, pairs, strict=True))
            rows.append([split, rule, len(pairs), whole, sum(map(bool, right)) - whole, same])
    if not rows:
        return []
    columns = heads("split", "rule", "families", "all-right", "some-right", "same-reply")
    return [Section(said("scores-families"), columns, rows, [said("scores-families-note")])]


def _mistakes(chosen: Sequence[Record]) -> Section:
    """Tabulate the mistakes that the chosen wrong options stand for."""
    picked: defaultdict[str, Counter[str]] = defaultdict(Counter)
    offered: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for record in chosen:
        task = str(record.trial.tags["task"])
        known = read_mistakes(str(record.trial.tags["mistakes"]))
        offered[task].update(known.values())
        if record.verdict.state == "wrong":
            picked[task][known.get(record.verdict.answer or "", "")] += 1
    rows: list[list[Cell]] = [
        [task, mistake, times, offered[task][mistake]]
        for task, kinds in picked.items()
        for mistake, times in kinds.most_common()
        if mistake
    ]
    columns = heads("task", "mistake", "chosen", "offered")
    return Section(said("scores-mistakes"), columns, rows, [said("scores-mistakes-note")])
