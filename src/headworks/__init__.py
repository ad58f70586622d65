"""headworks (渠首): the local gateway between office documents and language models.

Takes nothing, gives the public names: everything a program needs to go from a file to judged
chunks. A name is imported when it is first asked for, so that the command line starts at once.
"""

from importlib import import_module
from typing import Any

__version__ = "0.1.0"

# Name to the module that owns it. What is not here may change without notice.
PUBLIC = {
    "Anchor": "model.outline",
    "Block": "model.document",
    "Box": "model.place",
    "CellPlace": "model.place",
    "Chunk": "model.chunk",
    "ChunkSettings": "config",
    "ConfigError": "errors",
    "CrossRef": "model.outline",
    "Directive": "model.chunk",
    "Document": "model.document",
    "Edit": "model.verdict",
    "FaultError": "errors",
    "Heading": "model.outline",
    "HeadworksError": "errors",
    "Hit": "model.verdict",
    "InputError": "errors",
    "LedgerEntry": "model.chunk",
    "LimitError": "errors",
    "Outcome": "pipeline",
    "PagePlace": "model.place",
    "PartPlace": "model.place",
    "Problem": "model.problem",
    "ReadSettings": "config",
    "Route": "model.verdict",
    "RuleBook": "rules.book",
    "RuleSettings": "config",
    "RulesError": "errors",
    "Sandbox": "readers.sandbox",
    "Settings": "config",
    "SlidePlace": "model.place",
    "Source": "model.document",
    "Span": "model.place",
    "StorageError": "errors",
    "StructureSettings": "config",
    "Style": "model.document",
    "Table": "model.document",
    "Value": "model.verdict",
    "Verdict": "model.verdict",
    "Zone": "model.outline",
    "fold": "model.folding",
    "load_rules": "rules.book:load",
    "load_settings": "config:load",
    "process": "pipeline",
    "process_document": "pipeline",
}

__all__ = ["__version__", *sorted(PUBLIC)]  # noqa: PLE0604 -- the table above is the one list


def __getattr__(name: str) -> Any:
    """Import a public name from the module that owns it."""
    if name not in PUBLIC:
        raise AttributeError(f"module 'headworks' has no attribute {name!r}")
    module, _, inner = PUBLIC[name].partition(":")
    value = getattr(import_module(f"headworks.{module}"), inner or name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """Give the public names."""
    return list(__all__)
