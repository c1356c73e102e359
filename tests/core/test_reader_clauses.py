"""Replies that name two options at once, spell a note, deny a thing, or decline by the way."""

from __future__ import annotations

import json
import re
import string
import textwrap

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reading_help import HERE, KEYS, lines, shown
from zhiyin.contract.policies import open_policy, policies
from zhiyin.reader import forms, read, read_at_once
from zhiyin.reader.choices import prepare
from zhiyin.reader.plain import one_width
from zhiyin.reader.resolve import Resolution

pytestmark = pytest.mark.slow

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


PRONOUNS = [
    ("I am not sure about this one.", None),
    ("This is a hard one.", None),
    ("Each one is plausible.", None),
    ("Which one? No one knows.", None),
    ("The answer is one.", "A"),
    ("There is only one.", "A"),
    ("I'd pick number one.", "A"),
    ("One.", "A"),
]


@pytest.mark.parametrize(("reply", "letter"), PRONOUNS)
@pytest.mark.parametrize("options", [["one", "two", "three"], ["1", "2", "3"], list("一二三")])
def test_one_that_counts_nothing_is_no_number(reply, letter, options):
    assert robust(reply, shown(options)).letter == letter


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


FOUR = shown(["Piano", "Violin", "Guitar", "Drums"])
ALIKE = {
    "[": "【〔［〖", "]": "】〕］〗", '"': "「『《」』》“”„«»", "'": "‘’", "{": "｛", "}": "｝",
    "-": "–−‑", ":": "—―", " ": "\u00a0\u202f\u3000\0", "\n": "\u2028\u2029", "I": "İ",
}  # fmt: skip
TRADITIONAL = (
    "選項擇應該對錯確為題這還個們誤後來從無認覺說與沒準則斷傾據實"
    "際並當聽應難過條間問請樂調號節級終論結維語樣現種"
)
SIMPLIFIED = (
    "选项择应该对错确为题这还个们误后来从无认觉说与没准则断倾据实"
    "际并当听应难过条间问请乐调号节级终论结维语样现种"
)
FIELDS = (
    "final", "final_answer", "finalChoice", "final decision", "最终答案", "最终选择", "answer",
    "correctAnswer", "correct", "correct-option", "my_answer", "ans", "答案", "正确答案",
    "answer_letter", "answer_option", "回答", "right_answer", "correct_choice", "respuesta",
    "réponse", "antwort", "答え", "正解", "정답", "ответ", "resposta", "final_output", "choice",
    "option", "selected", "selected_option", "selection", "chosen", "chosen_option", "letter",
    "option_letter", "choice_letter", "pick", "prediction", "predicted", "predicted_answer",
    "best_option", "best_answer", "best", "label", "decision", "verdict", "选择", "选项", "选定",
    "正确选项", "selected_answer", "chosen_answer", "best_guess", "guess", "option_number",
    "your_choice", "response", "result", "output", "conclusion", "结论", "结果", "value",
)  # fmt: skip
TELLING = ("final", "answer", "choice", "response")
"""One name of each kind, the most telling first."""


def test_marks_that_look_alike():
    for plain, marks in ALIKE.items():
        assert one_width(marks) == plain * len(marks)
    assert one_width(TRADITIONAL) == SIMPLIFIED


@pytest.mark.parametrize("name", FIELDS)
def test_each_name_of_a_field_holds_an_answer(name):
    for value in ("B", "Violin", "B. Violin", "b"):
        assert robust(json.dumps({name: value}, ensure_ascii=False), FOUR).letter == "B"


def test_the_most_telling_field_is_read():
    for place, better in enumerate(TELLING):
        for worse in TELLING[place + 1 :]:
            assert robust(json.dumps({worse: "A", better: "C"}), FOUR).letter == "C"
            assert robust(json.dumps({better: "C", worse: "A"}), FOUR).letter == "C"


@pytest.mark.parametrize(
    "name", ["alternative", "second_choice", "runner_up", "wrong", "other", "第二", "备选", "错误"]
)
def test_other_fields_hold_none(name):
    assert robust(json.dumps({name: "A", "answer": "C"}, ensure_ascii=False), FOUR).letter == "C"
    assert robust(json.dumps({"answer": "C", name: "A"}, ensure_ascii=False), FOUR).letter == "C"


