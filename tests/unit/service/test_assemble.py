import json
import re
from pathlib import Path

import msgspec
import pytest

from headworks.assembly.answer_page import less_words
from headworks.assembly.answer_records import AnswerRecord, TraceRecord
from headworks.config_delivery import PipelineSettings
from headworks.dispatch.asking import Asking
from headworks.model.job import Reply
from headworks.privacy.tokens import Kept, Record
from headworks.service.assemble import Assembled, Sent, assemble, encode, files
from headworks.service.compose import Composer
from headworks.service.results import Results
from tests.build.delivery import answered, failed, planned_for, results_in, settings
from tests.build.outcome import EVIL, built


@pytest.fixture
def results(tmp_path: Path) -> Results:
    """Give the results of the built contract."""
    return results_in(tmp_path / "doc")


def _states(made: Assembled) -> list[str]:
    return [one.state for one in made.answer.answers]


def _sent(results: Results, **ends: object) -> dict[str, Sent]:
    planned = planned_for(results, settings())
    sent = {}
    for number, one in enumerate(planned):
        assert one.job is not None
        end = ends.get(f"chunk{number}")
        done = msgspec.structs.replace(one.job, state="done")
        if isinstance(end, str):
            end = Reply(job=one.job.id, chunk=one.chunk, target="local", body=end)
        if isinstance(end, Reply):
            sent[one.key] = Sent(done, msgspec.structs.replace(end, job=one.job.id))
        elif end is None:
            sent[one.key] = failed(one.job)
    return sent


def _made(results: Results, **ends: object) -> Assembled:
    planned = planned_for(results, settings())
    sent = _sent(results, **ends)
    return assemble(results, planned, sent, Asking(settings()), document="doc")


def test_every_sentence_and_value_names_what_it_stands_on(results: Results) -> None:
    """Supported ones have citations with ranges, pages, boxes; the others say what is missing."""
    made = answered(results)
    citations = {one.id: one for one in made.trace.citations}
    assert made.trace.sentences
    for sentence in made.trace.sentences:
        assert sentence.chunks
        if sentence.support == "none":
            assert sentence.why
            assert sentence.id in made.answer.unsupported
            continue
        assert sentence.citations
        for cited in (citations[id_] for id_ in sentence.citations):
            assert cited.ranges
            assert cited.pages
    assert any(one.boxes for one in made.trace.citations)


def test_sources_that_differ_are_a_conflict(results: Results) -> None:
    """Two chunks give two values of one name: the answer lists both and chooses none."""
    made = answered(results)
    (conflict,) = made.answer.conflicts
    value = made.answer.values[conflict - 1]
    assert (value.name, value.values) == ("上限", ["[AMOUNT_1]", "60万元"])


def test_nothing_redacted_is_in_any_file(results: Results) -> None:
    """Answers and traces hold tokens; the picture of the page stays away with the original."""
    for name, content in files(answered(results), {}, "zh"):
        assert "50万元" not in content.decode(), name


def test_originals_come_back_for_whoever_has_the_vaults_record(results: Results) -> None:
    """The restored answer says so; the plain one beside it keeps its tokens."""
    record = Record("ab" * 32, "numbered", "", (Kept(0, "[AMOUNT_1]", "50万元"),))
    shown = dict(files(answered(results), {}, "zh", record))
    assert "50万元" in shown["answer.restored.md"].decode()
    assert "50万元" not in shown["answer.md"].decode()
    back = msgspec.json.decode(shown["answer.restored.json"], type=AnswerRecord)
    assert back.restored
    assert not msgspec.json.decode(shown["answer.json"], type=AnswerRecord).restored


def test_what_failed_or_came_from_rules_alone_is_told(results: Results) -> None:
    """A failed chunk names its code, a degraded one why; the answer is not complete."""
    extract = '{"summary": "x", "values": [], "quotes": ["乙方逾期交货的。"], "tags": []}'
    degraded = Reply(job="", chunk="", target="local", body=extract, degraded="E_TARGET timeout")
    made = _made(results, chunk0=None, chunk1=degraded, chunk2='{"points": [], "values": []}')
    assert _states(made) == ["failed", "degraded", "answered"]
    assert made.answer.answers[0].why == "E_TARGET HTTP 500"
    assert not made.answer.complete
    page = dict(files(made, {}, "zh"))["answer.md"].decode()
    assert "E\\_TARGET HTTP 500" in page
    assert "模型没有应答" in page


