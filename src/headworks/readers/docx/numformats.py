"""Numbers as Word's lists show them: every ``w:numFmt`` of ECMA-376 17.18.59.

Takes a counter's value and a format's name, gives the characters on the page. Never raises:
a value that a format has no sign for, and a format that is not known, give decimal digits.
"""

import re
from collections.abc import Callable

_ROMAN = (
    (1000, "M"),
    (900, "CM"),
    (500, "D"),
    (400, "CD"),
    (100, "C"),
    (90, "XC"),
    (50, "L"),
    (40, "XL"),
    (10, "X"),
    (9, "IX"),
    (5, "V"),
    (4, "IV"),
    (1, "I"),
)
_STEMS = "甲乙丙丁戊己庚辛壬癸"
_BRANCHES = "子丑寅卯辰巳午未申酉戌亥"
_ORDINARY = "〇一二三四五六七八九"
# Laws and contracts write 第一百零一条, and so do the references to it. Word prints 〇 there.
_SPOKEN = "零一二三四五六七八九"
_ONES = (
    "zero",
    "one",
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "sixteen",
    "seventeen",
    "eighteen",
    "nineteen",
)
_TENS = (
    "zero",
    "ten",
    "twenty",
    "thirty",
    "forty",
    "fifty",
    "sixty",
    "seventy",
    "eighty",
    "ninety",
)
_ORDINALS = {
    "one": "first",
    "two": "second",
    "three": "third",
    "five": "fifth",
    "eight": "eighth",
    "nine": "ninth",
    "twelve": "twelfth",
}
_LAST_WORD = re.compile("[a-z]+$")
# Formats that count through a row of letters, then double them: A … Z, AA, BB.
_ALPHABETS = {
    "upperLetter": "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
    "lowerLetter": "abcdefghijklmnopqrstuvwxyz",
    "russianUpper": "АБВГДЕЖЗИКЛМНОПРСТУФХЦЧШЩЫЭЮЯ",
    "russianLower": "абвгдежзиклмнопрстуфхцчшщыэюя",
    "ganada": "가나다라마바사아자차카타파하",
    "chosung": "ㄱㄴㄷㄹㅁㅂㅅㅇㅈㅊㅋㅌㅍㅎ",
    "aiueo": "ｱｲｳｴｵｶｷｸｹｺｻｼｽｾｿﾀﾁﾂﾃﾄﾅﾆﾇﾈﾉﾊﾋﾌﾍﾎﾏﾐﾑﾒﾓﾔﾕﾖﾗﾘﾙﾚﾛﾜｦﾝ",
    "aiueoFullWidth": "アイウエオカキクケコサシスセソタチツテトナニヌネ"
    "ノハヒフヘホマミムメモヤユヨラリルレロワヲン",
    "iroha": "ｲﾛﾊﾆﾎﾍﾄﾁﾘﾇﾙｦﾜｶﾖﾀﾚｿﾂﾈﾅﾗﾑｳヰﾉｵｸﾔﾏｹﾌｺｴﾃｱｻｷﾕﾒﾐｼヱﾋﾓｾｽﾝ",
    "irohaFullWidth": "イロハニホヘトチリヌルヲワカヨタレソツネナラムウ"
    "ヰノオクヤマケフコエテアサキユメミシヱヒモセスン",
    "thaiLetters": "กขคงจฉชซฌญฎฏฐฑฒณดตถทธนบปผฝพฟภมยรลวศษสหฬอฮ",
    "arabicAlpha": "أبتثجحخدذرزسشصضطظعغفقكلمنهوي",
    "arabicAbjad": "أبجدهوزحطيكلمنسعفصقرشتثخذضغظ",
    "chicago": "*†‡§",
}
# Formats with a sign for each of the first values, decimal digits beyond.
_SIGNS = {
    "decimalEnclosedCircle": "①②③④⑤⑥⑦⑧⑨⑩⑪⑫⑬⑭⑮⑯⑰⑱⑲⑳",
    "decimalEnclosedCircleChinese": "①②③④⑤⑥⑦⑧⑨⑩",
    "decimalEnclosedParen": "⑴⑵⑶⑷⑸⑹⑺⑻⑼⑽⑾⑿⒀⒁⒂⒃⒄⒅⒆⒇",
    "decimalEnclosedFullstop": "⒈⒉⒊⒋⒌⒍⒎⒏⒐⒑⒒⒓⒔⒕⒖⒗⒘⒙⒚⒛",
    "ideographEnclosedCircle": "㊀㊁㊂㊃㊄㊅㊆㊇㊈㊉",
    "ideographTraditional": _STEMS,
    "ideographZodiac": _BRANCHES,
}
# Formats that write each decimal digit with a sign of its own.
_DIGITS = {
    "decimalFullWidth": "０１２３４５６７８９",
    "decimalFullWidth2": "０１２３４５６７８９",
    "ideographDigital": _ORDINARY,
    "japaneseDigitalTenThousand": _ORDINARY,
    "taiwaneseDigital": "○一二三四五六七八九",
    "koreanDigital": "영일이삼사오육칠팔구",
    "koreanDigital2": "零一二三四五六七八九",
    "thaiNumbers": "๐๑๒๓๔๕๖๗๘๙",
    "hindiNumbers": "०१२३४५६७८९",
}


