"""Readers: one file in, one ``Document`` out. Each runs in a bounded child process."""
