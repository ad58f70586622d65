"""Documents over the API."""

import json
import time

import httpx
import pytest

from tests.web import papers
from tests.web.serving import Server


def _send(calling: httpx.Client, name: str, content: bytes, **fields: str) -> httpx.Response:
    return calling.post("/v1/documents", files={"file": (name, content)}, data=fields)


def _over(client: httpx.Client, job: str) -> dict[str, object]:
    for _ in range(300):
        view: dict[str, object] = client.get(f"/v1/jobs/{job}").json()
        if view["state"] in ("done", "failed", "cancelled"):
            return view
        time.sleep(0.1)
    raise AssertionError(view)


def test_a_document_goes_in_and_its_chunks_come_out(client: httpx.Client) -> None:
    """202 with job and document at once; then chunks with tags, routes and places."""
    answer = _send(client, "采购合同.pdf", papers.page(1), priority="interactive", tags="client=甲")
    assert answer.status_code == 202
    accepted = answer.json()
    view = _over(client, accepted["job"])
    assert view["state"] == "done"
    result = client.get(f"/v1/documents/{accepted['document']}").json()
    assert result["document"]["name"] == "采购合同.pdf"
    assert result["document"]["tags"] == {"client": "甲"}
    assert result["record"]["source"]["sha256"] == result["document"]["sha256"]
    page = client.get(f"/v1/documents/{accepted['document']}/chunks").json()
    assert page["total"] == len(page["chunks"])
    penalty = next(chunk for chunk in page["chunks"] if "违约金" in chunk["text"])
    assert "RISK_CLAUSE" in penalty["tags"]
    assert penalty["boxes"]


def test_chunks_come_in_pages_or_as_lines(client: httpx.Client) -> None:
    """Pages follow one another without a gap; lines are the file itself."""
    document = client.post("/v1/preprocess", files={"file": ("a.txt", papers.text(2))}).json()[
        "document"
    ]
    whole = client.get(f"/v1/documents/{document}/files/chunks.jsonl").text
    ids, after = [], 0
    while after is not None:
        page = client.get(f"/v1/documents/{document}/chunks?limit=2&after={after}").json()
        ids += [chunk["id"] for chunk in page["chunks"]]
        after = page["next"]
    assert ids == [json.loads(line)["id"] for line in whole.splitlines()]
    lines = client.get(
        f"/v1/documents/{document}/chunks", headers={"Accept": "application/x-ndjson"}
    )
    assert lines.text == whole


def test_the_same_document_is_not_processed_twice(client: httpx.Client) -> None:
    """Same bytes, name, rules and settings are one document; other rules are another."""
    first = _send(client, "b.txt", papers.text(3)).json()
    _over(client, first["job"])
    second = _send(client, "b.txt", papers.text(3)).json()
    assert (second["document"], second["job"], second["existing"]) == (
        first["document"],
        first["job"],
        True,
    )
    third = _send(client, "b.txt", papers.text(3), rules="finance").json()
    assert third["document"] != first["document"]


def test_preprocess_answers_with_the_chunks(client: httpx.Client) -> None:
    """One call for a small file; its code where it cannot be processed."""
    answer = client.post("/v1/preprocess", files={"file": ("c.txt", papers.text(4))})
    assert answer.status_code == 200
    assert any("质保金" in chunk["text"] for chunk in answer.json()["chunks"])
    broken = client.post("/v1/preprocess", files={"file": ("c.docx", b"PK\x03\x04" + b"x" * 90)})
    assert broken.status_code == 422
    assert broken.json()["code"] == "E_CORRUPT"


def test_several_files_are_sent_at_once(client: httpx.Client) -> None:
    """Each is its own document; one that is refused does not take the others with it."""
    files = [
        ("file", ("d1.txt", papers.text(5))),
        ("file", ("d2.txt", b"")),
        ("file", ("d3.txt", papers.text(6))),
    ]
    answer = client.post("/v1/documents", files=files)
    assert answer.status_code == 202
    taken = answer.json()["files"]
    assert [one["code"] for one in taken] == ["", "E_EMPTY", ""]
    for one in (taken[0], taken[2]):
        assert _over(client, one["job"])["state"] == "done"


def test_an_archive_gives_its_documents(client: httpx.Client) -> None:
    """What is in a ZIP is processed under the same job."""
    packed = papers.archive(("甲/一.txt", papers.text(7)), ("二.txt", papers.text(8)))
    accepted = _send(client, "资料.zip", packed).json()
    view = _over(client, accepted["job"])
    names = sorted(document["name"] for document in view["documents"])  # type: ignore[index]
    assert names == ["一.txt", "二.txt", "资料.zip"]


