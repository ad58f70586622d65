"""Archives: what is in them, as files of their own.

Takes a ZIP, a mail or a document with files in it and an empty folder, gives members written
there. Never writes outside the folder, never unpacks over the bounds; a broken member does not stop
the others.
"""

import contextlib
import re
import stat
import zipfile
import zlib
from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from headworks.config import MEBIBYTE, ReadSettings
from headworks.errors import HeadworksError, InputError, LimitError
from headworks.model.document import Document, Source
from headworks.readers.container import BROKEN, leaves_the_package, look_into_zip
from headworks.readers.embedded import HOLDERS, embedded
from headworks.readers.encoding import decode
from headworks.readers.frames import Failure, Member
from headworks.readers.mail.reader import attachments
from headworks.readers.sniff import sniff

CONTAINERS = frozenset({"zip", "eml", "msg"}) | HOLDERS
_MAX_NESTING = 5
_MAX_MEMBERS = 10_000
_BLOCK_BYTES = 1 << 20
_HARMLESS_BYTES = 32 * MEBIBYTE
_LONGEST_NAME_BYTES = 180
_NOT_IN_NAMES = re.compile(r'[\x00-\x1f\x7f-\x9f<>:"|?*/\\]')
_SYSTEM_NAMES = frozenset({"thumbs.db", "desktop.ini"})
_SYSTEM_FOLDERS = frozenset({"__MACOSX"})
_LOCK_PREFIXES = (".", "~$", "~WRL")
_UTF8_NAME, _UNICODE_PATH, _ENCRYPTED = 0x800, 0x7075, 1


