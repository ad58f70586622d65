"""Documents in documents: archives are taken apart before a run, others give the files in them.

Takes inputs, gives them with what is in them, in a temporary folder that is gone afterwards. Never
lets a broken member stop the others: it is an input that is refused.
"""

import contextlib
import re
from collections.abc import Iterator, Sequence
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.errors import ConfigError, HeadworksError
from headworks.readers.frames import Failure, Member
from headworks.readers.peek import is_office, names_in_zip, office_holds_files, pdf_holds_files
from headworks.readers.sandbox import Sandbox
from headworks.readers.scratch import scratch_folder
from headworks.service.inputs import SUMMARY, Input, free_folder, printable

_HEAD_BYTES = 4096
_ZIP, _PDF, _COMPOUND = b"PK", b"%PDF", b"\xd0\xcf\x11\xe0"
# Zips and compound files under these names hold one document, as long as they look like it.
_ONE_DOCUMENT = frozenset({
    ".docx", ".docm", ".dotx", ".xlsx", ".xlsm", ".xlsb", ".pptx", ".pptm", ".ppsx", ".ods",
    ".odt", ".odp", ".ofd", ".doc", ".dot", ".xls", ".xlt", ".ppt", ".pps", ".wps", ".et", ".dps",
})  # fmt: skip
_MAIL_SUFFIXES = frozenset({".eml", ".msg", ".mht", ".mhtml"})
_MAIL_STARTS = (
    b"From: ", b"Return-Path: ", b"Received: ", b"Date: ", b"Subject: ", b"MIME-Version: ",
    b"Delivered-To: ", b"To: ", b"Message-ID: ",
)  # fmt: skip

_LEADS_ELSEWHERE = re.compile(r'[\x00-\x1f<>:"|?*/\\]')


@contextlib.contextmanager
def opened(
    inputs: Sequence[Input], out: Path, settings: ReadSettings, sandbox: Sandbox | None = None
) -> Iterator[tuple[Input, ...]]:
    """Give the inputs, each followed by the documents in it; an archive by them replaced.

    ``sandbox`` is a reading child that was started already; where none is, one is started only for
    a container.
    """
    holders = {index for index, entry in enumerate(inputs) if may_hold(entry.path)}
    if not holders:
        yield tuple(inputs)
        return
    with contextlib.ExitStack() as stack:
        folder = stack.enter_context(scratch_folder())
        if sandbox is None:
            unpacking = stack.enter_context(Sandbox(settings))
        else:
            unpacking = sandbox
            unpacking.change(settings)
        taken = {SUMMARY, *(entry.folder.casefold() for entry in inputs)}
        found: list[Input] = []
        for index, entry in enumerate(inputs):
            place = folder / str(index)
            found.extend(_taken_apart(entry, unpacking, place, (out, taken))
                         if index in holders else [entry])  # fmt: skip
        if sandbox is None:
            unpacking.close()
        yield tuple(found)


def may_hold(path: Path) -> bool:
    """Tell by a look from outside whether a file may hold documents."""
    suffix = path.suffix.lower()
    try:
        if not path.is_file():
            return False
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        if head.startswith(_ZIP):
            return _zip_may_hold(path)
        if head.startswith(_PDF):
            return pdf_holds_files(path)
    except OSError:
        return False  # reading it will say why
    if head.startswith(_COMPOUND):
        return suffix not in _ONE_DOCUMENT
    return suffix in _MAIL_SUFFIXES or head.startswith(_MAIL_STARTS)


def _zip_may_hold(path: Path) -> bool:
    """Tell an archive, a document with files in it, and what is broken from other documents."""
    names = names_in_zip(path)
    if names is None:  # what promises to be a document is for its reader to refuse
        return path.suffix.lower() not in _ONE_DOCUMENT
    return office_holds_files(names) if is_office(names) else True


def _taken_apart(
    entry: Input, sandbox: Sandbox, place: Path, names: tuple[Path, set[str]]
) -> list[Input]:
    """Give an input with what is in it."""
    place.mkdir()
    try:
        members = sandbox.unpack(entry.path, place)
    except HeadworksError as fault:
        if not is_archive(entry.path):  # reading it will say so
            return [entry]
        failure = Failure(type(fault).__name__, fault.code, fault.message, fault.place)
        return [msgspec.structs.replace(entry, failure=failure)]
    found = [_as_input(entry, member, names) for member in members]
    return found if found and is_archive(entry.path) else [entry, *found]


def _as_input(entry: Input, member: Member, names: tuple[Path, set[str]]) -> Input:
    out, taken = names
    shown = f"{entry.shown}/{printable(member.shown)}"
    name = Path(member.path).name if member.path else _bare(member.shown)
    folder = free_folder(printable(name), taken)
    if (out / folder).exists() and not (out / folder).is_dir():
        message = f"--out {out} would put results in place of {out / folder}"
        raise ConfigError("E_CONFIG", message)
    return Input(Path(member.path), shown, folder, member.failure)


def _bare(shown: str) -> str:
    """Give a name that leads nowhere else, for what could not be unpacked under its own."""
    return _LEADS_ELSEWHERE.sub("_", shown.rpartition("/")[2]).strip(" .") or "unnamed"


def is_archive(path: Path) -> bool:
    """Tell an archive, which is nothing but its members, from what is read itself, too."""
    with path.open("rb") as file:
        if file.read(2) != _ZIP:
            return False
    names = names_in_zip(path)
    return names is None or not is_office(names)
