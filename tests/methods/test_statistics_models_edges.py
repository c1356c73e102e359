"""Models at the edges of their rules: mixed, of items, of listeners; by brute force."""

import math
from types import SimpleNamespace

import numpy as np
import pytest
from scipy import optimize, stats

import columns_help
from simulated_answers import simulate, table
from zhiyin.errors import InputError
from zhiyin.plugins.methods.glmm import _extremes, means, mixed
from zhiyin.plugins.methods.glmm.design import build_frame, parse_formula, whiten
from zhiyin.plugins.methods.glmm.means import tukey, tukey_critical
from zhiyin.plugins.methods.glmm.mixed import fit_frame
from zhiyin.plugins.methods.table import fit_glmm, varying_formula
from zhiyin.runs.estimates import estimate
from zhiyin.runs.measures import ACCURACY, F1, IFR, PRECISION

# --- mixed models ------------------------------------------------------------------------------


def one_each(right, n):
    """Answers to stimuli of their own: a plain binomial."""
    hits = [1] * right + [0] * (n - right)
    return table(correct=hits, stimulus=[f"s{k}" for k in range(n)])


@pytest.mark.parametrize(("right", "n"), [(1, 2), (1, 3), (1, 20), (19, 20), (5, 10), (399, 400)])
def test_profile_intervals_are_those_of_a_binomial(right, n):
    """The mean of one of two models, whose answers tell nothing of the other's."""
    answers = table(
        correct=[1] * right + [0] * (n - right) + [1, 1, 1, 0, 0, 0, 0],
        model=["a"] * n + ["b"] * 7,
        stimulus=[f"s{k}" for k in range(n + 7)],
    )
    model = fit_frame(build_frame(answers, parse_formula("correct ~ model + (1|stimulus)")))
    direction = means._directions(model, ("model",), [(0,), (1,)])[0]

    def excess(odds):
        p = 1 / (1 + math.exp(-odds))
        best = right * math.log(right / n) + (n - right) * math.log(1 - right / n)
        return 2 * (best - right * math.log(p) - (n - right) * math.log(1 - p)) - stats.chi2.ppf(
            0.95, 1
        )

    middle = math.log(right / (n - right))
    wanted = [optimize.brentq(excess, middle + side * 1e-9, middle + side * 30) for side in (-1, 1)]
    assert model.profile_interval(direction) == pytest.approx(wanted, abs=1e-4)
    assert model.signed_root(direction) == pytest.approx(
        math.copysign(math.sqrt(max(0.0, excess(0) + stats.chi2.ppf(0.95, 1))), middle), abs=1e-4
    )


def test_likelihood_and_aic_of_a_binomial():
    found = fit_glmm(one_each(3, 8), "correct ~ 1 + (1 | stimulus)")
    likelihood = 3 * math.log(3 / 8) + 5 * math.log(5 / 8)
    assert found.log_likelihood == pytest.approx(likelihood)
    assert found.aic == pytest.approx(2 - 2 * likelihood)
    (only,) = found.coefficients
    assert (only.estimate, only.se) == pytest.approx((math.log(3 / 5), math.sqrt(1 / 3 + 1 / 5)))
    assert (only.z, only.p) == pytest.approx(
        (only.estimate / only.se, 2 * stats.norm.sf(abs(only.z)))
    )


def test_cells_alone_are_the_same_model_as_both_factors_and_their_interaction():
    answers = simulate(4, models=3, stimuli=6, repeats=2)
    whole = fit_glmm(answers, "correct ~ model * modality + (1 | stimulus)")
    cells = fit_glmm(answers, "correct ~ model:modality + (1 | stimulus)")
    assert cells.log_likelihood == pytest.approx(whole.log_likelihood, abs=1e-7)
    for one, other in zip(cells.emmeans, whole.emmeans, strict=True):
        assert (one.levels, one.n, one.observed) == (other.levels, other.n, other.observed)
        assert (one.emmean, one.se) == pytest.approx((other.emmean, other.se), abs=1e-4)
        assert (one.lower, one.upper) == pytest.approx((other.lower, other.upper), abs=1e-4)


