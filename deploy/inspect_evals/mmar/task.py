"""MMAR as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def mmar(**settings: Any) -> Task:
    """MMAR: reasoning about speech, sound, music and their mixtures (arXiv:2505.13032)."""
    return task_for("mmar", settings)
