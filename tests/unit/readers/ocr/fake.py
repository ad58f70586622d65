"""An engine for tests: it says what it is told, where it is told."""

from collections.abc import Sequence
from typing import Any

from headworks.readers.ocr.base import Quad, Said


class FakeRecognizer:
    """Knows nothing of pixels: ``places`` are the lines' boxes, ``words`` what they say."""

    name = "fake"

    def __init__(self, places: Sequence[tuple[float, ...]], words: Sequence[Said]) -> None:
        self.places = list(places)
        self.words = list(words)
        self.found = 0

    def find(self, pixels: Any) -> list[Quad]:
        """Give the boxes as corners, scaled to the size of the picture that is looked at."""
        self.found += 1
        scale = pixels.shape[1] / 1654
        return [
            (
                (x0 * scale, y0 * scale),
                (x1 * scale, y0 * scale),
                (x1 * scale, y1 * scale),
                (x0 * scale, y1 * scale),
            )
            for x0, y0, x1, y1 in self.places
        ]

    def read(self, crops: Sequence[Any]) -> list[Said]:
        """Give the words in the order of the boxes."""
        return [self.words[index % len(self.words)] for index in range(len(crops))]


class BrokenRecognizer(FakeRecognizer):
    """Fails on each picture."""

    def __init__(self) -> None:
        super().__init__([], [])

    def find(self, pixels: Any) -> list[Quad]:
        """Fail."""
        raise RuntimeError("the model is broken")
