"""The index of other documents: what it finds, what it leaves alone, and that order is all one."""

import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from headworks.errors import RulesError
from headworks.rules.corpus import Corpus, read_corpus, write_corpus
from headworks.rules.fingerprint import Fingerprint, fingerprint, fingerprints
from tests.build.rules import book_of, verdict_on

CLAUSE = "乙方对知悉的甲方商业秘密承担保密义务，未经甲方书面同意不得披露。"


def corpus_of(*texts: str) -> Corpus:
    """Give the index of documents named 0, 1, 2 …."""
    prints = {str(number): fingerprints(text) for number, text in enumerate(texts)}
    return read_corpus(write_corpus(prints), "test")


def test_counts_other_documents() -> None:
    """A text is counted once a document, and never for the document it stands in."""
    corpus = corpus_of(CLAUSE + "\n" + CLAUSE, "第九条 " + CLAUSE, "甲方付款。")
    assert corpus.elsewhere(fingerprints(CLAUSE), "0", 1.0) == 1
    assert corpus.elsewhere(fingerprints(CLAUSE), "new", 1.0) == 2
    assert corpus.elsewhere(fingerprints("乙方付款。"), "new", 1.0) == 0
    assert corpus.elsewhere([], "new", 1.0) == 0


def test_all_lines_in_one_document() -> None:
    """A chunk stands elsewhere where one document has all its lines, however they were cut."""
    corpus = corpus_of(f"第一条 保密\n{CLAUSE}\n甲方付款。", CLAUSE, "保密")
    assert corpus.elsewhere(fingerprints(f"第二条 保密\n{CLAUSE}"), "new", 1.0) == 1


def test_figures_decide() -> None:
    """Lines that differ in a figure are not nearly the same; the number in front is no figure."""
    corpus = corpus_of(f"{CLAUSE}违约金为5%。", "30日内付清全部合同价款。")
    for text in (f"{CLAUSE}违约金为50%。", "60日内付清全部合同价款。"):
        assert corpus.elsewhere(fingerprints(text), "new", 0.5) == 0
    assert corpus.elsewhere(fingerprints(f"2.1 {CLAUSE}违约金为5%。"), "new", 1.0) == 1


@pytest.mark.parametrize(
    "label", ["第九条 ", "2.1 ", "2.1", "2.1.3", "3.", "(一)", "(2)", "四、", ""]
)
def test_number_in_front(label: str) -> None:
    """However a clause is numbered, it is the same clause."""
    assert fingerprint(f"{label}甲方付款。") == fingerprint("甲方付款。")


@pytest.mark.parametrize("text", ["30日内付款。", "1.5倍赔偿。", "0.5%的违约金。", "2.5万元以内。"])
def test_figure_in_front(text: str) -> None:
    """A figure that the text begins with is no number of it."""
    assert fingerprint(text) != fingerprint(text.lstrip("0123456789."))


def test_bytes_do_not_depend_on_order() -> None:
    """The same documents give the same index in whatever order they come."""
    prints = {str(number): fingerprints(f"{CLAUSE}\n编号{number}") for number in range(20)}
    shuffled = list(prints.items())
    random.Random(7).shuffle(shuffled)
    assert write_corpus(dict(shuffled)) == write_corpus(prints)


@pytest.mark.parametrize("content", [b"", b"x", b"\x80", write_corpus({})[:-1]])
def test_no_index(content: bytes) -> None:
    """A file that is no index is refused with its name."""
    with pytest.raises(RulesError, match=r"other\.index"):
        read_corpus(content, "other.index")


def alike(one: Fingerprint, other: Fingerprint) -> float:
    """Give the share of pieces two texts have in common, 0 where a figure differs."""
    if one.whole == other.whole:
        return 1.0
    shared = len(one.pieces & other.pieces)
    whole = len(one.pieces) + len(other.pieces) - shared
    return shared / whole if one.figures == other.figures else 0.0


@settings(max_examples=150, deadline=None)
@given(st.lists(st.text("甲乙丙丁戊3", min_size=1, max_size=14), min_size=1, max_size=12),
       st.integers(50, 100))  # fmt: skip
def test_misses_nothing(texts: list[str], percent: int) -> None:
    """What the index answers is what comparing with every line answers."""
    corpus = corpus_of(*texts[1:])
    sought = fingerprint(texts[0])
    wanted = sum(alike(sought, fingerprint(text)) * 100 >= percent - 1e-6 for text in texts[1:])
    assert corpus.elsewhere([sought], "new", percent / 100) == wanted


def test_rules_on_other_files() -> None:
    """Thresholds of files and of likeness are conditions of a rule."""
    book = book_of(
        "corpus: a.index\nrules: [{id: r, when: 在至少2个其他文件中出现过, then: 标记为样板},"
        "{id: n, when: 与其他文件基本重复（相似度不低于75%）, then: 标记为近似},"
        "{id: o, when: 未在其他文件中出现过, then: 标记为独有}]",
        elsewhere=[CLAUSE, CLAUSE, "甲方应当在验收合格之日起十日内付款。"],
    )
    assert verdict_on(book, CLAUSE).tags == ("近似", "样板")
    assert verdict_on(book, CLAUSE.replace("书面", "")).tags == ("近似", "独有")
    assert verdict_on(book, "另行约定。").tags == ("独有",)
