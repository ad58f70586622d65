"""Levels: the tree of headings from the nesting of their runs.

Takes marks, gives headings with parents, levels and evidence, without extents yet. Never takes a
level from a style alone: a style only says where an unlabelled heading stands among the others.
"""

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import msgspec

from headworks.model.document import Document, Style
from headworks.model.outline import Heading, HeadingKind
from headworks.model.place import Span
from headworks.structure.below import title_below
from headworks.structure.candidates import Candidate
from headworks.structure.labels import APPENDIX
from headworks.structure.select import Mark
from headworks.structure.titles import Title
from headworks.structure.wording import first_stop

_MOST_DOCUMENTS = 5
# Families whose members hold all that stands between them.
_HOLDING = frozenset({"编", "部分", "卷", "篇", "章", "Part", "Chapter"})
# Sections that hold forms: the covers of these stand in them, however large.
_FORMS = re.compile(r"(?:文件|合同|条款|协议|附件|标书|函件).{0,6}格式")
# What stands between 附录A and its title: （规范性）, （资料性附录）.
_ASIDE = re.compile(r"[(（][^()（）\n]{2,12}[)）]")
_KIND: dict[str, HeadingKind] = {
    "编": "part", "分编": "part", "部分": "part", "卷": "part", "篇": "part", "Part": "part",
    "章": "chapter", "Chapter": "chapter", "节": "section", "条": "clause", "Article": "clause",
    **dict.fromkeys(APPENDIX, "appendix"),
}  # fmt: skip


class Placed(msgspec.Struct, frozen=True):
    """The headings in order, and for each mark the heading it became (or none)."""

    headings: tuple[Heading, ...]
    of_mark: tuple[int | None, ...]


class _Runs(NamedTuple):
    """What stands around a mark: the next labelled one, the last of each run, the folded text."""

    following: int | None
    last_marks: Mapping[int, int]
    folded: str


class _Open(msgspec.Struct, frozen=True, gc=False):
    """A heading that is still open while the tree is built."""

    heading: int
    mark: int
    level: int


def place(document: Document, marks: Sequence[Mark], title: Title | None) -> Placed:
    """Give the headings with levels and parents."""
    headings: list[Heading] = []
    of_mark: list[int | None] = [None] * len(marks)
    stack: list[_Open] = []
    titled = False
    above: int | None = None
    taken: set[int] = set()
    lasts, last_marks = _lasts(marks), _last_marks(marks)
    further = _further_titles(document, marks, title, last_marks)
    following = _following_labels(marks)
    title_blocks = set(title.blocks) if title is not None else set()
    for at, mark in enumerate(marks):
        if title is not None and not titled and mark.candidate.start >= title.span.start:
            above = len(headings)
            headings.append(_title_heading(title, above))
            titled = True
            stack.clear()
        if at in further and mark.candidate.block not in taken:
            stack.clear()
            above = len(headings)
            headings.append(_further_title(mark, document, above))
            of_mark[at] = above
            continue
        if not mark.heading or (mark.candidate.block in taken and mark.candidate.label is None):
            continue
        runs = _Runs(following[at], last_marks, document.folded)
        depth = _depth(marks, at, stack, runs)
        del stack[depth:]
        parent = stack[-1].heading if stack else above
        level = stack[-1].level + 1 if stack else 1
        heading, used = _heading(
            document, marks, at, (len(headings), parent, level, lasts.get(mark.group, 1))
        )
        below = _title_of_appendix(document, marks, at, heading)
        if below is not None and below.block not in title_blocks:
            heading = _with_title(document, heading, below)
            used = (*used, below.block)
        taken.update(used)
        of_mark[at] = heading.id
        headings.append(heading)
        stack.append(_Open(heading.id, at, level))
    if title is not None and not titled:
        headings.append(_title_heading(title, len(headings)))
    return Placed(tuple(headings), tuple(of_mark))


def _following_labels(marks: Sequence[Mark]) -> list[int | None]:
    """Give, for each mark, the next one that is labelled."""
    following: list[int | None] = [None] * len(marks)
    after: int | None = None
    for at in range(len(marks) - 1, -1, -1):
        following[at] = after
        if marks[at].candidate.label is not None:
            after = at
    return following


def _lasts(marks: Sequence[Mark]) -> dict[int, int]:
    """Give the last number of each run."""
    lasts: dict[int, int] = {}
    for mark in marks:
        label = mark.candidate.label
        if label is not None and label.numbers:
            lasts[mark.group] = max(lasts.get(mark.group, 0), label.numbers[-1])
    return lasts


def _last_marks(marks: Sequence[Mark]) -> dict[int, int]:
    """Give the last mark of each run."""
    return {mark.group: at for at, mark in enumerate(marks) if mark.candidate.label is not None}


