"""Notes and comments of slides.

Takes a slide's parts, gives what speakers and reviewers wrote. Never gives what only stands on
the printed page of notes as its furniture.
"""

from collections.abc import Iterator

import msgspec

from headworks.readers.docx.names import MC_ALTERNATE
from headworks.readers.docx.package import Element, Package
from headworks.readers.pptx.names import (
    MODERN_AUTHOR,
    MODERN_COMMENT,
    MODERN_REPLY,
    MODERN_TEXT,
    P_AUTHOR,
    P_COMMENT,
    P_COMMENT_TEXT,
    P_TEXT,
    P_TREE,
)
from headworks.readers.pptx.shapes import Inherited, leaves, shapes
from headworks.readers.pptx.text import only_counts, plain

NOTES_MARK = "[备注] "
_PICTURE_OF_SLIDE = "sldImg"


class Comment(msgspec.Struct, frozen=True):
    """A comment on a slide, or a reply to one."""

    author: str
    date: str | None
    text: str

    @property
    def line(self) -> str:
        """The comment as it stands in the document."""
        return f"[批注] {self.author}: {self.text}" if self.author else f"[批注] {self.text}"


class Authors:
    """The names of those who commented, by the numbers the comments carry."""

    def __init__(self, package: Package, parts: list[str]) -> None:
        self._names: dict[str, str] = {}
        for part in parts:
            root = package.beside(part)
            for entry in [] if root is None else root.iter(P_AUTHOR, MODERN_AUTHOR):
                self._names[entry.get("id") or ""] = (entry.get("name") or "").strip()

    def name(self, number: str | None) -> str:
        """Give an author's name; empty where it is not known."""
        return self._names.get(number or "", "")


def notes(root: Element, max_depth: int) -> tuple[str, list[tuple[str, str]]]:
    """Give the text of a page of notes, and the furniture on it as (placeholder, text)."""
    tree = root.find(P_TREE)
    texts: list[str] = []
    furniture: list[tuple[str, str]] = []
    for shape in [] if tree is None else leaves(shapes(tree, Inherited(()), max_depth)):
        if shape.placeholder == _PICTURE_OF_SLIDE:
            continue
        body = shape.element.find(P_TEXT)
        text = plain(body)
        if not text.strip() or only_counts(body):
            continue
        if shape.is_furniture:
            furniture.append((shape.placeholder or "", text))
        else:
            texts.append(text)
    return "\n".join(texts), furniture


def comments(root: Element, authors: Authors) -> Iterator[Comment]:
    """Give a part's comments, replies after what they answer."""
    for entry in root.iter(P_COMMENT, MODERN_COMMENT):
        if entry.tag == P_COMMENT:
            text = entry.findtext(P_COMMENT_TEXT) or ""
            yield from _comment(entry, entry.get("dt"), text, authors)
            continue
        yield from _comment(entry, entry.get("created"), _body(entry), authors)
        for reply in entry.iter(MODERN_REPLY):
            yield from _comment(reply, reply.get("created"), _body(reply), authors)


def _comment(entry: Element, date: str | None, text: str, authors: Authors) -> Iterator[Comment]:
    if text.strip():
        yield Comment(authors.name(entry.get("authorId")), date, text.strip())


def _body(entry: Element) -> str:
    for child in entry:
        if child.tag == MODERN_TEXT:
            return plain(child)
        if child.tag == MC_ALTERNATE:
            return plain(next(child.iter(MODERN_TEXT), None))
    return ""
