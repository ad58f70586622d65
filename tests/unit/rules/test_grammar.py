"""The grammar of conditions and rules."""

from pathlib import Path

import pytest

from headworks.rules.complaints import Complaint, SentenceError
from headworks.rules.grammar import parse_condition, parse_rule
from headworks.rules.lexicon import Lexicon
from headworks.rules.printer import condition_text
from headworks.rules.syntax import (
    Action,
    Alias,
    And,
    Apart,
    Compare,
    Condition,
    Contains,
    Count,
    Edge,
    Entity,
    InPlace,
    IsTable,
    Measure,
    Near,
    NearValue,
    Not,
    Number,
    Or,
    Outermost,
    Terms,
    Within,
    Word,
)

LEXICON = Lexicon()


def condition(text: str) -> Condition:
    """Give the tree of a condition."""
    return parse_condition(text, LEXICON)[0]


def words(mode: str, *texts: str) -> Terms:
    """Give a list of words."""
    return Terms(mode, tuple(Word((text,)) for text in texts))  # type: ignore[arg-type]


ACCEPTED = {
    "包含保密或内部文件或不得外传": Contains(words("any", "保密", "内部文件", "不得外传")),
    "包含任一：保密、内部文件": Contains(words("any", "保密", "内部文件")),
    "“押金”之后20字内出现“元”": Near(Word(("押金",)), "after", 20, words("all", "元")),
    "“出租方”与“承租方”相距不超过15字": Apart(Word(("出租方",)), Word(("承租方",)), 15),
    "“押金”前后五字内没有出现“不”或“免”": Near(
        Word(("押金",)), "around", 5, words("any", "不", "免"), negated=True
    ),
    "金额大于30万元并且在附件中": And(
        (Compare("金额", ">", Number("30", "万元")), InPlace("appendix"))
    ),
    "日期早于2023年6月1日": Compare("日期", "<", Number("2023-06-01", "date")),
    "期限不超过15天": Compare("期限", "<=", Number("15", "天")),
    "文件名包含“租赁”且页码大于2": And(
        (Contains(words("all", "租赁"), "file_name"), Measure("page", ">", Number("2")))
    ),
    "是表格且包含@电压": And((IsTable(), Contains(Terms("all", (Alias("电压"),))))),
    "（包含“甲”或者包含“乙”）并且不在封面": And(
        (
            Or((Contains(words("all", "甲")), Contains(words("all", "乙")))),
            InPlace("cover", negated=True),
        )
    ),
    "“承租方”出现次数大于2": Count(Word(("承租方",)), ">", Number("2")),
    "包含邮箱格式或手机号格式": Contains(Terms("any", (Entity("邮箱"), Entity("手机号")))),
    "“押金”之后同一句出现“退还”": Within(Word(("押金",)), "sentence", words("all", "退还")),
    "押金之后20字内出现“元”": Near(Word(("押金",)), "after", 20, words("all", "元")),
    "不是（包含“甲”）": Not(Contains(words("all", "甲"))),
    "包含租期或续租期或文本长度小于30": Or(
        (Contains(words("any", "租期", "续租期")), Measure("length", "<", Number("30")))
    ),
    "文本长度小于20且包含第和页": And(
        (Measure("length", "<", Number("20")), Contains(words("all", "第", "页")))
    ),
    "不以句号结尾": Edge("end", ("。", "."), negated=True),
    "在附件三中": InPlace("appendix", "三"),
    "金额在30万元以上": Compare("金额", ">=", Number("30", "万元")),
    "包含“租金”或金额在30万元以下": Or(
        (Contains(words("all", "租金")), Compare("金额", "<=", Number("30", "万元")))
    ),
    "页码在2到5之间": And((Measure("page", ">=", Number("2")), Measure("page", "<=", Number("5")))),
    "不在附件、目录": And((InPlace("appendix", negated=True), InPlace("contents", negated=True))),
    "在封面或目录中": Or((InPlace("cover"), InPlace("contents"))),
    "包含“租金”但不包含“押金”": And(
        (Contains(words("all", "租金")), Contains(words("all", "押金"), negated=True))
    ),
    "温度低于-20℃": Compare("温度", "<", Number("-20", "℃")),
    "包含租金、押金中的任意一个": Contains(words("any", "租金", "押金")),
    "包含“租金”“押金”或“水费”": Contains(words("any", "租金", "押金", "水费")),
    "同时包含“租金”和“押金”": Contains(words("all", "租金", "押金")),
    "没有“租金”": Contains(words("all", "租金"), negated=True),
    "不含“租金”也不含“押金”": And(
        (
            Contains(words("all", "租金"), negated=True),
            Contains(words("all", "押金"), negated=True),
        )
    ),
    "“租金”出现3次以上": Count(Word(("租金",)), ">=", Number("3", "次")),
    "文本少于20字": Measure("length", "<", Number("20", "字")),
    "日期在2024年1月1日之前": Compare("日期", "<", Number("2024-01-01", "date")),
    "包含“A、B”": Contains(words("all", "A、B")),
    'the chunk contains "rent" and "deposit" and length greater than 30 chars': And(
        (Contains(words("all", "rent", "deposit")), Measure("length", ">", Number("30", "字符")))
    ),
    'contains any of "rent", "deposit"': Contains(words("any", "rent", "deposit")),
    '"rent" followed within 20 chars by "yuan"': Near(
        Word(("rent",)), "after", 20, words("all", "yuan")
    ),
    "amount is at least 30万元 and not in the cover": And(
        (Compare("金额", ">=", Number("30", "万元")), InPlace("cover", negated=True))
    ),
}


