"""The phases over chunks: tag, chunk, route, post.

Takes views and the stages of a book, gives chunks (some merged) and their outcomes. Never lets a
rule see the effects of its own phase.
"""

import time
from collections.abc import Callable, Mapping

from headworks.model.chunk import Chunk
from headworks.rules.actions import Phase
from headworks.rules.effects import Outcome
from headworks.rules.firing import fire
from headworks.rules.ready import Ready, Stage
from headworks.rules.sheets import Automaton, link, views_of
from headworks.rules.view import View
from headworks.rules.widening import widened

Join = Callable[[Chunk, Chunk], Chunk | None]
MAX_MERGES = 5


class Clock:
    """The time a document may take: computing time, so that a busy machine changes no verdict."""

    def __init__(self, budget_seconds: float) -> None:
        self._budget = budget_seconds
        self._begun = time.thread_time()
        self._look_again = time.perf_counter() + budget_seconds

    def over(self) -> bool:
        """Tell whether the time is used up; asks the dear clock only when the cheap one says so."""
        now = time.perf_counter()
        if now < self._look_again:
            return False
        left = self._budget - (time.thread_time() - self._begun)
        self._look_again = now + left
        return left <= 0


class Judge:
    """One document's judging: the stages, the clock, the names of the rules."""

    def __init__(
        self,
        stages: Mapping[Phase, Stage],
        automaton: Automaton,
        by_name: Mapping[str, Ready],
        clock: Clock,
    ) -> None:
        self.stages = stages
        self.automaton = automaton
        self.by_name = by_name
        self.clock = clock

    def tag(self, view: View) -> Outcome:
        """Run the tag phase."""
        outcome = Outcome()
        self._run("tag", view, outcome)
        view.tags = frozenset(outcome.tags)
        return outcome

    def finish(self, view: View, outcome: Outcome) -> None:
        """Run the phases that come after the chunks stand: route, post."""
        for phase in ("route", "post"):
            self._run(phase, view, outcome)
            view.tags = frozenset(outcome.tags)

    def arrange(self, views: list[View], join: Join) -> list[tuple[View, Outcome]]:
        """Run the chunk phase: one pass from left to right, skipping and merging."""
        outcomes = [self.tag(view) for view in views]
        done: list[tuple[View, Outcome]] = []
        if not self.stages["chunk"].rules:
            return list(zip(views, outcomes, strict=True))
        pending = list(zip(views, outcomes, strict=True))[::-1]
        merges = 0
        while pending:
            view, outcome = pending.pop()
            self._run("chunk", view, outcome)
            merged = (
                self._merge(view, outcome, done, pending, join) if merges < MAX_MERGES else None
            )
            if merged is not None:
                merges += 1
                pending.append((merged, self.tag(merged)))
                continue
            merges = 0
            self._settle(outcome)
            done.append((view, outcome))
        return done

    def _merge(
        self,
        view: View,
        outcome: Outcome,
        done: list[tuple[View, Outcome]],
        pending: list[tuple[View, Outcome]],
        join: Join,
    ) -> View | None:
        """Give the merged view that the strongest possible wish makes, or none."""
        for ready, wish in _by_strength(outcome):
            if wish == "skip":
                return None
            neighbours = pending if wish == "merge_next" else done
            if not neighbours:
                continue
            other = neighbours[-1][0]
            first, second = (view, other) if wish == "merge_next" else (other, view)
            chunk = join(first.chunk, second.chunk)
            if chunk is None:
                outcome.warnings.append(f"{ready.name}：合并会破坏条款或表格，未合并")
                continue
            neighbours.pop()
            merged = views_of(
                view.surroundings.document, [chunk], self.automaton, view.surroundings
            )[0]
            link(first.siblings[0], merged)
            link(merged, second.siblings[1])
            return merged
        return None

    def _settle(self, outcome: Outcome) -> None:
        """Skip where a rule says so and no locked rule protects the chunk."""
        for ready, wish in outcome.sending.made:
            if wish != "skip":
                continue
            if outcome.locked and not ready.rule.lock:
                outcome.warnings.append(f"{ready.name} 想跳过，被锁定的规则 {outcome.locked} 阻止")
                continue
            outcome.skip = outcome.skip or ready.name

    def _run(self, phase: Phase, view: View, outcome: Outcome) -> None:
        """Run the candidates of a phase in order."""
        candidates = self.stages[phase].candidates(view)
        over = self.clock.over
        for index, ready in enumerate(candidates):
            if over():
                outcome.undecided.extend(rest.name for rest in candidates[index:])
                _undecided(candidates[index:], outcome)
                return
            fired = fire(ready, view, widened)
            if not fired or (ready.rule.defeated_by and self._defeated(ready, view)):
                continue
            deeds = ready.deeds[phase]
            for each in fired:
                outcome.take(each, deeds, phase)
            if phase in ready.stops:
                return

    def _defeated(self, ready: Ready, view: View) -> bool:
        """Tell whether a rule that defeats this one fires too."""
        for name in ready.rule.defeated_by:
            full = name if "/" in name else f"{ready.pack.name}/{name}"
            other = self.by_name.get(full)
            if other is not None and fire(other, view, widened):
                return True
        return False


def _by_strength(outcome: Outcome) -> list[tuple[Ready, str]]:
    """Order wishes: by standing, then merge before skip, then by name."""
    return sorted(outcome.sending.made, key=lambda made: (made[0].peers, made[1] == "skip"))


def _undecided(rest: list[Ready], outcome: Outcome) -> None:
    for ready in rest:
        if ready.pack.settings.on_undecided == "review":
            outcome.review = outcome.review or f"{ready.name}：超过时间，没有结论"
        elif ready.pack.settings.on_undecided == "skip":
            outcome.skip = outcome.skip or ready.name
