"""What a rule means, told in plain words: 甲、乙都不出现 for 不包含任一：甲、乙.

Takes a syntax tree, gives a sentence in Chinese or English for the person who answers for the
rule. Never parsed again: the printer gives the form that is.
"""

from headworks.rules.printer import Language, actions_text, condition_text, term_text
from headworks.rules.syntax import And, Condition, Contains, Not, Or, Sentence, Tagged, Terms

_SUBJECT = {
    "zh": {
        "text": "", "title": "标题里", "trail": "上级标题里", "first_line": "第一行里",
        "file_name": "文件名里", "previous": "上一片里", "next": "下一片里",
        "document": "整份文件里",
    },
    "en": {
        "text": "the text", "title": "the title", "trail": "a heading above",
        "first_line": "the first line", "file_name": "the file name",
        "previous": "the previous chunk", "next": "the next chunk",
        "document": "the whole document",
    },
}  # fmt: skip


def describe(sentence: Sentence, language: Language = "zh") -> str:
    """Give the rule in plain words."""
    said = describe_condition(sentence.condition, language)
    if not sentence.actions:
        return f"成立的条件：{said}。" if language == "zh" else f"Holds where {said}."
    actions = actions_text(sentence.actions, language)
    if language == "zh":
        return f"凡是{said}的分片，{actions}。"
    return f"For every chunk where {said}: {actions}."


def describe_condition(condition: Condition, language: Language = "zh") -> str:
    """Give the condition in plain words."""
    zh = language == "zh"
    if isinstance(condition, And | Or):
        both = isinstance(condition, And)
        word = ("，并且" if both else "，或者") if zh else (", and " if both else ", or ")
        return word.join(_inner(part, language) for part in condition.parts)
    if isinstance(condition, Not):
        inside = describe_condition(condition.part, language)
        return f"不满足（{inside}）" if zh else f"it is not so that ({inside})"
    if isinstance(condition, Contains):
        return _words_zh(condition) if zh else _words_en(condition)
    if isinstance(condition, Tagged) and zh:
        shown = "、".join(f"“{tag}”" for tag in condition.tags)
        return f"{'没有' if condition.negated else '带有'}标签{shown}"
    return condition_text(condition, language)


def _inner(part: Condition, language: Language) -> str:
    said = describe_condition(part, language)
    if isinstance(part, And | Or):
        return f"（{said}）" if language == "zh" else f"({said})"
    return said


def _words_zh(condition: Contains) -> str:
    shown = [_alternatives(term_text(term)) for term in condition.terms.terms]
    where = _SUBJECT["zh"][condition.subject]
    listed = "、".join(shown)
    count = "两者" if len(shown) == 2 else ""
    if len(shown) == 1:
        return f"{where}{'没有出现' if condition.negated else '出现'}{listed}"
    if condition.negated:
        return {
            "any": f"{where}{listed}{count}都不出现",
            "all": f"{where}{listed}不同时出现",
            "at_least": f"{where}{listed}中出现的不到{condition.terms.least}个",
        }[condition.terms.mode]
    return {
        "any": f"{where}出现{listed}中的任何一个",
        "all": f"{where}{listed}{count}都出现",
        "at_least": f"{where}{listed}中至少出现{condition.terms.least}个",
    }[condition.terms.mode]


def _alternatives(shown: str) -> str:
    return shown.replace("|", "”或“") if shown.startswith("“") else shown


def _words_en(condition: Contains) -> str:
    terms: Terms = condition.terms
    shown = [term_text(term, "en").replace("|", '" or "') for term in terms.terms]
    where = _SUBJECT["en"][condition.subject]
    listed = ", ".join(shown)
    if len(shown) == 1:
        return f"{where} {'does not have' if condition.negated else 'has'} {listed}"
    if condition.negated:
        return {
            "any": f"{where} has none of {listed}",
            "all": f"{where} does not have all of {listed} together",
            "at_least": f"{where} has fewer than {terms.least} of {listed}",
        }[terms.mode]
    return {
        "any": f"{where} has any of {listed}",
        "all": f"{where} has all of {listed}",
        "at_least": f"{where} has at least {terms.least} of {listed}",
    }[terms.mode]
