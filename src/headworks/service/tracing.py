"""Spans of a document's way: one trace a job, one span a stage, one a chunk, one an answer.

Takes what happened, writes spans as JSON lines into a file, or by OTLP over HTTP to a collector
that the settings or OTEL_EXPORTER_OTLP_ENDPOINT name. Never holds text.
"""

import json
import logging
import os
import threading
import time
from collections.abc import Mapping, Sequence
from hashlib import blake2b
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from headworks.model.job import Job, Reply
from headworks.service.tasks import ChunkMade, Finished

_ENDPOINT = "OTEL_EXPORTER_OTLP_ENDPOINT"
_OTLP = "opentelemetry.exporter.otlp.proto.http.trace_exporter"
_LOGGER = "headworks.service"
_FILE = "spans.jsonl"  # in the service's folder, where no file was named
_SECOND = 1_000_000_000
_COLLECTOR_SECONDS, _CLOSE_SECONDS = 5.0, 5.0
# A file of spans is let grow that far, then the older half goes to a second file.
_LARGEST_FILE = 256 << 20


class Spans:
    """Writes nothing: what a service has where traces are not asked for."""

    def processed(
        self, job: Job, end: Finished, chunks: Sequence[ChunkMade], seconds: float
    ) -> None:
        """Write the spans of a document: its job, its stages, its chunks."""

    def answered(self, job: Job, reply: Reply | None, outcome: str) -> None:
        """Write the span of an ask."""

    def close(self) -> None:
        """Write what is left."""


class _Recorded(Spans):
    """Writes through OpenTelemetry's SDK."""

    def __init__(self, provider: Any) -> None:
        self._provider = provider
        self._tracer = provider.get_tracer("headworks")

    def processed(
        self, job: Job, end: Finished, chunks: Sequence[ChunkMade], seconds: float
    ) -> None:
        """Write the spans of a document, laid out backwards from now."""
        now = time.time_ns()
        begin = now - int(seconds * _SECOND)
        ids = _ids(job)
        told = {**ids, "headworks.chunks": end.chunks, "headworks.degraded": ",".join(end.ways)}
        root = self._span("process", job, (begin, now), told)
        at = now - int(sum(end.timings.values()) * _SECOND)
        for stage, length in end.timings.items():
            after = at + int(length * _SECOND)
            self._span(f"stage.{stage}", job, (at, after), ids, root)
            at = after
        for chunk in chunks:
            about = {
                **ids, "headworks.chunk": chunk.id, "headworks.kind": chunk.kind,
                "headworks.pipeline": chunk.pipeline, "headworks.tokens": chunk.tokens,
            }  # fmt: skip
            self._span("chunk", job, (now, now), about, root)

    def answered(self, job: Job, reply: Reply | None, outcome: str) -> None:
        """Write the span of an ask."""
        now = time.time_ns()
        length = 0.0 if reply is None else reply.milliseconds / 1000
        about = {**_ids(job), "headworks.outcome": outcome}
        if reply is not None:
            about |= {
                "gen_ai.request.model": reply.model,
                "gen_ai.usage.input_tokens": reply.tokens_in,
                "gen_ai.usage.output_tokens": reply.tokens_out,
            }
        self._span("send", job, (now - int(length * _SECOND), now), about)

    def close(self) -> None:
        """Write what is left; a collector that does not answer is not waited for."""
        ending = threading.Thread(target=self._provider.shutdown, daemon=True)
        ending.start()
        ending.join(_CLOSE_SECONDS)

    def _span(
        self,
        name: str,
        job: Job,
        times: tuple[int, int],
        about: Mapping[str, str | int],
        parent: Any = None,
    ) -> Any:
        from opentelemetry import trace

        if parent is None:
            parent = trace.set_span_in_context(trace.NonRecordingSpan(_root(job.root)))
        span = self._tracer.start_span(name, context=parent, start_time=times[0])
        span.set_attributes(dict(about))
        span.end(end_time=times[1])
        return trace.set_span_in_context(span)


