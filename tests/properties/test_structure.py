"""What holds for the structure of every document."""

from hypothesis import given, settings
from hypothesis import strategies as st

from headworks.config import StructureSettings
from headworks.model.document import Document
from headworks.structure.passes import structure
from tests.build.lines import read_lines

_NUMERALS = ["一", "二", "三", "四", "五", "六", "七", "八", "九", "十", "十一", "二十"]
_LABELS = st.one_of(
    st.builds("第{}章 ".format, st.sampled_from(_NUMERALS)),
    st.builds("第{}条 ".format, st.sampled_from(_NUMERALS)),
    st.builds("{}、".format, st.sampled_from(_NUMERALS)),
    st.builds("（{}）".format, st.sampled_from(_NUMERALS)),
    st.builds("{}.".format, st.integers(1, 12)),
    st.builds("{}.{} ".format, st.integers(1, 9), st.integers(1, 9)),
    st.builds("{}.{}.{} ".format, st.integers(1, 4), st.integers(1, 4), st.integers(1, 4)),
    st.builds("（{}）".format, st.integers(1, 9)),
    st.builds("{}）".format, st.integers(1, 9)),
    st.builds("附件{} ".format, st.sampled_from(_NUMERALS)),
    st.just(""),
)
_WORDS = st.sampled_from([
    "付款方式", "甲方应当按月付款。", "乙方未付款的，依照第三条、第（二）项及附件一处理。",
    "前款情形除外；", "联系方式：", "日期：    年  月  日",
    "甲方（盖章）：", "目录", "的规定执行", "", "供水合同", "见图1和表2.1",
    "1）开闸；2）关闸；3）检修。", "第二条 内容见《水法》第三条。",
    "总则................3", "填写说明", "Section 2.1 applies",
])  # fmt: skip
_MARKS = st.sampled_from(
    [
        "",
        "",
        "",
        "|b| ",
        "|c b 16| ",
        "|h1| ",
        "|h2| ",
        "|a2| ",
        "|toc| ",
        "|pn| ",
        "|t| ",
        "|lb4| ",
    ]
)
_LINES = st.lists(st.builds("{}{}{}".format, _MARKS, _LABELS, _WORDS), max_size=30)


def _structured(lines: list[str]) -> Document:
    return structure(read_lines(lines), StructureSettings())


@settings(max_examples=300, deadline=None)
@given(_LINES)
def test_invariants(lines: list[str]) -> None:
    """Zones cover the text, headings are in order, extents nest, spans lie in the text."""
    document = _structured(lines)

    _check_zones(document)
    _check_headings(document)
    _check_anchors(document)
    for ref in document.refs:
        assert document.slice(ref.span).replace("\n", "") == ref.text
        assert (ref.target_span is not None) == (ref.status == "resolved")
        assert ref.why or ref.status == "resolved"


def _check_zones(document: Document) -> None:
    at = 0
    for zone in document.zones:
        assert zone.span.start == at
        assert zone.span.end > at
        at = zone.span.end
    assert at == len(document.text) or not document.zones


def _check_headings(document: Document) -> None:
    before = -1
    for number, heading in enumerate(document.headings):
        assert heading.id == number
        assert before < heading.span.start < heading.span.end
        before = heading.span.start
        assert heading.extent.start == heading.span.start
        assert heading.extent.end >= heading.span.end
        assert heading.evidence
        block = document.blocks[heading.block]
        assert block.span.start <= heading.span.start < block.span.end
        if heading.parent is None:
            assert heading.level <= 1
            continue
        parent = document.headings[heading.parent]
        assert parent.id < heading.id
        assert parent.level < heading.level
        assert parent.extent.covers(heading.extent)


def _check_anchors(document: Document) -> None:
    starts = [anchor.span.start for anchor in document.anchors]
    assert starts == sorted(set(starts))
    for anchor in document.anchors:
        assert anchor.path
        assert anchor.extent.covers(anchor.span)
        assert anchor.extent.end <= len(document.text)
        if anchor.is_heading:
            assert anchor.heading is not None
            assert document.headings[anchor.heading].span == anchor.span


@settings(max_examples=50, deadline=None)
@given(_LINES)
def test_deterministic(lines: list[str]) -> None:
    """The same lines give the same structure."""
    assert _structured(lines) == _structured(lines)


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(max_size=40), max_size=12))
def test_any_text(lines: list[str]) -> None:
    """No text whatever makes the structure fail."""
    document = _structured(lines)

    _check_zones(document)
    _check_headings(document)


@settings(max_examples=60, deadline=None)
@given(st.integers(2, 60))
def test_articles_are_all_found(count: int) -> None:
    """However many articles run on, all are headings, in order."""
    document = _structured(
        [f"第{number}条 双方应当遵守第{number}项约定。" for number in range(1, count)]
    )

    assert [heading.number for heading in document.headings] == list(range(1, count))
