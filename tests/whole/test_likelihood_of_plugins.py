"""Options scored by log-probability, beside the reply: what is asked, chosen, logged and shown."""

import pytest

from questions_help import jsonl
from zhiyin.cli import main


@pytest.fixture
def questions(tmp_path):
    rows = (
        {"id": f"q{n}", "question": "Is it a fugue?", "options": ["a fugue", "a march"],
         "answer": "a march"} for n in range(4)
    )  # fmt: skip
    return jsonl(tmp_path / "questions.jsonl", *rows)


@pytest.mark.parametrize("model", ["random", "listener"])
def test_who_gives_no_numbers_is_refused_before_the_run(model, tmp_path, questions, capsys):
    order = ["run", str(questions), "-m", model, "--out", str(tmp_path / "run")]
    assert main([*order, "--score", "loglikelihood"]) == 2
    assert "gives no log-probabilities" in capsys.readouterr().err
    assert not (tmp_path / "run").exists()
