"""Which files a run takes, in which order, and the folder each result goes to.

Takes paths as a person names them, gives ``Input`` values. Never opens a file.
"""

import os
import re
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

import msgspec

from headworks.errors import ConfigError
from headworks.readers.frames import Failure

# What office programs and systems leave beside documents, and nobody means.
_LOCK_PREFIXES = ("~$", ".~lock.", "~WRL")
_SYSTEM_NAMES = frozenset({"thumbs.db", "desktop.ini"})
SUMMARY = "summary.json"
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f]")


class Input(msgspec.Struct, frozen=True):
    """A file to process: its path, how the person named it, the name of its result's folder.

    With a ``failure`` it could not be taken out of what it was in.
    """

    path: Path
    shown: str
    folder: str
    failure: Failure | None = None


def find(paths: Sequence[Path], out: Path) -> tuple[Input, ...]:
    """Give the files named, and those in folders named, each once, in a stable order.

    Hidden files, lock files of office programs and the results' own folder are left out of
    folders. Raises ConfigError where results would be written over an input.
    """
    target = _without_links(out)
    names: set[str] = {SUMMARY}
    seen: set[Path] = set()
    found = []
    for named in paths:
        for path in _files(named, target):
            resolved = _without_links(path)
            if resolved in seen:
                continue
            seen.add(resolved)
            folder = free_folder(printable(path.name), names)
            if os.path.exists(out / folder) and not os.path.isdir(out / folder):
                message = f"--out {out} would put results in place of {out / folder}"
                raise ConfigError("E_CONFIG", message)
            found.append(Input(path, printable(path.as_posix()), folder))
    return tuple(found)


def _files(named: Path, target: Path) -> Iterator[Path]:
    if not os.path.isdir(named):
        yield named
        return
    closed: list[OSError] = []
    for top, folders, files in os.walk(named, onerror=closed.append):
        here = Path(top)
        results = {folder for folder in folders if _holds_result(here / folder)}
        folders[:] = sorted(
            folder
            for folder in folders
            if folder not in results
            and not folder.startswith(".")
            and _without_links(here / folder) != target
        )
        ours = {SUMMARY} if results else set()
        yield from (here / name for name in _wanted(files) if name not in ours)
    # A folder that cannot be listed is an input that fails: nobody shall think it was empty.
    yield from (Path(refusal.filename) for refusal in closed)


def _without_links(path: Path) -> Path:
    """Give the path without links; unlike ``resolve`` this lets a loop of links pass."""
    return Path(os.path.realpath(path))


def _holds_result(folder: Path) -> bool:
    """Tell whether a folder is what an earlier run wrote for a document."""
    return all(os.path.isfile(folder / name) for name in ("chunks.jsonl", "document.json"))


def _wanted(names: Iterable[str]) -> list[str]:
    return sorted(name for name in names if is_wanted(name))


def is_wanted(name: str) -> bool:
    """Tell a document's name from those of hidden files, locks and systems' own."""
    return not name.startswith((".", *_LOCK_PREFIXES)) and name.lower() not in _SYSTEM_NAMES


def free_folder(name: str, taken: set[str]) -> str:
    """Give the name, or the name with ``~2``, ``~3`` … where another input has it already."""
    candidate, count = name, 1
    while candidate.casefold() in taken:
        count += 1
        candidate = f"{name}~{count}"
    taken.add(candidate.casefold())
    return candidate


def printable(name: str) -> str:
    """Replace what is in a file's name and is no text: bytes that are not UTF-8, controls."""
    return _CONTROL.sub("\ufffd", os.fsencode(name).decode("utf-8", "replace"))
