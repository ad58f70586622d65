"""A rule pack: what its file says, read and checked.

Takes nothing, gives frozen values. Never holds anything compiled.
"""

from typing import Any, Literal

import msgspec

from headworks.rules.actions import Phase
from headworks.rules.complaints import Complaint
from headworks.rules.guards import Guard
from headworks.rules.syntax import Action, Condition

Layer = Literal["builtin", "org", "team", "user"]
Status = Literal["draft", "active", "retired", ""]
LAYERS: tuple[Layer, ...] = ("builtin", "org", "team", "user")


class PackSettings(msgspec.Struct, frozen=True):
    """How strict the sentences are, and how routes and unfinished rules are decided."""

    quotes: Literal["required", "optional"] = "optional"
    lists: Literal["explicit", "loose"] = "loose"
    route_policy: Literal["first", "all"] = "first"
    on_undecided: Literal["review", "ignore", "skip"] = "review"


class PackExample(msgspec.Struct, frozen=True):
    """A text that a rule must match, or must not; with the values it must give."""

    text: str
    matches: bool
    captures: dict[str, str] = {}
    context: dict[str, Any] = {}
    place: str = ""


class Rule(msgspec.Struct, frozen=True):
    """One rule: when, then, with which rank, and how it is tested.

    ``phase`` is empty where the actions decide. ``sentence`` is what the author wrote (or the
    printed form of fields). ``sequence`` holds the fields for ``sequence.compile_sequence``.
    ``defeated_by`` names the rules that defeat this one.
    """

    id: str
    condition: Condition
    actions: tuple[Action, ...]
    place: str
    title: str = ""
    owner: str = ""
    phase: Phase | Literal[""] = ""
    priority: int = 0
    lock: bool = False
    depth: str = ""
    status: Status = ""
    effective_from: str = ""
    effective_to: str = ""
    fallback: str = ""
    defeated_by: tuple[str, ...] = ()
    guards: tuple[Guard, ...] = ()
    sequence: dict[str, Any] | None = None
    examples: tuple[PackExample, ...] = ()
    sentence: str = ""


class Pack(msgspec.Struct, frozen=True):
    """A file of rules. ``digest`` is the hash of its bytes, 12 hex digits.

    ``corpus`` names the index of other documents beside the file, ``index`` are its bytes, which
    count in the digest.
    """

    name: str
    file: str
    digest: str
    rules: tuple[Rule, ...]
    version: str = "0"
    language: Literal["zh", "en"] = "zh"
    layer: Layer = "user"
    title: str = ""
    description: str = ""
    settings: PackSettings = PackSettings()
    aliases: dict[str, tuple[str, ...]] = {}
    fallback: str = ""
    default: str = ""
    corpus: str = ""
    index: bytes = b""
    complaints: tuple[Complaint, ...] = ()

    @property
    def label(self) -> str:
        """Give name and version as a hit carries them: contract@1.2.0."""
        return f"{self.name}@{self.version}"

    @property
    def errors(self) -> tuple[Complaint, ...]:
        """What the pack is refused for."""
        return tuple(complaint for complaint in self.complaints if complaint.is_error)
