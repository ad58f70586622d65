"""What the self-contained pages share: content that no text can end, hashes of style and script.

Takes content, gives bytes to put into a page. Never lets a word of it become markup.
"""

from base64 import b64encode
from collections.abc import Mapping
from hashlib import sha256
from typing import Any

import msgspec

_ENCODER = msgspec.json.Encoder()


def embedded(content: Mapping[str, Any]) -> bytes:
    """Give JSON that no text can end or open: ``<``, ``>`` and ``&`` as escapes."""
    encoded = _ENCODER.encode(content)
    return encoded.replace(b"<", b"\\u003c").replace(b">", b"\\u003e").replace(b"&", b"\\u0026")


def hashed(text: str) -> str:
    """Give a text's hash as a page's policy names it."""
    return "sha256-" + b64encode(sha256(text.encode()).digest()).decode()
