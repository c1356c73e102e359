"""The benchmark object: from rows of ten files to trials, and from exchanges to verdicts.

Sections of `zhiyin show` for a run: each task by every right answer and by the published key.
"""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
import numpy as np

from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import TASK
from zhiyin.contract.declared import Cell, CheckResult, Kind, Section, heads
from zhiyin.contract.options import OwnPrompts
from zhiyin.contract.protocols import OURS
from zhiyin.engine.scoring import judge_choice
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.abc_eval.data import (
    TASKS,
    ScoreItem,
    find_files,
    read_items,
    right_orders,
)
from zhiyin.plugins.benchmarks.abc_eval.reading import NUMBER, read_order
from zhiyin.plugins.benchmarks.listening import shuffled
from zhiyin.plugins.music.clips import LETTERS, refuse
from zhiyin.prompts import LAYOUT, Prompts, lay_out
from zhiyin.reader import is_refusal
from zhiyin.reader.policy import Value
from zhiyin.record import Exchange, Reply, State, Verdict
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import Rows, TrialRow
from zhiyin.trial import Option, Tag, Trial, say
from zhiyin.words import Said, said

_PACKAGE = "zhiyin.plugins.benchmarks.abc_eval"
_PLACES = {
    "choice": ("score", "question", "options"),
    "order": ("score", "question", "options"),
    "count": ("score", "question"),
    "errors": ("question",),
    "option": ("letter?", "index?", "text"),
    "bar": ("index", "text"),
    "options": LAYOUT,
}
"""The prompts and what each must hold."""
VERSION = 1
"""Raised whenever an order or a number would be scored otherwise."""


class AbcEvalSettings(msgspec.Struct, frozen=True):
    """Settings of a run of ABC-Eval. `data` is read only when a trial is asked for."""

    task: Annotated[
        tuple[
            Literal[
                "bar_count_estimation", "error_detection", "metadata_qa", "metadata_prediction",
                "next_bar_prediction", "bar_sequencing", "music_captioning",
                "emotion_recognition", "genre_recognition", "composer_recognition",
            ],
            ...,
        ],
        Flag("only these tasks (default: all ten)", "TASK,...", once=True, told="only {}"),
    ] = ()  # fmt: skip
    data: Annotated[str | None, Flag("folder with the ten CSV files", place=True)] = None
    partial: Annotated[bool, Flag("take the tasks whose files are there", place=True)] = False
    seed: Annotated[int, Flag("of the order of the options")] = 0
    order: Annotated[
        Literal["shuffled", "published"], Flag("of the options: drawn by --seed, or as published")
    ] = "shuffled"
    prompts: OwnPrompts = None
    protocol: Annotated[str, Flag("whose way of asking")] = OURS.name
    extract: Annotated[str, Flag("how replies are read")] = "robust"


