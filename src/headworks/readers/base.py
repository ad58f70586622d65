"""Reading one file in this process: what it is, whether it is within bounds, who reads it.

Takes a path and settings, gives a ``Document`` or raises a typed error. Never imports a reader
that the file does not need; bounds on time and memory are the sandbox's.
"""

import contextlib
import errno
import hashlib
import os
import stat
import zipfile
import zlib
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec

from headworks.config import ReadSettings
from headworks.errors import FaultError, HeadworksError, InputError, LimitError, StorageError
from headworks.model.document import Document, Source
from headworks.model.problem import Problem
from headworks.plugins import installed
from headworks.readers.compound import COMPOUND_MAGIC, CompoundFile
from headworks.readers.container import check_package
from headworks.readers.encrypted import decrypted
from headworks.readers.frames import Member
from headworks.readers.scratch import scratch_folder
from headworks.readers.sniff import Kind, sniff

Reader = Callable[[Path, Source, ReadSettings], Document]

BUILTIN: dict[str, str] = {
    "docx": "headworks.readers.docx.reader:read_docx",
    "pdf": "headworks.readers.pdf.reader:read_pdf",
    "xlsx": "headworks.readers.xlsx.reader:read_xlsx",
    "xlsb": "headworks.readers.xlsx.reader:read_xlsx",
    "xls": "headworks.readers.xlsx.reader:read_xlsx",
    "ods": "headworks.readers.xlsx.reader:read_xlsx",
    "pptx": "headworks.readers.pptx.reader:read_pptx",
    "csv": "headworks.readers.delimited:read_delimited",
    "text": "headworks.readers.text:read_text",
    "html": "headworks.readers.html:read_html",
    "eml": "headworks.readers.mail.reader:read_eml",
    "msg": "headworks.readers.mail.reader:read_msg",
    "ofd": "headworks.readers.ofd.reader:read_ofd",
    "rtf": "headworks.readers.rtf.reader:read_rtf",
    "doc": "headworks.readers.legacy:read_legacy",
    "ppt": "headworks.readers.legacy:read_legacy",
    "odt": "headworks.readers.legacy:read_legacy",
    "odp": "headworks.readers.legacy:read_legacy",
    "png": "headworks.readers.ocr.image:read_image",
    "jpeg": "headworks.readers.ocr.image:read_image",
    "tiff": "headworks.readers.ocr.image:read_image",
    "bmp": "headworks.readers.ocr.image:read_image",
    "zip": "headworks.readers.archive:read_archive",
    "markdown": "headworks.readers.markdown:read_markdown",
}

_UNPACK = "headworks.readers.archive:unpack"

# What the parsers raise on bytes that are not what they claim to be.
_BROKEN_INPUT = (zipfile.BadZipFile, zlib.error, EOFError)
_PARSERS = ("lxml", "pypdfium2", "python_calamine", "xml")


def read(path: Path, settings: ReadSettings) -> Document:
    """Give the file's document. Raises InputError, LimitError, StorageError or FaultError."""
    size = _size(path, settings)
    # A name that is not UTF-8 could not be written into any result.
    name = path.name.encode("utf-8", "replace").decode()
    source = Source(sha256=_hash(path), name=name, media_type="", size=size)
    with contextlib.ExitStack() as opened:
        content = _at(path, lambda: _decrypted(path, opened, settings))
        kind, reader = _at(path, lambda: _kind_and_reader(content, path.suffix))
        if kind.damaged and not settings.salvage:
            raise InputError("E_CORRUPT", "the zip package is broken or truncated", place=path.name)
        package = kind.package
        if package is not None:
            _at(path, lambda: check_package(package, content.stat().st_size, settings))
        source = msgspec.structs.replace(source, media_type=kind.media_type)
        document: Document = _at(path, lambda: reader(content, source, settings))
    return _with_name_problem(document, kind, path) if kind.misnamed else document


def unpack(path: Path, settings: ReadSettings, folder: Path) -> list[Member]:
    """Write the documents that are in a file into a folder; most files hold none."""
    _size(path, settings)
    members: list[Member] = _at(path, lambda: _named(_UNPACK)(path, settings, folder))
    return members


