"""The canonical sentence of a syntax tree, in Chinese or English.

Takes a condition, an action or a whole sentence, gives text that parses to the same tree. Never
leaves anything implicit: quotes, brackets, 全部 and 任一 are always written.
"""

from typing import Literal

from headworks.rules.actions import ACTIONS, DEPTH_ZH, PRIORITY_ZH
from headworks.rules.entities import RECOGNIZERS
from headworks.rules.lexicon import number_text
from headworks.rules.syntax import (
    NEARLY,
    SAME,
    Action,
    Alias,
    And,
    Apart,
    Compare,
    Condition,
    Contains,
    Count,
    Edge,
    Elsewhere,
    Entity,
    Has,
    InPlace,
    IsTable,
    Matches,
    Measure,
    Meets,
    Near,
    NearValue,
    Not,
    Number,
    Or,
    Outermost,
    Pattern,
    Refers,
    Repeats,
    Sentence,
    Tagged,
    Term,
    Terms,
    Within,
)

Language = Literal["zh", "en"]

_OPERATOR = {
    "zh": {"<": "小于", "<=": "不超过", ">": "大于", ">=": "不低于", "=": "等于", "!=": "不等于"},
    "en": {
        "<": "is less than",
        "<=": "is at most",
        ">": "is greater than",
        ">=": "is at least",
        "=": "is equal to",
        "!=": "is not",
    },
}
_SUBJECT = {
    "zh": {
        "text": "", "title": "标题", "trail": "所在章节标题", "first_line": "首行",
        "file_name": "文件名", "previous": "上一片", "next": "下一片",
        "document": "全文",
    },
    "en": {
        "text": "", "title": "title ", "trail": "section heading ", "first_line": "first line ",
        "file_name": "file name ", "previous": "previous chunk ", "next": "next chunk ",
        "document": "the whole document ",
    },
}  # fmt: skip
_MEASURE = {
    "zh": {
        "length": "文本长度", "page": "页码", "pages": "总页数", "lines": "行数",
        "similarity": "相似度", "rows": "表格行数", "columns": "表格列数",
    },
    "en": {
        "length": "text length", "page": "page number", "pages": "page count",
        "lines": "line count", "similarity": "similarity", "rows": "row count",
        "columns": "column count",
    },
}  # fmt: skip
_PLACE = {
    "zh": {
        "appendix": "附件", "body": "正文", "cover": "封面", "contents": "目录", "clause": "条款",
        "header": "页眉", "footer": "页脚", "table": "表格", "signature": "签署页",
    },
    "en": {
        "appendix": "the appendix", "body": "the body", "cover": "the cover",
        "contents": "the table of contents", "clause": "a clause", "header": "the page header",
        "footer": "the page footer", "table": "a table", "signature": "the signature page",
    },
}  # fmt: skip
_FEATURE = {
    "zh": {
        "comment": "批注", "figure": "图片", "revision": "修订", "table": "表格",
        "formula": "公式", "code": "代码",
    },
    "en": {
        "comment": "a comment", "figure": "a figure", "revision": "a revision",
        "table": "a table", "formula": "a formula", "code": "code",
    },
}  # fmt: skip
_REFERENCE = {
    "zh": {"appendix": "附件", "clause": "条款", "law": "法条"},
    "en": {"appendix": "an appendix", "clause": "a clause", "law": "an article of law"},
}
_DIRECTION = {"around": "前后", "after": "之后", "before": "之前"}
_DIRECTION_EN = {"around": "surrounded", "after": "followed", "before": "preceded"}
_EXTENT = {"sentence": "同一句", "paragraph": "同一段", "clause": "同一条"}


def sentence_text(sentence: Sentence, language: Language = "zh") -> str:
    """Give 如果…，则…。 whole."""
    condition = condition_text(sentence.condition, language)
    if not sentence.actions:
        return condition
    actions = actions_text(sentence.actions, language)
    if language == "en":
        return f"if {condition} then {actions}"
    return f"如果{condition}，则{actions}。"


def condition_text(condition: Condition, language: Language = "zh") -> str:
    """Give the canonical text of a condition."""
    if isinstance(condition, And | Or):
        both = {"zh": ("并且", "或者"), "en": (" and ", " or ")}[language]
        word = both[0] if isinstance(condition, And) else both[1]
        return word.join(_inner(part, language) for part in condition.parts)
    if isinstance(condition, Not):
        inside = condition_text(condition.part, language)
        return f"不是（{inside}）" if language == "zh" else f"not ({inside})"
    return _single_zh(condition) if language == "zh" else _single_en(condition)