@pytest.mark.slow
def test_marginal_means_and_contrasts_hang_together():
    """Estimates, errors, intervals and odds of every mean and contrast, from each other."""
    found = fit_glmm(simulate(5, models=3, stimuli=6, repeats=2))
    z = stats.norm.ppf(0.975)
    for mean in found.emmeans:
        ends = [1 / (1 + math.exp(-mean.emmean + s * z * mean.se)) for s in (1, 0, -1)]
        assert (mean.lower, mean.probability, mean.upper) == pytest.approx(ends)
        assert mean.probability_se == pytest.approx(ends[1] * (1 - ends[1]) * mean.se)
        assert mean.interval == "Wald"
    by_term = {mean.term: {} for mean in found.emmeans}
    for mean in found.emmeans:
        by_term[mean.term][tuple(mean.levels.values())] = mean.emmean
    assert {c.family for c in found.contrasts} == {
        "model", "modality", "model | modality", "modality | model", "model:modality"
    }  # fmt: skip
    for c in found.contrasts:
        assert c.z == pytest.approx(c.estimate / c.se)
        assert c.p == pytest.approx(2 * stats.norm.sf(abs(c.z)))
        assert (c.lower, c.upper) == pytest.approx((c.estimate - z * c.se, c.estimate + z * c.se))
        assert c.odds_ratio == pytest.approx(math.exp(c.estimate))
        assert c.odds_ratio_se == pytest.approx(c.odds_ratio * c.se)
        ratios = math.exp(c.lower), math.exp(c.upper)
        assert (c.odds_ratio_lower, c.odds_ratio_upper) == pytest.approx(ratios)
        others = [d for d in found.contrasts if (d.family, d.at) == (c.family, c.at)]
        levels = round((1 + math.sqrt(1 + 8 * len(others))) / 2)
        wide = stats.studentized_range.ppf(0.95, levels, np.inf) / math.sqrt(2) * c.se
        assert (c.tukey_lower, c.tukey_upper) == pytest.approx(
            (c.estimate - wide, c.estimate + wide), rel=1e-3
        )
        assert c.test == "Wald"
        if c.family in ("model", "modality"):
            one, other = c.contrast.split(" - ")
            held = by_term[c.family]
            assert c.estimate == pytest.approx(held[(one,)] - held[(other,)])
        if c.family == "model | modality":
            one, other = ((name, c.at["modality"]) for name in c.contrast.split(" - "))
            held = by_term["model:modality"]
            assert c.estimate == pytest.approx(held[one] - held[other])


@pytest.mark.parametrize("means", [2, 3, 4])
def test_tukey_is_the_range_of_normals(means):
    for z in (0.0, 0.5, 2.0, 3.5):
        wanted = stats.studentized_range.sf(z * math.sqrt(2), means, np.inf)
        assert tukey(z, means) == tukey(-z, means) == pytest.approx(wanted, abs=1e-6)
    assert math.isnan(tukey(float("nan"), means))
    assert tukey(tukey_critical(means), means) == pytest.approx(0.05, abs=1e-9)


def test_a_column_of_nothing_is_aliased():
    assert whiten(np.array([[1.0, 0.0], [1.0, 0.0]])).kept.tolist() == [0]
    near = np.array([[1.0, 1.0], [1.0, 1.0], [1.0, 1.0 + 1e-6]])
    assert whiten(near).kept.tolist() == [0, 1]
    near[2, 1] = 1.0 + 1e-8
    assert whiten(near).kept.tolist() == [0]


def test_a_whitened_matrix_is_its_basis_times_its_triangle():
    values = np.random.default_rng(2).normal(size=(9, 3)) * [1, 1e4, 1e-4]
    found = whiten(values)
    assert found.basis @ found.triangle == pytest.approx(values)
    assert found.basis.T @ found.basis / 9 == pytest.approx(np.eye(3))


def test_answers_are_counted_by_group_and_kind():
    design = np.array([[1.0, 0], [1, 1], [1, 0], [1, 0], [1, 1]])
    found = mixed.count(
        design, np.array([1.0, 0, 0, 1, 1]), np.array([1, 0, 1, 0, 0]), np.array([0, 1, 0, 0, 1])
    )
    assert found.group.tolist() == [0, 0, 1]
    assert found.starts.tolist() == [0, 2]
    assert (found.total.tolist(), found.right.tolist()) == ([1, 2, 2], [1, 1, 1])
    assert found.design.tolist() == [[1, 0], [1, 1], [1, 0]]


def test_a_maximum_below_zero_is_told_as_its_mirror_image():
    frame = build_frame(simulate(6, stimuli=9), parse_formula("correct ~ model + (1 | stimulus)"))
    counts = fit_frame(frame).counts
    start = np.array([0.8, 0.1, 0.1, 0.1])
    one, other = (mixed._climb(counts, start * [sign, 1, 1, 1]) for sign in (1, -1))
    assert one.sd > 0.1
    assert (other.sd, other.log_likelihood) == pytest.approx((one.sd, one.log_likelihood))
    assert other.hessian == pytest.approx(one.hessian, rel=1e-5, abs=1e-5)
    assert other.modes == pytest.approx(one.modes, abs=1e-6)


