"""Opening what a configuration names."""

import sys

import pytest

from headworks.config import Settings
from headworks.config_delivery import DeliverySettings, PipelineSettings, TargetSettings
from headworks.errors import ConfigError
from headworks.targets.load import Load, read_metrics, read_slots
from headworks.targets.table import open_targets
from tests.unit.targets.conftest import run

CHAT = TargetSettings(kind="chat", url="http://127.0.0.1:9/v1")


def opened(settings: Settings, **environment: str) -> set[str]:
    """Open the targets, close them, give their names."""

    async def work() -> set[str]:
        targets = open_targets(settings, environment=environment)
        for target in targets.values():
            await target.close()
        return set(targets)

    names: set[str] = run(work())
    return names


def test_targets_are_opened_by_name() -> None:
    """Each name gives one target; the built-in one comes where it is only named."""
    assert opened(Settings(targets={"a": CHAT, "b": CHAT})) == {"a", "b"}
    fallback = Settings(delivery=DeliverySettings(fallback="extract"))
    assert opened(fallback) == {"extract"}
    named = Settings(pipelines={"p": PipelineSettings(target="extract")})
    assert opened(named) == {"extract"}
    assert opened(Settings()) == set()


@pytest.mark.parametrize(
    ("settings", "place"),
    [
        (Settings(targets={"a": TargetSettings(kind="chat")}), "targets.a"),
        (Settings(targets={"a": TargetSettings(kind="webhook", url="ftp://x")}), "targets.a"),
        (Settings(targets={"a": TargetSettings(kind="folder")}), "targets.a"),
        (Settings(targets={"a": TargetSettings(kind="function")}), "targets.a"),
        (
            Settings(targets={"a": TargetSettings(kind="chat", url=CHAT.url, key_env="NO_KEY")}),
            "targets.a",
        ),
        (
            Settings(targets={"a": TargetSettings(kind="chat", url=CHAT.url, cpu="b")}),
            "targets.a",
        ),
        (Settings(pipelines={"p": PipelineSettings(target="gone")}), "pipelines.p"),
        (Settings(delivery=DeliverySettings(fallback="gone")), "delivery"),
    ],
)
def test_what_cannot_work_is_told_before_work_begins(settings: Settings, place: str) -> None:
    """Missing addresses, keys and names are E_CONFIG with their place."""
    with pytest.raises(ConfigError) as caught:
        opened(settings)
    assert caught.value.place == place


def test_a_key_comes_from_the_environment() -> None:
    """The variable that key_env names is read, and nothing else of it."""
    settings = TargetSettings(kind="chat", url=CHAT.url, key_env="MODEL_KEY")
    assert opened(Settings(targets={"a": settings}), MODEL_KEY="k") == {"a"}


def test_figures_of_llama_and_vllm_are_read() -> None:
    """Both servers' metric names give running and waiting; slots are counted."""
    llama = "# TYPE x gauge\nllamacpp:requests_processing 3\nllamacpp:requests_deferred 2\n"
    assert read_metrics(llama) == Load(running=3, waiting=2)
    vllm = (
        'vllm:num_requests_running{model_name="a"} 4.0\n'
        'vllm:num_requests_running{model_name="b"} 1.0\n'
        'vllm:num_requests_waiting{model_name="a"} 0.0\n'
    )
    assert read_metrics(vllm) == Load(running=5, waiting=0)
    assert read_metrics("<html>") == Load()
    assert read_slots(b'[{"is_processing": true}, {"is_processing": false}]') == Load(
        running=1, slots=2
    )
    assert read_slots(b'[{"state": 1}, {"state": 0}]') == Load(running=1, slots=2)
    with pytest.raises(ValueError, match="Expected"):
        read_slots(b"{}")


def test_without_the_extra_the_missing_part_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Targets over HTTP without openai say what to install; the others need nothing."""
    monkeypatch.setitem(sys.modules, "openai", None)
    with pytest.raises(ConfigError, match=r"headworks\[delivery\]"):
        opened(Settings(targets={"a": CHAT}))
    assert opened(Settings(delivery=DeliverySettings(fallback="extract"))) == {"extract"}
