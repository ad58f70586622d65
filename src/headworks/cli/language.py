"""Chinese or English, by the user's locale and by what the terminal can show.

Takes a pair of sentences, gives the right one. Never translates an error: ``errors`` does.
"""

import sys
from functools import cache

from headworks.errors import user_language


@cache
def language() -> str:
    """Give "zh" or "en": the user's, or English where the streams cannot show Chinese."""
    for stream in (sys.stdout, sys.stderr):
        try:
            "中".encode(getattr(stream, "encoding", None) or "utf-8")
        except (UnicodeEncodeError, LookupError):
            return "en"
    return user_language()


def say(zh: str, en: str) -> str:
    """Give the sentence in the user's language."""
    return zh if language() == "zh" else en
