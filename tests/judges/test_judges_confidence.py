"""Confidence and whether it was deserved."""

import json
import math
from pathlib import Path

import msgspec
import pytest

from judge_help import CLAIMING, choice, judge, judge_answer, make_run
from servers import ChatServer
from zhiyin.plugins.judges.cases import JudgedCase
from zhiyin.plugins.judges.combine import ASPECTS
from zhiyin.plugins.judges.confidence import (
    by_part,
    calibrate,
    claim_confidence,
    confidence_lines,
    confidence_of,
    of_choices,
    review_confidence,
)
from zhiyin.plugins.judges.grades import Grade, Grades
from zhiyin.plugins.judges.report import build, lines
from zhiyin.plugins.judges.rubric import Claim, Judgement, JudgementDetail
from zhiyin.plugins.judges.rules import AS_RELEASED, OURS
from zhiyin.record import Reply


@pytest.mark.parametrize(
    ("text", "confidence"),
    [
        ("A. Confidence: 80%", 0.8),
        ("A\nconfidence level is 0.35", 0.35),
        ("置信度：0.9", 0.9),
        ("我有把握约75%", 0.75),
        ("Confidence: 7/10", 0.7),
        ("Confidence: 95/100", 0.95),
        ("confidence: 60", 0.6),
        ("Confidence: 10% at first, then confidence: 70%", 0.7),
        ("Confidence: 1", 1.0),
        ("Confidence: 8", None),
        ("Confidence: 8 out of 10", 0.8),
        ("Confidence (1-10): 8", 0.8),
        ("Confidence (0-100): 8", 0.08),
        ("Confidence: 4/5", 0.8),
        ("confidence: 85 percent", 0.85),
        ("I am confident.", None),
        ("Confidence: 140%", None),
        ("confidence in the text", None),
        ("**Confidence:** 80%", 0.8),
    ],
)
def test_stated(text, confidence):
    found = confidence_of(Reply(text), "A")
    assert (found and found[0]) == confidence
    assert found is None or found[1] == "stated"


def test_log_probabilities_are_normalised_over_the_options():
    reply = Reply("A", logprobs={"A": math.log(0.3), "B": math.log(0.1)})
    assert confidence_of(reply, "A") == (pytest.approx(0.75), "log-probabilities")
    assert confidence_of(reply, "C") is None


def test_the_function_comes_first():
    reply = Reply("Confidence: 20%", logprobs={"A": 0.0}, detail={"confidence": 0.6})
    assert confidence_of(reply, "A") == (0.6, "function")


def test_calibration_by_hand():
    records = [
        choice("a", "Confidence: 80%", "correct"),
        choice("b", "Confidence: 80%", "wrong"),
        choice("c", "Confidence: 20%", "wrong"),
        choice("d", "sure", "wrong"),
        choice("e", "Confidence: 90%", "no_answer"),
        choice("f", "", "error"),
    ]
    found = calibrate(records)
    assert found.unknown == 1
    assert found.sources == {"stated": 3}
    assert found.calibration.ece == pytest.approx((2 * 0.3 + 0.2) / 3)
    assert found.brier.score == pytest.approx((0.04 + 0.64 + 0.04) / 3)
    text = "\n".join(confidence_lines(found))
    assert "said 0.80  right 0.50 |##########          | n = 2" in text


@pytest.mark.parametrize(
    ("written", "shares"),
    [
        (["8", "6", "1"], [0.8, 0.6, 0.1]),
        (["8", "90", "0.9"], [0.08, 0.9, 0.9]),
        (["1", "0.4", "0"], [1.0, 0.4, 0.0]),
    ],
)
def test_a_number_is_read_on_the_scale_of_its_run(written, shares):
    records = [choice(n, f"A. Confidence: {n}", "correct") for n in written]
    found = calibrate(records)
    assert found.unknown == 0
    assert found.brier.score == pytest.approx(sum((1 - s) ** 2 for s in shares) / 3)


def test_nothing_known_is_nothing():
    assert calibrate([choice("a", "A", "correct")]) is None
    assert list(confidence_lines(None)) == []


