"""The phases: order, locks, merging, routes, conflicts, time."""

import msgspec
import pytest

from headworks.errors import RulesError
from headworks.model.chunk import Part
from headworks.model.document import Document
from headworks.model.place import Span
from headworks.rules.book import load
from headworks.rules.specimen import specimen
from tests.build.rules import book_of, verdict_on, verdicts_on

SHORTHAND = r"""
rules:
  - id: finance-invoice
    priority: 100
    keywords: [发票, 编号, 金额, 税率]
    regex: ['\d{4}[-/]\d{1,2}[-/]\d{1,2}', '¥?\d+(\.\d{2})?']
    pipeline: finance_extractor
    fallback: general_split
  - id: risk-clause-001
    trigger: 违约金|滞纳金|赔偿金
    context:
      - {type: negation, words: [不, 未, 无, 免]}
      - {type: condition, words: [如, 若, 除非, '当...时']}
    action: {tag: RISK_CLAUSE}
    priority: 100
  - name: 跳过页眉页脚
    condition: 文本长度小于20且包含第和页
    action: skip
  - name: 合并短段落
    condition: 文本长度小于50且不以句号结尾
    action: merge_with_next
"""


def test_structured_shorthand_routes() -> None:
    """The four rules in fields run as they stand: keywords and patterns route."""
    book = book_of(SHORTHAND)
    invoice = verdict_on(book, "发票编号：00123，金额¥200.00，税率13%，开票日期2024-03-01。")
    assert invoice.route.pipeline == "finance_extractor"
    assert invoice.route.rule == "pack0/finance-invoice"
    assert invoice.settings["fallback"] == "general_split"
    assert verdict_on(book, "发票金额税率编号，没有日期。").route.pipeline == "general_split"


@pytest.mark.parametrize(
    ("text", "fires", "conditional"),
    [
        ("乙方应向甲方支付违约金。", True, False),
        ("乙方无需支付违约金。", False, False),
        ("本合同不设滞纳金。", False, False),
        ("因不可抗力，不能按期交货的，免收赔偿金。", False, False),
        ("如乙方逾期交货，应支付违约金。", True, True),
        ("详细标准如下：违约金按日计算。", True, False),
        ("当乙方违约时，应支付赔偿金。", True, True),
        ("当事人应支付违约金。", True, False),
        ("乙方不支付违约金。违约金由丙方支付。", True, False),
    ],
)
def test_structured_shorthand_guards(text: str, fires: bool, conditional: bool) -> None:
    """A negation before the trigger rejects, a condition word annotates; 不可抗力 is neither."""
    verdict = verdict_on(book_of(SHORTHAND), text)
    assert ("RISK_CLAUSE" in verdict.tags) == fires
    if fires:
        hit = next(hit for hit in verdict.hits if hit.rule.endswith("risk-clause-001"))
        assert ("conditional" in hit.values) == conditional


def test_structured_shorthand_skips_and_merges() -> None:
    """A page line alone is skipped; a short line without a full stop joins the next chunk."""
    book = book_of(SHORTHAND)
    assert verdict_on(book, "第 3 页 共 9 页").skip == "pack0/跳过页眉页脚"
    chunks, verdicts = verdicts_on(book, "付款方式", "验收后三十日内付清全部款项。")
    assert len(chunks) == len(verdicts) == 1
    assert len(chunks[0].spans) == 2


def test_merging_is_bounded() -> None:
    """At most five chunks join one; each merged chunk is tested again."""
    chunks, _ = verdicts_on(book_of(SHORTHAND), *[f"段落{number}" for number in range(12)])
    assert [len(chunk.spans) for chunk in chunks] == [6, 6]
    assert [chunk.ordinal for chunk in chunks] == [0, 1]


def test_merged_chunk_is_judged_as_one() -> None:
    """Tags of a merged chunk are those of its whole text, also 不包含."""
    book = book_of(
        "rules: [{id: a, when: 不包含“乙方”, then: 标记为无乙方},"
        "{id: b, when: 包含全部：“甲方”、“乙方”, then: 标记为双方},"
        "{id: m, when: 不以句号结尾, then: 与下一片合并}]"
    )
    _, verdicts = verdicts_on(book, "甲方：某公司", "乙方：另一公司。")
    assert [verdict.tags for verdict in verdicts] == [("双方",)]


def test_first_route_wins_and_the_others_are_named() -> None:
    """The highest rule routes, the others are noted; equal standing is a conflict."""
    book = book_of(
        "rules: [{id: low, priority: 1, when: 包含“甲”, then: 进入“一”管线},"
        "{id: high, priority: 9, when: 包含“甲”, then: 进入“二”管线},"
        "{id: same, priority: 9, when: 包含“甲”, then: 进入“三”管线}]"
    )
    verdict = verdict_on(book, "甲")
    assert verdict.route.pipeline == "二"
    assert verdict.route.also == ("pack0/same", "pack0/low")
    assert verdict.conflicts == (("pack0/high", "pack0/same"),)


