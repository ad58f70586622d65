"""Selection: which accepted labels and which unlabelled lines stand in the outline.

Takes candidates and their runs, gives marks: headings and items in text order with their parents.
Never decides by one line alone: what its siblings look like counts as much as the line.
"""

import re
from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence

import msgspec

from headworks.model.document import Document
from headworks.structure.below import title_below
from headworks.structure.candidates import Candidate
from headworks.structure.heads import find_heads
from headworks.structure.labels import APPENDIX, MAJOR, Label
from headworks.structure.runs import Accepted
from headworks.structure.titles import Title
from headworks.structure.wording import breaks_off, explains, is_form_line, title_length

_WORDS = re.compile(r"\w")
_FOLLOWS = re.compile(r"如下|以下|下列|包括|下述|之一|(?<!修改|修正|变更)为\s*:")
# Families that number items wherever they stand.
_ITEMS = frozenset({"（1）", "1）", "①", "a）", "（a）", "（i）", "a.", "项", "款"})
_LEAST_CLAUSES = 3
# Words a plain lead-in may have to head what follows it below a clause.
_MAX_LEAD = 12
_MAX_PLAIN_TITLE = 30


class Mark(msgspec.Struct, frozen=True, gc=False):
    """A place that the structure names: a heading or an item, and the mark it stands under.

    ``group`` is the mark that began its run: siblings share it.
    """

    candidate: Candidate
    parent: int | None
    group: int
    heading: bool
    content: bool


def select(
    document: Document,
    found: Sequence[Candidate],
    accepted: Sequence[Accepted],
    title: Title | None,
    skipped: tuple[int, frozenset[int]],
) -> tuple[Mark, ...]:
    """Give all marks in text order, each told whether it is a heading.

    ``skipped`` holds the cover's end and the blocks of captions: neither heads anything.
    """
    heads = find_heads(document, found, title, skipped)
    labelled = {step.candidate: step for step in accepted}
    title_blocks = set(title.blocks) if title else set()
    order = sorted(
        index
        for index in {*heads, *labelled}
        if found[index].block not in title_blocks or found[index].start > title.span.end  # type: ignore[union-attr]
    )
    marks = _marks(document, found, labelled, order)
    families = _clause_shares(marks)
    groups: dict[tuple[int | None, int], list[int]] = defaultdict(list)
    for at, mark in enumerate(marks):
        if mark.candidate.label is not None:
            groups[mark.parent, mark.group].append(at)
    chosen = {at for at, mark in enumerate(marks) if mark.candidate.label is None}
    children = _children(marks)
    for (parent, _), members in groups.items():
        chosen.update(_of_group(document, marks, members, (parent, families, children)))
    if not any(_is_body(marks[at]) for at in chosen):
        chosen.update(_plain_clauses(document, marks, groups))
    return tuple(
        msgspec.structs.replace(mark, heading=at in chosen) for at, mark in enumerate(marks)
    )


def _marks(
    document: Document,
    found: Sequence[Candidate],
    labelled: Mapping[int, Accepted],
    order: Sequence[int],
) -> list[Mark]:
    position = {index: at for at, index in enumerate(order)}
    marks: list[Mark] = []
    latest: dict[tuple[int | None, str], int] = {}
    head = -1
    for at, index in enumerate(order):
        candidate = found[index]
        stop = found[order[at + 1]].start if at + 1 < len(order) else len(document.text)
        content = _WORDS.search(document.text, candidate.end, stop) is not None
        parent: int | None = None
        group = at
        if candidate.label is None:
            head = at
        else:
            above = labelled[index].parent
            parent = position.get(above) if above is not None else None
            key = (parent, candidate.label.family)
            before = latest.get(key)
            if before is not None and not (
                _last(candidate) <= 1 and (before < head or _last(marks[before].candidate) >= 1)
            ):
                group = marks[before].group
            latest[key] = at
        marks.append(Mark(candidate, parent, group, False, content))
    return marks


def _last(candidate: Candidate) -> int:
    return candidate.label.numbers[-1] if candidate.label and candidate.label.numbers else 0


def _children(marks: Sequence[Mark]) -> dict[int, int]:
    """Count the labels under each mark, as far as the next unlabelled heading."""
    counts: dict[int, int] = defaultdict(int)
    head = -1
    for at, mark in enumerate(marks):
        if mark.candidate.label is None:
            if at and at - 1 != head and _below(marks[at - 1].candidate, mark.candidate):
                counts[at - 1] += 1
            head = at
        elif mark.parent is not None and mark.parent > head:
            counts[mark.parent] += 1
    return counts


def _below(labelled: Candidate, head: Candidate) -> bool:
    """Tell whether an unlabelled head right after a labelled line stands under it."""
    if head.look.size > labelled.look.size + 2.5:
        return False
    outline, above = head.look.outline, labelled.look.outline
    return outline is None or (above is not None and outline > above)


