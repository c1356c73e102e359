"""Scorers of free answers, by hand."""

from zhiyin.benchmarks.questions.scoring import open_scorer, scorers


def test_scorers_by_name():
    assert set(scorers()) == {
        "exact", "normalised", "contains", "number", "regex", "set-f1", "edit", "wer", "cer",
        "notes", "yes-no", "judge",
    }  # fmt: skip
    for also, name in (("normalized", "normalised"), ("f1", "set-f1"), ("regexp", "regex"),
                       ("yes_no", "yes-no")):  # fmt: skip
        assert open_scorer(also)[0] is scorers()[name]
