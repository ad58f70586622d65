"""Run a command and watch the memory of its whole process tree (Linux).

Takes a command, gives its seconds and the peak of the proportional set sizes of it and all its
children: pages that two processes share are counted once.
"""

import subprocess
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter, sleep

INTERVAL_SECONDS = 0.02


def watched(command: Sequence[str], folder: Path) -> tuple[float, int]:
    """Give wall seconds and peak megabytes of a command that is run in the folder."""
    began = perf_counter()
    peak = 0
    with subprocess.Popen(
        command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    ) as process:
        while process.poll() is None:
            peak = max(peak, _tree_kilobytes(process.pid))
            sleep(INTERVAL_SECONDS)
    return perf_counter() - began, peak // 1024


def _tree_kilobytes(pid: int) -> int:
    try:
        rollup = Path(f"/proc/{pid}/smaps_rollup").read_text(encoding="ascii")
        children = Path(f"/proc/{pid}/task/{pid}/children").read_text(encoding="ascii").split()
    except OSError:  # it ended between two looks
        return 0
    own = next((int(line.split()[1]) for line in rollup.splitlines() if line[:4] == "Pss:"), 0)
    return own + sum(_tree_kilobytes(int(child)) for child in children)
