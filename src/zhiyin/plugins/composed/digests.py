"""The digest of what is asked, wherever its sounds and pictures lie."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable

import msgspec

from zhiyin.trial import Text, Trial


def digest_of(prompts: bytes, trials: Iterable[Trial]) -> str:
    """SHA-256 over prompts, questions, answers and all that is sent; not over files' places.

    For benchmarks whose sounds and pictures lie in the cache of each machine: see
    `Benchmark.fingerprint`.
    """
    total = hashlib.sha256(prompts)
    for trial in trials:
        sent = [
            part.text if isinstance(part, Text) else part.sha256
            for message in trial.messages
            for part in message.parts
        ]
        total.update(msgspec.json.encode((trial.id, trial.options, trial.target, sent)))
    return total.hexdigest()
