"""Benchmarks as tasks of Inspect AI: what is asked, verdicts and figures are those of a run."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import subprocess
import sys
import zlib
from importlib.util import find_spec
from pathlib import Path

import msgspec
import pytest

import cmi_help
import muchomusic_help
import zhiyin as zy
from conftest import REPOSITORY
from phrasings import phrased
from questions_help import jsonl
from zhiyin.engine.folder import read_records
from zhiyin.errors import InputError
from zhiyin.models.replies import with_thinking_apart
from zhiyin.record import Reply

pytestmark = [
    pytest.mark.skipif(find_spec("inspect_ai") is None, reason="Inspect AI is not installed"),
    pytest.mark.xdist_group("inspect"),  # it takes seconds to import, where it is used
]

FORMS = (
    "{k}", "({k})", "{k}.", "{k}) {kt}", "Answer: {k}", "**Answer: {k}**", "ANSWER: {k}\n", "{kt}",
    "The answer is {k}, not {o}.", "It is not {o}. I would say {k}.", "{ot}? No: {kt}.", "[[{k}]]",
    "<think>Perhaps {o}.</think>{k}", '{{"answer": "{k}"}}', "答案是{k}", "选{k}，因为{kt}。",
    "I cannot hear any audio.", "Sorry, I can't help with that.", "", "Hm.", "{k} or {o}",
    "Both {k} and {o}.", "I am not sure, but {kt}", "Well.\n\nFinal answer: {k}", "\\boxed{{{k}}}",
    "{n}", "about {n}", "C# E G#", "yes", "No.", "3/4", "a, b, c", "[1, 2, 3]", "Z", "{k}{o}",
)  # fmt: skip
"""Replies of many forms: k and kt are an option's letter and words, o and ot another's."""


def reply_to(trial: zy.Trial, seed: int = 0, spoken: tuple[str, ...] = ()) -> Reply:
    """A reply to a trial, the same whenever it is asked for."""
    draw = random.Random(zlib.crc32(f"{trial.id}/{seed}".encode()))
    options = list(trial.options) or [zy.Option("A", "slow", "A"), zy.Option("B", "fast", "B")]
    k, o = draw.sample(options, 2) if len(options) > 1 else options * 2
    facts = {"k": k.letter, "kt": k.text, "o": o.letter, "ot": o.text, "n": draw.randrange(200)}
    form = draw.choice(FORMS)
    text = draw.choice(spoken) if spoken and draw.random() < 0.3 else form.format(**facts)
    return Reply(text, draw.choices(("stop", "length", "refusal"), (0.9, 0.07, 0.03))[0])


class Speaker:
    """A model that says what `reply_to` says, thoughts apart, as every model behind a server."""

    name, concurrency, instant = "speaker", 1, True

    def __init__(self, seed: int = 0, spoken: tuple[str, ...] = ()) -> None:
        self.seed, self.spoken = seed, spoken

    async def generate(self, messages, sampling, trial):
        return with_thinking_apart(reply_to(trial, self.seed, self.spoken))


STOPS = {"stop": "stop", "length": "max_tokens", "refusal": "content_filter"}


def output_of(reply: Reply):
    from inspect_ai.model import ModelOutput, ModelUsage

    made = ModelOutput.from_content("mockllm/model", reply.text, stop_reason=STOPS[reply.finish])
    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
    return made


def decisive(verdict: dict) -> tuple:
    return tuple(
        json.dumps(verdict.get(name), sort_keys=True)
        for name in ("state", "answer", "letter", "policy", "scores", "tags")
    )


def differing(name: str, settings: dict, out: Path, seed: int = 0, spoken=()) -> tuple[int, int]:
    """How many verdicts of a run and of the task's scorer differ, and of how many."""
    from inspect_ai.model import ChatMessageUser
    from inspect_ai.scorer import Target
    from inspect_ai.solver import TaskState

    from zhiyin.plugins.lab import inspect_tasks

    run = zy.run(name, Speaker(seed, spoken), out=out, progress=False, canary=False, **settings)
    records = {record.id: record for record in read_records(run.folder)}
    task = inspect_tasks.make_task(name, settings)
    judge = task.scorer[0] if isinstance(task.scorer, list) else task.scorer
    assert [sample.id for sample in task.dataset] == list(records)

    async def verdicts() -> int:
        differ = 0
        for sample in task.dataset:
            record = records[sample.id]
            assert record.verdict.state != "error", record.error
            state = TaskState(
                model="mockllm/model", sample_id=sample.id, epoch=1, input=sample.input,
                messages=[ChatMessageUser(content="")], target=Target(sample.target),
                output=output_of(reply_to(record.trial, seed, spoken)), metadata=sample.metadata,
            )  # fmt: skip
            score = await judge(state, Target(sample.target))
            there = msgspec.to_builtins(record.verdict)
            differ += decisive(score.metadata["verdict"]) != decisive(there)
            assert score.value == {"correct": "C", "wrong": "I"}.get(record.verdict.state, "N") or (
                record.verdict.state == "ungraded"
            )
        return differ

    return asyncio.run(verdicts()), len(records)


