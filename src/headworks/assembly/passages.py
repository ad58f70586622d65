"""Chunks as records: the lines of ``chunks.jsonl``.

Takes a document, its chunks and verdicts, gives ``ChunkRecord`` values. Never decides anything:
each field is looked up in one of the layers. Only ``text`` holds what the rules redact.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from headworks.assembly import boxes as page_boxes
from headworks.assembly import links
from headworks.assembly.cells import cells, paragraphs
from headworks.assembly.markdown import markdown
from headworks.assembly.own import own_spans
from headworks.assembly.parents import parents
from headworks.assembly.shapes import (
    ChunkRecord,
    HitRecord,
    LinkRecord,
    PartRecord,
    RedactionRecord,
    RouteRecord,
    ValueRecord,
)
from headworks.model.chunk import Chunk
from headworks.model.document import Block, Document
from headworks.model.outline import Heading
from headworks.model.verdict import Edit, Hit, Route, Value, Verdict
from headworks.privacy.veil import Veil, veil_over

_UNJUDGED = Route(pipeline="general", rule="default")


class _Layers(msgspec.Struct, frozen=True):
    """What is looked up for every chunk, computed once a document."""

    headings: Mapping[int, Heading]
    by_block: Mapping[int, Heading]
    anchors: Mapping[int, str]
    items: Mapping[int, str]


def chunk_records(
    document: Document,
    chunks: Sequence[Chunk],
    verdicts: Sequence[Verdict],
    lengths: tuple[int, int] = (120, 2000),
    veil: Veil | None = None,
) -> list[ChunkRecord]:
    """Give a record a chunk, in order. A chunk without a verdict goes to the general pipeline.

    ``lengths`` are those of the context on either side and of parents; ``veil`` is that over the
    verdicts' edits, where the caller has it already.
    """
    layers = _layers(document)
    veil = veil or veil_over(document, verdicts)
    seen = veil.document if veil else document
    judged = {verdict.chunk: verdict for verdict in verdicts}
    held, pointing = links.references(seen, links.ChunkIndex(chunks))
    context_chars, parent_chars = lengths
    above = parents(document, chunks, parent_chars)
    defined = [one.term for one in document.definitions]
    records = []
    for position, chunk in enumerate(chunks):
        blocks = page_boxes.blocks_in(document, chunk.spans)
        before = chunks[position - 1] if position else None
        after = chunks[position + 1] if position + 1 < len(chunks) else None
        verdict = judged.get(chunk.id) or Verdict(chunk=chunk.id, route=_UNJUDGED)
        told = _told(document, chunk, layers)
        record = ChunkRecord(
            **told,
            **_placed(document, chunk, blocks),
            **_judged(seen, verdict),
            delivered=veil.delivered(chunk.spans, verdict.edits)
            if verdict.edits and veil
            else None,
            markdown=markdown(seen, blocks, chunk.spans, layers.by_block),
            parent=above[position],
            previous=before.id if before else None,
            next=after.id if after else None,
            context_before=links.context_before(seen.text, before, context_chars),
            context_after=links.context_after(seen.text, after, context_chars),
            references=held.get(position, []),
            referenced_by=pointing.get(position, []),
            terms=[term for term in defined if term in told["text"]],
            degraded=chunk.degraded,
        )
        records.append(_veiled(record, verdict, veil) if veil else record)
    return records


# Parts of the document's text; and words that were made of it.
_SHOWN = ("markdown", "context_before", "context_after")
_SAID = (
    "heading_path",
    "anchor",
    "references",
    "referenced_by",
    "terms",
    "warnings",
    "review",
    "settings",
)


def _veiled(record: ChunkRecord, verdict: Verdict, veil: Veil) -> ChunkRecord:
    """Give the record with tokens for what was redacted, in all but its text."""
    fields: dict[str, Any] = {name: veil.shown(getattr(record, name)) for name in _SHOWN}
    fields |= {name: veil.over(getattr(record, name)) for name in _SAID}
    fields["hits"] = [
        _veiled_hit(told, hit, veil) for told, hit in zip(record.hits, verdict.hits, strict=True)
    ]
    return msgspec.structs.replace(record, **fields)


def _veiled_hit(told: HitRecord, hit: Hit, veil: Veil) -> HitRecord:
    values = {}
    for name, value in told.values.items():
        if veil.hides(hit.values[name].span):
            shown = veil.shown(veil.document.slice(hit.values[name].span))
            values[name] = msgspec.structs.replace(value, text=shown, value=shown)
        else:
            values[name] = veil.over(value)
    return msgspec.structs.replace(
        told, quote=veil.shown(told.quote), values=values, reasons=veil.over(told.reasons)
    )


def _layers(document: Document) -> _Layers:
    by_block: dict[int, Heading] = {}
    for heading in document.headings:
        by_block.setdefault(heading.block, heading)
    anchors: dict[int, str] = {}
    items: dict[int, str] = {}
    for anchor in document.anchors:
        if anchor.is_heading and anchor.heading is not None:
            anchors.setdefault(anchor.heading, anchor.path)
        items.setdefault(anchor.span.start, anchor.path)
    return _Layers({heading.id: heading for heading in document.headings}, by_block, anchors, items)


def _told(document: Document, chunk: Chunk, layers: _Layers) -> dict[str, Any]:
    path = _path(document, chunk, layers)
    last = path[-1] if path else None
    own_start = own_spans(chunk)[0].start
    anchor = layers.items.get(own_start)
    if last is not None and (anchor is None or last.span.start >= own_start):
        anchor = layers.anchors.get(last.id) or last.label
    part = chunk.part
    header = (part.header.start, part.header.end) if part and part.header else None
    return {
        "id": chunk.id,
        "document": chunk.document,
        "ordinal": chunk.ordinal,
        "text": chunk.text_in(document.text),
        "zone": chunk.zone,
        "kind": chunk.kind,
        "heading_path": [heading.text for heading in path],
        "anchor": anchor,
        "level": last.level if last else None,
        "chars": chunk.chars,
        "tokens": chunk.tokens,
        "part": PartRecord(part.index, part.of, header) if part else None,
    }


def _path(document: Document, chunk: Chunk, layers: _Layers) -> list[Heading]:
    """Give the headings that hold for the whole chunk, outermost first.

    A chunk of 2 with 2.1 and 2.2 is under 2, though 2.1 stands at its start too.
    """
    path: list[Heading] = []
    own_start = own_spans(chunk)[0].start
    begun = False
    for heading in (layers.headings[id_] for id_ in chunk.trail if id_ in layers.headings):
        inside = heading.span.start >= own_start
        if inside and begun and document.text[heading.extent.end : chunk.end].strip():
            break
        path.append(heading)
        begun = begun or inside
    return path


def _placed(document: Document, chunk: Chunk, blocks: list[Block]) -> dict[str, Any]:
    own = own_spans(chunk)
    found = page_boxes.boxes(document, own)
    kinds = {block.kind for block in blocks}
    return {
        "start": chunk.start,
        "end": chunk.end,
        "spans": [(span.start, span.end) for span in chunk.spans],
        "pages": page_boxes.pages(page_boxes.blocks_in(document, own), found),
        "boxes": found,
        "cells": cells(blocks, own),
        "paragraphs": paragraphs(blocks),
        "has_table": any(block.table is not None for block in blocks),
        "has_figure": "figure" in kinds,
        "has_formula": "formula" in kinds,
        "has_code": "code" in kinds,
        "has_comment": "comment" in kinds,
    }


def _judged(document: Document, verdict: Verdict) -> dict[str, Any]:
    route = verdict.route
    return {
        "tags": list(verdict.tags),
        "hits": [_hit(document, hit) for hit in verdict.hits],
        "redactions": [_redaction(edit) for edit in verdict.edits],
        "links": [LinkRecord(link.law, link.article, link.rule) for link in verdict.links],
        "route": RouteRecord(route.pipeline, route.rule, route.priority, list(route.also)),
        "skipped": verdict.skip,
        "warnings": list(verdict.warnings),
        "review": verdict.review,
        "undecided": list(verdict.undecided),
        "conflicts": [list(group) for group in verdict.conflicts],
        "settings": verdict.settings,
    }


def _hit(document: Document, hit: Hit) -> HitRecord:
    return HitRecord(
        rule=hit.rule,
        pack=hit.pack,
        phase=hit.phase,
        start=hit.span.start,
        end=hit.span.end,
        quote=document.slice(hit.span),
        values={name: _value(value) for name, value in hit.values.items()},
        reasons=list(hit.reasons),
    )


def _value(value: Value) -> ValueRecord:
    return ValueRecord(value.text, value.kind, value.value, value.span.start, value.span.end)


def _redaction(edit: Edit) -> RedactionRecord:
    return RedactionRecord(edit.label, edit.span.start, edit.span.end, edit.token, edit.rule)
