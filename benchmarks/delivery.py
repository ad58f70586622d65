"""Delivery against the simulated model server: the adaptive limit beside the best fixed number.

Most of it runs in made time (``tests/simulator``): the same figures on any machine. The last part
goes over real HTTP with the whole delivery loop and a store on disk, at four times the speed.
``--write`` renews the figures in docs/delivery.md. Takes four minutes on two idle cores.
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

import msgspec

from headworks.config import Settings
from headworks.config_delivery import TargetSettings
from headworks.config_service import ServiceSettings
from headworks.dispatch.concurrency import AdaptiveLimit, LimitPolicy
from headworks.dispatch.delivery import Delivery
from headworks.dispatch.queue import Queue
from headworks.model.job import Ask, Job, Reply
from headworks.store import replies
from headworks.store.sqlite import open_sqlite
from headworks.targets.table import open_targets
from tests.simulator.http_server import HttpServer
from tests.simulator.load_runs import Figures, Run, adaptive, best_fixed, fixed
from tests.simulator.server_model import ServerModel, ServerSettings

PAGE = Path(__file__).parents[1] / "docs" / "delivery.md"
BEGIN, END = "<!-- figures: make bench-delivery -->", "<!-- end of figures -->"
SEARCH = (1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 12, 14, 16, 18, 20, 22, 24, 26, 28, 32, 40, 48, 64)
SEEDS = (3, 4, 5)
SPEED = 4.0
WALL_SECONDS = 15.0
PEOPLE_SECONDS = 40.0

RUNS = {
    "steady, 8 slots": Run(),
    "steady, 1 slot": Run(server=ServerSettings(slots=1)),
    "steady, 24 slots": Run(server=ServerSettings(slots=24, thrash_at=72)),
    "capacity 8, 4, 8, 4": Run(seconds=1200, changes=((300, 4), (600, 8), (900, 4))),
    "capacity 8, 16, 8, 4": Run(seconds=1200, changes=((300, 16), (600, 8), (900, 4))),
    "noisy latency (σ 0.6, 3 % stalls)": Run(server=ServerSettings(noise=0.6, stalls=0.03)),
    "429 when 2 wait": Run(server=ServerSettings(queue_limit=2)),
    "capacity 8, 4, 8, 4, load told": Run(
        told=True, seconds=1200, changes=((300, 4), (600, 8), (900, 4))
    ),
}


def main() -> None:
    said = "\n".join([*throughput(), "", *collapse(), "", *people(), "", *over_http()])
    print(said)
    if "--write" in sys.argv[1:]:
        text = PAGE.read_text(encoding="utf-8")
        before, rest = text.split(BEGIN)
        after = rest.split(END)[1]
        PAGE.write_text(f"{before}{BEGIN}\n{said}\n{END}{after}", encoding="utf-8")


def throughput() -> list[str]:
    """Answer tokens a second, adaptive against the best fixed number, worst of three seeds."""
    lines = [
        "| server | best fixed | its tokens/s | adaptive, tokens/s | share"
        " | first token p95: fixed, adaptive | most in the house: fixed, adaptive |",
        "|---|---|---|---|---|---|---|",
    ]
    for name, run in RUNS.items():
        share, number, best, told = min(
            (_compared(_seeded(run, seed)) for seed in SEEDS), key=lambda one: one[0]
        )
        lines.append(
            f"| {name} | {number} | {best.rate:.0f} | {told.rate:.0f} | {share:.1%}"
            f" | {best.background_p95:.1f} s, {told.background_p95:.1f} s"
            f" | {best.most_in_house}, {told.most_in_house} |"
        )
    return lines


def _seeded(run: Run, seed: int) -> Run:
    server = msgspec.structs.replace(run.server, seed=seed + 10)
    return msgspec.structs.replace(run, seed=seed, server=server)


def _compared(run: Run) -> tuple[float, int, Figures, Figures]:
    number, best = best_fixed(run, SEARCH)
    told = adaptive(run)
    return told.rate / best.rate, number, best, told


def collapse() -> list[str]:
    """What too much at once makes of a server of four slots."""
    run = Run(server=ServerSettings(slots=4, thrash_at=12))
    told = adaptive(run)
    rates = ", ".join(f"{number}: {fixed(run, number).rate:.0f}" for number in (4, 12, 24, 64))
    return [
        f"Four slots, swapping above twelve in the house: tokens/s with fixed numbers {rates}; "
        f"adaptive {told.rate:.0f}, its limit after two minutes at most {max(told.limits[120:])}."
    ]


def people() -> list[str]:
    """First-token seconds of interactive asks, idle and under background load."""
    lines = [
        "| interactive asks, one each 5 s | first token, mean | p95 | background tokens/s |",
        "|---|---|---|---|",
    ]
    run = Run(people=0.2, seconds=1800, warm=120)
    idle = msgspec.structs.replace(run, background=False)
    told = msgspec.structs.replace(run, told=True)
    for name, figures in (
        ("idle system", [adaptive(_seeded(idle, seed)) for seed in SEEDS]),
        ("background load, adaptive", [adaptive(_seeded(run, seed)) for seed in SEEDS]),
        ("the same, server tells its load", [adaptive(_seeded(told, seed)) for seed in SEEDS]),
        ("background load, best fixed number (8)", [fixed(_seeded(run, s), 8) for s in SEEDS]),
    ):
        lines.append(
            f"| {name} | {statistics.fmean(one.people_mean for one in figures):.3f} s"
            f" | {max(one.people_p95 for one in figures):.3f} s"
            f" | {statistics.fmean(one.rate for one in figures):.0f} |"
        )
    return lines


def over_http() -> list[str]:
    """The whole loop over HTTP: store on disk, openai client, streaming."""
    best = asyncio.run(_delivered(LimitPolicy(most=8, first=8, stretch=1e9)))
    told = asyncio.run(_delivered(LimitPolicy(most=64)))
    idle = asyncio.run(_delivered(LimitPolicy(most=64), background=False, people=True))
    busy = asyncio.run(_delivered(LimitPolicy(most=64), people=True))
    slower = f"{busy[1] / idle[1] - 1:+.0%}"
    return [
        f"Over real HTTP (whole loop, store on disk, {SPEED:.0f}× speed, {WALL_SECONDS:.0f} s a "
        f"run, slow start included): fixed 8 {best[0]:.0f} tokens/s, adaptive {told[0]:.0f} "
        f"({told[0] / best[0]:.0%}). At the server's own speed, {PEOPLE_SECONDS:.0f} s a run: from "
        f"putting an interactive job in to its first token, median: idle {idle[1] * 1000:.0f} ms, "
        f"under load {busy[1] * 1000:.0f} ms ({slower})."
    ]


async def _compose(job: Job) -> Ask:
    size = 600 if job.level == 0 else 300 + job.cost % 1200
    return Ask(
        job=job.id,
        document=job.document,
        chunk=job.chunk or "",
        pipeline="p",
        messages=(("user", "x" * 2 * size),),
        max_tokens=100 if job.level == 0 else 40 + job.cost % 260,
    )


async def _delivered(
    policy: LimitPolicy, background: bool = True, people: bool = False
) -> tuple[float, float]:
    """Give answer tokens a second and the median first-token seconds of interactive jobs."""
    firsts: list[float] = []
    put_in: dict[str, float] = {}
    speed, seconds = (1.0, PEOPLE_SECONDS) if people else (SPEED, WALL_SECONDS)

    def hear(job: Job, reply: Reply | None, outcome: str) -> None:
        if job.level == 0 and reply is not None:
            after = (reply.milliseconds - reply.first_token_milliseconds) / 1000
            firsts.append(time.monotonic() - put_in[job.id] - after)

    with tempfile.TemporaryDirectory() as folder:
        async with HttpServer(ServerModel(ServerSettings(speed=speed))) as server:
            target = TargetSettings(kind="chat", url=server.url, max_in_flight=policy.most)
            settings = Settings(service=ServiceSettings(), targets={"main": target})
            server.pages = people
            database = await open_sqlite(Path(folder) / "store.sqlite")
            queue = Queue(database, settings.service)
            if background:
                await queue.enqueue([_job(number, 2) for number in range(2000)])
            targets = open_targets(settings)
            delivery = Delivery(queue, targets, settings, _compose, replies.keep)
            delivery.hear = hear
            delivery._servers["main"].limit = AdaptiveLimit(policy, time.monotonic)
            running = asyncio.create_task(delivery.run())
            begun = time.monotonic()
            number = 10_000
            while time.monotonic() - begun < seconds:
                await asyncio.sleep(2.0)
                if people:
                    number += 1
                    put_in[str(number)] = time.monotonic()
                    await queue.enqueue([_job(number, 0)])
            rate = server.model.tokens_out / (time.monotonic() - begun) / speed
            running.cancel()
            await asyncio.gather(running, return_exceptions=True)
            await targets["main"].close()
            await database.close()
    return rate, statistics.median(firsts) if firsts else 0.0


def _job(number: int, level: int) -> Job:
    # Costs that spread as answers do, in no order.
    cost = number * 7919 % 1300 if level else 600
    return Job(id=str(number), kind="send", root="root", document="doc", key=f"key-{number}",
               chunk=f"c{number}", target="main", level=level, cost=cost)  # fmt: skip


if __name__ == "__main__":
    main()
