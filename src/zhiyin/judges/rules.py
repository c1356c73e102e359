"""By which rules reviews are judged and scored: Zhiyin's own, or those of the released code."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec

from zhiyin.contract.protocols import Protocol
from zhiyin.errors import InputError, did_you_mean
from zhiyin.judges import novelty, rubric
from zhiyin.judges.rubric import Rubric

RELEASED = "reaction-released"
SOURCE = "github.com/karroyan/ReactionEvalBenchmark, commits 8bd7791 and 281dd5f"


class Rules(msgspec.Struct, frozen=True):
    """How grades become figures.

    Attributes
    ----------
    name : str
        The protocol's.
    rubric : Rubric
        Of completeness.
    novelty_most : float
        The score of novelty that counts as 1.
    pooled : bool
        Precision over the claims of all songs together; else the mean over songs.
    """

    name: str
    rubric: Rubric
    novelty_most: float
    pooled: bool

    @property
    def most(self) -> dict[str, float]:
        """The highest score of each aspect."""
        return {
            "completeness": self.rubric.total,
            "precision": 1.0,
            "novelty": self.novelty_most,
        }


OURS = Rules("ours", rubric.OURS, novelty.TOTAL, pooled=True)
AS_RELEASED = Rules(RELEASED, rubric.RELEASED, novelty.MOST["novelty"], pooled=False)
_RULES = {rules.name: rules for rules in (OURS, AS_RELEASED)}


def rules_of(protocol: str | None) -> Rules:
    """The rules of a protocol, ours for None. Raises `InputError` for an unknown one."""
    name = protocol or OURS.name
    if name not in _RULES:
        raise InputError(f"unknown --protocol {name!r}: {did_you_mean(name, _RULES)}")
    return _RULES[name]


class _Judging(Protocol, frozen=True):
    """A protocol of judges, whose temperature may be "own": each aspect's."""

    def departures(self, options: Mapping[str, Any], sampling: Mapping[str, Any]) -> list[str]:
        """As `Protocol.departures`."""
        own = {"temperature": options.get("temperature", "own")}
        return super().departures(options, {**sampling, **own})


JUDGING = _Judging(
    RELEASED,
    "the released rubric, precision by song and by all claims, novelty from its 0 to 4 part",
    SOURCE,
    {
        "aspects": (None, "completeness,precision,novelty"),
        "language": "zh",
        "draws": 1,
        "temperature": "own",
        "top_p": 0.95,
        "max_tokens": 4096,
        "no_heard": True,
    },
    (
        "a judgement that failed or cannot be read is missing, with bounds, and not 0 points",
        "a total above 16, a share above 100 % or a part above its most is unreadable",
        "the text stands between marks, and one that speaks to its judge is flagged, where the "
        "prompts are ours",
    ),
    "a clone of karroyan/ReactionEvalBenchmark",
)
ASKING = Protocol(
    RELEASED,
    "answers read as released, reviews of those songs alone that have details",
    SOURCE,
    {"extract": "flexible", "language": "zh", "reviews": "details", "shots": (None, "0")},
    (
        "no file name is sent, which tells the song",
        "what is asked is in our own words, for there each model brings its own",
        "questions on missing recordings are named",
    ),
)
