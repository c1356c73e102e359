"""Sections of `zhiyin show` for a run: the grid of Table 1, LogicLM's conversations, figure 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from itertools import product

from zhiyin.analysis.coverage import Coverage, coverage_of
from zhiyin.contract.declared import Cell, Reference, Section, heads
from zhiyin.plugins.benchmarks.perception.scoring import (
    execution_table,
    fidelity_table,
    without_messages,
)
from zhiyin.plugins.benchmarks.perception.tasks import MODALITIES, SHOTS, STRATEGIES, TASKS
from zhiyin.plugins.music.logiclm import token_limited
from zhiyin.record import Record
from zhiyin.runs.rows import Rows
from zhiyin.words import Said, Text, said

_OFTEN = 0.25
"""Share of transcriptions from which on their common fault is reported."""

Cells = dict[tuple[str, str, str, str], Counter[str]]


def sections(rows: Rows, published: Reference | None = None) -> list[Section]:
    """The further tables of a run of this benchmark. LogicLM's only where it was asked for it."""
    cells: Cells = {}
    logical: list[Record] = []
    for record in rows.records():
        _count(cells, record)
        if record.trial.tags.get("strategy") == "logiclm":
            logical.append(without_messages(record))
    coverage = coverage_of(rows.folder)
    tables = [
        _grid(task, cells, coverage, published)
        for task in TASKS
        if any(key[0] == task for key in cells)
    ]
    if logical:
        tables += [_execution(logical), _fidelity(logical)]
    return tables


def _count(cells: Cells, record: Record) -> None:
    tags = record.trial.tags
    key = tuple(str(tags.get(name)) for name in ("task", "modality", "shots", "strategy"))
    count = cells.setdefault(key, Counter())  # type: ignore[arg-type]
    if record.verdict.state == "error":
        count["errors"] += 1
    elif token_limited(record):
        count["token_limited"] += 1
    else:
        count["trials"] += 1
        count["correct"] += record.verdict.state == "correct"


def _grid(task: str, cells: Cells, coverage: Coverage, table: Reference | None) -> Section:
    """Accuracy in every cell, beside the models of Table 1 where it holds the published items."""
    groups = [f"{task}/{'/'.join(key[1:])}" for key in cells if key[0] == task]
    whole = table and table.only(group for group in groups if coverage.whole(group))
    published = whole.rows if whole else {}
    rows: list[list[Cell]] = []
    for modality, shots, strategy in product(MODALITIES, SHOTS, STRATEGIES):
        count = cells.get((task, modality, shots, strategy))
        if count:
            group = f"{task}/{modality}/{shots}/{strategy}"
            theirs = [row.get(group, {}).get("accuracy") for row in published.values()]
            cell = said("perception-cell", modality=modality, shots=shots, strategy=strategy)
            rows.append([cell, count["trials"], _accuracy(count), *map(_percent, theirs)])
    notes = []
    if cut := sum(count["token_limited"] for key, count in cells.items() if key[0] == task):
        notes.append(said("perception-cut", n=cut))
    columns: list[Text] = ["", *heads("n", "this-run"), *published]
    return Section(said("perception-accuracy", task=task), columns, rows, notes)


def _accuracy(count: Counter[str] | None) -> float | None:
    return 100 * count["correct"] / count["trials"] if count and count["trials"] else None


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
