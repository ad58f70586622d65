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
from headworks.readers.ocr.seen import Scan
from headworks.readers.pdf.furniture import Furniture, PageEdges, furniture, of_page
from headworks.readers.pdf.layout import Picture, regions
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.measures import PageLayout
from headworks.readers.pdf.pages import DRAWN_PATHS, LOGO_COVER, SCAN_COVER, PageContent
from headworks.readers.pdf.tables import PageTable
from headworks.readers.pdf.turning import Turn

FEW_CHARS = 10  # a picture page may carry a stamp of this many characters
SEAL = "[印章]"
DOUBTFUL = 0.75
DOUBTFUL_COVERED = 0.9


class Outcome(msgspec.Struct, frozen=True):
    """What became of the pages that are pictures: those read, the others with code and reason."""

    read: tuple[tuple[int, Scan], ...] = ()
    unread: dict[int, tuple[str, str]] = {}
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
    if not any(_may_be_picture(content) for content in contents):
        return contents, Outcome()
    _, layouts = laid_out(contents)
    pictures = [
        content.page
        for content, layout in zip(contents, layouts, strict=True)
        if not content.broken and _is_picture(content, layout)
    ]
    if not pictures:
        return contents, Outcome()
    return merged(contents, pictures, recognise(path, pictures, settings, budget))


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
    found = [
        _recognised(content, *of_page[content.page]) if content.page in of_page else content
        for content in contents
    ]
    read = tuple((page, scan) for page, scan, _ in scanned.scans)
    unread = {page: ("E_OCR", why) for page, why in scanned.failed.items()}
    nothing = ("W_NO_TEXT", "a picture in which no text was found")
    unread |= {page: nothing for page, scan in read if not scan.lines and not scan.blank}
    return found, Outcome(read, unread, "", scanned.engine)


def _may_be_picture(content: PageContent) -> bool:
    chars = sum(len(fragment.text) for fragment in content.fragments)
    inked = content.cover > LOGO_COVER or content.paths >= DRAWN_PATHS
    return inked and chars < 400 and not content.broken


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
    seals = [Picture(content.page, box, SEAL) for box in read.seals]
    return msgspec.structs.replace(
        content,
        width=width,
        height=height,
        turn=scan.turn,
        skew=scan.skew,
        fragments=[*(part for part in read.fragments if not _is_said(part, own)), *own],
        tables=[*read.tables, *content.tables],
        turned=[*content.turned, *read.slanted],
        figures=seals,
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


def _is_said(part: Fragment, own: Sequence[Fragment]) -> bool:
    """Tell whether the text layer gives what was recognised here."""
    x, y = (part.x0 + part.x1) / 2, (part.y0 + part.y1) / 2
    return any(o.x0 <= x <= o.x1 and o.y0 - 2 <= y <= o.y1 + 2 for o in own)


def tell(builder: DocumentBuilder, outcome: Outcome) -> None:
    """Note what was recognised, what is doubtful in it, and what was not read."""
    if outcome.unread:
        builder.lost(picture_only_pages=tuple(sorted(outcome.unread)))
    for page, (code, why) in sorted(outcome.unread.items()):
        builder.problem(code, why, place=f"page {page}")
    if outcome.missing:
        builder.problem("E_OCR", outcome.missing, place=f"{len(outcome.unread)} pages")
    if not outcome.read:
        return
    builder.metadata.more["recognised_pages"] = [str(page) for page, _ in outcome.read]
    builder.metadata.more["recogniser"] = outcome.engine
    doubtful = covered = 0
    for page, scan in outcome.read:
        under = [line for line in scan.lines if line.covered]
        weak = [line for line in scan.lines if _is_doubtful(line.score, line.covered)]
        doubtful += len(weak) + scan.unread
        covered += len(under)
        if weak or under or scan.unread:
            message = f"{len(weak)} of {len(scan.lines)} lines are doubtful"
            message += f", {len(under)} under a seal" if under else ""
            message += f", {scan.unread} could not be read" if scan.unread else ""
            builder.problem("W_OCR", message, place=f"page {page}")
    builder.lost(doubtful_lines=doubtful, covered_lines=covered)


def _is_doubtful(score: float, covered: bool) -> bool:
    return score < (DOUBTFUL_COVERED if covered else DOUBTFUL)