class AbcEval(Benchmark[AbcEvalSettings]):
    """Ten tasks on scores in ABC notation: choices, an order of bars, a number of bars.

    Parameters
    ----------
    settings : AbcEvalSettings
    """

    name = "abc-eval"
    summary = said("abc-eval-summary")
    description = "benchmark.toml"
    ways = (TASK,)
    titles = {name: said("abc-eval-task", name=name) for name in TASKS}
    Settings = AbcEvalSettings
    details = deferred(f"{__name__}:sections", 1)
    """Each task by our key and by the published one, Kendall's tau and macro-F1."""

    def trials(self) -> Iterator[Trial]:
        """Every row, task by task, in the order of its file."""
        return map(self._trial, self.items)

    def __len__(self) -> int:
        return len(self.items)

    @cached_property
    def items(self) -> list[ScoreItem]:
        """The rows that are asked."""
        return [
            item for task, path in self._files.items() for item in read_items(path, task, refuse)
        ]

    @cached_property
    def _files(self) -> dict[str, Path]:
        wanted: tuple[str, ...] = self.settings.task or tuple(TASKS)
        found = find_files(self.settings.data, wanted, self.home)
        missing = [task for task in wanted if task not in found]
        if missing and not self.settings.partial:
            raise InputError(
                f"{self.settings.data}: no {TASKS[missing[0]].file} ({len(missing)} of "
                f"{len(wanted)} files are missing): get it from {self.home}, name tasks with "
                "--task, or take those that are there with --partial"
            )
        return found

    @cached_property
    def _asking(self) -> Prompts:
        named = self.settings.protocol
        return Prompts(
            _PACKAGE,
            _PLACES,
            folder=self.settings.prompts,
            pack=None if named == OURS.name else named,
        )

    def _trial(self, item: ScoreItem) -> Trial:
        answer = TASKS[item.task].answer
        question = item.question
        if item.task == "error_detection":
            question = self._asking.fill("errors", question=question)
        places = {"score": item.score, "question": question}
        options: tuple[Option, ...] = ()
        tags: dict[str, Tag] = {TASK.name: item.task, "answer": answer}
        target = item.key
        if answer == "choice":
            # Those that are written the same are one option.
            options = tuple(
                Option(letter, item.choices[place], str(item.alike[place]))
                for letter, place in zip(LETTERS, self._order(item), strict=False)
            )
            shown = [
                self._asking.fill("option", letter=o.letter, index=str(place), text=o.text)
                for place, o in enumerate(options)
            ]
            target = str(item.alike[int(item.key)])
            tags["published"] = next(
                letter
                for letter, place in zip(LETTERS, self._order(item), strict=False)
                if place == int(item.key)
            )
        elif answer == "order":
            tags["alike"] = "".join(map(str, item.alike))
            shown = [
                self._asking.fill("bar", index=str(place), text=bar)
                for place, bar in enumerate(item.choices)
            ]
        if answer != "count":
            places["options"] = lay_out(self._asking.templates["options"], shown).fill({})
        return Trial(
            id=item.id, messages=(say("user", self._asking.fill(answer, **places)),),
            stem=f"{item.score}\n\n{question}", options=options, target=target, groups=item.groups,
            cluster=item.tune, tags=tags, item=item.id,
        )  # fmt: skip

    def _order(self, item: ScoreItem) -> list[int]:
        places = list(range(len(item.choices)))
        if self.settings.order == "published":
            return places
        return shuffled(places, f"{self.settings.seed}/{item.id}")

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """An option, an order of bars, or their number."""
        if trial.options:
            return judge_choice(trial, exchange, self.policy)
        reply = exchange.final
        if trial.tags.get("answer") == "order":
            return judge_order(trial, reply)
        number = NUMBER(reply.text)
        stated = None if number.value is None else f"{number.value:g}"
        return _verdict(reply, number, stated, stated == trial.target, f"number@{VERSION}")

    def fingerprint(self) -> str:
        """SHA-256 over prompts, and the rows with the order of their options."""
        total = hashlib.sha256(self._asking.as_bytes())
        for item in self.items:
            total.update(msgspec.json.encode((item, self._order(item))))
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Name the tasks that are missing."""
        missing = [task for task in self.settings.task or TASKS if task not in self._files]
        return [said("abc-eval-incomplete", tasks=missing)] if missing else []

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the files in ``options["data"]``; see the kinds in ``flaws.py``."""
        from zhiyin.plugins.benchmarks.abc_eval.data import check_files

        files = find_files(options.get("data"), tuple(TASKS), cls.home)
        return check_files(files, bool(options.get("partial")))


def kendall_tau(order: str, key: str) -> float | None:
    """Kendall's tau between two orders, by where each bar stands in them, -1 to 1.

    None where one is no permutation of the other: nothing is defined of it.
    """
    from scipy.stats import kendalltau

    if sorted(order) != sorted(key) or len(set(key)) < len(key):
        return None
    ranks = [[each.index(place) for place in sorted(key)] for each in (order, key)]
    return round(float(kendalltau(*ranks).statistic), 12)


def judge_order(trial: Trial, reply: Reply) -> Verdict:
    """An order of bars: right where it gives the bars of the key.

    Its scores are ``published_key``, 1 for the very order that is published, else 0, and Kendall's
    tau with that order, ``tau``, and with the nearest of all right ones, ``tau_nearest``; an order
    that is no permutation has neither tau.
    """
    value, key = read_order(reply.text), trial.target or ""
    alike = str(trial.tags.get("alike") or key)
    right = right_orders(key, alike)
    order = value.value if isinstance(value.value, str) else None
    verdict = _verdict(reply, value, order, order in right, f"order@{VERSION}")
    if order is not None:
        verdict.scores = {"published_key": float(order == key)}
        taus = [tau for each in right if (tau := kendall_tau(order, each)) is not None]
        if taus:
            verdict.scores |= {"tau": taus[0], "tau_nearest": max(taus)}
    return verdict


def _verdict(reply: Reply, value: Value, stated: str | None, right: bool, label: str) -> Verdict:
    if stated is None:
        refused = reply.finish == "refusal" or is_refusal(reply.text)
        state: State = "truncated" if reply.finish == "length" else "no_answer"
        return Verdict("refused" if refused else state, None, None, value.why, label)
    return Verdict(
        "correct" if right else "wrong", stated, None, value.why, label,
        confidence=value.confidence, span=value.span,
    )  # fmt: skip


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
