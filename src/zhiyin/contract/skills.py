"""Skills: what the trials of benchmarks show, in words that all benchmarks share."""

from __future__ import annotations

from typing import Literal, get_args

Skill = Literal[
    "knowledge", "theory", "reading", "pitch", "rhythm", "harmony", "timbre", "form", "mood",
    "reasoning", "writing",
]  # fmt: skip
SKILLS: tuple[Skill, ...] = get_args(Skill)
HEARD: frozenset[Skill] = frozenset(("pitch", "rhythm", "harmony", "timbre", "form", "mood"))
"""Those that are shown by listening."""


def title_of(skill: Skill) -> str:
    """A skill for people: "hearing pitch", "knowledge"."""
    return f"hearing {skill}" if skill in HEARD else skill
