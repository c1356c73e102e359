"""MMAU-Pro: several clips, open answers, instructions; the official rule beside ours."""

import json
import random

import pytest

from conftest import REPOSITORY
from judge_help import dump
from listening_help import complaint, make_mmau_pro, pro_entries, pro_row, pro_rule, section, zhiyin
from servers import ChatServer
from zhiyin.contract.policies import open_policy
from zhiyin.contract.registry import find, open_benchmark
from zhiyin.engine.folder import read_records
from zhiyin.plugins.benchmarks.mmau_pro.answers import follows
from zhiyin.plugins.benchmarks.mmau_pro.benchmark import CATEGORIES
from zhiyin.trial import Audio, Option

EMBED = """
import numpy as np
def embed(texts):  # letters, counted: nothing is near to nothing, so the first option is taken
    return np.array([[text.lower().count(c) for c in "abcdefghijklmnopqrstuvwxyz"]
                     for text in texts], float)
"""
GRADE = dict.fromkeys(("correctness", "relevance", "completeness", "clarity"), 5)


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "embed.py").write_text(EMBED)
    (tmp_path / "silent.py").write_text("def answer(messages):\n    return ''\n")
    return make_mmau_pro(tmp_path / "pro")


def test_every_kind_of_row_is_asked_and_none_is_a_fault(data, capsys):
    trials = {t.id: t for t in open_benchmark("mmau-pro", {"data": str(data)}).trials()}
    assert len(trials) == 9
    sounds = [p for p in trials["m2"].messages[0].parts if isinstance(p, Audio)]
    assert [s.path.rpartition("/")[2] for s in sounds] == ["m2.wav", "m2b.wav"]
    assert {"music", "several_clips", "length=ultra_long", "closed_answers"} <= set(
        trials["m2"].groups
    )
    assert trials["m1"].groups[1] == "music/western"
    assert trials["m1"].tags["perceptual_skills"] == "Instrument; Tempo"
    assert [len(trials[name].options) for name in ("m1", "o2", "x1", "i1")] == [3, 0, 0, 0]
    assert trials["i1"].messages[0].text == "What is heard in i1?"
    assert not any("flute" in trials[name].messages[0].text for name in ("o1", "o2", "x1"))
    _, found = zhiyin(capsys, "data", "check", "mmau-pro", "--data", data, "--partial")
    kinds = [flaw["kind"] for flaw in found["flaws"]]
    assert (found["items"], sorted(kinds)) == (9, ["one-choice", "unknown-rule"])
    (data / "data" / "m2b.wav").unlink()
    assert "no recording for 1 of 10" in complaint(
        capsys, "run", "mmau-pro", "--data", data, "-m", "first"
    )
    partial = open_benchmark("mmau-pro", {"data": str(data), "partial": True})
    assert "m2" not in {trial.id for trial in partial.trials()}


@pytest.mark.parametrize(
    ("change", "told"),
    [
        ({"audio_path": []}, "no audio_path"),
        ({"question": None}, "no question"),
        ({"id": "m2"}, "stands twice"),
        ({"category": "open", "answer": None}, "no answer"),
        ({"category": "instruction following", "answer": None}, "no task_identifier"),
        ({"audio_path": ["../../x.wav"]}, "leaves the folder"),
    ],
)
def test_a_row_that_cannot_be_asked_is_one_line(data, capsys, change, told):
    rows = pro_entries()
    make_mmau_pro(data, [rows[1], rows[0] | change], sound=False)
    assert told in complaint(capsys, "run", "mmau-pro", "--data", data, "-m", "first")
    if "leaves" not in told:  # that is of the recordings, and never done without
        partial = open_benchmark("mmau-pro", {"data": str(data), "partial": True, "audio": "none"})
        assert [trial.item for trial in partial.trials()] == ["m2"]
        assert "1 row cannot be asked, first line 2" in str(partial.remarks()[-1])


