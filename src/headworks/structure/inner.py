"""Clauses and items that stand inside a paragraph: 10.1 …。10.2 …。 or 1）…；2）….

Takes the document and the anchors of its paragraphs, gives anchors for the further ones inside.
Never takes a number for an item unless it goes on from the one before in the same paragraph.
"""

from collections.abc import Iterator, Sequence

from headworks.model.document import Block, Document
from headworks.model.outline import Anchor
from headworks.model.place import Span
from headworks.structure import labels
from headworks.structure.labels import MAJOR, Label

_MIN_LENGTH = 24


def inner_anchors(
    document: Document, anchors: Sequence[Anchor], skipped: frozenset[int]
) -> tuple[Anchor, ...]:
    """Give the anchors with those inside paragraphs put in, in text order."""
    extra: list[Anchor] = []
    after, count = 0, len(anchors)  # the first anchor that is not before the block
    for index, block in enumerate(document.blocks):
        if block.kind != "paragraph" or block.role != "body" or index in skipped:
            continue
        start, end = block.span.start, block.span.end
        if end - start < _MIN_LENGTH or labels.INNER.search(document.folded, start, end) is None:
            continue
        while after < count and anchors[after].span.start < start:
            after += 1
        own = [a for a in anchors[after : after + 8] if a.span.start < end]
        above = anchors[after - 1] if after else None
        extra.extend(_of_block(document, block, own, above))
    if not extra:
        return tuple(anchors)
    return tuple(sorted((*anchors, *extra), key=lambda anchor: anchor.span.start))


def _of_block(
    document: Document, block: Block, own: Sequence[Anchor], above: Anchor | None
) -> Iterator[Anchor]:
    leading = own[0] if own and own[0].span.start <= block.span.start + 2 else None
    known = {anchor.span.start for anchor in own}
    runs: list[list[Label]] = []
    start = leading.span.start if leading is not None else block.span.start
    for label in labels.within(document.text, document.folded, start, block.span.end):
        if label.start in known or label.family in MAJOR:
            continue
        known.add(label.start)
        if labels.is_reference(document.folded, label, block.span.end):
            continue
        run = _run_of(runs, label)
        if run is not None:
            run.append(label)
        elif _begins(label, leading):
            runs.append([label])
    for run in runs:
        continues = leading is not None and run[0].family == leading.family
        if continues or len(run) > 1:
            yield from _anchors(document, block, run, leading if leading is not None else above)


def _run_of(runs: list[list[Label]], label: Label) -> list[Label] | None:
    for run in reversed(runs):
        last = run[-1]
        if last.family == label.family and _follows(last.numbers, label.numbers):
            return run
    return None


def _begins(label: Label, leading: Anchor | None) -> bool:
    if leading is not None and leading.family == label.family:
        return _follows(leading.numbers, label.numbers)
    return label.numbers[-1:] == (1,) and not label.family.startswith("1.1")


def _follows(before: tuple[int, ...], numbers: tuple[int, ...]) -> bool:
    return (
        bool(before)
        and before[:-1] == numbers[:-1]
        and len(before) == len(numbers)
        and numbers[-1] == before[-1] + 1
    )


def _anchors(
    document: Document, block: Block, run: Sequence[Label], near: Anchor | None
) -> Iterator[Anchor]:
    siblings = near is not None and near.family == run[0].family
    path = near.path if near is not None else ""
    if siblings:
        path = path.rpartition("/")[0]
    for label, after in zip(run, [*run[1:], None], strict=True):
        end = after.start if after is not None else block.span.end
        stop = label.start + len(document.text[label.start : end].rstrip())
        written = "".join(document.text[label.start : label.end].split()).rstrip("、.．:： ")
        yield Anchor(
            path=f"{path}/{written}" if path else written,
            label=written,
            family=label.family,
            numbers=label.numbers,
            span=Span(label.start, stop),
            extent=Span(label.start, stop),
            heading=near.heading if near is not None else None,
            is_heading=False,
        )
