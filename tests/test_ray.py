"""Workers on a Ray cluster: a lost actor, node or driver leaves no trace in the log."""

import importlib.util
import os
import re
import signal
import subprocess
import sys
import time

import msgspec
import pytest

from conftest import REPOSITORY
from ziqi_layout import write_ziqi

if importlib.util.find_spec("ray") is None:
    pytest.skip("ray is not installed (extra ray)", allow_module_level=True)

os.environ["RAY_AUTH_MODE"] = "disabled"  # else a token is written into the home folder
os.environ["RAY_USAGE_STATS_ENABLED"] = "0"
pytestmark = pytest.mark.xdist_group("ray")

MODEL = """
import hashlib, os, time
def answer(prompt):
    time.sleep(float(os.environ.get("PAUSE", "0.02")))
    return "ABCD"[hashlib.sha256(str(prompt).encode()).digest()[0] % 4]
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A folder with data and a model, and the log of a run on this machine alone."""
    folder = tmp_path_factory.mktemp("ray")
    write_ziqi(folder / "ziqi", 25)
    (folder / "model.py").write_text(MODEL)
    assert run(folder, "alone").wait(120) == 0
    return folder


@pytest.fixture(scope="module")
def cluster():
    """Three nodes; the head has room for no worker."""
    from ray.cluster_utils import Cluster

    from zhiyin.models.on_ray.crew import HEALTH

    made = Cluster(
        initialize_head=True,
        head_node_args={"num_cpus": 0, "include_dashboard": False, "_system_config": HEALTH},
    )
    yield made
    made.shutdown()


def run(folder, name, *words, **environment):
    command = [sys.executable, "-m", "zhiyin", "run", "ziqi", "--data", str(folder / "ziqi")]
    command += ["-m", f"python:{folder / 'model.py'}:answer", "--out", str(folder / name)]
    return subprocess.Popen(
        [*command, "--quiet", "--json", *map(str, words)],
        stdout=subprocess.DEVNULL,
        stderr=(folder / f"{name}.err").open("w"),
        env={**os.environ, **environment},
    )


def records(folder):
    """The records of a run by id, times aside."""
    lines = (folder / "records.jsonl").read_bytes().splitlines()
    found = [msgspec.json.decode(line) for line in lines]
    for record in found:
        for turn in record["exchange"]["turns"]:
            turn["reply"].pop("latency_s", None)
    by_id = {record["id"]: record for record in found}
    assert len(by_id) == len(found), "a trial is in the log twice"
    return by_id


def reach(folder, count, process):
    """Wait until so many records are there."""
    log = folder / "records.jsonl"
    for _ in range(3000):
        if log.exists() and log.read_bytes().count(b"\n") >= count:
            return
        assert process.poll() is None, "the run ended too early"
        time.sleep(0.02)
    raise AssertionError("the run does not come on")


