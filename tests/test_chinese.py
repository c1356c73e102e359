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


def test_what_stands_in_a_place_is_told_as_it_is():
    assert chinese("declared: A", ()) == "明确给出：A"
    clauses = "declared: A, before a further question; no option in B"
    assert "明确给出" in chinese(clauses)
    assert chinese("many of 9 published questions") == "many of 9 published questions"
    assert found_in_chinese("") is None


def test_a_sentence_of_our_words_alone_is_given_up_in_good_time():
    assert found_in_chinese("no option in " * 3000) is None or books._TRIES < 1000
