"""The package: the zip container of a document, its parts, their XML and their relationships.

Takes a path and the settings' bounds, gives parsed parts by name. Never unpacks to disk, never
resolves an entity or a network address, never reads a part that is not asked for.
"""

import posixpath
import re
import zipfile
import zlib
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from lxml import etree

from headworks.config import MEBIBYTE, ReadSettings
from headworks.errors import InputError, LimitError
from headworks.readers.docx.deep import deep_tree
from headworks.readers.docx.names import STRICT
from headworks.readers.docx.salvage import recover_part, recover_parts, recover_tree

Element = Any  # lxml's stubs name it etree._Element; the reader treats it as a plain tree
_RELATIONSHIP = "{http://schemas.openxmlformats.org/package/2006/relationships}Relationship"
_STRICT_MARK = b"purl.oclc.org/ooxml"
_DECLARATION = re.compile(rb"^\s*<\?xml[^>]*\?>")
# Members below this size may be compressed as far as they like: a small blank form is.
_RATIO_FLOOR = 32 * MEBIBYTE


class Relation:
    """One relationship of a part: its kind (last word of its type) and where it points."""

    __slots__ = ("external", "kind", "target")

    def __init__(self, kind: str, target: str, external: bool) -> None:
        self.kind = kind
        self.target = target
        self.external = external


class Package:
    """An open document.

    ``damage`` names what could be read in part only (salvage), ``unread`` the parts beside the
    text that are broken.
    """

    def __init__(self, path: Path, settings: ReadSettings) -> None:
        self._settings = settings
        self._recovered: dict[str, bytes] | None = None
        self.damage: list[str] = []
        self.unread: list[str] = []
        self._trees: dict[str, Element] = {}
        self._relations: dict[str, dict[str, Relation]] = {}
        self._zip: zipfile.ZipFile | None = None
        try:
            self._zip = zipfile.ZipFile(path)
            infos = self._zip.infolist()
        except (zipfile.BadZipFile, ValueError, NotImplementedError, EOFError) as problem:
            if not settings.salvage:
                raise InputError("E_CORRUPT", f"not a whole zip container: {problem}") from problem
            self.damage.append("zip directory")
            self._recovered = recover_parts(path.read_bytes(), settings.max_unpacked_bytes)
            self._names = {_canonical(name): name for name in self._recovered}
        else:
            _check_bounds(infos, settings)
            self._names = {_canonical(info.filename): info.filename for info in infos}
        self._folded = {name.lower(): name for name in self._names}

    def close(self) -> None:
        """Let go of the file."""
        if self._zip is not None:
            self._zip.close()

    def names(self) -> list[str]:
        """Give the names of all parts, without those that point out of the package."""
        return [name for name in self._names if name and not name.endswith("/")]

    def find(self, name: str) -> str | None:
        """Give a part's name as the package spells it, or none where there is no such part."""
        return name if name in self._names else self._folded.get(name.lower())

    def content(self, name: str) -> bytes | None:
        """Give a part's bytes, or none where there is no such part."""
        found = self.find(name)
        if found is None:
            return None
        if self._recovered is not None:
            return self._recovered.get(self._names[found])
        assert self._zip is not None
        try:
            return self._zip.read(self._names[found])
        except (zipfile.BadZipFile, zlib.error, EOFError, OSError, NotImplementedError) as problem:
            return self._damaged(found, problem)
        except RuntimeError as problem:  # zipfile's word for a member that needs a password
            raise InputError("E_ENCRYPTED", place=found) from problem

    def tree(
        self, name: str, *, optional: bool = True, content: bytes | None = None
    ) -> Element | None:
        """Give a part's root element; none where an optional part is absent or unreadable.

        ``content`` saves unpacking the part again.
        """
        if name in self._trees:
            return self._trees[name]
        content = content if content is not None else self.content(name)
        root = None if not content else self._parse(name, content)
        if root is None and not optional:
            raise InputError("E_CORRUPT", "a part that every document has is missing", place=name)
        self._trees[name] = root
        return root

    def beside(self, name: str) -> Element | None:
        """Give the root of a part without which the document's text is whole.

        A broken one is noted in ``unread`` and is none.
        """
        try:
            return self.tree(name)
        except InputError as problem:
            if problem.code != "E_CORRUPT":
                raise
            self.unread.append(name)
            self._trees[name] = None
            return None

    def relations(self, part: str) -> dict[str, Relation]:
        """Give a part's relationships by id; the package's own for an empty name."""
        if part in self._relations:
            return self._relations[part]
        folder, name = posixpath.split(part)
        root = self.tree(posixpath.join(folder, "_rels", f"{name}.rels"))
        found: dict[str, Relation] = {}
        self._relations[part] = found
        for entry in root.iter(_RELATIONSHIP) if root is not None else ():
            external = entry.get("TargetMode") == "External"
            target = entry.get("Target") or ""
            if not external:
                target = _resolve(folder, target)
            kind = (entry.get("Type") or "").rpartition("/")[2]
            found[entry.get("Id") or ""] = Relation(kind, target, external)
        return found

    def _damaged(self, name: str, problem: Exception) -> bytes | None:
        if not self._settings.salvage:
            raise InputError("E_CORRUPT", f"a part cannot be unpacked: {problem}", place=name)
        self.damage.append(name)
        if self._recovered is None and self._zip is not None and self._zip.fp is not None:
            self._zip.fp.seek(0)
            info = self._zip.getinfo(self._names[name])
            whole, bound = self._zip.fp.read(), self._settings.max_unpacked_bytes
            part = recover_part(whole, info.header_offset, info.compress_type, bound)
            return part or recover_parts(whole, bound).get(self._names[name])
        return None

    def _parse(self, name: str, content: bytes) -> Element | None:
        content = _plain_utf8(content)
        if b"<!DOCTYPE" in content[:65536] or b"<!ENTITY" in content[:65536]:
            # No office program writes one; it is how an entity bomb begins.
            raise InputError("E_CORRUPT", "XML with a document type declaration", place=name)
        try:
            root = parsed(content)
            if root.getroottree().docinfo.doctype:  # in an encoding that hid it from the look
                raise InputError("E_CORRUPT", "XML with a document type declaration", place=name)
            return root
        except etree.XMLSyntaxError as problem:
            if "depth" in str(problem).lower():
                return _deep(name, content)
            if "huge" in str(problem).lower():
                raise _over_a_bound(name, problem) from None
            if not self._settings.salvage:
                raise InputError("E_CORRUPT", f"not well-formed: {problem}", place=name) from None
        self.damage.append(name)
        return recover_tree(content, _parser(recover=True))


