"""Documents in archives and mails are documents of the same run."""

from pathlib import Path

import pytest

from headworks.config import Settings
from headworks.service.containers import opened
from headworks.service.inputs import find
from headworks.service.one import Done, RunOptions
from headworks.service.run import RunResult, run
from tests.build import mail
from tests.build.docx import build, para
from tests.build.packages import zipped


def _run(tmp_path: Path, *paths: Path, jobs: int = 1) -> RunResult:
    out = tmp_path / "out"
    options = RunOptions(out=out, settings=Settings(), jobs=jobs, report=False)
    return run(find(paths, out), options)


@pytest.mark.parametrize("jobs", [1, 2])
def test_an_archive_is_a_folder(tmp_path: Path, jobs: int) -> None:
    """Members of an archive are done as files of a folder, broken ones refused by their names."""
    word = build(tmp_path / "w.docx", para("第一条 货物"))
    letter = mail.eml(tmp_path / "letter.eml", "正文", attached={"附件.txt": "附件正文".encode()})
    path = zipped(
        tmp_path / "资料.zip",
        {
            "合同/w.docx": word.read_bytes(),
            "w.docx": word.read_bytes()[:-60],
            "空.txt": b"",
            "信.eml": letter.read_bytes(),
            "../逃.txt": b"x",
        },
    )
    result = _run(tmp_path, path, jobs=jobs)
    found = {
        one.record.path.partition("资料.zip/")[2]: "" if isinstance(one, Done) else one.record.code
        for one in result.results
    }
    assert found == {
        "合同/w.docx": "", "w.docx": "E_CORRUPT", "空.txt": "E_EMPTY", "信.eml": "",
        "信.eml/附件.txt": "", "../逃.txt": "E_CORRUPT",
    }  # fmt: skip
    assert result.exit_code == 3
    assert (tmp_path / "out" / "w.docx" / "chunks.jsonl").is_file()
    assert (tmp_path / "out" / "附件.txt" / "text.txt").read_text(encoding="utf-8") == "附件正文"


def test_nothing_is_left_behind(tmp_path: Path) -> None:
    """The folder that members stand in is gone after the run; plain files are not touched."""
    text = tmp_path / "a.txt"
    text.write_text("正文", encoding="utf-8")
    path = zipped(tmp_path / "a.zip", {"b.txt": "正文".encode()})
    inputs = find([text, path], tmp_path / "out")
    with opened(inputs, tmp_path / "out", Settings().read) as every:
        assert every[0] is inputs[0]
        member = every[1].path
        assert member.is_file()
        assert every[1].shown.endswith("a.zip/b.txt")
    assert not member.exists()
    with opened(inputs[:1], tmp_path / "out", Settings().read) as every:
        assert every == inputs[:1]


def test_an_archive_that_cannot_be_opened_is_one_failure(tmp_path: Path) -> None:
    """A broken archive is one input that failed, with its code."""
    path = zipped(tmp_path / "a.zip", {"b.txt": b"x"})
    path.write_bytes(path.read_bytes()[:-12])
    result = _run(tmp_path, path)
    assert [failed.code for failed in result.summary.failed] == ["E_CORRUPT"]
    assert result.exit_code == 4


def test_an_archive_under_a_documents_name_is_opened(tmp_path: Path) -> None:
    """A zip that is named as a document is taken for what it is."""
    path = zipped(tmp_path / "a.docx", {"b.txt": "正文".encode()})
    result = _run(tmp_path, path)
    assert [done.name for done in result.summary.documents] == ["b.txt"]
