"""Redaction through the command line: what is written, printed, kept and given back."""

import json
from pathlib import Path

import openpyxl
import pytest

from headworks.cli.main import answer
from headworks.privacy.vault import new_key
from tests.build.docx import build, cell, para, row, table
from tests.build.pdf import pdf, write

pytest.importorskip("cryptography", reason="needs the extra headworks[privacy]")

CARD, BANK, MOBILE = "11010519491231002X", "6222021234567890128", "13800138000"
WRONG, ORDER, CREDIT = "110105194912310021", "2024010112345678", "91110000710925243K"
NAMES = """
pack: own
rules:
  - {id: people, when: 包含姓名格式, then: 脱敏“姓名”}
"""


@pytest.fixture
def contract(tmp_path: Path) -> Path:
    """Give a contract with values in a heading, over two lines, in full width and in a table."""
    body = "".join(
        (
            para(f"劳务合同 {MOBILE}"),
            para("第一条 乙方"),
            para("联系人：张三丰，证件１１０１０５１９４９１２３１００２Ｘ，电话 138 0013 8000。"),
            para(f"证件号{CARD[:9]}\n{CARD[9:]}，坏号{WRONG}，订单号{ORDER}。"),
            para("第二条 送达"),
            para(f"文件送达张三丰，信用代码{CREDIT}，卡号{BANK}。"),
            table(
                row(cell(para("证件")), cell(para(CARD))),
                row(cell(para("收")), cell(para("张三丰"))),
            ),
        )
    )
    return build(tmp_path / "合同.docx", body)


@pytest.fixture
def packs(tmp_path: Path) -> list[str]:
    """Give the rules: the shipped pack, and one that takes names out."""
    path = tmp_path / "own.yaml"
    path.write_text(NAMES, encoding="utf-8")
    return ["--rules", "privacy", "--rules", str(path)]


def _bare(text: str) -> str:
    return "".join(text.replace("\\n", "").split())


@pytest.mark.parametrize("name", ["jsonl", "md", "html", "langchain", "llamaindex"])
def test_what_is_printed_holds_tokens(
    name: str,
    contract: Path,
    packs: list[str],
    tmp_path: Path,
    capsysbinary: pytest.CaptureFixture[bytes],
) -> None:
    """B098, B099: every format has tokens for personal data; a wrong number and an order stay."""
    before = contract.read_bytes()
    out = ["--out", str(tmp_path / "out"), "-o", "-", "--format", name]
    assert answer(["run", str(contract), *packs, *out]) == 0
    printed = _bare(capsysbinary.readouterr().out.decode())
    for original in (CARD, "１１０１０５", BANK, MOBILE, CREDIT, "张三丰"):
        assert original not in printed
    for told in ("[REDACTED_IDCARD]", "[REDACTED_PERSON]", WRONG, ORDER):
        assert told in printed
    assert contract.read_bytes() == before


