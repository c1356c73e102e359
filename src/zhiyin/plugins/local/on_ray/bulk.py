"""Very many single questions through Ray Data: blocks of lines go out, blocks of replies come back.

A question is a line of ``trials.jsonl`` as ``zhiyin trials`` writes it. Blocks are made here, of a
chosen size: Ray Data makes one block of a small file, which one worker would have alone.

Asking in bulk what `zhiyin trials` wrote: replies are appended, a block at a time.
"""

from __future__ import annotations

import asyncio
import hashlib
import importlib
import importlib.util
import logging
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

import msgspec

from zhiyin.errors import HaltError, InputError, TransientError, reworded
from zhiyin.files import NOT_JSON, cut_torn, read_regular
from zhiyin.models import Setting
from zhiyin.models.replay import MANIFEST, TRIALS, QuestionsManifest
from zhiyin.models.replies import with_thinking_apart
from zhiyin.plugins.local.checkpoint import read_spec
from zhiyin.plugins.local.decoding import MOST_TOKENS
from zhiyin.plugins.local.on_ray import Cluster
from zhiyin.plugins.local.on_ray.workers import (
    FailedCall,
    MissingMedia,
    Worker,
    WorkerCall,
    WorkerPool,
    ray_package,
    with_whole_path,
)
from zhiyin.record import OFF, Finish, Reply, Sampling
from zhiyin.trial import Audio, Image, Message, Part, Text, Trial
from zhiyin.words import said

_ERROR = "__inference_error__"
_SENT = ("temperature", "top_p", "top_k", "seed")

Processor = Callable[[Any], Any]
"""From a data set of questions to one of answers."""


def suits(spec: str, cluster: Cluster, lines: Sequence[bytes]) -> bool:
    """Tell whether Ray Data's stages can ask these questions as `VllmModel` would.

    They can where vLLM and they are installed, workers have a GPU, and every question is of text
    alone, says a temperature, and wants the same of thinking.
    """
    if not (spec.startswith("vllm:") and cluster.gpus and lines):
        return False
    if importlib.util.find_spec("vllm") is None or importlib.util.find_spec("ray.data.llm") is None:
        return False
    read = [msgspec.json.decode(line, type=QuestionLine) for line in lines]
    return len({one.sampling.thinking for one in read}) == 1 and all(
        one.of_text and one.sampling.temperature is not None for one in read
    )


def processor(
    spec: str, cluster: Cluster, workers: int, block: int, thinking: str | int | None
) -> Processor:
    """The stages for a checkpoint: chat template, engine, and what becomes of its replies.

    Parameters
    ----------
    spec : str
        ``vllm:PATH_OR_ID[,OPTION=VALUE...]``
    cluster : Cluster
    workers : int
        Engines.
    block : int
        Questions that are handed to an engine together.
    thinking : str or int or None
        Of all questions, as in `Sampling`.
    """
    from zhiyin.plugins.local.vllm_offline import OPTIONS, engine_arguments

    llm: Any = importlib.import_module("ray.data.llm")
    read = read_spec("vllm", spec.removeprefix("vllm:"), OPTIONS)
    arguments = engine_arguments(read)
    if revision := read.options.get("revision"):
        arguments["revision"] = revision
    config = llm.vLLMEngineProcessorConfig(
        model_source=str(read.folder or read.place),
        engine_kwargs=arguments,
        concurrency=workers,
        batch_size=block,
        should_continue_on_error=True,
    )
    more: dict[str, object] = {}
    if thinking == OFF:
        more["builder_kwargs"] = {"chat_template_kwargs": {"enable_thinking": False}}
    made: Processor = llm.build_processor(config, preprocess=before, postprocess=after, **more)
    return made


def before(row: dict[str, Any]) -> dict[str, object]:
    """A question as the engine takes it."""
    line = msgspec.json.decode(row["line"], type=QuestionLine)
    wanted = {name: getattr(line.sampling, name) for name in _SENT}
    given = {name: value for name, value in wanted.items() if value is not None}
    return {
        "messages": [{"role": m.role, "content": m.text} for m in line.read(Path())],
        "sampling_params": given | {"max_tokens": line.sampling.max_tokens or MOST_TOKENS},
    }


