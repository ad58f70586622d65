"""Benchmarks: run by hand with ``make bench``, never asserted in tests."""
