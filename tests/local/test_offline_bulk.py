"""Questions asked in bulk through Ray Data: ended anywhere, the same command asks for the rest."""

import importlib.util
import os
import shutil
import signal
import subprocess
import sys
import time

import msgspec
import pytest

from zhiyin.cli import main
from ziqi_layout import write_ziqi

if importlib.util.find_spec("ray") is None:
    pytest.skip("ray is not installed (extra ray)", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]

MODEL = """
import hashlib, os, time
from pathlib import Path
def answer(prompt):
    time.sleep(float(os.environ.get("PAUSE", "0")))
    n = hashlib.sha256(str(prompt).encode()).digest()
    if n[1] < 40 and not Path(__file__).with_name("mended").exists():
        raise ValueError("out of tune")
    return "ABCD"[n[0] % 4]
"""


def zhiyin(*words, **environment):
    return subprocess.Popen(
        [sys.executable, "-m", "zhiyin", *map(str, words)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={
            **os.environ,
            "RAY_AUTH_MODE": "disabled",
            "RAY_USAGE_STATS_ENABLED": "0",
            **environment,
        },
    )


def ended(process, status):
    out, err = process.communicate(timeout=150)
    assert process.returncode == status, err
    assert "Traceback" not in err
    return out, err


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    folder = tmp_path_factory.mktemp("bulk")
    write_ziqi(folder / "ziqi", 25)
    (folder / "model.py").write_text(MODEL)
    words = ["trials", "ziqi", "--data", folder / "ziqi", "--out", folder / "asked"]
    assert main([*map(str, words)]) == 0
    return folder


def answers(desk):
    lines = (desk / "asked" / "answers.jsonl").read_bytes().split(b"\n")
    return [msgspec.json.decode(line)["id"] for line in lines[:-1]]


@pytest.mark.trust
def test_killed_and_failed_and_asked_again_all_is_there_once(desk):
    model = f"python:{desk / 'model.py'}:answer"
    words = ["batch", desk / "asked", "-m", model, "--block", 4, "--ray-workers", 2]
    words += ["--ray-cpus", 0.1]
    log = desk / "asked" / "answers.jsonl"
    process = zhiyin(*words, PAUSE="0.1")
    for _ in range(4000):
        if log.exists() and log.read_bytes().count(b"\n") >= 8:
            break
        assert process.poll() is None, process.communicate()
        time.sleep(0.02)
    process.send_signal(signal.SIGKILL)
    process.communicate()
    with log.open("ab") as file:
        file.write(b'{"id": "to')  # as if it was ended within a line
    planned = (desk / "asked" / "trials.jsonl").read_bytes().count(b"\n")
    assert 8 <= len(answers(desk)) < planned, "killed too late"
    early = answers(desk)

    _, told = ended(zhiyin(*words, "--out", desk / "run"), 1)
    assert "out of tune" in told
    assert "the same command asks them again" in told
    assert answers(desk)[: len(early)] == early
    assert not (desk / "run").exists()

    _, told = ended(zhiyin("batch", desk / "asked", "-m", "first"), 2)
    assert "holds answers of python:" in told

    (desk / "mended").touch()
    ended(zhiyin(*words, "--out", desk / "run"), 0)
    assert len(answers(desk)) == len(set(answers(desk))) == planned

    alone = zhiyin("run", "ziqi", "--data", desk / "ziqi", "-m", model, "--out", desk / "alone")
    ended(alone, 0)

    def verdicts(run):
        lines = (desk / run / "records.jsonl").read_bytes().splitlines()
        found = map(msgspec.json.decode, lines)
        return {one["id"]: one["verdict"] for one in found}

    assert verdicts("run") == verdicts("alone")


def test_what_cannot_be_asked_is_told_in_a_line(desk, tmp_path, ray_cluster, capsys):
    def told(folder, *words):
        assert main([*map(str, ["batch", folder, "-m", *words])]) == 2
        return capsys.readouterr().err

    shutil.copytree(desk / "asked", tmp_path / "q", ignore=shutil.ignore_patterns("answers.*"))
    assert "no questions to ask" in told(tmp_path, "first")
    assert "--ray-gpus 1" in told(tmp_path / "q", "vllm:x")
    node = ray_cluster.add_node(num_cpus=1)
    here = ["--ray", ray_cluster.address, "--ray-workers", 1]
    try:
        no_room = told(tmp_path / "q", "first", *here, "--ray-gpus", 1)
        assert "no node has room for a worker" in no_room
        assert "gone.py" in told(tmp_path / "q", "python:gone.py:f", *here)
    finally:
        ray_cluster.remove_node(node, allow_graceful=False)


class Stages:
    """`ray.data.llm` as far as it is used: what surrounds the engine is Ray's, the engine is not.

    Columns are carried to the end; a row that fails has ``__inference_error__`` and goes by the
    last function.
    """

    def __init__(self) -> None:
        self.config, self.more = {}, {}

    def vLLMEngineProcessorConfig(self, **settings):
        self.config = settings
        return settings

    def build_processor(self, config, preprocess, postprocess, builder_kwargs=None):
        self.more = builder_kwargs

        def one(row):
            data = {**row, **preprocess(row)}
            words = " ".join(message["content"] for message in data["messages"])
            if "break" in words:
                return {**data, "__inference_error__": "ValueError: too\nlong"}
            most = data["sampling_params"]["max_tokens"]
            told = {"generated_text": f" <think>{words}</think>B ", "num_generated_tokens": most}
            return postprocess({**data, **told})

        return lambda rows: [one(row) for row in rows]


def line_of(name, text, **settings):
    content = [{"type": "text", "text": "Which?"}, {"type": "text", "text": text}]
    messages = [{"role": "user", "content": content}]
    return msgspec.json.encode({"id": name, "messages": messages, "settings": settings})


def test_text_goes_through_the_stages_of_ray_data_where_a_gpu_is(monkeypatch):
    from zhiyin.plugins.local.on_ray import Cluster
    from zhiyin.plugins.local.on_ray import bulk as engine

    stages, gpu = Stages(), Cluster("auto", gpus=1)
    installed = {"vllm", "ray.data.llm"}
    monkeypatch.setattr(engine.importlib.util, "find_spec", lambda name: name in installed or None)
    monkeypatch.setattr(engine.importlib, "import_module", lambda name: stages)
    told = {"temperature": 0.5, "max_tokens": 7, "seed": 1, "thinking": "off"}
    lines = [line_of("a", "one", **told), line_of("b", "break", **told)]
    assert engine.suits("vllm:org/some,gpus=2", gpu, lines)
    made = engine.processor("vllm:org/some,gpus=2,memory=80", gpu, 3, 16, "off")
    rows = made([{"line": line} for line in lines])
    found = [msgspec.json.decode(engine.answered(row)) for row in rows]
    assert found[0]["id"] == "a"
    assert found[0]["reply"]["text"] == "B"
    assert found[0]["reply"]["finish"] == "length"
    assert found[1] == {"id": "b", "reply": None, "error": "ValueError: too long", "fatal": False}
    assert stages.config["model_source"] == "org/some"
    assert stages.config["concurrency"] == 3
    assert stages.config["engine_kwargs"]["tensor_parallel_size"] == 2
    assert stages.config["engine_kwargs"]["gpu_memory_utilization"] == 0.8
    assert stages.more == {"chat_template_kwargs": {"enable_thinking": False}}
    sampling = engine.before({"line": lines[0]})["sampling_params"]
    assert sampling == {"temperature": 0.5, "seed": 1, "max_tokens": 7}

    # Whatever the stages would do otherwise than a run does goes to a worker of ours.
    assert not engine.suits("vllm:org/some", Cluster("auto"), lines)
    assert not engine.suits("hf:org/some", gpu, lines)
    assert not engine.suits("vllm:org/some", gpu, [line_of("a", "one")])
    other = line_of("c", "one", **told | {"thinking": "on"})
    assert not engine.suits("vllm:org/some", gpu, [*lines, other])
    sound = msgspec.json.decode(lines[0])
    sound["messages"][0]["content"].append({"type": "audio", "path": "media/a.wav"})
    assert not engine.suits("vllm:org/some", gpu, [msgspec.json.encode(sound)])
    installed.clear()
    assert not engine.suits("vllm:org/some", gpu, lines)
