"""The mixed model: against lme4, against brute force, and where no finite answer exists."""

from __future__ import annotations

import json
import math
import re
from itertools import product
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import optimize, stats
from scipy.special import expit

from simulated_answers import perfect, simulate, table
from zhiyin.errors import InputError
from zhiyin.plugins.methods.glmm import Glmm, means, mixed
from zhiyin.plugins.methods.glmm.design import build_frame, model_matrix, parse_formula, whiten
from zhiyin.plugins.methods.glmm.means import holm_of_estimable, tukey, tukey_critical
from zhiyin.plugins.methods.glmm.mixed import fit_frame
from zhiyin.plugins.methods.table import Observations, fit_glmm, read_csv

pytestmark = pytest.mark.slow

CROSSED = "correct ~ model * modality + (1 | stimulus)"


def estimates(found: Glmm) -> dict[str, float]:
    return {row.term: row.estimate for row in found.coefficients_treatment}


# --- against lme4, car and emmeans -------------------------------------------------------------
@pytest.fixture(scope="module")
def lme4(shared: Path) -> tuple[dict, Glmm]:
    folder = shared.parent / "reference" / "glmm"
    if not folder.is_dir():
        pytest.skip("no reference/glmm beside the data")
    reference = json.loads((folder / "lme4.json").read_text())
    answers = read_csv(folder / "responses.csv")
    return reference, fit_glmm(answers, "Correct ~ Model * Modality + (1 | Stimulus)")


def test_coefficients_equal_lme4(lme4):
    reference, found = lme4
    fit = reference["fit"]
    rows = found.coefficients
    assert [row.term for row in rows] == fit["names"]
    assert [row.estimate for row in rows] == pytest.approx(fit["coef"], abs=1e-6)
    assert [row.se for row in rows] == pytest.approx(fit["se"], rel=1e-4)
    assert [row.z for row in rows] == pytest.approx(fit["z"], rel=1e-4, abs=1e-4)
    assert found.random_sd == pytest.approx(fit["sd"], abs=1e-6)
    assert found.log_likelihood == pytest.approx(fit["logLik"], abs=1e-7)
    assert found.aic == pytest.approx(fit["AIC"], abs=1e-6)
    assert found.singular is fit["singular"]
    modes = dict(zip(fit["ranef"]["levels"], fit["ranef"]["mode"], strict=True))
    assert found.random_effects == pytest.approx(modes, abs=1e-5)


def test_covariance_equals_lme4(lme4, shared: Path):
    reference, _ = lme4
    answers = read_csv(shared.parent / "reference" / "glmm" / "responses.csv")
    frame = build_frame(answers, parse_formula("Correct ~ Model * Modality + (1 | Stimulus)"))
    _, _, covariance = fit_frame(frame).coefficients("sum")
    assert covariance == pytest.approx(np.array(reference["fit"]["vcov"]), abs=2e-6)


def test_treatment_coefficients_follow_from_the_sum_coded(lme4):
    reference, found = lme4
    cells = dict(
        zip(
            zip(*(reference["fit"]["emm_link"][k] for k in ("Model", "Modality")), strict=True),
            reference["fit"]["emm_link"]["emmean"],
            strict=True,
        )
    )
    by_name = estimates(found)
    assert by_name["(Intercept)"] == pytest.approx(cells["gemini", "audio"], abs=1e-5)
    assert by_name["Modelgpt"] == pytest.approx(
        cells["gpt", "audio"] - cells["gemini", "audio"], abs=1e-5
    )
    assert by_name["Modelqwen:Modalitymidi"] == pytest.approx(
        cells["qwen", "midi"]
        - cells["qwen", "audio"]
        - cells["gemini", "midi"]
        + cells["gemini", "audio"],
        abs=1e-5,
    )


