from headworks.assembly.links import (
    MOST_TARGETS,
    ChunkIndex,
    context_after,
    context_before,
    references,
)
from headworks.chunking.cut import cut
from headworks.config import ChunkSettings, StructureSettings
from headworks.model.chunk import Chunk
from headworks.model.place import Span
from headworks.structure.passes import structure
from tests.build.document import build
from tests.build.outcome import built


def _chunk(ordinal: int, *spans: Span) -> Chunk:
    return Chunk(str(ordinal), "d", ordinal, spans, "text", "body", (), 1, 1)


def test_a_reference_names_the_chunks_of_its_target() -> None:
    """A resolved reference gives its target's chunks; the target knows who points to it."""
    outcome = built()
    held, pointing = references(outcome.document, ChunkIndex(outcome.chunks))
    assert held[0][0].chunks == [outcome.chunks[2].id]
    assert held[0][0].resolved
    assert held[1][0].chunks == []
    assert held[1][0].status == "dangling"
    assert [link.chunk for link in pointing[2]] == [outcome.chunks[0].id]


def test_a_reference_to_a_figure_carries_its_caption() -> None:
    """见图1 brings the caption and the picture's words from another chunk, never a table's rows."""
    lines = (
        "# 第一条 外观\n外观见图1，尺寸见表1。\n# 第二条 附图\n! 铭牌：渠首一号\n= 图1 闸门外观\n"
        "# 第三条 尺寸\n表1 闸门尺寸\n| 宽 | 高 |\n| 3 | 4 |\n"
    )
    document = structure(build(lines), StructureSettings())
    chunks = cut(document, ChunkSettings()).chunks
    held, _ = references(document, ChunkIndex(chunks))
    contexts = {ref.text: ref.context for ref in held[0]}
    assert contexts == {"图1": "铭牌：渠首一号\n图1 闸门外观", "表1": "表1 闸门尺寸"}


def test_an_offset_between_the_ranges_of_a_chunk_is_not_in_it() -> None:
    """A page footer between two ranges of a chunk belongs to no chunk."""
    index = ChunkIndex([_chunk(0, Span(0, 5), Span(9, 12)), _chunk(1, Span(12, 20))])
    assert index.within(Span(5, 9), 9) == []
    assert index.within(Span(4, 10), 9) == [0]
    assert index.within(Span(11, 13), 9) == [0, 1]


def test_a_whole_chapter_names_its_first_chunks() -> None:
    """A target of very many chunks is named by its first ones."""
    index = ChunkIndex([_chunk(n, Span(n, n + 1)) for n in range(200)])
    assert index.within(Span(0, 200), MOST_TARGETS) == list(range(MOST_TARGETS))


def test_context_is_whole_sentences() -> None:
    """Context holds the nearest sentences of a neighbour, each whole."""
    text = "甲是买方。乙是卖方。丙是担保人。丁"
    chunk = _chunk(0, Span(0, 16))
    assert context_before(text, chunk, 12) == "乙是卖方。丙是担保人。"
    assert context_after(text, chunk, 12) == "甲是买方。乙是卖方。"
    assert context_before(text, chunk, 100) == "甲是买方。乙是卖方。丙是担保人。"
    assert context_before(text, None, 12) == context_after(text, chunk, 0) == ""


def test_context_without_a_sentence_end_is_cut() -> None:
    """A neighbour that is one long sentence gives its nearest characters."""
    text = "甲" * 50
    chunk = _chunk(0, Span(0, 50))
    assert context_before(text, chunk, 12) == context_after(text, chunk, 12) == "甲" * 12
