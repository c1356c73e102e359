"""The canary: whoever hears passes, whoever does not is told of, and the odds are as stated."""

from __future__ import annotations

import pytest
import test_canary
from test_canary import two_runs

from questions_help import Says, run
from zhiyin import Capabilities
from zhiyin.cli import main
from zhiyin.models import open_model
from zhiyin.session.canary import ASKED, wants_canary

pytestmark = pytest.mark.slow


questions = test_canary.questions


def test_a_failed_canary_marks_the_name_wherever_it_stands(tmp_path, questions, capsys) -> None:
    runs = two_runs(tmp_path, questions)
    whom = "deaf ✗"
    capsys.readouterr()
    assert main(["show", str(runs[0])]) == 0
    assert whom in capsys.readouterr().out
    assert main(["compare", *map(str, runs)]) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert whom in said
    assert "the canary failed" in said
    assert "hears ✗" not in said
    assert main(["leaderboard", str(tmp_path / "runs"), "-o", str(tmp_path / "board")]) == 0
    told = " ".join(capsys.readouterr().out.split())
    assert f"{whom} [a]" in told
    assert "[a] the canary failed" in told
    page = (tmp_path / "board" / "index.html").read_text()
    assert 'deaf<span class="bad"> ✗</span>' in page
    assert '<p class="note bad"><sup>a</sup> the canary failed' in page
    assert "hears ✗" not in page


def test_who_is_asked(tmp_path, questions) -> None:
    (tmp_path / "mine.py").write_text("def plain(messages):\n    return 'B'\n")
    (tmp_path / "answers.jsonl").write_text('{"id": "q", "text": "B"}\n')
    for spec in ("random", "listener", f"replay:{tmp_path}/answers.jsonl"):
        assert not wants_canary(open_model(spec), "sound")
    assert not wants_canary(open_model(f"python:{tmp_path}/mine.py:plain"), "sound")
    assert wants_canary(open_model("http://localhost:1/v1#m"), "sound")
    hears = Says("A")
    hears.capabilities = Capabilities(sound=True)
    assert wants_canary(hears, "sound")
    assert not wants_canary(hears, "image")
    summary, _ = run(questions, hears, tmp_path / "run")
    assert hears.asked == 4 + ASKED
    assert summary.canary["sound"]["state"] == "failed"
