"""The literate cases: rules, texts and verdicts in Markdown, judged by the engine.

A case is a heading with a block ``yaml`` (rules), then any number of pairs of a block ``text``
(with context: ``text place=附件 page=3``) and a block ``verdict`` (the fields that must be so);
or a block ``error`` (lines that the complaint must hold) where the rules must be refused.
"""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from headworks.model.verdict import Verdict
from headworks.rules.check import check
from headworks.rules.loader import parse_pack
from tests.build.rules import book_of, verdict_on

HERE = Path(__file__).parent
_BLOCK = re.compile(r"^```(\w+)([^\n]*)\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def cases() -> list[tuple[str, list[tuple[str, str, str]]]]:
    """Give each case's name and blocks."""
    found = []
    for file in sorted(HERE.glob("*.md")):
        for section in re.split(r"^## ", file.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
            title, _, rest = section.partition("\n")
            blocks = [(m[1], m[2].strip(), m[3]) for m in _BLOCK.finditer(rest)]
            found.append((f"{file.stem}: {title.strip()}", blocks))
    return found


CASES = cases()


@pytest.mark.parametrize("blocks", [case[1] for case in CASES], ids=[case[0] for case in CASES])
def test_case(blocks: list[tuple[str, str, str]]) -> None:
    """The rules of a case give the verdicts beside its texts, or are refused as it says."""
    kind, _, rules = blocks[0]
    assert kind == "yaml"
    if blocks[1][0] == "error":
        told = "\n".join(str(found) for found in check(parse_pack("rules.yaml", rules.encode())))
        for line in blocks[1][2].strip().splitlines():
            assert line.strip() in told, told
        return
    book = book_of(rules, as_of="2025-01-01")
    for (text_kind, context, text), (wanted_kind, _, wanted) in zip(
        blocks[1::2], blocks[2::2], strict=True
    ):
        assert (text_kind, wanted_kind) == ("text", "verdict")
        given = dict(part.split("=", 1) for part in context.split())
        verdict = verdict_on(book, text.removesuffix("\n"), given)
        compare(verdict, yaml.safe_load(wanted) or {}, text)


def compare(verdict: Verdict, wanted: dict[str, Any], text: str) -> None:
    """Compare the fields that a case names."""
    values = {name: value.text for hit in verdict.hits for name, value in hit.values.items()}
    norms = {name: value.value for hit in verdict.hits for name, value in hit.values.items()}
    shown = {
        "tags": list(verdict.tags),
        "route": verdict.route.pipeline,
        "priority": verdict.route.priority,
        "also": list(verdict.route.also),
        "skip": verdict.skip,
        "fires": list(dict.fromkeys(hit.rule for hit in verdict.hits)),
        "quotes": [text[hit.span.start : hit.span.end] for hit in verdict.hits],
        "values": values,
        "normal": norms,
        "edits": [edit.token for edit in verdict.edits],
        "links": [f"{link.law} {link.article}".strip() for link in verdict.links],
        "warnings": list(verdict.warnings),
        "review": verdict.review,
        "conflicts": [list(names) for names in verdict.conflicts],
        "settings": verdict.settings,
        "notes": [note for hit in verdict.hits for note in hit.reasons[1:]],
    }
    for key, value in wanted.items():
        assert shown[key] == value, f"{key} on {text!r}"
