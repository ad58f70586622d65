"""Peers' splitters on the same texts, in an environment of their own: ``.venv-splitters``.

    python splitters.py NAME CEILING FOLDER OUT.json

Takes a folder of files (txt, docx, pdf), writes a JSON object: file name -> list of chunks. The
texts of DOCX and PDF come from kreuzberg; NAME ``text`` writes them alone. Standard library and the
peers only: this file runs where headworks is not installed.
"""

import json
import sys
from collections.abc import Callable
from pathlib import Path

Split = Callable[[str], list[str]]


def main() -> None:
    """Write the chunks of every file."""
    name, ceiling, folder, out = sys.argv[1], int(sys.argv[2]), Path(sys.argv[3]), sys.argv[4]
    split = SPLITTERS[name](ceiling)
    chunks = {path.stem: split(_text(path)) for path in sorted(folder.iterdir())}
    Path(out).write_text(json.dumps(chunks, ensure_ascii=False), encoding="utf-8")


def _text(path: Path) -> str:
    kept = path.parent.parent / f"{path.parent.name}_text" / f"{path.stem}.txt"
    if path.suffix == ".txt":
        return path.read_text(encoding="utf-8")
    if not kept.exists():
        from kreuzberg import ExtractionConfig, extract_file_sync

        kept.parent.mkdir(exist_ok=True)
        config = ExtractionConfig(use_cache=False)
        kept.write_text(extract_file_sync(str(path), config=config).content, encoding="utf-8")
    return kept.read_text(encoding="utf-8")


def _langchain(ceiling: int) -> Split:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    return RecursiveCharacterTextSplitter(chunk_size=ceiling, chunk_overlap=0).split_text


def _langchain_chinese(ceiling: int) -> Split:
    from langchain_text_splitters import RecursiveCharacterTextSplitter

    marks = ["\n\n", "\n", "。", "；", "，", " ", ""]
    splitter = RecursiveCharacterTextSplitter(
        separators=marks, keep_separator="end", chunk_size=ceiling, chunk_overlap=0
    )
    return splitter.split_text


def _semantic(ceiling: int) -> Split:
    from semantic_text_splitter import TextSplitter

    return lambda text: list(TextSplitter(ceiling).chunks(text))


def _chonkie(ceiling: int) -> Split:
    from chonkie import RecursiveChunker

    chunker = RecursiveChunker(tokenizer="character", chunk_size=ceiling)
    return lambda text: [chunk.text for chunk in chunker.chunk(text)]


def _llamaindex(ceiling: int) -> Split:
    from llama_index.core.node_parser import SentenceSplitter

    splitter = SentenceSplitter(chunk_size=ceiling, chunk_overlap=0, tokenizer=list)
    return splitter.split_text


def _docling(ceiling: int) -> Split:
    """Give docling's hybrid chunker over the paragraphs of the text, counting characters."""
    from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
    from docling_core.transforms.chunker.tokenizer.base import BaseTokenizer
    from docling_core.types.doc import DoclingDocument
    from docling_core.types.doc.labels import DocItemLabel

    class Characters(BaseTokenizer):
        def count_tokens(self, text):
            return len(text)

        def get_max_tokens(self):
            return ceiling

        def get_tokenizer(self):
            return len

    chunker = HybridChunker(tokenizer=Characters(), merge_peers=True)

    def split(text: str) -> list[str]:
        document = DoclingDocument(name="law")
        for line in text.splitlines():
            if line.strip():
                document.add_text(label=DocItemLabel.PARAGRAPH, text=line)
        return [chunk.text for chunk in chunker.chunk(document)]

    return split


SPLITTERS: dict[str, Callable[[int], Split]] = {
    "langchain": _langchain,
    "langchain-zh": _langchain_chinese,
    "semantic-text-splitter": _semantic,
    "chonkie": _chonkie,
    "llamaindex": _llamaindex,
    "docling-hybrid": _docling,
    "text": lambda _: lambda text: [text],
}

if __name__ == "__main__":
    main()
