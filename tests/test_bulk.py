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

pytestmark = pytest.mark.xdist_group("ray")

QUIET = {"RAY_AUTH_MODE": "disabled", "RAY_USAGE_STATS_ENABLED": "0"}
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
