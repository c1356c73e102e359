"""Answers that are no option: yes and no, numbers, notes, several letters, words, fields."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_help import shown
from zhiyin.contract.policies import policies
from zhiyin.reader import forms
from zhiyin.trial import Option

OPTIONS = shown(["Piano", "Violin", "Guitar", "Drums"])
YES_NO = [
    ("Yes.", True),
    ("No.", False),
    ("I cannot tell.", None),
    ("I can't hear it.", None),
    ("No, they are different.", False),
    ("Yes, they are the same.", True),
    ("Same.", True),
    ("Different", False),
    ("是的，相同。", True),
    ("不同。", False),
    ("不一样", False),
    ("是", True),
    ("否", False),
    ("答案是否。", False),
    ("答案：是", True),
    ("The answer is yes.", True),
    ("The answer is no.", False),
    ("Final Answer: No, these are not the same melody.", False),
    ("Yes, no? I am unsure.", None),
    ("yes or no", None),
    ("It is not the same.", False),
    ("They aren't identical.", False),
    ("I first thought yes, but no.", False),
    ("Wait, no, the answer is yes.", True),
    ("Yes... wait, no.", False),
    ("True", True),
    ("The statement is false.", False),
    ("", None),
    ("There are no sharps.", None),
    ("No idea.", None),
    ("没有把握。", None),
    ("我觉得不一样。", False),
    ("这两段旋律是一样的。", True),
    ("这两段旋律不是一样的。", False),
    ('{"answer": "yes"}', True),
    ('{"answer": false}', False),
    ('{"same": true}', True),
    ("**Yes**", True),
    ("<think>no</think>Yes", True),
    ("If the key were the same, yes; but it is not, so no.", False),
    ("There is no doubt: yes.", True),
    ("正确", True),
    ("错误。", False),
    ("不正确", False),
    ("Nope!", False),
    ("Answer: Yes, because no note changes.", True),
]
NUMBERS = [
    ("4", 4),
    ("The answer is 4.", 4),
    ("There are 3 bars of 4 beats, so 12 beats.", 12),
    ("4 or 5", None),
    ("Between 4 and 6", None),
    ("4-6", None),
    ("three", 3),
    ("The tempo is 120 BPM.", 120),
    ("答案是3。", 3),
    ("三个", 3),
    ("一共有4个小节。", 4),
    ("2 + 3 = 5", 5),
    ("The answer is 4. Wait, no, it's 5.", 5),
    ("It is not 4 but 5.", 5),
    ("3/4", 0.75),
    ("-2", -2),
    ("1,024", 1024),
    ("0.5", 0.5),
    ("1. First I count.\n2. Then I add.\nAnswer: 7", 7),
    ('{"answer": 7}', 7),
    ('{"answer": "7 semitones"}', 7),
    ("None", None),
    ("I don't know.", None),
    ("**7**", 7),
    ("A 4/4 bar has 4 beats and there are 8 bars, hence 32 beats in all. The answer is 32.", 32),
    ("seven semitones", 7),
    ("C4 and G4 are 7 semitones apart.", 7),
    ("大约120。", 120),
    ("$\\boxed{12}$", 12),
    ("\\boxed{7}", 7),
    ("The answer is between 3 and 5.", None),
    ("10 to 12", None),
    ("two or three", None),
    ("第3小节有4拍，答案是4", 4),
    ("3.5", 3.5),
    ("Final answer: 3.", 3),
    ("<answer>5</answer>", 5),
    ("two", 2),
    ("十二", None),
    ("1e400", None),
    ("10^999", None),
    ("It is 7, and not 1e999.", 7.0),
]
NOTES = [
    ("C4 E4 G4", ("C4", "E4", "G4")),
    ("The notes are C4 E4 G4.", ("C4", "E4", "G4")),
    ("C, E, G", ("C", "E", "G")),
    ("C, E and G", ("C", "E", "G")),
    ("The answer is C# E G#.", ("C#", "E", "G#")),
    ("Bb D F", ("Bb", "D", "F")),
    ("C–E–G", ("C", "E", "G")),
    ("升F A 升C", ("F#", "A", "C#")),
    ("答案是C E G。", ("C", "E", "G")),
    ("I do not know.", None),
    ("It is C major.", None),
    ("F sharp, A, C sharp", ("F#", "A", "C#")),
    ('{"answer": ["C","E","G"]}', ("C", "E", "G")),
    ('{"notes": "C E G"}', ("C", "E", "G")),
    ("Not C E G but C Eb G.", ("C", "Eb", "G")),
    ("c e g", ("C", "E", "G")),
    ("音符是C、E、G。", ("C", "E", "G")),
    ("C E G or C F A", None),
    ("The notes are C, Eb and G, not C, E and G.", ("C", "Eb", "G")),
    ("C", ("C",)),
    ("The answer is A.", ("A",)),
    ("A guitar plays.", None),
]
WORDS = [
    ("The answer is a string quartet.", "a string quartet"),
    ("Bach", "Bach"),
    ("答案是贝多芬。", "贝多芬"),
    ('{"answer":"Bach"}', "Bach"),
    ("", None),
    ("My final answer: Johann Sebastian Bach", "Johann Sebastian Bach"),
    ("If I guessed, the answer is X.", "X"),
]
LETTERS = [
    ("A and C", ("A", "C")),
    ("ABD", ("A", "B", "D")),
    ("The answers are A, C and D.", ("A", "C", "D")),
    ("A、C", ("A", "C")),
    ("答案是AC。", ("A", "C")),
    ("A is right, B is wrong, C is right, D is wrong.", ("A", "C")),
    ("Piano and guitar", ("A", "C")),
    ('{"answer":["B","D"]}', ("B", "D")),
    ("not A", None),
    ("B", ("B",)),
    ("I don't know", None),
    ("E", None),
    ("The answer is A. The answer is also C.", ("A", "C")),
]


@pytest.mark.parametrize(("text", "value"), YES_NO)
def test_yes_and_no(text, value):
    assert forms.yes_no(text).value is value


@pytest.mark.parametrize(("text", "value"), NUMBERS)
def test_numbers(text, value):
    assert forms.number(text).value == value


@pytest.mark.parametrize(("text", "value"), NOTES)
def test_notes(text, value):
    assert forms.notes(text).value == value


@pytest.mark.parametrize(("text", "value"), WORDS)
def test_words(text, value):
    assert forms.words(text).value == value


@pytest.mark.parametrize(("text", "value"), LETTERS)
def test_several_letters(text, value):
    assert forms.letters(text, OPTIONS).value == value


def test_a_field_is_found_whatever_stands_around_it():
    text = 'I listened twice.\n```json\n{"Key Signature": "D major", "tempo": [90, 96]}\n```\nDone.'
    assert forms.field(text, ("key_signature",)).value == "D major"
    assert forms.field(text, ("tempo",)).value == "90, 96"
    assert forms.field(text, ("mode", "tempo")).value == "90, 96"
    assert forms.field(text, ("mode",)).value is None
    start, end = forms.field(text, ("tempo",)).span
    assert text[start:end].startswith("{")
    assert text[start:end].endswith("}")


def test_the_last_of_several_objects_counts():
    assert forms.field('{"bpm": 90} no: {"bpm": 120}', ("bpm",)).value == 120


SAY = (
    "The answer is {}.",
    "Answer: {}",
    "答案是{}。",
    "It is {}.",
    "**{}**",
    "<answer>{}</answer>",
)
CHANGE = ("The answer is {old}. Wait, no, it is {new}.", "答案是{old}。不对，应该是{new}。",
          "I first thought {old}, but it is {new}.", "It is not {old} but {new}.")  # fmt: skip


@given(st.sampled_from(SAY), st.integers(-500, 5_000))
def test_whole_numbers_however_they_are_said(form, value):
    found = forms.number(form.format(value))
    assert found.value == value
    assert str(abs(value)) in form.format(value)[slice(*found.span)]


@given(st.sampled_from(CHANGE), st.integers(0, 900), st.integers(0, 900))
def test_a_number_that_is_corrected(form, old, new):
    if old != new:
        assert forms.number(form.format(old=old, new=new)).value == new


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("No, there is no repeat sign.", False),
        ("Yes, there is no repeat.", True),
        ("不，没有反复记号。", False),
        ("It is not yes.", False),
    ],
)
def test_an_answer_that_stands_first_is_not_denied_by_the_sentence_behind_it(text, value):
    assert forms.yes_no(text).value is value


@given(st.sampled_from(CHANGE), st.booleans())
def test_a_yes_or_no_that_is_corrected(form, new):
    said = {True: "yes", False: "no"}
    assert forms.yes_no(form.format(old=said[not new], new=said[new])).value is new


NAMES = st.lists(
    st.sampled_from(["C", "D", "Eb", "F#", "G", "Bb", "C4", "G#5"]), min_size=2, max_size=8
)


@given(st.sampled_from(SAY), NAMES, st.sampled_from([" ", ", ", "、", "–", " → ", " - "]))
def test_notes_however_they_are_joined(form, names, joint):
    assert forms.notes(form.format(joint.join(names))).value == tuple(names)


@pytest.mark.slow
@given(st.text(max_size=60))
def test_every_form_reads_anything(text):
    for form in (forms.yes_no, forms.number, forms.notes, forms.words):
        found = form(text)
        assert found.why
        assert (found.value is None) == (found.confidence == "")


@pytest.mark.parametrize(
    ("reply", "said"),
    [
        ("The answer is F#.", "F#"),
        ("The answer is **C#**", "C#"),
        ("answer: `g##`", "g##"),
        ("## Answer\nF#", "F#"),
        ("Answer: C ##", "C"),
        ("# Answer: blue #", "blue"),
        ("Answer: Op. 18 No. 4. It is a quartet.", "Op. 18 No. 4"),
        ("The answer is J. S. Bach. He wrote it in Leipzig.", "J. S. Bach"),
        ("The answer is op. 5", "op. 5"),
        ("The answer is St. Matthew, because it is long.", "St. Matthew"),
        ("The answer is stop. It ends here.", "stop"),
    ],
)
def test_a_sharp_and_an_abbreviation_belong_to_the_answer(reply, said):
    assert forms.words(reply).value == said


@pytest.mark.parametrize(
    ("reply", "value"),
    [
        ("It's minus 3", -3.0),
        ("The answer is minus three.", -3.0),
        ("negative 7", -7.0),
        ("答案是负3", -3.0),
        ("5 minus 2 is 3", None),
        ('{"answer": -4}', -4.0),
        ('{"answer": NaN}', None),
        ('{"answer": 1e999}', None),
        ('{"answer": 1' + 400 * "0" + "}", None),
    ],
)
def test_a_number_has_its_sign_and_an_end(reply, value):
    assert forms.number(reply).value == value


def test_the_words_that_a_reading_quotes_are_closed():
    """As a page prints why a reply was read so, behind which its sentence goes on."""
    options = [
        Option(letter, text, letter) for letter, text in zip("AB", ("Yes", "No"), strict=True)
    ]
    for reply in (
        "I heard a tune.\nFinal Answer: A",
        "I would pick option B here, so my answer is B",
    ):
        why = policies()["robust"].extract(reply, options).why
        assert why.startswith("declared: ")
        assert why.count("'") == 2, why
