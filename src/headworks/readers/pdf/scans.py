"""Pages that are pictures: which they are, their recognised text in its place, what it lacks.

Takes the pages' contents, gives them with the text of scans like any other page's, and what became
of each. Never drops a page: one that is not read is told, with the reason.
"""

from collections.abc import Sequence
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.model.place import Box
from headworks.readers.builder import DocumentBuilder
from headworks.readers.ocr.budget import Budget
from headworks.readers.ocr.layout import Read, placed
from headworks.readers.ocr.pages import Scanned, recognise
from headworks.readers.ocr.printed import printed_pages
from headworks.readers.ocr.seen import Scan
from headworks.readers.pdf.furniture import Furniture, PageEdges, furniture, of_page
from headworks.readers.pdf.layout import Picture, regions
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.measures import PageLayout
from headworks.readers.pdf.pages import DRAWN_PATHS, LOGO_COVER, SCAN_COVER, PageContent
from headworks.readers.pdf.tables import PageTable
from headworks.readers.pdf.turning import Turn
from headworks.readers.pictures import FEW_CHARS, LARGE_PICTURE, LITTLE_TEXT

EDGE_TEXT = 200  # characters: headers and footers have no more
LEAST_WORDS = 20  # characters
STRAIGHT = 0.5  # degrees
SEAL = "[印章]"
DOUBTFUL = 0.75
DOUBTFUL_COVERED = 0.9


class Outcome(msgspec.Struct, frozen=True):
    """What became of the pages that are pictures: those read, the others with code and reason.

    ``beside`` are pages with text whose pictures were not read, ``replaced`` those whose text
    layer lies.
    """

    read: tuple[tuple[int, Scan], ...] = ()
    unread: dict[int, tuple[str, str]] = {}
    beside: dict[int, str] = {}
    replaced: tuple[int, ...] = ()
    missing: str = ""
    engine: str = ""


def laid_out(contents: Sequence[PageContent]) -> tuple[dict[int, Furniture], list[PageLayout]]:
    """Give the furniture by page, and the pages' regions without it."""
    roles = furniture(
        [
            PageEdges(c.page, c.height, c.fragments, c.tables, c.recognised)
            for c in contents
            if not c.broken
        ]
    )
    return roles, [_layout(content, of_page(roles, content.page)) for content in contents]


def _layout(content: PageContent, found: Furniture) -> PageLayout:
    fragments, tables = content.fragments, content.tables
    if found.fragments:
        fragments = [f for index, f in enumerate(fragments) if index not in found.fragments]
    if found.tables:
        tables = [table for index, table in enumerate(tables) if index not in found.tables]
    framed: list[PageTable | Picture] = [*tables, *content.figures]
    in_order = regions(fragments, framed, content.width) if fragments or framed else []
    return PageLayout(content.page, content.width, content.height, in_order)


def with_scans(
    path: Path, contents: list[PageContent], settings: ReadSettings, budget: Budget
) -> tuple[list[PageContent], Outcome]:
    """Give the pages with what recognition reads on those that are pictures."""
    pictures: list[int] = []
    if any(_may_be_picture(content) for content in contents):
        _, layouts = laid_out(contents)
        pictures = [
            content.page
            for content, layout in zip(contents, layouts, strict=True)
            if not content.broken and _is_picture(content, layout)
        ]
    beside = {
        content.page: [picture.box for picture in _large(content)]
        for content in contents
        if content.page not in pictures and _shows_pages(content)
    }
    mixed = printed_pages(path, beside, settings) if settings.ocr != "off" else []
    garbled = [c.page for c in contents if c.page not in pictures and _is_garbled(c)]
    others = sorted({*mixed, *garbled})
    if not pictures and not others:
        return contents, Outcome()
    scanned = recognise(path, [*pictures, *others], settings, budget)
    return merged(contents, pictures, scanned)


