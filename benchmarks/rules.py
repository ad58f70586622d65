"""How fast rules judge: compiled packs beside a plain loop over `re`, in one run.

python benchmarks/rules.py [--rules 1000] [--chars 50000]
"""

import argparse
import json
import random
import re
import time

from headworks.config import RuleSettings
from headworks.model.chunk import Chunk
from headworks.model.document import Block, Document, Source
from headworks.model.place import PartPlace, Span
from headworks.rules.book import RuleBook
from headworks.rules.loader import parse_pack

NOUNS = (
    "合同 设备 价款 违约金 保证金 质保期 验收 交付 发票 税率 争议 仲裁 保密 专利 图纸 参数 电压 电流 功率 温度 "
    "压力 流量 轴承 电机 水泵 阀门 电缆 变压器 断路器 接地线 操作票 工作票 监护人 投标人 评标 资质 业绩 报价 分包 监理"
).split()
VERBS = "支付 交付 验收 检查 安装 调试 维修 更换 赔偿 承担 提交 审核 批准 通知 解除 终止 变更 转让 保管 退还".split()
TAILS = "责任 义务 期限 方式 标准 条件 程序 范围 比例 金额 资料 记录 报告 清单 证明 措施 要求 规定 办法 细则".split()


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
    """Give a pack of so many rules, half of them with a pattern, and the patterns of a plain loop."""
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
    """Give the shortest of several runs, in seconds."""
    found = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        found.append(time.perf_counter() - begun)
    return min(found)


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


def main() -> None:
    """Print the figures as JSON, one line a size."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rules", type=int, nargs="*", default=[100, 1000, 10_000])
    parser.add_argument("--chars", type=int, default=50_000)
    arguments = parser.parse_args()
    for rules in arguments.rules:
        figures = measure(rules, arguments.chars, plain_loop=rules <= 1000)
        shown = {name: round(value, 3) for name, value in figures.items()}
        print(json.dumps(shown, ensure_ascii=False))


if __name__ == "__main__":
    main()
