import json

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from headworks.assembly import records
from headworks.assembly.passages import chunk_records
from headworks.assembly.report import report
from headworks.config import ChunkSettings, RuleSettings, Settings
from headworks.model.document import Document, Source
from headworks.model.place import PartPlace
from headworks.pipeline import process_document
from headworks.readers.builder import DocumentBuilder
from headworks.rules.book import load

SOURCE = Source("0" * 64, "a.docx", "application/docx", 1)
LABELS = ["第一条 ", "第二条 ", "第三章 ", "一、", "（二）", "1. ", "1.1 ", "附件一 ", "", "", ""]
WORDS = [
    "货物",
    "违约金为合同总额的10%。",
    "见附件一。",
    "按照第一条的规定，",
    "😀</script>",
    "价款100万元；",
    " ",
    "\n",
]
BOOK = load(["contract"], RuleSettings(time_budget_seconds=60))


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Give a document of labelled paragraphs, tables, headers and odd characters."""
    builder = DocumentBuilder(SOURCE)
    for number in range(draw(st.integers(1, 25))):
        place = PartPlace("word/document.xml", number)
        if draw(st.integers(0, 9)) == 0:
            cell = st.sampled_from(["甲|乙", "1", "", "很长的一格" * 9])
            columns = draw(st.integers(1, 4))
            row = st.lists(cell, min_size=columns, max_size=columns)
            grid = draw(st.lists(row, min_size=1, max_size=30))
            builder.table(grid, place, grid={"header_rows": draw(st.integers(0, 1))})
            continue
        role = "page_header" if draw(st.integers(0, 9)) == 0 else "body"
        text = draw(st.sampled_from(LABELS))
        text += "".join(draw(st.lists(st.sampled_from(WORDS), min_size=1, max_size=20)))
        builder.paragraph(text, place, role=role)
    return builder.finish()


@given(documents(), st.sampled_from([20, 120, 800]), st.sampled_from([0, 10]))
@settings(max_examples=200, deadline=None)
def test_every_code_point_is_accounted_for(document: Document, ceiling: int, overlap: int) -> None:
    """Recounted from the written files alone: each character stands in one chunk or the ledger."""
    chosen = Settings(chunk=ChunkSettings(max_chars=ceiling, min_chars=10, overlap=overlap))
    outcome = process_document(document, chosen, BOOK)
    chunks = chunk_records(outcome.document, outcome.chunks, outcome.verdicts)
    ledger = records.ledger_records(outcome.document, outcome.ledger)
    text = outcome.document.text
    seen = [0] * len(text)
    for line in records.encode_lines(chunks).splitlines():
        chunk = json.loads(line)
        assert chunk["text"] == "".join(text[start:end] for start, end in chunk["spans"])
        for start, end in chunk["spans"]:
            for offset in range(start, end):
                seen[offset] += 1
    for line in records.encode_lines(ledger).splitlines():
        entry = json.loads(line)
        if entry["start"] is not None:
            for offset in range(entry["start"], entry["end"]):
                overlapping = entry["reason"] == "overlap"  # in two chunks, or in more
                seen[offset] = min(seen[offset], 1) if overlapping else seen[offset] + 1
    wrong = [offset for offset, count in enumerate(seen) if count != 1 and text[offset].strip()]
    assert [(offset, text[offset]) for offset in wrong] == []


@given(documents())
@settings(max_examples=50, deadline=None)
def test_equal_documents_give_equal_files(document: Document) -> None:
    """The whole way twice over one document gives the same bytes, the report's too."""
    twice = []
    for _ in range(2):
        outcome = process_document(document, Settings(), BOOK)
        chunks = chunk_records(outcome.document, outcome.chunks, outcome.verdicts)
        versions = records.versions_record("s", BOOK.versions)
        record = records.document_record(
            outcome.document, outcome.ledger, versions, chunks=len(chunks)
        )
        ledger = records.ledger_records(outcome.document, outcome.ledger)
        page = report(record, chunks, ledger)
        assert page.count(b"</script>") == 2
        twice.append((records.encode(record), records.encode_lines(chunks), page))
        assert msgspec.json.decode(twice[-1][0])["chunks"] == len(chunks)
    assert twice[0] == twice[1]
