"""The words, marks and names of fields that the reader knows, each one by one."""

import json
import string

import pytest

from reading_help import shown
from zhiyin.contract.policies import policies
from zhiyin.reader import forms
from zhiyin.reader.plain import one_width

robust = policies()["robust"].extract
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