@pytest.mark.parametrize("sentence", ACCEPTED)
def test_meaning(sentence: str) -> None:
    """A sentence, Chinese or English, gives the tree that it means."""
    assert condition(sentence) == ACCEPTED[sentence]


def test_list_in_brackets() -> None:
    """Quoted words may stand in brackets; what has a bareword in them is asked for quotes."""
    assert condition("包含（“甲”或“乙”）") == Contains(words("any", "甲", "乙"))
    assert condition("包含任一：（“甲”、“乙”）") == Contains(words("any", "甲", "乙"))
    refused = complaint_about("包含（甲或乙）")
    assert refused is not None
    assert "给括号里的词加引号" in refused.suggestions[0]


def test_place_in_front() -> None:
    """A place joins the condition behind it; with 或者 behind, both readings are shown."""
    whole = And((InPlace("body"), Compare("金额", ">", Number("50", "万元"))))
    assert condition("正文中金额大于50万元") == condition("在正文中金额大于50万元") == whole
    for sentence, code in (
        ("在附件中包含“甲”或者包含“乙”", "E120"),
        ("不在附件中包含“甲”", "E101"),
    ):
        refused = complaint_about(sentence)
        assert refused is not None
        assert refused.code == code


def test_same_extent_in_each_direction() -> None:
    """同一句 goes with 之后, 之前 and 前后, and two words may be said to stand in one."""
    anchor, other = Word(("甲",)), words("all", "乙")
    assert condition("“甲”之前同一句出现“乙”") == Within(
        anchor, "sentence", other, direction="before"
    )
    around = Within(anchor, "paragraph", other, direction="around")
    assert condition("“甲”前后同一段出现“乙”") == condition("“甲”与“乙”在同一段") == around
    assert condition("“甲”或“丙”之前同一条没有出现“乙”") == Within(
        Word(("甲", "丙")), "clause", other, negated=True, direction="before"
    )


@pytest.mark.parametrize(
    "tail", ["则送人工", "则需人工", "则转到人工", "then send to human", "-> route to a person"]
)
def test_people_are_no_pipeline(tail: str) -> None:
    """人工 and human mean that a person looks; quoted, or called a pipeline, they are one."""
    sentence, _ = parse_rule(f"包含“甲”，{tail}", LEXICON)
    assert sentence.actions == (Action("review"),)
    sentence, _ = parse_rule("包含“甲”，则进入人工审核管线", LEXICON)
    assert sentence.actions == (Action("route", ("人工审核",)),)


