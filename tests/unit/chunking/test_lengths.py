"""Lengths by kind: tables, code, sheets and slides may be longer or shorter than text."""

from pathlib import Path

import pytest

from headworks.config import Lengths, load
from headworks.errors import ConfigError
from headworks.model.place import CellPlace
from headworks.readers.builder import DocumentBuilder
from tests.build.document import SOURCE
from tests.unit.chunking.conftest import Cutter
from tests.unit.chunking.test_tables import rows

_TEXT = "甲方应当在合同签订之日起三十日内支付首付款。" * 3


def test_a_longer_table(cutting: Cutter) -> None:
    """A table under its own ceiling is whole, whatever the text's is."""
    _, result, _ = cutting(
        f"# 第一条 设备\n{_TEXT}\n{rows(30)}\n{_TEXT}",
        max_chars=200,
        kinds={"table": Lengths(max_chars=1000)},
    )
    tables = [chunk for chunk in result.chunks if chunk.kind == "table" or chunk.chars > 200]

    assert [chunk.part for chunk in tables] == [None]
    assert tables[0].chars > 200


def test_a_shorter_table(cutting: Cutter) -> None:
    """A table over its own ceiling is cut between rows, though its clause would fit."""
    _, result, _ = cutting(
        f"# 第一条 设备\n{_TEXT}\n{rows(12)}\n# 第二条 其他\n{_TEXT}",
        max_chars=800,
        kinds={"table": Lengths(max_chars=100)},
    )
    parts = [chunk for chunk in result.chunks if chunk.part is not None]

    assert len(parts) > 1
    assert max(chunk.chars for chunk in parts) <= 100


def test_sheets(cutting: Cutter) -> None:
    """A workbook's chunks have the lengths of sheets, and no table's."""
    builder = DocumentBuilder(SOURCE)
    cells = [["编号", "名称"], *([str(n), f"设备{n}"] for n in range(60))]
    builder.table(cells, CellPlace("价格", 0, 0), grid={"header_rows": 1})
    kinds = {"table": Lengths(max_chars=30), "sheet": Lengths(max_chars=300, min_chars=20)}
    _, result, _ = cutting(builder.finish(), max_chars=100, kinds=kinds)

    assert 200 < max(chunk.chars for chunk in result.chunks) <= 300


def test_from_a_file(tmp_path: Path) -> None:
    """[chunk.kinds.table] is read from headworks.toml, and refused where it contradicts itself."""
    path = tmp_path / "headworks.toml"
    path.write_text("[chunk.kinds.table]\nmax_chars = 3000\n", encoding="utf-8")

    assert load(path, environment={}).chunk.kinds["table"].max_chars == 3000
    path.write_text("[chunk.kinds.table]\nmax_chars = 10\nmin_chars = 20\n", encoding="utf-8")
    with pytest.raises(ConfigError, match=r"chunk\.kinds\.table"):
        load(path, environment={})
    path.write_text("[chunk.kinds.prose]\nmax_chars = 10\n", encoding="utf-8")
    with pytest.raises(ConfigError):
        load(path, environment={})
