"""Plain paragraphs and cells, taken out of a part's XML before its tree is built.

Takes the bytes of the main part, gives a small tree in which stand-ins hold the places of plain
paragraphs and cells, and these apart. Never takes what it is not sure of: whatever a paragraph
holds beside runs of text stays in the tree, and an odd part gives nothing at all.
"""

import re

import msgspec
from lxml import etree

from headworks.readers.docx.names import W14, W
from headworks.readers.docx.package import Element, parsed

STAND_IN = "_plain_"
# What XML cannot hold stands for properties: one of these, a number, an end.
_RUN, _OUTER, _CELL, _END = "\x01", "\x02", "\x04", "\x03"
# And for a stretch of plain paragraphs: the numbers of its first and of the one behind its last.
_STRETCH, _STRETCH_END = "\x05", "\x06"
_MARKS = tuple(mark.encode() for mark in (_RUN, _OUTER, _CELL, _END, _STRETCH, _STRETCH_END))
_NAMES = {_RUN: "rPr", _OUTER: "pPr", _CELL: "tcPr"}
_DOCUMENT = re.compile(
    rb"\s*(?:<\?xml version=[\"']1\.0[\"'](?: encoding=[\"'](?i:utf-8)[\"'])?"
    rb"(?: standalone=[\"']\w+[\"'])?\s?\?>)?\s*"
    rb"(<w:document [^<>]*[^/<>]>)"
)
_TOO_LONG = 1 << 22  # the parser has a bound for texts

_ID = '"[0-9A-Fa-f]{8}"'
_PARAGRAPH_IDS = (
    f"(?: w14:paraId={_ID})?(?: w14:textId={_ID})?(?: w:rsidR={_ID})?(?: w:rsidRPr={_ID})?"
    f"(?: w:rsidRDefault={_ID})?(?: w:rsidP={_ID})?"
)
_RUN_IDS = f"(?: w:rsidR={_ID})?(?: w:rsidRPr={_ID})?"
_NO_TEXT = "<&\x00-\x08\x0b-\x1f\ufffe\uffff"
_TEXT = f"[^{_NO_TEXT}]*(?:&(?:amp|lt|gt|quot|apos);[^{_NO_TEXT}]*)*"
_CHILD = (
    f'<w:t(?:/|(?: xml:space="preserve")?>{_TEXT}</w:t)>'
    r'|<w:(?:tab|br(?: w:type="page")?|cr|lastRenderedPageBreak|noBreakHyphen)/>'
)
_ANY_RUN = f"<w:r{_RUN_IDS}(?:/>|>(?:{_RUN}[0-9]+{_END}|<w:rPr/>)?(?:{_CHILD})*</w:r>)"
_ONE_RUN = (
    f"<w:r{_RUN_IDS}>(?:{_RUN}([0-9]+){_END}|<w:rPr/>)?"
    f'<w:t(| xml:space="preserve")>({_TEXT})</w:t></w:r>'
)
_NOTHING = (
    r'<w:(?:proofErr w:type="\w+"|bookmarkEnd w:id="[0-9]+"'
    r'|bookmarkStart w:id="[0-9]+" w:name="[^"<>&\x00-\x1f]*")/>'
)
_PARAGRAPH = re.compile(
    f"<w:p{_PARAGRAPH_IDS}(?:/>|>(?:{_OUTER}([0-9]+){_END}|<w:pPr/>)?"
    f"(?:{_ONE_RUN}</w:p>|((?:{_ANY_RUN}|{_NOTHING})*)</w:p>))"
)
_GROUPS = _PARAGRAPH.groups
_ONE_CELL = (
    f"<w:tc>(?:{_CELL}([0-9]+){_END}|<w:tcPr/>)?{_STRETCH}([0-9]+ [0-9]+){_STRETCH_END}</w:tc>"
)
_CELLS = re.compile(f"{_ONE_CELL}(?:{_ONE_CELL})*")
_EACH_CELL = re.compile(_ONE_CELL)
_PROPERTIES = re.compile(f"([{_RUN}{_OUTER}{_CELL}])([0-9]+){_END}")

# A paragraph: the number of its properties; number, blanks and text of its only run; else all runs.
# What is not there is none.
Paragraph = tuple[str | None, str | None, str | None, str | None, str | None]
# A cell: the number of its properties, and the stretch of paragraphs in it.
Cell = tuple[str, str]


class Scan(msgspec.Struct):
    """A part without its plain paragraphs and cells.

    ``runs``, ``outer`` and ``inner`` are the properties of runs, paragraphs and cells by number;
    those of paragraphs hold a stand-in for the properties of the paragraph's own mark. ``written``
    is what stands in those of paragraphs.
    """

    root: Element
    paragraphs: list[Paragraph]
    cells: list[list[Cell]]
    runs: list[Element]
    outer: list[Element]
    inner: list[Element]
    written: list[str]


