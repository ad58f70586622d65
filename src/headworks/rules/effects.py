"""What the rules have decided about one chunk so far, and the verdict at the end.

Takes actions of fired rules in their order, gives a ``Verdict``. Never lets a later or lower rule
undo what an earlier one decided; who tried stands in the verdict.
"""

from headworks.model.chunk import Chunk
from headworks.model.verdict import Edit, Hit, Link, Priority, Route, Verdict
from headworks.privacy.tokens import Mark
from headworks.rules.firing import Fired
from headworks.rules.ready import Deeds, Ready
from headworks.rules.syntax import Action


class Decision:
    """What only one rule can decide: the first that says something wins."""

    def __init__(self) -> None:
        self.made: list[tuple[Ready, str]] = []

    def add(self, ready: Ready, value: str) -> None:
        """Note what a rule wants; rules come in their order."""
        self.made.append((ready, value))

    @property
    def value(self) -> str | None:
        """What holds."""
        return self.made[0][1] if self.made else None

    @property
    def by(self) -> Ready | None:
        """The rule that decided."""
        return self.made[0][0] if self.made else None

    def others(self) -> tuple[str, ...]:
        """Give the rules that decided nothing, in order."""
        first = self.made[0][0].name if self.made else ""
        names = [ready.name for ready, _ in self.made[1:] if ready.name != first]
        return tuple(dict.fromkeys(names))

    def conflict(self) -> tuple[str, ...]:
        """Give the rules of equal standing with the first that wanted something else."""
        if not self.made:
            return ()
        first, value = self.made[0]
        against = [
            ready.name
            for ready, other in self.made[1:]
            if other != value and ready.peers == first.peers
        ]
        return (first.name, *dict.fromkeys(against)) if against else ()


class Outcome:
    """The effects on one chunk, gathered phase by phase."""

    def __init__(self) -> None:
        self.tags: dict[str, None] = {}
        self.hits: list[Hit] = []
        self._told: set[tuple[str, int, int]] = set()
        self.links: list[Link] = []
        self.redactions: list[Mark] = []
        self.warnings: list[str] = []
        self.undecided: list[str] = []
        self.review: str | None = None
        self.route = Decision()
        self.sending = Decision()
        self.priority = Decision()
        self.prompt = Decision()
        self.depth = Decision()
        self.locked: str | None = None
        self.skip: str | None = None

    def take(self, fired: Fired, deeds: Deeds, phase: str) -> None:
        """Carry out what a fired rule says for this phase."""
        ready = fired.ready
        span = fired.span
        place = (ready.name, span.start, span.end)
        if place not in self._told:
            self._told.add(place)
            self.hits.append(fired.hit(phase, span))
        if ready.rule.lock:
            self.locked = self.locked or ready.name
        tags, links, others = deeds
        for tag in tags:
            self.tags[tag] = None
        for link in links:
            if link not in self.links:
                self.links.append(link)
        for action in others:
            self._act(fired, action)

    def _act(self, fired: Fired, action: Action) -> None:
        ready, name, words = fired.ready, action.name, action.arguments
        if name in ("skip", "merge_next", "merge_previous"):
            self.sending.add(ready, name)
        elif name == "route":
            self.route.add(ready, words[0])
        elif name == "redact":
            self.redactions.extend(fired.redactions(words))
        elif name == "warn":
            self.warnings.extend(word for word in words if word not in self.warnings)
        elif name == "review":
            self.review = self.review or (words[0] if words else ready.name)
        elif name in ("priority", "prompt", "depth"):
            getattr(self, name).add(ready, words[0])

    def verdict(self, chunk: Chunk, default: Route, edits: tuple[Edit, ...]) -> Verdict:
        """Give the verdict; ``default`` is the route where no rule gave one."""
        return Verdict(
            chunk=chunk.id,
            route=self._route(default),
            tags=tuple(self.tags),
            hits=tuple(self.hits),
            edits=edits,
            links=tuple(self.links),
            skip=self.skip,
            warnings=tuple(self.warnings),
            review=self.review,
            undecided=tuple(dict.fromkeys(self.undecided)),
            conflicts=self._conflicts(),
            settings=self._settings(),
        )

    def _route(self, default: Route) -> Route:
        priority: Priority = default.priority
        for known in ("interactive", "nearline", "offline"):
            if self.priority.value == known:
                priority = known
        ready = self.route.by
        if ready is None or self.route.value is None:
            return Route(default.pipeline, default.rule, priority, default.also)
        return Route(self.route.value, ready.name, priority, self.route.others())

    def _conflicts(self) -> tuple[tuple[str, ...], ...]:
        decisions = (self.route, self.sending, self.priority, self.prompt, self.depth)
        found = [decision.conflict() for decision in decisions]
        return tuple(conflict for conflict in found if conflict)

    def _settings(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, decision in (("depth", self.depth), ("prompt", self.prompt)):
            if decision.value is not None:
                found[name] = decision.value
        ready = self.route.by
        if ready is not None:
            if ready.rule.fallback:
                found["fallback"] = ready.rule.fallback
            if ready.pack.settings.route_policy == "all":
                wanted = dict.fromkeys(value for _, value in self.route.made)
                if len(wanted) > 1:
                    found["pipelines"] = ",".join(wanted)
        return found
