"""Rhythm ability: the response model, the bank, the strokes, and where listeners land."""

import csv
import io
import json
from contextlib import redirect_stderr, redirect_stdout

import numpy as np
import pytest
from scipy.integrate import quad

from conftest import REPOSITORY
from english_help import in_english
from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.rhythm_ability.benchmark import (
    IndexedBank,
    answered,
    ends_of,
    read_bank,
    sections,
    standing,
    written,
)
from zhiyin.plugins.methods.ability import (
    Ability,
    AbilityAnswers,
    BankItem,
    chances,
    estimate,
    information,
)
from zhiyin.plugins.music.hearing import play_strokes
from zhiyin.plugins.music.listener.strokes import hear_strokes
from zhiyin.runs.rows import rows_of
from zhiyin.sound import read_sound

pytestmark = pytest.mark.slow

HELP = REPOSITORY / "tests" / "threshold_help.py"


@pytest.fixture(scope="module")
def bank(shared):
    return read_bank(str(shared / "rat"))


def simulate(shelf, theta, items, draw):
    """One adaptive test of a person whose ability is known."""
    answers, heard = AbilityAnswers(), set()
    for number in range(items):
        item = shelf.nearest(answers.modal(), heard, f"{draw.integers(1 << 30)}/{number}")
        heard.add(item.id)
        right = bool(draw.random() < chances(item.item, np.array([theta]))[0][0])
        answers.add(item.item, right)
    return answers.read()


def test_the_model_is_the_four_parameter_logistic():
    item = BankItem(2.28, 0.3, 0.22, 0.99)
    p, first, second = chances(item, np.array([-30.0, 0.3, 30.0]))
    assert p == pytest.approx([0.22, 0.605, 0.99])
    step, at = 1e-4, np.array([0.7])
    near = [chances(item, at + d)[0][0] for d in (-step, 0, step)]
    assert chances(item, at)[1][0] == pytest.approx((near[2] - near[0]) / (2 * step), rel=1e-5)
    assert chances(item, at)[2][0] == pytest.approx(
        (near[2] - 2 * near[1] + near[0]) / step**2, rel=1e-3
    )
    assert information(item, at)[0] > 0
    assert first[1] > 0 > second[2] - 1e-9


def test_the_estimate_solves_warms_equation():
    draw = np.random.default_rng(1)
    rows = [(BankItem(2.28, float(b), 0.22, 0.99), bool(draw.random() < 0.6))
            for b in draw.uniform(-1, 1.4, 40)]  # fmt: skip
    found = estimate(rows)

    def slope(theta):
        at, total, weight, known = np.array([theta]), 0.0, 0.0, 0.0
        for item, right in rows:
            p, first, second = (float(each[0]) for each in chances(item, at))
            total += first * ((1 / p) if right else (-1 / (1 - p)))
            weight += first * second / (p * (1 - p))
            known += first**2 / (p * (1 - p))
        return total + weight / (2 * known)

    assert slope(found.theta - 0.01) > 0 > slope(found.theta + 0.01)
    drop = quad(slope, found.theta, found.upper, limit=100)[0]
    assert drop == pytest.approx(-1.92, abs=0.08)
    assert found.lower < found.theta < found.upper
    assert estimate(reversed(rows)).theta == found.theta


@pytest.mark.parametrize("theta", [-1.5, 0.5, 2.0])
def test_simulated_people_get_their_ability_back(bank, theta):
    shelf, draw = IndexedBank(bank), np.random.default_rng([7, int(10 * theta) + 50])
    found = [simulate(shelf, theta, 40, draw) for _ in range(40)]
    assert np.mean([each.theta for each in found]) == pytest.approx(theta, abs=0.18)
    assert np.mean([each.lower <= theta <= each.upper for each in found]) > 0.84


@pytest.mark.trust
@pytest.mark.parametrize("theta", [-3, -2, -1.5, -1, -0.5, 0, 0.5, 1, 1.5, 2, 2.5, 3])
def test_bias_and_coverage_at_forty_items(bank, theta):
    shelf = IndexedBank(bank)
    found = [simulate(shelf, theta, 40, np.random.default_rng([n, 11])) for n in range(1000)]
    bias = np.mean([each.theta for each in found]) - theta
    covered = np.mean([each.lower <= theta <= each.upper for each in found])
    print(f"ability {theta}: bias {bias:+.3f}, coverage {covered:.3f}")
    if -1.5 <= theta <= 2:
        assert abs(bias) < 0.1
        assert 0.93 <= covered <= 0.97


def test_beyond_the_scale_an_interval_has_no_end():
    """What the bank cannot tell is not told of an estimate, nor of the ends of its interval."""
    for ends, said, range_said in (
        ((-1.35, -2.56, -0.77), "above 9 % (at most 22 %)", "< -1.5 to -0.77"),
        ((0.0, -0.5, 0.5), "above 50 % (31 to 69 %)", "-0.50 to 0.50"),
        ((1.8, 1.2, 2.6), "above 96 % (at least 88 %)", "1.20 to > 2.0"),
        ((-1.6, -2.6, -1.0), "below the scale", "< -1.5 to -1.00"),
        ((2.1, 1.5, 3.0), "above the scale", "1.50 to > 2.0"),
    ):
        found = Ability(ends[0], 0.4, ends[1], ends[2], 10, 20)
        assert (str(standing(found)), str(ends_of(found))) == (said, range_said)


