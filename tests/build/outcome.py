"""A small contract as the stages would give it, built by hand: text, layers, chunks, verdicts."""

from typing import NamedTuple

import msgspec

from headworks.model.chunk import Chunk, LedgerEntry, Part, chunk_id
from headworks.model.document import Document, Metadata, PageSize, Profile, Source, Style
from headworks.model.outline import Anchor, CrossRef, Heading, Zone
from headworks.model.place import Box, PagePlace, Span
from headworks.model.problem import Problem
from headworks.model.verdict import Edit, Hit, Link, Route, Value, Verdict
from headworks.readers.builder import DocumentBuilder

SOURCE = Source("ab" * 32, "采购合同.pdf", "application/pdf", 4321)
TITLE, CLAUSE_1, CLAUSE_2 = "设备采购合同", "第一条 货物", "第二条 违约责任"
BODY_1 = "乙方向甲方供应附件一所列的设备。"
BODY_2 = "乙方逾期交货的，违约金为合同总额的10%，但最高不超过50万元。联系人身份证号见附件一。"
EVIL = '</script><img src=x onerror="document.title=1">'


class Built(NamedTuple):
    """The parts of an outcome."""

    document: Document
    chunks: tuple[Chunk, ...]
    ledger: tuple[LedgerEntry, ...]
    verdicts: tuple[Verdict, ...]


def paged_document() -> Document:
    """Give a contract of two pages: title, two clauses, a table, a page header, a page number."""
    builder = DocumentBuilder(SOURCE)
    builder.metadata = Metadata(title=TITLE, pages=2, tags={"version": "v2"})
    builder.page_sizes += [PageSize(595.0, 842.0), PageSize(595.0, 842.0)]
    bold = Style(bold=True, size=14.0)
    top = 72.0
    builder.lined_paragraph(
        [("机密", Box(1, 500, 30, 520, 40))], PagePlace(1, 1), role="page_header"
    )
    for text, style in ((TITLE, bold), (CLAUSE_1, bold), (BODY_1, Style())):
        width = 12.0 * len(text)
        builder.lined_paragraph(
            [(text, Box(1, 90, top, 90 + width, top + 12))], PagePlace(1, 1), style=style
        )
        top += 18
    builder.lined_paragraph([(CLAUSE_2, Box(1, 90, 700, 186, 712))], PagePlace(1, 1), style=bold)
    half = len(BODY_2) // 2
    builder.lined_paragraph(
        [
            (BODY_2[:half], Box(1, 90, 718, 90 + 12.0 * half, 730)),
            (BODY_2[half:], Box(2, 90, 72, 90 + 12.0 * (len(BODY_2) - half), 84)),
        ],
        PagePlace(1, 2),
    )
    builder.paragraph("附件一 设备清单", PagePlace(2, 2), style=bold)
    builder.table(
        [["序号", "名称", "说明"], ["1", "水泵|甲型", EVIL], ["2", "阀门", "两行\n说明"]],
        PagePlace(2, 2),
        grid={"header_rows": 1},
        boxes=[
            [Box(2, 90 + 100 * c, 120 + 20 * r, 190 + 100 * c, 140 + 20 * r) for c in range(3)]
            for r in range(3)
        ],
    )
    builder.paragraph("- 2 -", PagePlace(2, 2), role="page_number")
    builder.problem("W_GLYPH", "3 glyphs", place="page 2")
    builder.removed("invisible", 2, "page 1")
    return builder.finish()


def _find(document: Document, words: str, after: int = 0) -> Span:
    start = document.text.index(words, after)
    return Span(start, start + len(words))


