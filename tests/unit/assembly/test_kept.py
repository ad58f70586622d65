import msgspec
import pytest

from headworks.assembly import kept
from headworks.errors import StorageError
from tests.build.outcome import built


def test_a_document_comes_back_as_it_was_kept() -> None:
    """Text, blocks, lines and the count of chunks are the same."""
    document = built().document
    back = kept.decode(kept.encode(document, 7))
    assert back.cut == 7
    assert back.document == document


@pytest.mark.parametrize("content", [b"", b"not it", msgspec.msgpack.encode([9, 1, b""])])
def test_other_bytes_are_refused(content: bytes) -> None:
    """A broken or newer file is told with its place."""
    with pytest.raises(StorageError, match=r"document\.bin"):
        kept.decode(content)
