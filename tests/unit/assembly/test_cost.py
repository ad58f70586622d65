from pathlib import Path

import jsonschema
import msgspec
import pytest

from headworks.assembly.cost import plain_pieces, total
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
