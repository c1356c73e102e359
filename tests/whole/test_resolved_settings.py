"""A run's settings are what it was asked with, defaults included, however they were written."""

import json
from pathlib import Path

import msgspec
import pytest

from conftest import REPOSITORY
from findings_help import answered, choice, write_run
from zhiyin.analysis.compare import compare
from zhiyin.cli import main
from zhiyin.contract.resolved import departing, name_of, resolved, run_names
from zhiyin.engine.folder import MANIFEST, read_manifest
from zhiyin.models.baselines import Baseline
from zhiyin.plugins.lab.leaderboard import build
from zhiyin.report.methods import methods_paragraph

ZIQI = ["ziqi", "--data", str(REPOSITORY / "tests" / "data" / "ziqi_small"), "--partial"]


def manifest_of(folder, benchmark="ziqi", **changes):
    """That of a run by the defaults, but for some changes; the helper's own 0 examples left out."""
    changes = {"options__shots": None, **changes}
    return read_manifest(write_run(folder, benchmark, "m", [answered(choice("q"), "A")], **changes))


def run(*words, model="longest"):
    assert main(["run", *ZIQI, "-m", model, "--quiet", *map(str, words)]) == 0


def test_a_default_that_is_typed_is_no_other_setting(tmp_path):
    plain = manifest_of(tmp_path / "a")
    typed = manifest_of(tmp_path / "b", options__shots="0", options__rotations="none")
    assert resolved(plain) == resolved(typed)
    assert departing(plain) == departing(typed) == {}
    other = manifest_of(tmp_path / "c", options__shots="5")
    assert resolved(other)["options"]["shots"] == 5
    assert departing(other) == {"shots": 5}
    # Where several values are given, as a list or as text, they are one setting, too.
    one = manifest_of(tmp_path / "d", "muchomusic", options__audio="true,silence")
    two = manifest_of(tmp_path / "e", "muchomusic", options__audio=["silence", "true"])
    assert resolved(one) == resolved(two)
    # So is what has names in several languages, and what no version knows stays as it was given.
    names = ("popular_music", "流行音乐", ["Popular music"], "of nowhere")
    each = [manifest_of(tmp_path / f"f{n}", options__category=one) for n, one in enumerate(names)]
    known, *others, strange = [resolved(one)["options"]["category"] for one in each]
    assert others == [known, known] == [["popular_music"]] * 2
    assert strange == ["of nowhere"]


def test_a_default_is_the_one_of_the_day(tmp_path):
    """A later version may have another: the run keeps what was its own."""
    own = manifest_of(tmp_path / "a")
    assert resolved(own)["options"]["shots"] == 0
    own = msgspec.structs.replace(own, declared={"defaults": {"shots": 2}})
    assert resolved(own)["options"]["shots"] == 2
    gone = manifest_of(tmp_path / "b", "no-such-benchmark")
    assert resolved(gone)["options"]["shots"] is None
    gone = msgspec.structs.replace(gone, declared={"defaults": {"shots": 2}})
    assert resolved(gone)["options"]["shots"] == 2


