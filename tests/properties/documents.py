"""Made-up documents of every shape: nested labels, odd restarts, mixed tables, furniture between.

``made(seed)`` gives a document, settings and directives; the same seed gives the same.
"""

from random import Random

import msgspec

from headworks.config import ChunkSettings, Lengths
from headworks.model.chunk import Directive
from headworks.model.document import Document, Merge
from headworks.model.place import Span
from tests.build.document import build

_WORDS = "甲方乙方应当按照合同约定在验收合格之日起支付价款并承担违约责任设备质量标准期限"
_MARKS = [
    "。",
    "。",
    "；",
    "，",
    "，",
    "、",
    "：",
    "！",
    "？",
    "……",
    "”",
    "“",
    "（",
    "）",
    "《",
    "》",
    " ",
]
_ODD = [
    "3.14",
    "1,200.50元",
    "V1.0.2",
    "2024.03.01",
    "www.a.com",
    "第3.2款",
    "The Buyer pays. Then",
    "“好。行！”",
]
_NUMBERS = "一二三四五六七八九十"


class Made(msgspec.Struct, frozen=True):
    """A made-up document with what to cut it by."""

    document: Document
    settings: ChunkSettings
    directives: tuple[Directive, ...]
    lines: str


def made(seed: int) -> Made:
    """Give the document of a seed."""
    random = Random(seed)
    lines = "\n".join(_Lines(random).run())
    profile = random.choice(["legal", "legal", "legal", "general", "standard"])
    document = _with_merges(random, build(lines, profile=profile))
    settings = _settings(random)
    return Made(document, settings, tuple(_directives(random, document)), lines)


