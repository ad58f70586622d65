"""Writing results so that a reader never sees half of them.

Takes files as bytes, puts them on the disk: into a new folder beside the place, then renamed.
Never touches a folder that it did not write; a full disk or a missing right is E_IO.
"""

import contextlib
import os
import shutil
import sys
from collections.abc import Iterable
from pathlib import Path
from zlib import crc32

from headworks.errors import StorageError

_TEMPORARY = ".headworks-"
_MARK = "document.json"


def prepare(out: Path) -> None:
    """Make the folder of the results, and clear away what a killed run left in it."""
    try:
        out.mkdir(parents=True, exist_ok=True)
        tried = _beside(out, "", "new")  # only making something tells whether one may
        tried.mkdir(exist_ok=True)
        tried.rmdir()
        for left in out.glob(f"{_TEMPORARY}*"):
            if not _is_running(left.name):
                shutil.rmtree(left, ignore_errors=True)
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or str(fault), place=str(out)) from fault


def write_folder(out: Path, folder: str, files: Iterable[tuple[str, bytes]]) -> None:
    """Put the files of one document into ``out/folder``, in place of an earlier run's.

    Each is asked for when the one before is written, so that one at a time is held.
    """
    final = out / folder
    fresh, old = _beside(out, folder, "new"), _beside(out, folder, "old")
    try:
        _refuse_foreign(final)
        fresh.mkdir()
        for name, content in files:
            (fresh / name).write_bytes(content)
            del content
        if final.exists():
            final.rename(old)
        fresh.rename(final)
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or str(fault), place=str(final)) from fault
    finally:
        if os.path.exists(old) and not os.path.exists(final):
            with contextlib.suppress(OSError):
                old.rename(final)
        shutil.rmtree(old, ignore_errors=True)
        shutil.rmtree(fresh, ignore_errors=True)


def remove_folder(out: Path, folder: str) -> None:
    """Take away an earlier run's result of a document that could not be processed now."""
    final = out / folder
    if os.path.isfile(final / _MARK):
        shutil.rmtree(final, ignore_errors=True)


def write_file(path: Path, content: bytes) -> None:
    """Put one file in place, whole."""
    fresh = _beside(path.parent, path.name, "new")
    try:
        fresh.write_bytes(content)
        fresh.replace(path)
    except OSError as fault:
        with contextlib.suppress(OSError):
            fresh.unlink()
        raise StorageError("E_IO", fault.strerror or str(fault), place=str(path)) from fault


def _refuse_foreign(final: Path) -> None:
    if final.is_dir() and any(final.iterdir()) and not (final / _MARK).is_file():
        raise FileExistsError(17, "the folder exists and does not hold results of headworks")


def _beside(out: Path, name: str, what: str) -> Path:
    # Not the name itself: with an ending it could be too long for the file system.
    return out / f"{_TEMPORARY}{os.getpid()}-{crc32(name.encode('utf-8', 'replace')):x}-{what}"


def _is_running(name: str) -> bool:
    number = name.removeprefix(_TEMPORARY).partition("-")[0]
    if sys.platform == "win32":  # asking there would end the process
        return True
    if not number.isdigit():
        return False
    try:
        os.kill(int(number), 0)
    except ProcessLookupError:
        return False
    except OSError:
        return True
    return True
