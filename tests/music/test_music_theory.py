from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.errors import InputError
from zhiyin.plugins.music import theory
from zhiyin.plugins.music.theory import (
    QUALITIES,
    ROOTS,
    SCALES,
    Key,
    alteration,
    fifths_of,
    key_at,
    parse_key,
    parse_pitch,
    pitch_class,
    spell,
    spell_chord,
)


@pytest.mark.parametrize(
    ("name", "number"),
    [
        ("C4", 60), ("A4", 69), ("Cb4", 59), ("B#3", 60), ("Fb4", 64), ("E#4", 65), ("Fx4", 67),
        ("F##4", 67), ("Bbb3", 57), ("Abb4", 67), ("C-1", 0), ("G9", 127), ("e♭5", 75),
        ("F𝄪4", 67), ("B𝄫3", 57), ("E flat 4", 63), ("C sharp 4", 61), ("G double sharp 4", 69),
        ("a-flat4", 68),
    ],
)  # fmt: skip
def test_pitch_names(name, number):
    assert parse_pitch(name) == number
    assert pitch_class(name) == number % 12


@pytest.mark.parametrize(
    "name", ["", "H4", "C#b4", "Cbbb4", "C", "C10", "Cb-1", "G#9", "4", "Cx#4"]
)
def test_bad_pitch_names(name):
    with pytest.raises(InputError):
        parse_pitch(name)


@given(st.integers(-15, 19))
def test_line_of_fifths_round_trip(place):
    assert fifths_of(spell(place)) == place
    assert pitch_class(spell(place)) == place * 7 % 12


def test_triple_accidentals_are_refused():
    for place in (-16, 20):
        with pytest.raises(InputError):
            spell(place)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("text", "tonic", "mode", "fifths"),
    [
        ("C", "C", "major", 0),
        ("Eb major", "Eb", "major", -3),
        ("Ebm", "Eb", "minor", -6),
        ("F#min", "F#", "minor", 3),
        ("abm", "Ab", "minor", -7),
        ("C# major", "C#", "major", 7),
        ("b flat minor", "Bb", "minor", -5),
        ("A MINOR", "A", "minor", 0),
        ("Cb", "Cb", "major", -7),
    ],
)
def test_keys(text, tonic, mode, fifths):
    key = parse_key(text)
    assert (key.tonic, key.mode, key.fifths) == (tonic, mode, fifths)
    assert parse_key(key.name) == key


@pytest.mark.parametrize("text", ["", "H", "G# major", "Fb", "C dorian", "major", "C major minor"])
def test_bad_keys(text):
    with pytest.raises(InputError):
        parse_key(text)


def test_scales_are_spelled_with_seven_letters():
    assert Key("Gb").scale() == ("Gb", "Ab", "Bb", "Cb", "Db", "Eb", "F")
    assert Key("C#").scale() == ("C#", "D#", "E#", "F#", "G#", "A#", "B#")
    assert Key("G#", "minor").scale("harmonic minor")[-1] == "F##"
    for place in range(-7, 8):
        for kind, steps in SCALES.items():
            names = Key(spell(place)).scale(kind)
            assert sorted(name[0] for name in names) == list("ABCDEFG")
            tonic = pitch_class(names[0])
            assert tuple((pitch_class(n) - tonic) % 12 for n in names) == steps
    with pytest.raises(InputError):
        Key("C").scale("dorain")


def test_spelling_in_a_key():
    assert Key("Gb").spell(59) == "Cb4"
    assert Key("C#").spell(60) == "B#3"
    assert Key("C").spell(66) == "F#4"
    assert Key("F", "minor").spell(64) == "E4"


@given(st.integers(0, 127), st.integers(0, 11), st.sampled_from(["major", "minor"]))
def test_spelled_pitches_read_back(pitch, tonic, mode):
    key = key_at(tonic, mode)
    name = key.spell(pitch)
    if 0 < pitch < 127:
        assert parse_pitch(name) == pitch
    if (pitch - tonic) % 12 in SCALES[mode]:
        assert name.rstrip("-0123456789") in key.scale()


