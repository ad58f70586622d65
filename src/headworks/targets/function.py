"""A Python function as a target: an entry point of ``headworks.targets`` or a dotted path.

Takes an ask, hands it to the function, gives its text as the answer. A function that is not
``async`` runs in a thread. What it raises is a failure of this ask, never of the loop.
"""

import asyncio
import importlib
import inspect
import time
from collections.abc import Callable
from typing import Any

import msgspec

from headworks.config_delivery import TargetSettings
from headworks.errors import ConfigError
from headworks.model.job import Ask, Reply
from headworks.plugins import installed
from headworks.targets.base import TargetBusy, TargetRefused

Answering = Callable[[Ask], Any]


class FunctionTarget:
    """Somebody's function that takes an Ask and gives a text or a Reply."""

    def __init__(
        self,
        name: str,
        settings: TargetSettings,
        *,
        clock: Callable[[], float] = time.monotonic,
        function: Answering | None = None,
    ) -> None:
        self.name = name
        self._clock = clock
        self._seconds = settings.timeout_seconds
        self._function = function or find(settings.function, f"targets.{name}")

    async def send(self, ask: Ask) -> Reply:
        """Call the function; raises TargetBusy or TargetRefused."""
        started = self._clock()
        try:
            async with asyncio.timeout(self._seconds):
                answer = await self._call(ask)
        except (TargetBusy, TargetRefused):
            raise
        except TimeoutError:
            raise TargetBusy("timeout") from None
        except Exception as fault:
            # Its message may hold text of the chunk: the type has to do.
            name = type(fault).__name__
            raise TargetBusy(f"the function raised {name}", overload=False) from fault
        milliseconds = (self._clock() - started) * 1000
        if isinstance(answer, Reply):
            return msgspec.structs.replace(
                answer, job=ask.job, chunk=ask.chunk, target=self.name, milliseconds=milliseconds
            )
        if not isinstance(answer, str):
            raise TargetRefused(f"the function gave {type(answer).__name__}, not a text")
        return Reply(
            job=ask.job,
            chunk=ask.chunk,
            target=self.name,
            body=answer,
            first_token_milliseconds=milliseconds,
            milliseconds=milliseconds,
        )

    async def close(self) -> None:
        """Nothing to let go of."""

    async def _call(self, ask: Ask) -> Any:
        if inspect.iscoroutinefunction(self._function):
            return await self._function(ask)
        answer = await asyncio.to_thread(self._function, ask)
        return await answer if inspect.isawaitable(answer) else answer


def find(name: str, place: str) -> Answering:
    """Give the function of an entry point's name or of ``module:function``; else E_CONFIG."""
    loader = installed("targets").get(name)
    try:
        found = loader() if loader is not None else _imported(name)
    except (ImportError, AttributeError, ValueError) as fault:
        message = f"function {name!r} is not found: {fault}"
        raise ConfigError("E_CONFIG", message, place=place) from fault
    if not callable(found):
        raise ConfigError("E_CONFIG", f"{name!r} is not a function", place=place)
    answering: Answering = found
    return answering


def _imported(name: str) -> Any:
    module, _, attribute = name.replace(":", ".").rpartition(".")
    if not module:
        raise ValueError("neither an entry point of headworks.targets nor module:function")
    return getattr(importlib.import_module(module), attribute)
