"""`zhiyin export` and the frame: nothing lost, nothing invented, readable by the others."""

import csv
import json
import zipfile
from pathlib import Path

import numpy as np
import pytest
import soundfile

from findings_help import answered, choice, failed, fidelity_records, student, write_run
from published_help import declare
from zhiyin.cli import main
from zhiyin.plugins.lab.export import export
from zhiyin.record import Turn
from zhiyin.sound import audio_part
from zhiyin.trial import say


@pytest.fixture
def run(tmp_path):
    asked = [
        choice(f"a/{i}", groups=("x", "x/y"), cluster="c", tags={"n": i, "p": 0.5})
        for i in range(6)
    ]
    records = [student("m", 0.6)(trial) for trial in asked[:4]]
    records += [failed(asked[4]), answered(asked[5], None, "无法确定")]
    return write_run(tmp_path / "run", "toy", "lab/m", records)


@pytest.fixture
def played(tmp_path):
    path = tmp_path / "secret Gm.wav"
    soundfile.write(path, np.sin(np.arange(8000) / 9), 16000)
    trial = choice("s/1", sound=audio_part(path))
    gone = choice("s/2", sound=audio_part(path).__class__("/nowhere.wav", "0" * 64, 1.0))
    records = [answered(trial, "A"), answered(gone, "B")]
    return write_run(tmp_path / "played", "toy", "m", records)


def test_the_frame_holds_a_row_a_trial(run):
    pytest.importorskip("polars")
    from zhiyin.runs.frames import read_frame

    frame = read_frame([run, run])
    assert frame.height == 12
    first = frame.row(0, named=True)
    assert first["groups"] == ["x", "x/y"]
    assert (first["tag.n"], first["tag.p"]) == (0, 0.5)
    assert first["usage.prompt_tokens"] == 80
    assert frame["score"].null_count() == 2
    assert frame.filter(state="error")["error"].to_list() == ["the server said 500"] * 2
    assert json.loads(first["options"])[0] == ["A", "a/0 says A", "A"]


def test_tags_of_several_types_become_text(tmp_path):
    pytest.importorskip("polars")
    from zhiyin.runs.frames import read_frame

    values = [1, "two", None, True]
    records = [answered(choice(f"q{i}", tags={"v": v}), "A") for i, v in enumerate(values)]
    frame = read_frame([write_run(tmp_path / "r", "toy", "m", records)])
    assert frame["tag.v"].to_list() == ["1", "two", None, "true"]


@pytest.mark.parametrize("kind", ["parquet", "csv"])
def test_tables_come_back_as_they_were(run, tmp_path, kind, capsys):
    polars = pytest.importorskip("polars")
    out = tmp_path / "deep" / f"x.{kind}"
    assert main(["export", str(run), "--to", kind, "-o", str(out)]) == 0
    read = polars.read_parquet(out) if kind == "parquet" else polars.read_csv(out)
    assert read["id"].to_list() == [f"a/{i}" for i in range(6)]
    assert read["reply"][5] == "无法确定"
    if kind == "csv":
        with out.open(encoding="utf-8", newline="") as file:
            assert json.loads(next(csv.DictReader(file))["groups"]) == ["x", "x/y"]


def test_an_inspect_log_has_every_sample_and_its_sound(played, tmp_path, capsys):
    out = tmp_path / "log.eval"
    assert main(["export", str(played), "--to", "inspect", "-o", str(out)]) == 0
    assert "1 sounds left out" in capsys.readouterr().err
    with zipfile.ZipFile(out) as archive:
        assert archive.testzip() is None
        sample = json.loads(archive.read("samples/s/1_epoch_1.json"))
        missing = json.loads(archive.read("samples/s/2_epoch_1.json"))
        header = json.loads(archive.read("header.json"))
        assert b"secret" not in archive.read("samples/s/1_epoch_1.json")
    name = sample["input"][0]["content"][0]["audio"].removeprefix("attachment://")
    assert sample["attachments"][name].startswith("data:audio/wav;base64,")
    assert "sound not found" in missing["input"][0]["content"][0]["text"]
    assert header["results"]["scores"][0]["metrics"]["accuracy"]["value"] == 0.5
    assert header["status"] == "success"


