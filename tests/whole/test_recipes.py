"""Each recipe on a small made file of the layout that it states; and what a recipe may say."""

import json
import tomllib

import pytest
from PIL import Image

from conftest import REPOSITORY
from listening_help import play
from zhiyin.cli import main
from zhiyin.engine.folder import read_manifest, read_records

RECIPES = sorted((REPOSITORY / "recipes").glob("*.toml"))
ROWS = {
    "ssmr-bench": [
        {"question": "Which interval do the two notes make?", "abc_context": "X:1\nK:C\nC G",
         "correct_answer": "a fifth", "incorrect_answer1": "a third",
         "incorrect_answer2": "a sixth", "incorrect_answer3": "an octave", "category": "interval"},
        {"question": "Which chord has C, E and G?", "abc_context": "",
         "correct_answer": "C major", "incorrect_answer1": "C minor",
         "incorrect_answer2": "E minor", "incorrect_answer3": "G major", "category": "chord"},
    ],
    "wildscore": [
        {"question": "Which clef?", "options": ["treble", "bass"], "answer": "bass",
         "image": "images/one.png", "category": "notation"},
    ],
    "air-bench-music": [
        {"uniq_id": 7, "question": "Which instrument?", "choice_a": "flute", "choice_b": "drum",
         "choice_c": "lute", "choice_d": "harp", "answer_gt": "harp", "path": "one.wav",
         "task_name": "Music_Instruments", "dataset_name": "made"},
    ],
}  # fmt: skip


@pytest.fixture
def desk(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    play(tmp_path / "one.wav", 300, 0.2)
    play(tmp_path / "two.wav", 400, 0.2)
    (tmp_path / "images").mkdir()
    Image.new("L", (8, 8), 255).save(tmp_path / "images" / "one.png")
    return tmp_path


def test_every_recipe_is_tried_and_says_what_it_knows():
    assert {path.stem for path in RECIPES} == ROWS.keys()
    for path in RECIPES:
        told = tomllib.loads(path.read_text("utf-8"))
        assert told.keys() - {"run"} == {
            "name", "home", "file", "verified", "not_verified", "flags",
        }  # fmt: skip


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_a_recipe_reads_its_layout(desk, capsys, path):
    rows = ROWS[path.stem]
    (desk / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    words = ["run", "set.jsonl", "--recipe", str(path), "-m", "longest", "--out", "out", "--json"]
    assert main(words) == 0, capsys.readouterr().err
    found = json.loads(capsys.readouterr().out)
    records = list(read_records(desk / "out"))
    assert len(records) == len(rows)
    assert all(record.trial.target for record in records)
    assert found["states"]["error"] == 0


def test_columns_of_a_question_stand_below_each_other(desk, capsys):
    rows = ROWS["ssmr-bench"]
    (desk / "set.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    recipe = str(REPOSITORY / "recipes" / "ssmr-bench.toml")
    words = ["run", "set.jsonl", "--recipe", recipe, "-m", "first", "--out", "o", "--json"]
    assert main(words) == 0
    stems = [record.trial.stem for record in read_records(desk / "o")]
    assert stems == [
        "Which interval do the two notes make?\n\nX:1\nK:C\nC G",
        "Which chord has C, E and G?",
    ]


def test_what_is_given_goes_before_the_recipe_and_faults_are_one_line(desk, capsys):
    (desk / "set.csv").write_text("text,other,A,B,key\nWhich?,Or which?,x,y,A\n")
    recipe = desk / "my.toml"
    recipe.write_text('[flags]\ncolumns = ["question=text", "answer=key"]\n')
    base = ["run", "set.csv", "-m", "first", "--json"]
    given = ["--columns", "question=other,answer=key"]
    assert main([*base, "--recipe", str(recipe), *given, "--out", "a"]) == 0
    assert next(iter(read_records(desk / "a"))).trial.stem == "Or which?"
    recipe.write_text(f'{recipe.read_text()}model = "random"\n')
    assert main([*base, "--recipe", str(recipe), "--out", "b"]) == 0
    assert read_manifest(desk / "b").model == "first"
    capsys.readouterr()
    for text, told in (
        ("flags = [", "no TOML"),
        ("x = 1", "no table [flags]"),
        ("[flags]\ncolumns = {a = 1}", "columns is no text, number, switch or list"),
        ('[flags]\ncolums = "x"', "unknown flag --colums: did you mean --columns"),
    ):
        recipe.write_text(text)
        assert main([*base, "--recipe", str(recipe)]) == 2
        (line,) = capsys.readouterr().err.splitlines()
        assert told in line
    assert main([*base, "--recipe", "none.toml"]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert main([*base, "--recipe=none.toml"]) == 2
    assert "cannot be read" in capsys.readouterr().err
    assert main([*base, "--recipe"]) == 2
    assert "which file?" in capsys.readouterr().err
