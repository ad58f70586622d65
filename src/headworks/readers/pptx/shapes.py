"""Shapes of a slide: where each stands, what it is, and the order in which people read them.

Takes a shape tree and the trees it inherits from, gives shapes top to bottom, left to right, what
is grouped kept together. Never reads their text.
"""

from collections.abc import Iterator, Sequence

import msgspec

from headworks.readers.docx.names import MC_ALTERNATE, MC_CHOICE, MC_FALLBACK, number, on
from headworks.readers.docx.package import Element
from headworks.readers.pptx.names import (
    A_CHILD_EXTENT,
    A_CHILD_OFFSET,
    A_EXTENT,
    A_OFFSET,
    P_FRAME,
    P_GROUP,
    P_LINE,
    P_NAMED,
    P_PIC,
    P_PLACEHOLDER,
    P_SP,
    P_TREE,
    a,
    p,
)

EMU = 12700.0  # of a point
_KINDS = frozenset({P_SP, P_PIC, P_FRAME, P_LINE})
_HOLDS_A_FRAME = (a("xfrm"), p("xfrm"))
# Shapes overlap by their inner margins; a gap that this hides is still a gap.
_MARGIN = 6.0
_MARGIN_SHARE = 0.2
_TITLES = frozenset({"title", "ctrTitle"})
_FURNITURE = frozenset({"dt", "ftr", "sldNum", "hdr"})

Frame = tuple[float, float, float, float]


class Shape(msgspec.Struct):
    """A shape, or a group with its members in order.

    ``frame`` is left, top, right, bottom in points; none where no part of the file tells.
    """

    element: Element
    name: str
    alt: str
    frame: Frame | None
    placeholder: str | None
    hidden: bool
    members: list["Shape"] | None = None

    @property
    def is_title(self) -> bool:
        """Whether this is the slide's title."""
        return self.placeholder in _TITLES

    @property
    def is_furniture(self) -> bool:
        """Whether this is a date, a footer, a header or the slide's number."""
        return self.placeholder in _FURNITURE


class Transform(msgspec.Struct, frozen=True):
    """From the coordinates inside a group to the slide's."""

    scale_x: float = 1.0
    scale_y: float = 1.0
    left: float = 0.0
    top: float = 0.0

    def frame(self, x: float, y: float, width: float, height: float) -> Frame:
        """Give a rectangle on the slide, in points."""
        left, top = self.left + x * self.scale_x, self.top + y * self.scale_y
        right, bottom = left + width * self.scale_x, top + height * self.scale_y
        return (
            min(left, right) / EMU, min(top, bottom) / EMU,
            max(left, right) / EMU, max(top, bottom) / EMU,
        )  # fmt: skip


class Inherited:
    """The frames that a slide's placeholders take from its layout and master."""

    def __init__(self, trees: Sequence[Element | None]) -> None:
        self._by_index: dict[str, Frame] = {}
        self._by_kind: dict[str, Frame] = {}
        for root in trees:
            tree = root.find(P_TREE) if root is not None else None
            for element in [] if tree is None else tree.iter(P_SP, P_PIC):
                holder = _placeholder(element)
                frame = _frame(element, Transform())
                if holder is None or frame is None:
                    continue
                if holder.get("idx"):
                    self._by_index.setdefault(holder.get("idx"), frame)
                self._by_kind.setdefault(_kind(holder), frame)

    def frame(self, holder: Element) -> Frame | None:
        """Give the frame of a placeholder that has none of its own."""
        kind = _kind(holder)
        found = self._by_index.get(holder.get("idx") or "")
        return found or self._by_kind.get("title" if kind == "ctrTitle" else kind)


def shapes(tree: Element, inherited: Inherited, max_depth: int) -> list[Shape]:
    """Give the shapes of a tree in reading order, the title first."""
    found = ordered(list(_shapes(tree, Transform(), inherited, max_depth)))
    return sorted(found, key=lambda shape: (not shape.is_title, shape.is_furniture))


def leaves(found: Sequence[Shape]) -> Iterator[Shape]:
    """Give shapes with the groups taken apart."""
    for shape in found:
        if shape.members is None:
            yield shape
        else:
            yield from leaves(shape.members)


def ordered(found: list[Shape]) -> list[Shape]:
    """Give shapes as they are read: cut at the gaps between rows, then between columns."""
    placed = [shape for shape in found if shape.frame is not None]
    loose = [shape for shape in found if shape.frame is None]
    return [*_cut(placed, down=True, tried=False), *loose]


def _cut(found: list[Shape], *, down: bool, tried: bool) -> list[Shape]:
    if len(found) < 2:
        return found
    parts = _parts(found, 1 if down else 0)
    if len(parts) > 1:
        return [shape for part in parts for shape in _cut(part, down=not down, tried=False)]
    if not tried:
        return _cut(found, down=not down, tried=True)
    return sorted(found, key=lambda shape: _corner(shape.frame))


