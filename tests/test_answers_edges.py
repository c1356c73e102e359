"""Replies at the edges of what the reader counts and folds."""

import unicodedata

import pytest

from reading_help import shown
from zhiyin.contract.policies import policies
from zhiyin.reader import forms
from zhiyin.reader.plain import one_width

robust = policies()["robust"].extract
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