def test_a_lost_node_and_a_lost_driver_leave_no_trace(desk, cluster):
    first, second = (cluster.add_node(num_cpus=2) for _ in range(2))
    words = ["--ray", cluster.address, "--ray-workers", 4, "--ray-each", 1]
    whole = records(desk / "alone")
    process = run(desk, "killed", *words)
    reach(desk / "killed", 60, process)
    cluster.remove_node(first, allow_graceful=False)
    so_far = len(records(desk / "killed"))
    assert so_far < len(whole) - 60, "the node was removed too late to matter"
    reach(desk / "killed", so_far + 60, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    assert len(records(desk / "killed")) < len(whole), "the driver was killed too late"
    process = run(desk, "killed", *words)
    assert process.wait(120) == 0, (desk / "killed.err").read_text()
    assert records(desk / "killed") == whole
    manifest = msgspec.json.decode((desk / "killed" / "run.json").read_bytes())
    assert len(manifest["sessions"]) == 2
    assert manifest["decoding"]["ray"]["nodes"]
    cluster.remove_node(second, allow_graceful=False)


def test_nothing_left_to_run_on_stops_and_can_be_taken_up(desk, cluster):
    node = cluster.add_node(num_cpus=2)
    words = ["--ray", cluster.address, "--ray-workers", 2, "--ray-each", 1, "--ray-wait", 12]
    process = run(desk, "stopped", *words)
    reach(desk / "stopped", 40, process)
    cluster.remove_node(node, allow_graceful=False)
    assert process.wait(60) == 1
    session = msgspec.json.decode((desk / "stopped" / "run.json").read_bytes())["sessions"][-1]
    told = session["stopped"]
    assert re.search(r"no worker for 12 s.*each wants 1 CPU, and the cluster has 0 CPU", told)
    there = records(desk / "stopped")
    assert not any(record.get("error") for record in there.values())
    assert 40 <= len(there) < len(records(desk / "alone"))
    assert run(desk, "stopped").wait(60) == 0  # here, without a cluster
    assert records(desk / "stopped") == records(desk / "alone")


def test_a_model_that_cannot_be_opened_is_told_before_the_first_trial(desk, cluster):
    node = cluster.add_node(num_cpus=1)
    (desk / "model.py").rename(desk / "away.py")
    try:
        process = run(desk, "none", "--ray", cluster.address, "--ray-workers", 1)
        assert process.wait(60) == 2
    finally:
        (desk / "away.py").rename(desk / "model.py")
        cluster.remove_node(node, allow_graceful=False)
    told = (desk / "none.err").read_text().strip()
    assert "model.py" in told
    assert "Traceback" not in told
    assert not (desk / "none").exists()


def test_the_manifest_for_kubernetes_is_one(desk):
    """Against the fields of RayJob (ray.io/v1) that it uses, as KubeRay's resource has them."""
    import jsonschema
    import yaml

    def objects(required, **properties):
        return {
            "type": "object",
            "properties": properties,
            "required": required,
            "additionalProperties": False,
        }

    text, count = {"type": "string"}, {"type": "integer"}
    params = {"type": "object", "additionalProperties": text}
    amounts = objects([], limits=params, requests=params)
    mount = objects(["name", "mountPath"], name=text, mountPath=text, readOnly={"type": "boolean"})
    container = objects(
        ["name", "image"],
        name=text,
        image=text,
        resources=amounts,
        volumeMounts={"type": "array", "items": mount},
    )
    claim = objects(["claimName"], claimName=text)
    volume = objects(["name"], name=text, persistentVolumeClaim=claim)
    pod = objects(
        ["containers"],
        containers={"type": "array", "items": container, "minItems": 1},
        volumes={"type": "array", "items": volume},
    )
    template = objects(["spec"], spec=pod)
    head = objects(["template"], rayStartParams=params, template=template)
    group = objects(
        ["groupName", "maxReplicas", "minReplicas", "template"],
        groupName=text,
        replicas=count,
        minReplicas=count,
        maxReplicas=count,
        rayStartParams=params,
        template=template,
    )
    cluster = objects(
        ["headGroupSpec"],
        rayVersion=text,
        enableInTreeAutoscaling={"type": "boolean"},
        headGroupSpec=head,
        workerGroupSpecs={"type": "array", "items": group},
    )
    spec = objects(
        ["entrypoint", "rayClusterSpec"],
        entrypoint=text,
        shutdownAfterJobFinishes={"type": "boolean"},
        backoffLimit=count,
        rayClusterSpec=cluster,
    )
    kind = objects(
        ["apiVersion", "kind", "metadata", "spec"],
        apiVersion={"const": "ray.io/v1"},
        kind={"const": "RayJob"},
        metadata=objects(["name"], name=text),
        spec=spec,
    )
    job = yaml.safe_load((REPOSITORY / "docs" / "rayjob.yaml").read_text())
    jsonschema.validate(job, kind)
    assert job["spec"]["rayClusterSpec"]["rayVersion"]
    from zhiyin.cli import Parser
    from zhiyin.cli.run import prepare

    words = job["spec"]["entrypoint"].split()
    assert words[:2] == ["zhiyin", "run"]
    parser = Parser(prog="zhiyin run")
    prepare(parser, words[2:])
    assert parser.parse_args(words[2:]).ray == "auto"


def test_no_cluster_is_one_line(desk):
    process = run(desk, "none", "--ray", "127.0.0.1:1")
    assert process.wait(90) == 2
    told = (desk / "none.err").read_text().strip()
    assert "--ray 127.0.0.1:1: no cluster can be reached" in told.splitlines()[-1]