def test_tests_of_terms_equal_car_and_lme4(lme4):
    reference, found = lme4
    anova, lrt = reference["fit"]["anova"], reference["lrt"]
    assert [row.term for row in found.type3] == anova["term"]
    assert [row.df for row in found.type3] == anova["df"]
    assert [row.chisq for row in found.type3] == pytest.approx(anova["chisq"], rel=1e-4)
    assert [row.p for row in found.type3] == pytest.approx(anova["p"], rel=5e-3)
    assert {row.test for row in found.type3} == {"Wald"}
    assert [row.term for row in found.lrt] == lrt["term"]
    assert [row.chisq for row in found.lrt] == pytest.approx(lrt["chisq"], abs=1e-6)
    assert [row.df for row in found.lrt] == lrt["df"]


def test_marginal_means_equal_emmeans(lme4):
    reference, found = lme4
    rows = {tuple(row.levels.items()): row for row in found.emmeans if len(row.levels) == 2}
    for kind, names in {
        "emm_link": ("emmean", "se"),
        "emm_response": ("probability", "probability_se", "lower", "upper"),
    }.items():
        theirs = reference["fit"][kind]
        keys = [k for k in ("emmean", "prob", "SE", "asymp.LCL", "asymp.UCL") if k in theirs]
        for index, (model, modality) in enumerate(
            zip(theirs["Model"], theirs["Modality"], strict=True)
        ):
            row = rows[("Model", model), ("Modality", modality)]
            for ours, key in zip(names, keys, strict=False):
                assert getattr(row, ours) == pytest.approx(theirs[key][index], abs=3e-5)


@pytest.mark.parametrize(
    ("kind", "family", "within"),
    [
        ("pairs_modality", "Modality | Model", "Model"),
        ("pairs_modality_ratio", "Modality | Model", "Model"),
        ("pairs_model_tukey", "Model | Modality", "Modality"),
        ("pairs_model_holm", "Model | Modality", "Modality"),
        ("pairs_model_marginal_tukey", "Model", None),
    ],
)
def test_contrasts_equal_emmeans(lme4, kind, family, within):
    reference, found = lme4
    theirs = reference["fit"][kind]
    rows = {
        (row.at.get(within or "", ""), row.contrast): row
        for row in found.contrasts
        if row.family == family
    }
    assert len(rows) == len(theirs["contrast"])
    p, bounds = "p", ("lower", "upper")
    if kind.endswith(("tukey", "holm")):
        p, bounds = f"p_{kind.rsplit('_', 1)[1]}", ("tukey_lower", "tukey_upper")
    size = ("estimate", "se", *bounds)
    names = ("estimate", "SE", "asymp.LCL", "asymp.UCL")
    if kind.endswith("ratio"):
        size = ("odds_ratio", "odds_ratio_se", "odds_ratio_lower", "odds_ratio_upper")
        names = ("odds.ratio", *names[1:])
    for index, contrast in enumerate(theirs["contrast"]):
        row = rows[theirs[within][index] if within else "", contrast.replace("/", "-")]
        for ours, name in zip(size, names, strict=True):
            if name in theirs:
                assert getattr(row, ours) == pytest.approx(theirs[name][index], abs=3e-5), name
        assert row.z == pytest.approx(theirs["z.ratio"][index], rel=1e-4)
        # R's ptukey is exact to 1e-13 only, so that tails beyond are its noise.
        assert getattr(row, p) == pytest.approx(theirs["p.value"][index], rel=3e-3, abs=5e-14)


# --- against brute force -----------------------------------------------------------------------
def brute_force(answers: Observations, design: np.ndarray, theta: float, beta: np.ndarray) -> float:
    """The Laplace log-likelihood: each group's mode by scalar minimisation, nothing shared."""
    right = np.array(answers.column("correct"), float)
    group = np.array(answers.column("stimulus"))
    total = 0.0
    for name in np.unique(group):
        x, y = design[group == name], right[group == name]

        def joint(u: float, x=x, y=y) -> float:
            odds = x @ beta + theta * u
            return float((np.logaddexp(0, odds) - y * odds).sum() + u * u / 2)

        u = optimize.minimize_scalar(joint, bracket=(-1, 1), options={"xtol": 1e-12}).x
        p = expit(x @ beta + theta * u)
        total -= joint(u) + 0.5 * math.log1p(theta**2 * float((p * (1 - p)).sum()))
    return total


