"""Lint: each code on a pack that has the fault, and silence on one that has not."""

import pytest

from headworks.rules.check import check, check_pack
from headworks.rules.loader import parse_pack

FAULTS = {
    "L301": (
        "rules: [{id: a, priority: 9, when: 包含“违约金”, then: 进入“一”管线},"
        "{id: b, priority: 1, when: 包含“违约金条款”且文本长度小于20, then: 进入“二”管线}]",
        "rules: [{id: a, priority: 1, when: 包含“违约金”, then: 进入“一”管线},"
        "{id: b, priority: 9, when: 包含“违约金条款”且文本长度小于20, then: 进入“二”管线}]",
    ),
    "L302": (
        "rules: [{id: a, when: 包含“发票”, then: 进入“一”管线},"
        "{id: b, when: 金额大于50万元, then: 进入“二”管线}]",
        "rules: [{id: a, when: 包含“发票”, then: 进入“一”管线},"
        "{id: b, when: 不包含“发票”, then: 进入“二”管线}]",
    ),
    "L303": (
        "rules: [{id: a, when: 文本长度小于20且文本长度大于30, then: 跳过}]",
        "rules: [{id: a, when: 文本长度大于20且文本长度小于30, then: 跳过}]",
    ),
    "L304": (
        "rules: [{id: a, when: 包含“甲”, then: 标记为一},"
        "{id: b, when: '包含\"甲\"', then: 标记为一}]",
        "rules: [{id: a, when: 包含“甲”, then: 标记为一},{id: b, when: 包含“甲”, then: 标记为二}]",
    ),
    "L305": (
        r"rules: [{id: a, when: '匹配正则/\d+[a-z]+/', then: 标记为一}]",
        r"rules: [{id: a, when: '匹配正则/型号\d+[a-z]+/', then: 标记为一}]",
    ),
    "L306": (
        "rules: [{id: a, when: 包含“甲”, then: 标记为一}]",
        "rules: [{id: a, when: 包含“甲”, then: 标记为一, examples: {should_match: [甲]}}]",
    ),
    "L307": (
        "rules: [{id: a, when: '匹配正则/违约.{0,1000}金额/', then: 标记为一}]",
        "rules: [{id: a, when: '匹配正则/违约.{0,50}金额/', then: 标记为一}]",
    ),
    "L308": (
        "rules: [{id: a, when: 包含“甲方”, then: 标记为一, examples: {should_not_match: [乙]}}]",
        "rules: [{id: a, when: 包含“甲方”且文本长度小于9, then: 标记为一,"
        " examples: {should_not_match: [甲方应当按照约定付款]}}]",
    ),
    "L309": (
        "rules: [{id: a, when: 包含“甲”, then: 标记为一, effective: {to: 2020-01-01}}]",
        "rules: [{id: a, when: 包含“甲”, then: 标记为一, effective: {to: 2999-01-01}}]",
    ),
    "L310": (
        "rules: [{id: a, when: 包含“甲”且文本长度小于9, then: 标记为一,"
        " examples: {should_match: [甲], should_not_match: [乙]}}]",
        "rules: [{id: a, when: 包含“甲”且文本长度小于3, then: 标记为一,"
        " examples: {should_match: [甲], should_not_match: [乙, 甲甲甲甲]}}]",
    ),
    "L312": (
        'rules: [{id: a, keywords: ["甲\\u200b方"], action: skip}]',
        "rules: [{id: a, keywords: [甲方], action: skip}]",
    ),
    "L313": (
        r"rules: [{id: a, when: '匹配正则/\d*/', then: 标记为一}]",
        r"rules: [{id: a, when: '匹配正则/\d+/', then: 标记为一}]",
    ),
    "E408": (
        "rules: [{id: a, status: active, owner: 某, when: 包含“甲”, then: 标记为一}]",
        "rules: [{id: a, status: active, owner: 某, when: 包含“甲”, then: 标记为一,"
        " examples: {should_match: [甲], should_not_match: [乙]}}]",
    ),
}


def codes(text: str) -> set[str]:
    """Give the codes of the findings about a pack."""
    return {finding.code for finding in check(parse_pack("t.yaml", text.encode()))}


@pytest.mark.parametrize("code", FAULTS)
def test_fault_is_found(code: str) -> None:
    """A pack with the fault is told so, one without it is not."""
    faulty, sound = FAULTS[code]
    assert code in codes(faulty)
    assert code not in codes(sound)


@pytest.mark.parametrize(
    ("condition", "impossible"),
    [
        ("包含“甲方”且不包含“甲”", True),
        ("包含“甲”且不包含“甲方”", False),
        ("包含“违约责任条款”且文本长度小于3", True),
        ("在附件中且在封面中", True),
        ("（文本长度小于2且文本长度大于3）或者包含“甲”", False),
        ("文本长度小于20且文本长度大于19", False),
        ("页码大于3且页码不超过3", True),
    ],
)
def test_impossible(condition: str, impossible: bool) -> None:
    """L303 is reported only where nothing can ever hold."""
    found = codes(f"rules: [{{id: a, when: {condition}, then: 标记为一}}]")
    assert ("L303" in found) == impossible


def test_conflict_shows_a_witness() -> None:
    """A conflict is reported with a text on which both rules really fire."""
    pack = parse_pack("t.yaml", FAULTS["L302"][0].encode())
    finding = next(found for found in check(pack) if found.code == "L302")
    assert "发票" in finding.message
    assert finding.place.startswith("t.yaml:1:")


def test_pack_that_is_not_there() -> None:
    """A file that is not there is a finding, not an exception."""
    findings = check_pack("nowhere.yaml")
    assert [finding.is_error for finding in findings] == [True]


@pytest.mark.parametrize("name", ["contract", "finance"])
def test_shipped_packs_have_no_errors(name: str) -> None:
    """The packs that come with headworks have no errors, no shadowed and no dead rules."""
    found = {finding.code for finding in check_pack(name)}
    assert not [code for code in found if code.startswith("E")]
    assert not found & {"L301", "L302", "L303", "L304", "L309", "L312"}
