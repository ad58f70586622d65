"""Who may call: API keys, their roles and clients, and how often.

Takes the header ``Authorization: Bearer``, gives a ``Caller``. Keys are kept as hashes in
``keys.json`` of the data folder and compared in constant time. Never keeps or logs a key itself.
"""

import hmac
import secrets
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Literal

import msgspec

from headworks.errors import ConfigError, HeadworksError, StorageError
from headworks.model.job import LEVELS
from headworks.model.verdict import Priority

Role = Literal["read", "submit", "admin"]
RANKS: dict[Role, int] = {"read": 0, "submit": 1, "admin": 2}
LOOPBACK = frozenset({"127.0.0.1", "::1", "localhost"})

_PREFIX = "hw_"
_FILE = "keys.json"
_MOST_NAME = 80


class Key(msgspec.Struct, frozen=True, kw_only=True):
    """A key as it is kept. ``digest`` is the SHA-256 of the secret: it is random, no salt helps.

    ``client`` is whose documents it sends where the call does not say; with ``clients`` it sees
    and sends for no others. ``highest`` is the most urgent priority it may ask for.
    """

    name: str
    digest: str
    role: Role = "submit"
    client: str = ""
    clients: tuple[str, ...] = ()
    highest: Priority = "interactive"
    rate_per_minute: int | None = None


class Caller(msgspec.Struct, frozen=True):
    """Whoever made the request: the key's name, role and clients; no secret."""

    name: str
    role: Role
    client: str = ""
    clients: tuple[str, ...] = ()
    highest: Priority = "interactive"
    rate_per_minute: int | None = None

    def may(self, role: Role) -> bool:
        """Tell whether the caller has the role or a higher one."""
        return RANKS[self.role] >= RANKS[role]

    def sees(self, client: str) -> bool:
        """Tell whether documents of the client are shown to the caller."""
        return not self.clients or client in self.clients

    def may_ask(self, priority: Priority) -> bool:
        """Tell whether the priority is not above what the key carries."""
        return LEVELS[priority] >= LEVELS[self.highest]


LOCAL = Caller("local", "admin")


class Keys:
    """The keys of a data folder; read again when the file changes."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / _FILE
        self._stamp: tuple[int, int] | None = None
        self._keys: tuple[Key, ...] = ()
        self._read()

    @property
    def all(self) -> tuple[Key, ...]:
        """The keys there are now."""
        self._read()
        return self._keys

    def caller(self, header: str | None) -> Caller | None:
        """Give who a header is from; none where no key has its secret.

        Every key is compared, so that the time tells nothing about which one was near.
        """
        kind, _, secret = (header or "").partition(" ")
        digest = _digest(secret.strip())
        found: Key | None = None
        for key in self.all:
            if hmac.compare_digest(key.digest.encode(), digest.encode()):
                found = key
        if found is None or kind.lower() != "bearer":
            return None
        return Caller(
            found.name,
            found.role,
            found.client,
            found.clients,
            found.highest,
            found.rate_per_minute,
        )

    def add(self, key: Key) -> str:
        """Make a secret for a key (its ``digest`` is set here), keep it, give the secret once."""
        if not key.name.strip() or not key.name.isprintable() or len(key.name) > _MOST_NAME:
            raise ConfigError("E_CONFIG", f"a key's name is up to {_MOST_NAME} plain characters")
        if any(kept.name == key.name for kept in self.all):
            raise ConfigError("E_CONFIG", f"there is a key named {key.name!r} already")
        secret = _PREFIX + secrets.token_urlsafe(32)
        self._write((*self.all, msgspec.structs.replace(key, digest=_digest(secret))))
        return secret

    def remove(self, name: str) -> None:
        """Take a key away: from the next request on it opens nothing."""
        kept = tuple(key for key in self.all if key.name != name)
        if len(kept) == len(self._keys):
            known = ", ".join(key.name for key in self._keys) or "none"
            raise ConfigError("E_CONFIG", f"there is no key named {name!r}; there are: {known}")
        self._write(kept)

    def _read(self) -> None:
        try:
            status = self._path.stat()
        except FileNotFoundError:
            self._keys, self._stamp = (), None
            return
        except OSError as fault:  # not to be looked at is not the same as having no keys
            place = str(self._path)
            raise ConfigError("E_CONFIG", fault.strerror or "", place=place) from fault
        stamp = (status.st_mtime_ns, status.st_size)
        if stamp == self._stamp:
            return
        try:
            self._keys = msgspec.json.decode(self._path.read_bytes(), type=tuple[Key, ...])
        except (OSError, msgspec.MsgspecError) as fault:
            raise ConfigError("E_CONFIG", str(fault), place=str(self._path)) from fault
        self._stamp = stamp

    def _write(self, keys: tuple[Key, ...]) -> None:
        fresh = self._path.with_suffix(".new")
        try:
            self._path.parent.mkdir(parents=True, exist_ok=True)
            fresh.touch(mode=0o600)
            fresh.write_bytes(msgspec.json.format(msgspec.json.encode(keys), indent=1))
            fresh.replace(self._path)
        except OSError as fault:
            place = str(self._path)
            raise StorageError("E_IO", fault.strerror or str(fault), place=place) from fault
        self._stamp = None
        self._read()


class Rates:
    """A bucket of requests for each caller: a minute's worth at once, refilled as time goes."""

    def __init__(self, rate_per_minute: int, clock: Callable[[], float]) -> None:
        self._rate = rate_per_minute
        self._clock = clock
        self._buckets: dict[str, tuple[float, float]] = {}

    def take(self, caller: Caller) -> float:
        """Take one request; give 0, or the seconds after which there is one again."""
        rate = self._rate if caller.rate_per_minute is None else caller.rate_per_minute
        if rate <= 0:
            return 0.0
        now = self._clock()
        left, then = self._buckets.get(caller.name, (float(rate), now))
        left = min(float(rate), left + (now - then) * rate / 60)
        if left < 1:
            self._buckets[caller.name] = (left, now)
            return (1 - left) * 60 / rate
        self._buckets[caller.name] = (left - 1, now)
        return 0.0


def require_keys(host: str, keys: Keys) -> None:
    """Refuse to listen beyond this machine without a key (contract.md section 4)."""
    if host not in LOOPBACK and not keys.all:
        message = (
            f"no API key: listening on {host} is refused; "
            "make one with: headworks keys add NAME --role submit --data DIR"
        )
        raise ConfigError("E_CONFIG", message)


class AccessError(HeadworksError):
    """The caller may not: E_KEY (no valid key), E_ROLE (not with this key), E_RATE (too often)."""


def _digest(secret: str) -> str:
    return sha256(secret.encode()).hexdigest()
