"""An exam: its intervals hold, a part known by heart is found, and it goes on where it was left."""

import re

import msgspec
import numpy as np
import pytest

from page_tree import read
from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from zhiyin.errors import InputError
from zhiyin.plugins.methods import items as response
from zhiyin.plugins.methods.ability import Ability, BankItem
from zhiyin.plugins.methods.adaptive import (
    STRANGE,
    MeanBets,
    edge_of,
    misfit,
    score_on_all,
    weights,
)
from zhiyin.plugins.methods.bank import question_of, read_bank
from zhiyin.plugins.methods.exam.benchmark import Exam, ExamSettings, outcome_of, pool_of
from zhiyin.plugins.methods.takers import LIKENESSES, Takers, TakerSpread, kin_of, learn
from zhiyin.trial import Option, Trial

SURE = TakerSpread(1.0, 1.0, 1e-3, 1e-3, 1e-3)


def bank_of(draw, count, spread=SURE):
    curves = [
        BankItem(float(np.exp(draw.normal(0, 0.3))), float(draw.normal()), 0.25, 1.0)
        for _ in range(count)
    ]
    return Takers(
        curves, [f"part {n % 4}" for n in range(count)], np.zeros((count, LIKENESSES)), spread
    )


def answered(draw, bank, theta):
    """Answers of takers for whom the bank holds: abilities by items."""
    at = np.tile(bank.prior()[0], (len(np.atleast_1d(theta)), 1))
    at[:, 0] = theta
    return (draw.random((len(at), len(bank))) < bank.chances(at)).astype(float)


def examined(bank, truth, count, draw):
    """The answers to as many items as an exam of one taker asks, its bets, and the order."""
    answers, bets, order = np.full(len(bank), np.nan), MeanBets(len(bank)), []
    for _ in range(count):
        known = bank.posterior(answers[None])
        asked = ~np.isnan(answers)
        chances, held = weights(bank, asked[None], known)[0], bank.chances(known.mode)[0]
        assert chances.sum() == pytest.approx(1)
        assert not chances[asked].any()
        number = int(draw.choice(len(chances), p=chances))
        bets.add(bool(truth[number]), chances[number], held[number], held[~asked])
        answers[number] = truth[number]
        order.append(number)
    return answers, bank.posterior(answers[None]), bets, order


@pytest.mark.slow
@pytest.mark.parametrize("times", [60, pytest.param(120, marks=pytest.mark.trust)])
def test_intervals_hold_of_the_ability_and_of_the_score_on_all(times):
    draw = np.random.default_rng(3)
    held = []
    for _ in range(times):
        bank = bank_of(draw, 150)
        theta = draw.normal()
        truth = answered(draw, bank, theta)[0]
        answers, known, bets, _ = examined(bank, truth, 30, draw)
        drawn = bank.drawn(answers, known)
        ability, whole = bank.ability(answers, drawn), truth.mean()
        by_bank, by_draw = score_on_all(answers, drawn), bets.score()
        low, high = bets.interval()
        held.append((
            ability.lower <= theta <= ability.upper, by_bank.lower <= whole <= by_bank.upper,
            by_draw.lower <= whole <= by_draw.upper, low <= whole <= high,
        ))  # fmt: skip
    shares = np.mean(held, axis=0)
    assert (shares > 0.89).all(), shares
    assert shares[3] > 0.95


@pytest.mark.slow
@pytest.mark.sample(3)
@pytest.mark.parametrize("theta", [3.0, -3.0, 4.0])
def test_intervals_hold_at_the_edge_of_the_banks_takers_and_beyond(theta):
    """Of 3 standard deviations the ability was held in 50 to 58 %, the score by the bank in 65."""
    draw, held = np.random.default_rng(15), []
    for _ in range(4):
        world, parts = bank_of(draw, 150), ["all"] * 150
        world.spread = TakerSpread(1.0, 1.0, 1e-3, 1e-3, 1e-3)
        scores = answered(draw, world, draw.normal(size=30))
        bank = learn(scores, world.floor, parts).model(parts)
        own = answered(draw, world, np.full(12, theta))
        at = np.tile(world.prior()[0], (1, 1))
        at[:, 0] = theta
        place = bank.placed(world.chances(at))[0]
        for truth in own:
            answers, known, bets, _ = examined(bank, truth, 40, draw)
            drawn, whole = bank.drawn(answers, known), truth.mean()
            ability = bank.ability(answers, drawn)
            scores_ = score_on_all(answers, drawn), bets.score()
            held.append([ability.lower <= place <= ability.upper])
            held[-1] += [score.lower <= whole <= score.upper for score in scores_]
    assert (np.mean(held, axis=0) >= 0.85).all(), np.mean(held, axis=0)