def merged(
    contents: list[PageContent], pictures: list[int], scanned: Scanned
) -> tuple[list[PageContent], Outcome]:
    """Give the pages with the scans' content in its place."""
    if scanned.refused is not None:
        unread = dict.fromkeys(pictures, ("W_NO_TEXT", "a picture and no text"))
        missing = scanned.refused.why if scanned.refused.wanted else ""
        return contents, Outcome(unread=unread, missing=missing)
    of_page = {
        page: (scan, read)
        for (page, scan, _), read in zip(scanned.scans, placed(scanned.scans), strict=True)
    }
    whole = frozenset(pictures)
    found = []
    for content in contents:
        if content.page not in of_page:
            found.append(content)
        elif content.page in whole:
            found.append(_recognised(content, *of_page[content.page]))
        elif _is_garbled(content):
            found.append(_in_place_of_layer(content, *of_page[content.page]))
        else:
            found.append(_with_pictures_read(content, *of_page[content.page]))
    pages = {content.page for content in found if content.recognised}
    read = tuple((page, scan) for page, scan, _ in scanned.scans if page in pages)
    unread = {page: ("E_OCR", why) for page, why in scanned.failed.items() if page in whole}
    beside = {page: why for page, why in scanned.failed.items() if page not in whole}
    nothing = ("W_NO_TEXT", "a picture in which no text was found")
    unread |= {page: nothing for page, scan in read if not scan.lines and not scan.blank}
    replaced = [
        after.page
        for before, after in zip(contents, found, strict=True)
        if before.unreadable and after.recognised
    ]
    return found, Outcome(read, unread, beside, tuple(replaced), "", scanned.engine)


def _may_be_picture(content: PageContent) -> bool:
    inked = content.cover > LOGO_COVER or content.paths >= DRAWN_PATHS
    return inked and _chars(content) < EDGE_TEXT and not content.broken


def _chars(content: PageContent) -> int:
    tables = sum(len(part.text) for table in content.tables for part in table.fragments)
    return tables + sum(len(fragment.text) for fragment in content.fragments)


def _shows_pages(content: PageContent) -> bool:
    """Tell whether a page has little text beside a picture that may be one of a page."""
    return (
        not content.broken
        and not content.turn
        and _chars(content) < LITTLE_TEXT
        and bool(_large(content))
    )


def _is_garbled(content: PageContent) -> bool:
    """Tell whether much of a page's text layer cannot be what the page shows."""
    return not content.broken and 3 * content.unreadable >= max(_chars(content), LEAST_WORDS)


def _in_place_of_layer(content: PageContent, scan: Scan, read: Read) -> PageContent:
    """Give a page whose text layer lies with what recognition reads instead, if that is as much."""
    sure = sum(len(line.text) for line in scan.lines if line.score >= DOUBTFUL)
    if 2 * sure < _chars(content):
        return content
    bare = msgspec.structs.replace(
        content, fragments=[], tables=[], turned=[], figures=[], unreadable=0
    )
    return _recognised(bare, scan, read)


def _large(content: PageContent) -> list[Picture]:
    """Give the large pictures in which no text of the page's own stands."""
    least = LARGE_PICTURE * content.width * content.height
    return [
        picture
        for picture in content.figures
        if (picture.box[2] - picture.box[0]) * (picture.box[3] - picture.box[1]) >= least
        and not any(_is_in(part, picture) for part in content.fragments)
    ]


def _is_in(part: Fragment, picture: Picture) -> bool:
    x, y = (part.x0 + part.x1) / 2, (part.y0 + part.y1) / 2
    x0, y0, x1, y1 = picture.box
    return x0 <= x <= x1 and y0 <= y <= y1


def _is_picture(content: PageContent, layout: PageLayout) -> bool:
    chars = 0
    for region in layout.regions:
        for thing in region.things:
            if isinstance(thing, PageTable):
                return False
            if isinstance(thing, Picture):
                continue
            chars += len(thing.text)
    if chars == 0:
        return content.cover > LOGO_COVER or content.paths >= DRAWN_PATHS
    return chars < FEW_CHARS and content.cover >= SCAN_COVER


def _recognised(content: PageContent, scan: Scan, read: Read) -> PageContent:
    """Give a page with the scan's content beside the few words of its own."""
    width, height = content.width, content.height
    if scan.turn in (90, 270):
        width, height = height, width
    turn = Turn(scan.turn, width, height, scan.skew)
    own = [_moved(fragment, turn) for fragment in content.fragments]
    seals = [
        Picture(content.page, box, f"[印章：{text}]" if text else SEAL) for box, text in read.seals
    ]
    return msgspec.structs.replace(
        content,
        width=width,
        height=height,
        turn=scan.turn,
        skew=scan.skew,
        fragments=_once(read.fragments, own),
        tables=[*read.tables, *content.tables],
        turned=[*content.turned, *read.slanted],
        figures=seals,
        recognised=True,
    )


