"""Files cut short: refused, or read as far as they reach where that is asked for."""

from collections.abc import Callable
from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.readers.base import read
from tests.build import docx, ofd, pptx, xlsx

_WORDS = [f"第{n}条 本合同第{n * 7919 % 3571}项货物由乙方交付。" for n in range(400)]


def _docx(path: Path) -> Path:
    return docx.build(path, "".join(docx.para(line) for line in _WORDS))


def _xlsx(path: Path) -> Path:
    rows = xlsx.rows_of([[line, n] for n, line in enumerate(_WORDS)])
    return xlsx.workbook(path, [xlsx.Sheet(rows), xlsx.Sheet(xlsx.rows_of([["末页", 1]]))])


def _pptx(path: Path) -> Path:
    slides = [pptx.Slide([pptx.box(line), pptx.box(f"甲{line}")]) for line in _WORDS[:60]]
    return pptx.write(path, slides)


def _ofd(path: Path) -> Path:
    pages = [[ofd.words(line, (20, 20 + 10 * n)) for n, line in enumerate(_WORDS[:20])]] * 3
    return ofd.write(path, pages)


@pytest.mark.parametrize(
    ("suffix", "build", "kept"),
    [("docx", _docx, 0.6), ("xlsx", _xlsx, 0.5), ("pptx", _pptx, 0.6), ("ofd", _ofd, 1.0)],
)
def test_a_file_cut_short(
    tmp_path: Path, suffix: str, build: Callable[[Path], Path], kept: float
) -> None:
    """With a share of its parts a package is E_CORRUPT; salvage reads those that are there."""
    raw = build(tmp_path / f"whole.{suffix}").read_bytes()
    path = tmp_path / f"cut.{suffix}"
    path.write_bytes(raw[: int(raw.index(b"PK\x01\x02") * kept)])
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_CORRUPT"
    document = read(path, ReadSettings(salvage=True))
    assert _WORDS[0] in document.text
    assert "W_SALVAGED" in {problem.code for problem in document.problems}


def test_a_sheet_that_is_gone_is_named(tmp_path: Path) -> None:
    """A sheet whose part is lost is told by its name; the others are read."""
    raw = _xlsx(tmp_path / "whole.xlsx").read_bytes()
    path = tmp_path / "cut.xlsx"
    path.write_bytes(raw[: raw.rindex(b"PK\x03\x04")])
    document = read(path, ReadSettings(salvage=True))
    assert document.lost.unread_parts == ("Sheet2 (xl/worksheets/sheet2.xml)",)
