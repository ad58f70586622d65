"""Number format codes: what they are made of.

Takes a code such as ``#,##0.00;[Red]-#,##0.00``, gives its sections as tokens. Never formats a
value: ``formats`` does.
"""

import re
from typing import Literal

import msgspec

# The codes that a file names by number only, as the Chinese edition of the program shows them.
BUILTIN = {
    0: "General", 1: "0", 2: "0.00", 3: "#,##0", 4: "#,##0.00",
    5: "¥#,##0;¥-#,##0", 6: "¥#,##0;¥-#,##0", 7: "¥#,##0.00;¥-#,##0.00",
    8: "¥#,##0.00;¥-#,##0.00", 9: "0%", 10: "0.00%", 11: "0.00E+00", 12: "# ?/?", 13: "# ??/??",
    14: "yyyy/m/d", 15: "d-mmm-yy", 16: "d-mmm", 17: "mmm-yy", 18: "h:mm AM/PM",
    19: "h:mm:ss AM/PM", 20: "h:mm", 21: "h:mm:ss", 22: "yyyy/m/d h:mm",
    27: 'yyyy"年"m"月"', 28: 'm"月"d"日"', 29: 'm"月"d"日"', 30: "m/d/yy", 31: 'yyyy"年"m"月"d"日"',
    32: 'h"时"mm"分"', 33: 'h"时"mm"分"ss"秒"', 34: '上午/下午h"时"mm"分"',
    35: '上午/下午h"时"mm"分"ss"秒"', 36: 'yyyy"年"m"月"',
    37: "#,##0;-#,##0", 38: "#,##0;-#,##0", 39: "#,##0.00;-#,##0.00", 40: "#,##0.00;-#,##0.00",
    41: '#,##0;-#,##0;"-"', 42: '"¥"#,##0;"¥"-#,##0;"¥-"',
    43: '#,##0.00;-#,##0.00;"-"', 44: '"¥"#,##0.00;"¥"-#,##0.00;"¥-"',
    45: "mm:ss", 46: "[h]:mm:ss", 47: "mm:ss.0", 48: "##0.0E+0", 49: "@",
    50: 'yyyy"年"m"月"', 51: 'm"月"d"日"', 52: 'yyyy"年"m"月"', 53: 'm"月"d"日"', 54: 'm"月"d"日"',
    55: '上午/下午h"时"mm"分"', 56: '上午/下午h"时"mm"分"ss"秒"', 57: 'yyyy"年"m"月"',
    58: 'm"月"d"日"',
}  # fmt: skip

TokenKind = Literal["text", "digit", "point", "comma", "percent", "exponent", "slash", "value",
                    "general", "date", "elapsed"]  # fmt: skip
_TOKEN = re.compile(
    r'"([^"]*)"?'  # 1 quoted
    r"|[\\!](.)"  # 2 escaped
    r"|_.|\*."  # the width of a character, a fill: nothing that is read
    r"|\[([^\]]*)\]"  # 3 bracketed
    r"|(General|G/通用格式|通用格式)"  # 4
    r"|(E[+-])"  # 5
    r"|(上午/下午|AM/PM|A/P|am/pm|a/p)"  # 6
    r"|(y+|m+|d+|h+|s+(?:\.0+)?|a{3,4}|e+|g+|b+)"  # 7 date parts
    r"|([0#?])"  # 8
    r"|(.)",  # 9
    re.I | re.S,
)
_CONDITION = re.compile(r"(<=|>=|<>|<|>|=)\s*(-?[\d.]+(?:E[+-]?\d+)?)$", re.I)
_DIGITS = re.compile(r"DBNum(\d)$", re.I)
_SYSTEM_DATE, _SYSTEM_TIME = re.compile(r"\$-F800", re.I), re.compile(r"\$-F400", re.I)


class Token(msgspec.Struct, frozen=True):
    """A piece of a section: a literal text, a digit's place, a date part."""

    kind: TokenKind
    text: str = ""


class Section(msgspec.Struct, frozen=True):
    """One section of a code, with the condition it stands under (``>=100``)."""

    tokens: tuple[Token, ...]
    condition: tuple[str, float] | None = None
    digits: int = 0  # 1: 一二三, 2: 壹贰叁, as [DBNum1] and [DBNum2] ask for

    @property
    def is_date(self) -> bool:
        """Tell whether the section shows a date or a time."""
        return any(token.kind in ("date", "elapsed") for token in self.tokens)

    @property
    def is_text(self) -> bool:
        """Tell whether the section only shows the value as text (``@``)."""
        return any(token.kind == "value" for token in self.tokens)


def parse(code: str) -> tuple[Section, ...]:
    """Give the code's sections, at least one."""
    sections: list[Section] = []
    tokens: list[Token] = []
    condition, digits = None, 0
    for found in _TOKEN.finditer(code):
        if found[9] == ";":
            sections.append(Section(tuple(tokens), condition, digits))
            tokens, condition, digits = [], None, 0
            continue
        if found[3] is not None:
            inside = found[3]
            if (asked := _CONDITION.match(inside)) is not None:
                condition = (asked[1], float(asked[2]))
            elif (kind := _DIGITS.match(inside)) is not None:
                digits = int(kind[1])
            tokens.extend(_bracketed(inside))
            if _SYSTEM_DATE.match(inside):
                return parse('yyyy"年"m"月"d"日"')
            if _SYSTEM_TIME.match(inside):
                return parse("h:mm:ss")
            continue
        token = _token(found)
        if token is not None:
            tokens.append(token)
    sections.append(Section(tuple(tokens), condition, digits))
    return tuple(sections)


def _bracketed(inside: str) -> list[Token]:
    """Give what a bracket shows: a currency sign, hours past a day; colours show nothing."""
    if inside.startswith("$"):
        symbol = inside[1:].partition("-")[0]
        return [Token("text", symbol)] if symbol else []
    if re.fullmatch(r"h+|m+|s+", inside, re.I):
        return [Token("elapsed", inside.lower())]
    return []


def _token(found: re.Match[str]) -> Token | None:
    quoted, escaped, general = found[1], found[2], found[4]
    if quoted is not None:
        return Token("text", quoted)
    if escaped is not None:
        return Token("text", escaped)
    if general:
        return Token("general")
    if found[5]:
        return Token("exponent", found[5][1])
    if found[6]:
        return Token("date", found[6] if "上" in found[6] else found[6].upper())
    if found[7]:
        return Token("date", found[7].lower())
    if found[8]:
        return Token("digit", found[8])
    return None if found[9] is None else _single(found[9])


def _single(char: str) -> Token:
    kinds: dict[str, TokenKind] = {
        ".": "point", ",": "comma", "%": "percent", "/": "slash", "@": "value",
    }  # fmt: skip
    return Token(kinds.get(char, "text"), char)