def scan(content: bytes) -> Scan | None:
    """Give a part in two halves; none where it must be read as a whole."""
    start = _DOCUMENT.match(content)
    if start is None or f'xmlns:w="{W}"'.encode() not in start[1]:
        return None
    if any(mark in content for mark in _MARKS):
        return None
    numbers: dict[str, dict[bytes, bytes]] = {}
    short = content
    for mark, name in _NAMES.items():
        short, numbers[mark] = _numbered(short, name.encode(), mark.encode())
    try:
        head, text = start[1].decode("utf-8"), short.decode("utf-8")
        if not _is_regular(text, start.end(1), head):
            return None
        raws = {mark: [raw.decode("utf-8") for raw in found] for mark, found in numbers.items()}
        properties = _properties(head, raws)
        if properties is None:
            return None
        paragraphs, text = _without_paragraphs(text)
        cells, text = _without_cells(text)
        text = text.replace(_STRETCH, f'<w:p {STAND_IN}="').replace(_STRETCH_END, '"/>')
        root = parsed(_expanded(text, raws).encode("utf-8"))
    except (UnicodeDecodeError, etree.XMLSyntaxError):
        return None  # the whole part tells what is wrong
    return Scan(root, paragraphs, cells, *properties, raws[_OUTER])


def _numbered(content: bytes, name: bytes, mark: bytes) -> tuple[bytes, dict[bytes, bytes]]:
    """Put a number for each ``<w:rPr>…</w:rPr>``; give also what the numbers stand for.

    Of nested ones the innermost is numbered, so that the outer one stays as it is.
    """
    opening, closing = b"<w:%b>" % name, b"</w:%b>" % name
    length = len(closing)
    first, *pieces = content.split(opening)
    kept = [first]
    add = kept.append
    numbers: dict[bytes, bytes] = {}
    known = numbers.get
    for piece in pieces:
        end = piece.find(closing)
        inner = piece[:end]
        number = known(inner) if end >= 0 else None
        if number is None:
            if end < 0 or _is_odd(inner):
                add(opening)
                add(piece)
                continue
            number = numbers[inner] = b"%b%d\x03" % (mark, len(numbers))
        add(number)
        add(piece[end + length :])
    return b"".join(kept), numbers


def _is_odd(properties: bytes) -> bool:
    """Tell whether properties hold others, or what is looked for in the tree."""
    return b"<w:rPr>" in properties or b"<w:sectPr" in properties or b"Pr " in properties


def _is_regular(text: str, start: int, head: str) -> bool:
    """Tell whether each ``<`` begins a tag, and each prefix means what it does at the root."""
    return (
        "<!" not in text
        and text.find("<?", start) < 0
        and "]]>" not in text
        and STAND_IN not in text
        and text.count("xmlns:w") == head.count("xmlns:w")
        and (f'xmlns:w14="{W14}"' in head or " w14:" not in text)
    )


def _properties(
    head: str, raws: dict[str, list[str]]
) -> tuple[list[Element], list[Element], list[Element]] | None:
    """Give all properties as elements; none where one is not closed in itself."""
    whole = "".join(
        f"<w:{name}>{raw}</w:{name}>" for mark, name in _NAMES.items() for raw in raws[mark]
    )
    if "<!" in whole or "<?" in whole:
        return None
    whole = whole.replace(_RUN, f'<w:rPr {STAND_IN}="').replace(_END, '"/>')
    elements = list(parsed(f"{head}{whole}</w:document>".encode()))
    found: list[list[Element]] = []
    for mark, name in _NAMES.items():
        count, tag = len(raws[mark]), f"{{{W}}}{name}"
        found.append(elements[:count])
        elements = elements[count:]
        if len(found[-1]) < count or any(element.tag != tag for element in found[-1]):
            return None
    return None if elements else (found[0], found[1], found[2])


def _without_paragraphs(text: str) -> tuple[list[Paragraph], str]:
    """Give the plain paragraphs, and the text with marks where stretches of them stood."""
    pieces = _PARAGRAPH.split(text)
    step = _GROUPS + 1
    paragraphs = list(zip(*(pieces[group::step] for group in range(1, step)), strict=True))
    between = pieces[::step]
    kept, first = [between[0]], 0
    for number, piece in enumerate(between[1:], 1):
        if piece or number == len(paragraphs):
            kept.append(f"{_STRETCH}{first} {number}{_STRETCH_END}{piece}")
            first = number
    return paragraphs, "".join(kept)


def _without_cells(text: str) -> tuple[list[list[Cell]], str]:
    """Give the cells that hold plain paragraphs only, and the text with stand-ins for them.

    One stands for all those that follow each other in a row.
    """
    stretches: list[list[Cell]] = []

    def stand_in(found: re.Match[str]) -> str:
        stretches.append(_EACH_CELL.findall(found[0]))
        return f'<w:tc {STAND_IN}="{len(stretches) - 1}"/>'

    return stretches, _CELLS.sub(stand_in, text)


def _expanded(text: str, raws: dict[str, list[str]]) -> str:
    """Put the properties back where a tree is built."""

    def properties(found: re.Match[str]) -> str:
        mark, number = found.groups()
        name, raw = _NAMES[mark], raws[mark][int(number)]
        return f"<w:{name}>{_PROPERTIES.sub(properties, raw)}</w:{name}>"

    return _PROPERTIES.sub(properties, text)
