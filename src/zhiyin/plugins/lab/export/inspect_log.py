"""A run as a log of Inspect AI (``.eval``), which ``inspect view`` opens, sounds included.

The format is a ZIP archive: ``header.json`` (the log without its samples), ``summaries.json``,
``samples/ID_epoch_1.json`` and ``_journal/start.json``; version 2 of the schema, as documented
at https://inspect.aisi.org.uk/eval-logs.html and read back by Inspect 0.3.

What Inspect has no word for
----------------------------
Verdicts are scores of the scorer ``zhiyin``: C, I, and N for refused, truncated and no answer;
the state itself, and all named scores, are in the score's metadata. A LogicLM conversation is the
sample's messages, one after another. Errors are samples with an error and without a score.
Attachments belong to a sample: a sound or a picture of several samples is stored with the first,
and the others name that one.
"""

from __future__ import annotations

import zipfile
from collections import Counter
from collections.abc import Iterable
from datetime import UTC, datetime
from hashlib import blake2b
from math import isfinite
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from zhiyin.analysis.question_set import set_of_runs
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import ModelError
from zhiyin.files import Place, whole_or_nothing
from zhiyin.models.media import data_url
from zhiyin.plugins.lab.export import Exported
from zhiyin.record import Record, Reply, State
from zhiyin.runs.estimates import estimate
from zhiyin.runs.rows import Rows, records_of, rows_of
from zhiyin.trial import Audio, Image, Message, Part, Text
from zhiyin.words import naming, said
from zhiyin.words.findings import told

InspectObject = dict[str, Any]
"""An object of Inspect's schema, as JSON has it."""
_VALUES: dict[State, str] = {"correct": "C", "wrong": "I"}
_NO_ANSWER = "N"
_STOPS = {"stop": "stop", "length": "max_tokens", "refusal": "content_filter"}
_LONGEST_SUMMARY = 1000
_PLACEHOLDERS = {"audio": "[sound]", "image": "[picture]"}


class _Attachment(NamedTuple):
    """A sound or picture of a sample: the sample, its name, its format."""

    sample: str
    name: str
    format: str


class _Media:
    """The sounds and pictures of a log: each is held once, as a data URL, by a sample.

    Attributes
    ----------
    gone : dict of str to dict of str to str
        Why those that are not there any more cannot be read, by kind and SHA-256.
    spared : int
        How often one was named that another sample holds.
    """

    def __init__(self) -> None:
        self._attached: dict[Audio | Image, _Attachment | None] = {}
        self.gone: dict[str, dict[str, str]] = {"sound": {}, "picture": {}}
        self.spared = 0

    def part(self, part: Part, sample: str, attachments: dict[str, str]) -> InspectObject:
        """The part of a message of `sample`; what it holds first is put in `attachments`."""
        if isinstance(part, Text):
            return {"type": "text", "text": part.text}
        kind = "picture" if isinstance(part, Image) else "sound"
        if part not in self._attached:
            loaded = self._load(part)
            self._attached[part] = new = loaded and _Attachment(sample, _id(loaded[0]), loaded[1])
            if new and loaded:
                attachments[new.name] = loaded[0]
        attachment = self._attached[part]
        if attachment is None:
            return {"type": "text", "text": f"[{kind} not found: {part.sha256}]"}
        if attachment.sample != sample:
            self.spared += 1
            return {"type": "text", "text": f"[the {kind} that sample {attachment.sample} holds]"}
        url = f"attachment://{attachment.name}"
        if kind == "picture":
            return {"type": "image", "image": url}
        return {"type": "audio", "audio": url, "format": attachment.format}

    def _load(self, medium: Audio | Image) -> tuple[str, str] | None:
        try:
            return data_url(medium)
        except ModelError as error:
            kind = "picture" if isinstance(medium, Image) else "sound"
            self.gone[kind][medium.sha256] = str(error)
            return None


