"""Spans to a collector: by OTLP over HTTP, or into a file where nothing can send them."""

import json
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from types import SimpleNamespace

import pytest

from headworks.model.job import Job, Reply
from headworks.service import tracing
from headworks.service.tracing import Spans, open_spans

_JOB = Job(
    id="s", kind="send", root="r", document="d", key="s", chunk="chunk-7", target="model",
)  # fmt: skip
_REPLY = Reply(job="s", chunk="chunk-7", target="model", body="机密", milliseconds=20)


class Sink(HTTPServer):
    """A collector that keeps what it is sent; ``ready`` is set when something came."""

    def __init__(self) -> None:
        self.got: list[tuple[str, str, bytes]] = []
        super().__init__(("127.0.0.1", 0), _Take)

    @property
    def address(self) -> str:
        """Where it listens."""
        return f"http://127.0.0.1:{self.server_port}"


class _Take(BaseHTTPRequestHandler):
    server: Sink

    def do_POST(self) -> None:
        """Take a request in."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        self.server.got.append((self.path, self.headers["Content-Type"], body))
        self.send_response(200)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@pytest.fixture
def sink() -> Iterator[Sink]:
    """Give a collector on a port of its own."""
    server = Sink()
    threading.Thread(target=server.serve_forever, args=(0.02,), daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


@pytest.fixture
def exporter() -> None:
    """Skip where nothing can send spans."""
    pytest.importorskip(tracing._OTLP, reason="opentelemetry-exporter-otlp-proto-http is absent")


def _tell(spans: Spans) -> None:
    spans.answered(_JOB, _REPLY, "answered")
    spans.close()


@pytest.mark.usefixtures("exporter")
def test_spans_go_to_the_collector_of_the_settings(sink: Sink) -> None:
    """An address in ``traces`` gets the spans with their ids and without any text."""
    from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest

    _tell(open_spans(sink.address))
    ((path, kind, body),) = sink.got
    assert (path, kind) == ("/v1/traces", "application/x-protobuf")
    (told,) = ExportTraceServiceRequest.FromString(body).resource_spans
    (span,) = told.scope_spans[0].spans
    about = {each.key: each.value.string_value for each in span.attributes}
    assert span.name == "send"
    assert about["headworks.chunk"] == "chunk-7"
    assert "机密".encode() not in body


@pytest.mark.usefixtures("exporter")
def test_a_path_of_a_collector_is_kept(sink: Sink) -> None:
    """An address with a path is taken as it is."""
    _tell(open_spans(sink.address + "/in/spans"))
    assert [path for path, _, _ in sink.got] == ["/in/spans"]


def test_a_collector_that_is_away_does_not_hold_the_end_up(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Closing goes on though what is left cannot be sent."""
    monkeypatch.setattr(tracing, "_CLOSE_SECONDS", 0.05)
    spans, over = open_spans(str(tmp_path / "spans")), threading.Event()
    monkeypatch.setattr(spans, "_provider", SimpleNamespace(shutdown=over.wait))
    spans.close()
    assert not over.is_set()
    over.set()


def test_without_an_exporter_spans_are_lines_of_a_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What was to go to an address is in the service's folder where nothing can send it."""
    monkeypatch.setattr(tracing, "_OTLP", "opentelemetry.exporter.none.of_it")
    _tell(open_spans("http://collector:4318", tmp_path))
    (line,) = (tmp_path / "spans.jsonl").read_text(encoding="utf-8").splitlines()
    assert json.loads(line)["attributes"]["headworks.chunk"] == "chunk-7"
