"""A watched folder: files that are put there are taken in and put aside when they are done.

Takes a folder, gives documents; ``done`` and ``failed`` in it hold what is over. Never takes a file
that is still being written, and forgets nothing by a restart: what is there is looked at anew.
"""

import asyncio
import os
import stat
from collections.abc import Callable, Iterator
from pathlib import Path
from time import monotonic

import msgspec

from headworks.dispatch.queue import QueueFull
from headworks.errors import HeadworksError, StorageError
from headworks.model.job import LEVELS
from headworks.model.verdict import Priority
from headworks.service.inputs import is_wanted
from headworks.service.intake import Accepted, Upload, intake
from headworks.service.members import pieces
from headworks.service.shop import Shop
from headworks.service.views import job_view

DONE, FAILED = "done", "failed"
# What programs call a file that they are still writing.
_UNFINISHED = (
    ".tmp",
    ".temp",
    ".part",
    ".partial",
    ".crdownload",
    ".download",
    ".filepart",
    ".swp",
)
_LEAST_TURN_SECONDS = 0.2
_MOST_TURN_SECONDS = 2.0

Signature = tuple[int, int, int]  # size, time of the last change, number of the file


class _Seen(msgspec.Struct):
    """A file that is watched until it has not changed for long enough."""

    signature: Signature
    since: float


class _Taken(msgspec.Struct):
    """A file that was taken in and stays until its job is over."""

    signature: Signature
    accepted: Accepted


class Watching:
    """The loop over the folder of the settings."""

    def __init__(self, shop: Shop, clock: Callable[[], float] = monotonic) -> None:
        self.name = "watching"
        self._shop = shop
        self._clock = clock
        settings = shop.settings.service
        self._folder = Path(settings.watch)
        self._by = settings.watch_by
        self._stable_seconds = settings.watch_stable_seconds
        self._seen: dict[Path, _Seen] = {}
        self._taken: dict[Path, _Taken] = {}
        self._stopping = asyncio.Event()

    async def run(self) -> None:
        """Look whenever something changes, and now and then."""
        from watchfiles import awatch  # a Rust library, for services that watch

        self._folder.mkdir(parents=True, exist_ok=True)
        wait = min(_MOST_TURN_SECONDS, max(_LEAST_TURN_SECONDS, self._stable_seconds / 2))
        changes = awatch(
            self._folder, stop_event=self._stopping, rust_timeout=int(wait * 1000),
            yield_on_timeout=True, step=50, debounce=200, watch_filter=None,
        )  # fmt: skip
        await self.turn()
        async for _ in changes:
            await self.turn()

    async def stop(self) -> None:
        """Take in nothing more."""
        self._stopping.set()

    async def give_up(self, document: str) -> None:
        """Have nothing under way for a document."""

    async def turn(self) -> None:
        """Look at the folder once: take in what is whole, put aside what is over."""
        found = await asyncio.to_thread(lambda: dict(_files(self._folder)))
        for path in [path for path in self._seen if path not in found]:
            del self._seen[path]
        for path in [path for path in self._taken if path not in found]:
            del self._taken[path]  # somebody took it away: its document stays
        for path, signature in sorted(found.items()):
            if self._stopping.is_set():
                return
            taken = self._taken.get(path)
            if taken is not None and taken.signature == signature:
                await self._look_after(path, taken)
            elif self._is_whole(path, signature):
                await self._take(path, signature)

    def _is_whole(self, path: Path, signature: Signature) -> bool:
        """Tell whether a file has been the same for long enough."""
        now = self._clock()
        seen = self._seen.get(path)
        if seen is None or seen.signature != signature:
            self._seen[path] = _Seen(signature, now)
            return False
        return now - seen.since >= self._stable_seconds

    async def _take(self, path: Path, signature: Signature) -> None:
        client, priority = self._whose(path)
        upload = Upload(
            name=path.name, content=pieces(path), client=client, priority=priority
        )  # fmt: skip
        try:
            accepted = await intake(self._shop, upload)
        except (QueueFull, StorageError) as fault:  # it stays where it is, for the next turn
            self._seen[path].since = self._clock()
            self._shop.observer.fault("watching", fault)
        except HeadworksError as fault:
            await self._put_aside(path, FAILED, fault.code, fault.message)
        except OSError as fault:
            self._shop.observer.fault("watching", fault)
        else:
            self._seen.pop(path, None)
            self._taken[path] = _Taken(signature, accepted)

    async def _look_after(self, path: Path, taken: _Taken) -> None:
        """Put a file aside when its job is over."""
        view = await job_view(self._shop, taken.accepted.job)
        if view is not None and not view.over:
            return
        if view is not None and view.state == "done":
            await self._put_aside(path, DONE)
        elif view is None or view.state == "cancelled":
            await self._put_aside(path, FAILED, "E_CANCELLED")
        else:
            await self._put_aside(path, FAILED, view.code, view.message)
        self._taken.pop(path, None)

    def _whose(self, path: Path) -> tuple[str, Priority]:
        """Give client and priority by the subfolder, as the settings have it."""
        parts = path.relative_to(self._folder).parts
        first = parts[0] if len(parts) > 1 else ""
        if self._by == "client":
            return first, "nearline"
        if self._by == "priority" and first in LEVELS:
            return "", msgspec.convert(first, Priority)
        return "", "nearline"

    async def _put_aside(self, path: Path, where: str, code: str = "", message: str = "") -> None:
        place = self._folder / where / path.relative_to(self._folder)
        try:
            await asyncio.to_thread(_move, path, place, (code, message))
        except OSError as fault:
            self._shop.observer.fault("watching", fault)


def _files(folder: Path) -> Iterator[tuple[Path, Signature]]:
    """Give the files that may be documents, but those put aside."""
    for top, folders, files in os.walk(folder):
        here = Path(top)
        aside = (DONE, FAILED) if here == folder else ()
        folders[:] = sorted(name for name in folders if name not in aside and name[:1] != ".")
        for name in files:
            if not is_wanted(name) or name.lower().endswith(_UNFINISHED) or name.endswith("~"):
                continue
            path = here / name
            try:
                status = path.lstat()
            except OSError:
                continue
            if stat.S_ISREG(status.st_mode):
                yield path, (status.st_size, status.st_mtime_ns, status.st_ino)


def _move(path: Path, place: Path, why: tuple[str, str]) -> None:
    """Move a file aside under a name that is free; with the reason beside it where it failed."""
    place.parent.mkdir(parents=True, exist_ok=True)
    target, count = place, 1
    while target.exists():
        count += 1
        target = place.with_name(f"{place.stem}~{count}{place.suffix}")
    os.replace(path, target)
    code, message = why
    if code:
        fault = HeadworksError(code, message)
        reason = {
            "code": code,
            "message": message,
            "zh": fault.sentence("zh"),
            "en": fault.sentence("en"),
        }
        told = msgspec.json.format(msgspec.json.encode(reason), indent=1)
        target.with_name(target.name + ".why.json").write_bytes(told + b"\n")
