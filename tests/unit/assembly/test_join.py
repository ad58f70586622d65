import msgspec

from headworks.assembly.join import JoinedValue, Speaker, Spoken, join, overlapped
from headworks.assembly.shapes import ChunkRecord
from headworks.assembly.statements import Claim, Point, Statement
from headworks.model.place import Span
from tests.build.delivery import chunks_of

FIRST, SECOND, THIRD = chunks_of()


def _said(
    chunk: ChunkRecord, *statements: Statement, by: str = "model", pipeline: str = "legal"
) -> Spoken:
    who = Speaker(chunk.id, pipeline, "rule" if by == "rule" else "model", "m")
    ranges = tuple(Span(0, 1) for one in statements if isinstance(one, Claim))
    return Spoken(who, chunk, statements, ranges if by == "rule" else ())


def _values(*answers: Spoken) -> list[JoinedValue]:
    return join(answers)[1]


def test_points_stand_in_the_documents_order_and_once() -> None:
    """The same point of two chunks is one, said by both; marks and width do not matter."""
    points, _ = join([
        _said(FIRST, Point("甲方应在30日内付款。")),
        _said(SECOND, Point("乙方交货。"), Point("甲方应在３０日内付款")),
    ])  # fmt: skip
    assert [point.text for point in points] == ["甲方应在30日内付款。", "乙方交货。"]
    assert [said.speaker.chunk for said in points[0].said] == [FIRST.id, SECOND.id]


def test_like_points_are_one_only_with_the_same_numbers() -> None:
    """A word more is the same point; another number is another point."""
    base = "甲方应当在收到发票之后的30日之内向乙方付款。"
    points, _ = join([
        _said(FIRST, Point(base)),
        _said(SECOND, Point(base.replace("应当", "应")), Point(base.replace("30", "60"))),
    ])  # fmt: skip
    assert len(points) == 2
    assert points[0].text == base


def test_answers_about_overlapping_chunks_are_joined() -> None:
    """Where two chunks share text, the end of one answer and the start of the next are one."""
    start, end = FIRST.spans[-1]
    overlapping = msgspec.structs.replace(SECOND, spans=[(end - 5, end), *SECOND.spans])
    points, _ = join([
        _said(FIRST, Point("甲方付款。乙方逾期交货的，违约金为合同总额的10%。")),
        _said(overlapping, Point("违约金为合同总额的10%。上限为50万元。")),
    ])  # fmt: skip
    assert [point.text for point in points] == [
        "甲方付款。乙方逾期交货的，违约金为合同总额的10%。上限为50万元。"
    ]
    assert len(points[0].said) == 2
    assert start < end


def test_answers_about_chunks_that_do_not_meet_stay_apart() -> None:
    """Without shared text nothing is joined, though the words may fit."""
    points, _ = join([
        _said(FIRST, Point("甲方付款。违约金为合同总额的10%。")),
        _said(THIRD, Point("违约金为合同总额的10%。上限为50万元。")),
    ])  # fmt: skip
    assert len(points) == 2


def test_overlaps_may_differ_in_words_and_not_in_numbers() -> None:
    """A word changed in what is shared is no hindrance, a number is; too little is none."""
    first = "甲方付款。乙方逾期交货的，违约金为合同总额的10%，由甲方扣除。"
    assert overlapped(first, "逾期交货的，违约金为合同总价的10%，由甲方扣除。上限50万元。") == (
        "甲方付款。乙方逾期交货的，违约金为合同总价的10%，由甲方扣除。上限50万元。"
    )
    assert overlapped(first, "逾期交货的，违约金为合同总额的20%，由甲方扣除。上限50万元。") is None
    assert overlapped(first, "除外责任另行约定。") is None


def test_equal_values_are_one_with_all_their_sources() -> None:
    """In whatever form they were written."""
    (value,) = _values(
        _said(FIRST, Claim("合同总价", "1,690,720.00元")),
        _said(SECOND, Claim("合同总价", "169.072万元")),
    )
    assert (value.kind, value.values) == ("single", ("1,690,720.00元",))
    assert [said.speaker.chunk for said in value.said] == [FIRST.id, SECOND.id]


def test_sources_that_differ_stand_side_by_side() -> None:
    """Two chunks, or two pipelines about one chunk, give different values: none is chosen."""
    (value,) = _values(
        _said(FIRST, Claim("合同总价", "169万元")),
        _said(SECOND, Claim("合同总价", "170万元")),
    )
    assert (value.kind, value.values) == ("conflict", ("169万元", "170万元"))
    (other,) = _values(
        _said(FIRST, Claim("币种", "人民币")),
        _said(FIRST, Claim("币种", "美元"), pipeline="finance"),
    )
    assert other.kind == "conflict"


def test_several_values_of_one_source_are_a_list() -> None:
    """Who names several of one name means all of them; lists of chunks are united."""
    (value,) = _values(
        _said(FIRST, Claim("付款比例", "30%"), Claim("付款比例", "50%")),
        _said(SECOND, Claim("付款比例", "50%"), Claim("付款比例", "20%")),
    )
    assert (value.kind, value.values) == ("list", ("30%", "50%", "20%"))


def test_values_about_different_things_do_not_differ() -> None:
    """The same name about two things is two values."""
    values = _values(
        _said(FIRST, Claim("比例", "10%", "逾期交货")),
        _said(SECOND, Claim("比例", "5%", "逾期付款")),
    )
    assert [value.kind for value in values] == ["single", "single"]


def test_what_a_rule_took_and_a_model_said_is_one() -> None:
    """A model that names no subject agrees with the rule that does."""
    (value,) = _values(
        _said(SECOND, Claim("比例", "百分之十")),
        _said(SECOND, Claim("比例", "10%", "第二条 违约责任"), by="rule"),
    )
    assert value.kind == "single"
    assert {said.speaker.by for said in value.said} == {"model", "rule"}
    assert value.about == "第二条 违约责任"
