"""Packs from YAML: places, refusals, traps, the decision table, phases."""

import pytest

from headworks.errors import RulesError
from headworks.rules.loader import parse_pack
from headworks.rules.syntax import Action
from tests.build.rules import book_of, pack_of, verdict_on

REFUSED = {
    "rules:\n  - id: a\n    wen: 包含“甲”\n    then: 跳过\n": ("E401", "3:5", "when"),
    "rules:\n  - id: a\n    when: 包函“甲”\n    then: 跳过\n": ("E100", "3:11", "包含"),
    "rules:\n  - id: a\n    when: '文本长度小于20且包函“甲”'\n    then: 跳过\n": (
        "E100", "3:21", "包含",
    ),
    "rules:\n  - id: a\n    when: 包含“甲”\n    then: [标记为一, 发邮件]\n": ("E140", "4:18", ""),
    "rules:\n  - id: a\n    when: @电压\n": ("E400", "3:11", "加引号"),
    "rules：\n  - id: a\n": ("E400", "2:7", "全角冒号"),
    "rules:\n  - {id: a, when: 任意分片, then: 跳过}\n  - {id: a, when: 任意分片, then: 跳过}\n": (
        "E404", "3:5", "",
    ),
    "rules:\n  - {id: a, when: 任意分片, then: 跳过, priority: 高}\n": ("E403", "2:45", ""),
    "rules:\n  - {id: a, when: 任意分片, when: 任意分片, then: 跳过}\n": ("E410", "2:25", ""),
    "layer: orgg\nrules:\n  - {id: a, when: 任意分片, then: 跳过}\n": ("E406", "1:8", "org"),
    "settings: {quotes: yes}\nrules: []\n": ("E406", "1:20", ""),
    "rules:\n  - {id: a, then: 跳过}\n": ("E402", "2:5", "when"),
    "rules:\n  - {id: a, when: 任意分片}\n": ("E402", "2:5", "then"),
    "rules:\n  - {id: a, regex: '(?=位\\s*\\d+)', action: skip}\n": ("E151", "2:21", "顺序"),
    "rules:\n  - {id: a, regex: '(a', action: skip}\n": ("E150", "2:21", ""),
    "": ("E400", "1:1", ""),
    "- - -\n  [": ("E400", "3:1", ""),
    "rules:\n  - {id: a, keywords: [甲], match: {at_least: 2}, action: skip}\n": (
        "E113", "2:35", "",
    ),
    "rules:\n  - {id: a, keywords: [甲], action: {tga: x}}\n": ("E140", "2:37", "tag"),
    "rules:\n  - {id: a, when: {b: c}, then: 跳过}\n": ("E403", "2:19", ""),
    "rules:\n  - {id: a, when: 任意分片, then: [[跳过]]}\n": ("E403", "2:32", ""),
    "rules:\n  - {id: a, when: 任意分片, pipeline: [x]}\n": ("E403", "2:35", ""),
    "rules:\n  - {id: a, when: 任意分片, action: {tag: }}\n": ("E141", "2:39", ""),
}  # fmt: skip


@pytest.mark.parametrize("text", REFUSED)
def test_refusals_have_a_place(text: str) -> None:
    """Each fault is told with its file, line and column, and what was probably meant."""
    code, place, hint = REFUSED[text]
    pack = parse_pack("t.yaml", text.encode())
    complaint = next(found for found in pack.errors if found.code == code)
    assert complaint.place == f"t.yaml:{place}"
    assert hint in "\n".join(complaint.suggestions)


def test_all_faults_at_once() -> None:
    """One fault does not hide the next; the error that stops a run names them all."""
    text = (
        "rules:\n  - {id: a, when: 包函“甲”, then: 跳过}\n  - {id: b, when: 任意分片, then: 飞走}\n"
    )
    with pytest.raises(RulesError) as caught:
        pack_of(text)
    assert caught.value.place == "test.yaml:2:19"
    assert "E100" in caught.value.message
    assert "E140" in caught.value.message
    assert "test.yaml:3:" in caught.value.message


