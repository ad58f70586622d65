"""The words of the language, as tables: phrase to meaning, Chinese and English side by side.

Takes nothing, gives tables and the canonical phrase of each meaning. Never holds grammar: what
may follow what stands in ``grammar``.
"""

import re
from collections.abc import Mapping
from functools import cache
from typing import Any


class Phrases:
    """A table of phrases; the longest one that stands at a place wins."""

    def __init__(self, table: Mapping[str, Any]) -> None:
        self.table = dict(table)
        self._by_first: dict[str, list[str]] = {}
        for phrase in sorted(self.table, key=lambda phrase: (-len(phrase), phrase)):
            self._by_first.setdefault(phrase[0], []).append(phrase)

    def at(self, folded: str, position: int) -> tuple[Any, int] | None:
        """Give the meaning and the end of the longest phrase at a place, or none."""
        for phrase in self._by_first.get(folded[position : position + 1], ()):
            end = position + len(phrase)
            if not folded.startswith(phrase, position):
                if " " not in phrase:
                    continue
                match = _spelling(phrase).match(folded, position)
                if match is None:
                    continue
                end = match.end()
            if _closed(phrase, folded, end):
                return self.table[phrase], end
        return None


@cache
def _spelling(phrase: str) -> re.Pattern[str]:
    """Spaces between English words may be many."""
    return re.compile(r"\s+".join(re.escape(part) for part in phrase.split(" ")))


def _closed(phrase: str, folded: str, end: int) -> bool:
    """Tell whether a phrase that ends with a Latin letter ends a word: and, not in android."""
    last = phrase[-1]
    if not (last.isascii() and last.isalnum()):
        return True
    after = folded[end : end + 1]
    return not (after.isascii() and (after.isalnum() or after == "_"))


def _same(meaning: Any, *phrases: str) -> dict[str, Any]:
    return dict.fromkeys(phrases, meaning)


IF = Phrases(_same("if", "如果", "若", "当", "凡是", "凡", "if", "when", "whenever"))
THEN = Phrases(_same("then", "则", "那么", "就", "then", "->", "→", "=>"))
NOT = Phrases(_same("not", "不是", "并非", "不满足", "not", "it is not true that"))
# 和 与 及 and their like join conditions only where a condition follows (grammar sees to it).
AND = Phrases(
    _same("and", "并且", "而且", "且", "同时", "并", "但", "但是", "而", "and", "but", "&&")
)
# These join conditions only, never words: 既包含“甲”又包含“乙”.
ALSO = Phrases(_same("and", "又", "也", "还", "同时又", "并且还", "且还"))
# What stands after a list and decides it: “甲”、“乙”中的任意一个.
LIST_TAIL = Phrases(
    {
        **_same("any", "中的任意一个", "中任意一个", "中的任一个", "中任一个", "中的任何一个"),
        **_same("any", "中的一个", "中任何一个", "任意一个", "任何一个", "其中之一", "之一"),
        **_same("all", "中的全部", "中全部", "中的每一个", "中每一个"),
    }
)
SOFT_AND = Phrases(_same("and", "和", "与", "及", "以及", "and"))
OR = Phrases(_same("or", "或者", "或是", "或", "or", "||"))
LIST = Phrases(
    {
        **_same("all", "和", "与", "及", "以及", "and", "并且", "且", "&"),
        **_same("any", "或", "或者", "或是", "or"),
        **_same("list", "、"),
    }
)
COMMA = Phrases(_same("list", ",", "， "))
# Where a bareword ends because the list or the condition goes on.
INNER_LIST = Phrases({**_same("all", "和", "与", "及", "以及"), **_same("any", "或", "或者")})

MODES = Phrases(
    {
        **_same("all", "全部", "所有", "all of", "all"),
        **_same("any", "任一", "任意", "任意一个", "任一个", "任何一个", "any of", "any", "one of"),
    }
)
AT_LEAST = Phrases(_same("at_least", "至少", "不少于", "at least"))
WORD_SUFFIX = Phrases(_same("word", "字样", "关键词", "关键字", "字眼", "等字样", "一词", "的字样"))

