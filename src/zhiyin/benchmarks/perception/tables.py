"""What `zhiyin show` adds for a run: the grid of Table 1, LogicLM's conversations, figure 3."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from zhiyin.benchmarks import Section
from zhiyin.benchmarks.perception.settings import MODALITIES, SHOTS, STRATEGIES
from zhiyin.benchmarks.perception.tasks import TASKS
from zhiyin.log import read_records
from zhiyin.record import Record
from zhiyin.statistics.fidelity import execution_table, fidelity_table, token_limited

Cells = dict[tuple[str, str, str, str], Counter[str]]


def sections(folder: Path) -> list[Section]:
    """The further tables of a run of this benchmark. LogicLM's only where it was asked for it."""
    cells: Cells = {}
    logical: list[Record] = []
    for record in read_records(folder):
        _count(cells, record)
        if record.trial.tags.get("strategy") == "logiclm":
            logical.append(_lean(record))
    found = [_grid(cells)]
    if logical:
        found += [_execution(logical), _fidelity(logical)]
    return found


def _lean(record: Record) -> Record:
    """The record without its messages, which these tables do not read and which are long."""
    trial = record.trial
    record.trial = type(trial)(trial.id, (), target=trial.target, tags=trial.tags)
    return record


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


def _grid(cells: Cells) -> Section:
    """Accuracy by modality, shots and strategy down, task across, as Table 1 has it."""
    tasks = [task for task in TASKS if any(key[0] == task for key in cells)]
    rows: list[list[str | float | int | None]] = []
    for modality in MODALITIES:
        for shots in SHOTS:
            for strategy in STRATEGIES:
                row = [cells.get((task, modality, shots, strategy)) for task in tasks]
                if any(row):
                    rows.append([modality, shots, strategy, *map(_accuracy, row)])
    left_out = sum((count["token_limited"] for count in cells.values()), 0)
    notes = ["accuracy in %, over trials whose output was not cut off or empty, as in the paper"]
    if left_out:
        notes.append(f"{left_out} token-limited trials left out here; `groups` count them as wrong")
    return Section("accuracy by cell", ["modality", "shots", "strategy", *tasks], rows, notes)


def _accuracy(count: Counter[str] | None) -> float | None:
    return 100 * count["correct"] / count["trials"] if count and count["trials"] else None


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value


def _listed(counts: Iterable[tuple[object, int]]) -> str:
    return ", ".join(f"{name}: {n}" for name, n in counts) or "none"


def _execution(records: list[Record]) -> Section:
    columns = [
        "task", "modality", "shots", "trials", "executable, %", "accuracy, %", "on executed, %",
        "strict, %", "repairs: trials", "faults", "agrees with solver, %",
    ]  # fmt: skip
    rows: list[list[str | float | int | None]] = [
        [
            e.task, e.modality, e.shots, e.trials, _percent(e.executable_rate),
            _percent(e.accuracy), _percent(e.accuracy_executed), _percent(e.strict_accuracy),
            _listed(sorted(e.repairs.items())), _listed(sorted(e.faults.items())),
            _percent(e.agreement),
        ]
        for e in execution_table(records)
    ]  # fmt: skip
    note = "agreement: of the model's own last answers, those that repeat the solver's decision"
    return Section("LogicLM: what became of the transcriptions", columns, rows, [note])


def _fidelity(records: list[Record]) -> Section:
    columns = [
        "task", "modality", "measure", "label", "trials", "precision", "recall", "F1",
        "accuracy, %", "strict F1", "strict accuracy, %", "token-limited",
    ]  # fmt: skip
    rows: list[list[str | float | int | None]] = [
        [
            p.task, p.modality, p.mask.replace("_", " "), "all" if p.label is None else p.label,
            p.trials, p.counts.precision, p.counts.recall, p.counts.f1, _percent(p.accuracy),
            p.strict_counts.f1, _percent(p.strict_accuracy), p.token_limited,
        ]
        for p in fidelity_table(records)
    ]  # fmt: skip
    note = "micro-averaged over label and modality (section 2.5, figure 3)"
    return Section("transcription fidelity beside accuracy", columns, rows, [note])
