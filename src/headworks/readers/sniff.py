"""What a file is, by its content; its name only decides between kinds of text.

Takes a path, gives a ``Kind`` or raises E_EMPTY, E_TYPE, E_ENCRYPTED, E_CORRUPT. Never trusts a
suffix: a supported format under a wrong name is read and marked ``misnamed``.
"""

import re
from pathlib import Path

import msgspec

from headworks.errors import InputError, StorageError
from headworks.readers.compound import COMPOUND_MAGIC, CompoundFile
from headworks.readers.container import Package, look_into_zip
from headworks.readers.encoding import utf16_without_bom

_HEAD_BYTES = 65_536
_OOXML = "application/vnd.openxmlformats-officedocument."
_MEDIA_TYPES = {
    "docx": _OOXML + "wordprocessingml.document",
    "xlsx": _OOXML + "spreadsheetml.sheet",
    "pptx": _OOXML + "presentationml.presentation",
    "xlsb": "application/vnd.ms-excel.sheet.binary.macroEnabled.12",
    "xls": "application/vnd.ms-excel",
    "doc": "application/msword",
    "ppt": "application/vnd.ms-powerpoint",
    "ods": "application/vnd.oasis.opendocument.spreadsheet",
    "odt": "application/vnd.oasis.opendocument.text",
    "odp": "application/vnd.oasis.opendocument.presentation",
    "pdf": "application/pdf",
    "ofd": "application/ofd",
    "rtf": "application/rtf",
    "html": "text/html",
    "msg": "application/vnd.ms-outlook",
    "eml": "message/rfc822",
    "png": "image/png",
    "jpeg": "image/jpeg",
    "tiff": "image/tiff",
    "bmp": "image/bmp",
    "zip": "application/zip",
    "csv": "text/csv",
    "markdown": "text/markdown",
    "text": "text/plain",
}
_SUFFIXES = {
    "docx": ("docx", "docm", "dotx", "dotm"),
    "xlsx": ("xlsx", "xlsm", "xltx", "xltm"),
    "pptx": ("pptx", "pptm", "potx", "potm", "ppsx", "ppsm"),
    "xls": ("xls", "xlt", "et"),
    "doc": ("doc", "dot", "wps"),
    "ppt": ("ppt", "pps", "dps"),
    "jpeg": ("jpg", "jpeg", "jpe", "jfif"),
    "tiff": ("tif", "tiff"),
    "html": ("html", "htm", "xhtml"),
    "csv": ("csv", "tsv", "tab"),
    "eml": ("eml", "mht", "mhtml"),
    "odt": ("odt", "ott"),
    "odp": ("odp", "otp"),
    "markdown": ("md", "markdown", "mdown", "mkd", "mdx"),
}
# Names that promise a container or a picture. Text under one of them is misnamed; under any other
# name it is text as it should be.
_NOT_TEXT = frozenset({
    "bmp", "dll", "doc", "docm", "docx", "dotx", "dps", "et", "exe", "gif", "jpeg", "jpg",
    "msg", "odp", "ods", "odt", "ofd", "pdf", "png", "ppt", "pptm", "pptx", "rtf", "tif",
    "tiff", "wps", "xls", "xlsb", "xlsm", "xlsx", "xltx", "zip",
})  # fmt: skip
_MAIN_PARTS = tuple(
    (re.compile(pattern, re.I), name)
    for pattern, name in (
        (r"wordprocessingml\.(?:document|template)\.main|ms-word\.\w+\.macro", "docx"),
        (r"ms-excel\.sheet\.binary", "xlsb"),
        (r"spreadsheetml\.(?:sheet|template)\.main|ms-excel\.\w+\.macro", "xlsx"),
        (r"presentationml\.\w+\.main|ms-powerpoint\.\w+\.macro", "pptx"),
    )
)
_PARTS = (
    ("word/document.xml", "docx"),
    ("xl/workbook.xml", "xlsx"),
    ("xl/workbook.bin", "xlsb"),
    ("ppt/presentation.xml", "pptx"),
    ("OFD.xml", "ofd"),
)
# Names in the local headers of a zip whose directory is gone.
_DAMAGED = tuple(
    (re.compile(rb"PK\x03\x04.{26}" + part, re.S), name)
    for part, name in (
        (rb"word/", "docx"),
        (rb"xl/(?:worksheets/[^/]+\.xml|workbook\.xml)", "xlsx"),
        (rb"ppt/", "pptx"),
        (rb"(?:OFD\.xml|Doc_\d+/)", "ofd"),
    )
)
_OPEN_DOCUMENT = {"spreadsheet": "ods", "text": "odt", "presentation": "odp"}
_STREAMS = (("WordDocument", "doc"), ("PowerPoint Document", "ppt"), ("Workbook", "xls"),
            ("Book", "xls"), ("__properties_version1.0", "msg"))  # fmt: skip
