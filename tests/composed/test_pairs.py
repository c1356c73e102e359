"""Minimal pairs: exactly one fact differs, and models that cheat are named."""

import json
from types import SimpleNamespace

import msgspec
import numpy as np
import pytest

from columns_help import rows_from
from notated_help import ask, by_first, by_length, by_loudness, by_options, model, oracle, sounds_of
from zhiyin import cli
from zhiyin.analysis.within import condition_gaps
from zhiyin.contract.registry import open_benchmark
from zhiyin.models.baselines import RULES, SeededDraw
from zhiyin.numerals import points
from zhiyin.plugins.composed.pairs.benchmark import draw_consistency, gather, moved, stay_shares
from zhiyin.plugins.composed.pairs.benchmark import findings as findings_of
from zhiyin.plugins.composed.pairs.sounds import FACTS, LEVEL, PADDING_S, SECONDS
from zhiyin.plugins.music.listener.model import Listener
from zhiyin.plugins.music.stimuli import Dice
from zhiyin.record import Reply
from zhiyin.shown.charts import Series
from zhiyin.sound import read_sound

pytestmark = pytest.mark.slow

OPTIONS = "reads only the question and the options"
NO_SIGN = "No sign that it answers from the sound"
FIRST = "uses only the first"


def findings(items):
    return [str(one) for one in findings_of(items)]


def effect_of(rows, control):
    """What every page shows: the difference that the sound makes, over all versions."""
    return next(one.gap for one in condition_gaps(rows) if one.second == control)


@pytest.fixture(scope="module")
def two():
    """16 items of two recordings."""
    return open_benchmark("pairs", {"fact": "note,tempo", "n": 8, "change": "gain,key,padding"})


@pytest.fixture(scope="module")
def trials(two):
    return list(two.trials())


@pytest.mark.parametrize("name", FACTS)
def test_the_versions_differ_in_the_fact_alone(name):
    """All recordings but the last are the same, and so are all notes but those of the fact."""
    for number in range(30):
        fact, dice = FACTS[name], Dice(1, name, number)
        first, second = fact.draw(dice)
        assert len(first) == len(second) == fact.clips
        assert first[:-1] == second[:-1]
        one, other = first[-1], second[-1]
        assert len(one) == len(other)
        assert max(n.end for n in (*one, *other)) < SECONDS - 0.3
        changed = [(a, b) for a, b in zip(one, other, strict=True) if a != b]
        fields = {
            field for a, b in changed for field in a.__struct_fields__
            if getattr(a, field) != getattr(b, field)
        }  # fmt: skip
        expected = {
            "third": {"pitch"}, "note": {"pitch"}, "bars": {"pitch"}, "instrument": {"program"},
            "tempo": {"start", "duration"}, "accent": {"velocity"}, "onset": {"start", "duration"},
        }[name]  # fmt: skip
        assert fields == expected
        if name == "third":
            assert [a.pitch - b.pitch for a, b in changed] == [1] * 4
        if name == "note":
            assert len(changed) == 1
        if name == "bars":
            pitches = [n.pitch for n in one]
            assert [n.pitch for n in other] == pitches[4:] + pitches[:4]
        if name in ("accent", "onset"):
            assert len(changed) == 2


def test_length_and_loudness_say_nothing_and_answers_are_balanced(trials):
    keys = {}
    for trial in trials:
        if trial.tags["version"] == "base":
            keys.setdefault(trial.tags["fact"], []).append((trial.target, trial.options[0].text))
        for sound in sounds_of(trial.messages)[:-1]:
            assert sound.seconds == SECONDS
        last = sounds_of(trial.messages)[-1]
        padded = trial.tags["version"] == "padding"
        assert last.seconds == pytest.approx(SECONDS + PADDING_S * padded)
        if trial.tags["version"] in ("base", "changed", "key"):
            samples = read_sound(last.path).samples
            assert np.sqrt(np.mean(np.square(samples, dtype=float))) == pytest.approx(
                LEVEL, rel=0.1
            )
    for fact, rows in keys.items():
        assert sorted(rows) == sorted(2 * sorted({*rows})), fact
        assert len({*rows}) == 4


def test_an_oracle_gets_everything(two, trials):
    entries = ask(two, oracle(two), trials)
    assert all(entry.state == "correct" for entry in entries)
    items = list(gather(entries).values())
    assert [item.both for item in items] == [1.0] * 16
    assert stay_shares(items) == [1.0] * 16


def test_who_reads_only_the_options_is_named(two, trials):
    asked = ask(two, by_options, trials)
    (said,) = findings(asked)
    assert OPTIONS in said
    assert sum(moved(gather(asked).values(), "changed")) == 0


def test_who_looks_at_the_length_is_named(two, trials):
    said = "\n".join(findings(ask(two, by_length, trials)))
    assert "follow the length of the recording" in said
    assert NO_SIGN in said
    assert "loudness" not in said


def test_who_looks_at_the_loudness_is_named(two, trials):
    told = findings(ask(two, by_loudness, trials))
    said = "\n".join(told)
    assert "follow loudness" in told[0]  # what a short screen shows
    assert NO_SIGN in said
    assert "length" not in said