@pytest.mark.parametrize(
    ("name", "content", "status", "code"),
    [
        ("a.docx", b"\x7fELF" + b"\0" * 200, 415, "E_TYPE"),
        ("a.txt", b"", 422, "E_EMPTY"),
        ("a.txt", b"x" * 400_001, 413, "E_TOO_LARGE"),
    ],
)
def test_what_is_no_document_is_refused(
    client: httpx.Client, name: str, content: bytes, status: int, code: str
) -> None:
    """The status and the code say why, and nothing is kept."""
    answer = _send(client, name, content)
    assert (answer.status_code, answer.json()["code"]) == (status, code)
    assert answer.headers["content-type"].startswith("application/problem+json")
    assert answer.json()["request"] == answer.headers["x-request-id"]


@pytest.mark.parametrize(
    "fields",
    [
        {"priority": "now"},
        {"wait": "nan"},
        {"wait": "-1"},
        {"tags": "x"},
        {"unknown": "1"},
        {"client": "a\nb"},
    ],
)
def test_a_wrong_field_is_named(client: httpx.Client, fields: dict[str, str]) -> None:
    """Nothing is guessed."""
    answer = _send(client, "e.txt", papers.text(9), **fields)
    assert answer.status_code == 422
    assert answer.json()["code"] == "E_REQUEST"


def test_a_rule_pack_is_named_and_not_a_path(client: httpx.Client) -> None:
    """A caller opens no file of the server by the name of a pack."""
    for name in ("../../etc/passwd", "/etc/passwd", "nothing", "/etc/hosts.yaml"):
        answer = _send(client, "f.txt", papers.text(10), rules=name)
        assert answer.status_code in (422,), answer.text
        assert answer.json()["code"] in ("E_RULES", "E_CONFIG")


def test_deletion_is_complete(client: httpx.Client, server: Server) -> None:
    """The file, its chunks and its events are gone; bytes another document has stay."""
    content = papers.text(11)
    first = client.post("/v1/preprocess", files={"file": ("g.txt", content)}).json()
    second = client.post("/v1/preprocess", files={"file": ("h.txt", content)}).json()
    digest = client.get(f"/v1/documents/{first['document']}").json()["document"]["sha256"]
    original = server.folder / "data" / "originals" / digest[:2] / digest
    for gone, still in ((first, True), (second, False)):
        assert client.delete(f"/v1/documents/{gone['document']}").status_code == 204
        assert client.get(f"/v1/documents/{gone['document']}").status_code == 404
        assert client.get(f"/v1/jobs/{gone['job']}").status_code == 404
        assert not (server.folder / "data" / "documents" / gone["document"]).exists()
        assert original.exists() is still


def test_pages_are_pictures_with_redacted_places_black(client: httpx.Client) -> None:
    """A page comes as PNG, a page that is not there as 404."""
    document = client.post("/v1/preprocess", files={"file": ("i.pdf", papers.page(12))}).json()
    picture = client.get(f"/v1/documents/{document['document']}/pages/1.png?dpi=48")
    assert picture.headers["content-type"] == "image/png"
    assert picture.content.startswith(b"\x89PNG")
    assert client.get(f"/v1/documents/{document['document']}/pages/2.png").status_code == 404


def test_the_original_comes_back_as_it_was(client: httpx.Client) -> None:
    """The same bytes, under the name they had."""
    content = papers.page(13)
    document = client.post("/v1/preprocess", files={"file": ("原件.pdf", content)}).json()
    answer = client.get(f"/v1/documents/{document['document']}/original")
    assert answer.content == content
    assert "%E5%8E%9F%E4%BB%B6.pdf" in answer.headers["content-disposition"]


def test_other_rules_judge_without_reading_again(client: httpx.Client) -> None:
    """A rerun is another document of the same source, judged by the packs it names."""
    first = client.post("/v1/preprocess", files={"file": ("j.pdf", papers.page(14))}).json()
    again = client.post(f"/v1/documents/{first['document']}/rerun", json={"rules": ["finance"]})
    assert again.status_code == 202
    accepted = again.json()
    assert accepted["document"] != first["document"]
    assert _over(client, accepted["job"])["state"] == "done"
    result = client.get(f"/v1/documents/{accepted['document']}").json()
    assert list(result["document"]["versions"]) == ["finance"]


def test_documents_are_listed_in_pages(client: httpx.Client) -> None:
    """The newest first, without a gap or a double."""
    for number in range(3):
        client.post(
            "/v1/preprocess",
            files={"file": (f"k{number}.txt", papers.text(20 + number))},
            data={"client": "列"},
        )
    names, after = [], ""
    while after is not None:
        page = client.get(f"/v1/documents?client=列&limit=2&after={after}").json()
        names += [document["name"] for document in page["documents"]]
        after = page["next"]
    assert names == ["k2.txt", "k1.txt", "k0.txt"]