def test_value_near_a_word() -> None:
    """A comparison may stand behind a distance or an extent; it cannot be negated there."""
    value = Compare("百分比", ">", Number("30", "%"))
    near = NearValue(Word(("预付款",)), "after", 30, None, value)
    assert condition("“预付款”之后30字内百分比大于30%") == near
    assert condition('"预付款" followed within 30 chars by percent greater than 30%') == near
    assert condition("“预付款”前后同一句出现百分比大于30%") == NearValue(
        Word(("预付款",)), "around", 0, "sentence", value
    )
    refused = complaint_about("“预付款”之后30字内没有百分比大于30%")
    assert refused is not None
    assert "不是（" in refused.suggestions[0]


NEWCOMERS = {
    "包含3个以上：“甲”、“乙”、“丙”、“丁”": "包含至少3个：“甲”、“乙”、“丙”、“丁”",
    "包含“甲”、“乙”、“丙”中的至少两个": "包含至少2个：“甲”、“乙”、“丙”",
    "包含任意金额": "包含金额格式",
    "包含任何手机号或邮箱格式": "包含任一：手机号格式、邮箱格式",
    "是附件": "在附件中",
    "本条包含“甲”": "包含“甲”",
    "金额在10万到50万元之间": "金额不低于10万元并且金额不超过50万元",
}


@pytest.mark.parametrize("sentence", NEWCOMERS)
def test_what_newcomers_write(sentence: str) -> None:
    """What people write before they know the language means what they mean by it."""
    assert condition_text(condition(sentence)) == NEWCOMERS[sentence]


PROPOSED = {
    "“质保期”少于12个月": "“质保期”前后同一句期限少于12个月",
    "“违约金”比例大于20%": "“违约金”前后同一句比例大于20%",
    "第一页包含“保密”": "页码等于1并且包含“保密”",
    "文中有手机号": "包含手机号格式",
    "包含3个以上“甲方”": "“甲方”出现次数不低于3",
}


@pytest.mark.parametrize("sentence", PROPOSED)
def test_what_newcomers_are_told(sentence: str) -> None:
    """What cannot be taken is answered with a sentence that can, and says the same."""
    refused = complaint_about(sentence)
    assert refused is not None
    assert PROPOSED[sentence] in refused.suggestions[0]
    assert complaint_about(PROPOSED[sentence]) is None


def test_the_opposite_is_not_proposed() -> None:
    """Who writes 拆分 is not asked whether 不拆分 was meant; a bareword ends at a quote."""
    refused = complaint_about("包含“甲”，则拆分")
    assert refused is not None
    assert "不拆分" not in "".join(refused.suggestions)
    assert complaint_about("包含甲方“乙方”") is not None


def test_list_or_anchor() -> None:
    """Where 或 may join two words or two conditions, both readings are shown."""
    refused = complaint_about("包含“甲”或“乙”之后30字内出现“丙”")
    assert refused is not None
    assert refused.code == "E120"
    assert refused.suggestions == (
        "读法一：包含“甲”或者“乙”之后30字内出现“丙”",
        "读法二：“甲”或“乙”之后30字内出现“丙”",
    )


def test_all_of_the_document() -> None:
    """全文 is all of a document; 合同不包含 is true of a chunk, and warned of."""
    both = And((Contains(words("all", "验收"), "document", negated=True), Outermost("first")))
    assert condition("全文不包含“验收”并且是第一片") == both
    _, warnings = parse_condition("合同不包含“验收”", LEXICON)
    assert [warning.code for warning in warnings] == ["W122"]
    assert warnings[0].suggestions == ("全文不包含“验收”",)