@pytest.mark.slow
@pytest.mark.xdist_group("inspect")
def test_inspect_reads_it_back(run, played, tmp_path):
    log = pytest.importorskip("inspect_ai.log")
    for folder, name in ((run, "a"), (played, "b")):
        assert (
            main(["export", str(folder), "--to", "inspect", "-o", str(tmp_path / f"{name}.eval")])
            == 0
        )
    found = log.read_eval_log(str(tmp_path / "a.eval"))
    assert found.results.completed_samples == 5
    assert [s.scores["zhiyin"].value for s in found.samples if s.scores][-1] == "N"
    assert found.samples[4].error.message == "the server said 500"
    assert found.stats.model_usage["lab/m"].input_tokens == 4 * 80
    assert len(log.read_eval_log_sample_summaries(str(tmp_path / "a.eval"))) == 6
    heard = log.read_eval_log(str(tmp_path / "b.eval"), resolve_attachments=True).samples[0]
    assert heard.input[0].content[0].audio.startswith("data:audio/wav;base64,UklGR")


def test_a_whole_conversation_is_told(tmp_path):
    record = fidelity_records(1)[0]
    again = Turn(record.exchange.final, (say("user", "repair this"),), "repair")
    record.exchange.turns = (*record.exchange.turns, again)
    out = tmp_path / "log.eval"
    run = write_run(tmp_path / "r", "perception", "m", [record])
    assert main(["export", str(run), "--to", "inspect", "-o", str(out)]) == 0
    with zipfile.ZipFile(out) as archive:
        name = next(n for n in archive.namelist() if n.startswith("samples/"))
        sample = json.loads(archive.read(name))
    assert [m["role"] for m in sample["messages"]] == ["user", "assistant", "user", "assistant"]
    assert sample["messages"][2]["content"] == "repair this"


def test_the_hubs_metadata_name_the_figure_and_how_it_came(tmp_path, capsys, monkeypatch):
    yaml = pytest.importorskip("yaml")
    asked = [choice(f"q{i}", groups=("comprehension",)) for i in range(20)]
    declare(monkeypatch, "ziqi", asked)
    run = write_run(tmp_path / "r", "ziqi", 'a "quoted": model', map(student("m", 0.7), asked))
    out = tmp_path / "hub"
    assert main(["export", str(run), "--to", "hf", "-o", str(out)]) == 0
    results = yaml.safe_load((out / ".eval_results" / "ziqi.yaml").read_text(encoding="utf-8"))
    assert results[0]["dataset"]["id"] == "MYTH-Lab/ZIQI-Eval"
    card = (out / "README.md").read_text(encoding="utf-8")
    front = yaml.safe_load(card.split("---")[1])
    index = front["model-index"][0]
    assert index["name"] == 'a "quoted": model'
    metric = index["results"][0]["metrics"][0]
    assert metric["value"] == results[0]["value"]
    assert metric["args"]["low"] < metric["value"] < metric["args"]["high"]
    assert "robust" in results[0]["notes"]


@pytest.mark.parametrize(
    ("arguments", "words"),
    [(["--to", "excel"], "unknown format 'excel'"), (["--to", "hf"], "takes one run")],
)
def test_bad_input_is_one_line(run, tmp_path, capsys, arguments, words):
    assert main(["export", str(run), str(run), *arguments, "-o", str(tmp_path / "x")]) == 2
    told = capsys.readouterr().err
    assert words in told
    assert told.count("\n") == 1