def test_an_edge_is_where_takers_are_few_or_all_answers_are_alike():
    some = Ability(0.5, 0.3, -0.1, 1.1, 6, 10)
    assert edge_of(some, -1.0, 2.0) == ""
    assert edge_of(some, -1.0, 1.0) == edge_of(some, 0.0, 2.0) == "near"
    assert edge_of(some, -1.0, 0.5) == "above"
    assert edge_of(some, 0.6, 2.0) == "below"
    assert edge_of(msgspec.structs.replace(some, right=10), -9.0, 9.0) == "above"
    assert edge_of(msgspec.structs.replace(some, right=0), -9.0, 9.0) == "below"


@pytest.mark.slow
def test_a_score_by_the_draw_has_no_bias_even_from_a_bank_that_is_wrong():
    draw, found = np.random.default_rng(4), []
    bank = bank_of(draw, 40)
    truth = (bank.place > 0).astype(float)  # the hard ones right, the easy ones wrong
    for _ in range(60):
        found.append(examined(bank, truth, 12, draw)[2].score().share)
    assert np.mean(found) == pytest.approx(truth.mean(), abs=0.06)


def test_an_exam_of_all_questions_knows_the_score():
    draw = np.random.default_rng(5)
    bank = bank_of(draw, 25)
    truth = answered(draw, bank, 0.5)[0]
    answers, known, bets, _ = examined(bank, truth, 25, draw)
    whole = pytest.approx(truth.mean())
    assert score_on_all(answers, bank.drawn(answers, known)).share == whole
    assert bets.interval() == (whole, whole)
    assert (bets.score().lower, bets.score().upper) == (whole, whole)


@pytest.mark.slow
def test_a_few_answers_that_are_all_right_do_not_show_that_all_are():
    draw, held = np.random.default_rng(9), []
    bank = bank_of(draw, 60)
    for wrong in (1, 3, 6) * 6:
        truth = np.ones(60)
        truth[draw.choice(60, wrong, replace=False)] = 0
        for own in (truth, 1 - truth):  # and few that are right among many wrong ones
            score = examined(bank, own, 12, draw)[2].score()
            held.append(score.lower <= own.mean() <= score.upper)
    assert np.mean(held) > 0.9


@pytest.mark.slow
def test_who_knows_hard_questions_and_misses_easy_ones_is_found_out():
    draw = np.random.default_rng(6)
    bank = bank_of(draw, 200)
    honest = answered(draw, bank, 0.3)[0]
    cheat = (bank.place > 0.4).astype(float)
    by_part = np.maximum(honest, bank.part < 2) * (bank.part < 3)
    for truth, fits in ((honest, True), (cheat, False), (by_part, False)):
        order = examined(bank, truth, 60, draw)[3]
        p = misfit(bank, order, [bool(truth[n]) for n in order])
        assert (p >= 0.05) == fits


@pytest.mark.slow
def test_one_who_saw_half_is_found_more_often_than_the_honest_and_the_able_is_not_accused():
    draw = np.random.default_rng(14)
    bank = bank_of(draw, 200)

    def accused(truths):
        orders = [draw.choice(200, 100, replace=False).tolist() for _ in truths]
        rights = [
            (truth[order] > 0.5).tolist() for truth, order in zip(truths, orders, strict=True)
        ]
        p = [misfit(bank, *one) for one in zip(orders, rights, strict=True)]
        return float(np.mean(np.array(p) < STRANGE))

    saw_half = np.maximum(answered(draw, bank, np.full(30, -1.0)), draw.random((30, 200)) < 0.5)
    assert accused(saw_half) > 0.4
    assert accused(answered(draw, bank, draw.normal(size=30))) < 0.15
    assert accused(answered(draw, bank, np.full(30, 2.5))) < 0.15  # abler than any of the bank


def test_content_is_asked_in_proportion():
    draw = np.random.default_rng(7)
    bank = bank_of(draw, 200)
    answers, _, _, _ = examined(bank, answered(draw, bank, 0.0)[0], 80, draw)
    assert np.bincount(bank.part[~np.isnan(answers)]).min() >= 14


