"""The benchmark object: questions of several tasks about clips, answered in free words.

Reads the question files, and the published reply files.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any

import msgspec

from zhiyin.archives import unzipped
from zhiyin.contract.benchmark import Benchmark, deferred
from zhiyin.contract.conditions import SOUND, TASK
from zhiyin.contract.declared import CheckResult, Flaw, Headline
from zhiyin.contract.tables import decode
from zhiyin.errors import InputError
from zhiyin.flags import Flag
from zhiyin.plugins.benchmarks.cmi.measures import JudgedReply, published_labels, published_right
from zhiyin.plugins.benchmarks.cmi.tasks import (
    TASKS,
    CmiTask,
    check_label,
    judge,
    read_tasks,
    require,
)
from zhiyin.plugins.benchmarks.recordings import PLAYED, Played, RecordingSet, recording_flaws
from zhiyin.plugins.methods.imported import files_below, write_run
from zhiyin.plugins.music.clips import (
    FaultSink,
    decode_json,
    decode_json_lines,
    is_left_out,
    read_bytes,
    refuse,
)
from zhiyin.record import Exchange, Record, Reply, Verdict
from zhiyin.runs.measures import error_rate
from zhiyin.trial import Audio, Message, Part, Text, Trial
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
        facts = {"file": "CMI_*.jsonl", "home": home}
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
        raise InputError(
            said("cmi-lacks-files", data=data, wanted=wanted, more=len(tasks) > 3, home=home)
        )
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
        raise InputError(said("cmi-no-task", path=path))
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
            raise InputError(said("cmi-no-object", where=where))
        for name in ("question", "response", "audioid"):
            if not isinstance(entry.get(name), str):
                raise InputError(said("cmi-no-text", where=where, name=name))
        label = entry.get("correct_answer")
        if isinstance(label, list) and len(label) == 1:
            label = label[0]
        if not isinstance(label, str | int | float):
            raise InputError(said("cmi-no-answer", where=where))
        if problem := check_label(task, str(label).strip()):
            raise InputError(said("cmi-odd-answer", where=where, problem=problem))
        clip = TaskClip(
            f"{task.name}/{number}", task, entry["audioid"], entry["question"].strip(),
            str(label).strip(),
        )  # fmt: skip
        replies.append(PublishedReply(clip, entry["response"]))
    if not replies:
        raise InputError(said("cmi-no-replies", path=path))
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


class CmiSettings(msgspec.Struct, frozen=True):
    """Settings of a run of CMI-Bench."""

    tasks: Annotated[
        tuple[str, ...],
        Flag("which tasks, by name; by default all whose files are here", "T,...", chooses=True),
    ] = ()
    split: Annotated[str, Flag("of the question files", "NAME", chooses=True)] = "test"
    audio: Annotated[
        tuple[Played, ...], Flag(f"what is played: {', '.join(PLAYED)}", "A,...", once=True)
    ] = ("true",)
    data: Annotated[str | None, Flag("folder of question files and recordings", place=True)] = None
    partial: Annotated[bool, Flag("whether recordings may be missing", place=True)] = False
    seed: Annotated[int, Flag("of the noise")] = 0

    def __post_init__(self) -> None:
        read_tasks(self.tasks)


class Cmi(Benchmark[CmiSettings]):
    """Music information retrieval asked in words, as a `Benchmark`."""

    name = "cmi"
    summary = said("cmi-summary")
    description = "benchmark.toml"
    ways = (SOUND, TASK)
    measures = (*Headline(group="classification").measures(), error_rate("wer"), error_rate("cer"))
    Settings = CmiSettings
    tables = deferred("zhiyin.plugins.benchmarks.cmi.results:tables")
    """The published figures of each task, from reply files."""
    by_degrees = deferred("zhiyin.plugins.benchmarks.cmi.results:by_degrees", 1)
    """The field's figure of one task that is scored by degrees."""
    details = deferred("zhiyin.plugins.benchmarks.cmi.results:sections", 1)
    """Each task by each figure, with intervals by clip."""

    def trials(self) -> Iterator[Trial]:
        """Every clip of every task under every condition."""
        clips = self._asked_clips  # before the libraries that score them, which take a second
        require(self._tasks)
        for clip in clips:
            for audio in self.settings.audio:
                sound = None
                if self._recordings is not None:
                    sound = self._recordings.play(
                        clip.recording, audio, self.settings.seed, clip.start, clip.end
                    )
                yield self._trial(clip, audio, sound)

    def __len__(self) -> int:
        return len(self.settings.audio) * len(self._asked_clips)

    def score(self, trial: Trial, exchange: Exchange) -> Verdict:
        """The reply against the label, by the published rules and by those of the field."""
        task = TASKS[str(trial.tags["task"])]
        labels = str(trial.tags.get("labels") or "").split("|")
        verdict = judge(task, trial.target or "", exchange.final.text, labels)
        if verdict.state == "no_answer" and exchange.final.finish == "length":
            return msgspec.structs.replace(verdict, state="truncated")
        return verdict

    @classmethod
    def by_rules(cls, record: Record) -> dict[str, Verdict]:
        """A label of a closed set by the published accuracy and by ours; nothing of other tasks."""
        own, trial = record.verdict, record.trial
        if "right" not in own.scores or TASKS[str(trial.tags["task"])].kind == "key":
            return {}
        labels = str(trial.tags.get("labels") or "").split("|")
        found = published_labels(record.exchange.final.text, labels)
        right = trial.target in found
        theirs = Verdict(
            "correct" if right else "wrong" if found else "no_answer",
            trial.target if right else found[0] if found else None,
            why="the only label contained" if found else "no label is contained, or several",
            policy="cmi@1",
        )
        return {"robust": own, "cmi": theirs}

    def fingerprint(self) -> str:
        """SHA-256 over questions, labels and recordings; not over the recordings' names."""
        total = hashlib.sha256()
        for clip in self._asked_clips:
            total.update(msgspec.json.encode(msgspec.structs.replace(clip, recording="")))
            if self._recordings is not None:
                total.update(self._recordings.whole(clip.recording).sha256.encode())
        return total.hexdigest()

    def remarks(self) -> list[str | Said]:
        """Name the tasks that are asked, and what is missing."""
        remarks: list[str | Said] = [said("cmi-tasks", tasks=list(self._files))]
        if absent := [task.name for task in self._tasks if task.name not in self._files]:
            remarks.append(said("cmi-no-files", tasks=absent))
        if left_out := len(self._clips) - len(self._asked_clips):
            whole = len(self._clips)
            remarks.append(
                said("examples-missing", n=left_out, of=whole, unit="questions", what="recordings")
            )
        return remarks

    @cached_property
    def _tasks(self) -> list[CmiTask]:
        return read_tasks(self.settings.tasks or tuple(TASKS))

    @cached_property
    def _files(self) -> dict[str, Path]:
        files = find_files(self.settings.data, self._tasks, self.home)
        if self.settings.tasks and (
            absent := [task.name for task in self._tasks if task.name not in files]
        ):
            raise InputError(
                said("cmi-absent", data=self.settings.data, absent=absent[0], home=self.home)
            )
        return files

    @cached_property
    def _clips(self) -> list[TaskClip]:
        clips = [
            clip
            for name, path in self._files.items()
            for clip in read_clips(path, TASKS[name], self.settings.split, refuse)
        ]
        if not clips:
            raise InputError(
                said("cmi-split", data=self.settings.data, split=repr(self.settings.split))
            )
        return clips

    @cached_property
    def _recordings(self) -> RecordingSet | None:
        if self.settings.audio == ("none",):
            return None
        recordings = RecordingSet(
            Path(self.settings.data or ""), (clip.recording for clip in self._clips)
        )
        recordings.require(partial=self.settings.partial)
        return recordings

    @cached_property
    def _asked_clips(self) -> list[TaskClip]:
        if self._recordings is None:
            return self._clips
        return [clip for clip in self._clips if clip.recording in self._recordings.found]

    @cached_property
    def _labels(self) -> dict[str, str]:
        return closed_sets(self._clips)

    def _trial(self, clip: TaskClip, audio: str, sound: Audio | None) -> Trial:
        parts: tuple[Part, ...] = (Text(clip.question),)
        if sound is not None:
            parts = (sound, *parts)
        several = len(self.settings.audio) > 1 or audio != "true"
        return trial_of(clip, parts, self._labels, audio, f"audio={audio}" if several else "")

    @classmethod
    def check(cls, options: Mapping[str, Any]) -> CheckResult:
        """Every flaw of the question files and recordings; decodes every file."""
        flaws: list[Flaw] = []
        files = find_files(options.get("data"), list(TASKS.values()), cls.home)
        clips: list[TaskClip] = []
        contents: dict[str, str] = {}
        for name, path in files.items():
            clips += read_clips(path, TASKS[name], "test", flaws.append)
            digest = hashlib.sha256(path.read_bytes()).hexdigest()
            if (twin := contents.setdefault(digest, name)) != name:
                flaws.append(Flaw("same-file", path.name, name, said("cmi-same-bytes", twin=twin)))
        flaws += _label_flaws(clips)
        recordings = RecordingSet(Path(str(options["data"])), (clip.recording for clip in clips))
        if not options.get("partial"):
            flaws += recordings.absent()
        flaws += recording_flaws(recordings.found)
        notes = [said("cmi-questions", n=len(clips), tasks=len(files))]
        return CheckResult(len(clips), flaws, notes)

    @classmethod
    def import_answers(
        cls, files: Sequence[Path], out: Path | None, extract: str, model: str
    ) -> Path:
        """The reply files of one model, ``MODEL_TASK.jsonl``, one a task; or their folder."""
        files = reply_files(files)
        replies: list[PublishedReply] = []
        paths_by_task: dict[str, Path] = {}
        require([task_of(path) for path in files])
        for path in files:
            task = task_of(path)
            if (other := paths_by_task.setdefault(task.name, path)) is not path:
                raise InputError(said("cmi-two-files", path=path, other=other, task=task.name))
            replies += read_replies(path)
        labels = closed_sets([reply.clip for reply in replies])
        benchmark = cls(CmiSettings())
        pairs = [
            (trial_of(reply.clip, (Text(reply.clip.question),), labels), Reply(reply.reply))
            for reply in replies
        ]
        name = model or files[0].name.partition(f"_{task_of(files[0]).name}")[0]
        return write_run(cls, pairs, benchmark.score, files, out, extract, name)


