"""MSU-Bench: made questions on made scores, read by rule or by a judge, and the published file."""

import csv
import json

import pytest

from judge_help import dump
from listening_help import (
    SCORE_LINKS,
    SCORE_QUESTIONS,
    complaint,
    make_msu,
    msu_rows,
    section,
    zhiyin,
)
from servers import ChatServer
from zhiyin.contract.registry import open_benchmark
from zhiyin.engine.folder import read_records
from zhiyin.plugins.benchmarks.msu_bench.answers import form_of, is_same
from zhiyin.plugins.benchmarks.msu_bench.benchmark import merged_names, read_facts
from zhiyin.trial import Image


@pytest.fixture
def data(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    (tmp_path / "x.py").write_text("def f(messages):\n    return ''\n")
    return make_msu(tmp_path)


def trials(data, **options):
    return list(open_benchmark("msu-bench", {"data": str(data), **options}).trials())


def test_questions_stand_by_score_and_none_is_an_answer(data):
    made = trials(data, scores="scores")
    assert len(made) == 18
    assert [trial.id for trial in made[5:7]] == ["001-06", "002-01"]
    assert {trial.cluster for trial in made} == set(SCORE_LINKS)
    assert made[2].target == "None"
    assert [trial.tags["form"] for trial in made[:6]] == [
        "short", "short", "short", "long", "yes-no", "long",
    ]  # fmt: skip
    assert made[4].groups == ("level_3", "level_3/yes_no_answers", "yes_no_answers")
    assert "composer_asked" in made[0].groups
    assert "K:D" in made[7].messages[0].text
    assert not any("Grieg" in trial.messages[0].text for trial in made)
    assert merged_names(read_facts(data, "composer")) == dict.fromkeys(
        SCORE_LINKS[:2], "Edvard Grieg"
    )


def test_pages_go_in_the_order_of_their_numbers(data, capsys):
    assert "no pages for 1 of 3 scores" in complaint(
        capsys, "run", "msu-bench", "--data", data, "--scores", "scores", "--show", "pages",
        "-m", "python:x.py:f",
    )  # fmt: skip
    made = trials(data, scores="scores", show="pages", partial=True)
    assert len(made) == 12
    pages = [part.height for part in made[0].messages[0].parts if isinstance(part, Image)]
    assert pages == [4, 5, 13]
    assert made[0].condition == "shown=pages"
    both = trials(data, scores="scores", show="notation,none")
    assert [trial.item for trial in both[:2]] == ["001-01"] * 2
    assert {trial.groups[0] for trial in both} == {"shown=notation", "shown=none"}


def test_a_score_may_be_called_by_its_title_or_its_number(data):
    scores = data.parent / "scores"
    for old, new in (("900", "Day"), ("901", "002"), ("902", "3")):
        (scores / f"{old}.abc").rename(scores / f"{new}.abc")
    made = trials(data, scores="scores")
    assert ["CDG"[n] in made[6 * n].messages[0].text for n in range(3)] == [True] * 3


@pytest.mark.slow
def test_a_workbook_is_read_as_published(data):
    book = pytest.importorskip("openpyxl").Workbook()
    pytest.importorskip("python_calamine")
    for row in [("Link", "Level", "Question", "Answer"), *msu_rows()]:
        book.active.append((row[0], int(row[1]) if row[1].isdigit() else row[1], *row[2:]))
    (data / "questions.csv").unlink()
    book.save(data / "msu-bench.xlsx")
    made = trials(data, show="none")
    assert [(t.tags["level"], t.target) for t in made] == [(r[1], r[3]) for r in msu_rows()]


def test_scores_that_are_not_there_are_named_before_anything_is_asked(data, capsys):
    line = complaint(capsys, "run", "msu-bench", "--data", data, "-m", "python:x.py:f")
    assert "no notation for 3 of 3 scores" in line
    assert "--show none asks without" in line
    assert len(trials(data, show="none")) == 18
    status, found = zhiyin(capsys, "data", "check", "msu-bench", "--data", data, "--partial")
    assert status == 2
    assert (found["items"], found["flaws"]) == (18, [])


@pytest.mark.parametrize("name", ["nested.jsonl", "flat.jsonl"])
def test_the_forms_that_the_authors_describe_are_read(data, name):
    """A row for each score with its questions in a list, or a row each with the notation in it."""
    entries = [
        {"song_id": link, "level": int(level), "question": asked, "answer": key, "abc": "X:1\nK:C"}
        for link, level, asked, key in msu_rows()
    ]
    if name == "nested.jsonl":
        entries = [
            {"song_id": link, "abc": "X:1\nK:C", "questions": [
                {k: e[k] for k in ("level", "question", "answer")}
                for e in entries if e["song_id"] == link
            ]} for link in SCORE_LINKS
        ]  # fmt: skip
    (data / "questions.csv").unlink()
    (data / name).write_text("".join(json.dumps(entry) + "\n" for entry in entries))
    made = trials(data)
    assert [(t.cluster, t.stem, t.target) for t in made] == [
        (link, asked.strip(), key) for link, _, asked, key in msu_rows()
    ]
    assert all("K:C" in trial.messages[0].text for trial in made)


@pytest.mark.parametrize(
    ("row", "told"),
    [
        ((SCORE_LINKS[0], "5", "What?", "A"), "level '5' is none from 1 to 4"),
        ((SCORE_LINKS[0], "1", "What?", ""), "no answer"),
        ((SCORE_LINKS[0], *SCORE_QUESTIONS[0]), "stands twice"),
    ],
)
def test_a_faulty_row_is_one_line(data, capsys, row, told):
    with (data / "questions.csv").open("a", newline="") as file:
        csv.writer(file).writerow(row)
    assert told in complaint(
        capsys, "run", "msu-bench", "--data", data, "--show", "none", "-m", "python:x.py:f"
    )


SAYS = """
def answer(messages):
    text = str(messages)
    for word, reply in REPLIES.items():
        if word in text:
            return reply
"""
REPLIES = {
    "composer": "It is by Grieg.\nAnswer: Grieg",
    "signature": "Answer: 4/4",
    "dynamics": "There are no dynamics.\nAnswer: no dynamics",
    "clefs": "Answer: bass clef; treble clef",
    "cadence": "No, there is no cadence.",
    "structure": "Answer: arpeggios",
}


@pytest.mark.slow
def test_rule_and_judge_are_both_given_where_both_read(data, capsys):
    (data.parent / "says.py").write_text(f"REPLIES = {REPLIES!r}\n{SAYS}")

    def judge(call):
        words = call.body["messages"][0]["content"]
        verdict = "wrong" if "signature" in words or "dynamics" in words else "right"
        return dump({"reason": "r", "verdict": "partly" if "structure" in words else verdict})

    base = ("run", "msu-bench", "--data", data, "--scores", "scores", "-m",
            "python:says.py:answer")  # fmt: skip
    with ChatServer(judge) as server:
        status, summary = zhiyin(capsys, *base, "--judge", server.spec, "--out", "run")
        assert status == 0, summary
        assert server.calls == 18
    states = [record.verdict.state for record in read_records("run")][:6]
    assert states == ["correct", "wrong", "correct", "correct", "correct", "wrong"]
    forms, _ = section(summary, "By the form")
    short = forms["two words at most"]
    assert short["read and judged"] == 9
    assert short["right, %"] == pytest.approx(2 / 3)
    assert short["right by the judge, %"] == pytest.approx(1 / 3)
    assert short["agreement, %"] == pytest.approx(2 / 3)
    assert short["kappa"] == pytest.approx(0.4)
    assert forms["longer, and lists"]["agreement, %"] is None
    levels, _ = section(summary, "Scores with every")
    assert {name: row["all right, %"] for name, row in levels.items()} == dict.fromkeys(
        ("1", "1, 2", "1, 2, 3", "1, 2, 3, 4"), 0
    )
    with ChatServer(judge) as server:
        flags = ("--judge", server.spec, "--judged", "long", "--out", "less")
        zhiyin(capsys, *base, *flags)
        assert server.calls == 6


def test_without_a_judge_a_long_answer_is_not_graded_and_never_wrong(data, capsys):
    (data.parent / "says.py").write_text(f"REPLIES = {REPLIES!r}\n{SAYS}")
    _, summary = zhiyin(capsys, "run", "msu-bench", "--data", data, "--scores", "scores",
                        "-m", "python:says.py:answer", "--out", "run")  # fmt: skip
    assert summary["states"]["ungraded"] == 6
    assert summary["groups"]["all"]["n"] == 12
    _, notes = section(summary, "By the form")
    assert any("6 longer answers are not graded" in note for note in notes)


@pytest.mark.parametrize(
    ("key", "form"),
    [
        ("No", "yes-no"), ("None", "short"), ("3/4 time", "short"), ("f (forte)", "short"),
        ("I-V43-I6-V65/V", "short"), ("Treble clef; Bass clef", "long"), ("Piano, Violin", "long"),
        ("Broken chord with leaps", "long"), ("mf；crescendo", "long"),
    ],
)  # fmt: skip
def test_what_a_rule_compares(key, form):
    assert form_of(key) == form


CLEF, BARS, KEY = "What clef is used?", "In which measures does it appear?", "What is the key?"


@pytest.mark.parametrize(
    ("answer", "key", "question", "same"),
    [
        ("treble", "Treble clef", CLEF, True),
        ("not treble", "Treble clef", CLEF, False),
        ("bass clef", "Treble clef", CLEF, False),
        ("None", "None", CLEF, True),
        ("no clef", "None", CLEF, True),
        ("N/A", "None", CLEF, True),
        ("No", "None", CLEF, False),
        ("None", "Treble clef", CLEF, False),
        ("bars 1 to 8", "Measures 1–8", BARS, True),
        ("m. 1", "Measure 1", BARS, True),
        ("1-9", "Measures 1–8", BARS, False),
        ("D flat major", "D♭ major", KEY, True),
        ("C# major", "D♭ major", KEY, False),
        ("d♭ Major", "D♭ major", KEY, True),
        ("A minor", "A major", KEY, False),
        ("forte", "f (forte)", "Which dynamic?", True),
        ("f", "f (forte)", "Which dynamic?", True),
        ("I-V7", "i–V7", "Which progression?", False),
        ("i - V7", "i–V7", "Which progression?", True),
        ("quaver rest", "Eighth rest", "What begins it?", True),
        ("3/4", "3/4 time", "What is the time signature?", True),
        ("Grieg", "Edvard Grieg", "Who is the composer?", True),
        ("J. S. Bach", "Johann Bach", "Who is the composer?", True),
        ("C.P.E. Bach", "J.S. Bach", "Who is the composer?", False),
        ("A5", "A4", "Which note?", False),
    ],
)
def test_two_short_answers_say_the_same_or_not(answer, key, question, same):
    assert is_same(answer, key, question) is same


@pytest.mark.slow
def test_the_published_file(capsys, shared):
    if not (shared / "msu_bench").is_dir():
        pytest.skip("no data of msu_bench in the shared folder")
    made = trials(shared / "msu_bench", show="none")
    assert len(made) == 1800
    assert len({trial.cluster for trial in made}) == 150
    levels = [trial.tags["level"] for trial in made]
    assert [levels.count(level) for level in "1234"] == [450] * 4
    forms = [form_of(trial.target) for trial in made]
    assert [forms.count(form) for form in ("yes-no", "short", "long")] == [372, 1046, 382]
    assert sum(trial.target == "None" for trial in made) == 39
    short = [trial for trial in made if form_of(trial.target) == "short"]
    assert all(is_same(trial.target, trial.target, trial.stem) for trial in short)
    assert not any(is_same("No", trial.target, trial.stem) for trial in short)
    composers = set(merged_names(read_facts(shared / "msu_bench", "composer")).values())
    assert "Berlioz" not in composers
    assert "Hector Berlioz" in composers
    status, found = zhiyin(capsys, "data", "check", "msu-bench", "--data", shared / "msu_bench")
    assert status == 2
    assert (found["items"], found["flaws"]) == (1800, [])
