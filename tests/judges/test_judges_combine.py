"""Components, weights and bounds, by hand and by property."""

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.engine.scoring import Count
from zhiyin.errors import InputError
from zhiyin.plugins.judges import combine
from zhiyin.plugins.judges.combine import (
    WEIGHTS,
    mean_score,
    pooled_precision,
    questions,
    read_weights,
    weighted,
)
from zhiyin.plugins.judges.grades import Grade
from zhiyin.plugins.judges.heard import NOTHING
from zhiyin.plugins.judges.rubric import Judgement, JudgementDetail


def grade(case, draw, **scores):
    judgement = Judgement(scores) if scores else None
    return Grade("any", draw, case, judgement, "" if scores else "lost")


def scored(**cases):
    """From a case's name to the scores of its draws, None for a lost one."""
    return {
        case: [grade(case, k) if s is None else grade(case, k, score=s) for k, s in enumerate(row)]
        for case, row in cases.items()
    }


def checked(**cases):
    """From a case's name to (supported, checked) of its draws."""
    return {
        case: [
            grade(case, k) if pair is None else grade(case, k, supported=pair[0], checked=pair[1])
            for k, pair in enumerate(row)
        ]
        for case, row in cases.items()
    }


def test_weights_of_seed_3_and_others():
    assert read_weights(None) == WEIGHTS == (30, 40, 20, 10)
    assert read_weights("1/0/0.5/0") == (1, 0, 0.5, 0)
    for text in ("", "1/2/3", "1/2/3/4/5", "-1/1/1/1", "inf/1/1/1", "nan/1/1/1"):
        with pytest.raises(InputError, match="write four numbers"):
            read_weights(text)


def test_seed_3_example_total():
    """75 %, 84.375 %, 80 % and 72 % with 30/40/20/10 are 79.45 %, whatever the example prints."""
    values = {"a": 0.75, "b": 13.5 / 16, "c": 0.8, "d": 0.72}
    assert weighted(values, dict(zip("abcd", WEIGHTS, strict=True))) == pytest.approx(0.7945)


def test_a_component_without_a_value_is_left_out():
    weights = dict(zip("abcd", WEIGHTS, strict=True))
    assert weighted({"a": 0.5, "b": None, "c": 1.0, "d": None}, weights) == pytest.approx(0.7)
    assert weighted({"a": None}, weights) is None
    assert weighted({"a": 0.5}, {"a": 0.0}) is None


def test_questions():
    part = questions(Count(correct=3, wrong=1, no_answer=2, error=2))
    assert (part.value, part.low, part.high, part.n, part.errors) == (0.5, 3 / 8, 5 / 8, 6, 2)
    assert questions(Count(error=2)).value is None
    assert questions(None).low is None


def test_mean_over_draws_then_songs():
    part = mean_score(scored(a=(4, 8), b=(16, 16)), 16)
    assert (part.value, part.low, part.high) == (0.6875, 0.6875, 0.6875)


def test_missing_draws_and_songs():
    part = mean_score(scored(a=(8, None), b=(None, None)), 16)
    assert part.value == 0.5
    assert part.low == pytest.approx((0.25 + 0) / 2)
    assert part.high == pytest.approx((0.75 + 1) / 2)
    assert (part.n, part.errors) == (1, 3)


def test_precision_is_pooled_over_claims():
    part = pooled_precision(checked(a=[(9, 12)], b=[(3, 3)]))
    assert part.value == 12 / 15
    assert part.low == part.high == part.value


def test_precision_with_a_missing_song():
    part = pooled_precision(checked(a=[(9, 12)], b=[None]))
    assert part.value == 0.75
    assert (part.low, part.high) == (9 / 24, 21 / 24)


def test_no_claims_is_no_failure():
    part = pooled_precision(checked(a=[(0, 0)]))
    assert (part.value, part.low, part.errors) == (None, None, 0)
    assert part.why == "no review makes a claim that the evidence decides"
    lost = pooled_precision(checked(a=[None]))
    assert (lost.value, lost.low, lost.high, lost.errors) == (None, 0.0, 1.0, 1)


def test_claims_that_nothing_decides_beside_a_lost_judgement_are_not_all_lost():
    part = pooled_precision(checked(a=[(0, 0)], b=[None], c=[(0, 0)]))
    assert (part.value, part.errors) == (None, 1)
    assert part.why == "no review makes a claim that the judgements there are decide"
    assert pooled_precision(checked(a=[None], b=[None])).why == "every judgement failed"


