"""Values as a person sees them in a cell: number formats applied to what the file stores.

Takes a format code and the stored text of a number, gives the shown text. Never goes through a
binary fraction where digits would be lost: long integers stay whole, halves round away from zero.
"""

import re
from collections.abc import Callable, Sequence
from decimal import ROUND_HALF_UP, Decimal, InvalidOperation
from fractions import Fraction

from headworks.readers.xlsx.codes import Section, Token, parse
from headworks.readers.xlsx.dates import show_date
from headworks.readers.xlsx.shortcuts import ShowColumn, column_short_cut, short_cut

Show = Callable[[str], str]
_MAX_DIGITS = 15  # what the programs themselves keep of a number with a fraction
# Numbers that ``general`` leaves alone, of a column joined by tabs.
_PLAIN = re.compile(r"[0-9]{1,15}|-?[0-9]{1,6}\.[0-9]{0,3}[1-9]|-[0-9]{1,11}")
_PLAIN_COLUMN = re.compile(rf"(?:(?:{_PLAIN.pattern})?\t)*+")
# 16 or 17 digits, and what is beyond the fifteenth is far from half of it: 827.9400000000001.
_NOISY = re.compile(r"-?(?=.{16}[0-37-9].?\Z)[1-9][0-9]{0,8}\.[0-9]+")
_POINT_ZERO_COLUMN = re.compile(rf"(?:(?:-?[1-9][0-9]{{0,14}}\.0|0\.0|{_PLAIN.pattern})?\t)*+")
# A value of a column joined by tabs that is too long for the plain ones.
_LONG = re.compile(r"\t[^\t]{13,}+")
_NOT_ZERO = re.compile("[1-9]")
_NUMERALS = {
    1: ("〇一二三四五六七八九", tuple("十百千万亿")),
    2: ("零壹贰叁肆伍陆柒捌玖", tuple("拾佰仟万亿")),
}


def general(raw: str) -> str:
    """Give a number without a format: digits as they are, no exponent where it can be avoided."""
    if len(raw) <= _MAX_DIGITS and raw.isdigit():
        return raw
    bare = raw.replace(".", "", 1).replace("-", "", 1)
    if len(raw) <= 12 and bare.isdigit() and not ("." in raw and raw[-1] in "0."):
        return raw
    if _NOISY.fullmatch(raw):
        return f"{float(raw):.15g}"
    value = _decimal(raw)
    if value is None:
        return raw
    if value == value.to_integral_value() and abs(value) < Decimal(10) ** 40:
        return str(value.to_integral_value().quantize(Decimal(1)))
    return _plain_text(_short(value))


def general_column(values: Sequence[str], one: Show) -> Sequence[str]:
    """Give a column of numbers without a format: most stand as they are shown."""
    joined = "\t".join(("", *values, ""))
    if _PLAIN_COLUMN.fullmatch(joined, 1):
        return values
    joined = _LONG.sub(lambda found: "\t" + one(found[0][1:]), joined)
    if _POINT_ZERO_COLUMN.fullmatch(joined, 1):  # some programs write 12.0 for 12
        return joined.replace(".0\t", "\t").split("\t")[1:-1]
    return [value if _PLAIN.fullmatch(value) else one(value) for value in values]


def shows_as_stored(values: Sequence[str]) -> bool:
    """Tell whether ``general`` would leave each of these numbers as it is."""
    return _PLAIN_COLUMN.fullmatch("\t".join((*values, ""))) is not None


def compile_column(code: str) -> ShowColumn | None:
    """Give the function that shows columns of numbers under this code, where there is one."""
    return column_short_cut(_numeric(parse(code)))