def _inner(part: Condition, language: Language) -> str:
    text = condition_text(part, language)
    if isinstance(part, And | Or):
        return f"（{text}）" if language == "zh" else f"({text})"
    return text


def _single_zh(condition: Condition) -> str:
    no = "不" if getattr(condition, "negated", False) else ""
    match condition:
        case Contains():
            subject = _SUBJECT["zh"][condition.subject]
            return f"{subject}{no}包含{terms_text(condition.terms)}"
        case Edge():
            side = {"start": "开头", "end": "结尾", "line_start": "起行"}[condition.side]
            shown = "、".join(quote(word) for word in condition.words)
            return f"{_SUBJECT['zh'][condition.subject]}{no}以{shown}{side}"
        case Measure():
            name = _MEASURE["zh"][condition.name]
            return f"{name}{_OPERATOR['zh'][condition.operator]}{number_text(condition.number)}"
        case Compare():
            number = number_text(condition.number)
            return f"{condition.entity}{_operator(condition, 'zh')}{number}"
        case InPlace():
            return f"{no}在{_PLACE['zh'][condition.place]}{condition.name}中"
        case IsTable():
            return f"{no}是表格"
        case Has():
            return f"{no}含{_FEATURE['zh'][condition.feature]}"
        case Tagged():
            return f"标签{no}为{_tags(condition, 'zh')}"
        case Repeats() | Elsewhere():
            return _repeats_zh(condition)
        case Meets():
            return f"{no}满足“{condition.name}”"
        case Near():
            occurs = "没有出现" if condition.negated else "出现"
            where = f"{_DIRECTION[condition.direction]}{condition.distance}字内"
            return f"{term_text(condition.anchor)}{where}{occurs}{terms_text(condition.terms)}"
        case NearValue():
            within = f"{condition.distance}字内"
            where = _DIRECTION[condition.direction] + (_extent(condition) or within)
            return f"{term_text(condition.anchor)}{where}{condition_text(condition.value)}"
        case Outermost():
            return f"{no}是{'第一' if condition.side == 'first' else '最后一'}片"
        case Apart():
            pair = f"{term_text(condition.first)}与{term_text(condition.second)}"
            return f"{pair}相距不超过{condition.distance}字"
        case Within():
            occurs = "没有出现" if condition.negated else "出现"
            where = f"{_DIRECTION[condition.direction]}{_EXTENT[condition.extent]}"
            return f"{term_text(condition.anchor)}{where}{occurs}{terms_text(condition.terms)}"
        case Count():
            number = number_text(condition.number)
            operator = _OPERATOR["zh"][condition.operator]
            return f"{term_text(condition.term)}出现次数{operator}{number}"
        case Matches():
            subject = _SUBJECT["zh"][condition.subject]
            return f"{subject}{no}匹配正则{slashed(condition.pattern)}"
        case Refers():
            lead = "未引用" if condition.negated else "引用了"
            return f"{lead}{_REFERENCE['zh'][condition.kind]}{condition.name}"
        case _:
            return "任意分片"


