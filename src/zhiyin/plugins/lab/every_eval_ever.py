"""Results in the form of Every Eval Ever 0.3.0: its samples as structs, and runs made of its files.

The form is that of evaleval/every_eval_ever@9bce4136e789ec006c62582f5f9d107d20f8b398
(every_eval_ever/schemas). It has no place for sound, pictures or a reply that could not be read,
and all further facts are texts. So what a trial was and what was made of it stand in a sample's
``metadata``, as JSON: a run that went out comes back with every verdict. Paths stay behind, since
a file's name may hold an answer, and is nobody else's business.

Trials that failed, or that have no right answer, have no place among the samples: a score is
demanded there, and 0 would be none that they got. They lie in ``unscored/`` beside ``data/``, in
the same form without ``evaluation``.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any, Literal

import msgspec

from zhiyin import __version__
from zhiyin.engine.folder import Manifest
from zhiyin.engine.log import RunFolder
from zhiyin.errors import InputError, reworded
from zhiyin.files import NOT_JSON, inside, read_bytes, read_lines
from zhiyin.record import Exchange, Record, Reply, State, Turn, Verdict
from zhiyin.trial import Audio, Image, Message, Option, Trial, say
from zhiyin.words import said
from zhiyin.words.findings import kept

SCHEMA = "0.3.0"
TRIAL, VERDICT, EXCHANGE, FAILURE, RUN = (
    f"zhiyin.{name}" for name in ("trial", "verdict", "exchange", "error", "run")
)
"""Under which names a sample's metadata, and the library's of a result, hold what is ours."""
UNSCORED = "unscored"
"""The folder of trials without a score, and under which name a result's details name its file."""
_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"


class SampleInput(msgspec.Struct, omit_defaults=True):
    """The question of a sample."""

    raw: str
    reference: list[str]
    formatted: str | None = None
    choices: list[str] | None = None


class SampleOutput(msgspec.Struct, omit_defaults=True):
    """The reply, where it was one."""

    raw: list[str]


class SampleMessage(msgspec.Struct, omit_defaults=True):
    """One message of a conversation."""

    turn_idx: int
    role: str
    content: str | None = None


class Attribution(msgspec.Struct):
    """The place of the answer and how it was read."""

    turn_idx: int
    source: str
    extracted_value: str
    extraction_method: str
    is_terminal: bool


class SampleEvaluation(msgspec.Struct, omit_defaults=True):
    """The worth of the answer."""

    score: float
    is_correct: bool
    num_turns: int | None = None


class TokenUsage(msgspec.Struct):
    """Tokens of all calls of a trial."""

    input_tokens: int
    output_tokens: int
    total_tokens: int


class SampleLine(msgspec.Struct, omit_defaults=True, kw_only=True):
    """One line of an instance file. `evaluation` is missing of what has no score alone."""

    schema_version: str
    evaluation_id: str
    model_id: str
    evaluation_name: str
    sample_id: str
    interaction_type: Literal["single_turn", "multi_turn", "agentic"]
    input: SampleInput
    answer_attribution: list[Attribution]
    evaluation: SampleEvaluation | None = None
    evaluation_result_id: str | None = None
    sample_hash: str | None = None
    output: SampleOutput | None = None
    messages: list[SampleMessage] | None = None
    token_usage: TokenUsage | None = None
    performance: dict[str, Any] | None = None
    error: str | None = None
    metadata: dict[str, str] | None = None


class ExportedRun(msgspec.Struct):
    """The exported part of a run's manifest: neither places on a machine nor sessions."""

    benchmark: str
    model: str
    config: dict[str, Any]
    planned: int
    versions: dict[str, str] = {}
    decoding: dict[str, Any] = {}
    label: str = ""
    declared: dict[str, Any] = {}


class _Library(msgspec.Struct):
    name: str
    version: str
    additional_details: dict[str, str] = {}


class _ModelInfo(msgspec.Struct):
    name: str
    id: str


class _Detailed(msgspec.Struct):
    file_path: str
    checksum: str = ""
    hash_algorithm: str = ""
    total_rows: int | None = None
    additional_details: dict[str, str] = {}


