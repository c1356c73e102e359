"""From facts about pieces to questions with three kinds of distractors, without textual clues.

Every statement serves as a right answer, as a related distractor and as an unrelated one, so
that its words say nothing about its truth: which of the two related options is right can only
be heard.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from zhiyin.music.stimuli.dice import Dice

_WORDS = Path(__file__).with_name("small_words.json")

NEUTRAL = (
    "contour",
    "motion",
    "mode",
    "cadence",
    "articulation",
    "dynamics",
    "sections",
    "return",
    "entry",
    "handover",
)
"""Aspects that unrelated options are about: they are dealt out whatever the style, so that the
true one of the two gives no hint at the answer."""

_TOPIC_WEIGHT, _VALUE_WEIGHT = 1.5, 0.5
"""How much a topic that a clip has already, and a value that is asked about often, count against
an aspect, in questions about it."""

Facts = Mapping[str, str]


class Aspect(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Something to ask about.

    Attributes
    ----------
    labels : tuple
        The labels for ``music_knowledge`` and for ``music_reasoning``.
    topics : tuple of str
        Unrelated options share none of these.
    stems : tuple of str
        Ways to ask.
    values : dict
        The statement for each value; other values fill the `template`.
    template : str or None
    """

    labels: tuple[tuple[str, ...], tuple[str, ...]]
    topics: tuple[str, ...]
    stems: tuple[str, ...]
    values: dict[str, str] = {}
    template: str | None = None

    def statement(self, value: str) -> str:
        """The statement that the aspect has this value."""
        if value in self.values or self.template is None:
            return self.values[value]
        statement = self.template.format(value)
        # "an oboe", not "a oboe".
        return statement.replace(" a ", " an ", 1) if value[0] in "aeo" else statement


class Asked(msgspec.Struct, frozen=True):
    """A question: on which clip (by its index), about which aspect, in which words.

    `options` are the right answer and the distractors IR, CU and IU; `claims` says of each
    which aspect has which value in it.
    """

    clip: int
    aspect: str
    stem: str
    options: tuple[str, str, str, str]
    claims: tuple[tuple[str, str], ...]
    labels: tuple[tuple[str, ...], tuple[str, ...]]


@lru_cache(maxsize=1)
def aspects() -> dict[str, Aspect]:
    """Every aspect by name, in the order of the paper's dimensions."""
    return msgspec.json.decode(_WORDS.read_bytes(), type=dict[str, Aspect])


def draw_questions(facts: Sequence[Facts], seed: int, per_clip: int) -> list[Asked]:
    """Questions about pieces.

    Aspects are asked about equally often as far as the pieces have them, and within an aspect
    the values; each false value stands as often as a distractor as it is right elsewhere, as
    far as that can be.

    Parameters
    ----------
    facts : sequence of dict
        Value by aspect, for each piece.
    seed : int
    per_clip : int
        Questions on each piece, at least 1.

    Returns
    -------
    list of Asked
        Those of the first piece, then those of the second, and so on.
    """
    chosen = _chosen(facts, seed, per_clip)
    surplus = Counter((aspect, facts[clip][aspect]) for clip, aspect in chosen)
    unrelated: Counter[tuple[str, str, bool]] = Counter()
    asked = [
        _ask(clip, aspect, facts, surplus, unrelated, Dice(seed, "question", number))
        for number, (clip, aspect) in enumerate(chosen)
    ]
    return sorted(asked, key=lambda question: question.clip)


def _chosen(facts: Sequence[Facts], seed: int, per_clip: int) -> list[tuple[int, str]]:
    """Which aspects are asked about on which clips: one more for every clip in each round."""
    counts: Counter[str] = Counter()
    values: Counter[tuple[str, str]] = Counter()
    topics: Counter[tuple[int, str]] = Counter()
    chosen: list[tuple[int, str]] = []
    for turn in range(per_clip):
        dice = Dice(seed, "aspects", turn)
        for clip in dice.shuffled(range(len(facts))):
            free = [a for a in aspects() if a in facts[clip] and (clip, a) not in chosen]

            def cost(aspect: str, clip: int = clip) -> float:
                known = sum(topics[clip, topic] for topic in aspects()[aspect].topics)
                often = _VALUE_WEIGHT * values[aspect, facts[clip][aspect]]
                return counts[aspect] + often + _TOPIC_WEIGHT * known

            aspect = min(dice.shuffled(free), key=cost)
            chosen.append((clip, aspect))
            counts[aspect] += 1
            values[aspect, facts[clip][aspect]] += 1
            topics.update((clip, topic) for topic in aspects()[aspect].topics)
    return chosen


def _ask(
    clip: int,
    name: str,
    facts: Sequence[Facts],
    surplus: Counter[tuple[str, str]],
    unrelated: Counter[tuple[str, str, bool]],
    dice: Dice,
) -> Asked:
    """One question. `surplus` and `unrelated` count the claims made so far, true and false."""
    aspect = aspects()[name]
    right = facts[clip][name]
    false = dice.shuffled(false_values(name, facts[clip], facts))
    related = max(false, key=lambda value: surplus[name, value])
    surplus[name, related] -= 1
    others = [
        other
        for other in NEUTRAL
        if other in facts[clip] and not set(aspects()[other].topics) & set(aspect.topics)
    ]
    claims = [(name, right), (name, related)]
    for truth in (True, False):
        taken = {other for other, _ in claims[2:]}
        candidates = [
            (other, value)
            for other in others
            if other not in taken
            for value in (
                [facts[clip][other]] if truth else false_values(other, facts[clip], facts)
            )
        ]
        # A claim that was offered more often as true than as false is due as a false one.
        claim = min(
            dice.shuffled(candidates),
            key=lambda c: unrelated[(*c, truth)] - unrelated[(*c, not truth)],
        )
        unrelated[(*claim, truth)] += 1
        claims.append(claim)
    return Asked(
        clip=clip,
        aspect=name,
        stem=dice.choice(aspect.stems),
        options=tuple(aspects()[a].statement(value) for a, value in claims),  # type: ignore[arg-type]
        claims=tuple(claims),
        labels=aspect.labels,
    )


def false_values(name: str, facts: Facts, every: Sequence[Facts]) -> list[str]:
    """The values of an aspect that are certainly false of a piece with these facts.

    Of an aspect without a list of values (keys, instruments) they are what other pieces have.
    A relative key shares all its notes with the right one and is left out.
    """
    aspect = aspects()[name]
    values = dict.fromkeys(other[name] for other in every if name in other)
    if aspect.template is None:
        values = dict.fromkeys(aspect.values)
    right = facts[name]
    return sorted(v for v in values if v != right and not (name == "key" and _relative(v, right)))


def _relative(one: str, other: str) -> bool:
    """Whether two keys have one signature."""
    from zhiyin.music.theory import parse_key

    return parse_key(one).fifths == parse_key(other).fifths
