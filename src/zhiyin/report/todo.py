"""What must be done about a run before its figures are read, each with the command that does it."""

from __future__ import annotations

import os
import shlex
from pathlib import Path
from typing import Any

from zhiyin.engine.log import Manifest
from zhiyin.report.casebook import Run
from zhiyin.report.lead import Standing

_MUCH = 0.05
"""A share of unreadable replies above this is looked into."""
_SAMPLING = {"seed": "sampling-seed"}
_TWICE = 2


def todo(run: Run, own: Standing, states: dict[str, int]) -> list[dict[str, Any]]:
    """The warnings of one run that something can be done about.

    Parameters
    ----------
    run : Run
    own : Standing
        Of the same run.
    states : dict of str to int
        How many of its trials ended in each state.

    Returns
    -------
    list of dict
        ``run`` (its number), ``text`` by language, ``command``, and whether it goes before what is
        to be done about any other run (``first``). Empty while the run goes on.
    """
    if run.running:
        return []
    folder = shlex.quote(os.fspath(run.folder))
    again = run_command(run.manifest, run.folder)
    main = own.main  # under altered sound no answer may be the right one to give
    judged = sum(n for state, n in main.items() if state not in ("error", "ungraded"))
    missing = 0 if run.manifest.sequences else max(0, own.planned - own.trials)
    tasks = []
    doctor = shlex.join(["zhiyin", "doctor", run.manifest.model])
    for medium, outcome in own.canary.items():
        tasks.append((_deaf(medium, outcome), doctor))
    if failed := states.get("error", 0):
        tasks.append((_failed(failed, own.trials), again))
    if missing:
        tasks.append((_missing(missing, own.planned), again))
    if cut := main.get("truncated", 0):
        limit = run.manifest.sampling.get("max_tokens")
        more = f" --max-tokens {_TWICE * limit}" if isinstance(limit, int) else ""
        fresh = run_command(run.manifest, None, {"max_tokens"})
        tasks.append((_cut(cut, judged), f"{fresh}{more or ' --max-tokens 4096'}"))
    unread = main.get("no_answer", 0) + main.get("refused", 0)
    if judged and unread > _MUCH * judged:
        tasks.append((_unread(unread, judged), f"zhiyin audit {folder}"))
    if states.get("ungraded", 0) and not own.by and own.state != "measured":
        tasks.append((_ungraded(states["ungraded"]), f"zhiyin judge {folder}"))
    return [
        {"run": own.run, "text": text, "command": command, "first": command == doctor}
        for text, command in tasks
    ]


def _deaf(medium: str, outcome: dict[str, Any]) -> dict[str, str]:
    score, sound = (outcome["right"], outcome["asked"]), medium == "sound"
    return {
        "en": f"the canary failed ({score[0]} of {score[1]} right): find out whether the model "
        f"{'hears the sound' if sound else 'sees the pictures'} before you read any figure of it",
        "zh": f"探测未通过（{score[1]} 题答对 {score[0]} 题）：请先查明模型是否"
        f"{'听到了声音' if sound else '看到了图像'}，再看任何结果",
    }


def _failed(failed: int, trials: int) -> dict[str, str]:
    return {
        "en": f"{failed:,} of {trials:,} trials failed and are in no figure: ask them again",
        "zh": f"{trials:,} 题中有 {failed:,} 题失败，未计入任何结果：请再次提问",
    }


def _missing(missing: int, planned: int) -> dict[str, str]:
    return {
        "en": f"{missing:,} of {planned:,} trials are not asked yet: go on",
        "zh": f"{planned:,} 题中有 {missing:,} 题尚未提问：请继续",
    }


def _cut(cut: int, judged: int) -> dict[str, str]:
    return {
        "en": f"{cut:,} of {judged:,} replies were cut off before an answer, and count as wrong: "
        "allow longer ones",
        "zh": f"{judged:,} 个回答中有 {cut:,} 个在给出答案前被截断，按错误计：请允许更长的回答",
    }


def _unread(unread: int, judged: int) -> dict[str, str]:
    return {
        "en": f"{unread:,} of {judged:,} replies hold no readable answer, and count as wrong: "
        "look at them",
        "zh": f"{judged:,} 个回答中有 {unread:,} 个读不出答案，按错误计：请检查",
    }


def _ungraded(number: int) -> dict[str, str]:
    many = "1 reply has" if number == 1 else f"{number:,} replies have"
    return {
        "en": f"{many} no right answer and no judgement: have them judged",
        "zh": f"{number:,} 个回答没有标准答案，也尚未评分：请评分",
    }


def run_command(
    manifest: Manifest, folder: Path | None, without: set[str] | frozenset[str] = frozenset()
) -> str:
    """The command that goes on with a run; with no folder, one that makes another run like it.

    Parameters
    ----------
    manifest : Manifest
    folder : Path or None
    without : set of str
        Settings that are left out.
    """
    config = manifest.config
    flags: dict[str, Any] = dict(manifest.options)
    flags |= {name: config.get(name) for name in ("limit", "sample", "score", "confirm")}
    for name, value in (manifest.sampling or {}).items():
        if name != "schema" and not (name == "temperature" and value == 0):
            flags[_SAMPLING.get(name, name)] = value
    if manifest.label:
        flags["label"] = manifest.label
    words = ["zhiyin", "run", manifest.benchmark, "-m", manifest.model]
    for name, value in flags.items():
        if value in (None, False, [], ()) or name in without or isinstance(value, dict):
            continue
        words.append(f"--{name.replace('_', '-')}")
        if value is not True:
            text = ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)
            words.append(text)
    if folder is not None:
        words += ["--out", os.fspath(folder)]
    return shlex.join(words)
