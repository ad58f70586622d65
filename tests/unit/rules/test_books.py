"""Reloading rules while a service runs."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from headworks.config import RuleSettings
from headworks.rules.books import RuleBooks
from headworks.rules.corpus import write_corpus
from headworks.rules.fingerprint import fingerprints
from tests.build.rules import verdict_on

GOOD = "pack: own\nversion: {version}\nrules: [{{id: r, when: 包含“{word}”, then: 标记为T}}]\n"


def test_a_reload_takes_what_changed(tmp_path: Path) -> None:
    """A pack that changed gives another book; one that did not leaves the book as it is."""
    file = tmp_path / "own.yaml"
    file.write_text(GOOD.format(version="1", word="甲"), encoding="utf-8")
    books = RuleBooks([str(file)], RuleSettings())
    first = books.book
    assert not books.reload().changed
    assert books.book is first
    file.write_text(GOOD.format(version="2", word="乙"), encoding="utf-8")
    told = books.reload()
    assert told.changed
    assert told.versions["own"].startswith("2 ")
    assert books.book is not first


def test_an_index_counts_in_the_version(tmp_path: Path) -> None:
    """Another index beside the same pack gives another book and version; none refuses the pack."""
    index, file = tmp_path / "other.index", tmp_path / "own.yaml"
    file.write_text(
        "pack: own\nversion: 1\ncorpus: other.index\n"
        "rules: [{id: r, when: 在其他文件中出现过, then: 标记为T}]\n",
        encoding="utf-8",
    )
    index.write_bytes(write_corpus({"a": fingerprints("甲方付款。")}))
    books = RuleBooks([str(file)], RuleSettings())
    before = books.book.versions
    index.write_bytes(write_corpus({"a": fingerprints("乙方付款。")}))
    told = books.reload()
    assert told.changed
    assert told.versions != before
    index.unlink()
    assert books.reload().refused is not None
    assert books.book.versions == told.versions


def test_many_threads_one_book(tmp_path: Path) -> None:
    """Threads judge with the book they got, while reloads go on; each verdict names its pack."""
    file = tmp_path / "own.yaml"
    file.write_text(GOOD.format(version="1", word="甲"), encoding="utf-8")
    books = RuleBooks([str(file)], RuleSettings())

    def judged(number: int) -> bool:
        if number % 10 == 0:
            word = "甲" if number % 20 else "乙"
            fresh = tmp_path / f"{number}.tmp"
            fresh.write_text(GOOD.format(version=word, word=word), encoding="utf-8")
            fresh.replace(file)
            books.reload()
        book = books.book
        version = book.versions["own"].split()[0]
        verdict = verdict_on(book, "由甲方付款。")
        wanted = version in ("1", "甲")
        return (verdict.tags == ("T",)) == wanted and all(
            hit.pack == f"own@{version}" for hit in verdict.hits
        )

    with ThreadPoolExecutor(8) as pool:
        assert all(pool.map(judged, range(200)))


def test_a_pack_that_does_not_compile_is_refused(tmp_path: Path) -> None:
    """The fault is told and the old book stays; the pack put right is taken."""
    file = tmp_path / "own.yaml"
    file.write_text(GOOD.format(version="1", word="甲"), encoding="utf-8")
    books = RuleBooks([str(file)], RuleSettings())
    first = books.book
    file.write_text(
        "pack: own\nrules: [{id: r, when: 在附近中, then: 标记为T}]\n", encoding="utf-8"
    )
    told = books.reload()
    assert told.refused is not None
    assert told.refused.code == "E_RULES"
    assert books.book is first
    file.unlink()
    assert books.reload().refused is not None
    file.write_text(GOOD.format(version="3", word="丙"), encoding="utf-8")
    assert books.reload().changed
