import json

import msgspec
from jsonschema import Draft202012Validator

from headworks.assembly.passages import chunk_records
from headworks.assembly.schema import schema
from headworks.chunking.cut import cut
from headworks.config import ChunkSettings, StructureSettings
from headworks.model.place import Span
from headworks.structure.passes import structure
from tests.build.document import build
from tests.build.outcome import built, table_part


def test_a_chunk_says_where_it_is_and_what_was_decided() -> None:
    """A record carries text, path, anchor, pages, hits with values, route and neighbours."""
    outcome = built()
    first, second, third = chunk_records(outcome.document, outcome.chunks, outcome.verdicts)
    assert second.text == outcome.chunks[1].text_in(outcome.document.text)
    assert second.heading_path == ["设备采购合同", "第二条 违约责任"]
    assert (second.anchor, second.level, second.pages) == ("第二条", 1, [1, 2])
    assert second.hits[0].quote == "违约金为合同总额的10%"
    assert second.hits[0].values["比例"].value == "0.10"
    assert second.route.pipeline == "legal-review"
    assert second.route.also_matched == ["contract/other"]
    assert (second.previous, second.next) == (first.id, third.id)
    assert third.skipped == "contract/skip"
    assert third.has_table
    assert not second.has_table


def test_a_chunk_without_a_verdict_still_has_a_route() -> None:
    """No chunk is without a pipeline, even where no rule was asked."""
    outcome = built()
    records = chunk_records(outcome.document, outcome.chunks, ())
    assert {record.route.pipeline for record in records} == {"general"}


def test_a_chunk_of_several_sections_is_under_what_they_share() -> None:
    """The path leaves out a deeper heading that holds for a part of the chunk only."""
    outcome = built()
    whole = msgspec.structs.replace(
        outcome.chunks[0],
        spans=(Span(outcome.chunks[0].start, outcome.chunks[1].end),),
        trail=(0, 1),
    )
    record = chunk_records(outcome.document, [whole], ())[0]
    assert (record.heading_path, record.level) == (["设备采购合同"], 0)


def test_a_piece_of_a_table_names_its_header() -> None:
    """``part`` counts from 1 and gives the header's range; the piece's place is its own rows'."""
    document, chunk = table_part()
    record = chunk_records(document, [chunk], ())[0]
    assert [(box.page, box.y0, box.y1) for box in record.boxes] == [(2, 160, 180)]
    part = record.part
    assert part is not None
    assert (part.index, part.of) == (2, 2)
    assert part.header is not None
    assert document.text[slice(*part.header)] == "序号\t名称\t说明\n"


def test_records_fit_the_schema_that_is_printed() -> None:
    """Every line of chunks.jsonl is valid against ``headworks schema chunk``."""
    outcome = built()
    validator = Draft202012Validator(schema("chunk"))
    for record in chunk_records(outcome.document, outcome.chunks, outcome.verdicts):
        validator.validate(json.loads(msgspec.json.encode(record)))


def test_a_chunk_names_the_defined_terms_it_uses() -> None:
    """A term of the document's definitions is named by each chunk that uses it."""
    lines = (
        "# 第一条 定义\n“渠水”是指由渠首引出的水。\n# 第二条 计量\n渠水按月计量。\n"
        "# 第三条 其他\n争议由双方协商解决。\n"
    )
    document = structure(build(lines), StructureSettings())
    chunks = cut(document, ChunkSettings()).chunks

    assert [record.terms for record in chunk_records(document, chunks, ())] == [["渠水"]] * 2 + [[]]
