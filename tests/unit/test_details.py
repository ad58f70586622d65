from pathlib import Path

import pytest

from headworks.config import load
from headworks.details import in_chinese
from headworks.errors import ConfigError, InputError


def test_a_known_detail_is_told_in_chinese() -> None:
    """What stands beside a code is Chinese for a Chinese reader and English for an English one."""
    fault = InputError("E_CORRUPT", "the zip package is broken or truncated", place="a.docx")
    assert "压缩结构损坏" in fault.sentence("zh")
    assert "the zip package is broken" in fault.sentence("en")


@pytest.mark.parametrize(
    ("detail", "kept"),
    [
        ("a part unpacks 1028 times, the limit is 200", ("1028", "200")),
        ("hidden sheets: 历史价格", ("历史价格",)),
        ("附件九: no 附件九 in this document", ("附件九",)),
        ("no key: set HEADWORKS_VAULT_KEY or HEADWORKS_VAULT_KEY_FILE", ("HEADWORKS_VAULT_KEY",)),
        ("the environment variable MODEL_KEY (key_env) is not set", ("MODEL_KEY",)),
        ("function 'a:b' is not found: no module", ("a:b", "no module")),
        ("cpu 'small' is not among [targets.*]", ("small",)),
        ("12×34 pixels, the bound is 100", ("12×34", "100")),
        ("label run 1..17", ("1", "17")),
        ("found 88 labels 条, 合同", ("88 个“条”", "合同")),
        ("named .doc, read as docx", (".doc", "docx")),
        ("not well-formed: tag mismatch, line 1", ("tag mismatch, line 1",)),
        ("unknown setting 'max_char', did you mean 'max_chars'?", ("max_char", "max_chars")),
    ],
)
def test_names_and_numbers_stay(detail: str, kept: tuple[str, ...]) -> None:
    """A detail with a name or a number keeps it."""
    told = in_chinese(detail)
    assert told != detail
    assert all(part in told for part in kept)


def test_an_unknown_detail_stays() -> None:
    """What is not known is shown as it is."""
    assert in_chinese("something new") == "something new"


def test_a_wrong_setting_is_told_in_chinese() -> None:
    """A setting that does not exist names the nearest one in the user's language."""
    with pytest.raises(ConfigError) as caught:
        load(environment={}, flags={"chunk.max_char": 3})
    assert "是不是“max_chars”" in caught.value.sentence("zh")


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("[pipelines.a\n", "第 1 行第 13 列：表名的后面少了 ]"),
        ('[targets.local]\nmodle = "x"\n', "[targets.local] [E_CONFIG]"),
        ('[targets.local]\nmodle = "x"\n', "没有设置“modle”，是不是“model”？"),
        ("[targets]\nlocal = 3\n", "[targets.local] 应当是一个表"),
        ("[chunk.zones.cover]\nmax_char = 3\n", "[chunk.zones.cover]"),
        ('[targets.local]\nkind = "chart"\n', "不能是“chart”"),
    ],
)
def test_a_wrong_settings_file_is_told_in_chinese(tmp_path: Path, written: str, told: str) -> None:
    """A settings file that is wrong is told with its place and the nearest name, in Chinese."""
    path = tmp_path / "headworks.toml"
    path.write_text(written, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        load(path, environment={})
    assert told in caught.value.sentence("zh")
