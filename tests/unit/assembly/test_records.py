import json

import msgspec
import pytest
from jsonschema import Draft202012Validator

from headworks.assembly import records
from headworks.assembly.passages import chunk_records
from headworks.assembly.schema import RECORDS, schema
from headworks.assembly.shapes import DoneRecord, FailedRecord
from headworks.assembly.summary import summary, tally
from tests.build.outcome import built

CONTRACT = {
    "source", "metadata", "profile", "zones", "outline", "tables", "references", "warnings",
    "lost", "ledger", "versions", "timings",
}  # fmt: skip


def _record(timings: dict[str, float] | None = None) -> dict[str, object]:
    outcome = built()
    record = records.document_record(
        outcome.document,
        outcome.ledger,
        records.versions_record("abcd", {"contract": "1.0.0 ffff"}),
        chunks=3,
        timings=timings,
    )
    decoded: dict[str, object] = json.loads(records.encode(record))
    return decoded


def test_document_json_has_the_keys_of_the_contract() -> None:
    """document.json holds each key that contract.md names."""
    record = _record({"read": 0.0123456789})
    assert set(record) >= CONTRACT
    assert record["timings"] == {"read": 0.012346}
    assert record["ledger"] == {"invisible": 2, "page_header": 2, "page_number": 5}


def test_reproducible_means_no_timings() -> None:
    """Without timings nothing in document.json changes from run to run."""
    assert "timings" not in _record()


def test_the_outline_is_flat_and_in_order() -> None:
    """Headings stand in document order, the title at level 0, parents named by id."""
    outline = _record()["outline"]
    assert isinstance(outline, list)
    assert [(line["level"], line["label"]) for line in outline] == [
        (0, None), (1, "第一条"), (1, "第二条"), (1, "附件一"),
    ]  # fmt: skip
    assert [line["page"] for line in outline] == [1, 1, 1, 2]


@pytest.mark.parametrize("name", list(RECORDS))
def test_each_schema_is_a_schema(name: str) -> None:
    """What ``headworks schema`` prints is valid JSON Schema."""
    Draft202012Validator.check_schema(schema(name))


def test_document_and_ledger_fit_their_schemas() -> None:
    """What is written is valid against what is printed."""
    outcome = built()
    Draft202012Validator(schema("document")).validate(_record({"read": 0.1}))
    lines = records.encode_lines(records.ledger_records(outcome.document, outcome.ledger))
    for line in lines.splitlines():
        Draft202012Validator(schema("ledger")).validate(json.loads(line))


def test_the_ledger_shows_how_a_stretch_begins() -> None:
    """A stretch is listed with its words; characters that were taken out with their number."""
    outcome = built()
    header, _, invisible = records.ledger_records(outcome.document, outcome.ledger)
    assert (header.reason, header.text, header.place) == ("page_header", "机密", "page 1")
    assert (invisible.start, invisible.count, invisible.text) == (None, 2, "")


def test_the_summary_counts_chunks() -> None:
    """summary.json counts chunks by route, tag and rule over all the documents."""
    outcome = built()
    one = tally(outcome.verdicts)
    done = DoneRecord("a.pdf", "a.pdf", "a.pdf", "ab", "application/pdf", 2, 9, 3, 1, 0, None, {})
    failed = FailedRecord("b.pdf", "b.pdf", "E_EMPTY", "", "", "check")
    versions = records.versions_record("abcd", {})
    record = summary([done, done], [failed], [one, one], versions, 0.5)
    assert record.chunks == 6
    assert record.by_route == {"general": 2, "legal-review": 2, "tables": 2}
    assert record.by_tag == {"RISK_CLAUSE": 2}
    assert record.by_rule["contract/penalty"] == record.by_rule["contract/skip"] == 2
    Draft202012Validator(schema("summary")).validate(msgspec.to_builtins(record))


def test_equal_outcomes_give_equal_bytes() -> None:
    """The same document twice gives the same bytes in every file."""
    encoded = []
    for _ in range(2):
        outcome = built()
        lines = chunk_records(outcome.document, outcome.chunks, outcome.verdicts)
        encoded.append((records.encode_lines(lines), json.dumps(_record())))
    assert encoded[0] == encoded[1]
