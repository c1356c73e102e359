"""Replies that other programs wrote: their formats as a table, joined to questions, made runs.

No format has an importer of its own: `formats` says how each is recognised and where in a row
each thing stands; `files` makes rows of files by it, `joining` finds the question of each row,
and `importing` writes the run (docs/rooms/lab.md).

Formats of other programs' files: how they are recognised, and each thing's place in a row.

A place in a row is a path: names and numbers with dots between, ``resps.0.0``. A step ``@user`` is
the last message of the user in a list of messages, ``@message`` the last output of the type
"message" in a list of outputs, ``@refusal`` its last part of that type. Of several places the first
that holds something counts.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from zhiyin.errors import InputError, did_you_mean
from zhiyin.words import said

Places = tuple[str, ...]
AUTO = "auto"
ROWS = "rows"
"""Rows of any program: what is looked for in each has one of the usual names."""
PUBLISHED = "published"
"""What a benchmark's own format is called: see `Benchmark.import_answers`."""


class ReplyFormat(msgspec.Struct, frozen=True):
    """The replies of one program: how its rows are recognised, and where each thing stands.

    Attributes
    ----------
    name : str
        What ``--from`` calls it.
    title : str
        The program, and the file that it writes.
    source : str
        Where the format was read: repository@commit, file.
    marks : tuple of str
        Places that every row has.
    texts : tuple of str
        Those of them that hold a text; any other of them may hold anything.
    id : tuple of str
        Where the question's id stands, if it has one.
    place : tuple of str
        Where its number in the data stands, from 0; it parts questions that are worded alike.
    question : tuple of str
        The question, or the prompt that it stands in.
    options, key, clip : tuple of str
        What was offered, what was right, which recording was played.
    replies : tuple of str
        Where what the model said may stand. Several that hold different texts are asked about
        (``--field``), unless `settled`.
    settled : bool
        Whether the first of `replies` that a row has is the reply: the others are made from it.
    reasoning : tuple of str
        Thoughts that stand apart from the reply.
    finish : tuple of str
        Why the reply ended.
    refusal : tuple of str
        What was said in the place of a reply.
    repeat : tuple of str
        Which of several replies to the question it is.
    failed : tuple of str
        Where it says that no reply came: any value there means so.
    nothing : tuple of str
        Texts that stand for no reply.
    """

    name: str
    title: str
    source: str = ""
    marks: Places = ()
    texts: Places = ()
    id: Places = ()
    place: Places = ()
    question: Places = ()
    options: Places = ()
    key: Places = ()
    clip: Places = ()
    replies: Places = ()
    settled: bool = True
    reasoning: Places = ()
    finish: Places = ()
    refusal: Places = ()
    repeat: Places = ()
    failed: Places = ()
    nothing: Places = ()

    def recognises(self, row: Mapping[str, Any]) -> bool:
        """Tell whether a row is of this format."""
        if not all(reach(row, place) is not None for place in self.marks):
            return False
        if not all(isinstance(reach(row, place), str) for place in self.texts):
            return False
        return bool(self.marks) or any(reach(row, place) is not None for place in self.replies)


_PROMPTS = ("question", "prompt", "instruction", "input", "query")
_OPTIONS = ("choices", "options")
_KEYS = ("answer", "gt_answer", "target", "reference", "label", "gold", "ground_truth")
_CLIPS = ("audio_path", "audio_id", "audio_file", "wav_path", "audio")

