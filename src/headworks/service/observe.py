"""What a service tells of itself: metrics for Prometheus, logs as JSON lines, spans.

Takes what happened with ids, names and numbers, gives it to whoever watches. Never holds text of
a document, a file's name or a key.
"""

import json
import logging
import sys
import time
from collections.abc import Mapping, Sequence
from pathlib import Path

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest

from headworks.config_service import ServiceSettings
from headworks.errors import HeadworksError
from headworks.model.job import Job, Reply
from headworks.service.tasks import ChunkMade, Died, End, Finished
from headworks.service.tracing import Spans, open_spans

LOGGER = "headworks.service"
_SECONDS = (0.005, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300)
_BREAKER_STATES = {"closed": 0, "half_open": 1, "open": 2}
_UNKNOWN = "unknown"
_MOST_WORDS = 200
Ids = Mapping[str, str | int | float | bool | None]


class Observer:
    """Counts, logs and traces. One a service; its registry is its own."""

    def __init__(self, settings: ServiceSettings) -> None:
        self.registry = CollectorRegistry()
        self.spans: Spans = open_spans(settings.traces, Path(settings.folder))
        self._log = logging.getLogger(LOGGER)
        registry = self.registry
        self.documents = Counter(
            "headworks_documents", "Documents that ended", ["format", "state"], registry=registry
        )
        self.stage_seconds = Histogram(
            "headworks_stage_seconds", "Time of a stage", ["format", "stage"],
            registry=registry, buckets=_SECONDS,
        )  # fmt: skip
        self.job_seconds = Histogram(
            "headworks_job_seconds", "From upload to result", ["level"],
            registry=registry, buckets=(*_SECONDS, 900, 3600, 14400),
        )  # fmt: skip
        self.chunks = Counter("headworks_chunks", "Chunks made", ["kind"], registry=registry)
        self.rule_hits = Counter(
            "headworks_rule_hits", "Chunks a rule fired for", ["rule"], registry=registry
        )
        self.routes = Counter(
            "headworks_routed_chunks", "Chunks by pipeline", ["pipeline"], registry=registry
        )
        self.degraded = Counter(
            "headworks_degraded", "Documents made by a way around a stage", ["way"],
            registry=registry,
        )  # fmt: skip
        self.failures = Counter(
            "headworks_failures", "Failed attempts by code", ["code"], registry=registry
        )
        self.deaths = Counter(
            "headworks_worker_deaths", "Workers that died", ["cause"], registry=registry
        )
        self.model_calls = Counter(
            "headworks_model_calls", "Asks of targets", ["target", "outcome"], registry=registry
        )
        self.model_tokens = Counter(
            "headworks_model_tokens", "Tokens of targets", ["target", "way"], registry=registry
        )
        self.model_seconds = Histogram(
            "headworks_model_seconds", "Time of an answer", ["target", "until"],
            registry=registry, buckets=_SECONDS,
        )  # fmt: skip
        self.uploads = Counter("headworks_uploads", "Uploads", ["outcome"], registry=registry)
        self.upload_bytes = Counter("headworks_upload_bytes", "Bytes taken in", registry=registry)
        self.queue_length = Gauge(
            "headworks_queue_length", "Waiting jobs", ["kind", "level"], registry=registry
        )
        self.queue_age = Gauge(
            "headworks_queue_oldest_seconds", "Age of the oldest waiting job", ["level"],
            registry=registry,
        )  # fmt: skip
        self.jobs = Gauge("headworks_jobs", "Jobs by state", ["kind", "state"], registry=registry)
        self.workers = Gauge("headworks_workers", "Workers", ["state"], registry=registry)
        self.breakers = Gauge(
            "headworks_breaker", "0 closed, 1 half open, 2 open", ["stage"], registry=registry
        )
        self.memory = Gauge(
            "headworks_memory_weight_bytes", "Memory given out to parsers", registry=registry
        )

    def exposition(self) -> bytes:
        """Give the metrics as Prometheus asks for them."""
        return generate_latest(self.registry)

    def log(self, event: str, ids: Ids, *, bad: bool = False) -> None:
        """Write an event with ids and numbers."""
        level = logging.WARNING if bad else logging.INFO
        self._log.log(level, event, extra={"ids": dict(ids)})

    def fault(self, where: str, fault: BaseException) -> None:
        """Write what a loop met: its code or its kind, never its words."""
        code = fault.code if isinstance(fault, HeadworksError) else type(fault).__name__
        self.log("fault", {"where": where, "code": code}, bad=True)

    def breaker_states(self, states: Mapping[str, str]) -> None:
        """Note which stages are down."""
        for stage, state in states.items():
            self.breakers.labels(stage).set(_BREAKER_STATES[state])

    def ended(self, job: Job, format_: str, end: End, seconds: float) -> None:
        """Note the end of an attempt at a document."""
        ids: dict[str, str | int | float | bool | None] = {
            "job": job.id, "root": job.root, "document": job.document, "attempt": job.attempts,
            "format": format_, "seconds": round(seconds, 3),
        }  # fmt: skip
        if isinstance(end, Finished):
            self._finished(job, format_ or _UNKNOWN, end)
            self.log("document_done", {**ids, "chunks": end.chunks, "degraded": ",".join(end.ways)})
        elif isinstance(end, Died):
            cause = "timeout" if end.timed_out else "death"
            self.deaths.labels(cause).inc()
            self.failures.labels("E_TIMEOUT" if end.timed_out else "E_POISON").inc()
            self.log(f"worker_{cause}", {**ids, "status": end.status, "stage": end.stage}, bad=True)
        else:
            self.failures.labels(end.code).inc()
            self.log("document_refused", {**ids, "code": end.code, "stage": end.stage}, bad=True)

    def failed(self, format_: str) -> None:
        """Note that a document is failed for good."""
        self.documents.labels(format_ or _UNKNOWN, "failed").inc()

    def answered(self, job: Job, reply: Reply | None, outcome: str) -> None:
        """Note an ask of a target and what came of it."""
        target = job.target or ""
        self.model_calls.labels(target, outcome).inc()
        if reply is not None:
            self.model_tokens.labels(target, "in").inc(reply.tokens_in)
            self.model_tokens.labels(target, "out").inc(reply.tokens_out)
            self.model_seconds.labels(target, "first_token").observe(
                reply.first_token_milliseconds / 1000
            )
            self.model_seconds.labels(target, "end").observe(reply.milliseconds / 1000)
        self.spans.answered(job, reply, outcome)

    def traced(self, job: Job, end: Finished, chunks: Sequence[ChunkMade], seconds: float) -> None:
        """Count the chunks of a document and write its spans."""
        for chunk in chunks:
            self.chunks.labels(chunk.kind).inc()
        self.spans.processed(job, end, chunks, seconds)

    def close(self) -> None:
        """Write what is left of the spans."""
        self.spans.close()

    def _finished(self, job: Job, format_: str, end: Finished) -> None:
        self.documents.labels(format_, "done").inc()
        for stage, seconds in end.timings.items():
            self.stage_seconds.labels(format_, stage).observe(seconds)
        for rule, count in end.tally.rules.items():
            self.rule_hits.labels(rule).inc(count)
        for pipeline, count in end.tally.routes.items():
            self.routes.labels(pipeline).inc(count)
        for way in end.ways:
            self.degraded.labels(way).inc()