CONTAINS = Phrases(
    {
        **_same(False, "包含", "含有", "包括", "出现", "提到", "提及", "contains", "contain"),
        **_same(False, "includes", "include", "mentions", "含", "同时包含", "都包含", "既包含"),
        **_same(True, "不包含", "不含有", "不包括", "未包含", "未出现", "没有出现", "未提及"),
        **_same(
            True, "没有提到", "不含", "没有包含", "没有", "does not contain", "doesn't contain"
        ),
        **_same(True, "not contain", "lacks", "does not include", "does not mention"),
        **_same(True, "not contains", "without", "doesn't include", "doesn't mention"),
    }
)
SUBJECTS = Phrases(
    {
        **_same("text", "分片文本", "分片内容", "文本", "分片", "本片", "内容", "text", "the text"),
        **_same("text", "the chunk", "chunk", "this chunk", "it", "the document", "the clause"),
        **_same("text", "合同", "合同内容", "文中", "文字", "段落", "片段", "该分片", "当前分片"),
        **_same("text", "本条", "本条款", "该条", "该条款", "此条", "本段", "该段"),
        **_same("title", "标题", "本条标题", "title", "the title", "heading", "the heading"),
        **_same("title", "标题中", "标题里"),
        **_same("trail", "所在章节标题", "章节标题", "所在章节", "上级标题", "section heading"),
        **_same("trail", "the section heading", "section title", "the section title"),
        **_same("first_line", "首行", "第一行", "first line", "the first line"),
        **_same("file_name", "文件名", "文件名称", "file name", "the file name", "filename"),
        **_same("previous", "上一片", "前一片", "previous chunk", "the previous chunk"),
        **_same("next", "下一片", "后一片", "next chunk", "the next chunk"),
        **_same("document", "全文", "整份文件", "文件全文", "整个文件", "the whole document"),
        **_same("document", "whole document"),
    }
)
EDGE_LEAD = Phrases({**_same(False, "以"), **_same(True, "不以", "并非以", "未以")})
LINE_LEAD = Phrases({**_same(False, "行首为", "行首是", "行首"), **_same(True, "行首不为")})
EDGE_SIDE = Phrases(
    {
        **_same("start", "开头", "开始", "打头", "起始"),
        **_same("end", "结尾", "结束", "收尾"),
        **_same("line_start", "作为行首", "起行"),
    }
)
EDGE_ENGLISH = Phrases(
    {
        **_same(("start", False), "starts with", "start with", "begins with", "begin with"),
        **_same(("end", False), "ends with", "end with"),
        **_same(("start", True), "does not start with", "does not begin with"),
        **_same(("start", True), "not starts with", "not start with", "doesn't start with"),
        **_same(("end", True), "does not end with", "not ends with", "doesn't end with"),
        **_same(("end", True), "not end with"),
        **_same(("line_start", False), "has a line starting with"),
        **_same(("line_start", True), "has no line starting with"),
    }
)
PUNCTUATION = {
    "句号": ("。", "."),
    "逗号": (",",),
    "分号": (";",),
    "冒号": (":",),
    "问号": ("?",),
    "感叹号": ("!",),
    "叹号": ("!",),
    "顿号": ("、",),
    "省略号": ("…",),
    "数字": tuple("0123456789"),
    "a full stop": ("。", "."),
    "a period": ("。", "."),
    "a comma": (",",),
    "a semicolon": (";",),
    "a colon": (":",),
    "a question mark": ("?",),
}
PUNCTUATION_NAMES = Phrases({name: name for name in PUNCTUATION})

