"""From a page as it was turned and straightened to be read back to the page as it is shown.

Takes boxes in the coordinates of reading, gives boxes on the page. Never looks at content.
"""

import math

import msgspec

from headworks.model.place import Box


class Turn(msgspec.Struct, frozen=True):
    """How a page was turned: ``angle`` is that of its text, in quarters and degrees clockwise;
    ``skew`` what was left of it; ``width`` and ``height`` are those of the page as it was read.
    """

    angle: int
    width: float
    height: float
    skew: float = 0.0

    def back(self, box: Box) -> Box:
        """Give a box in the coordinates of the page as it is shown."""
        return self._unturned(self._slanted(box) if self.skew else box)

    def _slanted(self, box: Box) -> Box:
        """Give the hull of a box turned clockwise about the page's middle."""
        cosine, sine = math.cos(math.radians(self.skew)), math.sin(math.radians(self.skew))
        x, y = (box.x0 + box.x1 - self.width) / 2, (box.y0 + box.y1 - self.height) / 2
        wide, high = (box.x1 - box.x0) / 2, (box.y1 - box.y0) / 2
        across = abs(cosine) * wide + abs(sine) * high
        down = abs(sine) * wide + abs(cosine) * high
        middle_x = self.width / 2 + cosine * x - sine * y
        middle_y = self.height / 2 + sine * x + cosine * y
        return Box(
            box.page,
            max(0.0, middle_x - across),
            max(0.0, middle_y - down),
            min(self.width, middle_x + across),
            min(self.height, middle_y + down),
        )

    def _unturned(self, box: Box) -> Box:
        width, height = self.width, self.height
        if self.angle == 90:
            return Box(box.page, height - box.y1, box.x0, height - box.y0, box.x1)
        if self.angle == 270:
            return Box(box.page, box.y0, width - box.x1, box.y1, width - box.x0)
        if self.angle == 180:
            return Box(box.page, width - box.x1, height - box.y1, width - box.x0, height - box.y0)
        return box

    def onto(self, box: Box) -> Box:
        """Give a box of the page as it is shown in the coordinates of reading."""
        width, height = self.width, self.height
        if self.angle == 90:
            box = Box(box.page, box.y0, height - box.x1, box.y1, height - box.x0)
        elif self.angle == 270:
            box = Box(box.page, width - box.y1, box.x0, width - box.y0, box.x1)
        elif self.angle == 180:
            box = self._unturned(box)
        if not self.skew:
            return box
        return Turn(0, width, height, -self.skew)._slanted(box)