def _further_titles(
    document: Document, marks: Sequence[Mark], title: Title | None, last_marks: Mapping[int, int]
) -> frozenset[int]:
    """Give the marks that title a further document of the file: lines set like the first title.

    Many such lines are chapters without numbers, and a line with an outline level says itself
    where it stands. Where the chapters go on after it, the line is the cover of a form.
    """
    if title is None:
        return frozenset()
    style = document.blocks[title.blocks[0]].style
    same = [
        at
        for at, mark in enumerate(marks)
        if mark.heading
        and mark.candidate.label is None
        and not mark.candidate.known
        and mark.candidate.look.outline is None
        and mark.candidate.look.larger
        and mark.candidate.start > title.span.end
        and _set_alike(document.blocks[mark.candidate.block].style, style)
    ]
    if len(same) > _MOST_DOCUMENTS:
        return frozenset()
    return frozenset(at for at in same if not _within_chapters(marks, at, last_marks))


def _within_chapters(marks: Sequence[Mark], at: int, last_marks: Mapping[int, int]) -> bool:
    """Tell whether a run of chapters or parts began before a mark and goes on after it."""
    return any(
        group < at < last
        for group, last in last_marks.items()
        if (label := marks[group].candidate.label) is not None and label.family in _HOLDING
    )


def _set_alike(style: Style, other: Style) -> bool:
    return (style.size, style.bold, style.align) == (other.size, other.bold, other.align)


def _further_title(mark: Mark, document: Document, number: int) -> Heading:
    start, end = mark.candidate.start, mark.candidate.end
    words = " ".join(document.text[start:end].split())
    span = Span(start, start + len(document.text[start:end].rstrip()))
    return Heading(
        id=number, parent=None, level=0, kind="title", block=mark.candidate.block, span=span,
        extent=span, text=words, title=words, evidence=("set like the first title",),
    )  # fmt: skip


def _title_heading(title: Title, number: int) -> Heading:
    return Heading(
        id=number, parent=None, level=0, kind="title", block=title.blocks[0], span=title.span,
        extent=title.span, text=title.text, title=title.text, evidence=("title",),
    )  # fmt: skip


def _depth(marks: Sequence[Mark], at: int, stack: Sequence[_Open], runs: _Runs) -> int:
    """Give how many open headings the mark's heading stands under."""
    mark = marks[at]
    label = mark.candidate.label
    if label is None:
        return _depth_by_look(marks, at, stack, runs)
    ancestor = mark.parent
    while ancestor is not None and not any(entry.mark == ancestor for entry in stack):
        ancestor = marks[ancestor].parent
    depth = 0
    if ancestor is not None:
        depth = next(i for i, entry in enumerate(stack) if entry.mark == ancestor) + 1
    if label.family in APPENDIX:
        depth = max(depth, _floor(marks, at, stack, runs.last_marks))
    depth = max(
        (i + 1 for i in range(depth, len(stack)) if _captures(marks, stack, i, at)), default=depth
    )
    if label.family in APPENDIX:
        depth = _appendix_depth(marks, at, stack, depth)
    return depth


def _floor(
    marks: Sequence[Mark], at: int, stack: Sequence[_Open], last_marks: Mapping[int, int]
) -> int:
    """Give how many open headings stay open because their runs go on after the mark."""
    floor = 0
    for depth, entry in enumerate(stack):
        mark = marks[entry.mark]
        label = mark.candidate.label
        if label is None or last_marks.get(mark.group, -1) <= at or label.family in APPENDIX:
            continue
        holds = label.family in _HOLDING or marks[at].candidate.label is not None
        floor = depth + 1 if holds else max(floor, depth)
    return floor


def _appendix_depth(marks: Sequence[Mark], at: int, stack: Sequence[_Open], depth: int) -> int:
    """Give the depth of an appendix: never under a heading whose outline level is as high."""
    own = marks[at].candidate.look.outline
    while depth and own is not None:
        above = marks[stack[depth - 1].mark].candidate.look.outline
        if above is None or above < own:
            break
        depth -= 1
    return depth


def _captures(marks: Sequence[Mark], stack: Sequence[_Open], place: int, at: int) -> bool:
    """Tell whether an unlabelled heading holds a run that began after it."""
    head = stack[place].mark
    upper, mark = marks[head].candidate, marks[at]
    if upper.label is not None or mark.group < head:
        return False
    lower = mark.candidate.look
    if upper.look.outline is not None and lower.outline is not None:
        return upper.look.outline < lower.outline
    label = mark.candidate.label
    if upper.alone:
        return False
    if label is not None and label.family in APPENDIX and place + 1 < len(stack):
        # What is attached to a contract stands beside its clauses, not among them.
        return False
    if label is not None and label.family in {"编", "部分", "章", *APPENDIX}:
        return upper.look.size > lower.size + 2
    if upper.look.size >= lower.size + 3:
        return True
    return upper.look.emphasis + 0.6 >= lower.emphasis


def _depth_by_look(marks: Sequence[Mark], at: int, stack: Sequence[_Open], runs: _Runs) -> int:
    """Give the depth of an unlabelled heading; inside a run it stands under the run's parent."""
    following = runs.following
    floor = _floor(marks, at, stack, runs.last_marks)
    if following is not None and marks[following].group < at:
        above = marks[following].parent
        ancestors: set[int] = set()
        while above is not None:
            ancestors.add(above)
            above = marks[above].parent
        under = (i + 1 for i, entry in enumerate(stack) if entry.mark in ancestors)
        floor = max(floor, max(under, default=0))
    depth = len(stack)
    while depth > floor and not _stands_over(marks, stack[depth - 1].mark, at, runs):
        depth -= 1
    return depth


