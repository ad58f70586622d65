import re
from base64 import b64encode
from pathlib import Path

from headworks.assembly.trace_page import pictures_in, trace_page
from headworks.service.assemble import files
from tests.build.delivery import answered, results_in
from tests.build.outcome import EVIL
from tests.unit.assembly.test_report import PICTURE, embedded
from tests.unit.assembly.test_report import page as report_page


def _page(folder: Path, pictures: dict[int, str] | None = None) -> str:
    made = answered(results_in(folder))
    return dict(files(made, pictures or {}, "zh"))["trace.html"].decode()


def test_the_page_names_no_outside_address(tmp_path: Path) -> None:
    """Everything is in it; its policy lets nothing be fetched and runs its own script alone."""
    shown = _page(tmp_path / "doc")
    assert re.findall(r"(?:src|href)=[\"'](?!data:)", shown) == []
    assert "default-src 'none'" in shown
    addresses = set(re.findall(r"https?://[^\s\"'<]+", shown))
    assert addresses <= {"http://www.w3.org/2000/svg"}


def test_only_pages_that_are_cited_bring_their_picture(tmp_path: Path) -> None:
    """A page that nothing stands on is not carried along."""
    pictures = {number: f"data:image/png;base64,{number}" for number in (1, 2, 3)}
    content = embedded(_page(tmp_path / "doc", pictures))
    assert set(content["pictures"]) == {"1", "2"}  # type: ignore[call-overload]


def test_pictures_are_those_of_the_report() -> None:
    """What the report shows is shown; a report without pictures, or none at all, gives none."""
    shown = report_page(pictures={2: PICTURE}).encode()
    assert pictures_in(shown) == {2: "data:image/png;base64," + b64encode(PICTURE).decode()}
    assert pictures_in(report_page().encode()) == {}
    assert pictures_in(b"no report") == {}


def test_hostile_words_stay_words(tmp_path: Path) -> None:
    """A document's markup travels as escaped JSON."""
    shown = _page(tmp_path / "doc")
    assert EVIL not in shown
    assert shown.count("</script>") == 2


def test_the_language_asked_for_is_the_first(tmp_path: Path) -> None:
    """The page begins in the language it was made in; the other is a click away."""
    made = answered(results_in(tmp_path / "doc"))
    shown = trace_page(made.answer, made.trace, {}, "en").decode()
    assert embedded(shown)["language"] == "en"
