"""Temporary folders that say whose they are, so that none outlives its process for long.

Takes a process id, gives or removes folders. Never touches a folder of another kind, nor one of a
process that still runs.
"""

import contextlib
import os
import re
import time
from collections.abc import Iterator
from pathlib import Path

_NAME = re.compile(r"headworks-(\d+)-\w+")
_ORPHAN_SECONDS = 3600.0


@contextlib.contextmanager
def scratch_folder() -> Iterator[Path]:
    """Give a folder that is gone afterwards; what killed processes left is cleared away, too."""
    import tempfile  # a dozen modules, for those who need a folder

    sweep_orphans(time.time())
    with tempfile.TemporaryDirectory(
        prefix=f"headworks-{os.getpid()}-", ignore_cleanup_errors=True
    ) as folder:
        yield Path(folder)


def sweep(pid: int) -> None:
    """Remove what a process that was killed has left."""
    for owner, folder in _folders():
        if owner == pid:
            _remove(folder)


def sweep_orphans(now: float) -> None:
    """Remove what processes left that ended an hour ago, killed with whoever would have swept."""
    for owner, folder in _folders():
        with contextlib.suppress(OSError):
            old = now - folder.stat().st_mtime > _ORPHAN_SECONDS
            if old and not _is_running(owner):
                _remove(folder)


def _folders() -> list[tuple[int, Path]]:
    import tempfile

    found = []
    with contextlib.suppress(OSError):
        for entry in os.scandir(tempfile.gettempdir()):
            named = _NAME.fullmatch(entry.name)
            if named is not None and entry.is_dir(follow_symlinks=False):
                found.append((int(named[1]), Path(entry.path)))
    return found


def _remove(folder: Path) -> None:
    import shutil

    shutil.rmtree(folder, ignore_errors=True)


def _is_running(pid: int) -> bool:
    """Tell whether there is such a process; where nothing tells, there is."""
    if not hasattr(os, "killpg"):  # on Windows a signal 0 would end it
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True
