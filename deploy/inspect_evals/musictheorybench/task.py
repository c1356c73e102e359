"""MusicTheoryBench as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def musictheorybench(**settings: Any) -> Task:
    """MusicTheoryBench: knowledge of and reasoning in music theory (arXiv:2402.16153)."""
    return task_for("musictheorybench", settings)
