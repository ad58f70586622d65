"""References to attachments that are other files of the same job."""

import msgspec

from headworks.config import StructureSettings
from headworks.model.document import Document
from headworks.structure.across import across
from headworks.structure.passes import structure
from tests.build.lines import read_lines

_CONTRACT = """
|c b 22| 供水合同
|b| 第一条 水价
水价按附件三第2.4款执行，水质见附件四。
|b| 第二条 水量
水量按第一条的水价结算。
"""
_PRICES = """
|b 14| 附件三：
|c b 18| 价目
2.3 农业用水每方八角。
2.4 特殊月份另行公告。
"""


def _file(lines: str, name: str, digit: str) -> Document:
    document = read_lines(lines)
    source = msgspec.structs.replace(document.source, name=name, sha256=digit * 64)
    return structure(msgspec.structs.replace(document, source=source), StructureSettings())


def test_an_attachment_in_another_file() -> None:
    """附件三第2.4款 leads into the file that is 附件三, and is reported no more."""
    contract, prices = across([_file(_CONTRACT, "合同.docx", "a"), _file(_PRICES, "价.docx", "b")])
    ref = next(ref for ref in contract.refs if ref.text == "附件三第2.4款")

    assert (ref.status, ref.document, ref.why) == ("external", "b" * 64, "in 价.docx")
    assert ref.document_span is not None
    assert prices.slice(ref.document_span).startswith("2.4 特殊月份")
    assert [problem.message[:3] for problem in contract.problems] == ["附件四"]


def test_by_the_name_of_the_file() -> None:
    """A file called 附件四 水质.docx is 附件四, whatever stands in it."""
    quality = _file("水质应当达标。", "附件四 水质.docx", "c")
    contract, _ = across([_file(_CONTRACT, "合同.docx", "a"), quality])
    ref = next(ref for ref in contract.refs if ref.text == "附件四")

    assert (ref.document, ref.document_span) == ("c" * 64, quality.zones[0].span)


def test_two_files_of_one_number() -> None:
    """Where two files are 附件三, neither is guessed."""
    files = [_file(_CONTRACT, "合同.docx", "a"), _file(_PRICES, "价.docx", "b")]
    contract, *_ = across([*files, _file(_PRICES, "旧价.docx", "d")])

    assert {ref.document for ref in contract.refs} == {None}
