"""What a paragraph's properties say: alignment, indents, level, list, breaks.

Takes a ``w:pPr`` as an element or as its text, gives what it says by name. Never looks at a style.
"""

import re
from collections.abc import Callable

from headworks.model.document import Align
from headworks.readers.docx.names import (
    W_ILVL,
    W_NUMID,
    W_NUMPR,
    W_PSTYLE,
    W_VAL,
    number,
    on,
    w,
)
from headworks.readers.docx.package import Element

Said = dict[str, object]
_ALIGNS: dict[str, Align] = {
    "left": "left",
    "start": "left",
    "center": "center",
    "right": "right",
    "end": "right",
    "both": "justify",
    "distribute": "justify",
}
_W_JC, _W_IND, _W_SPACING, _W_OUTLINE = w("jc"), w("ind"), w("spacing"), w("outlineLvl")
_W_BREAK_BEFORE, _W_BEFORE = w("pageBreakBefore"), w("before")
_W_INDS = (w("left"), w("start"), w("firstLine"), w("hanging"))
# What a look depends on; the rest of a properties element makes no difference.
_TAGS = frozenset({W_PSTYLE, _W_JC, _W_IND, _W_OUTLINE, _W_BREAK_BEFORE})
# Properties without children, plainly written, the style first; at their end what stands for those
# of the paragraph's own mark.
_ATTRIBUTES = r"""(?: [\w:]+="[^"<>&\t\r\n]*")*"""
_FLAT = re.compile(
    rf"(?:<w:pStyle{_ATTRIBUTES}/>)?(?:<w:(?!pStyle)\w+{_ATTRIBUTES}/>)*(?:\x01[0-9]+\x03)?"
)
_ATTRIBUTE = re.compile(r' w:(\w+)="([^"]*)"')


def signature(properties: Element) -> tuple[object, ...]:
    """Give what tells one ``w:pPr`` from another, as far as a look depends on it."""
    key: list[object] = []
    for child in properties:
        tag = child.tag
        if tag == W_NUMPR:
            key.append((tag, *[(inner.tag, inner.get(W_VAL)) for inner in child]))
        elif tag == _W_SPACING:
            key.append((tag, child.get(_W_BEFORE)))
        elif tag in _TAGS:
            key.append((tag, *child.items()))
    return tuple(key)


def say(properties: Element, said: Said) -> None:
    """Note what a ``w:pPr`` says over what was said before it."""
    for child in properties:
        if child.tag == W_NUMPR:
            _say_numbering(child, said)
        else:
            _say_one(child.tag, child.get, said)


def said_in(properties: str, known: dict[str, Said]) -> Said | None:
    """Give what the text of a ``w:pPr`` says; none where only its tree can tell.

    ``known`` keeps what each of its children says: the same few stand in all paragraphs.
    """
    if _FLAT.fullmatch(properties) is None:
        return None
    said: Said = {}
    *children, _ = properties.split("/>")
    for child in children:
        part = known.get(child)
        if part is None:
            part = known[child] = _said_in_child(child)
        said.update(part)
    return said


def _said_in_child(child: str) -> Said:
    name = child.partition(" ")[0].removeprefix("<w:")
    said: Said = {}
    attributes = {w(key): value for key, value in _ATTRIBUTE.findall(child)}
    if name == "pStyle":
        said["style"] = attributes.get(W_VAL)
    else:
        _say_one(w(name), attributes.get, said)
    return said


def _say_one(tag: str, get: Callable[[str], str | None], said: Said) -> None:
    """Note what one property says; ``get`` gives its attributes."""
    if tag == _W_JC:
        said["align"] = _ALIGNS.get(get(W_VAL) or "")
    elif tag == _W_OUTLINE:
        level = number(get(W_VAL))
        said["outline"] = 10 if level is None else level + 1
    elif tag == _W_IND:
        left, start, first, hanging = (number(get(name)) for name in _W_INDS)
        if left is not None or start is not None:
            said["left"] = left if left is not None else start
        if hanging is not None:
            said["first"] = -hanging
        elif first is not None:
            said["first"] = first
    elif tag == _W_SPACING:
        before = number(get(_W_BEFORE))
        if before is not None:
            said["before"] = before
    elif tag == _W_BREAK_BEFORE:
        said["break"] = on(get(W_VAL))


def _say_numbering(element: Element, said: Said) -> None:
    num_id, level = element.find(W_NUMID), element.find(W_ILVL)
    if num_id is not None:
        said["num_id"] = num_id.get(W_VAL)
    if level is not None:
        said["level"] = max(0, min(8, number(level.get(W_VAL)) or 0))
