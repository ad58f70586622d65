"""Uploads, deletions and all else at the same time: nothing is lost, nothing is left."""

import random
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import httpx
import pytest

from tests.web import papers
from tests.web.serving import Server, served

SETTINGS = """
[rules]
packs = ["contract"]
[service]
workers = 2
rate_per_minute = 0
max_queue = 200
[delivery]
fallback = "extract"
"""


@pytest.fixture(scope="module")
def busy(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A service of its own, with answers."""
    with served(tmp_path_factory.mktemp("races"), SETTINGS) as server:
        yield server


@pytest.fixture
def calling(busy: Server) -> Iterator[httpx.Client]:
    """A client of it."""
    with busy.client() as client:
        yield client


def _send(calling: httpx.Client, name: str, content: bytes, **fields: str) -> dict[str, str]:
    answer = calling.post("/v1/documents", files={"file": (name, content)}, data=fields)
    assert answer.status_code == 202, answer.text
    accepted: dict[str, str] = answer.json()
    return accepted


def _over(client: httpx.Client, job: str) -> dict[str, object]:
    for _ in range(300):
        view: dict[str, object] = client.get(f"/v1/jobs/{job}").json()
        if view["state"] in ("done", "failed", "cancelled"):
            return view
        time.sleep(0.1)
    raise AssertionError(view)


def _all(client: httpx.Client) -> list[dict[str, object]]:
    listed: list[dict[str, object]] = client.get("/v1/documents?limit=1000").json()["documents"]
    return listed


def _originals(server: Server) -> set[str]:
    return {path.name for path in (server.folder / "data" / "originals").glob("*/*")}


def _is_whole(server: Server, client: httpx.Client) -> None:
    """Every document has its bytes and its result, and no bytes are nobody's."""
    for view in _all(client):
        _over(client, str(view["job"]))
    listed = _all(client)
    for view in listed:
        assert view["state"] == "done", view
        assert client.get(f"/v1/documents/{view['id']}/original").status_code == 200
        assert client.get(f"/v1/documents/{view['id']}/chunks").json()["chunks"]
    assert _originals(server) == {view["sha256"] for view in listed}
    folders = {path.name for path in (server.folder / "data" / "documents").glob("*")}
    assert folders == {view["id"] for view in listed}


def test_the_same_bytes_come_and_go_at_once(busy: Server, calling: httpx.Client) -> None:
    """What is accepted has its original, however many delete the same bytes meanwhile."""
    content = papers.text(800)

    def turns(seed: int) -> None:
        chance = random.Random(seed)
        with busy.client() as client:
            for _ in range(12):
                accepted = _send(client, f"{chance.randrange(2)}.txt", content)
                if chance.random() < 0.7:
                    time.sleep(chance.random() * 0.03)
                    status = client.delete(f"/v1/documents/{accepted['document']}").status_code
                    assert status in (204, 404)

    with ThreadPoolExecutor(6) as threads:
        list(threads.map(turns, range(6)))
    _is_whole(busy, calling)


def test_a_running_document_is_deleted(busy: Server, calling: httpx.Client) -> None:
    """Its work comes to nothing, and the next document is processed."""
    content = papers.text(801) * 2000
    accepted = _send(calling, "long.txt", content, priority="interactive")
    for _ in range(200):
        if calling.get(f"/v1/jobs/{accepted['job']}").json()["state"] == "running":
            break
        time.sleep(0.01)
    assert calling.post(f"/v1/jobs/{accepted['job']}/retry").status_code == 409
    assert calling.delete(f"/v1/documents/{accepted['document']}").status_code == 204
    for path in ("documents", "jobs"):
        id_ = accepted["document" if path == "documents" else "job"]
        assert calling.get(f"/v1/{path}/{id_}").status_code == 404
    assert calling.delete(f"/v1/documents/{accepted['document']}").status_code == 404
    assert calling.post(f"/v1/documents/{accepted['document']}/rerun", json={}).status_code == 404
    _over(calling, _send(calling, "next.txt", papers.text(802))["job"])
    _is_whole(busy, calling)


def test_a_job_is_cancelled_once(calling: httpx.Client) -> None:
    """The second time there is nothing to cancel, and it is tried again once."""
    calling.post("/v1/queue/pause", json={"scope": "client:c"})
    accepted = _send(calling, "c.txt", papers.text(803), client="c")
    counts = [calling.post(f"/v1/jobs/{accepted['job']}/cancel").json()["jobs"] for _ in range(2)]
    assert counts == [1, 0]
    statuses = [calling.post(f"/v1/jobs/{accepted['job']}/retry").status_code for _ in range(2)]
    assert statuses == [200, 409]
    calling.post("/v1/queue/resume", json={"scope": "client:c"})
    assert _over(calling, accepted["job"])["state"] == "done"


def test_the_same_bytes_twice_in_a_form(busy: Server, calling: httpx.Client) -> None:
    """Each file is judged for itself: refused twice with the same code, or taken in twice."""
    content, program = papers.text(804), b"\x7fELF" + b"\0" * 200
    sent = [("a.docx", program), ("b.docx", program), ("e.txt", content), ("f.txt", content)]
    answer = calling.post("/v1/documents", files=[("file", file) for file in sent])
    codes = [one["code"] for one in answer.json()["files"]]
    assert codes == ["E_TYPE", "E_TYPE", "", ""]
    for one in answer.json()["files"][2:]:
        assert _over(calling, one["job"])["state"] == "done"
    _is_whole(busy, calling)


@pytest.mark.parametrize("fields", [{"priority": "now"}, {"rules": "nothing"}, {"unknown": "1"}])
def test_a_refused_form_leaves_nothing(
    busy: Server, calling: httpx.Client, fields: dict[str, str]
) -> None:
    """A form that is refused after its files were read keeps none of them."""
    before = _originals(busy)
    answer = calling.post("/v1/documents", files={"file": ("g.txt", papers.text(805))}, data=fields)
    assert answer.status_code == 422
    assert _originals(busy) == before


def test_a_broken_form_leaves_nothing(busy: Server, calling: httpx.Client) -> None:
    """A form whose second file never ends keeps the first one neither."""
    before = _originals(busy)
    head = b'Content-Disposition: form-data; name="file"; filename="h.txt"\r\n\r\n'
    body = b"--b\r\n" + head + papers.text(806) + b"\r\n--b\r\n" + head + papers.text(807)
    kind = {"Content-Type": "multipart/form-data; boundary=b"}
    assert calling.post("/v1/documents", content=body, headers=kind).status_code == 422
    assert _originals(busy) == before
    assert not list((busy.folder / "data" / "incoming").glob("*"))


def test_a_member_goes_without_its_siblings(busy: Server, calling: httpx.Client) -> None:
    """One document of an archive is deleted; the others keep result, answer and events."""
    packed = papers.archive(("甲.txt", papers.text(808)), ("乙.txt", papers.text(809)))
    accepted = _send(calling, "包.zip", packed)
    view = _over(calling, accepted["job"])
    ids = {one["name"]: one["id"] for one in view["documents"]}  # type: ignore[attr-defined]
    answer = calling.get(f"/v1/documents/{ids['乙.txt']}/answer").content
    assert calling.delete(f"/v1/documents/{ids['甲.txt']}").status_code == 204
    assert calling.get(f"/v1/documents/{ids['甲.txt']}").status_code == 404
    assert calling.get(f"/v1/documents/{ids['乙.txt']}/answer").content == answer
    events = calling.get(f"/v1/jobs/{accepted['job']}/events").text
    assert ids["乙.txt"] in events
    assert ids["甲.txt"] not in events
    assert calling.delete(f"/v1/documents/{ids['包.zip']}").status_code == 204
    assert calling.get(f"/v1/documents/{ids['乙.txt']}").status_code == 404


def test_a_waiting_upload_keeps_its_bytes(tmp_path: Path) -> None:
    """An upload that waits for a place in a full queue is processed once there is one."""
    settings = "[service]\nworkers = 1\nmax_queue = 1\nrate_per_minute = 0\n"
    with served(tmp_path, settings) as server, server.client() as client:
        client.post("/v1/queue/pause", json={})
        _send(client, "first.txt", papers.text(810))
        with ThreadPoolExecutor(1) as threads, server.client() as other:
            waiting = threads.submit(_send, other, "second.txt", papers.text(811), wait="30")
            time.sleep(1.5)
            client.post("/v1/queue/resume", json={})
            accepted = waiting.result()
        assert _over(client, accepted["job"])["state"] == "done"
        _is_whole(server, client)