def write_inspect(run: Place, out: Place) -> Exported:
    """Write a run as an Inspect log.

    Parameters
    ----------
    run : Path
    out : Path
        Its suffix must be ``.eval`` for Inspect to find it.

    Returns
    -------
    Exported
        With a note for each kind of loss: a suffix that Inspect does not know, sounds that are no
        longer where they were.

    Raises
    ------
    InputError
        When the folder is not a run.
    """
    run, out = Path(run), Path(out)
    manifest, media = read_manifest(run), _Media()
    summaries: list[bytes] = []
    usage = Counter[str]()
    asked = str(set_of_runs([(manifest, rows_of(run))]))
    start = {"version": 2, "eval": _spec(manifest, asked), "plan": {"name": "plan", "steps": []}}
    with (
        whole_or_nothing(out) as place,
        place.open("wb") as file,
        zipfile.ZipFile(file, "w", zipfile.ZIP_DEFLATED) as archive,
    ):
        archive.writestr("_journal/start.json", _json(start))
        for record in records_of(run):
            sample = _sample(record, manifest, media)
            archive.writestr(f"samples/{record.id}_epoch_1.json", _json(sample))
            summaries.append(_json(_summary(sample)))
            usage.update(_usage([turn.reply for turn in record.exchange.turns]))
        archive.writestr("summaries.json", b"[" + b",".join(summaries) + b"]")
        archive.writestr("header.json", _json(start | _outcome(manifest, rows_of(run), usage)))
    notes = []
    if media.spared:
        notes.append(naming(said("export-once", n=str(media.spared))))
    for kind, gone in media.gone.items():
        if gone:
            notes.append(f"{len(gone)} {kind}s left out: {next(iter(gone.values()))}")
    if out.suffix != ".eval":
        notes.append(f"{out.name}: Inspect looks for files that end in .eval")
    return Exported([out], notes)


def _spec(manifest: Manifest, asked: str) -> InspectObject:
    """Describe what was run (Inspect's EvalSpec)."""
    config = manifest.config
    sampling = manifest.sampling
    known = ("temperature", "max_tokens", "top_p", "top_k", "seed")
    return {
        "created": _when(manifest)[0],
        "task": manifest.benchmark,
        "task_id": _id(manifest.benchmark, str(config.get("data"))),
        "eval_id": _id(_json(config).decode()),
        "run_id": _id("run", _json(config).decode()),
        "task_version": str(config.get("benchmark_version", 0)),
        "task_args": config.get("options") or {},
        "dataset": {"name": asked, "samples": manifest.total, "shuffled": False},
        "model": manifest.model,
        "model_generate_config": {k: sampling[k] for k in known if sampling.get(k) is not None},
        "config": {"limit": config["limit"]} if config.get("limit") else {},
        "packages": manifest.versions,
        "metadata": {
            "data_fingerprint": config.get("data"),
            "remarks": [one.text for one in told(manifest.remarks)],
        },
        "scorers": [{"name": "zhiyin", "metrics": [{"name": "accuracy"}, {"name": "stderr"}]}],
    }


def _outcome(manifest: Manifest, rows: Rows, usage: dict[str, int]) -> InspectObject:
    """Status, results and stats: what the log's header says when all is done."""
    judged = rows.judged
    started, ended = _when(manifest)
    scores = []
    if judged:
        own = estimate(judged)
        values = (own.value, own.se, own.low, own.high)
        metrics = {
            name: {"name": name, "value": value}
            for name, value in zip(("accuracy", "stderr", "low", "high"), values, strict=True)
            if value is not None and isfinite(value)
        }
        scores = [{"name": "zhiyin", "scorer": "zhiyin", "metrics": metrics}]
    complete = len(rows) >= manifest.planned
    if manifest.sequences:
        complete = complete and rows.ended >= manifest.sequences.count
    return {
        "status": "success" if complete else "cancelled",
        "results": {
            "total_samples": manifest.total or max(manifest.planned, len(rows)),
            "completed_samples": len(rows) - rows.outcomes()["error"],
            "scores": scores,
        },
        "stats": {
            "started_at": started,
            "completed_at": ended,
            "model_usage": {manifest.model: usage} if usage else {},
        },
    }