@pytest.mark.slow
def test_a_key_that_is_no_choice_letter_for_letter_scores_as_officially(data, capsys):
    """Of 957 published questions about 23 are so, and 5 of these have no choice like the key."""
    (data.parent / "flute.py").write_text("def answer(messages):\n    return 'a flute'\n")
    rows = [
        pro_row("a", "music"), pro_row("b", "music", answer="A  flute."),
        pro_row("c", "music", answer="a bell"), pro_row("d", "music", answer="B"),
        pro_row("e", "music") | {"id": 7},
    ]  # fmt: skip
    make_mmau_pro(data, rows)
    trials = {t.id: t for t in open_benchmark("mmau-pro", {"data": str(data)}).trials()}
    assert [trials[name].target for name in "abcd"] == ["B", "B", "a bell", '"B"']
    assert "7" in trials
    nearest = ("--extract", "nearest:python:embed.py:embed", "--order", "published")
    flute = ("-m", "python:flute.py:answer", "--out", "run", *nearest)
    status, summary = zhiyin(capsys, "run", "mmau-pro", "--data", data, *flute)
    assert status == 0, summary
    table, _ = section(summary, "Our rule")
    assert table["choices"]["n"] == 5
    assert table["choices"]["ours"][0] == pytest.approx(3 / 5)
    assert table["choices"]["official"] == pytest.approx(2 / 5)
    assert any("2 questions key none" in each["text"] for each in summary["remarks"])
    _, found = zhiyin(capsys, "data", "check", "mmau-pro", "--data", data, "--partial")
    kinds = [(flaw["kind"], flaw["id"]) for flaw in found["flaws"]]
    assert kinds == [("key-differs", "b"), ("no-right-choice", "c"), ("no-right-choice", "d")]
    zhiyin(capsys, "errata", "mmau-pro", "--data", data, "--out", "errata")
    _, changed = zhiyin(capsys, "show", "run", "--errata", "errata")
    assert changed["errata"]["items"] == 5
    replies = [
        row | {"key": row["id"], "model_output": "a flute"} for row in rows if row["id"] != "d"
    ]
    (data.parent / "replies.jsonl").write_text("".join(json.dumps(each) + "\n" for each in replies))
    status, again = zhiyin(capsys, "import", "mmau-pro", data.parent / "replies.jsonl",
                           "--from", "auto", "--data", data, "--out", "again")  # fmt: skip
    assert status == 0, again
    assert again["groups"]["all"]["correct"] == 3


def test_a_parquet_table_is_read_as_the_lines_are(data):
    pyarrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    lines = list(open_benchmark("mmau-pro", {"data": str(data)}).trials())
    rows = [each | {"kwargs": {"N": None, **(each["kwargs"] or {})}} for each in pro_entries()]
    parquet.write_table(pyarrow.Table.from_pylist(rows), data / "test.parquet")
    packed = list(open_benchmark("mmau-pro", {"data": str(data)}).trials())
    assert packed == lines


def test_empty_replies_score_by_the_official_rule_and_never_by_ours(data, capsys):
    rule_of_theirs = "nearest:python:embed.py:embed"
    status, summary = zhiyin(
        capsys, "run", "mmau-pro", "--data", data, "-m", "python:silent.py:answer",
        "--extract", rule_of_theirs, "--order", "published", "--out", "run",
    )  # fmt: skip
    assert status == 0, summary
    rows, notes = section(summary, "Our rule")
    columns = list(rows["all"])
    ours, official, empty, of_empty = columns[2:]
    # nothing is near to nothing, and the first option is taken: right in s1 alone
    assert rows["choices"][official] == rows["choices"][of_empty] == pytest.approx(1 / 3)
    assert rows["open answers"][official] == pytest.approx(0.2)
    assert rows["instructions"][official] == pytest.approx(1 / 3)  # No Commas
    assert rows["all"][official] == pytest.approx((1 + 0.4 + 1) / 8)  # x1 is left out there
    assert rows["all"][empty] == 9
    for name in ("all", "choices", "open answers", "instructions"):
        assert rows[name][ours][0] == 0
    assert "Gemini 2.5 Flash" not in rows  # nine questions are not the published ones
    assert any("9 empty replies: none is right by our rule" in note for note in notes)
    states = {r.id: r.verdict.state for r in read_records("run")}
    assert states["i1"] == states["o1"] == "no_answer"


@pytest.mark.slow
def test_without_an_embedder_the_official_score_is_not_given(data, capsys):
    answers = "def answer(messages):\n    return 'Answer: A flute'\n"
    (data.parent / "flute.py").write_text(answers)
    _, summary = zhiyin(capsys, "run", "mmau-pro", "--data", data, "-m",
                        "python:flute.py:answer", "--out", "run")  # fmt: skip
    rows, notes = section(summary, "Our rule")
    assert rows["choices"]["official"] is rows["all"]["official"] is None
    assert rows["choices"]["ours"][0] == pytest.approx(2 / 3)
    assert any("--extract nearest:MODEL" in note for note in notes)
    assert any("3 open answers have no grade" in note for note in notes)
    nearest = "nearest:python:embed.py:embed"
    zhiyin(capsys, "rescore", "run", "--extract", nearest, "--out", "again")
    _, summary = zhiyin(capsys, "show", "again")
    rows, _ = section(summary, "Our rule")
    assert rows["choices"]["official"] == pytest.approx(2 / 3)
    assert rows["choices"]["ours"][0] == pytest.approx(2 / 3)


