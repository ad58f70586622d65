"""Pictures of pages for the report, made in a process of their own.

Takes framed requests (path, pages, size, password) on standard input, gives framed PNG pictures.
Never reads text, never outlives its parent's pipe.
"""

import contextlib
import os
import struct
import sys
import zlib
from io import FileIO
from pathlib import Path

import msgspec
import pypdfium2 as pdfium

from headworks.config import ReadSettings
from headworks.errors import HeadworksError
from headworks.readers.frames import read_frame, write_frame
from headworks.readers.ocr.base import opener

PICTURE, END = b"P", b"Z"
_MOST_REQUEST_BYTES = 1 << 20
_MOST_PIXELS = 4_000_000
_MEMORY_BYTES = 1 << 30
_SMALL = 1 / 3
# Sixteen steps a colour: text looks the same and packs a third smaller.
_STEPS = bytes(min(255, (value + 8) // 17 * 17) for value in range(256))


class PictureRequest(msgspec.Struct, array_like=True):
    """``pages`` pages of a file from page ``first`` (1 is the first), at so many dots an inch.

    ``covers`` are boxes in points from the top left that are painted black: page, x0, y0, x1, y1.
    """

    path: bytes
    pages: int
    dots_per_inch: int
    password: str | None
    first: int = 1
    covers: list[tuple[int, float, float, float, float]] = []


def serve() -> None:
    """Answer each request with a frame a page, then an empty one, until the pipe ends."""
    requests, replies = FileIO(os.dup(0), "rb"), FileIO(os.dup(1), "wb")
    os.dup2(2, 1)
    _bound()
    decoder = msgspec.msgpack.Decoder(PictureRequest)
    while (frame := read_frame(requests, _MOST_REQUEST_BYTES)) is not None:
        with contextlib.suppress(pdfium.PdfiumError, HeadworksError, ImportError, ValueError):
            request = decoder.decode(frame[1])
            send = _send_pages if _is_pdf(request.path) else _send_frames
            send(request, replies)
        write_frame(replies, END, b"")


def _is_pdf(path: bytes) -> bool:
    """Tell by the content: an original of the service has no name of its own."""
    if path.lower().endswith(b".pdf"):
        return True
    with contextlib.suppress(OSError), open(path, "rb") as opened:
        return b"%PDF-" in opened.read(1024)
    return False


def _send_frames(request: PictureRequest, replies: FileIO) -> None:
    """Send the frames of a file that is a picture itself."""
    settings = ReadSettings(ocr_dpi=request.dots_per_inch)
    covered = {cover[0] for cover in request.covers}
    with opener()(Path(os.fsdecode(request.path)), settings) as pictures:
        last = min(request.first + request.pages - 1, len(pictures.sizes))
        for page in range(request.first, last + 1):
            if page not in covered:  # nothing is painted over on a scan: it is not shown
                write_frame(replies, PICTURE, pictures.png(page))


def _send_pages(request: PictureRequest, replies: FileIO) -> None:
    path = Path(os.fsdecode(request.path))
    with _opened(path, request.password) as document:
        first = request.first - 1
        for index in range(first, min(first + request.pages, len(document))):
            page = document[index]
            width, height = page.get_size()
            scale = request.dots_per_inch / 72
            if width * height * scale * scale > _MOST_PIXELS:
                scale = (_MOST_PIXELS / (width * height)) ** 0.5
            bitmap = page.render(scale=scale, grayscale=_is_grey(page), rev_byteorder=True)
            for number, x0, y0, x1, y1 in request.covers:
                if number == index + 1:
                    left, top = int(x0 * scale) - 1, int(y0 * scale) - 1
                    right, bottom = int(x1 * scale) + 2, int(y1 * scale) + 2
                    bitmap.fill_rect((0, 0, 0, 255), left, top, right - left, bottom - top)
            write_frame(replies, PICTURE, _png(bitmap))
            bitmap.close()
            page.close()


def _opened(path: Path, password: str | None) -> pdfium.PdfDocument:
    """Open by the password, or without: one given for a folder is not every file's."""
    try:
        return pdfium.PdfDocument(path, password=password)
    except pdfium.PdfiumError:
        if password is None:
            raise
        return pdfium.PdfDocument(path)


def _is_grey(page: pdfium.PdfPage) -> bool:
    """Tell whether a page has no colour, by a picture of a sixteenth of the size."""
    bitmap = page.render(scale=_SMALL, rev_byteorder=True)
    pixels, channels = bytes(bitmap.buffer), bitmap.n_channels
    bitmap.close()
    return pixels[0::channels] == pixels[1::channels] == pixels[2::channels] and channels == 3


def _png(bitmap: pdfium.PdfBitmap) -> bytes:
    """Give the picture as PNG."""
    width, height, channels = bitmap.width, bitmap.height, bitmap.n_channels
    line = width * channels
    pixels = bytes(bitmap.buffer)
    if bitmap.stride != line:
        stride = bitmap.stride
        pixels = b"".join(pixels[y * stride : y * stride + line] for y in range(height))
    pixels = pixels.translate(_STEPS)
    if channels == 4:
        pixels, channels = _without_fourth(pixels), 3
    line = width * channels
    rows = b"".join(b"\0" + pixels[y * line : (y + 1) * line] for y in range(height))
    head = struct.pack(">IIBBBBB", width, height, 8, 0 if channels == 1 else 2, 0, 0, 0)
    # Grey pages are runs of white: looking for more than runs takes twice as long for a tenth less.
    level, strategy = (1, zlib.Z_RLE) if channels == 1 else (4, zlib.Z_DEFAULT_STRATEGY)
    packer = zlib.compressobj(level, zlib.DEFLATED, 15, 9, strategy)
    packed = packer.compress(rows) + packer.flush()
    return (
        b"\x89PNG\r\n\x1a\n" + _part(b"IHDR", head) + _part(b"IDAT", packed) + _part(b"IEND", b"")
    )


def _without_fourth(pixels: bytes) -> bytes:
    kept = bytearray(len(pixels) // 4 * 3)
    for channel in range(3):
        kept[channel::3] = pixels[channel::4]
    return bytes(kept)


def _part(name: bytes, content: bytes) -> bytes:
    check = zlib.crc32(name + content)
    return struct.pack(">I", len(content)) + name + content + struct.pack(">I", check)


def _bound() -> None:
    try:
        import resource
    except ImportError:
        return
    with contextlib.suppress(ValueError, OSError):
        resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    with contextlib.suppress(OSError):
        os.nice(1)


if __name__ == "__main__":
    try:
        serve()
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(0)