OURS = {
    "appraisal": {"source": "generated"},
    "bodies": {"skill": "pitch", "n": 2},
    "exercises": {"limit": 30},
    "pairs": {"n": 1, "fact": "third", "change": "gain"},
    "perception": {"task": "chords", "n": 6},
    "scores": {"source": "generated", "n": 2, "limit": 12},
}
_DRAWN = {"bodies", "scores"}
"""Those whose pictures take long to be drawn."""


@pytest.mark.parametrize(
    "name", [pytest.param(n, marks=[pytest.mark.slow] * (n in _DRAWN)) for n in OURS]
)
def test_the_same_replies_get_the_same_verdicts(name, tmp_path) -> None:
    differ, count = differing(name, OURS[name], tmp_path / "run")
    assert (differ, count > 5) == (0, True)


@pytest.mark.slow
def test_so_do_those_to_published_data_and_questions_of_ones_own(tmp_path) -> None:
    data = muchomusic_help.make_data(tmp_path / "data")
    assert differing("muchomusic", {"data": str(data)}, tmp_path / "a")[0] == 0
    data = cmi_help.make_cmi(tmp_path / "cmi", sound=False)
    assert differing("cmi", {"data": str(data), "audio": "none"}, tmp_path / "b")[0] == 0
    rows = [
        {"id": "1", "question": "Which?", "A": "do", "B": "re", "answer": "A"},
        {"id": "2", "question": "Which ones?", "A": "do", "B": "re", "C": "mi", "answer": "A,C"},
        {"id": "3", "question": "How many?", "answer": "7", "scorer": "number:1"},
    ]
    path = jsonl(tmp_path / "own.jsonl", *rows)
    for seed in range(5):
        assert differing("questions", {"data": str(path)}, tmp_path / f"c{seed}", seed)[0] == 0


def evaluate(task, **more):
    """The log of a task that `Speaker` answers; what the model was sent is in `sent`."""
    from inspect_ai import eval as evaluate_tasks
    from inspect_ai.model import get_model

    sent: list[list] = []

    def say(messages, tools, choice, config):
        sent.append([messages, config])
        texts = [message.text for message in messages]
        trial = zy.Trial("\n\n".join(texts), ())
        return output_of(Reply(reply_to(trial).text))

    model = get_model("mockllm/model", custom_outputs=say, memoize=False)
    (log,) = evaluate_tasks(task, model=model, display="none", **more)
    assert log.status == "success", log.error
    return log, sent


class Hearer:
    """Says what `evaluate` has said: by what was asked."""

    name, concurrency, instant = "hearer", 1, True

    async def generate(self, messages, sampling, trial):
        asked = zy.Trial("\n\n".join(message.text for message in messages), ())
        return with_thinking_apart(Reply(reply_to(asked).text))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("name", "settings"),
    [
        ("pairs", {"n": 2, "fact": "third", "change": "gain"}),
        ("scores", {"source": "generated", "n": 2, "limit": 12}),
        ("perception", {"task": "chords", "n": 8, "strategy": "standalone,logiclm"}),
    ],
)
def test_an_evaluation_has_the_sound_the_conversation_and_the_figures_of_a_run(
    name, settings, tmp_path
) -> None:
    """With clusters, several ways of asking, pictures, and a strategy that asks several times."""
    from zhiyin.plugins.lab import inspect_tasks

    log, sent = evaluate(inspect_tasks.make_task(name, settings), log_dir=str(tmp_path / "logs"))
    run = zy.run(name, Hearer(), out=tmp_path / "run", progress=False, canary=False, **settings)
    records = {record.id: record for record in read_records(run.folder)}
    assert len(sent) == sum(len(record.exchange.turns) for record in records.values())
    assert {config.temperature for _, config in sent} == {0.0}
    kinds = [part.type for messages, _ in sent for m in messages
             if not isinstance(m.content, str) for part in m.content]  # fmt: skip
    assert ("image" if name == "scores" else "audio") in kinds
    for sample in log.samples:
        found = sample.scores["verdict"].metadata["verdict"]
        assert decisive(found) == decisive(msgspec.to_builtins(records[sample.id].verdict))
    metrics = {key: one.value for key, one in log.results.scores[0].metrics.items()}
    figures = run.summary.groups["all"]
    assert metrics["accuracy"] == pytest.approx(figures.accuracy)
    assert metrics["stderr"] == pytest.approx(figures.se)
    assert [metrics["low"], metrics["high"]] == pytest.approx(figures.ci95)


