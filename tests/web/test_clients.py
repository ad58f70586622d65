"""Nothing of one client is shown to another: every route, every role."""

import json
import re
import time
from collections.abc import Iterator
from pathlib import Path

import httpx
import pytest

from headworks.web.access import Key, Keys
from tests.web import papers
from tests.web.serving import Server, served

SECRET_CLIENT, SECRET_NAME = "甲公司", "甲的机密.txt"
KEYS = {
    "own-submit": Key(name="own-submit", digest="", client=SECRET_CLIENT, clients=(SECRET_CLIENT,)),
    "other-read": Key(name="other-read", digest="", role="read", client="乙", clients=("乙",)),
    "other-submit": Key(name="other-submit", digest="", client="乙", clients=("乙",)),
    "other-admin": Key(name="other-admin", digest="", role="admin", client="乙", clients=("乙",)),
    "all-read": Key(name="all-read", digest="", role="read"),
    "all-submit": Key(name="all-submit", digest=""),
    "all-admin": Key(name="all-admin", digest="", role="admin"),
}
OTHERS = ("other-read", "other-submit", "other-admin")
SETTINGS = """
[rules]
packs = ["contract", "privacy"]
[service]
workers = 1
rate_per_minute = 0
traces = "spans.jsonl"
[delivery]
fallback = "extract"
"""
# Role that a call needs at least, and what it answers to a key of another client.
ROUTES: list[tuple[str, str, str, int, dict[str, object]]] = [
    ("GET", "/v1/documents", "read", 200, {}),
    ("GET", "/v1/documents?client={client}", "read", 403, {}),
    ("GET", "/v1/documents?after={document}", "read", 404, {}),
    ("GET", "/v1/documents?name={name}", "read", 200, {}),
    ("GET", "/v1/documents/{document}", "read", 404, {}),
    ("GET", "/v1/documents/{document}/chunks", "read", 404, {}),
    ("GET", "/v1/documents/{document}/pages/1.png", "read", 404, {}),
    ("GET", "/v1/documents/{document}/answer", "read", 404, {}),
    ("GET", "/v1/documents/{document}/trace", "read", 404, {}),
    ("GET", "/v1/documents/{document}/files/chunks.jsonl", "read", 404, {}),
    ("GET", "/v1/documents/{document}/files/text.txt", "submit", 404, {}),
    ("GET", "/v1/documents/{document}/files/ledger.jsonl", "submit", 404, {}),
    ("GET", "/v1/documents/{document}/original", "submit", 404, {}),
    ("POST", "/v1/documents/{document}/rerun", "submit", 404, {"json": {"rules": ["finance"]}}),
    ("DELETE", "/v1/documents/{document}", "submit", 404, {}),
    ("GET", "/v1/jobs", "read", 200, {}),
    ("GET", "/v1/jobs?client={client}", "read", 200, {}),
    ("GET", "/v1/jobs?before={job}", "read", 404, {}),
    ("GET", "/v1/jobs/{job}", "read", 404, {}),
    ("GET", "/v1/jobs/{job}/events", "read", 404, {}),
    ("POST", "/v1/jobs/{job}/cancel", "submit", 404, {}),
    ("GET", "/v1/jobs/{job}/links", "read", 404, {}),
    ("POST", "/v1/jobs/{job}/retry", "submit", 404, {}),
    ("GET", "/v1/failed", "read", 200, {}),
    ("GET", "/v1/failed?before={failed}", "read", 404, {}),
    ("POST", "/v1/failed/{failed}/retry", "submit", 404, {}),
    ("GET", "/v1/queue", "read", 200, {}),
    ("POST", "/v1/queue/pause", "admin", 403, {"json": {"scope": "all"}}),
    ("POST", "/v1/queue/pause", "admin", 403, {"json": {"scope": "client:甲公司"}}),
    ("POST", "/v1/queue/pause", "admin", 403, {"json": {"scope": "target:extract"}}),
    ("POST", "/v1/queue/resume", "admin", 403, {"json": {"scope": "client:甲公司"}}),
    ("GET", "/v1/rules", "read", 200, {}),
    ("GET", "/v1/rules/contract", "read", 200, {}),
    ("PUT", "/v1/rules/contract", "admin", 403, {"content": b"pack: contract"}),
    ("POST", "/v1/rules/reload", "admin", 403, {}),
    ("POST", "/v1/rules/test", "read", 200, {"json": {"text": "x"}}),
    ("GET", "/metrics", "read", 403, {}),
    ("GET", "/healthz", "read", 200, {}),
    ("GET", "/readyz", "read", 200, {}),
    ("HEAD", "/healthz", "read", 200, {}),
    ("HEAD", "/readyz", "read", 200, {}),
    ("GET", "/schema/openapi.json", "read", 200, {}),
    ("POST", "/v1/documents", "submit", 202, {"files": {"file": ("own.txt", b"own of another")}}),
    ("POST", "/v1/preprocess", "submit", 200, {"files": {"file": ("own.txt", b"own of another")}}),
]
RANKS = ("read", "submit", "admin")


