"""Changes of form that keep a reply's meaning keep its reading; echoes are no answers."""

import re
import textwrap

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reading_help import HERE, KEYS, lines, shown
from zhiyin.contract.policies import open_policy
from zhiyin.reader.choices import prepare
from zhiyin.reader.plain import one_width
from zhiyin.reader.resolve import Outcome
from zhiyin.reader.robust import read, read_at_once

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
forms = st.sampled_from(REPLIES)


def written(form, key, options=ABCD):
    text = next(o.text for o in options if o.letter == key)
    return form.replace("{key}", key).replace("{text}", text)


def echoed(form, options=ABCD):
    for option in options:
        form = form.replace("{" + option.letter + "}", option.text)
    return form


@given(forms, keys)
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


@given(forms, keys, st.sampled_from(MARKUP))
@settings(max_examples=400, deadline=None)
def test_markdown_and_whitespace(form, key, change):
    assert read(change(written(form, key)), ABCD).letter == key


@given(forms, keys, st.lists(st.sampled_from(WRONG), min_size=1, max_size=3), st.data())
@settings(max_examples=400, deadline=None)
def test_order_of_explanations(form, key, wrongs, data):
    others = data.draw(st.permutations([a for a in "ABCD" if a != key]))
    talk = [w.replace("{other}", o) for w, o in zip(wrongs, others, strict=False)]
    reply = written(form, key)
    reply = reply if reply[-1] in ".。" else f"The answer is {reply}."
    joint = data.draw(st.sampled_from(["\n", "\n\n", " "]))
    assert read(joint.join([reply, *talk]), ABCD).letter == key
    assert read(joint.join([reply, *reversed(talk)]), ABCD).letter == key


@given(forms, keys, st.sampled_from(POLITE_BEFORE), st.sampled_from(POLITE_AFTER))
@settings(max_examples=300, deadline=None)
def test_politeness(form, key, before, after):
    reply = written(form, key)
    assert read(f"{before}\n\n{reply}", ABCD).letter == key
    assert read(f"{reply}\n\n{after}", ABCD).letter == key
    assert read(f"{before}\n\n{reply}\n\n{after}", ABCD).letter == key


@given(forms, keys, st.sampled_from(ENDS), st.sampled_from("ABCD"))
def test_end_tokens(form, key, end, other):
    assert read(f"{written(form, key)}{end}", ABCD).letter == key
    assert read(f"{written(form, key)}{end}\nThe answer is {other}.", ABCD).letter == key


@given(forms, keys, st.sampled_from(ECHOES))
@settings(max_examples=300, deadline=None)
def test_an_echo_of_the_options_before_the_answer(form, key, echo):
    reply = written(form, key)
    assert read(f"{echoed(echo)}\n\n{reply}", ABCD).letter == key


@pytest.mark.parametrize("echo", ECHOES)
@pytest.mark.parametrize("texts", KEYS, ids=range(len(KEYS)))
def test_a_bare_echo_is_no_answer(echo, texts):
    assert read(echoed(echo, shown(texts)), shown(texts)).letter is None


@given(forms, st.permutations("ABCD"), keys)
@settings(max_examples=200, deadline=None)
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
        counted = ORDINAL.search(plain) or YES_NO.search(plain)
        meant = found.confidence == "by text alone" and words.strip() == reply["text"].strip()
        assert named or found.letter.lower() in plain or counted or meant, (words, found)
    assert seen > 400


ORDINAL = re.compile(r"[1-6一二三四五六]|first|second|third|fourth|last|最后")
YES_NO = re.compile(r"yes|no|true|false|是|否|对|不")


def outcome_of(text, options):
    """The reading without the short way."""
    from zhiyin.reader.clauses import _before_run_on
    from zhiyin.reader.plain import plain

    words = plain(text)
    return _before_run_on(words, prepare(options)) if words.text else Outcome("", "")


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
@settings(max_examples=600, deadline=None)
def test_the_short_way_reads_as_the_long_way(text):
    short = read_at_once(text, ABCD)
    if short is not None:
        assert outcome_of(text, ABCD).letter == short.letter


def test_the_default_policy_is_this_reader():
    assert open_policy("robust").extract is read