def compile_format(code: str, date1904: bool) -> tuple[Show, bool]:
    """Give the function that shows numbers under this code, and whether it shows dates."""
    sections = parse(code)
    if not any(section.tokens for section in sections):
        return general, False  # ;;; hides the value on the sheet; what hides is still taken
    numeric = _numeric(sections)
    first = numeric[0]
    if (
        len(numeric) == 1
        and len(first.tokens) == 1
        and first.tokens[0].kind in ("general", "value")
        and not first.digits
    ):
        return general, False

    def show(raw: str) -> str:
        value = _decimal(raw)
        if value is None:
            return raw
        section, signed = _choose(numeric, value)
        if section.is_date:
            return show_date(float(value), section, date1904) or general(raw)
        text = _show_number(value if signed else abs(value), section)
        return text if text or not value else general(raw)

    return _with_short_cut(numeric, show), first.is_date


def _numeric(sections: Sequence[Section]) -> list[Section]:
    if len(sections) == 4:
        return list(sections[:3])
    return [section for section in sections if not section.is_text] or [sections[0]]


def _with_short_cut(sections: list[Section], show: Show) -> Show:
    """Give the same function, ten times faster for the codes that most cells have."""
    if any(section.condition for section in sections):
        return show
    positive = short_cut(sections[0])
    if positive is None:
        return show
    negative = positive if len(sections) == 1 else short_cut(sections[1])
    sign = "-" if len(sections) == 1 else ""

    def quick(raw: str) -> str:
        if raw[0] == "-":
            text = negative(raw[1:]) if negative is not None else None
            # What rounds to nothing has no sign, and may have a section of its own.
            exact = text is None or not _NOT_ZERO.search(text)
            return show(raw) if exact else f"{sign}{text}"
        text = positive(raw)
        exact = text is None or (len(sections) > 2 and not _NOT_ZERO.search(text))
        return show(raw) if exact else f"{text}"

    return quick


def text_format(code: str) -> Show | None:
    """Give the function that shows texts under this code; none where they stay as they are."""
    section = parse(code)[-1]
    if not section.is_text or len(section.tokens) < 2:
        return None
    shown = "".join("\0" if token.kind == "value" else token.text for token in section.tokens)
    return lambda text: shown.replace("\0", text).strip()


def _choose(sections: list[Section], value: Decimal) -> tuple[Section, bool]:
    """Give the section for a value, and whether the value's own sign is shown."""
    if any(section.condition for section in sections):
        fitting = (s for s in sections if s.condition is None or _holds(s.condition, value))
        section = next(fitting, sections[-1])
        return section, not _has_own_sign(section)
    if len(sections) == 1 or value > 0 or (value == 0 and len(sections) == 2):
        return sections[0], True
    if value < 0:
        return sections[1], False
    return sections[2], True


def _has_own_sign(section: Section) -> bool:
    """Tell whether a section is for negative numbers and writes their sign itself."""
    condition = section.condition
    if condition is not None and condition[0] in ("<", "<=") and condition[1] <= 0:
        return True
    return any(token.kind == "text" and token.text in ("-", "(") for token in section.tokens)


def _holds(condition: tuple[str, float], value: Decimal) -> bool:
    sign, bound = condition[0], Decimal(str(condition[1]))
    return {
        "<": value < bound,
        "<=": value <= bound,
        ">": value > bound,
        ">=": value >= bound,
        "=": value == bound,
        "<>": value != bound,
    }[sign]


def _show_number(value: Decimal, section: Section) -> str:
    tokens = section.tokens
    kinds = {token.kind for token in tokens}
    if section.digits in _NUMERALS:
        return _in_chinese(value, section)
    if "general" in kinds or "value" in kinds:
        shown = general(_plain_text(value))
        return "".join(
            shown if token.kind in ("general", "value") else token.text for token in tokens
        ).strip()
    if "digit" not in kinds:
        sign = "-" if value < 0 else ""
        return sign + "".join(token.text for token in tokens).strip()
    if "exponent" in kinds:
        return _scientific(value, tokens)
    if "slash" in kinds:
        return _fraction(value, tokens)
    return _fixed(value, tokens)


