"""The document's title: the lines that name it, at its beginning.

Takes the document and its looks, gives the title's blocks and range or none. Never takes a field
of a cover (项目名称：…), a number of issue or a date for a title.
"""

import re
from collections.abc import Sequence

import msgspec

from headworks.model.document import Block, Document
from headworks.model.place import Span
from headworks.structure import labels
from headworks.structure.looks import Looks
from headworks.structure.wording import is_contents_head, is_form_line, is_known_head, reading

# How far the title may stand from the beginning.
_MAX_BLOCKS = 40
_MAX_CHARS = 3000
_MAX_TITLE = 100
_LEAST, _LARGEST = 2.0, 1.6
# How many lines after a foreword or a contents page are looked at for a title above the first part.
_MAX_LATE = 400

_KINDS = re.compile(
    r"(?:法|条例|办法|规定|细则|合同|合同书|协议|协议书|规范|规程|标准|方案|报告|纪要|通知|招标文件|采购文件|磋商文件|谈判文件|文件|说明书|"
    r"手册|制度|指南|意见|决定|公告|公报|函|须知|要求|章程|计划|清单|解释|说明|总则|大纲|声明|承诺书|任务书|建议书|申请书|申请表|登记表|"
    r"规划|预案|总结|记录|问答|白皮书|agreement|contract|manual|specification|report|guide|plan|policy)"
    r"\s*(?:\([^()]{1,24}\)|[a-z]?\d{0,4})*\s*$"
)
_ISSUE = re.compile(
    r"令?\s*第\s*\d+\s*号|[\[(]\s*\d{4}\s*[\])]\s*(?:第\s*)?\d+\s*号|^\s*(?:gb|jt|dl|sl|yd|jb|q/|"
    r"t/)[/ ]?[a-z/]*\s*\d|"
    r"^\s*(?:ics|ccs)\b|编号|代替|发布|实施|施行|通过|公布\s*$|^\s*(?:备案号|版本|密级|机密|秘密|文档)"
)
# The banner of a standard's cover names its sort, not itself.
_BANNER = re.compile(
    r"^(?:中华人民共和国)?\w{0,10}(?:国家|行业|团体|地方|企业)标准(?:化指导性技术文件)?$"
)
# Marks of affiliation and addresses stand after authors, not after titles.
_PEOPLE = re.compile(r"[∗†‡§¶@]")
_ORGANISATION = re.compile(r"(?:公司|集团|大学|学院|研究院|委员会|管理局|人民政府)$")
# （通讯协议规范） under a title, set like it, belongs to it.
_ASIDE = re.compile(r"\s*\([^()\n]{2,30}\)\s*")
_SHORT_REST = re.compile(r"\s*[\-—–_=*]+\s*")


class Title(msgspec.Struct, frozen=True):
    """The title: its range, the blocks it stands in, its words with line ends as spaces."""

    span: Span
    blocks: tuple[int, ...]
    text: str


def find_title(document: Document, looks: Looks, skipped: frozenset[int]) -> Title | None:
    """Give the document's title, or none where it has none."""
    lines = _first_lines(document, looks, skipped)
    scores = {line: _score(document, looks, line) for line in lines}
    largest = _largest(document, looks, lines)
    if largest is not None:
        scores[largest] += _LARGEST
    best = max(lines, key=lambda line: (scores[line], -line), default=-1)
    if best < 0 or scores[best] < _LEAST:
        late = _late_lines(document, looks, skipped)
        if not late:
            return None
        best, lines = late[-1], late
    joined = _joined(document, looks, best, set(lines))
    # A dash before the title sets it off from what stands above, so it begins there.
    dashed = [at for at in joined if _SHORT_REST.match(document.text, *_range(document, at))]
    joined = joined[joined.index(dashed[-1]) :] if dashed else joined
    blocks = document.blocks
    first, last = blocks[joined[0]].span, blocks[joined[-1]].span
    head = _SHORT_REST.match(document.text, first.start, first.end)
    start = head.end() if head else first.start
    words = " ".join(
        document.text[max(start, blocks[at].span.start) : blocks[at].span.end].strip()
        for at in joined
    )
    return Title(Span(start, last.end), tuple(joined), " ".join(words.split()))


def is_peer(document: Document, looks: Looks, title: Title, others: Sequence[int]) -> bool:
    """Tell whether a title is but the first of several sections, set as they are.

    ``others`` are blocks of unlabelled headings. A line that says what the document is (合同, 手册)
    stays its title whatever follows.
    """
    block = document.blocks[title.blocks[0]]
    look = looks.of(block)
    if look.outline is None or _KINDS.search("".join(document.slice(title.span).split()).lower()):
        return False
    alike = [
        at
        for at in others
        if at > title.blocks[-1] and looks.of(document.blocks[at]).key == look.key
    ]
    return len(alike) >= 2


def _largest(document: Document, looks: Looks, lines: Sequence[int]) -> int | None:
    """Give the line that is set larger than all others by itself, if there is one."""
    sizes = sorted(((looks.of(document.blocks[line]).size, line) for line in lines), reverse=True)
    if len(sizes) < 2 or not looks.body.size or sizes[0][0] - sizes[1][0] < 1.5:
        return None
    span = document.blocks[sizes[0][1]].span
    words = "".join(document.folded[span.start : span.end].split())
    named = _ORGANISATION.search(words) or _ISSUE.search(words)
    return sizes[0][1] if sizes[0][0] >= looks.body.size + 2 and not named else None


