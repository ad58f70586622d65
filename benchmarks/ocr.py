"""Recognition measured: characters wrong, seconds a page, memory, headings.

    python -m benchmarks.ocr [--quick]

Takes the corpus' scans whose text is known (where ../shared is there) and pages of the shipped
contract, painted, tilted, turned and soiled; prints a line for each. Never changes a file.
"""

import re
import resource
import sys
import tempfile
import time
import unicodedata
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pypdfium2 as pdfium
from PIL import Image

from headworks.config import ReadSettings, StructureSettings
from headworks.model.document import Document
from headworks.readers.base import read
from headworks.structure.passes import structure

ROOT = Path(__file__).resolve().parents[1]
FILES = ROOT.parent / "shared" / "corpus" / "files"
SAMPLE = ROOT / "examples" / "samples" / "采购合同.pdf"
SETTINGS = ReadSettings(timeout_seconds=1800.0)
DPI = 200
# Blanks to be filled in are drawn, not written: their length is no character.
_LEFT_OUT = re.compile(r"[\s_\u3000]+")
_PAGE = re.compile(r"^[-— ]*第?\s*\d+\s*页?\s*(?:共\s*\d+\s*页)?[-— ]*$", re.M)

Change = Callable[[np.ndarray], np.ndarray]


def plain(text: str) -> str:
    """Give a text as characters are counted: no white space, one width, no page numbers."""
    return _LEFT_OUT.sub("", unicodedata.normalize("NFKC", _PAGE.sub("", text)))


def distance(one: str, other: str) -> int:
    """Give the edit distance, by bands that double until they hold the way."""
    band = 64
    while True:
        found = _banded(one, other, band)
        if found <= band or band > len(one) + len(other):
            return found
        band *= 2


def _banded(one: str, other: str, band: int) -> int:
    far = len(one) + len(other) + 1
    row = {column: column for column in range(min(len(other), band) + 1)}
    for line, char in enumerate(one, 1):
        after: dict[int, int] = {}
        for column in range(max(0, line - band), min(len(other), line + band) + 1):
            if column == 0:
                after[0] = line
                continue
            change = row.get(column - 1, far) + (char != other[column - 1])
            after[column] = min(change, row.get(column, far) + 1, after.get(column - 1, far) + 1)
        row = after
    return row.get(len(other), far)


def rate(read_text: str, truth: str) -> tuple[float, int]:
    """Give the character error rate and the number of characters."""
    read_text, truth = plain(read_text), plain(truth)
    return distance(read_text, truth) / max(1, len(truth)), len(truth)


def tilted(degrees: float) -> Change:
    """Give a change that lays a page aslant."""

    def change(pixels: np.ndarray) -> np.ndarray:
        high, wide = pixels.shape[:2]
        matrix = cv2.getRotationMatrix2D((wide / 2, high / 2), degrees, 1.0)
        white = (255, 255, 255)
        return cv2.warpAffine(pixels, matrix, (wide, high), borderValue=white)

    return change


def soiled(pixels: np.ndarray) -> np.ndarray:
    """Give a page as a poor scanner sees it: grey paper, noise, blur, coarse JPEG."""
    random = np.random.default_rng(7)
    grey = pixels.astype(np.float32) * 0.82 + 25
    grey += random.normal(0, 14, pixels.shape[:2])[:, :, None]
    blurred = cv2.GaussianBlur(np.clip(grey, 0, 255).astype(np.uint8), (3, 3), 0.7)
    _, packed = cv2.imencode(".jpg", blurred, [cv2.IMWRITE_JPEG_QUALITY, 55])
    return cv2.imdecode(packed, cv2.IMREAD_COLOR)


CHANGES: dict[str, Change] = {
    "as it is": lambda pixels: pixels,
    "tilted 1.5": tilted(1.5),
    "tilted -2": tilted(-2.0),
    "quarter turn": lambda pixels: np.ascontiguousarray(np.rot90(pixels, 1)),
    "quarter turn back": lambda pixels: np.ascontiguousarray(np.rot90(pixels, 3)),
    "upside down": lambda pixels: np.ascontiguousarray(np.rot90(pixels, 2)),
    "soiled, tilted 1": lambda pixels: soiled(tilted(1.0)(pixels)),
}


def painted(path: Path, pages: range, change: Change, target: Path) -> None:
    """Write pages of a PDF as a TIFF of pictures."""
    with pdfium.PdfDocument(path) as document:
        pictures = [
            Image.fromarray(change(document[page].render(scale=DPI / 72).to_numpy())[:, :, ::-1])
            for page in pages
        ]
    pictures[0].save(target, save_all=True, append_images=pictures[1:], dpi=(DPI, DPI))


def cut_out(path: Path, pages: range, target: Path) -> None:
    """Write some pages of a PDF as a PDF."""
    with pdfium.PdfDocument(path) as document, pdfium.PdfDocument.new() as part:
        part.import_pages(document, list(pages))
        part.save(target)


def show(name: str, document: Document, truth: str, seconds: float) -> float:
    """Print a line; give the error rate."""
    errors, chars = rate(document.text, truth)
    pages = document.metadata.pages or 1
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    heads = len(structure(document, StructureSettings()).headings)
    print(
        f"{name:34} {pages:3} pages {chars:6} chars  CER {errors:7.2%}"
        f"  {seconds / pages:5.2f} s a page  peak {peak:5.0f} MB  {heads:3} headings"
    )
    return errors


def corpus_scans() -> None:
    """Measure the scans whose text is known."""
    for scan, origin in (
        ("derived/house_lease_office_scan.pdf", "contract/house_lease_office.docx"),
        ("derived/mof_order87_scan_p1_6.pdf", "regulation/mof_order87_txt.txt"),
    ):
        began = time.perf_counter()
        document = read(FILES / scan, SETTINGS)
        seconds = time.perf_counter() - began
        truth = plain(read(FILES / origin, SETTINGS).text)
        if "p1_6" in scan:  # the first six pages only: to where the scan's last words stand
            last = plain(document.text)[-12:]
            truth = truth[: truth.find(last) + len(last)] if last in truth else truth
        show(scan, document, truth, seconds)


def painted_contract(quick: bool) -> None:
    """Measure the shipped contract in every state."""
    pages = range(1 if quick else 2)
    with tempfile.TemporaryDirectory() as folder:
        part, target = Path(folder) / "part.pdf", Path(folder) / "scan.tiff"
        cut_out(SAMPLE, pages, part)
        truth = read(part, SETTINGS).text
        for name, change in CHANGES.items():
            painted(SAMPLE, pages, change, target)
            began = time.perf_counter()
            document = read(target, SETTINGS)
            show(f"{SAMPLE.name} {name}", document, truth, time.perf_counter() - began)


def main() -> None:
    """Print all measures."""
    if FILES.is_dir():
        corpus_scans()
    painted_contract("--quick" in sys.argv)


if __name__ == "__main__":
    main()
