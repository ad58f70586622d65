"""headworks (渠首): the local gateway between office documents and language models."""

__version__ = "0.1.0"
