"""The parts of an XLSX package: sheets and their states, shared strings, styles.

Takes a path, gives a ``Workbook`` whose parts are read when asked for. Never expands an entity:
a part that declares a document type is refused.
"""

import re
import zipfile
import zlib
from pathlib import Path
from typing import IO, Literal

import msgspec
from lxml import etree

from headworks.errors import InputError
from headworks.readers.xlsx.shown import Clean, Strings, unescaped
from headworks.readers.xlsx.styles import Styles, read_styles

State = Literal["visible", "hidden", "veryHidden"]
_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, remove_comments=True)
_LENIENT_PARSER = etree.XMLParser(resolve_entities=False, no_network=True, recover=True)
_STRING = re.compile(r"<si>(?:<t(?: [^<>]*)?>([^<]*)</t></si>|(.*?)</si>)|<si/>", re.S)
_SHEET_PART = re.compile(r"worksheets/[^/]+\.xml$")
_PHONETIC = re.compile(r"<rPh\b.*?</rPh>", re.S)
_RUN_TEXT = re.compile(r"<t(?: [^<>]*)?>([^<]*)</t>")


class Sheet(msgspec.Struct, frozen=True):
    """A sheet of the workbook: name, state, and the names of its parts by kind of relation.

    With ``charts_only`` it has no cells.
    """

    name: str
    part: str
    state: State
    relations: dict[str, list[str]]
    charts_only: bool = False


class Workbook:
    """An open package; close it. A ``damaged`` one gives what can be read of its parts."""

    def __init__(self, package: Path | IO[bytes], damaged: bool = False) -> None:
        self.damaged = damaged
        self.unread: list[str] = []
        self.pictures: list[str] = []  # noted when the sheets they lie on are read
        self._package = zipfile.ZipFile(package)
        self._names = {_folded(name): name for name in self._package.namelist()}
        self._parts_of: dict[str, list[tuple[str, str, str]]] = {}
        self.date1904 = False
        self.part = self._main_part()
        self.sheets = self._sheets()

    def close(self) -> None:
        """Close the package."""
        self._package.close()

    def names(self) -> list[str]:
        """Give the names of all parts."""
        return self._package.namelist()

    def content(self, part: str) -> bytes | None:
        """Give a part's bytes; none where it is missing or broken."""
        try:
            with self.open(part) as stream:
                return stream.read()
        except (InputError, zipfile.BadZipFile, zlib.error, EOFError):
            return None

    def has(self, part: str) -> bool:
        """Tell whether a part is there."""
        return _folded(part) in self._names

    def open(self, part: str) -> IO[bytes]:
        """Open a part as a stream. Raises E_CORRUPT where it is not there."""
        name = self._names.get(_folded(part))
        if name is None:
            raise InputError("E_CORRUPT", f"part {part} is missing")
        return self._package.open(name)

    def xml(self, part: str) -> etree._Element | None:
        """Give a small part's tree; none where the part is not there."""
        if _folded(part) not in self._names:
            return None
        with self.open(part) as stream:
            raw = stream.read()
        refuse_document_type(raw[:4096])
        try:
            return etree.fromstring(raw, _LENIENT_PARSER if self.damaged else _PARSER)
        except etree.XMLSyntaxError as fault:
            if self.damaged:
                return None
            raise InputError("E_CORRUPT", f"{part} is not well-formed") from fault

    def side_xml(self, part: str) -> etree._Element | None:
        """Give the tree of a part beside the cells; a broken one is noted and passed over."""
        try:
            return self.xml(part)
        except (InputError, zipfile.BadZipFile, zlib.error):
            self.unread.append(part)
            return None

    def related(self, part: str, kind: str) -> list[str]:
        """Give the parts that a part points to by a kind of relation, such as ``styles``."""
        return [target for name, target, _ in self._relations(part) if name == kind]

    def targets(self, part: str) -> dict[str, str]:
        """Give the parts that a part points to by the ids of its relations."""
        return {key: target for _, target, key in self._relations(part)}

    def strings(self, clean: Clean) -> Strings:
        """Give the shared strings, cleaned."""
        strings = Strings()
        for part in self.related(self.part, "sharedStrings")[:1]:
            if _folded(part) in self._names:
                with self.open(part) as stream:
                    strings.update(_read_strings(stream.read(), clean, self.damaged))
        return strings

    def styles(self) -> Styles:
        """Give the cell formats; the plain one alone where the part is missing."""
        parts = self.related(self.part, "styles")
        return read_styles(self.xml(parts[0]) if parts else None, self.date1904)

    def _main_part(self) -> str:
        found = self.related("", "officeDocument")
        return found[0] if found else "xl/workbook.xml"

    def _sheets(self) -> tuple[Sheet, ...]:
        root = self.xml(self.part)
        if root is None and self.damaged:
            return self._sheets_by_part()
        if root is None:
            raise InputError("E_CORRUPT", "the package has no workbook")
        properties = root.find("{*}workbookPr")
        if properties is not None:
            self.date1904 = properties.get("date1904") in ("1", "true")
        parts = {key: (kind, target) for kind, target, key in self._relations(self.part)}
        sheets = []
        for entry in root.iterfind("{*}sheets/{*}sheet"):
            attributes = {str(name): str(value) for name, value in entry.items()}
            key = next((attributes[name] for name in attributes if name.endswith("}id")), "")
            kind, target = parts.get(key, ("", ""))
            if kind not in ("worksheet", "chartsheet", ""):
                continue
            state = entry.get("state", "visible")
            relations: dict[str, list[str]] = {}
            for relation, to, _ in self._relations(target):
                relations.setdefault(relation, []).append(to)
            name, charts_only = entry.get("name") or "", kind == "chartsheet"
            sheets.append(Sheet(name, target, _as_state(state), relations, charts_only))
        return tuple(sheets)

    def _sheets_by_part(self) -> tuple[Sheet, ...]:
        """Give the sheets of a package whose workbook part is lost, by the names of their parts."""
        parts = [name for name in self._names.values() if _SHEET_PART.search(name)]
        parts.sort(key=lambda name: (len(name), name))
        return tuple(
            Sheet(name.rpartition("/")[2].removesuffix(".xml"), name, "visible", {})
            for name in parts
        )

    def _relations(self, part: str) -> list[tuple[str, str, str]]:
        """Give kind, target part and id of each relation of a part."""
        if part in self._parts_of:
            return self._parts_of[part]
        folder, _, name = part.rpartition("/")
        root = self.xml(f"{folder}/_rels/{name}.rels".lstrip("/"))
        found = []
        for entry in root.iterfind("{*}Relationship") if root is not None else ():
            if entry.get("TargetMode") != "External":
                kind = (entry.get("Type") or "").rpartition("/")[2]
                target = _resolved(folder, entry.get("Target") or "")
                found.append((kind, target, entry.get("Id") or ""))
        self._parts_of[part] = found
        return found


