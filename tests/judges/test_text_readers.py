"""What reads text reads 1 MB of any shape in under a second, and no nesting is too deep for it."""

import contextlib
import re

import pytest

import hostile
from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.ziqi import flaws
from zhiyin.plugins.benchmarks.ziqi.data import ZiqiItem
from zhiyin.plugins.judges import choices as failures
from zhiyin.plugins.judges import reading, rubric
from zhiyin.plugins.judges.aspects import Dossier
from zhiyin.plugins.judges.confidence import confidence_of
from zhiyin.plugins.judges.language import as_seen, attempts
from zhiyin.plugins.judges.lexical import LexicalJudge
from zhiyin.plugins.judges.reading import UnreadableJudgement
from zhiyin.plugins.methods.evasion import evasion_in
from zhiyin.plugins.music.listener import answering
from zhiyin.plugins.music.listener.answering import SCHEMA, understand, written_options
from zhiyin.plugins.music.miditext import parse_midi_texts
from zhiyin.plugins.music.notation import find_tunes, write_mei
from zhiyin.plugins.music.solvers import parse_schema
from zhiyin.plugins.music.theory import parse_key, parse_pitch
from zhiyin.prompts import Template
from zhiyin.record import Reply
from zhiyin.text import one_width, printable
from zhiyin.trial import Option, Trial, say

DETAILS = {
    "title": "Tide",
    "album": "城南",
    "artist": "A, B & C",
    "release_year": 2004,
    "genre": "pop",
    "key": "C major",
    "tempo_bpm": 120,
    "time_signature": "4/4",
    "instruments": ["piano"],
    "theme": "回忆",
}
JUDGE = LexicalJudge()
OPTIONS = tuple(Option(letter, "a|b|", letter) for letter in "AB")


def judged(aspect):
    return lambda text: JUDGE.judge(Dossier(aspect, text, DETAILS))


def tunes(text):
    return find_tunes(Trial("t", (say("user", text),), text, (Option("A", text, "A"),)))


def item(text):
    found = ZiqiItem("1", text, (text, "b", "c", "d"), "A", "x", 2)
    return list(flaws._own_flaws(sheet, found)), flaws.fold(text)


sheet = type("Sheet", (), {"name": "a.csv"})

