"""Sections of `zhiyin show` for a run: published rule and ours, and what the model remembered."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

import msgspec

from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.contract.policies import open_policy
from zhiyin.engine.folder import Manifest
from zhiyin.plugins.benchmarks.muse.accuracies import printed
from zhiyin.plugins.benchmarks.muse.logs import MODELS
from zhiyin.plugins.benchmarks.muse.reading import table_rule
from zhiyin.plugins.benchmarks.muse.tasks import MODES, TASKS
from zhiyin.record import Record
from zhiyin.runs.rows import Rows
from zhiyin.trial import Audio
from zhiyin.words import Text, said
from zhiyin.words.reasons import reason

_OURS = "robust"
_MOST_CAUSES = 12


class _CountedCell(msgspec.Struct):
    """A cell of the design, read both ways."""

    trials: int = 0
    unread: int = 0
    theirs: int = 0
    ours: int = 0
    differ: int = 0

    @property
    def scored(self) -> int:
        """Number of replies in the published count: all but those in which it reads no answer."""
        return self.trials - self.unread


def sections(rows: Rows, manifest: Manifest) -> list[Section]:
    """The further tables of a run; none where nothing has been answered yet."""
    rule = table_rule(str(manifest.options.get("rule") or manifest.benchmark))
    cells: dict[tuple[str, str], _CountedCell] = defaultdict(_CountedCell)
    causes: Counter[tuple[str, str, str, str]] = Counter()
    memory = _ChatHistory()
    for record in rows.settled.which(lambda kind: kind.target).records():
        if record.exchange.turns:
            _count(record, rule, cells, causes)
            memory.add(record)
    tables = [_table(cells, rule, manifest.model)] if cells else []
    tables += [_causes(causes, rule)] if causes else []
    return [*tables, *memory.sections()]


def _count(
    record: Record,
    rule: str,
    cells: dict[tuple[str, str], _CountedCell],
    causes: Counter[tuple[str, str, str, str]],
) -> None:
    trial, text = record.trial, record.exchange.final.text
    cell = cells[str(trial.tags["task"]), str(trial.tags["mode"])]
    theirs = open_policy(rule).extract(text, trial.options)
    ours = open_policy(_OURS).extract(text, trial.options)
    cell.trials += 1
    cell.unread += theirs.letter is None
    cell.theirs += theirs.letter == trial.target
    cell.ours += ours.letter == trial.target
    if theirs.letter != ours.letter:
        cell.differ += 1
        task = str(trial.tags["task"])
        causes[task, theirs.letter or "none", ours.letter or "none", ours.why] += 1


def _table(cells: dict[tuple[str, str], _CountedCell], rule: str, model: str) -> Section:
    row = printed(MODELS.get(model.rpartition("/")[2], ""))
    rows: list[list[Cell]] = []
    for task in TASKS.values():
        for mode in MODES:
            cell = cells.get((task.name, mode))
            if cell is None:
                continue
            rows.append(
                [
                    task.called, mode, cell.trials,
                    _percent(cell.theirs, cell.scored), _percent(cell.ours, cell.trials),
                    cell.differ, row.get(f"{task.name}/{mode}"),
                ]
            )  # fmt: skip
    notes = [said("muse-rule", rule=rule), said("muse-each-trial")]
    if row:
        notes.append(said("muse-published"))
    head = heads("task", "mode", "trials", rule, _OURS, "otherwise", "published")
    return Section(said("muse-right"), head, rows, notes)


def _percent(right: int, of: int) -> float | None:
    return round(100 * right / of, 2) if of else None


def _causes(causes: Counter[tuple[str, str, str, str]], rule: str) -> Section:
    rows: list[list[Cell]] = [
        [TASKS[task].called if task in TASKS else task, theirs, ours, reason(why), number]  # type: ignore[index]
        for (task, theirs, ours, why), number in causes.most_common(_MOST_CAUSES)
    ]
    head = heads("task", rule, _OURS, "ours-because", "replies")
    return Section(said("muse-otherwise"), head, rows)


class _ChatHistory:
    """The history of the conversation before each trial of a chat."""

    def __init__(self) -> None:
        self._by_step: dict[int, list[tuple[int, int, float]]] = defaultdict(list)

    def add(self, record: Record) -> None:
        """Count one trial of a sequence."""
        if not record.trial.sequence:
            return
        before, last = record.trial.messages[:-1], record.trial.messages[-1]
        replies = sum(message.role == "assistant" for message in before)
        sounds = [p for m in (*before, last) for p in m.parts if isinstance(p, Audio)]
        seconds = sum(sound.seconds for sound in sounds)
        self._by_step[record.trial.step].append((replies, len(sounds), seconds))

    def sections(self) -> list[Section]:
        """A line for each step of the chats; no table where every trial stood alone."""
        rows: list[list[Cell]] = []
        for step, requests in sorted(self._by_step.items()):
            replies, sounds = [row[0] for row in requests], [row[1] for row in requests]
            seconds = round(max(row[2] for row in requests), 1)
            rows.append([step, len(requests), _range(replies), _range(sounds), seconds])
        if not rows:
            return []
        head = heads("step", "chats", "replies-before", "sounds", "seconds")
        return [Section(said("muse-chats"), head, rows, [said("muse-chats-note")])]


def _range(values: Sequence[int]) -> Text:
    low, high = min(values), max(values)
    return str(low) if low == high else said("from-to", low=low, high=high)