def shown(value: int, number_format: str) -> str:
    """Give a counter's value in a format: ``shown(25, "chineseCounting") == "二十五"``."""
    if number_format == "none":
        return ""
    if value < 1:
        return _plain(value, number_format)
    signs = _SIGNS.get(number_format)
    if signs is not None:
        return signs[value - 1] if value <= len(signs) else str(value)
    letters = _ALPHABETS.get(number_format)
    if letters is not None:
        # A count in the thousands must not become a line of a hundred letters.
        repeats = (value - 1) // len(letters) + 1
        return letters[(value - 1) % len(letters)] * repeats if repeats < 20 else str(value)
    digits = _DIGITS.get(number_format)
    if digits is not None:
        return "".join(digits[int(digit)] for digit in str(value))
    if number_format.startswith("zeros"):  # our name for the custom format "001, 002, 003, ..."
        return str(value).zfill(int(number_format[5:]))
    function = _FUNCTIONS.get(number_format)
    return function(value) if function is not None else str(value)


def _plain(value: int, number_format: str) -> str:
    digits = _DIGITS.get(number_format)
    if digits is not None and value == 0:
        return digits[0]
    if number_format in ("chineseCounting", "chineseCountingThousand"):
        return "〇" if value == 0 else str(value)
    return "00" if number_format == "decimalZero" and value == 0 else str(value)


def _roman(value: int) -> str:
    if value > 3999:
        return str(value)
    text = ""
    for weight, letters in _ROMAN:
        count, value = divmod(value, weight)
        text += letters * count
    return text


def _tens_then_digits(value: int, zero: str) -> str:
    """Write 十五, 二十 and 九十九, and each digit alone from 100 on: 一〇〇."""
    if value >= 100:
        return "".join(_ORDINARY[int(digit)] for digit in str(value)).replace("〇", zero)
    tens, ones = divmod(value, 10)
    head = "" if tens == 0 else "十" if tens == 1 else _ORDINARY[tens] + "十"
    return head + (_ORDINARY[ones] if ones else "")


def _grouped(value: int, digits: str, units: str, *, one: str) -> str:
    """Write a number in groups of ten thousand.

    ``units`` are the signs of 10, 100, 1,000 and 10,000. ``one`` tells where the digit one
    before a unit is left out: ``head`` (十五 but 一百一十五), ``units`` (百十五) or ``never``.
    """
    high, low = divmod(value, 10_000)
    text = ""
    if high:
        text = _grouped(high, digits, units, one=one) + units[3]
    zero = digits[0] if one != "units" else ""
    owed = bool(high) and low < 1000 and low > 0
    for place, weight in ((2, 1000), (1, 100), (0, 10), (-1, 1)):
        digit = low // weight % 10
        if digit == 0:
            owed = owed or (bool(text) and low % weight > 0)
            continue
        text += zero if owed and zero else ""
        owed = False
        unit = units[place] if place >= 0 else ""
        bare = digit == 1 and (one == "units" or (one == "head" and weight == 10 and not text))
        text += unit if bare and unit else digits[digit] + unit
    return text


def _cardinal(value: int) -> str:
    if value < 20:
        return _ONES[value]
    if value < 100:
        tens, ones = divmod(value, 10)
        return _TENS[tens] + (f"-{_ONES[ones]}" if ones else "")
    if value < 1000:
        hundreds, rest = divmod(value, 100)
        return f"{_ONES[hundreds]} hundred" + (f" {_cardinal(rest)}" if rest else "")
    thousands, rest = divmod(value, 1000)
    return f"{_cardinal(thousands)} thousand" + (f" {_cardinal(rest)}" if rest else "")


def _ordinal_words(value: int) -> str:
    words = _cardinal(value)
    last = _LAST_WORD.search(words)
    word = last.group() if last else words
    if word in _ORDINALS:
        ending = _ORDINALS[word]
    else:
        ending = word[:-1] + "ieth" if word.endswith("y") else word + "th"
    return words[: len(words) - len(word)] + ending


def _ordinal(value: int) -> str:
    teens = value % 100 in (11, 12, 13)
    ending = "th" if teens else {1: "st", 2: "nd", 3: "rd"}.get(value % 10, "th")
    return f"{value}{ending}"


def _sexagenary(value: int) -> str:
    if value > 60:
        return str(value)
    return _STEMS[(value - 1) % 10] + _BRANCHES[(value - 1) % 12]


_FUNCTIONS: dict[str, Callable[[int], str]] = {
    "upperRoman": _roman,
    "lowerRoman": lambda value: _roman(value).lower(),
    "decimalZero": lambda value: f"{value:02d}",
    "hex": lambda value: f"{value:X}",
    "numberInDash": lambda value: f"- {value} -",
    "ordinal": _ordinal,
    "cardinalText": lambda value: _cardinal(value).capitalize(),
    "ordinalText": lambda value: _ordinal_words(value).capitalize(),
    "ideographZodiacTraditional": _sexagenary,
    "chineseCounting": lambda value: _tens_then_digits(value, "〇"),
    "taiwaneseCounting": lambda value: _tens_then_digits(value, "○"),
    "chineseCountingThousand": lambda value: _grouped(value, _SPOKEN, "十百千万", one="head"),
    "taiwaneseCountingThousand": lambda value: _grouped(value, _SPOKEN, "十百千萬", one="head"),
    # Chinese documents use this one for 一、二、三; beyond 99 WPS and LibreOffice write it so too.
    "japaneseCounting": lambda value: _grouped(value, _SPOKEN, "十百千万", one="head"),
    "chineseLegalSimplified": lambda value: _grouped(
        value, "零壹贰叁肆伍陆柒捌玖", "拾佰仟万", one="never"
    ),
    "ideographLegalTraditional": lambda value: _grouped(
        value, "零壹貳參肆伍陸柒捌玖", "拾佰仟萬", one="never"
    ),
    "japaneseLegal": lambda value: _grouped(value, "零壱弐参四伍六七八九", "拾百阡萬", one="never"),
    "koreanCounting": lambda value: _grouped(
        value, "영일이삼사오육칠팔구", "십백천만", one="units"
    ),
}
