"""Experiment trackers: Weights & Biases and MLflow, each with one run for each of ours.

They are told figures, settings and a link; no question and no reply. A run that is tracked again
is the same run there.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterable
from typing import Any

from zhiyin.errors import InputError, did_you_mean, missing_package
from zhiyin.plugins.lab.tracking.facts import COLUMNS, TrackedRun

PROJECT = "zhiyin"
Tracker = Callable[[TrackedRun], str]
"""Keeps a run; says where."""
_LONGEST_SETTING = 500
_OFFLINE = ("offline", "disabled", "dryrun")


def open_tracker(name: str) -> Tracker:
    """Open a tracker that keeps runs, before anything is asked.

    Raises
    ------
    InputError
        There is no such tracker, its package is not installed, or nobody is logged in.
    """
    known = {"wandb": _open_wandb, "mlflow": _open_mlflow}
    if name not in known:
        raise InputError(f"--track {name}: {did_you_mean(name, known)}")
    return known[name]()


def _open_wandb() -> Tracker:
    try:
        import wandb
    except ImportError:
        raise missing_package("wandb", "wandb") from None
    offline = os.environ.get("WANDB_MODE", "").lower() in _OFFLINE
    if not offline and not _logged_in(wandb):
        raise InputError(
            "--track wandb: nobody is logged in: run `wandb login`, or set WANDB_MODE=offline and "
            "later `wandb sync`"
        )
    return lambda run: _keep_in_wandb(wandb, run, offline=offline)


def _logged_in(wandb: Any) -> bool:
    try:
        return bool(wandb.login(prompt=False))
    except Exception:  # it raises what it likes where it finds no key
        return False


def _keep_in_wandb(wandb: Any, run: TrackedRun, *, offline: bool) -> str:
    kept = wandb.init(
        project=os.environ.get("WANDB_PROJECT") or PROJECT,
        id=_id(run.id),
        name=f"{run.benchmark}, {run.name}",
        group=run.group or None,
        job_type=run.benchmark,
        resume="allow",
        reinit="finish_previous",
        config={**run.settings, "report": run.report},
        notes=run.note,
        tags=[run.benchmark, "complete" if run.complete else "part"],
        settings=wandb.Settings(silent=True, console="off"),
    )
    try:
        kept.log({"figures": wandb.Table(columns=list(COLUMNS), data=run.rows)})
        kept.summary.update({**run.metrics, "report": run.report})
        return str(kept.settings.sync_dir if offline else kept.url)
    finally:
        kept.finish()


def _id(name: str) -> str:
    """An id that Weights & Biases takes."""
    return re.sub(r"[^\w-]+", "-", name)[:64]


def _open_mlflow() -> Tracker:
    try:
        import mlflow
    except ImportError:
        raise missing_package("mlflow", "mlflow") from None
    try:
        client = mlflow.MlflowClient()
        experiment = _experiment(client)
    except Exception as error:  # of its stores, of SQL, of HTTP
        why = " ".join(str(error).split())[:200]
        raise InputError(
            f"--track mlflow: {mlflow.get_tracking_uri()} cannot be used ({why}): set "
            "MLFLOW_TRACKING_URI"
        ) from None
    return lambda run: _keep_in_mlflow(client, experiment, run)


def _experiment(client: Any) -> str:
    name = os.environ.get("MLFLOW_EXPERIMENT_NAME") or PROJECT
    found = client.get_experiment_by_name(name)
    return str(found.experiment_id if found else client.create_experiment(name))


def _keep_in_mlflow(client: Any, experiment: str, run: TrackedRun) -> str:
    key = run.id.replace("'", "")
    before = client.search_runs([experiment], f"tags.`zhiyin.run` = '{key}'", max_results=1)
    tags = {
        "zhiyin.run": key,
        "zhiyin.benchmark": run.benchmark,
        "zhiyin.model": run.model,
        "zhiyin.plugins.lab.suite": run.group,
        "zhiyin.complete": str(run.complete).lower(),
        "zhiyin.report": run.report,
        "mlflow.note.content": run.note,
    }
    if before:
        (found,) = before
        run_id = found.info.run_id
        for name, value in tags.items():
            client.set_tag(run_id, name, value)
    else:
        name = f"{run.benchmark}, {run.name}"
        run_id = client.create_run(experiment, run_name=name, tags=tags).info.run_id
        for name, value in run.settings.items():
            client.log_param(run_id, _named(name), value[:_LONGEST_SETTING])
    for name, figure in _distinct(run.metrics.items()):
        client.log_metric(run_id, name, figure)
    client.log_text(run_id, run.csv, "figures.csv")
    client.set_terminated(run_id)
    return f"run {run_id} of the experiment {experiment}"


def _named(name: str) -> str:
    """A name that MLflow takes: letters, digits and some signs."""
    return re.sub(r"[^\w\-. :/]", "-", name)


def _distinct(metrics: Iterable[tuple[str, float]]) -> Iterable[tuple[str, float]]:
    """Metrics under names that MLflow takes; of two that become one the later has a number."""
    seen: dict[str, int] = {}
    for name, figure in metrics:
        short = _named(name)
        seen[short] = seen.get(short, 0) + 1
        yield (short if seen[short] == 1 else f"{short} {seen[short]}"), figure