def parsed(content: bytes) -> Element:
    """Give the root of well-formed XML; raises XMLSyntaxError."""
    return etree.fromstring(content, _parser(recover=False))


def _deep(name: str, content: bytes) -> Element:
    try:
        return deep_tree(content, _parser(recover=False, huge=True))
    except etree.XMLSyntaxError as problem:
        raise _over_a_bound(name, problem) from None


def _over_a_bound(name: str, problem: Exception) -> LimitError:
    return LimitError("E_TOO_LARGE", f"XML over a bound: {problem}", place=name)


def _parser(*, recover: bool, huge: bool = False) -> Any:
    return etree.XMLParser(
        resolve_entities=False,
        no_network=True,
        load_dtd=False,
        huge_tree=huge,
        recover=recover,
        remove_comments=True,
        remove_pis=True,
        collect_ids=False,
    )


def _plain_utf8(content: bytes) -> bytes:
    """Give a part in UTF-8 with the names of the transitional standard."""
    if content[:2] in (b"\xff\xfe", b"\xfe\xff"):
        text = content.decode("utf-16", errors="replace")
        content = _DECLARATION.sub(b"", text.encode("utf-8"))
    if _STRICT_MARK in content[:65536]:
        for strict, transitional in STRICT:
            content = content.replace(strict, transitional)
    return content


def _canonical(name: str) -> str:
    """Give a member's name as a part name; empty where it points out of the package."""
    name = name.replace("\\", "/").lstrip("/")
    return "" if ".." in name.split("/") else name


def _resolve(folder: str, target: str) -> str:
    target = unquote(target.partition("#")[0]).replace("\\", "/")
    if target.startswith("/"):
        return posixpath.normpath(target).lstrip("/")
    return posixpath.normpath(posixpath.join(folder, target)).lstrip("/")


def _check_bounds(infos: list[zipfile.ZipInfo], settings: ReadSettings) -> None:
    unpacked = sum(info.file_size for info in infos)
    packed = sum(info.compress_size for info in infos)
    if unpacked > settings.max_unpacked_bytes:
        raise LimitError("E_TOO_LARGE", f"{unpacked} bytes unpacked")
    if unpacked > _RATIO_FLOOR and unpacked > packed * settings.max_ratio:
        raise LimitError("E_TOO_LARGE", f"unpacks to {unpacked // max(1, packed)} times its size")
    for info in infos:
        if (
            info.file_size > _RATIO_FLOOR
            and info.file_size > info.compress_size * settings.max_ratio
        ):
            raise LimitError("E_TOO_LARGE", "a part unpacks beyond the ratio", place=info.filename)
