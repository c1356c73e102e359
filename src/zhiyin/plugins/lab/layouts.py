"""Questions in the files of other harnesses, which hold the right answers as theirs do.

============  =====================================================================================
evalscope     EvalScope 1.14: ``default_val.jsonl`` for its general_vmcq, where an option is chosen;
              ``default_test.jsonl`` for its general_vqa, where the answer is free
vlmevalkit    VLMEvalKit 0.2 and its package ms-vlmeval 0.0.20: a TSV with pictures within
lmms-eval     lmms-eval 0.7: a task file, ``utils.py`` and the questions
openai-batch  the OpenAI Batch API: requests; no right answers, since these are sent
============  =====================================================================================

Where a harness composes prompts of its own, ours takes their place as far as it lets us.
"""

from __future__ import annotations

import base64
import csv
import io
import json
import re
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Literal, NamedTuple

import msgspec

from zhiyin.errors import InputError
from zhiyin.files import json_lines
from zhiyin.models.dialects import Dialect
from zhiyin.models.media import load_picture
from zhiyin.models.playback import load_clip
from zhiyin.models.replay import AskedQuestion
from zhiyin.plugins.local.batch_apis import OpenAIBatches, batch_line
from zhiyin.record import Sampling
from zhiyin.trial import Audio, Image, Message, Text
from zhiyin.words import said

OtherLayout = Literal["evalscope", "vlmevalkit", "lmms-eval", "openai-batch"]
PlaceOf = Callable[[Audio | Image], str]
"""Where a sound or a picture lies in the folder, once it is copied there."""


class QuestionToWrite(AskedQuestion, frozen=True):
    """A request with the question alone, the options as shown, and the right letters or words."""

    stem: str = ""
    options: tuple[tuple[str, str], ...] = ()
    right: tuple[str, ...] = ()


class HarnessFiles(NamedTuple):
    """Files for a harness by their names, how they are used, and whether they hold the key."""

    files: dict[str, bytes]
    use: str
    holds_key: bool = True


def harness_files(
    layout: OtherLayout, questions: Sequence[QuestionToWrite], name: str, place: PlaceOf
) -> HarnessFiles:
    """The files of a layout.

    Parameters
    ----------
    layout : str
    questions : sequence of QuestionToWrite
    name : str
        Of the benchmark.
    place : callable

    Raises
    ------
    InputError
        A question has no place in this layout.
    """
    return _LAYOUTS[layout](questions, re.sub(r"\W+", "_", name).strip("_"), place)


def _refuse(layout: OtherLayout, why: str) -> InputError:
    return InputError(said("layout-cannot", layout=layout, why=why))


def _asked(question: QuestionToWrite, layout: OtherLayout) -> tuple[str, Message]:
    """The system message and the one message of a user, which is all that these have room for."""
    messages = list(question.messages)
    system = messages.pop(0).text if messages[0].role == "system" else ""
    if len(messages) != 1:
        raise _refuse(layout, "a question is one message there, and this benchmark sends several")
    return system, messages[0]


def _one_right(question: QuestionToWrite, layout: OtherLayout) -> str:
    if len(question.right) != 1:
        what = "several right answers" if question.right else "no right answer"
        raise _refuse(layout, f"question {question.id} has {what}, and it wants one")
    return question.right[0]


# EvalScope


def _evalscope(questions: Sequence[QuestionToWrite], name: str, place: PlaceOf) -> HarnessFiles:
    chosen: list[dict[str, object]] = []
    free: list[dict[str, object]] = []
    systems = set[str]()
    for question in questions:
        system, message = _asked(question, "evalscope")
        text, media = _with_places(message, place)
        answer = _one_right(question, "evalscope")
        if question.options:
            systems.add(system)
            options = [words for _, words in question.options]
            row = {"id": question.id, "question": text, "options": options, "answer": answer}
            chosen.append(row | media)
            continue
        opening = [{"role": "system", "content": system}] if system else []
        asked = [*opening, {"role": "user", "content": text}]
        free.append({"id": question.id, "messages": asked, "answer": answer} | media)
    if len(systems) > 1:
        raise _refuse("evalscope", "it has one system message for all, and here there are several")
    files, commands = {}, []
    if chosen:
        files["default_val.jsonl"] = json_lines(chosen)
        own: dict[str, object] = {"local_path": ".", "prompt_template": "{question}"}
        if system := systems.pop():
            own["system_prompt"] = system
        commands.append(_evalscope_command("general_vmcq", own))
    if free:
        files["default_test.jsonl"] = json_lines(free)
        own = {"local_path": ".", "subset_list": ["default"]}
        commands.append(_evalscope_command("general_vqa", own))
    return HarnessFiles(files, "\n".join(commands))


def _evalscope_command(data: str, settings: dict[str, object]) -> str:
    arguments = json.dumps({data: settings}, ensure_ascii=False).replace("'", "'\\''")
    return f"evalscope eval --model MODEL --datasets {data} --dataset-args '{arguments}'"


def _with_places(message: Message, place: PlaceOf) -> tuple[str, dict[str, object]]:
    """The text with ``<audio 1>`` where sound stands, and the columns that name the files."""
    texts: list[str] = []
    media: dict[str, object] = {}
    for part in message.parts:
        if isinstance(part, Text):
            texts.append(part.text)
            continue
        kind = "image" if isinstance(part, Image) else "audio"
        number = 1 + sum(column.startswith(kind) for column in media)
        media[f"{kind}_{number}"] = place(part)
        texts.append(f"<{kind} {number}>")
    return "\n\n".join(texts), media