ENGLISH = [
    "zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven",
    "twelve", "thirteen", "fourteen", "fifteen", "sixteen", "seventeen", "eighteen", "nineteen",
    "twenty",
]  # fmt: skip
NUMBERS = [*enumerate(ENGLISH), *enumerate("零一二三四五六七八九十"), (2, "两")]


@pytest.mark.parametrize(("number", "word"), NUMBERS)
def test_words_for_numbers(number, word):
    reply = f"The answer is {word}." if word.isascii() else f"答案是{word}个。"
    found = forms.number(reply).value
    assert found == number


@pytest.mark.parametrize(
    ("words", "place"),
    [
        *zip(["first", "second", "third", "fourth", "fifth", "sixth"], range(6), strict=True),
        *zip(["1st", "2nd", "3rd", "4th", "5th"], range(5), strict=True),
        ("last", 5),
    ],
)
def test_words_for_places(words, place):
    six = shown(["Piano", "Violin", "Guitar", "Drums", "Flute", "Oboe"])
    letter = string.ascii_uppercase[place]
    assert robust(f"The {words} option is correct.", six).letter == letter


@pytest.mark.parametrize(
    ("word", "place"), [*zip("一二三四五六", range(6), strict=True), ("最后", 5)]
)
def test_chinese_words_for_places(word, place):
    six = shown(["钢琴", "小提琴", "吉他", "鼓", "长笛", "双簧管"])
    reply = f"第{word}个选项正确。" if len(word) == 1 else f"{word}一个选项正确。"
    assert robust(reply, six).letter == string.ascii_uppercase[place]


@pytest.mark.parametrize(
    ("reply", "letters"),
    [
        ("The first two options are correct.", "AB"),
        ("The first three options are correct.", "ABC"),
        ("The last two options are correct.", "CD"),
        ("The last three options are correct.", "BCD"),
        ("前两个选项正确。", "AB"),
        ("前三项正确。", "ABC"),
        ("最后两个选项正确。", "CD"),
        ("后三个选项正确。", "BCD"),
    ],
)
def test_several_are_counted_from_an_end(reply, letters):
    assert forms.letters(reply, FOUR).value == tuple(letters)


def test_signs_of_notes():
    signs = {
        "#": "#", "♯": "#", " sharp": "#", "b": "b", "♭": "b", " flat": "b", "##": "##", "x": "##",
        "𝄪": "##", "bb": "bb", "♭♭": "bb", "𝄫": "bb", "": "", "♮": "",
    }  # fmt: skip
    for sign, plain in signs.items():
        assert tuple(forms.notes(f"The notes are C4, F{sign}, G.").value) == (
            "C4",
            f"F{plain}",
            "G",
        )


