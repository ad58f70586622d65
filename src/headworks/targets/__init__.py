"""Targets: where chunks go. Each takes an ``Ask`` and gives a ``Reply``."""