_REFUSED = (
    (b"MZ", "a Windows program"),
    (b"\x7fELF", "a Linux program"),
    (b"\xca\xfe\xba\xbe", "a program"),
    (b"\xcf\xfa\xed\xfe", "a macOS program"),
    (b"GIF8", "a GIF picture"),
    (b"RIFF", "a media file"),
    (b"\x1f\x8b", "a gzip archive"),
    (b"7z\xbc\xaf\x27\x1c", "a 7z archive"),
    (b"Rar!", "a RAR archive"),
    (b"SQLite format 3\x00", "a database"),
)
_PICTURES = (
    (b"\x89PNG\r\n", "png"),
    (b"\xff\xd8\xff", "jpeg"),
    (b"II*\x00", "tiff"),
    (b"MM\x00*", "tiff"),
    (b"II+\x00", "tiff"),
    (b"MM\x00+", "tiff"),
)
# Two letters are no sign: the reserved bytes and the size of the header behind them are.
_BITMAP = re.compile(rb"BM.{4}\x00{4}.{4}[\x0c\x28\x34\x38\x40\x6c\x7c]\x00{3}", re.S)
_CONTROLS = re.compile(rb"[\x00-\x08\x0e-\x1a\x1c-\x1f\x7f]")
_MARKDOWN_SIGNS = tuple(
    re.compile(sign, re.M)
    for sign in (
        rb"^ {0,3}#{1,6} [^\r\n]+",
        rb"^ {0,3}(?:```|~~~)",
        rb"^ *\|?(?: *:?-{3,}:? *\|)+ *:?-*:? *\r?$",
        rb"\*\*[^*\r\n]{1,200}\*\*",
        rb"!?\[[^\]\r\n]{1,200}\]\([^)\s]{1,300}\)",
        rb"^ {0,3}> \S",
    )
)
_HTML = re.compile(
    rb"\s*(?:<\?xml[^>]*>\s*)?(?:<!--.*?-->\s*)*<(?:!doctype\s+html|html)[\s>]", re.I | re.S
)
_MAIL = re.compile(
    rb"(?:From|Return-Path|Received|Date|Subject|MIME-Version|Delivered-To|To): [^\r\n]*\r?\n"
    rb"(?:(?:[ \t]|[\w-]+: )[^\r\n]*\r?\n){2}"
)

# A text that only begins like a mail has none of these.
_MAIL_SURE = re.compile(rb"^(?:MIME-Version|Received|Message-ID|Delivered-To): ", re.I | re.M)
_HEADERS = 8192


class Kind(msgspec.Struct, frozen=True):
    """A format's name (a key of ``base.BUILTIN`` where it can be read) and its media type.

    ``misnamed`` where the suffix names another format; ``package`` for formats inside a zip;
    ``damaged`` where the zip's directory is lost and the format was told from what is left.
    """

    format: str
    media_type: str
    misnamed: bool = False
    package: Package | None = None
    damaged: bool = False


def sniff(path: Path, suffix: str | None = None) -> Kind:
    """Tell what the file is; its name's suffix may be given apart from the path."""
    try:
        with path.open("rb") as file:
            head = file.read(_HEAD_BYTES)
    except OSError as fault:
        raise StorageError("E_IO", fault.strerror or "cannot be read", place=path.name) from fault
    if not head:
        raise InputError("E_EMPTY", place=path.name)
    try:
        return _kind(path, head, path.suffix if suffix is None else suffix)
    except InputError as fault:
        fault.place = fault.place or path.name
        raise