class _Result(msgspec.Struct):
    evaluation_name: str


class Aggregate(msgspec.Struct):
    """The part of an aggregate file that a run needs."""

    schema_version: str
    evaluation_id: str
    eval_library: _Library
    model_info: _ModelInfo
    evaluation_results: list[_Result]
    detailed_evaluation_results: _Detailed | None = None


def without_paths(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Messages whose sounds and pictures are named by their SHA-256 alone."""
    return tuple(
        Message(
            message.role,
            tuple(
                msgspec.structs.replace(part, path="") if isinstance(part, Audio | Image) else part
                for part in message.parts
            ),
        )
        for message in messages
    )


def import_eee(files: Sequence[Path], out: Path | None, model: str) -> list[Path]:
    """Make runs of aggregate files and the samples that they name.

    Parameters
    ----------
    files : sequence of Path
        Aggregate files, ``data/COLLECTION/DEVELOPER/MODEL/UUID.json``: a run each.
    out : Path or None
        The run folder; of several files the folder that they lie in; None for ``runs``.
    model : str
        Whose answers; "" for what a file says.

    Returns
    -------
    list of Path
        The run folders. Written again from the same files, they are the same.

    Raises
    ------
    InputError
        A file is no such aggregate, names no samples, or samples that are not those it was
        written with.
    """
    made = []
    for path in files:
        aggregate = _read_aggregate(path)
        records = list(_records(path, aggregate))
        run = _run_of(path, aggregate, records)
        if model:
            run.model = run.config["model"] = model
        folder = out or Path("runs") / f"{run.benchmark}-eee-{path.stem[:8]}"
        if out is not None and len(files) > 1:
            folder = out / f"{run.benchmark}-eee-{path.stem[:8]}"
        made.append(_write(folder, run, records))
    return made


def _write(folder: Path, run: ExportedRun, records: Sequence[Record]) -> Path:
    manifest = Manifest(
        benchmark=run.benchmark,
        model=run.model,
        config=run.config,
        options=dict(run.config.get("options") or {}),
        planned=run.planned,
        versions=run.versions,
        decoding=run.decoding,
        remarks=kept([said("verdicts-elsewhere")]),
        label=run.label,
        declared=run.declared,
    )
    with RunFolder(folder, manifest) as log:
        for record in records:
            if record.id not in log.answered:
                log.append(record)
    return folder


def _read_aggregate(path: Path) -> Aggregate:
    with (
        reworded(said("error-read-name", path=path, why="")),
        reworded(
            f"{path}: no aggregate file of Every Eval Ever (",
            "); give data/COLLECTION/DEVELOPER/MODEL/UUID.json",
            of=NOT_JSON,
        ),
    ):
        aggregate = msgspec.json.decode(path.read_bytes(), type=Aggregate)
    if not aggregate.schema_version.startswith("0.3."):
        raise InputError(
            said("eee-version", path=path, given=aggregate.schema_version, schema=SCHEMA)
        )
    if aggregate.detailed_evaluation_results is None:
        raise InputError(said("eee-none", path=path))
    return aggregate


def _records(path: Path, aggregate: Aggregate) -> Iterator[Record]:
    resolved = path.resolve()
    if len(resolved.parents) < 5 or resolved.parents[3].name != "data":
        raise InputError(said("eee-place", path=path))
    root, detailed = resolved.parents[4], aggregate.detailed_evaluation_results
    assert detailed is not None
    samples = inside(root, detailed.file_path)
    remedy = said("eee-bring", name=path.name)
    data = read_bytes(samples, remedy)
    if detailed.checksum and detailed.hash_algorithm in ("sha256", "md5"):
        found = hashlib.new(detailed.hash_algorithm, data).hexdigest()
        if found != detailed.checksum:
            raise InputError(said(
                "eee-other", samples=samples, hash=detailed.hash_algorithm, found=found[:12],
                path=path.name, checksum=detailed.checksum[:12],
            ))  # fmt: skip
    rows = _rows(samples, data)
    if detailed.total_rows not in (None, len(rows)):
        raise InputError(said(
            "eee-not-whole", samples=samples, rows=len(rows), path=path.name,
            total=detailed.total_rows,
        ))  # fmt: skip
    if name := detailed.additional_details.get(UNSCORED):
        rest = inside(root, name)
        rows += _rows(rest, read_bytes(rest, remedy))
    known: set[str] = set()
    for number, record in enumerate(map(record_of, rows), 1):
        if record.id in known:
            raise InputError(
                said("eee-twice", samples=samples, number=str(number), record=repr(record.id))
            )
        known.add(record.id)
        yield record


def _rows(path: Path, data: bytes) -> list[SampleLine]:
    return [row for _, row in read_lines(path, SampleLine, said("eee-no-sample", why=""), data)]


def record_of(row: SampleLine) -> Record:
    """The record of a sample: as it was, where it was a run of ours; else as far as it says."""
    kept = row.metadata or {}
    if TRIAL in kept and VERDICT in kept:
        trial = msgspec.json.decode(kept[TRIAL], type=Trial)
        verdict = msgspec.json.decode(kept[VERDICT], type=Verdict)
        exchange = msgspec.json.decode(kept.get(EXCHANGE) or "{}", type=Exchange)
        if row.output and exchange.turns:  # a single reply is not held twice
            exchange.turns[-1].reply.text = row.output.raw[0] if row.output.raw else ""
        return Record(row.sample_id, verdict, trial, exchange, error=kept.get(FAILURE))
    return _foreign(row)


def _foreign(row: SampleLine) -> Record:
    """The record of a sample that another program wrote: its verdict is taken as it stands.

    One sample may stand there once for each result: each is a trial of its own.
    """
    name = f"{row.evaluation_result_id or row.evaluation_name}/{row.sample_id}"
    choices, reference = row.input.choices or [], row.input.reference
    options = tuple(
        Option(letter, text, letter) for letter, text in zip(_LETTERS, choices, strict=False)
    )
    right = [o.key for o in options if o.text in reference or o.letter in reference]
    target = ",".join(right) or (reference[0] if reference and not options else None)
    answer = next((a for a in reversed(row.answer_attribution) if a.is_terminal), None)
    value = answer.extracted_value if answer else ""
    chosen = next((o for o in options if value in (o.text, o.letter)), None)
    asked = (say("user", row.input.formatted or row.input.raw),)
    trial = Trial(
        name, asked, row.input.raw, options, target,
        groups=(row.evaluation_name,), tags=dict(row.metadata or {}), item=row.sample_id,
    )  # fmt: skip
    replies = row.output.raw if row.output else []
    replies = replies or [m.content or "" for m in row.messages or [] if m.role == "assistant"]
    exchange = Exchange(tuple(Turn(Reply(text)) for text in replies))
    if row.error or row.evaluation is None:
        why = row.error or "no evaluation"
        return Record(name, Verdict("error", None), trial, exchange, error=why)
    state: State = "wrong"
    if row.evaluation.is_correct:
        state = "correct"
    elif answer and not value:
        state = "no_answer"
    verdict = Verdict(
        state,
        chosen.key if chosen else value or None,
        chosen.letter if chosen else None,
        answer.extraction_method if answer else "",
        "as imported",
        {"imported": row.evaluation.score},
    )
    return Record(name, verdict, trial, exchange)


def _run_of(path: Path, aggregate: Aggregate, records: Sequence[Record]) -> ExportedRun:
    kept = aggregate.eval_library.additional_details.get(RUN)
    if kept is not None:
        with reworded(f"{path}: eval_library holds no run of ours (", ")", of=NOT_JSON):
            return msgspec.json.decode(kept, type=ExportedRun)
    name = aggregate.evaluation_id.partition("/")[0]
    model, library = aggregate.model_info.id, aggregate.eval_library
    config = {"benchmark": name, "model": model, "options": {"extract": "as imported"}}
    versions = {"zhiyin": __version__, library.name: library.version}
    return ExportedRun(name, model, config, len(records), versions)
