"""The vault: what redaction took out of a document, one encrypted file a document.

Takes a record and a key (from the environment or a file), keeps it under AES-GCM, gives it back.
Never writes an original in the open, and never a key anywhere.
"""

import base64
import binascii
import os
import stat
from collections.abc import Iterator, Mapping
from hashlib import blake2b
from pathlib import Path
from typing import Any

import msgspec

from headworks.errors import ConfigError, StorageError
from headworks.privacy.tokens import Record

KEY_VARIABLE = "HEADWORKS_VAULT_KEY"
KEY_FILE_VARIABLE = "HEADWORKS_VAULT_KEY_FILE"
_MAGIC = b"HWV1"
_NONCE_BYTES = 12
_KEY_BYTES = 32


class Vault:
    """A folder of encrypted records. One key opens all; a record opens only under its own name."""

    def __init__(self, folder: Path, key: bytes) -> None:
        if len(key) != _KEY_BYTES:
            raise ConfigError("E_CONFIG", f"the vault's key must be {_KEY_BYTES} bytes")
        self.folder = folder
        self._cipher = _aesgcm()(key)

    def save(self, record: Record) -> Path:
        """Write a document's record, in place of an older one; readable by the owner only."""
        nonce = os.urandom(_NONCE_BYTES)
        plain = msgspec.msgpack.encode(record)
        path = self.path(record.document)
        sealed = _MAGIC + nonce + self._cipher.encrypt(nonce, plain, _bound_to(path))
        fresh = path.with_suffix(".new")
        try:
            self.folder.mkdir(parents=True, exist_ok=True, mode=0o700)
            descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            with os.fdopen(descriptor, "wb") as stream:
                stream.write(sealed)
            fresh.replace(path)
        except OSError as problem:
            raise StorageError("E_IO", str(problem), place=str(path)) from problem
        return path

    def load(self, document: str) -> Record:
        """Give a document's record; E_VAULT where the key is wrong or the file was changed."""
        return self._opened(self.path(document))

    def records(self) -> Iterator[Record]:
        """Give every record, in a stable order."""
        for path in sorted(self.folder.glob("*.vault")):
            yield self._opened(path)

    def _opened(self, path: Path) -> Record:
        try:
            sealed = path.read_bytes()
        except OSError as problem:
            raise StorageError("E_IO", str(problem), place=str(path)) from problem
        nonce = sealed[len(_MAGIC) : len(_MAGIC) + _NONCE_BYTES]
        try:
            if sealed[: len(_MAGIC)] != _MAGIC:
                raise ValueError("not a vault file")
            body = sealed[len(_MAGIC) + _NONCE_BYTES :]
            plain = self._cipher.decrypt(nonce, body, _bound_to(path))
            return msgspec.msgpack.decode(plain, type=Record)
        except Exception as problem:  # the library's InvalidTag has no common base
            raise StorageError("E_VAULT", place=str(path)) from problem

    def delete(self, document: str) -> bool:
        """Take a document's record away for good; tell whether there was one."""
        try:
            self.path(document).unlink()
        except FileNotFoundError:
            return False
        return True

    def path(self, document: str) -> Path:
        """Give where a document's record lies; the name tells nothing about the document."""
        return self.folder / f"{blake2b(document.encode(), digest_size=16).hexdigest()}.vault"


def new_key() -> str:
    """Give a fresh key, as it belongs into the environment or a file."""
    return base64.b64encode(os.urandom(_KEY_BYTES)).decode()


def load_key(environment: Mapping[str, str] | None = None) -> bytes:
    """Give the key from HEADWORKS_VAULT_KEY, or from the file HEADWORKS_VAULT_KEY_FILE names."""
    given = os.environ if environment is None else environment
    if KEY_VARIABLE in given:
        return _decoded(given[KEY_VARIABLE], KEY_VARIABLE)
    if KEY_FILE_VARIABLE not in given:
        raise ConfigError("E_VAULT", f"no key: set {KEY_VARIABLE} or {KEY_FILE_VARIABLE}")
    path = Path(given[KEY_FILE_VARIABLE])
    try:
        if os.name == "posix" and path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO):
            raise ConfigError(
                "E_CONFIG", "others can read the key file: chmod 600", place=str(path)
            )
        return _decoded(path.read_text(encoding="ascii"), str(path))
    except (OSError, UnicodeDecodeError) as problem:
        raise ConfigError("E_CONFIG", f"cannot read the key file: {problem}") from problem


def _decoded(text: str, place: str) -> bytes:
    text = text.strip()
    try:
        key = bytes.fromhex(text) if len(text) == 2 * _KEY_BYTES else base64.b64decode(text)
    except (ValueError, binascii.Error):
        key = b""
    if len(key) != _KEY_BYTES:
        raise ConfigError("E_CONFIG", "the key must be 32 bytes in base64 or hex", place=place)
    return key


def _bound_to(path: Path) -> bytes:
    """A record opens in its own place only: one file cannot be passed off as another."""
    return _MAGIC + path.stem.encode()


def _aesgcm() -> Any:
    """The cipher of the extra ``privacy``, imported when a vault is opened."""
    try:
        from cryptography.hazmat.primitives.ciphers.aead import AESGCM
    except ImportError as problem:
        raise ConfigError(
            "E_CONFIG", "the vault needs: pip install headworks[privacy]"
        ) from problem
    return AESGCM
