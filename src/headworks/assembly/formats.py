"""Chunks as other programs take them: Markdown, LangChain, LlamaIndex.

Takes chunk records, gives bytes to print. Never loses the way back: each format carries the chunk's
id, ranges and pages as metadata. Never prints what the rules redacted.
"""

from collections.abc import Callable, Sequence
from typing import Any

import msgspec

from headworks.assembly.shapes import ChunkRecord

_ENCODER = msgspec.json.Encoder()


def as_jsonl(chunks: Sequence[ChunkRecord]) -> bytes:
    """Give the records of ``chunks.jsonl``, the delivered text in place of the original."""
    return _ENCODER.encode_lines(
        [
            chunk
            if chunk.delivered is None
            else msgspec.structs.replace(chunk, text=chunk.delivered)
            for chunk in chunks
        ]
    )


def leaving(chunk: ChunkRecord) -> str:
    """Give the text of a chunk as it leaves for a model or a reader."""
    return chunk.text if chunk.delivered is None else chunk.delivered


def as_markdown(chunks: Sequence[ChunkRecord]) -> bytes:
    """Give the chunks' Markdown in order, a comment with id, route and tags before each."""
    pieces = []
    for chunk in chunks:
        pages = ",".join(map(str, chunk.pages))
        about = [f"chunk {chunk.ordinal} {chunk.id}", f"route={chunk.route.pipeline}"]
        about += [f"pages={pages}"] if pages else []
        about += [f"cells={chunk.cells}"] if chunk.cells else []
        about += [f"tags={','.join(chunk.tags)}"] if chunk.tags else []
        mark = " ".join(about).replace("--", "- -").replace(">", " ")
        pieces.append(f"<!-- {mark} -->\n\n{chunk.markdown.strip()}\n")
    return "\n".join(pieces).encode()


def as_langchain(chunks: Sequence[ChunkRecord]) -> bytes:
    """Give a LangChain ``Document`` a line: ``Document(**json.loads(line))``."""
    return _ENCODER.encode_lines(
        [
            {"id": chunk.id, "page_content": leaving(chunk), "metadata": _metadata(chunk)}
            for chunk in chunks
        ]
    )


def as_llamaindex(chunks: Sequence[ChunkRecord]) -> bytes:
    """Give a LlamaIndex ``TextNode`` a line: ``TextNode(**json.loads(line))``."""
    return _ENCODER.encode_lines(
        [
            {
                "id_": chunk.id,
                "text": leaving(chunk),
                "metadata": _metadata(chunk),
                "relationships": _relationships(chunk),
                "start_char_idx": chunk.start,
                "end_char_idx": chunk.end,
            }
            for chunk in chunks
        ]
    )


FORMATS: dict[str, Callable[[Sequence[ChunkRecord]], bytes]] = {
    "jsonl": as_jsonl,
    "md": as_markdown,
    "langchain": as_langchain,
    "llamaindex": as_llamaindex,
}


def _metadata(chunk: ChunkRecord) -> dict[str, Any]:
    return {
        "document": chunk.document,
        "ordinal": chunk.ordinal,
        "kind": chunk.kind,
        "zone": chunk.zone,
        "heading_path": chunk.heading_path,
        "anchor": chunk.anchor,
        "parent": chunk.parent.id,
        "spans": chunk.spans,
        "pages": chunk.pages,
        "cells": chunk.cells,
        "tags": chunk.tags,
        "route": chunk.route.pipeline,
        "priority": chunk.route.priority,
        "skipped": chunk.skipped,
        "tokens": chunk.tokens,
    }


def _relationships(chunk: ChunkRecord) -> dict[str, dict[str, str]]:
    """Name the source and the neighbours by LlamaIndex's numbers: 1 source, 2 previous, 3 next."""
    named = {"1": chunk.document, "2": chunk.previous, "3": chunk.next}
    return {number: {"node_id": node} for number, node in named.items() if node}
