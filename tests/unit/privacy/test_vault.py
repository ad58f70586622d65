"""The vault keeps originals encrypted."""

import base64
from pathlib import Path

import pytest

from headworks.errors import ConfigError, StorageError
from headworks.privacy.tokens import marks_in, redact, restore
from headworks.privacy.vault import Vault, load_key, new_key

pytest.importorskip("cryptography", reason="needs the extra headworks[privacy]")

TEXT = "联系电话１３８ ００１３ ８０００，证号11010519491231002X。"


def test_kept_and_restored(tmp_path: Path) -> None:
    """What the vault gives back restores the text byte for byte, and nothing lies in the open."""
    vault = Vault(tmp_path / "vault", load_key({"HEADWORKS_VAULT_KEY": new_key()}))
    redacted = redact(TEXT, marks_in(TEXT), "numbered", document="合同一")
    path = vault.save(redacted.record)
    assert restore(redacted.text, vault.load("合同一")).text == TEXT
    raw = path.read_bytes()
    assert b"11010519491231002X" not in raw
    assert "１３８".encode() not in raw
    assert path.stat().st_mode & 0o077 == 0


def test_wrong_key_and_changed_file(tmp_path: Path) -> None:
    """Another key, a changed byte and another document's name are all refused."""
    vault = Vault(tmp_path, b"a" * 32)
    path = vault.save(redact(TEXT, marks_in(TEXT), document="x").record)
    with pytest.raises(StorageError) as refused:
        Vault(tmp_path, b"b" * 32).load("x")
    assert refused.value.code == "E_VAULT"
    path.rename(vault.path("y"))
    with pytest.raises(StorageError):
        vault.load("y")
    vault.path("y").write_bytes(b"HWV1" + b"0" * 40)
    with pytest.raises(StorageError):
        vault.load("y")


def test_all_records(tmp_path: Path) -> None:
    """Every record of a vault is given under its document's name."""
    vault = Vault(tmp_path, b"a" * 32)
    for name in ("一", "二"):
        vault.save(redact(TEXT, marks_in(TEXT), document=name).record)
    assert {record.document for record in vault.records()} == {"一", "二"}


def test_deleted(tmp_path: Path) -> None:
    """A deleted record is gone."""
    vault = Vault(tmp_path, b"a" * 32)
    vault.save(redact(TEXT, marks_in(TEXT), document="x").record)
    assert vault.delete("x")
    assert not vault.delete("x")
    with pytest.raises(StorageError):
        vault.load("x")


def test_keys(tmp_path: Path) -> None:
    """A key comes from the environment in base64 or hex, or from a file of the owner's alone."""
    key = bytes(range(32))
    assert load_key({"HEADWORKS_VAULT_KEY": base64.b64encode(key).decode()}) == key
    assert load_key({"HEADWORKS_VAULT_KEY": key.hex()}) == key
    path = tmp_path / "key"
    path.write_text(key.hex())
    path.chmod(0o600)
    assert load_key({"HEADWORKS_VAULT_KEY_FILE": str(path)}) == key
    path.chmod(0o644)
    for wrong in ({}, {"HEADWORKS_VAULT_KEY": "short"}, {"HEADWORKS_VAULT_KEY_FILE": str(path)}):
        with pytest.raises(ConfigError):
            load_key(wrong)
