"""What a file says of itself: title, author, dates, page labels, bookmarks.

Takes an open file, gives metadata and the bookmarks by page. Never trusts a bookmark: the reader
looks for its words on its page.
"""

import re
from collections import defaultdict

import msgspec

from headworks.model.document import Metadata
from headworks.readers.pdf import native

MANY_BOOKMARKS = 20_000
DEEP = 12
_DATE = re.compile("D:(\\d{4})(\\d{2})?(\\d{2})?(\\d{2})?(\\d{2})?(\\d{2})?")
_SPACE = re.compile("\\s+")


class Bookmark(msgspec.Struct, frozen=True, gc=False):
    """A bookmark: its level from 1 and its title without white space."""

    level: int
    title: str


def metadata(document: int, pages: int) -> Metadata:
    """Give the document's own facts."""
    labels = _labels(document, pages)
    more: dict[str, str | int | float | list[str]] = {}
    if labels:
        more["page_labels"] = labels
    for name, key in ((b"Producer", "producer"), (b"Creator", "creator"), (b"Subject", "subject")):
        if said := _meta(document, name):
            more[key] = said
    return Metadata(
        title=_meta(document, b"Title"),
        author=_meta(document, b"Author"),
        created=date(_meta(document, b"CreationDate")),
        modified=date(_meta(document, b"ModDate")),
        pages=pages,
        more=more,
    )


def _meta(document: int, name: bytes) -> str | None:
    return native.wide_text(native.meta_text, document, name).strip("\x00 \r\n\t") or None


def date(raw: str | None) -> str | None:
    """Give a date of PDF, ``D:20240102030405``, as 2024-01-02T03:04:05; another as it is."""
    found = _DATE.match(raw or "")
    if found is None:
        return raw
    year, month, day, hour, minute, second = (part or "" for part in found.groups())
    day = f"{year}-{month or '01'}-{day or '01'}"
    return f"{day}T{hour}:{minute or '00'}:{second or '00'}" if hour else day


def _labels(document: int, pages: int) -> list[str]:
    """Give the printed labels of the pages where they differ from 1, 2, 3 …"""
    first = native.wide_text(native.page_label, document, 0)
    last = native.wide_text(native.page_label, document, pages - 1)
    if not first or (first == "1" and last == str(pages)):
        return []
    return [native.wide_text(native.page_label, document, index) for index in range(pages)]


def bookmarks(document: int) -> dict[int, list[Bookmark]]:
    """Give the bookmarks by page (from 1)."""
    found: dict[int, list[Bookmark]] = defaultdict(list)
    seen: set[int] = set()
    pending = [(native.bookmark_child(document, None), 1)]
    while pending and len(seen) < MANY_BOOKMARKS:
        handle, level = pending.pop()
        while handle and handle not in seen and len(seen) < MANY_BOOKMARKS:
            seen.add(handle)  # broken files make rings
            title = _SPACE.sub("", native.wide_text(native.bookmark_title, handle))
            page = _page_of(document, handle)
            if title and page:
                found[page].append(Bookmark(level, title))
            if level < DEEP and (child := native.bookmark_child(document, handle)):
                pending.append((child, level + 1))
            handle = native.bookmark_sibling(document, handle)
    return found


def _page_of(document: int, bookmark: int) -> int:
    dest = native.bookmark_dest(document, bookmark)
    if not dest:
        action = native.bookmark_action(bookmark)
        dest = native.action_dest(document, action) if action else None
    return int(native.dest_page(document, dest)) + 1 if dest else 0