def test_every_chunk_has_a_route() -> None:
    """No rule, no pack's fallback: the run's default pipeline."""
    assert verdict_on(book_of("rules: [{id: a, when: 包含“甲”, then: 跳过}]"), "乙").route.rule == (
        "default"
    )
    book = book_of("{fallback: 通用, rules: [{id: a, when: 包含“甲”, then: 进入“一”管线}]}")
    assert verdict_on(book, "乙").route.pipeline == "通用"


def test_later_phases_see_tags_of_earlier_ones_only() -> None:
    """A tag rule does not see a tag of its own phase, a route rule does."""
    book = book_of(
        "rules: [{id: a, when: 包含“甲”, then: 标记为一},"
        "{id: b, when: 标签为“一”, then: 标记为二},"
        "{id: c, when: 标签为“一”, then: 进入“丙”管线}]"
    )
    verdict = verdict_on(book, "甲")
    assert verdict.tags == ("一",)
    assert verdict.route.pipeline == "丙"


def test_lock_protects_from_skipping() -> None:
    """A chunk that a locked rule has marked is not skipped; the attempt is recorded."""
    book = book_of(
        "rules: [{id: s, lock: true, when: 包含“身份证”, then: 标记为敏感},"
        "{id: k, priority: 99, when: 文本长度小于20, then: 跳过}]"
    )
    verdict = verdict_on(book, "身份证复印件")
    assert verdict.skip is None
    assert verdict.tags == ("敏感",)
    assert any("pack0/k" in warning for warning in verdict.warnings)


def test_lock_beats_layers() -> None:
    """A locked rule of a lower layer routes before any rule above it; unlocked, the user wins."""
    built = (
        "{{pack: base, layer: builtin,"
        " rules: [{{id: r, lock: {}, when: 任意分片, then: 进入“基”管线}}]}}"
    )
    user = (
        "{pack: mine, layer: user,"
        " rules: [{id: r, priority: 5, when: 任意分片, then: 进入“我”管线}]}"
    )
    assert verdict_on(book_of(built.format("true"), user), "甲").route.pipeline == "基"
    assert verdict_on(book_of(built.format("false"), user), "甲").route.pipeline == "我"


def test_stop_ends_the_phase() -> None:
    """停止后续规则 ends its phase for the chunk, not the other phases."""
    book = book_of(
        "rules: [{id: a, priority: 9, when: 任意分片, phase: tag, then: [标记为一, 停止后续规则]},"
        "{id: b, when: 任意分片, then: 标记为二},"
        "{id: c, when: 任意分片, then: 进入“丙”管线}]"
    )
    verdict = verdict_on(book, "甲")
    assert (verdict.tags, verdict.route.pipeline) == (("一",), "丙")


def test_except_defeats() -> None:
    """A rule does not fire where a rule named in its except does."""
    book = book_of(
        "rules: [{id: a, when: 包含“违约金”, then: 标记为一, except: [b]},"
        "{id: b, when: 包含“示例”, then: 标记为例}]"
    )
    assert verdict_on(book, "违约金").tags == ("一",)
    assert verdict_on(book, "示例：违约金").tags == ("例",)


def test_effective_dates_and_status() -> None:
    """Rules hold on the run's date; drafts and retired rules do not run."""
    text = (
        "rules: [{id: a, when: 任意分片, then: 标记为旧,"
        " effective: {from: 2020-01-01, to: 2023-12-31}},"
        "{id: b, when: 任意分片, then: 标记为新, effective: {from: 2024-01-01}},"
        "{id: c, status: draft, when: 任意分片, then: 标记为稿}]"
    )
    assert verdict_on(book_of(text, as_of="2023-06-01"), "甲").tags == ("旧",)
    assert verdict_on(book_of(text, as_of="2024-06-01"), "甲").tags == ("新",)


def test_time_over_is_never_silent() -> None:
    """With no time left, the rules not run are named and the chunk goes to a person."""
    book = book_of("rules: [{id: a, when: 包含“甲”, then: 标记为一}]", time_budget_seconds=-1.0)
    verdict = verdict_on(book, "甲")
    assert verdict.undecided == ("pack0/a",)
    assert verdict.review
    assert verdict.tags == ()


def test_values_of_a_comparison() -> None:
    """A typed comparison carries the value, its normal form and its place."""
    book = book_of("rules: [{id: a, when: 金额大于50万元, then: 标记为大额}]")
    text = "合同总价为人民币600,000元整。"
    hit = verdict_on(book, text).hits[0]
    value = hit.values["金额"]
    assert value.value == "600000"
    assert text[value.span.start : value.span.end] == value.text


