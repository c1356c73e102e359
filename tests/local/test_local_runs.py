"""Whole runs of tiny checkpoints, and what is wrong with a checkpoint told in one line."""

import asyncio
import importlib.util
import json
import os
import re
import shutil
import sys
from pathlib import Path

import pytest

from said_help import texts
from zhiyin.cli import main
from zhiyin.contract.settings import RunSettings
from zhiyin.engine.folder import read_manifest, read_records
from zhiyin.engine.runner import Limits
from zhiyin.errors import InputError, adding
from zhiyin.models import open_model
from zhiyin.models.playback import SoundPolicy
from zhiyin.session import running as session
from zhiyin.trial import Message, Text, Trial

torch = pytest.importorskip("torch", reason="torch is not installed (extra hf)")

from local_help import OPTIONS, TOKENS, checkpoints, clips, in_its_own_process  # noqa: E402

pytestmark = [
    pytest.mark.slow,
    pytest.mark.xdist_group("torch"),  # one process: torch is slow to import
]


def questions(tmp_path: Path) -> Path:
    rows = []
    for n in range(3):
        shutil.copy(clips(2, 220 + 110 * n).path, tmp_path / f"{n}.wav")
        rows.append(
            {
                "id": f"q{n}", "question": f"What is heard in number {n}?", "audio": f"{n}.wav",
                "options": ["a fugue", "a mass", "a march"], "answer": "a mass",
            }
        )  # fmt: skip
    path = tmp_path / "questions.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


class TwoSounds:
    """A benchmark whose trials play two sounds each."""

    @staticmethod
    def make():
        from zhiyin.contract.benchmark import Benchmark, NoSettings

        class Pairs(Benchmark):
            name = "pairs-of-sounds"

            def trials(self):
                for n in range(2):
                    first, second = clips(2, 220 + n), clips(3.3, 440 + n)
                    said = Message("user", (first, Text("or"), second, Text("Which is higher?")))
                    yield Trial(f"p{n}", (said,), "Which is higher?", OPTIONS[:2], "A")

        return Pairs(NoSettings())


def carry_out(benchmark, model, out, sound=None, **more):
    order = RunSettings(
        benchmark, model, {}, TOKENS, None, str(out), Limits(0, 60.0, 0), sound or SoundPolicy(),
        **more,
    )  # fmt: skip
    return asyncio.run(session.carry_out(order))


def test_two_clips_are_refused_before_the_run_by_a_model_that_takes_one(tmp_path, monkeypatch):
    from zhiyin.plugins.local import hf

    monkeypatch.setattr(hf.HfModel, "load", lambda self: pytest.fail("the model was loaded"))
    spec = f"hf:{checkpoints('audio_flamingo3')}"
    with pytest.raises(InputError, match=r"plays 2 sounds, and the model takes 1: .*--join-clips"):
        carry_out(TwoSounds.make(), spec, tmp_path / "run")
    assert not (tmp_path / "run").exists()


def test_clips_are_joined_where_that_is_asked_for(tmp_path):
    spec = f"hf:{checkpoints('audio_flamingo3')}"
    result = carry_out(
        TwoSounds.make(), spec, tmp_path / "run", SoundPolicy(join=0.5), score="loglikelihood"
    )
    assert result.summary.states["error"] == 0
    for record in read_records(tmp_path / "run"):
        detail = record.exchange.final.detail
        assert detail["joined"]["spans_s"] == [[0.0, 2.0], [2.5, 5.8]]
        assert detail["audio_seconds"] == pytest.approx(5.8, abs=0.01)
        assert detail["audio_seconds_heard"] == pytest.approx(5.8, abs=0.05)
        assert len(record.trial.messages[0].parts) == 4, "the trial is logged as it was made"
    assert any("joined into one" in remark for remark in texts(result.summary.remarks))
    assert read_manifest(tmp_path / "run").config["sound"]["join"] == 0.5


def test_sound_for_a_model_of_text_is_refused_before_the_run(tmp_path):
    with pytest.raises(InputError, match="plays sound, and the model takes none"):
        carry_out(TwoSounds.make(), f"hf:{checkpoints('text')}", tmp_path / "run")