def test_the_published_bank_is_read_and_a_pattern_is_played_once(bank):
    assert len(bank.items) == 2616
    assert len({item.pattern for item in bank.items}) == 702
    shelf, heard, patterns = IndexedBank(bank), set(), []
    for number in range(702):
        item = shelf.nearest(0.0, heard, str(number))
        heard.add(item.id)
        patterns.append(item.pattern)
    assert len(set(patterns)) == 702
    assert shelf.nearest(0.0, heard, "end") is None
    first = shelf.nearest(0.0, set(), "a")
    assert first.id == "10011100-4"  # of everyone, as in the original
    assert abs(shelf.nearest(0.0, {first.id}, "a").item.b) < 0.01


ROW = {
    "item_id": "0101-1", "pattern": "0101", "lure_1": "0100", "lure_2": "0001", "lure_3": "1101",
    "discrimination": "2.28", "difficulty": "0.1", "guessing": "0.22", "inattention": "0.99",
}  # fmt: skip


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"pattern": "101"}, "one length"),
        ({"lure_1": "0101"}, "must differ"),
        ({"pattern": "1e3"}, "0 and 1"),
        ({"difficulty": "hard"}, "not a number"),
        ({"discrimination": "nan"}, "no response model"),
        ({"guessing": "1"}, "no response model"),
    ],
)
def test_a_faulty_bank_is_one_line_with_its_place(tmp_path, change, said):
    with (tmp_path / "item_bank.csv").open("w", newline="") as file:
        writer = csv.DictWriter(file, ROW)
        writer.writeheader()
        writer.writerows([ROW, ROW | {"item_id": "x"} | change])
    with pytest.raises(InputError, match=said) as fault:
        read_bank(str(tmp_path))
    assert "item_bank.csv:3" in str(fault.value)
    with pytest.raises(InputError, match="--data"):
        read_bank(None)
    with pytest.raises(InputError, match=r"item_bank\.csv"):
        read_bank(str(tmp_path / "nowhere"))


def test_strokes_are_heard_as_they_were_written(bank):
    for pattern in sorted({item.pattern for item in bank.items})[::60]:
        sound = read_sound(play_strokes(written(pattern)))
        assert hear_strokes(sound)[0] == " ".join(written(pattern))
    lengths = {len(play_strokes(row)) for row in ("oooo", "xxxx", "xoxo")}
    assert len(lengths) == 1


def call(*words):
    out, err = io.StringIO(), io.StringIO()
    with redirect_stdout(out), redirect_stderr(err):
        assert main([str(word) for word in words]) == 0, err.getvalue()
    return out.getvalue()


def test_guessers_and_the_faultless_are_beyond_the_scale(shared, tmp_path):
    tables = {}
    for model in ("random", "listener"):
        words = ("run", "rhythm-ability", "--data", shared / "rat", "-m", model, "--quiet")
        call(*words, "--seed", 1, "--out", tmp_path / model)
        (tables[model],) = in_english(sections(rows_of(tmp_path / model)))
    assert tables["listener"].rows[0][3:] == ["above the scale", "40 of 40"]
    assert tables["listener"].rows[0][1] == "-"  # no standard error where the bank tells nothing
    assert tables["random"].rows[0][3] == "below the scale"
    lines = (tmp_path / "random" / "records.jsonl").read_text("utf-8").splitlines()
    records = [json.loads(line) for line in lines]
    assert {record["verdict"]["state"] for record in records} == {"ungraded"}
    assert len({record["trial"]["item"] for record in records}) == 40
    places = [[o[2] for o in record["trial"]["options"]].index("0") for record in records]
    assert set(places) == {0, 1, 2, 3}


def test_a_middling_taker_is_on_the_scale_and_the_log_alone_says_so(shared, tmp_path):
    data, out = ("--data", shared / "rat"), tmp_path / "run"
    model = f"python:{HELP}:strokes"
    told = call("run", "rhythm-ability", *data, "-m", model, "--out", out, "--quiet")
    (table,) = in_english(sections(rows_of(out)))
    assert "above" in table.rows[0][3]
    assert "by the prior" in told
    assert "no norms" in call("show", out, "--groups", "all")
    answers, asked = answered(read_records(out))
    assert asked == len(answers) == 40
    assert f"{estimate(answers).theta:.2f}" == table.rows[0][0]
    call("rescore", out, "--extract", "first-letter", "--out", tmp_path / "again")
    assert in_english(sections(rows_of(tmp_path / "again")))[0].rows == table.rows


def test_replies_without_an_answer_end_the_test(shared, tmp_path):
    words = ("run", "rhythm-ability", "--data", shared / "rat", "-m", f"python:{HELP}:silent")
    call(*words, "--out", tmp_path / "mute", "--quiet")
    (table,) = in_english(sections(rows_of(tmp_path / "mute")))
    assert table.rows == [["not measured"]]
