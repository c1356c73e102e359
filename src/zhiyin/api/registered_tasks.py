"""Benchmarks with a paper as tasks that stand in the source: what a register of tasks points at.

The register of ``inspect_evals`` links to a line of a file, reads which function below it has the
mark ``@task``, and runs ``inspect eval FILE@TASK``. Tasks by their names, for all benchmarks that
are installed, are made in `zhiyin.api.inspect_tasks`; these are the same ones.
``deploy/inspect_evals`` has an entry for each.
"""

from __future__ import annotations

from typing import Any

from inspect_ai import Task, task

from zhiyin.api.inspect_tasks import task_for


@task
def abc_eval(**settings: Any) -> Task:
    """ABC-Eval: questions on tunes in ABC notation (arXiv:2509.23350)."""
    return task_for("abc-eval", settings)


@task
def cmi(**settings: Any) -> Task:
    """CMI-Bench: instructions on tasks of music information retrieval (arXiv:2506.12285)."""
    return task_for("cmi", settings)


@task
def mmar(**settings: Any) -> Task:
    """MMAR: reasoning about speech, sound, music and their mixtures (arXiv:2505.13032)."""
    return task_for("mmar", settings)


@task
def mmau(**settings: Any) -> Task:
    """MMAU: understanding of audio, its music among it (arXiv:2410.19168)."""
    return task_for("mmau", settings)


@task
def mmau_pro(**settings: Any) -> Task:
    """MMAU-Pro: understanding of audio, longer and with several clips (arXiv:2508.13992)."""
    return task_for("mmau-pro", settings)


@task
def muchomusic(**settings: Any) -> Task:
    """MuChoMusic: questions on recordings of music (arXiv:2408.01337)."""
    return task_for("muchomusic", settings)


@task
def musictheorybench(**settings: Any) -> Task:
    """MusicTheoryBench: knowledge of and reasoning in music theory (arXiv:2402.16153)."""
    return task_for("musictheorybench", settings)


@task
def rul(**settings: Any) -> Task:
    """RUListening: MuChoMusic with wrong options that take listening (arXiv:2504.00369)."""
    return task_for("rul", settings)


@task
def ziqi(**settings: Any) -> Task:
    """ZIQI-Eval: knowledge of music and its history (arXiv:2406.15885)."""
    return task_for("ziqi", settings)
