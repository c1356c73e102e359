"""Sections of `zhiyin show` for a run: the grid of Table 1, LogicLM's conversations, figure 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product

from zhiyin.analysis.coverage import Coverage, coverage_of
from zhiyin.contract.declared import Cell, Reference, Section, heads
from zhiyin.plugins.benchmarks.perception.scoring import (
    DECIDED,
    execution_table,
    fidelity_table,
    without_messages,
)
from zhiyin.plugins.benchmarks.perception.tasks import MODALITIES, SHOTS, STRATEGIES, TASKS
from zhiyin.record import Record
from zhiyin.runs.estimates import Frame, estimate
from zhiyin.runs.rows import Rows
from zhiyin.words import Said, Text, said

_OFTEN = 0.25
"""Share of transcriptions from which on their common fault is reported."""


def sections(rows: Rows, published: Reference | None = None) -> list[Section]:
    """The further tables of a run of this benchmark. LogicLM's only where it was asked for it."""
    frame, coverage = Frame(rows), coverage_of(rows.folder)
    grids = [_grid(task, frame, coverage, published) for task in TASKS]
    tables = [grid for grid in grids if grid.rows]
    logiclm = rows.which(lambda kind: kind.tags.get("strategy") == "logiclm")
    if logical := [without_messages(record) for record in logiclm.records()]:
        tables += [_execution(logical), _fidelity(logical)]
    return tables


def _grid(task: str, frame: Frame, coverage: Coverage, table: Reference | None) -> Section:
    """Accuracy in every cell, beside the models of Table 1 where it holds the published items."""
    asked = frame.groups(tree=False)
    cells = [
        (f"{task}/{modality}/{shots}/{strategy}",
         said("perception-cell", modality=modality, shots=shots, strategy=strategy))
        for modality, shots, strategy in product(MODALITIES, SHOTS, STRATEGIES)
        if f"{task}/{modality}/{shots}/{strategy}" in asked
    ]  # fmt: skip
    whole = table and table.only(group for group, _ in cells if coverage.whole(group))
    published = whole.rows if whole else {}
    rows: list[list[Cell]] = []
    cut = 0
    for group, cell in cells:
        own = estimate(frame, DECIDED, frame.places(group), ends=False)
        cut += frame.count(group).judged - own.n
        theirs = [row.get(group, {}).get("accuracy") for row in published.values()]
        rows.append([cell, own.n, _percent(own.value), *map(_percent, theirs)])
    notes = [said("perception-cut", n=cut)] if cut else []
    columns: list[Text] = ["", *heads("n", "this-run"), *published]
    return Section(said("perception-accuracy", task=task), columns, rows, notes)


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _listed(counts: Iterable[tuple[object, int]]) -> Text:
    return ", ".join(f"{name}: {n}" for name, n in counts) or said("perception-none")


def _execution(records: list[Record]) -> Section:
    columns: list[Text] = [
        "",
        *heads("n", "exec", "acc", "on-exec", "strict", "repairs", "faults", "agree"),
    ]
    rows: list[list[Cell]] = [
        [
            said("perception-asked", task=e.task, modality=e.modality, shots=str(e.shots)),
            e.trials,
            _percent(e.executable_rate),
            _percent(e.accuracy),
            _percent(e.accuracy_executed),
            _percent(e.strict_accuracy),
            _listed(sorted(e.repairs.items())),
            _listed(sorted(e.faults.items())),
            _percent(e.agreement),
        ]
        for e in execution_table(records)
    ]
    notes = [said("perception-execution-note"), *_first_faults(records)]
    return Section(said("perception-execution"), columns, rows, notes)


_FENCES = "code fences"


def _first_faults(records: list[Record]) -> Iterable[Said]:
    """Explain why transcriptions could not be read at first, where one cause stands behind many."""
    first: Counter[str] = Counter()
    for record in records:
        faults = record.exchange.notes.get("faults") or []
        if faults and record.exchange.notes.get("repairs"):
            message = str(faults[0].get("message"))
            kind = str(faults[0].get("kind"))
            first[_FENCES if _FENCES in message else kind] += 1
    for cause, times in first.most_common(1):
        if times >= _OFTEN * len(records):
            fault = None if cause == _FENCES else cause
            yield said("perception-faults", n=times, of=len(records), fault=fault)


def _fidelity(records: list[Record]) -> Section:
    columns: list[Text] = [
        "",
        *heads("n", "prec", "recall", "F1", "acc", "strict-f1", "strict-acc", "cut"),
    ]
    rows: list[list[Cell]] = [
        [
            said(
                "perception-fidelity-of",
                task=p.task,
                modality=p.modality,
                mask=p.mask.replace("_", " "),
                label=p.label,
            ),
            p.trials,
            _percent(p.counts.precision),
            _percent(p.counts.recall),
            _percent(p.counts.f1),
            _percent(p.accuracy),
            _percent(p.strict_counts.f1),
            _percent(p.strict_accuracy),
            p.token_limited,
        ]
        for p in fidelity_table(records)
    ]
    return Section(said("perception-fidelity"), columns, rows, [said("perception-fidelity-note")])