@pytest.mark.slow
def test_one_like_another_of_the_bank_is_known_from_a_tenth():
    draw = np.random.default_rng(8)
    habits = (draw.random((4, 200)) < 0.5).astype(float)  # four ways to answer, and no ability
    scores = np.repeat(habits, 3, axis=0)
    slips = draw.random(scores.shape) < 0.05
    scores[slips] = 1 - scores[slips]
    scores = scores[draw.permutation(len(scores))]
    bank = learn(scores, np.full(200, 0.5), ["all"] * 200).model(["all"] * 200)
    assert bank.spread.likeness > 1
    missed, drawn = [], []
    for truth in habits:
        answers, known, _, _ = examined(bank, truth, 20, draw)
        missed.append(score_on_all(answers, bank.drawn(answers, known)).share - truth.mean())
        drawn.append(draw.choice(truth, 20, replace=False).mean() - truth.mean())
    guessed = float(np.sqrt(0.25 / 20))
    assert np.abs(missed).mean() < guessed / 3


@pytest.mark.slow
def test_what_guessing_gets_is_no_floor_where_all_fall_for_the_same_wrong_option():
    draw = np.random.default_rng(9)
    guess, parts = np.full(120, 0.5), ["all"] * 120
    world = bank_of(draw, 120)
    fooled = answered(draw, world, draw.normal(size=16)) * (draw.random(120) < 0.6)
    assert not learn(fooled, guess, parts).curves[0].c
    world.floor = guess
    assert learn(answered(draw, world, draw.normal(size=16)), guess, parts).curves[0].c == 0.5


@pytest.mark.slow
def test_a_bank_that_tells_nothing_of_others_says_so_in_its_spread():
    draw = np.random.default_rng(10)
    world, guess = bank_of(draw, 100), np.zeros(100)
    world.floor = guess
    parts = ["all"] * 100
    same = learn(answered(draw, world, draw.normal(size=12)), guess, parts).spread
    coins = (draw.random((12, 100)) < draw.random((12, 1))).astype(float)
    noise = learn(coins, guess, parts).spread
    assert abs(same.order - 1) < 0.5
    assert noise.order < same.order


def test_a_bank_of_many_gets_slopes_difficulties_and_guessing_back():
    draw = np.random.default_rng(8)
    bank = bank_of(draw, 40)
    scores = answered(draw, bank, draw.normal(size=600))
    found = response.fit(scores, "2PL", np.full(40, 0.25), pooled=True)
    places = np.array(found.places)
    assert np.corrcoef(places, bank.place)[0, 1] > 0.97
    assert np.abs(places - bank.place).mean() < 0.25


@pytest.mark.slow
def test_the_steepest_items_of_a_bank_are_as_steep_as_they_look():
    draw = np.random.default_rng(11)
    looks, is_ = [], []
    for _ in range(3):
        bank = bank_of(draw, 300)
        scores = answered(draw, bank, draw.normal(size=200))
        slopes = np.array(response.fit(scores, "2PL", np.full(300, 0.25), pooled=True).slopes)
        steep = np.argsort(slopes)[-30:]  # those that an exam asks
        looks.append(slopes[steep].mean())
        is_.append(bank.loadings[steep, 0].mean())
    assert np.mean(looks) == pytest.approx(np.mean(is_), rel=0.08)


@pytest.mark.slow
def test_repeats_of_a_model_are_kin_and_other_takers_are_none():
    draw = np.random.default_rng(12)
    bank = bank_of(draw, 120)
    scores = answered(draw, bank, draw.normal(size=8))
    assert len(set(kin_of(scores))) == 8
    again = np.where(draw.random(scores.shape) < 0.05, 1 - scores, scores)
    kin = kin_of(np.vstack([scores, again]))
    assert (kin[:8] == kin[8:]).all()
    assert len(set(kin)) == 8
    parts = ["all"] * 120
    assert learn(np.vstack([scores, again]), np.zeros(120), parts).strangers is not None
    assert learn(scores, np.zeros(120), parts).strangers is None
    assert learn(np.vstack([scores, again]), np.zeros(120), parts).spread.takers == 8


def test_kin_are_those_of_one_name_and_those_who_answer_the_same():
    draw = np.random.default_rng(13)
    scores = (draw.random((6, 40)) < 0.5).astype(float)
    scores[draw.random(scores.shape) < 0.1] = np.nan
    assert kin_of(scores).tolist() == [0, 1, 2, 3, 4, 5]
    assert kin_of(scores, list("abcabd")).tolist() == [0, 1, 2, 0, 1, 3]
    assert kin_of(scores[[0, 1, 0, 1]]).tolist() == [0, 1, 0, 1]
    assert kin_of(scores[[2, 2, 2]]).tolist() == [0, 0, 0]  # nobody else to tell them from


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


@pytest.mark.slow
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


