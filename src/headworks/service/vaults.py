"""What a run took out of documents, kept encrypted; and the way back for a text with tokens.

Takes documents with their veils, or a text and the folder of the vault. Never writes an original
but into the vault, and gives it only to whoever has the key.
"""

from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

import msgspec

from headworks.config import Settings
from headworks.errors import ConfigError, StorageError
from headworks.model.document import Document
from headworks.privacy.tokens import Record, Restored, Style, carry_out, restore
from headworks.privacy.vault import Vault, load_key
from headworks.privacy.veil import Veil

_SHORTEST_ID = 4


def prepared(settings: Settings, folder: Path) -> Settings:
    """Give the settings of a run that can be undone, and see that the vault's key is there.

    Labels say nothing of what they stand for: with a vault they are numbered. Masks are refused.
    """
    _vault(folder)
    rules = settings.rules
    if rules.redaction == "mask":
        raise ConfigError("E_CONFIG", "a vault needs rules.redaction = numbered or hash, not mask")
    if rules.redaction == "label":
        rules = msgspec.structs.replace(rules, redaction="numbered")
    return msgspec.structs.replace(settings, rules=rules)


def keep(folder: Path, document: Document, veil: Veil | None, style: Style) -> None:
    """Keep what was taken out of a document; where it was nothing, an older record goes."""
    vault = _vault(folder)
    if veil is None:
        vault.delete(document.source.sha256)
        return
    made = carry_out(document.text, veil.edits, style, document=document.source.sha256)
    vault.save(msgspec.structs.replace(made.record, name=document.source.name))


def record_of(folder: Path, document: str) -> Record:
    """Give what was taken out of a document. Raises StorageError (E_IO, E_VAULT)."""
    return _vault(folder).load(document)


def restored(text: str, folder: Path, wanted: str | None) -> Restored:
    """Put back what the tokens of a text stand for, by the record of the document it is about.

    ``wanted`` is the document's file name or the beginning of its id; it is needed where the vault
    holds several documents.
    """
    records = list(_vault(folder).records())
    return restore(text, _chosen(records, wanted, folder))


def _chosen(records: Sequence[Record], wanted: str | None, folder: Path) -> Record:
    if not records:
        raise StorageError("E_VAULT", "no record in it", place=str(folder))
    fitting = [record for record in records if wanted is None or _is_meant(record, wanted)]
    if not fitting:
        raise StorageError("E_VAULT", f"no record of {wanted}", place=str(folder))
    if len(fitting) > 1:
        names = ", ".join(f"{record.name} ({record.document[:8]})" for record in fitting[:8])
        raise ConfigError("E_CONFIG", f"several documents, name one with --document: {names}")
    return fitting[0]


def _is_meant(record: Record, wanted: str) -> bool:
    by_id = len(wanted) >= _SHORTEST_ID and record.document.startswith(wanted.lower())
    return by_id or record.name == wanted


@lru_cache(maxsize=4)
def _opened(folder: Path, key: bytes) -> Vault:
    return Vault(folder, key)


def _vault(folder: Path) -> Vault:
    return _opened(folder, load_key())
