"""Asking so that the published scoring script can read an obedient reply."""

from __future__ import annotations

from zhiyin.contract.protocols import Protocol

WORDS = Protocol(
    name="mmar-words",
    summary="options as published, the words of one asked for, read by the published string match",
    source="the scoring script; how models were asked is not released with it",
    sets={
        "audio": "true",
        "order": "published",
        "prompts": None,
        "extract": "string-match",
    },
    differs=("the prompts of the published models are their own and are not repeated",),
)
PROTOCOLS = (WORDS,)
