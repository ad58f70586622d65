"""Clauses: each whole, each its own, with the titles that lead to it."""

from tests.unit.chunking.conftest import Cutter

LAW = """
#0 管理办法
# 第一章 总则
## 第一条 目的
为了规范管理，制定本办法。
## 第二条 范围
本办法适用于本单位。
# 第二章 附则
## 第三条 施行
本办法自发布之日起施行。
"""


def test_each_clause_is_its_own_chunk(cutting: Cutter) -> None:
    """A 第X条 that fits is a chunk; a chapter's title may go with its first clause."""
    _, _, texts = cutting(LAW, chapter_titles="chunk")
    assert [text.split("\n")[0] for text in texts] == ["管理办法", "第二条 范围", "第二章 附则"]
    assert texts[0].startswith("管理办法\n第一章 总则\n第一条 目的\n为了")


def test_a_chunk_knows_the_headings_above_it(cutting: Cutter) -> None:
    """The trail leads from the title to the clause, though the chunk begins with a chapter."""
    document, result, _ = cutting(LAW)
    trail = [document.headings[number].text for number in result.chunks[2].trail]
    assert trail == ["管理办法", "第二章 附则", "第三条 施行"]
    assert {chunk.kind for chunk in result.chunks} == {"clause"}


def test_a_clause_keeps_its_paragraphs_items_and_closing_sentence(cutting: Cutter) -> None:
    """款, 项 and the sentence after them are one clause, in order, nothing else mixed in (B012)."""
    clause = (
        "# 第五条 处罚\n有下列情形之一的：\n（一）逾期；\n（二）转让；\n（三）拒收；\n（四）其他\n"
        "前款情形由双方协商。\n第三款。"
    )
    _, _, texts = cutting(f"# 第四条 前条\n甲。\n{clause}\n# 第六条 后条\n乙。")
    assert texts[1] == clause.removeprefix("# ")


def test_chapter_titles_in_the_path_alone(cutting: Cutter) -> None:
    """A chapter's title stands in the path and the ledger only."""
    document, result, texts = cutting(LAW)
    assert [text.split("\n")[0] for text in texts] == ["管理办法", "第二条 范围", "第三条 施行"]
    assert "第一章" not in texts[0]
    assert [entry.reason for entry in result.ledger] == ["heading_path"] * 2
    trail = [document.headings[number].text for number in result.chunks[2].trail]
    assert trail == ["管理办法", "第二章 附则", "第三条 施行"]


def test_whole_chapters_where_asked_for(cutting: Cutter) -> None:
    """With chapters as the unit, a chapter's chunk holds its articles whole (B010)."""
    _, _, texts = cutting(LAW, unit="chapter")
    assert [text.split("\n")[0] for text in texts] == ["管理办法", "第二章 附则"]
    assert "第二条 范围" in texts[0]


def test_articles_stay_whole_in_a_chapter_over_the_ceiling(cutting: Cutter) -> None:
    """A chapter that does not fit is cut between its articles only."""
    lines = ["# 第一章 总则"]
    for number in "一二三四五六七八九":
        lines += [f"## 第{number}条 标题", "甲方应当付款。" * 5]
    _, _, texts = cutting("\n".join(lines), unit="chapter", max_chars=100)
    assert all(text.split("\n")[0].startswith("第") for text in texts)
    assert 4 <= len(texts) <= 5


def test_items_where_asked_for(cutting: Cutter) -> None:
    """With items as the unit, a clause is cut before each of its items."""
    lines = "# 第一条 付款\n（一）首付三成。\n（二）尾款七成。\n# 第二条 交货\n立即。"
    _, _, texts = cutting(lines, unit="item")
    assert texts == ["第一条 付款\n（一）首付三成。", "（二）尾款七成。", "第二条 交货\n立即。"]


def test_a_heading_with_articles_is_a_chapter_whatever_its_label(cutting: Cutter) -> None:
    """一、 over 第X条 does not swallow the articles."""
    lines = "# 一、一般规定\n## 第一条 甲\n一。\n## 第二条 乙\n二。\n# 二、其他\n## 第三条 丙\n三。"
    _, _, texts = cutting(lines)
    assert [text.split("\n")[-2] for text in texts] == ["第一条 甲", "第二条 乙", "第三条 丙"]


def test_a_large_clause_is_cut_at_its_items_first(cutting: Cutter) -> None:
    """Items before paragraphs, paragraphs before sentences."""
    item = "乙方应当按期交货并承担运费。" * 3
    lines = f"# 第一条 义务\n双方约定如下。\n（一）{item}\n（二）{item}\n（三）{item}\n（四）{item}"
    _, _, texts = cutting(lines, max_chars=110)
    assert [text[:3] for text in texts[1:]] == ["（三）"]


