"""Characters as fonts write them."""

import pytest

from headworks.readers.pdf.glyphs import plain, unreadable
from tests.build.pdf import numbered
from tests.unit.readers.pdf.conftest import Read, body


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


def test_glyph_numbers_of_a_font_that_is_not_there_are_letters(read: Read) -> None:
    """Nothing says what the glyphs mean, and the font is missing: its letters are in order."""
    document = read(numbered([ord(char) - 29 for char in "PLAN 2014/2015, part 7"]))
    assert body(document) == ["PLAN 2014/2015, part 7"]
    assert document.problems == ()


@pytest.mark.parametrize("meant", [[], [0] * 30, [0xFFFD] * 30, [0xE000 + n for n in range(30)]])
def test_glyphs_without_a_meaning_are_told(read: Read, meant: list[int]) -> None:
    """A font that says nothing, or nonsense, of its glyphs never makes a page silently empty."""
    document = read(numbered(list(range(1200, 1230)), meant=meant), ocr="off")
    assert [(problem.code, problem.place) for problem in document.problems] == [
        ("W_GLYPH", "page 1")
    ]
    assert document.lost.unreadable_characters == 30


def test_glyph_numbers_of_adobe_gb1_are_its_characters(read: Read) -> None:
    """A font of a known collection that is not embedded reads by the collection's order."""
    assert body(read(numbered([1200, 1201, 1202], order="GB1"))) == ["查碴搽"]
