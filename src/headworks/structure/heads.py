"""Heads without a number: the lines that head something by their look, their words or their style.

Takes candidates, the title, where the cover ends and the captions, gives the indices of those
that stand in the outline. Never looks at numbered lines.
"""

import re
from collections import Counter
from collections.abc import Sequence

from headworks.model.document import Document
from headworks.structure.candidates import Candidate
from headworks.structure.titles import Title
from headworks.structure.wording import is_form_line, opens_sentence

_SPACES = re.compile(r"\s+")
# A title in a heading style that somebody ended with a full stop.
_STYLED_SENTENCE = re.compile(r"\s*[^。;,:!?]{2,20}。\s*$")
# Words that end the title of a text.
_NAMES_TEXT = re.compile(
    r"(?:公告|通知|通知书|邀请书|须知|办法|合同|协议|协议书|说明|要求|标准|规范|方案|承诺书|声明函?|授权书|一览表|表)\s*$"
)
_MAX_BOLD_LINE, _MAX_BOLD_NAME = 22, 32
# Who made a document signs it in large letters too.
_ORGANISATION = re.compile(r"(?:有限公司|有限责任公司|股份公司|集团公司|分公司)\s*$")
# The longest line whose words are compared between the places where they stand.
_MAX_SAID = 12


def find_heads(
    document: Document,
    found: Sequence[Candidate],
    title: Title | None,
    skipped: tuple[int, frozenset[int]],
) -> list[int]:
    """Give the unlabelled lines that head something.

    ``skipped`` holds the cover's end and the blocks of captions: neither heads anything.
    """
    cover_end, captions = skipped
    named = _SPACES.sub("", title.text) if title else ""
    title_blocks = set(title.blocks) if title else set()
    heads: list[int] = []
    repeated: Candidate | None = None
    for index, candidate in enumerate(found):
        if candidate.label is not None or candidate.block in title_blocks:
            continue
        if (candidate.start < cover_end and not candidate.known) or candidate.block in captions:
            continue
        if title is not None and candidate.start < title.span.start and not candidate.known:
            continue
        words = document.folded[candidate.start : candidate.end]
        bare = _SPACES.sub("", document.text[candidate.start : candidate.end])
        # The title again, whole or in lines of one look.
        again = repeated is not None and (
            candidate.block == repeated.block + 1 and candidate.look.key == repeated.look.key
        )
        if named and (bare == named or (len(bare) >= 6 and bare in named) or again):
            repeated = candidate
            continue
        if _is_head(document, found, index, words):
            heads.append(index)
    return _without_exceptions(document, found, heads)


def _without_exceptions(
    document: Document, found: Sequence[Candidate], heads: Sequence[int]
) -> list[int]:
    """Leave out a line whose words head nothing in most places where they stand set like it."""
    told = set(heads)
    said: Counter[tuple[str, float, bool]] = Counter()
    headed: Counter[tuple[str, float, bool]] = Counter()
    for index, candidate in enumerate(found):
        if candidate.label is None and candidate.end - candidate.start <= _MAX_SAID:
            key = _said(document, candidate)
            said[key] += 1
            headed[key] += index in told
    kept: list[int] = []
    for index in heads:
        key = _said(document, found[index])
        if not found[index].known and said[key] >= 3 and headed[key] * 2 < said[key]:
            continue
        kept.append(index)
    return kept


def _said(document: Document, candidate: Candidate) -> tuple[str, float, bool]:
    words = _SPACES.sub("", document.folded[candidate.start : candidate.end]).rstrip(":")
    return words, candidate.look.size, candidate.look.bold


def _is_head(document: Document, found: Sequence[Candidate], index: int, words: str) -> bool:
    candidate = found[index]
    look = candidate.look
    follows = _followed(document, candidate)
    if candidate.known:
        return follows
    if look.outline is not None:
        return candidate.reading in ("title", "lead") or _STYLED_SENTENCE.match(words) is not None
    if candidate.reading not in ("title", "lead") or look.emphasis < 1.0:
        return False
    if _ORGANISATION.search(words):
        return False
    if not follows or opens_sentence(document.folded, candidate.start, candidate.end):
        return False
    if candidate.reading == "lead":
        return look.emphasis >= 2.2 and len(words) <= _MAX_BOLD_LINE
    if look.emphasis >= 2.0:
        return True
    named = _NAMES_TEXT.search(words) is not None
    most = _MAX_BOLD_NAME if named else _MAX_BOLD_LINE
    return len(words.strip()) <= most and _stands_alone(document, found, index)


def _followed(document: Document, candidate: Candidate) -> bool:
    """Tell whether text follows that is not set the same way."""
    after = candidate.block + 1
    blocks = document.blocks
    while after < len(blocks) and blocks[after].role != "body":
        after += 1
    return after < len(blocks)


def _stands_alone(document: Document, found: Sequence[Candidate], index: int) -> bool:
    """Tell whether no neighbour is set like the line: one bold line heads, three shout."""
    candidate = found[index]
    for other in (index - 1, index + 1):
        if 0 <= other < len(found):
            near = found[other]
            if (
                near.label is None
                and abs(near.block - candidate.block) == 1
                and near.look.key == candidate.look.key
            ):
                return False
    before = document.blocks[candidate.block - 1] if candidate.block else None
    if before is not None and before.style == document.blocks[candidate.block].style:
        return False
    return not is_form_line(document.folded, candidate.start, candidate.end)
