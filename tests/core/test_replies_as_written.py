"""Replies as models write them: marks of thinking, LaTeX, case, spellings, talk of options."""

from itertools import permutations

import pytest
from test_reader_measured import phrased_outcome

from phrased_kinds import fresh_replies
from phrasings import TEMPLATES
from reading_help import shown
from zhiyin.reader import read
from zhiyin.reader.plain import plain
from zhiyin.reasoning import apart
from zhiyin.text import equal_places

FOUR = ["piano", "violin", "oboe", "harp"]
NOTES = ["F", "F#", "G", "Gb", "B", "Bb"]
METRES = ["2/4", "3/4", "4/4", "6/8"]
INTERVALS = ["m3", "M3", "P4", "P5"]


def letter(text, options=FOUR):
    return read(text, shown(options)).letter


@pytest.mark.parametrize(
    ("part", "least", "right", "wrong"), [("work", 175, 0.97, 0.0), ("aside", 180, 0.94, 0.02)]
)
def test_replies_of_models(part, least, right, wrong):
    """Before LaTeX, case and marks were known, 63 and 65 % of the parts were right."""
    replies = fresh_replies(part, TEMPLATES.with_name("models.txt"))
    outcomes = [phrased_outcome(reply) for reply in replies]
    assert len(outcomes) >= least
    assert outcomes.count("right") >= right * len(outcomes)
    assert outcomes.count("wrong") <= wrong * len(outcomes)


# --- Where an answer stands


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("The tonic is \\boxed{C}.\n\nTherefore the answer is D.", "D"),
        ("So we get \\boxed{E = A + B}.\nAnswer: D", "D"),
        ("Step 1: \\boxed{B}\nStep 2: \\boxed{A}\nAnswer: A", "A"),
        ("<answer>C</answer> is the note; so the letter is\nAnswer: D", "D"),
        ("[[A]] it was at first. The answer is B.", "B"),
        ("The answer is D, so \\boxed{D}.", "D"),
        ("\\boxed{C}", "C"),
        ("<answer>C</answer>", "C"),
    ],
)
def test_a_box_is_a_declaration_like_another(text, expect):
    assert letter(text, ["q", "r", "s", "t"]) == expect


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("<seed:think>The answer is A</seed:think>B", "B"),
        ("<seed:think>The answer is A", ""),
        ("analysisWe must choose. The answer is A.assistantfinalB", "B"),
        ("analysisWe must choose. The answer is A, surely", ""),
        ("Here is my thought process:\nI take A.\n\nHere is my response:\n\nB", "B"),
        ("Here's my thought process: I take A", ""),
        ("<|thinking|>The answer is A.<|/thinking|>B", "B"),
        ("<PLANNING>A?</PLANNING><SUMMARY>A fits best</SUMMARY><RESPONSE>B</RESPONSE>", "B"),
        ("<think>A</think><response>B</response>", "B"),
        ("<|START_THINKING|>A<|END_THINKING|><|START_RESPONSE|>B<|END_RESPONSE|>", "B"),
        ("<mm:think>The answer is A</mm:think>B", "B"),
        ("<think:opensource>The answer is A</think:opensource>B", "B"),
        ("<inner_monologue>The answer is A</inner_monologue>B", "B"),
        ("<cot>The answer is A</cot>B", "B"),
        ("<my_rationale:v2>The answer is A</my_rationale:v2>B", "B"),
        ("<unused94>thought\nThe answer is A<unused95>B", "B"),
        ("<|channel|>analysis<|message|>A<|end|><|channel|>final<|message|>B", "B"),
        ("◁think▷A◁/think▷B", "B"),
        ("The answer is A</think>B", "B"),
    ],
)
def test_marks_of_thinking_are_one_list(text, answer):
    """The client, the import and the reader know the same ones."""
    assert apart(text)[0].strip() == answer
    assert letter(text) == (answer or None)


def test_what_only_looks_like_thinking_is_read():
    assert letter("Analysis: a reed is heard. Answer: C") == "C"
    assert letter("<b>C</b>") == "C"
    assert apart("analysis of the tune: B") == ("analysis of the tune: B", "")


# --- Notation