def test_a_formula_names_what_varies():
    held = {"model": ["a", "b", None], "modality": ["x", "x", "x"]}
    for model, modality, wanted in (
        ("ab", "xx", "model"), ("aa", "xy", "modality"), ("ab", "xy", "model * modality"),
        ("aa", "xx", "1"),
    ):  # fmt: skip
        held = table(model=list(model), modality=list(modality))
        assert varying_formula(held) == f"correct ~ {wanted} + (1 | stimulus)"
    assert varying_formula(table(model=["a", None])) == "correct ~ 1 + (1 | stimulus)"


def test_levels_in_order():
    """Numbers by size, words by letter, small before capital only in a tie."""
    answers = table(
        correct=["Correct", "wrong", "TRUE", "false", "1.0", "0.0"], g=list("xxyyzz"),
        n=["10", "9", "1e1", "-1", "9", "10"], w=["b", "B", "a", "C", "A", "b"],
    )  # fmt: skip
    frame = build_frame(answers, parse_formula("correct ~ factor(n) + w + (1|g)"))
    assert frame.response.tolist() == [1, 0, 1, 0, 1, 0]
    assert frame.factors["factor(n)"].levels == ("-1", "9", "10", "1e1")
    assert frame.factors["w"].levels == ("a", "A", "b", "B", "C")


def test_covariates_are_held_at_their_mean():
    for numbers, held in (([1, 1, 1, 4], 2.5), ([1, 2, 2, 4], 2.25), ([3, 3, 3, 3], 3)):
        answers = table(correct=[1, 0, 1, 0], g=list("xxyy"), n=numbers)
        frame = build_frame(answers, parse_formula("correct ~ n + (1|g)"))
        assert frame.variables["n"].held_at == held


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (
            "y ~ (1|g) + (1|h)",
            "a second random effect; give exactly one (1 | group), at position 13",
        ),
        ("y ~ a*(1|g)", "a random effect stands alone, joined by +, at position 7"),
        ("y ~ a b", "expected +, *, : or the end, at position 7"),
        ("y ~ a", "no random effect; add `+ (1 | group)`, at the end"),
        ("y ~ y + (1|g)", "the response 'y' is also on the right, at position 1"),
        ("+ ~ a", "expected the response's column name, at position 1"),
        ("y ~ (a + + b)", "expected a column name, 1 or (, at position 10"),
        ("y ~ factor(+)", "expected a column name, at position 12"),
        ("y ~ (1|+)", "expected the grouping column's name, at position 8"),
        ("y ~ factor(a + (1|g)", "expected ), at position 14"),
        ("y a", "expected ~, at position 3"),
        ("y ~ (a  ", "expected ), at the end"),
        ("y ~  ? ", "'?' is not understood, at position 6"),
    ],
)
def test_a_broken_formula_is_said_where_and_how(text, words):
    with pytest.raises(InputError) as error:
        parse_formula(text)
    assert f"formula {text!r}: {words};" in str(error.value)


# --- items -------------------------------------------------------------------------------------


# --- scores ------------------------------------------------------------------------------------


def entry(item, right=1, answered=1, condition="", cluster=None):
    return SimpleNamespace(
        judged=True, item=item, condition=condition, right=right, answered=bool(answered),
        trial=SimpleNamespace(cluster=cluster),
    )  # fmt: skip


def test_no_answer_has_no_precision():
    silent = columns_help.rows_of_answers([("a", "", None, 0, 0), ("b", "", None, 0, 0)])
    assert estimate(silent, PRECISION).ends is None
    assert estimate(silent, IFR).value == 0


def test_conditions_of_an_item_weigh_alike():
    answers = [("a", "x", None, 1, 1)] * 3 + [("a", "y", None, 0, 1), ("b", "x", None, 0, 0)]
    rows = columns_help.rows_of_answers(answers)
    found = {m.name: estimate(rows, m).value for m in (ACCURACY, PRECISION, IFR, F1)}
    assert found == {
        "accuracy": 0.25, "precision": 0.5, "ifr": 0.5, "f1": pytest.approx(0.5 / 1.5)
    }  # fmt: skip


# --- listeners and abilities -------------------------------------------------------------------


def test_a_perfect_level_is_said_once_and_not_of_each_of_its_cells():
    def mean(observed, **levels):
        return SimpleNamespace(observed=observed, levels=levels, n=9)

    cells = [mean(1.0, model="a", modality="x"), mean(0.0, model="b", modality="x")]
    assert _extremes([*cells, mean(1.0, model="a"), mean(0.4, model="b")]) == [
        "all 9 answers are right where model = a",
        "all 9 answers are wrong where model = b, modality = x",
    ]
