"""Benchmarks and models of the user's own as objects, and models in a file."""

import asyncio
import json
from pathlib import Path

import pytest
import test_outside_objects
from test_outside_objects import order

from said_help import texts
from zhiyin import cli, session
from zhiyin.engine.folder import read_manifest

SMALL = Path(__file__).parent.parent / "data" / "ziqi_small"


def test_one_of_ours_is_taken_as_a_class_too(tmp_path):
    from zhiyin.plugins.benchmarks.ziqi.benchmark import Ziqi

    given = {"data": str(SMALL), "partial": True}
    asyncio.run(session.carry_out(order(Ziqi, tmp_path / "run", options=given)))
    assert read_manifest(tmp_path / "run").declared["origin"]["kind"] == "zhiyin"
    assert "published" not in read_manifest(tmp_path / "run").declared


file = test_outside_objects.file


def test_a_fault_of_a_model_is_told(file, tmp_path, capsys):
    command = ["run", "ziqi", "--data", str(SMALL), "--partial", "--limit", "2", "--json"]
    command += ["--retries", "0", "-m", f"python:{file}:Fails", "--out", str(tmp_path / "run")]
    assert cli.main(command) == 1
    told = json.loads(capsys.readouterr()[0])
    (cause,) = told["failures"]
    assert "raised IndexError" in cause


def examined(spec, folder):
    command = ["run", "ziqi", "--data", str(SMALL), "--partial", "--limit", "2", "--json"]
    return cli.main([*command, "-m", spec, "--out", str(folder)])


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("NoServer", "its `check` raised RuntimeError: no such device"),
        ("NoIdentity", "its `identity` raised RuntimeError"),
        ("NoMark", "its `fingerprint` raised RuntimeError"),
        ("OddIdentity", "its `identity` returned dict: return a dict of texts and numbers"),
        ("OddMark", "its `fingerprint` returned int: return a str"),
        ("NoCapabilities", "its `capabilities` raised ZeroDivisionError"),
    ],
)
def test_a_fault_before_the_run_is_one_line(file, tmp_path, capsys, name, why):
    assert examined(f"python:{file}:{name}", tmp_path / "run") == 2
    assert why in capsys.readouterr().err


def test_a_fault_after_the_run_does_not_cost_it(file, tmp_path, capsys, caplog):
    assert examined(f"python:{file}:After", tmp_path / "run") == 0
    told = json.loads(capsys.readouterr()[0])
    assert told["trials"] == 2
    assert "its `report` raised RuntimeError: no such device" in texts(told["remarks"])[-1]
    assert "its `close` raised RuntimeError" in caplog.text
    decoding = read_manifest(tmp_path / "run").decoding
    assert decoding["describe"] == "raised RuntimeError: no such device"


def test_a_report_of_one_line_is_one_remark(file, tmp_path, capsys):
    assert examined(f"python:{file}:Line", tmp_path / "run") == 0
    assert "the GPU was warm" in texts(json.loads(capsys.readouterr()[0])["remarks"])
