"""Experiment trackers: Weights & Biases and MLflow, each with one run for each of ours.

They are told figures, settings and a link; no question and no reply. A run that is tracked again
is the same run there.

Facts of a run for a tracker: its settings, figures with intervals, a table and a link.

Calls of models as spans of OpenTelemetry, by its convention for generative AI.

Attributes are those of the semantic conventions ("Semantic conventions for generative client AI
spans", open-telemetry/semantic-conventions, docs/gen-ai/gen-ai-spans.md), of which the names stand
here, since their package calls them unstable. What is said is in no span: the convention has that
for who asks for it, and questions of a benchmark are not to be spread.
"""

from __future__ import annotations

import contextlib
import csv
import io
import logging
import logging.handlers
import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

import msgspec

from zhiyin import __version__
from zhiyin.analysis.summary import summarise
from zhiyin.contract.resolved import resolved
from zhiyin.engine.asking import CallStarted, around_calls
from zhiyin.engine.folder import Manifest, read_manifest
from zhiyin.errors import InputError, did_you_mean, missing_package
from zhiyin.plugins.paper.tables import measured, name_of, places_of, unit_of
from zhiyin.record import Reply
from zhiyin.runs.estimates import Frame, Made, estimate
from zhiyin.runs.measures import ACCURACY, F1, IFR, PRECISION
from zhiyin.runs.rows import rows_of
from zhiyin.words import said, say

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider


REPORTS = "ZHIYIN_REPORTS"
"""The variable of the environment with the address under which reports are served."""
COLUMNS = ("group", "n", "value", "low", "high", "se", "figure", "precision", "f1", "ifr", "chance",
           "unit", "lower_is_better")  # fmt: skip
"""Of the table: `low` and `high` are ends of the 95 % interval of `value`; a proportion is of 1."""
_BESIDE = ("precision", "f1", "ifr")


class TrackedRun(msgspec.Struct, frozen=True):
    """A run, as a tracker keeps it.

    Attributes
    ----------
    id : str
        Of the run: tracked again, it is the same run there.
    name, group, benchmark, model : str
        `group` is the suite; "" for none.
    settings : dict of str to str
    metrics : dict of str to float
        By group and figure: "accuracy", "accuracy_low", "music/accuracy".
    rows : list of list
        Under `COLUMNS`.
    report : str
        Address of its report; "" for none.
    remarks : list of str
        What limits the figures.
    complete : bool
    """

    id: str
    name: str
    group: str
    benchmark: str
    model: str
    settings: dict[str, str]
    metrics: dict[str, float]
    rows: list[list[str | float | int | bool | None]]
    report: str
    remarks: list[str]
    complete: bool

    @property
    def csv(self) -> str:
        """The table as CSV."""
        out = io.StringIO()
        writer = csv.writer(out, lineterminator="\n")
        writer.writerow(COLUMNS)
        writer.writerows(self.rows)
        return out.getvalue()

    @property
    def note(self) -> str:
        """Note that people read first, in Markdown."""
        link = f"[Report]({self.report})" if self.report else ""
        return "\n\n".join(filter(None, (link, *(f"* {each}" for each in self.remarks))))


def facts_of(folder: Path, report: Path | None = None, group: str = "") -> TrackedRun:
    """Collect the facts of a run for a tracker.

    Parameters
    ----------
    folder : Path
        The run's.
    report : Path or None
        The page of its report.
    group : str
        The suite that it is part of.

    Raises
    ------
    InputError
        When the folder is not a run.
    """
    manifest, summary = read_manifest(folder), summarise(folder)
    rows = [*_rows(folder, manifest)]
    metrics = {"trials": float(summary.trials), "planned": float(summary.planned)}
    metrics |= {f"trials_{state}": float(n) for state, n in summary.states.items()}
    if summary.cost and summary.cost.usd is not None:
        metrics["usd"] = summary.cost.usd
    for row in rows:
        told = dict(zip(COLUMNS, row, strict=True))
        before = "" if told["group"] == "all" else f"{told['group']}/"
        names = {"value": told["figure"], "low": f"{told['figure']}_low"}
        names |= {"high": f"{told['figure']}_high"}
        for column in ("value", "low", "high", "n", "f1", "ifr"):
            if isinstance(value := told[column], int | float):
                metrics[f"{before}{names.get(column, column)}"] = float(value)
    settings = dict(_flat(resolved(manifest)))
    settings |= {f"version.{name}": version for name, version in manifest.versions.items()}
    return TrackedRun(
        id=manifest.id or folder.name,
        name=summary.name,
        group=group,
        benchmark=summary.benchmark,
        model=summary.model,
        settings=settings,
        metrics=metrics,
        rows=rows,
        report=_address(report) if report else "",
        remarks=[say(one) for one in summary.warnings],
        complete=summary.complete,
    )