REVIEWS = {
    "own": ("旋律平稳。\nConfidence: 80%", 0.8),
    "bold": ("A calm song.\n\n**Overall confidence:** 80%", 0.8),
    "of its only sentence": ("置信度：0.9。这首歌很动听。", 0.9),
    "within another sentence": ("The tempo is 120 bpm (confidence: 80%). A calm song.", None),
    "after a claim": ("The tempo is 120 bpm; confidence 80%.", None),
    "two": ("Fast. Confidence: 80%. In C major. Confidence: 40%.", None),
    "none": ("A calm song.", None),
}


@pytest.mark.parametrize(("text", "confidence"), REVIEWS.values(), ids=REVIEWS)
def test_a_review_states_its_confidence_in_a_sentence_of_its_own(text, confidence):
    found = review_confidence(Reply(text))
    assert (found and found[0]) == confidence


def test_a_claim_has_the_confidence_of_its_sentence():
    text = (
        "The tempo is 120.5 bpm (confidence: 90%). It was released in 2004. "
        "The key is C, confidence 20%, and the metre is 3/4, confidence 30%.\nConfidence: 60%"
    )

    def of(quote, reply=text):
        found = claim_confidence(Reply(reply), Claim("", quote))
        return found and found[0]

    assert of("tempo is 120.5 bpm") == 0.9
    assert of("released in 2004") == 0.6
    assert of("The key is C") is None  # two are stated beside it
    assert of("words that are not there") is None
    assert of("words that are not there", "A song of 2004.\nConfidence: 60%") == 0.6


def appraised(songs, rules=OURS):
    """Choices, replies and grades of songs: (confidence, right and wrong claims, share)."""
    replies, cases, grades = {}, [], []
    for number, (confidence, verdicts, share) in enumerate(songs):
        name = f"song-{number}"
        replies[name] = Reply("A song.", detail={"confidence": confidence})
        cases.append(JudgedCase(name, name, "A song."))
        claims = [Claim("A song", "A song", verdict=v) for v in verdicts]
        found = {aspect: Judgement({"score": share * rules.most[aspect]}) for aspect in ASPECTS}
        found["precision"] = Judgement({}, JudgementDetail(claims=claims))
        grades += [Grade(aspect, 1, name, found[aspect]) for aspect in ASPECTS]
    judged = Grades(Path(), "judge", 1, ASPECTS, cases, grades, [], rules)
    return by_part(of_choices([]), replies, judged)


def rows_of(songs, rules=OURS):
    return {row.part: row for row in appraised(songs, rules)}


RIGHT, WRONG, OPEN = "supported", "contradicted", "not_in_details"


def test_an_overconfident_model_by_hand():
    songs = [(0.95, [RIGHT, WRONG, WRONG, OPEN], 0.2), (0.95, [WRONG, WRONG, RIGHT], 0.3)]
    songs.append((0.95, [WRONG, WRONG], 0.25))
    rows = rows_of(songs * 6)
    for part in ("precision", "completeness", "novelty", "total"):
        assert rows[part].bias.mean == pytest.approx(0.7), part
        assert 0 < rows[part].bias.low < 0.7 < rows[part].bias.high <= 1, part
    assert rows["precision"].n == 48
    assert rows["precision"].outcomes.calibration.ece == pytest.approx(0.7)
    assert rows["precision"].outcomes.calibration.bias == pytest.approx(0.7)
    assert rows["precision"].gap is None
    for part in ("completeness", "novelty"):
        assert rows[part].gap == pytest.approx(0.7)
        assert rows[part].outcomes is None  # no right or wrong: no calibration error


def test_a_well_calibrated_model_by_hand():
    songs = [(0.75, [RIGHT, RIGHT, RIGHT, WRONG], 0.75), (0.5, [RIGHT, WRONG], 0.5)] * 4
    rows = rows_of(songs)
    assert rows["precision"].outcomes.calibration.ece == pytest.approx(0, abs=1e-12)
    for part in ("precision", "completeness", "novelty", "total"):
        assert rows[part].bias.mean == pytest.approx(0, abs=1e-12)
        assert rows[part].bias.low < 0 < rows[part].bias.high
    assert rows["completeness"].gap == pytest.approx(0, abs=1e-12)


def test_bias_can_hide_a_gap():
    rows = rows_of([(0.9, [RIGHT], 0.1), (0.1, [WRONG], 0.9)])
    assert rows["novelty"].bias.mean == pytest.approx(0)
    assert rows["novelty"].gap == pytest.approx(0.8)