def _single_en(condition: Condition) -> str:
    negated = getattr(condition, "negated", False)
    match condition:
        case Contains():
            verb = "does not contain" if negated else "contains"
            subject = _SUBJECT["en"][condition.subject]
            return f"{subject}{verb} {terms_text(condition.terms, 'en')}"
        case Edge():
            return _edge_en(condition)
        case Measure():
            name = _MEASURE["en"][condition.name]
            return f"{name} {_OPERATOR['en'][condition.operator]} {_number_en(condition.number)}"
        case Compare():
            name = _entity_en(condition.entity)
            return f"{name} {_operator(condition, 'en')} {_number_en(condition.number)}"
        case InPlace():
            name = f" {condition.name}" if condition.name else ""
            return f"{'not ' if negated else ''}in {_PLACE['en'][condition.place]}{name}"
        case IsTable():
            return "is not a table" if negated else "is a table"
        case Has():
            return f"{'has no' if negated else 'has'} {_FEATURE['en'][condition.feature]}"
        case Tagged():
            return f"tag {'is not' if negated else 'is'} {_tags(condition, 'en')}"
        case Repeats() | Elsewhere():
            return _repeats_en(condition)
        case Meets():
            return f'{"does not meet" if negated else "meets"} "{condition.name}"'
        case Near():
            lead = f"{'not ' if negated else ''}{_DIRECTION_EN[condition.direction]} within"
            terms = terms_text(condition.terms, "en")
            reach = f"{lead} {condition.distance} chars by"
            return f"{term_text(condition.anchor, 'en')} {reach} {terms}"
        case NearValue():
            return _near_value_en(condition)
        case Outermost():
            return f"is {'not ' if negated else ''}the {condition.side} chunk"
        case Apart():
            pair = f"{term_text(condition.first, 'en')} and {term_text(condition.second, 'en')}"
            return f"{pair} no more than {condition.distance} chars apart"
        case Within():
            side = _DIRECTION_EN[condition.direction]
            lead = f"{'not ' if negated else ''}{side} in the same {condition.extent} by"
            return f"{term_text(condition.anchor, 'en')} {lead} {terms_text(condition.terms, 'en')}"
        case Count():
            operator = _OPERATOR["en"][condition.operator].removeprefix("is ")
            operator = "!=" if operator == "not" else operator
            number = _number_en(condition.number)
            return f"{term_text(condition.term, 'en')} occurs {operator} {number}"
        case Matches():
            verb = "does not match regex" if negated else "matches regex"
            return f"{_SUBJECT['en'][condition.subject]}{verb} {slashed(condition.pattern)}"
        case Refers():
            lead = "does not refer to" if negated else "refers to"
            name = f" {condition.name}" if condition.name else ""
            return f"{lead} {_REFERENCE['en'][condition.kind]}{name}"
        case _:
            return "always"


def _extent(condition: NearValue) -> str:
    return _EXTENT[condition.extent] if condition.extent else ""


def _near_value_en(condition: NearValue) -> str:
    side = _DIRECTION_EN[condition.direction]
    within = f"within {condition.distance} chars by"
    reach = f"in the same {condition.extent} by" if condition.extent else within
    value = condition_text(condition.value, "en")
    return f"{term_text(condition.anchor, 'en')} {side} {reach} {value}"


def _repeats_zh(condition: Repeats | Elsewhere) -> str:
    if isinstance(condition, Repeats):
        return f"{'不' if condition.negated else ''}与前文{_nearly(condition, 'zh')}"
    least = f"至少{condition.least}个" if condition.least > 1 else ""
    if condition.likeness == SAME:
        return f"{'未' if condition.negated else ''}在{least}其他文件中出现过"
    return f"{'不' if condition.negated else ''}与{least}其他文件{_nearly(condition, 'zh')}"


def _repeats_en(condition: Repeats | Elsewhere) -> str:
    elsewhere = isinstance(condition, Elsewhere)
    near = condition.likeness < SAME if isinstance(condition, Elsewhere) else condition.nearly
    said = f"{'nearly ' if near else ''}repeat"
    verb = f"does not {said}" if condition.negated else f"{said}s"
    what = "other files" if elsewhere else "earlier text"
    if isinstance(condition, Elsewhere) and condition.least > 1:
        what = f"at least {condition.least} {what}"
    return f"{verb} {what}{_nearly(condition, 'en')}"


def _nearly(condition: Repeats | Elsewhere, language: Language) -> str:
    """Give 重复, 基本重复, 基本重复（相似度不低于90%）; in English what stands in brackets."""
    same = condition.likeness == SAME if isinstance(condition, Elsewhere) else not condition.nearly
    zh = language == "zh"
    if same:
        return "重复" if zh else ""
    share = condition.likeness
    if share == NEARLY:
        return "基本重复" if zh else ""
    return f"基本重复（相似度不低于{share}%）" if zh else f" (similarity at least {share}%)"


def _entity_en(name: str) -> str:
    return RECOGNIZERS[name].name.replace("_", " ")


_DATES = {
    "zh": {"<": "早于", "<=": "不晚于", ">": "晚于", ">=": "不早于"},
    "en": {"<": "is before", "<=": "no later than", ">": "is after", ">=": "no earlier than"},
}


def _operator(condition: Compare, language: Language) -> str:
    """Give the comparison word; dates are earlier and later."""
    plain = _OPERATOR[language]
    table = _DATES[language] if condition.number.unit == "date" else plain
    return table.get(condition.operator, plain[condition.operator])


