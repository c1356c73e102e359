"""The benchmark's words: text files, any of which a folder of the user's may replace."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from zhiyin.errors import InputError, did_you_mean


@cache
def built_in() -> dict[str, str]:
    """The benchmark's own prompts, by name.

    ``TASK-STRATEGY-MODALITY`` are the system instructions, to the specification of supplementary
    section S2; ``TASK-question`` and ``TASK-transcribe`` follow the sounds of a trial, the latter
    in LogicLM; ``TASK-final`` is LogicLM's constrained last question.
    """
    folder = resources.files("zhiyin.benchmarks.perception") / "prompts"
    files = (file for file in folder.iterdir() if file.name.endswith(".txt"))
    return {file.name[: -len(".txt")]: file.read_text("utf-8").strip() for file in files}


def read_prompts(folder: str | None) -> dict[str, str]:
    """The prompts, those in `folder` (``NAME.txt``) in place of the built-in ones.

    Raises
    ------
    InputError
        For a folder that is not there or holds no prompts, a file that replaces none, an empty
        one, or one that is not UTF-8.
    """
    prompts = dict(built_in())
    if folder is None:
        return prompts
    files = sorted(Path(folder).glob("*.txt"))
    if not files:
        raise InputError(f"{folder}: no prompt files there; name them like chords-cot-audio.txt")
    for file in files:
        if file.stem not in prompts:
            raise InputError(f"{file}: replaces no prompt; {did_you_mean(file.stem, prompts)}")
        try:
            text = file.read_text("utf-8").strip()
        except (OSError, UnicodeDecodeError) as error:
            raise InputError(f"{file}: cannot be read as UTF-8 text ({error})") from None
        if not text:
            raise InputError(f"{file}: is empty; write the prompt, or remove the file")
        prompts[file.stem] = text
    return prompts
