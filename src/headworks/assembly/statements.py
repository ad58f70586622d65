"""What an answer says: points with quotes, and named values, whatever the form it came in.

Takes an answer that was read, gives statements in its order. Never drops a word of it: what has
no known form is a value under its own name.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from headworks.assembly.answers import ReadAnswer
from headworks.model.folding import fold

_TEXT = ("text", "point", "summary", "answer", "content", "statement", "finding", "opinion",
         "risk", "suggestion", "要点", "内容", "摘要", "结论", "答案", "回答", "说明", "意见",
         "风险", "建议")  # fmt: skip
_QUOTES = ("quote", "quotes", "evidence", "citation", "citations", "source_text", "原文", "引文",
           "引用", "依据", "出处", "原句")  # fmt: skip
_NAMES = ("name", "key", "field", "label", "item", "名称", "字段", "项目", "指标")
_VALUES = ("value", "val", "amount", "数值", "值", "取值", "内容")
_ABOUT = ("about", "subject", "of", "object", "对象", "事项", "说的是")
# Words that say that there is nothing to say.
_NOTHING = frozenset({"", "无", "没有", "未提及", "未约定", "不适用", "null", "none", "n/a", "na",
                      "not mentioned", "not specified", "unknown"})  # fmt: skip
# The keys of the built-in target's answer (targets.extract).
_EXTRACTED = {"summary", "values", "quotes", "tags"}
_MARKUP = re.compile(r"^\s*(?:[-*+•·]|\d{1,3}[.、)](?=\s|[^\d])|[(（]\d{1,3}[)）]|#{1,6})\s*")
_LIST_MARK = re.compile(r"^\s*(?:[-*+•·]\s|\d{1,3}[.、)](?=\s|[^\d])|[(（]\d{1,3}[)）])")
_FENCED = re.compile(r"^\s*(?:```|~~~)")
_BOLD = re.compile(r"(\*\*|__)(?=\S)(.+?)(?<=\S)\1")
_SAID = re.compile(r"[“「『\"]([^”」』\"\n]{4,})[”」』\"]")
_DEEPEST = 8


class Point(msgspec.Struct, frozen=True):
    """A piece of text that an answer gives, and what it quotes for it."""

    text: str
    quotes: tuple[str, ...] = ()


class Claim(msgspec.Struct, frozen=True):
    """A named value. ``listed`` tells that it stood in a list: others of its name stand beside."""

    name: str
    value: str
    about: str = ""
    quotes: tuple[str, ...] = ()
    listed: bool = False


Statement = Point | Claim


def statements(answer: ReadAnswer) -> list[Statement]:
    """Give the statements of an answer; of one that could not be read, its text is the point."""
    if answer.layer in ("text", "raw"):
        return list(_of_text(answer.text))
    if isinstance(answer.content, dict) and answer.content.keys() == _EXTRACTED:
        return list(_extracted(answer.content))
    return list(_of(answer.content, "", False, 0))


def _extracted(content: Mapping[str, Any]) -> Iterator[Statement]:
    """Give the first sentences; the values are those of the hits, which speak for themselves."""
    label = ""
    for quote in content["quotes"]:
        if not any(char.isalpha() for char in quote):
            label = f"{label}{quote} "  # 1. and the like: no sentence of its own
            continue
        yield Point(label + quote, (quote,))
        label = ""


def _of_text(text: str) -> Iterator[Statement]:
    """Give a point a paragraph or list item; a heading goes with nothing, a quote with its own."""
    held: list[str] = []
    for line in text.splitlines():
        words = _BOLD.sub(r"\2", _MARKUP.sub("", line)).strip()
        if _FENCED.match(line) or line.lstrip().startswith("#"):
            words = ""
        if held and (not words or _LIST_MARK.match(line)):
            yield _point("\n".join(held))
            held = []
        if words:
            held.append(words)
    if held:
        yield _point("\n".join(held))


def _point(text: str) -> Point:
    return Point(text, tuple(_SAID.findall(text)))


def _of(content: object, name: str, listed: bool, depth: int) -> Iterator[Statement]:
    if isinstance(content, Mapping) and depth < _DEEPEST:
        yield from _of_object(content, name, listed, depth)
    elif isinstance(content, list) and depth < _DEEPEST:
        for one in content:
            yield from _of(one, name, True, depth + 1)
    elif not _is_nothing(content):
        words = _words(content)
        if name in ("", *_TEXT, "points", "summary_points"):
            yield _point(words)
        else:
            yield Claim(name, words, listed=listed)


def _of_object(
    content: Mapping[str, Any], name: str, listed: bool, depth: int
) -> Iterator[Statement]:
    """Give the statement an object is, by the names in it; else those of each of its parts."""
    keys = {fold(str(key)).strip(): key for key in content}
    quotes = _quotes(content, keys)
    said, valued, text = _first(keys, _NAMES), _first(keys, _VALUES), _first(keys, _TEXT)
    if said is not None and valued == text:
        text = None
    if said is not None and valued is not None and said != valued:
        if not _is_nothing(content[valued]):
            about = _first(keys, _ABOUT)
            spoken = "" if about is None or _is_nothing(content[about]) else _words(content[about])
            yield Claim(_words(content[said]), _words(content[valued]), spoken, quotes)
        return
    if text is not None and isinstance(content[text], str):
        if not _is_nothing(content[text]):
            yield Point(content[text].strip(), quotes)
        rest = {key: one for key, one in content.items() if key != text and not _is_quote(key)}
        yield from _parts(rest, quotes, name, listed, depth)
        return
    if valued is not None and name and not isinstance(content[valued], Mapping | list):
        if not _is_nothing(content[valued]):
            yield Claim(name, _words(content[valued]), quotes=quotes, listed=listed)
        return
    rest = {key: one for key, one in content.items() if not _is_quote(key)}
    yield from _parts(rest, quotes, name, listed, depth)


def _parts(
    content: Mapping[str, Any], quotes: tuple[str, ...], name: str, listed: bool, depth: int
) -> Iterator[Statement]:
    for key, one in content.items():
        below = str(key) if not listed or not name else f"{name}.{key}"
        for statement in _of(one, below, listed, depth + 1):
            if quotes and not statement.quotes:
                yield msgspec.structs.replace(statement, quotes=quotes)
            else:
                yield statement


def _quotes(content: Mapping[str, Any], keys: Mapping[str, str]) -> tuple[str, ...]:
    found: list[str] = []
    for known in _QUOTES:
        quoted = content[keys[known]] if known in keys else None
        for one in quoted if isinstance(quoted, list) else [quoted]:
            if isinstance(one, Mapping):
                said = next((text for text in one.values() if isinstance(text, str)), None)
            else:
                said = one
            if isinstance(said, str) and not _is_nothing(said):
                found.append(said.strip())
    return tuple(dict.fromkeys(found))


def _is_quote(key: str) -> bool:
    return fold(str(key)).strip() in _QUOTES


def _first(keys: Mapping[str, str], known: tuple[str, ...]) -> str | None:
    return next((keys[name] for name in known if name in keys), None)


def _is_nothing(content: object) -> bool:
    if content is None:
        return True
    return isinstance(content, str) and fold(content).strip(" 。.") in _NOTHING


def _words(content: object) -> str:
    if isinstance(content, str):
        return content.strip()
    if isinstance(content, bool):
        return "是" if content else "否"
    if isinstance(content, int):
        return str(content)
    return msgspec.json.encode(content).decode()