@pytest.mark.parametrize(
    ("text", "written"),
    [
        (r"$\mathrm{F\sharp}$", "F#"), (r"F\#", "F#"), (r"$\text{B}^{\flat}$", "Bb"),
        (r"B$\flat$", "Bb"), (r"$B^\flat$", "Bb"), (r"$B^\natural$", "B"), ("B♮", "B"),
        (r"$C\sharp$ minor", "C# minor"), (r"$\frac{3}{4}$", "3/4"), (r"$\tfrac34$", "3/4"),
        ("¾", "3/4"), ("6⁄8", "6/8"), ("⁶⁄₈", "6/8"), ("$^{12}/_{8}$", "12/8"), ("1½", "1 1/2"),
        (r"180^\circ", "180°"), ("V⁷", "V7"), ("$V^7$", "V7"), ("10³", "10^3"),
        ("$10^{3}$", "10^3"), ("C₄", "C4"), (r"F\sharp_4", "F#4"), ("⒝ 𝐁 𝗕 𝑩 Ⓑ", "B B B B B"),
        (r"C \rightarrow G", "C →G"), ("^F ^G _e/_d c^d4", "^F ^G _e/_d c^d4"),
    ],
)  # fmt: skip
def test_latex_and_unicode_are_written_out(text, written):
    reply = plain(text)
    assert reply.text == written
    start, end = reply.span(0, len(reply.text))
    assert 0 <= start < end <= len(text)


def test_a_note_is_never_another_note():
    for text in ("F\\sharp", "F♯", "F\\#", "F^{\\sharp}", "$\\mathrm{F}\\sharp$", "F sharp"):
        for said in (text, f"The answer is {text}", f"\\boxed{{{text}}}", f"It is {text}."):
            assert letter(said, NOTES) in ("B", None), said
            assert letter(said, ["F", "G", "A", "B"]) is None, said
    assert letter("Answer: $B^\\flat$", NOTES) == "F"
    assert letter("The answer is 6⁄8", METRES) == "D"
    assert letter("The answer is $\\frac{5}{4}$", METRES) is None
    assert letter("10^{3}", ["x²", "x³", "10²", "10³"]) == "D"


@pytest.mark.parametrize(
    ("text", "options", "expect"),
    [
        ("M3", INTERVALS, "B"),
        ("The answer is m3.", INTERVALS, "A"),
        ("A. M3", INTERVALS, None),
        ("Answer: B (m3)", INTERVALS, None),
        ('{"answer": "M3"}', INTERVALS, "B"),
        ("The answer is ii", ["II", "ii", "IV", "V"], "B"),
        ("The answer is Cm.", ["CM", "Cm", "C7", "Cdim"], "B"),
        ("CM7", ["Cm7", "C7", "Cdim7", "F"], None),
        ("M3", ["m3", "P4", "P5", "m6"], None),
        ("VIOLIN", FOUR, "B"),
    ],
)
def test_case_counts_where_it_tells(text, options, expect):
    assert letter(text, options) == expect


def test_options_that_case_tells_apart_are_not_the_same():
    assert equal_places(["m3", "M3", "II", "ii", "CM", "Cm"]) == []
    assert equal_places(["Violin", "violin ", "C major", "c major"]) == [0, 1, 2, 3]


@pytest.mark.parametrize(
    ("text", "options", "expect"),
    [
        ("Option 3", ["3", "1", "2", "4"], "C"),
        ("I choose option 4", ["4", "2", "3", "1"], "D"),
        ("Option 2 is correct.", ["2", "3", "4", "5"], "B"),
        ("The answer is option 3.", ["3 beats", "1 beat", "2 beats", "4 beats"], "C"),
        ("The answer is 3.", ["3", "1", "2", "4"], "A"),
        ('{"option": 3}', ["3", "1", "2", "4"], None),
        ('{"option": 3}', FOUR, "C"),
    ],
)
def test_a_number_after_option_is_a_place(text, options, expect):
    assert letter(text, options) == expect


@pytest.mark.parametrize(
    ("text", "options", "expect"),
    [
        ("Dvorak", ["Smetana", "Dvořák", "Suk"], "B"),
        ("The answer is Dvořák.", ["Smetana", "Dvorak", "Suk"], "B"),
        ("Saint Saens", ["Saint-Saëns", "Ravel"], "A"),
        ("resume", ["résumé", "resume"], "B"),
        ("hihat", ["Tom-tom", "Hi-hat"], "B"),
        ("The form is A-B-A", ["AB", "ABA", "AABA"], "B"),
        ("R and B", ["Rock", "R&B"], "B"),
        ("drum & bass", ["Drum and bass", "House"], "A"),
        ("Gmaj7", ["G:maj7", "G:7"], "A"),
        ("The chord is G7.", ["G:maj7", "G:7"], "B"),
        ("three-four time", METRES, "B"),
        ("180 degrees", ["90°", "180°"], "B"),
    ],
)
def test_spellings_of_one_thing(text, options, expect):
    assert letter(text, options) == expect


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("Đáp án đúng là B. Vì A không phải là nhạc cụ dây.", "B"), ("Tôi chọn D.", "D"),
        ("सही उत्तर B है।", "B"), ("विकल्प B सही है।", "B"), ("उत्तर A नहीं है।", None),
        ("Doğru cevap C'dir.", "C"), ("Cevap: B", "B"), ("Doğru cevap A değil, B.", "B"),
        ("Jawaban yang paling tepat adalah C.", "C"), ("Jawabannya bukan A.", None),
        ("คำตอบที่ถูกต้องคือ ข้อ B", "B"), ("Poprawna odpowiedź to D.", "D"),
        ("Nie wiem, czy to A, czy B.", None), ("Het juiste antwoord is C.", "C"),
        ("الإجابة الصحيحة هي B.", "B"), ("Die Antwort ist nicht A, sondern B.", "B"),
        ("La réponse n'est pas A, mais B.", "B"), ("정답은 A가 아니라 B입니다.", "B"),
    ],
)  # fmt: skip
def test_declarations_in_further_languages(text, expect):
    assert letter(text) == expect