def _with_pictures_read(content: PageContent, scan: Scan, read: Read) -> PageContent:
    """Give a page of text with the words of its large pictures in their place."""
    if scan.turn or abs(scan.skew) > STRAIGHT:
        return content
    kept: list[Fragment] = []
    tables: list[PageTable] = []
    figures = list(content.figures)
    for picture in _large(content):
        inside = [part for part in read.fragments if _is_in(part, picture)]
        grids = [table for table in read.tables if _is_in(table.fragments[0], picture)]
        said = [*inside, *(part for table in grids for part in table.fragments)]
        sure = sum(len(part.text) for part in said if part.score >= DOUBTFUL)
        if sure < LEAST_WORDS:  # a photograph with a word on it stays a picture
            continue
        figures.remove(picture)
        kept += inside
        tables += grids
    if len(figures) == len(content.figures):
        return content
    return msgspec.structs.replace(
        content,
        fragments=[*content.fragments, *kept],
        tables=[*content.tables, *tables],
        figures=figures,
        recognised=True,
    )


def _moved(fragment: Fragment, turn: Turn) -> Fragment:
    """Give a fragment of the page's own text in the coordinates of the scan's."""
    if not turn.angle and not turn.skew:
        return fragment
    part = fragment
    box = turn.onto(Box(part.page, part.x0, part.y0, part.x1, part.y1))
    return msgspec.structs.replace(
        part, x0=box.x0, y0=box.y0, x1=box.x1, y1=box.y1, base=box.y1 - 0.12 * part.size,
        start=box.x0, reach=box.x1,
    )  # fmt: skip


def _once(parts: list[Fragment], own: list[Fragment]) -> list[Fragment]:
    """Give what was recognised and the page's own text, what both give once."""
    kept = list(parts)
    for mine in own:
        same = [part for part in kept if _at_one_place(part, mine)]
        longer = [part for part in same if len(part.text) > 1.5 * len(mine.text)]
        if any(_bare(mine.text) in _bare(part.text) for part in longer):
            continue  # a piece of a line that was read whole
        kept = [part for part in kept if part not in same or part in longer]
        kept.append(mine)
    return kept


def _at_one_place(part: Fragment, mine: Fragment) -> bool:
    """Tell whether the middle of one lies in the other."""
    return any(
        one.x0 <= (other.x0 + other.x1) / 2 <= one.x1
        and one.y0 - 2 <= (other.y0 + other.y1) / 2 <= one.y1 + 2
        for one, other in ((part, mine), (mine, part))
    )


def _bare(text: str) -> str:
    return text.replace(" ", "")


def tell(builder: DocumentBuilder, outcome: Outcome) -> None:
    """Note what was recognised, what is doubtful in it, and what was not read."""
    if outcome.unread:
        builder.lost(picture_only_pages=tuple(sorted(outcome.unread)))
    for page, (code, why) in sorted(outcome.unread.items()):
        builder.problem(code, why, place=f"page {page}")
    for page, why in sorted(outcome.beside.items()):
        builder.problem("E_OCR", f"a picture beside text: {why}", place=f"page {page}")
    for page in outcome.replaced:
        message = "the text layer cannot be what the page shows: recognised instead"
        builder.problem("W_GLYPH", message, place=f"page {page}")
    if outcome.missing and outcome.unread:
        builder.problem("E_OCR", outcome.missing, place=f"{len(outcome.unread)} pages")
    if not outcome.read:
        return
    builder.metadata.more["recognised_pages"] = [str(page) for page, _ in outcome.read]
    builder.metadata.more["recogniser"] = outcome.engine
    doubtful = covered = 0
    for page, scan in outcome.read:
        under = [line for line in scan.lines if line.covered]
        weak = [line for line in scan.lines if is_doubtful(line.score, line.covered)]
        doubtful += len(weak) + scan.unread
        covered += len(under)
        if weak or under or scan.unread:
            message = f"{len(weak)} of {len(scan.lines)} lines are doubtful"
            message += f", {len(under)} under a seal" if under else ""
            message += f", {scan.unread} could not be read" if scan.unread else ""
            builder.problem("W_OCR", message, place=f"page {page}")
    builder.lost(doubtful_lines=doubtful, covered_lines=covered)


def is_doubtful(score: float, covered: bool) -> bool:
    """Tell whether a line was recognised with little certainty."""
    return score < (DOUBTFUL_COVERED if covered else DOUBTFUL)
