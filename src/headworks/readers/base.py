"""Reading one file in this process: what it is, whether it is within bounds, who reads it.

Takes a path and settings, gives a ``Document`` or raises a typed error. Never imports a reader
that the file does not need; bounds on time and memory are the sandbox's.
"""

import hashlib
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
from headworks.readers.container import check_package
from headworks.readers.sniff import Kind, sniff

Reader = Callable[[Path, Source, ReadSettings], Document]

BUILTIN: dict[str, str] = {
    "docx": "headworks.readers.docx.reader:read_docx",
    "pdf": "headworks.readers.pdf.reader:read_pdf",
    "xlsx": "headworks.readers.xlsx.reader:read_xlsx",
    "xlsb": "headworks.readers.xlsx.reader:read_xlsx",
    "xls": "headworks.readers.xlsx.reader:read_xlsx",
    "ods": "headworks.readers.xlsx.reader:read_xlsx",
    "csv": "headworks.readers.delimited:read_delimited",
    "text": "headworks.readers.text:read_text",
    "markdown": "headworks.readers.markdown:read_markdown",
}

# What the parsers raise on bytes that are not what they claim to be.
_BROKEN_INPUT = (zipfile.BadZipFile, zlib.error, EOFError)
_PARSERS = ("lxml", "pypdfium2", "python_calamine", "xml")


def read(path: Path, settings: ReadSettings) -> Document:
    """Give the file's document. Raises InputError, LimitError, StorageError or FaultError."""
    size = _size(path, settings)
    kind, reader = _kind_and_reader(path)
    if kind.damaged and not settings.salvage:
        raise InputError("E_CORRUPT", "the zip package is broken or truncated", place=path.name)
    if kind.package is not None:
        _at(path, lambda: check_package(kind.package, size, settings))  # type: ignore[arg-type]
    # A name that is not UTF-8 could not be written into any result.
    name = path.name.encode("utf-8", "replace").decode()
    source = Source(sha256=_hash(path), name=name, media_type=kind.media_type, size=size)
    document = _at(path, lambda: reader(path, source, settings))
    return _with_name_problem(document, kind, path) if kind.misnamed else document


def find_reader(name: str) -> Reader | None:
    """Give the reader of a format's name: a builtin one, else an installed one, else none."""
    if name in BUILTIN:
        module, _, function = BUILTIN[name].partition(":")
        reader: Reader = getattr(import_module(module), function)
        return reader
    load = installed("readers").get(name)
    return load() if load is not None else None


def _size(path: Path, settings: ReadSettings) -> int:
    try:
        size = path.stat().st_size
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or "cannot be read", place=path.name) from fault
    if size > settings.max_bytes:
        message = f"{size} bytes, the limit is {settings.max_bytes}"
        raise LimitError("E_TOO_LARGE", message, place=path.name)
    return size


def _kind_and_reader(path: Path) -> tuple[Kind, Reader]:
    try:
        kind = sniff(path)
    except InputError as fault:
        # A format that only a plugin knows goes by its suffix.
        suffix = path.suffix.lower().lstrip(".")
        load = installed("readers").get(suffix) if fault.code == "E_TYPE" and suffix else None
        if load is None:
            raise
        return Kind(suffix, f"application/x-{suffix}"), load()
    reader: Reader | None = _at(path, lambda: find_reader(kind.format))
    if reader is None:
        raise InputError("E_TYPE", f"{kind.format.upper()} ({kind.media_type})", place=path.name)
    return kind, reader


def _hash(path: Path) -> str:
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


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
    except _BROKEN_INPUT as fault:
        raise InputError("E_CORRUPT", type(fault).__name__, place=path.name) from fault
    except OSError as fault:
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
