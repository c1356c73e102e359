"""Ban and yan: the strong beat, which is struck with the clapper, and the weak ones after it."""

from __future__ import annotations

from zhiyin.benchmarks.exercises.exercise import Exercise, Level, line, square
from zhiyin.music.stimuli.dice import Dice

METRES = {"ban": (1, 0), "yiyan": (1, 1), "sanyan": (1, 3), "zengban": (2, 6)}
"""Ban and yan of a bar: ban without yan (1/4), one ban one yan (2/4), one ban three yan (4/4), and
that with a ban added (8/4)."""
BEATS = ("ban", "touyan", "zhongyan", "moyan")
"""The four beats of one ban three yan."""
_BARS = {"easy": (2, 9), "default": (5, 30), "hard": (20, 90)}


def metre(level: Level, dice: Dice) -> Exercise | None:
    """How many beats some bars of a banyan have."""
    kinds = list(METRES)
    bars = dice.whole(*_BARS[level])

    def answer(kind: str) -> str:
        return str(sum(METRES[kind]) * bars)

    def mistake(right: int, other: int) -> str:
        return "one slower or faster" if abs(right - other) == 1 else "several slower or faster"

    return line(
        dice, [answer(kind) for kind in kinds], mistake,
        lambda right: {"banyan": kinds[right], "bars": str(bars)},
    )  # fmt: skip


def beat(level: Level, dice: Dice) -> Exercise | None:
    """The beat at which a place of one ban three yan falls, counted from a ban."""
    number = dice.whole(*{"easy": (0, 2), "default": (2, 12), "hard": (10, 60)}[level])
    return line(dice, BEATS, "beat", lambda right: {"number": str(4 * number + right + 1)})


def count(level: Level, dice: Dice) -> Exercise | None:
    """How many ban, or yan, some bars have."""
    bars = dice.whole(*_BARS[level])
    # As it is; another banyan; ban for yan; both.
    ways = [("sanyan", "yan"), ("zengban", "yan"), ("sanyan", "ban"), ("zengban", "ban")]

    def answer(kind: str, what: str) -> str:
        return str(bars * METRES[kind][what == "yan"])

    return square(
        dice, [answer(*way) for way in ways], ("banyan", "ban and yan"),
        lambda right: {"banyan": ways[right][0], "what": ways[right][1], "bars": str(bars)},
    )  # fmt: skip