MEASURES = Phrases(
    {
        **_same("length", "文本长度", "分片长度", "文本字数", "字数", "长度", "text length"),
        **_same("length", "length", "the length", "its length"),
        **_same("page", "页码", "所在页", "所在页码", "page number", "page"),
        **_same("pages", "总页数", "页数", "page count", "number of pages", "total pages"),
        **_same("lines", "行数", "line count", "number of lines"),
        **_same("similarity", "相似度", "与前文相似度", "similarity"),
        **_same("rows", "表格行数", "row count"),
        **_same("columns", "表格列数", "column count"),
    }
)
OPERATORS = Phrases(
    {
        **_same("<", "小于", "少于", "低于", "不足", "不到", "早于", "短于", "不满", "<"),
        **_same("<", "less than", "fewer than", "below", "under", "shorter than", "before"),
        **_same("<", "is less than", "is below", "is before", "earlier than", "is earlier than"),
        **_same("<=", "不超过", "不大于", "不多于", "不高于", "至多", "最多", "不晚于", "不长于"),
        **_same("<=", "小于等于", "小于或等于", "不迟于", "<=", "≤", "at most", "no more than"),
        **_same("<=", "is at most", "is no more than", "not more than", "not exceeding"),
        **_same("<=", "does not exceed", "not greater than", "no later than"),
        **_same(">", "大于", "多于", "超过", "高于", "晚于", "长于", "超出", "迟于", ">"),
        **_same(">", "greater than", "more than", "over", "above", "longer than", "after"),
        **_same(">", "is greater than", "is more than", "is above", "is over", "is after"),
        **_same(">", "exceeds", "later than", "is later than"),
        **_same(">=", "不小于", "不少于", "不低于", "至少", "最少", "不早于", "不短于", "达到"),
        **_same(">=", "大于等于", "大于或等于", ">=", "≥", "at least", "no less than"),
        **_same(">=", "is at least", "is no less than", "not less than", "no earlier than"),
        **_same("=", "等于", "为", "是", "=", "==", "equals", "equal to", "is", "is equal to"),
        **_same("!=", "不等于", "不为", "不是", "!=", "≠", "is not", "not equal to"),
    }
)
# 以上, 以下 and 以内 include the number itself, as in the Civil Code.
BOUND_TAIL = Phrases(
    {
        **_same(">=", "以上", "及以上"),
        **_same("<=", "以下", "以内", "之内", "及以下"),
        **_same("<", "之前", "以前", "前"),
        **_same(">", "之后", "以后", "后"),
    }
)
RANGE_JOIN = Phrases(_same("to", "到", "至", "-", "~"))
RANGE_LEAD = Phrases(_same("in", "在", "介于"))
BETWEEN = Phrases(_same("between", "之间", "之内"))
PLACE_LEAD = Phrases(
    {
        **_same(False, "在", "位于", "处于", "出现在", "is in", "in", "lies in"),
        **_same(True, "不在", "不位于", "不处于", "不出现在", "is not in", "not in"),
    }
)
PLACES = Phrases(
    {
        **_same("appendix", "附件", "附录", "附表", "appendix", "the appendix", "an appendix"),
        **_same("appendix", "attachment", "an attachment"),
        **_same("body", "正文", "body", "the body"),
        **_same("cover", "封面", "cover", "the cover"),
        **_same("contents", "目录", "contents", "the contents", "the table of contents"),
        **_same("clause", "条款", "clause", "a clause", "the clauses"),
        **_same("header", "页眉", "header", "the page header"),
        **_same("footer", "页脚", "footer", "the page footer"),
        **_same("table", "表格", "table", "a table", "the table"),
        **_same("signature", "签字页", "签署页", "签字部分", "signature", "the signature page"),
    }
)
PLACE_TAIL = Phrases(_same("in", "中", "里", "内", "之中", "部分", "里面"))
IS = Phrases({**_same(False, "是", "为", "is"), **_same(True, "不是", "不为", "并非", "is not")})
OUTERMOST = Phrases(
    {
        **_same(("first", False), "是第一片", "是首片", "是文件的第一片", "is the first chunk"),
        **_same(("first", True), "不是第一片", "不是首片", "is not the first chunk"),
        **_same(("last", False), "是最后一片", "是末片", "是文件的最后一片", "is the last chunk"),
        **_same(("last", True), "不是最后一片", "不是末片", "is not the last chunk"),
    }
)
TABLE = Phrases(_same("table", "表格", "一个表格", "a table", "table"))
HAS = Phrases(
    {
        **_same(False, "含", "含有", "带有", "带", "has", "有"),
        **_same(True, "不含", "不含有", "不带", "没有", "has no", "contains no", "无"),
    }
)
FEATURES = Phrases(
    {
        **_same("comment", "批注", "评论", "comment", "comments", "a comment"),
        **_same("figure", "图片", "图形", "插图", "figure", "figures", "a figure", "a picture"),
        **_same("revision", "修订", "修订标记", "revision", "revisions", "a revision"),
        **_same("table", "表格", "a table", "tables"),
        **_same("formula", "公式", "a formula", "formulas"),
        **_same("code", "代码", "code"),
    }
)
TAG = Phrases(_same("tag", "标签", "文档标签", "tags", "tag", "the tag", "the tags"))
TAG_OPERATORS = Phrases(
    {
        **_same(False, "为", "是", "包含", "含有", "is", "are", "include", "includes", "contain"),
        **_same(True, "不为", "不是", "不包含", "不含", "is not", "do not include"),
    }
)
REPEATS = Phrases(
    {
        **_same(
            (False, False), "与前文重复", "和前文重复", "repeats earlier text", "is a repetition"
        ),
        **_same((True, False), "与前文不重复", "不与前文重复", "does not repeat earlier text"),
        **_same(
            (False, True),
            "与前文基本重复",
            "和前文基本重复",
            "与前文近似重复",
            "与前文大体重复",
            "nearly repeats earlier text",
        ),
        **_same(
            (True, True),
            "不与前文基本重复",
            "与前文不基本重复",
            "不与前文近似重复",
            "does not nearly repeat earlier text",
        ),
    }
)
# With the name of an extension in quotes behind it.
MEETS = Phrases(
    {
        **_same(False, "满足条件", "满足", "meets"),
        **_same(True, "不满足条件", "不满足", "does not meet"),
    }
)
MATCHES = Phrases(
    {
        **_same(
            False, "匹配正则", "匹配正则表达式", "匹配", "符合正则", "matches", "matches regex"
        ),
        **_same(True, "不匹配正则", "不匹配", "does not match", "does not match regex"),
    }
)
REFERS = Phrases(
    {
        **_same(False, "引用了", "引用", "引用到", "refers to", "cites"),
        **_same(True, "未引用", "没有引用", "不引用", "does not refer to", "does not cite"),
    }
)
REFERENCES = Phrases(
    {
        **_same("appendix", "附件", "附录", "an appendix", "appendix", "an attachment"),
        **_same("clause", "条款", "本合同条款", "a clause", "clause"),
        **_same("law", "法条", "法律", "法律条文", "a law", "law", "an article of law"),
    }
)
ALWAYS = Phrases(_same("always", "任意分片", "所有分片", "任何分片", "always", "any chunk"))

