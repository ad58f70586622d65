from pathlib import Path

from headworks import __version__
from headworks.assembly.answer_page import answer_page, escaped
from headworks.service.assemble import files
from tests.build.delivery import answered, results_in
from tests.golden.conftest import Check


def test_the_answer_of_a_contract(golden: Check, tmp_path: Path) -> None:
    """answer.md in both languages, answer.json and trace.json stay as they were."""
    results = results_in(tmp_path / "doc", cut=4)
    made = answered(results)
    shown = dict(files(made, {}, "zh"))
    version = f'"{__version__}"'.encode()
    for name in ("answer.md", "answer.json", "trace.json"):
        golden(f"contract/{name}", shown[name].replace(version, b'"VERSION"'))
    golden("contract/answer.en.md", dict(files(made, {}, "en"))["answer.md"])


def test_offsets_of_the_trace_lead_into_the_page(tmp_path: Path) -> None:
    """Each sentence of trace.json is what stands at its offsets of answer.md, marks aside."""

    made = answered(results_in(tmp_path / "doc"))
    page = answer_page(made.answer, made.trace.sentences, made.trace.citations)
    assert page.sentences
    for sentence in page.sentences:
        assert page.text[sentence.start : sentence.end] == escaped(sentence.text)
