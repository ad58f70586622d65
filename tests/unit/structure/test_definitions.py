"""Definitions: terms and their meanings."""

import pytest

from headworks.config import StructureSettings
from headworks.structure.passes import structure
from tests.build.lines import read_lines


def _terms(text: str) -> list[tuple[str, str]]:
    document = structure(read_lines(text), StructureSettings())
    return [(one.term, document.slice(one.meaning).strip()) for one in document.definitions]


@pytest.mark.parametrize(
    ("text", "term", "meaning"),
    [
        ("青山渠管理站（以下简称“甲方”）与宁州公司签约。", "甲方", "青山渠管理站"),
        ("青山渠管理站（以下简称甲方）", "甲方", "青山渠管理站"),
        ("甲方和乙方（以下统称“双方”）", "双方", "甲方和乙方"),
        ("“渠首”是指渠道进口的建筑物。", "渠首", "渠道进口的建筑物"),
        ("第二条 本办法所称水闸，是指渠首的闸。", "水闸", "渠首的闸"),
        ("1.1 “工期”系指开工至竣工的天数；", "工期", "开工至竣工的天数"),
        ("水闸（sluice）：指控制水位的建筑物。", "水闸", "控制水位的建筑物"),
        (
            '1.1 "Goods" means the gates listed in Exhibit A.',
            "Goods",
            "the gates listed in Exhibit A.",
        ),
    ],
)
def test_defined(text: str, term: str, meaning: str) -> None:
    """A term is found with the words that say what it means."""
    assert (term, meaning) in _terms(text)


def test_once() -> None:
    """A term defined again keeps its first place."""
    assert _terms("“渠首”是指进口。\n“渠首”是指别的。") == [("渠首", "进口")]


def test_not_defined() -> None:
    """Words that merely point are no definitions."""
    assert _terms("前款所称情形是指上述情形。\n站长认为这是指责。\n其是指水闸。") == []