def test_words_stay_as_written() -> None:
    """YAML's no, on and numbers are words where a word belongs."""
    pack = pack_of(
        "rules: [{id: a, keywords: [no, on, 007, 1.0, 是], match: any, action: {tag: yes}}]"
    )
    assert "“no”、“on”、“007”、“1.0”、“是”" in pack.rules[0].sentence
    assert pack.rules[0].actions == (Action("tag", ("yes",)),)


def test_decision_table() -> None:
    """Each row of a table is a rule; the earlier row comes first."""
    book = book_of(
        "rules:\n"
        "  - table: 分流表\n"
        "    phase: route\n"
        "    columns: [当, 进入, 优先级]\n"
        "    rows:\n"
        "      - ['包含任一：“发票”、“税号”', 财务表格, 80]\n"
        "      - ['包含“发票”', 其他, 低]\n"
    )
    verdict = verdict_on(book, "发票一张")
    assert (verdict.route.pipeline, verdict.route.priority) == ("财务表格", "interactive")
    assert verdict.route.also == ("pack0/分流表-2",)


def test_phases_and_bare_lists() -> None:
    """Rules may stand under phases, in a list without a head, or as bare sentences."""
    phased = "phases: [{name: 标注, rules: [{id: a, when: 任意分片, then: 标记为一}]}]"
    assert verdict_on(book_of(phased), "甲").hits[0].phase == "tag"
    assert verdict_on(book_of("[{id: a, when: 任意分片, then: 标记为一}]"), "甲").tags == ("一",)
    assert verdict_on(book_of("rules: [如果包含“甲”，则标记为一]"), "甲").tags == ("一",)


def test_unknown_exception_is_warned_of() -> None:
    """An except that names no rule of the pack changes nothing, and is told."""
    pack = pack_of("rules: [{id: a, when: 任意分片, then: 跳过, except: [b]}]")
    assert [complaint.code for complaint in pack.complaints] == ["W409"]


def test_unnamed_phase_is_warned_of() -> None:
    """A phase of another name is kept, with a warning; the actions decide."""
    pack = pack_of("phases: [{name: 第一步, rules: [{id: a, when: 任意分片, then: 跳过}]}]")
    assert [complaint.code for complaint in pack.complaints] == ["W403"]


def test_nested_yaml_aliases_do_not_explode() -> None:
    """A billion laughs in YAML is refused."""
    levels = ["a: &a [x, x, x, x, x, x, x, x, x]"]
    for before, name in zip("abcdefgh", "bcdefghi", strict=True):
        levels.append(f"{name}: &{name} [{', '.join([f'*{before}'] * 9)}]")
    pack = parse_pack("t.yaml", "\n".join(levels).encode())
    assert [complaint.code for complaint in pack.errors] == ["E400"]


def test_same_bytes_same_digest() -> None:
    """A pack is known by the hash of its bytes."""
    text = "rules: [{id: a, when: 任意分片, then: 跳过}]"
    assert pack_of(text).digest == pack_of(text).digest != pack_of(text + "\n").digest


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "gb18030", "utf-16"])
def test_what_editors_save_is_read(encoding: str) -> None:
    """A pack that a Windows editor saved as GBK or UTF-16 is read like one in UTF-8."""
    text = "rules:\n  - {id: a, when: 包含“违约金”, then: 标记为“风险”}\n"
    pack = parse_pack("甲.yaml", text.encode(encoding))
    assert not pack.complaints
    assert pack.rules[0].actions == (Action("tag", ("风险",)),)


def test_a_fault_in_a_sequence_names_file_and_line() -> None:
    """A sequence that does not compile is told with the file, the line and the key."""
    text = "rules:\n  - id: a\n    sequence: {within: 句, steps: [{find: 甲}]}\n    then: 跳过\n"
    with pytest.raises(RulesError) as caught:
        book_of(text)
    assert caught.value.place.endswith(":2:5")
    assert "sequence.within" in caught.value.message


@pytest.mark.parametrize("written", ['包含"发票，则标记为"甲"', "包含“发票’，则标记为“甲”"])
def test_unpaired_quotes_are_told_as_such(written: str) -> None:
    """A quote without its pair is told where it opens, with the word closed where it should be."""
    complaint = parse_pack("甲.yaml", f"rules:\n  - id: a\n    rule: {written}\n".encode())
    first = complaint.complaints[0]
    assert (first.code, first.suggestions[0][1:3]) == ("E102", "发票")
