"""Calls of models as spans of OpenTelemetry, by its convention for generative AI.

Attributes are those of the semantic conventions ("Semantic conventions for generative client AI
spans", open-telemetry/semantic-conventions, docs/gen-ai/gen-ai-spans.md), of which the names stand
here, since their package calls them unstable. What is said is in no span: the convention has that
for who asks for it, and questions of a benchmark are not to be spread.
"""

from __future__ import annotations

import contextlib
import logging
import logging.handlers
import sys
from collections.abc import Callable, Iterator, Mapping
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from zhiyin import __version__
from zhiyin.engine.asking import CallStarted, around_calls
from zhiyin.errors import missing_package
from zhiyin.record import Reply

if TYPE_CHECKING:
    from opentelemetry.sdk.trace import TracerProvider

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
def traced(
    name: str, attributes: Mapping[str, str], provider: TracerProvider | None = None
) -> Iterator[None]:
    """Record each call of a model, within this, as a span below one of that name.

    Parameters
    ----------
    name : str
        Of what goes on: "run BENCHMARK".
    attributes : mapping of str to str
    provider : TracerProvider, optional
        Where spans go; by default the one that the process has, or else one that sends them by
        OTLP to where the variables OTEL_EXPORTER_OTLP_* say.

    Raises
    ------
    InputError
        OpenTelemetry's SDK is not installed.
    """
    own = None
    if provider is None:
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