def test_missing_confidences_are_counted_and_in_no_figure():
    known = [(0.8, [RIGHT, WRONG], 0.25), (0.6, [RIGHT], 0.5)]
    rows, alone = rows_of([*known, (None, [WRONG] * 3, 0.0)]), rows_of(known)
    assert {part: row.unknown for part, row in rows.items()} == {
        "qa": 0, "precision": 3, "completeness": 1, "novelty": 1, "total": 5,
    }  # fmt: skip
    for part in ("precision", "completeness", "novelty", "total"):
        assert rows[part].bias == alone[part].bias
        assert rows[part].stated == alone[part].stated
        assert rows[part].gap == alone[part].gap
    assert rows["qa"].bias is None
    assert appraised([(None, [RIGHT], 0.5)] * 3) == []


def test_claims_of_one_song_are_one_draw():
    alike = rows_of([(0.5, [RIGHT] * 10, 1.0), (0.5, [WRONG] * 10, 0.0)] * 2)["precision"].bias
    alone = rows_of([(0.5, [RIGHT], 1.0), (0.5, [WRONG], 0.0)] * 20)["precision"].bias
    assert (alike.n, alike.clusters, alone.n, alone.clusters) == (40, 4, 40, 40)
    assert alike.mean == alone.mean == pytest.approx(0)
    assert alone.high - alone.low < 0.35 < 0.9 < alike.high - alike.low
    one = rows_of([(0.5, [RIGHT, WRONG] * 5, 0.5)])
    assert (one["precision"].bias.low, one["precision"].bias.high) == (-1, 1)
    assert (one["total"].bias.low, one["total"].bias.high) == (-1, 1)


def test_the_whole_is_weighted_as_the_total():
    rows = rows_of([(0.9, [RIGHT, WRONG], 0.2), (0.7, [RIGHT], 0.6)])
    weights = {"completeness": 40, "precision": 20, "novelty": 10}
    expected = sum(weights[name] * rows[name].bias.mean for name in weights) / 70
    total = rows["total"]
    assert total.bias.mean == pytest.approx(expected)
    assert total.stated - total.reached == pytest.approx(expected)


def test_open_claims_are_wrong_as_released_alone():
    songs = [(0.5, [RIGHT, OPEN], 0.5)] * 3
    assert rows_of(songs)["precision"].bias.mean == pytest.approx(-0.5)
    assert rows_of(songs, AS_RELEASED)["precision"].bias.mean == pytest.approx(0)


@pytest.mark.slow
def test_a_judged_run_tells_the_confidence_of_every_part(tmp_path):
    texts = [f"{CLAIMING}\n置信度：90%", f"{CLAIMING}置信度：70%。", CLAIMING]
    run = make_run(tmp_path / "run", texts)
    with ChatServer(judge_answer) as server:
        folder = judge(run, f"{server.url}#judge-1", draws=2)
    report = build(run, [folder])
    rows = {row.part: row for row in report.confidences[0]}
    assert (rows["precision"].n, rows["precision"].unknown) == (16, 8)  # 4 claims, 2 draws
    assert rows["precision"].stated == pytest.approx(0.8)
    assert rows["precision"].outcomes.calibration.ece == pytest.approx(0.15 / 2 + 0.05 / 2)
    assert rows["precision"].bias.mean == pytest.approx(0.05)
    assert (rows["novelty"].n, rows["novelty"].unknown) == (2, 1)
    assert rows["novelty"].reached == pytest.approx(0.9)
    assert rows["novelty"].gap == pytest.approx(0.1)
    assert (rows["qa"].n, rows["qa"].unknown, report.confidence) == (0, 2, None)
    text = "\n".join(lines(report))
    title = f"CONFIDENCE IN CLAIMS, judged by {report.judges[0].judge}"
    assert f"{title} (16 stated; 8 claims without)" in text
    assert "questions: unknown; 2 answers without" in text
    assert "novelty: said 0.8000, reached 0.9000, bias −0.1000" in text
    assert "no calibration error" in text
    told = json.loads(msgspec.json.encode(report))["confidences"][0]
    assert [row["part"] for row in told] == ["qa", *ASPECTS, "total"]
    assert told[1]["outcomes"] is None
    assert told[2]["outcomes"]["sources"] == {"stated": 16}
