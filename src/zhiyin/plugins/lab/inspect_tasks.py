"""Benchmarks as tasks of Inspect AI: ``inspect eval zhiyin/NAME --model PROVIDER/MODEL``.

Inspect finds this module by its entry points (group ``inspect_ai``) and imports it only then. A
task's arguments (``-T``) are the flags of ``zhiyin run`` with "_" for "-": the benchmark's own, and
``limit``, ``sample``, ``seed``, ``extract``, ``protocol``. Sampling and limits of calls are those
of Inspect.

A sample is a trial. Its messages hold marks in the place of sound and pictures: the task's *setup*
brings these in just before the model is asked, whatever solver follows, so that a thousand
recordings are never in memory together. The *solver* lets the trial's own strategy conduct the
conversation, its calls going to Inspect's model; with another one the reply is read all the same.
The *scorer* is the benchmark's scoring. Trials without a right answer are unscored.

Accuracy, standard error and interval are those that ``zhiyin show`` prints: repeats of an item are
averaged first, and items that hang together (one recording, one piece) are one cluster.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from types import ModuleType
from typing import Any, NamedTuple

import anyio
import inspect_ai.model
import msgspec
from inspect_ai import Task, task
from inspect_ai._util.error import PrerequisiteError  # the only error that it tells on a line
from inspect_ai.dataset import MemoryDataset, Sample
from inspect_ai.model import (
    ChatMessage,
    ChatMessageAssistant,
    ChatMessageSystem,
    ChatMessageUser,
    ContentAudio,
    ContentImage,
    ContentText,
    GenerateConfig,
    get_model,
)
from inspect_ai.scorer import Metric, SampleScore, Score, Scorer, Target, metric, scorer
from inspect_ai.solver import Generate, Solver, TaskState, solver

from zhiyin.api.arguments import as_parameters, benchmark_options
from zhiyin.contract.benchmark import Benchmark
from zhiyin.contract.protocols import open_protocol
from zhiyin.contract.registry import given, places
from zhiyin.contract.settings import read_run
from zhiyin.errors import InputError
from zhiyin.extensions import INNER, ours
from zhiyin.models.media import data_url
from zhiyin.parsing import read_json_text
from zhiyin.plugins.local.packages import inspect_settings, reply_of_inspect
from zhiyin.record import NOT_JUDGED, Exchange, Record, Reply, Sampling, Strategy, Turn, Verdict
from zhiyin.runs.estimates import Nesting
from zhiyin.runs.ways import UNDECLARED, Ways
from zhiyin.session.setup import selected, strategies
from zhiyin.statistics.intervals import Interval
from zhiyin.trial import Audio, Message, Part, Text, Trial, right_keys
from zhiyin.words import said

_EXCHANGE = "zhiyin.exchange"
_MARKS = {"audio": "[sound]", "image": "[picture]"}
_VALUES = {"correct": "C", "wrong": "I"}
_OF_VALUES = {"C": 1.0, "I": 0.0, "N": 0.0}
_RUN_SETTINGS = ("limit", "sample")
_ROLES: dict[str, type[ChatMessageUser | ChatMessageSystem | ChatMessageAssistant]] = {
    "user": ChatMessageUser,
    "system": ChatMessageSystem,
    "assistant": ChatMessageAssistant,
}


class _Opened(NamedTuple):
    """A benchmark as a task asks it."""

    benchmark: Benchmark[Any]
    trials: dict[str, Trial]
    strategy: Callable[[Trial], Strategy]
    sampling: Sampling


@lru_cache(maxsize=4)
def _opened(name: str, settings: str) -> _Opened:
    """A benchmark by its name and its settings as JSON, read once by dataset, solver and scorer."""
    kind, chosen = given(name), read_json_text(settings)
    run = {key: chosen.pop(key) for key in _RUN_SETTINGS if key in chosen}
    options = benchmark_options(kind, chosen)
    usual = open_protocol(kind, options.get("protocol")).usual()
    with as_parameters():
        order = read_run(name, "", options, run, usual)
    order, selection = selected(order)
    if selection.sequences:
        n = len(selection.sequences)
        raise InputError(said("inspect-sequences", name=name, sequences=n))
    trials = {trial.id: trial for trial in selection}
    own = selection.benchmark
    return _Opened(own, trials, strategies(order, own), order.sampling)


def make_task(name: str, settings: dict[str, Any]) -> Task:
    """The task of a benchmark.

    Parameters
    ----------
    name : str
        A name that ``zhiyin list`` shows, or ``FILE.py:Class``.
    settings : dict
        Flags of ``zhiyin run`` by their names; None for one that is left out.

    Raises
    ------
    InputError
        For any setting that the user can mend; for a benchmark that asks sequences.
    """
    chosen = {key: value for key, value in settings.items() if value is not None}
    how = {"benchmark": name, "settings": json.dumps(chosen, sort_keys=True, default=str)}
    opened = _opened(name, how["settings"])
    kind = type(opened.benchmark)
    ways = UNDECLARED if kind.ways is None else Ways(kind.ways)
    samples = [_sample(trial, ways) for trial in opened.trials.values()]
    facts = {
        "paper": kind.paper, "licence": kind.licence, "home": kind.home,
        "data": opened.benchmark.fingerprint(),
        "revisions": {source.name: source.revision for source in kind.sources()},
    }  # fmt: skip
    return Task(
        dataset=MemoryDataset(samples, name=opened.benchmark.name),
        setup=bring_media(**how),
        solver=conduct(**how),
        scorer=verdict(**how),
        config=GenerateConfig(**inspect_settings(opened.sampling, _model_module())),
        version=kind.version,
        metadata=facts,
    )


def _model_module() -> ModuleType:
    return inspect_ai.model


def _sample(trial: Trial, ways: Ways) -> Sample:
    letters = {option.key: option.letter for option in trial.options}
    facts = {
        "item": trial.item or trial.id, "cluster": trial.cluster, "condition": trial.condition,
        "main": not ways.of(trial.tags), "groups": list(trial.groups), "tags": dict(trial.tags),
    }  # fmt: skip
    return Sample(
        input=[_message(message, _marked) for message in trial.messages],
        choices=[option.text for option in trial.options] or None,
        target=[letters.get(key, key) for key in right_keys(trial)],
        id=trial.id,
        metadata=facts,
    )


# Messages

Content = ContentText | ContentAudio | ContentImage


def _message(message: Message, content: Callable[[Part], Content]) -> ChatMessage:
    if all(isinstance(part, Text) for part in message.parts):
        return _ROLES[message.role](content=message.text)
    return _ROLES[message.role](content=[content(part) for part in message.parts])


def _marked(part: Part) -> Content:
    if isinstance(part, Text):
        return ContentText(text=part.text)
    return ContentText(text=_MARKS["audio" if isinstance(part, Audio) else "image"])


def _loaded(part: Part) -> Content:
    """A part as it is sent. Raises `ModelError` where a file has gone or has changed."""
    if isinstance(part, Text):
        return ContentText(text=part.text)
    url, form = data_url(part)
    if isinstance(part, Audio):
        return ContentAudio(audio=url, format="mp3" if form == "mp3" else "wav")
    return ContentImage(image=url)


async def _as_sent(messages: Iterable[Message]) -> list[ChatMessage]:
    """Messages with their sound and pictures, which are read in a thread."""

    def load() -> list[ChatMessage]:
        return [_message(message, _loaded) for message in messages]

    return await anyio.to_thread.run_sync(load)


@solver
def bring_media(benchmark: str, settings: str) -> Solver:
    """Put sound and pictures in the places of their marks."""
    opened = _opened(benchmark, settings)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        state.messages = await _as_sent(opened.trials[str(state.sample_id)].messages)
        return state

    return solve


@solver
def conduct(benchmark: str, settings: str) -> Solver:
    """Let the trial's own strategy conduct the conversation with the model of the evaluation."""
    opened = _opened(benchmark, settings)

    async def solve(state: TaskState, generate: Generate) -> TaskState:
        trial, model = opened.trials[str(state.sample_id)], get_model()
        opening = list(state.messages)

        async def ask(messages: Sequence[Message], own: Sampling | None = None) -> Reply:
            messages, begun = tuple(messages), len(trial.messages)
            if messages[:begun] == trial.messages:
                sent = [*opening, *await _as_sent(messages[begun:])]
            else:
                sent = await _as_sent(messages)
            settings = inspect_settings(own, _model_module()) if own else {}
            state.output = await model.generate(sent, config=GenerateConfig(**settings))
            state.messages = [*sent, state.output.message]
            return reply_of_inspect(state.output)

        exchange = await opened.strategy(trial)(trial, ask)
        state.store.set(_EXCHANGE, msgspec.to_builtins(exchange))
        return state

    return solve


