"""How many tokens a text has.

Takes a tokenizer's name or none, gives a counter. Never downloads by itself: a tokenizer
is a file, or an encoding of a library that is installed.
"""

import importlib
import re
from collections.abc import Callable
from functools import cache
from pathlib import Path
from types import ModuleType

from headworks.errors import ConfigError

Counter = Callable[[str], int]
Weight = Callable[[str], int]

_HAN = re.compile("[\u2e80-\u2fff\u3005-\u3007\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]+")
_PER_HAN = 6
_PER_OTHER = 3


def estimate(text: str) -> int:
    """Give 0.6 tokens a Han character and 0.3 another, rounded up."""
    return -(-_tenths(text) // 10)


def _tenths(text: str) -> int:
    """Give the estimate in tenths of a token, so that sums over parts are exact."""
    han = sum(map(len, _HAN.findall(text)))
    return _PER_HAN * han + _PER_OTHER * (len(text) - han)


def weight(name: str | None) -> Weight:
    """Give the weight of texts in tenths of a token; that of a whole is no more than its parts'."""
    if name is None or name == "estimate":
        return _tenths
    count = counter(name)
    return lambda text: 10 * count(text)


@cache
def counter(name: str | None) -> Counter:
    """Give the counter of a name: a ``tokenizer.json`` file, or an encoding that tiktoken knows.

    Raises ConfigError (E_CONFIG) where the name leads to neither.
    """
    if name is None or name == "estimate":
        return estimate
    if Path(name).is_file():
        return _from_file(name)
    return _from_tiktoken(name)


def _from_file(name: str) -> Counter:
    library = _library("tokenizers", name)
    try:
        tokenizer = library.Tokenizer.from_file(name)
    except Exception as problem:  # the library raises bare Exception on a bad file
        raise ConfigError("E_CONFIG", f"chunk.tokens: {problem}", place=name) from problem
    return lambda text: len(tokenizer.encode(text, add_special_tokens=False).ids)


def _from_tiktoken(name: str) -> Counter:
    library = _library("tiktoken", name)
    if name not in library.list_encoding_names():
        known = ", ".join(library.list_encoding_names())
        message = f"chunk.tokens: {name!r} is no file and no encoding of tiktoken ({known})"
        raise ConfigError("E_CONFIG", message)
    try:
        encoding = library.get_encoding(name)
    except Exception as problem:  # it fetches what it has not cached
        message = f"chunk.tokens: tiktoken has no local copy of {name!r}"
        raise ConfigError("E_CONFIG", message) from problem
    return lambda text: len(encoding.encode_ordinary(text))


def _library(module: str, name: str) -> ModuleType:
    try:
        return importlib.import_module(module)
    except ImportError as problem:
        message = f"chunk.tokens: {name!r} needs the library {module}, which is not installed"
        raise ConfigError("E_CONFIG", message) from problem
