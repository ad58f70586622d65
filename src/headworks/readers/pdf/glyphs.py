"""Characters as fonts and producers write them, made into the ones a person would type.

Takes a line's text, gives it with radicals, compatibility ideographs, ligatures and vertical forms
replaced. Never touches full-width letters or punctuation: those are what the author typed.
"""

import re
import unicodedata

HAN = "\u2e80-\u2fd5\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0003134f"
# Characters that take a full square and need no space beside them.
WIDE = HAN + "\u2014\u2018-\u201d\u2026\u3001-\u3004\u3008-\u303f\u3040-\u30ff\uff01-\uffee"

_ODD = re.compile(
    "[\u2e80-\u2fd5\uf900-\ufaff\ufb00-\ufb06\ufe10-\ufe19\uf000-\uf0ff\ufe30-\ufe44\U0002f800-\U0002fa1f]"
)
_BROKEN = re.compile("[\ufffd\ue000-\uefff\uf100-\uf8ff\U000f0000-\U0010ffff]")
_HAN_RUN = re.compile("[\u3400-\u9fff]+")
# pdfium's sign for a hyphen at a line's end; several are characters that have no meaning at all.
_MEANINGLESS = re.compile("\ufffe{3,}")
_FAR_OFF = re.compile("[\u0080-\u00a0\u00c0-\u02af\u0460-\u052f\u0700-\u1dff\ua000-\uabff]")
# Quartz writes one glyph as a radical and its character together.
_TWICE = re.compile("([\u2e80-\u2fd5])([\u4e00-\u9fff])")

# Radical supplements that Unicode does not decompose, and the simplified form they are printed for.
_RADICALS = dict(
    zip(
        "⺁⺄⺆⺈⺊⺌⺍⺕⺜⺝⺟⺠⺧⺩⺪⺫⺬⺮⺶⺷⺸⺹⺼⺾⺿⻀⻁⻄⻅⻆⻈⻉⻋⻍⻎⻏⻐⻑⻒⻓⻔⻕⻖⻗⻘⻙⻚⻛⻜⻝⻟⻠⻢⻣⻤⻥⻦⻧⻨⻩⻪⻫⻬⻭⻮⻯⻰⻱⻲⻳",
        "厂乙冂刀卜小小彐日月母民牛王疋罒示竹羊羊羊老月艹艹艹虎西见角讠贝车辶辶阝钅長镸长门阝阝雨青韦页风飞食飠饣马骨鬼鱼鸟卤麦黄黾斉齐歯齿竜龙龟亀龟",
        strict=True,
    )
)
_VERTICAL = dict(
    zip(
        "︐︑︒︓︔︕︖︗︘︙︰︱︲︳︵︶︷︸︹︺︻︼︽︾︿﹀﹁﹂﹃﹄",
        "，、。：；！？〖〗…：—–_（）｛｝〔〕【】《》〈〉「」『』",
        strict=True,
    )
)


# What Symbol and Wingdings hold at the private code points that Word's bullets use.
_BULLETS = {
    "\uf0b7": "•", "\uf06c": "●", "\uf06e": "■", "\uf075": "◆", "\uf076": "❖", "\uf0a7": "▪",
    "\uf0a8": "□", "\uf06f": "□", "\uf071": "❑", "\uf0d8": "➢", "\uf0fc": "✓", "\uf0fe": "☑",
    "\uf052": "☑", "\uf0e0": "→", "\uf0b0": "°", "\uf0b4": "×", "\uf0a3": "≤", "\uf0b3": "≥",
    "\uf0b1": "±", "\uf020": " ",
}  # fmt: skip


# Fonts of Windows keep the letters in the order of ASCII, from their fourth glyph (the space) on.
_OF_GLYPH = {glyph: chr(glyph + 29) for glyph in range(3, 98)}


def from_glyphs(text: str) -> str:
    """Give the text that glyph numbers stand for where nothing says what they mean."""
    return "".join(_OF_GLYPH.get(ord(char), "\ufffd") for char in text)


def plain(text: str) -> str:
    """Give the text in ordinary characters; length may change (ﬁ becomes fi)."""
    if text.isascii() or _ODD.search(text) is None:
        return text
    text = _TWICE.sub(_once, text)
    return _ODD.sub(_ordinary, text)


def unreadable(text: str) -> int:
    """Give how many characters of a page's text cannot be what the page shows.

    Replacement characters and private ones count by themselves. Where most Han characters are
    ones that hardly any text uses, or letters of far-off scripts stand where words should, the
    font's table to Unicode lies and all of them count.
    """
    if text.isascii():
        return 0
    broken = len(_BROKEN.findall(text))
    broken += sum(map(len, _MEANINGLESS.findall(text))) if "\ufffe" in text else 0
    han = _HAN_RUN.findall(text)
    if han:
        joined = "".join(han)
        known = len(joined.encode("gb2312", "ignore")) // 2
        if len(joined) >= 20 and known < 0.6 * len(joined):
            known = max(known, len(joined.encode("big5", "ignore")) // 2)
            known = max(known, len(joined.encode("shift_jis", "ignore")) // 2)
            if known < 0.6 * len(joined):
                broken += len(joined)
    odd = len(_FAR_OFF.findall(text))
    return broken + (odd if odd >= 20 and 3 * odd > len(text) else 0)


def _ordinary(found: re.Match[str]) -> str:
    char = found.group()
    return (
        _RADICALS.get(char)
        or _VERTICAL.get(char)
        or _BULLETS.get(char)
        or unicodedata.normalize("NFKC", char)
    )


def _once(found: re.Match[str]) -> str:
    radical, char = found.groups()
    same = (_RADICALS.get(radical) or unicodedata.normalize("NFKC", radical)) == char
    return char if same else found.group()
