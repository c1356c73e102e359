"""From texts on music to a benchmark, through the same stages as captions."""

import csv
import json
import re

import pytest

from questions_help import jsonl, refused
from servers import ChatServer
from zhiyin import cli
from zhiyin.plugins.making.forge.sources import passages_of, read_texts

COMPOSERS = {
    "Quill": ("Fugue of Reeds", "lute"), "Marl": ("Ode to Rain", "oboe"),
    "Tarn": ("Salt Marches", "harp"), "Vane": ("Glass Mass", "viola"),
    "Holt": ("Ember Songs", "tuba"), "Wray": ("Stone Suite", "cello"),
}  # fmt: skip
KINDS = ("incorrect but related", "correct but unrelated", "incorrect and unrelated")


def paragraph(name):
    piece, instrument = COMPOSERS[name]
    said = (
        f"{name} wrote the {piece} for a court that wanted something new. The solo part is for "
        f"{instrument}, which nobody had used so before. "
    )
    return said + "The critics of the day were divided, and wrote long letters about it. " * 10


def a_book(folder):
    (folder / "book").mkdir(parents=True)
    for number, names in enumerate((("Quill", "Marl", "Tarn"), ("Vane", "Holt", "Quill")), 1):
        parts = [f"# Chapter {number}", *map(paragraph, names)]
        (folder / "book" / f"chapter{number}.md").write_text("\n\n".join(parts), "utf-8")
    return folder / "book"


def writer(call):
    """Two questions a text, the second a repeat of one that every text gets."""
    text = call.text
    if "is to be filed" in text:
        assert "Composition theory/Harmony" in text
        field = "Instruments and playing" if "solo part" in text else "Baroque music"
        return json.dumps({"explanation": "It is asked.", "dimensions": [field]})
    assert "knowledge of music" in text
    assert "recording" not in text.rpartition("Now the text:")[0]
    own = text.rpartition("Now the text:")[2]
    if old := re.search(r"Answer: (.*)", own):
        asked = [("Which note lies a fifth above D?", old[1].strip(), f"Answer: {old[1].strip()}",
                  "note B", "note D", "the pub")]  # fmt: skip
    else:
        name = re.search(r"(\w+) wrote the", own)[1]
        piece, instrument = COMPOSERS[name]
        asked = [
            (f"Which instrument has the solo part in the {piece}?", f"the {instrument}",
             f"The solo part is for {instrument}", "the piano", "the court", "the rain"),
            ("Who were divided?", "the critics", "critics of the day were divided",
             "the players", "the letters", "the horses"),
        ]  # fmt: skip
    questions = [
        {"question": q, "answer": a, "evidence": e,
         "distractors": [{"kind": k, "text": t, "why": "By design."}
                         for k, t in zip(KINDS, wrong, strict=True)]}
        for q, a, e, *wrong in asked
    ]  # fmt: skip
    return json.dumps({"summary": "As told.", "questions": questions})


def zhiyin(capsys, *args):
    status = cli.main([str(arg) for arg in args])
    found = capsys.readouterr()
    return status, found.out, found.err


def lines(path):
    return [json.loads(line) for line in path.read_text("utf-8").splitlines()]


