"""Runs in trackers and calls as spans: read back by the other side's own readers."""

from __future__ import annotations

import csv
import io
import json
import struct
import threading
import time
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest

from servers import MODEL, ChatServer
from zhiyin import cli
from zhiyin.analysis.summary import summarise
from zhiyin.errors import adding
from zhiyin.plugins.lab.trackers import COLUMNS, called, facts_of

RUN = ["run", "bodies", "--n", "1", "--body", "abc", "-m", "first", "--quiet", "--out", "run"]


@pytest.fixture(autouse=True)
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    for name in ("WANDB_MODE", "WANDB_API_KEY", "MLFLOW_TRACKING_URI", "ZHIYIN_REPORTS"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("MLFLOW_DISABLE_TELEMETRY", "true")
    monkeypatch.setenv("WANDB_ERROR_REPORTING", "false")


@pytest.mark.slow
def test_what_is_told_of_a_run_is_what_show_says(monkeypatch: pytest.MonkeyPatch) -> None:
    assert cli.main(RUN) == 0
    run, summary = facts_of(Path("run")), summarise(Path("run"))
    whole = summary.groups["all"]
    assert run.metrics["accuracy"] == whole.accuracy
    assert whole.ci95 is not None
    assert (run.metrics["accuracy_low"], run.metrics["accuracy_high"]) == whole.ci95
    table = {row["group"]: row for row in csv.DictReader(io.StringIO(run.csv))}
    assert table.keys() == summary.groups.keys()
    assert all(float(row["value"]) == summary.groups[g].accuracy for g, row in table.items())
    assert run.settings["benchmark"] == "bodies"
    assert run.settings["options.n"] == "1"
    assert len(run.remarks) == len(summary.warnings), "what limits figures goes with them"
    page = Path("run-report") / "index.html"
    assert facts_of(Path("run"), page).report == page.resolve().as_uri()
    monkeypatch.setenv("ZHIYIN_REPORTS", "https://lab.example/reports/")
    assert facts_of(Path("run"), page).report == "https://lab.example/reports/run-report/index.html"


@pytest.mark.slow
def test_mlflow_keeps_one_run(capsys: pytest.CaptureFixture[str]) -> None:
    mlflow = pytest.importorskip("mlflow")
    pytest.importorskip("sqlalchemy")
    words = [*RUN, "--track", "mlflow"]
    assert cli.main(words) == 0
    assert cli.main(words) == 0, "the same command again"
    assert "kept in mlflow: run" in capsys.readouterr().err
    client = mlflow.MlflowClient()
    experiment = client.get_experiment_by_name("zhiyin")
    (kept,) = client.search_runs([experiment.experiment_id])
    whole = summarise(Path("run")).groups["all"]
    assert kept.data.metrics["accuracy"] == whole.accuracy
    assert kept.data.metrics["accuracy_low"] == whole.ci95[0]  # type: ignore[index]
    assert kept.data.params["options.n"] == "1"
    page = Path("run-report/index.html").resolve()
    assert page.is_file()
    assert kept.data.tags["zhiyin.report"] == page.as_uri()
    assert page.as_uri() in kept.data.tags["mlflow.note.content"]
    table = client.download_artifacts(kept.info.run_id, "figures.csv")
    assert Path(table).read_text() == facts_of(Path("run")).csv


def offline_records(file: Path) -> Iterator[Any]:
    """The records of an offline run: LevelDB's log, blocks of 32 KiB, behind 7 bytes of header."""
    from wandb.proto.wandb_internal_pb2 import Record

    data, at, whole = file.read_bytes(), 7, b""
    while at + 7 <= len(data):
        left = 32768 - at % 32768
        if left < 7:
            at += left
            continue
        size, kind = struct.unpack("<HB", data[at + 4 : at + 7])
        if at + 7 + size > len(data):
            return  # not written to its end yet
        whole += data[at + 7 : at + 7 + size]
        at += 7 + size
        if kind in (1, 4):  # full, last
            yield Record.FromString(whole)
            whole = b""


@pytest.mark.slow
def test_wandb_keeps_a_run_offline(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    pytest.importorskip("wandb")
    monkeypatch.setenv("WANDB_MODE", "offline")
    assert cli.main([*RUN, "--track", "wandb"]) == 0
    assert "kept in wandb: " in capsys.readouterr().err
    (file,) = Path("wandb").glob("offline-run-*/*.wandb")
    deadline = time.monotonic() + 20
    records = list(offline_records(file))  # another process writes it, and may be behind
    while not any(record.HasField("exit") for record in records) and time.monotonic() < deadline:
        time.sleep(0.1)
        records = list(offline_records(file))
    runs = [record.run for record in records if record.HasField("run")]
    assert runs[0].project == "zhiyin"
    assert runs[0].display_name.startswith("bodies, ")
    config = {item.key: json.loads(item.value_json) for item in runs[0].config.update}
    assert config["options.n"] == "1"
    told = {
        item.key or item.nested_key[0]: json.loads(item.value_json)
        for record in records
        if record.HasField("summary")
        for item in record.summary.update
    }
    whole = summarise(Path("run")).groups["all"]
    assert told["accuracy"] == whole.accuracy
    assert told["accuracy_high"] == whole.ci95[1]  # type: ignore[index]
    assert told["report"] == Path("run-report/index.html").resolve().as_uri()
    (table,) = Path("wandb").glob("offline-run-*/files/media/table/*.json")
    held = json.loads(table.read_text())
    assert held["columns"] == list(COLUMNS)
    assert len(held["data"]) == len(facts_of(Path("run")).rows)


def test_a_tracker_that_cannot_be_used_is_told_before_anything_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    for name in ("wandb", "mlflow"):
        monkeypatch.setitem(sys.modules, name, None)
        assert cli.main([*RUN, "--track", name]) == 2
        line = capsys.readouterr().err
        assert adding(name) in line
        assert line.count("\n") == 1
    assert cli.main([*RUN, "--track", "wandbb"]) == 2
    assert "did you mean wandb?" in capsys.readouterr().err
    assert not Path("run").exists()


@pytest.mark.slow
def test_a_tracker_that_fails_loses_nothing(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(name: str) -> Any:
        def keep(run: Any) -> str:
            raise ConnectionError("nobody there")

        return keep

    monkeypatch.setattr("zhiyin.plugins.lab.trackers.open_tracker", fails)
    assert cli.main([*RUN, "--track", "wandb"]) == 0
    shown = capsys.readouterr()
    assert "bodies" in shown.out
    assert "is not kept there (ConnectionError: nobody there)" in shown.err


@pytest.mark.slow
def test_a_suite_keeps_each_of_its_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    kept: list[Any] = []
    monkeypatch.setattr(
        "zhiyin.plugins.lab.trackers.open_tracker",
        lambda name: lambda run: kept.append(run) or name,  # type: ignore[func-returns-value]
    )
    Path("small.toml").write_text(
        'name = "small"\n[[models]]\nmodel = "first"\n[[models]]\nmodel = "random"\n'
        '[[benchmarks]]\nbenchmark = "bodies"\nflags = { n = 1, body = "abc" }\n'
    )
    words = ["suite", "small.toml", "--out", "s", "--quiet", "--no-figures", "--track", "mlflow"]
    assert cli.main(words) == 0
    assert sorted(run.model for run in kept) == ["first", "random"]
    assert {run.group for run in kept} == {"small"}
    assert {run.report for run in kept} == {Path("s/report/index.html").resolve().as_uri()}


@pytest.mark.parametrize(
    ("model", "told"),
    [
        ("openai:gpt-4o", {"gen_ai.provider.name": "openai", "gen_ai.request.model": "gpt-4o"}),
        ("gemini:g-2", {"gen_ai.provider.name": "gcp.gemini", "gen_ai.request.model": "g-2"}),
        ("listener", {"gen_ai.provider.name": "zhiyin", "gen_ai.request.model": "listener"}),
        (
            "https://gpu.example/v1#qwen",
            {
                "gen_ai.provider.name": "openai",
                "gen_ai.request.model": "qwen",
                "server.address": "gpu.example",
                "server.port": 443,
            },
        ),
    ],
)
def test_who_is_called(model: str, told: dict[str, str | int]) -> None:
    assert called(model) == told


@pytest.mark.slow
def test_calls_are_spans_below_the_run(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("opentelemetry.sdk")
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    from opentelemetry import trace
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import SimpleSpanProcessor
    from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter
    from opentelemetry.semconv._incubating.attributes import gen_ai_attributes
    from opentelemetry.trace import SpanKind, StatusCode

    spans, provider = InMemorySpanExporter(), TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(spans))
    monkeypatch.setattr(trace, "get_tracer_provider", lambda: provider)
    with ChatServer("The answer is A.", fail=0.4, kinds=("429-wait",), seed=2) as server:
        words = [server.spec if word == "first" else word for word in RUN]
        words += ["--otel", "--no-canary", "--limit", "6", "--cache", "off", "--retries", "8"]
        words += ["--max-tokens", "50"]
        assert cli.main(words) == 0
        calls = server.calls
    finished = spans.get_finished_spans()
    *each, whole = finished
    assert whole.name == "run bodies"
    assert len(each) == calls
    assert {span.parent.span_id for span in each} == {whole.context.span_id}
    names = {value for key, value in vars(gen_ai_attributes).items() if key.startswith("GEN_AI_")}
    ours = {key for span in each for key in span.attributes if key.startswith("gen_ai.")}
    assert ours <= names | {"gen_ai.request.seed"}
    good = [span for span in each if span.status.status_code is not StatusCode.ERROR]
    bad = [span for span in each if span.status.status_code is StatusCode.ERROR]
    assert len(good) == summarise(Path("run")).trials
    assert bad, "a call that failed is a span too"
    assert {span.attributes["error.type"] for span in bad} == {"BusyError"}
    for span in good:
        told = span.attributes
        assert span.kind is SpanKind.CLIENT
        assert span.name == f"chat {MODEL}"
        assert told["gen_ai.operation.name"] == "chat"
        assert told["gen_ai.request.temperature"] == 0.0
        assert told["gen_ai.request.max_tokens"] == 50
        assert told["gen_ai.response.finish_reasons"] == ("stop",)
        assert told["gen_ai.usage.output_tokens"] > 0
        assert told["server.port"] == server.port
    assert "The answer is A" not in "".join(span.to_json() for span in finished)


class Collector(BaseHTTPRequestHandler):
    """Takes what an exporter sends."""

    bodies: list[tuple[str, bytes]] = []

    def do_POST(self) -> None:
        size = int(self.headers["Content-Length"])
        self.bodies.append((self.path, self.rfile.read(size)))
        self.send_response(200)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *arguments: object) -> None:
        """Say nothing."""


@pytest.mark.slow
def test_spans_are_sent_to_a_collector(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("opentelemetry.sdk")
    pytest.importorskip("opentelemetry.exporter.otlp.proto.http")
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    server = ThreadingHTTPServer(("127.0.0.1", 0), Collector)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_ENDPOINT", f"http://127.0.0.1:{server.server_port}")
    monkeypatch.setenv("OTEL_EXPORTER_OTLP_COMPRESSION", "none")
    try:
        assert cli.main([*RUN, "--otel"]) == 0
    finally:
        server.shutdown()
        server.server_close()
    names: list[str] = []
    for path, body in Collector.bodies:
        assert path == "/v1/traces"
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            names += [span.name for scope in resource.scope_spans for span in scope.spans]
    trials = summarise(Path("run")).trials
    assert names.count("chat first") == trials
    assert names.count("run bodies") == 1


def test_without_the_sdk_nothing_is_asked(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    import sys

    monkeypatch.setitem(sys.modules, "opentelemetry.sdk.trace", None)
    assert cli.main([*RUN, "--otel"]) == 2
    assert adding("otel") in capsys.readouterr().err
    assert not Path("run").exists()
