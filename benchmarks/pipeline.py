"""``make bench``: the whole pipeline per format, warm and cold, beside kreuzberg and markitdown.

The peers live in an environment of their own (``.venv-peers``). Tools take turns on each file, in
rounds, so that a drift of the machine's speed meets all of them; medians and their ratios are
printed. ``--write`` renews docs/benchmarks.md; further arguments are files to measure too.
"""

import json
import statistics
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

from benchmarks.inputs import HERE, build_all
from benchmarks.memory import watched

ROOT = HERE.parent
PEERS = ROOT / ".venv-peers"
PAGE = ROOT / "docs" / "benchmarks.md"
LONG_PART = "## A PDF of 101 MB"  # this part of the page is benchmarks.long_pdf's
ROUNDS = 3
RUNS = {"headworks": 5, "kreuzberg": 5, "markitdown": 1}  # markitdown needs half a minute a sheet
TOOLS = ("headworks", "kreuzberg", "markitdown")


def main() -> None:
    """Measure, print, and write the page where asked."""
    arguments = sys.argv[1:]
    install_peers()
    files = list(build_all().values())
    files += [Path(argument) for argument in arguments if not argument.startswith("--")]
    lines = _table(files)
    print("\n".join(lines))
    if "--write" in arguments:
        _write(lines)


def _table(files: list[Path]) -> list[str]:
    lines = [
        "| file | tool | warm, ms | ratio | with files, ms | cold, s | ratio | peak, MB |",
        "|---|---|---|---|---|---|---|---|",
    ]
    for path in files:
        warm = _warm(path)
        cold = _cold(path)
        base, cold_base = warm["headworks"]["median"], cold["headworks"][0]
        for tool in TOOLS:
            found = warm[tool]
            if not found:
                lines.append(f"| {path.name} | {tool} | fails | | | | | |")
                continue
            written = f"{found['written'] * 1000:.1f}" if "written" in found else ""
            lines.append(
                f"| {path.name} | {tool} | {found['median'] * 1000:.1f} "
                f"| {base / found['median']:.2f} | {written} | {cold[tool][0]:.2f} "
                f"| {cold_base / cold[tool][0]:.2f} | {cold[tool][1]} |"
            )
    return lines


def _warm(path: Path) -> dict[str, dict]:
    """Give the median over all runs of all rounds for each tool."""
    gathered: dict[str, list[dict]] = {tool: [] for tool in TOOLS}
    for _ in range(ROUNDS):
        for tool in TOOLS:
            answer = _answer(_command(tool, path, RUNS[tool]))
            if answer:
                gathered[tool].append(answer)
    found: dict[str, dict] = {}
    for tool, answers in gathered.items():
        found[tool] = {}
        if answers:
            seconds = [one for answer in answers for one in answer["seconds"]]
            found[tool] = {"median": statistics.median(seconds)}
            if "written" in answers[0]:
                written = [one for answer in answers for one in answer["written"]]
                found[tool]["written"] = statistics.median(written)
    return found


def _cold(path: Path) -> dict[str, tuple[float, int]]:
    """Give the median seconds and the peak megabytes of a whole process, files and all."""
    gathered: dict[str, list[tuple[float, int]]] = {tool: [] for tool in TOOLS}
    for _ in range(ROUNDS):
        for tool in TOOLS:
            with tempfile.TemporaryDirectory() as folder:
                command = _command(tool, path, 0)
                if tool == "headworks":
                    script = Path(sys.executable).parent / "headworks"
                    command = [str(script), "run", str(path), "--rules", "contract"]
                    command += ["--out", folder, "--report-pages", "0"]
                gathered[tool].append(watched(command, ROOT))
    return {
        tool: (statistics.median(took for took, _ in runs), max(peak for _, peak in runs))
        for tool, runs in gathered.items()
    }


def _command(tool: str, path: Path, runs: int) -> list[str]:
    if tool == "headworks":
        return [sys.executable, "-m", "benchmarks.ours", str(path), str(runs)]
    python = PEERS / "bin" / "python"
    return [str(python), "-P", str(HERE / "peer.py"), tool, str(path), str(runs)]


def _answer(command: list[str]) -> dict:
    done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=ROOT)
    if done.returncode:
        print(done.stderr.strip()[-400:], file=sys.stderr)
        return {}
    return json.loads(done.stdout.strip().splitlines()[-1])


def install_peers() -> None:
    """Make the peers' environment where it is not there yet."""
    if (PEERS / "bin" / "markitdown").exists():
        return
    venv.create(PEERS, with_pip=True)
    pip = [str(PEERS / "bin" / "python"), "-m", "pip", "install", "--quiet"]
    subprocess.run([*pip, "kreuzberg", "markitdown[docx,pdf,xlsx]"], check=True)


def _write(lines: list[str]) -> None:
    kept = PAGE.read_text(encoding="utf-8").partition(LONG_PART)
    head = [
        "# Measured",
        "",
        "Renewed by `make bench-write`. All tools in one run on one machine (2 cores); medians"
        f" over {ROUNDS} rounds of {RUNS['headworks']} runs (markitdown 1). `ratio` is headworks"
        " over the tool: under 1, headworks is faster. headworks does the whole way (read,"
        " structure, cut, contract rules, ledger check); the peers extract Markdown. Cold is a"
        " whole process, for headworks with all files written; peak is the memory of the whole"
        " process tree then.",
        "",
    ]
    rest = ["", kept[1] + kept[2].rstrip()] if kept[1] else []
    PAGE.write_text("\n".join(head + lines + rest) + "\n", encoding="utf-8")


if __name__ == "__main__":
    main()
