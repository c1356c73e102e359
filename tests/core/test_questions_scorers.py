"""Scorers of free answers, by hand."""

import pytest

from zhiyin.benchmarks.questions.scoring import open_scorer


# Metrics ----------------------------------------------------------------------------------------
def graded(spec, value, accepted):
    scorer, bound = open_scorer(spec)
    return scorer.grade(value, accepted, bound)


def test_scores_of_lists_and_signs():
    found = graded("set-f1:0.8", "a, b", ["a", "b", "c", "d"])
    assert not found.right
    assert found.scores == {"f1": pytest.approx(2 / 3), "precision": 1.0, "recall": 0.5}
    assert graded("set-f1:0.6", "a, b", ["a", "b", "c", "d"]).right
    assert graded("set-f1:0.5", "a", ["a", "b", "c"]).right
    assert graded("exact", "F#", ["F♯"]).right
    assert not graded("exact", "F", ["F♯"]).right