class JsonLines(logging.Formatter):
    """A log record as one line of JSON: time, level, event, ids."""

    def format(self, record: logging.LogRecord) -> str:
        """Give the line; of another library's record its first words, not what it is about.

        Arguments, and whatever follows the first line, may hold text of a document.
        """
        at = time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(record.created))
        line: dict[str, object] = {
            "at": f"{at}.{int(record.msecs):03d}Z",
            "level": record.levelname.lower(),
            "event": record.getMessage() if _is_own(record) else _first_words(record),
        }
        ids = getattr(record, "ids", None)
        if isinstance(ids, dict):
            line.update(ids)
        else:
            line["logger"] = record.name
        if record.exc_info and record.exc_info[0] is not None:
            line["fault"] = record.exc_info[0].__name__
        return json.dumps(line, ensure_ascii=False)


def log_to_standard_error() -> None:
    """Write all logs as JSON lines to standard error: headworks' own, warnings of libraries."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(JsonLines())
    for name, level in (("headworks", logging.INFO), ("", logging.WARNING)):
        logger = logging.getLogger(name)
        logger.handlers[:] = [handler]
        logger.setLevel(level)
        logger.propagate = False


def _is_own(record: logging.LogRecord) -> bool:
    return record.name.partition(".")[0] == "headworks"


def _first_words(record: logging.LogRecord) -> str:
    return str(record.msg).strip().partition("\n")[0][:_MOST_WORDS]
