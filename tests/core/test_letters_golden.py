"""How figures, texts and replies are written and taken apart, as golden tables have it."""

import itertools
import json
import math
from types import SimpleNamespace

import pytest

from golden_help import GOLDEN, Table, outcome
from zhiyin import chance, numerals, parsing, prompts, reasoning, text, trial
from zhiyin.errors import InputError
from zhiyin.record import Record, Reply, Sampling, Turn, Verdict, read_thinking, retried
from zhiyin.sequence import conversation

GIVEN = json.loads((GOLDEN.parent / "data" / "letters.json").read_text("utf-8"))
FIGURES = (
    *(0.0, 1e-12, 9.9e-5, 1e-4, 4.9e-4, 9.99e-4, 1e-3, 0.0123, 0.0494, 0.0495, 0.04999, 0.05),
    *(0.0999, 0.1, 0.34, 0.5, 0.995, 0.9999, 1.0, 1.0001, 1.5, 2.5, 12.3456, 59.4, 89.4, 89.5),
    *(90, 999, 1000, 1234.5, 3569, 3600, 9.99e4, 172770, 172800, 1e6, 999999999.0, 1e9, 1.23456e12),
)
BELOW = (-1e-9, -4e-4, -0.05, -0.34, -1.0, -12.3456, -2e9, math.nan)


def of_numerals():
    for value in (*FIGURES, *BELOW):
        yield value, lambda v=value: [
            *(numerals.percent(v, n) for n in (0, 1, 2)), numerals.percent(v),
            numerals.points(v), numerals.points(v, 0), numerals.number(v), numerals.number(v, 0),
            numerals.number(v, 3), numerals.fitting(v), numerals.fitting(0.5, v),
            numerals.gap(v), numerals.gap(v, 1), numerals.signed(str(v)),
            numerals.p_value(v), numerals.p_words(v),
        ]  # fmt: skip
    for value in FIGURES:
        yield ["amount", value], lambda v=value: [
            numerals.usd(v), numerals.money(v), numerals.size(v), numerals.size(1000 * v),
            numerals.duration(v), numerals.duration(v, ("秒", "分", "时", "天")),
            numerals.counted(int(v), "reply", "replies"), numerals.counted(int(v), "item"),
        ]  # fmt: skip
    yield "none", lambda: [numerals.percent(None), numerals.p_value(None), numerals.fitting()]
    for low, high, most in ((0, 1, 6), (0, 1, 3), (0.2, 0.9, 6), (-3, 117, 6), (1e-7, 3e-6, 6),
                            (0, 4.8, 6), (17, 18.01, 10), (-0.05, 0.049, 5)):  # fmt: skip
        yield [low, high, most], lambda g=(low, high, most): numerals.round_values(*g)
    for high in (0.6, 0.65, 0.7, 1.3, 6, 6.5):
        yield ["usual", high], lambda h=high: numerals.round_values(0, h)


def of_texts():
    for one in GIVEN["texts"]:
        yield ascii(one), lambda t=one: [
            ascii(text.one_width(t)), text.printable(t),
            text.csv_cell(t), text.option_form(t), text.lower_words(t), text.compared(t),
            ascii(text.fold(t)), text.number_in(t), text.quoted(ascii(t), 3),
            [trial.short(t, n) for n in (1, 4, 12, 30)], trial.one_line("Kind", t, t, "about", t),
        ]  # fmt: skip
    for pattern in GIVEN["patterns"]:
        yield (
            ["pattern", pattern],
            lambda p=pattern: [
                text.trouble_with(p).partition(" (")[0],
                [
                    outcome(text.found, p, t, 0.5)
                    for t in ("", "aab", "Word 12 和和", "b a")
                    if not text.trouble_with(p)
                ],
            ],
        )
    several = ("abc", "abd"), ("abc",), ("", "a"), ("xy", "xy"), ([1, 2, 3], [1, 2], [1, 2, 4]), ()
    for each in several:
        yield ["start", each], lambda e=each: text.shared_start(e)
    for each in (
        ["C", "c"],
        ["m3", "M3"],
        ["A major", "a Major."],
        ["one", "two"],
        ["a", "A ", "a."],
    ):
        yield ["equal", each], lambda e=each: text.equal_places(e)
    yield "cells", lambda: text.csv_row([None, 3, 2.5, True, "=x", "-3", "- a", "\tx", ["=y"]])


def of_reasoning():
    for one in GIVEN["thoughts"]:
        yield one, lambda t=one: [reasoning.parts(t), reasoning.apart(t)]


def nested(depth, opening="[", closing="]"):
    return opening * depth + closing * depth


def of_parsing():
    for one in (
        *('{"a": [1, 2.5, null, true]}', "NaN", "[1,", "", "{'a': (1, 2)}", "{1, 2}", "f(x)", "1"),
        *("1 +", r"'\d'", "a = 1\n[t]\nb = [1]", "a = ", nested(99), nested(100), nested(101)),
        *(nested(100_000), nested(101, '{"a":[', "]}"), "(" * 99 + "1," + ")" * 99),
    ):

        def told(read, given=one):
            found = outcome(read, given)
            return found if len(str(found)) < 100 else len(str(found))

        yield one[:40] + str(len(one)), lambda told=told, t=one: [
            told(parsing.read_json_text), told(parsing.read_toml_text), told(parsing.read_literal),
            told(parsing.read_json_text, t.encode()), told(parsing.read_toml_text, t.encode()),
        ]  # fmt: skip


def of_chance():
    for seed, words in itertools.product(
        (0, 1, -7, 2**40), ((), ("a",), ("a", "b"), ("ab",), ("\ud800",))
    ):
        yield [seed, ascii(words)], lambda s=seed, w=words: [
            repr(chance.chance(s, *w)), chance.place_at_random(s, None, "".join(w)),
            chance.place_at_random(s, "piece", "".join(w)),
        ]  # fmt: skip


