"""MMAU as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def mmau(**settings: Any) -> Task:
    """MMAU: understanding of audio, its music among it (arXiv:2410.19168)."""
    return task_for("mmau", settings)
