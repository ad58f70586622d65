"""Regular expressions of users: folded like the text, linear, with the literals they need.

Takes a pattern as written, gives a compiled one over UTF-8 bytes. Never runs a pattern that
could take more than linear time: what needs look-around is refused with the name of what to
use instead.
"""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import Protocol

import msgspec
import re2

from headworks.model.folding import fold
from headworks.rules.lexer import Scanner

MAX_LENGTH = 2000
_META = set("\\^$.|?*+()[]{}")


class PatternFault(msgspec.Struct, frozen=True):
    """Why a pattern is refused: code, sentence, what to use instead, where in the pattern."""

    code: str
    message: str
    suggestions: tuple[str, ...] = ()
    position: int = 0


_REFUSED = (
    (r"\(\?=", "E151", "肯定的前瞻 (?=…)", "用顺序：“A”之后n字内出现“B”"),
    (r"\(\?!", "E151", "否定的前瞻 (?!…)", "用“A”之后n字内没有出现“B”"),
    (r"\(\?<=", "E151", "肯定的后顾 (?<=…)", "用“A”之前n字内出现“B”"),
    (r"\(\?<!", "E151", "否定的后顾 (?<!…)", "用守卫（context 或 guards）写否定词"),
    (r"\\[1-9]", "E152", "反向引用", "把重复的内容分别写出，或用“出现次数大于1”"),
    (r"\(\?P=", "E152", "反向引用", "把重复的内容分别写出，或用“出现次数大于1”"),
    (r"\(\?>|[*+?}]\+", "E153", "原子组和占有量词", "去掉即可：这里的匹配总是线性的"),
    (r"\(\?\(", "E153", "条件组", "写成两条规则"),
)  # fmt: skip
_REFUSALS = tuple(
    (re.compile(found), code, feature, instead) for found, code, feature, instead in _REFUSED
)
_ESCAPED = re.compile(r"\\\\|\[\^?\]?(?:\\.|[^\]\\])*\]|\\[^1-9\\]")


def fault_of(source: str) -> PatternFault | None:
    """Tell why a pattern cannot be used, or none where it can."""
    if len(source) > MAX_LENGTH:
        return PatternFault("E154", f"正则表达式超过{MAX_LENGTH}个字符")
    if not source:
        return PatternFault("E150", "正则表达式是空的")
    bare = _ESCAPED.sub(lambda match: " " * len(match.group()), source)
    for pattern, code, feature, instead in _REFUSALS:
        match = pattern.search(bare)
        if match is not None:
            return PatternFault(
                code, f"不支持{feature}：不能保证匹配时间", (instead,), match.start()
            )
    try:
        compiled(source)
    except re2.error as problem:
        said = problem.args[0] if problem.args else ""
        text = said.decode("utf-8", "replace") if isinstance(said, bytes) else str(said)
        return PatternFault("E150", f"正则表达式有错：{_translated(text)}")
    return None


def refuse_pattern(scanner: Scanner, source: str, start: int) -> None:
    """Raise the complaint about a pattern in a sentence, where there is one."""
    fault = fault_of(source)
    if fault is not None:
        raise scanner.error(
            fault.code,
            fault.message,
            at=start + fault.position,
            length=1 if fault.position else max(1, len(source)),
            suggestions=fault.suggestions,
        )


class Match(Protocol):
    """A match of RE2, as far as it is used here."""

    def span(self) -> tuple[int, int]:
        """Give start and end, in bytes."""


class Compiled(Protocol):
    """A pattern of RE2, as far as it is used here."""

    programsize: int

    def search(self, text: bytes) -> Match | None:
        """Give the first match."""

    def finditer(self, text: bytes) -> Iterator[Match]:
        """Give all matches."""


@lru_cache(maxsize=20_000)
def compiled(source: str) -> Compiled:
    """Give the pattern over the folded text's UTF-8 bytes."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.never_nl = False
    pattern: Compiled = re2.compile(folded_pattern(source).encode("utf-8"), options)
    return pattern


_CLASSES = {"w": r"\pL\pN_", "d": "0-9", "s": r"\s"}


def folded_pattern(source: str) -> str:
    r"""Give the pattern as it must be for folded text: （ is \( there, \w takes Han too."""
    parts: list[str] = []
    inside = False
    position = 0
    while position < len(source):
        char = source[position]
        if char == "\\" and position + 1 < len(source):
            following = source[position + 1]
            parts.append(_escape(following, inside=inside))
            position += 2
            continue
        if char == "[" and not inside:
            inside = True
            parts.append(char)
            for mark in ("^", "]"):
                if source[position + 1 : position + 2] == mark:
                    parts.append("\\]" if mark == "]" else mark)
                    position += 1
        elif char == "]" and inside:
            inside = False
            parts.append(char)
        elif char.isascii():
            bare = char == "[" and inside and source[position + 1 : position + 2] != ":"
            parts.append("\\[" if bare else char)
        else:
            plain = fold(char)
            parts.append("\\" + plain if plain in _META or plain == "-" else plain)
        position += 1
    return "".join(parts)


def _escape(char: str, *, inside: bool) -> str:
    if char == "w":
        return _CLASSES["w"] if inside else f"[{_CLASSES['w']}]"
    if char == "W" and not inside:
        return f"[^{_CLASSES['w']}]"
    if char == "Z":
        return r"\z"
    if char.isascii():
        return "\\" + char
    plain = fold(char)
    return "\\" + plain if plain.isascii() and not plain.isalnum() else plain


_SAID = (
    ("missing ]", "少了 ]"),
    ("missing )", "少了 )"),
    ("unexpected )", "多了 )"),
    ("invalid character class range", "字符范围前后颠倒"),
    ("no argument for repetition operator", "重复符号前面没有内容"),
    ("bad repetition operator", "重复符号叠用"),
    ("invalid repetition size", "重复次数太大（最多1000）"),
    ("invalid escape sequence", "不认识的转义"),
    ("invalid perl operator", "不支持的语法"),
    ("trailing \\", "末尾多了一个反斜线"),
    ("pattern too large", "展开后太大，减小重复次数"),
    ("invalid named capture group", "命名组写错了"),
)


def _translated(said: str) -> str:
    for english, chinese in _SAID:
        if said.startswith(english):
            return f"{chinese}{said[len(english) :]}"
    return said


def compiled_any(sources: Sequence[str]) -> Compiled | None:
    """Give one pattern that matches where one of these does, or none where it gets too large."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = False
    options.never_capture = True
    joined = "|".join(f"(?:{folded_pattern(source)})" for source in sources)
    try:
        pattern: Compiled = re2.compile(joined.encode("utf-8"), options)
    except re2.error:
        return None
    return pattern