def _settings(random: Random) -> ChunkSettings:
    ceiling = random.choice([1, 7, 20, 40, 80, 120, 200, 400, 800])
    return ChunkSettings(
        max_chars=ceiling,
        min_chars=random.choice([0, 1, ceiling // 10, ceiling // 2]),
        overlap=random.choice([0, 0, ceiling // 4]),
        unit=random.choice(["clause", "clause", "clause", "chapter", "section", "item", "part"]),
        split_at=random.choice([None, None, None, 1, 2]),
        contents=random.choice(["ledger", "chunk"]),
        max_tokens=random.choice([None, None, None, max(1, ceiling // 3), ceiling]),
        zones=random.choice([{}, {}, {"appendix": Lengths(max_chars=60, min_chars=9)}]),
        kinds=random.choice(
            [
                {},
                {},
                {name: Lengths(max_chars=random.choice([50, 2000])) for name in ("table", "code")},
            ]
        ),
        chapter_titles=random.choice(["chunk", "path"]),
    )


def _directives(random: Random, document: Document) -> list[Directive]:
    found = []
    size = len(document.text)
    for _ in range(random.choice([0, 0, 1, 2, 4])):
        start = random.randrange(size) if size else 0
        end = min(size, start + random.choice([1, 5, 40, 200]))
        action = random.choice(["keep", "keep", "section", "split", "strip"])
        found.append(Directive(action, Span(start, end), "试验/规则"))
    return found


def _with_merges(random: Random, document: Document) -> Document:
    """Merge some cells downwards."""
    blocks = []
    for block in document.blocks:
        table = block.table
        if table is not None and table.rows > 2 and random.random() < 0.5:
            merges = tuple(
                Merge(row, 0, random.randint(2, 4), 1) for row in range(1, table.rows - 1, 4)
            )
            table = msgspec.structs.replace(table, merges=merges)
            blocks.append(msgspec.structs.replace(block, table=table))
        else:
            blocks.append(block)
    return msgspec.structs.replace(document, blocks=tuple(blocks))


class _Lines:
    """Draws marked lines, as ``tests.build.document`` reads them."""

    def __init__(self, random: Random) -> None:
        self.random = random
        self.article = 0
        self.mode = random.choice(["", "", "", "", "[[价格表]]", "/1"])

    def run(self) -> list[str]:
        draw = self.random
        lines = [self.mode]
        if draw.random() < 0.5:
            lines.append("#0 " + self._words(8))
        for _ in range(draw.choice([0, 1, 3, 8, 20])):
            lines += self._part()
        if draw.random() < 0.3:
            lines += ["@signature", "甲方（盖章）：", "乙方（盖章）："]
        return [line for line in lines if line] or [self._words(5)]

    def _part(self) -> list[str]:
        draw = self.random
        kind = draw.choice(
            ["clause"] * 5 + ["chapter", "section", "plain", "plain", "zone", "listed", "bare"]
        )
        if kind == "zone":
            zone = draw.choice(["cover", "contents", "body", "appendix 附件一", "appendix 附件二"])
            return [f"@{zone}", *self._text(draw.randint(1, 4))]
        if kind == "bare":
            return [
                "#" * draw.randint(1, 3) + " " + self._label() for _ in range(draw.randint(1, 3))
            ]
        if kind == "chapter":
            return [f"# 第{draw.choice(_NUMBERS)}章 {self._words(4)}"]
        if kind == "section":
            return [f"{'#' * draw.randint(1, 3)} {self._words(6)}", *self._text(draw.randint(0, 3))]
        if kind == "plain":
            return self._text(draw.randint(1, 6))
        if kind == "listed":
            return [f"（{_NUMBERS[at]}）{self._sentence()}" for at in range(draw.randint(1, 6))]
        return self._clause()

    def _label(self) -> str:
        self.article = self.random.choice([self.article + 1, self.article + 1, 1, self.article])
        forms = ["第{}条 {}", "第{}条 {}", "{}. {}", "附件{} {}"]
        return self.random.choice(forms).format(self.article, self._words(5))

    def _clause(self) -> list[str]:
        draw = self.random
        depth = "#" * draw.randint(1, 3)
        if draw.random() < 0.4:
            head = f"{depth}! {self._label()}。{self._sentence()}"
        else:
            head = f"{depth} {self._label()}"
        return [head, *self._text(draw.randint(0, 5))]

    def _text(self, count: int) -> list[str]:
        lines: list[str] = []
        for _ in range(count):
            lines += self._block()
        return lines

    def _block(self) -> list[str]:
        draw = self.random
        kind = draw.choice(
            ["text"] * 8
            + ["item", "item", "table", "figure", "code", "comment", "note", "head"]
            + ["foot", "contents", "next", "long", "unbroken"]
        )
        if kind == "table":
            return self._table()
        made = {
            "item": f"（{draw.choice(_NUMBERS)}）{self._sentence()}",
            "code": "\n".join(["` " + "    x = 1;" * draw.randint(0, 9)] * draw.randint(1, 9)),
            "comment": "% " + self._words(9),
            "note": "* " + self._sentence(),
            "head": "^" + self._words(6),
            "foot": "_第1页",
            "contents": "~" + self._words(5),
            "next": {"[": f"[[表{draw.randint(1, 3)}]]", "/": f"/{draw.randint(1, 9)}"}.get(
                self.mode[:1], "^页眉"
            ),
            "long": "".join(self._sentence() for _ in range(draw.randint(5, 40))),
            "unbroken": self._words(draw.randint(100, 1200)),
        }  # fmt: skip
        if kind == "figure":
            return [f"! {self._words(4)}", f"图{draw.randint(1, 9)}-1 {self._words(4)}"]
        return [made.get(kind) or self._sentence()]

    def _table(self) -> list[str]:
        draw = self.random
        columns, rows = draw.randint(1, 5), draw.choice([1, 2, 5, 30])
        headers = draw.choice([0, 1, 1, 2])
        lines = [f"表{draw.randint(1, 9)} {self._words(4)}"] if draw.random() < 0.5 else []
        if draw.random() < 0.2:
            lines.append("单位：万元")
        wide = draw.choice([3, 3, 10, 120])
        table = []
        for row in range(rows):
            cells = [
                "" if draw.random() < 0.2 else self._words(draw.randint(1, wide))
                for _ in range(columns)
            ]
            table.append(("|= " if row < headers else "| ") + " | ".join(cells))
        return [*lines, "\n".join(table)]

    def _words(self, count: int) -> str:
        return "".join(self.random.choice(_WORDS) for _ in range(count))

    def _sentence(self) -> str:
        draw = self.random
        pieces = []
        for _ in range(draw.choice([1, 2, 4, 9])):
            pieces.append(self._words(draw.randint(1, 14)))
            pieces.append(draw.choice(_ODD) if draw.random() < 0.1 else draw.choice(_MARKS))
        return "".join(pieces) + draw.choice(["。", "。", "。", "", "；"])
