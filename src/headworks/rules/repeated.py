"""Conditions on repetition: 与前文基本重复, 在至少3个其他文件中出现过.

Takes a reading at the phrase, gives a condition. Never takes a likeness below a half: two texts
that have less in common are not nearly the same.
"""

import re
from typing import cast

from headworks.rules import vocabulary as words
from headworks.rules.lexer import Scanner
from headworks.rules.reading import Reading
from headworks.rules.syntax import NEARLY, SAME, Condition, Elsewhere, Repeats

_LEAST = 50
_WHOLE = r"[0-9]{1,6}|[一二两三四五六七八九十百]{1,4}"
_LIKENESS = re.compile(
    r"\s*\(\s*(?:相似度|similarity)\s*(?:不低于|不小于|达到|至少|>=|≥|at\s+least)?\s*"
    r"(?P<share>[0-9]{1,3}(?:\.[0-9]+)?)\s*%\s*(?:以上)?\s*\)"
)
_ZH = re.compile(
    rf"""(?P<no>不|未|没有)?(?:与|和|同|在)
    (?:(?:至少|不少于)(?P<least>{_WHOLE})[个份]|(?P<above>{_WHOLE})[个份]以上的?|任何|任一|任意|某个)?
    其[他它](?:文件|文档|合同|材料)[中里]?
    (?:(?P<apart>不)?(?P<nearly>基本|近似|大体)?(?P<never>不)?(?P<repeats>重复|相同|一样)
      |(?P<unseen>没有|未曾|从未|未|不)?出现过?
       (?:(?:至少|不少于)(?P<times>{_WHOLE})[次处份]|(?P<over>{_WHOLE})[次处份]以上)?)""",
    re.VERBOSE,
)
_EN = re.compile(
    rf"(?P<no>does\s+not\s+|do\s+not\s+)?(?P<nearly>nearly\s+)?repeats?\s+"
    rf"(?:at\s+least\s+(?P<least>{_WHOLE})\s+)?other\s+(?:files?|documents?)(?![a-z])"
)


_FIRST = frozenset("不未没与和同在dnr")


class _Spoken(words.Phrases):
    """A phrase with numbers in it, as a table that stands beside the others."""

    def at(self, folded: str, position: int) -> tuple[object, int] | None:
        """Give the match and its end where the phrase stands at a place."""
        if folded[position : position + 1] not in _FIRST:
            return None
        match = _ZH.match(folded, position) or _EN.match(folded, position)
        return (match, match.end()) if match is not None else None


ELSEWHERE = _Spoken(
    dict.fromkeys(("在其他文件中出现过", "与其他文件基本重复", "repeats other files"), True)
)


def read_elsewhere(reading: Reading) -> Condition | None:
    """在其他文件中出现过至少3次, 与其他文件基本重复（相似度不低于90%）."""
    scanner = reading.scanner
    start = scanner.skip()
    found = ELSEWHERE.at(scanner.folded, start)
    if found is None:
        return None
    match = cast("re.Match[str]", found[0])
    said = match.groupdict()
    scanner.position = found[1]
    least = 1
    for name in ("least", "above", "times", "over"):
        if said.get(name):
            scanner.position = match.start(name)
            least = scanner.whole() or 0
            scanner.position = found[1]
    if least < 1:
        raise scanner.error("E131", "至少要是1", at=start, length=found[1] - start)
    negated = any(said.get(name) for name in ("no", "apart", "never", "unseen"))
    nearly = bool(said.get("nearly"))
    likeness = _likeness(scanner, NEARLY if nearly else SAME)
    return Elsewhere(least, likeness, negated)


def read_repeats(reading: Reading) -> Condition | None:
    """与前文重复, 与前文基本重复（相似度不低于90%）."""
    found = reading.scanner.take(words.REPEATS)
    if found is None:
        return None
    negated, nearly = cast(tuple[bool, bool], found)
    likeness = _likeness(reading.scanner, NEARLY if nearly else SAME)
    return Repeats(negated, likeness < SAME, min(likeness, SAME - 1) if likeness < SAME else NEARLY)


def _likeness(scanner: Scanner, default: int) -> int:
    """Read （相似度不低于90%）; the default where nothing is said."""
    match = _LIKENESS.match(scanner.folded, scanner.position)
    if match is None:
        return default
    share = float(match["share"])
    if not _LEAST <= share <= SAME or share != int(share):
        raise scanner.error(
            "E132", f"相似度要是{_LEAST}%到{SAME}%之间的整数", at=match.start("share"),
            length=len(match["share"]), suggestions=("（相似度不低于90%）",),
        )  # fmt: skip
    scanner.position = match.end()
    return int(share)
