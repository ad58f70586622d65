"""restore(redact(x)) == x over as many generated texts as asked (100,000 by default).

Takes a count and a seed, prints the count and the time; the exit code is 1 at the first
difference. Never prints a text that it did not make itself.
"""

import random
import sys
import time

from headworks.privacy.recognizers import DETECTORS
from headworks.privacy.tokens import Style, marks_in, redact, restore
from tests.build import personal

_STYLES: tuple[Style, ...] = ("label", "numbered", "mask", "hash")
_WORDS = (
    "甲方", "乙方", "，", "。", "\n", " ", "　", "联系人：张三丰 ", "身份证", "电话", "账号：",
    "订单号", "[MOBILE_1]", "[REDACTED_IDCARD]", "［ID_CARD_2］", "\\[", "]", "x", "－", "a@b.cn",
    "沪AD12345", "护照E12345678", "（021）65120000", "\u200b", "😀", "\r\n", "2024年1月1日",
    "50万元", "地址：某市某路1号",
)  # fmt: skip


def text_of(source: random.Random) -> str:
    """Give a text of words and personal numbers in odd spellings."""
    makers = (personal.id_card, personal.bank_card, personal.credit_code, personal.mobile)
    pieces = []
    for _ in range(source.randrange(1, 14)):
        if source.random() < 0.5:
            pieces.append(source.choice(_WORDS))
        else:
            pieces.append(_spelled(source.choice(makers)(source), source))
    return "".join(pieces)


def _spelled(number: str, source: random.Random) -> str:
    kind = source.randrange(4)
    if kind == 1:
        return "".join(chr(ord(char) + 0xFEE0) for char in number)
    if kind == 2:
        return " ".join(number[at : at + 4] for at in range(0, len(number), 4))
    if kind == 3:
        at = source.randrange(1, len(number))
        return number[:at] + "\n" + number[at:]
    return number


def main(count: int, seed: int) -> int:
    """Run the check; print what was done."""
    source = random.Random(seed)
    every = list(dict.fromkeys(DETECTORS.values()))
    began = time.perf_counter()
    taken = 0
    for number in range(count):
        text = text_of(source)
        style = _STYLES[number % len(_STYLES)]
        redacted = redact(text, marks_in(text, every), style, key=b"k" * 32)
        taken += len(redacted.edits)
        if restore(redacted.text, redacted.record).text != text:
            print(f"text {number} (seed {seed}, {style}) does not come back: {text!r}")
            return 1
        if style == "numbered":
            quoted = restore(f"“{redacted.text}”", redacted.record)
            if quoted.missing:
                print(f"text {number} (seed {seed}) loses {quoted.missing} in an answer")
                return 1
    seconds = time.perf_counter() - began
    print(f"{count} texts, {taken} redactions, restored byte for byte, in {seconds:.1f} s")
    return 0


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:]]
    sys.exit(main(*(given + [100_000, 1][len(given) :])))
