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


def plain(text: str) -> str:
    """Give the text in ordinary characters; length may change (ﬁ becomes fi)."""
    if text.isascii() or _ODD.search(text) is None:
        return text
    text = _TWICE.sub(_once, text)
    return _ODD.sub(_ordinary, text)


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
