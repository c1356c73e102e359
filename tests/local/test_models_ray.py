"""Workers on a Ray cluster: a lost actor, node or driver leaves no trace in the log."""

import importlib.util
import re
import signal
import subprocess
import sys
import time

import msgspec
import pytest

from conftest import REPOSITORY
from zhiyin.cli import main
from ziqi_layout import write_ziqi

if importlib.util.find_spec("ray") is None:
    pytest.skip("ray is not installed (extra ray)", allow_module_level=True)

pytestmark = [pytest.mark.slow, pytest.mark.xdist_group("ray")]

MODEL = """
import hashlib, time
def answer(prompt):
    time.sleep(0.02)
    return "ABCD"[hashlib.sha256(str(prompt).encode()).digest()[0] % 4]
"""


@pytest.fixture(scope="module")
def desk(tmp_path_factory):
    """A folder with data and a model, and the log of a run on this machine alone."""
    folder = tmp_path_factory.mktemp("ray")
    write_ziqi(folder / "ziqi", 25)
    (folder / "model.py").write_text(MODEL)
    assert main(words_of(folder, "alone")) == 0
    return folder


def words_of(folder, name, *words):
    command = [
        "run",
        "ziqi",
        "--data",
        folder / "ziqi",
        "-m",
        f"python:{folder / 'model.py'}:answer",
    ]
    return [*map(str, [*command, "--out", folder / name, "--quiet", "--json", *words])]


def run(folder, name, *words):
    """A run in a process of its own, which may be killed."""
    return subprocess.Popen(
        [sys.executable, "-m", "zhiyin", *words_of(folder, name, *words)],
        stdout=subprocess.DEVNULL,
        stderr=(folder / f"{name}.err").open("w"),
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


def session_of(folder):
    return msgspec.json.decode((folder / "run.json").read_bytes())["sessions"][-1]


@pytest.mark.trust
def test_lost_nodes_and_a_lost_driver_leave_no_trace(desk, ray_cluster):
    """A node goes, the driver goes, then the other node too: it stops, and is ended here."""
    first, second = (ray_cluster.add_node(num_cpus=2) for _ in range(2))
    words = ["--ray", ray_cluster.address, "--ray-workers", 4, "--ray-each", 1, "--ray-wait", 20]
    whole, place = records(desk / "alone"), desk / "killed"
    process = run(desk, "killed", *words)
    reach(place, 40, process)
    ray_cluster.remove_node(first, allow_graceful=False)
    so_far = len(records(place))
    assert so_far < len(whole) - 120, "the node was removed too late to matter"
    reach(place, so_far + 40, process)
    process.send_signal(signal.SIGKILL)
    process.wait()
    so_far = len(records(place))
    assert so_far < len(whole) - 60, "the driver was killed too late"
    process = run(desk, "killed", *words)
    reach(place, so_far + 20, process)
    ray_cluster.remove_node(second, allow_graceful=False)
    assert process.wait(120) == 1, (desk / "killed.err").read_text()
    told = session_of(place)["stopped"]
    assert re.search(r"no worker for 20 s.*each wants 1 CPU, and the cluster has 0 CPU", told)
    there = records(place)
    assert not any(record.get("error") for record in there.values())
    assert so_far + 20 <= len(there) < len(whole)
    manifest = msgspec.json.decode((place / "run.json").read_bytes())
    assert manifest["decoding"]["ray"]["nodes"]
    assert main(words_of(desk, "killed")) == 0  # here, without a cluster
    assert records(place) == whole
    assert len(msgspec.json.decode((place / "run.json").read_bytes())["sessions"]) == 3


@pytest.mark.trust
def test_a_cluster_of_its_own_leaves_the_same_log(desk):
    assert main(words_of(desk, "own", "--ray", "local", "--ray-workers", 1)) == 0
    assert records(desk / "own") == records(desk / "alone")


def test_a_model_that_cannot_be_opened_is_told_before_the_first_trial(desk, ray_cluster, capsys):
    node = ray_cluster.add_node(num_cpus=1)
    gone = str(desk / "model.py"), str(desk / "gone.py")
    words = words_of(desk, "none", "--ray", ray_cluster.address, "--ray-workers", 1)
    try:
        assert main([word.replace(*gone) for word in words]) == 2
    finally:
        ray_cluster.remove_node(node, allow_graceful=False)
    assert "gone.py" in capsys.readouterr().err
    assert not (desk / "none").exists()


def test_the_manifest_for_kubernetes_is_one():
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
    from zhiyin.cli.parser import Parser
    from zhiyin.cli.run import prepare_run

    words = job["spec"]["entrypoint"].split()
    assert words[:2] == ["zhiyin", "run"]
    parser = Parser(prog="zhiyin run")
    prepare_run(parser, words[2:])
    assert parser.parse_args(words[2:]).ray == "auto"


def test_no_cluster_is_one_line(desk, capsys):
    assert main(words_of(desk, "none", "--ray", "127.0.0.1:1")) == 2
    told = capsys.readouterr().err.strip()
    assert "--ray 127.0.0.1:1: no cluster can be reached" in told.splitlines()[-1]
