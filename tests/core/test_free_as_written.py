"""Free answers are read however they are written: numbers, notes, lists, words."""

import pytest

from zhiyin.benchmarks.questions.cells import Options, readings
from zhiyin.benchmarks.questions.scoring import scorers
from zhiyin.reader import forms


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("Answer: 20 000", 20000),
        ("Answer: 20,000 Hz", 20000),
        ("20'000", 20000),
        ("2e4", 20000),
        ("Answer: 2 × 10^4", 20000),
        ("2x10^4 Hz", 20000),
        ("$2 \\times 10^{4}$", 20000),
        ("2·10⁴", 20000),
        ("½", 0.5),
        ("1½ beats", 1.5),
        ("Answer: 440,5", 440.5),
        ("1.234,5", 1234.5),
        ("1,234", 1234),
        ("1,234.5", 1234.5),
        ("\\frac{3}{2}", 1.5),
        ("$\\boxed{440}$", 440),
        ("0,125", 0.125),
        ("The answer is 20.000", None),
        ("20.000 Hz", None),
        ("440.0", 440),
        ("3.5e-3", 0.0035),
        ("10^3", 1000),
        ("10³ Hz", 1000),
        ("four hundred and forty", None),
        ("about 120 bpm", 120),
        ("The tempo is 120 BPM (in 4/4).", None),
        ("twenty-one", None),
        ("-3", -3),
        ("−3 semitones", -3),
        ("Answer: 20\u2009000", 20000),
        ("Answer: 20\u202f000", 20000),
        ("20\\,000", 20000),
        ("20{,}000", 20000),
        ("100 200 300", None),
        ("120 000", 120000),
        ("¾", 0.75),
        ("3 1/2", 3.5),
        ("It's 12 or 13.", None),
        ("440 Hz", 440),
        ("Answer: 7 (seven)", 7),
        ("1 000 000", 1000000.0),
        ("12,5 %", 12.5),
        ("2⁄3", 0.6666666666666666),
        ("5/4 = 1.25", 1.25),
        ("Answer: 2.0 × 10⁻²", 0.02),
        ("two and a half", None),
        ("Answer: 1,5", 1.5),
        ("The answer is 3, 4", None),
        ("1e3 ms", 1000),
        ("3 (three)", 3),
        ("Answer: **12**", 12),
        ("440²", 193600),
        ("x = 5", 5),
        ("approximately 4.40 × 10^2 Hz", 440),
    ],
)
def test_numbers(text, number):
    read = forms.number(text).value
    assert read is None if number is None else read == pytest.approx(number, rel=1e-12)


@pytest.mark.parametrize(
    ("text", "notes"),
    [
        ("Answer: F\\#4", ("F#4",)),
        ("$F\\sharp_4$", ("F#4",)),
        ("C₄ E₄ G₄", ("C4", "E4", "G4")),
        ('["C4", "E4", "G4"]', ("C4", "E4", "G4")),
        ("Answer: B♭ D F", ("Bb", "D", "F")),
        ("$\\text{B}^\\flat$, D, F", ("Bb", "D", "F")),
        ("Bb", ("Bb",)),
        ("B♭", ("Bb",)),
        ("b♭ d f", ("Bb", "D", "F")),
        ("C–E–G", ("C", "E", "G")),
        ("C, E, and G", ("C", "E", "G")),
        ("C♯ E G♯", ("C#", "E", "G#")),
        ("C sharp, E, G sharp", ("C#", "E", "G#")),
        ("C_4 E_4 G_4", ("C4", "E4", "G4")),
        ("C_{4}, E_{4}", ("C4", "E4")),
        ("The notes are C4, E4 and G4.", ("C4", "E4", "G4")),
        ("C → E → G", ("C", "E", "G")),
        ('{"notes": ["C4","E4"]}', ("C4", "E4")),
        ("F♮", ("F",)),
        ("C major", None),
        ("F double sharp", None),
        ("F𝄪", ("F##",)),
        ("- C4\n- E4\n- G4", ("C4", "E4", "G4")),
        ("Answer:\nC4\nE4", ("C4", "E4")),
        ("A, B", ("A", "B")),
        ("Fis", ("F#",)),
        ("`C4 E4`", ("C4", "E4")),
    ],
)
def test_notes(text, notes):
    assert forms.notes(text).value == notes


