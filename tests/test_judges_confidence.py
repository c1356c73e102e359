"""Confidence and whether it was deserved."""

import math

import pytest

from judge_help import choice
from zhiyin.judges.confidence import calibrate, confidence_of
from zhiyin.judges.report import confidence_lines
from zhiyin.record import Reply


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("A. Confidence: 80%", 0.8),
        ("A\nconfidence level is 0.35", 0.35),
        ("置信度：0.9", 0.9),
        ("我有把握约75%", 0.75),
        ("Confidence: 7/10", 0.7),
        ("Confidence: 95/100", 0.95),
        ("confidence: 60", 0.6),
        ("Confidence: 10% at first, then confidence: 70%", 0.7),
        ("Confidence: 1", 1.0),
        ("Confidence: 8", None),
        ("Confidence: 8 out of 10", 0.8),
        ("Confidence (1-10): 8", 0.8),
        ("Confidence (0-100): 8", 0.08),
        ("Confidence: 4/5", 0.8),
        ("confidence: 85 percent", 0.85),
        ("I am confident.", None),
        ("Confidence: 140%", None),
        ("confidence in the text", None),
    ],
)
def test_stated(text, confidence):
    found = confidence_of(Reply(text), "A")
    assert (found and found[0]) == confidence
    assert found is None or found[1] == "stated"


def test_log_probabilities_are_normalised_over_the_options():
    reply = Reply("A", logprobs={"A": math.log(0.3), "B": math.log(0.1)})
    assert confidence_of(reply, "A") == (pytest.approx(0.75), "log-probabilities")
    assert confidence_of(reply, "C") is None


def test_the_function_comes_first():
    reply = Reply("Confidence: 20%", logprobs={"A": 0.0}, detail={"confidence": 0.6})
    assert confidence_of(reply, "A") == (0.6, "function")


def test_calibration_by_hand():
    records = [
        choice("a", "Confidence: 80%", "correct"),
        choice("b", "Confidence: 80%", "wrong"),
        choice("c", "Confidence: 20%", "wrong"),
        choice("d", "sure", "wrong"),
        choice("e", "Confidence: 90%", "no_answer"),
        choice("f", "", "error"),
    ]
    found = calibrate(records)
    assert found.unknown == 1
    assert found.sources == {"stated": 3}
    assert found.calibration.ece == pytest.approx((2 * 0.3 + 0.2) / 3)
    assert found.brier.score == pytest.approx((0.04 + 0.64 + 0.04) / 3)
    text = "\n".join(confidence_lines(found))
    assert "said 0.80  right 0.50 |##########          | n = 2" in text


@pytest.mark.parametrize(
    ("written", "shares"),
    [
        (["8", "6", "1"], [0.8, 0.6, 0.1]),
        (["8", "90", "0.9"], [0.08, 0.9, 0.9]),
        (["1", "0.4", "0"], [1.0, 0.4, 0.0]),
    ],
)
def test_a_number_is_read_on_the_scale_of_its_run(written, shares):
    records = [choice(n, f"A. Confidence: {n}", "correct") for n in written]
    found = calibrate(records)
    assert found.unknown == 0
    assert found.brier.score == pytest.approx(sum((1 - s) ** 2 for s in shares) / 3)


def test_nothing_known_is_nothing():
    assert calibrate([choice("a", "A", "correct")]) is None
    assert list(confidence_lines(None)) == []