def _corner(frame: Frame | None) -> tuple[float, float]:
    """Give what to sort overlapping shapes by: their tops, roughly, then their left sides."""
    assert frame is not None
    return round(frame[1] / (2 * _MARGIN)), frame[0]


def _parts(found: list[Shape], axis: int) -> list[list[Shape]]:
    """Part the shapes at the gaps along an axis (0 across, 1 down)."""
    spans = []
    for shape in found:
        assert shape.frame is not None
        low, high = shape.frame[axis], shape.frame[axis + 2]
        margin = min(_MARGIN, (high - low) * _MARGIN_SHARE)
        spans.append((low + margin, high - margin, shape))
    spans.sort(key=lambda span: span[:2])
    parts: list[list[Shape]] = []
    reach = float("-inf")
    for low, high, shape in spans:
        if low >= reach or not parts:
            parts.append([])
        parts[-1].append(shape)
        reach = max(reach, high)
    return parts


def _shapes(
    tree: Element, transform: Transform, inherited: Inherited, depth: int
) -> Iterator[Shape]:
    for element in tree:
        if element.tag in _KINDS:
            yield _shape(element, transform, inherited)
        elif element.tag == P_GROUP and depth > 0:
            inner = _inside(element, transform)
            members = ordered(list(_shapes(element, inner, inherited, depth - 1)))
            if members:
                group = _shape(element, transform, inherited)
                group.members = members
                group.frame = _hull(members) or group.frame
                if group.hidden:
                    _hide(members)
                yield group
        elif element.tag == MC_ALTERNATE:
            yield from _alternative(element, transform, inherited, depth)


def _alternative(
    element: Element, transform: Transform, inherited: Inherited, depth: int
) -> Iterator[Shape]:
    """Give the first of several forms of the same shapes that holds any."""
    for form in (element.find(MC_CHOICE), element.find(MC_FALLBACK)):
        found = [] if form is None else list(_shapes(form, transform, inherited, depth))
        if found:
            yield from found
            return


def _shape(element: Element, transform: Transform, inherited: Inherited) -> Shape:
    named = next(element.iter(P_NAMED), None)
    holder = _placeholder(element)
    frame = _frame(element, transform)
    if frame is None and holder is not None:
        frame = inherited.frame(holder)
    return Shape(
        element=element,
        name="" if named is None else named.get("name") or "",
        alt="" if named is None else (named.get("descr") or named.get("title") or "").strip(),
        frame=frame,
        placeholder=None if holder is None else _kind(holder),
        hidden=named is not None and on(named.get("hidden") or "0"),
    )


def _hide(members: list[Shape]) -> None:
    for member in members:
        member.hidden = True
        _hide(member.members or [])


def _hull(members: Sequence[Shape]) -> Frame | None:
    frames = [member.frame for member in members if member.frame is not None]
    if not frames:
        return None
    return (
        min(frame[0] for frame in frames), min(frame[1] for frame in frames),
        max(frame[2] for frame in frames), max(frame[3] for frame in frames),
    )  # fmt: skip


def _placeholder(element: Element) -> Element | None:
    if element.tag not in (P_SP, P_PIC, P_FRAME):
        return None
    head = next(iter(element), None)
    return None if head is None else next(head.iter(P_PLACEHOLDER), None)


def _kind(holder: Element) -> str:
    kind: str = holder.get("type") or "obj"
    return "body" if kind in ("obj", "subTitle") else kind


def _frame(element: Element, transform: Transform) -> Frame | None:
    """Give a shape's own frame; a quarter turn is left out of account."""
    found = _numbers(element, A_OFFSET, A_EXTENT)
    return None if found is None else transform.frame(*found)


def _inside(group: Element, transform: Transform) -> Transform:
    outer = _numbers(group, A_OFFSET, A_EXTENT)
    inner = _numbers(group, A_CHILD_OFFSET, A_CHILD_EXTENT)
    if outer is None or inner is None:
        return transform
    scale_x = outer[2] / inner[2] if inner[2] else 1.0
    scale_y = outer[3] / inner[3] if inner[3] else 1.0
    return Transform(
        transform.scale_x * scale_x,
        transform.scale_y * scale_y,
        transform.left + (outer[0] - inner[0] * scale_x) * transform.scale_x,
        transform.top + (outer[1] - inner[1] * scale_y) * transform.scale_y,
    )


def _numbers(
    element: Element, offset: str, extent: str
) -> tuple[float, float, float, float] | None:
    for child in element:
        holder = child if child.tag in _HOLDS_A_FRAME else child.find(a("xfrm"))
        if holder is None:
            continue
        corner, size = holder.find(offset), holder.find(extent)
        if corner is None or size is None:
            return None
        return (
            number(corner.get("x")) or 0, number(corner.get("y")) or 0,
            number(size.get("cx")) or 0, number(size.get("cy")) or 0,
        )  # fmt: skip
    return None