def test_a_run_from_the_command_line_goes_on_and_knows_its_checkpoint(tmp_path, capsys):
    here = tmp_path / "checkpoint"
    shutil.copytree(checkpoints("qwen2_audio"), here)
    path = questions(tmp_path)
    order = [
        "run", str(path), "-m", f"hf:{here},batch=2", "--out", str(tmp_path / "run"),
        "--max-tokens", "4", "--quiet", "--score", "loglikelihood",
    ]  # fmt: skip
    assert main([*order, "--limit", "2"]) == 0
    assert main(order) == 0
    shown = capsys.readouterr().out
    assert "By log-probability of the options" in shown
    manifest = read_manifest(tmp_path / "run")
    assert manifest.decoding["dtype"] == "float32"
    assert manifest.decoding["architecture"] == "qwen2_audio"
    assert manifest.decoding["revision"] is None
    assert [session.asked for session in manifest.sessions] == [2, 1]
    for record in read_records(tmp_path / "run"):
        noted = record.exchange.notes["loglikelihood"]
        assert set(noted) == {"letter", "text", "letter_prior", "text_prior"}
        assert set(noted["text"]) == {"A", "B", "C"}
        assert all(value < 0 for numbers in noted.values() for value in numbers.values())
        assert "loglikelihood.text-prior" in record.verdict.scores
    # Other weights under the same name are another model.
    weights = here / "model.safetensors"
    data = bytearray(weights.read_bytes())
    data[-100] ^= 1
    weights.write_bytes(bytes(data))
    assert main(order) == 2
    assert "model_data" in capsys.readouterr().err


@pytest.mark.trust
def test_a_second_run_takes_all_replies_from_the_cache(tmp_path, capsys, monkeypatch):
    from zhiyin.plugins.local import hf

    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    here = tmp_path / "checkpoint"
    shutil.copytree(checkpoints("qwen2_audio"), here)
    settings = json.loads((here / "generation_config.json").read_text())
    # Some of the bytes end a reply: a tiny model never says the one that should.
    settings["eos_token_id"] = list(range(0, 256, 9))
    (here / "generation_config.json").write_text(json.dumps(settings))
    calls: list[str] = []
    generate = hf.HfModel.generate

    def counted(self, messages, sampling, trial):
        calls.append(trial.id)
        return generate(self, messages, sampling, trial)

    monkeypatch.setattr(hf.HfModel, "generate", counted)
    found = []
    for name, batch in (("one", 1), ("two", 3)):
        order = [
            "run", str(questions(tmp_path)), "-m", f"hf:{here},batch={batch}", "--max-tokens",
            "400", "--score", "loglikelihood", "--out", str(tmp_path / name), "--quiet",
            "--no-canary", "--cache", "7",
        ]  # fmt: skip
        assert main(order) == 0
        if name == "one":
            assert len(calls) >= 3 * 2 + 1, "questions, options, options without a question"
            calls.clear()
        records = sorted(read_records(tmp_path / name), key=lambda record: record.id)
        for record in records:
            for turn in record.exchange.turns:
                assert turn.reply.finish == "stop"
                assert turn.reply.detail.pop("cached", False) == (name == "two")
                assert bool(turn.reply.detail.pop("kept_by", "")) == (name == "two")
                turn.reply.detail.pop("kept_at", None)
                turn.reply.latency_s = None
        found.append(records)
    assert calls == []
    assert found[0] == found[1]
    cost = json.loads((capsys.readouterr(), main(["show", str(tmp_path / "two"), "--json"]),
                       capsys.readouterr())[2].out)["cost"]  # fmt: skip
    assert (cost["calls"], cost["cached"]) == (0, 3)


@in_its_own_process
def test_ctrl_c_in_the_middle_of_a_reply_ends_the_run_cleanly(tmp_path):
    import signal
    import subprocess
    import time

    import warm

    path = questions(tmp_path)
    order = [
        "run", str(path), "-m", f"hf:{checkpoints('qwen2_audio')},batch=1",
        "--out", str(tmp_path / "run"),
        "--max-tokens", "100000", "--quiet", "--concurrency", "2", "--no-canary",
    ]  # fmt: skip
    running = warm.Started(
        order, stdout=subprocess.PIPE, stderr=subprocess.PIPE, modules=("torch", "transformers")
    )
    end = time.monotonic() + 120
    while not (tmp_path / "run" / "run.json").exists() and time.monotonic() < end:
        assert running.poll() is None, running.communicate()
        time.sleep(0.1)
    time.sleep(1)
    running.send_signal(signal.SIGINT)
    time.sleep(0.5)
    running.send_signal(signal.SIGINT)  # twice: not to wait for replies in flight
    _, told = running.communicate(timeout=120)
    assert running.returncode == 130, told
    assert "terminate called" not in told
    assert "Traceback" not in told


def test_a_limit_refuses_what_would_be_cut(tmp_path):
    spec = f"hf:{checkpoints('qwen2_audio')}"
    with pytest.raises(InputError, match="the model takes 3 s"):
        carry_out(TwoSounds.make(), spec, tmp_path / "run", SoundPolicy(limit=3.0))


# What is wrong with a checkpoint is one line


def why(spec: str) -> str:
    model = open_model(spec)

    def look():
        model.fingerprint()
        assert model.family
        asyncio.run(model.check())

    with pytest.raises(InputError) as caught:
        look()
    told = str(caught.value)
    assert "\n" not in told
    return told