# VLMEvalKit


def _vlmevalkit(questions: Sequence[QuestionToWrite], name: str, place: PlaceOf) -> HarnessFiles:
    """Its own prompt, of question and options; ours in the question's place where more is said."""
    asked = [(question, *_asked(question, "vlmevalkit")) for question in questions]
    if any(isinstance(part, Audio) for _, _, message in asked for part in message.parts):
        raise _refuse("vlmevalkit", "it knows pictures and words, and this benchmark plays sound")
    letters = sorted({letter for question in questions for letter, _ in question.options})
    plain = _is_frame(questions)
    pictures = any(isinstance(part, Image) for _, _, message in asked for part in message.parts)
    columns = ["index", "id", "question", *letters, "answer", *(["image"] * pictures)]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, delimiter="\t", lineterminator="\n", restval="")
    writer.writeheader()
    for number, (question, system, message) in enumerate(asked):
        whole = "\n\n".join(filter(None, (system, message.text)))
        row = {
            "index": number, "id": question.id, "question": question.stem if plain else whole,
            "answer": _one_right(question, "vlmevalkit"), **dict(question.options),
        }  # fmt: skip
        shown = [_base64(part) for part in message.parts if isinstance(part, Image)]
        if pictures and not shown:
            raise _refuse("vlmevalkit", "there a picture belongs to every question, or to none")
        if shown:
            row["image"] = shown[0] if len(shown) == 1 else json.dumps(shown)
        writer.writerow(row)
    file = f"zhiyin_{name}.tsv"
    use = f"LMUData=$PWD python run.py --data zhiyin_{name} --model MODEL"
    return HarnessFiles({file: out.getvalue().encode()}, use)


def _base64(picture: Image) -> str:
    return base64.b64encode(load_picture(picture).data).decode()


def _is_frame(questions: Sequence[QuestionToWrite]) -> bool:
    """Tell whether prompts say nothing of a question but its words and its options.

    What is left without these is the same for all questions with as many options. A prompt that
    also holds notes in letters, say, differs.
    """
    left: dict[int, set[str]] = {}
    for question in questions:
        text = "\n\n".join(message.text for message in question.messages)
        for words in (question.stem, *(words for _, words in question.options)):
            text = text.replace(words, "", 1)
        left.setdefault(len(question.options), set()).add(text)
    return all(len(texts) == 1 for texts in left.values())


# lmms-eval


_MOST_TOKENS = 1024


def _lmms_eval(questions: Sequence[QuestionToWrite], name: str, place: PlaceOf) -> HarnessFiles:
    rows = []
    for question in questions:
        system, message = _asked(question, "lmms-eval")
        media = [place(part) for part in message.parts if not isinstance(part, Text)]
        rows.append({
            "id": question.id,
            "prompt": "\n\n".join(filter(None, (system, message.text))),
            "options": [words for _, words in question.options],
            "answer": _one_right(question, "lmms-eval"),
            "media": media,
        })  # fmt: skip
    sampling = questions[0].sampling if questions else Sampling()
    task = Path(__file__).with_name("lmms_task.yaml.txt").read_text("utf-8").format(
        name=name, count=len(rows), tokens=sampling.max_tokens or _MOST_TOKENS,
        temperature=sampling.temperature or 0, drawn=str(bool(sampling.temperature)).lower(),
    )  # fmt: skip
    files = {
        "trials.jsonl": json_lines(rows),
        f"zhiyin_{name}.yaml": task.encode(),
        "utils.py": Path(__file__).with_name("lmms_task.py").read_bytes(),
    }
    use = f"python -m lmms_eval --model MODEL --include_path . --tasks zhiyin_{name} --log_samples"
    return HarnessFiles(files, use)


# The OpenAI Batch API


_USE_BATCH = """sed -i 's/"model":"MODEL"/"model":"gpt-audio"/' batch-*.jsonl"""


def _openai_batch(questions: Sequence[QuestionToWrite], name: str, place: PlaceOf) -> HarnessFiles:
    """Write as `cost.batch_apis` does, without a model, which is named when it is known."""
    parts: list[list[bytes]] = [[]]
    size = 0
    for question in questions:
        dialect = Dialect()
        media = _media(question, dialect)
        length = dialect.lengths[-1]
        body = dialect.request("MODEL", question.messages, media, question.sampling, length)
        line = batch_line(question.id, dialect.path, msgspec.json.encode(body))
        full = len(parts[-1]) == OpenAIBatches.most or size + len(line) > OpenAIBatches.size
        if parts[-1] and full:
            parts.append([])
            size = 0
        parts[-1].append(line)
        size += len(line)
    names = [f"batch-{number:03}.jsonl" for number in range(1, len(parts) + 1)]
    files = {
        file: b"".join(line + b"\n" for line in own) for file, own in zip(names, parts, strict=True)
    }
    return HarnessFiles(files, _USE_BATCH, holds_key=False)


def _media(question: QuestionToWrite, dialect: Dialect) -> Iterator[msgspec.Raw]:
    for message in question.messages:
        for part in message.parts:
            if isinstance(part, Audio):
                yield msgspec.Raw(b"".join(dialect.sound(load_clip(part))))
            elif isinstance(part, Image):
                yield msgspec.Raw(b"".join(dialect.picture(load_picture(part))))


_LAYOUTS: dict[str, Callable[[Sequence[Any], str, PlaceOf], HarnessFiles]] = {
    "evalscope": _evalscope,
    "vlmevalkit": _vlmevalkit,
    "lmms-eval": _lmms_eval,
    "openai-batch": _openai_batch,
}