def test_log_likelihood_is_the_maximum_that_brute_force_finds():
    answers = simulate(1, models=2, stimuli=8, repeats=2)
    found = fit_glmm(answers, "correct ~ modality + (1 | stimulus)")
    midi = np.array([value == "MIDI" for value in answers.column("modality")], float)
    design = np.column_stack([np.ones(len(midi)), midi])
    beta = np.array([row.estimate for row in found.coefficients_treatment])
    here = brute_force(answers, design, found.random_sd, beta)
    assert found.log_likelihood == pytest.approx(here, abs=1e-8)
    best = optimize.minimize(
        lambda v: -brute_force(answers, design, v[0], v[1:]), [1.0, 0, 0], method="Nelder-Mead"
    )
    assert found.log_likelihood == pytest.approx(-best.fun, abs=1e-6)
    assert found.random_sd == pytest.approx(abs(best.x[0]), abs=1e-3)


@pytest.mark.parametrize("theta", [0.0, 0.7, -1.9, 6.0])
def test_derivatives_are_exact(theta):
    answers = simulate(2, stimuli=10, repeats=1)
    frame = build_frame(answers, parse_formula(CROSSED))
    counts = fit_frame(frame).counts
    random = np.random.default_rng(3)
    point = np.concatenate([[theta], random.normal(size=counts.design.shape[1])])
    there = mixed.evaluate(counts, point)
    step = 1e-5
    for index, unit in enumerate(np.eye(len(point))):
        up, down = (mixed.evaluate(counts, point + s * step * unit) for s in (1, -1))
        assert (up.value - down.value) / (2 * step) == pytest.approx(
            there.gradient[index], rel=1e-6, abs=1e-5
        )
        assert (up.gradient - down.gradient) / (2 * step) == pytest.approx(
            there.hessian[index], rel=1e-6, abs=1e-5
        )


def test_recovers_what_was_simulated():
    found = fit_glmm(simulate(4, models=2, stimuli=400, repeats=4))
    truth = {"(Intercept)": 0.4, "modelm1": -0.5, "modalityMIDI": 1.2, "modelm1:modalityMIDI": -0.4}
    assert set(estimates(found)) == set(truth)
    for row in found.coefficients_treatment:
        assert abs(row.estimate - truth[row.term]) < 3.5 * row.se
    assert found.random_sd == pytest.approx(0.8, abs=0.12)
    assert found.random_lrt.p < 1e-10


def test_a_rare_group_of_starts_does_not_trap_the_fit_at_zero():
    found = fit_glmm(simulate(5, sd=2.5))
    assert found.random_sd > 1.5
    assert not found.singular


def test_order_of_rows_and_names_of_levels_change_nothing_that_matters():
    answers = simulate(6)
    order = np.random.default_rng(0).permutation(len(answers.lines))
    shuffled = {name: [values[i] for i in order] for name, values in answers.columns.items()}
    renamed = {"m0": "z", "m1": "b", "m2": "a"}
    shuffled["model"] = [renamed[str(value)] for value in shuffled["model"]]
    one, other = fit_glmm(answers), fit_glmm(Observations("shuffled", shuffled, answers.lines))
    assert one.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-9)
    assert one.random_sd == pytest.approx(other.random_sd, abs=1e-6)
    for mine, yours in zip(one.type3, other.type3, strict=True):
        assert mine.chisq == pytest.approx(yours.chisq, rel=1e-6)
    cells = {(renamed[m.levels["model"]], m.levels["modality"]): m for m in one.emmeans[5:]}
    for mean in other.emmeans[5:]:
        same = cells[mean.levels["model"], mean.levels["modality"]]
        assert mean.probability == pytest.approx(same.probability, abs=1e-7)
        assert mean.lower == pytest.approx(same.lower, abs=1e-7)


