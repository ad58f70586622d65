"""Jobs for tests: only what matters to a test is said."""

from itertools import count
from typing import Any

from headworks.model.job import Job

_NUMBERS = count(1)


def job(name: str = "", **fields: Any) -> Job:
    """Give a process job; its name is its id, root, document and key where nothing else is said."""
    name = name or f"job-{next(_NUMBERS)}"
    said = {"id": name, "kind": "process", "root": name, "document": name, "key": name}
    return Job(**(said | fields))


def send(name: str = "", **fields: Any) -> Job:
    """Give a send job to the target ``model``."""
    return job(name, **({"kind": "send", "target": "model", "chunk": "c"} | fields))
