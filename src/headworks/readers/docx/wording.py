"""What the words of a paragraph tell: a caption, a page number, what weighs most in it.

Takes texts and the looks of their pieces, gives a word or figures. Never changes a text.
"""

import re

from headworks.readers.docx.styles import RunLook

_CAPTION = re.compile(
    r"\s*(?:图|表|附图|附表|续表|Fig(?:ure|\.)|Table)\s*[\d一-十A-Z]", re.IGNORECASE
)
_WORD = re.compile(r"\w")
_PAGE_NUMBER = re.compile(
    r"(?:[\s\d第页共总计·•—–\-~/|,，.．:：()（）\[\]【】]|pages?\b|of\b|[ivxlc]+\b)+", re.IGNORECASE
)


def is_caption(text: str) -> bool:
    """Tell whether a paragraph in a style of captions is one of a figure or a table."""
    return _CAPTION.match(text) is not None


def is_page_number(text: str) -> bool:
    """Tell whether a header or footer holds nothing but the page's number."""
    return len(text) < 40 and _PAGE_NUMBER.fullmatch(text) is not None and text.strip() != ""


def joined(label: str, body: str) -> str:
    """Give a label so that its digits do not run into the text's."""
    if label[-1].isalnum() and body[:1].isalnum() and label[-1].isascii() and body[0].isascii():
        return label + " "
    return label


def weighed(
    pieces: list[tuple[str, RunLook]],
) -> tuple[float | None, str | None, bool, int]:
    """Give the size and font of most characters, whether all are bold, how many lead in bold."""
    first = pieces[0][1]
    if len(pieces) == 1 or all(look is first for _, look in pieces):
        return first.size, first.font, first.bold, 0
    sizes: dict[tuple[float | None, str | None], int] = {}
    at, lead, leading, bold = 0, 0, True, True
    for text, look in pieces:
        count = len(text.strip()) if _WORD.search(text) else 0
        if count:
            key = (look.size, look.font)
            sizes[key] = sizes.get(key, 0) + count
        at += len(text)
        if look.bold:
            lead = at if leading else lead
        elif count:
            bold = leading = False
    if not sizes:
        return first.size, first.font, first.bold, 0
    size, font = max(sizes, key=sizes.__getitem__)
    return size, font, bold and lead > 0, 0 if bold else lead
