"""Scoring a log again: the version of today, before beside after, and no end at one exception."""

import json

from zhiyin.cli import main
from zhiyin.engine.folder import read_records


def test_other_wordings_stay_out_of_the_main_figures(tmp_path, capsys, monkeypatch):
    monkeypatch.chdir(tmp_path)
    rows = [f"q{n},What is the tempo of piece {n}?,slow{n},fast{n},A" for n in range(8)]
    (tmp_path / "own.csv").write_text("\n".join(["id,question,A,B,answer", *rows]))
    assert main(["forge", "paraphrase", "own.csv", "--wordings", "1"]) == 0
    words = ["run", "own.csv", "-m", "random", "--paraphrase", "1", "--out", "first", "--quiet"]
    assert main(words) == 0
    assert main(["rescore", "first", "--extract", "robust", "--out", "again"]) == 0
    capsys.readouterr()
    assert main(["show", "first", "again", "--json"]) == 0
    first, again = json.loads(capsys.readouterr().out)["runs"]
    assert again["groups"] == first["groups"]
    assert again["groups"]["all"]["n"] == 8
    assert len(list(read_records("again"))) == 16
