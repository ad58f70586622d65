"""Page headers, footers and page numbers, found by repetition over pages and by place.

Takes all pages' fragments and tables, gives each page's furniture with its role. Never takes a line
that stands once, and never one whose place other pages use for their body.
"""

import re
from bisect import bisect
from collections import Counter, defaultdict
from itertools import pairwise

import msgspec

from headworks.model.document import Role
from headworks.model.numerals import CHINESE_NUMERALS, integer, roman
from headworks.readers.pdf.labels import label
from headworks.readers.pdf.lines import Fragment
from headworks.readers.pdf.tables import PageTable, visual_lines
from headworks.readers.pdf.watermarks import usual_size, watermarks

ROWS = 5  # this many lines from each end are looked at
ZONE = 0.22  # share of the page's height where furniture may stand
OUTER = 0.075  # share of the page's height in which no text of a form begins
BAND = 3.0  # points: lines of different pages this near in height stand at one place
SCANNED_BAND = 0.011  # of the page's height, where sheets lay on a scanner
TITLE_SIZE = 1.2  # times the usual size: so large a line inside the margins is a title
SMALL_TABLE_ROWS = 4

_NUMBER = re.compile("\\d+")
_COUNTED = re.compile(f"(?<=第)[{CHINESE_NUMERALS} ]+(?=页)|(?<=共)[{CHINESE_NUMERALS} ]+(?=页)")
EVERYWHERE = 0.9  # of the pages: a line that so many begin with is a header however near the text
_ROMAN = re.compile("(?<![A-Za-z])(?:[ivxlc]{1,7}|[IVXLC]{1,7}|[Ⅰ-ⅿ]{1,4})(?![A-Za-z])")
_SPACE = re.compile("\\s+")
_PAGE_NUMBER = re.compile(
    "[-–—―~·•\\[(（【/| ]*(?:第 ?)?(?:page|p\\.?)? ?#(?: ?[页頁])?"
    "(?: ?[-,，/|·of共 ]* ?#(?: ?[页頁])?)?[-–—―~·•\\])）】| ]*",
    re.I,
)
_EXPLICIT = re.compile("第? ?#? ?页? ?[,，/| ]*共 ?# ?页|第 ?# ?页|page ?#", re.I)


class Row(msgspec.Struct, frozen=True):
    """A printed line (or a small table) near a page's edge, as furniture is looked for."""

    page: int
    top: bool
    depth: int
    key: str
    text: str
    values: tuple[int, ...]
    base: float
    size: float
    fragments: tuple[int, ...]
    table: int | None = None
    margin: bool = False  # in the outermost tenth of the page
    apart: bool = True  # by its size or a wide gap from the next line inwards
    outer: bool = False  # so near to the edge that no text begins there


class PageEdges(msgspec.Struct, frozen=True):
    """What furniture needs of one page."""

    page: int
    height: float
    fragments: list[Fragment]
    tables: list[PageTable]
    scanned: bool = False  # sheets lie a little otherwise each time


class Furniture(msgspec.Struct, frozen=True):
    """Roles by index of fragment and of table on a page."""

    fragments: dict[int, Role]
    tables: dict[int, Role]


_NONE = Furniture({}, {})


def furniture(pages: list[PageEdges]) -> dict[int, Furniture]:
    """Give the furniture of each page that has some, by page number."""
    rows = [row for page in pages for row in _edge_rows(page)]
    band = max(BAND, *(SCANNED_BAND * page.height for page in pages if page.scanned), 0.0)
    roles: dict[int, Furniture] = {}
    usual = usual_size([part for page in pages for part in page.fragments])
    for row, role in _outer(rows, _repeated(rows, len(pages), band), TITLE_SIZE * usual):
        found = roles.setdefault(row.page, Furniture({}, {}))
        if row.table is not None:
            found.tables[row.table] = role
        for index in row.fragments:
            found.fragments[index] = role
    for page, index in watermarks([(page.page, page.fragments) for page in pages], usual):
        roles.setdefault(page, Furniture({}, {})).fragments[index] = "watermark"
    return roles