@pytest.mark.slow
def test_another_solver_hears_too_and_its_replies_are_read(tmp_path) -> None:
    from inspect_ai.solver import generate

    from zhiyin.plugins.lab import inspect_tasks

    task = inspect_tasks.make_task("pairs", {"n": 1, "fact": "third", "change": "gain"})
    log, sent = evaluate(task, solver=generate(), log_dir=str(tmp_path))
    assert all(any(part.type == "audio" for part in asked[-1].content) for asked, _ in sent)
    assert {sample.scores["verdict"].value for sample in log.samples} <= {"C", "I", "N"}


@pytest.mark.slow
def test_reviews_are_unscored_and_no_wrong_answers(tmp_path) -> None:
    from zhiyin.plugins.lab import inspect_tasks

    log, _ = evaluate(inspect_tasks.TASKS["appraisal"](source="generated"), log_dir=str(tmp_path))
    states = [sample.scores["verdict"].metadata["state"] for sample in log.samples]
    assert "ungraded" in states
    score = log.results.scores[0]
    assert score.unscored_samples == states.count("ungraded")
    right = states.count("correct") / (len(states) - states.count("ungraded"))
    assert 0 <= right <= 1
    assert score.metrics["accuracy"].value == pytest.approx(right)


@pytest.mark.slow
def test_what_cannot_be_a_task_is_said() -> None:
    from inspect_ai._util.error import PrerequisiteError

    from zhiyin.plugins.lab import inspect_tasks

    with pytest.raises(InputError, match=r"asks \d+ sequences"):
        inspect_tasks.make_task("thresholds", {})
    with pytest.raises(
        PrerequisiteError, match=r"asks \d+ sequences, .* -m inspect:PROVIDER/MODEL"
    ):
        inspect_tasks.TASKS["thresholds"]()
    with pytest.raises(PrerequisiteError, match="pairs has no setting 'facts': did you mean fact"):
        inspect_tasks.benchmark("pairs", facts="third")


def test_every_benchmark_has_a_task_and_no_other_room() -> None:
    from zhiyin.contract.registry import places
    from zhiyin.plugins.lab import inspect_tasks

    inner = {"audit", "judge", *(name for name in places() if name.startswith("forge-"))}
    assert set(inspect_tasks.TASKS) == set(places()) - inner


@pytest.mark.trust
def test_inspect_finds_the_tasks_by_their_entry_point(tmp_path) -> None:
    """As an installed package declares it in pyproject.toml."""
    import tomllib

    project = tomllib.loads((REPOSITORY / "pyproject.toml").read_text("utf-8"))["project"]
    info = tmp_path / f"{project['name']}-0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: zhiyin\nVersion: 0\n")
    lines: list[str] = []
    for group, declared in project["entry-points"].items():
        lines += [f"[{group}]", *(f"{name} = {place}" for name, place in declared.items())]
    (info / "entry_points.txt").write_text("\n".join(lines))
    (info / "direct_url.json").write_text('{"dir_info": {"editable": true}, "url": "file:///x"}')
    program = (
        "from inspect_ai import eval\n"
        "from inspect_ai.model import ModelOutput, ModelUsage, get_model\n"
        "def say(*asked):\n"
        "    made = ModelOutput.from_content('mockllm/model', 'Answer: A')\n"
        "    made.usage = ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)\n"
        "    return made\n"
        "model = get_model('mockllm/model', custom_outputs=say)\n"
        "(log,) = eval('zhiyin/exercises', task_args={'limit': 5}, model=model, display='none')\n"
        "print(log.status, log.eval.task, log.results.completed_samples)\n"
    )
    path = os.pathsep.join([str(tmp_path), str(REPOSITORY / "src")])
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": path}, check=True,
    )  # fmt: skip
    assert done.stdout.split() == ["success", "zhiyin/exercises", "5"], done.stderr


@pytest.mark.trust
def test_no_verdict_of_20_000_differs(tmp_path, shared) -> None:
    """Over all benchmarks, with replies of hundreds of forms."""
    spoken = tuple(dict.fromkeys(one.text for one in phrased("work")))
    cases: list[tuple[str, dict]] = [(name, dict(settings)) for name, settings in OURS.items()]
    for _, settings in cases:
        settings.pop("limit", None)
    cases.append(("muchomusic", {"data": str(muchomusic_help.make_data(tmp_path / "m", 40))}))
    cmi = cmi_help.make_cmi(tmp_path / "cmi", sound=False)
    cases.append(("cmi", {"data": str(cmi), "audio": "none"}))
    for name in ("mmau", "mmar", "rul"):
        cases.append((name, {"data": str(shared / name), "audio": "none", "partial": True}))
    cases.append(("ziqi", {"data": str(shared / "ziqi")}))
    differ = total = 0
    for seed in itertools.count():
        for name, settings in cases:
            wrong, count = differing(name, settings, tmp_path / f"{name}-{seed}", seed, spoken)
            print(f"{name}: {wrong} of {count:,} differ")
            differ, total = differ + wrong, total + count
        if total >= 20_000:
            break
    print(f"{differ} of {total:,} verdicts differ")
    assert differ == 0