def trial_of(
    clip: TaskClip,
    parts: tuple[Part, ...],
    labels: Mapping[str, str],
    audio: str = "true",
    condition: str = "",
) -> Trial:
    """The trial of a clip; `labels` are the closed sets by task."""
    groups: tuple[str, ...] = (clip.task.group.partition("/")[0], clip.task.group)
    if condition:
        groups = (condition, *(f"{condition}/{group}" for group in groups))
    closed = {"labels": labels[clip.task.name]} if clip.task.name in labels else {}
    return Trial(
        id="/".join(filter(None, (clip.id, condition))), messages=(Message("user", parts),),
        stem=clip.question, target=clip.label, groups=groups, cluster=clip.recording,
        tags={"task": clip.task.name, "audio": audio, **closed}, item=clip.id,
        condition=condition if audio != "true" else "",
    )  # fmt: skip


def _label_flaws(clips: Sequence[TaskClip]) -> Iterator[Flaw]:
    """Labels that can never be right by the published rule, and repeated clips."""
    sets = closed_sets(clips)
    first_clips: dict[object, TaskClip] = {}
    lost: dict[tuple[str, str], int] = {}
    for clip in clips:
        if clip.task.kind in ("label", "pitch"):
            labels = sets[clip.task.name].split("|")
            if not published_right(clip.label, clip.label, labels):
                lost[clip.task.name, clip.label] = lost.get((clip.task.name, clip.label), 0) + 1
        key = (clip.task.name, clip.recording, clip.start, clip.end, clip.label)
        if (twin := first_clips.setdefault(key, clip)) is not clip:
            detail = said("cmi-same", twin=twin.id)
            yield Flaw("repeated-clip", f"CMI_{clip.task.name}", clip.id, detail)
    for (task, label), count in lost.items():
        detail = said("cmi-within", label=repr(label), n=count)
        yield Flaw("label-within-label", f"CMI_{task}", label, detail)
