"""The questions that a run has an answer to on the first screen, from the facts of its standing."""

from __future__ import annotations

from typing import Literal

import msgspec

from zhiyin.report.conditions import ConditionGap
from zhiyin.report.findings import ALPHA
from zhiyin.report.standings import Lead, Standing
from zhiyin.statistics.parts import TOTAL
from zhiyin.statistics.scores import figure_name
from zhiyin.words import Said, Text, said

_LEAST_CLUSTERS = 5
"""Flips of no more clusters show nothing, however large the gap."""


class ShortAnswer(msgspec.Struct, frozen=True):
    """A word, and small what it rests on.

    Attributes
    ----------
    mood : {"good", "bad", "soft"}
    word : Text
    detail : Text or None
        A `str` is somebody's sentence, or a name.
    """

    mood: Literal["good", "bad", "soft"]
    word: Text
    detail: Text | None = None


def answers(own: Standing, unit: str) -> tuple[ShortAnswer, ...]:
    """Better than chance? Listening? Favours a letter? The whole benchmark?"""
    return (
        better_than_chance(own),
        is_listening(own),
        favours_a_letter(own),
        is_whole(own, unit),
    )


def better_than_chance(own: Standing) -> ShortAnswer:
    """Whether a run is better than guessing."""
    if own.guess == "free" or own.chance is None:
        return ShortAnswer("soft", "–" if own.by else said("short-free-answers"))
    chance = said("short-chance", chance=own.chance)
    if own.guess == "better":
        return ShortAnswer("good", said("short-yes"), chance)
    if own.guess == "worse":
        return ShortAnswer("bad", said("short-worse"), chance)
    return ShortAnswer("soft", said("short-not-shown"), chance)


def is_listening(own: Standing) -> ShortAnswer:
    """Whether its answers depend on the sound."""
    if failed := own.canary.get("sound"):
        detail = said("short-canary-right", right=failed.right, asked=failed.asked)
        return ShortAnswer("bad", said("short-canary-failed"), detail)
    if not own.listening:
        if own.heard:
            return ShortAnswer("soft", said("short-not-tested"))
        if own.elsewhere:
            return ShortAnswer("soft", said("short-not-known"), said("short-elsewhere"))
        return ShortAnswer("soft", said("short-no-sound"))
    if own.listening[0].way.changes == "medium":
        return ShortAnswer("soft", _reading_or_hearing(own.listening[0]))
    able = [gap for gap in own.listening if gap.gap.clusters > _LEAST_CLUSTERS]
    gaps = able or own.listening
    sure = [gap for gap in gaps if gap.p < ALPHA and gap.gap.mean > 0]
    every = len(sure) == len(gaps)
    shown = sure[0] if every else next(gap for gap in gaps if gap not in sure)
    detail = said("short-points-over", gap=shown.gap.mean, other=shown.second)
    if every:
        return ShortAnswer("good", said("short-yes"), detail)
    return ShortAnswer("soft", said("short-not-shown"), detail)


def _reading_or_hearing(one: ConditionGap) -> Said:
    if one.p >= ALPHA:
        return said("short-reading-hearing-open")
    if one.gap.mean > 0:
        return said("short-reads-better", gap=abs(one.gap.mean))
    return said("short-hears-better", gap=abs(one.gap.mean))


def favours_a_letter(own: Standing) -> ShortAnswer:
    """Whether it chooses a letter more often than the key has it."""
    liked = own.letter
    if liked is None:
        return ShortAnswer("soft", "–" if own.by else said("short-too-few"))
    shares = said("short-letter", letter=liked.letter, chosen=liked.chosen, keyed=liked.keyed)
    if liked.verdict == "always":
        return ShortAnswer("bad", said("short-always", letter=liked.letter), shares)
    if liked.verdict == "favours":
        return ShortAnswer("bad", said("short-yes"), shares)
    return ShortAnswer("soft", said("short-none-found"), shares)


def is_whole(own: Standing, unit: str) -> ShortAnswer:
    """Whether its figure is over the whole benchmark."""
    if own.extent == "other items":
        return ShortAnswer("soft", said("short-other-items"), own.apart)
    if own.set_otherwise:
        return ShortAnswer("soft", said("short-other-settings"), own.apart)
    if own.extent == "unknown":
        return ShortAnswer("soft", said("short-not-known"), said("short-asked", n=own.n, unit=unit))
    if own.extent == "whole":
        return ShortAnswer("good", said("short-yes"), said("short-all", n=own.n, unit=unit))
    word = said("short-in-part") if own.finished else said("short-unfinished")
    return ShortAnswer("soft", word, own.apart)


def without_figure(own: Standing) -> Said:
    """Why a run has no figure."""
    return said("without-figure", why=own.state, n=own.trials)


def figure_title(lead: Lead) -> Text:
    """The heading of the headline's figure."""
    if lead.figure == "accuracy":
        name: Text = said("report-right")
    elif lead.figure == TOTAL:
        name = said("report-total")
    else:
        name = figure_name(lead.figure).replace("_", " ")
    return said("report-of-figure", figure=name)
