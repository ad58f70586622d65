import msgspec
import pytest

from headworks.assembly.citations import Citations, sentences_of
from headworks.assembly.figures import comparable, missing
from headworks.assembly.leaving import Leaving
from headworks.assembly.locating import Library
from headworks.assembly.shapes import ChunkRecord
from headworks.model.place import Span
from tests.build.delivery import chunks_of
from tests.build.outcome import built

DOCUMENT = built().document
CHUNKS = chunks_of()
SECOND = CHUNKS[1]


def _citations() -> Citations:
    return Citations(DOCUMENT, CHUNKS)


def _cited(citations: Citations, id_: int) -> list[str]:
    record = citations.records[id_ - 1]
    return [DOCUMENT.text[start:end] for start, end in record.ranges]


def test_every_part_of_a_delivered_text_leads_to_its_ranges() -> None:
    """A character leads to itself, a token to the whole of what it stands for."""
    leaving = Leaving(SECOND)
    text = leaving.text
    assert "[AMOUNT_1]" in text
    for at, char in enumerate(text):
        (span,) = leaving.ranges(Span(at, at + 1))
        within = text.index("[AMOUNT_1]") <= at < text.index("[AMOUNT_1]") + len("[AMOUNT_1]")
        assert DOCUMENT.slice(span) == ("50万元" if within else char)
    whole = leaving.ranges(Span(0, len(text)))
    assert [(span.start, span.end) for span in whole] == list(SECOND.spans)


@pytest.mark.parametrize(
    "quote",
    [
        "违约金为合同总额的10%",
        " 违约金为 合同总额\n的１０％ ",
        "“违约金为合同总额的10%，”",
    ],
)
def test_a_quote_is_found_letter_by_letter(quote: str) -> None:
    """White space, width and the marks at its ends aside."""
    citations = _citations()
    standing = citations.of_sentence("违约金是10%。", [quote], SECOND.id)
    assert standing.support == "quoted"
    assert _cited(citations, standing.citations[0]) == ["违约金为合同总额的10%"]


def test_a_quotes_box_is_narrowed_to_it() -> None:
    """The box is that of the quoted words on their line, not of the chunk."""
    citations = _citations()
    citations.of_sentence("违约金是10%。", ["违约金为合同总额的10%"], SECOND.id)
    (record,) = citations.records
    assert record.pages == [1]
    (box,) = record.boxes
    (whole,) = [one for one in SECOND.boxes if one.page == 1][:1]
    assert whole.x0 < box.x0
    assert box.x1 - box.x0 < whole.x1 - whole.x0
    assert (box.y0, box.y1) == (718.0, 730.0)


def test_a_quote_that_leaves_words_out_is_found_in_its_parts() -> None:
    """Each stretch around …… is cited by itself."""
    citations = _citations()
    standing = citations.of_sentence("有上限。", ["乙方逾期交货的……但最高不超过"], SECOND.id)
    assert _cited(citations, standing.citations[0]) == ["乙方逾期交货的", "但最高不超过"]


def test_a_quote_that_is_not_quite_right_is_found_by_likeness() -> None:
    """A changed word is near; a changed number is not found at all."""
    citations = _citations()
    near = citations.of_sentence("有违约金。", ["乙方延期交货的，违约金为合同总额的10%"], SECOND.id)
    assert near.support == "near"
    assert citations.records[0].how == "near"
    assert citations.records[0].score > 84
    other = citations.of_sentence(
        "有违约金。", ["乙方逾期交货的，违约金为合同总额的20%"], SECOND.id
    )
    assert other.support == "none"
    assert "quotes not found" in other.why


def test_a_quote_from_another_chunk_names_that_chunk() -> None:
    """What a model took from the context is cited where it stands."""
    citations = _citations()
    standing = citations.of_sentence("供应设备。", ["乙方向甲方供应附件一所列的设备"], SECOND.id)
    assert citations.records[standing.citations[0] - 1].chunk == CHUNKS[0].id


def test_a_short_quote_is_not_looked_for_everywhere() -> None:
    """Two characters stand in many places: elsewhere they are no proof."""
    citations = _citations()
    assert citations.of_sentence("阀门。", ["阀门"], SECOND.id).support == "none"


def test_a_number_that_the_source_does_not_have_is_not_supported() -> None:
    """A sentence may quote rightly and add a number: it is marked, with the number."""
    standing = _citations().of_sentence(
        "违约金是10%，另加30%的利息。", ["违约金为合同总额的10%"], SECOND.id
    )
    assert standing.support == "none"
    assert standing.why == "not in the source: 30%"


def test_a_sentence_without_quotes_stands_on_its_own_words() -> None:
    """What stands there is quoted, what says nearly that has words, the rest has nothing."""
    citations = _citations()
    assert citations.of_sentence("违约金为合同总额的10%", [], SECOND.id).support == "quoted"
    said = "乙方如果逾期交货，违约金为合同总额的10%。"
    assert citations.of_sentence(said, [], SECOND.id).support in ("near", "words")
    assert citations.of_sentence("争议由仲裁委员会解决。", [], SECOND.id).support == "none"


@pytest.mark.parametrize(
    ("value", "support"),
    [("10%", "quoted"), ("百分之十", "quoted"), ("15%", "none"), ("0%", "none")],
)
def test_a_value_must_stand_in_its_source(value: str, support: str) -> None:
    """In one form or another; a part of a number is another number."""
    standing = _citations().of_value(value, ["违约金为合同总额的10%"], SECOND.id)
    assert standing.support == support


def test_equal_places_are_cited_once() -> None:
    """Two sentences on one place share its number."""
    citations = _citations()
    first = citations.of_sentence("一。", ["违约金为合同总额的10%"], SECOND.id)
    second = citations.of_value("10%", ["违约金为合同总额的10%"], SECOND.id)
    assert first.citations == second.citations == (1,)


def test_a_longer_text_is_searched_at_once() -> None:
    """The place of a quote is found among many chunks, by one search over all."""
    many = [
        msgspec.structs.replace(SECOND, id=f"{number:020x}", text=f"第{number}片的文字内容在此处")
        for number in range(300)
    ]
    plain: list[ChunkRecord] = [
        msgspec.structs.replace(one, delivered=None, redactions=[]) for one in many
    ]
    library = Library(Leaving(one) for one in plain)
    found = library.locate("第217片的文字内容", ["no such chunk"])
    assert found is not None
    assert found.leaving.chunk.id == f"{217:020x}"


def test_sentences_keep_their_labels() -> None:
    """A label is no sentence of its own."""
    assert sentences_of("1. 甲方付款。乙方交货。") == ["1. 甲方付款。", "乙方交货。"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("1,690,720.00元", "169.072万元"),
        ("人民币1,690,720元整", "1690720元"),
        ("10%", "百分之十"),
        ("万分之五", "0.05%"),
        ("三十日", "30 日"),
    ],
)
def test_numbers_in_any_form_are_one(first: str, second: str) -> None:
    """Thousands, units, Chinese numerals and shares are compared by their value."""
    assert comparable(first) == comparable(second)


def test_missing_numbers_are_named_as_they_were_said() -> None:
    """Numbers of clauses and lists are none."""
    assert missing("1. 违约金为30%，见第8条，上限50万元", "百分之十，五十万元") == ["30%"]
