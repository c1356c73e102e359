"""A setting that was not sent is not claimed: by the manifest, the methods, or a protocol."""

from __future__ import annotations

import json

import msgspec
from aiohttp import web

from questions_help import jsonl
from servers import ChatServer
from zhiyin.analysis.summary import protocol_of
from zhiyin.cli import main
from zhiyin.engine.log import read_manifest
from zhiyin.report.methods import methods_paragraph


def refusing(call):
    if "temperature" in call.body:
        told = "Unsupported value: 'temperature' does not support 0.5 with this model."
        body = {"error": {"message": told, "param": "temperature", "code": "unsupported_value"}}
        return web.Response(body=msgspec.json.encode(body), status=400)
    return "Answer: B"


def test_what_was_left_out_is_told_everywhere(tmp_path, capsys) -> None:
    rows = [{"question": f"{n}?", "options": ["C", "D"], "answer": "B"} for n in range(6)]
    path = jsonl(tmp_path / "q.jsonl", *rows)
    run = tmp_path / "run"
    with ChatServer(refusing) as server:
        call = ["run", str(path), "-m", server.spec, "--out", str(run), "--quiet"]
        call += ["--temperature", "0.5", "--top-p", "0.9"]
        assert main([*call, "--limit", "3"]) == 0
        assert "left out, for the server refuses it: temperature" in capsys.readouterr().out
        manifest = read_manifest(run)
        assert manifest.config["sampling"]["temperature"] == 0.5
        assert manifest.sampling["temperature"] is None
        assert manifest.sampling["top_p"] == 0.9
        assert "top-p 0.9" in methods_paragraph([run])
        assert "temperature" not in methods_paragraph([run])
    with ChatServer(lambda call: "Answer: B") as lenient:  # takes it; the log holds both
        lines = (run / "run.json").read_text().replace(server.spec, lenient.spec)
        (run / "run.json").write_text(lines)
        call[3] = lenient.spec
        assert main(call) == 0
    assert read_manifest(run).left_out() == ["temperature"]
    records = [json.loads(line) for line in (run / "records.jsonl").read_text().splitlines()]
    told = [r["exchange"]["turns"][0]["reply"]["detail"].get("left_out") for r in records]
    assert told == [["temperature"]] * 3 + [None] * 3


def test_a_protocol_is_not_followed_where_its_decoding_was_left_out() -> None:
    from zhiyin.contract.protocols import protocols_of
    from zhiyin.contract.registry import find
    from zhiyin.engine.log import Manifest

    protocol = protocols_of(find("perception"))["muse"]
    sampling = {"temperature": protocol.usual()["temperature"]}
    manifest = Manifest("perception", "m", {"sampling": sampling}, {"protocol": protocol.name}, 1)
    before = protocol_of(manifest).departures
    manifest.left_out("temperature")
    after = protocol_of(manifest).departures
    assert len(after) == len(before) + 1
    assert any("temperature" in clause for clause in after)