def read_archive(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Refuse an archive that is asked for as one document, and say what it is."""
    with zipfile.ZipFile(path) as archive:
        count = sum(1 for _ in _wanted(archive))
    if not count:
        raise InputError("E_EMPTY", "an archive without files")
    raise InputError("E_TYPE", f"an archive of {count} files, each a document of its own")


def unpack(path: Path, settings: ReadSettings, folder: Path) -> list[Member]:
    """Give the documents in an archive, a mail or a document; most hold none."""
    return _Unpacking(settings, folder).members(path, "", 0)


class _Unpacking:
    """What is left of the bounds while archives in archives are taken apart."""

    def __init__(self, settings: ReadSettings, folder: Path) -> None:
        self._settings = settings
        self._folder = folder
        self._left_bytes = settings.max_unpacked_bytes
        self._count = 0

    def members(self, path: Path, shown: str, depth: int) -> list[Member]:
        """Give what is in a file, with what is in that."""
        kind = sniff(path).format
        if kind not in CONTAINERS:
            return []
        if depth >= _MAX_NESTING:
            raise LimitError("E_TOO_LARGE", f"archives in archives, over {_MAX_NESTING} deep")
        if kind == "zip":
            found = self._zipped(path, shown)
        else:
            inside = self._embedded if kind in HOLDERS else self._attached
            found = inside(path, kind, shown)
        return [one for member in found for one in self._opened(member, depth + 1)]

    def _opened(self, member: Member, depth: int) -> Iterator[Member]:
        """Give a member and what is in it; an archive in it stands only for its members."""
        if member.failure is not None:
            yield member
            return
        path = Path(member.path)
        try:
            inner = self.members(path, member.shown + "/", depth)
        except HeadworksError as fault:
            if fault.code in ("E_EMPTY", "E_TYPE", "E_ENCRYPTED"):
                inner = []  # reading it will say so
            else:
                yield _failed(member.shown, fault)
                return
        if not inner or sniff(path).format != "zip":
            yield member
        yield from inner

    def _zipped(self, path: Path, shown: str) -> Iterator[Member]:
        package = look_into_zip(path)
        if package.packed_bytes > path.stat().st_size:
            raise LimitError("E_TOO_LARGE", "the entries of the archive overlap")
        if package.unpacked_bytes > self._left_bytes:
            message = f"it unpacks to {package.unpacked_bytes} bytes"
            raise LimitError("E_TOO_LARGE", f"{message}, the limit is {self._left_bytes}")
        with zipfile.ZipFile(path) as archive:
            for entry, name in _wanted(archive):
                try:
                    target = self._place(name)
                    self._write(archive, entry, target)
                    yield Member(shown + name, str(target))
                except HeadworksError as fault:
                    yield _failed(shown + name, fault)

    def _attached(self, path: Path, kind: str, shown: str) -> Iterator[Member]:
        for attachment in attachments(path, kind):
            name = _bare(attachment.name)
            try:
                target = self._place(name)
                self._take(len(attachment.content))
                target.write_bytes(attachment.content)
                yield Member(shown + name, str(target))
            except HeadworksError as fault:
                yield _failed(shown + name, fault)

    def _embedded(self, path: Path, kind: str, shown: str) -> Iterator[Member]:
        given: set[str] = set()
        try:
            for file in embedded(path, kind, self._settings, self._take):
                name = _free(_bare(file.name), given)
                target = self._place(name)
                target.write_bytes(file.content)
                yield Member(shown + name, str(target))
        except HeadworksError as fault:
            yield _failed(f"{shown}…", fault)

    def _place(self, name: str) -> Path:
        """Give where a member is to stand: in a folder of its own, under its own bare name."""
        self._count += 1
        if self._count > _MAX_MEMBERS:
            raise LimitError("E_TOO_LARGE", f"more than {_MAX_MEMBERS} files")
        if leaves_the_package(name):
            raise InputError("E_CORRUPT", "its name leads out of the archive")
        folder = self._folder / f"{self._count:05}"
        folder.mkdir()
        return folder / _bare(PurePosixPath(name).name)

    def _take(self, count: int) -> None:
        self._left_bytes -= count
        if self._left_bytes < 0:
            raise LimitError("E_TOO_LARGE", "the archive unpacks over the limit")

    def _write(self, archive: zipfile.ZipFile, entry: zipfile.ZipInfo, target: Path) -> None:
        if stat.S_ISLNK(entry.external_attr >> 16):
            raise InputError("E_TYPE", "a link to another file")
        password = self._settings.password
        if entry.flag_bits & _ENCRYPTED and password is None:
            raise InputError("E_ENCRYPTED")
        secret = password.encode() if password is not None else None
        bound = max(_HARMLESS_BYTES, entry.compress_size * self._settings.max_ratio)
        size = 0
        try:
            with archive.open(entry, pwd=secret) as source, target.open("wb") as file:
                while block := source.read(_BLOCK_BYTES):
                    size += len(block)
                    self._take(len(block))
                    if size > bound:
                        raise LimitError("E_TOO_LARGE", "it unpacks beyond the ratio")
                    file.write(block)
        except HeadworksError:
            target.unlink(missing_ok=True)
            raise
        except NotImplementedError as fault:
            code = "E_ENCRYPTED" if entry.flag_bits & _ENCRYPTED else "E_TYPE"
            raise InputError(code, "packed in a way that is not supported") from fault
        except RuntimeError as fault:  # zipfile's word for a wrong password
            raise InputError("E_ENCRYPTED", "the password does not fit") from fault
        except (*BROKEN, zlib.error) as fault:
            raise InputError("E_CORRUPT", "it cannot be unpacked") from fault


def _failed(shown: str, fault: HeadworksError) -> Member:
    failure = Failure(type(fault).__name__, fault.code, fault.message, "")
    return Member(shown, "", failure)


def _wanted(archive: zipfile.ZipFile) -> Iterator[tuple[zipfile.ZipInfo, str]]:
    """Give the files with their names, but what systems leave beside documents."""
    entries = [entry for entry in archive.infolist() if not entry.is_dir()]
    names = _names(entries)
    for entry, name in zip(entries, names, strict=True):
        parts = name.split("/")
        if parts[-1].startswith(_LOCK_PREFIXES) or parts[-1].lower() in _SYSTEM_NAMES:
            continue
        if not _SYSTEM_FOLDERS.isdisjoint(parts) or parts[-1] == "":
            continue
        yield entry, name


def _names(entries: list[zipfile.ZipInfo]) -> list[str]:
    """Give the entries' names: those without a mark as they read best together."""
    raw = [_raw_name(entry) for entry in entries]
    unmarked = b"\n".join(name for name in raw if isinstance(name, bytes))
    encoding = decode(unmarked).encoding if not unmarked.isascii() else "ascii"
    decoded = [name if isinstance(name, str) else name.decode(encoding, "replace") for name in raw]
    return [name.replace("\\", "/") for name in decoded]


def _raw_name(entry: zipfile.ZipInfo) -> str | bytes:
    """Give an entry's name, or its bytes where nothing tells the encoding."""
    if entry.flag_bits & _UTF8_NAME:
        return entry.orig_filename
    extra, at = entry.extra, 0
    while at + 4 <= len(extra):
        kind, size = (
            int.from_bytes(extra[at : at + 2], "little"),
            int.from_bytes(extra[at + 2 : at + 4], "little"),
        )
        if kind == _UNICODE_PATH and size > 5:
            with contextlib.suppress(UnicodeDecodeError):
                return extra[at + 9 : at + 4 + size].decode("utf-8")
        at += 4 + size
    try:
        return entry.orig_filename.encode("cp437")
    except UnicodeEncodeError:
        return entry.orig_filename


def _free(name: str, given: set[str]) -> str:
    """Give the name, with a number where the document has another file of this name."""
    stem, dot, suffix = name.rpartition(".")
    candidate, count = name, 1
    while candidate in given:
        count += 1
        candidate = f"{stem or name} ({count}){dot}{suffix if stem else ''}"
    given.add(candidate)
    return candidate


def _bare(name: str) -> str:
    """Give a name that any file system takes, its suffix kept."""
    cleaned = _NOT_IN_NAMES.sub("_", name).strip(" .") or "unnamed"
    if len(cleaned.encode("utf-8", "replace")) <= _LONGEST_NAME_BYTES:
        return cleaned.encode("utf-8", "replace").decode()
    stem, dot, suffix = cleaned.rpartition(".")
    if not stem or len(suffix) > 12:
        stem, dot, suffix = cleaned, "", ""
    room = _LONGEST_NAME_BYTES - len((dot + suffix).encode())
    kept = stem.encode("utf-8", "replace")[:room].decode("utf-8", "ignore")
    return f"{kept}{dot}{suffix}"