# --- Talk that chooses none

SUPPORT = [
    "{X} could be right, because {f}.", "{X} is also possible.", "{X} would fit, since {f}.",
    "{X} might work.", "The fact that {f} speaks for {X}.", "The way {f} suggests {X}.",
    "{X} cannot be excluded.", "{X} is a strong candidate.", "{X} is consistent with it.",
    "In favour of {X}: {f}.", "There is a case for {X}.", "{X} comes to mind.",
    "Another candidate is {X}.", "{X} has something going for it: {f}.", "{X} is conceivable.",
    "{X} would explain why {f}.", "{X} seems reasonable.",
]  # fmt: skip
NAMED = [("A", "B"), ("option C", "option A"), ("a guitar", "a banjo"), ("A (Guitar)", "B (Banjo)")]


@pytest.mark.parametrize(
    ("text", "expect"),
    [
        ("My ears say A, my head says B.", None), ("Theory says A, the recording says B", None),
        ("The rhythm says A; the timbre says B.", None), ("The score says A. My ear says B.", None),
        ("My ears say A, my head says B. I go with B.", "B"), ("My ears say A.", "A"),
        ("My ears say A and my head says A.", "A"), ("Theory says A, so the answer is A.", "A"),
    ],
)  # fmt: skip
def test_two_voices_that_say_different_things_decide_nothing(text, expect):
    assert letter(text) == expect


@pytest.mark.parametrize("named", NAMED)
def test_what_is_weighed_without_a_choice_is_no_answer(named):
    """Before, 80 % of such pairs were read as one of the two."""
    strings, why = ["Guitar", "Banjo", "Mandolin", "Ukulele"], ("the decay is long", "it is bright")
    for said in permutations(SUPPORT, 2):
        parts = [s.format(X=x, f=f) for s, x, f in zip(said, named, why, strict=True)]
        text = " ".join(part[0].upper() + part[1:] for part in parts)
        assert letter(text, strings) is None, text
        decided = f"{text} On balance I would go with B."
        assert letter(decided, strings) == "B", decided


STRINGS = ["Guitar", "Banjo", "Mandolin", "Ukulele"]
MODES = ["Major", "Minor", "Dorian", "Lydian"]
SECTIONS = ["Verse", "Chorus", "Bridge", "Outro"]


@pytest.mark.parametrize(
    ("text", "options", "expect"),
    [
        (
            "I'm afraid I can't hear anything. A guitar is plucked, in case that helps.",
            STRINGS,
            None,
        ),
        ("Do you hear a drum-like body? Then B.", STRINGS, None),
        ("Which tuning is used? The mandolin is tuned in fifths.", STRINGS, None),
        ("What do you think? The tremolo reminds one of a mandolin.", STRINGS, None),
        (
            "Let me think about the sound. It is plucked and has little sustain. The banjo",
            STRINGS,
            None,
        ),
        ("The banjo has a membrane, while the guitar does not.", STRINGS, None),
        ("A banjo player often uses finger picks.", STRINGS, None),
        ("It has elements of both a guitar and a banjo.", STRINGS, None),
        ("Not B. Of the others I cannot say which.", STRINGS, None),
        ("50/50 between A and D.", STRINGS, None),
        ("Hmm, guitar or banjo... both would make sense.", STRINGS, None),
        (
            "The timbre is like that of a guitar. The tuning is like that of a ukulele.",
            STRINGS,
            None,
        ),
        ("The answer may be A. It may also be C.", STRINGS, None),
        ("Answer: A/B", STRINGS, None),
        (
            "What we hear has a fast decay, as banjos do. It also has a low range, as guitars do.",
            STRINGS,
            None,
        ),
        ("It resembles a banjo in some respects and a mandolin in others.", STRINGS, None),
        ("A Lydian scale has a raised fourth.", MODES, None),
        ("A verse usually comes first.", SECTIONS, None),
        ("This section follows the second chorus.", SECTIONS, None),
        ("It could be a ukulele, but the low E string gives it away: it's a guitar.", STRINGS, "A"),
        ("Guitar or banjo? The membrane sound says banjo.", STRINGS, "B"),
        ("A is possible, but D is more likely.", STRINGS, "D"),
        ("B fits the bright attack. A does not.", STRINGS, "B"),
        ("The paired strings point to C.", STRINGS, "C"),
        ("The tremolo suggests a mandolin.", STRINGS, "C"),
        ("A guitar is playing.", STRINGS, "A"),
        ("A banjo is heard playing in the background.", STRINGS, "B"),
        ("I hear a banjo.", STRINGS, "B"),
        ("The lowered third indicates minor.", MODES, "B"),
        ("New chords after the second chorus indicate a bridge.", SECTIONS, "C"),
    ],
)
def test_facts_questions_and_talk_are_no_answers(text, options, expect):
    assert letter(text, options) == expect


