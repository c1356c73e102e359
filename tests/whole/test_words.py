"""Every message in both languages, against the fields of what it says."""

import ast as python
import functools
import itertools
import json
import re
import tomllib
from pathlib import Path

import jinja2
import msgspec
import pytest
from fluent.syntax import FluentSerializer, ast, visitor

from zhiyin.errors import InputError
from zhiyin.plugins.lab.leaderboard.board import NotJudgedBy
from zhiyin.reader import declarations
from zhiyin.words import LANGUAGES, Said, add_words, findings, reasons, say
from zhiyin.words.findings import KINDS, Remark, by_severity, kept, told
from zhiyin.words.messages import Catalogue, words_in

EXAMPLES = {str: "some words", int: 2, float: 0.25}
CHINESE = re.compile(r"[\u4e00-\u9fff]")
OF_OTHERS = {"of-run", "canary", "remark", "not-kept", "sequences-stopped"}
"""Messages that are somebody else's sentence."""


SOURCE = Path(__file__).parent.parent.parent / "src" / "zhiyin"
EVERY_KIND = {**KINDS, "not-judged-by": NotJudgedBy}
"""Those of plug-ins, too."""


class Named(visitor.Visitor):
    """What a message names, those within it included."""

    def __init__(self, name, language):
        self.facts, self.functions, self.messages = set(), set(), set()
        self.language = language
        self.visit(words_in(language).pattern(name))

    def visit_MessageReference(self, node):
        self.messages.add(node.id.name)
        self.visit(words_in(self.language).pattern(node.id.name))

    def visit_VariableReference(self, node):
        self.facts.add(node.id.name)

    def visit_FunctionReference(self, node):
        self.functions.add(node.id.name)
        self.generic_visit(node)


def fields(kind):
    own = {f.name: f.type for f in msgspec.structs.fields(kind)}
    return {name: of for name, of in own.items() if name not in ("severity", "remedy", "text")}


def example(kind, *, number=2, empty=False):
    """One of a kind with facts of their types."""
    facts = {}
    for name, of in fields(kind).items():
        of = str(of)
        if empty and "None" in of:
            facts[name] = None
        elif "Literal" in of:
            facts[name] = "whole"
        elif "tuple" in of:
            facts[name] = ("one", "two")
        elif "Any" in of:
            facts[name] = Remark(what="something")
        else:
            facts[name] = number if "int" in of else 0.25 if "float" in of else f"<{name}>"
    return kind(**facts)


def test_a_class_in_a_folder_of_a_plug_in_brings_no_message_twice():
    """`parity` asks by a class of its own, whose folder has messages that are there already."""
    from zhiyin.plugins.lab import parity

    before = words_in("en").names
    add_words(Path(parity.__file__).parent)
    assert words_in("en").names == before


def test_the_languages_have_the_same_messages_and_each_kind_has_one():
    assert words_in("en").names == words_in("zh").names
    assert set(KINDS) <= words_in("en").names
    above = {findings.Warning, findings.Grave, findings.OfTwo}
    kinds = {kind for one in above for kind in one.__subclasses__()}
    own = {kind for kind in kinds - above if kind.__module__ == findings.__name__}
    assert {kind.__struct_config__.tag for kind in own} == set(KINDS)


def test_a_message_names_what_its_kind_has_in_either_language():
    for name, kind in EVERY_KIND.items():
        english, chinese = (Named(name, language) for language in LANGUAGES)
        assert english.facts == chinese.facts <= set(fields(kind)), name
        assert english.functions | chinese.functions <= {"SHARE", "NAMES", "SHELL"}, name


@pytest.mark.parametrize("number", [1, 2, 1234])
def test_each_is_said_in_both_languages_with_its_facts(number):
    for (name, kind), empty in itertools.product(EVERY_KIND.items(), (False, True)):
        one = example(kind, number=number, empty=empty)
        chinese = say(one, "zh")
        assert name in OF_OTHERS or CHINESE.search(chinese), name
        assert not CHINESE.search(one.text), name
        for text in (one.text, chinese):
            assert "None" not in text, name
            assert not re.search(r"[{}$]|\s$|^\s|  ", text), text
            values = (getattr(one, fact) for fact in fields(kind) if fact not in ("more", "of"))
            assert all(f"{v:,}" in text for v in values if isinstance(v, int)), text
        if number == 1:
            counted = r"(?<!of )\b1 (\w+ )?(trials|replies|lines|requests|batches)\b"
            assert not re.search(counted, one.text)
        if number == 1234:
            assert "1,234" in one.text or "n" not in fields(kind), name


