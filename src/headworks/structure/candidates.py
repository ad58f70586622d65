"""Candidates: every line that could head or begin something, with the evidence for it.

Takes the blocks and their looks, gives candidates in text order. Never decides: a candidate with
little evidence is kept, the reading of the whole document weighs it.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import msgspec

from headworks.model.document import Block, Document
from headworks.model.numerals import CHINESE_NUMERALS
from headworks.structure import labels
from headworks.structure.labels import APPENDIX, MAJOR, Label
from headworks.structure.looks import Look, Looks
from headworks.structure.wording import (
    MAX_STYLED_TITLE,
    Reading,
    is_form_line,
    is_front_head,
    is_known_head,
    is_table_head,
    reading,
)


class Candidate(msgspec.Struct, frozen=True, gc=False):
    """A line that may head something: its place, label, look, and how its words read.

    ``front`` marks a head of front matter, ``alone`` one that holds no clauses (also 前附表).
    ``weight`` sums the evidence that the label is a label here (not a reference, a date, a list
    of attachments); ``inner`` tells that it stands inside a paragraph, not at its start.
    """

    block: int
    start: int
    end: int
    label: Label | None
    look: Look
    reading: Reading
    weight: float
    inner: bool = False
    reference: bool = False
    auto: bool = False
    list_key: str | None = None
    lead_bold: int = 0
    known: bool = False
    front: bool = False
    alone: bool = False

    @property
    def emphasised(self) -> bool:
        """Tell whether the line is set apart from the body."""
        return self.look.emphasis >= 1.0


_FINISHED = re.compile(r"[。！？；：!?;:.…)\]>\"】]\s*$")
_INNER_ORDINAL = re.compile(
    rf"(?<=[。；;！!？?\n]) ?第[ ]?[{CHINESE_NUMERALS}\d ]{{1,9}}[ ]?[条章](?![的款第规所约])"
)
_MIN_INNER = 40
# Lengths between which a paragraph without an end may be a wrapped line.
_MIN_WRAPPED, _MAX_WRAPPED = 20, 60
_ENDS = frozenset('。！？；：!?;:.…)）]】>》"”')
_LISTED = re.compile(r"附[ ]?[件录表][ ]?[\d一二三四五六七八九十]")


def candidates(document: Document, looks: Looks, skipped: frozenset[int]) -> tuple[Candidate, ...]:
    """Give the candidates of all paragraphs but the skipped ones (contents pages)."""
    found: list[Candidate] = []
    width = _wrap_width(document, skipped)
    before: Block | None = None
    for index, block in enumerate(document.blocks):
        if block.role != "body" or index in skipped:
            continue
        if block.kind == "paragraph" or _is_attached(document, block):
            found.extend(_of_block(document, index, before, looks))
        before = block
    found = [_unbroken(document, candidate) for candidate in _settled(document, found)]
    if width is not None:
        found = [_unwrapped(candidate, width) for candidate in found]
    return tuple(_without_lists(document, found))


def _is_attached(document: Document, block: Block) -> bool:
    """Tell whether a caption may be an appendix's title: 附表1 申请表 over a table."""
    return block.kind == "caption" and document.folded.startswith("附", block.span.start)


# Families whose one number 4 a spaced 4. 3 may follow.
_COUNTED = frozenset({"1.", "1、", "条", "章", "一、"})


