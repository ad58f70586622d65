"""A small builder of Documents with their structure, from marked lines, for everybody's tests.

``build(text)`` reads a line at a time::

    #0 采购合同          a heading of level 0, the title; # is level 1, ## level 2 …
    # 第一条 付款         its kind by its label: 编 part, 章 chapter, 节 section, 条 or 1. clause
    #! 第二条 甲方应付款。  a run-in heading: the paragraph goes on as a sentence
    （一） 甲方           a paragraph; a label （一） 1） (1) a) at its start makes an anchor
    | 名称 | 单价 |        a table's row; |= 名称 | a header row; rows in a row are one
    ^页眉                 furniture: ^ page_header, _ page_footer, ~ contents
    表1 设备              as it is; = 图1 外观 makes a block of kind caption
    ! 外观图              a figure; > a quote; ` a line of code (joined); % a comment; * a footnote
    @appendix 附件一       a new zone begins with the next line
    /3                    a new slide; [[价格表]] a new sheet
"""

import re
from collections.abc import Iterator

import msgspec

from headworks.model.document import Document, Profile, Source, Style
from headworks.model.outline import Anchor, Heading, HeadingKind, Zone, ZoneKind
from headworks.model.place import CellPlace, PartPlace, Place, SlidePlace, Span
from headworks.readers.builder import DocumentBuilder

SOURCE = Source("ab" * 32, "样例.txt", "text/plain", 1)
_HEADING = re.compile(r"(#+)(\d?)(!?) (.*)", re.DOTALL)
_ITEM = re.compile(r"[（(][一二三四五六七八九十\d]+[)）]|[a-z\d]+[)）]|[①-⑳]")
_KINDS: dict[str, HeadingKind] = {
    "编": "part", "章": "chapter", "节": "section", "条": "clause", "附": "appendix"
}  # fmt: skip
_ROLES = {"^": "page_header", "_": "page_footer", "~": "contents"}
_FORMS = {
    "= ": "caption", "! ": "figure", "> ": "quote", "` ": "code", "% ": "comment", "* ": "footnote",
}  # fmt: skip


def build(text: str, *, profile: str = "legal", source: Source = SOURCE) -> Document:
    """Give the structured document of marked lines; an empty line is nothing."""
    builder = DocumentBuilder(source)
    marks: list[tuple[int, int, bool, str]] = []
    zones: list[tuple[str, int]] = []
    place: Place = PartPlace("body", 0)
    for number, line in enumerate(_joined(text)):
        if line.startswith("@"):
            zones.append((line[1:], builder.length))
        elif line.startswith("[["):
            place = CellPlace(line.strip("[]"), 0, 0)
        elif re.fullmatch(r"/\d+", line):
            place = SlidePlace(int(line[1:]), "文本框")
        else:
            if isinstance(place, PartPlace):
                place = PartPlace("body", number)
            _add(builder, line, place, marks)
    document = builder.finish()
    headings = tuple(_headings(document, marks, zones))
    return msgspec.structs.replace(
        document,
        profile=Profile(profile, "as built"),
        zones=_zones(document, zones),
        headings=headings,
        anchors=tuple(_anchors(document, headings)),
        steps=("read", "structure"),
    )


def _joined(text: str) -> Iterator[str]:
    """Give the lines, with rows of one table and lines of one code block joined."""
    held = ""
    for line in [*text.split("\n"), ""]:
        if held and line[:1] in "|`" and line[:1] == held[0]:
            held += "\n" + line
            continue
        if held:
            yield held
        held = line if line[:1] in ("|", "`") else ""
        if line.strip() and not held:
            yield line


def _add(
    builder: DocumentBuilder, line: str, place: Place, marks: list[tuple[int, int, bool, str]]
) -> None:
    if line.startswith("|"):
        rows = line.split("\n")
        inner = [row[2 if row.startswith("|=") else 1 :].rstrip().removesuffix("|") for row in rows]
        cells = [[cell.strip() for cell in row.split("|")] for row in inner]
        headers = sum(1 for row in rows if row.startswith("|="))
        builder.table(cells, place, grid={"header_rows": headers})
    elif match := _HEADING.fullmatch(line):
        level = int(match[2]) if match[2] else len(match[1])
        marks.append((builder.length, level, bool(match[3]), match[4]))
        builder.paragraph(match[4], place, style=Style(outline_level=level or None))
    elif line[0] in _ROLES:
        builder.paragraph(line[1:].strip(), place, role=_ROLES[line[0]])
    elif line[:2] in _FORMS:
        words = "\n".join(part[2:] for part in line.split("\n"))
        builder.paragraph(words, place, kind=_FORMS[line[:2]])  # type: ignore[arg-type]
    else:
        builder.paragraph(line, place)


def _kind(level: int, title: str) -> HeadingKind:
    if level == 0:
        return "title"
    if title.startswith("附"):
        return "appendix"
    match = re.match(r"第.+?([编章节条])", title)
    if match:
        return _KINDS[match[1]]
    return "clause" if re.match(r"[\d.]+|[一二三四五六七八九十]+、", title) else "section"


def _headings(
    document: Document, marks: list[tuple[int, int, bool, str]], zones: list[tuple[str, int]]
) -> Iterator[Heading]:
    edges = [start for _, start in zones if start] + [len(document.text)]
    for index, (start, level, run_in, title) in enumerate(marks):
        above = [i for i in range(index) if marks[i][1] < level]
        limit = len(document.text) if level == 0 else min(edge for edge in edges if edge > start)
        later = (s for s, other, _, _ in marks[index + 1 :] if other <= level)
        end = min(limit, next(later, limit))
        block = document.block_at(start)
        assert block is not None
        stop = block.span.end
        if run_in and "。" in document.text[start:stop]:
            stop = document.text.index("。", start) + 1
        label = re.match(r"第.+?[编章节条]|[\d.]+|[一二三四五六七八九十]+、|附.{1,3}\b", title)
        yield Heading(
            id=index, parent=above[-1] if above else None, level=level, kind=_kind(level, title),
            block=block.id, span=Span(start, stop),
            extent=Span(start, max(stop, start + len(document.text[start:end].rstrip()))),
            text=document.text[start:stop], title=title,
            label=label and label[0].strip(), run_in=run_in,
            family=title[label.end() - 1] if label and title.startswith("第") else None,
        )  # fmt: skip


def _zones(document: Document, marks: list[tuple[str, int]]) -> tuple[Zone, ...]:
    if not marks or marks[0][1] > 0:
        marks = [("body", 0), *marks]
    ends = [start for _, start in marks[1:]] + [len(document.text)]
    found = []
    for (words, start), end in zip(marks, ends, strict=True):
        kind, _, name = words.partition(" ")
        zone: ZoneKind = kind  # type: ignore[assignment]
        found.append(Zone(zone, name or None, Span(start, end)))
    return tuple(found)


def _anchors(document: Document, headings: tuple[Heading, ...]) -> Iterator[Anchor]:
    for heading in headings:
        if heading.label:
            yield Anchor(heading.label, heading.label, "条", (), heading.span, heading.extent,
                         heading.id, True)  # fmt: skip
    for block in document.blocks:
        match = _ITEM.match(document.text, block.span.start)
        if match and block.kind == "paragraph" and block.role == "body":
            yield Anchor(match[0], match[0], "（一）", (), block.span, block.span, None, False)
