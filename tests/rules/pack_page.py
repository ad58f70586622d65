"""The page docs/packs.md, made from the shipped packs and their scores.

Takes the packs, gives the page's text; run as a program it writes the page. Never edited by hand.
"""

from pathlib import Path

from headworks.rules.book import open_pack
from headworks.rules.pack import Pack, Rule
from headworks.rules.printer import actions_text
from tests.rules.score import labelled_packs, score

PAGE = Path(__file__).resolve().parents[2] / "docs" / "packs.md"
ORDER = (
    "contract", "finance", "tender", "power-safety", "equipment", "minutes", "privacy", "furniture",
)  # fmt: skip


def page() -> str:
    """Give the whole page."""
    parts = [_HEAD, _scores()]
    parts += [_pack(open_pack(name)) for name in ORDER]
    return "\n".join(parts) + _ENGLISH


def _scores() -> str:
    rows = [
        "| 包 | 句数 | 其中不应命中 | 准确率 | 召回率 |",
        "|---|---|---|---|---|",
    ]
    for name in labelled_packs():
        one = score(name)
        measured = f"{one.precision:.3f} | {one.recall:.3f}"
        rows.append(f"| {name} | {one.clauses} | {one.near_misses} | {measured} |")
    return "\n".join([*rows, ""])


def _pack(pack: Pack) -> str:
    lines = [f"## {pack.name}（{pack.title}，{pack.version}）", "", pack.description, ""]
    lines += ["| 规则 | 名称 | 做什么 | 命中的例子 | 不命中的例子 |", "|---|---|---|---|---|"]
    lines += [_row(rule) for rule in pack.rules]
    return "\n".join([*lines, ""])


def _row(rule: Rule) -> str:
    actions = actions_text(rule.actions, "zh")
    hit = next((example for example in rule.examples if example.matches), None)
    miss = next((example for example in rule.examples if not example.matches), None)
    cells = (
        f"`{rule.id}`",
        rule.title,
        actions,
        hit.text if hit else "",
        miss.text if miss else "",
    )
    return "| " + " | ".join(_cell(cell) for cell in cells) + " |"


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ⏎ ").replace("\t", " ⇥ ").strip()


_HEAD = """# 自带的规则包

本页由 `make packs` 生成，与规则包同步，不要手改。规则的写法见 [rules.md](rules.md)。

用法：`headworks run 合同.docx --rules contract`，可同时用几个包：
`--rules contract --rules privacy`。想改？把包复制一份，改名，
改动后 `headworks rules test` 通过即可；或另写一个包放在上层（`layer: org`）。

## 准确率和召回率

标注句是本项目自己写的，在 `tests/rules/labelled/`；约一半是不应命中的近似句，一句也没有命中。
句子和规则由同一批人编写，句子也用来改过规则：
这些数字说明规则合乎设想，不等于在您文件上的数字。
规则写成后第一次见到的 202 句里，174 句（86 %）不多不少正合标注，85 句近似句里 82 句没有误中；
这些句子随后用来改规则并收入标注集。在您的文件上请看 `headworks rules stats`。
"""
_ENGLISH = """
## English

Each table lists a rule's id, title, what it does, a text that it matches and a near miss that it
does not. The figures above are over our own labelled clauses (about half near misses, none of
which fires). The same people wrote clauses and rules, and the rules were mended with them: the
figures show that the rules do what they were meant to do, not what they reach on your documents. Of
202 clauses that the finished rules had not seen, 174 (86 %) came out exactly as labelled, and 82 of
85 near misses did not fire; those clauses then went into the set. For your own documents run
`headworks rules stats`. This page is made by `make packs`.
"""

if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