def after(row: dict[str, Any]) -> dict[str, object]:
    """An engine's output as an answer of ours. It says how long a text is, not why it ends."""
    line = msgspec.json.decode(row["line"], type=QuestionLine)
    ended = row["num_generated_tokens"] < (line.sampling.max_tokens or MOST_TOKENS)
    reply = Reply(row["generated_text"].strip(), "stop" if ended else "length")
    return {
        "line": row["line"],
        "answer": msgspec.json.encode(WrittenAnswer(line.id, with_thinking_apart(reply))),
    }


def answered(row: dict[str, Any]) -> bytes:
    """The answer in a row of the result; one that failed never came to `after`."""
    if error := row.get(_ERROR):
        name = msgspec.json.decode(row["line"], type=QuestionLine).id
        return msgspec.json.encode(WrittenAnswer(name, None, " ".join(str(error).split())))
    answer: bytes = row["answer"]
    return answer


_TRIES = 3
_WAIT_S = 1.0
_LOSSES = 3
"""So often may a block take its worker with it, and a worker be started again."""


def ask_all(
    lines: Iterable[bytes], media: Path, spec: str, setting: Setting, cluster: Cluster, block: int
) -> Iterator[list[WrittenAnswer]]:
    """The answers to questions, a block at a time, in the order in which they come.

    Parameters
    ----------
    lines : iterable of bytes
        Questions as ``zhiyin trials`` writes them.
    media : Path
        The folder that sounds and pictures are named within; every worker must reach it.
    spec : str
        The model, as after ``-m``; each worker opens it once.
    setting : Setting
    cluster : Cluster
    block : int
        Questions that go to a worker at once; what is lost when a worker dies is asked again by
        the block.

    Raises
    ------
    InputError
        There is no such cluster, it has no room for a worker, or the model cannot be opened.
    HaltError
        Workers died again and again.
    """
    crew = WorkerPool(cluster, spec, setting, lambda: None)
    crew.connect()
    try:
        _has_room(cluster)
        yield from _through(lines, media, spec, setting, crew.wanted, cluster, block)
    finally:
        asyncio.run(crew.close())


def _has_room(cluster: Cluster) -> None:
    """Ray Data waits for ever, and says nothing, where no node has room for a worker."""
    nodes = [node["Resources"] for node in ray_package("ray").nodes() if node["Alive"]]
    if any(
        node.get("CPU", 0) >= cluster.cpus and node.get("GPU", 0) >= cluster.gpus for node in nodes
    ):
        return
    most = (max((node.get(kind, 0) for node in nodes), default=0) for kind in ("CPU", "GPU"))
    has = said("local-has", **dict(zip(("cpus", "gpus"), most, strict=True)))
    wants = said("local-has", cpus=cluster.cpus, gpus=cluster.gpus)
    raise InputError(said("local-no-room", place=cluster.address, wants=wants, has=has))


def _through(
    lines: Iterable[bytes],
    media: Path,
    spec: str,
    setting: Setting,
    workers: int,
    cluster: Cluster,
    block: int,
) -> Iterator[list[WrittenAnswer]]:
    pyarrow, ray, data = map(ray_package, ("pyarrow", "ray", "ray.data"))
    logging.getLogger("ray.data").setLevel(logging.ERROR)
    data.DataContext.get_current().enable_progress_bars = False
    rest, spec = iter(lines), with_whole_path(spec)
    blocks = [pyarrow.table({"line": some}) for some in iter(lambda: [*islice(rest, block)], [])]
    if not blocks:
        return
    questions, size = data.from_arrow(blocks), min(workers, len(blocks))
    every = [line for table in blocks for line in table["line"].to_pylist()]
    if suits(spec, cluster, every):
        thinking = msgspec.json.decode(every[0], type=QuestionLine).sampling.thinking
        asked = processor(spec, cluster, size, block, thinking)(questions)
    else:
        asked = questions.map_batches(
            BlockWorker,
            fn_constructor_args=(
                spec,
                setting._replace(concurrency=cluster.each),
                str(media.resolve()),
            ),
            batch_format="pyarrow",
            batch_size=None,
            compute=data.ActorPoolStrategy(size=size),
            num_cpus=cluster.cpus,
            num_gpus=cluster.gpus,
            max_restarts=_LOSSES,
            max_task_retries=_LOSSES,
        )
    decoder = msgspec.json.Decoder(WrittenAnswer)
    try:
        for table in asked.iter_batches(batch_size=None, batch_format="pyarrow"):
            yield [decoder.decode(answered(row)) for row in table.to_pylist()]
    except ray.exceptions.RayError as error:
        message = " ".join(str(error).split())[-200:]
        raise HaltError(
            f"workers were lost again and again ({message}): mend it, and run the same command"
        ) from None


