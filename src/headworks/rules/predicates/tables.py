"""Conditions on what a chunk is made of: a table, comments, figures, revisions.

Takes a node, gives a test over a view. Never reads the text.
"""

from headworks.rules.predicates.base import (
    HOLDS,
    Compiling,
    Example,
    Predicate,
    Test,
    negated,
    no_requirement,
)
from headworks.rules.syntax import Has, IsTable
from headworks.rules.view import Spots, View

_KINDS = {
    "comment": "comment",
    "figure": "figure",
    "revision": "deleted_revision",
    "table": "table",
    "formula": "formula",
    "code": "code",
}


def _is_table(node: IsTable, _compiling: Compiling) -> Test:
    def test(view: View) -> Spots | None:
        return HOLDS if view.chunk.kind in ("table", "sheet") else None

    return negated(test) if node.negated else test


def _has(node: Has, _compiling: Compiling) -> Test:
    kind = _KINDS[node.feature]

    def test(view: View) -> Spots | None:
        return HOLDS if kind in view.kinds or view.chunk.kind == kind else None

    return negated(test) if node.negated else test


PREDICATES: tuple[Predicate, ...] = (
    Predicate(
        IsTable, "分片是表格", "the chunk is a table", _is_table, no_requirement,
        (Example("是表格", "甲\t乙", {"kind": "table"}), Example("不是表格", "甲")),
        (Example("是表格", "甲"),), "tables",
    ),
    Predicate(
        Has, "分片含批注、图片、修订、表格、公式或代码",
        "the chunk has a comment, figure, revision, table, formula or code",
        _has, no_requirement,
        (Example("含批注", "甲", {"has": ["comment"]}), Example("不含图片", "甲")),
        (Example("含图片", "甲"),), "tables",
    ),
)  # fmt: skip
