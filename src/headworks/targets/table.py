"""The kinds of targets, and the targets that a configuration names.

Takes the settings, gives an open target for each name; secrets come from the environment
variables that the settings name. Never connects: a target is asked when there is work for it.
"""

import os
import time
from collections.abc import Callable, Mapping

from headworks.config import Settings
from headworks.config_delivery import TargetSettings
from headworks.errors import ConfigError
from headworks.targets.base import Target
from headworks.targets.chat import ChatTarget
from headworks.targets.extract import ExtractTarget
from headworks.targets.folder import FolderTarget
from headworks.targets.function import FunctionTarget
from headworks.targets.webhook import WebhookTarget

Clock = Callable[[], float]


def open_targets(
    settings: Settings,
    *,
    clock: Clock = time.monotonic,
    wall: Clock = time.time,
    environment: Mapping[str, str] | None = None,
) -> dict[str, Target]:
    """Open every target of the settings, and the built-in ``extract`` where it is only named."""
    variables = os.environ if environment is None else environment
    targets = {
        name: open_target(name, target, _secret(name, target, variables), clock, wall)
        for name, target in settings.targets.items()
    }
    _check_names(settings, targets)
    named = {settings.delivery.fallback, *(way.target for way in settings.pipelines.values())}
    if "extract" in named:
        targets.setdefault("extract", ExtractTarget("extract", clock=clock))
    return targets


def open_target(
    name: str, settings: TargetSettings, secret: str, clock: Clock, wall: Clock
) -> Target:
    """Open one target by its kind."""
    _check(name, settings)
    if settings.kind == "folder":
        return FolderTarget(name, settings, clock=clock)
    if settings.kind == "function":
        return FunctionTarget(name, settings, clock=clock)
    if settings.kind == "extract":
        return ExtractTarget(name, settings, clock=clock)
    if settings.kind == "webhook":
        return WebhookTarget(name, settings, secret, clock=clock, wall=wall)
    return ChatTarget(name, settings, secret, clock=clock, wall=wall)


def _secret(name: str, settings: TargetSettings, variables: Mapping[str, str]) -> str:
    if not settings.key_env:
        return ""
    secret = variables.get(settings.key_env, "")
    if not secret:
        message = f"the environment variable {settings.key_env} (key_env) is not set"
        raise ConfigError("E_CONFIG", message, place=f"targets.{name}")
    return secret


def _check(name: str, settings: TargetSettings) -> None:
    """Refuse what cannot work, before work is taken on."""
    wanted = {"chat": "url", "webhook": "url", "folder": "path", "function": "function"}
    field = wanted.get(settings.kind)
    if field is not None and not getattr(settings, field):
        message = f"the kind {settings.kind} needs {field}"
        raise ConfigError("E_CONFIG", message, place=f"targets.{name}")
    if settings.max_in_flight < 1:
        raise ConfigError("E_CONFIG", "max_in_flight is under 1", place=f"targets.{name}")


def _check_names(settings: Settings, targets: Mapping[str, Target]) -> None:
    """Refuse names of targets that are not there."""
    known = {*targets, "extract", ""}
    for name, pipeline in settings.pipelines.items():
        if pipeline.target not in known:
            message = f"target {pipeline.target!r} is not among [targets.*]"
            raise ConfigError("E_CONFIG", message, place=f"pipelines.{name}")
    for name, target in settings.targets.items():
        if target.cpu not in {*targets, ""}:
            message = f"cpu {target.cpu!r} is not among [targets.*]"
            raise ConfigError("E_CONFIG", message, place=f"targets.{name}")
    if settings.delivery.fallback not in known:
        message = f"fallback {settings.delivery.fallback!r} is not among [targets.*]"
        raise ConfigError("E_CONFIG", message, place="delivery")
