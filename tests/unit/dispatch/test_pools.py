"""Devices: what a GPU bears, and what may go to the CPU."""

from types import SimpleNamespace
from typing import Any

import pytest

from headworks.dispatch.pools import Devices, Reading, is_small, share_of


class NvmlError(Exception):
    pass


def library(celsius: int, used: int, broken: bool = False) -> Any:
    """Give a stand-in for pynvml."""

    def handle(index: int) -> int:
        if broken or index:
            raise NvmlError
        return index

    return SimpleNamespace(
        NVMLError=NvmlError,
        NVML_TEMPERATURE_GPU=0,
        nvmlDeviceGetHandleByIndex=handle,
        nvmlDeviceGetMemoryInfo=lambda _: SimpleNamespace(used=used, total=100),
        nvmlDeviceGetTemperature=lambda _handle, _kind: celsius,
    )


@pytest.mark.parametrize(
    ("celsius", "memory", "share"),
    [(60, 0.9, 1.0), (60, 0.96, 0.75), (60, 0.99, 0.5), (85, 0.5, 0.5), (91, 0.5, 0.0)],
)
def test_heat_and_memory_take_from_the_limit(celsius: float, memory: float, share: float) -> None:
    """Warm or nearly full gives half, hot gives nothing, else all."""
    assert share_of(Reading(memory, celsius)) == share
    assert share_of(None) == 1.0


def test_a_device_is_read_or_left_alone() -> None:
    """NVML's figures become a reading; a device that cannot be asked limits nothing."""
    assert Devices(library(70, 40)).read(0) == Reading(0.4, 70.0)
    assert Devices(library(70, 40)).read(3) is None
    assert Devices(library(70, 40, broken=True)).read(0) is None


def test_a_machine_without_a_gpu_has_none() -> None:
    """Without the library or a driver there is nothing to read, and nothing breaks."""
    devices = Devices()
    assert devices.read(0) is None or devices.present


def test_small_work_is_told_by_its_cost() -> None:
    """A few hundred tokens are small; a page of tables is not."""
    assert is_small(200)
    assert not is_small(5000)
