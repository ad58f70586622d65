import pytest
from hypothesis import given
from hypothesis import strategies as st

from headworks.cli.output import Column, Progress, fit, table, width, wrap


def test_a_table_lines_up_by_east_asian_width() -> None:
    """Columns stand under one another though Han characters take two columns each."""
    layout = [Column("#", 5, right=True), Column("标题", 20, share=True), Column("去向", 10)]
    lines = table(layout, [("1", "第一条 货物", "legal"), ("12", "abc", "general")], 60)
    starts = [("标题", "去向"), ("第一条", "legal"), ("abc", "general")]
    for column in (0, 1):
        places = {
            width(line[: line.index(words[column])])
            for line, words in zip(lines, starts, strict=True)
        }
        assert len(places) == 1


@given(st.text(), st.integers(2, 40))
def test_what_is_fitted_fills_its_room(text: str, room: int) -> None:
    """A cell takes exactly its room, whatever stands in it, and is one line."""
    fitted = fit(text, room)
    assert width(fitted) == room
    assert "\n" not in fitted


@given(st.text(st.sampled_from("甲乙，。ab c"), max_size=200), st.integers(8, 40))
def test_wrapping_loses_no_word(text: str, room: int) -> None:
    """Wrapped lines hold the text's characters in order, and pass the room by a mark at most."""
    lines = wrap(text, room)
    assert "".join("".join(lines).split()) == "".join(text.split())


def test_a_table_gives_way_where_the_terminal_is_narrow() -> None:
    """Columns that share become narrower until the table fits."""
    layout = [Column("a", 60, share=True), Column("b", 60, share=True)]
    lines = table(layout, [("甲" * 30, "乙" * 30)], 50)
    assert all(width(line) <= 50 for line in lines)


def test_control_characters_do_not_reach_the_terminal() -> None:
    """An escape sequence in a heading is shown as a blank, it colours and moves nothing."""
    assert "\x1b" not in fit("a\x1b[31mb", 20)
    assert "\x1b" not in table([Column("a", 30)], [("\x1b]0;title\x07x",)], 40)[1]


def test_no_bar_in_a_pipe(capsys: pytest.CaptureFixture[str]) -> None:
    """Where standard error is no terminal nothing is drawn."""
    progress = Progress(10)
    progress.step("a.docx")
    progress.clear()
    assert capsys.readouterr().err == ""
