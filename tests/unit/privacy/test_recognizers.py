"""What is recognised as personal, and what only looks like it."""

import random

import pytest

from headworks.model.folding import fold
from headworks.privacy.recognizers import DETECTORS, USUAL, detect
from headworks.privacy.recognizers.bank import luhn
from headworks.privacy.recognizers.identity import check_digit, valid_18
from headworks.privacy.recognizers.people import listed, patterned
from tests.build import personal


def found(text: str) -> list[tuple[str, str]]:
    """The kinds and the stretches of the unfolded text that are recognised."""
    return [
        (detector.name, text[value.span.start : value.span.end])
        for detector, value in detect(fold(text))
    ]


def test_full_width_and_spaced_digits_keep_their_offsets() -> None:
    """B099: full-width, spaced and partly masked numbers are found where they stand."""
    text = "张三，身份证号１１０１０１１９９００３０７ＸＸＸＸ，电话１３８ ００１３ ８０００"
    assert found(text) == [
        ("id_card", "１１０１０１１９９００３０７ＸＸＸＸ"),
        ("mobile", "１３８ ００１３ ８０００"),
    ]


@pytest.mark.parametrize(
    "written",
    [
        "11010519491231002X",
        "11010519491231002x",
        "１１０１０５１９４９１２３１００２Ｘ",
        "110105 19491231 002X",
        "110105-19491231-002X",
        "1 1 0 1 0 5 1 9 4 9 1 2 3 1 0 0 2 X",
        "11010519491231\n002X",
        "1101051949123100 \n  2X",
    ],
)
def test_identity_numbers_in_every_spelling(written: str) -> None:
    """B099: blanks, hyphens, full width and one line break do not hide an identity number."""
    assert found(f"身份证：{written}。") == [("id_card", written)]


def test_old_identity_numbers_need_their_label() -> None:
    """B099: fifteen digits are an identity number where the text speaks of one, else not."""
    assert found("旧身份证110105491231002") == [("id_card", "110105491231002")]
    assert found("批次110105491231002") == []


@pytest.mark.parametrize(
    "text",
    [
        "身份证110105194912310021",  # wrong check digit
        "身份证11010519491331002X",  # no such month
        "身份证99010519491231002X",  # no such province
        "编号A11010519491231002X",  # a part of a longer code
        "编号11010519491231002XY",
        "流水号1101051949123100211234",  # 22 digits
    ],
)
def test_no_identity_number(text: str) -> None:
    """A wrong check digit, date, province or border is no identity number."""
    assert ("id_card", "11010519491231002X") not in found(text)
    assert [kind for kind, _said in found(text) if kind == "id_card"] == []


def test_contract_with_all_kinds() -> None:
    """B098: identity, mobile, card and credit code are found, an order number is left."""
    source = random.Random(98)
    card, code = personal.bank_card(source), personal.credit_code(source)
    text = (
        f"身份证11010519491231002X，错号110105194912310021，手机13800138000，银联卡{card}，"
        f"统一社会信用代码{code}，订单号2024031512345678。"
    )
    assert found(text) == [
        ("id_card", "11010519491231002X"),
        ("mobile", "13800138000"),
        ("bank_card", card),
        ("credit_code", code),
    ]


def test_identity_wins_over_card() -> None:
    """An identity number that also passes Luhn is never a bank card."""
    source = random.Random(1)
    passing = [card for card in (personal.id_card(source) for _ in range(400)) if card.isdigit()]
    passing = [card for card in passing if luhn(card)]
    assert passing
    for card in passing:
        assert found(f"卡号或证号：{card}") == [("id_card", card)]


