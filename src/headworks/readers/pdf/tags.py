"""The headings that a tagged file names itself (Word's heading styles, written as H1, H2 …).

Takes an open page, gives the level of each marked content that is a heading. Never reads more of
the structure tree than the way down to the headings.
"""

import re

from headworks.readers.pdf import native

_HEADING = re.compile("H([1-9])?$|Title$")
# What holds headings; lists, tables and paragraphs hold none.
_HOLDERS = frozenset(("Document", "Part", "Art", "Sect", "Div", "NonStruct", "StructTreeRoot"))
_DEEP = 12
_MANY = 20_000


def heading_marks(page: int) -> dict[int, int]:
    """Give the levels (from 1) of a page's headings by the number of their marked content."""
    tree = native.struct_tree(page)
    if not tree:
        return {}
    try:
        marks: dict[int, int] = {}
        pending = [
            (native.tree_child(tree, index), 0)
            for index in range(min(native.tree_children(tree), _MANY))
        ]
        while pending:
            element, depth = pending.pop()
            if element and depth < _DEEP:
                _look(element, depth, pending, marks)
        return marks
    finally:
        native.close_tree(tree)


def _look(element: int, depth: int, pending: list[tuple[int, int]], marks: dict[int, int]) -> None:
    kind = native.wide_text(native.element_type, element)
    heading = _HEADING.match(kind)
    if heading:
        for mark in _contents(element, 0):
            marks[mark] = int(heading.group(1) or 1)
    elif kind in _HOLDERS or not kind:
        pending.extend((child, depth + 1) for child in _children(element))


def _contents(element: int, depth: int) -> list[int]:
    """Give the numbers of all marked content in an element."""
    count = native.element_marks(element)
    found = [native.element_mark(element, index) for index in range(max(0, count))]
    if depth < _DEEP:
        for child in _children(element):
            if child:
                found.extend(_contents(child, depth + 1))
    return [mark for mark in found if mark >= 0]


def _children(element: int) -> list[int]:
    count = min(native.element_children(element), _MANY)
    return [native.element_child(element, index) for index in range(max(0, count))]
