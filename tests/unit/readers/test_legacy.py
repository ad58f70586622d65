"""Legacy formats are read through LibreOffice where it is installed, else refused with a hint."""

import subprocess
from pathlib import Path

import pytest

from headworks.config import ReadSettings
from headworks.errors import InputError, LimitError
from headworks.readers import legacy
from headworks.readers.base import read
from tests.build.docx import build, para
from tests.build.packages import compound_file, compound_of

_OFFICE = legacy.find_office()
needs_office = pytest.mark.skipif(_OFFICE is None, reason="LibreOffice is not installed")


def _as_doc(tmp_path: Path, *body: str) -> Path:
    """Have LibreOffice write a DOC."""
    assert _OFFICE is not None
    made = build(tmp_path / "made.docx", "".join(body))
    profile = (tmp_path / "profile").as_uri()
    command = [_OFFICE, "--headless", f"-env:UserInstallation={profile}", "--convert-to",
               "doc:MS Word 97", "--outdir", str(tmp_path), str(made)]  # fmt: skip
    for _ in range(3):
        if subprocess.run(command, capture_output=True, check=False, timeout=60).returncode != 81:
            break
    return tmp_path / "made.doc"


@needs_office
def test_a_replaced_word_is_read_as_it_stands(tmp_path: Path) -> None:
    """B058: of a tracked replacement in a DOC the new words are body, the old ones a deletion."""
    mark = 'w:id="{}" w:author="李明" w:date="2026-01-02T08:00:00Z"'
    path = _as_doc(
        tmp_path,
        para(
            "违约金为合同总额的",
            f"<w:del {mark.format(1)}><w:r><w:delText>百分之五</w:delText></w:r></w:del>",
            f"<w:ins {mark.format(2)}><w:r><w:t>百分之十</w:t></w:r></w:ins>",
            "。",
        ),
    )
    document = read(path, ReadSettings())
    body = [document.slice(block.span) for block in document.blocks if block.role == "body"]
    assert body == ["违约金为合同总额的百分之十。"]
    assert document.metadata.more["read_through"] == "LibreOffice"
    assert document.source.media_type == "application/msword"
    wps = path.rename(tmp_path / "文档.wps")
    assert not read(wps, ReadSettings()).problems


@needs_office
def test_what_office_cannot_open_is_corrupt(tmp_path: Path) -> None:
    """A DOC that is nothing but a directory is E_CORRUPT; LibreOffice is ended at its time."""
    path = compound_file(tmp_path / "a.doc", ["WordDocument"])
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_CORRUPT"
    with pytest.raises(LimitError) as late:
        read(path, ReadSettings(timeout_seconds=0.05))
    assert late.value.code == "E_TIMEOUT"


@pytest.mark.parametrize(
    ("stream", "name", "newer"),
    [("WordDocument", "a.doc", "DOCX"), ("WordDocument", "a.wps", "DOCX"),
     ("PowerPoint Document", "a.dps", "PPTX")],
)  # fmt: skip
def test_without_office_the_hint_says_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, stream: str, name: str, newer: str
) -> None:
    """B066: a legacy file is E_TYPE with the hint to install LibreOffice or to save it anew."""
    monkeypatch.setattr(legacy, "find_office", lambda: None)
    path = compound_file(tmp_path / name, [stream])
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_TYPE"
    assert "LibreOffice" in caught.value.message
    assert f"save the file as {newer}" in caught.value.message


def test_content_decides_not_the_name(tmp_path: Path) -> None:
    """B066: a DOCX named .doc is read as what it is, with a warning for its name."""
    path = build(tmp_path / "a.docx", para("第一条 货物")).rename(tmp_path / "a.doc")
    document = read(path, ReadSettings())
    assert document.text == "第一条 货物"
    assert [problem.code for problem in document.problems] == ["W_NAME"]


def test_an_encrypted_document_is_told(tmp_path: Path) -> None:
    """A DOC whose head says that it is encrypted needs its password, not LibreOffice."""
    head = bytes(10) + b"\x00\x01" + bytes(20)
    path = compound_of(tmp_path / "a.doc", {"WordDocument": head})
    with pytest.raises(InputError) as caught:
        read(path, ReadSettings())
    assert caught.value.code == "E_ENCRYPTED"


@needs_office
@pytest.mark.corpus
def test_real_legacy_files_read(corpus: Path) -> None:
    """Every DOC and PPT of the corpus is read."""
    paths = [path for suffix in ("doc", "ppt") for path in corpus.glob(f"files/legacy/*.{suffix}")]
    for path in paths:
        assert read(path, ReadSettings()).text
