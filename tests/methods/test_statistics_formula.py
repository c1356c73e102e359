"""Formulas, and the columns that R makes of them."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulated_answers import table
from zhiyin.errors import InputError
from zhiyin.plugins.methods.glmm import design
from zhiyin.plugins.methods.glmm.design import build_frame, model_matrix, parse_formula
from zhiyin.plugins.methods.table import read_csv


def test_names_and_order_of_columns_are_those_of_r():
    answers = table(
        correct=[0, 1, 0, 1, 1, 0, 1, 1],
        b=["x", "y", "z", "x", "y", "z", "x", "y"],
        a=["u", "v"] * 4,
        t=[1, 2, 3, 4, 5, 6, 7, 9],
        g=[1, 1, 2, 2, 3, 3, 4, 4],
    )
    frame = build_frame(answers, parse_formula("correct ~ t + b*a + (1|g)"))
    assert model_matrix(frame, "treatment").names == (
        *("(Intercept)", "t", "by", "bz", "av"),
        *("by:av", "bz:av"),
    )
    frame = build_frame(answers, parse_formula("correct ~ a + a:b + (1|g)"))
    matrix = model_matrix(frame, "treatment")
    assert matrix.names[2:] == ("au:by", "av:by", "au:bz", "av:bz")
    assert matrix.values[1].tolist() == [1, 1, 0, 1, 0, 0]
    frame = build_frame(answers, parse_formula("correct ~ t:a + (1|g)"))
    assert model_matrix(frame, "treatment").names == ("(Intercept)", "t:au", "t:av")
    frame = build_frame(answers, parse_formula("correct ~ factor(t) + (1|g)"))
    assert model_matrix(frame, "treatment").names[1] == "factor(t)2"


def test_levels_are_alphabetical_whatever_their_case():
    answers = table(
        correct=[0, 1, 0, 1], modality=["MIDI", "audio", "MIDI", "audio"], stimulus=[1, 1, 2, 2]
    )
    frame = build_frame(answers, parse_formula("correct ~ modality + (1 | stimulus)"))
    assert frame.factors["modality"].levels == ("audio", "MIDI")


def test_words_for_right_and_wrong(tmp_path):
    path = tmp_path / "answers.csv"
    path.write_text("correct,m,g\ntrue,a,s\nFALSE,a,t\ncorrect,b,s\nwrong,b,t\n1,a,u\n0.0,b,u\n")
    frame = build_frame(read_csv(path), parse_formula("correct ~ m + (1 | g)"))
    assert frame.response.tolist() == [1, 0, 1, 0, 1, 0]


# --- formulas ----------------------------------------------------------------------------------
def test_star_is_both_and_their_interaction():
    formula = parse_formula("y ~ a*b + (1|g)")
    assert formula.terms == ((), ("a",), ("b",), ("a", "b"))
    assert parse_formula("y ~ (a+b)*c + (1|g)").terms[4:] == (("a", "c"), ("b", "c"))
    assert parse_formula("y~`two words`+(1|g)").columns == {"two words": "two words"}
    assert parse_formula("y ~ (1|g) + b:a + a").terms == ((), ("a",), ("b", "a"))


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("correct ~ a *", "expected a column name, 1 or (, at the end"),
        ("correct ~ a b + (1|g)", "position 13"),
        ("correct ~ a", "no random effect"),
        ("correct ~ (1|g) + (1|h)", "second random effect; give exactly one"),
        ("correct ~ a*(1|g)", "stands alone, joined by +, at position 13"),
        ("correct ~ (a|g)", "expected ), at position 13"),
        ("correct ~ 0 + a + (1|g)", "position 11"),
        ("correct = a + (1|g)", "'=' is not understood, at position 9"),
        ("correct ~ correct + (1|g)", "also on the right"),
        ("", "at the end"),
    ],
)
def test_broken_formulas_are_placed(text, message):
    with pytest.raises(InputError) as error:
        parse_formula(text)
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@given(st.text(alphabet="ab1+*:()| ~`g0é", max_size=25))
def test_any_text_is_parsed_or_refused(text):
    try:
        formula = parse_formula(text)
    except InputError:
        return
    assert formula.terms[0] == ()
    assert formula.response not in formula.columns
    assert sorted({name for term in formula.terms for name in term}) == sorted(formula.columns)


def test_two_values_are_held_half_way():
    assert design._covariate(["0", "0", "0", "1"]).held_at == 0.5
    assert design._covariate(["0", "0", "3", "1"]).held_at == 1.0
    assert design._covariate(["2", "2"]).held_at == 2.0


def test_a_response_that_is_none_is_named_with_its_line():
    table = SimpleNamespace(source="t.csv", lines=[2, 3, 4])
    with pytest.raises(InputError, match=r"line 3: column 'r' holds 'maybe'"):
        design._response(table, "r", ["0", "maybe", "1"], [0, 1, 2])
    assert list(design._response(table, "r", ["0", "true", "wrong"], [0, 1, 2])) == [0, 1, 0]
