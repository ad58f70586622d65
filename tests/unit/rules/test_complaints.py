"""Complaints: codes explained, in two languages, and as values."""

import re

import pytest

from headworks.rules.check import check
from headworks.rules.complaint_codes import MEANINGS
from headworks.rules.complaints import Complaint, SentenceError, bracketed, nearest_start, width
from headworks.rules.explain import explain_document
from headworks.rules.grammar import parse_rule
from headworks.rules.lexicon import Lexicon
from headworks.rules.loader import parse_pack
from headworks.rules.specimen import specimen
from headworks.rules.telling import as_json, told
from tests.build.rules import book_of


def test_every_code_has_a_meaning(root) -> None:  # type: ignore[no-untyped-def]
    """Each code that the rules can answer with has a meaning in both languages, and no other."""
    used = {
        code
        for path in (root / "src" / "headworks" / "rules").rglob("*.py")
        for code in re.findall(r'"([EWL][0-9]{3})"', path.read_text(encoding="utf-8"))
    }
    assert used == set(MEANINGS)
    assert all(zh and en for zh, en in MEANINGS.values())


def test_english() -> None:
    """The same complaint in English keeps the place, the caret and what is proposed."""
    pack = parse_pack("t.yaml", "rules: [{id: a, when: 包函“甲”, then: 跳过}]".encode())
    lines = told(pack.errors[0], "en")
    assert lines[0] == 't.yaml:1:23: E100 character 1: this condition is not understood (a, "包函")'
    assert lines[2] == "  ^^^^"
    assert lines[3] == "  try: did you mean: 包含?"


IN_ENGLISH = {
    'contians "a"': "contains",
    'contains "a" and contains "b" or contains "c"': '(contains "a" and contains "b") or',
    'contains "a" contains "b"': 'contains "a" or contains "b"',
    "text length abut 20": "text length is less than 20",
    "percent is more than 30": "percent is greater than 30%",
    "amount is greater than many": "amount is greater than 500000 yuan",
    "phone is greater than 3": "contains phone format",
    'title is "pay"': 'title contains "',
    "matches regex /(?=a)/": 'use "A" followed within n chars by "B"',
    '"a" followed within 10 by "b"': "10 chars",
    'contains at least 3 of "a", "b"': "at least 2 of",
    'contains "a" then email bob': "known actions: tag as, skip",
    'contains "a" -> route to': 'route to "legal-review"',
    'contains "a" -> set priority to soon': "set priority to offline",
    'tag "x"': "tag is",
    "in appendixx": "in appendix",
    "contains (a or b)": 'quote the words: ("one" or "two")',
    "in appendix and body": "use or: in the appendix",
}


@pytest.mark.parametrize("sentence", IN_ENGLISH)
def test_proposals_in_english(sentence: str) -> None:
    """Who writes English is told in English, down to the sentence that is proposed."""
    with pytest.raises(SentenceError) as caught:
        parse_rule(sentence, Lexicon(aliases={}))
    lines = told(caught.value.complaint, "en")
    assert not re.search("[\u4e00-\u9fff]", "\n".join(lines))
    assert IN_ENGLISH[sentence] in "\n".join(lines)


def test_as_json() -> None:
    """An editor gets file, line, column, severity and suggestions as values."""
    pack = parse_pack("C:\\规则\\t.yaml", "rules: [{id: a, when: 包函“甲”, then: 跳过}]".encode())
    shown = pack.errors[0].as_json()
    assert (shown["file"], shown["line"], shown["column"]) == ("C:\\规则\\t.yaml", 1, 23)
    assert (shown["code"], shown["severity"], shown["rule"]) == ("E100", "error", "a")


@pytest.mark.parametrize(("text", "columns"), [("ab", 2), ("甲", 2), ("，", 2), ("ｂ", 2), ("", 0)])
def test_width(text: str, columns: int) -> None:
    """A wide character is two columns."""
    assert width(text) == columns


