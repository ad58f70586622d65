"""The reference page."""

from pathlib import Path

from headworks.rules.reference import reference_page


def test_page_is_up_to_date(root: Path) -> None:
    """docs/conditions.md is what the program's own tables and examples say."""
    page = (root / "docs" / "conditions.md").read_text(encoding="utf-8")
    assert page == reference_page(), (
        "write it anew: python -c 'from headworks.rules.reference import reference_page; "
        'print(reference_page(), end="")\' > docs/conditions.md'
    )
