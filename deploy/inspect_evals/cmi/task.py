"""CMI-Bench as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def cmi(**settings: Any) -> Task:
    """CMI-Bench: instructions on tasks of music information retrieval (arXiv:2506.12285)."""
    return task_for("cmi", settings)
