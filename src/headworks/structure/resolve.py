"""Resolution: from the steps a reference names to the place in this document.

Takes anchors, headings and captions, gives for a list of steps the path and the range found, or
why it was not. Never guesses across appendices: a step after 附件三 is looked for in 附件三.
"""

import re
from bisect import bisect_left, bisect_right
from collections import defaultdict
from collections.abc import Sequence

from headworks.model.document import Document
from headworks.model.outline import Anchor
from headworks.model.place import Span
from headworks.structure.around import ARTICLES, FAR, NEAR, Around
from headworks.structure.captions import Caption
from headworks.structure.contract_parts import ContractParts
from headworks.structure.external import answers_tender
from headworks.structure.labels import APPENDIX
from headworks.structure.likeness import named_beside, versions
from headworks.structure.paragraphs import Paragraphs
from headworks.structure.rows import Rows
from headworks.structure.steps import Resolution, Step, families, is_spelled, shown

_ITEM_UNITS = ("款", "项", "目", "点")
_TITLE_MARKS = re.compile(r"[《》\s]|\([^()]*\)")
_DIGITS = re.compile(r"\d")
_LETTERED = re.compile(r"第?[A-Za-z]\.")


class Index:
    """The places of one document that a reference can name. Built once, never changed."""

    def __init__(
        self, document: Document, captions: Sequence[Caption], skipped: Sequence[Span]
    ) -> None:
        self._document = document
        self._anchors = document.anchors
        self._starts = [anchor.span.start for anchor in document.anchors]
        self._labels = set(self._starts)
        self._around = Around(document, self._starts)
        self._skipped = skipped
        self._captions = {(c.kind + c.number): c for c in reversed(captions)}
        self._caption_starts = {
            c.span.start + len(document.text[c.span.start : c.span.end])
            - len(document.text[c.span.start : c.span.end].lstrip())
            for c in captions
        }  # fmt: skip
        self._paragraphs = Paragraphs(document, self._labels)
        self._rows = Rows(document)
        self._contract = ContractParts(document)
        self._by_label: dict[tuple[str, tuple[int, ...]], list[Anchor]] = defaultdict(list)
        self._by_family: dict[str, list[Anchor]] = defaultdict(list)
        self._at_start: dict[int, Anchor] = {}
        for anchor in document.anchors:
            self._by_label[anchor.family, anchor.numbers].append(anchor)
            self._by_family[anchor.family].append(anchor)
            self._at_start[anchor.extent.start] = anchor
        title = next((h.text for h in document.headings if h.level == 0), "")
        self._title = _TITLE_MARKS.sub("", title)
        self.follows_tender = answers_tender(self._title)
        self._parts: dict[str, int] = {}
        for at, heading in reversed(list(enumerate(document.headings))):
            if heading.level:
                self._parts[_TITLE_MARKS.sub("", heading.text)] = at
                self._parts[_TITLE_MARKS.sub("", heading.title)] = at

    def is_label(self, offset: int) -> bool:
        """Tell whether a label or a caption begins here."""
        return offset in self._labels or offset in self._caption_starts

    def is_skipped(self, offset: int) -> bool:
        """Tell whether the place is in a contents page or in furniture."""
        if any(span.start <= offset < span.end for span in self._skipped):
            return True
        return self._document.blocks[self._paragraphs.block(offset)].role != "body"

    def is_own_title(self, law: str) -> bool:
        """Tell whether a title in book marks is this document's."""
        words = _TITLE_MARKS.sub("", law)
        return bool(self._title) and (words == self._title or self._title.endswith(words))

    def is_own_heading(self, law: str) -> bool:
        """Tell whether a title in book marks is a heading of this document, label and all."""
        at = self._parts.get(_TITLE_MARKS.sub("", law))
        if at is None:
            return False
        label = self._document.headings[at].label
        return label is not None and _TITLE_MARKS.sub("", law).startswith("".join(label.split()))

    def title_before(self, offset: int) -> str | None:
        """Give the heading of this document that stands right before an offset, or none."""
        line = self._document.text[max(0, offset - 16) : offset].rpartition("\n")[2]
        words = "".join(line.split()).rstrip("的中")
        return next((words[at:] for at in range(len(words) - 3) if words[at:] in self._parts), None)

    def in_part(self, law: str, steps: Sequence[Step]) -> Resolution | None:
        """Resolve steps in a part of this document named by its title: 《投标人须知》第34条."""
        at = self._parts.get(_TITLE_MARKS.sub("", law))
        if at is None:
            return None
        path = "/".join((law, *(step.written for step in steps)))
        return self._walk(self._document.headings[at].extent, steps, path, law)

    def in_whole(self, steps: Sequence[Step], label: str) -> Resolution:
        """Resolve steps in the whole text, which is the attachment that the label names."""
        path = "/".join(shown(step) for step in steps)
        return self._walk(Span(0, len(self._document.text)), steps, path, label)

    def in_own_part(self, at: Span, word: str, steps: Sequence[Step]) -> Resolution | None:
        """Resolve steps in the part around a place that a word names: 本须知第8条."""
        headings = self._document.headings
        for number in sorted(self._around.headings(at.start), reverse=True):
            heading = headings[number]
            named = heading.kind == "appendix" if word in APPENDIX else word in heading.text
            if heading.level and named:
                path = "/".join(shown(step) for step in steps)
                found = self._walk(heading.extent, steps, path, f"本{word}")
                return found if found.span is not None else None
        return None

    def in_contract(self, at: Span, part: str, steps: Sequence[Step]) -> Resolution:
        """Resolve steps in a part of a contract: 通用条款3.1. Dangling where it has none."""
        path = "/".join((part, *(shown(step) for step in steps)))
        nearest = self._contract.places(part, at.start, self._around)
        for stretch in (one for place in nearest for one in place):
            found = self._walk(stretch, steps, path, part)
            if found.span is not None:
                return found
        missing = f"no {steps[0].written} in {part}" if nearest else f"no {part} in this document"
        return Resolution(path, "dangling", None, missing)

    def find(self, at: Span, steps: Sequence[Step]) -> Resolution:
        """Resolve steps from outermost to innermost."""
        path = "/".join(shown(step) for step in steps)
        first = steps[0]
        if first.unit in ("图", "表"):
            return self._figure(first)
        if first.unit in APPENDIX:
            appendix = self._appendix(at, first)
            if appendix is None and len(first.numbers) > 1:
                # 附录A.2 is the A.2 of 附录A.
                outer = self._appendix(at, first._replace(numbers=first.numbers[:1]))
                inner = self._inner(outer.extent, first) if outer is not None else None
                if inner is not None:
                    return self._walk(inner, steps[1:], path, first.written)
            if appendix is None and not first.numbers:
                return Resolution(path, "dangling", None, "which attachment is not said")
            if appendix is None:
                return Resolution(path, "dangling", None, f"no {first.written} in this document")
            return self._walk(appendix.extent, steps[1:], path, appendix.label)
        if first.unit in _ITEM_UNITS and len(first.numbers) == 1:
            return self._item(at, steps, path)
        named = self._named(at, first)
        anchor = self._around.nearest(at.start, named)
        if anchor is None or self._tells_table(at):
            row = self._row(at, first)
            if row is not None:
                return self._walk(row, steps[1:], path, first.written)
        if anchor is None:
            return Resolution(path, "dangling", None, f"no {first.written} in this document")
        if first.last is not None:
            return self._run(at, first, anchor, path)
        if len(named) > 1 and len(steps) > 1 and (choice := self._version(at, named, steps[1])):
            return self._walk(choice.extent, steps[2:], path, choice.label)
        return self._walk(anchor.extent, steps[1:], path, anchor.label)

    def above(self, at: Span, steps: Sequence[Step]) -> Resolution | None:
        """Resolve 上述第3项: the nearest of its label before the place, or none."""
        first = steps[0]
        last = bisect_right(self._starts, at.start) - 1
        path = "/".join(shown(step) for step in steps)
        if len(first.numbers) > 1 or first.unit not in _ITEM_UNITS:
            named = [a for a in self._named(at, first) if a.span.start < at.start]
            anchor = self._around.nearest(at.start, named)
            return self._walk(anchor.extent, steps[1:], path, anchor.label) if anchor else None
        for group in families(first):
            for anchor in reversed(self._anchors[max(0, last - FAR) : last + 1]):
                if anchor.family in group and anchor.numbers == first.numbers:
                    return self._walk(anchor.extent, steps[1:], path, anchor.label)
        return None

    def beside(self, at: Span, written: str) -> Resolution:
        """Resolve 下表 and 上图: the nearest of its kind on that side."""
        kind = "table" if written[1] == "表" else "figure"
        own, step = self._paragraphs.block(at.start), 1 if written[0] == "下" else -1
        blocks = self._document.blocks
        for number in range(own + step, own + 8 * step, step):
            if 0 <= number < len(blocks) and blocks[number].kind == kind:
                span = blocks[number].span
                if step > 0:
                    before = blocks[number - 1].span
                    captioned = before.start + 1 > at.end and before.start in self._caption_starts
                    span = Span(before.start, span.end) if captioned else span
                return Resolution(written, "resolved", span, "")
        return Resolution(written, "dangling", None, f"no {kind} beside")

    def relative(self, at: Span, written: str, count: int, steps: Sequence[Step]) -> Resolution:
        """Resolve 前款, 前两款, 前条, 下一条, 本条第二项."""
        unit = written[1]
        path = "/".join((written, *(step.written for step in steps)))
        clause = self._around.clause(at.start)
        if written[0] == "本":
            return self._own(at, unit, steps, path)
        if unit in "款项":
            span = self._before(at.start, clause, count, unit)
            if span is None or clause is None:
                return Resolution(path, "dangling", None, "no paragraph before in this clause")
            return self._walk(span, steps, f"{clause.path}/{path}", written)
        own = clause if unit == "条" else self._around.above(at.start, unit)
        alike = self._by_family.get(own.family if own is not None else unit, [])
        edge = own.span.start if own is not None else at.start
        if written[0] == "下":
            first = bisect_right(alike, edge, key=_start)
            found = [one for one in alike[first : first + NEAR] if one.is_heading][:1]
        else:
            last = bisect_left(alike, edge, key=_start)
            near = alike[max(0, last - NEAR * count) : last]
            found = [one for one in near if one.is_heading or unit == "条"][-count:]
        if not found:
            return Resolution(path, "dangling", None, f"no {unit} before this one")
        span = Span(found[0].extent.start, max(one.extent.end for one in found))
        return self._walk(
            span, steps, "~".join(dict.fromkeys((found[0].path, found[-1].path))), written
        )

    def _own(self, at: Span, unit: str, steps: Sequence[Step], path: str) -> Resolution:
        """Resolve 本条, 本款, 本项, 本章, 本节; in a table they are the row."""
        block = self._document.block_at(at.start)
        if block is not None and block.table is not None and unit in "条款项":
            row = block.table.row_at(at.start)
            return self._walk(block.table.row_span(row, row + 1), steps, path, path)
        clause = self._around.clause(at.start)
        anchor = clause if unit in "条款项" else self._around.above(at.start, unit)
        if unit == "项" or (unit == "款" and clause is not None and clause.family not in ARTICLES):
            anchor = next(self._around.anchors(at.start), clause)
        if anchor is None:
            return Resolution(path, "dangling", None, f"本{unit} outside any clause")
        if unit == "条" and steps and anchor.family not in ARTICLES:
            # Where clauses are 四、 and 1、 in one another, the words after it tell which is meant.
            around = self._around.anchors(at.start)
            holding = (one for one in around if self._walk(one.extent, steps, path, path).span)
            anchor = next(holding, anchor)
        span, own_path = anchor.extent, anchor.path
        if unit == "款" and anchor.family in ARTICLES:
            inner = self._paragraphs.holding(anchor.extent, at.start)
            if inner is not None:
                span, own_path = inner, f"{anchor.path}/本款"
        return self._walk(span, steps, "/".join((own_path, *(s.written for s in steps))), path)

    def _item(self, at: Span, steps: Sequence[Step], path: str) -> Resolution:
        """Resolve 第一款 or 第二项 that stands alone: in the innermost place that has it."""
        clause = self._around.clause(at.start)
        if clause is None:
            return Resolution(path, "dangling", None, f"{steps[0].written} outside any clause")
        if is_spelled(steps[0]) and clause.family in ARTICLES:
            return self._walk(clause.extent, steps, path, clause.label)
        table = self._row(at, steps[0])
        if table is not None and self._tells_table(at):
            return self._walk(table, steps[1:], path, "表")
        for anchor in self._around.anchors(at.start):
            if self._inner(anchor.extent, steps[0]) is not None:
                return self._walk(anchor.extent, steps, path, anchor.label)
        return self._walk(clause.extent, steps, path, clause.label)

    def _run(self, at: Span, step: Step, first: Anchor, path: str) -> Resolution:
        """Resolve 第二条至第四条, whose first is found."""
        last = self._around.nearest(
            first.span.start, self._named(at, step._replace(numbers=(step.last or 0,), last=None))
        )
        if last is None or last.span.start < first.span.start:
            return Resolution(path, "dangling", None, f"{step.written} does not run on here")
        span = Span(first.extent.start, last.extent.end)
        return Resolution(f"{first.path}~{last.path}", "resolved", span, "")

    def _tells_table(self, at: Span) -> bool:
        """Tell whether the words right before a place name a table: 前附表第1.1.2项."""
        return self._document.text[max(0, at.start - 10) : at.start].rstrip(" 的中").endswith("表")

    def _row(self, at: Span, step: Step) -> Span | None:
        """Give the row that bears a step's number; a lone number needs words that name a table."""
        if len(step.numbers) < 2 and not self._tells_table(at):
            return None
        return self._rows.find(Span(0, len(self._document.text)), step)

    def _before(self, offset: int, clause: Anchor | None, count: int, unit: str) -> Span | None:
        """Give the 款 or 项 before the place."""
        if clause is None:
            return None
        own = next(self._around.anchors(offset), None)
        labelled = own is not None and not self._paragraphs.between(own.span.start, offset)
        if own is not None and labelled and (unit == "项" or clause.family not in ARTICLES):
            span: Span | None = None
            for _ in range(count):
                earlier = self._sibling_before(own)
                if earlier is None:
                    return span
                span = Span(earlier.extent.start, span.end if span else earlier.extent.end)
                own = earlier
            return span
        if clause.family in ARTICLES:
            return self._paragraphs.before(clause.extent, offset, count)
        return self._paragraphs.lead_before(clause.span.end, offset)

    def _sibling_before(self, own: Anchor) -> Anchor | None:
        last = bisect_right(self._starts, own.span.start) - 2
        wanted = (*own.numbers[:-1], own.numbers[-1] - 1) if own.numbers else ()
        for anchor in reversed(self._anchors[max(0, last - FAR) : last + 1]):
            if anchor.family == own.family and anchor.numbers == wanted:
                return anchor
        return None

    def _figure(self, step: Step) -> Resolution:
        caption = self._captions.get(step.written)
        if caption is None:
            return Resolution(step.written, "dangling", None, f"no caption {step.written}")
        span = caption.span
        if caption.target is not None:
            other = self._document.blocks[caption.target].span
            span = Span(min(span.start, other.start), max(span.end, other.end))
        return Resolution(step.written, "resolved", span, "")

    def _appendix(self, at: Span, step: Step) -> Anchor | None:
        kinds = [
            step.unit,
            *(f for f in ("附件", "附录", "附表", "Annex", "Appendix") if f != step.unit),
        ]
        if not step.numbers and ("[" in step.written or "【" in step.written):
            return None
        for family in kinds[:1] if step.unit in ("附表", "附图") else kinds[:3]:
            found = self._by_label.get((family, step.numbers))
            if found:
                # 附件一 and 附件1 may both be here.
                like = [a for a in found if a.label[-1:].isdigit() == step.written[-1:].isdigit()]
                named = named_beside(self._document.folded, at, found)
                return named or self._around.nearest(at.start, like or found)
        if not step.numbers:
            own = [anchor for anchor in self._anchors if anchor.family == "附件"]
            return own[0] if len(own) == 1 else None
        return None

    def _named(self, at: Span, step: Step) -> list[Anchor]:
        if len(step.numbers) > 1 and "之" not in step.written:
            lettered = _LETTERED.match(step.written) is not None
            family = ".".join(("A" if lettered else "1") + "1" * (len(step.numbers) - 1))
            return self._by_label.get((family, step.numbers), []) or self._by_label.get(
                ("Section", step.numbers), []
            )
        named: list[list[Anchor]] = []
        for family in (*families(step)[0], *families(step)[1]):
            found = [a for a in self._by_label.get((family, step.numbers), ()) if _fits(a, family)]
            if found:
                named.append(found)
        if len(named) < 2 or step.unit != "条" or not _DIGITS.search(step.written):
            return named[0] if named else []
        # 第2条 in a part whose clauses are 1. 2. is none of 第X条 in another part.
        return max(named, key=lambda found: self._around.shared(at.start, found))

    def _version(self, at: Span, named: Sequence[Anchor], step: Step) -> Anchor | None:
        return self._around.nearest(at.start, versions(self._document.folded, named, step))

    def _walk(self, span: Span, steps: Sequence[Step], path: str, label: str) -> Resolution:
        """Follow steps inward from a range. What is found has its anchor's path."""
        outer, last, known = span, None, self._path_of(span)
        for step in steps:
            inner = self._step(span, step)
            if inner is None and last is not None:
                family = ".".join("1" * len(last.numbers))
                alike = self._by_label.get((family, last.numbers), [])
                named = [a for a in alike if outer.covers(a.span)]
                choice = self._version(span, named, step)
                inner = choice.extent if choice is not None else None
            if inner is None and span == outer:
                inner = self._rows.find(span, step)
            if inner is None:
                return Resolution(path, "dangling", None, f"no {step.written} in {label}")
            known = self._path_of(inner) or (known and f"{known}/{shown(step)}")
            last, span, label = step, inner, step.written
        return Resolution(known or path, "resolved", span, "")

    def _path_of(self, span: Span) -> str | None:
        """Give the path of the anchor that a range is, or of the items that it runs over."""
        first = self._at_start.get(span.start)
        if first is None or first.extent.end >= span.end:
            return first.path if first is not None and first.extent.end == span.end else None
        last = self._anchors[bisect_left(self._starts, span.end) - 1]
        same = last.extent.end == span.end and last.family == first.family
        return f"{first.path}~{last.path}" if same else None

    def _step(self, span: Span, step: Step) -> Span | None:
        found = self._one(span, step)
        if step.last is None or found is None:
            return found
        last = self._one(span, step._replace(numbers=(step.last,), last=None))
        return Span(found.start, last.end) if last and last.end > found.start else None

    def _one(self, span: Span, step: Step) -> Span | None:
        # 第二款 of a statute is its second paragraph; 第2款 and 第（二）款 are numbered items.
        if is_spelled(step):
            inner = self._inner(span, step, ("（一）", "款"))
            if inner is not None and not self._in_articles(span):
                return inner
            return self._paragraphs.at(span, step.numbers[0]) or self._inner(span, step)
        inner = self._inner(span, step)
        if inner is None and step.unit == "款" and len(step.numbers) == 1:
            inner = self._paragraphs.at(span, step.numbers[0])
        return inner

    def _in_articles(self, span: Span) -> bool:
        at = bisect_right(self._starts, span.start) - 1
        return at >= 0 and self._anchors[at].family in ARTICLES

    def _inner(self, span: Span, step: Step, only: tuple[str, ...] | None = None) -> Span | None:
        if len(step.numbers) > 1 and "之" not in step.written:
            lettered = _LETTERED.match(step.written) is not None or step.unit in APPENDIX
            family = ".".join(("A" if lettered else "1") + "1" * (len(step.numbers) - 1))
            found = self._first(self._by_label.get((family, step.numbers)), span)
            return found.extent if found is not None else None
        for group in (only,) if only is not None else families(step):
            # What stands first in the range is its own level: 1、 before the （1） under it.
            firsts = [(self._first(self._by_family.get(one), span), one) for one in group]
            order = sorted((anchor.span.start, one) for anchor, one in firsts if anchor is not None)
            for _, family in order:
                found = self._first(self._by_label.get((family, step.numbers)), span)
                if found is not None:
                    return found.extent
        return None

    def _first(self, anchors: Sequence[Anchor] | None, span: Span) -> Anchor | None:
        """Give the first of some anchors inside a range."""
        if not anchors:
            return None
        at = bisect_left(anchors, span.start, key=_start)
        # A paragraph may begin with the item that is looked for; an anchor is not inside itself.
        if at < len(anchors) and anchors[at].span.start == span.start:
            at += anchors[at].extent.end >= span.end
        return anchors[at] if at < len(anchors) and anchors[at].span.start < span.end else None


def _start(anchor: Anchor) -> int:
    return anchor.span.start


def _fits(anchor: Anchor, family: str) -> bool:
    """Tell whether an anchor can be named as a clause: a list's item cannot."""
    return (
        family in ("条", "章", "节", "编", "分编", "部分", "卷", "篇", "Article", "Section")
        or anchor.is_heading
    )
