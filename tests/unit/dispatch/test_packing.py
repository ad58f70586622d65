"""Which chunks are asked about together."""

from typing import Any

import msgspec
import pytest

from headworks.assembly.context import Shelf
from headworks.assembly.shapes import ChunkRecord, PartRecord, RedactionRecord
from headworks.config import Settings
from headworks.config_delivery import DeliverySettings, PipelineSettings, TargetSettings
from headworks.dispatch.asking import Asking
from headworks.dispatch.overtaken import apart
from headworks.dispatch.packing import chunks_of, is_pack
from headworks.dispatch.plan import Before, Errand, Planned, jobs, plan
from tests.build.delivery import chunks_of as built_chunks

CHAT = TargetSettings(kind="chat", url="http://127.0.0.1:1/v1", model="m")


def _chunk(number: int, **changed: Any) -> ChunkRecord:
    plain = built_chunks()[0]
    words = f"第{number}款 乙方按期交付第{number}批货物。"
    return msgspec.structs.replace(
        plain, id=f"c{number}", text=words, delivered=None, redactions=[], references=[],
        terms=[], hits=[], previous=None, next=None, has_table=False, part=None, tokens=20,
        **changed,
    )  # fmt: skip


def _settings(**delivery: Any) -> Settings:
    return Settings(
        targets={"local": CHAT},
        delivery=DeliverySettings(**{"fallback": "local", "neighbours": False, **delivery}),
    )


def _sizes(planned: tuple[Planned, ...]) -> list[int]:
    return [len(chunks_of(job)) for job in jobs(planned)]


def _plan(
    chunks: list[ChunkRecord], chosen: Settings | None = None, before: Before | None = None
) -> tuple[Planned, ...]:
    return plan(Shelf(chunks), Asking(chosen or _settings()), Errand("r", "d"), before)


def _routed(number: int, **changed: Any) -> ChunkRecord:
    chunk = _chunk(number)
    return msgspec.structs.replace(chunk, route=msgspec.structs.replace(chunk.route, **changed))


def test_packs_are_of_the_settings_size_and_off_with_one() -> None:
    """Ten chunks: eight and two; three each with three; none with one. Plans are the same again."""
    chunks = [_chunk(number) for number in range(10)]
    assert _sizes(_plan(chunks)) == [8, 2]
    assert _sizes(_plan(chunks, _settings(pack=3))) == [3, 3, 3, 1]
    assert _sizes(_plan(chunks, _settings(pack=1))) == [1] * 10
    assert _plan(chunks) == _plan(chunks)
    keys = {one.key for one in _plan(chunks)}
    assert keys == {one.key for one in _plan(chunks, _settings(pack=1))}
    assert len({one.pack for one in _plan(chunks)}) == 2


def test_people_get_smaller_ones() -> None:
    """A quarter of the size where somebody waits."""
    chunks = [_routed(number, priority="interactive") for number in range(5)]
    assert _sizes(_plan(chunks)) == [2, 2, 1]
    assert _sizes(_plan(chunks, _settings(pack=3))) == [1] * 5


@pytest.mark.parametrize(
    "changed",
    [
        {"kind": "table"},
        {"has_table": True},
        {"kind": "figure"},
        {"has_figure": True},
        {"part": PartRecord(1, 2, None)},
        {"redactions": [RedactionRecord("PERSON", 0, 1, "[PERSON_1]", "r")]},
        {"settings": {"depth": "section"}},
        {"settings": {"prompt": "summary"}},
        {"zone": "annex"},
    ],
)
def test_what_is_of_another_kind_goes_alone(changed: dict[str, Any]) -> None:
    """Tables, figures, pieces, redacted words, whole sections, other prompts, other zones."""
    other = msgspec.structs.replace(_chunk(1), **changed)
    planned = _plan([_chunk(0), other, _chunk(2)])
    assert _sizes(planned) == [2, 1]
    assert (planned[1].pack, planned[0].pack == planned[2].pack) == ("", True)


def test_never_across_priorities_or_manners_of_asking() -> None:
    """Another priority, target or want is another pack; a pipeline of another name is not."""
    chosen = msgspec.structs.replace(
        _settings(),
        pipelines={
            "same": PipelineSettings(target="local"),
            "wants": PipelineSettings(target="local", wanted=("比例",)),
            "text": PipelineSettings(target="local", answer_schema="none"),
        },
    )
    several = [_routed(0), _routed(1, priority="offline"), _routed(2, pipeline="same"),
               _routed(3, pipeline="wants"), _routed(4, pipeline="wants")]  # fmt: skip
    assert _sizes(_plan(several, chosen)) == [2, 1, 2]
    assert _sizes(_plan([_routed(0, pipeline="text"), _routed(1, pipeline="text")], chosen)) == [
        1,
        1,
    ]
    webhook = TargetSettings(kind="webhook", url="http://127.0.0.1:1/hook")
    hooked = msgspec.structs.replace(_settings(), targets={"local": webhook})
    assert _sizes(_plan([_chunk(0), _chunk(1)], hooked)) == [1, 1]


def test_the_window_bounds_them() -> None:
    """Chunks take no more than half of what a window has for them."""
    chunks = [msgspec.structs.replace(_chunk(number), tokens=900) for number in range(6)]
    assert _sizes(_plan(chunks)) == [2, 2, 2]


def test_what_was_asked_alone_stays_alone() -> None:
    """Chunks with an end of their own, and packs that are done, are in no new pack."""
    chunks = [_chunk(number) for number in range(4)]
    planned = _plan(chunks)
    (pack,) = jobs(planned)
    assert is_pack(pack)
    done = msgspec.structs.replace(pack, state="done")
    assert _sizes(_plan(chunks, before=Before(apart=apart([done])))) == [1] * 4
    waiting = _plan(chunks, before=Before(apart=apart([pack])))
    assert jobs(waiting) == (pack,)
    single = msgspec.structs.replace(pack, key=planned[1].key, chunk="c1", state="failed")
    assert _sizes(_plan(chunks, before=Before(apart=apart([single])))) == [3, 1]


def test_equal_questions_of_a_run_are_in_one_pack_only() -> None:
    """The second document waits for the pack of the first."""
    chunks, before = [_chunk(0), _chunk(1)], Before()
    first = _plan(chunks, before=before)
    second = _plan([*chunks, _chunk(2)], before=before)
    assert _sizes(first) == [2]
    assert [one.pack for one in second] == [first[0].pack, first[0].pack, ""]
    assert _sizes(second) == [1]