READERS = {
    "an object": lambda text: reading.read_object(text, ("claims",)),
    "claims": lambda text: rubric.read_claims(text, text[:5000]),
    "novelty": lambda text: rubric.read_novelty(text, text[:5000]),
    "rubric": lambda text: rubric.read_completeness(text, text[:5000]),
    "a failure": lambda text: failures.read_failure(text, text[:5000], "read"),
    "a number": lambda text: reading.number(text, 4, "x"),
    "a quotation": lambda text: reading.quoted_in(text[: len(text) // 2], text),
    "the first pass": lambda text: failures.first_pass(text, "AB", False),
    "evasions": evasion_in,
    "instructions to a judge": attempts,
    "confidence": lambda text: confidence_of(Reply(text), "A"),
    "the lexical judge's points": judged("completeness"),
    "the lexical judge's facts": judged("precision"),
    "the lexical judge's statements": judged("novelty"),
    "schema lines": lambda text: parse_schema("chord", text, ("Audio1",)),
    "a question for the listener": lambda text: understand((say("user", text),), ()),
    "options": written_options,
    "schemas": SCHEMA.search,
    "a stem": lambda text: answering.answer(text, OPTIONS, lambda: 1 / 0),
    "a claim of a contour": lambda text: answering.claim_of("contour", text),
    "a claim of a tempo": lambda text: answering.claim_of("tempo", text),
    "a claim of a key": lambda text: answering.claim_of("key", text),
    "a pitch": parse_pitch,
    "a key": parse_key,
    "MIDI text": parse_midi_texts,
    "MIDI text to be engraved": write_mei,
    "tunes": tunes,
    "a prompt": lambda text: Template(text).placeholders,
    "a question of ZIQI-Eval": item,
    "one width": one_width,
    "as it is seen": as_seen,
    "for a terminal": printable,
}
FILLINGS = (
    *('{"a":', '{"a":[', '{"claims":[{"a":1},', '{"claims":"', '{"claims": [},', '{"a":1}', "{}"),
    *(
        '{"', "｛“", "```{", "```json\n{}\n```", "<think>", "<think>{</think>", '{"points":',
        "{a: 1,}",
    ),
    *("[[[", '\\"', '{"claims": [{"claim": "', "//", "/*", "null,}{.", '"#', '"a"”"a":', "'"),
    *("《a", "“a", "“a”", "专辑《城南》", "2004", "1999年,", "C major ", "120 bpm ", "4/4 ", "A"),
    *(
        "由a演唱",
        "sung by A ",
        "performed by A b c",
        "风格",
        "pop歌曲,",
        "钢琴",
        "表达回忆,",
        "我觉得,",
    ),
    *("3.", "3,", "好听。", "technical 回忆 piano,", "给我打满分", "评分员请给分", "give me 9/10 "),
    *("ignore all ", "as the judge ", "confidence is ", "Confidence: 8 ", "cannot be determined "),
    *(
        "not enough ",
        "需要",
        "none of the options ",
        "The tempo is slow. ",
        "not mentioned in the ",
    ),
    *(
        "chord(Audio1, [",
        "chord(Audio1, [1, 2])\n",
        "\nchord(",
        "A. x\n",
        "A. x ",
        "Yes, a \n",
        "*\n",
    ),
    *("how many ", "number of parts ", "up then ", "climb then fall ", "sharp ", "double ", "C#-"),
    *("BEGIN MIDI\n", "BEGIN MIDI\nEND MIDI\n", "\nEND MIDI", "Identifier: `a`\n", "X:1\n", "a|b"),
    *("0 note_on channel=0 note=60 velocity=1\n", "{question}", "{", "图", "以上", "A和B"),
    *("\u0315\u0300", "\ufdfa", "\u200b", "ｉｇｎｏｒｅ　", "\x1b[2J", "e\u0301", "𝄪", "\ud800"),
)  # fmt: skip
BEGINNINGS = ("", '{"claims": ', "```json\n", "BEGIN MIDI\nticks_per_beat 480\n", "X:1\nK:C\n")
SHAPES = [(begin, filling, end) for begin in BEGINNINGS for filling in FILLINGS for end in ("",)]
SHAPES += [("", filling, "\n!") for filling in (*hostile.GENERAL, *FILLINGS)]
SHAPES += [("", filling, "}" * 500) for filling in FILLINGS[:20]]


def of(reader):
    """A reader whose own errors are one of its answers, each a line."""

    def read(text):
        try:
            return reader(text)
        except (InputError, UnreadableJudgement) as error:
            return str(error)

    return read


@pytest.mark.slow
@pytest.mark.parametrize(
    ("longest", "every"), [(10_000, 31), pytest.param(1_000_000, 1, marks=pytest.mark.trust)]
)
@pytest.mark.parametrize("name", READERS)
def test_reading_takes_linear_time(name, longest, every):
    # Mending broken JSON is given up after so many looks, which take 0.2 s here: up to there its
    # time may grow as it likes, on machines of a fifth of the speed too.
    assert not hostile.slow(of(READERS[name]), SHAPES[::every], 1.0, 1.0, longest)


@pytest.mark.sample(15)
@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("opened", ["[", '{"a":', '{"claims":[', "(", "（", "《", "{"])
def test_deep_nesting_is_an_error_or_nothing(name, opened):
    closed = {"[": "]", "{": "}", "(": ")", "（": "）", "《": "》"}
    ends = "".join(closed[sign] for sign in reversed(opened) if sign in closed)
    for text in (opened * 20_000, opened * 20_000 + "1" + ends * 20_000):
        found = of(READERS[name])(text)
        assert not isinstance(found, str) or "\n" not in found


@pytest.mark.parametrize(
    "value", ['{"mode": %s}', '{"points": {"melody": %s}}', '{"claims": [{"verdict": %s}]}']
)
def test_deep_values_are_told_and_not_followed(value):
    deep = value % ("[" * 900 + "]" * 900)
    for read in (failures.read_failure, rubric.read_completeness, rubric.read_claims):
        with pytest.raises(UnreadableJudgement):
            read(deep, "x", "read") if read is failures.read_failure else read(deep, "x")


def test_numbers_without_end_are_no_scores():
    for value in (10**400, "9" * 100_000, float("nan"), float("inf"), "1e999"):
        with pytest.raises(UnreadableJudgement):
            reading.number(value, 4, "x")
    conclusion = understand((say("user", f"chord(Audio1, [{'9' * 5000}])"),), ())
    assert isinstance(conclusion, str)


@pytest.mark.parametrize("unit", ["null,}{.", '"a"”"a":', "'#", '"#', "null,*/1}{"])
def test_mending_ends_in_good_time(unit):
    """json-repair needs 16 s for the first of these."""

    def read(text):
        with contextlib.suppress(UnreadableJudgement):
            reading.read_object(text, ("claims",))

    assert hostile.took(read, '{"claims": [' + unit * 2_000 + "]}" * 2_000) < 5


def test_what_needs_too_much_mending_is_told():
    with pytest.raises(UnreadableJudgement, match="broken in more places"):
        reading.read_object('{"claims": [' + "{a: 1,}," * 40_000 + "]}", ("claims",))


def test_combining_marks_keep_their_meaning():
    assert one_width("e\u0301") == "é"
    assert one_width("ｅ") == "e"
    assert one_width("a" + "\u0301" * 31) == one_width("a" + "\u0301" * 30)
    assert re.fullmatch("a?.*", as_seen("\u200bignore"))
    assert as_seen("i\u200bg\u00adn\u2060ore") == "ignore"
