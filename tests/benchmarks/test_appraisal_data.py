"""Reading questions and details: what is faulty is reported with its line, the rest is used."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zhiyin.errors import InputError
from zhiyin.plugins.benchmarks.appraisal.benchmark import Appraisal
from zhiyin.plugins.benchmarks.appraisal.data import read_details, read_questions

QUESTION = {"audio_path": "a.wav", "question": "q?", "options": ["x", "y", "z"], "answer": "B"}


def write(path, *lines):
    path.write_text(
        "\n".join(x if isinstance(x, str) else json.dumps(x, ensure_ascii=False) for x in lines),
        encoding="utf-8",
    )
    return path


def test_small_data(pytestconfig):
    folder = pytestconfig.rootpath / "tests/data/appraisal_small"
    found = read_questions(folder / "option_qa.jsonl")
    assert [q.answer for q in found.items] == ["C", "A", "F"]
    assert [len(q.options) for q in found.items] == [4, 2, 6]
    assert found.items[2].id == "style-of-tide"
    details = read_details(folder / "song_details.jsonl")
    assert details.items["songs/tide.wav"]["takes"] == 3
    assert found.flaws == details.flaws == []


def test_ids_depend_on_what_is_asked_and_not_on_the_line(tmp_path):
    other = QUESTION | {"question": "other?"}
    one = read_questions(write(tmp_path / "a", QUESTION, other)).items
    two = read_questions(write(tmp_path / "b", other, "", QUESTION)).items
    assert {q.id for q in one} == {q.id for q in two}
    assert len({q.id for q in one}) == 2


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ('{"audio_path": "a.wav", ', "no JSON"),
        ('["a"]', "no JSON object"),
        (QUESTION | {"answer": "D"}, "answer 'D' is not one of the options' letters A to C"),
        (QUESTION | {"answer": "BC"}, "answer 'BC' is not one"),
        (QUESTION | {"answer": None}, "no answer"),
        (QUESTION | {"correct_answer": "A"}, "answer and correct_answer differ"),
        (QUESTION | {"options": ["x"]}, "1 options: give 2 to 26"),
        (QUESTION | {"options": ["x"] * 27}, "27 options"),
        (QUESTION | {"options": ["x", ""]}, "no list of texts"),
        (QUESTION | {"options": "xy"}, "no list of texts"),
        (QUESTION | {"question": " "}, "question is no text"),
        ({k: v for k, v in QUESTION.items() if k != "audio_path"}, "audio_path is missing"),
    ],
)
def test_a_faulty_line_is_reported_and_the_rest_is_used(tmp_path, line, told):
    good = QUESTION | {"question": "good?"}
    found = read_questions(write(tmp_path / "qa.jsonl", good, line))
    assert [q.text for q in found.items] == ["good?"]
    (flaw,) = found.flaws
    assert told in str(flaw.detail)
    assert (flaw.file, flaw.id) == (str(tmp_path / "qa.jsonl"), "line 2")
    assert "\n" not in str(flaw.detail)


def test_a_repeated_question_is_asked_once(tmp_path):
    found = read_questions(write(tmp_path / "qa.jsonl", QUESTION, QUESTION))
    assert len(found.items) == 1
    assert str(found.flaws[0].detail) == "stands on line 1 too"


def test_answers_in_either_case_and_under_either_name(tmp_path):
    line = QUESTION | {"answer": " c ", "correct_answer": "C"}
    assert read_questions(write(tmp_path / "qa", line)).items[0].answer == "C"


def test_two_details_for_one_song(tmp_path):
    one, two = {"audio_path": "a", "title": "x"}, {"audio_path": "a", "title": "y"}
    same = read_details(write(tmp_path / "s", one, one))
    assert (same.items, same.flaws) == ({"a": {"title": "x"}}, [])
    differ = read_details(write(tmp_path / "d", one, two, {"audio_path": "b", "title": "z"}))
    assert differ.items == {"a": {}, "b": {"title": "z"}}
    assert "line 2" in differ.flaws[0].id
    assert "other details of a stand on line 1" in str(differ.flaws[0].detail)


def test_empty_fields_are_no_details(tmp_path):
    line = {"audio_path": "a", "title": "", "album": None, "year": 0, "extra": ["p", "q"]}
    found = read_details(write(tmp_path / "d", line))
    assert found.items == {"a": {"year": 0, "extra": ["p", "q"]}}


def test_a_missing_file_is_one_line(tmp_path):
    with pytest.raises(InputError, match="No such file"):
        read_questions(tmp_path / "none.jsonl")


def test_not_utf8_is_a_broken_line(tmp_path):
    path = tmp_path / "qa.jsonl"
    path.write_bytes(json.dumps(QUESTION).encode() + b'\n{"a": "\xff"}\n')
    found = read_questions(path)
    assert (len(found.items), len(found.flaws)) == (1, 1)


@given(st.lists(st.binary(max_size=60), max_size=5))
def test_any_bytes_are_read_or_reported(tmp_path_factory, lines):
    path = tmp_path_factory.getbasetemp() / "any.jsonl"
    path.write_bytes(b"\n".join(lines))
    written = sum(
        bool(x.strip()) for x in path.read_bytes().removeprefix(b"\xef\xbb\xbf").split(b"\n")
    )
    for read in (read_questions, read_details):
        found = read(path)
        assert len(found.items) + len(found.flaws) == written


def test_published_data(shared):
    """36 questions, of which none is faulty; the 22 songs are not there."""
    folder = shared / "appraisal"
    found = read_questions(folder / "option_qa.jsonl")
    assert (len(found.items), found.flaws) == (36, [])
    assert len(read_details(folder / "song_details.jsonl").items) == 3
    result = Appraisal.check({"data": str(folder)})
    assert {flaw.kind for flaw in result.flaws} == {"missing-song"}
    assert len(result.flaws) == 22