@functools.cache
def calls_of_said():
    """Every call of `said` and of a template's `t`: where, its message and its facts."""
    found = []
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text("utf-8")
        for node in python.walk(python.parse(text)) if "said" in text else ():
            called = getattr(node.func, "id", "") if isinstance(node, python.Call) else ""
            if called in ("said", "as_said"):
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                assert isinstance(node.args[0], python.Constant), f"{where}: write the name out"
                facts = {"name"} if called == "as_said" else {each.arg for each in node.keywords}
                found.append((where, node.args[0].value, facts))
    for path in sorted(SOURCE.rglob("web/*.html")):
        for node in jinja2.Environment().parse(path.read_text("utf-8")).find_all(jinja2.nodes.Call):
            if getattr(node.node, "name", "") == "t":
                where = f"{path.relative_to(SOURCE)}:{node.lineno}"
                assert isinstance(node.args[0], jinja2.nodes.Const), f"{where}: write the name out"
                found.append((where, node.args[0].value, {each.key for each in node.kwargs}))
    for path in (*SOURCE.rglob("benchmark*.toml"), *SOURCE.rglob("*_counts.json")):
        loads = tomllib.loads if path.suffix == ".toml" else json.loads
        for one in messages_in(loads(path.read_text("utf-8"))):
            found.append((str(path.relative_to(SOURCE)), one.name, set(one.facts)))
    return found


def messages_in(data):
    """The messages in a description: tables of a name and its facts."""
    if isinstance(data, dict) and "name" in data and data.keys() <= {"name", "facts"}:
        yield Said(**data)
    for each in data.values() if isinstance(data, dict) else data if isinstance(data, list) else ():
        yield from messages_in(each)


@pytest.mark.slow
def test_every_message_that_is_said_is_there_with_its_facts_in_both_languages():
    for where, name, facts in calls_of_said():
        for language in LANGUAGES:
            assert name in words_in(language).names, f"{where}: no message {name} in {language}"
            named = Named(name, language)
            if None not in facts:  # `**facts`: those of a struct, which has a test of its own
                assert named.facts == facts, f"{where}: {name} in {language}"


@pytest.mark.slow
def test_no_message_is_left_that_nobody_says():
    whole = {name for _, name, _ in calls_of_said()} | set(EVERY_KIND)
    # Words that a page's scripts are given, and another test holds against these.
    whole |= {name for name in words_in("en").names if name.startswith(("label-", "name-"))}
    within = set().union(*(Named(name, "en").messages for name in whole))
    assert words_in("en").names == whole | within


LISTS = {"NAMES", "AND", "OR", "FEW", "CLAUSES", "EACH", "SENTENCE"}
FUNCTIONS = {
    *("AMOUNT", "APART"),
    *LISTS,
    "SHARE",
    "EXACT",
    "POINTS",
    "SIGNED",
    "WHOLE",
    "WORD",
    "NUMBER",
    "FINE",
    "MONEY",
    "SHELL",
    "TIME",
    "P",
}
WITHOUT_WORDS = {
    "canary-right", "log-judge-value", "judged-lacking", "appraisal-one",
    "plan-fall", "claim-tasks", "ways", "check-of", "check-each",
    "picture-row", "picture-published", "names", "pairs-fact-counted", "figure-overview-caption",
    "lab-figure", "table-more", "boards-row",
    "ziqi-group", "group-setting", "group-path", "extent-group", "questions-both",
    "compare-counted", "fault-own", "compare-declared", "gate-of", "gate-canary",
    "table-column", "table-head", "printed-title", "table-footnote",
    "lab-done-of", "lab-trial-is", "of-a-run", "study-each", "suite-people-are", "suite-run-title",
    "report-browser", "report-figure-of", "report-of-figure", "report-state",
    "audit-rate", "board-heading",
    "boards-again", "boards-letter", "boards-setting", "boards-title",
    "boards-marked", "boards-set-apart", "boards-value", "published-called",
    "canary", "canary-of", "cause", "causes", "extent-part",
    "finding-group", "finding-groups", "suite-about", "finding-in", "finding-judged-note",
    "lacking", "lead", "lead-in", "lead-value", "methods-model", "methods-of-run",
    "methods-option", "methods-print", "methods-sentence", "not-kept", "of-run", "remark",
    "cli-alpha-of", "cli-constant", "cli-read", "cli-run-result", "suite-model", "suite-ranked",
    "cli-state", "sequences-stopped", "cli-flaw", "cli-labelled", "cli-listed", "suite-at",
    "error-sheet", "row-file", "error-at", "study-faults",
    "people-misfit", "clip-flaw", "ziqi-known",
    "health-of", "picture-panel", "picture-played-p", "thresholds-axis",
    "bodies-two", "glossary-key", "judged-head", "judge-setting", "figure-told",
    "aspect-titled", "muse-task-mode", "pairs-percent",
    "perception-cell", "perception-asked", "thresholds-told", "pairs-base-of", "hearing-run",
}  # fmt: skip
"""Messages of figures, names and other messages, with marks that both languages have."""