def _late_lines(document: Document, looks: Looks, skipped: frozenset[int]) -> list[int]:
    """Give the title of a document whose first pages are a picture, a foreword and the contents.

    It stands right above the first labelled part, alone on its lines, large or bold and centred.
    """
    folded, blocks = document.folded, document.blocks
    found: list[int] = []
    front = False
    for index, block in enumerate(blocks[:_MAX_LATE]):
        if index in skipped:
            front, found = True, []
            continue
        if block.role != "body" or block.kind in ("figure", "table"):
            continue
        start, end = block.span.start, block.span.end
        if is_known_head(folded, start, end):
            front, found = True, []
            continue
        if labels.read(document.text, folded, start, end) is not None:
            return found if front else []
        look = looks.of(block)
        set_apart = look.emphasis >= 2.2 or (
            # A text file sets nothing apart: the words must say what it is.
            not looks.body.size and _KINDS.search(folded[start:end].rstrip()) is not None
        )
        set_apart = set_apart and look.outline is None and end - start <= 60
        if set_apart and _reads_as_title(folded, start, end):
            found.append(index)
        else:
            found = []
    return []


def _range(document: Document, index: int) -> tuple[int, int]:
    span = document.blocks[index].span
    return span.start, span.end


def _first_lines(document: Document, looks: Looks, skipped: frozenset[int]) -> list[int]:
    """Give the blocks at the beginning that may be the title: before the first label or text."""
    found: list[int] = []
    folded, seen = document.folded, 0
    for index, block in enumerate(document.blocks):
        if block.role != "body":
            continue
        if index in skipped:
            if found:
                break
            continue
        seen += 1
        if seen > _MAX_BLOCKS or block.span.start > _MAX_CHARS:
            break
        if block.kind != "paragraph":
            continue
        start, end = block.span.start, block.span.end
        label = labels.read(document.text, folded, start, end)
        look = looks.of(block)
        if label is not None:
            if label.family in labels.APPENDIX and not found:
                continue
            break
        if is_contents_head(folded, start, end):
            break
        if is_known_head(folded, start, end) and not (found and look.outline == 1):
            break
        if end - start <= _MAX_TITLE and _reads_as_title(folded, start, end):
            found.append(index)
    return found


def _reads_as_title(folded: str, start: int, end: int) -> bool:
    if is_form_line(folded, start, end):
        return False
    head = _SHORT_REST.match(folded, start, end)
    return reading(folded, head.end() if head else start, end, styled=True) == "title"


def _score(document: Document, looks: Looks, index: int) -> float:
    block = document.blocks[index]
    look = looks.of(block)
    words = "".join(document.folded[block.span.start : block.span.end].split())
    score = 3.0 - 0.06 * _position(document.blocks, index)
    if look.outline is not None:
        score += 3.0 - 0.5 * min(look.outline, 4)
    body = looks.body.size
    if body and look.size > body:
        score += min(6.0, (look.size - body) * 0.3)
    score += 1.0 * look.bold + 1.2 * look.centred
    if _KINDS.search(words):
        score += 2.0
    if _ISSUE.search(words):
        score -= 4.0
    if _BANNER.match(words):
        score -= 4.0
    if _ORGANISATION.search(words):
        score -= 2.5
    if ":" in words or "=" in words:
        score -= 3.0
    if len(words) > (100 if words.isascii() else 40):
        score -= 0.8
    if _PEOPLE.search(words):
        score -= 3.0
    if len(words) < 4:
        score -= 1.0
    return score


def _as_large(looks: Looks, block: Block, title: Block) -> bool:
    """Tell whether a line is set as large as the title, far above the body."""
    size = looks.of(title).size
    return bool(looks.body.size) and looks.of(block).size == size >= (looks.body.size or 0) + 8


def _position(blocks: Sequence[Block], index: int) -> int:
    return sum(block.role == "body" for block in blocks[:index])


def _joined(document: Document, looks: Looks, best: int, lines: set[int]) -> list[int]:
    """Give the title's line with its neighbours of the same look (a title set over two lines)."""
    blocks = document.blocks
    key = looks.of(blocks[best]).key
    joined = [best]
    for step in (-1, 1):
        at = best + step
        while (
            0 <= at < len(blocks)
            and (at in lines or _ASIDE.fullmatch(document.folded, *_range(document, at)))
            and (looks.of(blocks[at]).key == key or _as_large(looks, blocks[at], blocks[best]))
            and looks.of(blocks[at]).emphasis >= 1.0
            and len(joined) < 4
            and not _ISSUE.search(document.folded[slice(*_range(document, at))])
        ):
            joined.append(at)
            at += step
    if looks.of(blocks[best]).outline is not None and len(joined) > 1:
        # Lines in one heading style are one title only where no section is set like them.
        last = max(joined)
        if any(looks.of(block).key == key for block in blocks[last + 1 :] if block.role == "body"):
            return [best]
    return sorted(joined)
