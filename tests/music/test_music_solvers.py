"""The deterministic solvers: the published rules, and what must and must not move a verdict."""

from __future__ import annotations

import time
from fractions import Fraction
from itertools import combinations
from types import SimpleNamespace

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from small_pieces import SCALE, piece
from zhiyin.plugins.music.notated import solving
from zhiyin.plugins.music.solvers import (
    CHORD_LETTERS,
    CHORDS,
    LEVELS,
    Parsed,
    SolverFault,
    are_transpositions,
    chord_quality,
    constraints,
    count_offbeats,
    parse_schema,
    required_line,
    syncopation_letter,
    write_schema,
)
from zhiyin.plugins.music.theory import key_at, pitch_class

slots = st.lists(st.integers(1, 32), max_size=40)


melodies = st.lists(st.integers(24, 100), min_size=1, max_size=20)


qualities = st.sampled_from(sorted(CHORDS))


roots = st.integers(24, 60)


def voiced(root: int, quality: str) -> list[int]:
    return [root + step for step in sorted(CHORDS[quality])]


def test_the_published_tables_are_these():
    assert LEVELS == {"A": 0, "B": 2, "C": 4, "D": 6, "E": 8}
    assert CHORD_LETTERS == {"major": "A", "minor": "B", "dominant": "C", "diminished": "D"}
    assert {name: sorted(steps) for name, steps in CHORDS.items()} == {
        "major": [0, 4, 7],
        "minor": [0, 3, 7],
        "dominant": [0, 4, 7, 10],
        "diminished": [0, 3, 6],
    }


@pytest.mark.parametrize(
    ("onsets", "count"),
    [([], 0), ([1, 3, 5, 31], 0), ([2, 32], 2), ([2, 2, 4], 2), (range(1, 33), 16)],
)
def test_offbeats_are_the_even_slots_each_once(onsets, count):
    assert count_offbeats(onsets) == count


def test_only_published_counts_have_a_letter():
    letters = {count: syncopation_letter(count) for count in range(17)}
    assert {count: letter for count, letter in letters.items() if letter} == {
        0: "A",
        2: "B",
        4: "C",
        6: "D",
        8: "E",
    }


@given(slots, st.randoms(use_true_random=False))
def test_order_and_repeats_do_not_move_the_count(onsets, random):
    shuffled = [*onsets, *onsets]
    random.shuffle(shuffled)
    assert count_offbeats(shuffled) == count_offbeats(onsets)


@given(slots, st.sampled_from(range(2, 33, 2)))
def test_one_more_offbeat_moves_the_count_by_one(onsets, slot):
    assume(slot not in onsets)
    assert count_offbeats([*onsets, slot]) == count_offbeats(onsets) + 1
    assert count_offbeats([*onsets, slot - 1]) == count_offbeats(onsets)


@pytest.mark.parametrize(
    ("a", "b", "verdict"),
    [
        ([], [], None),
        ([], [60], False),
        ([60], [60, 62], False),
        ([60], [71], True),
        ([60, 62, 64], [60, 62, 64], True),
        ([60, 62, 64], [65, 67, 69], True),
        ([60, 62, 64], [65, 67, 68], False),
        ([60, 60, 62], [65, 67, 67], False),
    ],
)
def test_the_policy_of_s3_for_melodies(a, b, verdict):
    assert are_transpositions(a, b) is verdict


@given(melodies, st.integers(-24, 27))
def test_a_shifted_melody_is_a_transposition(melody, shift):
    assert are_transpositions(melody, [pitch + shift for pitch in melody]) is True


@pytest.mark.slow
@given(melodies, st.integers(-12, 12), st.data())
def test_one_changed_note_is_no_transposition(melody, shift, data):
    assume(len(melody) > 1)
    place = data.draw(st.integers(0, len(melody) - 1))
    change = data.draw(st.integers(-5, 5).filter(bool))
    other = [pitch + shift for pitch in melody]
    other[place] += change
    assert are_transpositions(melody, other) is False
    assert are_transpositions(other, melody) is False