@pytest.mark.slow
def test_its_tables_say_what_it_found_and_what_the_bank_is_worth(bank, tmp_path, capsys):
    out = tmp_path / "exam"
    assert run("exam", "exercises", "--bank", bank, "-m", "first", "--n", 12, "--out", out) == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "ability, in logits of the bank" in said
    assert "fewer than 30 models or people" in said
    assert "score on all questions, by the bank" not in said
    place = r"place among the takers of the bank ((above|below) (all 4|\d)|not distinguished)"
    assert re.search(place, said)
    assert run("report", out, "--out", tmp_path / "report.html") == 0
    page = (tmp_path / "report.html").read_text()
    heading = re.sub("<[^>]+>", "", re.search(r"<h1.*?</h1>", page, re.DOTALL)[0])
    assert re.search(
        r"first gets [\d.]+\s% right on all 64 questions of exercises, estimated from 12 of them",
        heading,
    )
    (ruler,) = read(tmp_path / "report.html").id("front").all("table", "dots")
    takers = sorted((one.ability, one.name) for one in read_bank(bank)[0].takers)
    assert len(ruler.all("line", "tick")) == 5 + len(takers)  # per cent above the takers
    names = {one.text for one in ruler.all("text") if one.text}
    assert names >= {name[:14] for _, name in takers}  # none goes unnamed, however near another
    figure = re.findall(r"[+−][\d.]+", ruler.all("td", "told")[1].text)
    told = float(figure[0].replace("−", "-"))
    least, most = min(told, takers[0][0]), max(told, takers[-1][0])
    place = 3 + 94 * (told - least + (most - least) / 2) / (2 * (most - least))
    (_, mark) = ruler.all("g", "mark")
    assert abs(float(mark.all("use")[0].attributes["x"].rstrip("%")) - place) < 0.5
    checks = read(tmp_path / "report.html").all("ul", "checks")[0].text
    assert "12 items asked" in checks
    assert "Outcomes" not in page  # what is right of an exam's questions is no share of the whole
    assert "measured in the tables below" not in page
    capsys.readouterr()
    assert run("table", out) == 0  # the same figure in a paper's table, in per cent
    shown = re.search(r"first gets ([\d.]+)\s% right", heading)[1]
    table = capsys.readouterr().out
    assert "score on the whole" in table
    assert shown in table
    other = tmp_path / "gone.json"
    bank_file = bank.read_bytes()
    bank.rename(other)
    try:
        assert run("show", out) == 0
        assert "no score and no standing" in " ".join(capsys.readouterr().out.split())
    finally:
        bank.write_bytes(bank_file)


@pytest.mark.slow
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
    assert "read by" not in said  # robust is how exams are read
    assert "instead of the default" not in said  # how many are asked does not change what is found


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (("exam", "ziqi"), "a bank of exercises, and not of ziqi"),
        (("exam", "exercises", "--n", 3), "--n"),
        (("exam", "exercises", "--se", 3), "--se 3"),
        (("exam", "exercises", "--stop", 3), "unknown flag --stop"),
    ],
)
def test_what_cannot_be_is_refused(bank, tmp_path, capsys, words, said):
    more = ("--bank", bank, "-m", "random", "--out", tmp_path / "x")
    assert run(*words[:2], *more, *words[2:]) == 2
    assert said in capsys.readouterr().err


def test_without_a_model_the_call_is_said(bank, capsys):
    assert run("exam", "exercises", "--bank", bank) == 2
    assert "zhiyin exam BENCHMARK --bank FILE -m MODEL" in capsys.readouterr().err


def test_a_bank_of_other_questions_is_refused(bank, tmp_path, capsys):
    text = bank.read_text().replace('"question": "', '"question": "other ')
    (tmp_path / "bank.json").write_text(text)
    explained = read_bank(bank)[0].explained
    words = ("exam", "exercises", "--bank", tmp_path / "bank.json", "-m", "random", "--n", 12)
    assert run(*words, "--out", tmp_path / "x") == (0 if explained else 2)
    if not explained:
        assert "questions of exercises is in the bank" in capsys.readouterr().err