def _stands_over(marks: Sequence[Mark], upper: int, at: int, runs: _Runs) -> bool:
    """Tell whether an open heading holds an unlabelled one: by outline level, size, emphasis."""
    above, own = marks[upper].candidate, marks[at].candidate
    family = above.label.family if above.label is not None else None
    if family in APPENDIX and own.block - above.block <= 3:
        # 附件7 and, under it, the title of what is attached, often set alike.
        return True
    if above.label is not None and _FORMS.search(runs.folded, above.start, above.end):
        return True
    if above.look.outline is not None and own.look.outline is not None:
        return above.look.outline < own.look.outline
    goes_on = runs.last_marks.get(marks[upper].group, -1) > at
    if goes_on and above.label is not None and above.look.size >= own.look.size:
        return True
    if above.look.key == own.look.key or (above.front and own.front):
        return False
    if family in _KIND and family != "条":
        return True
    if above.look.size != own.look.size:
        return above.look.size > own.look.size
    return above.look.emphasis > own.look.emphasis


def _heading(
    document: Document, marks: Sequence[Mark], at: int, place: tuple[int, int | None, int, int]
) -> tuple[Heading, tuple[int, ...]]:
    mark = marks[at]
    candidate, label = mark.candidate, mark.candidate.label
    number, parent, level, last = place
    text = document.text
    title_start = label.title if label is not None else candidate.start
    run_in = candidate.reading in ("sentence", "field") and label is not None
    end = candidate.end
    used: tuple[int, ...] = ()
    if run_in:
        end = first_stop(text, title_start, candidate.end)
        bold_end = candidate.start + candidate.lead_bold
        if title_start < bold_end < end:
            end = bold_end
    elif candidate.reading == "empty":
        following = title_below(document, candidate.block, candidate.label)
        if following is not None:
            end, used = document.blocks[following].span.end, (following,)
            title_start = document.blocks[following].span.start
    words = " ".join(text[candidate.start : end].split("\n")).replace("\t", " ").strip()
    trimmed = candidate.start + len(text[candidate.start : end].rstrip())
    written = text[label.start : label.end].strip() if label is not None else None
    heading = Heading(
        id=number,
        parent=parent,
        level=level,
        kind=_kind(label.family if label else None, candidate.front),
        block=candidate.block,
        span=Span(candidate.start, trimmed),
        extent=Span(candidate.start, trimmed),
        text=words,
        title=text[min(title_start, trimmed) : trimmed].strip().replace("\n", " "),
        label=written,
        family=label.family if label is not None else None,
        number=label.numbers[-1] if label is not None and label.numbers else None,
        numbers=label.numbers if label is not None else (),
        run_in=run_in,
        evidence=_evidence(marks, at, last),
    )
    return heading, used


def _title_of_appendix(
    document: Document, marks: Sequence[Mark], at: int, heading: Heading
) -> Candidate | None:
    """Give the line that is the title of 附件1 or 附录A（规范性）, alone above it."""
    bare = not heading.title or _ASIDE.fullmatch(heading.title)
    if heading.kind != "appendix" or not bare or at + 1 >= len(marks):
        return None
    own, below = marks[at].candidate, marks[at + 1].candidate
    if below.label is not None or not marks[at + 1].heading or below.reading != "title":
        return None
    between = document.folded[heading.span.end : below.start].strip()
    if between and not _ASIDE.fullmatch(between):
        return None
    parted = own.look.outline is not None and below.look.outline is not None
    return None if parted or not (below.look.centred or below.look.size >= own.look.size) else below


def _with_title(document: Document, heading: Heading, below: Candidate) -> Heading:
    """Give a heading on to the end of the line that is its title."""
    span = Span(heading.span.start, document.blocks[below.block].span.end)
    words = " ".join(document.slice(span).split("\n"))
    title = " ".join(document.text[below.start : span.end].split("\n"))
    return msgspec.structs.replace(heading, span=span, extent=span, text=words, title=title)


def _kind(family: str | None, front: bool) -> HeadingKind:
    if family is None:
        return "front" if front else "section"
    return _KIND.get(family, "clause")


def _evidence(marks: Sequence[Mark], at: int, last: int) -> tuple[str, ...]:
    mark = marks[at]
    candidate, look = mark.candidate, mark.candidate.look
    found: list[str] = []
    if candidate.label is not None:
        first = marks[mark.group].candidate.label
        start = first.numbers[-1] if first is not None and first.numbers else 1
        found.append(f"label run {start}..{max(start, last)}")
        if candidate.auto:
            found.append("automatic number")
    if look.outline is not None:
        found.append(f"outline level {look.outline}")
    if look.bold or candidate.lead_bold:
        found.append("bold")
    if look.larger:
        found.append(f"size {look.size:g}")
    if look.centred:
        found.append("centred")
    if candidate.reading in ("title", "lead"):
        found.append("short line")
    if candidate.known:
        found.append("known head")
    return tuple(found)