def test_units_of_a_covariate_scale_only_its_coefficient():
    answers = simulate(7)
    formula = "correct ~ model + loudness + (1 | stimulus)"
    one = fit_glmm(answers, formula)
    answers.columns["loudness"] = [str(1e5 * float(v or 0)) for v in answers.columns["loudness"]]
    other = fit_glmm(answers, formula)
    assert one.log_likelihood == pytest.approx(other.log_likelihood, abs=1e-8)
    assert estimates(one)["loudness"] == pytest.approx(1e5 * estimates(other)["loudness"], rel=1e-6)
    assert one.type3[-1].chisq == pytest.approx(other.type3[-1].chisq, rel=1e-6)


# --- zero variance, separation, gaps -----------------------------------------------------------
def alternating() -> Observations:
    """Every group has the same answers, so that groups differ less than chance would have it."""
    rows = list(product("ab", range(12), range(4)))
    return table(
        correct=[int(k < (3 if modality == "a" else 2)) for modality, _, k in rows],
        modality=[modality for modality, _, _ in rows],
        stimulus=[f"s{group}" for _, group, _ in rows],
    )


def test_zero_variance_is_plain_logistic_regression():
    found = fit_glmm(alternating(), "correct ~ modality + (1 | stimulus)")
    assert found.singular
    assert found.random_sd == 0
    assert any("singular" in line for line in found.warnings)
    log3 = math.log(3)  # 36 of 48 right, then 24 of 48
    assert estimates(found) == pytest.approx({"(Intercept)": log3, "modalityb": -log3}, abs=1e-7)
    errors = [row.se for row in found.coefficients_treatment]
    assert errors == pytest.approx([math.sqrt(1 / 9), math.sqrt(1 / 9 + 1 / 12)], rel=1e-6)
    exact = 36 * math.log(0.75) + 12 * math.log(0.25) + 48 * math.log(0.5)
    assert found.log_likelihood == pytest.approx(exact, abs=1e-9)
    assert found.random_lrt.chisq == 0
    assert found.random_lrt.p == 1


def test_one_answer_a_group_is_plain_logistic_regression_and_says_so():
    answers = alternating()
    answers.columns["stimulus"] = [f"s{row}" for row in range(96)]
    found = fit_glmm(answers, "correct ~ modality + (1 | stimulus)")
    plain = fit_glmm(alternating(), "correct ~ modality + (1 | stimulus)")
    assert any("each stimulus has one answer" in line for line in found.warnings)
    assert not found.singular
    assert math.isnan(found.random_sd)
    assert math.isnan(found.random_lrt.p)
    assert found.random_effects == {}
    assert estimates(found) == pytest.approx(estimates(plain), abs=1e-7)
    assert found.log_likelihood == pytest.approx(plain.log_likelihood, abs=1e-9)
    assert found.aic == pytest.approx(plain.aic - 2)
    assert found.type3[-1].chisq == pytest.approx(plain.type3[-1].chisq)
    assert found.lrt[-1].chisq == pytest.approx(plain.lrt[-1].chisq)


def test_a_perfect_cell_is_said_and_tested_by_likelihood_ratio():
    found = fit_glmm(perfect())
    assert any("all" in w and "m0" in w and "MIDI" in w for w in found.warnings)
    assert any("likelihood ratio" in w for w in found.warnings)
    assert {row.test for row in found.type3} == {"likelihood ratio"}
    interaction, ratio = found.type3[-1], found.lrt[-1]
    assert (interaction.chisq, interaction.p) == (ratio.chisq, ratio.p)
    pair = next(c for c in found.contrasts if c.at == {"model": "m0"})
    assert pair.test == "likelihood ratio"
    assert pair.p < 1e-6  # Wald's would be near 1
    finite = next(c for c in found.contrasts if c.at == {"model": "m1"})
    assert finite.test == "Wald"


