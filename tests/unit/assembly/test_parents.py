"""Parents: the larger passages that chunks belong to."""

from itertools import pairwise

from headworks.assembly.parents import parents
from headworks.chunking.cut import cut
from headworks.config import ChunkSettings
from headworks.model.document import Document
from tests.build.document import build

LAW = "\n".join(
    f"# 第{chapter}章 水闸\n## 第{first}条 启闭\n启闭应当登记，由值班员签字。\n"
    f"## 第{second}条 巡查\n每日巡查水闸两次。"
    for chapter, first, second in (("一", "一", "二"), ("二", "三", "四"), ("三", "五", "六"))
)


def _parents(document: Document, most: int) -> list[tuple[int, int]]:
    chunks = cut(document, ChunkSettings()).chunks
    return [(record.start, record.end) for record in parents(document, chunks, most)]


def test_a_chapter_is_the_parent_of_its_articles() -> None:
    """Articles of one chapter have one parent, and it names the chapter."""
    document = build(LAW, profile="legal")
    chunks = cut(document, ChunkSettings()).chunks
    found = parents(document, chunks, 60)
    assert [record.chunks for record in found] == [2] * 6
    assert len({record.id for record in found}) == 3
    assert document.headings[found[2].heading or 0].text == "第二章 水闸"


def test_small_sections_share_a_parent() -> None:
    """What is small goes together with its neighbours, in order and without a gap or an overlap."""
    document = build(LAW, profile="legal")
    assert len(set(_parents(document, 2000))) == 1
    spans = sorted(set(_parents(document, 30)))
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_no_chunk_is_parted() -> None:
    """A chunk over the length is its own parent, whole."""
    document = build(LAW, profile="legal")
    chunks = cut(document, ChunkSettings()).chunks
    found = parents(document, chunks, 1)
    assert [(one.start, one.end) for one in found] == [(c.start, c.end) for c in chunks]
    assert parents(document, (), 10) == []