def _clause_shares(marks: Sequence[Mark]) -> dict[int | None, float]:
    """Give, for each chapter (or none), the share of its 1.1 that head a title."""
    titles: dict[int | None, int] = defaultdict(int)
    total: dict[int | None, int] = defaultdict(int)
    for mark in marks:
        label = mark.candidate.label
        if label is None or label.family != "1.1":
            continue
        scope = _scope(marks, mark.parent)
        total[scope] += 1
        titles[scope] += mark.candidate.reading == "title" and (
            mark.content or mark.candidate.emphasised
        )
    return {scope: titles[scope] / count for scope, count in total.items()}


def _scope(marks: Sequence[Mark], at: int | None) -> int | None:
    """Give the chapter, section, part or appendix above a mark."""
    while at is not None:
        label = marks[at].candidate.label
        if label is not None and (label.family in MAJOR or label.family in APPENDIX):
            return at
        at = marks[at].parent
    return None


def _of_group(
    document: Document,
    marks: Sequence[Mark],
    members: Sequence[int],
    around: tuple[int | None, Mapping[int | None, float], Mapping[int, int]],
) -> list[int]:
    """Give the headings among siblings: all of a main run, else those that read as titles."""
    parent, shares, children = around
    label = marks[members[0]].candidate.label
    assert label is not None
    if label.family in MAJOR or label.family in APPENDIX or _is_sections(marks, members, parent):
        return list(members)
    listed = _is_list(document, marks, members, children)
    strict = [
        at for at in members if _heads_something(document, marks[at], children.get(at, 0), listed)
    ]
    if _is_front(document, marks, members[0]):
        return [at for at in strict if marks[at].candidate.emphasised]
    named = len(strict)
    if label.family == "一、":
        named = sum(at in strict or _is_short_lead(document, marks[at]) for at in members)
    if _is_main(marks, members, parent, shares, named):
        return list(members)
    strict = _with_like(marks, members, strict)
    if strict == members[-1:] and not _is_sure(marks, members, children):
        return []
    if len(strict) * 2 < len(members):
        if label.family not in _ITEMS:
            return strict
        # Among items that are sentences, what has points of its own or is set apart is a title.
        return [at for at in strict if _set_apart(marks[at]) or children.get(at, 0) >= 2]
    # 2.1 总要求： beside 2.2 办公区 and 2.3 垃圾处理 heads what follows as they do, and so does a
    # short title whose text begins with a label of its own.
    heads = set(strict)
    return [
        at
        for at in members
        if at in heads or _is_short_lead(document, marks[at]) or _is_plain_title(marks[at])
    ]


def _is_plain_title(mark: Mark) -> bool:
    candidate = mark.candidate
    words = candidate.end - (candidate.label.title if candidate.label else candidate.start)
    return candidate.reading == "title" and words <= _MAX_PLAIN_TITLE


def _set_apart(mark: Mark) -> bool:
    """Tell whether a line is set apart by more than its place between the margins."""
    look = mark.candidate.look
    return look.bold or look.larger or look.outline is not None


def _with_like(marks: Sequence[Mark], members: Sequence[int], strict: Sequence[int]) -> list[int]:
    """Add the short siblings set like most of those that head something: 25．开标。 in bold."""
    if len(strict) * 2 < len(members):
        return list(strict)
    looks = Counter(marks[at].candidate.look.key for at in strict)
    key, count = looks.most_common(1)[0]
    if count * 2 < len(strict) or not marks[strict[0]].candidate.emphasised:
        return list(strict)
    heads = set(strict)
    return [
        at
        for at in members
        if at in heads
        or (
            marks[at].candidate.look.key == key
            and marks[at].candidate.end - marks[at].candidate.start <= _MAX_PLAIN_TITLE
        )
    ]


def _is_body(mark: Mark) -> bool:
    """Tell whether a heading orders the text itself: no front matter, no appendix."""
    label = mark.candidate.label
    return not mark.candidate.known if label is None else label.family not in APPENDIX


def _plain_clauses(
    document: Document,
    marks: Sequence[Mark],
    groups: Mapping[tuple[int | None, int], Sequence[int]],
) -> list[int]:
    """Give the outermost run of a document that has no headings: its sentences are the clauses."""
    for (parent, _), members in groups.items():
        label = marks[members[0]].candidate.label
        if (
            parent is None
            and label is not None
            and label.family not in _ITEMS
            and len(members) >= _LEAST_CLAUSES
            and not _is_front(document, marks, members[0])
        ):
            return list(members)
    return []


def _is_sure(marks: Sequence[Mark], members: Sequence[int], children: Mapping[int, int]) -> bool:
    """Tell whether the last of a list heads something itself, not by the text after the list."""
    mark = marks[members[-1]]
    label = mark.candidate.label
    if mark.candidate.emphasised or children.get(members[-1]):
        return True
    if label is not None and (len(label.numbers) > 1 or label.family == "一、"):
        return mark.content
    if len(members) == 1:
        return False
    before = [marks[at].candidate.reading for at in members[:-1]]
    if mark.candidate.reading != "title":
        return len(before) > 2 and before.count("field") * 2 < len(before)
    return sum(one in ("title", "lead", "field") for one in before) * 2 < len(before)


