"""Questions of the forge go to people by `zhiyin study`, and its export filters them."""

import csv
import random
import re

import pytest

import forge_help as h
from zhiyin import cli
from zhiyin.plugins.making.forge import Distractor, ForgeItem, ForgeTrack
from zhiyin.plugins.making.forge.validating import (
    AcceptanceRule,
    read_annotations,
    validate,
    write_questions,
    write_sheet,
)

pytest.importorskip("sqlalchemy")


def items_of(n):
    made = [h.question(number, 0) for number in range(1, n + 1)]
    return [
        ForgeItem(
            f"q{number}", f"t{number}", f"{asked['question']} {number}", asked["answer"],
            tuple(Distractor(**wrong) for wrong in asked["distractors"]), asked["evidence"],
        )
        for number, asked in enumerate(made, 1)
    ]  # fmt: skip


@pytest.mark.slow
def test_a_study_s_export_decides_as_the_same_marks_in_a_sheet(tmp_path):
    from study_help import Person, opened

    items = items_of(5)
    tracks = {item.track: ForgeTrack(item.track, ("A caption.",)) for item in items}
    asked = tmp_path / "questions.jsonl"
    asked.write_bytes(write_questions(items, tracks))
    words = ["study", "make", "--from", str(asked), "--kind", "validate", "--attention", "1"]
    assert cli.main([*words, "--practice", "1", "--out", str(tmp_path / "s")]) == 0
    # A question on which three people happen to agree is closed otherwise.
    settings = tmp_path / "s" / "study.toml"
    text = settings.read_text("utf-8")
    assert "stop_when_agreed = true" in text
    settings.write_text(
        text.replace("stop_when_agreed = true", "stop_when_agreed = false"), "utf-8"
    )
    draw, by_hand = random.Random(3), []
    with opened(tmp_path / "s") as store:
        for number in range(4):
            person = Person.of(store)
            person.begin()

            def choose(stem, shown, number=number):
                if "reading" in stem:
                    word = re.search("“(.*?)”", stem)[1]
                    return {"chosen": [shown.index(word)]}
                item = items[int(re.search(r"(\d)$", stem)[1]) - 1]
                wanted = [text for text in shown if draw.random() < 0.4]
                by_hand.append((item.id, f"p{number}", wanted))
                if not wanted:
                    return {"said": draw.choice(["cannot_tell", "odd"])}
                return {"chosen": [shown.index(text) for text in wanted]}

            person.all(choose)
    out = tmp_path / "answers.jsonl"
    assert cli.main(["study", "export", str(tmp_path / "s"), "--out", str(out)]) == 0
    said, notes = read_annotations(out, items)
    assert any("practice" in note for note in notes)
    by_id = {item.id: item for item in items}
    assert len(said) == 4 * (len(items) - 1)
    marked = {tuple(sorted(one.marked)) for one in said}
    assert len(marked) > 5
    for one in said:
        texts = [set(w) for i, _, w in by_hand if i == one.item]
        assert {by_id[one.item].options[place] for place in one.marked} in texts
    sheet = next(csv.reader(write_sheet(items, tracks).decode().splitlines()))
    assert sheet[:3] == ["item", "recording", "question"]
    kept, fallen, _ = validate(items, said, AcceptanceRule(least=1))
    assert len(kept) + len(fallen) == len(items)
    assert "too-few-annotations" in {one.why for one in fallen}  # the one that was for practice


def test_a_line_of_an_export_without_an_item_is_about_no_question(tmp_path):
    whole = '{"participant":"p","item":"7","role":"plain","keys":["A"],"said":"","excluded":[]}\n'
    file = tmp_path / "answers.jsonl"
    file.write_text(whole + whole.replace('"item":"7",', ""))
    items = [ForgeItem("7", "t", "What?", "lute", (Distractor("oboe"), Distractor("harp")))]
    marked, notes = read_annotations(file, items)
    assert len(marked) == 1
    assert "annotations left out, about no question that was asked: 1" in notes


def test_people_whom_the_study_excludes_do_not_count(tmp_path):
    items = items_of(1)
    row = '{{"participant":"p","item":"q1","role":"plain","keys":["A"],"said":"","excluded":{}}}\n'
    path = tmp_path / "answers.jsonl"
    path.write_text(row.format("[]") + row.replace('"p"', '"r"').format('["attention"]'))
    said, notes = read_annotations(path, items)
    assert [one.annotator for one in said] == ["p"]
    assert any("excludes: 1" in note for note in notes)
