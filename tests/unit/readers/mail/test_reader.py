"""The mail readers keep their promises on mails built by code."""

from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.model.document import Document
from headworks.readers.base import read
from headworks.readers.mail.headers import header_text
from headworks.readers.mail.reader import attachments
from tests.build import mail
from tests.build.packages import compound_file


def _texts(document: Document) -> list[str]:
    return [document.slice(block.span) for block in document.blocks]


def _raw(tmp_path: Path, raw: bytes) -> Document:
    path = tmp_path / "raw.eml"
    path.write_bytes(raw)
    return read(path, ReadSettings())


def test_head_then_body(tmp_path: Path) -> None:
    """The first block is the head, the body follows as paragraphs; facts are in the metadata."""
    path = mail.eml(tmp_path / "a.eml", "您好：\n\n请审阅附件。", attached={"合同.docx": b"x" * 9})
    document = read(path, ReadSettings())
    assert _texts(document) == [
        "From: 张三 <zhang@example.com>\nTo: 李四 <li@example.com>\n"
        "Date: Mon, 02 Mar 2026 08:00:00 +0800\nSubject: 采购合同请审阅\nAttachments: 合同.docx",
        "您好：",
        "请审阅附件。",
    ]
    assert document.metadata.title == "采购合同请审阅"
    assert document.metadata.author == "张三 <zhang@example.com>"
    assert document.metadata.created == "2026-03-02T08:00:00+08:00"
    assert document.metadata.more["attachments"] == ["合同.docx (9 bytes)"]


def test_of_two_forms_of_the_body_the_richer_is_read(tmp_path: Path) -> None:
    """A mail that tells the same as text and as HTML is read once, with its tables."""
    page = "<h1>报价</h1><table><tr><td>水泵<td>300</table><p style='display:none'>x</p>"
    document = read(mail.eml(tmp_path / "a.eml", "报价 水泵 300", html=page), ReadSettings())
    assert _texts(document)[1:] == ["报价", "水泵\t300", "x"]
    assert document.blocks[1].style.outline_level == 1
    assert document.blocks[3].role == "hidden_text"


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("=?gb2312?B?ssm5urrPzaw=?=", "采购合同"),
        ("=?utf-8?B?6YeH6LSt5Q==?= =?utf-8?B?kIjlkIw=?=", "采购合同"),
        ("=?UTF-8?Q?=E5=90=88_=E5=90=8C?= v2", "合 同 v2"),
        ("Re: =?gbk?B?uqPN4g==?= x", "Re: 海外 x"),
        ("=?nonsense?B?ssm5urrPzaw=?=", "采购合同"),
        ("plain", "plain"),
    ],
)
def test_encoded_words(value: str, expected: str) -> None:
    """Words of headers are decoded, characters cut apart between two words included."""
    assert header_text(value) == expected


def test_raw_bytes_in_heads_and_bodies(tmp_path: Path) -> None:
    """GBK bytes without any declaration are read, in the head as in the body."""
    raw = "From: 王五\r\nTo: a@b.c\r\nSubject: 会议纪要与决定\r\n\r\n一、会议决定采购设备。\r\n"
    document = _raw(tmp_path, raw.encode("gbk"))
    assert _texts(document) == [
        "From: 王五\nTo: a@b.c\nSubject: 会议纪要与决定", "一、会议决定采购设备。",
    ]  # fmt: skip


def test_letters_in_letters_are_attachments(tmp_path: Path) -> None:
    """A forwarded mail is an attachment of its own, and pictures of the body are none."""
    raw = (
        b"From: a@b.c\nTo: d@e.f\nSubject: Fwd\nMIME-Version: 1.0\n"
        b"Content-Type: multipart/mixed; boundary=X\n\n--X\nContent-Type: text/plain\n\nsee below\n"
        b"--X\nContent-Type: message/rfc822\n\nFrom: g@h.i\nTo: a@b.c\nSubject: Offer\n\nprice 5\n"
        b"--X\nContent-Type: image/png; name=logo.png\nContent-ID: <1>\n"
        b"Content-Disposition: inline\n\n\x89PNG\n--X--\n"
    )
    document = _raw(tmp_path, raw)
    assert document.metadata.more["attachments"] == ["Offer.eml (45 bytes)"]
    assert document.metadata.more["pictures_in_body"] == 1
    (inner,) = attachments(tmp_path / "raw.eml", "eml")
    assert b"price 5" in inner.content


