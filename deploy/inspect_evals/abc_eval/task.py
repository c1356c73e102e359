"""ABC-Eval as a task of Inspect, for the entry beside this file."""

from typing import Any

from inspect_ai import Task, task

from zhiyin.plugins.lab.inspect_tasks import task_for


@task
def abc_eval(**settings: Any) -> Task:
    """ABC-Eval: questions on tunes in ABC notation (arXiv:2509.23350)."""
    return task_for("abc-eval", settings)
