"""How fast rules judge: compiled packs beside a plain loop over `re`, and the shipped packs.

    python benchmarks/rules.py [--rules 1000] [--chars 50000] [--write]

``--write`` renews docs/rules-speed.md. Times are computing time of the thread, the best of several
runs, so that a busy machine changes little.
"""

import argparse
import gc
import json
import platform
import random
import re
import sys
import time
from functools import partial
from pathlib import Path

import msgspec

from headworks.chunking.cut import cut, join
from headworks.config import RuleSettings, Settings
from headworks.model.chunk import Chunk
from headworks.model.document import Block, Document, Source
from headworks.model.place import PartPlace, Span
from headworks.readers.base import read
from headworks.rules.book import RuleBook, load, shipped_packs
from headworks.rules.loader import parse_pack
from headworks.structure.passes import structure

sys.path.insert(0, str(Path(__file__).resolve().parent))

import inputs

PAGE = Path(__file__).resolve().parents[1] / "docs" / "rules-speed.md"

NOUNS = [
    "合同",
    "设备",
    "价款",
    "违约金",
    "保证金",
    "质保期",
    "验收",
    "交付",
    "发票",
    "税率",
    "争议",
    "仲裁",
    "保密",
    "专利",
    "图纸",
    "参数",
    "电压",
    "电流",
    "功率",
    "温度",
    "压力",
    "流量",
    "轴承",
    "电机",
    "水泵",
    "阀门",
    "电缆",
    "变压器",
    "断路器",
    "接地线",
    "操作票",
    "工作票",
    "监护人",
    "投标人",
    "评标",
    "资质",
    "业绩",
    "报价",
    "分包",
    "监理",
]
VERBS = [
    "支付",
    "交付",
    "验收",
    "检查",
    "安装",
    "调试",
    "维修",
    "更换",
    "赔偿",
    "承担",
    "提交",
    "审核",
    "批准",
    "通知",
    "解除",
    "终止",
    "变更",
    "转让",
    "保管",
    "退还",
]
TAILS = [
    "责任",
    "义务",
    "期限",
    "方式",
    "标准",
    "条件",
    "程序",
    "范围",
    "比例",
    "金额",
    "资料",
    "记录",
    "报告",
    "清单",
    "证明",
    "措施",
    "要求",
    "规定",
    "办法",
    "细则",
]


# What patterns of users look like: a word first, a choice of words first, a number first.
SHAPES = (
    r"{a}.{{0,20}}?第?[0-9]+(?:\.[0-9]+)?(?:天|日|元|%)",
    r"(?:{a}|{b})[^。]{{0,30}}?[0-9]+",
    r"[0-9]+(?:\.[0-9]+)?(?:天|日|元|%).{{0,10}}?{a}",
)


def phrases(count: int, dice: random.Random) -> list[str]:
    """Give distinct phrases such as a lawyer's rules would name."""
    every = [noun + verb + tail for noun in NOUNS for verb in VERBS for tail in TAILS]
    dice.shuffle(every)
    return (
        every[:count] if count <= len(every) else every + [f"{w}{i}" for i, w in enumerate(every)]
    )


