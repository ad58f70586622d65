"""Jobs, events, rules and health over the API."""

import json
import socket
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.web import papers
from tests.web.serving import Server, served


def _events(client: httpx.Client, job: str, **headers: str) -> list[tuple[str, dict[str, object]]]:
    found, kind = [], ""
    with client.stream("GET", f"/v1/jobs/{job}/events", headers=headers) as stream:
        assert stream.headers["content-type"].startswith("text/event-stream")
        for line in stream.iter_lines():
            if line.startswith("event: "):
                kind = line[7:]
            elif line.startswith("data: "):
                found.append((kind, json.loads(line[6:])))
    return found


def test_events_tell_stages_and_chunks_to_the_end(client: httpx.Client) -> None:
    """Each chunk is told as it is made, in order, without its text; then the stream ends."""
    accepted = client.post("/v1/documents", files={"file": ("a.txt", papers.text(100))}).json()
    events = _events(client, accepted["job"])
    kinds = [kind for kind, _ in events]
    assert kinds[0] == "queued"
    assert kinds[-2:] == ["done", "end"]
    chunks = [body for kind, body in events if kind == "chunk"]
    assert [body["ordinal"] for body in chunks] == list(range(len(chunks)))
    assert "违约金" not in json.dumps(events, ensure_ascii=False)
    last = _events(client, accepted["job"], **{"Last-Event-ID": "0"})
    assert last == events


def test_events_go_on_where_they_were_broken_off(client: httpx.Client) -> None:
    """A client that comes back names the last event it had, and gets the rest."""
    accepted = client.post("/v1/preprocess", files={"file": ("b.txt", papers.text(101))}).json()
    ids = []
    with client.stream("GET", f"/v1/jobs/{accepted['job']}/events") as stream:
        ids += [line[4:] for line in stream.iter_lines() if line.startswith("id: ")]
    rest = _events(client, accepted["job"], **{"Last-Event-ID": ids[2]})
    assert len(rest) == len(ids) - 3 + 1


def test_many_follow_a_long_document(client: httpx.Client, server: Server) -> None:
    """Each chunk is told to each listener once and in order; one that never reads stops nobody."""
    clauses = "".join(
        f"第{number}条 标的\n甲方向乙方采购电缆第{number}批，违约金为合同总额的10%。\n"
        for number in range(1, 300)
    )
    client.post("/v1/queue/pause", json={})
    sent = client.post("/v1/documents", files={"file": ("long.txt", clauses.encode())}).json()
    host, port = server.address.removeprefix("http://").split(":")
    asked = f"GET /v1/jobs/{sent['job']}/events HTTP/1.1\r\nHost: localhost\r\n\r\n".encode()
    deaf = [socket.create_connection((host, int(port))) for _ in range(20)]
    for one in deaf:
        one.sendall(asked)
    with ThreadPoolExecutor(8) as threads:
        told = [threads.submit(_events, client, sent["job"]) for _ in range(8)]
        client.post("/v1/queue/resume", json={})
        followed = [one.result() for one in told]
    assert all(one == followed[0] for one in followed)
    ordinals = [body["ordinal"] for kind, body in followed[0] if kind == "chunk"]
    assert ordinals == list(range(len(ordinals)))
    assert len(ordinals) > 250
    for one in deaf:
        one.close()


def test_a_waiting_job_is_cancelled_and_tried_again(tmp_path: Path) -> None:
    """Paused, a job waits and says why; cancelled, it is not done; tried again, it is."""
    with served(tmp_path, "[service]\nworkers = 1\n") as server, server.client() as client:
        assert client.post("/v1/queue/pause", json={"scope": "all"}).status_code == 200
        job = client.post("/v1/documents", files={"file": ("c.txt", papers.text(102))}).json()[
            "job"
        ]
        view = client.get(f"/v1/jobs/{job}").json()
        assert (view["state"], view["why"]) == ("waiting", "paused")
        assert client.post(f"/v1/jobs/{job}/cancel").json() == {"jobs": 1}
        assert client.get(f"/v1/jobs/{job}").json()["state"] == "cancelled"
        client.post("/v1/queue/resume", json={})
        assert client.post(f"/v1/jobs/{job}/retry").status_code == 200
        assert _events(client, job)[-2][0] == "done"
        assert client.post(f"/v1/jobs/{job}/retry").status_code == 409