def test_a_perfect_cell_leaves_the_finite_estimates_as_if_it_were_not_there():
    answers = perfect()
    rows = [
        i
        for i, key in enumerate(
            zip(answers.columns["model"], answers.columns["modality"], strict=True)
        )
        if key != ("m0", "MIDI")
    ]
    without = Observations(
        "without", {n: [v[i] for i in rows] for n, v in answers.columns.items()}, answers.lines
    )
    whole, part = fit_glmm(answers), fit_glmm(without)
    assert any("cannot tell 1 of the coefficients" in line for line in part.warnings)
    assert whole.log_likelihood == pytest.approx(part.log_likelihood, abs=1e-6)
    compared = 0
    for mine, yours in zip(whole.emmeans, part.emmeans, strict=True):
        if math.isfinite(yours.emmean):
            assert mine.emmean == pytest.approx(yours.emmean, abs=1e-4)
            assert mine.se == pytest.approx(yours.se, rel=1e-3)
            compared += 1
        else:
            assert mine.interval == "likelihood ratio"
    assert compared == 8  # m1, m2, audio and five cells


def test_a_perfect_cell_that_the_formula_does_not_single_out_has_a_finite_estimate():
    found = fit_glmm(perfect(), "correct ~ model + modality + (1 | stimulus)")
    assert any("model = m0, modality = MIDI" in line for line in found.warnings)
    assert {row.test for row in found.type3} == {"Wald"}
    assert max(row.se for row in found.coefficients_treatment) < 1


def test_the_profile_interval_of_a_perfect_cell_is_exact_without_random_effect():
    answers = alternating()
    answers.columns["correct"] = [
        "1" if modality == "a" else right
        for right, modality in zip(
            answers.columns["correct"], answers.columns["modality"], strict=True
        )
    ]
    found = fit_glmm(answers, "correct ~ modality + (1 | stimulus)")
    mean = next(m for m in found.emmeans if m.levels == {"modality": "a"})
    # 48 of 48: the bound p with -2 * 48 log p = 3.8415 (the random intercept stays at zero).
    assert mean.lower == pytest.approx(math.exp(-stats.chi2.ppf(0.95, 1) / 96), abs=1e-4)
    assert mean.upper == 1


def test_rows_with_a_missing_value_are_dropped_and_counted():
    answers = simulate(9)
    answers.columns["model"][3] = None
    answers.columns["loudness"][5] = None  # not in the formula
    found = fit_glmm(answers)
    assert found.dropped == 1
    assert found.n == len(answers.lines) - 1
    assert found.warnings[0].startswith("1 rows")


# --- R's conventions ---------------------------------------------------------------------------
def test_aliased_columns_go_from_the_right():
    columns = np.array([[1, 1, 2, 0.5], [1, 0, 1, 3], [1, 0, 1, -1], [1, 1, 2, 7]], float)
    assert whiten(columns).kept.tolist() == [0, 1, 3]


def test_holm_by_hand():
    corrected = holm_of_estimable(np.array([0.01, np.nan, 0.04, 0.03]))
    assert corrected.tolist() == pytest.approx([0.03, np.nan, 0.06, 0.06], nan_ok=True)
    assert np.isnan(holm_of_estimable(np.array([np.nan]))).all()


@pytest.mark.parametrize("means", [2, 3, 7, 20])
def test_tukey_is_the_studentized_range(means):
    for z in (0.0, 0.5, 2.0, 4.0):
        expected = stats.studentized_range.sf(z * math.sqrt(2), means, np.inf)
        assert tukey(z, means) == pytest.approx(expected, rel=1e-6, abs=1e-9)
    quantile = stats.studentized_range.ppf(0.95, means, np.inf) / math.sqrt(2)
    assert tukey_critical(means) == pytest.approx(quantile, abs=1e-6)


