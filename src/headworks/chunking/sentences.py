"""A paragraph over the ceiling becomes sentences, a sentence over it pieces.

Takes a range of text and the room there is, gives ranges without white space at their ends. Never
cuts a sentence that fits.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

from headworks.model.place import Span
from headworks.model.sentences import sentence_ends

SOLID = re.compile(r"\S")
# A comma before a digit groups thousands; a space counts only where there is no comma.
_COMMA = re.compile(r"[，、：]|[,:](?![0-9])")
_SPACE = re.compile(r"\s")
# A piece must not begin with what belongs to the piece before it.
_STICKS_LEFT = frozenset("，。、；：？！,.;:?!）)》〉”’」』】〕]%％…")
_STICKS_RIGHT = frozenset("（(《〈“‘「『【〔[¥￥$第")
_IN_WORD = re.compile(r"[A-Za-z0-9.,_@/%\-]")


def trimmed(text: str, start: int, end: int) -> Span | None:
    """Give the range without the white space at its ends, none where nothing is left."""
    first = SOLID.search(text, start, end)
    if first is None:
        return None
    while text[end - 1].isspace():
        end -= 1
    return Span(first.start(), end)


def sentences(text: str, span: Span, ends: Sequence[int]) -> Iterator[Span]:
    """Give the sentences of a range; ``ends`` are those of the whole paragraph it is of."""
    begun = span.start
    for end in [*ends[bisect_right(ends, begun) : bisect_left(ends, span.end)], span.end]:
        sentence = trimmed(text, begun, end)
        if sentence is not None:
            yield sentence
        begun = end


def pieces(text: str, span: Span, ceiling: int) -> list[Span]:
    """Cut a sentence over the ceiling: at an end within its quotes, at a comma, at a character."""
    inner = sentence_ends(text, span.start, span.end, inside_pairs=True)
    found: list[Span] = []
    begun, upto = span.start, 0
    while span.end - begun > ceiling:
        limit = begun + ceiling
        while upto < len(inner) and inner[upto] <= limit:
            upto += 1
        cut = inner[upto - 1] if upto and inner[upto - 1] > begun + ceiling // 4 else 0
        cut = cut or _at_comma(text, begun, limit) or _at_character(text, begun, limit)
        piece = trimmed(text, begun, cut)
        if piece is not None:
            found.append(piece)
        begun = cut
        while begun < span.end and text[begun].isspace():
            begun += 1
    last = trimmed(text, begun, span.end)
    return found if last is None else [*found, last]


def _at_comma(text: str, begun: int, limit: int) -> int:
    """Give the offset after the last comma, or after the last space, in the room; 0 for none."""
    least = begun + max(1, (limit - begun) // 4)
    for mark in (_COMMA, _SPACE):
        cut = 0
        for found in mark.finditer(text, least, limit):
            cut = found.end()
        if cut:
            return cut
    return 0


def _at_character(text: str, begun: int, limit: int) -> int:
    """Give the last offset in the room that parts no word, number or mark from what it is with."""
    for cut in range(limit, max(begun + 1, limit - 40), -1):
        left, right = text[cut - 1], text[cut] if cut < len(text) else " "
        if right in _STICKS_LEFT or left in _STICKS_RIGHT:
            continue
        if _IN_WORD.match(left) and _IN_WORD.match(right):
            continue
        return cut
    return limit
