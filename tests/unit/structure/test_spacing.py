"""Documents with neither numbers nor looks: blank lines alone set heads apart."""

from pathlib import Path

from headworks.config import ReadSettings, StructureSettings
from headworks.readers.base import read
from headworks.structure.passes import structure

_TEXT = """项目背景
{gap}本项目位于东部地区，水资源紧缺，需要建设新的渠首工程，以满足下游灌溉的需要。

建设内容
{gap}新建进水闸一座，改建渠道三公里，配套建设管理用房。主要有：
1. 闸门三扇；
2. 启闭机三台。

投资估算
{gap}工程总投资三千万元，其中建筑工程两千万元，其余为独立费用和预备费。
"""
_HEADS = ["项目背景", "建设内容", "投资估算"]


def _outline(folder: Path, text: str) -> list[tuple[int, str]]:
    path = folder / "项目.txt"
    path.write_text(text, encoding="utf-8")
    document = structure(read(path, ReadSettings()), StructureSettings())
    return [(heading.level, heading.text) for heading in document.headings]


def test_short_lines_over_text(tmp_path: Path) -> None:
    """Short lines with a blank line above head what follows, with or without one below."""
    for gap in ("", "\n"):
        outline = _outline(tmp_path, _TEXT.format(gap=gap))
        assert outline == [(1, words) for words in _HEADS]


def test_under_a_title(tmp_path: Path) -> None:
    """A line over the first head is the document's title."""
    outline = _outline(tmp_path, "渠首工程建议书\n\n" + _TEXT.format(gap="\n"))

    assert outline == [(0, "渠首工程建议书"), *((1, words) for words in _HEADS)]


def test_better_evidence(tmp_path: Path) -> None:
    """Where heads have numbers, a short line without one heads nothing."""
    text = _TEXT.format(gap="\n").replace("项目背景", "一、项目背景").replace("投资", "二、投资")
    outline = _outline(tmp_path, text)

    assert [words for _, words in outline] == ["一、项目背景", "二、投资估算"]


def test_a_letter(tmp_path: Path) -> None:
    """A greeting and a signature head nothing."""
    said = "您好！来信收到，我们已经安排人员前往查看，预计下周完成。"
    text = f"尊敬的张先生\n\n{said}\n\n此致\n\n敬礼\n\n水务局"

    assert [level for level, _ in _outline(tmp_path, text)] == [0]
