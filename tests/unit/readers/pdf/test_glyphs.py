"""Characters as fonts write them."""

import pytest

from headworks.readers.pdf.glyphs import plain, unreadable


@pytest.mark.parametrize(
    ("written", "meant"),
    [
        ("⻚⾯布局", "页面布局"),
        ("获得⽅方法的⼀一个", "获得方法的一个"),
        ("ﬁnal oﬃce", "final office"),
        ("︵见附件︶", "（见附件）"),
        ("\uf0b7 交付", "• 交付"),
        ("（全角）ＡＢＣ，１２", "（全角）ＡＢＣ，１２"),
        ("金額", "金額"),
    ],
)
def test_characters_become_the_ordinary_ones(written: str, meant: str) -> None:
    """Radicals, ligatures, vertical forms and bullets are made plain; what was typed stays."""
    assert plain(written) == meant


def test_text_of_a_lying_font_is_counted() -> None:
    """Rare characters throughout, or far-off letters, tell that the font's table lies."""
    assert unreadable("".join(chr(0x3500 + 7 * n) for n in range(60))) == 60
    assert unreadable("ÃÄþÐßæøð" * 10) >= 60
    assert unreadable("�甲方�") == 2


def test_ordinary_texts_are_readable() -> None:
    """Simplified and traditional Chinese, Japanese and French are what they are."""
    assert unreadable("第一条 甲方应当在收到货物之日起十五日内完成验收。" * 3) == 0
    assert unreadable("買方應於收到貨物後十五日內完成驗收並出具書面單據。" * 3) == 0
    assert unreadable("Le présent marché est conclu à durée déterminée, hors été.") == 0
