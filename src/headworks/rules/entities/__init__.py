"""Typed entities of the rule language: one recogniser each, by every name an author may use.

Takes nothing, gives ``RECOGNIZERS`` and the comparison. Never guesses.
"""

from headworks.rules.entities.base import Operator, Quantity, Recognizer, bounds, compare
from headworks.rules.entities.clauses import find_clause_references
from headworks.rules.entities.counts import find_numbers
from headworks.rules.entities.dates import find_dates, find_days
from headworks.rules.entities.literal import parse_quantity
from headworks.rules.entities.measures import find_ip_grades, finder
from headworks.rules.entities.money import find_amounts
from headworks.rules.entities.names import find_codes, find_companies, find_urls
from headworks.rules.entities.periods import find_periods
from headworks.rules.entities.personal import PERSONAL
from headworks.rules.entities.ratio import find_percents

__all__ = [
    "RECOGNIZERS",
    "Operator",
    "Quantity",
    "Recognizer",
    "bounds",
    "compare",
    "parse_quantity",
]

_MONEY_WORDS = (
    "元", "圆", "块钱", "万", "亿", "英镑", "卢布", "人民币", "新台币", "美金", "港币", "¥",
    "$", "€", "£", "rmb", "cny", "usd", "eur", "hkd", "gbp", "jpy", "aud", "yuan",
)  # fmt: skip
_RATIO_WORDS = ("%", "‰", "‱", "分之", "百分点", "成", "cent")

_OWN = (
    Recognizer(
        "amount", "金额", ("amount",), find_amounts, ("价款", "money"), "万元", gate=_MONEY_WORDS,
        in_line=True,
    ),
    Recognizer(
        "percent", "百分比", ("percent",), find_percents,
        ("比例", "百分率", "percentage", "ratio"), "%", gate=_RATIO_WORDS,
        in_line=True,
    ),
    Recognizer("date", "日期", ("date",), find_dates, ("时间",)),
    Recognizer("day", "月日", (), find_days, ("日子",)),
    Recognizer("period", "期限", ("period",), find_periods, ("天数", "时长", "duration"), "天"),
    Recognizer("number", "数值", ("number",), find_numbers, ("数字",)),
    Recognizer("voltage", "电压", ("voltage",), finder("voltage"), (), "kV"),
    Recognizer("current", "电流", ("current",), finder("current"), (), "A"),
    Recognizer("power", "功率", ("power",), finder("power"), (), "kW"),
    Recognizer("frequency", "频率", ("frequency",), finder("frequency"), (), "Hz"),
    Recognizer("temperature", "温度", ("temperature",), finder("temperature"), (), "℃"),
    Recognizer("dimension", "尺寸", ("dimension",), finder("dimension"), ("距离",), "米"),
    Recognizer("mass", "重量", ("mass",), finder("mass"), ("质量值",), "kg"),
    Recognizer("pressure", "压力", ("pressure",), finder("pressure"), (), "kPa"),
    Recognizer("ip_grade", "防护等级", ("ip_grade",), find_ip_grades, ("ip等级",)),
    Recognizer(
        "clause_reference", "条款引用", (), find_clause_references,
        ("条款号", "法条引用", "clause reference"),
    ),
    Recognizer("company", "公司", (), find_companies, ("公司名称", "单位名称", "organization")),
    Recognizer("code", "编号", (), find_codes, ("代码编号", "号码")),
    Recognizer("url", "网址", (), find_urls, ("链接地址",)),
)  # fmt: skip

RECOGNIZERS: dict[str, Recognizer] = {
    name: recognizer
    for recognizer in (*_OWN, *PERSONAL)
    for name in (recognizer.name, recognizer.zh, *recognizer.aliases)
}