def test_an_answer_that_cannot_be_read_is_kept_raw(results: Results) -> None:
    """It is no point of the answer and its chunk has none; it is kept and marked, and counted."""
    made = _made(results, chunk0="对不起，我不能回答。", chunk1='{"points": []', chunk2="")
    first = made.answer.answers[0]
    assert (first.layer, first.raw) == ("raw", "对不起，我不能回答。")
    assert made.answer.points == []
    assert _states(made) == ["failed", "failed", "delivered"]
    assert not made.answer.complete
    assert (made.answer.cost.spent.calls, made.answer.cost.spent.failed) == (2, 2)


def test_what_has_no_answer_is_no_saving(results: Results) -> None:
    """Chunks without an answer are not calls saved; where there is none at all that is said."""
    made = _made(results)
    cost = made.answer.cost
    assert (cost.spent.calls, cost.spent.open, cost.fewer) == (0, 3, 0.0)
    page = dict(files(made, {}, "zh"))["answer.md"].decode()
    assert "模型一片也没有答" in page
    assert "少 " not in page
    some = _made(results, chunk0='{"points": [], "values": []}').answer.cost
    assert less_words(some, "en") == "0 % fewer (2 chunks without an answer are counted as asked)"


def test_rules_speak_for_every_chunk_that_is_not_skipped(results: Results) -> None:
    """Their values stand in the answer with their ranges, model or not."""
    made = _made(results)
    (value,) = made.answer.values
    assert (value.name, value.values, value.said[0].by) == ("比例", ["合同总额的10%"], "rule")
    (cited,) = made.trace.citations
    (span,) = cited.ranges
    assert built().document.text[span[0] : span[1]] == "合同总额的10%"


def test_a_question_that_was_asked_before_is_shared(results: Results) -> None:
    """The call is counted where it was made, once."""
    planned = planned_for(results, settings())
    sent = {
        key: msgspec.structs.replace(
            one, job=msgspec.structs.replace(one.job, document="another document")
        )
        for key, one in _sent(
            results, **{f"chunk{n}": '{"points": [], "values": []}' for n in range(3)}
        ).items()
    }
    made = assemble(results, planned, sent, Asking(settings()), document="doc")
    assert _states(made) == ["shared"] * 3
    assert (made.answer.cost.spent.calls, made.answer.cost.saved.shared) == (0, 3)
    assert made.answer.cost.fewer == 1.0


def test_the_cost_adds_up(tmp_path: Path) -> None:
    """Calls and savings together are the calls without rules."""
    results = results_in(tmp_path / "doc", built(), cut=5)
    chosen = msgspec.structs.replace(
        settings(),
        pipelines={"legal-review": PipelineSettings(target="local", rules_alone=True)},
    )
    cost = answered(results, chosen).answer.cost
    saved = cost.saved
    assert (cost.spent.calls, saved.skipped, saved.rules, saved.merged) == (1, 1, 1, 2)
    assert cost.without_rules.calls == 5
    assert cost.fewer == 0.8
    assert (cost.spent.tokens_in, cost.spent.tokens_out, cost.spent.seconds) == (100, 20, 0.25)


def test_equal_replies_give_equal_bytes(results: Results) -> None:
    """Assembling again changes nothing, and the records read back as they were written."""
    first, second = answered(results), answered(Results(results.folder))
    assert list(files(first, {}, "zh")) == list(files(second, {}, "zh"))
    assert msgspec.json.decode(encode(first.answer), type=AnswerRecord) == first.answer
    assert msgspec.json.decode(encode(first.trace), type=TraceRecord) == first.trace


def test_words_of_models_are_never_markup(results: Results) -> None:
    """Links, pictures and HTML of an answer stay words in the page."""
    said = "见 [链接](http://x.example) ![图](http://x.example/a.png) " + EVIL
    body = json.dumps({"points": [{"text": said, "quote": ""}], "values": []})
    shown = dict(files(_made(results, chunk0=body, chunk1=body, chunk2=body), {}, "zh"))
    page = shown["answer.md"].decode()
    assert re.search(r"(?<!\\)[\]<]\(?(?:http|img|/script)", page) is None
    assert EVIL.encode() not in shown["trace.html"]


def test_an_ask_is_composed_from_the_job_alone(results: Results) -> None:
    """A job names document and chunk; the words are made again, the same as were planned."""
    composer = Composer(Asking(settings()), lambda _: results)
    for one in planned_for(results, settings()):
        assert one.job is not None
        ask = composer.compose(one.job)
        assert (ask.job, ask.chunk, ask.pipeline) == (one.job.id, one.chunk, one.pipeline)
        assert ask.tokens == one.job.cost
        assert ask.schema is not None
        assert b"50\xe4\xb8\x87\xe5\x85\x83" not in ask.payload
