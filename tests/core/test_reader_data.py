"""The shape of the marked replies in tests/data/reading; no reader is involved."""

import importlib.util
import json
import re
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

HERE = Path(__file__).parent.parent / "data" / "reading"
LETTERS = "ABCDEF"
SLOTS = ["key", "key_text"] + [f"wrong{n}{end}" for n in (1, 2, 3) for end in ("", "_text")]


def read(name: str) -> list[dict[str, Any]]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


@pytest.fixture(scope="module")
def grammar():
    spec = importlib.util.spec_from_file_location("reading_grammar", HERE / "grammar.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def replies():
    return read("open.jsonl") + read("aside.jsonl")


def test_every_line_is_complete_and_its_mark_is_one_of_its_options(replies):
    for reply in replies:
        assert list(reply) == ["set", "kind", "lang", "text", "options", "expect", "split"]
        assert reply["set"] in ("written", "generated")
        assert 2 <= len(reply["options"]) <= 6
        assert all(text.strip() == text != "" for text in reply["options"])
        assert len(set(reply["options"])) == len(reply["options"])
        letters = LETTERS[: len(reply["options"])]
        assert reply["expect"] is None or (len(reply["expect"]) == 1 and reply["expect"] in letters)


def test_no_reply_occurs_twice(replies):
    twice = [text for text, n in Counter(r["text"] for r in replies).items() if n > 1]
    assert twice == []


def test_size_languages_and_shares(replies):
    sets = Counter(r["set"] for r in replies)
    assert sets == {"written": 600, "generated": 640}
    languages = Counter(r["lang"] for r in replies)
    assert 0.45 < languages["en"] / len(replies) < 0.55
    assert 0.45 < languages["zh"] / len(replies) < 0.55
    others = {lang: n for lang, n in languages.items() if lang not in ("en", "zh")}
    assert set(others) == {"es", "fr", "de", "ja", "ko", "pt", "ru"}
    assert sum(others.values()) == 40
    assert 0.25 < sum(r["expect"] is None for r in replies) / len(replies) < 0.33
    answered = Counter(r["expect"] for r in replies if r["expect"])
    for letter in "ABCD":
        assert 0.15 < answered[letter] / answered.total() < 0.35


def test_every_kind_is_there_in_both_languages(replies):
    kinds = Counter(r["kind"] for r in replies)
    assert min(kinds.values()) >= 15
    by_language = Counter((r["kind"], r["lang"]) for r in replies)
    assert all(by_language[kind, lang] >= 6 for kind in kinds for lang in ("en", "zh"))
    assert kinds["answer-first"] >= 150
    assert all(by_language["answer-first", lang] >= 75 for lang in ("en", "zh"))


def test_kinds_without_an_answer_have_none(replies):
    silent = "asks-back beyond contradiction cut-off description refusal rubbish several taken-back"
    for kind in [*silent.split(), "undecided"]:
        assert {r["expect"] for r in replies if r["kind"] == kind} == {None}, kind


def test_each_file_holds_its_part_and_the_part_follows_from_the_text(grammar):
    only_aside = {line["text"] for line in grammar.generate() if line["split"] == "aside"}
    sizes = {}
    for part in ("open", "aside"):
        lines = read(f"{part}.jsonl")
        sizes[part] = len(lines)
        for line in lines:
            assert line["split"] == part
            if line["set"] == "written" or line["text"] not in only_aside:
                assert grammar.split_of(line["text"]) == part
    assert 0.35 < sizes["aside"] / sum(sizes.values()) < 0.45


def test_the_grammar_writes_the_generated_lines_again(grammar):
    made = grammar.generate()
    for part in ("open", "aside"):
        stored = [line for line in read(f"{part}.jsonl") if line["set"] == "generated"]
        assert stored == [line for line in made if line["split"] == part]


def test_some_templates_occur_only_aside(grammar):
    templates = read("templates.jsonl")
    aside = [t for t in templates if t["aside"]]
    assert len(aside) >= 15
    assert {t["lang"] for t in aside} == {"en", "zh"}
    assert sum(t["lines"] for t in templates) == len(grammar.generate())


def test_nothing_of_the_grammar_is_left_in_the_replies(replies):
    left = [r["text"] for r in replies if re.search(r"[⟨⟩¦]|\{[a-z]+[0-9]?\}", r["text"])]
    assert left == []


def test_long_and_short_replies(replies):
    lengths = [len(r["text"]) for r in replies]
    assert min(lengths) == 0
    assert sum(n == 1 for n in lengths) >= 5
    assert max(len(r["text"].split()) for r in replies) > 200


def test_the_readme_counts_right(replies):
    readme = (HERE / "README.md").read_text(encoding="utf-8")
    kinds = sorted({r["kind"] for r in replies})
    for kind in [*kinds, "all"]:
        lines = [r for r in replies if kind in (r["kind"], "all")]
        languages = Counter(r["lang"] for r in lines)
        others = len(lines) - languages["en"] - languages["zh"]
        silent = sum(r["expect"] is None for r in lines)
        parts = Counter(r["split"] for r in lines)
        numbers = [len(lines), languages["en"], languages["zh"], others, silent]
        row = " | ".join(str(cell) for cell in [*numbers, parts["open"], parts["aside"]])
        assert f"| {kind} | {row} |" in readme
    assert f"{len(replies):,} replies" in readme
    for part in ("open", "aside"):
        assert f"| `{part}.jsonl` | {len(read(f'{part}.jsonl'))} replies" in readme


def test_explainers_name_the_key_and_use_no_other_slots():
    explainers = read("explainers.jsonl")
    assert Counter(e["lang"] for e in explainers) == {"en": 30, "zh": 30}
    for lang in ("en", "zh"):
        assert Counter(e["split"] for e in explainers if e["lang"] == lang) == {
            "open": 15,
            "aside": 15,
        }
    assert len({e["template"] for e in explainers}) == 60
    for explainer in explainers:
        used = re.findall(r"\{(\w+)\}", explainer["template"])
        assert set(used) <= set(SLOTS)
        assert "key" in used
        for wrong in ("wrong1", "wrong2", "wrong3"):
            assert {wrong, f"{wrong}_text"} & set(used)
