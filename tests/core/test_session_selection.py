"""A pilot grows into the whole: first trials, random samples, and all."""

import asyncio
import json
import math
from collections import Counter
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Scripted, examine
from questions_help import many
from said_help import texts
from zhiyin import cli
from zhiyin.analysis.coverage import coverage_of
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.session.selection import Selection, drawn
from zhiyin.trial import Trial


@pytest.fixture
def zhiyin(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)

    def run(*flags, status=0):
        base = ["run", "questions", "--data", many(tmp_path / "q.jsonl"), "-m", "first", "--json"]
        assert cli.main([str(word) for word in (*base, *flags)]) == status
        out, err = capsys.readouterr()
        return json.loads(out) if status == 0 else err

    return run


def asked(folder):
    return [record.id for record in read_records(Path(folder))]


@pytest.mark.slow
def test_a_limited_run_grows_in_its_folder_and_asks_nothing_twice(zhiyin, tmp_path):
    first = zhiyin("--limit", 5)
    more = zhiyin("--limit", 9)
    whole = zhiyin()
    assert first["run"] == more["run"] == whole["run"]
    assert (first["planned"], more["planned"], whole["planned"]) == (5, 9, whole["trials"])
    manifest = read_manifest(Path(whole["run"]))
    assert [session.asked for session in manifest.sessions] == [5, 4, whole["trials"] - 9]
    ids = asked(whole["run"])
    assert len(ids) == len(set(ids)) == whole["trials"]
    assert manifest.config["limit"] is None
    assert "sample" not in manifest.config
    other = zhiyin("--out", tmp_path / "alone")
    assert read_manifest(tmp_path / "alone").config == manifest.config
    assert other["groups"] == whole["groups"]


def test_a_named_folder_is_extended_too(zhiyin, tmp_path):
    zhiyin("--limit", 5, "--out", tmp_path / "run")
    whole = zhiyin("--out", tmp_path / "run")
    assert whole["complete"]
    assert whole["trials"] == whole["planned"] > 5
    assert "seed was 0, now 1" in zhiyin("--out", tmp_path / "run", "--seed", 1, status=2)


def test_asking_for_less_than_there_is_changes_nothing_and_is_said(zhiyin):
    whole = zhiyin()
    again = zhiyin("--limit", 5)
    assert again["planned"] == again["trials"] == whole["trials"]
    assert any(
        "holds more than was asked for now (5 of" in line for line in texts(again["remarks"])
    )
    assert coverage_of(again["run"]).part == coverage_of(whole["run"]).part


def test_a_limit_that_cuts_nothing_is_none(zhiyin):
    zhiyin("--limit", 100_000)
    (folder,) = Path("runs").iterdir()
    assert read_manifest(folder).config["limit"] is None


@pytest.mark.slow
def test_a_sample_is_of_every_group_and_grows(zhiyin):
    small = zhiyin("--sample", 12)
    assert small["planned"] == small["trials"] == 12
    manifest = read_manifest(Path(small["run"]))
    coverage = coverage_of(small["run"], manifest)
    assert "random sample of 12 items" in str(coverage.part)
    assert not coverage.whole("all")
    few = set(asked(small["run"]))
    assert len({id.split("/")[0] for id in few}) >= 4
    more = zhiyin("--sample", 20)
    assert more["run"] == small["run"]
    assert few < set(asked(more["run"]))
    assert more["trials"] == 20
    whole = zhiyin()
    assert whole["run"] == small["run"]
    assert whole["complete"]


@pytest.mark.slow
def test_another_seed_draws_another_sample(zhiyin, tmp_path):
    one = zhiyin("--sample", 12, "--out", tmp_path / "one")
    two = zhiyin("--sample", 12, "--seed", 1, "--out", tmp_path / "two")
    again = zhiyin("--sample", 12, "--out", tmp_path / "again")
    assert asked(one["run"]) == asked(again["run"]) != asked(two["run"])


def test_the_first_ones_and_a_sample_go_together(zhiyin):
    zhiyin("--limit", 5)
    both = zhiyin("--sample", 12)
    manifest = read_manifest(Path(both["run"]))
    assert (manifest.config["limit"], manifest.config["sample"]) == (5, 12)
    ids = asked(both["run"])
    assert manifest.planned == len(ids) == len(set(ids)) == both["trials"]
    assert 12 <= len(ids) <= 17
    assert both["complete"]
    assert "first 5 trials" in str(coverage_of(both["run"]).part)


def test_both_in_one_command_are_refused(zhiyin):
    assert "--sample" in zhiyin("--limit", 5, "--sample", 5, status=2)


def test_an_extended_run_asks_again_what_failed(tmp_path):
    broken = Scripted(lambda id, _: KeyError("x") if id == "t/1" else "A")
    asyncio.run(examine(tmp_path, broken, 3))
    healed = Scripted(lambda id, _: "A")
    assert asyncio.run(examine(tmp_path, healed, 6)).count.correct == 4
    assert set(healed.calls) == {"t/1", "t/3", "t/4", "t/5"}


class Rotated:
    """Ten questions of two groups, each asked under three orders of its options."""

    def trials(self):
        for number in range(10):
            for rotation in range(3):
                trial = Trial(f"q{number}/rotation={rotation}", (), groups=(f"g{number % 2}",))
                yield trial

    def sequences(self):
        return ()

    def __len__(self):
        return 30


def test_items_are_drawn_and_not_their_trials(monkeypatch):
    monkeypatch.setattr("zhiyin.session.selection.item_of", lambda trial: trial.id.split("/")[0])
    chosen = list(Selection(Rotated(), sample=4))
    assert len(chosen) == 12
    assert set(Counter(trial.id.split("/")[0] for trial in chosen).values()) == {3}
    assert Counter(trial.groups for trial in chosen) == {("g0",): 6, ("g1",): 6}


@given(st.lists(st.integers(0, 5), min_size=1, max_size=80), st.integers(0, 10**6), st.data())
def test_every_beginning_is_in_proportion_whatever_the_order(labels, seed, data):
    trials = [Trial(f"t{n}", (), groups=(f"g{label}",)) for n, label in enumerate(labels)]
    order = drawn(trials, seed)
    assert sorted(order) == sorted(trial.id for trial in trials)
    assert order == drawn(reversed(trials), seed)
    group = {trial.id: trial.groups for trial in trials}
    n = data.draw(st.integers(0, len(trials)))
    found = Counter(group[item] for item in order[:n])
    strata = Counter(group.values())
    for name, size in strata.items():
        # Each stratum is within one of its share of a threshold, and so is their sum.
        assert abs(found[name] - n * size / len(trials)) <= 1 + len(strata)


@pytest.mark.slow
def test_every_item_is_as_likely_as_any_other():
    """Small groups too: 30 items of a large one, 2 groups of one item; 8 of 32 are drawn."""
    groups = ["large"] * 30 + ["one", "two"]
    trials = [Trial(f"t{n}", (), groups=(name,)) for n, name in enumerate(groups)]
    draws = 4000
    counts = Counter(item for seed in range(draws) for item in drawn(trials, seed)[:8])
    for trial in trials:
        share = counts[trial.id] / draws
        assert abs(share - 0.25) < 5 * math.sqrt(0.25 * 0.75 / draws) + 0.01
