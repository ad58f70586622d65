"""What docs/rules.md shows is true: packs compile, examples hold, sentences are read or refused."""

import re
from pathlib import Path

import pytest

from headworks.rules.complaints import SentenceError
from headworks.rules.examples import run_examples
from headworks.rules.grammar import parse_rule
from headworks.rules.lexicon import Lexicon
from headworks.rules.loader import parse_pack

DOCS = Path(__file__).resolve().parents[2] / "docs" / "rules.md"


def blocks(language: str) -> list[str]:
    """Give the fenced blocks of one language."""
    text = DOCS.read_text(encoding="utf-8")
    return re.findall(rf"```{language}\n(.*?)```", text, re.DOTALL)


SENTENCES = [line for block in blocks("规则") for line in block.splitlines() if line.strip()]
REFUSED = [
    tuple(part.strip() for part in line.split("→"))
    for block in blocks("拒绝")
    for line in block.splitlines()
]


@pytest.mark.parametrize("sentence", SENTENCES)
def test_sentences_are_read(sentence: str) -> None:
    """Every sentence of the page is accepted."""
    parse_rule(sentence, Lexicon())


@pytest.mark.parametrize(("sentence", "code"), REFUSED)
def test_sentences_are_refused(sentence: str, code: str) -> None:
    """Every faulty sentence of the page is refused with its code."""
    with pytest.raises(SentenceError) as refused:
        parse_rule(sentence, Lexicon())
    assert refused.value.complaint.code == code


@pytest.mark.parametrize("content", blocks("yaml"))
def test_packs_compile_and_hold(content: str) -> None:
    """Every pack of the page compiles and its examples hold."""
    pack = parse_pack("docs.yaml", content.encode())
    assert [str(complaint) for complaint in pack.errors] == []
    assert [result.why for result in run_examples(pack) if not result.passed] == []


def test_every_code_is_explained() -> None:
    """Each code that the language can answer with stands on the page."""
    folder = DOCS.parents[1] / "src" / "headworks" / "rules"
    used = {
        code
        for path in sorted(folder.rglob("*.py"))
        for code in re.findall(r'"([EWL][0-9]{3})"', path.read_text(encoding="utf-8"))
    }
    page = DOCS.read_text(encoding="utf-8")
    ranges = re.findall(r"([EWL])([0-9]{3})–[EWL]([0-9]{3})", page)
    covered = {f"{kind}{n:03d}" for kind, a, b in ranges for n in range(int(a), int(b) + 1)}
    assert sorted(code for code in used - covered if code not in page) == []
