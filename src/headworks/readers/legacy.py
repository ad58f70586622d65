"""Formats of the past (DOC, WPS, PPT, DPS) and of others (ODT, ODP), through LibreOffice.

Takes such a file, has LibreOffice write it anew as DOCX or PPTX in a temporary folder, gives what
the reader of that format finds. Never runs a macro, never lets it fetch anything from a network;
without LibreOffice the file is refused with a hint.
"""

import contextlib
import os
import shutil
import struct
import subprocess
import sys
import time
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.model.document import Document, Source
from headworks.readers.base import find_reader
from headworks.readers.compound import CompoundFile
from headworks.readers.container import check_package, look_into_zip
from headworks.readers.scratch import scratch_folder
from headworks.readers.sniff import sniff

# What a format becomes: the new format, and the filter that writes it.
_BECOMES = {
    "doc": ("docx", "MS Word 2007 XML"),
    "odt": ("docx", "MS Word 2007 XML"),
    "ppt": ("pptx", "Impress MS PowerPoint 2007 XML"),
    "odp": ("pptx", "Impress MS PowerPoint 2007 XML"),
}
_PLACES = (
    "/Applications/LibreOffice.app/Contents/MacOS/soffice",
    "C:/Program Files/LibreOffice/program/soffice.com",
    "/opt/libreoffice/program/soffice",
)
# A new profile makes the program ask to be started again.
_START_AGAIN = 81
_MOST_STARTS = 3
_SHARE_OF_TIME = 0.8
_ENCRYPTED_WORD = 0x0100
_ENCRYPTED_SLIDES = 0xF3D1C4DF
_PROFILE = (
    '<?xml version="1.0" encoding="UTF-8"?><oor:items '
    'xmlns:oor="http://openoffice.org/2001/registry" '
    'xmlns:xs="http://www.w3.org/2001/XMLSchema" '
    'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
    '<item oor:path="/org.openoffice.Office.Common/Security/Scripting">'
    '<prop oor:name="MacroSecurityLevel" oor:op="fuse"><value>3</value></prop>'
    '<prop oor:name="DisableMacrosExecution" oor:op="fuse"><value>true</value></prop>'
    '<prop oor:name="BlockUntrustedRefererLinks" oor:op="fuse"><value>true</value></prop></item>'
    '<item oor:path="/org.openoffice.Office.Common/Load">'
    '<prop oor:name="UpdateDocMode" oor:op="fuse"><value>0</value></prop></item>'
    '<item oor:path="/org.openoffice.Office.Writer/Content/Update">'
    '<prop oor:name="Link" oor:op="fuse"><value>0</value></prop></item></oor:items>'
)


def read_legacy(path: Path, source: Source, settings: ReadSettings) -> Document:
    """Read a document that LibreOffice can turn into a newer one."""
    kind = sniff(path, Path(source.name).suffix).format
    if _is_encrypted(path, kind):
        raise InputError("E_ENCRYPTED", "a document with a password")
    program = find_office()
    if program is None:
        newer = _BECOMES[kind][0].upper()
        raise InputError(
            "E_TYPE", f"{kind.upper()} needs LibreOffice: install it, or save the file as {newer}"
        )
    with scratch_folder() as folder:
        converted = _converted(program, path, kind, folder, settings)
        check_package(look_into_zip(converted), converted.stat().st_size, settings)
        reader = find_reader(_BECOMES[kind][0])
        assert reader is not None
        document = reader(converted, source, settings)
    facts = {**document.metadata.more, "read_through": "LibreOffice"}
    metadata = msgspec.structs.replace(document.metadata, more=facts)
    return msgspec.structs.replace(document, metadata=metadata)


def find_office() -> str | None:
    """Give LibreOffice's program, or none where it is not installed."""
    named = shutil.which("soffice") or shutil.which("libreoffice")
    found = named or next((place for place in _PLACES if Path(place).is_file()), None)
    if found is None:
        return None
    # The program itself, not the script that starts it: then there is one process to end.
    inner = Path(found).resolve().with_name("soffice.bin")
    return str(inner) if inner.is_file() else found


def _converted(program: str, path: Path, kind: str, folder: Path, settings: ReadSettings) -> Path:
    """Give the file that LibreOffice wrote."""
    suffix, written_by = _BECOMES[kind]
    given = folder / f"in.{kind}"
    shutil.copyfile(path, given)
    user = folder / "profile" / "user"
    user.mkdir(parents=True)
    (user / "registrymodifications.xcu").write_text(_PROFILE, encoding="utf-8")
    out = folder / "out"
    command = [
        program, "--headless", "--norestore", "--nolockcheck", "--nodefault",
        f"-env:UserInstallation={(folder / 'profile').as_uri()}",
        "--convert-to", f"{suffix}:{written_by}", "--outdir", str(out), str(given),
    ]  # fmt: skip
    ends_at = time.monotonic() + settings.timeout_seconds * _SHARE_OF_TIME
    for _ in range(_MOST_STARTS):
        if _run(command, folder, ends_at) != _START_AGAIN:
            break
    written = out / f"in.{suffix}"
    if not written.is_file():
        raise InputError("E_CORRUPT", f"LibreOffice cannot open it as {kind.upper()}")
    return written


def _run(command: list[str], folder: Path, ends_at: float) -> int:
    """Run the program up to a time; give its status. It stays in this process's group."""
    here = {"HOME": str(folder), "TMPDIR": str(folder), "SAL_USE_VCLPLUGIN": "svp"}
    with subprocess.Popen(
        command,
        cwd=folder,
        env={**os.environ, **here},
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        creationflags=getattr(subprocess, "CREATE_NO_WINDOW", 0) if sys.platform == "win32" else 0,
    ) as process:
        try:
            return process.wait(max(0.0, ends_at - time.monotonic()))
        except subprocess.TimeoutExpired as late:
            raise LimitError("E_TIMEOUT", "LibreOffice did not end") from late
        finally:
            with contextlib.suppress(OSError):
                process.kill()


def _is_encrypted(path: Path, kind: str) -> bool:
    if kind not in ("doc", "ppt"):
        return False
    file = CompoundFile(path.read_bytes())
    if kind == "doc":
        head = file.stream("WordDocument") or b""
        return len(head) > 12 and bool(struct.unpack_from("<H", head, 10)[0] & _ENCRYPTED_WORD)
    head = file.stream("Current User") or b""
    return len(head) > 16 and struct.unpack_from("<I", head, 12)[0] == _ENCRYPTED_SLIDES
