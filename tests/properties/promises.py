"""What must hold for every document that is cut, told once for the tests and the marathon."""

from headworks.chunking.cut import cut, join
from headworks.chunking.ledger import check, renew
from headworks.chunking.promises import own_spans
from headworks.model.chunk import Chunk
from tests.properties.documents import Made


def hold(made: Made) -> None:
    """Raise AssertionError or FaultError for the first promise that a made-up document breaks."""
    document, settings, directives = made.document, made.settings, made.directives
    result = cut(document, settings, directives)
    check(document, result.chunks, result.ledger, settings, directives)
    assert cut(document, settings, directives) == result, "two cuts of one document differ"
    assert len({chunk.id for chunk in result.chunks}) == len(result.chunks), "an id stands twice"
    _count_alone(made, result.chunks)
    for ordinal, chunk in enumerate(result.chunks):
        assert chunk.ordinal == ordinal
        text = chunk.text_in(document.text)
        assert text.strip(), "an empty chunk"
        assert text == text.rstrip(), "white space at the end of a chunk"
        assert not text.startswith("\n"), "a line end at the start of a chunk"
    _joined(made, result.chunks)


def _count_alone(made: Made, chunks: tuple[Chunk, ...]) -> None:
    """Count each code point by itself, as the independent check of the corpus does."""
    text = made.document.text
    cover = bytearray(len(text))
    for chunk in chunks:
        for span in own_spans(chunk):
            for at in range(span.start, span.end):
                cover[at] += 1
    assert max(cover, default=0) <= 1, "a code point is in two chunks"
    body = [block.span for block in made.document.blocks if block.role == "body"]
    if made.settings.chapter_titles == "path" or any(d.action == "strip" for d in made.directives):
        return
    contents = [zone.span for zone in made.document.zones if zone.kind == "contents"]
    for span in body:
        if any(zone.start <= span.start < zone.end for zone in contents):
            continue
        missing = [at for at in range(span.start, span.end) if not cover[at] and text[at].strip()]
        assert not missing, f"text at {missing[0]} is in no chunk"


def _joined(made: Made, chunks: tuple[Chunk, ...]) -> None:
    """Join what may be joined, as a rule would, and check the result like any other."""
    document, settings = made.document, made.settings
    kept: list[Chunk] = []
    for chunk in chunks:
        one = join(document, settings, kept[-1], chunk) if kept else None
        if one is None:
            kept.append(chunk)
        else:
            kept[-1] = one
    ledger = renew(document, cut(document, settings, made.directives).ledger, kept)
    check(document, kept, ledger, settings, made.directives)