def _settled(document: Document, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Read 5. 3.1 as a label where 5.3 or 5.3.0 stands before, else as point 5."""
    last: dict[int, tuple[int, ...]] = {}
    for candidate in found:
        settled: Candidate | None = candidate
        label = candidate.label
        if label is not None and label.doubtful and not _goes_on(label.numbers, last):
            settled = _reread(document, candidate, label.plain) if label.plain else None
        if settled is None:
            continue
        label = settled.label
        if label is not None and (len(label.numbers) > 1 or label.family in _COUNTED):
            last[len(label.numbers)] = label.numbers
        yield settled


def _goes_on(numbers: tuple[int, ...], last: dict[int, tuple[int, ...]]) -> bool:
    """Tell whether a number follows the last of its depth, or begins under the last above it."""
    before = last.get(len(numbers), ())
    if before[:-1] == numbers[:-1] and before and 0 < numbers[-1] - before[-1] <= 2:
        return True
    return last.get(len(numbers) - 1) == numbers[:-1] and numbers[-1] <= 2


def _reread(document: Document, candidate: Candidate, label: Label) -> Candidate:
    """Give a candidate with another reading of its label."""
    block = document.blocks[candidate.block]
    line = Line(candidate.block, block, candidate.look, candidate.end, False, candidate.inner)
    return labelled(document.folded, label, line)


def _wrap_width(document: Document, skipped: frozenset[int]) -> int | None:
    """Give the width at which a document breaks its sentences over paragraphs, if it does."""
    text = document.text
    broken: list[int] = []
    long = 0
    for index, block in enumerate(document.blocks):
        length = len(block.span)
        if length < _MIN_WRAPPED or block.kind != "paragraph" or block.role != "body":
            continue
        if index in skipped:
            continue
        long += 1
        if length <= _MAX_WRAPPED and text[block.span.end - 1] not in _ENDS:
            broken.append(length)
    if len(broken) < 8 or len(broken) * 4 < long:
        return None
    broken.sort()
    return broken[len(broken) * 3 // 4]


# An amount or a date that a sentence goes on with on the next line: 3.5万元，含税。
_AMOUNT = re.compile(r"\d[\d.,]* ?[^\W\d][^\n]*[,。;、]")


def _unbroken(document: Document, candidate: Candidate) -> Candidate:
    """Take a plain numbered line for no title where an amount goes on below it."""
    block, after = document.blocks[candidate.block], candidate.block + 1
    if candidate.label is None or candidate.reading != "title" or candidate.emphasised:
        return candidate
    if candidate.end < block.span.end or after >= len(document.blocks):
        return candidate
    span = document.blocks[after].span
    if document.blocks[after].kind != "paragraph" or not _AMOUNT.match(
        document.folded, span.start, span.end
    ):
        return candidate
    if labels.read(document.text, document.folded, span.start, span.end) is not None:
        return candidate
    return msgspec.structs.replace(candidate, reading="field")


def _unwrapped(candidate: Candidate, width: int) -> Candidate:
    """Take a plain line as wide as the wrapped ones for the start of a sentence, not a title."""
    if candidate.reading != "title" or candidate.emphasised:
        return candidate
    if candidate.end - candidate.start < width * 0.85:
        return candidate
    return msgspec.structs.replace(candidate, reading="sentence")


class Line(NamedTuple):
    """Where a line stands: its block and look, its end, and how it is joined to what is before."""

    at: int
    block: Block
    look: Look
    stop: int
    unfinished: bool = False
    inner: bool = False
    after_text: bool = False


def _of_block(
    document: Document, index: int, before: Block | None, looks: Looks
) -> Iterator[Candidate]:
    text, folded, block = document.text, document.folded, document.blocks[index]
    start, end = block.span.start, block.span.end
    look = looks.of(block)
    line_end = folded.find("\n", start, end)
    stop = end if line_end < 0 else line_end
    label = labels.read(text, folded, start, end)
    if label is not None:
        unfinished = before is not None and _is_unfinished(folded, before, label)
        after_text = before is not None and _ends_sentence(folded, before)
        line = Line(index, block, look, stop, unfinished, after_text=after_text)
        yield labelled(folded, label, line)
    elif look.emphasis >= 1.0 or block.lead_bold or end - start <= 16:
        plain = _unlabelled(folded, Line(index, block, look, stop))
        if plain is not None:
            yield plain
    if line_end >= 0:
        yield from _of_lines(document, index, look, line_end)
    if end - start > _MIN_INNER and folded.find("第", start + 1, end) >= 0:
        for match in _INNER_ORDINAL.finditer(folded, start + 1, end):
            inner = labels.read(text, folded, match.start(), end)
            if inner is not None and folded[match.start() - 1] != "\n":
                yield labelled(folded, inner, Line(index, block, look, end, inner=True))


def _of_lines(document: Document, index: int, look: Look, line_end: int) -> Iterator[Candidate]:
    """Give the labels at the starts of a block's further lines."""
    text, folded, block = document.text, document.folded, document.blocks[index]
    end = block.span.end
    while line_end >= 0:
        start = line_end + 1
        line_end = folded.find("\n", start, end)
        stop = end if line_end < 0 else line_end
        label = labels.read(text, folded, start, stop)
        if label is not None:
            tail = max(block.span.start, start - 4)
            unfinished = _FINISHED.search(folded, tail, start - 1) is None
            yield labelled(folded, label, Line(index, block, look, stop, unfinished, True))


def labelled(folded: str, label: Label, line: Line) -> Candidate:
    """Give the candidate that a label makes of its line."""
    block, look, stop = line.block, line.look, line.stop
    styled = look.emphasis >= 1.0
    read_as = reading(folded, label.title, stop, look.outline is not None, styled)
    auto = block.auto > 0 and not line.inner
    reference = not auto and labels.is_reference(folded, label, stop)
    return Candidate(
        block=line.at,
        start=label.start if line.inner else _marked_start(folded, block, label),
        end=stop,
        label=label,
        look=look,
        reading=read_as,
        weight=_weight(folded, label, line, read_as, (auto, reference)),
        inner=line.inner,
        reference=reference,
        auto=auto,
        list_key=f"{block.style.list_id}/{block.style.list_level}" if auto else None,
        lead_bold=0 if line.inner else block.lead_bold,
    )


def _weight(
    folded: str, label: Label, line: Line, read_as: Reading, flags: tuple[bool, bool]
) -> float:
    """Sum the evidence that a label is one here."""
    auto, reference = flags
    look = line.look
    styled = look.emphasis >= 1.0
    weight = _base(label, read_as) + min(look.emphasis, 3.0) * 0.5
    if reference:
        weight -= 4.2 if label.family in MAJOR else 2.6 if label.tight else 1.6
    if label.weak:
        weight -= 0.7 if not styled else 0.2
    if label.tight and label.family.startswith("1.1"):
        weight -= 0.2
    if line.unfinished and not auto and not styled:
        weight -= 2.0 if label.family in MAJOR else 0.9
    if auto:
        weight += 0.5
    if styled and read_as == "title":
        weight += 0.6
    if line.inner:
        weight -= 0.2
    if label.family in APPENDIX and look.outline is None:
        if label.weak and label.title < line.stop and not look.centred:
            # 附件：营业执照 names what is attached; 附件 alone on its line opens an appendix.
            weight -= 2.4
        elif label.weak and line.after_text and not _opens_page(line):
            # 附件： in bold after the last sentence of a letter names what goes with the letter.
            weight -= 2.4
        elif not styled:
            weight -= _appendix_doubt(folded, label, line.stop, read_as)
    return weight


def _opens_page(line: Line) -> bool:
    return line.look.larger or line.look.centred or line.block.style.page_break_before


def _ends_sentence(folded: str, before: Block) -> bool:
    return before.kind == "paragraph" and folded[before.span.end - 1 : before.span.end] in "。;"


def _base(label: Label, read_as: Reading) -> float:
    """Weigh a label by how seldom its writing means anything else at the start of a line."""
    if label.family in MAJOR:
        return 1.8 if label.tight and read_as != "title" else 2.6
    if label.family == "一、" and not label.weak:
        return 1.5
    if len(label.numbers) > 1:
        return 1.2 if label.tight and read_as != "title" else 1.5
    return 1.0


def _marked_start(folded: str, block: Block, label: Label) -> int:
    """Give where a line begins whose label a mark such as ★ or #### stands before."""
    before = folded[block.span.start : label.start]
    if before.strip(" \n\t★☆▲△●■◆※*#"):
        return label.start
    return label.start - len(before.lstrip())


def _appendix_doubt(folded: str, label: Label, stop: int, read_as: Reading) -> float:
    """Weigh against an appendix label: it ends like a list entry or goes on as a sentence."""
    if read_as == "sentence":
        return 2.0
    tail = folded[max(label.end, stop - 2) : stop].rstrip()
    if tail.endswith((";", ",", "、")) or _LISTED.search(folded, label.end, stop):
        return 2.0
    return 0.0


def _is_unfinished(folded: str, before: Block, label: Label) -> bool:
    """Tell whether the paragraph before breaks off as a wrapped line does."""
    if before.kind != "paragraph" or len(before.span) < 18:
        return False
    if _FINISHED.search(folded, max(before.span.start, before.span.end - 3), before.span.end):
        return False
    # A wrapped line is as wide as its fellows; a title of the same width needs a label of its own.
    return labels.read(folded, folded, before.span.start, before.span.end) is None and (
        label.weak or label.tight or label.family in MAJOR or len(before.span) >= 24
    )


def _unlabelled(folded: str, line: Line) -> Candidate | None:
    block, look, start, stop = line.block, line.look, line.block.span.start, line.stop
    if stop - start > MAX_STYLED_TITLE + 20 and not (block.lead_bold and block.lead_bold <= 40):
        return None
    known = is_known_head(folded, start, stop)
    if not known and look.emphasis < 1.0 and not block.lead_bold:
        return None
    if is_form_line(folded, start, stop):
        return None
    return Candidate(
        block=line.at,
        start=start,
        end=stop,
        label=None,
        look=look,
        reading=reading(folded, start, stop, look.outline is not None, look.emphasis >= 1.0),
        weight=look.emphasis,
        lead_bold=block.lead_bold,
        known=known,
        front=known and is_front_head(folded, start, stop),
        alone=(known and is_front_head(folded, start, stop)) or is_table_head(folded, start, stop),
    )


def _without_lists(document: Document, found: Sequence[Candidate]) -> Iterator[Candidate]:
    """Weigh down the entries of a list of attachments or chapters: nothing stands between them."""
    for position, candidate in enumerate(found):
        if candidate.label is None or candidate.look.outline is not None:
            yield candidate
            continue
        family = candidate.label.family
        if family not in APPENDIX and (family not in MAJOR or family in ("条", "节", "Article")):
            yield candidate
            continue
        after = found[position + 1] if position + 1 < len(found) else None
        before = found[position - 1] if position else None
        close = _adjoins(document, candidate, after) or _adjoins(document, before, candidate)
        if close:
            less = 3.4 if family in MAJOR else 2.0
            yield msgspec.structs.replace(candidate, weight=candidate.weight - less)
        elif _repeats(document, before, candidate):
            yield msgspec.structs.replace(candidate, weight=candidate.weight - 3.4)
        else:
            yield candidate


def _repeats(document: Document, first: Candidate | None, second: Candidate) -> bool:
    """Tell whether a chapter's line is printed again right under itself."""
    if first is None or first.label is None or second.label is None:
        return False
    if (first.label.family, first.label.numbers) != (second.label.family, second.label.numbers):
        return False
    return second.block - first.block <= 3 and first.look.emphasis > second.look.emphasis


def _adjoins(document: Document, first: Candidate | None, second: Candidate | None) -> bool:
    """Tell whether two labels of one family follow each other with nothing between."""
    if first is None or second is None or first.label is None or second.label is None:
        return False
    if first.label.family != second.label.family or first.look.key != second.look.key:
        return False
    between = document.text[first.end : second.start]
    return not between.strip()
