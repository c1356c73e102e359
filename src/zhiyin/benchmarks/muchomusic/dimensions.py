"""The two categories and thirteen dimensions of the paper, and the groups that a question is in."""

from __future__ import annotations

import re
from collections.abc import Sequence

from zhiyin.contract.declared import Skill

PANELS = ("knowledge", "reasoning")
"""The groups of the two categories."""
KNOWLEDGE = (
    "melody",
    "harmony",
    "metre and rhythm",
    "instrumentation",
    "sound texture",
    "performance",
    "structure",
)
REASONING = (
    "mood and expression",
    "temporal relations between elements",
    "interpretation of lyrics",
    "genre and style",
    "historical and cultural context",
    "functional context",
)
"""Section 3.1, in the paper's order and words."""
SKILLS: dict[str, Skill] = {
    "knowledge/melody": "pitch",
    "knowledge/harmony": "harmony",
    "knowledge/metre_and_rhythm": "rhythm",
    "knowledge/instrumentation": "timbre",
    "knowledge/sound_texture": "timbre",
    "knowledge/structure": "form",
    "reasoning": "reasoning",
    "reasoning/mood_and_expression": "mood",
    "reasoning/historical_and_cultural_context": "knowledge",
}
"""What questions of a group show; a question in several groups shows several skills."""

_WORDS = {"lyrics": "interpretation of lyrics", "dynamics and expression": "performance"}
"""The data has one label more than the paper: dynamics and expression, which the published code
draws under performance. We count a question with either once under performance, and keep each
label's own group below it."""


def dimension_of(label: str) -> str:
    """The paper's name of a label in the data; an unknown label goes by its own name."""
    folded = " ".join(label.lower().split())
    return _WORDS.get(folded, folded)


def is_known(category: str, label: str) -> bool:
    """Whether the paper has the label's dimension in `category` (knowledge or reasoning)."""
    return dimension_of(label) in (KNOWLEDGE if category == "knowledge" else REASONING)


def slug(name: str) -> str:
    """`name` in lower case with an underscore for whatever is neither letter nor digit."""
    return re.sub(r"[\W_]+", "_", name.lower()).strip("_") or "unnamed"


def groups_of(
    knowledge: Sequence[str], reasoning: Sequence[str], genre: str | None, dataset: str
) -> tuple[str, ...]:
    """The names under which a question is counted, from the widest to the narrowest.

    Parameters
    ----------
    knowledge, reasoning : sequence of str
        Labels as in the data; a question may have several of both.
    genre : str or None
    dataset : str

    Returns
    -------
    tuple of str
        ``knowledge``, ``knowledge/melody``, ..., ``genre/hip_hop``, ``source/sdd``.
    """
    groups: dict[str, None] = {}
    for category, labels in (("knowledge", knowledge), ("reasoning", reasoning)):
        for label in labels:
            dimension = dimension_of(label)
            groups[category] = None
            groups[f"{category}/{slug(dimension)}"] = None
            if category == "knowledge" and dimension == "performance":
                groups[f"{category}/performance/{slug(label)}"] = None
    if genre:
        groups[f"genre/{slug(genre)}"] = None
    groups[f"source/{slug(dataset)}"] = None
    return tuple(groups)
