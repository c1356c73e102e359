"""Components of variance: by hand, where designs have holes, and on simulated models."""

import importlib.util
from pathlib import Path

import numpy as np
import pytest

from zhiyin.errors import InputError
from zhiyin.plugins.methods.components import COMBINED, ITEMS, SAMPLING, components

PATH = Path(__file__).parents[2] / "bench" / "components.py"
SPEC = importlib.util.spec_from_file_location("bench_components", PATH)
bench = importlib.util.module_from_spec(SPEC)
SPEC.loader.exec_module(bench)


def answers(items=12, words=3, orders=4, repeats=2, seed=0):
    draw = np.random.default_rng(seed)
    shape = items, words, orders, repeats
    y = (draw.random(shape) < 0.3 + 0.4 * draw.random((items, words, 1, 1))).astype(float)
    item, word, order, _ = np.indices(shape).reshape(4, -1)
    return y, item, word, order


def test_a_balanced_design_gives_what_the_analysis_of_variance_gives():
    y, item, word, order = answers()
    found = components(y.ravel(), item, {"words": word, "order": order})
    n, words, orders, repeats = y.shape
    cells, by_word, by_order = y.mean(3), y.mean((2, 3)), y.mean((1, 3))
    own = y.mean((1, 2, 3))

    def square(values, times, df):
        return times * float(np.sum(values**2)) / df

    inner = cells - by_word[:, :, None] - by_order[:, None, :] + own[:, None, None]
    each = square(y - cells[..., None], 1, n * words * orders * (repeats - 1))
    both = square(inner, repeats, n * (words - 1) * (orders - 1))
    of_words = square(by_word - own[:, None], orders * repeats, n * (words - 1))
    of_orders = square(by_order - own[:, None], words * repeats, n * (orders - 1))
    of_items = square(own - own.mean(), words * orders * repeats, n - 1)
    expected = {
        SAMPLING: each,
        COMBINED: (both - each) / repeats,
        "words": (of_words - both) / (orders * repeats),
        "order": (of_orders - both) / (words * repeats),
        ITEMS: (of_items - of_words - of_orders + both) / (words * orders * repeats),
    }
    for name, value in expected.items():
        assert found.part(name).variance == pytest.approx(max(0.0, value), abs=1e-12)
    total = sum(max(0.0, value) for value in expected.values())
    assert sum(part.share for part in found.parts) == pytest.approx(1)
    assert found.part("words").share == pytest.approx(max(0.0, expected["words"]) / total)
    words_alone = (max(0.0, expected["words"]) / n) ** 0.5
    assert found.part("words").se_once == pytest.approx(words_alone)
    assert found.part("words").se == pytest.approx(words_alone / words**0.5)
    assert found.part(SAMPLING).se == pytest.approx((each / n / words / orders / repeats) ** 0.5)


def test_what_was_not_varied_has_no_component_and_one_factor_alone_holds_sampling():
    y, item, word, order = answers(repeats=1)
    kept = order == 0
    found = components(y.ravel()[kept], item[kept], {"words": word[kept], "order": order[kept]})
    assert found.part("order").variance is None
    assert found.part(SAMPLING).variance is None
    assert found.part("words").with_sampling
    cells = y[:, :, 0, 0]
    within = cells.var(axis=1, ddof=1).mean()
    assert found.part("words").variance == pytest.approx(within)
    both = components(y.ravel(), item, {"words": word, "order": order})
    assert both.part(COMBINED).with_sampling
    assert not both.part("words").with_sampling


def test_an_answer_that_is_missing_takes_nothing_away_and_an_item_asked_otherwise_is_left_out():
    y, item, word, order = answers(items=40, seed=3)
    gone = np.zeros(y.size, dtype=bool)
    gone[np.random.default_rng(1).choice(y.size, 30, replace=False)] = True
    gone |= (item == 7) & (word > 0)
    factors = {"words": word[~gone], "order": order[~gone]}
    found = components(y.ravel()[~gone], item[~gone], factors)
    assert (found.items, found.left_out) == (39, 1)
    whole = components(y.ravel(), item, {"words": word, "order": order})
    for part in found.parts:
        assert part.variance == pytest.approx(whole.part(part.name).variance, abs=0.02)


