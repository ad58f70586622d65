"""Captions: what names a table or a figure and must stay with it.

Takes the texts of blocks beside each other, gives how strongly they hold together. Never looks
further than one neighbour.
"""

import re

from headworks.model.document import Block, Document

_NUMBERED = re.compile(
    r"\s*(?:[续附]?表|[附]?图|Table|Figure|Fig\.?|Exhibit)\s*"
    r"(?:[A-Z]?[0-9０-９]+(?:[.．\-‐-―－][0-9０-９]+)*|[一二三四五六七八九十]+)",
    re.IGNORECASE,
)
_BRACKETED = re.compile(r"\s*[\[【](?:TABLE|FIGURE|表|图)[:：]?.{1,60}[\]】]\s*$", re.IGNORECASE)
_OF_TABLE = re.compile(r"\s*(?:[\[【]?(?:[续附]?表|TABLE))", re.IGNORECASE)
_UNIT_LINE = re.compile(r"\s*[（(]?(?:金额)?(?:计量)?(?:货币)?单位\s*[：:]|\s*单位名称\s*[：:]")
_CLOSED = re.compile(r"[。；;!！?？，,]\s*$")
_LONGEST = 80
_SHORT = 30


def is_caption(document: Document, block: Block) -> bool:
    """Tell whether a block reads as a caption: 表1 设备清单, 图3-2 接线, [TABLE: 附件一]."""
    if block.kind == "caption":
        return True
    start, end = block.span.start, block.span.end
    if block.kind != "paragraph" or end - start > _LONGEST:
        return False
    words = document.text[start:end]
    if _BRACKETED.match(words):
        return True
    return _NUMBERED.match(words) is not None and _CLOSED.search(words) is None


def names_table(document: Document, block: Block) -> bool:
    """Tell whether a caption speaks of a table rather than of a figure."""
    return _OF_TABLE.match(document.text, block.span.start) is not None


def leads_to(document: Document, block: Block, following: Block, before: Block | None) -> bool:
    """Tell whether a block names the table or figure that follows it.

    A figure's caption stands below it, a table's above; a short line without a stop that stands
    directly before a table names it, too.
    """
    table = following.kind == "table"
    if not table and following.kind != "figure":
        return False
    if is_caption(document, block):
        under_figure = before is not None and before.kind == "figure"
        return not under_figure or (table and names_table(document, block))
    if block.kind != "paragraph" or not table or len(block.span) > _SHORT:
        return False
    words = document.slice(block.span)
    return _UNIT_LINE.match(words) is not None or _CLOSED.search(words) is None