@pytest.mark.slow
def test_a_book_becomes_a_benchmark(tmp_path, capsys):
    work = tmp_path / "work"
    with ChatServer(writer) as server:
        flags = ("--texts", "-m", server.spec, "--out", work, "--unvalidated", "--quiet",
                 "--licence", "CC0")  # fmt: skip
        status, *_ = zhiyin(capsys, "forge", "questions", a_book(tmp_path), *flags)
        calls = server.calls
        again = zhiyin(capsys, "forge", "questions", tmp_path / "book", *flags)
        assert server.calls == calls
        assert again[0] == 0
    assert status == 0
    fallen = {row["id"]: row["why"] for row in lines(work / "1-select" / "fell.jsonl")}
    assert fallen == {"chapter2-0003": "outside"}  # the same paragraph as in chapter 1
    checked = [row["why"] for row in lines(work / "3-check" / "fell.jsonl")]
    assert checked == ["near-duplicate"] * 4  # "Who were divided?" is asked once in the set
    folder = work / "forged"
    rows = lines(folder / "forged.jsonl") + lines(folder / "private" / "forged-private.jsonl")
    assert len(rows) == 6
    assert not any("audio" in row for row in rows)
    fields = {"Music performance/Instruments and playing", "Western music history/Baroque music"}
    assert {row["category"][0] for row in rows} == fields
    sheet = (folder / "datasheet.md").read_text("utf-8") + (folder / "LICENCES.md").read_text()
    assert "multiple-choice questions on music" in sheet
    assert "made from texts" in sheet
    assert "recording" not in sheet
    assert "No text is in two parts" in sheet
    assert "critics of the day were divided" not in (folder / "tracks.jsonl").read_text()
    run = tmp_path / "run"
    assert zhiyin(capsys, "run", folder, "-m", "random", "--out", run, "--quiet")[0] == 0
    assert zhiyin(capsys, "data", "check", folder)[0] == 0


def test_exam_questions_are_texts_too(tmp_path, capsys):
    rows = [
        {"id": "e1", "question": "Which note is a perfect fifth above D?", "answer": "B",
         "options": ["note G", "note A", "note E"], "subject": "theory"},
        {"id": "e2", "question": "Name it.", "answer": ""},
    ]  # fmt: skip
    path = jsonl(tmp_path / "exam.jsonl", *rows)
    (first, second) = read_texts(path).tracks
    assert first.captions[1] == "Answer: note A"  # the letter names an option
    assert first.style == "theory"
    assert second.captions == ()
    with ChatServer(writer) as server:
        flags = ("--texts", "-m", server.spec, "--out", tmp_path / "w", "--until", "check")
        status, _, _ = zhiyin(capsys, "forge", "questions", path, *flags, "--quiet")
    assert status == 0
    (kept,) = lines(tmp_path / "w" / "3-check" / "kept.jsonl")
    assert (kept["question"], kept["answer"]) == ("Which note lies a fifth above D?", "note A")


def test_passages_are_whole_paragraphs_under_their_headings():
    text = "# One\n\nshort words here.\n\n" + "long " * 130 + "end.\n\n# Two\n\n" + "more " * 20
    first, second = passages_of(text)
    assert first.startswith("# One\nshort words here.\nlong")
    assert second.startswith("# Two\nmore")
    han = "\n".join("音" * 100 + "。" for _ in range(6))  # a line is a paragraph; 50 words each
    assert [p.count("\n") + 1 for p in passages_of(han)] == [3, 3]


@pytest.mark.parametrize(
    ("content", "flags", "words"),
    [
        ({"words": "x"}, (), "no column of passages"),
        ({"passage": "x", "id": "1"}, ("--blind", "openai:x"), "may give them"),
    ],
)
def test_bad_sources_are_one_line(tmp_path, capsys, content, flags, words):
    path = jsonl(tmp_path / "t.jsonl", content, content)
    said = refused(capsys, "forge", "questions", path, "--texts", "-m", "openai:x",
                   "--out", tmp_path / "w", *flags)  # fmt: skip
    assert words in said


def test_ids_that_stand_twice(tmp_path, capsys):
    path = jsonl(tmp_path / "t.jsonl", *[{"passage": "x", "id": "1"}] * 2)
    said = refused(capsys, "forge", "questions", path, "--texts", "--until", "select",
                   "--out", tmp_path / "w")  # fmt: skip
    assert "stands 2 times" in said


def test_the_sheet_for_people_has_no_recording(tmp_path, capsys):
    with ChatServer(writer) as server:
        flags = ("--texts", "-m", server.spec, "--out", tmp_path / "w", "--quiet")
        zhiyin(capsys, "forge", "questions", a_book(tmp_path), *flags)
    with (tmp_path / "w" / "4-validate" / "sheet.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == 6
    assert not any(row["recording"] for row in rows)