FORMATS = (
    ReplyFormat(
        "inspect", "Inspect, a log: .eval",
        "UKGovernmentBEIS/inspect_ai@499e6152",
        marks=("inspect_sample",),
        id=("id",), question=("input", "input.@user.content"), options=("choices",),
        key=("target",), replies=("output.choices.0.message.content", "output.completion"),
        finish=("output.choices.0.stop_reason",),
        reasoning=("reasoning",), repeat=("epoch",), failed=("error",),
    ),
    ReplyFormat(
        "lm-eval", "lm-evaluation-harness, --log_samples: samples_TASK_DATE.jsonl",
        "EleutherAI/lm-evaluation-harness@4e7e0d47, result_schema.py",
        marks=("doc_id", "doc", "resps", "filtered_resps"),
        id=("doc.id", "doc.question_id", "doc.uid"), place=("doc_id",),
        question=("doc.question", "arguments.gen_args_0.arg_0"),
        options=("doc.choices.text", "doc.choices", "doc.options"), key=("target",),
        clip=("doc.audio_id", "doc.audio_path"), replies=("resps.0.0",),
    ),
    ReplyFormat(
        "lmms-eval", "lmms-eval, --log_samples: DATE_samples_TASK.jsonl",
        "EvolvingLMMs-Lab/lmms-eval@75571cfe, evaluator.py",
        marks=("doc_id", "filtered_resps", "input"),
        place=("doc_id",), question=("input",), key=("target",),
        replies=("resps.0.0", "resps.0", "filtered_resps.0", "filtered_resps"),
    ),
    ReplyFormat(
        "evalscope", "EvalScope: predictions/MODEL/DATA.jsonl",
        "modelscope/evalscope@fde259d2, api/evaluator/cache.py",
        marks=("index", "model_output", "messages"),
        id=("metadata.id",), place=("index",), question=("messages.@user.content",),
        replies=("model_output.choices.0.message.content",),
        finish=("model_output.choices.0.stop_reason",), failed=("model_output.error",),
    ),
    ReplyFormat(
        "evalscope-reviews", "EvalScope: reviews/MODEL/DATA.jsonl",
        "modelscope/evalscope@fde259d2, api/evaluator/cache.py",
        marks=("index", "sample_score.score"),
        id=("sample_score.sample_metadata.id",), place=("index",),
        question=("messages.@user.content", "input"), key=("target",),
        replies=("sample_score.score.prediction",), repeat=("sample_score.generation_index",),
    ),
    ReplyFormat(
        "openai-batch", "OpenAI's batches: the file of output",
        "platform.openai.com/docs/guides/batch",
        marks=("custom_id",),
        id=("custom_id",),
        replies=("response.body.choices.0.message.content",
                 "response.body.output.@message.content"),
        finish=("response.body.choices.0.finish_reason",
                "response.body.incomplete_details.reason"),
        refusal=("response.body.choices.0.message.refusal",
                 "response.body.output.@message.content.@refusal.refusal"),
        failed=("error", "response.body.error"),
    ),
    ReplyFormat(
        "vlmevalkit", "VLMEvalKit: MODEL_DATA.xlsx",
        "open-compass/VLMEvalKit, ms-vlmeval 0.0.20, vlmeval/inference.py",
        marks=("index", "question", "answer", "prediction", "A"),
        id=("id",), place=("index",), question=("question",), key=("answer",),
        replies=("prediction",),
    ),
    ReplyFormat(
        "audio-flamingo", "Audio Flamingo 3: outputs_TASK.jsonl",
        "NVIDIA/audio-flamingo@1337fb9d, llava/eval/eval_audio_bench.py",
        marks=("id", "question", "gt_answer", "pred"),
        question=("question",), key=("gt_answer",), clip=("id",), replies=("pred",),
    ),
    ReplyFormat(
        "kimi-audio-evalkit", "Kimi-Audio-Evalkit: MODEL_DATA.jsonl",
        "MoonshotAI/Kimi-Audio-Evalkit@4080c492",
        marks=("index", "audio_path", "prediction", "real_prompt"),
        place=("index",), question=("question",), key=("answer",),
        clip=("audio_path.0", "audio_path"), replies=("prediction",), nothing=("null",),
    ),
    ReplyFormat(
        "mimo-audio-eval", "MiMo-Audio-Eval: predictions_rank_N.json",
        "XiaomiMiMo/MiMo-Audio-Eval@d64df78e",
        marks=("uid", "response"), texts=("response",),
        id=("id", "uid"), question=("question",), options=_OPTIONS, key=("answer",), clip=_CLIPS,
        replies=("response",),
    ),
    ReplyFormat(
        "audiobench", "AudioBench: log_for_all_models/MODEL/DATA.json",
        "AudioLLMs/AudioBench@e991641d",
        marks=("task_type", "model_prediction"),
        question=("instruction", "question"), options=_OPTIONS, key=("reference", "answer"),
        replies=("model_prediction",),
    ),
    ReplyFormat(
        "audiobench-scores", "AudioBench: DATA_METRIC_score.json (its details are a part)",
        "AudioLLMs/AudioBench@e991641d",
        marks=("question", "reference", "model_prediction"),
        question=("question",), options=_OPTIONS, key=("reference",), replies=("model_prediction",),
    ),
    ReplyFormat(
        "cot-faithfulness", "Measuring Faithfulness of CoT in LALMs: baseline_MODEL_DATA.jsonl",
        "lovenya/Measuring-Faithfulness-of-CoT-Reasoning-LALMs@e4cee03c",
        marks=("chain_id", "correct_choice", "generated_cot"),
        id=("id",), question=("question",), options=("choices",), key=("correct_choice",),
        replies=("generated_cot",), repeat=("chain_id",),
    ),
    ReplyFormat(
        "midashenglm", "MiDashengLM-Spatial, --out_file: pred.jsonl",
        "xiaomi-research/midashenglm-spatial@fbfeed7e, infer.py",
        marks=("key", "task", "prompt", "model_output"), texts=("model_output",),
        id=("key",), question=("question",), options=("choices",), key=("answer",),
        replies=("model_output",),
    ),
    ReplyFormat(
        "nemo-skills", "NeMo-Skills: output.jsonl, output-rsN.jsonl",
        "NVIDIA-NeMo/Skills@0aa29b38, nemo_skills/dataset",
        marks=("problem", "generation"), texts=("problem",),
        id=("id",), question=("question", "problem"), options=("choices", "options"),
        key=("expected_answer",), clip=("audio_path.0", "audio_path"), replies=("generation",),
    ),
    ReplyFormat(
        ROWS, "rows with id or question, and a reply",
        id=("id", "question_id", "uid", "uuid", "sample_id"), place=("index", "idx"),
        question=_PROMPTS, options=_OPTIONS, key=_KEYS, clip=_CLIPS,
        replies=("answer_prediction", "model_output", "model_prediction", "prediction", "pred",
                 "response", "reply", "output"),
        settled=False, reasoning=("thinking_prediction",), finish=("finish", "finish_reason"),
        repeat=("repeat", "epoch", "chain"),
    ),
)  # fmt: skip
"""What ``--from`` knows; of several that recognise a row the first is meant."""