def test_open_answers_are_graded_and_what_cannot_be_read_is_an_error(data, capsys):
    (data.parent / "says.py").write_text("def answer(messages):\n    return 'One, two, three'\n")

    def grade(call):
        words = call.body["messages"][0]["content"]
        if "heard in o2" in words:
            return "I would rather not."
        assert "a flute" in words
        return dump(GRADE | {"clarity": 3, "overall": 4})

    with ChatServer(grade) as server:
        flags = ("--judge", server.spec, "--out", "run")
        zhiyin(capsys, "run", "mmau-pro", "--data", data, "-m", "python:says.py:answer", *flags)
        assert server.calls == 4  # o1, x1, and o2 twice
    records = {record.id: record.verdict for record in read_records("run")}
    assert records["o1"].scores == {"official": 0.8, "open": (4.5 - 1) / 4}
    assert records["x1"].scores == {"open": (4.5 - 1) / 4}  # the script leaves it out
    assert records["o1"].state == "correct"
    assert records["o2"].state == "error"
    assert (records["i1"].state, records["i2"].state) == ("wrong", "correct")
    assert records["i3"].state == "ungraded"


def test_replies_of_others_become_a_run_and_a_table_without_any_is_refused(data, capsys):
    rows = [each | {"model_output": "a flute"} for each in pro_entries()]
    rows[2]["model_output"] = None
    (data.parent / "replies.jsonl").write_text("".join(json.dumps(r) + "\n" for r in rows))
    status, summary = zhiyin(capsys, "import", "mmau-pro", "replies.jsonl", "--out", "run")
    assert status == 0, summary
    assert not summary["complete"]
    assert summary["groups"]["music"]["accuracy"] == 1
    assert summary["states"]["ungraded"] == 4  # three open ones, and a rule that nobody knows
    line = complaint(capsys, "import", "mmau-pro", data / "test.jsonl", "--out", "x")
    assert "no column model_output" in line


def test_the_nearest_option_is_the_first_of_equal_ones_in_the_order_of_the_data(data):
    policy = open_policy("nearest:python:embed.py:embed")
    shown = (Option("A", "harp", "C"), Option("B", "drum", "A"), Option("C", "lute", "B"))
    assert policy.extract("It is the lute", shown).letter == "C"
    assert policy.extract("not the lute", shown).letter == "C"  # as published: no negation
    assert policy.extract("", shown).letter == "B"
    assert policy.label == "nearest:python:embed.py:embed@1"


RULES = [
    ("Include Keywords", {"keywords": "drum, flute"}, "A Drum and a flute", "a drum"),
    ("Keyword Frequency", {"keyword": "drum", "N": 2}, "Drum, drum", "drums drum"),
    ("Forbidden Words", {"forbidden_words": "drum, flute"}, "a harp", "drumming"),
    ("Number Paragraphs", {"N": 2}, "one *** two", "one"),
    ("Number Words (at least)", {"N": 2}, "one two", "one"),
    ("Number Words (at most)", {"N": 2.0}, "one two", "one two three"),
    ("Number Words (range)", {"N1": 1, "N2": "2"}, "one two", "one two three"),
    ("Number Sentences (at least)", {"N": 2}, "One. Two!", "One"),
    ("Number Sentences (at most)", {"N": 1}, "3.5 bars.", "One. Two"),
    ("Number Sentences (range)", {"N1": 2, "N2": 2}, 'He said "no." Then left', "One"),
    ("Postscript", {"postscript_marker": "P.S."}, "Hi. P.S. more", "Hi"),
    ("Number Placeholder", {"N": 1}, "[name]", "name"),
    ("Number Bullets", {"N": 2}, "* one\n* two", "* one"),
    ("Title", {}, "<<A title>> text", "A title"),
    ("Minimum Number Highlighted Section", {"N": 1}, "*so*", "so"),
    ("Multiple Sections", {"N": 2, "section_splitter": "PART"}, "PART a PART b", "PART a"),
    ("Repeat Prompt", {}, "What is it? A drum", "A drum"),
    ("Two Responses", {}, "a ****** b", "a ****** A"),
    ("All Uppercase", {}, "ABC.", "Abc"),
    ("All Lowercase", {}, "abc.", "Abc"),
    ("All-capital Words (at least)", {"N": 1}, "so LOUD", "so loud"),
    ("All-capital Words (at most)", {"N": 1}, "so LOUD", "SO LOUD"),
    ("All-capital Words (range)", {"N1": 2, "N2": 2}, "SO LOUD", "so LOUD"),
    ("Start Checker", {"start_phrase": "I hear"}, "I hear, now", "Now I hear"),
    ("End Checker", {"end_phrase": "the end."}, "It is the end", "the end is here"),
    ("Quotation", {}, ' "so" ', "so"),
    ("No Commas", {}, "a b", "a, b"),
]