def _fixed(value: Decimal, tokens: tuple[Token, ...]) -> str:
    """Lay a number's digits into the places of the code, literals between them kept."""
    digits = [index for index, token in enumerate(tokens) if token.kind == "digit"]
    point = next((n for n, token in enumerate(tokens) if token.kind == "point"), len(tokens))
    last_whole = max((index for index in digits if index < point), default=-1)
    grouped = any(
        token.kind == "comma" and index < last_whole for index, token in enumerate(tokens)
    ) and any(index < last_whole for index in digits)
    last_digit = digits[-1]
    scale = sum(
        1
        for index, token in enumerate(tokens)
        if token.kind == "comma" and index > last_whole and (index < point or index > last_digit)
    )
    percents = sum(1 for token in tokens if token.kind == "percent")
    places = sum(1 for index in digits if index > point)
    value = value.scaleb(2 * percents - 3 * scale)
    rounded = _round(value, places)
    whole, _, fraction = f"{abs(rounded):f}".partition(".")
    body = _whole_part(whole, tokens[:point], grouped)
    if point < len(tokens):
        body += _fraction_part(fraction, tokens[point:])
    sign = "-" if rounded < 0 else ""
    return sign + body.strip()


def _whole_part(whole: str, tokens: tuple[Token, ...], grouped: bool) -> str:
    """Fill the places before the point from the right; the first takes all digits left over."""
    places = [index for index, token in enumerate(tokens) if token.kind == "digit"]
    rest = "" if whole == "0" else whole
    shown: list[str] = []
    count = 0
    for index in range(len(tokens) - 1, -1, -1):
        token = tokens[index]
        if token.kind == "digit":
            first = index == places[0]
            while rest or token.text == "0":
                if grouped and count and count % 3 == 0:
                    shown.append(",")
                shown.append(rest[-1] if rest else "0")
                rest, count = rest[:-1], count + 1
                if not first or not rest:
                    break
        elif token.kind != "comma":
            shown.append(token.text[::-1])
    return "".join(shown)[::-1] if places else "".join(shown)[::-1] + rest


def _fraction_part(fraction: str, tokens: tuple[Token, ...]) -> str:
    """Fill the places after the point; ``#`` and ``?`` drop the zeros at the end."""
    places = [token.text for token in tokens if token.kind == "digit"]
    kept = len(fraction)
    while kept and places[kept - 1 : kept] in (["#"], ["?"]) and fraction[kept - 1] == "0":
        kept -= 1
    shown, used = [], 0
    for token in tokens:
        if token.kind == "digit":
            shown.append(fraction[used] if used < kept else "")
            used += 1
        elif token.kind == "point":
            shown.append(".")  # the programs show the point of ``0.##`` even for a whole number
        elif token.kind != "comma":
            shown.append(token.text)
    text = "".join(shown)
    return text[1:] if kept == 0 and not any(place == "0" for place in places) else text


def _scientific(value: Decimal, tokens: tuple[Token, ...]) -> str:
    mark = next(index for index, token in enumerate(tokens) if token.kind == "exponent")
    mantissa_tokens = tokens[:mark]
    point = next((n for n, t in enumerate(mantissa_tokens) if t.kind == "point"), mark)
    whole_places = sum(1 for token in mantissa_tokens[:point] if token.kind == "digit")
    exponent = value.adjusted() if value else 0
    if whole_places > 1:
        exponent -= exponent % whole_places
    mantissa = _fixed(value.scaleb(-exponent), mantissa_tokens)
    digits = "".join(
        token.text.replace("#", "0").replace("?", "0")
        for token in tokens[mark + 1 :]
        if token.kind == "digit"
    )
    tail = "".join(token.text for token in tokens[mark + 1 :] if token.kind == "text")
    sign = "-" if exponent < 0 else "+" if tokens[mark].text == "+" else ""
    return f"{mantissa}E{sign}{abs(exponent):0{max(1, len(digits))}}{tail}"