def format_called(name: str) -> ReplyFormat:
    """The format of a name. Raises `InputError` where there is none."""
    known = {each.name: each for each in FORMATS}
    if name not in known:
        hint = did_you_mean(name, [AUTO, PUBLISHED, *known])
        raise InputError(said("error-choice", name="--from", value=name, hint=hint))
    return known[name]


def recognise(row: Mapping[str, Any]) -> ReplyFormat | None:
    """The format of a row; None for none that is known."""
    return next((each for each in FORMATS if each.recognises(row)), None)


def reach(row: Any, place: str) -> Any:
    """Return the value at a place of a row; None for nothing, and for a number that is none."""
    value = row
    for step in place.split("."):
        value = _step(value, step)
        if value is None:
            return None
    return None if isinstance(value, float) and math.isnan(value) else value


_LISTED = {
    "@user": ("role", "user"), "@message": ("type", "message"), "@refusal": ("type", "refusal"),
}  # fmt: skip


def _step(value: Any, step: str) -> Any:
    if isinstance(value, Mapping):
        return value.get(step)
    if not isinstance(value, list):
        return None
    if step in _LISTED:
        name, wanted = _LISTED[step]
        fit = [each for each in value if isinstance(each, Mapping) and each.get(name) == wanted]
        return fit[-1] if fit else None
    if step.isdecimal() and int(step) < len(value):
        return value[int(step)]
    return None


def first_of(row: Any, places: Sequence[str]) -> Any:
    """Return the value at the first of some places that holds any; None for nothing."""
    return next((each for place in places if (each := reach(row, place)) is not None), None)


def text_of(value: Any) -> str | None:
    """A text, or the text of a message's parts; None for what is none."""
    if isinstance(value, str):
        return value
    if isinstance(value, list) and value:
        if all(isinstance(part, str) for part in value):
            return value[0] if len(value) == 1 else None
        parts = [part.get("text") for part in value if isinstance(part, Mapping)]
        texts = [part for part in parts if isinstance(part, str)]
        return "\n".join(texts) if texts else None
    return None
