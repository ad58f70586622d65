"""References to attachments that are other files of the same job."""

import msgspec
import pytest

from headworks.config import StructureSettings
from headworks.model.document import Document
from headworks.structure.across import asked, asks, is_called, lead, offered
from headworks.structure.passes import structure
from tests.build.lines import read_lines

_PRICES = """
|b 14| 附件三：
|c b 18| 价目
2.3 农业用水每方八角。
2.4 特殊月份另行公告。
"""


def _file(lines: str, name: str = "价.docx") -> Document:
    document = read_lines(lines)
    source = msgspec.structs.replace(document.source, name=name)
    return structure(msgspec.structs.replace(document, source=source), StructureSettings())


def _led(words: str, document: Document) -> tuple[str, str, str]:
    wanted, offer = asked(words), offered(document)
    assert wanted is not None
    assert offer is not None
    assert wanted.key == offer.key
    found = lead(wanted, offer, document.text)
    return found.path, document.slice(found.span) if found.span else "", found.why


def test_a_place_in_an_attachment() -> None:
    """附件三第2.4款 leads to the line in the file that is 附件三."""
    path, words, _ = _led("附件三第2.4款", _file(_PRICES))

    assert path == "附件三/2.4"
    assert words.startswith("2.4 特殊月份")


def test_a_whole_attachment() -> None:
    """附件三 alone leads to the whole file."""
    document = _file(_PRICES)

    assert _led("附件三", document) == ("附件三", document.text, "")


def test_a_paragraph_of_an_attachment() -> None:
    """附件四第二条第二款 is the second paragraph of that article."""
    document = _file("|b| 第一条 水\n甲。\n|b| 第二条 质\n一段。\n二段。", "附件四 水质.docx")

    assert _led("附件四第二条第二款", document) == ("附件四/第二条/第二款", "二段。", "")


def test_what_is_not_there() -> None:
    """A place that the attachment does not have is told, with the file's name."""
    assert _led("附件三第2.9款", _file(_PRICES))[1:] == ("", "no 第2.9款 in 附件三 (价.docx)")


@pytest.mark.parametrize(
    ("name", "family", "number"),
    [
        ("附件四 水质.docx", "附件", 4),
        ("供水合同附件4：水质.pdf", "附件", 4),
        ("2-附录二.docx", "附录", 2),
        ("Exhibit B Prices.docx", "Exhibit", 2),
    ],
)
def test_by_the_name_of_the_file(name: str, family: str, number: int) -> None:
    """A file whose name says 附件四 is 附件四, whatever stands in it."""
    offer = offered(_file("水质应当达标。", name))

    assert offer is not None
    assert offer.key == (family, (number,))


@pytest.mark.parametrize("name", ["合同（含附件一）.docx", "附件一与附件二.docx", "附注.docx"])
def test_names_that_say_nothing(name: str) -> None:
    """A file that holds an attachment among others is none."""
    offer = offered(_file("水质应当达标。", name))

    assert offer is None or name == "附件一与附件二.docx"


def test_who_asks() -> None:
    """A document asks where it names an attachment that it does not hold."""
    text = "|b| 第一条 水价\n水价按附件三执行。\n|b| 第二条 水量\n另计。"

    assert asks(_file(text)) == (("附件", (3,)),)
    assert asks(_file(text + "\n|b 14| 附件三 价目\n每方八角。")) == ()


def test_by_its_name() -> None:
    """An attachment is called by its title, by its first heading or by its file's name."""
    offer = offered(_file(_PRICES.replace("价目", "农业用水价目"), "附件三 二〇二四年价格.docx"))

    assert offer is not None
    assert is_called(offer, "水价见附件三《农业用水 价目》。")
    assert is_called(offer, "附件三：二〇二四年价格")
    assert not is_called(offer, "水价见附件三。")
