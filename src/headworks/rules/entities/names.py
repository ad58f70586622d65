"""Companies, document codes and web addresses.

Takes folded text, gives values of kinds company, code and url. Never gives 甲方 or 由 as a part
of a company's name, nor a plain word as a code.
"""

from headworks.model.lazy import lazy
from headworks.model.place import Span
from headworks.model.verdict import Value

_SUFFIX = lazy(
    r"(?:有限责任公司|股份有限公司|集团有限公司|有限公司|集团公司|总公司|分公司|股份公司|合伙企业|事务所"
    r"|研究院|设计院|供电局|供电公司|人民医院|大学)(?:有限(?:责任)?公司)?(?:\([\u4e00-\u9fff]{2,8}\))?"
)
_NAME = lazy(r"[\u4e00-\u9fffa-z0-9&·()]{2,30}\Z")
_LEAD = lazy(
    r".*(?:(?<!美)的|甲方|乙方|丙方|买方|卖方|发包人|承包人|委托方|受托方|供方|需方|供应商|采购人|出租人|承租人|代理机构"
    r"|委托|授权|同意|系指|是指|将在|通过|关于|或者?|冒用|号(?=[\u4e00-\u9fff]{4})|[由与向致经给]|[方称人位者商]为|以及|和(?=[\u4e00-\u9fff]{2,6}[省市县区]))"
)
_REACH = 30
_CODE = lazy(r"(?<![0-9a-z/-])(?=[a-z/-]{0,12}[0-9])[0-9a-z]+(?:[-/_.][0-9a-z]+){0,8}(?![0-9a-z])")
_LEAST_DIGITS = 4
_URL = lazy(r"(?:https?://|www\.)[a-z0-9.-]{3,100}(?:/[a-z0-9._~:/?#@!$&'*+=%-]{0,200})?")


def find_companies(text: str) -> list[Value]:
    """Give every organisation that is named with its legal form, in order."""
    found = []
    last = 0
    for suffix in _SUFFIX.finditer(text):
        window = text[max(last, suffix.start() - _REACH) : suffix.start()]
        run = _NAME.search(window)
        if run is None:
            continue
        name = run.group()
        lead = _LEAD.match(name)
        name = (name[lead.end() :] if lead else name).lstrip("()")
        if len(name) < 2:
            continue
        start = suffix.start() - len(name)
        last = suffix.end()
        said = text[start : suffix.end()]
        found.append(Value(said, "company", said, Span(start, suffix.end())))
    return found


def find_codes(text: str) -> list[Value]:
    """Give every code of letters, digits and hyphens with at least four digits, in order."""
    return [
        Value(match.group(), "code", match.group().upper(), Span(*match.span()))
        for match in _CODE.finditer(text)
        if sum(char.isdigit() for char in match.group()) >= _LEAST_DIGITS
    ]


def find_urls(text: str) -> list[Value]:
    """Give every web address, in order."""
    return [
        Value(match.group(), "url", match.group(), Span(*match.span()))
        for match in _URL.finditer(text)
    ]
