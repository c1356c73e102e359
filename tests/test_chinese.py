"""The phrasebooks: well-formed, whole where it counts, and not misled by names."""

import re
from importlib import resources

import pytest

from zhiyin import chinese as books
from zhiyin.chinese import chinese, found_in_chinese, package_of
from zhiyin.contract.registry import OURS, find

PLACE = re.compile(r"\{[@#]?(\w+)\}")
FILES = [
    resources.files("zhiyin.chinese") / "zh.txt",
    *(
        place / "zh.txt"
        for place in resources.files("zhiyin.benchmarks").iterdir()
        if (place / "zh.txt").is_file()
    ),
]


@pytest.mark.parametrize("file", FILES, ids=lambda file: file.parent.name)
def test_a_phrasebook_is_pairs_with_the_same_places(file):
    seen = set()
    for block in file.read_text("utf-8").split("\n\n"):
        lines = [line for line in block.strip("\n").split("\n") if line and line[0] != "%"]
        if not lines:
            continue
        assert len(lines) == 2, block
        english, told = lines
        assert english not in seen, english
        seen.add(english)
        assert set(PLACE.findall(told)) <= set(PLACE.findall(english)), block
        assert told.count("[") == told.count("]")
        must = set(PLACE.findall(re.sub(r"\[[^\]]*\]", "", english)))
        always = set(PLACE.findall(re.sub(r"\[[^\]]*\]", "", told)))
        assert always <= must, f"{block}: a place that may be absent is always said"


def test_every_benchmark_of_ours_is_told_of_in_chinese():
    for name in OURS:
        kind = find(name)
        if "use `zhiyin" in kind.summary or "(`zhiyin" in kind.summary:
            continue
        assert found_in_chinese(kind.summary, [package_of(kind)]), kind.summary


def test_numbers_are_numbers_and_options_may_be_absent():
    clauses = "the first 200 trials only; 3 of 9 published questions (in part 1)"
    assert chinese(clauses) == "仅前 200 题；9 个已发表的题中的 3 个（in part 1）"
    assert chinese("many of 9 published questions") == "many of 9 published questions"
    assert found_in_chinese("") is None


def test_a_sentence_of_our_words_alone_is_given_up_in_good_time():
    hostile = "the canary failed: it does not seem that " * 3000 + " right, " * 3000
    assert found_in_chinese(hostile) is None
    assert books._TRIES < 1000