def template(words, **values):
    made = prompts.Template(words)
    put = made.put(**values)
    return [made.parts, made.placeholders, put.parts, put.placeholders,
            outcome(put.fill, dict.fromkeys(put.placeholders, "!"))]  # fmt: skip


def of_prompts():
    inner = prompts.Template("<{deep}>{x}")
    for words in ("", "{a}", "{a} and {b}", "{A} {a}{a}", "{{a}}", "no", "{a_b} {a1} {}", "x{b}y"):
        yield words, lambda w=words: [
            template(w, a="1"), template(w, b=inner), template(w, a=inner, b="{a}"), template(w),
            [_required(w, places) for places in (
                (), ("a",), ("a?",), ("a", "b"), ("a", "b?"), prompts.LAYOUT)],
        ]  # fmt: skip
    for layout in (prompts.LINES, "[{first}, {next}]", "{first}{next}", "{first} / {next}."):
        for pieces in ([], ["a"], ["a", "b", "c"], [inner, "b", inner]):
            yield (
                [layout, len(pieces)],
                lambda o=layout, p=pieces: prompts.lay_out(prompts.Template(o), p).parts,
            )


def _required(words, places):
    try:
        prompts.require(words, places, "FILE")
    except InputError as error:
        return str(error)
    return ""


def of_records():
    options = tuple(trial.Option(a, t, k) for a, t, k in (("A", "lute", "B"), ("B", "oboe", "A,B")))
    sound = trial.Audio("a.wav", "0" * 64, 12.0)
    for span in ((0.0,), (12.0,), (12, 3), (12, None, 5), (12, 2, 99), (0, 2, 5)):
        yield ["played", span], lambda s=span: trial.Audio("a", "h", *s).played
    picture = trial.Image("p.png", "1" * 64, 4, 3)
    for target, shown in itertools.product(
        (None, "B", "A,B", "A", "B,A", "lute, oboe"), ((), options)
    ):
        made = trial.Trial(
            *("t" * 31, (trial.say("user", "Which?", sound, picture),), "哪个 is it? " * 4, shown),
            *(target, ("g",), "c", {"x": 1}, "i", "audio=true", "s", 2),
        )
        yield (
            [target, len(shown)],
            lambda t=made: [
                trial.right_keys(t),
                repr(t),
                t.blind(),
                trial.say("system", "x", sound),
            ],
        )
    for state, scores in itertools.product(
        ("correct", "wrong", "no_answer", "ungraded"), ({}, {"right": 1.0}, {"right": 0.0},
         {"right": 0.0, "answered": 0.0}, {"right": 0.0, "answered": 1.0})):  # fmt: skip
        verdict = Verdict(state, "B", "A", scores=scores)
        plain = trial.Trial("q1", (trial.say("user", "Which?"),))
        turns = (
            Turn(Reply("First.")),
            Turn(Reply("It is A."), (trial.say("user", "Sure?"),), "again"),
        )
        for last in (turns[:1], turns, ()):
            record = Record("q1", verdict, plain, error="broken" if not last and scores else None)
            record.exchange.turns = last
            yield (
                [state, scores, len(last)],
                lambda r=record: [
                    r.verdict.of_reply,
                    repr(r),
                    conversation(r),
                    outcome(lambda: r.exchange.broken),
                ],
            )
    for value in ("off", "low", "max", "0", "1", "12", "１２", 0, 1, 5, True, 2.0, None, "lo", -1):
        yield ["thinking", value], lambda v=value: outcome(read_thinking, v)
    for kept in (None, [], [{"a": 1}], [{"a": 1.5}, {"b": 2}, 3], {"a": 1}):
        yield ["retried", kept], lambda k=kept: [retried({"retried": k}), retried({})]
    yield "sampling", lambda: Sampling()


TABLES = [
    Table(f"letters/{of.__name__.removeprefix('of_')}", of(), 12)
    for of in (of_numerals, of_texts, of_reasoning, of_parsing, of_chance, of_prompts, of_records)
]


@pytest.mark.parametrize(("table", "part"), [
    pytest.param(table, *part.values, id=part.id) for table in TABLES for part in table.parts
])  # fmt: skip
def test_everything_is_written_as_in_the_golden_table(table, part):
    table.check(part)


@pytest.mark.parametrize(
    ("variables", "terminal", "language"),
    [
        ({}, True, "en"), ({"ZHIYIN_LANG": "zh"}, False, "zh"),
        ({"ZHIYIN_LANG": "ZH_CN"}, True, "zh"),
        ({"LANG": "zh_CN.UTF-8"}, True, "zh"), ({"LANG": "zh_CN.UTF-8"}, False, "zh"),
        ({"LC_ALL": "de_DE", "LANG": "zh_CN"}, True, "en"),
        ({"LC_ALL": "zh", "LANG": "en"}, True, "zh"),
        ({"LC_MESSAGES": "zh", "LANG": "en"}, True, "zh"),
        ({"ZHIYIN_LANG": "de", "LANG": "zh"}, True, "en"),
        ({"LC_ALL": "", "LC_MESSAGES": "en", "LANG": "zh"}, True, "en"),
    ],
)  # fmt: skip
def test_output_is_in_the_language_of_its_user_redirected_or_not(
    monkeypatch, variables, terminal, language
):
    for name in ("ZHIYIN_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr("sys.stdout", SimpleNamespace(isatty=lambda: terminal))
    assert text.spoken() == language
    monkeypatch.setattr("sys.stdout", None)
    assert text.spoken() == language