SOUNDING = {
    ("C7", "Cmaj7", "Cm7", "Cdim7", "Cm7b5"): {
        "Cø7": "E",
        "C°7": "D",
        "CΔ7": "B",
        "C-7": "C",
        "CM7": "B",
        "Cm7": "C",
        "C half-diminished 7th": "E",
        "C dominant seventh": "A",
        "It's a Cm(maj7).": None,
        "Cmin(maj7)": None,
        "C7#9": None,
        "C7sus4": None,
        "C♯7": None,
        "C\\sharp 7": None,
        "C⁷": "A",
        "$C^7$": "A",
        "$C^{maj7}$": "B",
        "$C^{\\text{maj7}}$": "B",
        "C major 7": "B",
        "C minor 7": "C",
        "C6": None,
        "C9": None,
        "Db7": None,
        "The chord is C7/E.": None,
    },
    ("C", "Cm", "C7", "Am"): {"C major": "A", "C minor": "B", "A minor": "D", "I am sure": None},
    ("C major", "C minor", "A minor", "A major"): {
        "Am": "C",
        "CM": "A",
        "Cm": "B",
        "C# minor": None,
        "C\\sharp minor": None,
        "A♭ major": None,
        "$A\\flat$ major": None,
        "A-flat major": None,
        "C♮ minor": "B",
    },
    ("I", "ii", "V7", "vi"): {
        "V⁷": "C",
        "vi": "D",
        "vii°": None,
        "IV": None,
        "The chord is V.": None,
        "V7/V": None,
    },
    ("i", "I", "iv", "IV"): {"iv": "C", "The progression ends on IV.": "D"},
    ("C4", "C#4", "D4", "Db4"): {
        "C♯4": "B",
        "C♯₄": "B",
        "C\\sharp_{4}": "B",
        "D♭4": "D",
        "C5": None,
        "$D\\flat_5$": None,
        "C₄": "A",
    },
    ("C", "Cb", "B", "Bb"): {
        "C♭": "B",
        "C-flat": "B",
        "The note is B flat.": "D",
        "The note is $\\mathrm{B}^{\\flat}$.": "D",
        "The note is C natural.": "A",
        "B double flat": None,
        "B𝄫": None,
        "B♭♭": None,
    },
    ("F", "F#", "F##", "G"): {"F𝄪": "C", "F♯♯": "C", "Fx": "C", "F double sharp": "C"},
    ("3/4", "4/4", "6/8", "12/8"): {
        "12⁄8": "D",
        "2/8": None,
        "It is in 13/4.": None,
        "C": "C",
        "6/8 time": "C",
        "16/8": None,
    },
    ("120", "60", "90", "12"): {
        "120 BPM": "A",
        "1200": None,
        "12.5": None,
        "about 60": "B",
        "160": None,
        "1,200": None,
        "12 000": None,
    },
    ("20,000 Hz", "2,000 Hz", "200 Hz"): {
        "20 000 Hz": "A",
        "20000 Hz": "A",
        "2e4 Hz": "A",
        "2 kHz": "B",
    },
    ("440.5", "440", "441"): {"440,5": "A"},
    ("0.5", "1.5", "2"): {"½": "A"},
    ("1/2", "1/4", "3/4"): {"0.5": "A", "one half": "A"},
    ("m3", "M3"): {"minor third": "A", "major third": "B"},
    ("minor third", "major third"): {"m3": "A", "M3": "B"},
    ("5th", "4th", "3rd"): {"fifth": "A"},
    ("perfect fifth", "perfect fourth"): {"P5": "A"},
    ("1 semitone", "2 semitones"): {"1 semitone": "A"},
    ("1st", "2nd"): {"2nd": "B"},
}
"""Options, and of replies the letter that each means."""


def test_music_is_never_other_music():
    outcomes = []
    for options, replies in SOUNDING.items():
        for text, expect in replies.items():
            for said in (text, f"Answer: {text}", f"The answer is {text.rstrip('.')}."):
                found = letter(said, list(options))
                assert found in (expect, None), (said, options)
                outcomes.append(found == expect)
    assert sum(outcomes) >= 0.85 * len(outcomes)
