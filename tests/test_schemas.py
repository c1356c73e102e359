"""The reader of schema lines: what it takes, what it faults and how, and how fast."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.music.schemas import (
    Fault,
    Parsed,
    constraints,
    parse_schema,
    required_line,
    write_schema,
)

ONE, TWO = ("clip1",), ("clip1", "clip2")


@pytest.mark.parametrize(
    ("kind", "ids", "text", "values"),
    [
        ("rhythm", ONE, "rhythm(clip1, [1, 4, 32])", ((1, 4, 32),)),
        ("rhythm", ONE, "  rhythm ( clip1 ,[1,4 , 4] )\n", ((1, 4, 4),)),
        ("rhythm", ONE, "rhythm(clip1, [])", ((),)),
        ("chord", ONE, "chord(clip1, [127, 0, 64, 64])", ((127, 0, 64, 64),)),
        ("melody", TWO, "melody(clip1, [60])\nmelody(clip2, [62])", ((60,), (62,))),
        ("melody", TWO, "\nmelody(clip1, [60])\r\n\nmelody(clip2, [])\n\n", ((60,), ())),
        ("chord", ("a.b-c_1",), "chord(a.b-c_1, [60])", ((60,),)),
    ],
)
def test_well_formed_lines_are_read(kind, ids, text, values):
    assert parse_schema(kind, text, ids) == Parsed(values)


@pytest.mark.parametrize(
    ("kind", "ids", "text", "fault", "words"),
    [
        ("rhythm", ONE, "", "parse", "empty"),
        ("rhythm", ONE, " \n\t\n", "parse", "empty"),
        ("rhythm", ONE, "```\nrhythm(clip1, [1])\n```", "parse", "code fences"),
        ("rhythm", ONE, "`rhythm(clip1, [1])`", "parse", "line 1"),
        ("rhythm", ONE, "Here it is: rhythm(clip1, [1])", "parse", "line 1"),
        ("rhythm", ONE, "rhythm(clip1, [1])\nI hope this helps.", "parse", "line 2"),
        ("rhythm", ONE, "rhythm(clip1, [1]).", "parse", "line 1"),
        ("rhythm", ONE, "rhythm(clip1, [1, 2)", "parse", "line 1"),
        ("rhythm", ONE, "rhythm(clip1, 1, 2)", "parse", "line 1"),
        ("rhythm", ONE, "rhythm([1, 2])", "parse", "line 1"),
        ("rhythm", ONE, "rhythm(clip1, [1, 2,])", "parse", "missing"),
        ("rhythm", ONE, "rhythm(clip1, [1, 2.5])", "parse", "'2.5' is not an integer"),
        ("rhythm", ONE, "rhythm(clip1, [1, x])", "parse", "'x' is not an integer"),
        ("rhythm", ONE, "rhythm(clip1, [1 2])", "parse", "not an integer"),
        ("chord", ONE, "chord(clip1, [C4, E4])", "parse", "'C4' is not an integer"),
        ("chord", ONE, "chord(clip1, [６０])", "parse", "not an integer"),
        ("rhythm", ONE, "rhythm(clip1, [0, 1])", "domain", "slot '0' is outside 1 to 32"),
        ("rhythm", ONE, "rhythm(clip1, [33])", "domain", "slot '33' is outside 1 to 32"),
        ("rhythm", ONE, "rhythm(clip1, [-2])", "domain", "slot '-2'"),
        ("chord", ONE, "chord(clip1, [60, 128])", "domain", "pitch '128' is outside 0 to 127"),
        ("chord", ONE, f"chord(clip1, [{'9' * 5000}])", "domain", "outside"),
        ("rhythm", ONE, "rhythm(drums, [1])", "structural", "identifier 'drums', not clip1"),
        ("rhythm", ONE, "Rhythm(clip1, [1])", "structural", "'Rhythm' where rhythm"),
        ("rhythm", ONE, "chord(clip1, [1])", "structural", "'chord' where rhythm"),
        ("rhythm", ONE, "rhythm(clip1, [1])\nrhythm(clip1, [2])", "structural", "one too many"),
        ("melody", TWO, "melody(clip1, [60])", "structural", "line 2 is missing"),
        (
            "melody",
            TWO,
            "melody(clip2, [60])\nmelody(clip1, [60])",
            "structural",
            "wrong order",
        ),
        ("melody", TWO, "melody(clip1, [1])\nmelody(clip1, [2])", "structural", "not clip2"),
        ("melody", TWO, "melody(clip1, [1]) melody(clip2, [2])", "parse", "line 1"),
    ],
)
def test_every_fault_has_its_kind_and_says_what_is_wrong(kind, ids, text, fault, words):
    read = parse_schema(kind, text, ids)
    assert isinstance(read, Fault)
    assert read.kind == fault
    assert words in read.message
    assert "\n" not in read.message
    assert len(read.message) < 300


@given(
    st.sampled_from([("rhythm", ONE, 1, 32), ("chord", ONE, 0, 127), ("melody", TWO, 0, 127)]),
    st.data(),
)
def test_what_is_written_is_read_back(form, data):
    kind, ids, low, high = form
    row = st.lists(st.integers(low, high), max_size=30).map(tuple)
    values = data.draw(st.tuples(*(row for _ in ids)))
    assert parse_schema(kind, write_schema(kind, values, ids), ids) == Parsed(values)


@given(st.text(), st.sampled_from(["rhythm", "melody", "chord"]))
def test_any_text_gives_a_verdict(text, kind):
    ids = TWO if kind == "melody" else ONE
    assert isinstance(parse_schema(kind, text, ids), Parsed | Fault)


@given(st.text(min_size=1).filter(str.strip))
def test_anything_added_is_a_fault(extra):
    line = "chord(clip1, [60, 64])"
    added = parse_schema("chord", f"{line}\n{extra}", ONE)
    assert isinstance(added, Fault)


@pytest.mark.parametrize(
    "text",
    [
        "rhythm" * 200_000,
        "rhythm(" * 150_000,
        "rhythm(clip1, [" + "1," * 500_000,
        "rhythm(clip1" + " " * 1_000_000 + "[1])",
        "rhythm (" + " " * 1_000_000,
        "[" * 1_000_000,
        "a" * 1_000_000,
        "\n" * 1_000_000,
    ],
)
def test_a_megabyte_of_nonsense_is_refused_at_once(text):
    begin = time.process_time()
    assert isinstance(parse_schema("rhythm", text, ONE), Fault)
    assert time.process_time() - begin < 5.0


def test_a_model_is_told_form_and_range():
    assert required_line("rhythm", "clip1") == "rhythm(clip1, [n1, n2, ..., nK])"
    assert "1 to 32" in constraints("rhythm")
    assert "0 to 127" in constraints("melody")
    assert "0 to 127" in constraints("chord")
