"""What the repository promises of itself: sizes, names, documents that exist."""

import ast
import re
from pathlib import Path

import pytest

from headworks.codes import CODES

MAX_LINES = 450
MAX_FUNCTION_LINES = 60
VAGUE = {"util", "utils", "helper", "helpers", "common", "misc", "manager"}
# Tables of vocabulary may be as long as the language is.
TABLES = {"vocabulary.py", "codes.py"}


def sources(root: Path) -> list[Path]:
    """Give the product's Python files."""
    return sorted((root / "src").rglob("*.py"))


def test_every_file_is_one_room(root: Path) -> None:
    """No source file is over 450 lines, tables of vocabulary excepted."""
    long = {
        str(path.relative_to(root)): count
        for path in sources(root)
        if (count := len(path.read_text(encoding="utf-8").splitlines())) > MAX_LINES
        and path.name not in TABLES
    }
    assert long == {}


def test_every_function_can_be_read_at_once(root: Path) -> None:
    """No function is over 60 lines."""
    long = {}
    for path in sources(root):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
                lines = (node.end_lineno or 0) - node.lineno + 1
                if lines > MAX_FUNCTION_LINES:
                    long[f"{path.relative_to(root)}:{node.name}"] = lines
    assert long == {}


def test_no_file_has_a_vague_name(root: Path) -> None:
    """A name says what is inside."""
    assert [path for path in sources(root) if path.stem in VAGUE] == []


def test_every_module_says_what_it_takes_and_gives(root: Path) -> None:
    """Each module begins with a docstring."""
    silent = [
        str(path.relative_to(root))
        for path in sources(root)
        if not ast.get_docstring(ast.parse(path.read_text(encoding="utf-8")))
    ]
    assert silent == []


@pytest.mark.parametrize("name", sorted(CODES))
def test_every_code_says_what_to_do(name: str) -> None:
    """Each error and warning has a title and a hint in both languages."""
    entry = CODES[name]
    assert all((entry.title_zh, entry.title_en, entry.hint_zh, entry.hint_en))


def test_readme_shows_the_two_commands(root: Path) -> None:
    """A newcomer finds ``make demo`` and ``make test``, and every linked page exists."""
    readme = (root / "README.md").read_text(encoding="utf-8")
    assert "make demo" in readme
    assert "make test" in readme
    links = re.findall(r"\]\(([^)#]+)\)", readme)
    assert [link for link in links if not (root / link).exists()] == []
