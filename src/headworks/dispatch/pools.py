"""Devices behind the servers: how much of a limit a GPU bears, and what small work may go to a CPU.

Takes readings of memory and temperature, and costs of jobs; gives shares and choices. NVML is
asked only where its library is installed and a target names its device; else nothing is limited.
"""

import importlib
from typing import Any

import msgspec

# Above the first all is let go on at half, above the second nothing new starts.
_WARM_CELSIUS, _HOT_CELSIUS = 83.0, 90.0
_FULL, _CROWDED = 0.98, 0.95
# Estimated tokens of a job that a CPU answers in a time that a person waits for.
SMALL_TOKENS = 600


class Reading(msgspec.Struct, frozen=True):
    """What a device tells: the share of its memory in use (0 to 1), and its temperature."""

    memory: float
    celsius: float


def share_of(reading: Reading | None) -> float:
    """Give the share of a limit that the device bears: 1, a half, or none for now.

    Model servers fill the memory when they start and keep it: only what is next to full counts.
    """
    if reading is None:
        return 1.0
    if reading.celsius >= _HOT_CELSIUS:
        return 0.0
    if reading.celsius >= _WARM_CELSIUS or reading.memory >= _FULL:
        return 0.5
    return 0.75 if reading.memory >= _CROWDED else 1.0


def is_small(cost: int) -> bool:
    """Tell whether a job may go to the CPU's pool when the GPU's is full; heavy work waits."""
    return cost <= SMALL_TOKENS


class Devices:
    """The GPUs of this machine, by NVML."""

    def __init__(self, library: Any = None) -> None:
        """``library`` stands for pynvml; none looks for it."""
        self._library = library if library is not None else _installed()

    @property
    def present(self) -> bool:
        """Tell whether there is anything to ask."""
        return self._library is not None

    def read(self, index: int) -> Reading | None:
        """Give a device's reading; none where it cannot be asked."""
        library = self._library
        if library is None:
            return None
        try:
            handle = library.nvmlDeviceGetHandleByIndex(index)
            memory = library.nvmlDeviceGetMemoryInfo(handle)
            celsius = library.nvmlDeviceGetTemperature(handle, library.NVML_TEMPERATURE_GPU)
        except library.NVMLError:
            return None
        return Reading(memory.used / memory.total if memory.total else 0.0, float(celsius))


def _installed() -> Any:
    try:
        library = importlib.import_module("pynvml")
    except ImportError:
        return None
    try:
        library.nvmlInit()
    except library.NVMLError:
        # The library without a driver: a machine without a GPU.
        return None
    return library
