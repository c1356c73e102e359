"""Constant answers, chance and rotations against hand arithmetic and brute force."""

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.errors import InputError
from zhiyin.plugins.methods.choice import best_constant, chance_corrected, consistency

RNG = np.random.default_rng(11)


def test_best_constant():
    found = best_constant(list("ABBDBA"))
    assert (found.letter, found.accuracy, found.n) == ("B", 0.5, 6)
    assert best_constant(list("BA")).letter == "A"


def test_chance_corrected():
    found = chance_corrected([1, 1, 1, 0], 4)
    assert found.corrected == pytest.approx((0.75 - 0.25) / 0.75)
    assert found.low == pytest.approx((found.accuracy.low - 0.25) / 0.75)
    mixed = chance_corrected([1, 0, 1, 0], [4, 2, 4, 2])
    assert mixed.chance == pytest.approx(0.375)
    assert mixed.corrected == pytest.approx(0.125 / 0.625)
    options = RNG.integers(2, 6, 20000)
    guesses = chance_corrected(RNG.random(20000) < 1 / options, options)
    assert guesses.low < 0 < guesses.high
    assert chance_corrected(np.ones(30), 4).corrected == pytest.approx(1)


def brute_agreement(keys):
    pairs = list(itertools.combinations(keys, 2))
    return sum(a == b and a is not None for a, b in pairs) / len(pairs)


@given(
    st.lists(st.lists(st.sampled_from(["a", "b", "c", None]), min_size=2, max_size=5), min_size=1)
)
def test_consistency_equals_brute_force(chosen):
    gold = ["a"] * len(chosen)
    found = consistency(chosen, gold)
    assert found.agreement.mean == pytest.approx(np.mean([brute_agreement(x) for x in chosen]))
    assert found.all_right.mean == pytest.approx(np.mean([set(x) == {"a"} for x in chosen]))
    assert found.accuracy.mean == pytest.approx(np.mean([x.count("a") / len(x) for x in chosen]))
    assert found.asked == sum(map(len, chosen))


def test_always_the_same_letter_is_inconsistent_in_content():
    """Under four rotations letter A shows each content once."""
    chosen = [["w", "x", "y", "z"]] * 5
    found = consistency(chosen, list("wxyzw"))
    assert found.agreement.mean == 0
    assert found.accuracy.mean == 0.25
    assert found.all_right.mean == 0


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: best_constant([]), "no items"),
        (lambda: chance_corrected([1], 1), "fewer than 2"),
        (lambda: chance_corrected([2], 4), "outside"),
        (lambda: consistency([["a"]], ["a"]), "item 1 has 1 rotations"),
    ],
)
def test_bad_input_is_one_line(call, words):
    with pytest.raises(InputError, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
