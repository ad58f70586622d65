"""A known value is found wherever it stands."""

import pytest

from headworks.model.document import Document, Source
from headworks.model.place import Span
from headworks.model.verdict import Edit
from headworks.privacy.places import Places, everywhere
from headworks.privacy.recognizers.people import find_people
from headworks.privacy.tokens import Mark
from headworks.privacy.veil import Veil

CARD = "11010519491231002X"


@pytest.mark.parametrize(
    ("value", "text", "found"),
    [
        ("张三", "由张三和张 三签收", ["张三", "张 三"]),
        ("张三", "姓张\n三人同行", []),
        ("张三", "张\t三", []),
        (CARD, "证１１０１０５１９４９１２３１００２ｘ", ["１１０１０５１９４９１２３１００２ｘ"]),
        (CARD, "110105 19491231\n002X", ["110105 19491231\n002X"]),
        (CARD, f"{CARD}5，9{CARD}", []),
        ("138 0013 8000", "138-0013-8000", ["138-0013-8000"]),
        ("+86-13800138000", "拨13800138000", ["13800138000"]),
        ("13800138000", "单号2013800138000", []),
        ("李", "李子", []),
    ],
)  # fmt: skip
def test_places(value: str, text: str, found: list[str]) -> None:
    """Width, blanks and hyphens make no difference; a part of a longer number is no value."""
    assert [text[span.start : span.end] for span, _ in Places([value]).find(text)] == found


def test_the_longest_value_is_found() -> None:
    """B097: a name inside a longer known name is not taken out of it."""
    text = "张三丰与张三"
    found = Places(["张三", "张三丰"]).find(text)
    assert found == [(Span(0, 3), 1), (Span(4, 6), 0)]


def test_own_words_stay_where_the_rule_does_not_hold() -> None:
    """Personal values are marked everywhere, words of one's own only where they were."""
    text = "张三的蓝图，张三的蓝图"
    marks = [Mark(Span(0, 2), "PERSON", "张三"), Mark(Span(3, 5), "TEXT", "蓝图")]
    assert [mark.span for mark in everywhere(text, marks)] == [Span(0, 2), Span(3, 5), Span(6, 8)]


def test_a_veil_keeps_offsets() -> None:
    """The hidden text is as long as the document's; its parts are told with tokens."""
    text = "张三\t13800138000\n张三，蓝图"
    edits = (
        Edit(Span(0, 2), "PERSON", "[PERSON_1]", "r"),
        Edit(Span(3, 14), "MOBILE", "[MOBILE_1]", "r"),
    )
    veil = Veil(Document(Source("", "", "", 0), text, ()), edits)
    assert len(veil.document.text) == len(text)
    assert veil.shown(veil.document.text) == "[PERSON_1]\t[MOBILE_1]\n[PERSON_1]，蓝图"
    assert veil.shown(veil.document.text[5:8]) == "[MOBILE_1]"
    assert veil.words("致张三 138-0013-8000") == "致[PERSON_1] [MOBILE_1]"
    assert veil.hidden == [Span(0, 2), Span(3, 14), Span(15, 17)]
    assert not veil.hides(Span(17, 20))


def test_a_field_beside_a_label_is_no_name() -> None:
    """姓名 单位 电话 is a table's head, and no person is called 单位."""
    assert find_people("姓名\t单位\t电话\n") == []
    assert [value.text for value in find_people("联系人:安全 联系人:安国强 ")] == ["安国强"]
