"""Published run logs as run folders of ours, one for each model."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zhiyin import __version__
from zhiyin.benchmarks.muse.asking import cluster_of, place_of
from zhiyin.benchmarks.muse.benchmark import Muse
from zhiyin.benchmarks.muse.logs import Answer, Log, find_logs, read_log
from zhiyin.benchmarks.muse.reference import MODELS
from zhiyin.benchmarks.muse.tasks import TASKS
from zhiyin.contract.registry import declared
from zhiyin.engine.log import Manifest, RunFolder
from zhiyin.errors import InputError
from zhiyin.record import Exchange, Record, Reply, Turn
from zhiyin.trial import Trial, say

RULES = {"audio-flamingo-3-chat": "muse-af3"}
"""Models whose runners read replies in a way of their own."""


def import_logs(
    places: Sequence[Path], out: Path | None = None, extract: str = "robust", model: str = ""
) -> list[Path]:
    """Write a run folder for each model whose logs are among some files and folders.

    Parameters
    ----------
    places : sequence of Path
        Logs, or folders that hold some.
    out : Path, optional
        The run folder; where there are several models, the folder that theirs lie in.
    extract : str
        The reading policy to score with; ``zhiyin rescore`` takes any other.
    model : str
        What the model is to be called, where there is but one; by default as its logs say.

    Returns
    -------
    list of Path

    Raises
    ------
    InputError
        A place or log that cannot be read, one run twice, or a name for several models.
    """
    benchmark = Muse.from_options({"extract": extract})
    logs = [read_log(path) for path in find_logs(places)]
    refuse_twice(logs)
    models = list(dict.fromkeys(log.model for log in logs))
    if model and len(models) > 1:
        raise InputError(f"-m {model}: the logs are of {', '.join(models)}; import one at a time")
    folders = []
    for name in models:
        of_model = [log for log in logs if log.model == name]
        digest = _digest(of_model)
        short = model or name.rpartition("/")[2]
        given = out if len(models) == 1 else out / short if out else None
        folder = given or Path("runs") / f"{Muse.name}-{short}-{digest[:8]}"
        _write(folder, benchmark, of_model, _manifest(model or name, extract, digest, of_model))
        folders.append(folder)
    return folders


def refuse_twice(logs: Sequence[Log]) -> None:
    """Raise `InputError` where two logs are of one run."""
    paths: dict[tuple[str, ...], str] = {}
    for log in logs:
        run = (log.model, log.task, log.mode, log.group, str(log.seed))
        if run in paths:
            raise InputError(f"{log.path}: the same run as {paths[run]}; leave one of them out")
        paths[run] = log.path


def _digest(logs: Sequence[Log]) -> str:
    total = hashlib.sha256()
    for log in logs:
        total.update(hashlib.sha256(Path(log.path).read_bytes()).digest())
    return total.hexdigest()


def rule_of(model: str) -> str:
    """The published rule by which the replies of a model were read."""
    return RULES.get(model.rpartition("/")[2], Muse.name)


def _manifest(model: str, extract: str, digest: str, logs: Sequence[Log]) -> Manifest:
    options: dict[str, Any] = {"extract": extract, "imported": True, "rule": rule_of(logs[0].model)}
    return Manifest(
        benchmark=Muse.name,
        model=model,
        config={
            "benchmark": Muse.name,
            "benchmark_version": Muse.version,
            "options": options,
            "data": digest,
            "model": model,
        },
        options=options,
        planned=sum(len(log.answers) + log.unasked for log in logs),
        versions={"zhiyin": __version__},
        remarks=[*_remarks(logs)],
        label=MODELS.get(model.rpartition("/")[2], ""),
        declared=declared(Muse),
    )


def _remarks(logs: Sequence[Log]) -> list[str]:
    remarks = [
        f"replies of {len(logs)} published logs; the words of the questions and the sounds are "
        "not in them"
    ]
    if unasked := sum(log.unasked for log in logs):
        remarks.append(f"{unasked} trials were not asked: their recording was missing there")
    return remarks


def _write(folder: Path, benchmark: Any, logs: Sequence[Log], manifest: Manifest) -> None:
    with RunFolder(folder, manifest) as run:
        for log in logs:
            for answer in log.answers:
                trial = _trial(log, answer)
                if trial.id in run.answered:
                    continue
                exchange = Exchange((Turn(Reply(answer.reply)),))
                run.append(Record(trial.id, benchmark.score(trial, exchange), trial, exchange))


def _trial(log: Log, answer: Answer) -> Trial:
    item, task = answer.item, TASKS[answer.item.task]
    words = f"{task.title}, {log.mode}: " + " and ".join(["a recording"] * len(item.recordings))
    return Trial(
        id=f"{place_of(task.name, log.mode, log.group, log.seed)}/{item.id}",
        messages=(say("user", f"({words}; the published words are not in the log)"),),
        stem=words,
        options=task.options,
        target=item.answer,
        groups=(task.name, f"{task.name}/{log.mode}"),
        cluster=cluster_of(item.id),
        tags={
            "task": task.name,
            "mode": log.mode,
            "order": log.seed,
            "repeat": log.seed,
            "chat": "stateful" if log.chat else "fresh",
            "source": "published",
            "item": item.id,
            "recording": " + ".join(item.names),
            "parsed": answer.parsed,
            "counted": answer.correct,
        },
        item=item.id,
        condition=log.mode,
    )
