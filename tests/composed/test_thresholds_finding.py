"""The first sentence of a hearing page, and its data: no figure beyond what was asked."""

import pytest

from zhiyin.cli import main
from zhiyin.plugins.composed.thresholds.results import DimensionResult, _finding, _row
from zhiyin.plugins.music.hearing import BY_NAME
from zhiyin.plugins.music.psychometric import ThresholdAnswer, fit
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


def test_the_first_sentence_says_where_people_hear_less():
    always = lambda i, level: True  # noqa: E731
    told = _finding("m", [result("loudness", always), result("pitch", always)])
    assert say(told) == (
        "m hears finer differences than people in loudness;"
        " cannot be held against people, whose threshold is not known, in pitch."
    )
    assert "人更小的差异：响度" in say(told, "zh")


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


@pytest.mark.slow
@pytest.mark.parametrize("procedure", ["quest", "constant"])
def test_where_nothing_is_right_or_wrong_no_check_asks_how_it_was_read(tmp_path, procedure):
    run = tmp_path / "heard"
    asked = ["thresholds", "--dimension", "gap", "--most", "12", "--procedure", procedure]
    assert main(["run", *asked, "-m", "random", "--out", str(run), "--quiet"]) == 0
    assert main(["report", str(run), "--out", str(tmp_path / "r.html"), "--no-audio"]) == 0
    page = (tmp_path / "r.html").read_text("utf-8")
    assert "The whole benchmark?" in page
    assert "Does it listen?" in page
    for question in ("Readable?", "One answer to all?"):
        assert (question in page) == (procedure == "constant")
