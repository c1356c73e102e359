"""Questions of text alone through Ray Data's own vLLM stages (``ray.data.llm.build_processor``).

These keep an engine full while blocks come and go, where a worker of ours (`bulk.BlockWorker`)
waits for a block. They know nothing of sound, of a checkpoint's own sampling, and of why a text
ends: questions that need these go to the worker.
"""

from __future__ import annotations

import importlib
import importlib.util
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.models.local.decoding import MOST_TOKENS
from zhiyin.models.local.options import read_spec
from zhiyin.models.on_ray.cluster import Cluster
from zhiyin.models.on_ray.questions import Block, Line
from zhiyin.models.replies import with_thinking_apart
from zhiyin.record import OFF, Reply

_ERROR = "__inference_error__"
_SENT = ("temperature", "top_p", "top_k", "seed")

Processor = Callable[[Any], Any]
"""From a data set of questions to one of answers."""


def suits(spec: str, cluster: Cluster, lines: Sequence[bytes]) -> bool:
    """Whether Ray Data's stages can ask these questions as `VllmModel` would.

    They can where vLLM and they are installed, workers have a GPU, and every question is of text
    alone, says a temperature, and wants the same of thinking.
    """
    if not (spec.startswith("vllm:") and cluster.gpus and lines):
        return False
    if importlib.util.find_spec("vllm") is None or importlib.util.find_spec("ray.data.llm") is None:
        return False
    read = [msgspec.json.decode(line, type=Line) for line in lines]
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
    from zhiyin.models.local.vllm_offline import OPTIONS, engine_arguments

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
    more: dict[str, Any] = {}
    if thinking == OFF:
        more["builder_kwargs"] = {"chat_template_kwargs": {"enable_thinking": False}}
    made: Processor = llm.build_processor(config, preprocess=before, postprocess=after, **more)
    return made


def before(row: dict[str, Any]) -> dict[str, Any]:
    """A question as the engine takes it."""
    line = msgspec.json.decode(row["line"], type=Line)
    wanted = {name: getattr(line.sampling, name) for name in _SENT}
    given = {name: value for name, value in wanted.items() if value is not None}
    return {
        "messages": [{"role": m.role, "content": m.text} for m in line.read(Path())],
        "sampling_params": given | {"max_tokens": line.sampling.max_tokens or MOST_TOKENS},
    }


def after(row: dict[str, Any]) -> dict[str, Any]:
    """An engine's output as an answer of ours. It says how long a text is, not why it ends."""
    line = msgspec.json.decode(row["line"], type=Line)
    ended = row["num_generated_tokens"] < (line.sampling.max_tokens or MOST_TOKENS)
    reply = Reply(row["generated_text"].strip(), "stop" if ended else "length")
    return {"line": row["line"], "answer": _encoded(Block(line.id, with_thinking_apart(reply)))}


def answered(row: dict[str, Any]) -> bytes:
    """The answer in a row of the result; one that failed never came to `after`."""
    if error := row.get(_ERROR):
        name = msgspec.json.decode(row["line"], type=Line).id
        return _encoded(Block(name, None, " ".join(str(error).split())))
    answer: bytes = row["answer"]
    return answer


def _encoded(block: Block) -> bytes:
    return msgspec.json.encode(block)
