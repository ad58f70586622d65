"""Documents with a password: opened with it, refused without it."""

import base64
import hashlib
import struct
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.ciphers import Cipher, algorithms, modes

from headworks.config import ReadSettings
from headworks.errors import InputError
from headworks.readers.base import read
from headworks.readers.encrypted import DEFAULT_PASSWORD
from tests.build.packages import compound_of
from tests.build.xlsx import Sheet, rows_of, workbook

_SALT, _DATA_SALT, _SECRET = b"s" * 16, b"d" * 16, b"k" * 32
_SPINS = 1000


def _cbc(key: bytes, vector: bytes, content: bytes) -> str:
    writer = Cipher(algorithms.AES(key), modes.CBC(vector)).encryptor()
    padded = content.ljust(-(-len(content) // 16) * 16, b"\x00")
    return base64.b64encode(writer.update(padded) + writer.finalize()).decode()


def encrypted(path: Path, content: bytes, password: str) -> Path:
    """Write a package encrypted the agile way (AES-256, SHA-512)."""
    key = hashlib.sha512(_SALT + password.encode("utf-16-le")).digest()
    for count in range(_SPINS):
        key = hashlib.sha512(struct.pack("<I", count) + key).digest()

    def closed(block: str, plain: bytes) -> str:
        return _cbc(hashlib.sha512(key + bytes.fromhex(block)).digest()[:32], _SALT, plain)

    asked = b"v" * 16
    numbers = 'keyBits="256" blockSize="16" hashSize="64" cipherAlgorithm="AES"'
    info = (
        '<encryption xmlns="http://schemas.microsoft.com/office/2006/encryption" '
        'xmlns:p="http://schemas.microsoft.com/office/2006/keyEncryptor/password">'
        f'<keyData {numbers} hashAlgorithm="SHA512"'
        f' saltValue="{base64.b64encode(_DATA_SALT).decode()}"/><keyEncryptors><keyEncryptor>'
        f'<p:encryptedKey {numbers} hashAlgorithm="SHA512" spinCount="{_SPINS}"'
        f' saltValue="{base64.b64encode(_SALT).decode()}"'
        f' encryptedVerifierHashInput="{closed("fea7d2763b4b9e79", asked)}"'
        f" encryptedVerifierHashValue="
        f'"{closed("d7aa0f6d3061344e", hashlib.sha512(asked).digest())}"'
        f' encryptedKeyValue="{closed("146e0be7abacd0d6", _SECRET)}"/>'
        "</keyEncryptor></keyEncryptors></encryption>"
    )
    body = struct.pack("<Q", len(content))
    for number, at in enumerate(range(0, len(content), 4096)):
        vector = hashlib.sha512(_DATA_SALT + struct.pack("<I", number)).digest()[:16]
        body += base64.b64decode(_cbc(_SECRET, vector, content[at : at + 4096]))
    head = struct.pack("<HHI", 4, 4, 0x40)
    return compound_of(path, {"EncryptionInfo": head + info.encode(), "EncryptedPackage": body})


@pytest.fixture
def package(tmp_path: Path) -> bytes:
    """Give the bytes of a workbook over several segments."""
    rows = rows_of([[f"机密{n * 7919 % 3571}", n] for n in range(2000)])
    return workbook(tmp_path / "plain.xlsx", [Sheet(rows)]).read_bytes()


def test_right_password(tmp_path: Path, package: bytes) -> None:
    """With its password the document is read; its source is the file as it is."""
    path = encrypted(tmp_path / "a.xlsx", package, "秘密123")
    document = read(path, ReadSettings(password="秘密123"))
    assert document.text == read(tmp_path / "plain.xlsx", ReadSettings()).text
    assert document.source.size == path.stat().st_size
    assert document.source.name == "a.xlsx"
    assert not document.problems


@pytest.mark.parametrize("password", [None, "falsch"])
def test_wrong_password(tmp_path: Path, package: bytes, password: str | None) -> None:
    """Without it, or with another, the document is E_ENCRYPTED."""
    path = encrypted(tmp_path / "a.xlsx", package, "秘密123")
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings(password=password))
    assert caught.value.code == "E_ENCRYPTED"


def test_protected_workbook_opens(tmp_path: Path, package: bytes) -> None:
    """A workbook that is only protected opens without being asked."""
    path = encrypted(tmp_path / "a.xlsx", package, DEFAULT_PASSWORD)
    assert "机密" in read(path, ReadSettings()).text


def test_broken_description(tmp_path: Path) -> None:
    """A description that does not parse is E_CORRUPT."""
    head = struct.pack("<HHI", 4, 4, 0x40)
    streams = {"EncryptionInfo": head + b"<encryption", "EncryptedPackage": b"x" * 64}
    with pytest.raises(InputError) as caught:
        read(compound_of(tmp_path / "a.docx", streams), ReadSettings(password="x"))
    assert caught.value.code == "E_CORRUPT"


@pytest.mark.corpus
def test_corpus_document(corpus: Path) -> None:
    """The corpus' document with a password opens with it."""
    path = corpus / "files/docx_hard/poi_encrypted_pass.docx"
    assert "password" in read(path, ReadSettings(password="pass")).text
