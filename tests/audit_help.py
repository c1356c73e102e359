"""Runs whose replies are read by the real reader, for the tests of audits."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

from report_help import write_run
from zhiyin.contract.policies import open_policy
from zhiyin.engine.scoring import judge_choice
from zhiyin.record import Exchange, Record, Reply, Turn
from zhiyin.trial import Option, Trial, say

TEXTS = ("Piano", "Violin", "Drums", "Flute")
OPTIONS = tuple(Option(c, text, c) for c, text in zip("ABCD", TEXTS, strict=True))
SAID: tuple[tuple[str, str | None], ...] = (
    ("The answer is B.", "B"),
    ("A", "A"),
    ("It is not A, not B and not D.", "C"),
    ("The recording features a violin throughout.", "B"),
    ("Both the piano and the drums are possible.", None),
    ("I cannot answer this question.", None),
)
"""Replies, and what a careful person takes from them."""


def trial(number: int, cluster: str | None = None) -> Trial:
    stem = f"Which instrument plays in clip {number}?"
    return Trial(
        f"clip/{number}",
        (say("user", stem),),
        stem,
        OPTIONS,
        "ABCD"[number % 4],
        ("clip",),
        cluster,
    )


def record(
    number: int, text: str, policy: str = "robust", cluster: str | None = None, again: str = ""
) -> Record:
    """A record whose verdict is the real reader's."""
    asked = trial(number, cluster)
    turns = (Turn(Reply(text)), *([Turn(Reply(again), (), "confirm")] if again else []))
    exchange = Exchange(turns)
    return Record(asked.id, judge_choice(asked, exchange, open_policy(policy)), asked, exchange)


def text_of(number: int) -> str:
    return SAID[number % len(SAID)][0]


def a_run(
    folder: Path, n: int = 120, text: Callable[[int], str] = text_of, policy: str = "robust"
) -> Path:
    """A run of `n` replies."""
    return write_run(folder, "model", [record(i, text(i), policy) for i in range(n)])


def mark_of(text: str) -> str:
    """What a careful person would write down."""
    return next((mark or "none") for said, mark in SAID if said == text)
