"""Other texts: whether the words before a reference name a law, a standard or a decree.

Takes the folded text and where the reference begins, gives the other text's name or none, and
the part of this text that 本须知 or 本办法 names. Never looks past the line.
"""

import re

_LINK = re.compile(r"[ ]?(?:的|中的|中|之|规定的)?[ ]?\Z")
_LAW = re.compile(
    r"(?:法|法典|条例|办法|规定|细则|准则|解释|规则|决定|章程|公约|规程|规范|令|\d号|》[^\W\d_]{0,3}编?)\Z"
)
_STANDARD = re.compile(
    r"(?<![a-z])((?:gbj?|jt[gjt]?|dl|sl|yd|ga|hj|cjj?|jgj|nb|sy|tb|hg|iso|iec|en|astm|ieee|rfc|qb?|"
    r"db[ ]?\d{2,4}|t)(?:/[a-z]{1,8})*[ ]?[a-z]?\d[\d.]*(?:[ ]?-[ ]?\d{2,4})?)"
    r"(?:[ ]?《[^《》\n]{1,40}》|[ ]?\([^()\n]{1,30}\))?\Z"
)
_NUMBERED = re.compile(
    r"((?:[^\W\d_]{2,16})?(?:令|\[[ ]?\d{4}[ ]?\])[ ]?第?[ ]?\d{1,5}[ ]?号)(?:文件|文|令|公告)?\Z"
)
_BEGINS = re.compile(r"[\W\d]|根据|按照|依照|违反|适用|依据|[有依据按照和及或与对]")
_OWN = re.compile(r"(?:本|该|上述|前述|此)[^\W\d_]{0,6}\Z")
_PART = re.compile(
    r"本[^\W\d_]{0,6}?(须知|办法|合同|协议|协议书|条款|文件|规定|标准|规范|规程|细则|条例|章程|附件|附录|附表|部分|卷|篇|编|"
    r"公告|方案|制度|手册|准则)(?:[ ]?[\"《][^\"《》\n]{1,24}[\"》])?(?:的|中的|中|之)?[ ]?\Z"
)
_FAR, _NEAR = 64, 18


def text_before(folded: str, start: int, bare: bool = False) -> str | None:
    """Give the name of the other text that the words right before an offset name, or none.

    Before a ``bare`` number only a standard or a decree counts: 按规定5.2 names no law.
    """
    before = folded[max(0, start - _FAR) : start]
    before = before[before.rfind("\n") + 1 :]
    link = _LINK.search(before)
    before = before[: link.start()] if link is not None else before
    for pattern in (_STANDARD, _NUMBERED):
        match = pattern.search(before)
        if match is not None:
            return match[1].upper() if pattern is _STANDARD else match[1]
    near = before[-_NEAR:]
    if bare or not _LAW.search(near) or _OWN.search(near):
        return None
    return _BEGINS.split(near)[-1] or near


def own_part(folded: str, start: int) -> str | None:
    """Give the word for a part of this text that stands right before an offset: 本须知 第8条."""
    before = folded[max(0, start - _FAR) : start]
    match = _PART.search(before)
    return match[1] if match is not None else None