def test_extract() -> None:
    """提取 gives the value of the kind its name ends with, beside the words that were found."""
    book = book_of("rules: [{id: a, rule: '“违约金”之后30字内出现“%”，则提取违约金比例'}]")
    hit = verdict_on(book, "税率13%。违约金为合同总价的5%。").hits[0]
    assert hit.values["违约金比例"].value == "0.05"


def test_redaction() -> None:
    """脱敏 gives edits over the values its condition asks for, equal values one token."""
    book = book_of("rules: [{id: a, rule: 包含手机号格式或身份证号格式，则脱敏}]")
    text = "张三 13800138000，李四 13800138000，身份证 11010519491231002X"
    verdict = verdict_on(book, text)
    assert [text[edit.span.start : edit.span.end] for edit in verdict.edits] == [
        "13800138000", "13800138000", "11010519491231002X",
    ]  # fmt: skip
    assert verdict.edits[0].token == verdict.edits[1].token != verdict.edits[2].token
    assert all(
        "13800138000" not in value.text for hit in verdict.hits for value in hit.values.values()
    )


def test_links_priority_prompt_depth_warning() -> None:
    """The other actions stand in the verdict."""
    book = book_of(
        "rules: [{id: a, when: 包含“违约金”, then: [关联到《民法典》第五百八十五条,"
        " 优先级设为80, 使用提示词“逐条核对”, 解析深度为首句, 警告“金额过大”,"
        " 需要人工“请法务看”, 进入“法务”管线]}]"
    )
    verdict = verdict_on(book, "违约金")
    assert [(link.law, link.article) for link in verdict.links] == [("民法典", "585")]
    assert verdict.route.priority == "interactive"
    assert verdict.settings == {"prompt": "逐条核对", "depth": "first_sentence"}
    assert verdict.warnings == ("金额过大",)
    assert verdict.review == "请法务看"


@pytest.mark.parametrize(
    ("depth", "fires"),
    [("title", False), ("first_sentence", False), ("first_n:8", False), ("clause", True)],
)
def test_depth(depth: str, fires: bool) -> None:
    """A rule looks no deeper than it says."""
    book = book_of(f"rules: [{{id: a, depth: '{depth}', when: 包含“违约金”, then: 标记为一}}]")
    verdict = verdict_on(book, "第一条 付款。甲方付款。逾期支付违约金。")
    assert (verdict.tags == ("一",)) == fires


def test_depth_section_looks_further() -> None:
    """With depth full, words may stand in different chunks."""
    rule = "rules: [{{id: a, {} when: 包含全部：“甲方”、“乙方”, then: 标记为一}}]"
    _, verdicts = verdicts_on(book_of(rule.format("")), "甲方。", "乙方。")
    assert [verdict.tags for verdict in verdicts] == [(), ()]
    _, verdicts = verdicts_on(book_of(rule.format("depth: full,")), "甲方。", "乙方。")
    assert [verdict.tags for verdict in verdicts] == [("一",), ("一",)]


@pytest.mark.parametrize(
    ("rule", "fires"),
    [
        ("when: “甲方”之后20字内出现“乙方”", [True, False]),
        ("when: “乙方”之前20字内出现“甲方”", [False, True]),
        ("when: “甲方”与“乙方”相距不超过20字", [True, False]),
        ("when: “甲方”之后同一条出现“乙方”", [True, False]),
        ("when: “甲方”之后20字内没有出现“乙方”", [False, False]),
        ("when: 包含全部：“甲方”、“乙方”", [False, False]),
        ("sequence: {within: section, steps: [{find: 甲方}, {then: 乙方}]}", [True, False]),
    ],
)
def test_phrases_over_a_border(rule: str, fires: list[bool]) -> None:
    """What a chunk's border cuts inside one clause fires for the chunk of the anchor."""
    book = book_of(f"rules: [{{id: a, {rule}, then: 标记为一}}]")
    document, chunks, _ = specimen("由甲方供货。\n由乙方付款。", {"section": "第三条 供货"})
    start = chunks[0].start
    middle, end = document.text.index("由乙方"), chunks[0].end
    parts = [
        msgspec.structs.replace(chunks[0], id="c0", spans=(Span(start, middle),)),
        msgspec.structs.replace(chunks[0], id="c1", ordinal=1, spans=(Span(middle, end),)),
    ]
    _, verdicts = book.judge(document, parts, lambda _a, _b: None)
    assert [verdict.tags == ("一",) for verdict in verdicts] == fires


