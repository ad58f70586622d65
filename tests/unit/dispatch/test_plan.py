from pathlib import Path

import msgspec
import pytest

from headworks.assembly.context import Shelf
from headworks.config import Settings
from headworks.config_delivery import PipelineSettings, TargetSettings
from headworks.dispatch.asking import Asking
from headworks.dispatch.plan import Errand, Planned, answered_by_rules, jobs, plan
from headworks.errors import ConfigError
from tests.build.delivery import chunks_of, results_in, settings
from tests.build.outcome import built

ERRAND = Errand("root", "doc")
RULES = PipelineSettings(target="local", rules_alone=True)


def _plan(chosen: Settings, errand: Errand = ERRAND) -> tuple[Planned, ...]:
    return plan(Shelf(chunks_of()), Asking(chosen), errand)


def _with(chosen: Settings, **pipelines: PipelineSettings) -> Settings:
    named = {name.replace("_", "-"): one for name, one in pipelines.items()}
    return msgspec.structs.replace(chosen, pipelines=named)


def test_each_chunk_is_asked_once_at_its_pipelines_target() -> None:
    """A job a chunk, with the level of its verdict and the tokens it will take."""
    planned = _plan(settings())
    assert [one.state for one in planned] == ["send"] * 3
    assert [one.pipeline for one in planned] == ["general", "legal-review", "tables"]
    made = jobs(planned)
    assert [job.level for job in made] == [1, 0, 1]
    assert len({job.key for job in made}) == len({job.id for job in made}) == 3
    assert all(job.cost > 100 and job.target == "local" for job in made)


def test_offline_uploads_are_never_urgent() -> None:
    """The upload's priority bounds that of the verdict where it is offline."""
    made = jobs(_plan(settings(), Errand("root", "doc", priority="offline")))
    assert [job.level for job in made] == [2, 2, 2]


def test_a_skipped_chunk_has_no_job_and_says_why() -> None:
    """What a rule skipped is written and not sent."""
    outcome = built()
    planned = plan(Shelf(chunks_of(outcome)), Asking(settings()), ERRAND)
    assert (planned[2].state, planned[2].why, planned[2].job) == ("skipped", "contract/skip", None)


def test_without_a_target_nothing_leaves() -> None:
    """Pipelines without a target keep their chunks here; that is the default."""
    assert {one.state for one in _plan(Settings())} == {"kept"}
    some = _with(Settings(targets=settings().targets), general=PipelineSettings(target="local"))
    assert [one.state for one in _plan(some)] == ["send", "kept", "kept"]


def test_what_rules_took_needs_no_call_where_that_is_wanted() -> None:
    """A chunk whose values rules have is answered by them; without the wish it is asked."""
    planned = _plan(_with(settings(), legal_review=RULES))
    assert [one.state for one in planned] == ["send", "rules", "send"]
    assert planned[1].why == "contract/penalty"


@pytest.mark.parametrize(
    "doubt",
    [
        {"review": "a person"},
        {"undecided": ["r"]},
        {"conflicts": [["a", "b"]]},
        {"degraded": "ocr"},
    ],
)
def test_rules_in_doubt_do_not_answer(doubt: dict[str, object]) -> None:
    """A chunk that a person should see, or that rules could not finish, goes to the model."""
    chunk = chunks_of()[1]
    assert answered_by_rules(chunk, RULES) == "contract/penalty"
    assert answered_by_rules(msgspec.structs.replace(chunk, **doubt), RULES) == ""


def test_rules_answer_only_with_all_that_is_wanted() -> None:
    """A value that is wanted and missing is asked for."""
    chunk = chunks_of()[1]
    assert answered_by_rules(chunk, msgspec.structs.replace(RULES, wanted=("比例",)))
    assert not answered_by_rules(chunk, msgspec.structs.replace(RULES, wanted=("比例", "上限")))
    assert not answered_by_rules(chunks_of()[0], RULES)


@pytest.mark.parametrize(
    ("text", "alone"),
    [
        ("违约金为合同总额的10%。", True),
        ("第二条 违约责任\n违约金为合同总额的10%。", True),
        ("违约金为合同总额的10%。另付利息30元。", False),
        ("违约金为合同总额的10%。另付利息三十元。", False),
        ("违约金为合同总额的10%。乙方还应当承担甲方为实现权利而支出的全部合理费用。", False),
    ],
)
def test_rules_answer_alone_only_what_they_looked_at(text: str, alone: bool) -> None:
    """A number that no rule took, or much text without one, goes to the model."""
    chunk = chunks_of()[1]
    (hit,) = chunk.hits
    at = text.index("合同总额")
    value = msgspec.structs.replace(hit.values["比例"], start=at, end=at + 8)
    told = msgspec.structs.replace(
        chunk,
        text=text,
        start=0,
        end=len(text),
        spans=[(0, len(text))],
        hits=[msgspec.structs.replace(hit, values={"比例": value})],
    )
    assert bool(answered_by_rules(told, RULES)) == alone