def _rows(folder: Path, manifest: Manifest) -> Iterator[list[str | float | int | bool | None]]:
    """Every figure of a run that goes out, as a row."""
    found = measured(folder, manifest)
    by_name = {(one.measure.name, one.group): one.value for one in found}
    frame = Frame(rows_of(folder))
    for one in found:
        measure, group = one.measure, one.group
        if measure.name in _BESIDE and (ACCURACY.name, group) in by_name:
            continue
        beside: list[float | None] = [None] * len(_BESIDE)
        if measure.of == ACCURACY.of and not measure.by:
            places, made = places_of(frame, group), Made()
            beside = [estimate(frame, own, places, made, ends=False).value
                      for own in (PRECISION, F1, IFR)]  # fmt: skip
        yield [
            name_of(one, found), one.n if measure.of == ACCURACY.of else one.items,
            one.value, one.low, one.high, one.se, measure.name,
            *beside, one.chance, unit_of(measure), measure.lower_is_better,
        ]  # fmt: skip


def _flat(values: Mapping[str, Any], before: str = "") -> Iterator[tuple[str, str]]:
    """Settings by their names, with dots for those within others; what is not set is left out."""
    for name, value in values.items():
        if isinstance(value, dict):
            yield from _flat(value, f"{before}{name}.")
        elif value is not None:
            text = value if isinstance(value, str) else msgspec.json.encode(value).decode()
            yield f"{before}{name}", text


def _address(page: Path) -> str:
    """Return the address of a report: under `REPORTS`, or on this machine."""
    base = os.environ.get(REPORTS, "").rstrip("/")
    if base:
        return f"{base}/{page.parent.name}/{page.name}"
    return page.resolve().as_uri()


PROJECT = "zhiyin"
Tracker = Callable[[TrackedRun], str]
"""Keeps a run; says where."""
_LONGEST_SETTING = 500
_OFFLINE = ("offline", "disabled", "dryrun")


def open_tracker(name: str) -> Tracker:
    """Open a tracker that keeps runs, before anything is asked.

    Raises
    ------
    InputError
        There is no such tracker, its package is not installed, or nobody is logged in.
    """
    known = {"wandb": _open_wandb, "mlflow": _open_mlflow}
    if name not in known:
        raise InputError(said("track-which", name=name, hint=did_you_mean(name, known)))
    return known[name]()


def _open_wandb() -> Tracker:
    try:
        import wandb
    except ImportError:
        raise missing_package("wandb", "wandb") from None
    offline = os.environ.get("WANDB_MODE", "").lower() in _OFFLINE
    if not offline and not _logged_in(wandb):
        raise InputError(said("track-wandb"))
    return lambda run: _keep_in_wandb(wandb, run, offline=offline)


def _logged_in(wandb: Any) -> bool:
    try:
        return bool(wandb.login(prompt=False))
    except Exception:  # it raises what it likes where it finds no key
        return False


def _keep_in_wandb(wandb: Any, run: TrackedRun, *, offline: bool) -> str:
    # Weights & Biases takes no other letters in an id.
    kept = wandb.init(
        project=os.environ.get("WANDB_PROJECT") or PROJECT,
        id=re.sub(r"[^\w-]+", "-", run.id)[:64],
        name=f"{run.benchmark}, {run.name}",
        group=run.group or None,
        job_type=run.benchmark,
        resume="allow",
        reinit="finish_previous",
        config={**run.settings, "report": run.report},
        notes=run.note,
        tags=[run.benchmark, "complete" if run.complete else "part"],
        settings=wandb.Settings(silent=True, console="off"),
    )
    try:
        kept.log({"figures": wandb.Table(columns=list(COLUMNS), data=run.rows)})
        kept.summary.update({**run.metrics, "report": run.report})
        return str(kept.settings.sync_dir if offline else kept.url)
    finally:
        kept.finish()


