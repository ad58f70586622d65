"""Over whole made-up documents: what a rule redacted is in nothing that leaves."""

import json
import re
from collections.abc import Iterator
from random import Random

import msgspec
from hypothesis import given, settings
from hypothesis import strategies as st

from headworks.assembly import records
from headworks.assembly.formats import FORMATS
from headworks.assembly.passages import chunk_records
from headworks.assembly.report import report
from headworks.config import ChunkSettings, RuleSettings, Settings
from headworks.model.document import Document, Metadata, Source
from headworks.model.place import PartPlace
from headworks.pipeline import process_document
from headworks.privacy.places import compact
from headworks.privacy.tokens import Style, carry_out, restore
from headworks.privacy.veil import veil_over
from headworks.readers.builder import DocumentBuilder
from headworks.rules.book import RuleBook, open_pack
from headworks.rules.loader import parse_pack
from tests.build import personal

OWN = """
pack: own
rules:
  - {id: people, when: 包含姓名格式, then: [脱敏“姓名”, 标记为“人名”, 提取“姓名”]}
  - {id: notice, when: 包含“送达”, then: [警告“送达”, 标记为“送达”]}
"""
SOURCE = Source("0" * 64, "李大山的合同.docx", "application/docx", 1)
LABELS = ["第一条 ", "第二条 ", "一、", "（二）", "1. ", "1.1 ", "附件一 ", "", "", ""]
WORDS = [
    "乙方交货。",
    "送达地址另定。",
    "见第一条。",
    "订单号2024010112345678；",
    "价款100万元，",
    "\n",
]
HIDDEN = re.compile("[\U000f0000-\U0010ffff]")
NAMES = ["李大山", "李大", "王海", "欧阳明日"]
_random = Random(7)
NUMBERS = [
    personal.id_card(_random),
    personal.id_card(_random),
    personal.bank_card(_random),
    personal.credit_code(_random),
    personal.mobile(_random),
    personal.mobile(_random),
]
WIDE = str.maketrans({chr(code): chr(code + 0xFEE0) for code in range(ord("0"), ord("z"))})


def _written(number: str, how: int) -> str:
    if how == 1:
        return number.translate(WIDE)
    if how == 2 and len(number) in (11, 19):
        size = 4 if len(number) == 19 else 0
        groups = [number[at : at + 4] for at in range(0, len(number), 4)] if size else []
        return " ".join(groups) or f"{number[:3]} {number[3:7]} {number[7:]}"
    if how == 3 and len(number) == 18:
        return number[:6] + "\n" + number[6:]
    return number


VALUES = st.one_of(
    st.builds(
        lambda number, how, label: f"{label}{_written(number, how)}，",
        st.sampled_from(NUMBERS),
        st.integers(0, 3),
        st.sampled_from(["号码", "证件：", "电话 ", "（", ""]),
    ),
    st.builds(
        lambda name, label: f"{label}{name}，",
        st.sampled_from(NAMES),
        st.sampled_from(["联系人：", "送达", "由"]),
    ),
)


@st.composite
def documents(draw: st.DrawFn) -> Document:
    """Give a document with personal values in headings, sentences, cells, headers and its data."""
    builder = DocumentBuilder(SOURCE)
    builder.metadata = Metadata(author=draw(st.sampled_from(NAMES)), title=draw(VALUES))
    said = st.one_of(VALUES, st.sampled_from(WORDS))
    for number in range(draw(st.integers(1, 12))):
        place = PartPlace("word/document.xml", number)
        if draw(st.integers(0, 5)) == 0:
            columns = draw(st.integers(1, 3))
            row = st.lists(said, min_size=columns, max_size=columns)
            grid = draw(st.lists(row, min_size=1, max_size=6))
            builder.table(grid, place, grid={"header_rows": draw(st.integers(0, 1))})
            continue
        role = "page_header" if draw(st.integers(0, 7)) == 0 else "body"
        text = draw(st.sampled_from(LABELS)) + "".join(draw(st.lists(said, max_size=9)))
        builder.paragraph(text or "无", place, role=role)
    return builder.finish()


def _book(style: str) -> RuleBook:
    chosen = msgspec.convert({"redaction": style, "time_budget_seconds": 60}, RuleSettings)
    return RuleBook([open_pack("privacy"), parse_pack("own.yaml", OWN.encode())], chosen)


BOOKS = {style: _book(style) for style in ("label", "numbered", "mask")}


def _strings(told: object) -> Iterator[str]:
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        for name, one in told.items():
            yield name
            yield from _strings(one)
    elif isinstance(told, list):
        for one in told:
            yield from _strings(one)


@given(documents(), st.sampled_from(sorted(BOOKS)), st.sampled_from([20, 80, 800]))
@settings(max_examples=150, deadline=None)
def test_nothing_redacted_leaves(document: Document, style: str, ceiling: int) -> None:
    """No original is in the report, a printed format, a hit, a context, a view or a path."""
    chosen = Settings(chunk=ChunkSettings(max_chars=ceiling, min_chars=10))
    outcome = process_document(document, chosen, BOOKS[style])
    whole = outcome.document
    veil = veil_over(whole, outcome.verdicts)
    if veil is None:
        return
    originals = {compact(whole.slice(edit.span)) for edit in veil.edits}
    chunks = chunk_records(whole, outcome.chunks, outcome.verdicts, veil=veil)
    for chunk, piece in zip(chunks, outcome.chunks, strict=True):
        assert chunk.text == piece.text_in(whole.text)
    versions = records.versions_record("", {})
    record = records.document_record(whole, outcome.ledger, versions, chunks=len(chunks))
    ledger = records.ledger_records(whole, outcome.ledger)
    page = report(record, chunks, ledger, (), {}, veil).decode()
    content = re.search(r'<script[^>]*id="content"[^>]*>(.*?)</script>', page, re.DOTALL)
    assert content is not None
    title = re.search(r"<title>(.*?)</title>", page, re.DOTALL)
    assert title is not None
    leaving = [title[1], *_strings(json.loads(content[1]))]
    for name, write in FORMATS.items():
        printed = write(chunks).decode()
        lines = [printed] if name == "md" else map(json.loads, printed.splitlines())
        leaving += [text for line in lines for text in _strings(line)]
    for chunk in chunks:
        kept = msgspec.to_builtins(msgspec.structs.replace(chunk, text=""))
        leaving += list(_strings(kept))
    for text in leaving:
        bare = compact(text)
        assert not HIDDEN.search(text)
        assert not [original for original in originals if original in bare]


@given(documents(), st.sampled_from(["numbered", "mask", "label"]))
@settings(max_examples=60, deadline=None)
def test_restored_as_it_was(document: Document, style: str) -> None:
    """restore(redact(x)) == x, byte for byte; with numbers each chunk has its values back, too."""
    outcome = process_document(document, Settings(), BOOKS[style])
    veil = veil_over(outcome.document, outcome.verdicts)
    if veil is None:
        return
    text = outcome.document.text
    made = carry_out(text, veil.edits, msgspec.convert(style, type=Style))
    assert restore(made.text, made.record).text == text
    if style != "numbered":
        return
    for chunk in chunk_records(outcome.document, outcome.chunks, outcome.verdicts):
        back = restore(chunk.delivered or chunk.text, made.record)
        assert not back.unknown
        assert not back.ambiguous
        assert compact(back.text) == compact(chunk.text)