DIRECTIONS = Phrases(
    {
        **_same("around", "前后", "附近", "上下"),
        **_same("after", "之后", "以后", "后面", "后"),
        **_same("before", "之前", "以前", "前面", "前"),
    }
)
SAME = Phrases(
    {
        f"{lead}{said}{tail}": extent
        for lead in ("", "的", "在", "出现在", "都在", "同在")
        for said, extent in (
            ("同一句", "sentence"), ("同一句话", "sentence"), ("同句", "sentence"),
            ("同一段", "paragraph"), ("同段", "paragraph"),
            ("同一条", "clause"), ("同条", "clause"), ("同一条款", "clause"),
        )
        for tail in ("", "中", "内", "里")
    }
)  # fmt: skip
OCCURS = Phrases(
    {
        **_same(False, "出现", "有", "包含", "存在"),
        **_same(True, "没有出现", "未出现", "不出现", "没有", "不包含", "不存在"),
    }
)
INSIDE = Phrases(
    _same("in", "字内", "字以内", "字之内", "字范围内", "个字内", "个字以内", "字符内")
)
COUNTED_BY = Phrases(_same("count", "出现", "出现了"))
COUNTED = Phrases(_same("count", "出现次数", "出现的次数", "次数", "occurs", "appears"))
APART = Phrases(_same("apart", "相距不超过", "距离不超过", "间隔不超过", "相隔不超过"))
# English proximity: "A" followed within 30 chars by "B".
NEAR_ENGLISH = Phrases(
    {
        **_same(("after", False), "followed within", "is followed within"),
        **_same(("before", False), "preceded within", "is preceded within"),
        **_same(("after", True), "not followed within", "is not followed within"),
        **_same(("before", True), "not preceded within", "is not preceded within"),
        **_same(("around", False), "with in reach of", "surrounded within"),
        **_same(("around", True), "not surrounded within"),
    }
)
_SIDES = (("followed", "after"), ("preceded", "before"), ("surrounded", "around"))
SAME_ENGLISH = Phrases(
    {
        f"{no}{side} in the same {extent} by": (extent, bool(no), direction)
        for no in ("", "not ", "is not ", "is ")
        for side, direction in _SIDES
        for extent in ("sentence", "paragraph", "clause")
    }
)
BY = Phrases(_same("by", "by"))
APART_ENGLISH = Phrases(_same("apart", "no more than"))
APART_TAIL = Phrases(_same("apart", "apart"))

