"""Documents without clauses: sections, slides, code, and small neighbours."""

from tests.unit.chunking.conftest import Cutter


def test_sections_are_chunks_and_small_ones_join_their_siblings(cutting: Cutter) -> None:
    """A section over the least size stands alone; small ones under one parent join."""
    long = "设备应当安放在干燥的房间里，远离热源。" * 6
    lines = f"# 安装\n{long}\n# 注意\n小心。\n# 警告\n断电。\n# 维护\n{long}"
    _, _, texts = cutting(lines, profile="manual")
    assert [text.split("\n")[0] for text in texts] == ["安装", "注意"]
    assert sum("注意\n小心。\n警告\n断电。" in text for text in texts) == 1


def test_no_heading_stands_alone(cutting: Cutter) -> None:
    """A title above another title goes along; an empty section stays with its sibling (B017)."""
    _, _, texts = cutting("# A\n## A1\n这里有文字。\n## A2", profile="general")
    assert texts == ["A\nA1\n这里有文字。\nA2"]


def test_cutting_only_at_a_level(cutting: Cutter) -> None:
    """Split at # only: one chunk a section, with its ## inside (B030)."""
    lines = "# 一\n甲。\n## 一点一\n乙。\n## 一点二\n丙。\n# 二\n丁。\n## 二点一\n戊。"
    _, _, texts = cutting(lines, profile="general", split_at=1)
    assert texts == ["一\n甲。\n一点一\n乙。\n一点二\n丙。", "二\n丁。\n二点一\n戊。"]


def test_each_heading_keeps_its_own_table(cutting: Cutter) -> None:
    """Two sections with a table each are two chunks, each with its own (B031)."""
    _, _, texts = cutting(
        "## 标签一\n|= 甲 | 乙\n| 1 | 2\n## 标签二\n|= 丙 | 丁\n| 3 | 4", split_at=2
    )
    assert texts == ["标签一\n甲\t乙\n1\t2", "标签二\n丙\t丁\n3\t4"]


def test_code_stays_whole(cutting: Cutter) -> None:
    """A block of code that fits is never cut (B022)."""
    code = "` # 注释\n` ## x\n` y = 1"
    _, result, texts = cutting(f"# 用法\n{'说明文字。' * 20}\n{code}\n# 其他\n{'另一段。' * 25}")
    assert any("# 注释\n## x\ny = 1" in text for text in texts)
    assert len(result.chunks) == 2


def test_code_over_the_ceiling_is_cut_between_lines(cutting: Cutter) -> None:
    """Code too large is cut at line ends, indentation kept."""
    _, _, texts = cutting("\n".join(f"`     第{n}行 = {n}" for n in range(30)), max_chars=60)
    assert all(line.strip().startswith("第") for text in texts for line in text.split("\n"))
    assert len(texts) > 5


def test_slides_are_apart_unless_they_are_small(cutting: Cutter) -> None:
    """A slide is a chunk; its notes stay with it."""
    text = "这一页讲市场的规模和增长的速度。" * 8
    _, result, texts = cutting(
        f"/1\n# 市场\n{text}\n/2\n# 产品\n{text}\n* 备注一\n/3\n# 团队\n{text}"
    )
    assert [chunk.kind for chunk in result.chunks] == ["slide"] * 3
    assert texts[1].endswith("备注一")


def test_comments_stay_with_their_paragraph(cutting: Cutter) -> None:
    """A comment is in the chunk of the paragraph before it."""
    lines = "\n".join(f"{'甲方付款。' * 6}\n% 批注{n}：请核对" for n in range(9))
    _, _, texts = cutting(lines, max_chars=100)
    assert all(not text.startswith("批注") for text in texts)


def test_long_text_without_headings_is_cut_evenly_at_paragraphs(cutting: Cutter) -> None:
    """Paragraphs that fit are never cut, and no crumb is left over."""
    _, result, texts = cutting("\n".join(["甲方应当在三十日内付款。" * 5] * 30), max_chars=400)
    assert {len(text.split("\n")) for text in texts} <= {4, 5, 6}
    assert min(chunk.chars for chunk in result.chunks) > 200


def test_an_empty_document_has_no_chunks(cutting: Cutter) -> None:
    """Nothing in, nothing out, and the ledger balances."""
    _, result, _ = cutting("")
    assert result.chunks == ()


def test_weak_cuts_fall_where_the_matter_changes(cutting: Cutter) -> None:
    """Between paragraphs of equal length, the cut is where the words change."""
    pumps = [f"水泵的叶轮每{n}个月检查一次，水泵的轴承每{n}个月加油一次。" for n in "三四五"]
    wages = [f"员工的工资每月{n}日发放，员工的奖金在每季度{n}日发放完毕。" for n in "五六七"]
    for shift in (1, 2, 3):
        lines = [*pumps[:shift], *wages[: 4 - shift]]
        _, _, texts = cutting("\n".join(lines), max_chars=95, min_chars=20, profile="general")
        assert len(texts) == 2
        assert [("水泵" in text, "员工" in text) for text in texts] == [
            (True, False),
            (False, True),
        ]
