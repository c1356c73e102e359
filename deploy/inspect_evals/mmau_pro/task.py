"""MMAU-Pro as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def mmau_pro(**settings: Any) -> Task:
    """MMAU-Pro: understanding of audio, longer and with several clips (arXiv:2508.13992)."""
    return task_for("mmau-pro", settings)
