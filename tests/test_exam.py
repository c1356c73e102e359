"""An exam: its intervals hold, a part known by heart is found, and it goes on where it was left."""

import numpy as np
import pytest

from zhiyin.analysis.bank import question_of, read_bank
from zhiyin.cli import main
from zhiyin.engine.log import read_records
from zhiyin.errors import InputError
from zhiyin.statistics import items as response
from zhiyin.statistics.adaptive import Items, MeanBets, misfit, score_on_all, weights
from zhiyin.statistics.items import AbilityAnswers, BankItem
from zhiyin.trial import Option, Trial


def bank_of(draw, count):
    curves = [
        BankItem(float(np.exp(draw.normal(0, 0.3))), float(draw.normal()), 0.25, 1.0)
        for _ in range(count)
    ]
    return curves, Items(curves, [f"part {n % 4}" for n in range(count)])


def examined(curves, bank, answers, count, draw):
    state, bets, asked, order = AbilityAnswers(), MeanBets(len(bank)), np.zeros(len(bank), bool), []
    for _ in range(count):
        theta = state.modal()
        chances, held = weights(bank, asked, theta), bank.chances(theta)
        assert chances.sum() == pytest.approx(1)
        assert not chances[asked].any()
        number = int(draw.choice(len(chances), p=chances))
        bets.add(bool(answers[number]), chances[number], held[number], held[~asked])
        state.add(curves[number], bool(answers[number]))
        asked[number] = True
        order.append(number)
    return state, bets, asked, order


@pytest.mark.slow
def test_intervals_hold_of_the_ability_and_of_the_score_on_all():
    draw = np.random.default_rng(3)
    held = []
    for _ in range(120):
        curves, bank = bank_of(draw, 150)
        theta = draw.normal()
        answers = draw.random(150) < bank.chances(theta)
        state, bets, asked, _ = examined(curves, bank, answers, 30, draw)
        ability, whole = state.read(), answers.mean()
        by_bank, by_draw = score_on_all(bank, asked, state.right, ability), bets.score()
        low, high = bets.interval()
        held.append((
            ability.lower <= theta <= ability.upper, by_bank.lower <= whole <= by_bank.upper,
            by_draw.lower <= whole <= by_draw.upper, low <= whole <= high,
        ))  # fmt: skip
    shares = np.mean(held, axis=0)
    assert (shares > 0.89).all(), shares
    assert shares[3] > 0.95


def test_a_score_by_the_draw_has_no_bias_even_from_a_bank_that_is_wrong():
    draw, found = np.random.default_rng(4), []
    curves, bank = bank_of(draw, 60)
    answers = np.array(
        [curve.b > 0 for curve in curves]
    )  # the hard ones right, the easy ones wrong
    for _ in range(150):
        _, bets, _, _ = examined(curves, bank, answers, 20, draw)
        found.append(bets.score().share)
    assert np.mean(found) == pytest.approx(answers.mean(), abs=0.03)


def test_an_exam_of_all_questions_knows_the_score():
    draw = np.random.default_rng(5)
    curves, bank = bank_of(draw, 25)
    answers = draw.random(25) < 0.6
    state, bets, asked, _ = examined(curves, bank, answers, 25, draw)
    whole = pytest.approx(answers.mean())
    assert score_on_all(bank, asked, state.right, state.read()).share == whole
    assert bets.interval() == (whole, whole)
    assert (bets.score().lower, bets.score().upper) == (whole, whole)


def test_who_knows_hard_questions_and_misses_easy_ones_is_found_out():
    draw = np.random.default_rng(6)
    curves, bank = bank_of(draw, 200)
    honest = draw.random(200) < bank.chances(0.3)
    cheat = np.array([curve.b > 0.4 for curve in curves])
    for answers, fits in ((honest, True), (cheat, False)):
        _, _, _, order = examined(curves, bank, answers, 60, draw)
        p = misfit(bank, order, [bool(answers[n]) for n in order])
        assert (p >= 0.05) == fits


def test_content_is_asked_in_proportion():
    draw = np.random.default_rng(7)
    curves, bank = bank_of(draw, 200)
    _, _, asked, _ = examined(curves, bank, draw.random(200) < 0.5, 80, draw)
    assert np.bincount(bank.group[asked]).min() >= 14


