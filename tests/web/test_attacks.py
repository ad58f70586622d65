"""Requests that mean harm: refused with a code, never a 5xx, and the service goes on."""

import socket
import time
from pathlib import Path

import httpx
import pytest

from tests.web import papers
from tests.web.serving import Server, served

HEAD = b'Content-Disposition: form-data; name="file"; filename="a.txt"'
FORM = {"Content-Type": "multipart/form-data; boundary=b"}


def _part(head: bytes, content: bytes) -> bytes:
    return b"--b\r\n" + head + b"\r\n\r\n" + content + b"\r\n"


def _field(name: bytes, content: bytes, more: bytes = b"") -> bytes:
    head = b'Content-Disposition: form-data; name="' + name + b'"' + more
    return _part(HEAD, b"words") + _part(head, content) + b"--b--\r\n"


FORMS = {
    "no end": _part(HEAD, b"words"),
    "no disposition": _part(b"X: y", b"words") + b"--b--\r\n",
    "junk in front": b"junk" * 100_000 + _part(HEAD, b"words") + b"--b--\r\n",
    "a header of 100 kB": _part(HEAD + b"\r\nX: " + b"a" * 100_000, b"words") + b"--b--\r\n",
    "2,000 fields": _part(b'Content-Disposition: form-data; name="x"', b"1") * 2000 + b"--b--\r\n",
    "a charset that is none": _field(b"client", b"x", b"\r\nContent-Type: text/plain; charset=zip"),
    "half a character": _field(
        b"client", b"\\ud800", b"\r\nContent-Type: text/plain; charset=unicode_escape"
    ),
    "nested tags": _field(b"tags", b'{"a":' + b"[" * 60_000),
    "half a character in tags": _field(b"tags", b'{"a":"\\ud800"}'),
    "a field without an end": _field(b"tags", b"x" * 200_000),
    "a wait without an end": _field(b"wait", b"1e999"),
    "a control character": _field(b"stream", b"a\x00b"),
    "a path for a pack": _field(b"rules", b"../../etc/passwd"),
}


@pytest.mark.parametrize("what", FORMS)
def test_a_form_that_is_none_is_refused(client: httpx.Client, what: str) -> None:
    """422 with a code; the request is the fault, not the service."""
    answer = client.post("/v1/documents", content=FORMS[what], headers=FORM)
    assert answer.status_code == 422, answer.text
    assert answer.json()["code"] in ("E_REQUEST", "E_RULES")


@pytest.mark.parametrize(
    ("sent", "kept"),
    [
        (b"../../../etc/passwd", "passwd"),
        ("C:\\\\用户\\\\合同.txt".encode(), "合同.txt"),
        ("采购合同.txt".encode("gb18030"), "采购合同.txt"),
        ("采购合同.txt".encode(), "采购合同.txt"),
        (b"a\x01\x7f\x1bb.txt", "ab.txt"),
        (("合" * 1000 + ".txt").encode(), "合" * 65 + ".txt"),
        ("\u202egnp.txt".encode(), "gnp.txt"),
        (b"..", "document"),
    ],
)
def test_a_name_is_kept_as_a_name(client: httpx.Client, sent: bytes, kept: str) -> None:
    """Whatever it is, in UTF-8 or as old clients send it: never a path, never too long."""
    head = b'Content-Disposition: form-data; name="file"; filename="' + sent + b'"'
    body = _part(head, b"words of " + sent.hex().encode()[:40]) + b"--b--\r\n"
    answer = client.post("/v1/documents", content=body, headers=FORM)
    assert answer.status_code == 202, answer.text
    assert answer.json()["files"][0]["name"] == kept


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("/v1/rules/test", b"[" * 200_000),
        ("/v1/rules/test", b'{"text":' * 100_000),
        ("/v1/rules/test", b'{"text":"\\ud800"}'),
        ("/v1/rules/test", b'{"text":"x","rules":["a\\u0000b"]}'),
        ("/v1/rules/test", b'{"text":"x","pack":"a: &a [*a]"}'),
        ("/v1/queue/pause", b"null"),
        ("/v1/queue/pause", b'{"scope":"client:\\u0000"}'),
        ("/v1/queue/pause", b'{"scope":"everything"}'),
    ],
)
def test_a_body_that_is_a_bomb_is_refused(client: httpx.Client, path: str, body: bytes) -> None:
    """Nested, half or false JSON is a fault of the request."""
    answer = client.post(path, content=body, headers={"Content-Type": "application/json"})
    assert answer.status_code in (404, 422), answer.text


def test_an_archive_leads_nowhere(client: httpx.Client, server: Server) -> None:
    """Names that lead out are refused one by one, controls are dropped, the rest is processed."""
    packed = papers.archive(
        ("../../../evil-out.txt", papers.text(910)),
        ("/evil-root.txt", papers.text(911)),
        ("a\x01\u202eb.txt", papers.text(912)),
        ("资料/好.txt", papers.text(913)),
    )
    accepted = client.post("/v1/documents", files={"file": ("x.zip", packed)}).json()
    for _ in range(200):
        view = client.get(f"/v1/jobs/{accepted['job']}").json()
        if view["state"] == "done":
            break
        time.sleep(0.1)
    names = [one["name"] for one in view["documents"]]
    assert names == ["x.zip", "ab.txt", "好.txt"]
    assert view["documents"][0]["counts"]["members_failed"] == 2
    assert not list(server.folder.parent.rglob("evil*"))


