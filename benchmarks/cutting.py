"""How the cutting grows: texts of 0.1, 1 and 10 million characters, and a sheet of 50,000 rows.

    python -m benchmarks.cutting [--largest 10000000]

Takes made-up texts, prints seconds for cutting and for the check. Reads no file.
"""

import argparse
import time

from headworks.chunking.cut import cut
from headworks.chunking.ledger import check
from headworks.config import ChunkSettings, StructureSettings
from headworks.model.document import Document, Source
from headworks.model.place import CellPlace, PartPlace
from headworks.readers.builder import DocumentBuilder
from headworks.structure.passes import structure

SOURCE = Source("0" * 64, "made-up", "text/plain", 0)
SENTENCE = "甲方应当在合同签订之日起三十日内支付首付款，逾期的按日计算违约金。"


def main() -> None:
    """Print a line a text."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--largest", type=int, default=10_000_000)
    largest = asked.parse_args().largest
    size = 100_000
    while size <= largest:
        _time(f"contract {size:,}", structure(_contract(size), StructureSettings()))
        _time(f"paragraphs {size:,}", _text([SENTENCE * (1 + n % 4) for n in range(size // 82)]))
        _time(f"one paragraph {size:,}", _text([SENTENCE * (size // len(SENTENCE))]))
        size *= 10
    _time("sheet 50,000 rows", _sheet(50_000))


def _time(name: str, document: Document) -> None:
    settings = ChunkSettings()
    began = time.perf_counter()
    result = cut(document, settings)
    done = time.perf_counter()
    check(document, result.chunks, result.ledger, settings)
    checked = time.perf_counter()
    print(
        f"{name:28} {len(document.text):>11,} characters {len(result.chunks):>7,} chunks"
        f"  cut {done - began:7.3f} s  check {checked - done:7.3f} s"
    )


def _contract(size: int) -> Document:
    lines: list[str] = []
    length = number = 0
    while length < size:
        number += 1
        clause = [f"第{number}条 付款方式", SENTENCE * 2, f"（一）{SENTENCE}", f"（二）{SENTENCE}"]
        lines += clause
        length += sum(map(len, clause))
    return _text(lines)


def _text(lines: list[str]) -> Document:
    builder = DocumentBuilder(SOURCE)
    for number, line in enumerate(lines):
        builder.paragraph(line, PartPlace("text", number))
    return builder.finish()


def _sheet(rows: int) -> Document:
    builder = DocumentBuilder(SOURCE)
    cells = [["编号", "名称", "单价", "数量"]]
    cells += [[str(number), f"设备{number}", "1,200.50", "3"] for number in range(rows)]
    builder.table(cells, CellPlace("价格", 0, 0), grid={"header_rows": 1})
    return builder.finish()


if __name__ == "__main__":
    main()
