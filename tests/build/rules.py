"""Rule packs and small documents for tests, from text."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from headworks.config import RuleSettings
from headworks.model.chunk import Chunk
from headworks.model.folding import fold
from headworks.model.verdict import Verdict
from headworks.rules.book import RuleBook, refuse
from headworks.rules.corpus import write_corpus
from headworks.rules.fingerprint import fingerprints
from headworks.rules.loader import parse_pack
from headworks.rules.pack import Pack
from headworks.rules.specimen import specimen


def pack_of(text: str, name: str = "test") -> Pack:
    """Give a pack from YAML; raises RulesError where it has errors."""
    pack = parse_pack(f"{name}.yaml", text.encode())
    refuse(pack)
    return pack


def book_of(
    *texts: str, prefilter: bool = True, elsewhere: Sequence[str] = (), **settings: Any
) -> RuleBook:
    """Give a book of packs from YAML; each pack is named by its ``pack`` key or by its number.

    ``elsewhere`` are the texts of the index of each pack, one other document each.
    """
    packs = [pack_of(text, f"pack{number}") for number, text in enumerate(texts)]
    prints = {str(number): fingerprints(fold(text)) for number, text in enumerate(elsewhere)}
    index = write_corpus(prints)
    packs = [msgspec.structs.replace(pack, index=index) if pack.corpus else pack for pack in packs]
    return RuleBook(packs, RuleSettings(**settings), prefilter=prefilter)


def never_join(_first: Chunk, _second: Chunk) -> None:
    """Refuse every merge."""


def join(first: Chunk, second: Chunk) -> Chunk:
    """Merge any two neighbours."""
    return msgspec.structs.replace(
        first,
        id=f"{first.id}+{second.id}",
        spans=(*first.spans, *second.spans),
        chars=first.chars + second.chars,
    )


def verdict_on(book: RuleBook, text: str, context: Mapping[str, Any] | None = None) -> Verdict:
    """Give the verdict on one text as a chunk of its own."""
    document, chunks, own = specimen(text, context or {})
    _, verdicts = book.judge(document, chunks, never_join)
    return verdicts[own]


def verdicts_on(book: RuleBook, *texts: str) -> tuple[tuple[Chunk, ...], tuple[Verdict, ...]]:
    """Give chunks and verdicts of a document whose chunks are the texts, any two may merge."""
    document, chunks, _ = specimen("\n".join(texts), {})
    position = 0
    found = []
    for number, text in enumerate(texts):
        end = position + len(text) + (1 if number < len(texts) - 1 else 0)
        span = type(chunks[0].spans[0])(position, end)
        found.append(
            msgspec.structs.replace(
                chunks[0], id=f"c{number}", ordinal=number, spans=(span,), chars=len(text)
            )
        )
        position = end
    return book.judge(document, found, join)