def test_the_files_keep_the_original_apart(
    contract: Path, packs: list[str], tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Only a chunk's text is the original; the table and explanations in the terminal have none."""
    out = tmp_path / "out"
    assert answer(["run", str(contract), *packs, "--out", str(out)]) == 0
    written = (out / "合同.docx" / "chunks.jsonl").read_text("utf-8").splitlines()
    chunks = [json.loads(line) for line in written]
    assert any(CARD in chunk["text"] for chunk in chunks)
    assert all(chunk["delivered"] for chunk in chunks)
    assert MOBILE in chunks[0]["text"]
    for chunk in chunks:
        assert answer(["explain", chunk["id"], "--out", str(out)]) == 0
    assert answer(["rules", "explain", *packs[1::2], str(contract)]) == 0
    said = _bare(capsys.readouterr().out)
    for original in (CARD, "１１０１０５", BANK, MOBILE, CREDIT, "张三丰"):
        assert original not in said


def test_kept_in_the_vault_and_given_back(
    contract: Path,
    packs: list[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """B097: tokens that a model moved, repeated and reflowed come back; an unknown one is told."""
    monkeypatch.setenv("HEADWORKS_VAULT_KEY", new_key())
    vault, text = str(tmp_path / "vault"), tmp_path / "answer.txt"
    run = ["run", str(contract), *packs, "--out", str(tmp_path / "out"), "--vault", vault, "-q"]
    assert answer(run) == 0
    kept = b"".join(path.read_bytes() for path in Path(vault).iterdir())
    assert CARD.encode() not in kept
    text.write_text("收件人［PERSON\\_1］（[BANK_CARD\n_1]），[PERSON_1]。", encoding="utf-8")
    capsys.readouterr()
    assert answer(["restore", str(text), "--vault", vault]) == 0
    assert capsys.readouterr().out == f"收件人张三丰（{BANK}），张三丰。"
    text.write_text("[PERSON_7]与[PERSON_1]", encoding="utf-8")
    assert answer(["restore", str(text), "--vault", vault, "--document", "合同.docx"]) == 1
    told = capsys.readouterr()
    assert told.out == "[PERSON_7]与张三丰"
    assert "[PERSON_7]" in told.err
    assert answer(["restore", str(text), "--vault", vault, "--document", "别的.docx"]) == 2
    assert "E_VAULT" in capsys.readouterr().err


def test_a_vault_without_its_key(
    contract: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Without a key nothing is processed, and the message says which variable is missing."""
    for name in ("HEADWORKS_VAULT_KEY", "HEADWORKS_VAULT_KEY_FILE"):
        monkeypatch.delenv(name, raising=False)
    out = tmp_path / "out"
    assert answer(["run", str(contract), "--out", str(out), "--vault", str(tmp_path / "v")]) == 2
    told = capsys.readouterr().err
    assert "E_VAULT" in told
    assert "HEADWORKS_VAULT_KEY" in told
    assert not out.exists()


def test_numbers_in_a_sheet(tmp_path: Path, capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    """Cells with identity numbers and cards are masked as text and as number, orders are left."""
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    sheet.append(["姓名", "证件", "卡号", "订单号", "手机", "旧证件"])
    sheet.append(["甲", CARD, BANK, ORDER, int(MOBILE), WRONG])
    sheet.append(["乙", CARD.lower(), "6222 0212 3456 7890 128", int(ORDER[:15]), MOBILE, ""])
    path = tmp_path / "名单.xlsx"
    book.save(path)
    out = ["--out", str(tmp_path / "out"), "-o", "-", "--format", "md", "--rules", "privacy"]
    assert answer(["run", str(path), *out]) == 0
    printed = capsysbinary.readouterr().out.decode()
    rows = [line.split(" | ") for line in printed.splitlines() if line.startswith("| ")][2:]
    tokens = ["[REDACTED_IDCARD]", "[REDACTED_BANKCARD]"]
    assert [row[1:3] for row in rows] == [tokens, tokens]
    assert [row[3] for row in rows] == [ORDER, ORDER[:15]]
    assert [row[4] for row in rows] == ["[REDACTED_MOBILE]"] * 2
    assert rows[0][5].startswith(WRONG)


def test_no_picture_shows_what_is_redacted(tmp_path: Path) -> None:
    """The report has the picture of the page without personal data, and not of the other one."""
    path = tmp_path / "两页.pdf"
    pages = [
        lambda canvas: write(canvas, 90, 90, f"身份证号{CARD}。"),
        lambda canvas: write(canvas, 90, 90, "本页没有个人信息。"),
    ]
    path.write_bytes(pdf(pages))
    out = tmp_path / "out"
    assert answer(["run", str(path), "--out", str(out), "--rules", "privacy", "-q"]) == 0
    page = (out / path.name / "report.html").read_text("utf-8")
    assert '"pictures":{"2":"data:image/png' in page
    assert CARD not in page
