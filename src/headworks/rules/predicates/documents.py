"""Conditions on tags, on repetition, and the one that always holds.

Takes a node, gives a test over a view. Never sees a tag of its own phase.
"""

from headworks.rules.corpus import Corpus
from headworks.rules.predicates.base import (
    HOLDS,
    Compiling,
    Example,
    Predicate,
    Test,
    negated,
    no_requirement,
)
from headworks.rules.repetition import fingerprints_of, nearly_repeats, repeats
from headworks.rules.syntax import SAME, Always, Elsewhere, Repeats, Tagged
from headworks.rules.view import Spots, View


def _tagged(node: Tagged, _compiling: Compiling) -> Test:
    wanted = node.tags
    every = node.mode == "all"

    def test(view: View) -> Spots | None:
        tags = view.tags | view.surroundings.tags
        found = [tag in tags for tag in wanted]
        return HOLDS if (all(found) if every else any(found)) else None

    return negated(test) if node.negated else test


def _repeats(node: Repeats, _compiling: Compiling) -> Test:
    nearly, likeness = node.nearly, node.likeness

    def test(view: View) -> Spots | None:
        known = nearly_repeats(view, likeness) if nearly else repeats(view)
        return HOLDS if known else None

    return negated(test) if node.negated else test


def _elsewhere(node: Elsewhere, compiling: Compiling) -> Test:
    corpus = compiling.corpus
    least, share = node.least, node.likeness / SAME

    def test(view: View) -> Spots | None:
        known: Corpus | None = view.surroundings.memo.get("corpus", corpus)
        if known is None:
            return None
        sha256 = view.surroundings.document.source.sha256
        count = known.elsewhere(fingerprints_of(view), sha256, share)
        return HOLDS if count >= least else None

    return negated(test) if node.negated else test


def _always(_node: Always, _compiling: Compiling) -> Test:
    return lambda _view: HOLDS


PREDICATES: tuple[Predicate, ...] = (
    Predicate(
        Tagged, "分片已有的标签（前面阶段打的），或文档的标签",
        "a tag of the chunk from an earlier phase, or of the document",
        _tagged, no_requirement,
        (Example("标签为“敏感”", "甲", {"tags": ["敏感"]}), Example("标签不为“敏感”", "甲")),
        (Example("标签为“敏感”", "甲", {"tags": ["普通"]}),), "documents",
    ),
    Predicate(
        Repeats, "与前面某一片文字相同，或（基本重复）只差几个字；数字不同就不算",
        "the text is that of an earlier chunk, or nearly so; never where a number differs",
        _repeats, no_requirement,
        (
            Example("与前文重复", "保密承诺", {"previous": "保密承诺"}),
            Example("与前文不重复", "违约金5%", {"previous": "违约金50%"}),
            Example(
                "与前文基本重复",
                "乙方对知悉的甲方商业秘密承担保密义务，未经甲方书面同意不得披露。",
                {"previous": "乙方对知悉的甲方商业秘密承担保密义务，未经书面同意不得披露。"},
            ),
        ),
        (
            Example("与前文重复", "保密承诺", {"previous": "付款"}),
            Example(
                "与前文基本重复", "逾期付款的，乙方按日支付合同总价百分之五的违约金。",
                {"previous": "逾期付款的，乙方按日支付合同总价百分之六的违约金。"},
            ),
        ),
        "documents",
    ),
    Predicate(
        Elsewhere,
        "各行文字（不计编号）也都在规则包索引（corpus）的若干个其他文件里，或（基本重复）只差几个字；数字不同就不算",
        "all lines, their numbers aside, stand in other files of the pack's corpus, or nearly so",
        _elsewhere, no_requirement,
        (
            Example("在其他文件中出现过", "第八条 保密承诺", {"elsewhere": ["第九条 保密承诺"]}),
            Example("在至少2个其他文件中出现过", "保密承诺", {"elsewhere": ["保密承诺"] * 2}),
            Example("未在其他文件中出现过", "违约金5%", {"elsewhere": ["违约金50%"]}),
            Example(
                "与其他文件基本重复（相似度不低于75%）",
                "乙方对知悉的甲方商业秘密承担保密义务，未经甲方书面同意不得披露。",
                {"elsewhere": ["乙方对知悉的甲方商业秘密承担保密义务，未经甲方同意不得披露。"]},
            ),
        ),
        (
            Example("在其他文件中出现过至少3次", "保密承诺", {"elsewhere": ["保密承诺"] * 2}),
            Example(
                "与其他文件基本重复", "逾期付款的，乙方按日支付合同总价百分之五的违约金。",
                {"elsewhere": ["逾期付款的，乙方按日支付合同总价百分之六的违约金。"]},
            ),
        ),
        "documents",
    ),
    Predicate(
        Always, "对每一片都成立", "holds for every chunk", _always, no_requirement,
        (Example("任意分片", "甲"),), (), "documents",
    ),
)  # fmt: skip