class Lists(visitor.Visitor):
    """The facts of a message that are lists."""

    def __init__(self, name):
        self.names = set()
        self.visit(words_in("en").pattern(name))

    def visit_MessageReference(self, node):
        self.visit(words_in("en").pattern(node.id.name))

    def visit_FunctionReference(self, node):
        if node.id.name in LISTS:
            self.names.add(node.arguments.positional[0].id.name)


@pytest.mark.parametrize("language", LANGUAGES)
def test_messages_call_functions_that_there_are(language):
    for name in words_in(language).names:
        assert Named(name, language).functions <= FUNCTIONS, name


class Formatted(visitor.Visitor):
    """The facts of a message, each with whether it is written by a function: a share, points."""

    def __init__(self, pattern):
        self.bare, self.formed = set(), set()
        self.visit(pattern)

    def visit_VariableReference(self, node):
        self.bare.add(node.id.name)

    def visit_FunctionReference(self, node):
        facts = {one.id.name for one in node.arguments.positional if hasattr(one, "id")}
        (self.bare if node.id.name in ("WORD", "COUNT") else self.formed).update(facts)

    def visit_SelectExpression(self, node):
        for variant in node.variants:
            self.visit(variant.value)


def test_a_number_is_formed_in_chinese_where_it_is_in_english():
    """Points that were told as shares of one in Chinese alone: 0.5 for +50.0."""
    for name in words_in("en").names:
        english, chinese = (Formatted(words_in(lang).pattern(name)) for lang in LANGUAGES)
        assert not english.formed - english.bare & chinese.bare - chinese.formed, name


def test_what_is_chinese_has_chinese_words():
    serializer = FluentSerializer()
    for name in words_in("zh").names:
        message = ast.Message(ast.Identifier(name), words_in("zh").pattern(name))
        if name not in WITHOUT_WORDS:
            assert CHINESE.search(serializer.serialize_entry(message)), name


def test_no_chinese_number_is_told_by_a_plural_that_chinese_has_not():
    """Chinese has one form for all numbers: a variant [one] would never be chosen; [1] is."""
    for path in SOURCE.rglob("*.ftl"):
        if "zh" in (path.parent.name, *path.name.split(".")):
            assert not re.search(r"^\s+\[one\]", path.read_text("utf-8"), re.M), path


def test_one_of_a_thing_is_no_plural_in_english():
    """Every message with 1 for each of its numbers, and a name in each of its lists."""
    things = "trials|items|replies|songs|clusters|sequences|questions|calls|runs|batches|requests"
    kept = {name for name in words_in("en").names if name.startswith("log-")}  # in one form
    for name in words_in("en").names - kept:
        lists, named = Lists(name).names, Named(name, "en").facts
        told = words_in("en").say(name, {fact: "x" if fact in lists else 1 for fact in named})
        assert not re.search(rf"(?<!of )\b1 ({things})\b", told), f"{name}: {told}"
        assert not re.search(r"(?<!of )\b1 \w+ (are|were|have|hold)\b", told), f"{name}: {told}"