def test_a_new_run_keeps_the_defaults(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    run("--limit", 2, "--out", "r")
    assert read_manifest(Path("r")).declared["defaults"]["shots"] == 0


@pytest.mark.slow
def test_the_command_with_the_default_written_out_goes_on_with_the_same_run(
    tmp_path, monkeypatch, capsys
):
    monkeypatch.chdir(tmp_path)
    run("--limit", 8)
    (folder,) = Path("runs").iterdir()
    asked = (folder / "records.jsonl").read_bytes()
    run("--limit", 8, "--shots", 0)
    assert list(Path("runs").iterdir()) == [folder]
    assert (folder / "records.jsonl").read_bytes() == asked
    # A run that an earlier version made of the same command goes on as well, as it is.
    kept = json.loads((folder / MANIFEST).read_bytes())
    kept["config"]["options"]["shots"] = "0"
    del kept["declared"]["defaults"]
    older = folder.with_name("ziqi-longest-00000000")
    folder.rename(older)
    (older / MANIFEST).write_text(json.dumps(kept))
    (older / "SHA256SUMS").unlink()
    run("--limit", 12)
    assert list(Path("runs").iterdir()) == [older]
    assert read_manifest(older).config["options"]["shots"] == "0"
    assert (older / "records.jsonl").read_bytes().startswith(asked)
    capsys.readouterr()
    assert main(["run", *ZIQI, "-m", "longest", "--shots", "1", "--out", str(older)]) == 2
    assert "options.shots was 0, now 1" in capsys.readouterr().err


def test_runs_that_write_a_default_otherwise_are_compared_without_a_remark(tmp_path):
    trials = [choice(f"q/{i}") for i in range(12)]
    one, two = (
        write_run(
            tmp_path / name, "muchomusic", name,
            [answered(t, "A" if i % 3 else letter) for i, t in enumerate(trials)],
            options__shots=shots,
        )
        for name, shots, letter in (("a", None, "A"), ("b", "1", "B"))
    )  # fmt: skip
    assert compare([one, two]).settings == {}
    boards = build(tmp_path)
    assert [sorted(row.name for row in board.rows) for board in boards] == [["a", "b"]]


@pytest.mark.parametrize(
    ("benchmark", "changes", "name"),
    [
        ("ziqi", {}, "m"),
        ("ziqi", {"options__shots": 5}, "m, 5 shots"),
        ("ziqi", {"options__shots": "0"}, "m"),
        ("muchomusic", {}, "m"),
        ("muchomusic", {"options__shots": "0"}, "m, zero-shot"),
        ("ziqi", {"sampling__thinking": "high"}, "m, thinking high"),
        ("ziqi", {"sampling__max_tokens": 64}, "m, max tokens 64"),
        ("ziqi", {"options__language": "en"}, "m, English"),
        ("ziqi", {"options__extract": "first-letter"}, "m, read by first-letter"),
    ],
)
def test_what_alters_a_score_stands_in_the_name(tmp_path, benchmark, changes, name):
    own = manifest_of(tmp_path / "r", benchmark, **changes)
    assert name_of(own) == name
    assert run_names([tmp_path / "r"], [own]) == [name]
    own.label = "mine"
    assert name_of(own) == "mine"


def test_what_a_protocol_sets_is_usual_under_it(tmp_path):
    own = manifest_of(
        tmp_path / "r", options__protocol="ziqi-released", options__extract="first-letter"
    )
    assert "extract" not in departing(own)
    assert departing(own)["protocol"] == "ziqi-released"


def test_one_example_is_said_where_it_is_the_default(tmp_path):
    folder = tmp_path / "r"
    manifest_of(folder, "muchomusic")
    assert "one-shot" in methods_paragraph(folder)
    manifest_of(folder, "ziqi")
    assert "zero-shot" in methods_paragraph(folder)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("benchmark", "changes", "words"),
    [
        ("muchomusic", {"options__shots": "0"}, "zero-shot"),
        ("ziqi", {"options__shots": "5"}, "5 shots"),
        ("ziqi", {"options__language": "en"}, "English"),
        ("ziqi", {"sampling__max_tokens": 64}, "max tokens 64"),
        ("ziqi", {"sampling__thinking": "high"}, "thinking high"),
        ("muchomusic", {"options__audio": ["true"]}, ""),
        ("muchomusic", {}, ""),
        ("perception", {"options__shots": "few"}, "few-shot"),
        ("perception", {"options__shots": "zero"}, ""),
        ("perception", {}, ""),
    ],
)
def test_what_all_runs_differ_in_from_the_published_is_said(tmp_path, benchmark, changes, words):
    """Above a table, and in the words that a name has for it."""
    trials = [choice(f"q/{i}") for i in range(12)]
    folders = [
        write_run(
            tmp_path / name, benchmark, name,
            [answered(t, "A" if i % n else "B") for i, t in enumerate(trials)],
            **{"options__shots": None, **changes},
        )
        for n, name in ((3, "a"), (4, "b"))
    ]  # fmt: skip
    (board,) = build(tmp_path)
    notes = [str(note.what) for note in board.notes]
    assert {row.name for row in board.rows} == {"a", "b"}
    above = [note for note in notes if "all models here" in note]
    assert above == ([f"{benchmark}, all models here: {words}."] if words else [])
    assert main(["table", *map(str, folders), "--to", "latex", "--out", str(tmp_path / "t")]) == 0
    assert (f"all models here: {words}." in (tmp_path / "t").read_text()) == bool(words)
    name = name_of(read_manifest(folders[0]))
    assert name == (f"a, {words}" if words else "a")
    assert words in methods_paragraph(folders[0])


@pytest.mark.slow
def test_a_baseline_stands_beside_models_whatever_they_were_shown(tmp_path, capsys):
    """It reads no examples: that it had none is no difference, unless models differ in it."""
    trials = [choice(f"q/{i}") for i in range(12)]

    def made(name, shots, wrong):
        return write_run(
            tmp_path / f"{name}-{shots}", "ziqi", name,
            [answered(t, "A" if i % wrong else "B") for i, t in enumerate(trials)],
            options__shots=shots, data=f"of {shots} shots",
        )  # fmt: skip

    folders = [made("a", 5, 3), made("b", 5, 4), made("longest", None, 2)]
    own = msgspec.structs.replace(
        read_manifest(folders[2]), decoding=Baseline("longest").describe()
    )
    (folders[2] / MANIFEST).write_bytes(msgspec.json.encode(own))
    manifests = [read_manifest(folder) for folder in folders]
    assert run_names(folders, manifests) == ["a", "b", "longest"]
    found = compare(folders)
    assert found.settings == {}
    assert list(map(str, found.alike)) == ["5 shots"]
    assert main(["table", *map(str, folders)]) == 0
    assert "all models here: 5 shots" in (table := capsys.readouterr().out)
    assert "a, 5 shots" not in table
    folders.append(made("c", None, 4))
    assert run_names(folders, [*map(read_manifest, folders)]) == [
        "a, 5 shots", "b, 5 shots", "longest", "c",
    ]  # fmt: skip
    assert "options.shots" in compare(folders).settings
