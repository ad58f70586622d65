"""Seeded damage: the same number gives the same broken file on every machine."""

import io
import random
import re
import zipfile
from collections.abc import Sequence

_NUMBER = re.compile(rb"\d+")
_ODD_NUMBERS = (b"0", b"-1", b"65536", b"4294967296", b"99999999999999999999", b"1e308", b"x")


def mutated(seeds: Sequence[tuple[str, bytes]], number: int) -> tuple[str, bytes]:
    """Give the name and the bytes of a damaged file: one of the seeds, damaged by the number."""
    dice = random.Random(number)
    name, content = seeds[number % len(seeds)]
    if content[:2] == b"PK" and dice.random() < 0.75:
        return name, _inside(content, dice)
    return name, _damaged(content, dice, [other for _, other in seeds])


def _inside(content: bytes, dice: random.Random) -> bytes:
    """Damage a part of a package, and pack it again whole."""
    with zipfile.ZipFile(io.BytesIO(content)) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    for _ in range(dice.randint(1, 2)):
        name = dice.choice(sorted(parts))
        if dice.random() < 0.1:
            del parts[name]
            if not parts:
                break
            continue
        parts[name] = _damaged(parts[name], dice, list(parts.values()))
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as package:
        for name, part in parts.items():
            package.writestr(name, part)
    return target.getvalue()


def _damaged(content: bytes, dice: random.Random, others: Sequence[bytes]) -> bytes:
    raw = bytearray(content)
    for _ in range(dice.choice((1, 1, 2, 5, 20))):
        if not raw:
            break
        at = dice.randrange(len(raw))
        length = min(len(raw) - at, dice.choice((1, 4, 40, 400)))
        deed = dice.randrange(7)
        if deed == 0:
            raw[at] ^= 1 << dice.randrange(8)
        elif deed == 1:
            raw[at : at + length] = dice.randbytes(length)
        elif deed == 2:
            del raw[at : at + length]
        elif deed == 3:
            other = dice.choice(others)
            start = dice.randrange(len(other)) if other else 0
            raw[at:at] = other[start : start + length]
        elif deed == 4:
            raw[at:at] = raw[at : at + length] * dice.choice((1, 3, 50))
        elif deed == 5:
            numbers = list(_NUMBER.finditer(raw, at, at + 4000))
            if numbers:
                found = dice.choice(numbers)
                raw[found.start() : found.end()] = dice.choice(_ODD_NUMBERS)
        elif dice.random() < 0.2:
            del raw[at:]
    return bytes(raw)