def test_what_failed_waits_for_a_person(client: httpx.Client) -> None:
    """The list says why and what to do; a retry puts it in again."""
    content = b"%PDF-1.4\n" + b"broken" * 30
    client.post("/v1/preprocess", files={"file": ("d.pdf", content)})
    listed = client.get("/v1/failed").json()["failed"]
    failed = next(one for one in listed if one["name"] == "d.pdf")
    assert failed["code"] == "E_CORRUPT"
    assert failed["hint"]
    put = client.post(f"/v1/failed/{failed['id']}/retry")
    assert put.status_code == 202
    assert _events(client, put.json()["job"])[-2][0] == "failed"


def test_a_pack_is_replaced_while_the_service_runs(tmp_path: Path) -> None:
    """A good pack holds from the next document on; a bad one is refused and the old one stays."""
    pack = (
        "pack: own\nversion: {version}\nlanguage: zh\nfallback: general\nrules:\n"
        "  - id: big\n    title: 违约金\n    owner: 法务\n    phase: tag\n    priority: 10\n"
        "    when: 包含“违约金”\n    then: [标记为“{tag}”]\n"
    )
    file = tmp_path / "own.yaml"
    file.write_text(pack.format(version="1.0.0", tag="旧"), encoding="utf-8")
    settings = f'[rules]\npacks = ["{file}"]\n[service]\nworkers = 1\n'
    with served(tmp_path / "s", settings) as server, server.client() as client:

        def tags(number: int) -> set[str]:
            answer = client.post(
                "/v1/preprocess", files={"file": (f"e{number}.txt", papers.text(number))}
            )
            return {tag for chunk in answer.json()["chunks"] for tag in chunk["tags"]}

        assert tags(103) == {"旧"}
        listed = client.get("/v1/rules").json()
        assert listed[0]["version"].startswith("1.0.0 ")
        bad = client.put("/v1/rules/own", content="pack: own\nversion: 9\nrules: [")
        assert (bad.status_code, bad.json()["code"]) == (422, "E_RULES")
        assert tags(104) == {"旧"}
        good = client.put("/v1/rules/own", content=pack.format(version="2.0.0", tag="新"))
        assert good.status_code == 200, good.text
        assert good.json()["versions"]["own"].startswith("2.0.0 ")
        assert tags(105) == {"新"}
        assert "2.0.0" in client.get("/v1/rules/own").text


def test_rules_are_tried_on_a_text(client: httpx.Client) -> None:
    """The verdict of each chunk with the rules that fired, their values and reasons."""
    answer = client.post(
        "/v1/rules/test",
        json={"text": "第一条 违约金为合同总额的10%，但最高不超过50万元。", "rules": ["contract"]},
    )
    chunk = answer.json()["chunks"][0]
    penalty = next(hit for hit in chunk["hits"] if hit["rule"] == "contract/penalty")
    assert penalty["values"] == {"比例": "0.10", "上限": "500000"}
    assert client.post("/v1/rules/test", json={"text": "x" * 100_001}).status_code == 413


def test_health_and_figures(client: httpx.Client, server: Server) -> None:
    """Liveness, readiness with its checks, and figures without a document's text or name."""
    assert client.get("/healthz").json()["status"] == "ok"
    ready = client.get("/readyz").json()
    assert all(ready["checks"].values())
    for path in ("/healthz", "/readyz"):
        asked = client.head(path)
        assert (asked.status_code, asked.content) == (200, b"")
    client.post("/v1/preprocess", files={"file": ("机密名.txt", papers.text(105))})
    figures = client.get("/metrics").text
    assert 'headworks_documents_total{format="txt"' in figures or "headworks_documents" in figures
    log = server.errors.read_text(encoding="utf-8")
    for told in (figures, log):
        assert "机密名" not in told
        assert "违约金" not in told


