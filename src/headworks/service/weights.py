"""What a document will take: memory, and the tokens that its chunks will be.

Takes its size and format, gives estimates on the safe side. Never opens the file.
"""

import os

MEBIBYTE = 1024 * 1024

# Memory of a worker with its reading child at rest, and bytes for each byte of the file.
_AT_REST = 160 * MEBIBYTE
_MEMORY = {
    "text": 12, "markdown": 12, "csv": 30, "html": 14, "rtf": 12, "eml": 6, "msg": 6,
    "pdf": 6, "docx": 16, "pptx": 8, "xlsx": 30, "xlsb": 40, "xls": 12, "ods": 40, "ofd": 8,
    "zip": 1,
}  # fmt: skip
_MEMORY_ELSE = 10
# Recognition holds its models and a painted page.
_PICTURES = frozenset({"png", "jpeg", "tiff", "bmp"})
_RECOGNITION = 900 * MEBIBYTE
# Programs of an office suite are started for these.
_CONVERTED = frozenset({"doc", "ppt", "odt", "odp"})
_CONVERSION = 400 * MEBIBYTE

# Tokens for each byte of the file.
_TOKENS = {
    "text": 0.25, "markdown": 0.25, "csv": 0.3, "html": 0.1, "rtf": 0.1, "eml": 0.05, "msg": 0.02,
    "pdf": 0.03, "docx": 0.2, "pptx": 0.01, "xlsx": 0.6, "xlsb": 0.5, "xls": 0.15, "ods": 0.8,
    "ofd": 0.05, "zip": 0.1,
}  # fmt: skip
_TOKENS_ELSE = 0.02

_NAMES = {
    "application/pdf": "pdf", "text/plain": "text", "text/markdown": "markdown",
    "text/csv": "csv", "text/html": "html", "application/rtf": "rtf", "application/ofd": "ofd",
    "application/zip": "zip", "message/rfc822": "eml", "application/vnd.ms-outlook": "msg",
    "application/msword": "doc", "application/vnd.ms-excel": "xls",
    "application/vnd.ms-powerpoint": "ppt", "image/png": "png", "image/jpeg": "jpeg",
    "image/tiff": "tiff", "image/bmp": "bmp",
}  # fmt: skip
_ENDS = (
    ("wordprocessingml.document", "docx"), ("spreadsheetml.sheet", "xlsx"),
    ("presentationml.presentation", "pptx"), ("opendocument.spreadsheet", "ods"),
    ("opendocument.text", "odt"), ("opendocument.presentation", "odp"), ("sheet.binary", "xlsb"),
)  # fmt: skip


def format_of(media_type: str) -> str:
    """Give the short name of a media type's format."""
    if media_type in _NAMES:
        return _NAMES[media_type]
    found = next((name for part, name in _ENDS if part in media_type), "")
    return found or media_type.rpartition("x-")[2] or "unknown"


def weight_of(size: int, format_: str, most: int) -> int:
    """Give the memory that reading and cutting a file may take, ``most`` at the most."""
    weight = _AT_REST + size * _MEMORY.get(format_, _MEMORY_ELSE)
    if format_ in _PICTURES:
        weight += _RECOGNITION
    if format_ in _CONVERTED:
        weight += _CONVERSION
    return min(weight, most)


def cost_of(size: int, format_: str) -> int:
    """Give an estimate of the tokens in a file, at least one."""
    return max(1, int(size * _TOKENS.get(format_, _TOKENS_ELSE)))


def memory_budget(asked: int) -> int:
    """Give what all parsers together may take: what is asked for, or 3/4 of the machine."""
    if asked:
        return asked
    if hasattr(os, "sysconf"):
        try:
            return os.sysconf("SC_PHYS_PAGES") * os.sysconf("SC_PAGE_SIZE") * 3 // 4
        except (OSError, ValueError):
            pass
    return 4096 * MEBIBYTE
