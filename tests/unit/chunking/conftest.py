"""What the tests of the cutting share: cut marked lines, check every promise, give the texts."""

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from headworks.chunking.base import Cut
from headworks.chunking.cut import cut
from headworks.chunking.ledger import check
from headworks.config import ChunkSettings
from headworks.model.chunk import Directive
from headworks.model.document import Document
from tests.build.document import build

Cutter = Callable[..., tuple[Document, Cut, list[str]]]


@pytest.fixture
def cutting() -> Cutter:
    """Give a function: marked lines or a document, and settings, to document, result and texts."""

    def run(
        lines: str | Document,
        *,
        profile: str = "legal",
        directives: Sequence[Directive] = (),
        **settings: Any,
    ) -> tuple[Document, Cut, list[str]]:
        document = build(lines, profile=profile) if isinstance(lines, str) else lines
        chosen = ChunkSettings(**settings)
        result = cut(document, chosen, directives)
        check(document, result.chunks, result.ledger, chosen, directives)
        return document, result, [chunk.text_in(document.text) for chunk in result.chunks]

    return run
