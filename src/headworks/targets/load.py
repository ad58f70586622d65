"""What a model server says of its own load.

Takes the texts of ``/metrics`` (Prometheus) and ``/slots`` (JSON) as llama.cpp and vLLM write
them, gives how many requests run and wait and how many slots there are. Never asks another
server than the one configured, and gives up on a page that it does not have.
"""

import asyncio
import re
from collections.abc import Sequence

import msgspec

from headworks.targets.http import Client

_SECONDS = 2.0
_RUNNING = ("llamacpp:requests_processing", "vllm:num_requests_running", "tgi_batch_current_size")
_WAITING = ("llamacpp:requests_deferred", "vllm:num_requests_waiting", "tgi_queue_size")
_LINE = re.compile(r"^([a-zA-Z_:][\w:]*)(?:\{[^}\n]*\})?[ \t]+([0-9.eE+-]+)", re.MULTILINE)


class Load(msgspec.Struct, frozen=True, kw_only=True):
    """Requests that run and wait at the server (none: it does not say), and its slots."""

    running: int | None = None
    waiting: int | None = None
    slots: int | None = None


class _Slot(msgspec.Struct):
    is_processing: bool | None = None
    state: int | None = None

    @property
    def busy(self) -> bool:
        # Older servers write state 1 for a busy slot, newer ones is_processing.
        return self.is_processing if self.is_processing is not None else bool(self.state)


def read_metrics(text: str) -> Load:
    """Give the load that a Prometheus page tells; values of several models are summed."""
    sums: dict[str, float] = {}
    for name, value in _LINE.findall(text):
        if name in _RUNNING or name in _WAITING:
            sums[name] = sums.get(name, 0.0) + _number(value)
    return Load(running=_first(sums, _RUNNING), waiting=_first(sums, _WAITING))


def read_slots(page: bytes) -> Load:
    """Give the load that llama.cpp's ``/slots`` tells; raises ValueError where it is none."""
    slots = msgspec.json.decode(page, type=list[_Slot])
    return Load(running=sum(slot.busy for slot in slots), slots=len(slots) or None)


class Loads:
    """Reads the load of one server. A page that is not there is asked for once."""

    def __init__(self, client: Client, url: str, metrics_url: str = "") -> None:
        root = url.removesuffix("/v1")
        self._client = client
        self._metrics = metrics_url or f"{root}/metrics"
        self._slots = f"{root}/slots"
        self._missing: set[str] = set()

    async def read(self) -> Load | None:
        """Give the load now; none where the server says nothing of it."""
        page = await self._get(self._metrics)
        told = read_metrics(page.decode("utf-8", "replace")) if page is not None else Load()
        page = await self._get(self._slots)
        slots = Load()
        if page is not None:
            try:
                slots = read_slots(page)
            except ValueError:
                self._missing.add(self._slots)
        running = told.running if told.running is not None else slots.running
        whole = Load(running=running, waiting=told.waiting, slots=slots.slots)
        return None if whole == Load() else whole

    async def _get(self, url: str) -> bytes | None:
        if url in self._missing:
            return None
        try:
            async with asyncio.timeout(_SECONDS):
                response = await self._client.get(url)
        except Exception:  # whatever breaks here: a page of figures is never worth a failure
            return None
        if response.status_code == 200:
            return bytes(response.content)
        if response.status_code < 500:
            self._missing.add(url)
        return None


def _number(value: str) -> float:
    try:
        return float(value)
    except ValueError:
        return 0.0


def _first(sums: dict[str, float], names: Sequence[str]) -> int | None:
    return next((int(sums[name]) for name in names if name in sums), None)
