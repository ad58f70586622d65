"""A sequence is read back to the person who answers for it."""

import pytest

from headworks.rules.book import open_pack, shipped_packs
from headworks.rules.sequence import compile_sequence
from headworks.rules.sequence_text import sequence_text

FIELDS = {
    "steps": [
        {"find": ["违约金"], "not_followed_by": ["详见"], "not_next": ["外"]},
        {"optional": {"any": ["为"], "max_gap": 9, "without": ["，"]}},
        {"capture": {"as": "额", "type": ["金额", "percent"], "max_gap": 20, "not_next": ["税"]}},
        {"capture": {"as": "人", "until": ["负责"]}},
    ],
    "stop": ["定金"],
    "guards": {
        "negation": {"words": ["不"], "before": 4},
        "condition": {"words": ["如"], "action": "annotate"},
        "quotation": {},
        "reference": {"words": ["见"], "after": 8},
    },
}


def test_chinese() -> None:
    """Every step, limit, stop word and guard is said in Chinese."""
    assert sequence_text(compile_sequence(FIELDS, {}).plan) == (
        "同一句内，有“违约金”（后6字内没有“详见”，紧后不是“外”），"
        "其后9字内可以有“为”（之间没有“,”），其后20字内取金额或百分比作为“额”（紧后不是“税”），"
        "取到“负责”为止作为“人”，遇到“定金”为止；前4字内有“不”的不算；"
        "句中前面有“如”的注明有条件；在书名号或引号内的不算；其后8字内有“见”的不算"
    )


def test_english() -> None:
    """The same in English."""
    assert sequence_text(compile_sequence(FIELDS, {}).plan, "en") == (
        'within a sentence, there is "违约金" (not in the 6 chars after: "详见"; not followed by '
        '"外"), within 9 chars there may be "为" (without ","), within 20 chars take amount or '
        'percent as "额" (not followed by "税"), take up to "负责" as "人", up to "定金"; in the 4 '
        'chars before: "不": no match; before it in the sentence: "如": marked conditional; in a '
        'title or quotation: no match; in the 8 chars after: "见": no match'
    )


@pytest.mark.parametrize("language", ["zh", "en"])
def test_every_shipped_sequence_can_be_read_back(language: str) -> None:
    """Each sequence of the shipped packs names all its captures."""
    for name in shipped_packs():
        pack = open_pack(name)
        for rule in pack.rules:
            if rule.sequence is not None:
                plan = compile_sequence(rule.sequence, pack.aliases).plan
                said = sequence_text(plan, language)  # type: ignore[arg-type]  # zh or en
                for step in plan.steps:
                    if step.capture is not None:
                        assert step.capture.name in said
