"""Office documents with a password: their package decrypted, in memory.

Takes an OLE container with ``EncryptedPackage`` and a password, gives the package's bytes. Never
writes what it decrypts to a disk; a wrong password is E_ENCRYPTED.
"""

import base64
import hashlib
import struct
from collections.abc import Callable
from typing import Any
from xml.etree import ElementTree

import msgspec

from headworks.errors import InputError
from headworks.readers.compound import CompoundFile

# A workbook that is only "protected" is encrypted with this word, and opens without being asked.
DEFAULT_PASSWORD = "VelvetSweatshop"

_ENCRYPTION = "{http://schemas.microsoft.com/office/2006/encryption}"
_PASSWORD = "{http://schemas.microsoft.com/office/2006/keyEncryptor/password}"
_VERIFIER_INPUT = bytes.fromhex("fea7d2763b4b9e79")
_VERIFIER_VALUE = bytes.fromhex("d7aa0f6d3061344e")
_KEY_VALUE = bytes.fromhex("146e0be7abacd0d6")
_SEGMENT_BYTES = 4096
_STANDARD_SPINS = 50_000
_MOST_SPINS = 10_000_000
_HASHES = frozenset({"sha1", "sha256", "sha384", "sha512"})


class _Cipher(msgspec.Struct):
    """The numbers of one element of the agile description."""

    salt: bytes
    hash: str
    key_bytes: int
    block_bytes: int


def decrypted(raw: bytes, password: str | None) -> bytes:
    """Give the package. Raises E_ENCRYPTED: no or a wrong password, or no cipher installed."""
    container = CompoundFile(raw)
    info, package = container.stream("EncryptionInfo"), container.stream("EncryptedPackage")
    if not info or not package or len(info) < 8 or len(package) < 8:
        raise InputError("E_ENCRYPTED", "an Office document with a password")
    size = struct.unpack_from("<Q", package)[0]
    major, minor = struct.unpack_from("<HH", info)
    decrypt = _agile if (major, minor) == (4, 4) else _standard if minor == 2 else None
    if decrypt is None:
        raise InputError("E_ENCRYPTED", f"encryption of version {major}.{minor}")
    try:
        content = decrypt(info, package[8:], password or DEFAULT_PASSWORD)
    except (ValueError, KeyError, AttributeError, struct.error, ElementTree.ParseError) as fault:
        raise InputError("E_CORRUPT", "the description of the encryption is broken") from fault
    if content is None:
        wrong = "the password is wrong" if password else "an Office document with a password"
        raise InputError("E_ENCRYPTED", wrong)
    return content[:size]


def _agile(info: bytes, package: bytes, password: str) -> bytes | None:
    root = ElementTree.fromstring(info[8:].rstrip(b"\x00"))
    data, entry = root.find(f"{_ENCRYPTION}keyData"), root.find(f".//{_PASSWORD}encryptedKey")
    if data is None or entry is None:
        raise ValueError("no password key")
    ours, theirs = _cipher(entry.attrib), _cipher(data.attrib)
    spins = int(entry.attrib["spinCount"])
    if not 0 <= spins <= _MOST_SPINS:
        raise ValueError("spin count")
    key = _spun(password, ours.salt, ours.hash, spins)

    def opened(name: str, block: bytes) -> bytes:
        digest = hashlib.new(ours.hash, key + block).digest()
        secret = digest.ljust(ours.key_bytes, b"\x36")[: ours.key_bytes]
        return _cbc(secret, ours.salt, base64.b64decode(entry.attrib[name]))

    asked = opened("encryptedVerifierHashInput", _VERIFIER_INPUT)
    answer = opened("encryptedVerifierHashValue", _VERIFIER_VALUE)
    digest = hashlib.new(ours.hash, asked[: len(ours.salt)]).digest()
    if answer[: len(digest)] != digest:
        return None
    secret = opened("encryptedKeyValue", _KEY_VALUE)[: ours.key_bytes]
    segments = []
    for number, at in enumerate(range(0, len(package), _SEGMENT_BYTES)):
        salted = theirs.salt + struct.pack("<I", number)
        vector = hashlib.new(theirs.hash, salted).digest()[: theirs.block_bytes]
        segments.append(_cbc(secret, vector, package[at : at + _SEGMENT_BYTES]))
    return b"".join(segments)


def _cipher(attributes: dict[str, str]) -> _Cipher:
    name = attributes["hashAlgorithm"].lower().replace("-", "")
    if name not in _HASHES or attributes.get("cipherAlgorithm", "AES") != "AES":
        raise InputError("E_ENCRYPTED", f"cipher {attributes.get('cipherAlgorithm')} {name}")
    return _Cipher(
        base64.b64decode(attributes["saltValue"]),
        name,
        int(attributes["keyBits"]) // 8,
        int(attributes["blockSize"]),
    )


def _standard(info: bytes, package: bytes, password: str) -> bytes | None:
    header_size = struct.unpack_from("<I", info, 8)[0]
    key_bytes = struct.unpack_from("<I", info, 12 + 16)[0] // 8
    at = 12 + header_size
    salt, asked, answer = info[at + 4 : at + 20], info[at + 20 : at + 36], info[at + 40 : at + 72]
    spun = _spun(password, salt, "sha1", _STANDARD_SPINS)
    final = hashlib.sha1(spun + struct.pack("<I", 0)).digest()
    derived = b"".join(
        hashlib.sha1(bytes(fill ^ byte for byte in final.ljust(64, b"\x00"))).digest()
        for fill in (0x36, 0x5C)
    )
    secret = derived[:key_bytes]
    digest = hashlib.sha1(_ecb(secret, asked)).digest()
    if _ecb(secret, answer)[:20] != digest:
        return None
    return _ecb(secret, package)


def _spun(password: str, salt: bytes, name: str, spins: int) -> bytes:
    digest: Callable[[bytes], Any] = getattr(hashlib, name)
    key: bytes = digest(salt + password.encode("utf-16-le")).digest()
    pack = struct.Struct("<I").pack
    for count in range(spins):
        key = digest(pack(count) + key).digest()
    return key


def _cbc(key: bytes, vector: bytes, content: bytes) -> bytes:
    algorithms, modes, cipher = _ciphers()
    return _run(cipher(algorithms.AES(key), modes.CBC(vector)), content)


def _ecb(key: bytes, content: bytes) -> bytes:
    algorithms, modes, cipher = _ciphers()
    return _run(cipher(algorithms.AES(key), modes.ECB()), content)


def _run(cipher: Any, content: bytes) -> bytes:
    whole = content[: len(content) // 16 * 16]
    reader = cipher.decryptor()
    result: bytes = reader.update(whole) + reader.finalize()
    return result


def _ciphers() -> tuple[Any, Any, Any]:
    """Give the ciphers of ``cryptography``, which only documents with a password need."""
    try:
        from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes
    except ImportError as fault:
        message = "it needs a part of its own: pip install 'headworks[privacy]'"
        raise InputError("E_ENCRYPTED", message) from fault
    return algorithms, modes, Cipher
