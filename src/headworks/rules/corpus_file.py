"""The file that a pack names as its corpus: read once, known by its content.

Takes a pack, gives the bytes beside it with their hash. Never reads them for a pack that names
none.
"""

from hashlib import blake2b
from pathlib import Path

from headworks.details import in_chinese
from headworks.errors import RulesError
from headworks.rules.corpus import Corpus, read_corpus
from headworks.rules.pack import Pack


class Index:
    """Bytes of an index; two are the same where their hash is."""

    def __init__(self, content: bytes, place: str) -> None:
        self.digest = blake2b(content, digest_size=16).digest()
        self._content = content
        self._place = place

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Index) and other.digest == self.digest

    def __hash__(self) -> int:
        return hash(self.digest)

    def with_pack(self, digest: str) -> str:
        """Give one hash of the pack and the index: the version that a verdict names."""
        return blake2b(digest.encode() + self.digest, digest_size=6).hexdigest()

    def corpus(self) -> Corpus:
        """Read the index. Raises RulesError where it is none."""
        content, self._content = self._content, b""
        return read_corpus(content, self._place)


def open_index(pack: Pack) -> Index | None:
    """Give the index that a pack names, looked for beside its file; none where it names none."""
    if not pack.corpus:
        return None
    path = Path(pack.file).parent / pack.corpus
    try:
        return Index(path.read_bytes(), path.as_posix())
    except OSError as problem:
        said = in_chinese(problem.strerror or str(problem))
        message = f"打不开索引（{said}）；先运行 headworks rules boilerplate 文件夹 -o {path}"
        raise RulesError("E_RULES", message, place=pack.file) from problem