def of_page(roles: dict[int, Furniture], page: int) -> Furniture:
    """Give one page's furniture, empty where it has none."""
    return roles.get(page, _NONE)


def _edge_rows(page: PageEdges) -> list[Row]:
    """Give the lines and small tables near the page's top and bottom, outermost first."""
    upper, lower = ZONE * page.height, (1 - ZONE) * page.height
    high = {
        id(fragment): index
        for index, fragment in enumerate(page.fragments)
        if fragment.y1 < upper or fragment.y0 > lower
    }
    near = [fragment for fragment in page.fragments if id(fragment) in high]
    found: list[tuple[float, list[Fragment], int | None]] = [
        (line[0].base, line, None) for line in visual_lines(near)
    ]
    for index, grid in enumerate(page.tables):
        near_edge = grid.box[3] < upper + 40 or grid.box[1] > lower - 40
        found.append((grid.box[1], [], index if near_edge else -1))
    found.sort(key=lambda entry: entry[0])
    bases = sorted((fragment.base, fragment.size) for fragment in page.fragments)
    pitch = _pitch(bases)
    rows = []
    for top, entries in ((True, found), (False, found[::-1])):
        for depth, (base, line, table) in enumerate(entries[:ROWS]):
            if table == -1 or (base > upper + 40 if top else base < lower - 40):
                break
            row = _row(page, (top, depth), base, (line, table), high)
            if table is None and not _is_apart(row, bases, pitch):
                row = msgspec.structs.replace(row, apart=False)
            rows.append(row)
    return rows


