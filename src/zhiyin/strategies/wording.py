"""The texts of what strategies ask beside a benchmark's own question, and their signature."""

from __future__ import annotations

import hashlib
import re
from functools import cache

from zhiyin.prompts import Prompts
from zhiyin.trial import Trial

_CHINESE = re.compile(r"[\u4e00-\u9fff]")


@cache
def prompts() -> dict[str, str]:
    """The texts in this package, by name."""
    return Prompts("zhiyin.strategies").texts


def language_of(trial: Trial) -> str:
    """The language of the question, the trial's last message: "zh" or "en"."""
    return "zh" if _CHINESE.search(trial.messages[-1].text) else "en"


def signature(name: str, version: int, prefix: str) -> str:
    """Version and wording of the texts that begin with the prefix, for a run's settings."""
    texts = "".join(text for key, text in sorted(prompts().items()) if key.startswith(prefix))
    return f"{name}@{version} {hashlib.sha256(texts.encode()).hexdigest()[:12]}"