def test_a_body_without_measure_is_not_read(client: httpx.Client) -> None:
    """Only uploads may be large."""
    body = b'{"scope": "' + b"a" * (2 << 20) + b'"}'
    kind = {"Content-Type": "application/json"}
    assert client.post("/v1/queue/pause", content=body, headers=kind).status_code == 413


@pytest.mark.parametrize(
    "path",
    [
        "/v1/rules/" + "a" * 5000,
        "/v1/documents/" + "a" * 5000,
        "/v1/documents/%ff%fe",
        "/v1/documents?name=%00",
        "/v1/documents?limit=99999999999999999999999",
        "/v1/documents?after=nothing",
        "/v1/jobs?before=nothing",
        "/v1/failed?before=%00",
        "/v1/jobs/x/events?after=-1",
        "/" + "a/" * 3000,
    ],
)
def test_an_address_that_is_none_is_refused(client: httpx.Client, path: str) -> None:
    """Too long, of no character, out of range: 404 or 422."""
    assert client.get(path).status_code in (404, 422)


@pytest.mark.parametrize("last", ["9" * 30, "9" * 5000, "-1", "x"])
def test_a_last_event_that_is_none_begins_anew(client: httpx.Client, last: str) -> None:
    """A header that no service ever gave is as none."""
    accepted = client.post("/v1/preprocess", files={"file": ("l.txt", papers.text(900))}).json()
    answer = client.get(f"/v1/jobs/{accepted['job']}/events", headers={"Last-Event-ID": last})
    assert answer.status_code == 200
    assert answer.text.count("event: done") == 1


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "localhost.evil.example"},
        {"Host": "127.0.0.1.nip.io"},
        {"Origin": "null"},
        {"Origin": "http://localhost.evil.example"},
        {"Origin": "http://localhost@evil.example"},
        {"Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "no-cors"},
    ],
)
def test_a_page_of_another_site_learns_nothing(
    client: httpx.Client, headers: dict[str, str]
) -> None:
    """Rebound names, forged origins, pictures and scripts of other sites: 401."""
    assert client.get("/v1/documents", headers=headers).status_code == 401


def _raw(server: Server, request: bytes, *, more: bool = False) -> bytes:
    """Send a request and give what comes back; without ``more`` to come the sender hangs up."""
    host, port = server.address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port)), timeout=20) as connection:
        connection.sendall(request)
        if not more:
            connection.shutdown(socket.SHUT_WR)
        return connection.recv(65_536)


@pytest.mark.parametrize(
    ("head", "status"),
    [
        (b"Content-Length: 99999999999\r\n", b"413"),
        (b"Content-Length: -5\r\n", b"400"),
        (b"Content-Length: 5\r\nContent-Length: 7\r\n", b"400"),
        (b"Content-Length: 9999\r\n", b""),
        (b"Content-Length: 5\r\nTransfer-Encoding: chunked\r\n", b"400"),
        (b"Transfer-Encoding: chunked\r\n", b"400"),
    ],
)
def test_wrong_lengths_are_refused(
    client: httpx.Client, server: Server, head: bytes, status: bytes
) -> None:
    """A request whose length is false, doubled or missing ends there, and nothing is kept."""
    before = client.get("/v1/documents?name=a.txt").json()
    request = b"POST /v1/documents HTTP/1.1\r\nHost: localhost\r\n" + head
    request += b"Content-Type: multipart/form-data; boundary=b\r\n\r\n"
    told = _raw(server, request + _part(HEAD, b"words of nobody") + b"--b--\r\n", more=bool(status))
    assert told[9:12] == status
    assert client.get("/v1/documents?name=a.txt").json() == before
    assert client.get("/readyz").status_code == 200


def test_a_request_has_one_host(server: Server) -> None:
    """A second name beside the right one is not passed over."""
    request = b"GET /v1/documents HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\n\r\n"
    assert _raw(server, request, more=True)[9:12] in (b"400", b"401")


def test_the_log_stays_a_log(client: httpx.Client, server: Server) -> None:
    """After all that it is lines of JSON, without a fault of the service."""
    log = server.errors.read_text(encoding="utf-8")
    assert all(line.startswith("{") for line in log.splitlines()), log
    assert "request fault" not in log


def test_a_service_that_ends_says_so(tmp_path: Path) -> None:
    """Told to end, it answers on: not ready, uploads come later, results are there."""
    settings = '[rules]\npacks = ["contract"]\n[service]\nworkers = 1\ndrain_seconds = 20\n'
    with served(tmp_path, settings) as server, server.client() as client:
        content = papers.text(901) * 1500
        sent = client.post("/v1/documents", files={"file": ("long.txt", content)}).json()
        for _ in range(200):
            if client.get(f"/v1/jobs/{sent['job']}").json()["state"] == "running":
                break
            time.sleep(0.01)
        server.process.terminate()
        time.sleep(0.2)
        with server.client() as late:
            assert late.get("/readyz").status_code == 503
            refused = late.post("/v1/documents", files={"file": ("m.txt", papers.text(902))})
            assert (refused.status_code, refused.json()["code"]) == (503, "E_DRAINING")
            assert int(refused.headers["retry-after"]) >= 1
            assert late.get(f"/v1/jobs/{sent['job']}").status_code == 200
        assert server.stop() == 0
        server.start()
        with server.client() as again:
            for _ in range(200):
                if again.get(f"/v1/jobs/{sent['job']}").json()["state"] == "done":
                    break
                time.sleep(0.1)
            view = again.get(f"/v1/jobs/{sent['job']}").json()
            assert (view["state"], view["attempts"]) == ("done", 1)