def _pitch(bases: list[tuple[float, float]]) -> float:
    """Give the usual distance of a page's lines."""
    steps = sorted(b[0] - a[0] for a, b in pairwise(bases) if b[0] - a[0] > 5)
    return steps[len(steps) // 2] if steps else 0.0


def _is_apart(row: Row, bases: list[tuple[float, float]], pitch: float) -> bool:
    """Tell whether a row differs from the next line inwards by size or stands far from it."""
    place = (
        bisect(bases, (row.base + 3, 0.0)) if row.top else bisect(bases, (row.base - 3, 0.0)) - 1
    )
    if not 0 <= place < len(bases):
        return True
    base, size = bases[place]
    if abs(row.size - size) > 0.08 * max(row.size, size):
        return True
    return abs(row.base - base) > min(1.3 * pitch, 3.5 * size)


def _row(
    page: PageEdges,
    place: tuple[bool, int],
    base: float,
    entry: tuple[list[Fragment], int | None],
    high: dict[int, int],
) -> Row:
    line, table = entry
    if table is None:
        text = " ".join(fragment.text for fragment in line)
        size = line[0].size
    else:
        cells = page.tables[table].rows
        text = " ".join(cell for row in cells for cell in row if cell)
        size = page.tables[table].size
        if len(cells) > SMALL_TABLE_ROWS:
            text = f"\ufffd{page.page}"  # a table of the body never repeats as a whole
    key, values = _normal(text)
    fragments = tuple(high[id(fragment)] for fragment in line)
    margin = not 0.1 * page.height < base < 0.9 * page.height
    row = Row(page.page, *place, key, text, values, base, size, fragments, table, margin)
    outer = not OUTER * page.height < base < (1 - OUTER) * page.height
    return msgspec.structs.replace(row, outer=outer)


def _normal(text: str) -> tuple[str, tuple[int, ...]]:
    """Give a text with its numbers made ``#``, and the numbers."""
    values: list[int] = []

    def digits(found: re.Match[str]) -> str:
        values.append(int(found.group()[:9]))
        return "#"

    def counted(found: re.Match[str]) -> str:
        value = integer(found.group().replace(" ", ""))
        if value is None:
            return found.group()
        values.append(value)
        return "#"

    def numeral(found: re.Match[str]) -> str:
        value = roman(found.group())
        if value is None:
            return found.group()
        values.append(value)
        return "#"

    text = _SPACE.sub("", text) if not text.isascii() else _SPACE.sub(" ", text).strip()
    key = _COUNTED.sub(counted, text)
    key = _NUMBER.sub(digits, key)
    if len(key) <= 12:
        key = _ROMAN.sub(numeral, key)
    return key, tuple(values)


def _repeated(rows: list[Row], pages: int, reach: float) -> dict[int, int]:
    """Give the rows that repeat at one place or count pages there, each with its place's number."""
    taken: dict[int, int] = {}
    for number, band in enumerate(_bands(rows, reach)):
        occupants = {rows[index].page for index in band}
        groups: dict[str, list[int]] = defaultdict(list)
        for index in band:
            groups[rows[index].key].append(index)
        accepted: list[int] = []
        for key, members in groups.items():
            group = [rows[index] for index in members]
            if _is_numbering(key, group, pages) or _is_running(group, pages):
                accepted.extend(members)
        pages_of = {rows[index].page for index in accepted}
        if accepted and len(pages_of) >= 0.5 * len(occupants):
            taken.update((index, number) for index in accepted)
            if len(pages_of) >= 3 and len(pages_of) >= 0.7 * len(occupants):
                taken.update((index, number) for index in _adopted(rows, band, accepted))
        else:  # a page number may share its place with body lines of other pages
            taken.update((i, number) for i in accepted if _PAGE_NUMBER.fullmatch(rows[i].key))
    taken.update((index, -1) for index in _astray(rows, taken))
    return taken


def _astray(rows: list[Row], taken: dict[int, int]) -> list[int]:
    """Give the page numbers that stand off their place and go on from the page before or after."""
    counted: dict[tuple[int, bool], set[int]] = defaultdict(set)
    for index in taken:
        row = rows[index]
        counted[row.page, row.top].update(value - row.page for value in row.values)
    found = []
    inner: set[tuple[int, bool]] = set()
    for index, row in enumerate(rows):  # by page and side, outermost first
        if index in taken or (row.page, row.top) in inner:
            continue
        inner.add((row.page, row.top))
        lone = row.table is None and row.margin and (row.apart or row.depth > 0)
        if not (lone and row.values and _PAGE_NUMBER.fullmatch(row.key)):
            continue
        near = [counted.get((page, row.top), ()) for page in (row.page - 1, row.page + 1)]
        if any(row.values[0] - row.page in offsets for offsets in near):
            found.append(index)
    return found


def _bands(rows: list[Row], reach: float) -> list[list[int]]:
    """Give the rows' indices by side and height, neighbours in height together."""
    bands: list[list[int]] = []
    for side in (True, False):
        ordered = sorted(
            (index for index, row in enumerate(rows) if row.top is side),
            key=lambda index: rows[index].base,
        )
        start = None
        for index in ordered:
            base = rows[index].base
            if start is None or base - start > reach:
                bands.append([])
                start = base
            bands[-1].append(index)
    return bands


def _is_running(group: list[Row], pages: int) -> bool:
    """Tell whether rows of one place and wording are a running header or footer."""
    numbers = {row.page for row in group}
    if len(numbers) < (2 if pages <= 4 else 3) or len(numbers) < len(group):
        return False
    if not any(char.isalnum() for char in group[0].key.replace("#", "")):
        return False
    if len(numbers) == 2 and not all(row.margin for row in group):
        return False
    if len({row.values for row in group}) == 1:
        return True
    mark = label(group[0].text)
    if mark is None or mark.family in ("1", "•"):
        return _counts(group)
    # 第3章 概述 12: the chapter's own number says nothing of the page.
    return _counts(group, len(_NUMBER.findall(group[0].text[: mark.length])))


def _is_numbering(key: str, group: list[Row], pages: int) -> bool:
    """Tell whether rows hold page numbers."""
    if not _PAGE_NUMBER.fullmatch(key) or not group[0].values:
        return False
    if len(group) == 1:
        return bool(_EXPLICIT.search(key)) or (
            pages <= 2 and group[0].depth == 0 and group[0].values[0] == group[0].page
        )
    return _counts(group)


def _counts(group: list[Row], first: int = 0) -> bool:
    """Tell whether one of the rows' numbers, from the ``first`` on, goes up with the pages."""
    ordered = sorted(group, key=lambda row: row.page)
    shortest = min(len(row.values) for row in ordered)
    for place in range(first, shortest):
        steps = Counter(row.values[place] - row.page for row in ordered)
        rising = sum(count for count in steps.values() if count >= 2)
        if rising >= 0.6 * len(ordered):
            return True
    return False


def _adopted(rows: list[Row], band: list[int], accepted: list[int]) -> set[int]:
    """Give the other rows of a header's place that look like it: a chapter's title of one page."""
    sizes = Counter(round(rows[index].size, 1) for index in accepted)
    bases = sorted(rows[index].base for index in accepted)
    middle = bases[len(bases) // 2]
    depths = {rows[index].depth for index in accepted}
    return {
        index
        for index in band
        if abs(rows[index].base - middle) <= 1.5
        and rows[index].depth in depths
        and round(rows[index].size, 1) in sizes
        and rows[index].table is None
    }


def _outer(rows: list[Row], taken: dict[int, int], large: float) -> list[tuple[Row, Role]]:
    """Give the taken rows with their roles.

    Inwards they end where most pages show a step in size or distance, or a ``large`` line: what
    repeats below it is the body of forms that are printed alike.
    """
    ends, forms = _ends(rows, taken), _forms(rows, taken)
    strays: Counter[tuple[int, bool]] = Counter()
    found: list[tuple[Row, Role]] = []
    for index, row in enumerate(rows):  # by page and side, outermost first
        side = (row.page, row.top)
        if index not in taken or (row.size > large and not row.outer):
            strays[side] += 1
        elif row.values and _PAGE_NUMBER.fullmatch(row.key):
            found.append((row, "page_number"))  # body lines may run past it
        elif strays[side] or row.depth > ends.get(side, -1):
            continue
        elif row.outer or side not in forms:
            found.append((row, "page_header" if row.top else "page_footer"))
    return found


def _forms(rows: list[Row], taken: dict[int, int]) -> set[tuple[int, bool]]:
    """Give the sides of pages of which all that was looked at repeats: forms printed alike."""
    count: Counter[tuple[int, bool]] = Counter()
    for index in taken:
        count[rows[index].page, rows[index].top] += 1
    return {side for side, repeated in count.items() if repeated >= ROWS}


def _ends(rows: list[Row], taken: dict[int, int]) -> dict[tuple[int, bool], int]:
    """Give for each page and side the depth of the innermost row that may be furniture."""
    votes: dict[int, list[bool]] = defaultdict(list)
    first: Counter[tuple[int, str]] = Counter()
    for index, band in taken.items():
        row = rows[index]
        votes[band].append(row.apart)
        if row.depth == 0 and len(row.fragments) == 1:
            first[band, row.text] += 1
    pages = len({row.page for row in rows})
    everywhere = {
        band for (band, _), count in first.items() if count > ROWS and count > EVERYWHERE * pages
    }
    ends: dict[tuple[int, bool], int] = {}
    for index, band in taken.items():
        row, said = rows[index], votes[band]
        alone = row.depth == 0 and (band in everywhere or bool(_PAGE_NUMBER.fullmatch(row.key)))
        if alone or 2 * sum(said) >= len(said):
            side = (row.page, row.top)
            ends[side] = max(ends.get(side, -1), row.depth)
    return ends