def graded(scorer, text, accepted):
    """Whether an answer is right; None where it is not read."""
    value = scorers()[scorer].read(text).value
    return None if value is None else scorers()[scorer].grade(value, accepted, "").right


@pytest.mark.parametrize(
    ("text", "right"),
    [
        ("Answer:\n- rock\n- pop", True),
        ("Answer:\nrock\npop", True),
        ('{"tags": ["rock", "pop"]}', True),
        ("Answer: rock / pop", True),
        ("Answer: rock/pop", True),
        ("rock, pop", True),
        ("rock and pop", True),
        ("rock & pop", True),
        ("rock + pop", True),
        ("1. rock\n2. pop", True),
        ("Answer: 1. rock 2. pop", True),
        ('["rock", "pop"]', True),
        ("Answer: [rock, pop]", True),
        ("**Answer:**\n\n* rock\n* pop", True),
        ("Answer: rock; pop", True),
        ("Answer: rock · pop", True),
        ("The genres are rock and pop.", True),
        ("Answer: Rock, Pop.", True),
        ('```json\n{"genres": ["rock","pop"]}\n```', True),
        ("- rock\n- pop\n\nThese are heard in the clip.", True),
        ("Answer:\n1) rock\n2) pop\n", True),
        ("Answer: rock, jazz", False),
        ("Answer: 'rock', 'pop'", True),
        ("Tags: rock, pop", True),
        ('{"answer": ["rock", "pop"]}', True),
        ('{"answer": "rock, pop"}', True),
        ("答案：rock、pop", True),
        ("Answer: rock as well as pop", True),
        ("<think>jazz, folk</think>\n- rock\n- pop", True),
        ("I hear some rock in it and would place it next to pop, roughly speaking.", None),
    ],
)
def test_lists(text, right):
    assert graded("set-f1", text, ["rock", "pop"]) is right


@pytest.mark.parametrize(
    ("text", "key"),
    [
        ("Answer: C\\# minor", "C# minor"),
        ("Answer: $F\\sharp$", "F#"),
        ("Answer: $\\frac{3}{4}$", "3/4"),
        ("Answer: ¾", "3/4"),
        ("Answer: Fauré", "Fauré"),
        ("Answer: E♭ major", "Eb major"),
        ("Answer: 6⁄8", "6/8"),
        ("Answer: V⁷", "V7"),
        ("Answer: \\text{Dorian}", "Dorian"),
        ("\\boxed{\\text{Dorian}}", "Dorian"),
        ("Answer: $\\mathbf{B\\flat}$ major", "Bb major"),
        ("**Answer: Dorian**", "Dorian"),
        ("<think>Lydian</think>Dorian", "Dorian"),
        ("Answer: 180^\\circ", "180°"),
        ('{"answer": "Dorian"}', "Dorian"),
        ('The answer is "Dorian".', "Dorian"),
        ("Answer: Saint-Saëns", "Saint-Saëns"),
        ("Answer: B\\flat", "Bb"),
        ("$$\\boxed{F\\sharp}$$", "F#"),
        ("[[Dorian]]", "Dorian"),
        ("<answer>Dorian</answer>", "Dorian"),
        ("Answer: F# (F sharp)", "F#"),
    ],
)
def test_words(text, key):
    assert graded("normalised", text, [key]) is True


@pytest.mark.parametrize(
    ("text", "key"),
    [("Answer: CM7", "Cm7"), ("Answer: M3", "m3"), ("Answer: F", "F#"), ("Answer: B\\flat", "B")],
)
def test_another_chord_or_note_is_wrong(text, key):
    assert graded("normalised", text, [key]) is False


def test_a_name_is_the_same_in_either_unicode_form():
    assert graded("exact", "Answer: Faure\u0301", ["Faur\u00e9"])
    assert graded("exact", "Answer: Faur\u00e9", ["Faure\u0301"])
    assert graded("exact", "Answer: Faure", ["Faur\u00e9"]) is False


@pytest.mark.parametrize(
    ("answer", "options", "key"),
    [
        ("M3", ("m3", "M3", "P4"), "B"),
        ("m3", ("m3", "M3", "P4"), "A"),
        ("ii", ("II", "ii", "IV"), "B"),
        ("C minor", ("c minor", "C major"), "A"),
    ],
)
def test_a_key_names_the_option_that_is_written_so(answer, options, key):
    labels = ("1st", "2nd", "3rd")[: len(options)]
    assert readings(answer, Options(options, labels), None)["text"] == (key,)
