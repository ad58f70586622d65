"""Settings of the service: where it listens, where it keeps, how much it takes on.

Takes nothing, gives a frozen struct that ``config`` fills from ``[service]``. Never holds a
secret: keys of the API are kept as hashes in the data folder.
"""

from typing import Literal

import msgspec

_MEBIBYTE = 1024 * 1024


class ServiceSettings(msgspec.Struct, frozen=True, kw_only=True):
    """Sizes in bytes, times in seconds.

    ``database`` is empty for the embedded engine (SQLite in ``folder``), else a PostgreSQL address;
    ``files`` is empty for a folder beside it, else an address of fsspec such as ``s3://bucket``.
    ``memory_bytes`` is what all parsers together may take (0: three quarters of the machine).
    ``max_queue`` waiting documents are the most that is taken on; then it is 429, or waiting.
    ``rate_per_minute`` is the requests a key has where it names none of its own.
    With ``report`` each document has a ``report.html``, its first ``report_pages`` as pictures.
    Documents over since ``keep_days`` are deleted with all that is theirs; 0 keeps them.
    ``watch`` is a folder whose new files are taken in; ``watch_by`` tells what its subfolders are.
    """

    host: str = "127.0.0.1"
    port: int = 8750
    folder: str = "./headworks-data"
    database: str = ""
    files: str = ""
    workers: int = 0
    memory_bytes: int = 0
    max_upload_bytes: int = 512 * _MEBIBYTE
    max_queue: int = 20_000
    rate_per_minute: int = 600
    document_seconds: float = 300.0
    lease_seconds: float = 30.0
    ageing_seconds: float = 600.0
    deaths: int = 3
    drain_seconds: float = 30.0
    breaker_share: float = 0.5
    breaker_seconds: float = 60.0
    keep_days: float = 0.0
    report: bool = True
    report_pages: int = 0
    watch: str = ""
    watch_by: Literal["client", "priority", "none"] = "client"
    watch_stable_seconds: float = 2.0
    cors_origins: tuple[str, ...] = ()
    traces: str = ""