def test_the_documents_title_does_not_make_equal_clauses_different() -> None:
    """Unless it is wanted, the title is no part of a question."""
    first = msgspec.structs.replace(chunks_of()[0], references=[], previous=None, next=None)
    renamed = msgspec.structs.replace(
        first, id="e" * 20, heading_path=["另一份合同", *first.heading_path[1:]]
    )

    def keys(chosen: Settings) -> set[str]:
        shelves = (Shelf([first], title="设备采购合同"), Shelf([renamed], title="另一份合同"))
        return {plan(shelf, Asking(chosen), ERRAND)[0].key for shelf in shelves}

    assert len(keys(settings())) == 1
    assert len(keys(settings(title=True))) == 2


def test_equal_questions_are_asked_once() -> None:
    """The second chunk that asks the same shares the first one's job; a scope keeps them apart."""
    first = chunks_of()[0]
    alone = msgspec.structs.replace(first, references=[], previous=None, next=None)
    again = msgspec.structs.replace(alone, id="f" * 20, ordinal=9, start=5000, end=5010)
    planned = plan(Shelf([alone, again]), Asking(settings()), ERRAND)
    assert planned[0].key == planned[1].key
    assert [one.job is not None for one in planned] == [True, False]
    other = plan(Shelf([again]), Asking(settings()), Errand("other", "other"))
    assert other[0].key == planned[0].key
    scoped = plan(Shelf([again]), Asking(settings()), Errand("other", "other", scope="other"))
    assert scoped[0].key != planned[0].key
    client = plan(Shelf([again]), Asking(settings()), Errand("other", "other", client="b"))
    assert client[0].key != planned[0].key


def test_keys_depend_on_what_makes_the_answer() -> None:
    """Another model, prompt, schema or bound is another question; the bound in flight is not."""

    def key(chosen: Settings) -> str:
        return _plan(chosen)[0].key

    base = settings()
    chat = base.targets["local"]
    same = msgspec.structs.replace(chat, max_in_flight=1, timeout_seconds=1.0)
    assert key(msgspec.structs.replace(base, targets={"local": same})) == key(base)
    changed = [
        msgspec.structs.replace(base, targets={"local": msgspec.structs.replace(chat, model="n")}),
        _with(base, general=PipelineSettings(target="local", prompt="summary")),
        _with(base, general=PipelineSettings(target="local", answer_schema="none")),
        _with(base, general=PipelineSettings(target="local", max_tokens=7)),
        settings(neighbours=False),
    ]
    assert len({key(one) for one in [base, *changed]}) == len(changed) + 1


def test_a_target_that_gets_the_record_is_asked_for_each_chunk() -> None:
    """A folder or webhook receives every chunk, equal words or not."""
    folder = TargetSettings(kind="folder", path="/nowhere")
    chosen = msgspec.structs.replace(settings(), targets={"local": folder})
    first = chunks_of()[0]
    again = msgspec.structs.replace(first, id="f" * 20)
    planned = plan(Shelf([first, again]), Asking(chosen), ERRAND)
    assert planned[0].key != planned[1].key


def test_a_chunk_of_several_pipelines_is_asked_at_each() -> None:
    """Where a pack wants all pipelines, each has its question."""
    chunk = msgspec.structs.replace(
        chunks_of()[1], settings={"pipelines": "legal-review,finance", "prompt": "summary"}
    )
    planned = plan(Shelf([chunk]), Asking(_with(
        settings(), finance=PipelineSettings(target="local", max_tokens=99)
    )), ERRAND)  # fmt: skip
    assert [one.pipeline for one in planned] == ["legal-review", "finance"]
    assert planned[0].key != planned[1].key


def test_settings_that_lead_nowhere_are_refused_first(tmp_path: Path) -> None:
    """Unknown targets, prompts and schemas are told before anything is planned."""
    base = settings()
    Asking(base).check()
    bad = [
        msgspec.structs.replace(
            base, delivery=msgspec.structs.replace(base.delivery, fallback="x")
        ),
        _with(base, general=PipelineSettings(target="nobody")),
        _with(base, general=PipelineSettings(target="local", prompt="no such prompt")),
        _with(base, general=PipelineSettings(target="local", answer_schema="no.json")),
    ]
    for one in bad:
        with pytest.raises(ConfigError):
            Asking(one, tmp_path).check()


def test_no_question_holds_what_rules_redacted(tmp_path: Path) -> None:
    """Neither in words nor in the record that targets get."""
    results = results_in(tmp_path / "doc")
    asking = Asking(settings())
    for chunk in results.chunks:
        question = asking.question(results.shelf, chunk, chunk.route.pipeline)
        assert question is not None
        told = "".join(text for _, text in question.messages) + question.payload.decode()
        assert "50万元" not in told