def _sample(record: Record, manifest: Manifest, media: _Media) -> InspectObject:
    trial, turns = record.trial, record.exchange.turns
    attachments: dict[str, str] = {}
    asked = [_message(message, record.id, media, attachments) for message in trial.messages]
    spoken = list(asked)
    for number, turn in enumerate(turns):
        if turn.sent is not None and number:
            spoken += [_message(m, record.id, media, attachments) for m in turn.sent[-1:]]
        spoken.append({"role": "assistant", "content": turn.reply.text, "source": "generate"})
    usage = _usage([turn.reply for turn in turns])
    gold = next((o.letter for o in trial.options if o.key == trial.target), trial.target or "")
    sample: InspectObject = {
        "id": record.id,
        "epoch": 1,
        "input": asked,
        "choices": [option.text for option in trial.options] or None,
        "target": gold,
        "messages": spoken,
        "output": _output(manifest.model, turns[-1].reply if turns else None, usage),
        "metadata": {**trial.tags, "groups": list(trial.groups), "cluster": trial.cluster},
        "model_usage": {manifest.model: usage} if usage else {},
        "attachments": attachments,
    }
    if record.verdict.state == "error":
        names = ("message", "traceback", "traceback_ansi")
        sample["error"] = dict.fromkeys(names, record.error or "no reply")
    elif record.verdict.state != "ungraded":
        sample["scores"] = {"zhiyin": _score(record)}
    return sample


def _score(record: Record) -> InspectObject:
    verdict = record.verdict
    return {
        "value": _VALUES.get(verdict.state, _NO_ANSWER),
        "answer": verdict.letter or verdict.answer,
        "explanation": verdict.why or verdict.state,
        "metadata": {
            "state": verdict.state,
            "key": verdict.answer,
            "policy": verdict.policy,
            **verdict.scores,
            **verdict.tags,
        },
    }


def _message(
    message: Message, sample: str, media: _Media, attachments: dict[str, str]
) -> InspectObject:
    if all(isinstance(part, Text) for part in message.parts):
        return {"role": message.role, "content": message.text}
    content = [media.part(part, sample, attachments) for part in message.parts]
    return {"role": message.role, "content": content}


def _output(model: str, reply: Reply | None, usage: dict[str, int]) -> InspectObject:
    if reply is None:
        return {"model": model, "choices": []}
    message = {"role": "assistant", "content": reply.text, "source": "generate"}
    return {
        "model": str(reply.detail.get("model", model)),
        "choices": [{"message": message, "stop_reason": _STOPS[reply.finish]}],
        "usage": usage or None,
        "time": reply.latency_s,
    }


def _usage(replies: Iterable[Reply]) -> Counter[str]:
    """Tokens under Inspect's names; empty where the server gave none."""
    total = Counter[str]()
    for usage in (reply.usage for reply in replies if reply.usage):
        sent, received = usage.get("prompt_tokens", 0), usage.get("completion_tokens", 0)
        total.update(input_tokens=sent, output_tokens=received, total_tokens=sent + received)
    return total


def _summary(sample: InspectObject) -> InspectObject:
    """Return a sample as Inspect lists it: no sounds, long texts cut."""
    kept = ("id", "epoch", "choices", "target", "model_usage")
    summary = {name: sample[name] for name in kept}
    words = "\n\n".join(_text_of(message["content"]) for message in sample["input"])
    summary["input"] = words[-_LONGEST_SUMMARY:]
    summary["metadata"] = {
        name: value[:_LONGEST_SUMMARY] if isinstance(value, str) else value
        for name, value in sample["metadata"].items()
        if not isinstance(value, list)
    }
    summary["scores"] = sample.get("scores")
    summary["error"] = sample["error"]["message"] if "error" in sample else None
    summary["completed"] = True
    summary["message_count"] = len(sample["messages"])
    return summary


def _text_of(content: str | list[InspectObject]) -> str:
    if isinstance(content, str):
        return content
    return "\n\n".join(part.get("text", _PLACEHOLDERS.get(part["type"], "")) for part in content)


def _when(manifest: Manifest) -> tuple[str, str]:
    """Return when the first session started and the last one ended."""
    unknown = datetime.fromtimestamp(0, UTC).isoformat()
    if not manifest.sessions:
        return unknown, unknown
    last = manifest.sessions[-1]
    return manifest.sessions[0].started, last.ended or last.started


def _id(*parts: str) -> str:
    return blake2b("\0".join(parts).encode(), digest_size=16).hexdigest()


def _json(value: Any) -> bytes:
    return msgspec.json.encode(value)
