"""Sections of `zhiyin show` for a run: two rules, kinds of error, families, known mistakes."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

import msgspec

from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.engine.folder import Manifest
from zhiyin.plugins.composed.scores.asking import read_mistakes
from zhiyin.plugins.composed.scores.data import figures
from zhiyin.plugins.composed.scores.scoring import F1, PUBLISHED, judge_notes
from zhiyin.record import Record, Verdict
from zhiyin.runs.rows import Rows
from zhiyin.words import Said, said
from zhiyin.words.reasons import reason

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
    printed = figures(model)
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
    notes = [
        said("scores-rules-note", rule=PUBLISHED),
        said("scores-intervals"),
        *_causes(listed),
    ]
    return Section(said("scores-rules"), columns, rows, notes)


def _interval(values: Sequence[tuple[Record, float]]) -> tuple[float, float, float]:
    """A mean with its interval, by cluster."""
    from zhiyin.statistics.intervals import interval

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
