"""Lines into paragraphs."""

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.build.pdf import LEADING, LEFT, SIZE, TOP, flow, pdf, wrap, write
from tests.unit.readers.pdf.conftest import Read, body

CLAUSE = (
    "第七条 买方应当在收到货物之日起十五日内完成验收，并就货物的数量、规格、外观"
    "和随附文件出具书面验收单据；逾期未提出书面异议的，视为货物符合约定，但隐蔽瑕疵不在此限。"
)
NEXT = "第八条 买方未按期付款的，每逾期一日应当按照未付金额的万分之五向卖方支付违约金。"


def test_wrapped_lines_become_their_paragraphs(read: Read) -> None:
    """A paragraph set over several lines is one block, without spaces where lines met."""
    paragraphs = ["第三章 交付与验收", CLAUSE, NEXT, "双方另有约定的，从其约定。"]
    assert body(read(flow(paragraphs))) == paragraphs


def test_a_page_does_not_break_a_clause(read: Read) -> None:
    """A clause that begins on one page and ends on the next is one block with both pages."""
    paragraphs = [NEXT, CLAUSE] * 6
    document = read(flow(paragraphs, per_page=6))
    assert body(document) == paragraphs
    assert any(block.place.last_page > block.place.page for block in document.blocks)


def test_each_line_of_a_paragraph_over_two_pages_keeps_its_box(read: Read) -> None:
    """The boxes of a paragraph cover all of its lines on both pages (B086)."""
    document = read(flow([NEXT, CLAUSE], per_page=3))
    clause = document.blocks[1]
    lines = list(document.lines.within(clause.span))
    assert [box.page for _, _, box in lines] == [1, 2, 2]
    assert "".join(document.text[start:end] for start, end, _ in lines) == CLAUSE
    first = lines[0][2]
    assert abs(first.x0 - (LEFT + 2 * SIZE)) < 2
    assert abs(first.y1 - (TOP + 2 * LEADING)) < 4


def test_a_reference_at_a_line_start_does_not_begin_a_clause(read: Read) -> None:
    """A full line whose sentence goes on with 第十一条 stays with it; a real 第十一条 does not."""
    paragraphs = [
        CLAUSE,
        "第十条 卖方交付的货物不符合约定的，买方可以退货，卖方还应当依照"
        "第十一条的规定承担责任，并赔偿由此造成的损失。",
        "第十一条 本合同自双方签字盖章之日起生效。",
        CLAUSE,
    ]
    assert wrap(paragraphs[1])[1].startswith("第十一条")
    assert body(read(flow(paragraphs))) == paragraphs


def test_unindented_items_stay_apart(read: Read) -> None:
    """Numbered items that fill their line and end with a stop are blocks of their own."""
    items = [
        "1.1 " + "甲" * 31 + "；",
        "1.2 " + "乙" * 31 + "；",
        "1.3 " + "丙" * 31 + "。",
    ]
    assert body(read(flow(items, indent=0))) == items


def test_latin_words_meet_with_a_space_and_lose_their_hyphen(read: Read) -> None:
    """Lines of a Latin text join with a space; a word that was divided is whole again."""

    def page(canvas: object) -> None:
        for index, text in enumerate(
            (
                "The supplier shall deliver the equipment within thirty days after the con-",
                "tract takes effect and shall bear the cost of transport to the place which",
                "the buyer names.",
            )
        ):
            write(canvas, LEFT, TOP + index * 14, text)  # type: ignore[arg-type]

    (text,) = body(read(pdf([page])))
    assert "the contract takes effect" in text
    assert "place which the buyer" in text


def test_justified_han_text_gets_no_spaces(read: Read) -> None:
    """White that justification puts between Han characters is no space (B076)."""

    def page(canvas: object) -> None:
        said = canvas.beginText(LEFT, 700)  # type: ignore[attr-defined]
        said.setFont("STSong-Light", 12)
        said.setCharSpace(3.4)
        said.textOut("系统上线后的运行效果网络监测")
        canvas.drawText(said)  # type: ignore[attr-defined]
        write(canvas, LEFT, 200, "采用 Open Source 软件")  # type: ignore[arg-type]

    texts = body(read(pdf([page])))
    assert texts[0] == "系统上线后的运行效果网络监测"
    assert "Open Source" in texts[1]


def test_contents_lines_stay_lines(read: Read) -> None:
    """Lines of a table of contents run to the margin and are still blocks of their own."""
    entries = [
        f"第{n}章 货物与服务{'.' * 60}{page}" for n, page in (("一", 3), ("二", 8), ("三", 15))
    ]
    assert body(read(flow(entries, indent=0))) == entries


def test_a_heading_stays_apart_from_its_text(read: Read) -> None:
    """A bold line and a larger line do not run into the paragraph below."""

    def page(canvas: object) -> None:
        write(canvas, LEFT, 80, "采购合同", size=22)  # type: ignore[arg-type]
        write(canvas, LEFT, 120, "付款方式与期限", bold=True)  # type: ignore[arg-type]
        for index, line in enumerate(wrap(CLAUSE)):
            write(canvas, LEFT + (24 if not index else 0), 140 + 20 * index, line)  # type: ignore[arg-type]

    document = read(pdf([page]))
    assert body(document) == ["采购合同", "付款方式与期限", CLAUSE]
    assert document.blocks[0].style.size == 22
    assert document.blocks[1].style.bold
    assert not document.blocks[2].style.bold


WORDS = (
    "供方应当",
    "按照约定",
    "交付货物",
    "承担责任",
    "附件三",
    "第十条",
    "本合同",
    "验收合格",
    "书面通知",
)
sentences = st.lists(st.sampled_from(WORDS), min_size=1, max_size=40).map(
    lambda words: "，".join("".join(words[i : i + 3]) for i in range(0, len(words), 3)) + "。"
)


@settings(
    max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture]
)
@given(st.lists(sentences, min_size=2, max_size=14), st.integers(min_value=4, max_value=30))
def test_clauses_come_back_whatever_their_length(
    read: Read, texts: list[str], per_page: int
) -> None:
    """Numbered clauses of any length, over any pages, come back one block each."""
    clauses = [f"第{number}条 {text}" for number, text in enumerate(texts, 1)]
    assert body(read(flow(clauses, per_page=per_page))) == clauses


def test_labels_alone_on_their_lines(read: Read) -> None:
    """A label alone on its line begins something, though the line before it is full."""
    full = "本规程规定了渠道巡查的次数、路线、内容和记录方式，适用于灌区所有的干渠和支渠。"
    paragraphs = [
        full,
        "2",
        "巡查",
        full,
        "2.1",
        "路线",
        full,
        "A.1",
        "格式",
        full,
        "第三条",
        "时间",
    ]
    assert body(read(flow(paragraphs))) == paragraphs


def test_a_narrow_space_behind_a_label_is_kept(read: Read) -> None:
    """附件2 分项报价表 and A.2 动水校准 keep the space that a narrow font sets there."""
    paragraphs = [CLAUSE, "附件2 分项报价表", CLAUSE, "A.2 动水校准", CLAUSE, "1. 分工"]
    assert body(read(flow(paragraphs))) == paragraphs
