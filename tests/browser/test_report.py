from collections.abc import Iterator
from pathlib import Path

import msgspec
import pytest
from reportlab.pdfgen import canvas

from headworks.cli.main import answer
from tests.browser.chromium import Browser, program
from tests.build.outcome import built
from tests.unit.assembly.test_report import page

pytestmark = pytest.mark.skipif(program() is None, reason="chromium is not installed")


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Give a browser, one for all tests here."""
    with Browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Browser]:
    """Give the browser with the report of the built contract open; it must not complain."""
    path = tmp_path / "report.html"
    path.write_text(page(), encoding="utf-8")
    browser.complaints.clear()
    browser.open(path)
    yield browser
    assert browser.complaints == []


def _texts(browser: Browser, selector: str) -> list[str]:
    found: list[str] = browser.ask(
        f"[...document.querySelectorAll('{selector}')].map((one) => one.textContent)"
    )
    return found


def test_outline_chunks_and_routes_are_there(shown: Browser) -> None:
    """At a glance: headings at the left, a card a chunk with its tags and route in the middle."""
    assert _texts(shown, "nav .entry .words") == [
        "设备采购合同", "第一条 货物", "第二条 违约责任", "附件一 设备清单",
    ]  # fmt: skip
    assert _texts(shown, ".chunk .route") == ["general", "legal-review", "tables"]
    assert _texts(shown, ".chunk .tag") == ["RISK_CLAUSE"]


def test_hostile_text_stays_text(shown: Browser) -> None:
    """Markup in a document is shown as it is written, and no script of it runs."""
    assert shown.ask("document.title") == "设备采购合同 · headworks"
    assert shown.ask("document.querySelectorAll('main img, main script').length") == 0
    assert any("</script><img src=x" in cell for cell in _texts(shown, "td"))


def test_hits_and_references_lie_over_the_words(shown: Browser) -> None:
    """What a rule found is marked at its place; a reference leads to its target by a click."""
    assert _texts(shown, ".chunk .hit") == ["违约金为合同总额的10%"]
    assert _texts(shown, ".chunk .redact") == ["[AMOUNT_1]"]
    assert _texts(shown, ".chunk .found") == ["比例 合同总额的10%"]
    assert _texts(shown, ".chunk .ref.dangling") == ["附件一"]
    shown.click(".chunk .ref")
    assert shown.ask("document.querySelector('.chunk.chosen').id") == "chunk-2"
    assert shown.ask("location.hash") == "#chunk-2"


def test_the_chosen_chunk_is_boxed_on_its_page(shown: Browser) -> None:
    """Choosing a chunk turns to its page and draws its box over it."""
    shown.click(".chunk", 1)
    assert shown.ask("document.querySelectorAll('rect.chosen').length") == 1
    assert float(shown.ask("document.querySelector('rect.chosen').getAttribute('y')")) == 698
    shown.click("aside .turn button", 1)
    assert float(shown.ask("document.querySelector('rect.chosen').getAttribute('y')")) == 70


def test_filters_and_search_narrow_the_list(shown: Browser) -> None:
    """A tag, a route or a word leaves the chunks that have it."""
    shown.click(".chip[data-filter=tag]")
    assert _texts(shown, ".chunk .number") == ["#1"]
    shown.click(".chip[data-filter=tag]")
    shown.ask(
        "(() => { const box = document.querySelector('.tabs input'); box.value = '设备';"
        " box.dispatchEvent(new Event('input')); return true; })()"
    )
    assert _texts(shown, ".chunk .number") == ["#0", "#1", "#2"]
    assert _texts(shown, ".chunk .find") == ["设备", "设备"]


def test_the_other_tabs_tell_what_was_left_out(shown: Browser) -> None:
    """Ledger, warnings and references each have a list of their own, in Chinese or English."""
    shown.click("[data-tab=ledger]")
    assert _texts(shown, ".line .what") == ["页眉", "页码", "不可见字符"]
    shown.click("[data-tab=warnings]")
    assert _texts(shown, ".line .what") == ["W_GLYPH", "W_REFERENCE"]
    shown.click(".language")
    shown.click("[data-tab=ledger]")
    assert _texts(shown, ".line .what") == ["page header", "page number", "invisible characters"]


def test_a_link_to_a_chunk_opens_at_it(browser: Browser, tmp_path: Path) -> None:
    """A report opened at a chunk's mark shows that chunk chosen, and its heading too."""
    path = tmp_path / "report.html"
    path.write_text(page(), encoding="utf-8")
    browser.open(path, "#chunk-2")
    assert browser.ask("document.querySelector('.chunk.chosen').id") == "chunk-2"
    assert _texts(browser, "nav .now .words") == ["附件一 设备清单"]


def test_a_long_document_is_shown_in_a_window(browser: Browser, tmp_path: Path) -> None:
    """Far down a long document only the chunks near the one asked for are built; scrolling adds."""
    outcome = built()
    many = tuple(
        msgspec.structs.replace(outcome.chunks[0], id=f"{number:020x}", ordinal=number)
        for number in range(700)
    )
    path = tmp_path / "report.html"
    path.write_text(page(outcome._replace(chunks=many)), encoding="utf-8")
    browser.open(path, "#chunk-600")
    assert browser.ask("document.querySelector('.chunk.chosen').id") == "chunk-600"
    assert browser.ask("document.querySelectorAll('.chunk').length") < 200
    # A person goes on turning the wheel: one turn may fall into the building of the chunks above.
    turn = "document.querySelector('main').scrollTop = {to}, !!document.getElementById('{id}')"
    browser.wait(turn.format(to="0", id="chunk-560"))
    browser.wait(turn.format(to="1e9", id="chunk-699"))


def test_pages_are_painted_under_their_boxes(browser: Browser, tmp_path: Path) -> None:
    """The report of a PDF shows the page's picture, from within the file, with a box over it."""
    sheet = canvas.Canvas(str(tmp_path / "a.pdf"), pagesize=(300, 400))
    for number in (1, 2):
        sheet.drawString(40, 320, f"Article {number} Delivery")
        sheet.drawString(40, 300, "The goods are delivered within ten days of the order.")
        sheet.showPage()
    sheet.save()
    arguments = ["run", str(tmp_path / "a.pdf"), "--out", str(tmp_path / "out"), "-q"]
    assert answer(arguments) == 0
    browser.complaints.clear()
    browser.open(tmp_path / "out" / "a.pdf" / "report.html", "#chunk-0")
    browser.wait("document.querySelector('aside img').naturalWidth === 400")
    assert browser.ask("document.querySelectorAll('rect.chosen').length") >= 1
    assert browser.complaints == []
