"""MuChoMusic as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def muchomusic(**settings: Any) -> Task:
    """MuChoMusic: questions on recordings of music (arXiv:2408.01337)."""
    return task_for("muchomusic", settings)
