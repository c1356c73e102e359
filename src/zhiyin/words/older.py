"""What runs of before hold as sentences: the only place where a program looks at one."""

from __future__ import annotations

_GRAVE = (
    "of an earlier run, from the cache",
    "models, as the server names them",
    "held a key that was sent",
    "replies are not kept",
    "requests had expired",
    "batches are worked on",
    "mend it and run again",
    "lines repeat a trial",
    "answers were not asked for",
)


def is_grave(remark: str) -> bool:
    """Whether a sentence of a run that was made before remarks had kinds says "stop"."""
    return any(words in remark for words in _GRAVE)
