import subprocess
import sys
from pathlib import Path

import pytest

from headworks.assembly.passages import chunk_records
from headworks.assembly.records import heading_record
from headworks.config import ReadSettings, RuleSettings, Settings
from headworks.pipeline import Outcome, process
from headworks.readers.base import read
from headworks.rules.book import load
from tests.golden.conftest import Check

SETTINGS = Settings(rules=RuleSettings(packs=("contract", "finance"), as_of="2026-01-01"))
NAMES = ["采购合同.docx", "采购合同.pdf", "价格清单.xlsx", "会议纪要.txt", "配电柜操作手册.md"]


@pytest.fixture(scope="module")
def samples(tmp_path_factory: pytest.TempPathFactory, root: Path) -> Path:
    """Give the shipped samples, built anew."""
    folder = tmp_path_factory.mktemp("samples")
    script = root / "examples" / "build_samples.py"
    subprocess.run([sys.executable, str(script), str(folder)], check=True, capture_output=True)
    return folder


def _told(outcome: Outcome) -> str:
    """Tell an outcome in lines that a person can compare: zones, outline, references, chunks."""
    document = outcome.document
    lines = [f"zone {zone.kind} {zone.name or ''}".rstrip() for zone in document.zones]
    headings = [heading_record(document, heading) for heading in document.headings]
    lines += [f"{'  ' * one.level}{one.text} p{one.page or '-'}" for one in headings]
    lines += [f"ref {ref.text} -> {ref.target} {ref.status}" for ref in document.refs]
    for chunk in chunk_records(document, outcome.chunks, outcome.verdicts):
        place = chunk.cells or ",".join(map(str, chunk.pages)) or "-"
        tags = " ".join(chunk.tags) or "-"
        path = " / ".join(chunk.heading_path) or "-"
        lines.append(
            f"#{chunk.ordinal} {chunk.kind} {chunk.zone} | {path} | {chunk.anchor or '-'} | {place}"
            f" | {chunk.chars} | {tags} | {chunk.route.pipeline} < {chunk.route.rule}"
        )
    lines += [f"ledger {one.reason} {one.count} {one.place}".rstrip() for one in outcome.ledger]
    return "\n".join(lines) + "\n"


@pytest.mark.parametrize("name", NAMES)
def test_a_sample_comes_out_as_it_did(name: str, samples: Path, golden: Check) -> None:
    """Zones, outline, references, chunks, tags, routes and ledger of each shipped sample."""
    book = load(SETTINGS.rules.packs, SETTINGS.rules)
    outcome = process(samples / name, lambda path: read(path, ReadSettings()), SETTINGS, book)
    golden(f"samples/{name}.golden", _told(outcome).encode())
