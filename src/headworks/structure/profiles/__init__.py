"""Profiles: which zones a kind of document has and what moves one to the next.

Takes a name or the path of a YAML file, gives the rules in it. Never guesses a name: an unknown
one is refused.
"""

from functools import cache
from importlib.resources import files
from pathlib import Path

import msgspec
import yaml

from headworks.errors import ConfigError
from headworks.model.outline import ZoneKind

NAMES = ("legal", "manual", "table", "general", "official", "standard")


class ProfileRules(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One profile: ``moves`` gives for each state the next one by what is met.

    What can be met: ``contents`` (an entry of a contents page), ``cover``, ``appendix`` (a heading
    of an appendix), ``part`` (a heading of the first level, or as high as the appendix),
    ``heading`` (another), ``signature``, ``running`` (a sentence or more; ``text`` where the state
    does not tell them apart), ``text``. ``cover_blocks`` and ``cover_pages`` bound the
    cover. ``evidence`` weighs, for ``auto``, label families found in the document, and
    ``evidence_words`` words found in its first pages.
    """

    name: str
    about: str
    moves: dict[ZoneKind, dict[str, ZoneKind]]
    cover_blocks: int = 40
    cover_pages: int = 3
    evidence: dict[str, float] = {}
    evidence_words: dict[str, float] = {}


# The library's own C is some ten times as fast; it is in most of its wheels.
_LOADER = getattr(yaml, "CSafeLoader", yaml.SafeLoader)


@cache
def load_profile(name: str) -> ProfileRules:
    """Give the profile of a shipped name or of a YAML file.

    Raises ConfigError (E_CONFIG) where there is none or the file does not hold one.
    """
    if name.endswith((".yaml", ".yml")):
        try:
            return _convert(Path(name).read_text(encoding="utf-8"), name)
        except OSError as problem:
            raise ConfigError("E_CONFIG", str(problem), place=name) from problem
    if name not in NAMES:
        raise ConfigError("E_CONFIG", f"no profile {name!r}; known are {', '.join(NAMES)}, auto")
    written = files(__package__).joinpath(f"{name}.yaml").read_text(encoding="utf-8")
    return _convert(written, name)


def _convert(written: str, place: str) -> ProfileRules:
    try:
        return msgspec.convert(yaml.load(written, Loader=_LOADER), ProfileRules)
    except (yaml.YAMLError, msgspec.ValidationError) as problem:
        raise ConfigError("E_CONFIG", str(problem), place=place) from problem
