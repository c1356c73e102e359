"""MuChoMusic: what does an audio model understand of a recording, and does it listen at all?

Questions with four options about real tracks. `docs/benchmarks/muchomusic.md` is its page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from zhiyin.plugins import Command

if TYPE_CHECKING:
    from zhiyin.reader.policy import Policy

COMMANDS = {
    "attention": Command(
        "does the model answer worse when it does not hear the music?",
        "zhiyin.benchmarks.muchomusic.attention_command",
    )
}


def policies() -> tuple[Policy, ...]:
    """Its rules of reading."""
    from zhiyin.benchmarks.muchomusic.reading import POLICIES

    return POLICIES


POLICIES = {"muchomusic": policies}
