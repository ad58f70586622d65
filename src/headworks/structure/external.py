"""Other texts: whether the words before a reference name a law, a standard or a decree.

Takes the folded text and where the reference begins, gives the other text's name or none, and
the part of this text that 本须知 or 本办法 names. Never looks past the line.
"""

import re

_LINKS = ("中的", "规定的", "的", "中", "之")
# What the name of another text ends with: looked at first, for most words before a reference are
# of this text.
_LAW_ENDS = frozenset("法典例定则释章约程范令号编》同议书")
_STANDARD_ENDS = frozenset("0123456789》)")
_NUMBERED_ENDS = frozenset("号件文令告")
_LAW = re.compile(
    r"(?:法|法典|条例|办法|规定|细则|准则|解释|规则|决定|章程|公约|规程|规范|令|\d号|》[^\W\d_]{0,3}编?)\Z"
)
# Another agreement of the parties, by what it is to this one.
_AGREEMENT = re.compile(
    r"(?:主|原|总包?|总承包|分包|技术|补充|框架|保密|质量|安全|担保|抵押|质押|保证)(?:合同|协议)书?\Z"
)
_STANDARD = re.compile(
    r"(?<![a-z])((?:gbj?|jt[gjt]?|dl|sl|yd|ga|hj|cjj?|jgj|nb|sy|tb|hg|iso|iec|en|astm|ieee|rfc|qb?|"
    r"db[ ]?\d{2,4}|t)(?:/[a-z]{1,8})*[ ]?[a-z]?\d[\d.]*(?:[ ]?-[ ]?\d{2,4})?)"
    r"(?:[ ]?《[^《》\n]{1,40}》|[ ]?\([^()\n]{1,30}\))?\Z"
)
_NUMBERED = re.compile(
    r"((?:[^\W\d_]{2,16})?(?:令|\[[ ]?\d{4}[ ]?\])[ ]?第?[ ]?\d{1,5}[ ]?号)(?:文件|文|令|公告)?\Z"
)
_BEGINS = re.compile(
    r"[\W\d]|将|把|根据|按照|依照|违反|适用|依据|履行|构成|属于|认定|发生了?|触犯|援引|[有依据按照和及或与对]"
)
_DECREE_BEGINS = re.compile(r"根据|按照|依照|违反|适用|依据|满足|符合|遵守|执行|参照")
_OWN = re.compile(r"(?:本|该|上述|前述|此)[^\W\d_]{0,6}\Z")
_PART = re.compile(
    r"本[^\W\d_]{0,6}?(须知|办法|合同|协议|协议书|条款|文件|规定|标准|规范|规程|细则|条例|章程|附件|附录|附表|部分|卷|篇|编|"
    r"公告|方案|制度|手册|准则)(?:[ ]?[\"《][^\"《》\n]{1,24}[\"》])?(?:的|中的|中|之)?[ ]?\Z"
)
_FAR, _NEAR = 64, 18
# The file that a bid answers and a contract follows.
_TENDER = re.compile(
    r"(?<!本)((?:公开)?(?:招标|采购|磋商|谈判|询价|比选)文件)(?:中的|的|中|之)?[ ]?\Z"
)


_ANSWERS = re.compile(
    r"^(?!.*(?:招标|采购|磋商|谈判|询价|比选)文件).*(?:投标文件|响应文件|投标书|合同|协议书?)$"
)


def answers_tender(title: str) -> bool:
    """Tell whether a document is a bid or a contract by its title: 招标文件 is another text."""
    return _ANSWERS.search(title) is not None


def tender_before(folded: str, start: int) -> str | None:
    """Give the words 招标文件 right before an offset: another text for a bid or a contract."""
    near = folded[max(0, start - 12) : start]
    match = _TENDER.search(near) if "文件" in near else None
    return match[1] if match is not None else None


def text_before(folded: str, start: int, bare: bool = False) -> str | None:
    """Give the name of the other text that the words right before an offset name, or none.

    Before a ``bare`` number only a standard or a decree counts: 按规定5.2 names no law.
    """
    before = _linked(folded, start)
    last = before[-1:]
    if last in _STANDARD_ENDS and (match := _STANDARD.search(before)) is not None:
        return match[1].upper()
    if last in _NUMBERED_ENDS and (match := _NUMBERED.search(before)) is not None:
        return _DECREE_BEGINS.split(match[1])[-1]
    near = before[-_NEAR:]
    if bare or (last not in _LAW_ENDS and not _CLOSED.search(near)):
        return None
    agreement = _AGREEMENT.search(near)
    if agreement is not None and not _OWN.search(near):
        return agreement[0]
    if not _LAW.search(near) or _OWN.search(near):
        return None
    return _BEGINS.split(near)[-1] or near


def _linked(folded: str, start: int) -> str:
    """Give the words of the line before an offset, without the 的 or 中 that joins them to it."""
    before = folded[max(0, start - _FAR) : start]
    before = before[before.rfind("\n") + 1 :].rstrip(" ")
    for link in _LINKS:
        if before.endswith(link):
            return before[: -len(link)].rstrip(" ")
    return before


_CLOSED = re.compile(r"》[^\W\d_]{0,3}\Z")


def own_part(folded: str, start: int) -> str | None:
    """Give the word for a part of this text that stands right before an offset: 本须知 第8条."""
    own = folded.rfind("本", max(0, start - _FAR), start)
    match = _PART.match(folded, own, start) if own >= 0 else None
    return match[1] if match is not None else None
