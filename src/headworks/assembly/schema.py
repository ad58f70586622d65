"""The JSON Schemas of the files that ``run`` writes, made from the records themselves.

Takes a record's short name, gives its schema. Never written by hand: what is printed is what is
written.
"""

from typing import Any

import msgspec

from headworks.assembly.answer_records import AnswerRecord, TraceRecord
from headworks.assembly.shapes import ChunkRecord, DocumentRecord, LedgerRecord, SummaryRecord

RECORDS: dict[str, type[msgspec.Struct]] = {
    "answer": AnswerRecord,
    "chunk": ChunkRecord,
    "document": DocumentRecord,
    "ledger": LedgerRecord,
    "summary": SummaryRecord,
    "trace": TraceRecord,
}


def schema(name: str) -> dict[str, Any]:
    """Give the JSON Schema (2020-12) of a record: answer, chunk, document …"""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": name,
        **msgspec.json.schema(RECORDS[name]),
    }