@pytest.mark.parametrize(("name", "arguments", "good", "bad"), RULES, ids=lambda x: str(x)[:20])
def test_an_instruction_is_followed_or_not(name, arguments, good, bad):
    assert follows(name, good, arguments, "What is it?") is True
    assert follows(name, bad, arguments, "What is it?") is False
    assert follows("No rule", good, arguments, "") is None


def test_what_is_published_stands_under_our_groups():
    expected = find("mmau-pro").expected().counts
    assert (
        expected["closed_answers"] + expected["open_answers"] + expected["instruction_following"]
        == 5305
    )
    rows = find("mmau-pro").published().rows
    assert rows["people"] == {"all": {"official": 0.779}}


PAIRS = """
import hashlib
import numpy as np
def embed(texts):  # pairs of letters with both ends, so that an empty text lies somewhere too
    found = np.zeros((len(texts), 64))
    for row, text in zip(found, texts):
        padded = f"^{text.lower()}$"
        for pair in map("".join, zip(padded, padded[1:])):
            row[hashlib.blake2b(pair.encode(), digest_size=1).digest()[0] % 64] += 1
    return found
"""
INSTRUMENTS = (
    *("drum", "flute", "harp", "lute", "bell", "organ", "choir", "violin", "trumpet", "cello"),
    *("oboe", "horn", "viola", "gong", "zither", "pipa", "erhu", "guzheng", "sitar", "tabla"),
)


def published_shape():
    """Rows of the published numbers: four choices, the key drawn evenly, every rule in turn."""
    draw, counts = random.Random(1), find("mmau-pro").expected().counts
    rows = []
    for category in CATEGORIES[:10]:
        for _ in range(counts[category]):
            choices = draw.sample(INSTRUMENTS, 4)
            answer = draw.choice(choices)
            rows.append(pro_row(f"q{len(rows)}", category, choices=choices, answer=answer))
    for _ in range(counts["open_answers"]):
        rows.append(pro_row(f"q{len(rows)}", "open", choices=[]))
    for number in range(counts["instruction_following"]):
        name, arguments, *_ = RULES[number % len(RULES)]
        rows.append(pro_rule(f"q{len(rows)}", name, **arguments))
    return rows


@pytest.mark.slow
def test_what_5305_empty_replies_get(tmp_path, monkeypatch, capsys):
    """The table of docs/benchmarks/mmau-pro.md."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "pairs.py").write_text(PAIRS)
    lines = (json.dumps(row | {"model_output": ""}) + "\n" for row in published_shape())
    (tmp_path / "silent.jsonl").write_text("".join(lines))
    words = ("import", "mmau-pro", "silent.jsonl", "--extract", "nearest:python:pairs.py:embed")
    status, summary = zhiyin(capsys, *words, "--out", "run")
    assert status == 0, summary
    rows, _ = section(summary, "Our rule")
    assert rows["all"]["n"] == 5305
    page = (REPOSITORY / "docs/benchmarks/mmau-pro.md").read_text("utf-8")
    for name, shown in (
        ("choices", "4,593 choices"),
        ("open answers", "625 open answers, judged 1 of 5 throughout"),
        ("instructions", "87 instructions"),
        ("all", "all 5,305"),
    ):
        assert rows[name]["ours"][0] == 0
        assert f"| {shown} | {100 * rows[name]['official']:.1f} | 0 |" in page
    unread = rows["all"]["official"] + 625 * (0.6 - 0.2) / 5305
    assert f"the open part is 60.0 and the whole {100 * unread:.1f}." in page
    assert rows["people"]["official"] == pytest.approx(0.779)  # beside a whole run alone