def _kind(path: Path, head: bytes, suffix: str) -> Kind:
    suffix = suffix.lower().lstrip(".")
    if head.startswith((b"PK\x03\x04", b"PK\x05\x06", b"PK\x07\x08")):
        return _package_kind(path, suffix)
    if head.startswith(COMPOUND_MAGIC):
        return _named(_compound_format(path), suffix)
    if b"%PDF-" in head[:1024]:
        return _named("pdf", suffix)
    if head.startswith(b"{\\rtf"):
        return _named("rtf", suffix)
    for magic, name in _PICTURES:
        if head.startswith(magic):
            return _named(name, suffix)
    if _BITMAP.match(head):
        return _named("bmp", suffix)
    _refuse_binary(head)
    return _named(_text_format(head, suffix), suffix)


def _package_kind(path: Path, suffix: str) -> Kind:
    try:
        package = look_into_zip(path)
    except InputError as fault:
        if fault.code != "E_CORRUPT":
            raise
        content = path.read_bytes()
        for pattern, name in _DAMAGED:
            if pattern.search(content):
                kind = _named(name, suffix)
                return msgspec.structs.replace(kind, damaged=True)
        raise
    return _named(_package_format(package), suffix, package)


def _named(name: str, suffix: str, package: Package | None = None) -> Kind:
    if name in ("text", "markdown", "csv"):
        misnamed = suffix in _NOT_TEXT
    else:
        misnamed = suffix not in _SUFFIXES.get(name, (name,))
    return Kind(name, _MEDIA_TYPES[name], misnamed, package)


def _package_format(package: Package) -> str:
    for pattern, name in _MAIN_PARTS:
        if pattern.search(package.content_types):
            return name
    for part, name in _PARTS:
        if part in package.names:
            return name
    if "opendocument" in package.mimetype:
        kind = package.mimetype.rpartition(".")[2].split("-")[0]
        return _OPEN_DOCUMENT.get(kind, "zip")
    return "zip"


def _compound_format(path: Path) -> str:
    names = CompoundFile(path.read_bytes()).entries
    if "EncryptedPackage" in names or "EncryptionInfo" in names:
        raise InputError("E_ENCRYPTED", "an Office document with a password")
    for stream, name in _STREAMS:
        if stream in names:
            return name
    if not names:
        raise InputError("E_CORRUPT", "the OLE container has no directory")
    raise InputError("E_TYPE", "an OLE container of an unknown kind")


def _refuse_binary(head: bytes) -> None:
    for magic, what in _REFUSED:
        if head.startswith(magic) and (len(magic) > 2 or _looks_binary(head)):
            raise InputError("E_TYPE", what)
    if _looks_binary(head):
        raise InputError("E_TYPE", "binary bytes of an unknown kind")


def _looks_binary(head: bytes) -> bool:
    if head.startswith((b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\x00\x00\xfe\xff")):
        return False
    controls = len(_CONTROLS.findall(head))
    if controls * 50 <= len(head) and b"\x00" not in head:
        return False
    if controls * 200 <= len(head) and len(head) > 200:
        return False  # a text with a few stray bytes
    return utf16_without_bom(head) is None


def _text_format(head: bytes, suffix: str) -> str:
    if _HTML.match(head.removeprefix(b"\xef\xbb\xbf")):
        return "html"
    if suffix in _SUFFIXES["markdown"]:
        return "markdown"
    if suffix in _SUFFIXES["csv"]:
        return "csv"
    if _MAIL.match(head) and (suffix in _SUFFIXES["eml"] or _MAIL_SURE.search(head[:_HEADERS])):
        return "eml"
    found = [len(sign.findall(head)) for sign in _MARKDOWN_SIGNS]
    kinds = sum(1 for count in found if count)
    return "markdown" if kinds >= 3 or (found[0] >= 2 and kinds >= 2) else "text"


def format_of_suffix(suffix: str) -> str:
    """Give the format that a name promises; its own name where none is known."""
    suffix = suffix.lower().lstrip(".")
    for name, suffixes in _SUFFIXES.items():
        if suffix in suffixes:
            return name
    return "text" if suffix == "txt" else suffix