class BlockWorker:
    """Worker that Ray Data runs: a model, opened once, and asked a block at a time."""

    def __init__(self, spec: str, setting: Setting, media: str) -> None:
        self._loop = asyncio.Runner()
        self._worker = Worker(spec, setting)
        self._media = Path(media)
        begun = self._loop.run(self._worker.begin())
        self._fault = begun.message if isinstance(begun, FailedCall) else ""

    def __call__(self, table: Any) -> Any:
        """The answers to a block of questions."""
        pyarrow = ray_package("pyarrow")
        answers = [self._failed(line) for line in table["line"].to_pylist()] if self._fault else (
            self._loop.run(self._answers(table["line"].to_pylist()))
        )  # fmt: skip
        return pyarrow.table({"answer": [msgspec.json.encode(one) for one in answers]})

    def _failed(self, line: bytes) -> WrittenAnswer:
        return WrittenAnswer(
            msgspec.json.decode(line, type=QuestionLine).id, None, self._fault, fatal=True
        )

    async def _answers(self, lines: Sequence[bytes]) -> list[WrittenAnswer]:
        answers: dict[str, WrittenAnswer] = {}
        waiting: dict[str, WorkerCall] = {}
        for line in lines:
            one = msgspec.json.decode(line, type=QuestionLine)
            try:
                messages = one.read(self._media)
            except OSError as error:
                message = f"{error.filename}: not reached by the worker ({error.strerror})"
                answers[one.id] = WrittenAnswer(one.id, None, message)
                continue
            trial = Trial(one.id, messages, one.question)
            waiting[one.id] = WorkerCall(messages, one.sampling, trial)
        for turn in range(_TRIES):
            if waiting:
                await asyncio.sleep(turn * _WAIT_S)
            replies = await self._worker.work([*waiting.values()])
            assert not isinstance(replies, MissingMedia), "read by their hashes a moment ago"
            for name, reply in zip([*waiting], replies, strict=True):
                if not isinstance(reply, FailedCall):
                    answers[name] = WrittenAnswer(name, reply)
                    del waiting[name]
                    continue
                answers[name] = WrittenAnswer(name, None, reply.message)
                if not isinstance(reply.error(), TransientError):
                    del waiting[name]
        return [*answers.values()]


class WrittenAnswer(msgspec.Struct):
    """Answer to a question: a reply, or why there is none. `fatal`: no question can be asked."""

    id: str
    reply: Reply | None = None
    error: str = ""
    fatal: bool = False


class _WrittenPart(msgspec.Struct):
    type: str
    text: str = ""
    path: str = ""


class _WrittenMessage(msgspec.Struct):
    role: Any
    content: str | list[_WrittenPart]

    @property
    def parts(self) -> list[_WrittenPart]:
        own = self.content
        return [_WrittenPart("text", own)] if isinstance(own, str) else own


class QuestionLine(msgspec.Struct):
    """A question as it was written out."""

    id: str
    messages: list[_WrittenMessage]
    settings: dict[str, object] = {}
    question: str = ""

    @property
    def sampling(self) -> Sampling:
        """Settings for generating: what was not set is not sent."""
        return msgspec.convert(dict.fromkeys(Sampling.__struct_fields__) | self.settings, Sampling)

    @property
    def of_text(self) -> bool:
        """Tell whether there is nothing to be heard or seen."""
        return all(part.type == "text" for message in self.messages for part in message.parts)

    def read(self, media: Path) -> tuple[Message, ...]:
        """The messages, sounds and pictures by their place on this machine."""
        return tuple(
            Message(message.role, tuple(_part(part, media) for part in message.parts))
            for message in self.messages
        )


def _part(part: _WrittenPart, media: Path) -> Part:
    if part.type == "text":
        return Text(part.text)
    path = media / part.path
    digest = hashlib.sha256(path.read_bytes()).hexdigest()
    return (Image if part.type == "image" else Audio)(str(path), digest)


ANSWERS, ASKED_OF = "answers.jsonl", "answers.model"


class _Named(msgspec.Struct):
    id: str


class _AnswerLine(msgspec.Struct, omit_defaults=True):
    """A line of the answers."""

    id: str
    text: str
    finish: Finish = "stop"


