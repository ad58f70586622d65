"""Conditions on where a chunk stands and what it refers to.

Takes a node, gives a test over a view. Never reads the text: zones and references are found
before.
"""

import re

from headworks.model.folding import fold
from headworks.model.numerals import integer
from headworks.rules.predicates.base import (
    HOLDS,
    Compiling,
    Example,
    Predicate,
    Test,
    negated,
    no_requirement,
)
from headworks.rules.syntax import InPlace, Outermost, Refers
from headworks.rules.view import Spots, View

_APPENDIX = re.compile(r"^(?:附件|附录|附表|附图|附|appendix|annex|exhibit|schedule)\s*")


def _in_place(node: InPlace, _compiling: Compiling) -> Test:
    place = node.place
    if place == "appendix" and node.name:
        test = _named_appendix(node.name)
    elif place in ("appendix", "body", "cover", "contents", "signature"):

        def test(view: View) -> Spots | None:
            return HOLDS if place in (view.chunk.zone, view.chunk.kind) else None

    elif place == "clause":

        def test(view: View) -> Spots | None:
            return HOLDS if _is_clause(view) else None

    elif place == "table":

        def test(view: View) -> Spots | None:
            kinds = view.kinds
            holds = view.chunk.kind in ("table", "sheet") or "table" in kinds
            return HOLDS if holds else None

    else:
        role = "page_header" if place == "header" else "page_footer"

        def test(view: View) -> Spots | None:
            return HOLDS if role in view.kinds else None

    return negated(test) if node.negated else test


def _is_clause(view: View) -> bool:
    if view.chunk.kind == "clause":
        return True
    return view.chunk.zone not in ("cover", "contents", "signature") and bool(view.chunk.trail)


def _named_appendix(name: str) -> Test:
    number = integer(name)
    wanted = fold(name)

    def test(view: View) -> Spots | None:
        if view.chunk.zone != "appendix":
            return None
        said = fold(view.surroundings.zone_name(view.chunk.start))
        tail = _APPENDIX.sub("", said)
        head = "".join(iter_label(tail))
        same = head == wanted or (number is not None and integer(head) == number)
        return HOLDS if same else None

    return test


def iter_label(text: str) -> list[str]:
    """Give the leading characters of a label: 三 of 三 技术要求."""
    found = []
    for char in text:
        if not (char.isdigit() or char in "一二三四五六七八九十百〇零" or char.isascii()):
            break
        if char in " :-":
            break
        found.append(char)
    return found


def _refers(node: Refers, _compiling: Compiling) -> Test:
    wanted = fold(node.name).replace(" ", "")
    kind = node.kind

    def test(view: View) -> Spots | None:
        for text, target, status in view.surroundings.references(view.chunk.spans):
            said = fold(text).replace(" ", "")
            if _kind_of(said, status) == kind and (wanted in said or wanted in fold(target)):
                return HOLDS
        return None

    return negated(test) if node.negated else test


def _kind_of(said: str, status: str) -> str:
    if status == "external" or said.startswith("《"):
        return "law"
    return "appendix" if said.startswith(("附件", "附录", "附表", "附图", "annex")) else "clause"


def _outermost(node: Outermost, _compiling: Compiling) -> Test:
    side = 0 if node.side == "first" else 1

    def test(view: View) -> Spots | None:
        return HOLDS if view.siblings[side] is None else None

    return negated(test) if node.negated else test


PREDICATES: tuple[Predicate, ...] = (
    Predicate(
        InPlace,
        "分片在附件、正文、封面、目录、条款、签署页、表格、页眉或页脚中；附件可以写号",
        "the chunk stands in the appendix, body, cover, contents, clauses …",
        _in_place, no_requirement,
        (
            Example("在附件中", "技术要求", {"place": "附件"}),
            Example("在附件三中", "技术要求", {"place": "附件三"}),
            Example("不在封面", "技术要求", {"place": "正文"}),
            Example("在条款中", "付款", {"place": "条款"}),
        ),
        (
            Example("在附件二中", "技术要求", {"place": "附件三"}),
            Example("在目录中", "技术要求", {"place": "正文"}),
        ),
        "places",
    ),
    Predicate(
        Outermost, "分片是文件的第一片，或最后一片",
        "the chunk is the first of the document, or the last",
        _outermost, no_requirement,
        (Example("是第一片", "甲", {"next": "乙"}), Example("不是最后一片", "甲", {"next": "乙"})),
        (Example("是第一片", "甲", {"previous": "乙"}),),
        "places",
    ),
    Predicate(
        Refers,
        "分片引用了附件、条款或法条；可以写出是哪一个",
        "the chunk refers to an appendix, a clause or a law",
        _refers, no_requirement,
        (
            Example("引用了附件", "见附件三", {"references": ["附件三"]}),
            Example("引用了法条《民法典》", "依法", {"references": ["《民法典》第五百八十五条"]}),
        ),
        (Example("引用了附件二", "见附件三", {"references": ["附件三"]}),),
        "places",
    ),
)  # fmt: skip
