"""The exceptions of headworks, split by what the caller can do.

Takes a code of ``codes.py``, a place and a message; gives one sentence for a person. Never
carries text of a document.
"""

import os

from headworks.codes import CODES, Code
from headworks.details import in_chinese


class HeadworksError(Exception):
    """Base of all. ``code`` is a key of ``codes.CODES``; ``place`` names file, page, line."""

    def __init__(self, code: str, message: str = "", *, place: str = "") -> None:
        super().__init__(code, message, place)
        self.code = code
        self.message = message
        self.place = place

    @property
    def entry(self) -> Code:
        """The code's title, hint, exit code and HTTP status."""
        return CODES[self.code]

    def sentence(self, language: str | None = None) -> str:
        """Give what happened, where, and what to do, in the user's language."""
        zh = (language or user_language()) == "zh"
        title = self.entry.title_zh if zh else self.entry.title_en
        hint = self.entry.hint_zh if zh else self.entry.hint_en
        colon, stop = ("：", "。") if zh else (": ", ".")
        message = in_chinese(self.message) if zh else self.message
        said = f"{colon}{message}" if message else ""
        where = f"{self.place} " if self.place else ""
        ended = said.endswith(("。", "？", "！", ".", "?", "!"))
        # A message of several lines has its own shape: the hint goes below it.
        gap = "\n" if "\n" in said else " "
        return f"{where}[{self.code}] {title}{said}{'' if ended else stop}{gap}{hint}"

    def __str__(self) -> str:
        return self.sentence()


class InputError(HeadworksError):
    """An input cannot be processed; the others can. E_EMPTY, E_TYPE, E_ENCRYPTED, E_CORRUPT."""


class LimitError(InputError):
    """An input passed a bound: E_TOO_LARGE, E_TIMEOUT, E_MEMORY. A higher bound may help."""


class RulesError(HeadworksError):
    """A rule pack does not compile: E_RULES, with file, line, column and suggestions."""


class ConfigError(HeadworksError):
    """A setting or a flag is wrong, or a key is missing: E_CONFIG, E_VAULT."""


class FaultError(HeadworksError):
    """headworks itself is at fault: E_LEDGER, E_READER."""


class StorageError(HeadworksError):
    """The disk refused, or what is on it does not open: E_IO, E_VAULT."""


def user_language() -> str:
    """Give "zh" or "en" by HEADWORKS_LANG, then the locale; Chinese where neither tells."""
    for name in ("HEADWORKS_LANG", "LC_ALL", "LC_MESSAGES", "LANG"):
        value = os.environ.get(name, "")
        if value and not value.startswith(("C", "POSIX")):
            return "zh" if value.lower().startswith("zh") else "en"
    return "zh"
