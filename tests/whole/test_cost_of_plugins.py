"""What a run costs: estimated before, bounded while it goes, and told afterwards."""

import json

import pytest
import test_cost
from test_cost import show, told, zhiyin

import muchomusic_help
from conftest import REPOSITORY
from paying import PRICES, PayServer, write_prices
from servers import ChatServer

pytestmark = pytest.mark.slow


_own_folders = test_cost._own_folders


def test_sound_is_priced_exactly_by_the_minute_and_by_tokens(tmp_path, capsys):
    muchomusic_help.make_data(tmp_path / "clips")
    with PayServer(lambda text: "A") as server:
        write_prices(tmp_path / "prices", server.spec, minute=0.06, audio_tokens=32)
        run = ("run", "muchomusic", "--data", tmp_path / "clips", "-m", server.spec, "--no-canary")
        _, found = told(capsys, *run, "--dry-run", "--out", tmp_path / "run")
        zhiyin(*run, "--out", tmp_path / "run", "--quiet")
        assert server.used["sound"] > 0
        assert round(found["sound"]) == server.used["sound"]
        assert round(found["input"]) == server.used["input"]
        cost = json.loads(show(capsys, tmp_path / "run"))["cost"]
        assert found["seconds"] == pytest.approx(cost["seconds"], abs=0.01)
        came = server.used["output"] * PRICES["output"] / 1e6
        minutes = cost["seconds"] / 60 * 0.06
        assert cost["usd"] == pytest.approx(server.usd + minutes, rel=1e-9)
        sent = found["usd"] - found["output"] * PRICES["output"] / 1e6
        assert sent == pytest.approx(cost["usd"] - came, rel=1e-5)


def test_the_rate_of_sound_is_learned_from_replies(tmp_path, capsys):
    muchomusic_help.make_data(tmp_path / "clips")
    with PayServer(lambda text: "A", counts=False) as server:
        write_prices(tmp_path / "prices", server.spec)
        run = ("run", "muchomusic", "--data", tmp_path / "clips", "-m", server.spec, "--no-canary")
        run += ("--out", tmp_path / "run")
        zhiyin(*run, "--limit", 3, "--quiet")
        before = server.used["sound"]
        _, found = told(capsys, *run, "--dry-run")
        zhiyin(*run, "--quiet")
        assert round(found["sound"]) == server.used["sound"] - before > 0


def test_a_judge_keeps_to_a_budget_too(tmp_path, capsys):
    import shutil

    from judge_help import judge_answer

    shutil.copytree(REPOSITORY / "tests" / "data" / "appraisal_small", tmp_path / "appraisal")
    with ChatServer(lambda call: "A calm song in a minor key.") as reviewer:
        zhiyin("run", "appraisal", "--data", tmp_path / "appraisal", "-m", reviewer.spec,
               "--out", tmp_path / "reviews", "--quiet")  # fmt: skip
    with ChatServer(judge_answer) as server:
        judge = ("judge", tmp_path / "reviews", "-m", server.spec, "--quiet")
        zhiyin(*judge, "--budget", "1calls")
        assert server.calls == 1
        assert "is spent" in capsys.readouterr().out + json.dumps(
            [json.loads(p.read_text())["sessions"] for p in tmp_path.rglob("judge*/run.json")]
        )
        assert zhiyin(*judge) == 0