_table = st.integers(1, 3).flatmap(
    lambda draws: st.lists(
        st.lists(st.tuples(st.integers(0, 16), st.booleans()), min_size=draws, max_size=draws),
        min_size=1,
        max_size=6,
    )
)


@given(_table)
def test_bounds_hold_whatever_is_missing(rows):
    true = scored(**{f"s{k}": [s for s, _ in row] for k, row in enumerate(rows)})
    seen = scored(
        **{f"s{k}": [None if lost else s for s, lost in row] for k, row in enumerate(rows)}
    )
    truth, part = mean_score(true, 16).value, mean_score(seen, 16)
    assert part.low - 1e-9 <= truth <= part.high + 1e-9
    if part.value is not None:
        assert part.low - 1e-9 <= part.value <= part.high + 1e-9


@given(
    st.lists(st.tuples(st.integers(0, 5), st.integers(0, 5), st.booleans()), min_size=2, max_size=6)
)
def test_bounds_of_precision_hold(rows):
    """Where no missing judgement checked more claims than the largest of the others."""
    rows = [(min(a, b), b, lost) for a, b, lost in rows]
    rows[0] = (rows[0][0], 5, False)
    true = checked(**{f"s{k}": [(a, b)] for k, (a, b, _) in enumerate(rows)})
    seen = checked(**{f"s{k}": [None if lost else (a, b)] for k, (a, b, lost) in enumerate(rows)})
    truth, part = pooled_precision(true).value, pooled_precision(seen)
    assert part.low is not None
    assert part.low - 1e-9 <= truth <= part.high + 1e-9


def judgement(case, aspect, found):
    """A grade as `combine` sees it; None for one that could not be had."""
    given = found and SimpleNamespace(scores=found, detail=JudgementDetail(), mended=False)
    return SimpleNamespace(case=case, aspect=aspect, judgement=given, error="gone")


def test_pooled_precision_by_hand():
    """Two draws of a song, one of them lost: between all wrong and all right of as many claims."""
    one = judgement("a", "precision", {"supported": 2.0, "checked": 4.0, "score": 0.5})
    lost = judgement("a", "precision", None)
    other = judgement("b", "precision", {"supported": 1.0, "checked": 1.0, "score": 1.0})
    found = combine.pooled_precision({"a": [one, lost], "b": [other]})
    assert found.value == pytest.approx(3 / 5)
    assert found.low == pytest.approx((2 / 2 + 1) / ((4 + 4) / 2 + 1))
    assert found.high == pytest.approx((2 / 2 + 1 + 4 / 2) / ((4 + 4) / 2 + 1))


def test_notes_say_what_is_there_and_nothing_else():
    grades = SimpleNamespace(
        grades=[judgement("a", "novelty", {"score": 1.0})], errors=[],
        rules=SimpleNamespace(pooled=True), unwritten=[],
    )  # fmt: skip
    assert combine._notes({}, {}, grades) == []
    grades.grades[0].judgement.detail = JudgementDetail(unquoted=2)
    assert list(map(str, combine._notes({}, {}, grades))) == [
        "quotations of the judge that are not in the review: 2"
    ]


def test_a_lost_judgement_without_weight_costs_no_total():
    scales = dict.fromkeys(combine.ASPECTS, (0.0, 2.0))
    case = SimpleNamespace(id="a", song="a", text="", heard=NOTHING)
    grades = [judgement("a", "completeness", {"score": 1.0}), judgement("a", "novelty", None)]
    weights = {"completeness": 1.0, "precision": 1.0, "novelty": 0.0}
    told = SimpleNamespace(grades=grades, scales=scales, share=lambda _, score: score / 2)
    assert combine._song(case, told, weights).total == 0.5
    assert combine._song(case, told, weights | {"novelty": 1.0}).total is None
    both = SimpleNamespace(grades=grades[:1], scales=scales, share=told.share)
    assert combine._song(case, both, weights | {"novelty": 1.0}).total == 0.5


def test_questions_of_which_half_failed():
    found = combine.questions(SimpleNamespace(judged=5, error=5, correct=3))
    assert (found.value, found.low, found.high) == (0.6, 0.3, 0.8)
    assert combine.questions(SimpleNamespace(judged=0, error=0, correct=0)).why == "not run"
