"""What must hold of the robust policy whatever the reply, and how long it may take."""

from __future__ import annotations

import json
import string
import time
import unicodedata
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_help import shown
from zhiyin.contract.policies import open_policy, policies
from zhiyin.errors import InputError
from zhiyin.reader import forms
from zhiyin.reader.plain import one_width
from zhiyin.trial import Option

pytestmark = pytest.mark.slow

robust = policies()["robust"].extract
TEXTS = ["acid jazz", "folk rock", "string quartet", "Peking opera"]
ABCD = [Option(a, "", a) for a in "ABCD"]
MUSIC = (
    "The piece is in A minor.",
    "Drums are heard throughout.",
    "The progression moves from D to G.",
    "A guitar doubles the bass.",
    "Section B returns in C major.",
    "The chords are C, D7 and A minor.",
    "这首曲子是D大调。",
    "The melody goes C–D–E.",
)
DECLARED = (
    "The answer is {}.",
    "Answer: {}",
    "**Final Answer:** {}",
    "I choose ({}).",
    "答案是{}。",
    "故选{}。",
    "正确答案为：{}",
    "<answer>{}</answer>",
    "\\boxed{{{}}}",
    '{{"answer": "{}"}}',
    "({}) is the correct answer.",
    "{}选项正确。",
)
HOSTILE = (
    *("a", "A ", "B. ", "answer: ", "the answer is ", "<think>", "</think>", "(", "[[", "\n"),
    *("\n\nB\n", "A, ", "A or ", "A is correct ", "option A ", "选", "答案是", "A选项", "\\boxed{"),
    *(
        '{"answer":',
        "~~",
        "wait, ",
        "no, no, ",
        "so ",
        "it's ",
        "A. Piano\n",
        "Piano ",
        "\nQ:",
        "<|",
    ),
    *(
        "i would choose ",
        "correct answer ",
        "\u0301",
        "if ",
        "不",
        "answer is not A but ",
        "guitar and ",
    ),
)


def lettered(texts):
    return [Option(a, text, a) for a, text in zip(string.ascii_uppercase, texts, strict=False)]


PIECES = (
    *("A", "B", "C", "Answer: ", "the answer is ", "not ", " or ", "\n", "(", ")", "**"),
    *(
        "答案是",
        "选",
        "<think>",
        "</think>",
        "\\boxed{",
        "}",
        "if ",
        "wait, no, ",
        ". ",
        "🎻",
        "\x00",
    ),
    "acid jazz",
)
pieces = st.sampled_from(PIECES)
replies = st.text(max_size=200) | st.lists(pieces, max_size=25).map("".join)


@given(replies, st.integers(1, 26))
def test_every_policy_gives_a_letter_shown_or_none(text, count):
    options = lettered((TEXTS * 7)[:count])
    # The sources of these rules read A to D, or to E, whatever options there are.
    always = {"rul": "ABCDE", "lm-eval-mmlu-pro": "ABCDEFGHIJ"}
    of_four = ("first-letter", "muchomusic-code", "flexible", "air-bench", "evalscope-mmau")
    always |= dict.fromkeys((*of_four, "lmms-mmau", "lmms-muchomusic"), "ABCD")
    of_all = ("lm-eval-first", "lm-eval-last", "faithfulness-omni", "faithfulness-flamingo")
    always |= dict.fromkeys(of_all, string.ascii_uppercase)
    for policy in policies().values():
        found = policy.extract(text, options)
        shown = {*(option.letter for option in options), *always.get(policy.name, "")}
        assert found.letter is None or found.letter in shown
        assert found == policy.extract(text, options)


@given(st.sampled_from(DECLARED), st.sampled_from("ABCD"), st.data())
def test_music_around_a_declared_answer_changes_nothing(form, letter, data):
    before = data.draw(st.lists(st.sampled_from(MUSIC), max_size=4))
    after = data.draw(st.lists(st.sampled_from(MUSIC), max_size=4))
    joint = data.draw(st.sampled_from(["\n", "\n\n"]))
    text = joint.join([*before, form.format(letter), *after])
    assert robust(text, ABCD).letter == letter


@given(st.text(max_size=80), st.sampled_from(DECLARED), st.sampled_from("ABCD"))
def test_reasoning_before_a_declared_answer_changes_nothing(thought, form, letter):
    thought = thought.replace("<", "").replace("[", "").replace("◁", "")
    for opening, closing in (
        ("<think>", "</think>"),
        ("<reasoning>", "</reasoning>"),
        ("", "</think>"),
    ):
        text = f"{opening}{thought} The answer is A. Answer: B{closing}\n{form.format(letter)}"
        assert robust(text, ABCD).letter == letter


@given(st.sampled_from(DECLARED), st.permutations("ABCD"))
def test_permuted_letters_permute_the_answer(form, permuted):
    for letter, other in zip("ABCD", permuted, strict=True):
        assert robust(form.format(letter), ABCD).letter == letter
        assert robust(form.format(other), ABCD).letter == other


@given(
    st.sampled_from(["{}", "The answer is {}.", "答案：{}", "I hear {} here.", "Final Answer: {}"]),
    st.sampled_from(TEXTS),
    st.permutations(TEXTS),
)
def test_an_answer_by_text_follows_its_text_when_options_are_shuffled(form, text, order):
    assert robust(form.format(text), lettered(order)).letter == "ABCD"[order.index(text)]