class BulkProgress(msgspec.Struct):
    """Progress of asking in bulk.

    Attributes
    ----------
    questions, before, answered : int
        In all; those with a reply when this began; those that have got one since.
    failures : Counter
        Questions without a reply, by the reason.
    run : str
        The command that makes a run of the replies.
    file : Path
        The replies.
    """

    questions: int
    before: int
    answered: int
    failures: Counter[str]
    run: str
    file: Path

    @property
    def missing(self) -> int:
        """Questions without a reply."""
        return self.questions - self.before - self.answered


def ask_in_bulk(
    folder: Path,
    spec: str,
    setting: Setting,
    cluster: Cluster,
    block: int,
    progress: Callable[[BulkProgress], None],
) -> BulkProgress:
    """Ask all questions of a folder that have no reply yet.

    Replies are appended to ``answers.jsonl`` in the folder, a block at a time: ending this at
    any moment loses the blocks under way, and the same call asks for the rest.

    Parameters
    ----------
    folder : Path
        What ``zhiyin trials`` wrote.
    spec, setting, cluster, block
        See `ask_all`.
    progress : callable
        Called after each block.

    Raises
    ------
    InputError
        The folder holds no questions, or answers of another model or to other questions; or as
        `ask_all` does.
    HaltError
        As `ask_all` does.
    """
    away = _manifest(folder)
    ids = _ids(folder / TRIALS)
    file = folder / ANSWERS
    _same_model(folder, spec)
    cut_torn(file)
    answered = set(_ids(file)) if file.exists() else set()
    if strangers := answered - set(ids):
        raise InputError(
            said(
                "batch-strangers",
                file=file,
                strangers=len(strangers),
                folder=folder / TRIALS,
                strangersb=repr(min(strangers)),
            )
        )
    bulk = BulkProgress(len(ids), len(answered), 0, Counter(), away.run, file)
    if not bulk.missing:
        return bulk
    with file.open("ab") as out:
        todo = _unanswered(folder / TRIALS, answered)
        for answers in ask_all(todo, folder, spec, setting, cluster, block):
            _keep(answers, answered, out, bulk)
            progress(bulk)
    return bulk


def _manifest(folder: Path) -> QuestionsManifest:
    path = folder / MANIFEST
    try:
        if (folder / TRIALS).is_file():
            return msgspec.json.decode(read_regular(path), type=QuestionsManifest)
        trouble = f"no {TRIALS} in it"
    except OSError as error:
        trouble = f"{MANIFEST} cannot be read ({error.strerror})"
    except NOT_JSON as error:
        trouble = f"{MANIFEST}: {error}"
    raise InputError(said("batch-none", folder=folder, trouble=trouble))


def _same_model(folder: Path, spec: str) -> None:
    """Refuse to mix the replies of two models in one file."""
    note = folder / ASKED_OF
    asked = note.read_text("utf-8", errors="ignore").strip() if note.is_file() else ""
    if (folder / ANSWERS).exists() and asked != spec:
        whose = f"of {asked}" if asked else "that something else wrote"
        raise InputError(said("batch-answers", folder=folder / ANSWERS, whose=whose, spec=spec))
    note.write_text(spec + "\n", "utf-8")


def _ids(path: Path) -> list[str]:
    decoder, ids = msgspec.json.Decoder(_Named), []
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            with reworded(f"{path}, line {number}: ", of=NOT_JSON):
                ids.append(decoder.decode(line).id)
    return ids


def _unanswered(path: Path, answered: set[str]) -> Iterator[bytes]:
    decoder = msgspec.json.Decoder(_Named)
    with path.open("rb") as file:
        for line in file:
            if decoder.decode(line).id not in answered:
                yield line


def _keep(
    answers: list[WrittenAnswer], answered: set[str], out: BinaryIO, bulk: BulkProgress
) -> None:
    """Append a block of replies; one that has come already, from a block sent twice, is dropped."""
    lines = []
    for one in answers:
        if one.reply is None:
            bulk.failures[one.error] += 1
        elif one.id not in answered:
            answered.add(one.id)
            lines.append(
                msgspec.json.encode(_AnswerLine(one.id, one.reply.text, one.reply.finish)) + b"\n"
            )
    out.write(b"".join(lines))
    out.flush()
    os.fsync(out.fileno())
    bulk.answered += len(lines)
    if fatal := next((one for one in answers if one.fatal), None):
        raise InputError(fatal.error)
