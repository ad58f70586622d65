"""The folded view: text as matching sees it, one code point for one.

Takes a text, gives one of the same length: full width to half width, compatibility forms of one
code point, variants of CJK punctuation, lower case. Never shifts an offset.
"""

import re
import unicodedata

# Forms that mean something else than the character they decompose to: ① is a label, ² a power.
_KEPT = re.compile(r"[¹²³⁰-₟①-⓿❶-➓㈠-㉟㉠-㊿ªº]")

# Variants that carry one meaning in office documents. Unicode does not relate them.
_VARIANTS = {
    "“": '"', "”": '"', "„": '"', "‟": '"', "〝": '"', "〞": '"', "＂": '"',
    "‘": "'", "’": "'", "‚": "'", "‛": "'", "＇": "'",
    "【": "[", "】": "]", "〔": "[", "〕": "]", "﹝": "[", "﹞": "]",
    "–": "-", "—": "-", "―": "-", "−": "-", "‐": "-", "‑": "-", "﹣": "-",
    "～": "~", "〜": "~", "·": "·", "•": "·", "・": "·", "‧": "·", "∙": "·",
    "﹑": "、", "､": "、", "｡": "。", "︰": ":", "∶": ":", "﹕": ":", "⁄": "/", "∕": "/",
    "﹪": "%", "‰": "‰", "￥": "¥", "\u00a0": " ", "\u3000": " ",
}  # fmt: skip


def fold(text: str) -> str:
    """Give the folded view; ``len(fold(text)) == len(text)`` for every text."""
    if text.isascii():
        return text.lower()
    return text.translate(_TABLE)


class _FoldingTable(dict[int, int]):
    """A translation table that fills itself: each code point is decided when first seen."""

    def __missing__(self, code: int) -> int:
        folded = _fold_one(chr(code))
        self[code] = folded
        return folded


def _fold_one(char: str) -> int:
    if char in _VARIANTS:
        return ord(_VARIANTS[char])
    if _KEPT.match(char):
        return ord(char)
    wide = unicodedata.normalize("NFKC", char)
    if len(wide) == 1 and wide != char:
        return ord(_VARIANTS.get(wide, wide if len(wide.lower()) != 1 else wide.lower()))
    low = char.lower()
    return ord(low) if len(low) == 1 else ord(char)


_TABLE = _FoldingTable()
