"""Resolution: from the steps a reference names to the place in this document.

Takes anchors, headings and captions, gives for a list of steps the path and the range found, or
why it was not. Never guesses across appendices: a step after 附件三 is looked for in 附件三.
"""

import re
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Sequence
from typing import Literal, NamedTuple

import msgspec

from headworks.model.document import Document
from headworks.model.outline import Anchor
from headworks.model.place import Span
from headworks.structure.captions import Caption
from headworks.structure.labels import APPENDIX


class Step(NamedTuple):
    """One step of a reference: unit (条, 款, 项, 附件 …), number, and how it is written.

    ``last`` is the last number where the step is a range (第一至四项).
    """

    unit: str
    numbers: tuple[int, ...]
    written: str
    last: int | None = None


class Resolution(NamedTuple):
    """What came of a reference."""

    path: str
    status: Literal["resolved", "dangling", "external"]
    span: Span | None
    why: str


# Which label families a unit may mean where the document does not write the unit itself.
_MEANS: dict[str, tuple[str, ...]] = {
    "条": ("条", "Article", "一、", "1.", "1、", "Section"),
    "款": ("款", "（一）", "（1）", "1）", "1.", "1、"),
    "项": ("项", "（一）", "（1）", "1）", "1.", "1、", "①", "a）", "（a）", "a."),
    "目": ("目", "1.", "1、", "（1）", "1）", "①", "a）"),
    "点": ("1.", "1、", "（1）", "1）"),
    "章": ("章", "Chapter", "一、", "1."),
    "节": ("节", "Section", "一、", "（一）", "1."),
    "部分": ("部分", "Part"),
    "编": ("编",), "分编": ("分编",),
    "Section": ("Section", "1.", "1、", "条"), "Clause": ("Clause", "条", "1.", "1、"),
    "Article": ("Article", "条", "1."), "Chapter": ("Chapter", "章", "1."), "Part": ("Part",
    "部分"),
}  # fmt: skip
# How many anchors of one label on each side a reference may mean.
_NEAR = 12
_TITLE_MARKS = re.compile(r"[《》\s]|\([^()]*\)")


def _shown(step: Step) -> str:
    """Give a step as a path names it: 第2.4款 is 2.4, others stay as written."""
    if len(step.numbers) > 1 and "." in step.written and step.unit not in APPENDIX:
        return ".".join(map(str, step.numbers))
    return step.written


