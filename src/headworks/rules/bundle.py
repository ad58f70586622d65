"""A pack and its index of other files as one run of bytes: what is judged by, hashed and kept.

Takes a pack's bytes and where it stands, gives them with the index behind them, and takes them
apart again. Never opens a file outside the folder of the pack.
"""

from pathlib import Path, PurePosixPath

from headworks.details import in_chinese
from headworks.errors import RulesError

# YAML holds no NUL, so that this cannot stand in a pack.
_BORDER = b"\n\x00headworks-index\x00\n"


def bundled(content: bytes, index: bytes) -> bytes:
    """Give a pack's bytes with those of its index behind them."""
    return content + _BORDER + index


def unbundled(content: bytes) -> tuple[bytes, bytes]:
    """Give the bytes of the pack and of its index; none where there is no index."""
    pack, _, index = content.partition(_BORDER)
    return pack, index


def is_beside(name: str) -> bool:
    """Tell whether a name leads to a file in the folder of the pack, or below."""
    path = PurePosixPath(name.replace("\\", "/"))
    return not path.is_absolute() and ".." not in path.parts and ":" not in name


def read_index(name: str, folder: Path, place: str) -> bytes:
    """Give the bytes of an index beside a pack. Raises RulesError where there are none."""
    path = folder / name
    try:
        return path.read_bytes()
    except OSError as problem:
        said = in_chinese(problem.strerror or str(problem))
        message = f"打不开索引（{said}）；先运行 headworks rules boilerplate 文件夹 -o {path}"
        raise RulesError("E_RULES", message, place=place) from problem
