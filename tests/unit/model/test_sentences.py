"""Sentence ends: where a sentence stops, and where it only seems to."""

import time

import pytest

from headworks.model.sentences import first_sentence_end, sentence_ends


def sentences(text: str, **settings: bool) -> list[str]:
    """Give the sentences of a text."""
    ends = sentence_ends(text, 0, len(text), **settings)
    return [text[a:b] for a, b in zip([0, *ends], ends, strict=False)]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("天色渐晚，而我在等。哈哈哈……", ["天色渐晚，而我在等。", "哈哈哈……"]),
        ("甲？乙！丙；丁", ["甲？", "乙！", "丙；", "丁"]),
        ("Pay now! Why? Well; so", ["Pay now!", " Why?", " Well;", " so"]),
        ("真的！！？”）丁", ["真的！！？”）", "丁"]),
        ("第一行\n第二行。\n\n第三行", ["第一行", "\n第二行。", "\n\n第三行"]),
    ],
)
def test_marks_end_a_sentence_with_their_closers(text: str, expected: list[str]) -> None:
    """A sentence ends after its mark, and closing quotes and brackets go with it (B025)."""
    assert sentences(text) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "他说：“合同已生效。请尽快付款！”甲方（以下简称“委托方”）同意。第3.2款约定“乙方……”。",
            [
                "他说：“合同已生效。请尽快付款！”",
                "甲方（以下简称“委托方”）同意。",
                "第3.2款约定“乙方……”。",
            ],
        ),
        (
            "依《甲？乙》办理（期限：十日；逾期不候）。完",
            ["依《甲？乙》办理（期限：十日；逾期不候）。", "完"],
        ),
        ('说"好。行"了。他说', ['说"好。行"了。', "他说"]),
        ("“好！”，他说。走了", ["“好！”，他说。", "走了"]),
        ("混用（甲；乙)丙；丁", ["混用（甲；乙)丙；", "丁"]),
    ],
)
def test_no_sentence_ends_inside_a_pair(text: str, expected: list[str]) -> None:
    """Quotes, brackets and title marks hold their sentences together (B027)."""
    assert sentences(text) == expected


def test_a_pair_that_never_closes_swallows_nothing() -> None:
    """An open bracket without its partner in the paragraph does not hide the ends after it."""
    assert sentences("未闭合（开头。第二句。\n第三句）。") == [
        "未闭合（开头。",
        "第二句。",
        "\n第三句）。",
    ]


def test_a_quotation_may_be_opened_up() -> None:
    """Where asked for, ends inside pairs count as well."""
    assert sentences("说：“甲。乙。”丙。", inside_pairs=True) == ["说：“甲。", "乙。”", "丙。"]


@pytest.mark.parametrize(
    "text",
    [
        "价款为1,200.50元整",
        "软件V1.0.2版",
        "自2024.03.01起",
        "见www.a.com网站",
        "王某某(身份证…)签收",
        "访问https://a.com/x?y=1;z=2!k即可",
        "邮箱zhang.san@example.com",
        "第3.2款约定",
        "目录…………12",
        "Goods of No. 5 by Mr. Smith and Acme Co. Ltd. Beijing",
        "1. Scope of work",
        "2.1. 范围",
    ],
)
def test_numbers_dates_and_addresses_hold(text: str) -> None:
    """A mark in a number, version, date, address, label or abbreviation ends nothing (B028)."""
    assert sentences(text) == [text]


def test_a_latin_full_stop_needs_a_capital_after_it() -> None:
    """A full stop before a space and a capital or Han character ends a Latin sentence."""
    text = "The Seller shall pay by 12. The Buyer agrees. 双方同意. 乙方"
    assert sentences(text) == [
        "The Seller shall pay by 12.",
        " The Buyer agrees.",
        " 双方同意.",
        " 乙方",
    ]


def test_a_wrapped_latin_line_goes_on() -> None:
    """A line end between Latin words wraps a line and ends no sentence."""
    assert sentences("a wrapped line\nis here. Next") == ["a wrapped line\nis here.", " Next"]


def test_the_first_sentence() -> None:
    """The first sentence's end is given, the range's end where there is none."""
    assert first_sentence_end("\n第六条 变更。后文", 0, 10) == 8
    assert first_sentence_end("没有句号", 0, 4) == 4


def test_hostile_runs_stay_linear() -> None:
    """Runs of openers, marks and dots cost time in proportion to their length."""
    began = time.process_time()
    for text in ("（“。", "…", "!", "（；）", "a. ", '"。', "“", "。 "):
        long = text * 20_000 + "a"
        sentence_ends(long, 0, len(long))
    assert time.process_time() - began < 10, "quadratic: this takes minutes when it fails"