def _edge_en(condition: Edge) -> str:
    lead = {
        ("start", False): "starts with",
        ("start", True): "does not start with",
        ("end", False): "ends with",
        ("end", True): "does not end with",
        ("line_start", False): "has a line starting with",
        ("line_start", True): "has no line starting with",
    }[condition.side, condition.negated]
    shown = " or ".join(quote(word, "en") for word in condition.words)
    return f"{_SUBJECT['en'][condition.subject]}{lead} {shown}"


def _tags(condition: Tagged, language: Language) -> str:
    shown = [quote(tag, language) for tag in condition.tags]
    if len(shown) == 1:
        return shown[0]
    if language == "zh":
        return ("全部：" if condition.mode == "all" else "任一：") + "、".join(shown)
    return ("all of " if condition.mode == "all" else "any of ") + ", ".join(shown)


def _number_en(number: Number) -> str:
    unit = {
        "字符": " chars",
        "字": " non-space chars",
        "页": " pages",
        "次": " times",
        "行": " lines",
        "元": " yuan",
        "天": " days",
        "个月": " months",
        "年": " years",
    }
    if number.unit in unit:
        return f"{number.value}{unit[number.unit]}"
    if number.unit == "date" and number.value.count("-") == 2:
        return number.value
    return number_text(number)


def terms_text(terms: Terms, language: Language = "zh") -> str:
    """Give 任一：“甲”、“乙”."""
    shown = [term_text(term, language) for term in terms.terms]
    if len(shown) == 1:
        return shown[0]
    if language == "zh":
        lead = {"all": "全部", "any": "任一", "at_least": f"至少{terms.least}个"}[terms.mode]
        return f"{lead}：{'、'.join(shown)}"
    leads = {"all": "all of", "any": "any of", "at_least": f"at least {terms.least} of"}
    lead = leads[terms.mode]
    return f"{lead} {', '.join(shown)}"


def term_text(term: Term, language: Language = "zh") -> str:
    """Give one term as a sentence writes it."""
    if isinstance(term, Alias):
        return f"@{term.name}"
    if isinstance(term, Pattern):
        return slashed(term.source)
    if isinstance(term, Entity):
        return f"{term.name}格式" if language == "zh" else f"{_entity_en(term.name)} format"
    return quote("|".join(term.alternatives), language)


def quote(text: str, language: Language = "zh") -> str:
    """Put quotes around a word: ones that do not occur in it."""
    pairs = [("“", "”"), ('"', '"'), ("「", "」"), ("『", "』")]
    if language == "en":
        pairs[0], pairs[1] = pairs[1], pairs[0]
    for opening, closing in pairs:
        if opening not in text and closing not in text:
            return f"{opening}{text}{closing}"
    return f"「{text}」"


def slashed(source: str) -> str:
    """Put a regular expression between slashes."""
    return "/" + source.replace("/", "\\/") + "/"


def actions_text(actions: tuple[Action, ...], language: Language = "zh") -> str:
    """Give the actions, one after the other."""
    shown = [_action(action, language) for action in actions]
    return "，".join(shown) if language == "zh" else ", ".join(shown)


def _action(action: Action, language: Language) -> str:
    kind = ACTIONS[action.name]
    lead = kind.zh[0] if language == "zh" else kind.en[0]
    space = "" if language == "zh" else " "
    if not action.arguments:
        return lead
    quoted = [quote(text, language) for text in action.arguments]
    if kind.argument == "pipeline":
        return f"{lead}{quoted[0]}管线" if language == "zh" else f"{lead} {quoted[0]} pipeline"
    if kind.argument == "law":
        article = f"第{action.arguments[1]}条" if len(action.arguments) > 1 else ""
        if len(action.arguments) > 1 and "-" in action.arguments[1]:
            article = "第{}条之{}".format(*action.arguments[1].split("-"))
        if language == "zh":
            return f"{lead}《{action.arguments[0]}》{article}"
        article = f" article {action.arguments[1]}" if article else ""
        return f"{lead} {quote(action.arguments[0], 'en')}{article}"
    if kind.argument == "depth":
        return f"{lead}{space}{_depth(action.arguments[0], language)}"
    if kind.argument == "priority":
        chosen = action.arguments[0]
        return f"{lead}{space}{PRIORITY_ZH[chosen] if language == 'zh' else chosen}"
    listed = ("、" if language == "zh" else ", ").join(quoted)
    return f"{lead}{space}{listed}"


def _depth(chosen: str, language: Language) -> str:
    if chosen.startswith("first_n:"):
        return f"前{chosen.removeprefix('first_n:')}字"
    return DEPTH_ZH[chosen] if language == "zh" else chosen.replace("_", " ")
