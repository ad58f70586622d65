import json
import re
from base64 import b64decode, b64encode
from hashlib import sha256
from html.parser import HTMLParser

import msgspec
import pytest

from headworks.assembly import records
from headworks.assembly import report as report_module
from headworks.assembly.passages import chunk_records
from headworks.assembly.report import report
from tests.build.outcome import EVIL, Built, built

PICTURE = b"\x89PNG\r\n\x1a\n picture"


def page(outcome: Built | None = None, pictures: dict[int, bytes] | None = None) -> str:
    """Give the report of an outcome as text."""
    outcome = outcome or built()
    chunks = chunk_records(outcome.document, outcome.chunks, outcome.verdicts)
    record = records.document_record(
        outcome.document, outcome.ledger, records.versions_record("s", {}), chunks=len(chunks)
    )
    ledger = records.ledger_records(outcome.document, outcome.ledger)
    return report(record, chunks, ledger, outcome.document.page_sizes, pictures).decode()


class _Tags(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.seen: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))


def embedded(shown: str) -> dict[str, object]:
    """Give the content that the page carries."""
    found = re.search(r'<script type="application/json" id="content">(.*?)</script>', shown, re.S)
    assert found is not None
    content: dict[str, object] = json.loads(found[1])
    return content


def test_a_documents_words_are_never_markup() -> None:
    """Text that looks like a script's end or a picture stays text: it brings no element in."""
    evil = msgspec.structs.replace(
        built().document.metadata, title='</title><script>alert(1)</script><img src="x">'
    )
    outcome = built()
    document = msgspec.structs.replace(outcome.document, metadata=evil)
    shown = page(outcome._replace(document=document))
    tags = _Tags()
    tags.feed(shown)
    assert [tag for tag, _ in tags.seen].count("script") == 2
    assert "img" not in [tag for tag, _ in tags.seen]
    assert EVIL not in shown
    assert EVIL in json.dumps(embedded(shown), ensure_ascii=False).replace('\\"', '"')


def test_the_policy_allows_its_own_script_alone() -> None:
    """The page's policy names the hashes of its style and script, and nothing from outside."""
    shown = page()
    policy = re.search(r'Content-Security-Policy" content="([^"]*)"', shown)
    assert policy is not None
    assert policy[1].startswith("default-src 'none'; img-src data:;")
    scripts = re.findall(r"<script>(.*?)</script>", shown, re.S)
    styles = re.findall(r"<style>(.*?)</style>", shown, re.S)
    for text in (*scripts, *styles):
        assert b64encode(sha256(text.encode()).digest()).decode() in policy[1]


def test_the_page_asks_for_nothing_outside() -> None:
    """No element names an address: the page works from a folder without a network."""
    tags = _Tags()
    tags.feed(page(pictures={1: PICTURE}))
    assert [attrs for _, attrs in tags.seen if "src" in attrs or "href" in attrs] == []
    bare = re.sub(r"<script.*?</script>", "", page(), flags=re.S)
    assert "http://" not in bare
    assert "https://" not in bare


def test_pictures_travel_inside() -> None:
    """A page's picture is part of the page, as data."""
    pictures = embedded(page(pictures={2: PICTURE}))["pictures"]
    assert isinstance(pictures, dict)
    assert b64decode(pictures["2"].partition(",")[2]) == PICTURE


def test_headings_and_references_lead_to_chunks() -> None:
    """A line of the outline and a resolved reference name the position of a chunk."""
    content = embedded(page())
    assert [line["chunk"] for line in content["outline"]] == [0, 0, 1, 2]  # type: ignore[attr-defined]
    assert [ref["chunk"] for ref in content["references"]] == [2, -1]  # type: ignore[attr-defined]


def test_a_very_large_document_is_shown_in_part(monkeypatch: pytest.MonkeyPatch) -> None:
    """Beyond what a browser opens at once the page says how many chunks are not in it."""
    monkeypatch.setattr(report_module, "_MOST_CHUNKS", 2)
    content = embedded(page())
    assert (len(content["chunks"]), content["left"]) == (2, 1)  # type: ignore[arg-type]