def _root(root: str) -> Any:
    """Give the span that all of a job hang below: known from its id, whichever machine asks."""
    from opentelemetry import trace

    digest = blake2b(root.encode(), digest_size=24).digest()
    return trace.SpanContext(
        trace_id=int.from_bytes(digest[:16], "big") or 1,
        span_id=int.from_bytes(digest[16:], "big") or 1,
        is_remote=True,
        trace_flags=trace.TraceFlags(trace.TraceFlags.SAMPLED),
    )


def _ids(job: Job) -> dict[str, str | int]:
    ids: dict[str, str | int] = {
        "headworks.job": job.id, "headworks.root": job.root, "headworks.document": job.document,
        "headworks.attempt": job.attempts,
    }  # fmt: skip
    if job.chunk is not None:
        ids["headworks.chunk"] = job.chunk
    if job.target is not None:
        ids["headworks.target"] = job.target
    return ids


def open_spans(traces: str, folder: Path = Path()) -> Spans:
    """Give the writer of spans: into the file ``traces``, to a collector, or nowhere.

    ``traces`` is a file or a collector's address. Without the exporter what was to go to an
    address goes to ``spans.jsonl`` in the folder.
    """
    to_collector = traces.startswith(("http://", "https://"))
    by_environment = bool(os.environ.get(_ENDPOINT)) and _has_exporter()
    if not traces and not by_environment:
        return Spans()
    from opentelemetry.sdk.resources import Resource
    from opentelemetry.sdk.trace import TracerProvider
    from opentelemetry.sdk.trace.export import BatchSpanProcessor

    exporters = []
    if to_collector and _has_exporter():
        exporters.append(_collector(_full(traces)))
    elif to_collector:
        logging.getLogger(_LOGGER).warning("otlp_exporter_missing")
        exporters.append(_file_exporter(folder / _FILE))
    elif traces:
        exporters.append(_file_exporter(Path(traces)))
    if by_environment and not to_collector:
        exporters.append(_collector(None))
    provider = TracerProvider(
        resource=Resource.create({"service.name": "headworks"}), shutdown_on_exit=False
    )
    for exporter in exporters:
        provider.add_span_processor(BatchSpanProcessor(exporter))
    return _Recorded(provider)


def _has_exporter() -> bool:
    try:
        return find_spec(_OTLP) is not None
    except ModuleNotFoundError:  # not even the package that it would be in
        return False


def _collector(address: str | None) -> Any:
    """Give an exporter to a collector's address; none is the one that the environment names."""
    return import_module(_OTLP).OTLPSpanExporter(endpoint=address, timeout=_COLLECTOR_SECONDS)


def _full(address: str) -> str:
    """Give an address with the path that collectors take spans at, where it has none."""
    parts = urlsplit(address)
    return address.rstrip("/") + "/v1/traces" if parts.path in ("", "/") else address


def _file_exporter(path: Path) -> Any:
    """Give an exporter that writes a span a line."""
    from opentelemetry.sdk.trace.export import SpanExporter, SpanExportResult

    class _Lines(SpanExporter):
        def __init__(self) -> None:
            self._lock = threading.Lock()

        def export(self, spans: Sequence[Any]) -> SpanExportResult:
            lines = "".join(json.dumps(_line(span)) + "\n" for span in spans)
            try:
                with self._lock, path.open("a", encoding="utf-8") as file:
                    file.write(lines)
                    full = file.tell() > _LARGEST_FILE
                if full:
                    path.replace(path.with_name(path.name + ".1"))
            except OSError:
                return SpanExportResult.FAILURE
            return SpanExportResult.SUCCESS

    path.parent.mkdir(parents=True, exist_ok=True)
    return _Lines()


def _line(span: Any) -> dict[str, object]:
    context, parent = span.get_span_context(), span.parent
    return {
        "name": span.name,
        "trace": f"{context.trace_id:032x}",
        "span": f"{context.span_id:016x}",
        "parent": "" if parent is None else f"{parent.span_id:016x}",
        "start": span.start_time,
        "end": span.end_time,
        "attributes": dict(span.attributes or {}),
    }
