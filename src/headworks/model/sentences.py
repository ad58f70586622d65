"""Sentence ends of Chinese and Latin text.

Takes a text and a range, gives the offsets just after each sentence, closing quotes and brackets
taken along. Never ends a sentence inside a pair, a number, a version, a date or an address.
"""

import re

_PAIRS = {
    "《": "》", "〈": "〉", "“": "”", "‘": "’", "「": "」", "『": "』",
    "（": ")", "(": ")", "[": "]", "［": "]", "【": "】", "〔": "〕",
}  # fmt: skip
_CLOSERS = {closer: closer for closer in _PAIRS.values()} | {"）": ")", "］": "]"}
# A straight quote both opens and closes; one that stands for inches must not pair over a page.
_STRAIGHT_REACH = 200
_HAN = "\u3400-\u4dbf\u4e00-\u9fff\U00020000-\U0003ffff"
# Every mark that matters, by one look at a set; what a stop is, is asked only there.
_MARK = re.compile(r"[。！？；｡!?;….．《〈“‘「『（(\[［【〔》〉”’」』）)\]］】〕\"\n]")
_STOP = re.compile(
    rf"""
        (?<![。！？；｡!?;…])[。！？；｡!?;…]++
        (?<![!?;](?=[A-Za-z0-9=/&%_\-])) # a mark inside an address or code is none
        (?<!…{{3}})                      # a row of dots leads to a page number or a blank
      | (?<=[{_HAN}”」』）\)])(?<![一二三四五六七八九十百])[.．](?=\s|[{_HAN}]|$)
      | (?<=[A-Za-z0-9\)\]"”’%])\.(?=["”’\)\]]*\s+["“‘\(\[（《]?[A-Z{_HAN}])
    """,
    re.VERBOSE,
)
# What stands before a full stop that ends no sentence: a label, an initial, an abbreviation.
_NO_END = re.compile(
    r"(?:^|[^A-Za-z0-9.])(?:[0-9]{1,3}(?:\.[0-9]{1,3})*|[A-Za-z]|[IVXLC]+|[A-Za-z](?:\.[A-Za-z])+"
    r"|Mr|Mrs|Ms|Dr|Prof|No|Nos|Art|Arts|Sec|Cl|Para|Fig|Figs|Tab|Vol|Ch|App|Eq|Ref|Co|Corp|Inc|Ltd"
    r"|St|vs|etc|cf|al|approx|ext|Tel|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec)$",
    re.IGNORECASE,
)
# Only these end the sentence around a pair, too; and none does that a comma follows.
_CARRIED = frozenset("。！？｡!?.")
_GOES_ON = re.compile(r"\s*+[，、：,:]")
_HAN_FIRST, _HAN_LAST = "\u3400", "\u9fff"
_AFTER_WORD = re.compile(r"[A-Za-z]{2,}\s+[0-9]+$")
_SOLID = re.compile(r"\S")
_WRAPPED = re.compile(r"(?<=[A-Za-z,，、])\n(?=[ \t]*[a-z(])")


def sentence_ends(text: str, start: int, end: int, *, inside_pairs: bool = False) -> list[int]:
    """Give the offset just after each sentence of ``text[start:end]``, ascending.

    A line end ends a sentence too, unless it only wraps a Latin line. Where text that ends
    nowhere follows the last sentence, ``end`` is the last offset; white space alone is no sentence.
    ``inside_pairs`` takes ends within quotes and brackets too (for a quotation of many pages).
    """
    scan = _Scan(text, start, inside_pairs)
    reached = start
    for token in _MARK.finditer(text, start, end):
        mark = token.group()
        if mark in _PAIRS:
            scan.stack.append((_PAIRS[mark], token.start()))
        elif mark in _CLOSERS or mark == '"':
            scan.close(token)
        elif mark == "\n":
            scan.line(token.start())
        elif token.start() >= reached:
            stop = _STOP.match(text, token.start(), end)
            if stop is not None:
                reached = stop.end()
                scan.stop(stop)
    scan.settle(end)
    if _SOLID.search(text, scan.ends[-1] if scan.ends else start, end):
        scan.ends.append(end)
    return scan.ends