def refuse_document_type(head: bytes) -> None:
    """Refuse a part that declares a document type: entities could blow it up."""
    if b"<!DOCTYPE" in head or b"<!ENTITY" in head:
        raise InputError("E_CORRUPT", "a part declares a document type")


def _read_strings(raw: bytes, clean: Clean, damaged: bool) -> dict[str, str]:
    refuse_document_type(raw[:4096])
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError:
        text = ""
    found = _STRING.findall(text)
    if len(found) != text.count("<si>") + text.count("<si/>") or not found or "<![CDATA" in text:
        return _read_strings_slowly(raw, clean, damaged)
    strings = {}
    for number, (plain, rich) in enumerate(found):
        text = "".join(_RUN_TEXT.findall(_PHONETIC.sub("", rich))) if rich else plain
        strings[str(number)] = clean(unescaped(text))
    return strings


def _read_strings_slowly(raw: bytes, clean: Clean, damaged: bool) -> dict[str, str]:
    """Read strings whose XML is written in an unusual way: prefixes, other encodings."""
    try:
        root = etree.fromstring(raw, _LENIENT_PARSER if damaged else _PARSER)
    except etree.XMLSyntaxError as fault:
        if damaged:
            return {}
        raise InputError("E_CORRUPT", "the shared strings are not well-formed") from fault
    strings = {}
    for number, entry in enumerate(root.iterfind("{*}si")):
        texts = entry.xpath(".//*[local-name()='t'][not(ancestor::*[local-name()='rPh'])]/text()")
        strings[str(number)] = clean(unescaped("".join(map(str, texts))))
    return strings


def _as_state(state: str) -> State:
    return "veryHidden" if state == "veryHidden" else "hidden" if state == "hidden" else "visible"


def _folded(name: str) -> str:
    return name.replace("\\", "/").lstrip("/").lower()


def _resolved(folder: str, target: str) -> str:
    if target.startswith("/"):
        return target[1:]
    parts = folder.split("/") if folder else []
    for piece in target.split("/"):
        if piece == ".." and parts:
            parts.pop()
        elif piece not in (".", ".."):
            parts.append(piece)
    return "/".join(parts)
