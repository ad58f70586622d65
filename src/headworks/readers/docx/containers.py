"""Containers: which blocks stand in a body, a cell, a content control, a text box.

Takes an element, gives the paragraphs, tables and imports in it, in order. Never reads them.
"""

from collections.abc import Iterator

from headworks.readers.docx.names import (
    MC_ALTERNATE,
    MC_CHOICE,
    MC_FALLBACK,
    W_BODY,
    W_INS,
    W_MOVETO,
    W_P,
    W_SDT,
    W_SDTCONTENT,
    W_SDTPR,
    W_TBL,
    W_VAL,
    w,
)
from headworks.readers.docx.package import Element

W_ALTCHUNK = w("altChunk")
_W_GALLERY = f"{w('docPartObj')}/{w('docPartGallery')}"
_BLOCKS = frozenset({W_P, W_TBL, W_ALTCHUNK})
_PASSED = frozenset({w("customXml"), W_INS, W_MOVETO, w("smartTag"), MC_FALLBACK, W_BODY})


def blocks_of(container: Element, contents: bool) -> Iterator[tuple[Element, bool]]:
    """Give the blocks of a container, and whether they are in a table of contents."""
    for child in container:
        tag = child.tag
        if tag in _BLOCKS:
            yield child, contents
        elif tag == W_SDT:
            inner = child.find(W_SDTCONTENT)
            if inner is not None:
                yield from blocks_of(inner, contents or _is_contents(child))
        elif tag == MC_ALTERNATE:
            chosen = child.find(MC_CHOICE)
            chosen = chosen if chosen is not None else child.find(MC_FALLBACK)
            if chosen is not None:
                yield from blocks_of(chosen, contents)
        elif tag in _PASSED:
            yield from blocks_of(child, contents)


def _is_contents(control: Element) -> bool:
    properties = control.find(W_SDTPR)
    gallery = properties.find(_W_GALLERY) if properties is not None else None
    return gallery is not None and gallery.get(W_VAL) in ("Table of Contents", "目录")