def test_tukey_keeps_its_precision_in_the_tail():
    assert tukey(9.0, 2) == pytest.approx(2 * stats.norm.sf(9.0), rel=1e-9)
    assert tukey(9.0, 3) == pytest.approx(6 * stats.norm.sf(9.0), rel=1e-3)


@settings(max_examples=settings.default.max_examples // 8)  # each takes a second
@given(st.data())
def test_any_data_give_finite_answers_or_a_refusal(data):
    size = data.draw(st.integers(4, 24))
    drawn = {
        name: data.draw(st.lists(st.sampled_from(values), min_size=size, max_size=size))
        for name, values in {"correct": "01", "a": "xy", "b": "pq", "g": "123"}.items()
    }
    try:
        found = fit_glmm(table(**drawn), "correct ~ a * b + (1 | g)")
    except InputError:
        return
    assert math.isfinite(found.log_likelihood)
    assert found.random_lrt.chisq >= 0
    for row in found.type3:
        assert 0 <= row.p <= 1
    for mean in found.emmeans:
        assert math.isnan(mean.probability) or mean.lower <= mean.probability <= mean.upper


@pytest.mark.parametrize("coding", ["sum", "treatment"])
@pytest.mark.parametrize("fixed", ["a", "a + b", "a * b", "a * b * c", "b + x + a + a:b", "x * a"])
def test_the_matrix_is_formulaics(coding, fixed):
    """Our columns are those of a well-kept library, where each interaction has its main effects.

    Without them (``a:b`` alone) it leaves columns out that R makes and that lme4 drops later.
    """
    formulaic = pytest.importorskip("formulaic")
    pandas = pytest.importorskip("pandas")
    rng = np.random.default_rng(3)
    columns = {
        "correct": [str(v) for v in rng.integers(0, 2, 60)],
        "item": [f"i{v}" for v in rng.integers(0, 9, 60)],
        "a": [f"a{v}" for v in rng.integers(0, 3, 60)],
        "b": [f"b{v}" for v in rng.integers(0, 4, 60)],
        "c": [f"c{v}" for v in rng.integers(0, 2, 60)],
        "x": [f"{v:.3f}" for v in rng.normal(size=60)],
    }
    formula = parse_formula(f"correct ~ {fixed} + (1 | item)")
    ours = model_matrix(
        build_frame(Observations("test", columns, list(range(60))), formula), coding
    )
    frame = pandas.DataFrame(columns).assign(x=[float(v) for v in columns["x"]])
    words = re.sub(r"\b([abc])\b", rf"C(\1, contr.{coding})", fixed)
    theirs = np.asarray(formulaic.model_matrix(words, frame), dtype=float)
    assert theirs.shape == ours.values.shape
    matched = {tuple(np.round(column, 9)) for column in theirs.T}
    assert matched == {tuple(np.round(column, 9)) for column in ours.values.T}


def test_comparisons_are_named_by_what_is_held(monkeypatch):
    named = []
    monkeypatch.setattr(means, "_directions", lambda *given: None)
    monkeypatch.setattr(means, "_pairs", lambda model, *told: named.append(told[:3]) or [])
    levels = {"m": ("x", "y"), "t": ("p", "q")}
    factors = {name: SimpleNamespace(levels=each) for name, each in levels.items()}
    model = SimpleNamespace(frame=SimpleNamespace(factors=factors))
    means._family(model, ("m", "t"), ("m",))
    means._family(model, ("m", "t"), ("m", "t"))
    assert named == [
        ("m | t", {"t": "p"}, ["x", "y"]),
        ("m | t", {"t": "q"}, ["x", "y"]),
        ("m:t", {}, ["x p", "y p", "x q", "y q"]),
    ]
