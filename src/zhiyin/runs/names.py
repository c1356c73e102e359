"""Names as numbers: of trials, items, clusters and questions, the same in every process."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Sequence
from hashlib import blake2b

import msgspec

from zhiyin.runs.lean import HeardTrial
from zhiyin.statistics.scores import ALONE


def question_of(trial: HeardTrial, encoder: msgspec.json.Encoder) -> bytes:
    """A name for what a trial asks, 8 bytes: see `RunTable.question`."""
    if trial.target is None:
        return bytes(8)  # `ALONE`
    parts = trial.messages[-1].parts if trial.messages else ()
    sounds = [part.sha256 for part in parts if part.sha256]
    options = sorted([(option.key, option.text) for option in trial.options])
    asked = encoder.encode((trial.stem, options, trial.target, sounds))
    return blake2b(asked, digest_size=8).digest()


def names_of(texts: Iterable[str]) -> tuple[int, ...]:
    """Names as numbers: 8 bytes of BLAKE2b, the same in every process."""
    digests = [blake2b(t.encode("utf-8", "surrogatepass"), digest_size=8).digest() for t in texts]
    return struct.unpack(f"<{len(digests)}q", b"".join(digests))


def clusters_of(names: Sequence[str | None]) -> list[int]:
    """The numbers of clusters, of which most items of a run share some."""
    known = dict.fromkeys(name for name in names if name is not None)
    numbers = dict(zip(known, names_of(known), strict=True))
    return [ALONE if name is None else numbers[name] for name in names]
