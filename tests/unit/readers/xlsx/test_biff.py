"""XLS beyond its values: how numbers are shown, and what is hidden."""

import contextlib
import struct
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.readers.base import read
from headworks.readers.compound import CompoundFile
from headworks.readers.xlsx.biff import read_biff
from tests.build.packages import compound_file


def record(kind: int, body: bytes) -> bytes:
    """Give a record."""
    return struct.pack("<HH", kind, len(body)) + body


def biff_stream() -> bytes:
    """Give a workbook stream: one sheet with numbers under formats, a hidden row and column."""
    code = b"yyyy-mm-dd"
    head = record(0x809, struct.pack("<HHIII", 0x600, 5, 0, 0, 0))
    head += record(0x41E, struct.pack("<HHB", 200, len(code), 0) + code)
    head += b"".join(
        record(0xE0, struct.pack("<HH", 0, fmt) + bytes(16)) for fmt in (0, 10, 200, 7)
    )
    name = "表".encode("utf-16-le")
    place = len(head) + 4 + 8 + len(name) + 4
    sheet_entry = struct.pack("<IBBBB", place, 0, 0, 1, 1) + name
    head += record(0x85, sheet_entry) + record(0x0A, b"")
    sheet = record(0x809, struct.pack("<HHIII", 0x600, 16, 0, 0, 0))
    sheet += record(0x7D, struct.pack("<HHHHHH", 3, 3, 0, 0, 1, 0))
    sheet += record(0x208, struct.pack("<HHHHHHHH", 5, 0, 4, 0, 0, 0, 0x20, 0))
    sheet += record(0x203, struct.pack("<HHHd", 0, 0, 1, 0.255))
    sheet += record(0x27E, struct.pack("<HHHI", 0, 1, 2, 45383 << 2 | 2))
    sheet += record(0xBD, struct.pack("<HHHIHIH", 1, 0, 3, 119950 << 2 | 3, 0, 7 << 2 | 2, 1))
    sheet += record(0x0A, b"")
    return head + sheet


def test_numbers_as_shown() -> None:
    """Percent, date and currency come through NUMBER, RK and MULRK records."""
    book = read_biff(biff_stream())
    assert book is not None
    sheet = book.sheets["表"]
    shown = {
        place: book.styles.numbers(style)[raw] for place, (raw, style) in sheet.numbers.items()
    }
    assert shown == {
        (0, 0): "25.50%", (0, 1): "2024-04-01", (1, 0): "¥1,199.50", (1, 1): "7"
    }  # fmt: skip
    assert sheet.hidden_rows == {5}
    assert sheet.hidden_columns == {3}


def test_password() -> None:
    """A workbook whose records are encrypted is E_ENCRYPTED."""
    head = record(0x809, struct.pack("<HHIII", 0x600, 5, 0, 0, 0))
    with pytest.raises(InputError) as caught:
        read_biff(head + record(0x2F, bytes(54)))
    assert caught.value.code == "E_ENCRYPTED"


def test_older_versions_are_left_to_their_values() -> None:
    """A stream of another version gives nothing, instead of something wrong."""
    assert read_biff(record(0x809, struct.pack("<HHI", 0x500, 5, 0))) is None
    assert read_biff(b"") is None


@given(st.binary(max_size=400), st.integers(0, 500))
def test_broken_streams_end(noise: bytes, place: int) -> None:
    """A broken stream ends in a value or one of three errors, never in a loop."""
    stream = biff_stream()
    broken = stream[:place] + noise + stream[place + len(noise) :]
    with contextlib.suppress(InputError, struct.error, ValueError, IndexError):
        read_biff(broken)


@given(st.binary(max_size=600), st.integers(0, 1400))
def test_broken_containers_end(
    tmp_path_factory: pytest.TempPathFactory, noise: bytes, at: int
) -> None:
    """A broken compound file gives what can be read, never a loop."""
    path = compound_file(tmp_path_factory.mktemp("cfb") / "a.xls", ["Workbook", "x"])
    raw = path.read_bytes()
    file = CompoundFile(raw[:at] + noise + raw[at + len(noise) :])
    for name in file.entries:
        file.stream(name)


@pytest.mark.corpus
def test_corpus_workbooks(corpus: Path) -> None:
    """The corpus' XLS files show whole numbers without a fraction."""
    document = read(corpus / "files/finance/reimbursement_form_xls.xls", ReadSettings())
    assert "\t2072\t" in document.text
    assert "2072.0" not in document.text
