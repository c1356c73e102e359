"""What a benchmark declares: settings, headline, published rows, and faults of its code."""

import argparse
import re
from typing import Annotated

import msgspec
import pytest

from conftest import REPOSITORY
from howto_help import Desk
from zhiyin.contract import Benchmark
from zhiyin.contract.options import add_flags
from zhiyin.flags import Flag

pytestmark = pytest.mark.slow


def test_the_help_of_a_switch_may_hold_a_percent_sign():
    class Settings(msgspec.Struct, frozen=True):
        half: Annotated[bool, Flag("take 50% of it")] = False

    parser = argparse.ArgumentParser()
    add_flags(parser, Settings)
    assert "50% of it" in parser.format_help()


CODE = """
import msgspec
from pathlib import Path
from zhiyin.contract import Benchmark, Drawn, Headline, Published, Reference
from zhiyin.engine.scoring import judge_choice
from zhiyin.trial import Option, Trial, say

class Heard(Benchmark):
    name = "heard"
    headline = Headline(group="low", metric="score", score="closeness")
    titles = {"low": "low tones"}

    def trials(self):
        for n in range(12):
            group = "low" if n < 6 else "high"
            options = (Option("A", "one", "1"), Option("B", "two", "2"))
            yield Trial(f"t{n}", (say("user", "one or two?"),), f"q{n}", options,
                        str(1 + n % 2), (group,))

    def score(self, trial, exchange):
        verdict = judge_choice(trial, exchange, self.policy)
        verdict.scores = {"closeness": 0.75 if verdict.state == "correct" else 0.25}
        return verdict

    @classmethod
    def published(cls):
        rows = {"people": {"low": {"closeness": 0.9}, "all": {"accuracy": 0.8}}}
        return Reference("Heard", "invented for this test", rows, {"people": "human"})

    @classmethod
    def expected(cls):
        return Published("this test", "questions", {"all": 12, "low": 6, "high": 6})
"""


@pytest.fixture
def desk(tmp_path):
    (tmp_path / "heard.py").write_text(CODE, "utf-8")
    return Desk(tmp_path, tmp_path / "cache")


def test_trials_that_fail_on_a_later_pass_are_one_line_and_lose_nothing(desk, tmp_path):
    words = ("run", "heard.py:Heard", "-m", "first", "--out", "run", "--quiet", "--concurrency", 1)
    log, had, failed = tmp_path / "run" / "records.jsonl", [], 0
    for passes in range(1, 20):
        faulty = CODE.replace(
            "    def trials(self):\n",
            "    passed = 0\n"
            "    def trials(self):\n"
            "        Heard.passed += 1\n"
            f"        torn = Heard.passed == {passes}{' ' * passes}\n",
        ).replace(
            "            group =",
            "            if torn and n == 7: raise KeyError('torn')\n            group =",
        )
        (tmp_path / "heard.py").write_text(faulty, "utf-8")
        done = desk.run(*words)
        assert "Traceback" not in done.stderr
        kept = log.read_text("utf-8").splitlines() if log.exists() else []
        assert kept[: len(had)] == had
        had = kept
        if done.returncode == 0:
            break
        assert done.returncode == 2
        assert done.stderr.count("\n") == 1
        assert "in trials: KeyError: 'torn'" in done.stderr
        failed += 1
    assert failed >= 3  # counting, fingerprint, asking
    assert len(had) == 12


def test_faulty_tables_and_figures_are_one_line(desk, tmp_path):
    pytest.importorskip("matplotlib")
    more = """
    @classmethod
    def {}(cls, {}):
        return [1 / 0]
"""
    (tmp_path / "heard.py").write_text(CODE + more.format("details", "folder"), "utf-8")
    told = desk("run", "heard.py:Heard", "-m", "first", "--out", "older", "--quiet")
    assert "takes 2 positional arguments but 3 were given" in " ".join(told.split())
    (tmp_path / "heard.py").write_text(CODE + more.format("details", "rows, manifest"), "utf-8")
    told = desk("run", "heard.py:Heard", "-m", "first", "--out", "tables", "--quiet")
    assert "further tables cannot be made" in told
    assert "ZeroDivisionError" in told
    desk("report", "tables", "--benchmark", "heard.py:Heard", "--out", "r")  # the run is whole
    page = (tmp_path / "r" / "index.html").read_text("utf-8")
    assert "further tables cannot be made" in page
    assert "ZeroDivisionError" in page
    (tmp_path / "heard.py").write_text(CODE + more.format("figures", "given") + "\n", "utf-8")
    desk("run", "heard.py:Heard", "-m", "first", "--out", "figures", "--quiet")
    done = desk.run("report", "figures", "--benchmark", "heard.py:Heard", "--out", "f")
    assert "without figures: benchmark 'heard'" in done.stdout + done.stderr
    assert "in figures: ZeroDivisionError" in done.stdout + done.stderr


def test_published_counts_beside_a_module_are_found(tmp_path, monkeypatch):
    """A benchmark in a file of its own declares what was published by a file beside it."""
    import sys

    from zhiyin.contract.declared import published_beside

    (tmp_path / "made_counts.py").write_text("")
    monkeypatch.syspath_prepend(tmp_path)
    __import__("made_counts")
    assert published_beside("made_counts") is None
    text = '{"source": "made", "unit": "questions", "counts": {"all": 3}}'
    (tmp_path / "published_counts.json").write_text(text)
    found = published_beside("made_counts")
    assert found is not None
    assert found.counts == {"all": 3}
    assert published_beside("no_such_module") is None
    del sys.modules["made_counts"]


def test_the_page_names_every_member_in_the_groups_of_the_class():
    page = (REPOSITORY / "docs" / "how-to" / "add-a-benchmark.md").read_text("utf-8")
    part = page.partition("## All that a class may say")[2].partition("\n## ")[0]
    tables = re.split(r"^\| ([a-z ]+) \| \|$", part, flags=re.M)[1:]
    shown = {
        title.capitalize(): set(
            re.findall(r"`(\w+)`", " ".join(re.findall(r"^\| (.*?) \|", own, re.M)))
        )
        for title, own in zip(tables[::2], tables[1::2], strict=True)
    }
    source = (REPOSITORY / "src/zhiyin/contract/benchmark.py").read_text("utf-8")
    body = source.partition("\nclass Benchmark(")[2].partition("\n\n\ndef ")[0]
    titles = re.split(r"^    # ([A-Z][a-z ]+)$", body, flags=re.M)[1:]
    member = r"^    (?:(?:async )?def )?(\w+)(?::|\()"
    found = {
        title: {
            name
            for name in re.findall(member, own, re.M)
            if name in vars(Benchmark) or name == "name"
        }
        for title, own in zip(titles[::2], titles[1::2], strict=True)
    }
    for own in found.values():
        own -= {"__init__", "__init_subclass__", "_encoded"}
    assert shown == found
