"""What each typed entity finds in a text, and what it leaves."""

from decimal import Decimal, InvalidOperation

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.model.folding import fold
from headworks.model.place import Span
from headworks.model.verdict import Value
from headworks.rules.entities import RECOGNIZERS, bounds, compare, parse_quantity

CASES: list[tuple[str, str, list[tuple[str, str]]]] = [
    ("金额", "违约金不超过５０万元", [("50万元", "500000")]),
    ("金额", "总价1,280,000.00元", [("1,280,000.00元", "1280000.00")]),
    ("金额", "人民币（大写）：壹佰万元整", [("人民币(大写):壹佰万元整", "1000000")]),
    ("金额", "计壹拾贰元叁角肆分", [("壹拾贰元叁角肆分", "12.34")]),
    ("金额", "￥5,000", [("¥5,000", "5000")]),
    ("金额", "12万5千元和50 万元", [("12万5千元", "125000"), ("50 万元", "500000")]),
    ("金额", "人民币[399200]元", [("人民币[399200]元", "399200")]),
    ("金额", "罚款 20 万，预算约3亿。", [("20 万", "200000"), ("3亿", "300000000")]),
    ("金额", "50-100万元", [("50", "500000"), ("100万元", "1000000")]),
    ("金额", "五万至十万元", [("五万", "50000"), ("十万元", "100000")]),
    ("金额", "费用明细20万条，共5万", []),
    ("金额", "usd 500", [("usd 500", "USD 500")]),
    ("金额", "三万美元", [("三万美元", "USD 30000")]),
    ("金额", "每人十元，共3元", [("十元", "10"), ("3元", "3")]),
    ("金额", "本单元有三元件，一元回归，多元化，元月1日，一元一次", []),
    ("金额", "数量100万件", []),
    ("百分比", "0.5%至百分之十", [("0.5%", "0.005"), ("百分之十", "0.10")]),
    ("百分比", "日万分之五，千分之三", [("万分之五", "0.0005"), ("千分之三", "0.003")]),
    ("百分比", "三分之二以上", [("三分之二", "0.6666666666666666666666666667")]),
    ("百分比", "三成以上，2.5‰", [("三成", "0.3"), ("2.5‰", "0.0025")]),
    ("百分比", "5-10%", [("5", "0.05"), ("10%", "0.10")]),
    ("百分比", "完成，第三分之，分之十", []),
    ("日期", "2024年1月5日", [("2024年1月5日", "2024-01-05")]),
    ("日期", "2024 年 1 月 5 日", [("2024 年 1 月 5 日", "2024-01-05")]),
    ("日期", "二〇二四年三月", [("二〇二四年三月", "2024-03")]),
    ("日期", "2024-01-05和2024.2.6", [("2024-01-05", "2024-01-05"), ("2024.2.6", "2024-02-06")]),
    ("日期", "2024年5月8日上午9:30", [("2024年5月8日上午9:30", "2024-05-08T09:30")]),
    ("日期", "2024年5月8日下午2时", [("2024年5月8日下午2时", "2024-05-08T14:00")]),
    ("日期", "开票日期：20240315", [("20240315", "2024-03-15")]),
    ("日期", "march 5, 2024", [("march 5, 2024", "2024-03-05")]),
    ("日期", "2024年2月30日，2024/13/1，v2024.1.1.5，编号20240315", []),
    (
        "月日",
        "于3月18日前，4月底，本周五前",
        [("3月18日", "03-18"), ("4月底", "04"), ("本周五", "本周五")],
    ),
    ("月日", "2024年3月18日，13月5日，月份，周围", []),
    ("期限", "30日内，三个工作日", [("30日", "P30D"), ("三个工作日", "P3WD")]),
    ("期限", "两年，一年半，半年", [("两年", "P2Y"), ("一年半", "P18M"), ("半年", "P6M")]),
    ("期限", "3个月和24小时", [("3个月", "P3M"), ("24小时", "PT24H")]),
    (
        "期限",
        "3-5天，三至五个工作日",
        [("3", "P3D"), ("5天", "P5D"), ("三", "P3WD"), ("五个工作日", "P5WD")],
    ),
    ("期限", "提前15日", [("15日", "P15D")]),
    ("期限", "2024年3月5日，第三年，每周，3月，一季度，18周岁", []),
    ("数值", "共1,000.5和-5", [("1,000.5", "1000.5"), ("-5", "-5")]),
    ("数值", "第3条，3.2.1，gb123，2024年", []),
    ("电压", "ac380v、10kV、0.4千伏", [("380v", "380"), ("10kv", "10000"), ("0.4千伏", "400.0")]),
    ("温度", "环境温度-20℃至55℃", [("-20℃", "-20"), ("55℃", "55")]),
    ("温度", "角度45度", []),
    ("防护等级", "不低于IP54，ipx4", [("ip54", "54"), ("ipx4", "04")]),
    ("条款引用", "见附件三第2.4款", [("附件三第2.4款", "附件三/2.4")]),
    ("条款引用", "第十二条第二款第（一）项", [("第十二条第二款第(一)项", "12/2/1")]),
    ("条款引用", "《民法典》第五百八十五条", [("《民法典》第五百八十五条", "《民法典》/585")]),
    ("条款引用", "第十二条之一", [("第十二条之一", "12-1")]),
    ("公司", "由北京渠首科技有限公司承担", [("北京渠首科技有限公司",) * 2]),
    ("公司", "本公司与有限公司", []),
    ("编号", "合同编号：HT-2024-001", [("ht-2024-001", "HT-2024-001")]),
    ("编号", "abc与12", []),
]


