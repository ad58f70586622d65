"""Heads that nothing but blank lines set apart: documents without numbers and without looks.

Takes the blocks of a document in which no line has a heading's number, style, size or weight,
gives the short lines that stand alone over running text. Never looks where evidence is better.
"""

from collections.abc import Sequence

import msgspec

from headworks.model.document import Block, Document
from headworks.model.place import PartPlace
from headworks.structure.candidates import Candidate
from headworks.structure.looks import Looks
from headworks.structure.titles import Title
from headworks.structure.wording import is_form_line, opens_sentence, reading

_SHORTEST, _LONGEST = 2, 20
# Text that a line heads is a sentence, or long enough to be one.
_RUNNING = 25
_ENDS = frozenset("。；：！？.;:!?")
_LEAST_HEADS = 2


# A line that nothing but its place sets apart counts as one that is larger than the text.
_EMPHASIS = 2.0


def lines_apart(
    document: Document, looks: Looks, skipped: frozenset[int], found: Sequence[Candidate]
) -> tuple[Candidate, ...]:
    """Give the candidates, with the lines that blank lines set apart where nothing else does."""
    if any(_is_better(candidate) for candidate in found):
        return tuple(found)
    apart = set_apart(document, skipped)
    known = {candidate.block for candidate in found}
    lines = [_candidate(document, looks, index) for index in sorted(apart - known)]
    return tuple(sorted((*found, *lines), key=lambda candidate: candidate.start))


def is_apart(title: Title, found: Sequence[Candidate]) -> bool:
    """Tell whether a title is but the first of the lines that blank lines set apart."""
    return any(
        candidate.block == title.blocks[-1] and candidate.look.key == _KEY for candidate in found
    )


def _is_better(candidate: Candidate) -> bool:
    """Tell whether a line is a head by more than its place: by its number or its look."""
    if candidate.label is None:
        return candidate.emphasised
    return candidate.weight >= 1.0 and candidate.reading != "sentence"


_KEY = ("blank lines", 0.0, False, False, None)


def _candidate(document: Document, looks: Looks, index: int) -> Candidate:
    block = document.blocks[index]
    look = msgspec.structs.replace(looks.of(block), emphasis=_EMPHASIS, key=_KEY)
    return Candidate(
        block=index,
        start=block.span.start,
        end=block.span.end,
        label=None,
        look=look,
        reading="title",
        weight=_EMPHASIS,
    )


def set_apart(document: Document, skipped: frozenset[int]) -> frozenset[int]:
    """Give the blocks of the lines that blank lines set apart as heads; few are none."""
    lines = [
        (index, block)
        for index, block in enumerate(document.blocks)
        if block.role == "body" and index not in skipped
    ]
    heads: list[int] = []
    running = 0
    for position, (index, block) in enumerate(lines):
        if _is_running(document, block):
            running += 1
            continue
        before = lines[position - 1][1] if position else None
        after = lines[position + 1][1] if position + 1 < len(lines) else None
        if after is not None and _is_running(document, after) and _is_line(document, block, before):
            heads.append(index)
    enough = len(heads) >= _LEAST_HEADS and len(heads) <= running and len(heads) * 2 <= len(lines)
    return frozenset(heads) if enough else frozenset()


def blank_between(before: Block, block: Block) -> bool:
    """Tell whether a blank line stands between two blocks."""
    if block.style.space_before > 0:
        return True
    first, second = before.place, block.place
    if not (isinstance(first, PartPlace) and isinstance(second, PartPlace)):
        return False
    return first.part == second.part != "text" and second.paragraph - first.paragraph > 1


def _is_running(document: Document, block: Block) -> bool:
    if block.kind != "paragraph":
        return False
    last = document.text[block.span.end - 1 : block.span.end]
    return len(block.span) >= _RUNNING or (last in _ENDS and len(block.span) > _LONGEST // 2)


def _is_line(document: Document, block: Block, before: Block | None) -> bool:
    start, end = block.span.start, block.span.end
    if block.kind != "paragraph" or not _SHORTEST <= end - start <= _LONGEST:
        return False
    if before is not None and not blank_between(before, block):
        return False
    folded = document.folded
    if is_form_line(folded, start, end) or opens_sentence(folded, start, end):
        return False
    return reading(folded, start, end) == "title"
