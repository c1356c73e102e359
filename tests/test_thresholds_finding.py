"""The first sentence of a hearing page, and its data: no figure beyond what was asked."""

import pytest

from zhiyin.plugins.composed.psychometric import ThresholdAnswer, fit
from zhiyin.plugins.composed.thresholds.figures import _finding, _row
from zhiyin.plugins.composed.thresholds.results import DimensionResult
from zhiyin.plugins.music.hearing.dimensions import BY_NAME
from zhiyin.words import say


def result(name, right, n=24):
    """Answers to the levels in turn, of which those that `right` names are right."""
    dimension = BY_NAME[name]
    levels = dimension.ladder.levels
    answers = []
    for i in range(n):
        level, later = levels[i % len(levels)], i % 2 == 0
        answers.append(ThresholdAnswer(level, later, later if right(i, level) else not later))
    return DimensionResult(
        dimension, "two-interval", n, answers, fit(dimension.ladder, "two-interval", answers)
    )


def test_the_first_sentence_has_figures_units_and_people():
    always = lambda i, level: True  # noqa: E731
    told = _finding("m", [result("loudness", always), result("pitch", always)], few=True)
    dimension = BY_NAME["loudness"]
    assert say(told) == (
        "m hears finer differences than people in loudness (better than 0.2 dB; people: 0.5 to 1);"
        " has no sure published figure of people beside it in pitch (better than 2.4 cents)."
    )
    assert dimension.people is not None
    assert "响度（优于 0.2 dB；人：0.5 至 1）" in say(told, "zh")


@pytest.mark.parametrize("name", ["loudness", "pitch", "gap", "chord-in-noise"])
def test_nothing_is_printed_beyond_the_levels_that_were_asked(name):
    levels = BY_NAME[name].ladder.levels
    low, high = min(levels), max(levels)
    for right in (lambda i, level: True, lambda i, level: i % 3 > 0, lambda i, level: i % 4 < 2):
        own = result(name, right)
        figures = [cell for cell in _row("m", own)[3:6] if cell is not None]
        assert all(low <= one <= high for one in figures)
    easy = result(name, lambda i, level: True)
    beyond = [easy.threshold.estimate, easy.threshold.lower, easy.threshold.upper]
    assert any(not low <= one <= high for one in beyond)  # what was fitted lies there
