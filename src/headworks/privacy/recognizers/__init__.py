"""The recognisers of personal data, by every name that a rule may use.

Takes folded text, gives values; ``detect`` settles who owns a range that two of them claim. Never
gives overlapping values of two kinds.
"""

from collections.abc import Iterable

from headworks.model.verdict import Value
from headworks.privacy.recognizers.bank import find_bank_accounts, find_bank_cards
from headworks.privacy.recognizers.base import Detector
from headworks.privacy.recognizers.codes import (
    find_credit_codes,
    find_emails,
    find_passports,
    find_plates,
)
from headworks.privacy.recognizers.identity import find_id_cards
from headworks.privacy.recognizers.people import find_addresses, find_people
from headworks.privacy.recognizers.phone import find_mobiles, find_phones

__all__ = ["DETECTORS", "USUAL", "Detector", "detect"]

_TABLE = (
    Detector(
        "id_card", "身份证号", "ID_CARD", 90, find_id_cards, ("身份证", "身份证号码", "id card")
    ),
    Detector(
        "credit_code", "统一社会信用代码", "CREDIT_CODE", 80, find_credit_codes, ("信用代码",)
    ),
    Detector("bank_card", "银行卡号", "BANK_CARD", 70, find_bank_cards, ("银行卡", "bank card")),
    Detector(
        "bank_account", "银行账号", "BANK_ACCOUNT", 60, find_bank_accounts, ("账号",), usual=False
    ),
    Detector("mobile", "手机号", "MOBILE", 50, find_mobiles, ("手机", "手机号码", "mobile phone")),
    Detector(
        "phone", "电话", "PHONE", 40, find_phones, ("座机", "电话号码", "固定电话", "landline")
    ),
    Detector("email", "邮箱", "EMAIL", 40, find_emails, ("电子邮箱", "电子邮件", "e-mail")),
    Detector("plate", "车牌", "PLATE", 40, find_plates, ("车牌号", "licence plate")),
    Detector("passport", "护照", "PASSPORT", 40, find_passports, ("护照号", "护照号码")),
    Detector("person", "姓名", "PERSON", 20, find_people, ("人名", "name"), usual=False),
    Detector("address", "地址", "ADDRESS", 10, find_addresses, ("住址",), usual=False),
)

DETECTORS: dict[str, Detector] = {
    name: detector
    for detector in _TABLE
    for name in (detector.name, detector.zh, *detector.aliases)
}
USUAL: tuple[Detector, ...] = tuple(detector for detector in _TABLE if detector.usual)


def detect(text: str, detectors: Iterable[Detector] = USUAL) -> list[tuple[Detector, Value]]:
    """Give what the detectors find in folded text, in order, each range owned by one of them.

    On the same digits the higher rank wins (an identity number that passes Luhn is no bank card);
    a longer value swallows a shorter one inside it only where its rank is not lower.
    """
    claims = [(detector, value) for detector in detectors for value in detector.find(text)]
    claims.sort(key=lambda claim: (-claim[0].rank, claim[1].span.start, -claim[1].span.end))
    taken: list[tuple[Detector, Value]] = []
    covered = bytearray(len(text))
    for detector, value in claims:
        start, end = value.span.start, value.span.end
        if not any(covered[start:end]):
            covered[start:end] = b"\1" * (end - start)
            taken.append((detector, value))
    return sorted(taken, key=lambda claim: claim[1].span.start)
