"""The PDF reader: a file in, a ``Document`` out.

Takes a path, gives blocks in reading order with a box for each line or cell. Never guesses text: a
page that is a picture is recognised, or gets a placeholder and a problem.
"""

import re
from collections import Counter
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.model.document import Document, PageSize, Role, Source
from headworks.model.place import Box
from headworks.readers.builder import DocumentBuilder
from headworks.readers.ocr.budget import Budget
from headworks.readers.pdf import catalog, native
from headworks.readers.pdf.annotations import attachments
from headworks.readers.pdf.furniture import Furniture, of_page
from headworks.readers.pdf.layout import Line, as_line
from headworks.readers.pdf.measures import Measures, PageLayout, measure
from headworks.readers.pdf.pages import PageContent, take
from headworks.readers.pdf.scans import Outcome, laid_out, tell, with_scans
from headworks.readers.pdf.tables import PageTable, table_lines, visual_lines
from headworks.readers.pdf.turning import Turn
from headworks.readers.pdf.upright import is_page_number
from headworks.readers.pdf.writer import PICTURE, Writer
from headworks.readers.pictures import NO_TEXT

BATCH, LEAST_BATCH = 256, 8  # pages read before the file is opened anew
BATCH_BYTES = 8 << 20  # of the file: pdfium keeps the pictures of the pages it has seen
LOGO_PAGES = 3
MANY_LINKS = 2_000
_NOTE_MARK = re.compile("[①-⑳*†‡※]|[\\[［(（]?\\d{1,3}[\\]］)）.、 ]?(?=\\D)|注")


