"""A look into a zip package: what it holds, and whether it is safe to unpack.

Takes a path, gives names, sizes and content types. Never unpacks more than the content types, and
nothing at all before the bounds are checked.
"""

import errno
import struct
import zipfile
import zlib
from pathlib import Path

import msgspec

from headworks.config import MEBIBYTE, ReadSettings
from headworks.errors import InputError, LimitError

# Below this a package is harmless whatever its ratio: a sheet of empty styled rows packs 1:300.
_HARMLESS_BYTES = 100 * MEBIBYTE
_MAX_ENTRIES = 100_000
_MAX_TYPES_BYTES = 4 * MEBIBYTE
# What zipfile raises on bytes that are no zip.
BROKEN = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    NotImplementedError,
    ValueError,
    OverflowError,
)


class Package(msgspec.Struct, frozen=True):
    """What a zip's directory tells: entry names, sizes, and the declared content types."""

    names: frozenset[str]
    content_types: str
    mimetype: str
    unpacked_bytes: int
    packed_bytes: int
    largest_ratio: float
    unsafe_names: tuple[str, ...]


def look_into_zip(path: Path) -> Package:
    """Give the package's directory. Raises InputError E_CORRUPT for a broken or truncated zip."""
    try:
        with zipfile.ZipFile(path) as package:
            entries = package.infolist()
            if len(entries) > _MAX_ENTRIES:
                raise LimitError("E_TOO_LARGE", f"the package has {len(entries)} entries")
            sizes = {entry.filename: entry.file_size for entry in entries}
            return Package(
                names=frozenset(sizes),
                content_types=_small_part(package, sizes, "[Content_Types].xml"),
                mimetype=_small_part(package, sizes, "mimetype").strip(),
                unpacked_bytes=sum(sizes.values()),
                packed_bytes=sum(entry.compress_size for entry in entries),
                largest_ratio=max(map(_ratio, entries), default=0.0),
                unsafe_names=tuple(name for name in sizes if leaves_the_package(name)),
            )
    except BROKEN as fault:
        raise InputError("E_CORRUPT", "the zip package is broken or truncated") from fault
    except OSError as fault:
        if fault.errno != errno.EINVAL:  # a place before the file's beginning, as damage has it
            raise
        raise InputError("E_CORRUPT", "the zip package is broken or truncated") from fault
    except RuntimeError as fault:  # zipfile's way to say that an entry needs a password
        raise InputError("E_ENCRYPTED", "the zip package has a password") from fault


def check_package(package: Package, size: int, settings: ReadSettings) -> None:
    """Refuse a package that would unpack over the bounds, before anything is unpacked."""
    if package.unsafe_names:
        raise InputError("E_CORRUPT", f"an entry leaves the package: {package.unsafe_names[0]!r}")
    if package.unpacked_bytes > settings.max_unpacked_bytes:
        raise LimitError(
            "E_TOO_LARGE",
            f"it unpacks to {package.unpacked_bytes} bytes,"
            f" the limit is {settings.max_unpacked_bytes}",
        )
    if package.largest_ratio > settings.max_ratio:
        raise LimitError(
            "E_TOO_LARGE",
            f"a part unpacks {package.largest_ratio:.0f} times, the limit is {settings.max_ratio}",
        )
    if package.packed_bytes > size:
        raise LimitError("E_TOO_LARGE", "the entries of the package overlap")


def _ratio(entry: zipfile.ZipInfo) -> float:
    if entry.file_size <= _HARMLESS_BYTES:
        return 0.0
    return entry.file_size / max(1, entry.compress_size)


def _small_part(package: zipfile.ZipFile, sizes: dict[str, int], name: str) -> str:
    if not 0 < sizes.get(name, 0) <= _MAX_TYPES_BYTES:
        return ""
    raw = package.read(name)
    encoding = "utf-16" if raw[:2] in (b"\xff\xfe", b"\xfe\xff") else "utf-8-sig"
    return raw.decode(encoding, "replace")


def leaves_the_package(name: str) -> bool:
    """Tell whether an entry's name points out of its package."""
    parts = name.replace("\\", "/").split("/")
    return ".." in parts or name.startswith(("/", "\\")) or name[1:2] == ":"
