"""Picture files opened: their frames, upright as the camera says, with a likely resolution.

Takes a path, gives sizes in points and pixels of each frame. Never decodes more than the bound on
pixels, never more than one frame at a time.
"""

from io import BytesIO
from pathlib import Path
from typing import Self

import numpy as np
from PIL import Image, ImageFile, ImageOps, UnidentifiedImageError

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.readers.ocr.base import Pixels

MOST_PIXELS = 100_000_000
PALETTE = 32  # colours
FORMATS = ("PNG", "JPEG", "TIFF", "BMP")
PAPER_INCHES = 11.69  # the longer side of A4
SCREEN_DPI = 96.0
LARGE = 1400  # pixels: a picture with a longer side was scanned or photographed
LIKELY_INCHES = (2.5, 50.0)
BROKEN = (OSError, SyntaxError, ValueError, EOFError, UnidentifiedImageError)


class Pictures:
    """An open file. ``sizes`` are the frames' widths and heights in points."""

    def __init__(self, path: Path | BytesIO, settings: ReadSettings) -> None:
        self._dpi = settings.ocr_dpi
        Image.MAX_IMAGE_PIXELS = None  # the bound is our own, and an error of ours
        ImageFile.LOAD_TRUNCATED_IMAGES = settings.salvage
        try:
            self._file = Image.open(path, formats=FORMATS)
            count = getattr(self._file, "n_frames", 1)
            shapes = [self._shape(index) for index in range(min(count, settings.max_pages + 1))]
            self._file.seek(0)
            self._file.load()
        except BROKEN as fault:
            message = f"the picture is broken: {type(fault).__name__}"
            raise InputError("E_CORRUPT", message) from fault
        self.sizes = [(wide * 72 / dpi, high * 72 / dpi) for wide, high, dpi in shapes]
        self._dots = [dpi for _, _, dpi in shapes]

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self._file.close()

    def paint(self, page: int) -> tuple[Pixels, float]:
        """Give a frame's pixels, made smaller where it is finer than it need be, and its dpi."""
        picture, dots = self.picture(page), self._dots[page - 1]
        if dots > 1.25 * self._dpi:
            factor = self._dpi / dots
            size = (max(1, round(picture.width * factor)), max(1, round(picture.height * factor)))
            dots *= size[0] / picture.width
            picture = picture.resize(size, Image.Resampling.LANCZOS, reducing_gap=2.0)
        return np.ascontiguousarray(np.asarray(picture)[:, :, ::-1]), dots

    def png(self, page: int) -> bytes:
        """Give a frame as a small PNG, at the resolution the settings name."""
        pixels, _ = self.paint(page)
        shown = Image.fromarray(np.ascontiguousarray(pixels[:, :, ::-1]))
        packed = BytesIO()
        shown.quantize(PALETTE).save(packed, "PNG")
        return packed.getvalue()

    def picture(self, page: int) -> Image.Image:
        """Give a frame in plain colours, upright, on white."""
        self._file.seek(page - 1)
        picture = ImageOps.exif_transpose(self._file)
        if picture.mode.startswith("I"):  # sixteen bits
            levels = np.asarray(picture).astype(np.float64)
            top = max(1.0, float(levels.max()))
            picture = Image.fromarray((levels / top * 255).astype(np.uint8))
        if picture.mode in ("RGBA", "LA", "PA") or "transparency" in picture.info:
            picture = picture.convert("RGBA")
            ground = Image.new("RGBA", picture.size, "white")
            picture = Image.alpha_composite(ground, picture)
        return picture.convert("RGB")

    def _shape(self, index: int) -> tuple[int, int, float]:
        """Give a frame's width and height in pixels as it is shown, and its dots an inch."""
        self._file.seek(index)
        wide, high = self._file.size
        if wide * high > MOST_PIXELS:
            raise LimitError("E_TOO_LARGE", f"{wide}×{high} pixels, the bound is {MOST_PIXELS}")
        if self._file.getexif().get(0x0112, 1) in (5, 6, 7, 8):
            wide, high = high, wide
        return wide, high, _dots(self._file.info.get("dpi"), max(wide, high))


def open_pictures(path: Path | BytesIO, settings: ReadSettings) -> Pictures:
    """Open a file of pictures. Raises InputError (E_CORRUPT) or LimitError (E_TOO_LARGE)."""
    return Pictures(path, settings)


def _dots(said: object, longest: int) -> float:
    """Give the dots an inch: what the file says, if the page has a likely size by it."""
    if isinstance(said, tuple) and said:
        try:
            dots = float(said[0])
        except (TypeError, ValueError, ZeroDivisionError):
            dots = 0.0
        screen = round(dots) in (72, 96) and longest > LARGE
        if dots > 30 and not screen and LIKELY_INCHES[0] <= longest / dots <= LIKELY_INCHES[1]:
            return dots
    return longest / PAPER_INCHES if longest > LARGE else SCREEN_DPI
