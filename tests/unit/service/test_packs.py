"""Packs with an index of other files in a running service."""

from pathlib import Path

import pytest

from headworks.config import RuleSettings
from headworks.errors import RulesError
from headworks.rules.corpus import write_corpus
from headworks.rules.fingerprint import fingerprints
from headworks.service.packs import Packs
from headworks.service.ways import compiled

PACK = (
    "pack: own\nversion: 1\ncorpus: a.index\n"
    "rules: [{id: r, when: 在其他文件中出现过, then: 标记为T}]\n"
)


def _indexed(folder: Path, text: str) -> None:
    (folder / "a.index").write_bytes(write_corpus({"other": fingerprints(text)}))


def test_an_index_goes_with_its_pack(tmp_path: Path) -> None:
    """A document is taken in with the index of that moment; a new index is a new version."""
    (tmp_path / "own.yaml").write_text(PACK, encoding="utf-8")
    _indexed(tmp_path, "甲方付款。")
    settings = RuleSettings(packs=(str(tmp_path / "own.yaml"),))
    packs = Packs(settings, tmp_path / "put")
    taken = packs.choose()
    assert tmp_path / "a.index" in packs.watched()
    _indexed(tmp_path, "乙方付款。")
    assert packs.reload().changed
    assert packs.choose().versions != taken.versions
    assert compiled(taken.sources, settings).versions == taken.versions


def test_a_pack_is_put_in_with_its_index_only(tmp_path: Path) -> None:
    """A pack whose index is not there, or not in its folder, is refused; the old one stays."""
    packs = Packs(RuleSettings(packs=("contract",)), tmp_path)
    for text in (PACK, PACK.replace("a.index", "../a.index"), PACK.replace("a.index", "/etc/a")):
        with pytest.raises(RulesError):
            packs.replace("own", text.encode())
    _indexed(tmp_path, "甲方付款。")
    packs.replace("own", PACK.encode())
    assert packs.choose(["own"]).versions["own"].startswith("1 ")
