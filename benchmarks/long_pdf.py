"""``make bench-long``: a PDF of 101 MB and 380 pages with pictures, beside kreuzberg.

Builds the file into ``benchmarks/.inputs`` (text, captions, two pictures of noise a page, so that
nothing packs), then runs headworks whole and kreuzberg by turns, each in a process of its own:
seconds and the peak memory of the process tree. ``--write`` renews its lines in docs/benchmarks.md.
"""

import random
import statistics
import sys
import tempfile
from pathlib import Path

from benchmarks.inputs import HERE, INPUTS, clauses
from benchmarks.memory import watched
from benchmarks.pipeline import LONG_PART, PAGE, PEERS, ROOT, install_peers

PAGES = 380
SIDE = 210  # pixels: two pictures of three bytes a pixel make a page of 265 kB
ROUNDS = 3


def main() -> None:
    """Measure, print, and write the page's part where asked."""
    install_peers()
    lines = _table(build())
    print("\n".join(lines))
    if "--write" in sys.argv[1:]:
        kept = PAGE.read_text(encoding="utf-8").partition(LONG_PART)[0].rstrip()
        said = "\n".join([kept, "", LONG_PART, "", *lines])
        PAGE.write_text(said + "\n", encoding="utf-8")


def build() -> Path:
    """Give the file, built where it is not there yet."""
    INPUTS.mkdir(exist_ok=True)
    path = INPUTS / "handbook_380_pages.pdf"
    if not path.exists():
        _draw(path)
    return path


def _draw(path: Path) -> None:
    from PIL import Image
    from reportlab import rl_config
    from reportlab.lib.pagesizes import A4
    from reportlab.lib.utils import ImageReader
    from reportlab.pdfbase import pdfmetrics
    from reportlab.pdfbase.cidfonts import UnicodeCIDFont
    from reportlab.pdfgen.canvas import Canvas

    chance = random.Random(380)
    pdfmetrics.registerFont(UnicodeCIDFont("STSong-Light"))
    rl_config.useA85 = 0  # pictures as bytes, not as letters
    canvas = Canvas(str(path), pagesize=A4, invariant=1, pageCompression=1)
    canvas.setAuthor("headworks")
    lines = [clause[at : at + 36] for clause in clauses(4000) for at in range(0, len(clause), 36)]
    per_page = 22
    for page in range(PAGES):
        canvas.setFont("STSong-Light", 9)
        canvas.drawString(80, A4[1] - 40, "设备维护手册　内部资料")
        canvas.drawCentredString(A4[0] / 2, 36, f"第 {page + 1} 页 共 {PAGES} 页")
        canvas.setFont("STSong-Light", 12)
        for index, line in enumerate(lines[page * per_page : (page + 1) * per_page]):
            canvas.drawString(80, A4[1] - 80 - 19 * index, line)
        for side in range(2):
            noise = Image.frombytes("RGB", (SIDE, SIDE), chance.randbytes(3 * SIDE * SIDE))
            canvas.drawImage(ImageReader(noise), 80 + 225 * side, 100, 210, 210)
            canvas.drawString(110 + 225 * side, 80, f"图{page + 1}-{side + 1} 现场照片")
        canvas.showPage()
    canvas.save()


def _table(path: Path) -> list[str]:
    runs: dict[str, list[tuple[float, int]]] = {tool: [] for tool in _commands(path, "")}
    for _ in range(ROUNDS):
        for tool, found in runs.items():
            with tempfile.TemporaryDirectory() as folder:
                found.append(watched(_commands(path, folder)[tool], ROOT))
    peer = statistics.median(seconds for seconds, _ in runs["kreuzberg"])
    size = path.stat().st_size / 1e6
    lines = [
        f"{path.name}, by `make bench-long`: {PAGES} pages, {size:.0f} MB, {2 * PAGES} pictures."
        f" Whole processes by turns, median of {ROUNDS}; `ratio` is the tool over kreuzberg;"
        " headworks has recognition at its default and writes all its files.",
        "",
        "| tool | cold, s | ratio | peak, MB |",
        "|---|---|---|---|",
    ]
    for tool, found in runs.items():
        middle, peak = statistics.median(seconds for seconds, _ in found), max(p for _, p in found)
        lines.append(f"| {tool} | {middle:.2f} | {middle / peer:.2f} | {peak} |")
    return lines


def _commands(path: Path, out: str) -> dict[str, list[str]]:
    """Give the command of each tool; ``out`` is where headworks writes."""
    script, python = Path(sys.executable).parent / "headworks", PEERS / "bin" / "python"
    ours = [str(script), "run", str(path), "--rules", "contract", "--out", out]
    return {
        "headworks, report without pages' pictures": [*ours, "--report-pages", "0"],
        "headworks, as it comes": ours,
        "kreuzberg": [str(python), "-P", str(HERE / "peer.py"), "kreuzberg", str(path), "0"],
    }


if __name__ == "__main__":
    main()
