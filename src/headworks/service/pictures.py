"""Page pictures for the report, from a child that paints while this process works.

Takes a path, gives PNG pictures by page number. Never fails a document: no picture is no reason not
to give the text. A child that hangs or dies is ended, and the report goes without.
"""

import os
import subprocess
import sys
import threading
from collections.abc import Sequence
from io import FileIO
from pathlib import Path

import msgspec

from headworks.config import ReadSettings
from headworks.readers.frames import read_frame, write_frame

_CHILD = "headworks.readers.pdf.pictures"
_PICTURE = b"P"
_PAGED = frozenset({".pdf", ".png", ".jpg", ".jpeg", ".tif", ".tiff", ".bmp"})
_DOTS_PER_INCH = 96
_MOST_PICTURE_BYTES = 32 << 20
_SECONDS = 60.0

# A box on a page: its number, then x0, y0, x1, y1 in points from the top left.
Cover = tuple[int, float, float, float, float]


class Pictures:
    """One child, started with the first PDF and kept. ``begin`` early, ``of`` when needed."""

    def __init__(self, settings: ReadSettings) -> None:
        self._settings = settings
        self._child: subprocess.Popen[bytes] | None = None
        self._begun: Path | None = None

    def begin(self, path: Path, most: int) -> None:
        """Set the child to paint the first pages of a PDF or a picture; once is enough."""
        if self._begun == path:
            return
        self.drop()
        if most < 1 or path.suffix.lower() not in _PAGED:
            return
        request = (os.fsencode(path.absolute()), most, _DOTS_PER_INCH, self._settings.password)
        self._ask(path, request)

    def page(
        self, path: Path, number: int, dots_per_inch: int, covers: Sequence[Cover] = ()
    ) -> bytes | None:
        """Give the picture of one page, ``covers`` of it (in points) painted black.

        None where there is none: no such page, or a format without pages.
        """
        name = os.fsencode(path.absolute())
        password = self._settings.password
        self._ask(path, (name, 1, dots_per_inch, password, number, list(covers)))
        return self.of(path).get(1)

    def _ask(self, path: Path, request: tuple[object, ...]) -> None:
        self.drop()
        try:
            requests, _ = self._pipes()
            write_frame(requests, b"R", msgspec.msgpack.encode(request))
        except OSError:
            self.close()
            return
        self._begun = path

    def of(self, path: Path) -> dict[int, bytes]:
        """Give the pictures that were begun for the file, by page number from 1."""
        if self._begun != path or self._child is None:
            return {}
        self._begun = None
        found: dict[int, bytes] = {}
        _, replies = self._pipes()
        bound = threading.Timer(_SECONDS, self._child.kill)
        bound.daemon = True
        bound.start()
        try:
            frame = read_frame(replies, _MOST_PICTURE_BYTES)
            while frame is not None and frame[0] == _PICTURE:
                found[len(found) + 1] = bytes(frame[1])
                frame = read_frame(replies, _MOST_PICTURE_BYTES)
        except OSError:
            frame = None
        finally:
            bound.cancel()
        if frame is None:
            self.close()
        return found

    def drop(self) -> None:
        """Forget pictures that nobody will ask for."""
        if self._begun is not None:
            self.close()

    def close(self) -> None:
        """End the child."""
        child, self._child, self._begun = self._child, None, None
        if child is None:
            return
        child.kill()
        child.wait()
        for pipe in (child.stdin, child.stdout):
            if pipe is not None:
                pipe.close()

    def _pipes(self) -> tuple[FileIO, FileIO]:
        if self._child is None:
            self._child = subprocess.Popen(
                [sys.executable, "-P", "-m", _CHILD],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                start_new_session=True,
            )
        requests, replies = self._child.stdin, self._child.stdout
        assert isinstance(requests, FileIO)
        assert isinstance(replies, FileIO)
        return requests, replies