def test_a_folder_that_is_no_checkpoint(tmp_path):
    assert "no config.json" in why(f"hf:{tmp_path}")
    (tmp_path / "config.json").write_text("{}")
    assert "cannot be loaded" in why(f"hf:{tmp_path}")
    (tmp_path / "config.json").write_text('{"model_type": "no-such-thing"}')
    assert "no-such-thing" in why(f"hf:{tmp_path}")


def test_a_repository_that_cannot_be_had():
    assert "hub" in why("hf:nobody/has-this-model")


@pytest.mark.trust  # torch and transformers are imported for it alone
@in_its_own_process
def test_a_repository_is_fixed_to_its_commit(tmp_path):
    import subprocess

    commit, cache = "0123456789abcdef0123456789abcdef01234567", tmp_path / "cache"
    here = cache / "models--someone--tiny"
    shutil.copytree(checkpoints("text"), here / "snapshots" / commit)
    (here / "refs").mkdir()
    (here / "refs" / "main").write_text(commit)
    rows = {"id": "q", "question": "Which?", "options": ["a", "b"], "answer": "a"}
    (tmp_path / "q.jsonl").write_text(json.dumps(rows) + "\n")
    done = subprocess.run(
        [
            sys.executable, "-m", "zhiyin", "run", "q.jsonl", "-m", "hf:someone/tiny", "--out",
            "run", "--max-tokens", "3", "--quiet",
        ],
        cwd=tmp_path, capture_output=True, text=True,
        env=os.environ | {"HF_HUB_CACHE": str(cache), "HF_HUB_OFFLINE": "1"},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    manifest = read_manifest(tmp_path / "run")
    assert manifest.decoding["revision"] == commit
    assert manifest.model == "hf:someone/tiny"
    assert len(manifest.config["model_data"]) == 64


def test_weights_that_are_missing_are_never_random(tmp_path):
    from safetensors.torch import load_file, save_file

    here = tmp_path / "c"
    shutil.copytree(checkpoints("text"), here)
    weights = load_file(here / "model.safetensors")
    kept = {name: value for name, value in weights.items() if "q_proj" not in name}
    save_file(kept, here / "model.safetensors", {"format": "pt"})
    assert "they would be random" in why(f"hf:{here}")


def test_a_checkpoint_that_writes_nothing_is_told(tmp_path):
    here = tmp_path / "c"
    shutil.copytree(checkpoints("text"), here)
    config = json.loads((here / "config.json").read_text())
    config |= {"model_type": "vit", "architectures": ["ViTForImageClassification"]}
    (here / "config.json").write_text(json.dumps(config))
    told = why(f"hf:{here}")
    assert "has no class for 'vit'" in told or "cannot be loaded" in told


def test_a_gpu_that_is_not_there():
    many = torch.cuda.device_count()
    here = "no GPUs are here" if not many else "1 GPU is here" if many == 1 else "GPUs are here"
    assert here in why(f"hf:{checkpoints('text')},device=cuda:{many + 2}")
    assert "write cpu, cuda" in why(f"hf:{checkpoints('text')},device=tpu")
    assert "write cpu, cuda" in why(f"hf:{checkpoints('text')},device=cuda:x")


def test_a_torchvision_that_does_not_fit_is_named(monkeypatch):
    import transformers

    def broken(*args, **more):
        raise RuntimeError("operator torchvision::nms does not exist")

    monkeypatch.setattr(transformers.AutoConfig, "from_pretrained", broken)
    assert "do not fit this torch" in why(f"hf:{checkpoints('text')}")


@pytest.mark.parametrize("package", ["torch", "transformers"])
def test_a_missing_package_is_named(package, monkeypatch, tmp_path):
    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name, *a: None if name == package else real(name, *a)
    )
    with pytest.raises(InputError, match=re.escape(f"{package} is not installed: {adding('hf')}")):
        open_model(f"hf:{tmp_path}")


def test_opening_a_checkpoint_imports_neither_torch_nor_transformers():
    import subprocess

    code = (
        "import sys; from zhiyin.models import open_model; "
        f"open_model('hf:{checkpoints('text')}'); "
        "print([m for m in ('torch', 'transformers') if m in sys.modules])"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_the_doctor_limits_the_replies_of_a_model_on_this_machine(tmp_path, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    spec = f"hf:{checkpoints('text')},device=cpu"
    main(["doctor", spec, "--quick", "--json"])
    used = json.loads(capsys.readouterr().out)["used"]
    assert used["calls"] == 5
    assert 0 < used["output"] <= 5 * 64
    main(["doctor", spec, "--quick", "--max-tokens", "4"])
    said = capsys.readouterr()
    told = " ".join(said.err.split())
    assert "it costs nothing; replies end after 4 tokens (--max-tokens)" in told