def test_keys_with_fewest_accidentals():
    names = [key_at(tonic).tonic for tonic in range(12)]
    assert names == ["C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B"]
    assert all(abs(key_at(t, "minor").fifths) <= 6 for t in range(12))


def test_chords_are_spelled_by_thirds():
    assert spell_chord("Db", "dominant") == ("Db", "F", "Ab", "Cb")
    assert spell_chord("Gb", "diminished") == ("Gb", "Bbb", "Dbb")
    assert spell_chord("Ab", "minor") == ("Ab", "Cb", "Eb")
    assert spell_chord("B", "augmented") == ("B", "D#", "F##")
    for root in ROOTS:
        for quality, steps in QUALITIES.items():
            names = spell_chord(root, quality)
            assert tuple((pitch_class(n) - pitch_class(root)) % 12 for n in names) == steps
    with pytest.raises(InputError):
        spell_chord("C", "domminant")


def test_signatures_take_their_letters_in_the_order_of_fifths():
    """Sharps F C G D A E B, flats the other way round; the eighth sharp is F's second."""
    for fifths in range(-14, 15):
        marked = dict.fromkeys("CDEFGAB", 0)
        for step in range(abs(fifths)):
            sign = 1 if fifths > 0 else -1
            marked["FCGDAEB"[::sign][step % 7]] += sign
        assert {letter: alteration(letter, fifths) for letter in "CDEFGAB"} == marked


@pytest.mark.parametrize("tonic", range(12))
def test_names_of_a_key_are_seven_letters_with_its_signature(tonic):
    for mode in ("major", "minor"):
        key = key_at(tonic, mode)
        names = [key.spell(60 + (tonic + step) % 12) for step in SCALES[mode]]
        assert sorted(name[0] for name in names) == list("ABCDEFG")
        for name in names:
            assert (
                name[1:].rstrip("0123456789")
                == {-1: "b", 0: "", 1: "#"}[alteration(name[0], key.fifths)]
            )


F = Fraction


# Solvers ----------------------------------------------------------------------------------------
def test_the_tables_of_theory():
    assert dict(zip("CDEFGAB", (0, 2, 4, 5, 7, 9, 11), strict=True)) == theory.NATURALS
    modes = ["major", "dorian", "phrygian", "lydian", "mixolydian", "minor", "locrian"]
    white = [0, 2, 4, 5, 7, 9, 11]
    for start, mode in zip(white, modes, strict=True):
        assert theory.SCALES[mode] == tuple(sorted((step - start) % 12 for step in white))
    assert theory.SCALES["harmonic minor"] == (0, 2, 3, 5, 7, 8, 11)
    assert theory.SCALES["melodic minor"] == (0, 2, 3, 5, 7, 9, 11)
    assert theory.QUALITIES == {
        "major": (0, 4, 7), "minor": (0, 3, 7), "dominant": (0, 4, 7, 10),
        "diminished": (0, 3, 6), "augmented": (0, 4, 8), "major7": (0, 4, 7, 11),
        "minor7": (0, 3, 7, 10), "half-diminished": (0, 3, 6, 10), "sus4": (0, 5, 7),
    }  # fmt: skip
    assert theory.ROOTS == ("C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B")


@pytest.mark.parametrize(
    ("name", "semitone"),
    [("B double flat 3", 57), ("B double-flat 3", 57), ("F𝄪4", 67), ("B𝄫3", 57), ("E♭4", 63),
     ("F sharp 4", 66), ("F doublesharp 4", 67), ("Fx4", 67), ("Gbb4", 65), ("C♯-1", 1)],
)  # fmt: skip
def test_accidentals_in_every_spelling(name, semitone):
    assert theory.parse_pitch(name) == semitone


def test_keys_by_their_place():
    assert theory.key_at(0) == theory.Key("C", "major")
    assert [theory.key_at(n).tonic for n in range(12)] == [
        "C", "Db", "D", "Eb", "E", "F", "Gb", "G", "Ab", "A", "Bb", "B",
    ]  # fmt: skip
    assert theory.key_at(3, "minor") == theory.Key("Eb", "minor")
