"""Conditions of questions about recordings: what is played, and which wrong answers are offered.

After Weck et al. 2024: the kinds of distractors of section 3.1, of which Figure 6(a)
offers some, and what is played in the place of a recording (section 5.2).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Literal, get_args

from zhiyin.errors import InputError, did_you_mean
from zhiyin.runs.ways import Way, Ways

Condition = Literal["true", "none", "silence", "noise", "swap"]
AUDIO: tuple[Condition, ...] = get_args(Condition)
"""What may be played: the track itself, nothing, digital silence, white noise, another track."""
KINDS = ("ir", "cu", "iu")
"""Distractors in the order of the data (section 3.1): incorrect but related, correct but
unrelated, incorrect and unrelated."""
EVERY, RIGHT = "all", "right"
"""All kinds together; what a file says in the place of a kind, of the right option."""
SOUND = Way("audio", plain="true", contrast="true", changes="sound")
"""What is played, as the tag of a trial says it."""
OFFERED = Way("distractors", plain=EVERY, changes="options")
"""Which distractors are offered."""
SHOTS = Way("shots", changes="examples")
"""How many worked examples stand before a question."""
TASK = Way("task", changes="task")
"""What is to be done: tables of statistics are made of each task."""
LISTENING_WAYS = Ways((SOUND, OFFERED, SHOTS))
"""The ways of questions about recordings."""
SETS = "sets of distractors: ir, cu, iu, any joined by +, or all"
"""What the flag takes."""


def kinds_of(distractors: str) -> tuple[str, ...]:
    """The kinds of a set of distractors, in the order of the data."""
    return KINDS if distractors == EVERY else tuple(distractors.split("+"))


def read_sets(words: Iterable[str]) -> tuple[str, ...]:
    """Sets of distractors by their one name, each once. Raises `InputError` for an unknown one."""
    return tuple(sorted({_distractors(word) for word in words}, key=_size_then_kind))


def _distractors(word: str) -> str:
    """The one name of a set: kinds in the order of the data, "all" for all three."""
    if word == EVERY:
        return EVERY
    named = {kind.strip() for kind in word.split("+")}
    for kind in sorted(named):
        if kind not in KINDS:
            raise InputError(f"--distractors {word!r}: {did_you_mean(kind, (*KINDS, EVERY))}")
    return EVERY if len(named) == len(KINDS) else "+".join(k for k in KINDS if k in named)


def condition_place(condition: tuple[str, str]) -> tuple[int, int, list[int]]:
    """Where a condition (what is played, distractors) stands in a table."""
    audio, distractors = condition
    place = AUDIO.index(audio) if audio in AUDIO else len(AUDIO)
    return (place, *_size_then_kind(distractors))


def _size_then_kind(distractors: str) -> tuple[int, list[int]]:
    kinds = kinds_of(distractors)
    return len(kinds), [KINDS.index(kind) for kind in kinds]