def _open_mlflow() -> Tracker:
    try:
        import mlflow
    except ImportError:
        raise missing_package("mlflow", "mlflow") from None
    try:
        client = mlflow.MlflowClient()
        name = os.environ.get("MLFLOW_EXPERIMENT_NAME") or PROJECT
        found = client.get_experiment_by_name(name)
        experiment = str(found.experiment_id if found else client.create_experiment(name))
    except Exception as error:  # of its stores, of SQL, of HTTP
        why = " ".join(str(error).split())[:200]
        raise InputError(said("track-mlflow", uri=mlflow.get_tracking_uri(), why=why)) from None
    return lambda run: _keep_in_mlflow(client, experiment, run)


def _keep_in_mlflow(client: Any, experiment: str, run: TrackedRun) -> str:
    key = run.id.replace("'", "")
    before = client.search_runs([experiment], f"tags.`zhiyin.run` = '{key}'", max_results=1)
    tags = {
        "zhiyin.run": key,
        "zhiyin.benchmark": run.benchmark,
        "zhiyin.model": run.model,
        "zhiyin.plugins.lab.suite": run.group,
        "zhiyin.complete": str(run.complete).lower(),
        "zhiyin.report": run.report,
        "mlflow.note.content": run.note,
    }
    if before:
        (found,) = before
        run_id = found.info.run_id
        for name, value in tags.items():
            client.set_tag(run_id, name, value)
    else:
        name = f"{run.benchmark}, {run.name}"
        run_id = client.create_run(experiment, run_name=name, tags=tags).info.run_id
        for name, value in run.settings.items():
            client.log_param(run_id, _named(name), value[:_LONGEST_SETTING])
    for name, figure in _distinct(run.metrics.items()):
        client.log_metric(run_id, name, figure)
    client.log_text(run_id, run.csv, "figures.csv")
    client.set_terminated(run_id)
    return f"run {run_id} of the experiment {experiment}"


def _named(name: str) -> str:
    """A name that MLflow takes: letters, digits and some signs."""
    return re.sub(r"[^\w\-. :/]", "-", name)


def _distinct(metrics: Iterable[tuple[str, float]]) -> Iterable[tuple[str, float]]:
    """Metrics under names that MLflow takes; of two that become one the later has a number."""
    seen: dict[str, int] = {}
    for name, figure in metrics:
        short = _named(name)
        seen[short] = seen.get(short, 0) + 1
        yield (short if seen[short] == 1 else f"{short} {seen[short]}"), figure


_NAMES = {"gemini": "gcp.gemini", "mistral": "mistral_ai"}
"""Providers that the convention calls otherwise."""
_SENT = {
    "temperature": "gen_ai.request.temperature",
    "max_tokens": "gen_ai.request.max_tokens",
    "top_p": "gen_ai.request.top_p",
    "top_k": "gen_ai.request.top_k",
    "seed": "gen_ai.request.seed",
}
_USED = {
    "prompt_tokens": "gen_ai.usage.input_tokens",
    "completion_tokens": "gen_ai.usage.output_tokens",
}
_WHY = 160
"""Letters of the reason why spans were not sent."""
_ENDS = {"stop": "stop", "length": "length", "refusal": "content_filter"}


def called(model: str) -> dict[str, str | int]:
    """Describe who answers, as attributes: the provider, the model, and a server's address.

    Parameters
    ----------
    model : str
        A spec, such as "openai:gpt-4o", "http://127.0.0.1:8000/v1#qwen" or "listener".
    """
    if model.startswith(("http://", "https://")):
        address, _, name = model.partition("#")
        parts = urlsplit(address)
        told: dict[str, str | int] = {"gen_ai.provider.name": "openai"}
        told["gen_ai.request.model"] = name or model
        if parts.hostname:
            told["server.address"] = parts.hostname
            told["server.port"] = parts.port or (443 if parts.scheme == "https" else 80)
        return told
    provider, colon, name = model.partition(":")
    if not colon:
        provider, name = "zhiyin", model
    return {"gen_ai.provider.name": _NAMES.get(provider, provider), "gen_ai.request.model": name}


