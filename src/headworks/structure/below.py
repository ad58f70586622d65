"""The title under a label that stands alone on its line: 第三条 over 违约责任.

Takes a document and the label's block, gives the block of its title or none. Never takes a line
that begins with a label of its own, signs or dates, or opens a title of several lines.
"""

import re

from headworks.model.document import Document
from headworks.structure import labels
from headworks.structure.labels import APPENDIX, Label
from headworks.structure.wording import is_form_line, reading

_LONGEST = 30


def title_below(document: Document, block: int, label: Label | None = None) -> int | None:
    """Give the paragraph that holds the title of a label alone on its line, or none."""
    blocks = document.blocks
    after = _next(document, block)
    if label is not None and label.family in APPENDIX and after is not None:
        after = _past_aside(document, after)
    if after is None or blocks[after].kind != "paragraph":
        return None
    span, style = blocks[after].span, blocks[after].style
    if not _set_alike(document, block, after):
        bare = label is not None and not label.numbers
        form = is_form_line(document.folded, span.start, span.end)
        if bare or form or len(span) > _LONGEST or _opens_title(document, block, after):
            return None
    if labels.read(document.text, document.folded, span.start, span.end) is not None:
        return None
    read_as = reading(document.folded, span.start, span.end, bold=style.bold)
    return after if read_as == "title" else None


# （规范性附录） between 附录A and its title.
_ASIDE = re.compile(r"\s*\((?:规范性|资料性|标准的|提示的|补充件|参考件)(?:附录)?\)\s*")


def _past_aside(document: Document, block: int) -> int | None:
    """Give the block itself, or the next where it only says what sort of appendix it is."""
    span = document.blocks[block].span
    aside = _ASIDE.fullmatch(document.folded, span.start, span.end)
    return _next(document, block) if aside is not None else block


def _next(document: Document, block: int) -> int | None:
    after = block + 1
    while after < len(document.blocks) and document.blocks[after].role != "body":
        after += 1
    return after if after < len(document.blocks) else None


def _set_alike(document: Document, one: int, other: int) -> bool:
    own, style = document.blocks[one].style, document.blocks[other].style
    return (style.bold, style.size) == (own.bold, own.size)


def _opens_title(document: Document, block: int, title: int) -> bool:
    """Tell whether a line is a heading itself, by its style or as the first of larger ones."""
    blocks = document.blocks
    own, style = blocks[block].style, blocks[title].style
    if style.outline_level is not None and own.outline_level is not None:
        return True
    further = _next(document, title)
    size = own.size or 0.0
    larger = (style.size or 0.0) > size
    return larger and further is not None and (blocks[further].style.size or 0.0) > size
