"""Definitions: the terms a text defines, and what it says they mean.

Takes a document, gives its definitions in order, each term once. Never takes a party's name for a
term unless the text says that it will be called so.
"""

import re
from collections.abc import Iterator

from headworks.model.document import Document
from headworks.model.outline import Definition
from headworks.model.place import CellPlace, Span

_QUOTED = r"[\"'《「](?P<{0}>[^\"'《》「」\n]{{1,20}})[\"'》」]"
# （以下简称"甲方"）, (下称:乙方), (hereinafter "the Buyer")
_CALLED = re.compile(
    r"[(,，][ ]?(?:(?:以下|下文|下称|本合同中|本协议中|在本合同中)?[ ]?(?:简称|统称|合称|称|称为|"
    r"称作)(?:为)?|"
    r"hereinafter(?: referred to as)?|each an?|collectively,?)[ ]?:?[ ]?(?:the )?"
    rf"(?:{_QUOTED.format('quoted')}|(?P<plain>[^\W\d_]{{2,12}}))[ ]?[)。;，,]"
)
# "渠首"是指…, 水闸，是指…, 渠首（headworks）：指…, "Goods" means …
_SAYS = re.compile(
    r"是指(?!责|明|出|定)|系指|指的是|即指|指(?<=[:,]指)(?!导|定|出|派|挥|标|示|南)|"
    r"means?(?<=[\"' ]mean)\b|means(?<=[\"' ]means)\b|shall mean(?<=[\"' ]shall mean)\b"
)
_SUBJECT = re.compile(
    rf"(?:{_QUOTED.format('quoted')}|(?P<plain>[^\W\d_]{{2,20}}))[ ]?(?:\([^()\n]{{1,40}}\))?"
    r"[ ]?[,:]?[ ]?\Z"
)
_LONGEST_SUBJECT = 72
_OF_TEXT = re.compile(
    r"^(?:本|该)(?:法|条例|办法|规定|细则|合同|协议|标准|规程|规范|文件|公约|解释)所称(?:的)?"
)
_NO_TERM = re.compile(r"^(?:前款|前条|本条|本款|其|它|这|上述|所称|所谓)")
_SENTENCE_END = re.compile(r"[。;\n]")
_CLAUSE_START = re.compile(r"[。;\n:,]")


def definitions(document: Document) -> tuple[Definition, ...]:
    """Give each defined term with the place where it is defined first."""
    found: dict[str, Definition] = {}
    for definition in sorted(_all(document), key=lambda one: one.span.start):
        found.setdefault(definition.term, definition)
    return tuple(found.values())


def _all(document: Document) -> Iterator[Definition]:
    if all(isinstance(block.place, CellPlace) for block in document.blocks):
        # The cells of sheets are values: they define nothing.
        return
    folded = document.folded
    for match in _CALLED.finditer(folded):
        term = _term(document, match)
        if term is not None:
            start = _before(folded, match.start())
            yield Definition(document.slice(term), term, Span(start, match.start()))
    for says in _SAYS.finditer(folded):
        near = max(0, says.start() - _LONGEST_SUBJECT)
        subject = _SUBJECT.search(folded, near, says.start())
        term = _term(document, subject) if subject is not None else None
        end = _SENTENCE_END.search(folded, says.end())
        stop = end.start() if end is not None else len(folded)
        if term is not None and stop > says.end():
            yield Definition(document.slice(term), term, Span(says.end(), stop))


def _term(document: Document, match: re.Match[str]) -> Span | None:
    name = "quoted" if match["quoted"] is not None else "plain"
    start, end = match.span(name)
    words = document.folded[start:end]
    named = _OF_TEXT.match(words)
    if named is not None:
        start += named.end()
    elif name == "plain" and match.re is _SUBJECT and not _begins_line(document.folded, start):
        # Without quotes a term is sure only where the sentence begins with it.
        return None
    if start >= end or _NO_TERM.match(document.folded[start:end]):
        return None
    block = document.block_at(start)
    if block is None or block.role != "body":
        return None
    return Span(start, end)


def _begins_line(folded: str, start: int) -> bool:
    """Tell whether a sentence begins here, a label left aside."""
    before = folded[max(0, start - 8) : start].rstrip(" ")
    return not before or before[-1] in "\n。;" or bool(re.search(r"(?:条|[、.)])\Z", before))


def _before(folded: str, end: int) -> int:
    """Give where the words begin that a short name stands for."""
    start = max(0, end - 200)
    if folded[end - 1 : end] == "》" and (opened := folded.rfind("《", start, end)) >= 0:
        return opened
    last = start
    for match in _CLAUSE_START.finditer(folded, start, end):
        last = match.end()
    return last
