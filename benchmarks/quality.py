"""``make bench-quality``: outlines against labels, statutes in three forms, peers beside.

The peers live in an environment of their own (``.venv-splitters``) and get the same files; the
texts of DOCX and PDF come to them from kreuzberg. Renews docs/quality.md. Needs ``../shared``.
"""

import json
import subprocess
import venv
from collections.abc import Iterator
from pathlib import Path

from benchmarks import furniture, headings, inputs, statute_forms, statutes
from benchmarks.statutes import Family, Figures, Gold, Passages, bare, figures
from headworks.assembly.parents import parents
from headworks.chunking.cut import cut
from headworks.config import ChunkSettings, ReadSettings, StructureSettings
from headworks.readers.base import read
from headworks.structure.passes import structure

ROOT = Path(__file__).resolve().parent.parent
PEERS = ROOT / ".venv-splitters"
FOLDER = statute_forms.HERE / ".inputs" / "statutes"
CEILING = 800
PACKAGES = {
    "langchain": "langchain-text-splitters",
    "semantic-text-splitter": "semantic-text-splitter",
    "chonkie": "chonkie",
    "llamaindex": "llama-index-core",
    "docling-hybrid": "docling-core[chunking]",
    "text": "kreuzberg",
}
TOOLS = {
    "langchain": "LangChain recursive",
    "langchain-zh": "LangChain recursive, 。；， added",
    "semantic-text-splitter": "semantic-text-splitter",
    "chonkie": "chonkie recursive",
    "llamaindex": "LlamaIndex sentence",
    "docling-hybrid": "docling hybrid",
}


def main() -> None:
    """Measure everything, print it and write the page."""
    _install_peers()
    gold = statutes.load()
    lines = list(_labels())
    for form in statute_forms.FORMS:
        lines += ["", f"### {form.upper()}", "", *_head()]
        for name, measured in _all(form, gold):
            lines.append(_row(name, measured))
            print(lines[-1], flush=True)
    lines += _contract()
    (ROOT / "docs" / "quality.md").write_text("\n".join([*_intro(), *lines]) + "\n", "utf-8")


def _labels() -> Iterator[str]:
    precision, recall, wanted, files = headings.totals(statutes.DEFAULT.parent)
    yield (
        f"Headings, {wanted} labels in {files} files of the corpus: precision {precision:.4f},"
        f" recall {recall:.4f} (`make headings` names what was missed)."
    )
    yield ""
    yield furniture.counted(statutes.DEFAULT.parent).said()
    yield ""
    yield "## Statutes"


def _contract() -> list[str]:
    """Say how many chunks the contract of ``make bench`` is, and why."""
    path = inputs.build_all()["docx"]
    document = structure(read(path, ReadSettings()), StructureSettings())
    chunks = cut(document, ChunkSettings(max_chars=CEILING)).chunks
    clauses = sum(chunk.kind == "clause" for chunk in chunks)
    passages = {record.id for record in parents(document, chunks, CEILING)}
    return [
        "",
        "## A contract of 30 pages",
        "",
        f"{path.name}, {len(document.text)} characters: {len(chunks)} chunks at {CEILING}, of which"
        f" {clauses} are clauses, each whole and alone, as short as it is; as passages of at most"
        f" {CEILING} characters (`parent`) they are {len(passages)}.",
    ]


def _all(form: str, gold: Gold) -> Iterator[tuple[str, Figures]]:
    """Give each tool's figures for a form, ours first."""
    families: dict[str, Family] = {}
    for law in gold.laws:
        path = statute_forms.build(statutes.DEFAULT / "laws" / law, FOLDER, form)
        families[law] = statutes.family(path, ChunkSettings(max_chars=CEILING))
    for way, measured in statutes.by_way(families, gold):
        yield f"**headworks**, {way}", measured
    for tool, name in TOOLS.items():
        yield name, figures(_split(tool, form), gold)


def _split(tool: str, form: str) -> dict[str, Passages]:
    out = FOLDER / f"{tool}-{form}.json"
    python = PEERS / "bin" / "python"
    # -P: our modules beside the script must not stand for the standard library's (queue).
    script = statute_forms.HERE / "splitters.py"
    command = [python, "-P", script, tool, CEILING, FOLDER / form, out]
    subprocess.run([str(word) for word in command], check=True, capture_output=True)
    found = json.loads(out.read_text("utf-8"))
    return {
        f"{law}.md": [(text, text) for text in map(bare, texts) if text]
        for law, texts in found.items()
    }


def _install_peers() -> None:
    stamp = PEERS / ".installed"
    if stamp.exists():
        return
    if not (PEERS / "bin" / "pip").exists():
        venv.create(PEERS, with_pip=True)
    pip = [str(PEERS / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, *PACKAGES.values()], check=True)
    stamp.touch()


def _versions() -> str:
    listed = subprocess.run(
        [str(PEERS / "bin" / "python"), "-m", "pip", "list", "--format", "json"],
        check=True,
        capture_output=True,
        text=True,
    )
    known = {entry["name"]: entry["version"] for entry in json.loads(listed.stdout)}
    names = [package.split("[")[0] for package in PACKAGES.values()]
    return ", ".join(f"{name} {known.get(name, '?')}" for name in names)


def _head() -> list[str]:
    titles = (
        "tool", "intact", "purity", "chunks", "mean", "largest",
        "recall at 5", "recall at 10", "recall in 4,000 characters",
    )  # fmt: skip
    return [f"| {' | '.join(titles)} |", "|---" * len(titles) + "|"]


def _row(name: str, measured: Figures) -> str:
    return (
        f"| {name} | {measured.intact:.4f} | {measured.purity:.3f} | {measured.chunks}"
        f" | {measured.mean:.0f} | {measured.largest} | {measured.at_5:.3f}"
        f" | {measured.at_10:.3f} | {measured.in_budget:.3f} |"
    )


def _intro() -> list[str]:
    intro = statute_forms.HERE / "quality_intro.md"
    return [intro.read_text("utf-8").replace("{versions}", _versions()).rstrip(), ""]


if __name__ == "__main__":
    main()
