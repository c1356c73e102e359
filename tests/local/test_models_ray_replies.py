"""Kept replies of a model on Ray's workers, and a Ray that does not start."""

import importlib.util

import pytest

from zhiyin.cli import main
from zhiyin.engine.folder import read_records
from ziqi_layout import write_ziqi

if importlib.util.find_spec("ray") is None:
    pytest.skip("ray is not installed (extra ray)", allow_module_level=True)

pytestmark = pytest.mark.xdist_group("ray")

MODEL = """
from pathlib import Path
from zhiyin.record import Reply

class Mine:
    name, concurrency = "mine", 4

    def identity(self):
        return {"kind": "mine", "weights": 3}

    async def generate(self, messages, sampling, trial):
        with (Path(__file__).parent / "calls").open("a") as calls:
            calls.write(trial.id + "\\n")
        return Reply("ABCD"[len(str(messages)) % 4], latency_s=0.1)

    async def close(self):
        pass
"""


@pytest.mark.slow
def test_kept_replies_are_shared_with_runs_that_are_not_on_ray(ray_cluster, tmp_path, monkeypatch):
    monkeypatch.setenv("ZHIYIN_CACHE", str(tmp_path / "cache"))
    write_ziqi(tmp_path / "ziqi", 6)
    (tmp_path / "mine.py").write_text(MODEL)
    node = ray_cluster.add_node(num_cpus=1)
    on_ray = ["--ray", ray_cluster.address, "--ray-workers", 1]

    def asked(name, *words):
        words = words if "--cache" in words else (*words, "--cache", 7)
        command = [
            "run",
            "ziqi",
            "--data",
            tmp_path / "ziqi",
            "-m",
            f"python:{tmp_path}/mine.py:Mine",
        ]
        more = ["--temperature", 0, "--quiet", "--json", "--out", tmp_path / name, *words]
        assert main([str(word) for word in [*command, *more]]) == 0
        return len((tmp_path / "calls").read_text().splitlines())

    def replies(name):
        found = {record.id: record.exchange.final for record in read_records(tmp_path / name)}
        return {trial: reply.text for trial, reply in found.items()}, [
            bool(reply.detail.get("cached")) for reply in found.values()
        ]

    try:
        assert asked("here", "--limit", 5) == 5
        size = asked("ray", *on_ray)
    finally:
        ray_cluster.remove_node(node, allow_graceful=False)
    texts, cached = replies("ray")
    assert len(texts) == size > 5
    assert sum(cached) == 5
    assert asked("again") == size
    assert replies("again") == (texts, [True] * size)
    assert asked("anew", "--cache", "off") == 2 * size


def test_a_ray_that_does_not_start_in_time_is_one_line(tmp_path, capsys, monkeypatch):
    import ray

    def late(**_):
        raise ray.exceptions.RaySystemError("The node timed out\nduring startup")

    monkeypatch.setattr(ray, "init", late)
    write_ziqi(tmp_path / "ziqi", 2)
    (tmp_path / "mine.py").write_text(MODEL)
    words = ["run", "ziqi", "--data", tmp_path / "ziqi", "-m", f"python:{tmp_path}/mine.py:Mine"]
    assert main([*map(str, words), "--ray", "local", "--out", str(tmp_path / "out")]) == 2
    told = capsys.readouterr().err.strip().splitlines()[-1]
    assert "--ray local: no cluster can be reached" in told
    assert "The node timed out during startup); run it again" in told
    assert not (tmp_path / "out").exists()
