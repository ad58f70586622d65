"""Repetition over a document."""

from tests.build.rules import book_of, verdicts_on

BOOK = (
    "rules: [{id: same, when: 与前文重复, then: 标记为重复},"
    "{id: like, when: 相似度大于80%, then: 标记为相似}]"
)
CLAUSE = "乙方应对在履行本合同过程中知悉的甲方商业秘密承担保密义务，未经书面同意不得披露。"


def tags(*texts: str) -> list[tuple[str, ...]]:
    """Give the tags of each text of a document."""
    return [verdict.tags for verdict in verdicts_on(book_of(BOOK), *texts)[1]]


def test_same_text() -> None:
    """The same text again, blanks aside, repeats; the first one does not."""
    assert tags(CLAUSE, "甲方付款。", CLAUSE.replace("，", "， ")) == [(), (), ("相似", "重复")]


def test_near_the_same() -> None:
    """A word more is alike and no repetition."""
    assert tags(CLAUSE, CLAUSE.replace("书面", "甲方书面")) == [(), ("相似",)]


def test_numbers_count() -> None:
    """Clauses that differ in a number are never the same."""
    assert "重复" not in tags("违约金为合同总价的5%。", "违约金为合同总价的50%。")[1]


def test_nearly_the_same() -> None:
    """基本重复 forgives a word and a label, and no number, Chinese or not."""
    book = book_of("rules: [{id: near, when: 与前文基本重复, then: 标记为近}]")

    def near(first: str, second: str) -> bool:
        return verdicts_on(book, first, second)[1][1].tags == ("近",)

    assert near(CLAUSE, CLAUSE.replace("书面", "甲方书面"))
    assert near("第三条 " + CLAUSE, "第八条 " + CLAUSE)
    assert not near(CLAUSE + "违约金为5%。", CLAUSE + "违约金为50%。")
    assert not near(CLAUSE + "违约金为百分之五。", CLAUSE + "违约金为百分之六。")
    assert not near("30日内付清全部合同价款。", "60日内付清全部合同价款。")
    assert not near(CLAUSE, "甲方应当按期付款，并承担由此产生的费用。")


def test_likeness_of_near() -> None:
    """How much alike nearly the same is can be said in percent."""
    text = "rules: [{{id: near, when: 与前文基本重复（相似度不低于{}%）, then: 标记为近}}]"
    other = CLAUSE.replace("书面", "甲方书面")
    tagged = [
        verdicts_on(book_of(text.format(share)), CLAUSE, other)[1][1].tags for share in (80, 95)
    ]
    assert tagged == [("近",), ()]


def test_many_chunks() -> None:
    """Thousands of chunks are not compared each with each."""
    texts = [f"第{number}行的内容是编号{number * 7919 % 10007}。" for number in range(3000)]
    found = tags(*texts, texts[17])
    assert found[-1] == ("相似", "重复")