GONE = (
    "must_be_seen", "lead_words", "_OUR_OWN", ".partition(\"), \")", "_GRAVE",
    ".replace(\"for\", \"For\", 1)",
)  # fmt: skip
"""How sentences were once taken apart: to find out how grave they are, or where a capital goes."""


def test_no_program_takes_a_sentence_apart():
    for path in sorted(SOURCE.rglob("*.py")):
        text = path.read_text("utf-8")
        assert not [one for one in GONE if one in text], path


@pytest.mark.parametrize("language", LANGUAGES)
def test_the_files_are_in_the_form_that_the_field_writes(language):
    for name in words_in(language).names:
        pattern = words_in(language).pattern(name)
        message = ast.Message(ast.Identifier(name), pattern)
        again = Catalogue(FluentSerializer().serialize_entry(message), language).pattern(name)
        assert pattern.equals(again)


def test_choices_plurals_lists_and_functions():
    words = Catalogue(
        "a = { $n ->\n    [0] none at all\n    [one] one\n   *[other] { $n } of them\n}\n"
        'b = { NAMES($x) } { SHARE($p) } { SHARE($p, decimals: 0) } { $f }{"}"}\n'
        "c = { $y ->\n    [none] nothing\n    [true] yes\n   *[false] no\n}\n",
        "en",
    )
    assert [words.say("a", {"n": n}) for n in (0, 1, 1200)] == [
        "none at all", "one", "1,200 of them",
    ]  # fmt: skip
    assert (
        words.say("b", {"x": ("p", "q"), "p": 0.125, "f": 0.5}) == "p, q 12.5\u00a0% 12\u00a0% 0.5}"
    )
    assert [words.say("c", {"y": y}) for y in (None, True, False)] == ["nothing", "yes", "no"]
    assert words.say("c", {"y": "none"}) == words.say("c", {"y": "true"}) == "no"  # a name
    with pytest.raises(KeyError):
        words.say("a", {})
    with pytest.raises(KeyError):
        words.say("d", {})
    with pytest.raises(ValueError, match="x is not in Fluent"):
        Catalogue("x = { $n ->\n", "en").say("x", {"n": 1})


def test_names_of_others_do_no_harm():
    for name in ("{ $n }", "none", "[red]x", "<b>", "A\u202eB", "{{", '"'):
        one = findings.SameReplies(first=name, second="b")
        assert one.text.startswith(f"{name} and b gave")
        assert say(one, "zh").startswith(f"{name} 与 b")


def test_what_a_manifest_keeps_comes_back_and_what_is_not_known_is_shown():
    lost = findings.LinesRepeated(n=5)
    assert list(told(kept([lost, "torn"]))) == [lost, Remark(what="torn")]
    later = {"kind": "of-tomorrow", "severity": "stop", "text": "the sky falls", "x": [1]}
    broken = {"kind": "cut-off", "severity": "doubt", "text": "cut", "n": "many"}
    one, two, three = told([later, broken, {}])
    assert (one.text, one.severity) == ("the sky falls", "stop")
    assert (two.text, two.severity) == ("cut", "doubt")
    assert three.severity == "note"


@pytest.mark.parametrize(
    "line",
    [
        "replies are not kept: the disk is full",
        "7 requests had expired and were handed in again",
        "2 batches are worked on; the same command collects them",
        "a fault: mend it and run again",
        "x/records.jsonl: 3 lines repeat a trial; the last of each counts",
        "a.jsonl: 3 of 9 answers were not asked for (x)",
    ],
)
def test_sentences_of_older_runs_weigh_what_they_weighed(line):
    (one,) = told([line])
    assert (one.text, one.severity) == (line, "stop")
    assert [w.severity for w in by_severity([Remark(what="x"), example(KINDS["cut-off"]), one])] \
        == ["stop", "doubt", "note"]  # fmt: skip


def test_warnings_are_json_that_says_all_of_them():
    one = findings.CutOff(n=3, of=40, limit=16, remedy="zhiyin run x --max-tokens 32")
    found = msgspec.json.decode(msgspec.json.encode(one))
    assert found == {
        "kind": "cut-off", "severity": "doubt", "remedy": "zhiyin run x --max-tokens 32",
        "text": "3 of 40 replies were cut off before an answer: raise --max-tokens, which was 16",
        "n": 3, "of": 40, "limit": 16,
    }  # fmt: skip
    assert list(told([found])) == [one]


