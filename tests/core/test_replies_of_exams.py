"""A reply of an exam counts in no share, and is right, wrong or without an answer all the same."""

import pytest

from findings_help import answered, choice, write_run
from zhiyin.record import Verdict
from zhiyin.runs.rows import rows_of

APART = {"right": {"right": 1.0, "answered": 1.0}, "wrong": {"right": 0.0, "answered": 1.0}}
APART["none"] = {"right": 0.0, "answered": 0.0}


@pytest.mark.parametrize(
    ("scores", "state"), [*zip(APART.values(), ("correct", "wrong", "no_answer"), strict=True)]
)
def test_the_state_of_a_reply_is_read_from_its_scores(scores, state):
    assert Verdict("ungraded", None, scores=scores).of_reply == state
    assert Verdict("error", None, scores=scores).of_reply == "error"
    assert Verdict("ungraded", None, scores={"written": 1.0}).of_reply == "ungraded"


def test_a_run_counts_its_replies_as_each_of_them_says(tmp_path):
    records = []
    for n, scores in enumerate([*APART.values(), APART["right"], {}]):
        record = answered(choice(f"q{n}"), "A")
        record.verdict = Verdict("ungraded", "A", "A", scores=scores)
        records.append(record)
    write_run(tmp_path / "run", "quiz", "m", records)
    rows = rows_of(tmp_path / "run")
    assert rows.outcomes() == {"ungraded": 5}
    told = {"correct": 2, "wrong": 1, "no_answer": 1, "ungraded": 1}
    assert rows.outcomes_of_replies() == told