UNITS = Phrases(
    {
        unit: unit
        for unit in (
            *("字", "字符", "页", "行", "列", "次", "个", "天", "日", "个月", "月", "年", "周"),
            *("小时", "分钟", "%", "‰", "元", "千元", "万元", "百万元", "亿元", "美元", "万美元"),
            *("kv", "kw", "v", "mm", "m", "kg", "℃", "a", "w", "工作日", "个工作日"),
            *("mv", "ma", "ka", "mw", "kva", "mva", "hz", "khz", "mhz", "cm", "km", "g", "t", "pa"),
            *(
                "kpa",
                "mpa",
                "伏",
                "千伏",
                "安",
                "千瓦",
                "兆瓦",
                "米",
                "毫米",
                "厘米",
                "公里",
                "吨",
                "千克",
            ),
            *("公斤", "兆帕", "千帕", "摄氏度", "季度", "秒", "港元", "欧元", "日元"),
        )
    }
    | {
        **_same("字符", "chars", "char", "characters", "character"),
        **_same("字", "个字", "non-space chars", "nonspace chars"),
        **_same("页", "pages", "page"),
        **_same("行", "lines", "line"),
        **_same("次", "times", "time"),
        **_same("天", "days", "day"),
        **_same("个月", "months", "month"),
        **_same("年", "years", "year"),
        **_same("元", "yuan", "cny", "rmb", "人民币"),
        **_same("%", "percent"),
    }
)

TABLES: dict[str, Phrases] = {
    "contains": CONTAINS, "subject": SUBJECTS, "edge": EDGE_LEAD, "measure": MEASURES,
    "place": PLACE_LEAD, "has": HAS, "tag": TAG, "repeats": REPEATS, "matches": MATCHES,
    "refers": REFERS, "outermost": OUTERMOST, "meets": MEETS, "always": ALWAYS,
}  # fmt: skip

# What a condition may begin with, for the nearest known phrase of a misspelled one.
LEADS: tuple[str, ...] = tuple(
    phrase for table in TABLES.values() for phrase in table.table if len(phrase) > 1
)

# Words that hold a connective and are no list: 参与方 is one word, 第和页 is a list.
WORDS_WITH_CONNECTIVES = re.compile(
    r"参与|与会|与否|给与|授与|赋与|和解(?![除释决答散聘])|和平|和谐|和睦|共和|总和|饱和|缓和|温和|和约"
    r"|或许|或有|或然|抑或|间或|涉及|普及|及时|及格|触及|危及|波及|提及|顾及|遍及|及早|及物|与其|和风"
)

ENGLISH_NAMES: dict[str, str] = {}
