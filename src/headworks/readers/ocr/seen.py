"""What was seen in a picture: lines with boxes and scores, straight lines, seals.

Takes nothing, gives the values between recognition and layout, in pixels of the upright picture.
Never needs numpy.
"""

import msgspec

from headworks.readers.pdf.rulings import Rectangle

Stroke = tuple[float, float, float]  # at, start, end


class SeenLine(msgspec.Struct, frozen=True):
    """A line as recognised, in pixels of the upright picture.

    ``box`` is tight about the ink from left to right; ``foot`` is where most of the ink ends
    below, ``high`` its height; ``stroke`` the thickness of its strokes; ``covered`` tells that a
    seal lies over it, ``slant`` its angle where that is not the page's.
    """

    text: str
    score: float
    box: Rectangle
    centres: tuple[float, ...] = ()
    foot: float = 0.0
    high: float = 0.0
    stroke: float = 0.0
    covered: bool = False
    slant: float = 0.0


class Scan(msgspec.Struct, frozen=True):
    """A picture's content. ``turn``: degrees clockwise at which its text ran; ``skew`` the rest.

    ``seal_texts`` is what each of the seals says itself; empty where that cannot be read.
    """

    wide: float
    high: float
    turn: int = 0
    skew: float = 0.0
    lines: list[SeenLine] = []
    slanted: list[SeenLine] = []
    across: list[Stroke] = []
    down: list[Stroke] = []
    seals: list[Rectangle] = []
    seal_texts: list[str] = []
    blank: bool = False  # paper without ink
    unread: int = 0  # lines that were found and make no sense
