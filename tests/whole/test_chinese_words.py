"""The Chinese catalogues: one word for one thing, and one way of spacing."""

import ast as python
import re
from collections import Counter
from pathlib import Path

import pytest
from fluent.syntax import ast
from rich.cells import cell_len

from zhiyin.contract.registry import find, places
from zhiyin.shown.terminal import Terminal
from zhiyin.words import say
from zhiyin.words.messages import Catalogue, words_in
from zhiyin.words.reasons import as_said

WORDS = words_in("zh")
HAN, STOP = "[\u3400-\u9fff]", "[，。；：、（）？！《》]"
FAULT = re.compile(rf"{HAN}[A-Za-z0-9%]|[A-Za-z0-9%]{HAN}|{HAN} +{HAN}| {STOP}|{STOP} ")
"""Chinese and Latin without a blank, Chinese and Chinese with one, a blank at a stop."""
SOURCE = Path(__file__).parent.parent.parent / "src" / "zhiyin"
THREE = re.compile(r"[a-z]+ [a-z]+ [a-z]+")
"""Three English words on end."""
TYPED = re.compile(r"`[^`]*`")
"""What stands as it is typed."""


def glossary():
    """The lines of the glossary: the word that is written, and those that are not."""
    from importlib import resources

    text = (resources.files("zhiyin") / "words/zh/glossary.ftl").read_text("utf-8")
    found = re.findall(r"^# (\S.*)：不写 (.*)$", text, re.MULTILINE)
    return {written: others.split("、") for written, others in found}


def texts(pattern):
    """All pieces of text of a pattern, those of its choices included."""
    for part in pattern.elements:
        if isinstance(part, ast.TextElement):
            yield part.value
        elif isinstance(part.expression, ast.SelectExpression):
            for variant in part.expression.variants:
                yield from texts(variant.value)


def test_chinese_and_latin_stand_apart_by_one_blank_and_chinese_by_none():
    every = [(name, text) for name in sorted(WORDS.names) for text in texts(WORDS.pattern(name))]
    assert len(every) > len(WORDS.names) > 2000
    assert not [found for found in every if FAULT.search(TYPED.sub("``", found[1]))]


@pytest.mark.parametrize(
    ("facts", "sentence"),
    [
        ({"a": "good", "b": 3}, "在 good 中有 3 个（good），见 3；选 good 或 3。"),
        ({"a": "和声", "b": "两"}, "在和声中有两个（和声），见两；选和声或两。"),
        ({"a": "F1，%", "b": "“好”"}, "在 F1，% 中有“好”个（F1，%），见“好”；选 F1，% 或“好”。"),
    ],
)
def test_facts_of_either_script_stand_in_a_sentence_as_its_words_do(facts, sentence):
    words = Catalogue("a = 在 { $a } 中有 { $b } 个（{ $a }），见 { $b }；选 { OR($c) }。\n", "zh")
    said = words.say("a", {**facts, "c": [facts["a"], facts["b"]]})
    assert said == sentence


def test_one_word_is_written_for_one_thing():
    every = {name: " ".join(texts(WORDS.pattern(name))) for name in WORDS.names}
    listed = glossary()
    assert len(listed) > 15
    for written, others in listed.items():
        for other in others:
            found = [name for name, text in every.items() if other in text]
            assert not found, f"{written}, not {other}: {found}"


@pytest.mark.parametrize("label", ["", "警告"])
def test_a_chinese_sentence_fills_its_lines_and_no_line_begins_with_a_stop(
    capsys, monkeypatch, label
):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("ZHIYIN_LANG", "zh")
    sentence = (
        "运行超过 20 次时，只检验最佳者与其余各运行（Holm，0.05）；差异为 12.5 个百分点。" * 3
    )
    Terminal().say(sentence, label=label)
    lines = capsys.readouterr().out.splitlines()
    assert "".join("".join(lines).split()) == f"{label}{'：' if label else ''}{sentence}".replace(
        " ", ""
    )
    assert all(34 <= cell_len(line) <= 40 for line in lines[:-1])
    assert not [line for line in lines if re.match(r"\s*[，。；：、）]|.*（$", line)]


SAID = {"say", "say_all", "say_command"}
"""What puts a sentence on a terminal."""
IN_ENGLISH = {"cli/cost.py": 1}
"""Files that still say so many sentences in English alone: to become fewer, and never more."""


def literal(node):
    """The words of a call's argument that stand in the program."""
    if isinstance(node, python.Constant):
        return node.value if isinstance(node.value, str) else ""
    parts = {python.JoinedStr: "values", python.BinOp: None, python.IfExp: None}
    if type(node) not in parts:
        return ""
    return " ".join(map(literal, python.iter_child_nodes(node)))


def test_no_command_says_a_sentence_that_has_no_chinese():
    found = Counter()
    for path in SOURCE.rglob("*.py"):
        for node in python.walk(python.parse(path.read_text("utf-8"))):
            called = getattr(getattr(node, "func", None), "attr", "")
            if called in SAID and node.args and THREE.search(literal(node.args[0])):
                found[str(path.relative_to(SOURCE))] += 1
    assert found == IN_ENGLISH


ERROR = re.compile(r"(Input|Setup|Unfit|Unreached|Server|Taken|Benchmark|Figures|OtherPath)Error")
ERRORS_IN_ENGLISH = {
    "statistics": 19, "text.py": 1, "words": 2, "plugins/benchmarks": 32,
    "plugins/composed": 2, "plugins/judges": 13, "plugins/lab": 3, "plugins/local": 5,
    "plugins/methods": 34, "plugins/music": 89,
}  # fmt: skip
"""Rooms, and how many errors of theirs may have English words alone: to become fewer."""


def test_what_a_user_has_to_mend_is_told_in_chinese_too():
    """An error is a message of the catalogues: of people, studies, data, models, questions, all."""
    found = Counter()
    for path in SOURCE.rglob("*.py"):
        parts = path.relative_to(SOURCE).parts
        room = "/".join(parts[: 2 if parts[0] == "plugins" else 1])
        for node in python.walk(python.parse(path.read_text("utf-8"))):
            called = getattr(getattr(node, "func", None), "id", "")
            if ERROR.fullmatch(called) and node.args and " " in literal(node.args[0]).strip():
                found[room] += 1
    assert {room: n for room, n in found.items() if n > ERRORS_IN_ENGLISH.get(room, 0)} == {}


def test_a_licence_in_words_is_said_in_chinese_on_a_card():
    """The words of every benchmark's licence; a licence's own name stands as it is."""
    licences = {" ".join(str(declared.licence).split()) for declared in map(find, places())} - {""}
    told = {text: say(as_said("card-licence", text), "zh") for text in licences}
    assert any("不需要许可" in words for words in told.values())
    assert [text for text, words in told.items() if text == words] == ["CC BY-NC-SA 4.0"]
    assert all(say(as_said("card-licence", text)) == text for text in licences)
