"""Characters of symbol fonts (Symbol, Wingdings …) as the Unicode signs that a person sees.

Takes a font's name and a character, gives a sign. Never gives a private use character: what is
not in the tables becomes a bullet in a list, and in text a geometric square.
"""

import re

PRIVATE = re.compile("[\uf000-\uf0ff]")  # where symbol fonts have their signs
# Wingdings, by code from 0x20 on. Only what office documents use; letters of fun are left out.
_WINGDINGS = {
    0x21: "✏", 0x22: "✂", 0x28: "☎", 0x2A: "✉", 0x36: "⌛", 0x3F: "✍", 0x41: "✌", 0x46: "☞",
    0x47: "☝", 0x4A: "☺", 0x4C: "☹", 0x6C: "●", 0x6D: "❍", 0x6E: "■", 0x6F: "□", 0x70: "□",
    0x71: "❑", 0x72: "❒", 0x73: "⬧", 0x74: "⧫", 0x75: "◆", 0x76: "❖", 0x77: "⬥", 0x78: "☒",
    0x7E: "⌘", 0x80: "⓪", 0x8B: "⓿", 0x9E: "·", 0x9F: "•", 0xA0: "▪", 0xA1: "○", 0xA4: "◉",
    0xA5: "◎", 0xA7: "▪", 0xA8: "□", 0xAB: "★", 0xB6: "☆", 0xD8: "➢", 0xDC: "➲", 0xDF: "←",
    0xE0: "→", 0xE1: "↑", 0xE2: "↓", 0xE8: "➔", 0xEF: "⇦", 0xF0: "⇨", 0xFB: "✗", 0xFC: "✓",
    0xFD: "☒", 0xFE: "☑",
}  # fmt: skip
_WINGDINGS.update({0x81 + step: chr(0x2460 + step) for step in range(10)})
_WINGDINGS.update({0x8C + step: chr(0x2776 + step) for step in range(10)})
_WINGDINGS_2 = {
    0x4F: "✗", 0x50: "✓", 0x51: "☒", 0x52: "☑", 0x53: "☒", 0x54: "☒", 0x97: "●", 0x98: "●",
    0x9E: "○", 0xA0: "■", 0xA1: "■", 0xA2: "□", 0xA3: "□", 0xA4: "□",
}  # fmt: skip
_WINGDINGS_2.update({0x6A + step: chr(0x2460 + step) for step in range(10)})
_SYMBOL = {
    0x22: "∀", 0x24: "∃", 0x27: "∋", 0x2A: "∗", 0x2D: "−", 0x40: "≅", 0x5C: "∴", 0x5E: "⊥",
    0xA1: "ϒ", 0xA2: "′", 0xA3: "≤", 0xA4: "⁄", 0xA5: "∞", 0xA8: "♦", 0xAB: "↔", 0xAC: "←",
    0xAD: "↑", 0xAE: "→", 0xAF: "↓", 0xB0: "°", 0xB1: "±", 0xB2: "″", 0xB3: "≥", 0xB4: "×",
    0xB5: "∝", 0xB6: "∂", 0xB7: "•", 0xB8: "÷", 0xB9: "≠", 0xBA: "≡", 0xBB: "≈", 0xBC: "…",
    0xC5: "⊕", 0xC6: "∅", 0xC7: "∩", 0xC8: "∪", 0xCE: "∈", 0xCF: "∉", 0xD0: "∠", 0xD1: "∇",
    0xD2: "®", 0xD3: "©", 0xD4: "™", 0xD5: "∏", 0xD6: "√", 0xD7: "⋅", 0xD8: "¬", 0xD9: "∧",
    0xDA: "∨", 0xDB: "⇔", 0xDE: "⇒", 0xE5: "∑", 0xF2: "∫",
}  # fmt: skip
_SYMBOL.update(
    zip(
        range(0x41, 0x5B),
        "ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ",
        strict=True,
    )
)
_SYMBOL.update(
    zip(
        range(0x61, 0x7B),
        "αβχδεφγηιϕκλμνοπθρστυϖωξψζ",
        strict=True,
    )
)
_TABLES = {
    "wingdings": _WINGDINGS,
    "wingdings 2": _WINGDINGS_2,
    "symbol": _SYMBOL,
    "webdings": {0x61: "✓", 0x63: "□", 0x67: "■", 0x6E: "●", 0x72: "✗", 0x34: "▶", 0x3D: "■"},
    "wingdings 3": {0x7D: "▶", 0x75: "▲", 0x70: "▲", 0x71: "▼", 0x84: "◀", 0x86: "▶"},
}


def is_symbol_font(font: str | None) -> bool:
    """Tell whether a font's letters are signs."""
    return font is not None and font.strip().lower() in _TABLES


def sign(character: str, font: str | None, *, fallback: str = "□") -> str:
    """Give the sign of a character in a font; itself where it is no symbol."""
    code = ord(character)
    private = 0xF000 <= code <= 0xF0FF
    if not private and not is_symbol_font(font):
        return character
    table = _TABLES.get((font or "").strip().lower())
    low = code - 0xF000 if private else code
    if table is not None and low in table:
        return table[low]
    if private:
        if table is None and low in _WINGDINGS:
            return _WINGDINGS[low]
        # Some programs shift plain letters into the private range without a symbol font.
        return chr(low) if table is None and 0x20 <= low < 0x7F else fallback
    return character


def bullet(text: str, font: str | None) -> str:
    """Give a list bullet as a person sees it."""
    shown = "".join(sign(character, font, fallback="•") for character in text)
    # Latin letters stand for signs in fonts that are not known: a bullet is no "o" or "n".
    return "○" if shown == "o" else shown