@given(qualities, roots, st.data())
def test_transposing_doubling_and_reordering_leave_the_quality(quality, root, data):
    pitches = voiced(root, quality)
    doubled = data.draw(st.lists(st.sampled_from(pitches), max_size=5))
    octaves = data.draw(st.lists(st.integers(1, 3), min_size=5, max_size=5))
    chord = [*pitches, *(p + 12 * up for p, up in zip(doubled, octaves, strict=False))]
    assert chord_quality(data.draw(st.permutations(chord))) == quality


@given(qualities, roots, st.data())
def test_a_changed_or_missing_note_changes_the_quality(quality, root, data):
    pitches = voiced(root, quality)
    place = data.draw(st.integers(1, len(pitches) - 1))
    moved = data.draw(st.integers(1, 11).filter(lambda step: root + step not in pitches))
    assert chord_quality([*pitches[:place], root + moved, *pitches[place + 1 :]]) != quality
    assert chord_quality(pitches[:place] + pitches[place + 1 :]) != quality


def test_of_all_pitch_class_sets_only_four_are_named():
    named = [
        steps
        for size in range(12)
        for steps in combinations(range(1, 12), size)
        if chord_quality([60, *(60 + step for step in steps)])
    ]
    assert sorted(named) == [(3, 6), (3, 7), (4, 7), (4, 7, 10)]


def test_an_inversion_and_nothing_at_all_are_not_named():
    assert chord_quality([64, 67, 72]) is None
    assert chord_quality([]) is None


STEPS = {"I": (0, 4, 7), "IV": (5, 9, 12), "V": (7, 11, 14), "vi": (9, 12, 16)}


CLOSES = {
    ("V", "I"): "authentic (V to I)", ("IV", "I"): "plagal (IV to I)",
    ("IV", "V"): "half (ends on V)", ("V", "vi"): "deceptive (V to VI)",
}  # fmt: skip


@pytest.mark.parametrize("tonic", range(12))
def test_a_close_is_named_in_every_key(tonic):
    """Degrees are counted from the tonic, whatever it is."""
    for key in (key_at(tonic), key_at(tonic, "minor")):
        for first in STEPS:
            for last in STEPS:
                chords = [
                    " ".join(key_at(tonic).spell(48 + tonic + step) for step in STEPS[name])
                    for name in (first, last)
                ]
                both = piece(*SCALE, harmony=chords)
                found = solving._cadence({"key": key.name}, [both], ())
                assert found == CLOSES.get((first, last))


@pytest.mark.parametrize("tonic", range(12))
def test_a_tune_is_in_the_key_that_it_closes_in_and_keeps_to(tonic):
    key = key_at(tonic)
    scale = [key.spell(60 + tonic + step) for step in (0, 2, 4, 5, 7, 9, 11, 12)]
    assert pitch_class(key.tonic) == tonic
    options = [key_at(tonic + 7), key, key_at(tonic + 5), key_at(tonic, "minor")]
    assert solving.tonality(piece(*scale, key=None), options) == key
    relative = key_at(tonic + 9, "minor")
    down = [key.spell(60 + tonic + step) for step in (12, 11, 9)]
    assert solving.tonality(piece(*scale, *down, key=None), [key, relative]) == relative
    assert solving.tonality(piece(scale[1], key=None), [key, relative]) is None


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
        ("melody", TWO, "melody(clip2, [60])\nmelody(clip1, [60])", "structural", "wrong order"),
        ("melody", TWO, "melody(clip1, [1])\nmelody(clip1, [2])", "structural", "not clip2"),
        ("melody", TWO, "melody(clip1, [1]) melody(clip2, [2])", "parse", "line 1"),
    ],
)
def test_every_fault_has_its_kind_and_says_what_is_wrong(kind, ids, text, fault, words):
    read = parse_schema(kind, text, ids)
    assert isinstance(read, SolverFault)
    assert read.kind == fault
    assert words in read.message
    assert "\n" not in read.message
    assert len(read.message) < 300


