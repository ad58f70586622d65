"""Several chunks asked about in one call: their words numbered, and the answer taken apart again.

Takes bodies and the schema of an answer about one, gives the words and the schema for all, and what
was answered about each. Never gives an answer to a chunk that it may not be about: what is
missing, does not read or quotes another chunk's words is left out, to be asked alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import takewhile

import msgspec

from headworks.assembly.answers import ReadAnswer, Schema, read_answer
from headworks.assembly.locating import bare
from headworks.assembly.statements import statements

_LOOSE: Schema = {
    "type": "object",
    "required": ["parts"],
    "properties": {
        "parts": {
            "type": "array",
            "items": {"type": "object", "required": ["part", "answer"]},
        }
    },
}
# A shorter quote may stand in several chunks.
_LEAST_QUOTE = 6
ASKED = (
    "上面【原文开始】与【原文结束】之间有 {count} 段原文，每段以【第 n 段】开头。"
    "对每一段分别完成上面的要求：一段的回答只根据这一段和附带的上下文，quote 只抄这一段里的话。\n"
    '输出 JSON：{{"parts": [{{"part": 段号, "answer": 对这一段的回答，格式同上}}]}}；'
    "每一段恰好一项，没有可写的也要有，各列表为空。"
)


class Passage(msgspec.Struct, frozen=True):
    """The words of one chunk as they are asked about, and where it stands."""

    path: tuple[str, ...]
    body: str


def numbered(passages: Sequence[Passage]) -> tuple[tuple[str, ...], str]:
    """Give the headings that all stand under, and the passages with their numbers."""
    shared = [
        level[0]
        for level in takewhile(
            lambda level: len(set(level)) == 1,
            zip(*(one.path for one in passages), strict=False),
        )
    ]
    told = []
    for number, one in enumerate(passages, 1):
        own = " › ".join(one.path[len(shared) :])
        place = f"位置：{own}\n" if own else ""
        told.append(f"【第 {number} 段】\n{place}{one.body}")
    return tuple(shared), "\n\n".join(told)


def asked(messages: Sequence[tuple[str, str]], count: int) -> tuple[tuple[str, str], ...]:
    """Give the messages with what is wanted of so many passages, in the last one."""
    *before, (role, words) = messages
    return (*before, (role, f"{words}\n\n{ASKED.format(count=count)}"))


def schema_of_all(schema: Schema, count: int) -> Schema:
    """Give the schema of the answer about so many, from that of the answer about one."""
    number = {"type": "integer", "minimum": 1, "maximum": count}
    part = {
        "type": "object",
        "properties": {"part": number, "answer": schema},
        "required": ["part", "answer"],
        "additionalProperties": False,
    }
    parts = {"type": "array", "minItems": count, "maxItems": count, "items": part}
    return {
        "type": "object",
        "properties": {"parts": parts},
        "required": ["parts"],
        "additionalProperties": False,
    }


def schema_of_one(schema: Schema) -> Schema:
    """Give the schema of the answer about one again."""
    found: Schema = schema["properties"]["parts"]["items"]["properties"]["answer"]
    return found


def taken_apart(
    body: str, schema: Schema, texts: Sequence[str], *, cut: bool = False
) -> Mapping[int, str]:
    """Give the answers by the position of their passage, each as JSON of its own.

    ``cut`` tells that the model was stopped: the last one may not be whole.
    """
    read = read_answer(body, _LOOSE)
    if not isinstance(read.content, dict):
        return {}
    entries = read.content["parts"]
    found: dict[int, str] = {}
    twice: set[int] = set()
    words = [bare(text) for text in texts]
    for position, answer in _numbered(entries[:-1] if cut else entries, len(texts)):
        if position in found:
            twice.add(position)
        own = read_answer(msgspec.json.encode(answer).decode(), schema)
        if own.layer == "raw":
            twice.add(position)
        elif _is_about(own, position, words):
            found[position] = msgspec.json.encode(own.content).decode()
    return {position: said for position, said in found.items() if position not in twice}


def _numbered(entries: Sequence[object], count: int) -> Iterator[tuple[int, object]]:
    for entry in entries:
        number = entry.get("part") if isinstance(entry, dict) else None
        if isinstance(number, str) and number.strip().isdecimal():
            number = int(number)
        if isinstance(number, int) and not isinstance(number, bool) and 1 <= number <= count:
            assert isinstance(entry, dict)  # it has a number
            yield number - 1, entry["answer"]


def _is_about(read: ReadAnswer, position: int, words: Sequence[str]) -> bool:
    """Tell whether no quote stands in another passage and not in its own: numbers get mixed up."""
    for statement in statements(read):
        for quote in statement.quotes:
            said = bare(quote)
            if len(said) < _LEAST_QUOTE or said in words[position]:
                continue
            if any(said in other for other in words):
                return False
    return True