def test_browsers_of_other_sites_are_not_answered(client: httpx.Client) -> None:
    """Without a key, a rebound name or a page of another site is refused; headers are strict."""
    assert client.get("/v1/documents", headers={"Host": "evil.example"}).status_code == 401
    assert (
        client.get("/v1/documents", headers={"Origin": "https://evil.example"}).status_code == 401
    )
    answer = client.get("/v1/documents")
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/v1/documents/..%2f..%2fetc%2fpasswd",
        "/v1/documents/x/files/..%2f..%2fheadworks.sqlite",
        "/v1/documents/x/pages/0.png",
        "/v1/jobs/%00",
        "/v1/rules/..%2f..%2fetc%2fpasswd",
    ],
)
def test_no_path_leads_out(client: httpx.Client, path: str) -> None:
    """Whatever stands in an address, nothing beyond the service's own files is given."""
    assert client.get(path).status_code in (404, 422)


def test_keys_carry_role_client_and_rate(tmp_path: Path) -> None:
    """Readers read, each key sees its clients alone, and too many requests are told to wait."""
    from headworks.web.access import Key, Keys

    keys = Keys(tmp_path / "data")
    reader = keys.add(Key(name="r", digest="", role="read"))
    sender = keys.add(Key(name="s", digest="", role="submit", client="甲", clients=("甲",)))
    other = keys.add(Key(name="o", digest="", role="submit", client="乙", clients=("乙",)))
    few = keys.add(Key(name="f", digest="", role="read", rate_per_minute=2))
    with served(tmp_path, "[service]\nworkers = 1\nrate_per_minute = 0\n") as server:
        with server.client() as nobody:
            assert nobody.get("/v1/documents").status_code == 401
            assert nobody.get("/healthz").status_code == 200
        file = {"file": ("k.txt", papers.text(106))}
        with server.client(sender) as client:
            document = client.post("/v1/preprocess", files=file).json()["document"]
            assert client.get(f"/v1/documents/{document}").json()["document"]["client"] == "甲"
            refused = client.post("/v1/documents", files=file, data={"client": "乙"})
            assert (refused.status_code, refused.json()["code"]) == (403, "E_ROLE")
            assert client.put("/v1/rules/contract", content="x").status_code == 403
        with server.client(other) as client:
            assert client.get(f"/v1/documents/{document}").status_code == 404
            assert client.get("/v1/documents").json()["documents"] == []
            assert client.delete(f"/v1/documents/{document}").status_code == 404
        with server.client(reader) as client:
            assert client.post("/v1/documents", files=file).status_code == 403
            assert client.get(f"/v1/documents/{document}/original").status_code == 403
            assert client.get(f"/v1/documents/{document}/files/text.txt").status_code == 403
            assert client.get(f"/v1/documents/{document}/chunks").status_code == 200
        with server.client(few) as client:
            statuses = [client.get("/v1/documents").status_code for _ in range(3)]
            assert statuses == [200, 200, 429]
            assert int(client.get("/v1/documents").headers["retry-after"]) >= 1


def test_a_full_queue_says_when_to_come_back(tmp_path: Path) -> None:
    """429 with Retry-After, or a place as soon as there is one for a call that waits."""
    settings = "[service]\nworkers = 1\nmax_queue = 2\nrate_per_minute = 0\n"
    with served(tmp_path, settings) as server, server.client() as client:
        client.post("/v1/queue/pause", json={})
        for number in range(2):
            client.post("/v1/documents", files={"file": ("l.txt", papers.text(200 + number))})
        full = client.post("/v1/documents", files={"file": ("l.txt", papers.text(203))})
        assert (full.status_code, full.json()["code"]) == (429, "E_QUEUE")
        assert int(full.headers["retry-after"]) >= 1
        client.post("/v1/queue/resume", json={})
        waited = client.post(
            "/v1/documents", files={"file": ("l.txt", papers.text(204))}, data={"wait": "30"}
        )
        assert waited.status_code == 202


def test_a_server_that_is_told_to_end_ends(tmp_path: Path) -> None:
    """SIGTERM ends it at once where nothing is under way, listeners of events or not."""
    with served(tmp_path, "[service]\nworkers = 1\n") as server, server.client() as client:
        client.post("/v1/queue/pause", json={})
        sent = client.post("/v1/documents", files={"file": ("m.txt", papers.text(300))})
        with client.stream("GET", f"/v1/jobs/{sent.json()['job']}/events") as stream:
            lines = stream.iter_lines()
            next(lines)
            assert server.stop() == 0
            assert "event: end" in list(lines)
