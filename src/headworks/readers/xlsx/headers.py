"""What the first and last rows of a table are: titles, header rows, notes.

Takes the cells of rows, gives a count or a judgement. Never looks at a sheet as a whole.
"""

import re
from collections.abc import Sequence

from headworks.model.document import Merge
from headworks.readers.xlsx.grid import Shape

_FIELD = re.compile("[：:]|^(?:单位|日期|编号|编制|制表|填报|表号)")
_NOTE = re.compile(
    r"(?:注|备注|说明|附注|填表说明|制表人?|编制人?|审核人?|Notes?|Remarks?)\s*[\d、.．]*\s*[：:.．]",
    re.I,
)
_PERIOD = re.compile(r"(?:19|20)\d\d(?:年|年度|[-/.年]\d{1,2}月?)?|\d{1,2}月|[Qq][1-4]")
_HEADER_WORD = re.compile(
    r"序\s*号|名\s*称|编\s*号|编\s*码|项\s*目|类\s*[别型]|规\s*格|型\s*号|单\s*[位价]|数\s*量|金\s*额|"
    r"日\s*期|备\s*注|说\s*明|姓\s*名|部\s*门|状\s*态|地\s*址|电\s*话|内\s*容|合\s*计|时\s*间|"
    r"id|no\.?|name|date|type|amount|price|qty|quantity|total|status|code|description|remarks?|"
    r"unit|item|key|value",
    re.I,
)
_MOST_HEADER_ROWS = 5
_LONGEST_HEADER = 40
_LONG_NOTE = 40


def is_title(cells: dict[int, str], width: int) -> bool:
    """Tell whether a row above a table is a title, or a line of fields such as 单位：万元."""
    if width < 2 or not cells:
        return False
    if len(cells) == 1:
        return True
    few = len(cells) <= 3 and 2 * len(cells) <= width
    return few and any(_FIELD.search(text) for text in cells.values())


def is_note(cells: dict[int, str], wide: bool) -> bool:
    """Tell whether a row below a table is a note. ``wide``: merged over half of the table."""
    if len(cells) != 1:
        return False
    text = next(iter(cells.values()))
    return wide or len(text) > _LONG_NOTE or _NOTE.match(text) is not None


def header_rows(
    cells: Sequence[dict[int, str]],
    shapes: Sequence[Shape],
    columns: range,
    merges: Sequence[Merge],
    filter_row: int | None,
) -> int:
    """Give how many of a table's first rows are its header; they are its first rows as given."""
    if len(cells) < 2 or len(columns) < 2:
        return 0
    if filter_row is not None and filter_row < min(_MOST_HEADER_ROWS, len(cells) - 1):
        return filter_row + 1
    if _has_values(cells[0], shapes[0]):
        return 0
    count = _spread(cells, shapes, columns, merges)
    if count >= len(cells) and count > 1:
        count = 1
    named = _filled(cells[:count], columns, merges)
    if named < 0.6 * len(columns):
        return 0
    return count if _is_header(cells, shapes, count) else 0


def _spread(
    cells: Sequence[dict[int, str]],
    shapes: Sequence[Shape],
    columns: range,
    merges: Sequence[Merge],
) -> int:
    """Give the rows that the first row's merged cells tie together."""
    count = 1
    while count < min(_MOST_HEADER_ROWS, len(cells) - 1):
        groups = sum(1 for merge in merges if _is_group(merge, count, len(columns)))
        tied = groups >= 2 or any(_ties(merge, count, len(columns)) for merge in merges)
        if not tied or _has_values(cells[count], shapes[count]):
            break
        count += 1
    return count


def _ties(merge: Merge, count: int, width: int) -> bool:
    """Tell whether a merged cell in the first rows belongs with the row after them.

    It reaches down into that row, or it heads several columns that the row tells apart.
    """
    if merge.row >= count:
        return False
    after = merge.row + merge.row_span
    if count < after <= _MOST_HEADER_ROWS:
        return True
    return _is_group(merge, count - 1, width)


def _is_group(merge: Merge, row: int, width: int) -> bool:
    """Tell whether a merged cell of a row stands over several columns, and not over all."""
    return merge.row == row and merge.row_span == 1 and 1 < merge.column_span < width


def _has_values(cells: dict[int, str], shape: Shape) -> bool:
    """Tell whether a row holds numbers that are no years, months or a count of columns."""
    numbers = [
        text
        for column, text in cells.items()
        if shape.numeric >> column & 1 and not _PERIOD.fullmatch(text)
    ]
    if len(numbers) >= 3 and all(text.isdecimal() and len(text) <= 4 for text in numbers):
        first = int(numbers[0])
        return [int(text) for text in numbers] != list(range(first, first + len(numbers)))
    return bool(numbers)


def _filled(rows: Sequence[dict[int, str]], columns: range, merges: Sequence[Merge]) -> int:
    """Count the columns that one of the rows names, merged cells counted with all they cover."""
    named = {column for cells in rows for column in cells}
    for merge in merges:
        if merge.row < len(rows):
            left = columns.start + merge.column
            named.update(range(left, left + merge.column_span))
    return len(named)


def _is_header(cells: Sequence[dict[int, str]], shapes: Sequence[Shape], count: int) -> bool:
    """Weigh the signs: numbers below, bold above plain, words that head columns, all different."""
    head, body = cells[count - 1], cells[count:]
    texts = [text for row in cells[:count] for text in row.values()]
    if not texts or max(map(len, texts)) > 4 * _LONGEST_HEADER:
        return False
    if any(_has_values(row, shape) for row, shape in zip(body, shapes[count:], strict=True)):
        return True
    if count > 1:
        return True
    bold = all(shapes[0].bold >> column & 1 for column in head)
    if bold and not all(shapes[count].bold >> column & 1 for column in body[0]):
        return True
    if max(map(len, texts)) > _LONGEST_HEADER or len(set(texts)) < len(texts):
        return False
    words = sum(1 for text in texts if _HEADER_WORD.search(text))
    if words >= 2:
        return True
    return len(body) >= 2 and len(head) >= 3
