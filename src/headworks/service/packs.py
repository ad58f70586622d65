"""The rule packs of a running service: renewed while it runs, each document judged by its own.

Takes names of packs, gives their bytes with versions and one hash. Never judges by a pack that
does not compile, and never changes the rules of a document that was taken in.
"""

import threading
from collections.abc import Sequence
from functools import lru_cache
from hashlib import blake2b
from importlib import resources
from pathlib import Path

import msgspec

from headworks.config import RuleSettings
from headworks.errors import ConfigError, RulesError, StorageError
from headworks.rules.book import RuleBook, with_index
from headworks.rules.books import Reloaded, RuleBooks
from headworks.rules.loader import parse_pack
from headworks.service import output
from headworks.service.tasks import PackSource
from headworks.service.ways import compiled

_TRIES = 5


class Chosen(msgspec.Struct, frozen=True):
    """The packs that a document is taken in with; ``digest`` is one hash over their bytes."""

    sources: tuple[PackSource, ...]
    versions: dict[str, str]
    digest: str


class Packs:
    """The packs that judge where an upload names none; renewed by a file's change or by a call.

    Packs that were put in by the API stand in ``folder`` and hide shipped ones of the same name.
    """

    def __init__(self, settings: RuleSettings, folder: Path) -> None:
        self._settings = settings
        self._folder = folder
        self._lock = threading.RLock()
        self._books = RuleBooks([self._place(name) for name in settings.packs], settings)
        self._chosen = self._pinned()

    @property
    def book(self) -> RuleBook:
        """Give the book that holds now."""
        return self._books.book

    @property
    def names(self) -> tuple[str, ...]:
        """Give the packs' names as the settings have them."""
        return self._settings.packs

    def choose(self, names: Sequence[str] = ()) -> Chosen:
        """Give the packs for a document: those named, else the service's own.

        Raises RulesError where one is unknown or does not compile.
        """
        if not names:
            return self._chosen
        return chosen(tuple(self.source(name) for name in names), self._settings)

    def reload(self) -> Reloaded:
        """Read the packs anew; where one does not compile the old ones stay."""
        with self._lock:
            reloaded = self._books.reload([self._place(name) for name in self._settings.packs])
            if reloaded.refused is None:
                self._chosen = self._pinned()
            return reloaded

    def replace(self, name: str, content: bytes) -> Reloaded:
        """Put a pack in place of the one with that name; a bad one is refused, the old stays.

        Raises RulesError with all its complaints.
        """
        _check_name(name)
        with self._lock:
            whole = with_index(f"{name}.yaml", content, self._folder)
            compiled((PackSource(f"{name}.yaml", whole),), self._settings)
            self._folder.mkdir(parents=True, exist_ok=True)
            output.write_file(self._folder / f"{name}.yaml", content)
            return self.reload()

    def source(self, name: str) -> PackSource:
        """Give a pack's file and bytes: put in by the API, a file of the settings, or shipped."""
        configured = {Path(each).stem: each for each in self._settings.packs}
        place = self._place(configured.get(name, name))
        path = Path(place)
        if path.suffix.lower() in (".yaml", ".yml"):
            if path.parent != self._folder and place not in self._settings.packs:
                raise RulesError("E_RULES", f"no pack {name!r}")  # no path of a caller is opened
            try:
                content = path.read_bytes()
            except OSError as fault:
                raise RulesError("E_RULES", fault.strerror or "", place=name) from fault
            return PackSource(path.name, with_index(path.name, content, path.parent))
        if Path(name).name != name or name[:1] == ".":
            raise RulesError("E_RULES", f"no pack {name!r}", place=name[:80])
        shipped = resources.files("headworks.rules") / "packs" / f"{name}.yaml"
        if not shipped.is_file():
            raise RulesError("E_RULES", f"没有叫“{name}”的规则包", place=name)
        return PackSource(f"{name}.yaml", shipped.read_bytes())

    def watched(self) -> tuple[Path, ...]:
        """Give the files whose change asks for a reload."""
        files = [Path(self._place(name)) for name in self._settings.packs]
        packs = [path for path in files if path.suffix.lower() in (".yaml", ".yml")]
        indexed = [pack for pack in self._books.book.packs if pack.corpus]
        return (*packs, *(Path(pack.file).parent / pack.corpus for pack in indexed))

    def _place(self, name: str) -> str:
        own = self._folder / f"{Path(name).stem}.yaml"
        return str(own) if own.is_file() else name

    def _pinned(self) -> Chosen:
        """Give the bytes of exactly the book that holds: a file may change between two looks."""
        for _ in range(_TRIES):
            found = tuple(self.source(name) for name in self._settings.packs)
            held = {pack.name: f"{pack.version} {pack.digest}" for pack in self._books.book.packs}
            if versions_of(found) == held:
                return Chosen(found, held, digest_of(found))
            self._books.reload()
        raise StorageError("E_IO", "the rule packs change faster than they can be read")


def chosen(sources: tuple[PackSource, ...], settings: RuleSettings) -> Chosen:
    """Give packs as a choice, compiled to see that they hold."""
    book = compiled(sources, settings)
    return Chosen(sources, book.versions, digest_of(sources))


@lru_cache(maxsize=32)
def versions_of(sources: tuple[PackSource, ...]) -> dict[str, str]:
    """Give version and content hash of each pack, as a rule book does."""
    packs = [parse_pack(source.file, source.content) for source in sources]
    return {pack.name: f"{pack.version} {pack.digest}" for pack in packs}


def digest_of(sources: Sequence[PackSource]) -> str:
    """Give one hash over the bytes of packs, in their order."""
    whole = blake2b(digest_size=16)
    for source in sources:
        whole.update(blake2b(source.content, digest_size=16).digest())
    return whole.hexdigest()


def _check_name(name: str) -> None:
    plain = name.replace("-", "").replace("_", "")
    if not plain or not plain.isalnum():
        raise ConfigError("E_CONFIG", f"a pack's name is letters, digits and -, not {name!r}")
