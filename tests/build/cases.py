"""A small document and what a reader would say of it."""

from pathlib import Path

import msgspec

from tests.build.forms import structured

Told = tuple[list[str], str, list[str]]


class Case(msgspec.Struct, frozen=True):
    """Marked lines; the outline a line a heading; the zones' kinds; each reference, told."""

    lines: str
    outline: str
    zones: str
    refs: list[str]
    header: str = ""

    def expected(self) -> Told:
        """Give what the structure must say."""
        return self.outline.strip().split("\n"), self.zones, self.refs


def told(folder: Path, form: str, case: Case) -> Told:
    """Give what the structure says; white space in headings, which a PDF may lose, is left out."""
    document = structured(folder, form, case.lines, case.header)
    outline = [f"{one.level} {''.join(one.text.split())}" for one in document.headings]
    refs = [
        f"{ref.text} {ref.target if ref.status == 'resolved' else ref.status}"
        for ref in document.refs
    ]
    return outline, " ".join(zone.kind for zone in document.zones), refs
