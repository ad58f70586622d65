"""Plain text: paragraphs as a reader sees them."""

import os
import textwrap
from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError, StorageError
from headworks.model.document import Document
from headworks.readers.base import read

SENTENCE = "供方应当按照本合同约定的时间和地点向需方交付货物并承担交付之前的一切风险和费用"


def read_text(path: Path, content: str | bytes) -> Document:
    """Write a text file and read it."""
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    return read(path, ReadSettings())


def blocks(document: Document) -> list[str]:
    """Give the text of each block."""
    return [document.slice(block.span) for block in document.blocks]


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_line_ends(tmp_path: Path, end: str) -> None:
    """Each line is a paragraph, with any line end; blank lines part them."""
    lines = ["第一条 付款", "", "甲方应当付款。", "　　第二款另起一行。"]
    document = read_text(tmp_path / "a.txt", end.join(lines))
    assert blocks(document) == ["第一条 付款", "甲方应当付款。", "第二款另起一行。"]
    assert document.blocks[-1].style.indent > 0


def test_mixed_line_ends(tmp_path: Path) -> None:
    """Line ends of all kinds in one file part the same."""
    document = read_text(tmp_path / "a.txt", "一\r\n二\n三\r四\u2028五")
    assert blocks(document) == list("一二三四五")


def wrapped(width: int, indent: str) -> str:
    """Give six paragraphs broken at a width."""
    paragraphs = [f"第{n}条 {SENTENCE * 3}。" for n in "一二三四五六"]
    lines = []
    for paragraph in paragraphs:
        body = indent + paragraph
        lines += [body[at : at + width] for at in range(0, len(body), width)]
    return "\n".join(lines)


@pytest.mark.parametrize("indent", ["", "　　"])
def test_hard_wrapped_lines_are_joined(tmp_path: Path, indent: str) -> None:
    """Lines broken at a width come back as one paragraph each."""
    document = read_text(tmp_path / "a.txt", wrapped(36, indent))
    assert len(document.blocks) == 6
    assert all(text.startswith("第") and text.endswith("。") for text in blocks(document))


def test_lines_ended_on_purpose_stay(tmp_path: Path) -> None:
    """Short lines, labels and full sentences are not joined."""
    lines = [f"{n}、{SENTENCE[:12]}{'，' if n % 2 else '。'}" for n in range(1, 20)]
    assert blocks(read_text(tmp_path / "a.txt", "\n".join(lines))) == lines


@pytest.mark.parametrize(
    "lines",
    [
        [f"{n:040x}" for n in range(5000, 5040)],
        [
            f"2024-01-{n:02} 12:00:00 INFO worker started with a longer text here"
            for n in range(10, 30)
        ],
        ["for item in range(10): value = item * 2 + other_value(item);"] * 20,
    ],
)
def test_entries_of_one_width_stay(tmp_path: Path, lines: list[str]) -> None:
    """Lists of keys, logs and code are no wrapped prose, though their lines are of one width."""
    assert blocks(read_text(tmp_path / "a.txt", "\n".join(lines))) == lines


def test_wrapped_english(tmp_path: Path) -> None:
    """Words of wrapped English lines are joined with a blank."""
    sentence = (
        "The supplier shall deliver the goods to the place that the buyer has named in writing"
    )
    wrapped = "\n\n".join(
        textwrap.fill(f"{sentence} and {sentence.lower()}.", 40) for _ in range(6)
    )
    document = read_text(tmp_path / "a.txt", wrapped)
    assert blocks(document) == [f"{sentence} and {sentence.lower()}."] * 6


def test_tab_separated_table(tmp_path: Path) -> None:
    """Lines of tab-separated cells are a table, also where a cell holds a line end."""
    content = "清单如下\n名称\t数量\t备注\n螺栓\t10\t一级\n螺母\t20\t二级\n或三级\n\n完"
    document = read_text(tmp_path / "a.txt", content)
    table = document.blocks[1].table
    assert table is not None
    assert (table.rows, table.columns, table.header_rows) == (3, 3, 1)
    assert blocks(document)[0] == "清单如下"
    assert blocks(document)[-1] == "完"


def test_very_long_line(tmp_path: Path) -> None:
    """A line of a million characters is one paragraph."""
    document = read_text(tmp_path / "a.txt", "长" * 1_000_000)
    assert len(document.blocks) == 1
    assert len(document.text) == 1_000_000


def test_encoding_is_told(tmp_path: Path) -> None:
    """The document names the encoding and each place that did not decode."""
    raw = "第一条 甲方应当付款。".encode("gb18030") + b"\xff" + "第二条".encode("gb18030")
    document = read_text(tmp_path / "a.txt", raw)
    assert document.metadata.more["encoding"] == "gb18030"
    assert [problem.code for problem in document.problems] == ["W_ENCODING"]
    assert document.problems[0].place == "byte 21"
    assert document.lost.unreadable_characters == 1


@pytest.mark.corpus
def test_corpus_wrapped_regulation(corpus: Path) -> None:
    """The corpus' hard-wrapped regulation gives one paragraph an article, in both encodings."""
    utf8 = read(corpus / "files/regulation/mof_order87_txt.txt", ReadSettings())
    gbk = read(corpus / "files/derived/mof_order87_gbk.txt", ReadSettings())
    assert utf8.text == gbk.text
    articles = [text for text in blocks(utf8) if text.startswith("第") and "条 " in text[:8]]
    assert len(articles) == 88


def test_a_file_without_the_right_to_read_is_e_io(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A file that may not be opened is E_IO, not a fault of the reader."""
    path = tmp_path / "a.txt"
    path.write_text("第一条", encoding="utf-8")

    def refusing(self: Path, *_: object, **__: object) -> None:
        raise PermissionError(13, "Permission denied", str(self))

    monkeypatch.setattr(Path, "open", refusing)
    with pytest.raises(StorageError, match="E_IO"):
        read(path, ReadSettings())


@pytest.mark.parametrize("content", [" \n\t\n", "\u3000\u3000\n", "\ufeff\n", "\xa0"])
def test_white_space_alone_is_empty(tmp_path: Path, content: str) -> None:
    """White space of whatever kind and nothing else is E_EMPTY."""
    with pytest.raises(InputError, match="E_EMPTY"):
        read_text(tmp_path / "a.txt", content)


def test_a_pipe_is_no_document(tmp_path: Path) -> None:
    """A named pipe is E_TYPE at once: reading it would wait for ever."""
    os.mkfifo(tmp_path / "a.txt")
    with pytest.raises(InputError, match="E_TYPE"):
        read(tmp_path / "a.txt", ReadSettings())