REFUSED = {
    "包函“押金”": ("E100", 1, "包含"),
    "在附近中": ("E100", 1, "在附件中"),
    "文本长度大约20": ("E130", 5, "文本长度小于20字"),
    "金额大于很多": ("E131", 5, "金额大于50万元"),
    "包含“甲”和“乙”或“丙”": ("E110", 3, "（包含“甲”并且包含“乙”）或者包含“丙”"),
    "包含“甲”并且包含“乙”或者包含“丙”": (
        "E120", 1, "包含“甲”并且（包含“乙”或者包含“丙”）",
    ),
    "包含参与方": ("E111", 3, "请加引号：“参与方”"),
    "包含与会者": ("E111", 3, "请加引号：“与会者”"),
    "包含不含税价格": ("E103", 3, "请加引号：“不含税价格”"),
    "百分比大于30": ("E203", 6, "百分比大于30%"),
    "金额大于一百二万元": ("E204", 5, "一百二十万元"),
    "包含“甲": ("E102", 3, "”"),
    "（包含“甲”": ("E102", 1, "）"),
    "包含“甲”，包含“乙”": ("E101", 6, "包含“甲”并且包含“乙”"),
    "@": ("E104", 1, ""),
    "包含@": ("E104", 3, ""),
    "包含至少3个：“甲”、“乙”": ("E113", 3, "至少2个"),
    "日期早于2023年13月1日": ("E205", 5, ""),
    "匹配正则/(?=位)/": ("E151", 6, "顺序"),
    r"匹配正则/(甲)\1/": ("E152", 9, "出现次数"),
    "期限大于30元": ("E132", 5, "期限大于30天"),
    "“甲”": ("E100", 1, "包含"),
    "标题为“付款”": ("E130", 1, "标题包含"),
    "任一：“甲”、“乙”": ("E100", 1, "包含任一"),
    "合同金额大于50万元": ("E100", 1, "金额大于50万元"),
    "金额大于50万": ("E203", 5, "金额大于50万元"),
}  # fmt: skip


@pytest.mark.parametrize("sentence", REFUSED)
def test_refusal(sentence: str) -> None:
    """What cannot be read for certain is refused with code, place and a way to put it right."""
    code, position, suggestion = REFUSED[sentence]
    with pytest.raises(SentenceError) as caught:
        parse_rule(sentence, LEXICON)
    complaint = caught.value.complaint
    assert (complaint.code, complaint.position) == (code, position)
    assert suggestion in "\n".join(complaint.suggestions)


@pytest.mark.parametrize("word", ["一般规则", "原则上", "若干", "和解协议", "而且过", "当事人"])
def test_words_stay_whole(word: str) -> None:
    """则, 若, 当, 且 and 和 inside a word do not cut it."""
    assert condition(f"包含{word}") == Contains(words("all", word))


@pytest.mark.parametrize("word", ["一般规则", "原则上", "若干"])
def test_then_after_a_word(word: str) -> None:
    """则 at the edge of a clause begins the actions, whatever the word before it."""
    sentence, _ = parse_rule(f"包含{word}则标记为甲", LEXICON)
    assert sentence.condition == Contains(words("all", word))
    assert sentence.actions == (Action("tag", ("甲",)),)


ACTIONS = {
    "则标记为押金": (Action("tag", ("押金",)),),
    "则进入租赁审阅管线": (Action("route", ("租赁审阅",)),),
    "则进入“租赁”流程，优先级设为高": (
        Action("route", ("租赁",)), Action("priority", ("interactive",)),
    ),
    "则关联到《民法典》第五百八十五条": (Action("link", ("民法典", "585")),),
    "则关联到《公司法》第二十条之一": (Action("link", ("公司法", "20-1")),),
    "则与下一片合并": (Action("merge_next"),),
    "则整章保持一片": (Action("section"),),
    "则标记为“甲”、“乙”并跳过": (Action("tag", ("甲", "乙")), Action("skip")),
    "则解析深度为前200字": (Action("depth", ("first_n:200",)),),
    "then route to leasing pipeline": (Action("route", ("leasing",)),),
    "-> tag as deposit": (Action("tag", ("deposit",)),),
    "则提取押金金额": (Action("extract", ("押金金额",)),),
    "则需要人工": (Action("review"),),
    "则脱敏": (Action("redact"),),
    "则脱敏并标记为“甲”": (Action("redact"), Action("tag", ("甲",))),
    "then redact and tag as 'a'": (Action("redact"), Action("tag", ("'a'",))),
}  # fmt: skip