@pytest.mark.parametrize(("name", "text", "wanted"), CASES, ids=[case[1] for case in CASES])
def test_find(name: str, text: str, wanted: list[tuple[str, str]]) -> None:
    """Each entity has its text, its normalised value and its exact place."""
    folded = fold(text)
    values = RECOGNIZERS[name].find(folded)
    assert [(value.text, value.value) for value in values] == wanted or _same(values, wanted)
    for value in values:
        assert folded[value.span.start : value.span.end] == value.text


def _same(values: list[Value], wanted: list[tuple[str, str]]) -> bool:
    def plain(value: str) -> object:
        try:
            return Decimal(value)
        except InvalidOperation:
            return value

    return [(value.text, plain(value.value)) for value in values] == [
        (text, plain(value)) for text, value in wanted
    ]


def test_personal_values_are_masked() -> None:
    """A personal value can be shown in a hit: its middle is hidden."""
    (value,) = RECOGNIZERS["身份证号"].find("证号11010519491231002x")
    assert value.value == value.text == "11**************2X"
    assert (value.span.start, value.span.end) == (2, 20)


@pytest.mark.parametrize(
    ("text", "kind", "value"),
    [
        ("50万元", "amount", "500000"),
        ("1,000万元", "amount", "10000000"),
        ("十字", "number", "10"),
        ("四十字", "number", "40"),
        ("30天", "period", "P30D"),
        ("3个月", "period", "P3M"),
        ("2024年1月1日", "date", "2024-01-01"),
        ("百分之三十", "percent", "0.30"),
        ("30%", "percent", "0.30"),
        ("二分之一", "percent", "0.5"),
        ("10kV", "voltage", "10000"),
        ("IP54", "ip_grade", "54"),
        ("30", "number", "30"),
    ],
)
def test_quantities(text: str, kind: str, value: str) -> None:
    """The right side of a comparison has its kind and value."""
    quantity = parse_quantity(text)
    assert quantity is not None
    assert (quantity.kind, quantity.value, quantity.reason) == (kind, value, "")


def test_doubtful_quantities() -> None:
    """A doubtful number says why, what is none is none."""
    doubtful = parse_quantity("一百二万元")
    assert doubtful is not None
    assert doubtful.readings == ("1200000元", "1020000元")
    impossible = parse_quantity("2024年2月30日")
    assert impossible is not None
    assert impossible.reason
    assert parse_quantity("很多") is None


@pytest.mark.parametrize(
    ("name", "text", "operator", "right", "holds"),
    [
        ("金额", "60万元", ">", "50万元", True),
        ("金额", "60万日元", ">", "50万元", False),
        ("金额", "500000元", "=", "50万元", True),
        ("百分比", "万分之五", "<", "1%", True),
        ("日期", "2023年", "<", "2024年1月1日", True),
        ("日期", "2024年", "<", "2024年6月1日", False),
        ("日期", "2024年", ">", "2024年6月1日", False),
        ("日期", "2024年6月1日", "=", "2024年", True),
        ("期限", "两个月内", ">", "30天", True),
        ("期限", "24小时", "<=", "1天", True),
        ("期限", "一年", ">", "11个月", True),
        ("电压", "10kv", ">=", "380V", True),
        ("防护等级", "ip65", ">=", "IP54", True),
        ("防护等级", "ip45", ">=", "IP54", False),
    ],
)
def test_compare(name: str, text: str, operator: str, right: str, holds: bool) -> None:
    """A comparison holds only where it is certain."""
    (value,) = RECOGNIZERS[name].find(fold(text))
    quantity = parse_quantity(right)
    assert quantity is not None
    assert compare(value, operator, quantity) is holds  # type: ignore[arg-type]  # from the table


def test_linear_on_hostile_texts() -> None:
    """No recogniser hangs on long runs of what it looks for."""
    for unit in (
        "1",
        "一",
        "1,",
        "万",
        "第",
        "年",
        "元",
        "%",
        "a1-",
        "附件",
        "10 ",
        "有限公司",
        "0.",
        "《",
    ):
        text = unit * (60_000 // len(unit))
        for recognizer in set(map(id, RECOGNIZERS.values())):
            next(one for one in RECOGNIZERS.values() if id(one) == recognizer).find(text)


PIECES = st.sampled_from(
    ["1", "12", "3,000", "0.5", "一百", "二", "万", "亿", "元", "¥", "%", "‰", "分之", "百", "年",
     "月", "日", "天", "个", "半", "小时", "第", "条", "款", "附件", "《法》", "-", "~", "至", ".",
     ":", " ", "kv", "℃", "ip54", "2024", "有限公司", "甲方", "usd", "整", "角", "工作日", "上午",
     "点", "余", "["]
)  # fmt: skip


@given(st.lists(PIECES, max_size=24).map("".join))
def test_values_are_true_to_the_text(text: str) -> None:
    """For every text: a value's text stands at its place, values are in order, and equal itself."""
    for recognizer in dict.fromkeys(map(id, RECOGNIZERS.values())):
        found = next(one for one in RECOGNIZERS.values() if id(one) == recognizer)
        values = found.find(text)
        assert [value.span.start for value in values] == sorted(v.span.start for v in values)
        for value in values:
            if not found.personal:
                assert text[value.span.start : value.span.end] == value.text
            if found.units:
                low, high = bounds(value.kind, value.value)
                assert low <= high


@given(st.lists(PIECES, max_size=8).map("".join))
def test_quantities_compare_with_themselves(text: str) -> None:
    """Any text is a quantity or none; a sound one equals itself and is not above itself."""
    quantity = parse_quantity(text)
    if quantity is not None and not quantity.reason:
        value = Value(text, quantity.kind, quantity.value, Span(0, len(text)))
        assert compare(value, "=", quantity)
        assert not compare(value, ">", quantity)
        assert compare(value, ">=", quantity)
