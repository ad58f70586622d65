import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from headworks.service.assemble import files
from tests.browser.chromium import Browser, program
from tests.build.delivery import ANSWERS, answered, results_in
from tests.build.outcome import EVIL

pytestmark = pytest.mark.skipif(program() is None, reason="chromium is not installed")

# A grey picture of one pixel: the page must stretch it under its boxes.
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR42mNoAAAAggCB"
    "l8b3uQAAAABJRU5ErkJggg=="
)


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """Give a browser, one for all tests here."""
    with Browser(tmp_path_factory.mktemp("profile")) as started:
        yield started


def _said(ordinal: int) -> str:
    if ordinal == 2:
        points = {"points": [{"text": f"表里有{EVIL}", "quote": ""}], "values": []}
        return json.dumps(points, ensure_ascii=False)
    return ANSWERS[ordinal]


@pytest.fixture
def shown(browser: Browser, tmp_path: Path) -> Iterator[Browser]:
    """Give the browser with the trace of the built contract's answer; it must not complain."""
    made = answered(results_in(tmp_path / "doc"), say=_said)
    path = tmp_path / "trace.html"
    path.write_bytes(dict(files(made, {1: PIXEL}, "zh"))["trace.html"])
    browser.complaints.clear()
    browser.open(path)
    yield browser
    assert browser.complaints == []


def _texts(browser: Browser, selector: str) -> list[str]:
    found: list[str] = browser.ask(
        f"[...document.querySelectorAll('{selector}')].map((one) => one.textContent)"
    )
    return found


def _press(browser: Browser, key: str) -> None:
    browser.ask(
        f"document.dispatchEvent(new KeyboardEvent('keydown', {{ key: '{key}', bubbles: true }}))"
    )


def _number(browser: Browser, attribute: str) -> float:
    rect = "document.querySelector('rect.quote')"
    return float(browser.ask(f"{rect}.getAttribute('{attribute}')"))


def test_points_values_and_marks_are_there(shown: Browser) -> None:
    """Values in a table, points under their headings, what has no support is marked."""
    assert _texts(shown, ".values th")[0].startswith("违约金比例")
    assert _texts(shown, "p.point .say")[0] == "乙方供应附件一的设备。"
    assert "违约金另加30%的利息。" in _texts(shown, ".say.none")
    assert _texts(shown, ".mark")[0] == "⚠ 无依据"
    assert _texts(shown, "h3")[:2] == ["第一条 货物", "第二条 违约责任"]


def test_a_click_shows_the_page_with_the_box_of_the_quote(shown: Browser) -> None:
    """The picture of the page, and over it the box of the quoted words alone."""
    shown.click("p.point .say", 1)
    assert shown.ask("document.querySelector('aside img').getAttribute('src')") == PIXEL
    assert shown.ask("document.querySelectorAll('rect.quote').length") == 1
    assert _number(shown, "y") == 716
    assert 90 < _number(shown, "x") < 300
    assert _texts(shown, "aside blockquote") == ["第二条 违约责任违约金为合同总额的10%"]
    assert shown.ask("location.hash").startswith("#s")
    assert shown.ask("document.activeElement.textContent") == "逾期交货的违约金是合同总额的10%。"


def test_a_page_without_a_picture_shows_its_boxes(shown: Browser) -> None:
    """Redacted pages carry none: the page's shape and the boxes are shown."""
    shown.click("p.point .say", 3)
    assert shown.ask("document.querySelector('aside img')") is None
    assert shown.ask("document.querySelectorAll('rect.quote').length") >= 1
    assert "只有位置框" in _texts(shown, "aside .absent")[0]


def test_unsupported_sentences_say_what_is_missing(shown: Browser) -> None:
    """Choosing one shows why it stands on nothing."""
    shown.click(".say.none")
    assert "30%" in _texts(shown, "aside .why")[0]


def test_the_keyboard_is_enough(shown: Browser) -> None:
    """j and k go from sentence to sentence, the arrows turn pages, all can be reached by tab."""
    _press(shown, "j")
    first = shown.ask("document.activeElement.textContent")
    _press(shown, "j")
    second = shown.ask("document.activeElement.textContent")
    assert first == "10%"
    assert second != first
    _press(shown, "k")
    assert shown.ask("document.activeElement.textContent") == first
    _press(shown, "ArrowRight")
    assert "第 2 页" in _texts(shown, "aside .turn span")[0]
    _press(shown, "ArrowLeft")
    assert "第 1 页" in _texts(shown, "aside .turn span")[0]
    assert shown.ask(
        "[...document.querySelectorAll('.say, aside button')].every((one) => one.tabIndex === 0)"
    )


def test_both_languages(shown: Browser) -> None:
    """A click turns all words of the page, the chosen sentence stays chosen."""
    shown.click(".say.none")
    shown.click(".language")
    assert shown.ask("document.documentElement.lang") == "en"
    assert _texts(shown, "h2")[0] == "Values"
    assert _texts(shown, "aside .why")[0].startswith("⚠ unsupported")
    assert shown.ask("document.querySelectorAll('.say[aria-pressed=true]').length") == 1


def test_hostile_words_stay_words(shown: Browser) -> None:
    """Markup that a model repeats is shown as it is written, and no script of it runs."""
    assert shown.ask("document.title") == "采购合同.pdf · headworks"
    assert shown.ask("document.querySelectorAll('main img, main script').length") == 0
    assert any("</script><img src=x" in text for text in _texts(shown, ".say"))


def test_a_link_to_a_sentence_opens_at_it(browser: Browser, tmp_path: Path) -> None:
    """An address with a sentence's mark shows its page at once."""
    made = answered(results_in(tmp_path / "doc"))
    path = tmp_path / "trace.html"
    path.write_bytes(dict(files(made, {}, "zh"))["trace.html"])
    number = made.trace.sentences[-1].id
    browser.open(path, f"#s{number}")
    browser.wait(f"!!document.querySelector('#s{number}[aria-pressed=true]')")
    assert browser.ask("document.querySelectorAll('rect.quote').length") == 1
