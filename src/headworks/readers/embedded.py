"""Files that people put into a document: objects in Office files, attachments of PDF and OFD.

Takes a path and its format, gives the files with their names. Never opens one, never unpacks a
package over the bounds; an object that is no file is passed over.
"""

import contextlib
import posixpath
import re
import zipfile
import zlib
from collections.abc import Callable, Iterator
from pathlib import Path

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.readers.container import BROKEN, check_package, look_into_zip
from headworks.readers.docx.held import HeldFile, held_file, held_parts
from headworks.readers.docx.package import Package
from headworks.readers.ofd.package import Parts, attached_parts

OFFICE = frozenset({"docx", "xlsx", "xlsb", "pptx"})
HOLDERS = OFFICE | {"ofd", "pdf"}
_MOST_FILES = 1_000
_MOST_PAGES = 2_000
_MOST_PACKED = 16 << 20
_BLOCK, _OVERLAP = 1 << 20, 1 << 10
_PIN = b"/FileAttachment"
_PACKED_OBJECTS = re.compile(rb"/ObjStm\b[^\0]{0,400}?stream\r?\n")


def embedded(
    path: Path, kind: str, settings: ReadSettings, take: Callable[[int], None]
) -> Iterator[HeldFile]:
    """Give the files in a document; ``take`` is told the size of each before it is unpacked.

    What is wrong with the document itself gives none: reading it will say so.
    """
    if kind in OFFICE:
        yield from _in_office(path, settings, take)
    elif kind == "ofd":
        yield from _in_ofd(path, settings, take)
    elif kind == "pdf":
        yield from _in_pdf(path, settings, take)


def _in_office(
    path: Path, settings: ReadSettings, take: Callable[[int], None]
) -> Iterator[HeldFile]:
    try:
        check_package(look_into_zip(path), path.stat().st_size, settings)
    except InputError:
        return
    with zipfile.ZipFile(path) as package:

        def read(name: str) -> bytes | None:
            try:
                return package.read(name)
            except (*BROKEN, KeyError, RuntimeError):
                return None

        for part in held_parts(package.namelist(), read):
            take(package.getinfo(part).file_size)
            content = read(part)
            found = held_file(part, content) if content else None
            if found is not None:
                yield found


def _in_ofd(path: Path, settings: ReadSettings, take: Callable[[int], None]) -> Iterator[HeldFile]:
    try:
        package = Package(path, settings)
    except InputError:
        return
    try:
        for name, place in attached_parts(Parts(package)):
            content = package.content(place)
            if content:
                take(len(content))
                suffix = posixpath.splitext(place)[1]
                yield HeldFile(name if "." in name else f"{name}{suffix}", content)
    except InputError:
        return
    finally:
        package.close()


def _in_pdf(path: Path, settings: ReadSettings, take: Callable[[int], None]) -> Iterator[HeldFile]:
    import pypdfium2 as pdfium  # a library of megabytes, for the few that hold files

    document = None
    for password in dict.fromkeys((settings.password, None)):
        with contextlib.suppress(pdfium.PdfiumError):
            document = document or pdfium.PdfDocument(path, password=password)
    if document is None:
        return
    with document:
        for index in range(min(document.count_attachments(), _MOST_FILES)):
            yield from _attached(document.get_attachment(index), take)
        pages = min(len(document), _MOST_PAGES) if _may_pin(path) else 0
        for number in range(pages):
            page = document[number]
            for pinned in _pinned(page.raw):
                yield from _attached(pdfium.PdfAttachment(pinned, document), take)
            page.close()


def _may_pin(path: Path) -> bool:
    """Tell whether a file's pages may have files pinned to them, without opening a page.

    Objects stand in the open or in packed streams of objects; encrypted ones cannot be looked at.
    """
    with path.open("rb") as file:
        start = 0
        while block := file.read(_BLOCK):
            if _PIN in block or b"/Encrypt" in block:
                return True
            for found in _PACKED_OBJECTS.finditer(block):
                file.seek(start + found.end())
                if _pins_in(file.read(_BLOCK)):
                    return True
            if len(block) < _BLOCK:
                break
            start += _BLOCK - _OVERLAP
            file.seek(start)
    return False


def _pins_in(packed: bytes) -> bool:
    try:
        return _PIN in zlib.decompressobj().decompress(packed, _MOST_PACKED)
    except zlib.error:
        return True


def _attached(attachment: object, take: Callable[[int], None]) -> Iterator[HeldFile]:
    import pypdfium2 as pdfium

    assert isinstance(attachment, pdfium.PdfAttachment)
    try:
        content = bytes(attachment.get_data())
    except pdfium.PdfiumError:
        return
    take(len(content))
    if content:
        yield HeldFile(attachment.get_name() or "unnamed", content)


def _pinned(page: object) -> Iterator[object]:
    """Give the files that are pinned to places of a page."""
    from pypdfium2 import raw

    for index in range(min(raw.FPDFPage_GetAnnotCount(page), _MOST_FILES)):
        annotation = raw.FPDFPage_GetAnnot(page, index)
        if not annotation:
            continue
        if raw.FPDFAnnot_GetSubtype(annotation) == raw.FPDF_ANNOT_FILEATTACHMENT:
            found = raw.FPDFAnnot_GetFileAttachment(annotation)
            if found:
                yield found
        raw.FPDFPage_CloseAnnot(annotation)
