"""What must hold for every document: nothing lost, nothing doubled, nothing out of order."""

from pathlib import Path

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from headworks.model.document import Document
from tests.build.docx import abstract, build, cell, field, level, num, para, row, run, table
from tests.unit.readers.docx.conftest import read_path

NUMBERING = abstract(
    0,
    level(0, "chineseCounting", "第%1条"),
    level(1, "decimal", "%1.%2", "<w:isLgl/>"),
    level(2, "decimalEnclosedCircle", "%3"),
) + num(1, 0)
WORD = "⟦⟧"  # a word that stands for the next of a row of distinct words

leaf = st.sampled_from(
    [
        para(WORD),
        para(run(WORD, "<w:b/>"), run(WORD)),
        para(WORD, num=(1, 0)),
        para(WORD, num=(1, 1)),
        para(WORD, num=(1, 2)),
        para("<w:hyperlink>" + run(WORD) + "</w:hyperlink>", WORD),
        para("见", field("REF x", WORD), "款"),
        para(f"<w:ins>{run(WORD)}</w:ins>", WORD),
        para(WORD, props="<w:rPr><w:del/></w:rPr>"),
        para('<w:r><w:br w:type="page"/></w:r>', WORD),
        para(),
        f"<w:sdt><w:sdtContent>{para(WORD)}{para(WORD)}</w:sdtContent></w:sdt>",
    ]
)


def _table(rows: list[list[tuple[str, int, str]]]) -> str:
    merges = {"": "", "restart": '<w:vMerge w:val="restart"/>', "none": ""}
    return table(
        *[
            row(
                *[
                    cell(inner, para(), props=f'<w:gridSpan w:val="{across}"/>{merges[down]}')
                    for inner, across, down in cells
                ]
            )
            for cells in rows
        ]
    )


block = st.recursive(
    leaf,
    lambda inner: st.lists(
        st.lists(
            st.tuples(inner, st.integers(1, 3), st.sampled_from(["", "restart", "none"])),
            min_size=1,
            max_size=3,
        ),
        min_size=1,
        max_size=3,
    ).map(_table),
    max_leaves=12,
)


def _numbered(body: str) -> tuple[str, list[str]]:
    pieces = body.split(WORD)
    words = [f"词{chr(0x4E00 + index)}词" for index in range(len(pieces) - 1)]
    joined = "".join(a + b for a, b in zip(pieces, [*words, ""], strict=True))
    return joined, words


def _check(document: Document, words: list[str]) -> None:
    at = -1
    for word in words:
        assert document.text.count(word) == 1
        found = document.text.index(word)
        assert found > at
        at = found
    end = -1
    for each in document.blocks:
        assert end < each.span.start < each.span.end <= len(document.text)
        assert each.auto <= len(each.span)
        assert each.lead_bold <= len(each.span)
        end = each.span.end
        if each.table is not None:
            grid = each.table
            cells = [
                document.slice(grid.cell(r, c))
                for r in range(grid.rows)
                for c in range(grid.columns)
            ]
            assert "".join(cells) == "".join(
                document.slice(grid.row_span(r, r + 1)).replace("\t", "") for r in range(grid.rows)
            )


@settings(max_examples=120, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(blocks=st.lists(block, max_size=8), revisions=st.sampled_from(["accepted", "marked"]))
def test_each_word_stands_once_and_in_order(
    tmp_path_factory: object, blocks: list[str], revisions: str
) -> None:
    """Whatever stands where, each word of the body is read once, in order, within its block."""
    body, words = _numbered("".join(blocks))
    folder: Path = tmp_path_factory.getbasetemp()  # type: ignore[attr-defined]
    path = build(folder / "property.docx", body, numbering=NUMBERING)
    document = read_path(path, revisions=revisions)
    _check(document, words)
    assert read_path(path, revisions=revisions) == document
