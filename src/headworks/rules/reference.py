"""The reference page of conditions and actions, made of what the code itself knows.

Takes nothing, gives Markdown. Never written by hand: a test compares the page in ``docs``.
"""

from headworks.rules.actions import ACTIONS, ActionKind
from headworks.rules.compile import BUILTIN
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.grammar import parse_condition
from headworks.rules.lexicon import Lexicon
from headworks.rules.predicates.base import Predicate
from headworks.rules.printer import condition_text

_HEAD = """# 条件与动作一览 · Conditions and actions

这一页由程序从它自己的表和样例生成（`headworks.rules.reference`）；
怎样写规则见 [rules.md](rules.md)。
This page is made by the program from its own tables and examples;
how to write rules: [rules.md](rules.md).
"""


def reference_page() -> str:
    """Give the whole page."""
    parts = [_HEAD, "## 条件 · Conditions\n"]
    parts.extend(_predicate(predicate) for predicate in BUILTIN)
    parts.append("## 动作 · Actions\n\n| 中文 | English | YAML | 阶段 |\n|---|---|---|---|")
    parts.extend(_action(kind) for kind in ACTIONS.values())
    parts.append("\n## 值的种类 · Kinds of values\n\n| 名称 | 也可写 | 可以比较 |\n|---|---|---|")
    parts.extend(_entities())
    return "\n".join(parts) + "\n"


def _predicate(predicate: Predicate) -> str:
    lines = [f"### {predicate.meaning_zh}", "", f"{predicate.meaning_en}", ""]
    if not predicate.holds:
        return "\n".join(lines)
    lines += ["| 句子 | English | 成立 | 不成立 |", "|---|---|---|---|"]
    for examples, holds in ((predicate.holds, True), (predicate.fails, False)):
        for example in examples:
            condition, _ = parse_condition(example.sentence, Lexicon())
            english = condition_text(condition, "en")
            context = "，".join(f"{key}={value}" for key, value in example.context.items())
            text = example.text.replace("\n", "⏎").replace("\t", "⇥")
            told = _cell(f"{text}（{context}）" if context else text)
            sides = (told, "") if holds else ("", told)
            lines.append(
                f"| `{_cell(example.sentence)}` | `{_cell(english)}` | {sides[0]} | {sides[1]} |"
            )
    return "\n".join([*lines, ""])


def _action(kind: ActionKind) -> str:
    zh = "、".join(f"`{phrase}`" for phrase in kind.zh[:3])
    en = ", ".join(f"`{phrase}`" for phrase in kind.en[:2])
    keys = ", ".join(f"`{key}`" for key in kind.keys)
    return f"| {zh} | {en} | {keys} | {kind.phase} |"


def _entities() -> list[str]:
    found = {recognizer.zh: recognizer for recognizer in RECOGNIZERS.values()}
    return [
        f"| {name} | {'、'.join((one.name, *one.aliases))} | {'是' if one.units else ''} |"
        for name, one in found.items()
    ]


def _cell(text: str) -> str:
    return text.replace("|", "\\|")
