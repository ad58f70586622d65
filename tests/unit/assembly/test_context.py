from collections.abc import Callable

import msgspec
import pytest

from headworks.assembly.context import Meaning, Piece, Shelf, Wishes, meanings
from headworks.assembly.shapes import ChunkRecord
from headworks.chunking.tokens import estimate
from headworks.model.outline import Definition
from headworks.model.place import Span
from headworks.model.verdict import Edit
from headworks.privacy.veil import Veil
from tests.build.delivery import chunks_of
from tests.build.outcome import built

CHUNKS = chunks_of()
FIRST, SECOND, THIRD = CHUNKS
EVERYTHING = Wishes()


def _with_text(chunk: ChunkRecord, text: str) -> ChunkRecord:
    return msgspec.structs.replace(chunk, text=text, delivered=None, redactions=[])


def _sentences(count: int, words: str) -> str:
    return "".join(f"{words}第{number}句话。" for number in range(count))


def _kinds(pieces: tuple[Piece, ...]) -> list[str]:
    return [piece.kind for piece in pieces]


def test_references_come_before_definitions_before_neighbours() -> None:
    """With room for all, all are there, in the order of their use."""
    meaning = Meaning("设备", "“设备”是指水泵和阀门。", Span(9000, 9001))
    shelf = Shelf(CHUNKS, [meaning])
    material = shelf.material(FIRST, EVERYTHING, 4000, estimate)
    assert _kinds(material.pieces) == ["reference", "definition", "after"]
    assert material.pieces[0].title == "附件一 → 附件一"
    assert "水泵" in material.pieces[0].text
    assert material.pieces[1].text == "“设备”是指水泵和阀门。"
    assert material.chunks == (THIRD.id, SECOND.id)


def test_what_has_no_room_is_left_out_whole() -> None:
    """Every piece is made of whole sentences, and all together keep within the room."""
    long = [_with_text(FIRST, _sentences(40, "甲")), _with_text(SECOND, _sentences(40, "乙")),
            _with_text(THIRD, _sentences(40, "丙"))]  # fmt: skip
    shelf = Shelf([
        msgspec.structs.replace(long[0], references=FIRST.references, next=SECOND.id), *long[1:],
    ])  # fmt: skip
    body = estimate(long[0].text)
    for room in range(body, body + 400, 7):
        material = shelf.material(shelf.chunks[0], EVERYTHING, room, estimate)
        assert material.left_out == 0
        used = sum(estimate(piece.text) for piece in material.pieces)
        assert estimate(material.body) + used <= room
        for piece in material.pieces:
            assert piece.text.endswith("。")
            assert piece.text[0] in "乙丙"


def test_a_chunk_over_the_window_keeps_whole_sentences_and_says_what_is_missing() -> None:
    """Nothing is cut in the middle; what had no room is counted."""
    chunk = _with_text(SECOND, _sentences(60, "乙"))
    material = Shelf([chunk]).material(chunk, EVERYTHING, 100, estimate)
    assert material.body.endswith("。")
    assert estimate(material.body) <= 100
    assert len(material.body) + material.left_out == len(chunk.text)


def test_a_table_over_the_window_keeps_whole_rows() -> None:
    """A table goes as Markdown, cut between rows."""
    rows = "\n".join(f"| {number} | 水泵 |" for number in range(80))
    table = msgspec.structs.replace(
        THIRD, has_table=True, kind="table", markdown="| 序号 | 名称 |\n| --- | --- |\n" + rows
    )
    material = Shelf([table]).material(table, EVERYTHING, 120, estimate)
    assert material.body.endswith("|")
    assert material.left_out > 0


@pytest.mark.parametrize(
    ("depth", "says"),
    [
        ("title", lambda body: body == "第二条 违约责任"),
        ("first_sentence", lambda body: body.startswith("第二条") and len(body) < 20),
        ("first_n:30", lambda body: body.endswith("。") or len(body) <= 30),
        ("full", lambda body: "[AMOUNT_1]" in body),
    ],
)
def test_a_rule_says_how_deep_to_read(depth: str, says: Callable[[str], bool]) -> None:
    """The depth of a verdict decides how much of the chunk is sent."""
    assert says(Shelf(CHUNKS).material(SECOND, Wishes(depth=depth), 4000, estimate).body)


def test_a_section_is_shown_beside_the_clause_that_wants_it() -> None:
    """With the depth section the other chunks of the same parent are context."""
    together = [msgspec.structs.replace(one, parent=FIRST.parent) for one in CHUNKS]
    wishes = Wishes(references=False, neighbours=False, depth="section")
    material = Shelf(together).material(together[0], wishes, 4000, estimate)
    assert _kinds(material.pieces) == ["section", "section"]


def test_nothing_redacted_is_in_body_or_context() -> None:
    """Wherever the value stands, its token goes out."""
    shelf = Shelf(CHUNKS)
    for chunk in CHUNKS:
        material = shelf.material(chunk, EVERYTHING, 4000, estimate)
        told = material.body + "".join(piece.text for piece in material.pieces)
        assert "50万元" not in told
    assert "[AMOUNT_1]" in shelf.material(SECOND, EVERYTHING, 4000, estimate).body


def test_skipped_neighbours_are_no_context() -> None:
    """What a rule took out of delivery does not come back as context."""
    skipped = [FIRST, msgspec.structs.replace(SECOND, skipped="contract/skip"), THIRD]
    material = Shelf(skipped).material(FIRST, Wishes(references=False), 4000, estimate)
    assert material.pieces == ()


def test_definitions_carry_their_sentence_and_no_secret() -> None:
    """The whole sentence is given; a term that is itself redacted is left out."""
    document = built().document
    start = document.text.index("违约金")
    term = Definition("违约金", Span(start, start + 3), Span(start + 4, start + 12))
    defined = msgspec.structs.replace(document, definitions=(term,))
    (meaning,) = meanings(defined, None)
    assert meaning.text == ("乙方逾期交货的，违约金为合同总额的10%，但最高不超过50万元。")
    secret = document.text.index("50万元")
    veil = Veil(defined, [Edit(Span(secret, secret + 4), "AMOUNT", "[AMOUNT_1]", "r")])
    (veiled,) = meanings(defined, veil)
    assert veiled.text.endswith("但最高不超过[AMOUNT_1]。")
    hidden = Veil(defined, [Edit(term.span, "TERM", "[TERM_1]", "r")])
    assert meanings(defined, hidden) == []