def test_parts_of_a_table_are_read_with_their_header() -> None:
    """A part of a table is judged with the header rows that stand in front of it for a model."""
    document, chunks, _ = specimen("名称\t防护等级\n水泵\tIP54\n电机\tIP55\n", {"kind": "table"})
    header = Span(0, document.text.index("水泵"))
    middle, end = document.text.index("电机"), len(document.text)
    parts = [
        msgspec.structs.replace(
            chunks[0], id="c0", spans=(Span(0, middle),), part=Part(1, 2, header)
        ),
        msgspec.structs.replace(
            chunks[0], id="c1", spans=(header, Span(middle, end)), part=Part(2, 2, header)
        ),
    ]
    book = book_of("rules: [{id: a, when: 包含“防护等级”且包含“IP55”, then: 标记为一}]")
    _, verdicts = book.judge(document, parts, lambda _a, _b: None)
    assert [verdict.tags for verdict in verdicts] == [(), ("一",)]
    assert document.slice(verdicts[1].hits[0].span) == "IP55"


def test_structure_rules_give_directives() -> None:
    """所在章节标题包含… 则整章保持一片 asks for the heading's whole extent."""
    document, _, _ = specimen("乙方应支付违约金。", {"section": "第八条 违约责任"})
    book = book_of("rules: [{id: a, rule: '所在章节标题包含“违约责任”，则整章保持一片'}]")
    found = book.directives(document)
    assert [(directive.action, directive.rule) for directive in found] == [("section", "pack0/a")]
    assert document.slice(found[0].span).startswith("第八条")


def test_split_and_strip() -> None:
    """在此前切开 and 去除 speak of paragraphs."""
    document, _, _ = specimen("甲方付款。\n二、验收\n机密 严禁外传", {})
    book = book_of(
        "rules: [{id: a, when: 以“二、”开头, then: 在此前切开},"
        "{id: b, when: 包含“严禁外传”, then: 去除}]"
    )
    found = [
        (directive.action, document.slice(directive.span))
        for directive in book.directives(document)
    ]
    assert found == [("split", "二、验收"), ("strip", "机密 严禁外传")]


def test_hit_names_pack_and_version() -> None:
    """Every decision names rule, pack and version; the book gives the content's hash."""
    book = book_of("{pack: 采购, version: 3.2.0, rules: [{id: a, when: 包含“甲”, then: 标记为一}]}")
    hit = verdict_on(book, "甲乙").hits[0]
    assert (hit.rule, hit.pack, hit.phase) == ("采购/a", "采购@3.2.0", "tag")
    assert book.versions["采购"].startswith("3.2.0 ")


def test_empty_document() -> None:
    """No chunks, no verdicts."""
    document: Document = specimen("", {})[0]
    assert book_of("rules: [{id: a, when: 任意分片, then: 跳过}]").judge(
        document, [], lambda _a, _b: None
    ) == ((), ())


def test_unknown_pack() -> None:
    """A pack that is not there is refused with the nearest name."""
    with pytest.raises(RulesError, match="contract"):
        load(["contrct"], book_of("rules: [{id: a, when: 任意分片, then: 跳过}]").settings)


def test_lines_that_read_alike_have_places_of_their_own() -> None:
    """A line that stands twice is looked at once, and each hit points to its own place."""
    book = book_of(
        "rules: [{id: r, sequence: {steps: [{find: 违约金}, {capture: {as: 额, type: 金额}}]},"
        " then: 标记为T}]"
    )
    line = "违约金为5万元。"
    chunks, verdicts = verdicts_on(book, line, f"甲方付款。\n{line}\n{line}")
    hits = [hit for verdict in verdicts for hit in verdict.hits]
    starts = [hit.span.start for hit in hits]
    assert len(set(starts)) == 3
    for hit in hits:
        assert hit.values["额"].span.start == hit.span.start + 4
    assert chunks[1].start <= starts[1] < starts[2]


def test_all_of_a_document_is_asked_once_a_document() -> None:
    """全文不包含 holds for a document without the word, whichever chunk asks."""
    book = book_of("rules: [{id: r, when: 全文不包含“验收”并且是第一片, then: 标记为缺验收}]")
    for last, wanted in (("由甲方验收。", [(), ()]), ("由甲方付款。", [("缺验收",), ()])):
        _, verdicts = verdicts_on(book, "由乙方供货。", last)
        assert [verdict.tags for verdict in verdicts] == wanted


def test_depth_sees_the_tags_of_each_phase() -> None:
    """A rule of depth 全文 sees all of the text, and the tags of the chunk as they are by then."""
    book = book_of(
        "rules: [{id: a, depth: 全文, when: 包含“验收”, then: 标记为有验收},"
        "{id: b, phase: route, depth: 全文, when: 标签为“有验收”且包含“付款”, then: 进入“q”管线}]"
    )
    _, verdicts = verdicts_on(book, "甲方付款。", "由甲方验收。")
    assert [(verdict.tags, verdict.route.pipeline) for verdict in verdicts] == [
        (("有验收",), "q"), (("有验收",), "q"),
    ]  # fmt: skip
