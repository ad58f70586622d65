"""Plain paragraphs, taken out of a part's XML before its tree is built.

Takes the bytes of the main part, gives a small tree in which a stand-in holds the place of each
plain paragraph, and their texts by number. Never takes what it is not sure of: whatever a
paragraph holds beside runs of text stays in the tree, and an odd part gives nothing at all.
"""

import re

import msgspec
from lxml import etree

from headworks.readers.docx.names import W14, W_PPR, W_RPR, W
from headworks.readers.docx.package import Element, parsed

STAND_IN = "_plain_"
# What XML cannot hold stands for properties: one of these, a number, and the end.
_RUN_MARK, _PARAGRAPH_MARK, _END_MARK = "\x01", "\x02", "\x03"
_DOCUMENT = re.compile(
    rb"\s*(?:<\?xml version=[\"']1\.0[\"'](?: encoding=[\"'](?i:utf-8)[\"'])?"
    rb"(?: standalone=[\"']\w+[\"'])?\s?\?>)?\s*"
    rb"(<w:document [^<>]*[^/<>]>)"
)
_SIGNS = (b"\xef\x80", b"\xef\x81", b"\xef\x82", b"\xef\x83")  # U+F000 to U+F0FF
_TOO_LONG = 1 << 20  # the parser has a bound for texts

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
_RUN = f"<w:r{_RUN_IDS}(?:/>|>(?:{_RUN_MARK}[0-9]+{_END_MARK}|<w:rPr/>)?(?:{_CHILD})*</w:r>)"
_NOTHING = (
    r'<w:(?:proofErr w:type="\w+"|bookmarkEnd w:id="[0-9]+"'
    r'|bookmarkStart w:id="[0-9]+" w:name="[^"<>&\x00-\x1f]*")/>'
)
_PLAIN = re.compile(
    f"<w:p{_PARAGRAPH_IDS}"
    f"(?:/>|>(?:{_PARAGRAPH_MARK}([0-9]+){_END_MARK}|<w:pPr/>)?((?:{_RUN}|{_NOTHING})*)</w:p>)"
)
_MARK = re.compile(f"[{_RUN_MARK}{_PARAGRAPH_MARK}]([0-9]+){_END_MARK}")


class Scan(msgspec.Struct):
    """A part without its plain paragraphs.

    ``paragraphs`` are those, each as the number of its properties (empty where it has none) and
    the XML of its runs, in which numbers stand for their properties; ``runs`` and ``outer`` are
    the properties of runs and paragraphs by number; of a paragraph's own mark they hold a stand-in.
    ``signs`` tells of characters that only a font makes signs of.
    """

    root: Element
    paragraphs: list[tuple[str, str]]
    runs: list[Element]
    outer: list[Element]
    signs: bool


def scan(content: bytes) -> Scan | None:
    """Give a part in two halves; none where it must be read as a whole."""
    start = _DOCUMENT.match(content)
    if start is None or f'xmlns:w="{W}"'.encode() not in start[1]:
        return None
    if any(mark.encode() in content for mark in (_RUN_MARK, _PARAGRAPH_MARK, _END_MARK)):
        return None
    short, runs = _numbered(content, b"rPr", _RUN_MARK.encode())
    short, outer = _numbered(short, b"pPr", _PARAGRAPH_MARK.encode())
    try:
        text = short.decode("utf-8")
        head = start[1].decode("utf-8")
        run_properties = [raw.decode("utf-8") for raw in runs]
        outer_properties = [raw.decode("utf-8") for raw in outer]
        if not _is_regular(text, start.end(1), head):
            return None
        paragraphs, rest = _taken(text)
        properties = _properties(head, run_properties, outer_properties)
        if properties is None:
            return None
        whole = _expanded(rest, run_properties, outer_properties)
        root = parsed(whole.encode("utf-8"))
    except (UnicodeDecodeError, etree.XMLSyntaxError):
        return None  # the whole part tells what is wrong
    signs = any(lead in short for lead in _SIGNS)
    return Scan(root, paragraphs, *properties, signs)


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
        number = known(inner)
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


def _taken(text: str) -> tuple[list[tuple[str, str]], str]:
    """Give the plain paragraphs and the text with stand-ins for them."""
    paragraphs: list[tuple[str, str]] = []
    pieces: list[str] = []
    end = 0
    for found in _PLAIN.finditer(text):
        start, after = found.span()
        if after - start > _TOO_LONG:
            continue
        pieces.append(text[end:start])
        pieces.append(f'<w:p {STAND_IN}="{len(paragraphs)}"/>')
        paragraphs.append((found[1] or "", found[2] or ""))
        end = after
    pieces.append(text[end:])
    return paragraphs, "".join(pieces)


def _properties(
    head: str, runs: list[str], outer: list[str]
) -> tuple[list[Element], list[Element]] | None:
    """Give all properties as elements; none where one is not closed in itself."""
    inner = [f"<w:rPr>{raw}</w:rPr>" for raw in runs]
    inner += [f"<w:pPr>{raw}</w:pPr>" for raw in outer]
    whole = "".join(inner)
    if "<!" in whole or "<?" in whole:
        return None
    whole = whole.replace(_RUN_MARK, f'<w:rPr {STAND_IN}="').replace(_END_MARK, '"/>')
    elements = list(parsed(f"{head}{whole}</w:document>".encode()))
    found = elements[: len(runs)], elements[len(runs) :]
    closed = len(elements) == len(inner) and (
        all(element.tag == W_RPR for element in found[0])
        and all(element.tag == W_PPR for element in found[1])
    )
    return found if closed else None


def _expanded(rest: str, runs: list[str], outer: list[str]) -> str:
    """Put the properties back where a tree is built."""

    def properties(match: re.Match[str]) -> str:
        number = int(match[1])
        if match[0][0] == _RUN_MARK:
            return f"<w:rPr>{runs[number]}</w:rPr>"
        return f"<w:pPr>{_MARK.sub(properties, outer[number])}</w:pPr>"

    return _MARK.sub(properties, rest)
