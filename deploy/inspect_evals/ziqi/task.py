"""ZIQI-Eval as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def ziqi(**settings: Any) -> Task:
    """ZIQI-Eval: knowledge of music and its history (arXiv:2406.15885)."""
    return task_for("ziqi", settings)
