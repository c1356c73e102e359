"""RUListening as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def rul(**settings: Any) -> Task:
    """RUListening: MuChoMusic with wrong options that take listening (arXiv:2504.00369)."""
    return task_for("rul", settings)