class Index:
    """The places of one document that a reference can name. Built once, never changed."""

    def __init__(
        self, document: Document, captions: Sequence[Caption], skipped: Sequence[Span]
    ) -> None:
        self._document = document
        self._anchors = document.anchors
        self._starts = [anchor.span.start for anchor in document.anchors]
        self._labels = set(self._starts)
        self._heading_starts = [heading.span.start for heading in document.headings]
        self._skipped = skipped
        self._captions = {(c.kind + c.number): c for c in reversed(captions)}
        self._caption_starts = {
            c.span.start + len(document.text[c.span.start : c.span.end])
            - len(document.text[c.span.start : c.span.end].lstrip())
            for c in captions
        }  # fmt: skip
        # Lines that are nothing but a title are no paragraph of their clause.
        self._titles = {
            heading.span.start: heading.span.end
            for heading in document.headings
            if not heading.run_in and not heading.title.endswith((":", "："))
        }
        self._by_label: dict[tuple[str, tuple[int, ...]], list[Anchor]] = defaultdict(list)
        for anchor in document.anchors:
            self._by_label[anchor.family, anchor.numbers].append(anchor)
        title = next((h.text for h in document.headings if h.level == 0), "")
        self._title = _TITLE_MARKS.sub("", title)

    def is_label(self, offset: int) -> bool:
        """Tell whether a label or a caption begins here."""
        return offset in self._labels or offset in self._caption_starts

    def is_skipped(self, offset: int) -> bool:
        """Tell whether the place is in a contents page or in furniture."""
        if any(span.start <= offset < span.end for span in self._skipped):
            return True
        return self._document.blocks[self._block(offset)].role != "body"

    def is_own_title(self, law: str) -> bool:
        """Tell whether a title in book marks is this document's."""
        words = _TITLE_MARKS.sub("", law)
        return bool(self._title) and (words == self._title or self._title.endswith(words))

    def in_part(self, law: str, steps: Sequence[Step]) -> Resolution | None:
        """Resolve steps in a part of this document named by its title: 《投标人须知》第34条."""
        words = _TITLE_MARKS.sub("", law)
        for heading in self._document.headings:
            if heading.level and _TITLE_MARKS.sub("", heading.title) == words:
                path = "/".join((law, *(step.written for step in steps)))
                span = heading.extent
                for step in steps:
                    inner = self._step(span, step)
                    if inner is None:
                        return Resolution(path, "dangling", None, f"no {step.written} in {law}")
                    span = inner
                return Resolution(path, "resolved", span, "")
        return None

    def find(self, at: Span, steps: Sequence[Step]) -> Resolution:
        """Resolve steps from outermost to innermost."""
        path = "/".join(_shown(step) for step in steps)
        first = steps[0]
        if first.unit in ("图", "表"):
            return self._figure(first)
        if first.unit in APPENDIX:
            appendix = self._appendix(first)
            if appendix is None and not first.numbers:
                return Resolution(path, "dangling", None, "which attachment is not said")
            if appendix is None:
                return Resolution(path, "dangling", None, f"no {first.written} in this document")
            return self._within(appendix, steps[1:], path)
        if first.unit in ("款", "项", "目", "点") and len(first.numbers) == 1:
            clause = self._clause(at.start)
            if clause is None:
                return Resolution(path, "dangling", None, f"{first.written} outside any clause")
            return self._within(clause, steps, path)
        anchor = self._nearest(at.start, self._named(first))
        if anchor is None:
            return Resolution(path, "dangling", None, f"no {first.written} in this document")
        return self._within(anchor, steps[1:], path)

    def relative(self, at: Span, written: str, count: int, steps: Sequence[Step]) -> Resolution:
        """Resolve 前款, 前两款, 前条, 本条第二项."""
        unit = written[1]
        path = "/".join((written, *(step.written for step in steps)))
        clause = self._clause(at.start)
        if written[0] == "本":
            anchor = clause if unit in "条款项" else self._above(at.start, unit)
            if anchor is None:
                return Resolution(path, "dangling", None, f"{written} outside any clause")
            return self._within(anchor, steps, "/".join((anchor.path, *(s.written for s in steps))))
        if unit in "款项":
            span = self._paragraphs_before(at.start, clause, count)
            if span is None or clause is None:
                return Resolution(path, "dangling", None, "no paragraph before in this clause")
            return self._within(
                msgspec.structs.replace(clause, extent=span, label=written),
                steps,
                "/".join((clause.path, written, *(step.written for step in steps))),
            )
        family = {"条": "条", "章": "章", "节": "节"}[unit]
        earlier = [a for a in self._anchors if a.family == family and a.span.start < at.start]
        own = clause if unit == "条" else self._above(at.start, unit)
        if own is not None:
            earlier = [a for a in earlier if a.span.start < own.span.start]
        if not earlier:
            return Resolution(path, "dangling", None, f"no {unit} before this one")
        return self._within(earlier[-1], steps, earlier[-1].path)

    def _figure(self, step: Step) -> Resolution:
        caption = self._captions.get(step.written)
        if caption is None:
            return Resolution(step.written, "dangling", None, f"no caption {step.written}")
        span = caption.span
        if caption.target is not None:
            other = self._document.blocks[caption.target].span
            span = Span(min(span.start, other.start), max(span.end, other.end))
        return Resolution(step.written, "resolved", span, "")

    def _appendix(self, step: Step) -> Anchor | None:
        families = [
            step.unit,
            *(f for f in ("附件", "附录", "附表", "Annex", "Appendix") if f != step.unit),
        ]
        for family in families[:1] if step.unit in ("附表", "附图") else families[:3]:
            found = self._by_label.get((family, step.numbers))
            if found:
                return found[-1]
        if not step.numbers and "[" not in step.written and "【" not in step.written:
            own = [anchor for anchor in self._anchors if anchor.family == "附件"]
            return own[0] if len(own) == 1 else None
        return None

    def _named(self, step: Step) -> list[Anchor]:
        if len(step.numbers) > 1 and "之" not in step.written:
            family = ".".join("1" * len(step.numbers))
            return self._by_label.get((family, step.numbers), []) or self._by_label.get(
                ("Section", step.numbers), []
            )
        for family in _MEANS.get(step.unit, (step.unit,)):
            found = [
                a for a in self._by_label.get((family, step.numbers), []) if self._fits(a, family)
            ]
            if found:
                return found
        return []

    def _fits(self, anchor: Anchor, family: str) -> bool:
        """Tell whether an anchor can be named as a clause: a list's item cannot."""
        return (
            family in ("条", "章", "节", "编", "分编", "部分", "Article", "Section")
            or anchor.is_heading
        )

    def _nearest(self, offset: int, found: Sequence[Anchor]) -> Anchor | None:
        """Choose among anchors of one label: the one under most of the same headings."""
        if len(found) <= 1:
            return found[0] if found else None
        own = self._chain(offset)
        place = bisect_right(found, offset, key=lambda anchor: anchor.span.start)
        return max(
            found[max(0, place - _NEAR) : place + _NEAR],
            key=lambda a: (len(own & self._chain(a.span.start)), -abs(a.span.start - offset)),
        )

    def _chain(self, offset: int) -> frozenset[int]:
        headings = self._document.headings
        at = bisect_right(self._heading_starts, offset) - 1
        chain: set[int] = set()
        current: int | None = at if at >= 0 else None
        while current is not None:
            chain.add(current)
            current = headings[current].parent
        return frozenset(chain)

    def _clause(self, offset: int) -> Anchor | None:
        """Give the innermost 条 (or the innermost clause heading) around an offset."""
        at = bisect_right(self._starts, offset) - 1
        fallback: Anchor | None = None
        for anchor in reversed(self._anchors[max(0, at - 200) : at + 1]):
            if anchor.extent.end <= offset:
                continue
            if anchor.family in ("条", "Article"):
                return anchor
            if fallback is None and anchor.is_heading:
                fallback = anchor
        return fallback

    def _above(self, offset: int, unit: str) -> Anchor | None:
        at = bisect_right(self._starts, offset) - 1
        for anchor in reversed(self._anchors[: at + 1]):
            if anchor.family == unit and anchor.extent.end > offset:
                return anchor
        return None

    def _within(self, anchor: Anchor, steps: Sequence[Step], path: str) -> Resolution:
        span = anchor.extent
        label = anchor.label
        for step in steps:
            inner = self._step(span, step)
            if inner is None:
                return Resolution(path, "dangling", None, f"no {step.written} in {label}")
            span, label = inner, step.written
        return Resolution(path, "resolved", span, "")

    def _step(self, span: Span, step: Step) -> Span | None:
        found = self._one(span, step)
        if step.last is None or found is None:
            return found
        last = self._one(span, step._replace(numbers=(step.last,), last=None))
        return Span(found.start, last.end) if last is not None else None

    def _one(self, span: Span, step: Step) -> Span | None:
        # 第二款 of a statute is its second paragraph; 第2款 and 第（二）款 are numbered items.
        spelled = step.unit == "款" and not re.search(r"[\d(（]", step.written)
        if spelled:
            return self._paragraph(span, step.numbers[0]) or self._inner(span, step)
        inner = self._inner(span, step)
        if inner is None and step.unit == "款":
            inner = self._paragraph(span, step.numbers[0])
        return inner

    def _inner(self, span: Span, step: Step) -> Span | None:
        first = bisect_right(self._starts, span.start)
        inside: list[Anchor] = []
        for anchor in self._anchors[first:]:
            if anchor.span.start >= span.end:
                break
            inside.append(anchor)
        if len(step.numbers) > 1:
            found = [a for a in inside if a.numbers == step.numbers]
            return found[0].extent if found else None
        families = _MEANS.get(step.unit, (step.unit,))
        if step.written.lower().isascii() or step.written[:1].islower():
            families = ("a）", "（a）", "a.")
        for family in families:
            for anchor in inside:
                if anchor.family == family and anchor.numbers == step.numbers:
                    return anchor.extent
        return None

    def _paragraphs(self, span: Span) -> list[Span]:
        """Give the 款 of a clause: each paragraph with the items that follow it."""
        starts: list[int] = []
        for block in self._document.blocks[self._block(span.start) :]:
            if block.span.start >= span.end:
                break
            if self._titles.get(block.span.start, -1) >= block.span.end - 1:
                continue
            if block.role != "body" or block.kind != "paragraph":
                continue
            item = block.span.start in self._labels and block.span.start > span.start
            if not (starts and item):
                starts.append(max(block.span.start, span.start))
        if not starts:
            return []
        ends = [*starts[1:], span.end]
        return [
            Span(start, start + len(self._document.text[start:end].rstrip()))
            for start, end in zip(starts, ends, strict=True)
        ]

    def _paragraph(self, span: Span, number: int) -> Span | None:
        found = self._paragraphs(span)
        return found[number - 1] if 0 < number <= len(found) else None

    def _paragraphs_before(self, offset: int, clause: Anchor | None, count: int) -> Span | None:
        first = clause.extent.start if clause is not None else 0
        if clause is None:
            return None
        found = self._paragraphs(Span(first, clause.extent.end))
        own = max((i for i, span in enumerate(found) if span.start <= offset), default=0)
        if own < count:
            return None
        return Span(found[own - count].start, found[own - 1].end)

    def _block(self, offset: int) -> int:
        return max(0, bisect_right(self._document.block_starts, offset) - 1)