# Scores and figures


def _figure(scores: Sequence[SampleScore]) -> Interval | None:
    """The share of right answers as `zhiyin show` has it: in the main way of asking, if any is.

    With several epochs a sample's value is the mean of theirs.
    """
    judged = [one for one in scores if (one.score.metadata or {}).get("state") not in NOT_JUDGED]
    main = [one for one in judged if (one.sample_metadata or {}).get("main")]
    records, values = [], []
    for number, one in enumerate(main or judged):
        facts = one.sample_metadata or {}
        trial = Trial(
            f"{one.sample_id}/{number}", (), cluster=facts.get("cluster"),
            item=facts.get("item") or str(one.sample_id), condition=facts.get("condition") or "",
        )  # fmt: skip
        records.append(Record(trial.id, Verdict("correct", None), trial))
        value = one.score.value
        values.append(_OF_VALUES[value] if isinstance(value, str) else float(value))  # type: ignore[arg-type]
    if not records:
        return None
    import numpy as np

    return Nesting.of(records).mean(np.array(values))


def _of(name: str) -> Metric:
    def figure(scores: list[SampleScore]) -> float:
        interval = _figure(scores)
        return float("nan") if interval is None else float(getattr(interval, name))

    return figure


@metric
def accuracy() -> Metric:
    """The share of right answers, an item's trials averaged first."""
    return _of("mean")