@pytest.mark.slow
def test_an_exam_of_a_file_of_questions(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [
        f"q{n},What is tempo {n}?,slow{n},fast{n}{'!' * (n % 5)},{'AB'[n % 2]}" for n in range(30)
    ]
    (tmp_path / "own.csv").write_text("\n".join(["id,question,A,B,answer", *rows]))
    runs = ("random", "first", "longest", "overlap")
    for model in runs:
        assert run("run", "own.csv", "-m", model, "--out", model, "--quiet") == 0
    assert run("stats", "items", *runs, "--bank", "bank.json") == 0
    capsys.readouterr()
    more = ("--bank", "bank.json", "-m", "first", "--n", 10)
    assert run("exam", "own.csv", *more, "--out", "exam") == 0
    assert "questions: 30, calibrated: 30" in " ".join(capsys.readouterr().out.split())


@pytest.mark.slow
def test_who_is_right_on_all_is_above_all_and_the_draw_leads(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "200")
    rows = [f"q{n},What is tempo {n}?,slow{n},fast{n},{'AB'[n % 2]}" for n in range(40)]
    (tmp_path / "own.csv").write_text("\n".join(["id,question,A,B,answer", *rows]))
    (tmp_path / "able.py").write_text(
        "import re\ndef answer(messages):\n"
        "    number = int(re.search(r'tempo (\\d+)', str(messages[-1]['content']))[1])\n"
        "    word = ('slow', 'fast')[number % 2] + str(number)\n"
        "    return re.search(r'([AB])[).:] *' + word, str(messages[-1]['content']))[1]\n"
    )
    for model in ("random", "first", "longest", "overlap"):
        assert run("run", "own.csv", "-m", model, "--out", model, "--quiet") == 0
    assert run("stats", "items", "random", "first", "longest", "overlap", "--bank", "b.json") == 0
    more = ("--bank", "b.json", "-m", "python:able.py:answer", "--n", 12, "--out", "exam")
    assert run("exam", "own.csv", *more, "--quiet") == 0
    capsys.readouterr()
    assert run("show", "exam") == 0
    said = " ".join(capsys.readouterr().out.split())
    assert "asked 12, right 12" in said
    assert "above all 4" in said
    assert re.search(r"by the draw alone [\d.]+\s% \([\d.]+–100\.0\)", said)
    ability, low, high = map(
        float, re.search(r"bank \+(\S+) \(\+?(\S+) to \+?(\S+)\)", said).groups()
    )
    assert low < ability < high
    assert "not known: at the edge of its takers" in said
    assert "nothing against it" not in said


def test_copies_of_a_taker_are_one(bank, capsys):
    names = ("random", "first", "longest", "overlap")
    runs = [bank.parent / f"{name}-{n}" for name in names for n in range(3)]
    for folder in runs:
        model = folder.name.split("-")[0]
        assert run("run", "exercises", "-m", model, "--n", 2, "--out", folder, "--json") == 0
    many = bank.parent / "many.json"
    assert run("stats", "items", *runs, "--bank", many) == 0
    assert "12 participants (4 without copies)" in capsys.readouterr().out
    found, _ = read_bank(many)
    assert len(found.takers) == 12
    assert found.families == 4
    pool = pool_of(found, Exam(ExamSettings(bank=str(many))).inner)
    crowd = msgspec.structs.replace(found, takers=found.takers * 3)  # which are no thirty
    out = bank.parent / "of-many"
    assert run("exam", "exercises", "--bank", many, "-m", "first", "--n", 12, "--out", out) == 0
    assert outcome_of([*read_records(out)], crowd, pool).by_bank is None
    spread = msgspec.structs.replace(found.differences, takers=30)
    wide = msgspec.structs.replace(crowd, differences=spread, strangers=None)
    near = outcome_of([*read_records(out)], wide, pool)
    assert (near.by_bank, near.leading[1]) == (None, "edge")  # none of the four is like this one
    ends = [msgspec.structs.replace(wide.takers[0], ability=place) for place in (-9.0, 9.0)]
    among = msgspec.structs.replace(wide, takers=[*wide.takers, *ends])
    assert outcome_of([*read_records(out)], among, pool).leading[1] == "bank"
    capsys.readouterr()
    assert run("stats", "items", *runs[:9], "--bank", bank.parent / "no.json") == 2
    told = capsys.readouterr().err
    assert "there are 3 in 9 runs" in told


def test_three_takers_make_no_bank(bank, capsys):
    runs = [bank.parent / name for name in ("random", "first", "longest")]
    assert run("stats", "items", *runs, "--bank", bank.parent / "no.json") == 2
    assert "needs the answers of 4" in capsys.readouterr().err


def test_a_bank_is_known_by_its_form(tmp_path):
    for text in ("{}", "no", '{"format": 1}', '{"format": 2}'):
        (tmp_path / "bank.json").write_text(text)
        with pytest.raises(InputError, match=r"bank\.json: (not a bank|a bank of another)"):
            read_bank(tmp_path / "bank.json")