def test_sealed_mail_is_told(tmp_path: Path) -> None:
    """A mail whose body is encrypted is E_ENCRYPTED."""
    raw = (
        b"From: a@b.c\nTo: d@e.f\nSubject: s\nMIME-Version: 1.0\n"
        b"Content-Type: application/pkcs7-mime; smime-type=enveloped-data\n\nMIIB\n"
    )
    with pytest.raises(InputError) as caught:
        _raw(tmp_path, raw)
    assert caught.value.code == "E_ENCRYPTED"


def test_a_mail_under_another_name_is_read(tmp_path: Path) -> None:
    """A mail is told by its content, with a warning; a text that begins like one not."""
    path = mail.eml(tmp_path / "a.txt", "正文")
    assert "采购合同请审阅" in read(path, ReadSettings()).text
    text = tmp_path / "b.txt"
    text.write_text("From: 甲方\nTo: 乙方\nDate: 今日\n\n正文", encoding="utf-8")
    assert read(text, ReadSettings()).source.media_type == "text/plain"


def test_outlook_messages(tmp_path: Path) -> None:
    """A MSG gives head, HTML body, attachments, and attached messages as mails."""
    inner = {
        **mail.strings({0x0037: "旧报价", 0x0C1A: "赵六", 0x1000: "上次价格 80 元"}),
        **mail.numbers({}, head=24),
    }
    page = "<html><body><p>报价</p><p>300 元</p></body></html>"
    path = mail.msg(
        tmp_path / "a.msg",
        {
            **mail.numbers({0x3FDE: 936}),
            **mail.strings({0x0037: "报价单", 0x0C1A: "张三", 0x5D01: "z@example.com",
                            0x0E04: "李四", 0x1000: "报价 300"}),
            "__substg1.0_10130102": page.encode("gbk"),
            **mail.attachment("清单.xlsx", b"y" * 5000),
            "__attach_version1.0_#00000001": {
                **mail.strings({0x3001: "旧"}), "__substg1.0_3701000D": inner,
            },
        },
    )  # fmt: skip
    document = read(path, ReadSettings())
    assert _texts(document) == [
        "From: 张三 <z@example.com>\nTo: 李四\nSubject: 报价单\nAttachments: 清单.xlsx, 旧报价.eml",
        "报价",
        "300 元",
    ]
    table, letter = attachments(path, "msg")
    assert table.content == b"y" * 5000
    inner_path = tmp_path / "inner.eml"
    inner_path.write_bytes(letter.content)
    assert "上次价格 80 元" in read(inner_path, ReadSettings()).text


def test_outlook_rtf_bodies(tmp_path: Path) -> None:
    """Where a MSG has its body in RTF alone, that is read."""
    rtf = rb"{\rtf1\ansi\ansicpg936 \'b1\'a8\'bc\'db 300\par}"
    path = mail.msg(
        tmp_path / "a.msg",
        {**mail.numbers({}), **mail.strings({0x0037: "s"}),
         "__substg1.0_10090102": mail.packed_rtf(rtf)},
    )  # fmt: skip
    assert _texts(read(path, ReadSettings()))[-1] == "报价 300"


def test_a_compound_file_without_a_message_is_refused(tmp_path: Path) -> None:
    """A MSG whose directory is all that is left is E_EMPTY, never a fault."""
    path = compound_file(tmp_path / "a.msg", ["__properties_version1.0"])
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_EMPTY"