class Clients:
    """A service with documents of one client, and callers of all kinds."""

    def __init__(self, server: Server, secrets: dict[str, str]) -> None:
        self.server = server
        self.callers = {name: server.client(secret) for name, secret in secrets.items()}
        own = self.callers["own-submit"]
        sent = own.post("/v1/preprocess", files={"file": (SECRET_NAME, papers.text(700))}).json()
        bad = b"%PDF-1.4\n" + b"broken" * 30
        failed = own.post("/v1/documents", files={"file": ("甲的坏.pdf", bad)}).json()
        _follow(own, failed["job"])
        self.ids = {
            "document": sent["document"],
            "job": sent["job"],
            "failed": failed["job"],
            "client": SECRET_CLIENT,
            "name": SECRET_NAME,
        }

    def told(self) -> tuple[str, ...]:
        """Give what would tell another client of these documents."""
        own = self.callers["own-submit"]
        view = own.get(f"/v1/documents/{self.ids['document']}").json()["document"]
        return (*self.ids.values(), view["sha256"], "甲的坏", "HT-000700")


@pytest.fixture(scope="module")
def clients(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Clients]:
    """The service with its callers."""
    folder = tmp_path_factory.mktemp("clients")
    keys = Keys(folder / "data")
    secrets = {name: keys.add(key) for name, key in KEYS.items()}
    with served(folder, SETTINGS) as server:
        yield Clients(server, secrets)


def _follow(client: httpx.Client, job: str) -> None:
    with client.stream("GET", f"/v1/jobs/{job}/events") as stream:
        for _ in stream.iter_lines():
            pass


def _ask(
    clients: Clients, caller: str, method: str, path: str, more: dict[str, object]
) -> httpx.Response:
    address = path.format(**clients.ids)
    return clients.callers[caller].request(method, address, **more)  # type: ignore[arg-type]


@pytest.mark.parametrize("caller", OTHERS)
def test_another_client_is_shown_nothing(clients: Clients, caller: str) -> None:
    """Each route answers as if the others' documents were not there; none is changed."""
    told = clients.told()
    own = KEYS[caller]
    for method, path, role, status, more in ROUTES:
        answer = _ask(clients, caller, method, path, more)
        allowed = RANKS.index(own.role) >= RANKS.index(role)
        # A file's role is looked at behind its document, so that it tells nothing either.
        expected = status if allowed or "/files/" in path else 403
        assert answer.status_code == expected, (method, path, answer.text)
        if answer.status_code < 300:
            shown = [word for word in told if word in answer.text]
            assert not shown, (method, path, shown)
    assert _ask(clients, "own-submit", "GET", "/v1/documents/{document}", {}).status_code == 200
    assert _ask(clients, "own-submit", "GET", "/v1/queue", {}).json()["stats"]["paused"] == []


@pytest.mark.parametrize("caller", ["all-read", "all-submit", "other-read", "other-submit"])
def test_a_role_does_no_more_than_it_may(clients: Clients, caller: str) -> None:
    """Every route that needs a higher role answers 403 with the code E_ROLE."""
    rank = RANKS.index(KEYS[caller].role)
    for method, path, role, _, more in ROUTES:
        if RANKS.index(role) > rank and "/files/" not in path:
            answer = _ask(clients, caller, method, path, more)
            assert (answer.status_code, answer.json()["code"]) == (403, "E_ROLE"), (method, path)


def test_without_a_key_nothing_is_answered(clients: Clients) -> None:
    """Every route but those for machines needs a key, and a wrong one is none."""
    public = ("/healthz", "/readyz", "/schema/openapi.json")
    for key in ("", "hw_wrong"):
        with clients.server.client(key) as nobody:
            for method, path, _, _, more in ROUTES:
                answer = nobody.request(method, path.format(**clients.ids), **more)  # type: ignore[arg-type]
                assert answer.status_code == (200 if path in public else 401), (method, path)


