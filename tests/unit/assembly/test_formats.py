import json

import pytest

from headworks.assembly.formats import FORMATS
from headworks.assembly.passages import chunk_records
from headworks.assembly.shapes import ChunkRecord
from tests.build.outcome import built


@pytest.fixture
def chunks() -> list[ChunkRecord]:
    """Give the records of the built contract."""
    outcome = built()
    return chunk_records(outcome.document, outcome.chunks, outcome.verdicts)


def test_langchain_lines_are_documents(chunks: list[ChunkRecord]) -> None:
    """A line holds what LangChain's Document takes, with the way back in its metadata."""
    lines = [json.loads(line) for line in FORMATS["langchain"](chunks).splitlines()]
    assert [set(line) for line in lines] == [{"id", "page_content", "metadata"}] * 3
    assert lines[1]["metadata"]["route"] == "legal-review"
    assert lines[1]["metadata"]["pages"] == [1, 2]


def test_llamaindex_lines_are_nodes(chunks: list[ChunkRecord]) -> None:
    """A line holds what LlamaIndex's TextNode takes, neighbours as relationships."""
    lines = [json.loads(line) for line in FORMATS["llamaindex"](chunks).splitlines()]
    assert lines[0]["id_"] == chunks[0].id
    assert lines[0]["relationships"]["3"] == {"node_id": chunks[1].id}
    assert "2" not in lines[0]["relationships"]


def test_markdown_marks_each_chunk(chunks: list[ChunkRecord]) -> None:
    """Each chunk is led by a comment with its id and route, which Markdown does not show."""
    shown = FORMATS["md"](chunks).decode()
    assert shown.count("<!-- chunk") == 3
    assert f"{chunks[1].id} route=legal-review" in shown


def test_jsonl_is_the_file(chunks: list[ChunkRecord]) -> None:
    """The jsonl format is chunks.jsonl itself."""
    assert json.loads(FORMATS["jsonl"](chunks).splitlines()[0])["id"] == chunks[0].id
