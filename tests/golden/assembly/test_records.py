from headworks.assembly import records
from headworks.assembly.passages import chunk_records
from tests.build.outcome import built
from tests.golden.conftest import Check


def test_the_files_of_a_contract(golden: Check) -> None:
    """The files of a small contract stay as they were, key by key."""
    outcome = built()
    chunks = chunk_records(outcome.document, outcome.chunks, outcome.verdicts)
    versions = records.versions_record("settings", {"contract": "1.0.0 hash"})
    document = records.document_record(
        outcome.document, outcome.ledger, versions, chunks=len(chunks)
    )
    ledger = records.ledger_records(outcome.document, outcome.ledger)
    golden("contract/document.json", records.encode(document).replace(b'"0.1.0"', b'"VERSION"'))
    golden("contract/chunks.jsonl", records.encode_lines(chunks))
    golden("contract/ledger.jsonl", records.encode_lines(ledger))