def _fraction(value: Decimal, tokens: tuple[Token, ...]) -> str:
    slash = next(index for index, token in enumerate(tokens) if token.kind == "slash")
    below = "".join(token.text for token in tokens[slash + 1 :] if token.text.strip())
    above = [index for index, token in enumerate(tokens[:slash]) if token.kind == "digit"]
    mixed = any(
        token.kind == "text" and token.text == " " for token in tokens[above[0] : slash]
    ) if above else False  # fmt: skip
    sign, size = ("-" if value < 0 else ""), Fraction(abs(value))
    whole = int(size) if mixed else 0
    rest = size - whole
    if below.isdigit():
        bottom = int(below)
        top = round(rest * bottom)
    else:
        near = rest.limit_denominator(10 ** max(1, min(len(below), 7)) - 1)
        top, bottom = near.numerator, near.denominator
    if mixed and top == bottom:
        whole, top = whole + 1, 0
    if mixed and top == 0:
        return f"{sign}{whole}"
    return f"{sign}{whole} {top}/{bottom}" if whole else f"{sign}{top}/{bottom}"


def _in_chinese(value: Decimal, section: Section) -> str:
    """Show a number in Chinese numerals: [DBNum2] turns 1234 into 壹仟贰佰叁拾肆."""
    numerals, units = _NUMERALS[section.digits]
    spelled = any(token.kind in ("general", "value") for token in section.tokens)
    whole, _, fraction = f"{abs(_short(value)):f}".partition(".")
    body = _spell(whole, numerals, units) if spelled else "".join(numerals[int(c)] for c in whole)
    if fraction:
        body += "." + "".join(numerals[int(char)] for char in fraction)
    shown, placed = [], False
    for token in section.tokens:
        if token.kind in ("general", "value", "digit"):
            shown.append("" if placed else body)
            placed = True
        elif token.kind in ("text", "percent"):
            shown.append(token.text)
    return ("-" if value < 0 else "") + "".join(shown).strip()


def _spell(whole: str, numerals: str, units: tuple[str, ...]) -> str:
    """Spell an integer: groups of four digits, 万 and 亿 between them, one zero for a gap."""
    ten, hundred, thousand, wan, yi = units
    groups: list[str] = []
    padded = whole.zfill(-(-len(whole) // 4) * 4)
    names = ("", wan, yi, wan + yi, yi + yi)
    count = len(padded) // 4
    gap = False
    for index in range(count):
        four = padded[4 * index : 4 * index + 4]
        for char, unit in zip(four, (thousand, hundred, ten, ""), strict=True):
            if char == "0":
                gap = bool(groups)
                continue
            groups.append((numerals[0] if gap else "") + numerals[int(char)] + unit)
            gap = False
        if int(four):
            groups.append(names[min(count - 1 - index, len(names) - 1)])
    text = "".join(groups) or numerals[0]
    return text[1:] if text.startswith("一十") else text


def _decimal(raw: str) -> Decimal | None:
    try:
        value = Decimal(raw)
    except InvalidOperation:
        return None
    return value if value.is_finite() else None


def _short(value: Decimal) -> Decimal:
    """Round a fraction to the digits that a double holds: 0.28999999999999998 is 0.29."""
    if len(value.as_tuple().digits) <= _MAX_DIGITS or value == value.to_integral_value():
        return value
    return value.quantize(
        Decimal(1).scaleb(value.adjusted() - _MAX_DIGITS + 1), rounding=ROUND_HALF_UP
    ).normalize()


def _round(value: Decimal, places: int) -> Decimal:
    try:
        return _short(value).quantize(Decimal(1).scaleb(-places), rounding=ROUND_HALF_UP)
    except InvalidOperation:  # more digits than the context holds: nothing to round there
        return value


def _plain_text(value: Decimal) -> str:
    text = f"{value:f}" if -20 < value.adjusted() < 40 else f"{value:E}"
    return text.rstrip("0").rstrip(".") if "." in text and "E" not in text else text