def test_a_place_that_cannot_be_written_is_one_line(run, tmp_path, capsys):
    (tmp_path / "file").write_text("in the way")
    out = tmp_path / "file" / "x.eval"
    assert main(["export", str(run), "--to", "inspect", "-o", str(out)]) == 2
    assert "cannot write" in capsys.readouterr().err


def test_the_hub_takes_a_part_only_when_told_and_says_so(tmp_path, capsys, monkeypatch):
    asked = [choice(f"q{i}", groups=("comprehension",)) for i in range(21)]
    declare(monkeypatch, "ziqi", asked)
    part = write_run(tmp_path / "r", "ziqi", "m", map(student("m", 0.7), asked[:20]), limit=20)
    out = tmp_path / "hub"
    order = ["export", str(part), "--to", "hf", "-o", str(out)]
    assert main(order) == 2
    told = capsys.readouterr().err
    assert "the first 20 trials only" in told
    assert "--partial" in told
    assert told.count("\n") == 1
    assert not (out / "README.md").exists()
    assert main([*order, "--partial"]) == 0
    for name in ("README.md", ".eval_results/ziqi.yaml"):
        assert "PART OF THE BENCHMARK: the first 20 trials only" in (out / name).read_text("utf-8")


def test_the_hub_refuses_an_unfinished_run(tmp_path, capsys):
    asked = [choice(f"q{i}") for i in range(20)]
    records = [*map(student("m", 0.7), asked[:19]), failed(asked[19])]
    run = write_run(tmp_path / "r", "ziqi", "m", records)
    assert main(["export", str(run), "--to", "hf", "-o", str(tmp_path / "hub")]) == 2
    assert "unfinished: 1 of 20 trials failed" in capsys.readouterr().err


@pytest.mark.parametrize("kind", ["csv", "parquet", "inspect", "hf"])
def test_a_file_that_is_there_is_left_alone(tmp_path, capsys, monkeypatch, kind):
    declare(monkeypatch, "ziqi", [choice("q")])
    run = write_run(tmp_path / "r", "ziqi", "m", [answered(choice("q"), "A")])
    mine = tmp_path / "out" / "README.md"
    mine.parent.mkdir()
    mine.write_text("mine")
    out = mine.parent if kind == "hf" else mine
    assert main(["export", str(run), "--to", kind, "-o", str(out)]) == 2
    assert "is there already" in capsys.readouterr().err
    assert mine.read_text() == "mine"
    assert list(mine.parent.iterdir()) == [mine]


@pytest.mark.slow
@pytest.mark.xdist_group("inspect")
def test_an_inspect_log_holds_each_sound_once(tmp_path):
    """It grew with the trials: 494 MB for 300 of them on 20 clips."""
    noise, sounds = np.random.default_rng(0), []
    for number in range(4):
        path = tmp_path / f"{number}.wav"
        soundfile.write(path, noise.uniform(-0.5, 0.5, 32000), 16000)
        sounds.append(audio_part(path))
    records = [answered(choice(f"s/{i}", sound=sounds[i % 4]), "A") for i in range(60)]
    run = write_run(tmp_path / "run", "toy", "m", records)
    done = export([run], "inspect", tmp_path / "x.eval")
    clips = sum(Path(sound.path).stat().st_size for sound in sounds)
    assert clips < done.files[0].stat().st_size < 1.5 * clips
    assert "56 times" in done.notes[0]
    with zipfile.ZipFile(done.files[0]) as archive:
        samples = [json.loads(archive.read(f"samples/s/{i}_epoch_1.json")) for i in range(60)]
    assert [len(sample["attachments"]) for sample in samples] == [1] * 4 + [0] * 56
    parts = [sample["input"][-1]["content"] for sample in samples]
    assert all(any(part["type"] == "audio" for part in content) for content in parts[:4])
    assert {"type": "text", "text": "[the sound that sample s/1 holds]"} in parts[5]
    log = pytest.importorskip("inspect_ai.log")
    heard = log.read_eval_log(str(done.files[0]), resolve_attachments=True).samples
    assert len(heard) == 60