@metric
def stderr() -> Metric:
    """Its standard error, robust to items that hang together."""
    return _of("se")


@metric
def low() -> Metric:
    """The lower end of its 95 % interval."""
    return _of("low")


@metric
def high() -> Metric:
    """The upper end of its 95 % interval."""
    return _of("high")


@scorer(metrics=[accuracy(), stderr(), low(), high()])
def verdict(benchmark: str, settings: str) -> Scorer:
    """The benchmark's own scoring of the conversation."""
    opened = _opened(benchmark, settings)

    async def score(state: TaskState, target: Target) -> Score:
        trial, kept = opened.trials[str(state.sample_id)], state.store.get(_EXCHANGE)
        if kept is None:  # another solver has asked
            exchange = Exchange((Turn(reply_of_inspect(state.output)),))
        else:
            exchange = msgspec.convert(kept, Exchange)
        return _score(opened.benchmark.score(trial, exchange))

    return score


def _score(found: Verdict) -> Score:
    facts = {"state": found.state, "verdict": msgspec.to_builtins(found)}
    answer, why = found.letter or found.answer, found.why or found.state
    if found.state in NOT_JUDGED:
        return Score.unscored(reason=found.state, answer=answer, explanation=why, metadata=facts)
    value = _VALUES.get(found.state, "N")
    return Score(value=value, answer=answer, explanation=why, metadata=facts)


# The tasks


def task_for(name: str, settings: dict[str, Any]) -> Task:
    """Make a task as `make_task` does; user errors are told as Inspect tells them, on a line."""
    try:
        return make_task(name, settings)
    except InputError as error:
        raise PrerequisiteError(str(error)) from None


@task
def benchmark(name: str, **settings: Any) -> Task:
    """Any benchmark: by the name that ``zhiyin list`` shows, or ``FILE.py:Class``."""
    return task_for(name, settings)


def _task_of(name: str) -> Callable[..., Task]:
    def made(**settings: Any) -> Task:
        return task_for(name, settings)

    made.__name__ = made.__qualname__ = name.replace("-", "_")
    return task(name=name)(made)


TASKS = {name: _task_of(name) for name in places() if name not in ours(INNER)}
"""A task for each benchmark that is installed, whether Zhiyin's or another package's."""
