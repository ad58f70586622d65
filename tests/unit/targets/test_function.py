"""A Python function as a target."""

import asyncio
from typing import Any

import pytest

from headworks.config_delivery import TargetSettings
from headworks.errors import ConfigError
from headworks.model.job import Ask, Reply
from headworks.targets.base import TargetBusy, TargetRefused
from headworks.targets.function import FunctionTarget
from tests.unit.targets.conftest import ask, run


def target_of(function: Any) -> FunctionTarget:
    """Open a target over a function."""
    settings = TargetSettings(kind="function", timeout_seconds=0.2)
    return FunctionTarget("here", settings, function=function)


async def slow(_: Ask) -> str:
    """Never come back."""
    await asyncio.sleep(3600)
    return ""


def broken(_: Ask) -> str:
    """Raise with text in the message."""
    raise RuntimeError("违约金")


def busy(_: Ask) -> str:
    """Say so itself."""
    raise TargetBusy("come later", 3.0)


def test_an_async_function_and_a_reply_of_its_own() -> None:
    """An async function is awaited; a Reply keeps its tokens and gets the right names."""

    async def own(given: Ask) -> Reply:
        return Reply(job="x", chunk="x", target="x", body=given.chunk, tokens_out=7)

    reply = run(target_of(own).send(ask()))
    assert (reply.job, reply.target, reply.body, reply.tokens_out) == ("job-1", "here", "c1", 7)


def test_faults_of_a_function_are_the_asks(recwarn: pytest.WarningsRecorder) -> None:
    """A raise is busy without its message; a hang a timeout; another type is refused."""
    with pytest.raises(TargetBusy, match="RuntimeError") as caught:
        run(target_of(broken).send(ask()))
    assert "违约金" not in str(caught.value)
    with pytest.raises(TargetBusy, match="timeout"):
        run(target_of(slow).send(ask()))
    with pytest.raises(TargetRefused, match="int"):
        run(target_of(lambda _: 5).send(ask()))
    with pytest.raises(TargetBusy) as said:
        run(target_of(busy).send(ask()))
    assert said.value.delay == 3.0


@pytest.mark.parametrize(
    "name", ["", "nowhere", "json:nothing", "no.such.module:f", "json:__doc__"]
)
def test_a_name_that_leads_nowhere_is_told_before_work_begins(name: str) -> None:
    """A wrong name is E_CONFIG with the target's place."""
    with pytest.raises(ConfigError) as caught:
        FunctionTarget("here", TargetSettings(kind="function", function=name))
    assert caught.value.place == "targets.here"
