"""Labels, names, paths and objects as people meet them."""

import re
from pathlib import Path

import msgspec
import pytest

from findings_help import answered, choice, mucho_trials, student, write_run
from zhiyin.analysis import summary
from zhiyin.analysis.compare import compare
from zhiyin.analysis.coverage import Coverage
from zhiyin.cli import main
from zhiyin.contract.resolved import run_names
from zhiyin.engine.folder import Manifest, find_log, read_manifest, read_records
from zhiyin.engine.naming import brief, briefs, models_in
from zhiyin.plugins.lab.export import export
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.plugins.methods.health import health
from zhiyin.plugins.paper.tables import write_tables
from zhiyin.report.methods import methods_paragraph
from zhiyin.report.overview import overview
from zhiyin.report.run_cards import marks_of_runs
from zhiyin.report.run_set import RunSet
from zhiyin.report.writing import report
from zhiyin.runs.figures import figures
from zhiyin.runs.rows import rows_of
from zhiyin.runs.table import RunTable
from zhiyin.session import Result, rescore
from zhiyin.trial import Option, Trial, say

SMALL = str(Path(__file__).parent.parent / "data" / "ziqi_small")


@pytest.mark.slow
def test_a_label_stands_for_the_model_in_every_sentence(tmp_path, capsys):
    run = ["run", "ziqi", "--data", SMALL, "--partial", "--quiet", "-m"]
    for model, label in (("first", "always A"), ("random", "by chance")):
        assert main([*run, model, "--label", label, "--out", str(tmp_path / model)]) == 0
    # The next session says no label, and the run keeps its own.
    assert main([*run, "first", "--out", str(tmp_path / "first")]) == 0
    runs = [tmp_path / "first", tmp_path / "random"]
    assert read_manifest(runs[0]).label == "always A"
    capsys.readouterr()
    assert main(["show", *map(str, runs)]) == 0
    shown = capsys.readouterr().out
    assert "always A" in shown
    assert "by chance" in shown
    (board,) = overview(RunSet(runs)).benchmarks
    told = " ".join(str(finding.words) for finding in board.findings)
    assert "always A answers" in told
    assert not re.search(r"\b(?:first|random) (?:answers|got|is|and)\b", told)
    assert "always A (first)" in methods_paragraph(runs)
    assert {row.name for row in build(tmp_path)[0].rows} >= {"always A", "by chance"}
    assert [run.label for run in compare(runs).runs] == ["always A", "by chance"]


def test_a_model_is_one_by_its_label_whatever_its_address():
    places = [f"http://127.0.0.1:{port}/v1#good" for port in (9001, 9002, 9003)]
    runs = [
        Manifest("toy", place, {}, {}, 0, {}, label=label)
        for place, label in zip(places, ("good", "good, late", "good"), strict=True)
    ]
    assert models_in(runs) == [places[0], places[1], places[0]]
    again = Manifest("ears", places[1], {}, {}, 0, {}, label="good")
    assert models_in([*runs, again]) == [places[0], places[0], places[0], places[0]]
    assert models_in([Manifest("toy", place, {}, {}, 0, {}) for place in places]) == places
    one, other, _, last = marks_of_runs(["a", "b", "c", "d"], [*runs, again])
    assert (one.name, one.shape) == (other.name, other.shape) == (last.name, last.shape)


def test_addresses_are_in_no_name():
    assert brief("openai:gpt-4o") == "gpt-4o"
    assert brief("http://127.0.0.1:8000/v1#org/model-7b") == "model-7b"
    assert brief("https://host.example/v1") == "host.example"
    assert brief("python:work/mine.py:answer") == "mine.py:answer"
    assert brief("<b>model</b>") == "<b>model</b>"
    assert brief("pool:hosts.txt#org/model-7b") == "model-7b"
    # A sign of a folder is no address.
    assert brief("python:/home/a#b/mine.py:answer") == "mine.py:answer"
    assert brief("hf:/data/run#2/model-7b") == "model-7b"
    assert brief("http://h/v1#runs/tune-3/checkpoint-500") == "tune-3/checkpoint-500"
    assert briefs(["a/x/m", "a/y/m", "a/y/n"]) == ["x/m", "y/m", "n"]
    assert briefs(["http://a/v1#m", "openai:m"]) == ["http://a/v1#m", "openai:m"]


def test_runs_of_one_model_are_distinguished_in_words(tmp_path):
    record = [answered(choice("q"), "A")]
    runs = [
        write_run(tmp_path / "plain", "muchomusic", "openai:m", record),
        write_run(tmp_path / "five", "muchomusic", "openai:m", record, options__shots=5),
        write_run(tmp_path / "noise", "muchomusic", "openai:m", record, options__audio="noise"),
        write_run(tmp_path / "again", "muchomusic", "openai:m", record, options__audio="noise"),
    ]
    names = run_names(runs, [read_manifest(run) for run in runs])
    assert len(set(names)) == 4
    assert names == ["m (default settings)", "m, 5 shots", "m (noise)",
                     "m (again)"]  # fmt: skip
    assert not any("None" in name or "openai" in name for name in names)


def test_runs_of_one_label_are_distinguished_by_their_examples(tmp_path):
    record = [answered(choice("q"), "A")]
    runs = [
        write_run(tmp_path / str(n), "ziqi", "openai:m", record, options__shots=n) for n in (0, 5)
    ]
    manifests = [msgspec.structs.replace(read_manifest(run), label="M") for run in runs]
    names = run_names(runs, manifests)
    assert names == ["M (zero-shot)", "M (5 shots)"]


@pytest.mark.slow
def test_paths_may_be_text(tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    asked = mucho_trials(10)
    one, two = (
        str(write_run(tmp_path / name, "muchomusic", name, map(student(name, 0.6), asked)))
        for name in ("one", "two")
    )
    assert summary.summarise(one).trials == len(asked)
    assert len(list(read_records(one))) == len(rows_of(one)) == len(asked)
    assert find_log(one).is_file()
    assert rescore.rescore(one, "first-letter", str(tmp_path / "again")).trials == len(asked)
    assert compare([one, two]).items == len(asked)
    assert health(one).trials == len(asked)
    assert methods_paragraph(one) == methods_paragraph([one])
    assert write_tables([one, two], str(tmp_path / "tables"))
    assert build(str(tmp_path), apart=True)
    assert export([one], "csv", str(tmp_path / "one.csv")).files
    assert report(one, out=str(tmp_path / "report"), notation=False, figures=False).trials == 20


def test_objects_fit_a_line():
    words = "下列关于巴赫的说法中，哪一项是正确的？" * 9
    options = tuple(Option(letter, words, letter) for letter in "ABCD")
    trial = Trial("chinese_music_history/" + "9" * 80, (say("user", words),), words, options, "B")
    record = answered(trial, "B", "The answer is\n B " * 50)
    shown = [repr(trial), repr(record), repr(RunSet([]).runs)]
    for text in shown:
        wide = sum(2 if ord(sign) > 0x2E80 else 1 for sign in text)
        assert wide <= 100
        assert "\n" not in text
    assert "4 options" in repr(Trial("q/1", (), "What?", options, "B"))
    assert repr(answered(choice("q"), "A")).startswith("Record('q', 'A', correct")
    manifest = Manifest("ziqi", "toy", {}, {}, planned=5)
    told = summary.assemble(
        Path("runs/x"), manifest, figures(RunTable.of([record])), Coverage(manifest)
    )
    result = Result(Path("runs/x"), None, told)
    assert repr(result) == "Result('runs/x', ziqi, 1 of 5 trials)"
