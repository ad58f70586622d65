"""Reloading rules while a service runs."""

from pathlib import Path

from headworks.config import RuleSettings
from headworks.rules.books import RuleBooks

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
