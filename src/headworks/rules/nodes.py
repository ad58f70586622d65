"""YAML with places: every key and value knows its line and column.

Takes a pack's text, gives nodes that complain with ``file:line:column``. Never guesses a type: a
word stays the word that was written, also where YAML would read ``no`` as a truth value.
"""

import re
from collections.abc import Iterator, Sequence
from typing import Any

import yaml

from headworks.rules.complaints import Complaint, nearest

_Loader: Any = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
_TRUE = frozenset({"true", "yes", "on", "是", "真"})
_FALSE = frozenset({"false", "no", "off", "否", "假"})
_WIDE_COLON = re.compile(r"^\s*(?:-\s+)?[\w\u4e00-\u9fff-]{1,20}：")
# What libyaml says, by how it begins.
_SAID = {
    "mapping values are not allowed": "这里不能再有“键: 值”",
    "found character that cannot start": "这个字符不能开头",
    "could not find expected ':'": "缺少半角冒号",
    "did not find expected '-'": "缩进与上一条不一致",
    "did not find expected key": "这里应当是一个键；引号没有配对，或缩进不一致",
    "did not find expected ',' or": "方括号或花括号没有闭合",
    "did not find the expected": "没有写完",
    "found unexpected end of stream": "引号没有闭合",
    "found unknown escape": "双引号里的反斜线要写两次，或改用单引号",
    "found undefined alias": "以 * 开头的值要加引号",
    "unacceptable character": "文件里有控制字符：这不是文本文件",
    "control characters are not": "文件里有控制字符：这不是文本文件",
}
MAX_NODES = 400_000


class Source:
    """One file being read: its name, and the complaints so far."""

    def __init__(self, file: str, text: str) -> None:
        self.file = file
        self.text = text
        self.complaints: list[Complaint] = []

    def complain(
        self,
        code: str,
        message: str,
        node: "Node | None" = None,
        suggestions: Sequence[str] = (),
    ) -> None:
        """Note a complaint about a node."""
        place = node.place if node is not None else f"{self.file}:1:1"
        self.complaints.append(
            Complaint(code=code, message=message, place=place, suggestions=tuple(suggestions))
        )


class Node:
    """A value of the file. Which kind it is, is asked, never assumed."""

    __slots__ = ("raw", "source")

    def __init__(self, raw: Any, source: Source) -> None:
        self.raw = raw
        self.source = source

    @property
    def place(self) -> str:
        """Give ``file:line:column`` from 1."""
        mark = self.raw.start_mark
        return f"{self.source.file}:{mark.line + 1}:{mark.column + 1}"

    def place_of(self, position: int) -> str:
        """Give the place of a character (from 1) of a text value."""
        if not self.is_text:
            return self.place
        mark = self.raw.start_mark
        value = self.raw.value
        if self.raw.style in ("|", ">") or mark.line != self.raw.end_mark.line:
            lines = value[: max(0, position - 1)].split("\n")
            line = mark.line + 1 + (1 if self.raw.style in ("|", ">") else 0) + len(lines) - 1
            return f"{self.source.file}:{line}:{len(lines[-1]) + 1}"
        quote = 1 if self.raw.style in ("'", '"') else 0
        return (
            f"{self.source.file}:{mark.line + 1}:{mark.column + 1 + quote + max(0, position - 1)}"
        )

    @property
    def is_text(self) -> bool:
        """Tell whether the value is a single word, text or number."""
        return isinstance(self.raw, yaml.ScalarNode)

    @property
    def is_list(self) -> bool:
        """Tell whether the value is a list."""
        return isinstance(self.raw, yaml.SequenceNode)

    @property
    def is_map(self) -> bool:
        """Tell whether the value has keys."""
        return isinstance(self.raw, yaml.MappingNode)

    @property
    def is_null(self) -> bool:
        """Tell whether nothing is written."""
        return self.is_text and self.raw.tag == "tag:yaml.org,2002:null"

    @property
    def text(self) -> str:
        """Give the text as written."""
        return str(self.raw.value) if self.is_text and not self.is_null else ""

    def sentence(self) -> str | None:
        """Give a sentence's text; complain where something else, or nothing, is written."""
        if self.text.strip():
            return self.text
        self.source.complain("E403", "这里要写一句话", self)
        return None

    def items(self) -> Iterator["Node"]:
        """Give the values of a list; a single value is a list of one."""
        if self.is_list:
            for entry in self.raw.value:
                yield Node(entry, self.source)
        elif not self.is_null:
            yield self

    def fields(self) -> Iterator[tuple[str, "Node", "Node"]]:
        """Give each key with its own node and its value."""
        if self.is_map:
            for key, value in self.raw.value:
                yield str(key.value), Node(key, self.source), Node(value, self.source)

    def number(self, default: int = 0) -> int:
        """Give a whole number; complain where it is none."""
        try:
            return int(self.text)
        except ValueError:
            self.source.complain("E403", f"这里要写整数，不是“{self.text}”", self)
            return default

    def truth(self, default: bool = False) -> bool:
        """Give true or false, in any of the spellings YAML and people use."""
        said = self.text.strip().lower()
        if said in _TRUE or said in _FALSE:
            return said in _TRUE
        self.source.complain("E403", f"这里要写 true 或 false，不是“{self.text}”", self)
        return default

    def choice(self, known: Sequence[str], default: str) -> str:
        """Give one of the known words; complain with the nearest one."""
        if self.text in known:
            return self.text
        near = nearest(self.text, known)
        self.source.complain(
            "E406",
            f"不认识“{self.text}”；可以写 {'、'.join(known)}",
            self,
            (f"是不是“{near}”？",) if near else (),
        )
        return default

    def words(self) -> tuple[str, ...]:
        """Give a list of words; ``a|b`` counts as two."""
        found: list[str] = []
        for entry in self.items():
            if not entry.is_text or not entry.text.strip():
                self.source.complain("E403", "这里要写词，或词的列表", entry)
                continue
            found.extend(part.strip() for part in entry.text.split("|") if part.strip())
        return tuple(dict.fromkeys(found))

    def plain(self) -> Any:
        """Give the value as plain Python values; scalars stay text, but numbers and truths."""
        if self.is_map:
            return {key: value.plain() for key, _, value in self.fields()}
        if self.is_list:
            return [entry.plain() for entry in self.items()]
        if self.is_null:
            return None
        tag = self.raw.tag
        if tag == "tag:yaml.org,2002:int" and re.fullmatch(r"-?(0|[1-9][0-9]*)", self.text):
            return int(self.text)
        if tag == "tag:yaml.org,2002:bool" and self.text.lower() in ("true", "false"):
            return self.text.lower() == "true"
        return self.text