def find_reader(name: str) -> Reader | None:
    """Give the reader of a format's name: a builtin one, else an installed one, else none."""
    if name in BUILTIN:
        reader: Reader = _named(BUILTIN[name])
        return reader
    load = installed("readers").get(name)
    return load() if load is not None else None


def _named(name: str) -> Any:
    """Import what a table names, so that nothing is loaded that a file does not need."""
    module, _, function = name.partition(":")
    return getattr(import_module(module), function)


def _size(path: Path, settings: ReadSettings) -> int:
    try:
        status = path.stat()
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or "cannot be read", place=path.name) from fault
    if not stat.S_ISREG(status.st_mode):
        # A pipe or a device never ends: it is no document, whatever its name.
        raise InputError("E_TYPE", "not a regular file", place=path.name)
    size = status.st_size
    if size > settings.max_bytes:
        message = f"{size} bytes, the limit is {settings.max_bytes}"
        raise LimitError("E_TOO_LARGE", message, place=path.name)
    return size


def _decrypted(path: Path, opened: contextlib.ExitStack, settings: ReadSettings) -> Path:
    """Give the path itself, or where the document stands decrypted as long as ``opened`` is."""
    with path.open("rb") as file:
        if file.read(8) != COMPOUND_MAGIC:
            return path
    raw = path.read_bytes()
    if "EncryptedPackage" not in CompoundFile(raw).entries:
        return path
    content = decrypted(raw, settings.password)
    if hasattr(os, "memfd_create"):
        place = os.fdopen(os.memfd_create("headworks-decrypted"), "wb")
        opened.enter_context(place)
        place.write(content)
        place.flush()
        return Path(f"/proc/self/fd/{place.fileno()}")
    target = opened.enter_context(scratch_folder()) / path.name
    target.write_bytes(content)
    return target


def _kind_and_reader(path: Path, suffix: str) -> tuple[Kind, Reader]:
    try:
        kind = sniff(path, suffix)
    except InputError as fault:
        # A format that only a plugin knows goes by its suffix.
        name = suffix.lower().lstrip(".")
        load = installed("readers").get(name) if fault.code == "E_TYPE" and name else None
        if load is None:
            raise
        return Kind(name, f"application/x-{name}"), load()
    reader = find_reader(kind.format)
    if reader is None:
        raise InputError("E_TYPE", f"{kind.format.upper()} ({kind.media_type})")
    return kind, reader


def _hash(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or "cannot be read", place=path.name) from fault


def _at(path: Path, call: Callable[[], Any]) -> Any:
    """Call, and give every failure a code and the file's name."""
    try:
        return call()
    except HeadworksError as fault:
        fault.place = (
            f"{path.name} {fault.place}".strip() if fault.place != path.name else path.name
        )
        raise
    except MemoryError as fault:
        raise LimitError("E_MEMORY", place=path.name) from fault
    except RecursionError as fault:
        raise LimitError("E_TOO_LARGE", "its parts nest too deep", place=path.name) from fault
    except _BROKEN_INPUT as fault:
        raise InputError("E_CORRUPT", type(fault).__name__, place=path.name) from fault
    except OSError as fault:
        if fault.errno == errno.EINVAL:  # a seek to where a damaged package points
            raise InputError("E_CORRUPT", "a wrong offset", place=path.name) from fault
        raise StorageError("E_IO", fault.strerror or "", place=path.name) from fault
    except Exception as fault:
        name = f"{type(fault).__module__}.{type(fault).__qualname__}"
        if name.startswith(_PARSERS):
            raise InputError("E_CORRUPT", name, place=path.name) from fault
        where = _raised_at(fault)
        raise FaultError("E_READER", f"{name} at {where}", place=path.name) from fault


def _raised_at(fault: BaseException) -> str:
    """Name module and line of the innermost frame, so that a report can be acted on."""
    trace = fault.__traceback__
    while trace is not None and trace.tb_next is not None:
        trace = trace.tb_next
    if trace is None:
        return "an unknown place"
    return f"{trace.tb_frame.f_globals.get('__name__', '?')}:{trace.tb_lineno}"


def _with_name_problem(document: Document, kind: Kind, path: Path) -> Document:
    suffix = path.suffix or "no suffix"
    problem = Problem(
        code="W_NAME",
        message=f"named {suffix}, read as {kind.format}",
        place=path.name,
    )
    return msgspec.structs.replace(document, problems=(problem, *document.problems))
