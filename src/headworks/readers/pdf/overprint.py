"""Words of another size printed into a line: a watermark across the text, taken out of its lines.

Takes a page's fragments, gives those of one size each. Never decides what is a watermark.
"""

from headworks.readers.pdf.lines import Fragment, stretch
from headworks.readers.pdf.looks import Reading, look_of

FAR_LARGER = 1.5  # times: no two words of one line differ so
HIGH = 1.75  # times its size: something larger stands in a line so high


def parted(reading: Reading, found: list[Fragment]) -> list[Fragment]:
    """Give the fragments, those that hold two far different sizes cut apart."""
    kept: list[Fragment] = []
    for part in found:
        if part.angle == 0 and _is_mixed(reading, part):
            kept.extend(_pieces(reading, part))
        else:
            kept.append(part)
    return kept


def _is_mixed(reading: Reading, part: Fragment) -> bool:
    if part.y1 - part.y0 > HIGH * part.size:
        return True
    ends = [look_of(reading, reading.char(index)).size for index in (part.first, part.last)]
    return max(ends) > FAR_LARGER * min(ends) and len(part.text) > 1


def _pieces(reading: Reading, part: Fragment) -> list[Fragment]:
    begin, size = part.first, 0.0
    found: list[Fragment | None] = []
    for index in range(part.first, part.last + 1):
        if reading.text[index].isspace():
            continue
        look = look_of(reading, reading.char(index))
        if size and look.font and max(look.size, size) > FAR_LARGER * min(look.size, size):
            found.append(stretch(reading, begin, index))
            begin, size = index, look.size
        elif look.font and not size:
            size = look.size
    found.append(stretch(reading, begin, part.last + 1))
    return [piece for piece in found if piece is not None]
