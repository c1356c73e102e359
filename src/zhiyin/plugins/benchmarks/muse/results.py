"""The published accuracies of four models and of guessing, and the table made again from logs.

Sections of `zhiyin show` for a run: published rule and ours, and what the model remembered.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence
from pathlib import Path

import msgspec

from zhiyin.contract.declared import Cell, Section, heads
from zhiyin.contract.policies import open_policy
from zhiyin.contract.published import Cause, ReproducedFigure, ReproducibleTable, Reproduction
from zhiyin.contract.published_table import values
from zhiyin.engine.folder import Manifest
from zhiyin.plugins.benchmarks.muse.logs import (
    MODELS,
    LoggedAnswer,
    RunLog,
    read_log,
    refuse_twice,
    rule_of,
)
from zhiyin.plugins.benchmarks.muse.tasks import MODES, TASKS, MuseTask, table_rule
from zhiyin.plugins.methods.imported import each_once
from zhiyin.record import Record
from zhiyin.runs.rows import Rows
from zhiyin.trial import Audio
from zhiyin.words import Text, said
from zhiyin.words.reasons import reason

_OURS = "robust"
_WHOLE = 60
_WITHIN = 5e-5
"""Half of the last digit: the table prints per cent with two decimals."""


PRINTED_COUNTS = {
    "Audio Flamingo 3": {
        "chord_progression_matching": 60, "oddballs": 60, "syncopation": 60,
        "rhythm_matching": 0, "transposition": 0,
    }
}  # fmt: skip
"""Rows, in both modes, whose column `correct` says another count than their percentage."""


def printed(model: str) -> dict[str, float]:
    """The published accuracies of a model in per cent, by group (``transposition/cot``)."""
    return {group: one.value for group, one in values("MUSE").get(model, {}).items()}


class _LoggedCell(msgspec.Struct):
    """One row of the table: its logs, and what they hold."""

    logs: list[RunLog]

    @property
    def answers(self) -> list[LoggedAnswer]:
        return [answer for log in self.logs for answer in log.answers]


def accuracies(files: Sequence[Path]) -> Reproduction:
    """The rows that the logs are of, as the published table counts them, and by our rule."""
    files, notes = each_once(files, "logs", lambda path: (path.name, path.read_bytes()))
    logs = [read_log(path) for path in files]
    refuse_twice(logs)
    rows: list[ReproducedFigure] = []
    for model in dict.fromkeys(log.model for log in logs):
        of_model = [log for log in logs if log.model == model]
        named = MODELS.get(model.rpartition("/")[2], model.rpartition("/")[2])
        rows += _rows(named, table_rule(rule_of(model)), of_model)
        notes += _repeats(named, of_model)
    notes.append(
        "by rule: the answer that the published runner finds, without its full stop in three "
        "tasks; a reply in which it reads none is in no count. By ours (robust) that is wrong."
    )
    return Reproduction(tuple(rows), tuple(notes))


def _rows(model: str, rule: str, logs: Sequence[RunLog]) -> list[ReproducedFigure]:
    cells: dict[tuple[str, str], _LoggedCell] = {}
    for log in logs:
        cells.setdefault((log.task, log.mode), _LoggedCell([])).logs.append(log)
    return [
        _row(model, rule, task, mode, cells[task.name, mode])
        for task in TASKS.values()
        for mode in MODES
        if (task.name, mode) in cells
    ]


def _row(model: str, rule: str, task: MuseTask, mode: str, cell: _LoggedCell) -> ReproducedFigure:
    options = task.options
    theirs, ours = open_policy(rule), open_policy(_OURS)
    scored = right = our_right = unread = stop = 0
    changed: Counter[tuple[str, int]] = Counter()
    for answer in cell.answers:
        runner_reading, our_reading = (p.extract(answer.reply, options) for p in (theirs, ours))
        read = runner_reading.letter is not None
        hit, our_hit = (
            runner_reading.letter == answer.item.answer,
            our_reading.letter == answer.item.answer,
        )
        unread, scored = unread + (not read), scored + read
        right, our_right = right + hit, our_right + our_hit
        stop += hit and not answer.correct
        if hit != our_hit:
            changed[our_reading.why, our_hit - hit] += 1
        elif read and runner_reading.letter != our_reading.letter:
            changed[our_reading.why, 0] += 1
    total = len(cell.answers)
    by_rule = right / scored if scored else None
    share = printed(model).get(f"{task.name}/{mode}")
    published = None if share is None else share / 100
    causes = [
        Cause("ours", f"read otherwise: {why}", n, gain * n / total)
        for (why, gain), n in changed.most_common()
    ]
    if unread:
        effect = None if by_rule is None else right / total - by_rule
        reason = "replies without an answer by the rule, which are in no published count"
        causes.append(Cause("ours", reason, unread, effect))
    if stop:
        reason = "replies without the full stop that the runner wants and the table forgives"
        causes.append(Cause("published", reason, stop, 0.0))
    causes += _lacking(cell, share)
    return ReproducedFigure(
        model, f"{task.title}, {mode}", published, by_rule, our_right / total, scored, _WITHIN,
        causes=tuple(causes), remarks=_contradiction(model, task.name, share),
    )  # fmt: skip


def _lacking(cell: _LoggedCell, share: float | None) -> list[Cause]:
    """The trials of the published row that the logs do not hold."""
    lacking = _WHOLE - len(cell.answers)
    if share is None or lacking <= 0:
        return []
    present = ", ".join(f"{log.group}{log.seed}" for log in cell.logs)
    return [Cause("published", f"trials whose logs are not here (here are {present})", lacking)]


def _contradiction(model: str, task: str, share: float | None) -> tuple[str, ...]:
    """Report where the row's own count is another one than its percentage."""
    wrong = PRINTED_COUNTS.get(model, {}).get(task)
    if wrong is None or share is None:
        return ()
    return (
        f"the row contradicts itself: it counts {wrong} of {_WHOLE} and says {share:.2f} %, "
        "which is what the logs give",
    )


def _repeats(model: str, logs: Sequence[RunLog]) -> list[str]:
    """Report whether the orders of a model are repetitions at all."""
    by_item: dict[tuple[str, str], list[str]] = defaultdict(list)
    for log in logs:
        for answer in log.answers:
            by_item[log.mode, answer.item.id].append(answer.reply)
    several = [replies for replies in by_item.values() if len(replies) > 1]
    alike = sum(len(set(replies)) == 1 for replies in several)
    if not several or alike < len(several):
        return []
    return [
        f"{model}: in all {len(several)} trials the replies in every order are the same to the "
        "character: they are no repetitions"
    ]


def _is_log(path: Path) -> bool:
    return path.suffix == ".log" and "_CHAT_" in path.name


TABLES = (
    ReproducibleTable(
        "accuracies",
        "per cent right by task and mode, over two groups in three orders",
        "run logs, TASK_MODEL_CHAT_MODE_GroupG_seedN.log",
        _is_log,
        accuracies,
        "logs",
    ),
)


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