def test_items_of_one_cluster_are_one_draw():
    y, item, word, order = answers(items=40, seed=5)
    y[:] = np.repeat(y[::4], 4, axis=0)
    factors = {"words": word, "order": order}
    alone = components(y.ravel(), item, factors)
    together = components(y.ravel(), item, factors, item // 4)
    assert (together.items, together.clusters) == (40, 10)
    wide = together.part("words").high - together.part("words").low
    assert wide > 1.7 * (alone.part("words").high - alone.part("words").low)
    with pytest.raises(InputError, match="3 clusters"):
        components(y.ravel(), item, factors, np.zeros(y.size))


@pytest.mark.parametrize("name", ["words", "order", SAMPLING])
def test_a_model_that_goes_by_one_thing(name):
    draw = np.random.default_rng(2)
    shape = 60, 3, 4, 2
    free = {"words": (60, 3, 1, 1), "order": (60, 1, 4, 1), SAMPLING: shape}[name]
    y = np.broadcast_to(draw.random(free) < 0.5, shape).astype(float)
    item, word, order, _ = np.indices(shape).reshape(4, -1)
    found = components(y.ravel(), item, {"words": word, "order": order})
    assert found.part(name).share > 0.9
    others = {"words", "order", SAMPLING} - {name}
    assert all(found.part(other).share < 0.05 for other in others)


@pytest.mark.parametrize("known", [0.0, 1.0])
def test_an_oracle_depends_on_nothing_and_no_interval_is_without_width(known):
    y, item, word, order = answers()
    found = components(np.full(y.size, known), item, {"words": word, "order": order})
    assert {part.variance for part in found.parts} == {0.0}
    assert all(part.low == 0 < part.high for part in found.parts)


def test_what_a_server_does_to_all_items_alike_does_not_average_out():
    draw = np.random.default_rng(4)
    shape = 400, 2, 2
    y = (draw.random(shape) < np.array([0.4, 0.7])[:, None]).astype(float)
    item, server, _ = np.indices(shape).reshape(3, -1)
    shared = components(y.ravel(), item, {"server": server}, shared=frozenset({"server"}))
    own = components(y.ravel(), item, {"server": server})
    assert shared.part("server").variance == own.part("server").variance
    assert shared.part("server").variance == pytest.approx(0.3**2 / 2, abs=0.02)
    assert shared.part("server").se_once == pytest.approx(0.3 / 2**0.5, abs=0.03)
    assert own.part("server").se_once < 0.02
    assert shared.part(ITEMS).variance < 0.01


@pytest.mark.slow
@pytest.mark.parametrize("how", [{}, {"cluster": 4}])
def test_intervals_hold_the_components_of_simulated_models(how):
    found = bench.coverage(80, bench.USUAL, seed=3, items=120, **how)
    for name, true in bench.truth_of(bench.USUAL).items():
        assert found[name]["held"] >= 0.86, name  # 80 draws of 95 %: less once in 900
        assert found[name]["mean"] == pytest.approx(true, abs=0.1 * true + 0.004)


def test_answers_that_are_all_alike_have_no_impossible_interval():
    found = components([1.0] * 36, [n // 6 for n in range(36)], {"words": [0, 0, 1, 1, 2, 2] * 6})
    assert {(part.variance, part.high) for part in found.parts} == {(0.0, 0.25)}


def test_missing_answers_are_solved_as_pair_by_pair():
    draw = np.random.default_rng(5)
    answers = [
        (float(draw.random() < 0.6), item, word, order)
        for item in range(9) for word in range(3) for order in range(3) for _ in range(2)
        if draw.random() < 0.9
    ]  # fmt: skip
    halves: dict[tuple[bool, bool], list[float]] = {}
    for item in range(9):
        own = [one for one in answers if one[1] == item]
        by: dict[tuple[bool, bool], list[float]] = {}
        for place, one in enumerate(own):
            for other in own[:place]:
                kind = (one[2] != other[2], one[3] != other[3])
                by.setdefault(kind, []).append((one[0] - other[0]) ** 2 / 2)
        for kind, values in by.items():
            halves.setdefault(kind, []).append(float(np.mean(values)))
    assert {len(values) for values in halves.values()} == {9}
    mean = {kind: float(np.mean(values)) for kind, values in halves.items()}
    y, items, words, orders = zip(*answers, strict=True)
    found = components(y, items, {"words": words, "order": orders})
    expected = {
        "words": mean[True, True] - mean[False, True],
        "order": mean[True, True] - mean[True, False],
        "combined": mean[True, False] + mean[False, True] - mean[True, True] - mean[False, False],
        "sampling": mean[False, False],
    }
    for name, value in expected.items():
        assert found.part(name).variance == pytest.approx(max(0.0, value))