def test_every_route_is_in_the_table(clients: Clients) -> None:
    """A new route is tried here, too."""
    told = clients.callers["all-read"].get("/schema/openapi.json").json()["paths"]
    named = {
        (method, re.sub(r"\{\w+\}", "{}", re.sub(r"(files|pages|rules)/[\w.]+$", r"\1/{}", path)))
        for method, path, *_ in ((m, p.partition("?")[0], *r) for m, p, *r in ROUTES)
    } | {("POST", "/v1/rules/reload"), ("POST", "/v1/rules/test")}
    for path, methods in told.items():
        for method in methods:
            assert (method.upper(), re.sub(r"\{\w+\}", "{}", path)) in named, (method, path)


def test_the_same_bytes_of_two_clients_are_two_documents(clients: Clients) -> None:
    """``existing`` never tells that another client has sent the same."""
    file = {"file": (SECRET_NAME, papers.text(700))}
    for caller in ("other-submit", "other-admin"):
        answer = clients.callers[caller].post("/v1/documents", files=file).json()
        assert answer["existing"] is (caller == "other-admin")  # both are of 乙
        assert answer["document"] != clients.ids["document"]
    again = clients.callers["own-submit"].post("/v1/documents", files=file).json()
    assert again["document"] == clients.ids["document"]
    assert again["existing"] is True


def test_streams_of_two_clients_are_two(clients: Clients) -> None:
    """A stream of one client makes no other wait, though it has the same name."""
    admin = clients.callers["all-admin"]
    admin.post("/v1/queue/pause", json={"scope": f"client:{SECRET_CLIENT}"})
    try:
        for caller in ("own-submit", "other-submit"):
            sent = clients.callers[caller].post(
                "/v1/documents",
                files={"file": ("s.txt", papers.text(710))},
                data={"stream": "日报"},
            )
            assert sent.status_code == 202
        _follow(clients.callers["other-submit"], sent.json()["job"])
        view = clients.callers["other-submit"].get(f"/v1/jobs/{sent.json()['job']}").json()
        assert view["state"] == "done"
        paused = clients.callers["other-submit"].get("/v1/queue").json()["stats"]["paused"]
        assert paused == []
    finally:
        admin.post("/v1/queue/resume", json={"scope": f"client:{SECRET_CLIENT}"})


def test_a_reader_is_shown_nothing_of_what_was_redacted(clients: Clients) -> None:
    """What rules took out is in no answer that a reader gets; admins see the page as it is."""
    file = {"file": ("电话.pdf", papers.page(720))}
    sent = clients.callers["all-submit"].post("/v1/preprocess", files=file).json()
    _follow(clients.callers["all-read"], sent["job"])
    reader, document = clients.callers["all-read"], f"/v1/documents/{sent['document']}"
    told = reader.get(document).json()
    assert "answer.json" in told["files"]
    originals = {"text.txt", "document.json", "ledger.jsonl"}
    assert told["record"] is None
    for name in ("", "/chunks", "/answer", "/trace", *(f"/files/{name}" for name in told["files"])):
        answer = reader.get(document + name)
        refused = name.rpartition("/")[2] in originals
        assert answer.status_code == (403 if refused else 200), name
        assert "13912345678" not in answer.text, name
    lines = reader.get(f"{document}/chunks", headers={"Accept": "application/x-ndjson"})
    assert "[REDACTED_MOBILE]" in lines.text
    assert "13912345678" not in lines.text
    sender = clients.callers["all-submit"]
    assert "13912345678" in sender.get(f"{document}/chunks").text
    assert sender.get(document).json()["record"]["source"]["name"] == "电话.pdf"
    assert "13912345678" not in reader.get(f"/v1/jobs/{sent['job']}/events").text
    hidden = [reader.get(f"{document}/pages/1.png") for _ in range(2)]
    shown = clients.callers["all-admin"].get(f"{document}/pages/1.png")
    assert hidden[0].content == hidden[1].content != shown.content


def test_logs_and_figures_hold_no_text_no_name_no_key(clients: Clients) -> None:
    """Whatever was asked above, the log is JSON lines of ids and numbers."""
    log = clients.server.errors.read_text(encoding="utf-8")
    figures = clients.callers["all-read"].get("/metrics").text
    for line in log.splitlines():
        assert isinstance(json.loads(line), dict)
    traces = clients.server.folder / "spans.jsonl"
    for _ in range(100):  # spans are written every five seconds
        if traces.exists():
            break
        time.sleep(0.1)
    spans = traces.read_text(encoding="utf-8")
    for told in (log, figures, spans):
        for word in (SECRET_NAME, SECRET_CLIENT, "违约金", "hw_", "own.txt"):
            assert word not in told
    kept = Path(clients.server.folder / "data" / "keys.json").read_text(encoding="utf-8")
    assert "hw_" not in kept