def test_short_titles_without_text_stay_with_a_neighbour(cutting: Cutter) -> None:
    """An empty clause goes with the one before it; a run of them is a chunk, none alone (B017)."""
    _, _, texts = cutting("# 第一条 甲\n一。\n# 第二条 空\n# 第三条 丙\n三。")
    assert texts == ["第一条 甲\n一。\n第二条 空", "第三条 丙\n三。"]
    _, _, texts = cutting("# 第一条 甲\n一。\n# 第二条 空\n# 第三条 空\n# 第四条 丁\n四。")
    assert texts == ["第一条 甲\n一。", "第二条 空\n第三条 空", "第四条 丁\n四。"]


def test_headings_in_a_row_stay_with_the_first_text(cutting: Cutter) -> None:
    """Title, subtitle and heading before the first paragraph are all kept in its chunk (B018)."""
    _, _, texts = cutting("#0 手册\n# 第一部分\n## 安装\n先断电。\n## 使用\n再通电。")
    assert texts[0].startswith("手册\n第一部分\n安装\n先断电。")


def test_a_heading_goes_with_the_first_sentence_of_a_long_paragraph(cutting: Cutter) -> None:
    """A title is never alone, though the paragraph under it must be cut."""
    _, _, texts = cutting("# 第一条 付款\n" + "甲方应当在三十日内付款。" * 9, max_chars=50)
    assert texts[0].startswith("第一条 付款\n甲方")
    assert all(text.endswith("。") for text in texts)


def test_a_long_annex_without_clauses_keeps_the_ceiling(cutting: Cutter) -> None:
    """Ten short clauses and an annex of 30,000 characters: the annex is cut (B011)."""
    lines = [f"# 第{number}条 标题\n甲方付款。" for number in range(1, 11)]
    lines += ["@appendix 附件一", "# 附件一 技术要求"] + ["设备应当符合国家标准的规定。" * 15] * 143
    _, result, texts = cutting("\n".join(lines))
    assert len(texts) > 40
    assert max(chunk.chars for chunk in result.chunks) <= 800
    assert all(text.endswith("。") for text in texts)


def test_nothing_joins_across_zones(cutting: Cutter) -> None:
    """Cover, body, appendix and signature are apart, however small."""
    lines = (
        "@cover\n采购合同\n编号：1\n@body\n# 第一条 甲\n一。\n@signature\n甲方（盖章）：\n"
        "@appendix 附件一\n# 附件一 清单\n无。"
    )
    _, result, _ = cutting(lines)
    assert [chunk.zone for chunk in result.chunks] == ["cover", "body", "signature", "appendix"]
    assert [chunk.kind for chunk in result.chunks] == ["cover", "clause", "signature", "appendix"]


def test_furniture_splits_a_span_and_not_a_chunk(cutting: Cutter) -> None:
    """A page footer in the middle of a clause is left out, the clause stays one chunk."""
    _, result, texts = cutting("# 第一条 甲\n前半句，\n_第1页\n^机密\n后半句。")
    assert texts == ["第一条 甲\n前半句，\n后半句。"]
    assert len(result.chunks[0].spans) == 2
    assert [entry.reason for entry in result.ledger] == ["page_footer", "page_header"]


def test_a_contents_page_is_in_the_ledger_or_a_chunk(cutting: Cutter) -> None:
    """The contents page is listed by default and a chunk of its own where asked for."""
    lines = "@contents\n目录\n~第一条\t1\n@body\n# 第一条 甲\n一。"
    _, result, texts = cutting(lines)
    assert texts == ["第一条 甲\n一。"]
    assert {entry.reason for entry in result.ledger} == {"contents"}
    _, result, _ = cutting(lines, contents="chunk")
    assert [chunk.kind for chunk in result.chunks] == ["contents", "clause"]


def test_amended_articles_are_clauses_of_their_own(cutting: Cutter) -> None:
    """What gives an article its new words is a clause; what holds several is their chapter."""
    _, _, texts = cutting(
        "# 一、修改登记办法\n## 1.将第二条修改为：\n“每日登记。”\n"
        "## 2.将第五条修改为：\n“每月核对。”"
    )
    assert texts == [
        "1.将第二条修改为：\n“每日登记。”",
        "2.将第五条修改为：\n“每月核对。”",
    ]
