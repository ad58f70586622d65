from pathlib import Path

import pytest

from headworks.chunking.ledger import unbalanced
from headworks.config import ReadSettings, RuleSettings, Settings
from headworks.model.document import Document
from headworks.pipeline import Outcome, process, process_document
from headworks.readers.base import read
from headworks.rules.book import load

TEXT = """# 设备采购合同

## 第一条 货物

乙方向甲方供应设备。

## 第二条 违约责任

乙方逾期交货的，违约金为合同总额的10%，但最高不超过50万元。
"""
SETTINGS = Settings(rules=RuleSettings(packs=("contract",)))


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Give a small contract."""
    file = tmp_path / "合同.md"
    file.write_text(TEXT, encoding="utf-8")
    return file


def _read(path: Path) -> Document:
    return read(path, ReadSettings())


def _processed(path: Path) -> Outcome:
    return process(path, _read, SETTINGS, load(SETTINGS.rules.packs, SETTINGS.rules))


def test_a_file_becomes_judged_chunks(path: Path) -> None:
    """From a path to chunks with verdicts, one each, and a ledger that balances."""
    outcome = _processed(path)
    assert [verdict.chunk for verdict in outcome.verdicts] == [c.id for c in outcome.chunks]
    assert unbalanced(outcome.document, outcome.chunks, outcome.ledger) == ""
    assert "RISK_CLAUSE" in outcome.verdicts[-1].tags
    assert outcome.document.steps[0] == "read"


def test_each_stage_is_timed(path: Path) -> None:
    """The seconds of each stage are told by the contract's names; the clock is given."""
    ticks = iter(range(100))
    book = load((), SETTINGS.rules)
    outcome = process(path, _read, SETTINGS, book, clock=lambda: float(next(ticks)))
    assert {"read", "structure", "chunk", "judge"} <= set(outcome.timings)
    assert set(outcome.timings.values()) == {1.0}


def test_a_document_read_elsewhere_goes_the_same_way(path: Path) -> None:
    """A document in memory gives the chunks that its file gives."""
    book = load(SETTINGS.rules.packs, SETTINGS.rules)
    again = process_document(_read(path), SETTINGS, book)
    first = _processed(path)
    assert (again.chunks, again.verdicts, again.ledger) == (
        first.chunks,
        first.verdicts,
        first.ledger,
    )