@pytest.mark.slow
@given(
    st.sampled_from([("rhythm", ONE, 1, 32), ("chord", ONE, 0, 127), ("melody", TWO, 0, 127)]),
    st.data(),
)
def test_what_is_written_is_read_back(form, data):
    kind, ids, low, high = form
    row = st.lists(st.integers(low, high), max_size=30).map(tuple)
    values = data.draw(st.tuples(*(row for _ in ids)))
    assert parse_schema(kind, write_schema(kind, values, ids), ids) == Parsed(values)


@pytest.mark.slow
@given(st.text(), st.sampled_from(["rhythm", "melody", "chord"]))
def test_any_text_gives_a_verdict(text, kind):
    ids = TWO if kind == "melody" else ONE
    assert isinstance(parse_schema(kind, text, ids), Parsed | SolverFault)


@given(st.text(min_size=1).filter(str.strip))
def test_anything_added_is_a_fault(extra):
    line = "chord(clip1, [60, 64])"
    added = parse_schema("chord", f"{line}\n{extra}", ONE)
    assert isinstance(added, SolverFault)


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
    assert isinstance(parse_schema("rhythm", text, ONE), SolverFault)
    assert time.process_time() - begin < 5.0


def test_a_model_is_told_form_and_range():
    assert required_line("rhythm", "clip1") == "rhythm(clip1, [n1, n2, ..., nK])"
    assert "1 to 32" in constraints("rhythm")
    assert "0 to 127" in constraints("melody")
    assert "0 to 127" in constraints("chord")


F = Fraction


def played(*numbers, chords=()):
    events = [SimpleNamespace(numbers=(n,), onset=F(i)) for i, n in enumerate(numbers)]
    below = [SimpleNamespace(numbers=each) for each in chords]
    return SimpleNamespace(
        tune=events, parts=[SimpleNamespace(events=events), SimpleNamespace(events=below)]
    )


@pytest.mark.parametrize(
    ("chords", "name"),
    [(((43, 47, 50), (48, 52, 55)), "authentic"), (((41, 45, 48), (48, 52, 55)), "plagal"),
     (((41, 45, 48), (43, 47, 50)), "half"), (((43, 47, 50), (45, 48, 52)), "deceptive"),
     (((48, 52, 55), (48, 52, 55)), None)],
)  # fmt: skip
def test_cadences(chords, name):
    piece = played(60, chords=((36, 40, 43), *chords))
    found = solving._cadence({"key": "C major"}, [piece], ())
    assert found == (name and solving.CADENCE_WORDS[name])


@pytest.mark.parametrize(
    ("numbers_", "shape"),
    [((60, 62, 64), "rising"), ((64, 62, 60), "falling"), ((60, 64, 62), "rising, then falling"),
     ((64, 60, 62), "falling, then rising"), ((60, 61, 62), "rising"), ((60, 60, 62), None),
     ((60, 62, 61, 63), None), ((60,), None), ((60, 62), "rising")],
)  # fmt: skip
def test_shapes(numbers_, shape):
    assert solving.shape_of(numbers_) == shape


def test_what_a_stretch_holds():
    events = played(60, 62, 64, 65).tune
    assert solving.content(events, F(1), F(3)) == [(F(0), 62), (F(1), 64)]
    late = [SimpleNamespace(numbers=(60,), onset=F(1) - F(3, 100))]
    assert solving.content(late, F(1), F(2)) == [(F(-3, 100), 60)]
    assert solving.content(late, F(0), F(1)) == []
    edge = [SimpleNamespace(numbers=(60,), onset=F(1) - F(1, 25))]
    assert solving.content(edge, F(0), F(1)) == []
    assert solving.content(edge, F(1), F(2)) == [(F(-1, 25), 60)]


def test_single_notes():
    piece = played(60, 64, 67)
    assert solving._pitch({"a": "1"}, [piece], ("E4", "C4", "G4")) == "C4"
    assert solving._pitch({"a": "3"}, [piece], ("E4", "C4", "G4")) == "G4"
    assert solving._changed({}, [piece, played(60, 63, 67)], ()) == "note number 2"
    assert solving._changed({}, [piece, played(61, 63, 67)], ()) is None
    with pytest.raises(ValueError, match="shorter"):  # pieces of unlike length are no such pair
        solving._changed({}, [piece, played(60, 63)], ())
