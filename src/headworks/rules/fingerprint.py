"""What a text is compared by: its letters without blanks and number, its figures, its pieces.

Takes folded text, gives a ``Fingerprint``. Never lets two texts seem the same that differ in a
figure, and never depends on the process: the hashes are the same everywhere.
"""

import re
from hashlib import blake2b
from zlib import crc32

import msgspec

SPACE = re.compile(r"\s+")
FIGURES = re.compile(
    r"[0-9]+(?:[.,][0-9]+)*%?|[〇零一二三四五六七八九十百千万亿壹贰叁肆伍陆柒捌玖拾佰仟]+"
)
# The number in front: 第八条, 2.1, (一). In 30日内 and 1.5倍 the figure is part of what is said.
LABEL = re.compile(
    r"^\s*(?:第[〇零一二三四五六七八九十百千0-9]+[章节条款]"
    r"|[0-9]+(?:\.[0-9]+)*(?:[.、)](?![0-9])|(?=\s))"
    r"|[0-9]+(?:\.[0-9]+){2,4}(?![0-9.%])"
    r"|[0-9]+\.[0-9]+(?=[\u4e00-\u9fff])(?![倍万亿元个米吨千百公平折小年天月日分毫厘立升度台套次])"
    r"|\([0-9]+\)|\(?[一二三四五六七八九十]+[)、.])\s*"
)
WIDTH = 3
# Of a text longer than so many characters one piece in four is kept, the same ones everywhere.
SHORT = 400
_KEPT_ONE_IN = 4
_DIGEST = 8


class Fingerprint(msgspec.Struct, frozen=True):
    """Hashes of a text: of all of it, of its figures, and of its pieces of three characters."""

    whole: bytes
    figures: bytes
    pieces: frozenset[int]


def fingerprint(folded: str) -> Fingerprint:
    """Give what a text is compared by, the number in front and white space left out."""
    said = LABEL.sub("", folded, count=1)
    plain = SPACE.sub("", said)
    hashes = {_hash(plain[at : at + WIDTH]) for at in range(max(1, len(plain) - WIDTH + 1))}
    if len(plain) > SHORT:
        hashes = {piece for piece in hashes if piece % _KEPT_ONE_IN == 0}
    return Fingerprint(_digest(plain), _digest("|".join(figures_of(folded))), frozenset(hashes))


def fingerprints(folded: str) -> list[Fingerprint]:
    """Give what each line is compared by: how a document is cut makes no difference to lines."""
    return [fingerprint(line) for line in folded.split("\n") if line.strip()]


def figures_of(folded: str) -> tuple[str, ...]:
    """Give every number as written, Chinese ones too, the one in front of the text left out."""
    return tuple(sorted(FIGURES.findall(LABEL.sub("", folded, count=1))))


def kept(piece: str) -> bool:
    """Tell whether a piece of a long text is one that is compared."""
    return _hash(piece) % _KEPT_ONE_IN == 0


def _hash(piece: str) -> int:
    return crc32(piece.encode("utf-8", "replace"))


def _digest(text: str) -> bytes:
    return blake2b(text.encode("utf-8", "replace"), digest_size=_DIGEST).digest()