def test_who_hears_the_fact_and_names_it_the_wrong_way_is_not_called_deaf(two, trials):
    right = oracle(two)
    blind = {trial.id for trial in trials if trial.tags["audio"] != "true"}

    def turned(trial):
        if trial.id in blind:
            return "A"
        return "B" if right(trial) == "A" else "A"

    asked = ask(two, turned, trials)
    effect = effect_of(asked, "silence")
    assert effect.p < 0.05
    assert effect.value < 0
    said = "\n".join(findings(asked))
    assert said.count("Fewer of its answers are right with the sound than without it (against") == 2
    assert NO_SIGN not in said
    for control in ("silence", "noise"):  # the figure of every other page
        assert f"against {control}: {points(effect_of(asked, control).value)} points" in said


def test_who_gives_no_answer_is_not_said_to_read_the_options(two, trials):
    (said,) = findings(ask(two, lambda trial: Reply("I cannot listen."), trials))
    assert said.startswith("It gives no answer to the base or the changed version in 100 %")
    assert OPTIONS not in said


def test_who_seldom_answers_is_not_said_to_be_moved_the_wrong_way(two, trials):
    """What is not answered counts as a guess, and says nothing of the wrong way."""

    def seldom(trial):
        number = int(trial.id.partition("/")[0].rpartition("-")[2])
        return Reply("I cannot listen.") if number % 4 else right(trial)

    right = oracle(two)
    asked = ask(two, seldom, trials)
    effect = effect_of(asked, "silence")
    assert effect.value == pytest.approx(0)  # a guess on either side
    assert "the wrong way" not in "\n".join(findings(asked))


def test_no_figure_of_a_cheat_stands_without_its_name(two, trials):
    pytest.importorskip("matplotlib")
    entries = ask(two, by_loudness, trials)
    run = SimpleNamespace(label="someone", series=Series("s0"), judged=entries.judged)
    (drawn,) = draw_consistency([run])
    assert "someone: Its answers follow loudness" in str(drawn.caption)


def test_who_hears_the_first_recording_alone_is_named(two, trials):
    said = "\n".join(findings(ask(two, by_first, trials)))
    assert FIRST in said
    assert OPTIONS not in said
    assert NO_SIGN in said


@pytest.mark.parametrize("rule", RULES)
def test_a_blind_baseline_is_at_chance_and_shows_no_sign_of_listening(two, trials, rule):
    entries = ask(two, lambda trial: RULES[rule](SeededDraw(0), trial).letter, trials)
    pairs = [e for e in entries if e.tags["version"] in ("base", "changed")]
    right = sum(entry.right for entry in pairs)
    assert abs(right - 16) <= 8  # of 32; 3 standard deviations
    said = "\n".join(findings(entries))
    assert "It answers from the sound" not in said.replace(NO_SIGN, "")


def test_the_listener_moves_with_the_fact_and_stays_otherwise():
    benchmark = open_benchmark("pairs", {"n": 1, "seed": 4, "change": "reverb"})
    wanted = [t for t in benchmark.trials() if t.tags["audio"] in ("true", "silence")]
    asked = ask(benchmark, model(Listener()), wanted)
    items = list(gather(asked).values())
    assert {item.fact for item in items} == set(FACTS)
    assert [item.both for item in items] == [1.0] * 7
    assert stay_shares(items) == [1.0] * 7
    assert all(item.answers["silence-base"] is None for item in items)
    effect = effect_of(asked, "silence")
    assert effect.p < 0.05
    assert effect.value > 0


def test_declining_noise_is_no_proof_of_listening(two, trials):
    """One answer to every sound, none to silence and noise: nothing is gained by that."""
    silent = {trial.id for trial in trials if trial.tags["audio"] != "true"}
    asked = ask(two, lambda t: Reply("Nothing.") if t.id in silent else "A", trials)
    effect = effect_of(asked, "noise")
    assert effect.value == pytest.approx(0)
    assert effect.p > 0.05


def test_failed_trials_are_left_out_and_few_items_prove_nothing(two, trials):
    entries = ask(two, oracle(two), trials[:5])
    assert "Too few items" in findings(entries)[0]
    records = list(entries.records())
    assert records[1].trial.tags["version"] == "changed"
    records[1].verdict = msgspec.structs.replace(records[1].verdict, state="error")
    asked = gather(rows_from(records))
    assert not next(iter(asked.values())).paired


def test_a_run_shows_pairs_and_what_they_rest_on(capsys, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    words = ["run", "pairs", "-m", "first", "--fact", "note", "--n", "2", "--change", "gain",
             "--out", "run", "--quiet"]  # fmt: skip
    assert cli.main(words) == 0
    capsys.readouterr()
    assert cli.main(["show", "run", "--groups", "all"]) == 0
    shown = capsys.readouterr().out
    for title in ("Does it use the audio?", "Pairs, by fact", "What moves the answer"):
        assert title in shown
    words[3], words[-2] = "random", "other"
    assert cli.main(words) == 0
    capsys.readouterr()
    assert cli.main(["show", "run", "--json"]) == 0
    alone = json.loads(capsys.readouterr().out)["groups"]["all"]["accuracy"]
    assert cli.main(["compare", "run", "other", "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)["pairs"][0]["groups"][0]
    assert whole["first"] == pytest.approx(alone)  # controls are in no headline
    assert cli.main(["run", "pairs", "-m", "first", "--fact", "thirds"]) == 2
    error = capsys.readouterr().err
    assert "third" in error
    assert len(error.strip().splitlines()) == 1
