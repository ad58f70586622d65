"""Whether a sentence denies what its source says, or says what its source denies.

Takes two texts, gives the words that stand denied in one and plain in the other. Never judges where
either text has both.
"""

import re

from headworks.model.folding import fold

_NEGATION = "不得|不予|不应|不会|不能|无需|无须|无权|免于|免除|没有|未能|并未|不|未|无|免"
_DENIED = re.compile(rf"(?:{_NEGATION})(?:予以|进行|须|需|应|必)?([\u4e00-\u9fff]{{2}})")
_ENDS_DENIED = re.compile(rf"(?:{_NEGATION})(?:予以|进行|须|需|应|必)?\Z")
_LONGEST = 4
# Words that begin so and deny nothing.
_NO_DENIAL = re.compile(
    "不可抗力|不动产|不锈钢|无线|无人|无纺|无缝|未来|不仅|不但|不论|无论|不同|不断|不过"
)


def opposite(said: str, source: str) -> list[str]:
    """Give the words of which one text says the opposite of the other, in the order of the said."""
    mine, theirs = _NO_DENIAL.sub("", fold(said)), _NO_DENIAL.sub("", fold(source))
    words = [*_DENIED.findall(mine), *_DENIED.findall(theirs)]
    found: dict[str, None] = {}
    for word in words:
        here, there = _stands(word, mine), _stands(word, theirs)
        if {here, there} == {"denied", "plain"}:
            found[word] = None
    return list(found)


def _stands(word: str, text: str) -> str:
    """Tell how a word stands in a text: denied, plain, both or none."""
    ways = set()
    at = text.find(word)
    while at >= 0:
        before = text[max(0, at - _LONGEST) : at]
        ways.add("denied" if _ENDS_DENIED.search(before) else "plain")
        at = text.find(word, at + 1)
    return "both" if len(ways) == 2 else next(iter(ways), "none")