ABCD = shown(["acid jazz", "folk rock", "string quartet", "Peking opera"])
REPLIES = (
    "The answer is {key}.", "Answer: {key}", "I'd go with {key}.", "({key}) is correct.",
    "答案是{key}。", "故选{key}。", "正确答案为{key}。", "{key}选项正确。", "应该选{key}。",
    "{key}. {text}", "The correct answer is {key}: {text}.", "答案是{key}，{text}。",
    "{key}", "{text}", "It is {text}.", "这是{text}。", "My choice is ({key}) {text}.",
    "A, B and D aside, the answer is {key}.", "I'm fairly sure it's {key}.", "So it must be {key}.",
)  # fmt: skip
WRONG = (
    "Option {other} is wrong.", "{other} does not fit.", "{other}选项与题意不符。",
    "{other}项错误。", "It is not {other}.", "I considered {other}, but it lacks the strings.",
    "有人会选{other}，但那是错的。", "{other} would be right if the tempo were slower.",
)  # fmt: skip
POLITE_BEFORE = (
    "Sure!", "Certainly, here is my answer.", "Thank you for the question.", "Great question!",
    "好的。", "您好！", "当然可以。", "谢谢您的提问。", "Let me think about it.",
    "让我们来分析一下。",
)  # fmt: skip
POLITE_AFTER = (
    "I hope this helps!", "Let me know if you have any questions.", "Have a nice day.",
    "希望对你有帮助！", "如有疑问，欢迎继续提问。", "祝您学习愉快。", "Thanks!",
)  # fmt: skip
ENDS = (
    "<|im_end|>",
    "</s>",
    "<|eot_id|>",
    "<|endoftext|>",
    "<end_of_turn>",
    "<｜end▁of▁sentence｜>",
)
ECHOES = (
    "A. {A}\nB. {B}\nC. {C}\nD. {D}", "(A) {A}\n(B) {B}\n(C) {C}\n(D) {D}",
    "A) {A}\nB) {B}\nC) {C}\nD) {D}", "A: {A}; B: {B}; C: {C}; D: {D}",
    "- A. {A}\n- B. {B}\n- C. {C}\n- D. {D}", "A、{A}\nB、{B}\nC、{C}\nD、{D}",
    "Options:\nA. {A}\nB. {B}\nC. {C}\nD. {D}", "选项：\nA. {A}\nB. {B}\nC. {C}\nD. {D}",
    "A. {A} B. {B} C. {C} D. {D}", "The options are {A}, {B}, {C} and {D}.",
    "| A | {A} |\n| B | {B} |\n| C | {C} |\n| D | {D} |",
    "**A.** {A}\n\n**B.** {B}\n\n**C.** {C}\n\n**D.** {D}",
)  # fmt: skip
keys = st.sampled_from("ABCD")
shapes = st.sampled_from(REPLIES)


def written(form, key, options=ABCD):
    text = next(o.text for o in options if o.letter == key)
    return form.replace("{key}", key).replace("{text}", text)


def echoed(form, options=ABCD):
    for option in options:
        form = form.replace("{" + option.letter + "}", option.text)
    return form


@given(shapes, keys)
def test_the_plain_form_is_read(form, key):
    assert read(written(form, key), ABCD).letter == key


MARKUP = (
    lambda t: f"**{t}**", lambda t: f"*{t}*", lambda t: f"__{t}__", lambda t: f"# {t}",
    lambda t: f"> {t}", lambda t: f"- {t}", lambda t: f"<b>{t}</b>", lambda t: f"`{t}`",
    lambda t: f"```\n{t}\n```", lambda t: f"<p>{t}</p>", lambda t: f"\u200b{t}\ufeff",
    lambda t: f"\n\n  {t}\n\n", lambda t: t.replace(" ", "  "), lambda t: t.replace(" ", "\u00a0"),
    lambda t: textwrap.fill(t, 30), lambda t: t + "\r\n", lambda t: f"\t{t}\t", lambda t: f"“{t}”",
    lambda t: "".join(chr(ord(c) + 0xFEE0) if c in "ABCD" else c for c in t),
)  # fmt: skip


@given(shapes, keys, st.sampled_from(MARKUP))
def test_markdown_and_whitespace(form, key, change):
    assert read(change(written(form, key)), ABCD).letter == key


@given(shapes, keys, st.lists(st.sampled_from(WRONG), min_size=1, max_size=3), st.data())
def test_order_of_explanations(form, key, wrongs, data):
    others = data.draw(st.permutations([a for a in "ABCD" if a != key]))
    talk = [w.replace("{other}", o) for w, o in zip(wrongs, others, strict=False)]
    reply = written(form, key)
    reply = reply if reply[-1] in ".。" else f"The answer is {reply}."
    joint = data.draw(st.sampled_from(["\n", "\n\n", " "]))
    assert read(joint.join([reply, *talk]), ABCD).letter == key
    assert read(joint.join([reply, *reversed(talk)]), ABCD).letter == key


@given(shapes, keys, st.sampled_from(POLITE_BEFORE), st.sampled_from(POLITE_AFTER))
def test_politeness(form, key, before, after):
    reply = written(form, key)
    assert read(f"{before}\n\n{reply}", ABCD).letter == key
    assert read(f"{reply}\n\n{after}", ABCD).letter == key
    assert read(f"{before}\n\n{reply}\n\n{after}", ABCD).letter == key


