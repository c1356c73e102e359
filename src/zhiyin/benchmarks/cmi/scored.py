"""A published reply with its verdict."""

from __future__ import annotations

import msgspec

from zhiyin.benchmarks.cmi.data import Clip
from zhiyin.benchmarks.cmi.measures import Item
from zhiyin.record import Verdict


class Scored(msgspec.Struct, frozen=True):
    """The clip, the reply to its question, and the verdict on the reply."""

    clip: Clip
    reply: str
    verdict: Verdict

    @property
    def item(self) -> Item:
        """As figures are computed from it."""
        return Item(self.clip.label, self.reply, self.clip.recording, self.verdict.scores)