def first_sentence_end(text: str, start: int, end: int) -> int:
    """Give the offset just after the first sentence of ``text[start:end]``; ``end`` if none.

    Leading line ends are passed over.
    """
    while start < end and text[start].isspace():
        start += 1
    stop = text.find("\n", start, end)
    while stop != -1 and _WRAPPED.match(text, stop):
        stop = text.find("\n", stop + 1, end)
    ends = sentence_ends(text, start, end if stop == -1 else stop)
    return ends[0] if ends else end


class _Scan:
    """The state of one pass: sentence ends, those not yet settled, and the pairs around them."""

    def __init__(self, text: str, start: int, inside_pairs: bool) -> None:
        self.text = text
        self.start = start
        self.inside_pairs = inside_pairs
        self.ends: list[int] = []
        self.stack: list[tuple[str, int]] = []
        self.waiting: list[int] = []
        self.straight = -1
        self.carried = -2

    def stop(self, token: re.Match[str]) -> None:
        """Note a sentence end, unless it is the full stop of a label or an abbreviation."""
        if token.group() == "." and self._is_no_end(token.start()):
            return
        if self._follows(token.start()):
            self.waiting.pop()
        elif self._begins_at(token.start()):
            return
        self._wait(token.end())

    def close(self, token: re.Match[str]) -> None:
        """Close a pair (the ends inside it are none), or take a closer along with its sentence."""
        at, mark = token.start(), token.group()
        follows = self._follows(at)
        opener = self._opener(mark, at)
        if opener is None:
            if follows and mark != '"':
                self.waiting[-1] = token.end()
            return
        if not self.inside_pairs:
            while self.waiting and self.waiting[-1] > opener:
                self.waiting.pop()
        elif follows:
            self.waiting.pop()
        if (follows and self.text[at - 1] in _CARRIED) or at - 1 == self.carried:
            self.carried = at
            self._wait(token.end())

    def line(self, at: int) -> None:
        """End the paragraph: what is open is not going to close."""
        if _WRAPPED.match(self.text, at):
            return
        self.settle(at)
        begun = self.ends[-1] if self.ends else self.start
        if _SOLID.search(self.text, begun, at):
            self.ends.append(at)

    def settle(self, at: int) -> None:
        """Take over the ends that wait; drop the open pairs."""
        self.ends.extend(self.waiting)
        self.waiting.clear()
        self.stack.clear()
        self.straight = -1

    def _follows(self, at: int) -> bool:
        return bool(self.waiting) and self.waiting[-1] == at

    def _begins_at(self, at: int) -> bool:
        """Tell whether nothing stands between the last sentence and an offset."""
        begun = self.waiting[-1] if self.waiting else self.ends[-1] if self.ends else self.start
        if begun < at and not self.text[begun].isspace():
            return False
        return _SOLID.search(self.text, begun, at) is None

    def _wait(self, at: int) -> None:
        # Mostly a Han character follows: no need to ask a pattern.
        if _HAN_FIRST <= self.text[at : at + 1] <= _HAN_LAST or not _GOES_ON.match(self.text, at):
            self.waiting.append(at)

    def _opener(self, mark: str, at: int) -> int | None:
        """Give where the pair that the mark closes was opened, or none."""
        if mark == '"':
            opened, self.straight = self.straight, at
            if opened == -1 or at - opened > _STRAIGHT_REACH:
                return None
            self.straight = -1
            return opened
        wanted = _CLOSERS[mark]
        for depth in range(len(self.stack) - 1, max(-1, len(self.stack) - 9), -1):
            if self.stack[depth][0] == wanted:
                opened = self.stack[depth][1]
                del self.stack[depth:]
                return opened
        return None

    def _is_no_end(self, at: int) -> bool:
        before = self.text[max(self.start, at - 16) : at]
        return _NO_END.search(before) is not None and _AFTER_WORD.search(before) is None