WHOLE = [words for words in reasons._choices("reading-why") if not words.endswith(" ")]
REASONS = dict.fromkeys([*WHOLE, *declarations._WHERE.values()]) | {
    "18 trials failed (6 x empty reply; 12 x judge_error: empty reply)": (
        "18 次失败（6 × 空回答；12 × 评分出错：空回答）"
    ),
    "1 trial failed (1 x no option)": "1 次失败（1 × 没有选项）",
    "of needs --data, the table of questions or its folder (https://here)": (
        "of 需要 --data，即题目表格或其所在文件夹（https://here）"
    ),
    "declared: B": "明确给出：B",
    "no option in 'the answer is E'": "'the answer is E' 中没有选项",
    "the likeliest: the only option named": "最可能：唯一提到的选项",
    "declared: A, before a further question": "明确给出：A，在另一个问题之前",
    "declared: A; no option named": "明确给出：A；没有提到任何选项",
}


def test_why_a_reply_was_read_so_is_said_in_chinese_and_in_english_as_the_log_has_it():
    for why, chinese in REASONS.items():
        found = reasons.reason(why)
        assert str(found) == why
        assert chinese in (None, say(found, "zh")), why
        assert CHINESE.search(say(found, "zh")), why


@pytest.mark.parametrize("why", ["", "parse_error: no JSON", "the judge: good", "a; b"])
def test_a_reason_in_other_words_is_shown_as_it_is(why):
    assert say(reasons.reason(why), "zh") in (why, "a；b")


def test_a_benchmark_from_outside_brings_messages_of_its_own(tmp_path):
    (tmp_path / "words.en.ftl").write_text("outside-title = { $n } tunes\n")
    (tmp_path / "words.zh.ftl").write_text("outside-title = { $n } 首曲调\n")
    for _ in range(2):  # a class may be opened again
        add_words(tmp_path)
    assert [say(Said("outside-title", {"n": 3}), language) for language in LANGUAGES] == [
        "3 tunes", "3 首曲调",
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("english", "chinese", "fault"),
    [
        ("head = h\n", "head = h\n", "words.en.ftl: there is a message head already: rename"),
        ("odd-a = { $n ->\n", "odd-a = x\n", "words.en.ftl: en: message odd-a is not in Fluent"),
        ("odd-a = x\nodd-a = y\n", "odd-a = x\n", "words.en.ftl: en: two messages odd-a: fix"),
        ("odd-a = x\n", "odd-b = x\n", "message odd-a is in one language only: write it in both"),
        ("odd-a = x\n", None, "words.zh.ftl: .*No such file"),
    ],
)
def test_faulty_messages_of_a_benchmark_are_one_line(tmp_path, english, chinese, fault):
    (tmp_path / "words.en.ftl").write_text(english)
    if chinese:
        (tmp_path / "words.zh.ftl").write_text(chinese)
    with pytest.raises(InputError, match=fault):
        add_words(tmp_path)
    assert "odd-a" not in words_in("en").names


def test_a_kept_remark_of_ours_comes_back_in_both_languages():
    (one,) = told(kept([Said("examples-missing", {"n": 2, "of": 9, "unit": "questions",
                                                  "what": "recordings"})]))  # fmt: skip
    assert one.text.startswith("a part of the data: 2 of 9 questions left out")
    assert say(one, "zh") == "数据的一部分：9 题中略去 2 题，缺少录音"
    (gone,) = told([{"kind": "remark", "severity": "note", "text": "as it was",
                     "what": {"name": "no-such-message", "facts": {}}}])  # fmt: skip
    assert gone.text == "as it was"


def test_a_remark_whose_message_another_version_named_is_told_in_its_own_words():
    kept = {
        "kind": "remark",
        "severity": "doubt",
        "text": "the words of then",
        "what": {"name": "a-message-of-then", "facts": {"n": 3}},
    }
    (found,) = findings.told([kept])
    assert [say(found, language) for language in LANGUAGES] == ["the words of then"] * 2
    assert found.severity == "doubt"