@contextlib.contextmanager
def traced(name: str, attributes: Mapping[str, str]) -> Iterator[None]:
    """Record each call of a model, within this, as a span below one of that name.

    Spans go to the provider that the process has, or else to one that sends them by OTLP to where
    the variables OTEL_EXPORTER_OTLP_* say.

    Parameters
    ----------
    name : str
        Of what goes on: "run BENCHMARK".
    attributes : mapping of str to str

    Raises
    ------
    InputError
        OpenTelemetry's SDK is not installed.
    """
    provider, own = _provider()
    tracer = provider.get_tracer("zhiyin", __version__)
    with _in_one_line() if own else contextlib.nullcontext():
        try:
            with tracer.start_as_current_span(name, attributes=dict(attributes)):
                token = around_calls.set(_spans(tracer))
                try:
                    yield
                finally:
                    around_calls.reset(token)
        finally:
            if own is not None:
                own.shutdown()


@contextlib.contextmanager
def _in_one_line() -> Iterator[None]:
    """Say once that spans could not be sent, in the place of a line of the SDK's for each try."""
    lines = logging.getLogger("opentelemetry")
    kept = logging.handlers.BufferingHandler(1000)
    kept.setLevel(logging.WARNING)
    before, lines.propagate = lines.propagate, False
    lines.addHandler(kept)
    try:
        yield
    finally:
        lines.removeHandler(kept)
        lines.propagate = before
        if kept.buffer:
            why = " ".join(kept.buffer[0].getMessage().split())
            why = why if len(why) <= _WHY else f"{why[: _WHY - 1]}…"
            sys.stderr.write(f"note: --otel: not all spans could be sent ({why})\n")


def _provider() -> tuple[TracerProvider, TracerProvider | None]:
    """Return the provider that takes spans; and the same where it is ours to shut down."""
    try:
        from opentelemetry import trace
        from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
        from opentelemetry.sdk.resources import Resource
        from opentelemetry.sdk.trace import TracerProvider
        from opentelemetry.sdk.trace.export import BatchSpanProcessor
    except ImportError:
        raise missing_package("opentelemetry-sdk", "otel") from None
    given = trace.get_tracer_provider()
    if isinstance(given, TracerProvider):
        return given, None
    resource = Resource.create({"service.name": "zhiyin", "service.version": __version__})
    own = TracerProvider(resource=resource)
    own.add_span_processor(BatchSpanProcessor(OTLPSpanExporter()))
    return own, own


def _spans(tracer: Any) -> Callable[[CallStarted], Any]:
    """A context manager for a call; it is given the reply."""
    from opentelemetry.trace import SpanKind, Status, StatusCode

    @contextlib.contextmanager
    def span_of(call: CallStarted) -> Iterator[Callable[[Reply], None]]:
        attributes = {"gen_ai.operation.name": "chat", **called(call.model)}
        for name, key in _SENT.items():
            if (value := getattr(call.sampling, name)) is not None:
                attributes[key] = value
        attributes |= {"zhiyin.trial": call.trial, "zhiyin.try": call.number}
        title = f"chat {attributes['gen_ai.request.model']}"
        with tracer.start_as_current_span(
            title, kind=SpanKind.CLIENT, attributes=attributes, record_exception=False,
            set_status_on_exception=False,
        ) as span:  # fmt: skip
            try:
                yield lambda reply: span.set_attributes(_told(reply))
            except BaseException as error:
                span.set_attribute("error.type", type(error).__name__)
                # The message of an error may repeat what was sent.
                span.set_status(Status(StatusCode.ERROR))
                raise

    return span_of


def _told(reply: Reply) -> dict[str, Any]:
    """Return what a reply says of itself."""
    told: dict[str, Any] = {"gen_ai.response.finish_reasons": [_ENDS[reply.finish]]}
    if isinstance(model := reply.detail.get("model"), str):
        told["gen_ai.response.model"] = model
    return told | {key: reply.usage[name] for name, key in _USED.items() if name in reply.usage}