def test_bracketed() -> None:
    """Both readings of a mixed chain are written with their brackets."""
    pieces, joins = ["甲", "乙", "丙", "丁"], ["or", "and", "or"]
    assert bracketed(pieces, joins, "and") == "甲或者（乙并且丙）或者丁"
    assert bracketed(pieces, joins, "or") == "（甲或者乙）并且（丙或者丁）"


def test_nearest_start() -> None:
    """The known phrase most like the beginning is proposed; nothing like it, nothing."""
    assert nearest_start("包函甲", ["包含", "不包含", "标题"]) == "包含"
    assert nearest_start("天气", ["包含", "标题"]) is None


def test_warnings_are_no_errors() -> None:
    """Only codes with E refuse a pack."""
    assert Complaint("E100", "x").is_error
    assert not Complaint("W110", "x").is_error
    assert not Complaint("L301", "x").is_error


def test_reasons_in_english() -> None:
    """Why a rule did not fire is told in English to whoever reads English."""
    book = book_of(
        "rules: [{id: r, sequence: {steps: [{find: 违约金, not_followed_by: [条款]},"
        "{capture: {as: v, type: percent}}]}, then: 标记为T},"
        "{id: s, when: 文本长度小于3字, then: 标记为U}]"
    )
    for text, reason in (
        ("违约金条款见附件", "within 6 characters after “违约金” stands “条款”"),
        ("违约金另行约定", "after “违约金” the next steps were not found"),
        ("甲方付款", "“违约金” does not occur"),
    ):
        document, chunks, own = specimen(text, {})
        first, second = explain_document(book, document, chunks, "en")[own].rules
        assert first.why == f"r did not fire: {reason}"
        assert first.condition.text.startswith('within a sentence, there is "违约金"')
        assert second.why.startswith("s did not fire: text length is less than 3")
        assert second.why.endswith("characters)")


def test_lint_in_english() -> None:
    """A finding names the other rule, the text and the words in English, too, and as JSON."""
    pack = parse_pack(
        "t.yaml",
        "rules: [{id: a, when: 包含“发票”, then: 进入“x”管线},"
        "{id: b, when: 包含“发票”且文本长度小于1字, then: 进入“y”管线},"
        "{id: c, when: 包含“税号”, then: 进入“y”管线}]".encode(),
    )
    found = {finding.code + finding.rule: finding for finding in check(pack)}
    never = told(found["L301b"], "en")[0]
    assert never.endswith("b: never reached: wherever it holds, a before it holds too")
    assert "same priority as a, different results (x / y)" in told(found["L302c"], "en")[0]
    assert told(found["L303b"], "en")[0].endswith("at most 0 characters, with a word of at least 2")
    shown = as_json(found["L303b"], "en")
    assert shown["message"].startswith("b: can never hold")
    assert as_json(found["L303b"], "zh")["message"].startswith("b：条件永远不成立")


YAML_IN_ENGLISH = {
    "rules:\n  - id： a": "a full-width colon",
    "rules: [{id: a, when: always, then: skip, effective: {from: 2024/1/1}}]": "not “2024/1/1”",
    "rules: [{id: a, when: always, then: skip, priority: high}]": "a whole number is wanted",
    "rules: [{id: a, sequence: {steps: [{finde: x}]}, then: skip}]": "steps[1]: a step has",
    "rules: [{id: a, when: repeats other files, then: skip}]": "write corpus: FILE in the pack",
    "tables: [{table: t, columns: [when, pipeline], rows: [[always]]}]": "must have 2 cells",
}


@pytest.mark.parametrize("text", YAML_IN_ENGLISH)
def test_faults_of_a_file_in_english(text: str) -> None:
    """What is wrong with the file is told in English with the place in it."""
    found = check(parse_pack("t.yaml", text.encode()))
    lines = told(found[0], "en")
    assert YAML_IN_ENGLISH[text] in lines[0]
    assert lines[0].startswith("t.yaml:")
