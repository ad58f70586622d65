"""What stands on a sheet beside its cells: comments, threads, text boxes, charts, pictures.

Takes a workbook and a sheet, gives notes with the cell they stand on. Never gives a thread twice,
once as itself and once as the old comment that stands in for it.
"""

import re

import msgspec
from lxml import etree

from headworks.model.document import BlockKind
from headworks.model.place import a1
from headworks.readers.docx.figures import chart_lines, described
from headworks.readers.xlsx.cells import column_number
from headworks.readers.xlsx.shown import Clean
from headworks.readers.xlsx.styles import number_of
from headworks.readers.xlsx.workbook import Sheet, Workbook

_REFERENCE = re.compile(r"\$?([A-Z]+)\$?(\d+)")
_AUTHOR_LINE = re.compile(r"^[^\n]{1,40}[:：]\n")


class Note(msgspec.Struct, frozen=True):
    """A comment, a text box or a figure: its text and the cell it is on."""

    row: int
    column: int
    text: str
    kind: BlockKind = "comment"
    author: str | None = None
    date: str | None = None


def notes_of(workbook: Workbook, sheet: Sheet, clean: Clean) -> list[Note]:
    """Give the sheet's notes."""
    threads = _threads(workbook, sheet, clean)
    threaded = {(note.row, note.column) for note in threads}
    comments = [
        note
        for note in _comments(workbook, sheet, clean)
        if (note.row, note.column) not in threaded
    ]
    return [*threads, *comments, *_drawn(workbook, sheet, clean)]


def _comments(workbook: Workbook, sheet: Sheet, clean: Clean) -> list[Note]:
    notes = []
    for part in sheet.relations.get("comments", ()):
        root = workbook.side_xml(part)
        if root is None:
            continue
        authors = [entry.text or "" for entry in root.iterfind("{*}authors/{*}author")]
        for entry in root.iterfind("{*}commentList/{*}comment"):
            number = number_of(entry, "authorId")
            author = clean(authors[number]) if number < len(authors) else ""
            text = "".join(piece.text or "" for piece in entry.iterfind(".//{*}t"))
            # Excel writes the author's name into the text as its first line.
            if author and text.startswith(author):
                text = _AUTHOR_LINE.sub("", text, count=1)
            note = _note(entry.get("ref") or "", text, author, None, clean)
            if note is not None:
                notes.append(note)
    return notes


def _threads(workbook: Workbook, sheet: Sheet, clean: Clean) -> list[Note]:
    people: dict[str, str] = {}
    notes = []
    for part in sheet.relations.get("threadedComment", ()):
        root = workbook.side_xml(part)
        if root is None:
            continue
        people = people or _people(workbook)
        for entry in root.iterfind("{*}threadedComment"):
            text = "".join(piece.text or "" for piece in entry.iterfind("{*}text"))
            author = people.get(entry.get("personId") or "", "")
            note = _note(entry.get("ref") or "", text, author, entry.get("dT"), clean)
            if note is not None:
                notes.append(note)
    return notes


def _people(workbook: Workbook) -> dict[str, str]:
    people = {}
    for part in workbook.related(workbook.part, "person"):
        root = workbook.side_xml(part)
        for entry in root.iterfind("{*}person") if root is not None else ():
            people[entry.get("id") or ""] = entry.get("displayName") or ""
    return people


def _note(reference: str, text: str, author: str, date: str | None, clean: Clean) -> Note | None:
    found = _REFERENCE.match(reference)
    text = clean(text)
    if found is None or not text:
        return None
    who = f"[批注] {author}: " if author else "[批注] "
    row, column = int(found[2]) - 1, column_number(found[1])
    return Note(row, column, f"{who}{text}", author=author or None, date=date)


def _drawn(workbook: Workbook, sheet: Sheet, clean: Clean) -> list[Note]:
    """Give what lies over the cells: text boxes, charts with their words, described pictures."""
    notes = []
    for part in sheet.relations.get("drawing", ()):
        root = workbook.side_xml(part)
        for anchor in root if root is not None else ():
            if not isinstance(anchor.tag, str):
                continue
            row, column = _number(anchor, "row"), _number(anchor, "col")
            text = clean("\n".join(line for line in _boxed(anchor) if line.strip()))
            if text:
                notes.append(Note(row, column, text, kind="paragraph"))
            for picture in anchor.iterfind(".//{*}pic"):
                name = _picture(workbook, part, picture)
                workbook.pictures.append(f"picture {name} at {sheet.name}!{a1(row, column)}")
            figures = _figures(workbook, part, anchor)
            notes += [Note(row, column, clean(figure), kind="figure") for figure in figures]
    return notes


def _boxed(anchor: etree._Element) -> list[str]:
    return [
        "".join(piece.text or "" for piece in paragraph.iterfind(".//{*}t"))
        for paragraph in anchor.iterfind(".//{*}txBody/{*}p")
    ]


def _figures(workbook: Workbook, drawing: str, anchor: etree._Element) -> list[str]:
    """Give the lines that stand for the charts and the pictures of an anchor."""
    found = []
    for named in anchor.iterfind(".//{*}cNvPr"):
        alt = described(named.get("descr") or named.get("title") or "")
        holder = named.getparent()
        shape = holder.getparent() if holder is not None else None
        kind = etree.QName(shape).localname if shape is not None else ""
        if kind == "pic" and alt:
            found.append(f"[图片：{alt}]")
        elif kind == "graphicFrame" and shape is not None:
            lines = _chart(workbook, drawing, shape)
            if lines is not None:
                found.append("\n".join([f"[图表：{alt}]" if alt else "[图表]", *lines]))
    return found


def _picture(workbook: Workbook, drawing: str, picture: etree._Element) -> str:
    """Give the part that holds a picture, or its name in the sheet where there is none."""
    blip = picture.find(".//{*}blip")
    links = [] if blip is None else [str(to) for name, to in blip.items() if "}embed" in str(name)]
    targets = workbook.targets(drawing)
    found = next((targets[link] for link in links if link in targets), None)
    named = picture.find(".//{*}cNvPr")
    return found or (str(named.get("name") or "") if named is not None else "")


def _chart(workbook: Workbook, drawing: str, frame: etree._Element) -> list[str] | None:
    """Give a chart's words; none where the frame holds none or its part cannot be read."""
    chart = frame.find(".//{*}graphicData/{*}chart")
    if chart is None:
        return None
    link = next((str(to) for name, to in chart.items() if str(name).endswith("}id")), "")
    root = workbook.side_xml(workbook.targets(drawing).get(link, ""))
    return None if root is None else chart_lines(root)


def _number(anchor: etree._Element, name: str) -> int:
    text = anchor.findtext(f"{{*}}from/{{*}}{name}") or "0"
    return int(text) if text.isdigit() else 0
