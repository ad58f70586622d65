"""The service under load: ``make bench-service``.

Uploads of 1 MB by 32 clients at a given rate while all workers are busy (p50, p99 of the answer),
throughput with 1 and 2 workers, and a queue of 10,000 documents (memory, time to answer).
"""

import argparse
import asyncio
import random
import statistics
import sys
import tempfile
import time
from pathlib import Path

import httpx

from tests.web import papers
from tests.web.serving import Server, served

CLIENTS = 32
MEGABYTE = 1 << 20


def main() -> int:
    """Measure and print."""
    asked = argparse.ArgumentParser(description=__doc__)
    asked.add_argument("--rates", default="20,40,80", help="uploads a second, by commas")
    asked.add_argument("--seconds", type=float, default=20.0)
    asked.add_argument("--documents", type=int, default=10_000)
    arguments = asked.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        top = Path(folder)
        for rate in [float(part) for part in arguments.rates.split(",")]:
            uploads(top / f"rate-{rate:g}", rate, arguments.seconds)
        for workers in (1, 2):
            throughput(top / f"workers-{workers}", workers, 120)
        long_queue(top / "queue", arguments.documents)
    return 0


def uploads(folder: Path, rate: float, seconds: float) -> None:
    """Send files of 1 MB at a rate, from 32 connections, while the workers are busy."""
    settings = "[service]\nworkers = 2\nrate_per_minute = 0\nmax_queue = 100000\n"
    with served(folder, settings) as server:
        with server.client() as client:
            for number in range(400):
                client.post("/v1/documents", files={"file": ("a.txt", papers.text(number))})
        answers = asyncio.run(_send(server, rate, seconds))
        waiting = _waiting(server)
    times = sorted(spent for spent, status in answers if status == 202)
    refused = len(answers) - len(times)
    p99 = times[int(len(times) * 0.99) - 1] * 1000
    print(
        f"1 MB uploads, {CLIENTS} clients, {rate:g}/s for {seconds:g} s, workers busy "
        f"({waiting} documents wait at the end): {len(times)} accepted, {refused} refused, "
        f"p50 {statistics.median(times) * 1000:.1f} ms, p99 {p99:.1f} ms, "
        f"max {times[-1] * 1000:.1f} ms",
        flush=True,
    )


async def _send(server: Server, rate: float, seconds: float) -> list[tuple[float, int]]:
    """Give time and status of each upload; they begin when their time has come."""
    chance = random.Random(7)
    base = bytearray(("条款" * 60 + "\n").encode() * (MEGABYTE // 361))
    slots = asyncio.Semaphore(CLIENTS)
    answers: list[tuple[float, int]] = []
    limits = httpx.Limits(max_connections=CLIENTS)
    async with httpx.AsyncClient(
        base_url=server.address, limits=limits, timeout=60, trust_env=False
    ) as client:

        async def one(number: int) -> None:
            content = f"{number} {chance.random()}\n".encode() + bytes(base)
            async with slots:
                began = time.perf_counter()
                answer = await client.post(
                    "/v1/documents",
                    files={"file": (f"{number}.txt", content)},
                    data={"priority": "offline"},
                )
                answers.append((time.perf_counter() - began, answer.status_code))

        began = time.perf_counter()
        async with asyncio.TaskGroup() as group:
            for number in range(int(rate * seconds)):
                await asyncio.sleep(max(0.0, began + number / rate - time.perf_counter()))
                group.create_task(one(number))
    return answers


def throughput(folder: Path, workers: int, documents: int) -> None:
    """Process contracts of one page as PDF with so many workers."""
    settings = f'[rules]\npacks = ["contract"]\n[service]\nworkers = {workers}\n'
    with (
        served(folder, settings + "rate_per_minute = 0\n") as server,
        server.client() as client,
    ):
        client.post("/v1/preprocess", files={"file": ("warm.pdf", papers.page(999_999))})
        client.post("/v1/queue/pause", json={})
        for number in range(documents):
            client.post("/v1/documents", files={"file": ("a.pdf", papers.page(number))})
        began = time.perf_counter()
        client.post("/v1/queue/resume", json={})
        while _waiting(server, running=True):
            time.sleep(0.05)
        spent = time.perf_counter() - began
    print(
        f"{workers} worker(s): {documents} documents in {spent:.1f} s, {documents / spent:.1f}/s",
        flush=True,
    )


def long_queue(folder: Path, documents: int) -> None:
    """Fill the queue; look at the server's memory and at how long it takes to answer."""
    settings = "[service]\nworkers = 1\nrate_per_minute = 0\n"
    with served(folder, settings) as server, server.client() as client:
        client.post("/v1/queue/pause", json={})
        for number in range(documents):
            client.post("/v1/documents", files={"file": ("a.txt", papers.text(number))})
            if (number + 1) % max(1, documents // 5) == 0:
                began = time.perf_counter()
                client.post("/v1/documents", files={"file": ("b.txt", papers.text(number))})
                spent = (time.perf_counter() - began) * 1000
                print(
                    f"{number + 1:6} wait: server {_resident(server) >> 20} MB, "
                    f"upload answered in {spent:.1f} ms",
                    flush=True,
                )


def _waiting(server: Server, *, running: bool = False) -> int:
    with server.client() as client:
        time.sleep(0 if running else 2.1)  # counts are kept for two seconds
        stats = client.get("/v1/jobs?status=waiting&limit=1000").json()["jobs"]
        busy = client.get("/v1/jobs?status=running&limit=1000").json()["jobs"] if running else []
    return len(stats) + len(busy)


def _resident(server: Server) -> int:
    for line in Path(f"/proc/{server.process.pid}/status").read_text().splitlines():
        if line.startswith("VmRSS:"):
            return int(line.split()[1]) * 1024
    return 0


if __name__ == "__main__":
    sys.exit(main())
