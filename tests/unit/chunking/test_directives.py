"""What structure rules ask of the cutting."""

from headworks.model.chunk import Directive
from headworks.model.place import Span
from tests.build.document import build
from tests.unit.chunking.conftest import Cutter

SENTENCES = "\n".join(f"第{n}段，甲方应当按期付款，乙方应当按期交货。" for n in range(1, 13))


def directive(text: str, action: str, begin: str, end: str | None = None) -> Directive:
    """Give a directive over the text from one phrase to the end of another."""
    start = text.index(begin)
    stop = text.index(end) + len(end) if end else start + len(begin)
    return Directive(action, Span(start, stop), "试验/规则")  # type: ignore[arg-type]


def test_a_kept_range_is_not_cut(cutting: Cutter) -> None:
    """Keep: the range stays in one chunk wherever the cuts would have been."""
    text = build(SENTENCES).text
    for first in range(1, 10):
        asked = directive(text, "keep", f"第{first}段", f"第{first + 3}段")
        _, _, texts = cutting(SENTENCES, max_chars=120, directives=[asked])
        assert any(f"第{first}段" in one and f"第{first + 3}段" in one for one in texts)


def test_a_kept_range_joins_clauses(cutting: Cutter) -> None:
    """Keep: two clauses that a rule holds together are one chunk, though each is a clause."""
    lines = "# 第一条 甲\n一。\n# 第二条 乙\n二。\n# 第三条 丙\n三。"
    asked = directive(build(lines).text, "keep", "一。", "二。")
    _, _, texts = cutting(lines, directives=[asked])
    assert texts == ["第一条 甲\n一。\n第二条 乙\n二。", "第三条 丙\n三。"]


def test_a_whole_section_where_asked_for(cutting: Cutter) -> None:
    """Section: a heading's whole extent is one chunk."""
    lines = (
        "# 第一章 总则\n## 第一条 甲\n一。\n## 第二条 乙\n二。\n# 第二章 附则\n## 第三条 丙\n三。"
    )
    asked = directive(build(lines).text, "section", "第一章")
    _, _, texts = cutting(lines, directives=[asked])
    assert texts[0] == "第一章 总则\n第一条 甲\n一。\n第二条 乙\n二。"


def test_a_range_over_the_ceiling_is_reported(cutting: Cutter) -> None:
    """A range to keep that does not fit is cut all the same, with a warning that names the rule."""
    asked = directive(build(SENTENCES).text, "keep", "第1段", "第12段")
    _, result, _ = cutting(SENTENCES, max_chars=100, directives=[asked])
    assert [problem.code for problem in result.problems] == ["W_SPLIT"]
    assert "试验/规则" in result.problems[0].message


def test_a_split_where_asked_for(cutting: Cutter) -> None:
    """Split: a chunk begins where a rule says, also inside a paragraph."""
    text = build(SENTENCES).text
    for begin in ("第5段", "乙方应当"):
        _, _, texts = cutting(SENTENCES, directives=[directive(text, "split", begin)])
        assert any(one.startswith(begin) for one in texts)


def test_stripped_text_is_in_the_ledger(cutting: Cutter) -> None:
    """Strip: the range is in no chunk, and the ledger names the rule."""
    asked = directive(build(SENTENCES).text, "strip", "第5段，", "第6段，")
    _, result, texts = cutting(SENTENCES, directives=[asked])
    assert not any("第5段" in one for one in texts)
    assert [(entry.reason, entry.place) for entry in result.ledger] == [("stripped", "试验/规则")]