@pytest.mark.parametrize("tail", ACTIONS)
def test_actions(tail: str) -> None:
    """An action is read with its arguments, one after the other."""
    sentence, _ = parse_rule(f"包含“押金”，{tail}", LEXICON)
    assert sentence.actions == ACTIONS[tail]


def test_unknown_action() -> None:
    """An action that there is not is refused at its place, with those that there are."""
    with pytest.raises(SentenceError) as caught:
        parse_rule("包含“押金”则打电话给李四", LEXICON)
    assert caught.value.complaint.code == "E140"
    assert caught.value.complaint.position == 8
    assert "标记为" in caught.value.complaint.suggestions[-1]


def test_warnings() -> None:
    """A list with only 、, a bare entity name and 不包含…和… are taken with a warning."""
    for sentence, code in (
        ("包含“甲”、“乙”", "W110"),
        ("包含金额", "W120"),
        ("不包含“甲”和“乙”", "W121"),
    ):
        _, warnings = parse_condition(sentence, LEXICON)
        assert [warning.code for warning in warnings] == [code]


def test_strict_packs() -> None:
    """A pack may demand quotes around words and explicit lists."""
    with pytest.raises(SentenceError, match="E107"):
        parse_condition("包含押金", Lexicon(quotes_required=True))
    with pytest.raises(SentenceError, match="E112"):
        parse_condition("包含“甲”、“乙”", Lexicon(lists_explicit=True))


def test_unknown_alias() -> None:
    """An alias that the pack does not define is refused with the nearest one."""
    with pytest.raises(SentenceError) as caught:
        parse_condition("包含@电呀", Lexicon(aliases={"电压": ("电压", "伏")}))
    assert caught.value.complaint.code == "E105"
    assert "电压" in caught.value.complaint.suggestions[0]


def test_alias_runs_into_text() -> None:
    """A defined alias ends where its name ends."""
    lexicon = Lexicon(aliases={"电压": ("电压",)})
    sentence, _ = parse_rule("包含@电压则标记为电", lexicon)
    assert sentence.condition == Contains(Terms("all", (Alias("电压"),)))


def test_caret_counts_wide_characters() -> None:
    """The caret stands below the place on a terminal, where a Han character is two columns."""
    with pytest.raises(SentenceError) as caught:
        parse_rule("金额大于很多", LEXICON)
    lines = caught.value.complaint.lines()
    assert lines[1] == "  金额大于很多"
    assert lines[2] == "  " + " " * 8 + "^" * 4
    assert caught.value.complaint.as_json()["position"] == 5


def test_depth_is_bounded() -> None:
    """Brackets a thousand deep are refused, not run out of stack."""
    with pytest.raises(SentenceError, match="E156"):
        parse_rule("（" * 1000 + "包含“甲”" + "）" * 1000, LEXICON)


def test_shared_sentences(shared: Path) -> None:
    """Every sentence of the shared cases is judged right, refusals with place and suggestion."""
    table = (shared / "cases" / "rule_sentences.tsv").read_text(encoding="utf-8")
    for line in table.splitlines()[1:]:
        verdict, sentence = line.split("\t", 1)
        complaint = complaint_about(sentence)
        assert (complaint is None) == (verdict == "accepted"), f"{sentence}\n{complaint}"
        if complaint is not None:
            assert complaint.position
            assert complaint.suggestions


def complaint_about(sentence: str) -> Complaint | None:
    """Give why a sentence is refused, or none."""
    try:
        parse_rule(sentence, LEXICON)
    except SentenceError as problem:
        return problem.complaint
    return None
