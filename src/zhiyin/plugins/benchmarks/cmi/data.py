"""Reads the question files, and the published reply files."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.archives import unzipped
from zhiyin.contract.clips import FaultSink, decode_json, decode_json_lines, is_left_out, read_bytes
from zhiyin.contract.published import files_below
from zhiyin.contract.tables import decode
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.cmi.measures import JudgedReply
from zhiyin.plugins.benchmarks.cmi.tasks import TASKS, CmiTask, check_label
from zhiyin.record import Verdict
from zhiyin.words import Said, said


class TaskClip(msgspec.Struct, frozen=True):
    """One question about one clip.

    Attributes
    ----------
    id : str
        The task, and its place in the file among those of the split, from 1.
    task : CmiTask
    recording : str
        As the data name it.
    question, label : str
    start, end : float or None
        In seconds; None for the whole.
    """

    id: str
    task: CmiTask
    recording: str
    question: str
    label: str
    start: float | None = None
    end: float | None = None


def find_files(data: str | None, tasks: list[CmiTask], home: str) -> dict[str, Path]:
    """The question file of each task that is here: ``CMI_TASK.jsonl``, in ``labels/`` or not.

    Raises
    ------
    InputError
        No folder is named, or none of the files is there.
    """
    if not data:
        facts = {"file": "CMI_*.jsonl files", "home": home}
        raise InputError(said("log-needs-data", name="cmi", **facts))
    files: dict[str, Path] = {}
    for task in tasks:
        for folder in (Path(data), Path(data) / "labels"):
            for ending in (".jsonl", ".jsonl.gz"):
                path = folder / f"CMI_{task.name}{ending}"
                if path.is_file():
                    files.setdefault(task.name, path)
    if not files:
        wanted = ", ".join(f"CMI_{task.name}.jsonl" for task in tasks[:3])
        raise InputError(f"{data}: no {wanted}{', ...' if tasks[3:] else ''}; get them from {home}")
    return files


def read_clips(path: Path, task: CmiTask, split: str, on_fault: FaultSink) -> list[TaskClip]:
    """The questions of a split; a line that cannot be asked goes to `on_fault`."""
    clips: list[TaskClip] = []
    for number, entry in decode_json_lines(path, _text(path)):
        fault = _fault(task, entry)
        if is_left_out(path, f"line {number}", "line", fault, on_fault):
            continue
        if split in entry["split"]:
            start, end = float(entry.get("audio_start") or 0), float(entry.get("audio_end") or -1)
            clips.append(
                TaskClip(
                    id=f"{task.name}/{len(clips) + 1}",
                    task=task,
                    recording=entry["audio_path"][0],
                    question=entry["instruction"].strip(),
                    label=str(entry["output"]).strip(),
                    start=start if start > 0 else None,
                    end=end if end > 0 else None,
                )
            )
    return clips


_FIELDS = ("instruction", "output", "split", "audio_path")


def _fault(task: CmiTask, entry: Any) -> tuple[str, Said] | None:
    if not isinstance(entry, dict):
        return "bad-entry", said("flaw-no-object", fields=_FIELDS)
    if not isinstance(entry.get("instruction"), str) or not entry["instruction"].strip():
        return "blank-field", said("flaw-none", field="instruction")
    for name in ("split", "audio_path"):
        value = entry.get(name)
        if not isinstance(value, list) or not value or not isinstance(value[0], str):
            return "blank-field", said("flaw-is-no", field=name, value=None, what="one-text")
    if not isinstance(entry.get("output"), str | int | float):
        return "blank-field", said("flaw-none", field="output")
    for name in ("audio_start", "audio_end"):
        if not isinstance(entry.get(name, 0), int | float):
            return "bad-time", said("flaw-is-no", field=name, value=None, what="number")
    if problem := check_label(task, str(entry["output"]).strip()):
        return "bad-label", problem
    return None


class PublishedReply(msgspec.Struct, frozen=True):
    """One published reply."""

    clip: TaskClip
    reply: str


class ScoredReply(msgspec.Struct, frozen=True):
    """The clip, the reply to its question, and the verdict on the reply."""

    clip: TaskClip
    reply: str
    verdict: Verdict

    @property
    def item(self) -> JudgedReply:
        """The reply in the form from which figures are computed."""
        return JudgedReply(self.clip.label, self.reply, self.clip.recording, self.verdict.scores)


def task_of(path: Path) -> CmiTask:
    """The task of a reply file, ``MODEL_TASK.jsonl``. Raises `InputError` for any other name."""
    stem = path.name.removesuffix(".gz").rpartition(".")[0]
    named = [task for name, task in TASKS.items() if stem == name or stem.endswith(f"_{name}")]
    if not named:
        raise InputError(f"{path}: names no task; call it MODEL_TASK.jsonl, as qwen2_GTZAN.jsonl")
    return max(named, key=lambda task: len(task.name))


def reply_files(places: Sequence[Path]) -> list[Path]:
    """Files as given, and those of replies in folders. `InputError` for a folder without any."""
    ends = tuple(f"_{name}.jsonl{packed}" for name in TASKS for packed in ("", ".gz"))

    def inside(place: Path) -> Iterator[Path]:
        for path in place.rglob("*.jsonl*"):
            if path.name.endswith(ends) and not path.name.startswith(("CMI_", ".")):
                yield path

    return files_below(places, inside, "no MODEL_TASK.jsonl in it; name the folder of the replies")


def read_replies(path: Path) -> list[PublishedReply]:
    """The replies of a published file: a JSON array, or an object a line.

    Raises
    ------
    InputError
        It cannot be read, or an entry lacks ``question``, ``response``, ``correct_answer`` or
        ``audioid``, or its label is not one of the task's.
    """
    task = task_of(path)
    replies = []
    for number, entry in enumerate(_entries(path), 1):
        where = f"{path}, item {number}"
        if not isinstance(entry, dict):
            raise InputError(f"{where}: no object; give the file that the published script scores")
        for name in ("question", "response", "audioid"):
            if not isinstance(entry.get(name), str):
                raise InputError(f"{where}: {name} is no text; give the published file")
        label = entry.get("correct_answer")
        if isinstance(label, list) and len(label) == 1:
            label = label[0]
        if not isinstance(label, str | int | float):
            raise InputError(f"{where}: correct_answer is no text; give the published file")
        if problem := check_label(task, str(label).strip()):
            raise InputError(f"{where}: correct_answer {problem}; mend the item")
        clip = TaskClip(
            f"{task.name}/{number}", task, entry["audioid"], entry["question"].strip(),
            str(label).strip(),
        )  # fmt: skip
        replies.append(PublishedReply(clip, entry["response"]))
    if not replies:
        raise InputError(f"{path}: holds no replies; give the published file")
    return replies


def _entries(path: Path) -> Iterable[Any]:
    text = _text(path)
    if text.lstrip().startswith("["):
        entries: list[Any] = decode_json(path, text)
        return entries
    return (entry for _, entry in decode_json_lines(path, text))


def _text(path: Path) -> str:
    raw = read_bytes(path)
    return decode(path, unzipped(path, raw) if path.suffix == ".gz" else raw)


def closed_sets(clips: Sequence[TaskClip]) -> dict[str, str]:
    """The labels that occur in each task where one is chosen, separated by bars."""
    labels_by_task: dict[str, set[str]] = {}
    for clip in clips:
        if clip.task.chooses:
            labels_by_task.setdefault(clip.task.name, set()).add(clip.label)
    return {name: "|".join(sorted(labels)) for name, labels in labels_by_task.items()}