def test_identity_ending_in_x_is_no_card() -> None:
    """The first 17 digits of an identity number that ends in X are no card candidate."""
    source = random.Random(2)
    for _ in range(300):
        card = personal.id_card(source)
        assert found(f"账户{card}") == [("id_card", card)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("卡号4111 1111 1111 1111", ["bank_card"]),
        ("卡号4111 1111 1111 1112", []),
        ("订单号6222021234567890128", []),
        ("数量1234567890123456", []),
        ("电话：010-12345678转801", ["phone"]),
        ("（021）65432100", ["phone"]),
        ("客服400-800-1234", ["phone"]),
        ("日期2024-01-01 10:00", []),
        ("+86 138-0013-8000", ["mobile"]),
        ("8613800138000", ["mobile"]),
        ("1380013800", []),
        ("138001380001", []),
        ("型号12345678901", []),
        ("邮箱zhang.san@example.com.cn。", ["email"]),
        ("a@b", []),
        ("车牌京A12345", ["plate"]),
        ("新能源粤BD12345", ["plate"]),
        ("标准京AB", []),
        ("护照号E12345678", ["passport"]),
        ("料号E12345678", []),
    ],
)
def test_kinds(text: str, kinds: list[str]) -> None:
    """Each kind is found in its usual spelling, and its near misses are not."""
    assert [kind for kind, _said in found(text)] == kinds


def test_check_digits() -> None:
    """Every generated number is accepted, and no other check digit is."""
    source = random.Random(3)
    for _ in range(200):
        card = personal.id_card(source)
        assert valid_18(card.lower())
        others = set("0123456789x") - {check_digit(card[:17])}
        assert not any(valid_18(card[:17] + other) for other in others)
        assert [kind for kind, _ in found("统一代码" + personal.credit_code(source))] == [
            "credit_code"
        ]
        assert [kind for kind, _ in found("银行卡" + personal.bank_card(source))] == ["bank_card"]


def test_names_by_label_are_found_wherever_they_stand() -> None:
    """A name behind a label is found at its other places too; one without a label is not."""
    person = DETECTORS["姓名"]
    text = "联系人：张三丰 电话……。由张三丰负责，李四协助。"
    assert [value.text for value in person.find(fold(text))] == ["张三丰", "张三丰"]
    assert [value.text for value in person.find("姓名\t王小明\t部门\t安监部")] == ["王小明"]
    assert person.find("负责人:安监部,项目经理:双方") == []


def test_names_below_a_heading() -> None:
    """A column headed 姓名 gives its names, rare surnames too; one of other things gives none."""
    found = {
        "姓名\t部门\n张三\t采购部\n仉督明\t财务部\n欧阳锋\t\n": ["张三", "仉督明", "欧阳锋"],
        "序号\t负责人\n1\t张伟\n2\t待定": ["张伟"],
        "联系人\t电话\n采购部\t010\n财务处\t020": [],
        "姓名\t李四光\t性别\t男\n出生日期\t1990年\t籍贯\t湖南\n": ["李四光"],
        "name\tvoltage\npump a\t10kv\nmotor b\t5kv": [],
        "no\tname\temail\n1\tjohn smith\ta@b.c": ["john smith"],
    }
    for text, names in found.items():
        assert [value.text for value in DETECTORS["姓名"].find(text)] == names


def test_addresses() -> None:
    """An address down to the house number is found, a place name alone is not."""
    address = DETECTORS["地址"]
    whole = "浙江省杭州市西湖区文三路100号3幢501室"
    assert [value.text for value in address.find(f"寄往{whole}收")] == [whole]
    assert [value.text for value in address.find(fold("住所：某县城关镇中心街，电话"))] == [
        "某县城关镇中心街"
    ]
    assert address.find("本合同在杭州市签订。") == []


def test_own_lists_and_patterns() -> None:
    """A user's list takes the longest word, a user's pattern runs in linear time."""
    names = listed(["张三", "张三丰"], "person")
    assert [value.text for value in names("张三丰与张三")] == ["张三丰", "张三"]
    projects = patterned([r"项目[A-Z]{2}-?[0-9]{3}", r"(a+)+$"], "project")
    assert [value.text for value in projects("项目AB-123；" + "a" * 10_000 + "b")] == ["项目AB-123"]


def test_hostile_texts_end() -> None:
    """A long run of digits, at signs or blanks does not hang any recogniser."""
    for text in ("1" * 200_000, "1 " * 20_000, "a@" * 50_000, "- " * 50_000, "张" * 50_000):
        detect(text, [*USUAL, DETECTORS["姓名"], DETECTORS["地址"], DETECTORS["银行账号"]])
