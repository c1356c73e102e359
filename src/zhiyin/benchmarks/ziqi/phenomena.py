"""The three types of models of the paper's section 6.1, decided by what the replies are like.

The paper describes the types and gives no rule. Ours, on the judged questions of generation:

relatively good appreciation
    The 95 % interval of the accuracy lies above chance.
lack of melodic understanding
    It does not, and most replies evade the question or give a letter without any analysis, or
    one letter makes up half of the answers (of ChatGLM2-6B's, up to 60 % were A).
limited appreciation
    It does not, although most replies analyse the music.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Literal

import msgspec

from zhiyin.record import State

Kind = Literal[
    "I, lack of melodic understanding",
    "II, limited appreciation",
    "III, relatively good appreciation",
    "undecided",
]
CHANCE, LEAST, HALF = 0.25, 30, 0.5
"""Chance level; the fewest replies that decide a type; what makes "most"."""
ANALYSIS = 15
"""Chinese characters and words of other languages beyond which a reply is more than its answer."""

_UNITS = re.compile(r"[\u3400-\u9fff]|[^\W\d_\u3400-\u9fff]{2,}")


class Phenomena(msgspec.Struct, frozen=True):
    """What the replies to questions of generation are like.

    Attributes
    ----------
    n, answered : int
        Judged trials; those with a readable answer.
    accuracy, low, high : float
        With its 95 % interval, in [0, 1].
    evasive, analysing : float
        Shares of all replies: without an answer and saying that there is no telling, or refused;
        with more than `ANALYSIS` words.
    letter : str
        The letter chosen most often, "" where none was chosen; `share` is its share of the
        answers.
    kind : str
        The type.
    """

    n: int
    answered: int
    accuracy: float
    low: float
    high: float
    evasive: float
    analysing: float
    letter: str
    share: float
    kind: Kind


class Reply(msgspec.Struct, frozen=True):
    """What of a judged record decides the type."""

    right: bool
    letter: str | None
    evasive: bool
    analysing: bool
    cluster: str


def reply_of(text: str, state: State, letter: str | None, cluster: str) -> Reply:
    """What is kept of a judged record: of its last reply and its verdict."""
    evasive = state == "refused" or (state == "no_answer" and _evades(text))
    analysing = not evasive and len(_UNITS.findall(text)) > ANALYSIS
    return Reply(state == "correct", letter, evasive, analysing, cluster)


def _evades(text: str) -> bool:
    from zhiyin.reader.refusal import evasion_in

    return evasion_in(text) is not None


def describe(replies: Iterable[Reply]) -> Phenomena | None:
    """Figures and type; None where there are no replies."""
    from zhiyin.statistics.intervals import interval

    judged = list(replies)
    if not judged:
        return None
    score = interval([float(r.right) for r in judged], [r.cluster for r in judged])
    letters = Counter(r.letter for r in judged if r.letter is not None)
    letter, most = next(iter(letters.most_common(1)), ("", 0))
    answered = letters.total()
    evasive = sum(r.evasive for r in judged) / len(judged)
    analysing = sum(r.analysing for r in judged) / len(judged)
    share = most / answered if answered else 0.0
    kind: Kind = "II, limited appreciation"
    if len(judged) < LEAST:
        kind = "undecided"
    elif score.low > CHANCE:
        kind = "III, relatively good appreciation"
    elif analysing < HALF or share >= HALF:
        kind = "I, lack of melodic understanding"
    return Phenomena(
        len(judged),
        answered,
        score.mean,
        score.low,
        score.high,
        evasive,
        analysing,
        letter,
        share,
        kind,
    )