@pytest.mark.sample(3)
@pytest.mark.parametrize("unit", HOSTILE)
def test_time_is_linear_on_hostile_replies(unit):
    def seconds(size):
        start = time.process_time()
        robust(unit * (size // len(unit)), lettered(["Piano", "Violin", "Guitar", "Drums"]))
        return time.process_time() - start

    assert seconds(100_000) < 1.0  # linear: 0.1 s measured at most


def test_a_letter_alone_is_read_at_once():
    start = time.process_time()
    for _ in range(10_000):
        robust("B.", ABCD)
    assert (
        time.process_time() - start
    ) / 10_000 < 20e-6  # measured 0.25 µs; slack for busy machines


def test_a_megabyte_is_read_to_its_end():
    assert robust("The chords are A, D and G. " * 40_000 + "\nThe answer is C.", ABCD).letter == "C"


def test_labels_and_unknown_names():
    assert open_policy("robust").label == "robust@6"
    with pytest.raises(InputError, match="did you mean robust"):
        open_policy("robst")


@pytest.mark.parametrize("named", ["A C", "A D", "A B", "B D", "A B D", "A　C"])
@pytest.mark.parametrize("frame", ["{}", "多选：{}", *DECLARED[1:3], *DECLARED[4:9]])
def test_letters_side_by_side_are_several_and_not_the_last(frame, named):
    assert robust(frame.format(named), ABCD).letter is None


@pytest.mark.parametrize("heard", ["A C major chord", "A C chord is heard", "A D7 chord", "A G♯"])
def test_a_note_behind_the_article_is_still_none(heard):
    assert robust(f"{heard}. So the answer is B.", ABCD).letter == "B"
    assert robust(f"{heard}.", ABCD).letter is None


GOLDEN = Path(__file__).parent.parent / "golden" / "answers.jsonl"
CASES = [json.loads(line) for line in GOLDEN.read_text(encoding="utf-8").splitlines()]


@pytest.mark.parametrize("case", CASES, ids=[case["id"] for case in CASES])
def test_golden(case):
    found = open_policy(case["policy"]).extract(case["text"], shown(case["options"]))
    assert found.letter == case["answer"], f"{case['text']!r}: {found.why}"
    assert found.why
    assert "\n" not in found.why


def test_the_golden_file_is_large_and_covers_every_policy():
    assert len(CASES) >= 200
    assert len({case["id"] for case in CASES}) == len(CASES)
    assert {case["policy"] for case in CASES} == set(policies())


FOUR = shown(["Piano", "Violin", "Guitar", "Drums"])
YEARS = shown(["1824", "1803", "1827", "1770"])


def test_dressed_letters_and_digits_are_those_in_their_unicode_names():
    blocks = (0x2460, 0x2500), (0x1F100, 0x1F200), (0x1D400, 0x1D800), (0xFF00, 0xFFF0)
    dressed = {}
    for code in (code for block in blocks for code in range(*block)):
        plain = one_width(chr(code))
        if plain != chr(code):
            name = unicodedata.name(chr(code)).split()[-1]
            alike = unicodedata.normalize("NFKC", chr(code))
            assert plain == alike or plain.upper() == name, hex(code)
            dressed[chr(code)] = plain
    assert len(dressed) == 337
    for first in "Ⓐ🄰🅐🅰𝐀𝐴𝑨𝗔":
        assert (
            "".join(dressed[chr(ord(first) + k)] for k in range(26)) == "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
        )
    assert one_width("ⓐⓩ①⑨⓪⑩") == "az19⓪⑩"


@pytest.mark.parametrize(
    ("reply", "options", "letter"),
    [
        ("The fifth option is not there; I pick the second option.", FOUR, "B"),
        ("The fourth option is correct.", FOUR, "D"),
        ("The fifth option is correct.", FOUR, None),
        ("Not the ninth option. The third option is correct.", FOUR, "C"),
        ("Option 1 would be early; the second option is correct.", YEARS, "B"),
    ],
)
def test_places_beyond_the_options_hide_no_later_one(reply, options, letter):
    assert robust(reply, options).letter == letter


@pytest.mark.parametrize(
    ("reply", "value"),
    [("The answers are A and C.", ("A", "C")), ('{"answer": ["C", "A"]}', ("A", "C"))],
)
def test_several_letters_are_declared(reply, value):
    found = forms.letters(reply, FOUR)
    assert (found.value, found.confidence) == (value, "declared")


@pytest.mark.parametrize(
    ("reply", "letter"),
    [
        ("Options B D", None),
        ("Option B D.", None),
        ("选项B D", None),
        ("Options A C are wrong. D", "D"),
        ("Option B Violin", "B"),
        ("Option B", "B"),
    ],
)
def test_letters_in_a_row_after_the_word_option_are_a_list(reply, letter):
    assert robust(reply, FOUR).letter == letter


def test_a_letter_after_an_option_may_be_its_text():
    chords = shown(["C", "D", "A", "B"])
    assert robust("Option B D", chords).letter == "B"
    assert robust("Option C A.", chords).letter == "C"
    assert robust("Option B A", chords).letter is None
