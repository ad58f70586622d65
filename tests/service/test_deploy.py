"""What is shipped for operating a service: it speaks of metrics and verbs that exist."""

import json
import re
from pathlib import Path

import pytest
import yaml

from headworks.config_service import ServiceSettings
from headworks.service.observe import Observer

_NAME = re.compile(r"headworks_\w+")
_ENDS = re.compile(r"_(?:total|bucket|count|sum|created)$")


@pytest.fixture(scope="module")
def known() -> set[str]:
    """Give the metrics that a service has."""
    return {family.name for family in Observer(ServiceSettings()).registry.collect()}


def test_the_dashboard_shows_metrics_that_exist(root: Path, known: set[str]) -> None:
    """Each panel of the Grafana dashboard asks for a metric of the service, each is shown."""
    board = json.loads((root / "deploy/grafana/headworks.json").read_text(encoding="utf-8"))
    asked = {
        _ENDS.sub("", name)
        for panel in board["panels"]
        for target in panel["targets"]
        for name in _NAME.findall(target["expr"])
    }
    assert asked == known
    places = [tuple(panel["gridPos"].values()) for panel in board["panels"]]
    assert len(set(places)) == len(places)


def test_alerts_rest_on_metrics_that_exist(root: Path, known: set[str]) -> None:
    """Each alert asks for a metric of the service and says in both languages what to do."""
    text = (root / "deploy/prometheus/headworks.rules.yml").read_text(encoding="utf-8")
    rules = yaml.safe_load(text)["groups"][0]["rules"]
    for rule in rules:
        asked = {_ENDS.sub("", name) for name in _NAME.findall(rule["expr"])}
        assert asked <= known, rule["alert"]
        assert {"summary", "summary_zh", "action"} <= rule["annotations"].keys()
    assert len({rule["alert"] for rule in rules}) == len(rules)


@pytest.mark.parametrize("verb", ["serve", "worker"])
def test_units_start_verbs_that_exist(root: Path, verb: str) -> None:
    """The systemd units start headworks with options that it has, and let it drain."""
    from headworks.cli.main import main

    name = "headworks" if verb == "serve" else "headworks-worker"
    unit = (root / f"deploy/systemd/{name}.service").read_text(encoding="utf-8")
    started = re.search(r"^ExecStart=\S+/headworks (\w+)(.*)$", unit, re.MULTILINE)
    assert started is not None
    assert started[1] == verb
    command = main.get_command(None, verb)  # type: ignore[arg-type]
    assert command is not None
    options = {option for param in command.params for option in param.opts}
    assert set(re.findall(r"--[\w-]+", started[2])) <= options
    assert "KillSignal=SIGTERM" in unit
    assert int(re.search(r"TimeoutStopSec=(\d+)", unit)[1]) > ServiceSettings().drain_seconds  # type: ignore[index]
