"""Whence the replies of a run are: asked in it, or kept ones of an earlier run, and by which model.

A kept reply says in the log which run asked for it (`cost.usage.KEPT_BY`), so that two runs that
hold one and the same reply can be told from two that were given the same words twice.
"""

from __future__ import annotations

import mmap
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec

from zhiyin.cost.usage import UNKNOWN
from zhiyin.engine.folder import find_log, gather
from zhiyin.engine.log import Manifest
from zhiyin.numerals import counted

_MOST_NAMED = 4


class KeptDetail(msgspec.Struct, gc=False):
    """As much of a reply's detail as says whence it is. What adapters write may be anything."""

    cached: bool = False
    kept_by: Any = None
    kept_at: Any = None
    model: Any = None
    secrets_hidden: Any = None

    @property
    def earlier(self) -> bool:
        """Whether an earlier run asked for it. Logs of earlier versions do not say which one."""
        return self.cached and self.kept_by != ""


class Origins:
    """Counts whence the replies of a run are.

    Attributes
    ----------
    replies, earlier, hidden : int
        All; those that an earlier run asked for; those in which a key was hidden.
    models : Counter
        By the names that the server gave in its replies.
    """

    def __init__(self) -> None:
        self.replies = self.earlier = self.hidden = 0
        self.models: Counter[str] = Counter()
        self._days: set[str] = set()

    def add(self, details: Sequence[KeptDetail | None]) -> None:
        """Count some replies."""
        self.replies += len(details)
        for detail in filter(None, details):
            if isinstance(detail.model, str):
                self.models[detail.model] += 1
            self.hidden += bool(detail.secrets_hidden)
            if detail.earlier:
                self.earlier += 1
                self._days.add(detail.kept_at[:10] if isinstance(detail.kept_at, str) else "")

    def as_summary(self) -> dict[str, Any]:
        """``n``, ``earlier`` (of an earlier run), ``since`` and ``until`` (the days on which those
        were asked, None where that is not known), ``models`` (name -> replies), ``hidden``.
        """
        known = sorted(filter(None, self._days))
        return {
            "n": self.replies,
            "earlier": self.earlier,
            "since": known[0] if known else None,
            "until": known[-1] if known else None,
            "models": dict(self.models.most_common()),
            "hidden": self.hidden,
        }

    def lines(self) -> list[str]:
        """What a reader of the figures has to know of it, a sentence each."""
        lines = []
        if self.earlier:
            days = sorted(filter(None, self._days))
            when = ""
            if days and "" not in self._days:
                when = f" (asked on {' – '.join(dict.fromkeys((days[0], days[-1])))})"
            lines.append(
                f"{self.earlier:,} of {counted(self.replies, 'reply', 'replies')} "
                f"{'is' if self.earlier == 1 else 'are'} of an earlier run, from the cache{when}: "
                "they do not say what is served now"
            )
        if len(self.models) > 1:
            named = [f"{n:,} of {model}" for model, n in self.models.most_common(_MOST_NAMED)]
            more = len(self.models) - len(named)
            named += [f"{more} more"] if more else []
            lines.append(
                f"the replies are of {len(self.models)} models, as the server names them "
                f"({', '.join(named)}): the figures are of none of them alone"
            )
        if self.hidden:
            lines.append(
                f"{counted(self.hidden, 'reply', 'replies')} held a key that was sent with the "
                "request: it is hidden in the log"
            )
        return lines


class _BriefReply(msgspec.Struct, gc=False):
    detail: KeptDetail | None = None


class _BriefTurn(msgspec.Struct, gc=False):
    reply: _BriefReply


class _Exchange(msgspec.Struct, gc=False):
    turns: tuple[_BriefTurn, ...] = ()


class _Record(msgspec.Struct, gc=False):
    id: str
    exchange: _Exchange = msgspec.field(default_factory=_Exchange)


def _kept(folder: Path) -> tuple[Origins, dict[str, str]]:
    """Whence the replies of a run are; and of each trial whose last reply an earlier run asked for,
    the id of that run. Both are empty where nothing was kept, which is seen without decoding.
    """
    with find_log(folder).open("rb") as log:
        try:
            with mmap.mmap(log.fileno(), 0, access=mmap.ACCESS_READ) as content:
                if content.find(b'"cached":true') < 0:
                    return Origins(), {}
        except ValueError:  # nothing has been logged
            return Origins(), {}

    def made(records: Iterator[_Record]) -> tuple[Origins, dict[str, str]]:
        origins, by_trial = Origins(), {}
        for record in records:
            details = [turn.reply.detail for turn in record.exchange.turns]
            origins.add(details)
            if details and (last := details[-1]) and last.earlier:
                by_trial[record.id] = str(last.kept_by or UNKNOWN)
        return origins, by_trial

    return gather(folder, _Record, made)[0]


def kept_lines(
    names: Sequence[str], folders: Sequence[Path], manifests: Sequence[Manifest]
) -> Iterator[tuple[tuple[int, ...], str]]:
    """What to say beside several runs of kept replies: whose runs hold them, and which the same.

    Parameters
    ----------
    names : sequence of str
        What the runs are called.
    folders : sequence of Path
    manifests : sequence of Manifest

    Yields
    ------
    tuple of int, str
        The numbers of the run or of the two runs of which it is said, and the sentence.
    """
    kept = [_kept(folder) for folder in folders]
    for number, (origins, _) in enumerate(kept):
        if origins.earlier:
            yield (number,), f"{names[number]}: {origins.lines()[0]}"
    for a, b in combinations(range(len(names)), 2):
        if same := _same((manifests[a].id, kept[a][1]), (manifests[b].id, kept[b][1])):
            replies = counted(same, "reply", "replies")
            was = "that was" if same == 1 else "that were"
            yield (
                (a, b),
                f"{names[a]} and {names[b]} have {replies} in common {was} asked only once, and "
                "kept: for these they are no two independent measurements",
            )


_Run = tuple[str, Mapping[str, str]]
"""The id of a run, and of its trials with kept replies the ids of the runs that asked for them."""


def _same(one: _Run, other: _Run) -> int:
    """How many trials of two runs have one and the same reply as their last."""
    (first, kept), (second, theirs) = one, other
    same = sum(run == theirs.get(id, second) for id, run in kept.items() if run != UNKNOWN)
    return same + sum(run == first for id, run in theirs.items() if id not in kept)