def _is_front(document: Document, marks: Sequence[Mark], first: int) -> bool:
    """Tell whether a run explains how the form is filled in: the first after such a head."""
    above = marks[first].parent
    while above is not None:
        first = marks[above].group
        above = marks[above].parent
    mark = marks[first - 1] if first else None
    if mark is None or mark.candidate.label is not None:
        return False
    span = mark.candidate
    return span.front and explains(document.folded, span.start, span.end)


def _is_sections(marks: Sequence[Mark], members: Sequence[int], parent: int | None) -> bool:
    """Tell whether siblings are the sections of an English contract's article, or its clauses."""
    label = marks[members[0]].candidate.label
    above = marks[parent].candidate.label if parent is not None else None
    if label is None or label.family != "Section":
        return False
    return above.family in ("Article", "Part", "Chapter") if above else len(members) > 1


def _is_name(document: Document, candidate: Candidate) -> bool:
    """Tell whether a line reads as a name, also one that breaks off: 1. 打开 或."""
    if candidate.reading == "title":
        return True
    return candidate.reading == "field" and breaks_off(
        document.folded, candidate.start, candidate.end
    )


def _is_list(
    document: Document, marks: Sequence[Mark], members: Sequence[int], children: Mapping[int, int]
) -> bool:
    """Tell whether the siblings name things one after the other with nothing under them."""
    names = [at for at in members[:-1] if _is_name(document, marks[at].candidate)]
    bare = sum(not marks[at].content and not children.get(at) for at in names)
    return bare * 2 > len(names)


def _is_main(
    marks: Sequence[Mark],
    members: Sequence[int],
    parent: int | None,
    shares: Mapping[int | None, float],
    strict: int,
) -> bool:
    label = marks[members[0]].candidate.label
    assert label is not None
    above = marks[parent].candidate.label if parent is not None else None
    if label.family == "1.1":
        # 1.1 under 1 is a clause where this document titles its 1.1; else it is a numbered
        # sentence.
        share = shares.get(_scope(marks, parent), 0.0)
        return share >= 0.5 and (above is None or above.family.startswith("1"))
    top = (
        above is None
        or above.family in APPENDIX
        or (above.family in MAJOR and above.family not in ("条", "Article"))
    )
    if not top or label.family in _ITEMS:
        return False
    if len(members) < 2:
        return False
    if strict * 2 >= len(members):
        return strict >= 1
    if label.family == "一、":
        return strict * 5 >= len(members)
    return False


def _heads_something(document: Document, mark: Mark, children: int, listed: bool) -> bool:
    """Tell whether one label heads a title, as its words, its look and what follows say."""
    candidate = mark.candidate
    read_as = candidate.reading
    if candidate.lead_bold and candidate.label is not None:
        bold_end = candidate.start + candidate.lead_bold
        if candidate.label.title + 2 <= bold_end <= candidate.label.title + _MAX_PLAIN_TITLE:
            return read_as != "sentence" or candidate.look.outline is not None
    if candidate.look.outline is not None:
        return read_as in ("title", "lead", "field", "empty")
    if read_as == "lead":
        if candidate.emphasised:
            return mark.content or children > 0
        return _plain_lead(document, mark, children)
    if read_as == "empty":
        # 3.1.1 alone on its line, its title on the next.
        return title_below(document, candidate.block, candidate.label) is not None
    if read_as != "title":
        return False
    if candidate.emphasised:
        return True
    begun = candidate.label.title if candidate.label else candidate.start
    words = title_length(document.folded, begun, candidate.end)
    return not listed and words <= _MAX_PLAIN_TITLE and (mark.content or children > 0)


def _is_short_lead(document: Document, mark: Mark) -> bool:
    candidate = mark.candidate
    return (
        candidate.reading == "lead"
        and _FOLLOWS.search(document.folded, candidate.start, candidate.end) is None
    )


def _plain_lead(document: Document, mark: Mark, children: int) -> bool:
    """Tell whether a plain line with a colon heads text: 5.联系方式： over an address."""
    candidate = mark.candidate
    after = next(
        (block for block in document.blocks[candidate.block + 1 :] if block.role == "body"), None
    )
    if after is None or after.kind != "paragraph" or not _WORDS.search(document.slice(after.span)):
        return False
    if is_form_line(document.folded, after.span.start, after.span.end):
        return False
    label: Label | None = candidate.label
    words = candidate.end - (label.title if label else candidate.start)
    return (
        mark.content
        and not children
        and words <= _MAX_LEAD
        and (label is None or label.family not in _ITEMS)
        and _FOLLOWS.search(document.folded, candidate.start, candidate.end) is None
    )
