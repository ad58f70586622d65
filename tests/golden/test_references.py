"""References against hand-marked texts: what is found, and where it leads."""

import re
from pathlib import Path
from typing import NamedTuple

import pytest

from headworks.config import StructureSettings
from headworks.structure.passes import structure
from tests.build.lines import read_lines

CASES = sorted((Path(__file__).parent / "references").glob("*.txt"))
_MARKED = re.compile(r"⟦(?P<words>[^⟦⟧=]*)=(?P<target>[^⟦⟧]*)⟧")
_STATUS = {"外": "external", "无": "dangling"}


class Wanted(NamedTuple):
    """A marked reference: where it stands, and what its target begins with or what became of it."""

    start: int
    words: str
    target: str


def outcome(path: Path) -> tuple[list[str], int]:
    """Give what is wrong with the references of one marked text, and how many it marks."""
    marked = path.read_text(encoding="utf-8")
    document = structure(
        read_lines(_MARKED.sub(lambda match: match["words"], marked)), StructureSettings()
    )
    wanted = _wanted(marked, document.text)
    found = {ref.span.start: ref for ref in document.refs}
    wrong = []
    for want in wanted:
        stop = want.start + len(want.words)
        start = next((at for at in found if want.start <= at < stop), None)
        if start is None:
            wrong.append(f"missed {want.words}")
            continue
        ref = found.pop(start)
        told = document.slice(ref.target_span) if ref.target_span else ref.status
        if not told.startswith(_STATUS.get(want.target, want.target)):
            wrong.append(f"{want.words}: {told[:20]!r} ({ref.target}), not {want.target}")
    wrong += [f"extra {ref.text} {ref.status} {ref.target}" for ref in found.values()]
    return wrong, len(wanted)


def _wanted(marked: str, text: str) -> list[Wanted]:
    """Find each mark's words again in the document's text, in order."""
    wanted, at = [], 0
    for line in marked.split("\n"):
        bare = re.sub(r"^\|[^|]*\|\s?", "", line)
        whole = _MARKED.sub(lambda match: match["words"], bare)
        if "⟦" not in bare:
            continue
        at = text.index(whole, at)
        offset, last = at, 0
        for match in _MARKED.finditer(bare):
            offset += match.start() - last
            wanted.append(Wanted(offset, match["words"], match["target"]))
            offset += len(match["words"])
            last = match.end()
        at += len(whole)
    return wanted


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.stem)
def test_marked(case: Path) -> None:
    """Each marked reference is found and leads where it says, and nothing else is found."""
    wrong, _ = outcome(case)

    assert wrong == []


def test_there_are_enough() -> None:
    """At least 150 references of all kinds are marked."""
    assert sum(outcome(case)[1] for case in CASES) >= 150
