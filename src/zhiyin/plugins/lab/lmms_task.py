"""The functions of a task of lmms-eval: copied as ``utils.py`` beside its questions.

It stands alone, so that it runs where Zhiyin is not installed: what lmms-eval needs is enough.
"""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
_LETTER = re.compile(
    r"\W*(?:(?:the )?(?:final )?answer(?: is)?\W+)?\(?([A-Z])\b(?:[).:]|\W*$)", re.I
)


def doc_to_visual(doc: dict[str, Any]) -> list[Any]:
    """The sounds and pictures of a question, in their order: arrays of samples, and images."""
    return [_medium(HERE / place) for place in doc["media"]]


def _medium(path: Path) -> Any:
    if path.suffix.lower() in (".png", ".jpg", ".jpeg", ".webp", ".gif"):
        from PIL import Image

        return Image.open(path).convert("RGB")
    import soundfile

    samples, rate = soundfile.read(path, dtype="float32", always_2d=True)
    return {"array": samples.mean(axis=1), "sampling_rate": rate}


def doc_to_text(doc: dict[str, Any], lmms_eval_specific_kwargs: Any = None) -> str:
    """The prompt, as it is asked everywhere."""
    return str(doc["prompt"])


def process_results(doc: dict[str, Any], results: list[str]) -> dict[str, float]:
    """1 where a reply begins with the right letter, or is the right answer word for word.

    A plain rule, for a first look: what it cannot read is no right answer here. ``--log_samples``
    keeps the replies, and ``zhiyin`` reads them as it reads all others.
    """
    reply = results[0].strip()
    if doc["options"]:
        found = _LETTER.match(reply)
        return {"accuracy": float(bool(found) and found[1].upper() == doc["answer"])}  # type: ignore[index]
    return {"accuracy": float(reply.casefold().rstrip(".") == str(doc["answer"]).casefold())}