@given(shapes, keys, st.sampled_from(ENDS), st.sampled_from("ABCD"))
def test_end_tokens(form, key, end, other):
    assert read(f"{written(form, key)}{end}", ABCD).letter == key
    assert read(f"{written(form, key)}{end}\nThe answer is {other}.", ABCD).letter == key


@given(shapes, keys, st.sampled_from(ECHOES))
def test_an_echo_of_the_options_before_the_answer(form, key, echo):
    reply = written(form, key)
    assert read(f"{echoed(echo)}\n\n{reply}", ABCD).letter == key


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("texts", KEYS, ids=range(len(KEYS)))
def test_a_bare_echo_is_no_answer(echo, texts):
    assert read(echoed(echo, shown(texts)), shown(texts)).letter is None


@given(shapes, st.permutations("ABCD"), keys)
def test_permuted_letters_permute_the_answer(form, order, key):
    moved = shown([next(o.text for o in ABCD if o.letter == a) for a in order])
    there = "ABCD"[order.index(key)]
    assert read(written(form, key), ABCD).letter == key
    assert read(written(form, there, moved), moved).letter == there


def test_permuted_options_permute_the_answers_of_the_marked_replies():
    """Where a reply names texts alone, shuffling the options moves the answer with its text."""
    for reply in lines(HERE / "open.jsonl"):
        lettered = re.search(r"(?<![a-z])[a-f](?![a-z])", reply["text"].lower())
        if reply["kind"] != "text-alone" or lettered:
            continue
        options = shown(reply["options"])
        turned = shown(reply["options"][1:] + reply["options"][:1])
        letter = read(reply["text"], options).letter
        moved = read(reply["text"], turned).letter
        texts = {o.letter: o.text for o in options}, {o.letter: o.text for o in turned}
        assert texts[0].get(letter) == texts[1].get(moved), reply["text"]


def test_spans_point_at_words_that_hold_the_answer():
    seen = 0
    for reply in lines(HERE / "open.jsonl"):
        options = shown(reply["options"])
        found = read(reply["text"], options)
        if found.span is None:
            continue
        start, end = found.span
        assert 0 <= start < end <= len(reply["text"])
        words = reply["text"][start:end]
        if words.startswith(("{", "[{", "```")):
            continue  # an object, in which the answer is a value
        seen += 1
        plain = " ".join(one_width(words).lower().split())
        texts = prepare(options).texts
        named = any(text in plain for text, letter in texts.items() if letter == found.letter)
        counted = ORDINAL.search(plain) or SAYS_YES_OR_NO.search(plain)
        meant = found.confidence == "by text alone" and words.strip() == reply["text"].strip()
        assert named or found.letter.lower() in plain or counted or meant, (words, found)
    assert seen > 400


ORDINAL = re.compile(r"[1-6一二三四五六]|first|second|third|fourth|last|最后")
SAYS_YES_OR_NO = re.compile(r"yes|no|true|false|是|否|对|不")


def outcome_of(text, options):
    """The reading without the short way."""
    from zhiyin.reader.clauses import _before_run_on
    from zhiyin.reader.plain import plain

    words = plain(text)
    return _before_run_on(words, prepare(options)) if words.text else Resolution("", "")


OPENINGS = (
    "", " ", "**", "(", "[", "$", "> ", "# ", "Answer: ", "The answer is ", "答案是", "选",
    "答案：",
    "I think the answer is ",
)  # fmt: skip
SAID = (
    *"ABCDEabcd", "acid jazz", "Folk rock", "B. folk rock", "C) string quartet", "D: Peking opera",
    "A. folk rock", "E. x", "I", "A B", "B or C",
)  # fmt: skip
CLOSINGS = ("", ".", "。", "!", "**", ")", "]", "$", " ", "\n", "),", "?", " minor", " is wrong")
SHORT = st.tuples(*map(st.sampled_from, (OPENINGS, SAID, CLOSINGS))).map("".join)


@given(SHORT)
def test_the_short_way_reads_as_the_long_way(text):
    short = read_at_once(text, ABCD)
    if short is not None:
        assert outcome_of(text, ABCD).letter == short.letter


def test_the_default_policy_is_this_reader():
    assert open_policy("robust").extract is read
