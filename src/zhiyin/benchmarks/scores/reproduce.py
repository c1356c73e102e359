"""The figures of each published split, made again from files of replies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import partial
from pathlib import Path

import msgspec

from zhiyin.benchmarks.scores.asking import Asker
from zhiyin.benchmarks.scores.data import MANIFEST
from zhiyin.benchmarks.scores.imported import RESULTS, Replies, read_replies, refuse_twice
from zhiyin.benchmarks.scores.reading import PUBLISHED
from zhiyin.benchmarks.scores.reference import figures, holdings
from zhiyin.benchmarks.scores.scoring import F1, judge_notes
from zhiyin.benchmarks.scores.settings import Settings
from zhiyin.contract.published import DATA, Cause, ReproducedFigure, ReproducibleTable, Reproduction
from zhiyin.record import Reply, Verdict
from zhiyin.trial import Trial

_EXACT, _EDITS = "accuracy", "edit_distance"
_FIGURES = {_EXACT: "exact match", F1: "note F1", _EDITS: "edits"}
_WITHIN = 5e-5


class _Both(msgspec.Struct):
    """One reply by the published rule and by ours; no verdict of ours where there is no reply."""

    rule: Verdict
    ours: Verdict | None

    def values(self, figure: str) -> tuple[float, float | None]:
        return _value(self.rule, figure), None if self.ours is None else _value(self.ours, figure)


def make_split(split: str, files: Sequence[Path]) -> Reproduction:
    """Exact match, F1 of notes and edits of a split, for each model whose replies there are."""
    distinct: dict[bytes, Path] = {}
    for path in files:
        distinct.setdefault(path.read_bytes(), path)
    notes = []
    if copies := len(files) - len(distinct):
        notes.append(f"{copies} files stand twice, the same to the byte: each counts once")
    asker = Asker(Settings(asking="published"))
    replies = [read_replies(path, asker) for path in distinct.values()]
    refuse_twice(replies)
    rows = [row for each in replies for row in _rows(split, each)]
    notes.append(
        "by rule: the whole reply is a JSON object with notes, or it counts as 0, as does an "
        "example without a reply. By ours (robust): the list that the reply states; what has no "
        "reply is in no figure"
    )
    return Reproduction(tuple(rows), tuple(notes))


def _rows(split: str, replies: Replies) -> list[ReproducedFigure]:
    pairs = [_both(trial, reply) for trial, reply in replies.given]
    pairs += [_Both(judge_notes(trial, Reply(""), PUBLISHED), None) for trial in replies.silent]
    published = figures(replies.model).get(split, {})
    remarks: tuple[str, ...] = ()
    asked = [trial for trial, _ in replies.given] + replies.silent
    if published and not all(t.tags["recording"] in holdings().recordings for t in asked):
        published, remarks = {}, ("not compared: its manifest has other examples",)
    return [_row(replies, figure, pairs, published.get(figure), remarks) for figure in _FIGURES]


def _row(
    replies: Replies,
    figure: str,
    pairs: Sequence[_Both],
    published: float | None,
    remarks: tuple[str, ...],
) -> ReproducedFigure:
    values = [(pair, *pair.values(figure)) for pair in pairs]
    rule = sum(theirs for _, theirs, _ in values) / len(values)
    given = [(pair, theirs, own) for pair, theirs, own in values if own is not None]
    ours = sum(own for _, _, own in given) / len(given) if given else None
    causes = _read_otherwise(given)
    if replies.silent and given:
        effect = sum(theirs for _, theirs, _ in given) / len(given) - rule
        why = "examples without a reply, which the rule counts as unread"
        causes.append(Cause("ours", why, len(replies.silent), effect))
    if replies.missing and published is not None:
        causes.append(Cause("published", "examples whose lines are not here", replies.missing))
    if replies.silent and published is not None and abs(rule - published) > _WITHIN:
        why = "examples whose lines have no reply"
        causes.append(Cause("published", why, len(replies.silent)))
    if replies.differing and published is not None:
        why = "replies with other scores beside them than those of the rule"
        causes.append(Cause("published", why, replies.differing))
    return ReproducedFigure(
        replies.model, f"{replies.split}, {_FIGURES[figure]}", published, rule, ours, len(pairs),
        _WITHIN, percent=figure == _EXACT, causes=tuple(causes), remarks=remarks,
    )  # fmt: skip


def _read_otherwise(given: Sequence[tuple[_Both, float, float]]) -> list[Cause]:
    """Replies of which the two rules read another list, by why; their effects add up."""
    count: Counter[str] = Counter()
    effect: defaultdict[str, float] = defaultdict(float)
    for pair, theirs, own in given:
        if pair.ours is not None and pair.rule.answer != pair.ours.answer:
            why = f"read otherwise ({PUBLISHED}: {pair.rule.why}; robust: {pair.ours.why})"
            count[why] += 1
            effect[why] += own - theirs
    return [Cause("ours", why, n, effect[why] / len(given)) for why, n in count.most_common()]


def _both(trial: Trial, reply: Reply) -> _Both:
    return _Both(judge_notes(trial, reply, PUBLISHED), judge_notes(trial, reply, "robust"))


def _value(verdict: Verdict, figure: str) -> float:
    return float(verdict.state == "correct") if figure == _EXACT else verdict.scores[figure]


def _is_of_split(split: str, path: Path) -> bool:
    place = path.absolute().parent
    folder = place.parent if place.name == RESULTS else place
    return folder.name == split and path.suffix == ".jsonl" and path.name != MANIFEST


TABLES = tuple(
    ReproducibleTable(
        split,
        "exact match, F1 of notes and edits",
        f"{split}/{RESULTS}/NAME.jsonl",
        partial(_is_of_split, split),
        partial(make_split, split),
        DATA,
        of=PUBLISHED,
    )
    for split in ("public_test", "dev")
)
