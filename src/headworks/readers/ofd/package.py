"""The parts of an OFD file: where its documents, pages, templates and resources stand.

Takes an open package, gives trees by place, elements by their bare names. Never leaves the package.
"""

import posixpath
from collections.abc import Iterator

from headworks.errors import InputError
from headworks.readers.docx.package import Element, Package

MILLIMETRE = 72.0 / 25.4  # in points
ROOT = "OFD.xml"
_BEYOND = 100_000.0  # millimetres: no page reaches there


def name_of(element: Element) -> str:
    """Give an element's name without its namespace: generators write several."""
    tag = element.tag
    return tag.rpartition("}")[2] if isinstance(tag, str) else ""


def child(element: Element | None, name: str) -> Element | None:
    """Give the first child with a name."""
    if element is not None:
        for found in element:
            if name_of(found) == name:
                return found
    return None


def children(element: Element | None, name: str) -> Iterator[Element]:
    """Give the children with a name."""
    for found in [] if element is None else element:
        if name_of(found) == name:
            yield found


def descendants(element: Element | None, name: str) -> Iterator[Element]:
    """Give all elements below with a name."""
    for found in [] if element is None else element.iter():
        if name_of(found) == name:
            yield found


def text_of(element: Element | None, name: str) -> str:
    """Give the text of the first child with a name."""
    found = child(element, name)
    return "" if found is None else (found.text or "").strip()


def numbers(value: str | None) -> list[float]:
    """Give the numbers in an attribute; what is no number, or none for a page, ends them."""
    found: list[float] = []
    for word in (value or "").split():
        try:
            number = float(word)
        except ValueError:
            break
        if not abs(number) < _BEYOND:
            break
        found.append(number)
    return found


def attached_parts(parts: "Parts") -> list[tuple[str, str]]:
    """Give the names and places of the files that are attached to the documents."""
    found = []
    for body in descendants(parts.root(), "DocBody"):
        place = parts.place(text_of(body, "DocRoot"))
        listed = parts.place(text_of(parts.at(place), "Attachments"), beside=place)
        root = parts.at("/" + listed) if listed else None
        for entry in children(root, "Attachment"):
            file = parts.place(text_of(entry, "FileLoc"), beside=listed)
            if file:
                found.append((entry.get("Name") or posixpath.basename(file), file))
    return found


class Parts:
    """The trees of one OFD file by their places in it."""

    def __init__(self, package: Package) -> None:
        self._package = package

    def root(self) -> Element:
        """Give the root part."""
        name = next((name for name in self._package.names() if name.lower().endswith("ofd.xml")
                     and "/" not in name), ROOT)  # fmt: skip
        root = self._package.tree(name, optional=False)
        if root is None:
            raise InputError("E_CORRUPT", "no root part", place=name)
        return root

    def at(self, place: str, *, beside: str = "", needed: bool = False) -> Element | None:
        """Give the tree at a place, which may be told from the folder of another part."""
        full = self.place(place, beside=beside)
        if not full or self._package.find(full) is None:
            if needed:
                raise InputError("E_CORRUPT", "a part is missing", place=full or place)
            return None
        return self._package.tree(full) if needed else self._package.beside(full)

    def media(self, root: Element | None, place: str) -> dict[str, str]:
        """Give the places of the pictures that a part of resources names, by their ids."""
        base = "" if root is None else (root.get("BaseLoc") or "")
        found = {}
        for entry in descendants(root, "MultiMedia"):
            file = text_of(entry, "MediaFile")
            full = self.place(posixpath.join(base, file), beside=place) if file else ""
            if full and self._package.find(full) is None:
                full = self.place(file, beside=place)  # some leave the folder out of account
            if full:
                found[entry.get("ID") or ""] = full
        return found

    def place(self, place: str, *, beside: str = "") -> str:
        """Give a part's full name; empty where it leads out of the package."""
        place = place.strip().replace("\\", "/")
        folder = "" if place.startswith("/") else posixpath.dirname(beside)
        full = posixpath.normpath(posixpath.join(folder, place.lstrip("/")))
        return "" if full.startswith("..") or full == "." else full
