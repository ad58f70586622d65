from pathlib import Path

import jsonschema
import msgspec
import pytest

from headworks.assembly.answer_page import less_words
from headworks.assembly.cost import plain_pieces, total
from headworks.assembly.cost_records import CostRecord, SavedRecord, SpentRecord, WithoutRecord
from headworks.assembly.schema import schema
from headworks.service.assemble import files
from tests.build.delivery import answered, results_in


@pytest.mark.parametrize(
    ("text", "pieces"),
    [
        ("", 0),
        ("\n \n", 0),
        ("一" * 10, 1),
        ("一" * 100, 1),
        ("一" * 101, 2),
        ("\n".join(["一" * 40] * 4), 2),
        ("一" * 250 + "\n" + "二" * 60, 4),
    ],
)
def test_the_plain_way_packs_paragraphs_up_to_the_ceiling(text: str, pieces: int) -> None:
    """At 100 characters: paragraphs together while they fit, long ones cut."""
    assert plain_pieces(text, 100) == pieces


def test_costs_of_documents_add_up(tmp_path: Path) -> None:
    """The cost of a run is the sum of its documents'."""
    cost = answered(results_in(tmp_path / "doc")).answer.cost
    both = total([cost, cost])
    assert both.spent.calls == 2 * cost.spent.calls
    assert both.without_rules.calls == 2 * cost.without_rules.calls
    assert both.fewer == cost.fewer
    assert total([]).fewer == 0.0


@pytest.mark.parametrize("name", ["answer", "trace"])
def test_the_files_keep_their_printed_schema(name: str, tmp_path: Path) -> None:
    """What ``headworks schema`` prints is what is written."""
    shown = dict(files(answered(results_in(tmp_path / "doc")), {}, "zh"))
    jsonschema.validate(msgspec.json.decode(shown[f"{name}.json"]), schema(name))


def test_more_calls_are_not_told_as_fewer() -> None:
    """Where chunks were asked about twice, the page says how many more calls that made."""
    spent = SpentRecord(9, 400, 80, 4.1, 9, 0, 0, False, answered=3)
    none = SavedRecord(0, 0, 0, 0, 0, 0)
    without = WithoutRecord(8, 100)
    cost = CostRecord(spent, none, without, without, -0.125, -0.125)
    assert less_words(cost, "zh") == "多 12 %"
    assert less_words(cost, "en") == "12 % more"
    waiting = msgspec.structs.replace(spent, calls=5, open=3)
    cost = msgspec.structs.replace(cost, spent=waiting, fewer=0.0)
    assert less_words(cost, "zh") == "少 0 %（还没有答案的 3 片按要问计）"
