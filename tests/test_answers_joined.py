"""Replies that name two options at once, spell a note, deny a thing, or decline by the way."""

import pytest

from reading_help import shown
from zhiyin.contract.policies import policies
from zhiyin.reader import forms

robust = policies()["robust"].extract
CHORDS = shown(["Major", "Minor", "Dominant seventh", "Diminished"])
SOUNDS = shown(["Acoustic guitar", "Violin", "Drums", "Piano"])
NOTES = shown(["Bb", "F#", "A", "D"])
YES_NO = shown(["Yes", "No"])
SAME = shown(["Yes, these are exactly the same melody.", "No, these are not the same melody."])
STEPS = shown(["C-G-Am-F", "C-Am-F-G", "A-D-E-A", "Dm-G-C-A"])
SPACED = shown(["C - G - Am - F", "C - Am - F - G", "A - D - E - A", "Dm - G - C - A"])
TEMPI = shown(["60 BPM", "90 BPM", "120 BPM", "150 BPM"])
MOODS = shown(["Happy and upbeat", "Sad and melancholic", "Tense", "Calm and relaxing"])


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        (r"\boxed{A \text{ or } B}", None),
        (r"\boxed{A\text{ and }B}", None),
        (r"\boxed{A\ \text{or}\ B}", None),
        (r"\boxed{A \lor B}", None),
        (r"\boxed{A \& B}", None),
        (r"\boxed{\text{A} \text{ and } \text{B}}", None),
        (r"\boxed{A} or \boxed{B}", None),
        (r"\boxed{A}, \boxed{C}", None),
        (r"$\boxed{A}$ or maybe $\boxed{B}$", None),
        ("<answer>A</answer> or <answer>B</answer>", None),
        (r"\boxed{C}, not \boxed{B}", "C"),
        (r"\boxed{A}. Wait, no: \boxed{B}", "B"),
        (r"\boxed{\text{(B) Minor}}", "B"),
        (r"\boxed{B. Minor}", "B"),
        (r"\boxed{B. Major}", None),
        (r"The answer is $\boxed{\text{B. Diminished}}$.", None),
    ],
)
def test_boxes_and_tags_that_are_joined_are_one_answer_of_two(reply, letter):
    assert robust(reply, CHORDS).letter == letter


@pytest.mark.parametrize(
    ("reply", "options", "letter"),
    [
        ("B flat", NOTES, "A"),
        ("The answer is B-flat.", NOTES, "A"),
        ("B♭", NOTES, "A"),
        ("F sharp", NOTES, "B"),
        ("F♯", NOTES, "B"),
        ("The answer is A flat.", NOTES, None),
        ("Answer: D#", NOTES, None),
        ("The note is D sharp.", NOTES, None),
        ("A - D - E - A", STEPS, "C"),
        ("C – G – Am – F", STEPS, "A"),
        ("The chords are C -> G -> Am -> F.", STEPS, "A"),
        ("A–D–E–A", SPACED, "C"),
        ("I hear C-G-Am-F.", SPACED, "A"),
        ("120bpm", TEMPI, "C"),
        ("The tempo is 90bpm.", TEMPI, "B"),
    ],
)
def test_notes_chords_and_units_are_the_same_however_they_are_written(reply, options, letter):
    assert robust(reply, options).letter == letter


@pytest.mark.parametrize("options", [YES_NO, SAME])
@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("No audio was attached.", None),
        ("No sound can be heard in the clip.", None),
        ("No problem! Please attach the audio.", None),
        ("The clips differ. No further comment.", None),
        ("No, they differ.", "B"),
        ("No they differ", "B"),
        ("No\n\nBar 2 differs.", "B"),
        ("They do not match. No.", "B"),
        ("It matches. Yes.", "A"),
        ("Are there differences? No.", None),
        ("Yes. No differences.", "A"),
    ],
)
def test_no_before_a_thing_is_no_answer_and_the_last_sentence_may_be_one(reply, options, letter):
    assert robust(reply, options).letter == letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("I cannot listen to the audio. If you tell me more (e.g. violin), I can help.", None),
        ("I'm not able to hear the recording, but a violin sounds like a bowed tone.", None),
        ("我听不到音频。抱歉，无法回答。violin 是常见乐器", None),
        ("I can't hear the audio, but I'd guess violin.", "B"),
        ("I can't listen to audio. My guess: violin", "B"),
        ("Sorry, I can't process audio.\n\nViolin", "B"),
        ("If it is bowed the answer is B; if it is not, the answer is A.", None),
        ("If it is plucked it is A. If not, the answer is B.", None),
        ("It's not just an acoustic guitar; it's a violin.", "B"),
        ("It might be a violin, or its relative drums.", None),
        ("There is no such instrument: piano", None),
        ("A singer over a slow beat: D. Piano", "D"),
        ("Softer than usual: B.", "B"),
        ("Slower than usual -> (B) Violin", "B"),
        ("rather than: B", None),
        (
            "The question asks what plays the tune: acoustic guitar, violin, drums or piano. "
            "It's the violin.",
            "B",
        ),
        ("It's the acoustic guitar, violin, drums or piano.", None),
    ],
)
def test_options_named_by_the_way_are_no_answer(reply, letter):
    assert robust(reply, SOUNDS).letter == letter


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("The mood is sad.", "B"),
        ("This song feels very relaxing.", "D"),
        ("The mood is hopeful.", None),
        ("The music is happy and sad.", None),
        ("The music is not happy.", None),
    ],
)
def test_what_is_said_of_the_whole_in_the_words_of_one_option_is_it(reply, letter):
    assert robust(reply, MOODS).letter == letter


@pytest.mark.parametrize(
    ("reply", "letters"),
    [
        ("A\nC", "AC"),
        ("- A\n- C", "AC"),
        ("A. Acoustic guitar\nC. Drums", "AC"),
        ("The correct answers are:\n\nA. Acoustic guitar\nC. Drums", "AC"),
        ("I hear:\n- Violin\n- Drums", "BC"),
        ("正确选项：\n- A. Acoustic guitar\n- C. Drums", "AC"),
        ("A, C\n\nExplanation: B is absent.", "AC"),
        ("A and C, not B", "AC"),
        ("Answer: A+C", "AC"),
        ("A or C", ""),
        ("Either A or D, hard to say.", ""),
        ("A\n\n### Question\nWhat is the tempo?\n### Answer\nC", "A"),
        ("A\nC\n\nScrap that, I don't know.", ""),
    ],
)
def test_several_right_options_may_stand_one_a_line(reply, letters):
    assert "".join(forms.letters(reply, SOUNDS).value or ()) == letters


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("A: Yes\nB: No\nC: Yes\nD: No", None),
        ("- A. Acoustic guitar: Yes\n- B. Violin: No\n- C. Drums: Yes\n- D. Piano: No", None),
        ("A: No\nB: Yes\nC: No\nD: No", "B"),
        ("A+C", None),
        ("Answer: A+C", None),
        ("I'd say A. No, C.", "C"),
    ],
)
def test_a_no_of_one_option_corrects_nothing_said_of_another(reply, letter):
    assert robust(reply, SOUNDS).letter == letter
