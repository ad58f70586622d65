"""Who recognises text in pictures: the protocol, the builtin engine, engines of others.

Takes settings, gives a ``Recognizer``, or none where none is installed or wanted. Never imports a
heavy part before a picture is to be read.
"""

import os
from collections.abc import Callable, Sequence
from functools import partial
from importlib import import_module
from importlib.util import find_spec
from typing import Any, Protocol

import msgspec

from headworks.config import ReadSettings
from headworks.plugins import installed

# A numpy array of height × width × 3 bytes: blue, green, red. Named so, numpy need not be here.
Pixels = Any
Point = tuple[float, float]
Quad = tuple[Point, Point, Point, Point]

BUILTIN = {"rapid": "headworks.readers.ocr.rapid:open_rapid"}
_NEEDS = {"rapid": ("rapidocr", "onnxruntime", "cv2", "PIL")}
_SCAN = "headworks.readers.ocr.scan:scan"
_OPEN = "headworks.readers.ocr.frames:open_pictures"


class Said(msgspec.Struct, frozen=True):
    """What an engine reads in the picture of one line.

    ``score`` from 0 to 1; ``centres`` give for each character (but spaces) where its middle lies,
    as a share of the picture's width; empty where the engine does not tell.
    """

    text: str
    score: float
    centres: tuple[float, ...] = ()


class Recognizer(Protocol):
    """An engine: finds lines of text in a picture, reads pictures of single lines."""

    name: str

    def find(self, pixels: Pixels) -> list[Quad]:
        """Give the lines' corners in pixels: from the top left clockwise, as the text runs."""

    def read(self, crops: Sequence[Pixels]) -> list[Said]:
        """Give what each picture of one line says, in order."""


class Refusal(msgspec.Struct, frozen=True):
    """Why there is no engine; ``wanted`` tells that the settings ask for one."""

    wanted: bool
    why: str


def find_recognizer(settings: ReadSettings) -> Recognizer | Refusal:
    """Give an engine that somebody installed under ``headworks.ocr``, else the builtin one."""
    if settings.ocr == "off":
        return Refusal(False, "recognition is switched off")
    for name, load in installed("ocr").items():
        return _started(name, load, settings)
    for name, target in BUILTIN.items():
        missing = [part for part in _NEEDS[name] if find_spec(part) is None]
        if not missing:
            return _started(name, partial(_loaded, target), settings)
    return Refusal(True, "headworks[ocr] is not installed")


def _started(
    name: str, load: Callable[[], Callable[[int], Recognizer]], settings: ReadSettings
) -> Recognizer | Refusal:
    _spare_threads()
    try:
        key = (name, settings.ocr_threads)
        if key not in _kept:
            _kept[key] = load()(settings.ocr_threads)
        return _kept[key]
    except Exception as fault:  # a library that does not load, a model that is not there
        return Refusal(True, f"{name}: {type(fault).__name__}")


def _spare_threads() -> None:
    """Threads of linear algebra reserve address space, which the reading process bounds."""
    for variable in ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS"):
        os.environ.setdefault(variable, "1")


# Models take half a second to load: one engine serves all documents of a process.
_kept: dict[tuple[str, int], Recognizer] = {}


def scanner() -> Callable[..., Any]:
    """Give the function ``scan.scan``; its module needs numpy and OpenCV."""
    found: Callable[..., Any] = _loaded(_SCAN)
    return found


def opener() -> Callable[..., Any]:
    """Give the function ``frames.open_pictures``; its module needs Pillow."""
    _spare_threads()
    found: Callable[..., Any] = _loaded(_OPEN)
    return found


def _loaded(target: str) -> Any:
    module, _, function = target.partition(":")
    return getattr(import_module(module), function)