def read_pdf(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a PDF. Raises InputError (E_ENCRYPTED, E_CORRUPT) or LimitError (E_TOO_LARGE)."""
    builder, budget = DocumentBuilder(source), Budget(settings.timeout_seconds)
    with native.opened(path, settings.password) as document, native.form_of(document) as form:
        count = native.page_count(document)
        if count > settings.max_pages:
            message = f"{count} pages, the bound is {settings.max_pages}"
            raise LimitError("E_TOO_LARGE", message, place=source.name)
        _check_whole(builder, document, path, settings)
        builder.metadata = catalog.metadata(document, count)
        files = attachments(document)
        bookmarks = catalog.bookmarks(document)
        # Bookmarks say the same as tags, in a hundredth of the time.
        tagged = not bookmarks and bool(native.is_tagged(document))
        batch = _batch(count, path.stat().st_size)
        contents = [take(document, index, tagged, form) for index in range(min(count, batch))]
    # pdfium keeps what it parsed for as long as a file is open: it is opened anew now and then.
    for start in range(batch, count, batch):
        with native.opened(path, settings.password) as document, native.form_of(document) as form:
            end = min(start + batch, count)
            contents.extend(take(document, index, tagged, form) for index in range(start, end))
    if count == 0 or all(content.broken for content in contents):
        raise InputError("E_CORRUPT", "no page can be read", place=source.name)
    contents, outcome = with_scans(path, contents, settings, budget)
    write_pages(builder, contents, bookmarks, outcome)
    tell(builder, outcome)
    _tell_more(builder, contents, files)
    return builder.finish()


def _batch(pages: int, size: int) -> int:
    """Give how many pages are read before what pdfium holds of them is let go."""
    return min(BATCH, max(LEAST_BATCH, BATCH_BYTES * pages // max(1, size)))


def _check_whole(
    builder: DocumentBuilder, document: int, path: Path, settings: ReadSettings
) -> None:
    """Refuse a file that was cut off; warn of one whose index pdfium had to rebuild."""
    if native.has_index(document):
        return
    with path.open("rb") as file:
        file.seek(max(0, path.stat().st_size - 2048))
        cut = b"%%EOF" not in file.read()
    if cut and not settings.salvage:
        raise InputError("E_CORRUPT", "the file ends early", place=path.name)
    builder.problem("W_SALVAGED", "the cross-reference table is damaged and was rebuilt")


def write_pages(
    builder: DocumentBuilder,
    contents: list[PageContent],
    bookmarks: dict[int, list[catalog.Bookmark]] | None = None,
    outcome: Outcome | None = None,
) -> None:
    """Write pages, whatever they were read from: furniture apart, lines joined to paragraphs."""
    bookmarks, outcome = bookmarks or {}, outcome or Outcome()
    contents, turned = _without_logos(contents), _repeated_turned(contents)
    roles, layouts = laid_out(contents)
    for content in contents:
        on_side = content.turn in (90, 270)
        size = (content.height, content.width) if on_side else (content.width, content.height)
        builder.page_sizes.append(PageSize(*size))
    writer = Writer(builder, measures := measure(layouts), bookmarks)
    broken = []
    for content, layout in zip(contents, layouts, strict=True):
        if content.broken:
            broken.append(content.page)
            builder.problem("W_PART", "the page cannot be read", place=f"page {content.page}")
            continue
        found = of_page(roles, content.page)
        if content.turn or content.skew:
            turn = Turn(content.turn, content.width, content.height, content.skew)
            writer.turned(content.page, turn)
        _furniture(writer, content, found, top=True)
        picture = content.page in outcome.unread
        if picture:
            writer.break_off()
            whole = Box(content.page, 0.0, 0.0, content.width, content.height)
            writer.figure(content.page, whole, NO_TEXT, 0.0)
        writer.comments(content.page, content.notes.comments)
        _flow(writer, layout, measures, None if picture else content)
        _furniture(writer, content, found, top=False)
        _apart(writer, content, turned)
        writer.end_page(content.page)
    writer.close()
    if broken:
        builder.lost(unread_parts=tuple(f"page {page}" for page in broken))


def _without_logos(contents: list[PageContent]) -> list[PageContent]:
    """Give the pages without the pictures that stand at one place of several pages."""
    places = Counter(
        tuple(round(edge / 3) for edge in picture.box)
        for content in contents
        for picture in content.figures
    )
    logos = {place for place, count in places.items() if count >= LOGO_PAGES}
    if not logos:
        return contents
    return [
        msgspec.structs.replace(
            content,
            figures=[
                picture
                for picture in content.figures
                if tuple(round(edge / 3) for edge in picture.box) not in logos
            ],
        )
        for content in contents
    ]


def _flow(
    writer: Writer, layout: PageLayout, measures: Measures, content: PageContent | None
) -> None:
    """Hand over a page's regions; what stands below its foot rule are footnotes.

    ``content`` is none where the page is a picture, which needs no mark for its pieces.
    """
    notes: list[Line] = []
    foot = content.foot if content is not None else None
    for region in layout.regions:
        margins = measures.of(layout, region)
        for thing in region.things:
            if not isinstance(thing, Line):
                if isinstance(thing, PageTable):
                    writer.table(thing)
                elif content is not None:
                    writer.figure(thing.page, Box(thing.page, *thing.box), thing.says or PICTURE)
            elif foot is not None and thing.y0 > foot - 2 and thing.size < measures.size - 0.7:
                notes.append(thing)
            else:
                writer.line(thing, margins)
    for lines in _footnotes(notes):
        writer.footnote(lines)


def _footnotes(notes: list[Line]) -> list[list[Line]]:
    """Give footnotes as groups of lines: each begins with its mark."""
    groups: list[list[Line]] = []
    for line in notes:
        if not groups or _NOTE_MARK.match(line.text):
            groups.append([])
        groups[-1].append(line)
    return groups


def _furniture(writer: Writer, content: PageContent, found: Furniture, *, top: bool) -> None:
    """Hand over the furniture of a page's upper (or lower) half."""
    middle = content.height / 2
    parts = [
        content.fragments[index]
        for index in found.fragments
        if (content.fragments[index].base < middle) is top
    ]
    role_of = {id(content.fragments[index]): role for index, role in found.fragments.items()}
    for parts_of_line in visual_lines(parts):
        writer.furniture(as_line(parts_of_line), role_of[id(parts_of_line[0])])
    for index, role in found.tables.items():
        table = content.tables[index]
        if (table.box[1] < middle) is top:
            for parts_of_line in table_lines(table):
                writer.furniture(as_line(parts_of_line), role)


def _repeated_turned(contents: list[PageContent]) -> frozenset[tuple[str, int]]:
    """Give the turned words that many pages carry (装订线, the file's number at the side)."""
    counts: Counter[tuple[str, int]] = Counter()
    for content in contents:
        counts.update({(part.text, round(part.x0 / 6)) for part in content.turned})
    return frozenset(place for place, count in counts.items() if count >= LOGO_PAGES)


def _apart(writer: Writer, content: PageContent, repeated: frozenset[tuple[str, int]]) -> None:
    """Hand over what is no part of the flow: watermarks, text turned upright, hidden text."""
    for fragment in content.turned:
        slanted = min(fragment.angle % 90, 90 - fragment.angle % 90) > 3
        marked = slanted or (fragment.text, round(fragment.x0 / 6)) in repeated
        role: Role = "watermark" if marked else "body"
        if content.vertical and is_page_number(fragment):
            role = "page_number"
        elif content.vertical and marked:
            role = "page_header" if fragment.x0 < content.width / 2 else "page_footer"
        writer.furniture(as_line([fragment]), role)
    for fragment in content.hidden:
        writer.furniture(as_line([fragment]), "hidden_text")


def _tell_more(builder: DocumentBuilder, contents: list[PageContent], files: list[str]) -> None:
    """List the addresses and the files inside the file, and what is doubtful."""
    files = [*files, *(name for content in contents for name in content.notes.files if name)]
    garbled = [content for content in contents if content.unreadable]
    if garbled:
        builder.lost(unreadable_characters=sum(content.unreadable for content in garbled))
    for content in garbled:
        message = f"{content.unreadable} characters cannot be what the page shows"
        builder.problem("W_GLYPH", message, place=f"page {content.page}")
    for content in contents:
        builder.removed("duplicate", content.doubled, f"page {content.page}")
    links = dict.fromkeys(link for content in contents for link in content.notes.links)
    if links:
        builder.metadata.more["links"] = list(links)[:MANY_LINKS]
    if files:
        builder.metadata.more["attachments"] = files
