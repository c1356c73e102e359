"""What is asked before the first trial, and what is shown, is in the estimate and in the bill."""

import json

import pytest
from test_pictures import draw

from paying import PayServer, write_prices
from questions_help import jsonl, tone
from said_help import texts
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records


@pytest.fixture(autouse=True)
def _own_folders(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    monkeypatch.setenv("ZHIYIN_PRICES", str(tmp_path / "prices"))


@pytest.fixture
def heard(tmp_path):
    rows = [
        {"id": f"q{n}", "question": "Which?", "A": "do", "B": "re", "answer": "A",
         "audio": tone(tmp_path / f"tone{n}.wav", 300 + 50 * n, 1.0).name}
        for n in range(4)
    ]  # fmt: skip
    return jsonl(tmp_path / "mine.jsonl", *rows)


@pytest.fixture
def shown(tmp_path):
    rows = [
        {"id": f"q{n}", "question": "Which " + "clef " * n + "?", "A": "do", "B": "re",
         "answer": "A", "image": draw(tmp_path / f"score{n}.png", (40 + n, 30)).name}
        for n in range(16)
    ]  # fmt: skip
    return jsonl(tmp_path / "mine.jsonl", *rows)


def told(capsys, *words):
    capsys.readouterr()
    main([*map(str, words), "--json"])
    return json.loads(capsys.readouterr().out)


@pytest.mark.slow
def test_the_canary_is_in_the_estimate_and_in_the_bill(heard, tmp_path, capsys):
    with PayServer() as server:
        write_prices(tmp_path / "prices", server.spec, audio_tokens=32)
        run = ("run", heard, "-m", server.spec, "--max-tokens", 1, "--cache", 7)
        run += ("--out", tmp_path / "run")
        found = told(capsys, *run, "--dry-run")
        assert (found["asked"], found["canary"], server.calls) == (4, 8, 0)
        main([*map(str, run), "--quiet"])
        assert server.calls == 12
        assert found["sound"] == server.used["sound"], "exact"
        assert found["usd"] == pytest.approx(server.usd, rel=0.05)
        cost = told(capsys, "show", tmp_path / "run")["cost"]
        assert (cost["calls"], cost["canary"]) == (12, 8)
        assert cost["usd"] == pytest.approx(server.usd)
        assert "8 of them the canary's" in cost["lines"][0]
        right = sum(r.verdict.state == "correct" for r in read_records(tmp_path / "run"))
        paid = sum(r.exchange.final.usage["total_tokens"] for r in read_records(tmp_path / "run"))
        assert cost["tokens_per_right"] == pytest.approx(paid / right), "of the trials alone"
        # A whole run asks nothing; another one takes all from the cache, but for the canary: it
        # says what hears now.
        assert told(capsys, *run, "--dry-run")["canary"] == 0
        other = told(capsys, *run[:-1], tmp_path / "other", "--dry-run")
        assert (other["canary"], other["cached"], other["asked"]) == (8, 4, 0)
        before = server.usd
        main([*map(str, run[:-1]), str(tmp_path / "other"), "--quiet"])
        assert server.calls == 20
        assert other["usd"] == pytest.approx(server.usd - before, rel=0.05)
        cost = told(capsys, "show", tmp_path / "other")["cost"]
        assert (cost["calls"], cost["canary"], cost["cached"]) == (8, 8, 4)
        assert cost["usd"] == pytest.approx(server.usd - before)


def test_no_canary_is_estimated_where_none_is_asked(heard, tmp_path, capsys):
    with PayServer() as server:
        run = ("run", heard, "-m", server.spec, "--dry-run")
        assert told(capsys, *run, "--no-canary")["canary"] == 0
        main([*map(str, run)])
        assert "before them" in capsys.readouterr().out


@pytest.mark.slow
def test_a_budget_smaller_than_the_canary_stops_in_one_line_and_goes_on(heard, tmp_path, capsys):
    with PayServer() as server:
        run = ("run", heard, "-m", server.spec, "--out", tmp_path / "run", "--quiet")
        run = (*map(str, run), "--cache", "off", "--concurrency", "1")
        assert main([*run, "--budget", "3calls"]) == 1
        assert server.calls == 3
        printed = capsys.readouterr()
        assert "the budget of 3 calls is spent" in printed.out
        assert "Traceback" not in printed.err
        assert main([*run, "--budget", "3calls"]) == 1
        assert server.calls == 3, "what the canary took is remembered"
        assert main([*run, "--budget", "100calls"]) == 0
        assert server.calls == 3 + 8 + 4
        cost = told(capsys, "show", tmp_path / "run")["cost"]
        assert (cost["calls"], cost["canary"]) == (15, 11)


@pytest.mark.slow
def test_a_budget_remembers_the_canary_of_earlier_sessions(heard, tmp_path):
    with PayServer() as server:
        run = ("run", heard, "-m", server.spec, "--out", tmp_path / "run", "--quiet")
        run = (*map(str, run), "--cache", "off", "--concurrency", "1")
        assert main([*run, "--budget", "10calls"]) == 1
        assert main([*run, "--budget", "11calls"]) == 1
        assert server.calls == 11


@pytest.mark.slow
def test_a_canary_of_an_earlier_version_has_no_bill(heard, tmp_path, capsys):
    with PayServer() as server:
        main(["run", str(heard), "-m", server.spec, "--out", str(tmp_path / "run"), "--quiet"])
        manifest = json.loads((tmp_path / "run" / "run.json").read_bytes())
        for damage in (None, {"paid": 3}, []):
            manifest["canary"]["sound"]["used"] = damage
            (tmp_path / "run" / "run.json").write_text(json.dumps(manifest))
            assert told(capsys, "show", tmp_path / "run")["cost"]["calls"] == 4


@pytest.mark.slow
def test_what_counts_words_does_not_count_pictures(shown, tmp_path, capsys):
    with PayServer() as server:
        write_prices(tmp_path / "prices", server.spec)
        run = ("run", shown, "-m", server.spec, "--no-canary", "--out", tmp_path / "run")
        found = told(capsys, *run, "--dry-run")
        assert server.counted == 16
        assert found["input"] > 16 * 800
        assert any("pictures are a guess" in remark for remark in texts(found["remarks"]))
        main([*map(str, run), "--limit", "10", "--quiet"])
        before, sent = server.usd, server.used["input"]
        found = told(capsys, *run, "--dry-run")
        assert found["input_from"].endswith("pictures as in the replies of this run")
        main([*map(str, run), "--quiet"])
        assert found["usd"] == pytest.approx(server.usd - before, rel=0.05)
        assert found["input"] == pytest.approx(server.used["input"] - sent, rel=0.02)


def test_only_conversations_that_go_on_are_said_to(heard, tmp_path, capsys):
    with PayServer() as server:
        run = ("run", heard, "-m", server.spec, "--dry-run", "--no-canary")
        assert not any("conversation" in remark for remark in texts(told(capsys, *run)["remarks"]))
        more = texts(told(capsys, *run, "--confirm")["remarks"])
        assert any("may take several calls" in remark for remark in more)


def test_the_manifest_holds_what_each_call_of_the_canary_used(heard, tmp_path):
    with PayServer() as server:
        main(["run", str(heard), "-m", server.spec, "--out", str(tmp_path / "run"), "--quiet"])
    used = read_manifest(tmp_path / "run").canary["sound"]["used"]
    assert used["begun"] == len(used["paid"]) == 8
    assert sum(one["seconds"] for one in used["paid"]) > 8