def test_a_bank_of_many_gets_slopes_difficulties_and_guessing_back():
    draw = np.random.default_rng(8)
    curves, bank = bank_of(draw, 40)
    abilities = draw.normal(size=600)
    scores = (draw.random((600, 40)) < bank.chances(abilities)).astype(float)
    found = response.fit(scores, "2PL", np.full(40, 0.25), pooled=True)
    places, truth = np.array(found.places), np.array([curve.b for curve in curves])
    assert np.corrcoef(places, truth)[0, 1] > 0.97
    assert np.abs(places - truth).mean() < 0.25


def test_a_question_is_known_whatever_the_order_of_its_options():
    one = Trial("a", (), "Which key?", (Option("A", "C", "x"), Option("B", "D", "y")), "x")
    other = Trial("b", (), "Which key?", (Option("A", "D", "q"), Option("B", "C", "r")), "r")
    wrong = Trial("c", (), "Which key?", (Option("A", "D", "q"), Option("B", "C", "r")), "q")
    assert question_of(one) == question_of(other) != question_of(wrong)


def run(*words):
    return main([str(word) for word in words])


@pytest.fixture(scope="module")
def bank(tmp_path_factory):
    root = tmp_path_factory.mktemp("bank")
    runs = [root / name for name in ("random", "first", "longest", "overlap")]
    for folder in runs:
        assert run("run", "exercises", "-m", folder.name, "--n", 2, "--out", folder, "--json") == 0
    assert run("stats", "items", *runs, "--bank", root / "bank.json") == 0
    return root / "bank.json"


def test_an_exam_goes_on_where_it_was_broken_off(bank, tmp_path):
    words = ("exam", "exercises", "--bank", bank, "-m", "random", "--n", 15, "--json")
    assert run(*words, "--out", tmp_path / "whole") == 0
    assert run(*words, "--out", tmp_path / "cut") == 0
    log = tmp_path / "cut" / "records.jsonl"
    log.write_text("".join(log.read_text().splitlines(keepends=True)[:6]))
    assert run(*words, "--out", tmp_path / "cut") == 0
    asked = [[r.id for r in read_records(tmp_path / name)] for name in ("whole", "cut")]
    assert asked[0] == asked[1]
    assert len(set(asked[0])) == 15


def test_its_tables_say_what_it_found_and_what_the_bank_is_worth(bank, tmp_path, capsys):
    out = tmp_path / "exam"
    assert run("exam", "exercises", "--bank", bank, "-m", "first", "--n", 12, "--out", out) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "ability, in logits of the bank" in said
    assert "fewer than 20 models or people" in said
    assert "Among the takers of the bank" in said
    assert "score on all questions, by the bank" not in said
    other = tmp_path / "gone.json"
    bank_file = bank.read_bytes()
    bank.rename(other)
    try:
        assert run("show", out) == 0
        assert "no score and no standing" in " ".join(capsys.readouterr().out.split())
    finally:
        bank.write_bytes(bank_file)


def test_side_by_side_a_note_names_the_exam_that_it_is_of(bank, tmp_path, capsys):
    for model in ("first", "random"):
        out = tmp_path / "exams" / model
        assert run("exam", "exercises", "--bank", bank, "-m", model, "--n", 12, "--out", out) == 0
    capsys.readouterr()
    assert run("leaderboard", tmp_path / "exams", "-o", tmp_path / "board") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "first: asked 12" in said
    assert "random: asked 12" in said
    assert said.lower().count("by the draw alone: each question") == 1  # which is of both
    assert "Among the takers" not in said  # which stands with each exam
    assert "instead of the default" not in said  # how many are asked does not change what is found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("exam", "ziqi"), "a bank of exercises, and not of ziqi"),
        (("exam", "exercises", "--n", 3), "--n"),
    ],
)
def test_what_cannot_be_is_refused(bank, tmp_path, capsys, words, said):
    more = ("--bank", bank, "-m", "random", "--out", tmp_path / "x")
    assert run(*words[:2], *more, *words[2:]) == 2
    assert said in capsys.readouterr().err


def test_three_takers_make_no_bank(bank, capsys):
    runs = [bank.parent / name for name in ("random", "first", "longest")]
    assert run("stats", "items", *runs, "--bank", bank.parent / "no.json") == 2
    assert "needs the answers of 4" in capsys.readouterr().err


def test_a_bank_is_known_by_its_form(tmp_path):
    for text in ("{}", "no", '{"format": 2}'):
        (tmp_path / "bank.json").write_text(text)
        with pytest.raises(InputError, match=r"bank\.json: (not a bank|a bank of another)"):
            read_bank(tmp_path / "bank.json")
