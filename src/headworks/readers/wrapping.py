"""Hard-wrapped text: whether lines were broken at a width, and which of them go on.

Takes lines, gives a ``Wrapping`` that tells for two neighbours whether they are one paragraph.
Never joins where it is not certain: a wrong joint hides a clause's beginning.
"""

import re
from collections import Counter
from collections.abc import Sequence

import msgspec

# A line that begins like this begins a paragraph: a label, a bullet, a field, a table row.
_STARTS = re.compile(
    r"[ \t\u3000]*(?:第[〇零一二三四五六七八九十百千\d１-９ ]{1,9}[编章节条款部篇]"
    r"|[（(][一二三四五六七八九十百\d]{1,4}[）)]|[一二三四五六七八九十百]{1,4}[、.．]"
    r"|\d{1,3}(?:[.．]\d{1,3})*[、.．)）]\s?(?!\d)|\d{1,3}(?:\.\d{1,3})+\s|[①-⑳]|[-*•●■◆▪]\s"
    r"|附[件录表图][一二三四五六七八九十\d：: ]|[甲乙丙丁]方[（(：:]|[^\t]*\t[^\t]*\t)"
)
_ENDS = re.compile(r"[。！？；：.!?;:…][”’」』）)\"']*$")
_CHINESE = re.compile("[\u3400-\u9fff]")
_WORD = re.compile(r"[A-Za-z0-9]")
_LEAST_LINES = 8
_LEAST_WIDTH, _MOST_WIDTH = 30, 160
_SLACK = 4  # columns that punctuation rules leave free at a line's end


class Wrapping(msgspec.Struct, frozen=True):
    """The width lines were broken at (0: none were), and whether paragraphs begin indented."""

    width: int = 0
    indented: bool = False

    def joins(self, line: str, following: str) -> bool:
        """Tell whether ``following`` goes on with the paragraph of ``line``."""
        if not self.width or not line.strip() or not following.strip():
            return False
        if _STARTS.match(following):
            return False
        body = line.rstrip()
        if body != line and self.indented and _ENDS.search(body):
            return False  # a paragraph's end marked by a blank, as converters write it
        first = following.lstrip(" \t\u3000")
        if len(first) != len(following) and (self.indented or following[0] != line[0]):
            return False
        ended = _ENDS.search(body) is not None
        if self.indented and not ended and measure(body) >= self.width * 0.85:
            return True
        word = re.match(r"[\x21-\x7e]*", first)
        needed = max(2, len(word[0]) + 1 if word else 2)
        if measure(body) + needed <= self.width - (0 if word and word[0] else _SLACK):
            return False  # the next word would have had room: the line was ended on purpose
        return self.indented or not ended


def measure(line: str) -> int:
    """Give the columns a line takes: two for a Chinese character, one for a Latin one."""
    return len(line) if line.isascii() else len(line.encode("gb18030", "replace"))


def find_wrapping(lines: Sequence[str]) -> Wrapping:
    """Look at all lines of a text."""
    widths = [measure(line.rstrip()) for line in lines if line.strip()]
    if len(widths) < _LEAST_LINES or not _is_prose(lines):
        return Wrapping()
    longest = sorted(widths)[-1 - len(widths) // 200]
    if not _LEAST_WIDTH <= longest <= _MOST_WIDTH or max(widths) > longest * 1.5:
        return Wrapping()
    slack = _SLACK if not _mostly_latin(lines) else 14
    full = [
        index for index, line in enumerate(lines[:-1]) if measure(line.rstrip()) >= longest - slack
    ]
    if len(full) < _LEAST_LINES // 2 or len(full) < len(widths) * 0.2:
        return Wrapping()
    if len(full) > len(widths) * 0.97:  # a list of entries of one width: no paragraph ends early
        return Wrapping()
    broken = sum(1 for index in full if not _ENDS.search(lines[index].rstrip()))
    if broken < len(full) * 0.6:
        return Wrapping()
    return Wrapping(longest, _begins_indented(lines))


def join(line: str, following: str) -> str:
    """Give the two lines as one: a blank where words would run together."""
    head, tail = line.rstrip(), following.lstrip(" \t\u3000")
    if head and tail and _WORD.match(tail) and (_WORD.match(head[-1]) or head[-1] in ",.;:)%"):
        return f"{head} {tail}"
    return head + tail


def _is_prose(lines: Sequence[str]) -> bool:
    """Tell whether lines are of words: not entries of a log, numbers, or keys."""
    sample = [line.strip() for line in lines[:400] if line.strip()]
    text = "".join(sample)
    worded = sum(1 for line in sample if line[0].isalpha() or line[0] in "“《（(‘[")
    dense = len(_CHINESE.findall(text)) >= 0.3 * len(text) or text.count(" ") >= 0.08 * len(text)
    return dense and worded >= 0.5 * len(sample)


def _mostly_latin(lines: Sequence[str]) -> bool:
    sample = "".join(lines[:400])
    return sum(1 for char in sample if char < "\u2e80") > 0.9 * max(1, len(sample))


def _begins_indented(lines: Sequence[str]) -> bool:
    """Tell whether lines differ in their indent as paragraphs' first lines do."""
    indents = Counter(line[:1] in " \t\u3000" for line in lines if line.strip())
    return indents[True] >= 3 and indents[False] >= 3
