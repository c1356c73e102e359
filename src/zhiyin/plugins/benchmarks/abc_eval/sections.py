"""Sections of `zhiyin show` for a run: each task by every right answer and by the published key."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

import numpy as np

from zhiyin.contract.conditions import TASK
from zhiyin.contract.declared import Cell, Kind, Section, heads
from zhiyin.plugins.benchmarks.abc_eval.data import TASKS
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import Rows, TrialRow
from zhiyin.words import Said, said


def sections(rows: Rows) -> list[Section]:
    """The further tables of a run; none where nothing has been answered yet."""
    by_task = rows.judged.by(str(row.tags.get(TASK.name)) for row in rows.judged)
    own = {task: by_task[task] for task in TASKS if task in by_task}
    if not own:
        return []
    tables = [_by_key(own)]
    if "bar_sequencing" in own:
        tables.append(_orders(own["bar_sequencing"]))
    if labelled := {task: rows for task, rows in own.items() if TASKS[task].labels}:
        tables.append(_labels(labelled))
    return tables


def _by_key(by_task: dict[str, Rows]) -> Section:
    lines: list[list[Cell]] = []
    for task, rows in by_task.items():
        own, exact = estimate(rows), rows.scores("published_key")
        right = sum(map(by_published, rows, exact.tolist()))
        lines.append(
            [
                said("abc-eval-task", name=task), len(rows),
                own.ends, right / len(rows),
                int(rows.right.sum()) - right, sum(not row.answered for row in rows),
            ]
        )  # fmt: skip
    columns = [*heads("task", "n"), *(_head(name) for name in ("any", "key", "only-any", "unread"))]
    kinds: list[Kind] = ["text", "count", "share", "share", "count", "count"]
    return Section(said("abc-eval-keys"), columns, lines, [said("abc-eval-keys-note")], kinds=kinds)


def by_published(row: TrialRow, exact: float) -> bool:
    """Tell whether an answer is exactly the published one; `exact` says so of an order."""
    if row.tags.get("answer") == "order":
        return exact == 1
    shown = row.tags.get("published")
    return row.letter == shown if shown else row.right == 1


def _orders(rows: Rows) -> Section:
    tau, nearest = rows.scores("tau"), rows.scores("tau_nearest")
    known = ~np.isnan(tau)
    stated = sum(row.answered for row in rows)
    means = [float(each[known].mean()) if known.any() else None for each in (tau, nearest)]
    line: list[Cell] = [
        len(rows), float(rows.right.mean()), int(known.sum()), stated - int(known.sum()), *means,
    ]  # fmt: skip
    columns = [
        *heads("n"),
        *map(_head, ("any", "permutations", "no-permutation", "tau", "nearest")),
    ]
    kinds: list[Kind] = ["count", "share", "count", "count", "number", "number"]
    return Section(said("abc-eval-tau"), columns, [line], [said("abc-eval-tau-note")], kinds=kinds)


def _labels(by_task: dict[str, Rows]) -> Section:
    lines: list[list[Cell]] = []
    for task, rows in by_task.items():
        pairs = []
        for record in rows.records():
            texts = {option.key: option.text.strip() for option in record.trial.options}
            answer = texts.get(record.verdict.answer or "")
            pairs.append((texts[record.trial.target or ""], answer))
        classes = len({right for right, _ in pairs})
        accuracy = sum(right == answer for right, answer in pairs) / len(pairs)
        lines.append(
            [said("abc-eval-task", name=task), len(pairs), classes, accuracy, macro_f1(pairs)]
        )
    columns = [*heads("task", "n"), *map(_head, ("classes", "accuracy", "macro-f1"))]
    kinds: list[Kind] = ["text", "count", "count", "share", "share"]
    return Section(said("abc-eval-f1"), columns, lines, [said("abc-eval-f1-note")], kinds=kinds)


def macro_f1(pairs: Iterable[tuple[str, str | None]]) -> float:
    """The mean F1 of all classes that are right or were answered.

    Parameters
    ----------
    pairs : iterable of (str, str or None)
        The right class, and the answered one: None for no answer, which is no class.
    """
    right, answered, hits = Counter[str](), Counter[str](), Counter[str]()
    for wanted, given in pairs:
        right[wanted] += 1
        if given is not None:
            answered[given] += 1
            hits[wanted] += wanted == given
    classes = {*right, *answered}
    return sum(2 * hits[c] / (right[c] + answered[c]) for c in classes) / len(classes)


def _head(name: str) -> Said:
    return said("abc-eval-head", name=name)