def pack_text(count: int, words: list[str]) -> tuple[str, list[list[str]]]:
    """Give a pack of so many rules, half with a pattern, and the patterns of a plain loop."""
    rules, plain = [], []
    for number in range(count):
        first, second = words[2 * number % len(words)], words[(2 * number + 1) % len(words)]
        if number % 2:
            pattern = SHAPES[number // 2 % len(SHAPES)].format(a=first[:4], b=second[:4])
            rules.append(f"- {{id: r{number}, when: '匹配正则/{pattern}/', then: 标记为T{number}}}")
            plain.append([pattern])
        else:
            when = f"包含“{first}”并且不包含“{second}”"
            rules.append(f"- {{id: r{number}, when: '{when}', then: 标记为T{number}}}")
            plain.append([re.escape(first), re.escape(second)])
    return "pack: bench\nrules:\n" + "\n".join(rules), plain


def text_of(chars: int, words: list[str], dice: random.Random) -> str:
    """Give running text in which a few of the phrases occur."""
    pieces, size = [], 0
    while size < chars:
        piece = (
            f"{dice.choice(NOUNS)}的{dice.choice(TAILS)}由双方{dice.choice(VERBS)}，"
            f"并于{dice.randint(1, 90)}日内{dice.choice(VERBS)}，金额{dice.randint(1, 9999)}元。"
        )
        if dice.random() < 0.05:
            piece += f"{dice.choice(words)}按第{dice.randint(1, 30)}条执行。"
        pieces.append(piece)
        size += len(piece)
    return "".join(pieces)[:chars]


def document_of(text: str, step: int = 800) -> tuple[Document, list[Chunk]]:
    """Give a document of one block, and chunks of equal size."""
    document = Document(
        Source("0" * 64, "bench.txt", "text/plain", len(text)),
        text,
        (Block(0, "paragraph", Span(0, len(text)), PartPlace("text", 0)),),
    )
    chunks = [
        Chunk(f"c{n}", "", n, (Span(at, min(at + step, len(text))),), "text", "body", (), step, 0)
        for n, at in enumerate(range(0, len(text), step))
    ]
    return document, chunks


def best_of(times: int, call) -> float:
    """Give the shortest of several runs, in seconds of computing time."""
    found = []
    gc.disable()
    for _ in range(times):
        begun = time.thread_time()
        call()
        found.append(time.thread_time() - begun)
    gc.enable()
    return min(found)


def judge_inputs() -> list[dict[str, object]]:
    """Give how long the shipped packs take on each document of the pipeline's benchmark."""
    settings = Settings()
    books = {
        name: load(packs, msgspec.structs.replace(settings.rules, time_budget_seconds=60))
        for name, packs in (("contract", ("contract",)), ("all", shipped_packs()))
    }
    rows = []
    for path in inputs.build_all().values():
        document = structure(read(path, settings.read), settings.structure)
        chunks = cut(document, settings.chunk).chunks
        joining = partial(join, document, settings.chunk)
        row: dict[str, object] = {
            "file": path.name,
            "chars": len(document.text),
            "chunks": len(chunks),
        }
        for name, book in books.items():
            _, verdicts = book.judge(document, chunks, joining)
            row[f"{name} hits"] = sum(len(verdict.hits) for verdict in verdicts)
            row[f"{name} ms"] = round(
                best_of(7, partial(book.judge, document, chunks, joining)) * 1e3, 1
            )
        rows.append(row)
    return rows


def measure(rules: int, chars: int, *, plain_loop: bool = True) -> dict[str, float]:
    """Give the figures for so many rules over so many characters."""
    dice = random.Random(7)
    words = phrases(2 * rules, dice)
    source, patterns = pack_text(rules, words)
    text = text_of(chars, words, dice)
    document, chunks = document_of(text)
    begun = time.perf_counter()
    pack = parse_pack("bench.yaml", source.encode())
    read = time.perf_counter() - begun
    assert not pack.errors, pack.errors[0]
    begun = time.perf_counter()
    book = RuleBook([pack], RuleSettings(time_budget_seconds=60))
    compiled = time.perf_counter() - begun
    document.folded  # noqa: B018 - kept with the document; the other stages need it too

    def judge() -> int:
        _, verdicts = book.judge(document, chunks, lambda _a, _b: None)
        return sum(len(verdict.hits) for verdict in verdicts)

    hits = judge()
    figures = {
        "rules": rules,
        "chars": chars,
        "hits": hits,
        "read_ms": read * 1e3,
        "compile_ms": compiled * 1e3,
        "judge_ms": best_of(7, judge) * 1e3,
    }
    if plain_loop:
        ready = [[re.compile(pattern) for pattern in found] for found in patterns]
        pieces = [text[chunk.start : chunk.end] for chunk in chunks]

        def loop() -> int:
            return sum(
                1
                for piece in pieces
                for found in ready
                if found[0].search(piece) and not (len(found) > 1 and found[1].search(piece))
            )

        figures["plain_hits"] = loop()
        figures["plain_ms"] = best_of(2, loop) * 1e3
        figures["ratio"] = figures["plain_ms"] / figures["judge_ms"]
    return figures


def table(rows: list[dict[str, object]]) -> str:
    """Give rows as a Markdown table."""
    names = list(dict.fromkeys(name for row in rows for name in row))
    lines = ["| " + " | ".join(names) + " |", "|" + "---|" * len(names)]
    for row in rows:
        cells = [row.get(name, "") for name in names]
        shown = [f"{cell:,}" if isinstance(cell, int | float) else str(cell) for cell in cells]
        lines.append("| " + " | ".join(shown) + " |")
    return "\n".join(lines)


def page(synthetic: list[dict[str, object]], real: list[dict[str, object]]) -> str:
    """Give docs/rules-speed.md."""
    return f"""# How fast rules judge

Written by `python benchmarks/rules.py --write` on Python {platform.python_version()},
{platform.machine()}, {time.strftime("%Y-%m-%d")}. Computing time of one thread, the best of
seven runs.

## The shipped packs on the documents of `make bench`

The contract repeats two pages fifteen times: 25 hits per 1,000 characters, where a real
subcontract had 7 and a real tender 2; and a line that reads like an earlier one is not looked at
again, which such a document gains most from.

{table(real)}

## Made-up packs beside a plain loop over `re`

Half the rules are words, half patterns; `plain_ms` runs each rule's pattern over each chunk.

{table(synthetic)}
"""


def main() -> None:
    """Print the figures as JSON, one line a size; write the page if asked."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", type=int, nargs="*", default=[100, 1000, 10_000])
    parser.add_argument("--chars", type=int, default=50_000)
    parser.add_argument("--write", action="store_true")
    arguments = parser.parse_args()
    synthetic = []
    for rules in arguments.rules:
        figures = measure(rules, arguments.chars, plain_loop=rules <= 1000)
        shown = {name: round(value, 1) for name, value in figures.items()}
        synthetic.append(shown)
        print(json.dumps(shown, ensure_ascii=False))
    real = judge_inputs()
    for row in real:
        print(json.dumps(row, ensure_ascii=False))
    if arguments.write:
        PAGE.write_text(page(synthetic, real), encoding="utf-8")


if __name__ == "__main__":
    main()