def structured() -> Document:
    """Give the contract with headings, zones, anchors and references."""
    document = paged_document()
    end = len(document.text)
    title, first = _find(document, TITLE), _find(document, CLAUSE_1)
    second, annex = _find(document, CLAUSE_2), _find(document, "附件一 设备清单")
    heads = [
        Heading(0, None, 0, "title", 1, title, Span(title.start, end), TITLE, TITLE),
        Heading(1, 0, 1, "clause", 2, first, Span(first.start, second.start), CLAUSE_1, "货物",
                "第一条", "article", 1, (1,), False, ("label run 1..2", "bold")),
        Heading(2, 0, 1, "clause", 4, second, Span(second.start, annex.start), CLAUSE_2,
                "违约责任", "第二条", "article", 2, (2,), False, ("label run 1..2", "bold")),
        Heading(3, 0, 1, "appendix", 6, annex, Span(annex.start, end), "附件一 设备清单",
                "设备清单", "附件一", "annex", 1, (1,)),
    ]  # fmt: skip
    by_block = [block.span.start for block in document.blocks]
    headings = tuple(
        msgspec.structs.replace(head, block=by_block.index(head.span.start)) for head in heads
    )
    anchors = tuple(
        Anchor(head.label, head.label, head.family or "", head.numbers, head.span, head.extent,
               head.id, True)
        for head in headings if head.label
    )  # fmt: skip
    ref = _find(document, "附件一", first.end)
    far = _find(document, "附件一", second.end)
    return msgspec.structs.replace(
        document,
        profile=Profile("legal", "第X条 runs 1..2"),
        headings=headings,
        anchors=anchors,
        zones=(
            Zone("body", None, Span(0, annex.start)),
            Zone("appendix", "附件一", Span(annex.start, end)),
        ),
        refs=(
            CrossRef(ref, "附件一", "附件一", "resolved", headings[3].extent),
            CrossRef(far, "附件一", "附件二", "dangling", None, "no 附件二 here"),
        ),
        problems=(*document.problems, Problem("W_REFERENCE", "附件二", "page 2", "check")),
    )


def _chunk(document: Document, ordinal: int, spans: tuple[Span, ...], **more: object) -> Chunk:
    chars = sum(len("".join(document.slice(span).split())) for span in spans)
    fields = {"kind": "clause", "zone": "body", "trail": (0,), "tokens": chars, **more}
    id_ = chunk_id(SOURCE.sha256, spans, "settings")
    return Chunk(
        id=id_, document=SOURCE.sha256, ordinal=ordinal, spans=spans, chars=chars, **fields
    )


def built() -> Built:
    """Give the contract with its chunks, ledger and verdicts."""
    document = structured()
    blocks = document.blocks
    table = next(block for block in blocks if block.table)
    second = document.headings[2].span
    chunks = (
        _chunk(document, 0, (Span(blocks[1].span.start, second.start - 1),), trail=(0, 1)),
        _chunk(document, 1, (Span(second.start, blocks[5].span.end),), trail=(0, 2)),
        _chunk(document, 2, (Span(blocks[6].span.start, table.span.end),),
               kind="appendix", zone="appendix", trail=(0, 3)),
    )  # fmt: skip
    header, number = blocks[0], blocks[-1]
    ledger = (
        LedgerEntry("page_header", header.span.start, header.span.end, 2, "page 1"),
        LedgerEntry("page_number", number.span.start, number.span.end, 5, "page 2"),
        LedgerEntry("invisible", None, None, 2, "page 1"),
    )
    rate = _find(document, "合同总额的10%")
    hit = Hit(
        "contract/penalty",
        "contract@1.0.0",
        "tag",
        _find(document, "违约金为合同总额的10%"),
        {"比例": Value("合同总额的10%", "percent", "0.10", rate)},
        ("包含“违约金”",),
    )
    verdicts = (
        Verdict(chunks[0].id, Route("general", "default")),
        Verdict(
            chunks[1].id,
            Route("legal-review", "contract/route-legal", "interactive", ("contract/other",)),
            tags=("RISK_CLAUSE",),
            hits=(hit,),
            edits=(Edit(_find(document, "50万元"), "AMOUNT", "[AMOUNT_1]", "privacy/amount"),),
            links=(Link("民法典", "第585条", "contract/penalty"),),
        ),
        Verdict(chunks[2].id, Route("tables", "contract/route-table"), skip="contract/skip"),
    )
    return Built(document, chunks, ledger, verdicts)


def table_part() -> tuple[Document, Chunk]:
    """Give the contract and a chunk of the last row of its table, the header repeated in it."""
    document = structured()
    table = next(block for block in document.blocks if block.table)
    assert table.table is not None
    row = table.table.row_span(2, 3)
    head = table.table.row_span(0, 1)
    header = Span(head.start, head.end + 1)
    part = Part(2, 2, header)
    return document, _chunk(document, 3, (header, row), kind="table", zone="appendix", part=part)