def field_map(node: Node, known: Sequence[str], what: str) -> dict[str, Node]:
    """Give the fields of a mapping; unknown and repeated keys are complained of."""
    found: dict[str, Node] = {}
    source = node.source
    if not node.is_map:
        source.complain("E403", f"{what}要写成“键: 值”", node)
        return found
    for key, key_node, value in node.fields():
        if key in found:
            source.complain("E410", f"{what}里“{key}”写了两次", key_node)
        elif key not in known:
            near = nearest(key, known)
            hint = f"是不是“{near}”？" if near else f"可以写：{'、'.join(known)}"
            source.complain("E401", f"{what}没有“{key}”这个键", key_node, (hint,))
        else:
            found[key] = value
    return found


def compose(source: Source) -> Node | None:
    """Read the file's text; a fault of YAML itself is complained of, with what to do."""
    try:
        raw = yaml.compose(source.text, Loader=_Loader)
    except yaml.YAMLError as problem:
        _complain_of_yaml(source, problem)
        return None
    except RecursionError:
        source.complain("E400", "嵌套太深")
        return None
    if raw is None:
        source.complain("E400", "文件是空的")
        return None
    if _too_large(raw):
        source.complain("E400", "文件展开后太大（别名引用互相嵌套？）")
        return None
    return Node(raw, source)


def _too_large(raw: Any) -> bool:
    """Count nodes as they will be visited, so that nested YAML aliases cannot explode."""
    stack, count = [raw], 0
    while stack:
        count += 1
        if count > MAX_NODES:
            return True
        node = stack.pop()
        if isinstance(node, yaml.SequenceNode):
            stack.extend(node.value)
        elif isinstance(node, yaml.MappingNode):
            stack.extend(part for pair in node.value for part in pair)
    return False


def _in_chinese(said: str) -> str:
    for begins, told in _SAID.items():
        if said.startswith(begins):
            return told
    return said


def _complain_of_yaml(source: Source, problem: yaml.YAMLError) -> None:
    mark = getattr(problem, "problem_mark", None)
    line = mark.line if mark is not None else 0
    column = mark.column if mark is not None else 0
    lines = source.text.split("\n")
    written = lines[line] if line < len(lines) else ""
    said = str(getattr(problem, "problem", "") or problem)
    binary = "\x00" in source.text
    suggestions = []
    for number in (line, line - 1):
        if 0 <= number < len(lines) and _WIDE_COLON.match(lines[number]):
            suggestions.append(f"第{number + 1}行用了全角冒号“：”，键后面要用半角冒号加空格“: ”")
            break
    if re.search(r":\s+[@%`&*!|>]", written) or re.search(r"-\s+[@%`&*!]", written):
        suggestions.append("以 @、%、&、* 开头的值要加引号，例如 when: '@别名 ……'")
    if "\t" in written and not binary:
        suggestions.append("缩进不能用制表符，请改用空格")
    if said.startswith("mapping values"):
        suggestions.append("值里面有“: ”时要给整个值加引号")
    if re.search(r'"[^"]*"[^\s,\]}#]', written):
        suggestions.append("值里面的引号用“”，或把整个值放进单引号 '…'")
    elif said.startswith(("did not find expected '-'", "did not find expected key")):
        suggestions.append("同一层的键要对齐：缩进的空格数与上一个键相同")
    source.complaints.append(
        Complaint(
            code="E400",
            message=f"YAML 写法有错：{_in_chinese(said)}",
            place=f"{source.file}:{line + 1}:{column + 1}",
            suggestions=tuple(suggestions),
        )
    )
