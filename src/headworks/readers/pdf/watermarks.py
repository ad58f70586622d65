"""Watermarks that stand upright: pale words behind the text, large ones at one place of most pages.

Takes all pages' fragments and the usual size, gives which of them are watermarks. Never takes a
pale word that stands clear of the text on its own: a form asks for something in grey.
"""

from collections import Counter, defaultdict

from headworks.readers.pdf.lines import Fragment

LARGE = 1.6  # times the usual size
LEAST = 3  # pages, or places of a page


def usual_size(parts: list[Fragment]) -> float:
    """Give the size in which most of the text is set."""
    sizes: Counter[int] = Counter()
    for part in parts:
        sizes[round(part.size)] += len(part.text) * (not part.pale)
    return float(sizes.most_common(1)[0][0]) if sizes else 10.0


def watermarks(pages: list[tuple[int, list[Fragment]]], usual: float) -> list[tuple[int, int]]:
    """Give page and index of pale words behind the text, large ones over it or on most pages."""
    large = LARGE * usual
    found: list[tuple[int, int]] = []
    places: dict[tuple[str, int, int], list[tuple[int, int]]] = defaultdict(list)
    pale: dict[tuple[str, int, int], list[tuple[int, int]]] = defaultdict(list)
    for number, parts in pages:
        over: set[tuple[float, int]] = set()
        for index, part in enumerate(parts):
            place = (part.text, round(part.x0 / 6), round(part.base / 6))
            if part.pale and (part.size >= large or _crosses(part, parts)):
                found.append((number, index))
            elif part.pale:
                pale[place].append((number, index))
            elif part.size >= large:
                places[place].append((number, index))
                if part.font and _covers(part, parts):
                    over.add((part.size, round(part.base)))
        if over:  # the rest of its words may stand beside the text
            words = (i for i, p in enumerate(parts) if (p.size, round(p.base)) in over)
            found.extend((number, index) for index in words)
    of_number = dict(pages)
    said = {of_number[number][index].text for number, index in found}
    for (text, _, _), group in pale.items():  # one between two lines is the one that crosses others
        if text in said or len(group) >= LEAST:
            found.extend(group)
    need = max(LEAST, (len(pages) + 1) // 2)
    for group in places.values():  # a form's title is as large and repeats, but stands clear
        often = len(group) >= need
        if often and any(_crosses(of_number[n][i], of_number[n]) for n, i in group):
            found.extend(group)
    return found


def _covers(part: Fragment, others: list[Fragment]) -> bool:
    """Tell whether large words are printed over smaller ones, which no title is."""
    return any(
        other.size < part.size / LARGE
        and min(part.x1, other.x1) - max(part.x0, other.x0) > other.size
        and part.y0 < (other.y0 + other.y1) / 2 < part.y1
        for other in others
    )


def _crosses(part: Fragment, others: list[Fragment]) -> bool:
    """Tell whether a pale or large piece lies over or under a line of text in full ink."""
    return any(
        not other.pale
        and other is not part
        and other.x0 < part.x1 - 1
        and part.x0 < other.x1 - 1
        and abs(other.base - part.base) < 0.7 * max(part.size, other.size)
        for other in others
    )
