"""Encodings: the right text, the encoding's name, and where bytes did not decode."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.readers.encoding import decode

TEXT = "第一条 甲方应当在收到发票后三十日内付款。\nSecond line, 1,200.50\n"


@pytest.mark.parametrize(
    "encoding",
    ["utf-8", "utf-8-sig", "gb18030", "gbk", "gb2312", "utf-16-le", "utf-16-be", "utf-16"],
)
def test_encodings(encoding: str) -> None:
    """Every encoding of Chinese text gives the same text back."""
    decoded = decode(TEXT.encode(encoding))
    assert decoded.text == TEXT
    assert not decoded.fault_count


@pytest.mark.parametrize(
    ("text", "encoding", "name"),
    [
        ("㐂𠮷是人名用字，见附表。", "gb18030", "gb18030"),
        ("本公司採購設備一批，價格如下。", "big5", "big5hkscs"),
        ("採購合約書", "big5", "big5hkscs"),
        ("甲方", "gbk", "gb18030"),
        ("x,y\n1,2\n" * 2000 + "第一条 付款", "gbk", "gb18030"),
        ("plain", "ascii", "ascii"),
    ],
)
def test_detected(text: str, encoding: str, name: str) -> None:
    """Four-byte characters, Big5, two characters only, and an ASCII head are told right."""
    decoded = decode(text.encode(encoding))
    assert (decoded.text, decoded.encoding) == (text, name)


def test_damaged_bytes_are_reported() -> None:
    """Undecodable bytes become U+FFFD with their offset; the rest stays right."""
    raw = TEXT.encode("gb18030")
    decoded = decode(raw[:19] + b"\xff\xff" + raw[19:])
    assert decoded.encoding == "gb18030"
    assert decoded.faults == (19, 20)
    assert decoded.text.replace("\ufffd", "") == TEXT
    damaged = decode(TEXT.encode() + b"\xe4\xb8")
    assert damaged.encoding == "utf-8"
    assert damaged.faults == (len(TEXT.encode()),)


@given(st.binary(max_size=300))
def test_any_bytes_decode(raw: bytes) -> None:
    """Whatever the bytes are, there is a text, without lone surrogates."""
    assert decode(raw).text.encode("utf-8") is not None


@given(st.text(st.characters(min_codepoint=0x4E00, max_codepoint=0x9FFF), min_size=1))
def test_utf8_is_never_guessed(text: str) -> None:
    """What is valid UTF-8 is read as UTF-8."""
    assert decode(text.encode()).text == text


def test_rare_characters_alone_are_chinese() -> None:
    """A list of names is GB18030 though none of its characters is common; French is not."""
    names = "赵钱孙李周吴郑王\n冯陈褚卫蒋沈韩杨\n" * 3
    assert decode(names.encode("gbk")).text == names
    assert decode(("字" * 1000).encode("gbk")).encoding == "gb18030"
    french = "naïve café, déjà vu à Noël, garçon\n" * 5
    assert decode(french.encode("cp1252")).text == french
