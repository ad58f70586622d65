"""Paragraphs and sentences over the ceiling."""

import pytest

from tests.unit.chunking.conftest import Cutter

_BAD_STARTS = tuple("。，；、：！？）」”》")


def test_the_stop_stays_with_its_sentence(cutting: Cutter) -> None:
    """Cut at ten characters, no chunk begins with a closing mark (B025)."""
    _, _, texts = cutting("天色渐晚细雨如烟，而我在等。哈哈哈……", max_chars=14)
    assert texts == ["天色渐晚细雨如烟，而我在等。", "哈哈哈……"]


def test_ten_thousand_characters_are_cut_at_stops(cutting: Cutter) -> None:
    """Chinese without spaces or line ends is cut at 。？！； under the ceiling (B026)."""
    _, result, texts = cutting("甲方付款！乙方交货？丙方验收；丁方见证。" * 500)
    assert all(text[-1] in "。？！；" for text in texts)
    assert max(chunk.chars for chunk in result.chunks) <= 800
    assert len(texts) < 16


def test_no_cut_inside_pairs_or_numbers(cutting: Cutter) -> None:
    """Quotes, brackets, amounts, versions, dates and addresses hold (B027, B028)."""
    text = (
        "他说：“合同已生效。请尽快付款！”甲方（以下简称“委托方”）同意。第3.2款约定“乙方……”。"
        "价款1,200.50元，版本V1.0.2，日期2024.03.01，网站www.a.com，王某某(身份证…)签收。"
    )
    _, _, texts = cutting(text * 3, max_chars=60)
    for held in ("效。请", "1,200.50元", "V1.0.2", "2024.03.01", "www.a.com", "(身份证…)"):
        assert sum(chunk.count(held) for chunk in texts) == 3
    assert not any(chunk.startswith(_BAD_STARTS) for chunk in texts)


def test_a_sentence_over_the_ceiling_is_cut_at_commas_and_marked(cutting: Cutter) -> None:
    """Each piece says its part, the reader is warned, and it ends at a comma where there is one."""
    _, result, texts = cutting("甲方应当按期付款，" * 20 + "完。", max_chars=50)
    assert all(text.endswith(("，", "。")) for text in texts)
    parts = [chunk.part for chunk in result.chunks]
    assert [part.index for part in parts if part] == list(range(1, len(parts) + 1))
    assert [problem.code for problem in result.problems] == ["W_SPLIT"]


def test_without_a_comma_the_cut_is_between_words(cutting: Cutter) -> None:
    """A cut at a character parts no number and no Latin word."""
    _, _, texts = cutting("甲乙丙丁1234567890戊己庚辛warranty" * 9, max_chars=40)
    assert all(text.count("1234567890") == text.count("123") for text in texts)
    assert not any(text.startswith(_BAD_STARTS) for text in texts)


@pytest.mark.parametrize("ceiling", [1, 2, 5])
def test_the_smallest_ceilings_hold(cutting: Cutter, ceiling: int) -> None:
    """Even a ceiling of one character is kept."""
    _, result, _ = cutting("# 第一条 甲\n乙方付款，丙方收款。", max_chars=ceiling, min_chars=0)
    assert max(chunk.chars for chunk in result.chunks) <= ceiling


def test_overlap_is_whole_sentences_in_the_ledger(cutting: Cutter) -> None:
    """Asked for, the last sentences of a chunk stand in the next one too, told in the ledger."""
    text = "".join(f"这是第{number}句话，甲方付款。" for number in range(40))
    document, result, texts = cutting(text, max_chars=100, min_chars=20, overlap=30)
    for before, after in zip(result.chunks, result.chunks[1:], strict=False):
        assert after.overlap is not None
        assert document.slice(after.overlap).strip().startswith("这是第")
        assert before.text_in(document.text).endswith(document.slice(after.overlap).strip())
    assert [entry.reason for entry in result.ledger] == ["overlap"] * (len(texts) - 1)
    assert max(chunk.chars for chunk in result.chunks) <= 100
