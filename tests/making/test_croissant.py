"""Croissant metadata: every file with its sum, every column with its kind; no private half."""

import hashlib
import json

import pytest

from zhiyin.cli import main
from zhiyin.plugins.making.croissant import CROISSANT, write_croissant


def described(folder):
    return json.loads((folder / CROISSANT).read_text())


def test_files_sets_and_columns(tmp_path):
    rows = [
        {"id": "a", "n": 1, "share": 0.5, "options": ["x", "y"], "new": True, "other": {"a": 1}},
        {"id": "b", "n": 2, "share": 1, "options": ["z"], "new": False},
    ]
    (tmp_path / "own.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    (tmp_path / "table.csv").write_text("id,answer\n1,A\n")
    for name in ("audio/one.wav", "audio/two.wav", "private/secret.jsonl"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(b"{}\n")
    first = write_croissant(tmp_path, "own", "A set.", "CC0-1.0", "3").read_bytes()
    assert write_croissant(tmp_path, "own", "A set.", "CC0-1.0", "3").read_bytes() == first
    found = described(tmp_path)
    assert found["conformsTo"] == "http://mlcommons.org/croissant/1.0"
    assert found["version"] == "3.0.0"
    files = {one["@id"]: one for one in found["distribution"]}
    assert set(files) == {"own.jsonl", "table.csv", "audio/*.wav"}
    data = (tmp_path / "own.jsonl").read_bytes()
    assert files["own.jsonl"]["sha256"] == hashlib.sha256(data).hexdigest()
    fields = {one["name"]: one for one in found["recordSet"][0]["field"]}
    kinds = {name: one["dataType"].removeprefix("sc:") for name, one in fields.items()}
    assert kinds == {
        "id": "Text", "n": "Integer", "share": "Float", "options": "Text", "new": "Boolean",
    }  # fmt: skip
    assert [name for name, one in fields.items() if one.get("repeated")] == ["options"]
    assert [one["@id"] for one in found["recordSet"]] == ["own", "table"]


def test_sets_that_are_made_have_it(tmp_path):
    made = tmp_path / "made"
    assert main(["data", "make", "exercises", "--n", "1", "--out", str(made)]) == 0
    found = described(made)
    assert found["recordSet"][0]["@id"] == "exercises"
    assert found["license"].endswith("LICENSE-2.0")
    assert main(["data", "check", str(made / "exercises.jsonl")]) == 0


def test_the_reference_library_takes_it(tmp_path):
    library = pytest.importorskip("mlcroissant", reason="the reference library is not installed")
    (tmp_path / "own.jsonl").write_text('{"id": "a", "options": ["x", "y"]}\n')
    place = write_croissant(
        tmp_path, "own", "A set.", "https://creativecommons.org/licenses/by/4.0/"
    )
    dataset = library.Dataset(jsonld=str(place))
    assert [dict(row)["own/id"] for row in dataset.records("own")] == [b"a"]
